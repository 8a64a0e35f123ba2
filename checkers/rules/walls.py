"""Walls that enclose and roofs or floors that cover."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minece.blocks import NO_CELLS, Cells, Frame, Mask
from minece.blocks.grid import find
from minece.checkers.groups import flattened
from minece.checkers.parameters import Bound, Materials, Natural, Positive
from minece.checkers.regions import Region
from minece.checkers.registry import rule
from minece.checkers.rings import Ring, ring
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import asked, count, place, sentence

ONE = Positive(1)
FILLINGS = Materials.read("#glass, #glass_panes, #bars, #doors, #trapdoors, #fence_gates")


def _main_layers(cells: Cells) -> list[int]:
    """Heights of the layers that hold at least half as many cells as the fullest one, ascending.

    A floor or ceiling is told so from a few blocks of its material elsewhere: a table, a railing.
    """
    low, high = int(cells[:, 1].min()), int(cells[:, 1].max())
    if high - low < len(cells):
        number = np.bincount(cells[:, 1] - low)
        height = np.arange(low, high + 1)
    else:
        height, number = np.unique(cells[:, 1], return_counts=True)
    layers: list[int] = height[2 * number >= number.max()].tolist()
    return layers


def _levels(below: Cells, above: Cells) -> tuple[int, int] | None:
    """Lowest and highest level between the main layers of two groups of cells: over the highest such layer of the
    first group that has one of the second group above it, up to the lowest of these that leaves two levels, or one.
    """
    tops = _main_layers(above)
    floors = [y for y in _main_layers(below) if y + 1 < tops[-1]]
    if not floors:
        return None
    bottom = floors[-1] + 1
    ceilings = [y for y in tops if y > bottom]
    roomy = [y for y in ceilings if y >= bottom + 2]
    return bottom, (roomy or ceilings)[0] - 1


def _ring(scene: Scene, wall: Mask, levels: tuple[int, int], fillings: Materials = FILLINGS) -> Ring:
    """What the blocks of a mask enclose; remembered, since several rules of a task ask it of the same walls."""

    def work_out() -> Ring:
        return ring(scene.cells[wall], scene.cells[scene.blocks.is_material(fillings.ids) & ~wall], *levels)

    return scene.remember(("ring", levels, fillings.ids, wall.tobytes()), work_out)


@rule("shape", unit="enclosed cells")
def encloses(
    scene: Scene,
    *,
    materials: Materials,
    between: tuple[Region, Region],
    at_least: Positive = ONE,
    clear: Positive = ONE,
    openings: Natural | None = None,
    fillings: Materials = FILLINGS,
) -> Finding:
    """At every level between two regions, blocks of the materials close a ring in plan.

    Doorways and windows at most three wide and three high are allowed, and fillings of any size, as long as at least
    half of the ring's columns are of the materials from the lower region to the upper one. Walls that meet by an edge
    close a corner. Only cells in plan that are open over some height count: a lump of something else, or of soil, is
    not enclosed space.

    ``at_least``: how many cells in plan must be enclosed. ``clear``: how many free cells must lie above one another
    in each of them, such as 2 where people are to stand. ``openings``: how many doorways and windows may stand open.
    ``fillings``: what closes an opening.

    Measures the cells in plan that are enclosed at every level and open over that height, and, where it is limited,
    the number of open doorways and windows.
    """
    bound = Bound(at_least=at_least)
    required: Measure = bound.required
    if openings is not None:
        required = {"cells": bound.required, "openings": {"at_most": int(openings)}}
    below, above = (scene.cells[region.mask(scene)] for region in between)
    levels = _levels(below, above) if len(below) and len(above) else None
    if levels is None:
        text = f"There is no level between {between[0]} and {between[1]}: nothing is enclosed."
        return finding(False, None, required, text, scene.cells)
    wall = scene.blocks.is_material(materials.ids) & scene.structural
    found = _ring(scene, wall, levels, fillings)
    number = _open_cells(scene, levels, found, clear)
    standing_open = found.openings if openings is not None else 0
    measured: Measure = number if openings is None else {"cells": number, "openings": standing_open}
    text = f"Walls of {materials} enclose {count(number, 'cell')}"
    text += f" with {clear} free above one another" if clear > 1 else ""
    if openings is not None:
        text += f" and have {count(standing_open, 'open doorway or window', 'open doorways or windows')}"
    if number >= at_least and (openings is None or standing_open <= openings):
        return finding(True, measured, required, f"{text}.", scene.cells[wall])
    if number >= at_least:
        return finding(False, measured, required, f"{text}; {openings} may be open.", found.opening_cells())
    text += f" from {levels[0]} up to {levels[1]}"
    if not found.inside.any() and len(found.leaks):
        return finding(False, measured, required, f"{text}; close the wall at {place(found.leaks)}.", found.leaks)
    text += f"; {asked(bound, False, counted=True)}"
    return finding(False, measured, required, f"{text}.", scene.cells[wall] if wall.any() else scene.cells)


def _open_cells(scene: Scene, levels: tuple[int, int], found: Ring, clear: int) -> int:
    """Number of enclosed cells in plan in which at least ``clear`` cells above one another are free: neither
    structural blocks nor soil."""
    (x0, _, z0), (bottom, top) = found.corner, levels
    height = top - bottom + 1
    if height < clear or not found.inside.any():
        return 0
    free = np.ones((height, *found.inside.shape), dtype=np.bool_)
    x, y, z = scene.cells[scene.structural].T
    x, y, z = x - x0, y - bottom, z - z0
    near = (y >= 0) & (y < height) & (x >= 0) & (x < free.shape[1]) & (z >= 0) & (z < free.shape[2])
    free[y[near], x[near], z[near]] = False
    for level in range(bottom, min(top + 1, 0)):
        free[level - bottom][found.inside] &= ~scene.is_soil(found.inside_cells(level))
    room = free[: height - clear + 1]
    for above in range(1, clear):
        room = room & free[above : height - clear + 1 + above]
    return int(np.count_nonzero(np.logical_or.reduce(room, axis=0) & found.inside))


@rule("shape", unit="bare cells")
def covers(
    scene: Scene,
    *,
    region: Region,
    by: Region,
    side: Literal["above", "below"] = "above",
    part: Literal["cells", "inside"] = "cells",
) -> Finding:
    """Above (or below) every cell of a region lies a cell of another.

    ``part``: ``cells`` for the region's own blocks, ``inside`` for the cells that its blocks enclose in plan (see
    `encloses`), over the levels below the covering region (or above it). Only structural blocks cover.

    Measures the cells in plan that lack a cover; none may.
    """
    cover = scene.cells[by.mask(scene) & scene.structural]
    wall = region.mask(scene)
    own = scene.cells[wall]
    where = "over" if side == "above" else "under"
    if part == "inside":
        own = _inside(scene, wall & scene.structural, cover, side) if len(cover) else NO_CELLS
    if not len(own):
        text = f"There is no block in {region}."
        if wall.any():
            text = f"{sentence(region)} encloses nothing." if len(cover) else f"There is no block in {by}."
        return finding(False, None, 0, text, scene.cells[wall] if wall.any() else scene.cells)
    bare = own[~_covered(own, cover, side, scene.blocks.frame)]
    columns = len(flattened(bare))
    if not columns:
        return finding(True, 0, 0, f"Every cell has {by} {where} it.", cover)
    lack, them = ("lacks", "it") if columns == 1 else ("lack", "them")
    text = f"{count(columns, 'cell')} in plan {lack} {by} {where} {them}, at {place(bare[:1])}"
    return finding(False, columns, 0, f"{text}{' and others' if columns > 1 else ''}.", bare)


def _inside(scene: Scene, wall: Mask, cover: Cells, side: str) -> Cells:
    """(k, 3) int32: cells that walls enclose, at their level next to the cover's main layer."""
    if not wall.any():
        return NO_CELLS
    heights = scene.cells[wall][:, 1]
    low, high = int(heights.min()), int(heights.max())
    if side == "above":
        over = [y for y in _main_layers(cover) if y > low]
        levels = (low, min(high, min(over) - 1)) if over else None
    else:
        under = [y for y in _main_layers(cover) if y < high]
        levels = (max(low, max(under) + 1), high) if under else None
    if levels is None:
        return NO_CELLS
    return _ring(scene, wall, levels).inside_cells(levels[1] if side == "above" else levels[0])


def _covered(cells: Cells, cover: Cells, side: str, frame: Frame) -> NDArray[np.bool_]:
    """(n,) bool: cells over (under) which a cell of the cover lies; all lie within the frame."""
    if not len(cover):
        return np.zeros(len(cells), dtype=np.bool_)
    plan = _plan_keys(cover, frame)
    heights = cover[:, 1].astype(np.int64) if side == "above" else -cover[:, 1].astype(np.int64)
    order = np.lexsort((heights, plan))
    plan, heights = plan[order], heights[order]
    last = np.append(plan[1:] != plan[:-1], True)
    at = find(plan[last], _plan_keys(cells, frame))
    own = cells[:, 1].astype(np.int64) if side == "above" else -cells[:, 1].astype(np.int64)
    covered: NDArray[np.bool_] = (at >= 0) & (heights[last][at] > own)
    return covered


def _plan_keys(cells: Cells, frame: Frame) -> NDArray[np.int64]:
    flat = cells.astype(np.int64)
    return (flat[:, 0] - frame.low[0]) * frame.size[2] + flat[:, 2] - frame.low[2]
