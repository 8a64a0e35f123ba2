"""From verdicts to scores: every clause of the rule by which they are folded."""

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import minece
from minece.checkers import CRITERIA, Verdict, bind
from minece.results import DECIDING, Score, fold
from minece.results.scoring import score as score_builds
from minece.tasks import task_from_rules

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("blocks", "fem", "checkers", "tasks", "results", "agent_bridge", "human_study", "minece")


def verdict(criterion: str, status: str = "pass", score: float | None = None) -> Verdict:
    grade = float(status == "pass") if score is None else score
    return Verdict("some_rule", criterion, status, grade, 1, 1, "One is one.")  # type: ignore[arg-type]


def test_all_rules_pass() -> None:
    score = fold([[verdict("material"), verdict("shape"), verdict("size"), verdict("plausibility")]])
    assert score.accuracy is True
    assert score.overall is True
    assert score.criteria == {
        "material": True,
        "shape": True,
        "size": True,
        "plausibility": True,
        "stability": None,
        "efficiency": None,
        "dependency": None,
    }
    assert score.groups == {"accuracy": True, "safety": True, "planning": None}
    assert score.decided


@pytest.mark.parametrize("criterion", ["material", "shape", "size"])
def test_one_accuracy_rule_fails_accuracy_and_overall(criterion: str) -> None:
    score = fold([[verdict("material"), verdict("shape"), verdict("size"), verdict(criterion, "fail")]])
    assert (score.criteria[criterion], score.accuracy, score.overall) == (False, False, False)


@pytest.mark.parametrize("criterion", ["plausibility", "dependency"])
def test_plausibility_and_dependency_decide_overall_alone(criterion: str) -> None:
    score = fold([[verdict("shape"), verdict(criterion, "fail")]])
    assert (score.accuracy, score.overall) == (True, False)


@pytest.mark.parametrize("criterion", ["efficiency", "stability"])
def test_graded_criteria_never_decide(criterion: str) -> None:
    score = fold([[verdict("shape"), verdict(criterion, "fail", 0.25), verdict(criterion, "pass", 0.75)]])
    assert score.overall is True
    assert score.criteria[criterion] is False
    assert score.criterion_scores[criterion] == 0.5


def test_a_graded_rule_decides_nothing_under_another_criterion() -> None:
    graded = Verdict("efficiency", "shape", "fail", 0.25, 1, 1, "One is one.")
    score = fold([[verdict("material"), graded]])
    assert (score.criteria["shape"], score.accuracy, score.overall) == (None, True, True)
    assert score.criterion_scores["shape"] == 0.25
    both = fold([[verdict("shape", "fail"), graded]])
    assert (both.criteria["shape"], both.overall) == (False, False)
    broken = Verdict("efficiency", "shape", "error", 0.0, None, None, "It is too large.")
    assert fold([[broken]]).criterion_scores["shape"] is None


def test_a_rule_must_pass_in_every_turn() -> None:
    assert fold([[verdict("shape")], [verdict("shape")]]).overall is True
    first_turn_fails = fold([[verdict("shape", "fail")], [verdict("shape")]])
    assert (first_turn_fails.criteria["shape"], first_turn_fails.overall) == (False, False)
    assert first_turn_fails.criterion_scores["shape"] == 0.5


def test_a_task_without_accuracy_rules_has_no_accuracy() -> None:
    score = fold([[verdict("plausibility")]])
    assert (score.accuracy, score.overall) == (None, True)


def test_not_applicable_rules_are_left_out() -> None:
    score = fold([[verdict("shape"), verdict("dependency", "not applicable"), verdict("efficiency", "not applicable")]])
    assert score.criteria["dependency"] is None
    assert score.criterion_scores["efficiency"] is None
    assert score.overall is True
    mixed = fold([[verdict("shape"), verdict("shape", "not applicable", 0.0)]])
    assert (mixed.criteria["shape"], mixed.criterion_scores["shape"]) == (True, 1.0)


def test_a_rule_that_could_not_be_evaluated_has_not_passed() -> None:
    score = fold([[verdict("shape", "error"), verdict("efficiency", "error"), verdict("material")]])
    assert (score.criteria["shape"], score.accuracy, score.overall, score.errors) == (False, False, False, 2)
    assert score.criterion_scores["efficiency"] is None  # never a silent 0 in a mean


def test_no_deciding_rule_is_told_apart() -> None:
    assert not fold([[verdict("efficiency", score=0.5)]]).decided


Verdicts = st.lists(
    st.builds(
        verdict,
        st.sampled_from(CRITERIA),
        st.sampled_from(["pass", "fail", "not applicable", "error"]),
        st.floats(0, 1),
    ),
    max_size=12,
)


@given(st.lists(Verdicts, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_order_of_rules_does_not_matter_and_more_failures_never_help(turns, random) -> None:  # type: ignore[no-untyped-def]
    def answers(score: Score) -> tuple[object, ...]:
        return score.criteria, score.accuracy, score.overall, score.groups

    before = fold(turns)
    shuffled = [random.sample(turn, len(turn)) for turn in turns]
    assert answers(fold(shuffled)) == answers(before)
    worse = fold([*turns, [verdict("plausibility", "fail")]])
    assert worse.overall is False
    assert before.overall == all(before.criteria[c] is not False for c in DECIDING)


def test_nothing_else_folds_verdicts() -> None:
    """A call that takes statuses together (all, any, sum …) stands in results/scoring.py and nowhere else."""
    places = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and _gathers(call) and any(map(_is_status, ast.walk(call)))
    ]
    # tasks/checking.py asks whether a build passes every rule, below the floor of scores, and gives no score.
    assert {place.split(":")[0] for place in places} == {"results/scoring.py", "tasks/checking.py"}, places


def _gathers(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    return name in {"all", "any", "sum", "min", "max", "mean", "fmean", "_all"}


def _is_status(node: ast.AST) -> bool:
    attribute = isinstance(node, ast.Attribute) and node.attr == "status"
    return attribute or (isinstance(node, ast.Constant) and node.value == "status")


def test_builds_and_turns_must_fit() -> None:
    slab = minece.Build.from_blocks([(0, 0, 0, "stone")])
    rules = [{"rule": "grounded"}]
    assert minece.score([slab, slab], rules=rules).overall is True
    task = minece.tasks(suite="core")[0]
    with pytest.raises(minece.MineceError, match="has 1 turn, the build has 2; give one build for each turn"):
        minece.score([slab, slab], task)
    with pytest.raises(minece.MineceError, match="give exactly one of them"):
        minece.score(slab)


def test_without_a_build_there_is_no_score() -> None:
    rules = [{"rule": "grounded"}]
    for nothing in ([], (), iter(())):
        with pytest.raises(minece.MineceError, match="there is no build to judge; give one build for each turn"):
            minece.score(nothing, rules=rules)  # type: ignore[arg-type]
        with pytest.raises(minece.MineceError, match="there is no build to judge"):
            minece.score(nothing, "elements/shallow/7x8x1-lay")  # type: ignore[arg-type]
    with pytest.raises(minece.MineceError, match="a str where a build belongs; read files with minece.load"):
        minece.score("house.schem", rules=rules)  # type: ignore[arg-type]


def test_any_iterable_of_builds_is_scored() -> None:
    slab = minece.Build.from_blocks([(0, 0, 0, "stone")])
    rules = [{"rule": "grounded"}]
    for builds in ([slab, slab], (slab, slab), (build for build in [slab, slab])):
        assert len(minece.score(builds, rules=iter(rules)).verdicts) == 2


@pytest.mark.parametrize("name", ["dirt", "minecraft:dirt", "#dirts"])
def test_what_the_stock_names_is_no_soil(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dirt below ground counts as soil unless the stock hands it out, whatever words the stock has for it."""
    from minece.blocks import tables

    known = tables.tags()
    monkeypatch.setattr(tables, "tags", lambda: {**known, "dirts": frozenset({"dirt", "coarse_dirt"})})
    build = minece.Build.from_blocks([(0, -1, 0, "dirt"), (0, 0, 0, "stone")])
    rules = [bind("count", {"bound": 2})]
    assert not score_builds(build, task_from_rules([rules])).overall
    task = task_from_rules([rules], stock={name: 9})
    assert "dirt" in task.handed_out
    assert score_builds(build, task).overall


@pytest.mark.parametrize("name", ["#plank", "oak planks", ""])
def test_a_wrong_stock_fails_when_the_task_is_made(name: str) -> None:
    with pytest.raises(minece.MineceError, match="^stock: "):
        task_from_rules([[bind("grounded", {})]], stock={name: 9})
