"""Ways and orders."""

from itertools import combinations, pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minece.blocks import Build
from minece.checkers import bind, evaluate
from minece.checkers.order import Stages, misplaced, right_pairs
from minece.checkers.paths import least_path
from minece.checkers.scene import Scene


def judge(events, name, **args):
    return evaluate(Build.from_log(events), [bind(name, args)])[0]


def box(x, y, z, w, h, d, state="stone"):
    return [(x + i, y + j, z + k, state) for j in range(h) for i in range(w) for k in range(d)]


# efficiency ---------------------------------------------------------------------------------------------------------


def test_raster_order_over_a_square():
    verdict = judge(box(0, 0, 0, 2, 1, 2), "efficiency")
    assert (verdict.status, verdict.score, verdict.measured, verdict.required) == ("pass", 0.75, 4, 3)


def test_one_block_is_as_short_as_can_be():
    assert judge([(3, 0, 3, "stone")], "efficiency").score == 1


def test_mistakes_that_were_removed_do_not_count_and_the_last_placement_does():
    straight = [(x, 0, 0, "stone") for x in range(5)]
    assert judge([(90, 0, 0, "dirt"), *straight, ("break", 90, 0, 0)], "efficiency").score == 1
    # Block 0 is laid first, taken for another one at the end: its last placement counts.
    verdict = judge([(0, 0, 0, "dirt"), *straight[1:], (0, 0, 0, "stone")], "efficiency")
    assert (verdict.measured, verdict.score) == (7, 4 / 7)
    assert verdict.message.endswith("the longest step, 4, goes from (4, 0, 0) to (0, 0, 0).")
    assert verdict.cells.tolist() == [[4, 0, 0], [0, 0, 0]]
    # The same state again is no placement.
    assert judge([*straight, (0, 0, 0, "stone")], "efficiency").score == 1


def test_efficiency_decides_nothing():
    verdict = judge([(0, 0, 0, "stone"), (50, 0, 50, "stone")], "efficiency")
    assert (verdict.status, verdict.score, verdict.measured, verdict.required) == ("pass", 0.01, 100, 100)


cells = st.tuples(st.integers(0, 4), st.integers(0, 2), st.integers(0, 4))


def apart(one, other):
    return sum(abs(a - b) for a, b in zip(one, other, strict=True))


def shortest(found):
    return min(sum(apart(a, b) for a, b in pairwise(order)) for order in permutations(found))


@settings(deadline=None)
@given(st.sets(cells, min_size=1, max_size=6))
def test_no_order_beats_the_bound(found):
    scene = Scene(Build.from_blocks([(*c, "stone") for c in found]))
    least, exact = least_path(scene)
    assert exact
    assert len(found) - 1 <= least <= shortest(sorted(found))


def test_the_bound_counts_distances_between_parts():
    blocks = box(0, 0, 0, 3, 3, 3) + box(10, 0, 0, 3, 3, 3) + box(0, 0, 10, 3, 3, 3)
    least, exact = least_path(Scene(Build.from_blocks(blocks)))
    assert (least, exact) == (3 * 26 + 8 + 8, True)


def test_the_bound_over_very_many_parts():
    blocks = [(3 * i, 0, 3 * k, "stone") for i in range(40) for k in range(40)]
    least, exact = least_path(Scene(Build.from_blocks(blocks)))
    assert (least, exact) == (2 * 1599, False)


@settings(deadline=None)
@given(st.sets(cells, min_size=2, max_size=25))
def test_the_tree_between_parts_is_the_shortest(found):
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(found)
    for a, b in combinations(found, 2):
        graph.add_edge(a, b, weight=apart(a, b))
    # Over all single blocks the shortest tree takes the unit steps first, so it has the bound's length.
    tree = nx.minimum_spanning_tree(graph)
    least, _ = least_path(Scene(Build.from_blocks([(*c, "stone") for c in found])))
    assert least == sum(w for *_, w in tree.edges(data="weight"))


# order --------------------------------------------------------------------------------------------------------------

FOUR = ["all of #concrete", "all of stone", "all of dirt", "all of oak_planks"]


def parts(storeys=1):
    """Foundation; then columns, walls and ceiling of each storey."""
    out = [box(0, -1, 0, 5, 1, 5, "white_concrete")]
    ring = [(x, z) for x in range(5) for z in range(5) if x in (0, 4) or z in (0, 4)]
    corners = [(x, z) for x in (0, 4) for z in (0, 4)]
    for storey in range(storeys):
        levels = range(4 * storey, 4 * storey + 3)
        out.append([(x, y, z, "stone") for x, z in corners for y in levels])
        out.append([(x, y, z, "dirt") for y in levels for x, z in ring if (x, z) not in corners])
        out.append(box(0, 4 * storey + 3, 0, 5, 1, 5, "oak_planks"))
    return out


def test_parts_in_order():
    verdict = judge(sum(parts(), []), "order", stages=FOUR)
    assert (verdict.status, verdict.score) == ("pass", 1)
    assert verdict.measured == {"out_of_order": 0, "empty_stages": 0}


def test_walls_before_columns():
    foundation, columns, walls, ceiling = parts()
    verdict = judge(foundation + walls + columns + ceiling, "order", stages=FOUR)
    assert (verdict.status, verdict.measured["out_of_order"]) == ("fail", len(columns))
    pairs = sum(len(a) * len(b) for a, b in combinations(parts(), 2))
    assert verdict.score == pytest.approx(1 - len(walls) * len(columns) / pairs)
    assert verdict.message.endswith("build #concrete, then stone, then dirt, then oak_planks.")


def test_one_late_cell_is_the_one_at_fault():
    foundation, columns, walls, ceiling = parts()
    verdict = judge(foundation[1:] + columns + walls + ceiling + foundation[:1], "order", stages=FOUR)
    assert verdict.cells.tolist() == [[0, -1, 0]]
    assert verdict.message.startswith("1 block out of order (1 of #concrete), the first at (0, -1, 0), and 0 empty")


def test_one_early_plank_is_the_one_at_fault():
    foundation, columns, walls, ceiling = parts()
    verdict = judge(foundation + columns + walls[:-1] + ceiling[:1] + walls[-1:] + ceiling[1:], "order", stages=FOUR)
    assert verdict.measured["out_of_order"] == 1


def test_what_no_stage_names_may_come_at_any_time():
    foundation, columns, walls, ceiling = parts()
    extra = [(2, 0, 2, "oak_door[half=lower]"), (2, 1, 2, "oak_door[half=upper]"), (1, 0, 1, "lantern")]
    assert judge(extra + foundation + columns + walls + ceiling, "order", stages=FOUR).status == "pass"


def test_mistakes_that_were_removed_are_no_stage():
    first = [(0, 3, 0, "oak_planks"), ("break", 0, 3, 0)]
    assert judge(first + sum(parts(), []), "order", stages=FOUR).status == "pass"
    # Taken out and set again at the end, the foundation cell is late.
    again = [("break", 0, -1, 0), (0, -1, 0, "white_concrete")]
    assert judge(sum(parts(), []) + again, "order", stages=FOUR).measured["out_of_order"] == 1


def test_an_empty_stage_fails():
    foundation, columns, _, ceiling = parts()
    verdict = judge(foundation + columns + ceiling, "order", stages=FOUR)
    assert (verdict.status, verdict.score) == ("fail", 0)
    assert verdict.measured == {"out_of_order": 0, "empty_stages": 1}
    assert verdict.message == "1 stage of 4 is empty: dirt; 0 blocks out of order."
    assert len(verdict.cells) == len(columns)
    assert judge([(0, 0, 0, "glass")], "order", stages=FOUR).cells.tolist() == [[0, 0, 0]]


def test_a_block_belongs_to_the_first_stage_that_names_it():
    blocks = [(0, 0, 0, "stone"), (1, 0, 0, "dirt"), (0, 1, 0, "stone")]
    assert judge(blocks, "order", stages=["lowest", "all of stone"]).status == "pass"
    assert judge(blocks, "order", stages=["all of stone", "all"]).measured["out_of_order"] == 1


@given(st.lists(st.integers(0, 3), max_size=9))
def test_as_few_blocks_as_possible_are_out_of_order(stage):
    found = Stages(np.array(stage, dtype=np.int64), np.zeros(len(stage), dtype=np.int64), 4, 1)
    wrong = misplaced(found).tolist()
    left = [s for i, s in enumerate(stage) if i not in wrong]
    assert left == sorted(left)
    most = max(n for n in range(len(stage) + 1) for kept in combinations(stage, n) if list(kept) == sorted(kept))
    assert len(left) == most


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=30))
def test_over_storeys_a_block_waits_for_earlier_stages_here_and_below(blocks):
    stage, storey = np.array(blocks, dtype=np.int64).reshape(-1, 2).T
    found = Stages(stage, storey, 4, 3)

    def broken(chosen):
        pairs = [(a, b) for a, b in combinations(chosen, 2) if b[0] < a[0] and b[1] <= a[1]]
        kept = [(a, b) for a, b in combinations(chosen, 2) if a[0] < b[0] and a[1] <= b[1]]
        return len(pairs), len(kept)

    wrong = set(misplaced(found).tolist())
    assert broken([b for i, b in enumerate(blocks) if i not in wrong])[0] == 0
    bad, good = broken(blocks)
    assert (len(wrong) == 0) == (bad == 0)
    assert right_pairs(found) == pytest.approx(good / (good + bad) if good + bad else 1)


def test_two_storeys_one_after_the_other():
    foundation, columns, walls, ceiling, upper_columns, upper_walls, roof = parts(2)
    by_storey = foundation + columns + walls + ceiling + upper_columns + upper_walls + roof
    assert judge(by_storey, "order", stages=FOUR, storeys=2).status == "pass"
    assert judge(by_storey, "order", stages=FOUR).status == "fail"
    by_stage = foundation + columns + upper_columns + walls + upper_walls + ceiling + roof
    assert judge(by_stage, "order", stages=FOUR, storeys=2).status == "pass"
    roof_early = foundation + columns + walls + upper_columns + roof + upper_walls + ceiling
    assert judge(roof_early, "order", stages=FOUR, storeys=2).measured["out_of_order"] == len(roof)
    upper_first = foundation + upper_columns + upper_walls + roof + columns + walls + ceiling
    assert judge(upper_first, "order", stages=FOUR, storeys=2).status == "fail"


TWO = ["all of stone", "all of white_concrete", "all of oak_planks", "all of #red"]


def frame_house():
    """Foundation, lower and upper frame with beams, second floor within the beams, ceiling."""
    corners = [(x, z) for x in (0, 5) for z in (0, 5)]
    edge = [(x, z) for x in range(6) for z in range(6) if x in (0, 5) or z in (0, 5)]
    lower = [(x, y, z, "white_concrete") for x, z in corners for y in range(3)]
    lower += [(x, 3, z, "white_concrete") for x, z in edge]
    upper = [(x, y, z, "white_concrete") for x, z in corners for y in range(4, 6)]
    upper += [(x, 6, z, "white_concrete") for x, z in edge]
    return (
        box(0, -1, 0, 6, 1, 6, "stone"),
        lower,
        upper,
        box(1, 3, 1, 4, 1, 4, "oak_planks"),
        box(0, 7, 0, 6, 1, 6, "red_concrete"),
    )


def test_a_frame_may_go_up_at_once_or_storey_by_storey():
    foundation, lower, upper, floor, ceiling = frame_house()
    for order in (
        foundation + lower + upper + floor + ceiling,
        foundation + lower + floor + upper + ceiling,
    ):
        assert judge(order, "order", stages=TWO, storeys=2).status == "pass"
    for order in (
        foundation + floor + lower + upper + ceiling,
        foundation + lower + floor + ceiling + upper,
        foundation + lower + upper + ceiling + floor,
        lower + foundation + upper + floor + ceiling,
    ):
        assert judge(order, "order", stages=TWO, storeys=2).status == "fail"


def test_a_floor_on_the_foundation_parts_no_storeys():
    foundation, lower, upper, floor, ceiling = frame_house()
    ground_floor = box(1, 0, 1, 4, 1, 4, "oak_planks")
    build = foundation + lower + ground_floor + floor + upper + ceiling
    assert judge(build, "order", stages=TWO, storeys=2).status == "pass"


def test_very_many_storeys_cost_nothing():
    assert judge(sum(parts(), []), "order", stages=FOUR, storeys=10**9).status == "pass"
