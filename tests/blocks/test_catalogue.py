"""What the catalogue says of blocks."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

import pytest

from minece.blocks import tables
from minece.blocks.catalogue import (
    SOIL,
    Substance,
    block_names,
    default_state,
    describe,
    in_version,
    materials,
    name_in_version,
    states_of,
    suggest,
    tags,
)
from minece.blocks.errors import BlocksError, StateError

FULL, PARTIAL, PASSABLE, FLUID, ATTACHMENT = Substance
DYES = (
    "white", "orange", "magenta", "light_blue", "yellow", "lime", "pink", "gray", "light_gray", "cyan", "purple",
    "blue", "brown", "green", "red", "black",
)  # fmt: skip


def test_every_state_of_the_game_is_there() -> None:
    assert len(block_names()) == 1168
    assert sum(len(states_of(name)) for name in block_names()) == 29873


def test_every_state_is_known_and_consistent() -> None:
    for state in chain.from_iterable(map(states_of, sorted(block_names()))):
        info = describe(state)
        assert info.known and info.state == state
        assert info.structural <= (info.substance in (FULL, PARTIAL))
        assert bool(info.holds) == (info.substance is ATTACHMENT)
        assert (info.substance is FULL) <= (info.boxes == tables.FULL_BOX)
        assert (info.substance is PARTIAL) <= bool(info.boxes)
        assert info.items >= 1
        assert all(0 <= c <= 255 for c in info.colour)
        for x0, y0, z0, x1, y1, z1 in info.boxes:
            assert 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1.5 and 0 <= z0 < z1 <= 1


def test_nothing_solid_was_missed_by_the_exceptions() -> None:
    """A block without any box stands in exceptions.toml, and every id there exists."""
    listed = set(tables.exceptions())
    assert listed <= block_names()
    empty = {name for name in block_names() if not any(describe(state).boxes for state in states_of(name))}
    assert empty <= listed


def test_exceptions_give_reasons_and_known_words() -> None:
    for entry in tomllib.loads((tables.FOLDER / "exceptions.toml").read_text(encoding="utf-8"))["exception"]:
        assert set(entry) <= {
            "reason", "blocks", "when", "substance", "structural", "leaves", "gravity", "boxes", "holds",
        }  # fmt: skip
        assert len(entry["reason"]) > 10
        assert ("holds" in entry) == (entry.get("substance") == "attachment")


@pytest.mark.parametrize(
    ("state", "substance", "structural"),
    [
        ("stone", FULL, True),
        ("glass", FULL, True),
        ("ice", FULL, True),
        ("oak_slab", PARTIAL, True),
        ("oak_slab[type=double]", FULL, True),
        ("oak_stairs", PARTIAL, True),
        ("oak_fence", PARTIAL, True),
        ("cobblestone_wall", PARTIAL, True),
        ("cobblestone_wall[up=false]", PARTIAL, True),
        ("glass_pane", PARTIAL, True),
        ("iron_bars", PARTIAL, True),
        ("iron_chain", PARTIAL, True),
        ("chest", PARTIAL, True),
        ("red_bed", PARTIAL, True),
        ("farmland", PARTIAL, True),
        ("dirt_path", PARTIAL, True),
        ("soul_sand", PARTIAL, True),
        ("mud", PARTIAL, True),
        ("oak_leaves", FULL, False),
        ("oak_door", ATTACHMENT, False),
        ("oak_trapdoor", ATTACHMENT, False),
        ("oak_fence_gate", ATTACHMENT, False),
        ("white_carpet", ATTACHMENT, False),
        ("torch", ATTACHMENT, False),
        ("poppy", ATTACHMENT, False),
        ("oak_sign", ATTACHMENT, False),
        ("rail", ATTACHMENT, False),
        ("ladder", ATTACHMENT, False),
        ("cactus", ATTACHMENT, False),
        ("snow[layers=1]", ATTACHMENT, False),
        ("snow[layers=8]", FULL, True),
        ("water", FLUID, False),
        ("lava", FLUID, False),
        ("bubble_column", FLUID, False),
        ("cobweb", PASSABLE, False),
        ("light", PASSABLE, False),
        ("structure_void", PASSABLE, False),
        ("air", PASSABLE, False),
        ("mod:machine", FULL, True),
    ],
)
def test_substance(state: str, substance: Substance, structural: bool) -> None:
    info = describe(state)
    assert (info.substance, info.structural) == (substance, structural)


def test_gravity_and_leaves() -> None:
    falling = {name for name in block_names() if describe(name).gravity}
    assert {"sand", "red_sand", "gravel", "anvil", "dragon_egg", "lime_concrete_powder"} <= falling
    assert len(falling) == 25
    assert not {"sandstone", "lime_concrete", "soul_sand", "scaffolding"} & falling
    assert {name for name in block_names() if describe(name).leaves} == tags()["leaves"]


@pytest.mark.parametrize(
    ("state", "holds"),
    [
        ("torch", {"down"}),
        ("wall_torch[facing=east]", {"west"}),
        ("redstone_wall_torch[facing=north]", {"south"}),
        ("ladder[facing=south]", {"north"}),
        ("oak_wall_sign[facing=west]", {"east"}),
        ("red_wall_banner[facing=west]", {"east"}),
        ("zombie_wall_head[facing=west]", {"east"}),
        ("tube_coral_wall_fan[facing=west]", {"east"}),
        ("tripwire_hook[facing=west]", {"east"}),
        ("amethyst_cluster[facing=down]", {"up"}),
        ("amethyst_cluster[facing=up]", {"down"}),
        ("lever[face=floor,facing=east]", {"down"}),
        ("lever[face=ceiling,facing=east]", {"up"}),
        ("stone_button[face=wall,facing=east]", {"west"}),
        ("lantern[hanging=true]", {"up"}),
        ("lantern", {"down"}),
        ("mangrove_propagule[hanging=true]", {"up"}),
        ("oak_hanging_sign", {"up"}),
        ("oak_wall_hanging_sign[facing=north]", {"west", "east"}),
        ("white_carpet", {"down"}),
        ("rail", {"down"}),
        ("oak_door[half=upper]", {"down"}),
        ("oak_trapdoor", {"down", "up", "north", "south", "east", "west"}),
        ("vine[east=true,up=true]", {"east", "up"}),
        ("glow_lichen[down=true]", {"down"}),
        ("fire", {"down"}),
        ("bell[attachment=ceiling]", {"up"}),
        ("bell[attachment=floor]", {"down"}),
        ("bell[attachment=single_wall,facing=east]", {"east"}),
        ("bell[attachment=double_wall,facing=east]", {"east", "west"}),
        ("pointed_dripstone[vertical_direction=down]", {"up"}),
        ("pointed_dripstone[vertical_direction=up]", {"down"}),
        ("cocoa[facing=south]", {"south"}),
        ("end_rod[facing=up]", {"up", "down"}),
        ("lightning_rod[facing=east]", {"east", "west"}),
        ("spore_blossom", {"up"}),
        ("hanging_roots", {"up"}),
        ("chorus_plant", {"down", "north", "south", "east", "west"}),
        ("kelp", {"down"}),
        ("sunflower[half=upper]", {"down"}),
        ("stone", set()),
        ("oak_leaves", set()),
    ],
)
def test_what_holds_an_attachment(state: str, holds: set[str]) -> None:
    assert set(describe(state).holds) == holds


def test_a_wall_bell_reaches_the_wall_that_holds_it() -> None:
    """The holding face agrees with the collision box."""
    assert any(box[3] == 1.0 for box in describe("bell[attachment=single_wall,facing=east]").boxes)
    assert any(box[5] == 1.0 for box in describe("ladder[facing=north]").boxes)


@pytest.mark.parametrize(
    ("state", "item", "items"),
    [
        ("oak_slab", "oak_slab", 1),
        ("oak_slab[type=double]", "oak_slab", 2),
        ("candle[candles=3]", "candle", 3),
        ("sea_pickle[pickles=4]", "sea_pickle", 4),
        ("turtle_egg[eggs=2]", "turtle_egg", 2),
        ("pink_petals[flower_amount=4]", "pink_petals", 4),
        ("wildflowers[flower_amount=2]", "wildflowers", 2),
        ("leaf_litter[segment_amount=3]", "leaf_litter", 3),
        ("snow[layers=5]", "snow", 1),
        ("vine[east=true,west=true]", "vine", 2),
        ("wall_torch", "torch", 1),
        ("redstone_wall_torch", "redstone_torch", 1),
        ("oak_wall_sign", "oak_sign", 1),
        ("oak_wall_hanging_sign", "oak_hanging_sign", 1),
        ("blue_wall_banner", "blue_banner", 1),
        ("skeleton_wall_skull", "skeleton_skull", 1),
        ("player_wall_head", "player_head", 1),
        ("horn_coral_wall_fan", "horn_coral_fan", 1),
        ("redstone_wire", "redstone", 1),
        ("wheat", "wheat_seeds", 1),
        ("water_cauldron", "cauldron", 1),
        ("piston_head", "", 1),
        ("chest[type=left]", "chest", 1),
    ],
)
def test_items(state: str, item: str, items: int) -> None:
    info = describe(state)
    assert (info.item, info.items) == (item, items)


def test_a_pot_and_a_cake_hold_a_second_item() -> None:
    assert (describe("potted_poppy").item, describe("potted_poppy").extra_item) == ("flower_pot", "poppy")
    assert describe("potted_azalea_bush").extra_item == "azalea"
    assert (describe("red_candle_cake").item, describe("red_candle_cake").extra_item) == ("cake", "red_candle")


def test_double_slabs_are_whole_and_bottom_ones_half() -> None:
    """R31."""
    assert describe("oak_slab[type=double]").boxes == tables.FULL_BOX
    assert describe("oak_slab[type=bottom]").boxes == ((0.0, 0.0, 0.0, 1.0, 0.5, 1.0),)
    assert describe("oak_fence").boxes[0][4] == 1.5


@pytest.mark.parametrize(
    ("tag", "count"),
    [
        ("planks", 12), ("doors", 21), ("trapdoors", 21), ("beds", 16), ("concrete", 16), ("concrete_powder", 16),
        ("wool", 16), ("terracotta", 17), ("glazed_terracotta", 16), ("stained_glass", 16), ("glass_panes", 17),
        ("carpets", 16), ("leaves", 11), ("fence_gates", 12), ("fences", 13), ("buttons", 14), ("signs", 48),
        ("banners", 32), ("candles", 17), ("shulker_boxes", 17), ("walls", 26), ("slabs", 62), ("stairs", 58),
    ],
)  # fmt: skip
def test_tag_sizes(tag: str, count: int) -> None:
    assert len(tags()[tag]) == count


def test_tags_are_no_substrings() -> None:
    assert "bedrock" not in tags()["beds"]
    assert not tags()["doors"] & tags()["trapdoors"]
    assert "gray_concrete" not in tags()["light_gray"] and "light_gray_concrete" not in tags()["gray"]
    assert not materials("#light_blue") & materials("#blue")
    assert "jack_o_lantern" not in tags()["lanterns"] and "sea_lantern" not in tags()["lanterns"]
    assert "mushroom_stem" not in tags()["logs"] and "crimson_stem" in tags()["logs"]
    assert all(ids and ids <= block_names() for ids in tags().values())


def test_colour_tags_hold_dyed_blocks_only() -> None:
    for dye in DYES:
        assert tags()[dye] == {
            f"{dye}_{kind}"
            for kind in ("wool", "concrete", "concrete_powder", "terracotta", "glazed_terracotta", "stained_glass")
        }
    merely_red = {"red_sandstone", "red_nether_bricks", "red_mushroom", "red_tulip", "red_sand", "redstone_block"}
    assert not tags()["red"] & merely_red


def test_materials() -> None:
    assert materials("minecraft:grass") == {"short_grass"}
    assert materials(["oak_planks", "#beds"]) == tags()["beds"] | {"oak_planks"}
    assert materials("stone, #minecraft:planks") == tags()["planks"] | {"stone"}
    assert materials("mod:thing") == {"mod:thing"}
    assert materials("oak_log[axis=x]") == {"oak_log"}
    assert SOIL <= block_names()
    with pytest.raises(BlocksError, match="did you mean #planks"):
        materials("#plank")
    with pytest.raises(BlocksError):
        materials("#")
    with pytest.raises(StateError):
        materials("")


def test_suggestions() -> None:
    assert suggest("minecraft:Oak Plank")[0] == "oak_planks"
    assert suggest("zzzzzz") == []


@pytest.mark.parametrize(
    ("version", "count"),
    [("1.13", 593), ("1.20.4", 1058), ("1.21.1", 1060), ("1.21.4", 1095), ("1.21.11", 1166), ("26.1", 1168)],
)
def test_versions_hold_as_many_blocks_as_the_game(version: str, count: int) -> None:
    assert sum(in_version(name, version) for name in block_names()) == count


def test_versions_know_blocks_by_their_name_then() -> None:
    assert in_version("iron_chain", "1.21.4") and name_in_version("iron_chain", "1.21.4") == "chain"
    assert name_in_version("chain", "1.21.9") == "iron_chain"
    assert name_in_version("short_grass", "1.20.2") == "grass"
    assert name_in_version("stone", "1.13") == "stone"
    assert not in_version("pale_oak_planks", "1.21.1") and in_version("pale_oak_planks", "1.21.10")
    assert not in_version("mod:thing", "26.1")
    with pytest.raises(BlocksError, match="like 1.21.4"):
        in_version("stone", "newest")


def test_defaults() -> None:
    assert default_state("grass") == "short_grass"
    assert default_state("oak_log") == "oak_log[axis=y]"
    assert states_of("mod:thing") == ["mod:thing"]


def test_numeric_ids_are_states_of_today() -> None:
    assert all(describe(state).known for state in tables.legacy().values())
    assert [tables.legacy()[f"5:{data}"] for data in range(4)] == [
        "oak_planks", "spruce_planks", "birch_planks", "jungle_planks",
    ]  # fmt: skip
    assert tables.legacy()["44:0"] == "smooth_stone_slab[type=bottom]"
    assert "shape=straight" in tables.legacy()["53:0"]


def test_data_files_have_one_line_per_entry() -> None:
    """So that a new version of the game shows as a readable diff."""
    for name in ("catalogue.json", "tags.json", "aliases.json", "legacy.json"):
        text = (tables.FOLDER / name).read_text(encoding="utf-8")
        entries = sum(len(v) for v in json.loads(text).values() if isinstance(v, dict))
        assert text.count("\n") > entries
    shapes = json.loads((tables.FOLDER / "catalogue.json").read_text())["shapes"]
    assert len({json.dumps(shape) for shape in shapes}) == len(shapes)


def test_importing_reads_no_data() -> None:
    code = (
        "import minece.blocks.catalogue as c, minece.blocks.tables as t\n"
        "print([f.cache_info().currsize for f in (t._catalogue, t.tags, t.aliases, t.exceptions, t.legacy)])\n"
        "c.describe('stone'); print(t._catalogue.cache_info().currsize, t.legacy.cache_info().currsize)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[0, 0, 0, 0, 0]", "1 0"]


def test_committed_tags_and_colours_are_those_of_the_hand_tables() -> None:
    """After an edit of tools/catalogue.toml somebody ran tools/make_catalogue.py."""
    path = Path(__file__).parents[2] / "tools" / "make_catalogue.py"
    spec = importlib.util.spec_from_file_location("make_catalogue", path)
    assert spec is not None and spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    hand = tomllib.loads(script.TABLES.read_text(encoding="utf-8"))
    made = script.make_tags(hand, sorted(block_names()))
    assert {tag: frozenset(ids) for tag, ids in made.items()} == dict(tags())
    for name in block_names():
        assert "#" + bytes(describe(name).colour).hex() == script.colour_of(name, hand)
