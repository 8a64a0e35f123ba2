"""A world of whole blocks: soil below, air above, no rules but a neighbour to place on. For tests of programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from minece.agent_bridge.clicks import SIDES, Cell, Change, Point, Side, beside
from minece.agent_bridge.world import Facing, Outcome, Tally
from minece.blocks import EMPTY, Build
from minece.blocks.catalogue import describe
from minece.blocks.states import canonical_state, material_of
from minece.tasks.paths import snake
from minece.tasks.task import Limits


class PlainWorld:
    """Keeps what was done in ``cells`` and how often it was asked for anything in ``asked``."""

    def __init__(self) -> None:
        self.version = "1.21.4"
        self.limits = Limits()
        self.position: Point = (0.5, 0.0, 0.5)
        self.facing: Facing = "north"
        self.cells: dict[Cell, str] = {}
        self.stock: Mapping[str, int] | None = None
        self.asked: list[tuple[str, Cell, str, Side | None]] = []

    def at(self, cell: Cell) -> str:
        below = "grass_block[snowy=false]" if cell[1] == -1 else "dirt" if cell[1] < 0 else "air"
        return self.cells.get(cell, below)

    def place(self, cell: Cell, block: str, *, on: Side | None = None) -> Outcome:
        self.asked.append(("place", cell, block, on))
        if not describe(block).known:
            return Outcome(False, "no such block")
        if material_of(self.at(cell)) == material_of(block):
            return Outcome(False, "same block already there")
        if all(self.at(beside(cell, side)) == "air" for side in SIDES):
            return Outcome(False, "nothing to place on")
        return self.set([cell], [block])

    def set(self, cells: Sequence[Cell], states: Sequence[str]) -> Outcome:
        if not all(describe(state).known for state in states):
            return Outcome(False, "no such block")
        changes = [Change(cell, canonical_state(state), "placed") for cell, state in zip(cells, states, strict=True)]
        self.cells.update((change.cell, change.state) for change in changes)
        return Outcome(True, changes=tuple(changes))

    def remove(self, cell: Cell) -> Outcome:
        self.asked.append(("remove", cell, "", None))
        if self.at(cell) == "air":
            return Outcome(False, "nothing to break")
        self.cells[cell] = "air"
        return Outcome(True, changes=(Change(cell, "air", "removed"),))

    def fill(self, low: Cell, high: Cell, block: str) -> Tally:
        corner = tuple(min(pair) for pair in zip(low, high, strict=True))
        size = tuple(abs(a - b) + 1 for a, b in zip(low, high, strict=True))
        cells = snake((corner[0], corner[1], corner[2]), (size[0], size[1], size[2]))
        return self.run(((x, y, z), block) for x, y, z in cells.tolist())

    def run(self, steps: Iterable[tuple[Cell, str]]) -> Tally:
        outcomes = [self.remove(cell) if block == "air" else self.place(cell, block) for cell, block in steps]
        refused = Counter(outcome.reason for outcome in outcomes if not outcome.done)
        cells = {change.cell for outcome in outcomes for change in outcome.changes if change.kind == "placed"}
        return Tally(len(outcomes), sum(outcome.done for outcome in outcomes), dict(refused), frozenset(cells))

    def move(self, position: Point) -> Outcome:
        if max(map(abs, position)) > 10_000:
            return Outcome(False, "out of reach")
        self.position = position
        return Outcome(True)

    def look(self, facing: Facing) -> None:
        self.facing = facing

    def read(self, low: Cell, high: Cell) -> list[tuple[Cell, str]]:
        cells = [
            (x, y, z)
            for x in range(low[0], high[0] + 1)
            for y in range(low[1], high[1] + 1)
            for z in range(low[2], high[2] + 1)
        ]
        return [(cell, state) for cell in cells if (state := self.at(cell)) != "air"]

    def build(self) -> Build:
        return Build(EMPTY)

    def end_turn(self) -> Build:
        return self.build()

    def facts(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        pass

    def blocks(self) -> dict[Cell, str]:
        """What stands there, soil left out."""
        return {cell: state for cell, state in sorted(self.cells.items()) if state != "air"}
