"""Where the ground of a build lies: as the user or the file names it, else a guess that is never written as a fact.

A reader that has to guess needs the finished blocks first, and what is a dug cell depends on the guess. Hence it
reads as if everything lay below the ground, so that each cell that is said to be empty is a dug one, and
:func:`settled` then moves the ground plane to where the blocks want it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from minece.blocks.build import Build
from minece.blocks.errors import FormatError
from minece.blocks.grid import LIMIT, Cells, as_cells, unique_cells

Hint = Literal["top", "bottom"]


@dataclass(frozen=True, slots=True)
class GroundWish:
    """What the user said of the ground.

    ``explicit`` is the height of the ground plane in the file's own coordinates; ``hint`` says where the ground lies
    in builds of this kind: "top" (built into the ground up to its surface) or "bottom" (built upon it). ``surface`` is
    the height of the plane on a flat world's surface, where a reader sees one.
    """

    explicit: int | None = None
    hint: Hint | None = None
    surface: int | None = None

    def knows(self, stored: int | None) -> bool:
        """Whether the user or the file, which says ``stored``, names the ground, so that none is guessed."""
        return self.explicit is not None or stored is not None

    def choose(self, stored: int | None, low: int | None, high: int | None, told: str = "") -> tuple[int, str]:
        """Height of the ground plane and how it was chosen, in words for the user.

        ``stored`` is what the file says, ``told`` where it says so; ``low`` and ``high`` are the heights of the
        lowest and highest block, None where there is no block.
        """
        if self.explicit is not None:
            if abs(self.explicit) > LIMIT:
                raise FormatError(f"ground {self.explicit} lies outside ±{LIMIT}", mend="give a height of the file")
            return self.explicit, f"y = {self.explicit}, as given"
        if stored is not None:
            if abs(stored) > LIMIT:
                raise FormatError(f"ground {stored} lies outside ±{LIMIT}", mend="mend the file")
            return stored, f"y = {stored}, {told or 'stored in the file'}"
        if self.surface is not None:
            words = "on the surface that most columns of the world share; give --ground Y if it is wrong"
            return self.surface, f"y = {self.surface}, {words}"
        if low is None or high is None:
            return 0, "y = 0: there is no block to choose by"
        if self.hint == "top":
            return high + 1, f"y = {high + 1}, on top of the highest block, as the task is built into the ground"
        if self.hint == "bottom":
            return low, f"y = {low}, under the lowest block, as the task is built upon the ground"
        return low, f"y = {low}, under the lowest block, as the file does not say; give --ground Y if it is wrong"


def settled(turns: Sequence[Build], wish: GroundWish) -> list[Build]:
    """Builds whose every empty cell is listed as dug, with the ground that the blocks of the last one lead to.

    Empty cells from the ground up to the highest block become the builds' ``air``.
    """
    last = turns[-1]
    low, high = None, None
    if len(last.blocks):
        low, high = (int(edge[1]) + last.ground_y for edge in (last.blocks.low, last.blocks.high))
    ground, words = wish.choose(None, low, high)
    return [_raised(build, ground, words, ground - 1 if high is None else high) for build in turns]


def _raised(build: Build, ground: int, words: str, high: int) -> Build:
    up = build.ground_y - ground
    empty = as_cells(build.dug.astype(np.int64) + np.array([0, up, 0]))
    heights = empty[:, 1]
    return Build(
        build.blocks.translated(0, up, 0),
        empty[heights < 0],
        None if build.log is None else build.log.translated(0, up, 0),
        ground,
        replace(build.provenance, ground=words, ground_known=False),
        empty[(heights >= 0) & (heights <= high - ground)],
    )


def said_empty(build: Build) -> Cells:
    """The cells to write as empty, sorted, each once: the dug ones, and all others where the ground is not known."""
    if build.air is None or not len(build.air):
        return build.dug
    return unique_cells(np.concatenate([build.dug, build.air]))
