"""Support over time: from which placement on is each block carried?

Between two removals blocks only come, so parts only grow together: one pass with a disjoint-set forest over the
placements tells when each part first reached the ground. A log with removals is cut into such stretches.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from minece.blocks import BlockSet, Build, Cells, Log
from minece.blocks.log import REMOVED
from minece.checkers.errors import CheckerError
from minece.checkers.scene import Scene, label_by_faces
from minece.checkers.support import grips

Steps = NDArray[np.int64]

_MOST_WORK = 5 * 10**7

NEVER = 2**62
STOOD = -1


def supported_from(scene: Scene) -> Steps:
    """(n,) int64: the position in ``scene.order`` at which each block first had a path to the ground over blocks
    that remain; ``NEVER`` where it has none. The order must be known."""
    turn = np.empty(len(scene.blocks), dtype=np.int64)
    turn[scene.order] = np.arange(len(turn))
    return carried_since(scene, turn)


def carried_since(scene: Scene, turn: Steps) -> Steps:
    """(n,) int64: the step at which each block is first carried.

    ``turn`` (n,) int64 is the step at which each block came, ``STOOD`` for those that stood before all steps.
    """
    since = _structural_since(scene, turn)
    since[scene.fluid] = turn[scene.fluid]
    if len(scene.hanging):
        _hang_since(scene, scene.hanging, turn, since)
    sand = np.flatnonzero(scene.gravity & scene.structural)
    if len(sand):
        below = scene.neighbours[sand, 2]
        under = np.where(below >= 0, turn[below], NEVER)
        since[sand] = np.where(scene.soil_faces[sand, 2], since[sand], np.maximum(since[sand], under))
    return since


def _structural_since(scene: Scene, turn: Steps) -> Steps:
    """(n,) int64: the same for structural blocks, ``NEVER`` for the others."""
    when = np.where(scene.structural, turn, NEVER)
    before = np.where(scene.neighbours >= 0, when[scene.neighbours], NEVER).min(axis=1)
    # Most builders go on from what stands: then each block is carried at once, and no part need be followed.
    if (turn != STOOD).all() and ((before < turn) | scene.resting | ~scene.structural).all():
        return when
    parts = _Parts(scene, turn)
    for block in np.argsort(turn, kind="stable")[int((turn == STOOD).sum()) :].tolist():
        parts.place(block)
    return parts.since()


def _hang_since(scene: Scene, rows: Steps, turn: Steps, since: Steps) -> None:
    may, by_soil = grips(scene, rows)
    near = scene.neighbours[rows]
    since[rows] = np.where(by_soil, turn[rows], NEVER)
    while True:
        held = np.where(may, since[near], NEVER).min(axis=1)
        held = np.where(held == NEVER, NEVER, np.maximum(held, turn[rows]))
        sooner = np.minimum(held, since[rows])
        if (sooner == since[rows]).all():
            return
        since[rows] = sooner


class _Parts:
    """Face-connected parts that grow while blocks are placed, and the step at which each reached the ground."""

    def __init__(self, scene: Scene, turn: Steps) -> None:
        stood = scene.structural & (turn == STOOD)
        labels = label_by_faces(scene.blocks, stood)
        number = int(labels.max(initial=0)) + 1
        grounded = np.zeros(number, dtype=np.bool_)
        grounded[labels[stood & scene.resting]] = True
        coming = np.flatnonzero(scene.structural & ~stood)
        nodes = labels.astype(np.int64)
        nodes[coming] = number + np.arange(len(coming))
        self._node = nodes
        self._nodes = nodes.tolist()
        self._structural = scene.structural.tolist()
        self._resting = scene.resting.tolist()
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
        if not self._structural[block]:
            return
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
    """Numbers of the log's events that are placements after which something floated, ascending, and the cells that
    floated after the first of them. The scene must have a log."""
    log = scene.log
    assert log is not None
    bad: list[Steps] = []
    first = scene.cells[:0]
    untouched = scene.build.blocks.where(log.placed_at(scene.build.blocks) < 0)
    stretches = list(_stretches(log))
    if len(stretches) * len(log) > _MOST_WORK:
        raise CheckerError(
            f"{len(stretches)} stretches of removals in a log of {len(log)} events are too many to follow",
            mend="judge this build without grounded_always",
        )
    for start, stop in stretches:
        now, turn = _world(scene, log, untouched, start, stop)
        if not len(now.blocks):
            continue
        since = carried_since(now, turn)
        begin = np.maximum(turn, start)
        late = ~now.fluid & (since > begin)
        if not late.any():
            continue
        change = np.zeros(stop - start + 1, dtype=np.int64)
        change += np.bincount(begin[late] - start, minlength=len(change))
        change -= np.bincount(np.minimum(since[late], stop) - start, minlength=len(change))
        floats = (np.cumsum(change)[:-1] > 0) & (log.index[start:stop] != REMOVED)
        steps = start + np.flatnonzero(floats)
        if len(steps) and not bad:
            first = now.cells[late & (begin <= steps[0]) & (since > steps[0])]
        bad.append(steps)
    return (np.concatenate(bad) if bad else np.empty(0, dtype=np.int64)), first


def _stretches(log: Log) -> Iterator[tuple[int, int]]:
    """(start, stop) of the stretches of events in which, after the first removals, blocks only come.

    Putting another block into a filled cell takes the old one away, so a stretch begins there too.
    """
    start, seen_placement = 0, False
    filled: set[tuple[int, int, int]] = set()
    for event, (cell, index) in enumerate(zip(map(tuple, log.cells.tolist()), log.index.tolist(), strict=True)):
        takes_away = index == REMOVED or cell in filled
        if takes_away and seen_placement:
            yield start, event
            start, seen_placement = event, False
        if index == REMOVED:
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
    now = Scene(Build(blocks, dug), scene.named)
    placed = head.placed_at(now.blocks)
    return now, np.where(placed < start, STOOD, placed)
