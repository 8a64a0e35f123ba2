"""Doorways, windows, holes in floors and chimneys: what closes a room although air passes, and what does not.

Every case is an honest build and a near twin that is none.
"""

import pytest
from plans import HUT, TWO, cleared, doors, edited, filled, passes, plan, rooms, verdict


def test_a_hut_has_one_room_and_one_door():
    assert (rooms(HUT), doors(HUT)) == (1, 1)
    gap = edited(HUT, (3, 3, 2, "."))
    assert rooms(gap) == 0, "a cell of the roof is missing"
    assert rooms(edited(HUT, (3, 0, 4, "#"), (3, 1, 4, "#"))) == 0, "sealed"


def test_an_archway_parts_two_rooms():
    assert rooms(TWO) == 2
    assert doors(TWO) == 1, "an archway has no leaf"
    wide = cleared(TWO, [5], [0, 1, 2], [2, 3, 4])
    assert rooms(wide) == 2, "three wide and three high, under a lintel, in five"
    assert rooms(cleared(TWO, [5], [0, 1], [1, 2, 3, 4])) == 1, "four wide"
    assert rooms(cleared(TWO, [5], [0, 1, 2, 3], [2, 3, 4])) == 1, "without lintel, over half of the wall"


def test_an_archway_as_front_door_closes_a_room_but_is_no_door():
    arch = edited(HUT, (3, 0, 4, "."), (3, 1, 4, "."))
    assert (rooms(arch), doors(arch)) == (1, 0)
    open_front = cleared(arch, range(1, 6), [0, 1, 2], [4])
    assert rooms(open_front) == 0


@pytest.mark.parametrize(
    ("xs", "ys", "closes"),
    [
        ([2], [1], True),
        ([1], [1], True),
        ([2], [1, 2], True),
        ([2, 4], [1], True),
        ([2, 3, 4], [1], True),
        ([1, 2, 3, 4, 5], [1], False),
        ([1, 2, 3, 4, 5], [1, 2], False),
        ([1, 2, 3, 4, 5], [2], False),
    ],
)
def test_windows_without_panes(xs, ys, closes):
    """A narrow one, at the corner, up to the ceiling, two, a wide one; ribbons along the whole wall close nothing."""
    assert rooms(cleared(HUT, xs, ys, [0])) == closes


def test_windows_that_face_the_same_strip_of_floor_do_not_part_it():
    """Seen through the window a strip of floor is longer than the strip between two windows, which looks like a
    doorway."""
    for windows in ([(2, 1, 0), (4, 1, 0)], [(2, 1, 0), (2, 1, 4), (4, 1, 0), (4, 1, 4)], [(0, 1, 2), (6, 1, 2)]):
        assert rooms(edited(HUT, *((*cell, ".") for cell in windows))) == 1
    arches = [(x, y, 0) for x in (1, 3) for y in (0, 1)]
    assert rooms(edited(HUT, *((*cell, ".") for cell in arches))) == 1
    assert rooms(edited(TWO, (4, 1, 0, "."), (6, 1, 0, "."))) == 2, "beside a real doorway"


@pytest.mark.parametrize("sign", ["g", "p", "i", "-", "f", "m", "h"])
def test_what_fills_a_ribbon_window_up_to_the_ceiling_closes_it(sign):
    assert rooms(filled(HUT, sign, range(1, 6), [1, 2], [0])) == 1
    low = filled(cleared(HUT, range(1, 6), [1, 2], [0]), sign, range(1, 6), [1], [0])
    assert rooms(low) == 0, "a gap above, all along the wall"


@pytest.mark.parametrize("sign", ["c", "w", "l", "L", "t", "u"])
def test_small_things_close_no_gap(sign):
    """Carpets, torches, lanterns, ladders: a wall of them is none."""
    ribbon = cleared(HUT, range(1, 6), [0, 1, 2], [0])
    assert rooms(filled(ribbon, sign, range(1, 6), [0, 1, 2], [0])) == 0
    assert rooms(filled(HUT, sign, range(1, 6), [0, 1], [1])) == 1, "before a wall they do no harm"


def test_a_window_is_no_way_in():
    sealed = edited(HUT, (3, 0, 4, "#"), (3, 1, 4, "#"), (2, 1, 0, "."), (2, 2, 0, "."))
    assert rooms(sealed) == 0, "one climbs over a sill of one block, but nobody calls that a door"
    assert rooms(edited(sealed, (2, 0, 0, "."), (2, 2, 0, "#"))) == 1, "down to the floor it is a doorway"


def test_a_window_high_up_in_a_wall_lets_nobody_in():
    sealed = edited(HUT, (3, 0, 4, "#"), (3, 1, 4, "#"))
    assert rooms(edited(sealed, (2, 2, 0, "."))) == 0
    assert not passes(edited(sealed, (2, 2, 0, ".")), "reachable", goal="rooms")


def test_a_glass_pavilion_is_a_room():
    pavilion = plan("""
    0        1        2        3
    ggggggg  ggggggg  ggggggg  ggggggg
    g.....g  g.....g  g.....g  ggggggg
    g.....g  g.....g  g.....g  ggggggg
    g.....g  g.....g  g.....g  ggggggg
    gggDggg  gggdggg  ggggggg  ggggggg
    """)
    assert rooms(pavilion) == 1
    assert rooms(edited(pavilion, (3, 3, 2, "."))) == 0
    panes = plan("""
    0        1        2        3
    #ppppp#  #ppppp#  #ppppp#  =======
    p.....p  p.....p  p.....p  =======
    p.....p  p.....p  p.....p  =======
    p.....p  p.....p  p.....p  =======
    #ppDpp#  #ppdpp#  #ppppp#  =======
    """)
    assert rooms(panes) == 1
    assert rooms(cleared(panes, range(1, 6), [0, 1, 2], [0])) == 0


def test_double_doors_are_one_doorway():
    double = edited(HUT, (2, 0, 4, "D"), (2, 1, 4, "d"))
    assert (rooms(double), doors(double)) == (1, 1)
    assert passes(double, "doors", width=2)
    assert not passes(HUT, "doors", width=2)
    apart = edited(HUT, (1, 0, 4, "D"), (1, 1, 4, "d"))
    assert doors(apart) == 2
    assert not passes(apart, "doors", width=2)


def test_doors_in_both_skins_of_a_double_wall_are_one_doorway():
    thick = plan("""
    0        1        2        3
    #######  #######  #######  =======
    #.....#  #.....#  #.....#  =======
    #.....#  #.....#  #.....#  =======
    #.....#  #.....#  #.....#  =======
    ###D###  ###d###  #######  =======
    ###D###  ###d###  #######  =======
    """)
    assert (rooms(thick), doors(thick)) == (1, 1)
    single = edited(thick, (3, 0, 5, "."), (3, 1, 5, "."))
    assert (rooms(single), doors(single)) == (1, 1), "a door and a reveal before it"
    blind = edited(thick, (3, 0, 5, "#"), (3, 1, 5, "#"))
    assert (rooms(blind), doors(blind)) == (0, 0), "a door against the outer skin"


def test_half_a_door_is_no_door():
    lower = edited(HUT, (3, 1, 4, "."))
    assert doors(lower) == 0
    found = verdict(lower, "doors")
    assert "half a door" in found.message and found.cells.tolist() == [[3, 0, 4]]
    assert rooms(lower) == 1, "what is left is an open doorway"
    assert doors(edited(HUT, (3, 0, 4, "#"))) == 0
    assert rooms(edited(HUT, (3, 0, 4, "#"))) == 0, "and a window is left of the upper half"


def test_a_door_one_above_the_ground_on_a_floor_slab():
    slab = plan("""
    0        1        2        3        4
    =======  #######  #######  #######  =======
    =======  #.....#  #.....#  #.....#  =======
    =======  #.....#  #.....#  #.....#  =======
    =======  #.....#  #.....#  #.....#  =======
    =======  ###D###  ###d###  #######  =======
    """)
    assert (rooms(slab), doors(slab)) == (1, 1)
    high = plan("""
    0-1      2        3        4        5
    =======  #######  #######  #######  =======
    =======  #.....#  #.....#  #.....#  =======
    =======  #.....#  #.....#  #.....#  =======
    =======  #.....#  #.....#  #.....#  =======
    =======  ###D###  ###d###  #######  =======
    """)
    assert (rooms(high), doors(high)) == (0, 0), "two blocks up nobody gets in"
    steps = edited(high, (3, 0, 5, "#"), (3, 1, 5, "^"), (3, 0, 6, "^"))
    assert (rooms(steps), doors(steps)) == (1, 1)


def test_a_sunken_floor():
    sunk = plan("""
    -1       0        1        2        3
    .......  #######  #######  #######  =======
    .ooooo.  #.....#  #.....#  #.....#  =======
    .ooooo.  #.....#  #.....#  #.....#  =======
    .ooooo.  #.....#  #.....#  #.....#  =======
    .......  ###D###  ###d###  #######  =======
    """)
    assert (rooms(sunk), doors(sunk)) == (1, 1)
    deep = edited(sunk, *((x, -2, z, "o") for x in range(1, 6) for z in range(1, 4)))
    assert doors(deep) == 0, "two blocks down from the sill: in one gets, but not out"
    stair = edited(deep, (3, -2, 3, "#"))
    assert (rooms(stair), doors(stair)) == (1, 1)


def test_a_door_that_opens_against_a_wall_leads_nowhere():
    inner = edited(TWO, (5, 0, 3, "E"), (5, 1, 3, "e"))
    assert (rooms(inner), doors(inner)) == (2, 2)
    blocked = edited(inner, (6, 0, 3, "#"), (6, 1, 3, "#"))
    assert (rooms(blocked), doors(blocked)) == (1, 1)
    outside = edited(HUT, (3, 0, 5, "#"), (3, 1, 5, "#"))
    assert (rooms(outside), doors(outside)) == (0, 0)
    porch = edited(HUT, (3, 0, 6, "#"), (3, 1, 6, "#"))
    assert (rooms(porch), doors(porch)) == (1, 1), "a screen one cell before it may be walked around"


def test_a_free_standing_door_frame_leads_nowhere():
    frame = plan("""
    0    1    2
    #D#  #d#  ###
    """)
    assert (rooms(frame), doors(frame)) == (0, 0)
    beside = edited(HUT, *((x + 9, y, 4, sign) for x, y, _, sign in _frame()))
    assert doors(beside) == 1, "one beside a house adds nothing"
    bare = edited(HUT, (3, 0, 7, "D"), (3, 1, 7, "d"))
    assert doors(bare) == 1
    garden = edited(HUT, *((x, y, 2, sign) for x, y, _, sign in _frame(at=2)))
    assert doors(garden) == 1, "one that stands in the middle of a room parts nothing"
    assert rooms(garden) == 1


def _frame(at=0):
    signs = {(0, 0): "#", (0, 1): "#", (1, 0): "D", (1, 1): "d", (2, 0): "#", (2, 1): "#"}
    return [(x + at, y, 0, sign) for (x, y), sign in signs.items()]


def test_gates_and_hatches_close_but_are_no_doors():
    gate = edited(HUT, (3, 0, 4, "G"), (3, 1, 4, "."))
    assert (rooms(gate), doors(gate)) == (1, 0), "a gate in a doorway"
    counter = filled(TWO, "f", [5], [0], range(1, 6))
    fence = edited(cleared(counter, [5], [1, 2, 3], range(1, 6)), (5, 0, 3, "G"))
    assert rooms(fence) == 1, "a fence with a gate across a room"


@pytest.mark.parametrize("sign", ["f", "i", "p", "m"])
def test_fences_and_bars_part_rooms_from_floor_to_ceiling(sign):
    wall = filled(TWO, sign, [5], [0, 1, 2, 3], [1, 2, 4, 5])
    partition = edited(wall, (5, 2, 3, sign), (5, 3, 3, sign))
    assert rooms(partition) == 2
    assert rooms(cleared(partition, [5], [1, 2, 3], range(1, 6))) == 1, "free-standing"
    assert rooms(cleared(partition, [5], [2, 3], range(1, 6))) == 1, "two high in four"
    assert rooms(cleared(partition, [5], [3], range(1, 6))) == 1, "a gap under the ceiling all along"


def test_chimneys():
    chimney = plan("""
    0        1        2        3        4-5
    #######  #######  #######  =======  ..###..
    #.#*#.#  #.#.#.#  #.#.#.#  ==#.#==  ..#.#..
    #.....#  #.....#  #..#..#  ===#===  ..###..
    #.....#  #.....#  #.....#  =======  .......
    ###D###  ###d###  #######  =======  .......
    """)
    assert rooms(chimney) == 1
    assert rooms(edited(chimney, (3, 3, 3, "."))) == 0, "a hole in the roof is no chimney"
    outside = plan("""
    0        1        2        3        4-5
    ..###..  ..###..  ..###..  ..###..  ..###..
    ###*###  ###.###  ###.###  ==#.#==  ..#.#..
    #.....#  #.....#  #..#..#  ===#===  ..###..
    #.....#  #.....#  #.....#  =======  .......
    #.....#  #.....#  #.....#  =======  .......
    ###D###  ###d###  #######  =======  .......
    """)
    assert rooms(outside) == 1
    low = cleared(outside, range(2, 5), [3, 4, 5], [0, 1, 2])
    assert rooms(edited(low, (2, 3, 1, "="), (4, 3, 1, "="), *((x, 3, 2, "=") for x in range(2, 5)))) == 0, (
        "without its shaft the fireplace is a hole in the roof"
    )
    wide = plan("""
    0          1          2          3          4          5
    #########  #########  #########  =========  .........  .........
    #.......#  #.......#  #.......#  ===...===  ..#...#..  ..#...#..
    #.......#  #.......#  #.......#  ===...===  ..#...#..  ..#...#..
    #.......#  #.......#  #.......#  ===...===  ..#...#..  ..#...#..
    #.......#  #.......#  #.......#  =========  ..#####..  ..#####..
    #.......#  #.......#  #.......#  =========  .........  .........
    ####D####  ####d####  #########  =========  .........  .........
    """)
    assert rooms(filled(wide, "#", range(2, 7), [4, 5], [0])) == 0, "a light shaft three wide is no chimney"


def test_a_bay_window_belongs_to_its_room():
    bay = plan("""
    0          1          2          3
    .ggggggg.  .ggggggg.  .ggggggg.  .=======.
    .g.....g.  .g.....g.  .g.....g.  .=======.
    ##.....##  ##.....##  ##.....##  =========
    #.......#  #.......#  #.......#  =========
    #.......#  #.......#  #.......#  =========
    #.......#  #.......#  #.......#  =========
    ####D####  ####d####  #########  =========
    """)
    assert rooms(bay) == 1
    assert rooms(edited(bay, (4, 3, 1, "."))) == 0, "a hole above the bay"
    assert rooms(cleared(bay, range(1, 8), [0, 1, 2], [0])) == 0, "its front is missing"


def test_an_alcove_belongs_to_its_room():
    alcove = plan("""
    0        1        2        3
    #######  #######  #######  =======
    ##...##  ##...##  ##...##  =======
    #.....#  #.....#  #.....#  =======
    #.....#  #.....#  #.....#  =======
    ###D###  ###d###  #######  =======
    """)
    assert rooms(alcove) == 1
    assert rooms(edited(alcove, (3, 3, 1, "."))) == 0


def test_a_hatch_over_a_ladder_closes_a_hole():
    cellar = plan("""
    -4       -3--2    -1       0        1        2        3
    .......  .......  =======  #######  #######  #######  =======
    .......  .oLooo.  ==h====  #.....#  #.....#  #.....#  =======
    .......  .ooooo.  =======  #.....#  #.....#  #.....#  =======
    .......  .ooooo.  =======  #.....#  #.....#  #.....#  =======
    .......  .......  =======  ###D###  ###d###  #######  =======
    """)
    assert rooms(cellar) == 2
    assert rooms(edited(cellar, (2, -1, 1, "L"))) == 2, "an open hole with a ladder in it"
    assert rooms(edited(cellar, (2, -3, 1, "o"), (2, -2, 1, "o"))) == 1, "no ladder: the cellar is a void"
    assert rooms(edited(cellar, (2, -1, 1, "="))) == 1, "sealed"


PORCH = plan("""
0         1         2         3
########  ########  ########  ========
#......#  #......#  #......#  ========
#......#  #......#  #......#  ========
#......#  #......#  #......#  ========
######.#  #.####.#  #..#####  ========
........  ........  ........  ========
f..f...f  f..f...f  f..f...f  ========
""")
"""An archway in the corner and windows up to the ceiling, under a porch with posts."""


def test_windows_and_archways_under_a_porch():
    assert rooms(PORCH) == 1
    railed = filled(PORCH, "f", [1, 2, 4], [0], [6])
    assert rooms(railed) == 1
    assert rooms(cleared(railed, [2], [3], [2])) == 0
    assert rooms(cleared(railed, range(1, 6), [0, 1, 2], [4])) == 0, "without the front wall"
    assert rooms(filled(railed, "#", [6], [0, 1], [4])) == 0, "without the door"


def test_exits_lead_straight_into_the_open():
    assert passes(HUT, "exits", at_least=1)
    assert not passes(HUT, "exits", at_least=2)
    inner = edited(TWO, (5, 0, 3, "E"), (5, 1, 3, "e"))
    assert doors(inner) == 2
    assert not passes(inner, "exits", at_least=2), "one of the two doors leads from room to room"
    back = edited(HUT, (2, 0, 0, "D"), (2, 1, 0, "d"))
    assert passes(back, "exits", at_least=2)
    double = edited(HUT, (2, 0, 4, "D"), (2, 1, 4, "d"))
    assert not passes(double, "exits", at_least=2), "two leaves, one exit"
    blocked = edited(back, (2, 0, -1, "#"), (2, 1, -1, "#"))
    assert not passes(blocked, "exits", at_least=2)


def test_exits_touch_a_lamp():
    lamp = edited(HUT, (3, 2, 4, "l"), l="sea_lantern")
    assert passes(lamp, "exits", at_least=1, touching="sea_lantern")
    assert not passes(HUT, "exits", at_least=1, touching="sea_lantern")
    aside = edited(HUT, (2, 2, 4, "l"), l="sea_lantern")
    assert not passes(aside, "exits", at_least=1, touching="sea_lantern"), "an edge is no face"
    back = edited(lamp, (2, 0, 0, "D"), (2, 1, 0, "d"))
    found = verdict(back, "exits", at_least=1, touching="sea_lantern")
    assert found.status == "fail" and found.cells.tolist() == [[2, 0, 0], [2, 1, 0]], "every exit needs one"


def test_exits_lead_to_seats_without_a_step():
    seats = filled(TWO, "^", [7, 8], [0], [1])
    assert passes(seats, "exits", at_least=1, step_free_to="oak_stairs")
    raised = filled(filled(seats, "=", range(6, 10), [0], range(1, 6)), "^", [7, 8], [1], [1])
    assert not passes(raised, "exits", at_least=1, step_free_to="oak_stairs")
    ramp = edited(filled(raised, "_", [5], [0], [3]), (5, 2, 3, "."))
    assert passes(ramp, "exits", at_least=1, step_free_to="oak_stairs")
    low = edited(ramp, (5, 2, 3, "#"))
    assert not passes(low, "exits", at_least=1, step_free_to="oak_stairs"), "too low over the ramp"
