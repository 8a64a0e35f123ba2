"""Damaged JSON for tests of readers: cut at every 1 %, and every value replaced by what does not belong there."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

from minece.blocks import formats
from minece.blocks.errors import MineceError

WRONG: tuple[Any, ...] = (
    None, True, -1, 0, 1.5, 2**29, 10**30, -(10**400), float("nan"), "", "x", "9" * 400, "oak_stairs[", "\0", "\ud800",
    [], {}, [[]], [None], {"x": 1}, [[[[[]]]]],
)  # fmt: skip
"""Values for places where they do not belong."""


def outcome(data: bytes, **options: Any) -> str:
    """ "read", or the line that says why not; fails the test for anything else."""
    try:
        found = formats.read(data, name="file", **options)
    except MineceError as error:
        line = str(error)
        assert line.startswith("file: ") and "\n" not in line and len(line) <= 1000
        return line
    assert found.runs is not None and all(run.turns for run in found.runs)
    return "read"


def cut_at_every_percent(data: bytes) -> Iterator[bytes]:
    """The beginnings of a file."""
    for percent in range(100):
        yield data[: len(data) * percent // 100]


def with_wrong_values(value: Any, most: int = 60) -> Iterator[bytes]:
    """JSON texts of a value in which one value after the other is a wrong one, missing or there twice."""
    for path in list(_paths(value))[:most]:
        for wrong in WRONG:
            yield _text(_replaced(value, path, lambda _, wrong=wrong: wrong))
        if path:
            yield _text(_replaced(value, path, None))
            yield _text(_replaced(value, path, lambda inner: [inner, inner]))


def nested(depth: int) -> list[bytes]:
    """Texts that are nested deeply, as lists and as objects."""
    return [b"[" * depth + b"]" * depth, b'{"a":' * depth + b"1" + b"}" * depth]


def _text(value: Any) -> bytes:
    return json.dumps(value).encode()


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _paths(inner, (*path, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _paths(inner, (*path, number))


def _replaced(value: Any, path: tuple[Any, ...], change: Any) -> Any:
    if not path:
        return change(value)
    out = copy.deepcopy(value)
    place = out
    for key in path[:-1]:
        place = place[key]
    if change is None:
        del place[path[-1]]
    else:
        place[path[-1]] = change(place[path[-1]])
    return out
