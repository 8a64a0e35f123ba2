"""A person builds: a server with the plot marked out, one guest with a name that is good for once, and a record."""

from __future__ import annotations

import re
import secrets
import textwrap
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Literal, NamedTuple

import numpy as np

from minece.agent_bridge.episodes import start_of
from minece.agent_bridge.errors import BridgeError, ServerError, WorldError
from minece.agent_bridge.minecraft import DEFAULT_VERSION, compare_log
from minece.agent_bridge.referee import Referee
from minece.agent_bridge.server import MinecraftServer
from minece.agent_bridge.site import Site
from minece.blocks import Build
from minece.blocks.build import Provenance
from minece.blocks.grid import as_cells
from minece.results import Episode, Fault
from minece.tasks import Task

FRAME, CORNER = "white_concrete", "sea_lantern"
"""What the ground around the plot is marked with."""

_SETTLING = 1.0  # seconds that a client needs until its chat is shown
_PAUSE = 0.2  # seconds between two looks at what happened
_LINE = 60  # letters of a line in the chat


class Sitting(NamedTuple):
    """How a person's turn ended, and what was refused in it."""

    status: Literal["ok", "left", "time over", "stopped"]
    refused: Counter[str]
    said: list[str]


def one_time_name() -> str:
    """A name that nobody can guess, as players' names may be."""
    return f"guest_{secrets.token_hex(4)}"


def play(
    task: Task,
    *,
    name: str,
    host: str = "127.0.0.1",
    port: int = 0,
    version: str = DEFAULT_VERSION,
    wait: float = 900.0,
    time_limit: float = 7200.0,
    tell: Callable[[str], None] = lambda line: None,
) -> Episode:
    """Let one person build in the game, and give back what came of it.

    ``name`` is the only player who may join; ``wait`` is how many seconds there are to join, ``time_limit`` how many
    to build. The person writes "done" into the chat after each instruction, or leaves, or the time is over: what
    stands then counts, for the instructions that were not given too. ``tell`` is told how to join, and what happens.
    Raises :class:`WorldError` where nobody comes and :class:`ServerError` where the server does not start; where it
    breaks later the episode has a fault and no builds.
    """
    if not re.fullmatch(r"\w{1,16}", name, re.ASCII):
        raise WorldError(f"{name[:40]!r} is no name of a player", mend="up to 16 letters, digits and _")
    provenance = Provenance(source=name, format="minecraft world", version=version, ground="y = 0, the plot's")
    site = Site(limits=task.limits, stock=task.stock, provenance=provenance, who=name, timed=True)
    referee = Referee(site)
    started, begin = datetime.now(UTC), time.monotonic()
    turns: list[dict[str, Any]] = []
    builds: list[Build] = []
    faults: list[Fault] = []
    with MinecraftServer(referee, version=version, host=host, port=port, names=(name,), spawn=start_of(task)) as server:
        try:
            _mark(server, task)
            tell(f"join {server.host}:{server.port} with Minecraft {version} as {name}")
            _wait_for(server, name, wait)
            tell(f"{name} is there")
            time.sleep(_SETTLING)
            end = time.monotonic() + time_limit
            for number, turn in enumerate(task.turns, start=1):
                of = f"Instruction {number} of {len(task.turns)}: " if len(task.turns) > 1 else ""
                turn_begin = time.monotonic()
                sitting = _sit(server, name, of + turn.text, end)
                placed, build = referee.end_turn()
                builds.append(build)
                turns.append(
                    {
                        "status": sitting.status,
                        "placed": placed,
                        "refused": dict(sitting.refused),
                        "message": "",
                        "log": sitting.said,
                        "seconds": round(time.monotonic() - turn_begin, 3),
                    }
                )
                tell(f"instruction {number}: {sitting.status}, {placed} placed")
                if sitting.status != "ok":
                    break
            with _may_have_left(server):
                server.kick(name, "Thank you. What stands now is scored.")
            compare_log(server, site)
        except (ServerError, BridgeError) as error:
            builds.clear()
            faults.append(Fault(error.boundary, str(error), 1))
    while builds and len(builds) < len(task.turns):
        builds.append(site.end_turn())
        turns.append({"status": "not given", "placed": 0, "refused": {}, "message": "", "log": [], "seconds": 0.0})
    return Episode(
        task=task,
        builder={"kind": "player", "name": name},
        world={"kind": "minecraft", "version": version, "mode": "embodied", "server": "own"},
        settings={"wait": wait, "time_limit": time_limit},
        seed=0,
        started=started.isoformat(timespec="seconds"),
        seconds=time.monotonic() - begin,
        turns=turns,
        builds=builds,
        faults=faults,
    )


def _mark(server: MinecraftServer, task: Task) -> None:
    """A frame in the ground around the plot, with lights at its corners."""
    width, depth = task.limits.plot
    along_x, along_z = np.arange(-1, width + 1), np.arange(-1, depth + 1)
    plan = [(x, z) for x in along_x for z in (-1, depth)] + [(x, z) for x in (-1, width) for z in along_z]
    cells = as_cells(sorted({(int(x), -1, int(z)) for x, z in plan}))
    corner = np.isin(cells[:, 0], (-1, width)) & np.isin(cells[:, 2], (-1, depth))
    server.set_blocks(cells, (FRAME, CORNER), corner.astype(np.int32))


def _wait_for(server: MinecraftServer, name: str, seconds: float) -> None:
    end = time.monotonic() + seconds
    while not any(event.kind == "joined" and event.player == name for event in server.events()):
        if time.monotonic() > end:
            raise WorldError(f"{name} did not join within {seconds:g} s", mend="start anew, with a longer --wait")
        time.sleep(_PAUSE)


def _instruct(server: MinecraftServer, name: str, text: str) -> None:
    """Write an instruction into the chat."""
    with _may_have_left(server):
        for line in textwrap.wrap(text, _LINE):
            server.say(line, name)
        server.say("Build inside the white frame. Write done when you are finished, task to read this again.", name)


@contextmanager
def _may_have_left(server: MinecraftServer) -> Iterator[None]:
    """Speaking to a player who has just left is no fault of the server."""
    try:
        yield
    except ServerError:
        if not server.alive:
            raise


def _sit(server: MinecraftServer, name: str, text: str, end: float) -> Sitting:
    """Give an instruction, and wait until the person is done, has left, or the time is over."""
    sitting = Sitting("ok", Counter(), [])
    try:
        return _wait_until_done(server, name, text, end, sitting)
    except KeyboardInterrupt:  # whoever runs this ends it; what stands is not thrown away
        return sitting._replace(status="stopped")


def _wait_until_done(server: MinecraftServer, name: str, text: str, end: float, sitting: Sitting) -> Sitting:
    _instruct(server, name, text)
    while time.monotonic() < end:
        for event in server.events():
            if event.player != name:
                continue
            if event.kind == "left":
                return sitting._replace(status="left")
            if event.kind == "refused":
                sitting.refused[event.text] += 1
            elif event.kind == "chat":
                sitting.said.append(event.text)
                word = event.text.strip().lower().lstrip("/!")
                if word == "done":
                    return sitting
                if word == "task":
                    _instruct(server, name, text)
        time.sleep(_PAUSE)
    with _may_have_left(server):
        server.kick(name, "The time is over. What stands now is scored.")
    return sitting._replace(status="time over")
