"""What holds for every rule: no direction is special, doubled placements do nothing, verdicts explain themselves."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import builds, events

from minece.blocks import Build
from minece.checkers import bind, evaluate, known_rules

ARGUMENTS = {
    "adjacent": [
        {"a": "#doors, #beds, #torches", "b": "cobblestone, stone"},
        {"a": "oak_planks", "b": "#planks, stone", "which": "some"},
    ],
    "budget": [{"stock": {"oak_planks": 9, "#doors": 1, "stone": 4}}, {"stock": {"stone": 500}}],
    "arch": [{}, {"rise": 0.5, "width": 2, "share": 0.5, "river": 3, "crown": {"at_least": 2}, "top": True}],
    "bottom": [{"bound": {"at_most": -1}}, {"bound": 0, "region": "all of stone"}],
    "ceiling_heights": [{"at_least": 2}],
    "clear_span": [{"at_least": 2}, {"at_least": 3, "boat": 2, "levels": "water"}, {"at_least": 1, "boat": 1}],
    "clearance": [{"boat": 1}, {"boat": 2, "river": 3}],
    "closed_box": [
        {"materials": "stone, oak_planks", "inner_at_least": 1},
        {"materials": "cobblestone", "inner_at_least": 2, "best": 4, "doorway": [1, 2]},
    ],
    "clusters": [{"bound": 2}, {"bound": 1, "region": "layer(0)", "connectivity": 8}],
    "connected": [{}],
    "count": [
        {"bound": {"at_least": 3}},
        {"bound": 1, "materials": "#doors, #beds", "items": True},
        {"bound": {"more_than": 2, "less_than": 9}, "materials": "stone", "region": "below_ground"},
        {"bound": {"at_most": 4}, "region": "lower(2)", "items": True},
        {"bound": {"at_least": 4}, "region": "corners"},
        {"bound": {"at_least": 9}, "region": "roof"},
        {"bound": {"at_least": 1}, "region": "interior"},
        {"bound": {"at_least": 4}, "region": "floor(1)"},
        {"bound": {"at_least": 4}, "region": "ceiling(1)"},
    ],
    "covers": [
        {"region": "all of cobblestone", "by": "all of oak_planks"},
        {"region": "all of cobblestone", "by": "all of white_concrete", "side": "below", "part": "inside"},
    ],
    "deck": [{}, {"width": 2, "from_ground": True, "river": 3}, {"from_ground": True}],
    "dome": [{"diameter": 5}, {"diameter": 6, "height": {"at_least": 3}, "entrance": "required"}],
    "doors": [{}, {"at_least": 2, "width": 2}],
    "efficiency": [{}],
    "encloses": [
        {"materials": "stone, cobblestone", "between": ["all of white_concrete", "all of oak_planks"]},
        {"materials": "cobblestone", "between": ["lowest", "highest"]},
    ],
    "exits": [{"at_least": 1}, {"at_least": 1, "touching": "stone", "step_free_to": "#beds"}],
    "extent": [
        {"width": 3, "depth": {"at_least": 2}},
        {"width": {"at_most": 4}},
        {"width": {"at_least": 2}, "depth": {"at_least": 2}, "height": 2, "region": "all of stone"},
    ],
    "filled": [{}, {"region": "all of stone"}, {"size": [3, 2, 2]}],
    "gap": [{"at_least": 1}, {"at_least": 2, "region": "layer(0)"}, {"at_least": 1, "each": [2, 1]}],
    "grounded": [{}],
    "grounded_always": [{}],
    "not_symmetric": [{}, {"at_most": 0.6, "materials": True}],
    "only": [
        {"materials": "stone"},
        {"materials": "#planks, stone", "besides": "#concrete", "attachments": True, "region": "highest"},
    ],
    "order": [
        {"stages": ["all of stone", "all of oak_planks"]},
        {"stages": ["all of #concrete", "all of stone", "all of cobblestone", "all of oak_planks"], "storeys": 2},
        {"stages": ["all of stone", "all of cobblestone, oak_planks"], "storeys": 2},
        {"stages": ["lower(1)", "lower(2)", "all"]},
    ],
    "prisms": [
        {"materials": "stone", "count": {"at_least": 1}, "section": [1, 1], "length": 2, "carries": "all of #planks"},
    ],
    "profile": [{}, {"surface": "bottom", "form": "flat allowed"}, {"form": "strict"}],
    "reachable": [
        {"goal": "rooms"},
        {"goal": "#beds", "jump": False},
        {"start": "#beds", "goal": "outside", "step_free": True, "ramps": True, "width": 2},
        {"goal": "height(3)"},
        {"goal": "storeys"},
    ],
    "rooms": [{"bound": 1}, {"bound": {"at_least": 2}, "min_floor": 6}, {"bound": 1, "holding": "#beds"}],
    "runs": [{"materials": "stone", "count": {"at_least": 2}, "between": ["lowest", "all of oak_planks"]}],
    "share": [{"materials": "stone, dirt"}, {"materials": "stone", "region": "upper(2)", "at_least": 0.5}],
    "storeys": [{"bound": 1}, {"bound": {"at_least": 2}, "min_area": 4, "open_top": True, "rooms": 1}],
    "stress": [{"reference": [[0, 0, 0, 2, 3, 2]]}],
    "supported_order": [{}, {"within": 3}],
    "symmetric": [
        {},
        {"diagonal": True, "at_least": 0.7},
        {"turns": True, "diagonal": True, "materials": True, "at_least": 0.5},
    ],
    "thickness": [{"bound": 1}, {"bound": {"at_most": 2}, "region": "all of stone"}],
    "top": [{"bound": 3}, {"bound": {"at_least": 1}, "region": "columns"}],
}

BOUND = [bind(name, args) for name, many in ARGUMENTS.items() if name != "stress" for args in many]
"""All but what takes longer for one build than the others together; test_stability.py turns and moves its builds."""


def answers(build):
    return [(v.rule, v.status, pytest.approx(v.score), v.measured) for v in evaluate(build, BOUND)]


def test_every_rule_is_among_them():
    assert set(ARGUMENTS) == set(known_rules())


@pytest.mark.slow
@settings(deadline=None)
@given(builds, st.integers(1, 3), st.sampled_from("xz"), st.integers(-99, 99), st.integers(-99, 99))
def test_no_direction_and_no_place_is_special(build, quarters, axis, dx, dz):
    before = answers(build)
    assert answers(build.turned(quarters)) == before
    assert answers(build.mirrored(axis)) == before
    assert answers(build.translated(dx, dz)) == before


@pytest.mark.slow
@settings(deadline=None)
@given(events, st.data())
def test_doubled_placements_change_nothing(log, data):
    twice = data.draw(st.lists(st.booleans(), min_size=len(log), max_size=len(log)))
    doubled = [event for event, again in zip(log, twice, strict=True) for event in [event] * (1 + again)]
    build = Build.from_log(log)
    doubled += [["place", *block] for block in build.blocks.rows()]
    again = Build.from_log(doubled)
    assert again == build
    assert answers(again) == answers(build)


def numbers(value):
    if isinstance(value, dict):
        return [n for part in value.values() for n in numbers(part)]
    if isinstance(value, (list, tuple)):
        return [n for part in value for n in numbers(part)]
    return [value] if isinstance(value, (int, float)) and not isinstance(value, bool) else []


@pytest.mark.slow
@given(builds)
@example(Build.from_log([["place", 0, 0, 0, "stone"]]))
@settings(max_examples=200, deadline=None)
def test_verdicts_explain_themselves(build):
    for verdict in evaluate(build, BOUND):
        assert verdict.status in ("pass", "fail", "not applicable"), verdict.message
        said = {float(n) for n in re.findall(r"-?\d+(?:\.\d+)?", verdict.message)}
        assert all(n in said for n in numbers(verdict.measured) if n), verdict
        assert 0 <= verdict.score <= 1
        assert verdict.message.endswith(".") and "\n" not in verdict.message
        if verdict.status == "fail" and len(build.blocks):
            assert len(verdict.cells)
        assert list(map(tuple, verdict.cells.tolist())) == list(dict.fromkeys(map(tuple, verdict.cells.tolist())))
        assert verdict.to_dict()["cells"] == verdict.cells.tolist()


@pytest.mark.parametrize("name", sorted(known_rules()))
def test_an_empty_build_fails(name):
    for build in (Build.from_blocks([]), Build.from_log([["place", 0, 0, 0, "stone"], ["break", 0, 0, 0]])):
        for verdict in evaluate(build, [bind(name, args) for args in ARGUMENTS[name]]):
            assert (verdict.status, verdict.score) == ("fail", 0)


def test_soil_alone_is_an_empty_build():
    build = Build.from_blocks([(0, -1, 0, "dirt"), (0, -2, 0, "bedrock")])
    assert {v.status for v in evaluate(build, [bind("grounded", {}), bind("efficiency", {})])} == {"fail"}


def test_order_is_not_judged_where_no_log_tells_it():
    build = Build.from_blocks([(0, 0, 0, "stone"), (1, 0, 0, "oak_planks")])
    names = ("efficiency", "order", "supported_order", "grounded_always")
    bound = [bind(name, args) for name in names for args in ARGUMENTS[name][:1]]
    assert [v.status for v in evaluate(build, bound)] == ["not applicable"] * 4
