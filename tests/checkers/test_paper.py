"""Functions of the published benchmark as rules."""

import pytest

from minece.blocks import Build
from minece.checkers import RuleError, evaluate, from_paper


def bound(fn, **args):
    return [(one.name, dict(one.args)) for one in from_paper({"fn": fn, "args": args})]


@pytest.mark.parametrize(
    "word, meant",
    [
        ("concrete", "#concrete"),
        ("red", "#red"),
        ("light_gray", "#light_gray"),
        ("iron", "iron_block"),
        ("wood", "#planks"),
        ("oak", "oak_planks"),
        ("plank", "#planks"),
        ("minecraft:stone", "stone"),
        ("white_concrete", "white_concrete"),
    ],
)
def test_a_part_of_a_name_becomes_a_tag_or_an_id(word, meant):
    found = bound("is_block_cnt_geq", min_count=4, expected_material=word, use_substring_match=True)
    assert found == [("count", {"bound": {"at_least": 4}, "materials": meant, "items": False})]


@pytest.mark.parametrize("word", ["bed", "door"])
def test_beds_and_doors_are_counted_as_items(word):
    found = bound("is_block_cnt_larger_than", cnt=0, expected_material=word, use_substring_match=True)
    assert found == [("count", {"bound": {"more_than": 0}, "materials": f"#{word}s", "items": True})]


def test_without_substrings_a_name_is_an_id():
    assert bound("is_all_material_equal_to", expected_material="stone") == [("only", {"materials": "stone"})]
    with pytest.raises(RuleError, match="there is no block 'bed'"):
        bound("is_all_material_equal_to", expected_material="bed")


def test_a_limit_is_a_stock():
    assert bound("is_block_cnt_leq", max_count=9, expected_material="oak", use_substring_match=True) == [
        ("budget", {"stock": {"oak_planks": 9}})
    ]
    assert bound("is_block_cnt_leq", max_count=9) == [("count", {"bound": {"at_most": 9}})]


def test_levels_of_cells_become_heights_of_faces():
    assert bound("max_y_is_geq", min_y=4) == [("top", {"bound": {"at_least": 5}})]
    assert bound("max_y_is_equal", expected_y=-1) == [("top", {"bound": 0})]
    assert bound("min_y_is_leq", max_y=-7) == [("bottom", {"bound": {"at_most": -7}})]


def test_sizes():
    assert bound("is_equal", xz=[7, 9], y=1) == [("extent", {"width": 7, "depth": 9, "height": 1})]
    assert bound("is_leq", xz=[20, 21], y=9)[0][1]["depth"] == {"at_most": 21}
    assert bound("all_dimensions_geq", min_size=4)[0][1]["height"] == {"at_least": 4}


def test_groups():
    assert bound("cluster_count_at_y_is", y=-5, expected_count=4) == [
        ("clusters", {"bound": 4, "region": "layer(-5)", "connectivity": 4})
    ]
    assert bound("clusters_at_y_have_min_span", y=0, min_span=10) == [("gap", {"at_least": 10, "region": "layer(0)"})]
    assert [name for name, _ in bound("cluster_at_y_has_min_radius", y=0, min_radius=2.5)] == ["clusters", "extent"]


def test_a_module_may_stand_before_the_name():
    assert bound("plausibility.is_ground_connected") == [("grounded", {})]
    assert bound("efficiency.l1_dist") == [("efficiency", {})]


def test_a_sequence_names_words_too():
    found = bound("dependency.material_sequence_order", material_sequence=["concrete", "stone", "wood"])
    assert found == [("order", {"stages": ["all of #concrete", "all of stone", "all of #planks"]})]


def test_shapes():
    assert bound("has_no_axis_symmetry") == [("not_symmetric", {})]
    assert bound("are_adjacent", materials=["door", "sea_lantern"]) == [
        ("adjacent", {"a": "#doors", "b": "sea_lantern"})
    ]


@pytest.mark.parametrize("strict, form", [(False, "flat allowed"), (True, "strict"), ("non-flat", "non-flat")])
def test_surfaces(strict, form):
    for surface in ("top", "bottom"):
        found = bound(f"is_{surface}_surface_concave", strict=strict)
        assert found == [("profile", {"surface": surface, "form": form})]
    assert bound("is_top_surface_concave")[0][1]["form"] == "flat allowed"


def test_highest_blocks():
    args = {"expected_material": "stone", "ratio": 0.5}
    found = from_paper({"fn": "is_highest_block_material_equal_to", "args": args})
    build = Build.from_blocks([(0, 1, 0, "stone"), (1, 1, 0, "dirt"), (0, 0, 0, "glass")])
    assert evaluate(build, found)[0].status == "pass"


@pytest.mark.parametrize(
    "rule, said",
    [
        ({"fn": "is_blok_cnt_geq", "args": {}}, "there is no function 'is_blok_cnt_geq'; take one of is_block_cnt_geq"),
        ({"fn": "is_block_cnt_geq", "args": {}}, "is_block_cnt_geq: the argument 'min_count' is missing"),
        ({"fn": "is_block_cnt_geq", "args": {"min_count": 1, "max": 2}}, "there is no argument 'max'"),
        ({"fn": "is_block_cnt_geq", "args": {"min_count": "1"}}, "bound = {'at_least': '1'} is not right"),
        ({"fn": "is_all_material_equal_to", "args": {}}, "'expected_material' is missing"),
        ({"fn": "is_all_material_equal_to", "args": {"expected_material": 3}}, "3 is no material"),
        (
            {"fn": "is_all_material_equal_to", "args": {"expected_material": "xyz", "use_substring_match": True}},
            "stands for no tag",
        ),
        ({"fn": "is_equal", "args": {"xz": 3, "y": 1}}, "an argument is of the wrong kind"),
        ({"fn": "is_equal", "args": {"xz": [3], "y": 1}}, "an argument is of the wrong kind"),
        ({"fn": "max_y_is_geq", "args": {"min_y": "4"}}, "an argument is of the wrong kind"),
        ({"fn": "cluster_count_at_y_is", "args": {"y": "a", "expected_count": 1}}, "region = 'layer(a)' is not right"),
        ({"fn": "material_sequence_order", "args": {"material_sequence": "stone"}}, "material_sequence is no list"),
        ({"fn": "are_adjacent", "args": {"materials": ["door"]}}, "an argument is of the wrong kind"),
        (
            {"fn": "is_top_surface_concave", "args": {"strict": "very"}},
            "an argument is of the wrong kind (strict = 'very')",
        ),
        ({"fn": "is_top_surface_concave", "args": {"strict": 1}}, "an argument is of the wrong kind (strict = 1)"),
        ({"fn": "is_top_surface_concave", "args": {"strict": []}}, "an argument is of the wrong kind"),
        ({"fn": "has_rooms", "args": {"n": 2}}, "the argument 'room_cnt' is missing"),
        ({"fn": "stress_score"}, "a bare number from another solver is no limit"),
        ({"fn": 3, "args": {}}, "not in the published form"),
        ({"fn": "l1_dist", "args": []}, "not in the published form"),
        ({"fn": "l1_dist", "arg": {}}, "not in the published form"),
        ({}, "not in the published form"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(rule, said):
    with pytest.raises(RuleError) as caught:
        from_paper(rule)
    assert said in str(caught.value) and "\n" not in str(caught.value)


def test_the_arguments_stay_as_they_were():
    args = {"min_count": 4, "expected_material": "door", "use_substring_match": True}
    from_paper({"fn": "is_block_cnt_geq", "args": args})
    assert set(args) == {"min_count", "expected_material", "use_substring_match"}
