"""Sponge schematics (.schem), the format of WorldEdit: versions 1, 2 and 3 are read, 2 and 3 written.

A dense box in order y, z, x; palette numbers are varints (7 bits a byte, low bits first). The third version has its
palette and data in a compound ``Blocks`` and the whole in a wrapper ``Schematic``. Block entities, entities and
biomes are left out.

Positions. In version 2 ``Offset`` is the place of the first cell in the world and ``WEOffset`` that cell seen from
whoever pastes; in version 3 ``Offset`` is the latter and ``WorldEdit/Origin`` the place in the world. Ours put the
paster on the ground plane. What the format has no room for stands in ``Metadata/minece``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.build import Build, Provenance
from minece.blocks.errors import FormatError
from minece.blocks.formats import nbt
from minece.blocks.formats.entries import entities_left_out
from minece.blocks.formats.limits import LIMITS, Deadline
from minece.blocks.formats.ours import Stored, data_version, stored_in, stored_tag
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.formats.volume import Box, Numbers, build_from_boxes, check_size, dense

VERSIONS = (1, 2, 3)
MOST_SIDE = 65_535
DAMAGED = "the file is damaged: export it again"


def is_sponge(root: nbt.Compound) -> bool:
    """Whether a root compound is a Sponge schematic."""
    if "Materials" in root or "Regions" in root:
        return False
    return "BlockData" in root or any(isinstance(root.get(name), dict) for name in ("Blocks", "Palette"))


def sniff(source: Source) -> bool:
    """Whether a file is a Sponge schematic."""
    return source.is_nbt and is_sponge(source.root)


def read(source: Source) -> Document:
    """The build in a Sponge schematic. Raises :class:`FormatError` and :class:`LimitError`."""
    root = source.root
    version = nbt.get_int(root, "Version")
    if version not in VERSIONS:
        raise FormatError(f"Sponge version {version} is not known", where="Version", mend="save it as version 2 or 3")
    width, height, length = (nbt.get_unsigned_short(root, name) for name in ("Width", "Height", "Length"))
    volume = check_size((width, height, length), source.limits)
    place, holder, data_name = "", root, "BlockData"
    if version == 3:
        place, holder, data_name = "Blocks", nbt.get_compound(root, "Blocks"), "Data"
    palette = read_palette(nbt.get_compound(holder, "Palette", place), source, place)
    where = f"{place}/{data_name}" if place else data_name
    data = nbt.get_array(holder, data_name, nbt.BYTES, place).view(np.uint8)
    numbers = read_varints(data, volume, where, source.deadline)
    check_numbers(numbers, palette, where)
    metadata = root.get("Metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    stored, warnings = stored_in(metadata, (width, height, length))
    provenance = Provenance(
        format="schem",
        version=str(version),
        data_version=nbt.get_int(root, "DataVersion") if "DataVersion" in root else None,
        offset=_offset(root, metadata),
        box=(width, height, length),
        author=nbt.get_text(metadata, "Author"),
        name=nbt.get_text(metadata, "Name"),
        warnings=warnings + entities_left_out([root.get("Entities")]),
    )
    box = Box(stored.origin if stored else (0, 0, 0), numbers.reshape(height, length, width), palette, place)
    build = build_from_boxes(
        [box], source.wish, provenance, source.limits, source.deadline, stored=stored.ground_y if stored else None
    )
    return Document("schem", [Run(provenance.name, [build])])


def read_palette(compound: nbt.Compound, source: Source, place: str) -> list[str]:
    """States by number, "" at numbers that no entry has (:func:`check_numbers` refuses their use)."""
    where = f"{place}/Palette" if place else "Palette"
    source.limits.most("palette entries", len(compound), source.limits.palette, where=where)
    states: dict[int, str] = {}
    for state in compound:
        number = nbt.get_int(compound, state, where)
        if number in states:
            raise FormatError(f"number {number} stands for two states", where=where, mend=DAMAGED)
        states[number] = state
    if not states:
        raise FormatError("is empty", where=where, mend="export it again")
    if min(states) < 0 or max(states) >= source.limits.palette:
        wrong = min(states) if min(states) < 0 else max(states)
        raise FormatError(f"palette number {wrong} is out of range", where=where, mend=DAMAGED)
    return [states.get(number, "") for number in range(max(states) + 1)]


def check_numbers(numbers: Numbers, palette: list[str], where: str) -> None:
    """Raise :class:`FormatError` where a cell's number has no palette entry."""
    top = int(numbers.max())
    if top >= len(palette):
        raise FormatError(
            f"a cell has palette number {top}, but the last one is {len(palette) - 1}",
            where=where,
            mend=DAMAGED,
        )
    holes = [number for number, state in enumerate(palette) if not state]
    if holes:
        used = np.bincount(numbers, minlength=len(palette))
        for number in holes:
            if used[number]:
                raise FormatError(
                    f"{used[number]:,} cells have palette number {number}, which has no state",
                    where=where,
                    mend=DAMAGED,
                )
            palette[number] = "air"


def read_varints(data: NDArray[np.uint8], count: int, where: str, deadline: Deadline) -> Numbers:
    """(count,) unsigned numbers from varint bytes.

    Raises :class:`FormatError` where there are more or fewer, or one has more than 5 bytes.
    """
    if len(data) < count:
        raise _wrong_count(len(data), count, where)
    long = bool(len(data)) and int(data.max()) >= 128
    if not long:
        if len(data) != count:
            raise _wrong_count(len(data), count, where)
        return data
    if data[-1] >= 128:
        raise FormatError("the last number is cut off", where=where, mend=DAMAGED)
    out = np.empty(count, dtype=np.uint32)
    done = begin = 0
    while begin < len(data):
        # Pieces keep the positions, 8 bytes a number, from taking more memory than the data.
        end = min(begin + _PIECE, len(data))
        while data[end - 1] >= 128:
            end += 1
        piece = data[begin:end]
        last = np.flatnonzero(piece < 128)
        if done + len(last) > count:
            raise _wrong_count(int(np.count_nonzero(data < 128)), count, where)
        first = np.empty_like(last)
        first[0] = 0
        first[1:] = last[:-1] + 1
        size = last - first + 1
        longest = int(size.max())
        if longest > 5:
            raise FormatError("a number has more than 5 bytes", where=where, mend=DAMAGED)
        value = (piece[first] & 0x7F).astype(np.uint32)
        for k in range(1, longest):
            more = np.flatnonzero(size > k)
            value[more] |= (piece[first[more] + k] & np.uint32(0x7F)).astype(np.uint32) << np.uint32(7 * k)
        out[done : done + len(last)] = value
        done += len(last)
        begin = end
        deadline.check()
    if done != count:
        raise _wrong_count(done, count, where)
    return out


_PIECE = 2**21


def _wrong_count(found: int, wanted: int, where: str) -> FormatError:
    return FormatError(f"{found:,} cells, but the box has {wanted:,}", where=where, mend=DAMAGED)


def _offset(root: nbt.Compound, metadata: nbt.Compound) -> tuple[int, int, int] | None:
    if isinstance(root.get("Offset"), np.ndarray):
        found = nbt.get_array(root, "Offset", nbt.INTS).tolist()
        if len(found) != 3:
            raise FormatError(f"has {len(found)} numbers, not 3", where="Offset", mend="export it again")
        return (found[0], found[1], found[2])
    if all(f"WEOffset{axis}" in metadata for axis in "XYZ"):
        x, y, z = (nbt.get_int(metadata, f"WEOffset{axis}", "Metadata") for axis in "XYZ")
        return (x, y, z)
    return None


# --- writing --------------------------------------------------------------------------------------------------


def write_varints(numbers: NDArray[np.uint32]) -> NDArray[np.int8]:
    """Varint bytes of (n,) numbers below 2^21."""
    if not len(numbers) or int(numbers.max()) < 128:
        return numbers.astype(np.uint8).view(np.int8)
    parts = [_varints(numbers[begin : begin + _PIECE]) for begin in range(0, len(numbers), _PIECE)]
    return np.concatenate(parts).view(np.int8)


def _varints(numbers: NDArray[np.uint32]) -> NDArray[np.uint8]:
    wide = np.flatnonzero(numbers >= 2**7)
    value = numbers[wide]
    more = 1 + (value >= 2**14).astype(np.int64)
    place = wide + np.cumsum(more) - more
    third = more > 1
    out = np.empty(len(numbers) + int(more.sum()), dtype=np.uint8)
    first = np.ones(len(out), dtype=np.bool_)
    first[place + 1] = False
    first[place[third] + 2] = False
    out[first] = numbers.astype(np.uint8) & np.uint8(0x7F)
    out[place] |= np.uint8(0x80)
    out[place + 1] = (value >> np.uint32(7)).astype(np.uint8) & np.uint8(0x7F)
    out[place[third] + 1] |= np.uint8(0x80)
    out[place[third] + 2] = (value[third] >> np.uint32(14)).astype(np.uint8)
    return out


def write_v2(build: Build) -> bytes:
    """The bytes of a version 2 schematic."""
    root, palette, data, stored, low = _common(build)
    x, y, z = stored.origin
    metadata: nbt.Compound = _metadata(build, stored)
    metadata |= {"WEOffsetX": nbt.Int(0), "WEOffsetY": nbt.Int(low), "WEOffsetZ": nbt.Int(0)}
    return nbt.write(
        "Schematic",
        {
            "Version": nbt.Int(2),
            **root,
            "Metadata": metadata,
            "Offset": np.array([x, y, z], dtype=np.int32),
            "PaletteMax": nbt.Int(len(palette)),
            "Palette": palette,
            "BlockData": data,
            "BlockEntities": nbt.List(nbt.COMPOUND),
        },
    )


def write_v3(build: Build) -> bytes:
    """The bytes of a version 3 schematic."""
    root, palette, data, stored, low = _common(build)
    x, _, z = stored.origin
    metadata: nbt.Compound = _metadata(build, stored)
    metadata["WorldEdit"] = {"Origin": np.array([x, build.ground_y, z], dtype=np.int32)}
    schematic: nbt.Compound = {
        "Version": nbt.Int(3),
        **root,
        "Metadata": metadata,
        "Offset": np.array([0, low, 0], dtype=np.int32),
        "Blocks": {"Palette": palette, "Data": data, "BlockEntities": nbt.List(nbt.COMPOUND)},
    }
    return nbt.write("", {"Schematic": schematic})


def _metadata(build: Build, stored: Stored) -> nbt.Compound:
    out: nbt.Compound = {}
    if build.provenance.name:
        out["Name"] = build.provenance.name
    if build.provenance.author:
        out["Author"] = build.provenance.author
    out["minece"] = stored_tag(stored)
    return out


def _common(build: Build) -> tuple[nbt.Compound, nbt.Compound, NDArray[Any], Stored, int]:
    box = dense(build, LIMITS)
    if max(box.size) > MOST_SIDE:
        raise FormatError(f"a side of {max(box.size):,} cells does not fit", mend="write JSON or CSV instead")
    version, palette = data_version(box.palette)
    width, height, length = box.size
    root: nbt.Compound = {"DataVersion": nbt.Int(version)}
    for name, side in (("Width", width), ("Height", height), ("Length", length)):
        root[name] = nbt.Short(side - 65_536 if side > 32_767 else side)
    numbers: nbt.Compound = {state: nbt.Int(i) for i, state in enumerate(palette)}
    stored = Stored.of(build, box)
    return root, numbers, write_varints(box.numbers.reshape(-1)), stored, box.low[1]
