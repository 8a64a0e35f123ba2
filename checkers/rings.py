"""Rings of walls in plan, and what they enclose. The axes of plan arrays are x and z."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from minece.blocks import NO_CELLS, Cells, CoordinateError, Mask

_MOST_PLAN = 2**26
_WIDEST_OPENING = 3
_MOST_FULL_HEIGHT_OPENINGS = 40

_IN_LEVEL = np.zeros((3, 3, 3), dtype=np.bool_)
_IN_LEVEL[1] = [[0, 1, 0], [1, 1, 1], [0, 1, 0]]


def enclosed(closed: Mask) -> Mask:
    """(H, X, Z) bool: cells of each level that a walk over open cells by their four sides cannot reach from the
    level's edge. Levels must be open along their edges.
    """
    from scipy import ndimage

    labels = np.empty(closed.shape, dtype=np.int32)
    ndimage.label(~closed, structure=_IN_LEVEL, output=labels)
    inside: Mask = (labels != labels[:, :1, :1]) & (labels != 0)
    return inside


@dataclass(frozen=True)
class Ring:
    """A wall in plan and what it encloses.

    Attributes
    ----------
    origin : cell of the arrays' first entry
    wall : (H, X, Z) bool, the wall's cells by level from the bottom up
    openings : (H, X, Z) bool, doorways and windows
    inside : (X, Z) bool, cells enclosed at every level, openings taken as shut
    leaks : (k, 3) int32, missing cells through which a level is open, where nothing is enclosed
    """

    origin: tuple[int, int, int]
    wall: Mask
    openings: Mask
    inside: Mask
    leaks: Cells

    def inside_cells(self, y: int) -> Cells:
        """(k, 3) int32: the enclosed cells at the height y."""
        x, z = np.nonzero(self.inside)
        return np.stack([x + self.origin[0], np.full(len(x), y), z + self.origin[2]], axis=1).astype(np.int32)


def ring(cells: Cells, bottom: int, top: int) -> Ring:
    """What wall cells enclose at every level from ``bottom`` to ``top``.

    Missing cells at most three wide and three high are doorways and windows and count as shut, as long as at least
    half of the wall's columns in plan stand from bottom to top. Walls that meet by an edge close a corner.
    """
    chosen = cells[(cells[:, 1] >= bottom) & (cells[:, 1] <= top)]
    height = top - bottom + 1
    if not len(chosen):
        none = np.zeros((height, 1, 1), dtype=np.bool_)
        return Ring((0, bottom, 0), none, none, none[0], chosen)
    low = chosen.min(axis=0) - 1
    size = chosen.max(axis=0) - low + 2
    if int(size[0]) * int(size[2]) * height > _MOST_PLAN:
        raise CoordinateError(f"walls over {size[0]}×{size[2]} cells are too far apart to be looked at in plan")
    wall = np.zeros((height, int(size[0]), int(size[2])), dtype=np.bool_)
    wall[chosen[:, 1] - bottom, chosen[:, 0] - low[0], chosen[:, 2] - low[2]] = True
    origin = (int(low[0]), bottom, int(low[2]))
    outline: Mask = np.logical_or.reduce(wall, axis=0)
    shut, inside = _inside(wall, outline)
    if not inside.any() and height <= _WIDEST_OPENING:
        outline = _gaps_closed(outline)
        shut, inside = _inside(wall, outline)
    leaks = NO_CELLS
    if not inside.any():
        h, x, z = np.nonzero(outline & ~wall)
        leaks = (np.stack([x, h, z], axis=1) + origin).astype(np.int32)
    return Ring(origin, wall, shut, inside, leaks)


def _inside(wall: Mask, outline: Mask) -> tuple[Mask, Mask]:
    """(H, X, Z) bool: doorways and windows in a wall of the outline; and (X, Z) bool: what it encloses at every level
    while these are shut, nothing where too little of it stands."""
    missing = outline & ~wall
    if not missing.any():
        return missing, enclosed(outline[None])[0]
    shut = _openings(missing)
    standing = np.logical_and.reduce(wall, axis=0)
    if 2 * np.count_nonzero(standing) < np.count_nonzero(standing | np.logical_or.reduce(shut, axis=0)):
        return shut, np.zeros_like(outline)
    return shut, np.logical_and.reduce(enclosed(wall | shut), axis=0)


def _gaps_closed(plan: Mask) -> Mask:
    """(X, Z) bool: the plan with the one or two straight gaps closed that make it enclose most."""
    gaps = _straight_gaps(plan)[:_MOST_FULL_HEIGHT_OPENINGS]
    for number in (1, 2):
        choices = list(combinations(gaps, number))
        if not choices or len(choices) * plan.size > _MOST_PLAN:
            break
        closed = np.repeat(plan[None], len(choices), axis=0)
        for choice, gaps_of_choice in zip(closed, choices, strict=True):
            for gap in gaps_of_choice:
                choice[gap] = True
        area = np.count_nonzero(enclosed(closed), axis=(1, 2))
        if area.any():
            fullest: Mask = closed[int(area.argmax())]
            return fullest
    return plan


def _straight_gaps(plan: Mask) -> list[tuple[slice, slice]]:
    """Straight runs of at most three open cells between two cells of the plan, along x and z."""
    gaps: list[tuple[slice, slice]] = []
    for axis in (0, 1):
        lines = plan if axis == 0 else plan.T
        along, across = np.nonzero(lines)
        order = np.lexsort((along, across))
        along, across = along[order], across[order]
        width = np.diff(along) - 1
        fits = (np.diff(across) == 0) & (width >= 1) & (width <= _WIDEST_OPENING)
        for i in np.flatnonzero(fits).tolist():
            run = slice(int(along[i]) + 1, int(along[i + 1]))
            line = slice(int(across[i]), int(across[i]) + 1)
            gaps.append((run, line) if axis == 0 else (line, run))
    return gaps


def _openings(missing: Mask) -> Mask:
    """(H, X, Z) bool: groups of missing cells that are at most three wide and three high."""
    from scipy import ndimage

    labels, number = ndimage.label(missing)
    small = np.zeros(number + 1, dtype=np.bool_)
    for i, box in enumerate(ndimage.find_objects(labels), start=1):
        small[i] = all(part.stop - part.start <= _WIDEST_OPENING for part in box)
    out: Mask = small[labels]
    return out
