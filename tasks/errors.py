"""What can go wrong with tasks.

::

    MineceError (minece.blocks.errors)
    └── TasksError
        ├── UnknownTask         an id, family or suite that does not exist
        └── FamilyError         a family file that cannot be read, with file and key path
            └── ExpressionError     an expression or a text in it that cannot be evaluated, or is too costly
"""

from __future__ import annotations

from minece.blocks.errors import MineceError


class TasksError(MineceError):
    """Anything about tasks and families."""


class UnknownTask(TasksError):
    """An id, family or suite that does not exist."""


class FamilyError(TasksError):
    """A family file that cannot be read; ``where`` is the file and the key path."""


class ExpressionError(FamilyError):
    """An expression or a text that cannot be evaluated, or is too costly."""
