"""What may not change the answer."""

from itertools import permutations, product

import fem_models as models
import numpy as np
import pytest

from minece.fem import analyse_voxels
from minece.fem.analysis import analyse_structure
from minece.fem.structure import Structure

FIELDS = ("rms_pa", "lin_pa", "principal_max_pa", "principal_min_pa", "displacement_m")


def crooked():
    """A structure without any symmetry, on two feet of different height."""
    cells = {(x, 4, z) for x in range(6) for z in range(2)}
    cells |= {(0, y, 0) for y in range(5)} | {(5, y, 1) for y in range(1, 5)} | {(2, 5, 1), (2, 3, 0), (3, 4, 2)}
    out = np.array(sorted(cells))
    held = np.zeros((len(out), 6), dtype=np.bool_)
    held[(out == [0, 0, 0]).all(axis=1), 2] = True
    held[(out == [5, 1, 1]).all(axis=1), 2:4] = [True, False]
    held[(out == [5, 1, 1]).all(axis=1), 1] = True
    return out, held


def test_the_twenty_four_turns_of_the_cube():
    cells, held = crooked()
    gravity = np.array([0.3, -9.81, 0.7])
    first = analyse_voxels(cells, held=held, gravity=gravity)
    assert first.status == "ok"
    turns = 0
    for order, signs in product(permutations(range(3)), product((1, -1), repeat=3)):
        turn = np.zeros((3, 3), dtype=np.int64)
        turn[range(3), order] = signs
        if round(np.linalg.det(turn)) != 1:
            continue
        turns += 1
        # Cells turn about the origin: the cell of the turned cube has its lowest corner one lower where signs flip.
        moved = cells @ turn.T + np.minimum(turn.sum(axis=1), 0)
        faces = np.zeros_like(held)
        for axis, side in product(range(3), (0, 1)):
            to = int(np.flatnonzero(turn[:, axis])[0])
            faces[:, 2 * to + (side if turn[to, axis] == 1 else 1 - side)] = held[:, 2 * axis + side]
        result = analyse_voxels(moved, held=faces, gravity=turn @ gravity)
        place = np.lexsort(moved.T[::-1])
        for name in FIELDS:
            assert getattr(result, name) == pytest.approx(getattr(first, name)[place], rel=2e-5, abs=1e-4)
        assert result.sigma_rms_pa == pytest.approx(first.sigma_rms_pa, rel=1e-5)
        assert result.reaction_n == first.reaction_n == first.weight_n
    assert turns == 24


@pytest.mark.parametrize("shape", ["bridge", "portal", "roof", "arch"])
def test_mirrored_cells_have_equal_stress(shape):
    cubes = getattr(models, shape)()
    result = analyse_voxels(cubes)
    rms = np.zeros(cubes.shape)
    rms[cubes] = result.rms_pa
    for axis in (0, 2):
        if np.array_equal(cubes, np.flip(cubes, axis)):
            assert np.abs(rms - np.flip(rms, axis)).max() <= 1e-8 * rms.max()
    other = analyse_voxels(np.flip(cubes, 0))
    mirrored = np.zeros(cubes.shape)
    mirrored[np.flip(cubes, 0)] = other.rms_pa
    assert np.abs(np.flip(mirrored, 0) - rms).max() <= 1e-8 * rms.max()


@pytest.mark.parametrize("far", [(1000, 0, -77), (29_999_000, 0, -29_999_000)])
def test_place_does_not_matter(far):
    cells = np.argwhere(models.arch())
    near, away = analyse_voxels(cells), analyse_voxels(cells + far)
    for name in FIELDS:
        assert np.array_equal(getattr(near, name), getattr(away, name))
    assert np.array_equal(near.cells + far, away.cells)


def test_two_builds_far_apart_take_no_more_than_two():
    cells = np.argwhere(models.bridge())
    both = analyse_voxels(np.concatenate([cells, cells + [59_000_000, 0, 3]]) - [29_500_000, 0, 0])
    assert both.status == "ok"
    alone = analyse_voxels(cells)
    assert both.rms_pa == pytest.approx(np.tile(alone.rms_pa, 2), rel=2e-6)
    assert both.weight_n == pytest.approx(2 * alone.weight_n, rel=1e-5)


def test_stress_does_not_depend_on_stiffness_and_follows_density():
    cubes = models.bridge()
    first = analyse_voxels(cubes)
    stiff = analyse_voxels(cubes, young=210e9)
    heavy = analyse_voxels(cubes, density=4800.0)
    assert stiff.rms_pa == pytest.approx(first.rms_pa, rel=2e-6)
    assert stiff.max_displacement_m == pytest.approx(first.max_displacement_m / 7, rel=1e-5)
    assert heavy.rms_pa == pytest.approx(2 * first.rms_pa, rel=1e-5)


def test_stress_grows_with_size():
    cubes = models.bridge()
    first, double = analyse_voxels(cubes), analyse_voxels(cubes, side=2.0)
    assert double.sigma_rms_pa == pytest.approx(2 * first.sigma_rms_pa, rel=1e-5)
    assert double.max_displacement_m == pytest.approx(4 * first.max_displacement_m, rel=1e-5)
    assert double.weight_n == pytest.approx(8 * first.weight_n, rel=1e-5)


def test_the_order_of_cells_does_not_matter():
    cells = np.argwhere(models.bridge())
    young = np.linspace(1e10, 5e10, len(cells))
    place = np.random.default_rng(3).permutation(len(cells))
    first, mixed = analyse_voxels(cells, young=young), analyse_voxels(cells[place], young=young[place])
    assert first.to_dict() == mixed.to_dict()


def test_a_box_and_its_cells_are_one():
    cubes = models.bridge()
    young = np.random.default_rng(4).uniform(1e10, 3e10, cubes.shape)
    box = analyse_voxels(cubes, young=young)
    assert box.to_dict() == analyse_voxels(np.argwhere(cubes), young=young[cubes]).to_dict()


def test_two_runs_are_equal_to_the_last_byte():
    assert analyse_voxels(models.roof()).to_dict() == analyse_voxels(models.roof()).to_dict()


def test_a_part_of_the_cross_section_is_a_thinner_material():
    """Share s: stiffness and weight by s, stress of the material that is there unchanged in a column."""
    cells = np.array([[0, y, 0] for y in range(4)], dtype=np.int32)
    held = np.zeros((4, 6), dtype=np.bool_)
    held[0, 2] = True
    same = {"young": np.full(4, 1e10), "poisson": np.zeros(4), "density": np.full(4, 2000.0), "held": held}
    whole = analyse_structure(Structure(cells, **same))
    thin = analyse_structure(Structure(cells, share=np.full(4, 0.25), **same))
    assert thin.rms_pa == pytest.approx(whole.rms_pa, rel=2e-6)
    assert thin.displacement_m == pytest.approx(whole.displacement_m, rel=2e-6)
    assert thin.weight_n == pytest.approx(whole.weight_n / 4, rel=1e-5)
