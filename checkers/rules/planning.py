"""Planning: was it built in a sensible order?"""

from __future__ import annotations

import numpy as np

from minece.checkers.order import Stages, misplaced, right_pairs, storey_of
from minece.checkers.parameters import Positive
from minece.checkers.paths import least_path
from minece.checkers.regions import Region
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, finding, not_applicable
from minece.checkers.wording import count, place

ONE = Positive(1)


@rule("efficiency", unit="steps", graded=True)
def efficiency(scene: Scene) -> Finding:
    """How short the way was along which the blocks that remain were placed, each where it last was placed.

    The score is (n − 1) / L, at most 1, for n blocks and L, the sum of |Δx| + |Δy| + |Δz| over consecutive blocks;
    one block alone scores 1. It is a grade and never decides. Not applicable where the order is not known.

    Measures L; required is a bound below which no order of these blocks can come: unit steps inside parts joined by
    faces plus the shortest tree of distances between the parts (2 for each further part where there are very many).
    """
    order = scene.order
    if order is None:
        return not_applicable(None, "The order of placements is not known.")
    number = len(order)
    if number == 1:
        return finding(True, 0, 0, "One block needs a way of 0 cells.", scene.cells)
    steps = np.abs(np.diff(scene.cells[order], axis=0)).sum(axis=1, dtype=np.int64)
    length = int(steps.sum())
    least, exact = least_path(scene)
    bound = f"no order of them needs less than {least}" if exact else f"they need at least {least}"
    longest = int(steps.argmax())
    ends = scene.cells[order[longest : longest + 2]]
    text = f"The way over {number} blocks is {length} cells long; {bound}"
    if steps[longest] > 1:
        text += f"; the longest step, {steps[longest]}, goes from {place(ends[:1])} to {place(ends[1:])}"
    return finding(True, length, least, f"{text}.", ends, min(1.0, (number - 1) / length))


@rule("dependency")
def order(scene: Scene, *, stages: tuple[Region, ...], storeys: Positive = ONE) -> Finding:
    """The stages are built one after the other, in the order in which they are named, and none is empty.

    A block belongs to the first stage that names it; blocks that no stage names (doors, ladders, lamps) may come at
    any time. Only blocks that remain count, each when it was placed for good. Not applicable where the order is not
    known.

    ``stages``: regions, such as ``all of stone``. ``storeys``: with more than one, a block must come after the
    blocks of earlier stages in its own storey and in the storeys below; the storeys above are free, so that a frame
    may go up at once or storey by storey. Storeys end with their floor slabs: levels of the stages after the second
    that are filled along both axes, at least two cells above the lowest block of the second stage.

    Measures how many blocks must be left out for the rest to be in order, and how many stages are empty; both must be
    0. The score is the share of pairs of blocks of different stages that are in order, 0 with an empty stage.
    """
    if scene.order is None:
        return not_applicable({"out_of_order": 0, "empty_stages": 0}, "The order of placements is not known.")
    required = {"out_of_order": 0, "empty_stages": 0}
    stage = np.full(len(scene.blocks), -1, dtype=np.int64)
    for number in reversed(range(len(stages))):
        stage[stages[number].mask(scene)] = number
    sizes = np.bincount(stage[stage >= 0], minlength=len(stages))
    storey = storey_of(scene, stage, storeys)
    sequence = scene.order[stage[scene.order] >= 0]
    found = Stages(stage[sequence], storey[sequence], len(stages), int(storey.max()) + 1)
    wrong = misplaced(found)
    blocks = sequence[wrong]
    missing = np.flatnonzero(sizes == 0)
    measured = {"out_of_order": len(blocks), "empty_stages": len(missing)}
    names = [_name(region) for region in stages]
    if len(missing):
        empty = ", ".join(names[i] for i in missing.tolist())
        there = np.flatnonzero(sizes)
        near = there[np.abs(there - missing[0]).argmin()] if len(there) else -1
        text = f"{count(len(missing), 'stage')} of {len(stages)} {'is' if len(missing) == 1 else 'are'} empty: {empty}"
        text += f"; {count(len(blocks), 'block')} out of order."
        return finding(False, measured, required, text, scene.cells[stage == near], 0.0)
    if not len(blocks):
        text = f"Built in order, {count(len(stages), 'stage')}: 0 empty stages, 0 blocks out of order."
        return finding(True, measured, required, text, scene.cells[sequence])
    score = right_pairs(found)
    each = np.bincount(stage[blocks], minlength=len(stages)).tolist()
    which = " and ".join(f"{n} of {name}" for n, name in zip(each, names, strict=True) if n)
    text = f"{count(len(blocks), 'block')} out of order ({which}), the first at {place(scene.cells[blocks[:1]])}"
    text += f", and 0 empty stages; build {', then '.join(names)}."
    return finding(False, measured, required, text, scene.cells[blocks], score)


def _name(region: Region) -> str:
    return region.text.removeprefix("all of ")
