"""Would it bear its own weight, and how well is it shaped for that?"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from minece.blocks import BlockSet, Build, Cells
from minece.checkers.errors import CheckerError
from minece.checkers.parameters import Shape
from minece.checkers.registry import rule
from minece.checkers.scene import Scene
from minece.checkers.verdict import Finding, Measure, finding
from minece.checkers.wording import count, place

MATERIAL = "uniform:E=30e9,nu=0.2,rho=2400"
"""One material for all blocks, so that the shape is judged and an arch of wool gains nothing."""

TOLERANCE = 1e-6
"""How much more than the reference's stress still counts as the same."""

MOST_BLOCKS = 10_000
"""More structural blocks are not compared: a rule has to end in seconds."""

_NOT_STANDING = {
    "floating": "floats: it is joined to nothing that stands",
    "mechanism": "can move freely: blocks that touch at edges and corners do not hold each other",
    "excessive_displacement": "gives way by more than 1 % of its size",
    "not_converged": "could not be solved",
}


@rule("stability", unit="Pa")
def stress(scene: Scene, *, reference: Shape, best: Shape | None = None) -> Finding:
    """Under its own weight the build is stressed no more than a reference build.

    Compared is the largest root mean square of the von Mises stress over a block, from the finite-element model of
    `minece stress`, with one material and whole cubes for all blocks in both builds: shape is judged, not what it is
    made of. What floats or can move freely fails.

    ``reference``: the build to compare with, as boxes [x, y, z, width, height, depth] on the ground y = 0. ``best``:
    the best build known; the share of its stress in the build's is told.

    Measures the stress; the score is the reference's over the build's, at most 1.
    """
    limit = _stress_of(reference)
    required: Measure = {"sigma_rms_pa": {"at_most": limit}}
    number = int(np.count_nonzero(scene.structural))
    if number > MOST_BLOCKS:
        raise CheckerError(f"{number} blocks are too many to be compared", mend=f"build with {MOST_BLOCKS} at most")
    from minece.fem import analyse

    found = analyse(scene.build, materials=MATERIAL, full_cubes=True, named=scene.named)
    sigma = found.sigma_rms_pa
    if found.status in _NOT_STANDING or sigma is None or found.sigma_rms_at is None:
        fault = found.floating if len(found.floating) else found.moving if len(found.moving) else scene.cells
        text = (
            f"{count(len(fault), 'block')} {_NOT_STANDING.get(found.status, 'cannot be judged')}, at {place(fault[:1])}"
        )
        return finding(False, None, required, f"{text}.", fault)
    at = np.array([found.sigma_rms_at], dtype=np.int32)
    measured: dict[str, Measure] = {"sigma_rms_pa": sigma}
    text = f"The largest stress is {sigma:.10g} Pa at {place(at)}, that of the reference {limit:.10g} Pa"
    if best is not None:
        against_best = round(min(1.0, _stress_of(best) / sigma), 6)
        measured["score_vs_best"] = against_best
        text += f", and against the best build known the score is {against_best:g}"
    ok = sigma <= limit * (1 + TOLERANCE)
    if not ok:
        text += ": shorten the span, or carry it at more places"
    return finding(ok, measured, required, f"{text}.", at, min(1.0, limit / sigma) if not ok else 1.0)


@lru_cache(maxsize=64)
def _stress_of(shape: Shape) -> float:
    """The stress of a reference, in Pa."""
    from minece.fem import analyse

    cells: Cells = shape.cells
    build = Build(BlockSet(cells, np.zeros(len(cells), dtype=np.int64), ["stone"]))
    found = analyse(build, materials=MATERIAL, full_cubes=True)
    if found.sigma_rms_pa is None or found.status in _NOT_STANDING:
        raise CheckerError(f"the reference does not stand: {found.message}", mend="give boxes that stand on the ground")
    return found.sigma_rms_pa
