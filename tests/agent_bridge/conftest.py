"""What tests of builders share: the real game."""

from game import game, no_node_left

__all__ = ["game", "no_node_left"]
