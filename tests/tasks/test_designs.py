"""Designs: what they draw holds together, is carried while it is built, and takes only the values that they know."""

import re
from itertools import product
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest

from minece.blocks import Build, Log
from minece.blocks.items import count_items
from minece.checkers import bind, evaluate
from minece.tasks.commands import Command, run
from minece.tasks.designs import Drawing, designs, draw
from minece.tasks.designs.houses import STYLES, Layout, StyleName
from minece.tasks.errors import FamilyError
from minece.tasks.expressions import Expression

STANDS = [bind("grounded", {}), bind("supported_order", {})]


def drawn(name: str, **values: Any) -> Build:
    placements = draw(name, values)
    return Build.from_log(Log.of([cell for cell, _ in placements], [state for _, state in placements]))


@pytest.mark.parametrize(("layout", "style"), list(product(get_args(Layout), STYLES)))
def test_houses_stand_and_are_carried_while_they_are_built(layout: str, style: str) -> None:
    for rooms in range(2 if layout in ("storeys", "set back", "cellar") else 1, 6):
        build = drawn("house", rooms=rooms, layout=layout, style=style, beds=rooms)
        for verdict in evaluate(build, STANDS):
            assert verdict.status == "pass", (rooms, verdict.message, verdict.cells[:5])
        items = count_items(build.blocks)
        assert not len(items.halves)
        assert sum(number for item, number in items.by_item.items() if item.endswith("_bed")) == rooms
        assert len(set(map(tuple, build.log.cells.tolist()))) == len(build.log.cells), "a cell is placed once"


@pytest.mark.parametrize("layout", ["row", "divided", "bend", "corridor", "storeys"])
def test_a_revision_leaves_the_house_of_the_last_turn(layout: str) -> None:
    values = {"layout": layout, "style": "hut"}
    build = drawn("revision", rooms=3, **values)
    for before, rooms in ((3, 5), (5, 2), (2, 4)):
        placements = draw("revision", {"rooms": rooms, "before": before, **values})
        build = build.then(Log.of([cell for cell, _ in placements], [state for _, state in placements]))
        assert build.blocks == drawn("house", rooms=rooms, **values).blocks
        assert evaluate(build, STANDS)[0].status == "pass"


def test_rooms_have_the_heights_that_are_asked_for() -> None:
    for values in ({}, {"level": True}, {"style": "hut", "ceiling": True}, {"layout": "storeys", "height": 5}):
        build = drawn("house", rooms=3, heights=[5, 3, 4], **values)
        assert evaluate(build, [bind("ceiling_heights", {"at_least": 3})])[0].measured == 3


def test_styles_have_names() -> None:
    assert set(get_args(StyleName)) == set(STYLES)


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("hous", {}, "there is no design 'hous'; take one of"),
        ("house", {"romms": 2}, "takes no 'romms'; did you mean 'rooms'?"),
        ("house", {"rooms": "2"}, "rooms = '2'; give a whole number"),
        ("house", {"rooms": True}, "rooms = 'True'; give a whole number"),
        ("house", {"rooms": 10**6}, "give a whole number within"),
        ("house", {"style": "castle"}, "give one of plain, hut"),
        ("house", {"layout": ["row"]}, "give one of row"),
        ("house", {"heights": [3, "x"]}, "a list of at most 64, each a whole number"),
        ("house", {"heights": [3] * 65}, "a list of at most 64"),
        ("house", {"wall": "sto ne"}, "give a block"),
        ("house", {"furniture": 1}, "give true or false"),
        ("house", {"rooms": 13}, "13 rooms; take 1 to 12"),
        ("house", {"rooms": 1, "layout": "cellar"}, "one room on two storeys"),
        ("house", {"width": 1}, "rooms of 1 by 4"),
        ("house", {"height": 50}, "out of range"),
        ("house", {"rooms": 2, "layout": "storeys", "height": 2}, "storeys too low for stairs"),
        ("house", {"rooms": 5, "layout": "divided", "width": 2}, "5 rooms in a length of 12"),
        ("revision", {}, "needs 'rooms'"),
        ("house", {"rooms": 2, "beds": 3}, "3 beds in 2 rooms"),
        ("house", {"width": 2, "depth": 2, "rooms": 3, "beds": 3}, "no place for a bed"),
    ],
)
def test_wrong_values_are_named(name: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(FamilyError, match=re.escape(message)) as caught:
        draw(name, values, where="f.toml: do[0]")
    assert str(caught.value).startswith("f.toml: do[0]: ")


def test_the_verb_takes_values_of_its_design() -> None:
    values = {"name": "house", "at": [5, 2, -7], "rooms": "= n", "style": "hut"}
    command = Command("f: do[0]", "design", {k: Expression(v, f"f: do[0].{k}") for k, v in values.items()})
    log = run((command,), {"n": 2})
    plain = draw("house", {"rooms": 2, "style": "hut"}, at=(5, 2, -7))
    assert [tuple(cell) for cell in log.cells.tolist()] == [cell for cell, _ in plain]
    values["wall"] = "nonsense["
    command = Command("f: do[0]", "design", {k: Expression(v, f"f: do[0].{k}") for k, v in values.items()})
    with pytest.raises(FamilyError, match=r"f: do\[0\]\.?.*nonsense"):
        run((command,), {"n": 2})


def test_designs_take_plain_values_only() -> None:
    for name, function in designs().items():
        assert function.__doc__
        for hint in list(get_type_hints(function).values()):
            assert hint in (Drawing, NoneType) or re.search("int|str|bool|Literal", str(hint)), name


def test_what_is_drawn_waits_for_what_carries_it() -> None:
    drawing = Drawing()
    drawing.line((0, 3, 0), (3, 3, 0), "stone")
    drawing.column((3, 0, 0), 3, "dirt")
    drawing.put((9, 9, 9), "stone")
    cells = [cell for cell, _ in drawing.placements((0, 0, 5))]
    assert cells == [(3, y, 5) for y in range(3)] + [(x, 3, 5) for x in (3, 2, 1, 0)] + [(9, 9, 14)]


def test_a_change_takes_away_and_adds() -> None:
    before, after, change = Drawing(), Drawing(), Drawing()
    before.column((0, 0, 0), 3, "stone")
    after.column((0, 0, 0), 2, "stone")
    after.put((0, 1, 0), "dirt")
    after.put((1, 1, 0), "dirt")
    change.change(before, after)
    assert change.placements() == [((0, 2, 0), None), ((0, 1, 0), "dirt"), ((1, 1, 0), "dirt")]
