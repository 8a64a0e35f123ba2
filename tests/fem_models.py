"""Structures of cubes for the tests of the stress solver."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from minece.fem.elements import Element, Floats, Kind, element
from minece.fem.mesh import Mesh
from minece.fem.solve import System, nodal_sums, solve

YOUNG, POISSON, DENSITY, GRAVITY = 30e9, 0.2, 2400.0, 9.81
Box = NDArray[np.bool_]


def bridge() -> Box:
    """Flat bridge: span 5 between supports 2×2 and 3 high, deck 2 thick and 2 wide; 60 blocks."""
    out = np.zeros((9, 5, 2), dtype=np.bool_)
    out[:, 3:] = True
    out[:2] = True
    out[-2:] = True
    return out


def portal() -> Box:
    """Portal 10 wide and 5 high, one block thick."""
    out = np.zeros((10, 5, 1), dtype=np.bool_)
    out[[0, -1]] = True
    out[:, -1] = True
    return out


def roof() -> Box:
    """Roof 10×10, two layers, on four columns 2×2×2; 232 blocks."""
    out = np.zeros((10, 4, 10), dtype=np.bool_)
    out[:, 2:] = True
    for x in (1, 7):
        for z in (1, 7):
            out[x : x + 2, :2, z : z + 2] = True
    return out


def arch() -> Box:
    """Stepped arch, two wide, whose steps overlap by faces."""
    out = np.zeros((11, 5, 2), dtype=np.bool_)
    for x, bottom in enumerate((0, 0, 1, 2, 3, 3, 3, 2, 1, 0, 0)):
        out[x, bottom : bottom + 2] = True
    return out


def solved(
    cubes: Box,
    kind: Kind,
    fixed: Callable[[Floats], Box],
    loads: Callable[[Mesh], Floats],
    *,
    refine: int = 1,
    side: float = 1.0,
    young: float = YOUNG,
    poisson: float = POISSON,
) -> tuple[System, Floats]:
    """A system of one material and its displacement (k, 3); ``fixed`` tells from the nodes' positions in m which
    degrees of freedom are held."""
    fine = cubes.repeat(refine, 0).repeat(refine, 1).repeat(refine, 2)
    mesh = Mesh.of(np.argwhere(fine), side / refine)
    one: Element = element(kind, poisson)
    count = len(mesh)
    system = System(mesh, [one], np.zeros(count, dtype=np.int64), np.full(count, young), fixed(mesh.nodes * mesh.side))
    displacement, _ = solve(system, loads(mesh))
    assert displacement is not None
    return system, displacement


def own_weight(mesh: Mesh) -> Floats:
    """Forces of the weight of the default material."""
    force = DENSITY * GRAVITY * mesh.side**3 / 8
    return nodal_sums(mesh, np.broadcast_to([0.0, -force, 0.0], (len(mesh), 8, 3)))


def on_ground(at: Floats) -> Box:
    """Everything held at y = 0."""
    return np.repeat(at[:, 1:2] == 0, 3, axis=1)
