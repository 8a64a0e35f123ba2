"""Designs of bridges: every form is a bridge over the whole grid of rivers and boats, toward all four sides."""

from itertools import product
from typing import Any, get_args

import pytest

from minece.blocks import Build, Log
from minece.checkers import BoundRule, bind, evaluate
from minece.tasks import load_task, reference
from minece.tasks.designs import draw
from minece.tasks.designs.bridges import Approach, Form, Kind, undersides
from minece.tasks.designs.drawing import SIDES
from minece.tasks.errors import FamilyError

GRID = list(product((10, 13, 17, 20), (3, 4, 5)))
ORDER = [bind("supported_order", {})]


def drawn(name: str, **values: Any) -> Build:
    placements = draw(name, values)
    return Build.from_log(Log.of([cell for cell, _ in placements], [state for _, state in placements]))


def rules_of(family: str, river: int, boat: int) -> list[BoundRule]:
    return [*load_task(f"civil/{family}/river{river}-boat{boat}-build").turns[0].rules, *ORDER]


def wrong(build: Build, rules: list[BoundRule]) -> list[str]:
    return [f"{v.rule}: {v.message}" for v in evaluate(build, rules) if v.status != "pass"]


@pytest.mark.parametrize("form", get_args(Form))
def test_arches_of_every_form_over_the_whole_grid(form: str) -> None:
    for (river, boat), toward in zip(GRID, list(SIDES) * 3, strict=True):
        rules = rules_of("arch-bridges", river, boat)
        for spandrel in ("solid", "open"):
            build = drawn("arch-bridge", river=river, boat=boat, form=form, spandrel=spandrel, toward=toward)
            assert not wrong(build, rules), (river, boat, spandrel)


@pytest.mark.parametrize(("kind", "approach"), list(zip(get_args(Kind), (*get_args(Approach), "stairs"), strict=True)))
def test_beams_of_every_kind_over_the_whole_grid(kind: str, approach: str) -> None:
    for (river, boat), toward in zip(GRID, list(SIDES) * 3, strict=True):
        build = drawn("beam-bridge", river=river, level=boat + 1, width=4, kind=kind, approach=approach, toward=toward)
        assert not wrong(build, rules_of("bridges", river, boat)), (river, boat)


def test_beams_are_no_arches_and_flat_arches_no_beams() -> None:
    beam = drawn("beam-bridge", river=13, level=4)
    assert [text.split(":")[0] for text in wrong(beam, rules_of("arch-bridges", 13, 4))] == ["arch"]
    arch = drawn("arch-bridge", river=13, boat=4, form="ellipse")
    assert [text.split(":")[0] for text in wrong(arch, rules_of("bridges", 13, 4))] == ["clear_span"]


@pytest.mark.parametrize(("river", "boat"), GRID)
def test_a_cell_less_or_a_block_lower_is_told(river: int, boat: int) -> None:
    short = drawn("beam-bridge", river=river - 1, level=boat)
    assert [text.split(":")[0] for text in wrong(short, rules_of("bridges", river, boat))] == ["clear_span"]
    low = drawn("beam-bridge", river=river, level=boat - 1)
    assert [text.split(":")[0] for text in wrong(low, rules_of("bridges", river, boat))] == ["clearance"]


def test_the_flattest_ellipse_rises_by_one_block_and_is_level_over_half_of_the_gap() -> None:
    for river, boat in GRID:
        free = undersides(river, boat, "ellipse")
        assert max(free) - min(free) == 2
        assert 2 * free.count(max(free)) in (river, river - 1, river - 2, river - 3)


@pytest.mark.parametrize(
    ("name", "values", "said"),
    [
        ("arch-bridge", {"river": 4, "boat": 5}, "no boat of 5 passes"),
        ("arch-bridge", {"river": 100, "boat": 5}, "river 100; take 3 to 60"),
        ("beam-bridge", {"river": 10, "level": 0}, "level 0; take 1 to 40"),
        ("beam-bridge", {"river": 10, "level": 3, "width": 16}, "width 16; take 1 to 15"),
        ("small-arch", {"under": [1, 2, 1], "over": [2, 1, 2], "ends": [2], "width": 2}, "heights of the arch"),
        ("small-arch", {"under": [1, 2, 1], "over": [2, 2], "ends": [2], "width": 2}, "heights of the arch"),
    ],
)
def test_values_that_make_no_bridge_are_named(name: str, values: dict[str, Any], said: str) -> None:
    with pytest.raises(FamilyError, match=said):
        draw(name, values)


@pytest.mark.parametrize("abutments", ["wide2-abutments2x2", "wide2-abutments2x3", "wide3-abutments3x3"])
def test_the_stable_arch_of_the_reference_has_full_score_wherever_it_stands(abutments: str) -> None:
    task = load_task(f"civil/stable-arch/{abutments}-build")
    (build,) = reference(task)
    for other in (build, build.turned(1), build.mirrored("x"), build.turned(2).mirrored("z"), build.translated(-7, 31)):
        verdicts = evaluate(other, task.turns[0].rules)
        assert {(verdict.status, verdict.score) for verdict in verdicts} == {("pass", 1.0)}
        stress = next(verdict for verdict in verdicts if verdict.rule == "stress")
        assert isinstance(stress.measured, dict)
        assert 0.5 < float(str(stress.measured["score_vs_best"])) < 1
