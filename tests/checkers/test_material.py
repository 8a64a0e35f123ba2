"""Counts, purity, shares and stocks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import builds

from minece.blocks import Build
from minece.checkers import RuleError, bind, evaluate
from minece.checkers.parameters import Bound


def judge(blocks, name, **args):
    return evaluate(Build.from_blocks(blocks), [bind(name, args)])[0]


DOOR = [(0, 0, 0, "oak_door[half=lower]"), (0, 1, 0, "oak_door[half=upper]")]
BED = [(5, 0, 0, "red_bed[part=foot,facing=south]"), (5, 0, 1, "red_bed[part=head,facing=south]")]

# bounds -------------------------------------------------------------------------------------------------------------

bounds = st.dictionaries(
    st.sampled_from(["at_least", "at_most", "more_than", "less_than"]),
    st.integers(-5, 5) | st.sampled_from([-0.5, 2.5]),
    min_size=1,
)


@given(bounds, st.integers(-9, 9))
def test_a_bound_says_how_far_a_number_is_off(limits, number):
    bound = Bound.read(limits)
    off = bound.off(number)
    assert (off == 0) == bound.holds(number)
    reached = [n for n in range(-30, 30) if bound.holds(n)]
    if reached:
        nearest = min(reached, key=lambda n: abs(n - number))
        assert number + off == nearest


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), 10**400, True, "3", {}, {"atleast": 3}, {"at_least": None}]
)
def test_what_is_no_bound(value):
    with pytest.raises(RuleError, match="rule count: bound"):
        bind("count", {"bound": value})


# count --------------------------------------------------------------------------------------------------------------


def test_count_cells_of_a_material_in_a_region():
    blocks = [(x, y, 0, "stone") for x in range(4) for y in range(2)] + [(9, 0, 0, "cobblestone")]
    verdict = judge(blocks, "count", materials="stone", bound=8)
    assert (verdict.status, verdict.measured, verdict.required, len(verdict.cells)) == ("pass", 8, 8, 8)
    assert verdict.message == "8 cells of stone are in the build; exactly 8 were asked for."
    assert judge(blocks, "count", bound={"at_most": 9}).measured == 9
    assert judge(blocks, "count", materials="stone", region="highest", bound=4).status == "pass"
    verdict = judge(blocks, "count", materials="stone", bound={"more_than": 8})
    assert verdict.status == "fail"
    assert verdict.message == "8 cells of stone are in the build; more than 8 are asked for: add 1."
    assert judge(blocks, "count", materials="stone", bound=5).message.endswith("exactly 5 are asked for: take 3 away.")


def test_count_points_at_what_is_there_where_nothing_is_of_the_material():
    verdict = judge([(0, 0, 0, "stone"), (0, 1, 0, "dirt")], "count", materials="glass", region="highest", bound=1)
    assert (verdict.measured, verdict.cells.tolist()) == (0, [[0, 1, 0]])
    verdict = judge([(0, 0, 0, "stone")], "count", materials="glass", region="layer(9)", bound=1)
    assert verdict.cells.tolist() == [[0, 0, 0]]


def test_a_door_and_a_bed_are_two_cells_and_one_item():
    blocks = DOOR + BED
    assert judge(blocks, "count", materials="#doors", bound=2).status == "pass"
    assert judge(blocks, "count", materials="#doors", bound=1, items=True).status == "pass"
    assert judge(blocks, "count", materials="#beds", bound=1, items=True).status == "pass"
    assert judge(blocks, "count", bound=2, items=True).status == "pass"


def test_a_lone_half_is_no_item_and_is_named():
    verdict = judge([*DOOR, (3, 0, 0, "oak_door[half=lower]")], "count", materials="#doors", bound=2, items=True)
    assert (verdict.status, verdict.measured) == ("fail", 1)
    assert "complete the lone half at (3, 0, 0)" in verdict.message
    assert [3, 0, 0] in verdict.cells.tolist()
    # A door whose halves face different ways is two halves.
    askew = [(0, 0, 0, "oak_door[half=lower,facing=east]"), (0, 1, 0, "oak_door[half=upper,facing=west]")]
    verdict = judge(askew, "count", materials="#doors", bound=1, items=True)
    assert verdict.measured == 0 and "complete the lone halves at (0, 0, 0) and 1 more" in verdict.message


def test_items_in_one_cell():
    blocks = [(0, 0, 0, "oak_slab[type=double]"), (1, 0, 0, "candle[candles=3]"), (2, 0, 0, "wall_torch")]
    assert judge(blocks, "count", materials="oak_slab", bound=2, items=True).status == "pass"
    assert judge(blocks, "count", materials="candle", bound=3, items=True).status == "pass"
    assert judge(blocks, "count", materials="torch", bound=1, items=True).status == "pass"
    assert judge(blocks, "count", materials="oak_slab", bound=1).status == "pass"


def test_an_item_lies_where_one_of_its_cells_does():
    assert judge(DOOR, "count", materials="#doors", region="highest", bound=1, items=True).status == "pass"
    assert judge(DOOR, "count", materials="#doors", region="layer(2)", bound=0, items=True).status == "pass"


def test_materials_are_names_not_parts_of_names():
    names = ["oak_trapdoor", "bedrock", "light_gray_concrete", "redstone_block"]
    blocks = [(x, 0, 0, name) for x, name in enumerate(names)]
    for material in ("#doors", "#beds", "gray_concrete", "#red"):
        assert judge(blocks, "count", materials=material, bound=0).measured == 0


def test_names_of_other_times_and_namespaces_are_one_material():
    blocks = [(0, 0, 0, "minecraft:grass"), (1, 0, 0, "short_grass"), (2, 0, 0, "minecraft:short_grass")]
    assert judge(blocks, "count", materials="minecraft:grass", bound=3).status == "pass"


# only ---------------------------------------------------------------------------------------------------------------


def test_only_names_what_to_replace():
    blocks = [(x, 0, 0, "stone") for x in range(5)]
    assert judge(blocks, "only", materials="stone").measured == 5
    verdict = judge([*blocks, (9, 0, 0, "cobblestone")], "only", materials="stone")
    assert (verdict.status, verdict.measured, verdict.required) == ("fail", 5, 6)
    assert verdict.message == "5 of 6 blocks in the build are of stone; replace the cobblestone at (9, 0, 0)."
    assert verdict.cells.tolist() == [[9, 0, 0]]


def test_only_asks_for_at_least_one_block():
    verdict = judge([(0, 0, 0, "stone")], "only", materials="stone", region="layer(4)")
    assert (verdict.status, verdict.measured, verdict.required) == ("fail", 0, {"at_least": 1})
    assert len(verdict.cells)
    assert judge([(0, 0, 0, "torch")], "only", materials="stone", attachments=True).status == "fail"


def test_only_lets_others_stand_beside():
    blocks = [(0, 0, 0, "stone"), (0, 1, 0, "torch"), (1, 0, 0, "sea_lantern")]
    assert judge(blocks, "only", materials="stone").measured == 1
    assert judge(blocks, "only", materials="stone", besides="#lamps, torch").status == "pass"
    assert judge(blocks, "only", materials="stone", attachments=True).measured == 1
    assert judge(blocks, "only", materials="stone", attachments=True, besides="#lamps").status == "pass"


def test_water_is_a_block_too():
    assert judge([(0, 0, 0, "stone"), (1, 0, 0, "water")], "only", materials="stone").status == "fail"


@given(builds)
def test_only_agrees_with_a_plain_count(build):
    names = [state.partition("[")[0] for *_, state in build.blocks.rows()]
    soil = [y < 0 and n == "dirt" for (_, y, _, _), n in zip(build.blocks.rows(), names, strict=True)]
    names = [n for n, earth in zip(names, soil, strict=True) if not earth]
    verdict = evaluate(build, [bind("only", {"materials": "stone, glass"})])[0]
    assert (verdict.status == "pass") == (bool(names) and set(names) <= {"stone", "glass"})
    if names:
        assert verdict.measured == sum(n in ("stone", "glass") for n in names)


# share --------------------------------------------------------------------------------------------------------------


def test_share():
    blocks = [(x, 0, 0, "stone") for x in range(9)] + [(9, 0, 0, "glass")]
    verdict = judge(blocks, "share", materials="stone")
    assert (verdict.status, verdict.measured, verdict.required) == ("pass", 0.9, {"at_least": 0.9})
    verdict = judge(blocks, "share", materials="stone", at_least=0.95)
    assert verdict.status == "fail" and verdict.cells.tolist() == [[9, 0, 0]]
    assert verdict.message.endswith("replace glass, as at (9, 0, 0).")
    assert judge(blocks, "share", materials="stone", region="layer(1)").measured == 0


def test_a_share_just_missed_does_not_read_as_reached():
    blocks = [(x, 0, 0, "stone") for x in range(89_999)] + [(x, 1, 0, "glass") for x in range(10_001)]
    verdict = judge(blocks, "share", materials="stone")
    assert (verdict.status, verdict.measured) == ("fail", 0.8999)


@pytest.mark.parametrize("value", [-0.1, 1.1, 90, "0.9", True])
def test_a_share_lies_between_0_and_1(value):
    with pytest.raises(RuleError, match="a share from 0 to 1"):
        bind("share", {"materials": "stone", "at_least": value})


# budget -------------------------------------------------------------------------------------------------------------


def test_budget():
    planks = [(x, 0, 0, "oak_planks") for x in range(5)]
    verdict = judge(planks, "budget", stock={"oak_planks": 5})
    assert (verdict.status, verdict.measured) == ("pass", {"oak_planks": 5, "outside": 0})
    verdict = judge(planks, "budget", stock={"oak_planks": 3})
    assert verdict.status == "fail" and "take 2 oak_planks away" in verdict.message and len(verdict.cells) == 5


def test_doors_torches_and_water_are_outside_the_stock():
    blocks = [(0, 0, 5, "oak_planks"), *DOOR, (1, 0, 5, "torch"), (2, 0, 5, "water")]
    verdict = judge(blocks, "budget", stock={"oak_planks": 98})
    assert (verdict.status, verdict.measured) == ("fail", {"oak_planks": 1, "outside": 4})
    assert len(verdict.cells) == 4
    verdict = judge(blocks, "budget", stock={"oak_planks": 98, "#doors": 1, "torch": 1, "water": 1})
    assert (verdict.status, verdict.measured["#doors"]) == ("pass", 1)


def test_budget_counts_items():
    blocks = [(0, 0, 0, "oak_slab[type=double]"), (1, 0, 0, "oak_slab"), (2, 0, 0, "wall_torch"), *BED]
    verdict = judge(blocks, "budget", stock={"oak_slab": 3, "torch": 1, "#beds": 1})
    assert (verdict.status, verdict.measured) == ("pass", {"oak_slab": 3, "torch": 1, "#beds": 1, "outside": 0})
    # Half a door costs as much as a whole one.
    half = [(0, 0, 0, "oak_door[half=lower]"), (4, 0, 0, "oak_door[half=upper]")]
    assert judge(half, "budget", stock={"#doors": 1}).measured == {"#doors": 2, "outside": 0}


def test_a_plant_in_a_pot_takes_both():
    pot = [(0, 0, 0, "potted_poppy")]
    verdict = judge(pot, "budget", stock={"flower_pot": 1, "poppy": 1})
    assert verdict.measured == {"flower_pot": 1, "poppy": 1, "outside": 0}
    assert judge(pot, "budget", stock={"flower_pot": 1}).status == "fail"


def test_the_first_entry_that_names_a_material_gives_it():
    blocks = [(0, 0, 0, "oak_planks"), (1, 0, 0, "birch_planks")]
    assert judge(blocks, "budget", stock={"oak_planks": 1, "#planks": 1}).measured == {
        "oak_planks": 1,
        "#planks": 1,
        "outside": 0,
    }


def test_dirt_in_the_stock_is_no_soil():
    build = Build.from_blocks([(0, -1, 0, "dirt"), (0, 0, 0, "stone")])
    assert evaluate(build, [bind("budget", {"stock": {"stone": 1}})])[0].status == "pass"
    assert evaluate(build, [bind("budget", {"stock": {"stone": 1, "dirt": 0}})])[0].measured["dirt"] == 1


@pytest.mark.parametrize("stock", [{}, {"stone": -1}, {"stone": 1.5}, {"stone": True}, ["stone"], {"#nothing": 1}])
def test_what_is_no_stock(stock):
    with pytest.raises(RuleError, match="rule budget[:,] stock"):
        bind("budget", {"stock": stock})
