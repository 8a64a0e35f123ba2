"""The search for files that break a reader: what is tried, and what must hold of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from format_mutations import mutated
from format_outcome import WRITERS, check_written, read
from format_samples import Sample, samples
from hypothesis import strategies as st

from minece.blocks.grid import LIMIT

FORMS = tuple(dict.fromkeys(sample.form for sample in samples()))
MUST_BE_SEEN = 0.8
"""The share of the examples that are looked at: hypothesis gives up some that grow too long."""

_GROUNDS = (None, None, None, 0, 3, -5, LIMIT)
_HINTS = (None, None, "top", "bottom")


@dataclass(frozen=True)
class Case:
    """A file, how it is read, and which format its build is written in then."""

    sample: Sample
    data: bytes
    options: dict[str, Any]
    writer: str

    def __repr__(self) -> str:
        return f"Case({self.sample.id!r}, {self.options!r}, {self.writer!r}, {self.data[:2000]!r})"


@dataclass
class Tally:
    """How many files were read and how many refused."""

    read: int = 0
    refused: int = 0


@st.composite
def _cases(draw: Callable[..., Any], form: str) -> Case:
    rng = draw(st.randoms(use_true_random=False))
    sample = rng.choice([sample for sample in samples() if sample.form == form])
    data = mutated(sample, rng, samples())
    options = {"ground": rng.choice(_GROUNDS), "hint": rng.choice(_HINTS)}
    return Case(sample, data, options, rng.choice(WRITERS).name)


def broken_files(form: str) -> st.SearchStrategy[Case]:
    """Files of a format with a few changes."""
    return _cases(form)


def check(case: Case, folder: Path, seen: Tally) -> None:
    """Fail unless the file gives a build that is in order and can be written, or one line, in time and memory."""
    found = read(case.data, told=True, **case.options)
    if isinstance(found, str):
        seen.refused += 1
        return
    seen.read += 1
    writer = next(form for form in WRITERS if form.name == case.writer)
    for run in found.runs[:2]:
        check_written(run.turns, writer, folder)
