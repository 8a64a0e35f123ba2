"""`minece info`, `convert` and `doctor`."""

import json
import subprocess
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import minece
from minece.commands.requirements import Requirement, read_requirement
from minece.installation import install_command

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
    shown = cli("info", file).out
    assert "3 blocks in 2 parts; blocks stand on the ground or on others" in shown


def test_info_of_a_folder_names_a_file_in_it(cli: Cli, good: Path, bad: Path) -> None:
    (good.parent / "about.md").write_text("no build")
    ran = cli("info", good.parent)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{good.parent}: is a folder; name files in it, such as {bad}\n"
    (good.parent / "empty").mkdir()
    assert cli("info", good.parent / "empty").err.endswith("is a folder; name files that hold builds\n")


def test_ground_can_be_named(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "tower.csv"
    file.write_text("x,y,z,block\n0,60,0,stone\n0,61,0,stone\n0,62,0,stone\n")
    (lowest,) = cli("info", file, "--json").rows
    (named,) = cli("info", file, "--ground", "62", "--json").rows
    assert (lowest["low"][1], named["low"][1]) == (0, -2)
    assert named["ground_y"] == 62
    assert lowest["ground"] != named["ground"]
    assert "0 to 2 above ground (y 60 to 62 in the file)" in cli("info", file).out
    assert "-2 to 0 counted from the ground (y 60 to 62 in the file)" in cli("info", file, "--ground", "62").out
    assert "in the file)" not in cli("info", file, "--ground", "0").out


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
    ran = cli("convert", good, other := tmp_path / "other")
    assert ran.code == 2
    assert ran.err.startswith(f"{other}: the ending names no format; name the format: one of json")


def test_convert_writes_over_nothing_unless_told(cli: Cli, good: Path, bad: Path) -> None:
    before = good.read_bytes(), bad.read_bytes()
    for words, told in (
        ([good, good], f"{good}: is the file to read; name another file to write\n"),
        ([good, good, "--force"], f"{good}: is the file to read; name another file to write\n"),
        ([good, bad], f"{bad}: exists already; name another file, or give --force\n"),
    ):
        ran = cli("convert", *words)
        assert (ran.code, ran.out, ran.err) == (2, "", told)
    assert (good.read_bytes(), bad.read_bytes()) == before
    assert cli("convert", good, bad, "--force").code == 0
    assert minece.load(bad) == minece.load(good)


@pytest.mark.parametrize(("ending", "kept"), [("json", True), ("csv", True), ("schem", False), ("litematic", False)])
def test_convert_tells_where_the_order_is_lost(cli: Cli, tmp_path: Path, ending: str, kept: bool) -> None:
    source, target = tmp_path / "log.json", tmp_path / f"copy.{ending}"
    minece.save(minece.Build.from_log([["place", 0, 0, 0, "stone"]]), source)
    ran = cli("convert", source, target)
    assert (ran.code, ran.err) == (0, "" if kept else f"note: {ending} keeps no order of building\n")
    assert (minece.load(target).log is not None) is kept


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
        purpose, _, command = check["mend"].partition("; run: ")
        assert check["state"] == "ok" or (purpose.startswith("for ") and command == install_command(extra))
    assert checks["cache folder"]["found"] == str(tmp_path / "home")
    assert f"{sys.executable} -m pip" in cli("doctor").out


def _checks(out: str) -> dict[str, Any]:
    return {check["what"]: check for check in json.loads(out)["checks"]}


def test_doctor_without_node(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINECE_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("MINECE_NODE_MODULES", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = cli("doctor", "--json")
    assert (ran.code, ran.err) == (0, "")
    checks = _checks(ran.out)
    for name, word in (("node", "Node.js is not"), ("npm", "npm is not"), ("game packages", "not installed")):
        assert checks[name]["state"] == "optional"
        assert word in checks[name]["found"]
        assert checks[name]["mend"].startswith("for builds in a real Minecraft world; ")
    assert checks["game packages"]["mend"].endswith("; run: minece doctor --fix")
    failed = cli("doctor", "--fix", "--json")
    assert failed.code == 1
    assert failed.err.startswith("Node.js is not installed; install Node.js 20 or newer")
    assert _checks(failed.out)["game packages"]["state"] == "optional"
    assert "how to mend it" in cli("doctor", "--fix").out


@pytest.mark.skipif(sys.platform == "win32", reason="Node is played by a shell script")
def test_doctor_finds_node_too_old(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "node").write_text("#!/bin/sh\necho v18.20.4\n")
    (tmp_path / "node").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = cli("doctor", "--json")
    assert ran.code == 0
    check = _checks(ran.out)["node"]
    assert check["state"] == "optional"
    assert check["found"] == f"Node.js is 18.20.4 at {tmp_path / 'node'}, which is too old"


def test_doctor_installs_the_game(cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    there = False

    def install(progress: Callable[[str], None]) -> Path:
        nonlocal there
        progress("installing")
        there = True
        return tmp_path

    def packages() -> Path:
        assert there
        return tmp_path

    monkeypatch.setattr("minece.agent_bridge.runtime.install", install)
    monkeypatch.setattr("minece.agent_bridge.runtime.packages", packages)
    ran = cli("doctor", "--fix", "--json")
    assert (ran.code, ran.err) == (0, "installing\n")
    assert _checks(ran.out)["game packages"] == {
        "what": "game packages",
        "state": "ok",
        "found": str(tmp_path),
        "mend": "",
    }


@pytest.mark.parametrize(
    ("beside", "origin", "command"),
    [
        (True, None, "pip install -e '.[fast]' in the checkout"),
        (False, {"url": "file:///a", "dir_info": {"editable": True}}, "pip install -e '.[fast]' in the checkout"),
        (False, {"url": "file:///a", "dir_info": {}}, "pip install '.[fast]' in the checkout"),
        (False, {"url": "file:///a.whl", "archive_info": {}}, "pip install 'minece[fast]'"),
        (False, None, "pip install 'minece[fast]'"),
    ],
)
def test_extras_are_added_as_the_package_was_installed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, beside: bool, origin: object, command: str
) -> None:
    class Found:
        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return None if origin is None else json.dumps(origin)

    if beside:
        (tmp_path / "pyproject.toml").write_text("")
    monkeypatch.setattr("minece.installation.__file__", str(tmp_path / "minece" / "installation.py"))
    monkeypatch.setattr("importlib.metadata.distribution", lambda name: Found())
    assert install_command("fast") == command


# As if numpy were not installed: neither its modules nor its metadata are found.
WITHOUT_NUMPY = """
import sys
from importlib import metadata
found = metadata.version
def version(name):
    if name == "numpy":
        raise metadata.PackageNotFoundError(name)
    return found(name)
metadata.version = version
sys.modules["numpy"] = None
sys.argv = ["minece", *{words!r}]
from minece.cli import main
main()
"""


def _without_numpy(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMPY.format(words=words)], capture_output=True, text=True, timeout=60
    )


def test_doctor_without_numpy() -> None:
    failed = _without_numpy("doctor", "--fix")
    assert (failed.returncode, failed.stderr) == (1, "numpy is not installed; install that first\n")
    for words in (["doctor"], ["doctor", "--json"]):
        done = _without_numpy(*words)
        assert (done.returncode, done.stderr) == (1, "")
    (check,) = [c for c in json.loads(done.stdout)["checks"] if c["state"] == "missing"]
    assert check == {
        "what": "numpy",
        "state": "missing",
        "found": "not installed",
        "mend": "run: pip install 'numpy>=2.0'",
    }


def test_other_commands_without_numpy_name_the_doctor(good: Path) -> None:
    done = _without_numpy("info", str(good))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "numpy is not installed; run: minece doctor\n")


def test_doctor_compares_versions(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "importlib.metadata.requires",
        lambda name: ["numpy>=99", "scipy<99,>=1.0", "rich>=99; extra == 'fast'", "nonsuch>=1; extra == 'mesh'"],
    )
    ran = cli("doctor", "--json")
    assert ran.code == 1
    checks = {check["what"]: check for check in json.loads(ran.out)["checks"]}
    assert checks["numpy"]["state"] == "missing"
    assert checks["numpy"]["found"].endswith(", not >=99")
    assert checks["numpy"]["mend"] == "run: pip install 'numpy>=99'"
    assert checks["scipy"]["state"] == "ok"
    assert checks["extra fast"]["state"] == checks["extra mesh"]["state"] == "optional"
    assert checks["extra fast"]["found"].endswith(" is not >=99")
    assert checks["extra mesh"]["found"] == "without nonsuch"
    assert checks["extra mesh"]["mend"] == f"for mesh files; run: {install_command('mesh')}"


BOUNDS = ("", ">=2.0", ">=2.0,<3", "<2.1", "~=2.0", "~=2.0.1", "==2.0", "==2.0.*", "!=2.0.*", "!=2.1", ">2.0", "<2!1")
VERSIONS = ("1.0", "1.9", "2.0", "2.0.1", "2.1", "2.10", "3.0", "1!1.1", "1!1.2.5", "2024.5")


def test_versions_are_compared_alike_with_and_without_packaging(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = list(product(BOUNDS, VERSIONS))
    wanted = [Requirement("some", bounds).fits(version) for bounds, version in pairs]
    monkeypatch.setitem(sys.modules, "packaging.specifiers", None)
    assert [Requirement("some", bounds).fits(version) for bounds, version in pairs] == wanted
    assert 0 < sum(wanted) < len(wanted)


@pytest.mark.parametrize(
    ("text", "requirement"),
    [
        ("numpy>=2.0", Requirement("numpy", ">=2.0")),
        ("import-linter<3,>=2.0; extra == 'dev'", Requirement("import-linter", "<3,>=2.0", "dev")),
        ('dask[distributed] (>=2024.5) ; extra == "scale"', Requirement("dask", ">=2024.5", "scale")),
        ("js>=1!1.2; python_version > '3' and extra == 'agents'", Requirement("js", ">=1!1.2", "agents")),
        ("rich", Requirement("rich")),
    ],
)
def test_requirements_are_read(text: str, requirement: Requirement) -> None:
    assert read_requirement(text) == requirement


def test_doctor_finds_a_cache_folder_that_cannot_be_made(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MINECE_HOME", str(tmp_path / "file" / "home"))
    ran = cli("doctor", "--json")
    assert ran.code == 1
    (check,) = [c for c in json.loads(ran.out)["checks"] if c["state"] == "missing"]
    assert check["mend"] == "set MINECE_HOME to a folder that can be written"


def real_files() -> list[tuple[Path, dict[str, str]]]:
    import csv

    folder = Path(__file__).parents[1] / "data" / "real"
    with open(folder / "files.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [(folder / row["file"], row) for row in rows if row["file"].endswith((".schem", ".litematic"))]


@pytest.mark.parametrize(("file", "row"), real_files(), ids=lambda value: getattr(value, "stem", ""))
def test_info_gives_the_counts_of_files_that_others_made(cli: Cli, file: Path, row: dict[str, str]) -> None:
    facts = json.loads(cli("info", file, "--json").out)
    assert facts["blocks"] == sum(facts["palette"].values()) == int(row["nonair_blocks"])
    assert "x".join(map(str, facts["size"])) == row["dims_xyz"]
    assert (facts["components"], len(facts["palette"])) == (int(row["components_6"]), int(row["states_used"]))
    assert len(facts["materials"]) == int(row["block_types_used"])


@pytest.mark.parametrize("suffix", ["json", "csv", "schem", "litematic"])
def test_a_conversion_makes_no_fact_of_a_guessed_ground(cli: Cli, tmp_path: Path, suffix: str) -> None:
    task = "elements/deep/7x7x1-4piles-lay"
    (build,) = minece.tasks.reference(minece.load_task(task))
    table, other = tmp_path / "deep.csv", tmp_path / f"out.{suffix}"
    table.write_text("".join(f"{x},{y},{z},{state}\n" for x, y, z, state in build.blocks.rows()))
    assert cli("convert", table, other).code == 0
    for file in (table, other):
        assert cli("score", file, "--task", task, "--fail-under", "1").code == 0
