"""What stands and what floats, and since when."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minece.blocks import OFFSETS, BlockSet, Build
from minece.blocks.parts import label_by_faces, label_by_links
from minece.checkers import bind, evaluate
from minece.checkers.scene import Scene


def grounded(blocks, dug=(), **more):
    return evaluate(Build.from_blocks(blocks, dug=dug), [bind("grounded", {})], **more)[0]


def floating(blocks, dug=()):
    verdict = grounded(blocks, dug)
    cells = [] if verdict.status == "pass" else sorted(map(tuple, verdict.cells.tolist()))
    assert verdict.measured == len(cells)
    return cells


STANDS = {
    "block on the ground": [(0, 0, 0, "stone")],
    "cantilever": [(0, 0, 0, "stone"), (0, 1, 0, "stone"), (1, 1, 0, "stone"), (2, 1, 0, "stone")],
    "buried block": [(0, -5, 0, "stone")],
    "torch on a block": [(0, 0, 0, "stone"), (0, 1, 0, "torch")],
    "wall torch on its block": [(0, 0, 0, "stone"), (1, 0, 0, "wall_torch[facing=east]")],
    "torch on the ground": [(0, 0, 0, "torch")],
    "door on the ground": [(0, 0, 0, "oak_door[half=lower]"), (0, 1, 0, "oak_door[half=upper]")],
    "vine down a wall": [
        *((0, y, 0, "stone") for y in range(3)),
        (1, 2, 0, "vine[west=true]"),
        (1, 1, 0, "vine[west=true]"),
    ],
    "sand heap": [(0, 0, 0, "sand"), (0, 1, 0, "sand"), (0, 2, 0, "gravel")],
    "water over nothing": [(0, 0, 0, "stone"), (5, 5, 5, "water")],
    "tree": [(0, 0, 0, "oak_log"), (0, 1, 0, "oak_log"), (1, 1, 0, "oak_leaves"), (2, 1, 0, "oak_leaves")],
    "hedge": [(0, 0, 0, "oak_leaves"), (0, 1, 0, "oak_leaves")],
    "carpet on a slab": [(0, 0, 0, "stone_slab"), (0, 1, 0, "red_carpet")],
    "lily pad": [(0, 0, 0, "stone"), (5, -1, 5, "water"), (5, 0, 5, "lily_pad")],
    "lantern on a chain": [
        *((0, y, 0, "stone") for y in range(4)),
        (1, 3, 0, "stone"),
        (1, 2, 0, "iron_chain"),
        (1, 1, 0, "lantern[hanging=true]"),
    ],
    "vine under vine": [
        *((0, y, 0, "stone") for y in range(4)),
        (1, 3, 0, "stone"),
        (1, 2, 0, "vine[up=true]"),
        (1, 1, 0, "vine[north=true]"),
    ],
    "kelp": [(0, -1, 0, "kelp_plant"), (0, 0, 0, "kelp")],
    "earth put back": [(0, -1, 0, "dirt"), (0, 0, 0, "stone")],
}
FLOATS = {
    "edge contact": ([(0, 0, 0, "stone"), (1, 1, 0, "stone")], [(1, 1, 0)]),
    "corner contact": ([(0, 0, 0, "stone"), (1, 1, 1, "stone")], [(1, 1, 1)]),
    "torch carries nothing": ([(0, 0, 0, "stone"), (0, 1, 0, "torch"), (0, 2, 0, "stone")], [(0, 2, 0)]),
    "wall torch on the wrong side": ([(0, 0, 0, "stone"), (1, 0, 0, "wall_torch[facing=west]")], [(1, 0, 0)]),
    "torch on a torch": ([(0, 0, 0, "torch"), (0, 1, 0, "torch")], [(0, 1, 0)]),
    "door on a torch": ([(0, 0, 0, "torch"), (0, 1, 0, "oak_door[half=lower]")], [(0, 1, 0)]),
    "lone upper half of a door": ([(0, 0, 0, "stone"), (0, 1, 0, "oak_door[half=upper]")], [(0, 1, 0)]),
    "upper half on the ground": ([(0, 0, 0, "oak_door[half=upper]")], [(0, 0, 0)]),
    "ladder behind a ladder": (
        [(0, 0, 0, "stone"), (1, 0, 0, "ladder[facing=east]"), (2, 0, 0, "ladder[facing=east]")],
        [(2, 0, 0)],
    ),
    "door in the air": ([(0, 3, 0, "oak_door[half=lower]"), (0, 4, 0, "oak_door[half=upper]")], None),
    "sand beside a wall": ([(0, 0, 0, "stone"), (0, 1, 0, "stone"), (1, 1, 0, "sand")], [(1, 1, 0)]),
    "sand on a torch": ([(0, 0, 0, "torch"), (0, 1, 0, "sand")], [(0, 1, 0)]),
    "block on hanging sand": (
        [(0, 0, 0, "stone"), (0, 1, 0, "stone"), (1, 1, 0, "sand"), (1, 2, 0, "sand"), (2, 2, 0, "stone")],
        [(1, 1, 0), (1, 2, 0), (2, 2, 0)],
    ),
    "leaves carry nothing": ([(0, 0, 0, "oak_leaves"), (0, 1, 0, "stone")], [(0, 1, 0)]),
    "leaves without a log": ([(0, 0, 0, "stone"), (0, 1, 0, "stone"), (1, 1, 0, "oak_leaves")], [(1, 1, 0)]),
    "hung on water": ([(0, 0, 0, "water"), (0, 1, 0, "stone")], [(0, 1, 0)]),
}


@pytest.mark.parametrize("name", STANDS)
def test_stands(name):
    assert floating(STANDS[name]) == []


@pytest.mark.parametrize("name", FLOATS)
def test_floats(name):
    blocks, expected = FLOATS[name]
    assert floating(blocks) == sorted(expected or [b[:3] for b in blocks])


def test_a_block_over_a_hole_floats_until_the_soil_is_beside_it():
    assert floating([(0, 0, 0, "stone")], dug=[(0, -1, 0)]) == [(0, 0, 0)]
    assert floating([(0, -1, 0, "stone")], dug=[(0, -2, 0)]) == []
    pit = [(x, y, z) for x in (-1, 0, 1) for z in (-1, 0, 1) for y in (-2, -1) if (x, y, z) != (0, -1, 0)]
    assert floating([(0, -1, 0, "stone")], dug=pit) == [(0, -1, 0)]


def test_soil_above_carries_nothing():
    cave = [(x, y, z) for x in (-1, 0, 1) for z in (-1, 0, 1) for y in (-4, -3) if (x, y, z) != (0, -3, 0)]
    assert floating([(0, -3, 0, "stone")], dug=cave) == [(0, -3, 0)]


def test_earth_below_ground_is_soil_unless_the_task_names_it():
    blocks = [(0, -1, 0, "dirt"), (0, -2, 0, "dirt")]
    assert grounded(blocks).message == "Nothing is built."
    assert grounded(blocks, stock=["dirt"]).status == "pass"
    assert evaluate(Build.from_blocks(blocks), [bind("filled", {"region": "all of dirt"})])[0].status == "pass"


def test_an_empty_build_does_not_stand():
    assert grounded([]).status == "fail"


def walk(cells, solid):
    """Cells joined by faces to the ground, by a plain walk."""
    reached = {c for c in cells if c in solid and c[1] <= 0}
    todo = list(reached)
    while todo:
        cell = todo.pop()
        for step in OFFSETS.tolist():
            other = tuple(a + b for a, b in zip(cell, step, strict=True))
            if other in solid and other not in reached:
                reached.add(other)
                todo.append(other)
    return reached


near = st.integers(0, 4)
solid_rows = st.lists(st.tuples(near, near, near, st.sampled_from(["stone", "glass", "oak_planks"])), max_size=40)


@given(solid_rows)
def test_grounded_is_a_walk_over_faces(rows):
    cells = {row[:3] for row in rows}
    if cells:
        assert floating(rows) == sorted(cells - walk(cells, cells))


@given(solid_rows, st.integers(0, 2**40 - 1))
def test_dense_and_sparse_labels_agree(rows, bits):
    blocks = BlockSet.from_blocks(rows)
    mask = np.array([bits >> i & 1 for i in range(len(blocks))], dtype=bool)
    assert np.array_equal(label_by_faces(blocks, mask), label_by_links(blocks, mask))


event = st.one_of(
    st.tuples(
        st.integers(0, 2), st.integers(-1, 2), st.integers(0, 1), st.sampled_from(["stone", "dirt", "sand", "torch"])
    ),
    st.tuples(st.just("break"), st.integers(0, 2), st.integers(-1, 2), st.integers(0, 1)),
)


@settings(max_examples=300)
@given(st.lists(event, max_size=25))
def test_grounded_always_is_grounded_after_every_placement(events):
    bad = []
    last = {}
    for number, one in enumerate(events):
        cell, state = (one[1:], None) if one[0] == "break" else (one[:3], one[3])
        # Placing the same state again is no placement.
        if state is None or last.get(cell) == state:
            last[cell] = state
            continue
        last[cell] = state
        after = Scene(Build.from_log(events[: number + 1]))
        if len(after.blocks) and not after.carried.all():
            bad.append(number)
    build = Build.from_log(events)
    if not len(Scene(build).blocks):
        return
    verdict = evaluate(build, [bind("grounded_always", {})])[0]
    assert verdict.measured == len(bad)
    assert (verdict.status == "pass") == (not bad)
    assert verdict.status == "pass" or len(verdict.cells)


@given(st.permutations([(x, y, 0, "stone") for x in range(3) for y in range(3)]), st.integers(0, 3))
def test_supported_order_asks_for_a_path_at_the_blocks_own_placement(events, within):
    build = Build.from_log(events)
    late = 0
    for number, one in enumerate(events):
        there = {e[:3] for e in events[: number + 1 + within]}
        late += one[:3] not in walk(there, there)
    verdict = evaluate(build, [bind("supported_order", {"within": within})])[0]
    assert verdict.measured == late and verdict.score == pytest.approx(1 - late / 9)


def test_supported_order_counts_only_blocks_that_remain():
    scaffold = [[0, 0, 0, "dirt"], [0, 1, 0, "stone"], ["break", 0, 0, 0], [0, 0, 0, "stone"]]
    build = Build.from_log(scaffold)
    assert evaluate(build, [bind("supported_order", {})])[0].status == "fail"
    assert evaluate(build, [bind("supported_order", {"within": 1})])[0].status == "pass"
    assert evaluate(build, [bind("grounded_always", {})])[0].status == "pass"


def test_rules_on_the_order_do_not_apply_where_it_is_unknown():
    build = Build.from_blocks([(0, 0, 0, "stone")])
    for name in ("supported_order", "grounded_always"):
        assert evaluate(build, [bind(name, {})])[0].status == "not applicable"


def test_a_log_with_too_many_removals_is_an_error_with_a_reason():
    events = [[0, 0, 0, "stone"], ["break", 0, 0, 0]] * 6000 + [[0, 0, 0, "stone"]]
    verdict = evaluate(Build.from_log(events), [bind("grounded_always", {})])[0]
    assert verdict.status == "error" and "too many" in verdict.message


def test_long_chains_are_followed_at_once():
    row = [(0, 0, 0, "oak_log"), (0, 1, 0, "oak_log"), *((x, 1, 0, "oak_leaves") for x in range(1, 20_000))]
    tower = [(0, y, 5, "sand") for y in range(20_000)]
    assert floating(row + tower) == []
    assert len(floating(row[:1] + row[2:])) == 19_999
    assert len(floating(row[1:])) == 20_000
    events = Build.from_log([list(b) for b in row + tower[:2000]])
    assert evaluate(events, [bind("supported_order", {})])[0].status == "pass"
