"""JSON text of strangers: whatever is wrong with it is one kind of error."""

from __future__ import annotations

import json
from typing import Any, NoReturn


def read_json(text: str) -> Any:
    """The value of a JSON text. Raises :class:`ValueError`, also for NaN and for text that is nested too deeply."""
    try:
        return json.loads(text, parse_constant=_refuse)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON number")
