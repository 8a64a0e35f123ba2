"""MINDcraft's blueprints and constructions."""

from __future__ import annotations

import csv
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hostile_json import cut_at_every_percent, nested, outcome, with_wrong_values
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError, MineceError
from minece.blocks.formats.limits import Limits
from minece.blocks.parts import label_by_faces

REAL = Path(__file__).parents[2] / "data" / "real"
ROWS = {row["file"]: row for row in csv.DictReader((REAL / "files.csv").read_text().splitlines())}

LEVELS = [
    {"level": 0, "coordinates": [10, 64, -5], "placement": [["stone", "air", ""], ["oak_stairs[facing=east]", None]]},
    {"level": 1, "coordinates": [10, 65, -5], "placement": [["glass"]]},
]
TASKS = {
    "hut": {"goal": "build it", "blueprint": {"materials": {"stone": 1}, "levels": LEVELS}},
    "shed": {"blueprint": {"levels": [{"level": 0, "coordinates": [0, 0, 0], "placement": [["dirt"]]}]}},
    "chat": {"goal": "talk"},
}
HOUSE = {"name": "den", "offset": -1, "blocks": [[["", "planks"], ["air", "dirt"]], [["log", "bed"], ["air", "bed"]]]}


def load(value: Any, **options: Any) -> Build:
    return formats.read(json.dumps(value).encode(), **options).build


def states(build: Build) -> dict[tuple[int, int, int], str]:
    return {(x, y, z): state for x, y, z, state in build.blocks.rows()}


def at(layers: list[list[list[str]]], **options: Any) -> dict[tuple[int, int, int], str]:
    return states(load({"offset": 0, "blocks": layers}, **options))


def test_a_level_lies_along_x_and_its_rows_along_z():
    build = load({"blueprint": {"levels": LEVELS}})
    assert states(build) == {
        (10, 0, -5): "stone",
        (10, 0, -4): "oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]",
        (10, 1, -5): "glass",
    }
    assert build.ground_y == 64 and build.provenance.ground_known and build.provenance.box == (3, 2, 2)


@pytest.mark.parametrize("value", [{"levels": LEVELS}, {"goal": "…", "blueprint": {"levels": LEVELS}}])
def test_a_blueprint_and_a_task_alone_are_read_too(value):
    assert load(value).blocks == load({"hut": TASKS["hut"]}).blocks


def test_each_task_of_a_file_is_a_run():
    found = formats.read(json.dumps(TASKS).encode())
    assert found.format == "blueprint" and [run.name for run in found.runs] == ["hut", "shed"]
    assert [len(run.build.blocks) for run in found.runs] == [3, 1]


def test_a_construction_stands_at_its_offset_and_clears_the_ground():
    build = load(HOUSE)
    assert states(build) == {
        (1, -1, 0): "oak_planks",
        (1, -1, 1): "dirt",
        (0, 0, 0): "oak_log[axis=y]",
        (1, 0, 0): "white_bed[facing=north,occupied=false,part=head]",
        (1, 0, 1): "white_bed[facing=north,occupied=false,part=foot]",
    }
    assert build.dug.tolist() == [[0, -1, 1]] and build.ground_y == 0 and build.provenance.name == "den"
    assert "taken as oak and white: bed, log, planks" in build.provenance.warnings[0]


def test_the_ground_may_be_named_by_the_user():
    raised = load(HOUSE, ground=1)
    assert raised.blocks.high[1] == -1 and raised.provenance.ground == "y = 1, as given"
    assert len(raised.dug) == 2


def test_doors_are_whole():
    found = at([[["door"]], [["door"]], [["door"]], [["door"]]])
    halves = [state.split("half=")[1].split(",")[0] for _, state in sorted(found.items())]
    assert halves == ["lower", "upper", "lower", "upper"]
    assert "facing=north" in at([[["stone", "oak_door", "stone"]]])[1, 0, 0]
    assert "facing=east" in at([[["stone"], ["oak_door"], ["stone"]]])[0, 0, 1]


def test_beds_are_whole_along_x_too():
    found = at([[["red_bed", "red_bed"]]])
    assert "part=head" in found[0, 0, 0] and "part=foot" in found[1, 0, 0]
    assert all("facing=west" in state for state in found.values())
    assert "part=foot" in at([[["red_bed"]]])[0, 0, 0]


def test_torches_and_ladders_hang_where_they_can():
    assert at([[["stone"]], [["torch"]]])[0, 1, 0] == "torch"
    assert at([[["stone", "torch"]]])[1, 0, 0] == "wall_torch[facing=east]"
    assert at([[["ladder", "stone"]]])[0, 0, 0] == "ladder[facing=west,waterlogged=false]"
    assert at([[["torch", "torch"]]])[0, 0, 0] == "torch"


def test_fences_are_joined_unless_the_name_says_how():
    found = at([[["oak_fence", "oak_fence"], ["oak_fence[east=true]", ""]]])
    assert "east=true" in found[0, 0, 0] and "west=true" in found[1, 0, 0] and "south=true" in found[0, 0, 0]
    assert "north=false" in found[0, 0, 1] and "east=true" in found[0, 0, 1]


def test_unknown_names_stay_as_unknown_blocks():
    build = load({"offset": 0, "blocks": [[["wood_thing", "stone"]]]})
    assert len(build.blocks) == 2 and "unknown blocks, taken as full cubes: wood_thing" in build.provenance.warnings


def test_a_cell_that_comes_twice_holds_what_came_last():
    level = {"level": 0, "coordinates": [0, 0, 0], "placement": [["stone"]]}
    build = load({"levels": [level, {**level, "placement": [["glass"]]}]})
    assert states(build) == {(0, 0, 0): "glass"}
    assert "1 cells were overruled by a later entry for the same cell" in build.provenance.warnings


@pytest.mark.parametrize("name", ["j06-pyramid.json", "j08-small_wood_house.json"])
def test_counts_of_real_files(name):
    row, build = ROWS[name], formats.read(REAL / name).build
    assert len(build.blocks) == int(row["nonair_blocks"])
    assert build.provenance.box is not None
    assert "x".join(map(str, build.provenance.box)) == row["dims_xyz"]


def test_the_pyramid():
    row, build = ROWS["j06-pyramid.json"], formats.read(REAL / "j06-pyramid.json").build
    blocks = build.blocks
    assert len(blocks.palette) == int(row["block_types_used"]) and build.ground_y == -60
    assert label_by_faces(blocks, np.ones(len(blocks), dtype=bool)).max() == int(row["components_6"])
    assert int((blocks.cells[:, 1] == 0).sum()) == int(row["blocks_in_lowest_layer"])
    wanted = json.loads((REAL / "j06-pyramid.json").read_text())["pyramid"]["blueprint"]["materials"]
    names = [blocks.table.material[i] for i in blocks.index.tolist()]
    assert {name: names.count(name) for name in set(names)} == wanted


def test_the_wooden_house():
    # The table counts the names of the file (planks 55, log 8 …); its six kinds are eleven states here.
    build = formats.read(REAL / "j08-small_wood_house.json").build
    names = [build.blocks.table.material[i] for i in build.blocks.index.tolist()]
    counts = {name: names.count(name) for name in set(names)}
    assert counts == {
        "oak_planks": 55, "oak_log": 8, "torch": 1, "wall_torch": 3, "white_bed": 2, "oak_door": 2, "chest": 1,
    }  # fmt: skip
    assert build.blocks.low[1] == -1 and len(build.dug) == 0


@pytest.mark.parametrize("value", [TASKS, HOUSE, {"levels": LEVELS}])
def test_wrong_values_anywhere_are_one_line(value):
    lines = [outcome(data) for data in with_wrong_values(value)]
    assert "read" in lines and len({line for line in lines if line != "read"}) > 20


@pytest.mark.parametrize("name", ["j06-pyramid.json", "j08-small_wood_house.json"])
def test_files_cut_short_are_one_line(name):
    lines = [outcome(data) for data in cut_at_every_percent((REAL / name).read_bytes())]
    assert "read" not in lines


def test_deep_nesting_is_refused():
    for data in nested(100_000):
        assert "nested deeper" in outcome(data)
    for inner in nested(100):
        assert outcome(b'{"offset": 0, "blocks": [[[' + inner + b"]]]}") != "read"


@given(st.recursive(st.sampled_from(["stone", "door", "bed", "air", "", None, 3]), lambda inner: st.lists(inner)))
def test_any_nesting_is_a_build_or_one_line(layers):
    outcome(json.dumps({"offset": -1, "blocks": layers}).encode())
    outcome(json.dumps({"levels": [{"coordinates": [0, 0, 0], "placement": layers}]}).encode())


def test_places_are_named():
    with pytest.raises(FormatError, match=r"levels\[0\].coordinates\[0\]: x is 1.5, not a whole number"):
        load({"levels": [{"level": 0, "coordinates": [0.5 + 1, 0, 0], "placement": []}]})
    with pytest.raises(FormatError, match=r"blocks\[0\]\[0\]\[1\]: is 3, not a name"):
        load({"offset": 0, "blocks": [[["stone", 3]]]})
    with pytest.raises(MineceError, match="outside"):
        load({"offset": 2**29, "blocks": [[["stone"]], [["stone"]]]})


def test_large_grids_are_refused_and_doors_in_a_row_take_no_longer():
    with pytest.raises(LimitError, match="cells"):
        load({"offset": 0, "blocks": [[["stone"] * 11]]}, limits=Limits(blocks=10))
    begin = time.process_time()
    load({"offset": 0, "blocks": [[["red_bed"] * 200] * 200] * 5})
    assert time.process_time() - begin < 5
