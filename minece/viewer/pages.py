"""Pages as files."""

from __future__ import annotations

import re
from collections.abc import Set
from pathlib import Path

from minece.blocks import MineceError
from minece.blocks.files import write_whole
from minece.viewer.page import is_page

_OTHERS = frozenset(".bmp .gif .htm .html .jpeg .jpg .pdf .png .svg .webp".split())
_LONGEST = 100  # letters of a page's file name


class Outputs:
    """Where pages or pictures go: the one file that ``out`` names by its ending, or a folder, which is made when it is
    needed.

    What was made earlier is replaced; any other file is left alone. ``files`` is how many build files there are. Raises
    :class:`MineceError` where one page or picture cannot hold them.
    """

    what = ""
    endings: tuple[str, ...] = ()

    def __init__(self, out: Path, *, files: int = 1) -> None:
        self.out = out
        self.single = is_single(out, self.endings, files, self.what)
        self._names: set[str] = set()

    def ours(self, path: Path) -> bool:
        """Whether a file that is there was made by this package."""
        raise NotImplementedError

    @property
    def written(self) -> int:
        """How many were written."""
        return len(self._names)

    def write(self, content: str | bytes, *, name: str) -> Path:
        """Write one and give back its path. Raises :class:`MineceError` and :class:`OSError`."""
        target = self.out if self.single else self.out / file_name(name, self.endings[0], self._names)
        if self.single and self._names:
            raise MineceError(
                f"holds the {self.what} of one build", where=str(target), mend="name a folder for several"
            )
        if target.exists() and not self.ours(target):
            raise MineceError(f"exists and is no {self.what} of minece", where=str(target), mend="name another one")
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content.encode() if isinstance(content, str) else content)
        self._names.add(target.name.lower())
        return target


class Pages(Outputs):
    """Where pages go."""

    what = "page"
    endings = (".html", ".htm")

    def ours(self, path: Path) -> bool:
        """Whether a file is a page of this package."""
        return is_page(path)


def is_single(out: Path, endings: tuple[str, ...], files: int, what: str) -> bool:
    """Whether a path names one file by its ending, not a folder. Raises :class:`MineceError` for the ending of
    something else, and for one file that is to hold what is made of several."""
    ending = out.suffix.lower()
    if out.is_dir() or ending not in _OTHERS:
        return False
    if ending not in endings:
        raise MineceError(f"{ending} is the ending of no {what}", where=str(out), mend=f"name {endings[0]} or a folder")
    if files > 1:
        raise _too_many(what, out)
    return True


def _too_many(what: str, out: Path) -> MineceError:
    return MineceError(f"holds the {what} of one build", where=str(out), mend="name a folder for several")


def file_name(name: str, ending: str, taken: Set[str]) -> str:
    """A name that is safe in every file system and not among those that are taken, which are in small letters."""
    stem = re.sub(r"[^\w.-]+", "-", name.encode("ascii", "replace").decode()).strip("-.")[:_LONGEST] or "build"
    number, candidate = 1, f"{stem}{ending}"
    while candidate.lower() in taken:
        number += 1
        candidate = f"{stem}-{number}{ending}"
    return candidate
