"""Rows of coordinates from text formats, checked column by column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.blockset import EMPTY, BlockSet
from minece.blocks.errors import CoordinateError, FormatError, StateError
from minece.blocks.formats.limits import LIMITS
from minece.blocks.grid import LIMIT, NO_CELLS, Cells, Frame
from minece.blocks.log import REMOVED
from minece.blocks.states import VOID, canonical_state, is_air, material_of

AIR, UNTOUCHED = -1, -2
"""Palette numbers of air and of ``structure_void``."""


def cells_of(columns: Sequence[Sequence[Any]], where: str, ground: int = 0) -> Cells:
    """(n, 3) cells from three columns of whole numbers, ``ground`` taken off y.

    Raises :class:`FormatError` naming the first row that holds anything else.
    """
    if not columns or not len(columns[0]):
        return NO_CELLS
    out = np.empty((len(columns[0]), 3), dtype=np.int64)
    for axis, column in enumerate(columns):
        # type() and not isinstance: true and false are ints to Python and no coordinates.
        if set(map(type, column)) != {int}:
            row = next(i for i, value in enumerate(column) if type(value) is not int)
            raise FormatError(
                f"{'xyz'[axis]} is {shown(column[row])}, not a whole number",
                where=f"{where}[{row}]",
                mend="write whole numbers",
            )
        try:
            out[:, axis] = column
        except OverflowError:
            row = next(i for i, value in enumerate(column) if abs(value) > LIMIT)
            raise _far(column[row], axis, f"{where}[{row}]") from None
        wrong = np.flatnonzero(np.abs(out[:, axis]) > LIMIT)
        if len(wrong):
            raise _far(column[wrong[0]], axis, f"{where}[{wrong[0]}]")
    return lowered(out.astype(np.int32), ground)


def lowered(cells: Cells, ground: int) -> Cells:
    """The cells with heights counted from the ground. Raises :class:`FormatError` where they get out of range."""
    if not ground or not len(cells):
        return cells
    heights = cells[:, 1].astype(np.int64) - ground
    if int(np.abs(heights).max()) > LIMIT:
        raise FormatError(f"the ground at y = {ground} lies too far from the blocks", mend="name another ground")
    out = cells.copy()
    out[:, 1] = heights
    return out


def _far(value: int, axis: int, where: str) -> FormatError:
    return FormatError(f"{'xyz'[axis]} is {shown(value)}, outside ±{LIMIT}", where=where, mend="move the build")


def shown(value: object) -> str:
    """A value for a message, short whatever it is."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int) and value.bit_length() > 100:
        return "a huge number"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def states_of(column: Sequence[Any], where: str, palette: dict[str, int]) -> NDArray[np.int64]:
    """Palette numbers of a column of state texts, ``AIR`` and ``UNTOUCHED`` for those; ``palette`` grows.

    Raises :class:`FormatError` or :class:`StateError` naming the first row that holds no state, :class:`LimitError`
    for more different states than a palette may hold.
    """
    try:
        texts = dict.fromkeys(column)
        LIMITS.most("different states", len(texts), LIMITS.palette, where=where)
        numbers = {text: _number(text, palette) for text in texts}
        return np.array([numbers[text] for text in column], dtype=np.int64)
    except (StateError, TypeError):
        pass
    for row, text in enumerate(column):
        if type(text) is not str:
            raise FormatError(
                f"the block is {shown(text)}, not text", where=f"{where}[{row}]", mend='write it like "oak_planks"'
            )
        try:
            canonical_state(text)
        except StateError as error:
            raise error.at(f"{where}[{row}]") from None
    raise AssertionError("unreachable")


def _number(text: Any, palette: dict[str, int]) -> int:
    if type(text) is not str:
        raise TypeError
    state = canonical_state(text)
    if is_air(state):
        return AIR
    if material_of(state) == VOID:
        return UNTOUCHED
    return palette.setdefault(state, len(palette))


def log_index(numbers: NDArray[np.int64], where: str) -> NDArray[np.int32]:
    """Palette numbers as a log keeps them, air as ``REMOVED``. Raises :class:`FormatError` for ``structure_void``."""
    if (numbers == UNTOUCHED).any():
        row = int(np.flatnonzero(numbers == UNTOUCHED)[0])
        raise FormatError(f"{VOID} is no block that is placed", where=f"{where}[{row}]", mend="leave the event out")
    return np.where(numbers == AIR, REMOVED, numbers).astype(np.int32)


def split_rows(rows: Any, width: int, where: str, shape: str) -> list[Sequence[Any]]:
    """The columns of rows of equal width. Raises :class:`FormatError` naming the first row of another form."""
    if not isinstance(rows, list):
        raise FormatError(f"is {shown(rows)}, not a list of rows", where=where, mend=f"write {shape}")
    if not rows:
        return [()] * width
    if set(map(type, rows)) != {list} or set(map(len, rows)) != {width}:
        row = next(i for i, value in enumerate(rows) if type(value) is not list or len(value) != width)
        raise FormatError(
            f"is {shown(rows[row])}{f' of {len(rows[row])}' if isinstance(rows[row], list) else ''}, not {shape}",
            where=f"{where}[{row}]",
            mend=f"write {shape}",
        )
    return list(zip(*rows, strict=True))


def last_rows(cells: Cells) -> NDArray[np.int64]:
    """The rows whose cell does not come again later, in the order of their cells."""
    if not len(cells):
        return np.empty(0, dtype=np.int64)
    try:
        keys = Frame.around(cells).keys(cells)
    except CoordinateError:
        order = np.lexsort((cells[:, 2], cells[:, 1], cells[:, 0]))
        new = (np.diff(cells[order], axis=0) != 0).any(axis=1)
    else:
        order = np.argsort(keys, kind="stable")
        new = np.diff(keys[order]) != 0
    last: NDArray[np.int64] = order[np.append(new, True)]
    return last


def settle(cells: Cells, numbers: NDArray[np.int64], palette: list[str]) -> tuple[BlockSet, Cells, int]:
    """Blocks, dug cells and how many rows were overruled by a later row of their cell.

    ``cells`` are relative to the ground; air below it is dug, elsewhere it is nothing.
    """
    last = last_rows(cells)
    twice = len(cells) - len(last)
    cells, numbers = cells[last], numbers[last]
    there = numbers >= 0
    blocks = BlockSet(cells[there], numbers[there], palette) if there.any() else EMPTY
    return blocks, cells[(numbers == AIR) & (cells[:, 1] < 0)], twice
