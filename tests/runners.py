"""Which runners of programs there are (Linux)."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path


def runners(parent: int | None = None) -> list[int]:
    """Process ids of the runners that a process started; of this one by default."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes()
            state, ancestor = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()[:2]
        except OSError:  # it ended meanwhile
            continue
        if b"runner.mjs" in command and state not in "ZX" and int(ancestor) == (parent or os.getpid()):
            found.append(int(folder.name))
    return found


def alive(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def await_that(condition: Callable[[], object], seconds: float = 10.0) -> None:
    """Wait until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.02)
