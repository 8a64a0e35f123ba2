"""Writes docs/reference/rules.md from the rules' docstrings and docs/reference/cli.md from the command line.

Run it after changing a rule or a command (`make docs`); a test compares the pages with what it would write.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main

from minece.checkers import CRITERIA, known_rules
from minece.checkers.regions import regions
from minece.cli import app

REFERENCE = Path(__file__).resolve().parents[1] / "docs" / "reference"


def rules_page() -> str:
    """The page on rules: by criterion, then by name, each with its docstring and its parameters."""
    known = known_rules()
    out = [
        "# Rules",
        "",
        "A rule looks at a build and answers with a verdict. In a rules file it is written",
        '`{"rule": "<name>", "args": {…}}`; [rules of your own](../howto/rules.md) shows how.',
        "This page is made from the rules themselves (`make docs`).",
    ]
    for criterion in CRITERIA:
        names = [name for name, info in known.items() if info.criterion == criterion]
        if not names:
            continue
        out += ["", f"## {criterion.capitalize()}"]
        for name in names:
            info = known[name]
            out += ["", f"### {name}", ""]
            if info.graded:
                out += ["*Graded: it has a score and never decides.*", ""]
            out += [info.doc]
            if info.parameters:
                out += ["", "| parameter | accepts | default |", "|---|---|---|"]
                out += [
                    f"| `{p.name}` | {_cell(p.accepts)} | {'required' if p.required else _default(p.default)} |"
                    for p in info.parameters
                ]
    out += ["", *_regions()]
    return "\n".join(out) + "\n"


def _regions() -> list[str]:
    rows = [
        f"| `{name}{f'({info.takes})' if info.takes else ''}` | {_cell(info.doc)} |" for name, info in regions().items()
    ]
    return [
        "## Regions",
        "",
        "Many rules look at a region, a named part of the build. A region may be followed by `of` and materials:",
        "`lowest of stone, #concrete` is the lowest layer of stone and concrete, whatever stands around it.",
        "",
        "| region | which blocks |",
        "|---|---|",
        *rows,
    ]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _default(value: object) -> str:
    return "left out" if value is None else f"`{_cell(str(getattr(value, 'text', value)))}`"


def cli_page() -> str:
    """The page on the command line: every command with its arguments and options."""
    out = [
        "# Command line",
        "",
        "Exit codes: 0 done; 1 the build, a family or the installation falls short of what was asked; 2 bad input,",
        "told in one line on standard error; 130 interrupted. This page is made from the commands (`make docs`).",
    ]
    for path, command in _commands(typer.main.get_command(app), "minece"):
        out += ["", f"## {path}", "", (command.help or "").strip(), "", f"    {path} {_usage(command)}".rstrip()]
        rows = [row for parameter in command.params if (row := _row(parameter))]
        if rows:
            out += ["", "| argument or option | meaning |", "|---|---|", *rows]
    return "\n".join(out) + "\n"


def _commands(command: Any, path: str) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield path, command
    else:
        for name, child in children.items():
            yield from _commands(child, f"{path} {name}")


def _usage(command: Any) -> str:
    words = []
    for parameter in command.params:
        if parameter.param_type_name == "argument":
            word = (parameter.metavar or str(parameter.name).upper()) + ("…" if parameter.nargs == -1 else "")
            words.append(word if parameter.required else f"[{word}]")
    return " ".join([*words, "[OPTIONS]"])


def _row(parameter: Any) -> str | None:
    if "--help" in parameter.opts:
        return None
    name = parameter.metavar or str(parameter.name).upper()
    if parameter.param_type_name == "option":
        flag = parameter.opts[0]
        name = flag if getattr(parameter, "is_flag", False) else f"{flag} {name}"
    return f"| `{name}` | {_cell(getattr(parameter, 'help', None) or '')} |"


PAGES = {"rules.md": rules_page, "cli.md": cli_page}

if __name__ == "__main__":
    for page, write in PAGES.items():
        (REFERENCE / page).write_text(write(), encoding="utf-8")
