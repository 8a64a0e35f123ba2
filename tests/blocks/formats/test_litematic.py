"""Litematica schematics: the faults that other readers had, and what is wrong with a file."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from voxel_files import cells, litematic, region, xyz

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats import nbt
from minece.blocks.formats.limits import Deadline, Limits
from minece.blocks.formats.litematic import bits_for, pack, unpack

GOLD = ["minecraft:air", "minecraft:gold_block", "minecraft:stone"]


def load(data: bytes, **options: object) -> Build:
    return formats.read(data, **options).build  # type: ignore[arg-type]


def packed(numbers: list[int], bits: int) -> list[int]:
    """The words as one large whole number gives them."""
    whole = sum(number << (bits * i) for i, number in enumerate(numbers))
    words = -(-len(numbers) * bits // 64)
    return [(whole >> (64 * i)) & (2**64 - 1) for i in range(words)]


@given(st.integers(2, 17).flatmap(lambda b: st.tuples(st.just(b), st.lists(st.integers(0, 2**b - 1), min_size=1))))
def test_packed_numbers_span_words(case):
    bits, numbers = case
    words = pack(np.array(numbers, dtype=np.uint32), bits)
    assert words.view(np.uint64).tolist() == packed(numbers, bits)
    assert unpack(words, len(numbers), bits, "", Deadline(9)).tolist() == numbers


def test_many_groups_of_words(monkeypatch):
    monkeypatch.setattr("minece.blocks.formats.litematic._GROUPS", 3)
    numbers = np.arange(2000, dtype=np.uint32) % 731
    assert unpack(pack(numbers, 10), 2000, 10, "", Deadline(9)).tolist() == numbers.tolist()


def test_bits():
    assert [bits_for(n) for n in (1, 2, 4, 5, 8, 9, 16, 17, 256, 257)] == [2, 2, 2, 3, 3, 4, 4, 5, 8, 9]


def test_r08_negative_sizes():
    size = (3, 2, 3)
    numbers = cells(size, {(0, 0, 0): 1, (2, 1, 2): 2})
    build = load(litematic({"a": region((4, 5, 6), (-3, -2, -3), GOLD, numbers)}))
    assert set(build.blocks.rows()) == {(0, 0, 0, "gold_block"), (2, 1, 2, "stone")}


@pytest.mark.parametrize("signs", list(product((1, -1), repeat=3)))
def test_r08_every_sign_of_a_size_gives_the_same_build(signs):
    size = (3, 4, 5)
    numbers = cells(size, {(0, 0, 0): 1, (2, 1, 3): 2, (1, 3, 4): 2})
    extent = [side * sign for side, sign in zip(size, signs, strict=True)]
    # The corner from which a negative size runs is the far one.
    corner = [7 if sign > 0 else 7 + side - 1 for side, sign in zip(size, signs, strict=True)]
    other = region((7, 11, 7), (1, 1, 1), GOLD, [2])
    build = load(litematic({"a": region(corner, extent, GOLD, numbers), "b": other}))
    assert set(build.blocks.rows()) == {
        (0, 0, 0, "gold_block"), (2, 1, 3, "stone"), (1, 3, 4, "stone"), (0, 4, 0, "stone"),
    }  # fmt: skip


def test_r09_cells_of_no_region_are_empty_and_untouched():
    parts = {"a": region((0, 0, 0), (2, 1, 1), GOLD, [1, 1]), "b": region((5, 0, 0), (2, 1, 1), GOLD, [2, 2])}
    build = load(litematic(parts), ground=1)
    assert [row[0] for row in build.blocks.rows()] == [0, 1, 5, 6] and len(build.dug) == 0
    assert build.provenance.regions == 2
    assert (build.blocks.neighbours >= 0).sum() == 4  # two pairs


def test_regions_have_their_own_palettes_and_the_later_block_holds():
    parts = {
        "a": region((0, 0, 0), (3, 1, 1), GOLD, [1, 1, 1]),
        "b": region((1, 0, 0), (2, 1, 1), ["air", "oak_planks"], [1, 0]),
    }
    assert load(litematic(parts)).blocks.rows() == [
        (0, 0, 0, "gold_block"),
        (1, 0, 0, "oak_planks"),
        (2, 0, 0, "gold_block"),
    ]
    assert len(load(litematic(parts), ground=1).dug) == 0


def test_r33_void_and_air_below_the_ground():
    states = ["minecraft:air", "minecraft:structure_void", "minecraft:stone"]
    build = load(litematic({"a": region((0, 0, 0), (3, 1, 1), states, [2, 1, 0])}), hint="top")
    assert build.blocks.rows() == [(0, -1, 0, "stone")] and build.dug.tolist() == [[2, -1, 0]]


@pytest.mark.parametrize("size", list(permutations((2, 3, 5))))
def test_r37_strides(size):
    places = {(1, 1, 1): 1, (0, size[1] - 1, size[2] - 1): 2, (size[0] - 1, 0, 0): 2}
    build = load(litematic({"a": region((0, 0, 0), size, GOLD, cells(size, places))}))
    assert {row[:3] for row in build.blocks.rows()} == set(places)


@pytest.mark.parametrize("version", [4, 5, 6, 7])
def test_versions(version):
    build = load(litematic({"a": region((0, 0, 0), (1, 1, 1), GOLD, [1])}, version=version, SubVersion=nbt.Int(1)))
    assert build.provenance.version == f"{version}.1" and build.provenance.data_version == 3700
    assert build.provenance.name == "made by hand"


def far(**tags: object) -> bytes:
    return litematic({"a": {**region((0, 0, 0), (2, 1, 1), GOLD, [1, 1]), **tags}})


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (litematic({}), "Regions: holds no region"),
        (litematic({"a": region((0, 0, 0), (1, 1, 1), GOLD, [1])}, version=3), "Litematica version 3 is not known"),
        (litematic({"a": region((0, 0, 0), (1, 1, 1), GOLD, [1])}, version=8), "Litematica version 8 is not known"),
        (far(Size=xyz((0, 1, 1))), "Regions/a: the box is 0 cells wide"),
        (far(Size=xyz((400, 1, 1))), "Regions/a/BlockStates: 1 words of data, but 400 cells of 2 bits take 13"),
        (far(Size={"x": nbt.Int(1)}), "Regions/a/Size/y: is missing"),
        (far(Size=nbt.Int(3)), "Regions/a/Size: is an int, not a compound"),
        (far(Position=xyz((2**31 - 1, 0, 0))), "Regions/a: lies at [2147483647, 0, 0]"),
        (far(BlockStates=np.zeros(2, dtype=np.int64)), "2 words of data, but 2 cells of 2 bits take 1"),
        (far(BlockStates=np.array([15], dtype=np.int64)), "a cell has palette number 3, but the last one is 2"),
        (far(BlockStates=np.zeros(1, dtype=np.int32)), "BlockStates: is an int array, not a long array"),
        (far(BlockStates=np.zeros(1, dtype=np.int64)), "the palette names blocks but not one cell holds a block"),
        (far(BlockStatePalette=nbt.List(nbt.END)), "BlockStatePalette: is empty"),
        (
            far(BlockStatePalette=nbt.List(nbt.TEXT, ["a"])),
            "BlockStatePalette: is a list, not a list of which each is a",
        ),
        (far(BlockStatePalette=nbt.List(nbt.COMPOUND, [{}])), "BlockStatePalette/0: has no Name"),
        (
            far(BlockStatePalette=nbt.List(nbt.COMPOUND, [{"Name": "a", "Properties": {"b": nbt.Int(1)}}])),
            "BlockStatePalette/0/Properties: is no compound of texts",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(data, message):
    with pytest.raises(FormatError) as found:
        formats.read(data, name="house.litematic")
    assert str(found.value).startswith("house.litematic: ") and message in str(found.value)


def test_caps():
    with pytest.raises(LimitError, match="Regions/a: 1,000,000,000,000 cells in the box"):
        load(far(Size=xyz((10_000, 10_000, 10_000))))
    parts = {str(i): region((i, 0, 0), (1, 1, 1), GOLD, [1]) for i in range(5)}
    with pytest.raises(LimitError, match="Regions: 5 regions"):
        load(litematic(parts), limits=Limits(regions=4))
    with pytest.raises(LimitError, match="cells in all regions"):
        load(litematic(parts), limits=Limits(cells=4))


def test_regions_far_apart_cost_nothing():
    parts = {str(i): region((i * 10**6, 0, 0), (1, 1, 1), GOLD, [1]) for i in range(2)}
    assert [row[0] for row in load(litematic(parts)).blocks.rows()] == [0, 10**6]


def test_the_written_tags_are_those_of_litematica(tmp_path):
    build = Build.from_blocks([(10, 64, -5, "stone"), (12, 63, -5, "oak_stairs[facing=west]")], ground_y=64)
    formats.write(build, tmp_path / "a.litematic")
    _, root = nbt.read(nbt.unpack((tmp_path / "a.litematic").read_bytes()))
    assert root["Version"] == 6 and root["MinecraftDataVersion"] == 4189
    (part,) = root["Regions"].values()
    assert part["Size"] == {"x": 3, "y": 2, "z": 1} and part["Position"] == {"x": 0, "y": -1, "z": 0}
    assert part["BlockStatePalette"][0] == {"Name": "minecraft:air"}
    assert root["Metadata"]["EnclosingSize"] == part["Size"] and root["Metadata"]["TotalBlocks"] == 2
    assert root["Metadata"]["TimeCreated"] == 0
    stairs = next(e for e in part["BlockStatePalette"] if e["Name"] == "minecraft:oak_stairs")
    assert stairs["Properties"] == {"facing": "west", "half": "bottom", "shape": "straight", "waterlogged": "false"}
