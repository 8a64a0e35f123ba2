"""Expressions give typed values; those of strangers end in one line, soon, whatever they try."""

import time
import tracemalloc

import pytest

from minece.tasks.errors import ExpressionError
from minece.tasks.expressions import Allowance, Expression, Template

SCOPE = {"length": 7, "verb": "lay", "order": ["a", "b"], "size": {"seats": 25, "items": 3}}
LONG = {"long": "x" * 20_000, "m": ["y" * 20_000] * 10}


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("= length * 2 - 1", 13),
        ("= length // 2", 3),
        ("= length % 4", 3),
        ("= 2 ** 10", 1024),
        ("= -length", -7),
        ("= length > 5 and length != 8", True),
        ("= 'upper(' ~ length ~ ')'", "upper(7)"),
        ("= order + ['c']", ["a", "b", "c"]),
        ("= order[1:]", ["b"]),
        ("= {4: [1], 7: [2]}[length]", [2]),
        ("= size.seats + size['items']", 28),
        ("= range(2, length)", [2, 3, 4, 5, 6]),
        ("= max(length, 9) if verb == 'lay' else 0", 9),
        ("= order | join('-')", "a-b"),
        ("= length is odd", True),
        (["= length", 0, {"x": "= verb"}], [7, 0, {"x": "lay"}]),
        ("length", "length"),
        (7, 7),
    ],
)
def test_values_keep_their_type(raw: object, value: object) -> None:
    found = Expression(raw, "f.toml: let.x").value(SCOPE)
    assert found == value
    assert type(found) is type(value)


HOSTILE = [
    "10 ** 10 ** 8",
    "9 ** 99 ** 99",
    "'a' * 10 ** 9",
    "[0] * 10 ** 9",
    "'%1000000000d' % 1",
    "'{:1000000000d}'.format(1)",
    "range(10 ** 9)",
    "range(9999) + range(9999) + range(9999)",
    "range(10 ** 12, 0, -1)",
    "sum([10 ** 12, 10 ** 12]) * 10 ** 12",
    "1e308 * 10",
    "1 / 0",
    "1 // 0",
    "().__class__.__mro__",
    "''.__class__",
    "verb.upper()",
    "order.append('c')",
    "size.items()",
    "length.__add__(1)",
    "cycler('a')",
    "lipsum(100000)",
    "namespace(a=1)",
    "joiner()",
    "self",
    "open('/etc/passwd')",
    "import os",
    "verb | attr('upper')",
    "order | map('upper')",
    "order | batch(2)",
    "verb | center(1000000000)",
    "verb | indent(1000000000)",
    "verb | replace('', 'xxxxxxxx')",
    "range(*order)",
    "max(1, key=2)",
    "unknown",
    "unknown + 1",
    "size.nothing",
    "order[9]",
    "order['a']",
    "verb + 1",
    "verb - verb",
    "order | join(order)",
    "range",
    "max()",
    "sum(order)",
    "(" * 3000 + "1" + ")" * 3000,
    "(" * 1500 + "1" + ")" * 1500,
    "-" * 1900 + "1",
    "not " * 900 + "1",
    "[" * 1500 + "]" * 1500,
    "1" * 5000,
    "1" + "+1" * 1999,
    "",
    "1 +",
    "}} {{",
    "'",
    "a if",
    "caller()",
    "{}[{}]",
    "[m, m, m, m, m, m, m, m, m, m, m]",
    "{1: m, 2: m, 3: m, 4: m, 5: m, 6: m, 7: m, 8: m, 9: m, 10: m, 11: m}",
    "m ~ m ~ m ~ m",
    "long ~ long ~ long",
    "long ~ 1",
    "[long, [long]] | join",
    "range(9999) | join(long)",
    "1 | counted(m)",
    "1 | counted(long)",
    "sum([m, m, m], [])",
    "sum(m)",
    "size[m]",
    "size[[m, m]]",
    "size[[m, m]:]",
    "order[m:m]",
    "size[long]",
    "{(long, long): 1}",
    "'%1000000000d' is even",
    "'%1000000000d' is odd",
    "'%1000000000d' is divisibleby(1)",
    "0x" + "f" * 3900,
    "'' ~ 0x" + "f" * 3900,
    "size[0x" + "f" * 3900 + "]",
    "'a' ~ (range(9999) | join('aaaaaaaaaaaaaaaaaaaaaaaaa'))",
]


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_expressions_end_soon_in_one_line(source: str) -> None:
    start = time.thread_time()
    try:
        value = Expression(f"= {source}", "f.toml: let.x").value(SCOPE | LONG)
    except ExpressionError as error:
        assert str(error).startswith("f.toml: let.x: ")
        assert "\n" not in str(error)
    else:
        assert source in ("1" + "+1" * 1999, "-" * 1900 + "1", "not " * 900 + "1"), value
    assert time.thread_time() - start < 3


HOSTILE_TEXTS = [
    "{% for i in range(9999) %}{% for j in range(9999) %}x{% endfor %}{% endfor %}",
    "{% set x = 'a' %}{{ x }}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}",
    "{% extends 'x' %}",
    "{{ unknown }}",
    "{{ verb.__class__ }}",
    "{{ 'a' * 10 ** 9 }}",
    "{% if %}",
    "{{",
    "x" * 30_000 + "{{ verb }}",
    "{{ range(9999) | join('aaaaaaaaaaaaaaaaaaaaaaaaaaa') }}",
    "{% call verb() %}{% endcall %}",
    "{% filter upper %}a{% endfilter %}",
    "{% do verb %}",
    "{{ m }}" * 2_000,
    "{{ long }}" * 1_900,
    "{{ long }}.",
    "{{ size }}",
    "{{ 0x" + "f" * 5_000 + " }}",
    "{{ '%1000000000d' is even }}",
    "9" * 5_000,
    "{{ verb }} " + "9" * 19,
]


@pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=range(len(HOSTILE_TEXTS)))
def test_hostile_texts_end_soon_in_one_line(text: str) -> None:
    start = time.thread_time()
    with pytest.raises(ExpressionError, match=r"^f\.toml: turns\[0\]\.text: ") as caught:
        Template(text, "f.toml: turns[0].text").render(SCOPE | LONG)
    assert "\n" not in str(caught.value)
    assert time.thread_time() - start < 3


@pytest.mark.parametrize(
    "raw",
    [
        ["= range(9999)"] * 1000,
        {f"key{i}": "= range(9999)" for i in range(1000)},
        [[[[[[[[[[[[["= 1"]]]]]]]]]]]]],
        ["= []"] * 20_000,
        ["= long ~ ''"] * 1_000,
        {f"key{i}": "= long ~ ''" for i in range(1000)},
        10**13,
        -1e300,
    ],
    ids=range(8),
)
def test_large_values_end_soon(raw: object) -> None:
    start = time.thread_time()
    with pytest.raises(ExpressionError, match=r"^f\.toml: let\.x.*(items|deeply|too large)"):
        Expression(raw, "f.toml: let.x").value(SCOPE | LONG)
    assert time.thread_time() - start < 3


def test_a_value_holds_few_letters_in_all() -> None:
    assert len(Expression("= m", "f.toml: let.x").value(LONG)) == 10
    tracemalloc.start()
    with pytest.raises(ExpressionError, match="letters"):
        Expression("= m + m + m", "f.toml: let.x").value(LONG)
    for text in ("{{ m }}" * 40, "{{ long }}" * 40):
        with pytest.raises(ExpressionError, match=r"turns\[0\]\.text: a (list in a text|text of more than)"):
            Template(text, "f.toml: turns[0].text").render(LONG)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 10_000_000


def test_texts_have_single_blanks() -> None:
    text = "{{ verb | capitalize }}  a slab\n of {{ 1 | counted('block') }} and {{ length | counted('block') }}"
    assert Template(text, "").render(SCOPE) == "Lay a slab of 1 block and 7 blocks"
    assert Template("{% if length > 5 %}long{% else %}short{% endif %}", "").render(SCOPE) == "long"


def test_a_near_name_is_named() -> None:
    with pytest.raises(ExpressionError, match="did you mean 'length'"):
        Expression("= lenght + 1", "f.toml: let.x").value(SCOPE)


def test_an_allowance_ends() -> None:
    allowance = Allowance(steps=3)
    for _ in range(3):
        allowance.step("f.toml: turns[0]")
    with pytest.raises(ExpressionError, match="too many steps"):
        allowance.step("f.toml: turns[0]")
    with pytest.raises(ExpressionError, match="too long"):
        Allowance(seconds=-1).step("f.toml: turns[0]")
