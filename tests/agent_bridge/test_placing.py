"""Single clicks: which cell receives the block, in which state, and why not."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from flat_world import FlatWorld, soil

from minece.agent_bridge.clicks import Cell, Change, Point, Side
from minece.agent_bridge.placing.tables import unknown_names
from minece.blocks.states import canonical_state

HERE: Cell = (0, 0, 0)
FLOOR: Cell = (0, -1, 0)


def test_every_name_in_the_file_is_a_block() -> None:
    assert not unknown_names()


def test_full_cubes_take_the_cell_at_the_clicked_face() -> None:
    world = FlatWorld()
    assert world.use("stone", FLOOR, "up") == (Change(HERE, "stone", "placed"),)
    assert world.use("minecraft:dirt", HERE, "east") == (Change((1, 0, 0), "dirt", "placed"),)
    assert world.use("grass_block", HERE, "up") == (Change((0, 1, 0), "grass_block[snowy=false]", "placed"),)


def test_nothing_is_placed_on_air_or_water() -> None:
    world = FlatWorld({(3, 0, 0): "water"})
    assert world.use("stone", (5, 5, 5), "up") == "nothing to place on"
    assert world.use("stone", (3, 0, 0), "up") == "nothing to place on"
    assert not world.blocks().keys() - {(3, 0, 0)}


@pytest.mark.parametrize("item", ["stick", "no_such_thing", "Not An Id!", "fire", "air"])
def test_items_that_place_no_block(item: str) -> None:
    assert FlatWorld().use(item, FLOOR, "up") == "no item places it"


@pytest.mark.parametrize(
    "there",
    [
        "short_grass",
        "fern",
        "dead_bush",
        "snow[layers=1]",
        "vine[north=true]",
        "fire",
        "seagrass",
        "glow_lichen[down=true]",
    ],
)
def test_some_blocks_give_way_where_they_are_clicked(there: str) -> None:
    world = FlatWorld({HERE: there})
    changes = world.use("stone", HERE, "north")
    assert not isinstance(changes, str) and changes[0] == Change(HERE, "stone", "placed")


@pytest.mark.parametrize("there", ["water", "lava", "short_grass"])
def test_some_blocks_give_way_beside_a_click(there: str) -> None:
    world = FlatWorld({HERE: there, (1, 0, 0): "stone"})
    assert world.use("dirt", (1, 0, 0), "west") == (Change(HERE, "dirt", "placed"),)


def test_grass_does_not_give_way_to_grass() -> None:
    world = FlatWorld({HERE: "short_grass"})
    assert world.use("short_grass", FLOOR, "up") == "cell taken"


@pytest.mark.parametrize("there", ["stone", "torch", "snow[layers=2]", "poppy", "oak_slab", "cobweb"])
def test_taken_cells(there: str) -> None:
    world = FlatWorld({HERE: there})
    assert world.use("stone", FLOOR, "up") == "cell taken"


def test_a_half_of_a_tall_plant_goes_with_the_other() -> None:
    world = FlatWorld({HERE: "tall_grass[half=lower]", (0, 1, 0): "tall_grass[half=upper]"})
    assert world.use("stone", FLOOR, "up") == (Change(HERE, "stone", "placed"), Change((0, 1, 0), "air", "removed"))


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_clicks_that_no_player_makes(bad: float) -> None:
    world = FlatWorld()
    assert world.use("oak_stairs", FLOOR, "up", look=bad) == "cannot be placed like that"
    assert world.use("dispenser", FLOOR, "up", pitch=bad) == "cannot be placed like that"
    assert world.use("oak_slab", FLOOR, "up", cursor=(0.5, bad, 0.5)) == "cannot be placed like that"
    assert world.use("oak_stairs", FLOOR, "up", look=1e300) != "cannot be placed like that"


Row = tuple[str, Side, Side | float, float, Point | None, str]

AGAINST_STONE: list[Row] = [
    # item, clicked face of a stone, look, pitch, cursor, state beside it
    ("oak_log", "up", "north", 0, None, "oak_log[axis=y]"),
    ("oak_log", "north", "north", 0, None, "oak_log[axis=z]"),
    ("oak_log", "east", "north", 0, None, "oak_log[axis=x]"),
    ("quartz_pillar", "down", "north", 0, None, "quartz_pillar[axis=y]"),
    ("iron_chain", "west", "north", 0, None, "iron_chain[axis=x]"),
    ("oak_slab", "up", "north", 0, None, "oak_slab[type=bottom]"),
    ("oak_slab", "down", "north", 0, None, "oak_slab[type=top]"),
    ("oak_slab", "east", "north", 0, (1, 0.2, 0.5), "oak_slab[type=bottom]"),
    ("oak_slab", "east", "north", 0, (1, 0.8, 0.5), "oak_slab[type=top]"),
    ("oak_stairs", "up", "west", 0, None, "oak_stairs[facing=west]"),
    ("oak_stairs", "up", "south", 60, None, "oak_stairs[facing=south]"),
    ("oak_stairs", "down", "east", 0, None, "oak_stairs[facing=east,half=top]"),
    ("oak_stairs", "south", "east", 0, (0.5, 0.7, 1), "oak_stairs[facing=east,half=top]"),
    ("oak_stairs", "south", "east", 0, (0.5, 0.3, 1), "oak_stairs[facing=east,half=bottom]"),
    ("oak_trapdoor", "up", "north", 0, None, "oak_trapdoor[facing=south,half=bottom]"),
    ("oak_trapdoor", "down", "east", 0, None, "oak_trapdoor[facing=west,half=top]"),
    ("oak_trapdoor", "east", "north", 0, (1, 0.6, 0.5), "oak_trapdoor[facing=east,half=top]"),
    ("oak_trapdoor", "east", "north", 0, (1, 0.4, 0.5), "oak_trapdoor[facing=east,half=bottom]"),
    ("oak_fence_gate", "up", "west", 0, None, "oak_fence_gate[facing=west]"),
    ("furnace", "up", "west", 0, None, "furnace[facing=east]"),
    ("furnace", "north", "south", 0, None, "furnace[facing=north]"),
    ("chest", "up", "north", 0, None, "chest[facing=south]"),
    ("carved_pumpkin", "up", "east", 0, None, "carved_pumpkin[facing=west]"),
    ("lectern", "up", "east", 0, None, "lectern[facing=west]"),
    ("white_glazed_terracotta", "up", "south", 0, None, "white_glazed_terracotta[facing=north]"),
    ("repeater", "up", "south", 0, None, "repeater[facing=north]"),
    ("comparator", "up", "west", 0, None, "comparator[facing=east]"),
    ("campfire", "up", "east", 0, None, "campfire[facing=east]"),
    ("anvil", "up", "north", 0, None, "anvil[facing=east]"),
    ("anvil", "up", "east", 0, None, "anvil[facing=south]"),
    ("observer", "up", "north", 0, None, "observer[facing=north]"),
    ("observer", "up", "north", 90, None, "observer[facing=down]"),
    ("piston", "up", "north", 0, None, "piston[facing=south]"),
    ("piston", "up", "north", 80, None, "piston[facing=up]"),
    ("dispenser", "east", "west", 0, None, "dispenser[facing=east]"),
    ("dispenser", "east", "west", -80, None, "dispenser[facing=down]"),
    ("barrel", "up", "south", 0, None, "barrel[facing=north]"),
    ("shulker_box", "up", "north", 0, None, "shulker_box[facing=up]"),
    ("red_shulker_box", "west", "north", 0, None, "red_shulker_box[facing=west]"),
    ("end_rod", "east", "north", 0, None, "end_rod[facing=east]"),
    ("lightning_rod", "down", "north", 0, None, "lightning_rod[facing=down]"),
    ("amethyst_cluster", "south", "north", 0, None, "amethyst_cluster[facing=south]"),
    ("hopper", "up", "north", 0, None, "hopper[facing=down]"),
    ("hopper", "down", "north", 0, None, "hopper[facing=down]"),
    ("hopper", "east", "north", 0, None, "hopper[facing=west]"),
    ("crafter", "up", "north", 0, None, "crafter[orientation=south_up]"),
    ("crafter", "up", "east", 90, None, "crafter[orientation=up_east]"),
    ("crafter", "up", "east", -90, None, "crafter[orientation=down_west]"),
    ("jigsaw", "up", "north", 0, None, "jigsaw[orientation=up_south]"),
    ("jigsaw", "west", "north", 0, None, "jigsaw[orientation=west_up]"),
    ("rail", "up", "north", 0, None, "rail[shape=north_south]"),
    ("powered_rail", "up", "west", 0, None, "powered_rail[shape=east_west]"),
    ("torch", "up", "north", 0, None, "torch"),
    ("torch", "west", "north", 0, None, "wall_torch[facing=west]"),
    ("soul_torch", "south", "north", 0, None, "soul_wall_torch[facing=south]"),
    ("redstone_torch", "east", "north", 0, None, "redstone_wall_torch[facing=east]"),
    ("ladder", "north", "east", 0, None, "ladder[facing=north]"),
    ("oak_sign", "up", "north", 0, None, "oak_sign[rotation=0]"),
    ("oak_sign", "up", "east", 0, None, "oak_sign[rotation=4]"),
    ("oak_sign", "up", 22.5, 0, None, "oak_sign[rotation=9]"),
    ("oak_sign", "east", "north", 0, None, "oak_wall_sign[facing=east]"),
    ("white_banner", "up", "south", 0, None, "white_banner[rotation=8]"),
    ("white_banner", "north", "south", 0, None, "white_wall_banner[facing=north]"),
    ("player_head", "up", "south", 0, None, "player_head[rotation=0]"),
    ("player_head", "up", -90.0, 0, None, "player_head[rotation=12]"),
    ("skeleton_skull", "west", "north", 0, None, "skeleton_wall_skull[facing=west]"),
    ("tube_coral_fan", "up", "north", 0, None, "tube_coral_fan[waterlogged=false]"),
    ("tube_coral_fan", "west", "north", 0, None, "tube_coral_wall_fan[facing=west,waterlogged=false]"),
    ("oak_hanging_sign", "down", "north", 0, None, "oak_hanging_sign[attached=false,rotation=0]"),
    ("oak_hanging_sign", "down", 10.0, 0, None, "oak_hanging_sign[attached=false,rotation=8]"),
    ("oak_hanging_sign", "east", "south", 0, None, "oak_wall_hanging_sign[facing=north]"),
    ("lever", "up", "east", 0, None, "lever[face=floor,facing=east]"),
    ("lever", "down", "east", 0, None, "lever[face=ceiling,facing=east]"),
    ("stone_button", "west", "north", 0, None, "stone_button[face=wall,facing=west]"),
    ("grindstone", "up", "north", 0, None, "grindstone[face=floor,facing=north]"),
    ("grindstone", "east", "north", 0, None, "grindstone[face=wall,facing=east]"),
    ("lantern", "up", "north", 0, None, "lantern[hanging=false]"),
    ("soul_lantern", "down", "north", 0, None, "soul_lantern[hanging=true]"),
    ("bell", "up", "east", 0, None, "bell[attachment=floor,facing=east]"),
    ("bell", "down", "east", 0, None, "bell[attachment=ceiling,facing=east]"),
    ("bell", "east", "north", 0, None, "bell[attachment=single_wall,facing=west]"),
    ("tripwire_hook", "south", "north", 0, None, "tripwire_hook[facing=south]"),
    ("vine", "north", "north", 0, None, "vine[south=true]"),
    ("vine", "down", "north", 0, None, "vine[up=true]"),
    ("glow_lichen", "up", "north", 0, None, "glow_lichen[down=true]"),
    ("glow_lichen", "west", "north", 0, None, "glow_lichen[east=true]"),
    ("oak_leaves", "up", "north", 0, None, "oak_leaves[persistent=true]"),
    ("pointed_dripstone", "up", "north", 0, None, "pointed_dripstone[vertical_direction=up]"),
    ("pointed_dripstone", "down", "north", 0, None, "pointed_dripstone[vertical_direction=down]"),
    ("spore_blossom", "down", "north", 0, None, "spore_blossom"),
    ("glow_berries", "down", "north", 0, None, "cave_vines"),
    ("weeping_vines", "down", "north", 0, None, "weeping_vines"),
    ("twisting_vines", "up", "north", 0, None, "twisting_vines"),
    ("scaffolding", "up", "north", 0, None, "scaffolding[distance=0]"),
    ("redstone", "up", "north", 0, None, "redstone_wire[north=side,east=side,south=side,west=side]"),
    ("string", "up", "north", 0, None, "tripwire"),
    ("white_carpet", "up", "north", 0, None, "white_carpet"),
    ("oak_pressure_plate", "up", "north", 0, None, "oak_pressure_plate"),
    ("snow", "up", "north", 0, None, "snow[layers=1]"),
    ("candle", "up", "north", 0, None, "candle[candles=1]"),
    ("sea_pickle", "up", "north", 0, None, "sea_pickle[pickles=1,waterlogged=false]"),
    ("turtle_egg", "up", "north", 0, None, "turtle_egg[eggs=1]"),
    ("flower_pot", "up", "north", 0, None, "flower_pot"),
    ("cake", "up", "north", 0, None, "cake"),
    ("sand", "east", "north", 0, None, "sand"),
    ("water_bucket", "up", "north", 0, None, "water[level=0]"),
    ("lava_bucket", "west", "north", 0, None, "lava[level=0]"),
    ("powder_snow_bucket", "up", "north", 0, None, "powder_snow"),
]  # fmt: skip

STEPS: Mapping[Side, Cell] = {
    "down": (0, -1, 0),
    "up": (0, 1, 0),
    "north": (0, 0, -1),
    "south": (0, 0, 1),
    "west": (-1, 0, 0),
    "east": (1, 0, 0),
}


@pytest.mark.parametrize(("item", "face", "look", "pitch", "cursor", "state"), AGAINST_STONE)
def test_one_block_against_a_stone_in_the_air(
    item: str, face: Side, look: Side | float, pitch: float, cursor: Point | None, state: str
) -> None:
    world = FlatWorld({(0, 9, 0): "stone"})
    dx, dy, dz = STEPS[face]
    changes = world.use(item, (0, 9, 0), face, look=look, pitch=pitch, cursor=cursor)
    assert changes == (Change((dx, 9 + dy, dz), canonical_state(state), "placed"),)


@pytest.mark.parametrize(
    ("item", "below", "state"),
    [
        ("oak_sapling", "dirt", "oak_sapling"),
        ("poppy", "grass_block", "poppy"),
        ("wheat_seeds", "farmland", "wheat[age=0]"),
        ("carrot", "farmland", "carrots[age=0]"),
        ("potato", "farmland", "potatoes[age=0]"),
        ("beetroot_seeds", "farmland", "beetroots[age=0]"),
        ("melon_seeds", "farmland", "melon_stem[age=0]"),
        ("pumpkin_seeds", "farmland", "pumpkin_stem[age=0]"),
        ("torchflower_seeds", "farmland", "torchflower_crop[age=0]"),
        ("pitcher_pod", "farmland", "pitcher_crop[age=0,half=lower]"),
        ("sweet_berries", "dirt", "sweet_berry_bush[age=0]"),
        ("nether_wart", "soul_sand", "nether_wart[age=0]"),
        ("bamboo", "sand", "bamboo_sapling"),
        ("cactus", "sand", "cactus[age=0]"),
        ("dead_bush", "terracotta", "dead_bush"),
        ("crimson_fungus", "crimson_nylium", "crimson_fungus"),
        ("brown_mushroom", "mycelium", "brown_mushroom"),
        ("mangrove_propagule", "clay", "mangrove_propagule[age=4,hanging=false]"),
        ("pink_petals", "grass_block", "pink_petals[facing=south,flower_amount=1]"),
        ("big_dripleaf", "moss_block", "big_dripleaf[facing=south]"),
        ("chorus_flower", "end_stone", "chorus_flower[age=0]"),
        ("chorus_plant", "end_stone", "chorus_plant[down=true]"),
        ("torch", "oak_fence", "torch"),
        ("torch", "glass", "torch"),
        ("lantern", "cobblestone_wall[up=true]", "lantern"),
        ("torch", "oak_slab[type=top]", "torch"),
        ("rail", "hopper", "rail[shape=north_south]"),
        ("oak_sign", "oak_sign", "oak_sign[rotation=0]"),
    ],
)
def test_on_what_a_block_stands(item: str, below: str, state: str) -> None:
    world = FlatWorld({FLOOR: below})
    changes = world.use(item, FLOOR, "up")
    assert not isinstance(changes, str) and changes[0] == Change(HERE, canonical_state(state), "placed")


@pytest.mark.parametrize(
    ("item", "below"),
    [
        ("oak_sapling", "stone"),
        ("poppy", "sand"),
        ("wheat_seeds", "dirt"),
        ("nether_wart", "farmland"),
        ("cactus", "dirt"),
        ("sugar_cane", "sand"),
        ("kelp", "sand"),
        ("seagrass", "sand"),
        ("lily_pad", "stone"),
        ("torch", "oak_leaves[persistent=true]"),
        ("torch", "oak_slab[type=bottom]"),
        ("torch", "farmland"),
        ("oak_door", "oak_slab[type=bottom]"),
        ("rail", "oak_fence"),
        ("repeater", "oak_slab[type=bottom]"),
        ("snow", "ice"),
        ("ladder", "stone"),
        ("tripwire_hook", "stone"),
        ("hanging_roots", "stone"),
        ("oak_hanging_sign", "stone"),
        ("cocoa_beans", "jungle_log"),
        ("vine", "stone"),
        ("redstone", "oak_stairs[half=bottom]"),
        ("bamboo", "farmland"),
    ],
)
def test_on_what_a_block_does_not_stand(item: str, below: str) -> None:
    world = FlatWorld({FLOOR: below})
    assert world.use(item, FLOOR, "up") == "no support"


def test_wall_forms_fall_back_to_what_holds_them() -> None:
    fence = {(0, 0, 0): "oak_fence"}
    # The side of a fence holds no torch: the floor does, where the player looks down.
    world = FlatWorld(fence)
    assert world.use("torch", HERE, "east", pitch=60.0) == (Change((1, 0, 0), "torch", "placed"),)
    # From below nothing but a wall nearby holds it.
    world = FlatWorld({(0, 5, 0): "stone", (0, 4, -1): "stone"})
    changes = world.use("torch", (0, 5, 0), "down", look="north")
    assert changes == (Change((0, 4, 0), "wall_torch[facing=south]", "placed"),)
    assert FlatWorld({(0, 5, 0): "stone"}).use("torch", (0, 5, 0), "down") == "no support"
    assert FlatWorld({(0, 5, 0): "oak_fence"}).use("torch", (0, 5, 0), "east") == "no support"


def test_a_ladder_does_not_continue_across_a_ladder() -> None:
    world = FlatWorld({(0, 0, 0): "stone", (1, 0, 0): "ladder[facing=east]"})
    assert world.use("ladder", (1, 0, 0), "east") == "no support"


def test_a_head_on_a_wall_needs_no_wall_to_stay() -> None:
    world = FlatWorld({(0, 5, 0): "stone"})
    world.use("player_head", (0, 5, 0), "east")
    world.remove((0, 5, 0))
    assert world.blocks() == {(1, 5, 0): "player_wall_head[facing=east,powered=false]"}


def test_slabs_become_double_on_the_right_side() -> None:
    world = FlatWorld({HERE: "oak_slab[type=bottom]"})
    assert world.use("oak_slab", HERE, "up") == (Change(HERE, "oak_slab[type=double,waterlogged=false]", "placed"),)
    world = FlatWorld({HERE: "oak_slab[type=bottom]"})
    changes = world.use("oak_slab", HERE, "east", cursor=(1, 0.3, 0.5))
    assert changes == (Change((1, 0, 0), "oak_slab[type=bottom,waterlogged=false]", "placed"),)
    changes = world.use("oak_slab", HERE, "east", cursor=(1, 0.7, 0.5))
    assert changes == (Change(HERE, "oak_slab[type=double,waterlogged=false]", "placed"),)
    world = FlatWorld({(0, 5, 0): "oak_slab[type=top]"})
    assert world.use("oak_slab", (0, 5, 0), "up") == (
        Change((0, 6, 0), "oak_slab[type=bottom,waterlogged=false]", "placed"),
    )
    changes = world.use("oak_slab", (0, 5, 0), "down")
    assert changes == (Change((0, 5, 0), "oak_slab[type=double,waterlogged=false]", "placed"),)


def test_a_slab_beside_a_click_becomes_double_too() -> None:
    world = FlatWorld({HERE: "oak_slab[type=top]", (1, 0, 0): "stone"})
    changes = world.use("oak_slab", (1, 0, 0), "west", cursor=(0, 0.9, 0.5))
    assert changes == (Change(HERE, "oak_slab[type=double,waterlogged=false]", "placed"),)
    assert world.use("oak_slab", (1, 0, 0), "west") == "cell taken"
    assert world.use("birch_slab", FLOOR, "up") == "cell taken"


@pytest.mark.parametrize(
    ("item", "key", "most"),
    [("candle", "candles", 4), ("turtle_egg", "eggs", 4), ("pink_petals", "flower_amount", 4), ("snow", "layers", 8)],
)
def test_some_blocks_add_up(item: str, key: str, most: int) -> None:
    world = FlatWorld()
    for count in range(1, most + 1):
        world.use(item, FLOOR if count == 1 else HERE, "up")
        assert f"{key}={count}" in world.at(HERE)
    above = world.use(item, HERE, "up")
    assert above == "no support" or world.at(HERE).count(f"{key}={most}")


def test_snow_is_piled_from_above_only() -> None:
    world = FlatWorld({HERE: "snow[layers=2]", (0, -1, 0): "stone"})
    world.use("snow", HERE, "north")
    assert world.at(HERE) == "snow[layers=2]"
    assert world.at((0, 0, -1)) == "snow[layers=1]"


@pytest.mark.parametrize(
    ("block", "logged"),
    [
        ("oak_stairs", True),
        ("oak_slab", True),
        ("oak_fence", True),
        ("sea_pickle", True),
        ("ladder", True),
        ("stone", False),
        ("chest", True),
        ("tube_coral", True),
    ],
)
def test_water_stays_around_blocks_that_let_it(block: str, logged: bool) -> None:
    world = FlatWorld({HERE: "water", (0, 0, -1): "stone"})
    assert world.place(block, HERE) == ""
    assert ("waterlogged=true" in world.at(HERE)) == logged
    world.remove(HERE)
    assert world.at(HERE) == ("water[level=0]" if logged else "air")


def test_flowing_water_is_no_source() -> None:
    world = FlatWorld({HERE: "water[level=3]"})
    world.use("oak_fence", FLOOR, "up")
    assert "waterlogged=false" in world.at(HERE)


def test_buckets() -> None:
    world = FlatWorld({HERE: "oak_slab[type=bottom]"})
    assert world.use("water_bucket", HERE, "up") == (Change(HERE, "oak_slab[type=bottom,waterlogged=true]", "placed"),)
    assert world.use("water_bucket", HERE, "up") == (Change((0, 1, 0), "water[level=0]", "placed"),)
    assert world.use("water_bucket", HERE, "up") == "cell taken"
    assert world.use("water_bucket", (0, -1, 5), "up") == (Change((0, 0, 5), "water[level=0]", "placed"),)
    world = FlatWorld({HERE: "cauldron"})
    assert world.use("water_bucket", HERE, "up") == (Change(HERE, "water_cauldron[level=3]", "placed"),)
    assert world.use("water_bucket", HERE, "up") == "cell taken"
    assert world.use("lava_bucket", HERE, "up") == (Change(HERE, "lava_cauldron", "placed"),)


def test_two_items_in_one_cell() -> None:
    world = FlatWorld()
    assert world.use("poppy", FLOOR, "up") != "no support"
    world = FlatWorld({HERE: "flower_pot", (1, 0, 0): "cake", (2, 0, 0): "cake[bites=1]"})
    assert world.use("poppy", HERE, "up") == (Change(HERE, "potted_poppy", "placed"),)
    assert world.use("red_candle", (1, 0, 0), "up") == (Change((1, 0, 0), "red_candle_cake[lit=false]", "placed"),)
    assert world.use("red_candle", (2, 0, 0), "up") == "no support"


def test_water_plants() -> None:
    pond: dict[Cell, str] = {(0, y, 0): "water" for y in range(3)}
    world = FlatWorld(pond)
    assert world.use("kelp", FLOOR, "up") == (Change(HERE, "kelp[age=0]", "placed"),)
    changes = world.use("kelp", HERE, "up")
    assert changes == (Change((0, 1, 0), "kelp[age=0]", "placed"), Change(HERE, "kelp_plant", "joined"))
    assert world.remove(HERE) == (
        Change(HERE, "water[level=0]", "removed"),
        Change((0, 1, 0), "water[level=0]", "removed"),
    )
    assert world.use("seagrass", FLOOR, "up") == (Change(HERE, "seagrass", "placed"),)
    assert world.use("lily_pad", (0, 2, 0), "up") == (Change((0, 3, 0), "lily_pad", "placed"),)
    shore = FlatWorld({(1, -1, 0): "water"})
    assert shore.use("sugar_cane", FLOOR, "up") == (Change(HERE, "sugar_cane[age=0]", "placed"),)


def test_concrete_powder_sets_in_water() -> None:
    world = FlatWorld({HERE: "water"})
    world.use("red_concrete_powder", FLOOR, "up")
    assert world.at(HERE) == "red_concrete"
    world = FlatWorld({HERE: "red_concrete_powder"})
    changes = world.use("water_bucket", (1, -1, 0), "up")
    assert not isinstance(changes, str) and Change(HERE, "red_concrete", "joined") in changes


def test_concrete_powder_in_air_stays() -> None:
    world = FlatWorld()
    world.use("red_concrete_powder", FLOOR, "up")
    assert world.at(HERE) == "red_concrete_powder"


# ---- doors and beds ----


@pytest.mark.parametrize("look", ["north", "east", "south", "west"])
def test_doors_have_two_halves_that_face_the_look(look: Side) -> None:
    world = FlatWorld()
    changes = world.use("oak_door", FLOOR, "up", look=look)
    lower = canonical_state(f"oak_door[facing={look},half=lower]").replace("hinge=right", "hinge=left")
    assert changes == (
        Change(HERE, lower, "placed"),
        Change((0, 1, 0), lower.replace("lower", "upper"), "placed"),
    )


HINGES: list[tuple[Side, float, float, str]] = [
    ("north", 0.2, 0.5, "left"),
    ("north", 0.8, 0.5, "right"),
    ("south", 0.2, 0.5, "right"),
    ("south", 0.8, 0.5, "left"),
    ("east", 0.5, 0.2, "left"),
    ("east", 0.5, 0.8, "right"),
    ("west", 0.5, 0.2, "right"),
    ("west", 0.5, 0.8, "left"),
]


@pytest.mark.parametrize(("look", "x", "z", "hinge"), HINGES)
def test_hinges_lie_at_the_side_of_the_click(look: Side, x: float, z: float, hinge: str) -> None:
    world = FlatWorld()
    world.use("oak_door", FLOOR, "up", look=look, cursor=(x, 1, z))
    assert f"hinge={hinge}" in world.at(HERE)


def test_hinges_lie_at_the_fuller_jamb_and_away_from_a_door() -> None:
    world = FlatWorld({(1, 0, 0): "stone"})
    world.use("oak_door", FLOOR, "up", look="north", cursor=(0.2, 1, 0.5))
    assert "hinge=right" in world.at(HERE)
    world = FlatWorld({(-1, 0, 0): "stone"})
    world.use("oak_door", FLOOR, "up", look="north", cursor=(0.8, 1, 0.5))
    assert "hinge=left" in world.at(HERE)
    world.use("oak_door", (1, -1, 0), "up", look="north", cursor=(0.2, 1, 0.5))
    assert "hinge=right" in world.at((1, 0, 0)), "a pair of doors opens in the middle"


def test_doors_need_a_floor_and_room() -> None:
    world = FlatWorld({(0, 1, 0): "stone"})
    assert world.use("oak_door", FLOOR, "up") == "no room"
    world = FlatWorld({(0, 5, 0): "stone"})
    assert world.use("oak_door", (0, 5, 0), "east") == "no support"
    assert world.use("oak_door", (0, 5, 0), "down") == "no support"


@pytest.mark.parametrize(
    ("look", "head"), [("north", (0, 0, -1)), ("south", (0, 0, 1)), ("west", (-1, 0, 0)), ("east", (1, 0, 0))]
)
def test_beds_lie_ahead(look: Side, head: Cell) -> None:
    world = FlatWorld()
    changes = world.use("red_bed", FLOOR, "up", look=look)
    assert changes == (
        Change(HERE, f"red_bed[facing={look},occupied=false,part=foot]", "placed"),
        Change(head, f"red_bed[facing={look},occupied=false,part=head]", "placed"),
    )
    world = FlatWorld({head: "stone"})
    assert world.use("red_bed", FLOOR, "up", look=look) == "no room"


def test_tall_plants_have_two_halves() -> None:
    world = FlatWorld()
    changes = world.use("sunflower", FLOOR, "up")
    assert changes == (
        Change(HERE, "sunflower[half=lower]", "placed"),
        Change((0, 1, 0), "sunflower[half=upper]", "placed"),
    )
    assert FlatWorld({(0, 1, 0): "stone"}).use("sunflower", FLOOR, "up") == "no room"


# ---- breaking ----


@pytest.mark.parametrize("cell", [(0, 5, 0), (3, 0, 0)])
def test_air_and_water_cannot_be_broken(cell: Cell) -> None:
    assert FlatWorld({(3, 0, 0): "water"}).remove(cell) == "nothing to break"


def test_soil_can_be_broken() -> None:
    assert FlatWorld().remove((0, -4, 0)) == (Change((0, -4, 0), "air", "removed"),)


@pytest.mark.parametrize("broken", [0, 1])
@pytest.mark.parametrize("block", ["oak_door", "red_bed", "rose_bush"])
def test_halves_go_together(block: str, broken: int) -> None:
    world = FlatWorld()
    world.place(block, HERE)
    cells = list(world.blocks())
    assert len(cells) == 2
    changes = world.remove(cells[broken])
    assert changes == (Change(cells[broken], "air", "removed"), Change(cells[1 - broken], "air", "removed"))


def test_a_door_goes_with_its_floor() -> None:
    world = FlatWorld()
    world.place("oak_door", HERE)
    changes = world.remove(FLOOR)
    assert changes == (
        Change(FLOOR, "air", "removed"),
        Change(HERE, "air", "removed"),
        Change((0, 1, 0), "air", "removed"),
    )


def test_what_hung_on_a_block_goes_in_a_fixed_order() -> None:
    world = FlatWorld({(0, 5, 0): "stone"})
    for face in ("west", "east", "north", "south"):
        world.use("torch", (0, 5, 0), face)  # type: ignore[arg-type]
    world.use("lantern", (0, 5, 0), "down")
    world.use("white_carpet", (0, 5, 0), "up")
    world.use("white_carpet", (0, 6, 0), "up")
    changes = world.remove((0, 5, 0))
    assert not isinstance(changes, str)
    assert [change.cell for change in changes] == [
        (0, 5, 0), (-1, 5, 0), (1, 5, 0), (0, 5, -1), (0, 5, 1), (0, 4, 0), (0, 6, 0), (0, 7, 0),
    ]  # fmt: skip
    assert not world.blocks()


def test_what_stands_without_support_stays_until_that_side_changes() -> None:
    world = FlatWorld({(0, 5, 0): "torch"})
    world.use("stone", FLOOR, "up")
    world.cells[1, 4, 0] = "stone"
    world.use("stone", (1, 4, 0), "up")
    assert world.at((0, 5, 0)) == "torch"
    world.cells[0, 4, 0] = "stone"
    world.remove((0, 4, 0))
    assert world.at((0, 5, 0)) == "air"


def test_sand_does_not_fall() -> None:
    world = FlatWorld({(0, 4, 0): "stone", (0, 5, 0): "sand"})
    world.remove((0, 4, 0))
    assert world.blocks() == {(0, 5, 0): "sand"}


def test_a_vine_keeps_the_faces_that_hold() -> None:
    world = FlatWorld({(0, 5, 0): "stone", (1, 5, 1): "stone", (1, 5, 0): "vine[west=true,south=true]"})
    world.remove((0, 5, 0))
    assert world.at((1, 5, 0)) == canonical_state("vine[south=true]")
    world.remove((1, 5, 1))
    assert not world.blocks()


def test_cacti_take_no_neighbours() -> None:
    world = FlatWorld({FLOOR: "sand"})
    world.use("cactus", FLOOR, "up")
    world.use("cactus", HERE, "up")
    changes = world.use("stone", (1, -1, 0), "up")
    assert not isinstance(changes, str)
    assert {change.cell for change in changes if change.kind == "removed"} == {HERE, (0, 1, 0)}


def test_breaking_leaves_untouched_soil_as_it_was() -> None:
    world = FlatWorld()
    world.use("snow", FLOOR, "up")
    assert world.at(FLOOR) == "grass_block[snowy=true]"
    world.remove(HERE)
    assert all(state == soil(cell) for cell, state in world.cells.items())
