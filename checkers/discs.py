"""Discs in plan: where a plan holds one, whatever narrow parts stick out of it.

A plan is an array over places (x, z). A disc of diameter d lies in a window of d × d places: the places whose centres
lie at most a quarter of a place outside the circle of that diameter belong to it, and its outline may run at most one
place inside that circle. So a square is no disc, and neither is a square on its point.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Mask

LEAST_DIAMETER = 5
"""Below this a disc is not told from a square."""
OUTSIDE = 0.25
"""How far outside the circle the centre of a place may lie."""
INSIDE = 1.0
"""How far inside the circle the outline may run."""

MOST_CORNERS = 2
"""Parts in the corners of a window, such as posts, that leave the disc a disc; a square has four."""

ASLANT = 0.6
"""What lies so much off an axis, as a share of its distance along the other one, lies aslant."""

_ASIDE = 3
"""Places around a window within which parts that stick out are told apart; a space has as many without blocks."""


class Shape(NamedTuple):
    """The discs of a diameter d within their windows.

    ``within`` (d, d) bool: places that may belong to such a disc; ``needed`` (d, d) bool: places that do at least;
    ``edge`` (k, 2) int64: places that touch those of ``within`` from outside by a side, relative to the window, and
    ``rim`` (k, 2) int64: the places of ``within`` that they touch;
    ``ends``: of the first and of the last row of ``within``, which are alike, begin and end; ``rows``: of each row of
    ``needed``, row, begin and end.
    """

    within: Mask
    needed: Mask
    edge: NDArray[np.int64]
    rim: NDArray[np.int64]
    ends: tuple[int, int]
    rows: tuple[tuple[int, int, int], ...]


@lru_cache(maxsize=256)
def shape(diameter: int) -> Shape:
    """The discs of a diameter in places."""
    along = np.abs(np.arange(diameter) - (diameter - 1) / 2)
    centre = np.hypot(along[:, None], along)
    nearest = np.hypot(np.maximum(along - 0.5, 0)[:, None], np.maximum(along - 0.5, 0))
    within: Mask = centre <= diameter / 2 + OUTSIDE
    needed: Mask = nearest < diameter / 2 - INSIDE - 1e-9
    wide = np.pad(within, 1)
    edge, rim = [], []
    for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
        outside = np.argwhere(_moved(wide, axis, step) & ~wide) - 1
        edge.append(outside)
        rim.append(outside - [step * (axis == 0), step * (axis == 1)])
    end = np.flatnonzero(within[0])
    rows = tuple(
        (int(row), int(there[0]), int(there[-1]) + 1)
        for row in range(diameter)
        if len(there := np.flatnonzero(needed[row]))
    )
    for array in (within, needed):
        array.setflags(write=False)
    return Shape(within, needed, np.concatenate(edge), np.concatenate(rim), (int(end[0]), int(end[-1]) + 1), rows)


class Plan(NamedTuple):
    """A plan in which discs are looked for, (X, Z) bool each, without anything within three places of its edge.

    ``solid``: places that hold something, ``walls`` those that it fills; ``covered``: places that are free below
    something; ``free``: all places that are; ``filled``: those that are solid or covered.
    """

    solid: Mask
    walls: Mask
    covered: Mask
    free: Mask
    filled: Mask


def find_discs(plan: Plan, diameter: int, widest: int) -> list[tuple[int, int]]:
    """The low corners of the windows in which the plan has a disc of a diameter, apart from parts at most ``widest``
    wide that stick out of it."""
    if diameter < LEAST_DIAMETER or min(plan.solid.shape) + 2 < diameter + 2 * _ASIDE:
        return []
    disc = shape(diameter)
    # Where an entrance takes the outermost places away the window reaches one place beyond what there is.
    plan = Plan(*map(_framed, plan))
    width, depth = (size - diameter + 1 for size in plan.solid.shape)
    held: Mask = np.zeros((width, depth), dtype=np.bool_)
    held[_ASIDE : width - _ASIDE, _ASIDE : depth - _ASIDE] = True
    total = np.zeros((plan.filled.shape[0], plan.filled.shape[1] + 1), dtype=np.int32)
    np.cumsum(plan.filled, axis=1, out=total[:, 1:])
    for number, (row, begin, end) in enumerate(disc.rows):
        if number % 4 == 3 and not held.any():
            return []
        held &= (
            total[row : row + width, end : end + depth] - total[row : row + width, begin : begin + depth] == end - begin
        )
    if not held.any():
        return []
    first, last = disc.ends
    for axis, at, inward in ((0, 0, 1), (0, diameter - 1, -1), (1, 0, 1), (1, diameter - 1, -1)):
        # Where an entrance takes the outermost places away one goes straight on from under the cover into the open.
        way = plan.free & _moved(plan.covered, axis, -inward)
        touching = plan.solid | (way & ~(plan.covered & _moved(plan.filled, axis, inward)))
        if axis == 0:
            found = [touching[at : at + width, i : i + depth] for i in range(first, last)]
        else:
            found = [touching[i : i + width, at : at + depth] for i in range(first, last)]
        held &= np.logical_or.reduce(found)
    # What touches on all four sides, or most of the way around, is more than parts that stick out; what is open most of
    # the way has more than entrances.
    first, last = disc.ends[0], disc.ends[1] - 1
    beset = np.ones_like(held)
    for i in (first, last):
        for at in (-1, diameter):
            beset[1:-1, 1:-1] &= plan.solid[1 + at : at + width - 1, 1 + i : i + depth - 1]
            beset[1:-1, 1:-1] &= plan.solid[1 + i : i + width - 1, 1 + at : at + depth - 1]
    held &= ~beset
    corners = np.argwhere(held)
    edge, rim = (tuple((corners[:, None] + places).transpose(2, 0, 1)) for places in (disc.edge, disc.rim))
    most = np.maximum(plan.solid[edge].sum(axis=1), plan.covered[rim].sum(axis=1))
    corners = corners[2 * most <= len(disc.edge)]
    return [(x - 1, z - 1) for x, z in corners.tolist() if not _too_wide(plan, disc.within, x, z, widest).any()]


def _too_wide(plan: Plan, within: Mask, x: int, z: int, widest: int) -> Mask:
    """(d + 6, d + 6) bool, around a window: the parts that measure more than ``widest`` across where they touch the
    disc, those that are walls of the room in it, and those that only fill its window's corners where there are more
    than two."""
    from scipy import ndimage

    here = (slice(x - _ASIDE, x + len(within) + _ASIDE), slice(z - _ASIDE, z + len(within) + _ASIDE))
    disc = np.pad(within, _ASIDE)
    outside = plan.solid[here] & ~disc
    near = _beside(disc) & ~disc
    out = np.zeros_like(disc)
    if not (outside & near).any():
        return out
    # A tunnel is as wide as its walls and the way between them.
    way = plan.covered[here]
    outside |= way & near & _beside(disc & way)
    labels, _ = ndimage.label(outside, structure=np.ones((3, 3)))
    box = np.zeros_like(disc)
    box[_ASIDE:-_ASIDE, _ASIDE:-_ASIDE] = True
    corners = []
    for number in np.unique(labels[near & outside]).tolist():
        part = labels == number
        if across(part & near) > widest or _belongs(part & plan.walls[here], disc & way):
            out |= part
        elif 2 * int((part & box).sum()) > int(part.sum()):
            corners.append(part)
    if len(corners) > MOST_CORNERS:
        out |= np.logical_or.reduce(corners)
    return out


def _belongs(part: Mask, room: Mask) -> bool:
    """Whether a part closes the room in the disc on a side, over two places or more: it is a piece of the wall."""
    return any(
        np.count_nonzero(_moved(part, axis, step) & room) >= 2 for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1))
    )


def across(places: Mask) -> int:
    """How wide something is that lies at the outline of a disc in the middle of a square array: its extent across the
    axis on which it lies, or the smaller one where it lies aslant."""
    i, j = np.nonzero(places)
    middle = (len(places) - 1) / 2
    x, z = abs(float(i.mean()) - middle), abs(float(j.mean()) - middle)
    along_x, along_z = int(np.ptp(i)) + 1, int(np.ptp(j)) + 1
    if min(x, z) > ASLANT * max(x, z):
        return min(along_x, along_z)
    return along_z if x > z else along_x


def _beside(mask: Mask) -> Mask:
    """Places with one of the mask across a side."""
    out = _moved(mask, 0, 1)
    for axis, step in ((0, -1), (1, 1), (1, -1)):
        out |= _moved(mask, axis, step)
    return out


def _framed(mask: Mask) -> Mask:
    """The mask with one more place around it."""
    out = np.zeros((mask.shape[0] + 2, mask.shape[1] + 2), dtype=np.bool_)
    out[1:-1, 1:-1] = mask
    return out


def _moved(mask: Mask, axis: int, step: int) -> Mask:
    """The mask moved by one place along an axis."""
    out = np.zeros_like(mask)
    along = (slice(1, None), slice(None, -1)) if step > 0 else (slice(None, -1), slice(1, None))
    if axis == 0:
        out[along[0]] = mask[along[1]]
    else:
        out[:, along[0]] = mask[:, along[1]]
    return out
