"""Support over time: from which placement on is each block carried?

Between two removals blocks only come, so parts only grow together: one pass with a disjoint-set forest over the
placements tells when each part first reached the ground. A log with removals is cut into such stretches.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heapify, heappop, heappush

import numpy as np
from numpy.typing import NDArray

from minece.blocks import BlockSet, Build, Cells, Log, Mask
from minece.blocks.catalogue import SOIL
from minece.blocks.grid import DOWN, SIDES
from minece.blocks.log import REMOVED
from minece.blocks.palette import PaletteTable
from minece.blocks.parts import label_by_faces, vertical_runs
from minece.checkers.errors import CheckerError
from minece.checkers.scene import Scene
from minece.checkers.support import grips

Steps = NDArray[np.int64]

_MOST_WORK = 5 * 10**6

NEVER = 2**62
STOOD = -1


def supported_from(scene: Scene) -> Steps:
    """(n,) int64: the position in ``scene.order`` at which each block first had a path to the ground over blocks
    that remain; ``NEVER`` where it has none. The order must be known."""
    return carried_since(scene, scene.turn)


def carried_since(scene: Scene, turn: Steps, start: int = 0) -> Steps:
    """(n,) int64: the step at which each block is first carried.

    ``turn`` (n,) int64 is the step at which each block came, ``STOOD`` for those that stood before the step
    ``start``, the first that may come.
    """
    soil = _soil_faces_then(scene, np.maximum(turn, start), turn)
    resting: Mask = np.logical_or.reduce(soil[:, (DOWN, *SIDES)], axis=1)
    since = _structural_since(scene, _carries_from(scene, soil, turn), resting)
    since[scene.fluid] = turn[scene.fluid]
    if len(scene.hanging):
        _hang_since(scene, scene.hanging, soil, turn, since)
    return since


def _carries_from(scene: Scene, soil: Mask, turn: Steps) -> Steps:
    """(n,) int64: the step from which each block can carry: its own, for sand and gravel not before what they lie on;
    ``NEVER`` for blocks that are not structural or have nothing under them."""
    out = np.where(scene.structural, turn, NEVER)
    sand = np.flatnonzero(scene.gravity)
    if not len(sand):
        return out
    heaps = vertical_runs(scene.cells[sand])
    sand = sand[heaps.order]
    foot = np.zeros(len(sand), dtype=np.bool_)
    foot[heaps.start] = True
    below = scene.neighbours[sand, DOWN]
    under = np.where(below >= 0, out[below], NEVER)
    own = np.where(foot & ~soil[sand, DOWN], np.maximum(turn[sand], under), turn[sand])
    # What soil carried at its step waits for nothing below, even where a block has taken the soil's place since.
    out[sand] = _running_largest(own, foot | soil[sand, DOWN])
    return out


def _running_largest(values: Steps, begins: Mask) -> Steps:
    """(k,) int64: the largest value so far in each stretch; ``begins`` marks the stretches' first values."""
    stretch = np.cumsum(begins)
    out, shift = values, 1
    while shift < len(out):
        same = stretch[shift:] == stretch[:-shift]
        if not same.any():
            break
        larger = out.copy()
        larger[shift:] = np.where(same, np.maximum(out[shift:], out[:-shift]), out[shift:])
        out, shift = larger, 2 * shift
    return out


def _soil_faces_then(scene: Scene, begin: Steps, turn: Steps) -> Mask:
    """(n, 6) bool: the faces behind which soil lay at the step ``begin`` of each block. A block that came later,
    below ground and not into a hole, took the soil's place."""
    if scene.blocks.low[1] >= 0:
        return scene.soil_faces
    near = scene.neighbours
    later = (near >= 0) & (turn[near] > begin[:, None]) & (scene.cells[near, 1] < 0)
    # A log without repeats, removals and replacements put every block below ground into soil.
    if scene.log is not None and len(scene.log) > len(scene.blocks) and later.any():
        cells, _, _, before = scene.log.outcome
        # The last palette entries stand for UNTOUCHED and REMOVED, which index from the end.
        was_soil = np.append(_is_soil(scene, scene.log), [True, False])[before]
        at = scene.blocks.locate(cells)
        from_soil = np.ones(len(scene.blocks), dtype=np.bool_)
        from_soil[at[at >= 0]] = was_soil[at >= 0]
        later &= from_soil[near]
    soil: Mask = scene.soil_faces | later
    return soil


def _is_soil(scene: Scene, log: Log) -> Mask:
    """(p,) bool: states of the log's palette that are soil when they lie below ground."""
    earth: Mask = PaletteTable.of(log.palette).matches(SOIL - scene.named)
    return earth


def _structural_since(scene: Scene, turn: Steps, resting: Mask) -> Steps:
    """(n,) int64: the step at which a face path to the soil is there, for blocks that carry from the step ``turn``."""
    before = np.where(scene.neighbours >= 0, turn[scene.neighbours], NEVER).min(axis=1)
    # Most builders go on from what stands: then each block is carried at once, and no part need be followed.
    if ((turn != STOOD) & ((before < turn) | resting | (turn == NEVER))).all():
        return turn
    parts = _Parts(scene, turn, resting)
    coming = np.flatnonzero((turn != STOOD) & (turn != NEVER))
    for block in coming[np.argsort(turn[coming], kind="stable")].tolist():
        parts.place(block)
    return parts.since()


def _hang_since(scene: Scene, rows: Steps, soil: Mask, turn: Steps, since: Steps) -> None:
    """Set the steps from which the blocks of ``rows`` are held, in the order of these steps."""
    may, by_soil = grips(scene, rows, soil)
    near = scene.neighbours[rows]
    since[rows] = NEVER
    firm = np.where(may, since[near], NEVER).min(axis=1)
    best = np.where(by_soil, turn[rows], np.where(firm == NEVER, NEVER, np.maximum(firm, turn[rows])))
    place = np.full(len(scene.blocks), -1, dtype=np.int64)
    place[rows] = np.arange(len(rows))
    held_by: dict[int, list[int]] = {}
    for one, face in zip(*(axis.tolist() for axis in np.nonzero(np.where(may, place[near], -1) >= 0)), strict=True):
        held_by.setdefault(int(place[near[one, face]]), []).append(one)
    steps, own = best.tolist(), turn[rows].tolist()
    queue = [(step, one) for one, step in enumerate(steps) if step != NEVER]
    heapify(queue)
    while queue:
        step, one = heappop(queue)
        if step > steps[one]:
            continue
        for other in held_by.get(one, ()):
            then = max(step, own[other])
            if then < steps[other]:
                steps[other] = then
                heappush(queue, (then, other))
    since[rows] = steps


class _Parts:
    """Face-connected parts that grow while blocks are placed, and the step at which each reached the ground."""

    def __init__(self, scene: Scene, turn: Steps, resting: Mask) -> None:
        stood = turn == STOOD
        labels = label_by_faces(scene.blocks, stood)
        number = int(labels.max(initial=0)) + 1
        grounded = np.zeros(number, dtype=np.bool_)
        grounded[labels[stood & resting]] = True
        coming = np.flatnonzero(~stood & (turn != NEVER))
        nodes = labels.astype(np.int64)
        nodes[coming] = number + np.arange(len(coming))
        self._node = nodes
        self._nodes = nodes.tolist()
        self._resting = resting.tolist()
        self._neighbours = scene.neighbours
        self._turn = turn.tolist()
        self._here = stood.tolist()
        self._parent = list(range(number + len(coming)))
        self._since = np.where(grounded, STOOD, NEVER).tolist() + [NEVER] * len(coming)
        self._floating = {node: [node] for node in range(1, number) if not grounded[node]}

    def _root(self, node: int) -> int:
        parent = self._parent
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    def place(self, block: int) -> None:
        step, root = self._turn[block], self._nodes[block]
        self._here[block] = True
        if self._resting[block]:
            self._since[root] = step
        else:
            self._floating[root] = [root]
        for other in self._neighbours[block].tolist():
            if other >= 0 and self._here[other]:
                root = self._join(root, self._root(self._nodes[other]), step)

    def _join(self, one: int, other: int, step: int) -> int:
        if one == other:
            return one
        ours, theirs = self._floating.get(one), self._floating.get(other)
        if ours is not None and theirs is not None:
            if len(ours) < len(theirs):
                one, other, ours, theirs = other, one, theirs, ours
            ours.extend(theirs)
            del self._floating[other]
        elif ours is not None or theirs is not None:
            lifted = other if ours is None else one
            for node in self._floating.pop(lifted):
                self._since[node] = step
            if lifted == one:
                one, other = other, one
        self._parent[other] = one
        return one

    def since(self) -> Steps:
        """(n,) int64 for all blocks, ``NEVER`` for those that are not structural."""
        out: Steps = np.array(self._since, dtype=np.int64)[self._node]
        out[self._node == 0] = NEVER
        return out


def floating_steps(scene: Scene) -> tuple[Steps, Cells]:
    """Numbers, in the log without repeated events, of the placements after which something floated, ascending, and the
    cells that floated after the first of them. The scene must have a log."""
    assert scene.log is not None
    log = scene.log.without_repeats
    bad: list[Steps] = []
    first = scene.cells[:0]
    untouched = scene.build.blocks.where(log.placed_at(scene.build.blocks) < 0)
    stretches = list(_stretches(scene, log))
    if len(stretches) * len(log) > _MOST_WORK:
        raise CheckerError(
            f"{len(stretches)} stretches of removals in a log of {len(log)} events are too many to follow",
            mend="judge this build without grounded_always",
        )
    for start, stop in stretches:
        now, turn = _world(scene, log, untouched, start, stop)
        if not len(now.blocks):
            continue
        since = carried_since(now, turn, start)
        begin = np.maximum(turn, start)
        late = ~now.fluid & (since > begin)
        if not late.any():
            continue
        change = np.zeros(stop - start + 1, dtype=np.int64)
        change += np.bincount(begin[late] - start, minlength=len(change))
        change -= np.bincount(np.minimum(since[late], stop) - start, minlength=len(change))
        floats = (np.cumsum(change)[:-1] > 0) & (log.index[start:stop] != REMOVED)
        steps = start + np.flatnonzero(floats)
        if len(steps):
            if not bad:
                first = now.cells[late & (begin <= steps[0]) & (since > steps[0])]
            bad.append(steps)
    return (np.concatenate(bad) if bad else np.empty(0, dtype=np.int64)), first


def _stretches(scene: Scene, log: Log) -> Iterator[tuple[int, int]]:
    """(start, stop) of the stretches of events in which, after the first removals, blocks only come.

    Putting another block into a filled cell takes the old one away, so a stretch begins there too; and so does
    putting a block into the soil, unless it carries what the soil carried, and filling a hole with soil.
    """
    start, seen_placement = 0, False
    structural = PaletteTable.of(log.palette).structural.tolist()
    earth = _is_soil(scene, log).tolist()
    filled: set[tuple[int, int, int]] = set()
    holes: set[tuple[int, int, int]] = set()

    def in_soil(x: int, y: int, z: int) -> bool:
        return y < 0 and (x, y, z) not in filled and (x, y, z) not in holes

    for event, ((x, y, z), index) in enumerate(zip(log.cells.tolist(), log.index.tolist(), strict=True)):
        cell = (x, y, z)
        is_earth = index != REMOVED and y < 0 and earth[index]
        takes_away = index == REMOVED or cell in filled or (is_earth and cell in holes)
        if not takes_away and not is_earth and in_soil(x, y, z):
            beside = ((x, y - 1, z), (x - 1, y, z), (x + 1, y, z), (x, y, z - 1), (x, y, z + 1))
            takes_away = not structural[index] or not any(in_soil(*other) for other in beside)
        if takes_away:
            if seen_placement:
                yield start, event
            start, seen_placement = event, False
        if index == REMOVED:
            filled.discard(cell)
            if y < 0:
                holes.add(cell)
        else:
            holes.discard(cell)
            if is_earth:
                filled.discard(cell)
            else:
                filled.add(cell)
            seen_placement = True
    if seen_placement:
        yield start, len(log)


def _world(scene: Scene, log: Log, untouched: BlockSet, start: int, stop: int) -> tuple[Scene, Steps]:
    """What stands after event ``stop``, and the event in the stretch at which each block came."""
    head = Log(log.cells[:stop], log.index[:stop], log.palette)
    blocks, dug = head.replay(untouched)
    now = Scene(Build(blocks, dug, head), scene.named)
    placed = head.placed_at(now.blocks)
    return now, np.where(placed < start, STOOD, placed)
