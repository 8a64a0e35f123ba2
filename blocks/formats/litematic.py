"""Litematica schematics (.litematic): versions 4 to 7 are read, version 6 with one region is written.

Each region is a dense box in order y, z, x with its own palette; palette numbers of ``bits`` bits lie packed in
64 bit words and span their borders. A negative size runs against its axis from ``Position``; the data begins at
the lowest corner all the same. Block entities, entities and pending ticks are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minece.blocks.build import Build, Provenance
from minece.blocks.errors import FormatError
from minece.blocks.formats import nbt
from minece.blocks.formats.entries import entities_left_out, entry_of, state_of
from minece.blocks.formats.limits import LIMITS, Deadline
from minece.blocks.formats.ours import NAME, Stored, data_version, stored_in, stored_tag
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.formats.volume import Box, Numbers, build_from_boxes, check_size, dense
from minece.blocks.grid import LIMIT

VERSIONS = (4, 5, 6, 7)
DAMAGED = "the file is damaged: export it again"


def sniff(source: Source) -> bool:
    """Whether a file is a Litematica schematic."""
    return source.is_nbt and isinstance(source.root.get("Regions"), dict)


@dataclass(frozen=True, slots=True)
class _Region:
    place: str
    tag: nbt.Compound
    low: tuple[int, int, int]
    size: tuple[int, int, int]


def read(source: Source) -> Document:
    """The build of all regions together. Raises :class:`FormatError` and :class:`LimitError`."""
    root = source.root
    version = nbt.get_int(root, "Version")
    if version not in VERSIONS:
        raise FormatError(
            f"Litematica version {version} is not known", where="Version", mend="save it as a version from 4 to 7"
        )
    regions = _regions(root, source)
    low = tuple(min(region.low[axis] for region in regions) for axis in range(3))
    high = tuple(max(region.low[axis] + region.size[axis] for region in regions) for axis in range(3))
    size = (high[0] - low[0], high[1] - low[1], high[2] - low[2])
    if max(size) > LIMIT:
        raise FormatError(f"the regions spread over {max(size):,} cells", where="Regions", mend="remove the stray one")
    metadata = root.get("Metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    stored, warnings = stored_in(metadata, size)
    origin = stored.origin if stored else (0, 0, 0)
    boxes = []
    for region in regions:
        at = [region.low[axis] - low[axis] + origin[axis] for axis in range(3)]
        boxes.append(_box(region, (at[0], at[1], at[2]), source))
        source.deadline.check()
    sub = root.get("SubVersion")
    provenance = Provenance(
        format="litematic",
        version=f"{version}.{sub}" if isinstance(sub, int) else str(version),
        data_version=nbt.get_int(root, "MinecraftDataVersion") if "MinecraftDataVersion" in root else None,
        regions=len(regions),
        box=size,
        author=nbt.get_text(metadata, "Author"),
        name=nbt.get_text(metadata, "Name"),
        warnings=warnings + entities_left_out(region.tag.get("Entities") for region in regions),
    )
    build = build_from_boxes(
        boxes, source.wish, provenance, source.limits, source.deadline, stored=stored.ground_y if stored else None
    )
    return Document("litematic", [Run(provenance.name, [build])])


def _regions(root: nbt.Compound, source: Source) -> list[_Region]:
    tags = nbt.get_compound(root, "Regions")
    if not tags:
        raise FormatError("holds no region", where="Regions", mend="export it again")
    source.limits.most("regions", len(tags), source.limits.regions, where="Regions")
    out = []
    total = 0
    for name in tags:
        place = f"Regions/{name}"
        tag = nbt.get_compound(tags, name, "Regions")
        corner, extent = _vector(tag, "Position", place), _vector(tag, "Size", place)
        size = (abs(extent[0]), abs(extent[1]), abs(extent[2]))
        low = tuple(corner[axis] + min(extent[axis] + 1, 0) for axis in range(3))
        if max(abs(v) for v in low) > LIMIT:
            raise FormatError(f"lies at {list(low)}, outside ±{LIMIT}", where=place, mend="export it again")
        total += check_size(size, source.limits, place)
        source.limits.most("cells in all regions", total, source.limits.cells, where="Regions")
        out.append(_Region(place, tag, (low[0], low[1], low[2]), size))
    return out


def _vector(tag: nbt.Compound, name: str, place: str) -> tuple[int, int, int]:
    inner = nbt.get_compound(tag, name, place)
    x, y, z = (nbt.get_int(inner, axis, f"{place}/{name}") for axis in "xyz")
    return (x, y, z)


def _box(region: _Region, low: tuple[int, int, int], source: Source) -> Box:
    width, height, length = region.size
    count = width * height * length
    entries = nbt.get_list(region.tag, "BlockStatePalette", nbt.COMPOUND, region.place)
    where = f"{region.place}/BlockStatePalette"
    source.limits.most("palette entries", len(entries), source.limits.palette, where=where)
    if not entries:
        raise FormatError("is empty", where=where, mend="export it again")
    palette = [state_of(entry, f"{where}/{i}") for i, entry in enumerate(entries)]
    place = f"{region.place}/BlockStates"
    words = nbt.get_array(region.tag, "BlockStates", nbt.LONGS, region.place)
    numbers = unpack(words, count, bits_for(len(palette)), place, source.deadline)
    top = int(numbers.max())
    if top >= len(palette):
        raise FormatError(
            f"a cell has palette number {top}, but the last one is {len(palette) - 1}",
            where=place,
            mend=DAMAGED,
        )
    return Box(low, numbers.reshape(height, length, width), palette, region.place)


def bits_for(palette: int) -> int:
    """Bits of one palette number: what the largest needs, 2 at least."""
    return max(2, (palette - 1).bit_length())


_GROUPS = 2**14


def unpack(words: nbt.Array, count: int, bits: int, where: str, deadline: Deadline) -> Numbers:
    """(count,) uint16 or uint32 numbers of ``bits`` bits packed without gaps into 64 bit words.

    Raises :class:`FormatError` where there are more or fewer words than that takes.
    """
    wanted = -(-count * bits // 64)
    if len(words) != wanted:
        raise FormatError(
            f"{len(words):,} words of data, but {count:,} cells of {bits} bits take {wanted:,}",
            where=where,
            mend=DAMAGED,
        )
    groups = -(-count // 64)
    out = np.empty((groups, 64), dtype=np.uint16 if bits <= 16 else np.uint32)
    mask = np.uint64(2**bits - 1)
    for begin in range(0, groups, _GROUPS):
        # 64 numbers fill exactly `bits` words, so that the n-th of every 64 lies at the same place in its words.
        end = min(begin + _GROUPS, groups)
        part = np.zeros((end - begin) * bits, dtype=np.uint64)
        found = words[begin * bits : end * bits]
        part[: len(found)] = found.astype(np.int64).view(np.uint64)
        columns = np.ascontiguousarray(part.reshape(-1, bits).T)
        for n in range(64):
            word, shift = divmod(n * bits, 64)
            value = columns[word] >> np.uint64(shift)
            if shift + bits > 64:
                value = value | columns[word + 1] << np.uint64(64 - shift)
            out[begin:end, n] = value & mask
        deadline.check()
    return out.reshape(-1)[:count]


# --- writing --------------------------------------------------------------------------------------------------


def pack(numbers: NDArray[np.uint32], bits: int) -> NDArray[np.int64]:
    """Numbers of ``bits`` bits packed without gaps into 64 bit words; the inverse of :func:`unpack`."""
    groups = -(-len(numbers) // 64)
    padded = np.zeros(groups * 64, dtype=np.uint64)
    padded[: len(numbers)] = numbers
    columns = padded.reshape(groups, 64).T
    words = np.zeros((bits, groups), dtype=np.uint64)
    for n in range(64):
        word, shift = divmod(n * bits, 64)
        words[word] |= columns[n] << np.uint64(shift)
        if shift + bits > 64:
            words[word + 1] |= columns[n] >> np.uint64(64 - shift)
    return words.T.reshape(-1)[: -(-len(numbers) * bits // 64)].view(np.int64)


def write(build: Build) -> bytes:
    """The bytes of a schematic of version 6 with one region, placed with its ground plane at the placement's origin."""
    box = dense(build, LIMITS)
    version, palette = data_version(box.palette)
    stored = Stored.of(build, box)
    name = build.provenance.name or "build"
    width, height, length = box.size
    region: nbt.Compound = {
        "Position": _xyz(0, box.low[1], 0),
        "Size": _xyz(width, height, length),
        "BlockStatePalette": nbt.List(nbt.COMPOUND, [entry_of(state) for state in palette]),
        "BlockStates": pack(box.numbers.reshape(-1), bits_for(len(palette))),
        "TileEntities": nbt.List(nbt.COMPOUND),
        "Entities": nbt.List(nbt.COMPOUND),
        "PendingBlockTicks": nbt.List(nbt.COMPOUND),
        "PendingFluidTicks": nbt.List(nbt.COMPOUND),
    }
    metadata: nbt.Compound = {
        "Name": name,
        "Author": build.provenance.author,
        "Description": "",
        "RegionCount": nbt.Int(1),
        "TotalVolume": nbt.Int(width * height * length),
        "TotalBlocks": nbt.Int(len(build.blocks)),
        "TimeCreated": nbt.Long(0),
        "TimeModified": nbt.Long(0),
        "EnclosingSize": _xyz(width, height, length),
        NAME: stored_tag(stored),
    }
    root: nbt.Compound = {
        "MinecraftDataVersion": nbt.Int(version),
        "Version": nbt.Int(6),
        "SubVersion": nbt.Int(1),
        "Metadata": metadata,
        "Regions": {name: region},
    }
    return nbt.write("", root)


def _xyz(x: int, y: int, z: int) -> nbt.Compound:
    return {"x": nbt.Int(x), "y": nbt.Int(y), "z": nbt.Int(z)}
