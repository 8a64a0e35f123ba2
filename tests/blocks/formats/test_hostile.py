"""Whatever the bytes are, reading them ends in a build or one line, within 5 s and 1 GB."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from voxel_files import entry, sponge, xyz

from minece.blocks import Build, formats
from minece.blocks.errors import MineceError
from minece.blocks.formats import nbt
from minece.blocks.formats.litematic import bits_for, pack
from minece.blocks.formats.sponge import write_varints

REAL = Path(__file__).parents[2] / "data" / "real"
SMALL = ["s03-green-cottage.schem", "s16-primitive-rocket.schem", "s18-and.schem", "l05-bus_cross8_design.litematic",
         "l06-3x2x3.litematic", "g01-viking-house1.schematic", "j08-small_wood_house.json"]  # fmt: skip


def own_files(folder: Path) -> list[bytes]:
    first = Build.from_log(
        [["place", x, 4, z, "oak_stairs[facing=west]"] for x in range(3) for z in range(3)] + [["break", 9, 3, 9]],
        ground_y=4,
    )
    out = []
    for name in ("json", "csv", "schem", "schem-v3", "litematic"):
        formats.write(first, folder / name, format=name)
        out.append((folder / name).read_bytes())
    formats.write([first, first.then([["break", 0, 4, 0]])], folder / "turns.json")
    out.append((folder / "turns.json").read_bytes())
    coords = [{"x": i, "y": 0, "z": 0, "material": "oak_door"} for i in range(3)]
    record = {"run_idx": 0, "turn_idx": 0, "n_turns": 2, "prompt": "", "checks": [{"fn": "f"}], "coords": coords}
    out.append("\n".join(json.dumps({**record, "turn_idx": turn}) for turn in range(2)).encode())
    out.append(json.dumps(coords).encode())
    return out


def mutated(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    if rng.random() < 0.2:
        return bytes(out[: rng.randrange(len(out) + 1)])
    for _ in range(rng.choice([1, 1, 1, 2, 4, 16])):
        at = rng.randrange(min(len(out), rng.choice([64, 400, 10**9])))
        match rng.randrange(5):
            case 0:
                out[at] ^= 1 << rng.randrange(8)
            case 1:
                out[at] = rng.choice(b'\x00\x01\x7f\x80\xff\x08\x09\x0a["{9,-')
            case 2:
                del out[at : at + rng.choice([1, 2, 4, 50])]
            case 3:
                out[at:at] = rng.randbytes(rng.choice([1, 2, 4]))
            case 4:
                start = rng.randrange(len(out))
                out[at:at] = out[start : start + rng.randrange(60)]
        if not out:
            break
    return bytes(out)


def test_damaged_files_raise_one_line_or_give_a_build_that_can_be_written(tmp_path):
    rng = random.Random(20260101)
    seeds = own_files(tmp_path) + [(REAL / name).read_bytes() for name in SMALL]
    outcomes = {"read": 0, "refused": 0}
    for number in range(700):
        packed = rng.choice(seeds)
        plain = nbt.unpack(packed)
        data = mutated(packed, rng) if rng.random() < 0.2 else mutated(plain, rng)
        if rng.random() < 0.3:
            data = gzip.compress(data, 1)
        ground, hint = rng.choice([None, None, 0, 3, -5]), rng.choice([None, "top", "bottom"])
        try:
            turns = formats.read(data, name="x", ground=ground, hint=hint).runs[0].turns
        except MineceError as error:
            line = str(error)
            assert line.startswith("x: ") and "\n" not in line and len(line) <= 1000
            outcomes["refused"] += 1
            continue
        outcomes["read"] += 1
        if number % 3 == 0:
            formats.write(turns, tmp_path / "back.json")
            assert formats.read(tmp_path / "back.json").runs[0].turns == turns
    assert outcomes["read"] > 30 and outcomes["refused"] > 300


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


def text(rows: str) -> bytes:
    return f'{{"format":"minece-build/1",{rows}}}'.encode()


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

READER = """
import resource, sys, time
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
from minece.blocks import formats
from minece.blocks.errors import MineceError
begin = time.process_time()
try:
    result = repr(formats.read(sys.argv[1]).runs[-1].build)
except MineceError as error:
    result = type(error).__name__ + ": " + str(error)
seconds = time.process_time() - begin
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(f"{seconds:.2f} {peak // 1024} {result}")
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_stay_within_time_and_memory(name, tmp_path):
    path = tmp_path / "hostile"
    path.write_bytes(HOSTILE[name]())
    done = subprocess.run([sys.executable, "-c", READER, str(path)], capture_output=True, text=True, check=False)
    path.unlink()
    assert done.returncode == 0, done.stderr[-2000:]
    seconds, peak, result = done.stdout.split(" ", 2)
    print(name, seconds, "s", peak, "MB", result[:150])
    assert float(seconds) < 5 and int(peak) < 1000, done.stdout[:300]
    assert result.startswith("Build(") or f"{path}: " in result
