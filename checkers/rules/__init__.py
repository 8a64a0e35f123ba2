"""The rules. Importing this package registers them."""

from minece.checkers.rules import plausibility

__all__ = ["plausibility"]
