"""`minece play`: a person builds in the game, and what stands in the end is scored."""

from __future__ import annotations

import sys

from minece.agent_bridge.minecraft import DEFAULT_VERSION
from minece.agent_bridge.play import one_time_name, play
from minece.commands.building import Finished, Outputs
from minece.tasks import load_task


def run(
    task: str,
    *,
    name: str | None,
    game: str | None,
    host: str,
    port: int,
    wait: float,
    minutes: float,
    outputs: Outputs,
    fail_under: float | None,
    as_json: bool,
) -> int:
    """Let a person build, score, print and keep it, and give back the exit code."""
    wanted = load_task(task)
    outputs.check(len(wanted.turns))

    def tell(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    for turn in wanted.turns:
        tell(turn.text.strip())
    episode = play(
        wanted,
        name=name or one_time_name(),
        host=host,
        port=port,
        version=game or DEFAULT_VERSION,
        wait=wait,
        time_limit=60 * minutes,
        tell=tell,
    )
    return Finished.of(episode, name=episode.builder["name"]).tell(outputs, fail_under=fail_under, as_json=as_json)
