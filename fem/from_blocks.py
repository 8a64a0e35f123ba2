"""From a build to a structure: which blocks carry load, of what they are made, where they rest, what hangs on them."""

from __future__ import annotations

import numpy as np

from minece.blocks.blockset import BlockSet
from minece.blocks.build import Build
from minece.blocks.catalogue import StateInfo, Substance
from minece.blocks.grid import DOWN, SIDES, UP
from minece.blocks.soil import soil_faces, without_soil
from minece.fem.analysis import analyse_structure
from minece.fem.elements import Floats
from minece.fem.materials import Material, Profile, read_profile
from minece.fem.mesh import Ints, Mask
from minece.fem.result import StressResult
from minece.fem.shapes import Shape, shape_of
from minece.fem.solve import Tell
from minece.fem.structure import Structure, check_refine


def analyse(
    build: Build,
    *,
    materials: str = "masonry",
    refine: int = 1,
    full_cubes: bool = False,
    paper: bool = False,
    named: frozenset[str] = frozenset(),
    tell: Tell | None = None,
) -> StressResult:
    """The stress of a build under its own weight.

    ``materials`` is a profile (:func:`minece.fem.materials.read_profile`); ``refine`` cuts each block into refine³
    cubes: slabs and stairs are exact from 2 on, fences, walls and panes never; ``full_cubes`` takes every block that
    carries load as a whole cube (with ``uniform``, shapes alone are compared); ``paper`` adds ``sigma_paper_pa``;
    ``named`` are ids that are blocks, not soil, even below ground; ``tell`` is called now and then with the share of
    the work that is done, 0 to 1.

    What carries no load is left out and weighs on what carries it. Raises :class:`minece.fem.MaterialError`,
    :class:`minece.fem.ModelError` and :class:`minece.fem.TooLargeError`.

    >>> pillar = Build.from_blocks([(0, y, 0, "stone_bricks") for y in range(3)])
    >>> result = analyse(pillar)
    >>> result.status, result.weight_n, result.strength.material
    ('ok', 66011.5, 'stone_bricks')
    """
    structure = structure_of(build, read_profile(materials), refine, full_cubes=full_cubes, named=named)
    return analyse_structure(structure, paper=paper, tell=tell)


def structure_of(
    build: Build,
    profile: Profile,
    refine: int = 1,
    *,
    full_cubes: bool = False,
    named: frozenset[str] = frozenset(),
) -> Structure:
    """The structure of a build. Raises :class:`minece.fem.MaterialError` and :class:`minece.fem.ModelError`."""
    check_refine(refine)
    blocks = without_soil(build.blocks, named)
    soil = soil_faces(blocks, build.dug)
    bears = blocks.table.structural[blocks.index] if len(blocks) else np.zeros(0, dtype=np.bool_)
    rows = np.flatnonzero(bears)
    # Soil holds what stands on it or in it; soil above a block carries nothing.
    held = soil[rows].copy()
    held[:, UP] = False
    below = blocks.neighbours[rows, DOWN]
    bedded = held[:, DOWN] | ((below >= 0) & bears[below])
    state = blocks.index[rows]
    used = np.unique(state)
    made = {int(i): profile.material(blocks.table.material[i]) for i in used}
    shapes = {i: _shape(blocks.table.info[i], material, refine, full_cubes) for i, material in made.items()}
    place = np.zeros(len(blocks.palette), dtype=np.int64)
    place[used] = np.arange(len(used))
    which = place[state]
    carried, loose = _carried(blocks, bears, soil, profile)

    def each(values: list[float]) -> Floats:
        return np.array(values, dtype=np.float64)[which]

    share = each([shape.share for shape in shapes.values()])
    partial = not all(shape.filled.all() for shape in shapes.values())
    bent = np.array([_is_bent(blocks.table.info[i], shapes[i], full_cubes) for i in made], dtype=np.bool_)[which]
    return Structure(
        cells=blocks.cells[rows],
        young=each([material.young for material in made.values()]),
        poisson=each([material.poisson for material in made.values()]),
        density=each([material.density for material in made.values()]),
        held=held,
        refine=refine,
        filled=np.array([shape.filled for shape in shapes.values()])[which] if partial else None,
        share=share,
        carried=carried[rows],
        failure=np.array([material.failure for material in made.values()], dtype=np.int64)[which],
        compressive=each([material.compressive for material in made.values()]),
        tensile=each([material.tensile for material in made.values()]),
        bedded=bedded,
        names=[blocks.table.material[i] for i in state.tolist()],
        approximate=bent,
        notes=_notes(int(np.count_nonzero(bent)), loose),
    )


def _shape(info: StateInfo, material: Material, refine: int, full_cubes: bool) -> Shape:
    whole = full_cubes or material.smeared or info.substance is Substance.FULL
    return shape_of(((0.0, 0.0, 0.0, 1.0, 1.0, 1.0),) if whole else info.boxes, refine)


def _is_bent(info: StateInfo, shape: Shape, full_cubes: bool) -> bool:
    """Whether a block's shape is not shown as it is."""
    return not full_cubes and info.substance is not Substance.FULL and (shape.share < 1.0 or bool(shape.filled.all()))


def _notes(approximate: int, loose: int) -> tuple[str, ...]:
    notes = []
    if approximate:
        which = "1 block is" if approximate == 1 else f"{approximate} blocks are"
        notes.append(f"{which} of a shape that the cubes do not show: thinned by volume, stress by the same ratio more")
    if loose:
        which = "1 thing hangs" if loose == 1 else f"{loose} things hang"
        notes.append(f"{which} on nothing that carries load; the weight is left out")
    return tuple(notes)


def _carried(blocks: BlockSet, bears: Mask, soil: Mask, profile: Profile) -> tuple[Floats, int]:
    """(n,) kg that hangs on each block that bears, and how many things hang on nothing.

    Attachments hang on the faces that hold them in the game, leaves and other things on what is below, or else beside,
    or else above them; where several would do, each takes an equal part.
    """
    mass = np.zeros(len(blocks))
    pending = np.flatnonzero(~bears)
    if not len(pending) or profile.uniform is not None:
        return mass, 0
    table = blocks.table
    mass_of = np.array([0.0 if table.structural[i] else _mass(info, profile) for i, info in enumerate(table.info)])
    mass[pending] = mass_of[blocks.index[pending]]
    pending = pending[~table.fluid[blocks.index[pending]]]
    faces = table.hold_faces.copy()
    faces[~table.attachment] = True
    held = bears.copy()
    on_soil = np.logical_or.reduce(soil[pending] & faces[blocks.index[pending]], axis=1)
    held[pending[on_soil]] = True
    mass[pending[on_soil]] = 0.0
    pending = pending[~on_soil]
    layers: list[tuple[Ints, Mask]] = []
    while len(pending):
        near = blocks.neighbours[pending]
        holds = faces[blocks.index[pending]] & (near >= 0) & held[near]
        found = np.logical_or.reduce(holds, axis=1)
        if not found.any():
            break
        layers.append((pending[found], _preferred(holds[found])))
        held[pending[found]] = True
        pending = pending[~found]
    loose = int(np.count_nonzero(mass[pending]))
    mass[pending] = 0.0
    for rows, holds in reversed(layers):
        part, face = np.nonzero(holds)
        each = mass[rows] / np.count_nonzero(holds, axis=1)
        mass[rows] = 0.0
        mass += np.bincount(blocks.neighbours[rows[part], face], weights=each[part], minlength=len(blocks))
    return mass, loose


def _preferred(holds: Mask) -> Mask:
    """Of the faces that may hold, the lower one, or else those at the sides, or else the upper one."""
    out = holds.copy()
    below = holds[:, DOWN]
    beside = np.logical_or.reduce(holds[:, SIDES], axis=1)
    out[:, SIDES] &= ~below[:, None]
    out[below | beside, UP] = False
    return out


def _mass(info: StateInfo, profile: Profile) -> float:
    material = profile.find(info.material)
    return 0.0 if material is None else material.density * shape_of(info.boxes, 1).volume
