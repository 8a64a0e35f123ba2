"""Blocks as people call them: "Oak Wood Stairs (North, Upside-down)" as a state.

The names are those of versions before 1.13 as GrabCraft writes them; plain names of today's blocks ("Deepslate Tiles")
are understood too. A rule for each family of blocks turns the words in brackets into properties. Doors are named after
the side that they are seen from, stairs, beds, signs and torches after where they face. What does not change the shape
of a build (signals, growth, moisture) takes its default.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from minece.blocks import tables
from minece.blocks.states import join_state

UNKNOWN = "grabcraft"
"""Namespace of names that are not understood."""

_OPPOSITE = {"north": "south", "south": "north", "east": "west", "west": "east"}
_SIDES = tuple(_OPPOSITE)
_NUMBERS = "zero one two three four five six seven eight".split()

_SAME = {
    "bed": "white_bed",
    "stone brick monster egg": "infested_stone_bricks",
    "very damaged anvil": "damaged_anvil",
    "slightly damaged anvil": "chipped_anvil",
    "wood plank": "oak_planks",
    "wood planks": "oak_planks",
    "wooden planks": "oak_planks",
    "cake block": "cake",
    "dead shrub": "dead_bush",
    "daylight sensor": "daylight_detector",
    "enchantment table": "enchanting_table",
    "freshly planted cactus": "cactus",
    "grass": "grass_block",
    "grass path": "dirt_path",
    "hardened clay": "terracotta",
    "hay bale": "hay_block",
    "lapis lazuli block": "lapis_block",
    "lapis lazuli ore": "lapis_ore",
    "melon block": "melon",
    "monster spawner": "spawner",
    "moss stone": "mossy_cobblestone",
    "nether brick": "nether_bricks",
    "piston extension": "piston_head",
    "purpur double slab": "purpur_slab",
    "redstone comparator": "comparator",
    "redstone repeater block": "repeater",
    "smooth double stone slab": "smooth_stone_slab",
    "spruce foor": "spruce_door",
    "still water": "water",
    "still lava": "lava",
    "stone slab": "smooth_stone_slab",
    "sugar canes": "sugar_cane",
    "tallgrass": "tall_grass",
    "vines": "vine",
    "wooden button": "oak_button",
    "wooden door": "oak_door",
    "wooden plank": "oak_planks",
    "wooden pressure plate": "oak_pressure_plate",
    "wooden slab": "oak_slab",
    "wooden trapdoor": "oak_trapdoor",
    "burning furnace": "furnace",
    "mob head": "player_head",
    "standing sign": "oak_sign",
    "wall sign": "oak_wall_sign",
    "pillar quartz block": "quartz_pillar",
    "double sandstone slab seamless": "chiseled_sandstone",
}
_PATTERNS = (
    (re.compile(r"(.+) wood planks?"), r"\1 planks"),
    (re.compile(r"(.+) wood (stairs|slab|fence|fence gate|door|button|pressure plate)"), r"\1 \2"),
    (re.compile(r"(?!stripped)(.+) wood"), r"\1 log"),
    (re.compile(r"(.+) stained clay"), r"\1 terracotta"),
    (re.compile(r"(.+) flower pot"), r"potted \1"),
    (re.compile(r"(.+) stone brick monster egg"), r"infested \1 stone bricks"),
    (re.compile(r"(.+) monster egg"), r"infested \1"),
    (re.compile(r"block of (.+)"), r"\1 block"),
    (re.compile(r"grass \d+"), "grass block"),
    (re.compile(r"(.+) \d+"), r"\1"),
    (re.compile(r"(.+ mushroom block) .+"), r"\1"),
    (re.compile(r"wall-mounted sign block .+"), "wall sign"),
)
_Put = Callable[[str, str | None], None]
_BRACKET = re.compile(r"\(([^()]*)\)?")


@lru_cache(maxsize=8192)
def state_of_name(text: str) -> str:
    """The state of a block's name, an unknown block of the namespace :data:`UNKNOWN` for a name that is not understood.

    >>> state_of_name("Dark Oak Wood Stairs (East, Upside-down)")
    'dark_oak_stairs[facing=east,half=top]'
    >>> state_of_name("Oak Door (Facing East, Closed, Lower)")
    'oak_door[facing=west,half=lower,open=false]'
    """
    name = " ".join(text.lower().split())
    words = [part.strip() for group in _BRACKET.findall(name) for part in group.split(",")]
    head, *rest = (part.strip() for part in _BRACKET.sub("", name).split(","))
    words = [word for word in [*rest, *words] if word]
    found = _block(head, words)
    if found is None:
        slug = re.sub(r"[^a-z0-9]+", "_", name).strip("_")[:200] or "unnamed"
        return f"{UNKNOWN}:{slug}"
    return join_state(found, _properties(found, head, words))


def _block(head: str, words: list[str]) -> str | None:
    """The id of a block by the name before its brackets, and by the words in them where they name it."""
    said = " ".join(words)
    if head in ("", "stone wooden slab") and words:  # "(Oak Wood, Upper)" is a slab
        head = f"{words[0].removesuffix(' wood')} slab"
    elif head == "flower" and words:
        head = "tall grass" if "tallgrass" in words[0] else words[0]
    elif head == "sapling" and words:
        head = f"{words[0]} sapling"
    elif head == "weighted pressure plate" and words:
        head = f"{words[0]} {head}"
    elif head.endswith(" mushroom") and {"cap", "stem", "pores"} & set(said.split()):
        head += " block"
    head = head.removeprefix("double ") if head.startswith("double ") and "seamless" not in head else head
    for candidate in (*_renamed(head), head):
        name = _SAME.get(candidate, candidate.replace(" ", "_").replace("-", "_").replace("'", ""))
        if name.endswith("_log") and ("bark" in said or "no axis" in said):
            name = name.removesuffix("_log") + "_wood"
        if "slab" in said or "upper" in words and tables.block(name) is not None and not _halved(name):
            name = _slab(name)
        if "wall" in said or (set(said.split()) & set(_SIDES)):
            name = _on_wall(name)
        if name == "cauldron" and "fill" in said:
            name = "water_cauldron"
        if tables.block(name) is not None:
            return name
    return None


def _renamed(head: str) -> list[str]:
    return [pattern.sub(new, head) for pattern, new in _PATTERNS if pattern.fullmatch(head)]


def _halved(name: str) -> bool:
    block = tables.block(name)
    return block is not None and bool({"half", "type"} & set(block.properties))


def _slab(name: str) -> str:
    """The slab of a full block: "Bricks (Upper)" is one."""
    for slab in (f"{name}_slab", f"{name.removesuffix('s')}_slab"):
        if tables.block(slab) is not None:
            return slab
    return name


def _on_wall(name: str) -> str:
    """The id of a torch or head that hangs on a wall."""
    stem, _, last = name.rpartition("_")
    wall = f"{stem}_wall_{last}" if stem else f"wall_{last}"
    return wall if last in ("torch", "head", "skull") and tables.block(wall) is not None else name


def _properties(name: str, head: str, words: list[str]) -> dict[str, str]:
    block = tables.block(name)
    assert block is not None
    said = " ".join(words)
    known = block.properties
    out: dict[str, str] = {}

    def put(key: str, value: str | None) -> None:
        if value is not None and value in known.get(key, ()):
            out[key] = value

    heard = re.findall(r"[a-z]+|\d+", said)
    sides = [word for word in heard if word in (*_SIDES, "up", "down")]
    if name == "vine":
        for side in sides or ["up" if "above" in heard else "south"]:
            put(side, "true")
        return out
    if "shape" in known and name.endswith("rail"):
        put("shape", _rail(heard, sides))
        return out
    if sides:
        put("facing", _OPPOSITE.get(sides[0], sides[0]) if name.endswith("_door") else sides[0])
    put("axis", _axis(heard, sides))
    if "half" in known or "type" in known:
        _halves(name, head, heard, put)
    put("open", "true" if {"open", "opened"} & set(heard) else "false" if "closed" in heard else None)
    put("hinge", next((side for side in ("left", "right") if side in heard and "hinge" in heard), None))
    put("extended", "true" if "extended" in heard and "not" not in heard else None)
    put("part", next((part for part in ("foot", "head") if part in heard), None))
    put("lit", "true" if head.startswith("burning") or "active" in heard else "false" if "off" in heard else None)
    if "face" in known:
        top, bottom = {"top", "up"} & set(heard), {"bottom", "down"} & set(heard)
        put("face", "floor" if top else "ceiling" if bottom else "wall")
    put("persistent", "true" if "decay" in heard and "no" in heard else None)
    put("layers", next((str(n) for n, word in enumerate(_NUMBERS) if word in heard), None))
    put("level", {"1/3": "1", "2/3": "2"}.get(said[:3], "3" if "fully" in heard else None))
    return out


def _halves(name: str, head: str, heard: list[str], put: _Put) -> None:
    upper = bool({"upper", "top", "upside"} & set(heard))
    lower = bool({"lower", "bottom", "normal"} & set(heard))
    put("half", "upper" if upper else "lower" if lower else None)
    put("half", "top" if upper else "bottom" if lower else None)
    if name.endswith("_slab"):
        put("type", "double" if "double" in head.split() else "top" if upper else "bottom")


def _axis(heard: list[str], sides: list[str]) -> str | None:
    if "axis" in heard and "no" not in heard:
        return next((word for word in heard if word in ("x", "y", "z")), None)
    if set(sides[:2]) == {"east", "west"}:
        return "x"
    return "z" if set(sides[:2]) == {"north", "south"} else None


def _rail(heard: list[str], sides: list[str]) -> str | None:
    if "ascending" in heard and sides:
        return f"ascending_{sides[0]}"
    if "curved" in heard and len(sides) == 2:
        return "_".join(sorted(sides, key=_SIDES.index))
    return "east_west" if "east" in sides else "north_south"
