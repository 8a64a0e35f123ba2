"""Plain oracles: what is right and wrong for edited reference builds, told without the rules.

Each oracle says in a few lines of sets and loops whether a build meets the words of its family's text. They hold for
the edits that the families name (a cell out, a part shifted, another order), not for every build that one may think of,
and know nothing of ``checkers``: two answers found on two ways are worth more than one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from minece.blocks.states import is_air, material_of
from minece.tasks.paths import Cell

_STEPS = ((-1, 0, 0), (1, 0, 0), (0, -1, 0), (0, 1, 0), (0, 0, -1), (0, 0, 1))


@dataclass(frozen=True, slots=True)
class Plain:
    """A build as plain Python: materials by cell in the order of placement, and the cells dug below ground."""

    blocks: dict[Cell, str]
    dug: frozenset[Cell]

    def of(self, *materials: str) -> set[Cell]:
        """The cells of some materials."""
        return {cell for cell, material in self.blocks.items() if material in materials}


def plain(events: Iterable[tuple[Cell, str | None]]) -> Plain:
    """What placements and removals leave."""
    blocks: dict[Cell, str] = {}
    dug: set[Cell] = set()
    for cell, state in events:
        blocks.pop(cell, None)
        if state is None or is_air(state):
            dug.add(cell)
        else:
            dug.discard(cell)
            blocks[cell] = material_of(state)
    return Plain(blocks, frozenset(cell for cell in dug if cell[1] < 0))


def _size(cells: set[Cell]) -> list[int]:
    return [max(axis) - min(axis) + 1 for axis in zip(*cells, strict=True)]


def _is_box(cells: set[Cell], plan: Iterable[int], height: int) -> bool:
    if not cells:
        return False
    x, y, z = _size(cells)
    return sorted((x, z)) == sorted(plan) and y == height and len(cells) == x * y * z


def _beside(cell: Cell) -> list[Cell]:
    x, y, z = cell
    return [(x + dx, y + dy, z + dz) for dx, dy, dz in _STEPS]


def _rests(build: Plain, cell: Cell) -> bool:
    """Soil under the cell, or beside it where it lies below ground."""
    x, y, z = cell
    around = [(x, y - 1, z), (x - 1, y, z), (x + 1, y, z), (x, y, z - 1), (x, y, z + 1)]
    return any(c[1] < 0 and c not in build.blocks and c not in build.dug for c in around)


def _stands(build: Plain) -> bool:
    reached = {cell for cell in build.blocks if _rests(build, cell)}
    waiting = list(reached)
    while waiting:
        for cell in _beside(waiting.pop()):
            if cell in build.blocks and cell not in reached:
                reached.add(cell)
                waiting.append(cell)
    return len(reached) == len(build.blocks)


def _always_stood(build: Plain) -> bool:
    """Each block touched the soil or a block that stood when it was placed."""
    standing: set[Cell] = set()
    for cell in build.blocks:
        if not _rests(build, cell) and not standing & set(_beside(cell)):
            return False
        standing.add(cell)
    return True


def _in_stages(build: Plain, *stages: str) -> bool:
    found = [stages.index(material) for material in build.blocks.values() if material in stages]
    return found == sorted(found) and set(found) == set(range(len(stages)))


def _shallow(p: Mapping[str, Any], build: Plain) -> bool:
    cells = set(build.blocks)
    return (
        set(build.blocks.values()) == {"stone"}
        and _is_box(cells, (p["length"], p["width"]), p["thickness"])
        and min(y for _, y, _ in cells) <= 0 <= max(y for _, y, _ in cells) + 1
    )


def _deep(p: Mapping[str, Any], build: Plain) -> bool:
    cells = set(build.blocks)
    top = max(y for _, y, _ in cells) + 1
    underside = top - p["cap"]
    cap = {cell for cell in cells if cell[1] >= underside}
    plan = {(x, z) for x, _, z in cells - cap}
    piles = {(x, y, z) for x, z in plan for y in range(underside - 5, underside)}
    return (
        set(build.blocks.values()) == {"stone"}
        and _is_box(cap, (p["length"], p["width"]), p["cap"])
        and underside <= 0
        and len(plan) == p["piles"]
        and cells - cap == piles
        and all((x, underside, z) in cap for x, z in plan)
        and all(max(abs(a - c), abs(b - d)) > 1 for a, b in plan for c, d in plan if (a, b) != (c, d))
    )


def _walls(p: Mapping[str, Any], build: Plain) -> bool:
    cells = set(build.blocks)
    return (
        set(build.blocks.values()) == {"stone"}
        and _is_box(cells, (p["width"], p["thickness"]), p["height"])
        and min(y for _, y, _ in cells) == 0
    )


_LAMPS = ("glowstone", "sea_lantern", "lantern")


def _roofs(p: Mapping[str, Any], build: Plain) -> bool:
    roof, columns = build.of("oak_planks"), build.of("stone")
    plan = {(x, z) for x, _, z in columns}
    wanted = {(x, y, z) for x, z in plan for y in range(p["height"])}
    return (
        build.blocks.keys() == roof | columns | build.of(*_LAMPS)
        and _is_box(roof, p["size"], 1)
        and len(plan) == p["columns"]
        and columns == wanted
        and all((x, p["height"], z) in roof for x, z in plan)
        and not any((x + 1, z) in plan or (x, z + 1) in plan for x, z in plan)
        and _in_stages(build, "stone", "oak_planks")
        and _stands(build)
    )


def _stable_roof(p: Mapping[str, Any], build: Plain, layers: int) -> bool:
    """Columns where those of the reference are, or those of the best build known."""
    roof, stone = build.of("oak_planks"), build.of("stone")
    if not _is_box(roof, (10, 10), layers):
        return False
    west, under, north = (min(axis) for axis in zip(*roof, strict=True))
    middle = {(4, 4)} if p["columns"] == 5 else set()
    plans = [{(1, 1), (1, 7), (7, 1), (7, 7)} | middle, {(1, 2), (6, 1), (7, 6), (2, 7)} | middle][: 6 - p["columns"]]
    columns = [
        {(west + x + i, y, north + z + j) for x, z in plan for i in (0, 1) for j in (0, 1) for y in (0, 1)}
        for plan in plans
    ]
    return (
        build.blocks.keys() == roof | stone | build.of("torch")
        and all(y == 0 or (x, y - 1, z) in roof | stone for x, y, z in build.of("torch"))
        and under == 2
        and stone in columns
        and _in_stages(build, "stone", "oak_planks")
        and _stands(build)
    )


def _plan_1(_: Mapping[str, Any], build: Plain) -> bool:
    blocks = {cell: "concrete" if m.endswith("_concrete") else m for cell, m in build.blocks.items()}
    build = Plain(blocks, build.dug)
    foundation, ceiling = build.of("concrete"), build.of("oak_planks")
    columns, walls = build.of("stone"), build.of("stone", "dirt")
    feet = {(x, z): y for x, y, z in foundation}
    tops = {(x, z): y for x, y, z in ceiling}
    plan = {(x, z) for x, _, z in walls}
    whole = [
        (x, z)
        for x, z in {(x, z) for x, _, z in columns}
        if (x, z) in feet and (x, z) in tops and all((x, y, z) in columns for y in range(feet[x, z] + 1, tops[x, z]))
    ]
    inside = _inside(plan)
    return (
        len(whole) >= 2
        and bool(inside)
        and all(place in tops for place in inside)
        and all((x, z) in feet and feet[x, z] < y for x, y, z in walls)
        and _in_stages(build, "concrete", "stone", "dirt", "oak_planks")
        and _always_stood(build)
        and _stands(build)
    )


def _inside(plan: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """The places that walls in plan keep from the outside."""
    if not plan:
        return set()
    xs, zs = [x for x, _ in plan], [z for _, z in plan]
    free = {(x, z) for x in range(min(xs) - 1, max(xs) + 2) for z in range(min(zs) - 1, max(zs) + 2)} - plan
    waiting = [(min(xs) - 1, min(zs) - 1)]
    while waiting:
        place = waiting.pop()
        if place in free:
            free.remove(place)
            x, z = place
            waiting += [(x - 1, z), (x + 1, z), (x, z - 1), (x, z + 1)]
    return free


_Place = tuple[int, int]


def _is_door(material: str | None) -> bool:
    return material is not None and material.endswith("_door")


def _hangs(build: Plain) -> bool:
    """Each half of a door stands on something, and all else is joined to the ground without doors."""
    doors = {cell for cell, material in build.blocks.items() if _is_door(material)}
    carried = all((x, y - 1, z) in build.blocks or (y <= 0 and (x, y - 1, z) not in build.dug) for x, y, z in doors)
    return carried and _stands(Plain({c: m for c, m in build.blocks.items() if c not in doors}, build.dug))


def _walks(build: Plain) -> set[Cell]:
    """The cells in which somebody can stand who comes from outside, opens doors, climbs one block and falls three."""
    solid = {cell for cell, material in build.blocks.items() if not _is_door(material) and material != "red_carpet"}
    low = min(min(y for _, y, _ in solid), 0) - 2
    bounds = [(min(axis) - 2, max(axis) + 2) for axis in zip(*build.blocks, strict=True)]

    def full(x: int, y: int, z: int) -> bool:
        return (x, y, z) in solid or (y < 0 and (x, y, z) not in build.dug and (x, y, z) not in build.blocks)

    def stands(x: int, y: int, z: int) -> bool:
        return full(x, y - 1, z) and not full(x, y, z) and not full(x, y + 1, z)

    return _reached((bounds[0][0], 0, bounds[2][0]), bounds, full, lambda x, y, z: y > low and stands(x, y, z))


def _reached(
    start: Cell,
    bounds: list[tuple[int, int]],
    full: Callable[[int, int, int], bool],
    stands: Callable[[int, int, int], bool],
) -> set[Cell]:
    """The cells in which somebody can stand who starts from one of them, climbs one block and falls three."""
    waiting = [start]
    reached = {start}
    while waiting:
        x, y, z = waiting.pop()
        for a, b in ((x - 1, z), (x + 1, z), (x, z - 1), (x, z + 1)):
            if not (bounds[0][0] <= a <= bounds[0][1] and bounds[2][0] <= b <= bounds[2][1]):
                continue
            for c in range(y - 3, y + 2):
                room = [(x, y + 2, z)] if c > y else [(a, up, b) for up in range(c + 2, y + 2)]
                if (a, c, b) not in reached and stands(a, c, b) and not any(full(*cell) for cell in room):
                    reached.add((a, c, b))
                    waiting.append((a, c, b))
    return reached


def _spaces(build: Plain, floor: int) -> list[tuple[set[_Place], set[_Place]]]:
    """What walls enclose in plan on the storey that begins at a height: its places, and those with a roof; only where
    somebody gets in.

    Walls are places that hold something in at least two of the three cells above the floor: single blocks in a room and
    holes of one block in a wall change nothing.
    """
    places = {(x, z) for x, _, z in build.blocks}
    fixed = {cell for cell, material in build.blocks.items() if not material.endswith("_bed")}
    walls = {(x, z) for x, z in places if sum((x, floor + y, z) in fixed for y in range(3)) >= 2}
    tops = {(x, z) for x, y, z in build.blocks if y >= floor + 3}
    entered = {(x, z) for x, y, z in _walks(build) if floor - 1 <= y < floor + 2}
    left = _inside(walls)
    out = []
    while left:
        space = {left.pop()}
        waiting = list(space)
        while waiting:
            x, z = waiting.pop()
            near = {(x - 1, z), (x + 1, z), (x, z - 1), (x, z + 1)} & left
            left -= near
            space |= near
            waiting += near
        if space & entered:
            out.append((space, space & tops))
    return out


def _rooms_of(build: Plain, floor: int = 0) -> list[set[_Place]]:
    """The rooms in plan of a storey: spaces of at least four places with a roof over all of it."""
    return [space for space, covered in _spaces(build, floor) if space == covered and len(space) >= 4]


def _is_storey(build: Plain, floor: int) -> bool:
    """At least six places under a roof."""
    return any(len(covered) >= 6 for _, covered in _spaces(build, floor))


def _doors_of(build: Plain) -> set[_Place]:
    """The places of whole doors that somebody gets to, from the ground up."""
    doors = {cell for cell, material in build.blocks.items() if _is_door(material)}
    walked = _walks(build)
    return {(x, z) for x, y, z in doors if y == 0 and (x, 1, z) in doors and (x, 0, z) in walked}


def _rooms(p: Mapping[str, Any], build: Plain) -> bool:
    return len(_rooms_of(build)) == p["rooms"] and bool(_doors_of(build)) and _hangs(build)


def _revised(p: Mapping[str, Any], build: Plain) -> bool:
    """The house of the last turn; no upper half of a door is left over from the one before."""
    halves = [{(x, z) for (x, y, z), m in build.blocks.items() if _is_door(m) and y == level} for level in (0, 1)]
    return (
        halves[1] <= halves[0] and len(_rooms_of(build)) == p["rooms"][-1] and bool(_doors_of(build)) and _hangs(build)
    )


def _bedrooms(build: Plain, number: int) -> bool:
    """So many beds, each whole and in a room of its own. Two halves in one room lie side by side."""
    beds = {cell for cell, material in build.blocks.items() if material.endswith("_bed")}
    walked = _walks(build)
    rooms = _rooms_of(build)
    own = [{cell for cell in beds if (cell[0], cell[2]) in room} for room in rooms]
    near = [{(a, y, b) for x, y, z in found for a, _, b in _beside((x, y, z))} & walked for found in own]
    return (
        sum(map(len, own)) == len(beds) == 2 * number
        and sum(len(found) == 2 for found in own) == number
        and all(near[i] for i, found in enumerate(own) if found)
    )


def _beds(p: Mapping[str, Any], build: Plain) -> bool:
    return _bedrooms(build, p["beds"]) and bool(_doors_of(build)) and _hangs(build)


def _asymmetry(p: Mapping[str, Any], build: Plain) -> bool:
    """Edits of one block make no house symmetric."""
    match p["kind"]:
        case "2beds" | "3beds":
            right = _bedrooms(build, int(p["kind"][0]))
        case "2storeys":
            right = _is_storey(build, 0) and _is_storey(build, 4) and bool(_rooms_of(build) + _rooms_of(build, 4))
        case kind:
            number = len(_rooms_of(build))
            right = number >= 1 if kind == "plain" else number == int(kind[0])
    return right and bool(_doors_of(build)) and _hangs(build)


def _basic_house(_: Mapping[str, Any], build: Plain) -> bool:
    """Edits of one block leave nine tenths of every part as they were."""
    return bool(_rooms_of(build)) and bool(_doors_of(build)) and _hangs(build)


def _levels(build: Plain) -> int:
    """How many floors of six cells or more lie at least three apart, covered, where somebody walks."""
    tops: dict[_Place, int] = {}
    for x, y, z in build.blocks:
        tops[x, z] = max(y, tops.get((x, z), y))
    left = {(x, y, z) for x, y, z in _walks(build) if tops.get((x, z), -9) >= y + 2}
    heights = set()
    while left:
        waiting = [left.pop()]
        size = 0
        while waiting:
            x, y, z = waiting.pop()
            size += 1
            near = {(x - 1, y, z), (x + 1, y, z), (x, y, z - 1), (x, y, z + 1)} & left
            left -= near
            waiting += near
        if size >= 6:
            heights.add(y)
    found, last = 0, -3
    for y in sorted(heights):
        if y - last >= 3:
            found, last = found + 1, y
    return found


def _frames(p: Mapping[str, Any], build: Plain) -> bool:
    """Columns at the four corners of 9 by 7; edits of single blocks leave nine tenths of the floors as they were."""
    number = p["storeys"]
    columns = {(x, y, z) for x in (0, 8) for z in (0, 6) for y in range(4 * number) if y % 4 != 3}
    return (
        _levels(build) == number
        and max(y for _, y, _ in build.blocks) + 1 >= 4 * number
        and all(build.blocks.get(cell, "_concrete").endswith("_concrete") for cell in columns)
        and _stands(build)
    )


def _storeys(p: Mapping[str, Any], build: Plain) -> bool:
    """Walls of 9 by 7, three high on each storey; a hole of one cell in them is a window."""
    number = p["storeys"]
    ring = [(x, z) for x in range(9) for z in range(7) if x in (0, 8) or z in (0, 6)]
    walls = [(x, y, z) for x, z in ring for y in range(4 * number) if y % 4 != 3]
    missing = sum(cell not in build.blocks for cell in walls)
    return _levels(build) == number and missing <= 2 and _hangs(build)


def _slab_at_height(_: Mapping[str, Any], build: Plain) -> bool:
    slab, columns = build.of("spruce_planks"), build.of("stone_bricks")
    plan = {(x, z) for x, _, z in columns}
    return (
        bool(slab)
        and _is_box(slab, _size(slab)[::2], 1)
        and {y for _, y, _ in slab} == {5}
        and len(plan) == 4
        and columns == {(x, y, z) for x, z in plan for y in range(5)}
        and all((x, 5, z) in slab for x, z in plan)
        and _stands(build)
    )


def _plan_2(_: Mapping[str, Any], build: Plain) -> bool:
    blocks = {cell: "red" if m.startswith("red_") else m for cell, m in build.blocks.items()}
    build = Plain(blocks, build.dug)
    stone, white, planks, red = (build.of(name) for name in ("stone", "white_concrete", "oak_planks", "red"))
    under = {(x, z): y for x, y, z in stone}
    over = {(x, z): max(b for a, b, c in red if (a, c) == (x, z)) for x, _, z in red}
    whole = [
        (x, z)
        for x, z in {(x, z) for x, _, z in white}
        if (x, z) in under and (x, z) in over and all((x, y, z) in white for y in range(under[x, z] + 1, over[x, z]))
    ]
    lowest = min(y for _, y, _ in white)
    return (
        len(whole) >= 2
        and all((x, z) in under for x, y, z in white if y == lowest)
        and len(planks) >= 6
        and all(over.get((x, z), y) > y for x, y, z in planks)
        and _levels(build) == 2
        and _in_stages(build, "stone", "white_concrete", "oak_planks", "red")
        and _always_stood(build)
        and _stands(build)
    )


def _level_ground(build: Plain) -> set[_Place]:
    """The places at the level of the ground where somebody can stand: two cells free, doors opened."""
    solid = {c for c, m in build.blocks.items() if not _is_door(m)}
    bounds = [(min(axis) - 3, max(axis) + 3) for axis in zip(*build.blocks, strict=True)]
    return {
        (x, z)
        for x in range(bounds[0][0], bounds[0][1] + 1)
        for z in range(bounds[2][0], bounds[2][1] + 1)
        if ((x, -1, z) in solid or (x, -1, z) not in build.dug) and not {(x, 0, z), (x, 1, z)} & solid
    }


def _spread(start: Iterable[_Place], places: set[_Place]) -> set[_Place]:
    """The places that are joined by sides with some first ones."""
    reached = set(start) & places
    waiting = list(reached)
    while waiting:
        x, z = waiting.pop()
        near = ({(x - 1, z), (x + 1, z), (x, z - 1), (x, z + 1)} & places) - reached
        reached |= near
        waiting += near
    return reached


def _step_free_house(p: Mapping[str, Any], build: Plain) -> bool:
    """The floor is level with the ground, and a square of two by two cells comes to each bed."""
    rooms, beds = p["size"]
    free = _level_ground(build)
    squares = {(x, z) for x, z in free if {(x + 1, z), (x, z + 1), (x + 1, z + 1)} <= free}
    there = {(x + a, z + b) for x, z in _spread([min(squares)], squares) for a in (0, 1) for b in (0, 1)}
    halves = {(x, z): m for (x, _, z), m in build.blocks.items() if m.endswith("_bed")}
    colours = [{place for place, m in halves.items() if m == colour} for colour in set(halves.values())]
    return (
        len(_rooms_of(build)) == rooms
        and len(colours) == beds
        and all(len(_spread(list(bed)[:1], bed)) == len(bed) == 2 for bed in colours)
        and all(
            {(x + a, z + b) for x, z in bed for a, b in ((1, 0), (-1, 0), (0, 1), (0, -1))} & there for bed in colours
        )
        and bool(_doors_of(build))
        and _hangs(build)
    )


def _theatre(p: Mapping[str, Any], build: Plain) -> bool:
    """Four single doors in the side walls of a square hall whose floor is level with the ground."""
    seats, limit = p["size"]
    stairs, lamps, doors = build.of("oak_stairs"), build.of("sea_lantern"), _doors_of(build)
    x, _, z = _size(build.of("gray_concrete"))
    free = _level_ground(build)
    beside = {(a, c) for cell in stairs for a, b, c in _beside(cell) if b == cell[1]}
    hall = [(a, c) for a in range(1, limit - 1) for c in range(1, limit - 1)]
    inside, open_air = set(hall), free - set(hall) - doors
    exits = [
        place
        for place in doors
        if any(cell in lamps for y in (0, 1) for cell in _beside((place[0], y, place[1])))
        and _spread([place], (free & inside) | {place}) & beside
        and _spread([place], open_air | {place}) & {min(free)}
    ]
    return (
        len(stairs) == seats
        and max(x, z) <= limit
        and len(exits) == 4
        and all((a, 5, c) in build.blocks for a, c in hall)
        and all({(a, c)} | {(m, o) for m, _, o in _beside((a, b, c))} & free for a, b, c in stairs)
        and _hangs(build)
    )


def _largest_cabin(p: Mapping[str, Any], build: Plain) -> bool:
    edge = {56: 4, 98: 5, 152: 6, 218: 7}[p["planks"]]
    cells = set(build.blocks)
    if cells != build.of("oak_planks") or len(cells) > p["planks"] or _size(cells) != [edge] * 3:
        return False
    low = [min(axis) for axis in zip(*cells, strict=True)]
    box = {(low[0] + i, low[1] + j, low[2] + k) for i in range(edge) for j in range(edge) for k in range(edge)}
    ends = [{a, a + edge - 1} for a in low]
    room = {cell for cell in box if not any(n in end for n, end in zip(cell, ends, strict=True))}
    doorways = [{(x, low[1] + 1, z), (x, low[1] + 2, z)} for x, _, z in box if (x in ends[0]) != (z in ends[2])]
    holes = box - room - cells
    dug_out = all(y >= 0 or (x, y, z) in build.dug for x, y, z in room)
    return not room & cells and dug_out and (not holes or holes in doorways) and _stands(build)


def _ceilings(p: Mapping[str, Any], build: Plain) -> bool:
    """Clear heights are those over most places of each room."""
    upper = 5 if p["kind"] == "2storeys" else 0
    heights, count = set(), []
    for floor in sorted({0, upper}):
        rooms = _rooms_of(build, floor)
        count.append(len(rooms))
        for room in rooms:
            free = [min(y for a, y, b in build.blocks if (a, b) == place and y >= floor + 2) - floor for place in room]
            heights.add(max(set(free), key=free.count))
    right = sum(count) >= (int(p["kind"][0]) if p["kind"].endswith("rooms") else 1)
    if upper:
        right = right and _is_storey(build, 0) and _is_storey(build, upper)
    if p["kind"].endswith("beds"):
        right = _bedrooms(build, int(p["kind"][0]))
    return right and len(heights) >= 3 and bool(_doors_of(build)) and _hangs(build)


def _bridge_gap(build: Plain) -> range:
    """The longest row of places x without anything at the level of the ground, of those that something lies over."""
    held = sorted({x for x, y, _ in build.blocks if y == 0})
    gaps = [range(a + 1, b) for a, b in zip(held, held[1:], strict=False)]
    spanned = {x for x, y, _ in build.blocks if y > 0}
    return max((gap for gap in gaps if spanned.issuperset(gap)), key=len, default=range(0))


def _spans(p: Mapping[str, Any], build: Plain) -> bool:
    """Free at the level of the ground over the width of the bridge and a boat's length beyond."""
    gap = _bridge_gap(build)
    return len(gap) >= p["river"] and not any(y == 0 and x in gap for x, y, _ in build.blocks)


def _sails(p: Mapping[str, Any], build: Plain) -> bool:
    gap, boat = _bridge_gap(build), p["boat"]
    low = {x for x, y, _ in build.blocks if 0 <= y < boat}
    return any(low.isdisjoint(range(x, x + boat)) for x in gap[: len(gap) - boat + 1])


def _crosses(build: Plain) -> bool:
    """People get over and back by jumps of one block and falls of three, not in the river; stairs are whole blocks."""
    gap = _bridge_gap(build)
    solid = set(build.blocks)
    bounds = [(min(axis) - 2, max(axis) + 2) for axis in zip(*build.blocks, strict=True)]

    def full(x: int, y: int, z: int) -> bool:
        return (x, y, z) in solid or (y < 0 and (x, y, z) not in build.dug)

    def stands(x: int, y: int, z: int) -> bool:
        wet = x in gap and (y <= 1 or (x, 0, z) in solid)
        return not wet and full(x, y - 1, z) and not full(x, y, z) and not full(x, y + 1, z)

    def over(start: int, goal: int) -> bool:
        return (goal, 0, bounds[2][0]) in _reached((start, 0, bounds[2][0]), bounds, full, stands)

    return over(bounds[0][0], bounds[0][1]) and over(bounds[0][1], bounds[0][0])


def _bridges(p: Mapping[str, Any], build: Plain) -> bool:
    """Under the deck nothing may stand out from the supports."""
    gap = _bridge_gap(build)
    lowest = [min(y for a, y, _ in build.blocks if a == x) for x in gap]
    deck = max(set(lowest), key=lowest.count) if lowest else 0
    brackets = [(x, y, z) for x, y, z in build.blocks if x in gap and y < deck]
    free = not any(n in build.blocks and n[0] not in gap for cell in brackets for n in _beside(cell))
    return _spans(p, build) and free and _sails(p, build) and _crosses(build) and _stands(build)


def _is_arch(gap: range, row: list[set[int]], ends: list[set[int]]) -> bool:
    """Whether the heights of the blocks over each place of the gap, and over those beside it, make an arch."""
    low = [min(ys) for ys in row]
    up = [b - a for a, b in zip(low, low[1:], strict=False) if a != b]
    runs = []
    for ys in row:
        run = {min(ys)}
        while max(run) + 1 in ys:
            run.add(max(run) + 1)
        runs.append(run)
    return (
        [step > 0 for step in up] == sorted((step > 0 for step in up), reverse=True)
        and max(low) - max(low[0], low[-1]) >= 1
        and 2 * low.count(max(low)) <= len(gap)
        and all(a & b for a, b in zip([ends[0], *runs], [*runs, ends[1]], strict=True))
    )


def _arch_bridges(p: Mapping[str, Any], build: Plain) -> bool:
    gap = _bridge_gap(build)
    over: dict[int, dict[int, set[int]]] = {}
    for x, y, z in build.blocks:
        if x in range(gap.start - 1, gap.stop + 1):
            over.setdefault(z, {}).setdefault(x, set()).add(y)
    rows = {z: [found[x] for x in gap] for z, found in over.items() if found.keys() >= set(gap)}
    if not rows or not gap:
        return False
    springing = {z: min(map(min, row)) for z, row in rows.items()}
    crown = min(max(map(min, rows[z])) for z, y in springing.items() if y == min(springing.values()))
    ring = [z for z, y in springing.items() if y < crown]
    broken = [z for z, found in over.items() if z not in rows and 2 * len(found.keys() & set(gap)) > len(gap)]
    return (
        bool(ring)
        and all(z in rows for z in range(min(ring), max(ring)))
        and all(min(y for x in gap for y in over[z].get(x, {crown})) >= crown for z in broken)
        and 2 * (max(ring) - min(ring) + 1) >= len(rows)
        and all(_is_arch(gap, rows[z], [over[z].get(gap.start - 1, set()), over[z].get(gap.stop, set())]) for z in ring)
        and _spans(p, build)
        and _sails(p, build)
        and _crosses(build)
        and _stands(build)
    )


def _dome_floor(p: Mapping[str, Any], build: Plain) -> set[Cell]:
    """The cells right under the shell of a dome with its corner at 0 and no block below ground: the free ones of its
    columns that something covers, joined to the middle of its floor."""
    d = p["diameter"]
    middle = (d - 1) / 2
    disc = [(x, z) for x in range(d) for z in range(d) if (x - middle) ** 2 + (z - middle) ** 2 <= d * d / 4]
    tops = {(x, z): max((y for a, y, b in build.blocks if (a, b) == (x, z)), default=-1) for x, z in disc}
    under = {(x, y, z) for (x, z), top in tops.items() for y in range(top)} - build.blocks.keys()
    first = (int(middle), 0, int(middle))
    reached = {first} & under or {cell for cell in _beside(first) if cell in under}
    waiting = list(reached)
    while waiting:
        near = set(_beside(waiting.pop())) & under - reached
        reached |= near
        waiting += near
    return reached


def _domes(p: Mapping[str, Any], build: Plain) -> bool:
    """Edits of single blocks leave the disc, the height and the room as they were, where the shell stays closed above
    the ground and nothing is piled up on its flank."""
    d = p["diameter"]
    middle = (d - 1) / 2
    inside = _dome_floor(p, build)
    plan = {(x, z) for x, _, z in build.blocks}
    disc = {(x, z) for x in range(d) for z in range(d) if (x - middle) ** 2 + (z - middle) ** 2 <= d * d / 4}
    tops = {(x, z): max(y for a, y, b in build.blocks if (a, b) == (x, z)) for x, z in plan & disc}

    def opens(cell: Cell, near: Cell) -> bool:
        """Whether there is a way out here that does not come up from the ground."""
        if near in build.blocks or near in inside or near[1] < 0:
            return False
        return cell[1] != near[1] or any(
            (x, y, z) in build.blocks for x, _, z in (cell, near) for y in range(cell[1] + 1)
        )

    def falls(place: _Place) -> bool:
        """Whether the next place straight toward the middle lies lower."""
        x, z = middle - place[0], middle - place[1]
        far = (x * x + z * z) ** 0.5
        if far < 1:
            return False
        step = [(n > 0) - (n < 0) if abs(n) > 0.45 * far else 0 for n in (x, z)]
        return tops.get((place[0] + step[0], place[1] + step[1]), 99) < tops[place]

    return (
        not any(opens(cell, near) for cell in inside for near in _beside(cell))
        and {(x, z) for x, z in disc if {(x - 1, z), (x + 1, z), (x, z - 1), (x, z + 1)} <= disc} <= plan
        and not any(falls(place) for place in tops)
        and max(tops.values()) > max(top for (x, z), top in tops.items() if {x, z} & {0, d - 1})
        and _stands(build)
    )


def _igloos(p: Mapping[str, Any], build: Plain) -> bool:
    """Besides, half of the floor inside can be walked on, and nothing beside the tunnel in the east makes that wider
    where it begins."""
    d = p["diameter"]
    middle = (d - 1) / 2
    disc = {(x, z) for x in range(d) for z in range(d) if (x - middle) ** 2 + (z - middle) ** 2 <= (d / 2 + 0.25) ** 2}
    root = {
        z
        for x, y, z in build.blocks
        if y == 0 and x > middle and (x, z) not in disc and {(x - 1, z), (x, z - 1), (x, z + 1)} & disc
    }
    first, last = (d - 1) // 2 - 1, (d - 1) // 2 + 1
    if first - 1 in root or last + 1 in root:
        return False
    walked = _walks(build)
    floor = {
        (x, y, z)
        for x, y, z in _dome_floor(p, build)
        if (x, y + 1, z) not in build.blocks and (y == 0 or (x, y - 1, z) in build.blocks)
    }
    return _domes(p, build) and 2 * len(floor & walked) >= len(floor)


ORACLES: Mapping[str, Callable[[Mapping[str, Any], Plain], bool]] = {
    "shallow": _shallow,
    "deep": _deep,
    "walls": _walls,
    "roofs": _roofs,
    "stable-roof-1": lambda p, build: _stable_roof(p, build, 1),
    "stable-roof-2": lambda p, build: _stable_roof(p, build, 2),
    "plan-1": _plan_1,
    "largest-cabin": _largest_cabin,
    "basic-house": _basic_house,
    "asymmetry": _asymmetry,
    "ceilings": _ceilings,
    "rooms": _rooms,
    "revise-2": _revised,
    "revise-5": _revised,
    "beds": _beds,
    "frames": _frames,
    "storeys": _storeys,
    "slab-at-height": _slab_at_height,
    "plan-2": _plan_2,
    "step-free-house": _step_free_house,
    "theatre": _theatre,
    "domes": _domes,
    "igloos": _igloos,
    "bridges": _bridges,
    "arch-bridges": _arch_bridges,
}
"""Oracles by family: parameters and a plain build in, right or wrong out."""
