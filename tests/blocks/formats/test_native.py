"""Our own JSON."""

from __future__ import annotations

import json

import pytest

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError, LogError, MineceError
from minece.blocks.formats.limits import Limits


def text(**members: object) -> bytes:
    return json.dumps({"format": "minece-build/1", **members}).encode()


def load(data: bytes | str, **options: object) -> Build:
    return formats.read(data.encode() if isinstance(data, str) else data, **options).build  # type: ignore[arg-type]


def turns(data: bytes) -> list[Build]:
    return formats.read(data).runs[0].turns


def test_everything_in_one_file():
    build = load(
        text(
            ground_y=64,
            name="a wall",
            author="Ada",
            blocks=[[1, 64, 2, "stone"], [1, 63, 2, "minecraft:oak_stairs[facing=west]"]],
            dug=[[5, 60, 5]],
            log=[["break", 5, 60, 5], ["place", 1, 63, 2, "oak_stairs[facing=west]"], [1, 64, 2, "stone"]],
            times=[0.5, 1, 2],
            who="bot",
            notes={"anything": [1, None]},
        )
    )
    assert build.ground_y == 64 and build.provenance.name == "a wall" and build.provenance.author == "Ada"
    assert build.blocks.rows() == [
        (1, -1, 2, "oak_stairs[facing=west,half=bottom,shape=straight,waterlogged=false]"),
        (1, 0, 2, "stone"),
    ]
    assert build.dug.tolist() == [[5, -4, 5]]
    assert build.log is not None and build.log.who == "bot" and build.log.time.tolist() == [0.5, 1, 2]
    assert build.log.events()[0] == ["break", 5, -4, 5]
    assert build.provenance.ground == "y = 64, stored in the file"


def test_blocks_and_dug_may_be_left_out_where_the_log_gives_them():
    build = load(
        text(log=[["place", 0, -1, 0, "stone"], ["break", 0, -2, 0], ["place", 0, 0, 0, "dirt"], ["break", 0, 0, 0]])
    )
    assert build.blocks.rows() == [(0, -1, 0, "stone")] and build.dug.tolist() == [[0, -2, 0]]
    assert build == Build.from_log(build.log)


def test_blocks_alone_have_no_order():
    build = load(text(blocks=[[0, 0, 0, "stone"]]))
    assert build.log is None and build.ground_y == 0
    assert build.provenance.ground == "y = 0, which holds where the file names no ground_y"


def test_air_among_the_blocks_is_dug_below_the_ground_and_void_is_nothing():
    build = load(text(blocks=[[0, -1, 0, "air"], [0, 1, 0, "air"], [1, -1, 0, "structure_void"], [2, 0, 0, "stone"]]))
    assert build.blocks.rows() == [(2, 0, 0, "stone")] and build.dug.tolist() == [[0, -1, 0]]


def test_a_cell_that_comes_twice_is_told():
    build = load(text(blocks=[[0, 0, 0, "stone"], [0, 0, 0, "dirt"]]))
    assert build.blocks.rows() == [(0, 0, 0, "dirt")]
    assert build.provenance.warnings == ("blocks: 1 rows were overruled by a later row of the same cell",)


def test_a_build_of_nothing_is_read_with_a_warning():
    for data in (text(), text(blocks=[]), text(log=[]), text(blocks=[], log=[], dug=[])):
        build = load(data)
        assert len(build.blocks) == 0 and build.provenance.warnings == ("holds no block",)


def test_ground_given_by_the_user_goes_first():
    build = load(text(ground_y=64, blocks=[[0, 60, 0, "stone"]], dug=[[1, 61, 0], [1, 59, 0]]), ground=60)
    assert build.ground_y == 60 and build.blocks.rows() == [(0, 0, 0, "stone")] and build.dug.tolist() == [[1, -1, 0]]
    assert build.provenance.ground == "y = 60, as given"
    hinted = load(text(ground_y=64, blocks=[[0, 60, 0, "stone"]]), hint="top")
    assert hinted.ground_y == 64


# --- turns


def test_turns_with_their_logs():
    first, second = turns(
        text(ground_y=10, turns=[{"log": [[0, 10, 0, "stone"]]}, {"log": [[0, 11, 0, "dirt"], ["break", 0, 10, 0]]}])
    )
    assert first.blocks.rows() == [(0, 0, 0, "stone")] and second.blocks.rows() == [(0, 1, 0, "dirt")]
    assert len(second.log) == 3 and second.log.first == 1 and len(second.log.latest) == 2
    wanted = Build.from_turns([[[0, 10, 0, "stone"]], [[0, 11, 0, "dirt"], ["break", 0, 10, 0]]], ground_y=10)
    assert [first, second] == wanted and second.log == wanted[1].log


def test_a_turn_of_blocks_alone_ends_the_known_order():
    builds = turns(
        text(
            turns=[
                {"log": [[0, 0, 0, "stone"], [0, -1, 0, "stone"]]},
                {"blocks": [[0, 0, 0, "dirt"]]},
                {"log": [[0, 1, 0, "glass"]]},
            ]
        )
    )
    assert [build.log is None for build in builds] == [False, True, True]
    assert builds[2].blocks.rows() == [(0, 0, 0, "dirt"), (0, 1, 0, "glass")]
    # The stone below ground is gone and nobody put soil back.
    assert [build.dug.tolist() for build in builds] == [[], [[0, -1, 0]], [[0, -1, 0]]]


def test_a_turn_that_says_nothing_leaves_the_build():
    first, second = turns(text(turns=[{"blocks": [[0, 0, 0, "stone"]], "dug": [[4, -1, 4]]}, {"notes": "refused"}]))
    assert first == second and second.dug.tolist() == [[4, -1, 4]]


def test_blocks_of_a_turn_are_the_whole_build():
    data = text(turns=[{"log": [[0, 0, 0, "stone"]]}, {"log": [[0, 1, 0, "dirt"]], "blocks": [[0, 1, 0, "dirt"]]}])
    with pytest.raises(LogError, match=r"turns\[1\]: the log leaves stone at \[0, 0, 0\] but 'blocks' has nothing"):
        formats.read(data)


# --- what is wrong


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            {"blocks": [[0, 5, 0, "stone"]], "log": [[0, 5, 0, "dirt"]]},
            "'blocks' has stone at [0, 5, 0] but the log leaves dirt",
        ),
        ({"blocks": [[0, 5, 0, "stone"]], "log": []}, "'blocks' has stone at [0, 5, 0] but the log leaves nothing"),
        ({"blocks": [], "log": [[0, 5, 0, "dirt"]]}, "the log leaves dirt at [0, 5, 0] but 'blocks' has nothing"),
        ({"log": [["break", 0, 1, 0]], "dug": []}, "the log digs cell [0, 1, 0] but 'dug' lacks it"),
        ({"blocks": [[0, 1, 0, "stone"]], "dug": [[0, 1, 0]]}, "cell [0, 1, 0] is dug and holds a block"),
        ({"log": [[0, 1, 0, "stone"]], "dug": [[0, 1, 0]]}, "cell [0, 1, 0] is dug and holds a block"),
        (
            {"blocks": [], "dug": [[0, 1, 0], [0, 3, 0]]},
            "dug[1]: cell [0, 3, 0] is not below the ground (ground_y = 3)",
        ),
    ],
)
def test_a_contradiction_names_the_cell_in_the_coordinates_of_the_file(members, message):
    with pytest.raises(MineceError) as found:
        load(text(ground_y=3, **members))
    assert message in str(found.value)


def test_what_was_dug_before_may_be_listed_beside_the_log():
    build = load(text(log=[["break", 0, -1, 0], [9, 0, 0, "stone"]], dug=[[0, -1, 0], [5, -5, 5]]))
    assert build.dug.tolist() == [[0, -1, 0], [5, -5, 5]]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ({"grund_y": 3}, "the key 'grund_y' is not known; 'ground_y' is meant?"),
        ({"colour": 3}, "the key 'colour' is not known; put it under 'notes'"),
        ({"ground_y": "3"}, "ground_y: is '3', not a whole number"),
        ({"ground_y": True}, "ground_y: is true, not a whole number"),
        ({"ground_y": 2**40}, "ground 1099511627776 lies outside"),
        ({"blocks": {}}, "blocks: is an object, not a list of rows"),
        ({"blocks": [[0, 0, 0, "stone"], [0, 0, 0]]}, "blocks[1]: is a list of 3, not [x, y, z"),
        ({"blocks": ["stone"]}, "blocks[0]: is 'stone', not [x, y, z"),
        ({"blocks": [[0, 0, 0, "stone"], [0, 1.5, 0, "stone"]]}, "blocks[1]: y is 1.5, not a whole number"),
        ({"blocks": [[0, 0, True, "stone"]]}, "blocks[0]: z is true, not a whole number"),
        ({"blocks": [[0, 0, None, "stone"]]}, "blocks[0]: z is null, not a whole number"),
        ({"blocks": [["0", 0, 0, "stone"]]}, "blocks[0]: x is '0', not a whole number"),
        ({"blocks": [[0, 10**300, 0, "stone"]]}, "blocks[0]: y is a huge number, outside"),
        ({"blocks": [[0, 2**62, 0, "stone"]]}, "blocks[0]: y is 4611686018427387904, outside"),
        ({"blocks": [[0, 2**31, 0, "stone"]]}, "blocks[0]: y is 2147483648, outside"),
        ({"blocks": [[0, 0, 0, 7]]}, "blocks[0]: the block is 7, not text"),
        ({"blocks": [[0, 0, 0, ["stone"]]]}, "blocks[0]: the block is a list, not text"),
        ({"blocks": [[0, 0, 0, "dirt"], [0, 0, 0, "Stone!"]]}, "blocks[1]: 'Stone!' is no block state"),
        ({"blocks": [[0, 0, 0, "a[b"]]}, "blocks[0]: block state 'a[b' does not end with its bracket"),
        ({"dug": [[0, -1]]}, "dug[0]: is a list of 2, not [x, y, z]"),
        ({"log": {}}, "log: is an object, not a list of events"),
        ({"log": [["put", 0, 0, 0, "stone"]]}, "log[0]: is no event of the form"),
        ({"log": [[0, 0, 0, "stone"], ["break", 0, 0]]}, "log[1]: is no event of the form"),
        ({"log": [["place", 0, 0.5, 0, "stone"]]}, "log[0]: y is 0.5, not a whole number"),
        ({"log": [[0, 0, 0, "stone"], ["place", 0, 0, 0, "no state"]]}, "log[1]: 'no state' is no block state"),
        ({"log": [["place", 0, 0, 0, "structure_void"]]}, "log[0]: structure_void is no block that is placed"),
        ({"log": [[0, 0, 0, "stone"]], "times": [1, 2]}, "times: has 2 numbers for 1 events"),
        ({"log": [[0, 0, 0, "stone"]], "times": ["1"]}, "times: is no list of numbers"),
        ({"log": [[0, 0, 0, "stone"]], "times": [10**400]}, "times: holds a number that is too large"),
        ({"log": [[0, 0, 0, "stone"]], "who": 3}, "who: is 3, not text"),
        ({"who": "me"}, "who: stands without a log"),
        ({"turns": []}, "turns: is empty"),
        ({"turns": {}}, "turns: is an object"),
        ({"turns": [3]}, "turns[0]: is 3, not an object"),
        ({"turns": [{}, {"ground_y": 3}]}, "turns[1]: the key 'ground_y' is not known"),
        ({"turns": [{}], "blocks": []}, "turns: stands beside 'blocks'"),
        ({"turns": [{"blocks": [[0, 0, 0, 1]]}]}, "turns[0].blocks[0]: the block is 1, not text"),
        ({"name": 5}, "name: is 5, not text"),
        (
            {"format": "minece-build/2"},
            "format: format 'minece-build/2' is not known; this version reads minece-build/1",
        ),
    ],
)
def test_what_is_wrong_is_named_with_its_place(members, message):
    data = json.dumps({"format": "minece-build/1", **members}).encode()
    with pytest.raises(MineceError) as found:
        formats.read(data, name="wall.json")
    line = str(found.value)
    assert line.startswith("wall.json: ") and message in line and "\n" not in line


HEAD = '{"format": "minece-build/1",\n "blocks": '


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (HEAD + '[[0,0,0,"stone"],\n]}', "a comma before the closing bracket"),
        (HEAD + "[],}", "a comma before the closing bracket"),
        (HEAD + '[[0,0,0,"stone"', "line 2, column 27: is no valid JSON: the text ends early"),
        (HEAD + "[[0,0,0,stone]]}", "line 2, column 20: is no valid JSON: expecting value"),
        (HEAD + "[[0,NaN,0,1]]}", "NaN is no JSON number"),
        (HEAD + "[[0,-Infinity,0,1]]}", "-Infinity is no JSON number"),
        (HEAD + '[], "blocks": []}', "the key 'blocks' comes twice in one object"),
        (HEAD + "[[0," + "1" * 5000 + ",0,1]]}", "is no valid JSON"),
        (HEAD + "[]} []", "line 2, column 16: is no valid JSON: extra data"),
        (HEAD + '[], "notes": ' + "[" * 200 + "]" * 200 + "}", "is nested deeper than 128 levels"),
        (HEAD + '[], "notes": ' + "[" * 100_000, "is nested deeper than 128 levels"),
        ('{"blocks": [[0,0,0,"stone"]]}', 'has no "format": "minece-build/1"'),
        ('[[0,0,0,"stone"]]', "is a list of rows"),
        ('{"a": 1}', "is JSON, but no build"),
        ("[1, 2]", "is JSON, but no build"),
        ('{"blocks": ', "line 1, column 12: is no valid JSON: the text ends early"),
    ],
)
def test_text_that_is_no_json_is_named_with_line_and_column(data, message):
    with pytest.raises(FormatError) as found:
        formats.read(data.encode(), name="wall.json")
    assert message in str(found.value) and str(found.value).startswith("wall.json: ")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_text_of_editors(encoding, ends):
    data = (HEAD + '[[0,0,0,"stone"]], "name": "Häuschen"}').replace("\n", ends).encode(encoding)
    build = load(data)
    assert build.blocks.rows() == [(0, 0, 0, "stone")] and build.provenance.name == "Häuschen"


def test_other_encodings_are_refused():
    with pytest.raises(FormatError, match="is no UTF-8 text at byte 42; save it as UTF-8"):
        load((HEAD + '"Häuschen"}').encode("latin-1"))


def test_the_name_of_the_format_may_stand_last():
    rows = ",".join(f'[{i},0,0,"stone"]' for i in range(1000))
    assert len(load(f'{{"blocks": [{rows}], "format": "minece-build/1"}}').blocks) == 1000


def test_caps():
    rows = [[i, 0, 0, "stone"] for i in range(50)]
    with pytest.raises(LimitError, match="50 rows, more than the 49"):
        load(text(blocks=rows), limits=Limits(blocks=49))
    with pytest.raises(LimitError, match="values, more than the 100"):
        load(text(blocks=rows), limits=Limits(text_values=100))
    with pytest.raises(LimitError, match="turns, more than the 2"):
        load(text(turns=[{}] * 3), limits=Limits(turns=2))
    with pytest.raises(LimitError, match="in all turns"):
        load(text(turns=[{"blocks": rows}] + [{}] * 9), limits=Limits(blocks=100))


# --- writing


def test_what_is_written_can_be_read_by_eye(tmp_path):
    build = Build.from_log([["place", 0, 64, 0, "stone"], ["break", 1, 63, 0]], ground_y=64)
    formats.write(build, tmp_path / "a.json")
    assert (tmp_path / "a.json").read_text() == (
        '{\n"format": "minece-build/1",\n"ground_y": 64,\n"blocks": [\n[0,64,0,"stone"]\n],\n"dug": [\n[1,63,0]\n],\n'
        '"log": [\n["place",0,64,0,"stone"],\n["break",1,63,0]\n]\n}\n'
    )


def test_a_ground_that_is_not_known():
    rows = {"blocks": [[0, 5, 0, "stone"], [0, 7, 0, "stone"]], "dug": [[0, 4, 0], [0, 6, 0], [0, 9, 0]]}
    low, high = load(text(ground_y=None, **rows)), load(text(ground_y=None, **rows), hint="top")
    assert (low.ground_y, low.dug.tolist()) == (5, [[0, -1, 0]]) and not low.provenance.ground_known
    assert (high.ground_y, high.dug.tolist()) == (8, [[0, -4, 0], [0, -2, 0]])
    assert low.provenance.ground.endswith("as the file does not say; give --ground Y if it is wrong")
    logged = load(text(ground_y=None, log=[[0, 5, 0, "stone"], [0, 6, 0, "dirt"], ["break", 0, 6, 0]], dug=[[1, 4, 0]]))
    assert logged.dug.tolist() == [[1, -1, 0]] and logged.log is not None and len(logged.log) == 3
    assert load(text(ground_y=None)).ground_y == 0
    with pytest.raises(LogError, match=r"cell \[0, 5, 0\] is dug and holds a block"):
        load(text(ground_y=None, blocks=[[0, 5, 0, "stone"]], dug=[[0, 5, 0]]))
    for wrong in ([[0, "a", 0, "stone"]], [["place", 0, 0]], [5], [[0, 2**40, 0, "stone"]], "rows"):
        for key in ("blocks", "dug", "log"):
            with pytest.raises(MineceError):
                load(text(ground_y=None, **{key: wrong}))


def test_name_author_times_and_builder_come_back(tmp_path):
    data = text(name="ä", author="B", log=[[0, 0, 0, "stone"]], times=[0.25], who="bot")
    first = load(data)
    formats.write(first, tmp_path / "a.json")
    second = formats.read(tmp_path / "a.json").build
    assert (second.provenance.name, second.provenance.author, second.log.who) == ("ä", "B", "bot")
    assert second.log == first.log and second.log.time.tolist() == [0.25]


def test_turns_come_back(tmp_path):
    first = Build.from_log([["place", 0, 9, 0, "stone"], ["break", 0, 8, 0]], ground_y=9)
    second = first.then([["place", 0, 10, 0, "stone"], ["break", 0, 9, 0], ["place", 0, 8, 0, "dirt"]])
    third = Build(second.blocks, second.dug, None, 9)
    fourth = third.then([["place", 4, 9, 4, "glass"]])
    formats.write([first, second, third, fourth], tmp_path / "turns.json")
    found = formats.read(tmp_path / "turns.json").runs[0].turns
    assert found == [first, second, third, fourth]
    assert [build.id for build in found] == [first.id, second.id, third.id, fourth.id]
    assert found[1].log == second.log and found[2].log is None and found[3].log is None


def test_a_log_that_does_not_lead_to_the_blocks_is_not_written(tmp_path):
    build = Build.from_log([["place", 0, 0, 0, "stone"]])
    wrong = Build(Build.from_blocks([(0, 0, 0, "dirt")]).blocks, log=build.log)
    with pytest.raises(LogError, match="the log does not lead to the blocks"):
        formats.write(wrong, tmp_path / "a.json")
    with pytest.raises(FormatError, match="turn 2 has another ground than turn 1"):
        formats.write([build, Build(build.blocks, ground_y=3)], tmp_path / "a.json")
    assert list(tmp_path.iterdir()) == []


def test_more_states_than_a_palette_may_hold_are_refused_soon():
    from minece.blocks import LimitError, formats

    rows = ",".join(f'[{i},0,0,"mod:b{i}"]' for i in range(33_000))
    with pytest.raises(LimitError, match="different states"):
        formats.read(f'{{"format":"minece-build/1","blocks":[{rows}]}}'.encode())
