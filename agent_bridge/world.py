"""What builders build in: one protocol for the world in memory and the real game."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from minece.agent_bridge.clicks import Cell, Change, Point, Side
from minece.blocks import Build
from minece.tasks.task import Limits

BUILDER = "builder"
"""The name of the bot and of whoever programs are, in logs too."""

Facing: TypeAlias = Literal["north", "south", "west", "east"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one wish: ``done``, or the reason why not; ``changes`` lists the cells that are different now."""

    done: bool
    reason: str = ""
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Tally:
    """What came of many wishes: how many were done, how many were refused by reason, and where something was placed."""

    asked: int
    done: int
    refused: Mapping[str, int]
    cells: frozenset[Cell] = frozenset()


class World(Protocol):
    """A plot with soil below y = 0 and air above, one builder in it, and a record of all that the builder does.

    Cells are those of the plot, in every world alike. A wish that cannot be met is an :class:`Outcome` with its
    reason; an :class:`~minece.agent_bridge.errors.AgentBridgeError` means that the world itself is broken.
    """

    version: str
    """The game version whose blocks there are, such as "1.20.4"."""
    position: Point
    """Where the builder's feet are; a builder in the middle of a cell has fractions of one half."""
    facing: Facing
    deadline: float | None
    """The moment, of ``time.monotonic``, after which what is left of a :meth:`run` is refused: "no time left"."""

    @property
    def limits(self) -> Limits:
        """How far and how much may be built."""
        ...

    @property
    def stock(self) -> Mapping[str, int] | None:
        """Items left of each material, None where there is no limit."""
        ...

    def place(self, cell: Cell, block: str, *, on: Side | None = None) -> Outcome:
        """Place a block as a player does: item in hand, against a neighbour, what stands in the cell taken away first.

        ``block`` is an id, or a state whose given properties must come about (``oak_stairs[facing=east]``); ``on``
        is the side of the cell at which the neighbour to click lies, tried first. Doors and beds get both halves,
        torches at a side hang on the wall, fences join.
        """
        ...

    def set(self, cells: Sequence[Cell], states: Sequence[str]) -> Outcome:
        """Give each cell exactly this state; nothing joins, hangs or falls. ``air`` empties it."""
        ...

    def remove(self, cell: Cell) -> Outcome:
        """Break a block, soil too."""
        ...

    def fill(self, low: Cell, high: Cell, block: str) -> Tally:
        """Place a block in every cell of a box (both corners in it), in snake order; ``air`` removes."""
        ...

    def run(self, steps: Iterable[tuple[Cell, str]]) -> Tally:
        """Place (``air`` removes) in many cells, in order: as quick as the world can."""
        ...

    def move(self, position: Point) -> Outcome:
        """Fly there."""
        ...

    def look(self, facing: Facing) -> None:
        """Turn to a side."""
        ...

    def read(self, low: Cell, high: Cell) -> list[tuple[Cell, str]]:
        """All cells of a box that hold a block, soil too, with their states, by (x, y, z)."""
        ...

    def at(self, cell: Cell) -> str:
        """The state of one cell, "air" where it is empty."""
        ...

    def build(self) -> Build:
        """What was built so far, with its log. In the game the plot is read back first: what differs from the record
        is a :class:`~minece.agent_bridge.errors.BridgeError`."""
        ...

    def end_turn(self) -> Build:
        """The same, and the next instruction's turn begins."""
        ...

    def facts(self) -> dict[str, Any]:
        """What a record should say of the world: kind, version, and how what was asked arrived."""
        ...

    def close(self) -> None:
        """Leave; may be called twice."""
        ...


@contextmanager
def until(world: World, seconds: float) -> Iterator[float]:
    """The moment at which a builder's time is over, which its long wishes keep too."""
    world.deadline = time.monotonic() + seconds
    try:
        yield world.deadline
    finally:
        world.deadline = None
