"""Doors, beds, flights of stairs and pitched roofs, taken apart into boxes of one state.

Each function gives boxes, one after another, that are placed in snake order. Everything joins by faces, and no
block is placed before one that carries it, as long as what the whole stands on is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from minece.blocks.catalogue import materials
from minece.blocks.states import canonical_state, material_of, split_state
from minece.tasks.errors import FamilyError
from minece.tasks.paths import Cell
from minece.tasks.values import read_block, read_cell, read_size, read_triple

Given: TypeAlias = Mapping[str, tuple[Any, str]]
"""The values of a command, each with its place in the file."""

Box: TypeAlias = tuple[Cell, Cell, str]
"""Low corner, size and state."""

_AHEAD: Mapping[str, tuple[int, int]] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}
"""The step along x and z to the neighbour in each direction."""

_ONE = (1, 1, 1)


def door(given: Given) -> Iterator[Box]:
    """The lower and the upper half of a door at ``at``."""
    x, y, z = read_cell(*given["at"])
    facing = _word(given, "facing", tuple(_AHEAD))
    hinge = _word(given, "hinge", ("left", "right")) if "hinge" in given else "left"
    state = _block(given, "block", "oak_door", "#doors")
    yield (x, y, z), _ONE, _with(state, facing=facing, half="lower", hinge=hinge)
    yield (x, y + 1, z), _ONE, _with(state, facing=facing, half="upper", hinge=hinge)


def bed(given: Given) -> Iterator[Box]:
    """The foot of a bed at ``at`` and its head one cell ahead."""
    x, y, z = read_cell(*given["at"])
    facing = _word(given, "facing", tuple(_AHEAD))
    state = _block(given, "block", "red_bed", "#beds")
    along_x, along_z = _AHEAD[facing]
    yield (x, y, z), _ONE, _with(state, facing=facing, part="foot")
    yield (x + along_x, y, z + along_z), _ONE, _with(state, facing=facing, part="head")


def stairs(given: Given) -> Iterator[Box]:
    """A straight flight: treads that rise one cell with each cell ahead, with fill below them."""
    x, y, z = read_cell(*given["at"])
    facing = _word(given, "facing", tuple(_AHEAD))
    steps = read_size(*given["steps"])
    width = read_size(*given["width"]) if "width" in given else 1
    under = read_size(*given["under"]) if "under" in given else steps
    state = _with(_block(given, "block", "oak_stairs", "#stairs"), facing=facing, half="bottom")
    fill = _block(given, "fill", "oak_planks")
    along_x, along_z = _AHEAD[facing]
    across = (1 if along_x else width, 1 if along_z else width)
    for step in range(steps):
        low, height = (x + step * along_x, z + step * along_z), min(step, under)
        if height:
            yield (low[0], y + step - height, low[1]), (across[0], height, across[1]), fill
        yield (low[0], y + step, low[1]), (across[0], 1, across[1]), state


def roof(given: Given) -> Iterator[Box]:
    """A pitched roof with a gable over each end wall.

    Worked out with the ridge along the first axis in plan: a tread on each side of every layer, one cell of fill
    beside it toward the middle, which carries the tread above.
    """
    x, y, z = read_cell(*given["at"])
    where = given["size"][1]
    size = [read_size(n, where) for n in read_triple([*_pair(*given["size"]), 0], where)]
    axis = _word(given, "axis", ("x", "z")) if "axis" in given else "x" if size[0] >= size[1] else "z"
    beyond = read_size(*given["overhang"]) if "overhang" in given else 0
    treads = _block(given, "block", "oak_stairs", "#stairs")
    fill = _block(given, "fill", "oak_planks")
    gable = _block(given, "gable", fill)
    length, span = (size[0], size[1]) if axis == "x" else (size[1], size[0])
    if not length or span < 2:
        raise FamilyError("too small a plan for a roof", where=where, mend="give at least 2 cells across the ridge")
    near, far = (
        _with(treads, facing=way, half="bottom") for way in (("south", "north") if axis == "x" else ("east", "west"))
    )

    def row(along: int, number: int, layer: int, across: int, state: str, *, count: int = 1) -> Box:
        """Cells from ``along`` on along the ridge and from ``across`` on across it."""
        if axis == "x":
            return (x + along, y + layer, z + across), (number, 1, count), state
        return (x + across, y + layer, z + along), (count, 1, number), state

    def ends(layer: int, across: int, state: str) -> Iterator[Box]:
        # Outward from the house on both sides, so that nothing is placed in the air.
        for i in range(beyond):
            yield row(length + i, 1, layer, across, state)
        for i in range(beyond):
            yield row(-1 - i, 1, layer, across, state)

    def tread(layer: int, across: int, state: str) -> Iterator[Box]:
        yield row(0, length, layer, across, state)
        yield from ends(layer, across, state)

    for layer in range(-1, -1 - beyond, -1):
        for across, inward, state in ((layer, 1, near), (span - 1 - layer, -1, far)):
            if layer < -1:
                yield row(0, length, layer, across + inward, fill)
            yield from tread(layer, across, state)
    for layer in range(span // 2):
        inner, outer = layer + 1, span - 2 - layer
        yield from tread(layer, layer, near)
        if inner <= outer:
            for end in dict.fromkeys((0, length - 1)):
                yield row(end, 1, layer, inner, gable, count=outer - inner + 1)
            for across in dict.fromkeys((inner, outer)) if length > 2 else ():
                yield row(1, length - 2, layer, across, fill)
            if inner == outer:
                yield from ends(layer, inner, fill)
        yield from tread(layer, span - 1 - layer, far)


FITTINGS = {"door": door, "bed": bed, "stairs": stairs, "roof": roof}
"""The boxes of each verb of this module."""


def _word(given: Given, key: str, words: tuple[str, ...]) -> str:
    value, where = given[key]
    if value not in words:
        raise FamilyError(f"{value!r}", where=where, mend="take one of " + ", ".join(words))
    return str(value)


def _pair(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list) or len(value) != 2:
        raise FamilyError(f"{value!r} are not two numbers", where=where, mend="write [x, z]")
    return value


def _block(given: Given, key: str, default: str, tag: str = "") -> str:
    """The canonical state of a value or of its default; with a tag, one of a block that it holds."""
    if key not in given:
        return canonical_state(default)
    state = read_block(*given[key])
    if tag and material_of(state) not in materials(tag):
        raise FamilyError(f"{state!r} is none of {tag}", where=given[key][1], mend=f"give one such as {default!r}")
    return state


def _with(state: str, **props: str) -> str:
    name, old = split_state(state)
    text = ",".join(f"{key}={value}" for key, value in {**old, **props}.items())
    return canonical_state(f"{name}[{text}]")
