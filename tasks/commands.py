"""The command list of reference builds, and snake order.

A command is a TOML table with one verb; coordinates are cells relative to the ground (x east, y up, z south).

==========  ===========================================================================================
``box``     ``at`` (its low corner), ``size`` [x, y, z], ``block``; ``omit``: cells never placed
``line``    ``from``, ``to``, ``block``; along one axis
``column``  ``at`` (its foot), ``height``, ``block``
``ring``    ``at``, ``size``, ``block``; ``omit``: the outer cells in plan of a box, layer by layer
``put``     ``at``, ``block``
``remove``  ``at``, ``size``: breaks whatever is there
``dig``     ``at``, ``size``: takes soil away, below ground only
``repeat``  ``over`` (a number or a list), ``as`` (a name), ``do`` (commands)
``use``     the name of a list of commands under ``[parts]``
==========  ===========================================================================================

Boxes, lines and removals run in snake order: z fastest, then x, then y upward, each row and each layer starting at the
end nearest to the last cell. Rings run around each layer from the corner nearest to the last cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from minece.blocks import Cells, Log, MineceError
from minece.blocks.states import canonical_state
from minece.tasks.errors import FamilyError
from minece.tasks.expressions import Allowance, Expression, Scope

MOST_CELLS = 200_000
"""Placements and removals in one build."""
FARTHEST = 100_000
"""Largest coordinate in a command."""
DEEPEST = 12
MOST_COMMANDS = 20_000
"""Commands run for one turn of a build; each round of a repetition counts as one."""

VERBS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "box": (("at", "size", "block"), ("omit",)),
    "line": (("from", "to", "block"), ()),
    "column": (("at", "height", "block"), ()),
    "ring": (("at", "size", "block"), ("omit",)),
    "put": (("at", "block"), ()),
    "remove": (("at", "size"), ()),
    "dig": (("at", "size"), ()),
    "repeat": (("over",), ()),
    "use": ((), ()),
}
"""The values that each verb needs and those that it may have."""

Cell = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Command:
    """One command. ``name`` is the part that ``use`` uses or the name that ``repeat`` binds."""

    where: str
    verb: str
    values: Mapping[str, Expression] = field(default_factory=dict)
    name: str = ""
    do: tuple[Command, ...] = ()


def snake(low: Cell, size: Cell, last: Cell | None = None) -> Cells:
    """(n, 3) int32: the cells of a box in snake order.

    z runs fastest, then x, then y upward; each row and each layer starts at the end nearest to the last cell, at the
    lower end where both are as near. ``last`` is the cell placed before the box.
    """
    width, height, depth = size
    (x0, y0, z0), (x, _, z) = low, last or low
    start_x = abs(x - (x0 + width - 1)) < abs(x - x0)
    start_z = abs(z - (z0 + depth - 1)) < abs(z - z0)
    out = np.empty((height, width, depth, 3), dtype=np.int32)
    layers = np.arange(height)
    rows = layers[:, None] * width + np.arange(width)
    along_x = np.arange(x0, x0 + width, dtype=np.int32)
    along_z = np.arange(z0, z0 + depth, dtype=np.int32)
    back_x = ((layers % 2 == 1) ^ start_x)[:, None]
    back_z = ((rows % 2 == 1) ^ start_z)[..., None]
    out[..., 0] = np.where(back_x, along_x[::-1], along_x)[..., None]
    out[..., 1] = (y0 + layers)[:, None, None]
    out[..., 2] = np.where(back_z, along_z[::-1], along_z)
    return out.reshape(-1, 3)


def around(low: Cell, size: Cell, last: Cell | None = None) -> Cells:
    """(n, 3) int32: the outer cells in plan of a box, layer by layer upward.

    Each layer runs around once, from the corner nearest to the last cell.
    """
    width, height, depth = size
    x0, y0, z0 = low
    x1, z1 = x0 + width - 1, z0 + depth - 1
    if width == 1 or depth == 1:
        return snake(low, size, last)
    corners = [(x0, z0), (x0, z1), (x1, z1), (x1, z0)]
    path = np.array(
        [(x0, z) for z in range(z0, z1)]
        + [(x, z1) for x in range(x0, x1)]
        + [(x1, z) for z in range(z1, z0, -1)]
        + [(x, z0) for x in range(x1, x0, -1)],
        dtype=np.int32,
    )
    x, _, z = last or low
    first = min(corners, key=lambda c: abs(c[0] - x) + abs(c[1] - z))
    begin = int(np.flatnonzero((path == first).all(axis=1))[0])
    path = np.roll(path, -begin, axis=0)
    out = np.empty((height, len(path), 3), dtype=np.int32)
    out[:, :, [0, 2]] = path
    out[:, :, 1] = (y0 + np.arange(height, dtype=np.int32))[:, None]
    return out.reshape(-1, 3)


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
            self._add(after.cells, [states[i] for i in after.index.tolist()], "")

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
        low, size = _extent(command.verb, given)
        number = size[0] * size[1] * size[2]
        if not number:
            return
        self._allowance.step(command.where, 1 + number // 100)
        if len(self._states) + number > MOST_CELLS:
            raise FamilyError(f"more than {MOST_CELLS} cells", where=command.where, mend="build less")
        cells = (around if command.verb == "ring" else snake)(low, size, self._last)
        if "omit" in given:
            left_out = {read_cell(cell, given["omit"][1]) for cell in _list(*given["omit"])}
            self._allowance.step(command.where, 1 + len(left_out) // 10)
            keep = [tuple(cell) not in left_out for cell in cells.tolist()]
            cells = cells[np.array(keep, dtype=np.bool_)]
        if command.verb == "dig" and len(cells) and cells[:, 1].max() >= 0:
            raise FamilyError("there is no soil above ground", where=command.where, mend="dig at y below 0")
        block = _block(*given["block"]) if "block" in given else None
        self._add(cells, [block] * len(cells), command.where)

    def _add(self, cells: Cells, states: list[str | None], where: str) -> None:
        if not len(cells):
            return
        self._cells.append(cells)
        self._states.extend(states)
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
        return at, (1, _whole(*given["height"]), 1)
    if verb == "put":
        return at, (1, 1, 1)
    x, y, z = (_whole(n, given["size"][1]) for n in _triple(*given["size"]))
    return at, (x, y, z)


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise FamilyError("no list", where=where, mend="write [[x, y, z], …]")
    return value


def _triple(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != 3:
        raise FamilyError(f"{value!r} are not three numbers", where=where, mend="write [x, y, z]")
    return value


def read_cell(value: Any, where: str) -> Cell:
    """A cell, or a step, from a list of three whole numbers. Raises :class:`FamilyError`."""
    x, y, z = (_number(n, where) for n in _triple(value, where))
    return (x, y, z)


def _number(value: Any, where: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) > FARTHEST:
        raise FamilyError(f"{value!r} is no whole number within ±{FARTHEST}", where=where, mend="give one")
    return value


def _whole(value: Any, where: str) -> int:
    number = _number(value, where)
    if number < 0:
        raise FamilyError(f"a size of {number}", where=where, mend="give 0 or more")
    return number


def _block(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise FamilyError(f"{value!r} is no block", where=where, mend='give a block such as "stone"')
    try:
        return canonical_state(value)
    except MineceError as error:
        raise FamilyError(error.reason, where=where, mend=error.mend) from None
