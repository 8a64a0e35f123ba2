"""Builds of data sets and other tools, written in our formats, come back as the same builds."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from minece.blocks import formats

REAL = Path(__file__).parents[2] / "data" / "real"


def grid() -> bytes:
    file = io.BytesIO()
    np.save(file, np.array(["air", "stone", "", "oak_fence"])[np.arange(60).reshape(3, 4, 5) * 7 // 3 % 4])
    return file.getvalue()


SAMPLES = {
    "blueprint": (REAL / "j06-pyramid.json").read_bytes(),
    "construction": (REAL / "j08-small_wood_house.json").read_bytes(),
    "iglu": json.dumps(
        {
            "worldEndingState": {"blocks": [[0, 63, 0, 56], [1, 64, 0, 57]]},
            "tape": "1 block_change (0, 63, 0, 0, 56) (1, 64, 0, 0, 57)\n2 block_change (2, 64, 0, 0, 57)\n"
            "3 block_change (2, 64, 0, 57, 0)",
        }
    ).encode(),
    "craftassist": json.dumps(
        [
            [1, "a", [0, 63, 0], [5, 0], "P"],
            [2, "a", [1, 63, 0], [85, 0], "P"],
            [3, "a", [2, 62, 0], [2, 0], "B"],
            [4, "a", [3, 65, 0], [1, 0], "P"],
            [5, "a", [3, 65, 0], [1, 0], "B"],
        ]
    ).encode(),
    "grabcraft": b'var myRenderObject = [{"x":1,"y":2,"z":1,"name":"Oak Fence"},{"x":1,"y":3,"z":1,"name":"Odd"}]',
    "npy": grid(),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_the_format_is_told(name):
    assert formats.read(SAMPLES[name]).format == name


@pytest.mark.parametrize("to", ["json", "csv", "schem", "litematic"])
@pytest.mark.parametrize("ground", [None, 1, 63])
@pytest.mark.parametrize("name", SAMPLES)
def test_written_and_read_again(name, ground, to, tmp_path):
    build = formats.read(SAMPLES[name], ground=ground).build
    formats.write(build, tmp_path / "copy", format=to)
    again = formats.read(tmp_path / "copy").build
    assert again.id == build.id and again.provenance.ground_known == build.provenance.ground_known
    if to in ("json", "csv") and build.log is not None:
        assert again.log is not None and again.log.events() == build.log.events()


@pytest.mark.parametrize("hint", ["top", "bottom"])
@pytest.mark.parametrize("name", ["craftassist", "grabcraft", "npy"])
def test_a_task_says_where_the_ground_is_where_the_file_does_not(name, hint):
    build = formats.read(SAMPLES[name], hint=hint).build
    assert (build.blocks.high[1] == -1) if hint == "top" else (build.blocks.low[1] == 0)
    assert not build.provenance.ground_known
