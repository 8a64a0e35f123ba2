"""Snake order, and what the commands leave."""

import time
import tracemalloc
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.ndimage import label

from minece.blocks import Build
from minece.blocks.items import count_items
from minece.checkers import bind, evaluate
from minece.tasks.commands import Command, run
from minece.tasks.errors import FamilyError
from minece.tasks.expressions import Expression
from minece.tasks.paths import Cell, around, snake

small = st.integers(1, 6)
place = st.integers(-50, 50)
cells = st.tuples(place, place, place)
sizes = st.tuples(small, small, small)


def _plain_snake(low: Cell, size: Cell, last: Cell) -> list[list[int]]:
    """The same, one cell after another: each row and layer starts at the end nearest to the last cell."""
    out: list[list[int]] = []

    def ends(axis: int) -> list[int]:
        line = list(range(low[axis], low[axis] + size[axis]))
        return line[::-1] if abs(last[axis] - line[-1]) < abs(last[axis] - line[0]) else line

    for y in range(low[1], low[1] + size[1]):
        for x in ends(0):
            for z in ends(2):
                out.append([x, y, z])
            last = (x, y, z)
    return out


@given(low=cells, size=sizes, last=cells)
def test_snake_is_the_plain_one(low: Cell, size: Cell, last: Cell) -> None:
    assert snake(low, size, last).tolist() == _plain_snake(low, size, last)
    assert snake(low, size).tolist() == _plain_snake(low, size, low)


@given(low=cells, size=sizes, last=cells)
def test_snake_takes_unit_steps(low: Cell, size: Cell, last: Cell) -> None:
    found = snake(low, size, last)
    assert len(np.unique(found, axis=0)) == len(found) == size[0] * size[1] * size[2]
    assert (np.abs(np.diff(found, axis=0)).sum(axis=1) == 1).all()
    assert found.min(axis=0).tolist() == list(low)
    assert (found.max(axis=0) - found.min(axis=0) + 1).tolist() == list(size)


@given(size=sizes, last=cells)
def test_a_box_is_built_without_detours(size: Cell, last: Cell) -> None:
    build = Build.from_log([[x, y, z, "stone"] for x, y, z in snake((0, 0, 0), size, last).tolist()])
    verdict = evaluate(build, [bind("efficiency", {})])[0]
    assert verdict.score == 1


@given(low=cells, size=sizes, last=cells)
def test_a_ring_is_the_outer_cells_of_each_layer(low: Cell, size: Cell, last: Cell) -> None:
    found = around(low, size, last)
    box = snake(low, size)
    x, _, z = (box - low).T
    outer = box[(x == 0) | (x == size[0] - 1) | (z == 0) | (z == size[2] - 1)]
    assert sorted(map(tuple, found.tolist())) == sorted(map(tuple, outer.tolist()))
    per_layer = len(found) // size[1]
    for layer in found.reshape(size[1], per_layer, 3):
        assert (np.abs(np.diff(layer, axis=0)).sum(axis=1) == 1).all()


def _command(verb: str, name: str = "", do: Sequence[Command] = (), **values: Any) -> Command:
    named = {key.rstrip("_"): Expression(value, f"f.toml: {verb}.{key}") for key, value in values.items()}
    return Command(f"f.toml: {verb}", verb, named, name, tuple(do))


def _events(*commands: Command, **scope: Any) -> list[list[object]]:
    return run(tuple(commands), scope).events()


def test_commands_leave_a_log() -> None:
    events = _events(
        _command("column", at=[0, 0, 0], height=2, block="stone"),
        _command("line", from_=[3, 1, 0], to=[1, 1, 0], block="= wood"),
        _command("put", at=[0, 2, 0], block="= wood"),
        _command("remove", at=[2, 1, 0], size=[2, 1, 1]),
        _command("dig", at=[0, -1, 5], size=[1, 1, 1]),
        wood="oak_planks",
    )
    assert events == [
        ["place", 0, 0, 0, "stone"],
        ["place", 0, 1, 0, "stone"],
        ["place", 1, 1, 0, "oak_planks"],
        ["place", 2, 1, 0, "oak_planks"],
        ["place", 3, 1, 0, "oak_planks"],
        ["place", 0, 2, 0, "oak_planks"],
        ["break", 2, 1, 0],
        ["break", 3, 1, 0],
        ["break", 0, -1, 5],
    ]


def test_omitted_cells_are_never_placed() -> None:
    events = _events(_command("box", at=[0, 0, 0], size=[1, 1, 3], block="stone", omit=[[0, 0, 1]]))
    assert events == [["place", 0, 0, 0, "stone"], ["place", 0, 0, 2, "stone"]]


def test_repetition_binds_names_and_parts_are_used() -> None:
    inner = _command("put", at=["= x", "= y", 0], block="stone")
    rows = _command("repeat", "y", [_command("repeat", "x", [inner], over="= [4, 9]")], over=2)
    log = run((Command("f.toml: use", "use", name="rows"),), {}, parts={"rows": (rows,)})
    assert log.cells.tolist() == [[4, 0, 0], [9, 0, 0], [4, 1, 0], [9, 1, 0]]


def test_later_commands_begin_nearest_to_what_stood() -> None:
    first = run((_command("put", at=[5, 0, 5], block="stone"),), {})
    log = run((_command("box", at=[0, 0, 0], size=[5, 1, 5], block="dirt"),), {}, after=first)
    assert log.cells[:2].tolist() == [[5, 0, 5], [4, 0, 4]]


def test_doors_and_beds_are_two_halves() -> None:
    events = _events(
        _command("door", at=[0, 0, 0], facing="= way"),
        _command("door", at=[1, 0, 0], facing="= way", block="iron_door[open=true]", hinge="right"),
        _command("bed", at=[5, 0, 5], facing="= way"),
        _command("bed", at=[5, 0, 9], facing="north", block="blue_bed"),
        way="west",
    )
    assert [tuple(event[1:4]) for event in events] == [
        (0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (5, 0, 5), (4, 0, 5), (5, 0, 9), (5, 0, 8),
    ]  # fmt: skip
    assert events[3][4] == "iron_door[facing=west,half=upper,hinge=right,open=true,powered=false]"
    assert count_items(Build.from_log(events).blocks).by_item == {
        "oak_door": 1, "iron_door": 1, "red_bed": 1, "blue_bed": 1
    }  # fmt: skip


def test_a_flight_rises_ahead_on_its_fill() -> None:
    flight = {"at": [4, 0, 4], "facing": "north", "steps": 3, "block": "stone_stairs", "fill": "bricks"}
    build = Build.from_log(_events(_command("stairs", width=2, **flight)))
    tread = "stone_stairs[facing=north,half=bottom,shape=straight,waterlogged=false]"
    steps = [(step, y) for step in range(3) for y in range(step + 1)]
    assert build.blocks.rows() == sorted(
        (x, y, 4 - step, tread if y == step else "bricks") for x in (4, 5) for step, y in steps
    )
    thin = Build.from_log(_events(_command("stairs", under=1, **flight))).blocks.rows()
    assert [row[:3] for row in thin if row[3] == "bricks"] == [(4, 0, 3), (4, 1, 2)]


plans = st.tuples(st.integers(1, 9), st.integers(2, 9)).flatmap(st.permutations).filter(lambda plan: min(plan) > 1)


@given(
    start=st.tuples(place, st.integers(0, 3), place),
    facing=st.sampled_from(["north", "east", "south", "west"]),
    steps=st.integers(1, 7),
    width=small,
    under=st.integers(1, 3),
)
def test_every_tread_is_carried_when_it_is_placed(start: Cell, facing: str, steps: int, width: int, under: int) -> None:
    x, height, z = start
    pad = _command("box", at=[x - 6, 0, z - 6], size=[13, height, 13], block="dirt")
    flight = _command("stairs", at=[x, height, z], facing=facing, steps=steps, width=width, under=under)
    build = Build.from_log(_events(pad, flight))
    assert {v.status for v in evaluate(build, [bind("grounded", {}), bind("supported_order", {})])} == {"pass"}


@given(plan=plans, axis=st.sampled_from(["x", "z", ""]), overhang=st.integers(0, 3))
def test_a_roof_closes_a_house_and_is_carried(plan: list[int], axis: str, overhang: int) -> None:
    walls = _command("ring", at=[0, 0, 0], size=[plan[0], 4, plan[1]], block="stone")
    values = {"axis": axis} if axis else {}
    roof = _command("roof", at=[0, 4, 0], size=plan, gable="bricks", overhang=overhang, **values)
    build = Build.from_log(_events(walls, roof))
    assert {v.status for v in evaluate(build, [bind("grounded", {}), bind("supported_order", {})])} == {"pass"}
    along_x = axis == "x" or not axis and plan[0] >= plan[1]
    (x0, _, z0), (x1, top, z1) = build.blocks.low, build.blocks.high
    span, ahead = (plan[1], "north") if along_x else (plan[0], "west")
    assert top == 3 + span // 2
    assert (x0, z0, x1, z1) == (-overhang, -overhang, plan[0] - 1 + overhang, plan[1] - 1 + overhang)
    facings = {state for *_, state in build.blocks.rows() if state.startswith("oak_stairs")}
    assert len(facings) == 2 and any(f"facing={ahead}," in state for state in facings)
    lines = {(x, z) for x, y, z, _ in build.blocks.rows() if y >= 4 - overhang}
    assert lines >= {(x, z) for x in range(x0, x1 + 1) for z in range(z0, z1 + 1)}
    inside = np.zeros((plan[0], top + 1, plan[1]), dtype=np.bool_)
    cells = build.blocks.cells[((build.blocks.cells >= 0) & (build.blocks.cells < inside.shape)).all(axis=1)]
    inside[tuple(cells.T)] = True
    groups, _ = label(np.pad(~inside, ((1, 1), (0, 1), (1, 1)), constant_values=True))
    outside = groups[0, 0, 0]
    assert not (groups[2:-2, 0, 2:-2] == outside).any(), "air gets in"


HUGE = 10**6
BAD = [
    (_command("box", at=[0, 0, 0], size=[HUGE, 1, 1], block="stone"), r"box\.size"),
    (_command("box", at=[0, 0, 0], size=[9999, 9999, 9999], block="stone"), "cells|steps"),
    (_command("box", at=[0, 0, 0], size=[1, -1, 1], block="stone"), "a size of -1"),
    (_command("box", at=[0, 0], size=[1, 1, 1], block="stone"), "three numbers"),
    (_command("box", at=[0, 0, 0.5], size=[1, 1, 1], block="stone"), "whole number"),
    (_command("box", at=[0, 0, 0], size=[1, 1, 1], block=7), "no block"),
    (_command("box", at=[0, 0, 0], size=[1, 1, 1], block="stone", omit=7), "no list"),
    (_command("line", from_=[0, 0, 0], to=[2, 2, 0], block="stone"), "one axis"),
    (_command("dig", at=[0, 0, 0], size=[1, 1, 1]), "no soil above ground"),
    (_command("repeat", "i", [], over=10**9), "times"),
    (_command("repeat", "i", [], over="stone"), "number or list"),
    (_command("use", "nothing"), "no part 'nothing'"),
    (_command("door", at=[0, 0, 0], facing="up"), r"door\.facing: 'up'; take one of north"),
    (_command("door", at=[0, 0, 0], facing="east", hinge="top"), r"door\.hinge"),
    (_command("door", at=[0, 0, 0], facing="east", block="oak_trapdoor"), "none of #doors"),
    (_command("bed", at=[0, 0, 0], facing=["east"]), r"bed\.facing"),
    (_command("bed", at=[0, 0, 0], facing="east", block="bedrock"), "none of #beds"),
    (_command("stairs", at=[0, 0, 0], facing="east", steps=-1), "a size of -1"),
    (_command("stairs", at=[0, 0, 0], facing="east", steps=3, block="stone"), "none of #stairs"),
    (_command("stairs", at=[0, 0, 0], facing="east", steps=9000), "more than 200000 cells|steps"),
    (_command("stairs", at=[0, 0, 0], facing="east", steps=100_000, width=0), "steps"),
    (_command("roof", at=[0, 0, 0], size=[5, 1]), "too small a plan"),
    (_command("roof", at=[0, 0, 0], size=[5, 1, 5]), "two numbers"),
    (_command("roof", at=[0, 0, 0], size=[9, 9], axis="y"), r"roof\.axis"),
    (_command("roof", at=[0, 0, 0], size=[9, 9], overhang=90_000), "cells|steps"),
    (_command("roof", at=[0, 0, 0], size=[9000, 9000]), "cells|steps"),
]


@pytest.mark.parametrize(("command", "message"), BAD)
def test_bad_commands_are_named(command: Command, message: str) -> None:
    with pytest.raises(FamilyError, match=message) as caught:
        run((command,), {})
    assert str(caught.value).startswith(f"f.toml: {command.verb}")


def test_nested_repetition_ends() -> None:
    command = _command("put", at=[0, 0, 0], block="stone")
    for name in "abcdef":
        command = _command("repeat", name, [command], over=100)
    with pytest.raises(FamilyError, match="more than 20000 commands"):
        run((command,), {})


@pytest.mark.parametrize("size", [[10_000, 10_000, 0], [100_000, 0, 100_000], [0, 1, 1]])
@pytest.mark.parametrize("verb", ["box", "ring", "remove", "dig"])
def test_what_places_nothing_does_no_work(verb: str, size: list[int]) -> None:
    values = {} if verb in ("remove", "dig") else {"block": "stone", "omit": "= range(9999)"}
    empty = _command(verb, at=[0, 0, 0], size=size, **values)
    tracemalloc.start()
    start = time.thread_time()
    log = run((empty,) * 5, {})
    assert time.thread_time() - start < 1
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
    assert not len(log)


@pytest.mark.parametrize("over", [9_999, "= range(9999)"])
def test_rounds_of_empty_repetitions_count(over: object) -> None:
    inner = _command("repeat", "x", [], over=over)
    with pytest.raises(FamilyError, match=r"^f\.toml: repeat: more than 20000 commands"):
        run((_command("repeat", "y", [inner], over=3),), {})


def test_parts_that_multiply_end() -> None:
    parts = {f"p{i}": (Command(f"f.toml: parts.p{i}", "use", name=f"p{i + 1}"),) * 4 for i in range(10)}
    parts["p10"] = (_command("box", at=[0, 0, 0], size=[9, 9, 0], block="stone"),)
    start = time.thread_time()
    with pytest.raises(FamilyError, match=r"^f\.toml: .*more than 20000 commands"):
        run((Command("f.toml: use", "use", name="p0"),), {}, parts=parts)
    assert time.thread_time() - start < 2


def test_parts_that_use_each_other_end() -> None:
    one, other = Command("f.toml: a", "use", name="b"), Command("f.toml: b", "use", name="a")
    with pytest.raises(FamilyError, match="nested too deeply"):
        run((one,), {}, parts={"a": (one,), "b": (other,)})
