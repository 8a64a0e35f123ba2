"""A plot that is being built on: terrain, record, and what the task allows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from minece.agent_bridge.clicks import Cell, Change, Point
from minece.agent_bridge.recorder import Recorder
from minece.agent_bridge.terrain import AIR, Ground, Terrain
from minece.blocks import Build, MineceError
from minece.blocks.build import Provenance
from minece.blocks.catalogue import describe, in_version, materials
from minece.blocks.states import canonical_state, split_state
from minece.tasks.task import Limits

AROUND = 64
"""Blocks that a builder may fly away from a plot."""

FARTHEST = 10_000
"""Blocks that a builder may fly where there is no plot."""

OUTSIDE = "outside the plot"
TOO_MANY = "too many blocks"
USED_UP = "stock used up"
NO_BLOCK = "no such block"


def is_block(text: str, version: str) -> bool:
    """Whether a text is an id or a state of a block that a version of the game has, with properties that it has."""
    try:
        return describe(canonical_state(text)).known and in_version(split_state(text)[0], version)
    except MineceError:
        return False


class Site:
    """What stands on a plot, how it came there, and whether more may come.

    ``bounded`` false lifts the limits of plot, height and depth: for programs that are run without a task.
    """

    def __init__(
        self,
        *,
        limits: Limits,
        stock: Mapping[str, int] | None = None,
        bounded: bool = True,
        provenance: Provenance | None = None,
        who: str = "",
        timed: bool = False,
        ground: Ground | None = None,
    ) -> None:
        self.limits = limits
        self.terrain = Terrain(ground)
        self.last: Cell | None = None
        self._bounded = bounded
        self._stock = None if stock is None else dict(stock)
        self._provenance = provenance or Provenance(format="world", ground="y = 0, the plot's")
        self._recorder = Recorder(who=who, timed=timed)
        self._blocks = 0
        self._used: Counter[str] = Counter()

    @property
    def stock(self) -> dict[str, int] | None:
        """Items left of each material, None where there is no limit."""
        if self._stock is None:
            return None
        return {name: number - self._used[name] for name, number in self._stock.items()}

    def at(self, cell: Cell) -> str:
        """The state of a cell."""
        return self.terrain.at(cell)

    def holds(self, cell: Cell) -> bool:
        """Whether a cell is one of the plot's."""
        x, y, z = cell
        width, depth = self.limits.plot
        inside = 0 <= x < width and 0 <= z < depth and -self.limits.depth <= y < self.limits.height
        return inside or not self._bounded

    def is_near(self, point: Point) -> bool:
        """Whether a builder may fly to a point: not far from the plot, so that nobody has to wait for it."""
        width, depth = self.limits.plot
        low, high = (-AROUND, -AROUND, -AROUND), (width + AROUND, self.limits.height + AROUND, depth + AROUND)
        if not self._bounded:
            low, high = (-FARTHEST,) * 3, (FARTHEST,) * 3
        # What is no number is not between the two.
        return all(a <= value <= b for a, value, b in zip(low, point, high, strict=True))

    def extent(self) -> tuple[Cell, Cell]:
        """The corners of all that can have changed: the plot, or where it has no bounds what did change."""
        if self._bounded:
            width, depth = self.limits.plot
            return (0, -self.limits.depth, 0), (width - 1, self.limits.height - 1, depth - 1)
        cells = np.array([*self.terrain.changed, (0, 0, 0)], dtype=np.int64)
        (x0, y0, z0), (x1, y1, z1) = (cells.min(axis=0) - 1).tolist(), (cells.max(axis=0) + 1).tolist()
        return (x0, y0, z0), (x1, y1, z1)

    def forbids(self, changes: Sequence[Change]) -> str:
        """Why these changes may not be made, "" where they may."""
        if not all(self.holds(change.cell) for change in changes if change.kind != "joined"):
            return OUTSIDE
        more, used = self._difference(changes)
        if more > 0 and self._blocks + more > self.limits.blocks:
            return TOO_MANY
        if self._stock is not None:
            for name, number in used.items():
                if number > 0 and (name not in self._stock or self._used[name] + number > self._stock[name]):
                    return USED_UP
        return ""

    def apply(self, changes: Sequence[Change], *, time: float = 0.0) -> None:
        """Make changes and record them as one action."""
        more, used = self._difference(changes)
        self._blocks += more
        self._used.update(used)
        for cell, state, kind in changes:
            self.terrain.put(cell, state)
            if kind == "placed":
                self.last = cell
        self._recorder.add(changes, time=time)

    def build(self) -> Build:
        """What stands now."""
        return self._recorder.build(self._provenance)

    def end_turn(self) -> Build:
        """The build of the turn that ends here."""
        return self._recorder.end_turn(self._provenance)

    def _difference(self, changes: Iterable[Change]) -> tuple[int, Counter[str]]:
        """How many blocks of the builder's more there would be, and how many items of the stock."""
        after = {change.cell: change.state for change in changes if change.kind != "joined"}
        blocks = 0
        used: Counter[str] = Counter()
        for cell, state in after.items():
            old = self.terrain.changed.get(cell, AIR)
            new = AIR if state == self.terrain.found(cell) else state
            blocks += (new != AIR) - (old != AIR)
            if self._stock is not None:
                for each, sign in ((old, -1), (new, 1)):
                    name, number = self._items(each)
                    if number:
                        used[name] += sign * number
        return blocks, used

    def _items(self, state: str) -> tuple[str, int]:
        """The entry of the stock that a state is taken from, and how many items of it the cell takes."""
        if state == AIR:
            return "", 0
        facts = describe(state)
        props = split_state(state)[1]
        if facts.two_cell and (props.get("part") == "head" or props.get("half") == "upper"):
            return "", 0  # the other half is the item
        for name in self._stock or ():
            if {facts.material, facts.item} & materials(name):
                return name, facts.items
        return facts.item or facts.material, facts.items
