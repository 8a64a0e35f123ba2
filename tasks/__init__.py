"""Families of tasks: texts, parameters, bound rules and reference builds.

The package can be called: ``minece.tasks(suite="lite")`` gives the tasks of a suite.
"""

import sys
from types import ModuleType

from minece.tasks.briefings import briefing, briefing_digest
from minece.tasks.checking import CheckReport, FamilyReport, Problem, check
from minece.tasks.errors import ExpressionError, FamilyError, TasksError, UnknownTask
from minece.tasks.loader import (
    Built,
    Family,
    cheats,
    load_family,
    reference,
    task_from_rules,
    variants,
)
from minece.tasks.mutating import Mutation, mutations
from minece.tasks.suites import SUITES, FamilyEntry, families, load_task, suite_digest, task_ids, tasks
from minece.tasks.task import Limits, Task, Turn

__all__ = [
    "SUITES",
    "Built",
    "CheckReport",
    "ExpressionError",
    "Family",
    "FamilyEntry",
    "FamilyError",
    "FamilyReport",
    "Limits",
    "Mutation",
    "Problem",
    "Task",
    "TasksError",
    "TasksPackage",
    "Turn",
    "UnknownTask",
    "briefing",
    "briefing_digest",
    "cheats",
    "check",
    "families",
    "load_family",
    "load_task",
    "mutations",
    "reference",
    "suite_digest",
    "task_from_rules",
    "task_ids",
    "tasks",
    "variants",
]


class TasksPackage(ModuleType):
    """This package's own type: a module that can be called like its function ``tasks``."""

    # Importing a subpackage sets its name in the parent, so that after `import minece.tasks` the name minece.tasks is
    # this module, whatever minece/__init__.py says. For minece.tasks(suite=…) to work in every order of imports, the
    # module itself has to be the function.
    def __call__(self, suite: str = "core", *, seed: int | None = None) -> list[Task]:
        """The tasks of a suite; see :func:`minece.tasks.suites.tasks`."""
        return tasks(suite, seed=seed)


sys.modules[__name__].__class__ = TasksPackage
