"""Single rules against cases of the published benchmark, read as its records are and asked for by its function names.

Where a case contradicts what our rules mean, the rules' meaning holds and the case stands in ``OURS`` with the reason.
"""

import json
from pathlib import Path

import pytest

from minece.blocks import Build, formats
from minece.checkers import evaluate, from_paper

ROWS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "data" / "checker-cases.jsonl").read_text(encoding="utf-8").splitlines()
]

OURS = {
    "clu-04": (True, "a diameter counts cells from edge to edge, so nine in a row measure nine"),
    "siz-06": (True, "an extent is a size; that a foundation reaches below ground is for `bottom` to say"),
    "siz-18": (True, "an extent is the size of the bounding box; that something fills it is for `filled` to say"),
}


def read(blocks) -> Build:
    coords = [dict(zip(("x", "y", "z", "material"), row, strict=True)) for row in blocks]
    record = {"run_idx": 0, "turn_idx": 0, "n_turns": 1, "coords": coords}
    return formats.read(json.dumps(record).encode()).runs[0].turns[0]


def verdicts(row):
    rules = from_paper({"fn": row["checker"], "args": row["params"]})
    return evaluate(read(row["blocks"]), rules)


JUDGED = [row for row in ROWS if row["checker"] != "merge"]


@pytest.mark.parametrize("row", JUDGED, ids=lambda row: row["id"])
def test_case(row):
    expected = OURS[row["id"]][0] if row["id"] in OURS else row["expected"]
    found = verdicts(row)
    assert not [v.message for v in found if v.status in ("error", "not applicable")]
    if row["checker"] == "l1_dist":
        assert found[0].score == pytest.approx(expected)
        assert found[0].status == ("pass" if expected else "fail")
    else:
        assert all(v.status == "pass" for v in found) is expected, [v.message for v in found]


def test_our_own_answers_differ_from_the_cases():
    rows = {row["id"]: row for row in ROWS}
    assert all(rows[name]["expected"] is not answer for name, (answer, _) in OURS.items())


@pytest.mark.parametrize("row", [row for row in ROWS if row["checker"] == "merge"], ids=lambda row: row["id"])
def test_log_leaves_what_was_placed_last(row):
    build = Build.from_log(row["params"]["log"])
    assert build.log is not None
    placed = build.log.placed_at(build.blocks)
    in_order = [build.blocks.rows()[i] for i in placed.argsort()]
    assert [list(block) for block in in_order] == row["expected"]


def test_every_case_is_used():
    assert len(ROWS) == 72


def test_a_limit_on_oak_is_no_leave_to_build_of_stone():
    row = next(row for row in ROWS if row["id"] == "mat-10")
    (verdict,) = verdicts(row)
    assert (verdict.rule, verdict.measured) == ("budget", {"oak_planks": 0, "outside": len(row["blocks"])})
