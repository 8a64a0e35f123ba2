"""Blocks counted as items: a door, a bed or a tall plant is two cells and one item, a double slab the reverse."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minece.blocks.blockset import BlockSet
from minece.blocks.grid import Cells
from minece.blocks.palette import ALONE, LOWER, UPPER, PaletteTable


@dataclass(frozen=True, slots=True)
class Items:
    """Items of a block set.

    ``by_item`` maps item ids to how many of them the blocks took; ``halves`` is (h, 3) int32, the sorted cells of
    door, bed and plant halves that stand alone, which are no items.
    """

    by_item: dict[str, int]
    halves: Cells


@dataclass(frozen=True, slots=True)
class ItemCells:
    """Whole items of some materials.

    ``cells`` is (m, 3) int32, the sorted cells of the items (of a door its lower half, of a bed its foot);
    ``counts`` (m,) int64, items in each; ``others`` (m, 3) int32 the second cell of two-cell items and the cell
    itself elsewhere; ``halves`` (h, 3) int32 the cells of lone halves.
    """

    cells: Cells
    counts: NDArray[np.int64]
    others: Cells
    halves: Cells

    @property
    def total(self) -> int:
        """All items together."""
        return int(self.counts.sum())


def partners(blocks: BlockSet) -> NDArray[np.int64]:
    """(n,) int64: position of the other half of each door, bed or plant half, -1 for lone halves and other blocks.

    The halves of a door face the same way and have one id; a bed's head lies at its foot's facing.
    """
    out = np.full(len(blocks), -1, dtype=np.int64)
    table = blocks.table
    if not table.half.any():
        return out
    lower = np.flatnonzero(table.half[blocks.index] == LOWER)
    kinds = blocks.index[lower]
    there = blocks.locate(blocks.cells[lower] + table.other_half[kinds])
    other = blocks.index[there]
    fits = (there >= 0) & (table.half[other] == UPPER) & (table.pair[other] == table.pair[kinds])
    out[lower[fits]] = there[fits]
    out[there[fits]] = lower[fits]
    return out


def count_items(blocks: BlockSet) -> Items:
    """The items that the blocks took, by item id.

    Blocks that no item places (fire, portals) are left out; a potted plant is a pot and a plant.
    """
    pair = partners(blocks)
    half = blocks.table.half[blocks.index]
    per_state = np.bincount(blocks.index[_whole(half, pair)], minlength=len(blocks.palette))
    by_item: dict[str, int] = {}
    for info, cells in zip(blocks.table.info, per_state.tolist(), strict=True):
        for item, each in ((info.item, info.items), (info.extra_item, 1)):
            if item and cells:
                by_item[item] = by_item.get(item, 0) + each * cells
    return Items(dict(sorted(by_item.items())), blocks.cells[_lone(half, pair)])


def item_cells(blocks: BlockSet, ids: frozenset[str]) -> ItemCells:
    """The items whose block id or item id is one of ``ids`` (``torch`` also finds wall torches)."""
    mine = placed_by(blocks.table, ids)[blocks.index] if len(blocks) else np.zeros(0, dtype=np.bool_)
    pair = partners(blocks)
    half = blocks.table.half[blocks.index]
    whole = np.flatnonzero(_whole(half, pair) & mine)
    counts = blocks.table.items[blocks.index[whole]].astype(np.int64)
    others = np.where(pair[whole] >= 0, pair[whole], whole)
    return ItemCells(blocks.cells[whole], counts, blocks.cells[others], blocks.cells[_lone(half, pair) & mine])


def placed_by(table: PaletteTable, ids: frozenset[str]) -> NDArray[np.bool_]:
    """(k,) bool: states of a palette whose block id or item id is one of ``ids``."""
    by_item = np.array([info.item in ids for info in table.info], dtype=np.bool_)
    return np.logical_or(table.matches(ids), by_item)


def _whole(half: NDArray[np.int8], pair: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Cells that stand for a whole item: single blocks and lower halves with their upper one."""
    whole: NDArray[np.bool_] = (half == ALONE) | ((half == LOWER) & (pair >= 0))
    return whole


def _lone(half: NDArray[np.int8], pair: NDArray[np.int64]) -> NDArray[np.bool_]:
    lone: NDArray[np.bool_] = (half != ALONE) & (pair < 0)
    return lone
