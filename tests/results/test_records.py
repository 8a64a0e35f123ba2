"""Result records and run folders."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import minece
from minece.results import (
    RecordError,
    RunError,
    RunFolder,
    describe_build,
    read_records,
    read_run,
    record,
    run_name,
    score,
    write_records,
)
from minece.results.records import Record
from minece.tasks import load_task

TASK = load_task("elements/shallow/7x8x1-lay")
ORDER = [[x, -1, z, "stone"] for x in range(8) for z in range(7)]
BUILD = minece.Build.from_log(ORDER)


@pytest.fixture
def row() -> Record:
    return record(BUILD, TASK, score(BUILD, TASK), name="slab")


def test_records_are_read_as_they_were_written(row: Record, tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    write_records([row, row], file)
    assert list(read_records(file)) == [row, row]
    assert json.loads(file.read_text().splitlines()[0]) == row


def test_what_a_record_says_of_the_build(row: Record) -> None:
    assert row["build"]["id"] == BUILD.id
    assert row["build"]["placements"] == 56
    assert row["build"]["name"] == "slab"
    plain = minece.Build.from_blocks([(x, y, z, s) for x, y, z, s in ORDER])  # type: ignore[misc]
    assert describe_build([plain])["placements"] is None
    both = describe_build([plain, BUILD])
    assert (both["id"], both["turns"]) == (BUILD.id, [plain.id, BUILD.id])


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("{", "line 1: no whole line of JSON; remove that line"),
        ('\n{"schema": "minece-result/9"}', "line 2: schema 'minece-result/9'; this version reads minece-result/1"),
        ("[]", "line 1: schema None; this version reads minece-result/1"),
    ],
)
def test_broken_records_name_their_line(tmp_path: Path, content: str, line: str) -> None:
    file = tmp_path / "results.jsonl"
    file.write_text(content)
    with pytest.raises(RecordError) as told:
        list(read_records(file))
    assert str(told.value) == f"{file}: {line}"
    with pytest.raises(RecordError, match="No such file"):
        list(read_records(tmp_path / "nowhere.jsonl"))


def test_parquet_without_its_extra(row: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(RecordError) as told:
        write_records([row], tmp_path / "results.parquet")
    assert str(told.value).endswith("Parquet needs the extra `parquet`; run: pip install 'minece[parquet]'")


@pytest.mark.parametrize(
    ("name", "reason"),
    [("results.txt", "no results format for the ending '.txt'"), ("nowhere/results.csv", "the folder does not exist")],
)
def test_places_where_nothing_can_be_written(row: Record, tmp_path: Path, name: str, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        write_records([row], tmp_path / name)


def test_builds_that_differ_in_their_log_only_are_both_kept(tmp_path: Path) -> None:
    other = minece.Build.from_log(ORDER[::-1])
    with RunFolder(tmp_path / "run", settings={"seed": 7}) as run:
        for build in (BUILD, other, BUILD):
            run.add(record(build, TASK, score(build, TASK)), [build])
    facts, rows = read_run(tmp_path / "run")
    files = [row["build"]["file"] for row in rows]
    assert facts["settings"] == {"seed": 7}
    assert files[0] == files[2] == f"builds/{BUILD.id}.json"
    assert files[1].startswith(f"builds/{BUILD.id}-")
    kept = [minece.load(tmp_path / "run" / file) for file in files]
    assert [build.log for build in kept] == [BUILD.log, other.log, BUILD.log]


def test_an_interrupted_run_keeps_what_it_has(row: Record, tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), RunFolder(tmp_path / "run") as run:
        run.add(row, [BUILD])
        raise KeyboardInterrupt
    facts, rows = read_run(tmp_path / "run")
    assert (facts["finished"], facts["scored"], len(list(rows))) == (None, 1, 1)


def test_folders_that_are_no_run(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="no run folder; give a folder that holds run.json"):
        read_run(tmp_path)
    (tmp_path / "run.json").write_text('{"schema": "minece-run/9"}')
    with pytest.raises(RunError, match="written by another version; this version reads minece-run/1"):
        read_run(tmp_path)


def test_run_names_are_fit_for_file_systems() -> None:
    time, *words = run_name("core", "a model: v1/2").rsplit("-", 2)
    assert words == ["core", "a_model_v1_2"]
    assert len(time) == len("20260301-141500")


def test_errors_have_no_score_in_a_record(row: Record) -> None:
    verdicts = score(BUILD, TASK).verdicts[0]
    broken = replace(verdicts[-1], status="error", score=0.0, measured=None, required=None, message="too large")
    from minece.results import fold

    again = record(BUILD, TASK, fold([[*verdicts[:-1], broken]]))
    assert (again["score"]["errors"], again["score"]["criterion_scores"]["efficiency"]) == (1, None)
