"""Files that strangers wrote, read within limits: their text, and TOML."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from minece.tasks.errors import TasksError

MOST_PARTS = 16
"""Parts of a dotted key; tomllib takes time in proportion to their square."""
DEEPEST = 32
LARGEST_NUMBER = 10**18
LONGEST_KEY = 200

_PIECE = re.compile(
    r'''
      (?P<key> "(?!"")(?:[^"\\\n]++|\\[^\n])*+"?+ | '(?!'')[^'\n]*+'?+ | [A-Za-z0-9_-]++ )
    | (?P<text> """(?:[^"\\]++|\\.|"(?!""))*+(?:"{3,5}+)?+ | \'\'\'(?:[^']++|'(?!''))*+(?:'{3,5}+)?+ | \#[^\n]*+ )
    | (?P<dot> [ \t]*+\.[ \t]*+ )
    | (?P<other> [^A-Za-z0-9_."'\#-]++ | . )
    ''',
    re.VERBOSE | re.DOTALL,
)


def file_text(path: Path, most: int, mend: str) -> str:
    """The text of an ordinary file of at most so many bytes.

    Raises :class:`TasksError` that begins with the path; ``mend`` says what file to give.
    """
    where = str(path)
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise TasksError("is no ordinary file", where=where, mend=mend)
            content = file.read(most + 1)
    except IsADirectoryError:
        raise TasksError("is no ordinary file", where=where, mend=mend) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TasksError(reason, where=where, mend=mend) from None
    if len(content) > most:
        raise TasksError(f"larger than {most} bytes", where=where, mend=mend)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TasksError("no text in UTF-8", where=where, mend="save it as UTF-8") from None


def _open_without_waiting(path: str, flags: int) -> int:
    # A pipe without a writer would block for ever.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_toml(text: str, where: str, mend: str = "mend that line") -> dict[str, Any]:
    """The table in a TOML text; its keys are short and its numbers small.

    Raises :class:`TasksError`; ``mend`` is for a text that is no TOML.
    """
    try:
        _refuse_long_keys(text)
        found = tomllib.loads(text)
        _refuse_large_values(found)
    except TasksError as error:
        raise error.at(where) from None
    except (ValueError, RecursionError) as error:
        raise TasksError(f"no readable TOML: {error}", where=where, mend=mend) from None
    return found


def _refuse_long_keys(text: str) -> None:
    """Look for parts joined by dots, outside texts and comments, in one pass over the text."""
    parts, joined = 0, False
    for piece in _PIECE.finditer(text):
        if piece.lastgroup == "key":
            parts, joined = parts + 1 if joined else 1, False
            if parts > MOST_PARTS:
                line = text.count("\n", 0, piece.start()) + 1
                raise TasksError(f"line {line}: a key of more than {MOST_PARTS} parts", mend="shorten it")
        else:
            joined = piece.lastgroup == "dot" and parts > 0
            parts = parts if joined else 0


def _refuse_large_values(tree: dict[str, Any]) -> None:
    """Look at every value once. Whoever shows a number of thousands of digits meets an error of Python's own."""
    waiting: list[tuple[Any, int]] = [(tree, 1)]
    while waiting:
        value, depth = waiting.pop()
        if depth > DEEPEST:
            raise TasksError("nested too deeply", mend="make it flatter")
        if isinstance(value, dict):
            for key in value:
                if len(key) > LONGEST_KEY:
                    raise TasksError(f"{key[:20]}…: a key of more than {LONGEST_KEY} letters", mend="shorten it")
            waiting.extend((inner, depth + 1) for inner in value.values())
        elif isinstance(value, list):
            waiting.extend((inner, depth + 1) for inner in value)
        elif isinstance(value, int) and abs(value) > LARGEST_NUMBER:
            raise TasksError("a whole number beyond ±10¹⁸", mend="write smaller numbers")
