"""Block states under quarter turns and mirroring.

A turn is clockwise seen from above, so that north becomes east and (x, z) becomes (−z, x). A mirror of axis "x"
exchanges east and west, one of axis "z" north and south. Ids outside the catalogue are turned by the same
property names.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal

from minece.blocks.errors import BlocksError
from minece.blocks.states import canonical_state, join_state, split_state

_TURN = {"north": "east", "east": "south", "south": "west", "west": "north"}
_MIRRORS = {
    "x": {"east": "west", "west": "east", "north": "north", "south": "south"},
    "z": {"north": "south", "south": "north", "east": "east", "west": "west"},
}
_OTHER_HAND = {
    "left": "right",
    "right": "left",
    "inner_left": "inner_right",
    "inner_right": "inner_left",
    "outer_left": "outer_right",
    "outer_right": "outer_left",
}
_ORDER = ("north", "south", "east", "west")
_HANDED = frozenset({"shape", "hinge", "type", "side_chain"})


@lru_cache(maxsize=16384)
def turn_state(state: str, quarters: int) -> str:
    """The state after ``quarters`` quarter turns clockwise seen from above, canonical.

    >>> turn_state("oak_log[axis=x]", 1)
    'oak_log[axis=z]'
    """
    name, props = split_state(canonical_state(state))
    for _ in range(quarters % 4):
        props = _moved(props, _TURN)
        if props.get("axis") in ("x", "z"):
            props["axis"] = "z" if props["axis"] == "x" else "x"
        if props.get("rotation", "").isdecimal():
            props["rotation"] = str((int(props["rotation"]) + 4) % 16)
    return join_state(name, props)


@lru_cache(maxsize=16384)
def mirror_state(state: str, axis: Literal["x", "z"]) -> str:
    """The state mirrored so that east and west (axis "x") or north and south ("z") change places, canonical.

    Raises :class:`BlocksError` for another axis.

    >>> mirror_state("wall_torch[facing=east]", "x")
    'wall_torch[facing=west]'
    """
    if axis not in _MIRRORS:
        raise BlocksError(f"mirror axis {axis!r}", mend="take 'x' or 'z'")
    name, props = split_state(canonical_state(state))
    props = _moved(props, _MIRRORS[axis])
    for key in _HANDED & props.keys():
        props[key] = _OTHER_HAND.get(props[key], props[key])
    if props.get("rotation", "").isdecimal():
        # Rotation 0 looks south and grows clockwise: 4 west, 8 north, 12 east.
        props["rotation"] = str(((16 if axis == "x" else 8) - int(props["rotation"])) % 16)
    return join_state(name, props)


def _moved(props: Mapping[str, str], sides: Mapping[str, str]) -> dict[str, str]:
    """Properties after the four sides became others: as names (connections) and inside values."""
    out: dict[str, str] = {}
    for key, value in props.items():
        if key in ("facing", "orientation"):
            value = "_".join(sides.get(word, word) for word in value.split("_"))
        elif key == "shape":
            value = _renamed(value, sides)
        out[_renamed(key, sides)] = value
    return out


def _renamed(text: str, sides: Mapping[str, str]) -> str:
    """A name or a rail's shape with its sides exchanged: north, north_south, south_east, ascending_east.

    Two sides come in the order that the game uses, north or south first.
    """
    words = [sides.get(word, word) for word in text.split("_")]
    if all(word in sides for word in words):
        words.sort(key=_ORDER.index)
    return "_".join(words)
