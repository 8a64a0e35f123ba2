"""Stress as numbers to paint by."""

import numpy as np

from minece import fem
from minece.blocks import Build
from minece.viewer import stress_fields


def test_a_column_bears_most_at_its_foot() -> None:
    build = Build.from_blocks([(0, y, 0, "stone") for y in range(12)] + [(0, 12, 0, "torch")])
    fields = {field.title: field for field in stress_fields(build, fem.analyse(build))}
    assert list(fields) == ["Utilisation", "Stress", "Displacement"]
    stress = fields["Stress"]
    assert stress.unit == "kPa"
    assert np.all(np.diff(stress.values[2:12]) < 0), "less and less upwards; the foot itself is held from spreading"
    assert np.nanmax(stress.values) > 100
    assert np.isnan(stress.values[-1]), "the torch bears nothing"
    assert fields["Utilisation"].limit == 1.0
    assert fields["Displacement"].unit in ("mm", "µm")
    assert int(np.nanargmax(fields["Displacement"].values)) == 11


def test_nothing_solved_means_nothing_to_paint() -> None:
    build = Build.from_blocks([(0, 5, 0, "stone")])
    assert stress_fields(build, fem.analyse(build)) == ()
