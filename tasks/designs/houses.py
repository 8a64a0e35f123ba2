"""Houses as people really build them: a plan of rooms and doors, and a style that turns it into walls and roofs.

A plan says for each storey which places in plan are the floor of which room, and where the doors are. It knows no
material. A style says how plans become blocks: walls of one or two layers, roofs flat or pitched, floors level with
the ground, upon it, on a plinth or sunken, windows with panes or without.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from minece.tasks.designs.drawing import SIDES, Drawing, Place, Side, opposite, turned
from minece.tasks.designs.registry import design
from minece.tasks.errors import FamilyError

Layout = Literal[
    "row",
    "own doors",
    "divided",
    "uneven",
    "offset",
    "grid",
    "bend",
    "corridor",
    "hall",
    "storeys",
    "set back",
    "cellar",
]
"""How rooms lie: one behind the other; in a row, each with a door to the outside; in a row of always the same length;
in a row, each deeper than the one before; in a row, each shifted by half its depth; in two rows; in the shape of an L;
on both sides of a passage; along one side of a hall; on two storeys; the last one on top of part of the others; the
last one under the first."""

Roof = Literal["flat", "parapet", "slabs", "gable", "hip", "none"]


@dataclass(frozen=True, slots=True)
class Door:
    """A doorway: its place in plan, the side one looks to who goes through, and whether it leads outside.

    ``leaf`` is false for an archway; ``wide`` adds the place to the right of it.
    """

    place: Place
    facing: Side
    outer: bool = False
    leaf: bool = True
    wide: bool = False

    @property
    def places(self) -> list[Place]:
        """The place, or both places of a double door."""
        return [self.place, _step(self.place, turned(self.facing))] if self.wide else [self.place]


@dataclass(slots=True)
class Storey:
    """Rooms as sets of places, in order; passages, which are no rooms; doors; and the height of its floor's top.

    ``up`` is the place where stairs begin that rise towards ``rise``, beside a wall.
    """

    rooms: list[set[Place]]
    doors: list[Door] = field(default_factory=list)
    passages: list[set[Place]] = field(default_factory=list)
    feet: int = 0
    up: Place | None = None
    rise: Side = "east"

    @property
    def inside(self) -> set[Place]:
        """The floor of all rooms and passages."""
        return set().union(*self.rooms, *self.passages)


@dataclass(frozen=True, slots=True)
class Style:
    """How a plan becomes blocks. ``corner`` and ``frame`` are the wall's block where they are empty.

    ``feet`` is the height of the floor's top above the ground; ``window`` is empty for openings without panes. A roof
    that is ``level`` lies over all rooms at one height, and lower rooms have ceilings below it, as under pitched roofs.
    """

    wall: str = "oak_planks"
    corner: str = ""
    floor: str = "stone"
    roof: str = "spruce_planks"
    tread: str = "spruce_stairs"
    shape: Roof = "flat"
    eaves: int = 0
    ceiling: bool = False
    window: str = "glass_pane"
    pitch: int = 3
    door: str = "oak_door"
    double: bool = False
    arches: bool = False
    thick: int = 1
    feet: int = 0
    steps: bool = True
    height: int = 3
    level: bool = False
    chimney: bool = False
    porch: bool = False
    furniture: bool = False
    ladder: bool = False


STYLES: dict[str, Style] = {
    "plain": Style(),
    "hut": Style(
        wall="cobblestone", corner="spruce_log", floor="spruce_planks", shape="gable", eaves=1, chimney=True, pitch=4,
        door="spruce_door",
    ),
    "pavilion": Style(
        wall="glass", corner="birch_log", floor="smooth_quartz", roof="smooth_stone_slab", shape="slabs", eaves=1,
        window="none", door="birch_door",
    ),
    "plinth": Style(
        wall="bricks", floor="polished_andesite", roof="dark_oak_planks", tread="dark_oak_stairs", shape="hip", eaves=1,
        ceiling=True, feet=2, door="dark_oak_door", furniture=True, ladder=True,
    ),
    "sunken": Style(wall="mud_bricks", floor="packed_mud", roof="smooth_sandstone", shape="parapet", feet=-1, height=4),
    "slab": Style(
        wall="white_concrete", floor="light_gray_concrete", roof="gray_concrete", eaves=1, feet=1, steps=False,
        window="", door="iron_door",
    ),
    "thick": Style(
        wall="stone_bricks", floor="polished_deepslate", roof="stone_bricks", shape="parapet", thick=2, double=True,
        height=4, window="iron_bars",
    ),
    "cabin": Style(
        wall="spruce_log", floor="spruce_planks", tread="oak_stairs", roof="oak_planks", shape="gable", ceiling=True,
        eaves=1, porch=True, furniture=True, door="spruce_door",
    ),
    "adobe": Style(
        wall="terracotta", floor="smooth_sandstone", roof="orange_terracotta", shape="parapet", window="", arches=True,
        furniture=True, ladder=True,
    ),
}  # fmt: skip
"""Styles by name; each differs from the others in more than its material."""

StyleName = Literal["plain", "hut", "pavilion", "plinth", "sunken", "slab", "thick", "cabin", "adobe"]


def _step(place: Place, side: Side, number: int = 1) -> Place:
    dx, dz = SIDES[side]
    return (place[0] + dx * number, place[1] + dz * number)


def _around(place: Place) -> list[Place]:
    """The eight places around one."""
    x, z = place
    return [(x + a, z + b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]


def _sides(place: Place) -> list[Place]:
    """The four places beside one."""
    return [_step(place, side) for side in SIDES]


def _grown(places: set[Place], by: int) -> set[Place]:
    for _ in range(by):
        places = places.union(*map(_around, places))
    return places


def _rectangle(x: int, z: int, width: int, depth: int) -> set[Place]:
    return {(x + a, z + b) for a in range(width) for b in range(depth)}


def plan(layout: Layout, rooms: int, *, width: int = 4, depth: int = 4) -> list[Storey]:
    """The storeys of a house with a number of rooms, the floor of the first beginning at (1, 1).

    ``width`` and ``depth`` are the inner sizes of its rooms, without the walls; layouts with stairs take more.
    Raises :class:`FamilyError` for a number of rooms that a layout cannot have.
    """
    if not 1 <= rooms <= 12:
        raise FamilyError(f"{rooms} rooms", mend="take 1 to 12")
    if rooms == 1 and layout in ("storeys", "set back", "cellar"):
        raise FamilyError(f"one room on two storeys ({layout})", mend="take 2 rooms or more")
    if not 2 <= width <= 40 or not 2 <= depth <= 40:
        raise FamilyError(f"rooms of {width} by {depth}", mend="take 2 to 40")
    match layout:
        case "row":
            return [_row(rooms, width, depth)]
        case "own doors":
            storey = _row(rooms, width, depth)
            fronts = [Door((1 + i * (width + 1) + width // 2, 0), "south", outer=True) for i in range(rooms)]
            return [Storey(storey.rooms, fronts)]
        case "divided":
            return [_divided(rooms, 6 * width, depth)]
        case "uneven":
            return [_uneven(rooms, width, depth)]
        case "offset":
            return [_offset(rooms, width, depth)]
        case "grid":
            return [_grid(rooms, width, depth)]
        case "bend":
            return [_bend(rooms, width, depth)]
        case "corridor":
            return [_corridor(rooms, width, depth)]
        case "hall":
            return [_hall(rooms, width, depth)]
        case "storeys":
            return _storeys(rooms, width, depth)
        case "set back":
            return _set_back(rooms, width, depth)
        case "cellar":
            return _cellar(rooms, width, depth)


def _row(rooms: int, width: int, depth: int, *, first: int = 0) -> Storey:
    """Rooms along x; the outer door leads into the first, which may be larger."""
    widths = [max(width, first)] + [width] * (rooms - 1)
    starts = [1 + sum(widths[:i]) + i for i in range(rooms)]
    floors = [_rectangle(x, 1, w, depth) for x, w in zip(starts, widths, strict=True)]
    doors = [Door((1 + widths[0] // 2, 0), "south", outer=True)]
    doors += [Door((x - 1, 1 + (depth - 1) // 2), "east") for x in starts[1:]]
    return Storey(floors, doors)


def _divided(rooms: int, length: int, depth: int) -> Storey:
    """Rooms of about one size, cut out of one length by partitions."""
    if length < 4 * rooms - 1:
        raise FamilyError(f"{rooms} rooms in a length of {length}", mend="make them wider")
    ends = [(length + 1) * (i + 1) // rooms for i in range(rooms)]
    starts = [1] + [end + 1 for end in ends[:-1]]
    floors = [_rectangle(x, 1, end - x, depth) for x, end in zip(starts, ends, strict=True)]
    doors = [Door((3, 0), "south", outer=True)]
    doors += [Door((x - 1, 1 + (depth - 1) // 2), "east") for x in starts[1:]]
    return Storey(floors, doors)


def _uneven(rooms: int, width: int, depth: int) -> Storey:
    """Rooms along x, each a block wider and two deeper than the one before; one room alone has a bay at its end."""
    if rooms == 1:
        floor = _rectangle(1, 1, 2 * width, depth) | _rectangle(2 * width - 1, 1, 2, depth + 3)
        return Storey([floor], [Door((2, 0), "south", outer=True)])
    floors, doors, x = [], [Door((2, 0), "south", outer=True)], 1
    for i in range(rooms):
        floors.append(_rectangle(x, 1, width + i, depth + 2 * i))
        if i:
            doors.append(Door((x - 1, 2), "east"))
        x += width + i + 1
    return Storey(floors, doors)


def _offset(rooms: int, width: int, depth: int) -> Storey:
    """Rooms along x, each shifted along z against the one before; one room alone has two such halves."""
    shift = depth // 2
    if rooms == 1:
        floor = _rectangle(1, 1, width, depth) | _rectangle(1 + width, 1 + shift, width, depth)
        return Storey([floor], [Door((1 + width // 2, 0), "south", outer=True)])
    starts = [1 + i * (width + 1) for i in range(rooms)]
    floors = [_rectangle(x, 1 + i * shift, width, depth) for i, x in enumerate(starts)]
    doors = [Door((1 + width // 2, 0), "south", outer=True)]
    doors += [Door((x - 1, (i + 1) * shift + 1), "east") for i, x in enumerate(starts[1:])]
    return Storey(floors, doors)


def _grid(rooms: int, width: int, depth: int) -> Storey:
    """Two rows; an odd room at the end is as deep as both."""
    columns = (rooms + 1) // 2
    floors: list[set[Place]] = []
    doors = [Door((1 + width // 2, 0), "south", outer=True)]
    for column in range(columns):
        x = 1 + column * (width + 1)
        if column:
            doors.append(Door((x - 1, 2), "east"))
        if len(floors) == rooms - 1:
            floors.append(_rectangle(x, 1, width, 2 * depth + 1))
        else:
            floors += [_rectangle(x, 1, width, depth), _rectangle(x, depth + 2, width, depth)]
            doors.append(Door((x + width // 2, depth + 1), "south"))
    return Storey(floors, doors)


def _bend(rooms: int, width: int, depth: int) -> Storey:
    """An L: some rooms along x, the others from the last of them along z. One room alone has this shape itself."""
    if rooms == 1:
        floor = _rectangle(1, 1, 2 * width, depth) | _rectangle(width + 1, 1, width, 2 * depth)
        return Storey([floor], [Door((1 + width // 2, 0), "south", outer=True)])
    along = (rooms + 1) // 2
    storey = _row(along, width, depth)
    x = 1 + (along - 1) * (width + 1)
    for i in range(1, rooms - along + 1):
        z = 1 + i * (depth + 1)
        storey.rooms.append(_rectangle(x, z, width, depth))
        storey.doors.append(Door((x + width // 2, z - 1), "south"))
    return storey


def _corridor(rooms: int, width: int, depth: int) -> Storey:
    """A passage one wide along x, entered at its end, with rooms on both sides."""
    columns = (rooms + 1) // 2
    z = depth + 2
    passage = _rectangle(1, z, columns * (width + 1) - 1, 1)
    floors: list[set[Place]] = []
    doors = [Door((0, z), "east", outer=True)]
    for i in range(rooms):
        x = 1 + (i // 2) * (width + 1)
        north = i % 2 == 0
        floors.append(_rectangle(x, 1 if north else z + 2, width, depth))
        doors.append(Door((x + width // 2, z - 1 if north else z + 1), "north" if north else "south"))
    return Storey(floors, doors, [passage])


def _hall(rooms: int, width: int, depth: int) -> Storey:
    """A hall along x and the other rooms behind it."""
    behind = max(rooms - 1, 1)
    length = behind * (width + 1) - 1
    floors = [_rectangle(1, 1, max(length, width + 2), depth)]
    doors = [Door((1 + length // 2, 0), "south", outer=True)]
    for i in range(rooms - 1):
        x = 1 + i * (width + 1)
        floors.append(_rectangle(x, depth + 2, width, depth))
        doors.append(Door((x + width // 2, depth + 1), "south"))
    return Storey(floors, doors)


_FLIGHT = 7
"""Inner length of a room in which stairs rise along its back wall."""


def _storeys(rooms: int, width: int, depth: int) -> list[Storey]:
    """Two storeys of one outline; stairs rise along the back wall of the first room into the first room above."""
    below = (rooms + 1) // 2
    lower = _row(below, width, depth, first=_FLIGHT)
    upper = _row(rooms - below, width, depth, first=_FLIGHT)
    upper.doors = upper.doors[1:]
    missing = {(x, z) for x, z in lower.inside if x > max(x for x, _ in upper.inside)}
    if missing:  # the last room above reaches as far as the house below, over the partition too
        last = max(x for x, _ in upper.inside)
        upper.rooms[-1] |= _rectangle(last + 1, 1, max(x for x, _ in missing) - last, depth)
    lower.up, lower.rise = (2, depth), "east"
    return [lower, upper]


def _set_back(rooms: int, width: int, depth: int) -> list[Storey]:
    """The last room stands upon the first one; the others lie beside that, the last of them deeper than the rest."""
    if rooms == 2:
        floor = _rectangle(1, 1, _FLIGHT, depth) | _rectangle(_FLIGHT + 1, 1, width, depth + 3)
        lower = Storey([floor], [Door((1 + _FLIGHT // 2, 0), "south", outer=True)])
    else:
        lower = _row(rooms - 1, width, depth, first=_FLIGHT)
        low = min(x for x, _ in lower.rooms[-1])
        lower.rooms[-1] = _rectangle(low, 1, width, depth + 3)
    lower.up = (2, depth)
    return [lower, Storey([_rectangle(1, 1, _FLIGHT, depth)])]


def _cellar(rooms: int, width: int, depth: int) -> list[Storey]:
    """The last room lies under the first one, and stairs lead down to it."""
    upper = _row(rooms - 1, width, depth, first=_FLIGHT)
    lower = Storey([set(upper.rooms[0])], up=(2, depth), rise="east")
    return [lower, upper]


@design
def revision(
    draw: Drawing,
    *,
    rooms: int,
    before: int = 0,
    layout: Layout = "row",
    style: StyleName = "plain",
    width: int = 4,
    depth: int = 4,
    beds: int = 0,
) -> None:
    """What turns a house with ``before`` rooms into the same with ``rooms`` rooms; the whole house before the first.

    ``beds`` of the rooms hold a bed, as far as there are rooms enough.
    """
    houses = []
    for number in (before, rooms):
        houses.append(Drawing())
        if number:
            build(houses[-1], plan(layout, number, width=width, depth=depth), STYLES[style], beds=min(beds, number))
    draw.change(*houses)


@design
def house(
    draw: Drawing,
    *,
    rooms: int = 1,
    layout: Layout = "row",
    style: StyleName = "plain",
    beds: int = 0,
    width: int = 4,
    depth: int = 4,
    heights: list[int] | None = None,
    wall: str | None = None,
    corner: str | None = None,
    floor: str | None = None,
    roof: str | None = None,
    tread: str | None = None,
    shape: Roof | None = None,
    eaves: int | None = None,
    ceiling: bool | None = None,
    window: str | None = None,
    door: str | None = None,
    double: bool | None = None,
    arches: bool | None = None,
    thick: int | None = None,
    feet: int | None = None,
    steps: bool | None = None,
    height: int | None = None,
    level: bool | None = None,
    chimney: bool | None = None,
    porch: bool | None = None,
    furniture: bool | None = None,
    ladder: bool | None = None,
) -> None:
    """A house; values left out are those of its style. ``beds`` of its rooms, the last ones first, hold a bed.

    ``heights`` are the clear heights of the rooms, in turn; below another storey at most ``height``. The outer wall of
    the first room runs along x at z = 0 and along z at x = 0; walls of two layers reach to -1.
    """
    given = {
        "wall": wall, "corner": corner, "floor": floor, "roof": roof, "tread": tread, "shape": shape, "eaves": eaves,
        "ceiling": ceiling, "window": window, "door": door, "double": double, "arches": arches, "thick": thick,
        "feet": feet, "steps": steps, "height": height, "chimney": chimney, "porch": porch, "furniture": furniture,
        "ladder": ladder, "level": level,
    }  # fmt: skip
    chosen = replace(STYLES[style], **{key: value for key, value in given.items() if value is not None})  # type: ignore[arg-type]
    storeys = plan(layout, rooms, width=width, depth=depth)
    build(draw, storeys, chosen, heights=heights or (), beds=beds)


def build(
    draw: Drawing, storeys: Sequence[Storey], style: Style, *, heights: Sequence[int] = (), beds: int = 0
) -> None:
    """Draw the storeys of a plan, the lowest first, in a style."""
    if (
        not 2 <= style.height <= 12
        or not 1 <= style.thick <= 2
        or not -1 <= style.feet <= 8
        or style.eaves not in (0, 1)
    ):
        raise FamilyError(
            "a height, thickness, floor or eaves out of range", mend="take 2 to 12, 1 or 2, -1 to 8, 0 or 1"
        )
    if len(storeys) > 1 and style.height < 3:
        raise FamilyError("storeys too low for stairs", mend="take a height of 3 or more")
    _House(draw, storeys, style, heights, beds).draw()


class _House:
    def __init__(
        self, draw: Drawing, storeys: Sequence[Storey], style: Style, heights: Sequence[int], beds: int
    ) -> None:
        self._draw = draw
        self._style = style
        self._storeys = list(storeys)
        self._heights = heights
        self._beds = beds
        self._first = {id(storey): sum(len(one.rooms) for one in storeys[:i]) for i, storey in enumerate(storeys)}
        cellar = len(storeys) > 1 and storeys[1].doors and storeys[1].doors[0].outer
        step = style.height + 1
        for number, storey in enumerate(self._storeys):
            storey.feet = style.feet + step * (number - (1 if cellar else 0))
            storey.doors = [
                replace(door, wide=style.double and self._has_room(storey, door), leaf=door.outer or not style.arches)
                for door in storey.doors
            ]

    @staticmethod
    def _has_room(storey: Storey, door: Door) -> bool:
        """Whether a door may be two wide: there is wall to the right of it, and floor behind both."""
        inside = storey.inside
        right = _step(door.place, turned(door.facing))
        ahead = [_step(place, door.facing) in inside for place in (door.place, right)]
        behind = [_step(place, opposite(door.facing)) in inside for place in (door.place, right)]
        return all(ahead) and (all(behind) or door.outer) and _step(right, turned(door.facing)) not in inside

    def draw(self) -> None:
        for number, storey in enumerate(self._storeys):
            self._shell(storey)
            self._ceilings(storey)
            if number:
                self._stairs(self._storeys[number - 1])
                self._terrace(self._storeys[number - 1], storey)
        self._roof(self._storeys[-1])
        for storey in self._storeys:
            self._doors(storey)
        for storey in self._storeys:
            self._windows(storey)
        if self._style.porch:
            self._porch()
        if self._style.chimney:
            self._chimney()
        self._furnish()

    # ---- shell

    def _height(self, storey: Storey, number: int) -> int:
        """Clear height of a room of a storey."""
        if not self._heights:
            return self._style.height
        height = self._heights[(self._first[id(storey)] + number) % len(self._heights)]
        return height if storey is self._storeys[-1] else min(height, self._style.height)

    def _tops(self, storey: Storey) -> dict[Place, int]:
        """Height of the underside of roof or floor over each place of floor and wall.

        Walls reach up to the highest around them.
        """
        style, feet = self._style, storey.feet
        heights = [self._height(storey, number) for number in range(len(storey.rooms))]
        last = storey is self._storeys[-1]
        if not last or style.level or style.shape in ("gable", "hip"):
            top = feet + (max(heights) if last else style.height)
            return dict.fromkeys(_grown(storey.inside, style.thick), top)
        tops = {place: feet + style.height for hall in storey.passages for place in hall}
        for room, height in zip(storey.rooms, heights, strict=True):
            tops |= dict.fromkeys(room, feet + height)
        for _ in range(style.thick):
            grown = _grown(set(tops), 1) - set(tops)
            tops |= {place: max(tops[near] for near in _around(place) if near in tops) for place in grown}
        return tops

    def _ceilings(self, storey: Storey) -> None:
        """Ceilings of rooms that are lower than what covers them."""
        tops = self._tops(storey)
        for number, room in enumerate(storey.rooms):
            y = storey.feet + self._height(storey, number)
            if y < max(tops[place] for place in room):
                self._draw.layer(room, y, self._style.floor)

    def _walls(self, storey: Storey) -> set[Place]:
        return _grown(storey.inside, self._style.thick) - storey.inside

    def _corners(self, storey: Storey) -> set[Place]:
        """Places of the outer wall at convex corners: free on two neighbouring sides."""
        whole = _grown(storey.inside, self._style.thick)
        out = set()
        for place in self._walls(storey):
            free = {side for side in SIDES if _step(place, side) not in whole}
            if any(turned(side) in free for side in free):
                out.add(place)
        return out

    def _shell(self, storey: Storey) -> None:
        draw, style, feet = self._draw, self._style, storey.feet
        whole = _grown(storey.inside, style.thick)
        walls, corners = self._walls(storey), self._corners(storey)
        below = min(one.feet for one in self._storeys) == feet
        if feet < 0:
            for place in sorted(storey.inside):
                draw.dig((place[0], feet - 1, place[1]), (1, -feet + 1, 1))
        base = min(feet - 1, 0) if below else feet - 1
        for y in range(base, feet):
            draw.layer(whole if below else storey.inside, y, style.floor if y == feet - 1 else style.wall)
            if not below:  # the walls run past the floor
                for x, z in sorted(walls):
                    draw.put((x, y, z), style.corner if style.corner and (x, z) in corners else style.wall)
        tops = self._tops(storey)
        for y in range(feet, max(tops.values())):
            for x, z in sorted(place for place in walls if y < tops[place]):
                draw.put((x, y, z), style.corner if style.corner and (x, z) in corners else style.wall)

    def _stairs(self, below: Storey) -> None:
        """From a storey to the one above: a flight along the wall, or a ladder on it, and the hole in the floor."""
        if below.up is None:
            return
        draw, style, feet = self._draw, self._style, below.feet
        x, z = below.up
        if style.ladder:
            draw.ladder((x, feet, z), style.height + 1, "north")
            return
        draw.flight((x, feet, z), below.rise, style.height + 1, style.tread, clear=3)

    # ---- roofs

    def _terrace(self, below: Storey, above: Storey) -> None:
        """The flat roof over what no storey stands on."""
        bare = _grown(below.inside, self._style.thick) - _grown(above.inside, self._style.thick)
        self._draw.layer(bare, below.feet + self._style.height, self._style.roof)

    def _roof(self, storey: Storey) -> None:
        draw, style = self._draw, self._style
        tops = self._tops(storey)
        whole = set(tops)
        walls = self._walls(storey)
        highest = max(tops.values())
        match style.shape:
            case "none":
                return
            case "flat" | "parapet" | "slabs":
                for (x, z), top in sorted(tops.items(), key=lambda item: (item[1], item[0])):
                    draw.put((x, top, z), style.roof)
                if style.eaves:
                    heights = dict(tops)
                    for _ in range(2):  # along the walls first, then around the corners
                        edge = {
                            place: [heights[one] for one in _sides(place) if one in heights]
                            for place in _grown(whole, 1)
                        }
                        heights |= {
                            place: max(found) for place, found in edge.items() if found and place not in heights
                        }
                    for x, z in sorted(heights.keys() - whole):
                        draw.put((x, heights[x, z], z), style.roof)
                if style.shape == "parapet":
                    for x, z in sorted(place for place in whole if not whole.issuperset(_around(place))):
                        draw.put((x, tops[x, z] + 1, z), style.wall)
                return
            case "gable":
                levels, facing, backed = _gable(whole, style.eaves)
            case "hip":
                levels, facing, backed = _hip(whole, style.eaves)
        if style.ceiling:
            for x, z in sorted(set(tops) - walls):
                draw.put((x, tops[x, z], z), style.floor)
        stepped = style.tread.endswith("_stairs")
        bearing = {place for place in walls if levels[place] > 0}
        for level in range(max(levels.values()) + 1):
            y = highest - style.eaves + level
            for x, z in sorted(place for place in bearing if levels[place] > level and y >= highest):
                draw.put((x, y, z), style.wall)
            for (x, z), found in sorted(levels.items()):
                if found != level:
                    continue
                side = facing[x, z]
                draw.put((x, y, z), f"{style.tread}[facing={side}]" if side and stepped else style.roof)
                if backed and level and (x, y - 1, z) not in draw:
                    draw.put((x, y - 1, z), style.roof)

    # ---- doors and windows

    def _sill(self, storey: Storey, door: Door) -> int:
        return max(storey.feet, 0) if door.outer else storey.feet

    def _doors(self, storey: Storey) -> None:
        draw, style = self._draw, self._style
        whole = _grown(storey.inside, style.thick)
        for door in storey.doors:
            sill = self._sill(storey, door)
            out = opposite(door.facing)
            for number, place in enumerate(door.places):
                line = [place]
                while door.outer and _step(line[-1], out) in whole:
                    line.append(_step(line[-1], out))
                for x, z in line:
                    draw.hollow((x, sill, z))
                    draw.hollow((x, sill + 1, z))
                x, z = line[-1]
                if door.leaf:
                    hinge = "right" if door.wide and number else "left"
                    draw.door((x, sill, z), door.facing, style.door, hinge=hinge)
                if door.outer and style.steps:
                    for i in range(sill):
                        ahead = _step((x, z), out, i + 1)
                        draw.column((ahead[0], 0, ahead[1]), sill - 1 - i, style.wall)
                        draw.put((ahead[0], sill - 1 - i, ahead[1]), f"stone_brick_stairs[facing={door.facing}]")

    def _windows(self, storey: Storey) -> None:
        """Windows two above the floor's foot, in straight pieces of the outer wall, away from doors and partitions."""
        draw, style = self._draw, self._style
        if style.window == "none" or storey.feet < -1:
            return
        inside, whole = storey.inside, _grown(storey.inside, style.thick)
        near_doors = {near for door in storey.doors for place in door.places for near in [place, *_around(place)]}
        if storey.up is not None or storey is not self._storeys[0]:
            up = self._storeys[0].up
            near_doors |= {_step(_step(up, "east", i), "south") for i in range(_FLIGHT)} if up else set()
        y = max(storey.feet, 0) + 1
        for place in sorted(_grown(inside, 1) - inside):
            fronts = [side for side in SIDES if _step(place, side) in inside]
            if len(fronts) != 1 or place in near_doors:
                continue
            out = opposite(fronts[0])
            line = [_step(place, out, i) for i in range(style.thick)]
            beside = [_step(place, turned(out, quarters)) for quarters in (1, 3)]
            straight = all(_step(one, fronts[0]) in inside and one not in inside for one in beside)
            if _step(line[-1], out) in whole or not straight or (place[0] + place[1]) % style.pitch != 1:
                continue
            x, z = line[-1]
            for a, b in line:
                draw.leave((a, y, b))
            if style.window:
                draw.put((x, y, z), style.window)

    # ---- porch, chimney, furniture

    def _porch(self) -> None:
        """Two posts and a roof before the first door that leads outside."""
        draw, style = self._draw, self._style
        for storey in self._storeys:
            for door in storey.doors:
                if not door.outer:
                    continue
                sill, out = self._sill(storey, door), opposite(door.facing)
                whole = _grown(storey.inside, style.thick)
                first = door.place
                while first in whole:
                    first = _step(first, out)
                row = [_step(first, turned(out), i) for i in (-2, -1, 0, 1, 2)]
                far = [_step(place, out, 2) for place in row]
                for x, z in (far[0], far[-1]):
                    draw.column((x, 0, z), sill + 2, "oak_fence")
                for i in range(3):
                    for x, z in (_step(place, out, i) for place in row):
                        if (x, sill + 2, z) not in draw:
                            draw.put((x, sill + 2, z), style.roof)
                return

    def _chimney(self) -> None:
        """A hearth in the back wall of the first room and the stack behind it."""
        draw, style, storey = self._draw, self._style, self._storeys[-1]
        room, whole = storey.rooms[0], _grown(storey.inside, style.thick)
        back = max(z for _, z in room)
        x = min(x for x, z in room if z == back) + 1
        z = back + 1
        if any((x, z + i) in storey.inside for i in range(style.thick + 2)):
            return
        highest = max(y for (a, y, b), _ in draw.placements() if (a, b) in whole)
        feet = max(storey.feet, 0)
        for a, b in [(x, z + i) for i in range(style.thick)]:
            draw.leave((a, feet + 1, b))
            draw.put((a, feet, b), "campfire")
            draw.put((a, feet + 1, b), "bricks")
        draw.column((x, 0, z + style.thick), highest + 2, "bricks")

    def _furnish(self) -> None:
        draw, style = self._draw, self._style
        rooms = [(storey, room, number) for storey in self._storeys for number, room in enumerate(storey.rooms)]
        if self._beds > len(rooms):
            raise FamilyError(f"{self._beds} beds in {len(rooms)} rooms", mend="take one in each room at most")
        for index, (storey, room, number) in enumerate(rooms):
            free = {place for place in room if self._is_free(storey, place)}
            keep = {near for door in storey.doors for place in door.places for near in _around(place)} & room
            keep |= {place for place in room if place not in free for place in _around(place)} & room
            if index >= len(rooms) - self._beds:
                self._bed(storey, room, free, keep, index)
            if style.furniture:
                self._chairs(storey, room, free, keep, index)
                middle = sorted(room)[len(room) // 2]
                top = storey.feet + self._height(storey, number)
                if (middle[0], top, middle[1]) in draw and top > storey.feet + 2:
                    draw.put((middle[0], top - 1, middle[1]), "lantern[hanging=true]")

    def _is_free(self, storey: Storey, place: Place) -> bool:
        x, z = place
        return (
            (x, storey.feet - 1, z) in self._draw
            and not str(self._draw[x, storey.feet - 1, z]).startswith("ladder")
            and (x, storey.feet, z) not in self._draw
            and (x, storey.feet + 1, z) not in self._draw
        )

    def _bed(self, storey: Storey, room: set[Place], free: set[Place], keep: set[Place], index: int) -> None:
        """A bed whose head is at a wall and that leaves a way from door to door."""
        colour = ("red", "blue", "white", "green", "yellow")[index % 5]
        for side in SIDES:
            for foot in sorted(free - keep, reverse=True):
                head = _step(foot, side)
                if head in free - keep and _step(head, side) not in room and _joined(free - {foot, head}):
                    self._draw.bed((foot[0], storey.feet, foot[1]), side, f"{colour}_bed")
                    free -= {foot, head}
                    return
        raise FamilyError("no place for a bed", mend="make the rooms larger")

    def _chairs(self, storey: Storey, room: set[Place], free: set[Place], keep: set[Place], index: int) -> None:
        """Some pieces along the walls, and a carpet."""
        things = [["bookshelf", "bookshelf"], ["oak_fence", "oak_pressure_plate"], ["chest"], ["crafting_table"]]
        walls = [place for place in sorted(free - keep) if not room.issuperset(_around(place))]
        for number, thing in enumerate(things):
            place = next((one for one in walls[index % 2 :] if one in free and _joined(free - {one})), None)
            if place is None or len(free) < 8:
                break
            for up, block in enumerate(thing):
                self._draw.put((place[0], storey.feet + up, place[1]), block)
            free.discard(place)
            walls = walls[number + 2 :]
        for x, z in sorted(free)[len(free) // 2 :][:2]:
            self._draw.put((x, storey.feet, z), "red_carpet")


def _joined(places: Iterable[Place]) -> bool:
    """Whether places in plan are one piece by their sides."""
    left = set(places)
    if not left:
        return False
    waiting = [left.pop()]
    while waiting:
        place = waiting.pop()
        for side in SIDES:
            near = _step(place, side)
            if near in left:
                left.discard(near)
                waiting.append(near)
    return not left


Slopes = tuple[dict[Place, int], dict[Place, Side | None], bool]
"""Level and rise of each place of a roof, None on the ridge, and whether its layers must lie on one another."""


def _gable(whole: set[Place], eaves: int) -> Slopes:
    """A roof over a rectangle, the ridge along its longer side; its rows reach from gable to gable."""
    xs, zs = {x for x, _ in whole}, {z for _, z in whole}
    if len(whole) != len(xs) * len(zs):
        return _hip(whole, eaves)
    along_x = len(xs) >= len(zs)
    levels: dict[Place, int] = {}
    facing: dict[Place, Side | None] = {}
    across = zs if along_x else xs
    low, high = min(across) - eaves, max(across) + eaves
    for x, z in _grown(whole, eaves):
        at = z if along_x else x
        levels[x, z] = min(at - low, high - at)
        up: Side = ("south" if along_x else "east") if at - low < high - at else ("north" if along_x else "west")
        facing[x, z] = None if at - low == high - at else up
    return levels, facing, False


def _hip(whole: set[Place], eaves: int) -> Slopes:
    """A roof that rises from all sides of any outline."""
    left = _grown(whole, eaves)
    levels: dict[Place, int] = {}
    facing: dict[Place, Side | None] = {}
    level = 0
    while left:
        edge = {place for place in left if any(_step(place, side) not in left for side in SIDES)}
        for place in edge:
            free = [side for side in SIDES if _step(place, side) not in left]
            inward = opposite(free[0])
            levels[place] = level
            facing[place] = inward if _step(place, inward) in left - edge else None
        left -= edge
        level += 1
    return levels, facing, True
