"""Which item and which click bring a wanted block into a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from minece.agent_bridge.clicks import MIDDLE, OPPOSITE, YAW, Cell, Click, Point, Refusal, Side, beside
from minece.agent_bridge.placing.forms import FLAT, At, as_side, counterclockwise, form, is_air
from minece.agent_bridge.placing.refusals import (
    CANNOT,
    CELL_TAKEN,
    NO_ITEM,
    NO_ROOM,
    NO_SUCH_BLOCK,
    NO_SUPPORT,
    NOTHING_TO_PLACE_ON,
)
from minece.agent_bridge.placing.tables import among, away, filled_by, fillings, later, new_values, placeables, words
from minece.agent_bridge.placing.using import placement
from minece.blocks.catalogue import block_properties, default_state, describe
from minece.blocks.errors import StateError
from minece.blocks.states import EMPTIES, current, split_state


class Plan(NamedTuple):
    """The item and the click that place a block."""

    item: str
    click: Click


class _Wish(NamedTuple):
    """A block as it was asked for.

    ``names`` are the ids that do, ``given`` the properties that must come about; ``plain``: every click gives the
    same state; ``adds``: its item may add to a block that is there; ``at_wall``: the wall form of an item that
    has a standing one. ``turns``, ``quarters`` and ``heights`` say which looks and cursors make a difference.
    """

    item: str
    name: str
    names: frozenset[str]
    given: Mapping[str, str]
    plain: bool
    adds: bool
    at_wall: bool
    turns: tuple[tuple[float, float], ...]
    quarters: bool
    heights: bool


def item_of(block: str) -> str:
    """The item that places a block, given by id or state; "" where none does.

    >>> item_of("wall_torch")
    'torch'
    """
    try:
        info = describe(block)
    except StateError:
        return ""
    if not info.known and not block_properties(block):
        return ""
    return "" if info.extra_item or among(info.material, "grown") else info.item


def plan(at: At, block: str, cell: Cell, *, on: Side | None = None, facing: Side = "north") -> Plan | Refusal:
    """How a player gets a block into an empty cell.

    Parameters
    ----------
    at : what is in a cell
    block : an id, or a state whose given properties must come about
    cell : an empty cell, or one that holds less of what is asked for: half of a double slab, fewer candles, the pot
    on : the side at which the neighbour to click lies, tried first
    facing : where the player looks if that makes no difference

    Where clicks leave a choice, the block comes as its default; stairs, ladders and repeaters face away from ``on``,
    else east. The plan is for :func:`use_item` in the same surroundings.
    """
    wish = _wish(block)
    there = at(cell)
    if isinstance(wish, Refusal):
        return _filling(block, there, cell) if wish == NO_ITEM else wish
    free = is_air(there) or (form(there).replaceable and describe(there).item != wish.item)
    if not free and not wish.adds:
        return CELL_TAKEN
    neighbours = _neighbours(at, cell, on, wish) if free else []
    if not neighbours and free:
        return NOTHING_TO_PLACE_ON
    if wish.plain and free:
        (click,) = _clicks_beside(wish, cell, neighbours[:1], facing)
        return Plan(wish.item, click)
    return _search(at, wish, cell, neighbours if free else None, on, facing)


def _filling(block: str, there: str, cell: Cell) -> Plan | Refusal:
    """How a pot, a cake or a cauldron that is there becomes the block."""
    name, given = current(*split_state(block))
    item = filled_by().get(name, "")
    state = fillings().get((form(there).name, item), "")
    if not state or form(state).name != name or any(form(state).props[key] != given[key] for key in given):
        return NO_ITEM
    return Plan(item, Click(cell, "up", MIDDLE["up"], YAW["north"], 90.0))


def _search(
    at: At, wish: _Wish, cell: Cell, neighbours: list[Side] | None, on: Side | None, facing: Side
) -> Plan | Refusal:
    best: tuple[int, Plan] | None = None
    reasons: set[Refusal] = set()
    clicks = _clicks_beside(wish, cell, neighbours, facing) if neighbours is not None else _clicks_into(cell, facing)
    for click in clicks:
        if best is not None and on is not None and click.on != best[1].click.on:
            break
        outcome = placement(at, wish.item, click)
        if isinstance(outcome, Refusal):
            reasons.add(outcome)
            continue
        state = outcome.get(cell, "")
        if not state or not _fits(state, wish):
            # A torch that stands where one at a wall was asked for found no wall that holds it.
            reasons.add(CANNOT if not state or form(state).name in wish.names or not wish.at_wall else NO_SUPPORT)
            continue
        lacking = _lacking(state, wish, on)
        if best is None or lacking < best[0]:
            best = lacking, Plan(wish.item, click)
        if not lacking:
            break
    if best is not None:
        return best[1]
    for reason in (NO_ROOM, NO_SUPPORT, CANNOT):
        if reason in reasons:
            return reason
    return CELL_TAKEN if neighbours is None else CANNOT


def _neighbours(at: At, cell: Cell, on: Side | None, wish: _Wish) -> list[Side]:
    """The sides at which there is something to click, in the order in which they are tried."""
    sides = _ORDER if on is None else (on, *(side for side in _ORDER if side != on))
    out = []
    for side in sides:
        state = at(beside(cell, side))
        if state == "air":
            continue
        parts = form(state)
        if not parts.replaceable or (side == "down" and parts.wet and among(wish.name, "floating")):
            out.append(side)
            if wish.plain:
                break
    return out


_ORDER: tuple[Side, ...] = ("down", "north", "south", "west", "east", "up")


def _clicks_beside(wish: _Wish, cell: Cell, sides: list[Side], facing: Side) -> Iterator[Click]:
    for side in sides:
        face = OPPOSITE[side]
        for yaw, pitch in _looks(wish.turns, facing):
            for cursor in _cursors(face, wish.quarters, wish.heights):
                yield Click(beside(cell, side), face, cursor, yaw, pitch)


def _clicks_into(cell: Cell, facing: Side) -> Iterator[Click]:
    """Clicks on the block that is there."""
    for face in _ORDER:
        for yaw, pitch in _looks(_ALL_ROUND, facing):
            for cursor in _cursors(face, False, True):
                yield Click(cell, face, cursor, yaw, pitch)


@lru_cache(maxsize=512)
def _looks(turns: tuple[tuple[float, float], ...], facing: Side) -> tuple[tuple[float, float], ...]:
    """Yaws and pitches to try, those toward ``facing`` first."""
    first = YAW.get(facing, YAW["north"])
    return tuple(sorted(turns or ((first, 0.0),), key=lambda look: look[0] != first))


@lru_cache(maxsize=64)
def _cursors(face: Side, quarters: bool, heights: bool) -> tuple[Point, ...]:
    """Where to click on a face: its middle, or its lower and upper half, or its quarters."""
    x, y, z = MIDDLE[face]
    if not quarters:
        if not heights or face in ("up", "down"):
            return ((x, y, z),)
        return ((x, 0.25, z), (x, 0.75, z))
    xs, ys, zs = ((v,) if v != 0.5 else (0.25, 0.75) for v in (x, y, z))
    return tuple((u, v, w) for v in ys for u in xs for w in zs)


_LEVEL = tuple((YAW[side], 0.0) for side in ("north", "east", "south", "west"))
_ALL_ROUND = (*_LEVEL, *((yaw, pitch) for pitch in (90.0, -90.0) for yaw, _ in _LEVEL))


@lru_cache(maxsize=4096)
def _wish(block: str) -> _Wish | Refusal:
    try:
        name, given = current(*split_state(block))
    except StateError:
        return NO_SUCH_BLOCK
    values = block_properties(name)
    if not describe(name).known or any(given[key] not in values.get(key, ()) for key in given):
        return NO_SUCH_BLOCK
    item = item_of(name)
    if not item or name in EMPTIES:
        return NO_ITEM
    block_of_item, wall_form = placeables()[item]
    kinds = {words("kinds").get(name, "") for name in (block_of_item, wall_form) if name}
    parts = form(default_state(block_of_item))
    if not _may_come(name, given):
        return CANNOT
    names = {name}
    if not given and name == block_of_item:
        names |= {other for other in (wall_form, "bamboo_sapling" if name == "bamboo" else "") if other}
    plain = not (parts.props or parts.joins or parts.holds or parts.two_cell or wall_form or any(kinds))
    # A bucket of snow goes into the cauldron that is clicked.
    plain = plain and item not in filled_by().values()
    return _Wish(
        item=item,
        name=name,
        names=frozenset(names),
        given=given,
        plain=plain,
        at_wall=name == wall_form,
        adds=bool(given) and bool(kinds & {"slab", "amount", "clinging"}),
        turns=_turns(block_of_item, wall_form, given),
        quarters="door" in kinds,
        heights=bool({"half", "type"} & parts.props.keys()),
    )


def _may_come(name: str, given: Mapping[str, str]) -> bool:
    """Whether no given property is one that blocks get only after they are placed, or that of a second half."""
    new = {**form(default_state(name)).props, **new_values(name)}
    if describe(name).two_cell and (given.get("half") == "upper" or given.get("part") == "head"):
        return False
    return all(value == new[key] for key, value in given.items() if key in later())


def _turns(block: str, wall_form: str, given: Mapping[str, str]) -> tuple[tuple[float, float], ...]:
    """The looks on which the state of a block depends, none if it depends on none.

    What holds a block can be clicked itself, so that no look has to find it.
    """
    values = block_properties(block)
    kind = words("kinds").get(block, "")
    if "rotation" in values:
        turn = int(given.get("rotation", "0")) * 22.5
        return tuple(dict.fromkeys([((turn + 180) % 360, 0.0), (turn, 0.0), *_LEVEL]))
    if kind in ("outward", "rod", "hopper", "dripstone", "hanging"):
        return ()
    if kind in _BEHIND and (facing := given.get("facing")) in FLAT:
        return ((YAW[_BEHIND[kind](as_side(facing))], 0.0),)
    if kind == "crafter":
        return _ALL_ROUND
    if "up" in values.get("facing", ()):
        return (*_LEVEL, (YAW["north"], 90.0), (YAW["north"], -90.0))
    return _LEVEL if wall_form or kind == "clinging" or {"facing", "shape", "orientation"} & values.keys() else ()


def _itself(side: Side) -> Side:
    return side


def _opposite(side: Side) -> Side:
    return OPPOSITE[side]


_BEHIND: Mapping[str, Callable[[Side], Side]] = {
    "stairs": _itself,
    "door": _itself,
    "ahead": _itself,
    "clockwise": counterclockwise,
    "chest": _opposite,
}
"""Kinds whose ``facing`` follows from the look alone: where to look for it."""


def _fits(state: str, wish: _Wish) -> bool:
    parts = form(state)
    return parts.name in wish.names and all(parts.props.get(key) == value for key, value in wish.given.items())


def _lacking(state: str, wish: _Wish, on: Side | None) -> int:
    """How much of the default a state lacks."""
    parts = form(state)
    missing = sum(
        parts.props[key] != value for key, value in _preferred(parts.name, on).items() if key not in wish.given
    )
    return missing + (parts.name != wish.name and on not in FLAT)


_CHOSEN = (
    "facing", "axis", "half", "type", "face", "rotation", "hinge", "hanging", "attachment", "vertical_direction",
    "orientation", "shape",
)  # fmt: skip
"""Properties that a click chooses; the others follow from what stands around."""


@lru_cache(maxsize=4096)
def _preferred(name: str, on: Side | None) -> Mapping[str, str]:
    """The values that a block should have where a wish leaves them open."""
    defaults = form(default_state(name)).props
    out = {key: defaults[key] for key in _CHOSEN if key in defaults}
    if "face" in out:
        out["face"] = "wall" if on in FLAT else "ceiling" if on == "up" else "floor"
    if "facing" in out and (name in away() or words("kinds").get(name) == "on_wall"):
        if on in FLAT:
            out["facing"] = OPPOSITE[on]
        elif name in away():
            out["facing"] = "east"
    return out
