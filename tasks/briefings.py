"""The briefing: what every builder is told about world, plot and means, the same for models and people."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from minece.tasks.task import Task

if TYPE_CHECKING:
    from jinja2 import Template

VERSION_NAMED = "1.21.4"
"""The game version whose blocks the briefing names."""


@lru_cache(maxsize=1)
def _template() -> Template:
    from jinja2 import Environment, StrictUndefined

    text = (files("minece.tasks") / "briefing.md.j2").read_text(encoding="utf-8")
    env = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)
    return env.from_string(text)


def briefing(task: Task) -> str:
    """The briefing for a task, in Markdown. It tells nothing of the rules."""
    return _template().render(limits=task.limits, stock=task.stock, turns=len(task.turns), version=VERSION_NAMED)


def briefing_digest(task: Task) -> str:
    """SHA-256 of the briefing (64 hex digits), for records."""
    return hashlib.sha256(briefing(task).encode()).hexdigest()
