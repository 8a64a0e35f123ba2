"""What a click with an item in hand, and breaking a block, change."""

from __future__ import annotations

from collections import deque
from math import isfinite
from typing import Literal

from minece.agent_bridge.clicks import OPPOSITE, SIDES, Cell, Change, Click, Refusal, Side, beside
from minece.agent_bridge.placing.choosing import AMOUNTS, NOWHERE, state_for
from minece.agent_bridge.placing.forms import FLAT, WATER, At, form, is_air, rest, with_value, with_values
from minece.agent_bridge.placing.joining import GONE, joined
from minece.agent_bridge.placing.refusals import (
    CANNOT,
    CELL_TAKEN,
    NO_ITEM,
    NO_ROOM,
    NO_SUPPORT,
    NOTHING_TO_BREAK,
    NOTHING_TO_PLACE_ON,
)
from minece.agent_bridge.placing.scene import Scene
from minece.agent_bridge.placing.support import held, leans_on, other_half_side
from minece.agent_bridge.placing.tables import among, fillings, placeables, words
from minece.blocks.catalogue import block_properties, describe
from minece.blocks.errors import StateError
from minece.blocks.states import material_of

_MOST_UPDATES = 100_000
"""A bound on what one change may bring about, for states that files made up and that never come to rest."""


def use_item(at: At, item: str, click: Click) -> tuple[Change, ...] | Refusal:
    """What the game changes when a player in creative mode uses an item on a block.

    The player's body and reach are not looked at, and a block that would open or switch is built against instead.
    There is no physics: sand and gravel stay where they are placed, and water does not flow.
    """
    if not all(map(isfinite, (*click.cursor, click.yaw, click.pitch))):
        return CANNOT
    outcome = placement(at, item, click)
    return outcome if isinstance(outcome, Refusal) else settled(at, outcome, "placed")


def take_away(at: At, cell: Cell) -> tuple[Change, ...] | Refusal:
    """What the game changes when a player breaks a block: its other half and all that it held go too.

    Water in which it stood stays. There is no physics: nothing falls down.
    """
    state = at(cell)
    if is_air(state) or form(state).fluid:
        return NOTHING_TO_BREAK
    return settled(at, {cell: rest(state)}, "removed")


def placement(at: At, item: str, click: Click) -> dict[Cell, str] | Refusal:
    """The cells that an item fills, before their neighbours follow."""
    try:
        item = material_of(item)
    except StateError:
        return NO_ITEM
    clicked = at(click.on)
    parts = form(clicked)
    if (filled := fillings().get((parts.name, item))) and parts.props.get("bites", "0") == "0":
        return {click.on: filled} if filled != clicked else CELL_TAKEN
    places = placeables().get(item)
    if places is None:
        return NO_ITEM
    if is_air(clicked) or (parts.fluid and not (among(item, "floating") and parts.wet)):
        return NOTHING_TO_PLACE_ON
    if form(places.block).fluid:
        return _poured(at, places.block, click)
    into = not parts.fluid and gives_way(clicked, item, places.block, click, clicked=True)
    cell = click.on if into else beside(click.on, click.face)
    there = clicked if into else at(cell)
    if not into and not gives_way(there, item, places.block, click, clicked=False):
        return CELL_TAKEN
    state = state_for(Scene(at, item, places.block, click, cell, into, there), places.wall_form)
    if state == NOWHERE:
        return NO_SUPPORT
    chosen = form(state)
    if not chosen.two_cell:
        return {cell: state}
    other = beside(cell, other_half_side(chosen))
    beyond = at(other)
    if not gives_way(beyond, item, "", click, clicked=False):
        return NO_ROOM
    half = with_values(state, {"part": "head"} if chosen.two_cell == "bed" else {"half": "upper"})
    return {cell: state, other: with_value(half, "waterlogged", "true" if form(beyond).wet else "false")}


def _poured(at: At, fluid: str, click: Click) -> dict[Cell, str] | Refusal:
    """Water fills the block that is clicked if it can stand in water, else it comes beside it."""
    source = f"{fluid}[level=0]"
    for cell in (click.on, beside(click.on, click.face)):
        state = at(cell)
        parts = form(state)
        takes = source == WATER and parts.props.get("waterlogged") == "false" and parts.props.get("type") != "double"
        if takes:
            return {cell: with_value(state, "waterlogged", "true")}
        if cell != click.on and parts.replaceable and state != source:
            return {cell: source}
    return CELL_TAKEN


def gives_way(state: str, item: str, block: str, click: Click, *, clicked: bool) -> bool:
    """Whether a cell takes the block that an item places: it is empty or holds something that gives way, or more of
    the same goes into it. ``clicked``: the cell is the one that the click is on, not the one beside it."""
    parts = form(state)
    if is_air(state):
        return True
    if parts.name == block:
        return _takes_more(state, click, clicked=clicked)
    return parts.replaceable and describe(state).item != item


def _takes_more(state: str, click: Click, *, clicked: bool) -> bool:
    parts = form(state)
    kind = words("kinds").get(parts.name)
    if kind == "slab":
        lower = parts.props["type"] == "bottom"
        if parts.props["type"] == "double":
            return False
        if not clicked:
            return True
        if click.face in FLAT:
            return (click.cursor[1] > 0.5) == lower
        return click.face == ("up" if lower else "down")
    if kind == "amount":
        (key,) = (key for key in AMOUNTS if key in parts.props)
        fits = parts.props[key] != block_properties(parts.name)[key][-1]
        return fits and (key != "layers" or not clicked or click.face == "up")
    if kind == "clinging":
        return "false" in (parts.props[side] for side in SIDES if side in parts.props)
    return False


def settled(at: At, cells: dict[Cell, str], kind: Literal["placed", "removed"]) -> tuple[Change, ...]:
    """The changes of some cells and of all that follows: neighbours join anew, what lost its support goes.

    Neighbours are visited in the game's order, those of the first change first.
    """
    now = dict(cells)
    kinds: dict[Cell, Literal["placed", "removed", "joined"]] = dict.fromkeys(cells, kind)

    def see(cell: Cell) -> str:
        return now[cell] if cell in now else at(cell)

    queue = deque(cells)
    for _ in range(_MOST_UPDATES):
        if not queue:
            break
        source = queue.popleft()
        for side in _ORDER:
            cell = beside(source, side)
            before = see(cell)
            parts = form(before)
            if not (parts.joins or parts.holds or parts.two_cell):
                continue
            after = joined(see, cell, before, OPPOSITE[side])
            if after == GONE or (OPPOSITE[side] in leans_on(after) and not held(see, cell, after)):
                now[cell], kinds[cell] = rest(before), "removed"
            elif after != before:
                now[cell] = after
                kinds.setdefault(cell, "joined")
            else:
                continue
            queue.append(cell)
        if "redstone_wire" in (form(at(source)).name, form(see(source)).name):
            _reach_wires(see, source, now, kinds, queue)
    return tuple(Change(cell, state, kinds[cell]) for cell, state in now.items() if state != at(cell))


_ORDER: tuple[Side, ...] = ("west", "east", "north", "south", "down", "up")


def _reach_wires(
    see: At,
    source: Cell,
    now: dict[Cell, str],
    kinds: dict[Cell, Literal["placed", "removed", "joined"]],
    queue: deque[Cell],
) -> None:
    """Wires a step higher or lower follow too, although they touch only at an edge."""
    for side in FLAT:
        for step in ("down", "up"):
            cell = beside(beside(source, side), step)
            before = see(cell)
            if form(before).name == "redstone_wire" and (after := joined(see, cell, before)) != before:
                now[cell] = after
                kinds.setdefault(cell, "joined")
                queue.append(cell)
