"""The paper's result records."""

from __future__ import annotations

import json
from typing import Any

import pytest

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError, MineceError
from minece.blocks.formats.limits import Limits
from minece.blocks.items import count_items


def at(x: int, y: int, z: int, material: str) -> dict[str, Any]:
    return {"x": x, "y": y, "z": z, "material": material}


def record(run: int, turn: int, coords: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "run_idx": run,
        "turn_idx": turn,
        "n_turns": 1,
        "prompt": f"prompt {turn}",
        "checks": [{"fn": "is_ground_connected", "args": [turn]}],
        "coords": coords,
        "_comment": "",
        "builder_model": "model-a",
        **more,
    }


def lines(*records: Any) -> bytes:
    return "\n".join(map(json.dumps, records)).encode() + b"\n"


def coords(*rows: dict[str, Any]) -> Build:
    return formats.read(json.dumps(list(rows)).encode()).build


def test_lines_become_runs_of_turns():
    document = formats.read(
        lines(
            record(0, 1, [at(0, 0, 0, "stone"), at(0, 1, 0, "stone")], n_turns=2),
            record(0, 0, [at(0, 0, 0, "stone")], n_turns=2),
            record(1, 0, [at(5, -1, 5, "dirt")]),
        )
    )
    assert document.format == "records" and [run.name for run in document.runs] == ["run 0", "run 1"]
    first, second = document.runs
    assert [len(build.blocks) for build in first.turns] == [1, 2]
    assert first.prompt == ["prompt 0", "prompt 1"]
    assert first.checks == [[{"fn": "is_ground_connected", "args": [t]}] for t in (0, 1)]
    assert first.turns[1].log.first == 1 and len(first.turns[1].log.latest) == 1
    assert second.turns[0].blocks.rows() == [(5, -1, 5, "dirt")]
    found = first.turns[0].provenance
    assert found.author == "model-a" and found.ground == "y = 0, as the records place it" and found.format == "records"
    assert any("first place in the order" in warning for warning in found.warnings)
    with pytest.raises(FormatError, match="holds 2 runs, not one build"):
        _ = document.build


def test_runs_of_several_builders_in_one_file_stay_apart():
    document = formats.read(
        lines(
            record(0, 0, [at(0, 0, 0, "stone")]),
            record(0, 0, [at(0, 0, 0, "dirt")], builder_model="model-b"),
            record(0, 0, [at(0, 0, 0, "glass")], ts=17),
        )
    )
    assert [run.build.blocks.palette for run in document.runs] == [("stone",), ("glass",), ("dirt",)]


def test_a_time_in_every_line_does_not_tear_a_run_apart():
    (run,) = formats.read(lines(record(0, 0, [], ts=1), record(0, 1, [at(0, 0, 0, "stone")], ts=2))).runs
    assert [len(build.blocks) for build in run.turns] == [0, 1]


def test_files_put_together_are_taken_apart_where_the_first_turn_comes_again():
    rows = [record(0, turn, [at(i, 0, 0, "stone")]) for i in range(3) for turn in (0, 1)]
    runs = formats.read(lines(*rows)).runs
    assert [run.build.blocks.low[0] for run in runs] == [0, 1, 2] and [len(run.turns) for run in runs] == [2, 2, 2]


def test_the_order_is_that_of_the_list():
    build = coords(at(3, 0, 0, "stone"), at(1, 0, 0, "stone"), at(2, 0, 0, "stone"))
    assert [event[1] for event in build.log.events()] == [3, 1, 2]
    assert build == Build.from_log(build.log) and build.ground_y == 0


def test_cells_that_are_gone_in_a_later_turn_were_removed():
    turns = (
        formats.read(
            lines(
                record(0, 0, [at(0, -1, 0, "stone"), at(0, 0, 0, "stone"), at(1, 0, 0, "stone")]),
                record(0, 1, [at(0, 0, 0, "dirt"), at(1, 0, 0, "stone"), at(2, 0, 0, "stone")]),
            )
        )
        .runs[0]
        .turns
    )
    assert turns[1].blocks.rows() == [(0, 0, 0, "dirt"), (1, 0, 0, "stone"), (2, 0, 0, "stone")]
    assert turns[1].dug.tolist() == [[0, -1, 0]]
    assert turns[1].log.latest.events() == [
        ["break", 0, -1, 0],
        ["place", 0, 0, 0, "dirt"],
        ["place", 2, 0, 0, "stone"],
    ]


def test_air_removes_and_digs():
    build = coords(at(0, 0, 0, "stone"), at(1, -1, 0, "air"), at(2, 0, 0, "air"))
    assert build.blocks.rows() == [(0, 0, 0, "stone")] and build.dug.tolist() == [[1, -1, 0]]
    turns = (
        formats.read(
            lines(record(0, 0, [at(0, 0, 0, "stone")]), record(0, 1, [at(0, 0, 0, "air"), at(1, 0, 0, "dirt")]))
        )
        .runs[0]
        .turns
    )
    assert turns[1].blocks.rows() == [(1, 0, 0, "dirt")]


def test_a_bare_door_is_the_whole_item():
    build = coords(at(0, 0, 0, "stone"), at(1, 0, 0, "oak_door"))
    states = {row[:3]: row[3] for row in build.blocks.rows()}
    assert "half=lower" in states[1, 0, 0] and "half=upper" in states[1, 1, 0]
    items = count_items(build.blocks)
    assert items.by_item == {"stone": 1, "oak_door": 1} and len(items.halves) == 0


def test_a_bare_bed_lies_with_its_head_at_z_less_one():
    build = coords(at(1, 0, 5, "red_bed"))
    states = {row[:3]: row[3] for row in build.blocks.rows()}
    assert states[1, 0, 5].startswith("red_bed[facing=north") and "part=foot" in states[1, 0, 5]
    assert "part=head" in states[1, 0, 4]
    assert count_items(build.blocks).by_item == {"red_bed": 1}


def test_a_bare_double_plant_is_two_cells_high():
    build = coords(at(1, 0, 0, "sunflower"))
    assert [row[3] for row in build.blocks.rows()] == ["sunflower[half=lower]", "sunflower[half=upper]"]


@pytest.mark.parametrize("other", [(1, 1, 0), (1, 0, -1)])
def test_halves_that_are_both_listed_are_paired(other):
    name = "oak_door" if other[1] else "red_bed"
    build = coords(at(1, 0, 0, name), at(*other, name))
    assert len(build.blocks) == 2 and count_items(build.blocks).by_item == {name: 1}


def test_the_other_half_needs_a_free_cell():
    build = coords(at(1, 0, 0, "oak_door"), at(1, 1, 0, "stone"))
    assert len(build.blocks) == 2
    items = count_items(build.blocks)
    assert items.by_item == {"stone": 1} and items.halves.tolist() == [[1, 0, 0]]


def test_states_that_say_their_half_are_kept_as_they_are():
    build = coords(at(1, 0, 0, "oak_door[half=upper]"))
    assert len(build.blocks) == 1 and "half=upper" in build.blocks.palette[0]


def test_a_list_of_records_and_a_single_record_are_read():
    rows = [record(0, 0, [at(0, 0, 0, "stone")]), record(1, 0, [])]
    assert len(formats.read(json.dumps(rows, indent=1).encode()).runs) == 2
    assert formats.read(json.dumps(rows[0]).encode()).build.blocks.rows() == [(0, 0, 0, "stone")]
    assert formats.read(json.dumps(rows[0], indent=1).encode()).build.blocks.rows() == [(0, 0, 0, "stone")]


def test_nothing_built_is_a_build():
    for data in (b"[]", lines(record(0, 0, [])), lines({"coords": []})):
        build = formats.read(data).build
        assert len(build.blocks) == 0 and "holds no block" in build.provenance.warnings


def test_missing_turns_are_told():
    build = formats.read(lines(record(0, 0, [at(0, 0, 0, "stone")], n_turns=3))).build
    assert "1 of 3 turns are there" in build.provenance.warnings


def test_ground_given_by_the_user_goes_first():
    data = json.dumps([at(0, 5, 0, "stone")]).encode()
    assert formats.read(data, ground=5).build.blocks.rows() == [(0, 0, 0, "stone")]
    assert formats.read(data, hint="top").build.blocks.rows() == [(0, 5, 0, "stone")]


GOOD = record(0, 0, [at(0, 0, 0, "stone")])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (
            lines(GOOD, record(0, 1, []), record(0, 1, [])),
            "turn 1 of run 0 comes twice (line 2 and line 3); leave one of them out",
        ),
        (lines(GOOD, {"a": 1}), "line 2: is no record"),
        (lines(GOOD) + b"{oops\n", "line 2, column 2: is no valid JSON"),
        (lines(GOOD, record("0", 0, [])), "line 2, run_idx: is '0', not a whole number"),
        (lines(GOOD, record(1, None, [])), "line 2, turn_idx: is null, not a whole number"),
        (lines(GOOD, {"run_idx": 2}), "line 2, coords: is missing"),
        (lines(GOOD, record(1, 0, 3)), "line 2, coords: is 3, not a list"),
        (lines(GOOD, record(1, 0, [at(0, 0, 0, "dirt"), {"x": 1}])), "line 2, coords[1]: is not {"),
        (lines(GOOD, record(1, 0, [at(0.5, 0, 0, "dirt")])), "line 2, coords[0]: x is 0.5, not a whole number"),
        (lines(GOOD, record(1, 0, [at(0, 0, 0, 5)])), "line 2, coords[0]: the material is 5, not text"),
        (lines(GOOD, record(1, 0, [at(0, 0, 0, "A B")])), "line 2, coords[0]: 'A B' is no block state"),
        (lines(GOOD, record(1, 0, [], checks=3)), "line 2, checks: is no list of checks"),
        (json.dumps([GOOD, 3]).encode(), "[1]: is no record"),
        (json.dumps([at(0, 0, 0, "stone"), 3]).encode(), "coords[1]: is not {"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(data, message):
    with pytest.raises(MineceError) as found:
        formats.read(data, name="results.jsonl")
    line = str(found.value)
    assert line.startswith("results.jsonl: ") and message in line and "\n" not in line


def test_caps():
    with pytest.raises(LimitError, match="3 records, more than the 2"):
        formats.read(lines(*(record(i, 0, []) for i in range(3))), limits=Limits(turns=2))


def test_records_are_not_written(tmp_path):
    with pytest.raises(FormatError, match="format 'records' cannot be written; take one of json, schem"):
        formats.write(Build.from_blocks([]), tmp_path / "a", format="records")
