"""What `minece build` and `minece play` have in common: what was built is scored, shown and kept."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from minece import report, results, viewer
from minece.blocks import MineceError, formats
from minece.checkers.wording import count
from minece.picture import Marks, Pictures, draw, png
from minece.results import Episode, Record, RunFolder, Score

_LOGGED = 5
"""Lines of a program's log that are shown."""


@dataclass(frozen=True)
class Outputs:
    """Where things go: a run folder, the build as a file, a picture, a page; None for what is not wanted."""

    out: Path | None = None
    save: Path | None = None
    png: Path | None = None
    html: Path | None = None

    def check(self, turns: int) -> None:
        """Raise :class:`MineceError` for what cannot be written: before the work, not after it."""
        if self.save is not None:
            formats.check_writable(self.save, turns=turns)
        if self.save is not None and self.save.exists():
            raise MineceError("exists", where=str(self.save), mend="name another file for the build")
        if self.png is not None:
            Pictures(self.png)
        if self.html is not None:
            viewer.Pages(self.html)
        if self.out is not None and results.is_run(self.out):
            raise MineceError("already holds a run", where=str(self.out), mend="name another folder")


@dataclass(frozen=True)
class Finished:
    """An episode and what its builds were found to be; no score where a fault left no builds."""

    episode: Episode
    name: str
    score: Score | None
    row: Record | None

    @classmethod
    def of(cls, episode: Episode, *, name: str) -> Finished:
        """Score what was built."""
        if not episode.completed:
            return cls(episode, name, None, None)
        score = results.score(episode.builds, episode.task)
        return cls(episode, name, score, results.record(episode.builds, episode.task, score, name=name))

    @property
    def record(self) -> Record:
        """The record of the episode with that of its builds in it."""
        return self.episode.record(self.row)

    @property
    def passed(self) -> bool:
        """Whether everything that decides was passed."""
        return self.score is not None and self.score.overall

    def tell(self, outputs: Outputs, *, fail_under: float | None, as_json: bool) -> int:
        """Keep and print it, and give back the exit code of the command."""
        console = report.console()
        if as_json:
            print(results.to_line(self.record), flush=True)
        else:
            self.show(console)
        for line in self.keep(outputs):
            if not as_json:
                console.print(line, soft_wrap=True)
        if not self.episode.completed:
            print(f"{self.episode.task.id}: nothing to score: {self.episode.faults[-1].message}", file=sys.stderr)
            return 2
        return int(fail_under is not None and self.passed < fail_under)

    @property
    def _settings(self) -> dict[str, Any]:
        """What run.json says of how it was built."""
        episode = self.episode
        names = [program["name"] for program in episode.builder.get("programs", ())]
        return {
            "command": "play" if episode.builder["kind"] == "player" else "build",
            "task": episode.task.id,
            "programs": names,
            "world": dict(episode.world),
            "seed": episode.seed,
            **episode.settings,
        }

    def keep(self, outputs: Outputs) -> Iterator[str]:
        """Write what is wanted, and say what was written."""
        builds = list(self.episode.builds)
        if outputs.out is not None:
            suite = self.episode.task.suite
            with RunFolder(outputs.out, settings=self._settings, suite=suite or None) as run:
                if self.row is not None:
                    run.add(self.row, builds)
                run.add_episode(self.record)
            yield f"episode kept in {outputs.out}"
        if not builds or self.score is None or self.row is None:
            return
        if outputs.save is not None:
            formats.write(builds, outputs.save)
            yield f"build saved as {outputs.save}"
        title, file_name = Path(self.name).name, re.sub(r"\W+", "-", Path(self.name).stem) or "build"
        if outputs.png is not None:
            yield f"picture in {Pictures(outputs.png).write(png(self.picture(title)), name=file_name)}"
        if outputs.html is not None:
            turns = [
                viewer.Turn(build, verdicts, asked=turn.text)
                for build, turn, verdicts in zip(builds, self.episode.task.turns, self.score.verdicts, strict=True)
            ]
            page = viewer.page(turns, name=title, summary=self._summary())
            yield f"page in {viewer.Pages(outputs.html).write(page, name=file_name)}"

    def picture(self, title: str) -> Any:
        """The last build in the colours of its blocks, with the cells at fault marked."""
        assert self.score is not None
        faulty = [verdict for verdict in self.score.verdicts[-1] if verdict.status == "fail"]
        cells = [verdict.cells for verdict in faulty if len(verdict.cells)]
        marks = Marks()
        if cells:
            import numpy as np

            marks = Marks(np.unique(np.concatenate(cells), axis=0), "named by the rules that failed")
        build = self.episode.builds[-1]
        return draw(build, (), title=title, text=[self._summary()], marks=marks, own_colours=True)

    def _summary(self) -> str:
        assert self.row is not None
        return f"{self.episode.task.id}: {report.score_line(self.row['score']).plain}"

    def show(self, out: Console) -> None:
        """Print how it went and what was found."""
        out.print(f"world: {_place(self.episode)}", soft_wrap=True)
        for fault in self.episode.faults if self.episode.completed else self.episode.faults[:-1]:
            words = f"{fault.boundary} at fault, not the builder; tried again: {fault.message}"
            out.print(Text(words, style="yellow"), soft_wrap=True)
        for turn in self.episode.turns:
            for line in told(turn, self.episode.builder["kind"]):
                out.print(line, soft_wrap=True)
        if self.row is not None:
            out.print()
            report.print_record(out, self.row)


def _place(episode: Episode) -> str:
    """Where it was built, and what agreed in the end, in words."""
    world = episode.world
    if world["kind"] == "offline":
        return f"in memory, blocks of Minecraft {world['version']}"
    how = "placed by hand" if world["mode"] == "embodied" else "set over the control channel"
    source = "the server's log is" if episode.builder["kind"] == "player" else "the plot was read back and is"
    return f"Minecraft {world['version']}, {how}" + (f"; {source} as recorded" if episode.completed else "")


def told(turn: Mapping[str, Any], kind: str) -> Iterator[Text]:
    """What is said of one turn of a builder."""
    status = turn["status"]
    refused = sum(turn["refused"].values())
    line = Text(f"{kind}: ").append(status, style="green" if status == "ok" else "bold red")
    line.append(f"; {count(turn['placed'], 'block')} placed, {refused} refused")
    yield line
    if turn["message"]:
        yield Text(f"  {turn['message']}", style="yellow")
    for reason, number in turn["refused"].items():
        yield Text(f"  refused {number} times: {reason}" if number > 1 else f"  refused once: {reason}")
    log = turn["log"]
    for entry in log[:_LOGGED]:
        yield Text(f"  log: {entry}", style="dim")
    if len(log) > _LOGGED:
        yield Text(f"  log: {count(len(log) - _LOGGED, 'more line')}", style="dim")
