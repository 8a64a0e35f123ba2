"""What programs do and see: the calls of MINDcraft's building library, over any world.

Nothing that a program passes can raise: what cannot be done is refused, counted by its reason, and answered with
false, as in MINDcraft. Coordinates are floored; values that are no numbers are no cells.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from functools import partial
from typing import Any

from minece.agent_bridge.arguments import FARTHEST, Value, block_text, cell_of, number_within, shown
from minece.agent_bridge.clicks import STEP, Cell, Side, beside
from minece.agent_bridge.sights import SIGHT, above_head, block_at, free_space, near, near_types, nearest
from minece.agent_bridge.site import NO_BLOCK, TOO_MANY
from minece.agent_bridge.world import Outcome, World
from minece.blocks.states import is_air, material_of

NO_CELL = "no such cell"

MOST_FILLED = 32_768
"""Cells that one fill may have, as in the game."""

_PLACE_ON: Mapping[str, tuple[Side, ...]] = {
    "bottom": ("down",),
    "top": ("up",),
    "side": ("north", "south", "east", "west"),
    "north": ("north",),
    "south": ("south",),
    "east": ("east",),
    "west": ("west",),
}

_CROPS: Mapping[str, str] = {
    "wheat_seeds": "wheat",
    "beetroot_seeds": "beetroots",
    "carrot": "carrots",
    "potato": "potatoes",
    "melon_seeds": "melon_stem",
    "pumpkin_seeds": "pumpkin_stem",
}
_TILLED = frozenset({"dirt", "grass_block", "dirt_path", "farmland"})
_MOST_TOLD = 1000
_AWAY: tuple[Side, ...] = ("east", "south", "west", "north")


class Skills:
    """The calls of one program, and what came of them.

    ``say`` takes the lines that skills write into the program's log, each once. ``placed`` counts calls that placed
    something, ``refused`` those that did not by reason, ``cells`` are the cells in which something was placed.
    """

    def __init__(self, world: World, say: Callable[[str], None] = lambda line: None) -> None:
        self.placed = 0
        self.refused: Counter[str] = Counter()
        self.cells: set[Cell] = set()
        self._world = world
        self._say = say
        self._said: set[str] = set()
        self._calls: dict[str, tuple[Callable[..., Any], int]] = {
            "placeBlock": (self._place_block, 5),
            "placeAt": (self._place_at, 7),
            "breakBlockAt": (self._break_block, 3),
            "setBlock": (self._set_block, 4),
            "fill": (self._fill, 7),
            "goToPosition": (self._go, 3),
            "goToNearestBlock": (self._go_to_nearest, 3),
            "moveAway": (self._move_away, 1),
            "digDown": (self._dig_down, 1),
            "equip": (self._equip, 1),
            "discard": (self._discard, 1),
            "activateNearestBlock": (self._activate, 1),
            "useDoor": (self._use_door, 3),
            "tillAndSow": (self._till, 4),
            "wait": (lambda: True, 0),
            "notOffered": (self._not_offered, 1),
            "position": (lambda: list(self._world.position), 0),
            "facing": (lambda: self._world.facing, 0),
            "version": (lambda: self._world.version, 0),
            "inventory": (lambda: dict(self._world.stock or {}), 0),
            "blockAt": (partial(block_at, world), 3),
            "near": (partial(near, world), 3),
            "nearTypes": (partial(near_types, world), 1),
            "freeSpace": (partial(free_space, world), 2),
            "aboveHead": (partial(above_head, world), 2),
        }

    @property
    def names(self) -> Set[str]:
        """The calls that there are."""
        return self._calls.keys()

    def call(self, name: str, values: Sequence[Value]) -> Any:
        """The answer to a call, made of plain JSON values. What is missing is null, what is too much is left out."""
        function, count = self._calls[name]
        return function(*values[:count], *[None] * (count - len(values)))

    # Acts

    def _place_block(self, name: Value, x: Value, y: Value, z: Value, on: Value) -> bool:
        block = block_text(name)
        if block is None:
            return self._invalid(name)
        cell = cell_of(x, y, z)
        if cell is None:
            return self._refuse(NO_CELL)
        if is_air(block):
            return self._done(self._world.remove(cell))
        sides = _PLACE_ON.get(on if isinstance(on, str) else "bottom", ("down",))
        return self._placed(name, self._world.place(cell, block, on=self._first_taken(cell, sides)))

    def _place_at(self, name: Value, x: Value, y: Value, z: Value, dx: Value, dy: Value, dz: Value) -> bool:
        block, cell, step = block_text(name), cell_of(x, y, z), cell_of(dx, dy, dz)
        if block is None:
            return self._invalid(name)
        if cell is None:
            return self._refuse(NO_CELL)
        side = next((side for side in STEP if STEP[side] == step), None)
        return self._placed(name, self._world.place(cell, block, on=side))

    def _break_block(self, x: Value, y: Value, z: Value) -> bool:
        cell = cell_of(x, y, z)
        return self._refuse(NO_CELL) if cell is None else self._done(self._world.remove(cell))

    def _set_block(self, name: Value, x: Value, y: Value, z: Value) -> bool:
        block, cell = block_text(name), cell_of(x, y, z)
        if block is None:
            return self._invalid(name)
        if cell is None:
            return self._refuse(NO_CELL)
        return self._placed(name, self._world.set([cell], [block]))

    def _fill(self, name: Value, *corners: Value) -> bool:
        block, low, high = block_text(name), cell_of(*corners[:3]), cell_of(*corners[3:])
        if block is None:
            return self._invalid(name)
        if low is None or high is None:
            return self._refuse(NO_CELL)
        if math.prod(abs(a - b) + 1 for a, b in zip(low, high, strict=True)) > MOST_FILLED:
            return self._refuse(TOO_MANY)
        tally = self._world.fill(low, high, block)
        self.refused.update(tally.refused)
        self.cells |= tally.cells
        if not is_air(block):
            self.placed += tally.done
        if NO_BLOCK in tally.refused:
            self._tell_invalid(name)
        return not tally.refused

    def _go(self, x: Value, y: Value, z: Value) -> bool:
        cell = cell_of(x, y, z)
        if cell is None:
            return self._refuse(NO_CELL)
        # Whole numbers mean the middle of a cell, as in the game's own teleport command.
        px, py, pz = (number_within(value, 0, -FARTHEST, FARTHEST) for value in (x, y, z))
        return self._done(self._world.move((px + 0.5 if px == cell[0] else px, py, pz + 0.5 if pz == cell[2] else pz)))

    def _go_to_nearest(self, name: Value, distance: Value, reach: Value) -> bool:
        found = nearest(self._world, name if isinstance(name, str) else "", number_within(reach, SIGHT, 0, SIGHT))
        if not found:
            return self._tell(f"Could not find any {shown(name)} in reach.")
        (x, y, z), _ = found[0]
        gap = number_within(distance, 2, 1, SIGHT)
        side = self._world.position[0] - (x + 0.5)
        return self._done(self._world.move((x + 0.5 + math.copysign(gap, side), float(y), z + 0.5)))

    def _move_away(self, distance: Value) -> bool:
        away = number_within(distance, 0, 0, FARTHEST)
        x, y, z = self._world.position
        reason = NO_CELL
        for side in _AWAY:
            dx, _, dz = STEP[side]
            outcome = self._world.move((x + dx * away, y, z + dz * away))
            if outcome.done:
                return True
            reason = outcome.reason
        return self._refuse(reason)

    def _dig_down(self, distance: Value) -> bool:
        for _ in range(int(number_within(distance, 10, 0, SIGHT))):
            x, y, z = self._world.position
            under = math.floor(x), math.floor(y) - 1, math.floor(z)
            if not self._done(self._world.remove(under)):
                return False
            self._world.move((x, float(under[1]), z))
        return True

    def _equip(self, name: Value) -> bool:
        block = block_text(name)
        return True if block is not None else self._tell(f"{shown(name)} is not an item.")

    def _discard(self, name: Value) -> bool:
        return self._tell(f"You do not have any {shown(name)} to discard.")

    def _activate(self, name: Value) -> bool:
        found = nearest(self._world, name if isinstance(name, str) else "", 16)
        return True if found else self._tell(f"Could not find any {shown(name)} to activate.")

    def _use_door(self, x: Value, y: Value, z: Value) -> bool:
        cell = cell_of(x, y, z)
        if cell is not None:
            there = material_of(self._world.at(cell)).endswith("_door")
        else:
            there = any(material_of(state).endswith("_door") for _, state in nearest(self._world, None, 16))
        return True if there else self._tell("Could not find a door to use.")

    def _till(self, x: Value, y: Value, z: Value, seeds: Value) -> bool:
        cell = cell_of(x, y, z)
        if cell is None:
            return self._refuse(NO_CELL)
        ground, above = material_of(self._world.at(cell)), beside(cell, "up")
        if ground not in _TILLED:
            return self._tell(f"Cannot till {ground}.")
        if ground != "farmland" and not self._placed("farmland", self._world.set([cell], ["farmland"])):
            return False
        if not seeds:
            return True
        crop = _CROPS.get(seeds) if isinstance(seeds, str) else None
        if crop is None:
            return self._tell(f"Cannot sow {shown(seeds)}.")
        return self._placed(crop, self._world.set([above], [crop]))

    def _not_offered(self, name: Value) -> bool:
        return self._tell(f"{shown(name)} is not offered here.")

    # What came of it

    def _first_taken(self, cell: Cell, sides: tuple[Side, ...]) -> Side:
        taken = (side for side in sides if len(sides) > 1 and not is_air(self._world.at(beside(cell, side))))
        return next(taken, sides[0])

    def _placed(self, name: Value, outcome: Outcome) -> bool:
        if outcome.reason == NO_BLOCK:
            self._tell_invalid(name)
        cells = {change.cell for change in outcome.changes if change.kind == "placed"}
        self.placed += bool(outcome.done and cells)
        self.cells |= cells
        return self._done(outcome)

    def _done(self, outcome: Outcome) -> bool:
        return True if outcome.done else self._refuse(outcome.reason)

    def _refuse(self, reason: str) -> bool:
        self.refused[reason] += 1
        return False

    def _invalid(self, name: Value) -> bool:
        self._tell_invalid(name)
        return self._refuse(NO_BLOCK)

    def _tell_invalid(self, name: Value) -> None:
        self._tell(f"Invalid block type: {shown(name)}.")

    def _tell(self, line: str) -> bool:
        if line not in self._said and len(self._said) < _MOST_TOLD:
            self._said.add(line)
            self._say(line)
        return False
