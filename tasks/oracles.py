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


ORACLES: Mapping[str, Callable[[Mapping[str, Any], Plain], bool]] = {
    "shallow": _shallow,
    "deep": _deep,
    "walls": _walls,
    "roofs": _roofs,
    "plan-1": _plan_1,
}
"""Oracles by family: parameters and a plain build in, right or wrong out."""
