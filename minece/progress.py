"""Progress of long work, on standard error: a bar on a terminal, elsewhere one JSON line per event."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")

_QUIET = 2.0  # seconds; work that ends sooner shows nothing
_EVERY = 5.0  # seconds between JSON lines


def track(items: Sequence[Item], what: str) -> Iterator[Item]:
    """Go through the items and show how far the work has come."""
    if sys.stderr.isatty():
        yield from _bar(items, what)
    else:
        yield from _lines(items, what)


def _bar(items: Sequence[Item], what: str) -> Iterator[Item]:
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, disable=len(items) < 2) as progress:
        yield from progress.track(items, description=what)


def _lines(items: Sequence[Item], what: str) -> Iterator[Item]:
    start = time.monotonic()
    due = start + _QUIET
    for done, item in enumerate(items):
        now = time.monotonic()
        if now >= due:
            event = {"event": what, "done": done, "of": len(items), "seconds": round(now - start, 1)}
            print(json.dumps(event), file=sys.stderr, flush=True)
            due = now + _EVERY
        yield item
