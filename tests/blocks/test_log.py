import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks import BlockSet, Build, CoordinateError, Log, LogError

near = st.integers(-2, 2)
event = st.one_of(
    st.tuples(near, near, near, st.sampled_from(["stone", "dirt", "oak_log[axis=x]", "air"])).map(list),
    st.tuples(st.just("break"), near, near, near).map(list),
)
logs = st.lists(event, max_size=30)


def replayed(events):
    """Blocks, dug cells and the number of the event that placed each block, one event after another."""
    blocks, dug, placed = {}, set(), {}
    for number, one in enumerate(events):
        cell, state = (tuple(one[1:4]), None) if one[0] == "break" else (tuple(one[:3]), one[3])
        if state in (None, "air"):
            blocks.pop(cell, None)
            placed.pop(cell, None)
            if cell[1] < 0:
                dug.add(cell)
        else:
            if blocks.get(cell) != state:
                placed[cell] = number
            blocks[cell] = state
            dug.discard(cell)
    return blocks, dug, placed


@given(logs)
def test_replay_is_one_event_after_another(events):
    blocks, dug, placed = replayed(events)
    build = Build.from_log(events)
    assert build.blocks == BlockSet.from_blocks([(*c, s) for c, s in blocks.items()])
    assert set(map(tuple, build.dug.tolist())) == dug
    numbers = build.log.placed_at(build.blocks)
    assert {tuple(c): n for c, n in zip(build.blocks.cells.tolist(), numbers.tolist(), strict=True)} == placed


@given(logs, st.integers(0, 30))
def test_two_turns_end_as_one_log_does(events, cut):
    turns = Build.from_turns([events[:cut], events[cut:]])
    whole = Build.from_log(events)
    assert turns[-1] == whole and turns[-1].id == whole.id
    assert turns[-1].log.events() == whole.log.events()
    assert turns[-1].log.latest.events() == Log.from_events(events[cut:]).events()


@given(logs)
def test_events_read_back(events):
    log = Log.from_events(events)
    assert Log.from_events(log.events()) == log


def test_ground_level_moves_the_plane_to_zero():
    build = Build.from_log([[0, 63, 0, "stone"], ["break", 0, 62, 0]], ground_y=63)
    assert build.blocks.cells.tolist() == [[0, 0, 0]]
    assert build.dug.tolist() == [[0, -1, 0]]
    assert build.then([[0, 62, 0, "stone"]]).dug.tolist() == []


@pytest.mark.parametrize(
    "bad",
    [
        [0, 0, "stone"],
        [0, 0, 0.5, "stone"],
        [True, 0, 0, "stone"],
        ["put", 0, 0, 0, "stone"],
        "stone",
        ["place", 0, 0, 0],
        None,
    ],
)
def test_an_event_that_cannot_be_read_is_named(bad):
    with pytest.raises(LogError, match="event 1"):
        Build.from_log([[0, 0, 0, "stone"], bad])


def test_next_turn_without_a_known_order_keeps_the_blocks_and_says_so():
    first = Build.from_blocks([(0, 0, 0, "stone")])
    second = first.then([[1, 0, 0, "dirt"]])
    assert len(second.blocks) == 2 and second.log is None


def test_id_counts_content_not_place_or_order():
    build = Build.from_log([[5, 0, 5, "stone"], ["break", 5, -1, 5]])
    assert len(build.id) == 32
    assert build.id == build.translated(-40, 7).id
    assert build.id == Build.from_blocks([(0, 0, 0, "stone")], dug=[(0, -1, 0)]).id
    assert build.id == Build.from_blocks([(9, 70, 9, "minecraft:stone")], dug=[(9, 69, 9)], ground_y=70).id
    others = [
        Build.from_blocks([(0, 0, 0, "stone")]),
        Build.from_blocks([(0, 1, 0, "stone")], dug=[(0, -1, 0)]),
        Build.from_blocks([(0, 0, 0, "dirt")], dug=[(0, -1, 0)]),
        Build.from_blocks([(0, 0, 0, "stone")], dug=[(1, -1, 0)]),
    ]
    assert len({build.id, *(other.id for other in others)}) == 5


def test_dug_cells_lie_below_ground_and_hold_no_block():
    with pytest.raises(CoordinateError, match="below the ground"):
        Build.from_blocks([], dug=[(0, 0, 0)])
    with pytest.raises(LogError, match="dug and holds a block"):
        Build.from_blocks([(0, -1, 0, "stone")], dug=[(0, -1, 0)])


@given(logs, st.integers(0, 3), near, near)
def test_turning_and_moving_a_build_takes_dug_cells_and_log_along(events, quarters, dx, dz):
    build = Build.from_log(events)
    moved = build.turned(quarters).mirrored("x").translated(dx, dz)
    again = Build.from_log(moved.log.events())
    assert again == moved
    assert moved.translated(-dx, -dz).mirrored("x").turned(-quarters) == build
    assert np.array_equal(np.sort(moved.log.index), np.sort(build.log.index))


def test_repeated_events_can_be_left_out():
    stone, slab, gone = ["place", 0, -1, 0, "stone"], ["place", 0, -1, 0, "stone_slab"], ["break", 0, -1, 0]
    other = ["place", 5, 0, 5, "stone"]
    log = Log.from_events([stone, other, stone, slab, slab, gone, other, gone, stone])
    assert log.without_repeats == Log.from_events([stone, other, slab, gone, stone])
    assert len(Log.from_events([]).without_repeats) == 0
    both = Log.from_events([stone, stone]).then(Log.from_events([stone, slab]))
    assert (len(both.without_repeats), both.without_repeats.first) == (2, 1)


def test_air_is_no_block_and_digs_below_ground():
    build = Build.from_blocks(
        [
            (0, 0, 0, "stone"),
            (0, 0, 0, "air"),
            (1, 5, 0, "cave_air"),
            (2, -1, 0, "minecraft:air"),
            (3, -1, 0, "air"),
            (3, -1, 0, "stone"),
            (4, -1, 0, "structure_void"),
        ]
    )
    assert build.blocks.rows() == [(3, -1, 0, "stone")]
    assert build.dug.tolist() == [[2, -1, 0]]


def test_a_log_keeps_its_own_arrays():
    cells = np.zeros((1, 3), dtype=np.int32)
    log = Log.of(cells, ["stone"])
    cells[0, 0] = 5
    assert log.cells.tolist() == [[0, 0, 0]]
    with pytest.raises(ValueError, match="read-only"):
        log.cells[0] = 1


def test_a_log_and_its_dug_cells_are_relative_to_the_ground():
    log = Log.of([[0, 0, 0]], ["stone"])
    build = Build.from_log(log, dug=[[0, -1, 0]], ground_y=64)
    assert build.blocks.cells.tolist() == [[0, 0, 0]] and build.dug.tolist() == [[0, -1, 0]]
