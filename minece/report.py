"""What the terminal shows: tables of verdicts, a table of builds, and plain words for measured values.

`minece doctor` prints with it where numpy may be missing, so what needs rules imports them when it is called.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

_STYLES = {"pass": "green", "fail": "bold red", "error": "bold magenta", "not applicable": "dim"}
_PIPE_WIDTH = 100
_WHOLE_NAME = 40  # names of builds up to this length are not broken over lines


def console() -> Console:
    """Standard output; into a pipe without colour and 100 columns wide, unless COLUMNS says otherwise."""
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else _PIPE_WIDTH
    return Console(highlight=False, width=width, emoji=False, markup=False)


def table(*headings: str) -> Table:
    """An empty table in the one style of all reports."""
    out = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for heading in headings:
        out.add_column(heading, overflow="fold")
    return out


def verdict_table(verdicts: Sequence[Mapping[str, Any]], *, turns: int = 1) -> Table:
    """Rule, verdict, and measured against required, for the verdicts of one record."""
    from minece.checkers import known_rules

    known = known_rules()
    out = table(*(("turn",) if turns > 1 else ()), "rule", "verdict", "measured", "required")
    for row in verdicts:
        turn = (str(row["turn"]),) if turns > 1 else ()
        verdict = Text(row["status"], style=_STYLES[row["status"]])
        measured = words(row["measured"])
        unit = known[row["rule"]].unit if row["rule"] in known else ""
        if unit and isinstance(row["measured"], (int, float)):
            measured = f"{measured} {unit}"
        out.add_row(*turn, row["rule"], verdict, measured, words(row["required"]))
    return out


def mending_table(verdicts: Sequence[Mapping[str, Any]], *, turns: int = 1) -> Table:
    """What to mend, or why a rule could not be applied, for each verdict of one record that is no pass."""
    out = table("rule", "what to mend")
    for row in verdicts:
        if row["status"] != "pass":
            place = f"turn {row['turn']}, {row['rule']}" if turns > 1 else row["rule"]
            out.add_row(Text(place, style=_STYLES[row["status"]]), row["message"])
    return out


def score_line(score: Mapping[str, Any]) -> Text:
    """Criteria, accuracy and overall of one record in one line."""
    from minece.results import DECIDING

    out = Text()
    for name, passed in score["criteria"].items():
        if passed is not None:
            grade = score["criterion_scores"][name]
            shown = _answer(passed)
            if name not in DECIDING and grade is not None:
                shown = Text(f"{grade:.2f}")
            out.append(f"{name} ").append_text(shown).append(" · ")
    if score["accuracy"] is not None:
        out.append("accuracy ").append_text(_answer(score["accuracy"])).append(" · ")
    out.append("overall ", style="bold").append_text(_answer(score["overall"]))
    return out if score["decided"] else out.append(" (no rule that decides could be applied)", style="yellow")


@dataclass(frozen=True, slots=True)
class BuildRow:
    """What the table of builds says of one record."""

    name: str
    blocks: int
    accuracy: bool | None
    overall: bool
    failed: tuple[str, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Self:
        """The row for a record."""
        failed = dict.fromkeys(v["rule"] for v in row["verdicts"] if v["status"] in ("fail", "error"))
        build, score = row["build"], row["score"]
        return cls(build["name"], build["blocks"], score["accuracy"], score["overall"], tuple(failed))


def build_table(rows: Sequence[BuildRow]) -> Table:
    """One line for each scored build: how it fared and which rules it failed."""
    out = table("build", "blocks", "accuracy", "overall", "failed rules")
    out.columns[0].min_width = min(_WHOLE_NAME, max(len(row.name) for row in rows))
    out.columns[1].justify = "right"
    for row in rows:
        accuracy = Text("–") if row.accuracy is None else _answer(row.accuracy)
        out.add_row(row.name, str(row.blocks), accuracy, _answer(row.overall), ", ".join(row.failed))
    return out


def words(value: object) -> str:
    """A measured or required value as an engineer would write it down."""
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.4g}"
        case Mapping():
            return ", ".join(f"{str(key).replace('_', ' ')} {words(part)}" for key, part in value.items())
        case str():
            return value.removeprefix("exactly ")
        case list() | tuple():
            return ", ".join(map(words, value))
        case _:
            return str(value)


def _answer(passed: bool) -> Text:
    return Text("pass", style="green") if passed else Text("fail", style="bold red")


def print_record(out: Console, row: Mapping[str, Any]) -> None:
    """A scored build: what it is, the table of its verdicts, and what they add up to."""
    build = row["build"]
    out.print(Text(build["name"], style="bold"), soft_wrap=True)
    size = "×".join(map(str, build["size"]))
    out.print(f"{build['blocks']} blocks, {size}; judged by {row['task']['id']}; ground: {build['ground']}")
    for warning in build["warnings"]:
        out.print(Text(f"note: {warning}", style="yellow"))
    out.print()
    turns = len(build["turns"])
    out.print(verdict_table(row["verdicts"], turns=turns))
    mending = mending_table(row["verdicts"], turns=turns)
    if mending.row_count:
        out.print()
        out.print(mending)
    out.print()
    out.print(score_line(row["score"]))
    out.print()
