"""A bot on a Minecraft server: a real client that flies, places and breaks as a player does, and tells what it saw."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from minece.agent_bridge.clicks import SIDES, Cell, Click, Point
from minece.agent_bridge.errors import AgentBridgeError, BotError, BridgeError, WorldError
from minece.agent_bridge.fronts import JSON, Front, FrontKind, open_front
from minece.agent_bridge.origin import OWN, Origin
from minece.agent_bridge.versions import state_in_version
from minece.blocks.catalogue import name_in_version
from minece.blocks.errors import MineceError
from minece.blocks.grid import Cells
from minece.blocks.states import canonical_state, is_air

JOINING = 20.0
"""Seconds that a server has to let the bot in."""

HAND = 1.0
"""Seconds that a server has to answer one click."""

READING = 60.0
"""Seconds for a box that has to be flown to."""

MOST_READ = 2**24
"""Cells of a box that can be read at a time."""

_BUDGET = 5.0  # seconds of one call that places or breaks; what is left over goes into the next
_LAST_WISH = 15.0  # seconds that the last wish of such a call may take beyond, with its flight
_MARGIN = 4.0  # seconds beyond its own deadline after which a call counts as hung
_PROMPT = 5.0  # seconds of a call that needs no answer from the server
_AIR = "air"


class Hand(NamedTuple):
    """One use of an item: ``cell`` is where the block is wanted."""

    item: str
    click: Click
    cell: Cell


class Seen(NamedTuple):
    """What came of one action: the blocks that the client saw change by it, in order, with canonical states.

    ``reason`` says why nothing came of it: one of the words that records count, "refused by the server" where the
    server did not say more, or "no answer".
    """

    done: bool
    reason: str
    changes: tuple[tuple[Cell, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Box:
    """What the client sees in a box: ``index`` is (sx, sy, sz) int32, positions in ``palette``."""

    low: Cell
    size: Cell
    palette: tuple[str, ...]
    index: NDArray[np.int32]

    def at(self, cell: Cell) -> str:
        """The canonical state of a cell of the box."""
        x, y, z = (a - b for a, b in zip(cell, self.low, strict=True))
        return self.palette[int(self.index[x, y, z])]


class Status(NamedTuple):
    """How the bot is; ``ping`` in milliseconds, ``health`` of 20."""

    connected: bool
    position: Point
    game_mode: str
    alive: bool
    ping: int
    health: float
    version: str


class BotEvent(NamedTuple):
    """Something that happened to the bot: "chat", "death", "kicked", "error", "end"."""

    kind: str
    text: str


class Bot:
    """A bot on a Minecraft server, which a context manager lets join and leave.

    All cells and points are those of the plot. Every method raises :class:`BotError` when the bot was kicked or lost
    the server, and :class:`BridgeError` when its Node failed; after either it may join again.

    Parameters
    ----------
    host, port : of the server
    version : of the game, that of the server
    name : of the player
    origin : where the plot lies in the world
    front : "javascript" for the package of this name, which holds one bot to a Python process, or "stdio"
    patience : seconds without a sign of life after which the server counts as lost
    """

    def __init__(
        self,
        host: str,
        port: int,
        *,
        version: str = "1.20.4",
        name: str = "builder",
        origin: Origin = OWN,
        front: FrontKind = "javascript",
        patience: float = 5.0,
    ) -> None:
        self.host = host
        self.port = port
        self.version = version
        self.name = name
        self.origin = origin
        self._kind = front
        self._patience = patience
        self._front: Front | None = None
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        self.join()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    def join(self) -> None:
        """Join the server, in creative mode and flying. Raises :class:`BotError` that says why it cannot."""
        with self._lock:
            if self._front is not None and self._front.alive:
                if self._call("status", _PROMPT)["connected"]:
                    raise BotError(f"{self.name} has joined already")
            else:
                self._front = open_front(self._kind)
            try:
                self._call(
                    "connect",
                    JOINING + _MARGIN,
                    host=self.host,
                    port=self.port,
                    version=self.version,
                    name=self.name,
                    deadline_ms=_ms(JOINING),
                    silence_ms=_ms(self._patience),
                )
            except BaseException:
                front, self._front = self._front, None
                front.close()
                raise

    def leave(self) -> None:
        """Leave the server; may be called twice."""
        with self._lock:
            front, self._front = self._front, None
            if front is None:
                return
            try:
                if front.alive:
                    front.call("quit", {}, _PROMPT)
            except AgentBridgeError:
                pass
            finally:
                front.close()

    @property
    def pid(self) -> int:
        """Of the Node in which the bot is."""
        return self._there().pid

    @property
    def position(self) -> Point:
        """Where the bot's feet are."""
        return self.status().position

    def status(self) -> Status:
        """How the bot is."""
        told = self._ask("status", _PROMPT)
        with _sense():
            x, y, z = map(float, told["position"])
            return Status(**{**told, "position": self.origin.plot_point((x, y, z))})

    def events(self) -> list[BotEvent]:
        """What happened to the bot since the last call, of very much the latest."""
        told = self._ask("drainEvents", _PROMPT)
        with _sense():
            return [BotEvent(event["kind"], event["text"]) for event in told["events"]]

    def go_to(self, point: Point, timeout: float = 60.0) -> None:
        """Fly to a point, in a straight line, and wait until the world is there."""
        self._ask("goTo", timeout + _MARGIN, point=self.origin.world_point(point), deadline_ms=_ms(timeout))

    def place(self, hands: Sequence[Hand]) -> list[Seen]:
        """Use items, one after the other: fly within reach, take the item in hand, look and click exactly as asked."""
        wishes = [
            {
                "item": self._item(hand.item),
                "on": self.origin.world(hand.click.on),
                "face": SIDES.index(hand.click.face),
                "cursor": hand.click.cursor,
                "yaw": hand.click.yaw,
                "pitch": hand.click.pitch,
                "cell": self.origin.world(hand.cell),
            }
            for hand in hands
        ]
        return list(self._act("placeMany", "hands", wishes))

    def remove(self, cells: Sequence[Cell]) -> list[Seen]:
        """Break what is in cells, one after the other."""
        return list(self._act("breakMany", "cells", [self.origin.world(cell) for cell in cells]))

    def fill(self, item: str, cells: Sequence[Cell]) -> list[Seen]:
        """Place an item in cells, one after the other, against whatever block is beside each."""
        wishes = [self.origin.world(cell) for cell in cells]
        return list(self._act("fill", "cells", wishes, item=self._item(item)))

    def read(self, low: Cell, high: Cell, timeout: float = READING) -> Box:
        """What the client sees in a box, both corners in it; the bot flies to what is too far away to be seen.

        Raises :class:`BotError` that names a cell which the server did not send.
        """
        size = tuple(last - first + 1 for first, last in zip(low, high, strict=True))
        if min(size) < 1 or prod(size) > MOST_READ:
            raise WorldError(
                f"a box of {' x '.join(map(str, size))} cells cannot be read",
                mend=f"read 1 to {MOST_READ:,} cells at a time",
            )
        told = self._ask(
            "readBox",
            timeout + _MARGIN,
            low=self.origin.world(low),
            high=self.origin.world(high),
            deadline_ms=_ms(timeout),
        )
        with _sense():
            return _box(low, told)

    def await_states(
        self, cells: Cells, palette: Sequence[str], index: NDArray[np.int32], timeout: float
    ) -> NDArray[np.bool_]:
        """(n,) bool: which cells the client saw in their state, by the time all were or the time is up."""
        told = self._ask(
            "awaitStates",
            timeout + _MARGIN,
            palette=[state_in_version(state, self.version) for state in palette],
            cells=self.origin.world_cells(cells).ravel().tolist(),
            index=index.tolist(),
            deadline_ms=_ms(timeout),
        )
        arrived = np.ones(len(cells), dtype=np.bool_)
        with _sense():
            arrived[told["missing"]] = False
        return arrived

    def _act(self, name: str, key: str, wishes: Sequence[Any], /, **rest: Any) -> Iterator[Seen]:
        done = 0
        while done < len(wishes):
            part = {key: wishes[done : done + 1000], "hand_ms": _ms(HAND), "budget_ms": _ms(_BUDGET), **rest}
            told = self._ask(name, _BUDGET + _LAST_WISH, **part)
            with _sense():
                seen = [self._seen(result) for result in told["results"]]
            if not 0 < len(seen) <= len(wishes) - done:
                raise BridgeError(f"the bot's Node told of {len(seen)} actions of {len(wishes) - done}")
            done += len(seen)
            yield from seen

    def _seen(self, result: JSON) -> Seen:
        changes = tuple((self.origin.plot((x, y, z)), _canonical(state)) for x, y, z, state in result["changes"])
        return Seen(result["done"], result["reason"], changes)

    def _item(self, item: str) -> str:
        return name_in_version(item, self.version)

    def _there(self) -> Front:
        if self._front is None:
            raise BotError(f"{self.name} is on no server", mend="join first")
        return self._front

    def _ask(self, name: str, timeout: float, /, **payload: Any) -> JSON:
        with self._lock:
            return self._call(name, timeout, **payload)

    def _call(self, name: str, timeout: float, /, **payload: Any) -> JSON:
        front = self._there()
        try:
            return front.call(name, payload, timeout)
        except (BotError, BridgeError) as error:
            error.at(f"{self.name} at {self.host}:{self.port}")
            raise


@contextmanager
def _sense() -> Iterator[None]:
    """Tells an answer that makes no sense for what it is."""
    try:
        yield
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, MineceError) as error:
        raise BridgeError(f"the bot's Node gave an answer that makes no sense: {error!r}") from error


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def _box(low: Cell, told: JSON) -> Box:
    sx, sy, sz = told["size"]
    runs = np.array(told["runs"], dtype=np.int64).reshape(-1, 2)
    numbers: dict[str, int] = {}
    place = [numbers.setdefault(_canonical(state), len(numbers)) for state in told["palette"]]
    index = np.repeat(np.array(place, dtype=np.int32)[runs[:, 1]], runs[:, 0]).reshape(sx, sy, sz)
    return Box(low, (sx, sy, sz), tuple(numbers), index)


@lru_cache(maxsize=65536)
def _canonical(state: str) -> str:
    text = canonical_state(state)
    return _AIR if is_air(text) else text
