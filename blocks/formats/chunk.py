"""Chunks of a world: their sections of 16 by 16 by 16 blocks in every layout that versions from 1.2 on wrote.

- up to 1.12 (DataVersion up to 1449): numeric ids in ``Blocks``, ``Data`` and ``Add``
- 1.13 to 1.15: a palette and numbers packed without gaps, so that some span two words
- 1.16 (2529) on: as many whole numbers as go into a word
- 1.18 (2844) on: ``sections`` in the root instead of ``Level/Sections``, both palette and numbers in ``block_states``;
  a section of one state has no numbers; the lowest section lies at y = -64

How numbers are packed is seen by the length of their array, which differs wherever the two ways do.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.errors import FormatError
from minece.blocks.formats import nbt
from minece.blocks.formats.chunk_tags import COUNTED, skim
from minece.blocks.formats.entries import state_of
from minece.blocks.formats.limits import Deadline, Limits
from minece.blocks.formats.litematic import unpack
from minece.blocks.formats.region import DAMAGED

SECTION = 16
CELLS = SECTION**3

_FIRST_WITHOUT_SPANS = 2529
_MOST_BITS = 16
_LOWEST, _HIGHEST = -128, 127


@dataclass(frozen=True)
class Section:
    """16 by 16 by 16 cells; ``level`` times 16 is the height of the lowest.

    Either ``codes`` are the (4096,) codes of numeric ids in order y, z, x, or ``palette`` are states and ``words`` the
    packed numbers, None where all cells have the first state.
    """

    level: int
    place: str
    palette: tuple[str, ...] = ()
    words: nbt.Array | None = None
    codes: NDArray[np.uint16] | None = None
    version: int = 0

    def numbers(self, deadline: Deadline) -> NDArray[np.unsignedinteger[Any]]:
        """(4096,) palette numbers in order y, z, x. Raises :class:`FormatError`."""
        if self.words is None:
            return np.zeros(CELLS, dtype=np.uint16)
        bits = max(4, (len(self.palette) - 1).bit_length())
        count = len(self.words)
        if count == -(-CELLS // (64 // bits)):
            numbers = _unpack_whole(self.words, bits)
        else:
            if self.version < _FIRST_WITHOUT_SPANS and count % 64 == 0 and bits < count // 64 <= _MOST_BITS:
                bits = count // 64  # such versions took what there was for the width
            numbers = unpack(self.words, CELLS, bits, self.place, deadline)
        top = int(numbers.max())
        if top >= len(self.palette):
            raise FormatError(
                f"a cell has palette number {top}, but the last one is {len(self.palette) - 1}",
                where=self.place,
                mend=DAMAGED,
            )
        return numbers


def _unpack_whole(words: nbt.Array, bits: int) -> NDArray[np.uint16]:
    each = 64 // bits
    flat = words.astype(np.int64).view(np.uint64)
    shifts = np.arange(each, dtype=np.uint64) * np.uint64(bits)
    spread = (flat[:, None] >> shifts) & np.uint64(2**bits - 1)
    return spread.astype(np.uint16).reshape(-1)[:CELLS]


@dataclass(frozen=True)
class Chunk:
    """What is read of a chunk.

    Attributes
    ----------
    at : its column and row in the world as it says itself, None where it does not
    version : DataVersion, 0 before 1.9
    low : height of its lowest cell
    sections : in no order; those that are not listed are air
    entities : block entities, of versions before 1.13 only
    left_out : entities
    """

    at: tuple[int, int] | None
    version: int
    low: int
    sections: list[Section]
    entities: list[Any]
    left_out: int


def read_chunk(data: bytes, limits: Limits, deadline: Deadline) -> Chunk:
    """The chunk in NBT bytes. Raises :class:`FormatError` and :class:`LimitError`."""
    root = skim(data, limits, deadline)
    level = root.get("Level")
    body = level if isinstance(level, dict) else root
    version = nbt.get_int(root, "DataVersion") if "DataVersion" in root else 0
    name = next((name for name in ("sections", "Sections") if name in body), "")
    # Chunks whose generation has only just begun have none.
    tags = nbt.get_list(body, name, nbt.COMPOUND) if name else []
    sections = [found for i, tag in enumerate(tags) if (found := _section(tag, f"{name}/{i}", version, limits))]
    levels = [section.level for section in sections]
    if len(set(levels)) != len(levels):
        raise FormatError("comes twice at one height", where=name, mend=DAMAGED)
    lowest = body.get("yPos") if body is root else None
    low = int(lowest) if isinstance(lowest, int) and _LOWEST <= lowest <= _HIGHEST else 0
    column, row = body.get("xPos"), body.get("zPos")
    entities = body.get("TileEntities")
    living = body.get(COUNTED)
    numeric = any(section.codes is not None for section in sections)
    return Chunk(
        (int(column), int(row)) if isinstance(column, int) and isinstance(row, int) else None,
        version,
        SECTION * min([low, *levels]),
        sections,
        list(entities) if numeric and isinstance(entities, nbt.List) else [],
        int(living) if isinstance(living, int) else 0,
    )


def _section(tag: nbt.Compound, place: str, version: int, limits: Limits) -> Section | None:
    """The section of a compound, None for one that holds only light."""
    holder, data, palette = tag, "BlockStates", "Palette"
    if "block_states" in tag:
        holder, data, palette = nbt.get_compound(tag, "block_states", place), "data", "palette"
        place = f"{place}/block_states"
    if palette not in holder and "Blocks" not in tag:
        return None
    height = nbt.get_int(tag, "Y", place)
    if not _LOWEST <= height <= _HIGHEST:
        raise FormatError(f"lies at {height}, outside {_LOWEST} to {_HIGHEST}", where=f"{place}/Y", mend=DAMAGED)
    if palette not in holder:
        return Section(height, place, codes=_codes(tag, place), version=version)
    where = f"{place}/{palette}"
    entries = nbt.get_list(holder, palette, nbt.COMPOUND, place)
    limits.most("palette entries", len(entries), CELLS, where=where)
    if not entries:
        return None
    states = tuple(state_of(entry, f"{where}/{i}") for i, entry in enumerate(entries))
    words = nbt.get_array(holder, data, nbt.LONGS, place) if data in holder else None
    if words is not None and not len(words):
        words = None
    if words is None and len(states) > 1:
        raise FormatError(f"has {len(states)} states and no numbers", where=f"{place}/{data}", mend=DAMAGED)
    return Section(height, f"{place}/{data}", states, words, version=version)


def _codes(tag: nbt.Compound, place: str) -> NDArray[np.uint16]:
    blocks = _bytes(tag, "Blocks", CELLS, place).astype(np.uint16)
    if "Add" in tag:
        blocks |= _halves(_bytes(tag, "Add", CELLS // 2, place)) << np.uint16(8)
    codes: NDArray[np.uint16] = blocks << np.uint16(4) | _halves(_bytes(tag, "Data", CELLS // 2, place))
    return codes


def _halves(data: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """Half bytes, the lower one first."""
    out = np.empty(2 * len(data), dtype=np.uint16)
    out[0::2] = data & np.uint8(15)
    out[1::2] = data >> np.uint8(4)
    return out


def _bytes(tag: nbt.Compound, name: str, count: int, place: str) -> NDArray[np.uint8]:
    data = nbt.get_array(tag, name, nbt.BYTES, place).view(np.uint8)
    if len(data) != count:
        raise FormatError(f"{len(data):,} bytes, not {count:,}", where=f"{place}/{name}", mend=DAMAGED)
    return data
