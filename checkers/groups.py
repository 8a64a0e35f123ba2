"""Groups of cells of a level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Frame, Mask
from minece.blocks.grid import find
from minece.blocks.links import components


def group_cells(cells: Cells, connectivity: int) -> tuple[NDArray[np.int64], int]:
    """(n,) int64 group number from 0 of each cell, and the number of groups; cells of one level, joined by 4 or 8
    neighbours. Scattered cells cost no memory."""
    if not len(cells):
        return np.empty(0, dtype=np.int64), 0
    frame = Frame.around(cells)
    keys = frame.keys(cells)
    order = np.argsort(keys)
    sx, _, sz = frame.strides
    steps = (sx, sz) if connectivity == 4 else (sx, sz, sx + sz, sx - sz)
    one, other = [], []
    for step in steps:
        there = find(keys[order], keys + step)
        one.append(np.flatnonzero(there >= 0))
        other.append(order[there[there >= 0]])
    return components(len(cells), np.concatenate(one), np.concatenate(other))


def least_gap(cells: Cells, groups: NDArray[np.int64]) -> int:
    """Fewest free cells in plan between cells of different groups: the larger of the distances along x and z.

    ``cells`` (n, 3) are distinct in plan; ``groups`` (n,) has at least two different numbers.
    """
    from scipy.spatial import cKDTree

    rim = _rim(cells)
    plan, group = cells[rim][:, [0, 2]], groups[rim]
    tree = cKDTree(plan)
    # The nearest pair has at least one end outside the largest group, so nobody asks from inside that.
    asking = np.flatnonzero(group != np.bincount(group).argmax())
    near, best = 8, np.inf
    while len(asking):
        near = min(near, len(plan))
        # A list of neighbour ranks keeps the answer two-dimensional when there is only one.
        distance, index = map(np.asarray, tree.query(plan[asking], k=range(1, near + 1), p=np.inf))
        found = np.where(group[index] != group[asking, None], distance, np.inf).min(axis=1)
        best = min(best, float(found.min()))
        asking = asking[(found == np.inf) & (distance[:, -1] < best)] if near < len(plan) else asking[:0]
        near *= 4
    return int(best) - 1


def _rim(cells: Cells) -> Mask:
    """(n,) bool: cells of a level that lack a neighbour on one of their four sides."""
    frame = Frame.around(cells)
    keys = frame.keys(cells)
    order = np.sort(keys)
    sx, _, sz = frame.strides
    inner = np.ones(len(cells), dtype=np.bool_)
    for step in (sx, -sx, sz, -sz):
        inner &= find(order, keys + step) >= 0
    return ~inner
