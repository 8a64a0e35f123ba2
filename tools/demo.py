"""`make demo`: scores the shipped builds, good and bad, and two files of other people, keeps the run, says whether the
arch bridge stands, and lets a program build one with a bot in the game.

Runs of earlier demos go.
"""

import os
import shutil
import sys
from pathlib import Path

from rich.console import Console

import minece
from minece import report
from minece.agent_bridge import SetupError, read_program, run_episode, runtime
from minece.blocks import MineceError
from minece.commands.build import open_world
from minece.commands.building import Finished, Outputs
from minece.commands.score import Judge
from minece.fem import analyse
from minece.results import RunFolder, is_run, run_name
from minece.rulefile import bind_rules
from minece.standing import Standing
from minece.tasks import load_task

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
BUILDS = {
    "foundation": "elements/shallow/7x8x1-lay",
    "wall": "elements/walls/10x2x5-erect",
    "roof": "elements/roofs/5x5-4columns-3high-build",
    "house": "management/plan-1/foundation-columns-walls-ceiling",
    "arch-bridge": "civil/arch-bridges/river10-boat3-build",
}
SHOWN = "roof-floating.json"
STRESSED = "arch-bridge-good.json"
PROGRAM = "programs/arch-bridge.js"
REAL = [{"rule": "connected"}, {"rule": "grounded"}]


def main() -> int:
    """Score, show, keep; the exit code is 1 if a shipped file cannot be scored."""
    judged = [
        (path, Judge(task=load_task(task)))
        for name, task in BUILDS.items()
        for path in sorted(EXAMPLES.glob(f"{name}-*.json"))
    ]
    judged += [(path, Judge(rules=bind_rules(REAL))) for path in sorted((EXAMPLES / "real").iterdir())]
    folder = ROOT / "runs" / run_name("demo", "examples")
    built = folder.with_name(folder.name.replace("examples", "program"))
    console = report.console()
    rows = []
    with RunFolder(folder, settings={"tasks": BUILDS, "rules": REAL}) as run:
        for path, judge in judged:
            for found in judge.file(path.relative_to(ROOT)):
                if isinstance(found, MineceError):
                    print(found, file=sys.stderr)
                    return 1
                run.add(found.row, found.turns)
                rows.append(found.row)
    console.print("One build in full, then all of them:\n")
    report.print_record(console, next(row for row in rows if row["build"]["name"].endswith(SHOWN)))
    report.print_builds(console, [report.BuildRow.of(row) for row in rows])
    passed = sum(row["score"]["overall"] for row in rows)
    console.print(f"\n{passed} of {len(rows)} builds pass overall; the others have a fault put in on purpose.")
    bridge = EXAMPLES / STRESSED
    standing = Standing.of(analyse(minece.load(bridge)))
    console.print(f"{bridge.relative_to(ROOT)} {standing.line}", soft_wrap=True)
    console.print(f"Verdicts and builds are kept in {folder.relative_to(ROOT)}", soft_wrap=True)
    code = build(console, built)
    for older in folder.parent.glob("*-demo-*"):
        if older not in (folder, built) and is_run(older):
            shutil.rmtree(older)
    return code


def build(console: Console, folder: Path) -> int:
    """Let the shipped program build in the game, or in memory where there is no game, and show what came of it."""
    task, program = load_task(BUILDS["arch-bridge"]), read_program(EXAMPLES / PROGRAM)
    shown = f"{(EXAMPLES / PROGRAM).relative_to(ROOT)}"
    world = "minecraft"
    try:
        runtime.node()
        runtime.packages()
    except SetupError as error:
        if os.environ.get("MINECE_GAME") == "required":
            print(f"no game, which is required here: {error}", file=sys.stderr)
            return 1
        print(f"no game, so the program builds in memory: {error}", file=sys.stderr)
        world = "offline"
    opener, facts = open_world(task, [program], world=world)
    where = "a bot in Minecraft {version}, by hand" if world == "minecraft" else "the world in memory, as of {version}"
    console.print(f"\n{shown} builds with {where.format(**facts)}:\n", soft_wrap=True)
    finished = Finished.of(run_episode(task, [program], opener, world=facts), name=shown)
    finished.show(console)
    picture = folder / "arch-bridge.png"
    for line in finished.keep(Outputs(out=folder, png=picture)):
        console.print(line.replace(f"{ROOT}/", ""), soft_wrap=True)
    return int(not finished.passed)


if __name__ == "__main__":
    sys.exit(main())
