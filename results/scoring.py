"""Where verdicts become scores. Nothing else in the package folds verdicts.

A criterion passes when all its rules pass in all turns. Accuracy is material, shape and size together;
overall is accuracy, plausibility and dependency together. Efficiency and stability have a score and do not
decide, and a graded rule (``RuleInfo.graded``) decides nothing even where it counts for another criterion.
A criterion whose rules are all not applicable counts as absent, and an absent one as passed. A rule that could not
be evaluated has not passed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from minece.checkers import CRITERIA, evaluate, known_rules
from minece.checkers.wording import count
from minece.results.errors import ScoringError
from minece.results.turns import as_turns

if TYPE_CHECKING:
    from minece.blocks import Build
    from minece.checkers import Verdict
    from minece.tasks import Task

GROUPS = {
    "accuracy": ("material", "shape", "size"),
    "safety": ("plausibility", "stability"),
    "planning": ("efficiency", "dependency"),
}
DECIDING = (*GROUPS["accuracy"], "plausibility", "dependency")
"""Criteria that decide together whether a build passes overall; the others only have a score."""


@dataclass(frozen=True)
class Score:
    """What a task's verdicts add up to.

    Attributes
    ----------
    criteria : passed or not for each of :data:`minece.checkers.CRITERIA`; None where the task has no applicable
        rule for it
    criterion_scores : mean score 0…1 over the applicable verdicts of each criterion; None where there is
        none, or where a graded rule could not be evaluated
    accuracy : material, shape and size together; None where the task asks for none of them
    overall : accuracy, plausibility and dependency together
    groups : accuracy, safety and planning: whether their deciding criteria pass; None where there is none
    verdicts : one tuple of verdicts per turn
    """

    criteria: dict[str, bool | None]
    criterion_scores: dict[str, float | None]
    accuracy: bool | None
    overall: bool
    groups: dict[str, bool | None]
    verdicts: tuple[tuple[Verdict, ...], ...]

    def __repr__(self) -> str:
        failed = dict.fromkeys(v.rule for turn in self.verdicts for v in turn if v.status in ("fail", "error"))
        return f"Score(overall={self.overall}, accuracy={self.accuracy}, failed={list(failed)})"

    @property
    def errors(self) -> int:
        """How many rules could not be evaluated."""
        return sum(verdict.status == "error" for turn in self.verdicts for verdict in turn)

    @property
    def decided(self) -> bool:
        """Whether any deciding rule could be applied; if not, ``overall`` is true for want of a question."""
        return any(self.criteria[name] is not None for name in DECIDING)

    def to_dict(self) -> dict[str, Any]:
        """The names that stand in result records; see the page on results in the documentation."""
        return {
            "overall": self.overall,
            "accuracy": self.accuracy,
            "criteria": dict(self.criteria),
            "criterion_scores": dict(self.criterion_scores),
            "groups": dict(self.groups),
            "errors": self.errors,
            "decided": self.decided,
        }


def score(builds: Build | Iterable[Build], task: Task) -> Score:
    """Judge one build per turn of the task and fold the verdicts.

    Raises :class:`ScoringError` unless there is one build for each turn.
    """
    turns = as_turns(builds)
    if len(turns) != len(task.turns):
        raise ScoringError(
            f"task {task.id} has {count(len(task.turns), 'turn')}, the build has {len(turns)}",
            mend="give one build for each turn",
        )
    return fold(
        evaluate(build, turn.rules, stock=task.handed_out) for build, turn in zip(turns, task.turns, strict=True)
    )


def fold(turns: Iterable[Iterable[Verdict]]) -> Score:
    """The score that verdicts, given turn by turn, add up to."""
    verdicts = tuple(tuple(turn) for turn in turns)
    graded = {name for name, info in known_rules().items() if info.graded}
    judged: dict[str, list[Verdict]] = {name: [] for name in CRITERIA}
    for turn in verdicts:
        for verdict in turn:
            if verdict.status != "not applicable":
                judged[verdict.criterion].append(verdict)
    criteria = {
        name: _all(v.status == "pass" for v in found if name not in DECIDING or v.rule not in graded)
        for name, found in judged.items()
    }
    return Score(
        criteria=criteria,
        criterion_scores={name: _mean(name, found, graded) for name, found in judged.items()},
        accuracy=_together(criteria, GROUPS["accuracy"]),
        overall=_together(criteria, DECIDING) is not False,
        groups={
            group: _together(criteria, [name for name in names if name in DECIDING]) for group, names in GROUPS.items()
        },
        verdicts=verdicts,
    )


def _all(passed: Iterable[bool]) -> bool | None:
    answers = list(passed)
    return all(answers) if answers else None


def _together(criteria: dict[str, bool | None], names: Iterable[str]) -> bool | None:
    return _all(found for name in names if (found := criteria[name]) is not None)


def _mean(criterion: str, verdicts: list[Verdict], graded: Collection[str]) -> float | None:
    def a_grade(verdict: Verdict) -> bool:
        return criterion not in DECIDING or verdict.rule in graded

    if not verdicts or any(v.status == "error" and a_grade(v) for v in verdicts):
        return None
    return sum(v.score for v in verdicts) / len(verdicts)
