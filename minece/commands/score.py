"""`minece score`: verdicts for files or folders, offline."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from minece import report, results
from minece.blocks import Build, MineceError, formats
from minece.checkers import BoundRule
from minece.progress import shown
from minece.results import Record, RunFolder
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
        "builds": [str(path) for path in paths],
        "task": task,
        "rules": None if rules is None else str(rules),
        "ground": ground,
    }
    kept = None
    if out is not None and results.is_table(out):
        results.check_table(out)
    elif out is not None:
        kept = RunFolder(out, settings=settings)
    scored: list[Record] = []
    files, bad = find_files(paths)
    with kept or nullcontext(), shown() as step:
        for number, file in enumerate(files):
            step("scoring", number, len(files))
            for found in judge.file(file):
                if isinstance(found, MineceError):
                    bad.append(str(found))
                    continue
                row, turns = found
                if kept is not None:
                    kept.add(row, turns)
                scored.append(row)
                if as_json:
                    print(results.to_line(row), flush=True)
    if out is not None and kept is None:
        results.write_records(scored, out)
    if not as_json:
        _print(scored, len(bad), out)
    for line in bad:
        print(line, file=sys.stderr)
    if bad:
        return 2
    passed = sum(row["score"]["overall"] for row in scored)
    return int(fail_under is not None and passed < fail_under * len(scored))


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

    Of a folder: all files in it and below, but hidden ones; of a run folder: the builds that it keeps.
    """
    files: list[Path] = []
    bad: list[str] = []
    for path in paths:
        if not path.is_dir():
            files.append(path)
            continue
        folder = path / "builds" if (path / "run.json").exists() else path
        found = sorted(f for f in folder.rglob("*") if f.is_file() and not _hidden(f.relative_to(folder)))
        files.extend(found)
        if not found:
            bad.append(f"{path}: no files in this folder; name a folder that holds builds")
    return files, bad


def _hidden(path: Path) -> bool:
    return any(part.startswith(".") for part in path.parts)


def _print(scored: list[Record], bad: int, out: Path | None) -> None:
    console = report.console()
    if len(scored) <= _DETAILED:
        for row in scored:
            report.print_record(console, row)
    if len(scored) > 1:
        console.print(report.build_table(scored))
        console.print()
    if len(scored) + bad > 1:
        passed = sum(row["score"]["overall"] for row in scored)
        unread = f", {bad} could not be scored" if bad else ""
        console.print(f"{passed} of {len(scored)} builds pass overall{unread}", soft_wrap=True)
    if out is not None:
        console.print(f"results kept in {out}", soft_wrap=True)
