"""Episodes: one attempt of one builder at one task, as one record, whether or not anything came of it.

A record is ``{"schema", "task", "builder", "world", "settings", "seed", "briefing", "started", "seconds", "turns",
"faults", "result"}``; docs/reference/results.md lists every name. Faults of game and bridge stand beside what the
builder did, never in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from minece.blocks import Build
from minece.results.records import Record
from minece.tasks import Task
from minece.tasks.briefings import briefing_digest

SCHEMA = "minece-episode/1"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that broke and was not the builder's doing.

    ``boundary`` says what broke: server, bridge or bot; ``attempt`` counts from 1.
    """

    boundary: str
    message: str
    attempt: int


@dataclass(frozen=True)
class Episode:
    """What one builder did with one task.

    Attributes
    ----------
    builder : kind ("program", "player") and what names it, such as files and their digests
    world : kind ("offline", "minecraft"), mode, version, and how what was asked arrived
    settings : limits and options
    turns : for each turn what the builder's part came to, such as status, placed and refused
    builds : one build per turn, empty where a fault ended the last attempt
    faults : what broke, in all attempts
    started : UTC, ISO 8601
    """

    task: Task
    builder: Mapping[str, Any]
    world: Mapping[str, Any]
    settings: Mapping[str, Any]
    seed: int
    started: str
    seconds: float
    turns: Sequence[Mapping[str, Any]] = ()
    builds: Sequence[Build] = ()
    faults: Sequence[Fault] = field(default=())

    @property
    def completed(self) -> bool:
        """Whether every turn has its build."""
        return len(self.builds) == len(self.task.turns)

    def record(self, result: Record | None) -> Record:
        """The episode ready for JSON; ``result`` is the record of its scored builds, None where there are none."""
        return {
            "schema": SCHEMA,
            "task": {**self.task.names, "digest": self.task.digest},
            "builder": dict(self.builder),
            "world": dict(self.world),
            "settings": dict(self.settings),
            "seed": self.seed,
            "briefing": briefing_digest(self.task),
            "started": self.started,
            "seconds": round(self.seconds, 3),
            "completed": self.completed,
            "turns": [dict(turn) for turn in self.turns],
            "faults": [asdict(fault) for fault in self.faults],
            "result": result,
        }
