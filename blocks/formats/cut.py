"""The part of a file that the user asks for: a box of cells, and blocks that are left out as if nothing were said of
their cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from minece.blocks.build import Build
from minece.blocks.catalogue import block_names, materials, suggest
from minece.blocks.errors import FormatError
from minece.blocks.formats.ground import GroundWish, said_empty
from minece.blocks.formats.limits import Limits
from minece.blocks.grid import LIMIT, Cells, Mask, as_cells, difference

Corners = tuple[int, int, int, int, int, int]


@dataclass(frozen=True, slots=True)
class Cut:
    """What is kept of a file.

    ``box`` are the lowest and the highest cell x0 y0 z0 x1 y1 z1 in the file's own coordinates, None for all; ``drop``
    are the ids whose blocks are left out.
    """

    box: Corners | None = None
    drop: frozenset[str] = frozenset()

    @classmethod
    def of(cls, box: Sequence[int] | None, drop: str | Iterable[str]) -> Self:
        """From two corners in any order, and ids or "#tags". Raises :class:`FormatError` and others for wrong ones."""
        ids = materials(drop) if drop else frozenset()
        if box is None:
            return cls(None, ids)
        corners = list(box)
        if len(corners) != 6 or not all(isinstance(v, int | np.integer) for v in corners):
            raise FormatError("a box is six whole numbers", mend="give X0 Y0 Z0 X1 Y1 Z1")
        if max(map(abs, corners)) > LIMIT:
            raise FormatError(f"the box lies outside ±{LIMIT}", mend="give a box within the world")
        low = [int(min(pair)) for pair in zip(corners[:3], corners[3:], strict=True)]
        high = [int(max(pair)) for pair in zip(corners[:3], corners[3:], strict=True)]
        return cls((low[0], low[1], low[2], high[0], high[1], high[2]), ids)

    def __bool__(self) -> bool:
        return self.box is not None or bool(self.drop)

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence for each id to drop that no block has."""
        out = []
        for name in sorted(self.drop - block_names()):
            if ":" not in name:
                close = ", ".join(suggest(name))
                out.append(f"drop: there is no block {name}" + (f"; did you mean {close}?" if close else ""))
        return tuple(out)

    def inside(self, cells: Cells, ground: int) -> Mask:
        """(n,) bool: which cells, relative to a ground at that height, lie in the box."""
        if self.box is None:
            return np.ones(len(cells), dtype=np.bool_)
        low = np.array(self.box[:3]) - (0, ground, 0)
        high = np.array(self.box[3:]) - (0, ground, 0)
        return np.asarray(((cells >= low) & (cells <= high)).all(axis=1), dtype=np.bool_)

    def apply(self, turns: Sequence[Build], wish: GroundWish, limits: Limits) -> list[Build]:
        """The builds of all turns without what is not asked for.

        Of a log the events in cells that are left out are left out too; where a later turn drops blocks, no order is
        known. A ground that was guessed is guessed anew from what is left.
        """
        cut = [self._without(build) for build in turns]
        if len(cut) > 1 and any(len(new.blocks) != len(old.blocks) for new, old in zip(cut, turns, strict=True)):
            cut = [replace(build, log=None) for build in cut] if self.drop else cut
        last = cut[-1]
        if last.provenance.ground_known:
            return cut
        low = int(last.blocks.low[1]) + last.ground_y if len(last.blocks) else None
        high = int(last.blocks.high[1]) + last.ground_y if len(last.blocks) else None
        ground, words = wish.choose(None, low, high)
        return [self._settled(build, ground, words, limits) for build in cut]

    def _without(self, build: Build) -> Build:
        blocks = build.blocks
        inside = self.inside(blocks.cells, build.ground_y)
        dropped = blocks.is_material(self.drop) & inside if self.drop else np.zeros(len(blocks), dtype=np.bool_)
        log = build.log
        if log is not None:
            kept = self.inside(log.cells, build.ground_y)
            if dropped.any():
                kept &= ~blocks.where(dropped).contains(log.cells)
            if not kept.all():
                time = None if log.time is None else log.time[kept]
                first = int(np.count_nonzero(kept[: log.first]))
                log = replace(log, cells=log.cells[kept], index=log.index[kept], time=time, first=first)
        air = build.air
        return Build(
            blocks.where(inside & ~dropped),
            build.dug[self.inside(build.dug, build.ground_y)],
            log,
            build.ground_y,
            replace(build.provenance, box=None, warnings=build.provenance.warnings + self.warnings),
            None if air is None else air[self.inside(air, build.ground_y)],
        )

    def _settled(self, build: Build, ground: int, words: str, limits: Limits) -> Build:
        """The build with its guessed ground at another height."""
        up = build.ground_y - ground
        provenance = replace(build.provenance, ground=words)
        if not up:
            return replace(build, provenance=provenance)
        blocks = build.blocks.translated(0, up, 0)
        empty = _raised(build.dug if build.air is None else said_empty(build), up)
        if build.air is None and up < 0 and len(blocks):
            # All cells around the blocks are empty: those below the new ground are holes.
            empty = np.concatenate([empty, _around(build, up, blocks.cells, limits)])
        heights = empty[:, 1]
        high = blocks.high[1] if len(blocks) else -1
        return Build(
            blocks,
            empty[heights < 0],
            None if build.log is None else build.log.translated(0, up, 0),
            ground,
            provenance,
            None if build.air is None else empty[(heights >= 0) & (heights <= high)],
        )


def _raised(cells: Cells, up: int) -> Cells:
    return as_cells(cells.astype(np.int64) + np.array([0, up, 0]))


def _around(build: Build, up: int, blocks: Cells, limits: Limits) -> Cells:
    (x0, _, z0), (x1, _, z1) = build.blocks.low, build.blocks.high
    low, high = max(up, build.blocks.low[1] + up), min(-1, build.blocks.high[1] + up)
    sides: list[Any] = [range(x0, x1 + 1), range(low, high + 1), range(z0, z1 + 1)]
    limits.most("dug cells", len(sides[0]) * len(sides[1]) * len(sides[2]), limits.blocks)
    grid = np.stack(np.meshgrid(*map(np.array, sides), indexing="ij"), axis=-1).reshape(-1, 3)
    return difference(as_cells(grid), blocks)
