"""Speed of building in the game and in memory, beside what the game's own libraries do in the same run.

    python benchmarks/worlds.py [--json]

1. A bot places stone by hand, each block read back. The peer is mineflayer's `bot.placeBlock` on the same server.
2. Exact states set over the control channel and read back. The peer is a `/setblock` in the chat for each block, on a
   server of flying-squid's own, looked at until all have arrived.
3. The world in memory, by calls from Python and by a program in the sandbox; no peer, the figures stand alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from minece.agent_bridge import OfflineWorld, own_world
from minece.agent_bridge.programs import run_program
from minece.agent_bridge.referee import Referee
from minece.agent_bridge.runtime import node, packages
from minece.agent_bridge.server import MinecraftServer
from minece.agent_bridge.site import Site
from minece.tasks.task import Limits

PEER = Path(__file__).with_name("peers") / "placing.mjs"
LIMITS = Limits()
START = (12.5, 0.0, 12.5)
BY_HAND = 36
HAND_BLOCKS = 300
EXACT_BLOCKS = 4000


def peer(*words: object) -> float:
    """Blocks a second of a peer, those that were right."""
    environment = {**os.environ, "MINECE_NODE_MODULES": str(packages())}
    done = subprocess.run(
        [node(), str(PEER), *map(str, words)], env=environment, capture_output=True, text=True, check=True
    )
    told = json.loads(done.stdout)
    return float(told["right"] / told["seconds"])


def by_hand(version: str) -> dict[str, Any]:
    """Blocks a second that our bot and mineflayer's own call place."""
    begin = time.perf_counter()
    with closing(own_world(limits=LIMITS, start=START, version=version)) as world:
        opened = time.perf_counter() - begin
        cells = [(x, y, z) for y in range(3) for x in range(10) for z in range(10)]
        begin = time.perf_counter()
        tally = world.run((cell, "stone") for cell in cells)
        ours = tally.done / (time.perf_counter() - begin)
        begin = time.perf_counter()
        world.end_turn()
        read_back = time.perf_counter() - begin
    with MinecraftServer(Referee(Site(limits=LIMITS)), version=version, spawn=START) as server:
        theirs = peer("place", server.host, server.port, version, BY_HAND)
    return {
        "what": f"by hand, {version}",
        "per_second": ours,
        "peer_per_second": theirs,
        "open_seconds": opened,
        "read_back_seconds": read_back,
    }


def exact(version: str) -> dict[str, Any]:
    """Blocks a second that are set over the control channel and seen by the bot, and by commands in the chat."""
    with closing(own_world(limits=LIMITS, start=START, mode="exact", version=version)) as world:
        cells = [(x, y, z) for y in range(10) for x in range(20) for z in range(20)]
        begin = time.perf_counter()
        world.set(cells, ["stone"] * len(cells))
        world.build()
        ours = world.verified / (time.perf_counter() - begin)
    return {
        "what": f"exact, {version}",
        "per_second": ours,
        "peer_per_second": peer("command", version, 1000),
    }


def in_memory() -> list[dict[str, Any]]:
    """Blocks a second in the world in memory."""
    world = OfflineWorld(limits=LIMITS, start=START)
    begin = time.perf_counter()
    world.fill((0, 0, 0), (9, 9, 39), "stone")
    ours = 4000 / (time.perf_counter() - begin)
    source = (
        "for (let i = 0; i < 4000; i++) await skills.placeBlock("
        "bot, 'stone', i % 20, Math.floor(i / 400), Math.floor(i / 20) % 20);"
    )
    begin = time.perf_counter()
    result = run_program(source, OfflineWorld(limits=LIMITS, start=START))
    program = result.placed / (time.perf_counter() - begin)
    return [
        {"what": "memory, from Python", "per_second": ours, "peer_per_second": None},
        {"what": "memory, by a program", "per_second": program, "peer_per_second": None},
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    rows = [*in_memory()]
    for version in ("1.20.4", "1.21.4"):
        rows += [by_hand(version), exact(version)]
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    for row in rows:
        theirs = row["peer_per_second"]
        beside = "" if theirs is None else f"   peer {theirs:8.1f}/s   ratio {row['per_second'] / theirs:6.1f}"
        more = "".join(f"   {key.replace('_', ' ')} {row[key]:.2f}" for key in row if key.endswith("_seconds"))
        print(f"{row['what']:24} {row['per_second']:10.0f} blocks/s{beside}{more}")


if __name__ == "__main__":
    main()
