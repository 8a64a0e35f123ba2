"""Small helpers for messages: plain counts and places that an engineer can act on."""

from __future__ import annotations

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


def asked(bound: object, ok: bool) -> str:
    """``exactly 4 was asked for`` after a pass, ``exactly 4 is asked for`` after a fail."""
    return f"{bound} {'was' if ok else 'is'} asked for"
