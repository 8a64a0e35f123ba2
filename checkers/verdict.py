"""What a rule answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from minece.blocks import NO_CELLS, Cells

Status = Literal["pass", "fail", "not applicable", "error"]
Criterion = Literal["material", "shape", "size", "plausibility", "stability", "efficiency", "dependency"]
MOST_CELLS = 1000
"""How many cells of a verdict are written down."""

CRITERIA: tuple[Criterion, ...] = get_args(Criterion)

Measure: TypeAlias = "None | bool | int | float | str | Sequence[Measure] | Mapping[str, Measure]"
"""Something measured or required, ready for JSON."""


@dataclass(frozen=True, eq=False, slots=True)
class Finding:
    """What a rule found: a verdict without the rule's name.

    ``cells`` are the cells at fault, or the evidence of a pass; (k, 3) int32.
    """

    status: Status
    score: float
    measured: Measure
    required: Measure
    message: str
    cells: Cells = field(default_factory=lambda: NO_CELLS)


def finding(
    ok: bool, measured: Measure, required: Measure, message: str, cells: Cells = NO_CELLS, score: float | None = None
) -> Finding:
    """A pass or a fail; the score is 1 or 0 unless the rule grades."""
    return Finding("pass" if ok else "fail", float(ok) if score is None else score, measured, required, message, cells)


def not_applicable(required: Measure, message: str) -> Finding:
    """Nothing to judge, for example an order that the file does not hold."""
    return Finding("not applicable", 0.0, None, required, message)


@dataclass(frozen=True, eq=False, slots=True)
class Verdict:
    """The answer of one rule to one build.

    ``score`` lies in 0…1. ``measured`` and ``required`` are in the rule's own unit. ``message`` is one sentence
    whose numbers are those of ``measured``. ``cells`` (k, 3) int32, relative to the ground plane, are the cells at
    fault (never empty on a fail, except for an empty build) or the evidence of a pass.
    """

    rule: str
    criterion: Criterion
    status: Status
    score: float
    measured: Measure
    required: Measure
    message: str
    cells: Cells = field(default_factory=lambda: NO_CELLS)

    def __repr__(self) -> str:
        return f"Verdict({self.rule}: {self.status}, {self.message!r})"

    def to_dict(self) -> dict[str, object]:
        """JSON-ready, with stable names; of very many cells the first ``MOST_CELLS``, beside their number."""
        return {
            "rule": self.rule,
            "criterion": self.criterion,
            "status": self.status,
            "score": round(self.score, 6),
            "measured": self.measured,
            "required": self.required,
            "message": self.message,
            "cells": self.cells[:MOST_CELLS].tolist(),
            "cells_total": len(self.cells),
        }
