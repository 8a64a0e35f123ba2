"""Where somebody stands to be at a place: outside, at a height, on a storey, in a room, beside an item."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Mask
from minece.blocks.items import item_cells
from minece.checkers.parameters import Materials
from minece.checkers.scene import Scene
from minece.checkers.stepping import BLOCK

_FORM = re.compile(r"(?P<name>outside|height|storeys?|rooms)(?:\((?P<number>[^()]*)\))?")
_NUMBER = re.compile(r"-?[0-9]{1,4}")
_NUMBERED = ("height", "storey")


@dataclass(frozen=True, slots=True)
class Spot:
    """One place: its name in a message, the cells that show it, and (k,) the footings at which one is there."""

    name: str
    cells: Cells
    footings: NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class Place:
    """Places that a rule names: ``outside``, ``height(4)``, ``storey(2)``, ``storeys``, ``rooms``, or materials."""

    text: str
    name: str
    number: int = 0
    materials: Materials | None = None

    accepts = 'a place: "outside", "height(4)", "storey(2)", "storeys" (each), "rooms" (each), or block ids and #tags'

    @classmethod
    def read(cls, value: object) -> Self:
        if isinstance(value, str):
            match = _FORM.fullmatch(value.strip())
            if match is not None:
                name, number = match["name"], match["number"]
                if (name in _NUMBERED) != (number is not None):
                    raise ValueError(cls.accepts)
                if number is not None and _NUMBER.fullmatch(number) is None:
                    raise ValueError(f"{name}(n) with a whole number of at most 4 digits")
                if name == "storey" and int(number) < 1:
                    raise ValueError("storey(n) with a number from 1 up; storey(1) is the lowest")
                return cls(value.strip(), name, int(number or 0))
        materials = Materials.read(value)
        return cls(str(materials), "items", 0, materials)

    @property
    def ids(self) -> frozenset[str]:
        """The block ids that the place names."""
        return self.materials.ids if self.materials is not None else frozenset()

    def spots(self, scene: Scene) -> list[Spot]:
        """The places in a build, none where it has none."""
        walker, space = scene.walker, scene.space
        match self.name:
            case "outside":
                return [Spot("the open ground", scene.cells, np.flatnonzero(walker.outside))]
            case "height":
                height = BLOCK * space.axes[1][walker.at // space.strides[1] % space.shape[1]] + walker.foot
                high = walker.stand & (height >= BLOCK * self.number)
                there = np.flatnonzero(high)
                return [Spot(f"height {self.number}", space.cells(walker.at[there]), there)] if len(there) else []
            case "storeys" | "storey":
                return [
                    Spot(f"storey {number}", space.cells(walker.at[floor]), floor)
                    for number, floor in enumerate(scene.storeys.largest, 1)
                    if self.name == "storeys" or number == self.number
                ]
            case "rooms":
                rooms = [room for room in scene.interior.rooms if room.kind != "closed"]
                return [Spot(str(room), room.floor, room.footings) for room in rooms]
        assert self.materials is not None
        items = item_cells(scene.blocks, self.materials.ids)
        material, state = scene.blocks.table.material, scene.blocks.index[scene.blocks.locate(items.cells)]
        names = [
            f"the {material[i]} at ({x}, {y}, {z})"
            for i, (x, y, z) in zip(state.tolist(), items.cells.tolist(), strict=True)
        ]
        both = np.concatenate([items.cells, items.others])
        row, footing = _beside(scene, both)
        row %= max(len(names), 1)
        order = np.argsort(row, kind="stable")
        footings = np.split(footing[order], np.searchsorted(row[order], np.arange(1, len(names))))
        cells = np.stack([items.cells, items.others], axis=1)
        return [Spot(*spot) for spot in zip(names, cells, footings, strict=False)]

    @property
    def noun(self) -> str:
        """What a build without such a place has none of."""
        match self.name:
            case "height":
                return f"footing at height {self.number} or above"
            case "storey" | "storeys":
                return f"storey {self.number}" if self.number else "storey"
            case "rooms":
                return "room"
        return str(self)

    def __str__(self) -> str:
        """The place as the end of a way: ``from the open ground``, ``to any room``."""
        match self.name:
            case "outside":
                return "the open ground"
            case "height" | "storey":
                return f"{self.name} {self.number}"
            case "rooms" | "storeys":
                return f"any {self.name.removesuffix('s')}"
        return self.text


def beside(scene: Scene, materials: Materials) -> Mask:
    """(m,) bool: the footings beside the whole items of some materials."""
    items = item_cells(scene.blocks, materials.ids)
    out = np.zeros(len(scene.walker.at), dtype=np.bool_)
    out[_beside(scene, np.concatenate([items.cells, items.others]))[1]] = True
    return out


def _beside(scene: Scene, cells: Cells) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Rows of cells and footings in or upon those cells, or beside them: in the columns next to theirs, with the feet
    at most half a block above or below the cells' undersides."""
    walker, space = scene.walker, scene.space
    flat = space.flat(cells)
    across, along, aside = space.strides
    number = walker.number.reshape(-1)
    rows, footings = [], []
    foot = BLOCK * (flat // along % space.shape[1])
    for step in (-across, across, -aside, aside):
        for level in (0, -along):
            found = number[flat + step + level]
            near = np.flatnonzero((found >= 0) & (np.abs(walker.height[found] - foot) <= BLOCK // 2))
            rows.append(near)
            footings.append(found[near])
    for step in (0, along):
        found = number[flat + step]
        there = np.flatnonzero(found >= 0)
        rows.append(there)
        footings.append(found[there])
    return np.concatenate(rows), np.concatenate(footings)
