"""What can go wrong with stress.

::

    MineceError (minece.blocks.errors)
    └── FemError
        ├── ModelError          arrays or options that are no structure that can be solved
        │   └── TooLargeError   … because direct solution would take too much memory or time
        └── MaterialError       a block without a material, or a material profile that cannot be read

What a build can do wrong (nothing there, floating, a mechanism …) is no error but a status of the result.
"""

from __future__ import annotations

from minece.blocks.errors import MineceError


class FemError(MineceError):
    """Anything about stress."""


class ModelError(FemError):
    """Arrays or options that are no structure that can be solved."""


class TooLargeError(ModelError):
    """A structure for which direct solution would take too much memory or time."""


class MaterialError(FemError):
    """A block without a material, or a material profile that cannot be read."""
