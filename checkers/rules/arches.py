"""Arches and profiles: surfaces that rise and fall."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Mask
from minece.checkers.crossings import Crossing, crossings
from minece.checkers.decks import Deck
from minece.checkers.parameters import Bound, Positive, Share
from minece.checkers.profiles import NOTHING, Heights, dip, tops, undersides
from minece.checkers.registry import rule
from minece.checkers.rules.spans import ONE, best, no_gap
from minece.checkers.scene import Scene
from minece.checkers.stepping import BLOCK
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import asked, count, place

NOT_ALL = Share(0.0)


@rule("shape")
def arch(
    scene: Scene,
    *,
    rise: float = 1.0,
    width: Positive = ONE,
    share: Share = NOT_ALL,
    river: Positive = ONE,
    crown: Bound | None = None,
    top: bool = False,
) -> Finding:
    """Over the gap the underside of the bridge is an arch: it rises to one crown and falls, and never rises again.

    On every strip of the ring's width the lowest faces of the structural blocks, at their real heights (slabs and
    stairs), rise from both ends of the gap by at least ``rise`` blocks to one level crown no longer than half the gap.
    Neighbouring cells of the ring share faces, with each other and with the abutments. Strips that lie wholly at the
    crown's height or above it, such as eaves and railings, belong to the deck, not to the ring; nor does what sticks
    out beside the ring over less than half of the gap.

    ``width``: strips that the ring has at least. ``share``: how much of the width of the bridge over the gap the ring
    takes at least, from its first strip to its last. ``crown``: height of the crown's underside above the ground.
    ``top``: whether the walking surface must rise and fall too. ``river``: how wide the gap is that is meant, where
    the build bridges several.

    Measures the lowest rise of a strip, the height of the crown, the strips of the ring and those that are wrong.
    """
    found = crossings(scene, river=river)
    if not found:
        lacking = no_gap(scene, 0, width)
        return replace(lacking, measured={"rise": 0, "strips": 0, "wrong": 0}, required=_required(rise, width))
    return best(found, lambda one: _arch(scene, one, float(rise), width, share, crown, top))


def _required(rise: float, width: int) -> Measure:
    return {"rise": rise, "strips": width, "wrong": 0}


class _Strip(NamedTuple):
    rise: float
    crown: float
    fault: str
    cells: Cells


def _arch(
    scene: Scene, crossing: Crossing, rise: float, width: int, share: float, crown: Bound | None, top: bool
) -> Finding:
    ring = _Ring(scene, crossing)
    strips = [ring.strip(k, rise, crown) for k in np.flatnonzero(ring.chosen).tolist()]
    required = _required(rise, width)
    if not strips:
        what = "is level" if (ring.face != NOTHING).all(axis=0).any() else "spans it nowhere"
        text = f"The underside over the gap {what}: 0 strips of an arch; {width} are asked for."
        return finding(False, {"rise": 0, "strips": 0, "wrong": 0}, required, text, ring.cells)
    wrong = [strip for strip in strips if strip.fault]
    least = max(0.0, min(strip.rise for strip in strips))
    measured: Measure = {"rise": least, "strips": len(strips), "wrong": len(wrong)}
    number = f"{count(len(strips), 'strip')} of the ring"
    if wrong:
        text = f"Of {number} {len(wrong)} {'is' if len(wrong) == 1 else 'are'} no arch: {wrong[0].fault}"
        text += f"; the least rise is {least:g}."
        return finding(False, measured, required, text, np.concatenate([strip.cells for strip in wrong]))
    text = f"The underside rises by {least:g} to one crown at height {strips[0].crown:g} and falls, on {number}"
    if len(strips) < width:
        return finding(False, measured, required, f"{text}; at least {width} are asked for.", ring.cells)
    if ring.share < share:
        text += f", over {ring.share:.2g} of the bridge's width; at least {share:g} is asked for"
        return finding(False, measured, required, f"{text}.", ring.cells)
    if top:
        surface = Deck(scene, crossing, from_ground=False).surface
        if (surface < 0).any() or dip(surface) >= 0 or surface.max() <= max(surface[0], surface[-1]):
            text += "; but the way over it does not rise to one top and fall"
            return finding(False, measured, required, f"{text}.", ring.cells)
    return finding(True, measured, required, f"{text}.", ring.cells)


class _Ring:
    """The lower faces over a gap, strip by strip, and the cells that hang together with them."""

    def __init__(self, scene: Scene, crossing: Crossing) -> None:
        self.crossing = crossing
        rows = crossing.rows[scene.structural[crossing.rows]]
        along = scene.cells[rows, crossing.axis]
        rows = rows[(along >= crossing.low - 1) & (along <= crossing.high + 1) & crossing.within(scene.cells[rows], 0)]
        cells = scene.cells[rows]
        over = crossing.over(cells)
        self.cells: Cells = cells[over] if over.any() else scene.cells[crossing.rows]
        long, wide = crossing.length, crossing.far - crossing.near + 1
        self.face: Heights = np.full((2 * long, wide), NOTHING)
        self.chosen: Mask = np.zeros(wide, dtype=np.bool_)
        self.share = 0.0
        if not over.any():
            return
        low = cells[over].min(axis=0)
        found = undersides(cells[over], scene.blocks.index[rows[over]], scene.blocks.palette, crossing.axis)
        a, b = 2 * (int(low[crossing.axis]) - crossing.low), int(low[crossing.across]) - crossing.near
        self.face[a : a + found.shape[0], b : b + found.shape[1]] = found
        # Only what touches counts, so heights without blocks are closed up to one: something may lie far above.
        held, of = np.unique(cells[:, 1], return_inverse=True)
        level = np.cumsum(np.minimum(np.diff(held, prepend=held[:1]), 2))[of]
        self.solid = np.zeros((long + 2, int(level.max()) + 2, wide), dtype=np.bool_)
        self.solid[cells[:, crossing.axis] - crossing.low + 1, level, cells[:, crossing.across] - crossing.near] = True
        there = self.face != NOTHING
        whole, most = there.all(axis=0), there.sum(axis=0) > long
        if not whole.any():
            return
        springing, highest = self.face.min(axis=0), self.face.max(axis=0, where=there, initial=0)
        crown = highest[whole & (springing == springing[whole].min())].min()
        self.chosen = most & (springing < crown)
        strips = np.flatnonzero(self.chosen)
        if len(strips):
            self.chosen[strips[0] : strips[-1]] |= ~whole[strips[0] : strips[-1]]
            beside = int(whole[: strips[0]].sum() + whole[strips[-1] + 1 :].sum())
            self.share = 1 - beside / (beside + int(strips[-1] - strips[0]) + 1)

    def strip(self, k: int, rise: float, crown: Bound | None) -> _Strip:
        """One strip of the ring: what it measures and what is wrong with it."""
        face = self.face[:, k]
        whole = face != NOTHING
        if not whole.all():
            at = int(np.flatnonzero(~whole)[0]) // 2
            return _Strip(0.0, 0.0, f"nothing lies over {place(self._at(at, 0, k))}", self._column(k))
        top = int(face.max())
        up = (top - int(max(face[0], face[-1]))) / BLOCK
        height = top / BLOCK
        at = dip(face)
        if at >= 0:
            cell = self._at(at // 2, int(face[at]) // BLOCK, k)
            return _Strip(up, height, f"the underside falls and rises again at {place(cell)}", cell)
        loose = self._loose(k)
        if loose >= 0:
            cell = self._at(loose, int(face[2 * loose]) // BLOCK, k)
            return _Strip(up, height, f"the cells on both sides of {place(cell)} do not share a face", cell)
        level = np.flatnonzero(face == top)
        crowned = self._at(level[0] // 2, top // BLOCK, k)
        long = len(level) / 2
        if long > self.crossing.length / 2:
            text = f"the level crown is {long:g} cells long, more than half of the gap of {self.crossing.length}"
            return _Strip(up, height, text, crowned)
        if up < rise:
            return _Strip(up, height, f"the underside rises by less than {rise:g}", self._column(k))
        if crown is not None and not crown.holds(height):
            return _Strip(up, height, f"the crown lies at height {height:g}, {asked(crown, False)}", crowned)
        return _Strip(up, height, "", crowned)

    def _loose(self, k: int) -> int:
        """The first place along the gap where the ring's cells do not join, -1 where all do."""
        solid = self.solid[:, :, k]
        inner = solid[1:-1]
        lowest = inner.argmax(axis=1)
        levels = np.arange(solid.shape[1])
        beyond = ~inner & (levels > lowest[:, None])
        run = inner & (levels < beyond.argmax(axis=1)[:, None])
        joins = (run[1:] & run[:-1]).any(axis=1)
        ends = [(run[0] & solid[0]).any(), (run[-1] & solid[-1]).any()]
        if not ends[0]:
            return 0
        apart = np.flatnonzero(~joins)
        if len(apart):
            return int(apart[0])
        return -1 if ends[1] else len(inner) - 1

    def _at(self, along: int, height: int, k: int) -> Cells:
        cell = np.zeros((1, 3), dtype=np.int32)
        cell[0, self.crossing.axis] = self.crossing.low + along
        cell[0, 1] = height
        cell[0, self.crossing.across] = self.crossing.near + k
        return cell

    def _column(self, k: int) -> Cells:
        found = self.cells[self.cells[:, self.crossing.across] == self.crossing.near + k]
        return found if len(found) else self.cells


@rule("shape", unit="lines")
def profile(
    scene: Scene,
    *,
    surface: Literal["top", "bottom"] = "top",
    form: Literal["flat allowed", "non-flat", "strict"] = "non-flat",
    axis: Literal["longer", "x", "z"] = "longer",
) -> Finding:
    """The tops, or the undersides, of the structural blocks rise to one level piece and fall, line by line.

    Each line along the axis is looked at over its whole length, at real heights (slabs and stairs); a line with a gap
    in it does not count as one surface. ``form``: ``non-flat`` asks that it rises and falls by something; with
    ``flat allowed`` it may be level, or only rise, or only fall; ``strict`` asks that it rises and falls from cell to
    cell, with at most two cells level on top. ``axis``: the longer side in plan (either where they are equal), x or z.

    Measures the lines that are wrong; none may be.
    """
    solid = scene.structural
    if not solid.any():
        return finding(False, None, 0, "There is no structural block.", scene.cells)
    cells = scene.cells[solid]
    size = cells.max(axis=0) - cells.min(axis=0)
    axes = {"x": [0], "z": [2]}.get(axis) or [i for i in (0, 2) if size[i] == max(size[0], size[2])]
    found = [_lines(scene, cells, i, surface, form) for i in axes]
    return min(found, key=lambda one: one.measured if isinstance(one.measured, int) else 0)


def _lines(scene: Scene, cells: Cells, axis: int, surface: str, form: str) -> Finding:
    read = tops if surface == "top" else undersides
    heights = read(cells, scene.blocks.index[scene.structural], scene.blocks.palette, axis)
    faults = [_fault(line, form) for line in heights.T]
    along = "x" if axis == 0 else "z"
    what = "tops" if surface == "top" else "undersides"
    wrong = [k for k, fault in enumerate(faults) if fault]
    if not wrong:
        return finding(True, 0, 0, f"The {what} rise to one level and fall along {along}: 0 lines are wrong.", cells)
    across = cells[:, 2 - axis] - cells[:, 2 - axis].min()
    fault = cells[np.isin(across, wrong)]
    lines = f"{count(len(wrong), 'line')} of the {what} along {along} {'is' if len(wrong) == 1 else 'are'} wrong"
    return finding(False, len(wrong), 0, f"{lines}: the one through {place(fault[:1])} {faults[wrong[0]]}.", fault)


def _fault(line: NDArray[np.int64], form: str) -> str:
    """What is wrong with the heights of a line, every half cell; nothing where there are none."""
    there = np.flatnonzero(line != NOTHING)
    if not len(there):
        return ""
    line = line[there[0] : there[-1] + 1]
    if (line == NOTHING).any():
        return "has a gap"
    if dip(line) >= 0:
        return "falls and rises again"
    if form == "flat allowed":
        return ""
    if line.max() == max(line[0], line[-1]):
        return "does not rise and fall"
    if form == "strict":
        cells = line[::2] if len(line) % 2 == 0 else line
        level = np.flatnonzero(np.diff(cells) == 0)
        if len(level) > 1 or (cells[level] < cells.max()).any():
            return "is level for more than its top"
    return ""
