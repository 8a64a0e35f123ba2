"""Our own Minecraft server: a flat world, where every placement and removal by hand is judged here.

The server is a child process that runs flying-squid. Nothing in its world happens by itself: nothing flows, burns,
falls or joins, and a click never opens a door. Who joins is in creative mode, nobody is operator, and the commands of
the game are refused. The world is in memory and ends with the server.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, NamedTuple, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minece.agent_bridge.clicks import Cell, Change, Click, Point, Refusal
from minece.agent_bridge.errors import ServerError
from minece.agent_bridge.origin import DIRT_LAYERS, OWN, Origin
from minece.agent_bridge.processes import Message, NodeProcess
from minece.agent_bridge.versions import state_in_version
from minece.blocks.errors import StateError
from minece.blocks.grid import Cells
from minece.blocks.states import canonical_state, material_of

_PATIENCE = 10.0
_BULK = 50_000  # blocks in one request


@dataclass(frozen=True, slots=True)
class Use:
    """A player uses an item on a block."""

    player: str
    item: str
    click: Click
    eye: Point


@dataclass(frozen=True, slots=True)
class Dig:
    """A player breaks a block."""

    player: str
    cell: Cell
    eye: Point


Wish: TypeAlias = Use | Dig

Judge: TypeAlias = Callable[[Wish], tuple[Change, ...] | Refusal]
"""Says what comes of a wish. The changes are carried out as they are, so a judge may record them.

The server waits for it: it must not set blocks meanwhile. An error of it comes to light in the next call.
"""


class LoggedChange(NamedTuple):
    """A cell that came into another state: at which tick of the game, and by whom ("" for us)."""

    tick: int
    player: str
    cell: Cell
    state: str


class ServerEvent(NamedTuple):
    """Something that a player did: ``text`` is what was said, or the reason of a refusal."""

    kind: Literal["joined", "left", "chat", "refused"]
    player: str
    text: str = ""
    cell: Cell | None = None


class Guest(NamedTuple):
    """A player who is on the server."""

    name: str
    position: Point
    yaw: float
    pitch: float


class Facts(NamedTuple):
    """How the server is: bytes of memory, ticks and seconds since it started."""

    memory: int
    tick: int
    uptime: float


class MinecraftServer:
    """A Minecraft server of ours, which a context manager starts and stops.

    All cells and points are those of the plot. Every method raises :class:`ServerError` once the server is dead.

    Parameters
    ----------
    judge : decides what players do to blocks; called one wish at a time, on a thread of the server's. Wishes out of
        reach, or for a cell in which somebody stands, are refused without it.
    version : of the game
    host, port : where it listens; port 0 takes a free one
    origin : where the plot lies in the world
    spawn : where players appear
    names : who may join; None for anyone
    """

    def __init__(
        self,
        judge: Judge,
        *,
        version: str = "1.20.4",
        host: str = "127.0.0.1",
        port: int = 0,
        origin: Origin = OWN,
        spawn: Point = (0.5, 0.0, 0.5),
        names: Collection[str] | None = None,
    ) -> None:
        self.version = version
        self.host = host
        self.port = port
        self._judge = judge
        self._origin = origin
        self._spawn = spawn
        self._names = names
        self._process: NodeProcess | None = None
        self._log: list[LoggedChange] = []
        self._reading_log = threading.Lock()
        self._fault: Exception | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start the server; it is ready when this returns."""
        if self._process is not None:
            raise ServerError("the server was started before")
        self._process = NodeProcess(
            "server.mjs", error=ServerError, name="the Minecraft server", answer=self._answer_wish
        )
        try:
            told = self._ask(
                "start",
                timeout=30.0,
                version=self.version,
                host=self.host,
                port=self.port,
                names=None if self._names is None else sorted(self._names),
                spawn=self._origin.world_point(self._spawn),
                dirt=DIRT_LAYERS,
            )
        except ServerError as error:
            self._process.kill()
            if "EADDRINUSE" in str(error):
                raise ServerError(
                    f"port {self.port} of {self.host} is taken", mend="give another one, or 0 for a free one"
                ) from None
            raise
        except BaseException:
            self._process.kill()
            raise
        self.port = told["port"]

    def stop(self) -> None:
        """Send everybody away and end the server; may be called twice."""
        process = self._process
        if process is None:
            return
        if process.alive:
            try:
                process.request("stop", timeout=2.0)
                process.wait(1.0)
            except ServerError:
                pass
        process.stop()

    def kill(self) -> None:
        """End the server process as a fault would."""
        if self._process is not None:
            self._process.kill()

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.alive

    @property
    def pid(self) -> int:
        if self._process is None:
            raise ServerError("the server was not started")
        return self._process.pid

    def set_blocks(self, cells: Cells, palette: Sequence[str], index: NDArray[np.int32]) -> None:
        """Give cells exactly these states; nothing joins them. All or, on an error, none of up to 50,000."""
        if len(cells) != len(index):
            raise ServerError(f"{len(cells)} cells but {len(index)} states")
        states = [_in_version(state, self.version) for state in palette]
        world = self._origin.world_cells(cells)
        for first in range(0, len(world), _BULK):
            part = slice(first, first + _BULK)
            used, local = np.unique(index[part], return_inverse=True)
            self._ask(
                "set",
                timeout=_PATIENCE + len(world) / 1000,
                palette=[states[i] for i in used],
                cells=world[part].ravel().tolist(),
                index=local.ravel().tolist(),
            )

    def changes(self) -> list[LoggedChange]:
        """Every change of a block since the start, in order."""
        with self._reading_log:
            while True:
                told = self._ask("changes", **{"from": len(self._log)})
                palette = [canonical_state(state) for state in told["palette"]]
                rows = np.array(told["log"], dtype=np.int64).reshape(-1, 6).tolist()
                self._log += [
                    LoggedChange(tick, told["who"][who], self._origin.plot((x, y, z)), palette[state])
                    for tick, who, x, y, z, state in rows
                ]
                if len(self._log) >= told["total"]:
                    return list(self._log)

    def events(self) -> list[ServerEvent]:
        """What players did since the last call."""
        self._ask("nothing")
        return [self._event(event) for event in self._running().events()]

    def players(self) -> list[Guest]:
        """Who is on the server."""
        return [
            Guest(one["name"], self._origin.plot_point(tuple(one["position"])), one["yaw"], one["pitch"])
            for one in self._ask("players")
        ]

    def say(self, text: str, to: str | None = None) -> None:
        """Write a line into the chat of one player, or of all."""
        self._ask("say", text=text, to=to)

    def title(self, text: str, to: str) -> None:
        """Write in large letters over a player's view."""
        self._ask("title", text=text, to=to)

    def kick(self, name: str, why: str) -> None:
        """Send a player away."""
        self._ask("kick", name=name, why=why)

    def teleport(self, name: str, point: Point, yaw: float = 0.0, pitch: float = 0.0) -> None:
        """Put a player somewhere."""
        self._ask("teleport", name=name, point=self._origin.world_point(point), yaw=yaw, pitch=pitch)

    def facts(self) -> Facts:
        """How the server is."""
        return Facts(**self._ask("facts"))

    def _running(self) -> NodeProcess:
        if self._process is None:
            raise ServerError("the server was not started")
        if self._fault is not None:
            raise ServerError(f"a wish could not be judged: {self._fault}") from self._fault
        return self._process

    def _ask(self, do: str, *, timeout: float = _PATIENCE, **payload: Any) -> Any:
        return self._running().request(do, payload, timeout=timeout)

    def _answer_wish(self, question: Message) -> Message:
        try:
            verdict = self._judge(self._wish(question))
            if isinstance(verdict, Refusal):
                return {"refused": verdict.reason}
            return {
                "changes": [[*self._origin.world(cell), _in_version(state, self.version)] for cell, state, _ in verdict]
            }
        except Exception as fault:
            self._fault = fault
            raise

    def _wish(self, question: Message) -> Wish:
        if "fault" in question:
            raise ServerError(f"the verdict cannot be carried out: {question['fault']}")
        cell = self._origin.plot(tuple(question["on"]))
        eye = self._origin.plot_point(tuple(question["eye"]))
        if question["wish"] == "dig":
            return Dig(question["player"], cell, eye)
        cursor = tuple(question["cursor"])
        click = Click(cell, question["face"], cursor, question["yaw"], question["pitch"])
        return Use(question["player"], material_of(question["item"]), click, eye)

    def _event(self, event: Message) -> ServerEvent:
        cell = self._origin.plot(tuple(event["cell"])) if "cell" in event else None
        text: str = event["reason"] if "reason" in event else event.get("text", "")
        return ServerEvent(event["event"], event["player"], text, cell)


def _in_version(state: str, version: str) -> str:
    try:
        return state_in_version(state, version)
    except StateError as error:
        raise ServerError(str(error)) from error
