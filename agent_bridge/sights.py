"""What a program sees of the world around its builder."""

from __future__ import annotations

import math
from collections.abc import Iterable

from minece.agent_bridge.arguments import Value, block_id, cell_of, number_within
from minece.agent_bridge.clicks import Cell, Point
from minece.agent_bridge.world import World
from minece.blocks.catalogue import describe
from minece.blocks.states import AIRS, material_of

SIGHT = 32
"""Blocks that a program can look around itself."""

MOST_SEEN = 10_000

Row = list[str | int]
"""A block as programs get it: x, y, z, state, and 1 where it stops a walker."""


def block_at(world: World, x: Value, y: Value, z: Value) -> Row | None:
    """The block in a cell, None where there is no such cell."""
    cell = cell_of(x, y, z)
    return None if cell is None else _row(cell, world.at(cell))


def near(world: World, types: Value, distance: Value, count: Value) -> list[Row]:
    """Blocks of some types (comma between them; all where that is no text), nearest first."""
    most = int(number_within(count, MOST_SEEN, 0, MOST_SEEN))
    return [_row(cell, state) for cell, state in nearest(world, types, distance)[:most]]


def near_types(world: World, distance: Value) -> list[str]:
    """The ids of the blocks around, nearest first."""
    return list(dict.fromkeys(material_of(state) for _, state in nearest(world, None, distance)))


def nearest(world: World, types: Value, distance: Value) -> list[tuple[Cell, str]]:
    """Blocks around the builder with their states, nearest first."""
    names = {block_id(name) for name in types.split(",")} if isinstance(types, str) else None
    reach = number_within(distance, 16, 0, SIGHT)
    centre = _floored(world.position)
    low, high = (_moved(centre, way * int(reach)) for way in (-1, 1))
    states = {
        cell: state
        for cell, state in world.read(low, high)
        if (names is None or material_of(state) in names) and math.dist(cell, centre) <= reach
    }
    return [(cell, states[cell]) for cell in _by_distance(states, world.position)]


def free_space(world: World, size: Value, distance: Value) -> Cell | None:
    """The nearest cell from which ``size`` by ``size`` cells to the south-east are free and stand on something."""
    side = int(number_within(size, 1, 1, SIGHT))
    reach = int(number_within(distance, 8, 0, SIGHT))
    x0, y0, z0 = _floored(world.position)
    low, high = (x0 - reach, y0 - reach - 1, z0 - reach), (x0 + reach + side, y0 + reach, z0 + reach + side)
    taken = {cell for cell, _ in world.read(low, high)}
    floors = ((x, y + 1, z) for x, y, z in taken if y < y0 + reach and x <= x0 + reach and z <= z0 + reach)
    for x, y, z in _by_distance((cell for cell in floors if cell not in taken), world.position):
        plan = [(x + i, z + j) for i in range(side) for j in range(side)]
        if all((i, y - 1, j) in taken and (i, y, j) not in taken for i, j in plan):
            return x, y, z
    return None


def above_head(world: World, ignored: Value, distance: Value) -> str:
    """The id of the first block above the builder that is not ignored, "none" where there is none."""
    names = AIRS | ({block_id(name) for name in ignored.split(",")} if isinstance(ignored, str) else set())
    x, y, z = _floored(world.position)
    for above in range(y + 2, y + 2 + int(number_within(distance, SIGHT, 0, SIGHT))):
        name = material_of(world.at((x, above, z)))
        if name not in names:
            return name
    return "none"


def _by_distance(cells: Iterable[Cell], position: Point) -> list[Cell]:
    x0, y0, z0 = position
    return sorted(cells, key=lambda c: ((c[0] + 0.5 - x0) ** 2 + (c[1] - y0) ** 2 + (c[2] + 0.5 - z0) ** 2, c))


def _floored(position: Point) -> Cell:
    x, y, z = position
    return math.floor(x), math.floor(y), math.floor(z)


def _moved(cell: Cell, by: int) -> Cell:
    return cell[0] + by, cell[1] + by, cell[2] + by


def _row(cell: Cell, state: str) -> Row:
    return [*cell, state, int(bool(describe(state).boxes))]
