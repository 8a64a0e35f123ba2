"""What block states mean to a walker: where they stop him, what they carry, how high each of their sides is.

Heights are in sixteenths of a block above the bottom of the cell. The boxes of a state count as one interval, from
their lowest bottom (rounded down) to their highest top (rounded up; 24 for fences and walls). States without boxes,
doors, fence gates and open trapdoors have no interval: the walker passes or opens them. Neither have ladders, vines
and scaffolding, which are climbed.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Mask
from minece.blocks.catalogue import StateInfo, Substance, describe, tags
from minece.blocks.states import split_state

BLOCK = 16
"""Sixteenths in a block."""

OWN, CLIMB, OPEN, CARRIES = 1, 2, 4, 8
"""Bits of ``SteppingTable.kind``: one stands on the state within its own cell; climbs in it; it leaves its cell free
(neither interval nor fluid); it carries a walker in the cell above."""

CLIMBED = frozenset(
    {
        "ladder",
        "vine",
        "scaffolding",
        "twisting_vines",
        "twisting_vines_plant",
        "weeping_vines",
        "weeping_vines_plant",
        "cave_vines",
        "cave_vines_plant",
    }
)
"""Materials that a walker climbs."""

_STRIP = 0.25
"""How wide the strip along a side is whose height is met when one steps over that side."""


class _Stepping(NamedTuple):
    kind: int
    free: int
    top: int
    lips: tuple[int, int, int, int]


_AIR = _Stepping(OPEN, BLOCK, 0, (0, 0, 0, 0))
_SOLID = _Stepping(CARRIES, 0, BLOCK, (BLOCK, BLOCK, BLOCK, BLOCK))
_CLIMB = _AIR._replace(kind=OPEN | CLIMB)


@lru_cache(maxsize=16384)
def _stepping(state: str) -> _Stepping:
    info = describe(state)
    if info.substance is Substance.FLUID:
        return _Stepping(0, 0, 0, (0, 0, 0, 0))
    if info.material in CLIMBED:
        return _CLIMB
    if not info.boxes or _opens(info):
        return _AIR
    top = max(ceil(box[4] * BLOCK) for box in info.boxes)
    sides = (
        [box[4] for box in info.boxes if box[0] < _STRIP],
        [box[4] for box in info.boxes if box[3] > 1 - _STRIP],
        [box[4] for box in info.boxes if box[2] < _STRIP],
        [box[4] for box in info.boxes if box[5] > 1 - _STRIP],
    )
    west, east, north, south = (ceil(max(tops) * BLOCK) if tops else top for tops in sides)
    return _Stepping(
        kind=OWN if top < BLOCK else CARRIES,
        free=floor(min(box[1] for box in info.boxes) * BLOCK),
        top=top,
        lips=(west, east, north, south),
    )


def _opens(info: StateInfo) -> bool:
    """Whether a walker opens the block, or finds it open."""
    known = tags()
    if info.material in known["trapdoors"]:
        return split_state(info.state)[1].get("open") == "true"
    return info.material in known["doors"] or info.material in known["fence_gates"]


class SteppingTable:
    """Arrays over the k states of a palette, then air, soil and a hatch, all read-only.

    A hatch is a trapdoor right above something that is climbed; it is opened and climbed through, whatever its state.

    Attributes
    ----------
    kind : (k + 3,) uint8, sum of the bits :data:`OWN`, :data:`CLIMB`, :data:`OPEN`, :data:`CARRIES`
    free : (k + 3,) int16, free height from the bottom of the cell: 16 where nothing stops the walker, 0 for fluids
    top : (k + 3,) int16, highest top, 0 where there is no interval
    lips : (k + 3, 4) int16, height of the west, east, north and south side: the highest top of the boxes within a
        quarter of a block of that side, ``top`` where none reaches it
    trapdoor : (k + 3,) bool
    hatch : k + 2
    climbs, hatches : whether any state is climbed, and whether there are trapdoors besides
    """

    def __init__(self, palette: tuple[str, ...]) -> None:
        rows = [*map(_stepping, palette), _AIR, _SOLID, _CLIMB]
        self.hatch = len(palette) + 2
        self.kind: NDArray[np.uint8] = np.array([row.kind for row in rows], dtype=np.uint8)
        self.free: NDArray[np.int16] = np.array([row.free for row in rows], dtype=np.int16)
        self.top: NDArray[np.int16] = np.array([row.top for row in rows], dtype=np.int16)
        self.lips: NDArray[np.int16] = np.array([row.lips for row in rows], dtype=np.int16)
        trapdoors = tags()["trapdoors"]
        self.trapdoor: Mask = np.array(
            [describe(state).material in trapdoors for state in palette] + [False] * 3, dtype=np.bool_
        )
        self.climbs = bool((self.kind[: len(palette)] & CLIMB).any())
        self.hatches = self.climbs and bool(self.trapdoor.any())
        for array in (self.kind, self.free, self.top, self.lips, self.trapdoor):
            array.setflags(write=False)

    @staticmethod
    @lru_cache(maxsize=64)
    def of(palette: tuple[str, ...]) -> SteppingTable:
        """The table of a palette, kept for the palettes used last."""
        return SteppingTable(palette)
