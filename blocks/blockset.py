"""The finished blocks: sorted unique cells, a palette of block states, one palette index per cell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minece.blocks.errors import CoordinateError
from minece.blocks.grid import NO_CELLS, OFFSETS, Cells, Frame, Mask, as_cells, find
from minece.blocks.orient import mirror_state, turn_state
from minece.blocks.palette import PaletteTable
from minece.blocks.states import EMPTIES, canonical_state

Index = NDArray[np.int32]

_MOST_DENSE = 2**28

# A lookup table over the box beats searching while the box is small or has few cells per block.
_SMALL_BOX = 2**14
_ROOMY = 4


class BlockSet:
    """Immutable set of blocks.

    Attributes
    ----------
    cells : (n, 3) int32, sorted by (x, y, z), unique, read-only
    palette : canonical block states, sorted, each of them used
    index : (n,) int32, position in ``palette`` of each cell's state, read-only
    """

    cells: Cells
    palette: tuple[str, ...]
    index: Index

    def __init__(self, cells: ArrayLike = (), index: ArrayLike = (), palette: Sequence[str] = ()) -> None:
        """Blocks from n×3 whole coordinates, n palette indexes and any palette of state texts.

        Where a cell comes twice the last one holds; air and ``structure_void`` are no blocks. Raises
        :class:`CoordinateError` and :class:`StateError`.
        """
        rows = as_cells(cells)
        which = np.asarray(index, dtype=np.int64).reshape(-1)
        if len(rows) != len(which):
            raise CoordinateError(f"{len(rows)} cells but {len(which)} palette indexes")
        if len(which) and (which.min() < 0 or which.max() >= len(palette)):
            raise CoordinateError(f"palette index outside 0…{len(palette) - 1}")
        if len(rows):
            rows, which = _sorted_last(rows, which)
        states, names = _canonical(which, palette)
        empty = [name.partition("[")[0] in EMPTIES for name in names]
        if any(empty):
            there = ~np.array(empty)[states]
            rows = rows[there]
            states, names = _used(states[there], names)
        self._set(rows, states, names)

    def _set(self, cells: Cells, index: Index, palette: tuple[str, ...]) -> None:
        cells.setflags(write=False)
        index.setflags(write=False)
        self.__dict__.update(cells=cells, index=index, palette=palette)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a BlockSet is immutable: {name} cannot be set")

    def __reduce__(self) -> tuple[type[Self], tuple[Cells, Index, tuple[str, ...]]]:
        return type(self), (self.cells, self.index, self.palette)

    @classmethod
    def from_blocks(cls, blocks: Iterable[tuple[int, int, int, str]]) -> Self:
        """Blocks from rows ``(x, y, z, state)``; the last row of a cell holds, air empties it."""
        cells: list[tuple[int, int, int]] = []
        index: list[int] = []
        numbers: dict[str, int] = {}
        for row in blocks:
            match row:
                case (x, y, z, str(state)):
                    cells.append((x, y, z))
                    index.append(numbers.setdefault(state, len(numbers)))
                case _:
                    raise CoordinateError(
                        f"{row!r:.80} is no block", where=f"row {len(cells)}", mend='write (x, y, z, "state")'
                    )
        return cls(cells, index, list(numbers))

    def _like(self, cells: Cells, index: NDArray[np.integer]) -> Self:
        """Sorted unique cells whose states come from this palette."""
        out = type(self).__new__(type(self))
        out._set(cells, *_used(index, self.palette))
        return out

    def __len__(self) -> int:
        return len(self.cells)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, BlockSet):
            return NotImplemented
        return (
            self.palette == other.palette
            and np.array_equal(self.cells, other.cells)
            and np.array_equal(self.index, other.index)
        )

    def __hash__(self) -> int:
        return hash((self.palette, self.cells.tobytes(), self.index.tobytes()))

    def __repr__(self) -> str:
        size = "×".join(map(str, self.size))
        return f"BlockSet({len(self)} blocks, {size}, {len(self.palette)} states)"

    def rows(self) -> list[tuple[int, int, int, str]]:
        """``(x, y, z, state)`` of every block, in order."""
        states = [self.palette[i] for i in self.index.tolist()]
        return [(x, y, z, s) for (x, y, z), s in zip(self.cells.tolist(), states, strict=True)]

    @cached_property
    def low(self) -> tuple[int, int, int]:
        """Smallest x, y, z; zeros for an empty set."""
        x, y, z = (int(column.min()) for column in self.cells.T) if len(self) else (0, 0, 0)
        return (x, y, z)

    @cached_property
    def high(self) -> tuple[int, int, int]:
        """Largest x, y, z; minus ones for an empty set."""
        x, y, z = (int(column.max()) for column in self.cells.T) if len(self) else (-1, -1, -1)
        return (x, y, z)

    @property
    def size(self) -> tuple[int, int, int]:
        """Cells along x, y, z."""
        (x0, y0, z0), (x1, y1, z1) = self.low, self.high
        return (x1 - x0 + 1, y1 - y0 + 1, z1 - z0 + 1)

    @cached_property
    def table(self) -> PaletteTable:
        """What the catalogue knows of the palette, as arrays."""
        return PaletteTable.of(self.palette)

    @cached_property
    def frame(self) -> Frame:
        """The bounding box, one cell wider on every side."""
        if not len(self):
            return Frame.around(self.cells)
        low = tuple(v - 1 for v in self.low)
        frame = Frame((low[0], low[1], low[2]), (self.size[0] + 2, self.size[1] + 2, self.size[2] + 2))
        return frame

    @cached_property
    def keys(self) -> NDArray[np.int64]:
        """(n,) int64, ascending: the number of each cell in :attr:`frame`."""
        (x0, y0, z0), (sx, sy, _) = self.frame.low, self.frame.strides
        x, y, z = self.cells.T.astype(np.int64)
        keys: NDArray[np.int64] = (x - x0) * sx + (y - y0) * sy + (z - z0)
        return keys

    @cached_property
    def neighbours(self) -> NDArray[np.int64]:
        """(n, 6) int64: position of the block across each face (order of ``FACES``), -1 where there is none."""
        sx, sy, sz = self.frame.strides
        here = np.arange(len(self), dtype=np.int64)
        if self.frame.volume <= max(_SMALL_BOX, _ROOMY * len(self)):
            place = np.full(self.frame.volume, -1, dtype=np.int64)
            place[self.keys] = here
            out: NDArray[np.int64] = place[self.keys[:, None] + np.array([-sx, sx, -sy, sy, -sz, sz])]
        else:
            out = np.full((len(self), 6), -1, dtype=np.int64)
            for face, step in ((1, sx), (3, sy), (5, sz)):
                there = find(self.keys, self.keys + step)
                has = there >= 0
                out[:, face] = there
                out[there[has], face - 1] = here[has]
        out.setflags(write=False)
        return out

    def locate(self, cells: ArrayLike) -> NDArray[np.int64]:
        """(m,) int64: position of each of m cells in this set, -1 where it holds no block."""
        return find(self.keys, self.frame.keys(as_cells(cells)))

    def contains(self, cells: ArrayLike) -> Mask:
        """(m,) bool: which of m cells hold a block."""
        return self.locate(cells) >= 0

    def where(self, mask: Mask) -> Self:
        """The blocks at which the (n,) bool mask is true."""
        return self._like(self.cells[mask], self.index[mask])

    def is_material(self, ids: frozenset[str]) -> Mask:
        """(n,) bool: blocks whose id is one of ``ids``."""
        return self.table.matches(ids)[self.index] if len(self) else np.zeros(0, dtype=np.bool_)

    def placed_over(self, other: BlockSet) -> Self:
        """Union in which this set's state holds where both have a block."""
        cells = np.concatenate([other.cells, self.cells])
        index = np.concatenate([other.index, self.index + np.int32(len(other.palette))])
        return type(self)(cells, index, other.palette + self.palette)

    def __or__(self, other: BlockSet) -> BlockSet:
        """Union; where both have a block the right one holds."""
        return other.placed_over(self)

    def __sub__(self, other: BlockSet | Cells) -> Self:
        """The blocks whose cell the other does not have."""
        cells = other.cells if isinstance(other, BlockSet) else other
        return self.where(~self._among(cells))

    def __and__(self, other: BlockSet | Cells) -> Self:
        """The blocks whose cell the other has too, with this set's states."""
        cells = other.cells if isinstance(other, BlockSet) else other
        return self.where(self._among(cells))

    def _among(self, cells: Cells) -> Mask:
        return np.isin(self.keys, self.frame.keys(as_cells(cells)))

    def translated(self, dx: int, dy: int, dz: int) -> Self:
        """Moved by whole cells. Raises :class:`CoordinateError` beyond the limit."""
        moved = as_cells(self.cells.astype(np.int64) + np.array([dx, dy, dz], dtype=np.int64))
        return self._like(moved.copy(), self.index)

    def turned(self, quarters: int) -> Self:
        """Turned about the y axis by quarter turns, clockwise seen from above: (x, z) → (−1−z, x).

        Cells turn about the world's vertical edge at x = z = 0, so a cell keeps its place in the turned plot.
        States turn too.
        """
        return type(self)(
            turn_cells(self.cells, quarters), self.index, [turn_state(s, quarters % 4) for s in self.palette]
        )

    def mirrored(self, axis: str) -> Self:
        """Mirrored at the plane x = 0 (``axis`` "x") or z = 0 ("z"): cell i becomes −1−i. States mirror too."""
        side = "x" if axis == "x" else "z"
        return type(self)(mirror_cells(self.cells, axis), self.index, [mirror_state(s, side) for s in self.palette])

    def dense(self, mask: Mask | None = None) -> Mask:
        """Bool array over :attr:`frame` (axes x, y, z), true where there is a block (of the mask).

        Raises :class:`CoordinateError` for a box of more than 2**28 cells.
        """
        if self.frame.volume > _MOST_DENSE:
            raise CoordinateError(f"a box of {self.frame.volume} cells is too large to lay out densely")
        out = np.zeros(self.frame.volume, dtype=np.bool_)
        out[self.keys if mask is None else self.keys[mask]] = True
        return out.reshape(self.frame.size)


def turn_cells(cells: Cells, quarters: int) -> Cells:
    """Cells turned about the vertical edge x = z = 0 by quarter turns, clockwise seen from above."""
    x, y, z = cells[:, 0], cells[:, 1], cells[:, 2]
    match quarters % 4:
        case 0:
            return cells.copy()
        case 1:
            return np.stack([-1 - z, y, x], axis=1)
        case 2:
            return np.stack([-1 - x, y, -1 - z], axis=1)
        case _:
            return np.stack([z, y, -1 - x], axis=1)


def mirror_cells(cells: Cells, axis: str) -> Cells:
    """Cells mirrored at the plane x = 0 or z = 0."""
    if axis not in ("x", "z"):
        raise CoordinateError(f"mirror axis {axis!r}", mend="take 'x' or 'z'")
    out = cells.copy()
    column = 0 if axis == "x" else 2
    out[:, column] = -1 - out[:, column]
    return out


def _sorted_last(cells: Cells, index: NDArray[np.int64]) -> tuple[Cells, NDArray[np.int64]]:
    keys = Frame.around(cells).keys(cells)
    steps = np.diff(keys)
    if len(steps) == 0 or steps.min() > 0:
        return cells.copy(), index
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    last = np.append(keys[1:] != keys[:-1], True)
    keep = order[last]
    return cells[keep], index[keep]


def _canonical(index: NDArray[np.int64], palette: Sequence[str]) -> tuple[Index, tuple[str, ...]]:
    if len(index) == 0:
        return np.empty(0, dtype=np.int32), ()
    used = np.flatnonzero(np.bincount(index, minlength=len(palette)))
    names = [canonical_state(palette[i]) for i in used.tolist()]
    ordered = sorted(set(names))
    place = {name: i for i, name in enumerate(ordered)}
    renumber = np.zeros(len(palette), dtype=np.int32)
    renumber[used] = [place[name] for name in names]
    return renumber[index], tuple(ordered)


def _used(index: NDArray[np.integer], palette: tuple[str, ...]) -> tuple[Index, tuple[str, ...]]:
    """The same for a palette that is canonical already."""
    used = np.flatnonzero(np.bincount(index, minlength=len(palette)))
    if len(used) == len(palette):
        return index.astype(np.int32), palette
    renumber = np.zeros(len(palette), dtype=np.int32)
    renumber[used] = np.arange(len(used), dtype=np.int32)
    return renumber[index], tuple(palette[i] for i in used.tolist())


EMPTY = BlockSet(NO_CELLS)

__all__ = ["EMPTY", "OFFSETS", "BlockSet", "mirror_cells", "turn_cells"]
