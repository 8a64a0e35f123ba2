"""LZ4 blocks in the frames of Java's LZ4BlockOutputStream, as the game writes chunks of its fourth compression.

The frames' checksums are not looked at: what they would find, the NBT reader finds too.
"""

from __future__ import annotations

import struct

from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats.limits import SMALLER, Deadline, Limits

_MAGIC = b"LZ4Block"
_HEAD = struct.Struct("<8sBIII")
_RAW, _PACKED = 0x10, 0x20


def unpack(data: bytes, limits: Limits, deadline: Deadline) -> bytes:
    """The content of a stream of frames. Raises :class:`FormatError` and :class:`LimitError`."""
    parts: list[bytes] = []
    pos = total = 0
    while pos < len(data):
        if len(data) - pos < _HEAD.size:
            raise _damaged()
        magic, token, packed, size, _ = _HEAD.unpack_from(data, pos)
        pos += _HEAD.size
        if magic != _MAGIC or packed > len(data) - pos:
            raise _damaged()
        if not size:
            break
        total += size
        if total > limits.unpacked_bytes:
            raise LimitError(f"unpacks to more than {limits.unpacked_bytes // 2**20} MB", mend=SMALLER)
        piece = data[pos : pos + packed]
        pos += packed
        if token & 0xF0 == _RAW:
            part = piece
        elif token & 0xF0 == _PACKED:
            part = _block(piece, size, deadline)
        else:
            raise _damaged()
        if len(part) != size:
            raise _damaged()
        parts.append(part)
    return b"".join(parts)


def _damaged() -> FormatError:
    return FormatError("the LZ4 data is damaged", mend="copy or export it again")


def _block(data: bytes, size: int, deadline: Deadline) -> bytes:
    """Sequences of literals and of copies from up to 65,535 bytes before."""
    out = bytearray()
    pos, end = 0, len(data)
    try:
        while pos < end:
            token = data[pos]
            pos += 1
            length = token >> 4
            if length == 15:
                more = 255
                while more == 255:
                    more = data[pos]
                    pos += 1
                    length += more
            if pos + length > end or len(out) + length > size:
                raise _damaged()
            out += data[pos : pos + length]
            pos += length
            if pos >= end:
                break
            back = data[pos] | data[pos + 1] << 8
            pos += 2
            length = (token & 15) + 4
            if length == 19:
                more = 255
                while more == 255:
                    more = data[pos]
                    pos += 1
                    length += more
            begin = len(out) - back
            if not back or begin < 0 or len(out) + length > size:
                raise _damaged()
            if back >= length:
                out += out[begin : begin + length]
            else:
                # The copy overlaps itself: what lies between is repeated.
                out += (bytes(out[begin:]) * (length // back + 1))[:length]
            if not len(out) & 1023:
                deadline.check()
    except IndexError:
        raise _damaged() from None
    return bytes(out)
