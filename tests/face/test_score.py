"""`minece score`: what it prints, keeps and answers, for good and bad input."""

import json
import os
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
    assert cli("score", good, bad, "--rules", table, "--json").rows == rows


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
    assert "turn" in cli("score", file, "--rules", rules).out


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
        (["EMPTY", "--task", TASK], "empty: no files in this folder; name a folder that holds builds"),
    ],
)
def test_bad_input_is_one_line(
    cli: Cli, good: Path, rules: Path, tmp_path: Path, words: list[str], line: str
) -> None:
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
        "ground": None,
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
    assert (ran.code, ran.err) == (2, f"{out}: No space left on device; choose another place\n")
    for words in (["score", good, "--task", TASK], ["score", good, "--task", TASK, "--json"], ["--help"]):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [sys.executable, "-m", "minece", *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True
            )
        assert (done.returncode, done.stderr) == (2, "No space left on device\n"), words


def test_records_are_not_kept_until_the_end(cli: Cli, slab: Rows, write_json: Write, tmp_path: Path) -> None:
    """Cells of verdicts are most of a record; what is kept of a build is less than they take."""
    from minece.commands.score import Summary
    from minece.results import record
    from minece.results import score as judge
    from minece.tasks import load_task

    build, task = minece.Build.from_blocks(slab[1:]), load_task(TASK)
    row = record(build, task, judge(build, task))
    told = Summary()
    for _ in range(7):
        told.add(row)
    assert (told.scored, told.passed, len(told.rows), len(told.details)) == (7, 0, 7, 5)
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
