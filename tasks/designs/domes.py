"""Domes and igloos: shells over a disc, layer by layer, thick enough to be joined by faces."""

from __future__ import annotations

from math import sqrt
from typing import Literal

from minece.tasks.designs.drawing import SIDES, Drawing, Place, Side, opposite, turned
from minece.tasks.designs.registry import design
from minece.tasks.errors import FamilyError
from minece.tasks.paths import Cell

Profile = Literal["round", "full", "parabola", "pointed", "stepped", "cylinder"]
Entrance = Literal["none", "open", "door", "tunnel", "porch", "trench"]

_HIGH = 2
"""Cells of height of an entrance."""


@design
def dome(
    draw: Drawing,
    *,
    diameter: int,
    height: int,
    depth: int = 0,
    profile: Profile = "round",
    drum: int = 0,
    thick: int = 1,
    entrance: Entrance = "none",
    side: Side = "east",
    wide: int = 1,
    long: int = 3,
    plinth: int = 0,
    sunk: int = 0,
    floor: str = "",
    lamp: str = "",
    smooth: str = "",
    block: str = "smooth_quartz",
    upper: str = "",
    crown: str = "",
    base: str = "stone_bricks",
) -> None:
    """A shell whose low corner in plan is the design's corner.

    ``depth``: its diameter along z where that differs. ``height``: from its foot to its top, the upright ``drum``
    included. ``thick``: layers of the shell. ``entrance`` on a ``side``, ``wide`` cells wide and two high; a tunnel,
    a porch or a trench is ``long`` cells long. ``plinth``: layers of ``base`` under all of it. ``sunk``: how deep the
    floor lies below the foot. ``floor``: a block of which the floor is laid. ``lamp``: what hangs from the crown.
    ``smooth``: a slab for the ledges of the shell. ``upper`` and ``crown``: other blocks for its upper half and its
    highest layer.
    """
    if not 3 <= diameter <= 40 or not 0 <= depth <= 40 or not 2 <= height <= 40:
        raise FamilyError(f"a dome of {diameter} by {height}", mend="take diameters from 3 and heights from 2 to 40")
    if not 0 <= drum < height or not 1 <= thick <= 40 or not 0 <= plinth <= 6 or not 0 <= sunk <= 6:
        raise FamilyError("a drum, shell, plinth or sunk floor of this size", mend="take smaller numbers")
    if not 1 <= wide <= 7 or not 1 <= long <= 12:
        raise FamilyError("an entrance of this size", mend="take 1 to 7 wide and 1 to 12 long")
    size = (diameter, depth or diameter)
    layers = [_disc(size, _share(profile, y - drum, height - drum)) for y in range(height)]
    inside = _inside(layers, thick)
    foot = plinth
    middle = ((size[0] - 1) // 2, (size[1] - 1) // 2)

    if plinth:
        draw.box((-1, 0, -1), (size[0] + 2, plinth, size[1] + 2), base)
    for x, z in sorted(inside[0]):
        for y in range(foot - 1, foot - 1 - sunk, -1):
            draw.hollow((x, y, z))
        if floor:
            draw.put((x, foot - 1 - sunk, z), floor)
    for y, layer in enumerate(layers):
        named = crown if crown and y == height - 1 else upper if upper and 2 * y >= height else block
        draw.layer(layer - inside[y], foot + y, named)
    if smooth:
        _ledges(draw, layers, foot, smooth)
    if lamp:
        top = max((y for y in range(height) if middle in inside[y]), default=None)
        if top is not None:
            draw.put((middle[0], foot + top, middle[1]), lamp)
    if entrance != "none":
        _enter(draw, layers, inside, foot, entrance, side, wide, long, block, middle)


def _share(profile: Profile, y: int, height: int) -> float:
    """The radius of a layer as a share of the radius at the foot; layers of the drum lie below 0."""
    at = (y + 0.5) / height
    if y <= 0 or profile == "cylinder":
        return 1.0
    match profile:
        case "full":
            return float((1 - at**3) ** (1 / 3))
        case "parabola":
            return sqrt(1 - at)
        case "pointed":
            return float((1 - at**1.5) ** 0.9)
        case "stepped":
            return sqrt(1 - (2 * (y // 2) / height) ** 2)
        case _:
            return sqrt(1 - at * at)


def _disc(size: Place, share: float) -> set[Place]:
    """The places whose centres lie within an ellipse; the innermost ones at least."""
    along = [(n - 1) / 2 for n in size]
    half = [n / 2 * share for n in size]
    places = {(x, z) for x in range(size[0]) for z in range(size[1])}
    inner = {(x, z) for x, z in places if abs(x - along[0]) <= 0.5 and abs(z - along[1]) <= 0.5}
    return inner | {
        (x, z) for x, z in places if ((x - along[0]) / half[0]) ** 2 + ((z - along[1]) / half[1]) ** 2 <= 1 + 1e-9
    }


def _inside(layers: list[set[Place]], thick: int) -> list[set[Place]]:
    """What a shell of so many layers leaves free. A layer rests on the one below by its whole outline, so that all
    joins by faces."""
    above: list[set[Place]] = [*layers, set()]
    for turn in range(thick):
        free = []
        for y in range(len(layers)):
            here, over = above[y], above[y + 1]
            around = {(x, z): [(x - 1, z), (x + 1, z), (x, z - 1), (x, z + 1)] for x, z in here & over}
            free.append(
                {place for place, near in around.items() if all(one in (over if not turn else here) for one in near)}
            )
        above = [*free, set()]
    return above[:-1]


def _ledges(draw: Drawing, layers: list[set[Place]], foot: int, slab: str) -> None:
    """Slabs on what is lower than a place beside it, all around."""
    for y in range(1, len(layers)):
        rim = layers[y - 1] - layers[y]
        for x, z in sorted(rim):
            if {(x - 1, z), (x + 1, z), (x, z - 1), (x, z + 1)} & layers[y]:
                draw.put((x, foot + y, z), slab)


def _enter(
    draw: Drawing,
    layers: list[set[Place]],
    inside: list[set[Place]],
    foot: int,
    entrance: Entrance,
    side: Side,
    wide: int,
    long: int,
    block: str,
    middle: Place,
) -> None:
    """A way from the outside to the place inside that lies nearest on it, and what belongs to it."""
    out, across = SIDES[side], SIDES[turned(side)]
    reach = max(x * out[0] + z * out[1] for x, z in layers[0]) - (middle[0] * out[0] + middle[1] * out[1])

    def at(ahead: int, beside: int, y: int) -> Cell:
        return (middle[0] + out[0] * ahead + across[0] * beside, y, middle[1] + out[1] * ahead + across[1] * beside)

    def place(ahead: int, beside: int) -> Place:
        x, _, z = at(ahead, beside, 0)
        return (x, z)

    rows = range(-((wide - 1) // 2), wide // 2 + 1)
    first = min((n for n in range(reach + 1) if place(n, 0) not in inside[1]), default=0)
    if entrance == "trench":
        for ahead in range(first - 2, reach + long + 1):
            for y in range(foot - 1, foot - 2 - (first - 2 < ahead < reach + long), -1):
                draw.hollow(at(ahead, 0, y))
        return
    for beside in rows:
        for ahead in range(first, reach + 1):
            for y in range(foot, foot + _HIGH):
                draw.leave(at(ahead, beside, y))
    if entrance == "door":
        for beside in rows:
            outer = max(n for n in range(reach + 1) if place(n, beside) in layers[1])
            draw.door(at(outer, beside, foot), opposite(side), hinge="left" if beside % 2 else "right")
    elif entrance == "tunnel":
        for ahead in range(1, reach + long + 1):
            for beside in (rows[0] - 1, *rows, rows[-1] + 1):
                walls = range(foot, foot + _HIGH) if beside not in rows else range(0)
                for y in (*walls, foot + _HIGH):
                    if place(ahead, beside) not in layers[y - foot]:
                        draw.put(at(ahead, beside, y), block)
    elif entrance == "porch":
        for beside in (rows[0] - 1, rows[-1] + 1):
            draw.column(at(reach + long, beside, foot), _HIGH, "spruce_log")
        for ahead in range(1, reach + long + 1):
            for beside in range(rows[0] - 1, rows[-1] + 2):
                if place(ahead, beside) not in layers[_HIGH]:
                    draw.put(at(ahead, beside, foot + _HIGH), "spruce_planks")
    if foot:
        for beside in rows:
            draw.put(at(reach + 2, beside, 0), f"stone_brick_stairs[facing={opposite(side)}]")
