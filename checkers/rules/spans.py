"""Bridges: what they span, what passes below them and who gets over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from minece.blocks import Cells, Mask
from minece.blocks.grid import unique_cells
from minece.blocks.parts import label_by_faces
from minece.checkers.crossings import Crossing, broken_off, crossings
from minece.checkers.decks import Deck
from minece.checkers.parameters import Natural, Positive
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.stepping import BLOCK
from minece.checkers.verdict import Finding, finding
from minece.checkers.wording import count, place

ONE = Positive(1)
NONE = Natural(0)


def best(found: Sequence[Crossing], judge: Callable[[Crossing], Finding]) -> Finding:
    """The best of the findings over several gaps: no gap and no direction comes first."""
    out = judge(found[0])
    for one in found[1:]:
        if out.status == "pass":
            break
        other = judge(one)
        if (other.status == "pass", _size(other)) > (False, _size(out)):
            out = other
    return out


def _size(found: Finding) -> list[float]:
    measured = found.measured
    values = measured.values() if isinstance(measured, dict) else [measured]
    return [float(value) for value in values if isinstance(value, (int, float))]


def no_gap(scene: Scene, measured: int, required: int) -> Finding:
    """The finding where nothing is bridged."""
    fault = broken_off(scene)
    text = f"No gap is bridged from one support on the ground to another: {measured} instead of {required}"
    return finding(False, measured, required, f"{text}; something is missing beside {place(fault[:1])}.", fault)


@rule("shape", unit="cells")
def clear_span(
    scene: Scene, *, at_least: Positive, boat: Natural = NONE, levels: Literal["below deck", "water"] = "below deck"
) -> Finding:
    """Between the supports of a bridge lie so many free cells in a row, with nothing that stands in the gap.

    The gap is as wide as the bridge over it, and ``boat`` cells wider on both sides: posts and boulders there count,
    fluids do not. The bridge lies over the whole gap and reaches a support on both of its ends.

    ``levels``: ``water`` asks at water level (y = 0) alone, as for arches; ``below deck`` at each level up to the
    lowest underside of the deck, where the deck is as thick as it is where it is thinnest. What hangs from the deck
    without touching what stands narrows nothing above water level.

    Measures the free cells of the longest row, at the narrowest level.
    """
    found = crossings(scene, boat=boat, river=at_least)
    if not found:
        return no_gap(scene, 0, at_least)
    return best(found, lambda one: _span(scene, one, at_least, boat, water=levels == "water"))


def _span(scene: Scene, crossing: Crossing, least: int, boat: int, *, water: bool) -> Finding:
    free, level, start, stop = crossing.length, 0, crossing.low, crossing.high
    cells = scene.cells
    strip = crossing.within(cells, boat) & ~scene.fluid
    standing = cells[strip & (cells[:, 1] == 0)]
    if not water and free >= least:
        lowest = _deck_level(scene, crossing)
        below = label_by_faces(scene.blocks, scene.structural & (cells[:, 1] >= 0) & (cells[:, 1] < lowest))
        stands = np.isin(below, np.unique(below[(cells[:, 1] == 0) & (below > 0)]))
        strip &= stands & (cells[:, 1] >= 1) & (cells[:, 1] < lowest)
        for y in np.unique(cells[strip, 1]).tolist():
            there = cells[strip & (cells[:, 1] == y)]
            row, first = _longest_free(there[:, crossing.axis], crossing)
            if row < free:
                free, level, start, stop, standing = row, y, first, first + row - 1, there
    where = "at water level" if level == 0 else f"at height {level}"
    text = f"{count(free, 'free cell')} in a row lie{'s' if free == 1 else ''} between the supports {where}"
    if free >= least:
        over = crossing.rows[crossing.over(cells[crossing.rows])]
        return finding(True, free, least, f"{text}; at least {least} were asked for.", cells[over])
    fault = _in_the_way(scene, standing, crossing, start, stop)
    text += f"; at least {least} are asked for: clear the gap beside {place(fault[:1])}."
    return finding(False, free, least, text, fault)


def _in_the_way(scene: Scene, standing: Cells, crossing: Crossing, start: int, stop: int) -> Cells:
    """The blocks at the ends of a free row; those at one end alone where the bridge spans more free cells behind."""
    along = standing[:, crossing.axis]
    ends = standing[along == start - 1], standing[along == stop + 1]
    bridge = scene.cells[crossing.rows, crossing.axis]
    free = np.setdiff1d(np.arange(bridge.min(), bridge.max() + 1), along)
    low, high = int((free < start).sum()), int((free > stop).sum())
    if low != high and len(ends[int(high > low)]):
        end: Cells = ends[int(high > low)]
        return end
    both: Cells = np.concatenate(ends)
    return both if len(both) else standing if len(standing) else scene.cells


def _longest_free(taken: Cells, crossing: Crossing) -> tuple[int, int]:
    """Length and first cell of the longest free row in the gap."""
    held = np.unique(taken[(taken >= crossing.low) & (taken <= crossing.high)])
    ends = np.concatenate([[crossing.low - 1], held, [crossing.high + 1]])
    free = np.diff(ends) - 1
    return int(free.max()), int(ends[free.argmax()]) + 1


def _deck_level(scene: Scene, crossing: Crossing) -> int:
    """The lowest level that is part of the deck; what stands below it narrows the gap."""
    deck = Deck(scene, crossing, from_ground=False)
    rows = crossing.rows[crossing.over(scene.cells[crossing.rows])]
    cells = scene.cells[rows[scene.structural[rows]]]
    walked = -(-deck.surface // BLOCK) - 1  # the level of the block that carries the walker
    if not len(cells) or (walked < 0).any():
        return 1
    lowest = np.full(crossing.length, np.iinfo(np.int64).max)
    np.minimum.at(lowest, cells[:, crossing.axis] - crossing.low, cells[:, 1])
    thick = int((walked - lowest).min())
    levels = [int(walked.min())]
    # A deck that rises over the gap begins on its supports.
    height = scene.walker.height - BLOCK * scene.space.level(0)
    aside = deck.walked & crossing.within(deck.cells, 0)
    for end, beyond in ((0, crossing.low - 1), (-1, crossing.high + 1)):
        near = aside & (deck.cells[:, crossing.axis] == beyond) & (height >= int(deck.surface[end]) - BLOCK)
        if near.any():
            middle = np.sort(height[near])[near.sum() // 2]
            levels.append(-(-int(middle) // BLOCK) - 1)
    return max(min(levels) - thick, 1)


@rule("shape", unit="cells")
def clearance(scene: Scene, *, boat: Positive, river: Positive = ONE) -> Finding:
    """A boat passes under the bridge: a box that measures ``boat`` cells in each direction sails along the river.

    The box lies on the water (y = 0) at some place in the gap, the same all the way: past the whole bridge, its ends on
    the banks included, and as far again as it is long on both sides, without touching a block; fluids do not count.
    ``river``: how wide the gap is that is meant, where the build bridges several.

    Measures the edge of the largest box, up to the one asked for.
    """
    found = crossings(scene, river=river)
    if not found:
        return no_gap(scene, 0, boat)
    return best(found, lambda one: _sails(scene, one, boat))


def _sails(scene: Scene, crossing: Crossing, boat: int) -> Finding:
    cells = scene.cells
    across = cells[:, crossing.across]
    near, far = crossing.reach
    fairway = crossing.over(cells) & ~scene.fluid & (cells[:, 1] >= 0)
    fairway &= (across >= near - boat) & (across <= far + boat)
    there = cells[fairway]
    lowest = np.full(crossing.length, boat, dtype=np.int64)
    np.minimum.at(lowest, there[:, crossing.axis] - crossing.low, there[:, 1])
    largest = next((edge for edge in range(min(boat, crossing.length), 0, -1) if _row(lowest >= edge) >= edge), 0)
    if largest == boat:
        text = f"A box of {boat} × {boat} × {boat} cells sails through below the bridge."
        return finding(True, boat, boat, text, cells[crossing.rows[crossing.over(cells[crossing.rows])]])
    if crossing.length < boat:
        text = f"No box of {boat} cells fits between the supports: the largest that sails through measures {largest}."
        return finding(False, largest, boat, text, cells[crossing.rows])
    low = there[there[:, 1] < boat]
    number = np.bincount(low[:, crossing.axis] - crossing.low, minlength=crossing.length)
    sums = np.append(0, np.cumsum(number))
    start = int((sums[boat:] - sums[:-boat]).argmin()) + crossing.low
    fault = low[(low[:, crossing.axis] >= start) & (low[:, crossing.axis] < start + boat)]
    text = f"The largest box that sails through measures {count(largest, 'cell')}; {boat} are asked for"
    return finding(False, largest, boat, f"{text}, and {place(fault[:1])} is in the way.", fault)


def _row(free: Mask) -> int:
    """Length of the longest row of true places."""
    ends = np.flatnonzero(~np.concatenate([[False], free, [False]]))
    return int(np.diff(ends).max()) - 1


@rule("shape", unit="cells")
def deck(scene: Scene, *, width: Positive = ONE, from_ground: bool = False, river: Positive = ONE) -> Finding:
    """People get over the bridge from end to end and back, on a strip so many cells wide.

    They walk and jump up single blocks; they neither climb nor leap, and over the gap they stand on the bridge only,
    never in the river. ``from_ground``: they come up from the ground on one bank and get down to that on the other.
    ``river``: how wide the gap is that is meant, where the build bridges several.

    Measures the width of the strip, up to the one asked for.
    """
    found = crossings(scene, river=river)
    if not found:
        return no_gap(scene, 0, width)
    return best(found, lambda one: _crossed(Deck(scene, one, from_ground), width))


def _crossed(way: Deck, width: int) -> Finding:
    across, _, aside = way.scene.space.shape
    wide = next((w for w in range(min(width, across, aside), 0, -1) if way.is_crossed(w)), 0)
    sides = way.crossing.sides
    ground = "from the ground on one bank to that on the other" if way.from_ground else "from end to end"
    if wide == width:
        chosen = way.walked & way.over
        text = f"People get over the bridge {ground} on a strip {count(width, 'cell')} wide."
        return finding(True, width, width, text, way.cells[chosen])
    ends = [_furthest(way, wide + 1, end) for end in range(2)]
    cells = unique_cells(np.concatenate(ends))
    if wide:
        text = f"The way over the bridge {ground} is {count(wide, 'cell')} wide; {width} are asked for"
        text += f": widen it at {place(ends[0][:1])}" if len(ends[0]) else ""
        return finding(False, wide, width, f"{text}.", cells if len(cells) else way.cells)
    if not len(ends[0]) and not len(ends[1]):
        text = f"Nobody gets onto the bridge {ground}"
    elif not len(ends[0]) or not len(ends[1]):
        end = 0 if len(ends[0]) else 1
        text = f"From the {sides[end]} people get to {place(ends[end][:1])} and no further"
        text += f"; from the {sides[1 - end]} nobody gets onto the bridge"
    else:
        text = f"Nobody gets over the bridge {ground} and back: people get from the {sides[0]} to {place(ends[0][:1])}"
        text += f" and from the {sides[1]} to {place(ends[1][:1])}"
    if not len(cells):
        cells = way.scene.cells[way.crossing.rows]
    return finding(False, 0, width, f"{text}.", cells)


def _furthest(way: Deck, width: int, end: int) -> Cells:
    """The footings furthest over the gap to which people get from one end; none where they do not get over it."""
    reached = way.reached(width, end) & way.over
    if not reached.any():
        return way.cells[:0]
    cells = way.cells[reached]
    along = cells[:, way.crossing.axis]
    out: Cells = cells[along == (along.max() if end == 0 else along.min())]
    return out
