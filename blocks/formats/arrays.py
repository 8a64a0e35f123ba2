"""Grids in NumPy's own files (.npy), each cell an item of an array with three axes. What the items may be:

- text: the names of blocks, as ``np.array(palette)[numbers]`` gives it; an empty text says nothing of its cell
- whole numbers: ids of versions before 1.13, 0 is air
- pairs of whole numbers on a fourth axis: such an id and its data value, as CraftAssist's ``schematic.npy`` has it
- true and false: stone and air

The file does not say what its axes are. They are taken as x, y, z, pairs as y, z, x as CraftAssist writes them, unless
``axes`` says otherwise ("yzx", "zyx" …); the build tells what was taken. The lowest layer is at height 0 and where the
ground is is not said. The header is read here and never evaluated; objects (pickles), structures and fractions are
refused.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.build import Provenance
from minece.blocks.errors import FormatError
from minece.blocks.formats.flattening import IDS, states_of
from minece.blocks.formats.rows import shown
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.formats.volume import Box, Numbers, build_from_boxes, check_size
from minece.blocks.states import VOID

MAGIC = b"\x93NUMPY"
AXES = tuple("".join(order) for order in permutations("xyz"))
"""The orders of axes that may be named."""

_LONGEST_HEADER = 65_536
_LONGEST_NAME = 256
_PIECE = 1 << 18
_DAMAGED = "write it anew with numpy.save"
_KIND = re.compile(r"""["']descr["']\s*:\s*["']([<>|=]?)([a-zA-Z])(\d{0,6})["']""")
_ORDER = re.compile(r"""["']fortran_order["']\s*:\s*(True|False)""")
_SHAPE = re.compile(r"""["']shape["']\s*:\s*\(([\d,\sL]{0,200})\)""")
_MEND = 'save names of blocks ("oak_planks"), ids of versions before 1.13, or true and false'


def sniff(source: Source) -> bool:
    """Whether the bytes begin as NumPy's files do."""
    return source.data.startswith(MAGIC)


def read(source: Source) -> Document:
    """The build in a grid. Raises :class:`FormatError`, :class:`LimitError`."""
    grid = _array(source)
    pairs = grid.ndim == 4
    axes = source.axes or ("yzx" if pairs else "xyz")
    if axes not in AXES:
        raise FormatError(f"axes {axes!r} are not known", mend=f"take one of {', '.join(AXES)}")
    turned = grid.transpose([*(axes.index(axis) for axis in "yzx"), *range(3, grid.ndim)])
    warnings = () if source.axes else (f"axes taken as {', '.join(axes)}; give --axes if the grid lies otherwise",)
    numbers, palette, notes = _numbers(turned, source)
    box = Box((0, 0, 0), numbers, palette)
    provenance = Provenance(format="npy", box=box.size, warnings=(*warnings, *notes))
    build = build_from_boxes([box], source.wish, provenance, source.limits, source.deadline)
    return Document("npy", [Run("", [build])])


@dataclass(frozen=True, slots=True)
class _Header:
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    fortran: bool
    end: int


def _array(source: Source) -> NDArray[Any]:
    """The array, as a view of the file's bytes."""
    header = _header(source.data)
    if len(header.shape) not in (3, 4):
        count = len(header.shape)
        raise FormatError(f"the array has {count} axes, not three", where="header", mend="save a grid of cells")
    if len(header.shape) == 4 and (header.shape[3] != 2 or header.dtype.kind not in "iu"):
        raise FormatError(
            f"the fourth axis holds {header.shape[3]} items, not an id and a data value", where="header", mend=_MEND
        )
    count = check_size(header.shape[:3], source.limits, "header") * (2 if len(header.shape) == 4 else 1)
    wanted, found = count * header.dtype.itemsize, len(source.data) - header.end
    if wanted != found:
        raise FormatError(f"{found:,} bytes for an array of {wanted:,}", where="data", mend=_DAMAGED)
    flat = np.frombuffer(source.data, dtype=header.dtype, count=count, offset=header.end)
    return flat.reshape(header.shape, order="F" if header.fortran else "C")


def _header(data: bytes) -> _Header:
    version = data[6:7]
    if version not in (b"\x01", b"\x02", b"\x03"):
        raise FormatError("the file's version is not known", where="header", mend=_DAMAGED)
    begin = 10 if version == b"\x01" else 12
    length = int.from_bytes(data[8:begin], "little")
    if length > min(_LONGEST_HEADER, len(data) - begin):
        raise FormatError("the header ends early", where="header", mend=_DAMAGED)
    text = data[begin : begin + length].decode("latin-1")
    order, shape, kind = _ORDER.search(text), _SHAPE.search(text), _KIND.search(text)
    if order is None or shape is None:
        raise FormatError("the header cannot be read", where="header", mend=_DAMAGED)
    if kind is None:
        raise FormatError("the items are structures", where="header", mend=_MEND)
    sides = [int(part) for part in re.findall(r"\d+", shape[1]) if len(part) <= 18]
    if len(sides) != len(re.findall(r"\d+", shape[1])):
        raise FormatError("the array is too large", where="header", mend="export a smaller part")
    return _Header(_dtype(*kind.groups()), tuple(sides), order[1] == "True", begin + length)


def _dtype(order: str, kind: str, size: str) -> np.dtype[Any]:
    if kind == "O":
        raise FormatError("the items are Python objects, which are never loaded", where="header", mend=_MEND)
    if kind in "US":
        if not 1 <= int(size or 0) <= _LONGEST_NAME:
            raise FormatError(f"the names have {size or 0} letters, not 1 to {_LONGEST_NAME}", where="header")
    elif not (kind in "iu" and size in ("1", "2", "4", "8") or (kind == "b" and size == "1")):
        raise FormatError(f"the items are of kind {kind}{size}", where="header", mend=_MEND)
    return np.dtype(f"{order.replace('=', '<')}{kind}{size}")


# --- items ----------------------------------------------------------------------------------------------------


def _numbers(grid: NDArray[Any], source: Source) -> tuple[Numbers, list[str], tuple[str, ...]]:
    """Palette numbers of a grid with axes y, z, x, the palette, and what is to be said of it."""
    if grid.dtype.kind == "b":
        solid = np.ascontiguousarray(grid).view(np.uint8) != 0
        return solid.view(np.uint8), ["air", "stone"] if solid.any() else ["air"], ()
    if grid.dtype.kind in "iu":
        numbers, palette, notes = states_of(_codes(grid), (), (0, 0, 0), source.limits, source.deadline)
        return numbers, palette, notes.warnings()
    return (*_names(grid, source), ())


def _codes(grid: NDArray[Any]) -> NDArray[np.uint16]:
    """Numeric ids and data values as codes."""
    ids, data = (grid[..., 0], grid[..., 1]) if grid.ndim == 4 else (grid, None)
    for values, below, name in ((ids, IDS, "id"), (data, 16, "data value")):
        for value in () if values is None else (values.min(), values.max()):
            if not 0 <= value < below:
                raise FormatError(f"{name} {value} is not 0 to {below - 1}", where="data", mend=_MEND)
    codes = np.ascontiguousarray(ids, dtype=np.uint16) * np.uint16(16)
    if data is not None:
        codes += data.astype(np.uint16)
    return codes


def _names(grid: NDArray[Any], source: Source) -> tuple[Numbers, list[str]]:
    # Telling names apart takes fifty bytes a cell.
    source.limits.most("cells with names", grid.size, 4 * source.limits.blocks)
    letter = np.dtype(np.uint8) if grid.dtype.kind == "S" else np.dtype(np.uint32).newbyteorder(grid.dtype.byteorder)
    rows = np.ascontiguousarray(grid).view(letter).reshape(grid.size, -1)
    # Equal names are found by a hash, which is many times faster than sorting the names themselves.
    hashes = np.zeros(len(rows), dtype=np.uint64)
    for column in rows.T:
        hashes ^= column
        hashes *= np.uint64(0x9E3779B97F4A7C15)
        hashes ^= hashes >> np.uint64(29)
        source.deadline.check()
    _, first, inverse = np.unique(hashes, return_index=True, return_inverse=True)
    source.limits.most("different names", len(first), source.limits.palette)
    source.deadline.check()
    numbers = inverse.reshape(-1).astype(np.uint32)
    for begin in range(0, len(rows), _PIECE):
        part = slice(begin, begin + _PIECE)
        if not np.array_equal(rows[part], rows[first[numbers[part]]]):
            raise FormatError("the names cannot be told apart", where="data", mend="save the build in another format")
    if int(rows[first].max()) > sys.maxunicode:
        raise FormatError("a name holds a number that is no letter", where="data", mend=_DAMAGED)
    palette = [_text(value) for value in grid.reshape(-1)[first].tolist()]
    return numbers.reshape(grid.shape), palette


def _text(value: str | bytes) -> str:
    try:
        name = value.decode("ascii") if isinstance(value, bytes) else value
    except UnicodeDecodeError:
        raise FormatError(f"{shown(value)} is no name", where="data", mend=_MEND) from None
    return name or VOID
