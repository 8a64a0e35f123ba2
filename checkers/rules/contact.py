"""What touches what."""

from __future__ import annotations

from typing import Literal

import numpy as np

from minece.blocks.items import partners
from minece.blocks.palette import ALONE
from minece.checkers.parameters import Materials
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import count, place


@rule("shape", unit="blocks")
def adjacent(scene: Scene, *, a: Materials, b: Materials, which: Literal["each", "some"] = "each") -> Finding:
    """Each block, or some block, of one material touches a block of another by a face.

    A door, a bed or a plant of two cells is one block: it touches whatever one of its halves does, but never itself.

    ``a``: the blocks that must touch. ``b``: what they must touch. ``which``: ``each`` of them, of which there must be
    one at least, or ``some`` one of them.

    Measures the blocks of ``a`` that touch.
    """
    blocks = scene.blocks
    mine, theirs = blocks.is_material(a.ids), blocks.is_material(b.ids)
    other = partners(blocks)
    near = scene.neighbours
    touch = mine & ((near >= 0) & theirs[near] & (near != other[:, None])).any(axis=1)
    touch |= mine & (other >= 0) & touch[other]
    # Of two halves the first stands for both.
    one = mine & ((other < 0) | (np.arange(len(blocks)) < other))
    number, total = int((one & touch).sum()), int(one.sum())
    required: Measure = {"at_least": 1} if which == "some" else max(total, 1)
    if not total:
        text = f"There is no {a} that could touch {b}."
        return finding(False, 0, required, text, scene.cells[theirs] if theirs.any() else scene.cells)
    text = f"{number} of {count(total, 'block')} of {a} {'touches' if number == 1 else 'touch'} {b} by a face"
    if number == total or (which == "some" and number):
        return finding(True, number, required, f"{text}.", scene.cells[touch])
    if not theirs.any():
        text += f", of which there is none; place {b} beside {place(scene.cells[one & ~touch])}"
    else:
        text += f"; bring {b} to {place(scene.cells[one & ~touch])}"
    halves = scene.cells[mine & (blocks.table.half[blocks.index] != ALONE) & (other < 0)]
    if len(halves):
        text += f", and complete the lone {'half' if len(halves) == 1 else 'halves'} at {place(halves)}"
    return finding(False, number, required, f"{text}.", scene.cells[mine & ~touch])
