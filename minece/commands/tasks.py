"""`minece tasks`: the families and their tasks."""

from __future__ import annotations

import json
from itertools import groupby
from typing import Any

from rich.text import Text

from minece import report
from minece.blocks import MineceError
from minece.tasks import Task, load_task, tasks

SCHEMA = "minece-task/1"


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
        out = report.table("id", "the first instruction")
        for task in found:
            out.add_row(task.id, task.text)
        console.print(out)
        return 0
    out = report.table("group", "type", "family", "tasks", "such as")
    out.columns[3].justify = "right"
    for (group, kind, name), members in groupby(found, key=lambda t: (t.group, t.type, t.family)):
        ids = [task.id for task in members]
        out.add_row(group, kind, name, str(len(ids)), ids[0])
    console.print(out)
    console.print(f"{len(found)} tasks; `minece tasks list FAMILY` lists the tasks of one family")
    return 0


def describe(task: Task) -> dict[str, Any]:
    """A task ready for JSON."""
    return {
        "schema": SCHEMA,
        "id": task.id,
        "suite": task.suite,
        "version": task.version,
        "group": task.group,
        "type": task.type,
        "family": task.family,
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
    console.print(Text(task.id, style="bold"))
    console.print(f"{task.group} · {task.type} · suite {task.suite}, {task.version}")
    for number, turn in enumerate(task.turns, start=1):
        console.print()
        console.print(turn.text if len(task.turns) == 1 else f"Turn {number}: {turn.text}")
        out = report.table("rule", "criterion", "arguments")
        for rule in turn.rules:
            out.add_row(rule.name, rule.criterion, report.words(dict(rule.args)))
        console.print(out)
    if task.stock is not None:
        console.print(f"stock: {report.words(dict(task.stock))}")
    return 0
