"""Verdicts folded to scores, and the records and run folders that keep them."""

from minece.results.errors import RecordError, ResultsError, RunError, ScoringError
from minece.results.records import Record, read_records, record, write_records
from minece.results.runs import RunFolder, read_run, run_name
from minece.results.scoring import CRITERIA, GRADED, GROUPS, Score, fold, score

__all__ = [
    "CRITERIA",
    "GRADED",
    "GROUPS",
    "Record",
    "RecordError",
    "ResultsError",
    "RunError",
    "RunFolder",
    "Score",
    "ScoringError",
    "fold",
    "read_records",
    "read_run",
    "record",
    "run_name",
    "score",
    "write_records",
]
