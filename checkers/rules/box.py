"""Closed boxes: is every cell of floor, walls and roof there, and how much room do they enclose?"""

from __future__ import annotations

import numpy as np

from minece.blocks import Cells, Frame, Mask
from minece.blocks.grid import unique_cells
from minece.checkers.parameters import Materials, Positive
from minece.checkers.registry import rule
from minece.checkers.rules.solids import gaps
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import count, place

_MOST_SHOWN = 1000
_MOST_TRIMMED = 64


@rule("shape")
def closed_box(
    scene: Scene,
    *,
    materials: Materials,
    inner_at_least: Positive,
    best: Positive | None = None,
    doorway: tuple[Positive, Positive] | None = None,
) -> Finding:
    """The blocks of the materials are the floor, the walls and the roof of one box, with room inside.

    The box may have any three sides and lie below ground, but every structural block of the materials belongs to it.
    Every cell of its outer layer must be there, each edge and each corner. ``doorway``: width and height of an opening
    that one wall may have, from the floor up and clear of the edges. ``inner_at_least``: so many cells inside must be
    free of blocks and soil. ``best``: the most that is possible; a complete box scores its share of it, or of
    ``inner_at_least`` where no ``best`` is given.

    Measures the free cells inside, the missing cells, those of a doorway left out, and the blocks outside the box.
    """
    required: Measure = {"inner_volume": {"at_least": inner_at_least}, "missing": 0, "outside": 0}
    mask = scene.structural & scene.blocks.is_material(materials.ids)
    cells = scene.cells[mask]
    if not len(cells):
        text = f"There is no structural block of {materials}, and so no box."
        return finding(False, {"inner_volume": 0, "missing": None, "outside": 0}, required, text, scene.cells)
    box = _main_box(scene, mask)
    inside, belongs = _inside(box), _within(cells, box)
    stray, cells = cells[~belongs], cells[belongs]
    lacking = box.volume - inside.volume - int((~_within(cells, inside)).sum())
    holes = _holes(cells, box)
    missing = 0 if doorway is not None and lacking == len(holes) and _is_doorway(holes, box, doorway) else lacking
    free, taken = _room(scene, inside)
    measured: Measure = {"inner_volume": free, "missing": missing, "outside": len(stray)}
    size = "×".join(map(str, box.size))
    text = f"The box of {materials} has {size} cells and {count(free, 'free cell')} inside"
    if missing or len(stray):
        if missing:
            text += f"; {missing} of its outer layer {'is' if missing == 1 else 'are'} missing: close "
            text += place(holes) if len(holes) == missing else f"{place(holes[:1])} and the others"
            if doorway is not None:
                text += f", or leave no more open than a doorway of {doorway[0]}×{doorway[1]} from the floor up"
        if len(stray):
            text += f"; {count(len(stray), 'block')} of {materials} outside: take away {place(stray)}"
        fault = np.concatenate([holes if missing else stray[:0], stray])
        return finding(False, measured, required, f"{text}.", unique_cells(fault))
    score = min(1.0, free / (best or inner_at_least))
    ok = free >= inner_at_least
    text += f"; at least {inner_at_least} {'was' if ok else 'is'} asked for"
    if ok:
        return finding(True, measured, required, f"{text}.", cells, score)
    if inside.volume < inner_at_least:
        return finding(False, measured, required, f"{text}: build a larger box.", cells, score)
    return finding(False, measured, required, f"{text}: clear {place(taken)}.", taken, score)


def _main_box(scene: Scene, mask: Mask) -> Frame:
    """The box that the largest part of some blocks makes, without what only sticks out from it.

    A layer whose outline is not even half there is no side of the box but a chimney, a step or the like. Whoever
    leaves nothing outside gets the bounding box: a doorway touches no outline.
    """
    labels = scene.parts[mask]
    sizes = np.bincount(labels)
    cells = scene.cells[mask][sizes[labels] == sizes.max()]
    whole = box = Frame.around(cells, pad=0)
    for _ in range(_MOST_TRIMMED):
        low = np.array(box.low, dtype=np.int64)
        ends = np.stack([cells == low, cells == low + box.size - 1], axis=2)
        at_end = ends[:, :, 0] | ends[:, :, 1]
        share = np.ones((3, 2))
        for axis in range(3):
            one, other = (i for i in range(3) if i != axis)
            outline = at_end[:, one] | at_end[:, other]
            full = box.size[one] * box.size[other] - max(box.size[one] - 2, 0) * max(box.size[other] - 2, 0)
            if box.size[axis] > 3:
                share[axis] = ends[outline, axis].sum(axis=0) / full
        if share.min() >= 0.5:
            return box
        # All layers that are as bare go at once: no direction comes first.
        bare = ends & (share == share.min())
        cells = cells[~np.logical_or.reduce(bare, axis=(1, 2))]
        if not len(cells):
            break
        box = Frame.around(cells, pad=0)
    return whole


def _inside(box: Frame) -> Frame:
    """The box without its outer layer; it may hold no cell."""
    x, y, z = (n - 2 for n in box.size)
    low = (box.low[0] + 1, box.low[1] + 1, box.low[2] + 1)
    return Frame(low, (x, y, z) if min(x, y, z) > 0 else (0, 0, 0))


def _within(cells: Cells, box: Frame) -> Mask:
    low = np.array(box.low, dtype=np.int64)
    within: Mask = np.logical_and.reduce((cells >= low) & (cells < low + box.size), axis=1)
    return within


def _holes(cells: Cells, box: Frame) -> Cells:
    """The missing cells of a box's outer layer, sorted; of very many the first of each side."""
    found = []
    low, size = list(box.low), list(box.size)
    for axis in (1, 0, 2):
        for end in dict.fromkeys((low[axis], low[axis] + size[axis] - 1)):
            corner = (*low[:axis], end, *low[axis + 1 :])
            sides = (*size[:axis], 1, *size[axis + 1 :])
            side = Frame((corner[0], corner[1], corner[2]), (sides[0], sides[1], sides[2]))
            if side.volume > 0:
                found.append(gaps(cells[_within(cells, side)], side))
        # What is left lies between the two sides.
        low[axis], size[axis] = low[axis] + 1, max(size[axis] - 2, 0)
    return unique_cells(np.concatenate(found))


def _is_doorway(holes: Cells, box: Frame, doorway: tuple[int, int]) -> bool:
    """Whether the holes are one opening of that width and height in a wall, from the floor up, clear of the edges."""
    wide, high = doorway
    if len(holes) != wide * high:
        return False
    low, size = holes.min(axis=0) - box.low, holes.max(axis=0) - holes.min(axis=0) + 1
    if size[1] != high or low[1] != 1 or low[1] + high >= box.size[1]:
        return False
    across, along = (0, 2) if size[0] == 1 and low[0] in (0, box.size[0] - 1) else (2, 0)
    in_wall = size[across] == 1 and low[across] in (0, box.size[across] - 1)
    return bool(in_wall and size[along] == wide and low[along] >= 1 and low[along] + wide < box.size[along])


def _room(scene: Scene, inside: Frame) -> tuple[int, Cells]:
    """How many cells hold neither block nor soil, and those that do; of very many only the first."""
    (x, y, z), (width, height, depth) = inside.low, inside.size
    blocks, dug = scene.cells[_within(scene.cells, inside)], scene.dug[_within(scene.dug, inside)]
    below = Frame((x, y, z), (width, min(height, max(-y, 0)), depth))
    known = np.concatenate([dug, blocks[blocks[:, 1] < 0]])
    soil = below.volume - len(known)
    taken = np.concatenate([blocks[:_MOST_SHOWN], gaps(known, below)]) if soil else blocks
    return inside.volume - len(blocks) - soil, unique_cells(taken)
