"""The result of a stress analysis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from minece.blocks.grid import NO_CELLS, Cells
from minece.fem.elements import Floats
from minece.fem.strength import Mode

Status = Literal["ok", "empty", "floating", "mechanism", "point_contact", "excessive_displacement", "not_converged"]
Cell = tuple[int, int, int]

DIGITS = 6
"""Significant digits of everything that leaves the solver."""

_NOISE = 1e-9


def significant(values: ArrayLike) -> Floats:
    """Values to :data:`DIGITS` significant digits; what is less than 1e-9 of the largest is noise and becomes 0."""
    array = np.asarray(values, dtype=np.float64)
    size = np.abs(array)
    least = _NOISE * float(size.max(initial=0.0))
    small = size <= least
    with np.errstate(divide="ignore"):
        digits = DIGITS - 1 - np.floor(np.log10(np.where(small, 1.0, size)))
    # Powers of ten are exact only where the exponent is not negative.
    up, down = 10.0 ** np.maximum(digits, 0.0), 10.0 ** np.maximum(-digits, 0.0)
    rounded = np.rint(array * up / down) / up * down
    return np.where(small, 0.0, rounded)


def significant_number(value: float) -> float:
    """One value to :data:`DIGITS` significant digits."""
    return float(f"{value:.{DIGITS - 1}e}")


@dataclass(frozen=True, slots=True)
class Governing:
    """The block nearest to failure.

    ``load_factor`` is 1 / utilisation, the factor by which the weight could grow, None where the utilisation is 0;
    ``material`` is the block's name, "" where blocks have none.
    """

    utilisation: float
    load_factor: float | None
    cell: Cell
    mode: Mode
    material: str

    def to_dict(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "utilisation": self.utilisation,
            "load_factor": self.load_factor,
            "cell": list(self.cell),
            "mode": self.mode,
            "material": self.material,
        }


def _nothing() -> Floats:
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class StressResult:
    """What a stress analysis found. Lengths in m, forces in N, stress in Pa, tension positive.

    Numbers have 6 significant digits. What could not be found is None or an empty array, never NaN and never 0.

    Attributes
    ----------
    status : ``ok``; ``empty`` (no structural block); ``floating`` (some parts touch nothing that is held; they are left
        out and the rest is solved); ``mechanism`` (something can move freely); ``point_contact`` (solved, but blocks
        press on each other along edges or corners, where the stress depends on the mesh); ``excessive_displacement``
        (more than 1 % of the size: linear theory is void); ``not_converged`` (the equations were not solved)
    message : the same in words
    cells : (n, 3) int32, sorted: the blocks that were solved
    rms_pa : (n,) root of the mean over the block of the squared von Mises stress
    lin_pa : (n,) largest von Mises stress of the linear field at the block's centre and in the middle of its faces
    principal_max_pa, principal_min_pa : (n,) largest and smallest principal stress of that field there
    displacement_m : (n,) largest displacement of a corner
    utilisation : (n,) stress over strength by failure class; empty without strengths, 0 for blocks without one
    sigma_rms_pa, sigma_lin_pa : the largest of ``rms_pa`` (the value that is compared) and of ``lin_pa``
    sigma_rms_at, sigma_lin_at : their cells, the first where several are equal
    sigma_paper_pa : the published benchmark's measure, see :mod:`minece.fem.paper`; None if not asked for
    max_displacement_m : the largest displacement
    weight_n, reaction_n : weight of what was solved, and the upward force of its supports
    strength : the block nearest to failure, without soft ones
    not_structural : the same among soft blocks (wool, leaves, fittings …)
    floating, moving, point_contacts, approximate : (…, 3) int32 cells: left out as floating; moving in a mechanism;
        touching others along edges or corners; of a shape that the cubes only approximate
    notes : sentences about what was assumed
    solver : what was solved and how
    """

    status: Status
    message: str
    cells: Cells = field(default_factory=lambda: NO_CELLS)
    rms_pa: Floats = field(default_factory=_nothing)
    lin_pa: Floats = field(default_factory=_nothing)
    principal_max_pa: Floats = field(default_factory=_nothing)
    principal_min_pa: Floats = field(default_factory=_nothing)
    displacement_m: Floats = field(default_factory=_nothing)
    utilisation: Floats = field(default_factory=_nothing)
    sigma_rms_pa: float | None = None
    sigma_lin_pa: float | None = None
    sigma_rms_at: Cell | None = None
    sigma_lin_at: Cell | None = None
    sigma_paper_pa: float | None = None
    max_displacement_m: float | None = None
    weight_n: float | None = None
    reaction_n: float | None = None
    strength: Governing | None = None
    not_structural: Governing | None = None
    floating: Cells = field(default_factory=lambda: NO_CELLS)
    moving: Cells = field(default_factory=lambda: NO_CELLS)
    point_contacts: Cells = field(default_factory=lambda: NO_CELLS)
    approximate: Cells = field(default_factory=lambda: NO_CELLS)
    notes: tuple[str, ...] = ()
    solver: dict[str, Any] = field(default_factory=dict)

    @property
    def solved(self) -> bool:
        """Whether there are stresses."""
        return self.sigma_rms_pa is not None

    @property
    def stands(self) -> bool | None:
        """Whether the build bears its own weight: it was solved, nothing floats, and no utilisation is above 1. None
        where there is nothing to bear, or no strength is known and nothing else speaks against it."""
        if self.status == "empty":
            return None
        if not self.solved or len(self.floating):
            return False
        return None if self.strength is None else self.strength.utilisation <= 1.0

    def to_dict(self, *, blocks: bool = True) -> dict[str, Any]:
        """Plain data for JSON; ``blocks`` false leaves out what is said of each block."""
        out: dict[str, Any] = {"status": self.status, "message": self.message, "stands": self.stands}
        for name in (
            "sigma_rms_pa", "sigma_lin_pa", "sigma_paper_pa", "max_displacement_m", "weight_n", "reaction_n",
        ):  # fmt: skip
            out[name] = getattr(self, name)
        for name in ("sigma_rms_at", "sigma_lin_at"):
            cell = getattr(self, name)
            out[name] = None if cell is None else list(cell)
        for name in ("strength", "not_structural"):
            governing = getattr(self, name)
            out[name] = None if governing is None else governing.to_dict()
        for name in ("floating", "moving", "point_contacts", "approximate"):
            out[name] = getattr(self, name).tolist()
        out["notes"] = list(self.notes)
        out["solver"] = dict(self.solver)
        if blocks:
            names = (
                "cells", "rms_pa", "lin_pa", "principal_max_pa", "principal_min_pa", "displacement_m", "utilisation",
            )  # fmt: skip
            out["blocks"] = {name: getattr(self, name).tolist() for name in names}
        return out
