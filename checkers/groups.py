"""Groups of cells of a level."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Frame
from minece.blocks.grid import find, unique_cells
from minece.blocks.links import components

_FEW = 48


def group_cells(cells: Cells, connectivity: int) -> tuple[NDArray[np.int64], int]:
    """(n,) int64 group number from 0 of each cell, and the number of groups; cells of one level, joined by 4 or 8
    neighbours. Scattered cells cost no memory."""
    if not len(cells):
        return np.empty(0, dtype=np.int64), 0
    if len(cells) <= _FEW:
        return components(len(cells), *_touching(cells, connectivity))
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


def _touching(cells: Cells, connectivity: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The pairs of neighbours among few cells, found by looking at all pairs."""
    apart = np.abs(cells[:, None] - cells)
    if connectivity == 4:
        touch = apart.sum(axis=2) == 1
    else:
        touch = apart.max(axis=2) == 1
    touch &= apart[:, :, 1] == 0
    one, other = np.nonzero(touch)
    return one, other


def least_gap(cells: Cells, groups: NDArray[np.int64]) -> int:
    """Fewest free cells in plan between cells of different groups: the larger of the distances along x and z.

    ``cells`` (n, 3); ``groups`` (n,) holds at least two different numbers from 0 up.
    """
    from scipy.spatial import cKDTree

    plan = cells[:, [0, 2]]
    least = np.inf
    # Two different numbers differ in some bit, so the nearest pair is found on the two sides of one of the bits.
    for bit in range(int(groups.max()).bit_length()):
        one = (groups >> bit & 1).astype(np.bool_)
        if one.any() and not one.all():
            distance, _ = cKDTree(plan[~one]).query(plan[one], p=np.inf, distance_upper_bound=least)
            least = min(least, float(np.min(distance)))
    return int(least) - 1


def flattened(cells: Cells) -> Cells:
    """(k, 3) int32: the cells as seen from above, each once, at the height 0."""
    flat = cells.copy()
    flat[:, 1] = 0
    return unique_cells(flat)
