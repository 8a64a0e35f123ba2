"""Regions of buildings: corners, façades, roofs, floors, ceilings and what stands in rooms."""

import pytest
from plans import HUT, TWO, cleared, edited, filled, passes, plan, region

SIDES = ("north", "east", "south", "west")


def box(xs, ys, zs):
    return {(x, y, z) for x in xs for y in ys for z in zs}


def columns(cells):
    return {(x, z) for x, _, z in cells}


COTTAGE = plan("""
0          1          2          3          4          5          6
=========  .........  .........  .........  .........  .........  .........
=========  .#######.  .#######.  .#######.  >=======<  .#######.  .........
=========  .#.....#.  .g.....g.  .#.....#.  >=======<  .>.....<.  ..>>=<<..
=========  .#.....#.  .#.....#.  .#.....#.  >=======<  .>.....<.  ..>>=<<..
=========  .#.....#.  .#.....#.  .#.....#.  >=======<  .>.....<.  ..>>=<<..
=========  .###D###.  .###d###.  .###p###.  >=======<  .#######.  .........
=========  .........  .........  .........  .........  .........  .........
f.......f  f.......f  f.......f  f.......f  .........  .........  .........
""")
"""On a plinth, with windows, a roof of stairs with eaves, and two posts before it."""

L_SHAPED = plan("""
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


def test_corners_are_vertical_runs():
    assert region(HUT, "corners") == box([0, 6], [0, 1, 2], [0, 4])
    assert columns(region(COTTAGE, "corners")) == {(x, z) for x in (1, 7) for z in (1, 5)}
    assert min(y for _, y, _ in region(COTTAGE, "corners")) == 1, "above the plinth"


def test_corners_of_a_bent_house_are_the_convex_ones():
    assert columns(region(L_SHAPED, "corners")) == {(0, 0), (8, 0), (8, 4), (4, 7), (0, 7)}


def test_a_partition_or_a_porch_has_no_corner():
    assert columns(region(TWO, "corners")) == {(x, z) for x in (0, 10) for z in (0, 6)}
    porch = filled(filled(HUT, "#", [0, 6], [0, 1, 2], [7]), "=", range(7), [3], [5, 6, 7])
    assert columns(region(porch, "corners")) == {(x, z) for x in (0, 6) for z in (0, 4)}


def test_corners_run_through_storeys():
    upper = filled(HUT, "#", range(7), [4, 5, 6], [0, 4])
    upper = filled(filled(upper, "#", [0, 6], [4, 5, 6], [1, 2, 3]), "=", range(7), [7], range(5))
    upper = edited(upper, *((1, y, 1, "L") for y in range(4)))
    assert region(upper, "corners") >= box([0, 6], [0, 1, 2, 4, 5, 6], [0, 4])
    assert columns(region(upper, "corners")) == {(x, z) for x in (0, 6) for z in (0, 4)}


def test_facades_leave_openings_and_corners_out():
    assert region(HUT, "facade(north)") == box(range(1, 6), [0, 1, 2], [0])
    assert region(HUT, "facade(south)") == box(range(1, 6), [0, 1, 2], [4]) - box([3], [0, 1], [4])
    assert region(HUT, "facade(east)") == box([6], [0, 1, 2], [1, 2, 3])
    window = edited(HUT, (2, 1, 0, "p"), (4, 1, 0, "."))
    assert region(window, "facade(north)") == box(range(1, 6), [0, 1, 2], [0]) - {(2, 1, 0), (4, 1, 0)}


def test_facades_stand_between_plinth_and_roof():
    found = region(COTTAGE, "facade(south)")
    assert found == box(range(2, 7), [1, 2, 3], [5]) - box([4], [1, 2, 3], [5]), "neither posts nor plinth nor gable"
    assert region(COTTAGE, "facade(west)") == box([1], [1, 2, 3], [2, 3, 4]) - {(1, 2, 2)}


def test_what_stands_before_a_wall_is_no_facade():
    hedge = filled(HUT, "f", range(-1, 8), [0], [-2])
    assert region(hedge, "facade(north)") == box(range(1, 6), [0, 1, 2], [0])
    sign = edited(HUT, (3, 2, 5, "w"), (2, 1, 5, "u"))
    assert region(sign, "facade(south)") == region(HUT, "facade(south)")
    skin = filled(HUT, "=", range(1, 6), [0, 1, 2, 3], [-1])
    assert region(skin, "facade(north)") >= box(range(2, 5), [0, 1, 2], [-1]), "cladding is"
    assert not region(skin, "facade(north)") & box(range(7), range(3), [0]) & box(range(2, 5), range(3), [0])


def test_facades_of_a_bent_house_lie_in_two_planes():
    found = region(L_SHAPED, "facade(south)")
    assert {z for _, _, z in found} == {4, 7}
    assert found >= box([5, 6, 7], [0, 1, 2], [4]) | box([1, 3], [0, 1, 2], [7])
    assert found <= box([5, 6, 7], [0, 1, 2], [4]) | box([1, 2, 3], [0, 1, 2], [7])


def test_facades_turn_with_the_build():
    for build in (HUT, COTTAGE, L_SHAPED):
        turned = build.turned(1)
        for side, after in zip(SIDES, (*SIDES[1:], SIDES[0]), strict=True):
            moved = {(-z - 1, y, x) for x, y, z in region(build, f"facade({side})")}
            assert region(turned, f"facade({after})") == moved


def test_a_flat_roof():
    assert region(HUT, "roof") == box(range(7), [3], range(5))
    eaves = filled(HUT, "-", range(-1, 8), [3], [-1, 5])
    assert region(eaves, "roof") == box(range(7), [3], range(5)) | box(range(-1, 8), [3], [-1, 5])
    lamp = edited(HUT, (3, 4, 2, "l"), (2, 4, 2, "c"), (1, 4, 1, "t"))
    assert region(lamp, "roof") == region(HUT, "roof"), "what lies on it hides nothing"
    tree = filled(HUT, "#", [10], range(6), [2])
    assert region(tree, "roof") == region(HUT, "roof")
    assert (3, 3, 2) not in region(cleared(HUT, [3], [3], [2]), "roof")


def test_a_chimney_is_no_roof():
    chimney = filled(HUT, "#", [1, 2], [4, 5, 6], [1, 2])
    assert not any(y > 3 for _, y, _ in region(chimney, "roof"))
    tower = filled(HUT, "#", [1, 2, 3], [4, 5, 6], [1, 2, 3])
    assert region(tower, "roof") >= box([1, 2, 3], [6], [1, 2, 3]), "three by three is a turret"


def test_a_pitched_roof():
    found = region(COTTAGE, "roof")
    assert found >= box(range(2, 7), [6], [2, 3, 4]), "its ridge"
    assert found >= box([0, 8], [4], range(1, 6)), "its eaves"
    assert not any(state == "stone" for x, y, z, state in COTTAGE.blocks.rows() if (x, y, z) in found and y < 4)
    assert not columns(found) & {(0, 7), (8, 7)}


def test_porch_roofs_lower_down():
    porch = filled(filled(HUT, "_", range(7), [2], [5, 6]), "f", [0, 6], [0, 1], [6])
    assert region(porch, "roof") >= region(HUT, "roof")


def test_what_stands_in_rooms():
    inside = {(1, 0, 1): "B", (2, 0, 1): "b", (4, 0, 1): "S", (4, 1, 1): "c", (3, 2, 2): "l", (3, 2, 3): "w"}
    furnished = edited(HUT, *((*cell, sign) for cell, sign in inside.items()))
    assert region(furnished, "interior") == set(inside)
    assert not region(HUT, "interior"), "walls, door and roof are no furniture"
    garden = edited(HUT, (9, 0, 2, "S"), (3, 4, 2, "l"), (3, 0, 6, "c"))
    assert not region(garden, "interior"), "nor is what stands in the garden or upon the roof"


def test_floors_and_ceilings():
    floored = filled(HUT, "=", range(1, 6), [-1], [1, 2, 3])
    assert region(floored, "floor(1)") >= box(range(1, 6), [-1], [1, 2, 3])
    assert not region(HUT, "floor(1)"), "the ground is no block"
    assert region(HUT, "ceiling(1)") == box(range(1, 6), [3], [1, 2, 3])
    assert not region(HUT, "floor(2)") and not region(HUT, "ceiling(2)")
    hanging = filled(HUT, "l", [2, 3], [2], [2])
    assert region(hanging, "ceiling(1)") == region(HUT, "ceiling(1)")


@pytest.mark.parametrize("name", ["facade(north)", "roof", "corners"])
def test_shares_are_shares_of_these(name):
    """Nine cells in ten, wherever they lie; what lies elsewhere does not count."""
    cells = sorted(region(HUT, name))
    few, many = cells[: len(cells) // 10], cells[: len(cells) // 5 + 1]
    others = [block[:3] for block in HUT.blocks.rows() if block[:3] not in cells and "door" not in block[3]]
    material = "oak_planks" if name == "roof" else "stone"
    for build, good in (
        (edited(HUT, *((*cell, "g" if name == "roof" else "S") for cell in few)), True),
        (edited(HUT, *((*cell, "v" if name == "roof" else "S") for cell in many)), False),
        (edited(HUT, *((*cell, "x") for cell in others), x="dirt"), True),
    ):
        assert passes(build, "share", materials=material, region=name) is good
