"""Walls that enclose and roofs or floors that cover."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minece.blocks import NO_CELLS, Cells, Frame, Mask
from minece.blocks.grid import find
from minece.checkers.groups import flattened
from minece.checkers.parameters import AT_LEAST_ONE, Materials
from minece.checkers.regions import Region
from minece.checkers.registry import rule
from minece.checkers.rings import Ring, ring
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, finding
from minece.checkers.wording import count, place, sentence


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


def _ring(scene: Scene, wall: Mask, levels: tuple[int, int]) -> Ring:
    """What the blocks of a mask enclose; remembered, since several rules of a task ask it of the same walls."""
    return scene.remember(("ring", levels, wall.tobytes()), lambda: ring(scene.cells[wall], *levels))


@rule("shape", unit="enclosed cells")
def encloses(scene: Scene, *, materials: Materials, between: tuple[Region, Region]) -> Finding:
    """At every level between two regions, blocks of the materials close a ring in plan.

    Doorways and windows at most three wide and three high are allowed, as long as at least half of the ring's
    columns stand from the lower region to the upper one. Walls that meet by an edge close a corner. Only cells in
    plan that are open at some level count: a lump of something else is not enclosed space.

    Measures the cells in plan that are enclosed at every level; at least one must be.
    """
    below, above = (scene.cells[region.mask(scene)] for region in between)
    levels = _levels(below, above) if len(below) and len(above) else None
    if levels is None:
        text = f"There is no level between {between[0]} and {between[1]}: 0 cells are enclosed."
        return finding(False, 0, AT_LEAST_ONE.required, text, scene.cells)
    wall = scene.blocks.is_material(materials.ids) & scene.structural
    found = _ring(scene, wall, levels)
    number = _open_cells(scene, wall, levels, found)
    if number:
        text = f"Walls of {materials} enclose {count(number, 'cell')}."
        return finding(True, number, AT_LEAST_ONE.required, text, scene.cells[wall])
    text = f"Walls of {materials} enclose 0 cells from {levels[0]} up to {levels[1]}"
    if len(found.leaks):
        text += f"; close the wall at {place(found.leaks)}"
    fault = found.leaks if len(found.leaks) else scene.cells[wall] if wall.any() else scene.cells
    return finding(False, 0, AT_LEAST_ONE.required, f"{text}.", fault)


def _open_cells(scene: Scene, wall: Mask, levels: tuple[int, int], found: Ring) -> int:
    """Number of enclosed cells in plan that are not filled with structural blocks from bottom to top."""
    number = int(np.count_nonzero(found.inside))
    y = scene.cells[:, 1]
    rest = scene.structural & ~wall & (y >= levels[0]) & (y <= levels[1])
    if not number or not rest.any():
        return number
    x, z = scene.cells[rest][:, 0] - found.corner[0], scene.cells[rest][:, 2] - found.corner[1]
    near = (x >= 0) & (x < found.inside.shape[0]) & (z >= 0) & (z < found.inside.shape[1])
    height = np.bincount(x[near] * found.inside.shape[1] + z[near], minlength=found.inside.size)
    filled = height.reshape(found.inside.shape) == levels[1] - levels[0] + 1
    return number - int(np.count_nonzero(found.inside & filled))


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
        what = "encloses nothing" if len(cover) else f"has no {by} {where} it"
        text = f"{sentence(region)} {what}." if wall.any() else f"There is no block in {region}."
        return finding(False, None, 0, text, scene.cells[wall] if wall.any() else scene.cells)
    bare = own[~_covered(own, cover, side)]
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


def _covered(cells: Cells, cover: Cells, side: str) -> NDArray[np.bool_]:
    """(n,) bool: cells over (under) which a cell of the cover lies."""
    if not len(cover):
        return np.zeros(len(cells), dtype=np.bool_)
    frame = Frame.around(cells, cover)
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
