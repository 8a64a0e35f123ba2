"""How a block state looks: boxes within its cell, colour, and how much light goes through.

The boxes are those that the catalogue gives for walking, where a block has any; what has none (torches, plants,
rails, signs …) gets small ones here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from minece.blocks.catalogue import StateInfo, Substance, describe, materials
from minece.blocks.states import split_state
from minece.blocks.tables import FULL_BOX, Box

Boxes = tuple[Box, ...]

_FENCE_POST: Box = (0.375, 0.0, 0.375, 0.625, 1.0, 0.625)
_RAILS = ((0.375, 0.5625), (0.75, 0.9375))  # the two bars of a fence, in y
_ARMS = {"north": (0.4375, 0.0, 0.5625, 0.375), "south": (0.4375, 0.625, 0.5625, 1.0),
         "west": (0.0, 0.4375, 0.375, 0.5625), "east": (0.625, 0.4375, 1.0, 0.5625)}  # fmt: skip
_DUST: Box = (0.34, 0.0, 0.34, 0.66, 0.03, 0.66)
_TORCH: Box = (0.4375, 0.0, 0.4375, 0.5625, 0.625, 0.5625)
_PLANT: Boxes = ((0.15, 0.0, 0.47, 0.85, 0.8, 0.53), (0.47, 0.0, 0.15, 0.53, 0.8, 0.85))
_SIGN: Boxes = ((0.46875, 0.0, 0.46875, 0.53125, 0.5, 0.53125), (0.0, 0.5, 0.46875, 1.0, 1.0, 0.53125))
_LEAST = 0.0625  # thickness of what lies flat on a face
_FACES = ("west", "east", "down", "up", "north", "south")

# How much of a block's colour is seen where light goes through it; all others are opaque.
_SEEN_THROUGH = {
    "water": 0.5,
    "#glass, #glass_panes, #stained_glass": 0.42,
    "tinted_glass": 0.7,
    "ice, frosted_ice, slime_block, honey_block, nether_portal": 0.72,
}


@dataclass(frozen=True, slots=True)
class Look:
    """``boxes`` x0 y0 z0 x1 y1 z1 within the cell, 0 to 1; ``colour`` red, green, blue; ``opacity`` 0 to 1."""

    boxes: Boxes
    colour: tuple[int, int, int]
    opacity: float


def look(state: str) -> Look:
    """How a block state looks. Raises :class:`minece.blocks.StateError` for text that is no state.

    >>> look("oak_slab").boxes
    ((0.0, 0.0, 0.0, 1.0, 0.5, 1.0),)
    """
    info = describe(state)
    boxes = tuple(cut for box in _boxes(info) if (cut := _within(box)) is not None)
    return Look(boxes or _flat("down"), info.colour, _opacities().get(info.material, 1.0))


@cache
def _opacities() -> dict[str, float]:
    return {name: value for spec, value in _SEEN_THROUGH.items() for name in materials(spec)}


@cache
def _group(spec: str) -> frozenset[str]:
    return materials(spec)


def _within(box: Box) -> Box | None:
    """The part of a box inside the cell: fences and walls are higher for walkers than they look."""
    x0, y0, z0, x1, y1, z1 = (min(max(round(v, 4), 0.0), 1.0) for v in box)
    return (x0, y0, z0, x1, y1, z1) if x0 < x1 and y0 < y1 and z0 < z1 else None


def _boxes(info: StateInfo) -> Boxes:
    name = info.material
    _, props = split_state(info.state)
    if info.substance is Substance.FLUID or name in ("powder_snow", "end_gateway"):
        return FULL_BOX
    if name in _group("#fences"):
        arms = [side for side in _ARMS if props.get(side) == "true"]
        return (_FENCE_POST, *(_bar(*_ARMS[side], low, high) for side in arms for low, high in _RAILS))
    if name == "snow":
        return ((0.0, 0.0, 0.0, 1.0, int(props.get("layers", "1")) / 8, 1.0),)
    if info.boxes:
        return info.boxes
    if name == "nether_portal":
        return _plate("west", 0.4375, 0.5625) if props.get("axis") == "z" else _plate("north", 0.4375, 0.5625)
    if name in _group("#torches, #wall_torches"):
        return (_moved_to(_TORCH, info.holds),)
    if name in _group("#signs, #banners"):
        if info.holds == ("down",):
            return _SIGN
        return _flat(info.holds[0]) if len(info.holds) == 1 else _plate("north", 0.4375, 0.5625)
    if name in _group("#buttons") or name in ("lever", "tripwire_hook"):
        return (_knob(info.holds[0]),)
    if name in _group("#pressure_plates"):
        return ((0.0625, 0.0, 0.0625, 0.9375, _LEAST, 0.9375),)
    if name in _group("#rails") or name in ("leaf_litter", "pink_petals", "wildflowers", "end_portal"):
        return _flat("down")
    if name == "redstone_wire":
        arms = [side for side in _ARMS if props.get(side) in ("side", "up")]
        return (_DUST, *(_bar(*_ARMS[side], 0.0, 0.03) for side in arms))
    if name == "tripwire":
        return ((0.0, 0.03, 0.47, 1.0, 0.06, 0.53),)
    if name in ("light", "moving_piston"):
        return ((0.4, 0.4, 0.4, 0.6, 0.6, 0.6),)
    if info.holds and "down" not in info.holds and len(info.holds) < len(_FACES):
        return tuple(box for face in info.holds for box in _flat(face))  # vines, lichen, fans on walls
    if info.substance is Substance.ATTACHMENT or name in ("cobweb", "fire", "frogspawn"):
        return _PLANT
    return FULL_BOX


def _bar(x0: float, z0: float, x1: float, z1: float, low: float, high: float) -> Box:
    return (x0, low, z0, x1, high, z1)


def _plate(face: str, near: float, far: float) -> Boxes:
    """A plate parallel to a face of the cell, between two distances from it."""
    low, high = [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]
    axis, side = divmod(_FACES.index(face), 2)
    low[axis], high[axis] = (near, far) if side == 0 else (1.0 - far, 1.0 - near)
    return ((low[0], low[1], low[2], high[0], high[1], high[2]),)


def _flat(face: str) -> Boxes:
    return _plate(face, 0.0, _LEAST)


def _knob(face: str) -> Box:
    """A small box in the middle of a face."""
    (box,) = _plate(face, 0.0, 0.125)
    axis = _FACES.index(face) // 2
    values = list(box)
    for other in range(3):
        if other != axis:
            values[other], values[other + 3] = 0.34375, 0.65625
    return (values[0], values[1], values[2], values[3], values[4], values[5])


def _moved_to(box: Box, holds: tuple[str, ...]) -> Box:
    """A box moved to the wall that holds it."""
    if len(holds) != 1 or holds[0] not in ("west", "east", "north", "south"):
        return box
    axis, side = divmod(_FACES.index(holds[0]), 2)
    values = list(box)
    step = (1.0 - box[axis + 3] if side else -box[axis]) * 0.85
    values[axis], values[axis + 3] = values[axis] + step, values[axis + 3] + step
    values[1], values[4] = values[1] + 0.1875, values[4] + 0.1875
    return (values[0], values[1], values[2], values[3], values[4], values[5])
