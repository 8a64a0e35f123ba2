"""Blocks counted as items."""

from __future__ import annotations

import pytest

from minece.blocks import EMPTY, BlockSet
from minece.blocks.catalogue import materials
from minece.blocks.items import count_items, item_cells, partners

STEP = {"north": (0, -1), "south": (0, 1), "east": (1, 0), "west": (-1, 0)}


def test_slabs() -> None:
    """R31: two double slabs and a single one are five slabs in three cells."""
    blocks = BlockSet.from_blocks(
        [(0, 0, 0, "oak_slab[type=double]"), (1, 0, 0, "oak_slab[type=double]"), (2, 0, 0, "oak_slab[type=bottom]")]
    )
    assert count_items(blocks).by_item == {"oak_slab": 5}
    assert item_cells(blocks, frozenset({"oak_slab"})).total == 5


@pytest.mark.parametrize("facing", STEP)
def test_a_whole_bed(facing: str) -> None:
    dx, dz = STEP[facing]
    foot = (5, 2, 5, f"red_bed[part=foot,facing={facing}]")
    head = (5 + dx, 2, 5 + dz, f"red_bed[part=head,facing={facing}]")
    found = item_cells(BlockSet.from_blocks([foot, head]), materials("#beds"))
    assert (found.cells.tolist(), found.others.tolist(), found.total) == ([[5, 2, 5]], [[5 + dx, 2, 5 + dz]], 1)
    assert len(found.halves) == 0
    # The head on the wrong side of the foot is two halves.
    wrong = BlockSet.from_blocks([foot, (5 - dx, 2, 5 - dz, head[3])])
    assert item_cells(wrong, materials("#beds")).total == 0
    assert len(count_items(wrong).halves) == 2


def test_doors() -> None:
    blocks = BlockSet.from_blocks(
        [
            (0, 0, 0, "oak_door[half=lower,facing=east]"),
            (0, 1, 0, "oak_door[half=upper,facing=east,hinge=right,open=true]"),  # other properties may differ
            (2, 0, 0, "oak_door[half=lower,facing=east]"),
            (2, 1, 0, "oak_door[half=upper,facing=west]"),  # faces another way
            (4, 0, 0, "oak_door[half=lower]"),
            (4, 1, 0, "iron_door[half=upper]"),  # another door
            (6, 0, 0, "oak_door[half=lower]"),
            (6, 1, 0, "oak_door[half=lower]"),
            (6, 2, 0, "oak_door[half=upper]"),
        ]
    )
    found = item_cells(blocks, materials("#doors"))
    assert found.cells.tolist() == [[0, 0, 0], [6, 1, 0]]
    assert found.halves.tolist() == [[2, 0, 0], [2, 1, 0], [4, 0, 0], [4, 1, 0], [6, 0, 0]]
    assert count_items(blocks).by_item == {"oak_door": 2}
    assert item_cells(blocks, frozenset({"iron_door"})).halves.tolist() == [[4, 1, 0]]
    assert partners(blocks)[blocks.locate([[0, 1, 0]])[0]] == blocks.locate([[0, 0, 0]])[0]


def test_double_plants() -> None:
    blocks = BlockSet.from_blocks(
        [(0, 0, 0, "lilac[half=lower]"), (0, 1, 0, "lilac[half=upper]"), (1, 0, 0, "tall_grass"), (2, 0, 0, "poppy")]
    )
    items = count_items(blocks)
    assert items.by_item == {"lilac": 1, "poppy": 1}
    assert items.halves.tolist() == [[1, 0, 0]]


def test_items_are_those_that_place_the_block() -> None:
    rows = ["wall_torch", "torch", "potted_poppy", "flower_pot", "candle[candles=3]", "fire", "water", "mod:lamp"]
    blocks = BlockSet.from_blocks([(2 * i, 0, 0, state) for i, state in enumerate(rows)])
    assert count_items(blocks).by_item == {
        "candle": 3, "flower_pot": 2, "mod:lamp": 1, "poppy": 1, "torch": 2, "water_bucket": 1,
    }  # fmt: skip
    assert item_cells(blocks, frozenset({"torch"})).cells.tolist() == [[0, 0, 0], [2, 0, 0]]
    assert item_cells(blocks, frozenset({"wall_torch"})).cells.tolist() == [[0, 0, 0]]


def test_nothing() -> None:
    assert count_items(EMPTY).by_item == {}
    assert item_cells(EMPTY, frozenset({"stone"})).total == 0
    lone = BlockSet.from_blocks([(0, 0, 0, "red_bed[part=head]")])
    assert (count_items(lone).by_item, count_items(lone).halves.tolist()) == ({}, [[0, 0, 0]])
