"""`minece doctor`: what is installed, what is missing and how to mend it; with --fix it installs what it can."""

from __future__ import annotations

import json
import platform
import shutil
import sys
import tempfile
from collections.abc import Callable
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
_GAME = "for builds in a real Minecraft world"
_COMMANDS = {
    "chromium": (("chromium", "chromium-browser", "google-chrome"), "for tests of pages; install Chromium"),
}


@dataclass(frozen=True)
class Line:
    """One thing looked at: its state, what was found, and how to mend it where it is not there."""

    what: str
    state: State
    found: str
    mend: str = ""


def run(*, fix: bool = False, as_json: bool) -> int:
    """Print what was found, after installing what can be where ``fix`` says so.

    The exit code is 1 where something is missing that the core needs, or was to be installed and could not be.
    """
    unmended = _install_packages() if fix else ""
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
    if unmended:
        print(unmended, file=sys.stderr)
    return int(bool(unmended) or any(line.state == "missing" for line in lines))


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
        *_game(),
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


def _game() -> list[Line]:
    """Node, npm and the packages for both; they are found by modules that need numpy."""
    try:
        from minece.agent_bridge import runtime
    except ModuleNotFoundError as error:
        return [Line("game packages", "optional", f"not looked for without {error.name}", "install that first")]
    looks: dict[str, Callable[[], object]] = {
        "node": lambda: f"{runtime.node_version(runtime.node())} at {runtime.node()}",
        "npm": runtime.npm,
        "game packages": runtime.packages,
    }
    return [_looked_for(what, look) for what, look in looks.items()]


def _looked_for(what: str, look: Callable[[], object]) -> Line:
    from minece.agent_bridge.errors import SetupError

    try:
        return Line(what, "ok", str(look()))
    except SetupError as error:
        return Line(what, "optional", f"{error.where} {error.reason}".strip(), f"{_GAME}; {error.mend}")


def _install_packages() -> str:
    """Install the packages of the game where they are missing; gives the reason where that did not work."""
    try:
        from minece.agent_bridge import runtime
        from minece.agent_bridge.errors import SetupError
    except ModuleNotFoundError as error:
        return f"{error.name} is not installed; install that first"
    try:
        runtime.install(lambda line: print(line, file=sys.stderr))
    except SetupError as error:
        return str(error)
    return ""


def _cache(folder: Path) -> Line:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return Line("cache folder", "ok", str(folder))
    except OSError as error:
        mend = "set MINECE_HOME to a folder that can be written"
        return Line("cache folder", "missing", f"{folder}: {error.strerror}", mend)
