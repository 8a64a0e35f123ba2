"""Rooms and doors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells
from minece.blocks.grid import OFFSETS
from minece.blocks.items import item_cells
from minece.checkers import outline
from minece.checkers.parameters import Bound, Materials, Positive
from minece.checkers.places import beside
from minece.checkers.registry import rule
from minece.checkers.rooms import Doorway, Room
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.walker import STEP
from minece.checkers.whereabouts import side_of, where_is
from minece.checkers.wording import asked, count, listed, place

ONE = Positive(1)
FOUR = Positive(4)


@rule("shape", unit="rooms")
def rooms(
    scene: Scene,
    *,
    bound: Bound,
    min_floor: Positive = FOUR,
    one_building: bool = True,
    holding: Materials | None = None,
) -> Finding:
    """So many rooms, all in one building.

    A room is a piece of floor with a ceiling over every cell, at least 2 cells high, closed on all sides, that a walker
    enters through a doorway, or by stairs or a ladder through a hole in floor or ceiling. Walls reach from floor to
    ceiling, so furniture and counters neither make nor divide a room; tables and beds on the floor count toward its
    size. Doors, gates and trapdoors close, open or shut, and so do doorways without a leaf (up to three wide and three
    high, narrower or lower than the space on both sides) and windows without panes, as long as at least half of the
    wall's columns stand from floor to ceiling. Spaces that nobody can enter are none. A passage at most 2 wide, longer
    than twice its width, with two doorways or more is no room.

    ``min_floor``: cells of floor that a room has at least. ``one_building``: all rooms lie in one group of blocks
    joined by faces, or one gets from room to room indoors; sheds without rooms do not matter. ``holding``: only rooms
    count in which a whole item of these materials stands.

    Measures the number of rooms.
    """
    found = [room for room in scene.interior.rooms if room.area >= min_floor]
    those = [room for room in found if room.kind == "room"]
    if holding is not None:
        those = [room for room in those if _holds(scene, room, holding)]
    number = len(those)
    noun = "room" if holding is None else f"room with {holding}"
    plural = "rooms" if holding is None else f"rooms with {holding}"
    text = f"The build has {count(number, noun, plural)}{_list(those)}"
    if bound.holds(number):
        apart = outline.count_buildings(scene, those) if one_building else 1
        if apart > 1:
            text += f", which stand in {apart} buildings; join them to one"
            return finding(False, number, bound.required, f"{text}.", _floors(those))
        return finding(True, number, bound.required, f"{text}.", _floors(those))
    text += f"; {asked(bound, False, counted=True)}"
    if bound.off(number) < 0:
        return finding(False, number, bound.required, f"{text}.", _floors(those))
    lacking, why = _why_not(scene, min_floor, holding)
    return finding(False, number, bound.required, f"{text}{why}.", lacking if len(lacking) else _nearest(scene, those))


def _list(those: list[Room]) -> str:
    if not 0 < len(those) <= 6:
        return ""
    parts = []
    for storey in sorted({room.storey for room in those}):
        here = [f"room {room.number} ({count(room.area, 'cell')})" for room in those if room.storey == storey]
        parts.append(f"{listed(here)} on storey {storey}")
    return f": {', '.join(parts)}"


def _why_not(scene: Scene, min_floor: int, holding: Materials | None) -> tuple[Cells, str]:
    """The floors of what does not count although it is enclosed, and why the first of them does not."""
    found = [room for room in scene.interior.rooms if room.area >= min_floor]
    closed = [room for room in found if room.kind == "closed"]
    if closed:
        if len(closed) > 1 and closed[0].doorways:
            numbers = listed([room.number for room in closed])
            return _floors(closed), f"; nobody gets from outside into rooms {numbers}"
        return _floors(closed), f"; {_no_way_in(scene, closed[0])}"
    bare = [room for room in found if room.kind == "room" and holding is not None and not _holds(scene, room, holding)]
    if bare:
        return _floors(bare), f"; {bare[0]} holds no {holding}"
    passages = [room for room in found if room.kind == "passage"]
    if passages:
        return _floors(passages), f"; {passages[0]} is a passage and counts as none"
    small = [room for room in scene.interior.rooms if room.area < min_floor]
    if small:
        return _floors(small), f"; {small[0]} has only {count(small[0].area, 'cell')} of floor"
    return _floors([]), "" if scene.interior.rooms else "; no space is closed by walls and a ceiling"


def _no_way_in(scene: Scene, room: Room) -> str:
    if room.doorways:
        way = room.doorways[0]
        side = side_of(scene, way, room)
        return f"nobody gets into {room} through the doorway at {place(way.cells[:1])} on its {side} side"
    # A door that opens against something stands two cells from the room's air.
    doors = _idle_doors(scene, list(scene.interior.doorways))
    across, _, aside = scene.space.strides
    steps = np.array([across, -across, aside, -aside])
    around = scene.space.flat(doors)[:, None] + np.concatenate([steps, 2 * steps])
    beside = doors[(scene.enclosure.volume.reshape(-1)[around] == room.volume).any(axis=1)]
    if len(beside):
        return f"nobody gets into {room} through the door at {place(beside[:1])}"
    text = f"{room} has no door: its {count(room.area, 'cell')} touch no doorway"
    return text if room.storey == 1 else f"{text}, and no stairs or ladder lead there"


def _floors(those: list[Room]) -> Cells:
    return np.concatenate([room.floor for room in those]) if those else np.empty((0, 3), dtype=np.int32)


def _nearest(scene: Scene, those: list[Room]) -> Cells:
    return _floors(those) if those else scene.cells


def _holds(scene: Scene, room: Room, materials: Materials) -> bool:
    return bool((_volumes_of_items(scene, materials) == room.volume).any())


def _volumes_of_items(scene: Scene, materials: Materials) -> NDArray[np.int32]:
    """(k,) int32: the volumes in which the cells of the whole items of some materials lie. What closes, such as a
    chest, has its air above it."""

    def work_out() -> NDArray[np.int32]:
        items = item_cells(scene.blocks, materials.ids)
        flat = scene.space.flat(np.concatenate([items.cells, items.others]))
        volume = scene.enclosure.volume.reshape(-1)
        return np.maximum(volume[flat], volume[flat + scene.space.strides[1]])

    return scene.remember(("volumes of items", materials.ids), work_out)


@rule("shape", unit="doorways with a door")
def doors(scene: Scene, *, at_least: Positive = ONE, width: Positive = ONE) -> Finding:
    """Doorways with a door that people can walk through, between two rooms or a room and the outside.

    On each side of a doorway a walker can stand within one cell of the sill's height, two cells high, and gets there
    from outside. Doors beside one another, also in a double wall, are one doorway. Half a door is none, and a door that
    stands free leads nowhere. No room with a doorway may be out of reach.

    ``width``: every doorway of the building, with a door or without, is at least so many cells wide.

    Measures the doorways with a door.
    """
    bound = Bound(at_least=at_least)
    interior = scene.interior
    hung = [way for way in interior.doorways if way.door and _from_outside(scene, way)]
    number = len(hung)
    text = f"The build has {count(number, 'doorway')} with a door"
    narrow = [way for way in interior.doorways if way.width < width]
    if number >= at_least and narrow:
        first = narrow[0]
        text += f"; the doorway {where_is(scene, first)} is {count(first.width, 'cell')} wide"
        text += f", {asked(Bound(at_least=width), False, counted=True)}"
        return finding(False, number, bound.required, f"{text}.", _cells_of(narrow))
    entered = {0} | {room.volume for room in interior.rooms if room.kind != "closed"}
    shut_off = [
        room
        for room in interior.rooms
        if room.kind == "closed" and any(entered & (set(way.sides) - {room.volume}) for way in room.doorways)
    ]
    if number >= at_least and shut_off:
        text += f", but nobody gets to {shut_off[0]}, which has one too"
        return finding(False, number, bound.required, f"{text}.", _floors(shut_off))
    if number >= at_least:
        return finding(True, number, bound.required, f"{text}.", _cells_of(hung))
    text += f"; {asked(bound, False, counted=True)}"
    halves = scene.enclosure.half_doors
    if len(halves):
        what = "half a door" if len(halves) == 1 else "halves of doors"
        text += f"; {what} at {place(halves)} {'is' if len(halves) == 1 else 'are'} none"
        return finding(False, number, bound.required, f"{text}.", halves)
    idle = _idle_doors(scene, hung)
    if len(idle):
        text += f"; nobody gets through the door at {place(idle[:1])} into a room"
        return finding(False, number, bound.required, f"{text}.", idle)
    open_ways = [way for way in interior.doorways if not way.door]
    if open_ways:
        text += f"; the doorway {where_is(scene, open_ways[0])} has none"
        return finding(False, number, bound.required, f"{text}.", _cells_of(open_ways))
    nearest = _cells_of(list(interior.doorways))
    return finding(False, number, bound.required, f"{text}.", nearest if len(nearest) else scene.cells)


DOORS = Materials.read("#doors")


def _idle_doors(scene: Scene, used: list[Doorway]) -> Cells:
    """The cells of doors that hang in none of some doorways."""
    doors = scene.cells[scene.blocks.is_material(DOORS.ids)]
    if not used or not len(doors):
        return doors
    idle = ~np.isin(scene.space.flat(doors), scene.space.flat(_cells_of(used)))
    return doors[idle]


def _cells_of(ways: list[Doorway]) -> Cells:
    return np.concatenate([way.cells for way in ways]) if ways else np.empty((0, 3), dtype=np.int32)


@rule("shape", unit="exits")
def exits(
    scene: Scene,
    *,
    at_least: Positive,
    touching: Materials | None = None,
    step_free_to: Materials | None = None,
) -> Finding:
    """Exits: doorways with a door that lead from inside straight into the open.

    Doors beside one another are one exit. ``touching``: a face of each exit's door touches a block of these materials.
    ``step_free_to``: through each exit a walker gets from outside, over flush floors and slopes of half blocks, to a
    place beside a block of these materials.

    Measures the exits that fulfil all this; every exit must.
    """
    bound = Bound(at_least=at_least)
    found = [way for way in scene.interior.doorways if way.door and 0 in way.sides and _from_outside(scene, way)]
    unlit = [] if touching is None else [way for way in found if not _touches(scene, way, touching)]
    free = [True] * len(found) if step_free_to is None else _step_free(scene, found, step_free_to)
    stepped = [way for way, without_step in zip(found, free, strict=True) if not without_step]
    number = len(found) - len({way.cells.tobytes() for way in (*unlit, *stepped)})
    text = f"The build has {count(number, 'exit')}"
    text += "" if touching is None else f" that touch{'es' if number == 1 else ''} {touching}"
    required: Measure = bound.required
    if unlit:
        text += f"; the exit {where_is(scene, unlit[0])} does not"
        return finding(False, number, required, f"{text}.", _cells_of(unlit))
    if stepped:
        text += f"; through the exit {where_is(scene, stepped[0])} nobody gets to {step_free_to} without a step"
        return finding(False, number, required, f"{text}.", _cells_of(stepped))
    if number >= at_least:
        return finding(True, number, required, f"{text}.", _cells_of(found))
    text += f"; {asked(bound, False, counted=True)}"
    shut = _idle_doors(scene, [way for way in scene.interior.doorways if way in found or 0 not in way.sides])
    if len(shut):
        text += f"; nobody gets outdoors through the door at {place(shut[:1])}"
        return finding(False, number, required, f"{text}.", shut)
    return finding(False, number, required, f"{text}.", _cells_of(found) if found else scene.cells)


def _from_outside(scene: Scene, way: Doorway) -> bool:
    """Whether the doorway can be walked through from the open ground."""
    return bool(scene.interior.reached[way.footings].any())


def _touches(scene: Scene, way: Doorway, materials: Materials) -> bool:
    around = (way.cells[:, None] + OFFSETS).reshape(-1, 3)
    found = scene.blocks.locate(around)
    return bool(scene.blocks.is_material(materials.ids)[found[found >= 0]].any())


def _step_free(scene: Scene, ways: list[Doorway], materials: Materials) -> list[bool]:
    """Through which doorways one gets, on slopes at most, from outside to a place beside some material."""
    walker, interior = scene.walker, scene.interior
    doorways = np.zeros(len(walker.at), dtype=np.bool_)
    for way in interior.doorways:
        # One may go on through inner doorways, but not in by another exit.
        if 0 in way.sides:
            doorways[way.footings] = True
    tail, head = walker.tail, walker.head
    joins = doorways[tail] & ~doorways[head] & (np.abs(walker.rise) <= STEP)
    tail, head = tail[joins], head[joins]
    leads = []
    for ends in (walker.outside, beside(scene, materials)):
        reached = walker.reach(ends, step_free=True, ramps=True, without=doorways | interior.windows)
        onto = np.zeros(len(walker.at), dtype=np.bool_)
        onto[tail[reached[head]]] = True
        leads.append(onto)
    return [all(onto[way.footings].any() for onto in leads) for way in ways]
