"""Groups of linked things."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


def components(size: int, one: Numbers, other: Numbers) -> tuple[Numbers, int]:
    """(size,) int64: number of the group of each of ``size`` things, from 0 in the order of the groups' first
    members, and the number of groups. ``one`` and ``other`` (m,) are the ends of the links."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    graph = coo_array((np.ones(len(one), dtype=np.int8), (one, other)), shape=(size, size))
    number, labels = connected_components(graph, directed=False)
    first = np.full(number, size, dtype=np.int64)
    np.minimum.at(first, labels, np.arange(size))
    rank = np.empty(number, dtype=np.int64)
    rank[np.argsort(first)] = np.arange(number)
    return rank[labels], int(number)
