"""Theatres: rows of seats before a stage, and lit exits on several sides."""

from __future__ import annotations

from typing import Literal

from minece.tasks.designs.drawing import SIDES, Drawing, Place, Side, opposite, turned
from minece.tasks.designs.registry import design
from minece.tasks.errors import FamilyError

Base = Literal["floor", "soil", "raised"]
Light = Literal["over", "beside", "under"]


def _check(width: int, depth: int, seats: list[int]) -> None:
    if not 9 <= width <= 48 or not 9 <= depth <= 48:
        raise FamilyError(f"a hall of {width} by {depth}", mend="take 9 to 48")
    if not seats or min(seats) < 0:
        raise FamilyError("no seats", mend="give at least one row")


@design
def theatre(
    draw: Drawing,
    *,
    rows: list[int],
    width: int,
    depth: int,
    rake: bool = False,
    base: Base = "floor",
    light: Light = "over",
    double: bool = False,
    front: int = 4,
    rear: int = 0,
    height: int = 5,
    eaves: int = 0,
    stage: int = 0,
    wall: str = "gray_concrete",
    floor: str = "dark_oak_planks",
    roof: str = "gray_concrete",
    seat: str = "oak_stairs",
    lamp: str = "sea_lantern",
    door: str = "dark_oak_door",
) -> None:
    """A hall with the stage in the north and two exits each in the west and in the east.

    ``rows``: seats of each row, from the stage backward; every second row of cells stays free to walk. ``rake``: each
    row lies a block higher than the one before it, with half steps at both sides. ``width``, ``depth``: over the
    walls. ``front``, ``rear``: along z, where the exits are; the rear ones lie near the back wall where it is 0, and
    also before the first row where the hall is raked. ``stage``: rows of cells of a stage one block high.
    """
    first = front + 1
    _check(width, depth, rows)
    if not (4 + double if rake else 2) <= front <= depth - 4 or not (rear == 0 or front + 2 < rear < depth - 1):
        raise FamilyError("exits at this place", mend="put them between the corners, two apart")
    if not 3 <= height <= 12 or not 0 <= eaves <= 3 or not 0 <= stage < front:
        raise FamilyError("a height, eaves or a stage of this size", mend="take 3 to 12, 0 to 3, and less than front")
    if first + 2 * (len(rows) - 1) > depth - 2 or max(rows) > width - 4:
        raise FamilyError("the seats do not fit into the walls", mend="give more width or depth")
    feet = 1 if base == "raised" else 0
    whole = [(x, z) for x in range(width) for z in range(depth)]
    if base != "soil":
        draw.layer(whole, feet - 1, floor)
    top = feet + height + (len(rows) - 1 if rake else 0)
    draw.ring((0, feet, 0), (width, top - feet, depth), wall)
    back = rear or (2 if rake else depth - 3)
    exits: list[tuple[Place, Side]] = [
        ((0, front), "east"),
        ((width - 1, front), "west"),
        ((0, back), "east"),
        ((width - 1, back), "west"),
    ]
    _rows(draw, rows, width, depth, first, feet, rake, floor, seat)
    if stage:
        draw.box(((width - 7) // 2, feet, 1), (7, 1, stage), "spruce_planks")
    cover = [(x, z) for x in range(-eaves, width + eaves) for z in range(-eaves, depth + eaves)]
    draw.layer(cover, top, roof)
    for place, facing in exits:
        _exit(draw, place, facing, feet, light, double, door, lamp)


def _rows(
    draw: Drawing,
    rows: list[int],
    width: int,
    depth: int,
    first: int,
    feet: int,
    rake: bool,
    floor: str,
    seat: str,
) -> None:
    for number, seats in enumerate(rows):
        z = first + 2 * number
        y = feet + (number if rake else 0)
        if rake and number:
            # The terrace goes on to the back wall, so that it carries the next one.
            draw.box((1, y - 1, z - 1), (width - 2, 1, depth - z), floor)
        if rake and number < len(rows) - 1:
            for x in (1, width - 2):
                draw.put((x, y, z), "spruce_slab[type=bottom]")
        for i in range(seats):
            draw.put(((width - seats) // 2 + i, y, z), f"{seat}[facing=south]")


def _exit(
    draw: Drawing, place: Place, facing: Side, feet: int, light: Light, double: bool, door: str, lamp: str
) -> None:
    """A door, or two side by side, its lamp, and half a step outside where the floor is raised."""
    dx, dz = SIDES[turned(facing)]
    places = [place, (place[0] + dx, place[1] + dz)] if double else [place]
    for number, (x, z) in enumerate(places):
        draw.leave((x, feet, z), (x, feet + 1, z))
        draw.door((x, feet, z), facing, door, hinge="right" if number else "left")
        if light == "over":
            draw.put((x, feet + 2, z), lamp)
        elif light == "under":
            draw.put((x, feet - 1, z), lamp)
        if feet:
            out = SIDES[opposite(facing)]
            draw.put((x + out[0], 0, z + out[1]), "smooth_stone_slab[type=bottom]")
    if light == "beside":
        draw.put((place[0] - dx, feet + 1, place[1] - dz), lamp)


@design
def arena(
    draw: Drawing,
    *,
    sides: list[int],
    width: int,
    depth: int,
    base: Base = "floor",
    light: Light = "over",
    wall: str = "bricks",
    floor: str = "dark_oak_planks",
    roof: str = "gray_concrete",
    seat: str = "oak_stairs",
    lamp: str = "sea_lantern",
    door: str = "dark_oak_door",
) -> None:
    """A stage in the middle and seats along its west, south and east, all turned toward it; five exits.

    ``sides``: seats in the west, in the south (in as many rows as it takes) and in the east.
    """
    _check(width, depth, sides)
    if len(sides) != 3:
        raise FamilyError(f"seats on {len(sides)} sides", mend="give three numbers")
    west, south, east = sides
    if max(west, east) > depth - 8 or south > (width - 6) * 3:
        raise FamilyError("the seats do not fit into the walls", mend="give more width or depth")
    feet = 1 if base == "raised" else 0
    if base != "soil":
        draw.layer([(x, z) for x in range(width) for z in range(depth)], feet - 1, floor)
    draw.ring((0, feet, 0), (width, 5, depth), wall)
    middle = width // 2
    draw.box((middle - 2, feet, 3), (5, 1, 5), "polished_andesite")
    for x, number, facing in ((middle - 5, west, "west"), (middle + 5, east, "east")):
        for i in range(number):
            draw.put((x, feet, 2 + i), f"{seat}[facing={facing}]")
    long = width - 6
    for i in range(south):
        row, column = divmod(i, long)
        draw.put((3 + column, feet, depth - 7 + 2 * row), f"{seat}[facing=south]")
    draw.layer([(x, z) for x in range(width) for z in range(depth)], feet + 5, roof)
    exits: list[tuple[Place, Side]] = [
        ((0, 2), "east"),
        ((width - 1, 2), "west"),
        ((0, depth - 3), "east"),
        ((width - 1, depth - 3), "west"),
        ((middle, depth - 1), "north"),
    ]
    for place, inward in exits:
        _exit(draw, place, inward, feet, light, False, door, lamp)
