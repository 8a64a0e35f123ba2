"""From a family file to tasks with bound rules, and to the builds that the file describes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from minece.blocks import Build, Log, MineceError, Provenance
from minece.checkers import BoundRule, bind
from minece.tasks.commands import Command, run
from minece.tasks.controls import control
from minece.tasks.errors import FamilyError, TasksError, UnknownTask
from minece.tasks.expressions import Allowance, Expression, Template, weight
from minece.tasks.schema import (
    EVERY,
    MOST_TURNS,
    PREVIOUS,
    BuildSpec,
    FamilySpec,
    RuleSpec,
    TurnSpec,
    read_family,
)
from minece.tasks.task import Limits, Task, Turn

_LONGEST_ID = 200
_LETTERS_A_STEP = 100


@dataclass(frozen=True, eq=False)
class Built:
    """A build that a family describes: its name, one build per turn, and the rules that must fail (cheats only)."""

    name: str
    turns: tuple[Build, ...]
    fails: tuple[str, ...] = ()


class Family:
    """A family file and what comes of it. Use :func:`load_family`."""

    def __init__(self, spec: FamilySpec) -> None:
        self.spec = spec

    @property
    def name(self) -> str:
        """The name that stands in the ids of its tasks."""
        return self.spec.name

    @property
    def ours(self) -> bool:
        """Whether it is a family of this package, not one that somebody else gave the same name."""
        return self.spec.path.resolve() == _packaged(self.name).resolve()

    def cases(self) -> Iterator[dict[str, Any]]:
        """The parameters of each task, in file order: the product of all values for which ``where`` holds."""
        names, allowance = list(self.spec.params), Allowance()
        for values in product(*self.spec.params.values()):
            allowance.step(f"{self.spec.path}: params")
            case = dict(zip(names, values, strict=True))
            if _holds(self.spec.where, case):
                yield case

    def scope(
        self,
        case: Mapping[str, Any],
        changes: Mapping[str, Any] | None = None,
        allowance: Allowance | None = None,
    ) -> dict[str, Any]:
        """Parameters and derived values by name; ``changes`` replace some of them."""
        changes, allowance = changes or {}, allowance or Allowance()
        scope = {**case, **{name: value for name, value in changes.items() if name in case}}
        for name, expression in self.spec.let.items():
            allowance.step(expression.where)
            scope[name] = changes[name] if name in changes else expression.value(scope)
        return scope

    def turns(self, scope: Mapping[str, Any]) -> list[tuple[TurnSpec, dict[str, Any]]]:
        """The turns of a task, each with the names that only its own expressions know."""
        out: list[tuple[TurnSpec, dict[str, Any]]] = []
        for spec in self.spec.turns:
            if spec.each is None:
                out.append((spec, {"turn": len(out) + 1}))
                continue
            values, before = spec.each.value(scope), 0
            if not isinstance(values, list) or not values:
                raise FamilyError("no list of values", where=spec.each.where, mend="give one value for each turn")
            if len(out) + len(values) > MOST_TURNS:
                number = len(out) + len(values)
                raise FamilyError(f"{number} turns", where=spec.each.where, mend=f"write at most {MOST_TURNS}")
            for value in values:
                out.append((spec, {"turn": len(out) + 1, "before": before, spec.name: value}))
                before = value
        return out

    def task_id(self, case: Mapping[str, Any]) -> str:
        """The id of the task with these parameters."""
        name = self.spec.id.render(case)
        task_id = f"{self.spec.group}/{self.name}/{name}"
        if not name or len(task_id) > _LONGEST_ID or not set(name) <= _ID_LETTERS:
            raise FamilyError(
                f"{name!r} is no id",
                where=self.spec.id.where,
                mend=f"use letters, digits, - and _, at most {_LONGEST_ID} in all",
            )
        return task_id

    def task(
        self,
        case: Mapping[str, Any],
        *,
        suite: str = "",
        version: str = "",
        allowance: Allowance | None = None,
    ) -> Task:
        """The task with these parameters. Raises :class:`MineceError` with file and key path."""
        allowance = allowance or Allowance()
        spec, scope, task_id = self.spec, self.scope(case, allowance=allowance), self.task_id(case)
        turns = tuple(
            Turn(
                _rendered(turn.text, known, allowance),
                tuple(_bound(rule, known, allowance) for rule in rules),
                tuple(_rendered(rule.says, known, allowance) for rule in rules),
            )
            for turn, names in self.turns(scope)
            for known in ({**scope, **names},)
            for rules in ([rule for rule in turn.rules if _holds(rule.condition, known)],)
        )
        stock = None
        if spec.stock is not None:
            stock = {material: _items(number, scope) for material, number in spec.stock.items()}
        return Task(
            id=task_id,
            suite=suite,
            version=version,
            family=self.name,
            group=spec.group,
            type=spec.type,
            parameters=dict(case),
            turns=turns,
            stock=stock,
            ground=spec.ground,
            limits=spec.limits,
            digest=_digest(task_id, turns, stock, spec.ground, spec.limits),
            source=spec.path,
        )

    def tasks(self, *, suite: str = "", version: str = "") -> list[Task]:
        """All tasks, in file order."""
        allowance = Allowance(steps=1_000_000, seconds=20)
        return [self.task(case, suite=suite, version=version, allowance=allowance) for case in self.cases()]

    def find(self, task_id: str, *, suite: str = "", version: str = "") -> Task | None:
        """The task with this id, None where the family has none."""
        for case in self.cases():
            if self.task_id(case) == task_id:
                return self.task(case, suite=suite, version=version)
        return None

    def reference(self, case: Mapping[str, Any]) -> list[Build]:
        """The reference build, one per turn."""
        scope, allowance = self.scope(case), Allowance()
        try:
            logs = [self._run(turn.reference, {**scope, **names}, allowance) for turn, names in self.turns(scope)]
            out: list[Build] = []
            for log in logs:
                out.append(_next(out, log, f"{self.name} reference"))
            return out
        except MineceError as error:
            raise self._placed(error, "turns") from None

    def _placed(self, error: MineceError, place: str) -> MineceError:
        """The error, with file and place where it has none: what logs and builds refuse knows nothing of files."""
        return error if isinstance(error, FamilyError) else error.at(f"{self.spec.path}: {place}")

    def _run(
        self,
        commands: tuple[Command, ...],
        scope: Mapping[str, Any],
        allowance: Allowance,
        *,
        after: Log | None = None,
    ) -> Log:
        return run(commands, scope, parts=self.spec.parts, after=after, allowance=allowance)

    def build(self, one: BuildSpec, case: Mapping[str, Any]) -> Built | None:
        """A variant or cheat for the task with these parameters; None where it does not concern it."""
        plain = self.scope(case)
        if not _holds(one.where, plain):
            return None
        allowance, turns = Allowance(), self.turns(plain)
        try:
            about = _turns_about(one, len(turns))
            builds: list[Build] = []
            for number, (turn, names) in enumerate(turns, start=1):
                known = {**plain, **names}
                if number not in about:
                    log = self._run(turn.reference, known, allowance)
                else:
                    changes = {name: value.value(known) for name, value in one.changes.items() if name in known}
                    own = {name: changes.get(name, value) for name, value in names.items()}
                    scope = {**self.scope(case, changes), **own}
                    start = self._start(one, turn, scope, builds[-1] if builds else None, allowance)
                    log = self._run(one.commands, scope, allowance, after=start)
                builds.append(_next(builds, log, f"{self.name} {one.name}"))
            return Built(one.name, tuple(builds), one.fails)
        except MineceError as error:
            raise self._placed(error, one.where_at.rpartition(": ")[2]) from None

    def _start(
        self, one: BuildSpec, turn: TurnSpec, scope: Mapping[str, Any], before: Build | None, allowance: Allowance
    ) -> Log | None:
        """What a variant or a cheat begins a turn with, as the first part of the turn's log."""
        if one.start == PREVIOUS:
            if before is None:
                raise FamilyError("there is no turn before the first", where=f"{one.where_at}.start")
            return None
        if one.start == "reference":
            return self._run(turn.reference, scope, allowance)
        cleared = _pulled_down(before)
        if one.start == "empty":
            return cleared
        whole = self._run(turn.reference, scope, allowance)
        if before is not None:
            whole = before.then(whole).log or whole
        made = control(one.start, whole)
        return made if cleared is None else _joined(cleared, made)

    def idle(self, builds: Sequence[BuildSpec], cases: Iterable[Mapping[str, Any]]) -> list[BuildSpec]:
        """Those of the variants or cheats that concern none of the tasks with these parameters."""
        allowance = Allowance(steps=1_000_000, seconds=20)
        waiting = [one for one in builds if one.where is not None]
        for case in cases:
            if not waiting:
                break
            scope = self.scope(case, allowance=allowance)
            allowance.step(str(self.spec.path), len(waiting))
            waiting = [one for one in waiting if not _holds(one.where, scope)]
        return waiting


_ID_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")


def _holds(condition: Expression | None, scope: Mapping[str, Any]) -> bool:
    if condition is None:
        return True
    found = condition.value(scope)
    if not isinstance(found, bool):
        raise FamilyError(f"gives {found!r}", where=condition.where, mend='write a comparison such as "= a != b"')
    return found


def _rendered(text: Template, scope: Mapping[str, Any], allowance: Allowance) -> str:
    found = text.render(scope)
    allowance.step(text.where, 1 + len(found) // _LETTERS_A_STEP)
    return found


def _bound(rule: RuleSpec, scope: Mapping[str, Any], allowance: Allowance) -> BoundRule:
    args = rule.args.value(scope)
    items, letters = weight(args)
    allowance.step(rule.where, items + letters // _LETTERS_A_STEP)
    try:
        return bind(rule.rule, args, criterion=rule.criterion)
    except MineceError as error:
        raise error.at(rule.where) from None


def _items(number: Expression, scope: Mapping[str, Any]) -> int:
    found = number.value(scope)
    if isinstance(found, bool) or not isinstance(found, int) or found < 0:
        raise FamilyError(f"{found!r} is no number of items", where=number.where, mend="give a whole number")
    return found


def _turns_about(one: BuildSpec, count: int) -> range:
    """The numbers of the turns that a variant or a cheat is about, of so many."""
    if isinstance(one.turn, str):
        return range(1 if one.turn == EVERY else count, count + 1)
    if one.turn > count:
        raise FamilyError(f"there is no turn {one.turn}", where=f"{one.where_at}.turn", mend=f"take 1 to {count}")
    return range(one.turn, one.turn + 1)


def _next(turns: Sequence[Build], log: Log, name: str) -> Build:
    """The build of the next turn."""
    if turns:
        return turns[-1].then(log)
    return Build.from_log(log, provenance=Provenance(format="family", name=name, ground="given"))


def _pulled_down(build: Build | None) -> Log | None:
    """A log that takes every block away, from above."""
    if build is None:
        return None
    cells = build.blocks.cells[np.argsort(-build.blocks.cells[:, 1], kind="stable")]
    return Log.of(cells, [None] * len(cells))


def _joined(one: Log, other: Log) -> Log:
    states = [names[i] for log in (one, other) for names in [[*log.palette, None]] for i in log.index.tolist()]
    return Log.of(np.concatenate([one.cells, other.cells]), states)


def _digest(task_id: str, turns: Iterable[Turn], stock: object, ground: str, limits: Limits) -> str:
    judged = [[turn.text, [[rule.name, rule.criterion, rule.args] for rule in turn.rules]] for turn in turns]
    facts = [task_id, judged, stock, ground, [limits.plot, limits.height, limits.depth, limits.blocks]]
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def family_file(name: str) -> Path:
    """The file of a family of this package. Raises :class:`UnknownTask`."""
    path = _packaged(name)
    if not set(name) <= _ID_LETTERS or not path.is_file():
        raise UnknownTask(f"there is no family {name!r}", mend="see `minece tasks list`")
    return path


def _packaged(name: str) -> Path:
    return Path(str(files("minece.tasks") / "families" / f"{name}.toml"))


def load_family(source: str | Path) -> Family:
    """A family of this package by its name, or any family file by its path. Raises :class:`TasksError`."""
    path = source if isinstance(source, Path) else family_file(source)
    try:
        stamp = path.stat().st_mtime_ns
    except OSError as error:
        raise FamilyError(str(error.strerror), where=str(path), mend="give a family file (TOML)") from None
    return _family(path, stamp)


@lru_cache(maxsize=64)
def _family(path: Path, _: int) -> Family:
    return Family(read_family(path))


def family_of(task: Task) -> Family:
    """The family that a task came from. Raises :class:`TasksError` for a task of ad-hoc rules."""
    if task.source is None:
        raise TasksError(f"task {task.id} has no family", mend="take a task of a family")
    return load_family(task.source)


def reference(task: Task) -> list[Build]:
    """The reference build of a task, one per turn."""
    return family_of(task).reference(task.parameters)


def variants(task: Task) -> list[Built]:
    """Other valid builds: those that the family describes, and the reference turned, mirrored and moved."""
    family = family_of(task)
    found = [family.build(one, task.parameters) for one in family.spec.variants]
    turns = reference(task)
    return [
        *(one for one in found if one is not None),
        Built("turned by a quarter", tuple(build.turned(1) for build in turns)),
        Built("mirrored", tuple(build.mirrored("x") for build in turns)),
        Built("moved to negative coordinates", tuple(build.translated(-137, -59) for build in turns)),
    ]


def cheats(task: Task) -> list[Built]:
    """Builds that must fail, each with the names of the rules that must fail."""
    family = family_of(task)
    found = [family.build(one, task.parameters) for one in family.spec.cheats]
    return [one for one in found if one is not None]


def task_from_rules(
    turns: Iterable[Iterable[BoundRule]], *, id: str = "rules", stock: Mapping[str, int] | None = None
) -> Task:
    """A task of rules that somebody gives, turn by turn; it has no text and belongs to no family or suite."""
    ruled = tuple(tuple(rules) for rules in turns)
    all_turns = tuple(Turn("", rules, ("",) * len(rules)) for rules in ruled)
    limits = Limits()
    digest = _digest(id, all_turns, stock, "bottom", limits)
    return Task(id, "", "", "", "", "", {}, all_turns, stock, "bottom", limits, digest)
