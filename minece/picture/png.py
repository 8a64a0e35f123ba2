"""Pictures as PNG files."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
"""(height, width, 3): red, green, blue."""

_HEAD = b"\x89PNG\r\n\x1a\n"
_OURS = b"Software\0minece"


def png(pixels: Pixels) -> bytes:
    """A picture as the content of a PNG file, the same for the same picture."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)  # each row begins with its filter, 0 for none
    rows[:, 1:] = pixels.reshape(height, -1)
    size = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", size), (b"tEXt", _OURS), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b""))
    return _HEAD + b"".join(_chunk(name, content) for name, content in parts)


def is_ours(head: bytes) -> bool:
    """Whether a file that begins so (64 bytes are enough) is a picture made here, which a new one may replace."""
    return head.startswith(_HEAD) and _OURS in head[:64]


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
