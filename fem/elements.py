"""Finite elements on a cube: stiffness and stress of an eight-node hexahedron, plain or with incompatible modes.

Both have 24 degrees of freedom: 3 · corner + component, the corners in the order of :data:`CORNERS`. ``hex8`` is the
plain trilinear element, which misses a third of the bending of a member one block thick; ``h8i`` adds the nine
incompatible modes of Wilson and Taylor, 1 − ξ², 1 − η², 1 − ζ² for each component, condensed out, and has not that
fault. The forms are integrated by scikit-fem once; every Poisson's ratio is a combination of two matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from minece.fem.errors import ModelError

Floats = NDArray[np.float64]
Kind = Literal["h8i", "hex8"]

CORNERS: NDArray[np.int64] = np.array(list(product((0, 1), repeat=3)), dtype=np.int64)
"""(8, 3) int64: the corners of the unit cube, z running fastest."""

GAUSS_POINTS = 8

# Von Mises stress squared as a quadratic form of the tensor xx, yy, zz, xy, yz, zx.
MISES: Floats = np.diag([1.0, 1.0, 1.0, 3.0, 3.0, 3.0])
MISES[:3, :3] -= 0.5 * (1.0 - np.eye(3))

for _table in (CORNERS, MISES):
    _table.setflags(write=False)


@dataclass(frozen=True, eq=False)
class Element:
    """A cube of side 1 m and Young's modulus 1 Pa; read-only arrays.

    Stress and stiffness of a cube of side h and modulus E are E / h and E · h times these. Tensors are
    xx, yy, zz, xy, yz, zx, shear as stress, tension positive.

    Attributes
    ----------
    stiffness : (24, 24)
    gauss : (8, 6, 24), stress at the 2×2×2 Gauss points
    linear : (4, 6, 24), mean stress and its gradient along x, y, z: the field that fits the stress best and is linear
    mises : (24, 24), quadratic form whose value is the mean over the cube of the squared von Mises stress
    """

    stiffness: Floats
    gauss: Floats
    linear: Floats
    mises: Floats


@dataclass(frozen=True, eq=False)
class _Forms:
    """Matrices over the 24 degrees of freedom of the corners and the 9 of the modes, in this order.

    ``volume`` and ``shear`` are the forms that the two constants of Lamé multiply, ``strain`` (8, 6, 33) is the strain
    at the Gauss points ``points`` (8, 3), whose ``weights`` (8,) sum to one.
    """

    volume: Floats
    shear: Floats
    strain: Floats
    points: Floats
    weights: Floats


@lru_cache(maxsize=1)
def _forms() -> _Forms:
    import skfem
    from skfem.helpers import ddot, div, sym_grad
    from skfem.refdom import RefHex

    class Modes(skfem.ElementH1):  # type: ignore[misc]
        """The functions 4 x (1 − x) of each reference coordinate: 1 − ξ² on the cube from −1 to 1."""

        interior_dofs = 3
        maxdeg = 2
        dofnames = ("x", "y", "z")
        doflocs = np.full((3, 3), 0.5)
        refdom = RefHex

        def lbasis(self, at: Floats, mode: int) -> tuple[Floats, Floats]:
            slope = np.zeros_like(at)
            slope[mode] = 4.0 - 8.0 * at[mode]
            return 4.0 * at[mode] * (1.0 - at[mode]), slope

    mesh = skfem.MeshHex()
    corners = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementHex1()), intorder=3)
    modes = skfem.Basis(mesh, skfem.ElementVector(Modes()), intorder=3)
    vertices = np.lexsort(mesh.p[::-1])
    order = [corners.nodal_dofs[:, vertices].T.ravel(), modes.interior_dofs.ravel()]
    bases = (corners, modes)

    def assembled(integrand: Any) -> Floats:
        form = skfem.BilinearForm(integrand)
        pairs = list(zip(bases, order, strict=True))
        return np.block(
            [[form.assemble(trial, test).toarray()[np.ix_(i, j)] for trial, j in pairs] for test, i in pairs]
        )

    strain = np.zeros((GAUSS_POINTS, 6, 33))
    column = 0
    for basis, numbers in zip(bases, order, strict=True):
        local = np.argsort(basis.element_dofs[:, 0])
        for number in local[numbers].tolist():
            grad = basis.basis[number][0].grad[:, :, 0]
            strain[:, :3, column] = grad[[0, 1, 2], [0, 1, 2]].T
            strain[:, 3:, column] = (grad[[0, 1, 2], [1, 2, 0]] + grad[[1, 2, 0], [0, 1, 2]]).T
            column += 1
    return _Forms(
        volume=assembled(lambda u, v, _: div(u) * div(v)),
        shear=assembled(lambda u, v, _: 2.0 * ddot(sym_grad(u), sym_grad(v))),
        strain=strain,
        points=np.asarray(corners.global_coordinates())[:, 0].T,
        weights=corners.dx[0],
    )


@lru_cache(maxsize=256)
def element(kind: Kind, poisson: float) -> Element:
    """The element of a Poisson's ratio, made once.

    Raises :class:`ModelError` for an unknown kind and for ratios outside −1 < ν < 0.5.
    """
    if kind not in ("h8i", "hex8"):
        raise ModelError(f"unknown element {kind!r}", mend="take h8i or hex8")
    if not -1.0 < poisson < 0.5:
        raise ModelError(f"Poisson's ratio {poisson:g} is not between -1 and 0.5")
    forms = _forms()
    first = poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson))
    second = 0.5 / (1.0 + poisson)
    whole = first * forms.volume + second * forms.shear
    if kind == "hex8":
        shapes = np.eye(33, 24)
    else:
        shapes = np.vstack([np.eye(24), -np.linalg.solve(whole[24:, 24:], whole[24:, :24])])
    stiffness = whole[:24] @ shapes
    elasticity = np.diag([2.0 * second] * 3 + [second] * 3)
    elasticity[:3, :3] += first
    gauss = elasticity @ (forms.strain @ shapes)
    weighted = forms.weights[:, None, None] * gauss
    # On the unit cube the second moment about the centre is 1/12.
    fit = np.vstack([np.ones(GAUSS_POINTS), 12.0 * (forms.points - 0.5).T])
    out = Element(
        stiffness=0.5 * (stiffness + stiffness.T),
        gauss=gauss,
        linear=np.einsum("kq,qcd->kcd", fit, weighted),
        mises=np.einsum("qcd,ce,qef->df", weighted, MISES, gauss),
    )
    for array in (out.stiffness, out.gauss, out.linear, out.mises):
        array.setflags(write=False)
    return out
