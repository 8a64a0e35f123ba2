"""Region files (.mca): 32 by 32 chunks in sectors of 4,096 bytes, each packed for itself.

Only the header and the chunks that are asked for are read. A chunk too long for its sectors lies beside the region in
a file of its own (.mcc). The file itself has no mark: it is recognised by places of chunks that lie behind its header
and within it.
"""

from __future__ import annotations

import os
import re
import stat
import struct
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from minece.blocks.errors import FormatError
from minece.blocks.formats import lz4, nbt
from minece.blocks.formats.limits import Deadline, Limits

SECTOR = 4096
HEADER = 2 * SECTOR
SIDE = 32

_MOST_SECTORS = 2**20
"""No region has 4 GB; sector numbers of other files, compressed ones above all, are larger."""

_GZIP, _ZLIB, _PLAIN, _LZ4 = 1, 2, 3, 4
_BESIDE = 128
_NAME = re.compile(r"r\.(-?\d{1,7})\.(-?\d{1,7})\.mca$")
_OWN_NAME = re.compile(r"r\.-?\d{1,7}\.-?\d{1,7}\.mca")
_HEAD = struct.Struct(">IB")
DAMAGED = "the region file is damaged: copy it again, or leave the chunk out with --box"


class Place(NamedTuple):
    """Where a chunk lies: its column and row in the region and its sectors."""

    column: int
    row: int
    sector: int
    sectors: int


def places(header: bytes) -> list[Place]:
    """The chunks that a region's header names, in its order."""
    words = np.frombuffer(header, dtype=">u4", count=min(len(header) // 4, SIDE * SIDE))
    used = np.flatnonzero(words)
    return [Place(i % SIDE, i // SIDE, int(words[i]) >> 8, int(words[i]) & 0xFF) for i in used.tolist()]


def is_region(header: bytes, size: int) -> bool:
    """Whether a file of so many bytes that begins with ``header`` is a region with chunks."""
    if size < HEADER + 5 or len(header) < SECTOR:
        return False
    words = np.frombuffer(header, dtype=">u4", count=SIDE * SIDE)
    used = words[words != 0]
    first, count = used >> 8, used & 0xFF
    # Of a file that is cut off, some chunks lie beyond its end.
    inside = (first >= 2) & (first < _MOST_SECTORS) & (count >= 1)
    return bool(len(used)) and bool(inside.all()) and bool((first.astype(np.int64) * SECTOR < size).any())


def region_of(name: str) -> tuple[int, int] | None:
    """Column and row of the region that a file's name ends with, None where it names none."""
    found = _NAME.search(name)
    return (int(found[1]), int(found[2])) if found else None


def is_region_name(name: str) -> bool:
    """Whether a file is called as the game calls its region files."""
    return _OWN_NAME.fullmatch(name) is not None


@dataclass(frozen=True)
class Region:
    """A region file that is open, or its bytes.

    ``take`` gives at most so many bytes from a position on, ``beside`` those of a file in the same folder.
    """

    name: str
    size: int
    header: bytes
    take: Callable[[int, int], bytes]
    beside: Callable[[str, int], bytes]

    @classmethod
    def of_bytes(cls, data: bytes, name: str) -> Region:
        """A region from its bytes alone; chunks in files of their own are not there."""
        return cls(name, len(data), data[:HEADER], lambda pos, size: data[pos : pos + size], _nothing_beside)

    @classmethod
    def of_file(cls, path: Path, descriptor: int, beside: Callable[[str, int], bytes]) -> Region:
        """A region from a file that is open."""

        def take(pos: int, size: int) -> bytes:
            os.lseek(descriptor, pos, os.SEEK_SET)
            parts = []
            while size > 0 and (part := os.read(descriptor, size)):
                parts.append(part)
                size -= len(part)
            return b"".join(parts)

        return cls(path.name, os.fstat(descriptor).st_size, take(0, HEADER), take, beside)

    @property
    def places(self) -> list[Place]:
        """The chunks that there are."""
        return places(self.header)

    def chunk(self, place: Place, at: tuple[int, int], limits: Limits, deadline: Deadline) -> bytes:
        """The unpacked NBT bytes of the chunk at column and row ``at`` of the world. Raises :class:`FormatError`."""
        begin, room = place.sector * SECTOR, place.sectors * SECTOR
        if place.sector < 2 or not place.sectors or begin >= self.size:
            raise FormatError(
                f"lies in sector {place.sector:,} of a file of {-(-self.size // SECTOR):,} sectors", mend=DAMAGED
            )
        head = self.take(begin, _HEAD.size)
        if len(head) < _HEAD.size:
            raise FormatError("the file ends within it", mend=DAMAGED)
        length, kind = _HEAD.unpack(head)
        if not 1 <= length <= room - 4:
            raise FormatError(f"is {length:,} bytes long, which do not fit its {place.sectors} sectors", mend=DAMAGED)
        if kind & _BESIDE:
            packed = self.beside(f"c.{at[0]}.{at[1]}.mcc", limits.file_bytes)
        else:
            packed = self.take(begin + _HEAD.size, length - 1)
            if len(packed) < length - 1:
                raise FormatError("the file ends within it", mend=DAMAGED)
        return _unpacked(packed, kind & ~_BESIDE, limits, deadline)


def _nothing_beside(name: str, most: int) -> bytes:
    raise FormatError(f"lies in the file {name}, which is not there", mend="give the folder of the world")


def _unpacked(packed: bytes, kind: int, limits: Limits, deadline: Deadline) -> bytes:
    if kind in (_GZIP, _ZLIB):
        if not nbt.is_packed(packed):
            raise FormatError("is not packed as its mark says", mend=DAMAGED)
        return nbt.unpack(packed, limits, deadline)
    if kind == _PLAIN:
        return packed
    if kind == _LZ4:
        return lz4.unpack(packed, limits, deadline)
    raise FormatError(f"is packed in a way that is not known ({kind})", mend="let the game write it with zlib")


def open_file(path: Path) -> int:
    """A descriptor of an ordinary file. Raises :class:`FormatError` and :class:`OSError`."""
    # A pipe without a writer would block for ever.
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise FormatError("is no ordinary file", where=path.name, mend="remove it from the world")
    return descriptor
