"""What all worlds have in common: wishes are checked, become what a hand does, are carried out and recorded."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import prod

from minece.agent_bridge.clicks import Cell, Change, Point, Refusal, Side
from minece.agent_bridge.errors import WorldError
from minece.agent_bridge.hands import Step, Steps, fits, steps_away, steps_to
from minece.agent_bridge.site import NO_BLOCK, OUTSIDE, TOO_MANY, Site, is_block
from minece.agent_bridge.terrain import AIR, Sketch, box_size
from minece.agent_bridge.world import Facing, Outcome, Tally
from minece.blocks import Build, tables
from minece.blocks.states import canonical_state, is_air
from minece.tasks.paths import snake
from minece.tasks.task import Limits

SAME = "same block already there"
NO_TIME = "no time left"

MOST_FILLED = 100_000
"""Cells of a box that one wish may fill."""


class BuilderWorld(ABC):
    """A world with one builder; how things are carried out is left to the worlds themselves."""

    def __init__(self, site: Site, *, version: str, start: Point) -> None:
        if version not in tables.versions():
            raise WorldError(f"no version {version[:40]!r} of the game is known", mend="take one such as 1.21.4")
        self.version = version
        self.position = start
        self.facing: Facing = "north"
        self.deadline: float | None = None
        self._site = site

    @property
    def limits(self) -> Limits:
        return self._site.limits

    @property
    def stock(self) -> Mapping[str, int] | None:
        return self._site.stock

    def at(self, cell: Cell) -> str:
        return self._site.at(cell)

    def place(self, cell: Cell, block: str, *, on: Side | None = None) -> Outcome:
        if not is_block(block, self.version):
            return Outcome(False, NO_BLOCK)
        if is_air(block):
            return self.remove(cell)
        if not self._site.holds(cell):
            return Outcome(False, OUTSIDE)
        if fits(self._site.at(cell), block):
            return Outcome(False, SAME)
        found = steps_to(Sketch(self._site.terrain), cell, block, on=on, facing=self.facing)
        return self._act(found)

    def remove(self, cell: Cell) -> Outcome:
        if not self._site.holds(cell):
            return Outcome(False, OUTSIDE)
        return self._act(steps_away(Sketch(self._site.terrain), cell))

    def set(self, cells: Sequence[Cell], states: Sequence[str]) -> Outcome:
        changes: dict[Cell, Change] = {}
        for cell, text in zip(cells, states, strict=True):
            if not is_block(text, self.version):
                return Outcome(False, NO_BLOCK)
            if is_air(text):
                changes[cell] = Change(cell, AIR, "removed")
            else:
                changes[cell] = Change(cell, canonical_state(text), "placed")
        wanted = tuple(change for change in changes.values() if self._site.at(change.cell) != change.state)
        if not wanted:
            return Outcome(False, SAME)
        if reason := self._site.forbids(wanted):
            return Outcome(False, reason)
        return self._put(wanted)

    def fill(self, low: Cell, high: Cell, block: str) -> Tally:
        (x0, x1), (y0, y1), (z0, z1) = (sorted(pair) for pair in zip(low, high, strict=True))
        corner = x0, y0, z0
        size = box_size(corner, (x1, y1, z1))
        if (number := prod(size)) > MOST_FILLED:
            return Tally(number, 0, {TOO_MANY: number})
        cells = snake(corner, size, self._site.last)
        return self.run(((x, y, z), block) for x, y, z in cells.tolist())

    def run(self, steps: Iterable[tuple[Cell, str]]) -> Tally:
        asked = done = 0
        refused: Counter[str] = Counter()
        cells: set[Cell] = set()
        for cell, block in steps:
            late = self.deadline is not None and time.monotonic() > self.deadline
            outcome = Outcome(False, NO_TIME) if late else self.place(cell, block)
            asked += 1
            done += outcome.done
            cells.update(change.cell for change in outcome.changes if change.kind == "placed")
            if not outcome.done:
                refused[outcome.reason] += 1
        return Tally(asked, done, dict(refused), frozenset(cells))

    def move(self, position: Point) -> Outcome:
        if not self._site.is_near(position):
            return Outcome(False, "out of reach")
        return self._go(position)

    def look(self, facing: Facing) -> None:
        self.facing = facing

    def read(self, low: Cell, high: Cell) -> list[tuple[Cell, str]]:
        palette, index = self._site.terrain.read(low, high)
        x, y, z = index.nonzero()
        states = index[x, y, z].tolist()
        cells = zip((x + low[0]).tolist(), (y + low[1]).tolist(), (z + low[2]).tolist(), strict=True)
        return [(cell, palette[state]) for cell, state in zip(cells, states, strict=True)]

    def build(self) -> Build:
        self._check()
        return self._site.build()

    def end_turn(self) -> Build:
        self._check()
        return self._site.end_turn()

    @abstractmethod
    def close(self) -> None:
        """Leave; may be called twice."""

    def _act(self, steps: Steps | Refusal) -> Outcome:
        if isinstance(steps, Refusal):
            return Outcome(False, steps.reason)
        if reason := self._site.forbids([change for step in steps for change in step.changes]):
            return Outcome(False, reason)
        return self._carry_out(steps)

    @abstractmethod
    def _carry_out(self, steps: Sequence[Step]) -> Outcome:
        """Do what a hand does, and record it."""

    @abstractmethod
    def _put(self, changes: Sequence[Change]) -> Outcome:
        """Give cells exact states, and record it."""

    @abstractmethod
    def _go(self, position: Point) -> Outcome:
        """Fly there."""

    @abstractmethod
    def _check(self) -> None:
        """Raise what is wrong with the record."""
