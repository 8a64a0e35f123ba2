"""Worlds on the command line and in Python; `--box` and `--drop` for files of every kind."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from region_files import flat_chunk, region

import minece
from minece.blocks import Build, MineceError

TASK = "elements/shallow/7x8x1-lay"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A flat world with a slab of 7 by 8 stone let into its surface, a tower beside it, and nothing else."""
    slab = {(x, 3, z): "stone" for x in range(3, 10) for z in range(2, 10)}
    tower = {(14, y, 14): "oak_planks" for y in range(4, 8)}
    folder = tmp_path / "my world"
    (folder / "region").mkdir(parents=True)
    (folder / "level.dat").write_bytes(b"")
    (folder / "region" / "r.0.0.mca").write_bytes(region({(0, 0): flat_chunk((0, 0), {**slab, **tower})}))
    (folder / "icon.png").write_bytes(b"\x89PNG")
    return folder


BOX = ("--box", 0, 0, 0, 12, 9, 12)


def test_a_world_in_a_hidden_folder_is_left_out(cli, world, tmp_path):
    world.rename(tmp_path / ".backup")
    ran = cli("score", tmp_path, "--task", TASK, *BOX)
    assert ran.code == 2 and "no files" in ran.err


def test_a_region_whose_chunks_were_deleted_is_no_obstacle(cli, world):
    times = b"\0" * 4096 + b"\0\0\0\1" * 1024
    (world / "region" / "r.1.0.mca").write_bytes(times)
    assert cli("info", world, *BOX, "--json").code == 0


def test_a_world_is_one_build(cli, world, tmp_path):
    ran = cli("info", world, "--drop", "#dirt,bedrock", "--json")
    (facts,) = ran.rows
    assert (ran.code, facts["blocks"], facts["ground_y"]) == (0, 60, 4)
    assert facts["materials"] == {"stone": 56, "oak_planks": 4} and facts["provenance"]["format"] == "world"
    ran = cli("score", tmp_path, "--task", TASK, *BOX, "--json")
    assert [row["build"]["name"] for row in ran.rows] == [str(world)] and ran.code == 0
    assert ran.rows[0]["score"]["overall"] is True


def test_the_box_belongs_to_the_task_and_the_rest_of_the_world_does_not(cli, world):
    assert cli("score", world, "--task", TASK, "--fail-under", 1).code == 1
    assert cli("score", world, "--task", TASK, "--fail-under", 1, *BOX).code == 0
    ran = cli("score", world, "--task", TASK, *BOX, "--drop", "stone", "--json")
    assert ran.rows[0]["score"]["overall"] is False


def test_a_world_is_converted_viewed_and_analysed(cli, world, tmp_path):
    ran = cli("convert", world, tmp_path / "a.schem", *BOX, "--drop", "#dirt,bedrock", "--ground", 4)
    assert ran.code == 0 and ran.out.startswith(f"{tmp_path / 'a.schem'}: 56 blocks")
    assert minece.load(tmp_path / "a.schem").id == minece.load(world, box=BOX[1:], drop="#dirt,bedrock").id
    assert cli("convert", world, tmp_path / "a.schematic", *BOX, "--drop", "#dirt,bedrock", "--ground", 4).code == 0
    assert minece.load(tmp_path / "a.schematic").id == minece.load(tmp_path / "a.schem").id
    ran = cli("view", world, "--out", tmp_path / "pages", *BOX, "--json")
    assert ran.code == 0 and [row["name"] for row in ran.rows] == ["my world"]
    ran = cli("stress", world, *BOX, "--drop", "#dirt,bedrock", "--json")
    assert ran.rows[0]["build"] == minece.load(world, box=BOX[1:], drop=["#dirt", "bedrock"]).id


def test_files_of_other_kinds_are_cut_in_their_own_coordinates(cli, tmp_path):
    rows = [[x, 60 + y, 0, "stone" if y else "dirt"] for x in range(4) for y in range(3)]
    (tmp_path / "a.json").write_text(json.dumps({"format": "minece-build/1", "ground_y": 61, "blocks": rows}))
    (facts,) = cli("info", tmp_path / "a.json", "--box", 1, 60, 0, 2, 61, 5, "--json").rows
    assert facts["materials"] == {"dirt": 2, "stone": 2} and facts["low"] == [1, -1, 0]
    (facts,) = cli("info", tmp_path / "a.json", "--drop", "dirt", "--drop", "#ice", "--json").rows
    assert facts["materials"] == {"stone": 8} and facts["dug"] == 0


def test_a_guessed_ground_is_guessed_anew_from_what_is_left(tmp_path):
    rows = [[0, y, 0, "dirt" if y < 3 else "stone"] for y in range(6)]
    table = "x,y,z,state\n" + "".join(
        "{},{},{},{}\n".format(*row) for row in [*rows, [1, 4, 0, "air"], [1, 2, 0, "air"]]
    )
    (tmp_path / "a.csv").write_text(table)
    whole = minece.load(tmp_path / "a.csv")
    left = minece.load(tmp_path / "a.csv", drop="dirt")
    assert (whole.ground_y, left.ground_y, left.blocks.low[1]) == (0, 3, 0)
    assert left.dug.tolist() == [[1, -1, 0]] and left.air is not None and left.air.tolist() == [[1, 1, 0]]
    assert minece.load(tmp_path / "a.csv", drop="dirt", ground=1).ground_y == 1
    assert minece.load(tmp_path / "a.csv", box=(0, 4, 0, 9, 5, 9)).ground_y == 4
    # Cutting first and reading as a file of its own comes to the same.
    minece.save(left, tmp_path / "b.csv")
    assert minece.load(tmp_path / "b.csv") == left


def test_logs_lose_the_events_of_cells_that_are_left_out(tmp_path):
    log = [["place", 0, 0, 0, "dirt"], ["place", 1, 0, 0, "stone"], ["break", 0, 0, 0], ["place", 0, 0, 0, "stone"],
           ["place", 2, 0, 0, "dirt"], ["break", 9, -1, 0]]  # fmt: skip
    (tmp_path / "a.json").write_text(json.dumps({"format": "minece-build/1", "ground_y": 0, "log": log}))
    build = minece.load(tmp_path / "a.json", drop="dirt", box=(0, -1, 0, 8, 5, 5))
    assert build.log is not None and build.log.events() == log[:4]
    assert Build.from_log(build.log) == build


def test_orders_of_several_turns_are_not_known_once_blocks_are_dropped(tmp_path):
    turns = [{"log": [[0, 0, 0, "stone"], [1, 0, 0, "dirt"]]}, {"log": [[1, 0, 0, "stone"]]}]
    (tmp_path / "a.json").write_text(json.dumps({"format": "minece-build/1", "turns": turns}))
    first, second = minece.load_turns(tmp_path / "a.json", drop="dirt")
    assert (len(first.blocks), len(second.blocks)) == (1, 2) and first.log is None and second.log is None


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--drop", "#dirtt"), "unknown tag #dirtt; did you mean #dirt?"),
        (("--drop", "No Block"), "'No Block' is no block state"),
        (("--box", 0, 0, 0, 2**40, 1, 1), "the box lies outside ±536870912; give a box within the world"),
        (("--box", 0, 0, 300, 9, 9, 310), "has no chunk in the box; its chunks lie in x 0 to 15, z 0 to 15"),
    ],
)
@pytest.mark.parametrize("command", ["info", "score", "view", "stress", "convert"])
def test_wrong_boxes_and_ids_are_one_line(cli, world, words, says, command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    more = ("--task", TASK) if command == "score" else (tmp_path / "x.schem",) if command == "convert" else ()
    ran = cli(command, world, *more, *words)
    assert ran.code == 2 and says in ran.err and len(ran.err.strip().splitlines()) == 1


def test_half_a_box_is_told_by_the_command_line(cli, world):
    ran = cli("info", world, "--box", 1, 2, 3)
    assert ran.code == 2 and "--box" in ran.err


def test_ids_that_no_block_has_are_noted(world):
    said = minece.load(world, drop="stoen").provenance.warnings
    assert any(line.startswith("drop: there is no block stoen; did you mean stone") for line in said)
    with pytest.raises(MineceError, match="a box is six whole numbers"):
        minece.load(world, box=(1, 2, 3))
