"""Result records and run folders."""

import csv
import json
import os
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import minece
from minece.installation import install_command
from minece.results import (
    RecordError,
    RecordFile,
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
    assert row["build"]["ground_y"] == 0
    high = minece.Build.from_blocks([(0, 64, 0, "stone")], ground_y=64)
    assert describe_build([high])["ground_y"] == 64
    both = describe_build([plain, BUILD])
    assert (both["id"], both["turns"]) == (BUILD.id, [plain.id, BUILD.id])


def test_what_outlives_each_turn() -> None:
    turns = minece.Build.from_turns(
        [
            [[x, 0, 0, "oak_stairs[facing=east]"] for x in range(4)],
            [["break", 3, 0, 0], [0, 0, 0, "oak_stairs[facing=west]"], [9, 0, 0, "stone"]],
            [["break", x, 0, 0] for x in (0, 1, 2, 9)],
            [[5, 0, 5, "stone"]],
            [[5, 0, 5, "stone"]],
        ]
    )
    assert describe_build(turns)["kept"] == [0.5, 0.0, None, 1.0]
    assert describe_build(turns[:1])["kept"] == []


@pytest.mark.parametrize("kept", [[], [None], [0.5, None, 1.0]])
def test_kept_shares_in_tables(row: Record, tmp_path: Path, kept: list[float | None]) -> None:
    row["build"]["kept"] = kept
    write_records([row], tmp_path / "results.csv")
    with (tmp_path / "results.csv").open(newline="") as file:
        assert next(csv.DictReader(file))["kept"] == ("0.75" if len(kept) > 1 else "")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("{", "line 1: no whole line of JSON; remove that line"),
        ("[" * 100_000, "line 1: no whole line of JSON; remove that line"),
        ('{"schema": NaN}', "line 1: no whole line of JSON; remove that line"),
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
    assert str(told.value).endswith(f"Parquet needs the extra `parquet`; run: {install_command('parquet')}")


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
    (tmp_path / "run.json").write_text("[" * 100_000)
    with pytest.raises(RunError, match="no run folder"):
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


def test_results_files_appear_whole_or_not_at_all(row: Record, tmp_path: Path) -> None:
    file = tmp_path / "results.csv"
    file.write_text("old")
    with pytest.raises(KeyboardInterrupt), RecordFile(file) as out:
        out.add(row)
        assert file.read_text() == "old"
        raise KeyboardInterrupt
    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["results.csv"]
    with RecordFile(file) as out:
        out.add(row)
        out.add(row)
    assert len(file.read_text().splitlines()) == 3
    assert os.listdir(tmp_path) == ["results.csv"]


def test_an_error_of_ones_own_is_not_laid_to_the_results_file(row: Record, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="something else"), RecordFile(tmp_path / "results.jsonl"):
        raise OSError("something else")


@pytest.mark.parametrize("ending", [".jsonl", ".csv", ".parquet"])
def test_without_records_there_is_an_empty_table(tmp_path: Path, ending: str) -> None:
    import pandas

    file = tmp_path / f"results{ending}"
    write_records([], file)
    if ending == ".jsonl":
        assert list(read_records(file)) == []
        return
    table = pandas.read_csv(file) if ending == ".csv" else pandas.read_parquet(file)
    assert len(table) == 0
    assert {"build_id", "overall", "efficiency_score"} <= set(table.columns)


def test_parquet_in_row_groups(row: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pandas
    import pyarrow.parquet

    from minece.results import records

    monkeypatch.setattr(records, "_MOST_ROWS", 2)
    file = tmp_path / "results.parquet"
    write_records([row] * 5, file)
    assert pyarrow.parquet.ParquetFile(file).num_row_groups == 3
    assert pandas.read_parquet(file)["blocks"].tolist() == [56] * 5


def _peak(work: Callable[[], object]) -> int:
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["", ".jsonl", ".csv"])
def test_memory_does_not_grow_with_the_number_of_records(row: Record, tmp_path: Path, ending: str) -> None:
    def rows(number: int) -> Iterator[Record]:
        for _ in range(number):
            verdict = {**row["verdicts"][0], "cells": [[x, 0, 0] for x in range(5_000)]}
            yield {**row, "verdicts": [verdict]}

    def keep(number: int) -> None:
        if ending:
            write_records(rows(number), tmp_path / f"{number}{ending}")
            return
        with RunFolder(tmp_path / str(number)) as run:
            for one in rows(number):
                run.add(one, [BUILD])

    keep(1)
    assert _peak(lambda: keep(40)) < 1.5 * _peak(lambda: keep(4))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_full_disk_is_told_in_one_line(row: Record, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "results.jsonl").symlink_to("/dev/full")
    with pytest.raises(RunError) as told, RunFolder(folder) as run:
        run.add(row, [BUILD])
    assert str(told.value) == f"{folder}/results.jsonl: No space left on device; choose another place"


def test_a_record_is_added_whole_or_not_at_all(row: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import builtins

    folder = tmp_path / "run"

    def failing(path: object, mode: str = "r", *more: object, **named: object) -> object:
        file = builtins.open(path, mode, *more, **named)  # type: ignore[call-overload]
        if mode == "ab":
            file.write(b'{"half a')
            file.close()
            raise OSError(28, "No space left on device")
        return file

    with pytest.raises(RunError), RunFolder(folder) as run:
        run.add(row, [BUILD])
        monkeypatch.setattr("minece.results.runs.open", failing, raising=False)
        run.add(row, [BUILD])
    facts, rows = read_run(folder)
    assert (len(list(rows)), facts["scored"], facts["finished"]) == (1, 1, None)


def test_what_run_json_says(row: Record, tmp_path: Path) -> None:
    import platform

    import numpy
    import scipy

    from minece.tasks import SUITES, suite_digest

    for suite in (None, *SUITES):
        with RunFolder(tmp_path / str(suite), suite=suite):
            pass
        facts, _ = read_run(tmp_path / str(suite))
        assert facts["suite"] == (
            None if suite is None else {"name": suite, "version": f"{suite}-1", "digest": suite_digest(suite)}
        )
    assert suite_digest("core") != suite_digest("lite")
    found = facts["versions"]
    assert (found["minece"], found["python"]) == (minece.__version__, platform.python_version())
    assert (found["numpy"], found["scipy"]) == (numpy.__version__, scipy.__version__)
