"""Where somebody one cell wide and 1.8 blocks high can stand, and from where to where he gets.

Heights are in sixteenths of a block. A **footing** is a cell that holds the walker's feet: on top of something lower
than a block in that cell, on what reaches the top of the cell below or beyond it, or in a cell that is climbed. It
needs 29 sixteenths of free height. **Moves** lead to footings of the four columns beside; how far up or down a move
goes is measured between the heights of the two sides that face each other (a stair is half a block high on its low
side), head room between the feet; who stands on a stair's high part may jump from there. Up and down what is climbed
one moves within the column.

Choices where the rule leaves several:

- A cell with something lower than a block in it is stood on at that thing's top, whatever reaches up from below (a
  carpet on a fence: 1).
- A climbed cell with support below has its foot on that support (a ladder upon a fence: 8).
- A hatch is a trapdoor right above a ladder, vine or scaffolding; a trapdoor above a hatch is an ordinary trapdoor.
- From the lowest climbed cell of a column one gets down to every footing of the three cells below that head room and
  a fall of 3 blocks allow. From right below it one gets up, from deeper down not.
- Only standing footings take part in step-free walks; where such a walk starts in mid-ladder it ends there too.
- Walkers wider than one cell stand on standing footings only: nobody wider than a ladder climbs it. They set out from
  every footprint that covers a footing of the start; a footing of the start that no footprint covers is not reached.
- Water plants are passed like plants on land; only water, lava and bubbles are fluid.
"""

from __future__ import annotations

from functools import cached_property
from math import ceil
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order

from minece.blocks import Mask
from minece.blocks.grid import DOWN, EAST, SIDES, SOUTH, UP
from minece.checkers.space import Flat, Space
from minece.checkers.stepping import BLOCK, CARRIES, CLIMB, OWN, SteppingTable

Numbers: TypeAlias = NDArray[np.int32]
"""(k,) int32: numbers of footings, or heights."""

TALL = 29
"""Height of the walker."""
FLUSH = 2
"""Differences up to this are no step."""
STEP = 9
"""The highest step that is walked: half a block, and a carpet."""
JUMP = 18
"""The highest step that is jumped: a block, and what is flush with it."""
OFF = BLOCK + STEP
"""The highest step off a ladder: from the top of its cell."""
FALL = 48
"""The deepest fall."""
MOST_CLEAR = 64 + TALL
"""Free height is told up to here: more than a walker asks for before the deepest fall."""

_ENDLESS = 8 * BLOCK
_CHUNK = 1 << 13
"""Footings whose neighbours are looked up at a time, so that the tables stay in the processor's cache."""


class _Moves(NamedTuple):
    tail: Numbers
    head: Numbers
    rise: NDArray[np.int16]
    side: NDArray[np.int8]


class _Graph(NamedTuple):
    """The links from footing i are ``head[start[i] : start[i + 1]]``; one node more than footings, without links
    here, is where a search begins."""

    start: Numbers
    head: Numbers


class Walker:
    """The footings of a space and the moves between them.

    Attributes
    ----------
    space : the space
    at : (m,) int64, flat numbers of the footings' cells, ascending
    foot : (m,) int16, height of the feet above the bottom of the cell, 0 to 15
    height : (m,) int32, ``16 * index along y + foot``
    clear : (m,) int16, free height above the feet, at most :data:`MOST_CLEAR`
    stand : (m,) bool, something carries the walker; false in mid-ladder
    climb : (m,) bool, the cell is climbed
    number : (X, Y, Z) int32, number of the footing in each cell, -1 where there is none
    outside : (m,) bool, on the outermost ring of columns, the untouched ground around the build
    """

    def __init__(self, space: Space) -> None:
        self.space = space
        table = SteppingTable.of(space.blocks.palette)
        state = _with_hatches(space.state, table)
        kind = table.kind.take(state)
        found = kind & (OWN | CLIMB)
        found[:, 1:] |= (kind[:, 1:] << 1) & kind[:, :-1] & CARRIES

        _, deep, wide = space.shape
        at: Flat = np.flatnonzero(found != 0)
        found = found.reshape(-1)[at]
        upon = (found & OWN) == 0
        stand = (found & (OWN | CARRIES)) != 0
        # Support of a mid-ladder footing: as if the cell below were soil.
        support = np.where(stand, state.reshape(-1)[at - wide * upon], space.soil)
        foot = table.top[support] - BLOCK * upon.astype(np.int16)
        clear = np.minimum(BLOCK - foot + _free(table.free.take(state)).reshape(-1)[at + wide], MOST_CLEAR)

        fits = clear >= TALL
        if not fits.all():
            at, found, upon, stand, support = at[fits], found[fits], upon[fits], stand[fits], support[fits]
            foot, clear = foot[fits], clear[fits]
        row, z = np.divmod(at, wide)
        x, y = np.divmod(row, deep)
        base = (BLOCK * y).astype(np.int32)
        self.at = at
        self.foot: NDArray[np.int16] = foot
        self.clear: NDArray[np.int16] = clear
        self.stand: Mask = stand
        self.climb: Mask = (found & CLIMB) != 0
        self.height: Numbers = base + foot
        self.number: NDArray[np.int32] = np.full(space.shape, -1, dtype=np.int32)
        self.number.reshape(-1)[at] = np.arange(len(at))
        # (m, 4) bool: whether the space ends at the west, east, north and south side.
        self._ends: Mask = np.stack([x == 0, x == space.shape[0] - 1, z == 0, z == wide - 1], axis=1)
        self.outside: Mask = np.logical_or.reduce(self._ends, axis=1)
        # (m, 4) int16: heights of the sides above the bottom of the footing's cell.
        self._lips: NDArray[np.int16] = table.lips[support] - BLOCK * upon.astype(np.int16)[:, None]
        self._roof: Numbers = self.height + clear - TALL
        self._graphs: dict[tuple[bool, bool, bool, bool], _Graph] = {}
        for array in (at, foot, clear, stand, self.climb, self.height, self.number, self.outside):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.at)

    @property
    def tail(self) -> Numbers:
        """(e,) int32, ascending: the footing that each move leaves."""
        return self._moves.tail

    @property
    def head(self) -> Numbers:
        """(e,) int32: the footing that each move leads to."""
        return self._moves.head

    @property
    def rise(self) -> NDArray[np.int16]:
        """(e,) int16: how far up each move goes, from -48 to 25, between the sides that face each other."""
        return self._moves.rise

    @property
    def side(self) -> NDArray[np.int8]:
        """(e,) int8: the side toward which each move goes, a place in ``FACES``; up and down within a column."""
        return self._moves.side

    @cached_property
    def _moves(self) -> _Moves:
        parts = [self._beside(first, min(first + _CHUNK, len(self))) for first in range(0, len(self), _CHUNK)]
        if self.climb.any():
            parts.append(self._within())
        moves = parts[0]
        if len(parts) > 1:
            moves = _Moves(
                tail=np.concatenate([part.tail for part in parts]),
                head=np.concatenate([part.head for part in parts]),
                rise=np.concatenate([part.rise for part in parts]),
                side=np.concatenate([part.side for part in parts]),
            )
        if self.climb.any():
            order = np.argsort(moves.tail, kind="stable")
            moves = _Moves(moves.tail[order], moves.head[order], moves.rise[order], moves.side[order])
        for array in moves:
            array.setflags(write=False)
        return moves

    @cached_property
    def _ways(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(j,) int64 each: which of the four sides a step goes to, and its distance in flat numbers.

        The heights of sides lie so far apart at most that no other step can be a move.
        """
        spread = int(self._lips.max() - self._lips.min())
        levels = np.arange(ceil((-FALL - spread) / BLOCK), (OFF + spread) // BLOCK + 1)
        across, along, _ = self.space.strides
        aside = np.array([-across, across, -1, 1])
        return np.repeat(np.arange(4), len(levels)), np.add.outer(aside, along * levels).reshape(-1)

    def _beside(self, first: int, last: int) -> _Moves:
        """The moves to other columns from the footings ``first`` up to ``last``."""
        sides, steps = self._ways
        # What lies beyond the space is clipped, or wraps to another column's uppermost or lowest cells: no footings
        # either. Only sideways wraps could be taken for neighbours.
        found = self.number.reshape(-1).take(self.at[first:last, None] + steps, mode="clip")
        rim = np.flatnonzero(self.outside[first:last])
        found[rim] = np.where(self._ends[first + rim][:, sides], -1, found[rim])
        found = found.reshape(-1)
        hit = np.flatnonzero(found >= 0)
        head = found[hit]
        tail, way = np.divmod(hit, len(steps))
        tail += first
        side = sides[way]
        up = self.height[head] - self.foot[head] - (self.height[tail] - self.foot[tail])
        lip = up + self._lips[head, side ^ 1]
        rise = lip - self._lips[tail, side]
        # Whoever stands on the high part of a stair jumps from there.
        rise = np.where(rise > JUMP, np.maximum(lip - self.foot[tail], STEP + 1), rise)
        allowed = (rise <= np.where(self.climb[tail], OFF, JUMP)) & (rise >= -FALL)
        allowed &= (self._roof[tail] >= self.height[head]) & (self._roof[head] >= self.height[tail])
        tail, head, rise, side = tail[allowed], head[allowed], rise[allowed], side[allowed]
        return _Moves(tail.astype(np.int32), head, rise.astype(np.int16), np.array(SIDES, dtype=np.int8)[side])

    def _within(self) -> _Moves:
        """The moves up and down within columns, from climbed cells and onto the lowest of them."""
        climbing = np.flatnonzero(self.climb)
        levels = np.array([1, -1, -2, -3])
        found = self.number.reshape(-1)[self.at[climbing, None] + self.space.strides[1] * levels]
        climbed = (found >= 0) & self.climb[found]
        lowest = ~climbed[:, 1]
        rise = self.height[found] - self.height[climbing, None]
        allowed = (found >= 0) & lowest[:, None] & (rise >= -FALL) & (self._roof[found] >= self.height[climbing, None])
        allowed[:, 0] = False
        allowed[:, :2] |= climbed[:, :2]
        row, way = np.nonzero(allowed)
        side = np.where(levels > 0, UP, DOWN).astype(np.int8)
        # Somebody who stands right below the lowest rung reaches it.
        below = found[:, 1]
        onto = np.flatnonzero((below >= 0) & lowest & (self._roof[below] >= self.height[climbing]))
        tail, rung = below[onto], climbing[onto]
        return _Moves(
            tail=np.concatenate([climbing[row], tail]).astype(np.int32),
            head=np.concatenate([found[row, way], rung]).astype(np.int32),
            rise=np.concatenate([rise[row, way], self.height[rung] - self.height[tail]]).astype(np.int16),
            side=np.concatenate([side[way], np.full(len(onto), UP, dtype=np.int8)]),
        )

    def reach(
        self,
        start: Mask,
        *,
        jump: bool = True,
        step_free: bool = False,
        ramps: bool = False,
        width: int = 1,
        without: Mask | None = None,
        backward: bool = False,
    ) -> Mask:
        """(m,) bool: the footings that a walker reaches from those of ``start``.

        ``jump`` allows steps up to a block; without it half a block is the most, except off a ladder. ``step_free``
        allows only flush moves between standing footings, with ``ramps`` slopes of half blocks too. A walker of
        ``width`` w takes w × w footings, all neighbours among them joined by moves that are allowed both ways; he
        moves column by column, and reaches what his footprints cover. Footings of ``without`` are taken out of the
        graph. ``backward`` asks from where one gets to ``start``.
        """
        begin = start if without is None else start & ~without
        if width > 1:
            return self._reach_wide(begin, self._allowed(jump, step_free, ramps), width, without)
        key = (jump, step_free, ramps, backward)
        if without is not None:
            return _spread(self._graph(key, without), begin)
        if key not in self._graphs:
            self._graphs[key] = self._graph(key, None)
        return _spread(self._graphs[key], begin)

    def _allowed(self, jump: bool, step_free: bool, ramps: bool) -> Mask | None:
        """(e,) bool: the moves that a kind of walker may take; None means all."""
        tail, head, rise, _ = self._moves
        if step_free:
            most = STEP if ramps else FLUSH
            level = (rise <= most) & (rise >= -most)
            return level if self.stand.all() else level & self.stand[tail] & self.stand[head]
        return None if jump else (rise <= STEP) | self.climb[tail]

    def _graph(self, key: tuple[bool, bool, bool, bool], without: Mask | None) -> _Graph:
        jump, step_free, ramps, backward = key
        allowed = self._allowed(jump, step_free, ramps)
        tail, head = self.tail, self.head
        if without is not None:
            free = ~(without[tail] | without[head])
            allowed = free if allowed is None else allowed & free
        if allowed is not None:
            tail, head = tail[allowed], head[allowed]
        if backward:
            order = np.argsort(head, kind="stable")
            tail, head = head[order], tail[order]
        return _graph(len(self), tail, head)

    def _reach_wide(self, begin: Mask, allowed: Mask | None, width: int, without: Mask | None) -> Mask:
        """The footings that reached footprints cover. Moves of a wide walker can all be undone, so there is no
        direction."""
        tail, head, _, side = self._moves
        both = self.stand[tail] & self.stand[head]
        if allowed is not None:
            both &= allowed
        if without is not None:
            both &= ~(without[tail] | without[head])
        nobody = len(self)
        tail, head, side = tail[both], head[both], side[both]
        there, back = tail * np.int64(nobody) + head, head * np.int64(nobody) + tail
        both = np.isin(back, there)
        # (m + 1,) each: the one footing joined both ways to the east and to the south; m where there is none. Two
        # such footings in one column would leave no head room between them.
        east = np.full(nobody + 1, nobody, dtype=np.int32)
        south = east.copy()
        for onto, toward in ((east, EAST), (south, SOUTH)):
            chosen = both & (side == toward)
            onto[tail[chosen]] = head[chosen]
        corner = south[east]
        # (m + 1,) bool: footings at the north-western corner of a footprint: of 2 × 2, then of one more each time,
        # which is four of those before.
        fits: Mask = (corner < nobody) & (east[south] == corner)
        for _ in range(width - 2):
            if not fits.any():
                break
            fits = fits & fits[east] & fits[south] & fits[corner]
        if not fits.any():
            return fits[:nobody]
        first = np.append(begin, False)
        for _ in range(width - 1):
            first = first | first[east] | first[south] | first[corner]
        ways = [np.flatnonzero(fits & fits[onto]).astype(np.int32) for onto in (east, south)]
        ends = [east[ways[0]], south[ways[1]]]
        tails, heads = np.concatenate(ways + ends), np.concatenate(ends + ways)
        order = np.argsort(tails, kind="stable")
        reached = _spread(_graph(nobody + 1, tails[order], heads[order]), first & fits)
        for _ in range(width - 1):
            among = np.flatnonzero(reached)
            for onto in (east, south, corner):
                reached[onto[among]] = True
        return reached[:nobody]


def _with_hatches(state: NDArray[np.int32], table: SteppingTable) -> NDArray[np.int32]:
    """The states of the cells, trapdoors right above what is climbed made hatches."""
    if not table.hatches:
        return state
    hatch = table.trapdoor[state[:, 1:]] & ((table.kind[state[:, :-1]] & CLIMB) != 0)
    if not hatch.any():
        return state
    out = state.copy()
    out[:, 1:][hatch] = table.hatch
    return out


def _free(free: NDArray[np.int16]) -> NDArray[np.int16]:
    """Free height from the bottom of each cell upward through 8 cells, from that within each cell (changed in
    place). Above the space everything is free."""
    free[:, -1] = _ENDLESS
    for cells in (1, 2, 4):
        free[:, :-cells] += free[:, cells:] * (free[:, :-cells] == cells * BLOCK)
    return free


def _graph(size: int, tail: Numbers, head: Numbers) -> _Graph:
    """The links from each of ``size`` footings; tails ascend."""
    start = np.zeros(size + 2, dtype=np.int32)
    np.cumsum(np.bincount(tail, minlength=size + 1), out=start[1:])
    return _Graph(start, head)


def _spread(graph: _Graph, begin: Mask) -> Mask:
    """(m,) bool: what is reached from the footings of ``begin``, themselves included."""
    size = len(begin)
    first = np.flatnonzero(begin).astype(np.int32)
    start = graph.start.copy()
    start[-1] += len(first)
    links = np.concatenate([graph.head, first])
    whole = csr_array((np.ones(len(links)), links, start), shape=(size + 1, size + 1))
    reached = np.zeros(size + 1, dtype=np.bool_)
    reached[breadth_first_order(whole, size, return_predecessors=False)] = True
    return reached[:size]
