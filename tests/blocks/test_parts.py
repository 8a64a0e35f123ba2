import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks import as_cells
from minece.blocks.parts import vertical_runs

near = st.integers(-2, 2)
cells = st.sets(st.tuples(near, near, near), max_size=25)


def spelled(rows):
    """The runs as tuples of cells, by a plain walk."""
    return sorted(
        tuple((x, y + k, z) for k in range(next(n for n in range(1, 9) if (x, y + n, z) not in rows)))
        for x, y, z in rows
        if (x, y - 1, z) not in rows
    )


def found(rows):
    array = as_cells(rows)
    runs = vertical_runs(array)
    assert sorted(runs.order.tolist()) == list(range(len(rows)))
    assert np.array_equal(runs.length, runs.stop - runs.start)
    pieces = zip(runs.start.tolist(), runs.stop.tolist(), strict=True)
    return sorted(tuple(map(tuple, array[runs.order[i:j]].tolist())) for i, j in pieces)


@given(cells)
def test_vertical_runs_are_cells_one_upon_another(rows):
    assert found(sorted(rows)) == spelled(rows)


def test_vertical_runs_far_from_the_origin_and_from_each_other():
    far = 2**29 - 8
    rows = {(x, y, z) for x in (far, far + 1) for y in (-far, far, far + 1) for z in (-far, far)}
    assert found(sorted(rows)) == spelled(rows)
