"""What can go wrong with rules.

::

    MineceError (minece.blocks.errors)
    └── CheckerError
        └── RuleError       a rule that does not exist, or arguments that it does not take
"""

from __future__ import annotations

from minece.blocks.errors import MineceError


class CheckerError(MineceError):
    """Anything about rules and verdicts."""


class RuleError(CheckerError):
    """A rule that does not exist, or arguments that it does not take."""
