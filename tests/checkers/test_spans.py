"""What bridges span, what passes below them and who gets over them: bridges and near twins of them."""

import time

import pytest
from bridges import ARCH, BEAM, joined, side
from hypothesis import given, settings
from hypothesis import strategies as st
from plans import edited, verdict

from minece.blocks import Build
from minece.checkers import bind, evaluate

BRIDGE = side(BEAM)


def span(build, at_least=10, **args):
    return verdict(build, "clear_span", at_least=at_least, **args)


def sails(build, boat, **args):
    return verdict(build, "clearance", boat=boat, **args).measured


def crossed(build, width=1, *, from_ground=True, **args):
    return verdict(build, "deck", width=width, from_ground=from_ground, **args)


# clear_span


def test_a_free_river_between_two_supports():
    found = span(BRIDGE, boat=3)
    assert (found.status, found.measured, found.required) == ("pass", 10, 10)
    assert span(BRIDGE, 11).measured == 10


def test_a_deck_far_above_its_supports_takes_no_longer():
    banks = [(x, 0, z, "stone") for x in (0, 11) for z in range(3)]
    build = Build.from_blocks([*banks, *((x, 400_000_000, z, "stone") for x in range(12) for z in range(3))])
    assert (span(build).status, span(build).measured) == ("pass", 10)


@pytest.mark.parametrize("sign", ["#", "f", "_", "S", "w", "l"])
def test_whatever_stands_in_the_water_parts_the_gap(sign):
    found = span(edited(BRIDGE, (10, 0, 1, sign)))
    assert (found.status, found.measured) == ("fail", 5)
    assert found.cells.tolist() == [[10, 0, 1]]


def test_water_is_free():
    flooded = joined(BRIDGE, Build.from_blocks((x, 0, z, "water") for x in range(6, 16) for z in range(-9, 12)))
    assert span(flooded, boat=3).measured == 10


@pytest.mark.parametrize(("z", "boat", "measured"), [(-3, 3, 5), (-4, 3, 10), (5, 3, 5), (6, 3, 10), (-1, 0, 10)])
def test_boulders_count_a_boats_length_beside_the_deck(z, boat, measured):
    assert span(edited(BRIDGE, (10, 0, z, "#")), boat=boat).measured == measured


def test_a_support_that_is_wider_at_one_edge_narrows_the_gap():
    found = span(edited(BRIDGE, (6, 0, 2, "#")))
    assert (found.measured, found.status) == (9, "fail")
    assert [6, 0, 2] in found.cells.tolist()


def test_railings_and_lamps_that_stand_out_make_the_deck_wider():
    wide = edited(BRIDGE, (8, 3, 3, "#"), (8, 3, 4, "#"))
    assert span(edited(wide, (10, 0, 4, "#"))).measured == 7, "beside the narrow part alone"
    assert span(edited(BRIDGE, (10, 0, 4, "#"))).measured == 10


@pytest.mark.parametrize("place", [(6, 2, 1), (6, 1, 0), (15, 2, 2)])
def test_under_a_beam_no_bracket_may_stand_out(place):
    bracket = edited(BRIDGE, (*place, "#"))
    assert span(bracket, boat=3).measured == 9
    assert f"at height {place[1]}" in span(bracket).message
    assert list(place) in span(bracket).cells.tolist()
    assert span(bracket, levels="water").measured == 10


def test_a_shoulder_beside_the_deck_is_a_bracket_too():
    shoulder = edited(BRIDGE, (6, 2, 3, "#"), (5, 2, 3, "#"), (5, 1, 3, "#"), (5, 0, 3, "#"))
    assert (span(shoulder).measured, span(shoulder, levels="water").measured) == (9, 10)


def test_what_hangs_from_the_deck_narrows_nothing():
    assert span(edited(BRIDGE, (10, 2, 1, "#"), (11, 2, 1, "l"), (10, 1, 1, "#"))).measured == 10


def test_arches_are_free_at_water_level_alone():
    arch = side(ARCH)
    assert span(arch, levels="water").status == "pass"
    assert span(arch).measured == 4


@pytest.mark.parametrize(
    "deck",
    [
        """
.....>__________<.....
....>#..........#<....
...>##..........##<...
..>###..........###<..
.>####..........####<.
""",
        """
........>####<........
......>########<......
....>####....####<....
...>##..........##<...
..>###..........###<..
.>####..........####<.
""",
        """
.....>##########<.....
....>############<....
...>##..........##<...
..>###..........###<..
.>####..........####<.
""",
    ],
    ids=["slabs", "humped", "two thick"],
)
def test_decks_of_slabs_humps_and_thick_decks_narrow_nothing(deck):
    build = side(deck)
    assert span(build, boat=3).status == crossed(build, 2).status == "pass"


def test_the_widest_gap_counts_and_others_do_no_harm():
    viaduct = side("""
....>##########################<....
...>#..#..#..........#..#..#...#<...
..>##..#..#..........#..#..#...##<..
.>###..#..#..........#..#..#...###<.
""")
    assert span(viaduct, boat=3).measured == 10
    assert crossed(viaduct, 3, river=10).status == "pass"
    assert sails(viaduct, 3, river=10) == 3


def test_supports_are_needed_on_both_sides():
    cantilever = side("""
....>###########
...>##..........
..>###..........
.>####..........
""")
    found = span(cantilever)
    assert (found.status, found.measured) == ("fail", 0)
    assert len(found.cells)
    assert crossed(cantilever).status == "fail"
    assert sails(cantilever, 3) == 0


def test_a_wide_bridge_is_not_crossed_sideways():
    wide = side(BEAM, 40)
    found = span(wide, 11)
    assert found.measured == 10
    assert sails(wide, 3) == 3


def test_two_heaps_bridge_nothing():
    heaps = edited(BRIDGE, *((x, 3, z, ".") for x in range(6, 16) for z in range(3)))
    found = span(heaps)
    assert found.measured == 0
    assert set(found.cells[:, 0].tolist()) == {5, 16}


def test_a_deck_that_touches_no_support_bridges_nothing():
    apart = edited(BRIDGE, *((x, 3, z, ".") for x in (6, 15) for z in range(3)))
    assert span(apart).measured == 0


# clearance


@pytest.mark.parametrize(("boat", "measured"), [(3, 3), (4, 3), (2, 2)])
def test_the_deck_limits_the_height(boat, measured):
    assert sails(BRIDGE, boat) == measured


def test_a_slab_in_the_upper_half_of_its_cell_is_in_the_way_all_the_same():
    low = edited(BRIDGE, *((x, 2, 1, "-") for x in range(6, 16)))
    assert sails(low, 3) == 2


def test_the_boat_finds_its_way_beside_what_hangs():
    assert sails(edited(BRIDGE, (9, 2, 1, "#"), (13, 2, 0, "#")), 3) == 3
    found = verdict(edited(BRIDGE, (8, 2, 1, "#"), (11, 2, 0, "l"), (13, 2, 1, "#")), "clearance", boat=3)
    assert (found.status, found.measured) == ("fail", 2)
    assert found.cells.tolist() in ([[8, 2, 1]], [[11, 2, 0]], [[13, 2, 1]])


def test_the_boat_keeps_to_its_line():
    """A chicane: on each line something is in the way."""
    chicane = edited(BRIDGE, *((x, 1, 0, "#") for x in range(6, 11)), *((x, 1, 2, "#") for x in range(11, 16)))
    assert sails(chicane, 3) == 1


def test_the_way_goes_past_the_whole_bridge_and_beyond():
    chain = Build.from_blocks((x, 1, 20, "chain") for x in range(6, 16))
    assert sails(joined(BRIDGE, chain), 3) == 3
    quay = Build.from_blocks((5, 0, z, "stone") for z in range(3, 18))
    assert sails(joined(BRIDGE, chain, quay), 3) == 1


def test_no_boat_is_wider_than_the_gap():
    assert (
        sails(
            side("""
.>####<.
>##..##<
"""),
            3,
        )
        == 1
    )


# deck


def test_people_get_over_the_whole_width():
    found = crossed(BRIDGE, 3)
    assert (found.status, found.measured) == ("pass", 3)
    assert crossed(BRIDGE, 4).measured == 3


@pytest.mark.parametrize(
    ("holes", "measured"), [([(10, 3, 1)], 1), ([(10, 3, 0)], 2), ([(10, 3, 0), (12, 3, 2)], 1), ([(1, 0, 0)], 2)]
)
def test_holes_make_the_way_narrower(holes, measured):
    assert crossed(edited(BRIDGE, *((*hole, ".") for hole in holes)), 3).measured == measured


@pytest.mark.parametrize("sign", ["f", "#", "m", "p"])
def test_railings_take_their_place(sign):
    rail = [(x, y, z, sign) for x in range(4, 18) for y in (4, 5) for z in (0, 2)]
    assert crossed(edited(BRIDGE, *rail), 2).measured == 1


def test_steps_of_one_block_are_jumped_and_of_two_are_not():
    hump = [(x, 4, z, "#") for x in range(9, 12) for z in range(3)]
    assert crossed(edited(BRIDGE, *hump), 3).status == "pass"
    high = hump + [(x, 5, z, "#") for x in range(9, 12) for z in range(3)]
    assert crossed(edited(BRIDGE, *high)).measured == 0


def test_who_can_only_fall_does_not_get_back():
    raised = [(x, 4, z, "#") for x in range(2, 13) for z in range(3)]
    ramp = side("""
...>#......
..>##......
.>###......
>####......
""")
    drop = joined(edited(BRIDGE, *raised, *((x, 5, z, "#") for x in range(4, 13) for z in range(3))), ramp)
    found = crossed(drop)
    assert (found.status, found.measured) == ("fail", 0)


def test_no_leap_over_a_gap():
    gap = edited(BRIDGE, *((10, 3, z, ".") for z in range(3)))
    assert crossed(gap).status == "fail"
    edge = edited(gap, *((10, 4, z, "#") for z in range(3)))
    assert crossed(edge).status == "pass", "by edges only: for grounded to say"


def test_head_room_is_needed():
    roof = [(x, 5, z, "=") for x in range(8, 12) for z in range(3)]
    assert crossed(edited(BRIDGE, *roof)).measured == 0
    assert crossed(edited(BRIDGE, *((x, 6, z, "=") for x, _, z, _ in roof)), 3).status == "pass"


def test_ladders_are_no_way_onto_a_bridge():
    cut = edited(BRIDGE, *((x, y, z, ".") for x in range(5) for y in range(4) for z in range(3)))
    ladder = edited(
        cut, *((4, y, 1, "ladder[facing=west]") for y in range(4)), **{"ladder[facing=west]": "ladder[facing=west]"}
    )
    assert verdict(ladder, "reachable", goal="height(4)").status == "pass"
    assert crossed(ladder).status == "fail"
    assert crossed(ladder, 2, from_ground=False).status == "pass"


def test_from_ground_is_asked_only_where_the_text_says_so():
    high = edited(BRIDGE, *((x, y, z, ".") for x in (*range(5), *range(17, 22)) for y in range(4) for z in range(3)))
    assert crossed(high).status == "fail"
    assert crossed(high, 3, from_ground=False).status == "pass"


def test_nobody_walks_through_the_river_or_over_a_dam_beside_the_bridge():
    broken = edited(
        BRIDGE,
        *((x, 4, z, "#") for x in (9, 10) for z in range(3)),
        *((x, 5, z, "#") for x in (9, 10) for z in range(3)),
    )
    dam = Build.from_blocks((x, 0, z, "stone") for x in range(0, 22) for z in range(30, 33))
    assert crossed(broken).status == crossed(joined(broken, dam)).status == "fail"


def test_stairs_may_lie_at_the_side():
    short = edited(BRIDGE, *((x, y, z, ".") for x in range(4) for y in range(4) for z in range(3)))
    assert crossed(short).measured == 0
    beside = [(x, y, 3 + k, "^" if y == 3 - k else "#") for k in range(4) for x in (4, 5) for y in range(4 - k)]
    assert crossed(edited(short, *beside), 2).status == "pass"


def test_the_message_says_how_far_people_get():
    high = edited(BRIDGE, *((x, y, z, "#") for x in (9, 10) for y in (4, 5) for z in range(3)))
    assert "people get from the west to (8, 4, 0) and from the east to (11, 4, 0)" in crossed(high).message
    assert crossed(high).cells.tolist() == [[x, 4, z] for x in (8, 11) for z in range(3)]
    cut = edited(BRIDGE, *((x, y, z, ".") for x in range(17, 22) for y in range(4) for z in range(3)))
    assert "from the east nobody gets onto the bridge" in crossed(cut).message


# all of them

RULES = [
    bind("clear_span", {"at_least": 6, "boat": 2}),
    bind("clear_span", {"at_least": 4, "boat": 1, "levels": "water"}),
    bind("clearance", {"boat": 3}),
    bind("clearance", {"boat": 2, "river": 4}),
    bind("deck", {"width": 2}),
    bind("deck", {"width": 1, "from_ground": True, "river": 4}),
    bind("arch", {"width": 2}),
    bind("arch", {"river": 4, "rise": 0.5, "top": True}),
    bind("profile", {}),
    bind("profile", {"surface": "bottom", "form": "flat allowed"}),
    bind("gap", {"at_least": 2, "region": "layer(0)", "each": [4, 3]}),
]


@st.composite
def spans(draw):
    """Bridges of many forms, some of them with single blocks more, less or other."""
    build = side(draw(st.sampled_from([BEAM, ARCH])), draw(st.integers(1, 4)))
    spots = st.tuples(st.integers(-1, 22), st.integers(0, 6), st.integers(-3, 6), st.sampled_from("..##_-<>fl~"))
    return edited(build, *draw(st.lists(spots, max_size=6)))


def answers(build):
    return [(v.status, v.measured) for v in evaluate(build, RULES)]


@settings(deadline=None, max_examples=60)
@given(spans(), st.integers(1, 3), st.sampled_from("xz"), st.integers(-999, 999), st.integers(-999, 999))
def test_bridges_may_run_along_any_axis_and_lie_anywhere(build, quarters, axis, dx, dz):
    before = answers(build)
    assert answers(build.turned(quarters)) == before
    assert answers(build.mirrored(axis)) == before
    assert answers(build.translated(dx, dz)) == before
    assert answers(build.turned(quarters).mirrored(axis).translated(dx, dz)) == before


def test_bridges_are_judged_quickly():
    build = side(BEAM, 8)
    evaluate(build, RULES)
    times = []
    for _ in range(5):
        start = time.perf_counter()
        evaluate(build, RULES)
        times.append(time.perf_counter() - start)
    assert min(times) / len(RULES) < 0.001 * len(build.blocks) / 100 * 2


def test_absurd_widths_take_no_longer():
    assert sails(BRIDGE, 10**14) == sails(BRIDGE, 99)
    assert crossed(BRIDGE, 10**14).measured == crossed(BRIDGE, 99).measured > 0
