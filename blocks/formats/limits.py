"""How large, deep and slow a file may be.

The default caps are chosen so that reading any file, hostile or not, ends within 5 s and 1 GB of memory on an
ordinary machine, with room left for what comes before and after (a test holds them to it).
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from minece.blocks.errors import LimitError


@dataclass(frozen=True, slots=True)
class Limits:
    """Caps on what is read.

    Attributes
    ----------
    file_bytes : size of the file itself
    unpacked_bytes : size of its content after gzip or zlib
    text_bytes : size of a text file (JSON, CSV), whose values take far more memory than their text
    text_values : values in a text file, counted as commas and brackets
    tags : NBT tags, entries of lists included but for those of a list read in bulk, which count as blocks
    depth : nesting of compounds, lists and JSON values
    name_bytes : length of an NBT name
    cells : cells of all boxes of a dense format, air included
    blocks : blocks, or dug cells, or rows of a text file; turns together may hold three times as many
    turns : turns of all runs together
    line : characters of one row of a table
    palette : entries of one palette
    regions : regions of one file
    seconds : processor time for the whole read
    """

    file_bytes: int = 64 * 2**20
    unpacked_bytes: int = 128 * 2**20
    text_bytes: int = 48 * 2**20
    text_values: int = 8_000_000
    tags: int = 500_000
    depth: int = 128
    name_bytes: int = 1024
    cells: int = 48_000_000
    blocks: int = 2_000_000
    turns: int = 10_000
    line: int = 65_536
    palette: int = 32_768
    regions: int = 4096
    seconds: float = 4.0

    def most(self, what: str, count: int, cap: int, *, where: str = "") -> None:
        """Raise :class:`LimitError` where ``count`` of something is above its cap."""
        if count > cap:
            raise LimitError(f"{count:,} {what}, more than the {cap:,} that are read", where=where, mend=SMALLER)


SMALLER = "export a smaller part"
"""What to do about a file that is too large."""

LIMITS = Limits()
"""The caps that :func:`minece.blocks.formats.read` uses unless told otherwise."""


@dataclass(slots=True)
class Deadline:
    """The moment at which a read gives up, in processor time: a busy machine refuses no good file."""

    seconds: float
    end: float = field(init=False)

    def __post_init__(self) -> None:
        self.end = time.thread_time() + self.seconds

    def check(self) -> None:
        """Raise :class:`LimitError` once the time is over."""
        if time.thread_time() > self.end:
            raise LimitError(f"reading took longer than {self.seconds:g} s", mend=SMALLER)


@dataclass(slots=True)
class Tally:
    """Counts what the turns of one file hold together: each holds the whole build anew."""

    limits: Limits
    deadline: Deadline
    turns: int = 0
    held: int = 0

    def turn(self, held: int) -> None:
        """Count a turn that holds so many blocks, dug cells and events. Raises :class:`LimitError`."""
        self.turns += 1
        self.held += held
        self.limits.most("turns", self.turns, self.limits.turns)
        self.limits.most("blocks and log events in all turns", self.held, 3 * self.limits.blocks)
        self.deadline.check()
