import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks import CoordinateError, Frame, as_cells
from minece.blocks.grid import LIMIT, difference, distinct, find, unique_cells

coordinate = st.integers(-1000, 1000)
cells = st.lists(st.tuples(coordinate, coordinate, coordinate), max_size=30)


@given(cells)
def test_keys_number_cells_in_order_and_back(rows):
    array = as_cells(rows)
    frame = Frame.around(array)
    keys = frame.keys(array)
    assert (keys >= 0).all()
    assert np.array_equal(frame.cells(keys), array)
    assert [rows[i] for i in np.argsort(keys, kind="stable")] == sorted(rows)


@given(cells, cells)
def test_unique_and_difference_are_those_of_sets(ours, theirs):
    assert unique_cells(as_cells(ours)).tolist() == sorted(map(list, set(ours)))
    assert difference(as_cells(ours), as_cells(theirs)).tolist() == sorted(map(list, set(ours) - set(theirs)))


def test_cells_outside_a_frame_are_never_found():
    frame = Frame.around(as_cells([[0, 0, 0], [2, 2, 2]]), pad=0)
    keys = frame.keys(as_cells([[0, 0, 3], [3, 0, 0], [-1, 0, 0], [1, 1, 1]]))
    assert keys.tolist() == [-1, -1, -1, 13]
    assert find(np.array([13]), keys).tolist() == [-1, -1, -1, 0]


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        ([[0.5, 0, 0]], "whole"),
        ([[float("nan"), 0, 0]], "whole"),
        ([["a", 0, 0]], "whole"),
        ([[0, 0]], "shape"),
        ([[0, 0, 0], [1, 1]], "rows"),
        ([[LIMIT + 1, 0, 0]], "outside"),
        ([[2**70, 0, 0]], "whole"),
    ],
)
def test_bad_coordinates_are_named(rows, word):
    with pytest.raises(CoordinateError, match=word):
        as_cells(rows)


def test_blocks_too_far_apart_to_number_are_refused_not_wrapped():
    far = as_cells([[-LIMIT, -LIMIT, -LIMIT], [LIMIT, LIMIT, LIMIT]])
    with pytest.raises(CoordinateError, match="too far apart"):
        Frame.around(far)
    assert Frame.around(as_cells([[0, 0, 0], [10**6, 10**6, 10**6]])).volume > 10**18


@given(st.lists(st.integers(-5, 5)))
def test_distinct_numbers_come_in_order_each_once(numbers):
    assert distinct(np.array(numbers, dtype=np.int64)).tolist() == sorted(set(numbers))
