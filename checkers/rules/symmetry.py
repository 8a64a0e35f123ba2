"""Alike on both sides, or not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minece.blocks import NO_CELLS, Cells, Mask
from minece.blocks.items import partners
from minece.blocks.parts import label_by_faces
from minece.checkers.mirror import Kind, Likeness, Solid, most_alike
from minece.checkers.outline import interior, parts_around, rooms_of
from minece.checkers.parameters import Materials, Share
from minece.checkers.registry import rule
from minece.checkers.rooms import FURNITURE
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import asked, count, place

ALIKE = Share(0.98)
UNLIKE = Share(0.9)

DOORS = Materials.read("#doors")


@rule("shape")
def symmetric(
    scene: Scene, *, at_least: Share = ALIKE, diagonal: bool = False, turns: bool = False, materials: bool = False
) -> Finding:
    """The build and its mirror image are the same, or nearly so.

    All vertical planes across the x and the z axis at half-cell steps are tried, and the best one counts. Its share
    is the number of cells that the build and its image have in common over those that they have together.

    Compared are the structural cells of one part that is joined by faces on and above the ground: the one with the
    most room inside, or where there are no rooms the largest (all that are equally large). Doors and windows, glazed
    or not, count as wall. A lamp or a heap that stands by itself is left out, and so are attachments and furniture,
    unless walls are made of them: beds, chests, work tables and the like, and whatever stands on the floor of a room
    without reaching the ceiling.

    ``diagonal``: planes along both diagonals count too. ``turns``: half turns about a vertical axis count too.
    ``materials``: cells are alike only where one block is the mirror image of the other.

    Measures the share, rounded down to four digits.
    """
    kinds: tuple[Kind, ...] = ("x", "z", *(("difference", "sum") if diagonal else ()), *(("turn",) if turns else ()))
    required: Measure = {"at_least": float(at_least)}
    solid, best = _best(scene, kinds, materials)
    if best is None:
        return _nothing(scene, required)
    ok = best.shared / best.union >= at_least
    measured = best.shared * 10_000 // best.union / 10_000
    text = f"The build is {measured:g} alike {best.words}; {asked(f'at least {at_least:g}', ok)}"
    if ok:
        return finding(True, measured, required, f"{text}.", solid.cells[best.matched])
    single = solid.cells[~best.matched]
    have = f"{count(len(single), 'cell')} {'has' if len(single) == 1 else 'have'} no partner"
    return finding(False, measured, required, f"{text}: {have}, at {place(single)}.", single)


@rule("shape")
def not_symmetric(scene: Scene, *, at_most: Share = UNLIKE, materials: bool = False) -> Finding:
    """The build differs from each of its mirror images.

    All vertical planes across the x and the z axis and along both diagonals are tried at half-cell steps; the one
    under which the build is most alike counts. A build may be like its own half turn. What is compared, and the
    share, are those of `symmetric`: a moved torch or chest, or windows on one side only, make nothing unlike.

    ``materials``: blocks that are not each other's mirror image make the build unlike too.

    Measures the share, rounded up to four digits.
    """
    required: Measure = {"at_most": float(at_most)}
    solid, best = _best(scene, ("x", "z", "difference", "sum"), materials)
    if best is None:
        return _nothing(scene, required)
    ok = best.shared / best.union <= at_most
    measured = -(-best.shared * 10_000 // best.union) / 10_000
    text = f"The build is {measured:g} alike {best.words}; {asked(f'at most {at_most:g}', ok)}"
    if ok:
        return finding(True, measured, required, f"{text}.", solid.cells[~best.matched])
    text += ": change the plan or the roof on one side of it"
    return finding(False, measured, required, f"{text}.", solid.cells[best.matched])


def _nothing(scene: Scene, required: Measure) -> Finding:
    return finding(False, None, required, "There is no structural block above ground to be compared.", scene.cells)


def _best(scene: Scene, kinds: tuple[Kind, ...], materials: bool) -> tuple[Solid, Likeness | None]:
    solid = scene.remember(("cells to compare",), lambda: _solid(scene))
    if not len(solid.cells):
        return solid, None
    key = ("most alike", kinds, materials)
    return solid, scene.remember(key, lambda: most_alike(solid, kinds, materials=materials))


def _solid(scene: Scene) -> Solid:
    """The cells that are compared; openings have no state."""
    blocks = scene.blocks
    above = scene.cells[:, 1] >= 0
    built = scene.structural & ~blocks.is_material(FURNITURE) & above
    if built.any():
        built &= ~scene.space.blocks_in(interior(scene))
    if not built.any():
        return Solid(NO_CELLS, np.empty(0, dtype=np.int64), blocks.palette)
    # What is joined below the ground alone is not one building.
    parts = label_by_faces(blocks, scene.structural & above)
    size = _roominess(scene, parts)
    if not size.any():
        size = np.bincount(parts[built], minlength=len(size))
    part = built & (size == size.max())[parts]
    part |= _walling(scene, part) & above
    cells, state = scene.cells[part], blocks.index[part].astype(np.int64)
    free = _openings_in(scene, part)
    if len(free):
        cells, state = np.concatenate([cells, free]), np.append(state, np.full(len(free), -1))
        order = np.lexsort(cells.T[::-1])
        cells, state = cells[order], state[order]
    return Solid(cells, state, blocks.palette)


def _roominess(scene: Scene, parts: NDArray[np.int32]) -> NDArray[np.int64]:
    """(p,) int64: the floor of all rooms in each part."""
    those = rooms_of(scene)
    out = np.zeros(int(parts.max()) + 1, dtype=np.int64)
    for room, part in zip(those, parts_around(scene, those, parts), strict=True):
        out[part] += room.area * (part > 0)
    return out


def _walling(scene: Scene, part: Mask) -> Mask:
    """(n,) bool: blocks within the box around the mask that are wall by what they do, whatever they are: doors,
    shelves, trapdoors or leaves with one volume of air on one side and another, or the outside, right opposite; doors
    that touch the mask where no air is enclosed at all."""
    low, high = scene.cells[part].min(axis=0), scene.cells[part].max(axis=0)
    space, enclosure = scene.space, scene.enclosure
    near = space.blocks_in(enclosure.closing) & ~part & ((scene.cells >= low) & (scene.cells <= high)).all(axis=1)
    rows = np.flatnonzero(near)
    out = np.zeros(len(near), dtype=np.bool_)
    if not len(rows):
        return out
    leaf = enclosure.leaf.reshape(-1)
    volume = np.where(enclosure.closing | enclosure.openings.all, -1, enclosure.volume).reshape(-1)
    at = space.position[rows]
    indoors = np.zeros(len(rows), dtype=np.bool_)
    for step in space.strides:
        # In a wall two cells thick a door may have another one behind it.
        one, other = (volume[np.where(leaf[at] & leaf[at + way], at + 2 * way, at + way)] for way in (-step, step))
        out[rows] |= (one >= 0) & (other >= 0) & (one != other)
        indoors |= (one > 0) | (other > 0)
    door = scene.blocks.is_material(DOORS.ids)
    if door[rows].any():
        touch = ((scene.neighbours[rows] >= 0) & part[scene.neighbours[rows]]).any(axis=1)
        out[rows] |= door[rows] & touch & ~indoors
        other_half = partners(scene.blocks)
        out |= door & (other_half >= 0) & out[other_half]
    return out


def _openings_in(scene: Scene, part: Mask) -> Cells:
    """(k, 3) int32: cells of open doorways and windows on or above the ground under lintels of the mask."""
    space, opening = scene.space, scene.enclosure.openings.walls.reshape(-1)
    at = np.flatnonzero(opening)
    lintel = at.copy()
    while (within := opening[lintel]).any():
        lintel[within] += space.strides[1]
    carrying = np.zeros(len(opening), dtype=np.bool_)
    carrying[space.position[part]] = True
    cells = space.cells(at[carrying[lintel]])
    return cells[cells[:, 1] >= 0]
