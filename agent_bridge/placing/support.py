"""Whether something holds a block where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from minece.agent_bridge.clicks import OPPOSITE, Cell, Side, beside
from minece.agent_bridge.placing.faces import full_cube, opaque_cube, solid, sturdy
from minece.agent_bridge.placing.forms import FLAT, At, Form, form, is_air
from minece.agent_bridge.placing.tables import among, soils
from minece.blocks.catalogue import describe


def held(see: At, cell: Cell, state: str) -> bool:
    """Whether a block may stand in a cell as the cells around it are, its other half there included."""
    parts = form(state)
    if parts.two_cell and not _other_half_there(see, cell, parts):
        return False
    return stands(see, cell, state)


def stands(see: At, cell: Cell, state: str) -> bool:
    """The same without a look at the other half."""
    parts = form(state)
    return not parts.holds or _RULES[parts.holds](see, cell, parts)


def leans_on(state: str) -> tuple[Side, ...]:
    """The sides of a block at which a change may take away what holds it."""
    parts = form(state)
    sides = _leans(parts)
    if parts.two_cell and (other := other_half_side(parts)) not in sides:
        return (*sides, other)
    return sides


def other_half_side(parts: Form) -> Side:
    """The side at which the other half of a door, a bed or a tall plant lies."""
    if parts.two_cell == "bed":
        facing = parts.side()
        return facing if parts.props.get("part") == "foot" else OPPOSITE[facing]
    return "up" if parts.props.get("half") == "lower" else "down"


def _other_half_there(see: At, cell: Cell, parts: Form) -> bool:
    other = form(see(beside(cell, other_half_side(parts))))
    key = "part" if parts.two_cell == "bed" else "half"
    return other.name == parts.name and other.props.get(key) != parts.props.get(key)


def fixed_to(parts: Form) -> Side:
    """The side at which a lever, a button, a bell or a lantern is fixed."""
    facing = parts.side()
    where = parts.props.get("face") or parts.props.get("attachment") or ""
    if where in ("floor", "ceiling"):
        return "down" if where == "floor" else "up"
    if "hanging" in parts.props:
        return "up" if parts.props["hanging"] == "true" else "down"
    return facing if "attachment" in parts.props else OPPOSITE[facing]


def grows_toward(name: str) -> Side:
    """Where kelp and the like grow: the stem's free end."""
    return "down" if name.startswith(("weeping_vines", "cave_vines")) else "up"


def grown_family(name: str) -> str:
    """The name that the end of a growing stem and the stem below it share."""
    return name.removesuffix("_plant")


def _leans(parts: Form) -> tuple[Side, ...]:
    match parts.holds:
        case "":
            return ()
        case "sturdy_wall" | "solid_wall":
            return (OPPOSITE[parts.side()],)
        case "sturdy_ceiling" | "middle_ceiling" | "moss":
            return ("up",)
        case "face" | "hanging" | "bell":
            return (fixed_to(parts),)
        case "cocoa":
            return (parts.side(),)
        case "cactus" | "chorus_plant" | "chorus_flower":
            return ("down", *FLAT, "up")
        case "dripleaf_stem":
            return ("down", "up")
        case "propagule":
            return ("up",) if parts.props.get("hanging") == "true" else ("down",)
        case "scaffolding":
            return ("down", *FLAT)
        case "growing":
            return (OPPOSITE[grows_toward(parts.name)],)
        case "dripstone":
            return ("down",) if parts.props.get("vertical_direction") == "up" else ("up",)
    return ("down",)


def _floor(see: At, cell: Cell) -> str:
    return see(beside(cell, "down"))


def _above(see: At, cell: Cell) -> str:
    return see(beside(cell, "up"))


def _sturdy_floor(see: At, cell: Cell, parts: Form) -> bool:
    if parts.props.get("half") == "upper":
        return True
    return sturdy(_floor(see, cell), "up")


def _middle_floor(see: At, cell: Cell, parts: Form) -> bool:
    return sturdy(_floor(see, cell), "up", "middle")


def _rigid_floor(see: At, cell: Cell, parts: Form) -> bool:
    return sturdy(_floor(see, cell), "up", "rim")


def _wire_floor(see: At, cell: Cell, parts: Form) -> bool:
    below = _floor(see, cell)
    return sturdy(below, "up") or form(below).name == "hopper"


def _plate_floor(see: At, cell: Cell, parts: Form) -> bool:
    below = _floor(see, cell)
    return sturdy(below, "up", "rim") or sturdy(below, "up", "middle")


def _solid_floor(see: At, cell: Cell, parts: Form) -> bool:
    return solid(_floor(see, cell))


def _any_floor(see: At, cell: Cell, parts: Form) -> bool:
    return not is_air(_floor(see, cell))


def _some_floor(see: At, cell: Cell, parts: Form) -> bool:
    return any(box[4] >= 1 for box in describe(_floor(see, cell)).boxes)


def _snow_floor(see: At, cell: Cell, parts: Form) -> bool:
    below = form(_floor(see, cell))
    if among(below.name, "slippery"):
        return False
    if among(below.name, "snow_bed"):
        return True
    # Leaves hold snow although they hold no torch.
    return sturdy(_floor(see, cell), "up") or full_cube(_floor(see, cell))


def _sturdy_wall(see: At, cell: Cell, parts: Form) -> bool:
    facing = parts.side()
    return sturdy(see(beside(cell, OPPOSITE[facing])), facing)


def _solid_wall(see: At, cell: Cell, parts: Form) -> bool:
    return solid(see(beside(cell, OPPOSITE[parts.side()])))


def _sturdy_ceiling(see: At, cell: Cell, parts: Form) -> bool:
    return sturdy(_above(see, cell), "down")


def _middle_ceiling(see: At, cell: Cell, parts: Form) -> bool:
    return sturdy(_above(see, cell), "down", "middle")


def _face(see: At, cell: Cell, parts: Form) -> bool:
    side = fixed_to(parts)
    return sturdy(see(beside(cell, side)), OPPOSITE[side])


def _hanging(see: At, cell: Cell, parts: Form) -> bool:
    side = fixed_to(parts)
    return sturdy(see(beside(cell, side)), OPPOSITE[side], "middle")


def _bell(see: At, cell: Cell, parts: Form) -> bool:
    if parts.props.get("attachment") == "ceiling":
        return _hanging_from(see, cell)
    return _face(see, cell, parts)


def _hanging_from(see: At, cell: Cell) -> bool:
    return sturdy(_above(see, cell), "down", "middle")


def _cocoa(see: At, cell: Cell, parts: Form) -> bool:
    return among(form(see(beside(cell, parts.side()))).name, "jungle")


def _soil(see: At, cell: Cell, parts: Form) -> bool:
    if parts.two_cell == "plant" and parts.props.get("half") == "upper":
        return True
    return form(_floor(see, cell)).name in soils()[parts.name]


def _mushroom(see: At, cell: Cell, parts: Form) -> bool:
    below = _floor(see, cell)
    return among(form(below).name, "mushroom_ground") or opaque_cube(below)


def _propagule(see: At, cell: Cell, parts: Form) -> bool:
    if parts.props.get("hanging") == "true":
        return form(_above(see, cell)).name == "mangrove_leaves"
    below = form(_floor(see, cell)).name
    return among(below, "earth") or below in ("farmland", "clay")


def _cactus_flower(see: At, cell: Cell, parts: Form) -> bool:
    below = _floor(see, cell)
    return form(below).name in ("cactus", "farmland") or sturdy(below, "up", "middle")


def _cactus(see: At, cell: Cell, parts: Form) -> bool:
    for side in FLAT:
        next_to = see(beside(cell, side))
        if solid(next_to) or form(next_to).name == "lava":
            return False
    below = form(_floor(see, cell)).name
    return (below == "cactus" or below in _SAND) and not form(_above(see, cell)).fluid


def _cane(see: At, cell: Cell, parts: Form) -> bool:
    below = form(_floor(see, cell)).name
    if below == "sugar_cane":
        return True
    if not (among(below, "earth") or below in _SAND):
        return False
    ground = beside(cell, "down")
    shores = (form(see(beside(ground, side))) for side in FLAT)
    return any(shore.wet or shore.name in ("water", "frosted_ice") for shore in shores)


_SAND = frozenset({"sand", "red_sand", "suspicious_sand"})


def _afloat(see: At, cell: Cell, parts: Form) -> bool:
    below = form(_floor(see, cell))
    surface = below.wet or (parts.name == "lily_pad" and below.name in ("ice", "frosted_ice"))
    here = form(see(cell))
    return surface and not (here.fluid or here.wet)


def _growing(see: At, cell: Cell, parts: Form) -> bool:
    toward = grows_toward(parts.name)
    root = see(beside(cell, OPPOSITE[toward]))
    name = form(root).name
    if parts.name.startswith("kelp"):
        if name == "magma_block":
            return False
        here = form(see(cell))
        if not here.wet:
            return False
    return grown_family(name) == grown_family(parts.name) or sturdy(root, toward)


def _under_water(see: At, cell: Cell, parts: Form) -> bool:
    if parts.props.get("half") == "upper":
        return True
    below = _floor(see, cell)
    return sturdy(below, "up") and form(below).name != "magma_block" and form(see(cell)).wet


def _small_dripleaf(see: At, cell: Cell, parts: Form) -> bool:
    if parts.props.get("half") == "upper":
        return True
    below = form(_floor(see, cell)).name
    if below in ("clay", "moss_block"):
        return True
    return parts.wet and (among(below, "earth") or below == "farmland")


def _dripleaf(see: At, cell: Cell, parts: Form) -> bool:
    below = form(_floor(see, cell)).name
    return below in ("big_dripleaf", "big_dripleaf_stem", "clay", "farmland") or among(below, "earth")


def _dripleaf_stem(see: At, cell: Cell, parts: Form) -> bool:
    return _dripleaf(see, cell, parts) and form(_above(see, cell)).name in ("big_dripleaf", "big_dripleaf_stem")


def _moss(see: At, cell: Cell, parts: Form) -> bool:
    above = _above(see, cell)
    return form(above).name == "pale_hanging_moss" or sturdy(above, "down")


def _dripstone(see: At, cell: Cell, parts: Form) -> bool:
    tip = parts.side("vertical_direction")
    root = see(beside(cell, OPPOSITE[tip]))
    return sturdy(root, tip) or (form(root).name == parts.name and form(root).props.get("vertical_direction") == tip)


def _chorus_plant(see: At, cell: Cell, parts: Form) -> bool:
    below = form(_floor(see, cell)).name
    enclosed = not is_air(_above(see, cell)) and not is_air(_floor(see, cell))
    for side in FLAT:
        neighbour = beside(cell, side)
        if form(see(neighbour)).name == "chorus_plant":
            if enclosed:
                return False
            if form(see(beside(neighbour, "down"))).name in ("chorus_plant", "end_stone"):
                return True
    return below in ("chorus_plant", "end_stone")


def _chorus_flower(see: At, cell: Cell, parts: Form) -> bool:
    below = form(_floor(see, cell)).name
    if below in ("chorus_plant", "end_stone"):
        return True
    if not is_air(_floor(see, cell)):
        return False
    around = [see(beside(cell, side)) for side in FLAT]
    plants = [state for state in around if form(state).name == "chorus_plant"]
    return len(plants) == 1 and all(is_air(state) for state in around if state != plants[0])


def scaffold_distance(see: At, cell: Cell) -> int:
    """Steps from a scaffold to one that stands on something; seven are too many."""
    below = _floor(see, cell)
    if form(below).name == "scaffolding":
        return int(form(below).props["distance"])
    if sturdy(below, "up"):
        return 0
    around = (form(see(beside(cell, side))) for side in FLAT)
    return min([7, *(int(parts.props["distance"]) + 1 for parts in around if parts.name == "scaffolding")])


def _scaffolding(see: At, cell: Cell, parts: Form) -> bool:
    return scaffold_distance(see, cell) < 7


_RULES: Mapping[str, Callable[[At, Cell, Form], bool]] = {
    "sturdy_floor": _sturdy_floor,
    "middle_floor": _middle_floor,
    "rigid_floor": _rigid_floor,
    "wire_floor": _wire_floor,
    "plate_floor": _plate_floor,
    "solid_floor": _solid_floor,
    "any_floor": _any_floor,
    "some_floor": _some_floor,
    "snow_floor": _snow_floor,
    "sturdy_wall": _sturdy_wall,
    "solid_wall": _solid_wall,
    "sturdy_ceiling": _sturdy_ceiling,
    "middle_ceiling": _middle_ceiling,
    "face": _face,
    "hanging": _hanging,
    "bell": _bell,
    "cocoa": _cocoa,
    "soil": _soil,
    "mushroom": _mushroom,
    "propagule": _propagule,
    "cactus": _cactus,
    "cactus_flower": _cactus_flower,
    "cane": _cane,
    "afloat": _afloat,
    "growing": _growing,
    "under_water": _under_water,
    "small_dripleaf": _small_dripleaf,
    "dripleaf": _dripleaf,
    "dripleaf_stem": _dripleaf_stem,
    "moss": _moss,
    "dripstone": _dripstone,
    "chorus_plant": _chorus_plant,
    "chorus_flower": _chorus_flower,
    "scaffolding": _scaffolding,
}
