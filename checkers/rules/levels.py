"""Groups of blocks in a level, and the gaps between them."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Frame
from minece.checkers.groups import flattened, group_cells
from minece.checkers.parameters import Bound, Natural, Positive
from minece.checkers.regions import LOWEST, Region
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, finding
from minece.checkers.wording import asked, count, place, sentence


@rule("shape", unit="groups")
def clusters(scene: Scene, *, bound: Bound, region: Region = LOWEST, connectivity: Literal[4, 8] = 4) -> Finding:
    """The structural cells of a level form a given number of groups in plan.

    ``bound``: how many groups. ``region``: the level, such as ``layer(-5)`` or ``lowest``; a region of several levels
    is seen from above. ``connectivity``: 4 joins cells by sides, 8 also by corners.

    Measures the number of groups.
    """
    cells = scene.cells[region.mask(scene) & scene.structural]
    _, number = group_cells(flattened(cells), connectivity)
    ok = bool(len(cells)) and bound.holds(number)
    text = f"{sentence(region)} has {count(number, 'group')} of structural blocks; {asked(bound, ok, counted=True)}."
    return finding(ok, number, bound.required, text, cells if len(cells) else scene.cells)


@rule("shape", unit="free cells")
def gap(
    scene: Scene, *, at_least: Natural, region: Region = LOWEST, each: tuple[Positive, Positive] | None = None
) -> Finding:
    """Between the groups of a level lie at least so many free cells, face to face.

    Groups are structural cells joined by 8 neighbours in plan. They face each other where a row along x or z crosses
    both with nothing between; some two groups must.

    ``region``: the level, such as ``layer(0)``; a region of several levels is seen from above. ``each``: the sides in
    plan, in either order, of the two groups, which must be full rectangles; there may be no third.

    Measures the fewest free cells in any such row.
    """
    bound = Bound(at_least=at_least)
    cells = scene.cells[region.mask(scene) & scene.structural]
    plan = flattened(cells)
    labels, number = group_cells(plan, 8)
    if number < 2:
        text = f"{sentence(region)} has {count(number, 'group')} of structural blocks, so 0 free cells lie between two."
        return finding(False, 0, bound.required, text, cells if number else scene.cells)
    free = _facing_gap(plan, labels)
    if free is None:
        text = f"The {number} groups of {region} do not face each other along x or z."
        return finding(False, None, bound.required, text, cells)
    ok = bound.holds(free)
    text = f"{count(free, 'free cell')} {'lies' if free == 1 else 'lie'} between the groups of {region}"
    if each is not None:
        wrong = [group for k in range(number) if not _is_rectangle(group := plan[labels == k], each)]
        if number > 2 or wrong:
            fault = cells if number > 2 else _in_columns(cells, np.concatenate(wrong))
            reason = f"the one at {place(fault[:1])} is no full rectangle of {each[0]} × {each[1]} cells"
            reason = reason if number == 2 else f"there are {number} groups instead of 2"
            return finding(False, free, bound.required, f"{text}; {reason}.", fault)
    return finding(ok, free, bound.required, f"{text}; {asked(bound, ok, counted=True)}.", cells)


def _in_columns(cells: Cells, plan: Cells) -> Cells:
    """The cells that lie in some columns."""
    flat = cells.copy()
    flat[:, 1] = plan[0, 1]
    frame = Frame.around(cells, plan)
    found: Cells = cells[np.isin(frame.keys(flat), frame.keys(plan))]
    return found


def _is_rectangle(plan: Cells, sides: tuple[int, int]) -> bool:
    """Whether the cells of one level fill a rectangle, whichever side lies along x."""
    size = plan.max(axis=0) - plan.min(axis=0) + 1
    return sorted(size[[0, 2]].tolist()) == sorted(sides) and len(plan) == sides[0] * sides[1]


def _facing_gap(cells: Cells, labels: NDArray[np.int64]) -> int | None:
    """Fewest free cells in any row along x or z between two groups, None where no row crosses two."""
    least: list[int] = []
    for along, across in ((0, 2), (2, 0)):
        order = np.lexsort((cells[:, along], cells[:, across]))
        row, step, group = cells[order, across], cells[order, along], labels[order]
        next_to = (np.diff(row) == 0) & (np.diff(group) != 0)
        if next_to.any():
            least.append(int(np.diff(step)[next_to].min()) - 1)
    return min(least) if least else None
