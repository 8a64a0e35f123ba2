"""Boxes, parts, groups of a level, members, enclosing walls, covers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks import Build
from minece.checkers import bind, evaluate


def box(x, y, z, w, h, d, state="stone"):
    return [(x + i, y + j, z + k, state) for i in range(w) for j in range(h) for k in range(d)]


def without(blocks, *cells):
    return [b for b in blocks if b[:3] not in cells]


def judge(blocks, name, **args):
    return evaluate(Build.from_blocks(blocks), [bind(name, args)])[0]


# filled -------------------------------------------------------------------------------------------------------------


def test_filled_names_the_missing_cells():
    slab = box(0, -1, 0, 7, 1, 8)
    assert judge(slab, "filled").status == "pass"
    verdict = judge(without(slab, (3, -1, 3), (0, -1, 0)), "filled")
    assert (verdict.status, verdict.measured) == ("fail", 2)
    assert sorted(map(tuple, verdict.cells.tolist())) == [(0, -1, 0), (3, -1, 3)]
    assert "2 cells" in verdict.message


def test_two_corners_do_not_fill_a_slab():
    assert judge([(0, 0, 0, "stone"), (6, 0, 6, "stone")], "filled").measured == 47


def test_a_torch_fills_nothing():
    blocks = without(box(0, 0, 0, 3, 1, 3), (1, 0, 1)) + [(1, 0, 1, "torch")]
    assert judge(blocks, "filled").status == "fail"


def test_a_box_of_a_size_may_lie_anywhere_and_either_way():
    blocks = box(5, 0, -9, 2, 1, 7) + box(0, 0, 0, 1, 1, 1)
    assert judge(blocks, "filled", size=[7, 1, 2]).status == "pass"
    verdict = judge(without(blocks, (6, 0, -5)), "filled", size=[7, 1, 2])
    assert (verdict.status, verdict.measured) == ("fail", 1) and len(verdict.cells)
    assert judge(blocks, "filled", size=[7, 3, 2]).measured == 42


@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 3)), min_size=1))
def test_filled_counts_what_the_bounding_box_lacks(cells):
    spans = [max(c[i] for c in cells) - min(c[i] for c in cells) + 1 for i in range(3)]
    verdict = judge([(*c, "stone") for c in cells], "filled")
    missing = spans[0] * spans[1] * spans[2] - len(cells)
    assert verdict.measured == missing
    if missing:
        assert len(verdict.cells) == missing
        assert not {tuple(c) for c in verdict.cells.tolist()} & cells


# connected ----------------------------------------------------------------------------------------------------------


def test_connected_counts_parts_by_faces():
    assert judge([(0, 0, 0, "stone"), (1, 1, 0, "stone")], "connected").measured == 2
    assert judge([(0, 0, 0, "stone"), (1, 0, 0, "oak_slab")], "connected").status == "pass"
    verdict = judge([*box(0, 0, 0, 3, 1, 1), (9, 0, 0, "stone")], "connected")
    assert verdict.cells.tolist() == [[9, 0, 0]]


# clusters, gap ------------------------------------------------------------------------------------------------------


def test_clusters_join_by_sides_or_corners():
    blocks = [(0, 0, 0, "stone"), (1, 0, 1, "stone")]
    assert judge(blocks, "clusters", bound=2).status == "pass"
    assert judge(blocks, "clusters", bound=1, connectivity=8).status == "pass"
    assert judge(blocks, "clusters", bound={"at_least": 3}).status == "fail"
    assert judge(blocks, "clusters", bound=0, region="layer(4)").status == "fail"


@pytest.mark.parametrize(
    ("cells", "free"),
    [
        ([(0, 0, 0), (11, 0, 0)], 10),
        ([(0, 0, 0), (0, 0, -4)], 3),
        ([(0, 0, 0), (1, 0, 1)], 0),  # one group: corners join, so no gap
        ([(0, 0, 0), (5, 0, 5)], None),  # they do not face each other
        ([(0, 0, 0)], 0),
        ([(0, 0, 0), (4, 0, 0), (10, 0, 0)], 3),
        ([(0, 0, 0), (0, 0, 1), (0, 0, 2), (5, 0, 2), (4, 0, 7)], 4),
    ],
)
def test_gap_counts_free_cells_face_to_face(cells, free):
    verdict = judge([(*c, "stone") for c in cells], "gap", at_least=3)
    assert verdict.measured == free
    assert (verdict.status == "pass") == (free is not None and free >= 3)


plans = st.sets(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=2, max_size=25)


@given(plans)
def test_gap_is_that_of_the_nearest_groups_that_face_each_other(plan):
    parts = {cell: i for i, cell in enumerate(plan)}
    for a in plan:
        for b in plan:
            if max(abs(a[0] - b[0]), abs(a[1] - b[1])) == 1 and parts[a] != parts[b]:
                old, new = parts[a], parts[b]
                parts = {cell: new if part == old else part for cell, part in parts.items()}
    free = []
    for (x, z), part in parts.items():
        for dx, dz in ((1, 0), (0, 1)):
            step = next((k for k in range(1, 14) if (x + k * dx, z + k * dz) in parts), None)
            if step is not None and parts[x + step * dx, z + step * dz] != part:
                free.append(step - 1)
    verdict = judge([(x, 0, z, "stone") for x, z in plan], "gap", at_least=1)
    expected = min(free) if free else None
    assert verdict.measured == (expected if len(set(parts.values())) > 1 else 0)


# prisms, runs -------------------------------------------------------------------------------------------------------

ROOF = box(0, 3, 0, 5, 1, 5, "oak_planks")
CORNERS = [(0, 0), (4, 0), (0, 4), (4, 4)]
COLUMNS = [b for x, z in CORNERS for b in box(x, 0, z, 1, 3, 1)]


def columns(blocks, **more):
    args = dict(materials="stone", count=4, section=[1, 1], length=3, carries="all of oak_planks") | more
    return judge(blocks, "prisms", **args)


def test_prisms_are_exact_members_under_what_they_carry():
    assert columns(ROOF + COLUMNS).measured == {"members": 4, "wrong": 0, "apart": 3}
    assert columns(ROOF + COLUMNS).status == "pass"
    assert columns(ROOF + COLUMNS, count={"at_least": 2}).status == "pass"
    assert columns(ROOF + COLUMNS, apart=3).status == "pass"


@pytest.mark.parametrize(
    "blocks",
    [
        ROOF,
        COLUMNS,
        ROOF + COLUMNS[3:],
        ROOF + COLUMNS + [(2, 2, 2, "stone")],
        ROOF + without(COLUMNS, (0, 1, 0)),
        ROOF + without(COLUMNS, (0, 2, 0)),
        ROOF + COLUMNS + [(1, 0, 0, "stone")],
        ROOF + COLUMNS + box(2, 0, 9, 1, 3, 1),
        ROOF + [b for x, z in CORNERS for b in box(x, -1, z, 1, 4, 1)],
        box(0, 4, 0, 5, 1, 5, "oak_planks") + COLUMNS,
    ],
)
def test_prisms_see_every_wrong_member(blocks):
    verdict = columns(blocks)
    assert verdict.status == "fail" and len(verdict.cells)


def test_prisms_that_must_stand_on_the_ground_do_not_hang_over_holes():
    args = dict(materials="stone", count=2, section=[1, 1], length=2, carries="all of oak_planks", on_ground=True)
    table = box(0, 0, 0, 1, 2, 1) + box(2, 0, 0, 1, 2, 1) + box(0, 2, 0, 3, 1, 1, "oak_planks")
    assert judge(table, "prisms", **args).status == "pass"
    on_a_lamp = judge([*table, (2, -1, 0, "sea_lantern")], "prisms", **args)
    over_a_hole = evaluate(Build.from_blocks(table, dug=[(2, -1, 0)]), [bind("prisms", args)])[0]
    for verdict in (on_a_lamp, over_a_hole):
        assert (verdict.status, verdict.measured) == ("fail", {"members": 1, "wrong": 1, "apart": None})
        assert "does not stand on the ground" in verdict.message
        assert verdict.cells.tolist() == [[2, 0, 0], [2, 1, 0]]


def test_prisms_keep_their_distance():
    close = ROOF + [b for x, z in [(0, 0), (1, 1), (4, 4), (0, 4)] for b in box(x, 0, z, 1, 3, 1)]
    assert columns(close).status == "pass"
    verdict = columns(close, apart=1)
    assert verdict.status == "fail" and verdict.measured["apart"] == 0


def test_piles_of_the_cap_own_material_hang_below_its_layers():
    cap = box(0, -2, 0, 7, 2, 7)
    piles = [b for x, z in [(0, 0), (6, 6), (0, 6), (3, 3)] for b in box(x, -7, z, 1, 5, 1)]
    args = dict(materials="stone", count=4, section=[1, 1], length=5, carries="upper(2)", apart=1)
    assert judge(cap + piles, "prisms", **args).status == "pass"
    assert judge(cap + piles + [(1, -7, 0, "stone")], "prisms", **args).status == "fail"


HOUSE = [
    *box(0, 0, 0, 6, 1, 7, "gray_concrete"),
    *(b for x, z in [(0, 0), (5, 0), (0, 6), (5, 6)] for b in box(x, 1, z, 1, 3, 1)),
    *(
        (x, y, z, "dirt")
        for x in range(6)
        for z in range(7)
        for y in (1, 2, 3)
        if (x in (0, 5) or z in (0, 6)) and (x, z) not in [(0, 0), (5, 0), (0, 6), (5, 6)]
    ),
    *box(0, 4, 0, 6, 1, 7, "oak_planks"),
]
BETWEEN = ["all of #concrete", "all of oak_planks"]


def test_runs_stand_from_one_region_to_the_other_also_in_a_wall():
    assert judge(HOUSE, "runs", materials="stone", between=BETWEEN, count=4).status == "pass"
    cut = without(HOUSE, (0, 2, 0)) + [(0, 2, 0, "dirt")]
    assert judge(cut, "runs", materials="stone", between=BETWEEN, count=4).measured == 3
    assert judge(HOUSE, "runs", materials="bricks", between=BETWEEN).status == "fail"


def test_a_thick_column_is_one():
    blocks = box(0, 0, 0, 4, 1, 4, "gray_concrete") + box(0, 1, 0, 2, 3, 2) + box(0, 4, 0, 4, 1, 4, "oak_planks")
    assert judge(blocks, "runs", materials="stone", between=BETWEEN, count=1).status == "pass"


# encloses, covers ---------------------------------------------------------------------------------------------------


def ringed(blocks):
    return judge(blocks, "encloses", materials="dirt, stone", between=BETWEEN)


def test_walls_enclose_with_doorways_and_windows():
    assert ringed(HOUSE).measured == 20
    door = [(2, 1, 0), (2, 2, 0)]
    assert ringed(without(HOUSE, *door)).measured == 20
    window = [(2, 2, 6), (3, 2, 6)]
    assert ringed(without(HOUSE, *door, *window)).measured == 20
    full_height = [(2, y, 0) for y in (1, 2, 3)]
    assert ringed(without(HOUSE, *full_height)).measured == 20
    back_door = [(0, y, 3) for y in (1, 2, 3)]
    assert ringed(without(HOUSE, *full_height, *back_door)).measured == 20


@pytest.mark.parametrize(
    "missing",
    [
        [(x, y, 0) for x in (1, 2, 3, 4) for y in (1, 2, 3)],
        [(0, y, z) for z in range(7) for y in (1, 2, 3)],
        [(x, y, z) for x in range(6) for z in range(7) for y in (1, 2, 3)],
        [(x, 2, z) for x in range(6) for z in range(7)],
        [(x, y, z) for x in range(6) for z in range(7) for y in (1, 2, 3) if (x + z) % 2],
        [(x, 1, 0) for x in (1, 2, 3, 4)],
    ],
    ids=["wide gap", "side missing", "all missing", "level missing", "chequered", "wide slot"],
)
def test_walls_that_do_not_close(missing):
    verdict = ringed(without(HOUSE, *missing))
    assert verdict.status == "fail" and verdict.measured == 0 and len(verdict.cells)


def test_glass_is_no_wall_of_dirt():
    glazed = [(x, y, z, "glass" if s == "dirt" else s) for x, y, z, s in HOUSE]
    assert ringed(glazed).status == "fail"


def hall(width, depth, columns=(), missing=()):
    """A house of walls 3 high with open doorways where cells in plan are missing."""
    plan = [(x, z) for x in range(width) for z in range(depth)]
    walls = [(x, z) for x, z in plan if (x in (0, width - 1) or z in (0, depth - 1)) and (x, z) not in missing]
    blocks = [(x, 0, z, "white_concrete") for x, z in plan] + [(x, 4, z, "oak_planks") for x, z in plan]
    blocks += [(x, y, z, "dirt") for x, z in walls for y in (1, 2, 3)]
    return blocks + [(x, y, z, "stone") for x, z in columns for y in (1, 2, 3)]


def test_a_doorway_of_full_height_is_found_in_a_hall_of_columns_and_in_a_long_one():
    columns = [(x, z) for x in range(2, 13, 2) for z in range(2, 13, 2)]
    assert ringed(hall(15, 15, columns, [(14, 7)])).measured == 13 * 13 - len(columns)
    assert ringed(hall(60, 5, missing=[(0, 2)])).measured == 58 * 3
    assert ringed(hall(60, 5, missing=[(0, 2), (59, 2)])).measured == 58 * 3


@pytest.mark.parametrize("ends", [[0], [0, 6]])
def test_the_open_end_of_a_passage_is_no_doorway(ends):
    assert ringed(hall(7, 5, missing=[(x, z) for x in ends for z in (1, 2, 3)])).status == "fail"
    assert ringed(hall(7, 4, missing=[(x, z) for x in ends for z in (1, 2)])).status == "fail"
    assert ringed(hall(7, 5, missing=[(x, z) for x in ends for z in (1, 2)])).status == "pass"


def test_covers_lie_over_cells_or_over_what_they_enclose():
    walls = "all of dirt, stone"
    inside = dict(region=walls, by="all of oak_planks", part="inside")
    assert judge(HOUSE, "covers", **inside).status == "pass"
    assert judge(HOUSE, "covers", region=walls, by="all of #concrete", side="below").status == "pass"
    hole = judge(without(HOUSE, (2, 4, 3)), "covers", **inside)
    assert (hole.status, hole.measured) == ("fail", 1) and hole.cells[0, [0, 2]].tolist() == [2, 3]
    overhang = without(HOUSE, (0, 4, 3))
    assert judge(overhang, "covers", **inside).status == "pass"
    assert judge(overhang, "covers", region=walls, by="all of oak_planks").measured == 1
    assert judge(without(HOUSE, (0, 0, 3)), "covers", region=walls, by="all of #concrete", side="below").measured == 1
    assert judge(HOUSE, "covers", region=walls, by="all of bricks").status == "fail"


def test_a_lump_of_something_else_is_no_enclosed_space():
    lump = [(x, y, z, "bricks") for x in range(1, 5) for z in range(1, 6) for y in (1, 2, 3)]
    assert ringed(HOUSE + lump).measured == 0
    assert ringed(HOUSE + lump[1:]).measured == 1


def test_a_room_has_floor_and_head_room_where_that_is_asked_for():
    args = dict(materials="dirt, stone", between=BETWEEN, at_least=4, clear=2)
    assert judge(HOUSE, "encloses", **args).measured == 20
    lump = [(x, y, z, "bricks") for x in range(1, 5) for z in range(1, 6) for y in (1, 2)]
    assert judge(HOUSE + lump, "encloses", **args).measured == 0
    left = judge(HOUSE + lump[2:], "encloses", **args)
    assert (left.status, left.measured, left.required) == ("fail", 1, {"at_least": 4})


def test_soil_that_was_not_dug_is_no_enclosed_space():
    sunk = [(x, y - 9, z, state) for x, y, z, state in HOUSE]
    assert ringed(sunk).measured == 0
    inside = [(x, y, z) for x in range(1, 5) for y in (-8, -7, -6) for z in range(1, 6)]
    args = dict(materials="dirt, stone", between=BETWEEN)
    assert evaluate(Build.from_blocks(sunk, dug=inside), [bind("encloses", args)])[0].measured == 20


def limited(blocks, openings=1):
    return judge(blocks, "encloses", materials="dirt, stone", between=BETWEEN, openings=openings)


def test_open_doorways_and_windows_can_be_limited():
    door, window = [(2, 1, 0), (2, 2, 0)], [(2, 2, 6), (3, 2, 6)]
    assert limited(HOUSE, 0).measured == {"cells": 20, "openings": 0}
    assert limited(without(HOUSE, *door)).status == "pass"
    both = limited(without(HOUSE, *door, *window))
    assert (both.status, both.measured["openings"]) == ("fail", 2)
    assert set(map(tuple, both.cells.tolist())) == {*door, *window}
    leaf = [(*door[0], "oak_door[half=lower]"), (*door[1], "oak_door[half=upper]")]
    glass = [(*cell, "glass") for cell in window]
    assert limited(without(HOUSE, *door, *window) + leaf + glass, 0).status == "pass"
    full_height = [(2, y, 0) for y in (1, 2, 3)]
    assert limited(without(HOUSE, *full_height)).status == "pass"


def test_low_pieces_of_wall_are_no_openings():
    bench = [(2, 1, 3, "stone"), (8, 1, 3, "dirt")]
    assert limited(HOUSE + bench, 0).measured["openings"] == 0


def test_glazing_of_any_size_closes_but_makes_no_wall():
    ribbon = [(x, 2, 0) for x in (1, 2, 3, 4)]
    assert ringed(without(HOUSE, *ribbon)).status == "fail"
    assert ringed(without(HOUSE, *ribbon) + [(*cell, "glass_pane") for cell in ribbon]).measured == 20


def test_furniture_of_the_ceilings_material_changes_nothing():
    table = [(2, 1, 2, "oak_planks"), (3, 1, 2, "oak_planks")]
    assert ringed(HOUSE + table).measured == 20
    inside = dict(region="all of dirt, stone", by="all of oak_planks", part="inside")
    assert judge(HOUSE + table, "covers", **inside).status == "pass"
    assert judge(without(HOUSE, (2, 4, 2)) + table, "covers", **inside).measured == 1
    railing = [(x, 5, 0, "oak_planks") for x in range(6)]
    assert ringed(HOUSE + railing).measured == 20


def test_a_plank_floor_on_the_foundation_is_not_the_ceiling():
    floor = [(x, 1, z, "oak_planks") for x in range(1, 5) for z in range(1, 6)]
    assert ringed(HOUSE + floor).measured == 20


# regions ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("region", "number"),
    [
        ("all", 150),
        ("layer(0)", 42),
        ("layer(9)", 0),
        ("lowest", 42),
        ("highest", 42),
        ("highest of stone", 4),
        ("upper(2)", 64),
        ("lower(2) of dirt, stone", 44),
        ("below_ground", 0),
        ("above_ground", 150),
    ],
)
def test_regions(region, number):
    from minece.checkers.regions import Region
    from minece.checkers.scene import Scene

    assert Region.read(region).mask(Scene(Build.from_blocks(HOUSE))).sum() == number


def test_columns_are_free_on_four_sides_and_carry():
    from minece.checkers.regions import Region
    from minece.checkers.scene import Scene

    def found(blocks):
        scene = Scene(Build.from_blocks(blocks))
        return scene.cells[Region.read("columns").mask(scene)].tolist()

    assert len(found(ROOF + COLUMNS)) == 12
    assert found(HOUSE) == []
    assert found(COLUMNS) == []


# binding ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("fild", {}, ["no rule 'fild'", "filled"]),
        ("filled", {"regoin": "all"}, ["no parameter 'regoin'", "region, size"]),
        ("filled", {"region": "roofs"}, ["rule filled", "highest"]),
        ("filled", {"region": "layer"}, ["layer(n)"]),
        ("filled", {"region": "lowest(2)"}, ["lowest"]),
        ("filled", {"region": 3}, ["a region"]),
        ("filled", {"size": [1, 2]}, ["list of 3"]),
        ("clusters", {}, ["'bound' is missing"]),
        ("clusters", {"bound": True}, ["a number"]),
        ("clusters", {"bound": {"atleast": 3}}, ["at_least"]),
        ("clusters", {"bound": 1, "connectivity": 6}, ["4", "8"]),
        ("gap", {"at_least": 2.5}, ["whole number"]),
        ("runs", {"materials": "#stones", "between": ["all", "all"]}, ["#stone"]),
        ("runs", {"materials": "", "between": ["all", "all"]}, ["block ids"]),
    ],
)
def test_wrong_rules_are_refused_when_they_are_bound(name, args, words):
    from minece.checkers import RuleError

    with pytest.raises(RuleError) as caught:
        bind(name, args)
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


def test_bound_rules_travel_to_other_processes():
    import pickle

    bound = bind("clusters", {"bound": 2, "region": "layer(0)"}, criterion="size")
    again = pickle.loads(pickle.dumps(bound))
    assert again == bound and again.values == bound.values and again.criterion == "size"


# what is out of the ordinary ----------------------------------------------------------------------------------------


def hut(x, lintel=None):
    """A hut of 5×5 with a doorway over its full height of two, without a roof."""
    walls = [(x + i, y, k, "stone") for i in range(5) for k in range(5) for y in (1, 2) if i in (0, 4) or k in (0, 4)]
    return box(x, 0, 0, 5, 1, 5, "gray_concrete") + without(walls, (x + 2, 1, 0), (x + 2, 2, 0))


def test_two_huts_are_judged_alike_whichever_way_they_face():
    blocks = hut(0) + hut(9) + box(0, 3, 0, 5, 1, 5, "oak_planks")
    rule = [bind("covers", dict(region="all of stone", by="all of oak_planks", part="inside"))]
    build = Build.from_blocks(blocks)
    assert {evaluate(b, rule)[0].measured for b in (build, build.mirrored("x"), build.turned(1))} == {9}


def test_columns_one_above_the_other_count_by_storey():
    storeys = [
        b
        for y in (0, 4)
        for b in box(0, y, 0, 3, 1, 3, "gray_concrete") + box(0, y + 1, 0, 1, 3, 1) + box(2, y + 1, 0, 1, 3, 1)
    ]
    build = Build.from_blocks(storeys + box(0, 8, 0, 3, 1, 3, "gray_concrete"))
    rule = [bind("runs", dict(materials="stone", between=["all of #concrete"] * 2, count=4))]
    for moved in (build, build.mirrored("x"), build.mirrored("z"), build.turned(1)):
        assert evaluate(moved, rule)[0].status == "pass"


def test_a_full_box_is_found_beside_a_stray_block():
    blocks = box(0, 0, 0, 3, 3, 3) + [(10**6, 0, 10**6, "stone")]
    assert judge(blocks, "filled", size=[3, 3, 3]).status == "pass"
    assert judge(without(blocks, (1, 1, 1)), "filled", size=[3, 3, 3]).measured == 1


def test_a_gap_over_several_levels_is_seen_from_above():
    blocks = box(0, 0, 0, 1, 3, 1) + box(5, 0, 0, 1, 2, 1)
    assert judge(blocks, "gap", at_least=4, region="all").measured == 4


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("filled", {"size": [0, 1, 1]}),
        ("filled", {"size": [-1, 1, 1]}),
        ("gap", {"at_least": -1}),
        ("supported_order", {"within": -1}),
        ("order", {"stages": ["all"], "storeys": 0}),
    ],
)
def test_lengths_below_their_least_are_refused(name, args):
    from minece.checkers import RuleError

    with pytest.raises(RuleError, match="from"):
        bind(name, args)


def test_what_encloses_nothing_has_no_measure():
    verdict = judge(
        [(0, 0, 0, "stone"), (0, 4, 0, "oak_planks")],
        "covers",
        region="all of stone",
        by="all of oak_planks",
        part="inside",
    )
    assert (verdict.status, verdict.measured) == ("fail", None) and len(verdict.cells)


def test_scattered_groups_take_no_square_memory():
    import tracemalloc

    from minece.blocks import as_cells
    from minece.checkers.groups import least_gap

    board = [(x, 0, z) for x in range(0, 120) for z in range(0, 120) if (x + z) % 2]
    cells = as_cells(board + [(x + 125, 0, z) for x, _, z in board] + [(400, 0, 400)])
    group = np.repeat([0, 1, 2], [len(board), len(board), 1])
    tracemalloc.start()
    assert least_gap(cells, group) == 5
    assert tracemalloc.get_traced_memory()[1] < 20 * 2**20
    tracemalloc.stop()


@given(plans.filter(lambda plan: len(plan) > 3))
def test_least_gap_is_that_of_the_nearest_cells_of_two_groups(plan):
    from minece.blocks import as_cells
    from minece.checkers.groups import least_gap

    rows = sorted(plan)
    group = np.array([i % 3 for i in range(len(rows))])
    pairs = [(a, b) for i, a in enumerate(rows) for j, b in enumerate(rows[:i]) if group[i] != group[j]]
    free = min(max(abs(a[0] - b[0]), abs(a[1] - b[1])) for a, b in pairs) - 1
    assert least_gap(as_cells([(x, 0, z) for x, z in rows]), group) == free


def test_numbers_are_written_out():
    verdict = judge([(0, 0, 0, "stone")], "count", bound=1234567)
    assert verdict.required == 1234567 and "exactly 1234567" in verdict.message


def test_a_rule_that_breaks_is_an_error_not_the_end():
    from minece.checkers.rules import solids

    def broken(scene, **_):
        raise ZeroDivisionError("oops")

    bound = bind("filled", {})
    object.__setattr__(bound.info, "function", broken)
    try:
        verdict = evaluate(Build.from_blocks([(0, 0, 0, "stone")]), [bound])[0]
    finally:
        object.__setattr__(bound.info, "function", solids.filled)
    assert verdict.status == "error" and "oops" in verdict.message


def test_very_many_cells_are_written_down_in_part():
    written = judge(box(0, 5, 0, 40, 1, 40), "grounded").to_dict()
    assert len(written["cells"]) == 1000 and written["cells_total"] == 1600


@pytest.mark.parametrize(
    ("name", "args", "words"),
    [
        ("only", {"materials": "ston"}, ["no block 'ston'", "stone"]),
        ("only", {"materials": "stone, zzzz"}, ["no block 'zzzz'", "mod:name"]),
        ("covers", {"region": "all of ston", "by": "all"}, ["ston"]),
        ("budget", {"stock": {"oak_plank": 3}}, ["oak_planks"]),
        ("extent", {}, ["nothing is asked for", "width or depth or height"]),
        ("thikness", {"bound": 1}, ["did you mean thickness"]),
    ],
)
def test_slips_are_told(name, args, words):
    from minece.checkers import RuleError

    with pytest.raises(RuleError) as caught:
        bind(name, args)
    assert all(word in str(caught.value) for word in words)


def test_blocks_of_mods_can_be_named():
    assert judge([(0, 0, 0, "mod:marble")], "only", materials="mod:marble").status == "pass"


@pytest.mark.parametrize(
    "value", [int("f" * 6000, 16), [[[[[[[["stone"]]]]]]]] * 500, "x" * 10**6], ids=["digits", "depth", "length"]
)
def test_values_that_cannot_be_shown_are_told_in_one_short_line(value):
    from minece.checkers import RuleError

    with pytest.raises(RuleError) as caught:
        bind("filled", {"region": value})
    assert len(str(caught.value)) < 300
