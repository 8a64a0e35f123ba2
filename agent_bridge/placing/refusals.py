"""The fixed words for what placing refuses."""

from minece.agent_bridge.clicks import Refusal

NOTHING_TO_PLACE_ON = Refusal("nothing to place on")
NO_SUCH_BLOCK = Refusal("no such block")
NO_ITEM = Refusal("no item places it")
CANNOT = Refusal("cannot be placed like that")
CELL_TAKEN = Refusal("cell taken")
NO_SUPPORT = Refusal("no support")
NO_ROOM = Refusal("no room")
NOTHING_TO_BREAK = Refusal("nothing to break")
