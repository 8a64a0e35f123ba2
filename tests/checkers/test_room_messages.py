"""What the rules about rooms and ways say to somebody who has to mend the house."""

import pytest
from plans import cleared, edited, filled, plan, verdict

HOUSE = plan(
    """
    -1          0           1           2           3
    =========== ########### ########### ########### ===========
    =========== #Bb..#....# #....#....# #....#....# ===========
    =========== #....E....# #....e....# #....#....# ===========
    =========== #....#....# g....#....# #....#....# ===========
    =========== #....#....# #....#....# #....#....# ===========
    =========== ##D######## ##d######## ########### ===========
    """
)
SEALED = filled(HOUSE, "#", [5], [0, 1], [2])
BLOCKED = filled(HOUSE, "S", [6], [0, 1], [2])
"""Shelves right behind the inner door."""
ROOMS = "The build has 2 rooms: room 1 (16 cells) and room 2 (16 cells) on storey 1"
ONE_ROOM = "The build has 1 room: room 1 (16 cells) on storey 1; exactly 2 are asked for; "

UPSTAIRS = plan(
    """
    -1       0        1        2        3        4-5      6
    ======== ######## ######## ######## ======== ######## ########
    ======== #......# #......# #......# ======== #......# ########
    ======== #......# #......# #......# ======== #......# ########
    ======== #......# #......# #......# ======== #......# ########
    ======== ###D#### ###d#### ######## ======== ######## ########
    """
)


@pytest.mark.parametrize(
    ("build", "bound", "said"),
    [
        (HOUSE, 2, f"{ROOMS}."),
        (HOUSE, 1, f"{ROOMS}; exactly 1 is asked for."),
        (SEALED, 2, f"{ONE_ROOM}room 2 on storey 1 has no door: its 16 cells touch no doorway."),
        (BLOCKED, 2, f"{ONE_ROOM}nobody gets into room 2 on storey 1 through the door at (5, 0, 2)."),
        (
            filled(HOUSE, "#", [2], [0, 1], [5]),
            2,
            "The build has 0 rooms; exactly 2 are asked for; nobody gets from outside into rooms 1 and 2.",
        ),
        (
            filled(HOUSE, "S", [2], [0, 1], [6]),
            2,
            "The build has 0 rooms; exactly 2 are asked for; nobody gets from outside into rooms 1 and 2.",
        ),
        (
            UPSTAIRS,
            2,
            "The build has 1 room: room 1 (18 cells) on storey 1; exactly 2 are asked for; "
            "room 2 on storey 2 has no door: its 18 cells touch no doorway, and no stairs or ladder lead there.",
        ),
        (
            plan("0\n####\n"),
            1,
            "The build has 0 rooms; exactly 1 is asked for; no space is closed by walls and a ceiling.",
        ),
    ],
)
def test_rooms(build, bound, said):
    assert verdict(build, "rooms", bound=bound).message == said


def test_rooms_that_do_not_count():
    found = verdict(HOUSE, "rooms", bound=2, holding="#beds")
    assert found.message == (
        "The build has 1 room with #beds: room 1 (16 cells) on storey 1; exactly 2 are asked for; "
        "room 2 on storey 1 holds no #beds."
    )
    assert set(map(tuple, found.cells.tolist())) == {(x, 0, z) for x in range(6, 10) for z in range(1, 5)}
    assert verdict(HOUSE, "rooms", bound=2, min_floor=20).message == (
        "The build has 0 rooms; exactly 2 are asked for; room 1 on storey 1 has only 16 cells of floor."
    )


@pytest.mark.parametrize(
    ("build", "args", "said"),
    [
        (HOUSE, {}, "The build has 2 doorways with a door."),
        (
            BLOCKED,
            {"at_least": 2},
            "The build has 1 doorway with a door; at least 2 are asked for; "
            "nobody gets through the door at (5, 0, 2) into a room.",
        ),
        (
            HOUSE,
            {"width": 2},
            "The build has 2 doorways with a door; the doorway at (2, 0, 5) on the south side of room 1 on storey 1 is "
            "1 cell wide, at least 2 are asked for.",
        ),
        (
            cleared(HOUSE, [5], [0, 1], [2]),
            {"at_least": 2},
            "The build has 1 doorway with a door; at least 2 are asked for; "
            "the doorway at (5, 0, 2) between room 1 and room 2 on storey 1 has none.",
        ),
        (
            edited(HOUSE, (5, 1, 2, "#")),
            {"at_least": 2},
            "The build has 1 doorway with a door; at least 2 are asked for; half a door at (5, 0, 2) is none.",
        ),
        (
            edited(HOUSE, (5, 1, 2, "#"), (2, 1, 5, "#")),
            {},
            "The build has 0 doorways with a door; at least 1 is asked for; "
            "halves of doors at (2, 0, 5) and 1 more are none.",
        ),
    ],
)
def test_doors(build, args, said):
    assert verdict(build, "doors", **args).message == said


def test_exits():
    assert verdict(HOUSE, "exits", at_least=1).message == "The build has 1 exit."
    assert verdict(HOUSE, "exits", at_least=2).message == "The build has 1 exit; at least 2 are asked for."
    unlit = verdict(HOUSE, "exits", at_least=1, touching="sea_lantern")
    assert unlit.message == (
        "The build has 0 exits that touch sea_lantern; "
        "the exit at (2, 0, 5) on the south side of room 1 on storey 1 does not."
    )
    blocked = verdict(filled(HOUSE, "S", [2], [0, 1], [6]), "exits", at_least=1)
    assert blocked.message == (
        "The build has 0 exits; at least 1 is asked for; nobody gets outdoors through the door at (2, 0, 5)."
    )
    assert blocked.cells.tolist() == [[2, 0, 5], [2, 1, 5]]


def test_storeys():
    assert verdict(HOUSE, "storeys", bound=1).message == "The build has 1 storey with a floor at height 0."
    assert verdict(UPSTAIRS, "storeys", bound=2).message == (
        "The build has 1 storey with a floor at height 0; exactly 2 are asked for; nobody gets into room 2 on storey 2."
    )
    assert verdict(HOUSE, "storeys", bound=1, rooms=3).message == (
        "The build has 1 storey with a floor at height 0; storey 1 has 2 rooms, at least 3 are asked for."
    )


def test_ways():
    assert verdict(HOUSE, "reachable", goal="#beds").message == (
        "People get from the open ground to the red_bed at (1, 0, 1): 1 of 1 place."
    )
    shut = filled(HOUSE, "#", [2], [0, 1], [5])
    assert verdict(shut, "reachable", goal="#beds").message == (
        "Nobody gets from the open ground to the red_bed at (1, 0, 1) in room 1 on storey 1."
    )
    assert verdict(HOUSE, "reachable", start="#beds", goal="outside", step_free=True, ramps=True, width=2).message == (
        "Nobody gets from the red_bed at (1, 0, 1) in room 1 on storey 1 to the open ground "
        "over flush floors and slopes of half blocks on a way 2 cells wide."
    )
    assert verdict(HOUSE, "reachable", goal="rooms").message == (
        "People get from the open ground to each place: 2 of 2 places."
    )
    assert verdict(HOUSE, "reachable", goal="storey(3)").message == "The build has no storey 3 to get to or from."


def test_heights():
    low = filled(HOUSE, "#", range(6, 10), [2], range(1, 5))
    said = "The rooms have 2 heights: 2 in room 2 and 3 in room 1."
    assert verdict(low, "ceiling_heights", at_least=2).message == said
    assert verdict(HOUSE, "ceiling_heights", at_least=2).message == (
        "The rooms have 1 height: 3 in rooms 1 and 2; at least 2 are asked for."
    )
    assert verdict(plan("0\n####\n"), "ceiling_heights", at_least=2).message == (
        "The build has no room to measure; at least 2 are asked for."
    )
