"""Rooms: enclosed volumes that a walker can enter, their floors and doorways."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Mask
from minece.blocks.catalogue import materials
from minece.blocks.grid import EAST, NORTH, SOUTH, WEST
from minece.blocks.links import components
from minece.checkers.enclosure import DOORS, Enclosure
from minece.checkers.stepping import BLOCK
from minece.checkers.walker import FALL, FLUSH, JUMP, TALL, Walker

STOREY = 3 * BLOCK
"""Floors at least so far apart belong to different storeys."""
LEAST_FLOOR = 4
"""Cells of floor below which an enclosed volume is a gap and no room."""
INSIDE_OPENING = -1

FURNITURE = materials(
    "#beds, #chests, #shulker_boxes, #shelves, #anvils, #cauldrons, #chains, bookshelf, chiseled_bookshelf, barrel,"
    "crafting_table, crafter, furnace, blast_furnace, smoker, cartography_table, fletching_table, smithing_table, loom,"
    "stonecutter, grindstone, lectern, enchanting_table, brewing_stand, composter, jukebox, note_block, bell, hopper,"
    "dispenser, dropper, decorated_pot, scaffolding, campfire, soul_campfire, beehive, bee_nest, conduit, dragon_egg,"
    "daylight_detector, lodestone, respawn_anchor, azalea, flowering_azalea"
)
"""What is furniture, as far as it would carry load, unless a wall is made of it."""

Kind = Literal["room", "passage", "closed"]


@dataclass(frozen=True, eq=False)
class Doorway:
    """A way through a wall, with a door or without.

    ``cells`` (k, 3) int32: its feet and heads; ``door`` whether a leaf of a door hangs in it; ``width`` in cells across
    the way; ``sides`` the volumes that it joins, mostly two, 0 for the outside; ``footings`` positions in the walker's.
    """

    cells: Cells
    door: bool
    width: int
    sides: tuple[int, ...]
    footings: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Room:
    """An enclosed volume of air with a floor.

    Attributes
    ----------
    number : from 1, storey by storey
    kind : ``room``; ``passage`` for circulation; ``closed`` where no walker gets in
    volume : its number in :attr:`Enclosure.volume`
    storey : from 1, counted from the lowest
    floor : (k, 3) int32, the cells above its floor in which a walker can stand or furniture does
    footings : (j,) int64, the walker's footings on its floor
    level : height of the floor in sixteenths, as index heights of the space
    doorways : its doorways
    """

    number: int
    kind: Kind
    volume: int
    storey: int
    floor: Cells
    footings: NDArray[np.int64]
    level: int
    doorways: tuple[Doorway, ...]

    @property
    def area(self) -> int:
        """Cells of floor."""
        return len(self.floor)

    def __str__(self) -> str:
        return f"room {self.number} on storey {self.storey}"


class Interior:
    """The rooms of a build and the doorways that join them.

    ``rooms`` holds all enclosed volumes with a floor, passages and closed ones among them; ``doorways`` all ways
    through walls between two volumes, or a volume and the outside.
    ``reached`` (m,) bool: the footings that a walker reaches from outside without climbing through a window.
    ``volume_of`` (m,) int32: the volume in which each footing lies, 0 outside, -1 in a doorway, window or hole.
    ``base`` (m,) int32: height of the floor under each footing in sixteenths, without what only lies on it;
    ``on_floor`` (m,) bool: the footings that are not upon furniture.
    """

    def __init__(self, enclosure: Enclosure, walker: Walker) -> None:
        self.enclosure = enclosure
        self.walker = walker
        self.volume_of = self._volume_of()
        self.base, self.on_floor = self._floors()
        self._ways = self._find_ways()
        self.reached: Mask = walker.reach(walker.outside, without=self.windows)
        self.doorways: tuple[Doorway, ...] = self._doorways()
        self.rooms: tuple[Room, ...] = self._find_rooms()

    def _volume_of(self) -> NDArray[np.int32]:
        """A walker on a slab or stair has his feet within its cell; the air begins above it."""
        enclosure, at = self.enclosure, self.walker.at
        up = enclosure.space.strides[1]
        closing, volume = enclosure.closing.reshape(-1), enclosure.volume.reshape(-1)
        out = np.where(closing[at], volume[at + up], volume[at])
        opening = enclosure.openings.all | enclosure.leaf
        out[opening.reshape(-1)[at]] = INSIDE_OPENING
        return out

    def _floors(self) -> tuple[NDArray[np.int32], Mask]:
        """Heights of the floor, see the class, and (m,) bool: the footings that are not on furniture."""
        space, walker = self.enclosure.space, self.walker
        state, up = space.state.reshape(-1), space.strides[1]
        bears = np.append(space.table.structural, (False, True))
        furniture = np.append(space.table.matches(FURNITURE), (False, False))
        own, below = state[walker.at], state[walker.at - up]
        within = bears[own] & (walker.foot > 0)
        on_floor: Mask = walker.stand & ~np.where(within, furniture[own], furniture[below])
        # A path, or a field, leaves a sixteenth less than a carpet adds to a block.
        return np.where(within, walker.height, walker.height - walker.foot), on_floor

    def _find_ways(self) -> NDArray[np.int64]:
        """(m,) int64: number from 1 of the doorway or window in which each footing lies, 0 elsewhere: footings in
        openings of walls or under leaves that are joined on one level."""
        walker, enclosure = self.walker, self.enclosure
        within = (enclosure.openings.walls | enclosure.leaf).reshape(-1)[walker.at] & walker.stand
        out = np.zeros(len(walker.at), dtype=np.int64)
        members = np.flatnonzero(within)
        if len(members):
            place = np.full(len(walker.at), -1, dtype=np.int64)
            place[members] = np.arange(len(members))
            joined = within[walker.tail] & within[walker.head] & (np.abs(walker.rise) <= FLUSH)
            labels, _ = components(len(members), place[walker.tail[joined]], place[walker.head[joined]])
            out[members] = labels + 1
        return out

    @cached_property
    def _leaving(self) -> NDArray[np.int64]:
        """Moves out of doorways and windows."""
        walker, ways = self.walker, self._ways
        return np.flatnonzero((ways[walker.tail] > 0) & (ways[walker.head] == 0))

    @cached_property
    def _under_door(self) -> Mask:
        """(m,) bool: footings under the leaf of a door."""
        space, at = self.enclosure.space, self.walker.at
        doors = space.table.matches(DOORS)
        if not doors.any():
            return np.zeros(len(at), dtype=np.bool_)
        return np.append(doors, (False, False))[space.state.reshape(-1)[at]] & self.enclosure.leaf.reshape(-1)[at]

    @cached_property
    def windows(self) -> Mask:
        """(m,) bool: footings on the sills of windows, which have no door and lie a block or more above the floor on
        every side."""
        walker, ways, leaving = self.walker, self._ways, self._leaving
        highest = np.full(int(ways.max(initial=0)) + 1, -FALL, dtype=np.int64)
        np.maximum.at(highest, ways[walker.tail[leaving]], walker.rise[leaving])
        highest[ways[self._under_door]] = 0
        out: Mask = (ways > 0) & (highest <= FLUSH - BLOCK)[ways]
        return out

    def _doorways(self) -> tuple[Doorway, ...]:
        walker, ways, space = self.walker, self._ways, self.enclosure.space
        leaving = self._leaving
        leaving = leaving[~self.windows[walker.tail[leaving]] & (np.abs(walker.rise[leaving]) <= JUMP)]
        numbers = ways[walker.tail[leaving]]
        beyond = self.volume_of[walker.head[leaving]]
        out = []
        for number in np.unique(numbers).tolist():
            mine = numbers == number
            through = self._through(walker.side[leaving[mine]], beyond[mine])
            if through is None:
                continue
            joined, across = through
            footings = np.flatnonzero(ways == number)
            at = walker.at[footings]
            cells = space.cells(np.concatenate([at, at + space.strides[1]]))
            width = min(len(np.unique(cells[:, axis])) for axis in across)
            out.append(Doorway(cells, bool(self._under_door[footings].any()), width, joined, footings))
        return tuple(out)

    @staticmethod
    def _through(sides: NDArray[np.int8], beyond: NDArray[np.int32]) -> tuple[tuple[int, ...], list[int]] | None:
        """What a way leads between, straight across it, and the axes along which it is wide; None where it leads from a
        space to itself.

        ``sides`` and ``beyond`` tell of the moves out of it toward which side they go and into which volume. Where it
        leads across both axes, the one with more moves counts, or both.
        """
        best = 0
        joined: set[int] = set()
        across: list[int] = []
        for one, other, wide in ((WEST, EAST, 2), (NORTH, SOUTH, 0)):
            a, b = (set(beyond[sides == side].tolist()) - {INSIDE_OPENING} for side in (one, other))
            moves = int(np.count_nonzero((sides == one) | (sides == other)))
            if not a or not b or len(a | b) < 2 or moves < best:
                continue
            if moves > best:
                best, joined, across = moves, set(), []
            joined |= a | b
            across.append(wide)
        return (tuple(sorted(joined)), across) if across else None

    def _find_rooms(self) -> tuple[Room, ...]:
        from scipy import ndimage

        enclosure = self.enclosure
        indoors = np.flatnonzero((self.volume_of > 0) & self.on_floor)
        if not len(indoors):
            return ()
        piece, size = self._pieces(indoors)
        volume = self.volume_of[indoors]
        # The floor of a volume is the largest flush piece to which a walker gets, of equally large ones the lowest.
        entered = np.zeros(len(size), dtype=np.bool_)
        entered[piece[self.reached[indoors]]] = True
        lowest = np.full(len(size), np.iinfo(np.int64).max)
        np.minimum.at(lowest, piece, self.base[indoors])
        of_volume = np.zeros(len(size), dtype=np.int64)
        of_volume[piece] = volume
        best = np.lexsort((lowest, -size, ~entered, of_volume))
        best = best[np.unique(of_volume[best], return_index=True)[1]]
        boxes = ndimage.find_objects(enclosure.volume)
        out = []
        for chosen in best.tolist():
            number = int(of_volume[chosen])
            level = int(lowest[chosen])
            air = enclosure.volume[boxes[number - 1]] == number
            floor = self._floor(air, boxes[number - 1], level)
            if len(floor) >= LEAST_FLOOR:
                # Other pieces on the same level are floor too: what parts them may be a counter, or a ditch.
                on_level = (volume == number) & (np.abs(self.base[indoors] - level) <= FLUSH)
                out.append(_Found(level, number, indoors[on_level], floor, air.any(axis=1)))
        return self._numbered(out)

    def _pieces(self, members: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The flush piece of floor that each of some footings belongs to, within one volume, and the sizes."""
        walker = self.walker
        place = np.full(len(walker.at), -1, dtype=np.int64)
        place[members] = np.arange(len(members))
        one, other = walker.tail, walker.head
        flush = (np.abs(self.base[one] - self.base[other]) <= FLUSH) & (place[one] >= 0) & (place[other] >= 0)
        flush &= self.volume_of[one] == self.volume_of[other]
        labels, count = components(len(members), place[one[flush]], place[other[flush]])
        return labels, np.bincount(labels, minlength=count)

    def _floor(self, air: Mask, box: tuple[slice, ...], level: int) -> NDArray[np.int64]:
        """Flat numbers of the cells above the floor of a volume, whose air in a box is given: of all columns in which a
        walker or furniture stands on it, high enough for a walker."""
        enclosure = self.enclosure
        low_x, low_y, low_z = (along.start for along in box)
        x, z = np.nonzero(air.any(axis=1))
        bottom = low_y + np.argmax(air, axis=1)[x, z]
        top = low_y + air.shape[1] - np.argmax(air[:, ::-1], axis=1)[x, z]
        x, z = x + low_x, z + low_z
        foot = level // BLOCK
        fits = (BLOCK * top - level >= TALL) & (bottom >= foot) & (bottom < foot + STOREY // BLOCK)
        fits &= enclosure.closing[x, bottom - 1, z]
        across, along, _ = enclosure.space.strides
        flat: NDArray[np.int64] = x[fits] * across + z[fits] + foot * along
        return flat

    def _numbered(self, found: list[_Found]) -> tuple[Room, ...]:
        """The rooms in the order of their storeys, of their places within each."""
        bases: list[int] = []
        for one in sorted(found, key=lambda one: one.level):
            if not bases or one.level >= bases[-1] + STOREY:
                bases.append(one.level)
        found = sorted(found, key=lambda one: (bisect_right(bases, one.level), int(one.floor[0])))
        space, reached = self.enclosure.space, self.reached
        out = []
        for number, one in enumerate(found, 1):
            doorways = tuple(way for way in self.doorways if one.volume in way.sides)
            inside = bool(reached[one.footings].any())
            kind: Kind = "closed" if not inside else "passage" if _is_passage(one.plan, doorways) else "room"
            out.append(
                Room(
                    number,
                    kind,
                    one.volume,
                    bisect_right(bases, one.level),
                    space.cells(one.floor),
                    one.footings,
                    one.level,
                    doorways,
                )
            )
        return tuple(out)


@dataclass(frozen=True, eq=False, slots=True)
class _Found:
    level: int
    volume: int
    footings: NDArray[np.int64]
    floor: NDArray[np.int64]
    plan: Mask


def _is_passage(plan: Mask, doorways: Sequence[Doorway]) -> bool:
    """Whether a space, seen from above, is at most two cells wide, longer than twice its width, and has two doorways
    or more."""
    if len(doorways) < 2:
        return False
    pairs = _squares(plan)
    if _squares(pairs).any():
        return False
    width = 2 if pairs.any() else 1
    return int(np.count_nonzero(plan)) > 2 * width * width


def _squares(plan: Mask) -> Mask:
    """(x - 1, z - 1) bool: where four cells, two by two, are true."""
    out: Mask = plan[1:, 1:] & plan[:-1, 1:] & plan[1:, :-1] & plan[:-1, :-1]
    return out
