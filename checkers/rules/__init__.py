"""The rules. Importing this package registers them."""

from minece.checkers.rules import levels, material, members, planning, plausibility, size, solids, walls

__all__ = ["levels", "material", "members", "planning", "plausibility", "size", "solids", "walls"]
