"""Whether a family keeps its promises: what `minece tasks check` runs.

References and variants pass every rule, cheats fail by the rules that they name, edited references get the answer of a
plain oracle, text and rules ask for the same, stock and limits suffice. Every build goes through export and import
before it is judged. Nothing here folds verdicts to scores: a build passes when every rule does.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from minece.blocks import Build, MineceError, formats
from minece.blocks.catalogue import materials
from minece.blocks.items import count_items
from minece.blocks.states import material_of
from minece.checkers import Verdict, evaluate
from minece.tasks.briefings import briefing
from minece.tasks.errors import FamilyError
from minece.tasks.loader import Family, load_family, reference, variants
from minece.tasks.mutating import mutations
from minece.tasks.suites import entry_of, families
from minece.tasks.task import Task
from minece.tasks.wording import rules_to_text, text_to_rules

SAMPLE = 6
"""Tasks of a family whose variants, cheats and edits are built when not everything is."""
LONGEST = 300.0
"""Seconds after which the check of one family is broken off."""
LEAST_RIGHT = 0.99
"""Share of edited references that must get the right answer."""

Progress = Callable[[str, int, int], None]
"""Called with the family's name, tasks done, and tasks in all."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that a family promises and does not keep."""

    task: str
    kind: str
    name: str
    message: str

    def __str__(self) -> str:
        return ": ".join(part for part in (self.task, self.kind, self.name, self.message) if part)


@dataclass(slots=True)
class Tally:
    """How many of how many were right."""

    right: int = 0
    total: int = 0

    def add(self, right: bool) -> bool:
        self.right += right
        self.total += 1
        return right

    @property
    def share(self) -> float:
        return self.right / self.total if self.total else 1.0


@dataclass(slots=True)
class FamilyReport:
    """What was found in one family. ``weak`` are remarks that break no promise."""

    family: str
    tasks: int = 0
    sampled: int = 0
    references: Tally = field(default_factory=Tally)
    variants: Tally = field(default_factory=Tally)
    cheats: Tally = field(default_factory=Tally)
    mutations: Tally = field(default_factory=Tally)
    texts: Tally = field(default_factory=Tally)
    problems: list[Problem] = field(default_factory=list)
    weak: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """No promise is broken."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What was found in all families. ``everything`` tells whether every task was built."""

    families: tuple[FamilyReport, ...]
    everything: bool
    seed: int
    seconds: float

    @property
    def ok(self) -> bool:
        """No promise is broken."""
        return all(row.ok for row in self.families)

    @property
    def problems(self) -> list[Problem]:
        """The broken promises of all families."""
        return [problem for row in self.families for problem in row.problems]


def check(
    source: str | Path | None = None,
    *,
    everything: bool = False,
    seed: int = 42,
    progress: Progress | None = None,
) -> CheckReport:
    """Check all families of this package, one of them by name, or any family file by path.

    References and texts of all tasks are checked; variants, cheats and edits for a sample drawn with ``seed`` unless
    ``everything``. Raises :class:`TasksError` for a file that cannot be read.
    """
    start = time.perf_counter()
    sources = [entry.name for entry in families()] if source is None else [_source(source)]
    reports = tuple(_check_family(load_family(one), everything, seed, progress) for one in sources)
    return CheckReport(reports, everything, seed, time.perf_counter() - start)


def _source(source: str | Path) -> str | Path:
    if isinstance(source, str) and (source.endswith(".toml") or "/" in source):
        return Path(source)
    return source


def _check_family(family: Family, everything: bool, seed: int, progress: Progress | None) -> FamilyReport:
    start = time.perf_counter()
    report = FamilyReport(family.name)
    tasks = family.tasks()
    report.tasks = len(tasks)
    _check_list(family, tasks, report)
    chosen = {task.id for task in (tasks if everything else _sample(tasks, seed))}
    report.sampled = len(chosen)
    caught: set[str] = set()
    exported: set[str] = set()
    used: set[str] = set()
    for number, task in enumerate(tasks):
        if progress is not None:
            progress(family.name, number, len(tasks))
        if time.perf_counter() - start > LONGEST:
            message = f"broken off after {LONGEST:g} s and {number} of {len(tasks)} tasks"
            report.problems.append(Problem(task.id, "time", "", message))
            break
        try:
            _check_text(task, report)
            used |= _check_reference(task, report)
            if task.id in chosen:
                _check_variants(task, report)
                caught |= _check_cheats(family, task, report, exported)
                _check_mutations(family, task, report, seed, 3 if everything else 1)
        except MineceError as error:
            report.problems.append(Problem(task.id, "build", "", str(error)))
    if progress is not None:
        progress(family.name, len(tasks), len(tasks))
    if report.references.total == len(tasks):
        _look_for_idle_mutations(family, used, report)
    _look_for_idle_builds(family, tasks, report)
    if report.mutations.share < LEAST_RIGHT:
        right = f"{report.mutations.right} of {report.mutations.total} edited references got the right answer"
        report.problems.append(Problem("", "mutations", "", f"{right}; at least 99 % must"))
    _look_for_weakness(family, tasks, caught, report)
    report.seconds = time.perf_counter() - start
    return report


def _sample(tasks: Sequence[Task], seed: int) -> list[Task]:
    """The first, the last, and some between."""
    if len(tasks) <= SAMPLE:
        return list(tasks)
    between = Random(seed).sample(range(1, len(tasks) - 1), SAMPLE - 2)
    return [tasks[i] for i in sorted({0, *between, len(tasks) - 1})]


def _check_list(family: Family, tasks: Sequence[Task], report: FamilyReport) -> None:
    if family.spec.expected not in (None, len(tasks)):
        message = f"the parameters make {len(tasks)} tasks, the file promises {family.spec.expected}"
        report.problems.append(Problem("", "tasks", "", message))
    ids = [task.id for task in tasks]
    twice = sorted({task_id for task_id in ids if ids.count(task_id) > 1})
    if twice:
        report.problems.append(Problem(twice[0], "ids", "", "more than one task has this id"))


def _check_text(task: Task, report: FamilyReport) -> None:
    known = briefing(task)
    for turn in task.turns:
        found: list[str] = []
        for link in rules_to_text(turn, known):
            if link.place == "nowhere":
                found.append(f"rule {link.rule}: neither text nor briefing says {link.says!r}")
            elif link.unsaid and link.place == "text":
                numbers = ", ".join(map(str, link.unsaid))
                found.append(f"rule {link.rule} asks for {numbers}, which {link.says!r} does not say")
            elif link.unsaid:
                found.append(f"rule {link.rule} asks for numbers that only the briefing could say")
        for mention in text_to_rules(turn):
            if not mention.rules:
                found.append(f"the text says {mention.number} ({mention.around!r}), which no rule holds")
        report.texts.add(not found)
        report.problems += [Problem(task.id, "text", "", message) for message in found]


def _check_reference(task: Task, report: FamilyReport) -> set[str]:
    """Check the reference of a task; gives back the materials that are placed in its last turn."""
    turns = reference(task)
    wrong = _faults(task, turns)
    if not report.references.add(not wrong):
        report.problems += [Problem(task.id, "reference", "", message) for message in wrong]
    if task.stock is not None:
        for build in turns:
            used = count_items(build.blocks).by_item
            for name, number in task.stock.items():
                taken = sum(used.get(item, 0) for item in materials(name))
                if taken > number:
                    message = f"the reference takes {taken} {name}, the stock has {number}"
                    report.problems.append(Problem(task.id, "stock", name, message))
    for build in turns:
        for message in _beyond(task, build):
            report.problems.append(Problem(task.id, "limits", "", message))
    log = turns[-1].log
    assert log is not None
    return {material_of(state) for state in log.latest.palette}


def _look_for_idle_mutations(family: Family, used: Collection[str], report: FamilyReport) -> None:
    for spec in family.spec.mutations:
        if not (used if spec.of is None else spec.of.intersection(used)):
            message = "no reference has a block that it could edit"
            report.problems.append(Problem("", "mutation", spec.name, message))


def _look_for_idle_builds(family: Family, tasks: Sequence[Task], report: FamilyReport) -> None:
    for kind, builds in (("variant", family.spec.variants), ("cheat", family.spec.cheats)):
        try:
            for spec in family.idle(builds, [task.parameters for task in tasks]):
                report.problems.append(Problem("", kind, spec.name, "its where holds for no task"))
        except MineceError as error:
            report.problems.append(Problem("", kind, "", str(error)))


def _beyond(task: Task, build: Build) -> list[str]:
    (x0, y0, z0), (x1, y1, z1), limits = build.blocks.low, build.blocks.high, task.limits
    out = []
    if min(x0, z0) < 0 or x1 >= limits.plot[0] or z1 >= limits.plot[1]:
        out.append("the reference leaves the plot")
    if y1 >= limits.height or y0 < -limits.depth or len(build.blocks) > limits.blocks:
        out.append("the reference is higher, deeper or larger than the limits")
    return out


def _check_variants(task: Task, report: FamilyReport) -> None:
    for built in variants(task):
        wrong = _faults(task, built.turns)
        if not report.variants.add(not wrong):
            report.problems += [Problem(task.id, "variant", built.name, message) for message in wrong]


def _check_cheats(family: Family, task: Task, report: FamilyReport, exported: set[str]) -> set[str]:
    """Check the cheats of a task; gives back the names of all rules that caught one.

    Each cheat goes through a second file format for one task, whose names ``exported`` collects.
    """
    caught: set[str] = set()
    for spec in family.spec.cheats:
        built = family.build(spec, task.parameters)
        if built is None:
            continue
        found = _verdicts(task, built.turns, "json")
        failed = {verdict.rule for verdict in found if verdict.status == "fail"}
        caught |= failed
        wrong = [f"rule {name} lets it pass" for name in built.fails if name not in failed]
        wrong += [f"rule {v.rule} cannot be applied: {v.message}" for v in found if v.status == "error"]
        if spec.name not in exported:
            exported.add(spec.name)
            wrong += _differences(task, built.turns, found)
        if not report.cheats.add(not wrong):
            report.problems += [Problem(task.id, "cheat", built.name, message) for message in wrong]
    return caught


def _check_mutations(family: Family, task: Task, report: FamilyReport, seed: int, each: int) -> None:
    for mutation in mutations(task, seed=seed, each=each):
        found = [
            verdict
            for build, turn in zip(mutation.turns, task.turns, strict=True)
            for verdict in evaluate(build, turn.rules, stock=task.handed_out)
        ]
        passes = all(verdict.status in ("pass", "not applicable") for verdict in found)
        if not report.mutations.add(passes == mutation.passes):
            failed = ", ".join(verdict.rule for verdict in found if verdict.status == "fail")
            answer = "passes, but should fail" if passes else f"fails by {failed}, but should pass"
            report.weak.append(f"{task.id}: mutation {mutation.name}: {answer} (build {mutation.turns[-1].id})")


def _faults(task: Task, turns: Sequence[Build]) -> list[str]:
    """Why a build that must pass does not, and where a file format changes a verdict."""
    found = _verdicts(task, turns, "json")
    wrong = [f"rule {v.rule}: {v.message}" for v in found if v.status in ("fail", "error")]
    wrong += [f"rule {v.rule} cannot be applied: {v.message}" for v in found if v.status == "not applicable"]
    return wrong or _differences(task, turns, found)


def _differences(task: Task, turns: Sequence[Build], found: Sequence[Verdict]) -> list[str]:
    """Rules that judge a build differently after export as a schematic; rules on the order do not apply there."""
    if not len(turns[-1].blocks):
        return []
    return [
        f"rule {one.rule}: {one.status} from JSON, {other.status} from .schem"
        for one, other in zip(found, _verdicts(task, turns, "schem"), strict=True)
        if one.status != other.status and other.status != "not applicable"
    ]


_WAYS = {form.name: form for form in formats.FORMATS}


def _verdicts(task: Task, turns: Sequence[Build], form: str) -> list[Verdict]:
    """The verdicts over builds that were written in a format and read again."""
    return [
        verdict
        for build, turn in zip(_through(turns, form), task.turns, strict=True)
        for verdict in evaluate(build, turn.rules, stock=task.handed_out)
    ]


def _through(turns: Sequence[Build], form: str) -> list[Build]:
    write = _WAYS[form].write
    if write is None:
        raise FamilyError(f"format {form} cannot be written")
    groups: Iterable[Sequence[Build]] = [turns] if _WAYS[form].turns else [[build] for build in turns]
    return [build for group in groups for build in formats.read(write(group), name=f"exported {form}").runs[0].turns]


def _look_for_weakness(family: Family, tasks: Sequence[Task], caught: set[str], report: FamilyReport) -> None:
    spec = family.spec
    graded = {rule.name for task in tasks for turn in task.turns for rule in turn.rules if rule.info.graded}
    rules = {rule.rule for turn in spec.turns for rule in turn.rules}
    for name in sorted(rules - caught - graded):
        report.weak.append(f"no cheat fails by rule {name}")
    if len(spec.variants) < 2:
        report.weak.append(f"{len(spec.variants)} variants besides turning, mirroring and moving; write at least 2")
    if not spec.mutations:
        report.weak.append("no mutations")
    if not spec.canary:
        report.weak.append("no canary string")
    if not spec.reasons:
        report.weak.append("the author's reasons are missing")
    if family.ours and entry_of(family) not in families():
        message = "texts or rules differ from data/suites.json; if scores can move, raise the suite's version"
        report.problems.append(Problem("", "suite", "", message))
