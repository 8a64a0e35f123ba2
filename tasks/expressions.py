"""Expressions and texts in family files: jinja2, sandboxed and bounded.

Anybody may write a family, so its expressions are hostile until proven harmless. They can name parameters and
derived values, compute with small numbers, words, lists and tables, and call the few functions and filters below.
There are no loops, assignments, attributes or methods; every operator bounds its result. Evaluation therefore takes
time in proportion to the length of the source, and :class:`Allowance` bounds how often that happens.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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
MOST_LETTERS = 200_000
"""Letters in all texts of one value."""
LONGEST_NUMBER = 18
"""Digits of a number in a text."""
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
        text = " ".join(str(self._render(scope)).split())
        if _LONG_NUMBER.search(text):
            raise ExpressionError(
                f"holds a number of more than {LONGEST_NUMBER} digits", where=self.where, mend="write smaller numbers"
            )
        return text


_LONG_NUMBER = re.compile(rf"\d{{{LONGEST_NUMBER + 1}}}")


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
    """The values of the items, as long as they are few and short in all."""
    room, letters = MOST_ITEMS, MOST_LETTERS
    for item in items:
        value = item(scope)
        more, longer = weight(value)
        room, letters = room - more, letters - longer
        if room < 0 or letters < 0:
            raise _too_large(where)
        yield value


def weight(value: Any) -> tuple[int, int]:
    """How many plain values a value holds, and how many letters."""
    if isinstance(value, str):
        return 1, len(value)
    parts: Iterable[Any] = value if isinstance(value, list) else ()
    letters = 0
    if isinstance(value, dict):
        parts, letters = value.values(), sum(map(len, value))
    weights = [weight(part) for part in parts]
    return 1 + sum(items for items, _ in weights), letters + sum(inside for _, inside in weights)


def _too_large(where: str = "") -> ExpressionError:
    return ExpressionError(
        f"more than {MOST_ITEMS} items or {MOST_LETTERS} letters, or nested too deeply",
        where=where,
        mend="make it smaller",
    )


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
        return lambda scope: _text(ready.generate(scope))
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
    from jinja2.compiler import CodeGenerator, Frame
    from jinja2.nodes import Concat
    from jinja2.sandbox import SandboxedEnvironment

    class Writer(CodeGenerator):
        """Writes ``a ~ b`` as a call of :func:`_text`; jinja2 joins texts of any length."""

        def visit_Concat(self, node: Concat, frame: Frame) -> None:
            self.write("environment.concatenated((")
            for part in node.nodes:
                self.visit(part, frame)
                self.write(", ")
            self.write("))")

    class Bounded(SandboxedEnvironment):
        """Looks names up in tables and lists only, and bounds every operator."""

        code_generator_class = Writer
        concatenated = staticmethod(_text)
        intercepted_binops = frozenset({"+", "-", "*", "/", "//", "%", "**"})

        def call_binop(self, context: object, operator: str, left: Any, right: Any) -> Any:
            return _combine(operator, left, right)

        def getattr(self, obj: Any, attribute: str) -> Any:
            return self.getitem(obj, attribute)

        def getitem(self, obj: Any, argument: Any) -> Any:
            # What is not found is named in a message: a list there may hold one long text many times.
            parts = (argument.start, argument.stop, argument.step) if isinstance(argument, slice) else (argument,)
            if any(isinstance(part, (list, tuple, Mapping)) for part in parts):
                raise ExpressionError(f"a {type(argument).__name__} is no key", mend="take a word or a number")
            try:
                if isinstance(obj, (Mapping, list, tuple, str)):
                    return obj[argument]
            except (LookupError, TypeError):
                pass
            return self.undefined(obj=obj, name=argument)

    env = Bounded(undefined=StrictUndefined, autoescape=False, optimized=False, cache_size=0, finalize=_word)
    env.globals = dict(_FUNCTIONS)
    env.filters = dict(_FILTERS)
    env.tests = {**_TESTS, **{name: env.tests[name] for name in ("defined", "in")}}
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


def _sum(items: Iterable[Any]) -> Any:
    total: Any = 0
    for item in items:
        if not isinstance(item, (int, float)):
            raise ExpressionError(f"a {type(item).__name__} in a sum", mend="add up numbers")
        total = _bounded(total + item)
    return total


def _word(value: Any) -> str:
    """A value in a text: a number or a text, never a list, which may hold one long text many times."""
    if isinstance(value, (list, tuple, Mapping)):
        raise ExpressionError(f"a {type(value).__name__} in a text", mend="join it, or name one of its values")
    return str(value)


def _text(words: Iterable[Any], between: str = "") -> str:
    """The words in a row, as long as they are short in all."""
    found: list[str] = []
    room = LONGEST_TEXT
    for word in words:
        if found and between:
            found.append(between)
            room -= len(between)
        found.append(_word(word))
        room -= len(found[-1])
        if room < 0:
            raise ExpressionError(f"a text of more than {LONGEST_TEXT} characters", mend="make it smaller")
    return "".join(found)


def _counted(number: Any, noun: Any, plural: Any = "") -> str:
    return _text([count(_whole(number), _word(noun), _word(plural))])


def _whole(value: Any) -> int:
    # The remainder of a text is a format, which makes texts of any length.
    if not isinstance(value, int):
        raise ExpressionError(f"a {type(value).__name__} where a whole number belongs", mend="give one")
    return value


_FUNCTIONS: dict[str, Callable[..., Any]] = {"range": _range, "min": min, "max": max, "abs": abs, "sum": _sum}
_FILTERS: dict[str, Callable[..., Any]] = {
    "capitalize": lambda text: text[:1].upper() + text[1:],
    "join": lambda items, between="": _text(items, _word(between)),
    "length": len,
    "counted": _counted,
}
_TESTS: dict[str, Callable[..., bool]] = {
    "even": lambda value: _whole(value) % 2 == 0,
    "odd": lambda value: _whole(value) % 2 == 1,
    "divisibleby": lambda value, by: _whole(value) % _whole(by) == 0,
}


def _measure(value: Any, where: str) -> Any:
    """The value, made of plain lists and tables, if it is plain and small."""
    room, letters = MOST_ITEMS, MOST_LETTERS

    def plain(part: Any, depth: int) -> Any:
        nonlocal room, letters
        room -= 1
        if isinstance(part, str):
            if len(part) > LONGEST_TEXT:
                raise ExpressionError(f"a text of more than {LONGEST_TEXT} characters", where=where, mend="shorten it")
            letters -= len(part)
        if room < 0 or letters < 0 or depth > DEEPEST:
            raise _too_large(where)
        if isinstance(part, bool) or part is None:
            return part
        if isinstance(part, (int, float)):
            try:
                return _bounded(part)
            except ExpressionError as error:
                raise error.at(where) from None
        if isinstance(part, str):
            return str(part)
        if isinstance(part, (list, tuple)):
            return [plain(item, depth + 1) for item in part]
        if isinstance(part, dict):
            return {key_of(key): plain(item, depth + 1) for key, item in part.items()}
        what = "an unknown name" if type(part).__name__ == "StrictUndefined" else f"a {type(part).__name__}"
        raise ExpressionError(f"gives {what}", where=where, mend="give a number, a text, a list or a table")

    def key_of(key: Any) -> str:
        if not isinstance(key, (str, int, float)):
            raise ExpressionError(f"a {type(key).__name__} is no key", where=where, mend="take a word or a number")
        return str(plain(key, 0))

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
