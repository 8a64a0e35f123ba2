import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from game import needs_game

from minece.agent_bridge.clicks import Cell, Change, Refusal, Side, beside
from minece.agent_bridge.errors import BotError, ServerError
from minece.agent_bridge.origin import GRASS_Y, Origin
from minece.agent_bridge.processes import NodeProcess
from minece.agent_bridge.runtime import SCRIPTS
from minece.agent_bridge.server import Dig, MinecraftServer, ServerEvent, Use, Wish
from minece.agent_bridge.versions import state_in_version
from minece.blocks.catalogue import block_names, default_state, in_version, states_of
from minece.blocks.grid import as_cells
from minece.blocks.states import canonical_state

pytestmark = [needs_game, pytest.mark.slow]

VERSIONS = ("1.20.4", "1.21.4")
ORIGIN = Origin(100, GRASS_Y + 1, -50)
QUICK = 2500.0  # milliseconds that an answer may take: far below the 5 s after which clients give up


class Player:
    """A real client."""

    def __init__(self, name: str = "builder") -> None:
        self.name = name
        script = Path(__file__).with_name("client.mjs")
        self.process = NodeProcess(script, error=BotError, name=name, environment={"SCRIPTS": str(SCRIPTS)})

    def join(self, server: MinecraftServer, name: str = "") -> dict[str, Any]:
        name = name or self.name
        told: dict[str, Any] = self.ask("join", host=server.host, port=server.port, version=server.version, name=name)
        return told

    def ask(self, do: str, **payload: Any) -> Any:
        return self.process.request(do, payload, timeout=30)

    def go(self, *point: float, yaw: float = 0.0, pitch: float = 0.0) -> None:
        self.ask("go", point=ORIGIN.world_point((point[0], point[1], point[2])), yaw=yaw, pitch=pitch)

    def use(self, on: Cell, face: str, cursor: Sequence[float] = (0.5, 0.5, 0.5), **more: Any) -> dict[Cell, str]:
        told = self.ask("use", on=ORIGIN.world(on), face=face, cursor=cursor, **more)
        assert told["ms"] < QUICK
        return shown(told)

    def dig(self, cell: Cell, **more: Any) -> dict[Cell, str]:
        told = self.ask("dig", on=ORIGIN.world(cell), **more)
        assert told["ms"] < QUICK
        return shown(told)

    def read(self, cells: Sequence[Cell]) -> list[str]:
        return [canonical_state(text) for text in self.ask("read", cells=[ORIGIN.world(cell) for cell in cells])]

    def sees(self, cells: Sequence[Cell], states: Sequence[str], seconds: float = 5.0) -> bool:
        return until(lambda: self.read(cells) == list(states), seconds)


def shown(told: dict[str, Any]) -> dict[Cell, str]:
    return {ORIGIN.plot((x, y, z)): canonical_state(state) for x, y, z, state in told["blocks"]}


def until(holds: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


class SimpleJudge:
    """Places whatever block beside what is clicked; knows nothing of joining and support."""

    def __init__(self) -> None:
        self.wishes: list[Wish] = []
        self.verdict: Callable[[Wish], tuple[Change, ...] | Refusal] = simple

    def __call__(self, wish: Wish) -> tuple[Change, ...] | Refusal:
        self.wishes.append(wish)
        return self.verdict(wish)


def simple(wish: Wish) -> tuple[Change, ...] | Refusal:
    if isinstance(wish, Dig):
        return (Change(wish.cell, "air", "removed"),)
    return (Change(beside(wish.click.on, wish.click.face), canonical_state(wish.item), "placed"),)


class Game:
    def __init__(self, version: str) -> None:
        self.judge = SimpleJudge()
        self.server = MinecraftServer(self.judge, version=version, origin=ORIGIN, names=("builder", "other"))
        start = time.monotonic()
        self.server.start()
        self.ready = time.monotonic() - start
        self.player = Player()
        self.welcome = self.player.join(self.server)


@pytest.fixture(scope="module", params=VERSIONS)
def session(request: pytest.FixtureRequest, game: Path) -> Iterator[Game]:
    session = Game(request.param)
    yield session
    session.player.process.stop()
    session.server.stop()


@pytest.fixture(scope="module")
def visitor(game: Path) -> Iterator[Player]:
    """Another client, which may join any server."""
    player = Player("other")
    with player.process:
        yield player


@pytest.fixture
def fresh(session: Game) -> Game:
    """The session with a judge that has seen nothing, the player over the middle, no blocks and no news."""
    session.judge.wishes.clear()
    session.judge.verdict = simple
    session.player.go(0.5, 3.0, 0.5)
    changed = list(dict.fromkeys(change.cell for change in session.server.changes() if change.cell[1] >= 0))
    if changed:
        session.server.set_blocks(as_cells(changed), ["air"], np.zeros(len(changed), dtype=np.int32))
    session.server.events()
    session.player.ask("heard")
    return session


def set_states(server: MinecraftServer, cells: Sequence[Cell], states: Sequence[str]) -> None:
    palette = list(dict.fromkeys(states))
    number = {state: i for i, state in enumerate(palette)}
    server.set_blocks(as_cells(cells), palette, np.array([number[state] for state in states], dtype=np.int32))


def dug(wishes: Sequence[Wish]) -> list[tuple[str, Cell]]:
    return [(wish.player, wish.cell) for wish in wishes if isinstance(wish, Dig)]


def reasons(server: MinecraftServer) -> list[str]:
    return [event.text for event in server.events() if event.kind == "refused"]


def test_it_is_ready_soon(session: Game, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        facts = session.server.facts()
        print(f" [{session.server.version} ready in {session.ready:.2f} s, {facts.memory / 1e6:.0f} MB] ", end="")
    assert session.ready < 10
    assert facts.uptime > 0


def test_the_world_is_flat_and_the_player_in_creative_mode_at_noon(session: Game) -> None:
    assert session.welcome["mode"] == "creative"
    assert session.welcome["time"] == 6000
    assert ORIGIN.plot_point(tuple(session.welcome["position"])) == (0.5, 0.0, 0.5)
    column = [(5, y, 5) for y in (-65, -64, -63, -2, -1, 0, 1)]
    grass = "grass_block[snowy=false]"
    assert session.player.read(column) == ["air", "bedrock", "dirt", "dirt", grass, "air", "air"]


def test_it_listens_here_only(session: Game) -> None:
    listening = {
        line.split()[1]
        for line in Path("/proc/net/tcp").read_text().splitlines() + Path("/proc/net/tcp6").read_text().splitlines()
        if line.split()[3] == "0A" and line.split()[1].endswith(f":{session.server.port:04X}")
    }
    assert listening == {f"0100007F:{session.server.port:04X}"}


def test_every_block_arrives(fresh: Game) -> None:
    version = fresh.server.version
    states = [default_state(name) for name in sorted(block_names()) if in_version(name, version)]
    assert len(states) > 1000
    names = [state_in_version(state, version).partition("[")[0] for state in states]
    assert sorted(names) == sorted(state.partition("[")[0] for state in fresh.player.ask("all"))
    cells = [(i % 16, i // 256, i // 16 % 16) for i in range(len(states))]
    set_states(fresh.server, cells, states)
    assert fresh.player.sees(cells, states)


@pytest.mark.parametrize(
    "names",
    [
        (
            "oak_stairs",
            "oak_door",
            "oak_fence",
            "glass_pane",
            "cobblestone_wall",
            "iron_chain",
            "snow",
            "trial_spawner",
        ),
        ("red_bed", "oak_trapdoor", "wall_torch", "oak_slab", "candle", "redstone_wire", "lever", "short_grass"),
    ],
)
def test_every_state_arrives(fresh: Game, names: tuple[str, ...]) -> None:
    states = [state for name in names for state in states_of(name)]
    if fresh.server.version == "1.20.4":
        states = [state for state in states if "ominous=true" not in state]
    cells = [(i % 16, i // 256, i // 16 % 16) for i in range(len(states))]
    set_states(fresh.server, cells, states)
    assert fresh.player.sees(cells, states)


def test_properties_left_out_have_their_defaults(fresh: Game) -> None:
    set_states(fresh.server, [(0, 0, 0), (1, 0, 0)], ["minecraft:oak_stairs[facing=east]", "chain"])
    wanted = [canonical_state("oak_stairs[facing=east,half=bottom,shape=straight]"), canonical_state("iron_chain")]
    assert fresh.player.sees([(0, 0, 0), (1, 0, 0)], wanted)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ("oak_stair", "has no block oak_stair"),
        ("oak_stairs[color=red]", "oak_stairs has no property color"),
        ("oak_stairs[facing=up]", "oak_stairs has no facing=up"),
        ("toString", "no block state"),
        ("constructor", "has no block constructor"),
    ],
)
def test_a_wrong_state_is_named_and_nothing_is_set(fresh: Game, state: str, message: str) -> None:
    before = fresh.server.changes()
    with pytest.raises(ServerError, match=message):
        set_states(fresh.server, [(0, 0, 0), (1, 0, 0)], ["stone", state])
    assert fresh.server.changes() == before


def test_a_block_that_only_a_later_version_has(fresh: Game) -> None:
    def attempt() -> None:
        set_states(fresh.server, [(0, 0, 0)], ["pale_oak_planks"])

    if fresh.server.version == "1.21.4":
        attempt()
    else:
        with pytest.raises(ServerError, match="1.20.4 has no block pale_oak_planks"):
            attempt()


def test_a_cell_beyond_the_world_is_named_and_nothing_is_set(fresh: Game) -> None:
    before = fresh.server.changes()
    with pytest.raises(ServerError, match="the world has no cell 100, 464, -50"):
        set_states(fresh.server, [(0, 0, 0), (0, 400, 0)], ["stone", "stone"])
    assert fresh.server.changes() == before


def test_very_many_blocks_are_set_quickly(fresh: Game, capsys: pytest.CaptureFixture[str]) -> None:
    cells = np.stack(np.meshgrid(range(32), range(32), range(32), indexing="ij"), -1).reshape(-1, 3).astype(np.int32)
    palette = ["stone", "oak_stairs[facing=east]"]
    index = (cells.sum(axis=1) % 2).astype(np.int32)
    start = time.monotonic()
    fresh.server.set_blocks(cells, palette, index)
    rate = len(cells) / (time.monotonic() - start)
    rows: list[Cell] = [(x, y, z) for x, y, z in cells[::37].tolist()]
    assert fresh.player.sees(rows, [canonical_state(palette[i]) for i in index[::37]])
    with capsys.disabled():
        print(f" [{rate:,.0f} blocks/s] ", end="")
    assert rate > 3000


def test_nothing_happens_by_itself(fresh: Game) -> None:
    cells = [(0, 4, 0), (2, 4, 0), (4, 4, 0), (6, 4, 0), (7, 4, 0), (8, 4, 0), (9, 4, 0)]
    states = ["sand", "water[level=0]", "fire", "redstone_torch[lit=true]", "redstone_wire", "oak_fence", "oak_fence"]
    wanted = [canonical_state(state) for state in states]
    set_states(fresh.server, cells, wanted)
    before = fresh.server.changes()
    time.sleep(0.3)
    assert fresh.player.read(cells) == wanted
    assert fresh.server.changes() == before


def test_blocks_stay_when_nobody_is_there(fresh: Game) -> None:
    set_states(fresh.server, [(3, 1, 3)], ["stone"])
    fresh.player.ask("leave")
    assert until(lambda: not fresh.server.players())
    fresh.player.join(fresh.server)
    assert fresh.player.read([(3, 1, 3)]) == ["stone"]


def test_a_placement_is_judged_and_carried_out(fresh: Game) -> None:
    fresh.player.go(2.5, 0.0, 2.5, yaw=37.5, pitch=-12.25)
    fresh.player.ask("hold", item="oak_stairs")
    saw = fresh.player.use((0, -1, 1), "up", (0.25, 1.0, 0.75))
    (wish,) = fresh.judge.wishes
    assert isinstance(wish, Use)
    assert (wish.player, wish.item) == ("builder", "oak_stairs")
    assert (wish.click.on, wish.click.face, wish.click.cursor) == ((0, -1, 1), "up", (0.25, 1.0, 0.75))
    assert (wish.click.yaw, wish.click.pitch) == (37.5, -12.25)
    assert wish.eye == pytest.approx((2.5, 1.62, 2.5))
    placed = canonical_state("oak_stairs")
    assert saw == {(0, 0, 1): placed, (0, -1, 1): "grass_block[snowy=false]"}
    assert fresh.player.read([(0, 0, 1)]) == [placed]
    last = fresh.server.changes()[-1]
    assert (last.player, last.cell, last.state) == ("builder", (0, 0, 1), placed)
    assert 0 < last.tick <= fresh.server.facts().tick
    assert reasons(fresh.server) == []


def test_all_changes_of_a_verdict_are_carried_out_in_order(fresh: Game) -> None:
    fresh.judge.verdict = lambda wish: (
        Change((0, 0, 1), "oak_door[half=lower]", "placed"),
        Change((0, 1, 1), "oak_door[half=upper]", "placed"),
        Change((1, 0, 1), "oak_fence[west=true]", "joined"),
    )
    fresh.player.ask("hold", item="oak_door")
    saw = fresh.player.use((0, -1, 1), "up")
    wanted = {(0, 0, 1): "oak_door[half=lower]", (0, 1, 1): "oak_door[half=upper]", (1, 0, 1): "oak_fence[west=true]"}
    assert saw == {(0, -1, 1): "grass_block[snowy=false]"} | {c: canonical_state(s) for c, s in wanted.items()}
    logged = fresh.server.changes()[-3:]
    assert [(change.cell, change.state) for change in logged] == [(c, canonical_state(s)) for c, s in wanted.items()]


def test_the_other_hand_places_too(fresh: Game) -> None:
    fresh.player.ask("hold", item="stone")
    fresh.player.ask("hold", item="gold_block", slot=45)
    fresh.player.use((0, -1, 1), "up", hand=1)
    assert fresh.player.read([(0, 0, 1)]) == ["gold_block"]
    fresh.player.ask("hold", item=None, slot=45)


def test_an_empty_hand_wishes_nothing(fresh: Game) -> None:
    fresh.player.ask("hold", item=None)
    saw = fresh.player.use((0, -1, 1), "up")
    assert saw == {(0, -1, 1): "grass_block[snowy=false]", (0, 0, 1): "air"}
    assert fresh.judge.wishes == []
    assert reasons(fresh.server) == []


def test_a_refusal_comes_at_once_with_its_reason(fresh: Game) -> None:
    fresh.judge.verdict = lambda wish: Refusal("no support")
    before = fresh.server.changes()
    fresh.player.ask("hold", item="torch")
    saw = fresh.player.use((0, -1, 1), "up")
    assert saw == {(0, -1, 1): "grass_block[snowy=false]", (0, 0, 1): "air"}
    assert fresh.server.events() == [ServerEvent("refused", "builder", "no support", (0, 0, 1))]
    assert fresh.server.changes() == before


def test_the_client_library_takes_both_answers(fresh: Game) -> None:
    fresh.player.go(1.5, 0.0, 1.5)
    place = {"item": "stone", "on": ORIGIN.world((0, -1, 1)), "face": [0, 1, 0]}
    told = fresh.player.ask("place", **place)
    assert (told["error"], told["ms"] < QUICK) == ("", True)
    fresh.judge.verdict = lambda wish: Refusal("no room")
    told = fresh.player.ask("place", **place | {"on": ORIGIN.world((0, -1, 3))})
    assert "refused" in told["error"]
    assert told["ms"] < QUICK
    fresh.judge.verdict = simple
    fresh.player.ask("digWhole", on=ORIGIN.world((0, 0, 1)))
    # The client takes it for granted at once; the server hears of it later, by two packets which are one wish.
    assert until(lambda: len(fresh.judge.wishes) == 3)
    fresh.player.dig((0, 0, 1), status=2)
    assert dug(fresh.judge.wishes[2:]) == [("builder", (0, 0, 1))]
    assert reasons(fresh.server) == ["no room"]


@pytest.mark.parametrize(
    ("feet", "item", "reason"),
    [
        ((0.5, 0.0, 1.5), "stone", "cell taken"),
        ((0.5, 0.9, 1.5), "stone", "cell taken"),
        ((0.5, 1.0, 1.5), "stone", ""),
        ((1.25, 0.0, 1.5), "stone", "cell taken"),
        ((1.31, 0.0, 1.5), "stone", ""),
        ((0.5, 0.0, 1.5), "torch", ""),
        ((0.5, 0.0, 1.5), "oak_slab", "cell taken"),
    ],
)
def test_a_cell_in_which_somebody_stands_is_taken(
    fresh: Game, feet: tuple[float, float, float], item: str, reason: str
) -> None:
    fresh.player.go(*feet)
    fresh.player.ask("hold", item=item)
    saw = fresh.player.use((0, -1, 1), "up")
    assert reasons(fresh.server) == ([reason] if reason else [])
    assert saw[(0, 0, 1)] == ("air" if reason else canonical_state(item))
    assert len(fresh.judge.wishes) == (0 if reason else 1)


@pytest.mark.parametrize(
    ("clicked", "item", "face", "height", "inside"),
    [
        ("stone", "stone", "up", 1.0, False),
        ("short_grass", "stone", "up", 1.0, True),
        ("snow[layers=1]", "stone", "up", 1.0, True),
        ("snow[layers=2]", "stone", "up", 1.0, False),
        ("candle", "candle", "up", 1.0, True),
        ("candle", "red_candle", "up", 1.0, False),
        ("oak_slab[type=bottom]", "oak_slab", "up", 0.5, True),
        ("oak_slab[type=bottom]", "birch_slab", "up", 0.5, False),
        ("oak_slab[type=bottom]", "oak_slab", "north", 0.25, False),
        ("oak_slab[type=top]", "oak_slab", "up", 1.0, False),
        ("oak_slab[type=top]", "oak_slab", "north", 0.25, True),
        ("oak_slab[type=double]", "oak_slab", "up", 1.0, False),
    ],
)
def test_somebody_is_in_the_way_where_the_block_would_be(
    fresh: Game, clicked: str, item: str, face: Side, height: float, inside: bool
) -> None:
    on: Cell = (0, 0, 1)
    fresh.judge.verdict = lambda wish: Refusal("judged")
    set_states(fresh.server, [on], [clicked])
    fresh.player.ask("hold", item=item)
    for cell in (on, beside(on, face)):
        # A body fills two cells: the other one is away from the two at stake.
        fresh.player.go(cell[0] + 0.5, -0.85 if cell[1] == 0 else 1.05, cell[2] + 0.5)
        fresh.player.use(on, face, (0.5, height, 0.5))
        assert reasons(fresh.server) == ["cell taken" if (cell == on) == inside else "judged"]


@pytest.mark.parametrize(
    ("z", "reason"), [(8, ""), (9, "out of reach"), (5000, "out of reach"), (-29_999_000, "out of reach")]
)
def test_reach_ends(fresh: Game, z: int, reason: str) -> None:
    fresh.player.go(0.5, 0.0, 2.5)
    fresh.player.ask("hold", item="stone")
    fresh.player.use((0, -1, z), "up")
    fresh.player.dig((0, -1, z))
    assert reasons(fresh.server) == [reason, reason] * bool(reason)
    assert len(fresh.judge.wishes) == (0 if reason else 2)
    if not reason:
        set_states(fresh.server, [(0, -1, z)], ["grass_block"])


def test_a_removal_is_judged_and_carried_out(fresh: Game) -> None:
    set_states(fresh.server, [(0, 0, 1)], ["stone"])
    assert fresh.player.dig((0, 0, 1)) == {(0, 0, 1): "air"}
    assert dug(fresh.judge.wishes) == [("builder", (0, 0, 1))]
    assert fresh.judge.wishes[0].eye == pytest.approx((0.5, 4.62, 0.5))
    last = fresh.server.changes()[-1]
    assert (last.player, last.cell, last.state) == ("builder", (0, 0, 1), "air")
    fresh.judge.verdict = lambda wish: Refusal("nothing to break")
    assert fresh.player.dig((0, 0, 1)) == {(0, 0, 1): "air"}
    assert fresh.server.events() == [ServerEvent("refused", "builder", "nothing to break", (0, 0, 1))]


def test_a_click_on_a_door_opens_nothing(fresh: Game) -> None:
    door = canonical_state("oak_door[half=lower]")
    set_states(fresh.server, [(0, 0, 1)], [door])
    fresh.player.ask("hold", item=None)
    assert fresh.player.use((0, 0, 1), "north")[(0, 0, 1)] == door


def test_an_item_used_in_the_air_changes_nothing(fresh: Game) -> None:
    before = fresh.server.changes()
    fresh.player.ask("hold", item="water_bucket")
    assert fresh.player.ask("useItem")["blocks"] == []
    assert fresh.server.changes() == before


def test_nobody_has_rights(fresh: Game) -> None:
    before = fresh.server.changes()
    x, y, z = ORIGIN.world((0, 0, 1))
    commands = [f"/setblock {x} {y} {z} stone", "/stop", "/op builder", "/gamemode survival", "/fill 0 0 0 9 9 9 stone"]
    for command in commands:
        fresh.player.ask("say", text=command)
    said: list[str] = []
    assert until(lambda: len(said.__iadd__(fresh.player.ask("heard")["said"])) >= len(commands))
    assert said == [f"You may not use {command.split()[0]} here." for command in commands]
    assert reasons(fresh.server) == ["no such right"] * len(commands)
    assert fresh.server.changes() == before
    assert fresh.server.alive
    assert fresh.player.ask("heard")["mode"] == "creative"


def test_what_is_said_is_told(fresh: Game) -> None:
    for text in ("hello ä", "/done", "/help"):
        fresh.player.ask("say", text=text)
    said: list[str] = []
    assert until(lambda: len(said.__iadd__(fresh.player.ask("heard")["said"])) >= 2)
    assert said == ["<builder> hello ä", "There are no commands here: place and break blocks, and talk."]
    assert fresh.server.events() == [ServerEvent("chat", "builder", "hello ä"), ServerEvent("chat", "builder", "/done")]


def test_players_are_spoken_to_and_moved(fresh: Game) -> None:
    fresh.server.say("to all")
    fresh.server.say("to you", to="builder")
    fresh.server.title("Well done", to="builder")
    fresh.server.teleport("builder", (7.5, 3.0, -2.25), yaw=90.0, pitch=10.0)
    said: list[str] = []
    titles: list[str] = []

    def heard() -> bool:
        told = fresh.player.ask("heard")
        said.extend(told["said"])
        titles.extend(told["titles"])
        return len(said) >= 2 and len(titles) >= 1 and told["position"] == list(ORIGIN.world_point((7.5, 3.0, -2.25)))

    assert until(heard)
    assert said == ["to all", "to you"]
    assert "Well done" in titles[0]
    (guest,) = fresh.server.players()
    assert (guest.name, guest.position, guest.yaw, guest.pitch) == ("builder", (7.5, 3.0, -2.25), 90.0, 10.0)
    with pytest.raises(ServerError, match="there is no player nobody"):
        fresh.server.say("hello", to="nobody")


def test_others_are_turned_away(fresh: Game, visitor: Player) -> None:
    for name, words in (("stranger", "stranger is not on the list"), ("builder", "builder is here already")):
        with pytest.raises(BotError, match=words):
            visitor.join(fresh.server, name)
    assert [guest.name for guest in fresh.server.players()] == ["builder"]
    assert fresh.server.events() == []


def test_a_player_is_kicked_and_comes_again(fresh: Game) -> None:
    fresh.server.kick("builder", "enough for today")
    assert until(lambda: "enough for today" in fresh.player.ask("heard")["ended"])
    assert until(lambda: not fresh.server.players())
    fresh.player.join(fresh.server)
    assert [(event.kind, event.player) for event in fresh.server.events()] == [
        ("left", "builder"),
        ("joined", "builder"),
    ]


def test_two_players_see_the_same(fresh: Game, visitor: Player) -> None:
    visitor.join(fresh.server)
    visitor.go(0.5, 0.0, 1.5)
    fresh.player.ask("hold", item="stone")
    fresh.player.use((0, -1, 1), "up")
    assert reasons(fresh.server) == ["cell taken"]
    fresh.player.use((1, -1, 1), "up")
    assert visitor.sees([(1, 0, 1)], ["stone"])
    visitor.ask("hold", item="gold_block")
    visitor.use((2, -1, 1), "up")
    assert fresh.player.sees([(2, 0, 1)], ["gold_block"])
    assert [change.player for change in fresh.server.changes()[-2:]] == ["builder", "other"]
    visitor.ask("leave")
    assert until(lambda: len(fresh.server.players()) == 1)


def test_far_chunks_follow_a_player_who_flew_there_at_once(fresh: Game) -> None:
    set_states(fresh.server, [(500, 0, 0)], ["gold_block"])
    fresh.player.go(250.5, 3.0, 0.5)
    fresh.player.go(500.5, 3.0, 0.5)
    assert until(lambda: fresh.player.read([(500, 0, 0)]) == ["gold_block"])


def test_blocks_set_while_chunks_are_made_are_kept(fresh: Game) -> None:
    cells = [(2000 + 16 * x, 1, 16 * z) for x in range(4) for z in range(4)]
    fresh.player.go(2000.5, 3.0, 0.5)
    set_states(fresh.server, cells, ["stone"] * len(cells))
    assert fresh.player.sees(cells, ["stone"] * len(cells), 10)


@pytest.mark.parametrize(
    ("verdict", "message"),
    [
        ([], "could not be judged.*lost"),
        ([Change((0, 0, 1), "no_such_block", "placed")], "could not be judged.*has no block no_such_block"),
        ([Change((0, 999, 1), "stone", "placed")], "could not be judged.*the world has no cell"),
    ],
)
def test_errors_of_the_judge_come_to_light(visitor: Player, verdict: list[Change], message: str) -> None:
    def judge(wish: Wish) -> tuple[Change, ...]:
        if not verdict:
            raise KeyError("lost")
        return tuple(verdict)

    with MinecraftServer(judge, origin=ORIGIN) as server:
        visitor.join(server)
        visitor.go(0.5, 0.0, 2.5)
        visitor.ask("hold", item="stone")
        assert visitor.use((0, -1, 1), "up")[(0, 0, 1)] == "air"
        calls: list[Callable[[], object]] = [server.changes, server.events]
        for call in calls:
            with pytest.raises(ServerError, match=message):
                call()


@pytest.mark.parametrize("version", ["1.8.8", "1.21.5", "1.99", "nonsense", ""])
def test_a_version_it_does_not_speak_is_told(version: str) -> None:
    server = MinecraftServer(simple, version=version)
    with pytest.raises(ServerError, match=r"speaks versions 1\.20\.4 to 1\.21\.4") as caught:
        server.start()
    assert "\n" not in str(caught.value)
    assert not server.alive


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        server = MinecraftServer(simple, port=taken.getsockname()[1])
        with pytest.raises(ServerError, match="is taken; give another one"):
            server.start()
    assert not server.alive


def test_death_is_noticed_at_once() -> None:
    with MinecraftServer(simple) as server:
        server.set_blocks(as_cells([(0, 0, 0)]), ["stone"], np.zeros(1, dtype=np.int32))
        os.kill(server.pid, signal.SIGKILL)
        assert until(lambda: not server.alive, 0.5)
        start = time.monotonic()
        calls: list[Callable[[], object]] = [server.changes, server.events, server.players, server.facts]
        for call in calls:
            with pytest.raises(ServerError, match="the Minecraft server was killed by signal 9") as caught:
                call()
            assert "\n" not in str(caught.value)
        assert time.monotonic() - start < 0.5


def test_stop_may_be_repeated_and_leaves_nothing() -> None:
    server = MinecraftServer(simple)
    server.stop()
    with pytest.raises(ServerError, match="was not started"):
        server.facts()
    server.start()
    pid, port = server.pid, server.port
    with pytest.raises(ServerError, match="was started before"):
        server.start()
    server.stop()
    server.stop()
    assert not server.alive
    assert not Path(f"/proc/{pid}").exists()
    with socket.socket() as again:
        assert again.connect_ex(("127.0.0.1", port)) != 0
    server.kill()


PARENT = """
from minece.agent_bridge.clicks import Refusal
from minece.agent_bridge.server import MinecraftServer
server = MinecraftServer(lambda wish: Refusal("no"))
server.start()
print(server.pid, flush=True)
input()
"""


def test_it_ends_when_python_is_killed() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", PARENT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        parent.kill()
        assert until(
            lambda: not Path(f"/proc/{pid}").exists() or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]
        )
