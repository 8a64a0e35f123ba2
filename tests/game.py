"""The real game in tests: Node and its packages, or one reason why not, and which Node processes there are."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from minece.agent_bridge.errors import SetupError
from minece.agent_bridge.runtime import SCRIPTS, node, packages

REQUIRED = os.environ.get("MINECE_GAME") == "required"
"""Whether a missing game fails tests instead of leaving them out; so it is in CI."""

needs_game = pytest.mark.usefixtures("game")
"""Marks tests that start Node."""

_MARK = "MINECE_TEST_PROCESS"


class NodeProcess(NamedTuple):
    """A Node that these tests started."""

    pid: int
    command: str


@pytest.fixture(scope="session")
def game() -> Path:
    """The node_modules folder."""
    try:
        node()
        return packages()
    except SetupError as error:
        reason = f"no game: {error}"
    if REQUIRED:
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session", autouse=True)
def no_node_left() -> Iterator[None]:
    """At the end no Node is left of those that the tests started."""
    os.environ[_MARK] = str(os.getpid())
    before = node_processes()
    yield
    end = time.monotonic() + 10
    while left := [process for process in node_processes() if process not in before]:
        if time.monotonic() > end:
            shown = "\n".join(f"{process.pid}: {process.command}" for process in left)
            pytest.fail(f"Node processes are left:\n{shown}", pytrace=False)
        time.sleep(0.05)


def node_processes() -> list[NodeProcess]:
    """Those that descend from this process, and those without a parent that it or our scripts started (Linux)."""
    parents: dict[int, int] = {}
    nodes: dict[int, tuple[str, bytes]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            after_name = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            pid, parents[int(folder.name)] = int(folder.name), int(after_name[1])
            if os.path.basename(words[0]) in (b"node", b"nodejs") and after_name[0] not in "ZX":
                nodes[pid] = b" ".join(words).decode(errors="replace").strip(), (folder / "environ").read_bytes()
        except OSError:  # it ended meanwhile, or is another user's
            continue
    mark = f"{_MARK}={os.getpid()}".encode()
    return [
        NodeProcess(pid, command)
        for pid, (command, environment) in sorted(nodes.items())
        if _descends(pid, parents)
        or mark in environment.split(b"\0")
        or (parents[pid] == 1 and str(SCRIPTS) in command)
    ]


def _descends(pid: int, parents: dict[int, int]) -> bool:
    seen: set[int] = set()
    while pid in parents and pid not in seen:
        seen.add(pid)
        pid = parents[pid]
        if pid == os.getpid():
            return True
    return False
