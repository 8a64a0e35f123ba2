"""Sequences of stages: which blocks break the order, and how many pairs keep it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Mask
from minece.blocks.grid import DOWN, UP
from minece.checkers.scene import Scene

Numbers = NDArray[np.int64]

_GROUND_FLOOR = 2


@dataclass(frozen=True)
class Stages:
    """The blocks of all stages in the order in which they were placed.

    ``stage`` and ``storey`` are (n,) int64, from 0. A block must come after every block of an earlier stage in the
    same or a lower storey.
    """

    stage: Numbers
    storey: Numbers
    stages: int
    storeys: int


def misplaced(found: Stages) -> Numbers:
    """Positions, ascending, of blocks without which the rest is in order; as few as possible in one storey."""
    if (found.stage[1:] >= found.stage[:-1]).all():
        return np.empty(0, dtype=np.int64)
    wrong = np.zeros(len(found.stage), dtype=np.bool_)
    for storey in range(found.storeys):
        here = np.flatnonzero(found.storey == storey)
        wrong[here] = _out_of_line(found.stage[here], found.stages)
        for stage in range(1, found.stages):
            # What stands in lower storeys of earlier stages comes before this stage here.
            pair = (found.storey < storey) & (found.stage < stage)
            own = (found.storey == storey) & (found.stage == stage)
            both = np.flatnonzero((pair | own) & ~wrong)
            wrong[both] = _out_of_line(own[both].astype(np.int64), 2)
    return np.flatnonzero(wrong)


def _out_of_line(stage: Numbers, stages: int) -> Mask:
    """(n,) bool: the fewest entries without which the rest never falls.

    The entries that stay split the sequence into one stretch per stage; the best ends of the stretches follow from
    one running maximum per stage.
    """
    number = len(stage)
    ahead = np.zeros((stages, number + 1), dtype=np.int64)
    np.cumsum(stage[None, :] == np.arange(stages)[:, None], axis=1, out=ahead[:, 1:])
    best = np.zeros(number + 1, dtype=np.int64)
    starts = np.empty_like(ahead)
    for i in range(stages):
        gain = best - ahead[i]
        most = np.maximum.accumulate(gain)
        # Where the running maximum was last reached: the stretch of stage i begins there.
        starts[i] = np.maximum.accumulate(np.where(gain == most, np.arange(number + 1), 0))
        best = most + ahead[i]
    keep = np.empty(number, dtype=np.int64)
    end = number
    for i in reversed(range(stages)):
        start = int(starts[i, end])
        keep[start:end] = i
        end = start
    keep[:end] = 0
    wrong: Mask = keep != stage
    return wrong


def right_pairs(found: Stages) -> float:
    """Share of the pairs of blocks that have an order which are in order; 1 where there is none."""
    right = total = 0
    for storey in range(found.storeys):
        for stage in range(1, found.stages):
            late = (found.storey == storey) & (found.stage == stage)
            early = (found.storey <= storey) & (found.stage < stage)
            total += int(late.sum()) * int(early.sum())
            right += int(np.cumsum(early)[late].sum())
    return right / total if total else 1.0


def storey_of(scene: Scene, stage: Numbers, storeys: int) -> Numbers:
    """(n,) int64: the storey of each block, from 0; a floor slab belongs to the storey that it ends.

    ``stage`` (n,) int64 is each block's stage, -1 for none. A slab cell belongs to a stage after the second (or to
    the last of two), has cells of its own stage beside it along both axes, and not both above and below. Of the
    groups of neighbouring levels with slab cells the fullest ``storeys`` count; storeys are parted at the fullest
    level of each, the highest group left out.
    """
    out = np.zeros(len(stage), dtype=np.int64)
    y = scene.cells[:, 1].astype(np.int64)
    slab = stage >= min(2, int(stage.max(initial=0)))
    if storeys == 1 or not (slab & (stage > 0)).any():
        return out
    near = scene.neighbours
    alike = (near >= 0) & (stage[near] == stage[:, None])
    slab &= (alike[:, 0] | alike[:, 1]) & (alike[:, 4] | alike[:, 5]) & ~(alike[:, DOWN] & alike[:, UP])
    # A floor laid on the foundation parts nothing.
    slab &= y >= y[stage == 1].min(initial=int(y.max())) + _GROUND_FLOOR
    levels, cells = np.unique(y[slab], return_counts=True)
    if not len(levels):
        return out
    groups = np.split(np.arange(len(levels)), np.flatnonzero(np.diff(levels) > 1) + 1)
    fullest = sorted(groups, key=lambda group: -int(cells[group].sum()))[:storeys]
    ends = sorted(int(levels[group][cells[group] == cells[group].max()].max()) for group in fullest)
    return np.searchsorted(np.array(ends[: storeys - 1]), y).astype(np.int64)
