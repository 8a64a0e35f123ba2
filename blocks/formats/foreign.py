"""Files that are recognised but not read, so that the refusal says what they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from minece.blocks.errors import FormatError
from minece.blocks.formats.native import NAME
from minece.blocks.formats.source import Source

_READ = "JSON, CSV, .schem or .litematic"
_IMAGES = ((b"\x89PNG", "a PNG picture"), (b"\xff\xd8\xff", "a JPEG picture"), (b"%PDF", "a PDF document"))


def refusal(source: Source) -> FormatError:
    """The error for a source that no format took."""
    what = _what(source)
    if what:
        return FormatError(f"is {what}, which is not read", mend=f"save the build as {_READ}")
    if source.is_text and source.first in ("{", "["):
        return _unnamed(source.json)
    if source.is_text:
        return FormatError("is text, but no table of blocks", mend="write rows x,y,z,state, or JSON")
    return FormatError("is no build in a known format", mend=f"save the build as {_READ}")


def _unnamed(value: Any) -> FormatError:
    if isinstance(value, dict) and {"blocks", "log", "turns"} & set(value):
        return FormatError(f'has no "format": "{NAME}"', mend=f'put "format": "{NAME}" at the beginning')
    if isinstance(value, list) and isinstance(value[0], list):
        return FormatError("is a list of rows", mend=f'write {{"format": "{NAME}", "blocks": […]}} or "log": […]')
    return FormatError("is JSON, but no build", mend=f'write {{"format": "{NAME}", "blocks": […]}}')


def _what(source: Source) -> str:
    data = source.data
    if data.startswith(b"PK\x03\x04"):
        return "a zip archive"
    if data.startswith((b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd")):
        return "a packed archive"
    for mark, name in _IMAGES:
        if data.startswith(mark):
            return name
    if data.startswith(b"\x93NUMPY"):
        return "a numpy array"
    if is_region_file(data):
        return "a region file of a world (.mca)"
    if source.is_nbt:
        return _nbt(source)
    if source.is_text and source.first in ("{", "["):
        return _json(source.json)
    return ""


def is_region_file(data: bytes) -> bool:
    """Whether the 1024 chunk places at the beginning all point behind the header and into the file."""
    if len(data) < 12288 or data[:1] in (b"{", b"["):
        return False
    places = np.frombuffer(data, dtype=">u4", count=1024)
    used = places[places != 0]
    first, count = used >> 8, used & 0xFF
    inside = (first >= 2) & (count >= 1) & (first.astype(np.int64) * 4096 < len(data))
    return bool(len(used)) and bool(inside.all())


def _nbt(source: Source) -> str:
    root = source.root
    if "Materials" in root or ("Blocks" in root and "Width" in root):
        return "an MCEdit schematic of versions before 1.13 (.schematic)"
    if "size" in root and "blocks" in root:
        return "a structure file of the game (.nbt)"
    if "sections" in root or "Level" in root:
        return "a chunk of a world"
    if isinstance(root.get("Data"), dict):
        return "a world's level.dat"
    return "an NBT file without a build"


def _json(value: Any) -> str:
    if isinstance(value, dict):
        if any(isinstance(v, dict) and "blueprint" in v for v in value.values()) or "blueprint" in value:
            return "a MINDcraft blueprint task"
        if isinstance(value.get("blocks"), list) and "offset" in value:
            return "a MINDcraft construction"
        if "worldEndingState" in value or "tape" in value:
            return "an IGLU world state"
    return ""
