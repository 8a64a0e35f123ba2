"""From a wish to what a hand does: break, click, and click again where items add up."""

from __future__ import annotations

import re
from typing import NamedTuple, TypeAlias

from minece.agent_bridge.clicks import Cell, Change, Click, Refusal, Side
from minece.agent_bridge.placing import Plan, plan, take_away, use_item
from minece.agent_bridge.placing.choosing import AMOUNTS
from minece.agent_bridge.placing.refusals import CANNOT
from minece.agent_bridge.terrain import AIR, Sketch
from minece.blocks.catalogue import Substance, describe
from minece.blocks.states import canonical_state, join_state, material_of, split_state

_VESSELS = {
    "flower_pot": re.compile("potted_.+"),
    "cake": re.compile("(.+_)?candle_cake"),
    "cauldron": re.compile(".+_cauldron"),
}
"""What stands there first, and the ids of what is put into it or onto it."""

_MOST_USES = 9


class Dig(NamedTuple):
    """Breaking one cell."""

    cell: Cell


class Use(NamedTuple):
    """Using an item; ``cell`` is where the block is wanted."""

    item: str
    click: Click
    cell: Cell


class Step(NamedTuple):
    """One thing that a hand does, and what it changes."""

    act: Dig | Use
    changes: tuple[Change, ...]


Steps: TypeAlias = list[Step]


def steps_to(sketch: Sketch, cell: Cell, block: str, *, on: Side | None, facing: Side) -> Steps | Refusal:
    """What a hand does so that a cell holds a block, or why it cannot; the sketch takes the changes.

    What stands in the cell is broken first, unless the block could not be placed there even then.
    """
    out: Steps = []
    first, whole = _first_use(block)
    chosen = plan(sketch.at, first, cell, on=on, facing=facing)
    if whole is not None and isinstance(chosen, Refusal):  # what stands there may be less of the same
        chosen = plan(sketch.at, whole, cell, on=on, facing=facing)
    if isinstance(chosen, Refusal) and sketch.at(cell) != AIR and not _is_fluid(sketch.at(cell)):
        broken = take_away(sketch.at, cell)
        if isinstance(broken, Refusal):
            return broken
        out.append(_taken(sketch, Dig(cell), broken))
        chosen = plan(sketch.at, first, cell, on=on, facing=facing)
    for _ in range(_MOST_USES):
        if isinstance(chosen, Refusal):
            return chosen
        changes = use_item(sketch.at, chosen.item, chosen.click)
        if isinstance(changes, Refusal):
            return changes
        out.append(_taken(sketch, Use(chosen.item, chosen.click, cell), changes))
        if whole is None or fits(sketch.at(cell), whole):
            return out
        if material_of(sketch.at(cell)) == material_of(whole):
            again = Click(cell, "up", (0.5, 0.5, 0.5), chosen.click.yaw, 90.0)
            chosen = Plan(chosen.item, again)
        else:
            chosen = plan(sketch.at, whole, cell, on=on, facing=facing)
    return CANNOT


def steps_away(sketch: Sketch, cell: Cell) -> Steps | Refusal:
    """What a hand does to empty a cell, or why it cannot; the sketch takes the changes."""
    if _is_fluid(sketch.at(cell)):
        return Refusal("cannot be taken away by hand")
    changes = take_away(sketch.at, cell)
    return changes if isinstance(changes, Refusal) else [_taken(sketch, Dig(cell), changes)]


def fits(state: str, block: str) -> bool:
    """Whether a state is of the id and has the properties that a wish names.

    >>> fits("oak_slab[type=top,waterlogged=false]", "oak_slab[type=top]")
    True
    """
    name, props = split_state(state)
    wanted, given = split_state(block)
    known = split_state(canonical_state(block))
    return name == known[0] and all(props.get(key) == known[1].get(key, value) for key, value in given.items())


def _is_fluid(state: str) -> bool:
    return describe(state).substance is Substance.FLUID


def _taken(sketch: Sketch, act: Dig | Use, changes: tuple[Change, ...]) -> Step:
    sketch.put((change.cell, change.state) for change in changes)
    return Step(act, changes)


def _first_use(block: str) -> tuple[str, str | None]:
    """The wish for the first use of an item, and that for all together where one use is not enough."""
    name, props = split_state(block)
    if props.get("type") == "double":
        return f"{name}[type=bottom]", block
    for vessel, fits_name in _VESSELS.items():
        if fits_name.fullmatch(name):
            return vessel, block
    for key in AMOUNTS:
        if props.get(key, "1") != "1":
            return join_state(name, {**props, key: "1"}), block
    return block, None
