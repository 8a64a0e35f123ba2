"""Pictures as files."""

from __future__ import annotations

from pathlib import Path

from minece.blocks import MineceError
from minece.blocks.files import write_whole
from minece.picture.png import is_ours
from minece.viewer.pages import file_name, is_single


class Pictures:
    """Where pictures go: the one file that ``out`` names by its ending, or a folder, which is made when it is needed.

    A picture made earlier is replaced; any other file is left alone. ``files`` is how many build files there are.
    Raises :class:`MineceError` where one picture cannot hold them.
    """

    def __init__(self, out: Path, *, files: int = 1) -> None:
        self.out = out
        self.single = is_single(out, (".png",), files, "picture")
        self._names: set[str] = set()

    @property
    def written(self) -> int:
        """How many pictures were written."""
        return len(self._names)

    def write(self, content: bytes, *, name: str) -> Path:
        """Write a picture and give back its path. Raises :class:`MineceError` and :class:`OSError`."""
        target = self.out if self.single else self.out / file_name(name, ".png", self._names)
        if self.single and self._names:
            raise MineceError("holds the picture of one build", where=str(target), mend="name a folder for several")
        if target.exists() and not _is_picture(target):
            raise MineceError("exists and is no picture of minece", where=str(target), mend="name another one")
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, content)
        self._names.add(target.name.lower())
        return target


def _is_picture(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_ours(file.read(64))
    except OSError:
        return False
