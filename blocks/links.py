"""Groups of linked things."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]

_FEW = 400


def components(size: int, one: Numbers, other: Numbers) -> tuple[Numbers, int]:
    """(size,) int64: number of the group of each of ``size`` things, from 0 in the order of the groups' first
    members, and the number of groups. ``one`` and ``other`` (m,) are the ends of the links."""
    if size + len(one) <= _FEW:
        return _components_of_few(size, one, other)
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(one), dtype=np.int8), (one, other)), shape=(size, size))
    number, labels = connected_components(graph, directed=False)
    first = np.full(number, size, dtype=np.int64)
    np.minimum.at(first, labels, np.arange(size))
    rank = np.empty(number, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(number)
    return rank[labels], int(number)


def _components_of_few(size: int, one: Numbers, other: Numbers) -> tuple[Numbers, int]:
    """The same by a disjoint-set forest: a sparse matrix costs more to set up than few links cost to follow."""
    parent = list(range(size))

    def root(node: int) -> int:
        while parent[node] != node:
            parent[node] = node = parent[parent[node]]
        return node

    for a, b in zip(one.tolist(), other.tolist(), strict=True):
        a, b = root(a), root(b)
        # The smaller number stays the root, so that roots come in the order of the groups' first members.
        parent[max(a, b)] = min(a, b)
    roots = [root(node) for node in range(size)]
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(r, len(numbers)) for r in roots], dtype=np.int64), len(numbers)
