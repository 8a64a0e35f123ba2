"""Arrays that are no structure, and results as plain data."""

import json
import math

import fem_models as models
import numpy as np
import pytest

from minece.blocks import Build, MineceError
from minece.fem import ModelError, analyse, analyse_voxels, analysis
from minece.fem.result import significant, significant_number


def test_nothing_there():
    for empty in (np.zeros((3, 3, 3), dtype=np.bool_), np.empty((0, 3), dtype=np.int64), []):
        result = analyse_voxels(empty)
        assert result.status == "empty" and not result.solved
        assert result.sigma_rms_pa is None and result.weight_n is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"voxels": np.ones((2, 2, 2))}, "a box of voxels holds float64"),
        ({"voxels": np.ones((2, 2), dtype=int)}, "shape"),
        ({"voxels": [[0.5, 0, 0]]}, "whole numbers"),
        ({"voxels": [[0, 0, 0], [0, 0, 0]]}, "twice"),
        ({"voxels": [[10**9, 0, 0]]}, "outside"),
        ({"young": 0.0}, "young is not positive"),
        ({"young": float("nan")}, "young is not a finite number"),
        ({"density": -1.0}, "density is negative"),
        ({"density": float("inf")}, "density is not a finite number"),
        ({"poisson": 0.5}, "poisson is not between"),
        ({"young": [1e9, 1e9]}, "young has shape"),
        ({"held": np.zeros((2, 6), dtype=bool)}, "held has shape"),
        ({"refine": 0}, "refine 0"),
        ({"refine": 2.5}, "refine 2.5"),
        ({"refine": True}, "refine True"),
        ({"refine": 9}, "refine 9"),
        ({"side": 0.0}, "side"),
        ({"side": float("nan")}, "side"),
        ({"gravity": (0, 0)}, "gravity"),
        ({"gravity": (0, 0, 0)}, "gravity"),
        ({"kind": "hex20"}, "unknown element"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(given, words):
    given = {"voxels": [[0, 0, 0]], **given}
    with pytest.raises(ModelError) as wrong:
        analyse_voxels(given.pop("voxels"), **given)
    assert words in str(wrong.value) and "\n" not in str(wrong.value)
    assert isinstance(wrong.value, MineceError)


def test_weightless_structures_are_solved_without_stress():
    result = analyse_voxels(models.bridge(), density=0.0)
    assert result.status == "ok"
    assert result.sigma_rms_pa == 0.0 == result.weight_n


def test_too_soft_for_a_linear_answer():
    result = analyse_voxels(models.portal(), young=1e6)
    assert result.status == "excessive_displacement" and not result.solved
    assert result.max_displacement_m > 0.1
    assert "moves by" in result.message and "more than 1 % of the size of 10 m" in result.message
    assert len(result.rms_pa) == 0


def test_the_softest_blocks_are_taken_stiffer_and_that_is_said():
    young = np.full(60, 1e10)
    young[-1] = 1.0
    result = analyse_voxels(np.argwhere(models.bridge()), young=young)
    assert result.solver["softer_than_limit"] == 1
    assert result.notes == ("1 block softer than 1/100000 of the stiffest taken as stiff as that",)
    assert result.reaction_n == result.weight_n


def numbers(value):
    if isinstance(value, dict):
        for part in value.values():
            yield from numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from numbers(part)
    elif isinstance(value, float):
        yield value


@pytest.mark.parametrize("refine", [1, 2])
def test_results_are_plain_data_of_six_digits(refine):
    result = analyse_voxels(models.arch(), refine=refine, paper=True)
    data = result.to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    found = list(numbers(data))
    assert len(found) > 5 * len(result.cells)
    assert all(math.isfinite(number) and number == float(f"{number:.5e}") for number in found)
    assert len(data["blocks"]["rms_pa"]) == len(data["blocks"]["cells"]) == 44
    assert "blocks" not in result.to_dict(blocks=False)
    assert data["sigma_rms_pa"] == max(data["blocks"]["rms_pa"])
    at = data["blocks"]["cells"].index(data["sigma_rms_at"])
    assert data["blocks"]["rms_pa"][at] == data["sigma_rms_pa"]


def test_significant_digits():
    values = significant([123456789.0, -0.00123456789, 1.0, 0.0, 5e-324, 1e-12])
    assert values.tolist() == [123457000.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert significant([-0.00123456789, 1e-3]).tolist() == [-0.00123457, 0.001]
    assert significant([]).tolist() == []
    assert significant_number(2.0 / 3.0e7) == 6.66667e-08
    random = np.random.default_rng(0).lognormal(0, 2, 500)
    assert significant(random).tolist() == [float(f"{v:.5e}") for v in random]


def test_equations_that_were_not_solved_are_said(monkeypatch):
    """Whatever a solver returns, forces must balance."""
    real = analysis.solve

    def wrong(system, loads, tell):
        displacement, price = real(system, loads)
        return displacement * 1.001, price

    def nonsense(system, loads, tell):
        return np.full(loads.shape, np.nan), real(system, loads)[1]

    def none(system, loads, tell):
        return None, real(system, loads)[1]

    for fault, words in ((wrong, "do not balance"), (nonsense, "do not balance"), (none, "something moves freely")):
        monkeypatch.setattr(analysis, "solve", fault)
        result = analyse_voxels(models.bridge())
        assert result.status == "not_converged" and not result.solved
        assert words in result.message
        assert result.sigma_rms_pa is None and result.max_displacement_m is None
        json.dumps(result.to_dict(), allow_nan=False)


def test_the_work_that_is_done_is_told():
    build = Build.from_blocks([(x, y, z, "stone") for x in range(9) for y in range(8) for z in range(7)])
    for paper, refine in ((False, 1), (True, 1), (True, 2)):
        shares = []
        told = analyse(build, paper=paper, refine=refine, tell=shares.append)
        assert len(shares) > 10 and shares == sorted(shares) and 0 < shares[0] and shares[-1] < 1
        assert told.to_dict() == analyse(build, paper=paper, refine=refine).to_dict()
