"""MCEdit schematics (.schematic) of versions before 1.13, also by WorldEdit and Schematica.

A dense box of numeric ids and data values in order y, z, x; ids above 255 have their upper bits in ``AddBlocks``, two
cells a byte: WorldEdit begins with the lower half byte, Schematica, which says so by its table of ids, with the upper
one. Entities are left out.

The file says "air" of every cell; untouched soil is written as structure_void (217). States that reading would work
out otherwise, from neighbours say, are written beside the ids in ``minece``, for our reader alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.build import Build, Provenance
from minece.blocks.errors import FormatError, LimitError, StateError
from minece.blocks.formats import nbt
from minece.blocks.formats.entries import entities_left_out
from minece.blocks.formats.flattening import Code, Codes, Names, code_of, states_of
from minece.blocks.formats.joints import Field
from minece.blocks.formats.limits import LIMITS, Deadline
from minece.blocks.formats.ours import NAME, Stored, stored_in, stored_tag
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.formats.volume import UNTOUCHED, Box, build_from_boxes, check_size, dense
from minece.blocks.states import VOID, canonical_state, is_air, material_of

MOST_SIDE = 65_535
DAMAGED = "the file is damaged: export it again"
_MOST_ENTITIES = 80_000


def sniff(source: Source) -> bool:
    """Whether a file is a schematic with numeric ids."""
    if not source.is_nbt:
        return False
    root = source.root
    blocks = root.get("Blocks")
    return ("Materials" in root and "Regions" not in root) or (isinstance(blocks, np.ndarray) and "Width" in root)


def read(source: Source) -> Document:
    """The build in a schematic with numeric ids. Raises :class:`FormatError` and :class:`LimitError`."""
    root = source.root
    materials = root.get("Materials", "Alpha")
    if not isinstance(materials, str) or materials != "Alpha":
        raise FormatError(
            f"has the block ids of {materials!s:.40}, which are not those of the Java Edition",
            where="Materials",
            mend="export it from the Java Edition",
        )
    width, height, length = (nbt.get_unsigned_short(root, name) for name in ("Width", "Height", "Length"))
    volume = check_size((width, height, length), source.limits)
    names = _names(root, source)
    codes = _codes(root, volume, names).reshape(height, length, width)
    entities = root.get("TileEntities")
    numbers, palette, notes = states_of(
        codes,
        entities if isinstance(entities, nbt.List) else (),
        (0, 0, 0),
        source.limits,
        source.deadline,
        names.mods if names is not None else None,
    )
    size = (width, height, length)
    stored, warnings = stored_in(root, size)
    area = Field(numbers, palette)
    if stored is not None and not _restore(area, codes, root[NAME].get("exact")):
        warnings += ("what was stored beside the numeric ids cannot be read and is not used",)
    provenance = Provenance(
        format="schematic",
        offset=_offset(root),
        box=size,
        author=nbt.get_text(root, "Author"),
        name=nbt.get_text(root, "Name"),
        warnings=warnings + notes.warnings() + entities_left_out([root.get("Entities")]),
    )
    box = Box(stored.origin if stored else (0, 0, 0), area.numbers, area.palette)
    build = build_from_boxes(
        [box], source.wish, provenance, source.limits, source.deadline, stored=stored.ground_y if stored else None
    )
    return Document("schematic", [Run(provenance.name, [build])])


def _names(root: nbt.Compound, source: Source) -> Names | None:
    """The file's own table of ids: Schematica's name → id, or MCEdit's id → name."""
    by_name, by_id = root.get("SchematicaMapping"), root.get("BlockIDs")
    pairs: list[tuple[int, str]] = []
    if isinstance(by_name, dict):
        pairs = [(int(number), name) for name, number in by_name.items() if isinstance(number, int)]
    elif isinstance(by_id, dict):
        pairs = [(int(key), name) for key, name in by_id.items() if key.isdecimal() and isinstance(name, str)]
    return Names.of(pairs, source.limits) if pairs else None


def _codes(root: nbt.Compound, volume: int, names: Names | None) -> Codes:
    codes = _bytes(root, "Blocks", volume).astype(np.uint16)
    if "AddBlocks" in root:
        upper = nbt.get_array(root, "AddBlocks", nbt.BYTES).view(np.uint8)
        if len(upper) < volume // 2:
            raise _wrong_count(2 * len(upper), volume, "AddBlocks")
        first, second = (upper >> 4, upper & 15) if "SchematicaMapping" in root else (upper & 15, upper >> 4)
        for begin, half in ((0, first), (1, second)):
            room = len(codes[begin::2])
            # WorldEdit leaves the half byte of the last cell out where their number is odd.
            part = half[:room].astype(np.uint16) << np.uint16(8)
            codes[begin : begin + 2 * len(part) : 2] |= part
    elif "Add" in root:
        codes |= (_bytes(root, "Add", volume) & np.uint8(15)).astype(np.uint16) << np.uint16(8)
    if names is not None:
        codes = names.ids[codes]
    codes <<= np.uint16(4)
    codes |= _bytes(root, "Data", volume) & np.uint8(15)
    return codes


def _bytes(root: nbt.Compound, name: str, volume: int) -> NDArray[np.uint8]:
    data = nbt.get_array(root, name, nbt.BYTES).view(np.uint8)
    if len(data) != volume:
        raise _wrong_count(len(data), volume, name)
    return data


def _wrong_count(found: int, wanted: int, where: str) -> FormatError:
    return FormatError(f"{found:,} cells, but the box has {wanted:,}", where=where, mend=DAMAGED)


def _offset(root: nbt.Compound) -> tuple[int, int, int] | None:
    for kind in ("WEOrigin", "WEOffset"):
        if all(isinstance(root.get(kind + axis), int) for axis in "XYZ"):
            x, y, z = (int(root[kind + axis]) for axis in "XYZ")
            return (x, y, z)
    return None


def _restore(area: Field, codes: Codes, exact: Any) -> bool:
    """Put back the states that our writer stored, where the ids are still those it wrote; false for damaged ones."""
    if exact is None:
        return True
    if not isinstance(exact, dict):
        return False
    cells, which, states = exact.get("cells"), exact.get("which"), exact.get("states")
    if not (isinstance(cells, np.ndarray) and isinstance(which, np.ndarray) and isinstance(states, nbt.List)):
        return False
    try:
        written = [code_of(canonical_state(state)) for state in states]
    except StateError:
        return False
    if len(cells) != len(which) or not all(written) or not len(cells):
        return False
    place, kind = cells.astype(np.int64), which.astype(np.int64)
    if min(place.min(), kind.min()) < 0 or place.max() >= codes.size or kind.max() >= len(states):
        return False
    code = np.array([found.code for found in written if found is not None], dtype=np.uint16)
    same = codes.reshape(-1)[place] == code[kind]
    area.put(place[same], kind[same], lambda number: canonical_state(states[number]))
    return True


# --- writing --------------------------------------------------------------------------------------------------


def write(build: Build) -> bytes:
    """The bytes of a schematic. Raises :class:`FormatError` where a block has no numeric id."""
    box = dense(build, LIMITS)
    if max(box.size) > MOST_SIDE:
        raise FormatError(f"a side of {max(box.size):,} cells does not fit", mend="write JSON or CSV instead")
    palette = [state if state == UNTOUCHED else canonical_state(state) for state in box.palette]
    written = [_written(state) for state in palette]
    _refuse_others(build, palette, written)
    codes = np.array([0 if code is None else code.code for code in written], dtype=np.uint16)[box.numbers]
    entities = _entities(box.numbers, written)
    stored = Stored.of(build, box)
    width, height, length = box.size
    x, y, z = stored.origin
    root: nbt.Compound = {}
    for name, side in (("Width", width), ("Height", height), ("Length", length)):
        root[name] = nbt.Short(side - 65_536 if side > 32_767 else side)
    root["Materials"] = "Alpha"
    ids = codes.reshape(-1) >> np.uint16(4)
    root["Blocks"] = ids.astype(np.uint8).view(np.int8)
    if int(ids.max()) > 255:
        root["AddBlocks"] = _upper_bits(ids)
    root["Data"] = (codes.reshape(-1) & np.uint16(15)).astype(np.uint8).view(np.int8)
    root["Entities"] = nbt.List(nbt.COMPOUND)
    root["TileEntities"] = nbt.List(nbt.COMPOUND, entities)
    for kind, values in (("WEOrigin", (x, y, z)), ("WEOffset", (0, box.low[1], 0))):
        for axis, value in zip("XYZ", values, strict=True):
            root[kind + axis] = nbt.Int(value)
    if build.provenance.name:
        root["Name"] = build.provenance.name
    if build.provenance.author:
        root["Author"] = build.provenance.author
    ours = stored_tag(stored)
    exact = _exact(codes, entities, box.numbers, palette)
    root[NAME] = ours if exact is None else {**ours, "exact": exact}
    return nbt.write("Schematic", root)


def _written(state: str) -> Code | None:
    return Code(0) if is_air(state) else code_of(material_of(state) if state == UNTOUCHED else state)


def _refuse_others(build: Build, palette: list[str], written: list[Code | None]) -> None:
    lost = [state for state, code in zip(palette, written, strict=True) if code is None]
    if not lost:
        return
    number = {state: i for i, state in enumerate(build.blocks.palette)}
    cells = sum(int(np.count_nonzero(build.blocks.index == number[state])) for state in lost)
    kinds = f" ({len(lost)} such states)" if len(lost) > 1 else ""
    raise FormatError(
        f"{cells:,} {'block has' if cells == 1 else 'blocks have'} no numeric id, the first {lost[0]}{kinds}",
        mend="write .schem, .litematic, JSON or CSV instead",
    )


def _upper_bits(ids: NDArray[np.uint16]) -> NDArray[np.int8]:
    upper = np.zeros(len(ids) + len(ids) % 2, dtype=np.uint8)
    upper[: len(ids)] = ids >> np.uint16(8)
    return (upper[0::2] | upper[1::2] << np.uint8(4)).view(np.int8)


def _entities(numbers: NDArray[np.uint32], written: list[Code | None]) -> list[nbt.Compound]:
    need = np.array([code is not None and code.entity is not None for code in written])
    if not need.any():
        return []
    cells = np.flatnonzero(need[numbers.reshape(-1)])
    if len(cells) > _MOST_ENTITIES:
        raise LimitError(
            f"{len(cells):,} beds, heads, banners and pots, more than the {_MOST_ENTITIES:,} that can be read back",
            mend="write .schem or .litematic instead",
        )
    _, length, width = numbers.shape
    out = []
    for cell in cells.tolist():
        code = written[int(numbers.reshape(-1)[cell])]
        said = code.entity if code is not None else None
        row, x = divmod(cell, width)
        y, z = divmod(row, length)
        tag: nbt.Compound = {"x": nbt.Int(x), "y": nbt.Int(y), "z": nbt.Int(z)}
        for key, value in (said or {}).items():
            tag[key] = value if isinstance(value, str) else nbt.Byte(value) if key in _BYTES else nbt.Int(value)
        out.append(tag)
    return out


_BYTES = ("SkullType", "Rot")


def _exact(
    codes: Codes, entities: list[nbt.Compound], numbers: NDArray[np.uint32], palette: list[str]
) -> nbt.Compound | None:
    """The states that reading the ids would give otherwise, None where there are none."""
    found, names, _ = states_of(codes, entities, (0, 0, 0), LIMITS, Deadline(3600.0))
    place = {state: number for number, state in enumerate(palette)}
    back = np.array([_place(place, state) for state in names], dtype=np.int64)
    cells = np.flatnonzero(back[found.reshape(-1)] != numbers.reshape(-1))
    if not len(cells):
        return None
    kinds, which = np.unique(numbers.reshape(-1)[cells], return_inverse=True)
    return {
        "cells": cells.astype(np.int32),
        "which": which.reshape(-1).astype(np.int32),
        "states": nbt.List(nbt.TEXT, [palette[number] for number in kinds.tolist()]),
    }


def _place(place: dict[str, int], state: str) -> int:
    if material_of(state) == VOID:
        return place.get(UNTOUCHED, -1)
    return place.get(canonical_state(state), -1)
