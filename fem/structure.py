"""What is solved, as arrays: cells, what they are made of, and where they are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from minece.blocks.errors import CoordinateError
from minece.blocks.grid import DOWN, Cells, as_cells
from minece.fem.elements import Floats
from minece.fem.errors import ModelError
from minece.fem.mesh import Ints, Mask

FINEST = 8
"""The most cubes along the side of a block."""


@dataclass(frozen=True, eq=False)
class Structure:
    """n blocks, each of one material and cut into refine³ cubes.

    Attributes
    ----------
    cells : (n, 3) int32, sorted by (x, y, z), each once
    young, poisson, density : (n,) Pa, 1, kg/m³
    held : (n, 6) bool, faces that cannot move, in the order west, east, down, up, north, south
    refine : cubes along the side of a block
    filled : (n, r, r, r) bool, the cubes that exist (axes x, y, z); None: all
    share : (n,) the part of the cross-section that is there, for shapes that the cubes cannot show: stiffness and
        weight are less by it, stress is more
    carried : (n,) kg, mass of things without stiffness that the block carries
    failure, compressive, tensile : (n,) values of :class:`Failure`, and strengths in Pa; None: no strengths
    bedded : (n,) bool, blocks with soil or a block under them; None: none has
    names : name of each block's material, or none
    approximate : (n,) bool, blocks whose shape the cubes do not show
    side : m, of a block
    """

    cells: Cells
    young: Floats
    poisson: Floats
    density: Floats
    held: Mask
    refine: int = 1
    filled: Mask | None = None
    share: Floats | None = None
    carried: Floats | None = None
    failure: Ints | None = None
    compressive: Floats | None = None
    tensile: Floats | None = None
    bedded: Mask | None = None
    names: Sequence[str] = ()
    approximate: Mask | None = None
    notes: tuple[str, ...] = field(default=())
    side: float = 1.0

    def __len__(self) -> int:
        return len(self.cells)


def check_refine(refine: int) -> int:
    """A number of cubes along the side of a block. Raises :class:`ModelError`."""
    if isinstance(refine, bool) or not isinstance(refine, (int, np.integer)) or not 1 <= refine <= FINEST:
        raise ModelError(f"refine {refine!r} is no whole number from 1 to {FINEST}")
    return int(refine)


def from_voxels(
    voxels: ArrayLike,
    *,
    young: ArrayLike,
    poisson: ArrayLike,
    density: ArrayLike,
    held: ArrayLike | None = None,
    refine: int = 1,
    side: float = 1.0,
) -> Structure:
    """A structure of full cubes from plain arrays; see :func:`minece.fem.analyse_voxels`."""
    array = np.asarray(voxels)
    box = array.ndim == 3
    if box and array.dtype != np.bool_:
        raise ModelError(f"a box of voxels holds {array.dtype}", mend="give a bool array, or n rows of x, y, z")
    try:
        cells = as_cells(np.argwhere(array) if box else array)
    except CoordinateError as wrong:
        raise ModelError(wrong.reason, mend="give a bool array with axes x, y, z, or n rows of x, y, z") from None
    order = np.lexsort(cells.T[::-1])
    cells = cells[order]
    if len(cells) and (cells[1:] == cells[:-1]).all(axis=1).any():
        raise ModelError("a cell comes twice")

    def each(name: str, values: ArrayLike) -> Floats:
        numbers = np.asarray(values, dtype=np.float64)
        if box and numbers.shape == array.shape:
            numbers = numbers[array]
        if numbers.shape not in ((), (len(cells),)):
            raise ModelError(f"{name} has shape {numbers.shape}", mend=f"give one number or {len(cells)}, one per cell")
        spread = np.broadcast_to(numbers, (len(cells),))[order]
        if not np.isfinite(spread).all():
            raise ModelError(f"{name} is not a finite number everywhere")
        return spread

    stiffness, ratio, mass = each("young", young), each("poisson", poisson), each("density", density)
    if (stiffness <= 0).any():
        raise ModelError("young is not positive everywhere")
    if (mass < 0).any():
        raise ModelError("density is negative somewhere")
    if (np.abs(ratio + 0.25) >= 0.75).any():
        raise ModelError("poisson is not between -1 and 0.5 everywhere")
    if not (np.isfinite(side) and side > 0):
        raise ModelError(f"side {side!r} is not positive")
    if held is None:
        faces = np.zeros((len(cells), 6), dtype=np.bool_)
        faces[:, DOWN] = cells[:, 1] == 0
    else:
        faces = np.asarray(held, dtype=np.bool_)
        if faces.shape != (len(cells), 6):
            raise ModelError(f"held has shape {faces.shape}", mend=f"give ({len(cells)}, 6), a row per cell")
        faces = faces[order]
    return Structure(cells, stiffness, ratio, mass, faces, check_refine(refine), side=float(side))
