"""What carries what: which blocks of a build are joined to the ground, and how attachments, leaves, sand hang on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Mask
from minece.blocks.catalogue import materials
from minece.blocks.grid import DOWN, UP
from minece.blocks.palette import ALONE, UPPER
from minece.blocks.parts import label_by_faces, vertical_runs

if TYPE_CHECKING:
    from minece.checkers.scene import Scene

VINE = frozenset({"vine"})
PANELS = materials("#trapdoors, #fence_gates")


def carried(scene: Scene) -> Mask:
    """(n,) bool: blocks that stand.

    Structural blocks stand when faces of structural blocks join them to one that rests on soil. Sand and gravel need
    a block or soil under them first. Attachments stand when a face that may hold them belongs to something that
    stands (chains resolve), leaves when they hang on a standing log, lie on something that stands, or touch leaves
    that do. Fluids always count as standing.
    """
    members, labels = scene.structural, scene.parts
    if scene.gravity.any():
        members = members & ~_falling(scene)
        labels = label_by_faces(scene.blocks, members)
    grounded = np.zeros(labels.max(initial=0) + 1, dtype=np.bool_)
    grounded[labels[members & scene.resting]] = True
    grounded[0] = False
    out = grounded[labels] | scene.fluid
    if len(scene.hanging):
        _hang(scene, scene.hanging, out)
    return out


def _falling(scene: Scene) -> Mask:
    """(n,) bool: sand and its like that lie on nothing that carries load."""
    sand = np.flatnonzero(scene.gravity)
    heaps = vertical_runs(scene.cells[sand])
    foot = sand[heaps.order[heaps.start]]
    below = scene.neighbours[foot, DOWN]
    held = scene.soil_faces[foot, DOWN] | ((below >= 0) & scene.structural[below])
    out = np.zeros(len(scene.blocks), dtype=np.bool_)
    out[sand[heaps.order]] = np.repeat(~held, heaps.length)
    return out


def grips(scene: Scene, rows: NDArray[np.int64], soil_faces: Mask) -> tuple[Mask, Mask]:
    """How blocks that carry nothing may be held: (k, 6) bool, faces whose neighbour may hold each of k blocks, and
    (k,) bool, blocks that the soil behind ``soil_faces`` (n, 6) holds.

    Attachments are held through the faces that the game wants, and by attachments only of their own kind where that
    grows or hangs in columns (vine under vine; the upper half of a door stands on the lower one alone), or by gates and
    trapdoors, which are as solid as a table. Leaves are held
    by logs and leaves on any side and by anything below, others (cobwebs, lily pads) by anything around, water too.
    """
    table, state = scene.blocks.table, scene.blocks.index
    faces = table.hold_faces[state[rows]]
    attached = scene.attachment[rows]
    faces[~attached] = True
    near = scene.neighbours[rows]
    stacking = table.matches(materials("#stacking")) | (table.half != ALONE)
    alike = (table.kind[state[near]] == table.kind[state[rows]][:, None]) & stacking[state[near]]
    solid = ~scene.attachment[near] | scene.blocks.is_material(PANELS)[near]
    faces[:, UP] |= scene.blocks.is_material(VINE)[rows] & alike[:, UP]
    upper = table.half[state[rows]] == UPPER
    by_soil: Mask = np.logical_or.reduce(soil_faces[rows] & faces, axis=1) & ~upper
    faces &= np.where(upper[:, None], alike, alike | solid | ~attached[:, None])
    leaf = scene.leaves[rows]
    if leaf.any():
        log = scene.blocks.is_material(materials("#logs"))
        faces[leaf] &= scene.leaves[near[leaf]] | log[near[leaf]]
        faces[leaf, DOWN] = True
    wet = scene.fluid[near] & (scene.attachment[rows] | leaf)[:, None]
    return faces & (near >= 0) & ~wet, by_soil


def _hang(scene: Scene, rows: NDArray[np.int64], out: Mask) -> None:
    """Add to ``out`` the attachments, leaves and passable blocks of ``rows`` that hang on something that stands."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import breadth_first_order

    may, held = grips(scene, rows, scene.soil_faces)
    near = scene.neighbours[rows]
    held = held | np.logical_or.reduce(may & out[near], axis=1)
    place = np.full(len(scene.blocks), -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    holder = np.where(may, place[near], -1)
    hangs, face = np.nonzero(holder >= 0)
    first = np.flatnonzero(held)
    # One node more, the last, holds all that is held without others.
    source = np.full(len(first), len(rows))
    links = np.concatenate([holder[hangs, face], source]), np.concatenate([hangs, first])
    graph = coo_array((np.ones(len(links[0]), dtype=np.int8), links), shape=(len(rows) + 1, len(rows) + 1))
    reached = breadth_first_order(graph.tocsr(), len(rows), return_predecessors=False)
    out[rows[reached[reached < len(rows)]]] = True
