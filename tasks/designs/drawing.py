"""A drawing: what a design puts where, in an order in which each block is carried when it is placed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal, TypeAlias

from minece.blocks.catalogue import describe
from minece.blocks.states import canonical_state
from minece.tasks.errors import FamilyError
from minece.tasks.paths import Cell

Place: TypeAlias = tuple[int, int]
"""A cell in plan: x and z."""
Placement: TypeAlias = tuple[Cell, str | None]
"""A cell and the state placed there; None takes away what is there, soil too."""
Side = Literal["north", "east", "south", "west"]

MOST_CELLS = 100_000
"""Cells of one drawing."""
SIDES: dict[Side, Place] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
"""The four sides in plan, clockwise, and the step towards each."""

_STEPS = ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1))


def opposite(side: Side) -> Side:
    """The side that looks the other way."""
    return turned(side, 2)


def turned(side: Side, quarters: int = 1) -> Side:
    """A side turned clockwise, seen from above."""
    names = list(SIDES)
    return names[(names.index(side) + quarters) % 4]


def side_of(step: Place) -> Side:
    """The side that a step of one in plan goes to."""
    return next(side for side, found in SIDES.items() if found == step)


class Drawing:
    """Cells and what stands in them. Drawing over a cell replaces what was meant for it, at its place in the order."""

    def __init__(self) -> None:
        self._cells: dict[Cell, str | None] = {}
        self._standing: set[Cell] = set()

    def __contains__(self, cell: Cell) -> bool:
        return self._cells.get(cell) is not None

    def __getitem__(self, cell: Cell) -> str | None:
        return self._cells[cell]

    def put(self, cell: Cell, block: str) -> None:
        """One block."""
        if len(self._cells) >= MOST_CELLS:
            raise FamilyError(f"more than {MOST_CELLS} cells", mend="draw something smaller")
        self._cells[cell] = block

    def leave(self, *cells: Cell) -> None:
        """Put nothing into these cells after all."""
        for cell in cells:
            self._cells.pop(cell, None)

    def hollow(self, cell: Cell) -> None:
        """Leave a cell empty, of soil too."""
        self._cells.pop(cell, None)
        if cell[1] < 0:
            self._cells[cell] = None

    def take(self, cell: Cell) -> None:
        """Take away what an earlier turn left in a cell, or its soil."""
        self._cells[cell] = None

    def dig(self, at: Cell, size: Cell) -> None:
        """Take the soil out of the part of a box that lies below ground, from above."""
        for x, y, z in reversed(list(_box(at, size))):
            if y < 0 and (x, y, z) not in self._cells:
                self._cells[x, y, z] = None

    def box(self, at: Cell, size: Cell, block: str, *, omit: Collection[Cell] = ()) -> None:
        """A full box, layer by layer, from its low corner."""
        for cell in _box(at, size):
            if cell not in omit:
                self.put(cell, block)

    def ring(self, at: Cell, size: Cell, block: str, *, omit: Collection[Cell] = ()) -> None:
        """The outer cells in plan of a box."""
        (x0, _, z0), (width, _, depth) = at, size
        for x, y, z in _box(at, size):
            if (x in (x0, x0 + width - 1) or z in (z0, z0 + depth - 1)) and (x, y, z) not in omit:
                self.put((x, y, z), block)

    def layer(self, places: Iterable[Place], y: int, block: str) -> None:
        """One block at a height in each of some places, in the order of a box."""
        for x, z in sorted(places):
            self.put((x, y, z), block)

    def line(self, one: Cell, other: Cell, block: str) -> None:
        """All cells of the box between two cells, both included."""
        low = (min(one[0], other[0]), min(one[1], other[1]), min(one[2], other[2]))
        size = (abs(one[0] - other[0]) + 1, abs(one[1] - other[1]) + 1, abs(one[2] - other[2]) + 1)
        self.box(low, size, block)

    def column(self, at: Cell, height: int, block: str) -> None:
        """Blocks one upon another from a foot."""
        self.box(at, (1, height, 1), block)

    def door(self, at: Cell, facing: Side, block: str = "oak_door", *, hinge: str = "left") -> None:
        """A whole door: its lower half in a cell, the upper above. ``facing`` is where one looks who goes in."""
        x, y, z = at
        self.put(at, f"{block}[facing={facing},half=lower,hinge={hinge}]")
        self.put((x, y + 1, z), f"{block}[facing={facing},half=upper,hinge={hinge}]")

    def bed(self, foot: Cell, facing: Side, block: str = "red_bed") -> None:
        """A whole bed: its foot in a cell, its head one further to ``facing``."""
        (x, y, z), (dx, dz) = foot, SIDES[facing]
        self.put(foot, f"{block}[facing={facing},part=foot]")
        self.put((x + dx, y, z + dz), f"{block}[facing={facing},part=head]")

    def flight(
        self, at: Cell, facing: Side, steps: int, block: str = "oak_stairs", *, solid: str = "", clear: int = 0
    ) -> Cell:
        """Stairs that rise from a cell towards a side, one up and one on at each tread.

        ``solid``: the block under the treads, down to the height of the first one. Without it each tread must lie
        beside a wall. ``clear`` cells above each tread are left free, whatever was drawn there. Gives back the cell
        of the last tread.
        """
        (x, y, z), (dx, dz) = at, SIDES[facing]
        for i in range(steps):
            cell = (x + dx * i, y + i, z + dz * i)
            for under in range(y, y + i if solid else y):
                self.put((cell[0], under, cell[2]), solid)
            self.put(cell, f"{block}[facing={facing}]")
            for above in range(cell[1] + 1, cell[1] + 1 + clear):
                self.hollow((cell[0], above, cell[2]))
        return cell

    def ladder(self, at: Cell, height: int, facing: Side) -> None:
        """A ladder from a cell upward; the wall that holds it lies on the side opposite to ``facing``."""
        x, y, z = at
        for up in range(height):
            self.leave((x, y + up, z))  # what was meant for the cell came before the wall that holds the ladder
            self.put((x, y + up, z), f"ladder[facing={facing}]")

    def change(self, before: Drawing, after: Drawing) -> None:
        """What turns one drawing into another: first what goes, from above, then what comes."""
        gone = [cell for cell, block in before._cells.items() if block is not None and after._cells.get(cell) is None]
        for cell in reversed(gone):
            self.take(cell)
        self._standing |= {cell for cell, block in before._cells.items() if block is not None} - set(gone)
        for cell, block in after._cells.items():
            if before._cells.get(cell, "") != block:
                self._cells.pop(cell, None)
                self._cells[cell] = block

    def placements(self, at: Cell = (0, 0, 0)) -> list[Placement]:
        """What to place, moved by a step: each block after one that touches it by a face, as far as there is one.

        Doors, lamps and the like come last. Apart from that the order of drawing stays. Blocks on the ground or in it
        need no other.
        """
        dx, dy, dz = at
        waiting: dict[Cell, list[Cell]] = {}
        placed: set[Cell] = set()
        standing = set(self._standing)
        out: list[Placement] = []
        last: list[Placement] = []
        for first in self._cells:
            ready = [first]
            while ready:
                cell = ready.pop()
                if cell in placed:
                    continue
                x, y, z = cell
                beside = [(x + a, y + b, z + c) for a, b, c in _STEPS]
                block = self._cells[cell]
                if block is not None and not describe(canonical_state(block)).structural:
                    last.append(((x + dx, y + dy, z + dz), block))
                    placed.add(cell)
                    continue
                soil = y <= 0 and any(near[1] < 0 and near not in self._cells for near in beside)
                if block is not None and not soil and standing.isdisjoint(beside):
                    for near in beside:
                        if self._cells.get(near) is not None:
                            waiting.setdefault(near, []).append(cell)
                    continue
                out.append(((x + dx, y + dy, z + dz), block))
                placed.add(cell)
                if block is not None:
                    standing.add(cell)
                    ready += reversed(waiting.pop(cell, ()))
        left = self._cells.keys() - placed
        out += [((x + dx, y + dy, z + dz), block) for (x, y, z), block in self._cells.items() if (x, y, z) in left]
        return out + last


def _box(at: Cell, size: Cell) -> Iterable[Cell]:
    """Layer by layer upward, row by row, each row beginning where the one before ended."""
    (x0, y0, z0), (width, height, depth) = at, size
    along: Sequence[int] = range(z0, z0 + depth)
    for y in range(y0, y0 + height):
        for x in range(x0, x0 + width):
            yield from ((x, y, z) for z in along)
            along = along[::-1]
