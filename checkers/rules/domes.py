"""Domes: a shell over a disc, hollow, rising from all sides to its crown."""

from __future__ import annotations

from typing import Literal

import numpy as np

from minece.blocks import Cells, Mask
from minece.checkers.discs import LEAST_DIAMETER, across, shape
from minece.checkers.domes import Body, Dome, Shell, find_domes, largest
from minece.checkers.parameters import Bound, Natural, Positive
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.stepping import BLOCK
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import asked, count, place

THREE = Positive(3)
HOLLOW = 8
"""A hollow shell leaves room over one of so many of its disc's places at least, its outermost ones not counted."""
FREE = 12
"""It leaves one of so many of the cells up to its top free at least, its outermost places not counted."""
STANDING = 16
"""Somebody can stand on one of so many of the places within the outermost ones at least, and on one in any case."""


class Diameter(Natural):
    """A diameter in cells."""

    accepts = f"a whole number from {LEAST_DIAMETER} up"
    least = LEAST_DIAMETER


@rule("shape", unit="cells")
def dome(
    scene: Scene,
    *,
    diameter: Diameter,
    height: Bound | None = None,
    widest: Positive = THREE,
    entrance: Literal["allowed", "required"] = "allowed",
) -> Finding:
    """A hollow dome stands on a disc of the diameter that is asked for.

    At its foot the shell with all inside it is a disc: exactly so many cells on both axes, cell centres at most a
    quarter of a cell outside the circle of that diameter and the outline at most one cell inside it (a square is no
    disc). Parts that stick out of it, a tunnel or steps, do not count as long as they are at most ``widest`` cells
    wide. Of several discs the largest counts. The crown stands above the whole outermost ring, and the shell's top
    never falls toward the centre. Inside somebody can stand. Nothing opens the shell but entrances at most ``widest``
    wide that begin on the floor or on the ground.

    ``height``: how high the shell rises from its foot to its crown, in cells; spires and chimneys do not count.
    ``entrance``: where it is ``required`` a walker gets from outside to at least half of the floor inside.

    Measures diameter (two numbers where they differ) and height.
    """
    body = Body(scene)
    found = largest(body, widest, above=diameter) or find_domes(body, diameter, widest) or largest(body, widest)
    if not found:
        body.fill()
        found = find_domes(body, diameter, widest) or largest(body, widest)
    if not found:
        return _no_disc(scene, body, diameter, height)
    shells = sorted((Shell.of(one) for one in found), key=lambda shell: -shell.crown)
    results = [_judge(scene, shell, diameter, height, widest, entrance == "required") for shell in shells]
    return next((one for one in results if one.status == "pass"), results[0])


def _judge(scene: Scene, shell: Shell, diameter: int, height: Bound | None, widest: int, entrance: bool) -> Finding:
    dome = shell.dome
    crown = shell.crown / BLOCK
    high = int(crown) if crown == int(crown) else crown
    measured: dict[str, Measure] = {"diameter": dome.diameter, "height": high}
    required = _required(diameter, height)
    text = f"The dome is {dome.diameter} across and {high} high"

    def fail(fault: str, cells: Cells) -> Finding:
        return finding(False, measured, required, f"{text}; {fault}.", cells if len(cells) else _cells(shell))

    if dome.diameter != diameter:
        return fail(f"{asked(f'a diameter of {diameter}', False)}", _rim(shell))
    if shell.bare.any():
        around = _near(shell, _bare_cells(shell))
        return fail(f"nothing covers {count(int(shell.bare.sum()), 'place')} of its disc near {place(around)}", around)
    good, bad = shell.openings()
    if bad.any():
        around = _near(shell, bad)
        return fail(f"there is an opening above the ground beside {place(around)}", around)
    wide = _widest(good)
    if wide > widest:
        around = _near(shell, good)
        return fail(f"an opening is {wide} wide, entrances may have {widest}", around)
    falls = shell.falls()
    if falls.any():
        tops = _tops(shell, falls)
        return fail(f"toward its centre the shell falls at {place(tops)}", tops)
    if not shell.rises():
        return fail("its crown does not stand above the outermost ring", _tops(shell, dome.disc.within))
    within = dome.disc.needed
    area = int((dome.disc.within & (shell.solid | shell.inside).any(axis=1)).sum())
    room = shell.inside[:, min(dome.foot, dome.floor) :] & within[:, None]
    under, cells = int(room.any(axis=1).sum()), int(room.sum())
    volume = int(shell.height[shell.height > 0].sum()) // BLOCK
    floor = dome.window(dome.body.floor) & dome.disc.within[:, None]
    standing = floor.any(axis=1)
    if HOLLOW * under < area:
        over = f"{count(under, 'place')} of the {area} that it covers"
        return fail(f"it is not hollow: there is room over {over}", _cells(shell))
    if FREE * cells < volume:
        return fail(f"it is not hollow: {count(cells, 'cell')} of {volume} are free inside", _cells(shell))
    stands = int((within & standing).sum())
    if stands < max(1, int(within.sum()) // STANDING):
        return fail(f"one can stand on {count(stands, 'place') if stands else 'no place'} inside", _cells(shell))
    if height is not None and not height.holds(high):
        return fail(f"{asked(f'a height of {height}', False)}", _tops(shell, shell.height == shell.height.max()))
    if entrance:
        reached = _reached(scene, dome, floor)
        total = int(standing.sum())
        if 2 * int(reached.sum()) < total:
            share = f"{count(int(reached.sum()), 'place')}" if reached.any() else "none"
            return fail(f"from outside one gets to {share} of the {total} on which one can stand inside", _cells(shell))
    return finding(True, measured, required, f"{text}.", _cells(shell))


def _required(diameter: int, height: Bound | None) -> dict[str, Measure]:
    required: dict[str, Measure] = {"diameter": diameter}
    if height is not None:
        required["height"] = height.required
    return required


def _no_disc(scene: Scene, body: Body, diameter: int, height: Bound | None) -> Finding:
    """What there is instead, at the foot of what looks most like a dome."""
    foot, _ = body.levels[0]
    filled = body.plan(foot).filled
    x, z = (np.flatnonzero(filled.any(axis=axis)) for axis in (1, 0))
    sides = sorted((int(np.ptp(side)) + 1 if len(side) else 0 for side in (x, z)), reverse=True)
    layers = np.flatnonzero(body.solid[:, foot:].any(axis=(0, 2)))
    heights = body.space.axes[1][foot:]
    high = int(heights[layers[-1]] - heights[0]) + 1 if len(layers) else 0
    layer = np.zeros(body.space.shape, dtype=np.bool_)
    layer[:, foot] = body.solid[:, foot]
    cells = body.space.cells(layer)
    text = f"The base measures {sides[0]} by {sides[1]} and what stands on it {high}; it is no disc of {diameter}"
    if sides == [diameter, diameter]:
        base = filled[x[0] : x[-1] + 1, z[0] : z[-1] + 1]
        short = int((shape(diameter).needed & ~base).sum())
        over = int((base & ~shape(diameter).within).sum())
        faults = [count(short, "place") + " of it open"] * (short > 0) + [count(over, "place") + " outside it"] * (
            over > 0
        )
        text += f": {' and '.join(faults)}" if faults else ""
    if not body.floor.any():
        text += ", and nowhere inside can one stand"
    measured: dict[str, Measure] = {"diameter": list(sides), "height": high}
    return finding(False, measured, _required(diameter, height), f"{text}.", cells if len(cells) else scene.cells)


def _cells(shell: Shell) -> Cells:
    """The blocks over the disc, from the foot up."""
    return shell.dome.body.space.cells(shell.dome.whole(shell.solid))


def _rim(shell: Shell) -> Cells:
    """The lowest blocks of the outermost ring."""
    out = np.zeros_like(shell.solid)
    foot = shell.dome.foot
    out[:, foot] = shell.solid[:, foot] & ~shell.dome.disc.needed
    return shell.dome.body.space.cells(shell.dome.whole(out))


def _tops(shell: Shell, places: Mask) -> Cells:
    """The highest blocks over places of the window."""
    i, j = np.nonzero(places & shell.solid.any(axis=1))
    top = shell.solid.shape[1] - 1 - np.argmax(shell.solid[i, :, j][:, ::-1], axis=1)
    out = np.zeros_like(shell.solid)
    out[i, top, j] = True
    return shell.dome.body.space.cells(shell.dome.whole(out))


def _bare_cells(shell: Shell) -> Mask:
    """The open cells over places without a shell, no higher than the crown."""
    out = shell.dome.window(shell.dome.body.free) & shell.bare[:, None]
    out[:, : shell.dome.foot + 1] = False
    out[:, shell.dome.foot + 1 + shell.crown // BLOCK :] = False
    return out


def _near(shell: Shell, cells: Mask) -> Cells:
    """Blocks of the shell that touch some cells, across a corner at most; the whole shell where none does."""
    from scipy import ndimage

    around = ndimage.binary_dilation(cells, structure=np.ones((3, 3, 3), dtype=np.bool_)) & shell.solid
    found = shell.dome.body.space.cells(shell.dome.whole(around))
    return found if len(found) else _cells(shell)


def _widest(openings: Mask) -> int:
    """How wide the widest opening is, in plan."""
    from scipy import ndimage

    labels, parts = ndimage.label(openings.any(axis=1), structure=np.ones((3, 3)))
    return max((across(labels == number) for number in range(1, parts + 1)), default=0)


def _reached(scene: Scene, dome: Dome, floor: Mask) -> Mask:
    """(d, d) bool: places of the floor that a walker reaches from outside."""
    walker = scene.walker
    there = walker.reach(walker.outside)
    at = np.zeros(dome.body.space.shape, dtype=np.bool_)
    at.reshape(-1)[walker.at[there]] = True
    found: Mask = np.logical_or.reduce(dome.window(at) & floor, axis=1)
    return found
