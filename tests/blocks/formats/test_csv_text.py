"""Tables of blocks."""

from __future__ import annotations

import pytest

from minece.blocks import Build, formats
from minece.blocks.errors import FormatError, LimitError, MineceError
from minece.blocks.formats.limits import Limits

STAIRS = "oak_stairs[facing=west,half=bottom,shape=straight,waterlogged=false]"


def load(text: str | bytes, **options: object) -> Build:
    return formats.read(text.encode() if isinstance(text, str) else text, **options).build  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        "x,y,z,state\n0,0,0,stone\n1,0,0,oak_stairs[facing=west]\n",
        "0,0,0,stone\n1,0,0,oak_stairs[facing=west]",
        "x;y;z;material\n0;0;0;stone\n1;0;0;oak_stairs[facing=west]\n",
        "X\tY\tZ\tBlock\n0\t0\t0\tstone\n1\t0\t0\toak_stairs[facing=west]\n",
        "state,z,y,x\nstone,0,0,0\noak_stairs[facing=west],0,0,1\n",
        'x,y,z,state\r\n0,0,0,"stone"\r\n\r\n1,0,0,"oak_stairs[facing=west,half=bottom]"\r\n',
        "x,y,z,state\n0,0,0,stone\n1,0,0,oak_stairs[facing=west,half=bottom]\n",
        "# by hand\n x , y , z , state \n 0 , 0 , 0 , stone \n  # a note\n +1 , 0 , 0 , oak_stairs[facing=west] \n",
        "x,y,z,state\n0,0,0,stone,\n1,0,0,oak_stairs[facing=west],,\n",
        "\ufeffx,y,z,state\n0,0,0,minecraft:stone\n1,0,0,minecraft:oak_stairs[facing=west]\n",
    ],
)
def test_every_way_to_write_the_same_table(text):
    build = load(text)
    assert build.blocks.rows() == [(0, 0, 0, "stone"), (1, 0, 0, STAIRS)]
    assert build.log is None and len(build.dug) == 0


def test_other_columns_are_not_read():
    build = load("name,x,y,z,block,colour\na,1,2,3,stone,red\n", ground=2)
    assert build.blocks.rows() == [(1, 0, 3, "stone")]


def test_r29_old_and_new_names_are_one_material_and_unknown_ones_are_listed():
    names = (
        ["stone"] * 5 + ["grass"] * 2 + ["oak_planks"] * 7 + ["short_grass"] * 2 + ["grass_path", "dirt_path", "rubble"]
    )
    build = load("x,y,z,state\n" + "".join(f"{i},0,0,{name}\n" for i, name in enumerate(names)))
    assert len(build.blocks) == len(names)
    materials = [build.blocks.table.material[i] for i in build.blocks.index]
    counts = {name: materials.count(name) for name in set(materials)}
    assert counts == {"stone": 5, "short_grass": 4, "oak_planks": 7, "dirt_path": 2, "rubble": 1}
    assert build.provenance.warnings == ("unknown blocks, taken as full cubes: rubble",)


def test_ground_and_air_below_it():
    build = load("# ground_y = 64\nx,y,z,state\n0,63,0,air\n0,64,0,air\n1,63,0,stone\n2,62,0,structure_void\n")
    assert build.ground_y == 64 and build.provenance.ground == "y = 64, named in the table"
    assert build.blocks.rows() == [(1, -1, 0, "stone")] and build.dug.tolist() == [[0, -1, 0]]
    assert load("# ground_y=64\n0,63,0,stone\n", ground=60).ground_y == 60


def test_ground_by_hint_and_by_the_lowest_block():
    text = "0,5,0,stone\n0,6,0,stone\n9,3,9,air\n"
    assert load(text).ground_y == 5 and load(text).dug.tolist() == [[9, -2, 9]]
    assert load(text, hint="bottom").ground_y == 5
    assert load(text, hint="top").ground_y == 7


@pytest.mark.parametrize("header", ["action,x,y,z,state\n", ""])
def test_an_action_makes_an_ordered_log(header):
    build = load("# ground_y=0\n" + header + "place,0,0,0,stone\nbreak,0,-1,0,\nPlace,0,1,0,dirt\nbreak,0,0,0\n")
    assert build.blocks.rows() == [(0, 1, 0, "dirt")] and build.dug.tolist() == [[0, -1, 0]]
    assert build.log is not None and len(build.log) == 4
    assert build == Build.from_log(build.log)


def test_twice_listed_cells_are_told():
    build = load("0,0,0,stone\n0,0,0,dirt\n")
    assert build.blocks.rows() == [(0, 0, 0, "dirt")]
    assert build.provenance.warnings == ("1 rows were overruled by a later row of the same cell",)


def test_a_build_of_nothing_is_read_with_a_warning():
    for text in ("x,y,z,state\n", "# minece-build/1 ground_y=0\n", "action,x,y,z,state\n"):
        build = load(text)
        assert len(build.blocks) == 0 and build.provenance.warnings == ("holds no block",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x,y,z,state\n0,0,0,stone\n0,0,stone\n", "line 3: has 3 columns, not 4; write x,y,z,state"),
        ("x,y,z,state\n\n#\n0,0,0,stone,dirt\n", "line 4: has 5 columns, not 4"),
        ("x,y,z,state\n0,zero,0,stone\n", "line 2: y is 'zero', not a whole number"),
        ("x,y,z,state\n0,1.5,0,stone\n", "line 2: y is '1.5', not a whole number"),
        ("x,y,z,state\n0,0,1_0,stone\n", "line 2: z is '1_0', not a whole number"),
        ("x,y,z,state\n0,0,٣,stone\n", "line 2: z is '٣', not a whole number"),
        ("x,y,z,state\n0,,0,stone\n", "line 2: y is '', not a whole number"),
        ("x,y,z,state\n0,0," + "9" * 30 + ",stone\n", "line 2: z is 999999999999999999999999999999, outside"),
        ("x,y,z,state\n0,0,0,dirt\n0,0,9999999999,stone\n", "line 3: z is 9999999999, outside"),
        ("x,y,z,state\n0,0,0,\n", "line 2: '' is no block state"),
        ("x,y,z,state\n0,0,0,Oak Planks\n", "line 2: 'Oak Planks' is no block state; ids are lower case"),
        ('x,y,z,state\n0,0,0,"a\n0,0,0,b\n', "line 2: has 1 columns, not 4"),
        ("x,y,z\n0,0,0\n", "line 1: lacks the column state"),
        ("x,y,z,state,y\n0,0,0,stone,1\n", "line 1: has the column y twice"),
        ("x,action,y,z,state\n", "line 1: the column action is not the first"),
        ("action,x,y,z,state\nmove,0,0,0,stone\n", "line 2: the action is 'move'; write place or break"),
        ("action,x,y,z,state\nplace,0,0,0\n", "line 2: has 4 columns, not 5"),
        ("action,x,y,z,state\nplace,0,0,0,structure_void\n", "line 2: structure_void is no block that is placed"),
        ("# ground_y=0\n# ground_y=1\n0,0,0,stone\n", "line 2: names a second ground"),
        ("# ground_y=zero\n0,0,0,stone\n", "line 1: the ground cannot be read"),
        ("just some words\nand more\n", "is text, but no table of blocks"),
    ],
)
def test_a_bad_row_is_named_with_its_line(text, message):
    with pytest.raises(MineceError) as found:
        formats.read(text.encode(), name="wall.csv")
    line = str(found.value)
    assert line.startswith("wall.csv: ") and message in line and "\n" not in line


def test_a_late_row_of_a_large_table_is_named():
    text = "".join(f"{i},0,0,stone\n" for i in range(70_000))
    assert len(load(text).blocks) == 70_000
    with pytest.raises(FormatError, match="line 70002: x is 'oops'"):
        load(text + "1,0,0,dirt\noops,0,0,stone\n")


def test_caps():
    with pytest.raises(LimitError, match="3 rows, more than the 2"):
        load("0,0,0,stone\n" * 3, limits=Limits(blocks=2))
    with pytest.raises(LimitError, match="line 2: is longer than 65,536 characters"):
        load("0,0,0,stone\n0,0,0," + "a" * 70_000)


def test_what_is_written_opens_in_a_spreadsheet(tmp_path):
    build = Build.from_blocks(
        [(0, 64, 0, "stone"), (1, 64, 0, "oak_stairs[facing=west]")], dug=[(0, 63, 0)], ground_y=64
    )
    formats.write(build, tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == (
        f'# minece-build/1 ground_y=64\nx,y,z,state\n0,64,0,stone\n1,64,0,"{STAIRS}"\n0,63,0,air\n'
    )


def test_the_order_comes_back_where_the_log_tells_all(tmp_path):
    build = Build.from_log([["place", 0, 64, 0, "stone"], ["break", 0, 63, 0]], ground_y=64)
    formats.write(build, tmp_path / "a.csv")
    found = formats.read(tmp_path / "a.csv").build
    assert found == build and found.log == build.log
    more = Build(build.blocks, [(0, -1, 0), (9, -1, 9)], build.log, 64)
    formats.write(more, tmp_path / "b.csv")
    found = formats.read(tmp_path / "b.csv").build
    assert found == more and found.log is None
