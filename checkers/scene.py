"""A build as the rules see it: soil told from blocks, substances, neighbours, parts, and what is carried.

Everything is computed once, when the first rule asks for it, and shared by all rules over one build.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from minece.blocks import OFFSETS, BlockSet, Build, Cells, Frame, Log
from minece.blocks.catalogue import SOIL
from minece.blocks.grid import find
from minece.checkers.links import components

T = TypeVar("T")
Mask = NDArray[np.bool_]
Labels = NDArray[np.int32]

DOWN, UP = 2, 3
SIDES = (0, 1, 4, 5)
"""Positions of the four side faces in ``FACES``."""

_BY_FACES = np.zeros((3, 3, 3), dtype=np.bool_)
_BY_FACES[1, 1, :] = _BY_FACES[1, :, 1] = _BY_FACES[:, 1, 1] = True

_DENSE_PER_BLOCK = 64
_MOST_DENSE = 2**27


class Scene:
    """A build and the soil around it.

    Attributes
    ----------
    build : the build
    blocks : its blocks without those that are soil: earth below ground counts as soil, whether it came with a
        file's terrain or was put back, unless ``named`` has its id
    dug : (m, 3) int32, cells below ground without soil or block
    named : block ids that are never soil
    """

    def __init__(self, build: Build, named: frozenset[str] = frozenset()) -> None:
        self.build = build
        self.named = named
        self.dug: Cells = build.dug
        self.blocks: BlockSet = _without_soil(build.blocks, SOIL - named)
        self._memory: dict[Hashable, Any] = {}

    def remember(self, key: Hashable, work_out: Callable[[], T]) -> T:
        """What ``work_out`` gives, worked out once for each key."""
        if key not in self._memory:
            self._memory[key] = work_out()
        found: T = self._memory[key]
        return found

    @property
    def cells(self) -> Cells:
        """(n, 3) int32: the cells of the blocks."""
        return self.blocks.cells

    @property
    def log(self) -> Log | None:
        """The order of placements, None where it is not known."""
        return self.build.log

    def _per_block(self, of_palette: Mask) -> Mask:
        return of_palette[self.blocks.index]

    @cached_property
    def structural(self) -> Mask:
        """(n,) bool: carries load (full and partial solids)."""
        return self._per_block(self.blocks.table.structural)

    @cached_property
    def fluid(self) -> Mask:
        """(n,) bool: water and lava."""
        return self._per_block(self.blocks.table.fluid)

    @cached_property
    def attachment(self) -> Mask:
        """(n,) bool: held by another block's face, carries nothing."""
        return self._per_block(self.blocks.table.attachment)

    @cached_property
    def leaves(self) -> Mask:
        """(n,) bool: leaves."""
        return self._per_block(self.blocks.table.leaves)

    @cached_property
    def gravity(self) -> Mask:
        """(n,) bool: falls when nothing is under it."""
        return self._per_block(self.blocks.table.gravity)

    @property
    def neighbours(self) -> NDArray[np.int64]:
        """(n, 6) int64: position of the block across each face, -1 where there is none."""
        return self.blocks.neighbours

    def is_soil(self, cells: Cells) -> Mask:
        """(m,) bool: which cells are soil: below ground, with neither a block nor a hole."""
        soil = cells[:, 1] < 0
        if soil.any():
            below = cells[soil]
            free = ~self.blocks.contains(below)
            if len(self.dug):
                frame = self._dug_frame
                free &= find(self._dug_keys, frame.keys(below)) < 0
            soil[soil] = free
        return soil

    @cached_property
    def _dug_frame(self) -> Frame:
        return Frame.around(self.dug)

    @cached_property
    def _dug_keys(self) -> NDArray[np.int64]:
        return self._dug_frame.keys(self.dug)

    @cached_property
    def soil_faces(self) -> Mask:
        """(n, 6) bool: the faces (order of ``FACES``) behind which soil lies."""
        y = self.cells[:, 1]
        out = np.repeat((y < 0)[:, None], 6, axis=1)
        if not len(y) or y.min() > 0:
            return out
        out[:, DOWN] = y <= 0
        out[:, UP] = y < -1
        out &= self.neighbours < 0
        if len(self.dug):
            rows, faces = np.nonzero(out)
            out[rows, faces] = find(self._dug_keys, self._dug_frame.keys(self.cells[rows] + OFFSETS[faces])) < 0
        return out

    @cached_property
    def resting(self) -> Mask:
        """(n,) bool: stands on soil, or lies in it with soil under it or beside it. Soil above carries nothing."""
        resting: Mask = np.logical_or.reduce(self.soil_faces[:, (DOWN, *SIDES)], axis=1)
        return resting

    @cached_property
    def parts(self) -> Labels:
        """(n,) int32: number of the part, joined by faces of structural blocks, that a block belongs to; 0 for
        blocks that are not structural. Parts are numbered from 1 in the order of their first cell."""
        return label_by_faces(self.blocks, self.structural)

    @cached_property
    def hanging(self) -> NDArray[np.int64]:
        """(k,) int64: positions of the blocks that neither carry load nor flow: they need something to hold them."""
        return np.flatnonzero(~self.structural & ~self.fluid)

    @cached_property
    def carried(self) -> Mask:
        """(n,) bool: joined by faces of structural blocks to the soil, or held as the block needs it.

        Fluids count as carried.
        """
        from minece.checkers.support import carried

        return carried(self)

    @cached_property
    def placed_at(self) -> NDArray[np.int64]:
        """(n,) int64: number of the log's event that placed each block, -1 where the log has none."""
        if self.log is None:
            return np.full(len(self.blocks), -1, dtype=np.int64)
        return self.log.placed_at(self.blocks)

    @cached_property
    def order(self) -> NDArray[np.int64] | None:
        """(n,) int64: positions of the blocks in the order in which they were placed for good, or None where the
        order of some of them is not known."""
        if self.log is None or (len(self.blocks) and self.placed_at.min() < 0):
            return None
        return np.argsort(self.placed_at)


def _without_soil(blocks: BlockSet, soil: frozenset[str]) -> BlockSet:
    if not len(blocks) or blocks.low[1] >= 0:
        return blocks
    earth = blocks.is_material(soil)
    if not earth.any():
        return blocks
    earth &= blocks.cells[:, 1] < 0
    return blocks.where(~earth)


def label_by_faces(blocks: BlockSet, mask: Mask) -> Labels:
    """(n,) int32: number of the face-connected group of each block of the mask, from 1 in the order of the groups'
    first cells; 0 outside the mask.

    Compact builds are labelled in a dense box, scattered ones through their neighbours, with the same result.
    """
    volume = blocks.frame.volume
    if volume <= max(2**16, _DENSE_PER_BLOCK * len(blocks)) and volume <= _MOST_DENSE:
        from scipy import ndimage

        dense = np.empty(blocks.frame.size, dtype=np.int32)
        ndimage.label(blocks.dense(mask), structure=_BY_FACES, output=dense)
        return dense.reshape(-1)[blocks.keys]
    return label_by_links(blocks, mask)


def label_by_links(blocks: BlockSet, mask: Mask) -> Labels:
    """The same as :func:`label_by_faces`, whatever the box."""
    out = np.zeros(len(blocks), dtype=np.int32)
    members = np.flatnonzero(mask)
    if not len(members):
        return out
    place = np.full(len(blocks), -1, dtype=np.int64)
    place[members] = np.arange(len(members))
    ahead = blocks.neighbours[members][:, 1::2]
    linked = (ahead >= 0) & mask[ahead]
    one = np.nonzero(linked)[0]
    other = place[ahead[linked]]
    labels, _ = components(len(members), one, other)
    out[members] = labels + 1
    return out
