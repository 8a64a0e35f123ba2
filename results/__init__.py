"""Verdicts folded to scores, and the records and run folders that keep them."""

from minece.results.errors import RecordError, ResultsError, RunError, ScoringError
from minece.results.records import (
    Record,
    check_table,
    describe_build,
    is_table,
    read_records,
    record,
    to_line,
    write_records,
)
from minece.results.runs import RunFolder, read_run, run_name
from minece.results.scoring import GRADED, GROUPS, Score, fold, score

__all__ = [
    "GRADED",
    "GROUPS",
    "Record",
    "RecordError",
    "ResultsError",
    "RunError",
    "RunFolder",
    "Score",
    "ScoringError",
    "check_table",
    "describe_build",
    "fold",
    "is_table",
    "read_records",
    "read_run",
    "record",
    "run_name",
    "score",
    "to_line",
    "write_records",
]
