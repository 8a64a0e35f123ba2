"""Regions: named parts of a build that rules look at.

A region is written ``name``, ``name(number)``, ``name(side)`` or one of these followed by ``of MATERIALS``: ``all``,
``layer(3)``, ``facade(north)``, ``lowest of stone, #concrete``. Materials are sorted out first: ``highest of
oak_planks`` is the highest layer of the planks, whatever stands above them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Mask
from minece.blocks.catalogue import materials as ids_of
from minece.blocks.grid import FACES, LIMIT, SIDES, UP
from minece.blocks.links import components
from minece.blocks.parts import label_by_faces, vertical_runs
from minece.checkers import outline
from minece.checkers.parameters import Materials
from minece.checkers.scene import Scene

RegionFunction = Callable[[Scene, Mask, int], Mask]

_FORM = re.compile(
    r"(?P<name>[a-z_]+)(?:\((?:(?P<number>-?\d{1,6})|(?P<side>[a-z]+))\))?(?:\s+of\s+(?P<materials>.+))?"
)
GLAZING = ids_of("#glass, #glass_panes")
THICKEST_COLUMN = 3
"""Cells that a column may measure along x and z."""
_SIDES = {FACES[side]: side for side in SIDES}


@dataclass(frozen=True, slots=True)
class RegionInfo:
    """A kind of region; ``words`` is how a message calls it, with ``{n}`` for the number or side."""

    name: str
    takes: Literal["", "n", "side"]
    words: str
    doc: str
    function: RegionFunction


_REGIONS: dict[str, RegionInfo] = {}


def region(words: str, *, takes: Literal["", "n", "side"] = "") -> Callable[[RegionFunction], RegionFunction]:
    """Register a region under its function's name. The function gets the scene, the (n,) bool mask of the blocks of
    the region's materials and the number (of a side its place in ``FACES``), and gives an (n,) bool mask."""

    def register(function: RegionFunction) -> RegionFunction:
        name = function.__name__.rstrip("_")
        _REGIONS[name] = RegionInfo(name, takes, words, " ".join((function.__doc__ or "").split()), function)
        return function

    return register


def regions() -> Mapping[str, RegionInfo]:
    """All regions by name, in alphabetical order."""
    return dict(sorted(_REGIONS.items()))


@dataclass(frozen=True, slots=True)
class Region:
    """A function from a scene to a mask over its blocks."""

    text: str
    info: RegionInfo
    number: int = 0
    materials: Materials | None = None
    words: str = ""

    accepts = 'a region: "all", "layer(3)", "highest of #planks"'

    @classmethod
    def read(cls, value: object) -> Self:
        match = _FORM.fullmatch(value.strip()) if isinstance(value, str) else None
        if match is None:
            raise ValueError(cls.accepts)
        info = _REGIONS.get(match["name"])
        if info is None:
            raise ValueError("a region: " + ", ".join(_shown(one) for one in regions().values()))
        given = "n" if match["number"] is not None else "side" if match["side"] is not None else ""
        if info.takes != given:
            raise ValueError(f"the region as {_shown(info)}")
        if given == "side" and match["side"] not in _SIDES:
            raise ValueError(f"the side of {_shown(info)}: {', '.join(_SIDES)}")
        number = _SIDES[match["side"]] if given == "side" else int(match["number"] or 0)
        materials = None if match["materials"] is None else Materials.read(match["materials"])
        return cls(str(value).strip(), info, number, materials, _in_words(info, number, materials))

    @property
    def ids(self) -> frozenset[str]:
        """The block ids that the region names."""
        return self.materials.ids if self.materials is not None else frozenset()

    def mask(self, scene: Scene) -> Mask:
        """(n,) bool: the blocks of the scene that lie in the region."""
        return scene.remember(self.text, lambda: self._mask(scene))

    def _mask(self, scene: Scene) -> Mask:
        if self.materials is None:
            base = np.ones(len(scene.blocks), dtype=np.bool_)
        else:
            base = scene.blocks.is_material(self.materials.ids)
        return self.info.function(scene, base, self.number) if base.any() else base

    def __str__(self) -> str:
        """The region as a message calls it: ``the build``, ``the highest layer of oak_planks``."""
        return self.words


def _in_words(info: RegionInfo, number: int, materials: Materials | None) -> str:
    if info.name == "all" and materials is not None:
        return f"the {materials}"
    shown = FACES[number] if info.takes == "side" else number
    words = info.words.format(n=shown).replace(" 1 layers", " layer")
    return words if materials is None else f"{words} of {materials}"


def _shown(info: RegionInfo) -> str:
    return f"{info.name}({info.takes})" if info.takes else info.name


@region("the build")
def all_(scene: Scene, base: Mask, _: int) -> Mask:
    """Every block."""
    return base


@region("layer {n}", takes="n")
def layer(scene: Scene, base: Mask, y: int) -> Mask:
    """The blocks whose cell begins at height n above ground; negative heights are below it."""
    at: Mask = scene.cells[:, 1] == y
    return base & at


@region("the upper {n} layers", takes="n")
def upper(scene: Scene, base: Mask, count: int) -> Mask:
    """The blocks of the n highest layers."""
    y = scene.cells[:, 1]
    return base & (y > int(y[base].max()) - count)


@region("the lower {n} layers", takes="n")
def lower(scene: Scene, base: Mask, count: int) -> Mask:
    """The blocks of the n lowest layers."""
    y = scene.cells[:, 1]
    return base & (y < int(y[base].min()) + count)


@region("the highest layer")
def highest(scene: Scene, base: Mask, _: int) -> Mask:
    """The blocks of the highest layer."""
    return upper(scene, base, 1)


@region("the lowest layer")
def lowest(scene: Scene, base: Mask, _: int) -> Mask:
    """The blocks of the lowest layer."""
    return lower(scene, base, 1)


@region("the largest part")
def largest(scene: Scene, base: Mask, _: int) -> Mask:
    """The structural blocks of the largest part joined by faces; of all that are equally large."""
    labels = label_by_faces(scene.blocks, base & scene.structural)
    size = np.bincount(labels)
    size[0] = 0
    out: Mask = (size == size.max())[labels] & (labels > 0)
    return out


@region("the part below ground")
def below_ground(scene: Scene, base: Mask, _: int) -> Mask:
    """The blocks below the ground plane."""
    return base & (scene.cells[:, 1] < 0)


@region("the part above ground")
def above_ground(scene: Scene, base: Mask, _: int) -> Mask:
    """The blocks on or above the ground plane."""
    return base & (scene.cells[:, 1] >= 0)


@region("the columns")
def columns(scene: Scene, base: Mask, _: int) -> Mask:
    """Vertical runs of at least two structural blocks that are free on all four sides and carry a structural block on
    top. A column may be up to three cells thick, and lamps, brackets or a railing may be fixed to it over less than
    half of its height; glass and panes between columns do not matter."""
    solid = scene.structural & ~scene.blocks.is_material(GLAZING)
    labels, slender = _sections(scene, solid)
    rows = np.flatnonzero(slender)
    runs = vertical_runs(scene.cells[rows])
    above = scene.neighbours[rows[runs.order[runs.stop - 1]], UP]
    carries = (runs.length >= 2) & (above >= 0) & scene.structural[above]
    members = np.zeros(len(base), dtype=np.bool_)
    members[rows[runs.order[np.repeat(carries, runs.length)]]] = True
    # The core of a spiral stair has another tread beside it on every level.
    beset = np.bincount(labels, weights=solid & ~members) > 0
    lone = ~beset[labels[rows[runs.order]]]
    free = np.add.reduceat(lone, runs.start) if len(lone) else np.zeros(0, dtype=np.int64)
    out = np.zeros(len(base), dtype=np.bool_)
    out[rows[runs.order[np.repeat(carries & (2 * free >= runs.length), runs.length)]]] = True
    return out & base


def _sections(scene: Scene, solid: Mask) -> tuple[NDArray[np.int64], Mask]:
    """(n,) int64: number of the group of solid blocks of its level, joined by faces, that each block belongs to; and
    (n,) bool: whether the group fills no more than three by three cells, without a hole and away from soil."""
    ahead = scene.neighbours[:, SIDES][:, 1::2]
    linked = (ahead >= 0) & solid[ahead] & solid[:, None]
    labels, number = components(len(scene.blocks), np.nonzero(linked)[0], ahead[linked])
    thick = np.zeros(number, dtype=np.bool_)
    middle = np.ones(len(labels), dtype=np.bool_)
    hollow = np.bincount(labels, minlength=number) > THICKEST_COLUMN**2 / 2
    for along in (scene.cells[:, 0].astype(np.int64), scene.cells[:, 2].astype(np.int64)):
        low, high = np.full(number, LIMIT, dtype=np.int64), np.full(number, -LIMIT, dtype=np.int64)
        np.minimum.at(low, labels, along)
        np.maximum.at(high, labels, along)
        thick |= high - low >= THICKEST_COLUMN
        middle &= 2 * along == (low + high)[labels]
        hollow &= high - low == THICKEST_COLUMN - 1
    # Walls around an empty middle make a shaft.
    hollow[labels[middle]] = False
    thick |= hollow
    thick[labels[scene.soil_faces[:, SIDES].any(axis=1)]] = True
    return labels, solid & ~thick[labels]


@region("what stands in the rooms")
def interior(scene: Scene, base: Mask, _: int) -> Mask:
    """The blocks that stand or lie in rooms: furniture."""
    return base & scene.space.blocks_in(outline.interior(scene))


@region("the floor of storey {n}", takes="n")
def floor(scene: Scene, base: Mask, storey: int) -> Mask:
    """The blocks that carry the floors of storey n, counted from the lowest to which people get (see the rule
    `storeys`), with rooms or without."""
    return base & outline.floors(scene, storey)


@region("the floors")
def floors(scene: Scene, base: Mask, _: int) -> Mask:
    """The blocks that carry the floors of all storeys to which people get."""
    return base & outline.floors(scene)


@region("the ceiling of storey {n}", takes="n")
def ceiling(scene: Scene, base: Mask, storey: int) -> Mask:
    """The blocks that close the rooms on storey n above."""
    return base & outline.ceiling_of(scene, storey)


@region("the roof")
def roof(scene: Scene, base: Mask, _: int) -> Mask:
    """The topmost structural blocks over the rooms, and the eaves that are joined to them at the same height or lower.
    Chimneys up to 2 × 2 and what only lies or hangs there are left out."""
    return base & outline.roof(scene)


@region("the {n} façade", takes="side")
def facade(scene: Scene, base: Mask, side: int) -> Mask:
    """The outermost blocks of the walls that close rooms, seen from a side (north, east, south, west), at the heights
    of the rooms. Openings and what fills them, porch posts, fences and convex corners are left out."""
    return base & outline.facade(scene, side)


@region("the walls")
def walls(scene: Scene, base: Mask, _: int) -> Mask:
    """The outermost blocks of the walls that close rooms, on all four sides, with their corners, glass and doors;
    without open doorways and windows, eaves, porches and steps outside."""
    return base & outline.walls(scene)


@region("the corners")
def corners(scene: Scene, base: Mask, _: int) -> Mask:
    """The vertical runs at the convex corners of the walls that close rooms, from the lowest floor to the highest
    ceiling."""
    return base & outline.corners(scene)


ALL = Region.read("all")
LOWEST = Region.read("lowest")
