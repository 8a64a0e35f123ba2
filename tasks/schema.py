"""A family file, read strictly: every key is known, every value has its type, and errors name file and key path.

docs/reference/families.md shows the form. Values may hold expressions (see :mod:`minece.tasks.expressions`); they are
evaluated when they are needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import permutations
from math import factorial, prod
from pathlib import Path
from typing import Any, Literal

from minece.blocks import BlocksError
from minece.blocks.catalogue import materials
from minece.tasks.commands import VERBS, Command
from minece.tasks.controls import CONTROLS
from minece.tasks.errors import FamilyError, TasksError
from minece.tasks.expressions import LONGEST_TEXT, Expression, Template
from minece.tasks.reading import file_text, read_toml
from minece.tasks.task import Limits

SCHEMA = 1
LARGEST_FILE = 1_000_000
_MEND = "give a family file (TOML)"
MOST_TASKS = 5_000
MOST_TURNS = 20
MOST_ENTRIES = 200
"""Entries in a list or table of the file: rules, variants, cheats, parameters, derived values."""
PREVIOUS = "previous turn"
STARTS = ("reference", PREVIOUS, *CONTROLS)
"""What a variant or a cheat may begin with."""
LAST, EVERY = "last", "every"
"""The turns that a variant or a cheat may be about, besides one by its number."""
TURN_NAMES = ("turn", "before")
"""Names that expressions of a turn know: its number, and the value of the turn before."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_WORD = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MISSING: Any = object()


@dataclass(frozen=True, slots=True)
class RuleSpec:
    """One rule of a turn; ``says`` are the words of the text that ask for it.

    ``condition`` tells in which tasks the rule holds, None for all.
    """

    where: str
    rule: str
    criterion: str | None
    says: Template
    args: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class TurnSpec:
    """One instruction, its rules, and the commands of the reference build for it.

    With ``each`` it stands for one turn per value of that list, which its expressions know by ``name``.
    """

    each: Expression | None
    name: str
    text: Template
    rules: tuple[RuleSpec, ...]
    reference: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class BuildSpec:
    """A variant or a cheat: the reference (with other values in ``changes``), a control or nothing, then commands.

    ``turn`` is the number of the turn that it is about, :data:`LAST` or :data:`EVERY`. ``where`` tells for which tasks
    it holds. ``fails`` names the rules that must fail; it is empty for a variant.
    """

    where_at: str
    name: str
    start: str
    turn: int | str
    where: Expression | None
    changes: Mapping[str, Expression]
    commands: tuple[Command, ...]
    fails: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MutationSpec:
    """A class of small edits of the reference; ``verdict`` is the right answer where it is always the same.

    ``of`` holds the block ids whose blocks may be edited, None for all blocks.
    """

    where_at: str
    name: str
    edit: str
    of: frozenset[str] | None
    block: Expression | None
    by: Expression | None
    verdict: Literal["pass", "fail"] | None


@dataclass(frozen=True, slots=True)
class FamilySpec:
    """A family file as it was written."""

    name: str
    path: Path
    version: int
    canary: str
    group: str
    type: str
    ground: Literal["top", "bottom"]
    id: Template
    reasons: str
    expected: int | None
    params: Mapping[str, tuple[Any, ...]]
    where: Expression | None
    let: Mapping[str, Expression]
    stock: Mapping[str, Expression] | None
    limits: Limits
    parts: Mapping[str, tuple[Command, ...]]
    turns: tuple[TurnSpec, ...]
    variants: tuple[BuildSpec, ...]
    cheats: tuple[BuildSpec, ...]
    mutations: tuple[MutationSpec, ...]


def read_family(path: Path) -> FamilySpec:
    """The family in a TOML file; where the file gives no name, its own is taken. Raises :class:`FamilyError`."""
    where = str(path)
    try:
        return _family(_Table(read_toml(file_text(path, LARGEST_FILE, _MEND), where), where, ""), path)
    except FamilyError:
        raise
    except TasksError as error:
        raise FamilyError(error.reason, where=error.where, mend=error.mend) from None
    except RecursionError:
        raise FamilyError("nested too deeply", where=where, mend="make it flatter") from None


def _family(table: _Table, path: Path) -> FamilySpec:
    schema = table.take("schema", int)
    if schema != SCHEMA:
        raise FamilyError(f"schema {schema}", where=f"{table.file}: schema", mend=f"this version reads schema {SCHEMA}")
    name = table.take("name", str, path.stem)
    if not _WORD.fullmatch(name):
        raise FamilyError(f"{name!r} is no name for a family", where=table.file, mend="use small letters, digits and -")
    params = {key: _choices(value, at) for key, value, at in table.named("params")}
    number = prod(len(values) for values in params.values())
    if number > MOST_TASKS:
        raise FamilyError(
            f"{number} tasks", where=f"{table.file}: params", mend=f"make at most {MOST_TASKS} in a family"
        )
    turns = tuple(_turn(turn) for turn in table.tables("turns"))
    if not 1 <= len(turns) <= MOST_TURNS:
        raise FamilyError(f"{len(turns)} turns", where=f"{table.file}: turns", mend=f"write 1 to {MOST_TURNS}")
    family = FamilySpec(
        name=name,
        path=path,
        version=table.take("version", int),
        canary=table.take("canary", str, ""),
        group=table.word("group"),
        type=table.word("type"),
        ground=table.choice("ground", ("top", "bottom")),
        id=table.template("id"),
        reasons=table.take("reasons", str, ""),
        expected=table.take("tasks", int, None),
        params=params,
        where=table.maybe("where"),
        let={key: Expression(value, at) for key, value, at in table.named("let", required=False)},
        stock=_stock(table),
        limits=_limits(table.table("limits")),
        parts={key: _commands(value, at) for key, value, at in table.named("parts", required=False)},
        turns=turns,
        variants=tuple(_build(one, cheat=False) for one in table.tables("variants")),
        cheats=tuple(_build(one, cheat=True) for one in table.tables("cheats")),
        mutations=tuple(_mutation(one) for one in table.tables("mutations")),
    )
    table.done()
    _check_names(family, table.file)
    return family


def _check_names(family: FamilySpec, file: str) -> None:
    """Refuse names that mean two things, and builds that name a value or a turn that there is not."""
    of_turns = {turn.name for turn in family.turns if turn.each is not None} | set(TURN_NAMES)
    for key, names, kind, others in (
        ("params", family.params, "known in turns", of_turns),
        ("let", family.let, "known in turns", of_turns),
        ("let", family.let, "a parameter", set(family.params)),
    ):
        for name in sorted(others.intersection(names)):
            raise FamilyError(f"{name!r} is {kind} already", where=f"{file}: {key}", mend="choose another name")
    known = {*family.params, *family.let, *of_turns}
    turns = None if any(turn.each is not None for turn in family.turns) else len(family.turns)
    for builds in (family.variants, family.cheats):
        for one in builds:
            if turns is not None and isinstance(one.turn, int) and one.turn > turns:
                place = f"{one.where_at}.turn"
                raise FamilyError(f"there is no turn {one.turn}", where=place, mend=f"take 1 to {turns}")
            unknown = sorted(set(one.changes) - known)
            if unknown:
                raise FamilyError(
                    f"there is no value {unknown[0]!r} to set",
                    where=f"{one.where_at}.set",
                    mend="set parameters and derived values: " + ", ".join([*family.params, *family.let]),
                )


def _stock(table: _Table) -> Mapping[str, Expression] | None:
    found = table.named("stock", required=False, ids=True)
    for key, _, at in found:
        _materials(key, at)
    return {key: Expression(value, at) for key, value, at in found} or None


def _materials(text: str, where: str) -> frozenset[str]:
    """The block ids that ids and #tags name."""
    try:
        return materials(text)
    except BlocksError as error:
        raise FamilyError(error.reason, where=where, mend=error.mend) from None


def _turn(table: _Table) -> TurnSpec:
    each = table.maybe("each")
    out = TurnSpec(
        each,
        "" if each is None else _own_name(table),
        table.template("text"),
        tuple(_rule(rule) for rule in table.tables("rules")),
        _commands(table.take("reference", list), table.at("reference")),
    )
    if not out.rules:
        raise FamilyError("a turn without rules", where=table.at("rules"), mend="write at least one")
    table.done()
    return out


def _rule(table: _Table) -> RuleSpec:
    out = RuleSpec(
        table.at(),
        table.take("rule", str),
        table.take("criterion", str, None),
        table.template("says"),
        Expression(table.take("args", dict, {}), table.at("args")),
        table.maybe("where"),
    )
    table.done()
    return out


def _build(table: _Table, *, cheat: bool) -> BuildSpec:
    fails = table.words("fails") if cheat else ()
    if cheat and not fails:
        raise FamilyError("no rule is named", where=table.at("fails"), mend="name the rules that must fail")
    out = BuildSpec(
        where_at=table.at(),
        name=table.take("name", str),
        start=table.choice("start", STARTS, "reference"),
        turn=_which_turn(table),
        where=table.maybe("where"),
        changes={key: Expression(value, at) for key, value, at in table.named("set", required=False)},
        commands=_commands(table.take("do", list, []), table.at("do")),
        fails=fails,
    )
    table.done()
    return out


def _own_name(table: _Table) -> str:
    name = table.name("as")
    if name in TURN_NAMES:
        raise FamilyError(f"{name!r} means something else", where=table.at("as"), mend="choose another name")
    return name


def _which_turn(table: _Table) -> int | str:
    turn: int | str = table.take("turn", object, LAST)
    if turn in (LAST, EVERY) or _is_whole(turn) and 1 <= int(turn) <= MOST_TURNS:
        return turn
    mend = f'take 1 to {MOST_TURNS}, "{LAST}" or "{EVERY}"'
    raise FamilyError(f"there is no turn {turn!r}"[:100], where=table.at("turn"), mend=mend)


EDITS: Mapping[str, tuple[str, ...]] = {
    "take": (),
    "add": ("block",),
    "paint": ("block",),
    "shift": ("by",),
    "first": (),
    "last": (),
}
"""Kinds of edits, and what each needs besides the material it is done to."""


def _mutation(table: _Table) -> MutationSpec:
    edit = table.choice("edit", tuple(EDITS))
    of = table.take("of", str, None)
    out = MutationSpec(
        where_at=table.at(),
        name=table.take("name", str),
        edit=edit,
        of=None if of is None else _materials(of, table.at("of")),
        block=Expression(table.take("block", str), table.at("block")) if "block" in EDITS[edit] else None,
        by=Expression(table.take("by", list), table.at("by")) if "by" in EDITS[edit] else None,
        verdict=table.choice("verdict", ("pass", "fail"), None),
    )
    table.done()
    return out


def _limits(table: _Table) -> Limits:
    default = Limits()
    plot = table.take("plot", list, list(default.plot))
    if len(plot) != 2 or not all(_is_whole(n) and 1 <= n <= 1024 for n in plot):
        raise FamilyError("no size of a plot", where=table.at("plot"), mend="write [width, depth] up to 1024")
    numbers = {}
    for name, most in (("height", 256), ("depth", 60), ("blocks", 1_000_000)):
        numbers[name] = table.take(name, int, getattr(default, name))
        if not 0 <= numbers[name] <= most:
            raise FamilyError(f"{numbers[name]}", where=table.at(name), mend=f"take 0 to {most}")
    table.done()
    return Limits((plot[0], plot[1]), **numbers)


def _choices(value: object, where: str) -> tuple[Any, ...]:
    """The values of a parameter: a list, or all orders of a list."""
    if isinstance(value, dict) and set(value) == {"permutations"} and isinstance(value["permutations"], list):
        items = value["permutations"]
        if factorial(min(len(items), 10)) > MOST_TASKS:
            raise FamilyError("too many orders", where=where, mend="permute at most 6 items")
        found: list[Any] = [list(order) for order in permutations(items)]
    elif isinstance(value, list):
        found = value
    else:
        raise FamilyError("no list of values", where=where, mend='write [7, 8] or { permutations = ["a", "b"] }')
    if not found:
        raise FamilyError("no value", where=where, mend="write at least one")
    return tuple(Expression(item, where).value({}) for item in found)


def _commands(value: object, where: str) -> tuple[Command, ...]:
    if not isinstance(value, list):
        raise FamilyError("no list of commands", where=where, mend="write [[…]] tables or [{ box = … }]")
    out: list[Command] = []
    for number, item in enumerate(value):
        table = _Table(item, *_split(f"{where}[{number}]"))
        verbs = [key for key in table.left if key in VERBS]
        if len(verbs) != 1:
            raise FamilyError(
                f"{len(verbs)} commands in one entry" if verbs else "no command",
                where=table.at(),
                mend="write one of " + ", ".join(VERBS),
            )
        out.append(_command(verbs[0], table))
    return tuple(out)


def _command(verb: str, table: _Table) -> Command:
    if verb == "use":
        command = Command(table.at(verb), verb, name=table.take(verb, str))
        table.done()
        return command
    inner = _Table(table.take(verb, dict), table.file, table.path_of(verb))
    table.done()
    needs, may = VERBS[verb]
    given: dict[str, Any] = {}
    if verb == "repeat":
        given = {"name": inner.name("as"), "do": _commands(inner.take("do", list), inner.at("do"))}
    values = {key: inner.expression(key) for key in needs}
    values |= {key: value for key in may if (value := inner.maybe(key)) is not None}
    if verb == "design":
        values |= {key: inner.expression(key) for key in list(inner.left)}
    inner.done()
    return Command(table.at(verb), verb, values=values, **given)


class _Table:
    """A TOML table from which keys are taken; what is left at the end is an error."""

    def __init__(self, value: object, file: str, path: str) -> None:
        self.file = file
        self.path = path
        if not isinstance(value, dict):
            raise FamilyError(f"a {_kind(value)} where a table belongs", where=self.at(), mend="write a table")
        self.left = dict(value)
        self._known: list[str] = []

    def path_of(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def at(self, key: str = "") -> str:
        path = self.path_of(key) if key else self.path
        return f"{self.file}: {path}" if path else self.file

    def take(self, key: str, kind: type, default: Any = _MISSING) -> Any:
        self._known.append(key)
        if key not in self.left:
            if default is _MISSING:
                raise FamilyError("is missing", where=self.at(key), mend=f"give {_a_kind(kind)}")
            return default
        value = self.left.pop(key)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise FamilyError(
                f"a {_kind(value)}, not {_a_kind(kind)}", where=self.at(key), mend=f"give {_a_kind(kind)}"
            )
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            raise FamilyError("too long", where=self.at(key), mend=f"write at most {LONGEST_TEXT} characters")
        return value

    def expression(self, key: str) -> Expression:
        return Expression(self.take(key, object), self.at(key))

    def maybe(self, key: str) -> Expression | None:
        value = self.take(key, object, None)
        return None if value is None else Expression(value, self.at(key))

    def template(self, key: str) -> Template:
        return Template(self.take(key, str), self.at(key))

    def choice(self, key: str, choices: tuple[str, ...], default: Any = _MISSING) -> Any:
        value = self.take(key, str, default)
        if value is not None and value not in choices:
            raise FamilyError(f"{value!r}", where=self.at(key), mend="take one of " + ", ".join(choices))
        return value

    def word(self, key: str) -> str:
        value: str = self.take(key, str)
        if not _WORD.fullmatch(value):
            raise FamilyError(f"{value!r} is no plain word", where=self.at(key), mend="use small letters, digits and -")
        return value

    def name(self, key: str) -> str:
        return _checked_name(self.take(key, str), self.at(key))

    def words(self, key: str) -> tuple[str, ...]:
        value = self.take(key, list)
        if not all(isinstance(item, str) for item in value):
            raise FamilyError("not only texts", where=self.at(key), mend='write ["one", "two"]')
        return tuple(value)

    def named(self, key: str, *, required: bool = True, ids: bool = False) -> list[tuple[str, Any, str]]:
        """Name, value and place of the entries of a table whose keys are names of the author's own."""
        inner = self.take(key, dict, _MISSING if required else {})
        self._few(key, len(inner))
        for name in inner:
            if not ids:
                _checked_name(name, self.at(key))
        return [(name, value, f"{self.at(key)}.{name}") for name, value in inner.items()]

    def table(self, key: str) -> _Table:
        return _Table(self.take(key, dict, {}), self.file, self.path_of(key))

    def tables(self, key: str) -> list[_Table]:
        values = self.take(key, list, [])
        self._few(key, len(values))
        return [_Table(value, self.file, f"{self.path_of(key)}[{i}]") for i, value in enumerate(values)]

    def _few(self, key: str, number: int) -> None:
        if number > MOST_ENTRIES:
            raise FamilyError(f"{number} entries", where=self.at(key), mend=f"write at most {MOST_ENTRIES}")

    def done(self) -> None:
        for key in self.left:
            near = get_close_matches(key, self._known, n=1)
            mend = f"did you mean {near[0]!r}?" if near else "known keys: " + ", ".join(self._known)
            raise FamilyError("this key is not known", where=self.at(key), mend=mend)


def _checked_name(name: str, where: str) -> str:
    if not _NAME.fullmatch(name):
        raise FamilyError(f"{name!r} is no name", where=where, mend="use small letters, digits and _")
    return name


def _split(where: str) -> tuple[str, str]:
    file, _, path = where.rpartition(": ")  # no key in a path to commands holds ": "
    return file, path


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


_KINDS: Mapping[type, str] = {
    bool: "truth value", int: "whole number", float: "number", str: "text", list: "list", dict: "table"
}  # fmt: skip


def _kind(value: object) -> str:
    return _KINDS.get(type(value), type(value).__name__)


def _a_kind(kind: type) -> str:
    return f"a {_KINDS[kind]}" if kind in _KINDS else "a value"
