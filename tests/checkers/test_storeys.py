"""Storeys, how people get to them and out, and the heights of rooms: houses and near twins of them."""

import time

import numpy as np
import pytest
from plans import HUT, TWO, cleared, edited, filled, passes, plan, rooms, verdict

from minece.blocks import BlockSet, Build
from minece.checkers import CheckerError, bind
from minece.checkers.scene import Scene

HOUSE = plan("""
0          1          2          3          4          5          6          7
#########  #########  #########  =========  #########  #########  #########  =========
#.>=....#  #..>=...#  #...>=..#  ==...>===  #.......#  #.......#  #.......#  =========
#.......#  #.......#  #.......#  =========  #.......#  #.......#  #.......#  =========
#.......#  #.......#  #.......#  =========  #.......#  #.......#  #.......#  =========
#.......#  #.......#  #.......#  =========  #.......#  #.......#  #.......#  =========
####D####  ####d####  #########  =========  #########  ####g####  #########  =========
""")
"""Two storeys, a flight of stairs along the north wall."""

LADDER = plan("""
0-1      2        3        4-6      7
#######  #######  =======  #######  =======
#L....#  #L....#  =L=====  #.....#  =======
#.....#  #.....#  =======  #.....#  =======
#.....#  #.....#  =======  #.....#  =======
###.###  #######  =======  #######  =======
""")


def storeys(build, **args):
    found = verdict(build, "storeys", bound={"at_least": 0}, **args)
    assert isinstance(found.measured, int)
    return found.measured


def gets(build, goal, **how):
    return passes(build, "reachable", goal=goal, **how)


# Stairs and ladders


def test_a_flight_of_stairs_joins_storeys_and_not_rooms():
    assert (storeys(HOUSE), rooms(HOUSE)) == (2, 2)
    assert gets(HOUSE, "storeys") and gets(HOUSE, "height(4)") and gets(HOUSE, "rooms")
    assert passes(HOUSE, "storeys", bound=2, rooms=1)
    missing = edited(HOUSE, (4, 2, 1, "."), (5, 2, 1, "."))
    assert (storeys(missing), rooms(missing)) == (1, 1)
    assert not gets(missing, "height(4)")
    assert verdict(missing, "storeys", bound=2).measured == 1


def test_a_flight_under_a_closed_slab_leads_nowhere():
    closed = filled(HOUSE, "=", [2, 3, 4, 5], [3], [1])
    assert (storeys(closed), rooms(closed)) == (1, 1)
    low = filled(HOUSE, "=", [2, 3], [3], [1])
    assert storeys(low) == 1, "no head room over the second tread"


def test_stairs_the_wrong_way_round_are_blocks_to_jump():
    wrong = edited(HOUSE, (2, 0, 1, "<"), (3, 1, 1, "<"), (4, 2, 1, "<"), (5, 3, 1, "<"))
    assert not gets(wrong, "height(4)", jump=False)
    assert gets(HOUSE, "storeys", jump=False)
    assert not gets(HOUSE, "storeys", step_free=True)
    assert gets(HOUSE, "height(4)", step_free=True, ramps=True)


def test_one_jumps_up_a_flight_of_stairs_the_wrong_way_round():
    wrong = edited(HOUSE, (2, 0, 1, "<"), (3, 1, 1, "<"), (4, 2, 1, "<"), (5, 3, 1, "<"))
    assert gets(wrong, "height(4)")


def test_ladders():
    assert (storeys(LADDER), rooms(LADDER)) == (2, 2)
    hatch = edited(LADDER, (1, 3, 1, "h"))
    assert (storeys(hatch), rooms(hatch)) == (2, 2)
    short = cleared(LADDER, [1], [0, 1], [1])
    assert (storeys(short), rooms(short)) == (1, 1)
    covered = edited(LADDER, (1, 3, 1, "="))
    assert (storeys(covered), rooms(covered)) == (1, 1)
    assert not gets(LADDER, "storeys", step_free=True, ramps=True)


def test_a_spiral_stair_in_a_shaft():
    tower = plan("""
    0           1           2           3           4-5         6           7
    ##########  ##########  ##########  ##########  ##########  ##########  ==========
    #......>=#  #........#  #....#...#  =======..#  #........#  #....#...#  ==========
    #....#.#.#  #....#.#v#  #....#.#.#  ======^#.#  #....#.#.#  #....#.#.#  ==========
    #....#...#  #....#..=#  #....#=<.#  ======...#  #....#...#  #....#...#  ==========
    ##D#######  ##d#######  ##########  ##########  ##########  ##########  ==========
    """)
    assert (storeys(tower), rooms(tower)) == (2, 2), "the shaft itself is circulation"
    assert gets(tower, "rooms", jump=False)
    missing = edited(tower, (8, 1, 2, "."))
    assert storeys(missing) == 1 and not gets(missing, "height(4)")
    sealed = filled(tower, "#", [5], [0, 1], [1])
    assert (storeys(sealed), rooms(sealed)) == (1, 1)


def test_ten_storeys_of_ladders():
    from minece.blocks import Build

    low = [block for block in LADDER.blocks.rows() if block[1] < 4]
    upper = [(x, y, z, "stone" if (x, z) == (3, 4) else state) for x, y, z, state in low]
    blocks = {(x, y + 4 * k, z): state for k in range(10) for x, y, z, state in (upper if k else low)}
    walls = {(3, y + 4 * k, 4): "stone" for k in range(1, 10) for y in (0, 1)}
    blocks[1, 39, 1] = "stone"
    tower = Build.from_blocks([(*cell, state) for cell, state in (blocks | walls).items()])
    assert (storeys(tower), rooms(tower)) == (10, 10)
    assert passes(tower, "reachable", goal="storeys") and gets(tower, "height(36)")
    gap = cleared(tower, [1], [17, 18], [1])
    assert (storeys(gap), rooms(gap)) == (5, 5)
    assert not gets(gap, "height(36)")


# What is a storey


def test_a_level_needs_floor_and_cover():
    assert storeys(HUT) == 1
    assert storeys(HUT, min_area=18) == 0
    assert storeys(cleared(HUT, range(1, 6), [3], [1, 2, 3])) == 0, "no roof"
    assert (storeys(HOUSE, min_area=26), storeys(HOUSE, min_area=24)) == (1, 2), "the hole takes floor away"


def test_levels_lie_one_above_another():
    side = plan("""
    0            1            2            3            4            5            6
    ===========  ....======.  ...........  ...........  ...........  ...........  ...........
    """)
    assert storeys(side) == 0
    frame = plan("""
    0-3      4        5-7      8
    #.....#  =======  #.....#  =======
    .......  =======  .......  =======
    .......  =======  .......  =======
    .......  =======  .......  =======
    #.....#  =======  #.....#  =======
    """)
    assert storeys(frame) == 1, "nobody gets up"
    stair = edited(
        frame, *((x, y, 5, "#") for x in range(1, 5) for y in range(x - 1)), *((x, x - 1, 5, ">") for x in range(1, 6))
    )
    assert storeys(stair) == 2, "a flight outside"
    slab = plan("""
    0-4      5
    #.....#  =======
    .......  =======
    .......  =======
    .......  =======
    #.....#  =======
    """)
    assert storeys(slab) == 1
    found = verdict(frame, "storeys", bound=2)
    assert "nobody gets to the floor at height 5" in found.message
    assert {cell[1] for cell in found.cells.tolist()} == {5}
    assert storeys(slab, open_top=True) == 1, "up there nobody gets"


def test_voids_are_no_storeys():
    sealed = edited(HOUSE, *((x, 3, 1, "=") for x in range(2, 6)))
    assert storeys(sealed) == 1
    double_slab = filled(HOUSE, "=", range(9), [8], range(6))
    assert storeys(double_slab) == 2


def test_a_mezzanine():
    gallery = plan("""
    0          1          2          3          4          5          6          7
    #########  #########  #########  #########  #########  #########  #########  =========
    #.>=....#  #..>=...#  #...>=..#  #....>==#  #.......#  #.......#  #.......#  =========
    #.......#  #.......#  #.......#  #....===#  #....f..#  #.......#  #.......#  =========
    #.......#  #.......#  #.......#  #....===#  #....f..#  #.......#  #.......#  =========
    #.......#  #.......#  #.......#  #....===#  #....f..#  #.......#  #.......#  =========
    ####D####  ####d####  #########  #########  #########  #########  #########  =========
    """)
    assert rooms(gallery) == 1, "open to the hall"
    assert storeys(gallery) == 2, "a level of eight cells over the hall's floor"
    assert storeys(gallery, min_area=13) == 1
    walled = filled(gallery, "=", [5], [4, 5, 6], [2, 3, 4])
    leaf = edited(walled, (5, 4, 1, "E"), (5, 5, 1, "e"), (5, 6, 1, "="))
    assert rooms(leaf) == 2, "parted from the hall, with a door at the stairhead"


def test_a_wall_on_a_mezzanine_with_an_archway():
    upper = plan("""
    0          1          2          3          4          5          6          7
    #########  #########  #########  #########  #########  #########  #########  =========
    #.>=....#  #..>=...#  #...>=..#  #....>==#  #.......#  #.......#  #....=..#  =========
    #.......#  #.......#  #.......#  #....===#  #....=..#  #....=..#  #....=..#  =========
    #.......#  #.......#  #.......#  #....===#  #....=..#  #....=..#  #....=..#  =========
    #.......#  #.......#  #.......#  #....===#  #....=..#  #....=..#  #....=..#  =========
    ####D####  ####d####  #########  #########  #########  #########  #########  =========
    """)
    assert rooms(upper) == 2


def test_split_levels_are_one_storey():
    split = filled(HUT, "=", [4, 5], [0], [1, 2, 3])
    assert (rooms(split), storeys(split)) == (1, 1)
    deep = plan("""
    -2         -1         0          1          2          3
    .........  .........  #########  #########  #########  =========
    .ooo.....  .ooo.....  #.......#  #.......#  #.......#  =========
    .ooo.....  .ooo<....  #.......#  #.......#  #.......#  =========
    .ooo.....  .ooo.....  #.......#  #.......#  #.......#  =========
    .........  .........  ######D##  ######d##  #########  =========
    """)
    deep = edited(deep, (3, -2, 2, "<"), (4, -1, 2, "<"))
    assert (rooms(deep), storeys(deep)) == (1, 1)


def test_a_cellar_is_a_storey():
    cellar = plan("""
    -4--2    -1       0        1        2        3
    .......  =======  #######  #######  #######  =======
    .Loooo.  =L=====  #L....#  #.....#  #.....#  =======
    .ooooo.  =======  #.....#  #.....#  #.....#  =======
    .ooooo.  =======  #.....#  #.....#  #.....#  =======
    .......  =======  ###D###  ###d###  #######  =======
    """)
    assert (rooms(cellar), storeys(cellar)) == (2, 2)
    assert (rooms(edited(cellar, (1, -1, 1, "="))), storeys(edited(cellar, (1, -1, 1, "=")))) == (1, 1)
    assert (rooms(edited(cellar, (1, -1, 1, "h"))), storeys(edited(cellar, (1, -1, 1, "h")))) == (2, 2)


# Terraces


def test_a_terrace_on_the_ground_is_neither_room_nor_storey():
    terrace = plan("""
    0            1            2            3
    #######....  #######....  #######....  =======....
    #.....#ffff  #.....#....  #.....#....  =======....
    #......___f  #.........f  #.....#....  =======....
    #.....#ffff  #.....#....  #.....#....  =======....
    ###D###....  ###d###....  #######....  =======....
    """)
    assert (rooms(terrace), storeys(terrace), storeys(terrace, open_top=True)) == (1, 1, 1)
    assert rooms(filled(cleared(terrace, [10], [1], [2]), "=", range(7, 11), [3], [1, 2, 3])) == 1, "under a roof"


TERRACE = plan("""
0          1          2          3          4
#########  #########  #########  =========  fffffffff
#.>=....#  #..>=...#  #...>=..#  ==...>===  f.......f
#.......#  #.......#  #.......#  =========  f.......f
#.......#  #.......#  #.......#  =========  f.......f
#.......#  #.......#  #.......#  =========  f.......f
####D####  ####d####  #########  =========  fffffffff
""")
"""A house with a roof terrace, reached by a flight of stairs through a hole in the roof."""


def test_a_roof_terrace_takes_no_room_away():
    assert rooms(TERRACE) == 1
    assert storeys(TERRACE) == 1
    assert storeys(TERRACE, open_top=True) == 2
    assert not passes(TERRACE, "storeys", bound=2, open_top=True, rooms=1)
    bare = edited(cleared(TERRACE, range(2, 6), [0, 1, 2], [1]), (5, 3, 1, "="))
    assert rooms(bare) == 0, "the hole alone is a missing piece of roof"
    wide = cleared(TERRACE, range(1, 8), [3], [2, 3, 4])
    assert rooms(wide) == 0, "half of the roof is missing"
    ladder = plan("""
    0-1      2        3        4
    #######  #######  =======  mmmmmmm
    #L....#  #L....#  =L=====  m.....m
    #.....#  #.....#  =======  m.....m
    #.....#  #.....#  =======  m.....m
    ###.###  #######  =======  mmmmmmm
    """)
    assert (rooms(ladder), storeys(ladder, open_top=True)) == (1, 2)
    assert rooms(edited(ladder, (1, 3, 1, "h"))) == 1
    no_ladder = cleared(ladder, [1], [0, 1, 2, 3], [1])
    assert rooms(no_ladder) == 0
    assert storeys(edited(ladder, (1, 3, 1, "=")), open_top=True) == 1


# Ways


def test_the_reach_of_beds():
    bedroom = edited(HUT, (1, 0, 1, "B"), (2, 0, 1, "b"))
    assert gets(bedroom, "#beds") and gets(bedroom, "#beds", step_free=True)
    assert passes(bedroom, "reachable", start="#beds", goal="outside")
    assert not gets(bedroom, "#beds", step_free=True, width=2)
    double = edited(bedroom, (2, 0, 4, "D"), (2, 1, 4, "d"))
    assert gets(double, "#beds", step_free=True, width=2)
    shelves = filled(double, "S", range(1, 6), [0, 1], [2])
    assert not gets(shelves, "#beds")
    assert not gets(HUT, "#beds"), "no bed at all"
    half = edited(bedroom, (2, 0, 1, "."))
    assert not gets(half, "#beds")
    two = edited(TWO, *((x, 0, 1, sign) for x, sign in ((1, "B"), (2, "b"), (6, "B"), (7, "b"))))
    assert gets(two, "#beds")
    sealed = edited(two, (5, 0, 3, "#"), (5, 1, 3, "#"))
    found = verdict(sealed, "reachable", goal="#beds")
    assert (found.status, found.measured, found.required) == ("fail", 1, 2)


def test_a_sill_and_a_ramp():
    raised = plan("""
    0        1        2        3        4
    =======  #######  #######  #######  =======
    =======  #Bb...#  #.....#  #.....#  =======
    =======  #.....#  #.....#  #.....#  =======
    =======  #.....#  #.....#  #.....#  =======
    =======  ##DD###  ##dd###  #######  =======
    """)
    how = {"step_free": True, "width": 2}
    assert gets(raised, "#beds")
    assert not gets(raised, "#beds", jump=False)
    ramp = edited(raised, *((x, 0, z, sign) for x in (2, 3) for z, sign in ((5, "#"), (6, "_"))))
    assert gets(ramp, "#beds", ramps=True, **how)
    assert not gets(ramp, "#beds", **how), "half a block is a step but for ramps"
    narrow = edited(ramp, (3, 0, 6, "."))
    assert not gets(narrow, "#beds", ramps=True, **how)
    assert gets(narrow, "#beds", ramps=True, step_free=True)


# Heights of rooms


def heights(build):
    found = verdict(build, "ceiling_heights", at_least=1)
    return found.measured


def test_rooms_of_different_heights():
    assert heights(TWO) == 1
    lower = filled(TWO, "=", range(6, 10), [3], range(1, 6))
    assert heights(lower) == 2
    slabs = filled(TWO, "-", range(6, 10), [3], range(1, 6))
    assert heights(slabs) == 2, "half a block makes a difference"
    assert heights(filled(TWO, "=", [6], [3], range(1, 6))) == 1, "a beam along the wall is no ceiling"
    assert heights(filled(TWO, "=", [6, 7], [3], [1, 2])) == 2, "two by two"
    assert heights(filled(TWO, "=", [6, 7], [3], [1])) == 1
    assert heights(filled(TWO, "S", [6, 7], [0], [1, 2])) == 1, "furniture lowers nothing"


def test_a_stairwell_is_no_height():
    assert heights(HOUSE) == 1
    tall = plan("""
    0          1          2          3          4-7        8
    #########  #########  #########  =========  #########  =========
    #.>=....#  #..>=...#  #...>=..#  ==...>===  #.......#  =========
    #.......#  #.......#  #.......#  =========  #.......#  =========
    #.......#  #.......#  #.......#  =========  #.......#  =========
    ####D####  ####d####  #########  =========  #########  =========
    """)
    assert heights(tall) == 2
    assert not passes(tall, "ceiling_heights", at_least=3)


@pytest.mark.parametrize("sign", ["l", "w", "c"])
def test_small_things_change_no_height(sign):
    assert heights(filled(HUT, sign, range(1, 6), [0 if sign == "c" else 2], [1, 2, 3])) == 1


def test_storeys_of_a_scene_number_rooms():
    assert [(room.storey, room.area) for room in Scene(HOUSE).interior.rooms] == [(1, 27), (2, 25)]


@pytest.mark.parametrize(
    ("goal", "words"),
    [("height(99999)", "at most 4 digits"), ("height(1.5)", "whole number"), ("storey(0)", "from 1 up")],
)
def test_a_wrong_number_of_a_place_is_named(goal, words):
    with pytest.raises(CheckerError, match=words):
        bind("reachable", {"goal": goal})


def test_a_way_of_absurd_width_is_refused_at_once():
    assert not gets(HOUSE, "storeys", width=10**14)


def test_very_many_goals_are_judged_in_seconds():
    cells = np.argwhere(np.random.default_rng(0).random((50, 50, 50)) < 0.2)
    build = Build(BlockSet(cells.astype(np.int32), np.zeros(len(cells), dtype=np.int64), ["stone"]))
    begin = time.perf_counter()
    found = verdict(build, "reachable", goal="stone", width=2)
    assert found.required == len(cells) and found.status == "fail"
    assert time.perf_counter() - begin < 20
