"""Event logs of CraftAssist's houses."""

from __future__ import annotations

import io
import json
from typing import Any

import numpy as np
import pytest
from hostile_json import cut_at_every_percent, nested, outcome, with_wrong_values

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats.limits import Limits

EVENTS: list[list[Any]] = [
    [1000, "ann", [10, 63, -5], [5, 1], "P"],
    [1001, "ann", [11, 63, -5], [5, 1], "P"],
    [1004, "ann", [11, 64, -5], [85, 0], "P"],
    [1005.5, "ann", [12.0, 64, -5], [85, 0], "P"],
    [1006, "ann", [10, 63, -5], [5, 1], "B"],
    [1007, "ann", [14, 63, -5], [64, 1], "P"],
    [1007, "ann", [14, 64, -5], [64, 9], "P"],
]


def load(events: Any, **options: Any) -> Build:
    return formats.read(json.dumps(events).encode(), **options).build


def test_places_and_breaks_become_the_log():
    build = load(EVENTS)
    assert build.log is not None and len(build.log) == 7 and build.log.who == "ann"
    assert build.log.time is not None and build.log.time.tolist() == [0, 1, 4, 5.5, 6, 7, 7]
    assert build.log.events()[4] == ["break", 10, 0, -5]
    assert build.ground_y == 63 and not build.provenance.ground_known and build.provenance.format == "craftassist"
    materials = [(x, y, z, state.partition("[")[0]) for x, y, z, state in build.blocks.rows()]
    assert materials == [
        (11, 0, -5, "spruce_planks"),
        (11, 1, -5, "oak_fence"),
        (12, 1, -5, "oak_fence"),
        (14, 0, -5, "oak_door"),
        (14, 1, -5, "oak_door"),
    ]


def test_what_stands_is_joined_to_its_neighbours():
    found = {(x, y): state for x, y, _, state in load(EVENTS).blocks.rows()}
    assert "east=true" in found[11, 1] and "west=true" in found[12, 1]
    # Facing stands in the lower half of a door and the hinge in the upper one.
    assert found[14, 0] == "oak_door[facing=south,half=lower,hinge=right,open=false,powered=false]"
    assert found[14, 1] == "oak_door[facing=south,half=upper,hinge=right,open=false,powered=false]"


def test_log_and_grid_of_a_house_are_one_build():
    """The data set has the finished house beside its log, as an array by y, z and x of ids and data values."""
    build = load(EVENTS)
    grid = np.zeros((2, 1, 5, 2), dtype=np.uint8)
    for _, _, (x, y, z), kind, action in EVENTS:
        grid[y - 63, z + 5, int(x) - 10] = kind if action == "P" else 0
    file = io.BytesIO()
    np.save(file, grid)
    assert formats.read(file.getvalue()).build.id == build.id


def test_digging_below_the_ground_is_kept():
    events = [*EVENTS, [1010, "ann", [10, 62, -5], [2, 0], "B"]]
    assert load(events).dug.tolist() == [[10, -1, -5]]
    assert load(events, ground=64).dug.tolist() == [[10, -2, -5], [10, -1, -5]]


def test_several_players_and_times_that_run_backwards():
    events = [EVENTS[0], [3, "bob", [11, 63, -5], [1, 0], "P"]]
    build = load(events)
    assert build.log is not None and build.log.who == "" and build.log.time is None
    assert "2 players built; who placed which block is not kept" in build.provenance.warnings


def test_numbers_of_no_block_stay_as_unknown_blocks():
    build = load([[1, "a", [0, 0, 0], [254, 3], "P"], [2, "a", [1, 0, 0], [3, 0], "P"]])
    assert build.blocks.rows()[0][3] == "legacy:254_3"
    assert any("legacy:254_3" in words for words in build.provenance.warnings)


def test_blocks_far_apart_are_not_joined_and_not_lost():
    build = load([[1, "a", [0, 0, 0], [85, 0], "P"], [2, "a", [10**8, 10, 10**8], [85, 0], "P"]])
    assert len(build.blocks) == 2 and any("far apart" in words for words in build.provenance.warnings)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ([1, "a", [0, 0, 0], [1, 0], "X"], r"\[1\]: the action is 'X'"),
        ([1, "a", [0, 0], [1, 0], "P"], r"\[1\]: holds a list, not 3 numbers"),
        ([1, "a", [0, 0, 0], [1], "P"], r"\[1\]: holds a list, not 2 numbers"),
        ([1, "a", [0, 0, 0], [-1, 0], "P"], r"\[1\]: \[-1, 0\] is no id"),
        ([1, "a", [0, 0, 0], [1, 16], "P"], r"\[1\]: \[1, 16\] is no id"),
        ([1, "a", [0, 0, 0], [5000, 0], "P"], r"\[1\]: \[5000, 0\] is no id"),
        ([1, "a", [0, 0.5, 0], [1, 0], "P"], "y is 0.5, not a whole number"),
        ([1, "a", [2**40, 0, 0], [1, 0], "P"], "outside"),
        ([1, "a", [0, 0, 0], [1, 0]], r"\[1\]: is a list of 4"),
    ],
)
def test_wrong_events_are_named(event, line):
    with pytest.raises(FormatError, match=line):
        load([EVENTS[0], event])


def test_wrong_values_anywhere_are_one_line():
    lines = [outcome(data) for data in with_wrong_values(EVENTS[:3])]
    assert lines.count("read") > 50 and len(set(lines)) > 20


def test_files_cut_short_and_deep_ones_are_one_line():
    for data in cut_at_every_percent(json.dumps(EVENTS).encode()):
        assert outcome(data) != "read"
    for inner in nested(100):
        assert outcome(b'[[1, "a", ' + inner + b', [1, 0], "P"]]') != "read"


def test_too_many_events():
    with pytest.raises(LimitError, match="events"):
        load(EVENTS, limits=Limits(blocks=6))
