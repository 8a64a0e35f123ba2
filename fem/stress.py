"""From displacement to stress, block by block.

The raw maximum of stress grows without bound as the mesh gets finer, at every inner corner. What is reported settles:
the root of the mean over a block of the squared von Mises stress, and the stress field that is linear over the block
and fits best, at the block's centre and in the middle of its six faces (membrane and bending, as in the linearisation
of stress in pressure vessels).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minece.fem.elements import MISES, Floats
from minece.fem.mesh import Ints, summed
from minece.fem.solve import System

POINTS: Floats = np.array(
    [[0, 0, 0], [-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], dtype=np.float64
)
"""(7, 3): where the linear field is looked at, in halves of the block's solid box."""
POINTS.setflags(write=False)


@dataclass(frozen=True, eq=False)
class BlockStress:
    """Stress of n blocks in Pa, tension positive.

    Attributes
    ----------
    rms : (n,), root of the mean over the block of the squared von Mises stress
    tensors : (n, 7, 6), the linear field at :data:`POINTS`; xx, yy, zz, xy, yz, zx
    linear : (n,), its largest von Mises stress
    principal : (n, 7, 3), its principal stresses, ascending
    """

    rms: Floats
    tensors: Floats
    linear: Floats
    principal: Floats


def von_mises(tensors: Floats) -> Floats:
    """Von Mises stress of tensors (…, 6)."""
    square: Floats = np.einsum("...c,ce,...e->...", tensors, MISES, tensors)
    return np.sqrt(np.maximum(square, 0.0))


def principal_stresses(tensors: Floats) -> Floats:
    """(…, 3): the principal stresses of tensors (…, 6), ascending."""
    full = tensors[..., [0, 3, 5, 3, 1, 4, 5, 4, 2]].reshape(*tensors.shape[:-1], 3, 3)
    return np.asarray(np.linalg.eigvalsh(full), dtype=np.float64)


def block_stress(system: System, displacement: Floats, block: Ints, blocks: int, refine: int) -> BlockStress:
    """The stress of each block.

    ``displacement`` (k, 3) m; ``block`` (m,) says to which of the blocks a cube belongs, cubes of a block lie in one
    cell of refine × refine × refine.
    """
    mesh = system.mesh
    moved = displacement[mesh.corners].reshape(len(mesh), 24)
    linear = np.empty((len(mesh), 4, 6))
    square = np.empty(len(mesh))
    for number, one in enumerate(system.elements):
        rows = system.which == number
        u = moved[rows]
        linear[rows] = (u @ one.linear.reshape(24, 24).T).reshape(-1, 4, 6)
        square[rows] = np.einsum("md,md->m", u @ one.mises, u)
    scale = system.young / mesh.side
    linear *= scale[:, None, None]
    square *= scale**2
    many = np.bincount(block, minlength=blocks)
    mean_square = summed(block, square, blocks) / many
    field, centre, half = _fitted(linear, mesh.cubes % refine, block, blocks, refine)
    at = centre[:, None] + POINTS * half[:, None]
    tensors = field[:, None, 0] + np.einsum("npk,nkc->npc", at, field[:, 1:])
    return BlockStress(
        rms=np.sqrt(np.maximum(mean_square, 0.0)),
        tensors=tensors,
        linear=von_mises(tensors).max(axis=1, initial=0.0),
        principal=principal_stresses(tensors),
    )


def _fitted(linear: Floats, inside: Ints, block: Ints, blocks: int, refine: int) -> tuple[Floats, Floats, Floats]:
    """The linear field over each block from those over its cubes: (n, 4, 6), value at the cell's centre and slopes per
    side of a cube; and centre and half size, both (n, 3) in sides of a cube, of the box that the cubes fill."""
    if refine == 1:
        zero = np.zeros((blocks, 3))
        order = np.argsort(block)
        return linear[order], zero, zero + 0.5
    at = inside - 0.5 * (refine - 1)
    slopes = np.concatenate([np.ones((len(at), 1)), at], axis=1)
    moments = slopes[:, :, None] * linear[:, None, 0]
    moments[:, 1:] += linear[:, 1:] / 12.0
    normal = slopes[:, :, None] * slopes[:, None]
    normal[:, [1, 2, 3], [1, 2, 3]] += 1.0 / 12.0
    field: Floats = np.linalg.solve(_sums(normal, block, blocks), _sums(moments, block, blocks)).astype(np.float64)
    order = np.argsort(block, kind="stable")
    first = np.searchsorted(block[order], np.arange(blocks))
    low = np.minimum.reduceat(at[order], first) - 0.5
    high = np.maximum.reduceat(at[order], first) + 0.5
    return field, 0.5 * (low + high), 0.5 * (high - low)


def _sums(values: Floats, block: Ints, blocks: int) -> Floats:
    """(n, …): what the values (m, …) of the cubes of each block add up to."""
    flat = values.reshape(len(values), -1)
    columns = [summed(block, column, blocks) for column in flat.T]
    return np.stack(columns, axis=1).reshape(blocks, *values.shape[1:])
