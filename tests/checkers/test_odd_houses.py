"""Odd houses that people build, and simple ones that only look right: what each of them is, asked of the rules.

A house is drawn in a chain of boxes, walls, doors and beds. The answers are those of somebody who walks through it.
Where the rules still answer otherwise, the case is marked with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from minece.blocks import Build
from minece.checkers import bind, evaluate

Span = int | tuple[int, int] | Iterable[int]

STEPS = {"east": (1, 0), "west": (-1, 0), "south": (0, 1), "north": (0, -1)}


class Site:
    """Blocks by cell, placed one after another; air below the ground is dug."""

    def __init__(self) -> None:
        self.blocks: dict[tuple[int, int, int], str] = {}
        self.dug: set[tuple[int, int, int]] = set()

    def put(self, x: int, y: int, z: int, state: str) -> Site:
        self.blocks.pop((x, y, z), None)
        self.dug.discard((x, y, z))
        if state != "air":
            self.blocks[x, y, z] = state
        elif y < 0:
            self.dug.add((x, y, z))
        return self

    def box(self, state: str, x: Span, y: Span, z: Span) -> Site:
        for i in _range(x):
            for j in _range(y):
                for k in _range(z):
                    self.put(i, j, k, state)
        return self

    def clear(self, x: Span, y: Span, z: Span) -> Site:
        return self.box("air", x, y, z)

    def ring(self, state: str, x: tuple[int, int], y: Span, z: tuple[int, int]) -> Site:
        for side in z:
            self.box(state, x, y, side)
        for side in x:
            self.box(state, side, y, z)
        return self

    def door(self, x: int, y: int, z: int, facing: str = "south", kind: str = "oak_door") -> Site:
        for j, half in enumerate(("lower", "upper")):
            self.put(x, y + j, z, f"{kind}[facing={facing},half={half}]")
        return self

    def bed(self, x: int, y: int, z: int, facing: str = "east") -> Site:
        dx, dz = STEPS[facing]
        self.put(x, y, z, f"red_bed[facing={facing},part=foot]")
        return self.put(x + dx, y, z + dz, f"red_bed[facing={facing},part=head]")

    def flight(self, x: int, y: int, z: int, facing: str, steps: int, state: str = "oak_stairs") -> Site:
        """So many stairs, each on whole blocks."""
        dx, dz = STEPS[facing]
        for i in range(steps):
            self.box("oak_planks", x + i * dx, (y, y + i), z + i * dz)
            self.put(x + i * dx, y + i, z + i * dz, f"{state}[facing={facing}]")
        return self

    def shell(self, x: tuple[int, int], y: tuple[int, int], z: tuple[int, int], wall: str = "stone") -> Site:
        """Walls, and a roof on them."""
        return self.ring(wall, x, y, z).box("oak_planks", x, y[1] + 1, z)

    def build(self) -> Build:
        return Build.from_blocks([(*cell, state) for cell, state in self.blocks.items()], dug=sorted(self.dug))


def _range(span: Span) -> Iterable[int]:
    if isinstance(span, int):
        return (span,)
    return range(span[0], span[1] + 1) if isinstance(span, tuple) else span


def hut(x: int = 8, y: int = 2, z: int = 6, wall: str = "stone") -> Site:
    """Its outer measures less one, and the height of its rooms less one; without a door."""
    return Site().shell((0, x), (0, y), (0, z), wall)


def cottage(x: int = 8, y: int = 3, z: int = 6, roof: str = "red_wool", base: int = 0) -> Site:
    """Walls of dirt, corners of stone, a red roof; without a door."""
    site = Site().ring("dirt", (0, x), (base, y), (0, z))
    for i in (0, x):
        for k in (0, z):
            site.box("stone", i, (base, y), k)
    return site.box(roof, (0, x), y + 1, (0, z))


def upper(site: Site, x: int = 8, z: int = 6) -> Site:
    """A second storey on a hut."""
    return site.shell((0, x), (4, 6), (0, z))


# Questions

AT_LEAST_NONE = {"at_least": 0}
QUESTIONS: dict[str, tuple[str, dict[str, object]]] = {
    "rooms": ("rooms", {"bound": AT_LEAST_NONE}),
    "bedrooms": ("rooms", {"bound": AT_LEAST_NONE, "holding": "#beds"}),
    "one building": ("rooms", {"bound": AT_LEAST_NONE}),
    "doors": ("doors", {"at_least": 1}),
    "double doors": ("doors", {"at_least": 1, "width": 2}),
    "storeys": ("storeys", {"bound": AT_LEAST_NONE}),
    "two walled storeys": ("storeys", {"bound": 2, "rooms": 1}),
    "nine at most": (
        "extent",
        {"region": "walls", "width": {"at_most": 9}, "depth": {"at_most": 9}},
    ),
    "heights": ("ceiling_heights", {"at_least": 1}),
    "beds": ("count", {"bound": AT_LEAST_NONE, "materials": "#beds", "items": True}),
    "beds reached": ("reachable", {"goal": "#beds"}),
    "storeys reached": ("reachable", {"goal": "storeys"}),
    "step free": (
        "reachable",
        {"start": "#beds", "goal": "outside", "step_free": True, "ramps": True, "width": 2},
    ),
    "stands": ("grounded", {}),
    "unlike": ("not_symmetric", {}),
    "corners": ("share", {"materials": "stone", "region": "corners"}),
    "roof": ("share", {"materials": "#red", "region": "roof"}),
    "columns": ("only", {"materials": "#concrete", "region": "columns"}),
    "floors": ("share", {"materials": "#concrete", "region": "floors", "at_least": 0.95}),
} | {side: ("share", {"materials": "dirt", "region": f"facade({side})"}) for side in STEPS}
COUNTED = {"rooms", "bedrooms", "doors", "storeys", "heights", "beds"}


def answer(build: Build, question: str) -> object:
    rule, args = QUESTIONS[question]
    (found,) = evaluate(build, [bind(rule, args)])
    assert found.status in ("pass", "fail"), found.message
    return found.measured if question in COUNTED else found.status == "pass"


HOUSES: dict[str, tuple[Callable[[], Site], dict[str, object], dict[str, str]]] = {}


def house(*, wrong: dict[str, str] | None = None, **answers: object) -> Callable[[Callable[[], Site]], None]:
    """Keep a house with its right answers; ``wrong`` tells why the rules still give others."""

    def keep(draw: Callable[[], Site]) -> None:
        name = draw.__name__.replace("_", " ")
        assert name not in HOUSES
        HOUSES[name] = (draw, {key.replace("_", " "): value for key, value in answers.items()}, wrong or {})

    return keep


# Honest: in the ground, on trees, on stilts


@house(rooms=1, doors=1, storeys=1, stands=True)
def hobbit_hole():
    mound = Site().box("dirt", (0, 8), (0, 3), (0, 8)).box("grass_block", (1, 7), 4, (1, 7))
    return mound.clear((2, 6), (0, 2), (2, 6)).clear(4, (0, 1), (7, 8)).door(4, 0, 7)


def dug_out() -> Site:
    """A pit with soil for walls and roof, a door, and a flight of stairs down to it."""
    pit = Site().clear((0, 4), (-4, -2), (0, 4)).clear(2, (-4, -3), 5).door(2, -4, 5)
    for step in range(4):
        pit.clear(2, (step - 4, -1), 6 + step).put(2, step - 4, 7 + step, "stone_stairs[facing=south]")
    return pit


@house(rooms=1, doors=1)
def dug_out_under_the_grass():
    return dug_out()


@house(rooms=2, doors=2, one_building=True)
def two_dug_rooms():
    return dug_out().clear((6, 10), (-4, -2), (0, 4)).clear(5, (-4, -3), 2).door(5, -4, 2, "east")


def over_a_cellar() -> Site:
    """A hut, a ladder down a shaft, and a cellar with soil all around."""
    cellar = hut().door(2, 0, 6).clear((4, 9), (-6, -4), (2, 6))
    return cellar.box("ladder[facing=south]", 4, (-6, -1), 2)


@house(rooms=2, doors=1, one_building=True)
def root_cellar():
    return over_a_cellar()


@house(rooms=2, one_building=True)
def root_cellar_with_chests():
    return over_a_cellar().box("chest", (7, 9), -6, 6)


@house(rooms=2, one_building=True)
def root_cellar_with_a_shaft_of_stone():
    return over_a_cellar().box("stone", 4, (-6, 0), 1)


def tree_house() -> Site:
    tree = Site().box("oak_log", 4, (0, 5), 4).box("oak_planks", (0, 8), 5, (0, 8))
    tree.shell((2, 6), (6, 8), (2, 6), "oak_planks").door(4, 6, 6).ring("oak_fence", (0, 8), 6, (0, 8))
    return tree.box("oak_log", 4, (9, 11), 4).box("oak_leaves", (3, 5), 12, (3, 5))


@house(rooms=1, doors=1, stands=True)
def tree_house_with_a_ladder_through_the_deck():
    return tree_house().box("oak_log", 4, (0, 4), 7).box("ladder[facing=east]", 5, (0, 5), 7)


@house(rooms=1, doors=1, wrong={"doors": "a hatch over a ladder is never stood on, though one may shut it"})
def tree_house_with_a_hatch_behind_its_door():
    return tree_house().box("ladder[facing=south]", 4, (0, 4), 5).put(4, 5, 5, "oak_trapdoor[half=top]")


@house(rooms=1, doors=1, storeys=1, stands=True)
def stilts_in_a_lake():
    stilts = Site().box("water", (-1, 9), -1, (-1, 7))
    for x, z in ((0, 0), (8, 0), (0, 6), (8, 6)):
        stilts.box("oak_log", x, (-1, 2), z)
    stilts.box("oak_planks", (0, 8), 3, (0, 6)).shell((0, 8), (4, 6), (0, 6), "oak_planks").door(4, 4, 6)
    for step in range(4):
        stilts.box("oak_planks", 4, (0, 3 - step), 7 + step)
    return stilts


# Honest: shapes


def a_frame(gable: str = "glass") -> Site:
    frame = Site()
    for k in range(5):
        frame.box(gable, (k + 1, 9 - k), k, 0).box(gable, (k + 1, 9 - k), k, 6)
        frame.box("oak_stairs[facing=east]", k, k, (0, 6)).box("oak_stairs[facing=west]", 10 - k, k, (0, 6))
    return frame.box("oak_planks", 5, 5, (0, 6)).door(5, 0, 6)


@house(rooms=1, doors=1, storeys=1, stands=True)
def tent_of_stairs():
    return a_frame()


def round_tower() -> Site:
    """Three storeys, of nine cells across."""
    disc = {(x, z) for x in range(-4, 5) for z in range(-4, 5) if x * x + z * z <= 18}
    tower = Site()
    for x, z in sorted(disc):
        rim = not {(x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1)} <= disc
        tower.box("stone_bricks", x, range(12) if rim else [3, 7, 11], z)
    return tower.door(0, 0, 4).box("ladder[facing=east]", -3, (0, 7), 0)


@house(rooms=3, doors=1, storeys=3)
def round_tower_with_ladders():
    return round_tower()


@house(rooms=3, doors=1, storeys=3)
def round_tower_with_hatches():
    return round_tower().put(-3, 3, 0, "oak_trapdoor").put(-3, 7, 0, "oak_trapdoor")


def attic() -> Site:
    """A hut under a pitched roof with gables, a ceiling between."""
    site = hut(8, 2, 8).door(4, 0, 8)
    for k in range(4):
        site.box("stone", (k + 1, 7 - k), 4 + k, 0).box("stone", (k + 1, 7 - k), 4 + k, 8)
        site.box("oak_stairs[facing=east]", k, 4 + k, (0, 8)).box("oak_stairs[facing=west]", 8 - k, 4 + k, (0, 8))
    return site.box("oak_planks", 4, 7, (0, 8)).box("oak_slab", 4, 8, (0, 8))


@house(rooms=2, doors=1, storeys=2)
def attic_up_a_ladder():
    return attic().box("ladder[facing=south]", 4, (0, 2), 1).put(4, 3, 1, "oak_trapdoor[half=top]")


@house(rooms=2, doors=1, storeys=2)
def attic_up_a_flight():
    return attic().flight(4, 0, 2, "south", 4).clear(4, 3, (2, 4))


@house(rooms=2, doors=1, storeys=2)
def attic_with_a_dormer():
    site = attic().box("ladder[facing=south]", 4, (0, 3), 1).box("oak_planks", (1, 3), 6, (3, 5))
    site.clear((1, 2), (4, 5), 4).box("oak_planks", (1, 2), (4, 5), 3).box("oak_planks", (1, 2), (4, 5), 5)
    return site.put(1, 4, 4, "oak_planks").put(1, 5, 4, "glass_pane")


@house(rooms=2, doors=2, storeys=2)
def balcony():
    site = upper(hut()).door(4, 0, 6).door(4, 4, 6).box("ladder[facing=south]", 1, (0, 3), 1)
    site.box("oak_planks", (2, 6), 3, (7, 8)).box("oak_fence", (2, 6), 4, 8)
    return site.put(2, 4, 7, "oak_fence").put(6, 4, 7, "oak_fence")


@house(rooms=1, doors=1)
def veranda_all_around():
    site = Site().box("oak_planks", (0, 12), 3, (0, 12)).shell((3, 9), (0, 2), (3, 9)).door(6, 0, 9)
    site.ring("oak_fence", (0, 12), 0, (0, 12))
    for x, z in ((0, 0), (12, 0), (0, 12), (12, 12)):
        site.box("oak_fence", x, (0, 2), z)
    return site.put(6, 0, 12, "oak_fence_gate")


def around_a_court() -> Site:
    court = hut(14, 2, 14).clear((4, 10), 3, (4, 10)).ring("stone", (4, 10), (0, 3), (4, 10))
    return court.door(7, 0, 10).door(7, 0, 14)


@house(rooms=1, doors=2)
def court_under_the_sky():
    return around_a_court()


@house(rooms=2, doors=2)
def court_under_glass():
    return around_a_court().box("glass", (4, 10), 4, (4, 10))


@house(rooms=3, doors=3, one_building=True)
def row_of_houses():
    row = Site()
    for k in range(3):
        row.shell((6 * k, 6 * k + 6), (0, 2), (0, 6))
    return row.door(3, 0, 6).door(9, 0, 6).door(15, 0, 6)


@house(rooms=2, doors=1)
def half_a_storey_up_through_an_archway():
    site = hut(10, 4).box("oak_planks", (6, 9), 0, (1, 5)).box("stone", 5, (0, 4), (1, 5)).clear(5, (0, 3), 3)
    return site.put(5, 0, 3, "oak_stairs[facing=east]").door(2, 0, 6)


@house(rooms=2, doors=2, storeys=2)
def upper_storey_by_a_flight_outside():
    site = upper(hut()).door(4, 0, 6).door(8, 4, 3, "east")
    for step in range(4):
        site.box("stone", 9, (0, 3 - step), 3 + step)
    return site


@house(rooms=3, doors=3, storeys=3)
def stair_tower_beside_the_house():
    site = Site()
    for k in range(3):
        site.shell((0, 8), (4 * k, 4 * k + 2), (0, 6)).door(8, 4 * k, 3, "east")
    site.box("stone", (9, 11), (0, 11), (2, 4)).clear(10, (0, 11), 3).box("oak_planks", (9, 11), 12, (2, 4))
    site.clear(9, (0, 1), (3, 4)).clear(9, (4, 5), 3).clear(9, (8, 9), 3)
    return site.box("ladder[facing=west]", 10, (0, 11), 3)


@house(rooms=2, storeys=2)
def wide_stairwell_with_railing():
    site = hut(10, 3, 8).shell((0, 10), (5, 7), (0, 8)).clear((2, 6), 4, (1, 3)).flight(2, 0, 1, "east", 5)
    return site.box("oak_fence", (2, 6), 5, 4).box("oak_fence", 1, 5, (2, 4)).door(5, 0, 8)


@house(rooms=3, storeys=3)
def cellar_and_loft_behind_hatches():
    site = upper(hut().clear((1, 7), (-4, -2), (1, 5)).box("oak_planks", (1, 7), -1, (1, 5))).door(4, 0, 6)
    site.box("ladder[facing=south]", 1, (-4, -2), 1).put(1, -1, 1, "oak_trapdoor[half=top]")
    return site.box("ladder[facing=south]", 3, (0, 2), 1).put(3, 3, 1, "oak_trapdoor")


DIAGONAL = "openings in diagonal walls are not looked for"


def octagon() -> Site:
    """Eleven cells across, its diagonal walls joined by edges."""
    plan = {(x, z) for x in range(11) for z in range(11) if 3 <= x + z <= 17 and abs(x - z) <= 7}
    site = Site()
    for x, z in sorted(plan):
        rim = not {(x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1)} <= plan
        site.box("stone", x, range(3 if rim else 0), z).put(x, 3, z, "oak_planks")
    return site.door(5, 0, 10)


@house(rooms=1, doors=1)
def octagon_with_windows_in_its_straight_walls():
    return octagon().put(0, 1, 5, "air").put(10, 1, 5, "air").put(5, 1, 0, "air")


@house(rooms=1, doors=1, wrong={"rooms": DIAGONAL, "doors": DIAGONAL})
def octagon_with_windows_in_its_diagonal_walls():
    return octagon().put(1, 1, 2, "air").put(9, 1, 2, "air").put(1, 1, 8, "air")


@house(rooms=1, doors=2)
def octagon_with_a_door_in_a_diagonal_wall():
    return octagon().door(1, 0, 8)


@house(rooms=2, doors=2)
def diagonal_partition():
    site = hut(10, 2, 10).door(3, 0, 10)
    for k in range(1, 10):
        site.box("stone", k, (0, 2), k)
    return site.door(5, 0, 5, "east")


@house(rooms=1, doors=1)
def pool_in_a_hall():
    return hut(10, 3, 10).box("water", (3, 7), -1, (3, 7)).door(5, 0, 10)


@house(rooms=1, doors=2)
def gatehouse_with_two_doors_in_a_deep_wall():
    site = (
        Site()
        .box("stone", (0, 18), (0, 3), (0, 18))
        .clear((5, 13), (0, 3), (5, 13))
        .box("oak_planks", (0, 18), 4, (0, 18))
    )
    return site.clear(9, (0, 1), (14, 18)).door(9, 0, 14).door(9, 0, 18)


@house(rooms=1, bedrooms=1, storeys=2, beds_reached=True)
def bed_in_a_hayloft():
    site = hut(8, 6, 10).box("oak_planks", (1, 7), 3, (1, 4)).bed(2, 4, 2).box("oak_log", 4, (0, 3), 4)
    return site.box("ladder[facing=south]", 4, (0, 3), 5).door(4, 0, 10)


@house(rooms=1, doors=1)
def rough_floor():
    site = hut(6, 4, 6).door(3, 0, 6)
    for x in range(1, 6):
        for z in range(1, 5):
            site.box("stone", x, range((7 * x + 5 * z) % 3), z)
    return site


# Honest: two walled storeys, and what lies below or above them

TERRACES = "a covered terrace without walls on top is taken for a storey that lacks a room"


def two_storeys(base: int = 0) -> Site:
    site = Site().shell((0, 8), (base, base + 2), (0, 8)).shell((0, 8), (base + 4, base + 6), (0, 8))
    return site.door(4, base, 8).box("ladder[facing=south]", 1, (base, base + 3), 1)


def with_a_terrace() -> Site:
    return two_storeys().box("ladder[facing=south]", 1, (4, 7), 1).ring("oak_fence", (0, 8), 8, (0, 8))


def posts(site: Site, y: tuple[int, int]) -> Site:
    return site.box("oak_log", [0, 8], y, [0, 8])


@house(two_walled_storeys=True)
def terrace_under_the_sky():
    return with_a_terrace()


@house(two_walled_storeys=True)
def terrace_under_a_roof():
    return posts(with_a_terrace(), (8, 10)).box("oak_planks", (0, 8), 11, (0, 8))


@house(two_walled_storeys=True)
def terrace_under_beams():
    return posts(with_a_terrace(), (8, 10)).box("oak_log[axis=z]", range(0, 9, 2), 11, (0, 8))


@house(two_walled_storeys=True)
def terrace_under_a_tree():
    tree = with_a_terrace().box("oak_log", 10, (0, 11), 4)
    return tree.box("oak_leaves[persistent=true]", (3, 10), 12, (1, 7))


@house(two_walled_storeys=True)
def two_storeys_on_stilts():
    site = posts(two_storeys(4), (0, 2)).box("oak_planks", (0, 8), 3, (0, 8))
    for step in range(4):
        site.box("oak_planks", 4, (0, 3 - step), 9 + step)
    return site


@house(two_walled_storeys=True)
def storey_of_panes():
    return posts(two_storeys().ring("glass_pane", (0, 8), (4, 6), (0, 8)), (4, 6))


@house(two_walled_storeys=False, storeys=2)
def storey_without_walls():
    site = hut(8, 2, 8).door(4, 0, 8).box("ladder[facing=south]", 1, (0, 3), 1).ring("oak_fence", (0, 8), 4, (0, 8))
    return posts(site, (4, 6)).box("oak_planks", (0, 8), 7, (0, 8))


@house(two_walled_storeys=True)
def towers_joined_by_a_bridge():
    site = two_storeys()
    for (x, y, z), state in list(two_storeys().blocks.items()):
        site.put(x + 14, y, z, state)
    site.box("oak_planks", (9, 13), 3, (3, 5)).box("oak_fence", (9, 13), 4, [3, 5])
    return site.door(8, 4, 4, "east").door(14, 4, 4, "east")


# Honest: what closes, what stands about


@house(rooms=1, doors=0)
def barn_with_doors_of_gates():
    return hut(8, 4, 8).box("oak_fence_gate", (3, 5), (0, 2), 8)


@house(rooms=1, stands=True)
def barn_with_doors_of_gates_that_stand():
    return barn_gates()


def barn_gates() -> Site:
    return hut(8, 4, 8).door(0, 0, 3, "east").box("oak_fence_gate", (3, 5), (0, 2), 8)


@house(rooms=2, stands=True)
def screen_of_trapdoors():
    site = hut(12).box("oak_trapdoor[open=true,facing=east]", 6, (0, 2), (1, 5)).door(6, 0, 3, "east")
    return site.put(6, 2, 3, "stone").door(3, 0, 6)


@house(rooms=1, heights=1, stands=True)
def table_of_trapdoors_with_a_plant():
    return hut().box("oak_trapdoor[half=top]", (3, 5), 0, 3).put(4, 1, 3, "potted_fern").door(4, 0, 6)


def greenhouse() -> Site:
    site = Site().ring("stone", (0, 8), 0, (0, 6)).ring("glass_pane", (0, 8), (1, 2), (0, 6))
    site.box("glass", (0, 8), 3, (0, 6)).box("oak_log", 0, (0, 2), 0).door(4, 0, 6)
    return (
        site.box("farmland", (1, 7), -1, (1, 3)).box("wheat[age=7]", (1, 7), 0, (1, 3)).box("dirt_path", 4, -1, (4, 5))
    )


@house(rooms=1, doors=1)
def greenhouse_of_panes():
    return greenhouse()


@house(rooms=1, doors=1)
def greenhouse_with_a_ditch():
    return greenhouse().box("water", (1, 7), -1, 4)


@house(rooms=1, doors=1)
def shop_with_a_counter_two_high():
    return hut(8, 3, 8).box("barrel", (1, 7), (0, 1), 5).door(4, 0, 8)


@house(rooms=1, doors=1)
def shop_with_a_hatch_in_the_counter():
    return hut(8, 2, 8).box("barrel", (1, 7), 0, 6).put(1, 0, 6, "oak_fence_gate[facing=south]").door(4, 0, 8)


@house(rooms=1, doors=1)
def hall_with_shelves_across_its_middle():
    return hut(12).box("bookshelf", 6, (0, 1), (1, 5)).door(2, 0, 6)


@house(rooms=1, doors=1)
def sty_fenced_off():
    return hut(12, 3, 8).box("oak_fence", (1, 11), 0, 6).door(6, 0, 8)


@house(rooms=1, doors=1)
def stage_two_high():
    return hut(12, 4, 8).box("oak_planks", (1, 11), (0, 1), (1, 5)).door(6, 0, 8)


@house(rooms=1, doors=1)
def stage_one_high():
    return hut(12, 3, 8).box("oak_planks", (1, 11), 0, (1, 5)).door(6, 0, 8)


@house(rooms=1, doors=1)
def shutters_and_no_panes():
    site = hut(8, 3).door(4, 0, 6)
    for x in (2, 6):
        site.clear(x, (1, 2), 6)
        for beside in (x - 1, x + 1):
            site.box("oak_trapdoor[facing=south,open=true]", beside, (1, 2), 7)
    return site


@house(rooms=1, doors=1)
def french_windows():
    site = hut(8, 3).door(4, 0, 6)
    for x in (2, 4, 6):
        site.clear(x, (1, 2), 0).put(x, 0, 0, "oak_fence")
    return site


@house(rooms=1, doors=1)
def walls_of_slabs_and_stairs():
    site = hut().box("stone_stairs[facing=north]", (1, 7), (0, 2), 0).box("stone_slab[type=top]", 0, (0, 2), (1, 5))
    return site.box("stone_slab[type=double]", 8, (0, 2), (1, 5)).door(4, 0, 6)


@house(rooms=1, doors=1)
def walls_of_leaves():
    site = hut(wall="oak_leaves[persistent=true]").door(4, 0, 6)
    for x, z in ((0, 0), (8, 0), (0, 6), (8, 6)):
        site.box("oak_log", x, (0, 2), z)
    return site


@house(rooms=1, doors=1, heights=1)
def paths_for_a_floor():
    return hut().box("dirt_path", (1, 7), -1, (1, 5)).box("red_carpet", (1, 3), 0, (1, 2)).door(4, 0, 6)


@house(rooms=1, beds=2, bedrooms=1, beds_reached=True)
def bunk_beds():
    site = hut(6, 4).bed(1, 0, 1).box("oak_slab[type=top]", (1, 2), 1, 1).bed(1, 2, 1)
    return site.box("ladder[facing=east]", 3, (0, 2), 1).door(3, 0, 6)


@house(rooms=1, doors=1)
def doors_and_a_transom():
    return hut(8, 3).door(4, 0, 6).put(4, 2, 6, "glass_pane")


@house(rooms=1, doors=2)
def doors_at_a_corner():
    return hut().door(1, 0, 6).door(0, 0, 5, "east")


@house(rooms=1, doors=1)
def iron_door_with_plates():
    site = (
        hut().door(4, 0, 6, kind="iron_door").put(4, 0, 7, "stone_pressure_plate").put(4, 0, 5, "stone_pressure_plate")
    )
    return site.put(3, 1, 7, "stone_button[face=wall,facing=south]")


@house(rooms=1, doors=1)
def stairs_without_a_facing_before_the_door():
    return (
        Site()
        .box("stone", (0, 8), 0, (0, 6))
        .shell((0, 8), (1, 3), (0, 6))
        .door(8, 1, 3, "east")
        .put(9, 0, 3, "oak_stairs")
    )


@house(rooms=2, doors=1, storeys=2)
def doors_ladders_and_hatches_without_states():
    site = upper(hut()).put(4, 0, 6, "oak_door").put(4, 1, 6, "oak_door[half=upper]")
    return site.box("ladder", 1, (0, 2), 5).put(1, 3, 5, "oak_trapdoor")


@house(rooms=1, doors=1, storeys=1)
def snow_on_the_ground():
    return hut().box("snow", (-2, 10), 0, (7, 9)).box("snow[layers=3]", (0, 8), 4, (0, 6)).door(4, 0, 6)


@house(rooms=2)
def rounded_archway():
    site = hut(10, 3).box("stone", 5, (0, 3), (1, 5)).clear(5, (0, 2), (2, 4)).door(2, 0, 6)
    return site.put(5, 2, 2, "oak_stairs[facing=north,half=top]").put(5, 2, 4, "oak_stairs[facing=south,half=top]")


@house(rooms=2, doors=2)
def pass_through_in_a_kitchen_wall():
    return hut(12, 3, 8).box("stone", 6, (0, 3), (1, 7)).clear(6, (1, 2), (2, 3)).door(6, 0, 5, "east").door(3, 0, 8)


@house(rooms=0)
def market_hall_on_posts():
    hall = Site().box("oak_planks", (0, 8), 4, (0, 8))
    for x in (0, 4, 8):
        for z in (0, 4, 8):
            hall.box("oak_log", x, (0, 3), z)
    return hall


# Honest: a sixteenth more than a step


def on_a_plinth() -> Site:
    return Site().box("stone", (0, 8), 0, (0, 6)).shell((0, 8), (1, 3), (0, 6)).door(4, 1, 6)


@house(rooms=1, doors=1)
def plinth_without_a_path():
    return on_a_plinth()


@house(rooms=1, doors=1)
def path_to_a_door_on_a_plinth():
    return on_a_plinth().box("dirt_path", (3, 5), -1, (7, 12))


@house(rooms=1, doors=1)
def path_to_a_stair_before_a_door():
    return on_a_plinth().box("dirt_path", (3, 5), -1, (7, 12)).put(4, 0, 7, "oak_stairs[facing=north]")


@house(rooms=1, doors=1)
def doormat_on_a_step():
    return on_a_plinth().box("stone", (3, 5), 0, 7).box("red_carpet", (3, 5), 1, 7)


@house(storeys=2, rooms=2)
def carpets_around_the_top_of_a_ladder():
    site = upper(hut()).door(4, 0, 6).box("ladder[facing=south]", 2, (0, 3), 1)
    return site.box("red_carpet", (1, 7), 4, (1, 5)).put(2, 4, 1, "air")


@house(storeys=2)
def steps_of_blocks_up_to_a_carpet():
    site = upper(hut()).door(4, 0, 6).clear((1, 4), 3, 1)
    for i in range(3):
        site.box("oak_planks", 2 + i, (0, i), 1)
    return site.box("red_carpet", (1, 7), 4, (2, 5)).box("red_carpet", (5, 7), 4, 1)


@house(step_free=True)
def ramp_from_a_path():
    site = Site().box("stone", (0, 10), 0, (0, 8)).shell((0, 10), (1, 3), (0, 8)).bed(2, 1, 2)
    site.door(5, 1, 8).door(6, 1, 8).box("stone", (5, 6), 0, 9).box("oak_slab", (5, 6), 0, 10)
    return site.box("dirt_path", (-3, 13), -1, (11, 14))


@house(rooms=1, doors=1)
def sunken_floor_of_paths():
    site = hut().clear((1, 7), -1, (1, 5)).box("dirt_path", (1, 7), -2, (1, 5))
    return site.door(4, 0, 6)


def beds_on_both_sides(aisle: int) -> Site:
    site = hut(4 + aisle + 1, 2, 8).door(2, 0, 8).door(3, 0, 8)
    for z in (1, 3, 5):
        site.bed(1, 0, z, "east").bed(4 + aisle, 0, z, "west")
    return site


@house(step_free=True)
def aisle_two_wide_between_beds():
    return beds_on_both_sides(2)


@house(step_free=False)
def aisle_one_wide_between_beds():
    return beds_on_both_sides(1)


# Dishonest: rooms


@house(rooms=1, doors=1)
def hall_two_wide_with_beams():
    return hut(15, 3, 3).box("stone", [3, 6, 9, 12], 3, (1, 2)).door(0, 0, 1, "west")


@house(rooms=1, doors=1)
def hall_two_wide_with_deep_beams():
    return hut(15, 4, 3).box("stone", [3, 6, 9, 12], (3, 4), (1, 2)).door(0, 0, 1, "west")


@house(rooms=1, doors=1)
def hall_three_wide_with_beams():
    return hut(15, 3, 4).box("stone", [3, 6, 9, 12], 3, (1, 3)).door(0, 0, 2, "west")


@house(rooms=0)
def pergola_over_a_garden():
    return hut().box("oak_fence", (0, 8), 3, (0, 6)).door(4, 0, 6)


@house(rooms=0)
def beams_over_a_garden():
    return hut().clear((0, 8), 3, (0, 6)).box("oak_log[axis=z]", range(0, 9, 2), 3, (0, 6)).door(4, 0, 6)


@house(rooms=0)
def curtains_of_chains():
    return hut().box("chain", (1, 7), (0, 2), 0).box("chain", 0, (0, 2), (1, 5)).door(4, 0, 6)


@house(rooms=2, one_building=False)
def two_huts_that_touch_at_an_edge():
    return hut(6).door(3, 0, 6).shell((7, 13), (0, 2), (7, 13)).door(10, 0, 13)


@house(rooms=1, doors=1)
def screen_with_a_door_in_a_hall():
    return hut(12).box("stone", 6, (0, 2), (2, 4)).door(6, 0, 3, "east").door(2, 0, 6)


@house(rooms=1, doors=1)
def screen_with_a_door_between_fences():
    site = hut(12, 3).box("oak_fence", 6, 0, (1, 5)).box("stone", 6, (0, 2), (2, 4)).door(6, 0, 3, "east")
    return site.door(2, 0, 6)


@house(rooms=1)
def partition_with_a_gap_beside_the_wall():
    return hut(12, 3).box("stone", 6, (0, 3), (2, 5)).door(6, 0, 3, "east").door(2, 0, 6)


@house(rooms=1, doors=1)
def doors_hung_on_outer_walls():
    return hut().door(-1, 0, 3, "west").door(9, 0, 3, "east").door(4, 0, 6)


@house(rooms=1, doors=1)
def upper_door_into_the_air():
    return upper(hut()).door(4, 0, 6).door(4, 4, 6)


@house(rooms=1, storeys=1)
def ladder_against_a_closed_ceiling():
    return upper(hut()).door(4, 0, 6).box("ladder[facing=south]", 1, (0, 2), 1)


@house(rooms=1, storeys=1)
def water_for_a_way_up():
    return upper(hut()).door(4, 0, 6).box("water", 1, (0, 3), 1)


@house(beds=1, bedrooms=0, beds_reached=False)
def bed_behind_glass():
    return hut().bed(1, 0, 1).box("glass", (1, 3), (0, 2), 2).box("glass", 3, (0, 2), 1).door(4, 0, 6)


@house(beds=1, bedrooms=0)
def bed_on_the_roof():
    return hut().bed(2, 4, 2).door(4, 0, 6)


@house(rooms=1, wrong={"rooms": "the recess of a window in the inner skin of a wall is counted as floor"})
def closet_of_three_cells_and_a_recess():
    site = (
        hut(12)
        .ring("stone", (1, 11), (0, 2), (1, 5))
        .box("stone", 7, (0, 2), (2, 4))
        .box("stone", (9, 10), (0, 2), (2, 4))
    )
    site.door(7, 0, 3, "east").put(8, 1, 1, "air").put(8, 1, 0, "glass_pane")
    return site.door(3, 0, 6).clear(3, (0, 1), 5)


@house(rooms=3, doors=3)
def enfilade_of_double_doors_two_wide():
    site = hut(15, 3, 3).box("stone", [5, 10], (0, 3), (1, 2)).door(0, 0, 1, "west")
    for x in (5, 10):
        site.door(x, 0, 1, "east").door(x, 0, 2, "east")
    return site


@house(rooms=1)
def skylight_and_flue_under_a_grate():
    site = hut().door(4, 0, 6).box("glass_pane", (5, 6), 3, (2, 3)).put(1, 3, 1, "air")
    return site.ring("bricks", (0, 2), (4, 6), (0, 2)).clear(1, (4, 5), 1).put(1, 6, 1, "iron_bars")


@house(rooms=0)
def plinth_two_high_with_a_doormat():
    site = Site().box("stone", (0, 8), (0, 1), (0, 6)).shell((0, 8), (2, 4), (0, 6)).door(4, 2, 6)
    return site.box("red_carpet", (0, 8), 0, 7)


@house(rooms=0)
def hole_in_the_roof_over_a_shelf():
    return hut().door(4, 0, 6).clear((1, 4), 3, (1, 2)).put(1, 2, 1, "oak_slab[type=top]")


@house(rooms=0)
def hole_in_the_roof_over_a_scrap_of_ladder():
    return hut().door(4, 0, 6).clear((1, 4), 3, (1, 2)).put(1, 2, 1, "ladder[facing=south]")


@house(rooms=0)
def hole_in_the_roof_over_two_slabs():
    return hut().door(4, 0, 6).clear((1, 4), 3, (1, 2)).box("oak_slab[type=top]", (1, 2), 2, 1)


@house(rooms=0)
def hole_in_the_roof_over_two_rungs():
    return hut(8, 5).door(4, 0, 6).clear((1, 4), 6, (1, 2)).box("ladder[facing=south]", 1, (4, 5), 1)


@house(rooms=1)
def hole_in_the_roof_over_a_ladder():
    return hut().door(4, 0, 6).clear((1, 2), 3, (1, 2)).box("ladder[facing=south]", 1, (0, 2), 1)


@house(rooms=0, beds_reached=False)
def bed_behind_a_window():
    return hut().bed(2, 0, 2).clear(4, (1, 2), 6)


@house(rooms=1, bedrooms=0, beds_reached=False)
def bed_behind_an_inner_window():
    return hut(12).box("stone", 6, (0, 2), (1, 5)).clear(6, (1, 2), 3).bed(8, 0, 2).door(3, 0, 6)


# Dishonest: heights


def three_alike() -> Site:
    site = hut(18, 3).box("stone", [6, 12], (0, 3), (1, 5)).door(3, 0, 6)
    return site.door(6, 0, 3, "east").door(12, 0, 3, "east")


@house(rooms=3, heights=1)
def heights_by_a_carpet():
    return three_alike().box("red_carpet", (7, 11), 0, (1, 5))


@house(rooms=3, heights=1)
def heights_by_a_carpet_and_a_path():
    return three_alike().box("red_carpet", (7, 11), 0, (1, 5)).box("dirt_path", (13, 17), -1, (1, 5))


@house(rooms=3, heights=1)
def heights_by_snow():
    return three_alike().box("snow[layers=2]", (7, 11), 0, (1, 5))


@house(rooms=3, heights=1)
def heights_by_trapdoors_under_a_ceiling():
    return three_alike().box("oak_trapdoor[half=top]", (7, 11), 3, (1, 5))


def furnished(state: str) -> Site:
    """All but a way of six cells of the middle room."""
    return three_alike().box(state, (7, 11), 0, [1, 2, 4, 5]).put(7, 0, 2, "air")


@house(rooms=3, heights=1)
def heights_by_tables():
    return furnished("crafting_table")


@house(rooms=3, heights=1)
def heights_by_cakes():
    return furnished("cake")


@house(rooms=3, heights=1)
def heights_by_deep_snow():
    return furnished("snow[layers=4]")


@house(rooms=1, heights=1)
def cupboards_under_the_ceiling():
    return hut(8, 3, 8).box("barrel", (1, 7), 3, (1, 2)).door(4, 0, 8)


@house(rooms=3, heights=2)
def raised_floor():
    return furnished("oak_planks")


@house(rooms=3)
def nursery_of_azaleas():
    return furnished("azalea").box("grass_block", (7, 11), -1, (1, 5))


@house(rooms=1, heights=2, storeys=2)
def hall_with_a_gallery():
    site = hut(10, 6, 8).box("oak_planks", (1, 9), 3, (1, 4)).box("oak_fence", (2, 9), 4, 4).door(5, 0, 8)
    return site.box("ladder[facing=east]", 1, (0, 3), 2)


@house(rooms=1, heights=3)
def hall_with_hung_ceilings():
    return hut(14, 5).box("oak_planks", (1, 4), 3, (1, 5)).box("oak_planks", (5, 9), 4, (1, 5)).door(7, 0, 6)


@house(rooms=1, heights=3)
def hall_with_a_ceiling_in_steps():
    return hut(14, 5).box("oak_planks", (1, 4), (3, 5), (1, 5)).box("oak_planks", (5, 9), (4, 5), (1, 5)).door(7, 0, 6)


@house(rooms=1, doors=1, heights=2)
def sunken_living_room():
    site = hut(10, 3, 8).door(2, 0, 8).box("oak_planks", (1, 9), (-2, -1), (1, 7)).clear((5, 8), -1, (2, 5))
    return site.box("oak_stairs[facing=west]", 5, -1, (3, 4))


@house(rooms=1, heights=1)
def beams_and_lanterns_under_a_ceiling():
    site = hut(8, 3, 8).box("oak_log[axis=z]", [2, 4, 6], 3, (1, 7)).box("lantern[hanging=true]", 3, 3, (1, 7))
    return site.door(4, 0, 8)


# Likeness


@house(unlike=False)
def rubble_heap_beside_the_house():
    return cottage().door(4, 0, 6).box("stone", (20, 27), (0, 9), (0, 6))


@house(unlike=False)
def rubble_heap_joined_below_ground():
    return (
        cottage()
        .door(4, 0, 6)
        .box("stone", (0, 20), -1, 3)
        .box("stone", (20, 27), (0, 5), (0, 3))
        .box("stone", 20, (6, 20), 3)
    )


TOUCHING = "whatever touches the house above the ground is compared with it"


@house(unlike=False, wrong={"unlike": TOUCHING})
def rubble_heap_at_the_end_of_a_path():
    site = cottage().door(4, 0, 6).box("stone", (9, 19), 0, 3)
    return site.box("stone", (20, 27), (0, 5), (0, 3)).box("stone", 20, (6, 20), 3)


@house(unlike=False, wrong={"unlike": TOUCHING})
def garden_fence_on_one_side():
    return cottage().door(4, 0, 6).ring("oak_fence", (9, 25), 0, (0, 12))


@house(unlike=False)
def tree_against_the_house():
    return (
        cottage()
        .door(4, 0, 6)
        .box("oak_log", 12, (0, 7), 3)
        .box("oak_leaves[persistent=true]", (9, 15), (4, 8), (1, 5))
    )


@house(unlike=False)
def half_of_the_house_filled_in():
    return cottage(14).door(4, 0, 6).box("dirt", (8, 13), (0, 3), (1, 5))


@house(unlike=False)
def ladders_snow_and_carpets_on_one_side():
    site = cottage().door(4, 0, 6).box("ladder[facing=north]", (1, 7), (0, 3), -1).box("red_carpet", (4, 8), 5, (0, 3))
    return site.box("oak_trapdoor[facing=east,open=true]", 9, (0, 3), (1, 5)).box("scaffolding", -1, (0, 6), (0, 6))


# The measure over outer walls

GLASS = "walls of glass are left out of the outer walls"


@house(nine_at_most=True)
def eaves_sheds_and_ramps_beyond_the_walls():
    site = cottage(8, 3, 8).door(4, 0, 8).box("red_wool", (-1, 9), 4, [-1, 9]).box("stone", 4, 0, (9, 12))
    return site.box("oak_slab", (9, 11), 2, (1, 4)).box("oak_fence", 11, (0, 1), [1, 4])


@house(nine_at_most=False, rooms=2)
def wing_of_stone():
    return hut(8, 3, 8).shell((8, 12), (0, 2), (2, 6)).clear(8, (0, 1), 4).door(4, 0, 8)


@house(nine_at_most=False, rooms=2)
def wing_of_glass():
    return hut(8, 3, 8).shell((8, 12), (0, 2), (2, 6), "glass").clear(8, (0, 1), 4).door(4, 0, 8)


@house(nine_at_most=True, rooms=1)
def hall_of_glass():
    return hut(8, 3, 8, "glass").door(4, 0, 8)


@house(nine_at_most=False, rooms=1)
def large_hall_of_panes():
    return hut(14, 3, 14, "glass_pane").door(7, 0, 14)


# Corners, façades, roofs: stone corners, walls of dirt, a red roof

WHOLE = {"corners": True, "north": True, "east": True, "south": True, "west": True, "roof": True}
LEANING = "what leans against the wall outside is taken for its corners"


@house(rooms=1, **WHOLE)
def gable_of_dirt():
    site = cottage(roof="air").door(4, 0, 6)
    for k in range(-1, 5):
        site.box("dirt", range(k + 1, 8 - k), 4 + k, [0, 6] if 0 <= k < 4 else [])
        site.box("red_terracotta", [k, 8 - k], 4 + k, (-1, 7))
    return site


@house(rooms=1, **WHOLE)
def stepped_pyramid():
    site = cottage(roof="air").door(4, 0, 6)
    for k in range(4):
        site.box("red_concrete", (k, 8 - k), 4 + k, (k, 6 - k))
    return site.clear((2, 6), 5, (2, 4)).clear((1, 7), 4, (1, 5))


@house(rooms=2, **WHOLE)
def jettied_storey():
    site = cottage().door(4, 0, 6).box("oak_planks", (-1, 9), 4, (-1, 7)).ring("dirt", (-1, 9), (5, 7), (-1, 7))
    for x in (-1, 9):
        for z in (-1, 7):
            site.box("stone", x, (4, 7), z)
    return site.box("red_wool", (-1, 9), 8, (-1, 7)).box("ladder[facing=south]", 1, (0, 4), 1)


@house(rooms=1, doors=1, **WHOLE)
def sunk_by_two():
    site = cottage(y=2, base=-2).clear((1, 7), (-2, -1), (1, 5)).door(4, 0, 6)
    return site.box("stone", 4, (-2, -1), 5).put(4, -2, 4, "stone")


@house(rooms=1, **WHOLE)
def lean_to_roof():
    site = cottage().door(4, 0, 6).clear((0, 8), 4, (0, 6))
    for z in range(7):
        site.box("dirt", (0, 8), range(4, 4 + z // 2), z).box("red_wool", (0, 8), 4 + z // 2, z)
        site.clear((1, 7), range(4, 4 + z // 2), z) if z < 6 else site.box("stone", [0, 8], range(4, 7), 6)
    return site.box("dirt", (1, 7), (4, 6), 6)


@house(rooms=1, **WHOLE)
def pyramid_roof_and_balustrade():
    return cottage().box("red_concrete", (1, 7), 5, (1, 5)).box("red_concrete", (2, 6), 6, (2, 4)).door(4, 0, 6)


@house(rooms=1, **WHOLE)
def door_in_a_deep_bay():
    site = cottage(10, 3, 8).clear((4, 6), (0, 3), 8).box("dirt", (3, 7), (0, 3), (6, 8)).clear((4, 6), (0, 3), (7, 8))
    return site.box("stone", [3, 7], (0, 3), 8).door(5, 0, 6)


@house(rooms=1, **WHOLE)
def windows_in_deep_reveals():
    site = cottage(10, 3, 8).ring("dirt", (1, 9), (0, 3), (1, 7)).box("glass_pane", (4, 6), (1, 2), 1)
    return site.clear((4, 6), (1, 2), 0).clear(5, (0, 1), 7).door(5, 0, 8)


@house(rooms=1, **WHOLE)
def door_in_a_deep_reveal():
    return cottage(10, 3, 8).ring("dirt", (1, 9), (0, 3), (1, 7)).clear(5, (0, 1), 8).door(5, 0, 7)


@house(rooms=1, **WHOLE)
def chimney_before_the_wall():
    return cottage().door(4, 0, 6).box("bricks", (3, 4), (0, 7), -1)


@house(rooms=1, **WHOLE)
def woodpile_against_the_wall():
    return cottage().door(4, 0, 6).box("oak_log[axis=z]", (1, 3), (0, 1), -1)


@house(rooms=1, **WHOLE)
def barrels_and_a_bench_against_the_wall():
    site = cottage().door(4, 0, 6).box("barrel", (1, 2), 0, -1).put(1, 1, -1, "barrel")
    return site.box("oak_stairs[facing=south]", (4, 6), 0, -1)


@house(rooms=1, **WHOLE, wrong={"corners": LEANING})
def flight_of_stairs_along_the_wall():
    site = cottage().door(4, 0, 6).box("cobblestone", (5, 7), 3, -1)
    for k in range(4):
        site.box("cobblestone", 1 + k, (0, k), -1).put(1 + k, k, -1, "cobblestone_stairs[facing=east]")
    return site


@house(rooms=1, **WHOLE)
def shelter_leaning_on_the_wall():
    site = cottage(12, 3, 8).door(4, 0, 8).box("oak_planks", (2, 5), 2, (-3, -1))
    return site.box("oak_fence", 2, (0, 1), -3).box("oak_fence", 5, (0, 1), -3)


def with_a_plinth() -> Site:
    site = cottage(y=4, base=1).box("stone_bricks", (0, 8), 0, (0, 6)).door(4, 1, 6)
    return site.put(4, 0, 7, "stone_brick_stairs[facing=north]")


@house(rooms=1, **WHOLE)
def plinth_in_the_plane_of_the_walls():
    return with_a_plinth()


@house(rooms=1, **WHOLE)
def plinth_around_a_floor_of_paths():
    return with_a_plinth().box("dirt_path", (1, 7), 0, (1, 5))


@house(rooms=1, **WHOLE)
def wood_shed_against_the_wall():
    site = cottage().door(4, 0, 6).box("oak_slab", (-2, -1), 2, (1, 4))
    return site.box("oak_fence", -2, (0, 1), 1).box("oak_fence", -2, (0, 1), 4)


@house(rooms=1, **WHOLE)
def cupola_on_the_roof():
    site = cottage(10, 3, 10).door(5, 0, 10).ring("red_stained_glass", (4, 6), 5, (4, 6))
    return site.box("red_wool", (4, 6), 6, (4, 6)).put(5, 4, 5, "air")


@house(rooms=1, **WHOLE)
def roof_between_the_walls():
    return cottage(roof="air").box("red_wool", (1, 7), 3, (1, 5)).door(4, 0, 6)


@house(rooms=1, **(WHOLE | {"north": False, "east": False, "west": False}))
def front_of_dirt_alone():
    site = cottage().door(4, 0, 6).box("oak_planks", (1, 7), (0, 3), 0)
    return site.box("oak_planks", 0, (0, 3), (1, 5)).box("oak_planks", 8, (0, 3), (1, 5))


CLAD = "what covers a wall up to three quarters of its height is taken to lean on it"


@house(rooms=1, **(WHOLE | dict.fromkeys(STEPS, False)), wrong=dict.fromkeys(STEPS, CLAD))
def walls_clad_with_planks_but_for_a_course():
    site = cottage().door(4, 0, 6).box("oak_planks", (1, 7), (0, 2), [-1, 7])
    return site.box("oak_planks", [-1, 9], (0, 2), (1, 5)).clear(4, (0, 1), 7)


@house(rooms=1, **(WHOLE | {"roof": False}))
def carpets_over_a_roof_of_planks():
    return cottage(roof="oak_planks").box("red_carpet", (0, 8), 5, (0, 6)).door(4, 0, 6)


@house(rooms=1, **(WHOLE | {"roof": False}))
def rim_of_planks():
    return cottage(roof="oak_planks").box("red_wool", (1, 7), 4, (1, 5)).door(4, 0, 6)


@house(rooms=1, **(WHOLE | {"corners": False}))
def corners_of_planks_above_half():
    site = cottage().door(4, 0, 6)
    for x in (0, 8):
        for z in (0, 6):
            site.box("oak_planks", x, (2, 3), z)
    return site


@house(rooms=1, **(WHOLE | {"roof": False}))
def rim_of_the_roof_alone():
    return cottage().box("oak_planks", (1, 7), 4, (1, 5)).door(4, 0, 6)


@house(rooms=1, corners=True, south=True, roof=True, north=False)
def fence_of_dirt_before_a_wall_of_planks():
    return cottage().door(4, 0, 6).box("oak_planks", (1, 7), (0, 3), 0).box("dirt", (0, 8), (0, 3), -2)


# Frames


def frame(storeys: int = 2, x: int = 8, z: int = 6) -> Site:
    site = Site()
    for k in range(storeys):
        for i in (0, x):
            for j in (0, z):
                site.box("white_concrete", i, (4 * k, 4 * k + 2), j)
        site.box("white_concrete", (0, x), 4 * k + 3, (0, z))
    return site


@house(storeys=2, storeys_reached=True, columns=True, floors=True)
def frame_with_stairs_without_a_facing():
    site = frame().clear((1, 3), 3, 3)
    for i in range(4):
        site.box("stone", 1 + i, (0, i), 3).put(1 + i, i, 3, "oak_stairs")
    return site


@house(storeys=2, storeys_reached=True, columns=True, floors=True)
def frame_around_a_lift_shaft():
    site = frame(2, 12, 10).ring("white_concrete", (4, 6), (0, 6), (4, 6)).clear(5, (0, 6), 5)
    return site.clear(5, (0, 1), 6).clear(5, (4, 5), 6).box("ladder[facing=south]", 5, (0, 6), 5)


@house(columns=False)
def frame_with_posts_of_fences():
    return frame().box("oak_fence", 4, (0, 2), 3).box("oak_fence", 4, (4, 6), 3)


@house(storeys=2, columns=True, floors=True)
def furnished_frame():
    site = frame().box("ladder[facing=east]", 1, (0, 3), 1).box("white_concrete", 0, (0, 3), 1)
    site.box("oak_fence", (1, 7), 4, 6).box("bookshelf", 4, (0, 1), 3).put(5, 0, 3, "barrel").box(
        "red_carpet", (2, 6), 4, 4
    )
    return site.box("oak_fence", 6, (0, 1), 3).put(6, 2, 3, "lantern[hanging=true]")


@house(storeys=2, floors=False)
def frame_with_planks_under_carpets():
    site = frame().box("ladder[facing=east]", 1, (0, 3), 0).box("oak_planks", (1, 7), 3, (1, 5))
    return site.box("red_carpet", (1, 7), 4, (1, 5))


# The tests

CASES = [
    pytest.param(
        name,
        question,
        id=f"{name.replace(' ', '-')}-{question.replace(' ', '-')}",
        marks=[pytest.mark.xfail(strict=True, reason=wrong[question])] if question in wrong else [],
    )
    for name, (_, answers, wrong) in HOUSES.items()
    for question in answers
]


@pytest.mark.parametrize(("name", "question"), CASES)
def test_what_it_is(name, question):
    draw, answers, _ = HOUSES[name]
    assert answer(draw().build(), question) == answers[question]


@pytest.mark.parametrize("name", HOUSES)
def test_it_is_the_same_turned_and_mirrored(name):
    draw, answers, _ = HOUSES[name]
    build = draw().build()
    for question in set(answers) - set(STEPS):
        given = answer(build, question)
        assert answer(build.turned(1).mirrored("x"), question) == given, question
        assert answer(build.turned(2), question) == given, question
