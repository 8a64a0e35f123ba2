"""`minece play`, as a user types it."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from game import needs_game

from minece.agent_bridge.bot import Bot, Hand
from minece.agent_bridge.clicks import Click

TASK = "elements/shallow/7x8x1-lay"


@needs_game
@pytest.mark.slow
def test_a_person_builds_and_is_scored(tmp_path: Path) -> None:
    words = ["play", "--task", TASK, "--port", "0", "--json", "--out", str(tmp_path / "run")]
    person = subprocess.Popen(
        [sys.executable, "-m", "minece", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert person.stderr is not None
        line = next(line for line in person.stderr if line.startswith("join "))
        host, _, port = line.split()[1].rpartition(":")
        name = line.split()[-1]
        assert name.startswith("guest_")
        with Bot(host, int(port), name=name, front="stdio") as guest:
            guest.place([Hand("stone", Click((5, -1, 5), "up", (0.5, 1.0, 0.5), 0.0, 60.0), (5, 0, 5))])
        out, _ = person.communicate(timeout=60)
    finally:
        person.kill()
    record = json.loads(out)
    assert person.returncode == 0 and record["builder"] == {"kind": "player", "name": name}
    assert record["turns"][0]["status"] == "left" and record["turns"][0]["placed"] == 1
    assert record["result"]["score"]["overall"] is False
    assert json.loads((tmp_path / "run" / "episodes.jsonl").read_text()) == record


@needs_game
def test_nobody_comes(cli: Callable[..., Any]) -> None:
    ran = cli("play", "--task", TASK, "--wait", "1", "--port", "0")
    assert ran.code == 2 and "did not join within 1 s" in ran.err.splitlines()[-1]
