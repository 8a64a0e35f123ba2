"""What the faces of a block hold: whole faces, their rims, their middles."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from minece.agent_bridge.clicks import Side
from minece.agent_bridge.placing.forms import form
from minece.agent_bridge.placing.tables import among
from minece.blocks.catalogue import Substance, describe
from minece.blocks.tables import FULL_BOX, Box

Part: TypeAlias = Literal["whole", "rim", "middle"]
"""The part of a face that must be there."""

Rectangle: TypeAlias = tuple[float, float, float, float]

_RIM: tuple[Rectangle, ...] = ((0, 0, 1, 0.125), (0, 0.875, 1, 1), (0, 0, 0.125, 1), (0.875, 0, 1, 1))
_MIDDLE: tuple[Rectangle, ...] = ((7 / 16, 7 / 16, 9 / 16, 9 / 16),)
_STANDING_MIDDLE: tuple[Rectangle, ...] = ((7 / 16, 0, 9 / 16, 10 / 16),)
_WHOLE: tuple[Rectangle, ...] = ((0, 0, 1, 1),)
_NEAR = 1e-6


@lru_cache(maxsize=16384)
def sturdy(state: str, side: Side, part: Part = "whole") -> bool:
    """Whether a part of the face at a side of the block is solid, so that something can be fixed to it.

    >>> sturdy("oak_slab[type=top,waterlogged=false]", "up")
    True
    >>> sturdy("oak_fence", "up", "middle")
    True
    """
    name = form(state).name
    if among(name, "holds_nothing") or (part == "middle" and side == "down" and among(name, "loose_below")):
        return False
    boxes = FULL_BOX if among(name, "holds_all") else describe(state).boxes
    if part == "whole":
        wanted = _WHOLE
    elif part == "rim":
        wanted = _RIM
    else:
        wanted = _MIDDLE if side in ("up", "down") else _STANDING_MIDDLE
    return _covers(_face(boxes, side), wanted)


@lru_cache(maxsize=16384)
def underside_covers(state: str, wanted: tuple[Rectangle, ...]) -> bool:
    """Whether the solid underside of a block covers rectangles x0, z0, x1, z1."""
    return _covers(_face(describe(state).boxes, "down"), wanted)


@lru_cache(maxsize=16384)
def solid(state: str) -> bool:
    """Whether signs, banners and cakes take the block for solid: most of a cube, or as high as one."""
    name = form(state).name
    if among(name, "solid"):
        return True
    boxes = describe(state).boxes
    if not boxes or among(name, "not_solid"):
        return False
    spans = [max(box[axis + 3] for box in boxes) - min(box[axis] for box in boxes) for axis in range(3)]
    return sum(spans) / 3 >= 0.7291666666666666 or spans[1] >= 1


@lru_cache(maxsize=16384)
def full_cube(state: str) -> bool:
    """Whether the solid part of the block is the whole cell."""
    return describe(state).boxes == FULL_BOX


@lru_cache(maxsize=16384)
def opaque_cube(state: str) -> bool:
    """Whether the block is a whole cube that lets no light through."""
    info = describe(state)
    return info.substance is Substance.FULL and not among(info.material, "clear")


_AXES: dict[Side, tuple[int, int, int]] = {
    "west": (0, 2, 1),
    "east": (0, 2, 1),
    "down": (1, 0, 2),
    "up": (1, 0, 2),
    "north": (2, 0, 1),
    "south": (2, 0, 1),
}
"""The axis across each face and the two along it, the upright one last."""


def _face(boxes: tuple[Box, ...], side: Side) -> list[Rectangle]:
    """The boxes that reach a face, seen along its axis; fences reach beyond it."""
    across, u, v = _AXES[side]
    if side in ("west", "down", "north"):
        reaching = [box for box in boxes if box[across] <= _NEAR]
    else:
        reaching = [box for box in boxes if box[across + 3] >= 1 - _NEAR]
    return [(box[u], box[v], box[u + 3], box[v + 3]) for box in reaching]


def _covers(rectangles: list[Rectangle], wanted: tuple[Rectangle, ...]) -> bool:
    """Whether rectangles together cover all wanted ones: no piece between their edges may lie outside all of them."""
    for low_u, low_v, high_u, high_v in wanted:
        us = sorted({low_u, high_u, *(u for r in rectangles for u in (r[0], r[2]) if low_u < u < high_u)})
        vs = sorted({low_v, high_v, *(v for r in rectangles for v in (r[1], r[3]) if low_v < v < high_v)})
        for u0, u1 in zip(us, us[1:], strict=False):
            for v0, v1 in zip(vs, vs[1:], strict=False):
                u, v = (u0 + u1) / 2, (v0 + v1) / 2
                if not any(r[0] <= u <= r[2] and r[1] <= v <= r[3] for r in rectangles):
                    return False
    return True
