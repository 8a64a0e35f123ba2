"""Arches and profiles: surfaces that rise and fall, and near twins of them."""

import pytest
from bridges import ARCH, BEAM, side
from plans import edited, verdict

from minece.blocks import Build

BRIDGE = side(ARCH)

STAIRS = {"'": "oak_stairs[facing=west,half=top]", ",": "oak_stairs[facing=east,half=top]"}
"""Upside down: whole toward the west, or toward the east."""


def arch(build, **args):
    return verdict(build, "arch", **args)


def test_an_arch_rises_to_one_crown_and_falls():
    found = arch(BRIDGE, width=3, river=10)
    assert (found.status, found.measured) == ("pass", {"rise": 2, "strips": 3, "wrong": 0})
    assert "crown at height 3" in found.message
    assert arch(BRIDGE, rise=2).status == "pass"
    assert arch(BRIDGE, rise=2.5).status == "fail"
    assert arch(BRIDGE, width=4).status == "fail"


def test_a_beam_is_no_arch():
    found = arch(side(BEAM))
    assert (found.status, found.measured) == ("fail", {"rise": 0, "strips": 0, "wrong": 0})
    assert "is level" in found.message


@pytest.mark.parametrize(
    ("crown", "status"), [(3, "pass"), ({"at_least": 4}, "fail"), ({"at_least": 3, "at_most": 4}, "pass"), (2, "fail")]
)
def test_the_height_of_the_crown(crown, status):
    assert arch(BRIDGE, crown=crown).status == status


@pytest.mark.parametrize(
    "text",
    [
        """
##########
###....###
#........#
""",
        """
.######.
###..###
##....##
#......#
#......#
""",
        """
.......##.......
.....######.....
...####..####...
.####......####.
.##..........##.
.#............#.
""",
        """
...#####...
.####.####.
.##.....##.
.#.......#.
""",
        """
########
##-..-##
#......#
""",
        """
############
###'....,###
#..........#
""",
    ],
    ids=["half of the gap", "springing above the water", "round", "pointed", "half blocks", "stairs upside down"],
)
def test_forms_that_are_arches(text):
    assert arch(side(text, 2, **STAIRS), rise=0.5, width=2).status == "pass"


def test_stairs_the_wrong_way_round_make_a_saw():
    saw = """
############
###,....'###
#..........#
"""
    found = arch(side(saw, 2, **STAIRS))
    assert (found.status, found.measured["wrong"]) == ("fail", 2)
    assert "falls and rises again" in found.message


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            """
########
#.####.#
#......#
""",
            "falls and rises again",
        ),
        (
            """
#########
#.##.##.#
#.......#
""",
            "falls and rises again",
        ),
        (
            """
########
#.....##
#......#
""",
            "more than half",
        ),
        (
            """
##########
##......##
#........#
""",
            "more than half",
        ),
        (
            """
...##...
.##..##.
#......#
""",
            "share a face",
        ),
        (
            """
..####..
.#....#.
.#....#.
#......#
""",
            "share a face",
        ),
    ],
)
def test_forms_that_are_none(text, said):
    found = arch(side(text, 2))
    assert found.status == "fail"
    assert said in found.message
    assert found.measured["wrong"] == found.measured["strips"] == 2


def test_two_cells_of_unequal_height_are_no_arch():
    assert arch(Build.from_blocks([(0, 0, 0, "stone"), (0, 1, 1, "stone")])).status == "fail"
    assert (
        arch(
            side("""
.#
#.
""")
        ).status
        == "fail"
    )


@pytest.mark.parametrize("place", [(10, 2, 0), (10, 2, 1), (9, 1, 2)])
def test_every_strip_counts(place):
    found = arch(edited(BRIDGE, (*place, "#")))
    assert (found.status, found.measured["wrong"]) == ("fail", 1)
    assert found.cells.tolist()


def test_what_is_no_part_of_the_ring():
    eaves = edited(BRIDGE, *((x, 4, z, "_") for x in range(6, 16) for z in (-1, 3)))
    assert arch(eaves, width=3).measured == {"rise": 2, "strips": 3, "wrong": 0}
    lamp = edited(BRIDGE, (10, 2, 1, "l"))
    assert arch(lamp, width=3).status == "pass", "a lantern carries nothing"
    pilaster = edited(BRIDGE, *((6, y, -1, "#") for y in (2, 3, 4)))
    assert arch(pilaster, width=3).status == "pass"


def test_a_ring_may_consist_of_ribs_but_not_of_halves():
    inner = [(x, y, 1) for x in range(6, 16) for y in range(4)]
    ribs = edited(BRIDGE, *((*cell, ".") for cell in inner))
    assert arch(ribs, width=2).measured == {"rise": 2, "strips": 2, "wrong": 0}
    broken = edited(BRIDGE, *((10, y, 1, ".") for y in range(5)))
    found = arch(broken, width=2)
    assert (found.status, found.measured["wrong"]) == ("fail", 1)
    assert arch(edited(BRIDGE, *((10, y, 2, ".") for y in range(5)))).status == "fail"
    assert arch(edited(BRIDGE, *((x, y, 2, ".") for x in range(8, 15) for y in range(5)))).measured["strips"] == 2


def test_what_hovers_far_above_changes_nothing():
    x, _, z = BRIDGE.blocks.cells[len(BRIDGE.blocks) // 2].tolist()
    high = Build.from_blocks([*BRIDGE.blocks.rows(), (x, 400_000_000, z, "stone")])
    assert arch(high).message == arch(BRIDGE).message


def test_the_share_of_the_width_that_is_an_arch():
    eaves = edited(BRIDGE, *((x, 4, z, "#") for x in range(6, 16) for z in (-2, -1, 3, 4)))
    assert arch(eaves, share=0.4).status == "pass"
    found = arch(eaves, share=0.5)
    assert (found.status, found.measured["strips"]) == ("fail", 3)
    assert "over 0.43 of the bridge's width" in found.message
    assert arch(BRIDGE, share=1).status == "pass"


def test_without_its_crown_or_an_abutment_nothing_is_an_arch():
    cut = edited(BRIDGE, *((x, y, z, ".") for x in (10, 11) for y in range(5) for z in range(3)))
    assert arch(cut).status == "fail"
    free = edited(BRIDGE, *((x, y, z, ".") for x in range(16, 22) for y in range(5) for z in range(3)))
    assert arch(free).status == "fail"


def test_the_gap_that_is_meant():
    """A culvert in the bank beside a beam over the river."""
    text = """
..>######################<..
.>#####.######..........###<
>#####...#####..........####
"""
    build = side(text, 2)
    assert arch(build).status == "pass"
    assert arch(build, river=10).status == "fail"


@pytest.mark.parametrize("river", [10])
def test_top_asks_that_the_way_rises_too(river):
    assert arch(BRIDGE, top=True).status == "fail"
    hump = side("""
.........####.........
.......########.......
.....####....####.....
....###........###....
...###..........###...
..####..........####..
.#####..........#####.
""")
    assert arch(hump, river=river).status == "pass"
    assert arch(hump, river=river, top=True).status == "pass"


# profile


@pytest.mark.parametrize(
    ("text", "flat", "hump", "strict"),
    [
        ("####", True, False, False),
        (
            """
.#.
###
""",
            True,
            True,
            True,
        ),
        (
            """
.##.
####
""",
            True,
            True,
            True,
        ),
        (
            """
..###..
.#####.
#######
""",
            True,
            True,
            False,
        ),
        (
            """
#.#
###
""",
            False,
            False,
            False,
        ),
        (
            """
.#
##
""",
            True,
            False,
            False,
        ),
        (
            """
._.
###
""",
            True,
            True,
            True,
        ),
        ("#.#", False, False, False),
    ],
)
def test_profiles_of_tops(text, flat, hump, strict):
    build = side(text)
    for form, status in (("flat allowed", flat), ("non-flat", hump), ("strict", strict)):
        assert (verdict(build, "profile", form=form, axis="x").status == "pass") is status, form


def test_profiles_of_undersides():
    found = verdict(BRIDGE, "profile", surface="bottom", axis="x")
    assert (found.status, found.measured) == ("pass", 0)
    keel = verdict(edited(BRIDGE, (10, 2, 1, "#")), "profile", surface="bottom", axis="x")
    assert (keel.status, keel.measured) == ("fail", 1)
    assert "falls and rises again" in keel.message
    assert set(keel.cells[:, 2].tolist()) == {1}
    assert verdict(BRIDGE, "profile", surface="bottom", axis="z").status == "fail"


def test_the_longer_side_is_looked_along():
    assert verdict(BRIDGE, "profile", surface="bottom").status == "pass"
    assert verdict(BRIDGE.turned(1), "profile", surface="bottom").status == "pass"


def test_fluids_and_attachments_have_no_profile():
    build = Build.from_blocks([(0, 0, 0, "water"), (1, 0, 0, "torch")])
    assert verdict(build, "profile").measured is None


# gap, as abutments need it


@pytest.mark.parametrize(
    ("edits", "fault"),
    [
        ([], None),
        ([(0, 0, 0, ".")], (1, 0, 0)),
        ([(9, 0, 2, "#")], (7, 0, 0)),
        ([(20, 0, 9, "#")], (0, 0, 0)),
        ([(3, 2, 1, "#"), (0, -1, 1, "#"), (4, 0, 4, "l")], None),
    ],
    ids=["right", "a cell less", "a cell more", "a third group", "what stands elsewhere"],
)
def test_both_groups_of_a_gap_are_full_rectangles(edits, fault):
    build = edited(side("##.....##", 3), *edits)
    found = verdict(build, "gap", at_least=5, region="layer(0)", each=[2, 3])
    assert found.status == ("pass" if fault is None else "fail")
    if fault is not None:
        assert fault in set(map(tuple, found.cells.tolist()))
    assert verdict(build.turned(1), "gap", at_least=5, region="layer(0)", each=[3, 2]).status == found.status
    assert verdict(build, "gap", at_least=5, region="layer(0)", each=[2, 2]).status == "fail"
