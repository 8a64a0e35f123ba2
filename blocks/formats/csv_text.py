"""Tables of blocks: one row a block, for spreadsheets and short scripts.

::

    # minece-build/1 ground_y=0
    x,y,z,state
    0,0,0,stone
    0,1,0,"oak_stairs[facing=west,half=bottom]"

The header may be left out, columns may stand in another order under a header, commas, semicolons and tabs separate,
lines that begin with # are notes. A row of air below the ground is a dug cell. A first column ``action`` (place or
break) makes the table an ordered log.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from minece.blocks.build import Build, Provenance
from minece.blocks.errors import FormatError, StateError
from minece.blocks.formats.rows import cells_of, settle, shown, states_of
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.grid import difference
from minece.blocks.log import REMOVED, Log

_GROUND = re.compile(r"ground_y\s*[=:]\s*(-?\d{1,12})\b")
_MARK = "minece-build/1"
_NAMES = {"material": "state", "block": "state", "id": "state", "block_state": "state", "type": "state"}
_COLUMNS = ("x", "y", "z", "state")
_ACTIONS = ("place", "break")
_MEND = "write x,y,z,state"


def sniff(source: Source) -> bool:
    """Whether the first row of a text is our header, or three whole numbers and a word."""
    if not source.is_text:
        return False
    for line in source.text[:65536].split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            if _MARK in line:
                return True
            continue
        fields = _split(line, _separator(line))
        names = _header(fields)
        if names is not None:
            return "x" in names and "y" in names and "z" in names
        if fields and fields[0].lower() in _ACTIONS:
            fields = fields[1:]
        return len(fields) >= 3 and all(_whole(field) is not None for field in fields[:3])
    return False


@dataclass(slots=True)
class _Table:
    """Columns as text rows say them, and the line of each."""

    lines: list[int]
    columns: tuple[list[int], list[int], list[int]]
    states: list[str | None]
    ordered: bool
    ground: int | None


def read(source: Source) -> Document:
    """The build in a table. Raises :class:`FormatError` naming the line, :class:`LimitError`."""
    table = _table(source)
    heights = [y for y, state in zip(table.columns[1], table.states, strict=True) if state is not None]
    ground, words = source.wish.choose(
        table.ground, min(heights, default=None), max(heights, default=None), "named in the table"
    )
    try:
        cells = cells_of(table.columns, "row", ground)
        texts = ["air" if state is None else state for state in table.states]
        numbers, palette = states_of(texts, "row")
    except (FormatError, StateError) as error:
        raise _with_line(error, table.lines) from None
    warnings: tuple[str, ...] = ()
    if table.ordered:
        log = Log.of(cells, table.states)
        provenance = Provenance(format="csv", ground=words)
        built = Build.from_log(log, provenance=provenance)
        build = Build(built.blocks, built.dug, log, ground, provenance)
    else:
        blocks, dug, twice = settle(cells, numbers, palette)
        if twice:
            warnings = (f"{twice} rows were overruled by a later row of the same cell",)
        build = Build(blocks, dug, None, ground, Provenance(format="csv", ground=words, warnings=warnings))
    return Document("csv", [Run("", [build])])


def _with_line(error: Any, lines: Sequence[int]) -> Any:
    found = re.match(r"row\[(\d+)\]", error.where)
    if found:
        error.where = f"line {lines[int(found[1])]}" + error.where[found.end() :]
    return error


def _table(source: Source) -> _Table:
    out = _Table([], ([], [], []), [], False, None)
    names: list[str] | None = None
    separator = ""
    for number, line in enumerate(source.text.split("\n"), 1):
        bare = line.strip()
        if not bare:
            continue
        if bare.startswith("#"):
            found = _GROUND.search(bare)
            if found:
                if out.ground is not None and out.ground != int(found[1]):
                    raise FormatError("names a second ground", where=f"line {number}", mend="leave one of them")
                out.ground = int(found[1])
            elif "ground_y" in bare:
                raise FormatError(
                    "the ground cannot be read", where=f"line {number}", mend="write # ground_y=0"
                )
            continue
        if not separator:
            separator = _separator(line)
            names = _header(_split(line, separator))
            if names is not None:
                _check_header(names, number)
                out.ordered = names[0] == "action"
                continue
            out.ordered = _split(line, separator)[0].lower() in _ACTIONS
            names = (["action"] if out.ordered else []) + list(_COLUMNS)
        assert names is not None
        _row(out, _split(line, separator), names, separator, number)
        if len(out.lines) % 65536 == 0:
            source.deadline.check()
            source.limits.most("rows", len(out.lines), source.limits.blocks)
    source.limits.most("rows", len(out.lines), source.limits.blocks)
    return out


def _row(out: _Table, fields: list[str], names: list[str], separator: str, number: int) -> None:
    where = f"line {number}"
    action = "place"
    if out.ordered:
        action = fields[0].lower()
        if action not in _ACTIONS:
            raise FormatError(f"the action is {shown(fields[0])}", where=where, mend="write place or break")
    if names[-1] == "state" and len(fields) > len(names):
        # A state with properties that nobody quoted: oak_stairs[facing=west,half=bottom]
        fields = [*fields[: len(names) - 1], separator.join(fields[len(names) - 1 :])]
        if "[" not in fields[-1] or not fields[-1].rstrip(separator).endswith("]"):
            if fields[-1].rstrip(separator).count(separator):
                raise FormatError("has too many columns", where=where, mend=_MEND)
        fields[-1] = fields[-1].rstrip(separator)
    needed = len(names) - (1 if action == "break" and names[-1] == "state" else 0)
    if len(fields) < needed:
        raise FormatError(f"has {len(fields)} columns, not {len(names)}", where=where, mend=_MEND)
    cell = dict(zip(names, fields, strict=False))
    for axis, column in zip("xyz", out.columns, strict=True):
        value = _whole(cell[axis])
        if value is None:
            raise FormatError(
                f"{axis} is {shown(cell[axis])}, not a whole number", where=where, mend="write whole numbers"
            )
        column.append(value)
    state = cell.get("state", "")
    if action == "place" and not state:
        raise FormatError("names no block", where=where, mend=_MEND)
    out.states.append(None if action == "break" else state)
    out.lines.append(number)


def _whole(text: str) -> int | None:
    # int() would take "1_000", digits of other scripts and thousands of digits.
    return int(text) if re.fullmatch(r"[+-]?[0-9]{1,18}", text) else None


def _separator(line: str) -> str:
    head = line.split("[")[0]
    return max(",;\t", key=head.count)


def _split(line: str, separator: str) -> list[str]:
    if '"' not in line:
        return [field.strip() for field in line.split(separator)]
    try:
        fields = next(csv.reader([line], delimiter=separator, skipinitialspace=True))
    except (csv.Error, StopIteration):
        return [line]
    return [field.strip() for field in fields]


def _header(fields: Sequence[str]) -> list[str] | None:
    """Column names where a row is a header, else None."""
    names = [_NAMES.get(field.lower(), field.lower()) for field in fields]
    return names if {"x", "y", "z"} & set(names) else None


def _check_header(names: list[str], number: int) -> None:
    for name in _COLUMNS:
        if names.count(name) != 1:
            problem = f"lacks the column {name}" if name not in names else f"has the column {name} twice"
            raise FormatError(problem, where=f"line {number}", mend="write x,y,z,state")
    if "action" in names[1:]:
        raise FormatError("the column action is not the first", where=f"line {number}", mend="put it first")


# --- writing --------------------------------------------------------------------------------------------------


def write(build: Build) -> bytes:
    """The bytes of a table: an ordered log where the build has one that tells all, else its blocks and dug cells."""
    out = io.StringIO()
    out.write(f"# {_MARK} ground_y={build.ground_y}\n")
    rows = csv.writer(out, lineterminator="\n")
    ground = build.ground_y
    log = build.log
    if log is not None:
        blocks, dug = log.replay()
        whole = blocks == build.blocks and not len(difference(build.dug, dug)) and len(dug) == len(build.dug)
        if whole:
            rows.writerow(("action", *_COLUMNS))
            rows.writerows(
                ("break", x, y + ground, z, "") if i == REMOVED else ("place", x, y + ground, z, log.palette[i])
                for (x, y, z), i in zip(log.cells.tolist(), log.index.tolist(), strict=True)
            )
            return out.getvalue().encode("utf-8")
    rows.writerow(_COLUMNS)
    palette = build.blocks.palette
    rows.writerows(
        (x, y + ground, z, palette[i])
        for (x, y, z), i in zip(build.blocks.cells.tolist(), build.blocks.index.tolist(), strict=True)
    )
    rows.writerows((x, y + ground, z, "air") for x, y, z in build.dug.tolist())
    return out.getvalue().encode("utf-8")
