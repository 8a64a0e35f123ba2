"""JSON text under limits, with errors that name line and column."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import numpy as np

from minece.blocks.errors import FormatError, LimitError
from minece.blocks.formats.limits import SMALLER, Limits


def parse(text: str, limits: Limits, *, line: int = 1) -> Any:
    """The value of a JSON text whose first line has number ``line`` in its file.

    Raises :class:`FormatError` with line and column for text that is no JSON, for NaN and for a key that comes
    twice; :class:`LimitError` for more values or deeper nesting than ``limits`` allow.
    """
    if not text.strip():
        raise FormatError("the file is empty", mend="export it again")
    check(text, limits)
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno + line - 1}, column {error.colno}"
        raise FormatError(f"is no valid JSON: {_reason(error, text)}", where=place, mend="mend the text") from None
    except RecursionError:
        raise LimitError("is nested too deeply", mend="flatten it") from None
    except ValueError as error:  # a number with thousands of digits
        raise FormatError(f"is no valid JSON: {str(error).split(';')[0]}", mend="mend the text") from None


def check(text: str, limits: Limits) -> None:
    """Raise :class:`LimitError` for more values or deeper nesting than ``limits`` allow."""
    limits.most("characters of text", len(text), limits.text_bytes)
    opened = text.count("[") + text.count("{")
    limits.most("values", text.count(",") + 3 * opened, limits.text_values)
    if opened > limits.depth and _depth(text) > limits.depth and _depth(_TEXTS.sub("", text)) > limits.depth:
        raise LimitError(f"is nested deeper than {limits.depth} levels", mend=SMALLER)


_TEXTS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*\\?(?:"|\Z)', re.DOTALL)
"""Texts; one without end reaches to the end, so that no place is looked at twice."""


def _depth(text: str) -> int:
    raw = np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)
    step = np.zeros(256, dtype=np.int8)
    step[[ord("["), ord("{")]] = 1
    step[[ord("]"), ord("}")]] = -1
    brackets = step[raw]
    return int(np.cumsum(brackets[brackets != 0], dtype=np.int64).max(initial=0))


def _reason(error: json.JSONDecodeError, text: str) -> str:
    # Python versions point at the comma, behind it, or at the bracket.
    before = text[max(error.pos - 1000, 0) : error.pos].rstrip()
    after = text[error.pos : error.pos + 1000].lstrip()
    if after.startswith(","):
        before, after = ",", after[1:].lstrip()
    if before.endswith(",") and after[:1] in ("]", "}"):
        return "a comma before the closing bracket"
    if not after and not text[error.pos :].strip():
        return "the text ends early"
    return error.msg[0].lower() + error.msg[1:]


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise FormatError(f"the key {key!r} comes twice in one object", mend="leave one of them out")
            seen.add(key)
    return out


def _constant(name: str) -> NoReturn:
    raise FormatError(f"{name} is no JSON number", mend="write a number or null")


_DECODER = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant)
