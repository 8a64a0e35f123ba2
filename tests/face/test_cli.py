"""What holds for every command: usage errors, interruption, closed pipes, terminals without UTF-8."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


def _start(*words: str, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "minece", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        **more,
    )


@pytest.mark.parametrize("words", [["score"], ["scroe"], ["score", "x", "--tsak", "y"], ["tasks", "show"]])
def test_usage_errors_keep_their_form(cli: Cli, words: list[str]) -> None:
    ran = cli(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("Usage: minece")
    assert "Error: " in ran.err


def test_a_ground_that_is_no_number(cli: Cli, good: Path) -> None:
    ran = cli("info", good, "--ground", "x")
    assert (ran.code, ran.err.splitlines()[-1]) == (2, "Error: Invalid value for '--ground': 'x' is no whole number")


def test_a_closed_pipe_is_quiet(good: Path) -> None:
    command = _start("score", *[str(good)] * 200, "--task", "elements/shallow/7x8x1-lay", "--json")
    assert command.stdout is not None and command.stderr is not None
    command.stdout.readline()
    command.stdout.close()
    assert command.stderr.read() == ""
    command.wait(timeout=60)


@pytest.mark.skipif(os.name == "nt", reason="Windows interrupts in another way")
def test_an_interruption_is_clean(good: Path) -> None:
    command = _start("score", *[str(good)] * 5000, "--task", "elements/shallow/7x8x1-lay", "--json")
    assert command.stdout is not None
    command.stdout.readline()
    time.sleep(0.1)
    command.send_signal(signal.SIGINT)
    _, told = command.communicate(timeout=60)
    assert "Traceback" not in told
    assert command.returncode == 130


def test_a_terminal_without_utf8(good: Path) -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"}
    for words in (["info", str(good)], ["score", str(good), "--rules", "…"], ["tasks", "list"], ["doctor"]):
        command = _start(*words, env=environment)
        out, told = command.communicate(timeout=60)
        assert "Traceback" not in told
        assert command.returncode == (2 if words[0] == "score" else 0), told


@pytest.mark.slow
@pytest.mark.parametrize("columns", [40, 80, 120])
def test_tables_keep_to_the_width(good: Path, bad: Path, columns: int) -> None:
    for words in (
        ["score", str(good), str(bad), "--task", "elements/shallow/7x8x1-lay"],
        ["score", str(bad), "--task", "elements/shallow/7x8x1-lay"],
        ["info", str(good)],
        ["doctor"],
        ["tasks", "list"],
        ["tasks", "show", "elements/shallow/7x8x1-lay"],
    ):
        command = _start(*words, env={**os.environ, "COLUMNS": str(columns)}, cwd=good.parent)
        out, told = command.communicate(timeout=60)
        assert told == ""
        # Names of files and ids are never broken, so that they can be copied.
        whole = (str(good.parent), sys.executable)
        long = [line for line in out.splitlines() if len(line) > columns and not any(part in line for part in whole)]
        assert long == []


@pytest.mark.parametrize(("closed", "code"), [(">&-", 0), (">&- 2>&-", 0)], ids=["standard output", "both"])
def test_closed_streams_end_in_no_traceback(closed, code):
    import subprocess
    import sys

    command = f'"{sys.executable}" -m minece info examples/wall-good.json {closed}'
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (code, "")
