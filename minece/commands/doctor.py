"""`minece doctor`: what is installed, what is missing and how to mend it."""

from __future__ import annotations

import json
import platform
import shutil
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from rich.text import Text

from minece import report
from minece.caches import cache_folder
from minece.commands.requirements import Requirement, read_requirement
from minece.installation import install_command

State = Literal["ok", "missing", "optional"]
_STYLES = {"ok": "green", "missing": "bold red", "optional": "yellow"}
_GATHERED = ("all", "dev")  # extras that only gather others or serve development
_EXTRAS = {
    "fast": "speed",
    "parquet": "results as Parquet",
    "agents": "bots and models",
    "inspect": "Inspect evaluations",
    "gym": "learning environments",
    "study": "studies with people",
    "scale": "many machines",
    "mesh": "mesh files",
}
_COMMANDS = {
    "node": (("node",), "for bots in the game; install Node.js 22 or newer"),
    "chromium": (("chromium", "chromium-browser", "google-chrome"), "for tests of pages; install Chromium"),
}


@dataclass(frozen=True)
class Line:
    """One thing looked at: its state, what was found, and how to mend it where it is not there."""

    what: str
    state: State
    found: str
    mend: str = ""


def run(*, as_json: bool) -> int:
    """Print what was found; the exit code is 1 where something is missing that the core needs."""
    lines = examine()
    if as_json:
        print(json.dumps({"schema": "minece-doctor/1", "checks": [asdict(line) for line in lines]}))
    else:
        console = report.console()
        out = report.table("what", "state", "found", "how to mend it")
        for line in lines:
            state = Text(line.state, style=_STYLES[line.state])
            out.add_row(line.what, state, report.broken(line.found, console.width // 3), line.mend)
        console.print(out)
        if any("pip install" in line.mend for line in lines):
            console.print()
            console.print(f"pip is that of this Python: {sys.executable} -m pip", soft_wrap=True)
    return int(any(line.state == "missing" for line in lines))


def examine() -> list[Line]:
    """Look at Python, the packages of the core and of each extra, outside commands, and the cache folder."""
    needed: dict[str, list[Requirement]] = {}
    for text in metadata.requires("minece") or []:
        requirement = read_requirement(text)
        needed.setdefault(requirement.extra, []).append(requirement)
    lines = [
        Line("python", "ok", f"{platform.python_version()} at {sys.executable}"),
        Line("minece", "ok", metadata.version("minece")),
        *(_package(requirement) for requirement in needed.pop("", [])),
        *(_extra(extra, wanted) for extra, wanted in needed.items() if extra not in _GATHERED),
        *(_command(what, *facts) for what, facts in _COMMANDS.items()),
        _cache(cache_folder()),
    ]
    return lines


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _package(wanted: Requirement) -> Line:
    found = _version(wanted.name)
    if found is None:
        return Line(wanted.name, "missing", "not installed", f"run: pip install '{wanted}'")
    if not wanted.fits(found):
        return Line(wanted.name, "missing", f"{found}, not {wanted.versions}", f"run: pip install '{wanted}'")
    return Line(wanted.name, "ok", found)


def _extra(extra: str, wanted: list[Requirement]) -> Line:
    found = {one: _version(one.name) for one in wanted}
    absent = [one.name for one, version in found.items() if version is None]
    unfit = [f"{one.name} {v} is not {one.versions}" for one, v in found.items() if v and not one.fits(v)]
    lacks = [f"without {', '.join(absent)}"] if absent else []
    if lacks or unfit:
        return Line(f"extra {extra}", "optional", "; ".join(lacks + unfit), _advice(extra))
    return Line(f"extra {extra}", "ok", ", ".join(f"{one.name} {version}" for one, version in found.items()))


def _advice(extra: str) -> str:
    purpose = _EXTRAS.get(extra)
    return f"{'' if purpose is None else f'for {purpose}; '}run: {install_command(extra)}"


def _command(what: str, names: tuple[str, ...], mend: str) -> Line:
    for name in names:
        if path := shutil.which(name):
            return Line(what, "ok", path)
    return Line(what, "optional", "not found", mend)


def _cache(folder: Path) -> Line:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return Line("cache folder", "ok", str(folder))
    except OSError as error:
        mend = "set MINECE_HOME to a folder that can be written"
        return Line("cache folder", "missing", f"{folder}: {error.strerror}", mend)
