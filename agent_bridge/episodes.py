"""One episode: programs build one turn after another in a world, and a fault that is not theirs is tried once more."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from minece.agent_bridge.clicks import Point
from minece.agent_bridge.errors import INFRASTRUCTURE, WorldError
from minece.agent_bridge.programs import ProgramLimits, ProgramResult
from minece.agent_bridge.sources import Program
from minece.agent_bridge.world import World
from minece.blocks import Build
from minece.checkers.wording import count
from minece.results import Episode, Fault
from minece.tasks import Task

ATTEMPTS = 2

Progress = Callable[[str, int, int], None]


def start_of(task: Task) -> Point:
    """Where builders stand at first: a quarter of the plot from its north-west corner, as most build eastward and
    southward from where they stand."""
    width, depth = task.limits.plot
    return width // 4 + 0.5, 0.0, depth // 4 + 0.5


def run_episode(
    task: Task,
    programs: Sequence[Program],
    open_world: Callable[[], World],
    *,
    world: Mapping[str, Any],
    limits: ProgramLimits | None = None,
    seed: int = 0,
    progress: Progress = lambda what, done, of: None,
) -> Episode:
    """Let one program a turn build, in a world that is opened for it and closed again.

    ``world`` describes the world for the record. Where server, bridge or bot break, all is begun anew, once; an
    episode whose last attempt broke has no builds. Raises :class:`WorldError` where programs and turns do not match,
    :class:`~minece.agent_bridge.errors.SetupError` for what is not installed.
    """
    if len(programs) != len(task.turns):
        raise WorldError(
            f"{task.id} has {count(len(task.turns), 'instruction')}, not {len(programs)}",
            mend="name one program for each, in their order",
        )
    limits = limits or ProgramLimits()
    started, begin = datetime.now(UTC), time.monotonic()
    faults: list[Fault] = []
    results: list[ProgramResult] = []
    builds: list[Build] = []
    facts: Mapping[str, Any] = {}
    for attempt in range(1, ATTEMPTS + 1):
        results, builds, facts = [], [], {}
        try:
            progress("opening the world", 0, len(programs))
            with closing(open_world()) as place:
                try:
                    for number, program in enumerate(programs):
                        progress("building", number, len(programs))
                        results.append(program.run(place, limits=limits, seed=seed))
                        builds.append(place.end_turn())
                finally:
                    facts = place.facts()  # of a broken world too: it says what did not arrive
            break
        except INFRASTRUCTURE as error:
            builds = []
            faults.append(Fault(error.boundary, str(error), attempt))
    return Episode(
        task=task,
        builder={"kind": "program", "programs": [program.facts for program in programs]},
        world={**world, **facts},
        settings=asdict(limits),
        seed=seed,
        started=started.isoformat(timespec="seconds"),
        seconds=time.monotonic() - begin,
        turns=[asdict(result) for result in results],
        builds=builds,
        faults=faults,
    )
