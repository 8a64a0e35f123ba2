"""Large files, hostile or not: reading them ends in a build or one line, within 5 s and 1 GB."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from format_outcome import read_apart
from format_samples import packed_chunk, region_file
from voxel_files import entry, sponge, xyz

from minece.blocks.formats import nbt
from minece.blocks.formats.litematic import bits_for, pack
from minece.blocks.formats.sponge import write_varints

# --- caps hold: each of these is read in a process of its own with limits set by the system

I = nbt.Int  # noqa: E741
RNG = np.random.default_rng(1)


def all_cells(blocks: int) -> bytes:
    numbers = np.zeros(4000 * 11_999, dtype=np.uint8)
    numbers[:: len(numbers) // blocks + 1] = 1
    size = {"Width": nbt.Short(4000), "Height": nbt.Short(1), "Length": nbt.Short(11_999)}
    return sponge((1, 1, 1), ["air", "stone"], [0], BlockData=numbers.view(np.int8), **size)


def two_bytes_a_cell() -> bytes:
    numbers = RNG.integers(128, 300, 4000 * 11_999, dtype=np.uint32)
    numbers[RNG.random(len(numbers), dtype=np.float32) < 0.97] = 299
    states = [*(f"m:b{i}" for i in range(299)), "air"]
    size = {"Width": nbt.Short(4000), "Height": nbt.Short(1), "Length": nbt.Short(11_999)}
    return sponge((1, 1, 1), states, [0], BlockData=write_varints(numbers), **size)


def wide_words() -> bytes:
    states = ["air", *(f"m:b{i}" for i in range(30_000))]
    numbers = np.zeros(47_000_000, dtype=np.uint32)
    numbers[:1_900_000] = RNG.integers(0, 30_000, 1_900_000)
    words = pack(numbers, bits_for(len(states)))
    palette = nbt.List(nbt.COMPOUND, map(entry, states))
    region = {
        "Position": xyz((0, 0, 0)),
        "Size": xyz((1000, 47, 1000)),
        "BlockStatePalette": palette,
        "BlockStates": words,
    }
    return nbt.write("", {"Version": I(6), "MinecraftDataVersion": I(1), "Metadata": {}, "Regions": {"a": region}})


def structure(cells: np.ndarray, states: np.ndarray) -> bytes:
    rows = nbt.records({"pos": cells.astype(np.int32), "state": states.astype(np.int32)})
    palette = nbt.List(nbt.COMPOUND, [entry(state) for state in ("air", "stone")])
    return nbt.write("", {"size": nbt.List(nbt.INT, [I(9)] * 3), "palette": palette, "blocks": rows})


def rows_of(count: int, *rows: nbt.Compound) -> bytes:
    """A structure whose rows repeat, written without a tree of that size."""
    kept = nbt.write("", {"blocks": nbt.List(nbt.COMPOUND, rows)}, compress=False)[17:-1]
    head = b"\x0a\0\0\x09\0\6blocks\x0a" + (count * len(rows)).to_bytes(4, "big")
    return gzip.compress(head + kept * count + nbt.write("", {"size": I(1)}, compress=False)[3:], 1)


def rising_rows() -> bytes:
    rows = [{"n": np.zeros(i, dtype=np.int8), "state": I(0)} for i in range(14_000)]
    return nbt.write("", {"blocks": nbt.List(nbt.COMPOUND, rows), "size": I(1)})


A_ROW: nbt.Compound = {"pos": nbt.List(nbt.INT, [I(1)] * 3), "state": I(0)}


def text(rows: str) -> bytes:
    return f'{{"format":"minece-build/1",{rows}}}'.encode()


def schematic(ids: np.ndarray) -> bytes:
    size = {"Width": nbt.Short(4000), "Height": nbt.Short(1), "Length": nbt.Short(11_999)}
    cells = np.zeros(4000 * 11_999, dtype=np.uint8)
    cells[: len(ids)] = ids
    blocks = {"Blocks": cells.view(np.int8), "Data": np.zeros(len(cells), dtype=np.int8)}
    return nbt.write("Schematic", {"Materials": "Alpha", **size, **blocks})


def grid(items: np.ndarray) -> bytes:
    out = io.BytesIO()
    np.save(out, items, allow_pickle=False)
    return out.getvalue()


def world(root: nbt.Compound, chunks: int = 1024) -> bytes:
    """A region whose chunks are all the same."""
    packed = packed_chunk(root)
    return region_file({(i % 32, i // 32): packed for i in range(chunks)})


def section(y: int, states: list[str], numbers: np.ndarray) -> nbt.Compound:
    palette = nbt.List(nbt.COMPOUND, map(entry, states))
    return {"Y": nbt.Byte(y), "block_states": {"palette": palette, "data": pack(numbers.astype(np.uint32), 4)}}


def chunk(numbers: np.ndarray, sections: int = 24) -> nbt.Compound:
    states = ["minecraft:air", "minecraft:stone", "minecraft:oak_fence"]
    rows = [section(y, states, numbers) for y in range(-4, sections - 4)]
    return {"DataVersion": I(3465), "xPos": I(0), "zPos": I(0), "sections": nbt.List(nbt.COMPOUND, rows)}


def numeric_chunk(ids: np.ndarray) -> nbt.Compound:
    data = np.zeros(2048, dtype=np.int8)
    rows = [{"Y": nbt.Byte(y), "Blocks": ids.astype(np.uint8).view(np.int8), "Data": data} for y in range(16)]
    return {"Level": {"xPos": I(0), "zPos": I(0), "Sections": nbt.List(nbt.COMPOUND, rows)}}


def blueprint(placement: str) -> bytes:
    return b'{"blueprint":{"levels":[{"coordinates":[0,0,0],"placement":[' + placement.encode() + b"]}]}}"


HOSTILE: dict[str, Callable[[], bytes]] = {
    "gzip of zeros": lambda: gzip.compress(bytes(2**29), 1),
    "compounds": lambda: nbt.write("", {"Regions": nbt.List(nbt.COMPOUND, [{}] * 499_990)}),
    "lists": lambda: nbt.write("", {"Regions": nbt.List(nbt.LIST, [nbt.List(0)] * 499_990)}),
    "long texts": lambda: nbt.write("", {"Palette": nbt.List(nbt.TEXT, ["😀" + "a" * 10_900] * 11_000)}),
    "large array": lambda: nbt.write("", {"BlockData": np.zeros(2**24 - 100, dtype=np.int64)}),
    "all cells are blocks": lambda: all_cells(47_000_000),
    "two million blocks": lambda: all_cells(1_999_000),
    "two bytes a cell": two_bytes_a_cell,
    "wide words": wide_words,
    "structure of two million blocks": lambda: structure(RNG.integers(0, 2**20, (2_000_000, 3)), np.ones(2_000_000)),
    "structure of air": lambda: structure(RNG.integers(-999, 999, (2_000_000, 3)), np.arange(2_000_000) == 0),
    "structure of one cell": lambda: structure(np.zeros((2_000_000, 3)), np.ones(2_000_000)),
    "rows that alternate": lambda: rows_of(1_000_000, {"a": nbt.Byte(1)}, {"b": nbt.Byte(1)}),
    "rows with something more": lambda: rows_of(900_000, A_ROW, A_ROW | {"nbt": {}}),
    "rows of nothing": lambda: rows_of(1_000_000, {}, {"b": nbt.Byte(1)}),
    "rising rows": rising_rows,
    "ids of every kind": lambda: schematic(RNG.integers(0, 256, 4000 * 11_999)),
    "ids of fences": lambda: schematic(np.full(1_999_000, 85)),
    "ids of stairs": lambda: schematic(np.full(1_999_000, 53)),
    "world of stone": lambda: world(chunk(np.ones(4096))),
    "world of fences": lambda: world(chunk(np.full(4096, 2)), 20),
    "world of air": lambda: world(chunk(np.arange(4096) == 0)),
    "world of numbers": lambda: world(numeric_chunk(np.arange(4096) % 256)),
    "world of few ids": lambda: world(numeric_chunk(53 * (np.arange(4096) % 128 == 0))),
    "chunks that unpack": lambda: world({"a": np.zeros(2**25, dtype=np.int8)}),
    "chunks of tags": lambda: world({"sections": nbt.List(nbt.COMPOUND, [{}] * 20_000)}),
    "grid of ids": lambda: grid(RNG.integers(0, 256, (4000, 1, 11_999), dtype=np.uint8)),
    "grid of few ids": lambda: grid(
        (np.arange(4000 * 11_999, dtype=np.uint32) % 25 == 0).reshape(4000, 1, -1).view("u1")
    ),
    "grid of long names": lambda: grid(np.arange(60_000).astype("<U256").reshape(600, 100, 1)),
    "grid of bytes": lambda: grid(np.resize(np.array([b"a", b""], dtype="S1"), (4000, 1, 11_999))),
    "grid of names": lambda: grid(np.resize(np.array(["", "oak_fence", "air"]), (1000, 100, 15))),
    "blueprint of fences": lambda: blueprint(("[" + '"oak_fence",' * 999 + '""],') * 1000 + "[]"),
    "blueprint of doors": lambda: blueprint(("[" + '"oak_door",' * 999 + '""],') * 1000 + "[]"),
    "blueprint of nothing": lambda: blueprint("[]," * 1_000_000 + "[]"),
    "blueprints": lambda: (
        b"{"
        + b",".join(
            b'"%d":{"blueprint":{"levels":[{"coordinates":[0,0,0],"placement":[["dirt"]]}]}}' % i
            for i in range(400_000)
        )
        + b"}"
    ),
    "a long tape": lambda: (
        b'{"worldEndingState":{"blocks":[]},"tape":"block_change' + b"(1,63,1,0,57)" * 3_000_000 + b'"}'
    ),
    "world state": lambda: (
        b'{"worldEndingState":{"blocks":[' + b",".join(b"[%d,63,0,57]" % i for i in range(1_400_000)) + b']},"tape":""}'
    ),
    "events of a player": lambda: (
        b"[" + b",".join(b'[1,"p",[%d,63,%d],[85,0],"P"]' % (i % 999, i // 999) for i in range(700_000)) + b"]"
    ),
    "blocks of a page": lambda: (
        b"["
        + b",".join(
            b'{"x":%d,"y":1,"z":%d,"mat_id":1,"name":"Oak Fence %d"}' % (i % 999, i // 999, i % 30_000)
            for i in range(700_000)
        )
        + b"]"
    ),
    "names of a page": lambda: (
        b"["
        + b",".join(b'{"x":%d,"y":1,"z":1,"mat_id":1,"name":"Odd Thing %d"}' % (i, i) for i in range(700_000))
        + b"]"
    ),
    "long palette": lambda: sponge((1, 1, 1), [f"oak_fence[a=w{i}]" for i in range(32_000)], [0]),
    "empty lists": lambda: text('"blocks":[' + ",".join(["[]"] * 1_990_000) + "]"),
    "objects": lambda: text('"blocks":[' + ",".join(['{"a":1}'] * 1_990_000) + "]"),
    "wide texts": lambda: text('"blocks":[' + ",".join(['"😀"'] * 6_000_000) + "]"),
    "digits": lambda: text('"blocks":[' + "1" * 40_000_000 + "]"),
    "brackets": lambda: b"[" * 40_000_000,
    "a million rows": lambda: text('"blocks":[' + ",".join(f'[{i},0,0,"b{i % 999}"]' for i in range(1_100_000)) + "]"),
    "a million events": lambda: text('"log":[' + ",".join(f'["place",{i},0,0,"dirt"]' for i in range(950_000)) + "]"),
    "many turns": lambda: text('"turns":[' + ",".join(['{"log":[[0,0,0,"stone"]]}'] * 500_000) + "]"),
    "large turns": lambda: text(
        '"turns":[{"log":[' + ",".join(f'[{i},0,0,"dirt"]' for i in range(100_000)) + "]}" + ",{}" * 2000 + "]"
    ),
    "states of a table": lambda: b"x,y,z,state\n" + b"".join(b"%d,0,0,s%d\n" % (i, i) for i in range(1_990_000)),
    "short lines": lambda: b"0,0,0,a\n" * 5_900_000,
    "one long line": lambda: b"0,0,0," + b"," * 47_000_000,
    "line feeds": lambda: b"\n" * 48_000_000 + b"x",
    "many records": lambda: b'{"run_idx":0,"coords":[]}\n' * 1_500_000,
    "large records": lambda: b"".join(
        b'{"turn_idx":%d,"coords":[%s]}\n'
        % (turn, b",".join(b'{"x":%d,"y":0,"z":0,"material":"oak_door"}' % i for i in range(150_000)))
        for turn in range(4)
    ),
}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_stay_within_time_and_memory(name, tmp_path):
    path = tmp_path / "hostile"
    path.write_bytes(HOSTILE[name]())
    seconds, peak, result = read_apart(path)
    path.unlink()
    print(name, seconds, "s", peak, "MB", result[:150])
    assert seconds < 5 and peak < 1000, result[:300]
    assert result.startswith("Build(") or f"{path}: " in result
