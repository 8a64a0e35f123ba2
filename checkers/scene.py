"""A build as the rules see it: soil told from blocks, substances, neighbours, parts, and what is carried.

Everything is computed once, when the first rule asks for it, and shared by all rules over one build.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from minece.blocks import BlockSet, Build, Cells, Log, Mask
from minece.blocks.grid import DOWN, SIDES
from minece.blocks.parts import Labels, label_by_faces
from minece.blocks.soil import is_soil, soil_faces, without_soil

if TYPE_CHECKING:
    from minece.checkers.enclosure import Enclosure
    from minece.checkers.rooms import Interior
    from minece.checkers.space import Space
    from minece.checkers.storeys import Storeys
    from minece.checkers.walker import Walker

T = TypeVar("T")


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
        self.blocks: BlockSet = without_soil(build.blocks, named)
        self._memory: dict[Hashable, Any] = {}

    @property
    def empty(self) -> bool:
        """Whether nothing is built."""
        return not len(self.blocks)

    def remember(self, key: Hashable, work_out: Callable[[], T]) -> T:
        """What ``work_out`` gives, worked out once for each key."""
        if key not in self._memory:
            fresh = work_out()
            if isinstance(fresh, np.ndarray):
                fresh.setflags(write=False)
            self._memory[key] = fresh
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
        return is_soil(cells, self.blocks, self.dug)

    @cached_property
    def soil_faces(self) -> Mask:
        """(n, 6) bool: the faces (order of ``FACES``) behind which soil lies."""
        return soil_faces(self.blocks, self.dug)

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

    # What follows costs more to import and to build than most rules need.

    @cached_property
    def space(self) -> Space:
        """Blocks, air and soil as one dense array."""
        from minece.checkers.space import Space

        return Space(self.blocks, self.dug)

    @cached_property
    def walker(self) -> Walker:
        """Where somebody can stand and walk."""
        from minece.checkers.walker import Walker

        return Walker(self.space)

    @cached_property
    def enclosure(self) -> Enclosure:
        """What closes, and the volumes that it encloses."""
        from minece.checkers.enclosure import Enclosure

        return Enclosure(self.space, self.walker)

    @cached_property
    def interior(self) -> Interior:
        """Rooms and doorways."""
        from minece.checkers.rooms import Interior

        return Interior(self.enclosure, self.walker)

    @cached_property
    def storeys(self) -> Storeys:
        """Floors one above another."""
        from minece.checkers.storeys import Storeys

        return Storeys(self.interior)

    @cached_property
    def placed_at(self) -> NDArray[np.int64]:
        """(n,) int64: number of the log's event that placed each block, -1 where the log has none."""
        if self.log is None:
            return np.full(len(self.blocks), -1, dtype=np.int64)
        return self.log.placed_at(self.blocks)

    @cached_property
    def turn(self) -> NDArray[np.int64]:
        """(n,) int64: the place of each block in :attr:`order`, which must be known."""
        turn = np.empty(len(self.blocks), dtype=np.int64)
        turn[self.order] = np.arange(len(turn))
        return turn

    @cached_property
    def order(self) -> NDArray[np.int64] | None:
        """(n,) int64: positions of the blocks in the order in which they were placed for good, or None where the
        order of some of them is not known."""
        if self.log is None or (len(self.blocks) and self.placed_at.min() < 0):
            return None
        return np.argsort(self.placed_at)
