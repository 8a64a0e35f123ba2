"""Block states by name and properties, as versions before 1.13 spelled them, as those of today.

``planks[variant=oak]`` became ``oak_planks``. A name has a template in which its properties stand; a property's value
goes into it as :data:`_VALUES` spells it. Names and properties that have no rule stay as they are. What those versions
worked out from neighbours and did not save is worked out anew.
"""

from __future__ import annotations

from minece.blocks import tables
from minece.blocks.errors import StateError
from minece.blocks.states import join_state, split_state

LAST = 1450
"""The last DataVersion of the old names."""

WITHOUT = 500
"""The DataVersion that the game takes where a structure names none."""

_SAME = (
    "grass grass_block, noteblock note_block, bed red_bed, golden_rail powered_rail, web cobweb, deadbush dead_bush, "
    "piston_extension moving_piston, brick_block bricks, mob_spawner spawner, stone_stairs cobblestone_stairs, "
    "standing_sign oak_sign, wall_sign oak_wall_sign, wooden_door oak_door, wooden_pressure_plate oak_pressure_plate, "
    "snow_layer snow, snow snow_block, reeds sugar_cane, fence oak_fence, fence_gate oak_fence_gate, "
    "pumpkin carved_pumpkin, lit_pumpkin jack_o_lantern, portal nether_portal, trapdoor oak_trapdoor, "
    "melon_block melon, waterlily lily_pad, nether_brick nether_bricks, red_nether_brick red_nether_bricks, "
    "end_bricks end_stone_bricks, quartz_ore nether_quartz_ore, hardened_clay terracotta, slime slime_block, "
    "magma magma_block, standing_banner white_banner, wall_banner white_wall_banner, flowing_water water, "
    "flowing_lava lava, silver_shulker_box light_gray_shulker_box, "
    "silver_glazed_terracotta light_gray_glazed_terracotta, powered_comparator comparator, "
    "unpowered_comparator comparator"
)

_TEMPLATES = {
    **dict(pair.split() for pair in _SAME.split(", ")),
    **{name: f"{{color}}_{name}" for name in ("wool", "carpet", "stained_glass", "stained_glass_pane", "concrete")},
    "concrete_powder": "{color}_concrete_powder",
    "stained_hardened_clay": "{color}_terracotta",
    "stone": "{variant}",
    "dirt": "{variant}",
    "sand": "{variant}",
    "planks": "{variant}_planks",
    "sapling": "{type}_sapling",
    "log": "{variant}_{axis}",
    "log2": "{variant}_{axis}",
    "leaves": "{variant}_leaves[persistent={decayable}]",
    "leaves2": "{variant}_leaves[persistent={decayable}]",
    "sponge": "{wet}",
    "sandstone": "{type}",
    "red_sandstone": "{type}",
    "tallgrass": "{type}",
    "yellow_flower": "{type}",
    "red_flower": "{type}",
    "double_plant": "{variant}",
    "stone_slab": "{variant}_slab[type={half}]",
    "stone_slab2": "{variant}_slab[type={half}]",
    "wooden_slab": "{variant}_slab[type={half}]",
    "purpur_slab": "purpur_slab[type={half}]",
    "double_stone_slab": "{variant}_slab[type=double]",
    "double_stone_slab2": "{variant}_slab[type=double]",
    "double_wooden_slab": "{variant}_slab[type=double]",
    "purpur_double_slab": "purpur_slab[type=double]",
    "stonebrick": "{variant}",
    "monster_egg": "infested_{variant}",
    "prismarine": "{variant}",
    "quartz_block": "{variant}",
    "cobblestone_wall": "{variant}_wall",
    "brown_mushroom_block": "{variant}",
    "red_mushroom_block": "{variant}",
    "anvil": "{damage}",
    "flower_pot": "{contents}",
    "torch": "{facing}",
    "redstone_torch": "{facing}",
    "unlit_redstone_torch": "{facing}",
    "lever": "lever[{facing}]",
    "stone_button": "stone_button[{facing}]",
    "wooden_button": "oak_button[{facing}]",
    "skull": "{facing}",
    "lit_furnace": "furnace[lit=true]",
    "lit_redstone_ore": "redstone_ore[lit=true]",
    "lit_redstone_lamp": "redstone_lamp[lit=true]",
    "unpowered_repeater": "repeater[powered=false]",
    "powered_repeater": "repeater[powered=true]",
    "daylight_detector_inverted": "daylight_detector[inverted=true]",
}

_SIDES = ("north", "south", "east", "west")


def _on_walls(standing: str, wall: str, more: str = "") -> dict[str, str]:
    """The states of a block that stands, or hangs on a wall."""
    rest = f",{more}" if more else ""
    upright = f"{standing}[{more}]" if more else standing
    return {"up": upright, "down": upright, **{side: f"{wall}[facing={side}{rest}]" for side in _SIDES}}


_BUTTON = {"up": "face=floor", "down": "face=ceiling", **{side: f"face=wall,facing={side}" for side in _SIDES}}
_LOG = {"": "log", "none": "wood", **{axis: f"log[axis={axis}]" for axis in "xyz"}}
_PERSISTENT = {"": "false", "true": "false", "false": "true"}
_CUT = {"sandstone": "sandstone", "chiseled_sandstone": "chiseled_sandstone", "smooth_sandstone": "cut_sandstone"}
_SLAB = {"stone": "smooth_stone", "wood_old": "petrified_oak"}
_POTTED = (
    "poppy blue_orchid allium red_tulip orange_tulip white_tulip pink_tulip oxeye_daisy dandelion red_mushroom "
    "brown_mushroom fern cactus oak_sapling spruce_sapling birch_sapling jungle_sapling acacia_sapling dark_oak_sapling"
).split()

# "" is what stands for a property that is not there; values that are not listed stay.
_VALUES: dict[tuple[str, str], dict[str, str]] = {
    ("stone", "variant"): {
        "": "stone",
        "smooth_granite": "polished_granite",
        "smooth_diorite": "polished_diorite",
        "smooth_andesite": "polished_andesite",
    },
    ("dirt", "variant"): {"": "dirt"},
    ("sand", "variant"): {"": "sand"},
    ("log", "axis"): _LOG,
    ("log2", "axis"): _LOG,
    ("leaves", "decayable"): _PERSISTENT,
    ("leaves2", "decayable"): _PERSISTENT,
    ("sponge", "wet"): {"": "sponge", "false": "sponge", "true": "wet_sponge"},
    ("sandstone", "type"): {"": "sandstone", **_CUT},
    ("red_sandstone", "type"): {
        "": "red_sandstone",
        "smooth_red_sandstone": "cut_red_sandstone",
    },
    ("tallgrass", "type"): {"": "short_grass", "tall_grass": "short_grass"},
    ("yellow_flower", "type"): {"": "dandelion"},
    ("red_flower", "type"): {"": "poppy", "houstonia": "azure_bluet"},
    ("double_plant", "variant"): {
        "syringa": "lilac",
        "double_grass": "tall_grass",
        "double_fern": "large_fern",
        "double_rose": "rose_bush",
        "paeonia": "peony",
    },
    ("stone_slab", "variant"): _SLAB,
    ("double_stone_slab", "variant"): _SLAB,
    ("stonebrick", "variant"): {
        "": "stone_bricks",
        "stonebrick": "stone_bricks",
        "mossy_stonebrick": "mossy_stone_bricks",
        "cracked_stonebrick": "cracked_stone_bricks",
        "chiseled_stonebrick": "chiseled_stone_bricks",
    },
    ("monster_egg", "variant"): {
        "": "stone",
        "stone_brick": "stone_bricks",
        "mossy_brick": "mossy_stone_bricks",
        "cracked_brick": "cracked_stone_bricks",
        "chiseled_brick": "chiseled_stone_bricks",
    },
    ("prismarine", "variant"): {"": "prismarine"},
    ("quartz_block", "variant"): {
        "": "quartz_block",
        "default": "quartz_block",
        "chiseled": "chiseled_quartz_block",
        **{f"lines_{axis}": f"quartz_pillar[axis={axis}]" for axis in "xyz"},
    },
    ("cobblestone_wall", "variant"): {"": "cobblestone"},
    ("anvil", "damage"): {"": "anvil", "0": "anvil", "1": "chipped_anvil", "2": "damaged_anvil"},
    ("flower_pot", "contents"): {
        "": "flower_pot",
        "empty": "flower_pot",
        "rose": "potted_poppy",
        "houstonia": "potted_azure_bluet",
        "dead_bush": "potted_dead_bush",
        "mushroom_red": "potted_red_mushroom",
        "mushroom_brown": "potted_brown_mushroom",
        **{plant: f"potted_{plant}" for plant in _POTTED},
    },
    ("torch", "facing"): {"": "torch", **_on_walls("torch", "wall_torch")},
    ("redstone_torch", "facing"): {"": "redstone_torch", **_on_walls("redstone_torch", "redstone_wall_torch")},
    ("unlit_redstone_torch", "facing"): {
        "": "redstone_torch[lit=false]",
        **_on_walls("redstone_torch", "redstone_wall_torch", "lit=false"),
    },
    ("lever", "facing"): {
        **{side: f"face=wall,facing={side}" for side in _SIDES},
        "up_z": "face=floor,facing=north",
        "up_x": "face=floor,facing=west",
        "down_z": "face=ceiling,facing=north",
        "down_x": "face=ceiling,facing=west",
    },
    ("stone_button", "facing"): _BUTTON,
    ("wooden_button", "facing"): _BUTTON,
    ("skull", "facing"): {"": "skeleton_skull", **_on_walls("skeleton_skull", "skeleton_wall_skull")},
}
for _kind in ("brown", "red"):
    _VALUES[f"{_kind}_mushroom_block", "variant"] = {
        "all_stem": "mushroom_stem",
        "stem": "mushroom_stem",
        **dict.fromkeys(
            (
                "", "north_west", "north", "north_east", "west", "center", "east", "south_west", "south", "south_east",
                "all_inside", "all_outside",
            ),
            f"{_kind}_mushroom_block",
        ),
    }  # fmt: skip

_SEAMLESS = {"stone": "smooth_stone", "sandstone": "smooth_sandstone", "quartz": "smooth_quartz"}


class _Spelled(dict[str, str]):
    """Properties as templates take them; keeps in mind which of them were used."""

    def __init__(self, name: str, properties: dict[str, str]) -> None:
        super().__init__(properties)
        self.name = name
        self.used: set[str] = set()

    def __getitem__(self, key: str) -> str:
        value = self.get(key, "")
        self.used.add(key)
        if key == "color":
            return value.replace("silver", "light_gray")
        return _VALUES.get((self.name, key), {}).get(value, value)


def modern_state(text: str) -> str:
    """The state of today. Raises :class:`StateError` for text that is no state.

    >>> modern_state("minecraft:log[axis=none,variant=oak]")
    'oak_wood'
    """
    name, properties = split_state(text)
    template = _TEMPLATES.get(name)
    if template is None:
        return text
    spelled = _Spelled(name, properties)
    if properties.get("seamless") == "true" and properties.get("variant") in _SEAMLESS:
        return _SEAMLESS[properties["variant"]]
    try:
        new, added = split_state(template.format_map(spelled))
    except StateError:
        return text  # a property that the template needs is not there
    block = tables.block(new)
    if block is None:
        return text
    known = set(block.properties) | {key for changed, key in tables.aliases().changes if changed == new}
    kept = {key: value for key, value in properties.items() if key in known and key not in spelled.used}
    return join_state(new, {**kept, **added})


_MOST_NUMBERS = 2**16 - 1
