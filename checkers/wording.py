"""Small helpers for messages: plain counts and places that an engineer can act on."""

from __future__ import annotations

from collections.abc import Sequence

from minece.blocks import Cells


def count(number: int, noun: str, plural: str = "") -> str:
    """``1 block``, ``3 blocks``."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"


def place(cells: Cells) -> str:
    """``(1, 0, -3)`` for one cell, ``(1, 0, -3) and 4 more`` for several."""
    x, y, z = cells[0].tolist()
    return f"({x}, {y}, {z})" if len(cells) == 1 else f"({x}, {y}, {z}) and {len(cells) - 1} more"


def sentence(text: object) -> str:
    """The text with a capital letter at its beginning."""
    words = str(text)
    return words[:1].upper() + words[1:]


def listed(parts: Sequence[object]) -> str:
    """``1``, ``1 and 2``, ``1, 2 and 3``."""
    *first, last = map(str, parts)
    return f"{', '.join(first)} and {last}" if first else last


def asked(bound: object, ok: bool, *, counted: bool = False) -> str:
    """``at least 4 was asked for`` after a pass, ``at least 4 is asked for`` after a fail; of things that are counted
    ``at least 4 were asked for`` and ``at least 4 are asked for``, but ``at least 1 is asked for``."""
    if counted and str(bound).rsplit(" ", 1)[-1] != "1":
        return f"{bound} {'were' if ok else 'are'} asked for"
    return f"{bound} {'was' if ok else 'is'} asked for"
