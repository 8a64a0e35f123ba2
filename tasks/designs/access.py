"""Houses for people on wheels: doorways two wide, no steps, room to turn beside every bed."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from minece.tasks.designs.drawing import SIDES, Drawing, Place, Side, opposite, turned
from minece.tasks.designs.houses import STYLES, Door, Storey, StyleName, build, plan
from minece.tasks.designs.registry import design
from minece.tasks.errors import FamilyError

Layout = Literal["row", "bend", "hall", "grid", "passage"]
"""As in houses; ``passage``: rooms on both sides of a passage two wide."""
Ground = Literal["floor", "soil"]

Places = set[Place]


@design
def step_free_house(
    draw: Drawing,
    *,
    rooms: int,
    beds: int,
    layout: Layout = "row",
    style: StyleName = "plain",
    width: int = 6,
    depth: int = 6,
    ground: Ground = "floor",
    feet: int = 0,
    wide: bool = True,
    ramp: bool = True,
    ramp_width: int = 2,
    ramp_block: str = "smooth_stone_slab",
    furniture: bool = False,
) -> None:
    """A house of one storey with double doors and beds along its walls.

    ``feet``: height of the floor; where it is above the ground, a ramp of half steps leads up to the door. ``ground``:
    with "soil" there is no floor but the natural one. ``wide``: false makes every doorway one wide.
    """
    if not 0 <= feet <= 4 or (feet and ground == "soil"):
        raise FamilyError("a floor at this height", mend="take 0 to 4, and 0 on the soil")
    if not 1 <= rooms <= 12 or not 0 <= beds <= 2 * rooms:
        raise FamilyError(f"{rooms} rooms with {beds} beds", mend="take 1 to 12 rooms, with up to 2 beds each")
    if not 3 <= width <= 16 or not 3 <= depth <= 16 or not 2 <= ramp_width <= 8:
        raise FamilyError("a room or a ramp of this size", mend="take 3 to 16, and ramps 2 to 8 wide")
    chosen = replace(
        STYLES[style], double=wide, feet=feet, steps=False, furniture=False, porch=False, chimney=False, thick=1
    )
    storey = _passage(rooms, width, depth) if layout == "passage" else plan(layout, rooms, width=width, depth=depth)[0]
    build(draw, [storey], chosen)
    if ground == "soil":
        draw.leave(*[cell for cell, _ in draw.placements() if cell[1] < 0])
    for door in storey.doors:
        if door.outer and feet and ramp:
            _ramp(draw, door, feet, ramp_width, ramp_block)
    chosen_rooms = storey.rooms[len(storey.rooms) - min(beds, len(storey.rooms)) :]
    used: Places = set()
    for number in range(beds):
        room = chosen_rooms[number % len(chosen_rooms)]
        used |= _bed(draw, storey, room - used, feet, ("red_bed", "blue_bed", "white_bed")[number % 3])
    if furniture:
        for room in storey.rooms:
            _furnish(draw, storey, room - used, feet)


def _passage(rooms: int, width: int, depth: int) -> Storey:
    """A passage along x, two wide, entered at its western end, with rooms on both sides."""
    columns = (rooms + 1) // 2
    z = depth + 2
    hall = {(1 + i, z + k) for i in range(columns * (width + 1) - 1) for k in range(2)}
    floors: list[Places] = []
    doors = [Door((0, z), "east", outer=True)]
    for number in range(rooms):
        x = 1 + (number // 2) * (width + 1)
        north = number % 2 == 0
        start = 1 if north else z + 3
        floors.append({(x + i, start + k) for i in range(width) for k in range(depth)})
        middle = x + width // 2
        doors.append(Door((middle, z - 1 if north else z + 2), "north" if north else "south"))
    return Storey(floors, doors, [hall])


def _ramp(draw: Drawing, door: Door, feet: int, wide: int, block: str) -> None:
    """Half steps down from a door to the ground, straight ahead; more than two wide on both sides of it."""
    out = opposite(door.facing)
    row = list(door.places)
    while len(row) < wide:
        row.append(_step(row[-1], turned(door.facing)) if len(row) % 2 == 0 else _step(row[0], turned(out)))
        row.sort()
    solid = block.removesuffix("_slab")
    for half in range(2 * feet - 1, 0, -1):
        for place in row:
            x, z = _step(place, out, 2 * feet - half)
            draw.column((x, 0, z), half // 2, solid)
            if half % 2:
                draw.put((x, half // 2, z), f"{block}[type=bottom]")


def _step(place: Place, side: Side, number: int = 1) -> Place:
    dx, dz = SIDES[side]
    return (place[0] + dx * number, place[1] + dz * number)


def _room_to_turn(free: Places) -> list[Places]:
    """The parts of a floor that a square of two by two reaches without leaving it, the largest first."""
    left = {(x, z) for x, z in free if {(x + 1, z), (x, z + 1), (x + 1, z + 1)} <= free}
    parts = []
    while left:
        waiting = [left.pop()]
        part: Places = set()
        while waiting:
            x, z = waiting.pop()
            part |= {(x, z), (x + 1, z), (x, z + 1), (x + 1, z + 1)}
            for side in SIDES:
                near = _step((x, z), side)
                if near in left:
                    left.remove(near)
                    waiting.append(near)
        parts.append(part)
    return sorted(parts, key=len, reverse=True)


def _fronts(storey: Storey, room: Places) -> Places:
    """The places of a room that lie before its doors, three deep."""
    out: Places = set()
    for door in storey.doors:
        for place in door.places:
            for side in SIDES:
                out |= {_step(place, side, i) for i in (1, 2, 3)} if _step(place, side) in room else set()
    return out & room


def _bed(draw: Drawing, storey: Storey, room: Places, feet: int, block: str) -> Places:
    """A bed with its head at a wall, which leaves a square of two by two room from door to bed."""
    keep = _fronts(storey, room)
    inside = storey.inside
    for side in SIDES:
        for foot in sorted(room - keep, reverse=True):
            head = _step(foot, side)
            if head not in room - keep or _step(head, side) in inside:
                continue
            parts = _room_to_turn(room - {foot, head})
            near = {_step(place, way) for place in (foot, head) for way in SIDES}
            if parts and keep <= parts[0] and near & parts[0]:
                draw.bed((foot[0], feet, foot[1]), side, block)
                return {foot, head}
    raise FamilyError("no place for a bed", mend="make the rooms larger")


def _furnish(draw: Drawing, storey: Storey, room: Places, feet: int) -> None:
    """A chest, a shelf and a table at the walls, where they leave a square of two by two room."""
    keep = _fronts(storey, room)
    for things in (["chest"], ["bookshelf", "bookshelf"], ["oak_fence", "oak_pressure_plate"]):
        for place in sorted(room - keep):
            walls = [side for side in SIDES if _step(place, side) not in storey.inside]
            parts = _room_to_turn(room - {place})
            if len(walls) == 2 and parts and len(parts[0]) >= len(room) - 1:
                for up, block in enumerate(things):
                    draw.put((place[0], feet + up, place[1]), block)
                room = room - {place}
                break
