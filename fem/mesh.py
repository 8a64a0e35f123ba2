"""From cubes to a mesh: nodes, corners, neighbours, held nodes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minece.fem.elements import CORNERS, Floats

Ints = NDArray[np.int64]
Mask = NDArray[np.bool_]

FACE_CORNERS: Ints = np.array([np.flatnonzero(CORNERS[:, axis] == side) for axis in range(3) for side in (0, 1)])
"""(6, 4) int64: the corners of each face, in the order west, east, down, up, north, south."""
FACE_CORNERS.setflags(write=False)


@dataclass(frozen=True, eq=False)
class Mesh:
    """Equal cubes that share the nodes at their corners.

    Attributes
    ----------
    cubes : (m, 3) int64, whole coordinates of the cubes, in units of their side
    near : (m, 3) int64, the same with every empty stretch along an axis closed up to one cube
    corners : (m, 8) int64, node at each corner (order of :data:`minece.fem.elements.CORNERS`)
    nodes : (k, 3) int64, whole coordinates of the nodes
    side : metres
    """

    cubes: Ints
    near: Ints
    corners: Ints
    nodes: Ints
    side: float

    @classmethod
    def of(cls, cubes: Ints, side: float = 1.0) -> Mesh:
        """The mesh of m different cubes. However far apart they lie, memory follows their number."""
        near = _closed_up(cubes)
        _, high, deep = (near.max(axis=0) + 2).tolist() if len(near) else (0, 0, 0)
        steps = np.array([high * deep, deep, 1])
        keys = (near @ steps)[:, None] + CORNERS @ steps
        _, first, corners = np.unique(keys, return_index=True, return_inverse=True)
        corners = corners.reshape(keys.shape)
        nodes = cubes[first // 8] + CORNERS[first % 8]
        return cls(cubes, near, corners, nodes, side)

    def __len__(self) -> int:
        return len(self.cubes)

    @cached_property
    def neighbours(self) -> tuple[Ints, Ints]:
        """Two (f,) int64: the cubes on the two sides of each inner face."""
        # A cube is known by its first corner, which is the fifth, third or second corner of the cube before it.
        owner = np.full(len(self.nodes), -1, dtype=np.int64)
        owner[self.corners[:, 0]] = np.arange(len(self))
        ahead = owner[self.corners[:, [4, 2, 1]]]
        one, axis = np.nonzero(ahead >= 0)
        return one, ahead[one, axis]

    def nodes_of_faces(self, faces: Mask) -> Mask:
        """(k,) bool: the nodes of some faces, given as (m, 6) bool."""
        out = np.zeros(len(self.nodes), dtype=np.bool_)
        cubes, sides = np.nonzero(faces)
        out[self.corners[cubes[:, None], FACE_CORNERS[sides]]] = True
        return out


def summed(places: Ints, values: Floats, length: int) -> Floats:
    """(length,): what the values at each place add up to."""
    # Not np.add.at: with values that are broadcast it reads memory that was never written.
    return np.asarray(np.bincount(places, weights=values, minlength=length), dtype=np.float64)


def _closed_up(cubes: Ints) -> Ints:
    """The cubes with every empty stretch along an axis closed up to one cube: neighbours stay neighbours, and numbers
    made of the coordinates and tables over them stay small."""
    out = np.empty_like(cubes)
    for axis in range(3):
        present, place = np.unique(cubes[:, axis], return_inverse=True)
        steps = np.minimum(np.diff(present, prepend=present[:1]), 2)
        out[:, axis] = np.cumsum(steps)[place]
    return out
