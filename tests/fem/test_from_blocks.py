"""From builds to structures: what bears, where it rests, shapes, and things that hang."""

import numpy as np
import pytest

from minece.blocks import Build
from minece.fem import MaterialError, analyse, analyse_voxels, find_material, read_profile
from minece.fem.from_blocks import structure_of
from minece.fem.shapes import shape_of

G = 9.81
UNIFORM = "uniform:E=30e9,nu=0.2,rho=2400"


def built(*rows, dug=()):
    return Build.from_blocks(rows, dug=dug)


def mass(*blocks):
    """kg of whole blocks, one of each."""
    return sum(find_material(block).density for block in blocks)


def bridge_rows(block="stone"):
    rows = [(x, y, z, block) for x in range(9) for y in (3, 4) for z in range(2)]
    return rows + [(x, y, z, block) for x in (0, 1, 7, 8) for y in range(3) for z in range(2)]


def test_uniform_full_cubes_are_the_voxels():
    rows = bridge_rows()
    build = built(*rows)
    ours = analyse(build, materials=UNIFORM, full_cubes=True, paper=True)
    plain = analyse_voxels(build.blocks.cells, paper=True)
    assert np.array_equal(ours.rms_pa, plain.rms_pa) and ours.sigma_rms_pa == 184992.0
    assert ours.sigma_paper_pa == plain.sigma_paper_pa == pytest.approx(7800, rel=0.01)


def test_with_uniform_and_full_cubes_only_the_shape_counts():
    """An arch of wool, slabs and fences gains nothing."""
    names = ("white_wool", "oak_slab", "oak_fence", "glass_pane", "iron_bars", "oak_stairs[half=top]", "chest")
    rows = [(x, y, z, names[i % len(names)]) for i, (x, y, z, _) in enumerate(bridge_rows())]
    rows += [(4, 5, 0, "torch"), (4, 5, 1, "oak_leaves")]
    ours = analyse(built(*rows), materials=UNIFORM, full_cubes=True)
    assert np.array_equal(ours.rms_pa, analyse(built(*bridge_rows()), materials=UNIFORM).rms_pa)
    assert len(ours.approximate) == 0 and ours.notes == ()


@pytest.mark.parametrize("turn", [1, 2, 3])
def test_turned_mirrored_and_moved_builds_have_one_answer(turn):
    rows = [*bridge_rows("stone_bricks"), (4, 5, 0, "oak_stairs[facing=east]"), (5, 5, 0, "oak_leaves")]
    rows += [(x, 5, 1, "oak_slab") for x in range(3)] + [(3, 5, 0, "wall_torch[facing=west]")]
    build = built(*rows)
    for refine in (1, 2):
        first = analyse(build, refine=refine, paper=True)
        for other in (build.turned(turn), build.mirrored("x"), build.mirrored("z"), build.translated(1000, -7)):
            result = analyse(other, refine=refine, paper=True)
            for name in ("sigma_rms_pa", "sigma_lin_pa", "sigma_paper_pa", "max_displacement_m", "weight_n"):
                assert getattr(result, name) == pytest.approx(getattr(first, name), rel=2e-6)
            assert sorted(result.rms_pa) == pytest.approx(sorted(first.rms_pa), rel=2e-5)
            assert result.strength.utilisation == pytest.approx(first.strength.utilisation, rel=2e-6)


def test_supports_are_all_faces_that_rest_on_soil():
    """A post stands in a hole: its foot on soil, its sides free where dug; beside it a post in undug soil."""
    rows = [(0, y, 0, "oak_log") for y in (-2, -1, 0)] + [(5, y, 0, "oak_log") for y in (-2, -1, 0)]
    dug = [(x, -1, z) for x, z in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    structure = structure_of(built(*rows, dug=dug), read_profile("masonry"))
    cells = [tuple(cell) for cell in structure.cells.tolist()]
    rows_held = zip(cells, structure.held.tolist(), strict=True)
    held = {cell: "".join(letter for letter, has in zip("wedUns", row, strict=True) if has) for cell, row in rows_held}
    assert held == {
        (0, -2, 0): "wedns", (0, -1, 0): "", (0, 0, 0): "",
        (5, -2, 0): "wedns", (5, -1, 0): "wens", (5, 0, 0): "",
    }  # fmt: skip


def test_a_block_over_a_dug_cell_hangs_on_its_sides_or_floats():
    beside = analyse(built((0, -1, 0, "stone"), dug=[(0, -2, 0)]))
    assert beside.status == "ok"
    hole = [(0, -1, 0)]
    assert analyse(built((0, 0, 0, "stone"), dug=hole)).status == "floating"
    assert analyse(built((0, 0, 0, "stone"), (1, 0, 0, "stone"), dug=hole)).status == "ok"


def test_soil_above_carries_nothing():
    """A block that hangs under undug soil in a dug hole."""
    around = [(1, -2, 0), (-1, -2, 0), (0, -2, 1), (0, -2, -1), (0, -3, 0)]
    assert analyse(built((0, -2, 0, "stone"), dug=around)).status == "floating"


def test_earth_below_ground_is_soil_unless_it_is_named():
    rows = [(x, -1, z, "dirt") for x in range(3) for z in range(3)] + [(1, 0, 1, "stone")]
    result = analyse(built(*rows))
    assert len(result.cells) == 1
    assert len(analyse(built(*rows), named=frozenset({"dirt"})).cells) == 10


def test_empty_builds():
    assert analyse(built()).status == "empty"
    for block in ("water", "torch", "oak_leaves", "dirt"):
        assert analyse(built((0, -1 if block == "dirt" else 0, 0, block))).status == "empty"


def test_a_block_without_a_material_is_named():
    with pytest.raises(MaterialError, match="barrier has no material"):
        analyse(built((0, 0, 0, "stone"), (0, 1, 0, "barrier")))
    with pytest.raises(MaterialError, match="create:girder has no material"):
        analyse(built((0, 0, 0, "create:girder")))
    assert analyse(built((0, 0, 0, "create:girder")), materials="uniform").status == "ok"


@pytest.mark.parametrize(
    ("state", "refine", "filled", "share"),
    [
        ("stone", 1, 1, 1.0),
        ("oak_slab", 1, 1, 0.5), ("oak_slab", 2, 4, 1.0), ("oak_slab[type=double]", 2, 8, 1.0),
        ("oak_slab", 3, 27, 0.5), ("oak_slab", 4, 32, 1.0),
        ("oak_stairs", 1, 1, 0.75), ("oak_stairs", 2, 6, 1.0),
        ("oak_stairs[shape=inner_left]", 2, 7, 1.0), ("oak_stairs[shape=outer_left]", 2, 5, 1.0),
        ("oak_fence", 2, 8, 0.0625), ("oak_fence", 8, 2 * 2 * 8, 1.0),
        ("oak_fence[east=true,west=true]", 2, 8, 0.25),
        ("glass_pane", 1, 1, 0.015625), ("cobblestone_wall", 1, 1, 0.25), ("cobblestone_wall", 4, 16, 1.0),
        ("chest", 2, 8, 1.0), ("copper_grate", 2, 8, 1.0), ("farmland", 2, 8, 0.9375),
    ],
)  # fmt: skip
def test_shapes(state, refine, filled, share):
    structure = structure_of(built((0, 0, 0, state)), read_profile("intact"), refine)
    cubes = refine**3 if structure.filled is None else int(structure.filled.sum())
    assert cubes == filled
    assert structure.share[0] == pytest.approx(share)
    shown = filled < refine**3 or state in ("stone", "copper_grate", "oak_slab[type=double]")
    assert bool(structure.approximate[0]) is not shown


def test_weights_are_those_of_the_shapes():
    for state, volume in (("oak_slab", 0.5), ("oak_stairs", 0.75), ("oak_fence", 0.0625), ("oak_planks", 1.0)):
        for refine in (1, 2):
            result = analyse(built((0, 0, 0, state)), refine=refine)
            assert result.weight_n == pytest.approx(mass("oak_planks") * volume * G, rel=1e-5)
            assert result.reaction_n == result.weight_n
    # A chest is hollow already in the table.
    assert analyse(built((0, 0, 0, "chest"))).weight_n == pytest.approx(mass("chest") * G, rel=1e-5)


def test_a_thin_post_has_the_stress_of_its_own_section():
    """A fence post under its own weight is stressed as a whole column of the same wood is."""
    post = analyse(built(*((0, y, 0, "oak_fence") for y in range(4))), materials="intact")
    whole = analyse(built(*((0, y, 0, "oak_planks") for y in range(4))), materials="intact")
    assert post.lin_pa == pytest.approx(whole.lin_pa, rel=1e-5)
    assert post.displacement_m == pytest.approx(whole.displacement_m, rel=1e-5)
    assert len(post.approximate) == 4 and "4 blocks are of a shape that the cubes do not show" in post.notes[0]


def test_slabs_at_refine_two_are_slabs():
    """A cantilever of bottom slabs bends as a beam half as high: compare with whole cubes of half the side."""
    rows = [(0, 0, 0, "stone"), *((x, 0, 0, "stone_slab") for x in range(1, 6))]
    wall = [(0, y, 0, "stone") for y in range(1, 3)]
    result = analyse(built(*rows, *wall, dug=[(x, -1, 0) for x in range(1, 6)]), refine=2, materials="intact")
    box = np.zeros((12, 6, 2), dtype=np.bool_)
    box[:2] = True
    box[2:, 0] = True
    cells = np.argwhere(box)
    held = np.zeros((len(cells), 6), dtype=np.bool_)
    held[(cells[:, 0] < 2) & (cells[:, 1] == 0), 2] = True
    stone = find_material("stone")
    same = {"young": stone.young, "poisson": stone.poisson, "density": stone.density}
    plain = analyse_voxels(cells, held=held, side=0.5, **same)
    assert result.max_displacement_m == plain.max_displacement_m
    assert result.weight_n == plain.weight_n
    assert len(result.approximate) == 0


def test_slabs_that_touch_along_an_edge_only():
    """A lower and an upper slab side by side: one at refine 1, a hinge at refine 2."""
    rows = [(0, 0, 0, "stone"), (0, 1, 0, "stone_slab"), (1, 1, 0, "stone_slab[type=top]")]
    assert analyse(built(*rows)).status == "ok"
    assert analyse(built(*rows), refine=2).status == "mechanism"
    assert analyse(built(*rows), refine=2, full_cubes=True).status == "ok"
    gap = [(0, 0, 0, "stone_slab"), (0, 1, 0, "stone")]
    assert analyse(built(*gap), refine=2).floating.tolist() == [[0, 1, 0]]


def test_things_without_stiffness_weigh_on_what_carries_them():
    floor = [(x, 1, 0, "stone") for x in range(5)] + [(0, 0, 0, "stone"), (4, 0, 0, "stone")]
    bare = analyse(built(*floor))
    carpet = analyse(built(*floor, (2, 2, 0, "white_carpet")))
    assert carpet.weight_n - bare.weight_n == pytest.approx(mass("white_wool") * G / 16, abs=1)
    assert len(carpet.cells) == len(bare.cells)
    assert carpet.sigma_rms_pa > bare.sigma_rms_pa
    # A torch has no row, water no weight.
    assert analyse(built(*floor, (2, 2, 0, "torch"), (1, 2, 0, "water"))).weight_n == bare.weight_n


def test_where_weight_goes():
    """Leaves stand on leaves on a log; a sign hangs at a wall; a door stands on its lower half on the floor."""
    rows = [
        (0, 0, 0, "oak_log"), (0, 1, 0, "oak_leaves"), (0, 2, 0, "oak_leaves"),
        (5, 0, 0, "stone"), (5, 1, 0, "stone"), (6, 1, 0, "oak_wall_sign[facing=east]"),
        (5, 2, 0, "oak_door[half=lower]"), (5, 3, 0, "oak_door[half=upper]"),
    ]  # fmt: skip
    structure = structure_of(built(*rows), read_profile("masonry"))
    carried = dict(zip(map(tuple, structure.cells.tolist()), structure.carried.tolist(), strict=True))
    assert carried[(0, 0, 0)] == pytest.approx(2 * mass("oak_leaves"))
    assert carried[(5, 0, 0)] == 0
    assert carried[(5, 1, 0)] == pytest.approx(2 * 0.1875 * mass("oak_planks"))


def test_leaves_between_two_logs_weigh_on_both_alike():
    rows = [(0, 0, 0, "oak_log"), (0, 1, 0, "oak_log"), (2, 0, 0, "oak_log"), (2, 1, 0, "oak_log")]
    structure = structure_of(built(*rows, (1, 1, 0, "oak_leaves")), read_profile("masonry"))
    assert structure.carried.tolist() == [0, mass("oak_leaves") / 2, 0, mass("oak_leaves") / 2]


def test_what_hangs_on_nothing_is_said():
    rows = [(0, 0, 0, "stone"), (0, 5, 0, "oak_leaves"), (3, 0, 0, "oak_leaves")]
    result = analyse(built(*rows))
    assert result.notes == ("1 thing hangs on nothing that carries load; the weight is left out",)
    assert result.weight_n == pytest.approx(mass("stone_bricks") * G, rel=1e-5)


def test_a_block_held_by_leaves_alone_floats():
    rows = [(0, 0, 0, "oak_log"), (0, 1, 0, "oak_leaves"), (0, 2, 0, "stone")]
    assert analyse(built(*rows)).floating.tolist() == [[0, 2, 0]]


def test_boxes_beyond_the_cell_are_cut():
    assert shape_of(((0.0, 0.0, 0.0, 1.0, 1.5, 1.0),), 1).volume == 1.0
    overlapping = ((0.0, 0.0, 0.0, 1.0, 0.5, 1.0), (0.0, 0.25, 0.0, 0.5, 1.0, 1.0))
    assert shape_of(overlapping, 1).volume == pytest.approx(0.75)
    assert shape_of((), 2).volume == 0.0
