"""MCEdit schematics: numeric ids and what they leave out, and writing them back."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import nbtlib
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import builds

from minece.blocks import Build, formats, tables
from minece.blocks.catalogue import describe
from minece.blocks.errors import FormatError, MineceError
from minece.blocks.formats import flattening, nbt
from minece.blocks.formats.flattening import code_of
from minece.blocks.states import canonical_state

REAL = Path(__file__).parents[2] / "data" / "real"
G01 = REAL / "g01-viking-house1.schematic"


def bytes_of(values: Sequence[int]) -> np.ndarray:
    return np.array(values, dtype=np.uint8).view(np.int8)


def schematic(size: Sequence[int], ids: Sequence[int], data: Sequence[int] | None = None, **more: Any) -> bytes:
    """A schematic with the ids and data values in order y, z, x; ``more`` are further tags, None leaves one out."""
    sides = {n: nbt.Short(v) for n, v in zip(("Width", "Height", "Length"), size, strict=True)}
    root = {
        **sides,
        "Materials": "Alpha",
        "Blocks": bytes_of([i & 255 for i in ids]),
        "Data": bytes_of(data or [0] * len(ids)),
        "Entities": nbt.List(nbt.COMPOUND),
        "TileEntities": nbt.List(nbt.COMPOUND),
        **more,
    }
    return nbt.write("Schematic", {name: tag for name, tag in root.items() if tag is not None})


def read(data: bytes, **options: Any) -> Build:
    return formats.read(data, name="x.schematic", **options).build


def states(data: bytes) -> list[str]:
    """States in order x, y, z."""
    return [state for *_, state in read(data).blocks.rows()]


def entity(x: int, y: int, z: int, kind: str, **tags: Any) -> nbt.Compound:
    return {"id": kind, "x": nbt.Int(x), "y": nbt.Int(y), "z": nbt.Int(z), **tags}


def column(*pairs: tuple[int, int], entities: Sequence[Mapping[str, Any]] = ()) -> list[str]:
    """The states of blocks one upon another."""
    ids, data = zip(*pairs, strict=True)
    return states(schematic((1, len(ids), 1), ids, data, TileEntities=nbt.List(nbt.COMPOUND, list(entities))))


# --- reading


def test_r21_ids_above_127_are_not_negative():
    assert [describe(state).material for state in states(schematic((3, 1, 1), [128, 159, 255]))] == [
        "sandstone_stairs",
        "white_terracotta",
        "structure_block",
    ]


def test_r22_the_data_value_tells_variants_apart():
    found = states(schematic((4, 1, 1), [5] * 4, [0, 1, 2, 3]))
    assert found == ["oak_planks", "spruce_planks", "birch_planks", "jungle_planks"]


def test_every_pair_of_the_table_is_a_known_state():
    pairs = [tuple(map(int, key.split(":"))) for key in tables.legacy()]
    ids, data = zip(*pairs, strict=True)
    build = read(schematic((len(ids), 1, 1), ids, data))
    assert all(describe(state).known for state in build.blocks.palette)
    assert not build.provenance.warnings


def test_the_real_house_gives_the_counts_of_two_other_readers():
    rows = csv.DictReader((REAL / "files.csv").read_text().splitlines())
    row = next(row for row in rows if row["file"] == G01.name)
    build = formats.read(G01).build
    assert len(build.blocks) == int(row["nonair_blocks"])
    assert "x".join(map(str, build.provenance.box)) == row["dims_xyz"]
    assert int((build.blocks.cells[:, 1] == 0).sum()) == int(row["blocks_in_lowest_layer"])
    # The table counts pairs of ids without air; joined fences and corners of stairs make more states of them, so the
    # pairs are compared as they are written back.
    codes = [code_of(build.blocks.palette[i]).code for i in build.blocks.index.tolist()]
    found = Counter(f"{code >> 4}:{code & 15}" for code in codes)
    assert len(found) == int(row["states_used"])
    for pair in row["top_materials"].split("; "):
        name, count = pair.split("=")
        assert found[name] == int(count)
    # The table leaves the column "offset" empty: the place in the world stands in WEOrigin.
    assert build.provenance.offset == (138, 3, 1030) and build.provenance.format == "schematic"


def test_where_a_schematic_without_an_origin_lies():
    offset = {f"WEOffset{axis}": nbt.Int(value) for axis, value in zip("XYZ", (-11, -1, -3), strict=True)}
    assert read(schematic((1, 1, 1), [1], **offset)).provenance.offset == (-11, -1, -3)
    assert read(schematic((1, 1, 1), [1])).provenance.offset is None


def test_upper_bits_of_worldedit_and_of_schematica():
    ids = [300, 301, 302]
    worldedit = schematic((3, 1, 1), ids, AddBlocks=bytes_of([0x11, 0x01]))
    assert states(worldedit) == ["legacy:300_0", "legacy:301_0", "legacy:302_0"]
    assert states(schematic((3, 1, 1), [300, 45, 302], AddBlocks=bytes_of([0x01, 0x01])))[1] == "bricks"
    mapping = {"mod:machine": nbt.Short(300), "minecraft:stone": nbt.Short(1)}
    schematica = schematic(
        (3, 1, 1), [300, 1, 1], [2, 0, 3], AddBlocks=bytes_of([0x10, 0x00]), SchematicaMapping=mapping
    )
    assert states(schematica) == ["mod:machine[data=2]", "stone", "diorite"]
    assert states(schematic((3, 1, 1), ids, Add=bytes_of([1, 1, 1]))) == states(worldedit)
    short = schematic((3, 1, 1), ids, AddBlocks=bytes_of([0x11]))
    assert states(short) == ["legacy:300_0", "legacy:301_0", "tnt[unstable=false]"]  # WorldEdit leaves the half out


def test_a_table_of_ids_goes_before_the_games_own():
    ids = {"minecraft:cobblestone": nbt.Short(1), "minecraft:wool": nbt.Short(2), "IC2:blockMachine": nbt.Short(3)}
    found = states(schematic((3, 1, 1), [1, 2, 3], [0, 14, 1], SchematicaMapping=ids))
    assert found == ["cobblestone", "red_wool", "ic2:blockmachine[data=1]"]
    mcedit = {"1": "minecraft:planks", "2": "minecraft:air"}
    assert states(schematic((2, 1, 1), [1, 2], [2, 0], BlockIDs=mcedit)) == ["birch_planks"]


def test_ids_that_the_game_does_not_have_are_kept_and_counted():
    build = read(schematic((4, 1, 1), [253, 253, 254, 1], [0, 3, 3, 0]))
    assert set(build.blocks.palette) == {"legacy:253_0", "legacy:253_3", "legacy:254_3", "stone"}
    assert (
        "3 blocks with numeric ids that version 1.12 does not have, kept as legacy:ID_DATA: 253:0, 253:3, 254:3"
        in build.provenance.warnings
    )


def test_data_values_that_an_id_does_not_have_mean_what_the_game_makes_of_them():
    build = read(schematic((6, 1, 1), [12, 50, 53, 54, 78, 64], [9, 0, 12, 0, 9, 13]))
    assert [state for *_, state in build.blocks.rows()] == [
        "sand",
        "torch",
        "oak_stairs[facing=east,half=top,shape=straight,waterlogged=false]",
        "chest[facing=north,type=single,waterlogged=false]",
        "snow[layers=2]",
        canonical_state("oak_door[half=upper,hinge=right]").replace("facing=north", "facing=east"),
    ]
    said = "6 blocks with data values that their ids do not have, read as the game does: 12:9, 50:0, 53:12, 54:0"
    assert any(line.startswith(said) for line in build.provenance.warnings)


@pytest.mark.parametrize(
    ("lower", "upper", "says"),
    [
        (1, 8, "facing=south,half={},hinge=left,open=false,powered=false"),
        (1, 9, "facing=south,half={},hinge=right,open=false,powered=false"),
        (6, 10, "facing=west,half={},hinge=left,open=true,powered=true"),
        (3, 11, "facing=north,half={},hinge=right,open=false,powered=true"),
    ],
)
def test_doors_are_put_together_from_both_halves(lower, upper, says):
    found = column((193, lower), (193, upper))
    assert found == [f"spruce_door[{says.format(half)}]" for half in ("lower", "upper")]


def test_halves_of_doors_that_stand_alone():
    assert column((64, 1)) == ["oak_door[facing=south,half=lower,hinge=left,open=false,powered=false]"]
    assert "hinge=right" in column((64, 9))[0] and "half=upper" in column((64, 9))[0]
    # Doors of two kinds, and two lower halves, are no pairs.
    assert "hinge=left" in column((64, 1), (193, 9))[0]
    assert all("half=lower" in state for state in column((64, 1), (64, 2)))


def test_upper_halves_of_plants_are_of_the_plant_below():
    assert column((175, 2), (175, 8)) == ["tall_grass[half=lower]", "tall_grass[half=upper]"]
    assert column((175, 5), (175, 10)) == ["peony[half=lower]", "peony[half=upper]"]
    assert column((175, 11)) == ["large_fern[half=upper]"]


def test_colours_of_beds_and_banners_kinds_of_heads_and_pots_stand_in_block_entities():
    def of(pair: tuple[int, int], **tags: Any) -> str:
        return column(pair, entities=[entity(0, 0, 0, "minecraft:any", **tags)])[0]

    assert column((26, 9)) == ["red_bed[facing=west,occupied=false,part=head]"]
    assert of((26, 9), color=nbt.Int(11)) == "blue_bed[facing=west,occupied=false,part=head]"
    assert of((26, 9), color=nbt.Int(99)).startswith("red_bed")
    assert of((176, 4), Base=nbt.Int(0)) == "black_banner[rotation=4]"
    assert of((177, 2), Base=nbt.Int(14)) == "orange_wall_banner[facing=north]"
    assert of((144, 1), SkullType=nbt.Byte(4), Rot=nbt.Byte(7)) == "creeper_head[powered=false,rotation=7]"
    assert of((144, 4), SkullType=nbt.Byte(1)) == "wither_skeleton_wall_skull[facing=west,powered=false]"
    assert column((144, 1)) == ["skeleton_skull[powered=false,rotation=0]"]
    assert of((140, 0), Item="minecraft:red_flower", Data=nbt.Int(3)) == "potted_azure_bluet"
    assert of((140, 0), Item=nbt.Int(6), Data=nbt.Int(5)) == "potted_dark_oak_sapling"
    assert of((140, 3), Item="minecraft:air", Data=nbt.Int(0)) == "flower_pot"
    assert column((140, 9)) == ["potted_cactus"]


def test_grass_under_snow_is_white():
    assert column((2, 0), (78, 0))[0] == "grass_block[snowy=true]"
    assert column((3, 2), (80, 0))[0] == "podzol[snowy=true]"
    assert column((2, 0), (1, 0))[0] == "grass_block[snowy=false]"


def test_fences_panes_walls_and_stairs_are_joined():
    found = states(schematic((3, 1, 1), [85, 102, 139]))
    assert "east=false" in found[0] and "east=true" in found[1] and "west=low" in found[2]


def test_entities_are_left_out_and_counted():
    data = schematic((1, 1, 1), [1], Entities=nbt.List(nbt.COMPOUND, [{"id": "Pig"}, {"id": "Cow"}]))
    assert any(line.startswith("2 entities") for line in read(data).provenance.warnings)


def test_air_below_the_ground_is_dug_and_structure_void_is_nothing():
    build = read(schematic((1, 4, 1), [217, 0, 1, 0]), ground=2)
    assert build.dug.tolist() == [[0, -1, 0]] and [row[:3] for row in build.blocks.rows()] == [(0, 0, 0)]


def test_sides_above_32767_come_as_negative_numbers():
    build = read(schematic((1, 1, 1), [1] * 40_000, Length=nbt.Short(40_000 - 65_536)))
    assert len(build.blocks) == 40_000


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"Materials": "Pocket"}, "Materials: has the block ids of Pocket, which are not those of the Java Edition"),
        ({"Materials": "Classic"}, "has the block ids of Classic"),
        ({"Width": None}, "Width: is missing"),
        ({"Height": nbt.Short(0)}, "the box is 0 cells high"),
        ({"Width": nbt.Int(-70_000)}, "the box is -70000 cells wide"),
        ({"Length": nbt.Int(2**31 - 1), "Width": nbt.Int(2**31 - 1)}, "cells in the box, more than"),
        ({"Blocks": bytes_of([1])}, "Blocks: 1 cells, but the box has 2"),
        ({"Blocks": bytes_of([1, 1, 1])}, "Blocks: 3 cells, but the box has 2"),
        ({"Blocks": None}, "Blocks: is missing"),
        ({"Data": None}, "Data: is missing"),
        ({"Data": bytes_of([1])}, "Data: 1 cells, but the box has 2"),
        ({"Blocks": np.zeros(2, dtype=np.int32)}, "Blocks: is an int array, not a byte array"),
        ({"AddBlocks": bytes_of([])}, "AddBlocks: 0 cells, but the box has 2"),
        ({"Add": bytes_of([1])}, "Add: 1 cells, but the box has 2"),
        ({"AddBlocks": "x"}, "AddBlocks: is text, not a byte array"),
    ],
)  # fmt: skip
def test_damaged_schematics_are_refused_in_one_line(more, says):
    with pytest.raises(MineceError, match=says) as caught:
        read(schematic((2, 1, 1), [1, 1], **more))
    assert str(caught.value).startswith("x.schematic: ") and "\n" not in str(caught.value)


def test_schematics_cut_off_at_every_hundredth():
    data = G01.read_bytes()
    for share in range(100):
        with pytest.raises(MineceError) as caught:
            read(data[: len(data) * share // 100])
        assert "\n" not in str(caught.value)


# --- writing


def back(build: Build, folder: Path) -> Build:
    formats.write(build, folder / "copy.schematic")
    return formats.read(folder / "copy.schematic").build


def test_r25_the_real_house_is_written_and_read_and_written_the_same(tmp_path):
    build = formats.read(G01).build
    first = back(build, tmp_path)
    bytes_written = (tmp_path / "copy.schematic").read_bytes()
    assert first == build and first.id == build.id
    assert back(first, tmp_path) == build and (tmp_path / "copy.schematic").read_bytes() == bytes_written
    formats.write(build, tmp_path / "copy.schem")
    assert formats.read(tmp_path / "copy.schem").build.id == build.id


def test_every_state_of_the_table_comes_back(tmp_path):
    names = sorted({canonical_state(state) for state in tables.legacy().values()} - {"air", "structure_void"})
    build = Build.from_blocks([(2 * i, 0, 0, state) for i, state in enumerate(names)])
    assert back(build, tmp_path).blocks == build.blocks


holdable = builds.filter(lambda build: all(code_of(state) for state in build.blocks.palette))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much], deadline=None)
@given(holdable, st.integers(-70, 300), st.integers(-(10**6), 10**6))
def test_every_build_of_numeric_ids_comes_back(tmp_path, build, ground, shift):
    moved = build.translated(shift, -shift)
    build = Build(moved.blocks, moved.dug, None, ground)
    found = back(build, tmp_path)
    assert found == build and found.id == build.id and found.ground_y == ground
    assert back(found, tmp_path) == build


ODD = [
    (0, 0, 0, "oak_fence[north=true]"),
    (4, 0, 0, "oak_stairs[shape=inner_left]"),
    (0, 0, 4, "blue_bed[part=head,facing=east]"),
    (4, 0, 4, "oak_door[half=lower,hinge=right,powered=true]"),
    (8, 0, 0, "grass_block[snowy=true]"),
    (8, 0, 4, "zombie_head[rotation=5]"),
    (12, 0, 0, "yellow_banner[rotation=3]"),
    (12, 0, 4, "potted_fern"),
    (16, 0, 0, "legacy:300_7"),
    (16, 0, 4, "chest[type=left]"),
    (20, 0, 0, "repeater[locked=true]"),
    (20, 0, 4, "water"),
    (24, 0, 0, "tall_grass[half=upper]"),
    (24, 0, 4, "cobblestone_wall[up=false,west=tall]"),
    (28, 0, 0, "oak_trapdoor[powered=true]"),
    (28, 0, 4, "note_block[note=7]"),
]


@pytest.mark.parametrize("row", ODD, ids=[row[3] for row in ODD])
def test_states_that_neighbours_contradict_come_back(row, tmp_path):
    build = Build.from_blocks([row, (row[0], row[1] + 2, row[2], "stone")])
    assert back(build, tmp_path) == build


def test_what_is_stored_beside_the_ids_holds_only_where_the_ids_are_the_same(tmp_path):
    formats.write(Build.from_blocks([(0, 0, 0, "oak_fence[north=true]"), (1, 0, 0, "stone")]), tmp_path / "a.schematic")
    name, root = nbt.read(nbt.unpack((tmp_path / "a.schematic").read_bytes()))
    assert "north=true" in states(nbt.write(name, root))[0]
    assert states(nbt.write(name, {**root, "Blocks": bytes_of([4, 1])})) == ["cobblestone", "stone"]
    broken = {**root, "minece": {**root["minece"], "exact": {"cells": np.array([99], dtype=np.int32)}}}
    found = read(nbt.write(name, broken))
    assert "what was stored beside the numeric ids cannot be read and is not used" in found.provenance.warnings


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (["candle", "stone"], "1 block has no numeric id, the first candle[candles=1,lit=false,waterlogged=false]"),
        (["oak_stairs[waterlogged=true]"], "oak_stairs[facing=north,half=bottom,shape=straight,waterlogged=true]"),
        (["cherry_planks", "cherry_planks", "mod:thing"], "3 blocks have no numeric id, the first cherry_planks (2"),
        (["legacy:5_0"], "1 block has no numeric id"),
        (["piglin_head"], "1 block has no numeric id"),
    ],
)  # fmt: skip
def test_blocks_without_a_numeric_id_are_refused(rows, says, tmp_path):
    build = Build.from_blocks([(x, 0, 0, state) for x, state in enumerate(rows)])
    with pytest.raises(FormatError) as caught:
        formats.write(build, tmp_path / "a.schematic")
    assert says in str(caught.value) and str(caught.value).endswith("write .schem, .litematic, JSON or CSV instead")
    assert not (tmp_path / "a.schematic").exists()


def test_every_code_has_one_state_and_every_state_its_code():
    for code in range(256 * 16):
        state = flattening.state_of_code(code)
        written = code_of(canonical_state(state))
        assert state in ("air", "structure_void") or written is not None, state


def test_other_tools_find_the_ids_where_they_expect_them(tmp_path):
    build = Build.from_blocks(
        [(10, 64, -5, "red_wool"), (11, 65, -5, "legacy:300_7"), (10, 63, -5, "stone")], ground_y=64
    )
    formats.write(build, tmp_path / "a.schematic")
    file = nbtlib.load(tmp_path / "a.schematic")
    assert file.root_name == "Schematic"
    assert [int(file[side]) for side in ("Width", "Height", "Length")] == [2, 3, 1]
    ids = [int(v) & 255 for v in file["Blocks"]]
    assert ids == [1, 217, 35, 0, 0, 300 & 255] and [int(v) for v in file["Data"]] == [0, 0, 14, 0, 0, 7]
    assert [int(v) & 255 for v in file["AddBlocks"]] == [0, 0, 0x10]
    assert [int(file[f"WEOrigin{axis}"]) for axis in "XYZ"] == [10, 63, -5]
    assert [int(file[f"WEOffset{axis}"]) for axis in "XYZ"] == [0, -1, 0]
