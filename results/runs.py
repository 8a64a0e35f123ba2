"""The run folder: everything that one scoring run leaves behind.

::

    runs/20260301-141500-core-files/
        run.json            schema, versions, suite and its digest, settings, times, how many builds
        results.jsonl       one record per scored build, written as soon as it is scored
        results.csv         the same as a table, one row a build, written at the end
        episodes.jsonl      where builders built: one record per episode, also of those that a fault ended
        builds/<id>.json    every build that was scored, by its content id; where two builds of the same blocks
                            differ in their log or earlier turns, the later one's name ends in a digest of the file

Files are written whole, but for results.jsonl and episodes.jsonl, which grow by whole lines: an interrupted run
keeps what it has.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from minece.blocks import formats
from minece.blocks.files import write_whole
from minece.results.errors import RunError
from minece.results.jsontext import read_json
from minece.results.records import Record, read_records, to_line, write_records
from minece.tasks.suites import SUITES, suite_digest

if TYPE_CHECKING:
    from minece.blocks import Build

SCHEMA = "minece-run/1"


class RunFolder:
    """A run that is being written; use it in a ``with`` statement.

    ``settings`` is kept in run.json as it is given; ``suite`` names the suite that the run's tasks belong to, where
    they belong to one. Raises :class:`RunError` where the folder already holds a run or cannot be written.
    """

    def __init__(
        self, path: str | Path, *, settings: Mapping[str, Any] | None = None, suite: str | None = None
    ) -> None:
        self.path = Path(path)
        self._facts: dict[str, Any] = {
            "schema": SCHEMA,
            "started": _now(),
            "finished": None,
            "scored": 0,
            "versions": versions(),
            "suite": None if suite is None else describe_suite(suite),
            "settings": dict(settings or {}),
        }
        self._results = self.path / "results.jsonl"
        with self._told(self.path):
            (self.path / "builds").mkdir(parents=True, exist_ok=True)
            try:
                # Whoever makes the file owns the folder, so that two runs at once cannot share it.
                open(self.path / "run.json", "x").close()
            except FileExistsError:
                raise RunError("already holds a run", where=str(self.path), mend="name another folder") from None
            self._write_facts()
            self._results.touch()

    def add(self, row: Record, turns: Sequence[Build]) -> None:
        """Keep one record and the builds, one a turn, that it judges. Raises :class:`MineceError` on a full disk."""
        with self._told(self.path / "builds"):
            file = self._keep(row["build"]["id"], list(turns))
        row = {**row, "build": {**row["build"], "file": file}}
        with self._told(self._results):
            _append(self._results, to_line(row))
        self._facts["scored"] += 1

    def add_episode(self, row: Record) -> None:
        """Keep the record of an episode. Raises :class:`MineceError` on a full disk."""
        file = self.path / "episodes.jsonl"
        with self._told(file):
            file.touch()
            _append(file, to_line(row))

    def _keep(self, name: str, turns: list[Build]) -> str:
        """Write a build unless it is there, and give back its path within the run folder."""
        fresh = self.path / "builds" / ".fresh.json"
        formats.write(turns, fresh, format="json")
        content = fresh.read_bytes()
        target = fresh.with_name(f"{name}.json")
        if target.exists() and target.read_bytes() != content:
            target = fresh.with_name(f"{name}-{hashlib.sha256(content).hexdigest()[:8]}.json")
        fresh.replace(target)
        return f"builds/{target.name}"

    @contextmanager
    def _told(self, place: Path) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RunError(str(error.strerror), where=str(place), mend="choose another place") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            write_records(read_records(self._results), self.path / "results.csv")
            self._facts["finished"] = _now()
            with self._told(self.path / "run.json"):
                self._write_facts()
        else:
            with suppress(OSError):  # what stopped the run goes before what it could not write down
                self._write_facts()

    def _write_facts(self) -> None:
        text = json.dumps(self._facts, indent=2, ensure_ascii=False) + "\n"
        write_whole(self.path / "run.json", text.encode(errors="backslashreplace"))  # odd file names, in JSON's way


def read_run(path: str | Path) -> tuple[dict[str, Any], Iterator[Record]]:
    """What run.json says, and the records of a run folder. Raises :class:`RunError` where it is none."""
    file = Path(path) / "run.json"
    try:
        facts = read_json(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise RunError("no run folder", where=str(path), mend="give a folder that holds run.json") from None
    if not isinstance(facts, dict) or facts.get("schema") != SCHEMA:
        raise RunError("written by another version", where=str(file), mend=f"this version reads {SCHEMA}")
    return facts, read_records(Path(path) / "results.jsonl")


def is_run(path: Path) -> bool:
    """Whether a folder is a run folder, finished or not."""
    return (path / "run.json").is_file() and (path / "builds").is_dir()


def run_name(suite: str, builder: str, *, when: datetime | None = None) -> str:
    """The name of a run's folder: time (UTC), suite and builder, in letters that every file system takes."""
    time = (when or datetime.now(UTC)).strftime("%Y%m%d-%H%M%S")
    return "-".join([time, *(re.sub(r"[^A-Za-z0-9_.]+", "_", part) for part in (suite, builder))])


def versions() -> dict[str, str]:
    """The versions that a result depends on: ours, Python's, the array libraries' and the platform."""
    found = {name: version(name) for name in ("minece", "numpy", "scipy")}
    return {**found, "python": platform.python_version(), "platform": f"{os.name} {platform.machine()}"}


def describe_suite(suite: str) -> dict[str, str]:
    """A suite in run.json: its name, its version, and the digest of all that can move a score in it."""
    return {"name": suite, "version": SUITES[suite], "digest": suite_digest(suite)}


def _append(path: Path, line: str) -> None:
    """Add a whole line to a file that is there, or none of it."""
    before = path.stat().st_size
    try:
        with open(path, "ab") as file:
            file.write(line.encode() + b"\n")
    except BaseException:
        with suppress(OSError):
            os.truncate(path, before)
        raise


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
