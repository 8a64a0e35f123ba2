"""Extents, levels and thicknesses."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from minece.blocks import Build
from minece.checkers import bind, evaluate


def box(x, y, z, w, h, d, state="stone"):
    return [(x + i, y + j, z + k, state) for i in range(w) for j in range(h) for k in range(d)]


def judge(blocks, name, **args):
    return evaluate(Build.from_blocks(blocks), [bind(name, args)])[0]


# extent -------------------------------------------------------------------------------------------------------------


def test_extent_either_way_round():
    slab = box(-3, -1, 5, 7, 1, 8)
    for width, depth in ((7, 8), (8, 7)):
        verdict = judge(slab, "extent", width=width, depth=depth, height=1)
        assert (verdict.status, verdict.measured) == ("pass", {"width": width, "depth": depth, "height": 1})
    assert judge(slab, "extent", height=1).measured == {"width": 8, "depth": 7, "height": 1}
    assert judge(slab, "extent", width=7, depth=8, axis="x").status == "pass"
    assert judge(slab, "extent", width=7, depth=8, axis="z").status == "fail"


def test_extent_names_the_layer_to_take_away():
    verdict = judge(box(0, 0, 0, 7, 1, 9), "extent", width=7, depth=8, height=1)
    assert verdict.status == "fail"
    assert verdict.measured == {"width": 7, "depth": 9, "height": 1}
    assert verdict.required == {"width": 7, "depth": 8, "height": 1}
    assert verdict.message == (
        "Width 7, depth 9, height 1 in the build; width exactly 7, depth exactly 8, height exactly 1 is asked for: "
        "take 1 layer away at the south; the outermost has 7 blocks."
    )
    assert len(verdict.cells) == 7 and set(verdict.cells[:, 2].tolist()) == {8}


def test_extent_points_at_the_stray_block():
    verdict = judge([*box(0, 0, 0, 5, 5, 5), (-2, 3, 3, "stone")], "extent", width=5, depth=5, height=5)
    assert verdict.cells.tolist() == [[-2, 3, 3]]
    assert "take 2 layers away at the west; the outermost has 1 block" in verdict.message
    verdict = judge([*box(0, 0, 0, 5, 5, 5), (1, 5, 1, "stone")], "extent", width=5, depth=5, height=5)
    assert verdict.cells.tolist() == [[1, 5, 1]]


def test_extent_too_small():
    verdict = judge(box(0, 0, 0, 5, 4, 5), "extent", width=5, depth=5, height={"at_least": 6})
    assert "add 2 layers at the top" in verdict.message
    assert set(verdict.cells[:, 1].tolist()) == {3} and len(verdict.cells) == 25


def test_extent_of_a_region_and_of_one_side():
    blocks = box(0, -5, 0, 1, 5, 1) + box(-3, 0, -3, 7, 1, 9, "oak_planks")
    assert judge(blocks, "extent", region="all of oak_planks", width=9, depth=7, height=1).status == "pass"
    assert judge(blocks, "extent", region="above_ground", height=1).status == "pass"
    assert judge(blocks, "extent", region="below_ground", height=5).status == "pass"
    assert judge(blocks, "extent", width=7).status == "pass"
    assert judge(blocks, "extent", depth=9).status == "pass"
    assert judge(blocks, "extent", width={"at_most": 6}).status == "fail"
    verdict = judge(blocks, "extent", region="layer(4)", height=1)
    assert (verdict.status, verdict.measured) == ("fail", {"width": 0, "depth": 0, "height": 0})


sides = st.integers(1, 6)
limits = st.none() | sides | st.dictionaries(st.sampled_from(["at_least", "at_most"]), sides, min_size=1, max_size=1)


@given(st.tuples(sides, sides, sides), limits, limits, limits)
def test_extent_holds_where_one_of_two_ways_does(size, width, depth, height):
    args = {n: v for n, v in (("width", width), ("depth", depth), ("height", height)) if v is not None}
    assume(args)

    def within(limit, number):
        if limit is None or isinstance(limit, int):
            return limit in (None, number)
        return limit.get("at_least", 0) <= number <= limit.get("at_most", 99)

    x, y, z = size
    ways = [within(width, a) and within(depth, b) and within(height, y) for a, b in ((x, z), (z, x))]
    verdict = judge(box(0, 0, 0, x, y, z), "extent", **args)
    assert (verdict.status == "pass") == any(ways)
    assert sorted((verdict.measured["width"], verdict.measured["depth"])) == sorted((x, z))


# top, bottom --------------------------------------------------------------------------------------------------------


def test_top_is_a_face_and_bottom_too():
    slab = box(0, -2, 0, 3, 2, 3)
    assert judge(slab, "top", bound=0).status == "pass"
    assert judge(slab, "bottom", bound=-2).status == "pass"
    verdict = judge([*slab, (1, 0, 1, "stone")], "top", bound={"at_most": 0})
    assert (verdict.status, verdict.measured, verdict.cells.tolist()) == ("fail", 1, [[1, 0, 1]])
    assert verdict.message == "The top in the build lies at height 1; at most 0 is asked for: 1 too high."
    verdict = judge(slab, "bottom", bound={"at_least": 0})
    assert "lies at height -2" in verdict.message and "2 too low" in verdict.message
    assert len(verdict.cells) == 9


def test_levels_of_a_region_that_is_not_there():
    verdict = judge(box(0, 0, 0, 2, 2, 2), "top", bound=1, region="all of glass")
    assert (verdict.status, verdict.measured) == ("fail", None)
    assert len(verdict.cells) == 8


# thickness ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(9, 5, 2), (2, 5, 9), (9, 2, 9), (2, 9, 9)])
def test_thickness_of_walls_and_slabs(size):
    verdict = judge(box(3, 0, -8, *size), "thickness", bound=2)
    assert (verdict.status, verdict.measured) == ("pass", 2)
    verdict = judge(box(3, 0, -8, *size), "thickness", bound={"at_least": 3})
    assert verdict.status == "fail" and "1 too thin" in verdict.message


def test_a_doorway_does_not_make_a_wall_thinner():
    wall = [b for b in box(0, 0, 0, 9, 5, 1) if not (b[0] == 4 and b[1] < 2)]
    assert judge(wall, "thickness", bound=1).status == "pass"


def test_thickness_must_hold_everywhere():
    wall = [*box(0, 0, 0, 9, 5, 1), (4, 2, 1, "stone")]
    verdict = judge(wall, "thickness", bound=1)
    assert (verdict.status, verdict.measured) == ("fail", [1, 2])
    assert verdict.message.endswith("is from 1 to 2; exactly 1 is asked for: 1 too thick at (4, 2, 0).")
    assert verdict.cells.tolist() == [[4, 2, 0], [4, 2, 1]]
    assert judge(wall, "thickness", bound={"at_least": 1, "at_most": 2}).status == "pass"


def test_a_gap_parts_a_wall_in_two_leaves():
    verdict = judge(box(0, 0, 0, 9, 5, 1) + box(0, 0, 2, 9, 5, 2), "thickness", bound={"at_most": 1})
    assert verdict.measured == [1, 2]
    assert len(verdict.cells) == 90
