"""Grids in NumPy's own files."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hostile_json import cut_at_every_percent, outcome
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats.limits import Limits


def saved(grid: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, grid)
    return file.getvalue()


def load(grid: Any, **options: Any) -> Build:
    return formats.read(saved(grid), **options).build


def with_header(text: str, data: bytes = b"", version: bytes = b"\x01\x00") -> bytes:
    length = struct.pack("<H" if version[0] == 1 else "<I", len(text))
    return b"\x93NUMPY" + version + length + text.encode("latin-1") + data


def names_grid() -> np.ndarray[Any, Any]:
    palette = np.array(["air", "stone", "oak_stairs[facing=west]", "minecraft:glass"])
    return palette[(np.arange(24) * 7 // 3 + 1).reshape(2, 3, 4) % 4]


def test_names_by_x_y_z():
    build = load(names_grid())
    assert build.blocks.size == (2, 3, 4) and len(build.blocks) == 18 and build.provenance.box == (2, 3, 4)
    assert {(x, y, z): state for x, y, z, state in build.blocks.rows()}[0, 0, 0] == "stone"
    assert build.provenance.warnings == ("axes taken as x, y, z; give --axes if the grid lies otherwise",)
    assert build.provenance.ground.startswith("y = 0, under the lowest block") and not build.provenance.ground_known


@pytest.mark.parametrize("axes", ["".join(order) for order in permutations("xyz")])
def test_all_orders_of_axes_and_of_memory_give_one_build(axes):
    wanted = load(names_grid(), axes="xyz")
    turned = names_grid().transpose(["xyz".index(axis) for axis in axes])
    for grid in (np.ascontiguousarray(turned), np.asfortranarray(turned)):
        build = load(grid, axes=axes)
        assert build == wanted and build.id == wanted.id and build.provenance.warnings == ()


def test_true_and_false_are_stone_and_air():
    grid = np.zeros((3, 2, 2), dtype=bool)
    grid[1, 0, 1] = True
    assert load(grid).blocks.rows() == [(1, 0, 1, "stone")]
    assert "holds no block" in load(np.zeros((2, 2, 2), dtype=bool)).provenance.warnings


@pytest.mark.parametrize("kind", ["u1", "<u2", ">u2", "<i4", ">i8", "i1"])
def test_whole_numbers_are_ids_of_old_versions(kind):
    grid = np.zeros((2, 1, 3), dtype=kind)
    grid[0, 0, 0], grid[1, 0, 2] = 5, 45
    assert load(grid).blocks.rows() == [(0, 0, 0, "oak_planks"), (1, 0, 2, "bricks")]


def test_pairs_lie_by_y_z_x_unless_told_otherwise():
    grid = np.zeros((1, 2, 3, 2), dtype=np.uint8)
    grid[0, 1, 2] = (53, 1)
    row = "oak_stairs[facing=west,half=bottom,shape=straight,waterlogged=false]"
    assert load(grid).blocks.rows() == [(2, 0, 1, row)]
    assert load(grid, axes="xyz", ground=0).blocks.rows() == [(0, 1, 2, row)]
    assert load(grid).provenance.warnings[0].startswith("axes taken as y, z, x")


def test_an_empty_text_says_nothing_and_air_is_dug_below_the_ground():
    build = load(np.array([[["stone", "", "air"]]]), ground=1)
    assert build.blocks.rows() == [(0, -1, 0, "stone")] and build.dug.tolist() == [[0, -1, 2]]


def test_names_in_bytes_and_in_other_orders_of_bytes():
    grid = names_grid()
    wanted = load(grid)
    assert load(grid.astype("S")) == wanted
    assert load(grid.astype(grid.dtype.newbyteorder(">"))) == wanted


def test_later_versions_of_the_header():
    grid = np.ones((1, 1, 2), dtype=np.uint8)
    for version in ((1, 0), (2, 0), (3, 0)):
        file = io.BytesIO()
        np.lib.format.write_array(file, grid, version=version)
        assert len(formats.read(file.getvalue()).build.blocks) == 2


def test_unknown_ids_stay_as_unknown_blocks():
    build = load(np.full((1, 1, 1), 254, dtype=np.uint8))
    assert build.blocks.rows()[0][3] == "legacy:254_0"
    assert any("legacy:254_0" in words for words in build.provenance.warnings)


SHAPE = "'fortran_order': False, 'shape': (1, 1, 1), }"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (saved(np.array([object()], dtype=object).reshape(1, 1, 1)), "Python objects, which are never loaded"),
        (saved(np.zeros((1, 1, 1), dtype=[("a", "u1")])), "the items are structures"),
        (saved(np.zeros((1, 1, 1), dtype="f8")), "the items are of kind f8"),
        (saved(np.full((1, 1, 1), np.nan)), "the items are of kind f8"),
        (saved(np.zeros((1, 1, 1), dtype="c16")), "the items are of kind c16"),
        (saved(np.zeros((1, 1, 1), dtype="M8[s]")), "header"),
        (saved(np.array(5)), "the array has 0 axes, not three"),
        (saved(np.zeros(5, dtype=np.uint8)), "the array has 1 axes"),
        (saved(np.zeros((1, 1, 1, 1, 1), dtype=np.uint8)), "the array has 5 axes"),
        (saved(np.zeros((1, 1, 1, 3), dtype=np.uint8)), "the fourth axis holds 3 items"),
        (saved(np.zeros((1, 1, 1, 2), dtype=bool)), "the fourth axis holds 2 items"),
        (saved(np.zeros((0, 1, 1), dtype=np.uint8)), "the box is 0 cells wide"),
        (saved(np.full((1, 1, 1), -1, dtype=np.int8)), "id -1 is not 0 to 4095"),
        (saved(np.full((1, 1, 1), 4096, dtype=np.uint16)), "id 4096 is not"),
        (saved(np.full((1, 1, 1, 2), 16, dtype=np.uint16)), "data value 16 is not 0 to 15"),
        (saved(np.array([[["no such name!"]]])), "is no block state"),
        (saved(np.array([[[b"\xff"]]])), "is no name"),
        (saved(np.ones((1, 1, 2), dtype=np.uint8))[:-1], "1 bytes for an array of 2"),
        (saved(np.ones((1, 1, 2), dtype=np.uint8)) + b"x", "3 bytes for an array of 2"),
        (b"\x93NUMPY\x09\x00\x00\x00", "the file's version is not known"),
        (b"\x93NUMPY\x01\x00\xff\xff{}", "the header ends early"),
        (with_header("{}"), "the header cannot be read"),
        (with_header("{'descr': '|u1', " + SHAPE.replace("(1, 1, 1)", "(" + "9" * 40 + ", 1, 1)")), "too large"),
        (with_header("{'descr': '|u1', " + SHAPE.replace("(1, 1, 1)", "(4000000, 4000000, 9)")), "cells in the box"),
        (with_header("{'descr': '|u1', " + SHAPE.replace("(1, 1, 1)", "(-1, 1, 1)")), "the header cannot be read"),
        (with_header("{'descr': '<U999999', " + SHAPE), "letters"),
        (with_header("{'descr': '<U0', " + SHAPE), "letters"),
        (with_header("{'descr': '<q', " + SHAPE), "the items are of kind q"),
        (with_header("(" * 60_000), "the header cannot be read"),
        (with_header("[" * 200_000, version=b"\x02\x00"), "the header ends early"),
    ],
)
def test_what_is_no_grid_is_refused_in_one_line(data, line):
    assert line in outcome(data)


def test_axes_that_are_none():
    with pytest.raises(FormatError, match="axes 'xxz' are not known; take one of xyz, xzy"):
        load(names_grid(), axes="xxz")


@pytest.mark.parametrize("grid", [names_grid(), np.ones((5, 5, 5, 2), np.uint8), np.ones((9, 9, 9), bool)])
def test_files_cut_short_are_one_line(grid):
    for data in cut_at_every_percent(saved(grid)):
        assert outcome(data) != "read"


@given(st.data())
def test_damaged_files_are_a_build_or_one_line(data):
    whole = bytearray(saved(data.draw(st.sampled_from([names_grid(), np.ones((3, 3, 3, 2), np.uint8)]))))
    for _ in range(data.draw(st.integers(1, 4))):
        whole[data.draw(st.integers(6, len(whole) - 1))] = data.draw(st.integers(0, 255))
    outcome(bytes(whole))


def test_more_than_is_read():
    with pytest.raises(LimitError, match="blocks"):
        load(np.ones((10, 10, 10), bool), limits=Limits(blocks=999))
    with pytest.raises(LimitError, match="different names"):
        load(np.array([f"m:b{n}" for n in range(40)]).reshape(1, 1, 40), limits=Limits(palette=30))


LARGE = {
    "numbers of one byte": "np.zeros((4000, 11, 1000), np.uint8) + (np.arange(1000, dtype=np.uint8) == 5)",
    "pairs": "np.zeros((1000, 30, 1000, 2), np.uint8)",
    "numbers of eight bytes": "np.asfortranarray(np.arange(8_000_000).reshape(200, 200, 200) % 20 * 17 % 4)",
    "names of one letter": "np.array(['a', 'b', 'c', 'd'])[np.arange(16_000_000) % 4].reshape(400, 100, 400)",
    "as many names as fit": "np.random.default_rng(1).integers(65, 50000, (400, 100, 400), np.uint32).view('<U1')",
    "names": "np.array(['air', 'air', 'air', 'oak_planks'])[np.arange(1_500_000) % 4].reshape(150, 100, 100)",
}
READ = """
import io, resource, sys, time
import numpy as np
from minece.blocks import formats
from minece.blocks.errors import MineceError
file = io.BytesIO(); np.save(file, {0}); data = file.getvalue(); del file
begin = time.process_time()
try:
    formats.read(data)
except MineceError as error:
    print(error)
assert time.process_time() - begin < 5, time.process_time() - begin
assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 1_000_000
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_the_largest_grids_stay_within_time_and_memory(name):
    done = subprocess.run([sys.executable, "-c", READ.format(LARGE[name])], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr[-500:]
