"""Direct solution against a stock sparse solver, and its limits."""

import fem_models as models
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.linalg import spsolve

from minece.fem import TooLargeError, analyse_voxels
from minece.fem import solve as solve_module
from minece.fem.elements import element
from minece.fem.mesh import FACE_CORNERS, Mesh
from minece.fem.ordering import cost, dissect
from minece.fem.solve import System, factorise, solve
from minece.fem.stability import examine


def stock_solution(system, loads):
    """The same system assembled as one sparse matrix and solved by scipy."""
    mesh = system.mesh
    rows = (3 * mesh.corners[:, :, None] + np.arange(3)).reshape(-1, 24)
    matrices = np.array([one.stiffness for one in system.elements])[system.which]
    values = matrices * (system.young * mesh.side)[:, None, None]
    size = 3 * len(mesh.nodes)
    places = (np.repeat(rows, 24, axis=1).ravel(), np.tile(rows, (1, 24)).ravel())
    matrix = coo_array((values.ravel(), places), shape=(size, size)).tocsc()
    free = np.flatnonzero(~system.fixed.ravel())
    out = np.zeros(size)
    out[free] = spsolve(matrix[free][:, free], loads.ravel()[free])
    return out.reshape(-1, 3)


def system_of(cells, rng):
    mesh = Mesh.of(cells)
    elements = [element("h8i", 0.2), element("h8i", 0.35)]
    fixed = np.repeat(mesh.nodes[:, 1:2] == 0, 3, axis=1)
    count = len(mesh)
    return System(mesh, elements, rng.integers(0, 2, count), rng.uniform(1e8, 1e11, count), fixed)


@pytest.mark.parametrize("shape", ["bridge", "portal", "roof", "arch"])
def test_as_scipy_solves_it(shape):
    rng = np.random.default_rng(11)
    system = system_of(np.argwhere(getattr(models, shape)()), rng)
    loads = rng.normal(size=system.fixed.shape)
    displacement, _ = solve(system, loads)
    other = stock_solution(system, loads)
    assert np.abs(displacement - other).max() < 1e-9 * np.abs(other).max()
    assert not displacement[system.fixed].any()


coordinate = st.integers(0, 5)


@settings(deadline=None, max_examples=30)
@given(st.sets(st.tuples(coordinate, coordinate, coordinate), min_size=40, max_size=150), st.integers(0, 2**31))
def test_random_heaps_as_scipy_solves_them(cells, seed):
    rng = np.random.default_rng(seed)
    mesh = Mesh.of(np.array(sorted(cells)))
    standing = examine(mesh, mesh.nodes[:, 1] == 0)
    stay = mesh.cubes[~standing.floating]
    if standing.mechanisms or not len(stay):
        return
    system = system_of(stay, rng)
    loads = rng.normal(size=system.fixed.shape)
    displacement, _ = solve(system, loads)
    other = stock_solution(system, loads)
    assert np.abs(displacement - other).max() < 1e-6 * np.abs(other).max()


def test_forces_balance_to_the_last_digits():
    """In every free node, and reactions against weight."""
    system = system_of(np.argwhere(models.roof()), np.random.default_rng(8))
    loads = models.own_weight(system.mesh)
    displacement, _ = solve(system, loads)
    forces = system.internal_forces(displacement) - loads
    weight = 232 * models.DENSITY * models.GRAVITY
    assert np.abs(forces[~system.fixed]).max() < 1e-10 * weight
    assert forces[system.fixed].reshape(-1, 3).sum(axis=0) == pytest.approx([0, weight, 0], abs=1e-10 * weight)


def test_single_degrees_of_freedom_can_be_held():
    rng = np.random.default_rng(2)
    system = system_of(np.argwhere(models.bridge()), rng)
    fixed = system.fixed | (rng.random(system.fixed.shape) < 0.2)
    held = System(system.mesh, system.elements, system.which, system.young, fixed)
    loads = rng.normal(size=fixed.shape)
    displacement, _ = solve(held, loads)
    other = stock_solution(held, loads)
    assert np.abs(displacement - other).max() < 1e-9 * np.abs(other).max()


def test_what_can_move_has_no_factor():
    mesh = Mesh.of(np.argwhere(np.ones((2, 2, 2), dtype=np.bool_)))
    free = np.zeros((len(mesh.nodes), 3), dtype=np.bool_)
    one = element("hex8", 0.0)
    loose = System(mesh, [one], np.zeros(8, dtype=np.int64), np.full(8, -1.0), free)
    assert factorise(loose, dissect(mesh)) is None


def test_every_node_is_eliminated_once_and_every_cube_assembled_once():
    mesh = Mesh.of(np.argwhere(models.roof()))
    fronts = dissect(mesh)
    assert sorted(np.concatenate([front.own for front in fronts])) == list(range(len(mesh.nodes)))
    assert sorted(np.concatenate([front.cubes for front in fronts])) == list(range(len(mesh)))
    assert not len(fronts[-1].boundary)
    assert len(fronts) > 5


def test_the_cost_is_that_of_the_dense_steps():
    """One cube: eight nodes of three unknowns, 24³ / 3 operations, a factor of 24 × 24."""
    price = cost(dissect(Mesh.of(np.zeros((1, 3), dtype=np.int64))))
    assert price.operations == 24**3 / 3
    assert price.memory == 8 * (24 * 24 + 3 * 24 * 24)


def test_too_large_is_said_with_the_cost_before_the_work(monkeypatch):
    monkeypatch.setattr(solve_module, "MOST_MEMORY", 1e6)
    with pytest.raises(TooLargeError) as wrong:
        analyse_voxels(models.roof())
    text = str(wrong.value)
    assert text.startswith("direct solution of 232 cubes would take about 0.0")
    assert "GB of memory and" in text and "solver for large builds" in text


def test_far_too_large_is_said_at_once():
    with pytest.raises(TooLargeError, match="512000 cubes are far more than direct solution can take"):
        analyse_voxels(np.ones((10, 10, 10), dtype=np.bool_), refine=8)


def test_faces_and_corners_of_a_mesh():
    mesh = Mesh.of(np.array([[0, 0, 0], [1, 0, 0], [5, 0, 0], [0, 0, 3]]))
    assert len(mesh.nodes) == 28
    assert [pair.tolist() for pair in mesh.neighbours] == [[0], [1]]
    assert mesh.nodes[mesh.corners[1]].tolist() == (mesh.cubes[1] + Mesh.of(np.zeros((1, 3), int)).nodes).tolist()
    faces = np.zeros((4, 6), dtype=np.bool_)
    faces[1, 1] = True
    assert mesh.nodes[mesh.nodes_of_faces(faces)].tolist() == [[2, y, z] for y in (0, 1) for z in (0, 1)]
    assert FACE_CORNERS.shape == (6, 4)
