"""The command list of reference builds, and snake order.

A command is a TOML table with one verb; coordinates are cells relative to the ground (x east, y up, z south).

==========  ===========================================================================================
``box``     ``at`` (its low corner), ``size`` [x, y, z], ``block``; ``omit``: cells never placed
``line``    ``from``, ``to``, ``block``; along one axis
``column``  ``at`` (its foot), ``height``, ``block``
``ring``    ``at``, ``size``, ``block``; ``omit``: the outer cells in plan of a box, layer by layer
``put``     ``at``, ``block``
``door``    ``at`` (its lower half), ``facing``; ``block``, ``hinge``
``bed``     ``at`` (its foot), ``facing`` (from foot to head); ``block``
``stairs``  ``at`` (its first tread), ``facing`` (its rise), ``steps``; ``block``, ``width``, ``fill``, ``under``
``roof``    ``at``, ``size`` [x, z]; ``axis``, ``block``, ``fill``, ``gable``, ``overhang``: a pitched roof over walls
``design``  ``name``, ``at`` (its corner) and the values of that design (see :mod:`minece.tasks.designs`)
``remove``  ``at``, ``size``: breaks whatever is there
``dig``     ``at``, ``size``: takes soil away, below ground only
``repeat``  ``over`` (a number or a list), ``as`` (a name), ``do`` (commands)
``use``     the name of a list of commands under ``[parts]``
==========  ===========================================================================================

Boxes, lines and removals run in snake order: z fastest, then x, then y upward, each row and each layer starting at the
end nearest to the last cell. Rings run around each layer from the corner nearest to the last cell. Doors, beds, stairs
and roofs are some boxes in a row (see :mod:`minece.tasks.fittings`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minece.blocks import Cells, Log
from minece.tasks.designs import draw
from minece.tasks.errors import FamilyError
from minece.tasks.expressions import Allowance, Expression, Scope
from minece.tasks.fittings import FITTINGS
from minece.tasks.paths import Cell, around, snake
from minece.tasks.values import read_block, read_cell, read_list, read_size, read_triple

MOST_CELLS = 200_000
"""Placements and removals in one build."""
DEEPEST = 12
MOST_COMMANDS = 20_000
"""Commands run for one turn of a build; each round of a repetition counts as one."""

VERBS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "box": (("at", "size", "block"), ("omit",)),
    "line": (("from", "to", "block"), ()),
    "column": (("at", "height", "block"), ()),
    "ring": (("at", "size", "block"), ("omit",)),
    "put": (("at", "block"), ()),
    "door": (("at", "facing"), ("block", "hinge")),
    "bed": (("at", "facing"), ("block",)),
    "stairs": (("at", "facing", "steps"), ("block", "width", "fill", "under")),
    "roof": (("at", "size"), ("axis", "block", "fill", "gable", "overhang")),
    "design": (("name",), ("at",)),
    "remove": (("at", "size"), ()),
    "dig": (("at", "size"), ()),
    "repeat": (("over",), ()),
    "use": ((), ()),
}
"""The values that each verb needs and those that it may have; ``design`` takes those of its design besides."""


@dataclass(frozen=True, slots=True)
class Command:
    """One command. ``name`` is the part that ``use`` uses or the name that ``repeat`` binds."""

    where: str
    verb: str
    values: Mapping[str, Expression] = field(default_factory=dict)
    name: str = ""
    do: tuple[Command, ...] = ()


def run(
    commands: tuple[Command, ...],
    scope: Scope,
    *,
    parts: Mapping[str, tuple[Command, ...]] | None = None,
    after: Log | None = None,
    allowance: Allowance | None = None,
) -> Log:
    """The log that commands leave, after an earlier one of the same turn.

    ``scope`` holds the names that expressions may use. Raises :class:`FamilyError` with the command's place.
    """
    runner = _Runner(parts or {}, after, allowance or Allowance())
    runner.run(commands, dict(scope), 0)
    return runner.log()


class _Runner:
    def __init__(self, parts: Mapping[str, tuple[Command, ...]], after: Log | None, allowance: Allowance) -> None:
        self._parts = parts
        self._allowance = allowance
        self._cells: list[Cells] = []
        self._states: list[str | None] = []
        self._last: Cell | None = None
        self._done = 0
        if after is not None and len(after):
            states = [*after.palette, None]
            self._cells.append(after.cells)
            self._states.extend(states[i] for i in after.index.tolist())
            self._last = tuple(after.cells[-1].tolist())

    def log(self) -> Log:
        return Log.of(np.concatenate(self._cells) if self._cells else (), self._states)

    def run(self, commands: tuple[Command, ...], scope: dict[str, Any], depth: int) -> None:
        for command in commands:
            self._count(command, 1)
            if depth > DEEPEST:
                raise FamilyError("commands are nested too deeply", where=command.where, mend="unfold them")
            if command.verb == "use":
                part = self._parts.get(command.name)
                if part is None:
                    raise FamilyError(
                        f"there is no part {command.name!r}",
                        where=command.where,
                        mend="parts: " + (", ".join(self._parts) or "none"),
                    )
                self.run(part, scope, depth + 1)
            elif command.verb == "repeat":
                for value in self._over(command, scope):
                    self.run(command.do, {**scope, command.name: value}, depth + 1)
            else:
                self._do(command, scope)

    def _over(self, command: Command, scope: Scope) -> list[Any]:
        over = command.values["over"].value(scope)
        if isinstance(over, int) and not isinstance(over, bool):
            if not 0 <= over <= MOST_COMMANDS:
                raise FamilyError(f"{over} times", where=command.values["over"].where, mend=f"at most {MOST_COMMANDS}")
            self._count(command, over)
            return list(range(over))
        if not isinstance(over, list):
            raise FamilyError("no number or list", where=command.values["over"].where, mend="give one of them")
        self._count(command, len(over))
        return over

    def _count(self, command: Command, number: int) -> None:
        self._done += number
        if self._done > MOST_COMMANDS:
            raise FamilyError(f"more than {MOST_COMMANDS} commands", where=command.where, mend="build with fewer")
        self._allowance.step(command.where, number)

    def _do(self, command: Command, scope: Scope) -> None:
        given = {key: (value.value(scope), value.where) for key, value in command.values.items()}
        if command.verb == "design":
            self._design(command, given)
            return
        if command.verb in FITTINGS:
            for low, size, state in FITTINGS[command.verb](given):
                self._allowance.step(command.where)
                if self._room(command, size):
                    self._add(snake(low, size, self._last), state)
            return
        low, size = _extent(command.verb, given)
        if not self._room(command, size):
            return
        cells = (around if command.verb == "ring" else snake)(low, size, self._last)
        if "omit" in given:
            left_out = {read_cell(cell, given["omit"][1]) for cell in read_list(*given["omit"])}
            self._allowance.step(command.where, 1 + len(left_out) // 10)
            keep = [tuple(cell) not in left_out for cell in cells.tolist()]
            cells = cells[np.array(keep, dtype=np.bool_)]
        if command.verb == "dig" and len(cells) and cells[:, 1].max() >= 0:
            raise FamilyError("there is no soil above ground", where=command.where, mend="dig at y below 0")
        self._add(cells, read_block(*given["block"]) if "block" in given else None)

    def _design(self, command: Command, given: dict[str, tuple[Any, str]]) -> None:
        name, where = given.pop("name")
        at = read_cell(*given.pop("at", ([0, 0, 0], where)))
        self._allowance.step(where)
        placements = draw(str(name), {key: value for key, (value, _) in given.items()}, at=at, where=command.where)
        if not placements or not self._room(command, (len(placements), 1, 1)):
            return
        states = {state: None if state is None else read_block(state, where) for _, state in placements}
        self._cells.append(np.array([cell for cell, _ in placements], dtype=np.int32))
        self._states.extend(states[state] for _, state in placements)
        self._last = placements[-1][0]

    def _room(self, command: Command, size: Cell) -> bool:
        """Whether a box holds any cell. Raises :class:`FamilyError` where it holds too many."""
        number = size[0] * size[1] * size[2]
        if number:
            self._allowance.step(command.where, 1 + number // 100)
            if len(self._states) + number > MOST_CELLS:
                raise FamilyError(f"more than {MOST_CELLS} cells", where=command.where, mend="build less")
        return number > 0

    def _add(self, cells: Cells, state: str | None) -> None:
        if not len(cells):
            return
        self._cells.append(cells)
        self._states.extend([state] * len(cells))
        x, y, z = cells[-1].tolist()
        self._last = (x, y, z)


def _extent(verb: str, given: Mapping[str, tuple[Any, str]]) -> tuple[Cell, Cell]:
    """Low corner and size of the box that a command is about."""
    if verb == "line":
        one, other = read_cell(*given["from"]), read_cell(*given["to"])
        low = tuple(map(min, one, other))
        size = tuple(abs(a - b) + 1 for a, b in zip(one, other, strict=True))
        if sum(n > 1 for n in size) > 1:
            raise FamilyError("the line is not along one axis", where=given["to"][1], mend="use box")
        return (low[0], low[1], low[2]), (size[0], size[1], size[2])
    at = read_cell(*given["at"])
    if verb == "column":
        return at, (1, read_size(*given["height"]), 1)
    if verb == "put":
        return at, (1, 1, 1)
    x, y, z = (read_size(n, given["size"][1]) for n in read_triple(*given["size"]))
    return at, (x, y, z)
