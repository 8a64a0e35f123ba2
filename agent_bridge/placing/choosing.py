"""Which state of its block an item places where."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from minece.agent_bridge.clicks import OPPOSITE, Side, beside
from minece.agent_bridge.placing.faces import full_cube, sturdy
from minece.agent_bridge.placing.forms import (
    AXIS,
    FLAT,
    clockwise,
    counterclockwise,
    form,
    same_axis,
    with_value,
    with_values,
)
from minece.agent_bridge.placing.joining import GONE, clings, joined
from minece.agent_bridge.placing.scene import Scene, sixteenth
from minece.agent_bridge.placing.support import stands
from minece.agent_bridge.placing.tables import among, new_values, words
from minece.blocks.catalogue import block_properties, default_state

NOWHERE = ""
"""The block cannot stand in the cell."""


def state_for(scene: Scene, wall_form: str) -> str:
    """The state that comes into the cell, :data:`NOWHERE` if nothing would hold the block.

    ``wall_form`` is the block that the item becomes at a wall, "" if it has none.
    """
    if not wall_form:
        return _standing(scene, scene.block)
    standing_side: Side = "up" if wall_form.endswith("_wall_hanging_sign") else "down"
    on_wall = _standing(scene, wall_form)
    for side in scene.looks:
        if side != OPPOSITE[standing_side]:
            state = _standing(scene, scene.block) if side == standing_side else on_wall
            if state != NOWHERE:
                return state
    return NOWHERE


def _standing(scene: Scene, block: str) -> str:
    """The state of one block by its kind, joined to its neighbours, if it may stand there."""
    kind = words("kinds").get(block)
    state = with_values(
        default_state(block), {**new_values(block), "waterlogged": "true" if scene.in_water else "false"}
    )
    state = _KINDS[kind](scene, state) if kind else _by_properties(scene, state)
    if state != NOWHERE:
        state = joined(scene.see, scene.cell, state)
    return state if state != GONE and stands(scene.see, scene.cell, state) else NOWHERE


def _by_properties(scene: Scene, state: str) -> str:
    parts = form(state)
    if "axis" in parts.props:
        return with_value(state, "axis", AXIS[scene.click.face])
    if "facing" in parts.props:
        six = "up" in block_properties(parts.name)["facing"]
        return with_value(state, "facing", OPPOSITE[scene.nearest if six else scene.ahead])
    if "rotation" in parts.props:
        return with_value(state, "rotation", sixteenth(scene.click.yaw + 180))
    return state


def _high(scene: Scene) -> bool:
    """Whether the click asks for the upper half of the cell."""
    face = scene.click.face
    return face == "down" or (face != "up" and scene.spot[1] > 0.5)


def _slab(scene: Scene, state: str) -> str:
    if form(scene.there).name == scene.block:
        return with_values(scene.there, {"type": "double", "waterlogged": "false"})
    return with_value(state, "type", "top" if _high(scene) else "bottom")


def _stairs(scene: Scene, state: str) -> str:
    return with_values(state, {"facing": scene.ahead, "half": "top" if _high(scene) else "bottom"})


def _trapdoor(scene: Scene, state: str) -> str:
    face = scene.click.face
    if scene.into or face in ("up", "down"):
        return with_values(state, {"facing": OPPOSITE[scene.ahead], "half": "bottom" if face == "up" else "top"})
    return with_values(state, {"facing": face, "half": "top" if scene.spot[1] > 0.5 else "bottom"})


def _door(scene: Scene, state: str) -> str:
    return with_values(state, {"facing": scene.ahead, "hinge": _hinge(scene)})


def _hinge(scene: Scene) -> str:
    """On the side of the fuller jamb, away from a door beside, else on the side of the click."""
    facing = scene.ahead
    walls: dict[Side, int] = {}
    doors: dict[Side, bool] = {}
    for side in (counterclockwise(facing), clockwise(facing)):
        jamb = beside(scene.cell, side)
        state = scene.see(jamb)
        walls[side] = full_cube(state) + full_cube(scene.see(beside(jamb, "up")))
        doors[side] = form(state).name == scene.block and form(state).props.get("half") == "lower"
    left, right = counterclockwise(facing), clockwise(facing)
    if (doors[left] and not doors[right]) or walls[right] > walls[left]:
        return "right"
    if (doors[right] and not doors[left]) or walls[left] > walls[right]:
        return "left"
    x, _, z = scene.spot
    across = {"north": x, "south": 1 - x, "east": z, "west": 1 - z}[facing]
    return "right" if across > 0.5 else "left"


def _ahead(scene: Scene, state: str) -> str:
    state = with_value(state, "facing", scene.ahead)
    if scene.in_water and "lit" in form(state).props:
        return with_value(state, "lit", "false")
    return state


def _clockwise(scene: Scene, state: str) -> str:
    return with_value(state, "facing", clockwise(scene.ahead))


def _outward(scene: Scene, state: str) -> str:
    return with_value(state, "facing", scene.click.face)


def _rod(scene: Scene, state: str) -> str:
    face = scene.click.face
    clicked = form(scene.see(beside(scene.cell, OPPOSITE[face])))
    meets = clicked.name == scene.block and clicked.side() == face
    return with_value(state, "facing", OPPOSITE[face] if meets else face)


def _look(scene: Scene, state: str) -> str:
    return with_value(state, "facing", scene.nearest)


def _hopper(scene: Scene, state: str) -> str:
    into = OPPOSITE[scene.click.face]
    return with_value(state, "facing", "down" if into == "up" else into)


def _crafter(scene: Scene, state: str) -> str:
    front = OPPOSITE[scene.nearest]
    if front == "down":
        top = OPPOSITE[scene.ahead]
    else:
        top = scene.ahead if front == "up" else "up"
    return with_value(state, "orientation", f"{front}_{top}")


def _jigsaw(scene: Scene, state: str) -> str:
    front = scene.click.face
    top = OPPOSITE[scene.ahead] if front in ("up", "down") else "up"
    return with_value(state, "orientation", f"{front}_{top}")


def _chest(scene: Scene, state: str) -> str:
    facing = OPPOSITE[scene.ahead]
    state = with_value(state, "facing", facing)
    for side, kind in ((clockwise(facing), "left"), (counterclockwise(facing), "right")):
        other = form(scene.see(beside(scene.cell, side)))
        if other.name == scene.block and other.props["type"] == "single" and other.side() == facing:
            return with_value(state, "type", kind)
    return state


def _rail(scene: Scene, state: str) -> str:
    return with_value(state, "shape", "east_west" if AXIS[scene.ahead] == "x" else "north_south")


def _face(scene: Scene, state: str) -> str:
    for side in scene.looks:
        if side in ("up", "down"):
            tried = with_values(state, {"face": "ceiling" if side == "up" else "floor", "facing": scene.ahead})
        else:
            tried = with_values(state, {"face": "wall", "facing": OPPOSITE[side]})
        if stands(scene.see, scene.cell, tried):
            return tried
    return NOWHERE


def _hanging(scene: Scene, state: str) -> str:
    for side in scene.looks:
        if side in ("up", "down"):
            tried = with_value(state, "hanging", "true" if side == "up" else "false")
            if stands(scene.see, scene.cell, tried):
                return tried
    return NOWHERE


def _bell(scene: Scene, state: str) -> str:
    face = scene.click.face
    if face in ("up", "down"):
        tried = with_values(state, {"attachment": "ceiling" if face == "down" else "floor", "facing": scene.ahead})
        return tried if stands(scene.see, scene.cell, tried) else NOWHERE
    between = all(sturdy(scene.see(beside(scene.cell, side)), OPPOSITE[side]) for side in (face, OPPOSITE[face]))
    attachment = "double_wall" if between else "single_wall"
    tried = with_values(state, {"attachment": attachment, "facing": OPPOSITE[face]})
    if stands(scene.see, scene.cell, tried):
        return tried
    on_floor = sturdy(scene.see(beside(scene.cell, "down")), "up")
    tried = with_value(tried, "attachment", "floor" if on_floor else "ceiling")
    return tried if stands(scene.see, scene.cell, tried) else NOWHERE


def _on_wall(scene: Scene, state: str) -> str:
    if scene.block == "ladder" and not scene.into:
        clicked = form(scene.see(scene.click.on))
        if clicked.name == "ladder" and clicked.side() == scene.click.face:
            return NOWHERE
    for side in scene.looks:
        if side in ("up", "down"):
            continue
        tried = with_value(state, "facing", OPPOSITE[side])
        # A head at a wall needs no wall to stay, only something there when it is put up.
        needs_something = not form(tried).holds and form(scene.see(beside(scene.cell, side))).replaceable
        if not needs_something and stands(scene.see, scene.cell, tried):
            return tried
    return NOWHERE


def _across(scene: Scene, state: str) -> str:
    """A hanging sign between two walls, its bar across the clicked face."""
    for side in scene.looks:
        if side in ("up", "down") or same_axis(side, scene.click.face):
            continue
        facing = OPPOSITE[side]
        if any(_bears_bar(scene, facing, end) for end in (clockwise(facing), counterclockwise(facing))):
            return with_value(state, "facing", facing)
    return NOWHERE


def _bears_bar(scene: Scene, facing: Side, end: Side) -> bool:
    there = scene.see(beside(scene.cell, end))
    if form(there).name.endswith("_wall_hanging_sign"):
        return same_axis(form(there).side(), facing)
    return sturdy(there, OPPOSITE[end])


def _ceiling_sign(scene: Scene, state: str) -> str:
    above = scene.see(beside(scene.cell, "up"))
    parts = form(above)
    chained = not sturdy(above, "down")
    if parts.name.endswith("_wall_hanging_sign"):
        chained = chained and not same_axis(parts.side(), scene.ahead)
    elif parts.name.endswith("_hanging_sign") and int(parts.props["rotation"]) % 4 == 0:
        along = _BY_ROTATION[int(parts.props["rotation"]) // 4]
        chained = chained and not same_axis(along, scene.ahead)
    yaw = scene.click.yaw + 180
    rotation = sixteenth(yaw) if chained else str(_BY_ROTATION.index(OPPOSITE[scene.ahead]) * 4)
    return with_values(state, {"attached": "true" if chained else "false", "rotation": rotation})


_BY_ROTATION: tuple[Side, ...] = ("south", "west", "north", "east")


def _head(scene: Scene, state: str) -> str:
    return with_value(state, "rotation", sixteenth(scene.click.yaw))


def _clinging(scene: Scene, state: str) -> str:
    more = form(scene.there).name == scene.block
    if more:
        state = scene.there
    values = block_properties(scene.block)
    for side in scene.looks:
        if side in values and not (more and form(state).props[side] == "true"):
            if clings(scene.see, scene.cell, state, side):
                return with_value(state, side, "true")
    return NOWHERE


def _cocoa(scene: Scene, state: str) -> str:
    for side in scene.looks:
        if side in FLAT:
            tried = with_value(state, "facing", side)
            if stands(scene.see, scene.cell, tried):
                return tried
    return NOWHERE


def _leaves(scene: Scene, state: str) -> str:
    distance = 7
    for side in AXIS:
        parts = form(scene.see(beside(scene.cell, side)))
        if among(parts.name, "log"):
            distance = min(distance, 1)
        elif "persistent" in parts.props:
            distance = min(distance, int(parts.props["distance"]) + 1)
    return with_values(state, {"persistent": "true", "distance": str(distance)})


AMOUNTS = ("candles", "pickles", "eggs", "flower_amount", "segment_amount", "layers")
"""Properties that count how much of a block its cell holds."""


def _amount(scene: Scene, state: str) -> str:
    there = form(scene.there)
    if there.name == scene.block:
        (key,) = (key for key in AMOUNTS if key in there.props)
        most = int(block_properties(scene.block)[key][-1])
        return with_value(scene.there, key, str(min(most, int(there.props[key]) + 1)))
    for key in AMOUNTS:
        state = with_value(state, key, "1")
    return with_value(state, "facing", OPPOSITE[scene.ahead])


def _dripstone(scene: Scene, state: str) -> str:
    looked = next(side for side in scene.looks if side in ("up", "down"))
    for tip in (OPPOSITE[looked], looked):
        tried = with_value(state, "vertical_direction", tip)
        if stands(scene.see, scene.cell, tried):
            return tried
    return NOWHERE


def _dripleaf(scene: Scene, state: str) -> str:
    below = form(scene.see(beside(scene.cell, "down")))
    goes_on = below.name in ("big_dripleaf", "big_dripleaf_stem")
    return with_value(state, "facing", below.side() if goes_on else OPPOSITE[scene.ahead])


def _bamboo(scene: Scene, state: str) -> str:
    if form(scene.there).fluid:
        return NOWHERE
    below, above = (form(scene.see(beside(scene.cell, side))) for side in ("down", "up"))
    if below.name == "bamboo_sapling":
        return with_value(state, "age", "0")
    if below.name == "bamboo":
        return with_value(state, "age", below.props["age"])
    return with_value(state, "age", above.props["age"]) if above.name == "bamboo" else "bamboo_sapling"


def _growing(scene: Scene, state: str) -> str:
    if form(state).name == "kelp" and not scene.in_water:
        return NOWHERE
    return with_value(state, "age", "0")


def _powder(scene: Scene, state: str) -> str:
    """Concrete powder sets where it takes the place of water."""
    there = form(scene.there)
    return form(state).name.removesuffix("_powder") if there.wet or there.name == "water" else state


_KINDS: Mapping[str, Callable[[Scene, str], str]] = {
    "slab": _slab,
    "stairs": _stairs,
    "trapdoor": _trapdoor,
    "door": _door,
    "ahead": _ahead,
    "clockwise": _clockwise,
    "outward": _outward,
    "rod": _rod,
    "look": _look,
    "hopper": _hopper,
    "crafter": _crafter,
    "jigsaw": _jigsaw,
    "chest": _chest,
    "rail": _rail,
    "face": _face,
    "hanging": _hanging,
    "bell": _bell,
    "on_wall": _on_wall,
    "across": _across,
    "ceiling_sign": _ceiling_sign,
    "head": _head,
    "clinging": _clinging,
    "cocoa": _cocoa,
    "leaves": _leaves,
    "amount": _amount,
    "dripstone": _dripstone,
    "dripleaf": _dripleaf,
    "bamboo": _bamboo,
    "growing": _growing,
    "powder": _powder,
}
