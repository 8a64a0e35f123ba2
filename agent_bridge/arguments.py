"""Values that programs pass: read with care, because anything can come."""

from __future__ import annotations

import math
from typing import TypeAlias

from minece.agent_bridge.clicks import Cell
from minece.blocks import MineceError
from minece.blocks.states import current, join_state, split_state

Value: TypeAlias = str | int | float | bool | None
"""What a program can pass."""

FARTHEST = 30_000_000
"""Blocks from the origin: the game has no cells beyond."""

_LONGEST_SHOWN = 60


def number_within(value: Value, usual: float, least: float, most: float) -> float:
    """A number kept within bounds, the usual one for values that are no numbers.

    >>> number_within("many", 16, 0, 32), number_within(1e9, 16, 0, 32)
    (16, 32)
    """
    if not isinstance(value, int | float) or isinstance(value, bool) or math.isnan(value):
        return usual
    return min(max(value, least), most)


def cell_of(*values: Value) -> Cell | None:
    """Three coordinates floored, None where they are not all numbers within the game's world.

    >>> cell_of(1.5, 0, -0.5)
    (1, 0, -1)
    """
    floored = [
        math.floor(value)
        for value in values
        if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= FARTHEST
    ]
    return (floored[0], floored[1], floored[2]) if len(floored) == 3 else None


def block_text(name: Value) -> str | None:
    """A text that can be a block's id or state, None for other values."""
    if not isinstance(name, str):
        return None
    try:
        return join_state(*split_state(name))
    except MineceError:
        return None


def block_id(name: str) -> str:
    """The current id of a block, "" for text that is none."""
    try:
        return current(*split_state(name))[0]
    except MineceError:
        return ""


def shown(value: Value) -> str:
    """A value for a line of the log."""
    text = str(value)
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."
