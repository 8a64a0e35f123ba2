"""The way over a bridge: where a walker gets from one end to the other without standing in the river."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Mask
from minece.checkers.crossings import Crossing
from minece.checkers.scene import Scene
from minece.checkers.stepping import BLOCK


@dataclass(frozen=True, eq=False)
class Deck:
    """The footings of a walker who crosses a gap.

    Over the gap he stands on blocks that lie above water level, in columns that are free at water level; he climbs
    nothing. ``from_ground``: he comes from the untouched ground on one bank and gets to that on the other; otherwise
    he starts and ends anywhere on blocks beside the gap.
    """

    scene: Scene
    crossing: Crossing
    from_ground: bool

    @cached_property
    def cells(self) -> Cells:
        """(m, 3) int32: the cells of the walker's footings."""
        return self.scene.remember("footings", lambda: self.scene.space.cells(self.scene.walker.at))

    @cached_property
    def over(self) -> Mask:
        """(m,) bool: the footings over the length of the gap, whether on the bridge or in the river."""
        return self.crossing.over(self.cells)

    @cached_property
    def barred(self) -> Mask:
        """(m,) bool: the footings that no walker over the bridge takes."""
        walker, space = self.scene.walker, self.scene.space
        water = space.level(0)
        state = space.state[:, water]
        held = (state != space.air) & (state != space.soil) & ~np.append(space.table.fluid, (False, False))[state]
        across, _, wide = space.strides[0], space.strides[1], space.shape[2]
        column = held[walker.at // across, walker.at % wide]
        wet = column | (walker.height <= BLOCK * (water + 1))
        out: Mask = (self.over & wet) | (walker.climb & ~walker.stand)
        return out

    @cached_property
    def ends(self) -> tuple[Mask, Mask]:
        """(m,) bool each: the footings where the way begins and ends, the low bank's first."""
        walker = self.scene.walker
        ground = BLOCK * self.scene.space.level(0)
        there = walker.outside & (walker.height == ground) if self.from_ground else walker.height > ground
        along = self.cells[:, self.crossing.axis]
        return there & (along < self.crossing.low), there & (along > self.crossing.high)

    def reached(self, width: int, end: int, *, backward: bool = False) -> Mask:
        """(m,) bool: the footings that a walker of a width gets to from one end, 0 or 1; with ``backward`` those from
        which he gets to it."""
        return self.scene.remember(
            (self.crossing, self.from_ground, width, end, backward),
            lambda: self.scene.walker.reach(self.ends[end], width=width, without=self.barred, backward=backward),
        )

    def is_crossed(self, width: int) -> bool:
        """Whether a walker of a width gets over the bridge both ways."""
        from_low = self.reached(width, 0)
        if not (from_low & self.ends[1]).any():
            return False
        return width > 1 or bool((self.reached(1, 0, backward=True) & self.ends[1]).any())

    @cached_property
    def walked(self) -> Mask:
        """(m,) bool: the footings from which one gets to both ends, where the bridge is crossed; else none."""
        both = self.reached(1, 0, backward=True) & self.reached(1, 1, backward=True)
        return both & self.reached(1, 0) if self.is_crossed(1) else np.zeros(len(both), dtype=np.bool_)

    @cached_property
    def surface(self) -> NDArray[np.int64]:
        """(length,) int64: height in the middle of the walked footings, by height, of each cross-section of the gap, in
        sixteenths above ground; -1 where there are none."""
        walker, crossing = self.scene.walker, self.crossing
        chosen = self.walked & self.over & crossing.within(self.cells, 0)
        at = self.cells[chosen, crossing.axis] - crossing.low
        height = walker.height[chosen].astype(np.int64) - BLOCK * self.scene.space.level(0)
        number = np.bincount(at, minlength=crossing.length)
        middle = np.cumsum(number) - number + number // 2
        out = np.full(crossing.length, -1, dtype=np.int64)
        out[number > 0] = height[np.lexsort((height, at))][middle[number > 0]]
        return out
