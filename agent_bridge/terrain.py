"""What every cell holds: the ground as it was found, and what was changed since."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from minece.agent_bridge.clicks import Cell
from minece.agent_bridge.origin import DIRT_LAYERS
from minece.blocks.states import canonical_state

AIR = "air"
GRASS = canonical_state("grass_block")
DIRT = "dirt"
BEDROCK = "bedrock"


class Ground(Protocol):
    """What the cells hold where nobody has built."""

    def at(self, cell: Cell) -> str:
        """The canonical state of a cell, "air" where it is empty."""
        ...

    def read(self, low: Cell, high: Cell) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """A box, both corners in it: a palette that begins with air, and (sx, sy, sz) int32 positions in it."""
        ...


class FlatGround:
    """Our own server's: air above y = 0, below it grass, dirt and bedrock."""

    def at(self, cell: Cell) -> str:
        """The canonical state of a cell, "air" where it is empty."""
        if cell[1] >= 0:
            return AIR
        if cell[1] == -1:
            return GRASS
        return DIRT if cell[1] >= -1 - DIRT_LAYERS else BEDROCK

    def read(self, low: Cell, high: Cell) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """A box, both corners in it: a palette that begins with air, and (sx, sy, sz) int32 positions in it."""
        palette = (AIR, GRASS, DIRT, BEDROCK)
        layers = [palette.index(self.at((0, y, 0))) for y in range(low[1], high[1] + 1)]
        out = np.empty(box_size(low, high), dtype=np.int32)
        out[:] = np.array(layers, dtype=np.int32)[None, :, None]
        return palette, out


class Terrain:
    """Ground and what became of it. All states are canonical."""

    def __init__(self, ground: Ground | None = None) -> None:
        self._ground: Ground = ground or FlatGround()
        self._changed: dict[Cell, str] = {}

    @property
    def changed(self) -> Mapping[Cell, str]:
        """The cells that are not as they were found, a live view."""
        return MappingProxyType(self._changed)

    def at(self, cell: Cell) -> str:
        """The state of a cell."""
        state = self._changed.get(cell)
        return self._ground.at(cell) if state is None else state

    def found(self, cell: Cell) -> str:
        """The state that a cell had before anything was changed."""
        return self._ground.at(cell)

    def put(self, cell: Cell, state: str) -> None:
        """Give a cell a state."""
        if state == self._ground.at(cell):
            self._changed.pop(cell, None)
        else:
            self._changed[cell] = state

    def read(self, low: Cell, high: Cell) -> tuple[tuple[str, ...], NDArray[np.int32]]:
        """A box, both corners in it: a palette that begins with air, and (sx, sy, sz) int32 positions in it."""
        found, out = self._ground.read(low, high)
        palette = {state: number for number, state in enumerate(found)}
        for (x, y, z), state in self._changed.items():
            if low[0] <= x <= high[0] and low[1] <= y <= high[1] and low[2] <= z <= high[2]:
                out[x - low[0], y - low[1], z - low[2]] = palette.setdefault(state, len(palette))
        return tuple(palette), out


class Sketch:
    """A terrain with changes on top that leave it alone: to find out what a row of clicks would do."""

    def __init__(self, terrain: Terrain) -> None:
        self._terrain = terrain
        self._changed: dict[Cell, str] = {}

    def at(self, cell: Cell) -> str:
        """The state of a cell, with the changes."""
        state = self._changed.get(cell)
        return self._terrain.at(cell) if state is None else state

    def put(self, changes: Iterable[tuple[Cell, str]]) -> None:
        """Give cells states."""
        self._changed.update(changes)


def box_size(low: Cell, high: Cell) -> Cell:
    """Cells along x, y, z of a box, both corners in it."""
    return high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1
