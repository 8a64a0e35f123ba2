"""Upright members: columns and piles."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, as_cells
from minece.blocks.grid import DOWN, UP
from minece.blocks.parts import label_by_faces, vertical_runs
from minece.checkers.groups import group_cells, least_gap
from minece.checkers.parameters import AT_LEAST_ONE, Bound, Materials, Natural, Positive
from minece.checkers.regions import Region
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import asked, place
from minece.checkers.wording import count as counted

_MANY = 300

NONE = Natural(0)


@rule("shape")
def prisms(
    scene: Scene,
    *,
    materials: Materials,
    count: Bound,
    section: tuple[Positive, Positive],
    length: Bound,
    carries: Region,
    apart: Natural = NONE,
    on_ground: bool = False,
) -> Finding:
    """A given number of upright members, all alike, each of which touches what it carries from below.

    A member is a group of blocks of the materials, joined by faces, outside the region that is carried; it must be a
    full box of the section and the length, whose top touches the underside of the region. Whatever else of the
    materials there is counts as a member of the wrong form.

    ``section``: the two sides in plan, in either order. ``length``: cells from the underside of what is carried
    down. ``carries``: the region on top, such as ``all of oak_planks`` or ``upper(2)``. ``apart``: free cells between
    any two members, the larger of the distances along x and z. ``on_ground``: true where every member must stand on the
    ground, with soil under the whole of it.

    Measures how many members are right, how many are not, and the fewest free cells between two of them.
    """
    carried = carries.mask(scene)
    candidate = scene.blocks.is_material(materials.ids) & scene.structural & ~carried
    required: Measure = {"members": count.required, "wrong": 0, "apart": apart}
    if not candidate.any() or not carried.any():
        what = "member" if not candidate.any() else f"block in {carries} to carry"
        return finding(
            False, {"members": 0, "wrong": 0, "apart": None}, required, f"There is no {what}: 0 members.", scene.cells
        )
    labels = label_by_faces(scene.blocks, candidate)
    number = int(labels.max())
    rows = np.flatnonzero(candidate)
    member = labels[rows].astype(np.int64) - 1
    low, high = _boxes(scene.cells[rows], member, number)
    size = high - low + 1
    plan = np.sort(size[:, [0, 2]], axis=1)
    long = np.array([length.holds(n) for n in size[:, 1].tolist()])
    slim = (plan == sorted(section)).all(axis=1)
    full = size.prod(axis=1) == np.bincount(member, minlength=number)
    above = scene.neighbours[rows, UP]
    touching = np.bincount(member[(above >= 0) & carried[above]], minlength=number) > 0
    standing = np.ones(number, dtype=np.bool_)
    if on_ground:
        lowest = scene.cells[rows][:, 1] == low[member, 1]
        standing = np.bincount(member[lowest & ~scene.soil_faces[rows, DOWN]], minlength=number) == 0
    right = long & slim & full & touching & standing
    good, bad = int(right.sum()), int((~right).sum())
    free = None
    if good > _MANY:
        tops = right[member] & (scene.cells[rows][:, 1] == high[member, 1])
        free = least_gap(scene.cells[rows[tops]], member[tops])
    elif good > 1:
        free = _least_apart(low[right], high[right])
    measured: Measure = {"members": good, "wrong": bad, "apart": free}
    close = free is not None and free < apart
    if not bad and count.holds(good) and not close:
        text = f"{counted(good, 'member')} of {section[0]}×{section[1]} {'carries' if good == 1 else 'carry'} {carries}"
        text += "." if free is None else f", at least {counted(free, 'free cell')} apart."
        return finding(True, measured, required, text, scene.cells[rows])
    text = f"{counted(good, 'member')} right, {bad} wrong"
    text += "" if free is None else f", {counted(free, 'free cell')} apart"
    fault = scene.cells[rows]
    if bad:
        wrong = int(np.flatnonzero(~right)[0])
        reason = _why_wrong(size[wrong], length, section, full=bool(full[wrong]), touching=bool(touching[wrong]))
        fault = scene.cells[rows[~right[member]]]
        text += f": the one at {place(as_cells(low[wrong : wrong + 1]))} {reason}."
    elif close:
        text += f"; leave {apart} between any two."
    else:
        text += f"; {count} asked for under {carries}."
    return finding(False, measured, required, text, fault)


def _boxes(cells: Cells, group: NDArray[np.integer], number: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(number, 3) int64 each: lowest and highest cell of each group."""
    low = np.full((number, 3), np.iinfo(np.int64).max)
    high = np.full((number, 3), np.iinfo(np.int64).min)
    np.minimum.at(low, group, cells)
    np.maximum.at(high, group, cells)
    return low, high


def _least_apart(low: NDArray[np.int64], high: NDArray[np.int64]) -> int:
    """Fewest free cells in plan between any two of several boxes: the larger of the distances along x and z."""
    beside = np.maximum(low[:, None] - high, low - high[:, None])
    return int(np.maximum(beside[..., 0], beside[..., 2])[np.triu_indices(len(low), 1)].min()) - 1


def _why_wrong(size: NDArray[np.int64], length: Bound, section: tuple[int, int], *, full: bool, touching: bool) -> str:
    wide, long, deep = size.tolist()
    if not touching:
        return "carries nothing: no face of it touches what lies above"
    if sorted((wide, deep)) != sorted(section):
        return f"measures {wide}×{deep} in plan instead of {section[0]}×{section[1]}"
    if not length.holds(long):
        return f"is {long} long instead of {length}"
    return "has a gap or a block too many" if not full else "does not stand on the ground: soil is missing under it"


@rule("shape", unit="columns")
def runs(
    scene: Scene,
    *,
    materials: Materials,
    between: tuple[Region, Region],
    count: Bound = AT_LEAST_ONE,
) -> Finding:
    """Columns of a material stand between two regions, from the first up to the second.

    A column is an unbroken vertical run of the materials with a block of the first region right under it and one of
    the second right above it; runs side by side are one column. Columns may stand in a wall.

    Measures the number of columns.
    """
    below, above = (region.mask(scene) for region in between)
    mask = scene.blocks.is_material(materials.ids) & scene.structural
    rows = np.flatnonzero(mask)
    found = vertical_runs(scene.cells[rows])
    foot, head = rows[found.order[found.start]], rows[found.order[found.stop - 1]]
    under, over = scene.neighbours[foot, DOWN], scene.neighbours[head, UP]
    stands = (under >= 0) & (over >= 0) & below[under] & above[over]
    _, number = group_cells(scene.cells[foot[stands]], 4)
    ok = count.holds(number)
    verb = "stands" if number == 1 else "stand"
    text = f"{counted(number, 'column')} of {materials} {verb} between {between[0]} and {between[1]}"
    text += f"; {asked(count, ok, counted=True)}."
    if ok:
        cells = scene.cells[rows[found.order[np.repeat(stands, found.length)]]]
    else:
        cells = scene.cells[rows] if len(rows) else scene.cells
    return finding(ok, number, count.required, text, cells)
