"""Pictures as files."""

from __future__ import annotations

from pathlib import Path

from minece.picture.png import is_ours
from minece.viewer.pages import Outputs


class Pictures(Outputs):
    """Where pictures go."""

    what = "picture"
    endings = (".png",)

    def ours(self, path: Path) -> bool:
        """Whether a file is a picture of this package."""
        try:
            with path.open("rb") as file:
                return is_ours(file.read(64))
        except OSError:
            return False
