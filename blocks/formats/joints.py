"""What the game works out from neighbours and versions before 1.13 did not store: which sides of fences, panes and
walls are joined, the corners of stairs, gates that are let into walls.

Worked out by the rules of today's game. Redstone, fire, tripwire, chorus plants and double chests stay as they come.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.catalogue import describe, materials, tags
from minece.blocks.errors import LimitError
from minece.blocks.formats.limits import SMALLER, Limits
from minece.blocks.states import join_state, split_state

Flat = NDArray[np.int64]
Numbers = NDArray[np.uint16]

_OTHER, _FENCE, _NETHER_FENCE, _PANE, _WALL, _GATE, _STAIRS = range(7)
_JOINED = (_FENCE, _NETHER_FENCE, _PANE, _WALL)

SIDES = ("north", "east", "south", "west")
_AXES = {"north": 0, "east": 1, "south": 0, "west": 1}
_NEVER_MET = frozenset({"barrier", "carved_pumpkin", "jack_o_lantern", "melon", "pumpkin"})
_KEEP_POSTS = "#torches, #signs, #banners, #pressure_plates, tripwire, cactus_flower"
"""Small things under which a wall keeps its post."""

_SHAPES = ("straight", "outer_left", "outer_right", "inner_left", "inner_right")
_MOST_STATES = 65_535


class Field:
    """A dense box of states that can be changed in place.

    ``numbers`` are the (height, length, width) uint16 palette numbers in order y, z, x; ``palette`` grows.
    """

    def __init__(self, numbers: Numbers, palette: list[str]) -> None:
        self.numbers = numbers
        self.palette = palette
        self.flat = numbers.reshape(-1)
        self._number = {state: number for number, state in enumerate(palette)}

    def number(self, state: str) -> int:
        """The palette number of a state, a new one where it has none yet."""
        found = self._number.get(state)
        if found is None:
            found = self._number[state] = len(self.palette)
            if found > _MOST_STATES:
                raise LimitError(f"more than {_MOST_STATES:,} block states", mend=SMALLER)
            self.palette.append(state)
        return found

    def put(self, cells: Flat, keys: NDArray[np.int64], state_of: Callable[[int], str]) -> None:
        """Give each of n cells the state of its key."""
        if not len(cells):
            return
        distinct, which = np.unique(keys, return_inverse=True)
        numbers = np.array([self.number(state_of(key)) for key in distinct.tolist()], dtype=np.uint16)
        self.flat[cells] = numbers[which.reshape(-1)]

    def beside(self, cells: Flat, side: int | NDArray[np.int64]) -> tuple[Flat, NDArray[np.bool_]]:
        """The cells at a side (order of :data:`SIDES`), and which of them lie in the box."""
        _, length, width = self.numbers.shape
        step = np.array([-width, 1, width, -1])[side]
        x, z = cells % width, cells // width % length
        dx, dz = np.array([0, 1, 0, -1])[side], np.array([-1, 0, 1, 0])[side]
        inside = (x + dx >= 0) & (x + dx < width) & (z + dz >= 0) & (z + dz < length)
        return np.where(inside, cells + step, cells), inside

    def above(self, cells: Flat, steps: int = 1) -> tuple[Flat, NDArray[np.bool_]]:
        """The cells so many steps higher, and which of them lie in the box."""
        height, length, width = self.numbers.shape
        there = cells + steps * length * width
        inside = (there >= 0) & (there < height * length * width)
        return np.where(inside, there, cells), inside

    def where(self, kinds: NDArray[np.uint8], limits: Limits) -> tuple[Flat, NDArray[np.uint8]]:
        """The cells whose state (or other number) has a kind that is not 0, and that kind."""
        return found_in(self.flat, kinds, limits)


_PIECE = 2**22


def found_in(numbers: NDArray[Any], kinds: NDArray[np.uint8], limits: Limits) -> tuple[Flat, NDArray[np.uint8]]:
    """Positions of the numbers whose kind is not 0, and that kind. Raises :class:`LimitError` for very many."""
    cells: list[Flat] = []
    found: list[NDArray[np.uint8]] = []
    count = 0
    if kinds.any():
        for begin in range(0, len(numbers), _PIECE):
            kind = kinds[numbers[begin : begin + _PIECE]]
            at = np.flatnonzero(kind)
            count += len(at)
            limits.most("blocks", count, limits.blocks)
            cells.append(at + begin)
            found.append(kind[at])
    if not count:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint8)
    return np.concatenate(cells), np.concatenate(found)


def join_neighbours(field: Field, limits: Limits) -> None:
    """Join fences, panes and walls to their neighbours, turn stairs into corners, let gates into walls."""
    kind = np.array([_kind(state) if describe(state).known else _OTHER for state in field.palette], dtype=np.uint8)
    if not kind.any():
        return
    cells, kinds = field.where(kind, limits)
    traits = _Traits(field.palette, kind)
    before = field.flat[cells]
    joined = np.isin(kinds, _JOINED)
    # Every new state is worked out from the old ones, so that the order does not matter.
    changes = [
        _joints(field, traits, cells[joined], kinds[joined], before[joined]),
        _corners(field, traits, cells[kinds == _STAIRS], before[kinds == _STAIRS]),
        _gates(field, traits, cells[kinds == _GATE], before[kinds == _GATE]),
    ]
    for at, keys, state_of in changes:
        field.put(at, keys, state_of)


Change = tuple[Flat, NDArray[np.int64], Callable[[int], str]]


def _kind(state: str) -> int:
    name = state.partition("[")[0]
    if name == "nether_brick_fence":
        return _NETHER_FENCE
    known = tags()
    for tag, kind in (
        ("fences", _FENCE),
        ("glass_panes", _PANE),
        ("bars", _PANE),
        ("walls", _WALL),
        ("fence_gates", _GATE),
        ("stairs", _STAIRS),
    ):
        if name in known[tag]:
            return kind
    return _OTHER


class _Traits:
    """What neighbours need to know of each of k states.

    ``meets`` (families, 4, k): whether a block of a family is joined to the state at that side of it; ``stairs`` (k,):
    facing and half of stairs, -1 for others; ``cover`` (k,): 1 where the state's underside covers the middle of a
    block below, 2 where it covers all of it; ``keeps_post`` (k,): a wall below keeps its post; ``wall`` (k,).
    """

    def __init__(self, palette: list[str], kind: NDArray[np.uint8]) -> None:
        size = len(palette)
        self.palette = palette
        self.kind = kind
        self.wall = kind == _WALL
        self.stairs = np.full(size, -1, dtype=np.int64)
        self.gate_axis = np.full(size, -1, dtype=np.int64)
        self.cover = np.zeros(size, dtype=np.uint8)
        self.keeps_post = np.zeros(size, dtype=np.bool_)
        keepers = materials(_KEEP_POSTS) - tags()["wall_torches"]
        solid = np.zeros((size, 4), dtype=np.bool_)
        shulkers, leaves = tags()["shulker_boxes"], tags()["leaves"]
        for number, state in enumerate(palette):
            info = describe(state)
            _, props = split_state(state)
            if kind[number] == _STAIRS:
                self.stairs[number] = SIDES.index(props["facing"]) + 4 * (props["half"] == "top")
            elif kind[number] == _GATE:
                self.gate_axis[number] = _AXES[props["facing"]]
            self.cover[number] = _cover(info.boxes)
            self.keeps_post[number] = info.material in keepers
            if info.material not in _NEVER_MET and info.material not in leaves and info.material not in shulkers:
                solid[number] = [_full(info.boxes, side) for side in range(4)]
        self.meets = np.zeros((_WALL + 1, 4, size), dtype=np.bool_)
        for side in range(4):
            ends = (self.gate_axis >= 0) & (self.gate_axis != side % 2)
            face = solid[:, (side + 2) % 4]
            self.meets[_FENCE, side] = (kind == _FENCE) | ends | face
            self.meets[_NETHER_FENCE, side] = (kind == _NETHER_FENCE) | ends | face
            self.meets[_PANE, side] = (kind == _PANE) | self.wall | face
            self.meets[_WALL, side] = (kind == _PANE) | self.wall | ends | face


def _full(boxes: tuple[tuple[float, ...], ...], side: int) -> bool:
    """Whether boxes fill a whole side of their cell."""
    axis, edge = ((2, 0.0), (0, 1.0), (2, 1.0), (0, 0.0))[side]
    other = 2 - axis
    area = 0.0
    for box in boxes:
        if box[axis + 3 if edge else axis] == edge:
            area += (min(box[4], 1.0) - box[1]) * (box[other + 3] - box[other])
    return area >= 1.0


def _cover(boxes: tuple[tuple[float, ...], ...]) -> int:
    low = [box for box in boxes if box[1] == 0.0]
    if any(box[0] <= 0 and box[2] <= 0 and box[3] >= 1 and box[5] >= 1 for box in low):
        return 2
    return int(any(box[0] <= 7 / 16 and box[2] <= 7 / 16 and box[3] >= 9 / 16 and box[5] >= 9 / 16 for box in low))


def _joints(field: Field, traits: _Traits, cells: Flat, kinds: NDArray[np.uint8], before: NDArray[np.uint16]) -> Change:
    mask = np.zeros(len(cells), dtype=np.int64)
    for side in range(4):
        there, inside = field.beside(cells, side)
        mask |= (traits.meets[kinds, side, field.flat[there]] & inside).astype(np.int64) << side
    walls = np.flatnonzero(kinds == _WALL)
    if len(walls):
        there, inside = field.above(cells[walls])
        above = field.flat[there]
        cover = np.where(inside, traits.cover[above], 0).astype(np.int64)
        wall_above = inside & traits.wall[above]
        place = np.minimum(np.searchsorted(cells, there), len(cells) - 1)
        sides_above = np.where(wall_above, mask[place], 0)
        tall = np.where(cover == 2, 15, sides_above)
        north, east, south, west = (mask[walls] >> side & 1 for side in range(4))
        straight = (mask[walls] != 0) & (north == south) & (east == west)
        both_tall = ((tall & 5) == 5) & (north & south == 1) | ((tall & 10) == 10) & (east & west == 1)
        post = np.zeros(len(cells), dtype=np.bool_)
        needed = ~straight | (~both_tall & ((cover > 0) | (inside & traits.keeps_post[above])))
        layer = cells[walls] // int(np.prod(field.numbers.shape[1:]))
        # A post stands on below that of the wall above, so the layers are worked out from the top.
        for height in np.unique(layer)[::-1]:
            here = np.flatnonzero(layer == height)
            post[walls[here]] = needed[here] | (wall_above[here] & post[place[here]])
        mask[walls] |= (tall & mask[walls]) << 4 | post[walls].astype(np.int64) << 8
    keys = before.astype(np.int64) << 9 | mask

    def state_of(key: int) -> str:
        name, props = split_state(traits.palette[key >> 9])
        for side, word in enumerate(SIDES):
            met = key >> side & 1
            if traits.wall[key >> 9]:
                props[word] = ("low", "tall")[key >> 4 + side & 1] if met else "none"
            else:
                props[word] = "true" if met else "false"
        if traits.wall[key >> 9]:
            props["up"] = "true" if key >> 8 & 1 else "false"
        return join_state(name, props)

    return cells, keys, state_of


def _corners(field: Field, traits: _Traits, cells: Flat, before: NDArray[np.uint16]) -> Change:
    own = traits.stairs[before]
    facing, half = own & 3, own >> 2

    def seen(side: NDArray[np.int64]) -> NDArray[np.int64]:
        there, inside = field.beside(cells, side)
        return np.where(inside, traits.stairs[field.flat[there]], -1)

    shape = np.zeros(len(cells), dtype=np.int64)
    for turned, first in ((2, 3), (0, 1)):
        # The stairs behind make inner corners, those ahead outer ones, which go first: they are put in last.
        other = seen((facing + turned) % 4)
        across = (other >= 0) & (other >> 2 == half) & ((other & 3) % 2 != facing % 2)
        blocked = seen(np.where(across, (other & 3) + 2 - turned, 0) % 4) == own
        left = (other & 3) == (facing + 3) % 4
        shape = np.where(across & ~blocked, first + ~left, shape)
    keys = before.astype(np.int64) * len(_SHAPES) + shape

    def state_of(key: int) -> str:
        name, props = split_state(traits.palette[key // len(_SHAPES)])
        return join_state(name, {**props, "shape": _SHAPES[key % len(_SHAPES)]})

    return cells, keys, state_of


def _gates(field: Field, traits: _Traits, cells: Flat, before: NDArray[np.uint16]) -> Change:
    # A gate that faces north or south (axis 0) has its ends in the east and the west.
    first = 1 - traits.gate_axis[before]
    let_in = np.zeros(len(cells), dtype=np.bool_)
    for side in (first, first + 2):
        there, inside = field.beside(cells, side)
        let_in |= inside & traits.wall[field.flat[there]]
    keys = before.astype(np.int64) * 2 + let_in

    def state_of(key: int) -> str:
        name, props = split_state(traits.palette[key // 2])
        return join_state(name, {**props, "in_wall": "true" if key % 2 else "false"})

    return cells, keys, state_of
