"""Where the plot lies in the world of the game: the one place that knows."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from minece.agent_bridge.clicks import Cell, Point
from minece.blocks.grid import Cells, as_cells

DIRT_LAYERS = 62
"""Layers of dirt between bedrock and grass on our own server."""

GRASS_Y = 1 + DIRT_LAYERS
"""Height of the grass on our own server, whose bedrock lies at 0."""


class Origin(NamedTuple):
    """The world's cell that is the cell (0, 0, 0) of the plot."""

    x: int
    y: int
    z: int

    def world(self, cell: Cell) -> Cell:
        """A cell of the plot in the world."""
        return cell[0] + self.x, cell[1] + self.y, cell[2] + self.z

    def plot(self, cell: Cell) -> Cell:
        """A cell of the world in the plot."""
        return cell[0] - self.x, cell[1] - self.y, cell[2] - self.z

    def world_point(self, point: Point) -> Point:
        """A point of the plot in the world."""
        return point[0] + self.x, point[1] + self.y, point[2] + self.z

    def plot_point(self, point: Point) -> Point:
        """A point of the world in the plot."""
        return point[0] - self.x, point[1] - self.y, point[2] - self.z

    def world_cells(self, cells: Cells) -> Cells:
        """(n, 3) cells of the plot in the world."""
        return as_cells(cells.astype(np.int64) + np.array(self))


OWN = Origin(0, GRASS_Y + 1, 0)
"""The plot on our own server: y = 0 is the first free layer."""
