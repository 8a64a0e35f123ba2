"""Designs: builds that are too rich for a list of commands, drawn by plain functions of a few parameters.

A family file calls them by the verb ``design``. A design knows nothing of the rules that will judge it.
"""

from minece.tasks.designs import access, bridges, domes, houses, theatres, towers  # noqa: F401  (registers the designs)
from minece.tasks.designs.drawing import Drawing, Placement
from minece.tasks.designs.registry import design, designs, draw

__all__ = ["Drawing", "Placement", "design", "designs", "draw"]
