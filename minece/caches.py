"""The folder for what can be made again. It imports nothing of ours, so that `minece doctor` finds it without numpy."""

from __future__ import annotations

import os
import sys
from pathlib import Path


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
