"""`minece score`: what it prints, keeps and answers, for good and bad input."""

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minece
from minece.results import read_records, read_run

Cli = Callable[..., Any]
Write = Callable[..., Path]
Rows = list[tuple[int, int, int, str]]
TASK = "elements/shallow/7x8x1-lay"


def test_verdicts_in_a_table(cli: Cli, good: Path, bad: Path) -> None:
    ran = cli("score", good, "--task", TASK)
    assert (ran.code, ran.err) == (0, "")
    assert "overall pass" in ran.out
    ran = cli("score", bad, "--task", TASK)
    assert ran.code == 0  # a failed build is no bad input
    assert "overall fail" in ran.out
    filled = next(line for line in ran.out.splitlines() if line.strip().startswith("filled"))
    assert "fail" in filled


def test_json_names(cli: Cli, good: Path) -> None:
    (row,) = cli("score", good, "--task", TASK, "--json").rows
    assert row["schema"] == "minece-result/1"
    assert row["build"]["id"] == minece.load(good).id
    assert row["build"]["blocks"] == 56
    assert row["build"]["size"] == [8, 1, 7]
    assert row["task"]["id"] == TASK
    names = "turn rule criterion status score measured required message cells cells_total".split()
    assert list(row["verdicts"][0]) == names
    assert set(row["score"]) == {"overall", "accuracy", "criteria", "criterion_scores", "groups", "errors", "decided"}
    assert (row["score"]["overall"], row["score"]["accuracy"]) == (True, True)
    assert list(row["score"]["criteria"]) == [
        "material",
        "shape",
        "size",
        "plausibility",
        "stability",
        "efficiency",
        "dependency",
    ]


def test_the_command_and_python_agree(cli: Cli, bad: Path) -> None:
    (row,) = cli("score", bad, "--task", TASK, "--json").rows
    score = minece.score(minece.load(bad), TASK)
    assert row["score"] == score.to_dict()
    assert [v["message"] for v in row["verdicts"]] == [v.message for turn in score.verdicts for v in turn]


def test_rules_in_our_form(cli: Cli, good: Path, bad: Path, rules: Path) -> None:
    rows = cli("score", good, bad, "--rules", rules, "--json").rows
    assert [row["score"]["overall"] for row in rows] == [True, False]
    assert [v["rule"] for v in rows[0]["verdicts"]] == ["only", "filled"]
    table = rules.with_name("rules.toml")
    table.write_text('[[rules]]\nrule = "only"\nargs = { materials = "stone" }\n\n[[rules]]\nrule = "filled"\n')
    others = cli("score", good, bad, "--rules", table, "--json").rows
    assert [row["task"].pop("id") for row in rows + others] == ["rules:rules.json"] * 2 + ["rules:rules.toml"] * 2
    assert others == rows
    assert "judged by the rules in rules.toml;" in cli("score", good, "--rules", table).out


def test_rules_in_the_papers_form(cli: Cli, good: Path, tmp_path: Path) -> None:
    checks = tmp_path / "checks.json"
    checks.write_text(json.dumps([{"fn": "is_all_material_equal_to", "args": {"expected_material": "stone"}}]))
    (row,) = cli("score", good, "--rules", checks, "--json").rows
    assert [v["rule"] for v in row["verdicts"]] == ["only"]
    assert row["score"]["overall"] is True


def test_rules_hold_in_every_turn(cli: Cli, slab: Rows, write_json: Write, rules: Path) -> None:
    file = write_json("turns.json", slab, slab[1:])
    (row,) = cli("score", file, "--rules", rules, "--json").rows
    assert [(v["turn"], v["rule"], v["status"]) for v in row["verdicts"]] == [
        (1, "only", "pass"),
        (1, "filled", "pass"),
        (2, "only", "pass"),
        (2, "filled", "fail"),
    ]
    assert row["score"]["overall"] is False
    assert row["build"]["kept"] == [1 - 1 / len(slab)]
    assert "kept of the build before: turn 2: 98 %\n" in cli("score", file, "--rules", rules).out


def test_what_is_kept_is_said_of_builds_of_several_turns_only(
    cli: Cli, good: Path, slab: Rows, write_json: Write, rules: Path
) -> None:
    file = write_json("turns.json", slab, slab, [[9, 0, 9, "stone"]], [], slab)
    said = "turn 2: all, turn 3: nothing, turn 4: nothing, turn 5: nothing stood"
    assert f"kept of the build before: {said}\n" in cli("score", file, "--rules", rules).out
    assert "kept of" not in cli("score", good, "--rules", rules).out


def test_fail_under(cli: Cli, good: Path, bad: Path) -> None:
    assert cli("score", good, bad, "--task", TASK, "--fail-under", "0.5").code == 0
    assert cli("score", good, bad, "--task", TASK, "--fail-under", "0.6").code == 1
    assert cli("score", good, "--task", TASK, "--fail-under", "1").code == 0
    ran = cli("score", good, "--task", TASK, "--fail-under", "60")
    assert ran.code == 2
    assert "Invalid value for '--fail-under'" in ran.err


def test_a_folder_with_a_broken_file(
    cli: Cli, good: Path, bad: Path, slab: Rows, write_json: Write, tmp_path: Path
) -> None:
    (tmp_path / "deeper").mkdir()
    write_json("deeper/third.json", slab)
    broken = tmp_path / "cut.schem"
    broken.write_bytes(b"\x1f\x8b\x08\x00broken")
    (tmp_path / ".hidden").write_text("not looked at")
    ran = cli("score", tmp_path, "--task", TASK, "--json")
    assert ran.code == 2
    assert sorted(row["build"]["source"].rsplit("/", 1)[-1] for row in ran.rows) == [
        "bad.json",
        "good.json",
        "third.json",
    ]
    (line,) = ran.err.splitlines()
    assert line.startswith(f"{broken}: ")
    shown = cli("score", tmp_path, "--task", TASK, "--fail-under", "1")
    assert shown.code == 2
    assert "2 of 3 builds pass overall, 1 could not be scored" in shown.out


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["nowhere.json", "--task", TASK], "nowhere.json: "),
        (["GOOD"], "nothing to judge it by; give --task ID or --rules FILE"),
        (["GOOD", "--task", "elements/shallow/7x8x1-lie"], "elements/shallow/7x8x1-lay"),
        (["GOOD", "--rules", "nowhere.json"], "nowhere.json: No such file or directory; name a file of rules"),
        (["GOOD", "--task", TASK, "--rules", "RULES"], "give --task or --rules, not both"),
        (["GOOD", "--rules", "GOOD"], "good.json: holds no list of rules; write a list like "),
        (["GOOD", "--task", TASK, "--out", "GOOD/below"], "below: Not a directory; choose another place"),
        (["GOOD", "--task", "my.toml"], "my.toml: is a file; a family of your own can only be checked yet"),
        (["EMPTY", "--task", TASK], "empty: no files in this folder; name a folder that holds builds"),
    ],
)
def test_bad_input_is_one_line(cli: Cli, good: Path, rules: Path, tmp_path: Path, words: list[str], line: str) -> None:
    (tmp_path / "empty").mkdir()
    names = {"GOOD": str(good), "RULES": str(rules), "EMPTY": str(tmp_path / "empty")}
    for name, path in names.items():
        words = [word.replace(name, path) for word in words]
    ran = cli("score", *words)
    assert ran.code == 2
    (told,) = ran.err.splitlines()
    assert line in told


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('[{"rule": "onyl"}]', "rules.json: rule 1: there is no rule 'onyl'; did you mean only"),
        ('[{"rule": "filled"}, {"rule": "only"}]', "rules.json: rule 2: rule only: 'materials' is missing; give "),
        ('[{"rule": "only", "materials": "stone"}]', "rules.json: rule 1: not in the form of a rule; write it like "),
        ('[{"rule": "only", "args": {"materials": 3}}]', "rules.json: rule 1: rule only: materials = 3 is not right; "),
        ("[3]", "rules.json: rule 1: no table; write it like "),
        ("[]", "rules.json: no rules; write at least one, such as "),
        ('[{"rule": ', "rules.json: no JSON: Expecting value: line 1 column 11"),
        ("\xff", "rules.json: no JSON"),
        ("[" * 100_000, "rules.json: no JSON: nested too deeply"),
        ('[{"rule": "count", "args": {"bound": NaN}}]', "rules.json: no JSON: NaN is no JSON number"),
    ],
)
def test_wrong_rules_name_their_place(cli: Cli, good: Path, tmp_path: Path, content: str, line: str) -> None:
    file = tmp_path / "rules.json"
    file.write_text(content, encoding="utf-8")
    ran = cli("score", good, "--rules", file)
    assert (ran.code, ran.out) == (2, "")
    (told,) = ran.err.splitlines()
    assert line in told


def test_broken_toml_is_answered_in_toml(cli: Cli, good: Path, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    for content in ("rules = [", "x = 1", "rules = [3]"):
        file.write_text(content)
        ran = cli("score", good, "--rules", file)
        example = ran.err[ran.err.index("{") : ran.err.rindex("}") + 1]
        assert (ran.code, len(ran.err.splitlines())) == (2, 1)
        file.write_text(f"rules = [{example}]")
        assert cli("score", good, "--rules", file).code == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems allow no such names")
@pytest.mark.parametrize("ending", ["", ".jsonl", ".csv", ".parquet"])
def test_names_that_are_no_text(cli: Cli, good: Path, tmp_path: Path, ending: str) -> None:
    odd = tmp_path / os.fsdecode(b"g\xffd.json")
    good.rename(odd)
    assert len(cli("score", odd, "--task", TASK, "--json").rows) == 1
    assert cli("score", odd, "--task", TASK).code == 0
    assert cli("score", odd, "--task", TASK, "--out", tmp_path / f"out{ending}").code == 0
    assert cli("score", tmp_path / os.fsdecode(b"n\xffne.json"), "--task", TASK).code == 2


def test_rules_are_read_from_ordinary_files_only(cli: Cli, good: Path, tmp_path: Path) -> None:
    assert "is no ordinary file" in cli("score", good, "--rules", tmp_path).err
    large = tmp_path / "large.json"
    large.write_bytes(b" " * 2_000_000)
    assert "larger than 1048576 bytes" in cli("score", good, "--rules", large).err


def test_a_run_folder(cli: Cli, good: Path, bad: Path, tmp_path: Path) -> None:
    out = tmp_path / "runs" / "first"
    ran = cli("score", good, bad, "--task", TASK, "--out", out)
    assert ran.code == 0
    assert f"results kept in {out}" in ran.out
    facts, records = read_run(out)
    rows = list(records)
    assert (facts["scored"], facts["settings"]["task"]) == (2, TASK)
    assert facts["finished"] >= facts["started"]
    assert [row["score"]["overall"] for row in rows] == [True, False]
    for row in rows:
        assert minece.load(out / row["build"]["file"]).id == row["build"]["id"]
    assert len((out / "results.csv").read_text().splitlines()) == 3
    assert not list(out.rglob(".*"))
    again = cli("score", out, "--task", TASK, "--json")
    assert sorted(r["build"]["id"] for r in again.rows) == sorted(r["build"]["id"] for r in rows)
    second = cli("score", good, "--task", TASK, "--out", out)
    assert second.code == 2
    assert second.err == f"{out}: already holds a run; name another folder\n"


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
def test_results_files(cli: Cli, good: Path, bad: Path, tmp_path: Path, ending: str) -> None:
    import pandas

    out = tmp_path / f"results{ending}"
    assert cli("score", good, bad, "--task", TASK, "--out", out).code == 0
    if ending == ".jsonl":
        assert [row["score"]["overall"] for row in read_records(out)] == [True, False]
        return
    table = pandas.read_csv(out) if ending == ".csv" else pandas.read_parquet(out)
    assert table["overall"].tolist() == [True, False]
    assert table["blocks"].tolist() == [56, 55]
    assert table["task_id"].tolist() == [TASK, TASK]
    assert table["efficiency"].isna().all()  # the order of a plain list of blocks is not known
    if ending == ".parquet":
        assert {v["status"] for v in table["verdicts"][0]} <= {"pass", "not applicable"}
        failed = [v for v in table["verdicts"][1] if v["rule"] == "filled"]
        assert failed[0]["status"] == "fail"
        assert json.loads(failed[0]["measured"]) is not None


def test_two_runs_of_one_input_give_equal_results(cli: Cli, good: Path, bad: Path, tmp_path: Path) -> None:
    for name in ("first", "second"):
        assert cli("score", good, bad, "--task", TASK, "--fail-under", "0.5", "--out", tmp_path / name).code == 0
    for file in ("results.jsonl", "results.csv"):
        assert (tmp_path / "first" / file).read_bytes() == (tmp_path / "second" / file).read_bytes()
    facts, _ = read_run(tmp_path / "first")
    assert facts["suite"]["version"] == "core-1"
    assert facts["settings"] == {
        "command": "score",
        "builds": [str(good), str(bad)],
        "task": TASK,
        "rules": None,
        "agent_code": False,
        "ground": None,
        "axes": None,
        "box": None,
        "drop": [],
        "fail_under": 0.5,
    }


def test_a_folder_with_run_folders_inside(
    cli: Cli, good: Path, bad: Path, slab: Rows, write_json: Write, tmp_path: Path
) -> None:
    runs = tmp_path / "runs"
    assert cli("score", good, "--task", TASK, "--out", runs / "first").code == 0
    assert cli("score", bad, "--task", TASK, "--out", runs / "deeper" / "second").code == 0
    write_json("runs/beside.json", slab[2:])
    ran = cli("score", runs, "--task", TASK, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert sorted(row["build"]["blocks"] for row in ran.rows) == [54, 55, 56]


def test_a_folder_that_may_not_be_read_is_told(
    cli: Cli, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir()
    scan = os.scandir

    def refusing(path: Any) -> Any:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied", str(closed))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refusing)
    ran = cli("score", tmp_path, "--task", TASK, "--json")
    assert (ran.code, len(ran.rows)) == (2, 1)
    assert ran.err == f"{closed}: Permission denied; change its permissions\n"


@pytest.mark.parametrize("name", ["results.json", "results.xlsx", "results.CSVX"])
def test_an_unknown_ending_is_no_run_folder(cli: Cli, good: Path, tmp_path: Path, name: str) -> None:
    ran = cli("score", good, "--task", TASK, "--out", tmp_path / name, "--json")
    assert (ran.code, ran.out) == (2, "")
    ending = Path(name).suffix
    assert ran.err == (
        f"{tmp_path / name}: no results format for the ending {ending!r}; "
        "end the name in .jsonl, .csv, .parquet, or name a folder without an ending\n"
    )
    assert not (tmp_path / name).exists()


def test_a_folder_may_be_named_after_a_version(cli: Cli, good: Path, tmp_path: Path) -> None:
    assert cli("score", good, "--task", TASK, "--out", tmp_path / "model-4.1").code == 0
    assert (tmp_path / "model-4.1" / "run.json").exists()
    (tmp_path / "my.runs").mkdir()
    assert cli("score", good, "--task", TASK, "--out", tmp_path / "my.runs").code == 0
    assert (tmp_path / "my.runs" / "run.json").exists()


@pytest.mark.parametrize(
    "words",
    [["score", "", "--task", TASK], ["score", "GOOD", "--rules", ""], ["score", "GOOD", "--task", TASK, "--out", ""],
     ["info", ""], ["convert", "", "x.csv"], ["convert", "GOOD", ""]],
)  # fmt: skip
def test_an_empty_name_is_refused(cli: Cli, good: Path, words: list[str]) -> None:
    ran = cli(*[str(good) if word == "GOOD" else word for word in words])
    assert (ran.code, ran.out) == (2, "")
    assert "an empty name" in ran.err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_is_told_in_one_line(cli: Cli, good: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    out.mkdir()
    (out / "results.jsonl").symlink_to("/dev/full")
    ran = cli("score", good, "--task", TASK, "--out", out)
    assert (ran.code, ran.err) == (2, f"{out}/results.jsonl: No space left on device; choose another place\n")
    for words in (["score", good, "--task", TASK], ["score", good, "--task", TASK, "--json"], ["--help"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "minece", *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert (done.returncode, done.stderr) == (2, "standard output: No space left on device\n"), words


def test_records_are_not_kept_until_the_end(cli: Cli, slab: Rows, write_json: Write, tmp_path: Path) -> None:
    """Cells of verdicts are most of a record; what is kept of a build is less than they take."""
    from minece.commands.score import Summary
    from minece.results import record
    from minece.results import score as judge
    from minece.tasks import load_task

    build, task = minece.Build.from_blocks(slab[1:]), load_task(TASK)
    row = record(build, task, judge(build, task))
    told = Summary()
    for _ in range(14):
        told.add(row)
    assert (told.scored, told.passed, len(told.rows), len(told.details)) == (14, 0, 14, 12)
    assert not any(verdict["cells"] for kept in told.details for verdict in kept["verdicts"])


def test_where_results_cannot_go_is_told_before_scoring(cli: Cli, good: Path, tmp_path: Path) -> None:
    ran = cli("score", good, "--task", TASK, "--out", tmp_path / "nowhere" / "r.csv", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"{tmp_path}/nowhere/r.csv: the folder does not exist; choose another place\n"


def test_a_pass_for_want_of_a_question_is_told(cli: Cli, good: Path, tmp_path: Path) -> None:
    rules = tmp_path / "order.json"
    rules.write_text('[{"rule": "efficiency"}]')
    (row,) = cli("score", good, "--rules", rules, "--json").rows
    assert (row["verdicts"][0]["status"], row["score"]["decided"]) == ("not applicable", False)
    assert "no rule that decides could be applied" in cli("score", good, "--rules", rules).out


def test_a_build_of_many_turns_needs_a_task_of_as_many(cli: Cli, slab: Rows, write_json: Write) -> None:
    file = write_json("turns.json", slab, slab)
    ran = cli("score", file, "--task", TASK)
    assert ran.code == 2
    assert ran.err == f"{file}: task {TASK} has 1 turn, the build has 2; give one build for each turn\n"


def test_heights_are_said_to_count_from_the_ground(cli: Cli, good: Path, tmp_path: Path) -> None:
    file = tmp_path / "high.csv"
    file.write_text("x,y,z,block\n0,64,0,stone\n0,65,0,dirt\n")
    rules = tmp_path / "only.json"
    rules.write_text('[{"rule": "only", "args": {"materials": "stone"}}]')
    (row,) = cli("score", file, "--rules", rules, "--json").rows
    assert (row["build"]["ground_y"], row["verdicts"][0]["cells"]) == (64, [[0, 1, 0]])
    line = "cells: x and z as in the file, y counted from the ground, which is y = 64 in the file"
    assert line in cli("score", file, "--rules", rules).out
    assert "cells: x and z" not in cli("score", good, "--rules", rules).out


def test_many_builds_say_what_to_mend_or_how_to_see_it(cli: Cli, good: Path, bad: Path, tmp_path: Path) -> None:
    for number, mended in ((5, True), (6, True), (12, True), (13, False)):
        ran = cli("score", bad, *[good] * (number - 1), "--task", TASK)
        assert ("1 cell of the box" in ran.out) is mended
        advice = "to see what to mend: name at most 12 files, or keep all messages with --out FOLDER"
        assert (advice in ran.out) is not mended
    assert "to see what to mend" not in cli("score", *[good] * 13, "--task", TASK).out
    kept = tmp_path / "kept"
    ran = cli("score", *[bad] * 13, "--task", TASK, "--out", kept)
    assert f"or read the messages in {kept}/results.jsonl" in ran.out


@pytest.mark.parametrize("columns", [80, 100])
def test_the_table_of_builds_breaks_no_word(columns: int) -> None:
    from rich.console import Console

    from minece import report

    rules = ("supported_order", "encloses", "thickness", "grounded_always", "efficiency", "filled")
    names = [f"a/long/folder/of_builds/the-{word}-house-of-somebody-with-a-long-name.json" for word in ("first", "2nd")]
    console = Console(width=columns, file=io.StringIO())
    report.print_builds(console, [report.BuildRow(name, 99, False, False, rules) for name in names])
    first, *lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert first == "builds in a/long/folder/of_builds/"
    assert max(map(len, lines)) <= columns
    shown = "\n".join(lines)
    assert all(len(re.findall(rf"\b{rule}\b", shown)) == 2 for rule in rules)
    for name in names:
        parts = re.findall(r"[^-]+-?", name.rpartition("/")[2])
        assert all(part in shown for part in parts)


def test_files_in_folders_that_are_plainly_no_builds(cli: Cli, good: Path, rules: Path, tmp_path: Path) -> None:
    for name in ("notes.md", "picture.PNG", "more.toml"):
        (tmp_path / name).write_bytes(b"no build")
    table = tmp_path / "table.csv"
    table.write_text("x,y,z,block\n0,0,0,stone\n")
    ran = cli("score", tmp_path, "--rules", rules, "--json")
    assert ran.code == 0
    assert sorted(row["build"]["source"] for row in ran.rows) == [str(good), str(table)]
    assert ran.err == "note: 4 files in folders left out as no builds (.json, .md, .png, .toml)\n"
    assert cli("score", tmp_path / "notes.md", "--rules", rules).code == 2
    good.unlink()
    table.unlink()
    ran = cli("score", tmp_path, "--rules", rules)
    assert ran.code == 2
    assert "no files that may be builds in this folder" in ran.err


def test_long_advice_is_given_once(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "records.jsonl"
    block = {"x": 0, "y": 0, "z": 0, "material": "stone"}
    row = {"turn_idx": 0, "prompt": "x", "checks": [{"fn": "zzzz", "args": {}}], "coords": [block]}
    file.write_text("".join(json.dumps({"run_idx": run, **row}) + "\n" for run in range(3)))
    ran = cli("score", file)
    assert (ran.code, len(ran.err.splitlines())) == (2, 3)
    assert ran.err.count("there is no function 'zzzz'") == 3
    assert (ran.err.count("is_ground_connected"), ran.err.count("; see above")) == (1, 2)


def test_what_is_not_applicable_is_a_note(cli: Cli, good: Path) -> None:
    shown = cli("score", good, "--task", TASK).out
    assert "what to mend" not in shown
    assert re.search(r"(?m)^rule +notes *$", shown)
    assert "The order of placements is not known." in shown


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0, "missing cells", "0 missing cells"),
        (1, "missing cells", "1 missing cell"),
        (1, "blocks too early", "1 block too early"),
        ([1, 2], "cells", "1 to 2 cells"),
        ({"at_least": 2}, "cells", "at least 2 cells"),
        ({"at_most": 1}, "groups", "at most 1 group"),
        ({"members": 2}, "groups", "members 2"),
        (None, "steps", "–"),
        (True, "steps", "yes"),
        (3, "", "3"),
    ],
)
def test_numbers_have_their_unit(value: object, unit: str, words: str) -> None:
    from minece import report

    assert report.with_unit(value, unit) == words


def test_the_best_way_is_said_to_be_one(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "log.json"
    minece.save(minece.Build.from_log([[0, 0, 0, "stone"], [2, 0, 0, "stone"], [1, 0, 0, "stone"]]), file)
    rules = tmp_path / "way.json"
    rules.write_text('[{"rule": "efficiency"}]')
    assert re.search(r"efficiency +pass +3 steps +at best 2 steps", cli("score", file, "--rules", rules).out)
    ran = cli("score", file, "nowhere.json", "--rules", rules)
    assert "1 of 1 build passes overall, 1 could not be scored" in ran.out
