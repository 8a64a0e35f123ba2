"""The order of elimination: geometric nested dissection, as a tree of fronts.

The cubes are cut by planes into halves, those again, and so on. Going back up, the nodes that no cube outside of a
half touches are eliminated there; what remains is its boundary, which the half above takes over. A front is one such
step. Its sizes are known before any number is calculated, and with them the cost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minece.fem.mesh import Ints, Mesh

_LEAF = 32
_MIDDLE = 0.3


@dataclass(frozen=True, eq=False)
class Front:
    """One step of elimination.

    ``own`` are the nodes that are eliminated, ``boundary`` those that are passed on, ``cubes`` what is assembled here
    (nothing but at the leaves), ``parts`` the numbers of the fronts whose boundaries come together here.
    """

    own: Ints
    boundary: Ints
    cubes: Ints
    parts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cost:
    """What direct solution takes: floating point operations, and bytes of the factor and of the largest steps."""

    operations: float
    memory: float


def dissect(mesh: Mesh) -> list[Front]:
    """The fronts of a mesh, each after its parts."""
    fronts: list[Front] = []
    cubes_at = np.bincount(mesh.corners.ravel(), minlength=len(mesh.nodes))

    def finish(nodes: Ints, counts: Ints, cubes: Ints, parts: tuple[int, ...]) -> tuple[Ints, Ints, int]:
        whole = counts == cubes_at[nodes]
        fronts.append(Front(nodes[whole], nodes[~whole], cubes, parts))
        return nodes[~whole], counts[~whole], len(fronts) - 1

    def walk(rows: Ints) -> tuple[Ints, Ints, int]:
        if len(rows) <= _LEAF:
            nodes, counts = np.unique(mesh.corners[rows], return_counts=True)
            return finish(nodes, counts, rows, ())
        before = _cut(mesh.near[rows])
        one, other = walk(rows[before]), walk(rows[~before])
        nodes, place = np.unique(np.concatenate([one[0], other[0]]), return_inverse=True)
        counts = np.bincount(place, weights=np.concatenate([one[1], other[1]])).astype(np.int64)
        return finish(nodes, counts, np.empty(0, dtype=np.int64), (one[2], other[2]))

    if len(mesh):
        walk(np.arange(len(mesh)))
    return fronts


def _cut(cubes: Ints) -> NDArray[np.bool_]:
    """(m,) bool: the cubes before the plane that halves them best: few cubes at the plane, and much alike halves."""
    low = cubes.min(axis=0)
    best = (np.inf, np.inf, 0, 0)
    for axis in range(3):
        layers = np.bincount(cubes[:, axis] - low[axis])
        before = np.cumsum(layers)[:-1] / len(cubes)
        meeting = np.minimum(layers[:-1], layers[1:])
        uneven = np.abs(before - 0.5)
        fits = uneven <= 0.5 - _MIDDLE
        if not fits.any() and len(uneven):
            fits = uneven == uneven.min()
        for plane in np.flatnonzero(fits).tolist():
            outside = max(0.0, float(uneven[plane]) - 0.5 + _MIDDLE)
            choice = (float(meeting[plane]) * (1.0 + 8.0 * outside), float(uneven[plane]), axis, plane)
            best = min(best, choice)
    _, _, axis, plane = best
    out: NDArray[np.bool_] = cubes[:, axis] - low[axis] <= plane
    return out


def operations(fronts: list[Front]) -> NDArray[np.float64]:
    """(f,) floating point operations of each front, where every node has three unknowns."""
    own = 3.0 * np.array([len(front.own) for front in fronts])
    boundary = 3.0 * np.array([len(front.boundary) for front in fronts])
    out: NDArray[np.float64] = own**3 / 3 + own**2 * boundary + own * boundary**2
    return out


def cost(fronts: list[Front]) -> Cost:
    """The cost of a direct solution in which every node has three unknowns."""
    own = 3.0 * np.array([len(front.own) for front in fronts])
    boundary = 3.0 * np.array([len(front.boundary) for front in fronts])
    factor = own * (own + boundary)
    # The largest front is held together with the boundaries of its parts.
    return Cost(
        float(operations(fronts).sum()), 8.0 * float(factor.sum() + 3 * ((own + boundary) ** 2).max(initial=0.0))
    )
