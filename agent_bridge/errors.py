"""What can go wrong while something is built, as a tree; each leaf names its boundary, so that faults are told apart.

::

    MineceError
    └── AgentBridgeError
        ├── SetupError      Node or its packages are not installed                        boundary "setup"
        ├── ServerError     the Minecraft server did not start, died or broke its word    boundary "server"
        ├── BridgeError     Node between Python and the bot died, hung or broke its word  boundary "bridge"
        ├── BotError        the bot cannot join, was kicked, lost the server              boundary "bot"
        ├── ProgramError    a program file that cannot be read                            boundary "program"
        └── WorldError      a world is asked for what it cannot do                        boundary "world"

A refusal (a cell is taken, nothing to place on) is no error: it is an :class:`~minece.agent_bridge.world.Outcome`.
"""

from __future__ import annotations

from typing import ClassVar

from minece.blocks.errors import MineceError


class AgentBridgeError(MineceError):
    """Anything about servers, bots, programs and worlds."""

    boundary: ClassVar[str] = ""


class SetupError(AgentBridgeError):
    """Node or its packages are not installed."""

    boundary = "setup"


class ServerError(AgentBridgeError):
    """The Minecraft server did not start, died or broke its word."""

    boundary = "server"


class BridgeError(AgentBridgeError):
    """Node between Python and the bot died, hung or broke its word."""

    boundary = "bridge"


class BotError(AgentBridgeError):
    """The bot cannot join, was kicked or lost the server."""

    boundary = "bot"


class ProgramError(AgentBridgeError):
    """A program file that cannot be read."""

    boundary = "program"


class WorldError(AgentBridgeError):
    """A world is asked for what it cannot do."""

    boundary = "world"


INFRASTRUCTURE: tuple[type[AgentBridgeError], ...] = (ServerError, BridgeError, BotError)
"""Faults that are not the builder's: an episode that meets one is tried once more."""
