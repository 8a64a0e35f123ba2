"""Closed boxes: complete, roomy, with a doorway; and which one is the largest for a stock."""

import time
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from minece.blocks import Build
from minece.checkers import bind, evaluate

CABIN = {"materials": "oak_planks", "inner_at_least": 27, "doorway": [1, 2]}
STOCKS = {56: 8, 98: 27, 152: 64, 218: 125}


def shell(size=(5, 5, 5), at=(0, 0, 0), state="oak_planks"):
    """The outer layer of a box."""
    return [
        (*(a + i for a, i in zip(at, cell, strict=True)), state)
        for cell in product(*map(range, size))
        if any(i in (0, n - 1) for i, n in zip(cell, size, strict=True))
    ]


def without(blocks, *cells):
    assert set(cells) <= {block[:3] for block in blocks}
    return [block for block in blocks if block[:3] not in cells]


def judge(blocks, dug=(), **args):
    build = Build.from_blocks(blocks, dug=dug)
    return evaluate(build, [bind("closed_box", {**CABIN, **args})], stock=["oak_planks"])[0]


def inside(size=(5, 5, 5), at=(0, 0, 0)):
    return [tuple(a + i for a, i in zip(at, cell, strict=True)) for cell in product(*(range(1, n - 1) for n in size))]


@pytest.mark.parametrize("size", [(5, 5, 5), (4, 6, 6), (8, 5, 5), (5, 29, 3), (29, 5, 3)])
def test_any_three_sides_make_a_box(size):
    verdict = judge(shell(size))
    assert verdict.status == "pass"
    assert verdict.measured == {"inner_volume": len(inside(size)), "missing": 0, "outside": 0}
    assert len(verdict.cells) == len(shell(size))


@pytest.mark.parametrize("cell", shell()[::7] + [(0, 0, 0, ""), (4, 4, 4, ""), (2, 4, 0, ""), (2, 2, 4, "")])
def test_every_cell_of_the_outer_layer_counts(cell):
    verdict = judge(without(shell(), cell[:3]))
    assert (verdict.status, verdict.score, verdict.measured["missing"]) == ("fail", 0, 1)
    assert verdict.cells.tolist() == [list(cell[:3])]


@pytest.mark.parametrize(
    ("wall", "missing"),
    [((0, 1, 1), 0), ((0, 1, 2), 0), ((4, 1, 3), 0), ((1, 1, 0), 0), ((2, 1, 4), 0), ((2, 2, 4), 2), ((0, 2, 1), 2)],
)
def test_a_doorway_starts_at_the_floor_of_any_wall(wall, missing):
    x, y, z = wall
    blocks = without(shell(), wall, (x, y + 1, z))
    assert judge(blocks).measured["missing"] == missing
    assert judge(blocks, doorway=[1, 3]).measured["missing"] == 2
    without_any = bind("closed_box", {"materials": "oak_planks", "inner_at_least": 27})
    assert evaluate(Build.from_blocks(blocks), [without_any])[0].status == "fail"


@pytest.mark.parametrize(
    "holes",
    [
        [(0, 0, 2), (0, 1, 2)],  # through the edge at the floor
        [(0, 1, 0), (0, 2, 0)],  # through an upright edge
        [(0, 3, 2), (0, 4, 2)],  # through the edge at the roof
        [(2, 0, 2), (2, 0, 3)],  # in the floor
        [(2, 4, 2), (3, 4, 2)],  # in the roof
        [(0, 1, 2), (0, 1, 3)],  # lying
        [(0, 1, 2), (4, 2, 2)],  # in two walls
        [(0, 1, 1), (0, 2, 1), (4, 1, 1), (4, 2, 1)],  # two of them
        [(0, 1, 2), (0, 2, 2), (0, 3, 2)],  # too high
        [(0, 1, 2)],  # too low
    ],
)
def test_other_openings_are_no_doorway(holes):
    verdict = judge(without(shell(), *holes))
    assert (verdict.status, verdict.measured["missing"]) == ("fail", len(holes))
    assert sorted(map(tuple, verdict.cells.tolist())) == sorted(holes)
    assert "doorway of 1×2" in verdict.message


def test_what_stands_in_the_doorway_does_not_matter():
    blocks = without(shell(), (0, 1, 2), (0, 2, 2))
    for one, other in (("oak_door[half=lower]", "oak_door[half=upper]"), ("torch", "stone")):
        assert judge([*blocks, (0, 1, 2, one), (0, 2, 2, other)]).status == "pass"


def test_wide_doorways_are_no_missing_side():
    holes = [(0, y, z) for y in range(1, 6) for z in range(1, 6)]
    assert judge(without(shell((7, 7, 7)), *holes), doorway=[5, 5]).status == "pass"


def test_the_room_must_be_free():
    for state in ("oak_planks", "stone", "torch", "water"):
        verdict = judge([*shell(), (2, 1, 2, state)])
        assert (verdict.status, verdict.measured["inner_volume"]) == ("fail", 26)
        assert verdict.cells.tolist() == [[2, 1, 2]]
        assert verdict.score == pytest.approx(26 / 27)
    assert judge([*shell((6, 5, 5)), (2, 1, 2, "stone")]).status == "pass"


def test_a_solid_heap_has_no_room():
    heap = [(*cell, "oak_planks") for cell in product(range(5), range(3), range(5))]
    verdict = judge(heap)
    assert (verdict.status, verdict.measured["inner_volume"], verdict.measured["missing"]) == ("fail", 0, 0)
    assert "build a larger box" in verdict.message and len(verdict.cells)


@pytest.mark.parametrize("base", [-1, -3, -9])
def test_a_sunk_cabin_must_be_dug_out(base):
    at = (-20, base, 7)
    blocks, below = shell(at=at), [cell for cell in inside(at=at) if cell[1] < 0]
    assert judge(blocks, dug=below).status == "pass"
    if below:
        verdict = judge(blocks)
        assert (verdict.status, verdict.measured["inner_volume"]) == ("fail", 27 - len(below))
        assert sorted(map(tuple, verdict.cells.tolist())) == sorted(below)
        filled = [(*below[0], "dirt")]
        assert judge(blocks + filled, dug=below[1:]).measured["inner_volume"] == 26
        # Two planks are saved where the ground stands for the wall: they are missing all the same.
        saved = without(blocks, (-20, base + 1, 8), (-20, base + 1, 9))
        assert judge(saved, dug=below).measured["missing"] == 2


def test_what_sticks_out_is_told_from_the_box():
    for extra in ([(2, 5, 2)], [(2, 5, 2), (2, 6, 2)], [(-1, 0, 2)], [(7, 0, 7)], [(x, 0, 9) for x in range(20)]):
        verdict = judge([*shell(), *((*cell, "oak_planks") for cell in extra)])
        assert verdict.status == "fail"
        assert verdict.measured == {"inner_volume": 27, "missing": 0, "outside": len(extra)}
        assert sorted(map(tuple, verdict.cells.tolist())) == sorted(extra)
        assert "take away" in verdict.message
    assert judge([*shell(), (2, 5, 2, "stone"), (2, 6, 2, "torch")]).status == "pass"


def test_two_cabins_are_not_one():
    verdict = judge([*shell(), *shell((3, 4, 3), at=(9, 0, 0))])
    assert verdict.measured == {"inner_volume": 27, "missing": 0, "outside": 34}


def test_a_missing_roof_is_the_roof_inside_its_edges():
    verdict = judge(
        [
            block
            for block in shell()
            if not (block[1] == 4 and block[:3] in [(x, 4, z) for x in (1, 2, 3) for z in (1, 2, 3)])
        ]
    )
    assert verdict.measured == {"inner_volume": 27, "missing": 9, "outside": 0}


def test_what_closes_nothing_is_no_wall():
    blocks = without(shell(), (2, 2, 0)) + [(2, 2, 0, "oak_sign")]
    assert judge(blocks, materials="oak_planks, oak_sign").measured["missing"] == 1
    assert judge([(0, 0, 0, "stone")]).measured["missing"] is None


def test_scores_are_shares_of_the_best():
    assert judge(shell((5, 5, 4)), inner_at_least=8, best=27).score == pytest.approx(18 / 27)
    assert judge(shell((5, 5, 4)), inner_at_least=27).score == pytest.approx(18 / 27)
    assert judge(shell((9, 9, 9)), inner_at_least=8, best=27).score == 1


def test_scattered_planks_are_judged_soon():
    start = time.thread_time()
    far = judge([(i * 1000, i % 7, -i * 1000, "oak_planks") for i in range(20_000)])
    assert (far.status, len(far.cells) > 0) == ("fail", True)
    line = judge([(i, 0, 0, "oak_planks") for i in range(20_000)])
    assert (line.status, line.measured["inner_volume"]) == ("fail", 0)
    stairs = judge([(i // 2 + i % 2, i // 2, 0, "oak_planks") for i in range(20_000)])
    assert (stairs.status, len(stairs.cells) > 0) == ("fail", True)
    assert time.thread_time() - start < 3


@settings(deadline=None)
@given(
    size=st.tuples(*[st.integers(3, 6)] * 3),
    at=st.tuples(st.integers(-9, 9), st.integers(-4, 3), st.integers(-9, 9)),
    data=st.data(),
)
def test_the_same_as_counted_one_by_one(size, at, data):
    """Pass exactly when the planks are the outer layer, but for a doorway, and all inside is air."""
    blocks, room = shell(size, at), inside(size, at)
    taken = data.draw(st.lists(st.sampled_from([b[:3] for b in blocks]), max_size=2))
    x, _, z = data.draw(st.sampled_from([b[:3] for b in blocks]))
    if data.draw(st.booleans()):
        taken = [(x, at[1] + 1, z), (x, at[1] + 2, z)]
    assume({cell[:3] for cell in blocks} >= set(taken))
    dug = [cell for cell in room if cell[1] < 0 and data.draw(st.integers(0, 9))]
    full = [cell for cell in room if cell not in dug and not data.draw(st.integers(0, 20))]
    blocks = without(blocks, *taken) + [(*cell, "oak_planks") for cell in full]
    free = sum(cell not in full and (cell[1] >= 0 or cell in dug) for cell in room)
    upright = {(x, y, z) for x, y, z in taken}
    corner = [{a, a + n - 1} for a, n in zip(at, size, strict=True)]
    open_door = (
        len(upright) == 2
        and len({(x, z) for x, _, z in upright}) == 1
        and {y for _, y, _ in upright} == {at[1] + 1, at[1] + 2}
        and at[1] + 2 < at[1] + size[1] - 1
        and all((x in corner[0]) != (z in corner[2]) for x, _, z in upright)
    )
    verdict = judge(blocks, dug=dug, inner_at_least=1)
    assert (verdict.status == "pass") == ((open_door or not taken) and free >= 1)
    assert verdict.measured["inner_volume"] == free
    assert verdict.measured["outside"] == 0


# What is the best? ---------------------------------------------------------------------------------------------------


def planks(size):
    """Planks of a complete box."""
    (x, y, z) = size
    return x * y * z - max(x - 2, 0) * max(y - 2, 0) * max(z - 2, 0)


def best_box(stock, doorway):
    """The most cells that a complete box of so many planks encloses, among all boxes there are.

    A doorway of two cells needs a room two cells high. Of n planks no box has a side longer than n.
    """
    best = 0
    for width in range(1, stock + 1):
        for depth in range(1, width + 1):
            if planks((width, 1, depth)) > stock:
                break
            for height in range(1, stock + 3):
                room = max(width - 2, 0) * max(height - 2, 0) * max(depth - 2, 0)
                if planks((width, height, depth)) - 2 * (doorway and room > 0 and height >= 4) > stock:
                    break
                best = max(best, room)
    return best


@pytest.mark.parametrize(("stock", "room"), STOCKS.items())
def test_the_best_box_for_each_stock(stock, room):
    """By trying every box: a cube, and the two planks that a doorway saves buy nothing more."""
    assert best_box(stock, doorway=False) == best_box(stock, doorway=True) == room
    assert planks([round(room ** (1 / 3)) + 2] * 3) == stock


def test_two_planks_saved_would_buy_more_for_other_stocks():
    """So the search can tell the difference."""
    assert [n for n in range(56, 219) if best_box(n, doorway=True) > best_box(n, doorway=False)]
