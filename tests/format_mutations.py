"""Files that are nearly right: good ones taken apart into their structure, changed in it, and put together again.

The structure is a tree of NBT tags, a JSON value, the header and data of a grid, the chunks of a region file, or the
rows of a text. What is written need not be valid: a tag may come twice, a length may lie.
"""

from __future__ import annotations

import gzip
import json
import re
import struct
import zlib
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any, TypeAlias

import numpy as np
from format_samples import SECTOR, Sample, region_file

from minece.blocks.errors import MineceError
from minece.blocks.formats import nbt
from minece.blocks.formats.nbt_tags import ARRAYS, NUMBERS

EDGES = (
    0, 1, -1, 2, 3, 7, 15, 16, 17, 63, 64, 127, 128, -128, 255, 256, 257, 4095, 4096, 4097, 32_767, 32_768, -32_768,
    65_535, 65_536, 10**6, 2**29 - 1, 2**29, 2**29 + 1, -(2**29), -(2**29) - 1, 2**30, 2**31 - 1, 2**31, -(2**31),
    2**32 - 1, 2**32, 2**62, 2**63 - 1, 2**63, -(2**63), 2**64,
)  # fmt: skip
"""Numbers at the edges of types, caps and coordinates."""

WORDS = (
    b"", b"air", b"minecraft:air", b"structure_void", b"stone", b"minecraft:", b":", b"oak_stairs[",
    b"oak_stairs[facing=", b"oak_stairs[facing=up]", b"stone[a=b,a=c]", b"stone[]", b"oak_door[half=upper]", b"a b",
    b"#wool", b"../..", b"minecraft:jigsaw", b"minecraft:structure_block", b"water[level=3]", b"\0", b"\n",
    b"\x1b[31m", b"\xc0\x80", b"\xff\xfe", b"\xed\xa0\x80", b"\xf0\x9f\x98\x80", "ü\u202e".encode(), b"x" * 1100,
    b"[" * 200, b"1e308", b"-5", b"minece", b"Palette", b"blocks", b"Alpha",
)  # fmt: skip
"""Texts that are no names, or names that are treated in a way of their own."""

TOKENS = (
    "0", "-0", "1", "-1", "0.5", "1.0", "1e308", "1e999", "-1e999", "1e-999", "NaN", "Infinity", "-Infinity",
    "1" + "0" * 400, "9" * 5000, "536870912", "536870913", "2147483648", "-2147483649", "9223372036854775808",
    "true", "false", "null",
    '""', '"\\u0000"', '"\\ud800"', '"\\u001b[31m"', '"air"', '"structure_void"', '"oak_stairs["', '"stone[a=b,a=c]"',
    '"x y"', '"9"', '"-1"', '"place"', '"break"', '"P"', "[]", "{}", "[[]]", "[null]", '{"x":1}', "[[[[[]]]]]",
)  # fmt: skip
"""JSON values that belong nowhere."""


# --- NBT --------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Node:
    """A tag.

    ``value`` is a number, the bytes of a text or of an array's data, the tags of a list, or names and tags of a
    compound; ``length`` is written in place of the true one, ``inner`` is a list's type of tags.
    """

    kind: int
    value: Any
    inner: int = 0
    length: int | None = None


def node_of(tag: Any) -> Node:
    """The tag as it is."""
    kind = nbt.kind_of(tag)
    if kind == nbt.COMPOUND:
        return Node(kind, [(name.encode("utf-8", "surrogatepass"), node_of(inner)) for name, inner in tag.items()])
    if kind == nbt.LIST:
        return Node(kind, [node_of(inner) for inner in tag], tag.kind)
    if kind == nbt.TEXT:
        return Node(kind, nbt.encode_text(tag))
    if kind in ARRAYS:
        return Node(kind, np.ascontiguousarray(tag, dtype=ARRAYS[kind]).tobytes())
    return Node(kind, tag)


def encoded(name: bytes, root: Node) -> bytes:
    """The bytes of a file, not packed."""
    out = bytearray([root.kind & 0xFF])
    _text(out, name)
    _payload(out, root)
    return bytes(out)


def _text(out: bytearray, text: bytes, length: int | None = None) -> None:
    out += struct.pack(">H", (len(text) if length is None else length) & 0xFFFF)
    out += text


def _payload(out: bytearray, node: Node) -> None:
    kind, value = node.kind, node.value
    if kind == nbt.COMPOUND:
        for name, inner in value:
            out.append(inner.kind & 0xFF)
            _text(out, name)
            _payload(out, inner)
        out.append(0)
    elif kind == nbt.LIST:
        out.append(node.inner & 0xFF)
        out += struct.pack(">I", (len(value) if node.length is None else node.length) & 0xFFFFFFFF)
        for inner in value:
            _payload(out, inner)
    elif kind == nbt.TEXT:
        _text(out, value, node.length)
    elif kind in ARRAYS:
        count = len(value) // ARRAYS[kind].itemsize
        out += struct.pack(">I", (count if node.length is None else node.length) & 0xFFFFFFFF)
        out += value
    elif kind in (nbt.FLOAT, nbt.DOUBLE):
        out += struct.pack(">f" if kind == nbt.FLOAT else ">d", value)
    elif kind in NUMBERS:
        size = NUMBERS[kind][0].size
        out += (int(value) & (1 << 8 * size) - 1).to_bytes(size, "big")


Slot: TypeAlias = tuple[Node, int]
"""A tag's parent and its place in it."""


def slots_of(root: Node) -> list[Slot]:
    """The places of all tags in a tree."""
    out: list[Slot] = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.kind in (nbt.COMPOUND, nbt.LIST):
            for place in range(len(node.value)):
                out.append((node, place))
                waiting.append(tag_at((node, place)))
    return out


def _copied(node: Node) -> Node:
    value = node.value
    if node.kind == nbt.COMPOUND:
        value = [(name, _copied(inner)) for name, inner in value]
    elif node.kind == nbt.LIST:
        value = [_copied(inner) for inner in value]
    return Node(node.kind, value, node.inner, node.length)


def tag_at(slot: Slot) -> Node:
    """The tag at a place."""
    parent, place = slot
    found: Node = parent.value[place][1] if parent.kind == nbt.COMPOUND else parent.value[place]
    return found


def put_tag(slot: Slot, node: Node) -> None:
    """Put a tag in a place."""
    parent, place = slot
    if parent.kind == nbt.COMPOUND:
        parent.value[place] = (parent.value[place][0], node)
    else:
        parent.value[place] = node


def any_tag(rng: Random) -> Node:
    """A small tag of any kind."""
    kind = rng.randrange(1, 13)
    if kind in NUMBERS:
        return Node(kind, float(rng.choice((0, 1, -1, 1e30))) if kind in (5, 6) else rng.choice(EDGES))
    if kind == nbt.TEXT:
        return Node(kind, rng.choice(WORDS))
    if kind == nbt.LIST:
        inner = rng.randrange(0, 5)
        return Node(kind, [Node(inner, rng.choice(EDGES)) for _ in range(rng.randrange(4))] if inner else [], inner)
    if kind == nbt.COMPOUND:
        return Node(kind, [(b"x", Node(nbt.INT, rng.choice(EDGES)))] if rng.random() < 0.5 else [])
    return Node(kind, _edge_items(rng, rng.randrange(9), ARRAYS[kind].itemsize))


def _edge_items(rng: Random, count: int, size: int) -> bytes:
    mask = (1 << 8 * size) - 1
    return b"".join((rng.choice(EDGES) & mask).to_bytes(size, "big") for _ in range(count))


def change_nbt(root: Node, rng: Random, others: Sequence[Node]) -> None:
    """Change one thing in a tree of tags; ``others`` are trees from which tags are taken."""
    slots = slots_of(root)
    if not slots:
        root.value.append((rng.choice(WORDS), any_tag(rng)))
        return
    slot = rng.choice(slots)
    parent, place = slot
    node = tag_at(slot)
    match rng.randrange(12):
        case 0:
            del parent.value[place]
        case 1:
            parent.value.insert(rng.randrange(len(parent.value) + 1), _copied(parent).value[place])
        case 2 if parent.kind == nbt.COMPOUND:
            names = [entry[0] for found, at in slots if found.kind == nbt.COMPOUND for entry in [found.value[at]]]
            parent.value[place] = (rng.choice([*names, *WORDS]), node)
        case 3:
            put_tag(slot, any_tag(rng))
        case 4:
            if node.kind in NUMBERS and rng.random() < 0.5:
                node.kind = rng.choice((0, 1, 2, 3, 4, 13, 99))
            node.length = rng.choice(EDGES)
        case 5:
            other = rng.choice(slots)
            first, second = _copied(node), _copied(tag_at(other))
            put_tag(other, first)
            put_tag(slot, second)
        case 6:
            _wrap(slot, rng.choice((1, 3, 100, 130)), rng.choice((nbt.LIST, nbt.COMPOUND)))
        case 7 if others:
            put_tag(slot, _copied(tag_at(rng.choice(slots_of(rng.choice(others))))))
        case 8 if others and parent.kind == nbt.COMPOUND:
            parent.value[place:place] = _copied(rng.choice(others)).value
        case _:
            _change_value(node, rng)


def _wrap(slot: Slot, depth: int, kind: int) -> None:
    node = tag_at(slot)
    for _ in range(depth):
        node = Node(kind, [node], node.kind) if kind == nbt.LIST else Node(kind, [(b"a", node)])
    put_tag(slot, node)


def _change_value(node: Node, rng: Random) -> None:
    if node.kind in (nbt.FLOAT, nbt.DOUBLE):
        node.value = rng.choice((0.0, -1.0, float("nan"), float("inf"), 1e30))
    elif node.kind in NUMBERS:
        node.value = rng.choice((*EDGES, int(node.value) + 1, int(node.value) - 1, -int(node.value)))
    elif node.kind == nbt.TEXT:
        node.value = rng.choice(WORDS)
    elif node.kind in ARRAYS:
        size = ARRAYS[node.kind].itemsize
        node.value = change_items(node.value, size, rng)
    elif node.kind == nbt.LIST:
        if rng.random() < 0.3:
            node.inner = rng.randrange(14)
        elif node.value:
            node.value *= rng.choice((0, 2, 50))
    elif node.kind == nbt.COMPOUND:
        rng.shuffle(node.value)


def change_items(data: bytes, size: int, rng: Random) -> bytes:
    """Change, leave out, repeat or add items of so many bytes."""
    at = rng.randrange(len(data) // size + 1) * size
    match rng.randrange(5):
        case 0:
            return data[:at] + _edge_items(rng, 1, size) + data[at + size :]
        case 1:
            return data[:at] + _edge_items(rng, rng.randrange(1, 9), size) + data[at:]
        case 2:
            return data[:at]
        case 3:
            return data[:at] + data[at + size :]
    return data * rng.choice((0, 2, 3))


# --- JSON -------------------------------------------------------------------------------------------------------


class Token(str):
    """JSON text that stands for itself."""


class Pairs(list[Any]):
    """An object's keys and values, ``[key, value]`` each; a key may come twice."""


def value_of(text: str) -> Any:
    """A list or an object of JSON, objects as :class:`Pairs`; None where the text is none."""
    try:
        value = json.loads(text, object_pairs_hook=lambda pairs: Pairs([key, value] for key, value in pairs))
    except ValueError:
        return None
    return value if isinstance(value, list) else None


def json_text(value: Any) -> str:
    """The text of a value."""
    if isinstance(value, Token):
        return value
    if isinstance(value, Pairs):
        return "{" + ",".join(f"{json_text(key)}:{json_text(inner)}" for key, inner in value) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(json_text, value)) + "]"
    return json.dumps(value)


def places_in(value: Any) -> list[tuple[list[Any], int]]:
    """Lists that hold a value within, and where in them it is."""
    out: list[tuple[list[Any], int]] = []
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Pairs):
            out += [(pair, 1) for pair in node]
            waiting += [pair[1] for pair in node]
        elif isinstance(node, list):
            out += [(node, place) for place in range(len(node))]
            waiting += node
    return out


def change_json(value: Any, rng: Random) -> Any:
    """Change one thing in a JSON value, in place where it can be."""
    places = places_in(value)
    if not places:
        return Token(rng.choice(TOKENS))
    holder, place = rng.choice(places)
    inner = holder[place]
    match rng.randrange(9):
        case 0 | 1 | 2:
            holder[place] = Token(rng.choice(TOKENS))
        case 3:
            other, at = rng.choice(places)
            holder[place], other[at] = deepcopy(other[at]), deepcopy(inner)
        case 4 if isinstance(inner, list) and inner:
            del inner[rng.randrange(len(inner))]
        case 5 if isinstance(inner, list) and inner:
            inner.insert(rng.randrange(len(inner) + 1), deepcopy(rng.choice(inner)))
        case 6 if isinstance(inner, Pairs) and inner:
            keys = [pair[0] for pair in inner]
            rng.choice(inner)[0] = rng.choice([*keys, "x", "name", "blocks", "", "\ud800", "k" * 70, 'a"b', "\n"])
        case 7:
            for _ in range(rng.choice((1, 4, 100, 130))):
                inner = [inner] if rng.random() < 0.5 else Pairs([["a", inner]])
            holder[place] = inner
        case _ if type(inner) is int:
            holder[place] = rng.choice((*EDGES, inner + 1, -inner))
        case _ if type(inner) is str:
            holder[place] = _changed_text(inner, rng)
    return value


def _changed_text(text: str, rng: Random) -> str:
    if not text or rng.random() < 0.3:
        return rng.choice(WORDS).decode("utf-8", "replace")
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(("", "\0", "[", "]", ",", "=", "-9", "99999999999", "\n", "é", " ")) + text[at + 1 :]


# --- other structures -------------------------------------------------------------------------------------------


def change_grid(data: bytes, rng: Random) -> bytes:
    """Change the header or the items of a NumPy file; the header's length follows unless it is what changes."""
    size = int.from_bytes(data[8:10], "little")
    header, items = data[10 : 10 + size].decode("latin-1"), data[10 + size :]
    match rng.randrange(7):
        case 0:
            kinds = (
                "|O",
                "<f8",
                "<U5",
                "|S4",
                "<i8",
                ">i2",
                "|b1",
                "<c16",
                "<M8[s]",
                "|V9",
                "<U0",
                "<U999999",
                "",
                "i",
            )
            header = re.sub(r"'descr': '[^']*'", f"'descr': '{rng.choice(kinds)}'", header)
        case 1:
            sides = [str(rng.choice(EDGES)) for _ in range(rng.randrange(6))]
            header = re.sub(r"\([\d, ]*\)", "(" + ", ".join(sides) + ",)", header)
        case 2:
            numbers = list(re.finditer(r"\d+", header))
            if numbers:
                found = rng.choice(numbers)
                header = header[: found.start()] + str(rng.choice(EDGES)) + header[found.end() :]
        case 3:
            header = header.replace("False", "True") if "False" in header else header.replace("True", "False")
        case 4:
            header = rng.choice(("", "{", "{}", "1", "(" * 300, "{'descr': [('a', '<i4')], 'fortran_order': False}"))
        case 5:
            size = rng.choice(EDGES) & 0xFFFF
            return data[:6] + bytes([rng.choice((0, 1, 2, 3, 9)), 0]) + size.to_bytes(2, "little") + data[10:]
        case 6:
            items = change_items(items, rng.choice((1, 4, 8)), rng)
    raw = header.encode("latin-1")
    return data[:8] + (len(raw) & 0xFFFF).to_bytes(2, "little") + raw + items


def change_region(data: bytes, rng: Random, others: Sequence[Node]) -> bytes:
    """Change a region file's places, a chunk's length and kind, or tags in a chunk, which is packed anew."""
    words = np.frombuffer(data, dtype=">u4", count=1024)
    spots = np.flatnonzero(words).tolist()
    if not spots or rng.random() < 0.25:
        out = bytearray(data)
        spot = rng.choice(spots) if spots and rng.random() < 0.5 else rng.randrange(1024)
        out[4 * spot : 4 * spot + 4] = (rng.choice(EDGES) & 0xFFFFFF | 2).to_bytes(4, "big")
        return bytes(out)
    chunks: dict[tuple[int, int], bytes] = {}
    for spot in spots:
        begin = (int(words[spot]) >> 8) * SECTOR
        length, kind = struct.unpack_from(">IB", data, begin)
        packed = data[begin + 5 : begin + 4 + length]
        try:
            name, root = nbt.read(nbt.unpack(packed))
        except MineceError:
            continue
        tree = node_of(root)
        for _ in range(rng.choice((0, 1, 1, 2))):
            change_nbt(tree, rng, others)
        raw = encoded(name.encode(), tree)
        kind = rng.choice((kind, kind, 1, 2, 3, 4, 0, 5, 127, 130))
        packed = gzip.compress(raw, 1) if kind == 1 else raw if kind == 3 else zlib.compress(raw, 1)
        length = len(packed) + 1 if rng.random() < 0.9 else rng.choice(EDGES) & 0xFFFFFFFF
        chunks[spot % 32, spot // 32] = struct.pack(">IB", length, kind) + packed
        if rng.random() < 0.1:
            chunks[rng.randrange(32), rng.randrange(32)] = chunks[spot % 32, spot // 32]
    return region_file(chunks)


def change_rows(text: str, rng: Random) -> str:
    """Change a row of a text or one of its fields; rows of JSON are changed as JSON."""
    rows = text.split("\n")
    at = rng.randrange(len(rows))
    match rng.randrange(6):
        case 0:
            del rows[at]
        case 1:
            rows.insert(rng.randrange(len(rows) + 1), rows[at])
        case 2:
            other = rng.randrange(len(rows))
            rows[at], rows[other] = rows[other], rows[at]
        case 3:
            rows[at] = rows[at] * rng.choice((2, 50))
        case _ if (value := value_of(rows[at])) is not None:
            rows[at] = json_text(change_json(value, rng))
        case _:
            fields = re.split(r"([,;\t])", rows[at])
            words = (*TOKENS, "x", "state", "place", '"', "'", " ", "#", "\t")
            fields[rng.randrange(len(fields))] = rng.choice(words)
            rows[at] = "".join(fields)
    return "\n".join(rows)


def change_bytes(data: bytes, rng: Random, other: bytes) -> bytes:
    """Flip, set, leave out, add and repeat bytes, cut them off, or join the beginning of one file to another's end."""
    if not data:
        return other[: rng.randrange(64)]
    out = bytearray(data)
    match rng.randrange(10):
        case 0:
            return data[: rng.randrange(len(data) + 1)]
        case 1:
            return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other) + 1) :]
    for _ in range(rng.choice((1, 1, 1, 2, 4, 16))):
        at = rng.randrange(min(len(out), rng.choice((64, 400, 2**30))))
        match rng.randrange(5):
            case 0:
                out[at] ^= 1 << rng.randrange(8)
            case 1:
                out[at] = rng.choice(b'\x00\x01\x7f\x80\xff\x08\x09\x0a["{9,-')
            case 2:
                del out[at : at + rng.choice((1, 2, 4, 50))]
            case 3:
                out[at:at] = rng.randbytes(rng.choice((1, 2, 4)))
            case 4:
                start = rng.randrange(len(out))
                out[at:at] = out[start : start + rng.randrange(60)]
        if not out:
            break
    return bytes(out)


# --- whole files ------------------------------------------------------------------------------------------------

_MOST_TAGS = 3000


@lru_cache(maxsize=256)
def _tree(data: bytes) -> tuple[bytes, Node] | None:
    """Name and root of an NBT file that is not too large to be taken apart."""
    raw = nbt.unpack(data)
    if raw[:1] != b"\n":
        return None
    try:
        name, root = nbt.read(raw)
    except MineceError:
        return None
    tree = node_of(root)
    return (name.encode(), tree) if len(slots_of(tree)) <= _MOST_TAGS else None


_ASSIGNED = re.compile(r"\s*var \w+ = ")


def mutated(sample: Sample, rng: Random, others: Sequence[Sample]) -> bytes:
    """A file that comes from a good one by a few changes; parts of ``others`` may get into it."""
    data = nbt.unpack(sample.data)
    structural = rng.random() < 0.8
    if structural:
        try:
            for change in _changes(sample, rng, others, rng.choice((1, 1, 1, 2, 3))):
                data = change(data)
        except RecursionError:
            structural = False
    if not structural or rng.random() < 0.1:
        packed = rng.random() < 0.2
        data = change_bytes(sample.data if packed else data, rng, rng.choice(others).data)
    match rng.randrange(12):
        case 0 | 1:
            return gzip.compress(data, 1, mtime=0)
        case 2:
            return zlib.compress(data, 1)
        case 3:
            return gzip.compress(gzip.compress(data, 1, mtime=0), 1, mtime=0)
    return data


def _changes(sample: Sample, rng: Random, others: Sequence[Sample], count: int) -> list[Callable[[bytes], bytes]]:
    if sample.form == "npy":
        return [lambda data: change_grid(data, rng) if data[:1] == b"\x93" and len(data) > 80 else data] * count
    trees = [found[1] for other in rng.choices(others, k=2) if (found := _tree(other.data)) is not None]
    if sample.form == "world":
        return [lambda data: change_region(data, rng, trees)]
    found = _tree(sample.data)
    if found is not None:
        return [lambda _: _other_nbt(found, rng, trees, count)]
    if sample.data[:1] != b"\n" and b"\0" not in sample.data:
        return [lambda data: _other_text(data, rng, count)]
    return [lambda data: change_bytes(data, rng, rng.choice(others).data)]


def _other_nbt(found: tuple[bytes, Node], rng: Random, trees: Sequence[Node], count: int) -> bytes:
    name, tree = found[0], _copied(found[1])
    for _ in range(count):
        change_nbt(tree, rng, trees)
    return encoded(name, tree)


def _other_text(data: bytes, rng: Random, count: int) -> bytes:
    text = data.decode()
    head = _ASSIGNED.match(text)
    before, rest, after = "", text, ""
    if head is not None:
        before, rest, after = head[0], text[head.end() :].rstrip(";"), ";"
    value = value_of(rest)
    for _ in range(count):
        if value is None:
            rest = change_rows(rest, rng)
        else:
            value = change_json(value, rng)
            rest = json_text(value)
    return (before + rest + after).encode("utf-8", "surrogatepass")
