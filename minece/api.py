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


def load(
    path: str | Path,
    *,
    ground: int | None = None,
    task: Task | str | None = None,
    axes: str | None = None,
    box: Sequence[int] | None = None,
    drop: str | Iterable[str] = (),
) -> Build:
    """Read the finished build of a file: its last turn.

    ``ground`` is the height of the ground plane in the file's own coordinates. Left out, the file's own ground level
    is taken; where it has none, ``task`` (a task or its id) says whether builds of its kind lie below the ground or on
    it, as `minece score --task` does; without a task the lowest layer stands on the ground.
    ``build.provenance.ground`` says which it was. ``axes`` is the order of the axes of a NumPy grid.

    ``path`` may be a world's folder. ``box`` are two corners ``x0, y0, z0, x1, y1, z1`` in the file's own coordinates,
    both within: only what lies between is read. ``drop`` are ids and "#tags" of blocks to leave out, as if the file
    said nothing of their cells. Raises :class:`MineceError`.
    """
    return load_turns(path, ground=ground, task=task, axes=axes, box=box, drop=drop)[-1]


def load_turns(
    path: str | Path,
    *,
    ground: int | None = None,
    task: Task | str | None = None,
    axes: str | None = None,
    box: Sequence[int] | None = None,
    drop: str | Iterable[str] = (),
) -> list[Build]:
    """Read a file as one build per turn; most files hold a single turn. For what may be said of it see :func:`load`.

    Raises :class:`MineceError`.
    """
    runs = load_runs(path, ground=ground, task=task, axes=axes, box=box, drop=drop)
    if len(runs) != 1:
        raise MineceError(f"holds {len(runs)} runs", where=str(path), mend="read it with minece.load_runs")
    return list(runs[0].turns)


def load_runs(
    path: str | Path,
    *,
    ground: int | None = None,
    task: Task | str | None = None,
    axes: str | None = None,
    box: Sequence[int] | None = None,
    drop: str | Iterable[str] = (),
) -> list[Run]:
    """Read a file that may hold several runs, each with one build per turn and perhaps its own checks.

    For what may be said of it see :func:`load`. Raises :class:`MineceError`.
    """
    hint = None if task is None else _task(task).ground
    found = formats.read(Path(path), ground=ground, hint=hint, axes=axes, box=box, drop=drop)
    return list(found.runs)


def _task(task: Task | str) -> Task:
    return load_task(task) if isinstance(task, str) else task


def save(build: Build | Iterable[Build], path: str | Path, *, format: str | None = None) -> None:
    """Write a build, or one build per turn, in the format of the file name's ending or the one that is named.

    The file appears whole or not at all. Raises :class:`MineceError` for what a format cannot hold.
    """
    formats.write(build if isinstance(build, Build) else list(build), Path(path), format=format)


def score(
    build: Build | Iterable[Build], task: Task | str | None = None, *, rules: Iterable[Rule] | None = None
) -> results.Score:
    """Judge a build, or one build per turn, by a task (or its id) or by rules of one's own.

    Rules are ``{"rule": name, "args": {…}}``; with several turns every turn is judged by all of them. Raises
    :class:`MineceError` for an unknown task, a wrong rule, no build, or builds that do not fit the task's turns.
    """
    if (task is None) == (rules is None):
        raise MineceError("a build is judged by a task or by rules", mend="give exactly one of them")
    turns = results.as_turns(build)
    if task is None:
        task = task_from_rules([bind_rules(rules or ())] * len(turns), id="rules")
    return results.score(turns, _task(task))
