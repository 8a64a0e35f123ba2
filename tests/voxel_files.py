"""Voxel files made by hand for tests: small Sponge and Litematica files of which every tag is known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minece.blocks.formats import nbt
from minece.blocks.formats.litematic import bits_for, pack


def varints(numbers: Sequence[int]) -> np.ndarray:
    """The bytes of the numbers, written one by one as the Sponge specification says."""
    out = bytearray()
    for number in numbers:
        while number > 127:
            out.append(number & 127 | 128)
            number >>= 7
        out.append(number)
    return np.frombuffer(bytes(out), dtype=np.int8)


def cells(size: Sequence[int], blocks: Mapping[tuple[int, int, int], int]) -> list[int]:
    """Palette numbers in order y, z, x, 0 where no block is named."""
    width, height, length = size
    return [blocks.get((x, y, z), 0) for y in range(height) for z in range(length) for x in range(width)]


def sponge(
    size: Sequence[int],
    palette: Sequence[str] | Mapping[str, int],
    numbers: Sequence[int],
    version: int = 2,
    **more: Any,
) -> bytes:
    """A Sponge schematic; ``more`` are further tags, None leaves a tag out."""
    names = palette if isinstance(palette, Mapping) else {state: i for i, state in enumerate(palette)}
    entries = {state: nbt.Int(i) for state, i in names.items()}
    sides = {n: nbt.Short(v) for n, v in zip(("Width", "Height", "Length"), size, strict=True)}
    root: dict[str, Any] = {"Version": nbt.Int(version), "DataVersion": nbt.Int(3700), **sides}
    if version == 3:
        root["Blocks"] = {"Palette": entries, "Data": varints(numbers), "BlockEntities": nbt.List(nbt.END)}
    else:
        root |= {"PaletteMax": nbt.Int(len(names)), "Palette": entries, "BlockData": varints(numbers)}
    root = {name: tag for name, tag in {**root, **more}.items() if tag is not None}
    return nbt.write("", {"Schematic": root}) if version == 3 else nbt.write("Schematic", root)


def xyz(values: Sequence[int]) -> nbt.Compound:
    """A vector as Litematica writes it."""
    return {axis: nbt.Int(v) for axis, v in zip("xyz", values, strict=True)}


def entry(state: str) -> nbt.Compound:
    """A palette entry as Litematica writes it."""
    name, _, rest = state.partition("[")
    out: nbt.Compound = {"Name": name}
    if rest:
        out["Properties"] = dict(pair.split("=") for pair in rest[:-1].split(","))
    return out


def region(
    position: Sequence[int], size: Sequence[int], palette: Sequence[str], numbers: Sequence[int]
) -> nbt.Compound:
    """A region of a Litematica schematic."""
    words = pack(np.array(numbers, dtype=np.uint32), bits_for(len(palette)))
    return {
        "Position": xyz(position),
        "Size": xyz(size),
        "BlockStatePalette": nbt.List(nbt.COMPOUND, [entry(state) for state in palette]),
        "BlockStates": words,
        "TileEntities": nbt.List(nbt.END),
        "Entities": nbt.List(nbt.END),
    }


def litematic(regions: Mapping[str, nbt.Compound], version: int = 6, **more: Any) -> bytes:
    """A Litematica schematic; ``more`` are further tags, None leaves a tag out."""
    root: dict[str, Any] = {
        "MinecraftDataVersion": nbt.Int(3700),
        "Version": nbt.Int(version),
        "Metadata": {"Name": "made by hand"},
        "Regions": dict(regions),
        **more,
    }
    return nbt.write("", {name: tag for name, tag in root.items() if tag is not None})


def structure(
    size: Sequence[int],
    palette: Sequence[str],
    blocks: Sequence[tuple[int, int, int, int] | tuple[int, int, int, int, nbt.Compound]],
    /,
    **more: Any,
) -> bytes:
    """A structure of the game: rows of x, y, z, palette number and perhaps a block entity; ``more`` as above."""
    rows: list[nbt.Compound] = []
    for x, y, z, state, *entity in blocks:
        row: nbt.Compound = {"state": nbt.Int(state), "pos": nbt.List(nbt.INT, map(nbt.Int, (x, y, z)))}
        rows.append(row | ({"nbt": entity[0]} if entity else {}))
    root: dict[str, Any] = {
        "size": nbt.List(nbt.INT, map(nbt.Int, size)),
        "entities": nbt.List(nbt.END),
        "blocks": nbt.List(nbt.COMPOUND, rows),
        "palette": nbt.List(nbt.COMPOUND, map(entry, palette)),
        "DataVersion": nbt.Int(3700),
        **more,
    }
    return nbt.write("", {name: tag for name, tag in root.items() if tag is not None})
