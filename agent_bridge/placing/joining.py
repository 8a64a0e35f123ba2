"""How a block's state follows its neighbours: fences, panes, walls, stairs and whatever else does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from minece.agent_bridge.clicks import OPPOSITE, SIDES, Cell, Side, beside
from minece.agent_bridge.placing.faces import full_cube, opaque_cube, solid, sturdy, underside_covers
from minece.agent_bridge.placing.forms import (
    AXIS,
    FLAT,
    At,
    Form,
    as_side,
    clockwise,
    counterclockwise,
    form,
    same_axis,
    with_value,
    with_values,
)
from minece.agent_bridge.placing.support import grown_family, grows_toward, scaffold_distance
from minece.agent_bridge.placing.tables import among

Sides: TypeAlias = tuple[Side, ...]

GONE = ""
"""What :func:`joined` says of a block of which nothing is left."""


def joined(see: At, cell: Cell, state: str, side: Side | None = None) -> str:
    """The state of a block as the cells around it make it, :data:`GONE` for a vine that clings to nothing any more.

    With ``side``, as a change at this side alone makes it: what the other sides once made of it stays.
    """
    rule = form(state).joins
    if not rule or (side is not None and side not in _FOLLOWS.get(rule, SIDES)):
        return state
    return _RULES[rule](see, cell, state, SIDES if side is None else (side,))


def _flat(sides: Sides) -> Sides:
    return tuple(side for side in sides if side in FLAT)


def is_gate_along(parts: Form, side: Side) -> bool:
    """Whether a fence gate at this side continues a fence."""
    return parts.joins == "gate" and not same_axis(parts.side(), side)


def _fence(see: At, cell: Cell, state: str, sides: Sides) -> str:
    wooden = among(form(state).name, "wooden_fence")
    for side in _flat(sides):
        there = see(beside(cell, side))
        parts = form(there)
        links = (
            (parts.joins == "fence" and among(parts.name, "wooden_fence") == wooden)
            or is_gate_along(parts, side)
            or _full_side(there, side)
        )
        state = with_value(state, side, _word(links))
    return state


def _pane(see: At, cell: Cell, state: str, sides: Sides) -> str:
    for side in _flat(sides):
        there = see(beside(cell, side))
        links = form(there).joins in ("pane", "wall") or _full_side(there, side)
        state = with_value(state, side, _word(links))
    return state


def _full_side(there: str, side: Side) -> bool:
    return sturdy(there, OPPOSITE[side]) and not among(form(there).name, "unjoined")


def _word(yes: bool) -> str:
    return "true" if yes else "false"


_POST = (7 / 16, 7 / 16, 9 / 16, 9 / 16)
_ARMS: dict[Side, tuple[float, float, float, float]] = {
    "north": (7 / 16, 0, 9 / 16, 9 / 16),
    "south": (7 / 16, 7 / 16, 9 / 16, 1),
    "west": (0, 7 / 16, 9 / 16, 9 / 16),
    "east": (7 / 16, 7 / 16, 1, 9 / 16),
}


def _wall(see: At, cell: Cell, state: str, sides: Sides) -> str:
    above = see(beside(cell, "up"))
    own = form(state).props
    arms: dict[str, str] = {}
    for side in FLAT:
        there = see(beside(cell, side))
        parts = form(there)
        if side in sides:
            links = parts.joins in ("wall", "pane") or is_gate_along(parts, side) or _full_side(there, side)
        else:
            links = own[side] != "none"
        arms[side] = "none" if not links else "tall" if underside_covers(above, (_ARMS[side],)) else "low"
    return with_values(state, {**arms, "up": _word(_has_post(above, arms))})


def _has_post(above: str, arms: Mapping[str, str]) -> bool:
    over = form(above)
    if over.joins == "wall" and over.props.get("up") == "true":
        return True
    bare = {side for side, arm in arms.items() if arm == "none"}
    crooked = ("north" in bare) != ("south" in bare) or ("east" in bare) != ("west" in bare)
    if crooked or len(bare) == 4:
        return True
    if arms["north"] == arms["south"] == "tall" or arms["east"] == arms["west"] == "tall":
        return False
    return among(over.name, "keeps_post") or underside_covers(above, (_POST,))


def _stairs(see: At, cell: Cell, state: str, sides: Sides) -> str:
    parts = form(state)
    facing = parts.side()
    if (to := _bend(see, cell, parts, facing)) is not None:
        shape = "outer_left" if to == counterclockwise(facing) else "outer_right"
    elif (to := _bend(see, cell, parts, OPPOSITE[facing])) is not None:
        shape = "inner_left" if to == counterclockwise(facing) else "inner_right"
    else:
        shape = "straight"
    return with_value(state, "shape", shape)


def _bend(see: At, cell: Cell, parts: Form, side: Side) -> Side | None:
    """Where stairs before or behind these face, if they stand across and these do not go on beside them."""
    facing, half = parts.side(), parts.props["half"]

    def stairs_at(where: Side) -> Side | None:
        other = form(see(beside(cell, where)))
        return other.side() if other.joins == "stairs" and other.props.get("half") == half else None

    to = stairs_at(side)
    if to is None or same_axis(to, facing):
        return None
    return None if stairs_at(OPPOSITE[to] if side == facing else to) == facing else to


def _gate(see: At, cell: Cell, state: str, sides: Sides) -> str:
    facing = form(state).side()
    ends = (clockwise(facing), counterclockwise(facing))
    return with_value(state, "in_wall", _word(any(form(see(beside(cell, end))).joins == "wall" for end in ends)))


def chest_partner(parts: Form) -> Side | None:
    """The side at which the other half of a double chest lies."""
    kind = parts.props.get("type")
    if kind not in ("left", "right"):
        return None
    return clockwise(parts.side()) if kind == "left" else counterclockwise(parts.side())


def _chest(see: At, cell: Cell, state: str, sides: Sides) -> str:
    parts = form(state)
    if (partner := chest_partner(parts)) is not None:
        gone = partner in sides and form(see(beside(cell, partner))).name != parts.name
        return with_value(state, "type", "single") if gone else state
    for side in _flat(sides):
        other = form(see(beside(cell, side)))
        if other.name == parts.name and other.side() == parts.side() and chest_partner(other) == OPPOSITE[side]:
            return with_value(state, "type", "right" if other.props["type"] == "left" else "left")
    return state


def _snowy(see: At, cell: Cell, state: str, sides: Sides) -> str:
    return with_value(state, "snowy", _word(among(form(see(beside(cell, "up"))).name, "snowy")))


def _mushroom(see: At, cell: Cell, state: str, sides: Sides) -> str:
    name = form(state).name
    for side in sides:
        if form(see(beside(cell, side))).name == name:
            state = with_value(state, side, "false")
    return state


def _wire(see: At, cell: Cell, state: str, sides: Sides) -> str:
    open_above = not opaque_cube(see(beside(cell, "up")))
    arms: dict[str, str] = {side: _wire_arm(see, cell, side, open_above) for side in FLAT}
    along_z = arms["north"] != "none" or arms["south"] != "none"
    along_x = arms["east"] != "none" or arms["west"] != "none"
    for side in FLAT:
        # A wire that runs one way runs on to the far end; one that runs nowhere is a cross.
        if arms[side] == "none" and not (along_z if AXIS[side] == "x" else along_x):
            arms[side] = "side"
    return with_values(state, arms)


def _wire_arm(see: At, cell: Cell, side: Side, open_above: bool) -> str:
    next_to = beside(cell, side)
    there = see(next_to)
    if open_above and (form(there).name.endswith("trapdoor") or sturdy(there, "up") or form(there).name == "hopper"):
        if form(see(beside(next_to, "up"))).name == "redstone_wire":
            return "up" if sturdy(there, OPPOSITE[side]) else "side"
    if _takes_signal(form(there), side):
        return "side"
    falls = not opaque_cube(there) and form(see(beside(next_to, "down"))).name == "redstone_wire"
    return "side" if falls else "none"


def _takes_signal(parts: Form, side: Side) -> bool:
    if parts.name == "redstone_wire":
        return True
    if parts.name == "repeater":
        return same_axis(parts.side(), side)
    if parts.name == "observer":
        return parts.side() == side
    return among(parts.name, "signal")


def _tripwire(see: At, cell: Cell, state: str, sides: Sides) -> str:
    for side in _flat(sides):
        parts = form(see(beside(cell, side)))
        links = parts.name == "tripwire" or (parts.name == "tripwire_hook" and parts.side() == OPPOSITE[side])
        state = with_value(state, side, _word(links))
    return state


def clings(see: At, cell: Cell, state: str, side: Side) -> bool:
    """Whether a vine or a lichen can hold on at a side of its cell."""
    there = see(beside(cell, side))
    if sturdy(there, OPPOSITE[side]) or full_cube(there):
        return True
    if form(state).name != "vine" or side in ("up", "down"):
        return False
    above = form(see(beside(cell, "up")))
    return above.name == "vine" and above.props.get(side) == "true"


def _clinging(see: At, cell: Cell, state: str, sides: Sides) -> str:
    parts = form(state)
    kept = False
    for side in AXIS:
        if parts.props.get(side) != "true":
            continue
        # A vine looks at all its faces, the others only at the one beside which something changed.
        if (parts.name != "vine" and side not in sides) or clings(see, cell, state, side):
            kept = True
        else:
            state = with_value(state, side, "false")
    return state if kept else GONE


def _chorus(see: At, cell: Cell, state: str, sides: Sides) -> str:
    for side in sides:
        name = form(see(beside(cell, side))).name
        links = name in ("chorus_plant", "chorus_flower") or (side == "down" and name == "end_stone")
        state = with_value(state, side, _word(links))
    return state


def _dripstone(see: At, cell: Cell, state: str, sides: Sides) -> str:
    parts = form(state)
    tip = as_side(parts.props["vertical_direction"])
    ahead, root = form(see(beside(cell, tip))), form(see(beside(cell, OPPOSITE[tip])))
    if ahead.name != parts.name:
        return with_value(state, "thickness", "tip")
    if ahead.props["vertical_direction"] != tip:
        return with_value(state, "thickness", "tip_merge")
    if ahead.props["thickness"] in ("tip", "tip_merge"):
        return with_value(state, "thickness", "frustum")
    grown_on = root.name == parts.name and root.props["vertical_direction"] == tip
    return with_value(state, "thickness", "middle" if grown_on else "base")


def _growing(see: At, cell: Cell, state: str, sides: Sides) -> str:
    parts = form(state)
    family = grown_family(parts.name)
    goes_on = grown_family(form(see(beside(cell, grows_toward(parts.name)))).name) == family
    if goes_on == parts.name.endswith("_plant"):
        return state
    berries = f"[berries={parts.props['berries']}]" if "berries" in parts.props else ""
    if goes_on:
        return f"{family}_plant{berries}"
    return f"{family}[age=0,berries={parts.props['berries']}]" if berries else f"{family}[age=0]"


def _shoot(see: At, cell: Cell, state: str, sides: Sides) -> str:
    grown = form(see(beside(cell, "up"))).name == "bamboo"
    return "bamboo[age=0,leaves=none,stage=0]" if grown else state


def _dripleaf(see: At, cell: Cell, state: str, sides: Sides) -> str:
    parts = form(state)
    if form(see(beside(cell, "up"))).name != parts.name:
        return state
    facing, wet = parts.props["facing"], parts.props["waterlogged"]
    return f"big_dripleaf_stem[facing={facing},waterlogged={wet}]"


def _moss(see: At, cell: Cell, state: str, sides: Sides) -> str:
    return with_value(state, "tip", _word(form(see(beside(cell, "down"))).name != form(state).name))


def _bell(see: At, cell: Cell, state: str, sides: Sides) -> str:
    parts = form(state)
    facing, attachment = parts.side(), parts.props["attachment"]
    behind = sturdy(see(beside(cell, OPPOSITE[facing])), facing)
    ahead = sturdy(see(beside(cell, facing)), OPPOSITE[facing])
    if attachment == "single_wall" and ahead and behind:
        return with_value(state, "attachment", "double_wall")
    if attachment == "double_wall" and not (ahead and behind):
        state = with_value(state, "attachment", "single_wall")
        return state if ahead else with_value(state, "facing", OPPOSITE[facing])
    return state


def _campfire(see: At, cell: Cell, state: str, sides: Sides) -> str:
    return with_value(state, "signal_fire", _word(form(see(beside(cell, "down"))).name == "hay_block"))


def _covered(see: At, cell: Cell, state: str, sides: Sides) -> str:
    above = see(beside(cell, "up"))
    return "dirt" if solid(above) and form(above).joins != "gate" else state


def _powder(see: At, cell: Cell, state: str, sides: Sides) -> str:
    """Concrete powder sets in water."""
    if any(form(see(beside(cell, side))).name == "water" for side in ("up", *FLAT)):
        return form(state).name.removesuffix("_powder")
    return state


def _scaffolding(see: At, cell: Cell, state: str, sides: Sides) -> str:
    distance = scaffold_distance(see, cell)
    hangs = distance > 0 and form(see(beside(cell, "down"))).name != "scaffolding"
    return with_values(state, {"distance": str(distance), "bottom": _word(hangs)})


_FOLLOWS: Mapping[str, Sides] = {
    "fence": FLAT,
    "pane": FLAT,
    "wall": (*FLAT, "up"),
    "stairs": FLAT,
    "gate": FLAT,
    "chest": FLAT,
    "snowy": ("up",),
    "tripwire": FLAT,
    "dripstone": ("down", "up"),
    "growing": ("down", "up"),
    "shoot": ("up",),
    "dripleaf": ("up",),
    "moss": ("down",),
    "bell": FLAT,
    "campfire": ("down",),
    "covered": ("up",),
    "scaffolding": ("down", *FLAT),
}
"""The sides at which a change makes a block join anew, where not all do."""

_RULES: Mapping[str, Callable[[At, Cell, str, Sides], str]] = {
    "fence": _fence,
    "pane": _pane,
    "wall": _wall,
    "stairs": _stairs,
    "gate": _gate,
    "chest": _chest,
    "snowy": _snowy,
    "mushroom": _mushroom,
    "wire": _wire,
    "tripwire": _tripwire,
    "clinging": _clinging,
    "chorus": _chorus,
    "dripstone": _dripstone,
    "growing": _growing,
    "shoot": _shoot,
    "dripleaf": _dripleaf,
    "moss": _moss,
    "bell": _bell,
    "campfire": _campfire,
    "covered": _covered,
    "powder": _powder,
    "scaffolding": _scaffolding,
}
