"""The material table, and profiles."""

import csv
from fnmatch import fnmatchcase

import pytest

from minece.blocks.catalogue import Substance, block_names, default_state, describe, states_of
from minece.fem import MaterialError, find_material, read_profile
from minece.fem.materials import TABLE, material_table
from minece.fem.strength import Failure

WITHOUT = {
    "barrier", "structure_block", "jigsaw", "command_block", "repeating_command_block", "chain_command_block",
    "test_block", "test_instance_block",
}  # fmt: skip


def bears(name):
    return any(describe(state).structural for state in states_of(name)[:64])


def test_every_block_that_bears_has_a_material_or_is_refused_by_name():
    solid = {name for name in block_names() if bears(name)}
    assert len(solid) > 690
    assert {name for name in solid if find_material(name) is None} == WITHOUT
    for name in WITHOUT:
        with pytest.raises(MaterialError, match=f"^{name} has no material; leave the block out"):
            read_profile("masonry").material(name)


@pytest.mark.parametrize(
    ("block", "like"),
    [
        ("oak_slab", "oak_planks"), ("quartz_stairs", "quartz_block"), ("brick_wall", "bricks"),
        ("stone_slab", "stone"), ("bamboo_slab", "bamboo_planks"), ("bamboo_mosaic_slab", "bamboo_planks"),
        ("nether_brick_fence", "nether_bricks"), ("deepslate_tile_stairs", "stone_bricks"),
        ("glass_pane", "glass"), ("red_stained_glass_pane", "glass"), ("minecraft:oak_fence[north=true]", "oak_planks"),
        ("waxed_cut_copper_stairs", "copper_block"), ("infested_stone_bricks", "stone_bricks"),
        ("chain", "iron_block"), ("waxed_exposed_copper_chain", "copper_block"), ("potted_cactus", "flower_pot"),
        ("deepslate_gold_ore", "deepslate_coal_ore"), ("piston_head", "furnace"), ("moss_carpet", "moss_block"),
        ("red_bed", "chest"), ("oak_shelf", "chest"), ("petrified_oak_slab", "petrified_oak_slab"),
        ("grass_path", "dirt"), ("polished_blackstone_brick_wall", "stone_bricks"),
    ],
)  # fmt: skip
def test_blocks_take_the_row_of_what_they_are_made_of(block, like):
    assert find_material(block) is find_material(like) is not None


def test_the_order_of_rows_decides_where_two_match():
    rows = material_table()
    several = {
        name: [row for row in rows if any(fnmatchcase(name, pattern) for pattern in row.patterns)]
        for name in block_names()
    }
    double = {name for name, found in several.items() if len(found) > 1}
    assert all(find_material(name) is several[name][0] for name in double)
    assert {name.split("_")[-1] for name in double} == {"ore", "carpet", "head"}


def test_values_make_sense():
    for row in material_table():
        assert row.density > 0 and row.young > 0 and 0 < row.poisson < 0.5 and row.compressive > 0, row
        assert (row.tensile == 0) == (row.failure is Failure.NO_TENSION), row
        assert row.failure is not Failure.NONE and row.confidence in ("high", "medium", "low")
        assert row.failure is not Failure.DUCTILE or row.tensile == row.compressive
        assert row.analogue and row.source
        assert all(any(fnmatchcase(name, p) for name in block_names()) for p in row.patterns), row.patterns


def test_every_pattern_says_something():
    """No pattern is hidden by the rows above it."""
    for number, row in enumerate(material_table()):
        for pattern in row.patterns:
            found = [name for name in block_names() if fnmatchcase(name, pattern)]
            above = material_table()[:number]
            assert any(not any(fnmatchcase(name, p) for other in above for p in other.patterns) for name in found), (
                pattern
            )


@pytest.mark.parametrize(
    ("block", "young", "density", "compressive", "tensile"),
    [
        ("cobblestone", 8.7e8, 1937, 1.5e6, 3.75e4),
        ("stone_bricks", 2.85e9, 2243, 7e6, 1.575e5),
        ("bricks", 1.5e9, 1835, 3.45e6, 1.35e5),
        ("white_concrete", 3.1e10, 2446, 2.5e7, 2.6e6),
        ("glass", 7e10, 2500, 8e8, 4.5e7),
        ("iron_block", 2.1e11, 7850, 2.35e8, 2.35e8),
        ("oak_planks", 1.1e10, 640, 2.4e7, 1.8e7),
        ("spruce_planks", 1.1e10, 420, 2.1e7, 1.45e7),
        ("birch_planks", 1.3e10, 660, 2.7e7, 2.4e7),
        ("stone", 5e10, 2650, 1.3e8, 5.5e6),
    ],
)
def test_rows_that_people_build_with(block, young, density, compressive, tensile):
    row = find_material(block)
    assert (row.young, row.density, row.compressive, row.tensile) == (young, density, compressive, tensile)


def test_masonry_takes_stone_as_laid_in_blocks():
    masonry, intact = read_profile("masonry"), read_profile("intact")
    bricks = find_material("stone_bricks")
    for block in ("stone", "granite", "polished_andesite", "smooth_stone_slab", "diorite_stairs", "sandstone_wall"):
        assert masonry.material(block) == bricks
        assert intact.material(block) == find_material(block) != bricks
    assert masonry.material("tuff") == find_material("tuff_bricks")
    assert masonry.material("red_terracotta") == find_material("bricks")
    for block in ("oak_planks", "white_concrete", "cobblestone", "glass", "iron_block", "dirt", "packed_ice"):
        assert masonry.material(block) == intact.material(block) == find_material(block)
    with TABLE.open(encoding="utf-8", newline="") as file:
        laid = {row["masonry"] for row in csv.DictReader(file)} - {""}
    assert laid == {"stone_bricks", "tuff_bricks", "bricks"}


def test_uniform_is_one_material_for_all():
    profile = read_profile(" uniform:E=1e9,nu=0.4,rho=91.74 ")
    assert profile.name == "uniform:E=1e+09,nu=0.4,rho=91.74"
    for block in ("stone", "barrier", "white_wool", "somebody:elses_block"):
        material = profile.material(block)
        assert (material.young, material.poisson, material.density) == (1e9, 0.4, 91.74)
        assert material.failure is Failure.NONE
    assert profile.find("oak_leaves") is None
    plain = read_profile("uniform").material("stone")
    assert (plain.young, plain.poisson, plain.density) == (30e9, 0.2, 2400.0)
    assert read_profile("uniform:").material("stone") == plain == read_profile("uniform:rho=2400").material("dirt")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("granite", "unknown material profile 'granite'"),
        ("", "unknown material profile ''"),
        ("masonry:E=1", "unknown material profile"),
        ("uniform:E=stiff", "'stiff' in 'uniform:E=stiff' is no number"),
        ("uniform:G=1e9", "'G' in"),
        ("uniform:E", "'' in 'uniform:E' is no number"),
        ("uniform:E=0", "not positive"),
        ("uniform:E=nan", "not positive"),
        ("uniform:E=inf", "not positive"),
        ("uniform:rho=-3", "not positive"),
        ("uniform:E=1e308", "do not lie"),
        ("uniform:rho=1e-300", "do not lie"),
        ("uniform:nu=0.5", "nu in"),
        ("uniform:nu=nan", "not positive"),
    ],
)
def test_other_profiles_are_refused_in_one_line(text, words):
    with pytest.raises(MaterialError) as wrong:
        read_profile(text)
    assert words in str(wrong.value)
    assert "take masonry, intact or uniform:E=30e9,nu=0.2,rho=2400" in str(wrong.value)


def test_smeared_rows_are_those_of_hollow_things():
    assert find_material("chest").smeared and find_material("copper_grate").smeared
    assert not find_material("oak_fence").smeared and not find_material("anvil").smeared
    assert describe(default_state("chest")).substance is Substance.PARTIAL
