"""Command lists: every mistake is named, shapes are what they say, and limits end a program."""

import json
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minece.agent_bridge.commands import read_commands, run_commands
from minece.agent_bridge.commands.reading import FARTHEST, MOST_CELLS, MOST_COMMANDS
from minece.agent_bridge.commands.shapes import copied, line, shell, turned_size
from minece.agent_bridge.errors import ProgramError
from minece.agent_bridge.offline import OfflineWorld
from minece.agent_bridge.programs import ProgramLimits, ProgramResult
from minece.blocks import BlockSet
from minece.tasks.paths import snake
from minece.tasks.task import Limits

Cell = tuple[int, int, int]

WIDE = Limits(plot=(64, 64), height=64, depth=4, blocks=200_000)
STONE = {"block": "stone"}


def world_of(*commands: dict[str, Any], **limits: Any) -> tuple[OfflineWorld, ProgramResult]:
    world = OfflineWorld(limits=WIDE)
    result = run_commands(read_commands(json.dumps(commands)), world, ProgramLimits(**limits))
    return world, result


def blocks_of(world: OfflineWorld) -> dict[Cell, str]:
    build = world.build()
    return {(x, y, z): state for x, y, z, state in build.blocks.rows()}


def refusal(source: object) -> str:
    with pytest.raises(ProgramError) as caught:
        read_commands(source if isinstance(source, str) else json.dumps(source), where="plan.json")
    line = str(caught.value)
    assert line.startswith("plan.json: ")
    assert "\n" not in line
    assert len(line) < 400
    return line.removeprefix("plan.json: ")


# Reading


def test_both_forms_are_read_alike() -> None:
    commands = [{"place": [1, 2, 3], "block": "oak_stairs[facing=east]", "on": "north"}]
    bare = read_commands(json.dumps(commands))
    assert bare == read_commands(json.dumps({"schema": "minece-commands/1", "do": commands}))
    (command,) = bare
    assert (command.number, command.verb, command.first, command.second) == (1, "place", (1, 2, 3), (1, 2, 3))
    assert (command.block, command.on, command.exact) == ("oak_stairs[facing=east]", "north", False)


def test_corners_come_in_any_order() -> None:
    one, other = read_commands(
        json.dumps([{"fill": [[3, 0, 5], [1, 2, 7]], **STONE}, {"fill": [[1, 2, 7], [3, 0, 5]], **STONE}])
    )
    assert one.low == other.low == (1, 0, 5)
    assert one.size == other.size == (3, 3, 3)


MISTAKES: list[tuple[object, str]] = [
    ("", "the file is empty; write a list like ["),
    ("[1, 2", "line 1, column 6: is no valid JSON: the text ends early; write a list like ["),
    ("[" * 100, "is nested deeper than 8 levels; write"),
    ("[NaN]", "NaN is no JSON number; write"),
    ('{"do": [], "do": []}', "the key 'do' comes twice in one object; write"),
    ("3", "holds no list of commands; write a list like ["),
    ({"do": []}, 'its schema is None; write "schema": "minece-commands/1", or a bare list'),
    ({"schema": "minece-commands/2", "do": []}, "its schema is 'minece-commands/2'; write"),
    ({"schema": "minece-commands/1", "does": []}, "'does' is no key of it; did you mean 'do'?"),
    ({"schema": "minece-commands/1"}, "holds no list of commands; write"),
    ([3], "entry 1: 3 is no object; write it like {"),
    ([{}], "entry 1: has no verb; take one of place, fill, box, line, remove, copy"),
    ([{"plase": [0, 0, 0], **STONE}], "entry 1: has no verb; did you mean 'place'?"),
    (
        [{"place": [0, 0, 0], "line": [[0, 0, 0], [0, 0, 0]], **STONE}],
        "entry 1: has the verbs place and line; write an entry for each",
    ),
    ([{"place": [0, 0, 0], "blok": "stone"}], "entry 1 (place): 'blok' is no key of place; did you mean 'block'?"),
    ([{"remove": [0, 0, 0], "colour": 1}], "entry 1 (remove): 'colour' is no key of remove; take one of exact"),
    ([{"place": [0, 0, 0]}], "entry 1 (place): has no 'block'; write \"block\" into it"),
    ([{"remove": [0, 0, 0]}, {"copy": [[0, 0, 0], [1, 1, 1]]}], "entry 2 (copy): has no 'to'; write"),
    ([{"place": [0, 0], **STONE}], "entry 1 (place): [0, 0] is no cell; write [x, y, z]"),
    ([{"place": [0, 0.5, 0], **STONE}], "entry 1 (place): 0.5 is no whole number within ±10000; write one"),
    ([{"place": [0, True, 0], **STONE}], "entry 1 (place): True is no whole number"),
    ([{"place": [0, FARTHEST + 1, 0], **STONE}], "entry 1 (place): 10001 is no whole number"),
    ([{"fill": [0, 0, 0], **STONE}], "entry 1 (fill): [0, 0, 0] are not two cells; write [[x, y, z], [x, y, z]]"),
    ([{"fill": [[0, 0, 0], [1, 1]], **STONE}], "entry 1 (fill): [1, 1] is no cell; write [x, y, z]"),
    ([{"remove": "all"}], "entry 1 (remove): 'all' are not two cells; write [[x, y, z], [x, y, z]], or [x, y, z] for"),
    ([{"remove": []}], "entry 1 (remove): [] are not two cells"),
    ([{"remove": [0, 0]}], "entry 1 (remove): [0, 0] is no cell"),
    ([{"place": [0, 0, 0], "block": 3}], 'entry 1 (place): 3 is no block; write a block such as "stone"'),
    ([{"place": [0, 0, 0], "block": "Stone"}], "entry 1 (place): 'Stone' is no block state; ids are lower case"),
    ([{"place": [0, 0, 0], "block": "x" * 2000}], "entry 1 (place): block state 'xxxx"),
    (
        [{"place": [0, 0, 0], "block": "oak_plank"}],
        "entry 1 (place): there is no block 'oak_plank'; did you mean oak_planks",
    ),
    ([{"place": [0, 0, 0], "block": "zzzzqqq"}], "entry 1 (place): there is no block 'zzzzqqq'; write the id of"),
    (
        [{"place": [0, 0, 0], "block": "oak_stairs[face=east]"}],
        "entry 1 (place): oak_stairs has no property 'face'; did you mean 'facing'?",
    ),
    ([{"place": [0, 0, 0], "block": "stone[a=b]"}], "entry 1 (place): stone has no property 'a'; leave it out"),
    (
        [{"place": [0, 0, 0], "block": "oak_stairs[facing=up]"}],
        "entry 1 (place): oak_stairs has no facing=up; take one of north",
    ),
    (
        [{"place": [0, 0, 0], **STONE, "on": "left"}],
        'entry 1 (place): on is \'left\'; take one of null, "down", "up", "north", "south", "west", "east"',
    ),
    ([{"box": [[0, 0, 0], [1, 1, 1]], **STONE, "hollow": 1}], "entry 1 (box): hollow is 1; take one of true, false"),
    (
        [{"copy": [[0, 0, 0], [1, 1, 1]], "to": [0, 0, 0], "turn": 4}],
        "entry 1 (copy): turn is 4; take one of 0, 1, 2, 3",
    ),
    (
        [{"copy": [[0, 0, 0], [1, 1, 1]], "to": [0, 0, 0], "turn": True}],
        "entry 1 (copy): turn is True; take one of 0, 1, 2, 3",
    ),
    (
        [{"copy": [[0, 0, 0], [1, 1, 1]], "to": [0, 0, 0], "mirror": "y"}],
        'entry 1 (copy): mirror is \'y\'; take one of null, "x", "z"',
    ),
    ([{"place": [0, 0, 0], **STONE, "exact": "yes"}], "entry 1 (place): exact is 'yes'; take one of"),
    (
        [{"fill": [[0, 0, 0], [99, 99, 9]], **STONE}, {"copy": [[0, 0, 0], [99, 99, 99]], "to": [0, 0, 0]}],
        "entry 2 (copy): more than 200,000 cells so far; build less in one program",
    ),
    ([{"fill": [[-10000] * 3, [10000] * 3], **STONE}], "entry 1 (fill): more than 200,000 cells"),
]


@pytest.mark.parametrize(("source", "told"), MISTAKES, ids=[told[:50] for _, told in MISTAKES])
def test_mistakes_are_named_and_mended(source: object, told: str) -> None:
    assert refusal(source).startswith(told)


def test_too_many_commands() -> None:
    source = "[" + ",".join(['{"remove":[0,0,0]}'] * (MOST_COMMANDS + 1)) + "]"
    assert refusal(source) == "20001 commands; write at most 20000"
    assert len(read_commands(source.replace(',{"remove":[0,0,0]}', "", 1))) == MOST_COMMANDS


def test_too_long_a_text() -> None:
    assert "more than the 1,048,576 that are read" in refusal("[" + " " * (1 << 20) + "]")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
KEYS = ("place", "fill", "box", "line", "remove", "copy", "block", "on", "hollow", "to", "turn", "mirror", "exact")
SPARE = st.sampled_from([[0, 0, 0], [[0, 0, 0], [1, 2, 3]], "stone", "oak_door[half=upper]", "north", "x", 2, True])


@given(st.lists(st.dictionaries(st.sampled_from(KEYS), SPARE | JSON, max_size=4), max_size=3) | JSON)
def test_whatever_is_read_ends_in_commands_or_one_error(value: object) -> None:
    try:
        read_commands(json.dumps(value))
    except ProgramError as error:
        assert "\n" not in str(error)


# Shapes

coordinate = st.integers(-30, 30)
cell = st.tuples(coordinate, coordinate, coordinate)


@given(cell, cell)
def test_lines_are_thin_and_whole(start: Cell, end: Cell) -> None:
    cells = line(start, end)
    way = np.array(end) - np.array(start)
    assert cells[0].tolist() == list(start)
    assert cells[-1].tolist() == list(end)
    assert len(cells) == np.abs(way).max() + 1
    steps = np.diff(cells, axis=0)
    assert (np.abs(steps).max(axis=1) == 1).all() if len(steps) else True
    assert ((steps == 0) | (np.sign(steps) == np.sign(way))).all()
    share = np.linspace(0, 1, len(cells))[:, None]
    assert (np.abs(np.array(start) + share * way - cells) <= 0.5 + 1e-9).all()


@given(cell, st.tuples(*[st.integers(1, 6)] * 3))
def test_shells_have_all_but_the_inside(low: Cell, size: Cell) -> None:
    outer = {tuple(c) for c in shell(snake(low, size), low, size).tolist()}
    everything = {tuple(c) for c in snake(low, size).tolist()}
    inner = {tuple(c) for c in everything if all(0 < n - a < s - 1 for n, a, s in zip(c, low, size, strict=True))}
    assert outer == everything - inner
    assert len(outer) == math.prod(size) - math.prod(max(n - 2, 0) for n in size)


STATES = [
    "stone",
    "oak_stairs[facing=east,half=top]",
    "oak_log[axis=x]",
    "oak_door[hinge=left]",
    "wall_torch[facing=west]",
]
small = st.tuples(*[st.integers(0, 3)] * 3)


@given(
    st.dictionaries(small, st.sampled_from(STATES), min_size=1),
    st.integers(0, 3),
    st.sampled_from([None, "x", "z"]),
    cell,
)
def test_copies_are_the_block_sets_turned_and_mirrored(rows: dict[Cell, str], turn: int, mirror: Any, to: Cell) -> None:
    source = BlockSet.from_blocks([(*where, state) for where, state in rows.items()])
    low, size = (0, 0, 0), (4, 4, 4)
    out = copied([(c, s) for *c, s in source.rows()], low, size, to, turn=turn, mirror=mirror)
    expected = source.mirrored(mirror) if mirror else source
    expected = expected.turned(turn)
    first = np.array(expected.cells).min(axis=0)
    made = BlockSet.from_blocks([(*where, state) for where, state in out.items()])
    moved = np.array(made.cells).min(axis=0)
    assert made.translated(*(-moved).tolist()) == expected.translated(*(-first).tolist())
    assert all(t <= n < t + s for c in out for n, t, s in zip(c, to, turned_size(size, turn), strict=True))


# Running


def test_place_by_hand() -> None:
    world, result = world_of(
        {"place": [3, 0, 3], "block": "stone"},
        {"place": [3, 1, 3], "block": "oak_stairs[facing=east]"},
        {"place": [4, 0, 3], "block": "wall_torch", "on": "west"},
        {"place": [8, 0, 8], "block": "oak_door"},
        {"place": [3, 0, 3], "block": "stone"},
        {"place": [9, 9, 9], "block": "stone"},
    )
    assert (result.status, result.error, result.message) == ("ok", "", "")
    assert (result.placed, result.calls) == (4, 6)
    assert result.refused == {"nothing to place on": 1, "same block already there": 1}
    assert result.log == (
        "entry 5 (place): same block already there (1)",
        "entry 6 (place): nothing to place on (1)",
    )
    assert world.at((3, 1, 3)).startswith("oak_stairs[facing=east,")
    assert world.at((4, 0, 3)) == "wall_torch[facing=east]"
    assert "half=upper" in world.at((8, 1, 8))


def test_fill_goes_in_snake_order_from_the_last_cell() -> None:
    world, result = world_of(
        {"place": [9, 0, 9], **STONE},
        {"fill": [[2, 0, 2], [4, 2, 5]], **STONE},
        {"fill": [[6, 0, 6], [6, 0, 8]], **STONE},
    )
    assert result.placed == 1 + 36 + 3
    log = world.build().log
    assert log is not None
    first = snake((2, 0, 2), (3, 3, 4), (9, 0, 9))
    second = snake((6, 0, 6), (1, 1, 3), tuple(first[-1].tolist()))
    assert log.cells.tolist() == [[9, 0, 9], *first.tolist(), *second.tolist()]


def test_boxes_are_hollow_unless_told() -> None:
    hollow, result = world_of({"box": [[2, 0, 2], [6, 4, 6]], **STONE})
    assert result.placed == 125 - 27
    assert hollow.at((4, 2, 4)) == "air"
    solid, result = world_of({"box": [[2, 0, 2], [6, 4, 6]], **STONE, "hollow": False})
    assert result.placed == 125
    assert solid.at((4, 2, 4)) == "stone"


def test_lines_by_hand_need_hold_and_exact_ones_do_not() -> None:
    _, by_hand = world_of({"line": [[2, 0, 2], [6, 4, 2]], **STONE})
    assert (by_hand.placed, by_hand.refused) == (1, {"nothing to place on": 4})
    world, exact = world_of({"line": [[2, 0, 2], [6, 4, 2]], **STONE, "exact": True})
    assert (exact.placed, exact.refused) == (5, {})
    assert set(blocks_of(world)) == {(2 + i, i, 2) for i in range(5)}


def test_remove_takes_what_is_there() -> None:
    world, result = world_of(
        {"fill": [[2, 0, 2], [3, 0, 3]], **STONE},
        {"remove": [[1, -1, 1], [4, 5, 4]]},
        {"remove": [9, 0, 9]},
        {"remove": [9, -1, 9]},
    )
    assert blocks_of(world) == {}
    assert result.placed == 4
    assert result.calls == 4 + 16 + 4 + 2
    assert result.refused == {"nothing to break": 1}
    assert len(world.build().dug) == 17


def test_air_removes() -> None:
    world, result = world_of({"place": [2, 0, 2], **STONE}, {"fill": [[2, 0, 2], [2, 0, 3]], "block": "air"})
    assert blocks_of(world) == {}
    assert (result.placed, result.refused) == (1, {"nothing to break": 1})


def test_exact_states_stand_as_they_are_given() -> None:
    world, result = world_of(
        {"place": [2, 5, 2], "block": "oak_fence[north=true]", "exact": True},
        {"place": [2, 5, 1], "block": "oak_fence", "exact": True},
        {"place": [2, 5, 1], "block": "oak_fence", "exact": True},
        {"remove": [2, 9, 2], "exact": True},
        {"fill": [[-1, 0, 0], [1, 0, 0]], **STONE, "exact": True},
    )
    assert (result.placed, result.calls) == (4, 7)
    assert result.refused == {"nothing to break": 1, "outside the plot": 1, "same block already there": 1}
    assert "north=true" in world.at((2, 5, 2))
    assert "south=false" in world.at((2, 5, 1))


HUT: list[dict[str, Any]] = [
    {"box": [[2, 0, 2], [6, 0, 7]], "block": "oak_planks", "hollow": False},
    {"fill": [[2, 1, 2], [2, 3, 7]], "block": "cobblestone"},
    {"place": [3, 1, 2], "block": "oak_door[facing=south]"},
    {"place": [4, 1, 4], "block": "red_bed[facing=east]"},
    {"place": [3, 2, 5], "block": "wall_torch[facing=east]"},
    {"fill": [[3, 1, 7], [6, 1, 7]], "block": "oak_fence"},
    {"fill": [[6, 1, 5], [6, 1, 6]], "block": "oak_fence"},
    {"place": [5, 1, 2], "block": "oak_stairs[facing=west]"},
    {"place": [5, 1, 3], "block": "oak_stairs[facing=north]"},
    {"place": [3, 1, 6], "block": "oak_slab[type=double]"},
]


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("mirror", [None, "x", "z"])
@pytest.mark.parametrize("turn", [0, 1, 2, 3])
def test_copy(turn: int, mirror: Any, exact: bool) -> None:
    world, first = world_of(*HUT)
    assert first.refused == {}
    before = blocks_of(world)
    box = [[2, 0, 2], [6, 3, 7]]
    copy = {"copy": box, "to": [20, 0, 20], "turn": turn, "mirror": mirror, "exact": exact}
    result = run_commands(read_commands(json.dumps([copy])), world)
    assert (result.status, result.refused) == ("ok", {})
    wanted = copied(list(before.items()), (2, 0, 2), (5, 4, 6), (20, 0, 20), turn=turn, mirror=mirror)
    assert {where: state for where, state in blocks_of(world).items() if where not in before} == wanted


def test_a_copy_over_its_source_holds_what_was_there_before() -> None:
    world, result = world_of(
        {"fill": [[2, 0, 2], [4, 0, 2]], **STONE},
        {"place": [2, 1, 2], "block": "oak_planks"},
        {"copy": [[2, 0, 2], [4, 1, 2]], "to": [3, 0, 2]},
    )
    assert blocks_of(world) == {
        **{(x, 0, 2): "stone" for x in (2, 3, 4, 5)},
        (2, 1, 2): "oak_planks",
        (3, 1, 2): "oak_planks",
    }
    assert result.refused == {"same block already there": 2}


def test_a_copy_below_ground_takes_soil_along() -> None:
    world, _ = world_of({"copy": [[2, -1, 2], [3, -1, 2]], "to": [5, 0, 5], "exact": True})
    assert world.at((5, 0, 5)) == world.at((6, 0, 5)) == "grass_block[snowy=false]"


def test_what_finds_no_hold_stays_refused() -> None:
    world, result = world_of(
        {"line": [[2, 5, 2], [4, 5, 2]], **STONE, "exact": True},
        {"copy": [[2, 5, 2], [4, 5, 2]], "to": [10, 7, 10]},
    )
    assert result.refused == {"nothing to place on": 3}
    assert len(blocks_of(world)) == 3


# Limits


def test_calls_are_limited() -> None:
    world, result = world_of({"place": [0, 0, 0], **STONE}, {"fill": [[2, 0, 2], [9, 9, 9]], **STONE}, calls=300)
    assert (result.status, result.error, result.calls, result.placed) == ("limit", "calls", 300, 300)
    assert result.message == "the commands made more than 300 calls, in entry 2 (fill)"
    assert len(blocks_of(world)) == 300
    _, all_of_it = world_of({"fill": [[0, 0, 0], [9, 0, 9]], **STONE}, calls=100)
    assert all_of_it.status == "ok"


@pytest.mark.parametrize("exact", [False, True])
def test_blocks_are_limited(exact: bool) -> None:
    fill = {"fill": [[0, 0, 0], [9, 0, 9]], **STONE, "exact": exact}
    _, result = world_of({"place": [0, 0, 0], **STONE}, fill, {"remove": [0, 0, 0]}, blocks=50)
    assert (result.status, result.error) == ("limit", "blocks")
    assert result.message == "the commands built in more than 50 cells, in entry 2 (fill)"
    assert result.placed == 51
    _, result = world_of(fill, {"fill": [[0, 0, 0], [9, 0, 9]], "block": "dirt"}, blocks=100)
    assert (result.status, result.placed) == ("ok", 200)


def test_time_is_limited() -> None:
    world, result = world_of({"place": [0, 0, 0], **STONE}, seconds=0)
    assert (result.status, result.error, result.placed) == ("timeout", "", 0)
    assert result.message == "stopped after 0 s, in entry 1 (place)"
    assert blocks_of(world) == {}


def test_the_log_is_limited() -> None:
    commands: Sequence[dict[str, Any]] = [{"place": [0, 9, 0], **STONE}] * 100
    _, result = world_of(*commands, log_bytes=200)
    assert result.refused == {"nothing to place on": 100}
    assert 0 < sum(len(text) + 1 for text in result.log) <= 200


def test_many_cells_in_one_command() -> None:
    _, result = world_of({"fill": [[0, 0, 0], [62, 10, 28]], **STONE, "exact": True}, blocks=MOST_CELLS)
    assert (result.status, result.placed) == ("ok", 63 * 11 * 29)


def test_nothing_is_a_program_too() -> None:
    world, result = world_of()
    assert (result.status, result.placed, result.calls, result.refused, result.log) == ("ok", 0, 0, {}, ())
    assert blocks_of(world) == {}
