"""Faults of other tools, one test a row of their list: the input of the row and what is right.

The rows on numeric ids and on worlds stand in the tests of those formats.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib
from itertools import permutations

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from voxel_files import cells, litematic, region, sponge, structure

from minece.blocks import Build, formats
from minece.blocks.errors import MineceError
from minece.blocks.formats import nbt
from minece.blocks.items import count_items

WRITERS = [form.name for form in formats.FORMATS if form.write is not None]
GOLD = ["minecraft:air", "minecraft:gold_block", "minecraft:stone"]


def load(data: bytes, **options: object) -> Build:
    return formats.read(data, **options).build  # type: ignore[arg-type]


def in_a_box(size: tuple[int, int, int], states: list[str], numbers: list[int]) -> list[bytes]:
    """The same cells, in order y, z, x, as every kind of voxel file."""
    width, height, length = size
    places = [(x, y, z) for y in range(height) for z in range(length) for x in range(width)]
    return [
        sponge(size, states, numbers, version=1, PaletteMax=None),
        sponge(size, states, numbers),
        sponge(size, states, numbers, version=3),
        litematic({"a": region((0, 0, 0), size, states, numbers)}),
        structure(size, states, [(*place, number) for place, number in zip(places, numbers, strict=True)]),
    ]


def components(build: Build) -> int:
    block, face = np.nonzero(build.blocks.neighbours >= 0)
    graph = coo_array(
        (np.ones(len(block)), (block, build.blocks.neighbours[block, face])), shape=(len(build.blocks),) * 2
    )
    return int(connected_components(graph, directed=False)[0])


def test_r01_palette_indexes_of_two_bytes():
    states = [f"some_mod:state_{i}" for i in range(130)]
    for data in in_a_box((130, 1, 1), states, list(range(130))):
        build = load(data)
        assert build.blocks.rows() == [(i, 0, 0, states[i]) for i in range(130)]
        assert len(build.blocks.palette) == 130


def test_r02_palette_and_data_in_a_sub_compound():
    states = ["minecraft:stone", "minecraft:air"]
    third, second = (load(sponge((2, 1, 1), states, [0, 1], version=version)) for version in (3, 2))
    assert third.blocks.rows() == [(0, 0, 0, "stone")] and third == second and third.id == second.id


def test_r03_a_root_that_only_holds_the_schematic():
    data = sponge((2, 1, 1), ["minecraft:stone", "minecraft:air"], [0, 1], version=3)
    assert list(nbt.read(nbt.unpack(data))[1]) == ["Schematic"]
    assert load(data).provenance.version == "3"


def test_r05_the_offset_of_the_third_version():
    data = sponge((1, 1, 1), ["stone"], [0], version=3, Offset=np.array([5, -3, 7], dtype=np.int32))
    assert "WEOffsetX" not in nbt.read(nbt.unpack(data))[1]["Schematic"].get("Metadata", {})
    assert load(data).provenance.offset == (5, -3, 7)


def test_r08_negative_sizes_of_a_region():
    # 3x2x3 with gold at the lowest corner; the stone shows that nothing is turned.
    numbers = cells((3, 2, 3), {(0, 0, 0): 1, (2, 0, 1): 2})
    build = load(litematic({"a": region((10, 20, 30), (-3, -2, -3), GOLD, numbers)}))
    assert build.provenance.box == (3, 2, 3)
    assert build.blocks.rows() == [(0, 0, 0, "gold_block"), (2, 0, 1, "stone")]


def test_r09_cells_between_two_regions():
    data = litematic({
        "A": region((0, 0, 0), (2, 1, 1), GOLD, [1, 1]),
        "B": region((5, 0, 0), (2, 1, 1), GOLD, [2, 2]),
    })  # fmt: skip
    build = load(data)
    assert [row[0] for row in build.blocks.rows()] == [0, 1, 5, 6] and components(build) == 2
    assert len(load(data, ground=1).dug) == 0


def test_r16_plain_gzip_and_zlib():
    for data in in_a_box((3, 2, 2), GOLD, [1, 0, 2, 2, 1, 0, 0, 0, 2, 1, 1, 1]):
        raw = nbt.unpack(data)
        plain, packed, deflated = (load(found) for found in (raw, gzip.compress(raw), zlib.compress(raw)))
        assert plain == packed == deflated and len(plain.blocks) == 8


def test_r18_damaged_uploads(tmp_path):
    formats.write(Build.from_blocks([(0, 0, 0, "stone"), (0, 1, 0, "oak_planks")]), tmp_path / "good.nbt")
    whole = (tmp_path / "good.nbt").read_bytes()
    bad = {"half.nbt": whole[: len(whole) // 2], "words.nbt": b"these are words", "empty.nbt": b""}
    for name, data in bad.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(MineceError) as found:
            formats.read(path)
        assert str(found.value).startswith(f"{path}: ") and "\n" not in str(found.value)
        done = subprocess.run([sys.executable, "-m", "minece", "score", str(path)], capture_output=True, text=True)
        assert done.returncode == 2 and done.stdout == "", done.stdout
        assert done.stderr.count("\n") == 1 and str(path) in done.stderr


@pytest.mark.parametrize("name", WRITERS)
def test_r25_export_import_export(name, tmp_path):
    states = ["stone", "oak_planks", "oak_slab[type=top]", "oak_stairs[facing=west]", "glass"]
    build = Build.from_blocks(
        [(x, y, z, states[(x + 3 * y + z) % 5]) for x in range(3) for y in range(3) for z in range(3)]
    )
    copies, files = [build], []
    for _ in range(3):
        formats.write(copies[-1], tmp_path / "copy", format=name)
        files.append((tmp_path / "copy").read_bytes())
        copies.append(formats.read(tmp_path / "copy").build)
    second, third = copies[2], copies[3]
    assert second.blocks == third.blocks == build.blocks and second.blocks.size == third.blocks.size == (3, 3, 3)
    assert second.id == third.id == build.id and len(build.blocks.palette) == 5
    assert files[1] == files[2]


def test_r26_brackets_are_properties():
    for data in in_a_box((1, 1, 1), ["minecraft:oak_stairs[facing=west]"], [0]):
        blocks = load(data).blocks
        assert blocks.table.material == ("oak_stairs",) and "facing=west" in blocks.palette[0]


def test_r28_a_state_without_its_default_properties():
    states = [
        "minecraft:stone_slab[type=bottom]",
        "minecraft:stone_slab[type=bottom,waterlogged=false]",
        "minecraft:stone_slab[waterlogged=false,type=bottom]",
    ]
    for data in in_a_box((3, 1, 1), states[:2] + ["minecraft:stone"], [0, 1, 2]):
        build = load(data)
        assert build.blocks.palette == ("stone", "stone_slab[type=bottom,waterlogged=false]")
        assert not build.provenance.warnings
    assert len({load(sponge((1, 1, 1), [state], [0])).id for state in states}) == 1


def test_r29_renamed_blocks():
    old, new = (
        ["stone", grass, "oak_planks", path] for grass, path in (("grass", "grass_path"), ("short_grass", "dirt_path"))
    )
    builds = [load(data) for states in (old, new) for data in in_a_box((4, 1, 1), states, [0, 1, 2, 3])]
    assert len({build.id for build in builds}) == 1
    assert set(builds[0].blocks.table.material) == {"stone", "short_grass", "oak_planks", "dirt_path"}


def test_r31_double_slabs():
    states = ["minecraft:oak_slab[type=double]", "minecraft:oak_slab[type=bottom]"]
    for data in in_a_box((3, 1, 1), states, [0, 0, 1]):
        build = load(data)
        assert count_items(build.blocks).by_item == {"oak_slab": 5} and len(build.blocks) == 3
        double = next(info for info in build.blocks.table.info if "type=double" in info.state)
        assert double.boxes == ((0.0, 0.0, 0.0, 1.0, 1.0, 1.0),)


def test_r33_no_block_here():
    data = structure((3, 1, 1), ["minecraft:stone", "minecraft:structure_void"], [(0, 0, 0, 0), (2, 0, 0, 1)])
    assert load(data).blocks.rows() == [(0, 0, 0, "stone")]
    buried = load(data, ground=1)
    assert len(buried.blocks) == 1 and len(buried.dug) == 0 and buried.air is not None and not len(buried.air)


def test_r35_every_air():
    states = ["minecraft:air", "minecraft:cave_air", "minecraft:void_air", "minecraft:stone"]
    for data in in_a_box((4, 1, 1), states, [0, 1, 2, 3]):
        assert load(data).blocks.rows() == [(3, 0, 0, "stone")]


@pytest.mark.parametrize("size", list(permutations((2, 3, 5))))
def test_r37_strides(size):
    gold = {(1, 2, 4), (0, 1, 3)} if size == (2, 3, 5) else {tuple(side - 1 for side in size), (0, 1, size[2] - 2)}
    numbers = cells(size, {**dict.fromkeys(gold, 1), (0, 0, 0): 2})
    wanted = {(*cell, "gold_block") for cell in gold} | {(0, 0, 0, "stone")}
    for data in in_a_box(size, GOLD, numbers):
        assert set(load(data).blocks.rows()) == wanted
