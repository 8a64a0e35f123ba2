"""Speed and memory of reading and writing files, beside nbtlib in the same run.

    python benchmarks/formats.py [--json]

nbtlib only parses, and writes the tree that it has parsed: the peer adds what it takes to get cells and states of all
blocks from its tree with numpy, and for Litematica the words are unpacked with one large whole number. Our reader
checks the file, fills in default states, keeps dug cells and sorts; our writer begins with the build.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import nbtlib
import numpy as np

from minece.blocks import BlockSet, Build, formats

REAL = Path(__file__).parents[1] / "tests" / "data" / "real"
STATES = ["stone", "oak_planks", "oak_stairs[facing=west]", "glass", "white_concrete"]

PEAK = """
import sys
from minece.blocks import formats
build = formats.read(sys.argv[1]).build
if len(sys.argv) > 2:
    formats.write(build, sys.argv[1] + ".again", format=sys.argv[2])
print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""


def random_build(size: tuple[int, int, int], blocks: int, states: list[str]) -> Build:
    """So many blocks at random places of a box."""
    rng = np.random.default_rng(0)
    flat = rng.choice(int(np.prod(size)), blocks, replace=False)
    cells = np.stack(np.unravel_index(flat, size), axis=1).astype(np.int32)
    return Build(BlockSet(cells, rng.integers(0, len(states), blocks), states))


def nbtlib_structure(path: Path) -> tuple[np.ndarray, list[str]]:
    """Cells and states of a structure of the game."""
    root = nbtlib.load(path)
    names = [str(entry["Name"]) for entry in root["palette"]]
    cells = np.array([block["pos"] for block in root["blocks"]], dtype=np.int32)
    return cells, [names[block["state"]] for block in root["blocks"]]


def nbtlib_writes(path: Path) -> float:
    """Seconds to write the tree of a file, which nbtlib has read, again."""
    root = nbtlib.load(path)
    return seconds(lambda: root.save(path.with_suffix(".peer")), 1, warm=False)


def nbtlib_sponge(path: Path) -> tuple[np.ndarray, list[str]]:
    """Cells and states of a version 2 schematic of at most 128 states."""
    root = nbtlib.load(path)
    width, height, length = (int(root[side]) for side in ("Width", "Height", "Length"))
    names = {int(number): str(state) for state, number in root["Palette"].items()}
    numbers = np.array(root["BlockData"], dtype=np.uint8).reshape(height, length, width)
    solid = np.array([not names[i].startswith(("minecraft:air", "minecraft:cave_air")) for i in range(len(names))])
    y, z, x = np.nonzero(solid[numbers])
    return np.stack([x, y, z], axis=1), [names[i] for i in numbers[y, z, x].tolist()]


def nbtlib_litematic(path: Path) -> int:
    """Blocks of a schematic of one region."""
    (region,) = nbtlib.load(path)["Regions"].values()
    size = int(np.prod([abs(int(region["Size"][axis])) for axis in "xyz"]))
    names = [str(entry["Name"]) for entry in region["BlockStatePalette"]]
    bits = max(2, (len(names) - 1).bit_length())
    text = bin(int.from_bytes(np.array(region["BlockStates"], dtype="<i8").tobytes(), "little"))[2:].zfill(size * bits)
    numbers = [int(text[len(text) - bits * (i + 1) : len(text) - bits * i], 2) for i in range(size)]
    return sum(not names[i].startswith("minecraft:air") for i in numbers)


def seconds(action: Callable[[], Any], repeats: int = 5, *, warm: bool = True) -> float:
    """Median time of an action, after one run to warm up."""
    if warm:
        action()
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        action()
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def peak_memory(*words: object) -> float | None:
    """Megabytes that a process takes at most which reads a file, and writes it again where a format is given."""
    if not Path("/proc/self/status").exists():
        return None
    out = subprocess.run([sys.executable, "-c", PEAK, *map(str, words)], capture_output=True, text=True, check=True)
    return int(out.stdout) / 1024


def measure(folder: Path) -> list[dict[str, Any]]:
    """One row a file."""
    many = [f"some_mod:block_{i}" for i in range(1500)]
    full = random_build((64, 64, 64), 64**3, STATES)
    cases: list[tuple[str, Build, str, Callable[[Path], Any] | None]] = [
        ("structure .nbt, 64³ full", full, "structure", nbtlib_structure),
        ("structure .nbt, 2 M blocks", random_build((128, 128, 128), 2_000_000, STATES), "structure", None),
        (".schem v2, s08, 32×384×32", formats.read(REAL / "s08-2x2_chunk_vert.schem").build, "schem", nbtlib_sponge),
        (".schem v2, 64³ full", full, "schem", nbtlib_sponge),
        (".schem v2, 256³", random_build((256, 256, 256), 930_000, STATES), "schem", nbtlib_sponge),
        (".schem v3, 64³, 1500 states", random_build((64, 64, 64), 200_000, many), "schem-v3", None),
        (".litematic, 64³, 11 bits", random_build((64, 64, 64), 100_000, many), "litematic", nbtlib_litematic),
        ("JSON", random_build((64, 64, 64), 100_000, STATES), "json", None),
        ("CSV", random_build((64, 64, 64), 100_000, STATES), "csv", None),
    ]
    rows = []
    for name, build, form, peer in cases:
        path = folder / form
        write = seconds(partial(formats.write, build, path, format=form), 3)
        read = seconds(partial(formats.read, path))
        assert formats.read(path).build == build
        # Seven seconds each: once is enough for the structure.
        once = form == "structure"
        theirs = None if peer is None else seconds(partial(peer, path), 1 if once else 3, warm=not once)
        their_write = None if peer is None else nbtlib_writes(path)
        rows.append(
            {
                "file": name,
                "blocks": len(build.blocks),
                "bytes": path.stat().st_size,
                "write_s": write,
                "nbtlib_write_s": their_write,
                "write_ratio": None if their_write is None else their_write / write,
                "read_s": read,
                "nbtlib_read_s": theirs,
                "ratio": None if theirs is None else theirs / read,
                "peak_MB": peak_memory(path),
                "peak_with_writing_MB": peak_memory(path, form),
            }
        )
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder))
    if as_json:
        print(json.dumps(rows))
        return
    print(
        f"{'file':32}{'blocks':>9}{'kB':>8}{'write':>9}{'nbtlib':>9}{'ratio':>8}{'read':>9}{'nbtlib':>9}{'ratio':>8}"
        f"{'peak':>9}{'+write':>9}"
    )

    def beside(theirs: float | None, ratio: float | None) -> str:
        return " " * 17 if theirs is None or ratio is None else f"{theirs * 1e3:7.0f}ms{ratio:7.1f}×"

    for row in rows:
        peaks = "".join(f"{row[key]:6.0f} MB" for key in ("peak_MB", "peak_with_writing_MB") if row[key] is not None)
        print(
            f"{row['file']:32}{row['blocks']:9}{row['bytes'] // 1000:8}"
            f"{row['write_s'] * 1e3:7.0f}ms{beside(row['nbtlib_write_s'], row['write_ratio'])}"
            f"{row['read_s'] * 1e3:7.0f}ms{beside(row['nbtlib_read_s'], row['ratio'])}{peaks}"
        )


if __name__ == "__main__":
    main()
