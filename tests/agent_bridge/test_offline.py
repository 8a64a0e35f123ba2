"""The world in memory: what a builder may do, what is recorded, and what is built in the end."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minece
from minece.agent_bridge import OfflineWorld
from minece.agent_bridge.clicks import Cell
from minece.tasks.task import Limits


def world(**how: object) -> OfflineWorld:
    return OfflineWorld(**how)  # type: ignore[arg-type]


def test_a_placed_block_stands_and_is_in_the_log():
    place = world()
    assert place.place((2, 0, 2), "stone").done
    build = place.build()
    assert build.blocks.cells.tolist() == [[2, 0, 2]]
    assert build.log is not None and build.log.events() == [["place", 2, 0, 2, "stone"]]


@pytest.mark.parametrize(
    ("cell", "block", "reason"),
    [
        ((2, 5, 2), "stone", "nothing to place on"),
        ((2, 0, 2), "stonne", "no such block"),
        ((2, 0, 2), "oak_stairs[facing=up]", "no such block"),
        ((2, 0, 2), "resin_bricks", "no such block"),
        ((-1, 0, 2), "stone", "outside the plot"),
        ((2, 99, 2), "stone", "outside the plot"),
        ((2, -40, 2), "stone", "outside the plot"),
        ((2, -1, 2), "grass_block", "same block already there"),
        ((2, 0, 2), "fire", "no item places it"),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(cell: Cell, block: str, reason: str):
    place = world(version="1.20.4")
    outcome = place.place(cell, block)
    assert (outcome.done, outcome.reason) == (False, reason)
    assert len(place.build().blocks) == 0


def test_a_block_in_the_way_is_replaced_in_one_placement():
    place = world()
    place.place((2, 0, 2), "dirt")
    assert place.place((2, 0, 2), "stone").done
    build = place.build()
    assert build.log is not None
    assert build.log.events() == [["place", 2, 0, 2, "dirt"], ["place", 2, 0, 2, "stone"]]


def test_soil_gives_way_to_a_block_and_is_dug():
    place = world()
    assert place.place((2, -1, 2), "stone").done
    assert place.remove((3, -1, 2)).done
    build = place.build()
    assert build.blocks.cells.tolist() == [[2, -1, 2]] and build.dug.tolist() == [[3, -1, 2]]
    assert place.remove((3, -1, 2)).reason == "nothing to break"


def test_joining_is_no_placement():
    place = world()
    place.place((2, 0, 2), "oak_fence")
    place.place((3, 0, 2), "oak_fence")
    build = place.build()
    assert build.log is not None and len(build.log) == 2
    assert "east=true" in place.at((2, 0, 2)) and "west=true" in place.at((3, 0, 2))
    assert minece.Build.from_log(build.log).blocks == build.blocks


def test_doors_and_beds_get_both_halves_and_go_together():
    place = world()
    outcome = place.place((2, 0, 2), "oak_door")
    assert [change.cell for change in outcome.changes] == [(2, 0, 2), (2, 1, 2)]
    place.place((5, 0, 5), "red_bed")
    assert sorted(map(tuple, place.build().blocks.cells.tolist())) == [(2, 0, 2), (2, 1, 2), (5, 0, 4), (5, 0, 5)]
    assert place.remove((2, 1, 2)).done and place.remove((5, 0, 4)).done
    assert len(place.build().blocks) == 0


def test_a_double_slab_takes_two_uses_and_counts_as_two():
    place = world(stock={"oak_slab": 3})
    assert place.place((2, 0, 2), "oak_slab[type=double]").done
    assert place.stock == {"oak_slab": 1}
    assert place.place((4, 0, 2), "oak_slab[type=double]").reason == "stock used up"
    assert place.place((4, 0, 2), "oak_slab").done
    assert place.place((6, 0, 2), "stone").reason == "stock used up"


@pytest.mark.parametrize(
    ("block", "steps"),
    [
        ("potted_poppy", 2),
        ("candle_cake", 2),
        ("water_cauldron[level=3]", 2),
        ("candle[candles=3]", 3),
        ("snow[layers=8]", 8),
    ],
)
def test_what_takes_several_uses_gets_them(block: str, steps: int):
    place = world()
    outcome = place.place((2, 0, 2), block)
    assert outcome.done, outcome.reason
    assert place.at((2, 0, 2)).startswith(block.rstrip("]"))
    assert sum(change.kind == "placed" for change in outcome.changes) == steps


@pytest.mark.parametrize(
    ("first", "then"),
    [("oak_slab", "oak_slab[type=double]"), ("candle[candles=2]", "candle[candles=3]"), ("flower_pot", "potted_poppy")],
)
def test_what_is_there_already_is_added_to(first: str, then: str):
    place = world()
    place.place((2, 0, 2), first)
    before = len(place.build().log or ())
    outcome = place.place((2, 0, 2), then)
    assert outcome.done and [change.kind for change in outcome.changes] == ["placed"]
    assert len(place.build().log or ()) == before + 1


def test_a_box_tells_where_something_was_placed():
    place = world()
    place.place((1, 0, 1), "dirt")
    assert place.fill((1, -1, 1), (2, 0, 1), "dirt").cells == {(1, -1, 1), (2, -1, 1), (2, 0, 1)}


def test_soil_that_follows_what_lies_on_it_is_no_block():
    place = world()
    assert place.place((2, 0, 2), "snow").done
    assert place.at((2, -1, 2)) == "grass_block[snowy=true]"
    build = place.build()
    assert build.blocks.cells.tolist() == [[2, 0, 2]] and build.log is not None and len(build.log) == 1


def test_what_is_taken_away_is_in_the_stock_again():
    place = world(stock={"#planks": 1})
    assert place.place((2, 0, 2), "oak_planks").done
    assert place.place((3, 0, 2), "birch_planks").reason == "stock used up"
    place.remove((2, 0, 2))
    assert place.place((3, 0, 2), "birch_planks").done


def test_the_number_of_blocks_is_limited():
    place = world(limits=Limits(blocks=2))
    tally = place.fill((1, 0, 1), (3, 0, 1), "stone")
    assert (tally.asked, tally.done, tally.refused) == (3, 2, {"too many blocks": 1})
    assert place.place((1, 0, 1), "dirt").done, "replacing adds none"


def test_exact_states_stand_as_they_are():
    place = world()
    assert place.set([(2, 7, 2), (3, 7, 2)], ["oak_fence", "wall_torch[facing=east]"]).done
    assert "east=false" in place.at((2, 7, 2))
    assert place.set([(2, 7, 2)], ["nothing_such"]).reason == "no such block"
    assert place.set([(2, 7, 2)], ["air"]).done


def test_a_box_is_filled_in_snake_order():
    place = world()
    place.fill((1, 0, 1), (2, 0, 3), "stone")
    log = place.build().log
    assert log is not None
    assert [row[1:4] for row in log.events()] == [[1, 0, 1], [1, 0, 2], [1, 0, 3], [2, 0, 3], [2, 0, 2], [2, 0, 1]]


def test_a_huge_box_is_refused_before_any_work():
    tally = world(bounded=False).fill((0, 0, 0), (10**6, 10**6, 10**6), "stone")
    assert tally.done == 0 and list(tally.refused) == ["too many blocks"]


def test_when_the_time_is_over_the_rest_is_refused():
    place = world()
    place.deadline = time.monotonic() - 1
    assert place.fill((1, 0, 1), (2, 0, 3), "stone").refused == {"no time left": 6}


def test_turns_go_on_from_what_stands():
    place = world()
    place.place((2, 0, 2), "stone")
    first = place.end_turn()
    place.place((2, 1, 2), "stone")
    place.remove((2, 0, 2))
    second = place.end_turn()
    assert first.blocks.cells.tolist() == [[2, 0, 2]] and second.blocks.cells.tolist() == [[2, 1, 2]]
    assert second.log is not None and second.log.first == 1


def test_reading_gives_soil_and_blocks():
    place = world()
    place.place((2, 0, 2), "stone")
    found = dict(place.read((2, -2, 2), (2, 1, 2)))
    assert found == {(2, -2, 2): "dirt", (2, -1, 2): "grass_block[snowy=false]", (2, 0, 2): "stone"}


_BLOCKS = ["stone", "oak_fence", "cobblestone_wall", "glass_pane", "oak_stairs", "oak_slab", "oak_door", "red_bed",
           "torch", "ladder", "air", "oak_fence_gate", "oak_slab[type=double]", "oak_log[axis=x]"]  # fmt: skip
_CELLS = st.tuples(st.integers(0, 3), st.integers(-2, 3), st.integers(0, 3))


@settings(max_examples=150)
@given(st.lists(st.tuples(_CELLS, st.sampled_from(_BLOCKS)), max_size=40))
def test_the_log_leaves_what_stands(wishes: list[tuple[Cell, str]]):
    place = world(limits=Limits(plot=(4, 4), height=4, depth=2))
    tally = place.run(wishes)
    assert tally.done + sum(tally.refused.values()) == tally.asked == len(wishes)
    build = place.build()
    standing = {cell: state for cell, state in place.read((0, -2, 0), (3, 3, 3)) if cell[1] >= 0}
    blocks = build.blocks
    held = {
        (x, y, z): blocks.palette[i]
        for (x, y, z), i in zip(blocks.cells.tolist(), blocks.index.tolist(), strict=True)
        if y >= 0
    }
    assert held == standing
    for x, y, z in build.dug.tolist():
        assert place.at((x, y, z)) == "air"
