"""Designs of domes: what they draw stands while it is built, and takes only the values that they know."""

import re
from itertools import product
from typing import Any, get_args

import pytest

from minece.blocks import Build, Log
from minece.checkers import bind, evaluate
from minece.tasks import load_task
from minece.tasks.designs import draw
from minece.tasks.designs.domes import Entrance, Profile
from minece.tasks.designs.drawing import SIDES
from minece.tasks.errors import FamilyError

pytestmark = pytest.mark.slow

STANDS = [bind("grounded", {}), bind("supported_order", {})]


def drawn(**values: Any) -> Build:
    placements = draw("dome", values)
    return Build.from_log(Log.of([cell for cell, _ in placements], [state for _, state in placements]))


@pytest.mark.parametrize(("profile", "entrance"), list(product(get_args(Profile), get_args(Entrance))))
def test_domes_stand_and_are_carried_while_they_are_built(profile: str, entrance: str) -> None:
    for diameter, side in zip((5, 6, 8, 9, 12, 17, 24, 31), list(SIDES) * 2, strict=True):
        for height, drum, thick in ((diameter // 2 + 1, 0, 1), (diameter // 2 + 2, 1, 1), (diameter, 3, 2)):
            build = drawn(
                diameter=diameter,
                height=height,
                profile=profile,
                drum=drum,
                thick=thick,
                entrance=entrance,
                side=side,
                plinth=diameter % 2,
                smooth="stone_slab[type=bottom]",
            )
            for verdict in evaluate(build, STANDS):
                assert verdict.status == "pass", (diameter, height, verdict.message)
            assert len(set(map(tuple, build.log.cells.tolist()))) == len(build.log.cells), "a cell is placed once"


@pytest.mark.parametrize("side", SIDES)
def test_entrances_on_every_side_lead_in(side: str) -> None:
    for diameter, entrance in product(range(5, 11), ("open", "door", "tunnel", "porch")):
        rules = load_task(f"civil/igloos/{diameter}across-build").turns[0].rules
        build = drawn(diameter=diameter, height=diameter // 2 + 2, drum=1, side=side, entrance=entrance)
        assert [v.message for v in evaluate(build, rules) if v.status != "pass"] == []


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"diameter": 2, "height": 4}, "a dome of 2 by 4; take diameters from 3"),
        ({"diameter": 9, "height": 41}, "a dome of 9 by 41"),
        ({"diameter": 9, "height": 5, "drum": 5}, "a drum, shell, plinth or sunk floor of this size"),
        ({"diameter": 9, "height": 5, "wide": 9}, "an entrance of this size"),
        ({"diameter": 9, "height": 5, "profile": "onion"}, "give one of round, full, parabola"),
    ],
)
def test_wrong_values_are_named(values: dict[str, Any], message: str) -> None:
    with pytest.raises(FamilyError, match=re.escape(message)):
        draw("dome", values)
