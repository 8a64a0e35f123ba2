"""Rules over builds, and the verdicts they give."""

import minece.checkers.rules  # noqa: F401  (registers the rules)
from minece.checkers.errors import CheckerError, RuleError
from minece.checkers.paper import from_paper
from minece.checkers.registry import BoundRule, RuleInfo, bind, evaluate, known_rules, rule, scene_of
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
    "known_rules",
    "scene_of",
]
