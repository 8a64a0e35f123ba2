"""A block state taken apart, and what placing needs to know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from minece.agent_bridge.clicks import OPPOSITE, Cell, Side
from minece.agent_bridge.placing.tables import among, soils, words
from minece.blocks.catalogue import TwoCell, block_properties, default_state, describe
from minece.blocks.states import AIRS, join_state, split_state

At: TypeAlias = Callable[[Cell], str]
"""The canonical state of a cell, "air" where it is empty."""

WATER = "water[level=0]"

FLAT: tuple[Side, ...] = ("north", "east", "south", "west")
"""The four sides, clockwise seen from above."""

AXIS: dict[Side, str] = {"down": "y", "up": "y", "north": "z", "south": "z", "west": "x", "east": "x"}


class Form(NamedTuple):
    """A state by its parts.

    ``replaceable``: gives way to another block; ``wet``: water stands in the cell; ``joins`` and ``holds`` are the
    words of placing.toml.
    """

    name: str
    props: Mapping[str, str]
    replaceable: bool
    fluid: bool
    wet: bool
    joins: str
    holds: str
    two_cell: TwoCell

    def side(self, key: str = "facing") -> Side:
        """The value of a property that is a side."""
        return as_side(self.props.get(key, ""))


_SIDES: dict[str, Side] = {
    "down": "down",
    "up": "up",
    "north": "north",
    "south": "south",
    "west": "west",
    "east": "east",
}


def as_side(text: str) -> Side:
    """The side of this name; states from outside the catalogue may say anything, which counts as north."""
    return _SIDES.get(text, "north")


@lru_cache(maxsize=16384)
def form(state: str) -> Form:
    """The parts of a canonical state."""
    name, props = split_state(state)
    info = describe(state)
    if not info.known and (values := block_properties(name)):
        # Files may say what the game does not know; the default stands for it, as in the catalogue.
        default = split_state(default_state(name))[1]
        props = {key: props[key] if props.get(key) in values[key] else default[key] for key in values}
    wet = props.get("waterlogged") == "true" or among(name, "watery") or (name == "water" and props.get("level") == "0")
    replaceable = among(name, "replaceable") or (name == "snow" and props.get("layers") == "1")
    holds = words("holds").get(name, "soil" if name in soils() else "")
    return Form(
        name=name,
        props=MappingProxyType(props),
        replaceable=replaceable,
        fluid=name in ("water", "lava", "bubble_column"),
        wet=wet,
        joins=words("joins").get(name, ""),
        holds=holds,
        two_cell=info.two_cell,
    )


@lru_cache(maxsize=16384)
def with_value(state: str, key: str, value: str) -> str:
    """The state with one property changed; unchanged where it has no such property."""
    name, props = split_state(state)
    if props.get(key, value) == value:
        return state
    return join_state(name, {**props, key: value})


def with_values(state: str, props: Mapping[str, str]) -> str:
    """The state with some properties changed, those that it has."""
    for key, value in props.items():
        state = with_value(state, key, value)
    return state


def rest(state: str) -> str:
    """What is left in the cell when the block goes: water where it stood in water."""
    parts = form(state)
    return WATER if parts.wet and parts.name != "water" else "air"


def is_air(state: str) -> bool:
    """Whether the cell is empty."""
    return state == "air" or form(state).name in AIRS


def clockwise(side: Side) -> Side:
    """The side to the right of one of the four.

    >>> clockwise("north")
    'east'
    """
    return _CLOCKWISE[side]


def counterclockwise(side: Side) -> Side:
    """The side to the left of one of the four."""
    return OPPOSITE[_CLOCKWISE[side]]


_CLOCKWISE: dict[Side, Side] = {
    "north": "east",
    "east": "south",
    "south": "west",
    "west": "north",
    "up": "up",
    "down": "down",
}


def same_axis(one: Side, other: Side) -> bool:
    """Whether two sides lie on one axis."""
    return AXIS[one] == AXIS[other]
