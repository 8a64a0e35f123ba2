"""Soil: what the ground is made of where a build leaves it alone.

Cells below the ground plane are soil unless the build has a block there or they were dug.
"""

from __future__ import annotations

import numpy as np

from minece.blocks.blockset import BlockSet
from minece.blocks.catalogue import SOIL
from minece.blocks.grid import DOWN, OFFSETS, UP, Cells, Frame, Mask, find


def without_soil(blocks: BlockSet, named: frozenset[str] = frozenset()) -> BlockSet:
    """The blocks without those that are soil: earth below ground, whether it came with a file's terrain or was put
    back, unless ``named`` has its id."""
    if not len(blocks) or blocks.low[1] >= 0:
        return blocks
    earth = blocks.is_material(SOIL - named)
    if not earth.any():
        return blocks
    earth &= blocks.cells[:, 1] < 0
    return blocks.where(~earth)


def is_soil(cells: Cells, blocks: BlockSet, dug: Cells) -> Mask:
    """(m,) bool: which cells are soil: below ground, with neither a block nor a hole."""
    soil = cells[:, 1] < 0
    soil[soil] = ~blocks.contains(cells[soil])
    soil[soil] = ~_among(cells[soil], dug)
    return soil


def soil_faces(blocks: BlockSet, dug: Cells) -> Mask:
    """(n, 6) bool: the faces (order of ``FACES``) of n blocks behind which soil lies."""
    y = blocks.cells[:, 1]
    out = np.repeat((y < 0)[:, None], 6, axis=1)
    if not len(y) or y.min() > 0:
        return out
    out[:, DOWN] = y <= 0
    out[:, UP] = y < -1
    out &= blocks.neighbours < 0
    if len(dug):
        rows, faces = np.nonzero(out)
        out[rows, faces] = ~_among(blocks.cells[rows] + OFFSETS[faces], dug)
    return out


def _among(cells: Cells, dug: Cells) -> Mask:
    frame = Frame.around(dug)
    return find(frame.keys(dug), frame.keys(cells)) >= 0
