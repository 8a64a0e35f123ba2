"""Whole builds of other people for these tasks: the verdict over each, and the criteria that fail."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from minece.blocks import Build
from minece.results import Score, score
from minece.tasks import Task, load_task, tasks

DATA = Path(__file__).parents[1] / "data"


def _cases() -> Iterator[Any]:
    for path in sorted(DATA.glob("builds-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield pytest.param(row, id=row["id"])


def _task(row: dict[str, Any]) -> Task:
    p = row["params"]
    match row["family"]:
        case "shallow":
            return load_task(f"elements/shallow/{p['length']}x{p['width']}x{p['depth']}-lay")
        case "deep":
            length, width = p["cap"]
            return load_task(f"elements/deep/{length}x{width}x{p['cap_thickness']}-{p['piles']}piles-lay")
        case "walls":
            return load_task(f"elements/walls/{p['width']}x{p['thickness']}x{p['height']}-build")
        case "roofs":
            long, wide = p["roof"]
            name = f"{long}x{wide}-{p['columns']}columns-{p['column_height']}high-build"
            return load_task(f"elements/roofs/{name}")
        case "basic-house":
            return load_task(f"buildings/basic-house/{p['roof']}-roof-build")
        case "rooms" | "beds" as family:
            return load_task(f"buildings/{family}/{p[family]}{family}-house")
        case "asymmetry" | "ceilings" as family:
            kind = p["variant"]
            return load_task(f"architecture/{family}/{p.get(kind, '')}{kind}-build")
        case "revise-2":
            first, second = p["rooms"]
            return load_task(f"management/revise-2/{first}to{second}rooms")
        case "frames":
            return load_task(f"elements/frames/{p['storeys']}storeys-build")
        case "storeys":
            return load_task(f"buildings/storeys/{p['storeys']}storeys-build")
        case "step-free-house":
            return load_task(f"architecture/step-free-house/{p['rooms']}rooms-{p['beds']}beds-steps-build")
        case "theatre":
            return load_task(f"architecture/theatre/{p['seats']}seats-build")
        case "bridges" | "arch-bridges" as family:
            return load_task(f"civil/{family}/river{p['river']}-boat{p['boat']}-build")
        case "plan-2":
            return load_task("management/plan-2/foundation-frame-floor-ceiling")
        case "largest-cabin":
            return load_task(f"management/largest-cabin/{p['stock']['oak_planks']}planks-largest")
        case "domes" | "igloos":
            family = "igloos" if p["entrance"] else "domes"
            return load_task(f"civil/{family}/{p['diameter']}across-build")
        case family:
            return load_task(f"management/{family}/foundation-columns-walls-ceiling")


def _score(row: dict[str, Any], task: Task) -> Score:
    return score(Build.from_turns(row["turns"]), task)


@pytest.mark.parametrize("row", list(_cases()))
def test_builds_get_the_expected_verdict(row: dict[str, Any]) -> None:
    found = _score(row, _task(row))
    failing = {name for name, passed in found.criteria.items() if passed is False}
    assert found.errors == 0
    assert found.overall is (row["expect"] == "pass"), failing
    if row["expect"] == "pass":
        assert not failing
    for criterion in row["criteria"]:
        assert failing & set(criterion.split("|")), (criterion, failing)


@pytest.mark.parametrize("row", [case for case in _cases() if case.values[0]["family"] in ("plan-1", "plan-2")])
def test_the_order_of_mention_changes_nothing(row: dict[str, Any]) -> None:
    """One build has one answer under all 24 wordings."""
    wordings = [task for task in tasks("core") if task.family == row["family"]]
    assert len(wordings) == 24
    assert {_score(row, task).overall for task in wordings} == {row["expect"] == "pass"}
