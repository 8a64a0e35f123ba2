"""The vocabulary of placing by hand: cells, sides, clicks and what they change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

Cell: TypeAlias = tuple[int, int, int]
"""A cell of the plot: x east, y up from the ground plane, z south."""

Point: TypeAlias = tuple[float, float, float]

Side: TypeAlias = Literal["down", "up", "north", "south", "west", "east"]

SIDES: tuple[Side, ...] = ("down", "up", "north", "south", "west", "east")
"""In the order of the game's protocol, which numbers them from 0."""

STEP: dict[Side, Cell] = {
    "down": (0, -1, 0),
    "up": (0, 1, 0),
    "north": (0, 0, -1),
    "south": (0, 0, 1),
    "west": (-1, 0, 0),
    "east": (1, 0, 0),
}

OPPOSITE: dict[Side, Side] = {
    "down": "up",
    "up": "down",
    "north": "south",
    "south": "north",
    "west": "east",
    "east": "west",
}

MIDDLE: dict[Side, Point] = {
    "down": (0.5, 0.0, 0.5),
    "up": (0.5, 1.0, 0.5),
    "north": (0.5, 0.5, 0.0),
    "south": (0.5, 0.5, 1.0),
    "west": (0.0, 0.5, 0.5),
    "east": (1.0, 0.5, 0.5),
}
"""The middle of each face of a cell, from its low corner."""

YAW: dict[Side, float] = {"south": 0.0, "west": 90.0, "north": 180.0, "east": 270.0}
"""Degrees as the game counts them: 0 looks south, 90 west."""


def beside(cell: Cell, side: Side) -> Cell:
    """The neighbour of a cell.

    >>> beside((0, 0, 0), "north")
    (0, 0, -1)
    """
    dx, dy, dz = STEP[side]
    return cell[0] + dx, cell[1] + dy, cell[2] + dz


@dataclass(frozen=True, slots=True)
class Click:
    """One use of the item in hand on a block.

    Attributes
    ----------
    on : the block that is clicked
    face : the side of it that is clicked
    cursor : where on it, 0 to 1 along x, y, z from its low corner
    yaw, pitch : where the player looks, in the game's degrees: yaw 0 south, 90 west; pitch 90 straight down, -90 up
    """

    on: Cell
    face: Side
    cursor: Point
    yaw: float
    pitch: float


class Change(NamedTuple):
    """One cell that a placement or a removal changes.

    ``kind``: "placed", the block that was placed and its other half; "removed", a block taken away, its other half,
    and what hung on it; "joined", a neighbour whose state follows (fences, panes, walls, stairs).
    """

    cell: Cell
    state: str
    kind: Literal["placed", "removed", "joined"]


class Refusal(NamedTuple):
    """Why nothing was changed, in words that stay: records count refusals by them."""

    reason: str
