"""A palette as arrays."""

from __future__ import annotations

import numpy as np
import pytest

from minece.blocks import FACES, OFFSETS
from minece.blocks.palette import ALONE, LOWER, UPPER, PaletteTable
from minece.blocks.states import canonical_state

PALETTE = tuple(
    map(
        canonical_state,
        ("stone", "sand", "oak_leaves", "water", "wall_torch[facing=east]", "oak_slab[type=double]",
         "oak_door[half=lower]", "oak_door[half=upper]", "red_bed[part=foot,facing=west]", "lilac[half=upper]", "a:b"),
    )
)  # fmt: skip


def test_arrays_agree_with_the_catalogue() -> None:
    table = PaletteTable.of(PALETTE)
    assert len(table) == len(PALETTE)
    assert [info.state for info in table.info] == list(PALETTE)
    assert table.material[4] == "wall_torch"
    assert table.structural.tolist() == [True, True, False, False, False, True, False, False, True, False, True]
    assert table.gravity.tolist() == [i == 1 for i in range(11)]
    assert table.leaves.tolist() == [i == 2 for i in range(11)]
    assert table.fluid.tolist() == [i == 3 for i in range(11)]
    assert table.attachment.tolist() == [i in (4, 6, 7, 9) for i in range(11)]
    assert table.items.tolist() == [2 if i == 5 else 1 for i in range(11)]
    assert table.hold_faces[4].tolist() == [face == "west" for face in FACES]
    assert not table.hold_faces[0].any()
    assert table.matches(frozenset({"stone", "a:b"})).tolist() == [i in (0, 10) for i in range(11)]


def test_halves() -> None:
    table = PaletteTable.of(PALETTE)
    assert table.half.tolist() == [ALONE] * 6 + [LOWER, UPPER, LOWER, UPPER, ALONE]
    assert table.other_half[6].tolist() == OFFSETS[FACES.index("up")].tolist()
    assert table.other_half[8].tolist() == OFFSETS[FACES.index("west")].tolist()
    assert table.pair[6] == table.pair[7] != table.pair[8]


def test_tables_are_read_only_and_kept() -> None:
    table = PaletteTable.of(PALETTE)
    assert PaletteTable.of(PALETTE) is table
    for array in (table.substance, table.structural, table.items, table.hold_faces, table.half, table.pair,
                  table.matches(frozenset({"stone"}))):  # fmt: skip
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_an_empty_palette() -> None:
    table = PaletteTable.of(())
    assert table.hold_faces.shape == (0, 6) and table.other_half.shape == (0, 3)
    assert table.matches(frozenset({"stone"})).dtype == np.bool_


def test_many_strange_states_cost_bounded_memory() -> None:
    """Caches are bounded: a hostile palette cannot fill the memory for good."""
    from minece.blocks import catalogue, orient, states, tables

    for kept in (states.canonical_state, states.material_of, catalogue.describe, orient.turn_state,
                 orient.mirror_state, PaletteTable.of, tables.block, tables.boxes):  # fmt: skip
        assert kept.cache_info().maxsize is not None
    table = PaletteTable.of(tuple(f"mod:thing{i}[a={i}]" for i in range(20000)))
    assert table.structural.all() and not table.half.any()
    assert catalogue.describe.cache_info().currsize <= 16384
