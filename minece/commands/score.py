"""`minece score`: verdicts for files or folders, offline."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from minece import report, results
from minece.blocks import Build, MineceError, formats
from minece.checkers import BoundRule
from minece.progress import shown
from minece.results import Record, RecordFile, RunFolder
from minece.rulefile import bind_rules, read_rules
from minece.tasks import Task, load_task, task_from_rules

_DETAILED = 5  # up to so many builds each gets a table of verdicts of its own


def run(
    paths: Sequence[Path],
    *,
    task: str | None,
    rules: Path | None,
    ground: int | None,
    out: Path | None,
    fail_under: float | None,
    as_json: bool,
) -> int:
    """Score what the paths hold, print it, keep it where asked, and give back the exit code."""
    if task is not None and rules is not None:
        raise MineceError("a build is judged by a task or by rules", mend="give --task or --rules, not both")
    judge = Judge(
        task=None if task is None else load_task(task),
        rules=None if rules is None else read_rules(rules),
        ground=ground,
    )
    settings = {
        "command": "score",
        "builds": [str(path) for path in paths],
        "task": task,
        "rules": None if rules is None else str(rules),
        "ground": ground,
        "fail_under": fail_under,
    }
    files, bad = find_files(paths)
    kept = None if out is None else _place(out, settings, judge.task)
    told = Summary()
    with kept or nullcontext(), shown() as step:
        for number, file in enumerate(files):
            step("scoring", number, len(files))
            for found in judge.file(file):
                if isinstance(found, MineceError):
                    bad.append(str(found))
                    continue
                row, turns = found
                if isinstance(kept, RunFolder):
                    kept.add(row, turns)
                elif kept is not None:
                    kept.add(row)
                told.add(row)
                if as_json:
                    print(results.to_line(row), flush=True)
    if not as_json:
        told.show(len(bad), out)
    for line in bad:
        print(line, file=sys.stderr)
    if bad:
        return 2
    return int(fail_under is not None and told.passed < fail_under * told.scored)


def _place(out: Path, settings: Mapping[str, object], task: Task | None) -> RecordFile | RunFolder:
    """Where results are kept: a file where the name ends like one, else a run folder."""
    # An ending that begins with a digit belongs to a version, as in runs/model-4.1.
    if not out.is_dir() and re.fullmatch(r"\.[A-Za-z]\w*", out.suffix):
        return RecordFile(out)
    return RunFolder(out, settings=settings, suite=task.suite if task is not None else None)


@dataclass(frozen=True)
class Judge:
    """What builds are judged by: a task, rules, or the checks that stand in a file of result records.

    ``ground`` is the height of the ground plane in the files' own coordinates, None to find it.
    """

    task: Task | None = None
    rules: list[BoundRule] | None = None
    ground: int | None = None

    def file(self, path: Path) -> Iterator[tuple[Record, list[Build]] | MineceError]:
        """Record and builds, one a turn, for each run that the file holds, or what is wrong with it."""
        hint = self.task.ground if self.task is not None else None
        try:
            document = formats.read(path, ground=self.ground, hint=hint)
        except MineceError as error:
            yield error
            return
        for run in document.runs:
            name = str(path) if len(document.runs) == 1 else f"{path}: {run.name}"
            try:
                task = self._task(run)
                yield results.record(run.turns, task, results.score(run.turns, task), name=name), run.turns
            except MineceError as error:
                yield error.at(name)

    def _task(self, run: formats.Run) -> Task:
        if self.task is not None:
            return self.task
        if self.rules is not None:
            return task_from_rules([self.rules] * len(run.turns), id="rules")
        if run.checks is None:
            raise MineceError("nothing to judge it by", mend="give --task ID or --rules FILE")
        return task_from_rules([bind_rules(checks) for checks in run.checks], id="checks")


def find_files(paths: Sequence[Path]) -> tuple[list[Path], list[str]]:
    """The files to score, and a line for each path that leads to none.

    Of a folder: all files in it and below, but hidden ones; of a run folder, wherever it is found: only the builds
    that it keeps.
    """
    files: list[Path] = []
    bad: list[str] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        found: list[Path] = []
        for folder, inner, names in os.walk(path, onerror=lambda error: bad.append(_unread(error))):
            if results.is_run(Path(folder)):
                inner[:], names = ["builds"], []
            inner[:] = [name for name in inner if not name.startswith(".")]
            found += [file for name in names if not name.startswith(".") and (file := Path(folder, name)).is_file()]
        files.extend(sorted(found))
        if not found:
            bad.append(f"{path}: no files in this folder; name a folder that holds builds")
    return files, bad


def _unread(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}; change its permissions"


@dataclass
class Summary:
    """What is shown of scored builds at the end: a table row of each, and of a few the verdicts without their cells."""

    scored: int = 0
    passed: int = 0
    details: list[Record] = field(default_factory=list)
    rows: list[report.BuildRow] = field(default_factory=list)

    def add(self, row: Record) -> None:
        """Take from a record what is needed; the record itself, with all its cells, is not kept."""
        self.scored += 1
        self.passed += row["score"]["overall"]
        self.rows.append(report.BuildRow.of(row))
        if self.scored <= _DETAILED:
            self.details.append({**row, "verdicts": [{**verdict, "cells": []} for verdict in row["verdicts"]]})

    def show(self, bad: int, out: Path | None) -> None:
        """Print it. ``bad`` is how many builds could not be scored, ``out`` where results are kept."""
        console = report.console()
        if self.scored <= _DETAILED:
            for row in self.details:
                report.print_record(console, row)
        if self.scored > 1:
            console.print(report.build_table(self.rows))
            console.print()
        if self.scored + bad > 1:
            unread = f", {bad} could not be scored" if bad else ""
            console.print(f"{self.passed} of {self.scored} builds pass overall{unread}", soft_wrap=True)
        if out is not None:
            console.print(f"results kept in {out}", soft_wrap=True)
