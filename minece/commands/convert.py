"""`minece convert`: a build in another format."""

from __future__ import annotations

from pathlib import Path

import minece
from minece import results


def run(source: Path, target: Path, *, format: str | None, ground: int | None, as_json: bool) -> int:
    """Read, write, say what was written, and give back the exit code."""
    turns = minece.load_turns(source, ground=ground)
    minece.save(turns[0] if len(turns) == 1 else turns, target, format=format)
    facts = results.describe_build(turns, name=str(target))
    if as_json:
        print(results.to_line({"schema": "minece-convert/1", "written": str(target), "build": facts}))
    else:
        print(f"{target}: {facts['blocks']} blocks, id {facts['id']}; ground: {facts['ground']}")
    return 0
