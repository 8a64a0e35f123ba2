"""Commands carried out in a world, within limits."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from minece.agent_bridge.building import SAME
from minece.agent_bridge.clicks import OPPOSITE, STEP, Cell
from minece.agent_bridge.commands.reading import Command
from minece.agent_bridge.commands.shapes import copied, line, shell, turned_size
from minece.agent_bridge.placing.forms import as_side
from minece.agent_bridge.placing.refusals import CANNOT, NO_SUPPORT, NOTHING_TO_BREAK, NOTHING_TO_PLACE_ON
from minece.agent_bridge.programs import ProgramLimits, ProgramResult, Status
from minece.agent_bridge.world import Outcome, World, until
from minece.blocks.catalogue import describe, materials
from minece.blocks.states import is_air, join_state, split_state
from minece.tasks.paths import snake

NOTHING_THERE = NOTHING_TO_BREAK.reason

_HOLD_TO_COME = frozenset(refusal.reason for refusal in (NOTHING_TO_PLACE_ON, NO_SUPPORT, CANNOT))
"""Refusals that blocks which are placed later can mend."""

_PART = 256
"""Cells that are asked for at once: between them the limits are looked at."""

_SIDES = frozenset({"north", "east", "south", "west"})
_FOLLOWING: tuple[tuple[str, frozenset[str]], ...] = (
    ("#fences, #glass_panes, #bars", _SIDES),
    ("#walls", _SIDES | {"up"}),
    ("redstone_wire", _SIDES | {"power"}),
    ("#stairs", frozenset({"shape"})),
    ("#fence_gates", frozenset({"in_wall"})),
    ("#chests", frozenset({"type"})),
    ("#leaves", frozenset({"distance", "persistent"})),
    ("grass_block, podzol, mycelium", frozenset({"snowy"})),
)
"""Properties that neighbours decide, so that no hand can be asked for them."""

_Step: TypeAlias = tuple[Cell, str]


def run_commands(commands: Iterable[Command], world: World, limits: ProgramLimits | None = None) -> ProgramResult:
    """Carry commands out one after another and return how that ended; what was built until then stays.

    Every cell is a call. ``placed`` counts cells in which a block was placed; the log has a line for each entry of
    which something was refused. What the world raises is raised.
    """
    return _Run(world, limits or ProgramLimits()).all(commands)


class _Stop(Exception):
    """A limit is reached."""

    def __init__(self, status: Status, error: str, message: str) -> None:
        super().__init__(message)
        self.status: Status = status
        self.error = error


class _Run:
    """One program on its way."""

    def __init__(self, world: World, limits: ProgramLimits) -> None:
        self._world = world
        self._limits = limits
        self._started = time.monotonic()
        self._placed = 0
        self._calls = 0
        self._refused: Counter[str] = Counter()
        self._cells: set[Cell] = set()
        self._log: list[str] = []
        self._log_room = limits.log_bytes
        self._last: Cell | None = None

    def all(self, commands: Iterable[Command]) -> ProgramResult:
        status: Status = "ok"
        error = message = ""
        with until(self._world, self._limits.seconds):
            for command in commands:
                before = self._refused.copy()
                try:
                    self._carry_out(command)
                    self._check_time()
                except _Stop as stop:
                    status, error, message = stop.status, stop.error, f"{stop}, in {command.where}"
                self._note(command, self._refused - before)
                if status != "ok":
                    break
        return ProgramResult(
            status=status,
            error=error,
            message=message,
            placed=self._placed,
            refused=dict(sorted(self._refused.items())),
            calls=self._calls,
            log=tuple(self._log),
            seconds=time.monotonic() - self._started,
        )

    def _carry_out(self, command: Command) -> None:
        steps = self._steps(command)
        if command.exact:
            for part in self._parts(steps):
                self._set(part)
        elif command.verb == "copy":
            self._place_with_patience(steps)
        elif command.verb == "place":
            for ((cell, block),) in self._parts(steps):
                self._count(block, self._world.place(cell, block, on=command.on))
        else:
            for part in self._parts(steps):
                tally = self._world.run(part)
                self._refused.update(tally.refused)
                if not is_air(part[0][1]):
                    self._placed += tally.done
        if steps:
            self._last = steps[-1][0]

    def _steps(self, command: Command) -> list[_Step]:
        low, size = command.low, command.size
        match command.verb:
            case "copy":
                return self._copy(command)
            case "line":
                cells = line(command.first, command.second)
            case "box" if command.hollow:
                cells = shell(snake(low, size, self._last), low, size)
            case _:
                cells = snake(low, size, self._last)
        block = command.block or "air"
        steps = [((x, y, z), block) for x, y, z in cells.tolist()]
        if command.verb == "remove" and len(steps) > 1:
            there = {cell for cell, _ in self._world.read(low, _high(low, size))}
            return [step for step in steps if step[0] in there]
        return steps

    def _copy(self, command: Command) -> list[_Step]:
        low, size = command.low, command.size
        blocks = self._world.read(low, _high(low, size))
        wanted = copied(blocks, low, size, command.to, turn=command.turn, mirror=command.mirror)
        if not command.exact:
            wanted = {cell: _by_hand(state) for cell, state in wanted.items() if not _comes_along(cell, state, wanted)}
        order = snake(command.to, turned_size(size, command.turn), self._last).tolist()
        return [((x, y, z), wanted[x, y, z]) for x, y, z in order if (x, y, z) in wanted]

    def _place_with_patience(self, steps: Sequence[_Step]) -> None:
        """Place, and what finds no hold again after the rest, as long as that helps."""
        while steps:
            waiting: list[tuple[_Step, Outcome]] = []
            stopped: _Stop | None = None
            try:
                for (step,) in self._parts(steps, 1):
                    outcome = self._world.place(*step)
                    if outcome.reason in _HOLD_TO_COME:
                        waiting.append((step, outcome))
                    else:
                        self._count(step[1], outcome)
            except _Stop as stop:
                stopped = stop
            if stopped or len(waiting) == len(steps):
                for step, outcome in waiting:
                    self._count(step[1], outcome)
                if stopped:
                    raise stopped
                return
            steps = [step for step, _ in waiting]

    def _set(self, steps: Sequence[_Step]) -> None:
        """Set cells; where one of them is refused, the others are set nonetheless."""
        outcome = self._world.set([cell for cell, _ in steps], [state for _, state in steps])
        if not outcome.done and outcome.reason != SAME and len(steps) > 1:
            half = len(steps) // 2
            self._set(steps[:half])
            self._set(steps[half:])
            return
        removing = is_air(steps[0][1])
        if not removing:
            self._placed += len(outcome.changes)
        if same := len(steps) - len(outcome.changes):
            reason = SAME if outcome.done else outcome.reason
            self._refused[NOTHING_THERE if removing and reason == SAME else reason] += same

    def _count(self, block: str, outcome: Outcome) -> None:
        if not outcome.done:
            self._refused[outcome.reason] += 1
        elif not is_air(block):
            self._placed += 1

    def _parts(self, steps: Sequence[_Step], most: int = _PART) -> Iterable[Sequence[_Step]]:
        """The steps in parts, as many as the limits have room for. Raises :class:`_Stop` where there is none."""
        limits, done = self._limits, 0
        while done < len(steps):
            self._check_time()
            room = min(most, limits.calls - self._calls)
            if room <= 0:
                raise _Stop("limit", "calls", f"the commands made more than {limits.calls:,} calls")
            if limits.blocks is not None:
                room = min(room, limits.blocks - len(self._cells) + 1)
            part = steps[done : done + room]
            self._calls += len(part)
            done += len(part)
            if limits.blocks is None:
                yield part
                continue
            before = [self._world.at(cell) for cell, _ in part]
            yield part
            after = [self._world.at(cell) for cell, _ in part]
            self._cells.update(
                cell for (cell, _), old, new in zip(part, before, after, strict=True) if old != new and not is_air(new)
            )
            if len(self._cells) > limits.blocks:
                raise _Stop("limit", "blocks", f"the commands built in more than {limits.blocks:,} cells")

    def _check_time(self) -> None:
        if time.monotonic() - self._started > self._limits.seconds:
            raise _Stop("timeout", "", f"stopped after {self._limits.seconds:g} s")

    def _note(self, command: Command, refused: Mapping[str, int]) -> None:
        if refused:
            words = ", ".join(f"{reason} ({number})" for reason, number in sorted(refused.items()))
            text = f"{command.where}: {words}"
            self._log_room -= len(text.encode()) + 1
            if self._log_room >= 0:
                self._log.append(text)


def _high(low: Cell, size: Cell) -> Cell:
    return low[0] + size[0] - 1, low[1] + size[1] - 1, low[2] + size[2] - 1


def _comes_along(cell: Cell, state: str, wanted: Mapping[Cell, str]) -> bool:
    """Whether a block is the second half of one that is placed too."""
    if not describe(state).two_cell:
        return False
    name, props = split_state(state)
    if props.get("half") == "upper":
        step = STEP["down"]
    elif props.get("part") == "head":
        step = STEP[OPPOSITE[as_side(props["facing"])]]
    else:
        return False
    first = wanted.get((cell[0] + step[0], cell[1] + step[1], cell[2] + step[2]), "air")
    return split_state(first)[0] == name


@lru_cache(maxsize=4096)
def _by_hand(state: str) -> str:
    """The state without what follows from its neighbours."""
    name, props = split_state(state)
    following = _following().get(name, frozenset())
    return join_state(name, {key: value for key, value in props.items() if key not in following})


@lru_cache(maxsize=1)
def _following() -> Mapping[str, frozenset[str]]:
    return {name: keys for blocks, keys in _FOLLOWING for name in materials(blocks)}
