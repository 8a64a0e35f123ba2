"""The rules. Importing this package registers them."""

from minece.checkers.rules import (
    contact,
    levels,
    material,
    members,
    planning,
    plausibility,
    size,
    solids,
    symmetry,
    walls,
)

__all__ = [
    "contact",
    "levels",
    "material",
    "members",
    "planning",
    "plausibility",
    "size",
    "solids",
    "symmetry",
    "walls",
]
