"""Structures of the game: what their blocks become, what is wrong with a file, and our own files."""

from __future__ import annotations

import itertools

import nbtlib
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import builds
from voxel_files import entry, structure

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError, MineceError
from minece.blocks.formats import nbt
from minece.blocks.formats.limits import Limits

STATES = ["minecraft:air", "minecraft:stone", "minecraft:oak_stairs[facing=west]"]
I = nbt.Int  # noqa: E741


def load(data: bytes, **options: object) -> Build:
    return formats.read(data, name="house.nbt", **options).build  # type: ignore[arg-type]


def saved(build: Build, folder) -> bytes:
    formats.write(build, folder / "copy.nbt")
    return (folder / "copy.nbt").read_bytes()


# --- what its blocks become


def test_blocks_states_and_where_it_comes_from():
    build = load(structure((3, 2, 1), STATES, [(0, 0, 0, 1), (2, 1, 0, 2), (1, 0, 0, 0)], author="Ada"))
    stairs = "oak_stairs[facing=west,half=bottom,shape=straight,waterlogged=false]"
    assert build.blocks.rows() == [(0, 0, 0, "stone"), (2, 1, 0, stairs)]
    found = build.provenance
    assert (found.format, found.data_version, found.box, found.author) == ("structure", 3700, (3, 2, 1), "Ada")
    assert found.warnings == () and "lowest block" in found.ground


def test_cells_that_are_not_listed_are_nothing_and_listed_air_is_dug_below_the_ground():
    states = ["minecraft:stone", "minecraft:structure_void", "minecraft:air", "minecraft:cave_air"]
    data = structure((5, 2, 1), states, [(0, 1, 0, 0), (1, 0, 0, 1), (2, 0, 0, 2), (3, 0, 0, 3)])
    raised = load(data, ground=1)
    assert raised.blocks.rows() == [(0, 0, 0, "stone")] and raised.dug.tolist() == [[2, -1, 0], [3, -1, 0]]
    assert load(data, hint="top").dug.tolist() == [[2, -2, 0], [3, -2, 0]]
    assert load(data).dug.tolist() == [[2, -1, 0], [3, -1, 0]]


@pytest.mark.parametrize("order", list(itertools.permutations(["size", "palette", "blocks", "DataVersion"])))
def test_the_order_of_tags_does_not_matter(order):
    name, root = nbt.read(nbt.unpack(structure((2, 2, 2), STATES, [(0, 0, 0, 1), (1, 1, 1, 2)])))
    wanted = load(nbt.write(name, root))
    for turned in (False, True):
        rows = [dict(reversed(row.items())) if turned else row for row in root["blocks"]]
        again = {key: root[key] for key in order} | {"blocks": nbt.List(nbt.COMPOUND, rows)}
        assert load(nbt.write(name, {key: again[key] for key in order})) == wanted


def test_the_first_of_several_palettes_is_taken():
    both = [nbt.List(nbt.COMPOUND, map(entry, names)) for names in (["stone", "dirt"], ["glass", "sand"])]
    build = load(
        structure((1, 1, 2), [], [(0, 0, 0, 0), (0, 0, 1, 1)], palette=None, palettes=nbt.List(nbt.LIST, both))
    )
    assert build.blocks.rows() == [(0, 0, 0, "stone"), (0, 0, 1, "dirt")]
    assert build.provenance.warnings == ("has 2 palettes, of which the first is taken",)
    one = nbt.List(nbt.LIST, both[1:])
    alone = load(structure((1, 1, 2), [], [(0, 0, 0, 0)], palette=None, palettes=one))
    assert alone.blocks.rows() == [(0, 0, 0, "glass")] and not alone.provenance.warnings


JIGSAWS = [
    ({"final_state": "minecraft:piston[facing=east]"}, "piston[extended=false,facing=east]"),
    ({"final_state": "minecraft:structure_void"}, None),
    ({"final_state": "minecraft:air"}, None),
    ({}, None),
    ({"final_state": "minecraft:barrel{Items:[]}"}, "barrel[facing=north,open=false]"),
    ({"final_state": "NOT A STATE"}, None),
]


@pytest.mark.parametrize(("entity", "state"), JIGSAWS)
def test_a_jigsaw_block_becomes_its_final_state(entity, state):
    states = ["minecraft:stone", "minecraft:jigsaw[orientation=up_north]"]
    build = load(structure((2, 1, 1), states, [(0, 0, 0, 0), (1, 0, 0, 1, {"id": "minecraft:jigsaw", **entity})]))
    assert build.blocks.rows() == [(0, 0, 0, "stone")] + ([(1, 0, 0, state)] if state else [])
    told = "1 jigsaw blocks are left out, as their final state is no block state"
    assert build.provenance.warnings == ((told,) if entity.get("final_state") == "NOT A STATE" else ())


def test_the_final_state_air_is_a_hole_and_structure_void_is_nothing():
    rows = [(i, 0, 0, 1, {"final_state": state}) for i, state in enumerate(["air", "structure_void"])]
    build = load(structure((2, 2, 1), ["stone", "jigsaw"], [*rows, (0, 1, 0, 0)]), ground=1)
    assert build.dug.tolist() == [[0, -1, 0]]


def test_a_structure_block_is_left_out_as_in_the_world_generator():
    states = ["minecraft:stone", "minecraft:structure_block[mode=data]"]
    data = structure((3, 1, 1), states, [(0, 0, 0, 0), (1, 0, 0, 1, {"metadata": "chest"}), (2, 0, 0, 1, {"a": I(1)})])
    build = load(data)
    assert build.blocks.rows() == [(0, 0, 0, "stone")]
    assert build.provenance.warnings == ("2 structure blocks are left out, as the world generator does",)


def test_without_block_entity_both_are_ordinary_blocks(tmp_path):
    build = Build.from_blocks([(0, 0, 0, "jigsaw"), (1, 0, 0, "structure_block[mode=corner]")])
    assert load(saved(build, tmp_path)) == build


def test_entities_are_counted():
    pigs = nbt.List(nbt.COMPOUND, [{"nbt": {"id": "pig"}}] * 3)
    build = load(structure((1, 1, 1), STATES, [(0, 0, 0, 1)], entities=pigs))
    assert build.provenance.warnings == ("3 entities are left out",)


def test_block_entities_between_the_others_change_nothing():
    rows = [(x, y, z, 1 + (x + y) % 2) for x in range(7) for y in range(6) for z in range(5)]
    some = [
        (*row, {"Items": nbt.List(nbt.COMPOUND, [{"n": I(i)}])}) if i % 7 in (0, 1, 5) else row
        for i, row in enumerate(rows)
    ]
    assert load(structure((7, 6, 5), STATES, some)) == load(structure((7, 6, 5), STATES, rows))
    assert len(load(structure((7, 6, 5), STATES, some)).blocks) == 210


def test_the_last_of_several_entries_of_a_cell_holds():
    build = load(
        structure((2, 1, 1), ["stone", "dirt", "air"], [(0, 0, 0, 0), (1, 0, 0, 1), (0, 0, 0, 1), (1, 0, 0, 2)])
    )
    assert build.blocks.rows() == [(0, 0, 0, "dirt")]
    assert build.provenance.warnings == ("2 cells were overruled by a later entry for the same cell",)
    void = load(structure((1, 1, 1), ["stone", "structure_void"], [(0, 0, 0, 0), (0, 0, 0, 1)]))
    assert void.blocks.rows() == [(0, 0, 0, "stone")] and not void.provenance.warnings


def test_cells_outside_the_box_are_kept_and_counted():
    build = load(structure((1, 1, 1), STATES, [(0, 0, 0, 1), (-1, 0, 0, 1), (0, 1, 0, 1)]))
    assert len(build.blocks) == 3
    assert build.provenance.warnings == ("2 cells lie outside the box that the file names and are kept",)


def test_a_structure_of_nothing():
    build = load(structure((0, 0, 0), [], []))
    assert not len(build.blocks) and build.provenance.warnings == ("holds no block",)
    empty = structure((0, 0, 0), [], [], blocks=nbt.List(nbt.END), palette=nbt.List(nbt.END))
    assert not len(load(empty).blocks)


# --- what is wrong with a file


def one(**row: object) -> bytes:
    """A structure of one entry."""
    return structure((1, 1, 1), ["stone"], [], blocks=nbt.List(nbt.COMPOUND, [row]))


def ints(*values: int) -> nbt.List:
    return nbt.List(nbt.INT, map(I, values))


STONE = ((1, 1, 1), ["stone"], [(0, 0, 0, 0)])


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (structure((1, 1, 1), ["stone"], [(0, 0, 0, 1)]), "blocks/0/state: palette number 1, but the last one is 0"),
        (structure((1, 1, 1), ["stone"], [(0, 0, 0, 0), (0, 0, 0, -1)]), "blocks/1/state: palette number -1"),
        (structure((1, 1), ["stone"], [(0, 0, 0, 0)]), "size: has 2 numbers, not 3"),
        (structure((1, -3, 1), ["stone"], [(0, 0, 0, 0)]), "size: the box is -3 cells high"),
        (structure(*STONE, size=None), "size: is missing"),
        (structure(*STONE, size="3"), "size: is text, not a list"),
        (structure(*STONE, palette=None), "palette: is missing"),
        (structure(*STONE, palette=nbt.List(nbt.COMPOUND, [{}])), "palette/0: has no Name"),
        (structure((1, 1, 1), [], [(0, 0, 0, 0)]), "palette: is empty"),
        (structure(*STONE, palettes=nbt.List(nbt.LIST)), "palettes: is empty"),
        (structure(*STONE, palettes=nbt.List(nbt.LIST, [ints(1)])), "palettes/0: is no list of compounds"),
        (structure((1, 1, 1), ["stone", "X y"], [(0, 0, 0, 0)]), "palette[1]: 'X y' is no block state"),
        (structure((1, 1, 1), ["stone"], []), "the palette names blocks but not one cell holds a block"),
        (structure((1, 1, 1), [], [], blocks="words"), "blocks: is text, not a list"),
        (structure((1, 1, 1), [], [], blocks=I(3)), "blocks: is an int, not a list"),
        (one(state=I(0)), "blocks/0/pos: is missing"),
        (one(pos=ints(1, 1)), "blocks/0/pos: is not a list of 3 whole numbers"),
        (one(pos=nbt.List(nbt.DOUBLE, [nbt.Double(1)] * 3)), "blocks/0/pos: is not a list of 3 whole numbers"),
        (one(pos=ints(1, 1, 1), state="a"), "blocks/0/state: is not a whole number"),
        (one(pos=ints(1, 1, 1), state=ints(1)), "blocks/0/state: is not a whole number"),
        (one(pos=ints(2**31 - 1, 0, 0), state=I(0)), "blocks/0/pos: [2147483647, 0, 0] lies outside"),
        (one(pos=nbt.List(nbt.LONG, [nbt.Long(-(2**63))] * 3), state=I(0)), "lies outside"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(data, message):
    with pytest.raises(MineceError) as found:
        load(data)
    line = str(found.value)
    assert line.startswith("house.nbt: ") and message in line and "; " in line and "\n" not in line


def test_caps():
    data = structure((3, 1, 1), STATES, [(i, 0, 0, 1) for i in range(3)])
    with pytest.raises(LimitError, match="blocks: 3 compounds in a list, more than the 2"):
        load(data, limits=Limits(blocks=2))
    with pytest.raises(LimitError, match="3 palette entries"):
        load(data, limits=Limits(palette=2))
    # The blocks themselves are no tags.
    many = structure((1000, 1, 1), STATES, [(i, 0, 0, 1) for i in range(1000)])
    assert len(load(many, limits=Limits(tags=100)).blocks) == 1000


# --- our own files


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(builds, st.integers(-70, 300), st.integers(-(10**6), 10**6))
def test_every_build_comes_back(tmp_path, build, ground, shift):
    moved = build.translated(shift, -shift)
    build = Build(moved.blocks, moved.dug, None, ground)
    first = saved(build, tmp_path)
    found = load(first)
    assert found == build and found.id == build.id
    assert saved(found, tmp_path) == first


cells = st.tuples(st.integers(-5, 5), st.integers(55, 65), st.integers(-5, 5))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.dictionaries(cells, st.sampled_from(["stone", "dirt", "air", "structure_void"]), max_size=30),
    st.sampled_from([None, "top", "bottom"]),
)
def test_a_foreign_file_without_ground_tells_the_same_after_a_copy(tmp_path, listed, hint):
    states = [state for state in ("stone", "dirt", "air", "structure_void") if state in listed.values()]
    original = structure((9, 99, 9), states, [(*cell, states.index(state)) for cell, state in listed.items()])
    copy = saved(load(original, hint=hint), tmp_path)
    for again in (None, "top", "bottom"):
        found, wanted = load(copy, hint=again), load(original, hint=again)
        assert found.blocks == wanted.blocks and np.array_equal(found.dug, wanted.dug) and found.id == wanted.id
        assert not found.provenance.ground_known


def test_blocks_far_apart_are_written(tmp_path):
    build = Build.from_blocks([(0, 0, 0, "stone"), (10**6, 50, -(10**6), "stone")], dug=[(5, -1, 5)], ground_y=0)
    assert load(saved(build, tmp_path)) == build


def test_nbtlib_reads_the_same_tree(tmp_path):
    build = Build.from_blocks(
        [(3, 63, 2, "stone"), (4, 65, 2, "oak_stairs[facing=west]")], dug=[(3, 62, 2)], ground_y=64
    )
    saved(build, tmp_path)
    root = nbtlib.load(tmp_path / "copy.nbt")
    assert [int(v) for v in root["size"]] == [2, 4, 1] and int(root["DataVersion"]) == 4189
    names = [str(state["Name"]) for state in root["palette"]]
    assert names == ["minecraft:air", "minecraft:oak_stairs", "minecraft:stone"]
    assert str(root["palette"][1]["Properties"]["facing"]) == "west"
    rows = [(*map(int, row["pos"]), names[int(row["state"])]) for row in root["blocks"]]
    assert rows == [(0, 0, 0, names[0]), (0, 1, 0, names[2]), (1, 3, 0, names[1])]
    assert int(root["minece"]["ground_y"]) == 64 and [int(v) for v in root["minece"]["origin"]] == [3, 62, 2]
    # Writing the oracle's tree again gives our bytes.
    root.save(tmp_path / "again.nbt", gzipped=False)
    assert (tmp_path / "again.nbt").read_bytes() == nbt.unpack((tmp_path / "copy.nbt").read_bytes())


def test_we_read_what_nbtlib_writes(tmp_path):
    rows = [nbtlib.Compound({"pos": nbtlib.List[nbtlib.Int]([x, 0, 0]), "state": nbtlib.Int(x % 2)}) for x in range(9)]
    tree = {
        "size": nbtlib.List[nbtlib.Int]([9, 1, 1]),
        "palette": nbtlib.List[nbtlib.Compound]([{"Name": nbtlib.String("stone")}, {"Name": nbtlib.String("dirt")}]),
        "blocks": nbtlib.List[nbtlib.Compound](rows),
        "entities": nbtlib.List[nbtlib.Compound]([]),
    }
    nbtlib.File(tree, gzipped=True).save(tmp_path / "a.nbt")
    assert load((tmp_path / "a.nbt").read_bytes()).blocks.rows() == [
        (x, 0, 0, "dirt" if x % 2 else "stone") for x in range(9)
    ]


def test_more_cells_than_are_read_are_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr("minece.blocks.formats.structure.LIMITS", Limits(blocks=2))
    build = Build.from_blocks([(i, 0, 0, "stone") for i in range(3)])
    with pytest.raises(LimitError, match="3 cells, more than the 2 that are read; write .schem instead"):
        formats.write(build, tmp_path / "a.nbt")


def test_metadata_that_no_longer_fits_is_not_used(tmp_path):
    build = Build.from_blocks([(5, 63, 0, "stone"), (6, 64, 0, "dirt")], ground_y=64)
    name, root = nbt.read(nbt.unpack(saved(build, tmp_path)))
    root["size"] = nbt.List(nbt.INT, [I(9)] * 3)
    found = load(nbt.write(name, root))
    assert found.ground_y == 0 and "is not used" in found.provenance.warnings[0]
    with pytest.raises(FormatError):
        load(nbt.write(name, {**root, "blocks": nbt.List(nbt.INT, [I(1)])}))


@pytest.mark.parametrize("bulk", [1, 2, 7, 100])
def test_blocks_of_one_layout_are_found_in_small_steps_too(bulk, monkeypatch):
    monkeypatch.setattr("minece.blocks.formats.nbt_records._MOST_BYTES", bulk * 36)
    rows = [(i % 50, i // 50, 3, 1 + i % 2) for i in range(500)]
    assert len(load(structure((50, 10, 4), STATES, rows)).blocks) == 500
