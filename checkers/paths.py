"""The least way over all blocks of a build."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells
from minece.blocks.parts import Labels, label_by_faces
from minece.checkers.scene import Scene

_MOST_WORK = 400_000


def least_path(scene: Scene) -> tuple[int, bool]:
    """A bound below which no order of the blocks can come, in cells, and whether the distances between parts went
    into it.

    Inside each of m parts, joined by faces, a way over n blocks takes at least unit steps, n − m in all. Between the
    parts it takes at least the shortest tree that joins them, by the least |Δx| + |Δy| + |Δz| between any two. Where
    there are too many parts to measure all distances, each further part counts 2, the least that it can.
    """
    labels = _labels(scene)
    parts = int(labels.max())
    steps = len(labels) - parts
    if parts == 1:
        return steps, True
    surface = (scene.neighbours < 0).any(axis=1)
    if parts * int(surface.sum()) > _MOST_WORK:
        return steps + 2 * (parts - 1), False
    return steps + _shortest_tree(scene.cells[surface], labels[surface], parts), True


def _labels(scene: Scene) -> Labels:
    if scene.structural.all():
        return scene.parts
    return label_by_faces(scene.blocks, np.ones(len(scene.blocks), dtype=np.bool_))


def _shortest_tree(cells: Cells, labels: Labels, parts: int) -> int:
    """Length of the shortest tree that joins the parts, numbered from 1."""
    from scipy.sparse.csgraph import minimum_spanning_tree
    from scipy.spatial import cKDTree

    order = np.argsort(labels, kind="stable")
    cells = cells[order]
    starts = np.searchsorted(labels[order], np.arange(1, parts + 1))
    distance: NDArray[np.float64] = np.zeros((parts, parts))
    for part in range(parts - 1):
        begin, end = int(starts[part]), int(starts[part + 1])
        near, _ = cKDTree(cells[begin:end]).query(cells[end:], p=1)
        distance[part, part + 1 :] = np.minimum.reduceat(near, starts[part + 1 :] - end)
    return int(minimum_spanning_tree(distance).sum())
