"""The cells of lines, shells and copies, in the order in which they are placed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minece.agent_bridge.clicks import Cell
from minece.blocks import Cells
from minece.blocks.orient import mirror_state, turn_state


def line(start: Cell, end: Cell) -> Cells:
    """(n, 3) int32: one cell for each step along the longest axis, both ends in it, halves rounded away from the start.

    >>> line((0, 0, 0), (4, 2, 0)).tolist()
    [[0, 0, 0], [1, 1, 0], [2, 1, 0], [3, 2, 0], [4, 2, 0]]
    """
    first = np.array(start, dtype=np.int64)
    way = np.array(end, dtype=np.int64) - first
    steps = int(np.abs(way).max())
    if not steps:
        return first[None].astype(np.int32)
    done = np.arange(steps + 1, dtype=np.int64)[:, None] * np.abs(way)
    cells: Cells = (first + np.sign(way) * ((2 * done + steps) // (2 * steps))).astype(np.int32)
    return cells


def shell(cells: Cells, low: Cell, size: Cell) -> Cells:
    """Those cells of a box that lie in its floor, walls or roof."""
    from_low = cells - np.array(low, dtype=np.int32)
    outer: NDArray[np.bool_] = (from_low == 0) | (from_low == np.array(size, dtype=np.int32) - 1)
    return cells[outer.any(axis=1)]


def turned_size(size: Cell, quarters: int) -> Cell:
    """The size of a box after quarter turns seen from above."""
    return (size[2], size[1], size[0]) if quarters % 2 else size


def copied(
    blocks: Iterable[tuple[Cell, str]],
    low: Cell,
    size: Cell,
    to: Cell,
    *,
    turn: int,
    mirror: Literal["x", "z"] | None,
) -> Mapping[Cell, str]:
    """The blocks of a box mirrored, then turned, then moved so that their box has its low corner at ``to``."""
    out: dict[Cell, str] = {}
    for cell, state in blocks:
        x, y, z = (n - least for n, least in zip(cell, low, strict=True))
        width, _, depth = size
        if mirror:
            x, z = (width - 1 - x, z) if mirror == "x" else (x, depth - 1 - z)
            state = mirror_state(state, mirror)
        for _ in range(turn):
            x, z = depth - 1 - z, x
            width, depth = depth, width
        out[to[0] + x, to[1] + y, to[2] + z] = turn_state(state, turn)
    return out
