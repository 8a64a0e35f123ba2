"""In which order the cells of boxes and rings are placed."""

from __future__ import annotations

import numpy as np

from minece.blocks import Cells

Cell = tuple[int, int, int]


def snake(low: Cell, size: Cell, last: Cell | None = None) -> Cells:
    """(n, 3) int32: the cells of a box in snake order.

    z runs fastest, then x, then y upward; each row and each layer starts at the end nearest to the last cell, at the
    lower end where both are as near. ``last`` is the cell placed before the box.
    """
    width, height, depth = size
    (x0, y0, z0), (x, _, z) = low, last or low
    start_x = abs(x - (x0 + width - 1)) < abs(x - x0)
    start_z = abs(z - (z0 + depth - 1)) < abs(z - z0)
    out = np.empty((height, width, depth, 3), dtype=np.int32)
    layers = np.arange(height)
    rows = layers[:, None] * width + np.arange(width)
    along_x = np.arange(x0, x0 + width, dtype=np.int32)
    along_z = np.arange(z0, z0 + depth, dtype=np.int32)
    back_x = ((layers % 2 == 1) ^ start_x)[:, None]
    back_z = ((rows % 2 == 1) ^ start_z)[..., None]
    out[..., 0] = np.where(back_x, along_x[::-1], along_x)[..., None]
    out[..., 1] = (y0 + layers)[:, None, None]
    out[..., 2] = np.where(back_z, along_z[::-1], along_z)
    return out.reshape(-1, 3)


def around(low: Cell, size: Cell, last: Cell | None = None) -> Cells:
    """(n, 3) int32: the outer cells in plan of a box, layer by layer upward.

    Each layer runs around once, from the corner nearest to the last cell.
    """
    width, height, depth = size
    x0, y0, z0 = low
    x1, z1 = x0 + width - 1, z0 + depth - 1
    if width == 1 or depth == 1:
        return snake(low, size, last)
    corners = [(x0, z0), (x0, z1), (x1, z1), (x1, z0)]
    path = np.array(
        [(x0, z) for z in range(z0, z1)]
        + [(x, z1) for x in range(x0, x1)]
        + [(x1, z) for z in range(z1, z0, -1)]
        + [(x, z0) for x in range(x1, x0, -1)],
        dtype=np.int32,
    )
    x, _, z = last or low
    first = min(corners, key=lambda c: abs(c[0] - x) + abs(c[1] - z))
    begin = int(np.flatnonzero((path == first).all(axis=1))[0])
    path = np.roll(path, -begin, axis=0)
    out = np.empty((height, len(path), 3), dtype=np.int32)
    out[:, :, [0, 2]] = path
    out[:, :, 1] = (y0 + np.arange(height, dtype=np.int32))[:, None]
    return out.reshape(-1, 3)
