"""Solid shapes: full boxes, one connected part."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, Frame, Mask, as_cells
from minece.blocks.parts import label_by_faces
from minece.checkers.errors import CheckerError
from minece.checkers.parameters import Positive
from minece.checkers.regions import ALL, Region
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, finding
from minece.checkers.wording import count, place, sentence

_MOST_MISSING = 1000
_MOST_SEARCHED = 2**24


@rule("shape", unit="missing cells")
def filled(scene: Scene, *, region: Region = ALL, size: tuple[Positive, Positive, Positive] | None = None) -> Finding:
    """The bounding box of a region has no missing cell; or the region holds a full box of a given size.

    ``size``: width, height and depth in cells of a box that must be full somewhere in the region; width and depth may
    be turned. Without it the whole bounding box of the region must be full. Only structural blocks fill.

    Measures the missing cells; none may be missing.
    """
    mask = region.mask(scene) & scene.structural
    cells = scene.cells[mask]
    if not len(cells):
        return finding(False, None, 0, f"There is no structural block in {region}.", scene.cells)
    if size is not None:
        return _holds_box(scene, mask, region, size)
    low, high = cells.min(axis=0).astype(np.int64), cells.max(axis=0).astype(np.int64)
    width, height, depth = (high - low + 1).tolist()
    missing = width * height * depth - len(cells)
    if not missing:
        return finding(True, 0, 0, f"The box of {width}×{height}×{depth} cells is full.", cells)
    holes = gaps(cells, Frame.around(cells, pad=0))
    return finding(
        False,
        missing,
        0,
        f"{count(missing, 'cell')} of the box of {width}×{height}×{depth} {'is' if missing == 1 else 'are'} empty; "
        f"fill {place(holes[:1])}{' and the others' if missing > 1 else ''}.",
        holes,
    )


def gaps(cells: Cells, box: Frame) -> Cells:
    """The first missing cells of a box, 1000 at most, without laying out a huge one; all cells lie in it."""
    keys = np.sort(box.keys(cells))
    ends = np.append(keys, box.volume)
    starts = np.append(0, keys + 1)
    room = ends - starts
    holes = np.flatnonzero(room)
    taken = np.minimum(np.cumsum(room[holes]), _MOST_MISSING)
    number = np.diff(np.append(0, taken))
    first = np.repeat(starts[holes], number)
    within = np.arange(int(number.sum())) - np.repeat(taken - number, number)
    return box.cells(first + within)


def _holds_box(scene: Scene, mask: Mask, region: Region, size: tuple[int, int, int]) -> Finding:
    wide, high, deep = size
    want = wide * high * deep
    best, at = 0, np.zeros(3, dtype=np.int64)
    for cells in _parts_by_size(scene, mask, (min(wide, deep), high, max(wide, deep))):
        if len(cells) <= best:
            break
        for shape in dict.fromkeys([(wide, high, deep), (deep, high, wide)]):
            full, where = _fullest(cells, shape)
            if full > best:
                best, at = full, where
    missing = want - best
    name = f"box of {wide}×{high}×{deep} cells"
    if not missing:
        return finding(True, 0, 0, f"{sentence(region)} holds a full {name}.", scene.cells[mask])
    if not best:
        text = f"{sentence(region)} has room for no {name}: all its {want} cells are missing."
        return finding(False, missing, 0, text, scene.cells[mask])
    near = mask & (scene.cells >= at).all(axis=1) & (scene.cells < at + max(size)).all(axis=1)
    text = f"The fullest {name}, from {place(as_cells(at[None]))}, lacks {count(missing, 'cell')}."
    return finding(False, missing, 0, text, scene.cells[near])


def _parts_by_size(scene: Scene, mask: Mask, least: tuple[int, int, int]) -> list[Cells]:
    """Cells of the face-connected parts of a mask that have room for a box, the largest part first.

    A full box lies in one part. ``least`` are its sides: the shorter one in plan, the height, the longer one in plan.
    """
    labels = label_by_faces(scene.blocks, mask)[mask]
    order = np.argsort(labels, kind="stable")
    cells = scene.cells[mask][order]
    starts = np.flatnonzero(np.diff(labels[order], prepend=0))
    extent = np.maximum.reduceat(cells, starts) - np.minimum.reduceat(cells, starts) + 1
    plan = np.sort(extent[:, [0, 2]], axis=1)
    roomy = (plan[:, 0] >= least[0]) & (extent[:, 1] >= least[1]) & (plan[:, 1] >= least[2])
    stops = np.append(starts[1:], len(cells))
    parts = [cells[i:j] for i, j in zip(starts[roomy].tolist(), stops[roomy].tolist(), strict=True)]
    return sorted(parts, key=len, reverse=True)


def _fullest(cells: Cells, shape: tuple[int, int, int]) -> tuple[int, NDArray[np.int64]]:
    """Most cells in any box of the shape within the cells' bounding box, and the low corner of such a box; 0 where
    the shape does not fit. Raises :class:`CheckerError` for a bounding box that is too large to look through."""
    frame = Frame.around(cells, pad=0)
    if any(room < side for room, side in zip(frame.size, shape, strict=True)):
        return 0, np.zeros(3, dtype=np.int64)
    if frame.volume > _MOST_SEARCHED:
        raise CheckerError(f"a box of {'×'.join(map(str, frame.size))} cells is too large to look through")
    dense = np.zeros(frame.volume, dtype=np.int32)
    dense[frame.keys(cells)] = 1
    sums = np.zeros([n + 1 for n in frame.size], dtype=np.int32)
    sums[1:, 1:, 1:] = dense.reshape(frame.size).cumsum(0, dtype=np.int32).cumsum(1, dtype=np.int32).cumsum(2)
    for axis, length in enumerate(shape):
        ahead = np.moveaxis(sums, axis, 0)
        sums = np.moveaxis(ahead[length:] - ahead[:-length], 0, axis)
    at = np.unravel_index(int(sums.argmax()), sums.shape)
    return int(sums.max()), np.array(at) + frame.low


@rule("shape", unit="parts")
def connected(scene: Scene, *, region: Region = ALL) -> Finding:
    """All structural blocks of a region form one part, joined by faces.

    Measures the number of parts; one is required.
    """
    mask = region.mask(scene) & scene.structural
    labels = scene.parts if mask.sum() == scene.structural.sum() else label_by_faces(scene.blocks, mask)
    sizes = np.bincount(labels[mask])
    number = int((sizes > 0).sum())
    if number == 0:
        return finding(False, 0, 1, f"There is no structural block in {region}: 0 parts.", scene.cells)
    if number == 1:
        return finding(True, 1, 1, "All structural blocks form 1 part.", scene.cells[mask])
    stray = scene.cells[mask & (labels != sizes.argmax())]
    return finding(
        False,
        number,
        1,
        f"The structural blocks form {number} parts; join {place(stray)} to the largest one by faces.",
        stray,
    )
