"""What is known of every block: substance, boxes, what holds it, items, colour; tags and materials.

The data comes from blocks/data (see ORIGIN.md there) and is read at the first question, not at import.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Any, Literal

from minece.blocks import tables
from minece.blocks.errors import BlocksError
from minece.blocks.states import canonical_state, join_state, material_of, split_state
from minece.blocks.tables import FULL_BOX, Box

SOIL = frozenset({"dirt", "grass_block", "coarse_dirt", "podzol", "bedrock"})
"""Materials that are soil where they lie below ground, unless a rule or the stock names them."""

UNKNOWN_COLOUR = (178, 160, 178)
"""Colour (red, green, blue) of ids that the catalogue does not know."""


class Substance(IntEnum):
    """What fills a cell.

    FULL is the whole cube, PARTIAL other solid boxes, PASSABLE nothing that stops a walker, FLUID water and lava,
    ATTACHMENT something that another block's face holds and that carries nothing.
    """

    FULL = 0
    PARTIAL = 1
    PASSABLE = 2
    FLUID = 3
    ATTACHMENT = 4


TwoCell = Literal["", "door", "bed", "plant"]


@dataclass(frozen=True, slots=True)
class StateInfo:
    """What the catalogue knows of one block state.

    ``holds`` names the faces of which one must hold an attachment (west, east, down, up, north, south);
    ``boxes`` are x0 y0 z0 x1 y1 z1 within the cell, heights of fences and walls to 1.5; ``item`` is the item that
    places the block ("" where none does) and ``items`` how many the cell takes; ``extra_item`` is what stands in a
    pot or on a cake. ``known`` is false for ids, properties or values outside the catalogue: an unknown id counts
    as a full structural block.
    """

    state: str
    material: str
    known: bool
    substance: Substance
    structural: bool
    gravity: bool
    leaves: bool
    holds: tuple[str, ...]
    boxes: tuple[Box, ...]
    item: str
    items: int
    extra_item: str
    two_cell: TwoCell
    colour: tuple[int, int, int]


_SIDES = ("north", "east", "south", "west")
_ALL = ("west", "east", "down", "up", "north", "south")
_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east", "up": "down", "down": "up"}
_BESIDE = {"north": ("west", "east"), "south": ("west", "east"), "west": ("north", "south"), "east": ("north", "south")}
_AMOUNTS = ("candles", "pickles", "eggs", "flower_amount", "segment_amount")
_SUBSTANCES = {substance.name.lower(): substance for substance in Substance}


@lru_cache(maxsize=16384)
def describe(state: str) -> StateInfo:
    """All that is known of a block state. Raises :class:`minece.blocks.StateError` for text that is no state.

    >>> describe("wall_torch[facing=east]").holds
    ('west',)
    >>> describe("oak_slab[type=double]").items
    2
    """
    text = canonical_state(state)
    name, given = split_state(text)
    block = tables.block(name)
    if block is None:
        return StateInfo(
            state=text,
            material=name,
            known=False,
            substance=Substance.FULL,
            structural=True,
            gravity=False,
            leaves=False,
            holds=(),
            boxes=FULL_BOX,
            item=name,
            items=1,
            extra_item="",
            two_cell="",
            colour=UNKNOWN_COLOUR,
        )
    props = {
        key: given[key] if given.get(key) in values else block.default[key] for key, values in block.properties.items()
    }
    number = 0
    for key in block.shape_by:
        values = block.properties[key]
        number = number * len(values) + values.index(props[key])
    rules = _exceptions(name, props)
    boxes = rules.get("boxes") or tables.boxes(block.shape[number])
    if "substance" in rules:
        substance = _SUBSTANCES[rules["substance"]]
    elif not boxes:
        substance = Substance.PASSABLE
    else:
        substance = Substance.FULL if boxes == FULL_BOX else Substance.PARTIAL
    attached = substance is Substance.ATTACHMENT
    return StateInfo(
        state=text,
        material=name,
        known=given == props,
        substance=substance,
        structural=rules.get("structural", substance in (Substance.FULL, Substance.PARTIAL)),
        gravity=rules.get("gravity", False),
        leaves=rules.get("leaves", False),
        holds=_holds(rules["holds"], props) if attached else (),
        boxes=boxes,
        item=block.items[0] if block.items else "",
        items=_amount(block, props, rules.get("holds", "")),
        extra_item=block.items[1] if len(block.items) > 1 else "",
        two_cell=_two_cell(name, props),
        colour=_rgb(block.colour),
    )


def _exceptions(name: str, props: Mapping[str, str]) -> dict[str, Any]:
    """The entries of exceptions.toml that fit a state, the later one over the earlier."""
    out: dict[str, Any] = {}
    for entry in tables.exceptions().get(name, ()):
        if all(props.get(key) == value for key, value in entry.get("when", {}).items()):
            out.update(entry)
    return out


def _holds(rule: str, props: Mapping[str, str]) -> tuple[str, ...]:
    """The faces that may hold an attachment, by a word of exceptions.toml."""
    facing = props.get("facing", "north")
    match rule:
        case "down" | "up":
            return (rule,)
        case "any":
            return _ALL
        case "behind":
            return (_OPPOSITE[facing],)
        case "ahead":
            return (facing,)
        case "ends":
            return (_OPPOSITE[facing], facing)
        case "beside":
            return _BESIDE[facing]
        case "around":
            return ("down", *_SIDES)
        case "face":
            return ({"floor": "down", "ceiling": "up"}.get(props["face"], _OPPOSITE[facing]),)
        case "hanging":
            return ("up" if props["hanging"] == "true" else "down",)
        case "vertical":
            return ("down" if props["vertical_direction"] == "up" else "up",)
        case "bell":
            if props["attachment"] == "double_wall":
                return (facing, _OPPOSITE[facing])
            return ({"floor": "down", "ceiling": "up"}.get(props["attachment"], facing),)
        case "sides":
            return _clung(props) or ("down",)
    raise BlocksError(f"exceptions.toml: unknown holds {rule!r}")


def _clung(props: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(side for side in _ALL if props.get(side) == "true")


def _amount(block: tables.Block, props: Mapping[str, str], holds: str) -> int:
    """Items that a cell takes: double slabs, candles, eggs, petals; vines and lichen one per face."""
    for key in _AMOUNTS:
        if key in props:
            return int(props[key])
    if props.get("type") == "double":
        return 2
    if holds == "sides" and block.items:
        return max(1, len(_clung(props)))
    return 1


def _two_cell(name: str, props: Mapping[str, str]) -> TwoCell:
    """Kind of a block that takes two cells, by its properties."""
    if "part" in props:
        return "bed"
    if props.get("half") in ("upper", "lower"):
        if "hinge" in props:
            return "door"
        # A young pitcher crop is one cell high; its upper cell comes by growing.
        return "" if name == "pitcher_crop" else "plant"
    return ""


def _rgb(text: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(text[1:])
    return (red, green, blue)


def block_names() -> frozenset[str]:
    """All block ids of the catalogue."""
    return tables.names()


def block_properties(name: str) -> Mapping[str, tuple[str, ...]]:
    """Property → its values, of a block after aliases; empty for unknown ids."""
    block = tables.block(material_of(name))
    return MappingProxyType(block.properties if block else {})


def default_state(name: str) -> str:
    """The canonical state of a block as it is without any property given."""
    return canonical_state(material_of(name))


def states_of(name: str) -> list[str]:
    """Every state of a block, canonical, the last property varying fastest; the id itself where it is unknown."""
    properties = block_properties(name)
    material = material_of(name)
    return [
        join_state(material, dict(zip(properties, values, strict=True))) for values in product(*properties.values())
    ]


def in_version(name: str, version: str) -> bool:
    """Whether a version of the game has a block, under its present or its earlier id.

    Versions before 1.13 count as 1.13. Raises :class:`BlocksError` for text that is no version.

    >>> in_version("pale_oak_planks", "1.21.1")
    False
    """
    block = tables.block(material_of(name))
    return block is not None and _version(block.since) <= max(_version(version), _version(tables.versions()[0]))


def name_in_version(name: str, version: str) -> str:
    """The id that a version uses for a block (1.21.4 says ``chain`` for iron_chain).

    >>> name_in_version("iron_chain", "1.21.4")
    'chain'
    """
    material = material_of(name)
    for old, (new, until) in tables.aliases().renames.items():
        if new == material and _version(version) <= _version(until):
            return old
    return material


def _version(text: str) -> tuple[int, ...]:
    if not re.fullmatch(r"\d{1,4}(\.\d{1,4}){1,3}", text):
        raise BlocksError(f"{text!r} is no version of the game", mend="write it like 1.21.4")
    return tuple(int(part) for part in text.split("."))


def suggest(name: str, count: int = 3) -> list[str]:
    """The ids that look most like an unknown one, best first.

    >>> suggest("oak_plank")[0]
    'oak_planks'
    """
    word = name.strip().lower().removeprefix("minecraft:").partition("[")[0].replace(" ", "_")
    return difflib.get_close_matches(word[:64], sorted(tables.names()), n=count, cutoff=0.7)


def tags() -> Mapping[str, frozenset[str]]:
    """Tag (without "#") → block ids: planks, doors, beds …, and the sixteen dye colours."""
    return MappingProxyType(tables.tags())


def materials(spec: str | Iterable[str]) -> frozenset[str]:
    """The block ids that ids and "#tags" name, after aliases.

    ``spec`` is one text, with commas between several, or several texts. Unknown ids are kept. Raises
    :class:`BlocksError` for an unknown tag, :class:`minece.blocks.StateError` for text that is no id.

    >>> sorted(materials("grass, #ice"))
    ['blue_ice', 'frosted_ice', 'ice', 'packed_ice', 'short_grass']
    """
    words = spec.split(",") if isinstance(spec, str) else list(spec)
    out: set[str] = set()
    for word in map(str.strip, words):
        if word.startswith("#"):
            out |= _tag(word[1:].removeprefix("minecraft:"))
        else:
            out.add(material_of(word))
    return frozenset(out)


def _tag(tag: str) -> frozenset[str]:
    known = tables.tags()
    if tag in known:
        return known[tag]
    close = difflib.get_close_matches(tag[:64], sorted(known), n=3, cutoff=0.5)
    mend = f"did you mean {', '.join('#' + name for name in close)}?" if close else "see the list of tags"
    raise BlocksError(f"unknown tag #{tag[:64]}", mend=mend)
