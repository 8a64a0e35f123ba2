"""Openings that close a room although air passes them: doorways and windows in walls, stair holes in floors, flues.

A build is cut into slices one cell thick, along x, along z and by height, and the air of each slice falls into
*sections*: pieces joined by faces within the slice. An opening is a section (or a few equal ones behind one another,
where the wall is thicker) that is narrower or lower than the space on both its sides, in a wall most of whose columns
stand from floor to ceiling. What makes a wall is therefore its own shape, not what it is built of: a row of shelves
that does not reach the ceiling is no wall, and the gap above it no window.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Mask
from minece.blocks.grid import distinct

THICKEST_WALL = 4
"""Cells through which an opening may lead."""
WIDEST_DOORWAY = 3
HIGHEST_DOORWAY = 3
"""Cells that an opening down to the floor may measure."""
WIDEST_FLUE = 2
"""Cells that a chimney's shaft may measure in plan."""
SHORTEST_FLUE = 2
"""Cells of height over which a shaft must be closed all around; a hole in a thin roof is none."""

LARGEST_HATCH = 8
"""Cells that a hole in a roof may measure through which one climbs onto it."""

MOST_ROUNDS = 3
"""How often openings that hang on one another are looked at again."""

_IN_SLICE = np.zeros((3, 3, 3), dtype=np.bool_)
_IN_SLICE[1, 1, :] = _IN_SLICE[1, :, 1] = True

_NEVER = 99

Numbers = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Openings:
    """Cells of air that close what they open: (X, Y, Z) bool each.

    ``walls``: doorways without leaf, and windows. ``floors``: holes for stairs and ladders in floors, and in roofs on
    which one gets by them. ``flues``: chimneys.
    """

    walls: Mask
    floors: Mask
    flues: Mask

    @property
    def all(self) -> Mask:
        """(X, Y, Z) bool: all of them."""
        return self.walls | self.floors | self.flues


def find_openings(closing: Mask, way_up: Mask) -> Openings:
    """The openings of what the (X, Y, Z) bool array closes, its axes x, y, z.

    ``way_up`` (X, Y, Z) bool: cells in which somebody has his feet on a ladder or a stair; a hole in a roof needs one
    to be no missing piece of it.
    """
    floors, flues, upright = (
        mask.transpose(1, 0, 2)
        for mask in _floor_openings(*(array.transpose(1, 0, 2) for array in (~closing, closing, way_up)))
    )
    # Seen through a hole or another opening the space beside an opening looks larger than it is.
    shut = closing | upright
    of_x, of_z = _wall_openings(shut.transpose(_X)), _wall_openings(shut.transpose(_Z))
    across_x, across_z = of_x.opening.transpose(_X), of_z.opening.transpose(_Z)
    if (of_x.beside.transpose(_X) & across_z).any() or (of_z.beside.transpose(_Z) & across_x).any():
        across_x, across_z = _proven(shut, across_x, across_z)
    return Openings(across_x | across_z, floors, flues)


_X, _Z = (0, 1, 2), (2, 1, 0)
"""Axes in the order slice, height, width for walls across x and across z; the order back is the same."""


def _proven(shut: Mask, across_x: Mask, across_z: Mask) -> tuple[Mask, Mask]:
    """Those of the openings in walls across x and z that do not owe it to others that are none.

    Proven are those that are openings even when all others are closed; possible those that are when only the proven
    ones are closed; and so on, until nothing changes. Of those that stay in doubt the ones count that have an enclosed
    space on one side: two sides of a porch would each be an opening for the other's sake alone, and close nothing.
    """
    possible = (across_x, across_z)
    for _ in range(MOST_ROUNDS):
        _, proven = _given(shut, possible)
        if all(map(np.array_equal, proven, possible)):
            return proven
        left, sheltered = _given(shut, proven)
        if all(map(np.array_equal, left, possible)):
            break
        possible = left
    return proven[0] | sheltered[0], proven[1] | sheltered[1]


_Pair = tuple[Mask, Mask]


def _given(shut: Mask, others: _Pair) -> tuple[_Pair, _Pair]:
    """The openings across x and z when those of the other axis are closed, and those of them with an enclosed space on
    one side."""
    of_x, of_z = (_wall_openings((shut | mask).transpose(axes)) for axes, mask in ((_X, others[1]), (_Z, others[0])))
    return (
        (of_x.opening.transpose(_X), of_z.opening.transpose(_Z)),
        (of_x.sheltered.transpose(_X), of_z.sheltered.transpose(_Z)),
    )


class _Sections:
    """The sections of all slices of an (S, V, U) array of air, numbered from 1; 0 is what is closed.

    ``slice`` (n + 1): its slice; ``low`` and ``high`` (2, n + 1): bounds along V and U; ``endless`` (n + 1): whether it
    reaches the edge of the array. ``start`` (n + 2): number of its first column; columns are numbered section by
    section, each from its lowest place along U to its highest.
    ``one``, ``other``: pairs of sections that touch in neighbouring slices, the first in the lower one.
    """

    def __init__(self, air: Mask) -> None:
        from scipy import ndimage

        self.labels = np.empty(air.shape, dtype=np.int32)
        self.count = int(ndimage.label(air, structure=_IN_SLICE, output=self.labels))
        size = self.count + 1
        at, self.v, self.u = np.nonzero(self.labels)
        self.section = self.labels[self.labels > 0]
        self.slice = np.zeros(size, dtype=np.int64)
        self.slice[self.section] = at
        self.low = np.full((2, size), air.size, dtype=np.int64)
        self.high = np.full((2, size), -1, dtype=np.int64)
        for axis, place in enumerate((self.v, self.u)):
            np.minimum.at(self.low[axis], self.section, place)
            np.maximum.at(self.high[axis], self.section, place)
        _, depth, width = air.shape
        self.size = self.high - self.low + 1
        self.start = np.zeros(size + 1, dtype=np.int64)
        np.cumsum(self.size[1, 1:], out=self.start[2:])
        self.endless = (self.low[1] == 0) | (self.high[1] == width - 1) | (self.high[0] == depth - 1)
        first, second = self.labels[:-1], self.labels[1:]
        touch = (first > 0) & (second > 0)
        self.touch_v, self.touch_u = (place.astype(np.int64) for place in np.nonzero(touch)[1:])
        self.touch_one, self.touch_other = first[touch].astype(np.int64), second[touch].astype(np.int64)
        pairs = distinct(self.touch_one * size + self.touch_other)
        self.one, self.other = np.divmod(pairs, size)
        self.same = (self.low[:, self.one] == self.low[:, self.other]).all(axis=0)
        self.same &= (self.high[:, self.one] == self.high[:, self.other]).all(axis=0)

    def column(self, section: NDArray[np.integer], u: Numbers) -> Numbers:
        """(p,) int64: the number of a section's column at a place along U."""
        out: Numbers = self.start[section] + u - self.low[1][section]
        return out

    def per_section(self, of_columns: Mask) -> Numbers:
        """(n + 1,) int64: how many of each section's columns are true in the mask over all columns."""
        total = np.zeros(len(of_columns) + 1, dtype=np.int64)
        np.cumsum(of_columns, out=total[1:])
        out: Numbers = np.diff(total[self.start])
        return out

    def larger(self, than: Numbers, which: Numbers) -> Mask:
        """(p,) bool: whether section ``which`` is wider or higher than section ``than``."""
        out: Mask = (self.size[:, which] > self.size[:, than]).any(axis=0) | self.endless[which]
        return out

    def halved(self, cells: Numbers, which: Numbers, of: Numbers) -> Mask:
        """(p,) bool: whether section ``which`` has at most half of the ``cells`` (n + 1,) of section ``of``."""
        out: Mask = (2 * cells[which] <= cells[of]) | self.endless[of]
        return out

    def steps(self, here: Numbers, there: Numbers, ends: Mask, most: int) -> Numbers:
        """(n + 1,) int64: how many equal sections lie between a section and its end, in the direction from ``here`` to
        ``there``; pairs at which ``ends`` is true lead to it. ``_NEVER`` where there is no end."""
        out = np.full(self.count + 1, _NEVER, dtype=np.int64)
        out[here[ends]] = 0
        on = self.same & ~ends
        for step in range(1, most):
            reached = on & (out[there] == step - 1) & (out[here] > step)
            if not reached.any():
                break
            out[here[reached]] = step
        return out


class _WallOpenings:
    """Doorways and windows in walls across the first axis: (S, V, U) bool each, V the height, worked out when asked.

    ``opening``: all; ``beside``: the sections before and behind them; ``sheltered``: those that do not lead from one
    endless section to another.
    """

    def __init__(self, found: _Sections, chosen: Mask, ahead: Mask, behind: Mask) -> None:
        self.found = found
        self.chosen = chosen
        self.ahead = ahead
        self.behind = behind

    @property
    def opening(self) -> Mask:
        return self.chosen[self.found.labels]

    @property
    def beside(self) -> Mask:
        found, chosen = self.found, self.chosen
        beside = np.zeros(found.count + 1, dtype=np.bool_)
        beside[found.other[chosen[found.one]]] = True
        beside[found.one[chosen[found.other]]] = True
        beside &= ~chosen
        return beside[found.labels]

    @property
    def sheltered(self) -> Mask:
        found = self.found
        inside = _between(found, self.ahead & ~found.endless[found.other], self.behind)
        inside |= _between(found, self.ahead, self.behind & ~found.endless[found.one])
        return (self.chosen & inside)[found.labels]


def _wall_openings(closing: Mask) -> _WallOpenings:
    """The openings in walls across the first axis of an (S, V, U) bool array that is true where something closes; V is
    the height."""
    air = ~closing
    found = _Sections(air)
    size, columns = found.count + 1, int(found.start[-1])
    column = found.column(found.section, found.u)
    bottom = np.full(columns, air.size, dtype=np.int64)
    top = np.full(columns, -1, dtype=np.int64)
    np.minimum.at(bottom, column, found.v)
    np.maximum.at(top, column, found.v)

    ahead, behind = found.larger(found.one, found.other), found.larger(found.other, found.one)
    opening = _between(found, ahead, behind)
    if opening.any():
        one, other = found.touch_one, found.touch_other
        walled, after_corner = _walled(found, closing, bottom, top, other, opening[one], -1)
        ahead &= walled[found.other]
        walled, before_corner = _walled(found, closing, bottom, top, one, opening[other], 1)
        behind &= walled[found.one]
        opening = _between(found, ahead, behind)
        if after_corner.any() and before_corner.any():
            # Where the way is as high as the space on both sides and lacks a jamb on both, it is a bend.
            framed = _between(found, ahead & ~after_corner[found.other], behind)
            framed |= _between(found, ahead, behind & ~before_corner[found.one])
            opening &= framed
    if not opening.any():
        return _WallOpenings(found, opening, ahead, behind)

    # Down to the floor of either side an opening is a doorway, which has its limits.
    floor = np.full(size, -1, dtype=np.int64)
    np.maximum.at(floor, found.one[ahead], found.low[0][found.other[ahead]])
    np.maximum.at(floor, found.other[behind], found.low[0][found.one[behind]])
    for _ in range(THICKEST_WALL - 1):
        here, there = found.one[found.same], found.other[found.same]
        np.maximum.at(floor, here, floor[there])
        np.maximum.at(floor, there, floor[here])
    down = bottom <= np.repeat(floor, np.diff(found.start))
    wide = found.per_section(down) > WIDEST_DOORWAY
    high = found.per_section(down & (top - bottom + 1 > HIGHEST_DOORWAY)) > 0
    opening &= ~(wide | high)
    return _WallOpenings(found, opening, ahead, behind)


def _between(found: _Sections, ahead: Mask, behind: Mask) -> Mask:
    """(n + 1,) bool: the sections that lead, through no more than the thickest wall, from one space to another; the
    pairs at which a space begins are true in ``ahead`` and ``behind``."""
    after = found.steps(found.one, found.other, ahead, THICKEST_WALL)
    before = found.steps(found.other, found.one, behind, THICKEST_WALL)
    out: Mask = (after + before + 1 <= THICKEST_WALL) & ~found.endless
    out[0] = False
    return out


def _walled(
    found: _Sections, closing: Mask, bottom: Numbers, top: Numbers, mine: Numbers, leads_out: Mask, step: int
) -> tuple[Mask, Mask]:
    """Two (n + 1,) bool: the sections whose wall in the slice ahead (``step`` 1) or behind (-1) stands from floor to
    ceiling over at least half of its columns, which endless sections need not; and those in whose wall the gap reaches
    from floor to ceiling at its end.

    ``mine`` are the sections' sides of the touching pairs; ``leads_out`` tells where an opening lies on the other side,
    which counts. Where the space itself goes on there is no wall, as in the wing of a bent room. The wall has a column
    beyond each end of the section: a corner. It does not count where it belongs to a wall that crosses and the gap has
    no lintel, or nothing but a lintel: a beam is no wall.
    """
    size = found.count + 1
    column = found.column(mine, found.touch_u)
    flags = np.zeros((4, int(found.start[-1])), dtype=np.bool_)
    flags[0, column[leads_out]] = True
    flags[1, column[leads_out & (found.touch_v == bottom[column])]] = True
    flags[2, column[leads_out & (found.touch_v == top[column])]] = True
    flags[3, column[~leads_out]] = True
    open_columns, at_floor, at_ceiling, goes_on = flags
    number = found.per_section(open_columns)
    columns = found.size[1] - found.per_section(goes_on & ~open_columns)
    ends = np.full(size, 2, dtype=np.int64)
    cornered = np.zeros(size, dtype=np.bool_)
    doubtful = np.flatnonzero((2 * number <= columns + 2) & ~found.endless & (number > 0))
    bare = found.per_section(open_columns & ~at_ceiling) == 0
    doubtful = doubtful[bare[doubtful] | (number[doubtful] >= found.size[1][doubtful])]
    if len(doubtful):
        s, v = found.slice[doubtful], found.low[0][doubtful]
        for u in (found.low[1][doubtful] - 1, found.high[1][doubtful] + 1):
            beyond = np.clip(s + 2 * step, 0, len(closing) - 1)
            crossing = closing[s, v, u] & closing[s + step, v, u] & closing[beyond, v, u]
            ends[doubtful[crossing]] -= 1
        full = at_floor & at_ceiling
        at_end = full[found.start[doubtful]] | full[found.start[doubtful + 1] - 1]
        cornered[doubtful] = at_end & bare[doubtful]
    return (2 * number <= columns + ends) | found.endless, cornered


def _floor_openings(air: Mask, closing: Mask, way_up: Mask) -> tuple[Mask, Mask, Mask]:
    """Three (S, V, U) bool, S the height: holes in floors and roofs for stairs and ladders, flues that lead into the
    open, and these together with all other holes at most half as large as the spaces above and below, which close
    nothing."""
    found = _Sections(air)
    size = found.count + 1
    endless = found.endless | (found.low[0] == 0)
    # A cell is covered where anything closing lies above it.
    covered = np.logical_or.accumulate(closing[::-1], axis=0)[::-1]
    cells = np.bincount(found.section, minlength=size)
    under_cover = np.bincount(found.labels[covered & air], minlength=size)
    inside = (2 * under_cover >= cells) & ~endless
    pierced = np.bincount(found.touch_other, minlength=size)
    floored = inside & (2 * pierced <= cells)

    smaller_below = found.larger(found.other, found.one)
    above = found.larger(found.one, found.other)
    up = found.steps(found.one, found.other, above & floored[found.other], THICKEST_WALL)
    down = found.steps(found.other, found.one, smaller_below, THICKEST_WALL)
    hole = (up + down + 1 <= THICKEST_WALL) & ~endless

    tall = air.shape[0]
    to_sky = found.steps(found.one, found.other, above & ~inside[found.other], tall)
    to_room = found.steps(found.other, found.one, smaller_below, tall)
    leads_up = np.zeros(size, dtype=np.bool_)
    leads_up[found.labels[way_up]] = True
    leads_up[found.labels[1:][way_up[:-1]]] = True
    # Through a hole under the open sky, if nobody gets up through it, one looks out of the room below.
    hole &= leads_up | (2 * under_cover >= cells)
    hole |= leads_up & (cells <= LARGEST_HATCH) & (to_sky + down + 1 <= THICKEST_WALL) & ~endless

    narrow = (found.size <= WIDEST_FLUE).all(axis=0) & ~endless
    long_enough = (to_sky + to_room + 1 >= SHORTEST_FLUE) & (to_sky < _NEVER) & (to_room < _NEVER)
    flue = narrow & long_enough
    over = found.steps(found.one, found.other, above & found.halved(cells, found.one, found.other), THICKEST_WALL)
    under = found.steps(
        found.other, found.one, smaller_below & found.halved(cells, found.other, found.one), THICKEST_WALL
    )
    any_hole = (over + under + 1 <= THICKEST_WALL) & ~endless & ~hole & ~flue
    any_hole[0] = False
    if any_hole.any():
        any_hole &= _rimmed(found, closing, any_hole, over, under)
    hole[0] = flue[0] = False
    return hole[found.labels], flue[found.labels], (hole | flue | any_hole)[found.labels]


def _rimmed(found: _Sections, closing: Mask, chosen: Mask, over: Numbers, under: Numbers) -> Mask:
    """(n + 1,) bool: those of some holes whose rim has air above and below it over at least half of its length."""
    size = found.count + 1
    s, v, u = np.nonzero(chosen[found.labels])
    section = found.labels[s, v, u]
    high, low = s + 1 + over[section], s - 1 - under[section]
    rim, above, below = np.zeros((3, size), dtype=np.int64)
    for dv, du in ((0, 1), (0, -1), (1, 0), (-1, 0)):
        closed = closing[s, v + dv, u + du]
        rim += np.bincount(section[closed], minlength=size)
        above += np.bincount(section[closed & ~closing[high, v + dv, u + du]], minlength=size)
        below += np.bincount(section[closed & ~closing[low, v + dv, u + du]], minlength=size)
    out: Mask = (2 * above >= rim) & (2 * below >= rim)
    return out
