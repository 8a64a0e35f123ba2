"""The walker: cases with known answers, and the same footings, moves and reach as a plain walker on random worlds."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_walker import BODY, FALL, PlainWalker

from minece.blocks import Build, tables
from minece.blocks.catalogue import block_names, describe
from minece.blocks.states import join_state
from minece.checkers.scene import Scene

ENOUGH = FALL + BODY
"""Free height beyond which nothing asks how much it is."""


class Plain:
    """The plain walker of a build."""

    def __init__(self, scene):
        axes = [axis.tolist() for axis in scene.space.axes]
        assert all(axis[-1] - axis[0] == len(axis) - 1 for axis in axes), "a shortened space is not for this walker"
        blocks = {(x, y, z): state for x, y, z, state in scene.blocks.rows()}
        self.walker = PlainWalker(
            blocks, map(tuple, scene.dug.tolist()), *([axis[i] for axis in axes] for i in (0, -1))
        )
        (self.x0, self.x1), _, (self.z0, self.z1) = ((axis[0], axis[-1]) for axis in axes)

    def footings(self):
        return {cell: (f.foot, min(f.clear, ENOUGH), f.stand, f.climb) for cell, f in self.walker.footings.items()}

    def outside(self):
        return {c for c in self.walker.footings if c[0] in (self.x0, self.x1) or c[2] in (self.z0, self.z1)}

    def moves(self):
        return {pair: None if move.upright else move.rise for pair, move in self.walker.moves.items()}

    def reach(self, start, **options):
        return self.walker.reach(start, **options)


class Fast:
    """The walker of a scene, told in cells."""

    def __init__(self, scene):
        self.walker = scene.walker
        self.at = [tuple(cell) for cell in scene.space.cells(self.walker.at).tolist()]

    def footings(self):
        w = self.walker
        assert np.array_equal(np.flatnonzero(w.number.reshape(-1) >= 0), w.at)
        assert np.array_equal(w.number.reshape(-1)[w.at], np.arange(len(w.at)))
        level = np.unravel_index(w.at, w.number.shape)[1]
        assert np.array_equal(w.height, 16 * level + w.foot)
        foots = (16 * np.array(self.at)[:, 1] + w.foot).tolist()
        rows = zip(foots, np.minimum(w.clear, ENOUGH).tolist(), w.stand.tolist(), w.climb.tolist(), strict=True)
        return dict(zip(self.at, rows, strict=True))

    def outside(self):
        return self._cells(self.walker.outside)

    def moves(self):
        w = self.walker
        found = {}
        for tail, head, rise in zip(w.tail.tolist(), w.head.tolist(), w.rise.tolist(), strict=True):
            a, b = self.at[tail], self.at[head]
            assert (a, b) not in found
            found[a, b] = None if (a[0], a[2]) == (b[0], b[2]) else rise
        return found

    def reach(self, start, *, without=(), **options):
        off = self._mask(without) if without else None
        return self._cells(self.walker.reach(self._mask(start), without=off, **options))

    def _mask(self, cells):
        wanted = set(cells)
        return np.array([cell in wanted for cell in self.at], dtype=bool)

    def _cells(self, mask):
        return {self.at[i] for i in np.flatnonzero(mask)}


def scene(blocks, dug=()):
    """The scene of blocks and of holes where no block is."""
    filled = {row[:3] for row in blocks}
    return Scene(Build.from_blocks(blocks, dug=[cell for cell in dug if cell not in filled]))


def marked(blocks, dug=()):
    """The same with two stones far from the middle, so that there is ground around it."""
    return scene([(-4, 0, -4, "stone"), *blocks, (4, 0, 4, "stone")], dug)


both = pytest.mark.parametrize("kind", [Plain, Fast])


# ---- one step

STAIR = "oak_stairs[facing={},half={}]"
TOP_SLAB, SLAB = "oak_slab[type=top]", "oak_slab[type=bottom]"
HATCH, LID = "oak_trapdoor[half=top]", "oak_trapdoor[half=bottom]"
OPEN_HATCH = "oak_trapdoor[half=top,open=true]"


def stone(*cells):
    return [(*cell, "stone") for cell in cells]


def hole(depth, *columns):
    return [(x, -1 - y, z) for x, z in columns for y in range(depth)]


def step(state, y=0):
    """One block at the middle."""
    return [(0, y, 0, state)]


def under(y, state, *columns):
    """A ceiling over the middle and the cell east of it."""
    return [(x, y, z, state) for x, z in columns or ((0, 0), (1, 0))]


G, M = (1, 0, 0), (0, 1, 0)  # the ground east of the middle, and on top of a whole block in the middle
IN = (0, 0, 0)  # in the cell of a lower block in the middle

# name: blocks, holes, from, to, how much higher the edge met is (None: there is no such move)
STEPS = {
    "flat ground": ([], [], G, IN, 0),
    "up a block": (step("stone"), [], G, M, 16),
    "down a block": (step("stone"), [], M, G, -16),
    "no step into a block": (step("stone"), [], G, IN, None),
    "two blocks are too high": (stone((0, 0, 0), (0, 1, 0)), [], G, (0, 2, 0), None),
    "stair from its low side": (step(STAIR.format("west", "bottom")), [], G, M, 8),
    "stair from its back": (step(STAIR.format("east", "bottom")), [], G, M, 16),
    "stair from a flank": (step(STAIR.format("north", "bottom")), [], G, M, 16),
    "stair from the other flank": (step(STAIR.format("south", "bottom")), [], G, M, 16),
    "down the low side of a stair": (step(STAIR.format("west", "bottom")), [], M, G, -8),
    "down the back of a stair": (step(STAIR.format("east", "bottom")), [], M, G, -16),
    "inner corner from its open side": (step("oak_stairs[facing=west,shape=inner_left]"), [], G, M, 16),
    "outer corner from its low side": (step("oak_stairs[facing=west,shape=outer_left]"), [], G, M, 8),
    "flight of stairs": (
        [(0, 0, 0, "oak_stairs[facing=east]"), *stone((1, 0, 0)), (1, 1, 0, "oak_stairs[facing=east]")],
        [],
        M,
        (1, 2, 0),
        8,
    ),
    "stair onto the floor above": ([(0, 0, 0, "oak_stairs[facing=east]"), *stone((1, 0, 0))], [], M, (1, 1, 0), 0),
    "stair up a whole storey's edge": (
        [(0, 0, 0, "oak_stairs[facing=east]"), *stone((1, 0, 0), (1, 1, 0))],
        [],
        M,
        (1, 2, 0),
        16,
    ),
    **{
        f"upside-down stair facing {facing}": (step(STAIR.format(facing, "top")), [], G, M, 16)
        for facing in ("north", "east", "south", "west")
    },
    "slab": (step(SLAB), [], G, IN, 8),
    "top slab": (step(TOP_SLAB), [], G, M, 16),
    "double slab": (step("oak_slab[type=double]"), [], G, M, 16),
    "slab to block": ([(0, 0, 0, SLAB), *stone((1, 0, 0))], [], IN, (1, 1, 0), 8),
    "slab to top slab": ([(0, 0, 0, SLAB), (1, 0, 0, TOP_SLAB)], [], IN, (1, 1, 0), 8),
    "top slab to slab above": ([(0, 0, 0, TOP_SLAB), *stone((1, 0, 0)), (1, 1, 0, SLAB)], [], M, (1, 1, 0), 8),
    "slab to slab a block higher": ([(0, 0, 0, SLAB), *stone((1, 0, 0)), (1, 1, 0, SLAB)], [], IN, (1, 1, 0), 16),
    "slab to a block a block higher": ([(0, 0, 0, SLAB), *stone((1, 0, 0), (1, 1, 0))], [], IN, (1, 2, 0), None),
    "no room below a top slab": (step(TOP_SLAB), [], G, IN, None),
    "carpet": (step("red_carpet"), [], G, IN, 1),
    "carpet on a block": ([*stone((0, 0, 0), (1, 0, 0)), (0, 1, 0, "red_carpet")], [], (1, 1, 0), M, 1),
    "carpet on a block from the ground": ([*stone((0, 0, 0)), (0, 1, 0, "red_carpet")], [], G, M, 17),
    "one layer of snow": (step("snow[layers=1]"), [], G, IN, 0),
    "two layers of snow": (step("snow[layers=2]"), [], G, IN, 2),
    "five layers of snow": (step("snow[layers=5]"), [], G, IN, 8),
    "six layers of snow": (step("snow[layers=6]"), [], G, IN, 10),
    "path": (step("dirt_path", -1), [], G, (0, -1, 0), -1),
    "off the path": (step("dirt_path", -1), [], (0, -1, 0), G, 1),
    "field": (step("farmland", -1), [], G, (0, -1, 0), -1),
    "bed": (step("red_bed[part=foot,facing=east]"), [], G, IN, 9),
    "chest": (step("chest"), [], G, IN, 14),
    "fence": (step("oak_fence"), [], G, M, None),
    "fence from a slab": ([(0, 0, 0, "oak_fence"), (1, 0, 0, SLAB)], [], G, M, 16),
    "fence from a block": ([(0, 0, 0, "oak_fence"), *stone((1, 0, 0))], [], (1, 1, 0), M, 8),
    "low wall": (step("cobblestone_wall"), [], G, M, None),
    "wall on a wall": ([(0, 0, 0, "cobblestone_wall"), (1, 0, 0, "cobblestone_wall")], [], (1, 1, 0), M, 0),
    "nobody stands beside a fence's post": (step("oak_fence"), [], G, IN, None),
    "pane": (step("glass_pane"), [], G, IN, None),
    "onto a pane": (step("glass_pane"), [], G, M, 16),
    "lantern on the floor": (step("lantern"), [], G, IN, 9),
    "lantern at the head": ([*stone((0, 2, 0)), (0, 1, 0, "lantern[hanging=true]")], [], G, IN, None),
    "lantern over the head": ([*stone((0, 3, 0)), (0, 2, 0, "lantern[hanging=true]")], [], G, IN, 0),
    "torch": (step("torch"), [], G, IN, 0),
    "sign": (step("oak_sign"), [], G, IN, 0),
    "flower": (step("poppy"), [], G, IN, 0),
    "water": (step("water"), [], G, IN, None),
    "water at the head": (step("water", 1), [], G, IN, None),
    "water over the head": (step("water", 2), [], G, IN, 0),
    "over water": (step("water", -1), [], G, IN, None),
    "into water": (step("water", -1), [], G, (0, -1, 0), None),
    "gate": (step("oak_fence_gate"), [], G, IN, 0),
    "gate along the way": (step("oak_fence_gate[facing=east]"), [], G, IN, 0),
    "nobody stands on a gate": (step("oak_fence_gate"), [], G, M, None),
    "door": ([(0, 0, 0, "oak_door[half=lower]"), (0, 1, 0, "oak_door[half=upper]")], [], G, IN, 0),
    "iron door": ([(0, 0, 0, "iron_door[half=lower]"), (0, 1, 0, "iron_door[half=upper]")], [], G, IN, 0),
    "nobody stands on a door": ([(0, 0, 0, "oak_door[half=lower]")], [], G, M, None),
    "lid on the floor": (step(LID), [], G, IN, 3),
    "lid at the top of its cell": (step(HATCH), [], G, M, 16),
    "below a lid at the top of the second cell": (step(HATCH, 1), [], G, IN, 0),
    "below a lid at the bottom of the second cell": (step(LID, 1), [], G, IN, None),
    "lid over a hole": (step(HATCH, -1), hole(4, (0, 0)), G, IN, 0),
    "open lid over a hole": (step(OPEN_HATCH, -1), hole(4, (0, 0)), G, IN, None),
    "open lid on the floor": (step("oak_trapdoor[open=true]"), [], G, IN, 0),
    "tunnel two high": (under(2, "stone"), [], G, IN, 0),
    "tunnel under slabs one and a half high": (under(1, TOP_SLAB), [], G, IN, None),
    "tunnel under low slabs": (under(2, SLAB), [], G, IN, 0),
    "tunnel one high": (under(1, "stone"), [], G, IN, None),
    "carpet in a tunnel": ([*step("red_carpet"), *under(2, "stone")], [], G, IN, 1),
    "two layers of snow in a tunnel": ([*step("snow[layers=2]"), *under(2, "stone")], [], G, IN, 2),
    "three layers of snow in a tunnel": ([*step("snow[layers=3]"), *under(2, "stone")], [], G, IN, None),
    "slab in a tunnel": ([*step(SLAB), *under(2, "stone")], [], G, IN, None),
    "slab in a tunnel two and a half high": ([*step(SLAB), *under(2, TOP_SLAB)], [], G, IN, 8),
    "slab beside a tunnel": ([*step(SLAB), *under(2, "stone", (1, 0))], [], G, IN, None),
    "up a block from under a roof": ([*step("stone"), *under(2, "stone", (1, 0))], [], G, M, None),
    "up a block from under a higher roof": ([*step("stone"), *under(3, "stone", (1, 0))], [], G, M, 16),
    "up a block to under a roof": ([*step("stone"), *under(3, "stone", (0, 0))], [], G, M, 16),
    "up a block to under a low roof": ([*step("stone"), *under(2, "stone", (0, 0))], [], G, M, None),
    "down a block to under a roof": ([*step("stone"), *under(2, "stone", (1, 0))], [], M, G, None),
    "down from three": (stone((0, 0, 0), (0, 1, 0), (0, 2, 0)), [], (0, 3, 0), G, -48),
    "down from four": (stone(*((0, y, 0) for y in range(4))), [], (0, 4, 0), G, None),
    "down from three and a carpet": (
        [*stone((0, 0, 0), (0, 1, 0), (0, 2, 0)), (0, 3, 0, "red_carpet")],
        [],
        (0, 3, 0),
        G,
        None,
    ),
    "down from four onto a block": ([*stone(*((0, y, 0) for y in range(4)), (1, 0, 0))], [], (0, 4, 0), (1, 1, 0), -48),
    "down from three through a floor": (
        [*stone((0, 0, 0), (0, 1, 0), (0, 2, 0), (1, 2, 0))],
        [],
        (0, 3, 0),
        G,
        None,
    ),
    "into a hole": ([], hole(3, (0, 0)), G, (0, -3, 0), -48),
    "out of a hole": ([], hole(1, (0, 0)), (0, -1, 0), G, 16),
    "soil overhead": ([], [(0, -3, 0), (0, -2, 0), (1, -3, 0), (1, -2, 0)], (0, -3, 0), (1, -3, 0), 0),
    "onto a ladder from the ground": (step("ladder"), [], G, IN, 0),
    "onto a ladder a block up": (step("ladder", 1), [], G, M, 16),
    "along a ladder": ([(0, 0, 0, "ladder"), (0, 1, 0, "ladder")], [], IN, M, None),
    "off a ladder to the side": (step("ladder", 2), [], (0, 2, 0), G, -32),
    "off a ladder up a block": (
        [(0, 1, 0, "ladder"), *stone((1, 0, 0), (1, 1, 0))],
        [],
        M,
        (1, 2, 0),
        16,
    ),
    "off a ladder up two blocks": (
        [(0, 0, 0, "ladder"), *stone((1, 0, 0), (1, 1, 0))],
        [],
        IN,
        (1, 2, 0),
        None,
    ),
    "no step from corner to corner": ([], [], (1, 0, 1), IN, None),
}
UPRIGHT = {"along a ladder"}


@both
@pytest.mark.parametrize("case", STEPS)
def test_steps(case, kind):
    blocks, dug, start, goal, rise = STEPS[case]
    moves = kind(marked(blocks, dug)).moves()
    assert moves.get((start, goal)) == rise
    assert ((start, goal) in moves) == (rise is not None or case in UPRIGHT)


# ---- getting there

RING = [(x, z) for x in range(-2, 3) for z in range(-2, 3) if max(abs(x), abs(z)) == 2]
DOOR = [(2, 0, 0, "oak_door[half=lower,facing=west]"), (2, 1, 0, "oak_door[half=upper,facing=west]")]
OUT = {(-5, 0, 0)}


def ring(*states):
    """A ring of 5 × 5 around the middle, one state for each height."""
    return [(x, y, z, state) for y, state in enumerate(states) for x, z in RING]


def but(blocks, *put):
    """The blocks with others put into their cells."""
    cells = {row[:3] for row in put}
    return [row for row in blocks if row[:3] not in cells] + list(put)


HOUSE = but(
    [*ring("stone", "stone", "stone"), *((x, 3, z, "oak_planks") for x in range(-2, 3) for z in range(-2, 3))], *DOOR
)
ATTIC = but(HOUSE, (0, 3, 0, "air"))
LADDER = [(0, y, 0, "ladder[facing=east]") for y in range(4)]
UPSTAIRS = (1, 4, 0)
FLIGHT = [
    *((x, x - 1, z, "oak_stairs[facing=east]") for x in range(1, 4) for z in (0, 1)),
    *((x, y, z, "stone") for z in (0, 1) for x in range(2, 6) for y in range(min(x - 1, 3))),
]
RAMP = [
    *((x, (x - 1) // 2, z, SLAB if x % 2 else TOP_SLAB) for x in range(1, 5) for z in (0, 1)),
    *((x, 0, z, "stone") for x in (3, 4) for z in (0, 1)),
    *((5, y, z, "stone") for y in (0, 1) for z in (0, 1)),
]

# name: blocks, holes, options, start, goals got to, goals not got to
WAYS = {
    "into a house by its door": (HOUSE, [], {}, OUT, [IN], [UPSTAIRS]),
    "step-free by the door": (HOUSE, [], {"step_free": True}, OUT, [IN], []),
    "not without the door": (HOUSE, [], {"without": {(2, 0, 0)}}, OUT, [], [IN, (2, 0, 0)]),
    "not two wide by a door of one": (HOUSE, [], {"width": 2}, OUT, [], [IN, (2, 0, 0)]),
    "two wide by two doors": (
        but(HOUSE, *((2, y, 1, f"oak_door[half={half},facing=west]") for y, half in enumerate(("lower", "upper")))),
        [],
        {"width": 2},
        OUT,
        [IN, (2, 0, 0), (2, 0, 1)],
        [],
    ),
    "three wide by two doors": (
        but(HOUSE, *((2, y, 1, f"oak_door[half={half},facing=west]") for y, half in enumerate(("lower", "upper")))),
        [],
        {"width": 3},
        OUT,
        [],
        [IN],
    ),
    "door without its upper half's room": (but(HOUSE, (2, 1, 0, "stone")), [], {}, OUT, [], [IN]),
    "fence": (ring("oak_fence"), [], {}, OUT, [], [IN, (2, 1, 0)]),
    "fence with a gate": (but(ring("oak_fence"), (2, 0, 0, "oak_fence_gate")), [], {}, OUT, [IN], [(2, 1, 0)]),
    "step-free by a gate": (
        but(ring("oak_fence"), (2, 0, 0, "oak_fence_gate")),
        [],
        {"step_free": True},
        OUT,
        [IN],
        [],
    ),
    "fence with a slab beside it": ([*ring("oak_fence"), (3, 0, 0, SLAB)], [], {}, OUT, [IN, (2, 1, 0)], []),
    "the slab without a jump": ([*ring("oak_fence"), (3, 0, 0, SLAB)], [], {"jump": False}, OUT, [], [IN]),
    "wall of cobblestone": (ring("cobblestone_wall"), [], {}, OUT, [], [IN]),
    "kerb": (ring("stone"), [], {}, OUT, [IN], []),
    "kerb without a jump": (ring("stone"), [], {"jump": False}, OUT, [], [IN]),
    "kerb of upside-down stairs": (ring("oak_stairs[half=top]"), [], {"jump": False}, OUT, [], [IN]),
    "kerb of slabs": (ring(SLAB), [], {"jump": False}, OUT, [IN], []),
    "kerb of slabs step-free": (ring(SLAB), [], {"step_free": True}, OUT, [], [IN]),
    "kerb of slabs by ramp": (ring(SLAB), [], {"step_free": True, "ramps": True}, OUT, [IN], []),
    "carpets step-free": (ring("red_carpet"), [], {"step_free": True}, OUT, [IN], []),
    "snow step-free": (ring("snow[layers=2]"), [], {"step_free": True}, OUT, [IN], []),
    "deep snow step-free": (ring("snow[layers=4]"), [], {"step_free": True}, OUT, [], [IN]),
    "snow half a block deep without a jump": (ring("snow[layers=5]"), [], {"jump": False}, OUT, [IN], []),
    "deeper snow without a jump": (ring("snow[layers=6]"), [], {"jump": False}, OUT, [], [IN]),
    "beds without a jump": (ring("red_bed"), [], {"jump": False}, OUT, [IN], []),
    "ladders over a kerb without a jump": ([*ring("stone"), (3, 0, 0, "ladder")], [], {"jump": False}, OUT, [IN], []),
    "panes": (ring("glass_pane", "glass_pane"), [], {}, OUT, [], [IN]),
    "moat": ([(x, -1, z, "water") for x, z in RING], [], {}, OUT, [], [IN]),
    "moat with a bridge of lids": (
        but([(x, -1, z, "water") for x, z in RING], (2, -1, 0, HATCH)),
        [],
        {"step_free": True},
        OUT,
        [IN],
        [],
    ),
    "dry moat of one": (stone((0, 0, 0)), hole(1, *RING), {}, OUT, [G], []),
    "dry moat of one without a jump": (stone((0, 0, 0)), hole(1, *RING), {"jump": False}, OUT, [(2, -1, 0)], [G]),
    "dry moat of four": (stone((0, 0, 0)), hole(4, *RING), {}, OUT, [], [G, (2, -4, 0)]),
    "dry moat of three": (stone((0, 0, 0)), hole(3, *RING), {}, OUT, [(2, -3, 0)], [G]),
    "dry moat from its bottom": (stone((0, 0, 0)), hole(3, *RING), {}, {(2, -3, 0)}, [(-2, -3, 0)], [G]),
    "who gets to the dry moat": (
        stone((0, 0, 0)),
        hole(3, *RING),
        {"backward": True},
        {(2, -3, 0)},
        [G, (-5, 0, 0), (-2, -3, 0)],
        [],
    ),
    "who gets out of the dry moat": (
        stone((0, 0, 0)),
        hole(3, *RING),
        {"backward": True},
        {(-5, 0, 0)},
        [(5, 0, 0)],
        [G, (2, -3, 0)],
    ),
    "moat bridged by open lids": (
        [(2, -1, 0, OPEN_HATCH)],
        hole(4, *RING),
        {},
        OUT,
        [],
        [IN],
    ),
    "pit with a ladder": (
        [(0, y, 0, "ladder") for y in range(-6, 0)],
        hole(6, (0, 0), (1, 0)),
        {"jump": False},
        OUT,
        [(0, -6, 0), (1, -6, 0)],
        [],
    ),
    "out of a pit with a ladder": (
        [(0, y, 0, "ladder") for y in range(-6, 0)],
        hole(6, (0, 0), (1, 0)),
        {"jump": False},
        {(1, -6, 0)},
        [(-5, 0, 0)],
        [],
    ),
    "pit without a ladder": ([], hole(6, (0, 0), (1, 0)), {}, OUT, [], [(0, -6, 0)]),
    "attic by a ladder": (but(ATTIC, *LADDER), [], {}, OUT, [UPSTAIRS], []),
    "attic by a ladder without a jump": (but(ATTIC, *LADDER), [], {"jump": False}, OUT, [UPSTAIRS], []),
    "attic by a ladder step-free": (but(ATTIC, *LADDER), [], {"step_free": True, "ramps": True}, OUT, [], [UPSTAIRS]),
    "mid-ladder step-free": (but(ATTIC, *LADDER), [], {"step_free": True}, {(0, 2, 0)}, [], [IN, UPSTAIRS]),
    "two wide up ladders": (
        [
            *((0, y, z, "ladder") for y in range(2) for z in (0, 1)),
            *((x, y, z, "stone") for x in (1, 2) for y in range(2) for z in (0, 1)),
        ],
        [],
        {"width": 2},
        OUT,
        [IN, (0, 0, 1)],
        [(0, 1, 0), (1, 2, 0), (2, 2, 0)],
    ),
    "attic by a vine": (but(ATTIC, *((0, y, 0, "vine[west=true]") for y in range(4))), [], {}, OUT, [UPSTAIRS], []),
    "attic by a ladder into a hatch": (but(ATTIC, *LADDER[:3], (0, 3, 0, HATCH)), [], {}, OUT, [UPSTAIRS], []),
    "attic by a ladder into an open hatch": (
        but(ATTIC, *LADDER[:3], (0, 3, 0, OPEN_HATCH)),
        [],
        {"jump": False},
        OUT,
        [UPSTAIRS],
        [],
    ),
    "attic by a hatch on the ladder's end": (but(ATTIC, *LADDER, (0, 4, 0, LID)), [], {}, OUT, [UPSTAIRS], []),
    "attic by a ladder too short": (but(ATTIC, *LADDER[:3]), [], {}, OUT, [(0, 2, 0)], [UPSTAIRS]),
    "attic by a ladder that ends under a lid": (but(ATTIC, *LADDER[:2], (0, 3, 0, HATCH)), [], {}, OUT, [], [UPSTAIRS]),
    "down from the attic by the hole": (ATTIC, [], {}, {UPSTAIRS}, [], [IN]),
    "down a ladder that hangs": (but(ATTIC, *LADDER[2:]), [], {}, {UPSTAIRS}, [IN, (-5, 0, 0)], []),
    "up a ladder that hangs": (but(ATTIC, *LADDER[2:]), [], {}, OUT, [IN], [(0, 2, 0), UPSTAIRS]),
    "down a ladder that hangs too high": (
        [*stone((1, 0, 0), (1, 1, 0), (1, 2, 0), (1, 3, 0)), (0, 4, 0, "ladder")],
        [],
        {},
        {(0, 4, 0)},
        [(1, 4, 0)],
        [IN],
    ),
    "up a flight of stairs": (FLIGHT, [], {"jump": False}, OUT, [(5, 3, 0)], []),
    "up a flight of stairs by ramp": (FLIGHT, [], {"step_free": True, "ramps": True}, {IN}, [(5, 3, 0)], []),
    "up a flight of stairs step-free": (FLIGHT, [], {"step_free": True}, {IN}, [], [(1, 1, 0), (5, 3, 0)]),
    "up a flight of stairs two wide": (
        FLIGHT,
        [],
        {"jump": False, "width": 2},
        {IN},
        [(5, 3, 0), (5, 3, 1)],
        [],
    ),
    "up a flight of stairs three wide": (FLIGHT, [], {"jump": False, "width": 3}, {IN}, [], [(5, 3, 0)]),
    "up a ramp of slabs": (RAMP, [], {"step_free": True, "ramps": True, "width": 2}, {IN}, [(5, 2, 0)], []),
    "up a ramp of slabs without ramps": (RAMP, [], {"step_free": True}, {IN}, [], [(1, 0, 0), (5, 2, 0)]),
    "stairs the wrong way round": (
        [(x, y, z, "oak_stairs[facing=west]" if y == x - 1 else s) for x, y, z, s in FLIGHT],
        [],
        {"jump": False},
        OUT,
        [],
        [(3, 3, 0)],
    ),
    "flat bridge over a gap": (
        [(x, -1, 0, "oak_planks") for x in (-2, 2)],
        hole(4, *RING),
        {"step_free": True},
        OUT,
        [IN],
        [],
    ),
    "no leap over a gap": (stone((0, 0, 0)), hole(5, *RING), {}, OUT, [], [G]),
}


@both
@pytest.mark.parametrize("case", WAYS)
def test_ways(case, kind):
    blocks, dug, options, start, reached, refused = WAYS[case]
    walker = kind(marked(blocks, dug))
    footings = walker.footings()
    assert start <= set(footings)
    got = walker.reach(start, **options)
    assert got >= set(reached)
    assert not got & set(refused)


# ---- footings

FOOTINGS = {
    "stair": (step("oak_stairs"), M, (16, True, False)),
    "slab": (step(SLAB), IN, (8, True, False)),
    "path": (step("dirt_path", -1), (0, -1, 0), (-1, True, False)),
    "fence": (step("oak_fence"), M, (24, True, False)),
    "ladder on the floor": (step("ladder"), IN, (0, True, True)),
    "ladder in the air": (step("ladder", 2), (0, 2, 0), (32, False, True)),
    "over a ladder": (step("ladder"), M, None),
    "ladder upon a fence": ([(0, 0, 0, "oak_fence"), (0, 1, 0, "ladder")], M, (24, True, True)),
    "carpet on a fence": ([(0, 0, 0, "oak_fence"), (0, 1, 0, "red_carpet")], M, (17, True, False)),
    "lid over a hatch over a ladder": (
        [(0, 0, 0, "ladder"), *((0, y, 0, LID) for y in (1, 2))],
        (0, 2, 0),
        (35, True, False),
    ),
    "no ladder under water": ([(0, 0, 0, "ladder"), (0, 1, 0, "water")], IN, None),
    "hatch over a ladder": ([(0, 0, 0, "ladder"), (0, 1, 0, HATCH)], M, (16, False, True)),
    "over the hatch": ([(0, 0, 0, "ladder"), (0, 1, 0, HATCH)], (0, 2, 0), None),
    "on a hatch": (step(HATCH, 1), (0, 2, 0), (32, True, False)),
    "lid": (step(LID), IN, (3, True, False)),
    "hanging lantern": (step("lantern[hanging=true]", 1), M, (26, True, False)),
    "leaves": (step("oak_leaves"), M, (16, True, False)),
    "in a gate": (step("oak_fence_gate"), IN, (0, True, False)),
    "scaffolding": (step("scaffolding"), IN, (0, True, True)),
    "block that no catalogue knows": (step("some_mod:machine"), M, (16, True, False)),
    "dirt put back": (step("dirt", -1), IN, (0, True, False)),
}


@both
@pytest.mark.parametrize("case", FOOTINGS)
def test_footings(case, kind):
    blocks, cell, expected = FOOTINGS[case]
    found = kind(marked(blocks)).footings().get(cell)
    assert (found and (found[0], *found[2:])) == expected


# ---- random worlds

STATES = [
    *["stone"] * 5,
    *["air"] * 3,
    SLAB,
    TOP_SLAB,
    "oak_slab[type=double]",
    *(STAIR.format(facing, half) for facing in ("north", "east", "south", "west") for half in ("bottom", "top")),
    "oak_stairs[facing=east,shape=inner_left]",
    "oak_stairs[facing=south,shape=outer_right]",
    "red_carpet",
    *(f"snow[layers={n}]" for n in (1, 2, 3, 8)),
    "dirt_path",
    "dirt",
    *["ladder[facing=east]"] * 3,
    "vine[north=true]",
    "scaffolding",
    HATCH,
    LID,
    OPEN_HATCH,
    "iron_trapdoor",
    "oak_fence",
    "oak_fence[east=true,west=true]",
    "cobblestone_wall[north=low]",
    "oak_fence_gate",
    "oak_fence_gate[facing=east,open=true]",
    "oak_door[half=lower]",
    "oak_door[half=upper]",
    "glass_pane[east=true]",
    "water",
    "lantern",
    "lantern[hanging=true]",
    "red_bed[part=head,facing=south]",
    "chest",
    "torch",
]


@st.composite
def worlds(draw):
    """Small boxes of blocks or air put over one another on and in the ground, within 5 × 6 × 5 cells."""
    state = st.sampled_from(STATES)
    size = st.sampled_from([1, 1, 1, 2, 5])
    rows = {}
    for _ in range(draw(st.integers(1, 14))):
        corner = draw(st.tuples(st.integers(0, 4), st.integers(-3, 3), st.integers(0, 4)))
        ends = [min(a + draw(size), most) for a, most in zip(corner, (5, 4, 5), strict=True)]
        what = draw(state)
        x, y, z = (range(a, b) for a, b in zip(corner, ends, strict=True))
        rows |= {(i, j, k): what for i in x for j in y for k in z}
    if rows.get((0, 0, 0), "air") == "air":
        rows[0, 0, 0] = "stone"
    return [(*cell, what) for cell, what in rows.items()]


TOPS = [state for state in dict.fromkeys(STATES) if state not in ("stone", "air", "water", "dirt")]


@st.composite
def landscapes(draw):
    """5 × 5 columns of stone up to two blocks high, each with something on top: many small differences of height."""
    columns = draw(st.lists(st.tuples(st.integers(0, 2), st.sampled_from(TOPS)), min_size=25, max_size=25))
    rows = []
    for i, (height, top) in enumerate(columns):
        x, z = divmod(i, 5)
        rows += [*((x, y, z, "stone") for y in range(height)), (x, height, z, top)]
    return rows


@given(worlds() | landscapes())
@settings(deadline=None, max_examples=60)
def test_same_footings_and_moves(blocks):
    world = scene(blocks)
    plain, fast = Plain(world), Fast(world)
    assert fast.footings() == plain.footings()
    assert fast.moves() == plain.moves()
    assert fast.outside() == plain.outside()


def test_every_shape():
    """Each block as it is placed by default, and each set of boxes that a state of some block has."""
    states = {(describe(name).boxes, name): name for name in sorted(block_names())}
    for name in sorted(block_names()):
        block = tables.block(name)
        for values in product(*(block.properties[key] for key in block.shape_by)):
            state = describe(name if not values else join_state(name, dict(zip(block.shape_by, values, strict=True))))
            states.setdefault((state.boxes, state.substance), state.state)
    laid = [(i // 40, 0, i % 40, state) for i, state in enumerate(states.values())]
    world = scene(laid)
    plain, fast = Plain(world), Fast(world)
    assert fast.footings() == plain.footings()
    assert fast.moves() == plain.moves()


KINDS = [{}, {"jump": False}, {"step_free": True}, {"step_free": True, "ramps": True}]
WAYS_TO_GO = [{}, {"backward": True}, {"width": 2}, {"width": 3, "backward": True}]


@given(worlds() | landscapes(), st.booleans(), st.data())
@settings(deadline=None, max_examples=60)
def test_same_reach(blocks, ground, data):
    """With or without the ground around, by which one gets nearly everywhere."""
    world = scene(blocks)
    plain, fast = Plain(world), Fast(world)
    near = sorted(cell for cell in plain.walker.footings if 0 <= min(cell[::2]) and max(cell[::2]) <= 4)
    some = st.sets(st.sampled_from(near), max_size=4) if near else st.just(set())
    start, without = data.draw(some), data.draw(some)
    if ground:
        start |= data.draw(st.sampled_from([set(), plain.outside()]))
    else:
        without |= set(plain.walker.footings) - set(near)
    for options, way in product(KINDS, WAYS_TO_GO):
        chosen = options | way | {"without": without}
        assert fast.reach(start, **chosen) == plain.reach(start, **chosen), chosen


@given(worlds())
@settings(deadline=None, max_examples=20)
def test_far_blocks_change_nothing_near(blocks):
    """The space leaves long empty stretches out; the walker must not notice."""
    near, far = Fast(scene(blocks)), Fast(scene([*blocks, (2, 40, 2, "stone"), (90, 20, 3, "stone")]))
    here = set(near.at)

    footings, moves = far.footings(), far.moves()
    assert {cell: what for cell, what in footings.items() if cell in here} == near.footings()
    assert {pair: rise for pair, rise in moves.items() if here.issuperset(pair)} == near.moves()
