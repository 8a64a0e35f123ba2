"""From a structure to a result: checks, solution, checks, stress, strength."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from minece.blocks.grid import Cells
from minece.fem import paper as paper_measure
from minece.fem.elements import Floats, Kind, element
from minece.fem.errors import ModelError
from minece.fem.mesh import Ints, Mask, Mesh
from minece.fem.result import Cell, Governing, Status, StressResult, significant, significant_number
from minece.fem.solve import System, Tell, check_size, nodal_sums, solve
from minece.fem.stability import examine
from minece.fem.strength import MODES, Failure, utilisation
from minece.fem.stress import BlockStress, block_stress
from minece.fem.structure import Structure, from_voxels
from minece.fem.threads import one_thread

GRAVITY = 9.81
"""m/s²."""

MOST_CONTRAST = 1e5
"""How much stiffer than its softest block a structure may be; softer blocks are taken as stiff as that."""

MOST_DISPLACEMENT = 0.01
"""Displacement over size beyond which linear theory is void."""

TOLERANCE = 1e-8
"""What forces may lack to balance, over the weight."""

_FEW = 5


def analyse_voxels(
    voxels: ArrayLike,
    *,
    young: ArrayLike = 30e9,
    poisson: ArrayLike = 0.2,
    density: ArrayLike = 2400.0,
    held: ArrayLike | None = None,
    refine: int = 1,
    side: float = 1.0,
    gravity: ArrayLike = (0.0, -GRAVITY, 0.0),
    kind: Kind = "h8i",
    paper: bool = False,
) -> StressResult:
    """The stress of cubes under their own weight, from plain arrays.

    ``voxels`` is a bool array with axes x, y, z (y up), or (n, 3) whole coordinates. ``young`` (Pa), ``poisson`` and
    ``density`` (kg/m³) are one number, one per cell, or for a box an array of its shape. ``held`` (n, 6) bool says
    which faces cannot move (west, east, down, up, north, south; rows in the order of the cells, those of a box in C
    order); without it these are the undersides at y = 0. ``refine`` cuts every cube into refine³, ``side`` is its
    side in m, ``gravity`` in m/s², ``kind`` the element (``h8i`` or ``hex8``); ``paper`` adds ``sigma_paper_pa``.

    Raises :class:`minece.fem.ModelError` for arrays that make no sense and :class:`minece.fem.TooLargeError`.

    >>> column = analyse_voxels([[0, y, 0] for y in range(12)], poisson=0.0)
    >>> column.status, column.max_displacement_m
    ('ok', 5.65056e-05)
    """
    structure = from_voxels(voxels, young=young, poisson=poisson, density=density, held=held, refine=refine, side=side)
    pull = np.asarray(gravity, dtype=np.float64)
    if pull.shape != (3,) or not np.isfinite(pull).all() or not pull.any():
        raise ModelError("gravity is not three finite numbers, of which one is not zero")
    return analyse_structure(structure, gravity=pull, kind=kind, paper=paper)


def analyse_structure(
    structure: Structure,
    *,
    gravity: Floats | None = None,
    kind: Kind = "h8i",
    paper: bool = False,
    tell: Tell | None = None,
) -> StressResult:
    """The stress of a structure under its own weight. Raises :class:`minece.fem.TooLargeError`.

    ``tell`` is called now and then with the share of the work that is done, 0 to 1.
    """
    if not len(structure):
        return StressResult("empty", "there is no block that carries load", notes=structure.notes)
    check_size(_count(structure))
    with one_thread():
        pull = np.array([0.0, -GRAVITY, 0.0]) if gravity is None else gravity
        return _analysed(structure, pull, kind, paper, tell or _silent)


def _silent(share: float) -> None:
    """Tells nobody."""


def _analysed(structure: Structure, gravity: Floats, kind: Kind, paper: bool, tell: Tell) -> StressResult:
    """The result for a structure of at least one block."""
    cubes, block = _cubes(structure)
    mesh = Mesh.of(cubes, structure.side / structure.refine)
    held = mesh.nodes_of_faces(_held_faces(structure, cubes, block))
    standing = examine(mesh, held)

    def cells_of(mask: Mask) -> Cells:
        return structure.cells[np.unique(block[mask])]

    known: dict[str, Any] = {
        "floating": cells_of(standing.floating),
        "moving": cells_of(standing.moving),
        "point_contacts": cells_of(standing.contacts & ~standing.floating),
        "notes": structure.notes,
        "solver": {"element": kind, "refine": structure.refine, "method": "none"},
    }
    if structure.approximate is not None:
        known["approximate"] = structure.cells[structure.approximate]
    if standing.floating.all():
        return StressResult("floating", _floats(known["floating"], True), **known)
    if standing.mechanisms:
        many = standing.mechanisms
        ways = "one way" if many == 1 else f"{many} independent ways"
        text = f"{_named(known['moving'])} can move freely in {ways}: blocks are joined by edges or corners only"
        return StressResult("mechanism", text, **known)
    if standing.floating.any():
        stay = ~standing.floating
        cubes, block = cubes[stay], block[stay]
        mesh = Mesh.of(cubes, mesh.side)
        held = mesh.nodes_of_faces(_held_faces(structure, cubes, block))
    # The share of the benchmark's measure, whose blocks are one cube each.
    first = 1.0 / (1.0 + structure.refine**6) if paper else 0.0
    if paper:
        known["sigma_paper_pa"] = paper_measure.paper_stress(
            structure.cells, structure.held, lambda share: tell(first * share)
        )
    return _solved(
        structure, mesh, block, held, gravity, kind, known, lambda share: tell(first + (1.0 - first) * share)
    )


def _solved(
    structure: Structure,
    mesh: Mesh,
    block: Ints,
    held: Mask,
    gravity: Floats,
    kind: Kind,
    known: dict[str, Any],
    tell: Tell,
) -> StressResult:
    """The result for the cubes that stand."""
    rows, block = np.unique(block, return_inverse=True)
    young, raised = _young(structure, rows, known)
    ratios, which = np.unique(structure.poisson[rows][block], return_inverse=True)
    system = System(
        mesh,
        [element(kind, float(ratio)) for ratio in ratios],
        which,
        young[block],
        np.repeat(held[:, None], 3, axis=1),
    )
    weights = _masses(structure, rows, block)[:, None] * gravity
    loads = nodal_sums(mesh, np.broadcast_to(weights[:, None] / 8, (len(mesh), 8, 3)))
    displacement, price = solve(system, loads, tell)
    cells = structure.cells[rows]
    known["solver"] = {
        "element": kind,
        "refine": structure.refine,
        "method": "Cholesky by fronts, geometric nested dissection",
        "blocks": len(rows),
        "cubes": len(mesh),
        "unknowns": int(3 * np.count_nonzero(~held)),
        "operations": significant_number(price.operations),
        "memory_bytes": significant_number(price.memory),
        "softer_than_limit": int(np.count_nonzero(raised)),
    }
    if displacement is None:
        return StressResult("not_converged", "the stiffness is not positive definite: something moves freely", **known)
    forces = system.internal_forces(displacement) - loads
    weight = float(np.linalg.norm(loads.sum(axis=0)))
    reaction = -float(forces[held].sum(axis=0) @ gravity) / float(np.linalg.norm(gravity))
    loose = float(np.abs(forces[~held]).max(initial=0.0))
    known["weight_n"] = significant_number(weight)
    if not np.isfinite(displacement).all() or max(loose, abs(reaction - weight)) > TOLERANCE * max(weight, 1e-300):
        return StressResult("not_converged", "forces do not balance: the equations were not solved", **known)
    moved = np.linalg.norm(displacement, axis=1)
    per_block = np.zeros(len(rows))
    np.maximum.at(per_block, np.repeat(block, 8), moved[mesh.corners].ravel())
    known |= {
        "reaction_n": significant_number(reaction),
        "max_displacement_m": significant_number(float(moved.max())),
    }
    # Empty stretches closed up: parts that lie far apart are not one large structure.
    size = float(np.ptp(mesh.near, axis=0).max() + 1) * mesh.side
    firm = _firm(structure, rows)
    if per_block[firm].max() > MOST_DISPLACEMENT * size:
        worst = cells[firm][per_block[firm].argmax()]
        text = (
            f"{_name(structure, rows[firm][per_block[firm].argmax()])} at {_cell(worst)} moves by "
            f"{per_block[firm].max():.3g} m, more than 1 % of the size of {size:g} m: too soft for a linear answer"
        )
        return StressResult("excessive_displacement", text, **known)
    stress = block_stress(system, displacement, block, len(rows), structure.refine)
    known |= _stresses(structure, rows, cells, stress, significant(per_block))
    return _with_status(StressResult("ok", "solved", **known))


def _with_status(result: StressResult) -> StressResult:
    """A solved result with what is to be said of its parts and contacts."""
    status: Status = "ok"
    message = result.message
    if len(result.floating):
        status, message = "floating", _floats(result.floating, False)
    elif len(result.point_contacts):
        status = "point_contact"
        message = f"{_named(result.point_contacts)} touch others along edges or corners only; stress there is uncertain"
    return replace(result, status=status, message=message)


def _stresses(
    structure: Structure, rows: Ints, cells: Cells, stress: BlockStress, displacement: Floats
) -> dict[str, Any]:
    """The fields of a result that speak of stress."""
    over = np.ones(len(rows)) if structure.share is None else 1.0 / structure.share[rows]
    rms, linear = significant(stress.rms * over), significant(stress.linear * over)
    principal = stress.principal * over[:, None, None]
    at_rms, at_linear = int(rms.argmax()), int(linear.argmax())
    out: dict[str, Any] = {
        "cells": cells,
        "rms_pa": rms,
        "lin_pa": linear,
        "principal_max_pa": significant(principal[..., 2].max(axis=1)),
        "principal_min_pa": significant(principal[..., 0].min(axis=1)),
        "displacement_m": displacement,
        "sigma_rms_pa": float(rms[at_rms]),
        "sigma_lin_pa": float(linear[at_linear]),
        "sigma_rms_at": _cell(cells[at_rms]),
        "sigma_lin_at": _cell(cells[at_linear]),
    }
    if structure.failure is None or structure.compressive is None or structure.tensile is None:
        return out
    failure = structure.failure[rows]
    exact, mode = utilisation(
        stress.linear * over,
        principal,
        failure,
        structure.compressive[rows],
        structure.tensile[rows],
        None if structure.bedded is None else structure.bedded[rows],
    )
    used = significant(exact)
    soft = failure == Failure.SOFT
    known = failure != Failure.NONE
    out["utilisation"] = used
    out["strength"] = _governing(structure, rows, cells, used, mode, known & ~soft)
    out["not_structural"] = _governing(structure, rows, cells, used, mode, soft)
    return out


def _governing(
    structure: Structure, rows: Ints, cells: Cells, used: Floats, mode: Ints, among: Mask
) -> Governing | None:
    chosen = np.flatnonzero(among)
    if not len(chosen):
        return None
    worst = int(chosen[used[chosen].argmax()])
    value = float(used[worst])
    return Governing(
        utilisation=value,
        load_factor=significant_number(1.0 / value) if value else None,
        cell=_cell(cells[worst]),
        mode=MODES[int(mode[worst])],
        material=structure.names[int(rows[worst])] if structure.names else "",
    )


def _count(structure: Structure) -> int:
    if structure.filled is not None:
        return int(np.count_nonzero(structure.filled))
    return len(structure) * structure.refine**3


def _cubes(structure: Structure) -> tuple[Ints, Ints]:
    """(m, 3) coordinates of the cubes and (m,) the block of each."""
    r = structure.refine
    cells = structure.cells.astype(np.int64)
    if r == 1 and structure.filled is None:
        return cells, np.arange(len(cells))
    filled = np.ones((len(cells), r, r, r), dtype=np.bool_) if structure.filled is None else structure.filled
    block, *inside = np.nonzero(filled)
    return cells[block] * r + np.stack(inside, axis=1), block


def _held_faces(structure: Structure, cubes: Ints, block: Ints) -> Mask:
    """(m, 6) bool: the faces of cubes that lie in held faces of their blocks."""
    held = structure.held[block]
    if structure.refine == 1:
        return held
    inside = cubes % structure.refine
    outer = np.stack([inside == 0, inside == structure.refine - 1], axis=2).reshape(len(cubes), 6)
    out: Mask = held & outer
    return out


def _young(structure: Structure, rows: Ints, known: dict[str, Any]) -> tuple[Floats, Mask]:
    """Young's modulus of the blocks, the softest raised to the limit, and which were raised."""
    young = structure.young[rows] * (1.0 if structure.share is None else structure.share[rows])
    least = float(young.max()) / MOST_CONTRAST
    raised = young < least
    if raised.any():
        note = (
            f"{_blocks(int(np.count_nonzero(raised)))} softer than 1/{MOST_CONTRAST:.0f} of the stiffest "
            "taken as stiff as that"
        )
        known["notes"] = (*known["notes"], note)
    return np.maximum(young, least), raised


def _masses(structure: Structure, rows: Ints, block: Ints) -> Floats:
    """(m,) kg of each cube, with what its block carries."""
    volume = (structure.side / structure.refine) ** 3
    mass = structure.density[rows] * volume
    if structure.share is not None:
        mass = mass * structure.share[rows]
    if structure.carried is not None:
        mass = mass + structure.carried[rows] / np.bincount(block)
    return mass[block]


def _firm(structure: Structure, rows: Ints) -> Mask:
    """(n,) bool: blocks whose displacement must be small; all but soft ones, if there are others."""
    if structure.failure is None:
        return np.ones(len(rows), dtype=np.bool_)
    soft = structure.failure[rows] == Failure.SOFT
    return np.ones_like(soft) if soft.all() else ~soft


def _cell(row: NDArray[np.integer]) -> Cell:
    x, y, z = row.tolist()
    return (x, y, z)


def _name(structure: Structure, row: int) -> str:
    return structure.names[row] if structure.names else "the block"


def _blocks(count: int) -> str:
    return "1 block" if count == 1 else f"{count} blocks"


def _named(cells: Cells) -> str:
    """How many blocks, and where the first of them are."""
    shown = ", ".join(str(_cell(row)) for row in cells[:_FEW])
    return f"{_blocks(len(cells))} at {shown}{', …' if len(cells) > _FEW else ''}"


def _floats(cells: Cells, all_of_it: bool) -> str:
    touch = "touches" if len(cells) == 1 else "touch"
    text = f"{_named(cells)} {touch} nothing that is held"
    return text if all_of_it else f"{text}; the rest was solved without"
