"""What a task is: one instruction (or several in turn), the rules that judge it, and what the builder may use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from minece.blocks import BlocksError
from minece.blocks.catalogue import materials
from minece.checkers import BoundRule


@dataclass(frozen=True, slots=True)
class Limits:
    """How far and how much a builder may build.

    ``plot`` is the size along x and z, from x = z = 0; ``height`` counts cells above ground, ``depth`` below.
    """

    plot: tuple[int, int] = (48, 48)
    height: int = 32
    depth: int = 16
    blocks: int = 4000


@dataclass(frozen=True, slots=True)
class Turn:
    """One instruction and its rules.

    ``says`` holds, for each rule, the words of the text (or of the briefing) that ask for it.
    """

    text: str
    rules: tuple[BoundRule, ...]
    says: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Task:
    """One task. Ids are stable; results name the suite's version beside them.

    Attributes
    ----------
    id : such as ``elements/shallow/7x8x1-lay``; group, family and name within the family
    suite, version : such as ``core`` and ``core-1``; empty for families outside the suites
    parameters : the values that made this task from its family
    turns : one or more
    stock : items of each material (block id or #tag) that are handed out, None where there is no limit
    ground : what a file without a ground level hints at: "top" (the highest layer lies just below ground) or "bottom"
    digest : 32 hex digits over everything that can move a score
    source : the family file, None for ad-hoc rules
    handed_out : the block ids that the stock names

    Raises :class:`minece.blocks.BlocksError` for a stock with an unknown tag or with text that is no block id.
    """

    id: str
    suite: str
    version: str
    family: str
    group: str
    type: str
    parameters: Mapping[str, Any]
    turns: tuple[Turn, ...]
    stock: Mapping[str, int] | None
    ground: Literal["top", "bottom"]
    limits: Limits
    digest: str
    source: Path | None = field(default=None, repr=False)
    handed_out: frozenset[str] = field(init=False, repr=False)

    @property
    def names(self) -> dict[str, str]:
        """Id, suite and its version, group, type and family, by these names."""
        return {name: getattr(self, name) for name in ("id", "suite", "version", "group", "type", "family")}

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "handed_out", materials(self.stock or ()))
        except BlocksError as error:
            raise error.at("stock") from None

    @property
    def text(self) -> str:
        """The instruction of the first turn."""
        return self.turns[0].text
