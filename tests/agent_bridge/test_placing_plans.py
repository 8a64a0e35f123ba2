"""The click that brings a wanted block into a cell."""

from __future__ import annotations

from collections import Counter
from itertools import product
from time import perf_counter

import pytest
from flat_world import FlatWorld

from minece.agent_bridge.clicks import OPPOSITE, Cell, Refusal, Side
from minece.agent_bridge.placing import item_of, plan, use_item
from minece.blocks.catalogue import block_names, block_properties, describe, materials
from minece.blocks.states import canonical_state, material_of, split_state

HERE: Cell = (0, 0, 0)
AIR: Cell = (0, 5, 0)
AROUND: dict[Side, Cell] = {
    "down": (0, 4, 0),
    "up": (0, 6, 0),
    "north": (0, 5, -1),
    "south": (0, 5, 1),
    "west": (-1, 5, 0),
    "east": (1, 5, 0),
}


def got(block: str, *, on: Side | None = None, facing: Side = "north", among: dict[Cell, str] | None = None) -> str:
    """The state that a wish gives on flat soil, or the reason why it is refused."""
    world = FlatWorld(among)
    return world.place(block, HERE, on=on, facing=facing) or world.at(HERE)


# ---- what a wish without brackets gives ----


@pytest.mark.parametrize("facing", ["north", "west"])
@pytest.mark.parametrize(
    ("block", "state"),
    [
        ("stone", "stone"),
        ("oak_stairs", "oak_stairs[facing=east,half=bottom]"),
        ("oak_slab", "oak_slab[type=bottom]"),
        ("oak_log", "oak_log[axis=y]"),
        ("oak_door", "oak_door[facing=north,half=lower,hinge=left]"),
        ("red_bed", "red_bed[facing=north,part=foot]"),
        ("torch", "torch"),
        ("repeater", "repeater[facing=east]"),
        ("furnace", "furnace[facing=north]"),
        ("chest", "chest[facing=north]"),
        ("lever", "lever[face=floor,facing=north]"),
        ("lantern", "lantern[hanging=false]"),
        ("oak_fence_gate", "oak_fence_gate[facing=north]"),
        ("oak_trapdoor", "oak_trapdoor[facing=north,half=bottom]"),
        ("rail", "rail[shape=north_south]"),
        ("hopper", "hopper[facing=down]"),
        ("end_rod", "end_rod[facing=up]"),
        ("observer", "observer[facing=south]"),
        ("piston", "piston[facing=north]"),
        ("wheat_seeds", "no such block"),
        ("redstone_wire", "redstone_wire[east=side,north=side,south=side,west=side]"),
        ("minecraft:grass", "short_grass"),
    ],
)
def test_defaults_where_the_click_leaves_a_choice(block: str, state: str, facing: Side) -> None:
    expected = state if " " in state else canonical_state(state)
    assert got(block, facing=facing) == expected


@pytest.mark.parametrize("on", ["north", "south", "west", "east"])
@pytest.mark.parametrize(
    ("block", "state"),
    [
        ("torch", "wall_torch[facing={away}]"),
        ("soul_torch", "soul_wall_torch[facing={away}]"),
        ("wall_torch", "wall_torch[facing={away}]"),
        ("ladder", "ladder[facing={away}]"),
        ("oak_stairs", "oak_stairs[facing={away}]"),
        ("repeater", "repeater[facing={away}]"),
        ("oak_sign", "oak_wall_sign[facing={away}]"),
        ("stone_button", "stone_button[face=wall,facing={away}]"),
        ("oak_trapdoor", "oak_trapdoor[facing={away}]"),
        ("oak_slab", "oak_slab[type=bottom]"),
    ],
)
def test_a_side_asked_for(block: str, state: str, on: Side) -> None:
    x, _, z = AROUND[on]
    assert got(block, on=on, among={(x, 0, z): "stone"}) == canonical_state(state.format(away=OPPOSITE[on]))


def test_a_side_with_nothing_to_click_is_passed_over() -> None:
    assert got("torch", on="west") == "torch"
    assert got("oak_stairs", on="up") == canonical_state("oak_stairs[facing=east]")


def test_only_a_top_slab_hangs_from_above() -> None:
    world = FlatWorld({(0, 6, 0): "stone"})
    assert world.place("oak_slab", AIR) == ""
    assert world.at(AIR) == canonical_state("oak_slab[type=top]")


# ---- the words of tests/agent_bridge/programs ----


def test_a_torch_with_a_side_becomes_the_wall_torch() -> None:
    world = FlatWorld({(-1, 0, 0): "oak_planks"})
    assert world.place("torch", HERE, on="west") == ""
    assert material_of(world.at(HERE)) == "wall_torch"


def test_a_door_fills_the_cell_above_and_a_bed_the_one_before_it() -> None:
    world = FlatWorld()
    world.place("oak_door", HERE)
    assert {cell: material_of(state) for cell, state in world.blocks().items()} == {
        HERE: "oak_door",
        (0, 1, 0): "oak_door",
    }
    world = FlatWorld()
    world.place("red_bed", HERE)
    assert set(world.blocks()) == {HERE, (0, 0, -1)}


# ---- refusals ----


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("no_such_thing", "no such block"),
        ("Oak Planks", "no such block"),
        ("", "no such block"),
        ("oak_stairs[facing=up]", "no such block"),
        ("stone[facing=up]", "no such block"),
        ("some_mod:machine", "no such block"),
        ("fire", "no item places it"),
        ("piston_head", "no item places it"),
        ("air", "no item places it"),
        ("potted_poppy", "no item places it"),
        ("oak_slab[type=double]", "cannot be placed like that"),
        ("oak_slab[waterlogged=true]", "cannot be placed like that"),
        ("oak_door[half=upper]", "cannot be placed like that"),
        ("red_bed[part=head]", "cannot be placed like that"),
        ("furnace[lit=true]", "cannot be placed like that"),
        ("oak_log[axis=x]", "cannot be placed like that"),
        ("oak_fence[east=true]", "cannot be placed like that"),
        ("wall_torch", "no support"),
        ("ladder", "no support"),
        ("wheat", "no support"),
        ("lily_pad", "no support"),
    ],
)
def test_refusals_on_flat_soil(block: str, reason: str) -> None:
    assert got(block) == reason


def test_refusals_by_what_stands_around() -> None:
    assert FlatWorld().place("stone", AIR) == "nothing to place on"
    assert FlatWorld({AROUND["down"]: "short_grass"}).place("stone", AIR) == "nothing to place on"
    assert FlatWorld({AROUND["down"]: "water"}).place("stone", AIR) == "nothing to place on"
    assert FlatWorld({HERE: "stone"}).place("dirt", HERE) == "cell taken"
    assert FlatWorld({(0, 1, 0): "stone"}).place("oak_door", HERE) == "no room"
    assert FlatWorld({(0, 0, -1): "stone"}).place("red_bed[facing=north]", HERE) == "no room"
    assert FlatWorld({(0, 6, 0): "stone"}).place("torch", AIR) == "no support"


def test_a_bed_turns_where_its_head_has_no_room() -> None:
    world = FlatWorld({(0, 0, -1): "stone"})
    assert world.place("red_bed", HERE) == ""
    assert len(world.blocks()) == 3


@pytest.mark.parametrize("there", ["short_grass", "water", "snow[layers=1]"])
def test_what_gives_way_is_as_good_as_an_empty_cell(there: str) -> None:
    assert got("oak_planks", among={HERE: there}) == "oak_planks"


# ---- more of the same ----


@pytest.mark.parametrize(
    ("there", "wish"),
    [
        ("oak_slab[type=bottom]", "oak_slab[type=double]"),
        ("oak_slab[type=top]", "oak_slab[type=double]"),
        ("candle[candles=2]", "candle[candles=3]"),
        ("turtle_egg", "turtle_egg[eggs=2]"),
        ("snow[layers=7]", "snow[layers=8]"),
        ("pink_petals", "pink_petals[flower_amount=2]"),
        ("glow_lichen[down=true]", "glow_lichen[down=true,north=true]"),
        ("flower_pot", "potted_poppy"),
        ("flower_pot", "potted_azalea_bush"),
        ("cake", "candle_cake"),
        ("cauldron", "water_cauldron[level=3]"),
    ],
)
def test_a_cell_that_holds_less_of_it(there: str, wish: str) -> None:
    world = FlatWorld({HERE: there, (0, 0, -1): "stone"})
    assert world.place(wish, HERE) == ""
    name, given = split_state(wish)
    assert material_of(world.at(HERE)) == name
    assert given.items() <= split_state(world.at(HERE))[1].items()


def test_the_same_block_is_not_placed_into_itself() -> None:
    assert got("oak_slab", among={HERE: "oak_slab[type=bottom]"}) == "cell taken"
    assert got("candle", among={HERE: "candle"}) == "cell taken"
    assert got("short_grass", among={HERE: "short_grass"}) == "cell taken"


# ---- every choice of every kind ----

SIDES4 = ("north", "east", "south", "west")
SIDES6 = (*SIDES4, "up", "down")

CHOICES: list[tuple[str, dict[str, tuple[str, ...]]]] = [
    ("oak_log", {"axis": ("x", "y", "z")}),
    ("iron_chain", {"axis": ("x", "y", "z")}),
    ("oak_slab", {"type": ("top", "bottom")}),
    ("oak_stairs", {"facing": SIDES4, "half": ("top", "bottom")}),
    ("oak_trapdoor", {"facing": SIDES4, "half": ("top", "bottom")}),
    ("oak_fence_gate", {"facing": SIDES4}),
    ("furnace", {"facing": SIDES4}),
    ("chest", {"facing": SIDES4}),
    ("anvil", {"facing": SIDES4}),
    ("repeater", {"facing": SIDES4}),
    ("campfire", {"facing": SIDES4}),
    ("observer", {"facing": SIDES6}),
    ("piston", {"facing": SIDES6}),
    ("dispenser", {"facing": SIDES6}),
    ("barrel", {"facing": SIDES6}),
    ("command_block", {"facing": SIDES6}),
    ("shulker_box", {"facing": SIDES6}),
    ("end_rod", {"facing": SIDES6}),
    ("lightning_rod", {"facing": SIDES6}),
    ("amethyst_cluster", {"facing": SIDES6}),
    ("hopper", {"facing": (*SIDES4, "down")}),
    ("lever", {"face": ("floor", "wall", "ceiling"), "facing": SIDES4}),
    ("oak_button", {"face": ("floor", "wall", "ceiling"), "facing": SIDES4}),
    ("grindstone", {"face": ("floor", "wall", "ceiling"), "facing": SIDES4}),
    ("lantern", {"hanging": ("true", "false")}),
    ("bell", {"attachment": ("floor", "ceiling", "double_wall"), "facing": SIDES4}),
    ("rail", {"shape": ("north_south", "east_west")}),
    ("crafter", {"orientation": block_properties("crafter")["orientation"]}),
    ("oak_sign", {"rotation": tuple(map(str, range(16)))}),
    ("white_banner", {"rotation": tuple(map(str, range(16)))}),
    ("player_head", {"rotation": tuple(map(str, range(16)))}),
    ("oak_wall_sign", {"facing": SIDES4}),
    ("white_wall_banner", {"facing": SIDES4}),
    ("player_wall_head", {"facing": SIDES4}),
    ("wall_torch", {"facing": SIDES4}),
    ("redstone_wall_torch", {"facing": SIDES4}),
    ("ladder", {"facing": SIDES4}),
    ("tripwire_hook", {"facing": SIDES4}),
    ("tube_coral_wall_fan", {"facing": SIDES4}),
    ("oak_hanging_sign", {"rotation": ("0", "4", "8", "12"), "attached": ("false",)}),
    ("oak_wall_hanging_sign", {"facing": SIDES4}),
    ("pointed_dripstone", {"vertical_direction": ("up", "down")}),
    ("vine", {side: ("true",) for side in ("north",)}),
    ("glow_lichen", {"down": ("true",)}),
]


@pytest.mark.parametrize(("block", "choices"), CHOICES, ids=[block for block, _ in CHOICES])
def test_every_choice_has_a_click_between_six_stones(block: str, choices: dict[str, tuple[str, ...]]) -> None:
    for values in product(*choices.values()):
        wish = f"{block}[{','.join(f'{key}={value}' for key, value in zip(choices, values, strict=True))}]"
        world = FlatWorld(dict.fromkeys(AROUND.values(), "stone"))
        assert world.place(wish, AIR) == "", wish
        assert split_state(wish)[1].items() <= split_state(world.at(AIR))[1].items(), wish


@pytest.mark.parametrize(("facing", "hinge"), list(product(SIDES4, ("left", "right"))))
def test_every_door_and_every_bed(facing: str, hinge: str) -> None:
    state = got(f"oak_door[facing={facing},hinge={hinge}]")
    assert state == canonical_state(f"oak_door[facing={facing},half=lower,hinge={hinge}]")
    assert got(f"red_bed[facing={facing}]") == canonical_state(f"red_bed[facing={facing},part=foot]")


def test_corners_and_joins_may_be_asked_for_where_they_come_about() -> None:
    corner: dict[Cell, str] = {(0, 0, -1): "oak_stairs[facing=west]"}
    assert got("oak_stairs[facing=north,shape=outer_left]", among=corner).count("outer_left")
    assert got("oak_stairs[facing=north,half=bottom,shape=straight]", among=corner) == "cannot be placed like that"
    assert got("oak_fence[north=true]", among={(0, 0, -1): "stone"}).count("north=true")
    assert got("cobblestone_wall[north=tall]", among={(0, 0, -1): "stone", (0, 1, 0): "stone"}).count("north=tall")


# ---- every block ----

PLACES: list[dict[Cell, str]] = [
    dict.fromkeys(AROUND.values(), "stone"),
    {AROUND["down"]: "stone"},
    {AROUND["down"]: "grass_block"},
    {AROUND["down"]: "farmland"},
    {AROUND["down"]: "sand", (1, 4, 0): "water"},
    {AROUND["down"]: "soul_sand"},
    {AROUND["down"]: "end_stone"},
    {AROUND["down"]: "clay"},
    {AROUND["down"]: "bamboo_sapling"},
    {AROUND["down"]: "water"},
    {AROUND["down"]: "stone", AIR: "water", (0, 6, 0): "water"},
    {AROUND["north"]: "jungle_log"},
    {AROUND["down"]: "kelp", AIR: "water"},
    {AROUND["up"]: "weeping_vines", AROUND["down"]: "twisting_vines"},
]


def test_every_block_that_an_item_places_has_a_way() -> None:
    missing = []
    for name in sorted(block_names()):
        if item_of(name) and not any(_comes_about(name, place) for place in PLACES):
            missing.append(name)
    # The stems of what grows are never placed: they are what the end below the next one becomes.
    assert missing == [
        "big_dripleaf_stem",
        "cave_vines_plant",
        "kelp_plant",
        "twisting_vines_plant",
        "weeping_vines_plant",
    ]


def _comes_about(name: str, place: dict[Cell, str]) -> bool:
    world = FlatWorld(place)
    return world.place(name, AIR) == "" and material_of(world.at(AIR)) == name


def test_every_default_wish_on_flat_soil() -> None:
    refused: dict[str, set[str]] = {}
    others: Counter[str] = Counter()
    for name in block_names():
        world = FlatWorld()
        if reason := world.place(name, HERE):
            refused.setdefault(reason, set()).add(name)
        elif material_of(world.at(HERE)) != name:
            others[name] += 1
    assert others == {"bamboo": 1}, "its item places a shoot there"
    assert refused["no item places it"] == NO_ITEM
    assert refused["no support"] == NO_SUPPORT
    assert refused["cannot be placed like that"] == {"big_dripleaf_stem", "twisting_vines_plant"}
    assert len(refused) == 3


NO_ITEM = (
    materials("#airs, #candle_cakes, #flower_pots, #cauldrons") - {"flower_pot", "cauldron"}
) | {
    "attached_melon_stem", "attached_pumpkin_stem", "bubble_column", "end_gateway", "end_portal", "fire", "frosted_ice",
    "moving_piston", "nether_portal", "piston_head", "soul_fire", "structure_void", "tall_seagrass",
}  # fmt: skip

NO_SUPPORT = materials(
    "#hanging_signs, #wall_hanging_signs, #wall_signs, #wall_banners, #wall_heads, #wall_torches, #wall_coral_fans"
) | {
    # at a wall or from a ceiling
    "ladder", "tripwire_hook", "vine", "cocoa", "spore_blossom", "hanging_roots", "pale_hanging_moss",
    "cave_vines", "cave_vines_plant", "weeping_vines", "weeping_vines_plant",
    # in or on water
    "kelp", "kelp_plant", "seagrass", "lily_pad", "frogspawn", "sugar_cane", "small_dripleaf",
    # on other soil than grass
    "beetroots", "carrots", "potatoes", "wheat", "melon_stem", "pumpkin_stem", "pitcher_crop", "torchflower_crop",
    "nether_wart", "cactus", "chorus_flower", "chorus_plant",
}  # fmt: skip


def test_items() -> None:
    assert item_of("redstone_wire") == "redstone"
    assert item_of("oak_wall_sign[facing=east]") == "oak_sign"
    assert item_of("minecraft:chain[axis=x]") == "iron_chain"
    assert item_of("wheat") == "wheat_seeds"
    assert item_of("water") == "water_bucket"
    assert item_of("oak_slab[type=double]") == "oak_slab"
    assert item_of("fire") == item_of("potted_poppy") == item_of("no_such_thing") == item_of("No Id") == ""


def test_a_plan_always_comes_about() -> None:
    """For every id and every side at which a stone may lie, the planned click places what was asked for."""
    for name in sorted(block_names()):
        for side, cell in AROUND.items():
            world = FlatWorld({cell: "stone"})
            chosen = plan(world.at, name, AIR, on=side)
            if isinstance(chosen, Refusal):
                assert chosen.reason in {"no support", "no item places it", "cannot be placed like that", "no room"}
                continue
            changes = use_item(world.at, chosen.item, chosen.click)
            assert not isinstance(changes, Refusal), (name, side)
            world.take(changes)
            placed = describe(world.at(AIR))
            assert material_of(world.at(AIR)) == name or placed.item == describe(name).item, (name, side)


def test_planning_is_quick() -> None:
    world = FlatWorld(dict.fromkeys(AROUND.values(), "oak_planks"))
    for wish, most in (("stone", 50e-6), ("oak_stairs[facing=west,half=top]", 2e-3), ("oak_slab[type=double]", 2e-3)):
        times = []
        for _ in range(30):
            start = perf_counter()
            plan(world.at, wish, AIR)
            times.append(perf_counter() - start)
        assert min(times) < most, wish
