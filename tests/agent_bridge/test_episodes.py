"""Episodes: what the builder did wrong is told apart from what broke."""

import time

import pytest
from game import needs_game

import minece
from minece.agent_bridge import OfflineWorld, Outcome, ProgramLimits, World, WorldError, run_episode
from minece.agent_bridge.sources import Program
from minece.tasks import load_task

TASK = load_task("elements/shallow/7x8x1-lay")
HALF = "await skills.placeBlock(bot, 'stone', 3, 0, 3); "


@needs_game
@pytest.mark.slow
@pytest.mark.parametrize(
    ("tail", "status"),
    [
        ("", "ok"),
        ("throw new Error('x')", "threw"),
        ("for (;;);", "timeout"),
        ("for (;;) log(bot, 'x')", "limit"),
        ("setTimeout(() => 0, 1)", "refused feature"),
    ],
)
def test_what_the_builder_did_is_no_fault_and_is_not_tried_again(tail: str, status: str) -> None:
    opened: list[World] = []

    def opener() -> World:
        opened.append(OfflineWorld(limits=TASK.limits))
        return opened[-1]

    program, limits = Program("half.js", "javascript", HALF + tail), ProgramLimits(seconds=1, calls=50)
    episode = run_episode(TASK, [program], opener, world={}, limits=limits)
    assert len(opened) == 1 and episode.completed and not episode.faults
    assert episode.turns[0]["status"] == status and len(episode.builds[0].blocks) == 1
    assert not minece.score(episode.builds, TASK).overall


def test_a_program_for_each_instruction() -> None:
    with pytest.raises(WorldError, match="has 1 instruction, not 0"):
        run_episode(TASK, [], OfflineWorld, world={})


def test_a_list_of_commands_keeps_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also within one box: what is left of it is refused."""
    world = OfflineWorld(limits=TASK.limits)
    slow = world.place

    def place(*wish: object, **how: object) -> Outcome:
        time.sleep(0.02)
        return slow(*wish, **how)  # type: ignore[arg-type]

    monkeypatch.setattr(world, "place", place)
    source = '[{"fill": [[0, 0, 0], [15, 0, 15]], "block": "stone"}, {"place": [3, 5, 3], "block": "stone"}]'
    begin = time.monotonic()
    result = Program("slab.json", "commands", source).run(world, limits=ProgramLimits(seconds=0.5), seed=0)
    assert result.status == "timeout" and result.refused["no time left"] > 200
    assert time.monotonic() - begin < 3 and world.deadline is None
