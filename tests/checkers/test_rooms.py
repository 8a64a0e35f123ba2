"""What is a room and what is none: houses and near twins of them."""

import numpy as np
import pytest
from plans import HUT, TWO, cleared, doors, edited, filled, passes, plan, rooms, verdict

from minece.checkers.scene import Scene


def kinds(build):
    """Kind and area of everything that is enclosed."""
    return sorted((room.kind, room.area) for room in Scene(build).interior.rooms)


def beside(one, other, distance):
    """Two builds, the second so far to the east."""
    from minece.blocks import Build

    moved = [(x + distance, y, z, state) for x, y, z, state in other.blocks.rows()]
    return Build.from_blocks([*one.blocks.rows(), *moved])


# Size and height


def test_floor_cells_are_counted_furniture_included():
    closet = plan("""
    0     1     2     3
    ####  ####  ####  ====
    #..#  #..#  #..#  ====
    #..#  #..#  #..#  ====
    #D##  #d##  ####  ====
    """)
    assert rooms(closet) == 1
    assert rooms(filled(closet, "S", [2], [0, 1, 2], [2])) == 0, "a pillar takes a cell of the floor away"
    assert rooms(filled(closet, "S", [2], [0], [1, 2])) == 1, "what stands on the floor does not"
    assert rooms(closet, min_floor=5) == 0
    bedroom = edited(closet, (1, 0, 1, "B"), (2, 0, 1, "b"), (2, 0, 2, "S"))
    assert (rooms(bedroom), rooms(bedroom, holding="#beds")) == (1, 1)
    assert rooms(edited(bedroom, (2, 0, 1, ".")), holding="#beds") == 0, "half a bed"
    assert rooms(edited(closet, (2, 3, 2, "."))) == 0


@pytest.mark.parametrize(
    ("floor", "clear", "found"),
    [(".", 2, 1), (".", 1, 0), ("c", 2, 1), ("_", 2, 0), ("_", 3, 0), (".", 9, 1)],
)
def test_a_room_is_two_cells_high(floor, clear, found):
    """So many cells above the ground. A floor of lower slabs takes half a block away, and behind a doorway of two cells
    one bumps one's head stepping onto it."""
    rows = [f"{y}" for y in range(clear + 1)]
    hut = plan(f"""
    {"        ".join(rows)}
    #####  {"#####  " * (clear - 1)}  =====
    #{floor * 3}#  {"#...#  " * (clear - 1)}  =====
    #{floor * 3}#  {"#...#  " * (clear - 1)}  =====
    ##.##  {"##.##  " + "#####  " * (clear - 2) if clear > 1 else ""}  =====
    """)
    assert rooms(hut) == found


def test_crawl_spaces_and_voids_are_none():
    hollow = plan("""
    0        1        2        3        4
    #######  =======  #######  #######  =======
    #.....#  =======  #.....#  #.....#  =======
    #.....#  =======  #.....#  #.....#  =======
    #.....#  =======  #.....#  #.....#  =======
    #######  =======  ###D###  ###d###  =======
    ...^...  .......  .......  .......  .......
    """)
    hollow = edited(hollow, (3, 1, 5, "="), (3, 0, 5, "="), (3, 0, 6, "^"))
    assert kinds(hollow) == [("room", 15)], "a space one high under the floor"
    cellar = edited(cleared(hollow, range(1, 6), [-1], [1, 2, 3]), (3, 1, 1, "L"), (3, 0, 1, "L"), (3, -1, 1, "L"))
    assert kinds(cellar) == [("room", 14), ("room", 15)], "dug out, with a ladder"
    thick = plan("""
    0            1            2            3
    ###########  ###########  ###########  ===========
    #......#..#  #......#..#  #......#..#  ===========
    #......#..#  #......#..#  #......#..#  ===========
    #......#..#  #......#..#  #......#..#  ===========
    ###D#######  ###d#######  ###########  ===========
    """)
    assert kinds(thick) == [("closed", 6), ("room", 18)]
    assert rooms(thick) == 1
    found = verdict(thick, "rooms", bound=2)
    assert "no door" in found.message and len(found.cells) == 6
    assert rooms(edited(thick, (7, 0, 2, "E"), (7, 1, 2, "e"))) == 2
    assert passes(edited(thick, (7, 0, 2, "."), (7, 1, 2, ".")), "rooms", bound=2)


def test_an_open_front_or_a_missing_roof_closes_nothing():
    assert rooms(cleared(HUT, range(7), [3], range(5))) == 0
    assert rooms(cleared(HUT, range(1, 6), [0, 1, 2], [4])) == 0
    assert rooms(cleared(HUT, [3], [3], [2])) == 0
    assert rooms(cleared(HUT, [0, 6], [0, 1, 2], [0, 4])) == 1, "corners leave no face open"


# Shape in plan


HALL = filled(cleared(TWO, [5], range(4), range(1, 6)), "=", range(11), [3], range(7))
"""Nine by five, three high."""


def test_rooms_of_any_outline_are_one():
    l_shaped = plan("""
    0          1          2          3
    #########  #########  #########  =========
    #.......#  #.......#  #.......#  =========
    #.......#  #.......#  #.......#  =========
    #.......#  #.......#  #.......#  =========
    #...#####  #...#####  #...#####  =========
    #...#....  #...#....  #...#....  =====....
    #...#....  #...#....  #...#....  =====....
    ##D##....  ##d##....  #####....  =====....
    """)
    assert rooms(l_shaped) == 1
    assert rooms(filled(l_shaped, "#", [1, 3], [0, 1, 2], [4])) == 2, "a wall with an archway in the bend"
    u_shaped = plan("""
    0            1            2            3
    ###########  ###########  ###########  ===========
    #.........#  #.........#  #.........#  ===========
    #.........#  #.........#  #.........#  ===========
    #.........#  #.........#  #.........#  ===========
    #...###...#  #...###...#  #...###...#  ===========
    #...#.#...#  #...#.#...#  #...#.#...#  =====.=====
    #...#.#...#  #...#.#...#  #...#.#...#  =====.=====
    #####.##D##  #####.##d##  #####.#####  =====.=====
    """)
    assert rooms(u_shaped) == 1
    assert rooms(edited(u_shaped, (2, 3, 2, "."))) == 0
    assert rooms(filled(u_shaped, "#", [5], [0, 1, 2], [1, 3])) == 2, "a wall with an archway in the middle"


def test_a_chimney_breast_or_pillars_do_not_part_a_hall():
    assert rooms(HALL) == 1
    assert rooms(filled(HALL, "#", [4, 5, 6], [0, 1, 2], [1, 2])) == 1, "a block of brick on one wall"
    assert rooms(filled(HALL, "#", [5], [0, 1, 2], [2, 4])) == 1, "two pillars"
    assert rooms(filled(HALL, "#", [5], [0, 1, 2], [1, 5])) == 1, "a stub at each wall"
    assert rooms(filled(HALL, "#", [5], [0, 1, 2], [1, 2, 3])) == 1, "a screen from one wall on"
    assert rooms(filled(HALL, "#", [5], [0, 1, 2], [1, 2, 4, 5])) == 2, "a wall with a gap of one"
    corner = filled(HALL, "#", [5], [0, 1, 2], [1, 2, 3, 4])
    assert rooms(corner) == 1, "a screen that leaves a way between wall and wall"
    assert rooms(edited(corner, (5, 2, 5, "#"))) == 2, "under a lintel that way is a doorway"
    assert rooms(filled(HALL, "#", [5], [2], range(1, 6))) == 1, "a beam under the ceiling"


def test_corridors_are_circulation():
    corridor = plan("""
    0              1              2              3
    #############  #############  #############  =============
    #...#...#...#  #...#...#...#  #...#...#...#  =============
    #...#...#...#  #...#...#...#  #...#...#...#  =============
    ##D###D###D##  ##d###d###d##  #############  =============
    E...........#  e...........#  #...........#  =============
    #############  #############  #############  =============
    """)
    assert kinds(corridor) == [("passage", 11), ("room", 6), ("room", 6), ("room", 6)]
    assert doors(corridor) == 4
    found = verdict(corridor, "rooms", bound=4)
    assert "passage" in found.message
    hall = plan("""
    0              1              2              3
    #############  #############  #############  =============
    #...#...#...#  #...#...#...#  #...#...#...#  =============
    #...#...#...#  #...#...#...#  #...#...#...#  =============
    ##D###D###D##  ##d###d###d##  #############  =============
    #...........#  #...........#  #...........#  =============
    E...........#  e...........#  #...........#  =============
    #...........#  #...........#  #...........#  =============
    #############  #############  #############  =============
    """)
    assert rooms(hall) == 4, "three wide is a hall"
    store = plan("""
    0        1        2        3
    #######  #######  #######  =======
    E.....#  e.....#  #.....#  =======
    #######  #######  #######  =======
    """)
    assert kinds(store) == [("room", 5)], "narrow and long, but no way through"


def test_a_corridor_may_bend():
    bent = plan("""
    0          1          2          3
    #########  #########  #########  =========
    #.#...#.D  #.#...#.d  #.#...#.#  =========
    #.#.#.#.#  #.#.#.#.#  #.#.#.#.#  =========
    #...#...#  #...#...#  #...#...#  =========
    #D#######  #d#######  #########  =========
    """)
    assert kinds(bent) == [("passage", 15)]
    assert kinds(filled(bent, "#", [4], [2], [1])) == [("passage", 7), ("passage", 7)], "under a lintel it is two"


def test_two_houses_are_no_house():
    apart = beside(HUT, HUT, 9)
    found = verdict(apart, "rooms", bound=2)
    assert (found.status, found.measured) == ("fail", 2)
    assert "2 buildings" in found.message
    assert passes(apart, "rooms", bound=2, one_building=False)
    assert passes(beside(HUT, HUT, 7), "rooms", bound=2), "wall to wall"
    joined = filled(apart, "=", [7, 8], [3], [2])
    assert passes(joined, "rooms", bound=2), "joined by a roof"
    lamp = edited(HUT, (12, 0, 2, "f"), (12, 1, 2, "l"), (-5, 0, 0, "#"), (-5, 1, 0, "#"))
    assert passes(lamp, "rooms", bound=1)
    shed = beside(TWO, cleared(HUT, range(1, 6), [0, 1, 2], [4]), 14)
    assert passes(shed, "rooms", bound=2), "a shed without a room"


# What stands around a house


def test_porches_eaves_and_arcades_are_no_rooms():
    porch = plan("""
    0        1        2        3
    #######  #######  #######  =======
    #.....#  #.....#  #.....#  =======
    #.....#  #.....#  #.....#  =======
    #.....#  #.....#  #.....#  =======
    ###D###  ###d###  #######  =======
    .......  .......  .......  =======
    .......  .......  .......  =======
    .......  .......  .......  =======
    f.....f  f.....f  f.....f  =======
    """)
    assert (rooms(porch), doors(porch)) == (1, 1)
    railed = filled(porch, "f", [1, 2, 4, 5], [0], [8])
    assert rooms(railed) == 1, "with a railing"
    conservatory = filled(filled(porch, "g", [0, 6], [0, 1, 2], [5, 6, 7, 8]), "g", range(1, 6), [0, 1, 2], [8])
    assert rooms(edited(conservatory, (3, 0, 8, "D"), (3, 1, 8, "d"))) == 2
    eaves = filled(HUT, "-", range(-1, 8), [3], [-1, 5])
    assert rooms(eaves) == 1
    arcade = filled(porch, "m", [2, 4], [0, 1, 2], [8])
    assert rooms(arcade) == 1, "posts two apart"
    assert rooms(filled(cleared(porch, range(7), [3], [0, 1, 2, 3, 4]), "f", [2, 4], [0, 1, 2], [8])) == 0, (
        "the porch alone is covered"
    )


def test_open_frames_are_no_rooms():
    frame = plan("""
    0        1        2        3
    #.....#  #.....#  #.....#  =======
    .......  .......  .......  =======
    .......  .......  .......  =======
    .......  .......  .......  =======
    #.....#  #.....#  #.....#  =======
    """)
    assert (rooms(frame), doors(frame)) == (0, 0)
    walled = filled(filled(frame, "g", [0, 6], [0, 1, 2], [1, 2, 3]), "g", range(1, 6), [0, 1, 2], [0, 4])
    assert rooms(edited(walled, (3, 0, 4, "D"), (3, 1, 4, "d"))) == 1
    colonnade = filled(frame, "#", [0, 2, 4, 6], [0, 1, 2], [0, 2, 4])
    assert rooms(colonnade) == 0, "a temple of pillars"
    kiosk = plan("""
    0      1      2      3
    #.#.#  #.#.#  #.#.#  =====
    .....  .....  .....  =====
    #...#  #...#  #...#  =====
    .....  .....  .....  =====
    #.#.#  #.#.#  #.#.#  =====
    """)
    assert doors(edited(kiosk, (1, 0, 4, "D"), (1, 1, 4, "d"))) <= 1


def test_a_walled_garden_is_no_room_and_a_courtyard_takes_none_away():
    court = plan("""
    0            1            2            3
    ###########  ###########  ###########  ===========
    #.........#  #.........#  #.........#  ===========
    #.........#  #.........#  #.........#  ===========
    #..####...#  #..####...#  #..####...#  ===========
    #..#..#...#  #..#..#...#  #..#..#...#  ====..=====
    #..#..#...#  #..#..#...#  #..#..#...#  ====..=====
    #..##D#...#  #..##d#...#  #..####...#  ===========
    #.........#  #.........#  #.........#  ===========
    #.........#  #.........#  #.........#  ===========
    ####D######  ####d######  ###########  ===========
    """)
    assert (rooms(court), doors(court)) == (1, 2)
    assert rooms(filled(court, "=", [4, 5], [3], [4, 5])) == 2, "roofed over it is a chamber"
    for x, z in ((5, 1), (1, 5), (9, 8)):
        assert rooms(cleared(court, [x], [3], [z])) == 0
    assert rooms(cleared(HUT, range(1, 6), [3], [1, 2, 3])) == 0, "walls around a garden"


# Furniture


def test_furniture_makes_no_room_and_divides_none():
    furnished = plan("""
    0            1            2            3            4
    ###########  ###########  ###########  ###########  ===========
    #Bb.SSS..k#  #...SSS...#  #....u....#  #.........#  ===========
    #........k#  #...w.....#  #.........#  #....l....#  ===========
    #..fkf...k#  #..t.t....#  #.........#  #.........#  ===========
    #.........#  #.........#  #.........#  #.........#  ===========
    #SScccccSS#  #SS.....SS#  #SS.....SS#  #SS.....SS#  ===========
    #####D#####  #####d#####  ###########  ###########  ===========
    """, k="crafting_table")  # fmt: skip
    assert kinds(furnished) == [("room", 41)], "what reaches the ceiling takes floor away"
    assert rooms(furnished, holding="#beds") == 1
    for height in (1, 2):
        assert rooms(filled(HALL, "S", [5], range(height), range(1, 6))) == 1, "shelves across the room"
        assert rooms(filled(HALL, "S", [5], range(height), [1, 2, 4, 5])) == 1, "with a gap"
    assert rooms(filled(HALL, "S", [5], [0, 1, 2], [1, 2, 4, 5])) == 2, "up to the ceiling they are a wall"
    assert rooms(filled(HALL, "B", [5], [0, 1, 2], [1, 2, 4, 5])) == 1, "stacked beds are none"


def test_a_wardrobe_is_no_room():
    wardrobe = filled(HUT, "S", [2, 2], [0, 1, 2], [1])
    assert rooms(wardrobe) == 1
    cupboard = filled(edited(HALL, (1, 0, 2, "D"), (1, 1, 2, "d")), "S", [2], [0, 1, 2], [1])
    cupboard = edited(cupboard, (1, 2, 2, "S"))
    assert rooms(cupboard) == 1, "a cell behind a door"
    larger = filled(cleared(cupboard, [2], [0, 1, 2], [1]), "S", range(2, 6), [0, 1, 2], [2])
    assert rooms(filled(larger, "S", [4], [0, 1, 2], [1])) == 1, "three"
    assert rooms(filled(larger, "S", [6], [0, 1, 2], [1, 2])) == 2, "five are a chamber"


def test_shelves_before_a_door_block_it():
    assert rooms(filled(HUT, "S", [3], [0, 1], [3])) == 0
    assert rooms(filled(HUT, "S", [3], [0], [3])) == 0, "nobody jumps onto a chest under a lintel"
    assert rooms(filled(HUT, "S", [2, 4], [0, 1], [3])) == 1


@pytest.mark.parametrize("sign", ["c", "-", "=", "g"])
def test_floors_of_any_kind(sign):
    floored = filled(HUT, sign, range(1, 6), [0] if sign == "c" else [-1], [1, 2, 3])
    assert (rooms(floored), doors(floored)) == (1, 1)
    assert rooms(edited(floored, (3, 0, 4, "#"), (3, 1, 4, "#"))) == 0


def test_a_floor_of_lower_slabs():
    slabs = filled(HUT, "_", range(1, 6), [0], [1, 2, 3])
    assert (rooms(slabs), doors(slabs)) == (0, 0), "under the lintel one bumps one's head"
    raised = edited(slabs, (3, 0, 4, "#"), (3, 1, 4, "D"), (3, 2, 4, "d"))
    assert (rooms(raised), doors(raised)) == (1, 1)
    low = filled(raised, "=", range(1, 6), [2], [1, 2, 3])
    assert rooms(low) == 0, "a block and a half high"


def test_water_and_pits_are_no_floor():
    assert rooms(filled(HUT, "~", range(1, 6), [0], [1, 2, 3])) == 0
    pool = filled(HUT, "~", [4, 5], [-1], [1, 2, 3])
    assert rooms(pool) == 1


# Roofs


def pitched():
    """Under one roof of stairs with closed gables: no ceiling."""
    return plan("""
    0          1          2          3          4          5          6
    .........  .........  .........  >.......<  .>.....<.  ..>...<..  ...>=<...
    .#######.  .#######.  .#######.  >#######<  .>#####<.  ..>###<..  ...>=<...
    .#.....#.  .#.....#.  .#.....#.  >#.....#<  .>.....<.  ..>...<..  ...>=<...
    .#.....#.  .#.....#.  .#.....#.  >#.....#<  .>.....<.  ..>...<..  ...>=<...
    .#.....#.  .#.....#.  .#.....#.  >#.....#<  .>.....<.  ..>...<..  ...>=<...
    .#.....#.  .#.....#.  .#.....#.  >#.....#<  .>.....<.  ..>...<..  ...>=<...
    .###D###.  .###d###.  .#######.  >#######<  .>#####<.  ..>###<..  ...>=<...
    .........  .........  .........  >.......<  .>.....<.  ..>...<..  ...>=<...
    """)


def test_a_pitched_roof_with_eaves_closes_a_room():
    assert kinds(pitched()) == [("room", 20)]
    gone = [(x, y, z) for y, xs in ((4, range(2, 7)), (5, range(3, 6))) for x in xs for z in (1, 6)]
    assert rooms(edited(pitched(), *((*cell, ".") for cell in gone))) == 0, "open gables"
    assert rooms(edited(pitched(), (4, 6, 3, "."))) == 0, "a hole in the ridge"
    window = edited(pitched(), (4, 4, 1, "."), (4, 4, 6, "."))
    assert rooms(window) == 1, "windows in the gables"


def test_a_sealed_attic_is_a_void():
    attic = filled(pitched(), "=", range(2, 7), [3], range(2, 6))
    assert kinds(attic) == [("closed", 12), ("room", 20)]
    assert rooms(attic) == 1
    ladder = edited(attic, *((4, y, 2, "L") for y in range(4)))
    assert rooms(ladder) == 2
    assert rooms(edited(ladder, (4, 3, 2, "h"))) == 2, "under a hatch"
    assert rooms(edited(ladder, (4, 0, 2, "."), (4, 1, 2, "."))) == 1, "nobody gets up to that ladder"


# What a verdict says


def test_the_message_names_the_floor_at_fault():
    found = verdict(HUT, "rooms", bound=2)
    assert found.measured == 1 and len(found.cells) == 15
    assert {tuple(cell) for cell in found.cells.tolist()} == {(x, 0, z) for x in range(1, 6) for z in range(1, 4)}
    both = Scene(TWO).interior
    assert [str(room) for room in both.rooms] == ["room 1 on storey 1", "room 2 on storey 1"]
    assert np.array_equal(both.rooms[0].floor[0], [1, 0, 1])


def test_a_doorway_into_two_rooms_leads_into_both():
    """Three doors side by side, the middle one before the wall that parts two rooms."""
    house = plan("""
    0            1            2            3
    ###########  ###########  ###########  ===========
    #.#.......#  #.#.......#  #.#.......#  ===========
    #.#.......#  #.#.......#  #.#.......#  ===========
    #.#.......#  #.#.......#  #.#.......#  ===========
    #DDD#######  #ddd#######  ###########  ===========
    """)
    for build in (house, house.mirrored("x"), house.mirrored("z"), house.turned(1)):
        ways = Scene(build).interior.doorways
        assert [(way.width, len(way.sides)) for way in ways] == [(3, 3)]
