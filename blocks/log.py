"""The ordered log of placements and removals, and what it leaves behind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minece.blocks.blockset import EMPTY, BlockSet, mirror_cells, turn_cells
from minece.blocks.errors import LogError
from minece.blocks.grid import Cells, Frame, as_cells, difference, unique_cells
from minece.blocks.orient import mirror_state, turn_state
from minece.blocks.states import canonical_state, is_air

REMOVED = -1
"""Palette index of a removal."""

UNTOUCHED = -2
"""Stands for a palette index where the log had not touched a cell yet."""

Event = Sequence[object]
"""``[x, y, z, state]``, ``["place", x, y, z, state]`` or ``["break", x, y, z]``; placing air removes."""


class Outcome(NamedTuple):
    """What the log did last to each cell it touched.

    ``cells`` (k, 3) int32 sorted by (x, y, z); ``state`` (k,) int32 palette index or ``REMOVED``; ``event`` (k,)
    int64, number of the event that brought the cell into that state (putting the same state again is none);
    ``before`` (k,) int32, the cell's state before that event, ``UNTOUCHED`` where there was none.
    """

    cells: Cells
    state: NDArray[np.int32]
    event: NDArray[np.int64]
    before: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Log:
    """Ordered placements and removals.

    Attributes
    ----------
    cells : (m, 3) int32, relative to the ground plane
    index : (m,) int32, position in ``palette`` of the state placed, ``REMOVED`` for a removal
    palette : canonical block states, each once
    time : (m,) float64 seconds, or None where times are not known
    who : name of the builder, "" where it is not known
    first : number of the first event of the latest turn; earlier events belong to earlier turns
    """

    cells: Cells
    index: NDArray[np.int32]
    palette: tuple[str, ...]
    time: NDArray[np.float64] | None = None
    who: str = ""
    first: int = 0

    def __post_init__(self) -> None:
        for array in (self.cells, self.index, self.time):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def of(
        cls,
        cells: ArrayLike,
        states: Sequence[str | None],
        *,
        time: ArrayLike | None = None,
        who: str = "",
    ) -> Self:
        """A log from m×3 coordinates and m state texts; None and air remove what is in the cell."""
        numbers: dict[str, int] = {}
        names: dict[str, int] = {}
        index = np.empty(len(states), dtype=np.int32)
        for i, text in enumerate(states):
            if text is None:
                index[i] = REMOVED
                continue
            known = numbers.get(text)
            if known is None:
                state = canonical_state(text)
                known = REMOVED if is_air(state) else names.setdefault(state, len(names))
                numbers[text] = known
            index[i] = known
        rows = as_cells(cells).copy()
        if len(rows) != len(index):
            raise LogError(f"{len(rows)} cells but {len(index)} states")
        times = None if time is None else np.array(time, dtype=np.float64)
        if times is not None and times.shape != index.shape:
            raise LogError(f"{len(index)} events but {times.size} times")
        return cls(rows, index, tuple(names), times, who)

    @classmethod
    def from_events(cls, events: Iterable[Event], *, ground_y: int = 0) -> Self:
        """A log from rows as in :data:`Event`; ``ground_y`` is the height of the ground plane in their coordinates.

        Raises :class:`LogError` naming the row that cannot be read.
        """
        cells: list[Any] = []
        states: list[str | None] = []
        for number, event in enumerate(events):
            place, state = _read_event(event, number)
            cells.append(place)
            states.append(state)
        log = cls.of(cells, states)
        if ground_y:
            moved = log.translated(0, -ground_y, 0)
            return cls(moved.cells, log.index, log.palette)
        return log

    def __len__(self) -> int:
        return len(self.cells)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Log):
            return NotImplemented
        return self.first == other.first and self.events() == other.events()

    __hash__ = None  # type: ignore[assignment]

    def events(self) -> list[list[object]]:
        """The log as ``["place", x, y, z, state]`` and ``["break", x, y, z]`` rows."""
        rows = zip(self.cells.tolist(), self.index.tolist(), strict=True)
        return [["break", x, y, z] if i == REMOVED else ["place", x, y, z, self.palette[i]] for (x, y, z), i in rows]

    @cached_property
    def _by_cell(self) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
        """(m,) each: positions of the events cell by cell, each cell's in their order; and of these, which are the
        first in their cell and which bring it into another state."""
        keys = Frame.around(self.cells).keys(self.cells)
        order = np.argsort(keys, kind="stable")
        keys, state = keys[order], self.index[order]
        new_cell = np.ones(len(keys), dtype=np.bool_)
        new_cell[1:] = keys[1:] != keys[:-1]
        change = new_cell.copy()
        change[1:] |= state[1:] != state[:-1]
        return order, new_cell, change

    @property
    def without_repeats(self) -> Log:
        """The log without events that leave their cell as the event before left it."""
        order, _, change = self._by_cell
        kept = np.sort(order[change])
        time = None if self.time is None else self.time[kept]
        first = int(np.searchsorted(kept, self.first))
        return Log(self.cells[kept], self.index[kept], self.palette, time, self.who, first)

    @cached_property
    def outcome(self) -> Outcome:
        """What the log did last to each cell."""
        if not len(self):
            none = np.empty(0, dtype=np.int32)
            return Outcome(as_cells(()), none, np.empty(0, dtype=np.int64), none)
        order, new_cell, change = self._by_cell
        state = self.index[order]
        ends = np.append(np.flatnonzero(new_cell[1:]), len(order) - 1)
        run_of_end = np.cumsum(change)[ends] - 1
        starts = np.flatnonzero(change)[run_of_end]
        before = np.where(new_cell[starts], np.int32(UNTOUCHED), state[starts - 1])
        return Outcome(self.cells[order[ends]], state[ends], order[starts], before)

    def replay(self, start: BlockSet = EMPTY, dug: Cells | None = None) -> tuple[BlockSet, Cells]:
        """Blocks and dug cells after the log, from what stood before it.

        ``dug`` are the cells below ground that were empty before. A removal below ground digs whether there was
        a block or soil; a later block fills the hole.
        """
        cells, index, _, _ = self.outcome
        there = index != REMOVED
        placed = BlockSet(cells[there], index[there], self.palette)
        blocks = placed.placed_over(start - cells[~there]) if len(start) else placed
        holes = cells[~there & (cells[:, 1] < 0)]
        if dug is not None and len(dug):
            holes = np.concatenate([dug, holes])
        return blocks, difference(unique_cells(holes), blocks.cells)

    def placed_at(self, blocks: BlockSet) -> NDArray[np.int64]:
        """(n,) int64: number of the event that placed each of n finished blocks, -1 where the log has none."""
        cells, index, event, _ = self.outcome
        there = index != REMOVED
        cells = cells[there]
        last: NDArray[np.int64] = event[there]
        # Most logs leave the finished blocks and nothing else.
        if np.array_equal(cells, blocks.cells):
            return last
        out = np.full(len(blocks), -1, dtype=np.int64)
        at = blocks.locate(cells)
        found = at >= 0
        out[at[found]] = last[found]
        return out

    def then(self, later: Log) -> Log:
        """This log followed by the next turn's."""
        numbers = {state: i for i, state in enumerate(self.palette)}
        moved = np.array([numbers.setdefault(s, len(numbers)) for s in later.palette] + [REMOVED], dtype=np.int32)
        time = None
        if self.time is not None and later.time is not None:
            time = np.concatenate([self.time, later.time])
        return Log(
            np.concatenate([self.cells, later.cells]),
            np.concatenate([self.index, moved[later.index]]),
            tuple(numbers),
            time,
            self.who if self.who == later.who else "",
            len(self),
        )

    @property
    def latest(self) -> Log:
        """The events of the latest turn alone."""
        part = slice(self.first, None)
        time = None if self.time is None else self.time[part]
        return Log(self.cells[part], self.index[part], self.palette, time, self.who)

    def translated(self, dx: int, dy: int, dz: int) -> Log:
        """The log moved by whole cells."""
        moved = as_cells(self.cells.astype(np.int64) + np.array([dx, dy, dz], dtype=np.int64))
        return Log(moved, self.index, self.palette, self.time, self.who, self.first)

    def turned(self, quarters: int) -> Log:
        """The log turned as :meth:`BlockSet.turned` turns blocks."""
        palette = tuple(turn_state(s, quarters % 4) for s in self.palette)
        return Log(turn_cells(self.cells, quarters), self.index, palette, self.time, self.who, self.first)

    def mirrored(self, axis: str) -> Log:
        """The log mirrored as :meth:`BlockSet.mirrored` mirrors blocks."""
        side = "x" if axis == "x" else "z"
        palette = tuple(mirror_state(s, side) for s in self.palette)
        return Log(mirror_cells(self.cells, axis), self.index, palette, self.time, self.who, self.first)


def _read_event(event: Event, number: int) -> tuple[Sequence[object], str | None]:
    if isinstance(event, (list, tuple)):
        match event:
            case ["place", x, y, z, str(state)] if _whole(x, y, z):
                return (x, y, z), state
            case ["break", x, y, z] if _whole(x, y, z):
                return (x, y, z), None
            case [x, y, z, str(state)] if _whole(x, y, z):
                return (x, y, z), state
    shown = repr(event)
    raise LogError(
        f"event {shown if len(shown) < 80 else shown[:77] + '…'} cannot be read",
        where=f"log event {number}",
        mend='write [x, y, z, "state"], ["place", x, y, z, "state"] or ["break", x, y, z] with whole numbers',
    )


def _whole(*values: object) -> bool:
    return all(isinstance(v, (int, np.integer)) and not isinstance(v, bool) for v in values)
