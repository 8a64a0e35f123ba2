"""Speed and memory of the rules, beside peers in the same run.

    python benchmarks/rules.py [--json]

1. The rules of a task over its reference build of about 100 blocks: bound once, a fresh build each time, so that
   nothing is remembered from one to the next. The peer answers the looser questions (counts, bounding box,
   one subsequence, a flood over faces) in plain Python over sets.
2. `grounded` over 10^6 blocks, and the same flood with scipy's sparse graphs and, on fewer blocks, with networkx.
3. Memory of all size and plausibility rules over two blocks that lie 10^6 apart.
"""

from __future__ import annotations

import argparse
import gc
import json
import statistics
import time
import tracemalloc
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minece.blocks import BlockSet, Build, Log
from minece.blocks.parts import label_by_links
from minece.checkers import BoundRule, bind, evaluate
from minece.checkers.scene import Scene
from minece.tasks import load_task, reference

Row = tuple[int, int, int, str]


# The plain Python peer: the same subjects, asked the way a short script asks them.


def peer_only(blocks: Sequence[Row], names: set[str]) -> bool:
    return bool(blocks) and all(name in names for *_, name in blocks)


def peer_extent(blocks: Sequence[Row]) -> tuple[int, int, int]:
    x, y, z = [b[0] for b in blocks], [b[1] for b in blocks], [b[2] for b in blocks]
    return max(x) - min(x) + 1, max(y) - min(y) + 1, max(z) - min(z) + 1


def peer_full(blocks: Sequence[Row]) -> bool:
    w, h, d = peer_extent(blocks)
    return len({b[:3] for b in blocks}) == w * h * d


def peer_ground(blocks: Sequence[Row]) -> bool:
    cells = {b[:3] for b in blocks}
    level = min(y for _, y, _ in cells)
    seen = {c for c in cells if c[1] == level}
    queue = deque(seen)
    while queue:
        x, y, z = queue.popleft()
        for dx, dy, dz in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
            c = (x + dx, y + dy, z + dz)
            if c in cells and c not in seen:
                seen.add(c)
                queue.append(c)
    return len(seen) == len(cells)


def peer_clusters(blocks: Sequence[Row], level: int) -> int:
    left = {(x, z) for x, y, z, _ in blocks if y == level}
    groups = 0
    while left:
        groups += 1
        queue = deque([left.pop()])
        while queue:
            x, z = queue.popleft()
            for c in ((x + 1, z), (x - 1, z), (x, z + 1), (x, z - 1)):
                if c in left:
                    left.remove(c)
                    queue.append(c)
    return groups


def peer_path(blocks: Sequence[Row]) -> float:
    pairs = zip(blocks, blocks[1:], strict=False)
    length = sum(abs(a[0] - b[0]) + abs(a[1] - b[1]) + abs(a[2] - b[2]) for a, b in pairs)
    return (len(blocks) - 1) / length


def peer_sequence(blocks: Sequence[Row], names: Sequence[str]) -> bool:
    found = iter(name for *_, name in blocks)
    return all(any(name == wanted for name in found) for wanted in names)


def peer_solid(blocks: Sequence[Row], plan: list[int], height: int) -> bool:
    w, h, d = peer_extent(blocks)
    return (
        peer_only(blocks, {"stone"})
        and (sorted((w, d)), h) == (plan, height)
        and peer_full(blocks)
        and peer_ground(blocks)
        and peer_path(blocks) > 0
    )


def peer_shallow(blocks: Sequence[Row]) -> bool:
    heights = [y for _, y, _, _ in blocks]
    return peer_solid(blocks, [10, 10], 1) and max(heights) >= -1 and min(heights) <= 0


def peer_walls(blocks: Sequence[Row]) -> bool:
    return peer_solid(blocks, [2, 10], 5) and len(blocks) == 100


def peer_deep(blocks: Sequence[Row]) -> bool:
    return (
        peer_only(blocks, {"stone"})
        and len(blocks) == 101
        and min(y for _, y, _, _ in blocks) == -6
        and all(peer_clusters(blocks, level) == 4 for level in range(-6, -1))
        and peer_ground(blocks)
    )


def peer_roofs(blocks: Sequence[Row]) -> bool:
    planks = [b for b in blocks if b[3] == "oak_planks"]
    return (
        peer_only(blocks, {"stone", "oak_planks"})
        and peer_extent(planks) == (7, 1, 7)
        and peer_full(planks)
        and all(peer_clusters(blocks, level) == 5 for level in range(4))
        and min(y for _, y, _, _ in blocks) == 0
        and peer_sequence(blocks, ["stone", "oak_planks"])
        and peer_ground(blocks)
    )


def peer_planning(blocks: Sequence[Row]) -> bool:
    return (
        {"light_gray_concrete", "stone", "dirt", "oak_planks"} <= {name for *_, name in blocks}
        and peer_clusters(blocks, 0) >= 1
        and peer_sequence(blocks, ["light_gray_concrete", "stone", "dirt", "oak_planks"])
        and peer_ground(blocks)
    )


TASKS = (
    ("elements/shallow/10x10x1-lay", peer_shallow),
    ("elements/deep/9x9x1-4piles-lay", peer_deep),
    ("elements/walls/10x2x5-build", peer_walls),
    ("elements/roofs/7x7-5columns-4high-build", peer_roofs),
    ("management/plan-1/foundation-columns-walls-ceiling", peer_planning),
)
"""Tasks whose reference builds have about 100 blocks, and the peer for each."""


def seconds(run: Callable[[], object]) -> float:
    begin = time.perf_counter()
    run()
    return time.perf_counter() - begin


def judged(log: Log, rules: Sequence[BoundRule], rounds: int = 300) -> float:
    """Median seconds for all rules over a build that is new each time."""
    builds = [Build.from_log(log) for _ in range(rounds)]
    verdicts = evaluate(Build.from_log(log), rules)
    assert all(v.status == "pass" for v in verdicts), [v.message for v in verdicts if v.status != "pass"]
    return statistics.median(seconds(lambda: evaluate(build, rules)) for build in builds)  # noqa: B023


def each_rule(log: Log, rules: Sequence[BoundRule]) -> dict[str, float]:
    """Median seconds for each rule after the ones before it, over builds that are new each time."""
    times: list[list[float]] = []
    for _ in range(200):
        build = Build.from_log(log)
        scene = Scene(build, frozenset().union(*(one.named for one in rules)))
        times.append([seconds(lambda: one.check(scene)) for one in rules])  # noqa: B023
    return {f"{i}. {one.name}": statistics.median(row[i - 1] for row in times) for i, one in enumerate(rules, start=1)}


def tasks() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for name, peer in TASKS:
        task = load_task(name)
        build = reference(task)[-1]
        rules, blocks = task.turns[-1].rules, build.blocks.rows()
        assert build.log is not None
        in_order = [blocks[i] for i in np.argsort(build.log.placed_at(build.blocks)).tolist()]
        ours = judged(build.log, rules)
        assert peer(in_order)
        other = statistics.median(seconds(lambda: peer(in_order)) for _ in range(300))  # noqa: B023
        rows.append(
            {
                "task": name,
                "blocks": len(blocks),
                "rules": len(rules),
                "ms": round(1000 * ours, 4),
                "ms per 100 blocks": round(1e5 * ours / len(blocks), 4),
                "plain Python peer, looser, ms": round(1000 * other, 4),
                "ratio": round(ours / other, 2),
                "each rule, ms": {one: round(1000 * t, 4) for one, t in each_rule(build.log, rules).items()},
            }
        )
    return rows


def city(blocks: int) -> Build:
    """Towers of three materials on a plate, full but for a hole here and there, and 200 blocks in the air: about
    so many blocks in all."""
    rng = np.random.default_rng(1)
    side = max(8, round((blocks / 12.7) ** 0.5))
    plan = np.full((side, side), 1)
    for i in range(0, side - 6, 8):
        for k in range(0, side - 6, 8):
            plan[i : i + 6, k : k + 6] = rng.integers(4, 42)
    x, z = np.nonzero(plan)
    heights = plan[x, z]
    y = np.concatenate([np.arange(h) for h in heights])
    cells = np.column_stack([np.repeat(x, heights), y, np.repeat(z, heights)])
    cells = cells[(rng.random(len(cells)) > 0.01) | (cells[:, 1] == 0)]
    clouds = np.column_stack([rng.integers(0, side, 200), np.full(200, 60), rng.integers(0, side, 200)])
    cells = np.unique(np.concatenate([cells, clouds]), axis=0)
    return Build(BlockSet(cells, rng.integers(0, 3, len(cells)), ["stone", "oak_planks", "white_concrete"]))


def by_networkx(scene: Scene) -> int:
    import networkx as nx

    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(scene.blocks)))
    here, face = np.nonzero(scene.neighbours[:, 1::2] >= 0)
    graph.add_edges_from(zip(here.tolist(), scene.neighbours[here, 2 * face + 1].tolist(), strict=True))
    resting = set(np.flatnonzero(scene.resting).tolist())
    return sum(len(part) for part in nx.connected_components(graph) if part.isdisjoint(resting))


def by_links(scene: Scene) -> int:
    labels = label_by_links(scene.blocks, scene.structural)
    stands = np.zeros(int(labels.max()) + 1, dtype=np.bool_)
    stands[labels[scene.resting]] = True
    return int((~stands[labels]).sum())


def grounded() -> list[dict[str, object]]:
    rule = [bind("grounded", {})]
    rows: list[dict[str, object]] = []
    for size in (30_000, 1_000_000):
        build = city(size)

        def fresh(build: Build = build) -> Build:
            blocks = build.blocks
            return Build(BlockSet(blocks.cells, blocks.index, blocks.palette))

        builds = [fresh() for _ in range(3)]
        verdict = evaluate(fresh(), rule)[0]
        ours = min(seconds(lambda: evaluate(one, rule)) for one in builds)  # noqa: B023
        row: dict[str, object] = {"blocks": len(build.blocks), "floating": verdict.measured, "s": round(ours, 3)}
        peers = {"scipy sparse graph": by_links}
        if size < 100_000:
            peers["networkx"] = by_networkx
        for name, count in peers.items():
            scene = Scene(fresh())
            begin = time.perf_counter()
            assert count(scene) == verdict.measured
            other = time.perf_counter() - begin
            row |= {f"{name}, s": round(other, 3), f"{name}, ratio": round(ours / other, 3)}
        rows.append(row)
    return rows


def far_apart() -> dict[str, object]:
    names = {"extent": {"width": 1}, "filled": {}, "connected": {}, "grounded": {}, "thickness": {"bound": 1}}
    rules = [bind(name, args) for name, args in names.items()]
    rules += [bind("gap", {"at_least": 10}), bind("clusters", {"bound": 2}), bind("efficiency", {})]
    events = [(0, 0, 0, "stone"), (10**6, 10**6, 10**6, "stone")]
    evaluate(Build.from_log(events), rules)
    tracemalloc.start()
    evaluate(Build.from_log(events), rules)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return {"rules": [one.name for one in rules], "peak kB": round(peak / 1000, 1), "below 1 MB": peak < 1_000_000}


def printed(found: dict[str, Any]) -> None:
    print(f"{'rules of a task':<54} blocks  rules      ms  per 100 blocks   plain Python peer (looser)   ratio")
    for row in found["task"]:
        peer = row["plain Python peer, looser, ms"]
        numbers = f"{row['blocks']:>6} {row['rules']:>6} {row['ms']:>7.3f} {row['ms per 100 blocks']:>15.3f}"
        print(f"  {row['task']:<52} {numbers} {peer:>28.3f} {row['ratio']:>7}")
        for name, t in row["each rule, ms"].items():
            print(f"    {name:<64} {t:>9.3f}")
    print("grounded                 blocks  floating      s   peers (ratio)")
    for row in found["grounded"]:
        peers = [name.removesuffix(", s") for name in row if name.endswith(", s")]
        shown = "   ".join(f"{name} {row[name + ', s']} s ({row[name + ', ratio']})" for name in peers)
        print(f"  {'city':<22} {row['blocks']:>6} {row['floating']:>9} {row['s']:>6}   {shown}")
    far = found["two blocks 10^6 apart"]
    print(f"two blocks 10^6 apart: peak {far['peak kB']} kB over {', '.join(far['rules'])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    as_json = parser.parse_args().json
    gc.disable()
    found = {"task": tasks(), "grounded": grounded(), "two blocks 10^6 apart": far_apart()}
    if as_json:
        print(json.dumps(found, indent=1))
    else:
        printed(found)


if __name__ == "__main__":
    main()
