"""GrabCraft's blueprints and the names of blocks in them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hostile_json import cut_at_every_percent, nested, outcome, with_wrong_values
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks import Build, formats
from minece.blocks.catalogue import block_names
from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats.display_names import state_of_name
from minece.blocks.formats.limits import Limits
from minece.blocks.states import canonical_state

Blocks = list[tuple[int, int, int, str]]

HUT: Blocks = [
    (1, 1, 1, "Oak Wood Plank"),
    (2, 1, 1, "Oak Wood Plank"),
    (1, 2, 1, "Oak Door (Facing North, Closed, Lower)"),
    (1, 3, 1, "Oak Door (Hinge Right, Powered, Upper)"),
    (2, 2, 1, "Oak Fence"),
    (3, 2, 1, "Oak Fence"),
]


def entry(x: int, y: int, z: int, name: str) -> dict[str, Any]:
    return {"x": str(x), "y": str(y), "z": str(z), "mat_id": "1481", "name": name, "hex": "#aabbcc", "rgb": [1, 2, 3]}


def levels(blocks: Blocks) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for x, y, z, name in blocks:
        out.setdefault(str(y), {}).setdefault(str(x), {})[str(z)] = entry(x, y, z, name)
    return out


def load(value: Any, before: str = "", after: str = "", **options: Any) -> Build:
    return formats.read((before + json.dumps(value) + after).encode(), **options).build


def test_levels_of_blocks():
    build = load(levels(HUT))
    assert build.blocks.rows() == [
        (1, 0, 1, "oak_planks"),
        (1, 1, 1, "oak_door[facing=south,half=lower,hinge=right,open=false,powered=false]"),
        (1, 2, 1, "oak_door[facing=south,half=upper,hinge=right,open=false,powered=false]"),
        (2, 0, 1, "oak_planks"),
        (2, 1, 1, "oak_fence[east=true,north=false,south=false,waterlogged=false,west=false]"),
        (3, 1, 1, "oak_fence[east=false,north=false,south=false,waterlogged=false,west=true]"),
    ]
    assert build.ground_y == 1 and not build.provenance.ground_known and build.provenance.warnings == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [("var myRenderObject = ", ""), ("\nlet myRenderObject=", ";\n"), ("window.myRenderObject_388 = ", " ; ")],
)
def test_the_script_of_a_page(before, after):
    assert load(levels(HUT), before, after) == load(levels(HUT))


def test_a_plain_list_of_blocks():
    assert load([entry(*block) for block in HUT]) == load(levels(HUT))
    listed = [{**entry(*block), "x": block[0], "y": block[1], "z": block[2]} for block in HUT]
    assert load(listed) == load(levels(HUT))


def test_names_that_are_not_understood_are_kept_and_told():
    build = load(levels([(1, 1, 1, "Quantum Carpet (Fuzzy)"), (2, 1, 1, "Stone")]))
    assert [row[3] for row in build.blocks.rows()] == ["grabcraft:quantum_carpet_fuzzy", "stone"]
    assert build.provenance.warnings == ("unknown blocks, taken as full cubes: grabcraft:quantum_carpet_fuzzy",)


def test_a_build_that_its_blueprint_shows_turned():
    wall = [(x, y, 1, "Stone") for x in range(1, 5) for y in range(1, 4)]
    ladders = [(2, y, 2, "Ladder (facing east)") for y in range(1, 4)]
    build = load(levels([*wall, *ladders, (3, 1, 2, "Stone Brick Stairs (East)")]))
    states = {row[3] for row in build.blocks.rows()}
    assert "ladder[facing=south,waterlogged=false]" in states
    assert "stone_brick_stairs[facing=south,half=bottom,shape=straight,waterlogged=false]" in states
    assert "turned by 90°" in build.provenance.warnings[0] and "3 that need a wall" in build.provenance.warnings[0]
    straight = load(levels([*wall, *((2, y, 2, "Ladder (facing south)") for y in range(1, 4))]))
    assert straight.provenance.warnings == ()


STAIRS = "shape=straight,waterlogged=false"


@pytest.mark.parametrize(
    ("name", "state"),
    [
        ("Acacia Door (Lower, Facing East, Closed)", "acacia_door[facing=west,half=lower,open=false]"),
        ("Spruce Foor (Lower, Facing West, Opened)", "spruce_door[facing=east,half=lower,open=true]"),
        ("Birch Fence Gate (Facing East, Closed)", "birch_fence_gate[facing=east]"),
        ("Acacia Leaves (No Decay and Check Decay)", "acacia_leaves[persistent=true]"),
        ("Acacia Wood", "acacia_log[axis=y]"),
        ("Acacia Wood, Facing North/South", "acacia_log[axis=z]"),
        ("Birch Wood (facing east/west)", "birch_log[axis=x]"),
        ("Birch Wood (only bark)", "birch_wood"),
        ("Dark Oak Wood (No Axis)", "dark_oak_wood"),
        ("Dark Oak Wood Stairs (East, Upside-down)", "dark_oak_stairs[facing=east,half=top]"),
        ("Purpur Stairs (East, Normal", "purpur_stairs[facing=east]"),
        ("Stone Brick Stairs (West)", "stone_brick_stairs[facing=west]"),
        ("Double Birch Wood Slab", "birch_slab[type=double]"),
        (" (Birch Wood, Upper)", "birch_slab[type=top]"),
        ("Bricks (Upper)", "brick_slab[type=top]"),
        ("Stone Slab", "smooth_stone_slab[type=bottom]"),
        ("Red Sandstone Slab, Upper", "red_sandstone_slab[type=top]"),
        ("Wooden Trapdoor (North from block, Open, Top Half)", "oak_trapdoor[facing=north,half=top,open=true]"),
        ("Slightly Damaged Anvil (West/East)", "chipped_anvil[facing=west]"),
        ("Bone Block (Oriented east-west)", "bone_block[axis=x]"),
        ("Hay Bale (Axis Z)", "hay_block[axis=z]"),
        ("Black Stained Clay", "black_terracotta"),
        ("Hardened Clay", "terracotta"),
        ("Moss Stone", "mossy_cobblestone"),
        ("Grass 3", "grass_block"),
        ("Brown Mushroom Block Cap Texture on all 6 Sides", "brown_mushroom_block"),
        ("Brown Mushroom (Cap texture on top, east and south)", "brown_mushroom_block"),
        ("Brown Mushroom", "brown_mushroom"),
        ("Cauldron (2/3 Filled)", "water_cauldron[level=2]"),
        ("Cauldron (Empty)", "cauldron"),
        ("Flower (Double Tallgrass, Upper)", "tall_grass[half=upper]"),
        ("Cactus Flower Pot", "potted_cactus"),
        ("Sapling (Dark Oak, Ready to grow)", "dark_oak_sapling"),
        ("Torch (Facing Up)", "torch"),
        ("Torch (Facing West)", "wall_torch[facing=west]"),
        ("Redstone Torch (off) (Facing East)", "redstone_wall_torch[facing=east,lit=false]"),
        ("Wall Sign, north", "oak_wall_sign[facing=north]"),
        ("Mob Head (On a Wall Facing East)", "player_wall_head[facing=east]"),
        ("Stone Button (Facing Down, Inactive)", "stone_button[face=ceiling]"),
        ("Lever (On Block Top Points South When Off, Not Active)", "lever[face=floor,facing=south]"),
        ("Bed (East, Empty, Foot of the bed)", "white_bed[facing=east,part=foot]"),
        ("Snow  (Three Layers)", "snow[layers=3]"),
        ("Rail (curved; north and east)", "rail[shape=north_east]"),
        ("Powered Rail (Sloped, Ascending to the East, Not Active)", "powered_rail[shape=ascending_east]"),
        ("Vines (North & East)", "vine[east=true,north=true]"),
        ("Weighted Pressure Plate (heavy)", "heavy_weighted_pressure_plate"),
        ("Stone Brick Monster Egg", "infested_stone_bricks"),
        ("Piston (Facing up, Not Extended)", "piston[facing=up]"),
        ("Burning Furnace (Facing North)", "furnace[facing=north,lit=true]"),
        ("Water (Water level Max - 1, Falling)", "water"),
        ("Deepslate Tiles", "deepslate_tiles"),
        ("Air", "air"),
        ("???", "grabcraft:unnamed"),
    ],
)
def test_names(name, state):
    assert canonical_state(state_of_name(name)) == canonical_state(state)


def test_every_block_of_today_is_known_by_its_plain_name():
    odd = {name for name in block_names() if state_of_name(name.replace("_", " ").title()).partition("[")[0] != name}
    # In GrabCraft's time "Oak Wood" was the log and "Stone Slab" the smooth one.
    assert odd == {"stone_slab", *(name for name in odd if name.endswith("_wood") and "stripped" not in name)}


@given(st.text(max_size=60) | st.from_regex(r"(Oak|Double|Wall)? ?[A-Z][a-z]+ ?\(?[A-Za-z, ]*\)?", fullmatch=True))
def test_any_name_is_a_state(name):
    canonical_state(state_of_name(name))


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"1": {"1": {"1": {"mat_id": "1", "name": "Stone"}}}}, "x is null, not a whole number"),
        ({"1": {"1": {"1": {**entry(1, 1, 1, "Stone"), "y": "high"}}}}, "y is 'high', not a whole number"),
        ({"1": {"1": {"1": {**entry(1, 1, 1, "Stone"), "z": 1.5}}}}, "z is 1.5, not a whole number"),
        ({"1": {"1": {"1": {**entry(1, 1, 1, ""), "z": "9" * 8}}}}, "the name is ''"),
        ({"1": {"1": {"1": {**entry(1, 1, 1, "Stone"), "x": 2**40}}}}, "outside"),
        ({"1": {"1": {"1": {"1": entry(1, 1, 1, "Stone")}}}}, "is an object, not a block"),
        ([3, entry(1, 1, 1, "Stone")], r"\[0\]: is 3, not a block"),
    ],
)
def test_wrong_blocks_are_named(value, line):
    with pytest.raises(FormatError, match=line):
        load(value, "var myRenderObject = ")


def test_a_broken_script_names_its_line():
    with pytest.raises(FormatError, match="line 3, column"):
        formats.read(b'\nvar myRenderObject = {"1":\n {,}};')
    assert outcome(b"var myRenderObject = 1 + f();") != "read"


def test_empty_blueprints_hold_nothing():
    assert "holds no block" in load({}, "var myRenderObject = ").provenance.warnings


def test_wrong_values_anywhere_are_one_line():
    lines = [outcome(b"var myRenderObject = " + data) for data in with_wrong_values(levels(HUT[:2]))]
    assert lines.count("read") > 50 and len(set(lines)) > 20


def test_files_cut_short_and_deep_ones_are_one_line():
    for data in cut_at_every_percent(b"var myRenderObject = " + json.dumps(levels(HUT)).encode()):
        assert outcome(data) != "read"
    for inner in nested(100_000):
        assert "nested deeper" in outcome(b"var myRenderObject = " + inner)


def test_too_many_blocks():
    with pytest.raises(LimitError, match="blocks"):
        load(levels(HUT), limits=Limits(blocks=5))
