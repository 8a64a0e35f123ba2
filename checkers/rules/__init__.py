"""The rules. Importing this package registers them."""

from minece.checkers.rules import levels, members, plausibility, solids, walls

__all__ = ["levels", "members", "plausibility", "solids", "walls"]
