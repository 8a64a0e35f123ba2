"""The bounded NBT reader and the writer."""

from __future__ import annotations

import gzip
import io
import struct
import zlib

import nbtlib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats import nbt
from minece.blocks.formats.limits import Limits

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8) | st.sampled_from(["", "\0", "ä€😀", "a\0b"])


def ints(bits: int) -> st.SearchStrategy[int]:
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


NUMBERS: dict[int, st.SearchStrategy] = {
    nbt.BYTE: ints(8).map(nbt.Byte),
    nbt.SHORT: ints(16).map(nbt.Short),
    nbt.INT: ints(32).map(nbt.Int),
    nbt.LONG: ints(64).map(nbt.Long),
    nbt.FLOAT: st.floats(width=32, allow_nan=False).map(nbt.Float),
    nbt.DOUBLE: st.floats(allow_nan=False).map(nbt.Double),
}
ARRAYS = [
    st.lists(ints(bits), max_size=5).map(lambda v, d=dtype: np.array(v, dtype=d))
    for bits, dtype in ((8, ">i1"), (32, ">i4"), (64, ">i8"))
]


def listed(kind: int, tags: st.SearchStrategy) -> st.SearchStrategy:
    return st.lists(tags, max_size=4).map(lambda found: nbt.List(kind, found))


def trees(words: st.SearchStrategy[str]) -> st.SearchStrategy[nbt.Compound]:
    simple = {**NUMBERS, nbt.TEXT: words}
    leaves = st.one_of(*simple.values(), *ARRAYS, *(listed(kind, tags) for kind, tags in simple.items()))
    return st.recursive(
        st.dictionaries(words, leaves, max_size=4),
        lambda inner: st.dictionaries(words, leaves | inner | listed(nbt.COMPOUND, inner), max_size=4),
        max_leaves=12,
    )


def same(left: object, right: object) -> bool:
    """Equal tags of equal types."""
    if isinstance(left, dict) and isinstance(right, dict):
        return list(left) == list(right) and all(same(left[k], right[k]) for k in left)
    if isinstance(left, nbt.List) and isinstance(right, nbt.List):
        return left.kind == right.kind and len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, np.ndarray) and isinstance(right, np.ndarray):
        return left.dtype.itemsize == right.dtype.itemsize and np.array_equal(left, right)
    return type(left) is type(right) and left == right


def read(data: bytes, **limits: float) -> nbt.Compound:
    caps = Limits(**limits)  # type: ignore[arg-type]
    return nbt.read(nbt.unpack(data, caps), caps)[1]


@given(text, trees(text), st.booleans())
def test_what_is_written_is_read(name, root, compress):
    data = nbt.write(name, root, compress=compress)
    found_name, found = nbt.read(nbt.unpack(data))
    assert found_name == name
    assert same(found, root)


# nbtlib writes plain UTF-8, which is the same for characters up to U+FFFF other than NUL.
plain = st.text(st.characters(min_codepoint=1, max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=8)


@given(plain, trees(plain))
def test_nbtlib_reads_what_we_write(name, root):
    data = nbt.write(name, root, compress=False)
    out = io.BytesIO()
    nbtlib.File.parse(io.BytesIO(data)).write(out)
    assert out.getvalue() == data


def test_we_read_what_nbtlib_writes(tmp_path):
    tree = {
        "byte": nbtlib.Byte(-3),
        "long": nbtlib.Long(2**40),
        "text": nbtlib.String("ä€"),
        "ints": nbtlib.IntArray([1, -2]),
        "longs": nbtlib.LongArray([2**60]),
        "bytes": nbtlib.ByteArray([-1, 1]),
        "list": nbtlib.List[nbtlib.Compound]([{"x": nbtlib.Double(0.5)}]),
        "numbers": nbtlib.List[nbtlib.Short]([7, 8]),
    }
    nbtlib.File(tree, gzipped=True, root_name="oracle").save(tmp_path / "tree.nbt")
    name, root = nbt.read(nbt.unpack((tmp_path / "tree.nbt").read_bytes()))
    assert name == "oracle"
    assert root["byte"] == -3 and isinstance(root["byte"], nbt.Byte)
    assert root["long"] == 2**40 and root["text"] == "ä€"
    assert root["ints"].tolist() == [1, -2] and root["longs"].tolist() == [2**60] and root["bytes"].tolist() == [-1, 1]
    assert same(root["list"], nbt.List(nbt.COMPOUND, [{"x": nbt.Double(0.5)}]))
    assert same(root["numbers"], nbt.List(nbt.SHORT, [nbt.Short(7), nbt.Short(8)]))


TREE: nbt.Compound = {
    "a": nbt.Int(1),
    "deep": {"list": nbt.List(nbt.TEXT, ["x", "y"]), "data": np.arange(9, dtype=np.int64)},
}


def test_r16_raw_gzip_and_zlib_are_equal():
    raw = nbt.write("", TREE, compress=False)
    for data in (raw, gzip.compress(raw), zlib.compress(raw, 9), zlib.compress(raw, 1), nbt.write("", TREE)):
        assert same(read(data), TREE)


def test_bytes_do_not_depend_on_the_time():
    assert nbt.write("n", TREE) == nbt.write("n", TREE)
    assert nbt.write("n", TREE)[4:8] == bytes(4)
    assert gzip.decompress(nbt.write("n", TREE)) == nbt.write("n", TREE, compress=False)


def test_arrays_are_views_without_a_copy():
    raw = nbt.write("", TREE, compress=False)
    data = nbt.read(raw)[1]["deep"]["data"]
    assert not data.flags.owndata and not data.flags.writeable and data.tolist() == list(range(9))


@pytest.mark.parametrize("size", range(1, 120))
def test_r18_a_file_that_is_cut_off_is_refused(size):
    raw = nbt.write("", TREE, compress=False)
    assert len(raw) > 120
    with pytest.raises(FormatError, match="the file ends within"):
        nbt.read(raw[:size])
    packed = nbt.write("", TREE)
    with pytest.raises(FormatError):
        read(packed[: size % len(packed)])


def test_a_damaged_checksum_is_refused():
    data = bytearray(nbt.write("", TREE))
    data[-6] ^= 1
    with pytest.raises(FormatError, match="gzip data is damaged"):
        read(bytes(data))


@pytest.mark.parametrize("pack", [bytes, gzip.compress, zlib.compress])
def test_bytes_after_the_end_are_refused_but_for_zeros(pack):
    raw = nbt.write("", TREE, compress=False)
    assert same(read(pack(raw) + bytes(5)), TREE)
    with pytest.raises(FormatError, match="3 bytes follow the end"):
        read(pack(raw) + b"abc")


def test_a_gzip_of_several_members_is_one_file():
    raw = nbt.write("", TREE, compress=False)
    assert same(read(gzip.compress(raw[:40]) + gzip.compress(raw[40:])), TREE)


def tag(kind: int, name: bytes, payload: bytes) -> bytes:
    return b"\x0a\0\0" + bytes([kind]) + struct.pack(">H", len(name)) + name + payload + b"\0"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"hello", "is no NBT file"),
        (tag(99, b"a", b""), "a: tag type 99 does not exist"),
        (tag(7, b"data", struct.pack(">i", -1)), "data: a byte array has a negative length"),
        (tag(12, b"data", struct.pack(">i", 2**31 - 1)), "data: the file ends within a long array"),
        (tag(9, b"l", b"\x03" + struct.pack(">i", -5)), "l: a list has a negative length"),
        (tag(9, b"l", b"\x00" + struct.pack(">i", 5)), "l: a list of 5 tags has no type"),
        (tag(9, b"l", b"\x63" + struct.pack(">i", 0)), "l: tag type 99 does not exist"),
        (tag(9, b"l", b"\x04" + struct.pack(">i", 400_000)), "l: the file ends within a list"),
        (tag(8, b"t", b"\0\1\xff"), "t: text is not valid UTF-8"),
        (tag(8, b"t", b"\0\3\xed\xa0\x80"), "t: text is not valid UTF-8"),
        (tag(1, b"\xff", b"\1"), "root: text is not valid UTF-8"),
        (b"\x0a\0\0\x01\0\1a\1\x01\0\1a\2\0", "a: comes twice in its compound"),
    ],
)
def test_what_is_wrong_is_named_with_its_place(data, message):
    with pytest.raises(FormatError) as found:
        nbt.read(data)
    assert message in str(found.value) and "; " in str(found.value) and "\n" not in str(found.value)


def test_the_place_is_a_path_of_tags():
    raw = nbt.write("", {"Regions": {"House": nbt.List(nbt.COMPOUND, [{}, {"Size": "abc"}])}}, compress=False)
    with pytest.raises(FormatError, match="^Regions/House/1/Size: the file ends within text"):
        nbt.read(raw[:-6])


def test_modified_utf8():
    for sample in ("", "plain", "ä€", "a\0b", "😀 and ä"):
        assert nbt.decode_text(nbt.encode_text(sample)) == sample
    assert nbt.encode_text("\0") == b"\xc0\x80"
    assert nbt.encode_text("😀") == b"\xed\xa0\xbd\xed\xb8\x80"
    assert nbt.decode_text("😀".encode()) == "😀"


def nested(kind: int, depth: int) -> bytes:
    if kind == nbt.COMPOUND:
        return b"\x0a\0\0" + b"\x0a\0\1a" * depth + b"\0" * (depth + 1)
    return b"\x0a\0\0\x09\0\1a" + b"\x09\0\0\0\1" * depth + b"\x01\0\0\0\0" + b"\0"


@pytest.mark.parametrize("kind", [nbt.COMPOUND, nbt.LIST])
def test_depth_has_a_cap(kind):
    nbt.read(nested(kind, 100))
    for depth in (200, 100_000):
        with pytest.raises(LimitError, match="nested deeper than 128 levels"):
            nbt.read(nested(kind, depth))


def test_tags_have_a_cap():
    many = nbt.write("", {"l": nbt.List(nbt.BYTE, [nbt.Byte(0)] * 1000)})
    assert len(read(many)["l"]) == 1000
    with pytest.raises(LimitError, match="l: more than 500 NBT tags"):
        read(many, tags=500)
    with pytest.raises(LimitError, match="NBT tags"):
        read(nbt.write("", {"l": nbt.List(nbt.COMPOUND, [{}] * 1000)}), tags=500)
    with pytest.raises(LimitError, match="NBT tags"):
        read(nbt.write("", {str(i): nbt.Byte(0) for i in range(1000)}), tags=500)


def test_names_have_a_cap():
    with pytest.raises(LimitError, match="a name of 1,025 bytes"):
        read(nbt.write("", {"n" * 1025: nbt.Byte(0)}))


def test_unpacked_bytes_have_a_cap():
    bomb = gzip.compress(bytes(2**20))
    with pytest.raises(LimitError, match="unpacks to more than 0 MB"):
        nbt.unpack(bomb, Limits(unpacked_bytes=2**16))
    assert len(nbt.unpack(bomb)) == 2**20


def test_time_has_a_cap():
    with pytest.raises(LimitError, match="took longer than"):
        nbt.read(nbt.write("", TREE, compress=False), Limits(seconds=-1))


def test_typed_access_names_type_and_place():
    words = nbt.List(nbt.TEXT, ["x"])
    root: nbt.Compound = {"n": nbt.Int(3), "t": "word", "a": np.zeros(2, dtype=np.int32), "l": words}
    assert nbt.get_int(root, "n") == 3 and nbt.get_text(root, "t") == "word" and nbt.get_text(root, "n", "d") == "d"
    assert nbt.get_list(root, "l", nbt.TEXT) == ["x"]
    with pytest.raises(FormatError, match="^p/t: is text, not a whole number"):
        nbt.get_int(root, "t", "p")
    with pytest.raises(FormatError, match="^gone: is missing"):
        nbt.get_compound(root, "gone")
    with pytest.raises(FormatError, match="^a: is an int array, not a long array"):
        nbt.get_array(root, "a", nbt.LONGS)
    with pytest.raises(FormatError, match="^l: is a list, not a list of which each is an int"):
        nbt.get_list(root, "l", nbt.INT)


@pytest.mark.parametrize(
    "root",
    [
        {"a": nbt.Byte(300)},
        {"a": 3},
        {"a": object()},
        {"a": "x" * 70_000},
        {"a": np.zeros((2, 2), dtype=np.int32)},
        {"a": np.zeros(2, dtype=np.uint8)},
        {"a": nbt.List(nbt.INT, ["text"])},
    ],
)
def test_what_nbt_cannot_hold_is_refused(root):
    with pytest.raises(FormatError):
        nbt.write("", root)


# --- lists read in bulk


def expanded(found: nbt.Records) -> nbt.List:
    """The compounds one by one, from the templates and columns."""
    out = nbt.List(nbt.COMPOUND)
    for part in found.parts:
        for row in range(part.count):
            one = dict(part.template)
            for name, column in part.columns.items():
                tag = part.template[name]
                if isinstance(tag, np.ndarray):
                    one[name] = column[row]
                elif isinstance(tag, nbt.List):
                    make = type(tag[0])
                    one[name] = nbt.List(tag.kind, [make(value) for value in column[row].tolist()])
                else:
                    one[name] = type(tag)(column[row].tolist())
            out.append(one)
    return out


few = st.sampled_from(["a", "b", "pos"])
layouts = st.dictionaries(
    few,
    st.one_of(*NUMBERS.values(), *ARRAYS, text, *(listed(kind, tags) for kind, tags in NUMBERS.items()))
    | st.dictionaries(few, NUMBERS[nbt.INT], max_size=2),
    max_size=3,
)


def changed(layout: nbt.Compound, number: int) -> nbt.Compound:
    """A compound of the same layout with other numbers, where there are any."""
    out: nbt.Compound = {}
    for name, tag in layout.items():
        if isinstance(tag, int):
            out[name] = type(tag)(number % 128)
        elif isinstance(tag, nbt.List):
            out[name] = nbt.List(tag.kind, [type(value)((number + i) % 128) for i, value in enumerate(tag)])
        else:
            out[name] = tag
    return out


@given(st.lists(st.tuples(layouts, st.integers(1, 9)), max_size=5), st.integers(1, 40))
def test_a_list_read_in_bulk_is_the_same_list(runs, most):
    rows = [changed(layout, i) for layout, count in runs for i in range(count)]
    data = nbt.write("", {"blocks": nbt.List(nbt.COMPOUND, rows), "end": nbt.Byte(1)}, compress=False)
    plain = nbt.read(data)[1]["blocks"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("minece.blocks.formats.nbt_records._MOST_BYTES", most)
        bulk = nbt.read(data, bulk=("blocks",))[1]
    assert len(bulk["blocks"]) == len(rows) and bulk["end"] == 1
    assert same(expanded(bulk["blocks"]), plain)
    assert nbt.write("", bulk, compress=False) == data


def test_blocks_of_one_layout_are_one_part():
    numbers = np.arange(300, dtype=np.int32)
    root: nbt.Compound = {"blocks": nbt.records({"state": numbers, "pos": np.stack([numbers] * 3, axis=1)})}
    found = nbt.read(nbt.write("", root, compress=False), bulk=("blocks",))[1]["blocks"]
    assert [part.count for part in found.parts] == [300] and found.numbers("state", "").tolist() == list(range(300))
    assert found.numbers("pos", "", 3)[299].tolist() == [299] * 3
    assert not found.parts[0].columns["pos"].flags.owndata
    assert len(nbt.read(nbt.write("", {"blocks": nbt.records({"a": numbers[:0]})}, compress=False))[1]["blocks"]) == 0


def test_lists_in_bulk_are_bounded():
    row = b"\x03\0\1a\0\0\0\1\0"
    for count, rows, message in (
        (2**31 - 1, 3, "blocks: 2,147,483,647 compounds in a list, more than the 2,000,000"),
        (4, 3, "blocks/3: the file ends within a compound"),
        (-1, 3, "a list has a negative length"),
    ):
        with pytest.raises(FormatError, match=message):
            nbt.read(b"\x0a\0\0\x09\0\6blocks\x0a" + struct.pack(">i", count) + row * rows, bulk=("blocks",))
    # Only lists of compounds in the root, and only those that are named.
    root: nbt.Compound = {"blocks": nbt.List(nbt.INT, [nbt.Int(1)]), "a": {"blocks": nbt.List(nbt.COMPOUND, [{}])}}
    found = nbt.read(nbt.write("", root, compress=False), bulk=("blocks",))[1]
    assert same(found, root)


def test_parts_that_alternate_cost_no_more_than_their_tags():
    rows = [{"a": nbt.Byte(1)} if i % 2 else {"b": nbt.Byte(1)} for i in range(1000)]
    data = nbt.write("", {"blocks": nbt.List(nbt.COMPOUND, rows)}, compress=False)
    with pytest.raises(LimitError, match="more than 500 NBT tags"):
        nbt.read(data, Limits(tags=500), bulk=("blocks",))
    assert len(nbt.read(data, Limits(tags=1001), bulk=("blocks",))[1]["blocks"].parts) == 1000
