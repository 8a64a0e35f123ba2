"""Pages as files."""

from __future__ import annotations

import re
from collections.abc import Set
from pathlib import Path

from minece.blocks import MineceError
from minece.blocks.files import write_whole
from minece.viewer.page import is_page

_ENDINGS = (".html", ".htm")
_OTHERS = frozenset(".bmp .gif .htm .html .jpeg .jpg .pdf .png .svg .webp".split())
_LONGEST = 100  # letters of a page's file name


class Pages:
    """Where pages go: the one file that ``out`` names by its ending, or a folder, which is made when it is needed.

    A page made earlier is replaced; any other file is left alone. ``files`` is how many build files there are. Raises
    :class:`MineceError` where one page cannot hold them.
    """

    def __init__(self, out: Path, *, files: int = 1) -> None:
        self.out = out
        self.single = is_single(out, _ENDINGS, files, "page")
        self._names: set[str] = set()

    @property
    def written(self) -> int:
        """How many pages were written."""
        return len(self._names)

    def write(self, text: str, *, name: str) -> Path:
        """Write a page and give back its path. Raises :class:`MineceError` and :class:`OSError`."""
        target = self.out if self.single else self.out / file_name(name, ".html", self._names)
        if self.single and self._names:
            raise MineceError("holds the page of one build", where=str(target), mend="name a folder for several")
        if target.exists() and not is_page(target):
            raise MineceError("exists and is no page of minece", where=str(target), mend="name another one")
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, text.encode())
        self._names.add(target.name.lower())
        return target


def is_single(out: Path, endings: tuple[str, ...], files: int, what: str) -> bool:
    """Whether a path names one file by its ending, not a folder. Raises :class:`MineceError` for the ending of
    something else, and for one file that is to hold what is made of several."""
    ending = out.suffix.lower()
    if out.is_dir() or ending not in _OTHERS:
        return False
    if ending not in endings:
        raise MineceError(f"{ending} is the ending of no {what}", where=str(out), mend=f"name {endings[0]} or a folder")
    if files > 1:
        raise MineceError(f"holds the {what} of one build", where=str(out), mend="name a folder for several")
    return True


def file_name(name: str, ending: str, taken: Set[str]) -> str:
    """A name that is safe in every file system and not among those that are taken, which are in small letters."""
    stem = re.sub(r"[^\w.-]+", "-", name.encode("ascii", "replace").decode()).strip("-.")[:_LONGEST] or "build"
    number, candidate = 1, f"{stem}{ending}"
    while candidate.lower() in taken:
        number += 1
        candidate = f"{stem}-{number}{ending}"
    return candidate
