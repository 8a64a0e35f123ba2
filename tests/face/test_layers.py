"""`minece score --ascii`: the layers of a build in letters."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from minece.blocks import Build
from minece.checkers import Verdict, bind, evaluate
from minece.checkers.scene import Scene
from minece.layers import MOST_LAYERS, MOST_SIDE, draw

DATA = Path(__file__).parents[1] / "data"

Row = tuple[int, int, int, str]
Rows = list[Row]

STATES = {
    "#": "stone",
    "=": "glass",
    "_": "oak_slab",
    "c": "white_carpet",
    "+": "oak_fence",
    "t": "torch",
    "f": "bookshelf",
    ">": "oak_stairs[facing=east]",
    "^": "oak_stairs[facing=north]",
    "H": "ladder[facing=south]",
    "~": "water",
    "w": "red_bed[facing=east,part=foot]",
    "e": "red_bed[facing=east,part=head]",
    "d": "oak_door[half=lower]",
    "D": "oak_door[half=upper]",
}


def rows(*layers: str, base: int = -1, at: tuple[int, int] = (0, 0)) -> Iterator[Row]:
    """Blocks from plans, one for each height from the lowest up; a space is air."""
    for y, plan in enumerate(layers, base):
        for z, line in enumerate(plan.strip("\n").splitlines()):
            yield from ((at[0] + x, y, at[1] + z, STATES[sign]) for x, sign in enumerate(line) if sign != " ")


FLOOR = "\n".join(["#" * 11] * 6)
FEET = """
###########
#we  #    #
#    d   f#
#t   #c   #
#    #    #
##d########
"""
HEAD = """
###########
#    #    #
#    D    #
=    #    #
#    #    #
##D########
"""
HALL = "\n".join(["#" * 11, *["#         #"] * 4, "#" * 11])
UPPER = """
###########
#    #    #
#    #    #
#    #    #
#    #    #
###########
"""


def house() -> Rows:
    """Two rooms, two doors, a window, a bed, a shelf, a torch, a carpet."""
    return list(rows(FLOOR, FEET, HEAD, UPPER, FLOOR))


def sealed() -> Rows:
    """The house with the inner door walled up."""
    return [(*cell, "stone" if "door" in state and cell[0] == 5 else state) for *cell, state in house()]


def judged(blocks: Sequence[Row], *rules: tuple[str, dict[str, object]]) -> tuple[Scene, list[Verdict]]:
    build = Build.from_blocks(blocks)
    return Scene(build), evaluate(build, [bind(name, args) for name, args in rules])


def drawn(blocks: Sequence[Row], *rules: tuple[str, dict[str, object]], width: int = 80) -> str:
    lines = draw(*judged(blocks, *rules), width)
    assert all(len(line) <= width for line in lines)
    return "\n".join(line.plain for line in lines)


def test_a_house_of_two_rooms() -> None:
    assert (
        drawn(house(), ("rooms", {"bound": 2}))
        == """\
layers: north up, x east, z south

storey 1, floor at height 0

y = 0, feet                  y = 1, head
z\\x 0         5         10   z\\x 0         5         10
  0 ######################     0 ######################
  1 ##bbbb1 1 ##2 2 2 2 ##     1 ##1 1 1 1 ##2 2 2 2 ##
  2 ##1 1 1 1 DD2 2 2 ff##     2 ##1 1 1 1 DD2 2 2 2 ##
  3 ##' 1 1 1 ##2 2 2 2 ##     3 ==1 1 1 1 ##2 2 2 2 ##
  4 ##1 1 1 1 ##2 2 2 2 ##     4 ##1 1 1 1 ##2 2 2 2 ##
  5 ####DD################     5 ####DD################

1  room of 16 cells, 2 doorways
2  room of 16 cells, 1 doorway

## block   == glass or bars   DD door   bb bed   ff stands in a room
' torch, sign, plant or the like
not drawn: 3 layers, y = -1 and 2 to 3"""
    )


def test_a_closed_space_and_cells_at_fault() -> None:
    text = drawn(sealed(), ("rooms", {"bound": 2}))
    assert "  1 ##bbbb1 1 ##2!2!2!2!##" in text
    assert "  2 ##1 1 1 1 ##2!2!2!f!##     2 ##1 1 1 1 ##2x2x2x2x##" in text
    assert "\n2x closed space of 16 cells, no doorway: nobody gets in\n" in text
    assert "\n! at fault by rooms\n" in text


def test_a_fault_of_the_whole_build_is_said_and_not_marked() -> None:
    text = drawn(house(), ("rooms", {"bound": 2}), ("reachable", {"goal": "chest"}))
    assert "!" not in text
    assert "not marked: the whole build is at fault by reachable" in text
    assert "=" in text


def test_colours_go_with_the_signs() -> None:
    lines = draw(*judged(sealed(), ("rooms", {"bound": 2})), 80)
    console = Console(force_terminal=True, color_system="standard", width=80, highlight=False)
    with console.capture() as shown:
        for line in lines:
            console.print(line, soft_wrap=True)
    assert "\x1b[1;37;41m2!2!2!2!\x1b[0m" in shown.get()
    assert "\x1b[1;32m1 1 1 1 \x1b[0m" in shown.get()


def test_every_layer_where_no_rooms_are_judged() -> None:
    table = [*rows("#   #\n\n#   #", "#   #\n\n#   #", "#####\n#####\n#####", base=0, at=(-2, 7))]
    with_hole = [row for row in table if row[:3] != (0, 2, 8)]
    assert (
        drawn(with_hole, ("grounded", {}), ("filled", {"region": "layer(2)"}))
        == """\
layers: north up, x east, z south

y = 0 to 1       y = 2
z\\x -2  0        z\\x -2  0
  7 ##      ##     7 ##########
  8                8 ####!!####
  9 ##      ##     9 ##########

## block
! at fault by filled"""
    )


def test_soil_water_stairs_ladders_fences_and_slabs() -> None:
    blocks = [*rows("#~#\n###", base=-1), *rows(">^+\nH_#", base=0)]
    assert (
        drawn(blocks, width=66)
        == """\
layers: north up, x east, z south

y = -1       y = 0
z\\x 0        z\\x 0
  0 ##~~##     0 >>^^++
  1 ######     1 HH__##

## block   __ slab or carpet   ++ fence or wall block
HH ladder or vine   ~~ water or lava   ^ > stairs, up this way"""
    )


def test_soil_around_what_is_buried() -> None:
    assert (
        drawn([(0, -2, 0, "stone"), *rows("###\n###")])
        == """\
layers: north up, x east, z south

y = -2       y = -1
z\\x 0        z\\x 0
  0 ##....     0 ######
  1 ......     1 ######

## block   .. soil"""
    )


def test_the_number_of_a_room_stands_on_slabs_and_carpets() -> None:
    slabs = "###########\n" + "#____#____#\n" * 4 + "###########"
    text = drawn(list(rows(slabs, FEET.replace("we", "  "), HEAD, UPPER, FLOOR)), ("rooms", {"bound": 2}))
    assert "storey 1, floor at height -0.5\n\ny = -1, floor                y = 0, feet\n" in text
    assert "\n  4 ##1 1 1 1 ##2 2 2 2 ##     4 ##1 1 1 1 ##2 2 2 2 ##" in text
    assert "y = 1, head" in text
    carpets = [row for row in house() if row[3] != "torch"]
    carpets += [(x, 0, 3, "red_carpet") for x in range(1, 5)]
    assert "\n  3 ##1 1 1 1 ##2 2 2 2 ##" in drawn(carpets, ("rooms", {"bound": 2}))


def test_what_lies_under_a_roof_and_in_no_room_shows_the_hole_above() -> None:
    text = drawn([row for row in house() if row[:3] != (7, 3, 3)], ("rooms", {"bound": 2}))
    assert "  1 ##b!b!1!1!##, , , , ##" in text
    assert "  3 ##'!1!1!1!##__  , , ##" in text
    assert ", under a roof, no room" in text


def test_ten_rooms_take_three_letters_a_cell() -> None:
    line = "#" + "   #" * 10
    wall = "#" * len(line)
    door = "#" + " d #".replace(" ", "#") * 10
    upper = door.replace("d", "D")
    floor = "\n".join([wall] * 5)
    feet, head = ("\n".join([wall, line, line, line, end]) for end in (door, upper))
    text = drawn(list(rows(floor, feet, head, floor)), ("rooms", {"bound": 10}), width=140)
    assert "###9  9  9  ###10 10 10 ###" in text
    assert "10  room of 9 cells, 1 doorway" in text
    assert "y = 0, feet, x" not in text
    narrow = drawn(list(rows(floor, feet, head, floor)), ("rooms", {"bound": 10}), width=60)
    for strip in ("0 to 13", "14 to 27", "28 to 40"):
        assert f"y = 0, feet, x = {strip}\n" in narrow


def test_a_passage_is_told_from_a_room() -> None:
    hall = "###########\n#    #    #\n#    #    #\n##d####d###\n#         #\n###########"
    low = hall.replace("#         #", "d         #")
    text = drawn(list(rows(FLOOR, low, low.replace("d", "D"), FLOOR)), ("rooms", {"bound": 2}))
    assert "  4 DD2:2:2:2:2:2:2:2:2:##" in text
    assert "2: passage of 9 cells, 3 doorways: counts as no room" in text


def test_a_far_block_costs_one_sign_and_big_builds_are_bounded() -> None:
    far = drawn([(0, 0, 0, "stone"), (900, 0, 0, "stone")], ("grounded", {}))
    assert "z\\x 0 " in far and "900" in far and "//" in far
    assert "// stretch without blocks, left out" in far
    wide = drawn([(x, 0, 0, "stone") for x in range(MOST_SIDE + 9)])
    assert f"cut off: x = {MOST_SIDE} to {MOST_SIDE + 8}" in wide
    tower = [(0, y, 0, "stone") for y in range(60)] + [(1, y, 0, "stone") for y in range(0, 60, 2)]
    tall = drawn(tower)
    assert tall.count("y = ") == MOST_LAYERS + 1
    assert "not drawn: 44 layers, y = " in tall


def test_layers_at_fault_go_before_others() -> None:
    tower = [(x, y, 0, "stone") for y in range(60) for x in range(1 + y % 2)] + [(4, 37, 0, "stone")]
    text = drawn(tower, ("grounded", {}))
    assert "y = 37" in text and "#!" in text
    assert "with cells at fault" not in text


def test_stairs_and_their_well() -> None:
    """Two storeys; a flight along the north wall leads up through a well."""
    plans = [HALL.splitlines() for _ in range(3)] + [FLOOR.splitlines()]
    plans[3][1] = "#    ######"
    for step, line in enumerate(plans):
        line[1] = f"{line[1][: step + 1]}>{line[1][step + 2 :]}"
    plans[0][5], plans[1][5] = "##d########", "##D########"
    text = drawn(list(rows(FLOOR, *map("\n".join, plans), HALL, HALL, HALL, FLOOR)), ("storeys", {"bound": 2}))
    assert (
        text
        == """\
layers: north up, x east, z south

storey 1, floor at height 0

y = 0, feet
z\\x 0         5         10
  0 ######################
  1 ##>>1 1 1 1 1 1 1 1 ##
  2 ##1 1 1 1 1 1 1 1 1 ##
  3 ##1 1 1 1 1 1 1 1 1 ##
  4 ##1 1 1 1 1 1 1 1 1 ##
  5 ####DD################

1  room of 36 cells, 1 doorway

storey 2, floor at height 4

y = 4, feet
z\\x 0         5         10
  0 ######################
  1 ##OOOOOO2 2 2 2 2 2 ##
  2 ##2 2 2 2 2 2 2 2 2 ##
  3 ##2 2 2 2 2 2 2 2 2 ##
  4 ##2 2 2 2 2 2 2 2 2 ##
  5 ######################

2  room of 33 cells, by stairs or a ladder

## block   DD door   OO hole in a floor   > stairs, up this way
not drawn: 7 layers, y = -1, 1 to 3 and 5 to 7"""
    )


def test_a_pit_and_nothing_else() -> None:
    build = Build.from_blocks([], dug=[(0, -1, 0), (2, -1, 1)])
    assert [line.plain for line in draw(Scene(build), [], 60)] == [
        "layers: north up, x east, z south",
        "",
        "y = -1",
        "z\\x 0",
        "  0   ....",
        "  1 ....",
        "",
        ".. soil",
    ]


def test_nothing_built() -> None:
    assert drawn([], ("rooms", {"bound": 1})) == "layers: nothing is built"


def test_the_plan_is_the_same_wherever_the_house_stands() -> None:
    there = [(x - 1000, y, z + 500, state) for x, y, z, state in house()]
    here, moved = (drawn(blocks, ("rooms", {"bound": 2})).splitlines() for blocks in (house(), there))
    assert [line[-22:] for line in here[6:12]] == [line[-22:] for line in moved[6:12]]
    assert moved[6:8] == [
        "500 ######################     500 ######################",
        "501 ##bbbb1 1 ##2 2 2 2 ##     501 ##1 1 1 1 ##2 2 2 2 ##",
    ]


# The command.


@pytest.fixture
def house_rules(tmp_path: Path) -> Path:
    path = tmp_path / "rules.json"
    path.write_text(json.dumps([{"rule": "rooms", "args": {"bound": 2}}]))
    return path


def test_the_command_draws_after_the_verdicts(
    cli: Callable[..., Any], write_json: Callable[..., Path], house_rules: Path
) -> None:
    file = write_json("house.json", house(), sealed())
    plain = cli("score", file, "--rules", house_rules)
    ran = cli("score", file, "--rules", house_rules, "--ascii")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(plain.out)
    assert "turn 1\nlayers: north up" in ran.out
    assert "2x closed space" in ran.out[ran.out.index("turn 2\nlayers") :]
    assert "layers" not in plain.out


def test_drawings_are_no_json(cli: Callable[..., Any], good: Path, rules: Path) -> None:
    ran = cli("score", good, "--rules", rules, "--ascii", "--json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == "drawings are no JSON; give --ascii or --json, not both\n"


def test_of_many_builds_none_is_drawn_and_that_is_said(
    cli: Callable[..., Any], write_json: Callable[..., Path], slab: Rows, rules: Path
) -> None:
    files = [write_json(f"{i}.json", slab) for i in range(13)]
    assert cli("score", *files[:12], "--rules", rules, "--ascii").out.count("layers: ") == 12
    out = cli("score", *files, "--rules", rules, "--ascii").out
    assert "layers: north" not in out
    assert "to see the layers: name at most 12 files" in out


def test_blocks_too_scattered_to_lay_out_are_told(
    cli: Callable[..., Any], write_json: Callable[..., Path], rules: Path
) -> None:
    file = write_json("far.json", [(i * 9, i * 9, i * 9, "stone") for i in range(200)])
    ran = cli("score", file, "--rules", rules, "--ascii")
    assert ran.code == 0
    assert "layers: not drawn; the blocks are too scattered" in ran.out


def _cases() -> Iterator[Any]:
    for path in sorted(DATA.glob("builds-*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield pytest.param(row, id=row["id"])


@pytest.mark.parametrize("row", list(_cases()))
def test_builds_of_other_people(row: dict[str, Any]) -> None:
    """Within the terminal's width, in plain letters, with a line for every z that holds a block."""
    for build in Build.from_turns(row["turns"]):
        scene = Scene(build)
        verdicts = evaluate(build, [bind("grounded", {}), bind("rooms", {"bound": 1})])
        for width in (40, 60, 200):
            lines = draw(scene, verdicts, width)
            assert all(len(line) <= width and line.plain.isascii() for line in lines)
            starts = {line.plain.split()[0] for line in lines if line.plain.strip()}
            assert {str(z) for z in scene.cells[:, 2].tolist()} <= starts
