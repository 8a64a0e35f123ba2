"""`minece score --agent-code`: programs build in memory and what stands is scored."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from game import needs_game

from minece.results import read_run

TASK = "elements/shallow/7x8x1-lay"
TURNS = "management/revise-2/1to2rooms"

SLAB = """
    for (let x = 3; x < 10; x++) {
        for (let z = 3; z < 11; z++) {
            await skills.placeBlock(bot, 'stone', x, 0, z); if(bot.interrupt_code) {log(bot, "Interrupted.");return;}
        }
    }
"""
ARROW = f"(async (bot) => {{\n{SLAB}\nlog(bot, 'Code finished.');\n\n}})"
MAIN = f"""import * as mc from "../../utils/mcdata.js";
import * as skills from '../library/skills.js';
import * as world from '../library/world.js';
import Vec3 from 'vec3';

const log = skills.log;

export async function main(bot) {{
{SLAB}
    log(bot, 'Code finished.');
}}
"""

Cli = Callable[..., Any]


def write(folder: Path, **files: str) -> list[Path]:
    for name, text in files.items():
        (folder / f"{name}.js").write_text(text)
    return [folder / f"{name}.js" for name in files]


@needs_game
def test_action_files_of_mindcraft_build_the_same_however_they_are_wrapped(cli: Cli, tmp_path: Path):
    done = cli("score", "--agent-code", *write(tmp_path, bare=SLAB, arrow=ARROW, main=MAIN), "--task", TASK, "--json")
    assert done.code == 0, done.err
    assert len({row["build"]["id"] for row in done.rows}) == 1
    assert {row["build"]["blocks"] for row in done.rows} == {56}
    assert all(row["build"]["warnings"] == [] and row["build"]["placements"] == 56 for row in done.rows)


@needs_game
def test_a_folder_gives_a_table_and_results_are_kept(cli: Cli, tmp_path: Path):
    code, out = tmp_path / "action-code", tmp_path / "run"
    code.mkdir()
    write(code, a=ARROW, b="(async (bot) => {\nlog(bot, 'Code finished.');\n})", c="null.x")
    (code / "notes.json").write_text("[]")
    done = cli("score", "--agent-code", code, "--task", TASK, "--out", out, "--fail-under", "1")
    assert done.code == 1, done.err
    assert "1 of 3 builds pass overall" in done.out
    assert "1 file in folders left out as no builds (.json)" in done.err
    facts, rows = read_run(out)
    found = {Path(row["build"]["name"]).name: row for row in rows}
    assert facts["scored"] == 3 and facts["settings"]["agent_code"] is True
    assert found["a.js"]["build"]["blocks"] == 56 and found["b.js"]["build"]["blocks"] == 0
    assert found["c.js"]["build"]["warnings"][0].startswith("the program did not end by itself: ")


@needs_game
def test_rules_judge_programs_too(cli: Cli, tmp_path: Path):
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps([{"rule": "only", "args": {"materials": ["stone"]}}]))
    done = cli("score", "--agent-code", *write(tmp_path, a=SLAB), "--rules", rules, "--json")
    assert done.code == 0, done.err
    assert done.rows[0]["score"]["overall"] is True


@needs_game
def test_refused_actions_are_told(cli: Cli, tmp_path: Path):
    far = "for (let x = 0; x < 3; x++) await skills.placeBlock(bot, 'stone', 149 + x, -57, -168)"
    done = cli("score", "--agent-code", *write(tmp_path, far=far), "--task", TASK)
    assert "3 actions of the program refused, mostly for:" in done.out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--task", TASK], "gone.js: No such file or directory; name a program's file"),
        ([], "gone.js: nothing to judge it by; give --task ID or --rules FILE"),
    ],
)
def test_bad_input_is_one_line(cli: Cli, tmp_path: Path, words: list[str], line: str):
    done = cli("score", "--agent-code", tmp_path / "gone.js", *words)
    assert done.code == 2 and line in done.err and not done.out.strip()
    assert len(done.err.strip().splitlines()) == 1


def test_a_task_of_several_instructions_needs_minece_build(cli: Cli, tmp_path: Path):
    done = cli("score", "--agent-code", *write(tmp_path, a=SLAB), "--task", TURNS)
    assert done.code == 2 and "`minece build`" in done.err and "answers one" in done.err


def test_a_program_that_is_taken_for_a_build_says_how_it_can_build(cli: Cli, tmp_path: Path):
    done = cli("score", *write(tmp_path, a=ARROW), "--task", TASK)
    assert done.code == 2 and "is a program, not a build; add --agent-code" in done.err


@pytest.mark.parametrize(
    "option", [["--box", 0, 0, 0, 9, 9, 9], ["--drop", "stone"], ["--ground", 0], ["--axes", "xyz"]]
)
def test_programs_take_no_options_of_files(cli, tmp_path, option):
    (tmp_path / "slab.js").write_text(SLAB)
    ran = cli("score", "--agent-code", tmp_path, "--task", TASK, *option)
    assert ran.code == 2 and "programs build on a plot of their own" in ran.err
