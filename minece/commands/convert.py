"""`minece convert`: a build in another format."""

from __future__ import annotations

import sys
from pathlib import Path

import minece
from minece import results
from minece.blocks import MineceError, formats
from minece.blocks.formats import Cut

_ORDERED = ("json", "csv")  # formats that hold the order of building


def run(
    source: Path,
    target: Path,
    *,
    format: str | None,
    ground: int | None,
    cut: Cut,
    axes: str | None,
    force: bool,
    as_json: bool,
) -> int:
    """Read, write, say what was written, and give back the exit code."""
    turns = minece.load_turns(source, ground=ground, axes=axes, box=cut.box, drop=cut.drop)
    if target.is_file():
        if target.samefile(source):
            raise MineceError("is the file to read", where=str(target), mend="name another file to write")
        if not force:
            raise MineceError("exists already", where=str(target), mend="name another file, or give --force")
    minece.save(turns[0] if len(turns) == 1 else turns, target, format=format)
    facts = results.describe_build(turns, name=str(target))
    if as_json:
        print(results.to_line({"schema": "minece-convert/1", "written": str(target), "build": facts}))
    else:
        print(f"{target}: {facts['blocks']} blocks, id {facts['id']}; ground: {facts['ground']}")
    written = format or _by_ending(target)
    if turns[-1].log is not None and written not in _ORDERED:
        print(f"note: {written} keeps no order of building", file=sys.stderr)
    return 0


def _by_ending(target: Path) -> str:
    return next(form.name for form in formats.FORMATS if target.name.lower().endswith(form.suffixes or ("\0",)))
