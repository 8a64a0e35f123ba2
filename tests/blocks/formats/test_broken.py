"""Broken files of every format: each is read as what it still says, or refused in one line that names it."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from format_mutations import (
    ARRAYS,
    EDGES,
    NUMBERS,
    TOKENS,
    Node,
    Pairs,
    Token,
    encoded,
    json_text,
    node_of,
    places_in,
    put_tag,
    slots_of,
    tag_at,
    value_of,
)
from format_outcome import check_line, read
from format_samples import MAKERS, Sample, chunks_of_every_layout, packed_chunk, region_file, samples, write_world

from minece.blocks import formats
from minece.blocks.errors import FormatError, LimitError, MineceError
from minece.blocks.formats import nbt
from minece.blocks.grid import LIMIT
from minece.cli import main

pytestmark = pytest.mark.slow  # thousands of files

SAMPLES = samples()
ENDINGS = sorted({sample.ending for sample in SAMPLES})
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.id)


def refused(data: bytes, **options: Any) -> str:
    found = read(data, **options)
    assert isinstance(found, str), f"read as {found.format}: {found.runs[0].build}"
    return found


def equal(first: formats.Document, second: formats.Document) -> bool:
    return first.format == second.format and [run.turns for run in first.runs] == [run.turns for run in second.runs]


# --- samples


def test_every_format_that_is_registered_has_samples():
    assert set(MAKERS) == {form.name for form in formats.FORMATS}
    assert {sample.form for sample in SAMPLES} == set(MAKERS)
    written = {form.name for form in formats.FORMATS if form.write is not None}
    assert written == {sample.form for sample in SAMPLES if sample.title == "ours"}


@each_sample
def test_samples_are_read_by_their_format(sample):
    found = read(sample.data)
    assert isinstance(found, formats.Document) and len(found.runs[0].build.blocks)
    assert found.format == {"schem-v3": "schem", "blueprint": found.format}.get(sample.form, sample.form)
    if sample.form == "blueprint":
        assert found.format in ("blueprint", "construction")


# --- what any file may suffer


@each_sample
def test_cut_at_every_percent(sample):
    for data in dict.fromkeys((sample.data, nbt.unpack(sample.data))):
        for percent in range(100):
            found = read(data[: len(data) * percent // 100])
            assert isinstance(found, str) or not sample.tells_its_end, percent


@each_sample
def test_every_name_ends_in_the_same_build(sample, tmp_path):
    whole = formats.read(sample.data)
    for ending in ENDINGS:
        path = tmp_path / f"file{ending}"
        path.write_bytes(sample.data)
        assert equal(formats.read(path), whole)
        path.unlink()


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_right_ending_with_other_content(ending, tmp_path):
    path = tmp_path / f"file{ending}"
    for data in (b"", b"\0" * 999, b" \n\t", b"these are words\n", b"\x89PNG\r\n\x1a\n" + bytes(99), b"PK\x03\x04zip",
                 b"<html></html>", b"{}", b"[0]", b"null", b"0", b'""', bytes(range(256)) * 64, b"\x1f\x8b", b"\n\0\0",
                 b"\xff" * 500, gzip.compress(b""), gzip.compress(b"words"), zlib.compress(b"[1]"), b"\x93NUMPY",
                 "ÿþ".encode("utf-16")):  # fmt: skip
        path.write_bytes(data)
        with pytest.raises(FormatError) as found:
            formats.read(path)
        check_line(str(found.value), f"{path}: ")


@each_sample
def test_a_wrong_mark_at_the_beginning(sample):
    if sample.form == "world":
        return  # a region file has no mark
    plain = nbt.unpack(sample.data)
    for mark in (b"\0", b"\xff", b"\x93NUMPX", b"\x1f\x8b", b"\x0b", b"PK\x03\x04", b"]"):
        refused(mark + plain[len(mark) :])


@each_sample
def test_bytes_after_the_end(sample):
    for more in (b"x", b"\0\1", sample.data[: 1 + len(sample.data) // 2], sample.data):
        found = read(nbt.unpack(sample.data) + more)
        # A further row of a table, and what lies behind the chunks of a region, may be anything.
        assert isinstance(found, str) or not sample.tells_its_end
    if nbt.is_packed(sample.data):
        refused(sample.data + b"x")


@each_sample
def test_no_utf_8(sample):
    plain = bytearray(nbt.unpack(sample.data))
    for at in range(0, len(plain), max(len(plain) // 50, 1)):
        found = read(bytes(plain[:at]) + b"\xff\xfe\xed\xa0" + bytes(plain[at:]))
        assert isinstance(found, str) or sample.form in ("world", "npy")


# --- NBT, JSON: every tag and value, one after the other

MOST_PLACES = 24


def spread(places: list[Any]) -> list[Any]:
    """So many of the places, from everywhere."""
    return places[:: -(-len(places) // MOST_PLACES)]


def trees(sample: Sample) -> list[tuple[bytes, nbt.Compound, Callable[[bytes], bytes]]]:
    """Name and root of the NBT trees of a sample, and what makes a file of the changed bytes of one."""
    if sample.form == "world":
        length = int.from_bytes(sample.data[8192:8196], "big")
        name, root = nbt.read(nbt.unpack(sample.data[8197 : 8196 + length]))
        return [(name.encode(), root, in_region)]
    plain = nbt.unpack(sample.data)
    if plain[:1] != b"\n":
        return []
    name, root = nbt.read(plain)
    return [(name.encode(), root, lambda data: data)]


def in_region(raw: bytes, kind: int = 3) -> bytes:
    """A region file with one chunk of these bytes."""
    return region_file({(0, 0): (len(raw) + 1).to_bytes(4, "big") + bytes([kind]) + raw})


def changed_trees(sample: Sample, change: Callable[[Node, int], bool]) -> Iterator[bytes]:
    """Files in which ``change`` was made at one parent and place after the other, but those where it gives False."""
    for name, root, file in trees(sample):
        count = len(slots_of(node_of(root)))
        for number in spread(list(range(count))):
            tree = node_of(root)
            if change(*slots_of(tree)[number]):
                yield file(encoded(name, tree))


def texts(sample: Sample) -> list[str]:
    """The JSON texts that a sample consists of, one of several lines too."""
    if sample.form in ("csv", "npy") or b"\0" in sample.data:
        return []
    return [sample.data.decode()]


@each_sample
def test_tags_that_come_twice(sample):
    def change(parent: Node, place: int) -> bool:
        # Of chunks what is not kept is stepped over.
        if parent.kind != nbt.COMPOUND or parent.value[place][0] == b"block_entities":
            return False
        parent.value.append(parent.value[place])
        return True

    for data in changed_trees(sample, change):
        refused(data)


@each_sample
def test_tags_that_are_missing_or_of_another_kind(sample):
    def without(parent: Node, place: int) -> bool:
        del parent.value[place]
        return True

    for data in changed_trees(sample, without):
        read(data)
    for other in (Node(nbt.BYTE, 0), Node(nbt.TEXT, b"x"), Node(nbt.LIST, [], nbt.END),
                  Node(nbt.COMPOUND, []), Node(nbt.INTS, b""), Node(nbt.LONGS, bytes(16)),
                  Node(nbt.DOUBLE, float("nan")), Node(nbt.BYTES, bytes(9)),
                  Node(nbt.LIST, [Node(nbt.INT, -1)] * 3, nbt.INT), Node(13, 0)):  # fmt: skip

        def replaced(parent: Node, place: int, other: Node = other) -> bool:
            put_tag((parent, place), other)
            if parent.kind == nbt.LIST and parent.value[0].kind != parent.inner:
                parent.value, parent.inner = [other], other.kind
            return True

        for data in changed_trees(sample, replaced):
            read(data)


@each_sample
def test_numbers_at_the_edges(sample):
    for number in EDGES[1::3]:

        def change(parent: Node, place: int, number: int = number) -> bool:
            tag = tag_at((parent, place))
            if tag.kind not in NUMBERS or tag.kind in (nbt.FLOAT, nbt.DOUBLE):
                return False
            tag.value = number
            return True

        for data in changed_trees(sample, change):
            read(data)


@each_sample
@pytest.mark.parametrize("length", [-1, 1, 2**31 - 1, -(2**31), 2**24])
def test_lengths_that_the_data_does_not_have(sample, length):
    def change(parent: Node, place: int) -> bool:
        tag = tag_at((parent, place))
        if tag.kind == nbt.TEXT:
            tag.length = 65_535 if len(tag.value) < 60_000 else 0
        elif tag.kind == nbt.LIST:
            tag.length = length if abs(length) > 1 else len(tag.value) + length
            if not tag.value and length == -1:
                tag.length = -5
            if not tag.value and length == 1:
                return False
        elif tag.kind in ARRAYS:
            count = len(tag.value) // ARRAYS[tag.kind].itemsize
            tag.length = length if abs(length) > 1 else count + length
        else:
            return False
        return True

    for data in changed_trees(sample, change):
        # One more or less shifts what follows, which may by chance be tags again.
        assert isinstance(read(data), str) or abs(length) == 1


@each_sample
def test_names_and_texts_that_are_no_utf_8(sample):
    for raw in (b"\xff", b"a\xc3", b"\xed\xa0\x80", b"\xed\xb0\x80x", b"\x80"):

        def change(parent: Node, place: int, raw: bytes = raw) -> bool:
            tag = tag_at((parent, place))
            if tag.kind == nbt.TEXT:
                tag.value = raw
            elif parent.kind == nbt.COMPOUND:
                parent.value[place] = (raw, tag)
            else:
                return False
            return True

        for data in changed_trees(sample, change):
            refused(data)


@each_sample
def test_keys_that_come_twice(sample):
    for text in texts(sample):
        for head, value, tail in parsed(text):
            for holder, place in spread(places_in(value)):
                inner = holder[place]
                if isinstance(inner, Pairs) and inner:
                    holder[place] = Pairs([*inner, [inner[0][0], 0]])
                    refused((head + json_text(value) + tail).encode())
                    holder[place] = inner
            if isinstance(value, Pairs) and value:
                refused((head + json_text(Pairs([*value, value[0]])) + tail).encode())


NO_NUMBERS = {"NaN", "Infinity", "-Infinity"}


@each_sample
def test_values_that_do_not_belong_there(sample):
    for text in texts(sample):
        for head, value, tail in parsed(text):
            for number, (holder, place) in enumerate(spread(places_in(value))):
                inner = holder[place]
                for token in TOKENS[number % 2 :: 2]:
                    holder[place] = Token(token)
                    data = (head + json_text(value) + tail).encode()
                    if token in NO_NUMBERS:
                        refused(data)
                    else:
                        read(data)
                holder[place] = inner


def parsed(text: str) -> Iterator[tuple[str, Any, str]]:
    """A JSON value in a text, and what stands before and after it."""
    head, mark, rest = text.partition(" = ") if text.startswith("var ") else ("", "", text)
    value = value_of(rest.rstrip(";"))
    if value is not None:
        yield head + mark, value, rest[len(rest.rstrip(";")) :]
    elif text[:1] == "{":
        first, feed, others = text.partition("\n")
        yield "", value_of(first), feed + others


# --- one case a format, by name


def of(form: str, title: str = "ours") -> Sample:
    return next(sample for sample in SAMPLES if (sample.form, sample.title) == (form, title))


def with_tags(data: bytes, changes: dict[str, Any]) -> bytes:
    """An NBT file with other tags at paths such as "Regions/A/Size/x"; None takes a tag away."""
    name, root = nbt.read(nbt.unpack(data))
    _change(root, changes)
    return nbt.write(name, root)


def _change(root: nbt.Compound, changes: dict[str, Any]) -> None:
    for path, tag in changes.items():
        *way, last = path.split("/")
        place: Any = root
        for step in way:
            place = place[int(step) if isinstance(place, list) else step]
        key = int(last) if isinstance(place, list) else last
        if tag is None:
            del place[key]
        else:
            place[key] = tag


def with_chunk(layout: int, changes: dict[str, Any]) -> bytes:
    """A region file with a changed chunk: numbers, 1.13, 1.16 or 1.18."""
    root = chunks_of_every_layout()[layout]
    _change(root, changes)
    return region_file({(0, 0): packed_chunk(root)})


def with_value(form: str, title: str, change: Callable[[Any], object]) -> bytes:
    """A JSON file with another value; what ``change`` gives takes the place of a value that it does not change."""
    text = of(form, title).data.decode()
    head, mark, rest = text.partition(" = ") if text.startswith("var ") else ("", "", text)
    value = json.loads(rest.rstrip(";").partition("\n")[0])
    change(value)
    return (head + mark + json.dumps(value)).encode()


def grid(header: str, items: bytes = bytes(24), version: int = 1, length: int | None = None) -> bytes:
    """A NumPy file with that header."""
    raw = header.encode("latin-1")
    size = (len(raw) if length is None else length).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + raw + items


def shape(text: str, kind: str = "|b1") -> str:
    return f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {text}, }}\n"


I, S, L = nbt.Int, nbt.Short, nbt.Long  # noqa: E741
NONE = nbt.List(nbt.END)
FAR = LIMIT + 1
HUGE = 2**31 - 1
LONGS = np.zeros(1, dtype=np.int64)


def bytes_of(*numbers: int) -> nbt.Array:
    return np.array(numbers, dtype=np.uint8).view(np.int8)


def with_sides(form: str, side: int) -> bytes:
    return with_tags(of(form).data, {name: S(side) for name in ("Width", "Height", "Length")})


def litematic(changes: dict[str, Any]) -> bytes:
    return with_tags(of("litematic", "two regions").data, {f"Regions/A/{path}": tag for path, tag in changes.items()})


CUBE = {f"Size/{axis}": I(HUGE) for axis in "xyz"}

CASES: dict[str, Callable[[], bytes]] = {
    # dimensions whose product overflows 32 and 64 bits
    "schem: product of sides": lambda: with_sides("schem", -1),
    "schem-v3: product of sides": lambda: with_tags(
        of("schem-v3").data, {f"Schematic/{name}": S(-1) for name in ("Width", "Height", "Length")}
    ),
    "schematic: product of sides": lambda: with_sides("schematic", -1),
    "litematic: product of sides": lambda: litematic(CUBE),
    "litematic: negative product of sides": lambda: litematic({f"Size/{axis}": I(-HUGE - 1) for axis in "xyz"}),
    "litematic: product that is one in 64 bits": lambda: litematic(
        {"Size/x": I(2**22), "Size/y": I(2**22), "Size/z": I(2**21)}
    ),
    "npy: product of sides": lambda: grid(shape(f"({2**32}, {2**32}, 3)")),
    "npy: product that is small in 64 bits": lambda: grid(shape(f"({2**63}, 2, 24)")),
    # sides of nothing and less
    "schem: no side": lambda: with_sides("schem", 0),
    "schematic: no side": lambda: with_sides("schematic", 0),
    "litematic: no side": lambda: litematic({"Size/x": I(0)}),
    "structure: negative side": lambda: with_tags(of("structure").data, {"size/0": I(-1)}),
    "npy: no side": lambda: grid(shape("(0, 3, 4)"), b""),
    "npy: negative side": lambda: grid(shape("(-2, -3, 4)")),
    # palette
    "schem: number beyond the palette": lambda: with_tags(
        of("schem", "version 1").data, {"BlockData": bytes_of(0, 1, 3, 1)}
    ),
    "schem: negative palette number": lambda: with_tags(
        of("schem", "version 1").data, {"Palette/minecraft:air": I(-1)}
    ),
    "schem: palette number of two states": lambda: with_tags(
        of("schem", "version 1").data, {"Palette/minecraft:air": I(1)}
    ),
    "schem: huge palette number": lambda: with_tags(of("schem", "version 1").data, {"Palette/minecraft:air": I(HUGE)}),
    "schem: no palette": lambda: with_tags(of("schem").data, {"Palette": {}}),
    "litematic: number beyond the palette": lambda: litematic({"BlockStates": LONGS - 1}),
    "litematic: no palette": lambda: litematic({"BlockStatePalette": NONE}),
    "structure: number beyond the palette": lambda: with_tags(
        of("structure", "by hand").data, {"blocks/1/state": I(4)}
    ),
    "structure: negative palette number": lambda: with_tags(of("structure", "by hand").data, {"blocks/1/state": I(-1)}),
    "structure: no palette": lambda: with_tags(of("structure", "by hand").data, {"palette": NONE}),
    "world: number beyond the palette": lambda: with_chunk(3, {"sections/0/block_states/data": np.full(256, -1)}),
    "world: numbers without a palette": lambda: with_chunk(3, {"sections/0/block_states/palette": I(0)}),
    # arrays that are too short and too long
    "schem: too few numbers": lambda: with_tags(of("schem", "version 1").data, {"BlockData": bytes_of(0, 1, 2)}),
    "schem: too many numbers": lambda: with_tags(of("schem", "version 1").data, {"BlockData": bytes_of(0, 1, 2, 1, 0)}),
    "schem: number that does not end": lambda: with_tags(
        of("schem", "version 1").data, {"BlockData": bytes_of(0, 1, 2, 129)}
    ),
    "schem: number of six bytes": lambda: with_tags(
        of("schem", "version 1").data, {"BlockData": bytes_of(0, 1, 2, 129, 128, 128, 128, 128, 1)}
    ),
    "schem-v3: too few numbers": lambda: with_tags(of("schem-v3").data, {"Schematic/Blocks/Data": bytes_of(0)}),
    "litematic: too few words": lambda: litematic({"BlockStates": LONGS[:0]}),
    "litematic: too many words": lambda: litematic({"BlockStates": np.zeros(9, dtype=np.int64)}),
    "structure: place of two numbers": lambda: with_tags(
        of("structure", "by hand").data, {"blocks/1/pos": nbt.List(nbt.INT, [I(0)] * 2)}
    ),
    "schematic: too few ids": lambda: with_tags(of("schematic", "by hand").data, {"Blocks": bytes_of(1)}),
    "schematic: too many ids": lambda: with_tags(of("schematic", "by hand").data, {"Blocks": bytes_of(*range(9))}),
    "schematic: too few data values": lambda: with_tags(of("schematic", "by hand").data, {"Data": bytes_of(1)}),
    "world: too few words": lambda: with_chunk(1, {"Level/Sections/0/BlockStates": LONGS}),
    "world: too many words": lambda: with_chunk(2, {"Level/Sections/0/BlockStates": np.zeros(999, dtype=np.int64)}),
    "world: too few ids": lambda: with_chunk(0, {"Level/Sections/0/Blocks": bytes_of(1)}),
    "world: too few data values": lambda: with_chunk(0, {"Level/Sections/0/Data": bytes_of(1)}),
    "npy: too few items": lambda: grid(shape("(2, 3, 4)"), bytes(23)),
    "npy: too many items": lambda: grid(shape("(2, 3, 4)"), bytes(25)),
    # coordinates and heights beyond the limits
    "json: far away": lambda: b'{"format":"minece-build/1","blocks":[[0,%d,0,"stone"]]}' % FAR,
    "json: ground far away": lambda: b'{"format":"minece-build/1","ground_y":%d,"blocks":[]}' % FAR,
    "csv: far away": lambda: b"x,y,z,state\n0,0,%d,stone\n" % -FAR,
    "csv: a number of 400 digits": lambda: b"x,y,z,state\n0,0,%s,stone\n" % (b"9" * 400),
    "litematic: far away": lambda: litematic({"Position/y": I(FAR)}),
    "litematic: regions far apart": lambda: litematic({"Position/x": I(LIMIT), "Position/z": I(-LIMIT)}),
    "structure: far away": lambda: with_tags(
        of("structure", "by hand").data, {"blocks/1/pos": nbt.List(nbt.INT, [I(0), I(FAR), I(0)])}
    ),
    "world: section far above": lambda: with_chunk(0, {"Level/Sections/0/Y": I(HUGE)}),
    "records: far away": lambda: with_value("records", "coordinates", lambda v: v[0].update(x=FAR)),
    "blueprint: far away": lambda: with_value(
        "blueprint", "tasks", lambda v: v["hut"]["blueprint"]["levels"][0].update(coordinates=[0, FAR, 0])
    ),
    "construction: far away": lambda: with_value("blueprint", "construction", lambda v: v.update(offset=-FAR)),
    "iglu: far away": lambda: with_value(
        "iglu", "by hand", lambda v: v["worldEndingState"].update(blocks=[[0, 0, FAR, 57]])
    ),
    "craftassist: far away": lambda: with_value("craftassist", "by hand", lambda v: v[0][2].__setitem__(1, FAR)),
    "grabcraft: far away": lambda: with_value("grabcraft", "list", lambda v: v[0].update(x=str(FAR))),
    # numbers that are none
    "blueprint: a fraction": lambda: with_value("blueprint", "construction", lambda v: v.update(offset=0.5)),
    "iglu: a negative id": lambda: with_value(
        "iglu", "by hand", lambda v: v["worldEndingState"].update(blocks=[[0, 0, 0, -1]])
    ),
    "craftassist: an id beyond the table": lambda: with_value(
        "craftassist", "by hand", lambda v: v[0].__setitem__(3, [10**6, 0])
    ),
    "craftassist: a data value beyond 15": lambda: with_value(
        "craftassist", "by hand", lambda v: v[0].__setitem__(3, [1, 16])
    ),
    "grabcraft: a block without a name": lambda: with_value("grabcraft", "list", lambda v: v[0].update(name=None)),
    "records: a block without a name": lambda: with_value("records", "coordinates", lambda v: v[0].update(material=7)),
    "json: an infinite time": lambda: b'{"format":"minece-build/1","log":[["place",0,0,0,"dirt"]],"times":[1e999]}',
    # headers of grids that lie
    "npy: pickled objects": lambda: grid(shape("(1, 1, 1)", "|O"), b"\x80\x04cos\nsystem\n(S'false'\ntR."),
    "npy: objects in a structure": lambda: grid(
        "{'descr': [('a', '|O')], 'fortran_order': False, 'shape': (1, 1, 1), }\n"
    ),
    "npy: code in the header": lambda: grid("__import__('os').abort()"),
    "npy: header longer than the file": lambda: grid(shape("(2, 3, 4)"), length=65_000),
    "npy: header of 4 GB": lambda: grid(shape("(2, 3, 4)"), version=2, length=2**32 - 1),
    "npy: version 9": lambda: grid(shape("(2, 3, 4)"), version=9),
    "npy: no axes": lambda: grid(shape("()"), b"\0"),
    "npy: seven axes": lambda: grid(shape("(1, 2, 3, 4, 1, 1, 1)")),
    "npy: names that are no letters": lambda: grid(shape("(1, 1, 2)", "<U3"), b"\xff" * 24),
    "npy: fractions": lambda: grid(shape("(1, 1, 3)", "<f8")),
    # places of chunks
    "world: chunk behind the end": lambda: (999 << 8 | 1).to_bytes(4, "big") + of("world", "1.18").data[4:],
    "world: chunk of no length": lambda: of("world", "1.18").data[:8192] + bytes(4096),
    "world: chunk longer than its sectors": lambda: (
        of("world", "1.18").data[:8192] + b"\x7f\xff\xff\xff\2" + bytes(4091)
    ),
    "world: chunk packed in an unknown way": lambda: (
        of("world", "1.18").data[:8196] + b"\x63" + of("world", "1.18").data[8197:]
    ),
    "world: chunk in a file that is not there": lambda: (
        of("world", "1.18").data[:8196] + b"\x82" + of("world", "1.18").data[8197:]
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_cannot_be_right_is_refused(name):
    refused(CASES[name]())


def test_there_is_a_case_for_every_format():
    assert {name.partition(":")[0] for name in CASES} >= {sample.form for sample in SAMPLES}


# --- nesting and bombs

DEEP = 100_000


def nested_tags(kind: int) -> bytes:
    """The payload of a tag that holds one of its kind, and so on."""
    if kind == nbt.LIST:
        return b"\x09\0\0\0\1" * DEEP + b"\0\0\0\0\0"
    return b"\x0a\0\1a" * DEEP + b"\0" * (DEEP + 1)


@each_sample
@pytest.mark.parametrize("kind", [nbt.LIST, nbt.COMPOUND])
def test_a_hundred_thousand_tags_in_one_another(sample, kind):
    for name, root, _ in trees(sample):
        for key in root:
            # The tag stands in place of each of the root's own, behind the others.
            others = [(inner.encode(), node_of(tag)) for inner, tag in root.items() if inner != key]
            whole = encoded(name, Node(nbt.COMPOUND, others))[:-1]
            head = bytes([kind]) + len(key.encode()).to_bytes(2, "big") + key.encode()
            packed = zlib.compress(whole + head + nested_tags(kind) + b"\0", 1)
            assert "nested" in refused(packed if sample.form != "world" else in_region(packed, 2))


@each_sample
def test_a_hundred_thousand_json_values_in_one_another(sample):
    deep = [Token("[" * DEEP + "]" * DEEP), Token('{"a":' * DEEP + "0" + "}" * DEEP), Token("[" * DEEP)]
    for text in texts(sample):
        for head, value, tail in parsed(text):
            for holder, place in spread(places_in(value))[:6]:
                inner = holder[place]
                for token in deep:
                    holder[place] = token
                    refused((head + json_text(value) + tail).encode())
                holder[place] = inner
    for token in deep:
        refused(token.encode())


@lru_cache(maxsize=1)
def bombs() -> dict[str, bytes]:
    """Zeros, a thousand to one, above what is unpacked; packed again; and below it, as tags."""
    zeros = zlib.compress(bytes(2**27 + 1), 9)
    packed = gzip.compress(bytes(2**27 + 1), 9)
    pieces = gzip.compress(bytes(2**24), 9) * 9
    large = b"\n\0\0\x07\0\1a\x07\0\0\0" + bytes(2**26)
    return {
        "zlib": zeros,
        "gzip": packed,
        "gzip in pieces": pieces,
        "gzip in gzip": gzip.compress(packed, 9),
        "gzip in zlib in gzip": gzip.compress(zlib.compress(packed)),
        "a large array": gzip.compress(large, 1),
    }


@pytest.mark.parametrize(
    "name", ["zlib", "gzip", "gzip in pieces", "gzip in gzip", "gzip in zlib in gzip", "a large array"]
)
def test_bombs(name):
    data = bombs()[name]
    assert len(data) < 2**20
    refused(data)


@pytest.mark.parametrize(("name", "kind"), [("zlib", 2), ("gzip", 1)])
def test_bombs_in_chunks(name, kind):
    assert "unpacks to more" in refused(in_region(bombs()[name], kind))


# --- the command line


def run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: object
) -> tuple[int, str, list[str]]:
    monkeypatch.setattr("sys.argv", ["minece", *map(str, words)])
    with pytest.raises(SystemExit) as end:
        main()
    shown = capsys.readouterr()
    assert "Traceback" not in shown.err
    lines = [line for line in shown.err.splitlines() if not line.startswith('{"event"')]
    return int(end.value.code or 0), shown.out, lines


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.json"
    path.write_text('[{"rule": "connected"}]')
    return path


def broken_files(folder: Path) -> list[Path]:
    """A file for each case by name, and of each sample its first half and one with an end of its own."""
    files = {name: make() for name, make in CASES.items()}
    for sample in SAMPLES:
        if sample.tells_its_end:
            files[f"half of {sample.id}{sample.ending}"] = sample.data[: len(sample.data) // 2]
        files[f"end of {sample.id}{sample.ending}"] = b"\xff" + sample.data[len(sample.data) // 2 :]
    files |= {name: bombs()[name] for name in ("zlib", "gzip in gzip")}
    files["escapes\x1b[31m.json"] = b'{"format":"minece-build/1","\x1b[2J":0}'
    folder.mkdir()
    for name, data in files.items():
        (folder / name.replace(":", " -")).write_bytes(data)
    return sorted(folder.iterdir())


def good_files(folder: Path) -> list[Path]:
    folder.mkdir(exist_ok=True)
    for sample in SAMPLES:
        (folder / f"good {sample.id}{sample.ending}").write_bytes(sample.data)
    return sorted(path for path in folder.iterdir() if path.name.startswith("good"))


def shown(path: Path) -> str:
    return "".join(c if c.isprintable() else " " for c in str(path))


def test_a_folder_of_good_and_broken_files(tmp_path, rules, monkeypatch, capsys):
    folder = tmp_path / "builds"
    bad = broken_files(folder)
    good = good_files(folder)
    out = tmp_path / "out"
    code, printed, lines = run(monkeypatch, capsys, "score", folder, "--rules", rules, "--out", out, "--json")
    assert code == 2
    for path in bad:
        named = [line for line in lines if line.startswith(f"{shown(path)}: ")]
        assert len(named) == 1 and named[0].isprintable(), (path, named)
    assert len(lines) == len(bad)
    rows = [json.loads(line) for line in printed.splitlines()]
    names = {row["build"]["name"].partition(": ")[0] for row in rows}
    assert names == {str(path) for path in good}
    kept = [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
    assert [row["build"]["id"] for row in kept] == [row["build"]["id"] for row in rows]


@pytest.mark.parametrize("command", ["score", "info", "convert"])
def test_each_broken_file_alone(command, tmp_path, rules, monkeypatch, capsys):
    more: list[object] = {"score": ["--rules", rules], "info": [], "convert": [tmp_path / "copy.json"]}[command]
    for path in broken_files(tmp_path / "bad")[::4]:
        code, printed, lines = run(monkeypatch, capsys, command, path, *more)
        assert (code, printed) == (2, "") and len(lines) == 1 and lines[0].startswith(f"{shown(path)}: ")
        assert not (tmp_path / "copy.json").exists()


COMMAND = """
import sys
from minece.cli import main
try:
    main()
finally:
    peak = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))
    print("peak", peak, file=sys.stderr)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
@pytest.mark.parametrize("command", ["score", "info"])
def test_broken_files_in_a_process_of_its_own(command, tmp_path, rules):
    bad = broken_files(tmp_path / "bad")
    words = [*bad, *(["--rules", rules] if command == "score" else [])]
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, command, *map(str, words)], capture_output=True, text=True, timeout=300
    )
    *lines, peak = done.stderr.splitlines()
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert [line.startswith(f"{shown(path)}: ") for line, path in zip(lines, bad, strict=True)] == [True] * len(bad)
    assert int(peak.split()[1]) < 1000 * 1024


# --- what else lies in folders


def test_pipes_links_and_names(tmp_path, rules, monkeypatch, capsys):
    folder = tmp_path / "builds"
    good = good_files(folder)
    os.mkfifo(folder / "pipe.json")
    (folder / "itself").symlink_to("itself")
    (folder / "up").symlink_to("..", target_is_directory=True)
    (folder / "gone.json").symlink_to("nowhere")
    (folder / "null.json").symlink_to("/dev/null")
    (folder / "zero.schem").symlink_to("/dev/zero")
    raw = os.fsencode(folder) + b"/\xff\xfe.json"
    with open(raw, "wb") as file:
        file.write(b"{")
    code, printed, lines = run(monkeypatch, capsys, "score", folder, "--rules", rules, "--json")
    rows = [json.loads(line) for line in printed.splitlines()]
    assert {row["build"]["name"].partition(": ")[0] for row in rows} == {str(path) for path in good}
    assert code == 2 and len(lines) == 1 and lines[0].isprintable() and ".json: " in lines[0]
    for name, words in (
        ("pipe.json", "is no ordinary file"),
        ("itself", "cannot be read"),
        ("gone.json", "does not exist"),
        ("null.json", "is no ordinary file"),
        ("zero.schem", "is no ordinary file"),
    ):
        code, printed, lines = run(monkeypatch, capsys, "info", folder / name)
        assert (code, printed) == (2, "") and len(lines) == 1
        assert lines[0].startswith(f"{folder / name}: ") and words in lines[0]


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_files_that_may_not_be_read(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(of("json").data)
    path.chmod(0)
    with pytest.raises(FormatError, match="may not be read"):
        formats.read(path)


# --- worlds


def outcome_of_world(path: Path) -> str:
    try:
        build = formats.read(path).build
    except MineceError as error:
        return check_line(str(error), f"{path}: ")
    return f"{len(build.blocks)} blocks; {' '.join(build.provenance.warnings)}"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    folder = tmp_path / "world"
    write_world(folder, of("world", "1.18").data)
    return folder


def test_a_whole_world_is_read(world):
    assert outcome_of_world(world).startswith("4361 blocks")


def test_links_that_lead_out_of_a_world(world, tmp_path):
    secret = tmp_path / "secret.mca"
    secret.write_bytes(of("world", "1.16").data)
    (world / "region" / "r.5.5.mca").symlink_to(secret)
    (world / "region" / "r.6.5.mca").symlink_to("r.6.5.mca")
    assert "4361 blocks" in outcome_of_world(world) or "r.6.5.mca" in outcome_of_world(world)
    (world / "region" / "r.6.5.mca").unlink()
    found = outcome_of_world(world)
    assert found.startswith("4361 blocks") and "link" in found
    (world / "region" / "r.0.0.mca").unlink()
    assert "lead out of it" in outcome_of_world(world)


def test_a_folder_of_regions_that_is_a_link_out(world, tmp_path):
    (world / "region").rename(tmp_path / "elsewhere")
    (world / "region").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert "blocks" not in outcome_of_world(world).split(";")[0]


def test_folders_that_are_links_to_themselves(world):
    (world / "region" / "r.0.0.mca").unlink()
    (world / "region").rmdir()
    (world / "region").symlink_to("region", target_is_directory=True)
    outcome_of_world(world)
    (world / "region").unlink()
    (world / "region").symlink_to(".", target_is_directory=True)
    outcome_of_world(world)


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_region_files_that_are_none(world, make):
    make(world / "region" / "r.1.0.mca")
    line = outcome_of_world(world)
    assert "r.1.0.mca" in line or line.startswith("4361 blocks")


@pytest.mark.parametrize("data", [b"", b"x", b"\xff" * 9000, bytes(8192), b"{" * 9000, b"\0\0\2\1" + bytes(9000)])
def test_broken_region_files(world, data):
    (world / "region" / "r.0.0.mca").write_bytes(data)
    line = outcome_of_world(world)
    assert not line.startswith("4361")


def test_a_world_cut_at_every_percent(world):
    path = world / "region" / "r.0.0.mca"
    whole = of("world", "1.18").data
    for percent in range(100):
        path.write_bytes(whole[: len(whole) * percent // 100])
        outcome_of_world(world)


def test_broken_worlds_in_a_folder(world, tmp_path, rules, monkeypatch, capsys):
    good_files(tmp_path / "builds")
    write_world(tmp_path / "builds" / "bad world", b"\xff" * 9000)
    write_world(tmp_path / "builds" / "good world", of("world", "1.18").data)
    code, printed, lines = run(monkeypatch, capsys, "score", tmp_path / "builds", "--rules", rules, "--json")
    names = {json.loads(line)["build"]["name"].partition(": ")[0] for line in printed.splitlines()}
    assert code == 2 and len(lines) == 1 and "bad world" in lines[0]
    assert str(tmp_path / "builds" / "good world") in names and len(names) == len(SAMPLES) + 1


def test_limits_are_errors_of_the_same_kind():
    assert issubclass(LimitError, FormatError)
