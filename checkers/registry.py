"""Rules by name: registering one, binding arguments to it, running bound rules over a build.

A rule is a function ``(scene, *, parameter, …) -> Finding`` under the decorator :func:`rule`. Its parameters are read
and checked by their type hints when the rule is bound, so a family file with a wrong argument fails when it is
loaded. Its docstring is its page in the reference.
"""

from __future__ import annotations

import difflib
import inspect
import logging
import reprlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, get_type_hints

from minece.blocks import Build, MineceError
from minece.checkers.errors import RuleError
from minece.checkers.parameters import Reader, reader_of
from minece.checkers.scene import Scene
from minece.checkers.verdict import CRITERIA, Criterion, Finding, Verdict

RuleFunction = Callable[..., Finding]

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a rule: what it accepts in words, and its default where it has one."""

    name: str
    accepts: str
    required: bool
    default: object
    read: Reader = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """A registered rule. ``graded`` rules give a score and never decide; ``unit`` is what a bare number measures."""

    name: str
    criterion: Criterion
    graded: bool
    unit: str
    doc: str
    parameters: tuple[Parameter, ...]
    one_of: tuple[str, ...]
    function: RuleFunction = field(repr=False, compare=False)


_RULES: dict[str, RuleInfo] = {}


def rule(
    criterion: Criterion, *, unit: str = "", graded: bool = False, one_of: tuple[str, ...] = ()
) -> Callable[[RuleFunction], RuleFunction]:
    """Register a rule under its function's name. Of the parameters ``one_of`` at least one must be given."""

    def register(function: RuleFunction) -> RuleFunction:
        name = function.__name__.rstrip("_")
        hints = get_type_hints(function)
        parameters = []
        for parameter in list(inspect.signature(function).parameters.values())[1:]:
            read, accepts = reader_of(hints[parameter.name])
            required = parameter.default is inspect.Parameter.empty
            default = None if required else parameter.default
            parameters.append(Parameter(parameter.name, accepts, required, default, read))
        doc = inspect.getdoc(function) or ""
        if not doc or name in _RULES:
            raise TypeError(f"rule {name} has no docstring or exists already")
        _RULES[name] = RuleInfo(name, criterion, graded, unit, doc, tuple(parameters), one_of, function)
        return function

    return register


def known_rules() -> Mapping[str, RuleInfo]:
    """All registered rules by name, in alphabetical order."""
    return dict(sorted(_RULES.items()))


@dataclass(frozen=True)
class BoundRule:
    """A rule with its arguments, checked and ready to run.

    ``args`` are the arguments as they were given; ``criterion`` is the rule's own unless the family overrides it.
    """

    info: RuleInfo
    args: Mapping[str, object]
    criterion: Criterion
    values: Mapping[str, Any] = field(repr=False, compare=False)

    def __reduce__(self) -> tuple[Callable[..., BoundRule], tuple[object, ...]]:
        # Readers are closures: a worker process binds the rule anew.
        return _bound, (self.name, dict(self.args), self.criterion)

    @property
    def name(self) -> str:
        """Name of the rule."""
        return self.info.name

    @cached_property
    def named(self) -> frozenset[str]:
        """The block ids that the arguments name."""
        return frozenset().union(*(_ids(value) for value in self.values.values()))

    def check(self, scene: Scene) -> Verdict:
        """The verdict over a scene. What cannot be evaluated is an error with its reason."""
        if scene.empty:
            found = Finding("fail", 0.0, 0, None, "Nothing is built.")
        else:
            try:
                found = self.info.function(scene, **self.values)
            except MineceError as error:
                found = Finding("error", 0.0, None, None, str(error))
            except Exception as error:  # one faulty rule must not take a batch of builds with it
                _log.debug("rule %s failed", self.name, exc_info=True)
                found = Finding("error", 0.0, None, None, f"the rule cannot judge this build: {error!r:.200}")
        return Verdict(
            self.name,
            self.criterion,
            found.status,
            min(1.0, max(0.0, found.score)),
            found.measured,
            found.required,
            found.message,
            found.cells,
        )


def _ids(value: object) -> frozenset[str]:
    if isinstance(value, tuple):
        return frozenset().union(*(_ids(part) for part in value))
    ids = getattr(value, "ids", None)
    return ids if isinstance(ids, frozenset) else frozenset()


def bind(name: str, args: Mapping[str, object], *, criterion: str | None = None) -> BoundRule:
    """A rule with its arguments. Raises :class:`RuleError` for an unknown rule, parameter or value."""
    known = known_rules()
    info = known.get(name)
    if info is None:
        close = difflib.get_close_matches(str(name), known, 3)
        mend = "did you mean " + " or ".join(close) if close else "take one of " + ", ".join(known)
        raise RuleError(f"there is no rule {name!r}", mend=mend)
    if criterion is not None and criterion not in CRITERIA:
        raise RuleError(f"there is no criterion {criterion!r}", where=name, mend="take one of " + ", ".join(CRITERIA))
    parameters = {p.name: p for p in info.parameters}
    for given in args:
        if given not in parameters:
            takes = ", ".join(parameters) or "no parameters"
            raise RuleError(f"there is no parameter {given!r}", where=f"rule {name}", mend=f"it takes {takes}")
    if info.one_of and not set(info.one_of) & set(args):
        raise RuleError("nothing is asked for", where=f"rule {name}", mend="give " + " or ".join(info.one_of))
    values: dict[str, Any] = {}
    for parameter in info.parameters:
        if parameter.name not in args:
            if parameter.required:
                raise RuleError(
                    f"{parameter.name!r} is missing", where=f"rule {name}", mend=f"give {parameter.accepts}"
                )
            continue
        value = args[parameter.name]
        try:
            values[parameter.name] = parameter.read(value)
        except MineceError as error:
            raise RuleError(error.reason, where=f"rule {name}, {parameter.name}", mend=error.mend) from None
        except ValueError as error:
            raise RuleError(
                f"{parameter.name} = {_shown(value)} is not right",
                where=f"rule {name}",
                mend=f"give {error}",
            ) from None
    chosen: Criterion = info.criterion if criterion is None else criterion
    return BoundRule(info, dict(args), chosen, values)


def _shown(value: object) -> str:
    """The value in at most 80 characters. Values from files may be too deep or have too many digits to be shown."""
    try:
        text = reprlib.repr(value)
    except (ValueError, RecursionError):
        return "the value given"
    return text if len(text) <= 80 else text[:79] + "…"


def _bound(name: str, args: Mapping[str, object], criterion: str) -> BoundRule:
    return bind(name, args, criterion=criterion)


def scene_of(build: Build, bound: Sequence[BoundRule], *, stock: Iterable[str] = frozenset()) -> Scene:
    """A build as bound rules see it.

    ``stock`` are block ids that the task hands out: like the ids that the rules name, they are blocks of the build
    even where they lie below ground and would count as soil otherwise.
    """
    return Scene(build, frozenset(stock).union(*(one.named for one in bound)))


def evaluate(build: Build, bound: Sequence[BoundRule], *, stock: Iterable[str] = frozenset()) -> list[Verdict]:
    """The verdicts of bound rules over a build, in their order; for ``stock`` see :func:`scene_of`."""
    scene = scene_of(build, bound, stock=stock)
    return [one.check(scene) for one in bound]
