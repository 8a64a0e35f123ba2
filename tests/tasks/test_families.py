"""The families of this package: counts, ids, texts, promises."""

import re
import time
from collections import Counter

import pytest

import minece.tasks
from minece.blocks import Build
from minece.checkers import evaluate
from minece.tasks import (
    SUITES,
    Task,
    UnknownTask,
    briefing,
    briefing_digest,
    check,
    families,
    load_family,
    load_task,
    reference,
    task_ids,
    tasks,
)
from minece.tasks.controls import CONTROLS, control
from minece.tasks.suites import entry_of

COUNTS = {
    "shallow": 64,
    "deep": 48,
    "walls": 48,
    "roofs": 96,
    "stable-roof-1": 6,
    "stable-roof-2": 6,
    "frames": 27,
    "basic-house": 21,
    "rooms": 56,
    "beds": 55,
    "slab-at-height": 8,
    "storeys": 27,
    "step-free-house": 24,
    "theatre": 9,
    "asymmetry": 18,
    "ceilings": 18,
    "largest-cabin": 12,
    "plan-1": 24,
    "plan-2": 24,
    "revise-2": 12,
    "revise-5": 3,
    "bridges": 36,
    "arch-bridges": 36,
    "stable-arch": 9,
    "domes": 18,
    "igloos": 18,
}
NAMES = list(COUNTS)


@pytest.fixture(scope="module")
def core() -> list[Task]:
    return tasks("core")


def test_counts_and_ids(core: list[Task]) -> None:
    assert Counter(task.family for task in core) == COUNTS
    assert [task.id for task in core] == task_ids("core")
    assert len(set(task_ids("core"))) == len(core)
    for task in core:
        assert task.id.startswith(f"{task.group}/{task.family}/")
        assert (task.suite, task.version) == ("core", "core-1")


@pytest.mark.parametrize("name", NAMES)
def test_suites_are_frozen(name: str) -> None:
    """A difference means that texts or rules changed: raise the suite's version where scores can move."""
    entry = next(entry for entry in families() if entry.name == name)
    assert entry == entry_of(load_family(name))


def test_verbs_and_plans_of_the_table() -> None:
    assert set(SUITES) == {"core", "lite"}
    for name, values in {
        "shallow": {"length": 4, "width": 4, "thickness": 2, "verb": 2},
        "deep": {"length": 2, "width": 2, "cap": 2, "piles": 3, "verb": 2},
        "walls": {"width": 3, "thickness": 2, "height": 2, "verb": 4},
        "roofs": {"size": 4, "columns": 4, "height": 2, "verb": 3},
        "frames": {"storeys": 9, "verb": 3},
        "basic-house": {"colour": 7, "verb": 3},
        "rooms": {"rooms": 5, "wording": 12},
        "beds": {"beds": 5, "wording": 11},
        "slab-at-height": {"phrasing": 8},
        "storeys": {"storeys": 9, "verb": 3},
        "step-free-house": {"size": 4, "wording": 2, "verb": 3},
        "theatre": {"size": 3, "verb": 3},
        "asymmetry": {"kind": 6, "verb": 3},
        "ceilings": {"kind": 6, "verb": 3},
        "largest-cabin": {"planks": 4, "wording": 3},
        "plan-1": {"mention": 24},
        "plan-2": {"mention": 24},
        "revise-2": {"rooms": 12},
        "revise-5": {"rooms": 1, "verb": 3},
        "bridges": {"river": 4, "boat": 3, "verb": 3},
        "arch-bridges": {"river": 4, "boat": 3, "verb": 3},
        "stable-arch": {"abutment": 3, "verb": 3},
        "domes": {"diameter": 6, "verb": 3},
        "igloos": {"diameter": 6, "verb": 3},
    }.items():
        assert {key: len(found) for key, found in load_family(name).spec.params.items()} == values


def test_one_task_by_its_id() -> None:
    task = load_task("elements/shallow/7x8x1-lay")
    assert task.parameters == {"length": 7, "width": 8, "thickness": 1, "verb": "lay"}
    assert (task.family, task.type, task.ground) == ("shallow", "foundations", "top")
    assert task.text.startswith("Lay a shallow foundation of nothing but stone: one solid slab, 7 by 8 blocks")
    assert [rule.name for rule in task.turns[0].rules][:2] == ["only", "extent"]
    assert load_task(task.id).digest == task.digest != load_task("elements/shallow/8x7x1-lay").digest


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("elements/shallow/7x8x1-lya", "elements/shallow/7x8x1-lay"),
        ("elements/shalow/7x8x1-lay", "elements/shallow/7x8x1-lay"),
        ("nonsense", "minece tasks list"),
        ("../../etc/passwd", "minece tasks list"),
        ("x\ny" * 10**5, "minece tasks list"),
    ],
)
def test_an_unknown_id_names_the_nearest(wrong: str, said: str) -> None:
    with pytest.raises(UnknownTask, match=re.escape(said)) as caught:
        load_task(wrong)
    assert "\n" not in str(caught.value)


def test_unknown_families_and_suites() -> None:
    for name in ("nothing", "../shallow", ""):
        with pytest.raises(UnknownTask, match="tasks list"):
            load_family(name)
    with pytest.raises(UnknownTask, match="core, lite"):
        task_ids("huge")


def test_lite_holds_one_task_of_each_family() -> None:
    ids = task_ids("lite")
    assert [task_id.split("/")[1] for task_id in ids] == NAMES
    assert ids == task_ids("lite")
    orders = {tuple(task_ids("lite", seed=seed)) for seed in range(20)}
    assert len(orders) > 5
    assert {frozenset(order) for order in orders} == {frozenset(ids)}
    assert task_ids("lite", seed=7) == task_ids("lite", seed=7)
    found = minece.tasks(suite="lite", seed=7)
    assert [task.id for task in found] == task_ids("lite", seed=7)
    assert {(task.suite, task.version) for task in found} == {("lite", "lite-1")}


def test_texts_are_finished(core: list[Task]) -> None:
    for task in core:
        for turn in task.turns:
            assert not set("{}%=#_") & set(turn.text), turn.text
            assert turn.text[0].isupper() and turn.text.endswith(".")
            assert "  " not in turn.text and "None" not in turn.text
            for number, noun in re.findall(r"(\d+) (blocks?|layers?|cells?)", turn.text):
                assert (number == "1") == (not noun.endswith("s")), turn.text
    assert len({tuple(turn.text for turn in task.turns) for task in core}) == len(core)


def test_families_bear_a_canary() -> None:
    marks = {load_family(name).spec.canary for name in NAMES}
    assert len(marks) == 1
    assert len(marks.pop()) > 30


def test_the_briefing_tells_the_world_and_nothing_of_the_rules(core: list[Task]) -> None:
    texts = {briefing(task) for task in core}
    assert len(texts) == len({(task.limits, str(task.stock), len(task.turns)) for task in core})
    plain = {"only", "order", "doors"}  # words of everybody that are names of rules too
    names = {rule.name for task in core for turn in task.turns for rule in turn.rules} - plain
    for text in texts:
        for words in (
            "x points east",
            "z south",
            "y = 0",
            "from 0 to 47",
            "below 0 is soil",
            "by their faces only",
            "finished",
        ):
            assert words in text
        assert names & set(re.findall(r"[a-z_]+", text)) == set()
        assert not re.search(r"\{|\}|%|checker|score|efficien", text)
    assert re.fullmatch("[0-9a-f]{64}", briefing_digest(core[0]))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", CONTROLS)
def test_controls_never_pass(name: str, kind: str) -> None:
    task = load_family(name).tasks()[0]
    log = reference(task)[-1].log
    assert log is not None
    verdicts = evaluate(Build.from_log(control(kind, log)), task.turns[0].rules)
    deciding = [verdict for verdict in verdicts if verdict.criterion != "efficiency"]
    failing = [verdict for verdict in deciding if verdict.status == "fail"]
    assert failing
    if kind == "empty":
        assert failing == deciding
        assert all(verdict.score == 0 for verdict in verdicts)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_families_keep_their_promises(name: str) -> None:
    report = check(name)
    assert report.ok, "\n".join(map(str, report.problems))
    row = report.families[0]
    assert not row.weak
    assert row.references.total == COUNTS[name] <= row.texts.total == row.texts.right
    assert row.sampled == min(6, COUNTS[name])
    assert row.references.right == COUNTS[name]
    for tally in (row.variants, row.cheats, row.mutations):
        assert tally.right == tally.total > 20


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stable-roof-2", "walls"])
def test_all_tasks_of_a_family_keep_their_promises(name: str) -> None:
    """Those of every family are looked at by benchmarks/families.py."""
    seen: list[tuple[str, int, int]] = []
    report = check(name, everything=True, progress=lambda *step: seen.append(step))
    assert report.ok, "\n".join(map(str, report.problems[:20]))
    (row,) = report.families
    assert row.sampled == row.tasks == COUNTS[name]
    assert seen[-1] == (name, COUNTS[name], COUNTS[name])
    assert row.mutations.right >= 0.99 * row.mutations.total


def test_a_family_loads_quickly() -> None:
    load_family("shallow").tasks()
    times = []
    for _ in range(3):
        start = time.perf_counter()
        load_family("shallow").tasks()
        times.append(time.perf_counter() - start)
    assert min(times) < 0.06
