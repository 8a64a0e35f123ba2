"""`minece build`: programs build, in memory or in the game, and what stands in the end is scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from minece.agent_bridge import Program, ProgramLimits, World, read_program, run_episode, start_of
from minece.blocks import MineceError
from minece.commands.building import Finished, Outputs
from minece.progress import shown
from minece.tasks import Task, load_task
from minece.tasks.briefings import VERSION_NAMED

WORLDS = ("offline", "minecraft")
MODES = ("embodied", "exact")


def run(
    files: Sequence[Path],
    *,
    task: str,
    world: str,
    mode: str,
    game: str | None,
    server: str | None,
    at: tuple[int, int, int] | None,
    seed: int,
    seconds: float,
    outputs: Outputs,
    fail_under: float | None,
    as_json: bool,
) -> int:
    """Let the programs build, score, print and keep it, and give back the exit code."""
    if world not in WORLDS:
        raise MineceError(f"there is no world {world!r}", mend=f"take one of {', '.join(WORLDS)}")
    if mode not in MODES:
        raise MineceError(f"there is no mode {mode!r}", mend=f"take one of {', '.join(MODES)}")
    if world == "offline" and (server or at):
        raise MineceError("--server and --at are for the game", mend="add --world minecraft")
    if world == "offline" and mode != "embodied":
        raise MineceError("--mode is for the game", mend="add --world minecraft")
    if at and not server:
        raise MineceError("--at is for somebody's own server", mend="add --server HOST:PORT")
    wanted = load_task(task)
    programs = [read_program(file) for file in files]
    outputs.check(len(wanted.turns))
    limits = ProgramLimits(seconds=seconds)
    opener, facts = open_world(wanted, programs, world=world, mode=mode, game=game, server=server, at=at)
    with shown() as step:
        episode = run_episode(wanted, programs, opener, world=facts, limits=limits, seed=seed, progress=step)
    finished = Finished.of(episode, name=programs[-1].name)
    return finished.tell(outputs, fail_under=fail_under, as_json=as_json)


def open_world(
    task: Task,
    programs: Sequence[Program],
    *,
    world: str,
    mode: str = "embodied",
    game: str | None = None,
    server: str | None = None,
    at: tuple[int, int, int] | None = None,
) -> tuple[Callable[[], World], dict[str, Any]]:
    """What opens the world that is asked for, as often as needed, and what a record says of it."""
    start, source = start_of(task), programs[-1].name
    if world == "offline":
        from minece.agent_bridge.offline import OfflineWorld

        version = game or VERSION_NAMED
        return (
            lambda: OfflineWorld(limits=task.limits, stock=task.stock, start=start, version=version, source=source),
            {"kind": world, "version": version},
        )
    from minece.agent_bridge.minecraft import DEFAULT_VERSION, foreign_world, own_world

    version = game or DEFAULT_VERSION
    facts = {"kind": world, "version": version, "mode": mode, "server": "own" if server is None else "foreign"}
    if server is None:
        return (
            lambda: own_world(
                limits=task.limits,
                stock=task.stock,
                start=start,
                mode="exact" if mode == "exact" else "embodied",
                version=version,
                source=source,
            ),
            facts,
        )
    if mode == "exact":
        raise MineceError(
            "exact states need the control channel of our own server", mend="leave out --server or --mode"
        )
    host, port = _address(server)
    return (
        lambda: foreign_world(
            host, port, limits=task.limits, stock=task.stock, start=start, at=at, version=version, source=source
        ),
        facts,
    )


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host:
        host, port = text, "25565"
    if not port.isdecimal() or not 0 < int(port) < 65536:
        raise MineceError(f"{text!r} is no address", mend="write host:port, as in localhost:25565")
    return host.strip("[]"), int(port)
