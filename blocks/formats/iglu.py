"""World states of the IGLU data sets: what a builder left, and what the builder did.

::

    {"worldEndingState": {"blocks": [[x, y, z, id], …]},
     "tape": "14 block_change (x, y, z, id before, id after) (…) …\\n15 action …\\n…", …}

The blocks of the state hold. The block changes on the tape become the log where they lead to these blocks; they begin
with what stood before, which the tape restores. In some files the recorder took the number of a cell in its region of
11 × 9 × 11 apart by 9 in place of 11; that is undone where the tape leads to the state only then. Times are steps of
the recorder, not seconds, and are not kept; nor are avatar, camera and questions.

The first layer is at y = 63, and so is the ground plane. Ids are colours of one kind of block, not materials: they
become concrete of the colour. Ids that the data sets' own table lacks are kept as unknown blocks.
"""

from __future__ import annotations

import re
from array import array
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.build import Build, Provenance
from minece.blocks.errors import FormatError
from minece.blocks.formats.listed import Rows, build_from_rows
from minece.blocks.formats.rows import cells_of, shown, split_rows, states_of
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.grid import LIMIT, Cells

GROUND = 63
"""Height of the ground plane in the files' coordinates."""

COLOURS = {
    **{47: "orange", 50: "yellow", 56: "purple", 57: "blue", 59: "green", 60: "red"},
    **{86: "blue", 87: "yellow", 88: "green", 89: "orange", 90: "purple", 91: "red"},
}
"""Block ids of the environment; those from 86 are of its later version."""

_ROW = "[x, y, z, id]"
_TOLD = "on which the first layer of such worlds stands"
_CHANGE = re.compile(r"\(\s*(-?\d{1,8}),\s*(-?\d{1,8}),\s*(-?\d{1,8}),\s*\d{1,8},\s*(\d{1,8})\s*\)", re.ASCII)
_RESTORED = "action finish_recover_world_state"


def sniff(source: Source) -> bool:
    """Whether a text is a JSON object with the state of such a world."""
    if not source.is_text or source.first != "{" or '"worldEndingState"' not in source.text:
        return False
    return isinstance(source.json, dict) and "worldEndingState" in source.json


def read(source: Source) -> Document:
    """The build in a world state. Raises :class:`FormatError` naming the place, :class:`LimitError`."""
    value = source.json
    state, where = value["worldEndingState"], "worldEndingState.blocks"
    if not isinstance(state, dict) or "blocks" not in state:
        raise FormatError("has no blocks", where="worldEndingState", mend=f'write "blocks": [{_ROW}, …]')
    x, y, z, ids = split_rows(state["blocks"], 4, where, _ROW)
    if not set(map(type, ids)) <= {int} or not all(0 <= number < LIMIT for number in set(ids)):
        row = next(i for i, number in enumerate(ids) if type(number) is not int or not 0 <= number < LIMIT)
        raise FormatError(f"id is {shown(ids[row])}, not a number", where=f"{where}[{row}]", mend=f"write {_ROW}")
    provenance = Provenance(format="iglu")
    rows = _rows(cells_of((x, y, z), where), np.array(ids, dtype=np.int64))
    build = build_from_rows(rows, source, provenance, stored=GROUND, told=_TOLD)
    return Document("iglu", [Run("", [_with_log(build, value.get("tape"), source, provenance)])])


def _rows(cells: Cells, ids: NDArray[np.int64], *, ordered: bool = False) -> Rows:
    used, place = np.unique(ids, return_inverse=True)
    palette: dict[str, int] = {}
    numbers = states_of([_state(number) for number in used.tolist()], "ids", palette)
    return Rows(cells, numbers[place.reshape(-1)], list(palette), ordered)


def _state(number: int) -> str:
    if number == 0:
        return "air"
    return f"{COLOURS[number]}_concrete" if number in COLOURS else f"iglu:block_{number}"


def _with_log(build: Build, tape: Any, source: Source, provenance: Provenance) -> Build:
    """The build with the tape's log where that leads to its blocks."""
    if not isinstance(tape, str) or not tape:
        return _warned(build, "has no tape, so that the order of building is not known")
    changes, restored = _changes(tape, source)
    if not len(changes) and not len(build.blocks):
        return build
    cells = changes[:, :3].astype(np.int32)
    for places in (cells, _taken_apart_anew(cells)):
        rows = _rows(places, changes[:, 3], ordered=True)
        found = build_from_rows(rows, source, provenance, stored=GROUND, told=_TOLD)
        if found.blocks == build.blocks:
            words = f"the first {restored} events of the log restore what stood before"
            found = replace(found, provenance=replace(found.provenance, warnings=build.provenance.warnings))
            return _warned(found, words) if restored else found
    return _warned(build, "the tape does not lead to the blocks, so that the order of building is not known")


def _changes(tape: str, source: Source) -> tuple[NDArray[np.int64], int]:
    """(n, 4) x, y, z and new id of each change on the tape, and how many of them restore what stood before."""
    numbers = array("q")
    restored = 0
    for line in tape.split("\n"):
        if "block_change" in line:
            for change in _CHANGE.finditer(line):
                numbers.extend(map(int, change.groups()))
            source.limits.most("changes on the tape", len(numbers) // 4, source.limits.blocks)
            source.deadline.check()
        elif _RESTORED in line and not restored:
            restored = len(numbers) // 4
    return np.array(numbers, dtype=np.int64).reshape(-1, 4), restored


def _warned(build: Build, words: str) -> Build:
    return replace(build, provenance=replace(build.provenance, warnings=(*build.provenance.warnings, words)))


def _taken_apart_anew(cells: Cells) -> Cells:
    """Cells whose numbers in the region were taken apart by 9."""
    corner = np.array([-5, GROUND, -5], dtype=np.int64)
    x, y, z = (cells - corner).T
    number = z + 9 * y + 99 * x
    return (np.stack([number // 99, number % 99 // 11, number % 11], axis=1) + corner).astype(np.int32)
