"""The Python face: read builds, write them, score them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from minece import results
from minece.blocks import Build, MineceError, formats
from minece.rulefile import Rule, bind_rules
from minece.tasks import Task, load_task, task_from_rules

if TYPE_CHECKING:
    from minece.blocks.formats import Run

def load(path: str | Path, *, ground: int | None = None) -> Build:
    """Read the finished build of a file: its last turn.

    ``ground`` is the height of the ground plane in the file's own coordinates; left out, the file's own ground
    level or its lowest layer is taken, and ``build.provenance.ground`` says which. Raises :class:`MineceError`.
    """
    return load_turns(path, ground=ground)[-1]


def load_turns(path: str | Path, *, ground: int | None = None) -> list[Build]:
    """Read a file as one build per turn; most files hold a single turn. Raises :class:`MineceError`."""
    runs = load_runs(path, ground=ground)
    if len(runs) != 1:
        raise MineceError(f"holds {len(runs)} runs", where=str(path), mend="read it with minece.load_runs")
    return list(runs[0].turns)


def load_runs(path: str | Path, *, ground: int | None = None) -> list[Run]:
    """Read a file that may hold several runs, each with one build per turn and perhaps its own checks."""
    return list(formats.read(Path(path), ground=ground).runs)


def save(build: Build | Sequence[Build], path: str | Path, *, format: str | None = None) -> None:
    """Write a build, or one build per turn, in the format of the file name's ending or the one that is named.

    The file appears whole or not at all. Raises :class:`MineceError` for what a format cannot hold.
    """
    formats.write(build if isinstance(build, Build) else list(build), Path(path), format=format)


def score(
    build: Build | Sequence[Build], task: Task | str | None = None, *, rules: Iterable[Rule] | None = None
) -> results.Score:
    """Judge a build, or one build per turn, by a task (or its id) or by rules of one's own.

    Rules are ``{"rule": name, "args": {…}}``; with several turns every turn is judged by all of them. Raises
    :class:`MineceError` for an unknown task, a wrong rule, or builds that do not fit the task's turns.
    """
    if (task is None) == (rules is None):
        raise MineceError("a build is judged by a task or by rules", mend="give exactly one of them")
    if isinstance(task, str):
        task = load_task(task)
    if task is None:
        turns = len(build) if isinstance(build, Sequence) else 1
        task = task_from_rules([bind_rules(rules or ())] * turns, id="rules")
    return results.score(build, task)
