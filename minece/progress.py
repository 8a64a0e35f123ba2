"""Progress of long work, on standard error: a bar on a terminal, elsewhere one JSON line per event."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_QUIET = 2.0  # seconds; work that ends sooner shows nothing
_EVERY = 5.0  # seconds between JSON lines

Step = Callable[[str, int, int], None]
"""Called with what is being done, how much is done, and how much there is."""


@contextmanager
def shown() -> Iterator[Step]:
    """Shows each step that is reported to it."""
    if sys.stderr.isatty():
        from rich.console import Console
        from rich.progress import Progress

        with Progress(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=None)
            yield lambda what, done, of: bar.update(task, description=what, completed=done, total=of)
    else:
        yield _lines()


def _lines() -> Step:
    start = time.monotonic()
    due = start + _QUIET

    def step(what: str, done: int, of: int) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due:
            event = {"event": what, "done": done, "of": of, "seconds": round(now - start, 1)}
            print(json.dumps(event), file=sys.stderr, flush=True)
            due = now + _EVERY

    return step
