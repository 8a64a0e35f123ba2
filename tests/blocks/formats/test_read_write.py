"""Recognising, choosing the ground, files and folders, round trips through every format."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zipfile
from pathlib import Path

import nbtlib
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import builds
from voxel_files import litematic, region, sponge

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats import nbt
from minece.blocks.formats.ground import GroundWish
from minece.blocks.formats.limits import Limits

ALL = [form.name for form in formats.FORMATS if form.write is not None]
WRITTEN = [name for name in ALL if name != "schematic"]  # which holds few blocks only: test_legacy.py
VOXEL = ["schem", "schem-v3", "litematic"]


def through(build: Build, name: str, folder: Path) -> Build:
    path = folder / "copy"
    formats.write(build, path, format=name)
    return formats.read(path).build


def piles(ground: int = 64) -> Build:
    """A cap on four piles below the ground, with a pit beside them, far from the origin."""
    x0, z0 = 1000, -2000
    events: list[list[object]] = []
    for x in (0, 6):
        for z in (0, 6):
            for y in range(-7, -2):
                events += [["break", x0 + x, ground + y, z0 + z], ["place", x0 + x, ground + y, z0 + z, "stone"]]
    events += [
        ["place", x0 + x, ground + y, z0 + z, "white_concrete"] for y in (-2, -1) for x in range(7) for z in range(7)
    ]
    events += [["break", x0 + 9, ground - y, z0 + 3] for y in (1, 2, 3)]
    return Build.from_log(events, ground_y=ground)


# --- round trips


def test_the_formats_that_are_written():
    assert ALL == ["json", "schem", "schem-v3", "litematic", "structure", "schematic", "csv"]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_piled_foundation_comes_back(name, tmp_path):
    build = piles()
    found = through(build, name, tmp_path)
    assert found == build and found.id == build.id and found.ground_y == 64
    assert found.dug.tolist() == [[1009, y, -1997] for y in (-3, -2, -1)]
    assert found.provenance.ground.startswith("y = 64, ")
    assert not found.provenance.warnings


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(builds, st.integers(-70, 300), st.integers(-(10**6), 10**6), st.sampled_from(WRITTEN))
def test_every_build_comes_back_from_every_format(tmp_path, build, ground, shift, name):
    moved = build.translated(shift, -shift)
    build = Build(moved.blocks, moved.dug, moved.log, ground)
    found = through(build, name, tmp_path)
    assert found == build and found.id == build.id
    if name in ("json", "csv"):
        assert found.log == build.log
    else:
        assert found.log is None
    again = through(found, name, tmp_path)
    assert again == build


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("dug", [[], [(3, -2, 3)]])
def test_an_empty_build_comes_back(name, dug, tmp_path):
    build = Build(Build.from_blocks([]).blocks, np.array(dug, dtype=np.int32).reshape(-1, 3), None, 5)
    found = through(build, name, tmp_path)
    assert found == build and "holds no block" in found.provenance.warnings


@pytest.mark.parametrize("name", WRITTEN)
def test_equal_builds_give_equal_bytes(name, tmp_path):
    formats.write(piles(), tmp_path / "a", format=name)
    os.utime(tmp_path / "a", (0, 0))
    formats.write(piles(), tmp_path / "b", format=name)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("name", VOXEL)
def test_untouched_soil_is_written_as_void_and_dug_cells_as_air(name, tmp_path):
    build = Build.from_blocks([(0, -2, 0, "stone"), (2, 1, 0, "stone")], dug=[(1, -1, 0)])
    formats.write(build, tmp_path / "a", format=name)
    foreign = strip((tmp_path / "a").read_bytes())
    raised = formats.read(foreign, ground=2).build
    assert raised.blocks == build.blocks and raised.dug.tolist() == [[1, -1, 0]]
    assert formats.read(foreign).build.ground_y == 0


def strip(data: bytes) -> bytes:
    """The file without our metadata."""
    name, root = nbt.read(nbt.unpack(data))
    (root.get("Schematic") or root)["Metadata"].pop("minece")
    return nbt.write(name, root)


@pytest.mark.parametrize("name", VOXEL)
def test_metadata_that_no_longer_fits_is_not_used(name, tmp_path):
    formats.write(piles(), tmp_path / "a", format=name)
    tag, root = nbt.read(nbt.unpack((tmp_path / "a").read_bytes()))
    ours = (root.get("Schematic") or root)["Metadata"]["minece"]
    for wrong in (
        {"size": np.array([1, 2, 3], dtype=np.int32)},
        {"ground_y": "64"},
        {"origin": np.zeros(1, dtype=np.int32)},
    ):
        kept = dict(ours)
        ours.update(wrong)
        found = formats.read(nbt.write(tag, root)).build
        ours.update(kept)
        assert found.ground_y == 0 and "is not used" in found.provenance.warnings[0]
    assert formats.read(nbt.write(tag, root)).build == piles()


@pytest.mark.parametrize("name", VOXEL)
def test_nbtlib_reads_our_files(name, tmp_path):
    build = piles()
    formats.write(build, tmp_path / "a.nbt", format=name)
    root = nbtlib.load(tmp_path / "a.nbt")
    counts = np.zeros(0)
    if name == "litematic":
        part = root["Regions"]["build"]
        states = [str(entry["Name"]) for entry in part["BlockStatePalette"]]
        whole = sum((int(word) & (2**64 - 1)) << (64 * i) for i, word in enumerate(part["BlockStates"]))
        size = int(np.prod([int(part["Size"][axis]) for axis in "xyz"]))
        numbers = [(whole >> (2 * i)) & 3 for i in range(size)]
        counts = np.bincount(numbers)
    else:
        holder = root["Schematic"]["Blocks"] if name == "schem-v3" else root
        palette = {int(number): str(state) for state, number in holder["Palette"].items()}
        states = [palette[i] for i in range(len(palette))]
        counts = np.bincount(np.array(holder["Data" if name == "schem-v3" else "BlockData"]))
    found = dict(zip(states, counts.tolist(), strict=True))
    assert found["minecraft:stone"] == 20 and found["minecraft:white_concrete"] == 98 and found["minecraft:air"] == 3
    assert found["minecraft:structure_void"] == 10 * 7 * 7 - 121


def test_we_read_what_nbtlib_writes(tmp_path):
    numbers = [1, 0, 2, 1]
    tree = {
        "Version": nbtlib.Int(2),
        "DataVersion": nbtlib.Int(3700),
        "Width": nbtlib.Short(2),
        "Height": nbtlib.Short(1),
        "Length": nbtlib.Short(2),
        "Palette": nbtlib.Compound(
            {s: nbtlib.Int(i) for i, s in enumerate(["minecraft:air", "minecraft:stone", "dirt"])}
        ),
        "BlockData": nbtlib.ByteArray(numbers),
        "BlockEntities": nbtlib.List[nbtlib.Compound](
            [{"Id": nbtlib.String("chest"), "Pos": nbtlib.IntArray([0, 0, 0])}]
        ),
        "Entities": nbtlib.List[nbtlib.Compound]([{"Id": nbtlib.String("pig")}]),
    }
    nbtlib.File(tree, gzipped=True, root_name="Schematic").save(tmp_path / "a.schem")
    assert formats.read(tmp_path / "a.schem").build.blocks.rows() == [
        (0, 0, 0, "stone"), (0, 0, 1, "dirt"), (1, 0, 1, "stone"),
    ]  # fmt: skip


def test_large_palettes_come_back(tmp_path):
    build = Build.from_blocks([(i % 20, i // 400, i // 20 % 20, f"mod:block_{i % 700}") for i in range(8000)])
    for name in WRITTEN:
        assert through(build, name, tmp_path) == build


def test_two_blocks_far_apart_need_a_text_format(tmp_path):
    build = Build.from_blocks([(0, 0, 0, "stone"), (10**6, 50, 10**6, "stone")])
    for name in VOXEL:
        with pytest.raises(LimitError, match="the box around the build has .*; write JSON or CSV instead"):
            formats.write(build, tmp_path / "a", format=name)
    assert through(build, "json", tmp_path) == build and through(build, "csv", tmp_path) == build


# --- ground


@pytest.mark.parametrize(
    "data",
    [
        sponge((1, 3, 1), ["air", "stone"], [0, 1, 1]),
        litematic({"a": region((0, 70, 0), (1, 3, 1), ["air", "stone"], [0, 1, 1])}),
    ],
)
@pytest.mark.parametrize(
    ("options", "ground", "words"),
    [
        ({}, 1, "y = 1, under the lowest block, as the file does not say; give --ground Y if it is wrong"),
        ({"hint": "bottom"}, 1, "y = 1, under the lowest block, as the task is built upon the ground"),
        ({"hint": "top"}, 3, "y = 3, on top of the highest block, as the task is built into the ground"),
        ({"ground": 2}, 2, "y = 2, as given"),
        ({"ground": -4, "hint": "top"}, -4, "y = -4, as given"),
    ],
)
def test_the_ground_of_a_foreign_file(data, options, ground, words):
    build = formats.read(data, **options).build
    assert build.ground_y == ground and build.provenance.ground == words
    assert [row[1] for row in build.blocks.rows()] == [1 - ground, 2 - ground]
    assert build.dug.tolist() == ([[0, -ground, 0]] if ground > 0 else [])


@pytest.mark.parametrize("name", WRITTEN)
def test_the_stored_ground_goes_before_the_hint_and_the_given_one_before_both(name, tmp_path):
    build = Build.from_blocks([(0, 70, 0, "stone"), (0, 63, 0, "stone")], ground_y=64)
    formats.write(build, tmp_path / "a", format=name)
    assert formats.read(tmp_path / "a", hint="top").build == build
    given = formats.read(tmp_path / "a", hint="top", ground=63).build
    assert given.ground_y == 63 and given.blocks.low[1] == 0


HINTS = [None, "top", "bottom"]


def assert_tells_the_same(copy: bytes, original: bytes) -> None:
    """Equal builds, and equally little known of the ground, whatever the task says of it."""
    for hint in HINTS:
        found, wanted = (formats.read(data, hint=hint).build for data in (copy, original))
        assert found == wanted and found.id == wanted.id
        assert not found.provenance.ground_known and found.provenance.ground == wanted.provenance.ground


def copies(original: bytes, hint: str | None, names: list[str], path: Path) -> bytes:
    """The file after one conversion after the other, each read with the hint."""
    for name in names:
        build = formats.read(original, hint=hint).build
        formats.write(build, path, format=name)
        original = path.read_bytes()
    return original


chains = st.lists(st.sampled_from(WRITTEN), min_size=1, max_size=3)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(-3, 3), st.integers(60, 66), st.integers(-3, 3), st.sampled_from(["stone", "dirt", "air"])
        ),
        max_size=30,
    ),
    st.booleans(),
    st.sampled_from(HINTS),
    chains,
)
def test_a_table_without_ground_tells_the_same_after_conversion(tmp_path, rows, ordered, hint, names):
    first = "place," if ordered else ""
    head = "action,x,y,z,state\n" if ordered else "x,y,z,state\n"
    original = (head + "".join(f"{first}{x},{y},{z},{state}\n" for x, y, z, state in rows)).encode()
    assert_tells_the_same(copies(original, hint, names, tmp_path / "copy"), original)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.tuples(st.integers(1, 3), st.integers(1, 5), st.integers(1, 3)),
    st.lists(st.integers(0, 2), min_size=45, max_size=45),
    st.booleans(),
    st.sampled_from(HINTS),
    chains,
)
def test_a_foreign_voxel_file_tells_the_same_after_conversion(tmp_path, size, numbers, two, hint, names):
    numbers = numbers[: size[0] * size[1] * size[2]]
    states = ["air", "stone", "structure_void"]
    numbers[0] = 1
    original = sponge(size, states, numbers)
    if two:
        part = region((0, 0, 0), size, states, numbers)
        original = litematic({"a": part, "b": region((1, -2, 5), (1, 4, 1), states, [0, 1, 0, 0])})
    assert_tells_the_same(copies(original, hint, names, tmp_path / "copy"), original)


def test_turns_without_ground_tell_the_same_after_conversion(tmp_path):
    original = (
        b'{"format": "minece-build/1", "ground_y": null, "turns": ['
        b'{"log": [[0, 70, 0, "stone"], [0, 75, 0, "dirt"]]},'
        b'{"log": [["break", 0, 70, 0], [0, 69, 0, "stone"], ["break", 0, 72, 0]]},'
        b'{"blocks": [[0, 71, 0, "stone"], [0, 69, 1, "stone"]]}]}'
    )
    for hint in HINTS:
        turns = formats.read(original, hint=hint).runs[0].turns
        assert {build.ground_y for build in turns} == {72 if hint == "top" else 69}
        formats.write(turns, tmp_path / "copy.json")
        for again in HINTS:
            wanted = formats.read(original, hint=again).runs[0].turns
            found = formats.read(tmp_path / "copy.json", hint=again).runs[0].turns
            assert found == wanted and [build.log for build in found] == [build.log for build in wanted]
    top = formats.read(original, hint="top").runs[0].turns
    assert top[1].dug.tolist() == [[0, -2, 0]] and top[2].dug.tolist() == [[0, -3, 0], [0, -2, 0]]


@pytest.mark.parametrize("name", WRITTEN)
def test_a_guessed_ground_is_not_written_and_a_named_one_is(name, tmp_path):
    table = b"x,y,z,state\n0,5,0,stone\n1,6,0,stone\n"
    formats.write(formats.read(table).build, tmp_path / "guess", format=name)
    formats.write(formats.read(table, ground=6).build, tmp_path / "named", format=name)
    guess, named = (formats.read(tmp_path / file, hint="top").build for file in ("guess", "named"))
    assert guess.ground_y == 7 and not len(guess.dug) and not guess.provenance.ground_known
    assert guess.provenance.ground == "y = 7, on top of the highest block, as the task is built into the ground"
    assert named.ground_y == 6 and named.provenance.ground_known
    assert formats.read(tmp_path / "guess", ground=7).build.provenance.ground == "y = 7, as given"


def test_a_turned_build_keeps_what_is_said_empty(tmp_path):
    build = formats.read(sponge((2, 2, 1), ["air", "stone"], [1, 0, 0, 1])).build
    assert build.air is not None and build.air.tolist() == [[1, 0, 0], [0, 1, 0]]
    formats.write(build.turned(1).mirrored("x").translated(5, 5), tmp_path / "copy.csv")
    assert len(formats.read(tmp_path / "copy.csv", hint="top").build.dug) == 2


def test_the_next_turn_takes_the_ground_as_known(tmp_path):
    build = formats.read(b"0,5,0,stone\n").build.then([["place", 0, 4, 0, "stone"]])
    formats.write(build, tmp_path / "a.schem")
    assert build.provenance.ground_known and formats.read(tmp_path / "a.schem").build == build


@pytest.mark.parametrize("name", VOXEL)
def test_more_air_than_is_kept_stays_air(name, tmp_path):
    numbers = np.zeros((70, 70, 70), dtype=np.uint8)
    numbers[0, 0, 0] = numbers[-1, -1, -1] = 1
    original = sponge((70, 70, 70), ["air", "stone"], numbers.reshape(-1).tolist())
    build = formats.read(original).build
    assert build.air is None and build.turned(1).air is None
    formats.write(build, tmp_path / "a", format=name)
    assert_tells_the_same((tmp_path / "a").read_bytes(), original)
    formats.write(build, tmp_path / "a.csv")
    assert formats.read(tmp_path / "a.csv").build == build


def test_a_ground_out_of_range_is_refused():
    for ground in (2**40, -(2**40)):
        with pytest.raises(FormatError, match="outside"):
            formats.read(sponge((1, 1, 1), ["stone"], [0]), ground=ground)
    with pytest.raises(FormatError):
        GroundWish(None, None).choose(2**40, 0, 0)


# --- recognising


def archive() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as pack:
        pack.writestr("a.txt", "a")
    return out.getvalue()


def region_file() -> bytes:
    head = np.zeros(2048, dtype=">u4")
    head[5] = 2 << 8 | 1
    return head.tobytes() + bytes(4096)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (archive(), "is a zip archive, which is not read"),
        (region_file(), "chunk 5 0 of the region: is 0 bytes long"),
        (nbt.write("Schematic", {"Materials": "Alpha", "Width": nbt.Short(1)}), "Height: is missing"),
        (nbt.write("", {"Data": {}}), "is a world's level.dat; name the folder of the world"),
        (nbt.write("", {"Level": {}}), "is a chunk of a world; name its region file or the folder of the world"),
        (nbt.write("", {"x": nbt.Int(1)}), "is an NBT file without a build"),
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "is a PNG picture"),
        (b"(async (bot) => {})", "is a program, not a build"),
        (b"", "the file is empty"),
        (b"\0\0\n ", "the file is empty"),
        (b"{}", "is JSON, but no build"),
        (b'"words"', "is text, but no table of blocks"),
        (b"\x01\x02\x03\x00\xff", "is no build in a known format"),
        (gzip.compress(b"not NBT", mtime=0), "is no NBT file"),
        (gzip.compress(b"", mtime=0), "the file is empty"),
        (b"\x1f\x8b", "the gzip data ends early"),
    ],
)
def test_what_is_not_read_is_named(data, message):
    with pytest.raises(FormatError) as found:
        formats.read(data, name="thing")
    line = str(found.value)
    assert line.startswith(f"thing: {message}") and "; " in line and "\n" not in line


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.parametrize("suffix", [".schem", ".litematic", ".json", ".csv", ".nbt", ""])
def test_files_are_recognised_by_content(name, suffix, tmp_path):
    path = tmp_path / f"build{suffix}"
    formats.write(piles(), path, format=name)
    assert formats.read(path).build == piles()
    assert formats.read(path.read_bytes()).build == piles()


@pytest.mark.parametrize("name", VOXEL)
def test_r16_raw_gzip_and_zlib_files_are_equal(name, tmp_path):
    import zlib

    formats.write(piles(), tmp_path / "a", format=name)
    raw = nbt.unpack((tmp_path / "a").read_bytes())
    for data in (raw, gzip.compress(raw), zlib.compress(raw)):
        assert formats.read(data).build == piles()


def test_r18_damaged_files_give_one_line_with_the_name(tmp_path):
    formats.write(piles(), tmp_path / "good.nbt", format="schem")
    data = (tmp_path / "good.nbt").read_bytes()
    for name, bad in {"half.nbt": data[: len(data) // 2], "text.nbt": b"hello world", "empty.nbt": b""}.items():
        path = tmp_path / name
        path.write_bytes(bad)
        with pytest.raises(FormatError) as found:
            formats.read(path)
        assert str(found.value).startswith(f"{path}: ") and "\n" not in str(found.value)


# --- files


def test_unknown_blocks_and_properties_are_told():
    states = ["minecraft:stone", "a:b", "minecraft:thing", "oak_fence[up_east=true]", "oak_slab[type=middle]"]
    build = formats.read(sponge((5, 1, 1), states, range(5))).build
    assert build.provenance.warnings == (
        "unknown blocks, taken as full cubes: a:b, thing",
        "blocks with unknown properties: oak_fence, oak_slab",
    )


def test_what_cannot_be_opened(tmp_path):
    for path, message in (
        (tmp_path, "is a folder"),
        (tmp_path / "gone", "does not exist"),
        (tmp_path / ("x" * 300), "cannot be"),
    ):
        with pytest.raises(FormatError) as found:
            formats.read(path)
        assert str(found.value).startswith(f"{path}: {message}"[:900])
    with pytest.raises(FormatError, match="cannot be read"):
        formats.read(f"{tmp_path}/a\0b")
    (tmp_path / "f").write_bytes(b"x")
    with pytest.raises(FormatError, match="cannot be read: Not a directory"):
        formats.read(tmp_path / "f" / "g")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FormatError, match="is no ordinary file"):
        formats.read(tmp_path / "pipe")


def test_a_file_without_permission(tmp_path, monkeypatch):
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    # Not by chmod: root may read everything.
    monkeypatch.setattr(os, "open", refuse)
    with pytest.raises(FormatError, match="a.json: may not be read; change its permissions"):
        formats.read(tmp_path / "a.json")


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    with (tmp_path / "large").open("wb") as file:
        file.truncate(10**12)
    with pytest.raises(LimitError, match="bytes in the file, more than the"):
        formats.read(tmp_path / "large")
    with pytest.raises(LimitError, match="101 bytes in the file, more than the 100"):
        formats.read(bytes(101), limits=Limits(file_bytes=100))


def test_the_ending_names_the_format(tmp_path):
    kinds = {"a.json": "json", "A.SCHEM": "schem", "a.litematic": "litematic", "a.b.csv": "csv"}
    for name, kind in kinds.items():
        formats.write(piles(), str(tmp_path / name))
        assert formats.read(str(tmp_path / name)).format == kind
    for name in ("a.txt", "a", "json"):
        with pytest.raises(FormatError, match="the ending names no format; name the format: one of json, schem"):
            formats.write(piles(), tmp_path / name)
    with pytest.raises(FormatError, match="format 'nbt' cannot be written; take one of"):
        formats.write(piles(), tmp_path / "a.json", format="nbt")


def test_only_json_holds_turns(tmp_path):
    build = piles()
    for name in set(WRITTEN) - {"json"}:
        with pytest.raises(FormatError, match="holds one build, not 2 turns; write JSON"):
            formats.write([build, build], tmp_path / "a", format=name)
        formats.write([build], tmp_path / "a", format=name)
    with pytest.raises(FormatError, match="there is no build to write"):
        formats.write([], tmp_path / "a.json")


def test_a_file_appears_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "a.json"
    formats.write(piles(), path)
    before = path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(FormatError, match="a.json: cannot be written: No space left on device"):
        formats.write(Build.from_blocks([(0, 0, 0, "stone")]), path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


def test_what_cannot_be_written(tmp_path):
    with pytest.raises(FormatError, match="the folder does not exist"):
        formats.write(piles(), tmp_path / "no" / "a.json")
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(FormatError, match="is a folder"):
        formats.write(piles(), tmp_path / "folder.json")


def test_a_link_stays_a_link_and_modes_are_those_of_new_files(tmp_path):
    formats.write(piles(), tmp_path / "real.json")
    (tmp_path / "link.json").symlink_to(tmp_path / "real.json")
    formats.write(Build.from_blocks([(0, 0, 0, "stone")]), tmp_path / "link.json")
    assert (tmp_path / "link.json").is_symlink()
    assert len(formats.read(tmp_path / "real.json").build.blocks) == 1
    (tmp_path / "plain").write_bytes(b"")
    assert stat.S_IMODE((tmp_path / "real.json").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


@pytest.mark.parametrize("name", WRITTEN)
def test_what_was_read_is_written_as_the_same_file(name, tmp_path):
    formats.write(piles(), tmp_path / "a", format=name)
    for old, new in ("ab", "bc"):
        formats.write(formats.read(tmp_path / old).build, tmp_path / new, format=name)
    assert (tmp_path / "b").read_bytes() == (tmp_path / "c").read_bytes()
