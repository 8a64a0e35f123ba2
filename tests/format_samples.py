"""Small good files of every format that is registered: our own writers', some made by hand, some of other people.

A format that is added needs a line in :data:`MAKERS`; the tests of hostile files fail without.
"""

from __future__ import annotations

import io
import json
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from voxel_files import entry, litematic, region, sponge, structure

from minece.blocks import Build, formats
from minece.blocks.formats import nbt
from minece.blocks.formats.litematic import pack

REAL = Path(__file__).parent / "data" / "real"


@dataclass(frozen=True)
class Sample:
    """A good file.

    Attributes
    ----------
    form : name of its format in the registry
    ending : what such files are called
    data : its bytes
    title : which of the format's samples it is
    tells_its_end : whether every beginning of it can be told from the whole; a table's, say, cannot
    """

    form: str
    ending: str
    data: bytes
    title: str = "ours"
    tells_its_end: bool = True

    @property
    def id(self) -> str:
        """Format and title, for the names of tests."""
        return f"{self.form}-{self.title}"


# --- what they hold ---------------------------------------------------------------------------------------------


def hut() -> Build:
    """A few blocks with properties, one of them below the ground, and a dug cell."""
    events: list[Any] = [["place", x, 4, z, "oak_stairs[facing=west]"] for x in range(3) for z in range(3)]
    events += [["break", 1, 3, 1], ["place", 1, 3, 1, "stone"], ["place", 1, 5, 1, "torch"], ["break", 9, 3, 9]]
    return Build.from_log(events, ground_y=4)


def _written(form: str, *turns: Build) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        formats.write(turns, path, format=form)
        return path.read_bytes()


def _real(name: str) -> bytes:
    return (REAL / name).read_bytes()


def _text(value: Any) -> bytes:
    return json.dumps(value).encode()


# --- formats of our own -----------------------------------------------------------------------------------------


def _json() -> list[Sample]:
    guessed = {"format": "minece-build/1", "ground_y": None, "blocks": [[0, 3, 0, "stone"]], "dug": [[1, 2, 0]]}
    return [
        Sample("json", ".json", _written("json", hut())),
        Sample("json", ".json", _written("json", hut(), hut().then([["break", 0, 4, 0]])), "turns"),
        Sample("json", ".json", _text(guessed), "without ground"),
    ]


def _csv() -> list[Sample]:
    rows = b'x;y;z;state\n0;0;0;stone\n0;1;0;"oak_stairs[facing=west]"\n# a note\n2;0;0;air\n'
    return [
        Sample("csv", ".csv", _written("csv", hut()), tells_its_end=False),
        Sample("csv", ".csv", rows, "by hand", tells_its_end=False),
    ]


# --- voxel formats ----------------------------------------------------------------------------------------------

STATES = ["minecraft:air", "minecraft:gold_block", "minecraft:oak_fence[east=true]"]


def _schem() -> list[Sample]:
    first = sponge((2, 1, 2), STATES, [0, 1, 2, 1], version=1, PaletteMax=None)
    wide = sponge((200, 1, 1), [f"some_mod:state_{i}" for i in range(200)], list(range(200)))
    return [
        Sample("schem", ".schem", _written("schem", hut())),
        Sample("schem", ".schem", first, "version 1"),
        Sample("schem", ".schem", wide, "two bytes a cell"),
        Sample("schem", ".schem", _real("s16-primitive-rocket.schem"), "rocket"),
        Sample("schem", ".schem", _real("s18-and.schem"), "and"),
    ]


def _litematic() -> list[Sample]:
    parts = {
        "A": region((0, 0, 0), (2, 1, 1), STATES, [1, 1]),
        "B": region((5, 9, 0), (-2, -2, 1), STATES, [2, 2, 0, 1]),
    }
    return [
        Sample("litematic", ".litematic", _written("litematic", hut())),
        Sample("litematic", ".litematic", litematic(parts), "two regions"),
        Sample("litematic", ".litematic", _real("l06-3x2x3.litematic"), "3x2x3"),
    ]


def _structure() -> list[Sample]:
    jigsaw = {"id": "minecraft:jigsaw", "final_state": "minecraft:oak_planks[]"}
    rows: list[Any] = [(0, 0, 0, 1), (1, 0, 0, 0), (2, 1, 0, 2), (0, 2, 2, 3, jigsaw)]
    palette = [*STATES, "minecraft:jigsaw"]
    several = nbt.List(nbt.LIST, [nbt.List(nbt.COMPOUND, map(entry, palette)) for _ in range(2)])
    return [
        Sample("structure", ".nbt", _written("structure", hut())),
        Sample("structure", ".nbt", structure((3, 3, 3), palette, rows), "by hand"),
        Sample("structure", ".nbt", structure((3, 3, 3), palette, rows, palette=None, palettes=several), "palettes"),
    ]


def _schematic() -> list[Sample]:
    ids = np.array([0, 1, 53, 217, 35, 85, 64, 64], dtype=np.uint8).view(np.int8)
    root: nbt.Compound = {
        "Materials": "Alpha",
        **{side: nbt.Short(2) for side in ("Width", "Height", "Length")},
        "Blocks": ids,
        "Data": np.array([0, 0, 3, 0, 14, 0, 1, 8], dtype=np.int8),
        "AddBlocks": np.zeros(4, dtype=np.int8),
        "SchematicaMapping": {"minecraft:stone": nbt.Short(1), "minecraft:oak_stairs": nbt.Short(53)},
        "Entities": nbt.List(nbt.END),
        "TileEntities": nbt.List(nbt.COMPOUND, [{"id": "Sign", **{axis: nbt.Int(0) for axis in "xyz"}}]),
        **{f"WEOffset{axis}": nbt.Int(-1) for axis in "XYZ"},
    }
    return [
        Sample("schematic", ".schematic", _written("schematic", hut())),
        Sample("schematic", ".schematic", nbt.write("Schematic", root), "by hand"),
        Sample("schematic", ".schematic", _real("g01-viking-house1.schematic"), "viking house"),
    ]


# --- worlds -----------------------------------------------------------------------------------------------------

SECTOR = 4096


def region_file(chunks: Mapping[tuple[int, int], bytes]) -> bytes:
    """A region file of packed chunks by column and row, each with its length and kind before it."""
    header = np.zeros(2048, dtype=">u4")
    body = bytearray()
    for (column, row), data in chunks.items():
        sectors = -(-len(data) // SECTOR)
        header[column + 32 * row] = (2 + len(body) // SECTOR) << 8 | sectors
        body += data.ljust(sectors * SECTOR, b"\0")
    return header.tobytes() + bytes(body)


def packed_chunk(root: nbt.Compound, kind: int = 2) -> bytes:
    """A chunk as it lies in a region file."""
    raw = nbt.write("", root, compress=False)
    data = zlib.compress(raw) if kind == 2 else raw
    return struct.pack(">IB", len(data) + 1, kind) + data


def _longs(numbers: ArrayLike, bits: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return pack(np.asarray(numbers, dtype=np.uint32).reshape(-1), bits)


def _layer() -> np.ndarray[Any, np.dtype[np.uint32]]:
    numbers = np.zeros((16, 16, 16), dtype=np.uint32)
    numbers[0], numbers[1, 3:6, 3:6] = 1, 2
    return numbers


def chunks_of_every_layout() -> list[nbt.Compound]:
    """Chunks of versions before 1.13, of 1.13, 1.16 and from 1.18 on, with a floor and a few blocks on it."""
    palette = nbt.List(nbt.COMPOUND, map(entry, STATES))
    words = _longs(_layer(), 4)
    place: nbt.Compound = {"xPos": nbt.Int(0), "zPos": nbt.Int(0)}
    none = nbt.List(nbt.END)
    numeric: nbt.Compound = {
        "Y": nbt.Byte(0),
        "Blocks": _layer().reshape(-1).astype(np.int8),
        "Data": np.zeros(2048, dtype=np.int8),
    }
    old = {"Y": nbt.Byte(0), "Palette": palette, "BlockStates": words}
    new: nbt.Compound = {"Y": nbt.Byte(-4), "block_states": {"palette": palette, "data": words}}
    one: nbt.Compound = {"Y": nbt.Byte(0), "block_states": {"palette": nbt.List(nbt.COMPOUND, [entry(STATES[1])])}}
    return [
        {"DataVersion": nbt.Int(1343), "Level": {**place, "Sections": nbt.List(nbt.COMPOUND, [numeric])}},
        {"DataVersion": nbt.Int(1976), "Level": {**place, "Sections": nbt.List(nbt.COMPOUND, [old]), "Entities": none}},
        {"DataVersion": nbt.Int(2586), "Level": {**place, "Sections": nbt.List(nbt.COMPOUND, [old])}},
        {"DataVersion": nbt.Int(3465), **place, "yPos": nbt.Int(-4), "Status": "minecraft:full",
         "sections": nbt.List(nbt.COMPOUND, [new, one]), "block_entities": none},
    ]  # fmt: skip


def _world() -> list[Sample]:
    files = [region_file({(0, 0): packed_chunk(root)}) for root in chunks_of_every_layout()]
    names = ("numbers", "1.13", "1.16", "1.18")
    # The last sector of a region file is filled up: a file without its end still holds all chunks.
    return [Sample("world", ".mca", data, name, tells_its_end=False) for name, data in zip(names, files, strict=True)]


def write_world(folder: Path, region_data: bytes) -> Path:
    """A world's folder with one region file, whose path is given back."""
    path = folder / "region" / "r.0.0.mca"
    path.parent.mkdir(parents=True)
    path.write_bytes(region_data)
    (folder / "level.dat").write_bytes(nbt.write("", {"Data": {"DataVersion": nbt.Int(3465), "LevelName": "small"}}))
    return path


# --- texts of other tools ---------------------------------------------------------------------------------------


def _records() -> list[Sample]:
    coords = [{"x": i, "y": 0, "z": 0, "material": "oak_door"} for i in range(3)]
    record = {"run_idx": 0, "n_turns": 2, "prompt": "", "checks": [{"fn": "check_connected", "args": {}}]}
    lines = [{**record, "turn_idx": turn, "coords": coords[: turn + 2]} for turn in range(2)]
    text = "\n".join(map(json.dumps, lines)).encode()
    return [
        Sample("records", ".jsonl", text, "two turns", tells_its_end=False),
        Sample("records", ".json", _text(coords), "coordinates"),
    ]


def _blueprint() -> list[Sample]:
    rows = [["stone", "air", ""], ["oak_stairs[facing=east]", None, "planks"]]
    levels = [{"level": y, "coordinates": [10, 64 + y, -5], "placement": rows} for y in range(2)]
    tasks = {"hut": {"goal": "build it", "blueprint": {"materials": {"stone": 1}, "levels": levels}}}
    den = [[["", "planks"], ["air", "dirt"]], [["log", "bed"], ["torch", "bed"]]]
    return [
        Sample("blueprint", ".json", _text(tasks), "tasks"),
        Sample("blueprint", ".json", _text({"name": "den", "offset": -1, "blocks": den}), "construction"),
    ]


def _iglu() -> list[Sample]:
    state = {"blocks": [[0, 63, 0, 57], [0, 64, 0, 86], [1, 63, 0, 999]]}
    tape = "1 action select\n2 block_change (0, 63, 0, 0, 57)\n3 block_change (0, 64, 0, 0, 86) (1, 63, 0, 0, 999)"
    return [Sample("iglu", ".json", _text({"worldEndingState": state, "tape": tape, "avatarInfo": {}}), "by hand")]


def _craftassist() -> list[Sample]:
    rows = [[1_542_310_000 + i, "ann", [i, 63, -3], [53 + i, 2], "P"] for i in range(4)]
    rows.append([1_542_310_009.5, "ann", [1, 63, -3], [0, 0], "B"])
    return [Sample("craftassist", ".json", _text(rows), "by hand")]


def _grabcraft() -> list[Sample]:
    names = ["Stone Brick Stairs (East)", "Oak Door (Lower, Facing East)", "Torch (Facing West)", "Something Odd"]
    blocks = [{"x": str(i + 1), "y": "1", "z": "1", "mat_id": "7", "name": name} for i, name in enumerate(names)]
    levels = {"1": {block["x"]: {"1": block} for block in blocks}}
    return [
        Sample("grabcraft", ".js", b"var myRenderObject = " + _text(levels) + b";", "object"),
        Sample("grabcraft", ".json", _text(blocks), "list"),
    ]


def _saved(array: ArrayLike) -> bytes:
    out = io.BytesIO()
    np.save(out, np.asarray(array), allow_pickle=False)
    return out.getvalue()


def _npy() -> list[Sample]:
    numbers = np.arange(24).reshape(2, 3, 4) % 5
    names = np.array(["", "air", "stone", "oak_fence", "oak_door"])[numbers]
    pairs = np.stack([numbers, numbers % 2], axis=3).astype(np.uint8)
    grids: Sequence[tuple[str, Any]] = [
        ("names", names),
        ("bytes", names.astype("S9")),
        ("ids", numbers.astype(">i4")),
        ("pairs", pairs),
        ("solid", np.asfortranarray(numbers > 2)),
    ]
    return [Sample("npy", ".npy", _saved(grid), title) for title, grid in grids]


MAKERS: dict[str, Callable[[], list[Sample]]] = {
    "json": _json,
    "schem": _schem,
    "schem-v3": lambda: [Sample("schem-v3", ".schem", _written("schem-v3", hut()))],
    "litematic": _litematic,
    "structure": _structure,
    "schematic": _schematic,
    "world": _world,
    "records": _records,
    "blueprint": _blueprint,
    "iglu": _iglu,
    "craftassist": _craftassist,
    "grabcraft": _grabcraft,
    "npy": _npy,
    "csv": _csv,
}
"""What makes the samples of each format, by its name in the registry."""


@lru_cache(maxsize=1)
def samples() -> tuple[Sample, ...]:
    """The samples of all formats that are registered."""
    return tuple(sample for form in formats.FORMATS for sample in MAKERS.get(form.name, list)())
