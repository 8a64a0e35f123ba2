"""The rules. Importing this package registers them."""

from minece.checkers.rules import (
    access,
    box,
    ceilings,
    contact,
    levels,
    material,
    members,
    planning,
    plausibility,
    rooms,
    size,
    solids,
    symmetry,
    walls,
)

__all__ = [
    "access",
    "box",
    "ceilings",
    "contact",
    "levels",
    "material",
    "members",
    "planning",
    "plausibility",
    "rooms",
    "size",
    "solids",
    "symmetry",
    "walls",
]
