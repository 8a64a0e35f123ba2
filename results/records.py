"""Result records: one scored build as one JSON line, with names that stay.

A record is ``{"schema", "build", "task", "verdicts", "score"}``; docs/reference/results.md lists every name.
JSON lines are the form to keep; CSV and Parquet hold one row a build, for spreadsheets and data frames.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from minece.blocks.files import whole_file
from minece.checkers import CRITERIA
from minece.installation import install_command
from minece.results.errors import RecordError
from minece.results.jsontext import read_json
from minece.results.turns import as_turns, kept_shares

if TYPE_CHECKING:
    from minece.blocks import Build
    from minece.results.scoring import Score
    from minece.tasks import Task

SCHEMA = "minece-result/1"

Record = dict[str, Any]


def record(builds: Build | Iterable[Build], task: Task, score: Score, *, name: str = "") -> Record:
    """One scored build as a JSON-ready record. ``builds`` holds one build per turn, the finished one last."""
    turns = as_turns(builds)
    return {
        "schema": SCHEMA,
        "build": describe_build(turns, name=name),
        "task": {**task.names, "digest": task.digest},
        "verdicts": [
            {"turn": turn, **verdict.to_dict()}
            for turn, verdicts in enumerate(score.verdicts, start=1)
            for verdict in verdicts
        ],
        "score": score.to_dict(),
    }


def describe_build(turns: Sequence[Build], *, name: str = "") -> Record:
    """The ``build`` part of a record: which blocks were scored and where they came from."""
    last = turns[-1]
    return {
        "id": last.id,
        "name": name or last.provenance.name or last.provenance.source,
        "source": last.provenance.source,
        "format": last.provenance.format,
        "blocks": len(last.blocks),
        "dug": len(last.dug),
        "size": list(last.blocks.size),
        "placements": None if last.log is None else len(last.log),
        "ground": last.provenance.ground,
        "ground_y": last.ground_y,
        "turns": [build.id for build in turns],
        "kept": kept_shares(turns),
        "warnings": list(last.provenance.warnings),
    }


def to_line(row: Record) -> str:
    """One record as one line of JSON, without the line's end. NaN and infinity are refused."""
    return _text(json.dumps(row, ensure_ascii=False, allow_nan=False, separators=(",", ":")))


def is_table(path: Path) -> bool:
    """Whether the name's ending is that of a results file, not of a folder."""
    return path.suffix.lower() in _WRITERS


def read_records(path: str | Path) -> Iterator[Record]:
    """The records of a JSON lines file, one after another.

    Raises :class:`RecordError` naming the line for anything that is no record of this schema.
    """
    where = str(path)
    try:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip():
                    yield _checked(line, f"{where}: line {number}")
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(_reason(error), where=where, mend="give a results.jsonl of a run") from None


def _checked(line: str, where: str) -> Record:
    try:
        row = read_json(line)
    except ValueError:
        raise RecordError("no whole line of JSON", where=where, mend="remove that line") from None
    schema = row.get("schema") if isinstance(row, dict) else None
    if schema != SCHEMA:
        raise RecordError(f"schema {schema!r}", where=where, mend=f"this version reads {SCHEMA}")
    found: Record = row
    return found


def check_table(path: Path) -> None:
    """Raise :class:`RecordError` where no results can be written to the path: to ask before long work, not after."""
    if not is_table(path):
        raise RecordError(
            f"no results format for the ending {path.suffix!r}",
            where=str(path),
            mend=f"end the name in {', '.join(_WRITERS)}, or name a folder without an ending",
        )
    if path.is_dir() or not path.parent.is_dir():
        reason = "is a folder" if path.is_dir() else "the folder does not exist"
        raise RecordError(reason, where=str(path), mend="choose another place")
    if path.suffix.lower() == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401
        except ImportError:
            mend = f"run: {install_command('parquet')}"
            raise RecordError("Parquet needs the extra `parquet`", where=str(path), mend=mend) from None


class RecordFile:
    """A results file that is being written, as JSON lines, CSV or Parquet by its name's ending.

    Use it in a ``with`` statement: the file appears at its end, whole, or not at all after an error. Raises
    :class:`RecordError` where it cannot be written.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        check_table(self.path)

    def add(self, row: Record) -> None:
        """Write one record; nothing of it is kept in memory, but for a few where the format needs groups of rows."""
        with self._told():
            self._add(row)

    def __enter__(self) -> Self:
        with self._told(), ExitStack() as opening:
            file = opening.enter_context(whole_file(self.path))
            self._add = opening.enter_context(_WRITERS[self.path.suffix.lower()](file))
            self._open = opening.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._told():
            self._open.__exit__(kind, error, trace)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise RecordError(_reason(error), where=str(self.path), mend="choose another place") from None


def write_records(rows: Iterable[Record], path: str | Path) -> None:
    """Write records as JSON lines, CSV or Parquet, by the name's ending; whole or not at all."""
    with RecordFile(path) as file:
        for row in rows:
            file.add(row)


_COLUMNS = {
    **dict.fromkeys(("build_id", "build_name", "build_source"), "string"),
    **dict.fromkeys(("blocks", "turns"), "int64"),
    "kept": "double",
    **dict.fromkeys(("task_id", "task_type", "suite", "suite_version"), "string"),
    **dict.fromkeys(("overall", "accuracy", *CRITERIA), "bool"),
    **{f"{name}_score": "double" for name in CRITERIA},
    "errors": "int64",
}
"""The columns of a table, in order, and their types in Parquet."""


def flat(row: Record) -> dict[str, object]:
    """A record as one row of a table: build, task and score, two columns for each criterion."""
    build, task, score = row["build"], row["task"], row["score"]
    return {
        "build_id": build["id"],
        "build_name": _text(build["name"]),
        "build_source": _text(build["source"]),
        "blocks": build["blocks"],
        "turns": len(build["turns"]),
        "kept": _mean_share(build.get("kept", [])),
        "task_id": task["id"],
        "task_type": task["type"],
        "suite": task["suite"],
        "suite_version": task["version"],
        "overall": score["overall"],
        "accuracy": score["accuracy"],
        **{name: score["criteria"][name] for name in CRITERIA},
        **{f"{name}_score": score["criterion_scores"][name] for name in CRITERIA},
        "errors": score["errors"],
    }


def _mean_share(shares: Sequence[float | None]) -> float | None:
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def _text(text: str) -> str:
    """Names of files need not be valid text; what is not is escaped, in JSON's own way."""
    return text.encode(errors="backslashreplace").decode()


Add = Callable[[Record], None]


@contextmanager
def _line_writer(file: BinaryIO) -> Iterator[Add]:
    def add(row: Record) -> None:
        file.write(to_line(row).encode() + b"\n")

    yield add


class _Utf8:
    """Takes text for a file of bytes; unlike an :class:`io.TextIOWrapper` it keeps nothing back."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, text: str) -> None:
        self._file.write(text.encode())


@contextmanager
def _csv_writer(file: BinaryIO) -> Iterator[Add]:
    writer = csv.DictWriter(_Utf8(file), fieldnames=list(_COLUMNS))
    writer.writeheader()

    def add(row: Record) -> None:
        writer.writerow(flat(row))

    yield add


_MOST_ROWS = 1000
_MOST_CELLS = 500_000
"""Rows, and cells of their verdicts, that are kept for one row group of a Parquet file."""


@contextmanager
def _parquet_writer(file: BinaryIO) -> Iterator[Add]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    text = pa.string()
    verdict = pa.struct(
        {
            "turn": pa.int32(),
            "rule": text,
            "criterion": text,
            "status": text,
            "score": pa.float64(),
            "measured": text,  # as JSON: the type is the rule's own
            "required": text,
            "message": text,
            "cells": pa.list_(pa.list_(pa.int32())),
            "cells_total": pa.int64(),
        }
    )
    types = {name: pa.type_for_alias(kind) for name, kind in _COLUMNS.items()}
    schema = pa.schema({**types, "verdicts": pa.list_(verdict)}, metadata={"schema": SCHEMA})
    waiting: list[Record] = []
    cells = 0

    with pq.ParquetWriter(file, schema) as writer:

        def flush() -> None:
            nonlocal cells
            writer.write_table(pa.Table.from_pylist(waiting, schema=schema))
            waiting.clear()
            cells = 0

        def add(row: Record) -> None:
            nonlocal cells
            waiting.append({**flat(row), "verdicts": [_for_parquet(v) for v in row["verdicts"]]})
            cells += sum(len(v["cells"]) for v in row["verdicts"])
            if len(waiting) >= _MOST_ROWS or cells >= _MOST_CELLS:
                flush()

        yield add
        flush()


def _for_parquet(verdict: Record) -> Record:
    as_text = {name: json.dumps(verdict[name], ensure_ascii=False) for name in ("measured", "required")}
    return {**verdict, **as_text}


def _reason(error: OSError | UnicodeDecodeError) -> str:
    return "no text in UTF-8" if isinstance(error, UnicodeDecodeError) else str(error.strerror)


_WRITERS = {".jsonl": _line_writer, ".csv": _csv_writer, ".parquet": _parquet_writer}
