"""The tags of a chunk without those that nobody asks for: a world has thousands of chunks, and most of each is light,
biomes, heights, structures and ticks, which are stepped over here and not read.

What :func:`minece.blocks.formats.nbt.read` holds to holds here too: no length is believed, depth, tags and names have
caps.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np

from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats import nbt
from minece.blocks.formats.limits import SMALLER, Deadline, Limits
from minece.blocks.formats.nbt_tags import ARRAYS, COMPLETE, NUMBERS

COUNTED = "Entities"
"""The list of which only the length is kept, as a number."""

_LEFT_OUT = frozenset(
    b"SkyLight BlockLight biomes Biomes Heightmaps HeightMap Structures structures PostProcessing ToBeTicked "
    b"LiquidsToBeTicked TileTicks LiquidTicks block_ticks fluid_ticks CarvingMasks Lights block_entities starts "
    b"blending_data UpgradeData below_zero_retrogen ForgeCaps ChunkBukkitValues".split()
)
_FIXED = {nbt.BYTE: 1, nbt.SHORT: 2, nbt.INT: 4, nbt.LONG: 8, nbt.FLOAT: 4, nbt.DOUBLE: 8}
_ITEM = {nbt.BYTES: 1, nbt.INTS: 4, nbt.LONGS: 8}
_I4 = struct.Struct(">i")
_EVERY = 512


def skim(data: bytes, limits: Limits, deadline: Deadline) -> nbt.Compound:
    """The root compound of a chunk. Raises :class:`FormatError` and :class:`LimitError`.

    What follows it is not looked at, as by the game: the JavaScript server flying-squid ends its chunks too early.
    """
    if data[:1] != b"\n":
        raise FormatError("is no NBT data", mend=COMPLETE)
    reader = _Skimmer(data, limits, deadline)
    try:
        return reader.compound(reader.text_end(1), 0)[0]
    except (IndexError, struct.error):
        raise FormatError("the NBT data ends early", mend=COMPLETE) from None


class _Skimmer:
    __slots__ = ("data", "deadline", "left", "limits", "names", "size")

    def __init__(self, data: bytes, limits: Limits, deadline: Deadline) -> None:
        self.data = data
        self.size = len(data)
        self.limits = limits
        self.deadline = deadline
        self.left = limits.tags
        self.names: dict[bytes, str] = {}

    def spend(self, tags: int) -> None:
        before = self.left // _EVERY
        self.left -= tags
        if self.left // _EVERY != before:
            self.deadline.check()
        if self.left < 0:
            raise LimitError(f"more than {self.limits.tags:,} NBT tags", mend=SMALLER)

    def length(self, pos: int) -> int:
        size: int = _I4.unpack_from(self.data, pos)[0]
        if size < 0:
            raise FormatError(f"a list or an array has a negative length ({size})", mend=COMPLETE)
        return size

    def text_end(self, pos: int) -> int:
        end = pos + 2 + (self.data[pos] << 8 | self.data[pos + 1])
        if end > self.size:
            raise IndexError
        return end

    def text(self, raw: bytes) -> str:
        found = self.names.get(raw)
        if found is None:
            try:
                found = self.names[raw] = nbt.decode_text(raw)
            except UnicodeError:
                raise FormatError("text is not valid UTF-8", mend=COMPLETE) from None
        return found

    def deeper(self, depth: int) -> None:
        if depth > self.limits.depth:
            raise LimitError(f"nested deeper than {self.limits.depth} levels", mend=SMALLER)

    def compound(self, pos: int, depth: int) -> tuple[nbt.Compound, int]:
        """A compound and the position behind it."""
        self.deeper(depth)
        data = self.data
        out: nbt.Compound = {}
        while True:
            kind = data[pos]
            if kind == nbt.END:
                return out, pos + 1
            self.spend(1)
            end = self.text_end(pos + 1)
            raw = data[pos + 3 : end]
            if raw in _LEFT_OUT:
                pos = self.over(kind, end, depth)
                continue
            if len(raw) > self.limits.name_bytes:
                raise LimitError(f"a name of {len(raw):,} bytes, more than {self.limits.name_bytes:,}", mend=COMPLETE)
            name = self.text(raw)
            if name in out:
                raise FormatError("comes twice in its compound", where=name, mend=COMPLETE)
            if name == COUNTED and kind == nbt.LIST:
                out[name] = nbt.Int(self.length(end + 1))
                pos = self.over(kind, end, depth)
            else:
                out[name], pos = self.payload(kind, end, depth)

    def payload(self, kind: int, pos: int, depth: int) -> tuple[Any, int]:
        if kind == nbt.TEXT:
            end = self.text_end(pos)
            return self.text(self.data[pos + 2 : end]), end
        if kind == nbt.COMPOUND:
            return self.compound(pos, depth + 1)
        if kind in _FIXED:
            form, make = NUMBERS[kind]
            return make(form.unpack_from(self.data, pos)[0]), pos + _FIXED[kind]
        if kind == nbt.LIST:
            return self.list(pos, depth + 1)
        if kind not in _ITEM:
            raise FormatError(f"tag type {kind} does not exist", mend=COMPLETE)
        count = self.length(pos)
        end = pos + 4 + count * _ITEM[kind]
        if end > self.size:
            raise IndexError
        return np.frombuffer(self.data, dtype=ARRAYS[kind], count=count, offset=pos + 4), end

    def list(self, pos: int, depth: int) -> tuple[nbt.List, int]:
        self.deeper(depth)
        kind, count = self.data[pos], self.length(pos + 1)
        pos += 5
        if kind == nbt.END and count:
            raise FormatError(f"a list of {count:,} tags has no type", mend=COMPLETE)
        self.spend(count)
        out = nbt.List(kind)
        for _ in range(count):
            tag, pos = self.payload(kind, pos, depth)
            out.append(tag)
        return out, pos

    def over(self, kind: int, pos: int, depth: int) -> int:
        """The position behind a tag that is not wanted."""
        if kind in _FIXED:
            end = pos + _FIXED[kind]
        elif kind in _ITEM:
            end = pos + 4 + self.length(pos) * _ITEM[kind]
        elif kind == nbt.TEXT:
            end = self.text_end(pos)
        elif kind == nbt.LIST:
            end = self.over_list(pos, depth + 1)
        elif kind == nbt.COMPOUND:
            end = self.over_compound(pos, depth + 1)
        else:
            raise FormatError(f"tag type {kind} does not exist", mend=COMPLETE)
        if end > self.size:
            raise IndexError
        return end

    def over_list(self, pos: int, depth: int) -> int:
        self.deeper(depth)
        kind, count = self.data[pos], self.length(pos + 1)
        pos += 5
        if kind in _FIXED:
            return pos + count * _FIXED[kind]
        if kind == nbt.END and count:
            raise FormatError(f"a list of {count:,} tags has no type", mend=COMPLETE)
        self.spend(count)
        for _ in range(count):
            pos = self.over(kind, pos, depth)
        return pos

    def over_compound(self, pos: int, depth: int) -> int:
        self.deeper(depth)
        data, tags = self.data, 0
        while (kind := data[pos]) != nbt.END:
            tags += 1
            if tags == _EVERY:
                self.spend(tags)
                tags = 0
            end = pos + 3 + (data[pos + 1] << 8 | data[pos + 2])
            fixed = _FIXED.get(kind)
            pos = self.over(kind, end, depth) if fixed is None else end + fixed
        self.spend(tags)
        return pos + 1
