"""`minece score`: verdicts for files or folders, offline."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from minece import report, results, viewer
from minece.blocks import EMPTY, Build, MineceError, formats
from minece.blocks.formats import Cut
from minece.checkers import BoundRule, scene_of
from minece.checkers.wording import count
from minece.progress import shown
from minece.results import Record, RecordFile, RunFolder, Score
from minece.rulefile import bind_rules, read_rules
from minece.tasks import Task, load_task, task_from_rules

_DETAILED = 5  # up to so many builds each gets a table of verdicts of its own
_MENDED = 12  # up to so many builds it is said of each what to mend
_LONG = 100  # letters of advice that are said once
_NO_BUILDS = frozenset(
    ".bmp .gif .htm .html .ini .jpeg .jpg .log .md .pdf .png .py .rst .svg .toml .txt .webp .xml .yaml .yml".split()
)  # in a folder; a file that is named is read whatever it is called


def run(
    paths: Sequence[Path],
    *,
    task: str | None,
    rules: Path | None,
    agent_code: bool,
    ground: int | None,
    cut: Cut,
    axes: str | None,
    out: Path | None,
    fail_under: float | None,
    as_ascii: bool,
    html: Path | None,
    as_json: bool,
) -> int:
    """Score what the paths hold, print it, keep it where asked, and give back the exit code."""
    if task is not None and rules is not None:
        raise MineceError("a build is judged by a task or by rules", mend="give --task or --rules, not both")
    if as_ascii and as_json:
        raise MineceError("drawings are no JSON", mend="give --ascii or --json, not both")
    if agent_code and (cut or axes or ground is not None):
        raise MineceError("programs build on a plot of their own", mend="leave out --ground, --box, --drop and --axes")
    judge = Judge(
        task=None if task is None else _named_task(task),
        rules=None if rules is None else read_rules(rules),
        ground=ground,
        cut=cut,
        axes=axes,
        agent_code=agent_code,
        name="rules" if rules is None else f"rules:{rules.name}",
    )
    settings = {
        "command": "score",
        "builds": [str(path) for path in paths],
        "task": task,
        "rules": None if rules is None else str(rules),
        "agent_code": agent_code,
        "ground": ground,
        "axes": axes,
        "box": cut.box,
        "drop": sorted(cut.drop),
        "fail_under": fail_under,
    }
    files, bad, skipped = find_files(paths, rules, agent_code=agent_code)
    pages = None if html is None else viewer.Pages(html, files=len(files))
    kept = None if out is None else _place(out, settings, judge.task)
    told = Summary(as_ascii)
    advice: set[str] = set()
    with kept or nullcontext(), shown() as step:
        for number, file in enumerate(files):
            step("scoring", number, len(files))
            for found in judge.file(file):
                if isinstance(found, MineceError):
                    bad.append(_shortened(found, advice))
                    continue
                if isinstance(kept, RunFolder):
                    kept.add(found.row, found.turns)
                elif kept is not None:
                    kept.add(found.row)
                told.add(found.row, found.drawing(told.console.width) if told.wants_drawing else ())
                if pages is not None:
                    try:
                        pages.write(found.page(), name=found.file_name)
                    except MineceError as error:
                        bad.append(str(error) if error.where else str(error.at(found.title)))
                if as_json:
                    print(results.to_line(found.row), flush=True)
    if not as_json:
        told.show(len(bad), out)
        if pages is not None and pages.written:
            print(f"{count(pages.written, 'page')} in {html}")
    if skipped:
        endings = ", ".join(sorted({file.suffix.lower() for file in skipped}))
        print(f"note: {count(len(skipped), 'file')} in folders left out as no builds ({endings})", file=sys.stderr)
    for line in bad:
        print(line, file=sys.stderr)
    if bad:
        return 2
    return int(fail_under is not None and told.passed < fail_under * told.scored)


def _named_task(name: str) -> Task:
    if name.lower().endswith(".toml"):
        raise MineceError(
            "is a file; a family of your own can only be checked yet, with `minece tasks check`",
            where=name,
            mend="give the id of a task, see `minece tasks list`, or --rules FILE",
        )
    return load_task(name)


def _shortened(error: MineceError, advice: set[str]) -> str:
    """The error's line; long advice that was given before is not given again."""
    if len(error.mend) < _LONG:
        return str(error)
    if error.mend in advice:
        return str(type(error)(error.reason, where=error.where, mend="see above"))
    advice.add(error.mend)
    return str(error)


def _place(out: Path, settings: Mapping[str, object], task: Task | None) -> RecordFile | RunFolder:
    """Where results are kept: a file where the name ends like one, else a run folder."""
    # An ending that begins with a digit belongs to a version, as in runs/model-4.1.
    if not out.is_dir() and re.fullmatch(r"\.[A-Za-z]\w*", out.suffix):
        return RecordFile(out)
    return RunFolder(out, settings=settings, suite=task.suite if task is not None else None)


class Judged(NamedTuple):
    """A scored run: its record, its builds, one a turn, what they were judged by and the score.

    ``title`` heads a page of it, ``file_name`` is what the page may be called.
    """

    row: Record
    turns: list[Build]
    task: Task
    score: Score
    title: str
    file_name: str

    def page(self) -> str:
        """The HTML text of a page that shows the builds and their verdicts."""
        turns = [
            viewer.Turn(build, verdicts, asked=turn.text)
            for build, turn, verdicts in zip(self.turns, self.task.turns, self.score.verdicts, strict=True)
        ]
        summary = f"{self.task.id}: {report.score_line(self.row['score']).plain}"
        return viewer.page(turns, name=self.title, summary=summary)

    def drawing(self, width: int) -> list[Text]:
        """The layers of each turn's build, as lines of at most ``width`` columns."""
        from minece.layers import draw

        lines: list[Text] = []
        for number, (build, turn, verdicts) in enumerate(
            zip(self.turns, self.task.turns, self.score.verdicts, strict=True), 1
        ):
            if len(self.turns) > 1:
                lines.append(Text(f"turn {number}", style="bold"))
            try:
                lines += draw(scene_of(build, turn.rules, stock=self.task.handed_out), verdicts, width)
            except MineceError as error:
                lines.append(Text(f"layers: not drawn; {error}", style="yellow"))
            lines.append(Text())
        return lines


@dataclass(frozen=True)
class Judge:
    """What builds are judged by: a task, rules, or the checks that stand in a file of result records.

    ``ground`` is the height of the ground plane in the files' own coordinates, None to find it; ``axes`` is the order
    of the axes of grids; ``name`` is what records call the rules. With ``agent_code`` files hold programs, which build.
    """

    task: Task | None = None
    rules: list[BoundRule] | None = None
    ground: int | None = None
    axes: str | None = None
    cut: Cut = field(default_factory=Cut)
    agent_code: bool = False
    name: str = "rules"

    def file(self, path: Path) -> Iterator[Judged | MineceError]:
        """What each run that the file holds was found to be, or what is wrong with it."""
        try:
            runs = self._runs(path)
        except MineceError as error:
            yield error if error.where.startswith(str(path)) else error.at(str(path))
            return
        for run in runs:
            name = str(path) if len(runs) == 1 else f"{path}: {run.name}"
            try:
                task = self._task(run)
                found = results.score(run.turns, task)
                row = results.record(run.turns, task, found, name=name)
                titles = page_names(path, run.name if len(runs) > 1 else "")
                yield Judged(row, run.turns, task, found, *titles)
            except MineceError as error:
                yield error.at(name)

    def _runs(self, path: Path) -> list[formats.Run]:
        """The builds in a file, or what the program in it builds."""
        if not self.agent_code:
            hint = self.task.ground if self.task is not None else None
            box, drop = self.cut.box, self.cut.drop
            return formats.read(path, ground=self.ground, hint=hint, axes=self.axes, box=box, drop=drop).runs
        from minece.commands.agent_code import build_in_memory

        task = self._task(formats.Run("", [Build(EMPTY)]))
        return [formats.Run("", [build_in_memory(path, task)])]

    def _task(self, run: formats.Run) -> Task:
        if self.task is not None:
            return self.task
        if self.rules is not None:
            task = task_from_rules([self.rules] * len(run.turns), id="rules")
            return replace(task, id=self.name)  # the digest is of what is asked, whatever the file is called
        if run.checks is None:
            raise MineceError("nothing to judge it by", mend="give --task ID or --rules FILE")
        return task_from_rules([bind_rules(checks) for checks in run.checks], id="checks")


def page_names(path: Path, run: str) -> tuple[str, str]:
    """What a page of a run is headed with and what it may be called."""
    return (f"{path.name}: {run}", f"{path.stem}-{run}") if run else (path.name, path.stem)


def find_files(
    paths: Sequence[Path], rules: Path | None = None, *, agent_code: bool = False
) -> tuple[list[Path], list[str], list[Path]]:
    """The files to score, a line for each path that leads to none, and files in folders that are plainly no builds.

    The folder of a world is one build. Of any other folder: all files in it and below, but hidden ones, those whose
    ending says that they are no builds, and the file of rules; of a run folder, wherever it is found: only the builds
    that it keeps. Of agent code: files in .js only.
    """
    files: list[Path] = []
    bad: list[str] = []
    skipped: list[Path] = []
    rules = None if rules is None else rules.resolve()
    for path in paths:
        if not path.is_dir() or formats.is_world(path):
            files.append(path)
            continue
        found: list[Path] = []
        for folder, inner, names in os.walk(path, onerror=lambda error: bad.append(_unread(error))):
            if results.is_run(Path(folder)):
                inner[:], names = ["builds"], []
            inner[:] = [name for name in inner if not name.startswith(".")]
            for name in list(inner):
                if formats.is_world(world := Path(folder, name)):
                    inner.remove(name)
                    found.append(world)
            found += [file for name in names if not name.startswith(".") and (file := Path(folder, name)).is_file()]
        builds = [file for file in sorted(found) if not _no_build(file, rules, agent_code)]
        skipped.extend(set(found) - set(builds))
        files.extend(builds)
        if not builds:
            held = "no files that may be builds" if found else "no files"
            bad.append(f"{path}: {held} in this folder; name a folder that holds builds")
    return files, bad, skipped


def _no_build(file: Path, rules: Path | None, agent_code: bool) -> bool:
    if agent_code:
        return file.suffix.lower() != ".js"
    return file.suffix.lower() in _NO_BUILDS or (rules is not None and file.resolve() == rules)


def _or_keep(out: Path | None) -> str:
    if out is None:
        return ", or keep all messages with --out FOLDER, in its results.jsonl"
    if out.is_dir():
        return f", or read the messages in {out / 'results.jsonl'}"
    return f", or read the messages in {out}" if out.suffix.lower() == ".jsonl" else ""


def _unread(error: OSError) -> str:
    return f"{error.filename}: {error.strerror}; change its permissions"


@dataclass
class Summary:
    """What is shown of scored builds at the end: a table row of each, and of a few the verdicts without their cells.

    With ``drawn`` also the layers of these few.
    """

    drawn: bool = False
    scored: int = 0
    passed: int = 0
    details: list[Record] = field(default_factory=list)
    rows: list[report.BuildRow] = field(default_factory=list)
    drawings: list[Sequence[Text]] = field(default_factory=list)
    console: Console = field(default_factory=report.console)

    @property
    def wants_drawing(self) -> bool:
        """Whether the next build's layers may be shown."""
        return self.drawn and self.scored < _MENDED

    def add(self, row: Record, drawing: Sequence[Text] = ()) -> None:
        """Take from a record what is needed; the record itself, with all its cells, is not kept."""
        self.scored += 1
        self.passed += row["score"]["overall"]
        self.rows.append(report.BuildRow.of(row))
        if self.scored <= _MENDED:
            self.details.append({**row, "verdicts": [{**verdict, "cells": []} for verdict in row["verdicts"]]})
            self.drawings.append(drawing)

    def show(self, bad: int, out: Path | None) -> None:
        """Print it. ``bad`` is how many builds could not be scored, ``out`` where results are kept."""
        console = self.console
        if self.scored <= (_MENDED if self.drawn else _DETAILED):
            for row, drawing in zip(self.details, self.drawings, strict=True):
                report.print_record(console, row)
                for line in drawing:
                    console.print(line, soft_wrap=True)
        elif self.scored <= _MENDED:
            for row in self.details:
                report.print_mending(console, row)
        if self.scored > 1:
            report.print_builds(console, self.rows)
            console.print()
        if self.scored + bad > 1:
            unread = f", {bad} could not be scored" if bad else ""
            passes = "build passes" if self.scored == 1 else "builds pass"
            console.print(f"{self.passed} of {self.scored} {passes} overall{unread}", soft_wrap=True)
        if self.scored > _MENDED and self.drawn:
            console.print(f"to see the layers: name at most {_MENDED} files", soft_wrap=True)
        if self.scored > _MENDED and any(row.failed for row in self.rows):
            console.print(f"to see what to mend: name at most {_MENDED} files{_or_keep(out)}", soft_wrap=True)
        if out is not None:
            console.print(f"results kept in {out}", soft_wrap=True)
