"""Scores Minecraft builds the way a construction engineer would.

    >>> import minece
    >>> slab = minece.Build.from_blocks((x, -1, z, "stone") for x in range(8) for z in range(7))
    >>> minece.score(slab, "elements/shallow/7x8x1-lay").overall
    True

Everything listed in ``__all__`` is imported when it is first used, so that ``import minece`` is quick.
"""

import os
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minece.api import load as load
    from minece.api import load_runs as load_runs
    from minece.api import load_turns as load_turns
    from minece.api import save as save
    from minece.api import score as score
    from minece.blocks import BlockSet as BlockSet
    from minece.blocks import Build as Build
    from minece.blocks import Log as Log
    from minece.blocks import MineceError as MineceError
    from minece.checkers import Verdict as Verdict
    from minece.results import Score as Score
    from minece.tasks import Task as Task
    from minece.tasks import TasksPackage
    from minece.tasks import load_task as load_task

    __version__: str
    tasks: TasksPackage  # a package and a function in one; the package says why

_HOMES = {
    "load": "minece.api",
    "load_runs": "minece.api",
    "load_turns": "minece.api",
    "save": "minece.api",
    "score": "minece.api",
    "BlockSet": "minece.blocks",
    "Build": "minece.blocks",
    "Log": "minece.blocks",
    "MineceError": "minece.blocks",
    "Verdict": "minece.checkers",
    "Score": "minece.results",
    "Task": "minece.tasks",
    "load_task": "minece.tasks",
}

__all__ = [
    "BlockSet",
    "Build",
    "Log",
    "MineceError",
    "Score",
    "Task",
    "Verdict",
    "__version__",
    "load",
    "load_runs",
    "load_task",
    "load_turns",
    "save",
    "score",
    "tasks",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        found: object = version("minece")
    elif name == "tasks":  # the package itself, which can be called: minece.tasks(suite="core")
        found = _imported("minece.tasks")
    elif name in _HOMES:
        found = getattr(_imported(_HOMES[name]), name)
    else:
        raise AttributeError(f"module 'minece' has no attribute {name!r}")
    globals()[name] = found
    return found


def _imported(module: str) -> ModuleType:
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if (line := _torn_apart(error)) is None:
            raise
        raise ImportError(line, name=error.name) from None


def _torn_apart(error: ImportError) -> str | None:
    """What to say where this folder is a checkout's, which hides the installed package and holds only a part of it."""
    if (error.name or "").partition(".")[0] != "minece" or find_spec("minece.blocks") is not None:
        return None
    return (
        f"minece.blocks is not found beside {os.path.dirname(__file__)}, which hides the installed package; "
        "leave the checkout's folder, or use the checkout's own environment (make)"
    )


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
