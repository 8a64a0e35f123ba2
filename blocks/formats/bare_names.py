"""Blocks whose names stand without properties: what the game would work out from their neighbours.

Doors and beds become whole, torches and ladders hang on the walls beside them. A door or bed lies in pairs along its
line of equal names, a door from below, a bed from the north and what is left over from the west.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from minece.blocks.formats.rows import last_rows
from minece.blocks.grid import Cells, Frame, Mask, find
from minece.blocks.states import EMPTIES

Index = NDArray[np.int64]

_ON_WALLS = {
    "ladder": "ladder",
    "torch": "wall_torch",
    "soul_torch": "soul_wall_torch",
    "redstone_torch": "redstone_wall_torch",
}
_OTHER, _THIN, _DOOR, _BED, _TORCH, _LADDER = range(6)
_BEHIND = (("south", 0, -1), ("west", 1, 0), ("north", 0, 1), ("east", -1, 0))
"""Where a block on a wall faces, and the step along x and z to the wall, in the order in which walls are taken."""

# What is found of a cell, as a number that its name is multiplied out with.
_UPPER, _EAST_DOOR = 1, 2
_HEAD, _WEST = 1, 2


def placed(cells: Cells, numbers: Index, names: Sequence[str]) -> tuple[Index, list[str]]:
    """(n,) numbers and the states they mean, from n names at cells, each a number in ``names``. The last of the rows
    of a cell counts."""
    kinds = np.array([_kind(name) for name in names], dtype=np.int64)
    if not (kinds >= _DOOR).any():
        return numbers, list(names)
    here = last_rows(cells)
    here = here[numbers[here] >= 0]
    places, name = cells[here], numbers[here]
    kind = kinds[name]
    frame = Frame.around(places)
    whole = _Solid(frame, places[~np.isin(kind, (_THIN, _TORCH, _LADDER))])
    found = np.zeros(len(here), dtype=np.int64)
    door, bed, hung = kind == _DOOR, kind == _BED, np.isin(kind, (_TORCH, _LADDER))
    found[door] = _doors(places[door], name[door], whole)
    found[bed] = _beds(places[bed], name[bed])
    found[hung] = _hung(places[hung], kind[hung], whole)
    codes = numbers * 8
    codes[here] += found
    used, place = np.unique(codes[numbers >= 0], return_inverse=True)
    out = numbers.copy()
    out[numbers >= 0] = place.reshape(-1)
    return out, [_state(names[code // 8], int(kinds[code // 8]), code % 8) for code in used.tolist()]


def _kind(name: str) -> int:
    bare = name.removeprefix("minecraft:")
    if bare.endswith("_door"):
        return _DOOR
    if bare.endswith("_bed"):
        return _BED
    if bare in _ON_WALLS:
        return _LADDER if bare == "ladder" else _TORCH
    return _THIN if bare in EMPTIES else _OTHER


def _state(name: str, kind: int, found: int) -> str:
    bare = name.removeprefix("minecraft:")
    if kind == _DOOR:
        facing, half = "east" if found & _EAST_DOOR else "north", "upper" if found & _UPPER else "lower"
        return f"{bare}[facing={facing},half={half}]"
    if kind == _BED:
        facing, part = "west" if found & _WEST else "north", "head" if found & _HEAD else "foot"
        return f"{bare}[facing={facing},part={part}]"
    return f"{_ON_WALLS[bare]}[facing={_BEHIND[found - 1][0]}]" if found else name


class _Solid:
    """The cells that something can hang on."""

    def __init__(self, frame: Frame, cells: Cells) -> None:
        self._frame = frame
        self._keys = np.sort(frame.keys(cells))

    def at(self, cells: Cells, dx: int, dy: int, dz: int) -> Mask:
        """(m,) bool: whether the cell so many steps away is one of them."""
        keys = self._frame.keys(cells + np.array([dx, dy, dz], dtype=np.int32))
        return find(self._keys, keys) >= 0


def _doors(cells: Cells, name: Index, whole: _Solid) -> Index:
    upper = _seconds(cells, name, 1)
    across = whole.at(cells, 0, 0, -1) & whole.at(cells, 0, 0, 1)
    return np.where(upper, _UPPER, 0) + np.where(across, _EAST_DOOR, 0)


def _beds(cells: Cells, name: Index) -> Index:
    out = np.zeros(len(cells), dtype=np.int64)
    foot, head = _pairs(cells, name, 2)
    out[head] = _HEAD
    left = ~(foot | head)
    foot, head = _pairs(cells[left], name[left], 0)
    out[np.flatnonzero(left)[foot]] = _WEST
    out[np.flatnonzero(left)[head]] = _WEST | _HEAD
    return out


def _hung(cells: Cells, kind: Index, whole: _Solid) -> Index:
    out = np.zeros(len(cells), dtype=np.int64)
    for number, (_, dx, dz) in reversed(list(enumerate(_BEHIND, 1))):
        out[whole.at(cells, dx, 0, dz)] = number
    out[(kind == _TORCH) & whole.at(cells, 0, -1, 0)] = 0
    return out


def _seconds(cells: Cells, name: Index, axis: int) -> Mask:
    """(m,) bool: cells that close a pair, each second one of a line of equal names along an axis."""
    order, place = _lines(cells, name, axis)
    out = np.zeros(len(cells), dtype=np.bool_)
    out[order] = place % 2 == 1
    return out


def _pairs(cells: Cells, name: Index, axis: int) -> tuple[Mask, Mask]:
    """(m,) bool each: cells that close a pair, and those that begin one."""
    second = _seconds(cells, name, axis)
    first = np.zeros(len(cells), dtype=np.bool_)
    order, _ = _lines(cells, name, axis)
    closing = np.flatnonzero(second[order])
    first[order[closing - 1]] = True
    return second, first


def _lines(cells: Cells, name: Index, axis: int) -> tuple[Index, Index]:
    """Positions of the cells line by line along an axis, and the place of each in its unbroken line of one name."""
    others = [cells[:, side] for side in range(3) if side != axis]
    order = np.lexsort((cells[:, axis], *others))
    ranked, names = cells[order], name[order]
    step = np.zeros(3, dtype=np.int32)
    step[axis] = 1
    new = np.ones(len(order), dtype=np.bool_)
    new[1:] = (np.diff(ranked, axis=0) != step).any(axis=1) | (names[1:] != names[:-1])
    starts = np.flatnonzero(new)
    return order, np.arange(len(order)) - np.repeat(starts, np.diff(np.append(starts, len(order))))
