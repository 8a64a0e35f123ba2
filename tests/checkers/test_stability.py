"""Stress against a reference build."""

import numpy as np
import pytest

from minece.blocks import Build
from minece.checkers import RuleError, bind, evaluate

PORTAL = [[0, 0, 0, 1, 4, 1], [8, 0, 0, 1, 4, 1], [0, 4, 0, 9, 1, 1]]
ARCH = [
    [0, 0, 0, 1, 3, 1],
    [8, 0, 0, 1, 3, 1],
    [1, 2, 0, 1, 2, 1],
    [7, 2, 0, 1, 2, 1],
    [2, 3, 0, 1, 2, 1],
    [6, 3, 0, 1, 2, 1],
    [3, 4, 0, 3, 1, 1],
]


def blocks(boxes, state="stone"):
    return [
        (x, y, z, state)
        for a, b, c, w, h, d in boxes
        for x in range(a, a + w)
        for y in range(b, b + h)
        for z in range(c, c + d)
    ]


def verdict(build, **args):
    return evaluate(build, [bind("stress", {"reference": PORTAL, **args})])[0]


def test_the_reference_itself_passes_with_score_one_wherever_it_stands():
    build = Build.from_blocks(blocks(PORTAL))
    for one in (build, build.turned(1), build.turned(2), build.mirrored("x"), build.translated(-40, 77)):
        found = verdict(one)
        assert (found.status, found.score) == ("pass", 1.0)
        assert found.measured["sigma_rms_pa"] == pytest.approx(found.required["sigma_rms_pa"]["at_most"], rel=1e-6)


@pytest.mark.parametrize("state", ["white_wool", "oak_slab[type=bottom]", "iron_block", "stone_brick_wall"])
def test_shape_is_judged_and_not_what_it_is_made_of(state):
    assert (
        verdict(Build.from_blocks(blocks(PORTAL, state))).measured
        == verdict(Build.from_blocks(blocks(PORTAL))).measured
    )


def test_an_arch_is_better_than_a_portal_and_a_long_beam_worse():
    arch = verdict(Build.from_blocks(blocks(ARCH)), best=ARCH)
    assert (arch.status, arch.score, arch.measured["score_vs_best"]) == ("pass", 1.0, 1.0)
    wide = [[0, 0, 0, 1, 4, 1], [12, 0, 0, 1, 4, 1], [0, 4, 0, 13, 1, 1]]
    long = verdict(Build.from_blocks(blocks(wide)), best=ARCH)
    assert long.status == "fail" and 0 < long.score < 1 and 0 < long.measured["score_vs_best"] < long.score
    assert len(long.cells) == 1 and "that of the reference" in long.message


def test_what_floats_or_hangs_by_an_edge_fails_with_its_blocks():
    floating = verdict(Build.from_blocks([*blocks(PORTAL), (3, 9, 0, "stone")]))
    assert (floating.status, floating.score, floating.measured) == ("fail", 0.0, None)
    assert floating.cells.tolist() == [[3, 9, 0]] and "floats" in floating.message
    hinged = verdict(Build.from_blocks([(0, 0, 0, "stone"), (1, 1, 0, "stone")]))
    assert hinged.status == "fail" and "move freely" in hinged.message and len(hinged.cells)


def test_soil_carries_below_ground_too():
    sunk = [(x, y - 2, z, s) for x, y, z, s in blocks(PORTAL)]
    assert verdict(Build.from_blocks(sunk)).status == "pass"


@pytest.mark.parametrize(
    "reference",
    [
        [],
        [[0, 0, 0, 1, 1]],
        [[0, 0, 0, 0, 1, 1]],
        [[0, 0, 0, 20, 20, 20]],
        "stone",
        [[0, 0.5, 0, 1, 1, 1]],
        [[2000, 0, 0, 1, 1, 1]],
    ],
)
def test_what_is_no_shape_is_refused(reference):
    with pytest.raises(RuleError, match="stress"):
        bind("stress", {"reference": reference})


def test_a_reference_that_does_not_stand_is_an_error():
    found = evaluate(Build.from_blocks(blocks(PORTAL)), [bind("stress", {"reference": [[0, 5, 0, 2, 1, 1]]})])[0]
    assert found.status == "error" and "the reference does not stand" in found.message


def test_the_cells_of_a_shape_are_those_of_its_boxes():
    shape = bind("stress", {"reference": PORTAL}).values["reference"]
    assert np.array_equal(shape.cells, Build.from_blocks(blocks(PORTAL)).blocks.cells)
