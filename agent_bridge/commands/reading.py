"""From the text of a command list to commands, every mistake told by its entry."""

from __future__ import annotations

import json
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from math import prod
from typing import Any, Literal, TypeAlias

from minece.agent_bridge.clicks import SIDES, Cell, Side
from minece.agent_bridge.errors import ProgramError
from minece.blocks import BlocksError
from minece.blocks.catalogue import block_properties, describe, suggest
from minece.blocks.formats.jsontext import parse
from minece.blocks.formats.limits import Limits
from minece.blocks.states import canonical_state, is_air, split_state

SCHEMA = "minece-commands/1"
MOST_COMMANDS = 20_000
MOST_CELLS = 200_000
"""Cells of all commands together, those of boxes that are copied too."""
FARTHEST = 10_000
"""Largest coordinate."""

Verb: TypeAlias = Literal["place", "fill", "box", "line", "remove", "copy"]

_KEYS: dict[Verb, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "place": (("block",), ("on", "exact")),
    "fill": (("block",), ("exact",)),
    "box": (("block",), ("hollow", "exact")),
    "line": (("block",), ("exact",)),
    "remove": ((), ("exact",)),
    "copy": (("to",), ("turn", "mirror", "exact")),
}
"""What each verb needs beside it, and what it may have."""

_LIMITS = Limits(text_bytes=1 << 20, text_values=1 << 20, depth=8)
_EXAMPLE = '{"fill": [[0, 0, 0], [4, 0, 4]], "block": "stone"}'
_CORNERS = "write [[x, y, z], [x, y, z]]"


@dataclass(frozen=True, slots=True)
class Command:
    """One command. ``first`` and ``second`` are its cells, the same one twice where it has one."""

    number: int
    verb: Verb
    first: Cell
    second: Cell
    block: str = ""
    on: Side | None = None
    hollow: bool = True
    to: Cell = (0, 0, 0)
    turn: int = 0
    mirror: Literal["x", "z"] | None = None
    exact: bool = False

    @property
    def where(self) -> str:
        """The entry, for messages."""
        return f"entry {self.number} ({self.verb})"

    @property
    def low(self) -> Cell:
        """The low corner of the box between its cells."""
        (ax, ay, az), (bx, by, bz) = self.first, self.second
        return min(ax, bx), min(ay, by), min(az, bz)

    @property
    def size(self) -> Cell:
        """Cells along x, y, z of that box."""
        (ax, ay, az), (bx, by, bz) = self.first, self.second
        return abs(ax - bx) + 1, abs(ay - by) + 1, abs(az - bz) + 1


def read_commands(source: str, *, where: str = "") -> tuple[Command, ...]:
    """The commands of a program. Raises :class:`ProgramError` that begins with ``where`` and names the entry."""
    try:
        return _commands(_list(source))
    except ProgramError as error:
        raise (error.at(where) if where else error) from None


def _list(source: str) -> list[Any]:
    try:
        found = parse(source, _LIMITS)
    except BlocksError as error:
        raise ProgramError(error.reason, where=error.where, mend=f"write a list like [{_EXAMPLE}]") from None
    if isinstance(found, dict):
        schema = found.get("schema")
        if schema != SCHEMA:
            raise ProgramError(f"its schema is {_shown(schema)}", mend=f'write "schema": "{SCHEMA}", or a bare list')
        for key in found:
            if key not in ("schema", "do"):
                raise ProgramError(f"{_shown(key)} is no key of it", mend=_near(key, ("schema", "do")))
        found = found.get("do")
    if not isinstance(found, list):
        raise ProgramError("holds no list of commands", mend=f"write a list like [{_EXAMPLE}]")
    if len(found) > MOST_COMMANDS:
        raise ProgramError(f"{len(found)} commands", mend=f"write at most {MOST_COMMANDS}")
    return found


def _commands(entries: list[Any]) -> tuple[Command, ...]:
    out: list[Command] = []
    cells = 0
    for number, entry in enumerate(entries, start=1):
        command = _command(number, entry)
        cells += max(command.size) if command.verb == "line" else prod(command.size)
        if cells > MOST_CELLS:
            raise ProgramError(
                f"more than {MOST_CELLS:,} cells so far", where=command.where, mend="build less in one program"
            )
        out.append(command)
    return tuple(out)


def _command(number: int, entry: object) -> Command:
    where = f"entry {number}"
    if not isinstance(entry, dict):
        raise ProgramError(f"{_shown(entry)} is no object", where=where, mend=f"write it like {_EXAMPLE}")
    verbs = [verb for verb in _KEYS if verb in entry]
    if not verbs:
        raise ProgramError("has no verb", where=where, mend=_near(next(iter(entry), ""), _KEYS))
    if len(verbs) > 1:
        raise ProgramError(f"has the verbs {' and '.join(verbs)}", where=where, mend="write an entry for each")
    (verb,) = verbs
    where = f"{where} ({verb})"
    needed, allowed = _KEYS[verb]
    for key in entry:
        if key != verb and key not in (*needed, *allowed):
            raise ProgramError(f"{_shown(key)} is no key of {verb}", where=where, mend=_near(key, (*needed, *allowed)))
    for key in needed:
        if key not in entry:
            raise ProgramError(f"has no {key!r}", where=where, mend=f'write "{key}" into it')
    try:
        first, second = _cells(verb, entry[verb])
        return Command(
            number,
            verb,
            first,
            second,
            block=_block(entry["block"]) if "block" in needed else "",
            on=_one_of(entry.get("on"), "on", (None, *SIDES)),
            hollow=_one_of(entry.get("hollow", True), "hollow", (True, False)),
            to=_cell(entry["to"]) if "to" in needed else (0, 0, 0),
            turn=_one_of(entry.get("turn", 0), "turn", (0, 1, 2, 3)),
            mirror=_one_of(entry.get("mirror"), "mirror", (None, "x", "z")),
            exact=_one_of(entry.get("exact", False), "exact", (True, False)),
        )
    except ProgramError as error:
        raise error.at(where) from None


def _cells(verb: Verb, value: object) -> tuple[Cell, Cell]:
    one = verb == "place" or (verb == "remove" and isinstance(value, list) and value[:1] and _is_number(value[0]))
    if one:
        cell = _cell(value)
        return cell, cell
    if not isinstance(value, list) or len(value) != 2:
        mend = f"{_CORNERS}, or [x, y, z] for one cell" if verb == "remove" else _CORNERS
        raise ProgramError(f"{_shown(value)} are not two cells", mend=mend)
    return _cell(value[0]), _cell(value[1])


def _cell(value: object) -> Cell:
    if not isinstance(value, list) or len(value) != 3:
        raise ProgramError(f"{_shown(value)} is no cell", mend="write [x, y, z]")
    for number in value:
        if isinstance(number, bool) or not isinstance(number, int) or abs(number) > FARTHEST:
            raise ProgramError(f"{_shown(number)} is no whole number within ±{FARTHEST}", mend="write one")
    x, y, z = value
    return x, y, z


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _block(value: object) -> str:
    """The block as it is written: properties that it does not name are left to the world."""
    if not isinstance(value, str):
        raise ProgramError(f"{_shown(value)} is no block", mend='write a block such as "stone"')
    text = value.strip()
    try:
        if is_air(text):
            return "air"
        if describe(text).known:
            return text
        name, props = split_state(canonical_state(text))
    except BlocksError as error:
        raise ProgramError(error.reason, mend=error.mend or "write a block such as oak_planks") from None
    known = block_properties(name)
    if not known and not describe(name).known:
        near = suggest(name)
        mend = f"did you mean {' or '.join(near)}?" if near else "write the id of a block of Minecraft Java Edition"
        raise ProgramError(f"there is no block {_shown(name)}", mend=mend)
    for key, given in props.items():
        if key not in known:
            raise ProgramError(f"{name} has no property {_shown(key)}", mend=_near(key, known))
        if given not in known[key]:
            raise ProgramError(f"{name} has no {key}={given:.40}", mend=_near(given, known[key]))
    raise ProgramError(f"{_shown(text)} is no block", mend='write a block such as "stone"')


def _one_of(value: Any, key: str, choices: tuple[Any, ...]) -> Any:
    for choice in choices:
        if value is choice or (type(value) is type(choice) and value == choice):
            return choice
    raise ProgramError(f"{key} is {_shown(value)}", mend=f"take one of {', '.join(map(json.dumps, choices))}")


def _near(word: object, known: Iterable[str]) -> str:
    words = list(known)
    close = get_close_matches(str(word)[:64], words, n=1)
    if close:
        return f"did you mean {close[0]!r}?"
    return f"take one of {', '.join(words)}" if words else "leave it out"


def _shown(value: object) -> str:
    try:
        text = reprlib.repr(value)
    except (ValueError, RecursionError):
        return "the value"
    return text if len(text) <= 60 else text[:59] + "…"
