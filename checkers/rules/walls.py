"""Walls that enclose and roofs or floors that cover."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minece.blocks import NO_CELLS, Cells, Frame
from minece.blocks.grid import find
from minece.checkers.parameters import Materials
from minece.checkers.plan import ring
from minece.checkers.regions import Region
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, finding
from minece.checkers.wording import count, place


def _levels(scene: Scene, between: tuple[Region, Region]) -> tuple[int, int] | None:
    """Lowest and highest level strictly between two regions."""
    y = scene.cells[:, 1]
    below, above = (region.mask(scene) for region in between)
    if not below.any() or not above.any():
        return None
    bottom, top = int(y[below].max()) + 1, int(y[above].min()) - 1
    return (bottom, top) if bottom <= top else None


@rule("shape")
def encloses(scene: Scene, *, materials: Materials, between: tuple[Region, Region]) -> Finding:
    """At every level between two regions, blocks of the materials close a ring in plan.

    Doorways and windows at most three wide and three high are allowed, as long as at least half of the ring's
    columns stand from the lower region to the upper one. Walls that meet by an edge close a corner.

    Measures the cells that are enclosed at every level; at least one must be.
    """
    levels = _levels(scene, between)
    if levels is None:
        text = f"There is no level between {between[0]} and {between[1]}: 0 cells are enclosed."
        return finding(False, 0, "at least 1", text, scene.cells)
    wall = scene.blocks.is_material(materials.ids) & scene.structural
    found = ring(scene.cells[wall], *levels)
    number = int(found.inside.sum())
    if number:
        return finding(
            True, number, "at least 1", f"Walls of {materials} enclose {count(number, 'cell')}.", scene.cells[wall]
        )
    fault = found.leaks if len(found.leaks) else scene.cells[wall] if wall.any() else scene.cells
    where = f"; close the wall at {place(found.leaks)}" if len(found.leaks) else ""
    return finding(
        False,
        0,
        "at least 1",
        f"Walls of {materials} enclose 0 cells from {levels[0]} up to {levels[1]}{where}.",
        fault,
    )


@rule("shape")
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
    own = scene.cells[region.mask(scene)]
    verb = "lies over" if side == "above" else "lies under"
    if not len(cover) or not len(own):
        what = by if not len(cover) else region
        return finding(
            False, len(own), 0, f"There is no block in the region {what}: {len(own)} cells stay bare.", scene.cells
        )
    if part == "inside":
        own = _inside(own, cover, side)
        if not len(own):
            return finding(False, 0, 0, f"The region {region} encloses nothing: 0 cells could be covered.", scene.cells)
    bare = own[~_covered(own, cover, side)]
    columns = len({(x, z) for x, _, z in bare.tolist()})
    if not columns:
        return finding(True, 0, 0, f"The region {by} {verb} every cell.", cover)
    return finding(
        False,
        columns,
        0,
        f"The region {by} leaves {columns} {'cell' if columns == 1 else 'cells'} in plan bare, at {place(bare[:1])}"
        f"{' and others' if columns > 1 else ''}.",
        bare,
    )


def _inside(wall: Cells, cover: Cells, side: str) -> Cells:
    """(k, 3) int32: cells that the wall encloses, at its lowest (highest) level beneath (above) the cover."""
    if side == "above":
        levels = int(wall[:, 1].min()), min(int(wall[:, 1].max()), int(cover[:, 1].min()) - 1)
        at = levels[0]
    else:
        levels = max(int(wall[:, 1].min()), int(cover[:, 1].max()) + 1), int(wall[:, 1].max())
        at = levels[1]
    if levels[0] > levels[1]:
        return NO_CELLS
    return ring(wall, *levels).inside_cells(at)


def _covered(cells: Cells, cover: Cells, side: str) -> NDArray[np.bool_]:
    """(n,) bool: cells over (under) which a cell of the cover lies."""
    frame = Frame.around(cells, cover)
    _, stride, _ = frame.strides
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
