"""`minece build` in memory and in the game, as a user types it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from game import needs_game

from minece.agent_bridge.referee import Referee
from minece.agent_bridge.server import MinecraftServer
from minece.agent_bridge.site import Site
from minece.results import read_run
from minece.tasks.task import Limits

ROOT = Path(__file__).resolve().parents[2]
TASK = "elements/shallow/7x8x1-lay"
FOUNDATION = "examples/programs/foundation.json"
BRIDGE = "examples/programs/arch-bridge.js"
BRIDGE_TASK = "civil/arch-bridges/river10-boat3-build"

Cli = Callable[..., Any]


def test_a_list_of_commands_builds_and_passes(cli: Cli):
    done = cli("build", FOUNDATION, "--task", TASK, "--fail-under", "1")
    assert done.code == 0, done.err
    assert "program: ok; 56 blocks placed, 0 refused" in done.out and "overall pass" in done.out


def test_everything_that_is_asked_for_is_kept(cli: Cli, tmp_path: Path):
    out, save, png, html = (tmp_path / name for name in ("run", "slab.schem", "slab.png", "slab.html"))
    words = ["--out", out, "--save", save, "--png", png, "--html", html, "--json"]
    done = cli("build", FOUNDATION, "--task", TASK, *words)
    assert done.code == 0, done.err
    record = json.loads(done.out)
    assert record["schema"] == "minece-episode/1" and record["completed"] and record["faults"] == []
    assert record["world"] == {"kind": "offline", "version": "1.21.4"}
    assert record["turns"][0]["status"] == "ok" and record["turns"][0]["placed"] == 56
    assert record["result"]["score"]["overall"] is True
    assert json.loads((out / "episodes.jsonl").read_text()) == record
    facts, rows = read_run(out)
    assert facts["scored"] == 1 and next(rows)["build"]["id"] == record["result"]["build"]["id"]
    assert png.read_bytes()[:4] == b"\x89PNG" and "<html" in html.read_text()
    again = cli("score", str(save), "--task", TASK, "--json")
    assert json.loads(again.out)["build"]["id"] == record["result"]["build"]["id"]


def test_a_program_that_fails_is_scored_by_what_it_had_built(cli: Cli, tmp_path: Path):
    program = tmp_path / "half.json"
    program.write_text('[{"fill": [[3, -1, 3], [9, -1, 9]], "block": "stone"}, {"place": [3, 9, 3], "block": "stone"}]')
    done = cli("build", str(program), "--task", TASK, "--fail-under", "1")
    assert done.code == 1
    assert "49 blocks placed, 1 refused" in done.out and "refused once: nothing to place on" in done.out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["nothing.js", "--task", TASK], "nothing.js: No such file"),
        ([FOUNDATION, "--task", "no/such/task"], "no/such/task"),
        ([FOUNDATION, FOUNDATION, "--task", TASK], "has 1 instruction, not 2; name one program for each"),
        ([FOUNDATION, "--task", TASK, "--world", "moon"], "there is no world 'moon'; take one of offline, minecraft"),
        ([FOUNDATION, "--task", TASK, "--world", "minecraft", "--mode", "magic"], "there is no mode 'magic'"),
        ([FOUNDATION, "--task", TASK, "--server", "localhost:1"], "add --world minecraft"),
        ([FOUNDATION, "--task", TASK, "--world", "minecraft", "--server", "localhost:x"], "is no address"),
        ([FOUNDATION, "--task", TASK, "--game", "1.8.x"], "no version '1.8.x' of the game is known"),
        ([FOUNDATION, "--task", TASK, "--png", "bridge.html"], "is the ending of no picture"),
        ([FOUNDATION, "--task", TASK, "--save", "examples/foundation-good.json"], "foundation-good.json: exists"),
    ],
)
def test_bad_input_is_one_line(cli: Cli, words: list[str], line: str):
    done = cli("build", *words)
    assert done.code == 2 and line in done.err
    assert len(done.err.strip().splitlines()) == 1 and not done.out


def test_what_is_no_program_is_one_line(cli: Cli, tmp_path: Path):
    for name, text, line in (
        ("empty.js", "", "is empty"),
        ("wrong.json", '[{"plaec": [0, 0, 0]}]', "place"),
        ("broken.json", "[{", "broken.json"),
    ):
        (tmp_path / name).write_text(text)
        done = cli("build", str(tmp_path / name), "--task", TASK)
        assert done.code == 2 and line in done.err and len(done.err.strip().splitlines()) == 1, done.err
    (tmp_path / "bytes.js").write_bytes(b"\xff\xfe\x00")
    done = cli("build", str(tmp_path / "bytes.js"), "--task", TASK)
    assert done.code == 2 and "no text in UTF-8" in done.err


@needs_game
def test_javascript_builds_in_memory_and_twice_the_same(cli: Cli, tmp_path: Path):
    lines = [cli("build", BRIDGE, "--task", BRIDGE_TASK, "--json").out for _ in range(2)]
    one, other = (json.loads(line) for line in lines)
    for record in (one, other):
        assert record["result"]["score"]["overall"] is True
        record["started"] = record["seconds"] = record["turns"][0]["seconds"] = None
    assert one == other


@needs_game
@pytest.mark.slow
def test_a_bot_builds_in_the_game(cli: Cli, tmp_path: Path):
    done = cli("build", BRIDGE, "--task", BRIDGE_TASK, "--world", "minecraft", "--mode", "exact", "--json")
    assert done.code == 0, done.err
    record = json.loads(done.out)
    assert record["world"]["asked"] == record["world"]["verified"] == 132 and record["world"]["missing"] == 0
    memory = json.loads(cli("build", BRIDGE, "--task", BRIDGE_TASK, "--json").out)
    assert record["result"]["build"]["id"] == memory["result"]["build"]["id"]


@needs_game
@pytest.mark.slow
def test_a_bot_builds_on_somebodys_server(cli: Cli):
    with MinecraftServer(Referee(Site(limits=Limits(), bounded=False))) as server:
        words = ["--world", "minecraft", "--server", f"{server.host}:{server.port}", "--at", 100, 64, 100, "--json"]
        done = cli("build", FOUNDATION, "--task", TASK, *words)
    record = json.loads(done.out)
    assert record["world"]["server"] == "foreign" and record["turns"][0]["placed"] == 56
    assert record["result"]["score"]["overall"] is True


@needs_game
def test_without_a_server_there_is_nothing_to_score(cli: Cli, tmp_path: Path):
    words = ["--world", "minecraft", "--server", "127.0.0.1:9", "--out", str(tmp_path / "run")]
    done = cli("build", BRIDGE, "--task", BRIDGE_TASK, *words)
    assert done.code == 2 and "nothing to score" in done.err
    record = json.loads((tmp_path / "run" / "episodes.jsonl").read_text())
    assert [fault["boundary"] for fault in record["faults"]] == ["bot", "bot"] and record["result"] is None
