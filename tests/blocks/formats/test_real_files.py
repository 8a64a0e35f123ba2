"""Files of other people's tools give the counts that two independent readers found in them."""

from __future__ import annotations

import ast
import csv
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from minece.blocks import Build, formats
from minece.blocks.formats import nbt

FOLDER = Path(__file__).parents[2] / "data" / "real"
ROWS = {row["file"]: row for row in csv.DictReader((FOLDER / "files.csv").read_text().splitlines())}
VOXELS = [name for name in ROWS if name.endswith((".schem", ".litematic"))]


def load(name: str) -> Build:
    return formats.read(FOLDER / name).build


def components(build: Build) -> int:
    near = build.blocks.neighbours
    block, face = np.nonzero(near >= 0)
    size = len(build.blocks)
    graph = coo_array((np.ones(len(block)), (block, near[block, face])), shape=(size, size))
    return int(connected_components(graph, directed=False)[0])


def materials(build: Build) -> Counter[str]:
    names = np.array(build.blocks.table.material)
    return Counter(names[build.blocks.index].tolist())


def test_all_nine_files_are_here():
    assert len(VOXELS) == 9


@pytest.mark.parametrize("name", VOXELS)
def test_counts(name):
    row, build = ROWS[name], load(name)
    blocks = build.blocks
    found = materials(build)
    assert len(blocks) == int(row["nonair_blocks"])
    assert len(blocks.palette) == int(row["states_used"])
    assert len(found) == int(row["block_types_used"])
    assert components(build) == int(row["components_6"])
    assert int((blocks.cells[:, 1] == blocks.cells[:, 1].min()).sum()) == int(row["blocks_in_lowest_layer"])
    for pair in row["top_materials"].split("; "):
        material, count = pair.removeprefix("minecraft:").split("=")
        assert found[material] == int(count), material


@pytest.mark.parametrize("name", VOXELS)
def test_fluids(name):
    # The table counts water and lava; columns of bubbles are water too and s08 has 229 of them.
    found = materials(load(name))
    assert found["water"] + found["lava"] == int(ROWS[name]["fluids"])
    fluid = load(name).blocks
    assert int(fluid.table.fluid[fluid.index].sum()) == int(ROWS[name]["fluids"]) + found["bubble_column"]


@pytest.mark.parametrize("name", VOXELS)
def test_where_it_comes_from(name):
    row, found = ROWS[name], load(name).provenance
    kind, _, version = row["format_version"].partition("-v")
    assert (found.format, found.version) == ({"sponge": "schem"}.get(kind, kind), version)
    assert found.data_version == int(row["data_version"])
    assert found.regions == int(row["regions"] or 1)
    assert found.offset == (tuple(ast.literal_eval(row["offset"])) if row["offset"] else None)
    assert found.source.endswith(name)
    assert found.ground.startswith("y = ") and "lowest block" in found.ground


@pytest.mark.parametrize("name", [name for name in VOXELS if name.endswith(".schem")])
def test_all_cells_of_the_box_are_blocks_or_air(name):
    row = ROWS[name]
    _, root = nbt.read(nbt.unpack((FOLDER / name).read_bytes()))
    root = root.get("Schematic", root)
    size = [root[side] for side in ("Width", "Height", "Length")]
    assert "x".join(map(str, size)) == row["dims_xyz"]
    assert int(np.prod(size)) == int(row["nonair_blocks"]) + int(row["air_cells"])
    palette = root.get("Palette") or root["Blocks"]["Palette"]
    assert len(palette) == int(row["palette_entries"])
    assert all(inner <= outer for inner, outer in zip(load(name).blocks.size, size, strict=True))


@pytest.mark.parametrize("name", VOXELS)
def test_air_below_the_ground_is_dug_and_air_in_the_box_is_counted(name):
    row = ROWS[name]
    top = int(row["dims_xyz"].split("x")[1])
    raised = formats.read(FOLDER / name, ground=top).build
    if row["regions"] in ("", "1"):
        assert len(raised.dug) == int(row["air_cells"])
    assert len(raised.blocks) == int(row["nonair_blocks"])
    assert raised.blocks.high[1] < 0 and raised.ground_y == top


def test_two_twins_of_a_house_stand_on_their_lowest_layer():
    build = load("s03-green-cottage.schem")
    assert build.blocks.low[1] == 0 and build.ground_y == 0 and len(build.dug) == 0


def test_air_of_caves_is_air():
    build = load("s08-2x2_chunk_vert.schem")
    assert "cave_air" not in materials(build)
