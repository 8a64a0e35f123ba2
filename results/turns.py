"""Builds as they are given, one a turn, and what of a turn outlives the next one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from minece.blocks import BlockSet, Build
from minece.results.errors import ScoringError


def as_turns(builds: Build | Iterable[Build]) -> list[Build]:
    """A list with one build per turn. Raises :class:`ScoringError` for none at all and for what is no build."""
    turns = [builds] if isinstance(builds, Build) else list(builds)
    if not turns:
        raise ScoringError("there is no build to judge", mend="give one build for each turn")
    for build in turns:
        if not isinstance(build, Build):
            kind = type(build).__name__
            raise ScoringError(f"a {kind} where a build belongs", mend="read files with minece.load")
    return turns


def kept_shares(turns: Sequence[Build]) -> list[float | None]:
    """For each turn after the first, which share of the blocks of the turn before still stands.

    A block stands when its cell holds the same state. None where there was no block before.
    """
    return [_kept(before.blocks, after.blocks) for before, after in pairwise(turns)]


def _kept(before: BlockSet, after: BlockSet) -> float | None:
    if not len(before):
        return None
    place = after.locate(before.cells)
    there = place >= 0
    number = {state: i for i, state in enumerate(before.palette)}
    same = np.array([number.get(state, -1) for state in after.palette], dtype=np.int64)
    stands = same[after.index[place[there]]] == before.index[there]
    return float(np.count_nonzero(stands)) / len(before)
