"""Names and properties of versions before 1.13 become states of today."""

from __future__ import annotations

import pytest
from voxel_files import structure

from minece.blocks import formats
from minece.blocks.catalogue import describe
from minece.blocks.errors import StateError
from minece.blocks.formats import nbt
from minece.blocks.formats.old_states import modern_state
from minece.blocks.states import canonical_state

PAIRS = """
stone[variant=smooth_granite] polished_granite
grass[snowy=false] grass_block
dirt[variant=podzol,snowy=true] podzol[snowy=true]
planks[variant=dark_oak] dark_oak_planks
sapling[stage=1,type=birch] birch_sapling[stage=1]
flowing_water[level=3] water[level=3]
log[axis=none,variant=oak] oak_wood
log2[axis=x,variant=acacia] acacia_log[axis=x]
leaves[check_decay=true,decayable=false,variant=jungle] jungle_leaves[persistent=true]
sponge[wet=true] wet_sponge
sandstone[type=smooth_sandstone] cut_sandstone
red_sandstone[type=chiseled_red_sandstone] chiseled_red_sandstone
bed[facing=east,occupied=false,part=head] red_bed[facing=east,part=head]
tallgrass[type=tall_grass] short_grass
wool[color=silver] light_gray_wool
stained_glass_pane[color=red,east=true,north=false,south=false,west=true] red_stained_glass_pane[east=true,west=true]
red_flower[type=houstonia] azure_bluet
double_plant[facing=north,half=upper,variant=double_rose] rose_bush[half=upper]
stone_slab[half=top,variant=stone] smooth_stone_slab[type=top]
stone_slab[half=bottom,variant=stone_brick] stone_brick_slab[type=bottom]
double_stone_slab[seamless=false,variant=brick] brick_slab[type=double]
double_stone_slab[seamless=true,variant=quartz] smooth_quartz
wooden_slab[half=bottom,variant=spruce] spruce_slab[type=bottom]
purpur_double_slab[variant=default] purpur_slab[type=double]
torch[facing=up] torch
torch[facing=east] wall_torch[facing=east]
unlit_redstone_torch[facing=west] redstone_wall_torch[facing=west,lit=false]
stone_stairs[facing=north,half=top,shape=straight] cobblestone_stairs[facing=north,half=top]
wooden_door[facing=east,half=upper,hinge=right,open=false,powered=false] oak_door[facing=east,half=upper,hinge=right]
lever[facing=up_x,powered=true] lever[face=floor,facing=west,powered=true]
wooden_button[facing=down,powered=false] oak_button[face=ceiling]
stone_button[facing=south,powered=false] stone_button[face=wall,facing=south]
snow_layer[layers=3] snow[layers=3]
snow snow_block
fence[east=true,north=false,south=false,west=false] oak_fence[east=true]
lit_furnace[facing=south] furnace[facing=south,lit=true]
unpowered_repeater[delay=2,facing=north,locked=false] repeater[delay=2,facing=north]
stonebrick[variant=cracked_stonebrick] cracked_stone_bricks
monster_egg[variant=chiseled_brick] infested_chiseled_stone_bricks
brown_mushroom_block[variant=stem] mushroom_stem
cobblestone_wall[east=true,variant=mossy_cobblestone,west=false] mossy_cobblestone_wall[east=low]
flower_pot[contents=rose,legacy_data=0] potted_poppy
skull[facing=west,nodrop=false] skeleton_wall_skull[facing=west]
anvil[damage=1,facing=west] chipped_anvil[facing=west]
quartz_block[variant=lines_x] quartz_pillar[axis=x]
stained_hardened_clay[color=silver] light_gray_terracotta
concrete_powder[color=blue] blue_concrete_powder
oak_stairs[facing=east,half=top,shape=straight] oak_stairs[facing=east,half=top]
obsidian obsidian
some_mod:planks[variant=oak] some_mod:planks[variant=oak]
""".strip().splitlines()  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS)
def test_states(pair):
    old, new = pair.split()
    assert canonical_state(modern_state(f"minecraft:{old}" if ":" not in old else old)) == canonical_state(new)
    assert describe(canonical_state(new)).known or ":" in new


def test_what_has_no_rule_stays():
    for text in ("planks", "stone_slab[type=bottom]", "planks[variant=plastic]", "red_flower[type=a]"):
        assert modern_state(text) == text
    with pytest.raises(StateError):
        modern_state("no state")


@pytest.mark.parametrize(("version", "old"), [(1343, True), (None, True), (1450, True), (1451, False), (3700, False)])
def test_only_files_of_old_versions_are_changed(version, old):
    number = None if version is None else nbt.Int(version)
    data = structure(
        (2, 1, 1), ["minecraft:grass", "wool[color=red]"], [(0, 0, 0, 0), (1, 0, 0, 1)], DataVersion=number
    )
    build = formats.read(data).build
    assert build.blocks.table.material == (("grass_block", "red_wool") if old else ("short_grass", "wool"))
    assert build.provenance.data_version == version
    assert build.provenance.warnings == (() if old else ("unknown blocks, taken as full cubes: wool",))


def test_what_neighbours_tell_is_worked_out():
    fence = "fence[east=false,north=false,south=false,west=false]"
    rows = [(0, 0, 0, 0), (1, 0, 0, 0), (9, 0, 9, 1)]
    old, new = (
        formats.read(structure((9, 1, 9), [fence, "stone"], rows, DataVersion=nbt.Int(v))).build for v in (922, 3700)
    )
    assert [row[3] for row in old.blocks.rows()] == [
        canonical_state("oak_fence[east=true]"), canonical_state("oak_fence[west=true]"), "stone",
    ]  # fmt: skip
    assert new.blocks.palette[0] == "fence[east=false,north=false,south=false,west=false]"
    far = [(0, 0, 0, 0), (1, 0, 0, 0), (10**7, 0, 10**7, 1)]
    apart = formats.read(structure((9, 1, 9), [fence, "stone"], far, DataVersion=nbt.Int(922))).build
    assert len(apart.blocks) == 3 and canonical_state("oak_fence") in apart.blocks.palette


def test_a_state_that_cannot_be_read_is_named_with_its_place():
    data = structure((1, 1, 1), ["minecraft:No State"], [(0, 0, 0, 0)], DataVersion=nbt.Int(1343))
    with pytest.raises(StateError, match=r"palette\[0\]"):
        formats.read(data)
