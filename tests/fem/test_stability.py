"""Floating parts, mechanisms, contacts along edges and corners."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minece.blocks.links import components
from minece.fem import ModelError, analyse_voxels
from minece.fem.elements import element
from minece.fem.mesh import Mesh
from minece.fem.stability import count_mechanisms, examine

CASES = {
    "column": ([(0, 0, 0), (0, 1, 0), (0, 2, 0)], 1, 0),
    "floating block": ([(0, 0, 0), (3, 3, 3)], 2, 6),
    "two blocks sharing an edge": ([(0, 0, 0), (1, 1, 0)], 2, 1),
    "two blocks sharing a corner": ([(0, 0, 0), (1, 1, 1)], 2, 3),
    "chain of three by edges": ([(0, 0, 0), (1, 1, 0), (2, 2, 0)], 3, 2),
    "beam between two edges": ([(0, 0, 0), (1, 1, 0), (2, 1, 0), (3, 1, 0), (4, 0, 0)], 3, 0),
    "key block on two opposite edges": ([(0, 0, 0), (1, 1, 0), (2, 0, 0)], 3, 0),
    "key block on two corners": ([(0, 0, 0), (1, 1, 1), (2, 0, 2)], 3, 1),
    "key block on three corners": ([(0, 0, 0), (2, 0, 0), (0, 0, 2), (1, 1, 1)], 4, 0),
    "key block on four corners": ([(0, 0, 0), (2, 0, 0), (0, 0, 2), (2, 0, 2), (1, 1, 1)], 5, 0),
    "neighbour by an edge, on the ground": ([(0, 0, 0), (1, 0, 1)], 2, 0),
}


def bodies_of(cells):
    mesh = Mesh.of(np.array(sorted(cells)))
    held = mesh.nodes[:, 1] == 0
    labels, number = components(len(mesh), *mesh.neighbours)
    nodes, bodies = np.divmod(np.unique(mesh.corners * number + labels[:, None]), number)
    return mesh, held, number, count_mechanisms(mesh.nodes, nodes, bodies, held, number)[0]


def zero_energy_modes(mesh, held):
    """The same from the eigenvalues of the whole stiffness."""
    size = 3 * len(mesh.nodes)
    matrix = np.zeros((size, size))
    for corners in mesh.corners:
        rows = (3 * corners[:, None] + np.arange(3)).ravel()
        matrix[np.ix_(rows, rows)] += element("h8i", 0.2).stiffness
    free = np.repeat(~held, 3)
    values = np.linalg.eigvalsh(matrix[free][:, free]) if free.any() else np.ones(1)
    return int(np.count_nonzero(values < 1e-10 * values[-1]))


@pytest.mark.parametrize("name", CASES)
def test_mechanisms_are_counted(name):
    cells, bodies, expected = CASES[name]
    mesh, held, number, found = bodies_of(cells)
    assert (number, found) == (bodies, expected)
    assert zero_energy_modes(mesh, held) == expected


coordinate = st.integers(0, 3)


@settings(deadline=None, max_examples=60)
@given(st.sets(st.tuples(coordinate, coordinate, coordinate), min_size=1, max_size=24))
def test_rank_and_eigenvalues_agree(cells):
    mesh, held, _, found = bodies_of(cells)
    assert found == zero_energy_modes(mesh, held)


def test_a_floating_part_is_named_and_the_rest_is_solved():
    bridge = [(x, y, 0) for x in range(5) for y in (0, 1) if y or x in (0, 4)]
    alone = analyse_voxels(bridge)
    result = analyse_voxels([*bridge, (2, 4, 0), (3, 4, 0)])
    assert result.status == "floating"
    assert result.floating.tolist() == [[2, 4, 0], [3, 4, 0]]
    assert result.message == "2 blocks at (2, 4, 0), (3, 4, 0) touch nothing that is held; the rest was solved without"
    assert np.array_equal(result.rms_pa, alone.rms_pa)
    assert np.array_equal(result.cells, alone.cells)
    assert result.weight_n == alone.weight_n


def test_nothing_is_held():
    result = analyse_voxels([[0, 3, 0], [0, 4, 0]])
    assert result.status == "floating" and not result.solved
    assert result.message == "2 blocks at (0, 3, 0), (0, 4, 0) touch nothing that is held"
    assert result.sigma_rms_pa is None and result.max_displacement_m is None and len(result.rms_pa) == 0


def test_two_faces_apart_float():
    """A gap of one cell and no contact: not the same as an edge."""
    assert analyse_voxels([[0, 0, 0], [2, 0, 0], [1, 2, 0]]).status == "floating"


def test_a_hinge_is_a_mechanism():
    result = analyse_voxels([(0, 0, 0), (0, 1, 0), (1, 2, 0), (1, 3, 0)])
    assert result.status == "mechanism" and not result.solved
    assert result.moving.tolist() == [[1, 2, 0], [1, 3, 0]]
    assert result.message == (
        "2 blocks at (1, 2, 0), (1, 3, 0) can move freely in one way: blocks are joined by edges or corners only"
    )
    three = analyse_voxels([(0, 0, 0), (1, 1, 1)])
    assert "in 3 independent ways" in three.message


def test_the_mechanism_counts_at_every_refinement():
    for refine in (1, 2, 3):
        assert analyse_voxels([(0, 0, 0), (1, 1, 0)], refine=refine).status == "mechanism"


def test_a_rigid_contact_along_edges_is_solved_and_said():
    result = analyse_voxels([(0, 0, 0), (1, 1, 0), (2, 0, 0)])
    assert result.status == "point_contact" and result.solved
    assert len(result.point_contacts) == 3
    assert "3 blocks at (0, 0, 0), (1, 1, 0), (2, 0, 0) touch others along edges or corners only" in result.message
    assert result.reaction_n == result.weight_n


def test_bodies_of_many_cubes_far_from_the_origin():
    """Turns weigh as much as shifts, wherever the bodies are and however large."""
    long = [(x, 3, 0) for x in range(1, 40)]
    feet = [(0, y, 0) for y in range(3)] + [(40, y, 0) for y in range(3)]
    for shift in (0, 10**6):
        cells = np.array([*long, *feet]) + [shift, 0, shift]
        assert examine(Mesh.of(cells), Mesh.of(cells).nodes[:, 1] == 0).mechanisms == 0
        one_foot = cells[: len(long) + 3]
        standing = examine(Mesh.of(one_foot), Mesh.of(one_foot).nodes[:, 1] == 0)
        assert standing.mechanisms == 1
        assert np.flatnonzero(standing.moving).tolist() == list(range(len(long)))


def test_very_many_loose_parts_are_refused():
    x, z = np.meshgrid(np.arange(0, 63, 3), np.arange(0, 60, 3), indexing="ij")
    feet = np.stack([x.ravel(), 0 * x.ravel(), z.ravel()], axis=1)
    with pytest.raises(ModelError, match="420 parts hang together by edges and corners only"):
        analyse_voxels(np.concatenate([feet, feet + [1, 1, 0]]))
    # Blocks on the corners of four others cannot move, however many there are.
    x, z = np.meshgrid(np.arange(0, 60, 2), np.arange(0, 60, 2), indexing="ij")
    feet = np.stack([x.ravel(), 0 * x.ravel(), z.ravel()], axis=1)
    keys = (feet + [1, 1, 1])[(feet < 58).all(axis=1)]
    assert analyse_voxels(np.concatenate([feet, keys])).status == "point_contact"
