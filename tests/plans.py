"""Builds written as plans, so that a reader sees the house.

A plan is text: layers side by side, west to the left and north at the top, one character a cell. The line above the
layers gives the height of each, ``0``, or ``0-2`` or ``-3--1`` for three alike; a further group of layers may follow
after an empty line. Above ground ``.`` is air, below it untouched soil; ``o`` below ground is a cell that was dug.
"""

import re
from collections.abc import Iterable

from minece.blocks import Build
from minece.checkers import bind, evaluate
from minece.checkers.scene import Scene

LEGEND = {
    "#": "stone",
    "=": "oak_planks",
    "g": "glass",
    "p": "glass_pane",
    "i": "iron_bars",
    "f": "oak_fence",
    "m": "cobblestone_wall",
    "_": "oak_slab[type=bottom]",
    "-": "oak_slab[type=top]",
    "<": "oak_stairs[facing=west]",
    ">": "oak_stairs[facing=east]",
    "^": "oak_stairs[facing=north]",
    "v": "oak_stairs[facing=south]",
    "D": "oak_door[facing=south,half=lower]",
    "d": "oak_door[facing=south,half=upper]",
    "E": "oak_door[facing=east,half=lower]",
    "e": "oak_door[facing=east,half=upper]",
    "G": "oak_fence_gate[facing=south]",
    "h": "oak_trapdoor[half=top]",
    "L": "ladder[facing=south]",
    "B": "red_bed[facing=east,part=foot]",
    "b": "red_bed[facing=east,part=head]",
    "S": "bookshelf",
    "t": "oak_pressure_plate",
    "c": "red_carpet",
    "w": "wall_torch[facing=south]",
    "u": "lever[face=wall,facing=south]",
    "l": "lantern",
    "~": "water",
    "*": "campfire",
}


def plan(text: str, **legend: str) -> Build:
    """The build that a plan shows; ``legend`` adds to :data:`LEGEND` or overrides it."""
    blocks, dug = [], []
    for group in text.strip("\n").split("\n\n"):
        heights, *rows = (line.split() for line in group.splitlines() if line.strip())
        for z, row in enumerate(rows):
            assert len(row) == len(heights), f"row {z} of {heights} has {len(row)} layers"
            for span, cells in zip(heights, row, strict=True):
                for y in _levels(span):
                    for x, sign in enumerate(cells):
                        if y < 0 and sign == "o":
                            dug.append((x, y, z))
                        elif sign != ".":
                            blocks.append((x, y, z, (LEGEND | legend)[sign]))
    return Build.from_blocks(blocks, dug=dug)


def _levels(span: str) -> range:
    low, high = re.fullmatch(r"(-?\d+)(?:-(-?\d+))?", span).groups()
    return range(int(low), int(high or low) + 1)


def edited(build: Build, *places: tuple[int, int, int, str], **legend: str) -> Build:
    """The build with other blocks, or air, in some cells: (x, y, z, sign)."""
    changed = {place[:3]: place[3] for place in places}
    blocks = [block for block in build.blocks.rows() if block[:3] not in changed]
    dug = {tuple(cell) for cell in build.dug.tolist()} - set(changed)
    for cell, sign in changed.items():
        if sign not in ".o":
            blocks.append((*cell, (LEGEND | legend)[sign]))
        elif cell[1] < 0:
            dug.add(cell)
    return Build.from_blocks(blocks, dug=sorted(dug))


def cleared(build: Build, xs: Iterable[int], ys: Iterable[int], zs: Iterable[int]) -> Build:
    """The build without a box of cells."""
    return edited(build, *((x, y, z, ".") for x in xs for y in ys for z in zs))


def filled(build: Build, sign: str, xs: Iterable[int], ys: Iterable[int], zs: Iterable[int]) -> Build:
    """The build with a box of cells of one state."""
    return edited(build, *((x, y, z, sign) for x in xs for y in ys for z in zs))


def verdict(build: Build, rule: str, **args):
    """What a rule says of a build."""
    (found,) = evaluate(build, [bind(rule, args)])
    assert found.status in ("pass", "fail"), found.message
    return found


def passes(build: Build, rule: str, **args) -> bool:
    """Whether a build fulfils a rule."""
    return verdict(build, rule, **args).status == "pass"


def rooms(build: Build, **args) -> int:
    """The number of rooms."""
    found = verdict(build, "rooms", bound={"at_least": 0}, **args)
    assert isinstance(found.measured, int)
    return found.measured


def doors(build: Build) -> int:
    """The number of doorways with a door."""
    found = verdict(build, "doors", at_least=1)
    assert isinstance(found.measured, int)
    return found.measured


def region(build: Build, name: str) -> set[tuple[int, int, int]]:
    """The cells of a region."""
    from minece.checkers.regions import Region

    scene = Scene(build)
    return set(map(tuple, scene.cells[Region.read(name).mask(scene)].tolist()))


HUT = plan("""
0        1        2        3
#######  #######  #######  =======
#.....#  #.....#  #.....#  =======
#.....#  #.....#  #.....#  =======
#.....#  #.....#  #.....#  =======
###D###  ###d###  #######  =======
""")

TWO = plan("""
0            1            2            3            4
###########  ###########  ###########  ###########  ===========
#....#....#  #....#....#  #....#....#  #....#....#  ===========
#....#....#  #....#....#  #....#....#  #....#....#  ===========
#.........#  #.........#  #....#....#  #....#....#  ===========
#....#....#  #....#....#  #....#....#  #....#....#  ===========
#....#....#  #....#....#  #....#....#  #....#....#  ===========
##D########  ##d########  ###########  ###########  ===========
""")
"""Two rooms, an archway between them."""
