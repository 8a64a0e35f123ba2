"""Where a build bridges a gap: strips without a support at water level, between two supports and with a deck above.

A bridge runs along x or z, and no place is special: the gaps are looked for along both axes, in every group of columns
that touch one another in plan. Water level is the ground, y = 0; fluids are free.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Frame, Mask
from minece.blocks.grid import find, unique_cells
from minece.checkers.errors import RuleError
from minece.checkers.groups import flattened, group_cells
from minece.checkers.scene import Scene
from minece.checkers.space import MOST_CELLS

_SIDES = {0: ("west", "east"), 2: ("north", "south")}


@dataclass(frozen=True, eq=False, slots=True)
class Crossing:
    """A gap that is bridged.

    Attributes
    ----------
    axis : along which the bridge runs, 0 (x) or 2 (z); the river runs along the other one, across the bridge
    low, high : first and last free cell of the gap along the axis
    near, far : first and last cell across the bridge of what lies over the gap
    reach : first and last cell across of the whole bridge, its ends on the banks included
    rows : (k,) int64, positions of the bridge's blocks at water level and above, without fluids
    """

    axis: int
    low: int
    high: int
    near: int
    far: int
    reach: tuple[int, int]
    rows: NDArray[np.int64]

    @property
    def across(self) -> int:
        """The other axis in plan."""
        return 2 - self.axis

    @property
    def length(self) -> int:
        """Free cells along the axis."""
        return self.high - self.low + 1

    @property
    def sides(self) -> tuple[str, str]:
        """The sides on which the banks lie, the low one first."""
        return _SIDES[self.axis]

    def over(self, cells: Cells) -> Mask:
        """(n,) bool: the cells of the gap's length, whatever their place across."""
        along = cells[:, self.axis]
        out: Mask = (along >= self.low) & (along <= self.high)
        return out

    def within(self, cells: Cells, beyond: int) -> Mask:
        """(n,) bool: the cells as wide as what lies over the gap, and ``beyond`` cells further on both sides."""
        across = cells[:, self.across]
        out: Mask = (across >= self.near - beyond) & (across <= self.far + beyond)
        return out


def crossings(scene: Scene, *, boat: int = 0, river: int = 1) -> list[Crossing]:
    """The longest possible gaps, the longest first; of ``river`` cells or more where there are such.

    In a gap nothing lies at water level over the width of what bridges it and ``boat`` cells beyond on both sides; the
    bridge lies over all of it and reaches a support at water level on both of its ends.
    """
    found = scene.remember(("crossings", boat), lambda: _crossings(scene, boat))
    long = [one for one in found if one.length >= river]
    return long or [one for one in found if one.length == found[0].length]


def broken_off(scene: Scene) -> Cells:
    """Where a bridge is missing something: the blocks nearest to each other of the two largest groups of columns;
    of one group those that lie over a free place at water level; else all blocks."""
    from scipy.spatial import cKDTree

    cells = scene.cells[~scene.fluid & (scene.cells[:, 1] >= 0)]
    if not len(cells):
        return scene.cells
    member, number = _members(cells)
    sizes = np.bincount(member, minlength=number)
    if number > 1:
        one, other = (cells[member == k] for k in np.argsort(-sizes, kind="stable")[:2])
        found = []
        for these, those in ((one, other), (other, one)):
            far = np.asarray(cKDTree(those[:, [0, 2]]).query(these[:, [0, 2]], p=np.inf)[0])
            found.append(these[far == far.min()])
        return unique_cells(np.concatenate(found))
    low = cells[cells[:, 1] == 0]
    frame = Frame.around(cells)
    flat = cells.copy()
    flat[:, 1] = 0
    hanging: Cells = cells[~np.isin(frame.keys(flat), frame.keys(low))] if frame.low[1] <= 0 else cells
    return hanging if len(hanging) else cells


def _members(cells: Cells) -> tuple[NDArray[np.int64], int]:
    """(n,) int64: the group of columns, joined by 8 neighbours in plan, that each cell lies in; and how many there
    are."""
    plan = flattened(cells)
    group, number = group_cells(plan, 8)
    return group[_places(plan, cells)], number


def _crossings(scene: Scene, boat: int) -> list[Crossing]:
    rows = np.flatnonzero(~scene.fluid & (scene.cells[:, 1] >= 0))
    cells = scene.cells[rows]
    low = cells[cells[:, 1] == 0]
    if not len(low) or len(low) == len(cells):
        return []
    member, number = scene.remember("groups of columns", lambda: _members(cells))
    order = np.argsort(member, kind="stable")
    ends = np.cumsum(np.bincount(member, minlength=number))
    out = []
    for first, last in zip(np.append(0, ends[:-1]).tolist(), ends.tolist(), strict=True):
        of = order[first:last]
        heights = cells[of, 1]
        if heights.min() == 0 < heights.max():
            for axis in (0, 2):
                out += _along(rows[of], cells[of], low, axis, boat)
    return sorted(out, key=lambda one: -one.length)


def _places(plan: Cells, cells: Cells) -> NDArray[np.int64]:
    """(n,) int64: which of the columns in plan each cell lies in."""
    flat = cells.copy()
    flat[:, 1] = 0
    frame = Frame.around(plan)
    return find(frame.keys(plan), frame.keys(flat))


def _along(rows: NDArray[np.int64], cells: Cells, ground: Cells, axis: int, boat: int) -> list[Crossing]:
    """The longest gaps of one group of columns along one axis, each in no longer one."""
    along, across = cells[:, axis], cells[:, 2 - axis]
    a, b = int(along.min()), int(across.min())
    long, wide = int(along.max()) - a + 1, int(across.max()) - b + 1
    if long < 3:
        return []
    if long * (wide + 2 * boat) > MOST_CELLS:
        raise RuleError("the bridge is too large to be judged", mend="build it smaller")
    # Water level, ``boat`` cells wider on both sides; its sums over boxes from the low corner.
    strip = np.zeros((long, wide + 2 * boat), dtype=np.int32)
    at, beside = ground[:, axis] - a, ground[:, 2 - axis] - b + boat
    near = (at >= 0) & (at < long) & (beside >= 0) & (beside < wide + 2 * boat)
    strip[at[near], beside[near]] = 1
    sums = np.zeros((long + 1, wide + 2 * boat + 1), dtype=np.int32)
    np.cumsum(np.cumsum(strip, axis=0), axis=1, out=sums[1:, 1:])

    over = np.zeros((long, wide), dtype=np.bool_)
    over[along - a, across - b] = True
    over[strip[:, boat : boat + wide] > 0] = False
    stands = np.zeros((long, wide), dtype=np.bool_)
    foot = cells[:, 1] == 0
    stands[along[foot] - a, across[foot] - b] = True
    spanned: Mask = np.logical_or.reduce(over, axis=1)
    first = np.where(spanned, over.argmax(axis=1), wide)
    last = np.where(spanned, wide - 1 - over[:, ::-1].argmax(axis=1), -1)

    def fits(start: int, stop: int) -> bool:
        """Whether the bridge lies over all of a gap, and nothing at water level in it."""
        if not spanned[stop - 1]:
            return False
        low, high = first[start:stop].min(), last[start:stop].max() + 2 * boat + 1
        return not sums[stop, high] - sums[start, high] - sums[stop, low] + sums[start, low]

    out: list[Crossing] = []
    stop = 0
    for start in np.flatnonzero(spanned).tolist():
        before = stop
        stop = max(stop, start)
        while stop < long and fits(start, stop + 1):
            stop += 1
        if stop <= max(start, before):
            continue
        left, right = int(first[start:stop].min()), int(last[start:stop].max())
        standing = np.logical_or.reduce(stands[:, left : right + 1], axis=1)
        if _held(standing[:start][::-1], spanned[:start][::-1]) and _held(standing[stop:], spanned[stop:]):
            out.append(Crossing(axis, a + start, a + stop - 1, b + left, b + right, (b, b + wide - 1), rows))
    return out


def _held(standing: Mask, spanned: Mask) -> bool:
    """Whether the bridge leads from the end of a gap, outward and without a break, to what stands on the ground."""
    support = np.flatnonzero(standing)
    return bool(len(support)) and bool(spanned[: support[0]].all())
