"""Files that appear whole or not at all, and the folder for what can be made again."""

from __future__ import annotations

import os
import secrets
import sys
from pathlib import Path


def write_whole(path: str | os.PathLike[str], data: bytes) -> None:
    """Write beside the target and rename: a reader sees the old file or the new one, never a part.

    A link is followed, so that the file it names is replaced. Raises :class:`OSError`.
    """
    folder, base = os.path.split(os.path.realpath(path))
    draft = os.path.join(folder, f".{base[:100]}.{secrets.token_hex(6)}.part")
    try:
        with open(draft, "xb") as file:
            file.write(data)
        os.replace(draft, os.path.join(folder, base))
    except BaseException:
        if os.path.exists(draft):
            os.unlink(draft)
        raise


def cache_folder() -> Path:
    """Where caches live: ``MINECE_HOME`` if set, else the platform's cache folder. It may not exist yet."""
    if home := os.environ.get("MINECE_HOME"):
        return Path(home).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "minece"
