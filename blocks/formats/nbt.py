"""NBT, the game's binary tree: a bounded reader and a writer with deterministic bytes.

A file is untrusted: every length is checked against the bytes that are there before anything is allocated, depth,
tags, names and unpacked bytes have caps, and whatever is wrong raises one :class:`FormatError` that names the
place as a path of tags (``Regions/House/Size``).

Tags in Python: :class:`Byte`, :class:`Short`, :class:`Int`, :class:`Long`, :class:`Float`, :class:`Double`, ``str``,
:class:`List` and ``dict`` for compounds; arrays are numpy arrays of 1, 4 or 8 byte integers. Arrays that were read
are read-only big-endian views of the file's bytes. Lists of very many compounds can be read as :class:`Records`.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Container
from typing import Any, NoReturn

import numpy as np

from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats.limits import LIMITS, SMALLER, Deadline, Limits
from minece.blocks.formats.nbt_records import Span, packed, part_at, records
from minece.blocks.formats.nbt_tags import (
    ARRAYS,
    BYTE,
    BYTES,
    COMPLETE,
    COMPOUND,
    DOUBLE,
    END,
    FLOAT,
    INT,
    INTS,
    LIST,
    LONG,
    LONGS,
    NAMES,
    NUMBERS,
    SHORT,
    TEXT,
    Array,
    Byte,
    Compound,
    Double,
    Float,
    Int,
    List,
    Long,
    Part,
    Records,
    Short,
    Tag,
    kind_of,
)  # fmt: skip

__all__ = [
    "BYTE", "BYTES", "COMPOUND", "DOUBLE", "END", "FLOAT", "INT", "INTS", "LIST", "LONG", "LONGS", "SHORT", "TEXT",
    "Array", "Byte", "Compound", "Double", "Float", "Int", "List", "Long", "Part", "Records", "Short", "Tag",
    "decode_text", "encode_text", "get_array", "get_compound", "get_int", "get_list", "get_text",
    "is_packed", "kind_of", "read", "records", "unpack", "write",
]  # fmt: skip

_U2 = struct.Struct(">H")
_I4 = struct.Struct(">i")


# --- compression ----------------------------------------------------------------------------------------------


def unpack(data: bytes, limits: Limits = LIMITS, deadline: Deadline | None = None) -> bytes:
    """The content of gzip or zlib bytes, recognised by content; other bytes as they are.

    Raises :class:`FormatError` where the compressed data is damaged, cut off or followed by other bytes, and
    :class:`LimitError` above ``limits.unpacked_bytes``.
    """
    if not is_packed(data):
        return data
    if data[:1] == b"\x1f":
        return _inflate(data, 31, "gzip", limits, deadline)
    return _inflate(data, 15, "zlib", limits, deadline)


def is_packed(data: bytes) -> bool:
    """Whether the first two bytes are a header of gzip, or of zlib with the usual window.

    The unusual ones could be text: a table whose header begins ``x y z`` is one by the rules.
    """
    return data[:2] in (b"\x1f\x8b", b"x\x01", b"x^", b"x\x9c", b"x\xda")


def _inflate(data: bytes, wbits: int, name: str, limits: Limits, deadline: Deadline | None) -> bytes:
    parts: list[bytes] = []
    total = 0
    rest = data
    while rest:
        stream = zlib.decompressobj(wbits)
        while not stream.eof:
            try:
                part = stream.decompress(rest, 2**22)
            except zlib.error:
                raise FormatError(f"the {name} data is damaged", mend=COMPLETE) from None
            rest = stream.unconsumed_tail
            total += len(part)
            if total > limits.unpacked_bytes:
                raise LimitError(f"unpacks to more than {limits.unpacked_bytes // 2**20} MB", mend=SMALLER)
            if not part and not rest and not stream.eof:
                raise FormatError(f"the {name} data ends early: the file is cut off", mend=COMPLETE)
            parts.append(part)
            if deadline is not None:
                deadline.check()
        rest = stream.unused_data
        if not rest.strip(b"\0"):
            break
        if wbits != 31 or rest[:2] != b"\x1f\x8b":
            raise FormatError(f"{len(rest):,} bytes follow the end of the {name} data", mend=COMPLETE)
    return parts[0] if len(parts) == 1 else b"".join(parts)


# --- reading --------------------------------------------------------------------------------------------------


def read(
    data: bytes, limits: Limits = LIMITS, deadline: Deadline | None = None, bulk: Container[str] = ()
) -> tuple[str, Compound]:
    """Name and content of the root compound of unpacked NBT bytes (see :func:`unpack`).

    Lists of compounds in the root whose names are in ``bulk`` become :class:`Records`; their compounds count as
    blocks and not as tags.

    Raises :class:`FormatError` for bytes that are no complete NBT file, :class:`LimitError` above the caps.
    """
    if not data:
        raise FormatError("the file is empty", mend=COMPLETE)
    if data[0] != COMPOUND:
        raise FormatError("is no NBT file: it does not begin with a compound", mend="take another file")
    reader = _Reader(data, limits, deadline or Deadline(limits.seconds), bulk)
    reader.pos = 1
    name = reader.name()
    root = reader.compound()
    rest = data[reader.pos :]
    if rest.strip(b"\0"):
        raise FormatError(f"{len(rest):,} bytes follow the end of the NBT data", mend=COMPLETE)
    return name, root


class _Reader:
    __slots__ = ("bulk", "data", "deadline", "left", "limits", "path", "pos")

    def __init__(self, data: bytes, limits: Limits, deadline: Deadline, bulk: Container[str]) -> None:
        self.data = data
        self.bulk = bulk
        self.limits = limits
        self.deadline = deadline
        self.pos = 0
        self.left = limits.tags
        self.path: list[str] = []

    def fail(self, reason: str, mend: str = COMPLETE) -> NoReturn:
        raise FormatError(reason, where=self.place(), mend=mend)

    def place(self) -> str:
        return "/".join(self.path[-8:]) or "root"

    def spend(self, tags: int) -> None:
        self.left -= tags
        if self.left < 0:
            raise LimitError(f"more than {self.limits.tags:,} NBT tags", where=self.place(), mend=SMALLER)

    def take(self, size: int, what: str) -> int:
        """Position of the next ``size`` bytes, which are stepped over."""
        pos = self.pos
        if size < 0:
            self.fail(f"{what} has a negative length ({size})")
        if pos + size > len(self.data):
            self.fail(f"the file ends within {what}")
        self.pos = pos + size
        return pos

    def length(self, what: str) -> int:
        size: int = _I4.unpack_from(self.data, self.take(4, what))[0]
        if size < 0:
            self.fail(f"{what} has a negative length ({size})")
        return size

    def name(self) -> str:
        size: int = _U2.unpack_from(self.data, self.take(2, "a name"))[0]
        if size > self.limits.name_bytes:
            raise LimitError(
                f"a name of {size:,} bytes, more than {self.limits.name_bytes:,}", where=self.place(), mend=COMPLETE
            )
        pos = self.take(size, "a name")
        return self.decoded(self.data[pos : self.pos])

    def text(self) -> str:
        size: int = _U2.unpack_from(self.data, self.take(2, "text"))[0]
        pos = self.take(size, "text")
        return self.decoded(self.data[pos : self.pos])

    def decoded(self, raw: bytes) -> str:
        try:
            return decode_text(raw)
        except UnicodeError:
            self.fail("text is not valid UTF-8")

    def payload(self, kind: int) -> Any:
        number = NUMBERS.get(kind)
        if number is not None:
            form, make = number
            return make(form.unpack_from(self.data, self.take(form.size, NAMES[kind]))[0])
        if kind == TEXT:
            return self.text()
        if kind == COMPOUND:
            return self.compound()
        if kind == LIST:
            return self.list()
        dtype = ARRAYS.get(kind)
        if dtype is None:
            self.fail(f"tag type {kind} does not exist")
        size = self.length(NAMES[kind])
        pos = self.take(size * dtype.itemsize, NAMES[kind])
        return np.frombuffer(self.data, dtype=dtype, count=size, offset=pos)

    def deeper(self) -> None:
        if len(self.path) > self.limits.depth:
            raise LimitError(f"nested deeper than {self.limits.depth} levels", where=self.place(), mend=SMALLER)
        self.deadline.check()

    def compound(self, spans: list[Span] | None = None) -> Compound:
        """A compound; ``spans`` takes the place of each of its tags."""
        self.deeper()
        out: Compound = {}
        data = self.data
        while True:
            kind = data[self.take(1, "a compound")]
            if kind == END:
                return out
            self.spend(1)
            name = self.name()
            self.path.append(name)
            if name in out:
                self.fail("comes twice in its compound")
            if spans is not None:
                spans.append((name, kind, self.pos))
            out[name] = self.payload(kind)
            self.path.pop()

    def list(self) -> List | Records:
        self.deeper()
        kind = self.data[self.take(1, "a list")]
        size = self.length("a list")
        if kind == END and size:
            self.fail(f"a list of {size:,} tags has no type")
        if kind > LONGS:
            self.fail(f"tag type {kind} does not exist")
        if kind == COMPOUND and len(self.path) == 1 and self.path[0] in self.bulk:
            return self.records(size)
        self.spend(size)
        number = NUMBERS.get(kind)
        if number is not None:
            form, make = number
            pos = self.take(size * form.size, "a list")
            raw = struct.unpack_from(f">{size}{form.format[1:]}", self.data, pos)
            return List(kind, map(make, raw))
        out = List(kind)
        for i in range(size):
            self.path.append(str(i))
            out.append(self.payload(kind))
            self.path.pop()
        return out

    def records(self, size: int) -> Records:
        self.limits.most("compounds in a list", size, self.limits.blocks, where=self.place())
        parts = []
        done = 0
        while done < size:
            spans: list[Span] = []
            begin = self.pos
            self.path.append(str(done))
            template = self.compound(spans)
            self.path.pop()
            part = part_at(self.data, begin, self.pos, template, spans, size - done, self.deadline)
            self.pos = begin + part.count * (self.pos - begin)
            parts.append(part)
            done += part.count
        return Records(parts)


def decode_text(raw: bytes) -> str:
    """Java's modified UTF-8 (NUL as two bytes, characters beyond U+FFFF as two surrogates) and plain UTF-8."""
    if raw.isascii():
        return raw.decode("ascii")
    text = raw.replace(b"\xc0\x80", b"\0").decode("utf-8", "surrogatepass")
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


def encode_text(text: str) -> bytes:
    """``text`` in Java's modified UTF-8."""
    if text.isascii() and "\0" not in text:
        return text.encode("ascii")
    units = text.encode("utf-16-be", "surrogatepass")
    low = "".join(map(chr, struct.unpack(f">{len(units) // 2}H", units)))
    return low.encode("utf-8", "surrogatepass").replace(b"\0", b"\xc0\x80")


# --- what a reader asks of a tree -----------------------------------------------------------------------------


def _wrong(compound: Compound, name: str, wanted: str, place: str) -> FormatError:
    where = f"{place}/{name}" if place else name
    if name not in compound:
        return FormatError("is missing", where=where, mend=COMPLETE)
    return FormatError(f"is {NAMES[kind_of(compound[name])]}, not {wanted}", where=where, mend=COMPLETE)


def get_compound(compound: Compound, name: str, place: str = "") -> Compound:
    """The compound of that name; :class:`FormatError` where it is missing or of another type."""
    tag = compound.get(name)
    if not isinstance(tag, dict):
        raise _wrong(compound, name, "a compound", place)
    return tag


def get_int(compound: Compound, name: str, place: str = "") -> int:
    """The whole number of that name, of any width; :class:`FormatError` where it is missing or another type."""
    tag = compound.get(name)
    if not isinstance(tag, int):
        raise _wrong(compound, name, "a whole number", place)
    return int(tag)


def get_unsigned_short(compound: Compound, name: str) -> int:
    """The 16 bit unsigned number of that name, which NBT keeps in a signed tag: 40,000 comes as -25,536.

    Numbers of wider tags come as they are; :class:`FormatError` as for :func:`get_int`.
    """
    number = get_int(compound, name)
    return number + 65_536 if -32_768 <= number < 0 else number


def get_array(compound: Compound, name: str, kind: int, place: str = "") -> Array:
    """The array of that name and kind; :class:`FormatError` where it is missing or of another type."""
    tag = compound.get(name)
    if not isinstance(tag, np.ndarray) or kind_of(tag) != kind:
        raise _wrong(compound, name, NAMES[kind], place)
    return tag


def get_list(compound: Compound, name: str, kind: int, place: str = "") -> list[Any]:
    """The list of that name with tags of one kind; :class:`FormatError` where it is missing or another type."""
    tag = compound.get(name)
    if not isinstance(tag, List) or (len(tag) and tag.kind != kind):
        raise _wrong(compound, name, f"a list of which each is {NAMES[kind]}", place)
    return tag


def get_text(compound: Compound, name: str, default: str = "") -> str:
    """The text of that name, ``default`` where there is none."""
    tag = compound.get(name)
    return tag if isinstance(tag, str) else default


# --- writing --------------------------------------------------------------------------------------------------


def write(name: str, root: Compound, *, compress: bool = True) -> bytes:
    """NBT bytes of a root compound, gzipped with no time stamp so that equal trees give equal bytes."""
    out = io.BytesIO()
    out.write(bytes([COMPOUND]))
    _write_text(out, name)
    _write(out, COMPOUND, root)
    raw = out.getvalue()
    return _gzip(raw) if compress else raw


def _gzip(raw: bytes) -> bytes:
    # A header of our own: the gzip module writes the time, or a mark of the platform that differs by version.
    deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
    body = deflate.compress(raw) + deflate.flush()
    return b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + body + struct.pack("<II", zlib.crc32(raw), len(raw) & 0xFFFFFFFF)


def _head(kind: int, name: str) -> bytes:
    out = io.BytesIO()
    _write_text(out, name)
    return bytes([kind]) + out.getvalue()


def _payload(kind: int, tag: Any) -> bytes:
    out = io.BytesIO()
    _write(out, kind, tag)
    return out.getvalue()


def _write_text(out: io.BytesIO, text: str) -> None:
    raw = encode_text(text)
    if len(raw) > 65535:
        raise FormatError(f"text of {len(raw):,} bytes does not fit into NBT", mend="shorten it")
    out.write(_U2.pack(len(raw)))
    out.write(raw)


def _write(out: io.BytesIO, kind: int, tag: Any) -> None:
    number = NUMBERS.get(kind)
    if number is not None:
        try:
            out.write(number[0].pack(tag))
        except (struct.error, OverflowError):
            raise FormatError(f"{tag} does not fit into {NAMES[kind]}") from None
    elif kind == TEXT:
        _write_text(out, tag)
    elif kind == COMPOUND:
        for key, value in tag.items():
            child = kind_of(value)
            out.write(bytes([child]))
            _write_text(out, key)
            _write(out, child, value)
        out.write(b"\0")
    elif isinstance(tag, Records):
        out.write(bytes([COMPOUND]) + _I4.pack(len(tag)))
        for part in tag.parts:
            out.write(packed(part, _head, _payload))
    elif kind == LIST:
        out.write(bytes([tag.kind]))
        out.write(_I4.pack(len(tag)))
        for value in tag:
            if kind_of(value) != tag.kind:
                raise FormatError(f"a list of which each is {NAMES[tag.kind]} holds {NAMES[kind_of(value)]}")
            _write(out, tag.kind, value)
    else:
        out.write(_I4.pack(len(tag)))
        out.write(np.ascontiguousarray(tag, dtype=ARRAYS[kind]).tobytes())
