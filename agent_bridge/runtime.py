"""Node and the packages that the real game needs: where they are, and how they get there.

Nothing is fetched when a module is imported, and nothing is put beside the installed package. The packages lie in the
cache folder, in a folder named after the lock file that lists them, so that copies of different age do not share them.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from minece.agent_bridge.errors import SetupError
from minece.caches import cache_folder

SCRIPTS = Path(__file__).resolve().parent / "node"
"""Our own Node modules, with the list of the packages that they need."""

VARIABLE = "MINECE_NODE_MODULES"
"""Environment variable that names another node_modules folder; our Node modules find the packages by it."""

NODE_FLOOR = 20

_NODE_MEND = f"install Node.js {NODE_FLOOR} or newer, with npm (Debian, Ubuntu: apt-get install nodejs npm)"
_NPM_MEND = "install npm (Debian, Ubuntu: apt-get install npm; elsewhere it comes with Node.js)"
_HOME_MEND = "set MINECE_HOME to a folder with room that can be written"
_FIX = "run: minece doctor --fix"
_PATIENCE = 600.0  # seconds that npm has
_STALE = 3600.0  # seconds after which a folder of an install that was killed is in nobody's use
_NPM = "ci --json --loglevel=error --ignore-scripts --no-audit --no-fund --no-bin-links --no-engine-strict"


def node() -> str:
    """The path of Node. Raises :class:`SetupError` where it is missing or too old."""
    path = _find("node", "nodejs")
    if path is None:
        raise SetupError("Node.js is not installed", mend=_NODE_MEND)
    version = node_version(path)
    if int(version.partition(".")[0]) < NODE_FLOOR:
        raise SetupError(f"Node.js is {version} at {path}, which is too old", mend=_NODE_MEND)
    return path


@lru_cache(maxsize=16)
def node_version(path: str) -> str:
    """The version of a Node, such as "20.20.2"."""
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=20, errors="replace")
        version = done.stdout.strip().removeprefix("v")
    except (OSError, subprocess.TimeoutExpired):
        version = ""
    if not version.partition(".")[0].isdecimal():
        raise SetupError(f"Node.js at {path} does not tell its version", mend=_NODE_MEND)
    return version


def npm() -> str:
    """The path of npm. Raises :class:`SetupError` where it is missing."""
    path = _find("npm")
    if path is None:
        raise SetupError("npm is not installed", mend=_NPM_MEND)
    return path


def packages() -> Path:
    """The node_modules folder. Raises :class:`SetupError` where the packages are not installed."""
    if given := os.environ.get(VARIABLE):
        folder = Path(given).expanduser().absolute()
        if absent := _absent(folder):
            raise SetupError(f"without {absent}", where=str(folder), mend=f"name another folder by {VARIABLE}, or none")
        return folder
    folder = _target() / "node_modules"
    if _absent(folder):
        raise SetupError("the packages of the game are not installed", mend=_FIX)
    return folder


def install(progress: Callable[[str], None] | None = None) -> Path:
    """The node_modules folder, filled before where the packages are not installed.

    The folder appears whole or not at all. Where two processes install at once, the packages of the first stay.
    ``progress`` is told a line before the long part. Raises :class:`SetupError` where Node or npm is missing or
    npm fails.
    """
    node()
    target = _target()
    if os.environ.get(VARIABLE) or not _absent(target / "node_modules"):
        return packages()
    command = [npm(), *_NPM.split()]
    if progress is not None:
        progress("installing the game's packages (about 30 s, 170 MB)")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target.parent)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".node-", ignore_cleanup_errors=True) as fresh:
            made = Path(fresh) / "made"
            made.mkdir()
            for name in ("package.json", "package-lock.json"):
                shutil.copyfile(SCRIPTS / name, made / name)
            _run(command, made, Path(fresh) / "errors")
            _slim(made / "node_modules")
            if absent := _absent(made / "node_modules"):
                raise SetupError(f"npm left out {absent}", mend=_FIX)
            _move(made, target, Path(fresh) / "broken")
    except OSError as error:
        where = str(error.filename or target.parent)
        raise SetupError(error.strerror or str(error), where=where, mend=_HOME_MEND) from error
    return packages()


def _find(*names: str) -> str | None:
    return next((path for name in names if (path := shutil.which(name))), None)


def _target() -> Path:
    return cache_folder().absolute() / f"node-{sha256((SCRIPTS / 'package-lock.json').read_bytes()).hexdigest()[:12]}"


def _absent(folder: Path) -> str:
    """The packages that a node_modules folder lacks, as words; cleaners of old files may have taken some."""
    wanted = json.loads((SCRIPTS / "package.json").read_text(encoding="utf-8"))["dependencies"]
    return ", ".join(name for name in wanted if not (folder / name / "package.json").is_file())


def _run(command: list[str], folder: Path, errors: Path) -> None:
    with open(errors, "w+", encoding="utf-8", errors="replace") as out:
        # Files instead of pipes, and a group of its own, so that no child of npm's can keep us waiting.
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        with _ended(process):
            try:
                code = process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                raise SetupError(f"npm was not done after {_PATIENCE:.0f} s", mend=f"try again: {_FIX}") from None
        if code:
            out.seek(0)
            raise SetupError(f"npm failed: {_told(out.read())}", mend=f"mend that and {_FIX}")


@contextmanager
def _ended(process: subprocess.Popen[bytes]) -> Iterator[None]:
    try:
        yield
    finally:
        if process.poll() is None:
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
            process.wait()


def _told(output: str) -> str:
    """What went wrong in one line: npm's own summary where it gives one, else the last line it wrote."""
    start, end = output.find('{\n  "error"'), output.rfind("}")
    try:
        summary = json.loads(output[start : end + 1])["error"]["summary"]
    except (ValueError, KeyError, TypeError):
        summary = ""
    lines = [line for line in str(summary).splitlines() if line.strip()]
    return _short(lines[:1] or [line for line in output.splitlines() if line.strip()][-1:])


def _short(lines: Iterable[str]) -> str:
    text = " ".join(lines).strip() or "it says nothing"
    return text if len(text) <= 300 else f"{text[:299]}…"


def _slim(folder: Path) -> None:
    """Leave out the data of the other edition of the game: four fifths of all. ``common`` is loaded by name."""
    bedrock = folder / "minecraft-data" / "minecraft-data" / "data" / "bedrock"
    if bedrock.is_dir():
        for entry in bedrock.iterdir():
            if entry.name != "common":
                shutil.rmtree(entry) if entry.is_dir() else entry.unlink()


def _move(made: Path, target: Path, aside: Path) -> None:
    """Put the new folder in place, unless another process was quicker."""
    for _ in range(3):
        try:
            os.replace(made, target)
            return
        except OSError:
            if not _absent(target / "node_modules"):
                return
        try:
            os.replace(target, aside)
        except FileNotFoundError:
            continue
    raise SetupError("the folder is in use", where=str(target), mend="end what uses it, or remove it")


def _sweep(folder: Path) -> None:
    """Remove what killed installs left."""
    for left in folder.glob(".node-*"):
        with suppress(FileNotFoundError):
            if time.time() - left.stat().st_mtime > _STALE:
                shutil.rmtree(left, ignore_errors=True)
