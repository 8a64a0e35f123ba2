"""Domes: which disc of a build a shell stands on, how high it rises, what opens it, and the floor inside."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Mask
from minece.blocks.catalogue import Substance
from minece.checkers.discs import LEAST_DIAMETER, Plan, Shape, find_discs, shape
from minece.checkers.enclosure import closing_states
from minece.checkers.scene import Scene
from minece.checkers.stepping import BLOCK, SteppingTable

MOST_LEVELS = 4
"""Heights of floors at which a dome is looked for, those with most places first."""
OVERHANG = 1.25
"""How far outside the circle the shell may reach higher up than at its foot."""
LEAST_SPIRE = 2 * BLOCK
WIDEST_SPIRE = 2
"""What stands out of the shell by so much and is no wider in plan than this is no part of the shell."""
LEAST_CROWN, KNOB = 4, 7
"""Places that stand above most of the outermost ring: at least so many, and one in so many of the window's."""
NO_HEIGHT = -(1 << 20)

Heights = NDArray[np.int64]
_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1))


class Body:
    """A build's space as the search for domes sees it, (X, Y, Z) bool each.

    ``solid``: blocks that close; ``free``: cells that neither a block nor soil closes; ``covered``: cells below one of
    ``solid``; ``floor``: cells where somebody can stand under a cover.
    """

    def __init__(self, scene: Scene) -> None:
        space = scene.space
        closing = closing_states(space.table)
        self.space = space
        self.solid: Mask = space.mask(closing)
        self.free: Mask = ~self.solid & ~space.is_soil
        above = np.zeros(space.shape, dtype=np.bool_)
        above[:, :-1] = np.logical_or.accumulate(self.solid[:, :0:-1], axis=1)[:, ::-1]
        self.covered: Mask = above
        walker = scene.walker
        self.floor: Mask = np.zeros(space.shape, dtype=np.bool_)
        self.floor.reshape(-1)[walker.at[walker.stand]] = True
        self.floor &= above
        self.ground = space.level(0)
        self._plans: dict[int, Plan] = {}
        self._filling = False

    def fill(self) -> None:
        """From now on take places without a cover for filled where they are enclosed in plan: so holes in a shell do
        not hide the disc that it stands on."""
        self._plans.clear()
        self._filling = True

    def plan(self, level: int) -> Plan:
        """The plan at an index along y."""
        if level not in self._plans:
            solid, free, above = (array[:, level] for array in (self.solid, self.free, self.covered))
            walls = np.append(self.space.table.substance == Substance.FULL, (False, False))
            walls = walls[self.space.state[:, level]] & solid
            filled = solid | (free & above)
            self._plans[level] = Plan(solid, walls, free & above, free, _filled(filled) if self._filling else filled)
        return self._plans[level]

    @cached_property
    def levels(self) -> list[tuple[int, int]]:
        """Indexes along y of the feet at which a shell may begin, each with that of the floor inside it."""
        number: NDArray[np.int64] = np.count_nonzero(self.floor, axis=(0, 2))
        order = np.argsort(-number, kind="stable")[:MOST_LEVELS].tolist()
        floors = [level for level in order if number[level]]
        if not floors:
            blocks: Mask = np.logical_or.reduce(self.solid, axis=(0, 2))
            low = int(np.argmax(blocks))
            floors = [max(low, self.ground if blocks[self.ground] else low)]
        pairs = []
        for floor in floors:
            pairs += [(floor, floor), (max(floor, self.ground), floor), (floor - 1, floor)]
        return list(dict.fromkeys(pairs))


def _filled(plan: Mask) -> Mask:
    from scipy import ndimage

    found: Mask = ndimage.binary_fill_holes(plan)
    return found


@dataclass(frozen=True, eq=False)
class Dome:
    """A shell over a disc.

    ``corner`` and ``diameter``: the disc's window; ``foot``, ``floor``: indexes along y at which the shell begins and
    at which one stands inside; ``plan``: the plan at the foot.
    """

    body: Body
    corner: tuple[int, int]
    diameter: int
    foot: int
    floor: int
    plan: Plan

    @property
    def disc(self) -> Shape:
        """The disc's places."""
        return shape(self.diameter)

    def window(self, array: Mask, around: int = 0) -> Mask:
        """The part of an array over the space, or over its plan, in the disc's window and some places around."""
        x, z = self.corner
        d = self.diameter
        found: Mask = array[x - around : x + d + around, ..., z - around : z + d + around]
        return found

    def whole(self, part: Mask) -> Mask:
        """(X, Y, Z) bool: a mask over the window's columns as one over the space."""
        out = np.zeros(self.body.space.shape, dtype=np.bool_)
        x, z = self.corner
        out[x : x + self.diameter, :, z : z + self.diameter] = part if part.ndim == 3 else part[:, None]
        return out


def find_domes(body: Body, diameter: int, widest: int) -> list[Dome]:
    """The discs of a diameter on which a shell may stand, nothing larger beside them among the same floors."""
    out = []
    for foot, floor in body.levels:
        plan = body.plan(foot)
        found = find_discs(plan, diameter, widest)
        if foot < floor and found:
            inner = body.plan(floor)
            found = [corner for corner in found if _rises(inner, corner, diameter)]
        found = [corner for corner in found if _is_floor(body, corner, diameter, floor)]
        found = [corner for corner in found if not _overhangs(body, corner, diameter, foot)]
        out += [Dome(body, corner, diameter, foot, floor, plan) for corner in found]
    return out


def _is_floor(body: Body, corner: tuple[int, int], diameter: int, floor: int) -> bool:
    """Whether more of a disc's places have their floor at this level than at any other, as far as there are any."""
    x, z = corner
    there = body.floor[x : x + diameter, :, z : z + diameter] & shape(diameter).within[:, None]
    number = np.count_nonzero(there, axis=(0, 2))
    return not number.any() or int(np.argmax(number)) == floor


def _rises(plan: Plan, corner: tuple[int, int], diameter: int) -> bool:
    """Whether a shell upon the rim of a floor leaves at most one place of it free."""
    x, z = corner
    inner = diameter - 2
    held = plan.filled[x + 1 : x + 1 + inner, z + 1 : z + 1 + inner]
    return bool(held[shape(inner).needed].all())


def _overhangs(body: Body, corner: tuple[int, int], diameter: int, foot: int) -> bool:
    """Whether the shell reaches farther out than its foot over most of its outline."""
    x, z = corner
    first = OVERHANG if foot >= body.ground else OVERHANG - 1
    along = np.abs(np.arange(-2, diameter + 2) - (diameter - 1) / 2)
    centre = np.hypot(along[:, None], along) - diameter / 2
    ring = (centre > first) & (centre <= first + 1)
    above = body.solid[x - 2 : x + diameter + 2, foot:, z - 2 : z + diameter + 2]
    above = np.logical_or.reduce(above, axis=1)
    return bool(2 * above[ring].sum() > ring.sum())


def largest(body: Body, widest: int, above: int = LEAST_DIAMETER - 1) -> list[Dome]:
    """The domes of the largest diameter beyond ``above`` that there are; none where nobody can stand."""
    most = 0
    if not body.floor.any():
        return []
    for foot, _ in body.levels:
        filled = body.plan(foot).filled
        sides = [np.flatnonzero(filled.any(axis=axis)) for axis in (0, 1)]
        most = max(most, min(int(np.ptp(side)) + 1 if len(side) else 0 for side in sides))
    for diameter in range(most, max(above, LEAST_DIAMETER - 1), -1):
        found = find_domes(body, diameter, widest)
        if found:
            return found
    return []


@dataclass(frozen=True, eq=False)
class Shell:
    """What stands over a dome's disc, looked at column by column.

    ``solid``, ``inside``: (d, Y, d) bool, blocks from the foot upward, and free cells below one that are joined to a
    floor, which niches of the outside are not; ``height``: (d, d)
    int64, tops of the columns in sixteenths above the foot, ``NO_HEIGHT`` where there is none; ``bare``: (d, d) bool,
    places without a shell over them that need one.
    """

    dome: Dome
    solid: Mask
    inside: Mask
    height: Heights
    bare: Mask

    @classmethod
    def of(cls, dome: Dome) -> Shell:
        """The shell of a dome."""
        body, within = dome.body, dome.disc.within
        solid = dome.window(body.solid) & within[:, None]
        solid[:, : dome.foot] = False
        inside = _rooms(dome.window(body.free & body.covered) & within[:, None], dome.window(body.floor))
        any_ = solid.any(axis=1)
        top = solid.shape[1] - 1 - np.argmax(solid[:, ::-1], axis=1)
        x, z = dome.corner
        i, j = np.indices(top.shape)
        state = body.space.state[x + i, top, z + j]
        tops = SteppingTable.of(body.space.blocks.palette).top[state].astype(np.int64)
        # Leaves of doors have no top of their own.
        tops = np.where((tops == 0) | (tops > BLOCK), BLOCK, tops)
        height = np.where(any_, BLOCK * (top - dome.foot) + tops, NO_HEIGHT)
        return cls(dome, solid, inside, height, dome.disc.needed & ~any_)

    @cached_property
    def smooth(self) -> Heights:
        """The heights without chimneys and spires."""
        return without_spires(self.height)

    @property
    def crown(self) -> int:
        """How high the shell rises above its foot, in sixteenths; spires left out."""
        return int(self.smooth.max())

    def openings(self) -> tuple[Mask, Mask]:
        """(d, Y, d) bool each: cells inside beside an opening that begins on the ground, and beside one that does
        not."""
        dome = self.dome
        space, table = dome.body.space, dome.body.space.table
        free = dome.window(dome.body.free, 1)
        inside = np.pad(self.inside, ((1, 1), (0, 0), (1, 1)))
        outside = free & ~inside
        sill = max(dome.floor, dome.body.ground)
        low = None
        good, bad = np.zeros_like(self.inside), np.zeros_like(self.inside)
        d = dome.diameter
        for dx, dz in _STEPS:
            there = outside[1 + dx : 1 + dx + d, :, 1 + dz : 1 + dz + d] & self.inside
            if not there.any():
                continue
            start = there.copy()
            start[:, 1:] &= ~there[:, :-1]
            high = start.copy()
            high[:, : sill + 1] = False
            if high[:, sill + 1].any():
                # A threshold of slabs or stairs.
                if low is None:
                    low = dome.window(space.mask(table.substance == Substance.PARTIAL), 1)[:, sill]
                step = low[1 + dx : 1 + dx + d, 1 + dz : 1 + dz + d] | low[1:-1, 1:-1]
                high[:, sill + 1] &= ~step
            # A run of open cells is as bad as its beginning.
            number = np.cumsum(start, axis=1)
            wrong = np.zeros_like(there)
            if high.any():
                order = np.where(start, np.where(high, 2 * number + 1, 2 * number), 0)
                wrong = there & (np.maximum.accumulate(order, axis=1) % 2 == 1)
            bad |= wrong
            good |= there & ~wrong
        return good, bad

    def falls(self) -> Mask:
        """(d, d) bool: places of the shell that lie lower than the next one farther from the centre."""
        found = _falls(self.height, self.dome.disc.within)
        if found.any():
            found = _falls(self.smooth, self.dome.disc.within)
        return found

    def rises(self) -> bool:
        """Whether the crown stands above the whole outermost ring; a knob on a lid is no crown."""
        ring = self.smooth[self.dome.disc.within & ~self.dome.disc.needed]
        ring = ring[ring > NO_HEIGHT]
        if not len(ring):
            return True
        above = int((self.smooth > np.median(ring)).sum())
        return self.crown > ring.max() and above >= max(LEAST_CROWN, self.dome.diameter**2 // KNOB)


def _rooms(covered: Mask, floor: Mask) -> Mask:
    """The pieces of covered air in which one can stand, all of it where one can nowhere."""
    from scipy import ndimage

    labels, count = ndimage.label(covered)
    entered = np.zeros(count + 1, dtype=np.bool_)
    entered[labels[floor & covered]] = True
    entered[0] = False
    rooms: Mask = entered[labels] if entered.any() else covered
    return rooms


def _framed(height: Heights, places: int) -> Heights:
    """Heights with some places around them that have none."""
    size = len(height) + 2 * places
    out = np.full((size, size), NO_HEIGHT, dtype=np.int64)
    out[places:-places, places:-places] = height
    return out


def without_spires(height: Heights) -> Heights:
    """The heights with what stands out narrowly, chimneys and spires, cut down to the highest place beside it."""
    low = _framed(height, WIDEST_SPIRE)
    # What a square wider than a spire covers from below.
    for best in (np.minimum, np.maximum):
        for _ in (0, 1):
            low = best.reduce([low[i : len(low) - WIDEST_SPIRE + i] for i in range(WIDEST_SPIRE + 1)]).T
    out = (low > NO_HEIGHT) & (height >= low + LEAST_SPIRE)
    if not out.any():
        return height
    from scipy import ndimage

    labels, count = ndimage.label(out, structure=np.ones((3, 3)))
    found = height.copy()
    for number, box in enumerate(ndimage.find_objects(labels, count), 1):
        if any(along.stop - along.start > WIDEST_SPIRE for along in box):
            continue
        part = labels == number
        around = int(height[ndimage.binary_dilation(part, structure=np.ones((3, 3), dtype=np.bool_)) & ~part].max())
        if int(height[part].min()) >= around + LEAST_SPIRE:
            found[part] = around
    return found


def _falls(height: Heights, within: Mask) -> Mask:
    """Places lower than the next one outward, along the line from the centre, looked at from both of the two."""
    size = len(height)
    i, j = np.nonzero(within)
    x, z = i - (size - 1) / 2, j - (size - 1) / 2
    far = np.hypot(x, z)
    out = np.zeros(height.shape, dtype=np.bool_)
    off = far > 0.8
    i, j, ux, uz = i[off], j[off], x[off] / far[off], z[off] / far[off]
    inner = (i - _step(ux), j - _step(uz))
    lower = (height[inner] < height[i, j]) & (height[inner] > NO_HEIGHT)
    out[inner[0][lower], inner[1][lower]] = True
    outer = (i + _step(ux), j + _step(uz))
    there = (outer[0] >= 0) & (outer[0] < size) & (outer[1] >= 0) & (outer[1] < size)
    i, j, outer = i[there], j[there], (outer[0][there], outer[1][there])
    lower = (height[i, j] < height[outer]) & (height[i, j] > NO_HEIGHT) & within[outer]
    out[i[lower], j[lower]] = True
    return out


def _step(along: NDArray[np.float64]) -> NDArray[np.int64]:
    """Steps of 1 on the axes that lead more than 0.45 of the way; alike in all eight directions."""
    return (np.sign(along) * (np.abs(along) > 0.45)).astype(np.int64)
