"""What a page holds of a build, packed for the browser: palettes as lists, numbers as base64 of plain arrays."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks import NO_CELLS, Build, Cells, MineceError
from minece.checkers import Verdict
from minece.checkers.wording import count
from minece.viewer.looks import look

MOST_BLOCKS = 1_000_000
"""How many blocks a page shows."""
MOST_EMPTY = 2000
"""How many cells without a block a verdict marks."""
_LONG = 2000  # letters of a text that are kept


@dataclass(frozen=True, eq=False)
class Field:
    """A number for each block, to paint by.

    ``values`` (n,) float in the order of ``build.blocks``, NaN where there is none; ``unit`` such as ``kPa``, ""
    where the numbers have none; ``note`` is said below the legend. Above ``limit``, the end of the scale, blocks are
    marked in violet; without it the scale ends at the largest number.
    """

    title: str
    values: NDArray[np.floating]
    unit: str = ""
    note: str = ""
    limit: float | None = None


@dataclass(frozen=True, eq=False)
class Turn:
    """A build as a page shows it; a page has one or more. ``asked`` is what the builder was told."""

    build: Build
    verdicts: Sequence[Verdict] = ()
    fields: Sequence[Field] = ()
    asked: str = ""


def clean(text: str) -> str:
    """A text that every encoding can hold, without control signs, cut where it is very long."""
    text = text.encode("utf-8", "replace").decode()
    text = "".join(sign if sign.isprintable() or sign in "\n\t" else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return text if len(text) <= _LONG else text[:_LONG] + "…"


def content(turns: Sequence[Turn], *, name: str, summary: str) -> dict[str, Any]:
    """Everything that the script of a page reads, ready for JSON. Raises :class:`MineceError` for too many blocks."""
    states = _States()
    return {
        "name": clean(name),
        "summary": clean(summary),
        "turns": [_turn(turn, states) for turn in turns],
        "states": states.rows,
        "shapes": [[list(box) for box in boxes] for boxes in states.shapes],
    }


class _States:
    """The block states of all turns, each once, and their shapes, each once."""

    def __init__(self) -> None:
        self.rows: list[list[object]] = []
        self.shapes: dict[tuple[tuple[float, ...], ...], int] = {}
        self._numbers: dict[str, int] = {}

    def numbers(self, palette: Sequence[str]) -> NDArray[np.int64]:
        """(k,) positions of the states in ``rows``, which are added where they are new."""
        return np.array([self._number(state) for state in palette], dtype=np.int64)

    def _number(self, state: str) -> int:
        number = self._numbers.setdefault(state, len(self.rows))
        if number == len(self.rows):
            seen = look(state)
            shape = self.shapes.setdefault(seen.boxes, len(self.shapes))
            self.rows.append([clean(state), list(seen.colour), seen.opacity, shape])
        return number


def _turn(turn: Turn, states: _States) -> dict[str, Any]:
    build = turn.build
    blocks = build.blocks
    if len(blocks) > MOST_BLOCKS:
        raise MineceError(
            f"has {len(blocks)} blocks; a page shows {MOST_BLOCKS} at most", mend="cut a part out of the build"
        )
    out: dict[str, Any] = {
        "blocks": len(blocks),
        "facts": clean(f"{count(len(blocks), 'block')}, {'×'.join(map(str, blocks.size))} (x × y × z)"),
        "ground": clean(build.provenance.ground),
        "groundY": build.ground_y,
        "cells": packed_cells(blocks.cells),
        "states": _packed(states.numbers(blocks.palette)[blocks.index] if len(blocks) else np.zeros(0, np.int64)),
        "dug": packed_cells(build.dug),
        "log": None,
        "asked": clean(turn.asked),
        "verdicts": [_verdict(verdict, build) for verdict in turn.verdicts],
        "fields": [_field(field, len(blocks)) for field in turn.fields],
    }
    if (log := build.log) is not None and len(log):
        numbers = np.append(states.numbers(log.palette), -1)  # a removal is -1, which is also the last place
        out["log"] = {"cells": packed_cells(log.cells), "states": _packed(numbers[log.index]), "first": log.first}
    return out


def _verdict(verdict: Verdict, build: Build) -> dict[str, Any]:
    at = build.blocks.locate(verdict.cells) if len(verdict.cells) else np.zeros(0, dtype=np.int64)
    marked = np.zeros(len(build.blocks), dtype=np.bool_)
    marked[at[at >= 0]] = True
    empty = verdict.cells[at < 0]
    return {
        "rule": clean(verdict.rule),
        "criterion": verdict.criterion,
        "status": verdict.status,
        "message": clean(verdict.message),
        "cells": len(verdict.cells),
        "marked": _base64(np.packbits(marked, bitorder="little")) if marked.any() else "",
        "empty": packed_cells(empty[:MOST_EMPTY]),
    }


def _field(field: Field, blocks: int) -> dict[str, Any]:
    values = np.asarray(field.values, dtype="<f4")
    if values.shape != (blocks,):
        raise ValueError(f"{values.shape} values for {blocks} blocks")
    return {
        "title": clean(field.title),
        "unit": clean(field.unit),
        "note": clean(field.note),
        "limit": field.limit,
        "values": _base64(np.where(np.isfinite(values), values, np.float32(np.nan)).astype("<f4")),
    }


def packed_cells(cells: Cells = NO_CELLS) -> list[str]:
    """x, y and z of the cells, one text each."""
    return [_packed(cells[:, axis]) for axis in range(3)]


def _packed(numbers: NDArray[np.integer]) -> str:
    """Whole numbers in the narrowest type that holds them, its letter first: b, h and i are 1, 2 and 4 bytes."""
    low, high = (int(numbers.min()), int(numbers.max())) if len(numbers) else (0, 0)
    for letter, bits in (("b", 8), ("h", 16)):
        if -(2 ** (bits - 1)) <= low and high < 2 ** (bits - 1):
            return letter + _base64(numbers.astype(f"<i{bits // 8}"))
    return "i" + _base64(numbers.astype("<i4"))


def _base64(array: NDArray[np.generic]) -> str:
    return base64.b64encode(array.tobytes()).decode("ascii")
