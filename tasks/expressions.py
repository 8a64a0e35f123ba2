"""Expressions and texts in family files: jinja2, sandboxed and bounded.

Anybody may write a family, so its expressions are hostile until proven harmless. They can name parameters and
derived values, compute with small numbers, words, lists and tables, and call the few functions and filters below.
There are no loops, assignments, attributes or methods; every operator bounds its result. Evaluation therefore takes
time in proportion to the length of the source, and :class:`Allowance` bounds how often that happens.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from minece.checkers.wording import count
from minece.tasks.errors import ExpressionError

if TYPE_CHECKING:
    from jinja2.nodes import Node
    from jinja2.sandbox import SandboxedEnvironment

Scope = Mapping[str, Any]
"""Names that an expression may use, with plain values: numbers, texts, truth values, lists, tables."""

LONGEST_SOURCE = 4_000
LONGEST_TEXT = 20_000
MOST_ITEMS = 10_000
LARGEST_NUMBER = 10**12
DEEPEST = 10


class Expression:
    """A value of a TOML file in which texts that begin with ``=`` are expressions, at any depth.

    ``"= length * 2"`` becomes a number, ``["= x", 0, "= z"]`` a cell; anything else stays as it is.
    """

    def __init__(self, raw: object, where: str) -> None:
        self.raw = raw
        self.where = where

    @cached_property
    def _evaluate(self) -> Callable[[Scope], Any]:
        return _reader(self.raw, self.where)

    def value(self, scope: Scope) -> Any:
        """The plain value in this scope. Raises :class:`ExpressionError`."""
        return self._evaluate(scope)


class Template:
    """A text with ``{{ expression }}`` and ``{% if … %}`` in it."""

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where

    @cached_property
    def _render(self) -> Callable[[Scope], Any]:
        if "{" not in self.text:
            return lambda scope: self.text
        return _compiled(self.text, self.where, template=True)

    def render(self, scope: Scope) -> str:
        """The finished text; its white space is one blank between words. Raises :class:`ExpressionError`."""
        return " ".join(str(self._render(scope)).split())


class Allowance:
    """How many steps and how much time the evaluation of a family may take."""

    def __init__(self, steps: int = 100_000, seconds: float = 5.0) -> None:
        self._steps = steps
        self._end = time.monotonic() + seconds

    def step(self, where: str, number: int = 1) -> None:
        """Use up some steps. Raises :class:`ExpressionError` when nothing is left."""
        self._steps -= number
        if self._steps < 0 or time.monotonic() > self._end:
            raise ExpressionError("takes too many steps or too long", where=where, mend="make it smaller")


def _reader(raw: object, where: str, depth: int = 0) -> Callable[[Scope], Any]:
    if isinstance(raw, str) and raw.startswith("="):
        return _compiled(raw[1:].strip(), where, template=False)
    if depth > DEEPEST:
        raise ExpressionError("nested too deeply", where=where, mend="make it flatter")
    if isinstance(raw, list):
        items = [_reader(item, f"{where}[{i}]", depth + 1) for i, item in enumerate(raw)]
        return lambda scope: list(_collect(items, scope, where))
    if isinstance(raw, dict):
        inner = [_reader(item, f"{where}.{key}", depth + 1) for key, item in raw.items()]
        return lambda scope: dict(zip(raw, _collect(inner, scope, where), strict=True))
    _measure(raw, where)
    return lambda scope: raw


def _collect(items: Sequence[Callable[[Scope], Any]], scope: Scope, where: str) -> Iterator[Any]:
    """The values of the items, as long as they are few in all."""
    left = MOST_ITEMS
    for item in items:
        value = item(scope)
        left -= _weight(value)
        if left < 0:
            raise ExpressionError(f"more than {MOST_ITEMS} items", where=where, mend="make it smaller")
        yield value


def _weight(value: Any) -> int:
    """How many plain values a value holds."""
    if isinstance(value, list):
        return 1 + sum(map(_weight, value))
    return 1 + sum(map(_weight, value.values())) if isinstance(value, dict) else 1


def _compiled(source: str, where: str, *, template: bool) -> Callable[[Scope], Any]:
    from jinja2 import TemplateError

    limit = LONGEST_TEXT if template else LONGEST_SOURCE
    if len(source) > limit:
        raise ExpressionError(f"longer than {limit} characters", where=where, mend="shorten it")
    try:
        evaluate = _compile(source, template)
    except ExpressionError as error:
        raise ExpressionError(error.reason, where=where, mend=error.mend) from None
    except (TemplateError, SyntaxError, RecursionError, MemoryError, ValueError, OverflowError) as error:
        raise ExpressionError(
            f"cannot be read: {_said(error)}", where=where, mend=f"look at {_short(source)}"
        ) from None

    def value(scope: Scope) -> Any:
        try:
            found = evaluate(scope)
        except ExpressionError as error:
            raise ExpressionError(error.reason, where=where, mend=error.mend) from None
        except (
            TemplateError,
            ArithmeticError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
            RecursionError,
            MemoryError,
        ) as error:
            raise ExpressionError(
                f"{_short(source)} cannot be evaluated: {_said(error)}", where=where, mend=_hint(error, scope)
            ) from None
        return _measure(found, where)

    return value


@lru_cache(maxsize=4096)
def _compile(source: str, template: bool) -> Callable[[Scope], Any]:
    from jinja2.parser import Parser

    env = _environment()
    if template:
        _examine(env.parse(source))
        ready = env.from_string(source)
        return lambda scope: ready.render(scope)
    _examine(Parser(env, source, state="variable").parse_expression())
    expression = env.compile_expression(source, undefined_to_none=False)
    return lambda scope: expression(scope)


def _examine(node: Node) -> None:
    """Raise :class:`ExpressionError` for anything but the allowed kinds of syntax."""
    from jinja2 import nodes

    allowed = (
        nodes.Template, nodes.Output, nodes.TemplateData, nodes.If,
        nodes.Const, nodes.Name, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Getitem, nodes.Getattr,
        nodes.Slice, nodes.BinExpr, nodes.UnaryExpr, nodes.Compare, nodes.Operand, nodes.CondExpr, nodes.Concat,
        nodes.Filter, nodes.Test, nodes.Call,
    )  # fmt: skip
    waiting = [node]
    while waiting:
        found = waiting.pop()
        if not isinstance(found, allowed):
            raise ExpressionError(
                f"{type(found).__name__.lower()} is not allowed here",
                mend="use parameters, numbers, words, lists, if and the functions " + ", ".join(sorted(_FUNCTIONS)),
            )
        if isinstance(found, nodes.Call):
            known = isinstance(found.node, nodes.Name) and found.node.name in _FUNCTIONS
            if not known or found.kwargs or found.dyn_args or found.dyn_kwargs:
                raise ExpressionError(
                    "this call is not allowed", mend="call only " + ", ".join(sorted(_FUNCTIONS)) + " with plain values"
                )
        if isinstance(found, nodes.Filter) and (found.kwargs or found.dyn_args or found.dyn_kwargs):
            raise ExpressionError("this filter call is not allowed", mend="give filters plain values")
        waiting.extend(found.iter_child_nodes())


@lru_cache(maxsize=1)
def _environment() -> SandboxedEnvironment:
    from jinja2 import StrictUndefined
    from jinja2.sandbox import SandboxedEnvironment

    class Bounded(SandboxedEnvironment):
        """Looks names up in tables and lists only, and bounds every operator."""

        intercepted_binops = frozenset({"+", "-", "*", "/", "//", "%", "**"})

        def call_binop(self, context: object, operator: str, left: Any, right: Any) -> Any:
            return _combine(operator, left, right)

        def getattr(self, obj: Any, attribute: str) -> Any:
            return self.getitem(obj, attribute)

        def getitem(self, obj: Any, argument: Any) -> Any:
            try:
                if isinstance(obj, (Mapping, list, tuple, str)):
                    return obj[argument]
            except (LookupError, TypeError):
                pass
            return self.undefined(obj=obj, name=argument)

    env = Bounded(undefined=StrictUndefined, autoescape=False, optimized=False, cache_size=0)
    env.globals = dict(_FUNCTIONS)
    env.filters = dict(_FILTERS)
    env.tests = {name: env.tests[name] for name in ("even", "odd", "divisibleby", "defined", "in")}
    return env


def _combine(operator: str, left: Any, right: Any) -> Any:
    if isinstance(left, (int, float)) and isinstance(right, (int, float)):
        if operator == "**" and not (0 <= right <= 16 and abs(left) <= LARGEST_NUMBER):
            raise ExpressionError("this power is too large", mend="take exponents from 0 to 16")
        return _bounded(_ARITHMETIC[operator](left, right))
    for value in (left, right):
        if type(value).__name__ == "StrictUndefined":
            str(value)  # raises, and names what is unknown
    alike = (isinstance(left, str) and isinstance(right, str)) or (
        isinstance(left, (list, tuple)) and isinstance(right, (list, tuple))
    )
    if operator == "+" and alike:
        if len(left) + len(right) > MOST_ITEMS:
            raise ExpressionError(f"more than {MOST_ITEMS} items", mend="make it smaller")
        return left + right if isinstance(left, str) else [*left, *right]
    raise ExpressionError(
        f"{operator} does not go with {type(left).__name__} and {type(right).__name__}",
        mend="compute with numbers, or join texts or lists with +",
    )


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "**": lambda a, b: a**b,
}


def _bounded(number: Any) -> Any:
    if isinstance(number, float) and not math.isfinite(number) or abs(number) > LARGEST_NUMBER:
        raise ExpressionError("this number is too large", mend=f"stay within ±{LARGEST_NUMBER}")
    return number


def _range(*bounds: int) -> list[int]:
    found = range(*bounds)
    if len(found) > MOST_ITEMS:
        raise ExpressionError(f"a range of more than {MOST_ITEMS} numbers", mend="make it smaller")
    return list(found)


def _join(items: Sequence[object], between: str = "") -> str:
    words = [str(item) for item in items]
    if sum(map(len, words)) + len(between) * len(words) > LONGEST_TEXT:
        raise ExpressionError(f"a text of more than {LONGEST_TEXT} characters", mend="make it smaller")
    return between.join(words)


_FUNCTIONS: dict[str, Callable[..., Any]] = {"range": _range, "min": min, "max": max, "abs": abs, "sum": sum}
_FILTERS: dict[str, Callable[..., Any]] = {
    "capitalize": lambda text: text[:1].upper() + text[1:],
    "join": _join,
    "length": len,
    "counted": count,
}


def _measure(value: Any, where: str) -> Any:
    """The value, made of plain lists and tables, if it is plain and small."""
    left = [MOST_ITEMS]

    def plain(part: Any, depth: int) -> Any:
        left[0] -= 1
        if left[0] < 0 or depth > DEEPEST:
            raise ExpressionError(
                f"more than {MOST_ITEMS} items or nested too deeply", where=where, mend="make it smaller"
            )
        if isinstance(part, bool) or part is None:
            return part
        if isinstance(part, (int, float)):
            try:
                return _bounded(part)
            except ExpressionError as error:
                raise error.at(where) from None
        if isinstance(part, str):
            if len(part) > LONGEST_TEXT:
                raise ExpressionError(f"a text of more than {LONGEST_TEXT} characters", where=where, mend="shorten it")
            return str(part)
        if isinstance(part, (list, tuple)):
            return [plain(item, depth + 1) for item in part]
        if isinstance(part, dict):
            return {str(key): plain(item, depth + 1) for key, item in part.items()}
        what = "an unknown name" if type(part).__name__ == "StrictUndefined" else f"a {type(part).__name__}"
        raise ExpressionError(f"gives {what}", where=where, mend="give a number, a text, a list or a table")

    return plain(value, 0)


def _said(error: BaseException) -> str:
    return str(error) or type(error).__name__


def _short(source: str) -> str:
    line = " ".join(source.split())
    return repr(line if len(line) <= 60 else line[:59] + "…")


def _hint(error: BaseException, scope: Scope) -> str:
    words = [word.strip("'") for word in str(error).split() if word.startswith("'")]
    near = get_close_matches(words[0], list(scope), n=1) if words else []
    known = ", ".join(sorted(scope)) or "none"
    return f"did you mean {near[0]!r}?" if near else f"known names: {known}"
