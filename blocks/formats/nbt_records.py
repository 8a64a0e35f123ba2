"""Long lists of compounds, read and written in bulk.

Compounds that follow one another mostly differ in their numbers alone: their bytes repeat with a constant step but
for those of the numbers. One compound is read as any other; as long as the next ones have the same bytes outside its
numbers they are of the same layout, and their numbers are a view of the bytes. So nothing is guessed: what does not
repeat is read as any other compound again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.formats.limits import Deadline
from minece.blocks.formats.nbt_tags import ARRAYS, DTYPES, INT, LIST, Compound, Int, List, Part, Records, kind_of

Span = tuple[str, int, int]
"""Name and kind of a tag and where its payload begins."""

_MOST_BYTES = 2**21


def part_at(
    data: bytes, begin: int, end: int, template: Compound, spans: list[Span], most: int, deadline: Deadline
) -> Part:
    """The compounds of one layout that follow from ``begin``, ``most`` at most.

    The first of them, ``template``, ends at ``end`` and has its tags at ``spans``.
    """
    stride = end - begin
    places: list[tuple[str, int, np.dtype[Any], int]] = []
    for name, kind, at in spans:
        tag = template[name]
        if kind in DTYPES:
            places.append((name, at - begin, DTYPES[kind], 0))
        elif kind in ARRAYS and len(tag):
            places.append((name, at - begin + 4, ARRAYS[kind], len(tag)))
        elif kind == LIST and isinstance(tag, List) and tag.kind in DTYPES and len(tag):
            places.append((name, at - begin + 5, DTYPES[tag.kind], len(tag)))
    first = np.frombuffer(data, dtype=np.uint8, count=stride, offset=begin)
    fixed = np.full(stride, 0xFF, dtype=np.uint8)
    for _, at, dtype, width in places:
        fixed[at : at + dtype.itemsize * max(width, 1)] = 0
    count = 1 + _repeats(data, end, first, fixed, most - 1, deadline)
    columns: dict[str, NDArray[Any]] = {}
    for name, at, dtype, width in places:
        shape, steps = ((count, width), (stride, dtype.itemsize)) if width else ((count,), (stride,))
        columns[name] = np.ndarray(shape, dtype, data, begin + at, steps)
    return Part(count, template, columns)


def _repeats(
    data: bytes, begin: int, first: NDArray[np.uint8], fixed: NDArray[np.uint8], most: int, deadline: Deadline
) -> int:
    """How many times the bytes from ``begin`` repeat those of ``first`` where ``fixed`` is set."""
    stride = len(first)
    most = min(most, (len(data) - begin) // stride)
    found, step = 0, 1
    while found < most:
        # Steps that double: looking ahead costs no more than what was found to repeat.
        size = min(step, most - found, max(_MOST_BYTES // stride, 1))
        rows = np.ndarray((size, stride), np.uint8, data, begin + found * stride)
        other = ((rows ^ first) & fixed).reshape(-1)
        if other.any():
            return found + int(np.argmax(other != 0)) // stride
        found += size
        step *= 2
        deadline.check()
    return found


def records(columns: dict[str, NDArray[np.int32]]) -> Records:
    """Compounds of ints, from (n,) numbers or (n, k) for lists of k, to be written."""
    count = len(next(iter(columns.values())))
    if not count:
        return Records()
    template: Compound = {
        name: Int(column[0]) if column.ndim == 1 else List(INT, map(Int, column[0].tolist()))
        for name, column in columns.items()
    }
    return Records([Part(count, template, dict(columns))])


def packed(part: Part, head: Callable[[int, str], bytes], payload: Callable[[int, Any], bytes]) -> bytes:
    """The bytes of all compounds of a part.

    ``head`` gives the bytes of a tag's kind and name, ``payload`` those of its value.
    """
    row = bytearray()
    places: list[tuple[int, NDArray[Any]]] = []
    for name, tag in part.template.items():
        kind = kind_of(tag)
        row += head(kind, name)
        column = part.columns.get(name)
        if column is not None:
            places.append((len(row) + (5 if kind == LIST else 4 if kind in ARRAYS else 0), column))
        row += payload(kind, tag)
    row += b"\0"
    out = np.empty((part.count, len(row)), dtype=np.uint8)
    out[:] = np.frombuffer(row, dtype=np.uint8)
    for at, column in places:
        big = np.ascontiguousarray(column, dtype=column.dtype.newbyteorder(">")).reshape(part.count, -1)
        raw = big.view(np.uint8)
        out[:, at : at + raw.shape[1]] = raw
    return out.tobytes()
