"""Alike on both sides or not: houses that are, houses that are not, and what must not count."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minece.blocks import Build
from minece.blocks.orient import mirror_state, turn_state
from minece.blocks.states import canonical_state
from minece.checkers import bind, evaluate, mirror


def box(x, y, z, w, h, d, state="stone"):
    return [(x + i, y + j, z + k, state) for i in range(w) for j in range(h) for k in range(d)]


def without(blocks, cells):
    gone = {c[:3] for c in cells}
    return [b for b in blocks if b[:3] not in gone]


def hollow(x, y, z, w, h, d, state="stone"):
    return without(box(x, y, z, w, h, d, state), box(x + 1, y, z + 1, w - 2, h - 1, d - 2))


def judge(blocks, name, **args):
    return evaluate(Build.from_blocks(blocks), [bind(name, args)])[0]


def cells(verdict):
    return set(map(tuple, verdict.cells.tolist()))


HOUSE = box(0, -1, 0, 11, 1, 9) + hollow(0, 0, 0, 11, 5, 9)
WING = box(11, -1, 0, 4, 1, 5) + hollow(11, 0, 0, 4, 5, 5)
DOOR = [(2, 0, 0, "oak_door[half=lower,facing=south]"), (2, 1, 0, "oak_door[half=upper,facing=south]")]


def test_a_box_is_alike_on_both_sides():
    verdict = judge(HOUSE, "symmetric")
    assert (verdict.status, verdict.measured) == ("pass", 1)
    assert verdict.message == "The build is 1 alike on both sides of the plane x = 5; at least 0.98 was asked for."
    verdict = judge(HOUSE, "not_symmetric")
    assert (verdict.status, verdict.measured, verdict.required) == ("fail", 1, {"at_most": 0.9})
    assert "on both sides of the plane x = 5; at most 0.9 is asked for" in verdict.message
    assert cells(verdict) == {b[:3] for b in HOUSE if b[1] >= 0}


def test_planes_run_through_cells_or_between_them():
    row = box(-3, 0, 0, 4, 1, 1)
    assert "the plane x = -1.5;" in judge(row, "symmetric").message
    assert "the plane x = 12345676.5;" in judge(box(12345675, 0, 0, 4, 1, 1), "symmetric").message
    # A strip at the end draws the box's middle away, but not the best plane.
    flag = box(0, 0, 0, 5, 6, 6) + box(0, 6, 2, 1, 1, 2) + box(0, 0, 6, 1, 1, 8)
    verdict = judge(flag, "symmetric")
    assert verdict.measured == 182 * 10_000 // 198 / 10_000
    assert "the plane z = 2.5;" in verdict.message
    assert cells(verdict) == {(0, 0, z) for z in range(6, 14)}
    assert "8 cells have no partner, at (0, 0, 6) and 7 more" in verdict.message


def test_a_wing_makes_a_house_unlike():
    verdict = judge(HOUSE + WING, "not_symmetric")
    assert verdict.status == "pass" and verdict.measured < 0.75
    assert judge(HOUSE + WING, "symmetric").status == "fail"


def test_a_tower_beside_the_middle_makes_a_house_unlike():
    assert judge(HOUSE + hollow(0, 5, 1, 4, 4, 4), "not_symmetric").status == "pass"


@pytest.mark.parametrize(
    "more",
    [
        [(1, 2, 1, "wall_torch[facing=east]"), (3, 3, 1, "lantern[hanging=true]")],
        [(1, 0, 1, "chest[facing=east]")],
        box(1, 0, 1, 3, 3, 7, "bookshelf") + box(4, 0, 1, 1, 2, 7, "barrel"),
        [(1, 0, 1, "red_bed[part=foot,facing=south]"), (1, 0, 2, "red_bed[part=head,facing=south]")],
        box(1, 0, 1, 6, 1, 7, "red_carpet"),
        box(11, 1, 0, 1, 4, 9, "vine[west=true]"),
        box(15, 0, 4, 1, 4, 1),
        box(15, 0, 0, 4, 4, 4),
        box(14, 0, 2, 1, 4, 1, "oak_log[axis=y]") + box(13, 3, 1, 3, 2, 3, "oak_leaves"),
        box(0, -5, 0, 11, 4, 3),
        box(11, 0, 0, 3, 1, 9, "water"),
    ],
    ids=["lamps", "chest", "shelves", "bed", "carpets", "vines", "pillar", "shed", "tree", "cellar", "pond"],
)
def test_what_is_no_part_of_the_house_makes_nothing_unlike(more):
    assert judge(HOUSE + more, "not_symmetric").measured == 1
    assert judge(HOUSE + more, "symmetric").measured == 1


def test_a_door_and_windows_are_wall():
    front = [(x, y, 0) for x in (4, 5, 8) for y in (1, 2)] + [(2, 0, 0), (2, 1, 0)]
    side = [(10, y, z) for y in (1, 2, 3) for z in (1, 2, 5, 6)]
    for filling in ("glass", "glass_pane", None):
        holes = without(HOUSE, front + side) + DOOR
        holes += [(*c, filling) for c in front[:-2] + side] if filling else []
        assert judge(holes, "symmetric").measured == 1, filling
        assert judge(holes, "not_symmetric").status == "fail"


def test_what_stands_in_a_room_below_its_ceiling_is_furniture():
    heap = box(7, 0, 5, 3, 2, 3, "stone") + box(1, 0, 1, 2, 1, 2, "oak_stairs[facing=east]")
    entered = without(HOUSE, DOOR) + DOOR
    assert judge(entered + heap, "symmetric").measured == 1
    up_to_the_ceiling = box(7, 0, 5, 3, 4, 3, "stone")
    assert judge(entered + up_to_the_ceiling, "not_symmetric").status == "pass"
    assert judge(HOUSE + box(7, 5, 5, 3, 2, 3, "stone"), "symmetric").status == "fail"


@pytest.mark.parametrize("material", ["bookshelf", "barrel", "oak_trapdoor[open=true]", "oak_leaves", "oak_fence_gate"])
def test_a_wall_of_furniture_is_a_wall(material):
    side = box(10, 0, 1, 1, 4, 7)
    roof = box(1, 4, 1, 5, 1, 3)
    built = without(HOUSE, side + roof + DOOR) + DOOR + [(*b[:3], material) for b in side + roof]
    assert judge(built, "symmetric").measured == 1
    assert judge(built, "symmetric", materials=True).status == "fail"
    # Along a wall and under a window it is none.
    shelves = box(9, 0, 5, 1, 3, 3, material) + box(9, 0, 1, 1, 1, 4, material)
    inside = without(HOUSE, DOOR + [(10, 1, 3)]) + DOOR + shelves
    assert judge(inside, "symmetric").measured == 1


def test_a_double_door_is_wall():
    leaf = "oak_door[half={},facing=south,open=true]"
    leaves = [(x, y, 0, leaf.format(("lower", "upper")[y])) for x in (2, 3) for y in (0, 1)]
    assert judge(without(HOUSE, leaves) + leaves, "symmetric").measured == 1


def test_doors_in_a_thick_wall_and_doors_as_a_closet():
    thick = without(HOUSE + box(1, 0, 1, 9, 4, 1), DOOR + [(2, 0, 1), (2, 1, 1)])
    inner = [(x, y, z + 1, s) for x, y, z, s in DOOR]
    assert judge(thick + DOOR + inner, "symmetric").measured == 1
    closet = [(9, y, z, s) for z in range(1, 8) for _, y, _, s in DOOR]
    assert judge(without(HOUSE, DOOR) + DOOR + closet, "symmetric").measured == 1
    screen = box(0, 0, 0, 7, 3, 1)
    assert judge(without(screen, DOOR) + DOOR, "symmetric", at_least=1).message.count("x = 3;") == 1


def test_a_fallen_front_is_no_window():
    open_front = without(HOUSE, box(1, 0, 0, 9, 4, 1) + box(0, 0, 1, 1, 4, 7))
    assert judge(open_front, "not_symmetric").status == "pass"


def test_diagonals():
    angle = hollow(0, 0, 0, 12, 4, 5) + without(hollow(0, 0, 0, 5, 4, 12), box(0, 0, 0, 5, 4, 5))
    angle = list({b[:3]: b for b in angle}.values())
    assert judge(angle, "symmetric").status == "fail"
    verdict = judge(angle, "symmetric", diagonal=True)
    assert "the plane x − z = 0;" in verdict.message and verdict.measured > 0.9
    assert judge(angle, "not_symmetric").status == "fail"
    turned = Build.from_blocks(angle).turned(1)
    (verdict,) = evaluate(turned, [bind("not_symmetric", {})])
    assert "the plane x + z = " in verdict.message


def test_a_half_turn_is_allowed():
    crank = box(0, 0, 0, 8, 3, 4) + box(5, 0, 4, 8, 3, 4)
    assert judge(crank, "not_symmetric").status == "pass"
    assert judge(crank, "symmetric").status == "fail"
    verdict = judge(crank, "symmetric", turns=True)
    assert (verdict.status, verdict.measured) == ("pass", 1)
    assert "after a half turn about x = 6, z = 3.5;" in verdict.message


def test_materials_count_when_asked():
    half = box(0, 0, 0, 5, 3, 3) + box(5, 0, 0, 5, 3, 3, "oak_planks")
    half = [(x, y, z, s if z != 2 else "bricks") for x, y, z, s in half]
    assert judge(half, "symmetric").measured == 1
    assert judge(half, "symmetric", materials=True).measured == 0.5
    assert judge(half, "not_symmetric", materials=True).status == "pass"


def test_states_must_be_mirrored_where_materials_count():
    stairs = "oak_stairs[facing={}]"
    gable = box(0, 0, 0, 6, 1, 4) + [(0, 1, z, stairs.format("east")) for z in range(4)]
    right = gable + [(5, 1, z, stairs.format("west")) for z in range(4)]
    wrong = gable + [(5, 1, z, stairs.format("north")) for z in range(4)]
    assert judge(right, "symmetric", materials=True).measured == 1
    assert judge(wrong, "symmetric", at_least=1).measured == 1
    assert judge(wrong, "symmetric", materials=True).status == "fail"


def test_of_equally_large_parts_all_are_compared():
    assert judge(box(0, 0, 0, 3, 2, 3) + box(7, 0, 0, 3, 2, 3), "symmetric").message.count("x = 4.5;") == 1


def test_nothing_above_ground():
    for name in ("symmetric", "not_symmetric"):
        for blocks in (box(0, -2, 0, 3, 2, 5), [(0, 0, 0, "torch")], box(0, 0, 0, 1, 1, 2, "chest")):
            verdict = judge(blocks, name)
            assert (verdict.status, verdict.measured) == ("fail", None)
            assert len(verdict.cells) == len(blocks)


def test_the_share_decides_exactly():
    bar = box(0, 0, 0, 6, 1, 3) + [(0, 1, 0, "stone")]
    assert judge(bar, "not_symmetric", at_most=0.9).measured == 0.9
    assert judge(bar, "not_symmetric", at_most=0.9).status == "pass"
    assert judge(bar, "symmetric", at_least=0.9).status == "pass"


def test_a_build_that_is_too_large_to_compare_is_an_error(monkeypatch):
    monkeypatch.setattr(mirror, "_MOST_BITS", 2000)
    assert judge(box(0, 0, 0, 15, 1, 15), "symmetric").status == "pass"
    verdict = judge(box(0, 0, 0, 17, 1, 15), "symmetric")
    assert verdict.status == "error" and "too far spread out" in verdict.message


# against a plain count ----------------------------------------------------------------------------------------------

PALETTE = ["stone", "oak_planks", "oak_stairs[facing=east]", "oak_stairs[facing=north]", "stone_slab[type=top]"]

IMAGES = {
    "x": lambda x, z, s: (-x, z, mirror_state(s, "x")),
    "z": lambda x, z, s: (x, -z, mirror_state(s, "z")),
    "difference": lambda x, z, s: (z, x, mirror_state(turn_state(s, 1), "x")),
    "sum": lambda x, z, s: (-z, -x, mirror_state(turn_state(s, 1), "z")),
    "turn": lambda x, z, s: (-x, -z, turn_state(s, 2)),
}


def plain_share(blocks, kinds, materials):
    """Every image under every shift that keeps to the lattice and to the kind."""
    have = {(x, y, z, s if materials else "") for x, y, z, s in blocks}
    best = 0
    for kind in kinds:
        image = [(a, y, b, t if materials else "") for x, y, z, s in blocks for a, b, t in [IMAGES[kind](x, z, s)]]
        far = range(-14, 15)
        shifts = {
            "x": [(i, 0) for i in far],
            "z": [(0, i) for i in far],
            "difference": [(i, -i) for i in far],
            "sum": [(i, i) for i in far],
            "turn": [(i, k) for i in far for k in far],
        }
        for i, k in shifts[kind]:
            shared = sum((a + i, y, b + k, t) in have for a, y, b, t in image)
            best = max(best, shared / (2 * len(have) - shared))
    return best


joined = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 3), st.integers(0, 4), st.sampled_from(PALETTE)), max_size=9
)


@settings(deadline=None, max_examples=60)
@given(joined, st.integers(3, 6), st.integers(3, 6), st.booleans(), st.integers(-4, 4))
def test_the_best_plane_is_found(more, width, depth, materials, at):
    # A slab keeps all in one part, above the height at which openings are looked for.
    blocks = {(x + at, 6, z - at): "stone" for x in range(width) for z in range(depth)}
    for x, y, z, state in more:
        for level in range(7, 8 + y):
            blocks[x % width + at, level, z % depth - at] = state
    rows = [(*c, canonical_state(s)) for c, s in blocks.items()]
    every = ("x", "z", "difference", "sum", "turn")
    for name, args, kinds in (
        ("symmetric", {}, every[:2]),
        ("symmetric", {"diagonal": True, "turns": True}, every),
        ("symmetric", {"turns": True}, ("x", "z", "turn")),
        ("not_symmetric", {}, every[:4]),
    ):
        verdict = judge(rows, name, materials=materials, **args)
        assert verdict.measured == pytest.approx(plain_share(rows, kinds, materials), abs=1.01e-4)
