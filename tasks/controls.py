"""Control builds that no task may let pass, made from what the reference build uses and how large it is."""

from __future__ import annotations

import numpy as np

from minece.blocks import BlockSet, Log
from minece.tasks.commands import MOST_CELLS
from minece.tasks.errors import TasksError
from minece.tasks.paths import snake

CONTROLS = ("empty", "one of each", "opposite corners", "fill everything", "random")


def control(name: str, reference: Log, *, seed: int = 42) -> Log:
    """A control build as a log.

    ``empty``: nothing. ``one of each``: one block of every state of the reference, side by side on the ground.
    ``opposite corners``: only the two blocks at the lowest west-north and the highest east-south corner of its box.
    ``fill everything``: a full box three cells larger on every side, of all its states in turn.
    ``random``: half of the cells of its box, at random with ``seed``, of its states at random.
    """
    blocks, _ = reference.replay()
    if name == "empty" or not len(blocks):
        return Log.of((), [])
    low, size, states = blocks.low, blocks.size, blocks.palette
    if name == "one of each":
        return Log.of([(low[0] + i, 0, low[2]) for i in range(len(states))], states)
    if name in ("fill everything", "random") and (size[0] + 6) * (size[1] + 6) * (size[2] + 6) > MOST_CELLS:
        raise TasksError(f"a box of {size[0]}×{size[1]}×{size[2]} cells is too large for the control build {name!r}")
    if name == "opposite corners":
        return Log.of([blocks.low, blocks.high], [_nearest(blocks, blocks.low), _nearest(blocks, blocks.high)])
    if name == "fill everything":
        cells = snake((low[0] - 3, min(low[1], 0) - 3, low[2] - 3), (size[0] + 6, size[1] + 6, size[2] + 6))
        return Log.of(cells, [states[i % len(states)] for i in range(len(cells))])
    if name == "random":
        cells, random = snake(low, size), np.random.default_rng(seed)
        cells = cells[random.random(len(cells)) < 0.5]
        return Log.of(cells, [states[i] for i in random.integers(len(states), size=len(cells)).tolist()])
    raise TasksError(f"there is no control build {name!r}", mend="take one of " + ", ".join(CONTROLS))


def _nearest(blocks: BlockSet, corner: tuple[int, int, int]) -> str:
    distance = np.abs(blocks.cells - np.array(corner, dtype=np.int32)).sum(axis=1)
    return blocks.palette[int(blocks.index[int(distance.argmin())])]
