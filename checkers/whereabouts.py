"""Where doors and things are, said as somebody would who stands in the house."""

from __future__ import annotations

import numpy as np

from minece.blocks import Cells
from minece.blocks.grid import FACES, SIDES
from minece.checkers.rooms import Doorway, Room
from minece.checkers.scene import Scene
from minece.checkers.wording import place

_OPPOSITE = {"west": "east", "east": "west", "north": "south", "south": "north"}


def where_is(scene: Scene, way: Doorway) -> str:
    """``at (4, 0, 2) on the south side of room 1 on storey 1``, ``at (4, 0, 2) between room 1 and room 2 on storey 1``,
    ``at (4, 0, 2)`` where it leads into no room."""
    text = f"at {place(way.cells[:1])}"
    rooms = [room for room in scene.interior.rooms if room.volume in way.sides]
    match rooms:
        case [room]:
            return f"{text} on the {side_of(scene, way, room)} side of {room}"
        case [one, other] if one.storey == other.storey:
            return f"{text} between room {one.number} and {other}"
        case [one, other]:
            return f"{text} between {one} and {other}"
    return text


def side_of(scene: Scene, way: Doorway, room: Room) -> str:
    """The side of a room on which one of its doorways lies: north, east, south or west."""
    walker = scene.walker
    into = np.isin(walker.tail, way.footings) & (scene.interior.volume_of[walker.head] == room.volume)
    steps = np.bincount(walker.side[into], minlength=len(FACES))
    return _OPPOSITE[FACES[max(SIDES, key=lambda side: int(steps[side]))]]


def room_of(scene: Scene, cells: Cells) -> Room | None:
    """The room in which something stands: in whose air its cells lie, or right under whose air."""
    flat = scene.space.flat(cells)
    volume = scene.enclosure.volume.reshape(-1)
    found = {*volume[flat].tolist(), *volume[flat + scene.space.strides[1]].tolist()} - {0}
    return next((room for room in scene.interior.rooms if room.volume in found), None)
