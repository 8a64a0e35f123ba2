"""`minece view`: builds as pages that show them in three dimensions."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

from minece import results
from minece.blocks import MineceError, formats
from minece.blocks.formats import Cut
from minece.checkers.wording import count
from minece.commands.score import find_files, page_names
from minece.tasks import load_task
from minece.viewer import Pages, Turn, page


def run(
    paths: Sequence[Path],
    *,
    out: Path | None,
    task: str | None,
    ground: int | None,
    cut: Cut,
    axes: str | None,
    show: bool,
    as_json: bool,
) -> int:
    """Write a page for each build, say where, and give back the exit code."""
    hint = None if task is None else load_task(task).ground
    files, bad, _ = find_files(paths)
    pages = Pages(out or Path(), files=len(files))
    for file in files:
        try:
            document = formats.read(file, ground=ground, hint=hint, axes=axes, box=cut.box, drop=cut.drop)
        except MineceError as error:
            bad.append(str(error))
            continue
        for entry in document.runs:
            name, file_name = page_names(file, entry.name if len(document.runs) > 1 else "")
            try:
                text = page([Turn(build) for build in entry.turns], name=name)
                target = pages.write(text, name=file_name)
            except MineceError as error:
                bad.append(str(error) if error.where else str(error.at(name)))
                continue
            blocks = len(entry.turns[-1].blocks)
            if as_json:
                row = {"schema": "minece-view/1", "written": str(target), "name": name, "blocks": blocks}
                print(results.to_line({**row, "turns": len(entry.turns)}), flush=True)
            else:
                print(f"{target}: {count(blocks, 'block')}; open it in a browser")
            if show:
                webbrowser.open(target.resolve().as_uri())
    for line in bad:
        print(line, file=sys.stderr)
    return 2 if bad else 0
