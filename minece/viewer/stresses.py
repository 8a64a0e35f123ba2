"""The result of a stress analysis as numbers to paint by."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Build
from minece.viewer.content import Field

if TYPE_CHECKING:
    from minece.fem.result import StressResult

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"))


def stress_fields(build: Build, result: StressResult) -> tuple[Field, ...]:
    """Utilisation (where there are strengths), stress and displacement of the build's blocks.

    Blocks that the analysis left out have no number. Nothing was solved: no fields.
    """
    if not result.solved:
        return ()
    at = build.blocks.locate(result.cells)
    out: list[Field] = []
    if result.strength is not None or result.not_structural is not None:
        note = "Stress over strength, in the part of the block that is nearest to failure; above 1 it fails."
        out.append(Field("Utilisation", _spread(result.utilisation, at, build), "", note, limit=1.0))
    for title, values, unit, note in (
        ("Stress", result.rms_pa, "Pa", "Von Mises stress under its own weight, root mean square over each block."),
        ("Displacement", result.displacement_m, "m", "Largest displacement of a corner of each block."),
    ):
        factor, name = _scale(float(values.max(initial=0.0)), unit)
        out.append(Field(title, _spread(values / factor, at, build), name, note))
    return tuple(out)


def _spread(values: NDArray[np.float64], at: NDArray[np.int64], build: Build) -> NDArray[np.float64]:
    """Values of some blocks as values of all."""
    out = np.full(len(build.blocks), np.nan)
    out[at[at >= 0]] = values[at >= 0]
    return out


def _scale(largest: float, unit: str) -> tuple[float, str]:
    """A factor and the unit with its prefix, so that the largest value is easily read."""
    if unit == "m":
        return (1e-3, "mm") if largest >= 1e-4 else (1e-6, "µm")
    for factor, prefix in _PREFIXES:
        if largest >= factor:
            return factor, prefix + unit
    return 1.0, unit
