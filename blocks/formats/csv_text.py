"""Tables of blocks: one row a block, for spreadsheets and short scripts.

::

    # minece-build/1 ground_y=0
    x,y,z,state
    0,0,0,stone
    0,1,0,"oak_stairs[facing=west,half=bottom]"

The header may be left out, columns may stand in another order under a header, commas, semicolons and tabs separate,
lines that begin with # are notes. A row of air below the ground is a dug cell. A first column ``action`` (place or
break) makes the table an ordered log. The ground is not known unless a note names it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from minece.blocks.blockset import BlockSet
from minece.blocks.build import Build, Provenance
from minece.blocks.errors import BlocksError, FormatError, LimitError, StateError
from minece.blocks.formats.ground import said_empty, settled
from minece.blocks.formats.rows import cells_of, log_index, lowered, settle, shown, states_of
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.grid import LIMIT, Cells, difference
from minece.blocks.log import REMOVED, Log

_GROUND = re.compile(r"ground_y\s*[=:]\s*(-?\d{1,12})\b")
_MARK = "minece-build/1"
_NAMES = {"material": "state", "block": "state", "id": "state", "block_state": "state", "type": "state"}
_COLUMNS = ("x", "y", "z", "state")
_ACTIONS = ("place", "break")
_MEND = "write x,y,z,state"
_Error = TypeVar("_Error", bound=BlocksError)


def sniff(source: Source) -> bool:
    """Whether the first row of a text is our header, or three whole numbers and a word."""
    if not source.is_text:
        return False
    for line in source.text[: source.limits.line].split("\n"):
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


@dataclass(frozen=True, slots=True)
class _Form:
    """How the rows of a table are laid out: its separator, its columns, and whether they are a log."""

    separator: str
    names: list[str]

    @property
    def ordered(self) -> bool:
        return self.names[0] == "action"


def read(source: Source) -> Document:
    """The build in a table. Raises :class:`FormatError` naming the line, :class:`LimitError`."""
    source.limits.most("lines", source.text.count("\n"), 2 * source.limits.blocks)
    lines = source.text.split("\n")
    stored = _ground(lines)
    form, rows = _layout(lines, source)
    source.limits.most("rows", len(rows), source.limits.blocks)
    cells = np.empty((len(rows), 3), dtype=np.int32)
    numbers = np.empty(len(rows), dtype=np.int64)
    palette: dict[str, int] = {}
    for begin in range(0, len(rows), _PIECE):
        # In pieces, so that the texts of a large table do not stand in memory all at once.
        part = rows[begin : begin + _PIECE]
        columns = _columns([lines[i] for i in part], part, form)
        end = begin + len(part)
        cells[begin:end] = _cells(columns, part)
        numbers[begin:end] = _numbers(columns, part, form, palette)
        source.deadline.check()
    known = source.wish.knows(stored)
    if known:
        ground, words = source.wish.choose(stored, None, None, "named in the table")
    else:
        ground, words = int(cells[:, 1].max(initial=-LIMIT)) + 1, ""
    build = _build(lowered(cells, ground), numbers, list(palette), form, rows, Provenance(format="csv", ground=words))
    build = replace(build, ground_y=ground)
    return Document("csv", [Run("", [build] if known else settled([build], source.wish))])


def _build(
    cells: Cells,
    numbers: NDArray[np.int64],
    palette: list[str],
    form: _Form,
    rows: Sequence[int],
    provenance: Provenance,
) -> Build:
    """The build that rows tell of, their cells relative to the ground."""
    if form.ordered:
        try:
            log = Log(cells, log_index(numbers, "row"), tuple(palette))
        except FormatError as error:
            raise _with_line(error, rows) from None
        return Build.from_log(log, provenance=provenance)
    blocks, dug, twice = settle(cells, numbers, palette)
    if twice:
        words = f"{twice} rows were overruled by a later row of the same cell"
        provenance = replace(provenance, warnings=(words,))
    return Build(blocks, dug, None, 0, provenance)


_PIECE = 32_768


def _ground(lines: Sequence[str]) -> int | None:
    """The ground that the notes name."""
    found: dict[int, int] = {}
    for number, line in enumerate(lines, 1):
        if "ground_y" not in line or not line.lstrip().startswith("#"):
            continue
        named = _GROUND.search(line)
        if not named:
            raise FormatError("the ground cannot be read", where=f"line {number}", mend="write # ground_y=0")
        found.setdefault(int(named[1]), number)
    if len(found) > 1:
        raise FormatError("names a second ground", where=f"line {list(found.values())[1]}", mend="leave one of them")
    return next(iter(found), None)


def _layout(lines: Sequence[str], source: Source) -> tuple[_Form, list[int]]:
    """The layout, and the numbers (from 0) of the lines that hold rows."""
    longest = source.limits.line
    rows = [i for i, line in enumerate(lines) if line and not line.isspace() and line.lstrip()[0] != "#"]
    if not rows:
        return _Form(",", list(_COLUMNS)), rows
    if max(map(len, lines)) > longest:
        number = next(i for i, line in enumerate(lines, 1) if len(line) > longest)
        raise LimitError(f"is longer than {longest:,} characters", where=f"line {number}", mend="write a row a block")
    first = lines[rows[0]]
    separator = _separator(first)
    fields = _split(first, separator)
    names = _header(fields)
    if names is not None:
        _check_header(names, rows[0] + 1)
        return _Form(separator, names), rows[1:]
    action = ["action"] if fields[0].lower() in _ACTIONS else []
    return _Form(separator, [*action, *_COLUMNS]), rows


def _columns(lines: list[str], rows: Sequence[int], form: _Form) -> dict[str, Sequence[str]]:
    """Column name → texts."""
    try:
        parsed = list(csv.reader(lines, delimiter=form.separator, skipinitialspace=True, strict=True))
    except csv.Error:
        parsed = []
    if len(parsed) != len(lines):  # a quotation that is not closed runs over lines
        parsed = [_split(line, form.separator) for line in lines]
    width = len(form.names)
    if set(map(len, parsed)) != {width}:
        for i, fields in enumerate(parsed):
            if len(fields) != width:
                parsed[i] = _fitted(fields, form, rows[i] + 1)
    return dict(zip(form.names, zip(*parsed, strict=True), strict=True))


def _fitted(fields: list[str], form: _Form, number: int) -> list[str]:
    """The fields of a row that has more or fewer than there are columns."""
    width = len(form.names)
    last = form.names[-1] == "state"
    if len(fields) > width:
        rest = fields[width - 1 :] if last else fields[width:]
        while rest and not rest[-1].strip():
            rest.pop()
        if last and rest and (len(rest) == 1 or ("[" in rest[0] and rest[-1].strip().endswith("]"))):
            # A state whose properties nobody quoted: oak_stairs[facing=west,half=bottom]
            return [*fields[: width - 1], form.separator.join(rest)]
        if not last and not rest:
            return fields[:width]
    elif len(fields) == width - 1 and last and fields[0].strip().lower() == "break" and form.ordered:
        return [*fields, ""]
    raise FormatError(f"has {len(fields)} columns, not {width}", where=f"line {number}", mend=_MEND)


def _cells(columns: dict[str, Sequence[str]], rows: Sequence[int]) -> Cells:
    out = []
    for axis in "xyz":
        texts = columns[axis]
        try:
            if set("".join(texts)) <= _DIGITS:
                out.append(list(map(int, texts)))
                continue
        except ValueError:
            pass
        for i, text in enumerate(texts):
            if _whole(text.strip()) is None:
                raise FormatError(
                    f"{axis} is {shown(text)}, not a whole number",
                    where=f"line {rows[i] + 1}",
                    mend="write whole numbers",
                )
        out.append([int(text) for text in texts])
    try:
        return cells_of(out, "row")
    except FormatError as error:
        raise _with_line(error, rows) from None


_DIGITS = frozenset("0123456789+- ")


def _numbers(
    columns: dict[str, Sequence[str]], rows: Sequence[int], form: _Form, palette: dict[str, int]
) -> NDArray[np.int64]:
    """Palette numbers; ``palette`` grows. A row that breaks is air."""
    texts = columns["state"]
    if form.ordered:
        actions = [action.strip().lower() for action in columns["action"]]
        if not set(actions) <= set(_ACTIONS):
            i = next(i for i, action in enumerate(actions) if action not in _ACTIONS)
            raise FormatError(
                f"the action is {shown(columns['action'][i])}", where=f"line {rows[i] + 1}", mend="write place or break"
            )
        texts = ["air" if action == "break" else text for action, text in zip(actions, texts, strict=True)]
    try:
        return states_of(texts, "row", palette)
    except (FormatError, StateError) as error:
        raise _with_line(error, rows) from None


def _with_line(error: _Error, rows: Sequence[int]) -> _Error:
    found = re.match(r"row\[(\d+)\]", error.where)
    if found:
        error.where = f"line {rows[int(found[1])] + 1}" + error.where[found.end() :]
    return error


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
        fields = next(csv.reader([line], delimiter=separator, skipinitialspace=True, strict=True))
    except (csv.Error, StopIteration):
        return [line]
    return [field.strip() for field in fields]


def _header(fields: Sequence[str]) -> list[str] | None:
    """Column names where a row is a header, else None."""
    names = [_NAMES.get(field.lower(), field.lower()) for field in fields[:64]]
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
    out.write(f"# {_MARK} ground_y={build.ground_y}\n" if build.provenance.ground_known else f"# {_MARK}\n")
    rows = csv.writer(out, lineterminator="\n")
    ground = build.ground_y
    log, empty = build.log, said_empty(build)
    if log is not None:
        blocks, dug = log.replay()
        if not build.provenance.ground_known:
            dug = _emptied(log, blocks)
        if blocks == build.blocks and np.array_equal(dug, empty):
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
    rows.writerows((x, y + ground, z, "air") for x, y, z in empty.tolist())
    return out.getvalue().encode("utf-8")


def _emptied(log: Log, blocks: BlockSet) -> Cells:
    """What a log that leaves these blocks says is empty, as far up as a guessed ground may lie."""
    high = blocks.high[1] if len(blocks) else -1
    left = difference(log.cells, blocks.cells)
    return left[left[:, 1] <= high]
