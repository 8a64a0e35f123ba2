"""Profiles: the heights of tops and undersides along a line, in sixteenths of a block, every half cell."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells
from minece.blocks.catalogue import describe
from minece.checkers.stepping import BLOCK

Heights = NDArray[np.int64]
"""int64, sixteenths of a block above ground; :data:`NOTHING` where there is no block."""

NOTHING = np.iinfo(np.int64).max


@lru_cache(maxsize=64)
def _faces(palette: tuple[str, ...], axis: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(k, 2) int64 each: lowest bottom and highest top of each state's boxes in the lower and in the upper half of its
    cell along an axis; in a half without boxes ``NOTHING`` and ``-NOTHING``."""
    low = np.full((len(palette), 2), NOTHING)
    high = np.full((len(palette), 2), -NOTHING)
    for i, state in enumerate(palette):
        for box in describe(state).boxes:
            for half in range(2):
                if box[axis] < 0.5 + half / 2 and box[axis + 3] > half / 2:
                    low[i, half] = min(low[i, half], round(box[1] * BLOCK))
                    high[i, half] = max(high[i, half], round(box[4] * BLOCK))
    return low, high


def undersides(cells: Cells, index: NDArray[np.int32], palette: tuple[str, ...], axis: int) -> Heights:
    """(2 L, W): the lowest lower face over each half cell of the box around some blocks, along an axis and across."""
    low, _ = _faces(palette, axis)
    return _lowest(cells, index, low, axis, 1)


def tops(cells: Cells, index: NDArray[np.int32], palette: tuple[str, ...], axis: int) -> Heights:
    """(2 L, W): the highest top over each half cell of the box around some blocks, along an axis and across."""
    _, high = _faces(palette, axis)
    found = _lowest(cells, index, -high, axis, -1)
    return np.where(found == NOTHING, NOTHING, -found)


def _lowest(cells: Cells, index: NDArray[np.int32], face: NDArray[np.int64], axis: int, sign: int) -> Heights:
    along = cells[:, axis] - cells[:, axis].min()
    across = cells[:, 2 - axis] - cells[:, 2 - axis].min()
    out = np.full((2 * (int(along.max()) + 1), int(across.max()) + 1), NOTHING)
    for half in range(2):
        height = face[index, half]
        there = height != NOTHING
        at = (2 * along[there] + half, across[there])
        np.minimum.at(out, at, height[there] + sign * BLOCK * cells[there, 1].astype(np.int64))
    return out


def dip(heights: Heights) -> int:
    """The place in a line of heights where it first rises after it fell, -1 where it never does."""
    change = np.diff(heights)
    falling = np.flatnonzero(change < 0)
    if not len(falling):
        return -1
    again = np.flatnonzero(change[falling[0] :] > 0)
    return int(falling[0] + again[0]) if len(again) else -1
