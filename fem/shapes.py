"""Boxes of a block as cubes of its cell, or as the part of the cell that they fill."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from minece.blocks.tables import Box
from minece.fem.mesh import Mask

_CLOSE = 1e-9


@dataclass(frozen=True, eq=False)
class Shape:
    """``filled`` (r, r, r) bool are the cubes of the cell that are there, ``share`` how much of them is solid, 1 where
    the cubes show the shape exactly; ``volume`` is the part of the cell that is solid."""

    filled: Mask
    share: float
    volume: float


@lru_cache(maxsize=4096)
def shape_of(boxes: tuple[Box, ...], refine: int) -> Shape:
    """The shape of boxes x0 y0 z0 x1 y1 z1 in refine³ cubes; what stands out above the cell is cut.

    Exact where all boxes end between cubes. Otherwise the whole cell stands for it, thinned by its volume.
    """
    ends = np.clip(np.array(boxes, dtype=np.float64).reshape(-1, 6), 0.0, 1.0)
    steps = ends * refine
    exact = bool(np.abs(steps - np.rint(steps)).max(initial=0.0) < _CLOSE)
    planes = [np.unique(np.concatenate([ends[:, [axis, axis + 3]].ravel(), [0.0, 1.0]])) for axis in range(3)]
    if exact:
        planes = [np.linspace(0.0, 1.0, refine + 1)] * 3
    middles = [0.5 * (edge[1:] + edge[:-1]) for edge in planes]
    inside = np.zeros([len(middle) for middle in middles], dtype=np.bool_)
    for box in ends:
        along = [(middle > box[axis]) & (middle < box[axis + 3]) for axis, middle in enumerate(middles)]
        inside |= along[0][:, None, None] & along[1][:, None] & along[2]
    widths = [np.diff(edge) for edge in planes]
    volume = float(np.einsum("xyz,x,y,z->", inside.astype(np.float64), *widths))
    if exact and inside.any():
        return Shape(inside, 1.0, volume)
    return Shape(np.ones((refine, refine, refine), dtype=np.bool_), volume, volume)
