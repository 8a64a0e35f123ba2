"""Files that are recognised but not read, so that the refusal says what they are."""

from __future__ import annotations

import re
from typing import Any

from minece.blocks.errors import FormatError
from minece.blocks.formats.native import NAME
from minece.blocks.formats.source import Source

_PROGRAM = re.compile(r"\bawait\s|\basync\s|=>|\bbot\.")
_HEAD = 65_536
_READ = "JSON, CSV, .schem or .litematic"
_IMAGES = ((b"\x89PNG", "a PNG picture"), (b"\xff\xd8\xff", "a JPEG picture"), (b"%PDF", "a PDF document"))


def refusal(source: Source) -> FormatError:
    """The error for a source that no format took."""
    what = _what(source)
    if what:
        return FormatError(f"is {what}, which is not read", mend=f"save the build as {_READ}")
    if source.is_nbt:
        return _nbt(source)
    if source.is_text and source.first in ("{", "["):
        return _unnamed(source.json)
    if source.is_text and _PROGRAM.search(source.text[:_HEAD]):
        return FormatError("is a program, not a build", mend="add --agent-code to let it build, or run `minece build`")
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
    return ""


def _nbt(source: Source) -> FormatError:
    root = source.root
    if "sections" in root or "Level" in root:
        return FormatError("is a chunk of a world", mend="name its region file or the folder of the world")
    if isinstance(root.get("Data"), dict):
        return FormatError("is a world's level.dat", mend="name the folder of the world")
    return FormatError("is an NBT file without a build", mend=f"save the build as {_READ}")
