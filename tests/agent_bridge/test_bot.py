"""The bot on our own server, on somebody else's, and on none."""

import math
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from game import needs_game

from minece.agent_bridge import bot as bot_module
from minece.agent_bridge.bot import Bot, Hand, Seen
from minece.agent_bridge.clicks import SIDES, STEP, YAW, Cell, Change, Click, Refusal, Side, beside
from minece.agent_bridge.errors import BotError, BridgeError, ServerError, WorldError
from minece.agent_bridge.fronts import FrontKind
from minece.agent_bridge.origin import GRASS_Y, OWN, Origin
from minece.agent_bridge.placing import take_away, use_item
from minece.agent_bridge.processes import NodeProcess
from minece.agent_bridge.runtime import SCRIPTS
from minece.agent_bridge.server import MinecraftServer, Use, Wish
from minece.agent_bridge.terrain import Terrain
from minece.blocks.catalogue import block_names, in_version, states_of
from minece.blocks.grid import as_cells
from minece.blocks.states import canonical_state

pytestmark = [needs_game, pytest.mark.slow]

QUICK = 2.5  # far below the 5 s after which clients give up
RATE = 15.0  # blocks per second that must be possible; hundreds are usual


class Rules:
    """Judges as the game does, and remembers what was wished."""

    def __init__(self) -> None:
        self.terrain = Terrain()
        self.wishes: list[Wish] = []

    def __call__(self, wish: Wish) -> tuple[Change, ...] | Refusal:
        self.wishes.append(wish)
        at = self.terrain.at
        found = use_item(at, wish.item, wish.click) if isinstance(wish, Use) else take_away(at, wish.cell)
        if not isinstance(found, Refusal):
            for change in found:
                self.terrain.put(change.cell, change.state)
        return found


class Place(NamedTuple):
    rules: Rules
    server: MinecraftServer
    bot: Bot


@pytest.fixture(
    scope="module", params=[("javascript", "1.20.4", OWN), ("stdio", "1.21.4", Origin(-1003, GRASS_Y + 1, 37))]
)
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    front, version, origin = request.param
    rules = Rules()
    with MinecraftServer(rules, version=version, origin=origin) as server:
        with Bot(server.host, server.port, version=version, front=front, origin=origin) as bot:
            yield Place(rules, server, bot)


@pytest.fixture(params=["javascript", "stdio"])
def front(request: pytest.FixtureRequest) -> FrontKind:
    chosen: FrontKind = request.param
    return chosen


@pytest.fixture(scope="module")
def lasting() -> Iterator[MinecraftServer]:
    with MinecraftServer(Rules(), spawn=(-9.5, 0.0, -9.5)) as running:
        yield running


@pytest.fixture
def server(lasting: MinecraftServer) -> MinecraftServer:
    """A server that tests share: what they build, they build on a site of their own."""
    return lasting


def on_top(cell: Cell, item: str = "stone", yaw: float = 0.0, pitch: float = 60.0) -> Hand:
    return Hand(item, Click(beside(cell, "down"), "up", (0.5, 1.0, 0.5), yaw, pitch), cell)


def floor(x: int, z: int, width: int, depth: int) -> list[Hand]:
    return [on_top((x + i, 0, z + j)) for i in range(width) for j in range(depth)]


def timed(bot: Bot, hand: Hand) -> Seen:
    start = time.monotonic()
    (seen,) = bot.place([hand])
    assert time.monotonic() - start < QUICK
    return seen


def test_joins_in_creative_mode(place: Place) -> None:
    status = place.bot.status()
    assert (status.connected, status.alive, status.game_mode, status.health) == (True, True, "creative", 20)
    assert status.version == place.server.version
    assert place.bot.position == status.position
    with pytest.raises(BotError, match="joined already"):
        place.bot.join()


def test_places_with_exactly_this_look_and_cursor(place: Place) -> None:
    facings: list[Side] = ["south", "west", "north", "east"]
    for i, facing in enumerate(facings):
        put(place, [(2 * i, 5, 0)], ["stone"])
        for half, cell, click in (
            ("bottom", (2 * i, 0, 0), Click((2 * i, -1, 0), "up", (0.25, 1.0, 0.75), YAW[facing] + 11.25, 30.5)),
            ("top", (2 * i, 4, 0), Click((2 * i, 5, 0), "down", (0.75, 0.0, 0.25), YAW[facing] - 11.25, -30.5)),
        ):
            seen = timed(place.bot, Hand("oak_stairs", click, cell))
            assert seen == Seen(True, "", ((cell, canonical_state(f"oak_stairs[facing={facing},half={half}]")),))
            wish = place.rules.wishes[-1]
            assert isinstance(wish, Use) and (wish.item, wish.click) == ("oak_stairs", click)


def put(place: Place, cells: list[Cell], states: list[str]) -> None:
    """Set blocks over the control channel, and wait until the bot sees them."""
    palette = list(dict.fromkeys(states))
    index = np.array([palette.index(state) for state in states], dtype=np.int32)
    place.server.set_blocks(as_cells(cells), palette, index)
    for cell, state in zip(cells, states, strict=True):
        place.rules.terrain.put(cell, canonical_state(state))
    assert place.bot.await_states(as_cells(cells), palette, index, 5.0).all()


def test_stands_near_and_out_of_the_way(place: Place) -> None:
    rng = random.Random(7)
    low = len(place.rules.wishes)
    cells = [(rng.randrange(-6, 20), 0, rng.randrange(10, 30)) for _ in range(25)]
    place.bot.place([on_top(cell, "white_wool") for cell in dict.fromkeys(cells)])
    for wish in place.rules.wishes[low:]:
        assert isinstance(wish, Use)
        point = [a + b for a, b in zip(wish.click.on, wish.click.cursor, strict=True)]
        assert math.dist(point, wish.eye) <= 4.001
        x, y, z = wish.click.on[0], wish.click.on[1] + 1, wish.click.on[2]
        ex, ey, ez = wish.eye[0], wish.eye[1] - 1.62, wish.eye[2]
        assert not (x - 0.3 < ex < x + 1.3 and z - 0.3 < ez < z + 1.3 and y - 1.8 < ey < y + 1)


def test_refusals_come_at_once_with_a_reason(place: Place) -> None:
    assert timed(place.bot, on_top((30, 0, 0))).done
    assert timed(place.bot, on_top((30, 0, 0))) == Seen(False, "same block already there", ())
    assert timed(place.bot, on_top((30, 0, 0), "oak_planks")) == Seen(False, "cell taken", ())
    in_the_air = Hand("stone", Click((30, 9, 0), "up", (0.5, 1.0, 0.5), 0.0, 0.0), (30, 10, 0))
    assert timed(place.bot, in_the_air) == Seen(False, "nothing to place on", ())
    assert timed(place.bot, on_top((32, 0, 0), "unobtainium")) == Seen(False, "no such block", ())
    assert timed(place.bot, on_top((32, 0, 0), "dandelion")).done
    assert timed(place.bot, on_top((30, 1, 0), "dandelion")) == Seen(False, "refused by the server", ())
    start = time.monotonic()
    assert place.bot.remove([(30, 5, 0)]) == [Seen(False, "nothing to break", ())]
    assert time.monotonic() - start < QUICK
    assert place.bot.events() is not None


def test_other_halves_and_neighbours_are_seen_too(place: Place) -> None:
    door = timed(place.bot, on_top((34, 0, 0), "oak_door", YAW["north"]))
    lower, upper = (canonical_state(f"oak_door[facing=north,half={half}]") for half in ("lower", "upper"))
    assert dict(door.changes) == {(34, 0, 0): lower, (34, 1, 0): upper}
    bed = timed(place.bot, on_top((36, 0, 0), "red_bed", YAW["south"]))
    assert {cell for cell, _ in bed.changes} == {(36, 0, 0), (36, 0, 1)}
    timed(place.bot, on_top((38, 0, 0), "oak_fence"))
    fence = timed(place.bot, on_top((39, 0, 0), "oak_fence"))
    assert dict(fence.changes) == {
        (39, 0, 0): canonical_state("oak_fence[west=true]"),
        (38, 0, 0): canonical_state("oak_fence[east=true]"),
    }
    slab = timed(place.bot, on_top((41, 0, 0), "oak_slab"))
    assert slab.done
    merged = timed(place.bot, Hand("oak_slab", Click((41, 0, 0), "up", (0.5, 0.5, 0.5), 0.0, 90.0), (41, 0, 0)))
    assert merged == Seen(True, "", (((41, 0, 0), canonical_state("oak_slab[type=double]")),))
    (gone,) = place.bot.remove([(34, 1, 0)])
    assert dict(gone.changes) == {(34, 0, 0): "air", (34, 1, 0): "air"}


def test_fills_against_whatever_there_is(place: Place) -> None:
    cells = [(44, 0, 0), (44, 1, 0), (45, 1, 0), (45, 5, 0), (44, 0, 0)]
    seen = place.bot.fill("oak_planks", cells)
    assert [one.reason for one in seen] == ["", "", "", "nothing to place on", "same block already there"]
    assert place.bot.fill("stone", [(44, 1, 0)])[0].reason == "cell taken"


def test_a_plan_that_spans_more_than_the_view(place: Place) -> None:
    """Beyond loaded chunks there is no null block, and nothing crashes: the bot flies there."""
    hands = [on_top((x, 0, 60)) for x in range(-60, 100, 4)]
    assert all(seen.done for seen in place.bot.place(hands))
    low, high = (-62, -2, 58), (102, 2, 62)
    box = place.bot.read(low, high)
    palette, index = place.rules.terrain.read(low, high)
    assert box.size == (165, 5, 5) and box.low == low
    assert np.array_equal(np.array(palette)[index], np.array(box.palette)[box.index])
    assert box.at((-60, 0, 60)) == "stone"
    place.bot.go_to((0.5, 0.0, 0.5))


def test_reads_what_was_set(place: Place) -> None:
    rng = random.Random(3)
    names = sorted(name for name in block_names() if in_version(name, place.server.version))
    every = [rng.choice(states_of(name)) for name in names]
    cells = [(i % 16, 10 + i // 256, 70 + i // 16 % 16) for i in range(len(every))]
    put(place, cells, every)
    box = place.bot.read((0, 10, 70), (15, 15, 85))
    wanted = {cell: canonical_state(state) for cell, state in zip(cells, every, strict=True)}
    airs = {"cave_air", "void_air"}
    assert {c: box.at(c) for c in cells} == {c: "air" if s in airs else s for c, s in wanted.items()}


def test_tells_which_blocks_did_not_arrive(place: Place) -> None:
    cells: list[Cell] = [(50, 0, 0), (51, 0, 0), (200, 0, 0), (52, 0, 0)]
    put(place, cells[:1], ["oak_log[axis=x]"])
    palette = ["oak_log[axis=x]", "air", "no_such_block"]
    index = np.array([0, 0, 1, 2], dtype=np.int32)
    assert place.bot.await_states(as_cells(cells), palette, index, 2.0).tolist() == [True, False, True, False]
    start = time.monotonic()
    assert place.bot.await_states(as_cells([]), [], np.empty(0, dtype=np.int32), 5.0).shape == (0,)
    assert time.monotonic() - start < QUICK


def test_flies_to_a_point(place: Place) -> None:
    for point in ((-20.25, 7.5, 33.75), (0.5, 0.0, 0.5)):
        place.bot.go_to(point)
        assert place.bot.position == pytest.approx(point)
        (guest,) = place.server.players()
        assert guest.position == pytest.approx(point)


def test_is_quick(place: Place) -> None:
    hands = floor(-30, -30, 10, 8)
    start = time.monotonic()
    assert all(seen.done for seen in place.bot.place(hands))
    assert len(hands) / (time.monotonic() - start) > RATE
    start = time.monotonic()
    assert all(seen.done for seen in place.bot.remove([hand.cell for hand in hands]))
    assert len(hands) / (time.monotonic() - start) > RATE


def test_boxes_that_cannot_be_read(place: Place) -> None:
    for low, high in (((0, 0, 0), (-1, 0, 0)), ((0, 0, 0), (9999, 99, 99))):
        with pytest.raises(WorldError, match="cannot be read"):
            place.bot.read(low, high)
    assert place.bot.read((0, -90, 0), (0, -64, 0)).palette == ("air", "bedrock")


def test_what_a_version_does_not_have(place: Place) -> None:
    chain, pale = place.bot.place([on_top((60, 0, 3), "iron_chain"), on_top((60, 0, 3), "pale_oak_leaves")])
    assert chain.changes == (((60, 0, 3), canonical_state("iron_chain[axis=y]")),)
    assert pale.reason == ("no such block" if place.server.version == "1.20.4" else "cell taken")


def bot_on(server: MinecraftServer, name: str = "builder", front: FrontKind = "stdio", **more: float) -> Bot:
    return Bot(server.host, server.port, version=server.version, name=name, front=front, **more)


# Joining

CANNOT: dict[str, tuple[str, str]] = {
    "nobody": ("127.0.0.1", r"builder at 127\.0\.0\.1:\d+: no server listens there; start it, or check host and port"),
    "no such host": ("no-such-host.invalid", r"check the host"),
}


@pytest.mark.parametrize("case", CANNOT)
def test_where_no_server_is(case: str) -> None:
    host, message = CANNOT[case]
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    bot = Bot(host, port, front="stdio")
    with pytest.raises(BotError, match=message):
        bot.join()
    with pytest.raises(BotError, match="is on no server; join first"):
        bot.status()


def test_a_server_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_module, "JOINING", 1.0)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        start = time.monotonic()
        with pytest.raises(BotError, match=r"did not let the bot in within 1 s"):
            Bot("127.0.0.1", mute.getsockname()[1], front="stdio").join()
        assert time.monotonic() - start < 4.0


def test_a_server_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_module, "JOINING", 1.5)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            with suppress(OSError):
                client, _ = listener.accept()
                client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                client.close()

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(BotError) as caught:
            Bot("127.0.0.1", listener.getsockname()[1], front="stdio").join()
        assert "\n" not in str(caught.value)


def test_who_may_not_join() -> None:
    with MinecraftServer(Rules(), names=("somebody",)) as server:
        with pytest.raises(BotError, match=r"turns the bot away: builder is not on the list of this server"):
            bot_on(server).join()
        with bot_on(server, "somebody"), pytest.raises(BotError, match=r"here already.*another name"):
            bot_on(server, "somebody").join()
        with pytest.raises(BotError, match=r"the server is of version 1\.20\.4, not 1\.21\.4; ask for its version"):
            Bot(server.host, server.port, version="1.21.4", name="somebody", front="stdio").join()
        for version in ("1.8.8",):
            with pytest.raises(BotError, match=r"does not speak version.*from 1\.16\.5 to "):
                Bot(server.host, server.port, version=version, name="somebody", front="stdio").join()


# Losing the server


def test_kicked_and_back_again(server: MinecraftServer) -> None:
    with bot_on(server) as bot:
        server.kick("builder", "that will do")
        with pytest.raises(BotError, match=r"builder at 127\.0\.0\.1:\d+: kicked: that will do"):
            bot.place(floor(100, 0, 60, 60))
        assert [event.text for event in bot.events() if event.kind == "kicked"] == ["that will do"]
        assert not bot.status().connected
        bot.join()
        assert bot.place([on_top((100, 0, 100))])[0].done


def test_a_server_that_dies_while_blocks_are_placed() -> None:
    with MinecraftServer(Rules()) as server, bot_on(server, front="javascript") as bot:
        died: list[float] = []

        def kill() -> None:
            os.kill(server.pid, signal.SIGKILL)
            died.append(time.monotonic())

        threading.Timer(0.2, kill).start()
        with pytest.raises(BotError, match="the connection was closed|the server closed the connection"):
            bot.place(floor(0, 0, 60, 60))
        assert time.monotonic() - died[0] < 2.0
        with pytest.raises(BotError):
            bot.read((0, 0, 0), (1, 1, 1))


class Wire:
    """Between a bot and a server; it can be cut, or go silent."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._ends: list[socket.socket] = [self._listener]
        self.silent = False
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if not self.silent:
                    other.sendall(data)

    def cut(self) -> None:
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@pytest.fixture
def wire(server: MinecraftServer) -> Iterator[Wire]:
    made = Wire(server.port)
    yield made
    made.cut()


def test_a_connection_that_is_cut(wire: Wire) -> None:
    with Bot("127.0.0.1", wire.port, front="stdio") as bot:
        threading.Timer(0.1, wire.cut).start()
        start = time.monotonic()
        with pytest.raises(BotError):
            bot.place(floor(400, 0, 60, 60))
        assert time.monotonic() - start < 2.0


def test_a_connection_that_goes_silent(wire: Wire) -> None:
    with Bot("127.0.0.1", wire.port, front="stdio", patience=2.0) as bot:
        wire.silent = True
        start = time.monotonic()
        assert bot.place([on_top((0, 0, 3))]) == [Seen(False, "no answer", ())]
        assert time.monotonic() - start < 1.5
        with pytest.raises(BotError, match=r"nothing came from the server for \d+\.\d s"):
            bot.place(floor(0, 0, 10, 10))
        assert time.monotonic() - start < 4.0


# Losing Node


def test_a_node_that_dies_while_blocks_are_placed(server: MinecraftServer, front: FrontKind) -> None:
    with bot_on(server, front=front) as bot:
        died: list[float] = []

        def kill() -> None:
            died.append(time.monotonic())
            os.kill(bot.pid, signal.SIGKILL)

        threading.Timer(0.1, kill).start()
        with pytest.raises(BridgeError, match="killed by signal 9"):
            bot.place(floor(200, 0, 60, 60))
        assert time.monotonic() - died[0] < QUICK
        bot.join()
        assert bot.position == pytest.approx((-9.5, 0.0, -9.5))


NONE = np.zeros(1, dtype=np.int32)
ASKED: dict[str, Callable[[Bot], object]] = {
    "read": lambda bot: bot.read((0, 0, 0), (0, 0, 0)),
    "place": lambda bot: bot.place([on_top((0, 0, 0))]),
    "await": lambda bot: bot.await_states(as_cells([(0, 0, 0)]), ["air"], NONE, 0.1),
    "status": lambda bot: bot.status(),
    "events": lambda bot: bot.events(),
}


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("read", {"size": [1, 1, 1], "palette": ["stone"], "runs": [2, 0]}),
        ("read", {"size": [1, 1, 1], "palette": ["stone"], "runs": [1, 7]}),
        ("read", {"size": [1, 1], "palette": ["stone"], "runs": [1]}),
        ("read", {"size": [1, 1, 1], "palette": ["[]"], "runs": [1, 0]}),
        ("place", {"results": []}),
        ("place", {"results": [{"done": True, "reason": "", "changes": []}] * 2}),
        ("place", {"results": [{"done": True}]}),
        ("await", {"missing": [5]}),
        ("await", {}),
        ("status", {"position": 3}),
        ("events", {"events": 3}),
    ],
)
def test_answers_without_sense(asked: str, answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    bot = Bot("127.0.0.1", 1)
    monkeypatch.setattr(bot, "_ask", lambda *args, **more: answer)
    with pytest.raises(BridgeError):
        ASKED[asked](bot)


# Several at once


def test_several_bots_at_once_and_several_threads_with_one(server: MinecraftServer) -> None:
    with ExitStack() as stack:
        bots = [stack.enter_context(bot_on(server, f"bot{i}")) for i in range(2)]
        results: list[list[Seen]] = [[], [], []]

        def work(number: int) -> None:
            results[number] = bots[number // 2].place(floor(300, 20 * number, 8, 4))

        threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20.0)
        assert [sum(seen.done for seen in seens) for seens in results] == [32, 32, 32]
        box = bots[0].read((300, 0, 0), (307, 0, 43))
        assert int((np.array(box.palette)[box.index] == "stone").sum()) == 96


LEFT_OPEN = """
import sys
from minece.agent_bridge.bot import Bot
bot = Bot("127.0.0.1", int(sys.argv[1]), front=sys.argv[2])
bot.join()
print("joined", flush=True)
"""


def test_python_ends_with_an_open_bot(server: MinecraftServer, front: FrontKind) -> None:
    command = [sys.executable, "-c", LEFT_OPEN, str(server.port), front]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as python:
        assert python.stdout is not None and python.stderr is not None
        assert python.stdout.readline() == "joined\n"
        start = time.monotonic()
        assert python.wait(10.0) == 0
        assert time.monotonic() - start < 3.0
        assert (python.stdout.read(), python.stderr.read()) == ("", "")
    end = time.monotonic() + 2.0
    while server.players() and time.monotonic() < end:
        time.sleep(0.02)
    assert not server.players()


# Somebody else's server


@pytest.fixture
def stock(request: pytest.FixtureRequest) -> Iterator[tuple[str, int]]:
    version, mode = request.param
    script = Path(__file__).with_name("stock.mjs")
    with NodeProcess(script, error=ServerError, name="stock", environment={"SCRIPTS": str(SCRIPTS)}) as process:
        yield version, process.request("start", {"version": version, "mode": mode}, timeout=20.0)["port"]


@pytest.mark.parametrize("stock", [("1.20.4", 0)], indirect=True)
def test_a_server_in_survival_mode(stock: tuple[str, int]) -> None:
    with pytest.raises(BotError, match=r"in survival mode, not in creative mode; type .*: gamemode creative builder"):
        Bot("127.0.0.1", stock[1], front="stdio").join()


@pytest.mark.parametrize("stock", [("1.16.5", 1), ("1.20.4", 1)], indirect=True)
def test_a_server_that_acknowledges_nothing(stock: tuple[str, int]) -> None:
    version, port = stock
    with Bot("127.0.0.1", port, version=version, front="stdio", origin=Origin(0, 5, 0)) as bot:
        box = bot.read((-20, -5, -20), (40, 0, 40))
        assert set(box.palette) == {"bedrock", "dirt", canonical_state("grass_block"), "air"}
        seen = bot.place(floor(2, 2, 2, 3))
        assert [one.changes for one in seen] == [((hand.cell, "stone"),) for hand in floor(2, 2, 2, 3)]
        assert bot.fill("oak_planks", [(2, 1, 2)])[0].done
        assert bot.read((2, 0, 2), (3, 1, 2)).palette == ("stone", "oak_planks", "air")
        if version == "1.20.4":  # nothing tells who breaks a block that it is broken
            assert bot.remove([(2, 1, 2)]) == [Seen(False, "no answer", ())]


def test_sides_are_numbered_as_the_protocol_does() -> None:
    assert [STEP[side] for side in SIDES] == [(0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1), (-1, 0, 0), (1, 0, 0)]
