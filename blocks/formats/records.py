"""The paper's result records: one JSON object a line and turn, read only.

``{"run_idx": 0, "turn_idx": 0, "n_turns": 1, "prompt": "…", "checks": [{"fn": …, "args": …}],
"coords": [{"x": 0, "y": 0, "z": 0, "material": "stone"}, …], "builder_model": "…", …}``

The lines of one builder and ``run_idx`` are one run (files that were put together hold several: they differ in
``ts``, or their first turn comes again). ``coords`` is everything
placed up to that turn, in order of placement. The recorder numbers heights from the ground, y = 0.

A record lists what was asked to be placed, so that a bare door, bed or double plant stands for the item: the half
that came with it is added (door and plant: the cell above; bed: the head at z - 1, facing north) where its cell is
free. A single list of such records, and one bare list of coordinates, are read too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from minece.blocks.blockset import EMPTY
from minece.blocks.build import Build, Provenance
from minece.blocks.catalogue import describe
from minece.blocks.errors import FormatError, MineceError
from minece.blocks.formats import jsontext
from minece.blocks.formats.limits import Tally
from minece.blocks.formats.rows import cells_of, shown
from minece.blocks.formats.source import Document, Run, Source, held
from minece.blocks.grid import NO_CELLS, Cells
from minece.blocks.log import Log
from minece.blocks.states import VOID, canonical_state, is_air, material_of, split_state

_MARKS = ("coords", "run_idx", "turn_idx")
_KEYS = ("x", "y", "z", "material")
_SHAPE = '{"x": 0, "y": 0, "z": 0, "material": "stone"}'

OVERWRITTEN = "the records keep the first place in the order for a cell that was placed again"
"""What every build from records says, since its order can be off there."""


def sniff(source: Source) -> bool:
    """Whether a text is records, a list of records or a list of coordinates."""
    if not source.is_text or source.first not in ("{", "["):
        return False
    value = _first_line(source)
    if value is None:
        value = source.json
    if isinstance(value, list):
        return value == [] or isinstance(value[0], dict) and (_is_record(value[0]) or _is_coordinate(value[0]))
    return _is_record(value)


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and any(key in value for key in _MARKS)


def _is_coordinate(value: Any) -> bool:
    return isinstance(value, dict) and "material" in value and "x" in value


def _first_line(source: Source) -> Any:
    """The value of the first line where it is one by itself and more lines follow, else None."""
    head, _, rest = source.text.lstrip().partition("\n")
    if not rest.strip():
        return None
    try:
        return jsontext.parse(head, source.limits)
    except FormatError:
        return None


@dataclass(frozen=True, slots=True)
class _Record:
    place: str
    value: dict[str, Any]

    def at(self, key: str) -> str:
        return f"{self.place}, {key}" if self.place else key

    @property
    def turn(self) -> int:
        return self.number("turn_idx", 0)

    def number(self, key: str, default: int) -> int:
        found = self.value.get(key, default)
        if type(found) is not int:
            raise FormatError(f"is {shown(found)}, not a whole number", where=self.at(key), mend="mend the record")
        return found


def read(source: Source) -> Document:
    """One run for each run of the records. Raises :class:`FormatError` naming the line, :class:`LimitError`."""
    runs: dict[tuple[str, str], list[_Record]] = {}
    for record in _records(source):
        key = (shown(record.value.get("builder_model")), str(record.number("run_idx", 0)))
        runs.setdefault(key, []).append(record)
    tally = Tally(source.limits, source.deadline)
    found = [part for rows in runs.values() for part in _apart(rows)]
    return Document("records", [_run(rows, source, tally) for rows in found])


def _apart(rows: Sequence[_Record]) -> list[list[_Record]]:
    """The runs among records of one builder and number, as files that were put together hold several.

    They differ in time, or else the first turn comes again.
    """
    if len({record.turn for record in rows}) == len(rows):
        return [list(rows)]
    times: dict[str, list[_Record]] = {}
    for record in rows:
        times.setdefault(shown(record.value.get("ts")), []).append(record)
    if all(len({record.turn for record in part}) == len(part) for part in times.values()):
        return list(times.values())
    out: list[dict[int, _Record]] = [{}]
    begin = min(record.turn for record in rows)
    for record in rows:
        before = out[-1].get(record.turn)
        if before is not None and record.turn != begin:
            raise FormatError(
                f"turn {record.turn} of run {record.number('run_idx', 0)} comes twice "
                f"({before.place} and {record.place})",
                mend="leave one of them out",
            )
        if before is not None:
            out.append({})
        out[-1][record.turn] = record
    return [list(part.values()) for part in out]


def _records(source: Source) -> list[_Record]:
    if _first_line(source) is not None:
        jsontext.check(source.text, source.limits)
        out = []
        for number, line in enumerate(source.text.split("\n"), 1):
            if line.strip():
                value = jsontext.parse(line, source.limits, line=number)
                if not _is_record(value):
                    raise FormatError("is no record", where=f"line {number}", mend=f"write one with {_MARKS[0]}")
                out.append(_Record(f"line {number}", value))
                source.limits.most("records", len(out), source.limits.turns)
                source.deadline.check()
        return out
    value = source.json
    if isinstance(value, list):
        if not value or _is_coordinate(value[0]):
            return [_Record("", {"coords": value})]
        for i, item in enumerate(value):
            if not _is_record(item):
                raise FormatError("is no record", where=f"[{i}]", mend=f"write one with {_MARKS[0]}")
        return [_Record(f"[{i}]", item) for i, item in enumerate(value)]
    return [_Record("", value)]


def _run(rows: Sequence[_Record], source: Source, tally: Tally) -> Run:
    rows = sorted(rows, key=lambda record: record.turn)
    head = rows[0].value
    model = head.get("builder_model")
    name = "run " + str(rows[0].number("run_idx", 0)) if "run_idx" in head else ""
    ground, words = source.wish.choose(0, None, None, "as the records place it")
    blank = Provenance(
        format="records",
        ground=words,
        author=model if isinstance(model, str) else "",
        name=name,
        warnings=(OVERWRITTEN,),
    )
    missing = rows[0].value.get("n_turns")
    if type(missing) is int and missing != len(rows):
        blank = replace(blank, warnings=(*blank.warnings, f"{len(rows)} of {missing} turns are there"))
    build = Build(EMPTY, NO_CELLS, Log.of((), []), ground, blank)
    turns: list[Build] = []
    for record in rows:
        cells, states = _coords(record, ground)
        source.deadline.check()
        build = _turn(build, cells, states, first=not turns)
        tally.turn(held(build))
        turns.append(build)
    prompt = [record.value.get("prompt") for record in rows]
    asked = any("checks" in record.value for record in rows)
    return Run(
        name,
        turns,
        [text for text in prompt if isinstance(text, str)] if all(isinstance(text, str) for text in prompt) else None,
        [_checks(record) for record in rows] if asked else None,
    )


def _checks(record: _Record) -> list[dict[str, Any]]:
    value = record.value.get("checks")
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise FormatError("is no list of checks", where=record.at("checks"), mend='write [{"fn": …, "args": …}]')
    return value


def _coords(record: _Record, ground: int) -> tuple[Cells, list[str]]:
    """Cells and canonical states as listed, both halves of items included."""
    where = record.at("coords")
    rows = record.value.get("coords")
    if not isinstance(rows, list):
        raise FormatError(
            "is missing" if rows is None else f"is {shown(rows)}, not a list", where=where, mend=f"list {_SHAPE}"
        )
    for i, row in enumerate(rows):
        if type(row) is not dict or not all(key in row for key in _KEYS):
            raise FormatError(f"is not {_SHAPE}", where=f"{where}[{i}]", mend="mend the record")
    cells = cells_of([[row[axis] for row in rows] for axis in "xyz"], where, ground)
    texts = [row["material"] for row in rows]
    taken = {cell: i for i, cell in enumerate(map(tuple, cells.tolist()))}
    places: list[tuple[int, int, int]] = []
    states: list[str] = []
    done: set[int] = set()
    items = {text: _item(text, f"{where}[{i}]") for text, i in _first_of(texts, where)}
    for i, (cell, text) in enumerate(zip(map(tuple, cells.tolist()), texts, strict=True)):
        if i in done:
            continue
        state, step, here, there = items[text]
        if not here:
            places.append(cell)
            states.append(state)
            continue
        x, y, z = cell
        other = (x, y + step[0], z + step[1])
        at = taken.get(other)
        alone = at is not None and texts[at] != text
        if at is not None and not alone:
            done.add(at)
        places.append(cell)
        states.append(here)
        if not alone:
            places.append(other)
            states.append(there)
    return (np.array(places, dtype=np.int32) if places else NO_CELLS), states


def _first_of(texts: Sequence[Any], where: str) -> list[tuple[str, int]]:
    first: dict[str, int] = {}
    for i, text in enumerate(texts):
        if type(text) is not str:
            raise FormatError(f"the material is {shown(text)}, not text", where=f"{where}[{i}]", mend="mend the record")
        first.setdefault(text, i)
    return list(first.items())


_ALONE = (0, 0)


def _item(text: str, where: str) -> tuple[str, tuple[int, int], str, str]:
    """State; step in y and z to the other half, and the states of both halves ("" for anything of one cell)."""
    try:
        state = canonical_state(text)
        name, properties = split_state(text)
    except MineceError as error:
        raise error.at(where) from None
    kind = describe(state).two_cell
    if not kind or properties:
        return state, _ALONE, "", ""
    if kind == "bed":
        foot, head = (canonical_state(f"{name}[facing=north,part={part}]") for part in ("foot", "head"))
        return state, (0, -1), foot, head
    lower, upper = (canonical_state(f"{name}[half={half}]") for half in ("lower", "upper"))
    return state, (1, 0), lower, upper


def _turn(before: Build, cells: Cells, states: list[str], *, first: bool) -> Build:
    """The build after a turn that leaves exactly what is listed."""
    wanted: dict[tuple[int, int, int], str] = {}
    for cell, state in zip(map(tuple, cells.tolist()), states, strict=True):
        wanted[cell] = state
    standing = {(x, y, z): state for x, y, z, state in before.blocks.rows()}
    places: list[tuple[int, int, int]] = []
    events: list[str | None] = []
    for cell in standing:
        if cell not in wanted:
            places.append(cell)
            events.append(None)
    for cell, state in wanted.items():
        if material_of(state) == VOID:
            continue
        if is_air(state):
            if cell in standing or cell[1] < 0:
                places.append(cell)
                events.append(None)
        elif standing.get(cell) != state:
            places.append(cell)
            events.append(state)
    log = Log.of(places, events)
    blocks, dug = log.replay(before.blocks, before.dug)
    assert before.log is not None
    whole = log if first else before.log.then(log)
    return replace(before, blocks=blocks, dug=dug, log=whole)
