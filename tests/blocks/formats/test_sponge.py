"""Sponge schematics: the faults that other readers had, and what is wrong with a file."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxel_files import cells, sponge, varints

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError, StateError
from minece.blocks.formats import nbt
from minece.blocks.formats.limits import LIMITS, Deadline, Limits
from minece.blocks.formats.sponge import read_varints, write_varints
from minece.blocks.items import count_items

STONE = ["minecraft:air", "minecraft:stone"]


def load(data: bytes, **options: object) -> Build:
    return formats.read(data, **options).build  # type: ignore[arg-type]


def test_r01_palette_numbers_of_two_bytes():
    states = [
        f"minecraft:note_block[note={i % 25},instrument={'harp' if i < 25 else f'x{i // 25}'}]" for i in range(130)
    ]
    build = load(sponge((130, 1, 1), states, range(130)))
    assert len(build.blocks) == 130 and len(build.blocks.palette) == 130
    for x, y, z, state in build.blocks.rows():
        note, instrument = x % 25, "harp" if x < 25 else f"x{x // 25}"
        assert (y, z) == (0, 0) and f"instrument={instrument},note={note}," in state


def test_r02_the_third_version_has_its_data_in_a_compound():
    third = load(sponge((2, 1, 1), ["minecraft:stone", "minecraft:air"], [0, 1], version=3))
    second = load(sponge((2, 1, 1), ["minecraft:stone", "minecraft:air"], [0, 1], version=2))
    assert third.blocks.rows() == [(0, 0, 0, "stone")]
    assert third == second and third.id == second.id
    assert (third.provenance.version, second.provenance.version) == ("3", "2")


def test_r03_the_wrapper_of_the_third_version_is_opened():
    data = sponge((2, 1, 1), ["minecraft:stone", "minecraft:air"], [0, 1], version=3)
    assert list(nbt.read(nbt.unpack(data))[1]) == ["Schematic"]
    assert load(data).provenance.version == "3"


def test_a_third_version_without_its_wrapper_is_read_too():
    _, root = nbt.read(nbt.unpack(sponge((2, 1, 1), STONE, [0, 1], version=3)))
    assert load(nbt.write("Schematic", root["Schematic"])).blocks.rows() == [(1, 0, 0, "stone")]


def test_the_first_version_is_read():
    build = load(sponge((2, 1, 1), STONE, [0, 1], version=1, DataVersion=None, PaletteMax=None))
    assert build.provenance.version == "1" and build.provenance.data_version is None and len(build.blocks) == 1


@pytest.mark.parametrize("version", [2, 3])
def test_r05_offset_is_reported(version):
    build = load(sponge((1, 1, 1), STONE, [1], version=version, Offset=np.array([5, -3, 7], dtype=np.int32)))
    assert build.provenance.offset == (5, -3, 7)
    assert build.blocks.rows() == [(0, 0, 0, "stone")]


def test_the_old_metadata_gives_the_offset_where_there_is_no_other():
    metadata = {f"WEOffset{axis}": nbt.Int(v) for axis, v in zip("XYZ", (1, 2, -3), strict=True)}
    assert load(sponge((1, 1, 1), STONE, [1], Metadata=metadata)).provenance.offset == (1, 2, -3)
    both = sponge((1, 1, 1), STONE, [1], Metadata=metadata, Offset=np.array([5, -3, 7], dtype=np.int32))
    assert load(both).provenance.offset == (5, -3, 7)
    assert load(sponge((1, 1, 1), STONE, [1])).provenance.offset is None


def test_r26_r28_states_are_split_and_completed():
    states = [
        "minecraft:oak_stairs[facing=west]",
        "minecraft:stone_slab[type=bottom]",
        "minecraft:stone_slab[waterlogged=false,type=bottom]",
        "stone_slab[type=bottom,waterlogged=false]",
    ]
    build = load(sponge((4, 1, 1), states, range(4)))
    assert build.blocks.palette == (
        "oak_stairs[facing=west,half=bottom,shape=straight,waterlogged=false]",
        "stone_slab[type=bottom,waterlogged=false]",
    )
    assert build.blocks.table.material == ("oak_stairs", "stone_slab")


def test_r29_renamed_blocks_are_one_material():
    states = [
        "minecraft:grass",
        "minecraft:short_grass",
        "minecraft:grass_path",
        "minecraft:dirt_path",
        "minecraft:stone",
    ]
    build = load(sponge((5, 1, 1), states, range(5)))
    assert set(build.blocks.table.material) == {"short_grass", "dirt_path", "stone"} and len(build.blocks) == 5


def test_r31_a_double_slab_is_one_cell_and_two_items():
    states = ["minecraft:oak_slab[type=double]", "minecraft:oak_slab[type=bottom]"]
    build = load(sponge((3, 1, 1), states, [0, 0, 1]))
    assert len(build.blocks) == 3 and count_items(build.blocks).by_item == {"oak_slab": 5}


def test_r33_r35_nothing_but_stone_is_a_block():
    states = [
        "minecraft:air",
        "minecraft:cave_air",
        "minecraft:void_air",
        "minecraft:structure_void",
        "minecraft:stone",
    ]
    build = load(sponge((5, 1, 1), states, range(5)))
    assert build.blocks.rows() == [(4, 0, 0, "stone")] and len(build.dug) == 0
    raised = load(sponge((5, 1, 1), states, range(5)), ground=1)
    assert raised.dug.tolist() == [[0, -1, 0], [1, -1, 0], [2, -1, 0]]


@pytest.mark.parametrize("size", list(permutations((2, 3, 5))))
def test_r37_strides(size):
    width, height, length = size
    places = {(width - 1, height - 2, length - 1): 1, (0, height - 1, length - 2): 1, (width - 2, 0, 0): 2}
    states = ["minecraft:air", "minecraft:gold_block", "minecraft:stone"]
    build = load(sponge(size, states, cells(size, places)))
    wanted = {(*cell, ["", "gold_block", "stone"][n]) for cell, n in places.items()}
    assert set(build.blocks.rows()) == wanted


def test_r37_the_input_of_the_case():
    places = {(1, 2, 4): 1, (0, 1, 3): 1, (0, 0, 0): 2}
    build = load(sponge((2, 3, 5), ["air", "gold_block", "stone"], cells((2, 3, 5), places)))
    assert set(build.blocks.rows()) == {(1, 2, 4, "gold_block"), (0, 1, 3, "gold_block"), (0, 0, 0, "stone")}


def test_r25_reading_what_was_written_changes_nothing(tmp_path):
    states = [
        "minecraft:air",
        "stone",
        "oak_stairs[facing=west]",
        "oak_slab[type=double]",
        "glass",
        "some_mod:thing[a=b]",
    ]
    numbers = [i % 6 for i in range(27)]
    first = load(sponge((3, 3, 3), states, numbers))
    for suffix, form in (("schem", "schem"), ("schem", "schem-v3"), ("litematic", None), ("json", None), ("csv", None)):
        copies = [first]
        files = []
        for turn in range(3):
            path = tmp_path / f"{turn}.{suffix}"
            formats.write(copies[-1], path, format=form)
            copies.append(formats.read(path).build)
            files.append(path.read_bytes())
        assert copies[1] == copies[2] == copies[3] == first
        assert copies[3].id == first.id and copies[3].blocks.size == first.blocks.size
        assert files[1] == files[2]


@pytest.mark.parametrize("side", [32_767, 32_768, 40_000, 65_535])
def test_sides_beyond_a_signed_short(side, tmp_path):
    numbers = np.zeros(side, dtype=np.uint8)
    numbers[-1] = 1
    short = nbt.Short(side - 65_536 if side > 32_767 else side)
    data = sponge((1, 1, 1), STONE, [1], Length=short, BlockData=numbers.view(np.int8))
    assert load(data).blocks.rows() == [(0, 0, side - 1, "stone")]
    long = Build.from_blocks([(0, 0, 0, "stone"), (0, 0, side - 1, "dirt")])
    formats.write(long, tmp_path / "long.schem")
    assert formats.read(tmp_path / "long.schem").build == long


def test_a_side_of_65_536_does_not_fit(tmp_path):
    with pytest.raises(FormatError, match="a side of 65,536 cells does not fit"):
        formats.write(Build.from_blocks([(0, 0, 0, "stone"), (0, 0, 65_535, "dirt")]), tmp_path / "x.schem")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (sponge((2, 1, 1), STONE, [1]), "BlockData: 1 cells, but the box has 2"),
        (sponge((2, 1, 1), STONE, [1, 1, 0]), "BlockData: 3 cells, but the box has 2"),
        (sponge((2, 1, 1), STONE, [1, 300]), "BlockData: a cell has palette number 300, but the last one is 1"),
        (sponge((2, 1, 1), STONE, [1, 2], version=3), "Blocks/Data: a cell has palette number 2"),
        (sponge((2, 1, 1), {"air": 0, "stone": 5}, [5, 3]), "1 cells have palette number 3, which has no state"),
        (sponge((2, 1, 1), {"air": 0, "stone": 0}, [0, 0]), "Palette: number 0 stands for two states"),
        (sponge((2, 1, 1), {"air": -1, "stone": 0}, [0, 0]), "Palette: palette number -1 is out of range"),
        (sponge((2, 1, 1), {"air": 10**9, "stone": 0}, [0, 0]), "Palette: palette number 1000000000 is out of range"),
        (sponge((2, 1, 1), [], [0, 0]), "Palette: is empty"),
        (sponge((2, 1, 1), STONE, [0, 0]), "the palette names blocks but not one cell holds a block"),
        (sponge((0, 1, 1), STONE, []), "the box is 0 cells wide"),
        (sponge((2, 1, 1), STONE, [0, 1], Width=None), "Width: is missing"),
        (sponge((2, 1, 1), STONE, [0, 1], Width="2"), "Width: is text, not a whole number"),
        (sponge((2, 1, 1), STONE, [0, 1], Version=None), "Version: is missing"),
        (sponge((2, 1, 1), STONE, [0, 1], version=4), "Sponge version 4 is not known"),
        (sponge((2, 1, 1), STONE, [0, 1], BlockData=None), "BlockData: is missing"),
        (sponge((2, 1, 1), STONE, [0, 1], BlockData=np.zeros(2, dtype=np.int32)), "BlockData: is an int array, not a"),
        (sponge((2, 1, 1), STONE, [0, 1], Offset=np.zeros(2, dtype=np.int32)), "Offset: has 2 numbers, not 3"),
        (sponge((2, 1, 1), ["air", "stone[facing"], [0, 1]), "Palette: block state 'stone[facing' does not end"),
        (sponge((1, 1, 1), STONE, [1], BlockData=np.array([-127], dtype=np.int8)), "the last number is cut off"),
        (sponge((1, 1, 1), STONE, [1], BlockData=np.array([-1] * 6 + [1], dtype=np.int8)), "more than 5 bytes"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(data, message):
    with pytest.raises((FormatError, StateError)) as found:
        formats.read(data, name="house.schem")
    assert str(found.value).startswith("house.schem: ") and message in str(found.value)


def test_a_palette_larger_than_the_box_and_with_unused_holes_is_fine():
    build = load(sponge((1, 1, 1), {"air": 0, "stone": 7, "dirt": 200, "glass": 40}, [7]))
    assert build.blocks.rows() == [(0, 0, 0, "stone")]


def test_caps():
    with pytest.raises(LimitError, match="cells in the box"):
        load(sponge((2, 1, 1), STONE, [1, 1], Width=nbt.Short(-1), Height=nbt.Short(-1), Length=nbt.Short(-1)))
    with pytest.raises(LimitError, match="more than 1 blocks"):
        load(sponge((2, 1, 1), STONE, [1, 1]), limits=Limits(blocks=1))
    with pytest.raises(LimitError, match="2 palette entries"):
        load(sponge((2, 1, 1), STONE, [1, 1]), limits=Limits(palette=1))


@given(st.lists(st.integers(0, 2**21 - 1) | st.integers(0, 200), min_size=1, max_size=300))
def test_varints(numbers):
    plain = varints(numbers)
    assert np.array_equal(write_varints(np.array(numbers, dtype=np.uint32)), plain)
    found = read_varints(plain.view(np.uint8), len(numbers), "", Deadline(LIMITS.seconds))
    assert found.tolist() == numbers


def test_varints_in_pieces(monkeypatch):
    monkeypatch.setattr("minece.blocks.formats.sponge._PIECE", 7)
    numbers = [1, 300, 70_000, 5, 2**21 - 1, 128, 127, 0] * 9
    data = varints(numbers).view(np.uint8)
    assert read_varints(data, len(numbers), "", Deadline(9)).tolist() == numbers
    for count in (len(numbers) - 1, len(numbers) + 1):
        with pytest.raises(FormatError, match=f"{len(numbers)} cells, but the box has {count}"):
            read_varints(data, count, "", Deadline(9))


def test_the_written_tags_are_those_of_the_specification(tmp_path):
    build = Build.from_blocks([(10, 64, -5, "stone"), (12, 63, -5, "oak_stairs[facing=west]")], ground_y=64)
    formats.write(build, tmp_path / "a.schem")
    name, root = nbt.read(nbt.unpack((tmp_path / "a.schem").read_bytes()))
    assert name == "Schematic"
    assert [root[k] for k in ("Version", "DataVersion", "Width", "Height", "Length")] == [2, 4189, 3, 2, 1]
    assert isinstance(root["Width"], nbt.Short) and root["Offset"].tolist() == [10, 63, -5]
    assert [root["Metadata"][f"WEOffset{axis}"] for axis in "XYZ"] == [0, -1, 0]
    assert sorted(root["Palette"].values()) == list(range(len(root["Palette"]))) and root["PaletteMax"] == 4
    assert all(state.startswith("minecraft:") for state in root["Palette"])
    assert root["BlockData"].dtype.itemsize == 1 and len(root["BlockData"]) == 6

    formats.write(build, tmp_path / "b.schem", format="schem-v3")
    name, root = nbt.read(nbt.unpack((tmp_path / "b.schem").read_bytes()))
    assert name == "" and list(root) == ["Schematic"]
    root = root["Schematic"]
    assert root["Version"] == 3 and root["Offset"].tolist() == [0, -1, 0]
    assert root["Metadata"]["WorldEdit"]["Origin"].tolist() == [10, 64, -5]
    assert set(root["Blocks"]) == {"Palette", "Data", "BlockEntities"}


def test_the_version_of_the_game_follows_the_blocks(tmp_path):
    # iron_chain is called chain up to 1.21.8, and pale oak is no older than 1.21.4.
    formats.write(Build.from_blocks([(0, 0, 0, "iron_chain"), (0, 1, 0, "pale_oak_planks")]), tmp_path / "a.schem")
    _, root = nbt.read(nbt.unpack((tmp_path / "a.schem").read_bytes()))
    assert root["DataVersion"] == 4189 and any(state.startswith("minecraft:chain[") for state in root["Palette"])
    assert formats.read(tmp_path / "a.schem").build.blocks.table.material == ("iron_chain", "pale_oak_planks")
