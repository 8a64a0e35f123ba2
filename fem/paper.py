"""The stress measure of the published benchmark, as finite elements give it.

The benchmark calculates stress with smoothed particles that stop before the structure is at rest, with E = 1 GPa,
ν = 0.4 and a load of 900 N per block, whatever the block is. Plain trilinear elements under the same load, one per
block, looked at in their 2×2×2 Gauss points, come within 1 % of its published value for a flat bridge (7.8 kPa). That
is agreement between two answers that are both off, the one unfinished, the other locked: use it to compare with
published figures, and ``sigma_rms_pa`` to compare designs.
"""

from __future__ import annotations

import numpy as np

from minece.blocks.grid import Cells
from minece.fem.elements import GAUSS_POINTS, element
from minece.fem.mesh import Mask, Mesh
from minece.fem.result import significant_number
from minece.fem.solve import System, Tell, check_size, nodal_sums, solve
from minece.fem.stability import examine
from minece.fem.stress import von_mises

YOUNG = 1.0e9
POISSON = 0.4
LOAD = 900.0
"""N of each block, downwards."""


def paper_stress(cells: Cells, held: Mask, tell: Tell | None = None) -> float | None:
    """The largest von Mises stress in Pa over the Gauss points of all blocks, taken as full cubes of one material.

    ``cells`` (n, 3), ``held`` (n, 6) bool, faces that cannot move. None where there is no block, where something floats
    or can move. Raises :class:`minece.fem.TooLargeError`.
    """
    if not len(cells):
        return None
    check_size(len(cells))
    mesh = Mesh.of(cells.astype(np.int64))
    fixed = mesh.nodes_of_faces(held)
    standing = examine(mesh, fixed)
    if standing.floating.any() or standing.mechanisms:
        return None
    plain = element("hex8", POISSON)
    count = len(mesh)
    system = System(
        mesh, [plain], np.zeros(count, dtype=np.int64), np.full(count, YOUNG), np.repeat(fixed[:, None], 3, axis=1)
    )
    load = np.array([0.0, -LOAD / 8, 0.0])
    displacement, _ = solve(system, nodal_sums(mesh, np.broadcast_to(load, (count, 8, 3))), tell)
    if displacement is None:
        return None
    moved = displacement[mesh.corners].reshape(count, 24)
    tensors = (moved @ plain.gauss.reshape(-1, 24).T).reshape(count, GAUSS_POINTS, 6)
    return significant_number(YOUNG * float(von_mises(tensors).max()))
