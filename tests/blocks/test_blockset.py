import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks import EMPTY, OFFSETS, BlockSet, CoordinateError, StateError

STATES = ["stone", "minecraft:dirt", "oak_stairs[facing=west]", "oak_stairs[half=top]", "oak_log[axis=x]"]
near = st.integers(-4, 4)
rows = st.lists(st.tuples(near, near, near, st.sampled_from(STATES)), max_size=25)


def as_dict(blocks: BlockSet) -> dict:
    return {row[:3]: row[3] for row in blocks.rows()}


@given(rows)
def test_cells_are_sorted_unique_and_the_last_state_holds(blocks):
    built = BlockSet.from_blocks(blocks)
    last = {row[:3]: row[3] for row in blocks}
    assert [tuple(c) for c in built.cells.tolist()] == sorted(last)
    assert as_dict(built) == as_dict(BlockSet.from_blocks([(*c, s) for c, s in last.items()]))
    assert list(built.palette) == sorted(set(built.palette))
    assert set(built.index.tolist()) == set(range(len(built.palette)))
    assert built.cells.dtype == np.int32 and not built.cells.flags.writeable


@given(rows, rows)
def test_set_operations_are_those_of_dictionaries(ours, theirs):
    a, b = BlockSet.from_blocks(ours), BlockSet.from_blocks(theirs)
    left, right = as_dict(a), as_dict(b)
    assert as_dict(a | b) == left | right
    assert as_dict(a.placed_over(b)) == right | left
    assert as_dict(a - b) == {c: s for c, s in left.items() if c not in right}
    assert as_dict(a & b) == {c: s for c, s in left.items() if c in right}
    assert (a | a) == a and len(a - a) == 0 and (a - a) == EMPTY


@given(rows)
def test_neighbours_are_the_blocks_across_each_face(blocks):
    built = BlockSet.from_blocks(blocks)
    place = {tuple(c): i for i, c in enumerate(built.cells.tolist())}
    for i, cell in enumerate(built.cells):
        expected = [place.get(tuple((cell + step).tolist()), -1) for step in OFFSETS]
        assert built.neighbours[i].tolist() == expected


@given(rows, near, near, near)
def test_moves_turns_and_mirrors_undo_themselves(blocks, dx, dy, dz):
    built = BlockSet.from_blocks(blocks)
    assert built.translated(dx, dy, dz).translated(-dx, -dy, -dz) == built
    assert built.turned(1).turned(1).turned(2) == built
    assert built.turned(3).turned(1) == built
    assert built.mirrored("x").mirrored("x") == built
    assert built.mirrored("x").mirrored("z") == built.turned(2)
    assert built.turned(1).mirrored("x") == built.mirrored("x").turned(-1)


def test_a_turn_is_clockwise_from_above_and_takes_the_states_along():
    built = BlockSet.from_blocks([(0, 0, -5, "oak_stairs[facing=north]")])
    assert built.turned(1).rows() == [(4, 0, 0, "oak_stairs[facing=east,half=bottom,shape=straight,waterlogged=false]")]


def test_states_written_in_two_ways_are_one():
    a = BlockSet.from_blocks([(0, 0, 0, "stone_slab[type=bottom]")])
    b = BlockSet.from_blocks([(0, 0, 0, "minecraft:stone_slab[waterlogged=false,type=bottom]")])
    assert a == b and hash(a) == hash(b)


def test_locate_and_dense():
    built = BlockSet.from_blocks([(1, 2, 3, "stone"), (1, 2, 5, "dirt")])
    assert built.locate([[1, 2, 3], [0, 0, 0], [1, 2, 5], [1, 2, 4]]).tolist() == [0, -1, 1, -1]
    dense = built.dense()
    assert dense.shape == (3, 3, 5) and dense.sum() == 2 and dense[1, 1, 1] and dense[1, 1, 3]
    assert built.dense(built.is_material(frozenset({"dirt"}))).sum() == 1


def test_blocks_a_million_apart_allocate_no_box():
    tracemalloc.start()
    built = BlockSet.from_blocks([(0, 0, 0, "stone"), (10**6, 0, 10**6, "stone")])
    assert built.neighbours.tolist() == [[-1] * 6] * 2
    assert built.size == (10**6 + 1, 1, 10**6 + 1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10**6
    with pytest.raises(CoordinateError, match="too large"):
        built.dense()


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (([[0, 0, 0]], [1], ["stone"]), CoordinateError),
        (([[0, 0, 0]], [-1], ["stone"]), CoordinateError),
        (([[0, 0, 0]], [0, 0], ["stone"]), CoordinateError),
        (([[0, 0, 0]], [0], ["sto ne[["]), StateError),
    ],
)
def test_bad_input_is_refused(arguments, error):
    with pytest.raises(error):
        BlockSet(*arguments)


@pytest.mark.parametrize("row", [(0, 0, 0), (0, 0, "stone"), (0, 0, 0, 5), "abcd", 7, None, (0, 0, 0, "stone", 1)])
def test_a_row_that_is_no_block_is_named(row):
    with pytest.raises(CoordinateError, match="row 1"):
        BlockSet.from_blocks([(0, 0, 0, "stone"), row])


def test_a_blockset_cannot_be_changed_and_can_be_pickled():
    import pickle

    built = BlockSet.from_blocks([(0, 0, 0, "stone"), (1, 0, 0, "oak_stairs")])
    with pytest.raises(AttributeError, match="immutable"):
        built.palette = ()
    again = pickle.loads(pickle.dumps(built))
    assert again == built
    for array in (built.cells, built.index, again.cells, again.index, built.neighbours):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def test_air_with_properties_is_air():
    assert len(BlockSet.from_blocks([(0, 0, 0, "air[x=1]"), (1, 0, 0, "structure_void[y=2]")])) == 0
