"""Designs of several storeys, step-free houses and theatres: they hold together, are carried while they are built, have
whole doors and beds, and refuse values that make no building."""

from itertools import product
from typing import Any, get_args

import pytest

from minece.blocks import Build, Log
from minece.blocks.items import count_items
from minece.checkers import bind, evaluate
from minece.tasks.designs import draw
from minece.tasks.designs.access import Layout
from minece.tasks.designs.houses import STYLES
from minece.tasks.designs.towers import Shape, Way
from minece.tasks.errors import FamilyError

STANDS = [bind("grounded", {}), bind("supported_order", {})]
ROOM: dict[str, dict[str, Any]] = {
    "lanes": {"width": 12, "depth": 10},
    "walls": {"width": 9, "depth": 9},
    "landings": {"width": 12, "depth": 10, "rise": 5},
    "spiral": {"width": 11, "depth": 11, "stair": "stone_slab"},
    "ramps": {"width": 16, "depth": 12, "stair": "stone_slab"},
    "ladder": {"width": 9, "depth": 7},
}
"""Sizes at which each way up fits."""


def drawn(name: str, **values: Any) -> Build:
    placements = draw(name, values)
    return Build.from_log(Log.of([cell for cell, _ in placements], [state for _, state in placements]))


def stands(build: Build) -> None:
    for verdict in evaluate(build, STANDS):
        assert verdict.status == "pass", (verdict.message, verdict.cells[:5])
    assert not len(count_items(build.blocks).halves)


@pytest.mark.parametrize(
    ("name", "way", "terrace"), list(product(("frame", "storeyed-house"), get_args(Way), (False, True)))
)
def test_people_get_to_every_storey(name: str, way: str, terrace: bool) -> None:
    build = drawn(name, storeys=4, way=way, terrace=terrace, **ROOM[way])
    stands(build)
    rules = [
        bind("storeys", {"bound": 4, "rooms": 1 if name == "storeyed-house" else 0}),
        bind("reachable", {"goal": f"height({ROOM[way].get('rise', 4) * (4 if terrace else 3)})"}),
    ]
    for verdict in evaluate(build, rules):
        assert verdict.status == "pass", verdict.message


@pytest.mark.parametrize(("name", "shape"), list(product(("frame", "storeyed-house"), get_args(Shape))))
def test_shapes_stand(name: str, shape: str) -> None:
    build = drawn(name, storeys=3, shape=shape, way="spiral" if shape == "round" else "lanes", width=11, depth=11)
    stands(build)
    plan = {(x, z) for x, _, z in build.blocks.cells.tolist()}
    assert (len(plan) < 121) == (shape in ("angled", "round"))


@pytest.mark.parametrize(("layout", "style"), list(product(get_args(Layout), STYLES)))
def test_step_free_houses(layout: str, style: str) -> None:
    for rooms, beds, feet in ((1, 1, 0), (2, 2, 1), (3, 2, 2)):
        build = drawn(
            "step-free-house", rooms=rooms, beds=beds, layout=layout, style=style, feet=feet, furniture=beds == 2
        )
        stands(build)
        items = count_items(build.blocks).by_item
        assert sum(number for item, number in items.items() if item.endswith("_bed")) == beds
        way = bind("reachable", {"start": "#beds", "goal": "outside", "step_free": True, "ramps": True, "width": 2})
        assert evaluate(build, [way])[0].status == "pass"


@pytest.mark.parametrize(
    ("base", "light", "rake", "double"),
    list(product(("floor", "soil", "raised"), ("over", "beside", "under"), (0, 1), (0, 1))),
)
def test_theatres(base: str, light: str, rake: int, double: int) -> None:
    if base == "soil" and light == "under":
        light = "over"
    build = drawn(
        "theatre",
        rows=[5, 6, 7],
        width=16,
        depth=16,
        front=5,
        base=base,
        light=light,
        rake=bool(rake),
        double=bool(double),
    )
    stands(build)
    assert count_items(build.blocks).by_item["oak_stairs"] == 18
    exits = bind("exits", {"at_least": 4, "touching": "sea_lantern", "step_free_to": "oak_stairs"})
    assert evaluate(build, [exits])[0].status == "pass"


@pytest.mark.parametrize("sides", [[5, 15, 5], [0, 9, 7], [7, 0, 0]])
def test_arenas(sides: list[int]) -> None:
    build = drawn("arena", sides=sides, width=15, depth=15)
    stands(build)
    assert count_items(build.blocks).by_item["oak_stairs"] == sum(sides)


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        ("frame", {"storeys": 0}, "storeys 0; take 1 to 20"),
        ("frame", {"storeys": 3, "width": 4}, "width 4; take 5 to 40"),
        ("frame", {"storeys": 3, "rise": 4, "way": "landings"}, "need a rise of 5"),
        ("frame", {"storeys": 3, "rise": 5, "way": "spiral"}, "rises by 4"),
        ("frame", {"storeys": 3, "width": 7, "way": "ramps"}, "does not fit into the plan"),
        ("storeyed-house", {"storeys": 3, "width": 6}, "does not fit into the plan"),
        ("storeyed-house", {"storeys": 3, "width": 41}, "width 41"),
        ("storeyed-house", {"storeys": 3, "rooms": 3}, "3 rooms a storey"),
        ("storeyed-house", {"storeys": 3, "width": 8, "rooms": 2}, "no place for a wall between two rooms"),
        ("step-free-house", {"rooms": 0, "beds": 0}, "0 rooms with 0 beds"),
        ("step-free-house", {"rooms": 1, "beds": 3}, "1 rooms with 3 beds"),
        ("step-free-house", {"rooms": 1, "beds": 1, "feet": 5}, "a floor at this height"),
        ("step-free-house", {"rooms": 1, "beds": 1, "feet": 1, "ground": "soil"}, "a floor at this height"),
        ("step-free-house", {"rooms": 1, "beds": 2, "width": 3, "depth": 3}, "no place for a bed"),
        ("theatre", {"rows": [20], "width": 15, "depth": 15}, "do not fit into the walls"),
        ("theatre", {"rows": [5] * 6, "width": 15, "depth": 15}, "do not fit into the walls"),
        ("theatre", {"rows": [], "width": 15, "depth": 15}, "no seats"),
        ("theatre", {"rows": [5], "width": 15, "depth": 15, "front": 1}, "exits at this place"),
        ("theatre", {"rows": [5], "width": 100, "depth": 15}, "a hall of 100 by 15"),
        ("arena", {"sides": [5, 5], "width": 15, "depth": 15}, "seats on 2 sides"),
        ("arena", {"sides": [50, 5, 5], "width": 15, "depth": 15}, "do not fit into the walls"),
    ],
)
def test_values_that_make_no_building(name: str, values: dict[str, Any], message: str) -> None:
    with pytest.raises(FamilyError, match=message) as caught:
        draw(name, values, where="x.toml: here")
    assert str(caught.value).startswith("x.toml: here")
    assert "\n" not in str(caught.value)
