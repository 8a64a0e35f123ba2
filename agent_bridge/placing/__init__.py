"""Placing and breaking by hand as Minecraft Java Edition does it, over nothing but what is in each cell.

States are canonical (:func:`minece.blocks.states.canonical_state`); nothing here keeps a world.
"""

from minece.agent_bridge.placing.forms import At
from minece.agent_bridge.placing.planning import Plan, item_of, plan
from minece.agent_bridge.placing.using import take_away, use_item

__all__ = ["At", "Plan", "item_of", "plan", "take_away", "use_item"]
