"""Buildings of several storeys: open frames and walled houses, and the ways up in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from minece.tasks.designs.drawing import SIDES, Drawing, Place, Side
from minece.tasks.designs.registry import design
from minece.tasks.errors import FamilyError

Plan: TypeAlias = frozenset[Place]

Shape = Literal["plain", "angled", "round", "stepped"]
Way = Literal["lanes", "walls", "landings", "spiral", "ramps", "ladder"]
Base = Literal["soil", "floor", "plinth"]
Windows = Literal["none", "panes", "open", "ribbons"]

_AROUND: tuple[Place, ...] = ((-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))
"""The eight neighbours in plan, clockwise from the north-west."""
_FIRST = 2
"""Along x or z, the cell of a flight's first tread: beside the wall is room to turn."""


@dataclass(frozen=True, slots=True)
class Flight:
    """What leads from one floor to the next, and the places that the slab above leaves free for it."""

    cells: tuple[tuple[tuple[int, int, int], str], ...]
    hole: Plan


NO_FLIGHT = Flight((), frozenset())


def rectangle(width: int, depth: int, x: int = 0, z: int = 0) -> Plan:
    """All places of a rectangle from its north-west corner."""
    return frozenset((x + i, z + k) for i in range(width) for k in range(depth))


def outline(plan: Plan) -> list[Place]:
    """The places of a plan that touch its outside by a side or a corner, in one walk around where that is possible."""
    left = {(x, z) for x, z in plan if any((x + a, z + b) not in plan for a, b in _AROUND)}
    place = min(left)
    out = []
    while left:
        x, z = place
        place = min(left, key=lambda one: (abs(one[0] - x) + abs(one[1] - z), one))
        left.remove(place)
        out.append(place)
    return out


def corners(plan: Plan) -> list[Place]:
    """The places of a plan that lie free on two neighbouring sides, and those where its outline turns inward."""
    steps = list(SIDES.values())
    out = []
    for x, z in outline(plan):
        free = [(x + a, z + b) not in plan for a, b in steps]
        turns = any(free[i] and free[i - 1] for i in range(4))
        inward = not any(free) and sum((x + a, z + b) not in plan for a, b in _AROUND) == 1
        if turns or inward:
            out.append((x, z))
    return out


def _check(storeys: int, width: int, depth: int, rise: int, lane: int) -> None:
    """Raise :class:`FamilyError` for values that make no building."""
    for name, value, low, high in (
        ("storeys", storeys, 1, 20),
        ("width", width, 5, 40),
        ("depth", depth, 5, 40),
        ("rise", rise, 2, 8),
        ("lane", lane, 1, 3),
    ):
        if not low <= value <= high:
            raise FamilyError(f"{name} {value}", mend=f"take {low} to {high}")


def _plan(shape: Shape, width: int, depth: int, storey: int, storeys: int) -> Plan:
    """The places of a storey: an L has no south-east quarter, steps take two cells of the upper half."""
    whole = rectangle(width, depth)
    if shape == "angled":
        return whole - rectangle(width - width // 2, depth - depth // 2, width // 2, depth // 2)
    if shape == "round":
        middle, reach = (width - 1) / 2, (width / 2) ** 2
        return frozenset((x, z) for x, z in rectangle(width, width) if (x - middle) ** 2 + (z - middle) ** 2 < reach)
    if shape == "stepped" and 2 * storey >= storeys:
        return rectangle(width - 2, depth - 2)
    return whole


def _straight(
    start: Place, side: Side, y: int, steps: int, stair: str, fill: str, *, lane: int = 1, first: int = 0
) -> Flight:
    """Treads that rise toward a side, each upon a block of fill that joins the tread before; ``lane`` cells wide.

    ``first``: how far the first tread is raised from the floor by what lies under it.
    """
    (x, z), (dx, dz) = start, SIDES[side]
    across = (abs(dz), abs(dx))
    cells = []
    for i in range(steps):
        for k in range(lane):
            place = (x + dx * i + across[0] * k, z + dz * i + across[1] * k)
            if i or first:
                cells.append(((place[0], y + i - 1, place[1]), fill))
            cells.append(((place[0], y + i, place[1]), f"{stair}[facing={side}]"))
    hole = frozenset((cell[0], cell[2]) for cell, _ in cells)
    return Flight(tuple(cells), hole)


def _lanes(storey: int, y: int, rise: int, stair: str, fill: str, lane: int, inset: int) -> Flight:
    """Two flights side by side, used in turn: up to the east, up to the west."""
    z = inset + lane * (storey % 2)
    side: Side = "west" if storey % 2 else "east"
    start = _FIRST + rise - 1 if storey % 2 else _FIRST
    return _straight((start, z), side, y, rise, stair, fill, lane=lane)


def _walls(storey: int, y: int, rise: int, stair: str, fill: str, width: int) -> Flight:
    """One flight along each wall of a square, in turn."""
    far = width - 2
    starts: tuple[tuple[Place, Side], ...] = (
        ((_FIRST, 1), "east"),
        ((far, _FIRST), "south"),
        ((far - 1, far), "west"),
        ((1, far - 1), "north"),
    )
    start, side = starts[storey % 4]
    return _straight(start, side, y, rise, stair, fill)


def _landings(y: int, rise: int, stair: str, fill: str, inset: int) -> Flight:
    """Up to a landing, turn, and back; all storeys one above another in the same shaft."""
    if rise < 5:
        raise FamilyError("stairs with landings need a rise of 5", mend="give rise = 5 or more")
    turn = rise - 2
    up = _straight((_FIRST, inset), "east", y, turn, stair, fill)
    back = _straight((_FIRST + turn - 1, inset + 1), "west", y + turn, 2, stair, fill, first=1)
    landing = _FIRST + turn
    floor = tuple(((landing, y + turn - 1, z), fill) for z in (inset, inset + 1))
    hole = (up.hole | back.hole | {(landing, inset), (landing, inset + 1)}) - {(_FIRST, inset)}
    return Flight((*up.cells, *floor, *back.cells), hole)


def _spiral(middle: Place, y: int, rise: int, stair: str, fill: str) -> Flight:
    """Half steps once around a newel."""
    if rise != 4:
        raise FamilyError("a spiral of eight half steps rises by 4", mend="give rise = 4")
    x, z = middle
    cells = [((x, y + i, z), fill) for i in range(rise)]
    for number, (dx, dz) in enumerate(_AROUND):
        half = "top" if number % 2 else "bottom"
        cells.append(((x + dx, y + number // 2, z + dz), f"{stair}[type={half}]"))
    return Flight(tuple(cells), frozenset((x + dx, z + dz) for dx, dz in (*_AROUND, (0, 0))))


def _ramps(storey: int, y: int, rise: int, stair: str, fill: str) -> Flight:
    """Half steps in two lanes, used in turn."""
    length = 2 * rise
    cells = []
    for i in range(length):
        x = _FIRST + (length - 1 - i if storey % 2 else i)
        z = 1 + storey % 2
        if i >= 2 and i % 2 == 0:
            cells.append(((x, y + i // 2 - 1, z), fill))
        cells.append(((x, y + i // 2, z), f"{stair}[type={'top' if i % 2 else 'bottom'}]"))
    first = cells[0][0]
    return Flight(tuple(cells), frozenset((cell[0], cell[2]) for cell, _ in cells) - {(first[0], first[2])})


def _ladder(place: Place, y: int, rise: int) -> Flight:
    x, z = place
    return Flight(tuple(((x, y + i, z), "ladder[facing=east]") for i in range(rise)), frozenset([place]))


def _flight(
    way: Way,
    storey: int,
    y: int,
    rise: int,
    stair: str,
    fill: str,
    *,
    lane: int,
    width: int,
    inset: int,
    open_sides: bool,
) -> Flight:
    match way:
        case "lanes":
            return _lanes(storey, y, rise, stair, fill, lane, inset)
        case "walls":
            return _walls(storey, y, rise, stair, fill, width)
        case "landings":
            return _landings(y, rise, stair, fill, inset)
        case "spiral":
            return _spiral((width // 2, width // 2), y, rise, stair, fill)
        case "ramps":
            return _ramps(storey, y, rise, stair, fill)
        case "ladder":
            return _ladder((1, 0) if open_sides else (1, 1), y, rise)


def _put(drawing: Drawing, flight: Flight, inside: Plan) -> None:
    """Draw what leads up. Raises :class:`FamilyError` where it leaves the places inside."""
    for cell, block in flight.cells:
        if (cell[0], cell[2]) not in inside:
            raise FamilyError("the way up does not fit into the plan", mend="give more width or depth, or another way")
        drawing.put(cell, block)


def _base(drawing: Drawing, base: Base, plan: Plan, block: str) -> int:
    """What the building stands on; gives back the height of its lowest floor."""
    if base == "soil":
        return 0
    drawing.layer(plan, -1 if base == "floor" else 0, block)
    return 0 if base == "floor" else 1


def _rail(drawing: Drawing, plan: Plan, y: int, block: str) -> None:
    for x, z in outline(plan):
        drawing.put((x, y, z), block)


@design
def frame(
    drawing: Drawing,
    storeys: int,
    width: int = 9,
    depth: int = 7,
    rise: int = 4,
    shape: Shape = "plain",
    way: Way = "lanes",
    lane: int = 1,
    thick: int = 1,
    base: Base = "soil",
    terrace: bool = False,
    beams: bool = False,
    column: str = "light_gray_concrete",
    floor: str = "light_gray_concrete",
    stair: str = "smooth_quartz_stairs",
    fill: str = "light_gray_concrete",
    rail: str = "",
) -> None:
    """Columns at the corners, slabs, and a way up; no walls.

    ``thick``: sides of the columns. ``beams``: a second, deeper row around each slab. ``terrace``: the way leads on to
    the roof. ``rail``: what stands around every floor but the lowest, left out where it is empty.
    """
    _check(storeys, width, depth, rise, lane)
    y = _base(drawing, base, _plan(shape, width, depth, 0, storeys), floor)
    for storey in range(storeys):
        plan = _plan(shape, width, depth, storey, storeys)
        feet = _thickened(corners(plan), plan, thick)
        above = y + rise - 1
        for x, z in feet:
            drawing.column((x, y, z), rise - 1, column)
        if beams:
            _rail(drawing, plan, above - 1, column)
        flight = NO_FLIGHT
        if storey < storeys - 1 or terrace:
            flight = _flight(way, storey, y, rise, stair, fill, lane=lane, width=width, inset=thick, open_sides=True)
        drawing.layer(plan - flight.hole, above, floor)
        _put(drawing, flight, plan - frozenset(feet))
        if rail and (storey < storeys - 1 or terrace):
            free = [p for p in outline(plan) if p not in feet and p not in flight.hole]
            for x, z in free:
                drawing.put((x, above + 1, z), rail)
        y += rise


def _thickened(places: Iterable[Place], plan: Plan, thick: int) -> list[Place]:
    """Each place with those beside it inside the plan, so that columns at outer corners have ``thick`` cells a side."""
    out: dict[Place, None] = {}
    for x, z in places:
        square = [(x + dx, z + dz) for dx in range(-1, 2) for dz in range(-1, 2) if (x + dx, z + dz) in plan]
        out.update(dict.fromkeys(square if thick == 2 and len(square) == 4 else [(x, z)]))
    return list(out)


@design
def storeyed_house(
    drawing: Drawing,
    storeys: int,
    width: int = 9,
    depth: int = 7,
    rise: int = 4,
    shape: Shape = "plain",
    way: Way = "lanes",
    lane: int = 1,
    base: Base = "floor",
    terrace: bool = False,
    rooms: int = 1,
    windows: Windows = "panes",
    wall: str = "bricks",
    floor: str = "stone",
    stair: str = "oak_stairs",
    fill: str = "stone",
    door: str = "oak_door",
    rail: str = "oak_fence",
    lamps: bool = False,
) -> None:
    """Walls around every storey, a door to the south, floors and a way up from each to the next.

    ``terrace``: the way leads on to the roof, which has a railing. ``rooms``: 2 parts each storey by a wall with a
    doorway. ``lamps``: one hangs from the middle of each ceiling.
    """
    _check(storeys, width, depth, rise, lane)
    if not 1 <= rooms <= 2:
        raise FamilyError(f"{rooms} rooms a storey", mend="take 1 or 2")
    y = _base(drawing, base, _plan(shape, width, depth, 0, storeys), floor)
    for storey in range(storeys):
        plan = _plan(shape, width, depth, storey, storeys)
        ring = outline(plan)
        entrance = _entrance(ring) if storey == 0 else None
        above = y + rise - 1
        holding = corners(plan)
        for level in range(y, above):
            for x, z in ring:
                if entrance == (x, z) and level < y + 2:
                    continue
                block = _window(windows, (x, z), level - y, plan, holding) if (x, z) != entrance else ""
                if block != "air":
                    drawing.put((x, level, z), block or wall)
        flight = NO_FLIGHT
        if storey < storeys - 1 or terrace:
            flight = _flight(way, storey, y, rise, stair, fill, lane=lane, width=width, inset=1, open_sides=False)
        drawing.layer(plan - flight.hole, above, floor)
        _put(drawing, flight, plan - frozenset(ring))
        if rooms == 2:
            _parted(drawing, plan, width - 3, y, above, wall)
        if entrance is not None:
            drawing.door((entrance[0], y, entrance[1]), "north", door)
            if base == "plinth":
                drawing.put((entrance[0], 0, entrance[1] + 1), "stone_slab")
        if lamps:
            x, z = min(
                plan - flight.hole - set(ring), key=lambda p: (abs(p[0] - width // 2) + abs(p[1] - depth // 2), p)
            )
            drawing.put((x, above - 1, z), "lantern[hanging=true]")
        y += rise
    if terrace:
        _rail(drawing, plan, y, rail)


def _entrance(ring: Iterable[Place]) -> Place:
    """In the middle of the southernmost row."""
    south = max(z for _, z in ring)
    row = sorted(x for x, z in ring if z == south)
    return row[len(row) // 2], south


def _window(kind: Windows, place: Place, height: int, plan: Plan, holding: Iterable[Place]) -> str:
    """What stands in a wall in place of its own block: a pane, "air", or nothing else."""
    x, z = place
    straight = sum((x + a, z + b) in plan for a, b in SIDES.values()) == 3
    if kind == "none" or height != 1 or not straight or place in holding or (x == 0 and z < 3):
        return ""
    along_x = (x - 1, z) in plan and (x + 1, z) in plan
    number = x if along_x else z
    if kind == "ribbons" and number % 4:
        return "gray_stained_glass"
    if kind == "open" and number % 3 == 0:
        return "air"
    if kind == "panes" and number % 3 == 1:
        return "glass_pane[east=true,west=true]" if along_x else "glass_pane[north=true,south=true]"
    return ""


def _parted(drawing: Drawing, plan: Plan, x: int, y: int, above: int, wall: str) -> None:
    """A wall from north to south with a doorway in its middle."""
    inside = sorted(z for a, z in plan - set(outline(plan)) if a == x)
    if not inside or any((x, level, z) in drawing for level in (y, y + 1) for z in inside):
        raise FamilyError("no place for a wall between two rooms", mend="take rooms = 1 or another plan")
    way = inside[len(inside) // 2]
    for level in range(y, above):
        for z in inside:
            if z != way or level >= y + 2:
                drawing.put((x, level, z), wall)
