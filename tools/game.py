"""`make game`: installs what tests and the demo need to build in a real Minecraft world.

Where that cannot be, a line says why; it is a failure only where MINECE_GAME=required.
"""

import os

from minece.agent_bridge.errors import SetupError
from minece.agent_bridge.runtime import install


def main() -> int:
    """Install the packages of the game where they are missing."""
    try:
        install(lambda line: print(line, flush=True))
    except SetupError as error:
        print(f"without the real Minecraft world: {error}", flush=True)
        return int(os.environ.get("MINECE_GAME") == "required")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
