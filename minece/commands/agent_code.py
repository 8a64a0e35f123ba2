"""What a file of agent code builds in memory, for `minece score --agent-code`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from minece.agent_bridge import read_program, run_episode
from minece.blocks import Build, MineceError
from minece.checkers.wording import count
from minece.commands.build import open_world
from minece.tasks import Task


def build_in_memory(path: Path, task: Task) -> Build:
    """What the program in a file builds for a task of one instruction; warnings say what went wrong on the way.

    Raises :class:`MineceError` for a file that is no program, for what is not installed and for a runner that broke.
    """
    if len(task.turns) != 1:
        raise MineceError(
            f"{task.id} has {len(task.turns)} instructions and a file of agent code answers one",
            mend="name a program for each of them: `minece build`",
        )
    programs = [read_program(path)]
    opener, facts = open_world(task, programs, world="offline")
    episode = run_episode(task, programs, opener, world=facts)
    if not episode.completed:
        raise MineceError(episode.faults[-1].message)
    build = episode.builds[0]
    warnings = (*build.provenance.warnings, *_warnings(episode.turns[0]))
    return replace(build, provenance=replace(build.provenance, warnings=warnings))


def _warnings(turn: Mapping[str, Any]) -> Iterator[str]:
    if turn["status"] != "ok":
        yield f"the program did not end by itself: {turn['message'] or turn['status']}"
    refused = sum(turn["refused"].values())
    if refused:
        most = max(turn["refused"], key=lambda reason: turn["refused"][reason])
        yield f"{count(refused, 'action')} of the program refused, mostly for: {most}"
