"""Worlds: region files and folders, every layout of chunks, boxes, dropped terrain, the ground of flat worlds."""

from __future__ import annotations

import csv
import os
import random
import time
import zlib
from collections import Counter
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest
from format_outcome import read_apart
from region_files import (
    GZIP,
    LZ4,
    PLAIN,
    ZLIB,
    chunk,
    flat_chunk,
    numbers_of,
    numeric_section,
    packed,
    raw_region,
    region,
    section,
)

from minece.blocks import Build, formats
from minece.blocks.catalogue import tags
from minece.blocks.errors import FormatError, LimitError, MineceError
from minece.blocks.formats import nbt
from minece.blocks.formats.flattening import state_of_code
from minece.blocks.formats.limits import Limits
from minece.blocks.formats.region import is_region
from minece.blocks.states import material_of

REAL = Path(__file__).parents[2] / "data" / "real"
M01 = REAL / "m01-r.-1.0.mca"
NUMERIC, SPANNING, WHOLE, ROOT = 1343, 1976, 2586, 4189

SECTION_OF_17 = [i % 17 for i in range(4096)]
STATES_OF_17 = ["air", *(f"{dye}_wool" for dye in (
    "white", "orange", "magenta", "light_blue", "yellow", "lime", "pink", "gray", "light_gray", "cyan", "purple",
    "blue", "brown", "green", "red", "black"))]  # fmt: skip


def read(data: bytes, name: str = "r.0.0.mca", **options: object) -> Build:
    return formats.read(data, name=name, **options).build  # type: ignore[arg-type]


def rows(build: Build) -> dict[tuple[int, int, int], str]:
    """State by cell, in the world's coordinates."""
    return {(x, y + build.ground_y, z): state for x, y, z, state in build.blocks.rows()}


def world(folder: Path, regions: dict[str, bytes]) -> Path:
    (folder / "region").mkdir(parents=True)
    (folder / "level.dat").write_bytes(b"")
    for name, data in regions.items():
        (folder / "region" / name).write_bytes(data)
    return folder


# --- layouts


def test_r12_numbers_that_span_words_and_whole_ones_give_the_same_states():
    old = read(region({(0, 0): chunk((0, 0), [section(2, STATES_OF_17, SECTION_OF_17, 2528)], 2528)}))
    new = read(region({(0, 0): chunk((0, 0), [section(2, STATES_OF_17, SECTION_OF_17, 2529)], 2529)}))
    assert old == new and len(old.blocks) == 4096 - 241
    assert rows(old)[(5, 32, 0)] == STATES_OF_17[5] and rows(old)[(15, 47, 15)] == STATES_OF_17[4095 % 17]
    assert (old.provenance.data_version, new.provenance.data_version) == (2528, 2529)


def test_r13_blocks_below_zero_and_at_the_top_are_found_at_their_heights():
    stone = {"palette": ["air", "stone"], "version": 2860}
    low = section(-4, numbers=numbers_of({(1, 0, 2): 1}), **stone)
    high = section(19, numbers=numbers_of({(1, 15, 2): 1}), **stone)
    build = read(region({(0, 0): chunk((0, 0), [low, high], 2860)}))
    assert rows(build) == {(1, -64, 2): "stone", (1, 319, 2): "stone"}
    assert build.provenance.data_version == 2860 and build.provenance.format == "world"


@pytest.mark.parametrize("version", [1451, SPANNING, WHOLE, 2844, ROOT])
@pytest.mark.parametrize("size", [1, 2, 16, 17, 33, 300])
def test_every_layout_and_width_of_numbers(version, size):
    palette = [f"mod:b{i}" for i in range(size)]
    numbers = [i * 7 % size for i in range(4096)]
    build = read(region({(3, 4): chunk((3, 4), [section(0, palette, numbers, version)], version)}))
    found = rows(build)
    assert len(found) == 4096
    assert all(found[48 + i % 16, i // 256, 64 + i // 16 % 16] == palette[number] for i, number in enumerate(numbers))


def test_a_section_of_one_state_has_no_numbers():
    full = section(0, ["stone"], None, ROOT)
    air = section(1, ["air"], None, ROOT)
    empty = {"Y": nbt.Byte(2), "block_states": {"palette": nbt.List(nbt.COMPOUND)}}
    build = read(region({(0, 0): chunk((0, 0), [full, air, empty, {"Y": nbt.Byte(-5)}])}))
    assert len(build.blocks) == 4096 and build.blocks.palette == ("stone",)


def test_numeric_ids_data_and_upper_bits():
    codes = numbers_of(
        {(0, 0, 0): 5 << 4 | 3, (1, 0, 0): 255 << 4, (2, 0, 0): 300 << 4 | 2, (15, 15, 15): 35 << 4 | 14}
    )
    build = read(region({(0, 0): chunk((0, 0), [numeric_section(0, codes)], NUMERIC)}))
    assert rows(build) == {
        (0, 0, 0): "jungle_planks",
        (1, 0, 0): "structure_block[mode=save]",
        (2, 0, 0): "legacy:300_2",
        (15, 15, 15): "red_wool",
    }
    assert any("version 1.12 does not have" in line and "300:2" in line for line in build.provenance.warnings)


def test_halves_beds_and_joints_of_numeric_chunks_are_put_together_over_chunk_borders():
    fence = numbers_of({(15, 0, 0): 85 << 4, (3, 0, 3): 64 << 4 | 1, (3, 1, 3): 64 << 4 | 9, (5, 0, 5): 26 << 4})
    other = numbers_of({(0, 0, 0): 85 << 4})
    bed = {"id": "minecraft:bed", "x": nbt.Int(5), "y": nbt.Int(0), "z": nbt.Int(5), "color": nbt.Int(11)}
    build = read(
        region(
            {
                (0, 0): chunk((0, 0), [numeric_section(0, fence)], NUMERIC, TileEntities=nbt.List(nbt.COMPOUND, [bed])),
                (1, 0): chunk((1, 0), [numeric_section(0, other)], NUMERIC),
            }
        )
    )
    found = rows(build)
    assert "east=true" in found[15, 0, 0] and "west=true" in found[16, 0, 0]
    assert found[3, 0, 3] == "oak_door[facing=south,half=lower,hinge=right,open=false,powered=false]"
    assert found[3, 1, 3] == "oak_door[facing=south,half=upper,hinge=right,open=false,powered=false]"
    assert found[5, 0, 5].startswith("blue_bed[")


def test_chunks_of_old_and_new_layouts_in_one_region():
    build = read(
        region(
            {
                (0, 0): chunk((0, 0), [numeric_section(0, numbers_of({(1, 1, 1): 16}))], NUMERIC),
                (1, 0): chunk((1, 0), [section(0, ["air", "stone"], numbers_of({(1, 1, 1): 1}), WHOLE)], WHOLE),
                (2, 0): chunk((2, 0), [section(-1, ["air", "stone"], numbers_of({(1, 1, 1): 1}), ROOT)], ROOT),
            }
        )
    )
    assert set(rows(build)) == {(1, 1, 1), (17, 1, 1), (33, -15, 1)}


@pytest.mark.parametrize("kind", [ZLIB, GZIP, PLAIN, LZ4])
def test_every_way_of_packing(kind):
    build = read(region({(0, 0): flat_chunk((0, 0), {(4, 4, 4): "stone"})}, kind), ground=4)
    assert rows(build)[4, 4, 4] == "stone" and len(build.blocks) == 1025


def test_what_follows_the_end_of_a_chunk_is_not_looked_at():
    """The server flying-squid writes tags of no type, which end the chunk for every reader."""
    data = flat_chunk((0, 0), {})
    assert read(region({(0, 0): data + b"\0\x09isLightOn\x09rest"})) == read(region({(0, 0): data}))


def test_a_chunk_in_a_file_of_its_own(tmp_path):
    data = flat_chunk((-32, 0), {(4, 4, 4): "stone"})
    place = world(tmp_path / "w", {"r.-1.0.mca": raw_region({(0, 0): (1).to_bytes(4, "big") + bytes([128 | ZLIB])})})
    with pytest.raises(FormatError, match=r"chunk -32 0: lies in the file c.-32.0.mcc, which is not there"):
        formats.read(place)
    (place / "region" / "c.-32.0.mcc").write_bytes(zlib.compress(data))
    assert rows(formats.read(place, ground=4).build)[-508, 4, 4] == "stone"
    with pytest.raises(FormatError, match="give the folder of the world"):
        formats.read((place / "region" / "r.-1.0.mca").read_bytes(), name="r.-1.0.mca")


def test_where_a_region_lies_stands_in_its_name_else_in_its_chunks():
    data = region({(1, 2): flat_chunk((-31, 66), {})})
    assert read(data, "r.-1.2.mca").blocks.low == read(data, "copy").blocks.low == (-496, -4, 1056)
    moved = read(data, "r.0.0.mca")
    assert moved.blocks.low == (16, -4, 32)
    assert "1 chunk says to belong elsewhere, read where found" in moved.provenance.warnings


# --- real files


@lru_cache(maxsize=1)
def real_region() -> Build:
    return formats.read(M01).build


def test_the_real_region_gives_the_counts_of_two_other_readers():
    row = next(row for row in csv.DictReader((REAL / "files.csv").read_text().splitlines()) if row["file"] == M01.name)
    build = real_region()
    assert len(build.blocks) == int(row["nonair_blocks"])
    assert build.provenance.data_version == int(row["data_version"])
    assert (build.blocks.low, build.blocks.high) == ((-32, 0, 48), (-1, 101, 447)) and build.ground_y == 0
    # Two pairs of ids, for still and for flowing water and lava at one level, are one state today; torches, fences
    # and grass under snow are several.
    materials = Counter(material_of(build.blocks.palette[i]) for i in build.blocks.index.tolist())
    for pair in row["top_materials"].split("; "):
        code, count = pair.split("=")
        number, data = map(int, code.split(":"))
        name = material_of(state_of_code(number * 16 + data))
        assert materials[name] == int(count) or name in ("lava", "water"), name


def test_a_region_file_and_the_folder_of_its_world_are_read_alike(tmp_path):
    place = world(tmp_path / "w", {"r.-1.0.mca": M01.read_bytes()})
    assert formats.read(place).build == formats.read(place / "region").build == real_region()


def test_a_box_of_the_real_region_is_that_part_of_the_whole():
    whole, box = real_region().blocks, (-20, 60, 100, -5, 70, 130)
    part = formats.read(M01, box=box).build
    inside = ((whole.cells >= box[:3]) & (whole.cells <= box[3:])).all(axis=1)
    assert part.blocks.translated(0, part.ground_y, 0) == whole.where(inside) and len(part.blocks) > 100


def test_dropped_ids_are_those_that_the_whole_does_not_have():
    whole = real_region().blocks
    found = formats.read(M01, drop="#terrain").build
    kept = whole.where(~whole.is_material(tags()["terrain"]))
    assert found.blocks.translated(0, found.ground_y, 0) == kept and 0 < len(kept) < 10_000
    assert f"{len(whole) - len(kept):,} blocks are dropped" in found.provenance.warnings


# --- what a box and dropped blocks leave


def test_dropped_terrain_is_nothing_and_what_was_dug_stays_dug():
    data = region(
        {(0, 0): flat_chunk((0, 0), {(4, 3, 4): "air", (4, 2, 4): "air", (8, 3, 8): "stone", (8, 4, 8): "stone"})}
    )
    build = read(data, ground=4, drop=["#dirt", "bedrock"])
    assert rows(build) == {(8, 3, 8): "stone", (8, 4, 8): "stone"}
    assert len(build.dug) == 0  # without a box only what lies around the blocks belongs to the build
    boxed = read(data, ground=4, drop=["#dirt", "bedrock"], box=(0, 0, 0, 15, 15, 15))
    assert boxed.dug.tolist() == [[4, -2, 4], [4, -1, 4]] and rows(boxed) == rows(build)
    assert boxed.provenance.box == (1, 2, 1)


def test_air_of_sections_that_are_not_listed_is_air_and_missing_chunks_are_nothing():
    data = region({(0, 0): chunk((0, 0), [section(1, ["air", "stone"], numbers_of({(0, 0, 0): 1}), ROOT)])})
    build = read(data, ground=17, box=(-4, 14, -4, 1, 17, 1))
    assert rows(build) == {(0, 16, 0): "stone"}
    assert {(x, y + 17, z) for x, y, z in build.dug.tolist()} == {
        (x, y, z) for x in (0, 1) for y in (14, 15, 16) for z in (0, 1)
    } - {(0, 16, 0)}


def test_a_pit_without_any_block_is_dug_up_to_the_ground_that_is_named():
    data = region({(0, 0): chunk((0, 0), [section(0, ["air"], None, ROOT)])})
    assert len(read(data, ground=40, box=(0, 30, 0, 0, 60, 0)).dug) == 10
    assert len(read(data, ground=40, box=(0, -99, 0, 0, 35, 0)).dug) == 36 + 64


def test_the_corners_of_a_box_come_in_any_order():
    data = region({(0, 0): flat_chunk((0, 0), {(4, 4, 4): "stone"})})
    assert rows(read(data, box=(4, 4, 4, 4, 4, 4))) == rows(read(data, box=(5, 4, 6, 4, 5, 3))) == {(4, 4, 4): "stone"}


def test_how_much_terrain_there_is_is_said():
    said = read(region({(0, 0): flat_chunk((0, 0), {(4, 4, 4): "oak_planks"})}), ground=4).provenance.warnings
    assert any(line.startswith("1,024 of 1,025 blocks are of what natural terrain is made of (dirt, ") for line in said)
    assert any("--drop #terrain" in line for line in said)


# --- the ground


def flat(chunks: int, blocks: dict[tuple[int, int, int], str]) -> bytes:
    return region({(i, 0): flat_chunk((i, 0), blocks if not i else {}) for i in range(chunks)})


def test_the_surface_of_a_flat_world_is_the_ground():
    build = read(flat(2, {(4, 3, 4): "stone", (4, 4, 4): "stone"}), drop="#dirt,bedrock")
    assert build.ground_y == 4 and build.blocks.low[1] == -1
    assert build.provenance.ground == (
        "y = 4, on the surface that most columns of the world share; give --ground Y if it is wrong"
    )
    assert not build.provenance.ground_known


def test_a_ground_that_is_named_goes_before_the_surface_and_the_surface_before_the_hint():
    data = flat(1, {(4, 4, 4): "stone"})
    assert read(data, ground=2).ground_y == 2 and read(data, ground=2).provenance.ground_known
    assert read(data, hint="top").ground_y == 4


def test_a_box_that_ends_in_the_ground_or_above_it_shows_no_surface():
    data = flat(1, {(x, 4, z): "stone" for x in range(16) for z in range(16)})
    assert "lowest block" in read(data, box=(0, 0, 0, 15, 2, 15)).provenance.ground
    assert "lowest block" in read(flat(1, {(4, 8, 4): "oak_planks"}), box=(0, 5, 0, 15, 15, 15)).provenance.ground


def test_a_world_of_hills_has_no_common_surface():
    hills = {(x, y, z): "dirt" for x in range(16) for z in range(16) for y in range(4, 4 + x % 4)}
    assert "lowest block" in read(flat(1, hills)).provenance.ground


# --- folders


@pytest.mark.parametrize("part", ["region", "dimensions/minecraft/overworld/region", "."])
def test_where_worlds_keep_the_overworld(part, tmp_path):
    folder = tmp_path / "w" / part
    folder.mkdir(parents=True)
    (folder / "r.0.0.mca").write_bytes(flat(1, {}))
    assert formats.is_world(tmp_path / "w")
    assert len(formats.read(tmp_path / "w").build.blocks) == 1024


def test_the_nether_is_named_to_be_read(tmp_path):
    place = world(tmp_path / "w", {"r.0.0.mca": flat(1, {})})
    (place / "DIM-1" / "region").mkdir(parents=True)
    nether = region({(0, 0): chunk((0, 0), [section(0, ["netherrack"], None, ROOT)])})
    (place / "DIM-1" / "region" / "r.0.0.mca").write_bytes(nether)
    assert formats.read(place).build.blocks.palette[0] == "bedrock"
    assert formats.read(place / "DIM-1").build.blocks.palette == ("netherrack",)


def test_folders_that_are_no_worlds(tmp_path):
    (tmp_path / "region").mkdir()
    (tmp_path / "a.schem").write_bytes(b"")
    (tmp_path / "r.0.0.mca").write_bytes(flat(1, {}))
    assert not formats.is_world(tmp_path) and not formats.is_world(tmp_path / "nothing")
    with pytest.raises(FormatError, match="is a folder; name a file in it"):
        formats.read(tmp_path)


def test_worlds_without_chunks_say_so(tmp_path):
    (tmp_path / "level.dat").write_bytes(b"")
    with pytest.raises(FormatError, match="is a world without regions; play in it first"):
        formats.read(tmp_path)
    (tmp_path / "region").mkdir()
    (tmp_path / "region" / "r.0.0.mca").write_bytes(b"")
    with pytest.raises(FormatError, match="holds no chunk; name a world that has been played in"):
        formats.read(tmp_path)
    (tmp_path / "region" / "r.0.0.mca").write_bytes(bytes(8192))
    with pytest.raises(FormatError, match="holds no chunk"):
        formats.read(tmp_path)


def test_only_what_the_box_touches_is_read(tmp_path):
    damaged = raw_region({(0, 0): packed(b"no chunk"), (5, 5): packed(flat_chunk((5, 5), {}))})
    place = world(tmp_path / "w", {"r.0.0.mca": damaged, "r.1.0.mca": b"no region" * 2000})
    assert len(formats.read(place, box=(80, 0, 80, 95, 9, 95)).build.blocks) == 1024
    with pytest.raises(FormatError, match="chunk 0 0: is no NBT data"):
        formats.read(place, box=(0, 0, 0, 95, 9, 95))
    with pytest.raises(FormatError, match=r"w: r.1.0.mca: is no region file"):
        formats.read(place)


def test_a_box_without_chunks_says_where_they_are(tmp_path):
    place = world(tmp_path / "w", {"r.0.0.mca": region({(1, 2): flat_chunk((1, 2), {})}), "r.-1.0.mca": flat(1, {})})
    with pytest.raises(FormatError, match=r"has no chunk in the box; its chunks lie in x 16 to 31, z 32 to 47"):
        formats.read(place, box=(300, 0, 300, 310, 10, 310))
    with pytest.raises(FormatError, match=r"no region in the box; its regions lie in x -512 to 511, z 0 to 511"):
        formats.read(place, box=(0, 0, -20, 9, 9, -10))


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs links")
def test_links_that_lead_out_of_the_world_are_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "r.1.0.mca").write_bytes(region({(0, 0): flat_chunk((32, 0), {})}))
    place = world(tmp_path / "w", {"r.0.0.mca": flat(1, {})})
    (place / "region" / "r.1.0.mca").symlink_to(outside / "r.1.0.mca")
    found = formats.read(place).build
    assert len(found.blocks) == 1024
    assert "1 region file is a link out of the world, not followed" in found.provenance.warnings
    (tmp_path / "linked").symlink_to(place)
    assert formats.read(tmp_path / "linked").build == found
    other = tmp_path / "other"
    other.mkdir()
    (other / "region").symlink_to(outside)
    with pytest.raises(FormatError, match="its regions are behind a link that leads out of it"):
        formats.read(other)


# --- caps and damage


def full_chunk(at: tuple[int, int]) -> bytes:
    return chunk(at, [section(level, ["stone"], None, ROOT) for level in range(-4, 20)])


def test_too_many_blocks_are_refused_with_the_extent_and_the_way_out(tmp_path):
    data = region({(x, 3): full_chunk((x, 3)) for x in range(32)})
    place = world(tmp_path / "w", {"r.0.0.mca": data})
    with pytest.raises(LimitError) as caught:
        formats.read(place)
    assert "blocks, more than the 2,000,000 that are read; 32 chunks exist, in x 0 to 511, z 48 to 63" in str(
        caught.value
    )
    assert str(caught.value).endswith("give the box to read: --box X0 Y0 Z0 X1 Y1 Z1, in Python box=(…)")
    assert len(formats.read(place, box=(0, 0, 48, 9, 9, 57)).build.blocks) == 1000
    with pytest.raises(LimitError, match="2,000,000 that are read; give a smaller box"):
        formats.read(place, box=(0, -64, 48, 511, 319, 63))
    caves = region({(0, 0): chunk((0, 0), [section(0, ["air"], None, ROOT)])})
    with pytest.raises(LimitError, match="4,096 dug cells, more than the 2,000 that are read; give a smaller box"):
        read(caves, ground=16, box=(0, 0, 0, 15, 20, 15), limits=Limits(blocks=2000))


def test_too_many_chunks_are_refused_before_any_is_read(tmp_path):
    many = raw_region({(i % 32, i // 32): packed(b"") for i in range(1024)})
    place = world(tmp_path / "w", {f"r.{i}.0.mca": many for i in range(5)})
    with pytest.raises(LimitError, match=r"holds 5,120 chunks, more than the 4,096 that are read, in x 0 to 2559"):
        formats.read(place)


def test_scattered_blocks_are_refused_by_the_box_around_them():
    far = [section(19, ["air", "stone"], numbers_of({(15, 15, 15): 1}), ROOT)]
    near = [section(-4, ["air", "stone"], numbers_of({(0, 0, 0): 1}), ROOT)]
    data = region({(0, 0): chunk((0, 0), near), (31, 31): chunk((31, 31), far)})
    with pytest.raises(LimitError, match="100,663,296 cells in the box around the blocks"):
        read(data)


def changed(data: bytes, at: int, value: bytes) -> bytes:
    return data[:at] + value + data[at + len(value) :]


GOOD = region({(0, 0): flat_chunk((0, 0), {}), (1, 0): flat_chunk((1, 0), {})})


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (changed(GOOD, 1, b"\x10\0"), "chunk 0 0: lies in sector 4,096 of a file of 4 sectors"),
        (changed(GOOD, 4, GOOD[:4]), "the chunks at 0 0 and 1 0 of the region share a sector"),
        (changed(GOOD, 8192, b"\x7f\xff\xff\xff"), "is 2,147,483,647 bytes long, which do not fit its 1 sectors"),
        (changed(GOOD, 8192, b"\xff\xff\xff\xff"), "is 4,294,967,295 bytes long"),
        (changed(GOOD, 8192, b"\0\0\0\0"), "is 0 bytes long"),
        (changed(GOOD, 8196, b"\x09"), r"is packed in a way that is not known \(9\)"),
        (changed(GOOD, 8196, b"\x04"), "the LZ4 data is damaged"),
        (changed(GOOD, 8300, bytes(20)), "the zlib data is damaged"),
        (GOOD[:8250], "the file ends within it"),
    ],
)  # fmt: skip
def test_damaged_regions(data, says):
    with pytest.raises(FormatError, match=says) as caught:
        read(data)
    assert str(caught.value).startswith("r.0.0.mca: ")


def stone(**tags: object) -> bytes:
    whole = section(0, ["air", "stone", "dirt"], numbers_of({(0, 0, 0): 2}), ROOT)
    body = {**whole["block_states"], **tags}
    return chunk((0, 0), [{"Y": nbt.Byte(0), "block_states": {k: v for k, v in body.items() if v is not None}}])


LONGS = np.zeros(256, dtype=np.int64)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (stone(data=LONGS[:255]), r"chunk 0 0: sections/0/block_states/data: 255 words of data"),
        (stone(data=LONGS[:0]), "has 3 states and no numbers"),
        (stone(data=None), "has 3 states and no numbers"),
        (stone(data=LONGS + 3), "a cell has palette number 3, but the last one is 2"),
        (stone(data=nbt.Int(3)), "is an int, not a long array"),
        (stone(palette=nbt.List(nbt.COMPOUND, [{}] * 3)), "sections/0/block_states/palette/0: has no Name"),
        (stone(palette=nbt.List(nbt.COMPOUND, [{"Name": "No Block"}] * 3)), "'No Block' is no block state"),
        (chunk((0, 0), [{**section(0, ["stone"], None, ROOT), "Y": nbt.Int(2**31 - 1)}]), "outside -128 to 127"),
        (chunk((0, 0), [section(0, ["stone"], None, ROOT)] * 2), "sections: comes twice at one height"),
        (chunk((0, 0), [{"Y": nbt.Byte(0), "Blocks": np.zeros(9, np.int8)}], NUMERIC), "9 bytes, not 4,096"),
        (chunk((0, 0), [{"Y": nbt.Byte(0), "Blocks": np.zeros(4096, np.int8)}], NUMERIC), "0/Data: is missing"),
        (chunk((0, 0), [{"Blocks": np.zeros(4096, np.int8)}], NUMERIC), "Sections/0/Y: is missing"),
        (b"\x0a\0\0\x09\0\x08sections\x0a\x7f\xff\xff\xff", "NBT tags"),
        (b"\x0a\0\0\x07\0\x08SkyLight\x7f\xff\xff\xff", "the NBT data ends early"),
        (b"\x0a\0\0\x07\0\x08SkyLight\xff\xff\xff\xff", "negative length"),
        (b"\x0a\0\0" + b"\x0a\0\1a" * 400, "nested deeper than 128 levels"),
        (b"\x0a\0\0\x09\0\1a" + b"\x09\0\0\0\1" * 100_000, "nested deeper than 128 levels"),
        (b"\x0a\0\0\x0a\0\x0aHeightmaps" + b"\x0a\0\1a" * 100_000, "nested deeper than 128 levels"),
        (b"\x0a\0\0" + b"\x03\0\1a\0\0\0\0" * 2 + b"\0", "a: comes twice in its compound"),
        (b"\x0a\0\0\x08\0\1a\0\1\xff\0", "not valid UTF-8"),
        (b"\x0a\0\0\x0d\0\1a\0", "tag type 13 does not exist"),
    ],
)  # fmt: skip
def test_damaged_chunks(data, says):
    with pytest.raises(MineceError, match=says):
        read(region({(0, 0): data}))


def test_chunks_that_unpack_to_very_much_are_refused():
    bomb = packed(bytes(2**28))
    with pytest.raises(LimitError, match="unpacks to more than 128 MB"):
        read(raw_region({(0, 0): bomb}))
    body = chunk((0, 0), [section(0, ["stone"], None, ROOT)], SkyLight=np.zeros(2**22, dtype=np.int8))
    with pytest.raises(LimitError, match="bytes in all chunks"):
        read(everywhere(body, 64))


def outcome(data: bytes) -> str:
    try:
        formats.read(data, name="x")
    except MineceError as error:
        line = str(error)
        assert line.startswith("x: ") and "\n" not in line and len(line) <= 1000
        return "refused"
    return "read"


@pytest.mark.parametrize("kind", [ZLIB, LZ4])
def test_regions_cut_off_at_every_hundredth(kind):
    data = region({(x, 0): flat_chunk((x, 0), {(1, 1, 1): f"mod:b{x}"}) for x in range(4)}, kind)
    assert outcome(data) == "read"
    assert {outcome(data[: len(data) * share // 100]) for share in range(84)} == {"refused"}


def test_regions_with_changed_bytes_are_read_or_refused_in_one_line():
    rng = random.Random(20_261_130)
    seeds = [
        region({(0, 0): flat_chunk((0, 0), {}), (2, 1): flat_chunk((2, 1), {})}, PLAIN),
        region({(0, 0): chunk((0, 0), [numeric_section(0, SECTION_OF_17)], NUMERIC)}, PLAIN),
        region({(0, 0): chunk((0, 0), [section(0, STATES_OF_17, SECTION_OF_17, SPANNING)], SPANNING)}, LZ4),
        region({(0, 0): flat_chunk((0, 0), {})}, GZIP),
    ]
    found = Counter()
    for _ in range(300):
        data = bytearray(rng.choice(seeds))
        for _ in range(rng.choice([1, 1, 2, 8])):
            at = rng.choice([rng.randrange(8), rng.randrange(8192, 8192 + 400), rng.randrange(8192, len(data))])
            data[at] = rng.choice([0, 1, 127, 128, 255, data[at] ^ 1 << rng.randrange(8)])
        found[outcome(bytes(data))] += 1
    assert found["read"] > 20 and found["refused"] > 60


def test_a_file_in_the_world_that_is_no_ordinary_one(tmp_path):
    place = world(tmp_path / "w", {"r.0.0.mca": flat(1, {})})
    os.mkfifo(place / "region" / "r.1.0.mca")
    with pytest.raises(FormatError, match=r"w: r.1.0.mca: is no ordinary file"):
        formats.read(place)


def test_a_small_box_of_a_large_world_takes_a_moment(tmp_path):
    """A world of 100 MB, of which a box of four chunks is read."""
    noise = np.random.default_rng(1).integers(-128, 128, 100_000, dtype=np.int8)
    body = flat_chunk((0, 0), {})
    heavy = packed(chunk((0, 0), [section(0, ["stone"], None, ROOT)], junk=noise), PLAIN)
    chunks = {(i % 32, i // 32): heavy for i in range(250)}
    chunks[30, 30] = packed(body)
    data = raw_region(chunks)
    place = world(tmp_path / "w", {f"r.{i}.0.mca": data for i in range(4)})
    assert sum(file.stat().st_size for file in (place / "region").iterdir()) > 100_000_000
    formats.read(place, box=(480, 0, 480, 495, 9, 495))
    begin = time.process_time()
    build = formats.read(place, box=(480, 0, 480, 495, 9, 495)).build
    assert len(build.blocks) == 1024 and time.process_time() - begin < 0.5


def everywhere(body: bytes, chunks: int = 1024) -> bytes:
    """A region that holds one chunk at many places."""
    return region({(i % 32, i // 32): body for i in range(chunks)})


def numeric_noise() -> bytes:
    codes = np.random.default_rng(2).integers(0, 2**12, (16, 4096))
    return everywhere(chunk((0, 0), [numeric_section(level, codes[level]) for level in range(16)], NUMERIC))


def wide_palettes() -> bytes:
    states = [f"mod:b{i}" for i in range(3000)]
    numbers = np.random.default_rng(2).integers(0, 3000, 4096)
    return everywhere(chunk((0, 0), [section(level, states, numbers, ROOT) for level in range(4)]))


def air_and_nothing() -> bytes:
    half = section(0, ["air", "structure_void"], [i % 2 for i in range(4096)], ROOT)
    return everywhere(chunk((0, 0), [{**half, "Y": nbt.Byte(level)} for level in range(16)]))


def many_tags() -> bytes:
    return everywhere(chunk((0, 0), [], a=nbt.List(nbt.COMPOUND, [{}] * 400_000)), 64)


HOSTILE = {
    "numeric noise": numeric_noise,
    "wide palettes": wide_palettes,
    "air and nothing": air_and_nothing,
    "many tags": many_tags,
}


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_regions_stay_within_time_and_memory(name, tmp_path):
    path = tmp_path / "r.0.0.mca"
    path.write_bytes(HOSTILE[name]())
    seconds, peak, result = read_apart(path)
    assert seconds <= 5 and peak <= 1024, result


def test_compressed_files_are_taken_for_no_regions():
    rng = np.random.default_rng(7)
    heads = rng.integers(0, 256, (20_000, 4096), dtype=np.uint8)
    heads[:, 3::4] |= 1
    assert not any(is_region(head.tobytes(), 60 * 2**20) for head in heads)
