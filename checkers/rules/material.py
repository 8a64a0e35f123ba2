"""Material: what is it made of, and how much of it was used?"""

from __future__ import annotations

import numpy as np

from minece.blocks import Mask
from minece.blocks.items import item_cells, partners
from minece.blocks.palette import UPPER
from minece.checkers.parameters import Bound, Materials, Share, Stock
from minece.checkers.regions import ALL, Region
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import asked, place
from minece.checkers.wording import count as counted

MOST = Share(0.9)


@rule("material")
def count(
    scene: Scene, *, bound: Bound, materials: Materials | None = None, region: Region = ALL, items: bool = False
) -> Finding:
    """There are as many cells, or items, of a material as the bound asks for.

    ``materials``: what to count; every block where none are given. ``region``: where to count. ``items``: count
    items instead of cells: a door or a bed is one item in two cells, a double slab two items in one cell. An item
    lies in the region when one of its cells does; a lone half of a door or a bed is no item.

    Measures the number of cells or items.
    """
    inside = region.mask(scene)
    halves = scene.cells[:0]
    if items:
        ids = frozenset(scene.blocks.table.material) if materials is None else materials.ids
        found = item_cells(scene.blocks, ids)
        here = inside[scene.blocks.locate(found.cells)] | inside[scene.blocks.locate(found.others)]
        number = int(found.counts[here].sum())
        halves = found.halves[inside[scene.blocks.locate(found.halves)]]
        cells = np.concatenate([found.cells[here], halves])
    else:
        mask = inside if materials is None else inside & scene.blocks.is_material(materials.ids)
        number = int(mask.sum())
        cells = scene.cells[mask]
    ok = bound.holds(number)
    unit = counted(number, "item" if items else "cell")
    what = "" if materials is None else f" of {materials}"
    text = f"{unit}{what} {'is' if number == 1 else 'are'} in {region}; {asked(bound, ok, counted=True)}"
    if not ok:
        text += f": {_change(bound.off(number))}"
    if len(halves):
        text += f", and complete the lone {'half' if len(halves) == 1 else 'halves'} at {place(halves)}"
    if not ok and not len(cells):
        cells = scene.cells[inside] if inside.any() else scene.cells
    return finding(ok, number, bound.required, f"{text}.", cells)


@rule("material", unit="blocks")
def only(
    scene: Scene,
    *,
    materials: Materials,
    region: Region = ALL,
    besides: Materials | None = None,
    attachments: bool = False,
) -> Finding:
    """A region is made of the materials and nothing else, and it is not empty.

    ``besides``: materials that may stand in the region too without being looked at, such as lamps or doors.
    ``attachments``: true leaves torches, ladders, doors and whatever else another block's face holds out too.

    Measures the blocks of the materials; required are all blocks that are looked at, and at least one.
    """
    judged = region.mask(scene)
    if besides is not None:
        judged = judged & ~scene.blocks.is_material(besides.ids)
    if attachments:
        judged = judged & ~scene.attachment
    right = judged & scene.blocks.is_material(materials.ids)
    number, total = int(right.sum()), int(judged.sum())
    if not total:
        text = f"0 blocks of {materials} are in {region}; there must be at least one."
        return finding(False, 0, {"at_least": 1}, text, scene.cells)
    if number == total:
        return finding(True, number, total, f"All {number} blocks looked at are of {materials}.", scene.cells[right])
    wrong = judged & ~right
    text = f"{number} of {counted(total, 'block')} in {region} {'is' if number == 1 else 'are'} of {materials}"
    cells = scene.cells[wrong]
    text += f"; replace the {_names(scene, wrong)} at {place(cells)}."
    return finding(False, number, total, text, cells)


@rule("material")
def share(scene: Scene, *, materials: Materials, region: Region = ALL, at_least: Share = MOST) -> Finding:
    """At least a share of a region's cells is made of the materials.

    Measures the share, rounded down to four digits.
    """
    inside = region.mask(scene)
    required: Measure = {"at_least": float(at_least)}
    wanted = f"at least {at_least:g}"
    total = int(inside.sum())
    if not total:
        text = f"There is no block in {region}, so the share of {materials} is 0."
        return finding(False, 0, required, text, scene.cells)
    right = inside & scene.blocks.is_material(materials.ids)
    number = int(right.sum())
    measured = number * 10_000 // total / 10_000
    text = f"A share of {measured:g} of the {counted(total, 'block')} in {region} is of {materials}"
    if number >= at_least * total - 1e-9:
        return finding(True, measured, required, f"{text}; {wanted} was asked for.", scene.cells[right])
    wrong = inside & ~right
    cells = scene.cells[wrong]
    text += f"; {wanted} is asked for: replace {_names(scene, wrong)}, as at {place(cells[:1])}."
    return finding(False, measured, required, text, cells)


@rule("material")
def budget(scene: Scene, *, stock: Stock) -> Finding:
    """No more is used of any material than the stock holds, and nothing that it does not hold.

    Counted are items: a door is one, a double slab two, a lone half of a door as much as a whole one. Doors, torches
    and water are outside the stock like everything else that it does not name. Where two entries of the stock name a
    material, it is taken from the first.

    Measures the items used of each entry, and the blocks outside the stock.
    """
    blocks = scene.blocks
    table = blocks.table
    entry = np.full(len(blocks.palette), -1, dtype=np.int64)
    extra = entry.copy()
    for number, (_, ids, _) in reversed(list(enumerate(stock.items))):
        for i, info in enumerate(table.info):
            if info.material in ids or info.item in ids:
                entry[i] = number
            if info.extra_item in ids:
                extra[i] = number
    taken = np.ones(len(blocks), dtype=np.bool_)
    if table.half.any():
        taken = ~((table.half[blocks.index] == UPPER) & (partners(blocks) >= 0))
    cells_of = np.bincount(blocks.index[taken], minlength=len(table))
    used = [0] * len(stock.items)
    for i, info in enumerate(table.info):
        if info.extra_item and extra[i] < 0:
            entry[i] = -1
        if entry[i] >= 0:
            used[entry[i]] += int(cells_of[i]) * info.items
            if info.extra_item:
                used[extra[i]] += int(cells_of[i])
    outside = (entry < 0)[blocks.index]
    strange = int(outside.sum())
    measured: dict[str, Measure] = {name: n for (name, _, _), n in zip(stock.items, used, strict=True)}
    measured["outside"] = strange
    required: dict[str, Measure] = {name: {"at_most": most} for name, _, most in stock.items}
    required["outside"] = 0
    over = [n > most for (_, _, most), n in zip(stock.items, used, strict=True)]
    listed = ", ".join(f"{n} {name} of {most} in stock" for (name, _, most), n in zip(stock.items, used, strict=True))
    text = f"The build takes {listed}, and {counted(strange, 'block')} outside the stock"
    if not strange and not any(over):
        return finding(True, measured, required, f"{text}.", scene.cells)
    if strange:
        cells = scene.cells[outside]
        text += f": take away the {_names(scene, outside)} at {place(cells)}."
    else:
        spent = np.array([e >= 0 and over[e] for e in entry.tolist()])[blocks.index]
        cells = scene.cells[spent]
        much = " and ".join(
            f"{n - most} {name}" for (name, _, most), n in zip(stock.items, used, strict=True) if n > most
        )
        text += f": take {much} away."
    return finding(False, measured, required, text, cells)


def _change(steps: int) -> str:
    return f"add {steps}" if steps > 0 else f"take {-steps} away"


def _names(scene: Scene, mask: Mask) -> str:
    """The materials of the mask's blocks, the most frequent first, three at most."""
    table = scene.blocks.table
    numbers: dict[str, int] = {}
    for i, n in enumerate(np.bincount(scene.blocks.index[mask], minlength=len(table)).tolist()):
        if n:
            numbers[table.material[i]] = numbers.get(table.material[i], 0) + n
    names = sorted(numbers, key=lambda name: (-numbers[name], name))
    return ", ".join(names[:3]) + (" and others" if len(names) > 3 else "")
