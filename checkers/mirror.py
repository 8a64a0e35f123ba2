"""How alike a build is to its own mirror image or its own half turn.

Each column of cells becomes a row of bits, so that one plane is compared by a few operations on words. All planes at
half-cell steps are looked at, but those that cannot beat the best one found so far are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Frame, Mask
from minece.blocks.grid import find
from minece.blocks.orient import mirror_state, turn_state
from minece.checkers.errors import CheckerError

Kind: TypeAlias = Literal["x", "z", "difference", "sum", "turn"]
"""Planes across the x axis, across the z axis, the diagonals x − z = c and x + z = c; half turns."""

Columns: TypeAlias = NDArray[np.unsignedinteger[Any]]

_MOVED: dict[Kind, Callable[[str], str]] = {
    "x": lambda state: mirror_state(state, "x"),
    "z": lambda state: mirror_state(state, "z"),
    "difference": lambda state: mirror_state(turn_state(state, 1), "x"),
    "sum": lambda state: mirror_state(turn_state(state, 1), "z"),
    "turn": lambda state: turn_state(state, 2),
}

_MATRIX: dict[Kind, tuple[tuple[int, int], tuple[int, int]]] = {
    "x": ((-1, 0), (0, 1)),
    "z": ((1, 0), (0, -1)),
    "difference": ((0, 1), (1, 0)),
    "sum": ((0, -1), (-1, 0)),
    "turn": ((-1, 0), (0, -1)),
}
"""Where x and z go, before a shift."""

_WORDS: tuple[tuple[int, type[np.unsignedinteger[Any]]], ...] = (
    (8, np.uint8),
    (16, np.uint16),
    (32, np.uint32),
    (64, np.uint64),
)
_MOST_BITS = 2**30


@dataclass(frozen=True, slots=True)
class Solid:
    """The cells to compare.

    ``cells`` (n, 3) int32, sorted by (x, y, z), each once; ``state`` (n,) int64, position in ``palette``, -1 for cells
    that are like each other whatever their direction.
    """

    cells: Cells
    state: NDArray[np.int64]
    palette: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """The mirror plane or half turn under which cells are most alike.

    ``words`` name it, ``matched`` (n,) bool are the cells whose image is one of the cells too.
    """

    words: str
    matched: Mask

    @property
    def shared(self) -> int:
        """Cells that the build and its image share."""
        return int(np.count_nonzero(self.matched))

    @property
    def union(self) -> int:
        """Cells that the build and its image have together."""
        return 2 * len(self.matched) - self.shared


def most_alike(solid: Solid, kinds: Sequence[Kind], *, materials: bool) -> Likeness:
    """The plane or turn with the largest overlap of at least one cell with its image.

    ``materials``: states count too, mirrored or turned; of two that are alike a block must be the other's image.
    Raises :class:`CheckerError` for cells that are too far spread out.
    """
    columns = _columns(solid, materials)
    families = [_Family(kind, columns, _moved(solid.palette, kind) if materials else None) for kind in kinds]
    bound = np.concatenate([family.bound for family in families])
    number = np.concatenate([np.full(len(family.bound), i) for i, family in enumerate(families)])
    member = np.concatenate([np.arange(len(family.bound)) for family in families])
    best, at = -1, 0
    for i in np.argsort(-bound, kind="stable").tolist():
        if bound[i] <= best:
            break
        shared = families[number[i]].shared(member[i])
        if shared > best:
            best, at = shared, i
    family = families[number[at]]
    shift = family.motion(int(member[at]))
    matched = _matched(solid, family.kind, shift, materials)
    return Likeness(_words(family.kind, shift, solid.cells), matched)


def _columns(solid: Solid, materials: bool) -> Columns:
    """(X, Z, K, W) unsigned words: bit by bit the cells of each column, from the lowest up, state by state where
    materials count; the last of the K states is that of cells without one."""
    x, y, z = (solid.cells - solid.cells.min(axis=0)).astype(np.int64).T
    width, height, depth = int(x.max()) + 1, int(y.max()) + 1, int(z.max()) + 1
    bits, kind = next((b, k) for b, k in _WORDS if b >= height or b == 64)
    states = len(solid.palette) + 1 if materials else 1
    shape = (width, depth, states, -(-height // bits))
    if math.prod(shape) * bits > _MOST_BITS:
        raise CheckerError("the build is too far spread out to be compared with its image")
    out: Columns = np.zeros(shape, dtype=kind)
    word = (x * depth + z) * states + (solid.state % states if materials else 0)
    np.bitwise_or.at(out.reshape(-1), word * shape[3] + y // bits, kind(1) << (y % bits).astype(kind))
    return out


def _moved(palette: tuple[str, ...], kind: Kind) -> NDArray[np.int64]:
    """(k,) int64: where in the palette the image of each state is, -2 where the palette has none."""
    number = {state: i for i, state in enumerate(palette)}
    return np.array([number.get(_MOVED[kind](state), -2) for state in palette], dtype=np.int64)


class _Family:
    """All planes (or half turns) of one kind.

    The image of the columns is ``image`` shifted by ``shift`` (m, 2): the words at (x, z) meet those of ``image`` at
    (x, z) + shift. ``bound`` (m,) is the number of cells that lie where the columns and their image overlap at all.
    """

    def __init__(self, kind: Kind, columns: Columns, moved: NDArray[np.int64] | None) -> None:
        """``moved``: where the states go, None where they do not count."""
        self.kind = kind
        self.columns = columns
        width, depth = columns.shape[:2]
        there = columns if moved is None else _with_states(columns, moved)
        match kind:
            case "x":
                self.image, dx = there[::-1], np.arange(1 - width, width)
                dz = 0 * dx
            case "z":
                self.image, dz = there[:, ::-1], np.arange(1 - depth, depth)
                dx = 0 * dz
            case "difference":
                self.image, dz = there.transpose(1, 0, 2, 3), np.arange(1 - depth, width)
                dx = -dz
            case "sum":
                self.image, dx = there[::-1, ::-1].transpose(1, 0, 2, 3), np.arange(1 - width, depth)
                dz = dx + width - depth
            case "turn":
                self.image = there[::-1, ::-1]
                dx, dz = np.mgrid[1 - width : width, 1 - depth : depth].reshape(2, -1)
        self.shift: NDArray[np.int64] = np.stack([dx, dz], axis=1)
        self.begin = np.maximum(0, -self.shift)
        self.end = np.minimum((width, depth), self.image.shape[:2] - self.shift)
        sums = np.zeros((width + 1, depth + 1), dtype=np.int64)
        number = np.bitwise_count(columns).sum(axis=(2, 3), dtype=np.int64)
        number.cumsum(axis=0).cumsum(axis=1, out=sums[1:, 1:])
        (x0, z0), (x1, z1) = self.begin.T, self.end.T
        self.bound: NDArray[np.int64] = sums[x1, z1] - sums[x0, z1] - sums[x1, z0] + sums[x0, z0]

    def shared(self, member: int) -> int:
        """How many cells one plane or turn leaves in place or exchanges with each other."""
        (x0, z0), (x1, z1) = self.begin[member].tolist(), self.end[member].tolist()
        dx, dz = self.shift[member].tolist()
        both = self.columns[x0:x1, z0:z1] & self.image[x0 + dx : x1 + dx, z0 + dz : z1 + dz]
        return int(np.bitwise_count(both).sum())

    def motion(self, member: int) -> tuple[int, int]:
        """What is added to the indexes along x and z after the kind's matrix."""
        width, depth = self.columns.shape[:2]
        dx, dz = self.shift[member].tolist()
        match self.kind:
            case "x":
                return width - 1 - dx, 0
            case "z":
                return 0, depth - 1 - dz
            case "difference":
                return dz, dx
            case "sum":
                return depth - 1 - dx, depth - 1 - dx
            case "turn":
                return width - 1 - dx, depth - 1 - dz


def _with_states(columns: Columns, moved: NDArray[np.int64]) -> Columns:
    """The columns with each state's words where those of its image stand; states without one are left out."""
    out = np.zeros_like(columns)
    has = np.flatnonzero(moved >= 0)
    out[:, :, moved[has]] = columns[:, :, has]
    out[:, :, -1] = columns[:, :, -1]
    return out


def _matched(solid: Solid, kind: Kind, shift: tuple[int, int], materials: bool) -> Mask:
    """(n,) bool: cells whose image is a cell, and of the moved state where materials count."""
    low = solid.cells.min(axis=0)[::2]
    frame = Frame.around(solid.cells, pad=0)
    image = solid.cells.copy()
    image[:, ::2] = (image[:, ::2] - low) @ np.array(_MATRIX[kind], dtype=np.int32).T + np.array(shift) + low
    there = find(frame.keys(solid.cells), frame.keys(image))
    out: Mask = there >= 0
    if materials:
        out &= solid.state[there] == np.append(_moved(solid.palette, kind), -1)[solid.state]
    return out


def _words(kind: Kind, shift: tuple[int, int], cells: Cells) -> str:
    """The plane or turn in numbers of cells: x = 4 runs through the cells at 4, x = 4.5 between those at 4 and 5."""
    x0, _, z0 = cells.min(axis=0).tolist()
    x, z = shift[0] / 2 + x0, shift[1] / 2 + z0
    match kind:
        case "x":
            return f"on both sides of the plane x = {x:.12g}"
        case "z":
            return f"on both sides of the plane z = {z:.12g}"
        case "difference":
            return f"on both sides of the plane x − z = {shift[0] + x0 - z0}"
        case "sum":
            return f"on both sides of the plane x + z = {shift[0] + x0 + z0}"
        case "turn":
            return f"after a half turn about x = {x:.12g}, z = {z:.12g}"
