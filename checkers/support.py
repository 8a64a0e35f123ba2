"""What carries what: which blocks of a build are joined to the ground, and how attachments, leaves, sand hang on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Mask
from minece.blocks.catalogue import materials
from minece.blocks.grid import DOWN
from minece.blocks.parts import label_by_faces

if TYPE_CHECKING:
    from minece.checkers.scene import Scene


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
    """(n,) bool: sand and its like with nothing under it."""
    below = scene.neighbours[:, DOWN]
    firm = scene.structural & ~scene.gravity
    held = firm | (scene.gravity & scene.soil_faces[:, DOWN])
    while True:
        more = ~held & scene.gravity & (below >= 0) & held[below]
        if not more.any():
            return scene.gravity & ~held
        held |= more


def grips(scene: Scene, rows: NDArray[np.int64], soil_faces: Mask) -> tuple[Mask, Mask]:
    """How blocks that carry nothing may be held: (k, 6) bool, faces whose neighbour may hold each of k blocks, and
    (k,) bool, blocks that the soil behind ``soil_faces`` (n, 6) holds.

    Attachments are held through the faces that the game wants, leaves by logs and leaves on any side and by anything
    below, others (cobwebs, lily pads) by anything around, water too.
    """
    faces = scene.blocks.table.hold_faces[scene.blocks.index[rows]]
    faces[~scene.attachment[rows]] = True
    near = scene.neighbours[rows]
    by_soil: Mask = np.logical_or.reduce(soil_faces[rows] & faces, axis=1)
    leaf = scene.leaves[rows]
    if leaf.any():
        log = scene.blocks.is_material(materials("#logs"))
        faces[leaf] &= scene.leaves[near[leaf]] | log[near[leaf]]
        faces[leaf, DOWN] = True
    wet = scene.fluid[near] & (scene.attachment[rows] | leaf)[:, None]
    return faces & (near >= 0) & ~wet, by_soil


def _hang(scene: Scene, rows: NDArray[np.int64], out: Mask) -> None:
    """Add to ``out`` the attachments, leaves and passable blocks of ``rows`` that hang on something that stands."""
    may, held = grips(scene, rows, scene.soil_faces)
    near = scene.neighbours[rows]
    while True:
        out[rows] |= held
        now: Mask = np.logical_or.reduce(may & out[near], axis=1)
        if not (now & ~out[rows]).any():
            return
        held = now
