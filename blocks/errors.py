"""What can go wrong, as a tree.

::

    MineceError                 anything a user can cause: str() is one line, "where: what is wrong; how to mend"
    └── BlocksError             everything about blocks and files
        ├── StateError          a block state text that cannot be read
        ├── CoordinateError     coordinates that are no whole numbers or lie out of range
        ├── LogError            a log that contradicts itself or the finished blocks
        └── FormatError         a file that cannot be read or written
            └── LimitError      … because it is larger, deeper or slower than we accept

Every other folder has an ``errors.py`` whose root derives from :class:`MineceError`.
"""

from __future__ import annotations

from typing import Self

_LONGEST = 1000


class MineceError(Exception):
    """Something the user can mend.

    ``reason`` says what is wrong, ``where`` names the place (file, entry, parameter), ``mend`` says what to do.
    """

    def __init__(self, reason: str, *, where: str = "", mend: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.where = where
        self.mend = mend

    def at(self, where: str) -> Self:
        """The same error with ``where`` put in front of its place."""
        self.where = f"{where}: {self.where}" if self.where else where
        return self

    def __str__(self) -> str:
        text = f"{self.where}: {self.reason}" if self.where else self.reason
        if self.mend:
            text = f"{text}; {self.mend}"
        # Names and values from hostile files end up in messages: keep them on one bounded, printable line.
        line = "".join(c if c.isprintable() else " " for c in text)
        return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"


class BlocksError(MineceError):
    """Anything about blocks and files."""


class StateError(BlocksError):
    """A block state text that cannot be read."""


class CoordinateError(BlocksError):
    """Coordinates that are no whole numbers or lie out of range."""


class LogError(BlocksError):
    """A log that contradicts itself or the finished blocks."""


class FormatError(BlocksError):
    """A file that cannot be read or written."""


class LimitError(FormatError):
    """A file that is larger, deeper or slower to read than we accept."""
