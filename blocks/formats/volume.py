"""From dense boxes of palette numbers to a build and back: the step that all voxel formats share.

Reading. A box lists every one of its cells. Air below the ground is a cell that was dug out; ``structure_void``
and whatever lies in no box is untouched: soil below the ground, nothing above it.

Writing. Below the ground untouched cells of the bounding box are written as ``structure_void`` and dug cells as
air; above the ground empty cells are air. Where the ground is not known, untouched cells are void at every height, as
a reader may take it to lie higher.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.blockset import EMPTY, BlockSet
from minece.blocks.build import Build, Provenance
from minece.blocks.errors import FormatError, LimitError, StateError
from minece.blocks.formats.ground import GroundWish, said_empty
from minece.blocks.formats.limits import Deadline, Limits
from minece.blocks.formats.rows import lowered
from minece.blocks.grid import NO_CELLS, Cells
from minece.blocks.states import VOID, canonical_state, is_air, material_of

Numbers = NDArray[np.unsignedinteger[Any]]

_UNTOUCHED, _AIR, _BLOCK = 0, 1, 2

MOST_AIR = 250_000
"""Empty cells above a guessed ground that a build keeps; beyond, all cells around its blocks count as empty."""


@dataclass(frozen=True, slots=True)
class Box:
    """A dense box of a file.

    Attributes
    ----------
    low : position of its first cell in the file's coordinates
    numbers : (height, length, width) palette numbers, in order y, z, x
    palette : block states as the file spells them
    place : where in the file it stands, for messages
    """

    low: tuple[int, int, int]
    numbers: Numbers
    palette: Sequence[str]
    place: str = ""

    @property
    def size(self) -> tuple[int, int, int]:
        """Cells along x, y, z."""
        height, length, width = self.numbers.shape
        return (width, height, length)


@dataclass(slots=True)
class _Found:
    cells: list[Cells]
    index: list[NDArray[np.int64]]
    palette: list[str]
    solid: bool = False


def check_size(size: Sequence[int], limits: Limits, place: str = "") -> int:
    """Cells of a box; :class:`FormatError` for a side below 1, :class:`LimitError` above ``limits.cells``."""
    for side, name in zip(size, ("wide", "high", "long"), strict=True):
        if side < 1:
            raise FormatError(f"the box is {side} cells {name}", where=place, mend="export it again")
    volume = size[0] * size[1] * size[2]
    limits.most("cells in the box", volume, limits.cells, where=place)
    return volume


def build_from_boxes(
    boxes: Sequence[Box],
    wish: GroundWish,
    provenance: Provenance,
    limits: Limits,
    deadline: Deadline,
    *,
    stored: int | None = None,
) -> Build:
    """The build that the boxes hold together; where they overlap the later block holds.

    ``stored`` is the ground level that our own writers left in the file. Raises :class:`FormatError` where the
    palettes name blocks and no cell holds one.
    """
    found = _Found([], [], [])
    kinds = [_kinds(box) for box in boxes]
    blocks = 0
    for box, kind in zip(boxes, kinds, strict=True):
        blocks += _collect(box, kind, found, limits.blocks - blocks, limits)
        deadline.check()
    if not blocks and found.solid:
        raise FormatError(
            "the palette names blocks but not one cell holds a block", mend="the data is damaged: export it again"
        )
    cells = np.concatenate(found.cells) if found.cells else NO_CELLS
    index = np.concatenate(found.index) if found.index else np.empty(0, dtype=np.int64)
    low, high = (int(cells[:, 1].min()), int(cells[:, 1].max())) if blocks else (None, None)
    ground, words = wish.choose(stored, low, high)
    deadline.check()
    pairs = list(zip(boxes, kinds, strict=True))
    holes = _joined([_air(box, kind, None, ground, limits) for box, kind in pairs])
    limits.most("dug cells", len(holes), limits.blocks)
    known = wish.knows(stored)
    air: Cells | None = NO_CELLS
    if not known and high is not None and high >= ground:
        try:
            most = replace(limits, blocks=MOST_AIR)
            air = _joined([_air(box, kind, ground, high + 1, most) for box, kind in pairs])
        except LimitError:
            air = None
    cells, holes = lowered(cells, ground), lowered(holes, ground)
    built = BlockSet(cells, index, found.palette) if blocks else EMPTY
    if len(boxes) > 1 and len(holes):
        holes = holes[~built.contains(holes)]
    if air is not None and len(air):
        air = lowered(air, ground)
        air = air[~built.contains(air)]
    deadline.check()
    return Build(built, holes, None, ground, replace(provenance, ground=words, ground_known=known), air)


def _kinds(box: Box) -> NDArray[np.uint8]:
    """(k,) uint8: what each palette entry is. A state that cannot be read is an error that names its entry."""
    kinds = np.empty(len(box.palette), dtype=np.uint8)
    for i, text in enumerate(box.palette):
        try:
            state = canonical_state(text)
        except StateError as error:
            raise error.at(f"{box.place}/Palette" if box.place else "Palette") from None
        kinds[i] = _AIR if is_air(state) else _UNTOUCHED if material_of(state) == VOID else _BLOCK
    return kinds


def _collect(box: Box, kinds: NDArray[np.uint8], found: _Found, room: int, limits: Limits) -> int:
    width, height, length = box.size
    if not (kinds == _BLOCK).any():
        return 0
    found.solid = True
    # In x, y, z order the cells come out sorted, which saves sorting them.
    numbers = np.ascontiguousarray(box.numbers.transpose(2, 0, 1)).reshape(-1)
    mask = (kinds == _BLOCK)[numbers]
    if int(np.count_nonzero(mask)) > room:
        raise LimitError(f"more than {limits.blocks:,} blocks", where=box.place, mend="export a smaller part")
    flat = np.flatnonzero(mask)
    if not len(flat):
        return 0
    cells = np.empty((len(flat), 3), dtype=np.int32)
    column, cells[:, 2] = np.divmod(flat, length)
    cells[:, 0], cells[:, 1] = np.divmod(column, height)
    cells += np.array(box.low, dtype=np.int32)
    found.cells.append(cells)
    found.index.append(numbers[flat].astype(np.int64) + len(found.palette))
    found.palette.extend(box.palette)
    return len(flat)


def _joined(parts: Sequence[Cells]) -> Cells:
    return np.concatenate([p for p in parts if len(p)]) if any(map(len, parts)) else NO_CELLS


def _air(box: Box, kinds: NDArray[np.uint8], begin: int | None, end: int, limits: Limits) -> Cells:
    """The cells of air from height ``begin``, the box's lowest where it is None, to below ``end``."""
    first = 0 if begin is None else max(begin - box.low[1], 0)
    last = min(end - box.low[1], box.size[1])
    air = kinds == _AIR
    if first >= last or not air.any():
        return NO_CELLS
    mask = air[box.numbers[first:last]].reshape(-1)
    limits.most("dug cells", int(np.count_nonzero(mask)), limits.blocks, where=box.place)
    width, _, length = box.size
    flat = np.flatnonzero(mask)
    cells = np.empty((len(flat), 3), dtype=np.int32)
    row, cells[:, 0] = np.divmod(flat, width)
    cells[:, 1], cells[:, 2] = np.divmod(row, length)
    cells += np.array(box.low, dtype=np.int32) + np.array([0, first, 0], dtype=np.int32)
    return cells


# --- writing --------------------------------------------------------------------------------------------------

AIR = "minecraft:air"
UNTOUCHED = f"minecraft:{VOID}"


@dataclass(frozen=True, slots=True)
class Dense:
    """A build as a dense box.

    ``low`` is the position of its first cell relative to the ground plane, ``numbers`` the (height, length, width)
    palette numbers in order y, z, x, ``palette`` namespaced states of which the first is air.
    """

    low: tuple[int, int, int]
    numbers: NDArray[np.uint32]
    palette: tuple[str, ...]

    @property
    def size(self) -> tuple[int, int, int]:
        """Cells along x, y, z."""
        height, length, width = self.numbers.shape
        return (width, height, length)


def dense(build: Build, limits: Limits) -> Dense:
    """The build as a box around its blocks and the cells that are said to be empty.

    An empty build is one cell of air on the ground. Raises :class:`LimitError` above ``limits.cells``.
    """
    empty = said_empty(build)
    both = [cells for cells in (build.blocks.cells, empty) if len(cells)]
    if both:
        low = np.array([min(int(cells[:, axis].min()) for cells in both) for axis in range(3)])
        high = np.array([max(int(cells[:, axis].max()) for cells in both) for axis in range(3)])
    else:
        low, high = np.zeros(3, dtype=np.int64), np.zeros(3, dtype=np.int64)
    width, height, length = (high - low + 1).tolist()
    volume = width * height * length
    if volume > limits.cells:
        raise LimitError(
            f"the box around the build has {volume:,} cells, more than the {limits.cells:,} that this format takes",
            mend="write JSON or CSV instead",
        )
    numbers = np.zeros((height, length, width), dtype=np.uint32)
    below = min(max(-int(low[1]), 0), height)
    if both and not build.provenance.ground_known and build.air is not None:
        below = height
    names = [namespaced(state) for state in build.blocks.palette]
    palette = [AIR, *names]
    if below:
        numbers[:below] = len(palette)
        palette.append(UNTOUCHED)
    for cells, value in ((empty, np.uint32(0)), (build.blocks.cells, build.blocks.index.astype(np.uint32) + 1)):
        x, y, z = (cells - low).T
        numbers[y, z, x] = value
    if below and not (numbers[:below] == len(palette) - 1).any():
        palette.pop()
    x0, y0, z0 = low.tolist()
    return Dense((x0, y0, z0), numbers, tuple(palette))


def namespaced(state: str) -> str:
    """The state with its namespace, as the game's own files spell it."""
    return state if ":" in state.split("[", 1)[0] else f"minecraft:{state}"
