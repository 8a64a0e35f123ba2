"""Region files made by hand for tests, in the layouts of all versions of the game."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from voxel_files import entry

from minece.blocks.formats import nbt

Cell = tuple[int, int, int]
ZLIB, GZIP, PLAIN, LZ4 = 2, 1, 3, 4


def packed_whole(numbers: Sequence[int], bits: int) -> np.ndarray:
    """As many numbers as go into each word, written one by one."""
    each = 64 // bits
    words = []
    for begin in range(0, len(numbers), each):
        word = 0
        for place, number in enumerate(numbers[begin : begin + each]):
            word |= int(number) << place * bits
        words.append(word)
    return np.array(words, dtype=np.uint64).view(np.int64)


def packed_spanning(numbers: Sequence[int], bits: int) -> np.ndarray:
    """Numbers without gaps between them, written one by one."""
    stream = 0
    for place, number in enumerate(numbers):
        stream |= int(number) << place * bits
    size = -(-len(numbers) * bits // 64)
    words = [stream >> 64 * i & 2**64 - 1 for i in range(size)]
    return np.array(words, dtype=np.uint64).view(np.int64)


def numbers_of(blocks: Mapping[Cell, int]) -> list[int]:
    """(4096,) numbers in order y, z, x of cells in a section, 0 where none is named."""
    return [blocks.get((x, y, z), 0) for y in range(16) for z in range(16) for x in range(16)]


def section(level: int, palette: Sequence[str], numbers: Sequence[int] | None, version: int) -> nbt.Compound:
    """A section with a palette, as the version writes it; without numbers where it is of one state since 1.18."""
    bits = max(4, (len(palette) - 1).bit_length())
    entries = nbt.List(nbt.COMPOUND, [entry(state) for state in palette])
    pack = packed_whole if version >= 2529 else packed_spanning
    data = {} if numbers is None else {"data": pack(numbers, bits)}
    if version >= 2844:
        return {"Y": nbt.Byte(level), "block_states": {"palette": entries, **data}, "SkyLight": light()}
    return {"Y": nbt.Byte(level), "Palette": entries, "BlockStates": data["data"], "SkyLight": light()}


def light() -> np.ndarray:
    """Light, which is read over."""
    return np.zeros(2048, dtype=np.int8)


def numeric_section(level: int, codes: Sequence[int]) -> nbt.Compound:
    """A section of numeric ids; a code is id * 16 + data."""
    array = np.array(codes, dtype=np.uint16)
    ids, data = array >> 4, (array & 15).astype(np.uint8)
    out: nbt.Compound = {
        "Y": nbt.Byte(level),
        "Blocks": ids.astype(np.uint8).view(np.int8),
        "Data": (data[0::2] | data[1::2] << 4).astype(np.uint8).view(np.int8),
        "SkyLight": light(),
    }
    if ids.max() > 255:
        upper = (ids >> 8).astype(np.uint8)
        out["Add"] = (upper[0::2] | upper[1::2] << 4).astype(np.uint8).view(np.int8)
    return out


def chunk(at: tuple[int, int], sections: Sequence[nbt.Compound], version: int = 4189, **more: Any) -> bytes:
    """The NBT bytes of a chunk, in ``Level`` before 1.18."""
    body: nbt.Compound = {"xPos": nbt.Int(at[0]), "zPos": nbt.Int(at[1]), **more}
    listed = nbt.List(nbt.COMPOUND, list(sections))
    if version >= 2844:
        root = {"DataVersion": nbt.Int(version), **body, "yPos": nbt.Int(-4), "sections": listed}
    else:
        root = {"DataVersion": nbt.Int(version), "Level": {**body, "Sections": listed}}
    return nbt.write("", root, compress=False)


def lz4_frames(data: bytes) -> bytes:
    """An LZ4 stream of Java's that holds its data as literals, and a run of equal bytes at its end as a copy."""
    end = len(data.rstrip(data[-1:])) + 1
    run = len(data) - end
    out = bytearray()
    literals, tail = data[:end], b""
    if run < 8:
        literals, run = data, 0
    else:
        tail, run = data[-5:], run - 5  # a block ends with literals
    token = min(len(literals), 15) << 4 | min(max(run - 4, 0), 15)
    out.append(token)
    _lengths(out, len(literals))
    out += literals
    if run:
        out += b"\1\0"
        _lengths(out, run - 4)
        out.append(len(tail) << 4)
        out += tail
    head = b"LZ4Block" + bytes([0x20]) + len(out).to_bytes(4, "little") + len(data).to_bytes(4, "little") + bytes(4)
    return head + bytes(out) + b"LZ4Block" + bytes([0x10]) + bytes(12)


def _lengths(out: bytearray, size: int) -> None:
    if size >= 15:
        size -= 15
        while size >= 255:
            out.append(255)
            size -= 255
        out.append(size)


def packed(data: bytes, kind: int = ZLIB) -> bytes:
    """A chunk's bytes as they lie in its sectors."""
    body = {
        ZLIB: lambda: zlib.compress(data, 6),
        GZIP: lambda: gzip.compress(data, 6, mtime=0),
        PLAIN: lambda: data,
        LZ4: lambda: lz4_frames(data),
    }[kind & 127]()
    return (len(body) + 1).to_bytes(4, "big") + bytes([kind]) + body


def region(chunks: Mapping[tuple[int, int], bytes], kind: int = ZLIB) -> bytes:
    """A region of chunks by their column and row within it; values are NBT bytes."""
    once = {data: packed(data, kind) for data in set(chunks.values())}
    return raw_region({at: once[data] for at, data in chunks.items()})


def raw_region(chunks: Mapping[tuple[int, int], bytes]) -> bytes:
    """A region of chunks that are packed already."""
    header, body = bytearray(8192), bytearray()
    for (column, row), data in chunks.items():
        padded = data + bytes(-len(data) % 4096)
        place = 4 * (column + 32 * row)
        header[place : place + 4] = ((2 + len(body) // 4096) << 8 | len(padded) // 4096).to_bytes(4, "big")
        body += padded
    return bytes(header + body)


def flat_chunk(at: tuple[int, int], blocks: Mapping[Cell, str], version: int = 4189) -> bytes:
    """A chunk of a flat world, bedrock at y = 0, dirt to y = 2, grass at y = 3, with further blocks in section 0.

    ``blocks`` are cells of the section; air digs.
    """
    palette = ["air", "bedrock", "dirt", "grass_block[snowy=false]"]
    cells = {(x, y, z): (1, 2, 2, 3)[y] for x in range(16) for z in range(16) for y in range(4)}
    for cell, state in blocks.items():
        if state not in palette:
            palette.append(state)
        cells[cell] = palette.index(state)
    return chunk(at, [section(0, palette, numbers_of(cells), version)], version)
