"""Storeys, and how people get about."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

import numpy as np

from minece.blocks import Cells
from minece.checkers.parameters import Bound, Natural, Positive
from minece.checkers.places import Place, Spot
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.storeys import LEAST_AREA, Floor
from minece.checkers.verdict import Finding, finding
from minece.checkers.whereabouts import room_of
from minece.checkers.wording import asked, count, listed

SIX = Positive(LEAST_AREA)
ONE = Positive(1)
NONE = Natural(0)
OUTSIDE = Place.read("outside")


@rule("shape", unit="storeys")
def storeys(
    scene: Scene, *, bound: Bound, min_area: Positive = SIX, open_top: bool = False, rooms: Natural = NONE
) -> Finding:
    """So many levels one above another that people can get to.

    A level is a connected piece of flush floor, covered above; levels are at least 3 blocks apart and lie one above
    another. The ground under a slab is a level, a space that nobody can enter is none.

    ``min_area``: cells of floor that a level has at least. ``open_top``: the uppermost level may lie under the open
    sky. ``rooms``: how many rooms each level must have; lowest and uppermost levels without rooms are then none,
    such as the ground between stilts or a roofed terrace.

    Measures the levels that a walker reaches.
    """
    everything = scene.storeys.floors(min_area)
    if open_top:
        everything += scene.storeys.floors(min_area, covered=False)
        everything.sort(key=lambda floor: floor.level)
    found = scene.storeys.tallest([floor for floor in everything if floor.reached])
    has = _rooms_on(scene, found)
    enough = [level for level, there in enumerate(has) if there >= rooms]
    if enough:
        within = slice(enough[0], enough[-1] + 1)
        found, has = found[within], has[within]
    number = len(found)
    text = f"The build has {count(number, 'storey')}"
    if number:
        text += f" with {'a floor' if number == 1 else 'floors'} at height {_heights(scene, found)}"
    if not bound.holds(number):
        text += f"; {asked(bound, False, counted=True)}"
        all_levels = scene.storeys.tallest(everything)
        missed = [level for level in all_levels if not any(floor.reached for floor in level)]
        if bound.off(number) > 0 and missed:
            cells = _cells(scene, [floor for level in missed for floor in level])
            text += f"; nobody gets to the floor at height {_height(scene, missed[0])}"
            return finding(False, number, bound.required, f"{text}.", cells)
        closed = [room for room in scene.interior.rooms if room.kind == "closed" and room.area >= min_area]
        if bound.off(number) > 0 and closed:
            cells = np.concatenate([room.floor for room in closed])
            return finding(False, number, bound.required, f"{text}; nobody gets into {closed[0]}.", cells)
        cells = _cells(scene, [floor for level in found for floor in level])
        return finding(False, number, bound.required, f"{text}.", cells if len(cells) else scene.cells)
    cells = _cells(scene, [floor for level in found for floor in level])
    for level, there in enumerate(has):
        if there < rooms:
            least = asked(Bound(at_least=rooms), False, counted=True)
            text += f"; storey {level + 1} has {count(there, 'room') if there else 'no room'}, {least}"
            return finding(False, number, bound.required, f"{text}.", _cells(scene, found[level]))
    return finding(True, number, bound.required, f"{text}.", cells if len(cells) else scene.cells)


def _rooms_on(scene: Scene, levels: list[list[Floor]]) -> list[int]:
    """How many rooms each level has."""
    bases = [min(floor.level for floor in level) for level in levels]
    out = [0] * len(levels)
    for room in scene.interior.rooms:
        level = bisect_right(bases, room.level) - 1
        if room.kind == "room" and level >= 0:
            out[level] += 1
    return out


def _height(scene: Scene, level: list[Floor]) -> str:
    return f"{scene.space.height(min(floor.level for floor in level)):g}"


def _heights(scene: Scene, levels: list[list[Floor]]) -> str:
    return listed([_height(scene, level) for level in levels])


def _cells(scene: Scene, floors: list[Floor]) -> Cells:
    footings = [floor.footings for floor in floors]
    return scene.space.cells(scene.walker.at[np.concatenate(footings)]) if footings else scene.cells[:0]


@rule("shape", unit="places")
def reachable(
    scene: Scene,
    *,
    goal: Place,
    start: Place = OUTSIDE,
    jump: bool = True,
    step_free: bool = False,
    ramps: bool = False,
    width: Positive = ONE,
) -> Finding:
    """People get from a start to a goal on foot, through doorways, not through windows.

    A start or goal is ``outside`` (the open ground around the build), ``height(n)`` (anywhere that high above ground),
    ``storey(n)`` (its largest floor), ``storeys`` (each one), ``rooms`` (each one) or a material: a place in, upon or
    beside each whole item of it, at its level. From outside every goal must be reached; from other starts each one
    must lead to one of the goals.

    ``jump``: whether steps of a whole block may be jumped up. ``step_free``: only flush floors, no ladder; with
    ``ramps`` also slopes of half blocks. ``width``: how many cells wide the way must be all along.

    Measures the places that can be reached, or left; all of them must.
    """
    forward = start.name == "outside"
    places, others = (goal, start) if forward else (start, goal)
    spots, ends = places.spots(scene), others.spots(scene)
    total = len(spots)
    if not spots or not ends:
        missing = places if not spots else others
        return finding(False, 0, max(total, 1), f"The build has no {missing.noun} to get to or from.", scene.cells)
    begin = np.zeros(len(scene.walker), dtype=np.bool_)
    begin[np.concatenate([spot.footings for spot in ends])] = True
    barred = scene.interior.windows
    if step_free:
        # A bed is no higher than a ramp's step, and no ramp.
        barred = barred | ~scene.interior.on_floor
    reached = scene.walker.reach(
        begin,
        jump=jump,
        step_free=step_free,
        ramps=ramps,
        width=width,
        without=barred,
        backward=not forward,
    )
    missed = [spot for spot in spots if not reached[spot.footings].any()]
    number = total - len(missed)
    how = _manner(jump, step_free, ramps, width)
    if not missed:
        text = f"People get {_from_to(spots, forward, others)}{how}"
        return finding(True, number, total, f"{text}: {number} of {count(total, 'place')}.", _all_cells(spots))
    first = missed[0]
    room = room_of(scene, first.cells) if places.name == "items" else None
    if room is not None:
        first = replace(first, name=f"{first.name} in {room}")
    way = f"from {others} to {first.name}" if forward else f"from {first.name} to {others}"
    text = f"Nobody gets {way}{how}"
    if total > 1:
        text += f"; {number} of {total} places can be {'reached' if forward else 'left'}"
    return finding(False, number, total, f"{text}.", _all_cells(missed))


def _from_to(spots: list[Spot], forward: bool, others: Place) -> str:
    name = spots[0].name if len(spots) == 1 else ""
    if forward:
        return f"from {others} to {name or 'each place'}"
    return f"from {name or 'each place'} to {others}"


def _manner(jump: bool, step_free: bool, ramps: bool, width: int) -> str:
    words = []
    if step_free:
        words.append("over flush floors" + (" and slopes of half blocks" if ramps else ""))
    elif not jump:
        words.append("without a jump")
    if width > 1:
        words.append(f"on a way {width} cells wide")
    return " " + " ".join(words) if words else ""


def _all_cells(spots: list[Spot]) -> Cells:
    return np.concatenate([spot.cells for spot in spots])
