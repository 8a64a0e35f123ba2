"""The space in and around a build as one dense array: blocks, air and soil, cell by cell.

What looks at empty cells (rooms, walkers, roofs) works on these arrays. Long stretches without blocks along an axis
are shortened, so that a lamp far from a house costs no memory; every index knows its true coordinate.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minece.blocks import NO_CELLS, BlockSet, Cells, Mask
from minece.blocks.palette import PaletteTable
from minece.checkers.errors import RuleError

Flat: TypeAlias = NDArray[np.int64]
"""(k,) int64: numbers of cells in C order of the space's axes x, y, z."""

MARGIN = 3
"""Cells of untouched ground and air that are kept on every side."""
LONGEST_GAP = 8
"""How much of a stretch without any block is kept along an axis; longer than any step or fall of a walker."""
MOST_CELLS = 2**24


class Space:
    """A box around blocks and holes, ``MARGIN`` wider on every side, that always reaches below ground.

    Attributes
    ----------
    blocks : the blocks, without those that are soil
    table : what the catalogue knows of their palette, k states
    axes : three ascending (X,), (Y,), (Z,) int64 arrays: the true coordinate of each index along x, y and z
    shape : X, Y, Z
    state : (X, Y, Z) int32: position in the palette, or :attr:`air`, or :attr:`soil`
    air, soil : k and k + 1
    position : (n,) int64: the flat number of each block's cell

    Raises :class:`RuleError` for blocks that are too scattered to lay out.
    """

    def __init__(self, blocks: BlockSet, dug: Cells) -> None:
        self.blocks = blocks
        self.table: PaletteTable = blocks.table
        self.air = len(blocks.palette)
        self.soil = self.air + 1
        ground = np.array([-1, 0])
        self.axes = tuple(
            _axis([cells[:, i] for cells in (blocks.cells, dug)] + ([ground] if i == 1 else [])) for i in range(3)
        )
        x, y, z = map(len, self.axes)
        self.shape = (x, y, z)
        if x * y * z > MOST_CELLS:
            raise RuleError("the blocks are too scattered to be judged", mend="remove the stray ones")
        self.state: NDArray[np.int32] = np.full(self.shape, self.air, dtype=np.int32)
        self.state[:, : self.level(0)] = self.soil
        flat = self.state.reshape(-1)
        flat[self.flat(dug)] = self.air
        self.position = self.flat(blocks.cells)
        flat[self.position] = blocks.index
        self.state.setflags(write=False)

    @property
    def strides(self) -> tuple[int, int, int]:
        """How far apart neighbouring cells along x, y and z are in flat numbers."""
        _, y, z = self.shape
        return (y * z, z, 1)

    def level(self, y: int) -> int:
        """The index along y of a height that lies in the space."""
        return int(np.searchsorted(self.axes[1], y))

    def height(self, sixteenths: int) -> float:
        """The true height, in blocks above ground, of a height in sixteenths of the indexes along y."""
        index, rest = divmod(sixteenths, 16)
        return int(self.axes[1][index]) + rest / 16

    def flat(self, cells: Cells) -> Flat:
        """The flat numbers of (k, 3) cells that lie in the space and in no shortened stretch."""
        if not len(cells):
            return np.empty(0, dtype=np.int64)
        out: Flat = np.zeros(len(cells), dtype=np.int64)
        for axis, stride, along in zip(self.axes, self.strides, cells.T, strict=True):
            first = int(axis[0])
            index = along - first if int(axis[-1]) - first == len(axis) - 1 else np.searchsorted(axis, along)
            out += index.astype(np.int64) * stride
        return out

    def cells(self, flat: ArrayLike) -> Cells:
        """(k, 3) int32: the true cells of flat numbers, or of the true places of a mask over the space."""
        which = np.asarray(flat)
        if which.dtype == np.bool_:
            which = np.flatnonzero(which)
        if not len(which):
            return NO_CELLS
        across, along, _ = self.strides
        x, rest = np.divmod(which, across)
        y, z = np.divmod(rest, along)
        return np.stack([axis[i] for axis, i in zip(self.axes, (x, y, z), strict=True)], axis=1).astype(np.int32)

    def mask(self, of_palette: Mask, *, air: bool = False, soil: bool = False) -> Mask:
        """(X, Y, Z) bool: the cells whose state is true in the (k,) mask; air and soil as told."""
        out: Mask = np.append(of_palette, (air, soil))[self.state]
        return out

    def per_state(self, values: NDArray[np.int16], *, air: int, soil: int) -> NDArray[np.int16]:
        """(X, Y, Z) int16: a value for every cell from the (k,) values of its state."""
        return np.append(values, np.array([air, soil], dtype=np.int16))[self.state]

    @cached_property
    def is_soil(self) -> Mask:
        """(X, Y, Z) bool: untouched ground."""
        out: Mask = self.state == self.soil
        return out

    def blocks_in(self, mask: Mask) -> Mask:
        """(n,) bool: the blocks whose cell is true in a mask over the space."""
        out: Mask = mask.reshape(-1)[self.position]
        return out


def moved(values: NDArray[Any], side: int, steps: int = 1) -> NDArray[Any]:
    """(X, Y, Z), of the same type: what lies so many cells away on a side (a place in ``FACES``), told at each cell;
    zeros beyond the edge."""
    axis = side // 2
    out = np.zeros_like(values)
    here: list[slice] = [slice(None)] * 3
    there: list[slice] = [slice(None)] * 3
    here[axis], there[axis] = (slice(steps, None), slice(None, -steps))
    if side % 2:
        here[axis], there[axis] = there[axis], here[axis]
    out[tuple(here)] = values[tuple(there)]
    return out


def _axis(coordinates: list[NDArray[np.integer]]) -> NDArray[np.int64]:
    """The coordinates to keep: all that hold something, ``LONGEST_GAP`` between them at most, and the margins."""
    held = np.unique(np.concatenate(coordinates)).astype(np.int64)
    low, high = int(held[0]) - MARGIN, int(held[-1]) + MARGIN
    if high - low < len(held) + LONGEST_GAP:
        return np.arange(low, high + 1)
    ahead = np.minimum(np.diff(held, append=high + 1) - 1, LONGEST_GAP)
    ahead[-1] = MARGIN
    start = np.cumsum(ahead + 1) - (ahead + 1)
    step = np.arange(int(ahead.sum()) + len(held)) - np.repeat(start, ahead + 1)
    return np.concatenate([np.arange(low, int(held[0])), np.repeat(held, ahead + 1) + step])
