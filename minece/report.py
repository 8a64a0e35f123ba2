"""What the terminal shows: tables of verdicts, a table of builds, and plain words for measured values.

`minece doctor` prints with it where numpy may be missing, so what needs rules imports them when it is called.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

_STYLES = {"pass": "green", "fail": "bold red", "error": "bold magenta", "not applicable": "dim"}
_PIPE_WIDTH = 100
_GAP = 3  # columns between those of a table
_LEAST_NAME = 12  # columns that names of builds have at least
_BOUNDS = {"at_least", "at_most", "more_than", "less_than"}


class _Plain(Console):
    """Prints what names of files hold as signs, never as orders to the terminal."""

    def print(self, *objects: Any, **how: Any) -> None:
        super().print(*(_without_controls(one) for one in objects), **how)


def _without_controls(shown: Any) -> Any:
    if isinstance(shown, str):
        return printable(shown)
    if isinstance(shown, Text):
        shown.plain = printable(shown.plain)
    return shown


def printable(text: str) -> str:
    """The text with a sign in place of each character that cannot be printed; lines stay lines."""
    return "".join(sign if sign.isprintable() or sign in "\n\t" else "\N{REPLACEMENT CHARACTER}" for sign in text)


def console() -> Console:
    """Standard output; into a pipe without colour and 100 columns wide, unless COLUMNS says otherwise."""
    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else _PIPE_WIDTH
    return _Plain(highlight=False, width=width, emoji=False, markup=False)


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
        info = known.get(row["rule"])
        unit = info.unit if info else ""
        required = with_unit(row["required"], unit)
        if info and info.graded and _is_number(row["required"]):
            required = f"at best {required}"
        out.add_row(*turn, row["rule"], verdict, with_unit(row["measured"], unit), required)
    return out


def with_unit(value: object, unit: str) -> str:
    """A measured or required value in words, numbers with their unit.

    >>> with_unit(1, "missing cells"), with_unit([1, 2], "cells"), with_unit({"at_least": 2}, "cells")
    ('1 missing cell', '1 to 2 cells', 'at least 2 cells')
    """
    shown = words(value)
    if not unit or isinstance(value, bool):
        return shown
    match value:
        case int() | float():
            return f"{shown} {_singular(unit) if value == 1 else unit}"
        case [least, most] if _is_number(least) and _is_number(most):
            return f"{words(least)} to {words(most)} {unit}"
        case Mapping() if value and set(value) <= _BOUNDS:
            last = list(value.values())[-1]
            return f"{shown} {_singular(unit) if last == 1 else unit}"
        case _:
            return shown


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _singular(unit: str) -> str:
    """``missing cells`` becomes ``missing cell``, ``blocks too early`` ``block too early``."""
    first, *rest = unit.split(" ")
    if first.endswith("s"):
        return " ".join([first[:-1], *rest])
    return unit.removesuffix("s")


def mending_table(verdicts: Sequence[Mapping[str, Any]], *, turns: int = 1) -> Table:
    """What to mend, for each verdict of one record that failed or could not be evaluated."""
    return _messages("what to mend", [row for row in verdicts if row["status"] in ("fail", "error")], turns)


def notes_table(verdicts: Sequence[Mapping[str, Any]], *, turns: int = 1) -> Table:
    """Why a rule could not be applied, for each verdict of one record where it was so."""
    return _messages("notes", [row for row in verdicts if row["status"] == "not applicable"], turns)


def _messages(heading: str, verdicts: Sequence[Mapping[str, Any]], turns: int) -> Table:
    out = table("rule", heading)
    for row in verdicts:
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


def print_builds(out: Console, rows: Sequence[BuildRow]) -> None:
    """A table with one line for each scored build: how it fared and which rules it failed.

    The folder that all builds lie in is said once. Names are broken at their signs, names of rules not at all.
    """
    folder = common_folder([row.name for row in rows])
    if folder:
        out.print(f"builds in {folder}", soft_wrap=True)
    names = [printable(row.name.removeprefix(folder)) for row in rows]
    counts = [str(row.blocks) for row in rows]
    longest = max([len("failed"), *(len(rule) + 1 for row in rows for rule in row.failed)])
    room = out.width - longest - len("overall") - 2 * _GAP
    middle = max(len("blocks"), *map(len, counts)) + len("accuracy") + 2 * _GAP
    wide = room - middle >= _LEAST_NAME  # else the least telling columns go
    room = max(_LEAST_NAME, room - middle if wide else room)
    shown = table("build", *(("blocks", "accuracy") if wide else ()), "overall", "failed rules")
    shown.columns[0].width = min(room, max(len("build"), *map(len, names)))
    if wide:
        shown.columns[1].justify = "right"
    for column in shown.columns[1:-1]:
        column.no_wrap = True
    for row, name, blocks in zip(rows, names, counts, strict=True):
        accuracy = Text("–") if row.accuracy is None else _answer(row.accuracy)
        more = (blocks, accuracy) if wide else ()
        shown.add_row(broken(name, room), *more, _answer(row.overall), ", ".join(row.failed))
    out.print(shown)


def common_folder(names: Sequence[str]) -> str:
    """The longest beginning of all names that is a folder, "" for a single name."""
    if len(names) < 2:
        return ""
    common = os.path.commonprefix(names)
    return common[: max(common.rfind("/"), common.rfind(os.sep)) + 1]


def broken(name: str, width: int) -> str:
    """A long name on several lines, broken after one of its signs where there is one."""
    lines = [""]
    for piece in re.findall(r"[^/\\_ -]*[/\\_ -]?", name):
        if lines[-1] and len(lines[-1]) + len(piece) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(lines)


def arguments(args: Mapping[str, object]) -> str:
    """Arguments of a rule, one a line, lists in brackets."""
    return "\n".join(f"{name}: {_argument(value)}" for name, value in args.items())


def _argument(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_argument, value))}]"
    return words(value)


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
    print_name(out, build)
    size = "×".join(map(str, build["size"]))
    blocks = f"{build['blocks']} block{'' if build['blocks'] == 1 else 's'}"
    judge = row["task"]["id"]
    if judge.startswith("rules:"):
        judge = f"the rules in {judge.removeprefix('rules:')}"
    out.print(f"{blocks}, {size}; judged by {judge}; ground: {build['ground']}")
    if build["kept"]:
        out.print(f"kept of the build before: {', '.join(_kept(build['kept']))}", soft_wrap=True)
    for warning in build["warnings"]:
        out.print(Text(f"note: {warning}", style="yellow"))
    out.print()
    turns = len(build["turns"])
    out.print(verdict_table(row["verdicts"], turns=turns))
    for messages in (mending_table(row["verdicts"], turns=turns), notes_table(row["verdicts"], turns=turns)):
        if messages.row_count:
            out.print()
            out.print(messages)
    out.print()
    out.print(score_line(row["score"]))
    out.print()


def _kept(shares: Sequence[float | None]) -> Iterator[str]:
    """``turn 2: 98 %`` for each turn after the first; all and nothing are said of nothing less."""
    for turn, share in enumerate(shares, start=2):
        match share:
            case None:
                yield f"turn {turn}: nothing stood"
            case 0 | 1:
                yield f"turn {turn}: {'all' if share else 'nothing'}"
            case _:
                yield f"turn {turn}: {min(max(round(share * 100), 1), 99)} %"


def print_mending(out: Console, row: Mapping[str, Any]) -> None:
    """What to mend of a scored build; nothing where all is well."""
    messages = mending_table(row["verdicts"], turns=len(row["build"]["turns"]))
    if messages.row_count:
        print_name(out, row["build"])
        out.print()
        out.print(messages)
        out.print()


def print_name(out: Console, build: Mapping[str, Any]) -> None:
    """A scored build's name, and from where its heights count if it is not from 0."""
    out.print(Text(build["name"], style="bold"), soft_wrap=True)
    if ground := build["ground_y"]:
        print_ground(out, ground)


def print_ground(out: Console, ground: int) -> None:
    """From where the heights of cells count in a file whose ground is not at 0."""
    words = f"cells: x and z as in the file, y counted from the ground, which is y = {ground} in the file"
    out.print(words, soft_wrap=True)
