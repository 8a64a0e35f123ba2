"""What closes, and the volumes of air that it encloses.

Closing are structural blocks, glass, panes, bars, foliage, soil, and the leaves of doors, gates and trapdoors, open or
shut; fences and walls only with something else that closes under or over them. Beds, chains and scaffolding close
nothing, nor do halves of doors that stand alone.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Mask
from minece.blocks.catalogue import materials
from minece.blocks.items import partners
from minece.blocks.palette import ALONE, PaletteTable
from minece.checkers.openings import Openings, find_openings
from minece.checkers.space import Space, moved
from minece.checkers.stepping import CLIMBED
from minece.checkers.walker import Walker

DOORS = materials("#doors")
LEAVES_OF_DOORS = materials("#doors, #fence_gates, #trapdoors")
WAYS_UP = materials("#stairs, #slabs") | CLIMBED
NOT_CLOSING = materials("#beds, #chains, scaffolding")
SET_IN_WALLS = materials("#fences, #walls")
"""Materials that close only with something that closes under or over them: no pergola is a roof."""


def closing_states(table: PaletteTable) -> Mask:
    """(k,) bool: the states of a palette that close."""
    closes = table.structural | table.leaves | table.matches(LEAVES_OF_DOORS)
    return closes & ~table.matches(NOT_CLOSING)


class Enclosure:
    """The volumes of air that a build encloses.

    Attributes
    ----------
    space : the build's space
    half_doors : (h, 3) int32, cells of halves of doors that stand alone
    leaf : (X, Y, Z) bool, leaves of doors, gates and trapdoors
    closing : (X, Y, Z) bool, see the module
    openings : doorways, windows and holes that close enclosed air although it passes through them
    volume : (X, Y, Z) int32, number of the enclosed volume of air, from 1 to ``count``; 0 is outside, closed or an
        opening
    """

    def __init__(self, space: Space, walker: Walker) -> None:
        self.space = space
        table = space.table
        of_leaf = table.matches(LEAVES_OF_DOORS)
        self.closing: Mask = space.mask(closing_states(table), soil=True)
        self.leaf: Mask = space.mask(of_leaf) if of_leaf.any() else np.zeros(space.shape, dtype=np.bool_)
        self._open_fences()
        self.half_doors = self._open_half_doors()
        self.openings: Openings = find_openings(self.closing, self._ways_up(walker))
        self.volume, self.count = self._volumes()
        if self.openings.all.any():
            self.openings = self._of_volumes()

    def _ways_up(self, walker: Walker) -> Mask:
        """(X, Y, Z) bool: where somebody who comes from outside has his feet on ladders, stairs and slabs."""
        out = np.zeros(self.space.shape, dtype=np.bool_)
        of_way = self.space.table.matches(WAYS_UP)
        if of_way.any():
            leads = np.append(of_way, (False, False))
            state, up = self.space.state.reshape(-1), self.space.strides[1]
            upon = leads[state[walker.at]] | leads[state[walker.at - up]]
            out.reshape(-1)[walker.at[upon & walker.reach(walker.outside)]] = True
        return out

    def _open_fences(self) -> None:
        """Fences and walls without anything else that closes under or over them close nothing."""
        thin = self.space.table.matches(SET_IN_WALLS)
        if not thin.any():
            return
        set_in = self.space.mask(thin)
        height = np.arange(self.space.shape[1])[:, None]
        solid = self.closing & ~set_in
        free = set_in
        # The nearest cell of another kind below, and above, each fence.
        for flip in (False, True):
            fence, other = (np.flip(array, axis=1) if flip else array for array in (set_in, solid))
            last = np.maximum.accumulate(np.where(fence, -1, height), axis=1)
            held = np.take_along_axis(other, np.maximum(last, 0), axis=1) & (last >= 0)
            free = free & ~(np.flip(held, axis=1) if flip else held)
        self.closing &= ~free

    def _open_half_doors(self) -> Cells:
        blocks = self.space.blocks
        doors = self.space.table.matches(DOORS)[self.space.blocks.index]
        lone = doors & (self.space.table.half[blocks.index] != ALONE)
        if lone.any():
            lone &= partners(blocks) < 0
            flat = self.space.position[lone]
            self.closing.reshape(-1)[flat] = False
            self.leaf.reshape(-1)[flat] = False
        halves: Cells = blocks.cells[lone]
        return halves

    def _volumes(self) -> tuple[NDArray[np.int32], int]:
        from scipy import ndimage

        labels = np.empty(self.space.shape, dtype=np.int32)
        count = ndimage.label(~self.closing & ~self.openings.all, output=labels)
        enclosed = np.ones(count + 1, dtype=np.bool_)
        enclosed[0] = False
        for face in (labels[0], labels[-1], labels[:, :, 0], labels[:, :, -1], labels[:, -1]):
            enclosed[face] = False
        number = np.cumsum(enclosed, dtype=np.int32)
        number[~enclosed] = 0
        volume: NDArray[np.int32] = number[labels]
        return volume, int(number.max())

    def _of_volumes(self) -> Openings:
        """The openings beside enclosed air; others part nothing."""
        from scipy import ndimage

        openings = self.openings
        labels, count = ndimage.label(openings.all)
        enclosed = self.volume > 0
        beside = np.logical_or.reduce([moved(enclosed, side) for side in range(6)])
        closes = np.zeros(count + 1, dtype=np.bool_)
        closes[labels[beside]] = True
        closes[0] = False
        kept = closes[labels]
        return Openings(openings.walls & kept, openings.floors & kept, openings.flues & kept)

    @cached_property
    def covered(self) -> Mask:
        """(X, Y, Z) bool: cells with something closing above them."""
        above = np.zeros(self.space.shape, dtype=np.bool_)
        above[:, :-1] = np.logical_or.accumulate(self.closing[:, :0:-1], axis=1)[:, ::-1]
        return above
