"""Rules over builds, and the verdicts they give."""

import minece.checkers.rules  # noqa: F401  (loaded first, so that the name `rules` is the function below)
from minece.checkers.errors import CheckerError, RuleError
from minece.checkers.paper import from_paper
from minece.checkers.registry import BoundRule, RuleInfo, bind, evaluate, rule, rules
from minece.checkers.verdict import CRITERIA, Criterion, Finding, Status, Verdict, finding, not_applicable

__all__ = [
    "CRITERIA",
    "BoundRule",
    "CheckerError",
    "Criterion",
    "Finding",
    "RuleError",
    "RuleInfo",
    "Status",
    "Verdict",
    "bind",
    "evaluate",
    "finding",
    "from_paper",
    "not_applicable",
    "rule",
    "rules",
]
