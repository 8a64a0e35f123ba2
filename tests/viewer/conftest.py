"""Builds with everything that a page shows, and a reader of pages."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minece.blocks import Build
from minece.checkers import Verdict
from minece.viewer import Field, Turn


class Page(HTMLParser):
    """A page taken apart: its elements, its scripts and its content."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.text = text
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.words: list[str] = []
        self._inside = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._inside = tag
        if tag in ("script", "style"):
            (self.scripts if tag == "script" else self.styles).append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts[-1] += data
        elif self._inside == "style":
            self.styles[-1] += data
        else:
            self.words.append(data)

    @property
    def json(self) -> str:
        """The content as it stands in the page."""
        return self.scripts[0]

    @property
    def content(self) -> dict[str, Any]:
        """The content that the script reads."""
        found: dict[str, Any] = json.loads(self.json)
        return found

    @property
    def policy(self) -> str:
        """The content security policy."""
        (found,) = [attrs["content"] or "" for tag, attrs in self.tags if attrs.get("http-equiv")]
        return found


def checksum(text: str) -> str:
    """A script's or a style's checksum as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.fixture
def take_apart() -> Callable[[str], Page]:
    """Reads a page and checks what holds for each: its policy, and that it needs nothing else."""

    def read(text: str) -> Page:
        found = Page(text)
        assert [attrs.get("type") for tag, attrs in found.tags if tag == "script"] == ["application/json", None, None]
        sources = dict(part.strip().split(" ", 1) for part in found.policy.split(";"))
        assert sources["default-src"] == "'none'"
        assert sources["script-src"].split() == [checksum(script) for script in found.scripts[1:]]
        assert sources["style-src"].split() == [checksum(style) for style in found.styles]
        for _, attrs in found.tags:
            assert not {"src", "href", "style"} & set(attrs)
            assert not [name for name in attrs if name.startswith("on")]
        assert not re.search(r"url\(|@import", found.styles[0])
        return found

    return read


def verdict(rule: str, status: Any, message: str, cells: list[tuple[int, int, int]]) -> Verdict:
    """A verdict with cells."""
    array = np.array(cells, dtype=np.int32).reshape(-1, 3)
    return Verdict(rule, "shape", status, float(status == "pass"), 1, 2, message, array)


def house() -> Turn:
    """A hut of 3 by 3 with a slab roof, a window, a torch and a hole in its floor; built in order, one block twice."""
    floor = [(x, -1, z, "stone_bricks") for x in range(3) for z in range(3) if (x, z) != (1, 1)]
    walls = [
        (x, y, z, "oak_planks") for y in (0, 1) for x in range(3) for z in range(3) if (x, z) not in ((1, 1), (1, 2))
    ]
    roof = [(x, 2, z, "oak_slab") for x in range(3) for z in range(3)]
    events = [
        *floor, (0, 0, 0, "dirt"), *walls, ("break", 2, 1, 1), (2, 1, 1, "glass"), *roof,
        (1, 0, 1, "torch"), (5, 0, 5, "dirt"), ("break", 5, 0, 5),
    ]  # fmt: skip
    build = Build.from_log(events, dug=[(1, -1, 1)])
    verdicts = [
        verdict("filled", "fail", "1 cell of the floor is empty; fill (1, -1, 1).", [(1, -1, 1)]),
        verdict("only", "fail", "1 block is of glass.", [(2, 1, 1)]),
        verdict(
            "grounded", "pass", "Every block is joined to the ground.", [tuple(c) for c in build.blocks.cells.tolist()]
        ),
        verdict("order", "not applicable", "The order is not known.", []),
    ]
    values = np.linspace(0, 2, len(build.blocks))
    values[0] = np.nan
    return Turn(build, verdicts, [Field("Utilisation", values, "", "Stress over strength.", limit=1.0)], "Build a hut.")


@pytest.fixture
def hut() -> Turn:
    """See :func:`house`."""
    return house()


def many(blocks: int, rules: int = 20) -> Turn:
    """A heap of blocks of 40 materials, built in order, judged by many rules that name every other block."""
    names = "stone oak_planks bricks glass oak_stairs oak_slab spruce_log quartz_block dirt granite".split()
    states = [f"{name}" for name in names] + [f"{colour}_wool" for colour in ("red", "blue", "lime", "white")]
    side = int(blocks ** (1 / 3)) + 1
    cells = [(x, y, z) for y in range(side) for x in range(side) for z in range(side)][:blocks]
    build = Build.from_log([(*cell, states[(7 * n) % len(states)]) for n, cell in enumerate(cells)])
    cells_named = [tuple(cell) for cell in build.blocks.cells[::2].tolist()]
    verdicts = [verdict(f"rule_{n}", "fail", "Mend it. " * 20, cells_named) for n in range(rules)]
    return Turn(build, verdicts, [Field("Stress", np.arange(blocks, dtype=float), "kPa")] * 3)


@pytest.fixture
def heap() -> Callable[..., Turn]:
    """See :func:`many`."""
    return many


@pytest.fixture
def root() -> Path:
    """The repository."""
    return Path(__file__).resolve().parents[2]
