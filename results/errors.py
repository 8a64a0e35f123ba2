"""What can go wrong with results, as a tree.

::

    MineceError
    └── ResultsError
        ├── ScoringError    builds and task do not fit together
        ├── RecordError     a results file that cannot be read or written
        └── RunError        a run folder that cannot be made or read
"""

from __future__ import annotations

from minece.blocks.errors import MineceError


class ResultsError(MineceError):
    """Anything about scores, records and run folders."""


class ScoringError(ResultsError):
    """Builds and task do not fit together."""


class RecordError(ResultsError):
    """A results file that cannot be read or written."""


class RunError(ResultsError):
    """A run folder that cannot be made or read."""
