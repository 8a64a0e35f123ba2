"""Who builds: worlds to build in, the game's server and bot, programs.

Worlds in memory need nothing but Python. The game needs Node.js and its packages, which `minece doctor --fix`
installs, and the extra `agents`. Names are imported when they are first used, so that `minece doctor` runs where
little is installed.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from minece.agent_bridge.episodes import run_episode as run_episode
    from minece.agent_bridge.episodes import start_of as start_of
    from minece.agent_bridge.errors import AgentBridgeError as AgentBridgeError
    from minece.agent_bridge.errors import BotError as BotError
    from minece.agent_bridge.errors import BridgeError as BridgeError
    from minece.agent_bridge.errors import ProgramError as ProgramError
    from minece.agent_bridge.errors import ServerError as ServerError
    from minece.agent_bridge.errors import SetupError as SetupError
    from minece.agent_bridge.errors import WorldError as WorldError
    from minece.agent_bridge.minecraft import MinecraftWorld as MinecraftWorld
    from minece.agent_bridge.minecraft import foreign_world as foreign_world
    from minece.agent_bridge.minecraft import own_world as own_world
    from minece.agent_bridge.offline import OfflineWorld as OfflineWorld
    from minece.agent_bridge.programs import ProgramLimits as ProgramLimits
    from minece.agent_bridge.programs import ProgramResult as ProgramResult
    from minece.agent_bridge.sources import Program as Program
    from minece.agent_bridge.sources import read_program as read_program
    from minece.agent_bridge.world import Outcome as Outcome
    from minece.agent_bridge.world import Tally as Tally
    from minece.agent_bridge.world import World as World

_HOMES = {
    **dict.fromkeys(("run_episode", "start_of"), "episodes"),
    **dict.fromkeys(
        ("AgentBridgeError", "BotError", "BridgeError", "ProgramError", "ServerError", "SetupError", "WorldError"),
        "errors",
    ),
    **dict.fromkeys(("MinecraftWorld", "foreign_world", "own_world"), "minecraft"),
    "OfflineWorld": "offline",
    **dict.fromkeys(("ProgramLimits", "ProgramResult"), "programs"),
    **dict.fromkeys(("Program", "read_program"), "sources"),
    **dict.fromkeys(("Outcome", "Tally", "World"), "world"),
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"minece.agent_bridge.{_HOMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
