"""People in the game; a bot with a client of its own stands for the person."""

import time
from collections.abc import Callable
from pathlib import Path
from threading import Thread, current_thread, main_thread
from typing import Any

import pytest
from game import needs_game

import minece
from minece.agent_bridge.bot import Bot, Hand
from minece.agent_bridge.clicks import Click
from minece.agent_bridge.errors import BotError, WorldError
from minece.agent_bridge.play import one_time_name, play
from minece.agent_bridge.processes import NodeProcess
from minece.agent_bridge.runtime import SCRIPTS
from minece.results import Episode
from minece.tasks import load_task

pytestmark = [needs_game, pytest.mark.slow]

SLAB = load_task("elements/shallow/7x8x1-lay")
TWO_TURNS = load_task("management/revise-2/1to2rooms")


def _address(line: str) -> tuple[str, int]:
    host, _, port = line.split()[1].rpartition(":")
    return host, int(port)


def _sitting(task: minece.Task, visit: Callable[[str, int], None], **how: float) -> Episode:
    """An episode in which ``visit`` is what the person does, once the server tells its address."""
    failed: list[BaseException] = []
    people: list[Thread] = []

    def tell(line: str) -> None:
        if not line.startswith("join "):
            return

        def go() -> None:
            try:
                visit(*_address(line))
            except BaseException as error:
                failed.append(error)

        people.append(Thread(target=go))
        people[0].start()

    episode = play(task, name="guest_1", wait=30.0, tell=tell, **how)
    people[0].join(20)
    assert not failed, failed
    assert not episode.faults, episode.faults
    return episode


def _click(x: int, y: int, z: int) -> Click:
    return Click((x, y, z), "up", (0.5, 1.0, 0.5), 0.0, 60.0)


def test_what_a_person_builds_is_recorded_and_scored():
    def visit(host: str, port: int) -> None:
        with Bot(host, port, name="guest_1", front="stdio") as guest:
            cells = [(x, -1, z) for x in range(10, 17) for z in range(10, 18)]
            assert all(seen.done for seen in guest.remove(cells))
            hands = [Hand("stone", _click(x, -2, z), (x, -1, z)) for x, _, z in cells]
            assert all(seen.done for seen in guest.place(hands))
            outside = guest.place([Hand("stone", _click(-1, -1, 5), (-1, 0, 5))])[0]
            assert not outside.done
            assert guest.read((-1, -1, -1), (-1, -1, 3)).at((-1, -1, -1)) == "sea_lantern"

    episode = _sitting(SLAB, visit)
    assert episode.turns[0]["status"] == "left" and episode.turns[0]["placed"] == 56
    assert episode.turns[0]["refused"] == {"outside the plot": 1}
    build = episode.builds[0]
    assert build.log is not None and build.log.time is not None and build.log.who == "guest_1"
    assert minece.score(episode.builds, SLAB).overall
    assert episode.record(None)["builder"] == {"kind": "player", "name": "guest_1"}


def test_nobody_else_gets_in():
    def visit(host: str, port: int) -> None:
        with pytest.raises(BotError), Bot(host, port, name="somebody", front="stdio"):
            pass
        with Bot(host, port, name="guest_1", front="stdio"):
            pass

    episode = _sitting(SLAB, visit)
    assert episode.completed and not len(episode.builds[0].blocks)


def test_instructions_that_were_not_given_count_with_what_stands():
    def visit(host: str, port: int) -> None:
        with Bot(host, port, name="guest_1", front="stdio") as guest:
            guest.place([Hand("stone", _click(5, -1, 5), (5, 0, 5))])

    episode = _sitting(TWO_TURNS, visit)
    assert [turn["status"] for turn in episode.turns] == ["left", "not given"]
    assert [len(build.blocks) for build in episode.builds] == [1, 1]


def test_a_person_says_when_an_instruction_is_carried_out():
    heard: list[str] = []

    def visit(host: str, port: int) -> None:
        script = Path(__file__).with_name("client.mjs")
        with NodeProcess(script, error=BotError, name="guest_1", environment={"SCRIPTS": str(SCRIPTS)}) as person:

            def ask(do: str, **what: object) -> Any:
                return person.request(do, what, timeout=30)

            def hear(text: str) -> None:
                end = time.monotonic() + 10
                while text not in " ".join(heard) and time.monotonic() < end:
                    heard.extend(ask("heard")["said"])
                    time.sleep(0.05)

            ask("join", host=host, port=port, version="1.20.4", name="guest_1")
            ask("say", text="task")
            hear("Instruction 1 of 2")
            ask("say", text="done")
            hear("Instruction 2 of 2")
            ask("say", text="/done")
            time.sleep(0.5)

    episode = _sitting(TWO_TURNS, visit)
    assert [turn["status"] for turn in episode.turns] == ["ok", "ok"]
    assert episode.turns[0]["log"] == ["task", "done"]
    assert "Instruction 1 of 2" in " ".join(heard) and "Instruction 2 of 2" in " ".join(heard)


def test_the_time_is_over():
    def visit(host: str, port: int) -> None:
        with Bot(host, port, name="guest_1", front="stdio") as guest:
            guest.place([Hand("stone", _click(5, -1, 5), (5, 0, 5))])
            end = time.monotonic() + 20
            with pytest.raises(BotError, match="time is over"):
                while time.monotonic() < end:
                    guest.go_to((8.5, 0.0, 8.5))

    episode = _sitting(SLAB, visit, time_limit=3.0)
    assert episode.turns[0]["status"] == "time over" and len(episode.builds[0].blocks) == 1


def test_who_runs_it_may_end_it_and_what_stands_is_kept(monkeypatch: pytest.MonkeyPatch):
    def visit(host: str, port: int) -> None:
        with Bot(host, port, name="guest_1", front="stdio") as guest:
            guest.place([Hand("stone", _click(5, -1, 5), (5, 0, 5))])
            time.sleep(1)
            stop.append(True)
            time.sleep(1)

    stop: list[bool] = []

    def sleep(seconds: float) -> None:
        if stop and current_thread() is main_thread():
            raise KeyboardInterrupt
        real(seconds)

    real = time.sleep
    monkeypatch.setattr("minece.agent_bridge.play.time.sleep", sleep)
    episode = _sitting(SLAB, visit)
    assert episode.turns[0]["status"] == "stopped" and len(episode.builds[0].blocks) == 1


@pytest.mark.parametrize("name", ["", "two words", "x" * 17])
def test_names_that_no_player_has(name: str):
    with pytest.raises(WorldError, match="no name of a player"):
        play(SLAB, name=name)


def test_nobody_comes():
    with pytest.raises(WorldError, match="did not join within 0.5 s"):
        play(SLAB, name=one_time_name(), wait=0.5)


def test_one_time_names_are_names_of_players():
    names = {one_time_name() for _ in range(50)}
    assert len(names) == 50 and all(len(name) <= 16 and name.isidentifier() for name in names)
