"""The tags of NBT as Python values, and the numbers and names of their types."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minece.blocks.errors import FormatError

END, BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, BYTES, TEXT, LIST, COMPOUND, INTS, LONGS = range(13)

NAMES = (
    "nothing", "a byte", "a short", "an int", "a long", "a float", "a double",
    "a byte array", "text", "a list", "a compound", "an int array", "a long array",
)  # fmt: skip

COMPLETE = "copy or export it again"


class Byte(int):
    """8 bit signed."""

    __slots__ = ()


class Short(int):
    """16 bit signed."""

    __slots__ = ()


class Int(int):
    """32 bit signed."""

    __slots__ = ()


class Long(int):
    """64 bit signed."""

    __slots__ = ()


class Float(float):
    """32 bit."""

    __slots__ = ()


class Double(float):
    """64 bit."""

    __slots__ = ()


class List(list[Any]):
    """Tags of one kind (``kind`` is the number of the NBT type, ``END`` for an empty list of no type)."""

    __slots__ = ("kind",)

    def __init__(self, kind: int, tags: Iterable[Tag] = ()) -> None:
        super().__init__(tags)
        self.kind = kind


Array: TypeAlias = NDArray[np.signedinteger[Any]]
Compound: TypeAlias = dict[str, Any]
Tag: TypeAlias = "Byte | Short | Int | Long | Float | Double | str | List | Compound | Array | Records"


class Part:
    """Compounds of a long list that follow one another and differ in nothing but numbers.

    Attributes
    ----------
    count : how many they are
    template : the first of them
    columns : name → (count,) numbers, or (count, k) for a list or an array of k numbers, of every such tag; a view of
        the file's bytes where it was read
    """

    __slots__ = ("columns", "count", "template")

    def __init__(self, count: int, template: Compound, columns: dict[str, NDArray[Any]]) -> None:
        self.count = count
        self.template = template
        self.columns = columns


class Records:
    """A long list of compounds in parts of equal layout, so that a million of them cost no Python objects."""

    __slots__ = ("parts",)

    def __init__(self, parts: Iterable[Part] = ()) -> None:
        self.parts = list(parts)

    def __len__(self) -> int:
        return sum(part.count for part in self.parts)

    def numbers(self, name: str, place: str, width: int = 0) -> NDArray[np.int64]:
        """(n,) whole numbers of that name, (n, width) where ``width`` is given.

        Raises :class:`FormatError` where the list is at ``place`` and a compound has no such numbers.
        """
        out = np.empty((len(self), width) if width else len(self), dtype=np.int64)
        done = 0
        for part in self.parts:
            column = part.columns.get(name)
            if column is None or column.dtype.kind != "i" or column.shape[1:] != out.shape[1:]:
                where = f"{place}/{done}/{name}"
                if name not in part.template:
                    raise FormatError("is missing", where=where, mend=COMPLETE)
                wanted = f"a list of {width} whole numbers" if width else "a whole number"
                raise FormatError(f"is not {wanted}", where=where, mend=COMPLETE)
            out[done : done + part.count] = column
            done += part.count
        return out


NUMBERS: dict[int, tuple[struct.Struct, Any]] = {
    BYTE: (struct.Struct(">b"), Byte),
    SHORT: (struct.Struct(">h"), Short),
    INT: (struct.Struct(">i"), Int),
    LONG: (struct.Struct(">q"), Long),
    FLOAT: (struct.Struct(">f"), Float),
    DOUBLE: (struct.Struct(">d"), Double),
}
ARRAYS: dict[int, np.dtype[Any]] = {BYTES: np.dtype(">i1"), INTS: np.dtype(">i4"), LONGS: np.dtype(">i8")}
DTYPES: dict[int, np.dtype[Any]] = {
    BYTE: np.dtype(">i1"), SHORT: np.dtype(">i2"), INT: np.dtype(">i4"),
    LONG: np.dtype(">i8"), FLOAT: np.dtype(">f4"), DOUBLE: np.dtype(">f8"),
}  # fmt: skip
_KIND_OF_ITEMSIZE = {1: BYTES, 4: INTS, 8: LONGS}


def kind_of(tag: object) -> int:
    """The NBT type number of a tag."""
    for kind, (_, make) in NUMBERS.items():
        if isinstance(tag, make):
            return kind
    if isinstance(tag, str):
        return TEXT
    if isinstance(tag, List | Records):
        return LIST
    if isinstance(tag, dict):
        return COMPOUND
    if isinstance(tag, np.ndarray) and tag.ndim == 1 and tag.dtype.kind == "i":
        width = _KIND_OF_ITEMSIZE.get(tag.dtype.itemsize)
        if width is not None:
            return width
    raise FormatError(f"{type(tag).__name__} cannot be written as NBT")
