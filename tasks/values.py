"""Values of commands: cells, sizes, blocks, read from what expressions give.

``where`` is the value's place in the file, for messages.
"""

from __future__ import annotations

from typing import Any

from minece.blocks import MineceError
from minece.blocks.states import canonical_state
from minece.tasks.errors import FamilyError
from minece.tasks.paths import Cell

FARTHEST = 100_000
"""Largest coordinate in a command."""


def read_list(value: Any, where: str) -> list[Any]:
    """A list. Raises :class:`FamilyError`."""
    if not isinstance(value, list):
        raise FamilyError("no list", where=where, mend="write [[x, y, z], …]")
    return value


def read_triple(value: Any, where: str) -> list[Any]:
    """A list of three values. Raises :class:`FamilyError`."""
    if not isinstance(value, list) or len(value) != 3:
        raise FamilyError(f"{value!r} are not three numbers", where=where, mend="write [x, y, z]")
    return value


def read_cell(value: Any, where: str) -> Cell:
    """A cell, or a step, from a list of three whole numbers. Raises :class:`FamilyError`."""
    x, y, z = (read_number(n, where) for n in read_triple(value, where))
    return (x, y, z)


def read_number(value: Any, where: str) -> int:
    """A whole number of ordinary size. Raises :class:`FamilyError`."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > FARTHEST:
        raise FamilyError(f"{value!r} is no whole number within ±{FARTHEST}", where=where, mend="give one")
    return value


def read_size(value: Any, where: str) -> int:
    """A number of cells, 0 or more. Raises :class:`FamilyError`."""
    number = read_number(value, where)
    if number < 0:
        raise FamilyError(f"a size of {number}", where=where, mend="give 0 or more")
    return number


def read_block(value: Any, where: str) -> str:
    """The canonical state of a block. Raises :class:`FamilyError`."""
    if not isinstance(value, str):
        raise FamilyError(f"{value!r} is no block", where=where, mend='give a block such as "stone"')
    try:
        return canonical_state(value)
    except MineceError as error:
        raise FamilyError(error.reason, where=where, mend=error.mend) from None
