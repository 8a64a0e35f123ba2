"""Blueprints of GrabCraft: the JavaScript objects that its pages show, and the JSON that scrapers make of them.

::

    var myRenderObject = {"1": {"1": {"1": {"x": "1", "y": "1", "z": "1", "mat_id": "1938",
                                            "name": "Stone Brick Stairs (East)", "hex": "#7a7a7a", …}, …}, …}, …}

levels by y, then x, then z; a plain list of such blocks is read too. The fields x, y, z and name count; colours,
textures and GrabCraft's own numbers of materials are not kept. Names become states by the rules of display_names;
those that are not understood stay unknown blocks. Air is not listed and the ground is not said.

The names speak of the directions that a build had where it was taken from, while its blueprint may show it turned. It
is turned back where torches, ladders, signs and the like then hang on blocks that they do not hang on as it lies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from minece.blocks.blockset import BlockSet
from minece.blocks.build import Provenance
from minece.blocks.catalogue import Substance
from minece.blocks.errors import FormatError
from minece.blocks.formats import jsontext
from minece.blocks.formats.display_names import state_of_name
from minece.blocks.formats.listed import Rows, build_from_rows, joined
from minece.blocks.formats.rows import cells_of, shown
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.grid import SIDES
from minece.blocks.orient import turn_state
from minece.blocks.palette import PaletteTable
from minece.blocks.states import join_state, split_state

_ASSIGNED = re.compile(r"\s*(?:(?:var|let|const)\s+)?[\w.$]*[Rr]enderObject[\w$]*\s*=\s*")
_HEAD = 4096
_PIECE = 8192
_SHAPE = '{"x": 1, "y": 1, "z": 1, "name": "Oak Wood Plank"}'
_MEND = "save the object of GrabCraft's page as it is"

_Cell = tuple[int, int, int]


def sniff(source: Source) -> bool:
    """Whether a text assigns such an object, or is one by the fields of its first block."""
    if not source.is_text:
        return False
    head = source.text[:_HEAD]
    return _ASSIGNED.match(head) is not None or (source.first in ("{", "[") and '"mat_id"' in head)


def read(source: Source) -> Document:
    """The build in a blueprint. Raises :class:`FormatError` naming the place, :class:`LimitError`."""
    cells: list[_Cell] = []
    names: list[str] = []
    for where, block in _blocks(_value(source), ""):
        cells.append(_cell(block, where))
        name = block.get("name")
        if not isinstance(name, str) or not name.strip():
            raise FormatError(f"the name is {shown(name)}", where=where, mend=f"write {_SHAPE}")
        names.append(name)
        if len(cells) % _PIECE == 0:
            source.deadline.check()
    source.limits.most("blocks", len(cells), source.limits.blocks)
    states = _doors(cells, _states(names, source))
    rows = Rows.of(cells_of(list(zip(*cells, strict=True)), "block"), states, "block")
    source.deadline.check()
    there = rows.numbers >= 0
    quarters, better, hung = _turned_by(BlockSet(rows.cells[there], rows.numbers[there], rows.palette))
    warnings: tuple[str, ...] = ()
    if quarters:
        rows = Rows(rows.cells, rows.numbers, [turn_state(state, quarters) for state in rows.palette])
        words = f"the directions of blocks are turned by {90 * quarters}°, so that {better} that need a wall have one"
        warnings = (f"{words} and not {hung}: the blueprint shows the build turned",)
    rows = joined(rows, source.limits)
    build = build_from_rows(rows, source, Provenance(format="grabcraft", warnings=warnings))
    return Document("grabcraft", [Run("", [build])])


def _states(names: list[str], source: Source) -> list[str]:
    found: dict[str, str] = {}
    different = dict.fromkeys(names)
    source.limits.most("different names", len(different), source.limits.palette)
    for number, name in enumerate(different):
        found[name] = state_of_name(name)
        if number % 256 == 0:
            source.deadline.check()
    return [found[name] for name in names]


def _value(source: Source) -> Any:
    found = _ASSIGNED.match(source.text[:_HEAD])
    if found is None:
        return source.json
    text = source.text[found.end() :].rstrip().rstrip(";")
    return jsontext.parse(text, source.limits, line=1 + source.text[: found.end()].count("\n"))


def _blocks(value: Any, where: str, depth: int = 0) -> Iterator[tuple[str, dict[str, Any]]]:
    """The blocks of nested objects and where they stand; keys alone do not tell a block from a level."""
    if isinstance(value, dict) and "name" in value:
        yield where, value
        return
    if not isinstance(value, dict | list) or depth == 3:
        raise FormatError(f"is {shown(value)}, not a block", where=where, mend=_MEND)
    # A level whose keys count up may have become a list on its way.
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        if inner is not None:
            yield from _blocks(inner, f"{where}[{shown(key)}]", depth + 1)


def _cell(block: dict[str, Any], where: str) -> _Cell:
    x, y, z = (_whole(block.get(axis), axis, where) for axis in "xyz")
    return x, y, z


def _whole(value: Any, axis: str, where: str) -> int:
    if type(value) is int:
        return value
    if isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,9}", value):
        return int(value)
    raise FormatError(f"{axis} is {shown(value)}, not a whole number", where=where, mend=f"write {_SHAPE}")


def _doors(cells: Sequence[_Cell], states: list[str]) -> list[str]:
    """The states with what one half of a door says told to the other: the lower where it faces and whether it is open,
    the upper on which side it hangs."""
    place = {cell: i for i, (cell, state) in enumerate(zip(cells, states, strict=True)) if "_door[" in state}
    out = list(states)
    for (x, y, z), i in place.items():
        above = place.get((x, y + 1, z))
        if above is None:
            continue
        (name, lower), (other, upper) = split_state(states[i]), split_state(states[above])
        if name == other and lower.get("half") == "lower" and upper.get("half") == "upper":
            both = {key: value for key, value in {**upper, **lower}.items() if key != "half"}
            out[i] = join_state(name, {**both, "half": "lower"})
            out[above] = join_state(name, {**both, "half": "upper"})
    return out


def _turned_by(blocks: BlockSet) -> tuple[int, int, int]:
    """Quarter turns of the states after which most blocks that hang on a side of another do so, how many do then, and
    how many do without."""
    solid = np.isin(blocks.table.substance, (Substance.FULL, Substance.PARTIAL))[blocks.index]
    counts = []
    for quarters in range(4):
        faces = PaletteTable.of(tuple(turn_state(state, quarters) for state in blocks.palette)).hold_faces
        hanging = (faces.sum(axis=1) == 1) & faces[:, SIDES].any(axis=1)
        hung = np.flatnonzero(hanging[blocks.index])
        beside = blocks.neighbours[hung, faces[blocks.index[hung]].argmax(axis=1)]
        counts.append(int(solid[beside[beside >= 0]].sum()))
    best = int(np.argmax(counts))
    return best, counts[best], counts[0]
