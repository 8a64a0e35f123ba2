"""IGLU world states."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hostile_json import cut_at_every_percent, nested, outcome, with_wrong_values

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError

# What the file game-1-step-action of microsoft/iglu-datasets holds (whose licence is not said, so that it is not
# copied): the state, 13 blocks restored and four broken.
STANDING = [[0, y, 0, 56] for y in range(63, 68)] + [[x, 67, 0, 56] for x in range(1, 5)]
BROKEN = [[2, 65, 0], [3, 66, 0], [3, 68, 0], [2, 69, 0]]
RESTORED = sorted(STANDING + [[*cell, 56] for cell in BROKEN])
TAPE = "\n".join(
    [
        "0 action start_recover_world_state",
        *(
            f"{n} action select_and_place_block 56 {x} {y} {z} 6.9e-24 64.1 4"
            for n, (x, y, z, _) in enumerate(RESTORED)
        ),
        "14 block_change  " + " ".join(f"({x}, {y}, {z}, 0, {i})" for x, y, z, i in RESTORED),
        "14 pos_change (2.9, 65.8, 5.4)",
        "15 action finish_recover_world_state",
        *(f"{600 + n} block_change  ({x}, {y}, {z}, 56, 0)" for n, (x, y, z) in enumerate(BROKEN)),
        "",
    ]
)
STATE: dict[str, Any] = {
    "gameId": 19,
    "avatarInfo": {"pos": [2.9, 65.8, 5.4], "look": [-0.2, 0.1]},
    "worldEndingState": {"blocks": STANDING},
    "tape": TAPE,
    "clarification_question": "null",
}


def load(value: Any, **options: Any) -> Build:
    return formats.read(json.dumps(value).encode(), **options).build


def test_the_blocks_of_the_state_and_the_order_of_the_tape():
    build = load(STATE)
    assert len(build.blocks) == 9 and build.blocks.size == (5, 5, 1)
    assert build.blocks.palette == ("purple_concrete",)
    assert build.ground_y == 63 and build.blocks.low[1] == 0 and build.provenance.ground_known
    assert build.log is not None and len(build.log) == 17
    assert build.log.events()[0] == ["place", 0, 0, 0, "purple_concrete"]
    assert build.log.events()[-4:] == [["break", x, y - 63, z] for x, y, z in BROKEN]
    assert build.provenance.warnings == ("the first 13 events of the log restore what stood before",)


def test_the_state_holds_where_the_tape_says_otherwise():
    for tape in (TAPE.replace("(2, 69, 0, 56, 0)", ""), "0 block_change", "1 block_change (1, 2"):
        build = load({**STATE, "tape": tape})
        assert len(build.blocks) == 9 and build.log is None
        assert "the tape does not lead to the blocks" in build.provenance.warnings[0]


def test_a_state_without_a_tape():
    build = load({"worldEndingState": {"blocks": STANDING}})
    assert len(build.blocks) == 9 and build.log is None and "has no tape" in build.provenance.warnings[0]
    assert len(load({"worldEndingState": {"blocks": []}, "tape": "1 set_look (0, 0)"}).blocks) == 0


def test_cells_that_the_recorder_took_apart_wrongly():
    rng = random.Random(7)
    cells = [(rng.randrange(11), rng.randrange(9), rng.randrange(11)) for _ in range(40)]
    blocks = {(x - 5, y + 63, z - 5) for x, y, z in cells}
    wrong = []
    for x, y, z in sorted(blocks):
        number = (z + 5) + 11 * (y - 63) + 99 * (x + 5)
        wrong.append((number // 99 - 5, number % 99 // 9 + 63, number % 9 - 5))
    tape = "\n".join(f"{n} block_change ({x}, {y}, {z}, 0, 57)" for n, (x, y, z) in enumerate(wrong))
    build = load({"worldEndingState": {"blocks": [[*cell, 57] for cell in blocks]}, "tape": tape})
    assert build.log is not None and len(build.log) == len(blocks) == len(build.blocks)


def test_colours_of_both_versions_and_unknown_ids():
    ids = [47, 50, 56, 57, 59, 60, 86, 87, 88, 89, 90, 91, 3]
    build = load({"worldEndingState": {"blocks": [[n, 63, 0, number] for n, number in enumerate(ids)]}})
    names = [state.removesuffix("_concrete") for _, _, _, state in build.blocks.rows()]
    assert names == [
        "orange", "yellow", "purple", "blue", "green", "red", "blue", "yellow", "green", "orange", "purple", "red",
        "iglu:block_3",
    ]  # fmt: skip
    assert any("unknown blocks" in words and "iglu:block_3" in words for words in build.provenance.warnings)


def test_a_ground_of_the_user_goes_first():
    assert load(STATE, ground=64).blocks.low[1] == -1


@pytest.mark.parametrize(
    ("state", "line"),
    [
        (3, "worldEndingState: has no blocks"),
        ({"blocks": 3}, "worldEndingState.blocks: is 3, not a list of rows"),
        ({"blocks": [[0, 63, 0]]}, r"worldEndingState.blocks\[0\]: is a list of 3, not \[x, y, z, id\]"),
        ({"blocks": [[0, 63, 0, "56"]]}, r"worldEndingState.blocks\[0\]: id is '56', not a number"),
        ({"blocks": [[0, 63.5, 0, 56]]}, "y is 63.5, not a whole number"),
        ({"blocks": [[0, 63, 2**40, 56]]}, "outside"),
        ({"blocks": [[0, 63, 0, -1]]}, "id is -1"),
    ],
)
def test_wrong_states_are_named(state, line):
    with pytest.raises(FormatError, match=line):
        load({"worldEndingState": state})


def test_wrong_values_anywhere_are_one_line():
    small = {**STATE, "worldEndingState": {"blocks": STANDING[:2]}, "tape": TAPE[:600]}
    lines = [outcome(data) for data in with_wrong_values(small)]
    assert lines.count("read") > 100 and len(set(lines)) > 15


def test_files_cut_short_and_deep_ones_are_one_line():
    for data in cut_at_every_percent(json.dumps(STATE).encode()):
        assert outcome(data) != "read"
    for inner in nested(100_000):
        assert outcome(b'{"worldEndingState": ' + inner + b"}") != "read"


def test_huge_numbers_on_the_tape_are_no_changes():
    for place in ("9" * 30, "-" + "9" * 8, "99999999"):
        assert load({**STATE, "tape": f"1 block_change ({place}, {place}, {place}, 0, 56)"}).log is None
