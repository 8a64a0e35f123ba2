"""`minece tasks`: the families and their tasks."""

from __future__ import annotations

import json
from dataclasses import asdict
from itertools import groupby
from typing import Any

from rich.text import Text

from minece import report
from minece.blocks import MineceError
from minece.checkers.wording import count
from minece.progress import shown
from minece.tasks import Task, load_task, tasks
from minece.tasks.checking import check

SCHEMA = "minece-task/1"
CHECK_SCHEMA = "minece-tasks-check/1"


def list_tasks(family: str | None, *, suite: str, as_json: bool) -> int:
    """Print the families of a suite, or the tasks of one family, and give back the exit code."""
    found = [task for task in tasks(suite) if family in (None, task.family, f"{task.group}/{task.family}")]
    if not found:
        raise MineceError(f"there is no family {family!r}", mend="see `minece tasks list`")
    if as_json:
        for task in found:
            print(json.dumps(describe(task), ensure_ascii=False))
        return 0
    console = report.console()
    if family is not None:
        for task in found:
            print(task.id)
        return 0
    out = report.table("family", "tasks", "type", "group")
    out.columns[1].justify = "right"
    for (group, kind, name), members in groupby(found, key=lambda t: (t.group, t.type, t.family)):
        out.add_row(name, str(len(list(members))), kind, group)
    console.print(out)
    console.print()
    console.print(f"{len(found)} tasks; `minece tasks list {found[0].family}` lists the tasks of one family")
    return 0


def describe(task: Task) -> dict[str, Any]:
    """A task ready for JSON."""
    return {
        "schema": SCHEMA,
        **task.names,
        "parameters": dict(task.parameters),
        "turns": [
            {
                "text": turn.text,
                "rules": [
                    {"rule": rule.name, "criterion": rule.criterion, "args": dict(rule.args)} for rule in turn.rules
                ],
            }
            for turn in task.turns
        ],
        "stock": None if task.stock is None else dict(task.stock),
        "ground": task.ground,
        "digest": task.digest,
    }


def show_task(name: str, *, as_json: bool) -> int:
    """Print one task, and give back the exit code."""
    task = load_task(name)
    if as_json:
        print(json.dumps(describe(task), ensure_ascii=False))
        return 0
    console = report.console()
    console.print(Text(task.id, style="bold"), soft_wrap=True)
    console.print(f"{task.type}, {task.group}; suite {task.version}")
    for number, turn in enumerate(task.turns, start=1):
        console.print()
        console.print(turn.text if len(task.turns) == 1 else f"Turn {number}: {turn.text}")
        console.print()
        out = report.table("rule", "criterion", "arguments")
        for rule in turn.rules:
            out.add_row(rule.name, rule.criterion, report.arguments(rule.args))
        console.print(out)
    if task.stock is not None:
        console.print(f"stock: {report.words(dict(task.stock))}")
    return 0


def check_tasks(family: str | None, *, everything: bool, as_json: bool) -> int:
    """Check families, print what they break and what is weak; the exit code is 1 where a promise is broken."""
    with shown() as step:
        found = check(family, everything=everything, progress=step)
    if as_json:
        print(json.dumps({"schema": CHECK_SCHEMA, "ok": found.ok, **asdict(found)}, ensure_ascii=False))
        return int(not found.ok)
    console = report.console()
    out = report.table("family", "tasks", "references", "variants", "cheats", "edits", "texts", "seconds")
    for column in out.columns[1:]:
        column.justify = "right"
    for row in found.families:
        tallies = (row.references, row.variants, row.cheats, row.mutations, row.texts)
        shares = [f"{tally.right}/{tally.total}" for tally in tallies]
        out.add_row(row.family, str(row.tasks), *shares, f"{row.seconds:.1f}")
    console.print(out)
    console.print()
    for row in found.families:
        for problem in row.problems:
            console.print(Text(f"broken: {problem}", style="red"), soft_wrap=True)
        for remark in row.weak:
            console.print(Text(f"weak: {remark}", style="yellow"), soft_wrap=True)
    broken = count(len(found.problems), "promise")
    console.print(f"{broken} broken" if found.problems else "every promise is kept")
    return int(not found.ok)
