"""How this copy of the package was installed, and by which words an extra is added to it."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path


def install_command(extra: str) -> str:
    """The command that adds an extra: from the checkout where the package was installed from one, else by its name."""
    checkout = _checkout()
    if checkout is None:
        return f"pip install 'minece[{extra}]'"
    return f"pip install {'-e ' if checkout else ''}'.[{extra}]' in the checkout"


def _checkout() -> bool | None:
    """None where the package came from an index; else whether it is editable, so that files of the checkout run."""
    if (Path(__file__).resolve().parents[1] / "pyproject.toml").is_file():
        return True
    try:
        text = metadata.distribution("minece").read_text("direct_url.json")
        origin = json.loads(text or "{}")
    except (metadata.PackageNotFoundError, OSError, ValueError):
        return None
    return bool(origin["dir_info"].get("editable")) if isinstance(origin.get("dir_info"), dict) else None
