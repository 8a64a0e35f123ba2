"""`minece info`, `convert` and `doctor`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minece

Cli = Callable[..., Any]
Write = Callable[..., Path]
Rows = list[tuple[int, int, int, str]]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_info_of_a_real_file(cli: Cli) -> None:
    (facts,) = cli("info", EXAMPLES / "real" / "and-gate.schem", "--json").rows
    assert facts["schema"] == "minece-info/1"
    assert (facts["blocks"], facts["size"], facts["components"]) == (9, [3, 2, 3], 1)
    assert facts["materials"] == {
        "gray_concrete": 3,
        "lever": 2,
        "redstone_torch": 2,
        "redstone_wall_torch": 1,
        "redstone_wire": 1,
    }
    assert sum(facts["palette"].values()) == 9
    assert facts["floating"] == {"parts": 0, "blocks": 0}
    assert facts["ground"]
    shown = cli("info", EXAMPLES / "real" / "and-gate.schem").out
    assert "3 × 2 × 3" in shown
    assert "gray_concrete" in shown


def test_info_counts_what_floats(cli: Cli, slab: Rows, write_json: Write) -> None:
    file = write_json("floating.json", [*slab, (0, 5, 0, "stone"), (0, 6, 0, "stone"), (5, 9, 5, "glass")])
    (facts,) = cli("info", file, "--json").rows
    assert facts["components"] == 3
    assert facts["largest_component"] == 56
    assert facts["floating"] == {"parts": 2, "blocks": 3}
    assert "3 blocks in 2 parts" in cli("info", file).out


def test_ground_can_be_named(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "tower.csv"
    file.write_text("x,y,z,block\n0,60,0,stone\n0,61,0,stone\n0,62,0,stone\n")
    (lowest,) = cli("info", file, "--json").rows
    (named,) = cli("info", file, "--ground", "62", "--json").rows
    assert (lowest["low"][1], named["low"][1]) == (0, -2)
    assert named["ground_y"] == 62
    assert lowest["ground"] != named["ground"]


def test_info_goes_on_after_a_bad_file(cli: Cli, good: Path) -> None:
    ran = cli("info", "nowhere.json", good, "--json")
    assert ran.code == 2
    assert [row["blocks"] for row in ran.rows] == [56]
    assert ran.err == "nowhere.json: does not exist; check the name\n"


@pytest.mark.parametrize("ending", ["schem", "litematic", "csv", "json"])
def test_convert_keeps_the_build(cli: Cli, good: Path, tmp_path: Path, ending: str) -> None:
    target = tmp_path / f"copy.{ending}"
    ran = cli("convert", good, target)
    assert (ran.code, ran.err) == (0, "")
    assert f"{target}: 56 blocks, id {minece.load(good).id}" in ran.out
    assert minece.load(target) == minece.load(good)


def test_convert_by_name_and_as_json(cli: Cli, good: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    (told,) = cli("convert", good, target, "--format", "schem-v3", "--json").rows
    assert told["written"] == str(target)
    assert told["build"]["id"] == minece.load(target).id
    ran = cli("convert", good, target)
    assert ran.code == 2
    assert ran.err.startswith(f"{target}: the ending names no format; name the format: one of json")


def test_convert_of_turns(cli: Cli, slab: Rows, write_json: Write, tmp_path: Path) -> None:
    file = write_json("turns.json", slab, slab[:8])
    assert cli("convert", file, tmp_path / "copy.json").code == 0
    assert [len(turn.blocks) for turn in minece.load_turns(tmp_path / "copy.json")] == [56, 8]
    ran = cli("convert", file, tmp_path / "copy.schem")
    assert ran.code == 2
    assert "holds one build, not 2 turns; write JSON, or one turn alone" in ran.err
    assert not (tmp_path / "copy.schem").exists()


def test_doctor(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINECE_HOME", str(tmp_path / "home"))
    ran = cli("doctor", "--json")
    assert ran.code == 0
    checks = {check["what"]: check for check in json.loads(ran.out)["checks"]}
    for name in ("python", "minece", "numpy", "scipy", "scikit-fem", "networkx", "pandas", "jinja2", "rich", "typer"):
        assert checks[name]["state"] == "ok"
    for extra in ("fast", "parquet", "agents", "inspect", "gym", "study", "scale", "mesh"):
        check = checks[f"extra {extra}"]
        assert check["state"] == "ok" or check["mend"] == f"run: pip install 'minece[{extra}]'"
    assert checks["cache folder"]["found"] == str(tmp_path / "home")
    assert "pip install 'minece[" in cli("doctor").out


def test_doctor_finds_a_cache_folder_that_cannot_be_made(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MINECE_HOME", str(tmp_path / "file" / "home"))
    ran = cli("doctor", "--json")
    assert ran.code == 1
    (check,) = [c for c in json.loads(ran.out)["checks"] if c["state"] == "missing"]
    assert check["mend"] == "set MINECE_HOME to a folder that can be written"
