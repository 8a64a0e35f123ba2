"""Speed of the rules that look at rooms and at how people get about, beside peers in the same run.

    python benchmarks/buildings.py [--json]

1. The rules of tasks with a walker over their reference builds: bound once, a fresh build each time. The peer answers
   a looser question in plain Python: a flood in plan at one height, and whether a path leads upward.
2. `rooms`, `doors` and `reachable` over a castle of 10^5 blocks, and the same reach with networkx over the same moves.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minece.blocks import BlockSet, Build, Log
from minece.checkers import bind, evaluate
from minece.checkers.scene import Scene
from minece.tasks import load_task, reference

Cell = tuple[int, int, int]

TASKS = (
    "buildings/rooms/2rooms-house",
    "buildings/beds/2beds-house",
    "buildings/storeys/2storeys-build",
    "architecture/step-free-house/1rooms-1beds-wheels-build",
    "architecture/theatre/25seats-build",
)


def seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


# The plain Python peer: closed patches of one plan, and the heights that single steps lead to.


def peer_patches(cells: set[Cell], level: int) -> int:
    wall = {(x, z) for x, y, z in cells if y == level}
    xs, zs = [x for x, _ in wall], [z for _, z in wall]
    left = {(x, z) for x in range(min(xs) - 1, max(xs) + 2) for z in range(min(zs) - 1, max(zs) + 2)} - wall
    patches = -1  # the outside is one of them
    while left:
        patches += 1
        queue = deque([left.pop()])
        while queue:
            x, z = queue.popleft()
            for beside in ((x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1)):
                if beside in left:
                    left.remove(beside)
                    queue.append(beside)
    return patches


def peer_steps(cells: set[Cell]) -> int:
    floors = {c for c in cells if (c[0], c[1] + 1, c[2]) not in cells and (c[0], c[1] + 2, c[2]) not in cells}
    low = min(y for _, y, _ in floors)
    seen = {c for c in floors if c[1] <= max(low, 0)}
    queue = deque(seen)
    while queue:
        x, y, z = queue.popleft()
        for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            for dy in (1, 0, -1):
                c = (x + dx, y + dy, z + dz)
                if c in floors and c not in seen:
                    seen.add(c)
                    queue.append(c)
    return len(seen)


def tasks() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for name in TASKS:
        task = load_task(name)
        log = reference(task)[-1].log
        rules = task.turns[-1].rules
        assert log is not None
        blocks = Build.from_log(log).blocks
        cells = {(x, y, z) for x, y, z in blocks.cells.tolist()}
        verdicts = evaluate(Build.from_log(log), rules)
        assert all(v.status == "pass" for v in verdicts), [v.message for v in verdicts if v.status != "pass"]
        ours = statistics.median(seconds(lambda: evaluate(b, rules)) for b in fresh(log, 200))  # noqa: B023
        peer = statistics.median(
            seconds(lambda: (peer_patches(cells, 1), peer_steps(cells)))  # noqa: B023
            for _ in range(50)
        )
        rows.append(
            {
                "task": name,
                "blocks": len(blocks),
                "rules": len(rules),
                "ms": round(1000 * ours, 3),
                "plain Python peer, looser, ms": round(1000 * peer, 3),
                "ratio": round(ours / peer, 2),
            }
        )
    return rows


def fresh(log: Log, number: int) -> list[Build]:
    return [Build.from_log(log) for _ in range(number)]


def castle(across: int, storeys: int) -> Build:
    """A square of rooms on several storeys, each 5 × 5 × 3, doorways between all of them and to the outside, a ladder
    from storey to storey in every third room."""
    size, height = 6 * across + 1, 4 * storeys + 1
    solid = np.zeros((size, height, size), dtype=np.int32)
    solid[:, ::4] = 1
    solid[::6] = 1
    solid[:, :, ::6] = 1
    middle = slice(3, None, 6)
    for level in range(storeys):
        for y in (4 * level + 1, 4 * level + 2):
            solid[:-1:6, y, middle] = 0
            solid[middle, y, :-1:6] = 0
    # The outer doorways of the upper storeys would lead into the air.
    solid[0, 5:], solid[:, 5:, 0] = 1, 1
    shaft = solid[2::18, 1:-1, 1::18]
    shaft[:] = 2
    x, y, z = np.nonzero(solid)
    cells = np.stack([x, y - 1, z], axis=1)
    return Build(BlockSet(cells, solid[x, y, z] - 1, ["stone", "ladder[facing=south]"]))


def large() -> dict[str, object]:
    build = castle(10, 14)
    names: Sequence[tuple[str, dict[str, object]]] = (
        ("rooms", {"bound": 1400}),
        ("doors", {"at_least": 1}),
        ("reachable", {"goal": "rooms"}),
    )
    rules = [bind(name, args) for name, args in names]
    first = evaluate(build, rules)
    times = []
    for _ in range(3):
        again = Build(BlockSet(build.blocks.cells, build.blocks.index, build.blocks.palette))
        times.append(seconds(lambda: evaluate(again, rules)))  # noqa: B023
    walker = Scene(build).walker

    import networkx as nx

    def by_networkx() -> int:
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(-1, len(walker)))
        graph.add_edges_from(zip(walker.tail.tolist(), walker.head.tolist(), strict=True))
        graph.add_edges_from((-1, start) for start in np.flatnonzero(walker.outside).tolist())
        return len(nx.descendants(graph, -1))

    begin = time.perf_counter()
    reached = int(walker.reach(walker.outside).sum())
    ours = time.perf_counter() - begin
    begin = time.perf_counter()
    assert by_networkx() == reached
    other = time.perf_counter() - begin
    return {
        "blocks": len(build.blocks),
        "verdicts": {verdict.rule: verdict.measured for verdict in first},
        "s": round(min(times), 3),
        "reach, s": round(ours, 4),
        "reach by networkx, s": round(other, 3),
        "ratio": round(ours / other, 4),
    }


def printed(found: dict[str, Any]) -> None:
    print(f"{'rules of a task':<54} blocks  rules      ms   plain Python peer (looser)   ratio")
    for row in found["task"]:
        numbers = f"{row['blocks']:>6} {row['rules']:>6} {row['ms']:>7.2f}"
        print(f"  {row['task']:<52} {numbers} {row['plain Python peer, looser, ms']:>28.2f} {row['ratio']:>7}")
    row = found["castle"]
    measured = ", ".join(f"{name} {value}" for name, value in row["verdicts"].items())
    print(f"castle of {row['blocks']} blocks: {row['s']} s for {measured}")
    print(f"  reach alone {row['reach, s']} s, networkx {row['reach by networkx, s']} s (ratio {row['ratio']})")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    as_json = parser.parse_args().json
    gc.disable()
    found = {"task": tasks(), "castle": large()}
    if as_json:
        print(json.dumps(found, indent=1))
    else:
        printed(found)


if __name__ == "__main__":
    main()
