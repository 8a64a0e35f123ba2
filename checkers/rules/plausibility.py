"""Plausibility: would it stay where it is, in the end and while it was built?"""

from __future__ import annotations

import numpy as np

from minece.checkers.parameters import Natural
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, finding, not_applicable
from minece.checkers.wording import count, place

AT_ONCE = Natural(0)


@rule("plausibility", unit="floating blocks")
def grounded(scene: Scene) -> Finding:
    """Nothing floats: faces of structural blocks join every block to one that rests on soil.

    A block rests on soil when the ground or undug soil lies under it, or beside it where it is sunk into the ground.
    Edges and corners do not join; a slab or another partial block joins like the whole cell. Torches, doors and other
    attachments need the face that holds them in the game; sand and gravel need a block or soil under them; leaves hang
    on logs; fluids are left out.

    Measures the floating blocks; none may float.
    """
    solid = ~scene.fluid
    if not solid.any():
        return finding(False, None, 0, "There are only fluids, nothing that could stand.", scene.cells)
    floating = ~scene.carried
    number = int(floating.sum())
    if not number:
        return finding(True, 0, 0, "Every block is joined to the ground by faces.", scene.cells[scene.resting])
    cells = scene.cells[floating]
    lowest = cells[cells[:, 1] == cells[:, 1].min()]
    return finding(
        False,
        number,
        0,
        f"{count(number, 'block')} {'floats' if number == 1 else 'float'}; "
        f"carry the lowest, at {place(lowest[:1])}, by a face of a block that stands.",
        cells,
    )


@rule("plausibility", unit="placements")
def grounded_always(scene: Scene) -> Finding:
    """Nothing floats at any time: after every placement of the log, `grounded` holds for what stands then.

    Scaffolds count while they stand. Not applicable where the order is not known.

    Measures the placements after which something floated; there may be none.
    """
    from minece.checkers.timeline import floating_steps

    if scene.log is None:
        return not_applicable(0, "The order of placements is not known.")
    steps, cells = floating_steps(scene)
    if not len(steps):
        return finding(True, 0, 0, "After every placement all blocks stood.", scene.cells[scene.resting])
    return finding(
        False,
        len(steps),
        0,
        f"After {count(len(steps), 'placement')} something floated, first at {place(cells[:1])}; "
        "place what carries first.",
        cells,
    )


@rule("dependency", unit="blocks too early")
def supported_order(scene: Scene, *, within: Natural = AT_ONCE) -> Finding:
    """Each block that remains had a path of faces to the ground, over blocks that remain, when it was placed.

    ``within``: how many later placements may pass until the path is there; for texts that allow scaffolds.
    Not applicable where the order is not known.

    Measures the blocks that were placed without support; there may be none. The score is the share of blocks placed
    with it.
    """
    from minece.checkers.timeline import supported_from

    if scene.order is None:
        return not_applicable(0, "The order of placements is not known.")
    turn = scene.turn
    late = (supported_from(scene) > turn + within) & ~scene.fluid
    number = int(late.sum())
    if not number:
        return finding(True, 0, 0, "Each block was carried when it was placed.", scene.cells)
    cells = scene.cells[late][np.argsort(turn[late])]
    return finding(
        False,
        number,
        0,
        f"{count(number, 'block')} had nothing to carry {'it' if number == 1 else 'them'} when placed, "
        f"first {place(cells[:1])}; place what carries first.",
        cells,
        1 - number / len(turn),
    )
