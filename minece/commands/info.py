"""`minece info`: what a file holds."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from minece import report, results
from minece.blocks import Build, MineceError, formats
from minece.blocks.formats import Cut
from minece.blocks.palette import PaletteTable
from minece.blocks.parts import label_by_faces
from minece.checkers.scene import Scene
from minece.checkers.wording import count
from minece.commands.score import find_files

SCHEMA = "minece-info/1"
_SHOWN = 12  # materials shown in the table; JSON has all


def run(paths: Sequence[Path], *, ground: int | None, cut: Cut, axes: str | None, as_json: bool) -> int:
    """Print what each file holds, and give back the exit code."""
    console = report.console()
    failed = False
    for path in paths:
        try:
            if path.is_dir() and not formats.is_world(path):
                raise MineceError("is a folder", where=str(path), mend=_one_in(path))
            runs = formats.read(path, ground=ground, axes=axes, box=cut.box, drop=cut.drop).runs
            for entry in runs:
                facts = describe(entry.turns, name=str(path) if len(runs) == 1 else f"{path}: {entry.name}")
                if as_json:
                    print(results.to_line(facts), flush=True)
                else:
                    _print(console, facts)
        except MineceError as error:
            print(error, file=sys.stderr)
            failed = True
    return 2 if failed else 0


def _one_in(folder: Path) -> str:
    files, *_ = find_files([folder])
    return f"name files in it, such as {files[0]}" if files else "name files that hold builds"


def describe(turns: Sequence[Build], *, name: str) -> dict[str, Any]:
    """What is to be said about a build (the last of its turns), ready for JSON."""
    build = turns[-1]
    blocks = build.blocks
    parts = label_by_faces(blocks, np.ones(len(blocks), dtype=np.bool_))
    scene = Scene(build)
    loose = ~scene.carried
    floating = label_by_faces(scene.blocks, loose)
    palette = _counts(blocks.palette, np.bincount(blocks.index, minlength=len(blocks.palette)).tolist())
    materials: dict[str, int] = {}
    for state, material in zip(blocks.palette, PaletteTable.of(blocks.palette).material, strict=True):
        materials[material] = materials.get(material, 0) + palette[state]
    provenance = asdict(build.provenance)
    warnings = provenance.pop("warnings")
    return {
        "schema": SCHEMA,
        "name": name,
        "id": build.id,
        "blocks": len(blocks),
        "size": list(build.provenance.box or blocks.size),
        "extent": list(blocks.size),
        "low": list(blocks.low),
        "high": list(blocks.high),
        "components": int(parts.max(initial=0)),
        "largest_component": int(np.bincount(parts, minlength=1).max()) if len(parts) else 0,
        "floating": {"parts": int(floating.max(initial=0)), "blocks": int(loose.sum())},
        "dug": len(build.dug),
        "placements": None if build.log is None else len(build.log),
        "turns": [turn.id for turn in turns],
        "palette": palette,
        "materials": dict(sorted(materials.items(), key=lambda item: (-item[1], item[0]))),
        "ground": provenance["ground"],
        "ground_y": build.ground_y,
        "provenance": provenance,
        "warnings": list(warnings),
    }


def _counts(names: Sequence[str], numbers: Sequence[int]) -> dict[str, int]:
    return dict(sorted(zip(names, numbers, strict=True), key=lambda item: (-item[1], item[0])))


def _size(size: Sequence[int], extent: Sequence[int]) -> str:
    shown = "{} × {} × {} (x × y × z)".format(*size)
    return shown if list(size) == list(extent) else shown + "; the blocks fill {} × {} × {}".format(*extent)


def _heights(low: int, high: int, ground: int) -> str:
    place = "above ground" if low >= 0 else "counted from the ground"
    return f"{low} to {high} {place}" + (f" (y {low + ground} to {high + ground} in the file)" if ground else "")


def _print(console: Console, facts: dict[str, Any]) -> None:
    source = facts["provenance"]
    floating = facts["floating"]
    rows = {
        "name": source["name"],
        "blocks": f"{facts['blocks']} of {count(len(facts['materials']), 'material')} "
        f"in {count(len(facts['palette']), 'state')}",
        "size": _size(facts["size"], facts["extent"]),
        "heights": facts["blocks"] and _heights(facts["low"][1], facts["high"][1], facts["ground_y"]),
        "ground": facts["ground"],
        "parts": f"{facts['components']} joined by faces, the largest of " + count(facts["largest_component"], "block"),
        "floating": "none"
        if not floating["blocks"]
        else f"{count(floating['blocks'], 'block')} in {count(floating['parts'], 'part')}; blocks stand on the ground "
        "or on others by their faces, attachments (torches, redstone, rails) on the block that holds them",
        "dug cells": str(facts["dug"]),
        "order": "not known" if facts["placements"] is None else f"log of {facts['placements']} events",
        "turns": str(len(facts["turns"])),
        "format": " ".join(filter(None, (source["format"], str(source["version"])))),
        "id": facts["id"],
    }
    console.print(Text(facts["name"], style="bold"), soft_wrap=True)
    grid = Table.grid(padding=(0, 2))
    for what, value in rows.items():
        if value:
            grid.add_row(what, value)
    console.print(grid)
    for warning in facts["warnings"]:
        console.print(Text(f"note: {warning}", style="yellow"))
    console.print()
    materials = report.table("material", "blocks")
    materials.columns[1].justify = "right"
    for material, number in list(facts["materials"].items())[:_SHOWN]:
        materials.add_row(material, str(number))
    console.print(materials)
    if (more := len(facts["materials"]) - _SHOWN) > 0:
        console.print(f"and {more} more; --json lists all")
    console.print()
