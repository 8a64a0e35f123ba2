"""The calls of programs, each by itself, over a world of whole blocks."""

import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_world import PlainWorld

from minece.agent_bridge.offline import OfflineWorld
from minece.agent_bridge.sights import SIGHT
from minece.agent_bridge.skills import MOST_FILLED, Skills


class Told(Skills):
    """Skills over a world of their own, and the lines that they write."""

    def __init__(self) -> None:
        self.world = PlainWorld()
        self.lines: list[str] = []
        super().__init__(self.world, self.lines.append)


def test_coordinates_are_floored():
    skills = Told()
    assert skills.call("placeBlock", ["stone", 2.9, 0.0, -0.1, None])
    assert skills.world.blocks() == {(2, 0, -1): "stone"}
    assert (skills.placed, skills.cells) == (1, {(2, 0, -1)})


@pytest.mark.parametrize("wrong", [None, "3", True, math.nan, math.inf, -math.inf, 1e300, 30_000_001, 10**20])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_what_is_no_number_is_no_cell(wrong, axis):
    skills = Told()
    place: list[Any] = [1, 0, 1]
    place[axis] = wrong
    for name, values in [
        ("placeBlock", ["stone", *place]),
        ("placeAt", ["stone", *place, 0, -1, 0]),
        ("setBlock", ["stone", *place]),
        ("fill", ["stone", 0, 0, 0, *place]),
        ("breakBlockAt", place),
        ("goToPosition", place),
        ("tillAndSow", place),
    ]:
        assert skills.call(name, values) is False
    assert skills.refused == {"no such cell": 7}
    assert skills.call("blockAt", place) is None
    assert not skills.world.blocks() and not skills.placed


@pytest.mark.parametrize("name", ["stonne", "Stone", "", "oak_stairs[", "a b", None, 3, True, "x" * 5000])
def test_what_is_no_block_is_refused_and_told_once(name):
    skills = Told()
    for call in ("placeBlock", "placeBlock", "setBlock"):
        assert skills.call(call, [name, 1, 0, 1]) is False
    assert skills.refused == {"no such block": 3}
    assert len(skills.lines) == 1 and skills.lines[0].startswith("Invalid block type: ")
    assert len(skills.lines[0]) < 100


def test_refusals_are_counted_by_reason():
    skills = Told()
    answers = [skills.call("placeBlock", ["stone", 1, y, 1]) for y in (0, 0, 5)]
    answers.append(skills.call("breakBlockAt", [9, 9, 9]))
    assert answers == [True, False, False, False]
    assert skills.refused == {"same block already there": 1, "nothing to place on": 1, "nothing to break": 1}
    assert skills.placed == 1


def test_air_breaks():
    skills = Told()
    assert skills.call("placeBlock", ["stone", 1, 0, 1])
    assert skills.call("placeBlock", ["air", 1, 0, 1])
    assert not skills.world.blocks()
    assert skills.placed == 1


@pytest.mark.parametrize(
    ("word", "side"),
    [
        (None, "down"),
        ("bottom", "down"),
        ("top", "up"),
        ("north", "north"),
        ("west", "west"),
        ("side", "east"),
        ("sideways", "down"),
        (7, "down"),
    ],
)
def test_place_on_names_the_neighbour(word, side):
    skills = Told()
    skills.world.cells[6, 3, 5] = "stone"
    assert skills.call("placeBlock", ["torch", 5, 3, 5, word])
    assert skills.world.asked == [("place", (5, 3, 5), "torch", side)]


def test_a_side_of_mineflayer_names_the_neighbour():
    skills = Told()
    assert skills.call("placeAt", ["stone", 1, 0, 1, 0, -1, 0])
    assert skills.call("placeAt", ["stone", 2, 0, 1, -1, 0, 0])
    assert [on for _, _, _, on in skills.world.asked] == ["down", "west"]


def test_properties_may_be_named():
    skills = Told()
    assert skills.call("placeBlock", ["minecraft:oak_stairs[facing=east]", 1, 0, 1])
    assert skills.world.asked[0][2] == "oak_stairs[facing=east]"
    assert skills.call("setBlock", ["oak_slab[type=top]", 9, 9, 9])
    assert skills.world.at((9, 9, 9)) == "oak_slab[type=top,waterlogged=false]"
    assert skills.placed == 2


def test_a_fill_counts_each_cell():
    skills = Told()
    assert skills.call("fill", ["stone", 3, 1, 0, 1, 0, 0])
    assert (skills.placed, len(skills.cells)) == (6, 6)
    assert skills.call("fill", ["stone", 3, 0, 0, 4, 0, 0]) is False
    assert (skills.placed, skills.refused) == (7, {"same block already there": 1})
    assert skills.call("fill", ["air", 1, 0, 0, 4, 1, 0]) is False
    assert not skills.world.blocks() and skills.placed == 7


def test_a_fill_that_is_too_large_is_one_refusal():
    skills = Told()
    assert skills.call("fill", ["stone", 0, 0, 0, MOST_FILLED, 0, 0]) is False
    assert skills.call("fill", ["stone", -3e7, -3e7, -3e7, 3e7, 3e7, 3e7]) is False
    assert skills.refused == {"too many blocks": 2}


def test_a_builder_goes_where_it_is_sent():
    skills = Told()
    assert skills.call("goToPosition", [3, 1, -2])
    assert skills.world.position == (3.5, 1.0, -1.5)
    assert skills.call("goToPosition", [3.25, 1.5, -2.75])
    assert skills.call("position", []) == [3.25, 1.5, -2.75]
    assert skills.call("moveAway", [4])
    assert skills.world.position == (7.25, 1.5, -2.75)
    assert skills.call("goToPosition", [20_000, 0, 0]) is False
    assert skills.call("moveAway", [1e9]) is False
    assert skills.refused == {"out of reach": 2}


def test_digging_down_ends_where_there_is_nothing():
    skills = Told()
    assert skills.call("digDown", [3])
    assert skills.world.position == (0.5, -3.0, 0.5)
    skills.world.cells[0, -5, 0] = "air"
    assert skills.call("digDown", [3]) is False
    assert skills.refused == {"nothing to break": 1}


def test_blocks_are_seen_nearest_first():
    skills = Told()
    for x, block in ((3, "stone"), (2, "oak_planks"), (-4, "stone"), (5, "oak_door[half=lower]")):
        skills.world.cells[x, 0, 0] = block
    assert [row[:4] for row in skills.call("near", ["stone", 16, 5])] == [[3, 0, 0, "stone"], [-4, 0, 0, "stone"]]
    assert [row[3] for row in skills.call("near", ["oak_planks,stone", 16, 2])] == ["oak_planks", "stone"]
    assert skills.call("near", ["stone", 2, 5]) == []
    assert skills.call("near", ["", 16, 5]) == []
    assert skills.call("nearTypes", [4]) == ["grass_block", "dirt", "oak_planks", "stone"]
    assert skills.call("goToNearestBlock", ["oak_door", 2, 16])
    assert skills.world.position == (3.5, 0.0, 0.5)
    assert skills.call("useDoor", []) and skills.call("useDoor", [5, 0, 0])
    assert skills.call("useDoor", [2, 0, 0]) is False
    assert skills.call("goToNearestBlock", ["gold_block"]) is False
    assert skills.call("activateNearestBlock", ["stone"])
    assert skills.lines == ["Could not find a door to use.", "Could not find any gold_block in reach."]


def test_the_nearest_free_space_stands_on_something():
    skills = Told()
    assert skills.call("freeSpace", [1, 8]) == (0, 0, 0)
    for x in range(-2, 3):
        for z in range(-2, 3):
            skills.world.cells[x, 0, z] = "stone"
    assert skills.call("freeSpace", [1, 8]) == (0, 1, 0)
    skills.world.cells[0, -1, 0] = skills.world.cells[0, 0, 0] = "air"
    assert skills.call("freeSpace", [6, 1]) is None


def test_above_the_head_is_the_first_block_that_is_not_ignored():
    skills = Told()
    assert skills.call("aboveHead", []) == "none"
    skills.world.cells[0, 4, 0] = "oak_leaves"
    skills.world.cells[0, 6, 0] = "stone"
    assert skills.call("aboveHead", []) == "oak_leaves"
    assert skills.call("aboveHead", ["oak_leaves", 32]) == "stone"
    assert skills.call("aboveHead", ["oak_leaves", 3]) == "none"


def test_soil_is_tilled_and_sown():
    skills = Told()
    assert skills.call("tillAndSow", [1, -1, 1, "wheat_seeds"])
    assert skills.world.blocks() == {(1, -1, 1): "farmland[moisture=0]", (1, 0, 1): "wheat[age=0]"}
    assert skills.call("tillAndSow", [2, -1, 1, "gold_ingot"]) is False
    assert skills.call("tillAndSow", [2, 0, 1]) is False
    assert skills.lines == ["Cannot sow gold_ingot.", "Cannot till air."]


def test_what_is_not_offered_says_so():
    skills = Told()
    assert skills.call("notOffered", ["craftRecipe"]) is False
    assert skills.call("discard", ["stone"]) is False
    assert skills.call("equip", ["diamond_pickaxe"]) is True
    assert skills.call("equip", [None]) is False
    assert skills.lines == [
        "craftRecipe is not offered here.",
        "You do not have any stone to discard.",
        "None is not an item.",
    ]


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.integers(-20, 20),
    st.floats(),
    st.floats(-20, 20),
    st.text(max_size=20),
    st.sampled_from(["stone", "air", "oak_door", "red_bed", "torch", "oak_stairs[facing=up]", "side", "top", "water"]),
)


@settings(max_examples=50)
@given(st.lists(st.tuples(st.integers(0, 30), st.lists(VALUES, max_size=8)), max_size=6))
def test_no_call_ever_raises(calls):
    world = OfflineWorld()
    skills = Skills(world)
    names = sorted(skills.names)
    for number, values in calls:
        answer = skills.call(names[number % len(names)], values)
        json.dumps(answer, allow_nan=False)
    build = world.build()
    assert skills.placed >= bool(len(build.blocks)) or world.read((0, 0, 0), (SIGHT, SIGHT, SIGHT)) == []
