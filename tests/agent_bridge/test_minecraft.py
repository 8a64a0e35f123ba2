"""The real game: the same builds as in memory, records that the game agrees with, and faults told apart."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from game import needs_game, node_processes

from minece.agent_bridge import OfflineWorld, ProgramLimits, World, read_program, run_episode, start_of
from minece.agent_bridge.bot import Bot
from minece.agent_bridge.clicks import Cell
from minece.agent_bridge.errors import BotError, BridgeError, WorldError
from minece.agent_bridge.minecraft import MinecraftWorld, Mode, foreign_world, own_world
from minece.agent_bridge.referee import Referee
from minece.agent_bridge.server import MinecraftServer
from minece.agent_bridge.site import Site
from minece.agent_bridge.sources import Program
from minece.blocks.grid import as_cells
from minece.blocks.items import count_items
from minece.tasks import load_task
from minece.tasks.task import Limits

pytestmark = [needs_game, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).parent / "programs"
BRIDGE = ROOT / "examples" / "programs" / "arch-bridge.js"
TASK = "civil/arch-bridges/river10-boat3-build"
PLOT = Limits(plot=(24, 24), height=16, depth=4)
MIXED: list[tuple[Cell, str]] = [
    ((4, 0, 4), "oak_fence"),
    ((5, 0, 4), "oak_fence"),
    ((4, 0, 5), "cobblestone_wall"),
    ((4, 1, 5), "cobblestone_wall"),
    ((6, 0, 4), "glass_pane"),
    ((8, 0, 8), "oak_door"),
    ((10, 0, 8), "red_bed"),
    ((12, 0, 8), "oak_slab[type=double]"),
    ((13, 0, 8), "oak_stairs[facing=west]"),
    ((13, 0, 9), "oak_stairs[facing=north]"),
    ((14, 0, 8), "oak_stairs[facing=south,half=top]"),
    ((16, 0, 8), "stone"),
    ((16, 1, 8), "torch"),
    ((17, 0, 8), "torch"),
    ((17, 1, 8), "ladder"),
    ((16, 0, 8), "air"),
    ((2, -1, 2), "cactus"),
    ((2, -1, 2), "sand"),
    ((2, 0, 2), "cactus"),
    ((3, 0, 9), "magenta_wool"),
    ((3, 1, 9), "diorite"),
    ((3, 2, 9), "oak_log[axis=x]"),
    ((3, 2, 10), "oak_trapdoor[half=top]"),
    ((9, 9, 9), "stone"),
    ((3, 1, 9), "diorite"),
]


def game_world(mode: Mode = "embodied", **how: object) -> MinecraftWorld:
    return own_world(limits=PLOT, start=(12.5, 0.0, 12.5), mode=mode, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize(("mode", "version"), [("embodied", "1.20.4"), ("exact", "1.20.4"), ("embodied", "1.21.4")])
def test_the_game_and_the_memory_hold_the_same(mode: Mode, version: str):
    memory = OfflineWorld(limits=PLOT, start=(12.5, 0.0, 12.5), version=version)
    expected = memory.run(MIXED)
    place = game_world(mode, version=version)
    try:
        assert place.run(MIXED) == expected
        build = place.end_turn()
    finally:
        place.close()
    remembered = memory.end_turn()
    assert build == remembered and build.log == remembered.log
    words = {"no support": 2, "cannot be placed like that": 1, "nothing to place on": 2, "same block already there": 1}
    assert expected.refused == words


@pytest.mark.parametrize("name", ["12-house-red-roof", "16-three-rooms-no-inner-doors", "34-bridge-flat"])
def test_programs_build_the_same_in_the_game(name: str):
    program = read_program(PROGRAMS / f"{name}.js")
    start = (0.5, 0.0, 0.5)
    memory = OfflineWorld(start=start, bounded=False)
    expected = program.run(memory, limits=ProgramLimits(), seed=0)
    place = own_world(limits=Limits(), start=start, mode="exact", version="1.21.4", bounded=False)
    try:
        found = program.run(place, limits=ProgramLimits(), seed=0)
        assert place.end_turn() == memory.end_turn()
        assert place.asked == place.verified > 0
    finally:
        place.close()
    assert (found.status, found.placed, found.refused) == (expected.status, expected.placed, expected.refused)


def test_a_cell_that_somebody_stands_in_is_refused_at_once():
    """R50"""
    with _somebodys() as server, Bot(server.host, server.port, name="visitor", front="stdio") as visitor:
        visitor.go_to((6.5, 0.0, 6.5))
        place = foreign_world(server.host, server.port, limits=PLOT, start=(1.5, 0.0, 1.5), at=(0, 64, 0))
        try:
            begin = time.monotonic()
            outcome = place.place((6, 0, 6), "stone")
            assert (outcome.done, outcome.reason) == (False, "refused by the server")
            assert time.monotonic() - begin < 2.5
            assert "cell taken" in [event.text for event in server.events()]
            assert place.place((7, 0, 6), "stone").done
            assert len(place.end_turn().blocks) == 1
        finally:
            place.close()


def test_every_kind_of_block_stands_in_the_end_or_is_named():
    """R55"""
    wools = [f"{colour}_wool" for colour in ("white", "magenta", "light_blue", "black")]
    plan = [((2, 0, 2), "sand"), ((2, 1, 2), "cactus"), *[((4 + i, 0, 2), wool) for i, wool in enumerate(wools)]]
    plan += [((9, 0, 2), "diorite"), ((11, 0, 2), "cactus"), ((13, 0, 2), "wool")]
    place = game_world()
    try:
        outcomes = {cell: place.place(cell, block) for cell, block in plan}
        build = place.end_turn()
    finally:
        place.close()
    missing = {plan_block: outcomes[cell].reason for cell, plan_block in plan if not outcomes[cell].done}
    assert missing == {"cactus": "no support", "wool": "no such block"}
    assert sorted(build.blocks.palette) == sorted(["cactus[age=0]", "diorite", "sand", *wools])


def test_what_takes_two_cells_stands_whole():
    """R56"""
    place = game_world()
    try:
        assert place.place((2, 0, 2), "oak_door").done and place.place((5, 0, 5), "red_bed").done
        build = place.end_turn()
    finally:
        place.close()
    assert build.blocks.cells.tolist() == [[2, 0, 2], [2, 1, 2], [5, 0, 4], [5, 0, 5]]
    assert not len(count_items(build.blocks).halves)


def test_a_plan_that_spans_the_plot_needs_no_help():
    """R54"""
    limits = Limits(plot=(160, 8), height=8, depth=2)
    place = own_world(limits=limits, start=(1.5, 0.0, 1.5))
    try:
        for x in (0, 40, 80, 159):
            assert place.place((x, 0, 4), "stone").done
        assert place.end_turn().blocks.cells[:, 0].tolist() == [0, 40, 80, 159]
    finally:
        place.close()


_MIXED_WAYS = """
await skills.setBlock(bot, 'stone', 20, 0, 20); await skills.breakBlockAt(bot, 20, 0, 20);
await skills.setBlock(bot, 'stone', 18, 5, 18); await skills.placeBlock(bot, 'glass', 18, 6, 18);
await skills.setBlock(bot, 'oak_fence', 16, 0, 16); await skills.placeBlock(bot, 'oak_fence', 17, 0, 16);
await skills.placeBlock(bot, 'stone', 14, 0, 14); await skills.setBlock(bot, 'dirt', 14, 0, 14);
await skills.placeBlock(bot, 'glass', 14, 0, 14);
await skills.placeBlock(bot, 'stone', 5, 0, 5);
for (const side of ['north', 'south', 'east', 'west']) {
    const [dx, dz] = {north: [0, 1], south: [0, -1], east: [-1, 0], west: [1, 0]}[side];
    await skills.placeBlock(bot, 'torch', 5 + dx, 0, 5 + dz, side);
}
await skills.breakBlockAt(bot, 5, 0, 5);
for (let i = 0; i < 6; i++) {
    const at = world.getPosition(bot);
    await skills.placeBlock(bot, 'bricks', at.x + i - 3, at.y, at.z - 3);
}
await skills.goToPosition(bot, 3, 2, 3); await skills.placeBlock(bot, 'water', 9, 0, 9);
await skills.setBlock(bot, 'water', 9, 0, 9); await skills.breakBlockAt(bot, 9, 0, 9);
log(bot, world.getPosition(bot));
"""


def test_ways_of_placing_can_be_mixed_in_every_world():
    program = Program("mixed.js", "javascript", _MIXED_WAYS)
    start = (12.5, 0.0, 12.5)
    memory = OfflineWorld(limits=PLOT, start=start, version="1.20.4")
    expected = program.run(memory, limits=ProgramLimits(), seed=0)
    remembered = memory.end_turn()
    assert expected.status == "ok" and expected.placed > 15
    for mode in ("embodied", "exact"):
        place = game_world(mode)
        try:
            found = program.run(place, limits=ProgramLimits(), seed=0)
            build = place.end_turn()
        finally:
            place.close()
        assert (found.placed, found.refused, found.log) == (expected.placed, expected.refused, expected.log)
        assert build == remembered and build.log == remembered.log


def test_a_game_that_shows_something_else_is_a_fault_of_the_bridge():
    place = game_world()
    try:
        place.place((4, 0, 4), "stone")
        assert place._server is not None
        place._server.set_blocks(as_cells([(9, 0, 9)]), ["gold_block"], np.zeros(1, dtype=np.int32))
        time.sleep(0.3)
        with pytest.raises(BridgeError, match=r"gold_block where the record has air.*\(9, 0, 9\)"):
            place.end_turn()
    finally:
        place.close()


_SHAPES = """[
    {"fill": [[2, 0, 2], [4, 1, 4]], "block": "stone"},
    {"box": [[8, 0, 8], [11, 2, 11]], "block": "glass"},
    {"line": [[15, 0, 2], [15, 0, 8]], "block": "stone"},
    {"copy": [[2, 0, 2], [4, 1, 4]], "to": [18, 0, 18], "turn": 1}
]"""


def test_shapes_are_built_in_the_same_order_in_every_world():
    program = Program("shapes.json", "commands", _SHAPES)
    memory = OfflineWorld(limits=PLOT, start=(12.5, 0.0, 12.5), version="1.20.4")
    expected = program.run(memory, limits=ProgramLimits(), seed=0)
    remembered = memory.end_turn()
    assert remembered.log is not None and len(remembered.log) == expected.placed > 80
    for mode in ("embodied", "exact"):
        place = game_world(mode)
        try:
            program.run(place, limits=ProgramLimits(), seed=0)
            build = place.end_turn()
        finally:
            place.close()
        assert build.log is not None and build.log.events() == remembered.log.events()


def test_blocks_that_do_not_arrive_are_counted(monkeypatch: pytest.MonkeyPatch):
    place = game_world("exact")
    try:
        monkeypatch.setattr(place._bot, "await_states", lambda cells, *_, **__: np.arange(len(cells)) != 0)
        place.set([(1, 0, 1), (2, 0, 1), (3, 0, 1)], ["stone"] * 3)
        with pytest.raises(BridgeError, match="1 of 3 blocks did not arrive"):
            place.end_turn()
        assert place.facts() | {"asked": 3, "verified": 2, "missing": 1} == place.facts()
    finally:
        place.close()


def test_stock_and_plot_hold_in_the_game_too():
    place = own_world(limits=PLOT, start=(12.5, 0.0, 12.5), stock={"oak_planks": 1})
    try:
        assert place.place((4, 0, 4), "oak_planks").done
        assert place.place((5, 0, 4), "oak_planks").reason == "stock used up"
        assert place.place((24, 0, 4), "oak_planks").reason == "outside the plot"
        assert len(place.end_turn().blocks) == 1
    finally:
        place.close()


# Somebody's own server


def _somebodys(site: Site | None = None) -> MinecraftServer:
    return MinecraftServer(Referee(site or Site(limits=Limits(), bounded=False)))


def test_a_bot_builds_on_somebodys_server():
    memory = OfflineWorld(limits=PLOT, start=(12.5, 0.0, 12.5), version="1.20.4")
    expected = memory.run(MIXED)
    with _somebodys() as server:
        place = foreign_world(server.host, server.port, limits=PLOT, start=(12.5, 0.0, 12.5), at=(-40, 64, -40))
        try:
            assert place.facts()["server"] == "foreign"
            tally = place.run(MIXED)
            build = place.end_turn()
        finally:
            place.close()
    assert build == memory.end_turn()
    assert tally.done == expected.done


def test_somebodys_plot_has_to_be_empty():
    with _somebodys() as server:
        server.set_blocks(as_cells([(3, 2, 3)]), ["stone"], np.zeros(1, dtype=np.int32))
        with pytest.raises(WorldError, match=r"not empty: \(3, 2, 3\) holds stone"):
            foreign_world(server.host, server.port, limits=PLOT, start=(1.5, 0.0, 1.5), at=(0, 64, 0))


def test_exact_states_need_our_own_server():
    with _somebodys() as server:
        place = foreign_world(server.host, server.port, limits=PLOT, start=(1.5, 0.0, 1.5), at=(0, 64, 0))
        try:
            assert place.set([(1, 0, 1)], ["stone"]).reason == "no exact states here"
            assert place.place((1, 0, 1), "stone").done
        finally:
            place.close()


def test_no_server_is_a_fault_of_the_bot():
    with pytest.raises(BotError, match="127.0.0.1:9"):
        foreign_world("127.0.0.1", 9, limits=PLOT, start=(1.5, 0.0, 1.5))


# Faults in mid-build


class _Breaking:
    """A program that lets something break when it has placed a few blocks, and goes on."""

    def __init__(self, break_it: Callable[[MinecraftWorld], None], times: int) -> None:
        self.name, self.facts = "breaking.js", {"name": "breaking.js"}
        self._break, self._times = break_it, times

    def run(self, world: World, *, limits: ProgramLimits, seed: int) -> object:
        assert isinstance(world, MinecraftWorld)
        for x in range(6):
            world.place((x, 0, 2), "stone")
            if x == 2 and self._times:
                self._times -= 1
                self._break(world)
        return Program("x", "javascript", "").run(world, limits=limits, seed=seed)


def _kill_server(world: MinecraftWorld) -> None:
    assert world._server is not None
    os.kill(world._server.pid, signal.SIGKILL)


def _kill_node(world: MinecraftWorld) -> None:
    os.kill(world._bot.pid, signal.SIGKILL)


def _kick(world: MinecraftWorld) -> None:
    assert world._server is not None
    world._server.kick("builder", "out with you")


_BOUNDARIES = [(_kill_server, ("server",)), (_kill_node, ("bridge",)), (_kick, ("bot",))]


@pytest.mark.parametrize(("break_it", "boundaries"), _BOUNDARIES)
def test_what_breaks_once_is_begun_anew(break_it: Callable[[MinecraftWorld], None], boundaries: tuple[str, ...]):
    task = load_task("elements/shallow/7x8x1-lay")
    program = _Breaking(break_it, times=1)
    begin = time.monotonic()
    episode = run_episode(task, [program], game_world, world={"kind": "minecraft"})  # type: ignore[list-item]
    assert [fault.attempt for fault in episode.faults] == [1] and episode.faults[0].boundary in boundaries
    assert episode.completed and len(episode.builds[0].blocks) == 6
    assert time.monotonic() - begin < 60


def test_what_breaks_twice_is_given_up():
    task = load_task("elements/shallow/7x8x1-lay")
    program = _Breaking(_kill_node, times=2)
    episode = run_episode(task, [program], game_world, world={"kind": "minecraft"})  # type: ignore[list-item]
    assert not episode.completed and [fault.boundary for fault in episode.faults] == ["bridge", "bridge"]
    assert episode.record(None)["faults"][1]["attempt"] == 2


def test_a_server_that_never_starts_is_told_at_once():
    with pytest.raises(WorldError, match=r"speaks versions 1.20.4 to 1.21.4, not 1.8.8"):
        own_world(limits=PLOT, start=(1.5, 0.0, 1.5), version="1.8.8")


def test_after_pythons_death_no_node_is_left(tmp_path: Path):
    script = tmp_path / "endless.js"
    script.write_text(
        "for (let x = 0; ; x++) await skills.placeBlock(bot, x % 2 ? 'stone' : 'dirt', 3, 0, 3);", encoding="utf-8"
    )
    words = [sys.executable, "-m", "minece", "build", str(script), "--task", TASK, "--world", "minecraft"]
    before = set(node_processes())
    child = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        mine: set[int] = set()
        end = time.monotonic() + 60
        while len(mine) < 3 and time.monotonic() < end:
            time.sleep(0.2)
            mine = set(node_processes()) - before
        assert len(mine) >= 3, "server, bot and program are there"
        time.sleep(1.0)
    finally:
        child.kill()
        child.wait()
    end = time.monotonic() + 10
    while set(node_processes()) & mine and time.monotonic() < end:
        time.sleep(0.1)
    assert not set(node_processes()) & mine


def test_the_shipped_program_passes_in_the_game():
    task = load_task(TASK)
    start = start_of(task)

    def opener() -> World:
        return own_world(limits=task.limits, start=start)

    import minece

    episode = run_episode(task, [read_program(BRIDGE)], opener, world={})
    assert minece.score(episode.builds, task).overall and not episode.faults
