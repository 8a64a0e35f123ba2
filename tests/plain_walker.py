"""A slow, plain walker: the reference that the vectorised one is compared with.

Dicts and loops over the catalogue's boxes, no arrays. All heights are in sixteenths of a block; those of footings and
lips count from the plane y = 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil, floor
from typing import TypeVar

from minece.blocks.catalogue import Substance, describe

Cell = tuple[int, int, int]
T = TypeVar("T")

BODY = 29  # 1.8 blocks, rounded up
STRIP = 4  # the outer quarter of a block, where a foot steps over its edge
FLUSH, STEP, JUMP, FALL = 2, 9, 18, 48
ENDLESS = 10**6
SIDES = ((-1, 0), (1, 0), (0, -1), (0, 1))
CLIMBED = {
    "ladder",
    "vine",
    "scaffolding",
    "twisting_vines",
    "twisting_vines_plant",
    "weeping_vines",
    "weeping_vines_plant",
    "cave_vines",
    "cave_vines_plant",
}
OPENED = ("_door", "_fence_gate")


@dataclass(frozen=True)
class Footing:
    """Where the walker's feet may be: the height of the feet, the free height above, what carries them, and the
    height at which each of the four sides is met."""

    foot: int
    clear: int
    stand: bool
    climb: bool
    lips: Mapping[tuple[int, int], int]


@dataclass(frozen=True)
class Move:
    """A way from one footing to another: how much the edge met is higher, and whether it leads along a ladder or
    straight down off it."""

    rise: int
    upright: bool


class PlainWalker:
    """Footings and moves among blocks (state by cell) and holes in the ground, within the columns given by the first
    and the last x and z and the heights of the first and the last y."""

    def __init__(self, blocks: Mapping[Cell, str], dug: Iterable[Cell], low: Cell, high: Cell) -> None:
        self.blocks = blocks
        self.dug = frozenset(dug)
        self.low, self.high = low, high
        self.footings: dict[Cell, Footing] = {}
        for x in range(low[0], high[0] + 1):
            for y in range(low[1], high[1] + 1):
                for z in range(low[2], high[2] + 1):
                    footing = self._footing((x, y, z))
                    if footing is not None:
                        self.footings[x, y, z] = footing
        self.moves: dict[tuple[Cell, Cell], Move] = {}
        for cell in self.footings:
            self._moves_beside(cell)
            self._moves_upright(cell)

    # ---- what a cell holds

    def _is_soil(self, cell: Cell) -> bool:
        return cell[1] < 0 and cell not in self.dug and cell not in self.blocks

    def _is_fluid(self, cell: Cell) -> bool:
        return cell in self.blocks and describe(self.blocks[cell]).substance is Substance.FLUID

    def _is_climbed(self, cell: Cell) -> bool:
        """A ladder or the like, or a trapdoor right above one."""
        if self._hung(cell):
            return True
        x, y, z = cell
        return self._material(cell).endswith("_trapdoor") and self._hung((x, y - 1, z))

    def _hung(self, cell: Cell) -> bool:
        return self._material(cell) in CLIMBED

    def _material(self, cell: Cell) -> str:
        return describe(self.blocks[cell]).material if cell in self.blocks else ""

    def _boxes(self, cell: Cell) -> list[tuple[float, ...]]:
        """The boxes, in sixteenths, that stop the walker in a cell."""
        if self._is_soil(cell):
            return [(0, 0, 0, 16, 16, 16)]
        if cell not in self.blocks or self._is_climbed(cell) or self._is_fluid(cell):
            return []
        if self._material(cell).endswith(OPENED):
            return []
        if self._material(cell).endswith("_trapdoor") and "open=true" in describe(self.blocks[cell]).state:
            return []
        return [tuple(16 * v for v in box) for box in describe(self.blocks[cell]).boxes]

    def _top(self, cell: Cell) -> int | None:
        return max((ceil(box[4]) for box in self._boxes(cell)), default=None)

    def _bottom(self, cell: Cell) -> int | None:
        return min((floor(box[1]) for box in self._boxes(cell)), default=None)

    def _lip(self, cell: Cell, side: tuple[int, int]) -> int:
        """How high above the cell's floor the boxes in it are met from one side."""
        dx, dz = side
        x0, x1 = {-1: (0, STRIP), 0: (0, 16), 1: (16 - STRIP, 16)}[dx]
        z0, z1 = {-1: (0, STRIP), 0: (0, 16), 1: (16 - STRIP, 16)}[dz]
        reaching = [box for box in self._boxes(cell) if box[0] < x1 and box[3] > x0 and box[2] < z1 and box[5] > z0]
        return max(ceil(box[4]) for box in reaching or self._boxes(cell))

    # ---- footings

    def _footing(self, cell: Cell) -> Footing | None:
        x, y, z = cell
        if self._is_fluid(cell):
            return None
        climb = self._is_climbed(cell)
        own, under = self._top(cell), self._top((x, y - 1, z))
        if own is not None:
            if own >= 16:
                return None
            support, floor, foot = cell, 16 * y, 16 * y + own
        elif under is not None and under >= 16:
            support, floor, foot = (x, y - 1, z), 16 * (y - 1), 16 * (y - 1) + under
        elif climb:
            clear = self._clear(cell, 16 * y)
            return Footing(16 * y, clear, False, True, dict.fromkeys(SIDES, 16 * y)) if clear >= BODY else None
        else:
            return None
        clear = self._clear(cell, foot)
        if clear < BODY:
            return None
        return Footing(foot, clear, True, climb, {side: floor + self._lip(support, side) for side in SIDES})

    def _clear(self, cell: Cell, foot: int) -> int:
        x, y, z = cell
        for above in range(y + 1, self.high[1] + 1):
            if self._is_fluid((x, above, z)):
                return 16 * above - foot
            bottom = self._bottom((x, above, z))
            if bottom is not None:
                return 16 * above + bottom - foot
        return ENDLESS

    # ---- moves

    def _head_room(self, a: Footing, b: Footing) -> bool:
        return a.clear >= max(0, b.foot - a.foot) + BODY and b.clear >= max(0, a.foot - b.foot) + BODY

    def _moves_beside(self, cell: Cell) -> None:
        x, _, z = cell
        a = self.footings[cell]
        for dx, dz in SIDES:
            for y in range(self.low[1], self.high[1] + 1):
                other = (x + dx, y, z + dz)
                if other not in self.footings:
                    continue
                b = self.footings[other]
                rise = b.lips[-dx, -dz] - a.lips[dx, dz]
                if rise > JUMP:
                    rise = max(b.lips[-dx, -dz] - a.foot, STEP + 1)
                if -FALL <= rise <= (16 + STEP if a.climb else JUMP) and self._head_room(a, b):
                    self.moves[cell, other] = Move(rise, False)

    def _moves_upright(self, cell: Cell) -> None:
        x, y, z = cell
        a = self.footings[cell]
        above, below = (x, y + 1, z), (x, y - 1, z)
        if not a.climb:
            rung = self.footings.get(above)
            if rung is not None and rung.climb and self._head_room(a, rung):
                self.moves[cell, above] = Move(rung.foot - a.foot, True)
            return
        for other in (above, below):
            if other in self.footings and self.footings[other].climb:
                self.moves[cell, other] = Move(self.footings[other].foot - a.foot, True)
        if self._is_climbed(below):
            return
        for lower in range(y - 1, self.low[1] - 1, -1):
            other = (x, lower, z)
            if other in self.footings:
                fall = a.foot - self.footings[other].foot
                if fall <= FALL and self.footings[other].clear >= fall + BODY:
                    self.moves[cell, other] = Move(-fall, True)

    # ---- reach

    def reach(
        self,
        start: Iterable[Cell],
        *,
        jump: bool = True,
        step_free: bool = False,
        ramps: bool = False,
        width: int = 1,
        without: Iterable[Cell] = (),
        backward: bool = False,
    ) -> set[Cell]:
        """The footings a walker gets to from the start's, or from where it gets to them."""
        usable = set(self.footings) - set(without)
        after: dict[Cell, set[Cell]] = defaultdict(set)
        for tail, head in self.moves:
            if tail in usable and head in usable and self._allowed(tail, head, jump, step_free, ramps):
                after[tail].add(head)
        begin = set(start) & usable
        if width > 1:
            standing = {cell for cell in usable if self.footings[cell].stand}
            return self._reach_wide(begin, standing, after, width)
        if backward:
            before: dict[Cell, set[Cell]] = defaultdict(set)
            for tail, heads in after.items():
                for head in heads:
                    before[head].add(tail)
            after = before
        return _spread(begin, after)

    def _allowed(self, tail: Cell, head: Cell, jump: bool, step_free: bool, ramps: bool) -> bool:
        move = self.moves[tail, head]
        if step_free:
            standing = self.footings[tail].stand and self.footings[head].stand
            return standing and not move.upright and abs(move.rise) <= (STEP if ramps else FLUSH)
        climbs = self.footings[tail].climb
        return climbs or move.rise <= (JUMP if jump else STEP)

    def _reach_wide(
        self, begin: set[Cell], usable: set[Cell], after: Mapping[Cell, set[Cell]], width: int
    ) -> set[Cell]:
        """The walker covers width × width footings, neighbours joined both ways, and moves by a column at a time.

        He sets out from wherever he covers some of ``begin``, and is too wide for ladders."""

        def joined(a: Cell, b: Cell) -> bool:
            return b in after.get(a, ()) and a in after.get(b, ())

        columns: dict[tuple[int, int], list[Cell]] = defaultdict(list)
        for cell in usable:
            columns[cell[0], cell[2]].append(cell)

        footprints: list[frozenset[Cell]] = []

        def lay(x: int, z: int, laid: list[Cell]) -> None:
            """Add a footing of the next column of the square whose first column is x, z."""
            if len(laid) == width * width:
                footprints.append(frozenset(laid))
                return
            i, j = divmod(len(laid), width)
            for cell in columns.get((x + i, z + j), ()):
                if (i == 0 or joined(cell, laid[-width])) and (j == 0 or joined(cell, laid[-1])):
                    lay(x, z, [*laid, cell])

        for x, z in list(columns):
            lay(x, z, [])

        covering: dict[Cell, set[frozenset[Cell]]] = defaultdict(set)
        for footprint in footprints:
            for cell in footprint:
                covering[cell].add(footprint)
        onward: dict[frozenset[Cell], set[frozenset[Cell]]] = {
            footprint: {
                other
                for cell in footprint
                for other in covering[cell]
                if len(footprint & other) == width * (width - 1) and _corner(footprint) != _corner(other)
            }
            for footprint in footprints
        }
        reached = _spread({footprint for cell in begin for footprint in covering[cell]}, onward)
        return set().union(*reached)


def _corner(footprint: frozenset[Cell]) -> tuple[int, int]:
    return min(x for x, _, _ in footprint), min(z for _, _, z in footprint)


def _spread(begin: set[T], after: Mapping[T, set[T]]) -> set[T]:
    reached, waiting = set(begin), list(begin)
    while waiting:
        for other in after.get(waiting.pop(), ()):
            if other not in reached:
                reached.add(other)
                waiting.append(other)
    return reached
