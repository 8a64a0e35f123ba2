"""Designs by name, and the checks of the values that a family file gives them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from minece.blocks import MineceError
from minece.tasks.designs.drawing import Drawing, Placement
from minece.tasks.errors import FamilyError
from minece.tasks.paths import Cell

Design = Callable[..., None]
"""A function that draws: the drawing first, then plain values by name (numbers, words, truth values, lists)."""

LARGEST = 256
"""Largest number, either sign, that a design takes."""
LONGEST = 64
"""Letters of a text and entries of a list that a design takes."""

_DESIGNS: dict[str, Design] = {}


def design(function: Design) -> Design:
    """Make a function known by its name, with - for _."""
    _DESIGNS[function.__name__.replace("_", "-")] = function
    return function


def designs() -> Mapping[str, Design]:
    """All designs by name."""
    return _DESIGNS


def draw(name: str, values: Mapping[str, Any], *, at: Cell = (0, 0, 0), where: str = "") -> list[Placement]:
    """The placements of a design in their order, its corner moved to ``at``.

    Raises :class:`FamilyError` for a name or a value that there is not.
    """
    function = _DESIGNS.get(name)
    if function is None:
        raise FamilyError(
            f"there is no design {name!r}", where=where, mend="take one of " + ", ".join(sorted(_DESIGNS))
        )
    hints = _hints(name)
    for key, value in values.items():
        if key not in hints:
            near = get_close_matches(key, hints, n=1)
            mend = f"did you mean {near[0]!r}?" if near else "it takes " + ", ".join(hints)
            raise FamilyError(f"design {name} takes no {key!r}", where=where, mend=mend)
        if not _fits(value, hints[key]):
            mend = f"give {_described(hints[key])}"
            raise FamilyError(f"design {name}: {key} = {str(value)[:60]!r}", where=where, mend=mend)
    missing = [key for key, needed in _needed(name).items() if needed and key not in values]
    if missing:
        raise FamilyError(f"design {name} needs {missing[0]!r}", where=where, mend="give it")
    drawing = Drawing()
    try:
        function(drawing, **values)
        return drawing.placements(at)
    except MineceError as error:
        raise FamilyError(f"design {name}: {error.reason}", where=where, mend=error.mend) from None


@lru_cache(maxsize=256)
def _hints(name: str) -> dict[str, Any]:
    hints = get_type_hints(_DESIGNS[name])
    return {key: hints[key] for key in list(inspect.signature(_DESIGNS[name]).parameters)[1:]}


def _needed(name: str) -> dict[str, bool]:
    parameters = list(inspect.signature(_DESIGNS[name]).parameters.values())[1:]
    return {one.name: one.default is one.empty for one in parameters}


def _fits(value: Any, hint: Any) -> bool:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, one) for one in get_args(hint))
    if origin is Literal:
        return isinstance(value, str) and value in get_args(hint)
    if origin is list:
        return isinstance(value, list) and len(value) <= LONGEST and all(_fits(one, get_args(hint)[0]) for one in value)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST
    if hint is str:
        return (
            isinstance(value, str) and len(value) <= LONGEST and re.fullmatch(r"[a-z0-9_:\[\]=,]*", value) is not None
        )
    return hint is bool and isinstance(value, bool)


def _described(hint: Any) -> str:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return " or ".join(_described(one) for one in get_args(hint) if one is not NoneType)
    if origin is Literal:
        return "one of " + ", ".join(get_args(hint))
    if origin is list:
        return f"a list of at most {LONGEST}, each {_described(get_args(hint)[0])}"
    return {int: f"a whole number within ±{LARGEST}", str: "a block", bool: "true or false"}[hint]
