"""Storeys: floors one above another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minece.blocks.catalogue import materials
from minece.blocks.links import components
from minece.checkers.rooms import STOREY, Interior
from minece.checkers.walker import FLUSH, Walker

NO_FLOOR = materials("#bars, #glass_panes, #fences, #walls, #chains")
"""Materials on which somebody may stand, but which are no floor: railings."""
LEAST_AREA = 6
"""Cells of floor that a storey has by default."""


@dataclass(frozen=True, eq=False)
class Floor:
    """A piece of floor, flush and in one piece.

    ``footings`` positions in the walker's; ``level`` its height in sixteenths, as index heights of the space;
    ``reached`` whether a walker gets there; ``covered`` whether something closes above each of its cells.
    """

    footings: NDArray[np.int64]
    level: int
    reached: bool
    covered: bool


class Storeys:
    """The pieces of floor of a build, and which of them lie one above another."""

    def __init__(self, interior: Interior) -> None:
        self.interior = interior
        self.walker: Walker = interior.walker
        enclosure = interior.enclosure
        self._above = enclosure.covered.reshape(-1)[self.walker.at]
        # In a volume that nobody enters there are no floors, only voids.
        entered = np.zeros(enclosure.count + 1, dtype=np.bool_)
        entered[interior.volume_of[interior.reached & (interior.volume_of > 0)]] = True
        self._open = (interior.volume_of <= 0) | entered[interior.volume_of]
        space, up = enclosure.space, enclosure.space.strides[1]
        thin = np.append(space.table.matches(NO_FLOOR), (False, False))
        state = space.state.reshape(-1)
        self._open &= ~(thin[state[self.walker.at - up]] | thin[state[self.walker.at]])

    def floors(self, min_area: int, *, covered: bool = True) -> list[Floor]:
        """The pieces of floor of at least so many cells, by height: covered ones, or those on a block of the build
        with nothing above."""
        walker = self.walker
        if covered:
            chosen = walker.stand & self._above & self._open
        else:
            space, up = self.interior.enclosure.space, self.interior.enclosure.space.strides[1]
            own = space.state.reshape(-1)[walker.at] < space.air
            upon = space.state.reshape(-1)[walker.at - up] < space.air
            chosen = walker.stand & ~self._above & (own | upon)
        members = np.flatnonzero(chosen)
        if len(members) < min_area:
            return []
        place = np.full(len(walker.at), -1, dtype=np.int64)
        place[members] = np.arange(len(members))
        one, other = place[walker.tail], place[walker.head]
        flush = (np.abs(walker.rise) <= FLUSH) & (one >= 0) & (other >= 0)
        labels, number = components(len(members), one[flush], other[flush])
        order = np.argsort(labels, kind="stable")
        pieces = np.split(members[order], np.cumsum(np.bincount(labels, minlength=number))[:-1])
        out = [
            Floor(piece, int(walker.height[piece].min()), bool(self.interior.reached[piece].any()), covered)
            for piece in pieces
            if len(piece) >= min_area
        ]
        return sorted(out, key=lambda floor: floor.level)

    def tallest(self, floors: list[Floor]) -> list[list[Floor]]:
        """The storeys: the longest stack of floors that lie one above another in plan, at least 3 blocks apart, and
        for each of them all floors of about its height."""
        if not floors:
            return []
        levels = np.array([floor.level for floor in floors])
        longest = np.ones(len(floors), dtype=np.int64)
        below = np.full(len(floors), -1, dtype=np.int64)
        pairs = self._stacked(floors)
        for low, high in pairs:
            if levels[high] - levels[low] >= STOREY and longest[low] + 1 > longest[high]:
                longest[high], below[high] = longest[low] + 1, low
        top = int(np.lexsort((levels, -longest))[0])
        stack = []
        while top >= 0:
            stack.append(int(levels[top]))
            top = int(below[top])
        stack.reverse()
        return [
            [floor for floor in floors if level <= floor.level < above]
            for level, above in zip(stack, [*stack[1:], stack[-1] + STOREY], strict=True)
        ]

    def _stacked(self, floors: list[Floor]) -> list[tuple[int, int]]:
        """Pairs of floors (lower, higher) that share a column, in the order of the higher one."""
        space = self.interior.enclosure.space
        at = np.concatenate([self.walker.at[floor.footings] for floor in floors])
        which = np.repeat(np.arange(len(floors)), [len(floor.footings) for floor in floors])
        across, along, _ = space.strides
        column = at // across * along + at % along
        order = np.lexsort((which, column))
        column, which = column[order], which[order]
        found: set[tuple[int, int]] = set()
        for step in range(1, len(column)):
            same = column[step:] == column[:-step]
            if not same.any():
                break
            pairs = np.stack([which[:-step][same], which[step:][same]], axis=1)
            found.update(map(tuple, np.unique(pairs, axis=0).tolist()))
        return sorted(found, key=lambda pair: (pair[1], pair[0]))

    @cached_property
    def entered(self) -> list[list[Floor]]:
        """The storeys that a walker gets to, from the lowest, each with its floors."""
        return self.tallest([floor for floor in self.floors(LEAST_AREA) if floor.reached])

    @property
    def largest(self) -> list[NDArray[np.int64]]:
        """For each storey, entered or not, the footings of its largest floor."""
        storeys = self.tallest(self.floors(LEAST_AREA))
        return [max(storey, key=lambda floor: len(floor.footings)).footings for storey in storeys]
