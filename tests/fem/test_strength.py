"""Utilisation by failure class."""

import numpy as np
import pytest

from minece.blocks import Build
from minece.fem import analyse
from minece.fem.strength import MODES, Failure, utilisation


def one(failure, low, middle, high, *, von_mises=0.0, compressive=10e6, tensile=1e6, bedded=None):
    value, mode = utilisation(
        np.array([von_mises]),
        np.array([[[low, middle, high]]], dtype=np.float64),
        np.array([failure]),
        np.array([compressive]),
        np.array([tensile]),
        None if bedded is None else np.array([bedded]),
    )
    return float(value[0]), MODES[int(mode[0])]


@pytest.mark.parametrize(
    ("failure", "stress", "expected"),
    [
        (Failure.BRITTLE, (0, 0, 0.5e6), (0.5, "tension")),
        (Failure.BRITTLE, (-4e6, 0, 0), (0.4, "compression")),
        (Failure.BRITTLE, (-4e6, 0, 0.5e6), (0.9, "tension")),
        (Failure.BRITTLE, (-6e6, 0, 0.3e6), (0.9, "compression")),
        (Failure.BRITTLE, (0.1e6, 0.2e6, 0.7e6), (0.7, "tension")),
        (Failure.TIMBER, (-4e6, 0, 0.5e6), (0.5, "tension")),
        (Failure.TIMBER, (-6e6, 0, 0.5e6), (0.6, "compression")),
        (Failure.SOFT, (-4e6, 0, 0.5e6), (0.5, "tension")),
        (Failure.NO_TENSION, (-4e6, 0, 900.0), (0.9, "tension")),
        (Failure.NO_TENSION, (-4e6, 0, 100.0), (0.4, "compression")),
        (Failure.NONE, (-4e6, 0, 9e6), (0.0, "tension")),
    ],
)
def test_classes(failure, stress, expected):
    value, mode = one(failure, *stress)
    assert value == pytest.approx(expected[0])
    assert failure is Failure.NONE or mode == expected[1]


def test_metal_yields_by_von_mises_stress():
    assert one(Failure.DUCTILE, -9e6, -9e6, -9e6, von_mises=2e6) == (0.2, "yield")


def test_earth_that_rests_on_something_may_open():
    assert one(Failure.NO_TENSION, -1e6, 0, 5000.0, bedded=True) == (pytest.approx(0.1), "compression")
    assert one(Failure.NO_TENSION, -1e6, 0, 5000.0, bedded=False) == (5.0, "tension")
    assert one(Failure.BRITTLE, 0, 0, 0.5e6, bedded=True) == (0.5, "tension")


def test_the_worst_point_counts():
    value, mode = utilisation(
        np.zeros(1),
        np.array([[[0.0, 0, 1e5], [-8e6, 0, 0], [0, 0, 2e5]]]),
        np.array([Failure.BRITTLE]),
        np.array([10e6]),
        np.array([1e6]),
    )
    assert (value[0], MODES[mode[0]]) == (0.8, "compression")


def deck(material, feet="stone_bricks"):
    rows = [(x, 4, z, material) for x in range(-2, 7) for z in range(2)]
    rows += [(x, 3, z, material) for x in range(-2, 7) for z in range(2)]
    return Build.from_blocks(rows + [(x, y, z, feet) for x in (-2, -1, 5, 6) for y in range(3) for z in range(2)])


@pytest.mark.parametrize(
    ("material", "refine", "highest_kpa", "used"),
    [
        ("white_concrete", 1, 123.5, 0.05), ("white_concrete", 2, 138.5, 0.055),
        ("bricks", 1, 93, 0.69), ("bricks", 2, 104, 0.77),
        ("stone_bricks", 1, 113, 0.72), ("stone_bricks", 2, 127, 0.805),
        ("cobblestone", 1, 98, 2.6), ("cobblestone", 2, 110, 2.9),
    ],
)  # fmt: skip
def test_the_flat_bridge_in_four_materials(material, refine, highest_kpa, used):
    """Largest principal stress and utilisation from an independent program; the deck in tension governs."""
    result = analyse(deck(material, material), refine=refine)
    assert result.principal_max_pa.max() / 1e3 == pytest.approx(highest_kpa, abs=0.6)
    strength = result.strength
    assert strength.utilisation == pytest.approx(used, abs=0.05 if used > 1 else 0.006)
    assert strength.mode == "tension" and strength.material == material
    assert strength.cell[1] == 3 and strength.cell == (2, 3, 0)
    assert strength.load_factor == pytest.approx(1 / strength.utilisation, rel=1e-5)
    assert result.utilisation.max() == strength.utilisation


def test_soft_blocks_are_reported_apart():
    rows = [(0, 0, 0, "stone_bricks"), (0, 1, 0, "white_wool"), (0, 2, 0, "white_wool")]
    result = analyse(Build.from_blocks(rows))
    assert result.strength.material == "stone_bricks"
    assert result.not_structural.material == "white_wool"
    assert result.not_structural.cell == (0, 1, 0)
    soft_only = analyse(Build.from_blocks([(0, 0, 0, "melon")]))
    assert soft_only.strength is None and soft_only.not_structural is not None


def test_a_bridge_of_earth_does_not_stand_but_earth_on_a_roof_does():
    hanging = analyse(deck("dirt"))
    assert hanging.strength.material == "dirt"
    assert hanging.strength.utilisation > 1 and hanging.strength.mode == "tension"
    rows = [(x, 3, 0, "oak_planks") for x in range(6)] + [(x, y, 0, "oak_log") for x in (0, 5) for y in range(3)]
    roof = analyse(Build.from_blocks(rows + [(x, 4, 0, "dirt") for x in range(6)]))
    assert roof.strength.utilisation < 1


def test_what_stands():
    assert analyse(deck("bricks", "bricks")).stands is True
    assert analyse(deck("cobblestone", "cobblestone")).stands is False
    assert analyse(deck("bricks"), materials="uniform").stands is None
    assert analyse(Build.from_blocks([])).stands is None
    floating = [(0, 0, 0, "stone"), (0, 2, 0, "stone")]
    assert analyse(Build.from_blocks(floating)).stands is False
    assert analyse(Build.from_blocks(floating), materials="uniform").stands is False
    assert analyse(Build.from_blocks([(0, 0, 0, "stone"), (1, 1, 0, "stone")])).stands is False
    assert analyse(Build.from_blocks([(0, 0, 0, "melon")])).stands is None
    assert analyse(deck("bricks", "bricks")).to_dict()["stands"] is True


def test_uniform_has_no_strength():
    result = analyse(deck("bricks"), materials="uniform")
    assert result.solved and result.strength is None and result.not_structural is None
    assert not result.utilisation.any()
