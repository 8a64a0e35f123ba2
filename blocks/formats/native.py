"""Our own JSON: everything that a build is, order of placement and turns included.

::

    {"format": "minece-build/1", "ground_y": 0, "name": "…", "author": "…",
     "blocks": [[x, y, z, "state"], …],          the finished blocks
     "dug":    [[x, y, z], …],                   cells below ground that hold neither soil nor a block
     "log":    [["place", x, y, z, "state"], ["break", x, y, z], [x, y, z, "state"], …],
     "times":  [seconds, …], "who": "…"}         of the log

or ``"turns": [{…}, …]`` in place of the last five, each with the log of that turn alone, or the whole of the blocks
after it, or both. Coordinates are those of the world, ``ground_y`` (0 where it is left out) is the height of the
ground plane in it; ``null`` says that it is not known, so that the reader chooses it by the blocks of the last
turn, and ``dug`` then lists cells of any height that are holes if they turn out to lie below the ground. What the log
gives may be left out. Both must agree: a contradiction is an error that names the cell. ``notes`` may hold anything
and is not read; any other key is an error, since a mistyped ``ground_y`` would silently change every verdict.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.blockset import EMPTY, BlockSet
from minece.blocks.build import Build, Provenance
from minece.blocks.errors import FormatError, LogError
from minece.blocks.formats.ground import said_empty, settled
from minece.blocks.formats.limits import Tally
from minece.blocks.formats.rows import cells_of, log_index, settle, shown, split_rows, states_of
from minece.blocks.formats.source import Document, Run, Source, held
from minece.blocks.grid import LIMIT, NO_CELLS, Cells, difference, unique_cells
from minece.blocks.log import REMOVED, Log

NAME = "minece-build/1"
_FAMILY = "minece-build/"

_TURN_KEYS = ("blocks", "dug", "log", "times", "who", "notes")
_KEYS = ("format", "ground_y", "name", "author", "turns", *_TURN_KEYS)

_BLOCK_ROW = '[x, y, z, "state"]'
_CELL_ROW = "[x, y, z]"
_EVENT_ROW = '["place", x, y, z, "state"], ["break", x, y, z] or [x, y, z, "state"]'


def sniff(source: Source) -> bool:
    """Whether a text is a JSON object that names our format."""
    if not source.is_text or source.first != "{":
        return False
    head = source.text[:4096]
    return _FAMILY in head or ('"format"' in source.text and _named(source.json))


def _named(value: Any) -> bool:
    return isinstance(value, dict) and str(value.get("format", "")).startswith(_FAMILY)


def read(source: Source) -> Document:
    """The build or turns in a JSON file. Raises :class:`FormatError`, :class:`LogError`, :class:`LimitError`."""
    value = source.json
    if not _named(value):
        raise FormatError(f'has no "format": "{NAME}"', mend=f'put "format": "{NAME}" at the beginning')
    if value["format"] != NAME:
        raise FormatError(
            f"format {shown(value['format'])} is not known", where="format", mend=f"this version reads {NAME}"
        )
    _check_keys(value, _KEYS, "")
    stored = value.get("ground_y", 0)
    if stored is not None and type(stored) is not int:
        raise FormatError(
            f"is {shown(stored)}, not a whole number", where="ground_y", mend="write a whole number, or null"
        )
    known = source.wish.knows(stored)
    ground, words = 0, ""
    if known:
        told = "" if "ground_y" in value else "which holds where the file names no ground_y"
        ground, words = source.wish.choose(stored, None, None, told)
    provenance = Provenance(
        format="json", version="1", ground=words, name=_word(value, "name", ""), author=_word(value, "author", "")
    )
    if "turns" in value:
        both = [key for key in _TURN_KEYS if key in value and key != "notes"]
        if both:
            raise FormatError(f"stands beside {both[0]!r}", where="turns", mend="put it into a turn")
        parts = value["turns"]
        if not isinstance(parts, list) or not parts:
            raise FormatError(f"is {'empty' if parts == [] else shown(parts)}", where="turns", mend="list the turns")
        places = [f"turns[{i}]" for i in range(len(parts))]
    else:
        parts, places = [value], [""]
    if not known:
        ground = _top(parts) + 1
    turns: list[Build] = []
    tally = Tally(source.limits, source.deadline)
    rows = 0
    moved = source.wish.explicit is not None
    for part, place in zip(parts, places, strict=True):
        if not isinstance(part, dict):
            raise FormatError(f"is {shown(part)}, not an object", where=place, mend="write {…}")
        if place:
            _check_keys(part, _TURN_KEYS, place)
        before = turns[-1] if turns else Build(EMPTY, NO_CELLS, None, ground, provenance)
        given = _given(part, place, ground, moved)
        rows += given.rows
        source.limits.most("rows", rows, source.limits.blocks)
        build = _turn(before, given, place, first=not turns, known=known)
        tally.turn(held(build))
        turns.append(build)
    return Document("json", [Run(provenance.name, turns if known else settled(turns, source.wish))])


def _top(parts: Sequence[Any]) -> int:
    """The greatest height in any row; rows that cannot be read are refused later."""
    top = -LIMIT
    for part in parts:
        for key in ("blocks", "dug", "log"):
            rows = part.get(key) if isinstance(part, dict) else None
            for row in rows if isinstance(rows, list) else ():
                if isinstance(row, list) and len(row) > 2:
                    y = row[2] if isinstance(row[0], str) else row[1]
                    if type(y) is int and y > top:
                        top = y
    return min(top, LIMIT)


def _check_keys(value: Mapping[str, Any], known: Sequence[str], place: str) -> None:
    for key in value:
        if key not in known:
            close = difflib.get_close_matches(key[:64], known, n=1)
            raise FormatError(
                f"the key {shown(key)} is not known",
                where=place,
                mend=f"{close[0]!r} is meant?" if close else "put it under 'notes'",
            )


def _word(value: Mapping[str, Any], key: str, place: str) -> str:
    found = value.get(key, "")
    if not isinstance(found, str):
        raise FormatError(f"is {shown(found)}, not text", where=_at(place, key), mend="write text")
    return found


def _at(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


@dataclass(frozen=True, slots=True)
class _Given:
    """What one turn lists, relative to the ground; None for what it leaves out."""

    blocks: BlockSet | None
    dug: Cells | None
    log: Log | None
    rows: int
    warnings: tuple[str, ...]


def _given(part: Mapping[str, Any], place: str, ground: int, moved: bool) -> _Given:
    blocks, dug, log = None, None, None
    rows = 0
    warnings: list[str] = []
    if part.get("blocks") is not None:
        where = _at(place, "blocks")
        x, y, z, states = split_rows(part["blocks"], 4, where, _BLOCK_ROW)
        palette: dict[str, int] = {}
        numbers = states_of(states, where, palette)
        cells = cells_of((x, y, z), where, ground)
        blocks, holes, twice = settle(cells, numbers, list(palette))
        rows += len(cells)
        if twice:
            warnings.append(f"{where}: {twice} rows were overruled by a later row of the same cell")
        if len(holes):
            dug = holes
    if part.get("dug") is not None:
        where = _at(place, "dug")
        cells = cells_of(split_rows(part["dug"], 3, where, _CELL_ROW), where, ground)
        if moved:
            cells = cells[cells[:, 1] < 0]
        elif len(cells) and int(cells[:, 1].max()) >= 0:
            row = int(np.flatnonzero(cells[:, 1] >= 0)[0])
            raise FormatError(
                f"cell {_world(cells[row], ground)} is not below the ground (ground_y = {ground})",
                where=f"{where}[{row}]",
                mend="list only cells below the ground",
            )
        dug = unique_cells(cells if dug is None else np.concatenate([cells, dug]))
        rows += len(cells)
    if part.get("log") is not None:
        log = _log(part, place, ground)
        rows += len(log)
    else:
        for key in ("times", "who"):
            if key in part:
                raise FormatError("stands without a log", where=_at(place, key), mend="leave it out")
    return _Given(blocks, dug, log, rows, tuple(warnings))


def _log(part: Mapping[str, Any], place: str, ground: int) -> Log:
    where = _at(place, "log")
    columns, texts = _events(part["log"], where)
    palette: dict[str, int] = {}
    index = log_index(states_of(texts, where, palette), where)
    cells = cells_of(columns, where, ground)
    return Log(cells, index, tuple(palette), _times(part, place, len(cells)), _word(part, "who", place))


def _times(part: Mapping[str, Any], place: str, events: int) -> NDArray[np.float64] | None:
    times = part.get("times")
    if times is None:
        return None
    where = _at(place, "times")
    if not isinstance(times, list) or not set(map(type, times)) <= {int, float}:
        raise FormatError("is no list of numbers", where=where, mend="write the seconds of each event")
    if len(times) != events:
        raise FormatError(f"has {len(times)} numbers for {events} events", where=where, mend="write one for each")
    try:
        seconds = np.array(times, dtype=np.float64)
    except OverflowError:
        seconds = np.array([np.inf])
    if not np.isfinite(seconds).all():
        raise FormatError("holds a number that is too large", where=where, mend="write seconds")
    return seconds


def _events(rows: Any, where: str) -> tuple[list[tuple[Any, ...]], list[Any]]:
    """Columns of coordinates, and the state of each event, air for a removal."""
    if not isinstance(rows, list):
        raise FormatError(f"is {shown(rows)}, not a list of events", where=where, mend=f"write {_EVENT_ROW}")
    places: list[tuple[Any, Any, Any]] = []
    texts: list[Any] = []
    for number, row in enumerate(rows):
        match row:
            case ["place", x, y, z, text]:
                pass
            case ["break", x, y, z]:
                text = "air"
            case [x, y, z, text] if not isinstance(x, str):
                pass
            case _:
                raise FormatError(
                    f"is no event of the form {_EVENT_ROW}", where=f"{where}[{number}]", mend="write it so"
                )
        places.append((x, y, z))
        texts.append(text)
    return list(zip(*places, strict=True)), texts


def _turn(before: Build, given: _Given, place: str, *, first: bool, known: bool) -> Build:
    """The build after one more turn. Where the ground is not known, 'dug' need not list what the log empties."""
    provenance = before.provenance
    if given.warnings:
        provenance = replace(provenance, warnings=provenance.warnings + given.warnings)
    if given.log is None:
        blocks = given.blocks if given.blocks is not None else before.blocks
        if given.dug is not None:
            dug = given.dug
        else:
            # Nobody puts soil back: what was dug, or held a block below ground, is a hole unless it holds a block.
            gone = before.blocks.cells[before.blocks.cells[:, 1] < 0]
            dug = difference(np.concatenate([before.dug, gone]), blocks.cells)
        _check_dug(blocks, dug, before.ground_y, place)
        return Build(blocks, dug, None, before.ground_y, provenance)
    replayed, holes = given.log.replay(before.blocks, before.dug)
    _check_blocks(given, replayed, before.ground_y, place)
    dug = holes
    if given.dug is not None:
        missing = difference(holes, given.dug)
        if len(missing) and known:
            raise LogError(
                f"the log digs cell {_world(missing[0], before.ground_y)} but 'dug' lacks it",
                where=place,
                mend="list it, or leave 'dug' out",
            )
        dug = np.concatenate([given.dug, missing])
    _check_dug(replayed, dug, before.ground_y, place)
    if first:
        log: Log | None = given.log
    else:
        log = before.log.then(given.log) if before.log is not None else None
    return Build(replayed, dug, log, before.ground_y, provenance)


def _check_blocks(given: _Given, replayed: BlockSet, ground: int, place: str) -> None:
    blocks = given.blocks
    if blocks is None or blocks == replayed:
        return
    for left, right, said in (
        (blocks, replayed, "'blocks' has {0} at {2} but the log leaves {1}"),
        (replayed, blocks, "the log leaves {0} at {2} but 'blocks' has {1}"),
    ):
        if not len(left):
            continue
        at = right.locate(left.cells)
        other = [right.palette[i] for i in right.index.tolist()]
        for row, there in enumerate(at.tolist()):
            state = left.palette[left.index[row]]
            found = other[there] if there >= 0 else "nothing"
            if found != state:
                raise LogError(
                    said.format(state, found, _world(left.cells[row], ground)),
                    where=place,
                    mend="mend one of them, or leave 'blocks' out",
                )


def _check_dug(blocks: BlockSet, dug: Cells, ground: int, place: str) -> None:
    if not len(dug):
        return
    taken = blocks.contains(dug)
    if taken.any():
        raise LogError(
            f"cell {_world(dug[taken][0], ground)} is dug and holds a block",
            where=place,
            mend="leave it out of one of the two",
        )


def _world(cell: Cells, ground: int) -> list[int]:
    x, y, z = cell.tolist()
    return [x, y + ground, z]


# --- writing --------------------------------------------------------------------------------------------------


def write(turns: Sequence[Build]) -> bytes:
    """The bytes of one build, or of one build per turn; one row a line, so that versions can be compared."""
    first = turns[0]
    known = any(build.provenance.ground_known for build in turns)
    head: list[str] = [f'"format": {json.dumps(NAME)}', f'"ground_y": {first.ground_y if known else "null"}']
    for key, text in (("name", first.provenance.name), ("author", first.provenance.author)):
        if text:
            head.append(f'"{key}": {json.dumps(text, ensure_ascii=False)}')
    if len(turns) == 1:
        body = head + _members(first, first.log, EMPTY, NO_CELLS, known=known)
        return _encoded("{\n" + ",\n".join(body) + "\n}\n")
    parts = []
    blocks, dug, ordered = EMPTY, NO_CELLS, True
    for number, build in enumerate(turns):
        if build.ground_y != first.ground_y:
            raise FormatError(f"turn {number + 1} has another ground than turn 1", mend="give all turns one ground")
        log = None
        if build.log is not None and ordered:
            log = build.log.latest if number else build.log
        ordered = log is not None
        parts.append("{\n" + ",\n".join(_members(build, log, blocks, dug, known=known)) + "\n}")
        blocks, dug = build.blocks, build.dug
    return _encoded("{\n" + ",\n".join(head) + ',\n"turns": [' + ",\n".join(parts) + "]\n}\n")


def _encoded(text: str) -> bytes:
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        raise FormatError("a name holds half a character", mend="write the name anew") from None


def _members(build: Build, log: Log | None, blocks: BlockSet, dug: Cells, *, known: bool) -> list[str]:
    ground = build.ground_y
    quoted = [json.dumps(state, ensure_ascii=False) for state in build.blocks.palette]
    rows = zip(build.blocks.cells.tolist(), build.blocks.index.tolist(), strict=True)
    out = [_list("blocks", [f"[{x},{y + ground},{z},{quoted[i]}]" for (x, y, z), i in rows])]
    empty = build.dug if known else said_empty(build)
    out.append(_list("dug", [f"[{x},{y + ground},{z}]" for x, y, z in empty.tolist()]))
    if log is None:
        return out
    if log.replay(blocks, dug)[0] != build.blocks:
        raise LogError("the log does not lead to the blocks", mend="write the build without its log")
    quoted = [json.dumps(state, ensure_ascii=False) for state in log.palette]
    out.append(
        _list(
            "log",
            [
                f'["break",{x},{y + ground},{z}]' if i == REMOVED else f'["place",{x},{y + ground},{z},{quoted[i]}]'
                for (x, y, z), i in zip(log.cells.tolist(), log.index.tolist(), strict=True)
            ],
        )
    )
    if log.time is not None:
        out.append(f'"times": {json.dumps(log.time.tolist())}')
    if log.who:
        out.append(f'"who": {json.dumps(log.who, ensure_ascii=False)}')
    return out


def _list(key: str, rows: list[str]) -> str:
    return f'"{key}": [' + (("\n" + ",\n".join(rows) + "\n") if rows else "") + "]"
