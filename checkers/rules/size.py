"""Size: how long, wide, high and thick is it, and where does it begin and end?"""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells
from minece.checkers.parameters import Bound
from minece.checkers.regions import ALL, Region
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import asked, count, place

_NAMES = ("width", "depth", "height")
_SIDES = (("west", "east"), ("bottom", "top"), ("north", "south"))


@rule("size", one_of=("width", "depth", "height"))
def extent(
    scene: Scene,
    *,
    region: Region = ALL,
    width: Bound | None = None,
    depth: Bound | None = None,
    height: Bound | None = None,
    axis: Literal["x", "z"] | None = None,
) -> Finding:
    """The region's bounding box has the width, depth and height that are asked for, in cells.

    Width and depth may lie either way round; where only one of them is given, one of the two sides must hold it.
    ``axis``: the axis along which the width lies, where the text names it.

    Measures width, depth and height; the longer side is the width unless the bounds or the axis say otherwise.
    """
    cells = scene.cells if region is ALL else scene.cells[region.mask(scene)]
    bounds = (width, depth, height)
    required: dict[str, Measure] = {
        name: bound.required for name, bound in zip(_NAMES, bounds, strict=True) if bound is not None
    }
    if not len(cells):
        nothing: dict[str, Measure] = {name: 0 for name in _NAMES}
        return finding(False, nothing, required, f"There is no block in {region}: 0×0×0 cells.", scene.cells)
    low, high = cells.min(axis=0).tolist(), cells.max(axis=0).tolist()
    x, y, z = (b - a + 1 for a, b in zip(low, high, strict=True))
    order = _order(x, z, axis, width, depth)
    sizes = tuple((x, y, z)[i] for i in (*order, 1))
    measured: dict[str, Measure] = dict(zip(_NAMES, sizes, strict=True))
    off = [0 if b is None else b.off(n) for b, n in zip(bounds, sizes, strict=True)]
    text = f"Width {sizes[0]}, depth {sizes[1]}, height {sizes[2]} in {region}"
    wanted = ", ".join(f"{name} {bound}" for name, bound in zip(_NAMES, bounds, strict=True) if bound is not None)
    if not any(off):
        return finding(True, measured, required, f"{text}; {asked(wanted, True)}." if wanted else f"{text}.", cells)
    which = next(i for i in range(3) if off[i])
    layer, mend = _outermost(cells, (*order, 1)[which], off[which], low, high)
    return finding(False, measured, required, f"{text}; {asked(wanted, False)}: {mend}.", layer)


def _order(x: int, z: int, axis: str | None, width: Bound | None, depth: Bound | None) -> tuple[int, int]:
    """The axes of width and depth: those that fit best, the longer one for the width where both do."""
    if axis is not None:
        return (0, 2) if axis == "x" else (2, 0)

    def misfit(one: int, other: int) -> int:
        return sum(abs(b.off(n)) for b, n in ((width, one), (depth, other)) if b is not None)

    long, short = ((x, 0), (z, 2)) if x >= z else ((z, 2), (x, 0))
    if misfit(long[0], short[0]) <= misfit(short[0], long[0]):
        return long[1], short[1]
    return short[1], long[1]


def _outermost(cells: Cells, axis: int, off: int, low: list[int], high: list[int]) -> tuple[Cells, str]:
    """The layer at the end of an axis with fewer blocks, and what to do there."""
    first, last = cells[cells[:, axis] == low[axis]], cells[cells[:, axis] == high[axis]]
    layer, side = (first, _SIDES[axis][0]) if len(first) < len(last) else (last, _SIDES[axis][1])
    layers = count(abs(off), "layer")
    if off > 0:
        return layer, f"add {layers} at the {side}"
    return layer, f"take {layers} away at the {side}; the outermost has {count(len(layer), 'block')}"


@rule("size")
def top(scene: Scene, *, bound: Bound, region: Region = ALL) -> Finding:
    """The top face of the region's highest cell lies at the height that is asked for, in cells above the ground.

    A cell at y = 0 ends at height 1; flush with the ground is 0.

    Measures that height.
    """
    return _level(scene, bound, region, highest=True)


@rule("size")
def bottom(scene: Scene, *, bound: Bound, region: Region = ALL) -> Finding:
    """The region's lowest cell begins at the height that is asked for, in cells above the ground; negative heights
    lie below it.

    Measures that height.
    """
    return _level(scene, bound, region, highest=False)


def _level(scene: Scene, bound: Bound, region: Region, *, highest: bool) -> Finding:
    cells = scene.cells if region is ALL else scene.cells[region.mask(scene)]
    if not len(cells):
        return finding(False, None, bound.required, f"There is no block in {region}.", scene.cells)
    y = cells[:, 1]
    end = int(y.max() if highest else y.min())
    level = end + 1 if highest else end
    ok = bound.holds(level)
    text = f"The {'top' if highest else 'bottom'} in {region} lies at height {level}; {asked(bound, ok)}"
    if not ok:
        off = bound.off(level)
        text += f": {abs(off)} too {'low' if off > 0 else 'high'}"
    return finding(ok, level, bound.required, f"{text}.", cells[y == end])


@rule("size", unit="cells")
def thickness(scene: Scene, *, bound: Bound, region: Region = ALL) -> Finding:
    """A wall or a slab is as thick as asked for, in cells, everywhere.

    The thickness is measured along the axis on which the region's longest unbroken run of cells is shortest; every
    run along that axis must hold the bound. It is meant for straight pieces: of a wall that goes round a corner judge
    each side by itself.

    Measures the thickness, or the least and the greatest where it differs.
    """
    cells = scene.cells if region is ALL else scene.cells[region.mask(scene)]
    if not len(cells):
        return finding(False, 0, bound.required, f"There is no block in {region}: 0 thick.", scene.cells)
    order, starts, lengths = min((_runs(cells, axis) for axis in (0, 2, 1)), key=_by_thickness)
    most, least = int(lengths.max()), int(lengths.min())
    ok = bound.holds(most) and bound.holds(least)
    measured: Measure = most if most == least else [least, most]
    shown = f"{most}" if most == least else f"from {least} to {most}"
    text = f"The thickness in {region} is {shown}; {asked(bound, ok)}"
    if ok:
        return finding(True, measured, bound.required, f"{text}.", cells)
    off = np.array([bound.off(n) for n in range(most + 1)])[lengths]
    worst = int(np.abs(off).argmax())
    where = place(cells[order[starts[worst], None]])
    text += f": {abs(off[worst])} too {'thin' if off[worst] > 0 else 'thick'} at {where}"
    fault = np.sort(order[np.repeat(off != 0, lengths)])
    return finding(False, measured, bound.required, f"{text}.", cells[fault])


Runs = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]


def _runs(cells: Cells, axis: int) -> Runs:
    """Unbroken runs of cells along an axis: positions of the cells run by run, where in them each run starts, and
    its length."""
    one, other = (i for i in (0, 1, 2) if i != axis)
    order = np.lexsort((cells[:, axis], cells[:, one], cells[:, other]))
    steps = np.diff(cells[order], axis=0)
    broken = (steps[:, axis] != 1) | (steps[:, one] != 0) | (steps[:, other] != 0)
    starts = np.concatenate([[0], np.flatnonzero(broken) + 1])
    return order, starts, np.diff(starts, append=len(cells))


def _by_thickness(runs: Runs) -> tuple[int, int]:
    """Shortest longest run first; among equals, the axis along which the runs differ least."""
    return int(runs[2].max()), -int(runs[2].min())
