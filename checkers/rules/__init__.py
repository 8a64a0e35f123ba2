"""The rules. Importing this package registers them."""

from minece.checkers.rules import (
    access,
    arches,
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
    spans,
    symmetry,
    walls,
)

__all__ = [
    "access",
    "arches",
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
    "spans",
    "symmetry",
    "walls",
]
