"""`minece tasks`."""

from collections.abc import Callable
from typing import Any

import minece

Cli = Callable[..., Any]
TASK = "elements/shallow/7x8x1-lay"


def test_families_are_listed(cli: Cli) -> None:
    ran = cli("tasks", "list")
    assert (ran.code, ran.err) == (0, "")
    (line,) = [line for line in ran.out.splitlines() if line.startswith("shallow ")]
    assert " 64 " in line
    rows = cli("tasks", "list", "--json").rows
    assert len(rows) == len(minece.tasks(suite="core"))
    assert {"id", "family", "type", "parameters"} <= set(rows[0])


def test_one_family_is_listed(cli: Cli) -> None:
    rows = cli("tasks", "list", "shallow", "--json").rows
    assert {row["family"] for row in rows} == {"shallow"}
    assert TASK in cli("tasks", "list", "shallow").out
    ran = cli("tasks", "list", "shalow")
    assert (ran.code, ran.err) == (2, "there is no family 'shalow'; see `minece tasks list`\n")


def test_one_task_is_shown(cli: Cli) -> None:
    (row,) = cli("tasks", "show", TASK, "--json").rows
    assert row["id"] == TASK
    assert row["turns"][0]["text"] == minece.load_task(TASK).text
    shown = cli("tasks", "show", TASK).out
    for rule in ("only", "extent", "filled", "grounded", "efficiency"):
        assert rule in shown
    assert cli("tasks", "show", "nonsense").code == 2


def test_arguments_stand_one_a_line() -> None:
    from minece import report

    args = {"materials": ["stone", "oak_planks"], "count": {"at_least": 2}, "on_ground": True}
    assert report.arguments(args) == "materials: [stone, oak_planks]\ncount: at least 2\non_ground: yes"


def test_the_help_names_its_arguments(cli: Cli) -> None:
    told = cli("tasks", "list", "--help").out
    assert "[FAMILY]" in told
    assert "--suite SUITE" in told
