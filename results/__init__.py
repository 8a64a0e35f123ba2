"""Verdicts folded to scores, and the records and run folders that keep them."""

from minece.results.episodes import Episode, Fault
from minece.results.errors import RecordError, ResultsError, RunError, ScoringError
from minece.results.jsontext import read_json
from minece.results.records import (
    Record,
    RecordFile,
    check_table,
    describe_build,
    is_table,
    read_records,
    record,
    to_line,
    write_records,
)
from minece.results.runs import RunFolder, is_run, read_run, run_name
from minece.results.scoring import DECIDING, GROUPS, Score, fold, score
from minece.results.turns import as_turns

__all__ = [
    "DECIDING",
    "GROUPS",
    "Episode",
    "Fault",
    "Record",
    "RecordError",
    "RecordFile",
    "ResultsError",
    "RunError",
    "RunFolder",
    "Score",
    "ScoringError",
    "as_turns",
    "check_table",
    "describe_build",
    "fold",
    "is_run",
    "is_table",
    "read_json",
    "read_records",
    "read_run",
    "record",
    "run_name",
    "score",
    "to_line",
    "write_records",
]
