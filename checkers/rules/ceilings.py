"""Heights of rooms."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Mask
from minece.blocks.catalogue import materials
from minece.checkers.parameters import Bound, Positive
from minece.checkers.registry import rule
from minece.checkers.rooms import FURNITURE, Room
from minece.checkers.scene import Scene
from minece.checkers.stepping import BLOCK, SteppingTable
from minece.checkers.verdict import Finding, finding
from minece.checkers.walker import FLUSH
from minece.checkers.wording import asked, count, listed

HALF = BLOCK // 2
STAIRS = materials("#stairs")
LEAST_STEP = 4
"""Cells of a flat piece of ceiling that counts beside a room's usual height."""


@rule("shape", unit="ceiling heights")
def ceiling_heights(scene: Scene, *, at_least: Positive) -> Finding:
    """Rooms of so many different heights.

    A room's height is the clear height between floor and ceiling that most of its cells have, whatever furniture stands
    on the floor; cells without a floor under them or without a ceiling (stairwells) are left out. Within a hall other
    heights count too, under a lower ceiling or over a sunken floor, where they are the same over at least 4 joined
    cells, 2 cells wide. Heights that differ by no more than 1/8 are one, and carpets, paths and trapdoors change none.

    Measures the different heights.
    """
    bound = Bound(at_least=at_least)
    those = [room for room in scene.interior.rooms if room.kind != "closed"]
    heights: dict[int, Cells] = {}
    having: dict[int, list[int]] = {}
    for room in those:
        floor, clear, sloping = clear_heights(scene, room)
        for height, where in _own_heights(floor, clear, sloping).items():
            height = next((known for known in heights if abs(known - height) <= FLUSH), height)
            heights.setdefault(height, floor[where])
            if room.number not in having.setdefault(height, []):
                having[height].append(room.number)
    number = len(heights)
    shown = listed([f"{height / BLOCK:g} in {_rooms(having[height])}" for height in sorted(heights)]) if heights else ""
    text = f"The rooms have {count(number, 'height')}: {shown}" if shown else "The build has no room to measure"
    cells = np.concatenate(list(heights.values())) if heights else scene.cells
    if number >= at_least:
        return finding(True, number, bound.required, f"{text}.", cells)
    return finding(False, number, bound.required, f"{text}; {asked(bound, False, counted=True)}.", cells)


def _rooms(numbers: list[int]) -> str:
    return f"room {numbers[0]}" if len(numbers) == 1 else f"rooms {listed(numbers)}"


def clear_heights(scene: Scene, room: Room) -> tuple[Cells, NDArray[np.int64], Mask]:
    """(k, 3) cells over a room's floor and over its sunken parts, under a ceiling; (k,) the clear heights there, in
    sixteenths, from the floor up to the first ceiling above what stands on it; (k,) whether that ceiling is of stairs,
    part of a slope."""
    space, enclosure, walker = scene.space, scene.enclosure, scene.walker
    base_of = scene.interior.base
    sunken = (scene.interior.volume_of == room.volume) & walker.stand & (base_of < room.level - FLUSH)
    flat = np.concatenate([space.flat(room.floor), walker.at[sunken]])
    base = np.concatenate([np.full(room.area, room.level), base_of[sunken]]).astype(np.int64)
    across, along, _ = space.strides
    x, y, z = flat // across, flat // along % space.shape[1], flat % along
    height = np.arange(space.shape[1])
    free = (enclosure.volume[x, :, z] == room.volume) & (height >= y[:, None])
    hung = enclosure.leaf | space.mask(space.table.matches(FURNITURE))
    ceilings = (enclosure.closing & ~hung)[x, :, z] & (height > np.argmax(free, axis=1)[:, None])
    top = np.argmax(ceilings, axis=1)
    roofed = free.any(axis=1) & ceilings.any(axis=1)
    x, z, top, base = x[roofed], z[roofed], top[roofed], base[roofed]
    underside = SteppingTable.of(space.blocks.palette).free[space.state[x, top, z]]
    # Carpets, paths and snow make no other floor than the block or half block they lie on.
    coarse = (base + FLUSH) // HALF * HALF
    base = np.where(np.abs(base - coarse) <= FLUSH, coarse, base)
    clear = BLOCK * space.axes[1][top] + underside - BLOCK * space.axes[1][base // BLOCK] - base % BLOCK
    sloping = np.append(space.table.matches(STAIRS), (False, False))[space.state[x, top, z]]
    return space.cells(flat[roofed]), clear, sloping


def _own_heights(floor: Cells, clear: NDArray[np.int64], sloping: Mask) -> dict[int, NDArray[np.int64]]:
    """The heights that a room counts for, each with positions of its cells."""
    if not len(clear):
        return {}
    values, number = np.unique(clear, return_counts=True)
    usual = int(values[np.argmax(number)])
    out = {}
    for value in values.tolist():
        where = np.flatnonzero(clear == value)
        if value == usual or _has_flat_piece(floor[where[~sloping[where]]]):
            out[value] = where
    return out


def _has_flat_piece(floor: Cells) -> bool:
    """Whether four cells or more lie together, two of them side by side in both directions."""
    if len(floor) < LEAST_STEP:
        return False
    here = {(x, z) for x, _, z in floor.tolist()}
    return any({(x + 1, z), (x, z + 1), (x + 1, z + 1)} <= here for x, z in here)
