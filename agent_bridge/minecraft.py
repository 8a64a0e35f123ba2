"""The world that is a game: a bot on a Minecraft server, with a record that the game has to agree with.

Two modes. *Embodied*: the bot flies there, takes the item in hand, looks and clicks; what the server answers is what
happened. *Exact*: what a hand would bring about is worked out, set over the server's control channel and read back by
the bot; hundreds of times as quick, for programs whose hands nobody asks about. Both leave the same blocks.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from minece.agent_bridge.bot import Bot, Box, Hand, Seen
from minece.agent_bridge.building import BuilderWorld
from minece.agent_bridge.clicks import Cell, Change, Point
from minece.agent_bridge.errors import BotError, BridgeError, ServerError, WorldError
from minece.agent_bridge.fronts import FrontKind
from minece.agent_bridge.hands import Step, Use
from minece.agent_bridge.origin import Origin
from minece.agent_bridge.referee import Referee
from minece.agent_bridge.server import MinecraftServer
from minece.agent_bridge.site import Site
from minece.agent_bridge.terrain import AIR, Terrain, box_size
from minece.agent_bridge.world import BUILDER, Outcome
from minece.blocks import tables
from minece.blocks.build import Provenance
from minece.blocks.grid import as_cells
from minece.blocks.states import AIRS, material_of
from minece.tasks.task import Limits

Mode: TypeAlias = Literal["exact", "embodied"]

DEFAULT_VERSION = OLDEST = "1.20.4"
NEWEST = "1.21.4"

NO_ANSWER = "no answer"
NOT_EXACT = "no exact states here"

_DYING = 0.3
"""Seconds until the death of a server process is known."""

_BATCH = 512
"""Blocks that are set together in exact mode."""

_ARRIVAL = 5.0
"""Seconds that blocks may take from the server to the bot."""

_NAMED = 3
"""Cells that a message names."""


class MinecraftWorld(BuilderWorld):
    """A plot in the game. Use :func:`own_world` or :func:`foreign_world`; ``close`` ends bot and server."""

    def __init__(
        self,
        site: Site,
        bot: Bot,
        *,
        mode: Mode,
        version: str,
        start: Point,
        server: MinecraftServer | None,
        referee: Referee | None,
        resources: ExitStack,
    ) -> None:
        super().__init__(site, version=version, start=start)
        self.mode = mode
        self.asked = 0
        self.verified = 0
        self._bot = bot
        self._server = server
        self._referee = referee
        self._resources = resources
        self._waiting: list[Change] = []
        self._start = time.monotonic()

    def facts(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"kind": "minecraft", "version": self.version, "mode": self.mode}
        facts["server"] = "own" if self._server is not None else "foreign"
        if self.mode == "exact":
            facts.update(asked=self.asked, verified=self.verified, missing=self.asked - self.verified)
        return facts

    def close(self) -> None:
        self._resources.close()

    def _carry_out(self, steps: Sequence[Step]) -> Outcome:
        if self.mode == "exact":
            return self._put([change for step in steps for change in step.changes])
        self._flush()  # a hand finds what was set before
        made: list[Change] = []
        before: dict[Cell, str] = {}
        reason = ""
        for step in steps:
            with self._blamed():
                seen = self._do(step)
                if seen.reason == NO_ANSWER:
                    raise BotError(f"the server gave no answer to {type(step.act).__name__.lower()} at {step.act.cell}")
            changes = self._changes(step, seen, before)
            made += changes
            if not seen.done:
                reason = self._refusal() or seen.reason
                break
            if self._server is not None:
                _compare(step, changes)
        self._site.apply(made, time=self._now())
        return Outcome(not reason, reason, tuple(made))

    def _do(self, step: Step) -> Seen:
        act = step.act
        if isinstance(act, Use):
            return self._bot.place([Hand(act.item, act.click, act.cell)])[0]
        return self._bot.remove([act.cell])[0]

    def _changes(self, step: Step, seen: Seen, before: dict[Cell, str]) -> list[Change]:
        """What the bot saw change; ``before`` holds the cells that this action has changed so far.

        Of what kind a change is follows from what was to be expected, and where the game does more from the states.
        """
        expected = {change.cell: change for change in step.changes}
        out: list[Change] = []
        for cell, state in seen.changes:
            old = before.get(cell, self._site.at(cell))
            if state == old:
                continue
            before[cell] = state
            foreseen = expected.get(cell)
            if foreseen is not None and foreseen.state == state:
                out.append(foreseen)
            elif state == AIR:
                out.append(Change(cell, state, "removed"))
            else:
                same = old != AIR and material_of(old) == material_of(state)
                out.append(Change(cell, state, "joined" if same else "placed"))
        # Packets come in an order of their own; the log keeps that of the rules, as in memory.
        order = {cell: number for number, cell in enumerate(expected)}
        return sorted(out, key=lambda change: order.get(change.cell, len(order)))

    @contextmanager
    def _blamed(self) -> Iterator[None]:
        """Where the bot lost a server of ours that has died, the server is at fault."""
        try:
            yield
        except BotError as error:
            if self._server is None:
                raise
            end = time.monotonic() + _DYING
            while self._server.alive and time.monotonic() < end:
                time.sleep(0.01)
            if self._server.alive:
                raise
            raise ServerError(f"the Minecraft server died: {error}") from error

    def _refusal(self) -> str:
        """Our server's own word for the last refusal, "" on somebody else's."""
        if self._server is None:
            return ""
        refused = [event.text for event in self._server.events() if event.kind == "refused"]
        return refused[-1] if refused else ""

    def _put(self, changes: Sequence[Change]) -> Outcome:
        if self._server is None:
            return Outcome(False, NOT_EXACT)
        self._site.apply(changes, time=self._now())
        self._waiting += changes
        if len(self._waiting) >= _BATCH:
            self._flush()
        return Outcome(True, changes=tuple(changes))

    def _flush(self) -> None:
        """Set what waits, and see to it that it arrives."""
        if not self._waiting or self._server is None or self._referee is None:
            return
        wanted = {change.cell: change for change in self._waiting}
        self._waiting = []
        cells = as_cells(list(wanted))
        numbers: dict[str, int] = {}
        index = np.array([numbers.setdefault(c.state, len(numbers)) for c in wanted.values()], dtype=np.int32)
        palette = list(numbers)
        self._referee.told(list(wanted.values()))
        self.asked += len(cells)
        missing = np.ones(len(cells), dtype=np.bool_)
        for _ in range(2):
            self._server.set_blocks(cells[missing], palette, index[missing])
            with self._blamed():
                arrived = self._bot.await_states(cells[missing], palette, index[missing], timeout=_ARRIVAL)
            missing[missing] = ~arrived
            if not missing.any():
                break
        self.verified += int((~missing).sum())
        if missing.any():
            raise BridgeError(
                f"{int(missing.sum())} of {len(cells)} blocks did not arrive: {_named(cells[missing].tolist())}"
            )

    def _go(self, position: Point) -> Outcome:
        self._flush()
        with self._blamed():
            self._bot.go_to(position)
        self.position = position
        return Outcome(True)

    def _check(self) -> None:
        """Compare the record with what the bot sees and with what the server logged."""
        self._flush()
        low, high = self._site.extent()
        with self._blamed():
            box = self._bot.read(low, high)
        compare_boxes(self._site.terrain, box, who="the bot sees")
        if self._server is not None:
            compare_log(self._server, self._site)

    def _now(self) -> float:
        return time.monotonic() - self._start


def own_world(
    *,
    limits: Limits,
    start: Point,
    stock: Mapping[str, int] | None = None,
    mode: Mode = "embodied",
    version: str = DEFAULT_VERSION,
    bounded: bool = True,
    source: str = "",
    front: FrontKind = "javascript",
) -> MinecraftWorld:
    """A server of our own, started for this world alone, with a bot on it.

    ``front`` is that of the :class:`Bot`; a second world at the same time needs "stdio". Raises
    :class:`~minece.agent_bridge.errors.AgentBridgeError`: what is not installed, what did not start.
    """
    known = tables.versions()
    if version not in known[known.index(OLDEST) : known.index(NEWEST) + 1]:
        raise WorldError(f"our server speaks versions {OLDEST} to {NEWEST}, not {version}", mend="take one of them")

    def site(*, timed: bool = False) -> Site:
        provenance = _provenance(source, version)
        return Site(limits=limits, stock=stock, bounded=bounded, provenance=provenance, who=BUILDER, timed=timed)

    with ExitStack() as resources:
        referee = Referee(site())
        server = resources.enter_context(MinecraftServer(referee, version=version, names=(BUILDER,), spawn=start))
        bot = resources.enter_context(Bot(server.host, server.port, version=version, name=BUILDER, front=front))
        bot.go_to(start)
        return MinecraftWorld(
            site(timed=True),
            bot,
            mode=mode,
            version=version,
            start=start,
            server=server,
            referee=referee,
            resources=resources.pop_all(),
        )


def foreign_world(
    host: str,
    port: int,
    *,
    limits: Limits,
    start: Point,
    at: Cell | None = None,
    stock: Mapping[str, int] | None = None,
    version: str = DEFAULT_VERSION,
    name: str = BUILDER,
    source: str = "",
    front: FrontKind = "javascript",
) -> MinecraftWorld:
    """A bot on somebody's own server, with what a plain client may do.

    ``at`` is the world's cell that becomes the plot's (0, 0, 0), None for the place where the bot appears, less
    ``start``. The plot has to be flat, empty and solid below; how deep it is solid limits how deep may be built.
    Raises :class:`WorldError` for a place that is not, :class:`BotError` where the bot cannot join.
    """
    with ExitStack() as resources:
        bot = resources.enter_context(Bot(host, port, version=version, name=name, origin=Origin(0, 0, 0), front=front))
        if at is None:
            x, y, z = (int(np.floor(value)) for value in bot.position)
            at = x - int(start[0]), y, z - int(start[2])
        bot.origin = Origin(*at)
        width, depth = limits.plot
        found = bot.read((0, -max(limits.depth, 1), 0), (width - 1, limits.height - 1, depth - 1))
        limits = replace(limits, depth=min(limits.depth, _solid_depth(found, at)))
        site = Site(
            limits=limits,
            stock=stock,
            provenance=_provenance(source, version),
            who=name,
            timed=True,
            ground=FoundGround(found),
        )
        bot.go_to(start)
        return MinecraftWorld(
            site,
            bot,
            mode="embodied",
            version=version,
            start=start,
            server=None,
            referee=None,
            resources=resources.pop_all(),
        )


class FoundGround:
    """The ground of somebody's own world, as it was before anything was built; air beyond the box that was read."""

    def __init__(self, box: Box) -> None:
        self._box = box
        self._palette = tuple(dict.fromkeys((AIR, *box.palette)))
        place = np.array([self._palette.index(state) for state in box.palette], dtype=np.int32)
        self._index: NDArray[np.int32] = place[box.index]

    def at(self, cell: Cell) -> str:
        """The canonical state of a cell, "air" where it is empty."""
        x, y, z = (a - b for a, b in zip(cell, self._box.low, strict=True))
        sx, sy, sz = self._index.shape
        if 0 <= x < sx and 0 <= y < sy and 0 <= z < sz:
            return self._palette[int(self._index[x, y, z])]
        return AIR

    def read(self, low: Cell, high: Cell) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """A box, both corners in it: a palette that begins with air, and (sx, sy, sz) int32 positions in it."""
        out = np.zeros(box_size(low, high), dtype=np.int32)
        ours, theirs = [], []
        for axis in range(3):
            first = max(low[axis], self._box.low[axis])
            stop = min(high[axis] + 1, self._box.low[axis] + self._index.shape[axis])
            ours.append(slice(first - low[axis], max(stop, first) - low[axis]))
            theirs.append(slice(first - self._box.low[axis], max(stop, first) - self._box.low[axis]))
        out[tuple(ours)] = self._index[tuple(theirs)]
        return self._palette, out


def _solid_depth(box: Box, at: Cell) -> int:
    """Layers below y = 0 that are solid throughout. Raises :class:`WorldError` where the plot is not flat and empty."""
    empty = np.array([material_of(state) in AIRS for state in box.palette], dtype=np.bool_)
    air: NDArray[np.bool_] = empty[box.index]
    ground = -box.low[1]
    above = ~air[:, ground:, :]
    if above.any():
        x, y, z = (int(n) for n in np.argwhere(above)[0])
        state = box.palette[int(box.index[x, y + ground, z])]
        raise WorldError(
            f"the plot that begins at {at} is not empty: ({x}, {y}, {z}) holds {state}",
            mend="name the corner of a flat, empty place with --at X Y Z",
        )
    layers: NDArray[np.bool_] = np.all(~air[:, :ground, :], axis=(0, 2))
    layers = layers[::-1]
    solid = len(layers) if layers.all() else int(np.argmin(layers))
    if not solid:
        raise WorldError(
            f"the plot that begins at {at} has no ground right below it",
            mend="name the corner of a flat, empty place with --at X Y Z",
        )
    return solid


def _provenance(source: str, version: str) -> Provenance:
    return Provenance(source=source, format="minecraft world", version=version, ground="y = 0, the plot's")


def _compare(step: Step, made: Sequence[Change]) -> None:
    """Raise where our own server did something else than the rules of placing say."""
    wanted = {change.cell: change.state for change in step.changes}
    got = {change.cell: change.state for change in made}
    if differing := sorted(cell for cell, _ in wanted.items() ^ got.items()):
        cell = differing[0]
        shown, expected = got.get(cell, "nothing new"), wanted.get(cell, "nothing new")
        raise BridgeError(f"{_named([cell])}: the game shows {shown} where {expected} was to be seen")


def compare_log(server: MinecraftServer, site: Site) -> None:
    """Raise :class:`BridgeError` where what our server logged on the plot does not leave what the record says."""
    logged = Terrain()
    for change in server.changes():
        if site.holds(change.cell):
            logged.put(change.cell, change.state)
    if differing := logged.changed.items() ^ site.terrain.changed.items():
        cells = sorted({cell for cell, _ in differing})
        raise BridgeError(f"the server's log differs from the record in {len(cells)} cells: {_named(cells)}")


def compare_boxes(terrain: Terrain, box: Box, *, who: str) -> None:
    """Raise :class:`BridgeError` where a box read from the game is not what the record says."""
    high = tuple(a + n - 1 for a, n in zip(box.low, box.index.shape, strict=True))
    palette, expected = terrain.read(box.low, (high[0], high[1], high[2]))
    numbers = {state: number for number, state in enumerate(palette)}
    place = np.array([numbers.get(state, -1) for state in box.palette], dtype=np.int32)
    differing = np.argwhere(place[box.index] != expected)
    if len(differing):
        x, y, z = differing[0].tolist()
        seen, recorded = box.palette[box.index[x, y, z]], palette[expected[x, y, z]]
        cells = differing + np.array(box.low)
        raise BridgeError(
            f"{who} {seen} where the record has {recorded}; {len(cells)} cells differ: {_named(cells.tolist())}"
        )


def _named(cells: Sequence[Sequence[int]]) -> str:
    shown = ", ".join(str(tuple(int(n) for n in cell)) for cell in cells[:_NAMED])
    return shown + (", …" if len(cells) > _NAMED else "")
