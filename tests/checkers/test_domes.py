"""Domes: what is one, whatever it is built of and however it stands, and what only looks like one."""

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minece.blocks import Build, Log
from minece.checkers import bind, evaluate
from minece.checkers.discs import Plan, find_discs, shape
from minece.checkers.errors import RuleError
from minece.tasks.designs import draw
from minece.tasks.oracles import ORACLES, plain


def drawn(*more, **values):
    """The placements of a design, and further ones; None takes away."""
    values = {"diameter": 9, "height": 6, "drum": 1, **values}
    return [*draw("dome", values), *more]


def build(placements):
    return Build.from_log(Log.of([cell for cell, _ in placements], [state for _, state in placements]))


def judge(placements, **args):
    return evaluate(build(placements), [bind("dome", {"diameter": 9, **args})])[0]


def box(x, y, z, w, h, d, state="stone"):
    return [((x + i, y + j, z + k), state) for j in range(h) for i in range(w) for k in range(d)]


def gone(*placements):
    return box(*placements, state=None)


HONEST = {
    "plain": drawn(),
    "half as high as wide": drawn(height=5, drum=0),
    "twice as high as wide": drawn(height=18, drum=0, profile="parabola"),
    "thick": drawn(height=8, thick=2, profile="full"),
    "stepped": drawn(height=8, profile="stepped"),
    "pointed": drawn(height=8, profile="pointed"),
    "on a drum": drawn(height=9, drum=4),
    "slabs on its ledges": drawn(height=7, profile="parabola", smooth="stone_slab[type=bottom]"),
    "stairs on a side": drawn(((4, 2, 0), "stone_stairs[facing=south]"), ((4, 1, 8), "stone"), height=7),
    "glass": drawn(block="glass"),
    "leaves": drawn(block="oak_leaves"),
    "a floor in the ground": drawn(floor="oak_planks"),
    "a floor on the ground": [*box(0, 0, 0, 9, 1, 9, None), *drawn(*box(2, 0, 2, 5, 1, 5), height=7)],
    "a sunk floor": drawn(sunk=1, floor="oak_planks"),
    "deep in the ground": drawn(sunk=3),
    "on a plinth": drawn(plinth=1, entrance="door", floor="stone"),
    "on a high plinth": drawn(plinth=4),
    "a paved square": [*box(-5, -1, -5, 19, 1, 19, "bricks"), *drawn()],
    "an open entrance": drawn(entrance="open"),
    "an entrance three wide": drawn(entrance="open", wide=3),
    "two entrances": drawn(*gone(0, 0, 4, 4, 2, 1), entrance="open"),
    "a door": drawn(entrance="door"),
    "a tunnel": drawn(entrance="tunnel", long=7),
    "a porch": drawn(entrance="porch"),
    "a trench": drawn(entrance="trench"),
    "an entrance higher than wide": drawn(*gone(5, 0, 4, 4, 3, 1)),
    "an entrance off the middle": drawn(*gone(4, 0, 2, 5, 2, 1)),
    "a sill of a slab": drawn(*gone(5, 0, 4, 4, 3, 1), ((8, 0, 4), "stone_slab[type=bottom]")),
    "a lamp inside": drawn(lamp="lantern[hanging=true]"),
    "furniture": drawn(*box(3, 0, 3, 1, 1, 3, "bookshelf"), ((5, 0, 5), "crafting_table"), ((5, 1, 5), "lantern")),
    "a spire": drawn(*box(4, 6, 4, 1, 5, 1)),
    "a chimney on its flank": drawn(*box(2, 4, 4, 1, 5, 1)),
    "a knob on its crown": drawn(((4, 6, 4), "gold_block")),
    "a torch and a carpet on its flank": drawn(((4, 6, 4), "torch"), ((4, 5, 1), "red_carpet")),
    "a bracket on its flank": drawn(((4, 4, 0), "stone"), height=8),
    "buttresses": drawn(
        *box(9, 0, 4, 1, 2, 1), *box(-1, 0, 4, 1, 2, 1), *box(4, 0, 9, 1, 2, 1), *box(4, 0, -1, 1, 2, 1)
    ),
    "posts beside it": drawn(*box(8, 0, 1, 1, 3, 1), *box(0, 0, 7, 1, 3, 1)),
    "a wall around, three off": [*box(-4, 0, -4, 17, 2, 1), *box(-4, 0, 12, 17, 2, 1), *drawn()],
    "a cornice": [*drawn(height=9, drum=4), *box(3, 3, -1, 3, 1, 1), *box(3, 3, 9, 3, 1, 1), *box(9, 3, 3, 1, 1, 3)],
    "a heap beside it": drawn(*box(20, 0, 0, 12, 9, 12)),
    "a smaller one beside it": [*drawn(), *draw("dome", {"diameter": 7, "height": 5}, at=(20, 0, 3))],
    "a house beside it": [
        *drawn(),
        *box(20, 0, 0, 12, 4, 12),
        *gone(21, 0, 1, 10, 3, 10),
        *gone(24, 0, 0, 1, 2, 1),
    ],
}


@pytest.mark.parametrize("name", HONEST)
def test_domes_that_are_unlike(name):
    verdict = judge(HONEST[name], height={"at_least": 5})
    assert verdict.status == "pass", verdict.message
    assert verdict.measured["diameter"] == 9
    assert len(verdict.cells)


FAULTS = {
    "nothing over it": (drawn(*gone(0, 1, 0, 9, 9, 9)), "nothing covers 45 places of its disc"),
    "one more across": (drawn(diameter=10), "The dome is 10 across and 6 high; a diameter of 9 is asked for"),
    "one less across": (drawn(diameter=8), "The dome is 8 across and 6 high; a diameter of 9 is asked for"),
    "an oval": (drawn(depth=10), "The base measures 10 by 9 and what stands on it 6; it is no disc of 9"),
    "half a dome": (drawn(*gone(0, 0, 5, 9, 6, 4)), "The base measures 9 by 5"),
    "a box": (
        [*box(0, 0, 0, 9, 6, 9), *gone(1, 0, 1, 7, 5, 7)],
        "The base measures 9 by 9 and what stands on it 6; it is no disc of 9: 12 places outside it",
    ),
    "solid": (drawn(thick=40), "it is not hollow: there is room over 0 places of the 69 that it covers"),
    "a crawl space": (drawn(*gone(2, 0, 2, 5, 1, 5), thick=40), "one can stand on no place inside"),
    "a cell": (drawn(*gone(4, 0, 4, 1, 2, 1), thick=40), "there is room over 1 place of the 69 that it covers"),
    "a passage": (drawn(thick=40, entrance="open"), "it is not hollow"),
    "a window": (drawn(((4, 1, 0), None)), "there is an opening above the ground beside (3, 0, 0) and "),
    "a window high up": (drawn(*gone(2, 3, 4, 1, 2, 1)), "opening above the ground|nothing covers"),
    "an eye": (drawn(*gone(4, 3, 4, 1, 3, 1)), "nothing covers 1 place of its disc near"),
    "a slot": (
        drawn(*gone(4, 0, 0, 1, 6, 4)),
        "it is no disc of 9: 2 places of it open|it is no disc of 9: 3 places of it open",
    ),
    "no crown": (drawn(*gone(0, 5, 0, 9, 1, 9)), "nothing covers"),
    "a missing layer": (drawn(*gone(0, 3, 0, 9, 1, 9)), "opening above the ground"),
    "an entrance too wide": (drawn(*gone(5, 0, 2, 4, 2, 5)), "an opening is 5 wide, entrances may have 3"),
    "a tunnel too wide": (drawn(entrance="tunnel", wide=2), "it is no disc of 9"),
    "a sill": (drawn(*gone(5, 1, 4, 4, 2, 1)), "there is an opening above the ground"),
    "a flat lid": (drawn(profile="cylinder"), "its crown does not stand above the outermost ring"),
    "a knob on a lid": (drawn(*box(4, 6, 4, 1, 1, 1), profile="cylinder"), "does not stand above the outermost ring"),
    "a lower middle": (
        drawn(*box(3, 6, 3, 3, 1, 3), *gone(4, 6, 4, 1, 1, 1)),
        "toward its centre the shell falls at (4, 5, 4)",
    ),
    "a bump": (drawn(((4, 4, 1), "stone"), ((4, 5, 1), "stone")), "toward its centre the shell falls at"),
    "a cap wider than its foot": (
        [*drawn(height=3, profile="cylinder"), *gone(0, 2, 0, 9, 1, 9)]
        + draw("dome", {"diameter": 17, "height": 6, "thick": 2}, at=(-4, 2, -4)),
        "it is no disc of 9|a diameter of 9 is asked for",
    ),
    "a larger one beside it": (
        [*drawn(), *draw("dome", {"diameter": 11, "height": 6}, at=(20, 0, 3))],
        "The dome is 11 across and 6 high; a diameter of 9 is asked for",
    ),
    "a row of blocks": (box(0, 0, 0, 9, 1, 1), "The base measures 9 by 1 and what stands on it 1; it is no disc of 9"),
    "a lamp": ([((0, 0, 0), "lantern")], "no disc"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_what_is_no_dome(name):
    placements, message = FAULTS[name]
    verdict = judge(placements, height={"at_least": 5})
    assert verdict.status == "fail"
    assert any(part in verdict.message for part in message.split("|")), verdict.message
    assert len(verdict.cells)


def test_heights_count_from_the_foot_without_spires():
    assert judge(drawn(plinth=2), height=6).status == "pass"
    low = judge(drawn(*box(4, 6, 4, 1, 5, 1)), height={"at_least": 7})
    assert low.status == "fail"
    assert low.message == "The dome is 9 across and 6 high; a height of at least 7 is asked for."
    assert (low.measured, low.required) == ({"diameter": 9, "height": 6}, {"diameter": 9, "height": {"at_least": 7}})
    slabs = drawn(*box(3, 6, 3, 3, 1, 3, "stone_slab[type=bottom]"))
    assert judge(slabs, height={"at_least": 6.5}).measured == {"diameter": 9, "height": 6.5}


ENTERED = [
    "an open entrance",
    "two entrances",
    "a door",
    "a tunnel",
    "a porch",
    "a trench",
    "on a plinth",
    "a sill of a slab",
]
NOT_ENTERED = {
    "closed": drawn(),
    "one high": drawn(*gone(5, 0, 4, 4, 1, 1)),
    "shut inside": drawn(*box(7, 0, 4, 1, 2, 1), entrance="tunnel"),
    "shut outside": drawn(*box(11, 0, 4, 1, 2, 1), entrance="tunnel"),
    "too high a plinth": drawn(plinth=3, entrance="open"),
    "a wall behind it": drawn(*box(6, 0, 1, 1, 4, 7), entrance="open"),
    "a trench before it": drawn(*gone(9, -2, 4, 3, 2, 1)),
}


@pytest.mark.parametrize("name", ENTERED)
def test_igloos_that_one_gets_into(name):
    assert judge(HONEST[name], entrance="required").status == "pass"


@pytest.mark.parametrize("name", NOT_ENTERED)
def test_igloos_that_one_does_not_get_into(name):
    assert judge(NOT_ENTERED[name]).status == "pass"
    verdict = judge(NOT_ENTERED[name], entrance="required")
    assert verdict.status == "fail"
    assert "from outside one gets to" in verdict.message
    assert len(verdict.cells)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(5, 14),
    st.integers(0, 6),
    st.sampled_from(["round", "full", "parabola", "pointed"]),
    st.sampled_from(["none", "open", "door", "tunnel", "porch"]),
    st.sampled_from(["north", "east", "south", "west"]),
    st.integers(0, 1),
    st.data(),
)
def test_turned_mirrored_and_moved(diameter, taller, profile, entrance, side, plinth, data):
    """A dome of any kind stays what it is; so does one with some cells out."""
    height = (diameter + 1) // 2 + 1 + taller
    values = {"diameter": diameter, "height": height, "drum": 1, "profile": profile, "plinth": plinth}
    placements = draw("dome", {**values, "entrance": entrance, "side": side})
    need = "allowed" if entrance == "none" else "required"
    bound = [bind("dome", {"diameter": diameter, "height": {"at_least": diameter / 2}, "entrance": need})]
    whole = build(placements)
    assert evaluate(whole, bound)[0].status == "pass"
    solid = sorted({cell for cell, state in placements if state is not None})
    out = data.draw(st.lists(st.sampled_from(solid), max_size=3))
    found = build([*placements, *((cell, None) for cell in out)])
    answer = _answer(found, bound)
    for other in (
        found.turned(data.draw(st.integers(1, 3))),
        found.mirrored(data.draw(st.sampled_from("xz"))),
        found.translated(data.draw(st.integers(-99, 99)), data.draw(st.integers(-99, 99))),
    ):
        assert _answer(other, bound) == answer


def _answer(found, bound):
    verdict = evaluate(found, bound)[0]
    return verdict.status, verdict.measured, len(verdict.cells)


@pytest.mark.slow
@pytest.mark.parametrize("family", ["domes", "igloos"])
@pytest.mark.parametrize("diameter", [5, 8])
def test_every_edit_of_one_block_against_the_oracle(family, diameter):
    """Each block out, and a stone at each free face: the rules and the plain oracle agree."""
    entered = family == "igloos"
    placements = draw(
        "dome",
        {
            "diameter": diameter,
            "height": (diameter + 1) // 2 + 1,
            "drum": 1,
            "entrance": "tunnel" if entered else "none",
        },
    )
    cells = {cell for cell, _ in placements}
    steps = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    around = {(x + a, y + b, z + c) for x, y, z in cells for a, b, c in steps} - cells
    edits = [[row for row in placements if row[0] != cell] for cell in cells]
    edits += [[*placements, (cell, "stone")] for cell in around]
    rules = [
        bind("dome", {"diameter": diameter, "entrance": "required" if entered else "allowed"}),
        bind("grounded", {}),
    ]
    wrong = 0
    for edited in edits:
        right = ORACLES[family]({"diameter": diameter}, plain(edited))
        verdicts = evaluate(build(edited), rules)
        assert all(v.status == "pass" for v in verdicts) is right, ([v.message for v in verdicts], right)
        wrong += not right
    assert 0 < wrong < len(edits) / 2


def _plan(filled):
    """A plan whose outermost places are walls."""
    wide = np.pad(np.asarray(filled, dtype=bool), 4)
    inner = wide & np.roll(wide, 1, 0) & np.roll(wide, -1, 0) & np.roll(wide, 1, 1) & np.roll(wide, -1, 1)
    return Plan(wide & ~inner, wide & ~inner, inner, ~wide | inner, wide)


def _radii(diameter):
    along = np.abs(np.arange(diameter) - (diameter - 1) / 2)
    return np.hypot(along[:, None], along), along[:, None] + along


@pytest.mark.parametrize("diameter", range(5, 15))
def test_discs_squares_and_diamonds(diameter):
    radii, taxi = _radii(diameter)
    tight = (diameter - 1) / 2 if diameter % 2 else np.hypot((diameter - 1) / 2, 0.5)
    for radius in (diameter / 2, tight + 1e-9, diameter / 2 + 0.25):
        assert find_discs(_plan(radii <= radius), diameter, 3) == [(4, 4)], radius
    for other in (diameter - 1, diameter + 1):
        assert not find_discs(_plan(radii <= diameter / 2), other, 3)
    assert not find_discs(_plan(np.ones((diameter, diameter))), diameter, 3)
    assert not find_discs(_plan(np.ones((diameter, diameter - 1))), diameter, 3)
    if diameter > 6:
        assert not find_discs(_plan(taxi <= (diameter - 1) // 2 + (diameter % 2 == 0)), diameter, 3)
    # Two discs into each other are an oval.
    disc = radii <= diameter / 2
    oval = np.zeros((diameter + 1, diameter), dtype=bool)
    oval[:-1] |= disc
    oval[1:] |= disc
    assert not find_discs(_plan(oval), diameter, 3)


def test_a_disc_has_what_it_needs():
    for diameter in range(5, 30):
        disc = shape(diameter)
        assert (disc.within & disc.needed == disc.needed).all()
        assert disc.within[0].any() and disc.within[:, 0].any()
        assert (disc.within == disc.within.T).all() and (disc.within == disc.within[::-1]).all()


@pytest.mark.parametrize("size", [(60, 60), (9, 60)])
def test_halls_without_discs_take_no_time(size):
    """Everywhere under a wide roof there is room for a disc, and nowhere one."""
    hall = build([*box(0, 0, 0, size[0], 5, size[1]), *gone(1, 0, 1, size[0] - 2, 4, size[1] - 2)])
    begin = time.process_time()
    verdict = evaluate(hall, [bind("dome", {"diameter": 7})])[0]
    assert time.process_time() - begin < 1
    assert verdict.message.endswith("it is no disc of 7.")


def test_a_diameter_below_five_is_none():
    with pytest.raises(RuleError, match="a whole number from 5 up"):
        bind("dome", {"diameter": 4})
    with pytest.raises(RuleError, match="required"):
        bind("dome", {"diameter": 5, "entrance": "maybe"})
