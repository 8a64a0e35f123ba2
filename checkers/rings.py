"""Rings of walls in plan, and what they enclose. The axes of plan arrays are x and z."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from minece.blocks import NO_CELLS, Cells, CoordinateError, Mask

Gap = tuple[slice, slice]
"""Rows along x and along z."""

_MOST_CELLS = 2**24
_WIDEST_OPENING = 3
_MOST_LEAKS = 1000

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
    """What a wall encloses.

    Attributes
    ----------
    corner : x, y and z of the arrays' first entries
    inside : (X, Z) bool, cells in plan that are enclosed at every level, doorways and windows taken as shut
    within : (H, X, Z) bool, cells enclosed at their own level, from the bottom level up
    shut : (H, X, Z) bool, doorways, windows and other missing cells of the wall that were taken as shut
    outside : (H, X, Z) bool, cells at their own level that a walk from the edge reaches
    leaks : (k, 3) int32, the first missing cells of the wall, where nothing is enclosed
    """

    corner: tuple[int, int, int]
    inside: Mask
    within: Mask
    shut: Mask
    outside: Mask
    leaks: Cells

    def inside_cells(self, y: int) -> Cells:
        """(k, 3) int32: the enclosed cells at the height y."""
        x, z = np.nonzero(self.inside)
        x0, _, z0 = self.corner
        return np.stack([x + x0, np.full(len(x), y), z + z0], axis=1).astype(np.int32)

    @cached_property
    def _through(self) -> tuple[int, Mask]:
        """Number and cells, (H, X, Z) bool, of the groups of missing cells that lead from the enclosed space to the
        open."""
        from scipy import ndimage

        if not self.shut.any():
            return 0, self.shut
        labels, number = ndimage.label(self.shut)
        leads = np.zeros((2, number + 1), dtype=np.bool_)
        leads[0, labels[self.shut & _beside(self.within)]] = True
        leads[1, labels[self.shut & _beside(self.outside)]] = True
        through: Mask = np.logical_and.reduce(leads, axis=0)
        return int(np.count_nonzero(through)), through[labels]

    @property
    def openings(self) -> int:
        """How many doorways and windows stand open. A low piece of wall within the room or outside makes none."""
        return self._through[0]

    def opening_cells(self) -> Cells:
        """(k, 3) int32: the first cells of the doorways and windows that stand open."""
        return _cells_of(self._through[1], self.corner)


def _beside(mask: Mask) -> Mask:
    """(H, X, Z) bool: the cells with a cell of the mask on one of their four sides."""
    out = np.zeros_like(mask)
    out[:, 1:] |= mask[:, :-1]
    out[:, :-1] |= mask[:, 1:]
    out[:, :, 1:] |= mask[:, :, :-1]
    out[:, :, :-1] |= mask[:, :, 1:]
    return out


def _cells_of(mask: Mask, corner: tuple[int, int, int]) -> Cells:
    """(k, 3) int32: the first cells of an (H, X, Z) mask."""
    h, x, z = (axis[:_MOST_LEAKS] for axis in np.nonzero(mask))
    cells: Cells = (np.stack([x, h, z], axis=1) + corner).astype(np.int32)
    return cells


def ring(cells: Cells, fillings: Cells, bottom: int, top: int) -> Ring:
    """What wall cells enclose at every level from ``bottom`` to ``top``.

    Cells of ``fillings`` (glass, leaves of doors) close like the wall. Missing cells at most three wide and three high
    are doorways and windows and count as shut, as long as at least half of the columns in plan are of the wall alone
    and stand from bottom to top. Walls that meet by an edge close a corner. Raises :class:`CoordinateError` where the
    wall spreads over too many cells.
    """
    chosen = cells[(cells[:, 1] >= bottom) & (cells[:, 1] <= top)]
    height = top - bottom + 1
    if not len(chosen):
        none = np.zeros((1, 1, 1), dtype=np.bool_)
        return Ring((0, bottom, 0), none[0], none, none, none, NO_CELLS)
    x0, _, z0 = (chosen.min(axis=0) - 1).tolist()
    x1, _, z1 = (chosen.max(axis=0) + 2).tolist()
    if (x1 - x0) * (z1 - z0) * height > _MOST_CELLS:
        raise CoordinateError(f"walls over {x1 - x0}×{z1 - z0} cells are too far apart to be looked at in plan")
    wall = np.zeros((height, x1 - x0, z1 - z0), dtype=np.bool_)
    wall[chosen[:, 1] - bottom, chosen[:, 0] - x0, chosen[:, 2] - z0] = True
    corner = (x0, bottom, z0)
    standing = np.logical_and.reduce(wall, axis=0)
    barrier = _with_fillings(wall, fillings, corner) if len(fillings) else wall
    outline: Mask = np.logical_or.reduce(barrier, axis=0)
    glazed: Mask = np.logical_or.reduce(barrier & ~wall, axis=0)
    inside, within, shut = _inside(barrier, standing, glazed, outline)
    if not inside.any() and height <= _WIDEST_OPENING:
        outline = _gaps_closed(outline)
        inside, within, shut = _inside(barrier, standing, glazed, outline)
    leaks = NO_CELLS if inside.any() else _cells_of(outline & ~barrier, corner)
    return Ring(corner, inside, within, shut, ~(within | barrier | shut), leaks)


def _with_fillings(wall: Mask, cells: Cells, corner: tuple[int, int, int]) -> Mask:
    """(H, X, Z) bool: the wall and the cells that lie within its box."""
    cells = cells - np.array(corner, dtype=np.int32)
    near = cells[((cells >= 0) & (cells < np.array(wall.shape)[[1, 0, 2]])).all(axis=1)]
    barrier = wall.copy()
    barrier[near[:, 1], near[:, 0], near[:, 2]] = True
    # Levels must stay open along their edges.
    barrier[:, [0, -1], :] = False
    barrier[:, :, [0, -1]] = False
    return barrier


def _inside(barrier: Mask, standing: Mask, glazed: Mask, outline: Mask) -> tuple[Mask, Mask, Mask]:
    """(X, Z) bool: what a barrier of the outline encloses at every level while its doorways and windows are shut,
    nothing where too little of it stands as wall; (H, X, Z) bool: what it encloses at each level; and (H, X, Z) bool:
    these doorways and windows."""
    missing = outline & ~barrier
    shut = _openings(missing) if missing.any() else missing
    other = np.logical_or.reduce(shut, axis=0) | glazed
    if 2 * np.count_nonzero(standing) < np.count_nonzero(standing | other):
        return np.zeros(outline.shape, dtype=np.bool_), np.zeros_like(barrier), shut
    within = enclosed(barrier | shut)
    inside: Mask = np.logical_and.reduce(within, axis=0)
    return inside, within, shut


def _gaps_closed(plan: Mask) -> Mask:
    """(X, Z) bool: the plan with doorways closed, one for each space that one closes, or else two.

    A gap across a space that another gap closes as a whole stays open; gaps that close equal spaces are all closed,
    so that no direction is special.
    """
    from scipy import ndimage

    gaps = _straight_gaps(plan)
    if len(gaps) * plan.size > _MOST_CELLS:
        return plan
    gaps = [gap for gap in gaps if _narrower(plan, gap)]
    parts, _ = ndimage.label(plan, structure=np.ones((3, 3)))
    touched = [set(parts[_around(gap)].flat) - {0} for gap in gaps]
    # Two that enclose something only together join the same two parts of the wall.
    pairs = [pair for pair in combinations(range(len(gaps)), 2) if len(touched[pair[0]] & touched[pair[1]]) > 1]
    for choices in ([(gap,) for gap in gaps], [(gaps[i], gaps[j]) for i, j in pairs]):
        if not choices or len(choices) * plan.size > _MOST_CELLS:
            break
        closed = np.repeat(plan[None], len(choices), axis=0)
        for choice, gaps_of_choice in zip(closed, choices, strict=True):
            for gap in gaps_of_choice:
                choice[gap] = True
        inside = enclosed(closed)
        area = np.count_nonzero(inside, axis=(1, 2))
        if area.any():
            return _widest(closed, inside, area)
    return plan


def _around(gap: Gap) -> Gap:
    """A gap and the cells around it. Plans are open along their edges, so no gap lies there."""
    return slice(gap[0].start - 1, gap[0].stop + 1), slice(gap[1].start - 1, gap[1].stop + 1)


def _narrower(plan: Mask, gap: Gap) -> bool:
    """Whether a gap is narrower than the space on both its sides, as a doorway is: straight on from it, behind jambs
    at most three deep, there is more room sideways. Otherwise it is the open end of a passage."""
    x, z = _around(gap)
    along_x = plan[x.start, gap[1].start] and plan[x.stop - 1, gap[1].start]
    lines, at = (plan[x].T, gap[1].start) if along_x else (plan[:, z], gap[0].start)
    return _widens(lines[at + 1 :]) and _widens(lines[at - 1 :: -1])


def _widens(lines: Mask) -> bool:
    """Whether the way over lines that hold one cell more on either side opens sideways behind three of them at most,
    or leaves the plan."""
    for line in lines[:_WIDEST_OPENING]:
        if not line[:2].any() or not line[-2:].any():
            return True
        if line[1:-1].all():
            return False
    return len(lines) < _WIDEST_OPENING


def _widest(closed: Mask, inside: Mask, area: NDArray[np.int64]) -> Mask:
    """The union of the closed plans whose enclosed space lies in no larger one of another."""
    out = np.zeros(closed.shape[1:], dtype=np.bool_)
    reached = out.copy()
    for size in np.unique(area[area > 0])[::-1].tolist():
        chosen = [i for i in np.flatnonzero(area == size).tolist() if (inside[i] & ~reached).any()]
        for i in chosen:
            out |= closed[i]
        for i in chosen:
            reached |= closed[i] | inside[i]
    return out


def _straight_gaps(plan: Mask) -> list[Gap]:
    """Straight runs of at most three open cells between two cells of the plan, along x and z."""
    gaps: list[Gap] = []
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
    """(H, X, Z) bool: groups of missing cells, joined by faces, that are at most three wide and three high."""
    from scipy import ndimage

    if all(int(axis.max()) - int(axis.min()) < _WIDEST_OPENING for axis in np.nonzero(missing)):
        return missing
    labels, number = ndimage.label(missing)
    small = np.zeros(number + 1, dtype=np.bool_)
    for i, box in enumerate(ndimage.find_objects(labels), start=1):
        small[i] = all(part.stop - part.start <= _WIDEST_OPENING for part in box)
    out: Mask = small[labels]
    return out
