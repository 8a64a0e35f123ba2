"""The element matrices by themselves."""

import fem_models as models
import numpy as np
import pytest

from minece.fem import ModelError
from minece.fem.elements import CORNERS, MISES, element
from minece.fem.mesh import Mesh
from minece.fem.solve import System, solve
from minece.fem.stress import block_stress, von_mises

KINDS = ("hex8", "h8i")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("poisson", [-0.3, 0.0, 0.2, 0.3, 0.49])
def test_nothing_but_six_rigid_motions_costs_no_energy(kind, poisson):
    stiffness = element(kind, poisson).stiffness
    values = np.linalg.eigvalsh(stiffness)
    assert np.abs(values[:6]).max() < 1e-14 * values[-1]
    assert values[6] > 1e-3 * values[-1]
    assert np.array_equal(stiffness, stiffness.T)


@pytest.mark.parametrize("kind", KINDS)
def test_patch_of_macneal_and_harder(kind):
    """A field linear in the coordinates is met exactly: normal stress 2000, shear 400."""
    mesh = Mesh.of(np.argwhere(np.ones((3, 3, 3), dtype=np.bool_)))
    x, y, z = mesh.nodes.T.astype(np.float64)
    field = 1e-3 * np.stack([x + y / 2 + z / 2, x / 2 + y + z / 2, x / 2 + y / 2 + z], axis=1)
    outside = ((mesh.nodes == 0) | (mesh.nodes == 3)).any(axis=1)
    fixed = np.repeat(outside[:, None], 3, axis=1)
    system = System(mesh, [element(kind, 0.25)], np.zeros(27, dtype=np.int64), np.full(27, 1e6), fixed)
    given = np.where(fixed, field, 0.0)
    # Given displacements of the outside become loads on the inside.
    inner, _ = solve(system, -system.internal_forces(given))
    found = inner + given
    assert np.abs(found - field).max() < 1e-15
    one = element(kind, 0.25)
    stress = 1e6 * np.einsum("qcd,md->mqc", one.gauss, found[mesh.corners].reshape(27, 24))
    assert np.abs(stress - [2000, 2000, 2000, 400, 400, 400]).max() < 1e-8
    blocks = block_stress(system, found, np.arange(27), 27, 1)
    assert np.abs(blocks.tensors - [2000, 2000, 2000, 400, 400, 400]).max() < 1e-8
    assert np.allclose(blocks.rms, 400 * np.sqrt(9), rtol=1e-12)
    assert np.allclose(blocks.principal[:, :, [0, 2]], [1600, 2800], rtol=1e-12)


def test_incompatible_modes_bend_a_single_cube_exactly():
    """Pure bending about z with ν = 0: the plain element is too stiff by half, the other is exact."""
    x, y, z = (CORNERS - 0.5).T
    bent = np.stack([-x * y, 0.5 * x * x, 0 * z], axis=1).ravel()
    energy = {kind: bent @ element(kind, 0.0).stiffness @ bent for kind in KINDS}
    exact = 1 / 12
    assert energy["h8i"] == pytest.approx(exact, rel=1e-12)
    assert energy["hex8"] == pytest.approx(1.5 * exact, rel=1e-12)
    linear = element("h8i", 0.0).linear @ bent
    assert np.allclose(linear[2], [-1, 0, 0, 0, 0, 0], atol=1e-12)
    assert np.allclose(linear[[0, 1, 3]], 0, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_turning_the_cube_turns_the_matrix(kind):
    stiffness = element(kind, 0.3).stiffness.reshape(8, 3, 8, 3)
    for turn in ([1, 2, 0], [2, 0, 1], [1, 0, 2]):
        corner = np.array([int(np.flatnonzero((CORNERS == c[turn]).all(axis=1))[0]) for c in CORNERS])
        turned = stiffness[np.ix_(corner, np.argsort(turn), corner, np.argsort(turn))]
        back = stiffness
        assert np.abs(turned - back).max() < 1e-15


def test_gauss_points_say_what_the_forms_say():
    """Mean, energy and von Mises form agree with the values at the Gauss points."""
    one = element("h8i", 0.2)
    u = np.random.default_rng(1).normal(size=24)
    at_points = one.gauss @ u
    assert np.allclose(one.linear[0] @ u, at_points.mean(axis=0))
    assert u @ one.mises @ u == pytest.approx((von_mises(at_points) ** 2).mean(), rel=1e-12)
    compliance = np.full((3, 3), -0.2)
    np.fill_diagonal(compliance, 1.0)
    strain = np.concatenate([at_points[:, :3] @ compliance, 2.4 * at_points[:, 3:]], axis=1)
    assert u @ one.stiffness @ u == pytest.approx(np.einsum("qc,qc->q", strain, at_points).mean(), rel=1e-12)


def test_von_mises_of_known_states():
    assert von_mises(np.array([5.0, 0, 0, 0, 0, 0])) == pytest.approx(5)
    assert von_mises(np.array([4.0, 4, 4, 0, 0, 0])) == 0
    assert von_mises(np.array([0.0, 0, 0, 2, 0, 0])) == pytest.approx(2 * np.sqrt(3))
    assert MISES.shape == (6, 6)


@pytest.mark.parametrize("poisson", [0.5, -1.0, float("nan")])
def test_impossible_ratios_are_refused(poisson):
    with pytest.raises(ModelError, match="Poisson"):
        element("h8i", poisson)


def test_an_unknown_element_is_refused():
    with pytest.raises(ModelError, match="unknown element 'hex20'"):
        element("hex20", 0.2)


def test_the_element_agrees_with_stock_assembly():
    """The whole stiffness of a bridge as scikit-fem assembles it, entry by entry."""
    import skfem
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    cubes = np.argwhere(models.bridge())
    mesh = Mesh.of(cubes)
    place = np.array([0, 1, 2, 4, 3, 5, 6, 7])  # scikit-fem's order of corners in ours
    stock = skfem.MeshHex(mesh.nodes.T.astype(np.float64), mesh.corners[:, place].T)
    basis = skfem.Basis(stock, skfem.ElementVector(skfem.ElementHex1()), intorder=3)
    matrix = linear_elasticity(*lame_parameters(1.0, 0.2)).assemble(basis).toarray()
    ours = np.zeros_like(matrix)
    one = element("hex8", 0.2).stiffness
    for corners in mesh.corners:
        rows = basis.nodal_dofs[:, corners].T.ravel()
        ours[np.ix_(rows, rows)] += one
    assert np.abs(ours - matrix).max() < 1e-14
