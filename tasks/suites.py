"""Suites: named, versioned lists of tasks.

``core`` holds every task of every family of this package. ``lite`` holds one task of each family, drawn with a fixed
seed, for people. The lists are frozen in ``data/suites.json``, with a digest over everything in a family that can
move a score; ``tools/freeze_suites.py`` writes it anew, and `minece tasks check` says where a family has moved on.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from importlib.resources import files
from random import Random

from minece.tasks.errors import UnknownTask
from minece.tasks.loader import Family, load_family
from minece.tasks.task import Task

SUITES = {"core": "core-1", "lite": "lite-1"}
"""Suites and their versions."""
LITE_SEED = 42


@dataclass(frozen=True, slots=True)
class FamilyEntry:
    """A family as the suites know it. ``digest`` covers texts, rules, stock, ground and limits of all its tasks."""

    name: str
    group: str
    type: str
    version: int
    digest: str
    ids: tuple[str, ...]


@lru_cache(maxsize=1)
def families() -> tuple[FamilyEntry, ...]:
    """The families of this package, in the order of the suites."""
    rows = json.loads((files("minece.tasks") / "data" / "suites.json").read_text(encoding="utf-8"))
    return tuple(FamilyEntry(**{**row, "ids": tuple(row["ids"])}) for row in rows)


def entry_of(family: Family) -> FamilyEntry:
    """What data/suites.json should hold for a family as it is now."""
    tasks = family.tasks()
    digest = hashlib.sha256("\n".join(task.digest for task in tasks).encode()).hexdigest()[:32]
    spec = family.spec
    return FamilyEntry(family.name, spec.group, spec.type, spec.version, digest, tuple(task.id for task in tasks))


def task_ids(suite: str = "core", *, seed: int | None = None) -> list[str]:
    """The ids of a suite's tasks. ``seed`` shuffles them. Raises :class:`UnknownTask` for an unknown suite."""
    _version(suite)
    if suite == "lite":
        ids = [Random(f"{LITE_SEED} {entry.name}").choice(entry.ids) for entry in families()]
    else:
        ids = [task_id for entry in families() for task_id in entry.ids]
    if seed is not None:
        Random(seed).shuffle(ids)
    return ids


def suite_digest(suite: str = "core") -> str:
    """32 hex digits over a suite's tasks and all that can move a score in their families, for records of runs."""
    ids = task_ids(suite)
    facts = [_version(suite), [entry.digest for entry in families()], ids]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:32]


def tasks(suite: str = "core", *, seed: int | None = None) -> list[Task]:
    """The tasks of a suite, in the order of :func:`task_ids`."""
    version = _version(suite)
    ids = task_ids(suite, seed=seed)
    if suite == "lite":
        return [load_task(task_id, suite=suite) for task_id in ids]
    made = {
        task.id: task for entry in families() for task in load_family(entry.name).tasks(suite=suite, version=version)
    }
    return [made[task_id] for task_id in ids]


def load_task(task_id: str, *, suite: str = "core") -> Task:
    """The task with this id; only its family is loaded. Raises :class:`UnknownTask`, with the nearest ids."""
    version = _version(suite)
    for entry in families():
        if task_id in entry.ids:
            found = load_family(entry.name).find(task_id, suite=suite, version=version)
            if found is not None:
                return found
    known = [known_id for entry in families() for known_id in entry.ids]
    raise UnknownTask(f"there is no task {_short(task_id)!r}", mend=_meant(task_id, known))


def _version(suite: str) -> str:
    if suite not in SUITES:
        raise UnknownTask(f"there is no suite {_short(suite)!r}", mend="take one of " + ", ".join(SUITES))
    return SUITES[suite]


def _meant(task_id: str, known: Iterable[str]) -> str:
    near = get_close_matches(_short(task_id), known, n=3, cutoff=0.7)
    return f"did you mean {' or '.join(near)}?" if near else "see `minece tasks list`"


def _short(text: object) -> str:
    return str(text)[:200]
