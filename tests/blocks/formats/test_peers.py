"""Files that the library mcschematic writes are read as what was put into them."""

from __future__ import annotations

from pathlib import Path

import mcschematic
import pytest

from minece.blocks import Build, formats

STATES = ["minecraft:stone", "minecraft:oak_stairs[facing=west,half=top]", "minecraft:oak_planks", "minecraft:glass"]


def written(blocks: dict[tuple[int, int, int], str], folder: Path) -> Build:
    schematic = mcschematic.MCSchematic()
    for cell, state in blocks.items():
        schematic.setBlock(cell, state)
    schematic.save(str(folder), "peer", mcschematic.Version.JE_1_20_1)
    return formats.read(folder / "peer.schem").build


def as_python(blocks: dict[tuple[int, int, int], str]) -> Build:
    low = [min(cell[axis] for cell in blocks) for axis in range(3)]
    return Build.from_blocks((x - low[0], y - low[1], z - low[2], state) for (x, y, z), state in blocks.items())


@pytest.mark.parametrize("many", [4, 300])
def test_mcschematic(many, tmp_path):
    states = STATES if many == 4 else [f"some_mod:block_{i}" for i in range(many)]
    blocks = {
        (x - 3, y + 60, z): states[(x * 31 + y * 7 + z) % many] for x in range(7) for y in range(9) for z in range(5)
    }
    build = written(blocks, tmp_path)
    assert build == as_python(blocks) and build.id == as_python(blocks).id
    assert build.provenance.version == "2" and build.provenance.box == (7, 9, 5)


def test_mcschematic_of_a_few_cells_with_air_between(tmp_path):
    blocks = {(0, 0, 0): "minecraft:stone", (4, 2, -3): "minecraft:oak_log[axis=x]", (1, 1, 1): "minecraft:chest"}
    build = written(blocks, tmp_path)
    assert build == as_python(blocks) and len(build.blocks) == 3
