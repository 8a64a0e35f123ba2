"""The record of what a builder does: an ordered log, one a turn, from which builds are made."""

from __future__ import annotations

from collections.abc import Iterable

from minece.agent_bridge.clicks import Cell, Change
from minece.agent_bridge.terrain import AIR
from minece.blocks import Build, Log
from minece.blocks.build import Provenance


class Recorder:
    """Placements and removals in their order.

    Fences that join and stairs that turn a corner are no placements: where a block's state follows its neighbours,
    the placement that brought it there is rewritten, so that the log holds what the builder did and leaves what
    stands in the end. Soil that follows (snow on grass, earth under a path) stays soil and is not recorded.
    """

    def __init__(self, *, who: str = "", timed: bool = False) -> None:
        self._who = who
        self._timed = timed
        self._turns: list[Build] = []
        self._start_turn()

    def _start_turn(self) -> None:
        self._cells: list[Cell] = []
        self._states: list[str | None] = []
        self._times: list[float] = []
        self._last: dict[Cell, int] = {}

    def __len__(self) -> int:
        return len(self._cells)

    def add(self, changes: Iterable[Change], *, time: float = 0.0) -> None:
        """Record one action; ``time`` in seconds since the start, where times are known."""
        rows = list(changes)
        filled = {change.cell for change in rows if change.kind == "placed"}
        for cell, state, kind in rows:
            before = self._last.get(cell)
            if kind == "removed" and cell in filled:
                continue  # what is replaced is one placement
            if kind == "joined":
                if before is not None and self._states[before] is not None:
                    self._states[before] = state
                    continue
                if not self._stood(cell):
                    continue
            self._last[cell] = len(self._cells)
            self._cells.append(cell)
            self._states.append(None if state == AIR else state)
            self._times.append(time)

    def _stood(self, cell: Cell) -> bool:
        """Whether an earlier turn left a block in a cell."""
        return bool(self._turns) and bool(self._turns[-1].blocks.contains([cell])[0])

    def build(self, provenance: Provenance) -> Build:
        """What stands now, with the log of all turns so far."""
        time = self._times if self._timed else None
        log = Log.of(self._cells, self._states, time=time, who=self._who)
        if self._turns:
            return self._turns[-1].then(log)
        return Build.from_log(log, provenance=provenance)

    def end_turn(self, provenance: Provenance) -> Build:
        """The build of the turn that ends here."""
        self._turns.append(self.build(provenance))
        self._start_turn()
        return self._turns[-1]
