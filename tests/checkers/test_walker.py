"""Where a walker stands and how far he gets: small worlds made by hand.

Tables of what single states do and comparisons with a slow, plain walker are in test_walker_against_plain.py.
"""

import numpy as np
import pytest

from minece.blocks import FACES, Build
from minece.checkers.scene import Scene
from minece.checkers.space import Space
from minece.checkers.walker import Walker

STAIR = "oak_stairs[facing=east]"


def walker(blocks, dug=()):
    build = Build.from_blocks(blocks, dug=dug)
    return Walker(Space(Scene(build).blocks, build.dug))


def row(*columns, z=0):
    """Blocks of columns along x, each from the ground up; "" is air."""
    return [(x, y, z, state) for x, column in enumerate(columns) for y, state in enumerate(column) if state]


def tunnel(*columns, roof=6):
    """The columns with walls at both sides and at the ends, so that nobody walks around them."""
    sides = [(x, y, z, "stone") for x in range(-1, len(columns) + 1) for y in range(roof) for z in (-1, 1)]
    ends = [(x, y, 0, "stone") for x in (-1, len(columns)) for y in range(roof)]
    return row(*columns) + sides + ends


def spots(walker, *cells):
    """The footings in the cells."""
    mask = np.zeros(len(walker), dtype=np.bool_)
    for cell in cells:
        number = walker.number.reshape(-1)[walker.space.flat(np.array([cell]))[0]]
        assert number >= 0, f"no footing in {cell}"
        mask[number] = True
    return mask


def gets(walker, start, goal, **how):
    """Whether one gets from a cell to another."""
    forth = (walker.reach(spots(walker, start), **how) & spots(walker, goal)).any()
    back = (walker.reach(spots(walker, goal), backward=True, **how) & spots(walker, start)).any()
    assert forth == back
    return bool(forth)


def ways(blocks, start, goal, **how):
    """Whether one gets there, and back."""
    found = walker(blocks)
    return gets(found, start, goal, **how), gets(found, goal, start, **how)


def feet(blocks, dug=()):
    """Cell → height of the feet, for the footings over and beside blocks and holes, not those on the ground around."""
    found = walker(blocks, dug)
    columns = {(x, z) for x, _, z, *_ in [*blocks, *dug]}
    return {
        (x, y, z): int(foot)
        for (x, y, z), foot in zip(found.space.cells(found.at).tolist(), found.foot, strict=True)
        if (x, z) in columns
    }


@pytest.mark.parametrize(
    ("column", "footings"),
    [
        (["stone"], {1: 0}),
        (["oak_slab"], {0: 8}),
        (["oak_slab[type=top]"], {1: 0}),
        (["red_carpet"], {0: 1}),
        (["stone", "red_carpet"], {1: 1}),
        (["snow"], {0: 0}),
        (["snow[layers=5]"], {0: 8}),
        (["dirt_path"], {0: 15}),
        (["white_bed"], {0: 9}),
        (["oak_fence"], {1: 8}),
        (["oak_fence", "red_carpet"], {1: 1}),
        (["oak_fence_gate"], {0: 0}),
        (["torch"], {0: 0}),
        (["short_grass"], {0: 0}),
        (["lantern"], {0: 9}),
        (["oak_trapdoor"], {0: 3}),
        (["oak_trapdoor[half=top]"], {1: 0}),
        (["oak_trapdoor[open=true]"], {0: 0}),
        (["oak_door[half=lower]", "oak_door[half=upper]"], {0: 0}),
        (["iron_door[half=lower]", "iron_door[half=upper]"], {0: 0}),
        (["water"], {}),
        (["", "water"], {}),
        (["", "", "stone"], {0: 0, 3: 0}),
        (["", "stone"], {2: 0}),
        (["", "oak_slab[type=top]"], {2: 0}),
        (["", "", "oak_slab"], {0: 0, 2: 8}),
        (["", "oak_trapdoor[half=top]"], {0: 0, 2: 0}),
        (["oak_slab", "", "oak_slab[type=top]"], {0: 8, 3: 0}),
        (["oak_slab", "", "oak_slab"], {2: 8}),
        (["ladder", "ladder"], {0: 0, 1: 0}),
        (["", "ladder", "ladder", "stone"], {0: 0, 1: 0, 4: 0}),
        (["ladder", "oak_trapdoor[half=top]"], {0: 0, 1: 0}),
        (["oak_fence", "ladder"], {1: 8}),
    ],
)
def test_one_stands_on_what_there_is(column, footings):
    assert feet(row(column)) == {(0, y, 0): foot for y, foot in footings.items()}


def test_a_hole_is_stood_in():
    assert feet([], [(0, -1, 0)]) == {(0, -1, 0): 0}
    assert feet([], [(0, -2, 0)]) == {(0, 0, 0): 0}, "too low to stand in"


def test_ladders_carry_only_at_their_foot():
    found = walker(row(["ladder", "ladder", "ladder"]))
    column = [spots(found, (0, y, 0)) for y in range(3)]
    assert [bool(found.stand[at].item()) for at in column] == [True, False, False]
    assert all(found.climb[at].all() for at in column)


def test_heights_and_free_heights():
    found = walker(row(["stone", "oak_slab", "", "", "stone"], ["", "", "water"]))
    on_slab, under_water = spots(found, (0, 1, 0)), spots(found, (1, 0, 0))
    on_ground = spots(found, (-1, 0, 0))
    assert found.height[on_slab] - found.height[on_ground] == 24
    assert found.clear[on_slab] == 40
    assert found.clear[under_water] == 32
    assert found.clear[on_ground] == 93


def test_the_ground_around_is_outside():
    found = walker(row(["stone"]))
    cells = found.space.cells(found.at)
    assert found.outside.sum() == 24
    assert (np.abs(cells[found.outside][:, [0, 2]]).max(axis=1) == 3).all()


DOOR = ["oak_door[half=lower]", "oak_door[half=upper]"]


@pytest.mark.parametrize(
    ("columns", "first", "last", "jumping", "walking"),
    [
        # Columns along a tunnel, where the feet are in the first and the last, whether one gets (there, back)
        # jumping, and the same without.
        ([[], ["stone"]], 0, 1, (True, True), (False, True)),
        ([[], ["stone"] * 2], 0, 2, (False, True), (False, True)),
        ([[], ["stone"] * 3], 0, 3, (False, True), (False, True)),
        ([[], ["stone"] * 4], 0, 4, (False, False), (False, False)),
        ([[], ["oak_slab"], ["stone"]], 0, 1, (True, True), (True, True)),
        ([["oak_slab"], ["stone"] * 2], 0, 2, (False, True), (False, True)),
        ([["oak_slab"], ["stone", "oak_slab"]], 0, 1, (True, True), (False, True)),
        ([["red_carpet"], ["stone"]], 0, 1, (True, True), (False, True)),
        ([[], ["stone", "red_carpet"]], 0, 1, (True, True), (False, True)),
        ([["snow[layers=2]"], ["stone", "snow[layers=3]"]], 0, 1, (True, True), (False, True)),
        ([["snow[layers=2]"], ["stone", "snow[layers=4]"]], 0, 1, (False, True), (False, True)),
        ([["snow[layers=4]"], ["stone", "snow[layers=3]"]], 0, 1, (True, True), (False, True)),
        ([["dirt_path"], ["stone", "oak_slab"]], 0, 1, (True, True), (True, True)),
        ([[], ["dirt_path"]], 0, 0, (True, True), (False, True)),
        ([[], [STAIR], ["stone"]], 0, 1, (True, True), (True, True)),
        ([[], [STAIR], ["stone", STAIR], ["stone"] * 2], 0, 2, (True, True), (True, True)),
        ([[], ["oak_stairs[facing=west]"], ["stone"]], 0, 1, (True, True), (False, True)),
        ([[], ["oak_stairs[facing=north]"], ["stone"]], 0, 1, (True, True), (False, True)),
        ([[], ["oak_stairs[facing=east,half=top]"], ["stone"]], 0, 1, (True, True), (False, True)),
        ([["stone"], ["oak_stairs[facing=west]"], []], 1, 0, (True, True), (True, True)),
        ([[], ["oak_fence"], []], 0, 0, (False, False), (False, False)),
        ([[], ["cobblestone_wall"], []], 0, 0, (False, False), (False, False)),
        ([["stone"], ["oak_fence"], []], 1, 0, (True, False), (True, False)),
        ([["oak_slab"], ["oak_fence"], []], 0, 0, (True, False), (False, False)),
        ([[], ["oak_fence_gate"], []], 0, 0, (True, True), (True, True)),
        ([[], DOOR, []], 0, 0, (True, True), (True, True)),
        ([[], ["oak_trapdoor[open=true]"], []], 0, 0, (True, True), (True, True)),
        ([[], ["oak_trapdoor"], []], 0, 0, (True, True), (True, True)),
        ([[], ["glass_pane"] * 2, []], 0, 0, (False, False), (False, False)),
        ([[], ["water"], []], 0, 0, (False, False), (False, False)),
        ([[], ["lantern"], []], 0, 0, (True, True), (True, True)),
        ([[], ["", "", "stone"], []], 0, 0, (True, True), (True, True)),
        ([[], ["", *["stone"] * 4], []], 0, 0, (False, False), (False, False)),
        # Head room: over the lower end of a step up, over the lower end of a fall, and just enough.
        ([["", "", "stone"], ["stone"]], 0, 1, (False, False), (False, False)),
        ([["", "", "oak_slab[type=top]"], ["stone"]], 0, 1, (False, False), (False, False)),
        ([["", "", "", "stone"], ["stone"]], 0, 1, (True, True), (False, True)),
        ([["", "", "oak_slab[type=top]"], ["oak_slab"], ["stone"]], 0, 1, (True, True), (True, True)),
        ([["", "", "stone"], ["oak_slab"]], 0, 0, (False, False), (False, False)),
        ([["stone"] * 3, ["", "", "", "stone"]], 3, 0, (False, False), (False, False)),
        ([["stone"], ["", "oak_slab[type=top]"], ["stone"]], 1, 1, (True, True), (False, False)),
        ([["stone"], ["", "", "stone"], ["stone"]], 1, 1, (False, False), (False, False)),
        ([["stone"], ["", "", "", "stone"], ["stone"]], 1, 1, (True, True), (False, False)),
    ],
)
def test_steps(columns, first, last, jumping, walking):
    start, goal = (0, first, 0), (len(columns) - 1, last, 0)
    assert ways(tunnel(*columns), start, goal) == jumping
    assert ways(tunnel(*columns), start, goal, jump=False) == walking


def test_two_footings_of_a_column_are_told_apart():
    bridge = tunnel([], [STAIR], ["stone"], ["", "", "", "stone"], [])
    assert ways(bridge, (0, 0, 0), (2, 1, 0)) == (True, True)
    assert ways(bridge, (3, 0, 0), (3, 4, 0)) == (False, True)


FLOOR = ["", "", "", "stone"]
"""A floor three blocks over the ground."""


@pytest.mark.parametrize(
    ("shaft", "up", "down"),
    [
        (["ladder"] * 4, True, True),
        (["ladder"] * 3, False, True),
        (["vine[west=true]"] * 4, True, True),
        (["scaffolding"] * 4, True, True),
        ([*["ladder"] * 3, "oak_trapdoor[half=top]"], True, True),
        ([*["ladder"] * 3, "oak_trapdoor[half=bottom,open=true]"], True, True),
        ([*["ladder"] * 3, "iron_trapdoor"], True, True),
        ([*["ladder"] * 3, "stone"], False, False),
        (["ladder", "ladder", "", "ladder"], False, True),
        ([], False, False),
    ],
)
@pytest.mark.parametrize("jump", [True, False])
def test_ladders(shaft, up, down, jump):
    """A shaft in a floor: from the ground below to the floor, and back."""
    blocks = tunnel(shaft, FLOOR)
    floor = walker(blocks)
    assert gets(floor, (0, 0, 0), (1, 4, 0), jump=jump) == up
    assert gets(floor, (1, 4, 0), (0, 0, 0), jump=jump) == down
    assert not gets(floor, (1, 0, 0), (1, 4, 0), step_free=True, ramps=True)


def test_a_ladder_is_left_by_jumping_off_whatever_the_walker_may():
    assert ways(tunnel(["ladder", "ladder"], ["stone"] * 2), (0, 0, 0), (1, 2, 0), jump=False) == (True, True)
    assert ways(tunnel(["ladder"], ["stone"] * 2), (0, 0, 0), (1, 2, 0)) == (False, True)


def test_a_ladder_that_ends_above_the_ground():
    """One drops off it, and catches it from right below or from beside."""
    hanging = walker(tunnel(["", "ladder", "ladder"], []))
    assert gets(hanging, (0, 2, 0), (0, 0, 0))
    assert not hanging.climb[spots(hanging, (0, 0, 0))].any()
    assert ("down", -16) in moves(hanging, (0, 1, 0), (0, 0, 0))
    assert moves(hanging, (0, 0, 0), (0, 1, 0)) == [("up", 16)]
    assert gets(hanging, (1, 0, 0), (0, 2, 0))
    assert not gets(hanging, (1, 0, 0), (0, 2, 0), jump=False)


def moves(walker, start, goal):
    """(side, rise) of every move between two cells."""
    a, b = (np.flatnonzero(spots(walker, cell))[0] for cell in (start, goal))
    chosen = (walker.tail == a) & (walker.head == b)
    return [(FACES[side], rise) for side, rise in zip(walker.side[chosen], walker.rise[chosen].tolist(), strict=True)]


def test_moves_tell_side_and_rise():
    found = walker(tunnel([], [STAIR], ["stone", "ladder[facing=west]", "ladder[facing=west]"]))
    assert moves(found, (0, 0, 0), (1, 1, 0)) == [("east", 8)]
    assert moves(found, (1, 1, 0), (0, 0, 0)) == [("west", -8)]
    assert moves(found, (1, 1, 0), (2, 1, 0)) == [("east", 0)]
    assert moves(found, (1, 1, 0), (2, 2, 0)) == [("east", 16)]
    assert moves(found, (2, 1, 0), (2, 2, 0)) == [("up", 16)]
    assert moves(found, (2, 2, 0), (2, 1, 0)) == [("down", -16)]
    assert (np.diff(found.tail) >= 0).all()


def test_the_space_does_not_wrap_around():
    found = walker(row(["stone"]))
    low, high = found.space.cells(found.at[found.tail]), found.space.cells(found.at[found.head])
    assert (np.abs(high - low)[:, [0, 2]].sum(axis=1) == 1).all()
    assert len(found.tail) == 2 * 2 * 6 * 7, "every two neighbours of 7 x 7 columns, both ways"


@pytest.mark.parametrize(
    ("columns", "last", "flush", "ramps"),
    [
        ([[], []], 0, True, True),
        ([[], ["red_carpet"]], 0, True, True),
        ([[], ["snow[layers=2]"]], 0, True, True),
        ([[], ["snow[layers=3]"]], 0, False, True),
        ([["stone"], ["dirt_path"]], 0, True, True),
        ([[], ["oak_slab"], ["stone"]], 1, False, True),
        ([[], [STAIR], ["stone"]], 1, False, True),
        ([[], ["oak_stairs[facing=west]"], ["stone"]], 1, False, False),
        ([[], ["stone"], []], 0, False, False),
        ([[], DOOR, []], 0, True, True),
        ([[], ["ladder"], []], 0, True, True),
    ],
)
def test_step_free(columns, last, flush, ramps):
    start, goal = (0, 1 if columns[0] == ["stone"] else 0, 0), (len(columns) - 1, last, 0)
    assert ways(tunnel(*columns), start, goal, step_free=True) == (flush, flush)
    assert ways(tunnel(*columns), start, goal, step_free=True, ramps=True) == (ramps, ramps)


def test_no_step_free_walk_through_mid_ladder():
    beside = tunnel(["stone"], ["", "ladder[facing=west]"], ["stone"])
    assert ways(beside, (0, 1, 0), (2, 1, 0)) == (True, True)
    assert ways(beside, (0, 1, 0), (2, 1, 0), step_free=True, ramps=True) == (False, False)


def wall(gap, height=3):
    """A wall along z, too long to be walked around within the space's margins but at its far ends, with a gap."""
    return [(0, y, z, "stone") for z in range(-12, 13) for y in range(height) if z not in gap]


@pytest.mark.parametrize(
    ("gap", "width", "through"),
    [([0], 1, True), ([0], 2, False), ([0, 1], 2, True), ([0, 1], 3, False), ([0, 1, 2], 3, True)],
)
def test_wide_walkers(gap, width, through):
    found = walker(wall(gap))
    around = spots(found, *((0, 0, z) for z in (*range(-15, -12), *range(13, 16))))
    reached = found.reach(spots(found, (-2, 0, 0)), width=width, without=around)
    assert reached[spots(found, (-2, 0, 5))].all()
    assert reached[spots(found, (2, 0, 0))].all() == through
    assert reached[spots(found, (0, 0, 0))].all() == through
    assert not reached[around].any()
    assert found.reach(spots(found, (-2, 0, 0)), width=width)[spots(found, (2, 0, 0))].all()


def test_wide_walkers_need_the_whole_width_of_a_step():
    half = [*wall([0, 1]), (-1, 0, 0, "oak_slab"), (0, 0, 0, "stone"), (0, 0, 1, "stone")]
    whole = [*half, (-1, 0, 1, "oak_slab")]
    for blocks, through in ((half, False), (whole, True)):
        found = walker([*blocks, *((1, 0, z, "stone") for z in range(-12, 13))])
        around = spots(found, *((0, 0, z) for z in (*range(-15, -12), *range(13, 16))))
        start, goal = spots(found, (-3, 0, 0)), spots(found, (1, 1, 0))
        assert found.reach(start, width=2, jump=False, without=around)[goal].all() == through
        assert found.reach(start, width=2, without=around)[goal].all()


def test_footings_can_be_taken_out():
    found = walker(tunnel([], [], []))
    middle = spots(found, (1, 0, 0))
    assert not gets(found, (0, 0, 0), (2, 0, 0), without=middle)
    assert gets(found, (0, 0, 0), (1, 0, 0))
    assert not found.reach(middle, without=middle).any()


def test_a_lamp_far_away_changes_nothing():
    house = tunnel([], [STAIR], ["stone", STAIR], ["stone"] * 2)
    assert ways([*house, (5000, 0, 7, "torch")], (0, 0, 0), (3, 2, 0), jump=False) == (True, True)
