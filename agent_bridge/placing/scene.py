"""One use of an item as the rules of placing see it."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from minece.agent_bridge.clicks import OPPOSITE, Cell, Click, Point, Side
from minece.agent_bridge.placing.forms import At, form


class Scene(NamedTuple):
    """A click with what follows from it before any state is chosen.

    Attributes
    ----------
    see : what is in a cell
    item : the item in hand
    block : the id of the block to place
    click : the click
    cell : the cell that receives the block
    into : whether that is the clicked cell itself
    there : the state of the cell before
    """

    see: At
    item: str
    block: str
    click: Click
    cell: Cell
    into: bool
    there: str

    @property
    def spot(self) -> Point:
        """Where the click is, from the low corner of the receiving cell."""
        (x, y, z), (cx, cy, cz), on = self.cell, self.click.cursor, self.click.on
        return cx + on[0] - x, cy + on[1] - y, cz + on[2] - z

    @property
    def ahead(self) -> Side:
        """The one of the four sides that the player looks at."""
        return level_look(self.click.yaw)

    @property
    def looks(self) -> tuple[Side, ...]:
        """The sides at which the block is tried, in order: the clicked one first, then as the player looks."""
        looks = looks_by_nearness(self.click.yaw, self.click.pitch)
        if self.into:
            return looks
        clicked = OPPOSITE[self.click.face]
        return (clicked, *(side for side in looks if side != clicked))

    @property
    def nearest(self) -> Side:
        """The side that the player looks at, up and down included."""
        return looks_by_nearness(self.click.yaw, self.click.pitch)[0]

    @property
    def in_water(self) -> bool:
        """Whether the receiving cell holds still water."""
        return form(self.there).wet


_BY_QUARTER: tuple[Side, ...] = ("south", "west", "north", "east")


@lru_cache(maxsize=1024)
def level_look(yaw: float) -> Side:
    """The one of the four sides that a player looks at.

    >>> level_look(-80.0)
    'east'
    """
    return _BY_QUARTER[math.floor(yaw / 90 + 0.5) % 4]


@lru_cache(maxsize=1024)
def looks_by_nearness(yaw: float, pitch: float) -> tuple[Side, ...]:
    """The six sides, the one that a player looks at first and the one behind the back last."""
    turn, tilt = math.radians(yaw), math.radians(pitch)
    east, up, south = -math.sin(turn) * math.cos(tilt), -math.sin(tilt), math.cos(turn) * math.cos(tilt)
    seen: list[tuple[float, Side]] = [
        (abs(south), "south" if south > 0 else "north"),
        (abs(east), "east" if east > 0 else "west"),
        (abs(up), "up" if up > 0 else "down"),
    ]
    # Rounding keeps looks along the diagonals apart from the noise of sines.
    near: list[Side] = [side for _, side in sorted(seen, key=lambda row: -round(row[0], 9))]
    return (*near, *(OPPOSITE[side] for side in reversed(near)))


def sixteenth(yaw: float) -> str:
    """The step of a turn in sixteen that is nearest to a yaw.

    >>> sixteenth(180.0)
    '8'
    """
    return str(math.floor(yaw * 16 / 360 + 0.5) % 16)
