"""The types of rule parameters: read from TOML or JSON values and checked when a rule is loaded.

A reader takes a plain value and returns the typed one, or raises :class:`ValueError` with the reason.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any, Literal, Self, TypeGuard, Union, get_args, get_origin

import numpy as np

from minece.blocks import Cells
from minece.blocks.catalogue import block_names, suggest
from minece.blocks.catalogue import materials as ids_of
from minece.blocks.grid import unique_cells
from minece.checkers.errors import RuleError
from minece.checkers.verdict import Measure


@dataclass(frozen=True, slots=True)
class Bound:
    """How large a number may be: a bare number means exactly; a table gives at_least, at_most, more_than, less_than."""

    at_least: float | None = None
    at_most: float | None = None
    more_than: float | None = None
    less_than: float | None = None

    accepts = "a number (exactly), or a table of at_least, at_most, more_than, less_than"

    @classmethod
    def read(cls, value: object) -> Self:
        if _is_number(value):
            return cls(at_least=value, at_most=value)
        if isinstance(value, Mapping) and value and all(_is_number(v) for v in value.values()):
            wrong = set(value) - set(cls.__dataclass_fields__)
            if not wrong:
                return cls(**value)
        raise ValueError(cls.accepts)

    def holds(self, number: float) -> bool:
        """Whether the number lies within the bound."""
        return not (
            (self.at_least is not None and number < self.at_least)
            or (self.at_most is not None and number > self.at_most)
            or (self.more_than is not None and number <= self.more_than)
            or (self.less_than is not None and number >= self.less_than)
        )

    def off(self, number: int) -> int:
        """Whole steps that bring a whole number within the bound: positive to add, negative to take away, 0 where it
        holds."""
        least = [ceil(v) for v in (self.at_least,) if v is not None]
        least += [floor(v) + 1 for v in (self.more_than,) if v is not None]
        most = [floor(v) for v in (self.at_most,) if v is not None]
        most += [ceil(v) - 1 for v in (self.less_than,) if v is not None]
        return max(max(least, default=number) - number, 0) or min(min(most, default=number) - number, 0)

    @property
    def required(self) -> Measure:
        """The bound for JSON: a bare number for exactly, else a table such as ``{"at_least": 3}``."""
        if self.at_least is not None and self.at_least == self.at_most:
            return self.at_least
        return {name: limit for name in _BOUNDS if (limit := getattr(self, name)) is not None}

    def __str__(self) -> str:
        if self.at_least is not None and self.at_least == self.at_most:
            return f"exactly {_shown(self.at_least)}"
        given = ((name, getattr(self, name)) for name in _BOUNDS)
        return " and ".join(f"{n.replace('_', ' ')} {_shown(limit)}" for n, limit in given if limit is not None)


_BOUNDS = ("at_least", "at_most", "more_than", "less_than")

AT_LEAST_ONE = Bound(at_least=1)


def _shown(number: float) -> str:
    return str(int(number)) if number == int(number) else f"{number:g}"


class Natural(int):
    """A whole number from 0 up."""

    accepts = "a whole number from 0 up"
    least = 0

    @classmethod
    def read(cls, value: object) -> Self:
        if isinstance(value, int) and _is_number(value) and value >= cls.least:
            return cls(value)
        raise ValueError(cls.accepts)


class Positive(Natural):
    """A whole number from 1 up."""

    accepts = "a whole number from 1 up"
    least = 1


class Share(float):
    """A part of a whole."""

    accepts = "a share from 0 to 1"

    @classmethod
    def read(cls, value: object) -> Self:
        if _is_number(value) and 0 <= value <= 1:
            return cls(value)
        raise ValueError(cls.accepts)


@dataclass(frozen=True, slots=True)
class Materials:
    """Block ids, given as ids and #tags."""

    text: str
    ids: frozenset[str]

    accepts = 'block ids and #tags: "stone", "stone, #planks" or a list of them'

    @classmethod
    def read(cls, value: object) -> Self:
        names = [n.strip() for n in value.split(",")] if isinstance(value, str) else value
        if not isinstance(names, Sequence) or not names or not all(isinstance(n, str) and n for n in names):
            raise ValueError(cls.accepts)
        ids = ids_of(list(names))
        for unknown in sorted(ids - block_names()):
            # A block of a mod has its namespace; a bare name that no block has is a slip.
            if ":" not in unknown:
                close = suggest(unknown)
                mend = "did you mean " + " or ".join(close) if close else "write mod:name for a block of a mod"
                raise RuleError(f"there is no block {unknown!r}", mend=mend)
        return cls(" or ".join(names), ids)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Stock:
    """How many items of each material there are."""

    items: tuple[tuple[str, frozenset[str], int], ...]

    accepts = 'a table of block id or #tag to number of items: {"oak_planks": 98}'

    @classmethod
    def read(cls, value: object) -> Self:
        if not isinstance(value, Mapping) or not value:
            raise ValueError(cls.accepts)
        rows = []
        for name, number in value.items():
            if not isinstance(name, str) or isinstance(number, bool) or not isinstance(number, int) or number < 0:
                raise ValueError(cls.accepts)
            rows.append((name, Materials.read(name).ids, number))
        return cls(tuple(rows))

    @property
    def ids(self) -> frozenset[str]:
        """All ids in the stock."""
        return frozenset().union(*(ids for _, ids, _ in self.items))

    def __str__(self) -> str:
        return ", ".join(f"{number} {name}" for name, _, number in self.items)


MOST_BOXES = 2000
LARGEST_SHAPE = 3000
FARTHEST_BOX = 1000


@dataclass(frozen=True, slots=True)
class Shape:
    """Cells given as boxes [x, y, z, width, height, depth]."""

    boxes: tuple[tuple[int, ...], ...]

    accepts = "a list of boxes [x, y, z, width, height, depth], such as [[0, 0, 0, 2, 3, 2], [0, 3, 0, 9, 1, 2]]"

    @classmethod
    def read(cls, value: object) -> Self:
        if not isinstance(value, Sequence) or isinstance(value, str) or not 0 < len(value) <= MOST_BOXES:
            raise ValueError(cls.accepts)
        boxes = tuple(cls._box(one) for one in value)
        if sum(box[3] * box[4] * box[5] for box in boxes) > LARGEST_SHAPE:
            raise ValueError(f"boxes of at most {LARGEST_SHAPE} cells in all")
        return cls(boxes)

    @classmethod
    def _box(cls, value: object) -> tuple[int, ...]:
        if not isinstance(value, Sequence) or isinstance(value, str) or len(value) != 6:
            raise ValueError(cls.accepts)
        numbers = tuple(_whole(number) for number in value)
        if any(abs(number) > FARTHEST_BOX for number in numbers) or min(numbers[3:]) < 1:
            raise ValueError(cls.accepts)
        return numbers

    @property
    def cells(self) -> Cells:
        """(n, 3) int32: the cells, sorted, each once."""
        filled = [
            np.stack(np.meshgrid(*(np.arange(a, a + n) for a, n in zip(b[:3], b[3:], strict=True)), indexing="ij"), -1)
            for b in self.boxes
        ]
        return unique_cells(np.concatenate([cells.reshape(-1, 3) for cells in filled]).astype(np.int32))

    def __str__(self) -> str:
        return f"a shape of {len(self.cells)} cells"


Reader = Callable[[object], Any]

_LARGEST = 10**15


def _is_number(value: object) -> TypeGuard[int | float]:
    """Numbers within ±``_LARGEST``; neither infinities nor what JSON calls NaN."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and -_LARGEST < value < _LARGEST


def _whole(value: object) -> int:
    if not _is_number(value) or not isinstance(value, int):
        raise ValueError("a whole number")
    return value


def _number(value: object) -> float:
    if not _is_number(value):
        raise ValueError("a number")
    return float(value)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def _word(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value


_PLAIN: dict[object, tuple[Reader, str]] = {
    int: (_whole, "a whole number"),
    float: (_number, "a number"),
    bool: (_truth, "true or false"),
    str: (_word, "a text"),
}


def reader_of(hint: Any) -> tuple[Reader, str]:
    """The reader for a parameter's type, and in words what it accepts."""
    if hint in _PLAIN:
        return _PLAIN[hint]
    if hasattr(hint, "read") and hasattr(hint, "accepts"):
        return hint.read, hint.accepts
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return reader_of(next(part for part in inner if part is not type(None)))
    if origin is Literal:
        return _choice(inner), "one of " + ", ".join(repr(c) for c in inner)
    if origin is tuple:
        return _row(inner)
    raise TypeError(f"no reader for rule parameters of type {hint}")


def _choice(choices: tuple[object, ...]) -> Reader:
    accepts = "one of " + ", ".join(repr(c) for c in choices)

    def read(value: object) -> object:
        if value not in choices or isinstance(value, bool):
            raise ValueError(accepts)
        return value

    return read


def _row(inner: tuple[Any, ...]) -> tuple[Reader, str]:
    open_ended = len(inner) == 2 and inner[1] is Ellipsis
    readers = [reader_of(part) for part in inner if part is not Ellipsis]
    accepts = f"a list of {readers[0][1]}" if open_ended else f"a list of {len(inner)}: {readers[0][1]}"

    def read(value: object) -> tuple[object, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence) or not value:
            raise ValueError(accepts)
        if not open_ended and len(value) != len(inner):
            raise ValueError(accepts)
        return tuple(readers[0 if open_ended else i][0](part) for i, part in enumerate(value))

    return read, accepts
