"""Cells as packed keys: sorting, searching and joining without a Python loop and without a dense box.

A :class:`Frame` numbers the cells of a box in (x, y, z) order, so that a cell becomes one int64 key and a face
neighbour is a constant step away. The box costs no memory: two blocks a million cells apart are two keys.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minece.blocks.errors import CoordinateError

Cells = NDArray[np.int32]
Mask = NDArray[np.bool_]

LIMIT = 2**29
"""Coordinates lie within ±LIMIT, so that differences fit int32 (a Minecraft world ends at 30 million)."""

_MOST_KEYS = 2**62

FACES = ("west", "east", "down", "up", "north", "south")
"""Names of the six faces, in the order of :data:`OFFSETS`."""

WEST, EAST, DOWN, UP, NORTH, SOUTH = range(6)
SIDES = (WEST, EAST, NORTH, SOUTH)

OFFSETS: Cells = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], dtype=np.int32)
"""(6, 3) int32: the step to the neighbour across each face."""
OFFSETS.setflags(write=False)

NO_CELLS: Cells = np.empty((0, 3), dtype=np.int32)
NO_CELLS.setflags(write=False)


def as_cells(values: ArrayLike) -> Cells:
    """Cells as an (n, 3) int32 array.

    Raises :class:`CoordinateError` for anything but whole numbers within ±``LIMIT``.
    """
    try:
        array = np.asarray(values)
    except (ValueError, OverflowError):
        raise CoordinateError("coordinates are not n rows of x, y, z") from None
    if array.size == 0:
        return NO_CELLS
    if array.ndim != 2 or array.shape[1] != 3:
        raise CoordinateError(f"coordinates have shape {array.shape}, not n rows of x, y, z")
    if array.dtype.kind == "f":
        whole = np.isfinite(array) & (array == np.floor(array))
        if not whole.all():
            row = array[~whole.all(axis=1)][0].tolist()
            raise CoordinateError(f"cell {row} is not made of whole numbers", mend="round each coordinate down")
    elif array.dtype.kind not in "iu":
        raise CoordinateError(f"coordinates are {array.dtype}, not whole numbers")
    far = (array > LIMIT) | (array < -LIMIT)
    if far.any():
        row = array[far.any(axis=1)][0].tolist()
        raise CoordinateError(f"cell {row} lies outside ±{LIMIT}", mend="move the build nearer to the origin")
    return np.ascontiguousarray(array, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Frame:
    """A box of cells and the numbering of its cells in (x, y, z) order."""

    low: tuple[int, int, int]
    size: tuple[int, int, int]

    @classmethod
    def around(cls, *groups: Cells, pad: int = 1) -> Frame:
        """The smallest box around all cells, ``pad`` cells wider on every side.

        Raises :class:`CoordinateError` where the box has more cells than an int64 can number.
        """
        filled = [cells for cells in groups if len(cells)]
        if not filled:
            return cls((-pad, -pad, -pad), (2 * pad + 1,) * 3)
        # A column at a time: along the short rows NumPy takes ten times as long.
        lows = [[int(cells[:, axis].min()) for axis in range(3)] for cells in filled]
        highs = [[int(cells[:, axis].max()) for axis in range(3)] for cells in filled]
        low = [min(axis) - pad for axis in zip(*lows, strict=True)]
        size = [max(axis) + pad + 1 - first for axis, first in zip(zip(*highs, strict=True), low, strict=True)]
        if size[0] * size[1] * size[2] > _MOST_KEYS:
            raise CoordinateError(
                f"blocks spread over a box of {size[0]}×{size[1]}×{size[2]} cells, which is too far apart",
                mend="remove the stray blocks",
            )
        return cls((low[0], low[1], low[2]), (size[0], size[1], size[2]))

    @property
    def volume(self) -> int:
        """Cells in the box."""
        return self.size[0] * self.size[1] * self.size[2]

    @property
    def strides(self) -> tuple[int, int, int]:
        """Key steps to the next cell along x, y and z."""
        return (self.size[1] * self.size[2], self.size[2], 1)

    def keys(self, cells: Cells) -> NDArray[np.int64]:
        """(n,) int64: the number of each cell. Cells outside the box get the key -1."""
        keys = np.zeros(len(cells), dtype=np.int64)
        inside = np.ones(len(cells), dtype=np.bool_)
        for axis, (low, side, stride) in enumerate(zip(self.low, self.size, self.strides, strict=True)):
            column = cells[:, axis].astype(np.int64)
            column -= low
            inside &= (column >= 0) & (column < side)
            column *= stride
            keys += column
        return keys if inside.all() else np.where(inside, keys, np.int64(-1))

    def cells(self, keys: NDArray[np.int64]) -> Cells:
        """(n, 3) int32: the cells of keys inside the box."""
        sx, sy, _ = self.strides
        cells = np.empty((len(keys), 3), dtype=np.int32)
        rest = keys % sx
        cells[:, 0] = keys // sx + self.low[0]
        cells[:, 1] = rest // sy + self.low[1]
        cells[:, 2] = rest % sy + self.low[2]
        return cells


def find(sorted_keys: NDArray[np.int64], wanted: NDArray[np.int64]) -> NDArray[np.int64]:
    """(m,) int64: position of each wanted key in ``sorted_keys``, -1 where it is absent."""
    if len(sorted_keys) == 0:
        return np.full(len(wanted), -1, dtype=np.int64)
    place = np.searchsorted(sorted_keys, wanted)
    place[place == len(sorted_keys)] = 0
    place[sorted_keys[place] != wanted] = -1
    return place


def distinct(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """The numbers of a flat array in ascending order, each once.

    NumPy's ``unique`` takes twenty times as long where numbers lie in regular patterns, such as keys of cells.
    """
    out = np.sort(numbers)
    new = np.ones(len(out), dtype=np.bool_)
    np.not_equal(out[1:], out[:-1], out=new[1:])
    return out[new]


def unique_cells(cells: Cells) -> Cells:
    """The cells sorted by (x, y, z), each once, read-only."""
    if len(cells) == 0:
        return NO_CELLS
    frame = Frame.around(cells)
    out = frame.cells(distinct(frame.keys(cells)))
    out.setflags(write=False)
    return out


def difference(cells: Cells, other: Cells) -> Cells:
    """The cells that ``other`` lacks, sorted by (x, y, z), each once, read-only."""
    cells = unique_cells(cells)
    if len(cells) == 0 or len(other) == 0:
        return cells
    frame = Frame.around(cells)
    out = cells[~np.isin(frame.keys(cells), frame.keys(other))]
    out.setflags(write=False)
    return out
