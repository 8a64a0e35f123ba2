"""Parts of a build: groups of blocks joined by faces, and vertical runs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from minece.blocks.blockset import BlockSet
from minece.blocks.grid import Cells, Mask
from minece.blocks.links import components

Labels = NDArray[np.int32]

_BY_FACES = np.zeros((3, 3, 3), dtype=np.bool_)
_BY_FACES[1, 1, :] = _BY_FACES[1, :, 1] = _BY_FACES[:, 1, 1] = True

_DENSE_PER_BLOCK = 64
_MOST_DENSE = 2**27


def label_by_faces(blocks: BlockSet, mask: Mask) -> Labels:
    """(n,) int32: number of the face-connected group of each block of the mask, from 1 in the order of the groups'
    first cells; 0 outside the mask.

    Compact builds are labelled in a dense box, scattered ones through their neighbours, with the same result.
    """
    volume = blocks.frame.volume
    if volume <= max(2**16, _DENSE_PER_BLOCK * len(blocks)) and volume <= _MOST_DENSE:
        from scipy import ndimage

        dense = np.empty(blocks.frame.size, dtype=np.int32)
        ndimage.label(blocks.dense(mask), structure=_BY_FACES, output=dense)
        return dense.reshape(-1)[blocks.keys]
    return label_by_links(blocks, mask)


def label_by_links(blocks: BlockSet, mask: Mask) -> Labels:
    """The same as :func:`label_by_faces`, whatever the box."""
    out = np.zeros(len(blocks), dtype=np.int32)
    members = np.flatnonzero(mask)
    if not len(members):
        return out
    place = np.full(len(blocks), -1, dtype=np.int64)
    place[members] = np.arange(len(members))
    ahead = blocks.neighbours[members][:, 1::2]
    linked = (ahead >= 0) & mask[ahead]
    one = np.nonzero(linked)[0]
    other = place[ahead[linked]]
    labels, _ = components(len(members), one, other)
    out[members] = labels + 1
    return out


class Runs(NamedTuple):
    """Unbroken vertical runs of cells.

    ``order`` (k,) int64: positions of the cells run by run, each from the bottom up; ``start`` (r,) and ``stop`` (r,)
    int64: where in ``order`` each run begins and ends.
    """

    order: NDArray[np.int64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]

    @property
    def length(self) -> NDArray[np.int64]:
        """(r,) int64: cells of each run."""
        return self.stop - self.start


def vertical_runs(cells: Cells) -> Runs:
    """The runs of k distinct cells that lie one upon another."""
    if not len(cells):
        none = np.empty(0, dtype=np.int64)
        return Runs(none, none, none)
    x, y, z = (cells.astype(np.int64) - cells.min(axis=0)).T
    # One free number on top of every column, so that only cells one upon another have neighbouring numbers.
    number = (x * (int(z.max()) + 1) + z) * (int(y.max()) + 2) + y
    order = np.argsort(number)
    number = number[order]
    last = np.ones(len(number), dtype=np.bool_)
    last[:-1] = number[1:] - number[:-1] != 1
    ends = np.flatnonzero(last) + 1
    start = np.zeros_like(ends)
    start[1:] = ends[:-1]
    return Runs(order, start, ends)
