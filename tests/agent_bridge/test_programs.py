"""Programs: the recorded cases, how each kind of end is told, limits, what a program sees, and faults of the runner."""

import hashlib
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from game import needs_game
from plain_world import PlainWorld
from runners import alive, await_that, runners

from minece.agent_bridge import programs, runtime
from minece.agent_bridge.clicks import Cell, Side
from minece.agent_bridge.errors import BridgeError, WorldError
from minece.agent_bridge.offline import OfflineWorld
from minece.agent_bridge.programs import ProgramLimits, ProgramResult, program_body, run_program
from minece.agent_bridge.world import Outcome
from minece.blocks.states import material_of

CASES = Path(__file__).with_name("programs")
SNIPPETS = Path(__file__).with_name("snippets")


def run(source: str, world: PlainWorld | None = None, *, seed: int = 0, **limits: float) -> ProgramResult:
    return run_program(source, world or PlainWorld(), limits=ProgramLimits(**limits), seed=seed)  # type: ignore[arg-type]


def logged(source: str, **how: int) -> list[str]:
    result = run(source, **how)
    assert result.status == "ok", result
    return list(result.log)


def snippet(name: str) -> str:
    return (SNIPPETS / f"{name}.js").read_text()


# The recorded cases


def materials_at(world: OfflineWorld) -> list[tuple[Cell, str]]:
    return [((x, y, z), material_of(state)) for x, y, z, state in world.build().blocks.rows()]


@needs_game
@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(CASES.glob("*.js")), ids=lambda path: path.stem)
def test_a_recorded_program_gives_what_is_recorded(path: Path):
    expected = json.loads(path.with_suffix(".json").read_text())
    world = OfflineWorld(start=(0.5, 0.0, 0.5), version="1.21.4", bounded=False)
    result = run_program(path.read_text(), world)
    cells = materials_at(world)
    lines = sorted(f"{x},{y},{z},{name}" for (x, y, z), name in cells)
    found = {
        "status": result.status,
        "placed": result.placed,
        "refused": dict(result.refused),
        "blocks": len(cells),
        "materials": dict(Counter(name for _, name in cells)),
        "size": [max(axis) - min(axis) + 1 for axis in zip(*(cell for cell, _ in cells), strict=True)],
        "digest": hashlib.sha256("\n".join(lines).encode()).hexdigest(),
    }
    assert found == {key: expected[key] for key in found}
    assert result.error == expected.get("error", "")


@needs_game
@pytest.mark.slow
def test_an_error_names_line_and_column():
    result = run_program((CASES / "24-theatre-throws.js").read_text(), OfflineWorld(bounded=False))
    assert result.message == "'rowSpacing' is not defined (line 27, column 84)"


@needs_game
@pytest.mark.slow
def test_the_same_program_gives_the_same():
    source = """
    for (let i = 0; i < 50; i++) {
      const x = Math.floor(Math.random() * 20), z = Math.floor(Math.random() * 20);
      log(bot, `${x} ${z} ${Date.now()} ${new Date().toString()} ${await skills.placeBlock(bot, 'stone', x, 0, z)}`);
    }
    log(bot, Object.getOwnPropertyNames(globalThis).join());
    """
    one, other = OfflineWorld(), OfflineWorld()
    first, second = run_program(source, one), run_program(source, other)
    assert first.log == second.log and len(first.log) == 51
    assert one.build().blocks.rows() == other.build().blocks.rows()
    assert run_program(source, OfflineWorld(), seed=1).log != first.log


# How programs end


ENDS: list[tuple[str, str, str, str | None]] = [
    ("", "ok", "", ""),
    ("  // nothing", "ok", "", ""),
    ("return 5", "ok", "", ""),
    ("await new Promise(() => {})", "ok", "", ""),
    ("new Promise(() => {}).then(() => log(bot, 'never'))", "ok", "", ""),
    ("throw new RangeError('no')", "threw", "RangeError", "no (line 1, column 21)"),
    ("\n\n  throw new Error('no')", "threw", "Error", "no (line 3, column 18)"),
    ("throw 'text'", "threw", "string", "text"),
    ("throw null", "threw", "object", "null"),
    ("throw undefined", "threw", "undefined", "undefined"),
    ("throw { name: 'Mine', message: 'own' }", "threw", "Mine", "own"),
    ("throw { get name() { throw 1 } }", "threw", "Error", ""),
    ("await Promise.reject(new TypeError('late'))", "threw", "TypeError", "late (line 1, column 35)"),
    ("class Mine extends Error {}\nconst e = new Mine('m'); e.name = 'Mine'; throw e", "threw", "Mine",
     "m (line 1, column 27)"),
    ("null.x", "threw", "TypeError", "cannot read property 'x' of null (line 1, column 5)"),
    ("let x = ;", "threw", "SyntaxError", "unexpected token in expression: ';' (line 1, column 9)"),
    ("if (true) {\n  log(bot, 1)\n", "threw", "SyntaxError", "unexpected end of the program (line 3)"),
    ("})(); (async function () {", "ok", "", ""),
    ("}, 5); (", "threw", "SyntaxError", None),
    ("const f = () => f(); f()", "threw", "InternalError", "stack overflow (line 1, column 18)"),
    ("const f = async () => { await f() }; await f()", "threw", "InternalError", None),
    # promises that nobody awaits
    ("async function f() { null.x }\nf(); log(bot, 'on')", "threw", "TypeError",
     "cannot read property 'x' of null (line 1, column 26)"),
    ("(async () => { await skills.wait(bot, 1); throw new Error('later') })()", "threw", "Error", None),
    ("Promise.reject(1).finally(() => {})", "threw", "number", "1"),
    ("Promise.reject(1).catch(() => {})", "ok", "", ""),
    ("const p = Promise.reject(1); await skills.wait(bot, 1); await p.catch(() => {})", "ok", "", ""),
    ("await Promise.allSettled([Promise.reject(1), (async () => { throw 2 })()])", "ok", "", ""),
    ("try { await Promise.all([1, 2].map(async (n) => { throw n })) } catch {}", "ok", "", ""),
    # what is not offered
    ("setTimeout(() => {}, 5)", "refused feature", "FeatureRefused",
     "setTimeout is not offered to programs (line 1, column 11)"),
    ("const fs = require('fs')", "refused feature", "FeatureRefused", None),
    ("import { Vec3 } from 'vec3';\nlog(bot, 1)", "refused feature", "FeatureRefused",
     "import is not offered to programs (line 1, column 8)"),
    ("await import('fs')", "refused feature", "FeatureRefused", "import is not offered to programs"),
    ("log(bot, import.meta.url)", "refused feature", "FeatureRefused", None),
    ("new WebSocket('ws://x')", "refused feature", "FeatureRefused", None),
    ("bot.once('spawn', () => {})", "refused feature", "FeatureRefused", None),
    ("(async () => { fetch('http://x') })()", "refused feature", "FeatureRefused", None),
    ("class FeatureRefused extends Error {}\nthrow new FeatureRefused('forged')", "threw", "Error", None),
]  # fmt: skip


@needs_game
@pytest.mark.slow
@pytest.mark.parametrize(("source", "status", "error", "message"), ENDS, ids=[row[0][:40] for row in ENDS])
def test_each_end_is_told(source, status, error, message):
    result = run(source, seconds=10)
    assert (result.status, result.error) == (status, error), result
    assert message is None or result.message == message


@needs_game
@pytest.mark.slow
def test_a_refused_feature_that_is_caught_is_only_counted():
    result = run("for (let i = 0; i < 3; i++) try { setTimeout(() => {}) } catch { } log(bot, typeof process)")
    assert (result.status, result.log, result.features) == ("ok", ("object",), {"setTimeout": 3})


@needs_game
@pytest.mark.slow
def test_what_was_built_before_an_error_stays():
    world = PlainWorld()
    result = run("await skills.placeBlock(bot, 'stone', 1, 0, 1); throw new Error('x')", world)
    assert (result.status, result.placed) == ("threw", 1)
    assert world.blocks() == {(1, 0, 1): "stone"}


@needs_game
@pytest.mark.slow
@pytest.mark.parametrize("fence", ["```js", "```javascript", "```", "~~~ts"])
def test_a_fence_is_taken_off_and_lines_keep_their_numbers(fence):
    result = run(f"\n{fence}\nlog(bot, 1)\nnull.x\n{fence[:3]}\nDone!\n")
    assert result.log == ("1",)
    assert result.message.endswith("(line 4, column 5)")


def test_bodies_without_a_fence_are_left_alone():
    for text in ("", "a\n", "const a = `\n```\n`", " x"):
        assert program_body(text) == text
    assert program_body("\ufefflog()") == "log()"
    assert program_body("```js\nx") == "\nx"
    assert program_body("```") == ""


ARROW = "(async (bot) => {\n\nlog(bot, 1)\nnull.x\n\n})"
MAIN = """import * as skills from '../library/skills.js';
import Vec3 from 'vec3';

const log = skills.log;

export async function main(bot) {
log(bot, 1)
null.x
}
"""


@needs_game
@pytest.mark.slow
@pytest.mark.parametrize(("text", "line"), [(ARROW, 4), (ARROW + ";\n", 4), (MAIN, 8), (f"```js\n{ARROW}\n```", 5)])
def test_what_mindcraft_wraps_around_a_program_is_taken_off_and_lines_keep_their_numbers(text, line):
    result = run(text)
    assert result.log == ("1",) and result.message.endswith(f"(line {line}, column 5)")


def test_wrappers_are_taken_off_whole_or_not_at_all():
    for text in (
        "(async (bot) => { a })(bot)",
        "(async (bot) => {",
        "(async (bot) => {)",
        "await (async (bot) => { a })",
        "import a from 'b';\nfoo()\n",
        "import" + " " * 100_000 + "(",
        "export async function main(bot) { a",
    ):
        assert program_body(text) == text
    assert program_body("(async(bot)=>{a});\n\n") == "a"
    assert program_body("(async (bot) => {})") == ""
    assert program_body("export async function main(bot) {a}") == "a"


# Limits


@needs_game
@pytest.mark.slow
def test_limits_end_a_program_and_name_themselves():
    place = "for (let i = 0; ; i++) await skills.placeBlock(bot, 'stone', i % 10, 0, 0)"
    world = PlainWorld()
    result = run(place, world, calls=7)
    assert (result.status, result.error, result.calls, result.placed) == ("limit", "calls", 7, 7)
    assert len(world.blocks()) == 7
    result = run(place, blocks=5)
    assert (result.status, result.error, result.placed) == ("limit", "blocks", 6)
    assert run(place, blocks=10, calls=50).error == "calls"
    result = run("for (;;) log(bot, 'abcdefghi')", log_bytes=95)
    assert (result.status, result.error) == ("limit", "log")
    assert result.log == ("abcdefghi",) * 9 + ("abcd",)
    result = run("const all = []; for (;;) all.push(new Array(1000).fill(1))", memory_mb=32, seconds=20)
    assert (result.status, result.error, result.message) == ("limit", "memory", "the program took more than 32 MB")


@needs_game
@pytest.mark.slow
def test_a_program_is_stopped_at_its_time():
    begin = time.monotonic()
    result = run("for (let i = 0; ; i++) await skills.wait(bot, 1)", seconds=0.5)
    assert (result.status, result.message) == ("timeout", "stopped after 0.5 s")
    assert result.calls > 10 and 0.5 < time.monotonic() - begin < 6


def test_a_program_that_is_too_long_is_not_run():
    result = run_program("//" + "x" * 10_000_000, PlainWorld())
    assert (result.status, result.error) == ("limit", "source")
    assert result.message == "the program has 10,000,002 bytes, more than 1,048,576"


@needs_game
@pytest.mark.slow
def test_a_program_of_one_mebibyte_runs():
    source = "log(bot, 'begin');" + "/*" + "é" * 500_000 + "*/ log(bot, 'end')"
    assert logged(source) == ["begin", "end"]


@needs_game
@pytest.mark.slow
@pytest.mark.parametrize("odd", ["\ud800", "\0", "\u2028", "\r\n", "\U0001f600", "\x1b"])
def test_odd_characters_in_a_program_end_nothing_but_it(odd):
    assert run(f"log(bot, '{odd}'.length);\nlog(bot, 2)").status in ("ok", "threw")
    assert run(f"// {odd}\nlog(bot, 2)").log in (("2",), ())


@needs_game
@pytest.mark.slow
def test_programs_run_side_by_side():
    source = "for (let i = 0; i < 200; i++) await skills.placeBlock(bot, 'stone', i, 0, 0); log(bot, Math.random())"
    worlds = [PlainWorld() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda world: run(source, world), worlds))
    assert {(result.status, result.placed, result.log) for result in results} == {("ok", 200, results[0].log)}
    assert all(len(world.blocks()) == 200 for world in worlds)


@needs_game
@pytest.mark.slow
def test_a_busy_wait_ends():
    assert logged("const end = Date.now() + 5000; while (Date.now() < end); log(bot, 'on')") == ["on"]


# What a program sees


@needs_game
@pytest.mark.slow
def test_calls_take_effect_in_the_order_in_which_they_are_made():
    world = PlainWorld()
    source = """
    const later = Promise.resolve().then(() => skills.placeBlock(bot, 'dirt', 9, 0, 0));
    const all = [3, 1, 2].map((x) => skills.placeBlock(bot, 'stone', x, 0, 0));
    skills.placeBlock(bot, 'stone', 5, 0, 0);
    if (bot.blockAt(new Vec3(5, 0, 0)).name !== 'stone') throw new Error('late');
    await Promise.all([...all, later]);
    """
    assert run(source, world).status == "ok"
    assert [cell[0] for _, cell, _, _ in world.asked] == [3, 1, 2, 5, 9]


@needs_game
@pytest.mark.slow
def test_vectors_are_those_of_the_package():
    assert logged(snippet("vectors")) == []


@needs_game
@pytest.mark.slow
def test_the_world_is_seen():
    shown = [json.loads(line) for line in logged(snippet("sights"))]
    stairs = {"facing": "east", "half": "top", "shape": "straight", "waterlogged": False}
    assert shown == [
        ["oak_stairs", {"x": 2, "y": 0, "z": 0}, "block", stairs],
        "empty",
        None,
        "grass_block",
        ["Block Below: grass_block", "Block at Legs: air", "Block at Head: air"],
        ["oak_stairs", "stone"],
        {"x": 3, "y": 0, "z": 0},
        None,
        [{"x": 0, "y": 0, "z": 0}, "none"],
        ["grass_block", "dirt", "oak_stairs", "stone"],
        [{}, [], []],
        [[], [], "plains", True],
        [{"x": 3, "y": 0, "z": 0}],
        "oak_stairs",
        ["builder", "1.21.4", "creative", 0, {"x": 1.5, "y": 1, "z": 1.5}],
        [{"x": 4.5, "y": 0, "z": 4.5}, {"x": 4, "y": 0, "z": 4}, False],
    ]


@needs_game
@pytest.mark.slow
def test_stock_is_an_inventory():
    world = PlainWorld()
    world.stock = {"stone": 5, "oak_planks": 64}
    source = "log(bot, JSON.stringify(world.getInventoryCounts(bot))); log(bot, bot.inventory.items().length)"
    assert run(source, world).log == ('{"stone":5,"oak_planks":64}', "2")


@needs_game
@pytest.mark.slow
def test_skills_answer_promises_of_booleans():
    result = run(snippet("answers"))
    assert result.log[-1] == "101111111101011000", result
    assert (result.placed, result.status) == (7, "ok")
    assert "craftRecipe is not offered here." in result.log


@needs_game
@pytest.mark.slow
def test_a_bot_places_and_digs_as_in_mineflayer():
    world = PlainWorld()
    source = """
    await bot.equip('stone', 'hand');
    await bot.placeBlock(bot.blockAt(Vec3(1, -1, 1)), new Vec3(0, 1, 0));
    await bot.dig(bot.blockAt(Vec3(2, -1, 2)));
    await bot.creative.flyTo(Vec3(5.5, 1, 5.5));
    bot.chat('hello'); await bot.waitForTicks(5); await bot.lookAt(Vec3(0, 0, 0));
    try { await bot.placeBlock(bot.blockAt(Vec3(1, 9, 1)), new Vec3(0, 1, 0)) } catch (error) { log(bot, error) }
    """
    assert run(source, world).log == ("hello", "Error: cannot place stone at (1, 10, 1)")
    assert world.asked[0] == ("place", (1, 0, 1), "stone", "down")
    assert world.at((2, -1, 2)) == "air" and world.position == (5.5, 1.0, 5.5)


@needs_game
@pytest.mark.slow
def test_lines_of_the_log_are_texts():
    assert logged(snippet("lines")) == [
        "plain", "alone", 'a 1 {"b":[2]} (1, 2, 3) null undefined 1', "TypeError: t", "Symbol(s)", "() => 1", "{}",
        "undefined", "[value]", "", "[value]", "two\nlines é 😀",
    ]  # fmt: skip


@needs_game
@pytest.mark.slow
def test_chance_and_clock_are_the_programs_own():
    assert logged(snippet("clock")) == [
        "1704067200001", "1001", "1970-01-01T00:00:00.000Z", "1704153600000", "true", "string", "true", "5", "true",
        "true",
    ]  # fmt: skip


# Faults of the runner


class Broken(PlainWorld):
    """A world that fails."""

    def place(self, cell: Cell, block: str, *, on: Side | None = None) -> Outcome:
        raise WorldError("the world is gone")


@needs_game
@pytest.mark.slow
def test_what_a_world_raises_ends_the_run():
    with pytest.raises(WorldError, match="the world is gone"):
        run("await skills.placeBlock(bot, 'stone', 1, 0, 1)", Broken())
    assert not runners()


class Deadly(PlainWorld):
    """Kills the runner in the middle of a call."""

    def place(self, cell: Cell, block: str, *, on: Side | None = None) -> Outcome:
        for pid in runners():
            os.kill(pid, signal.SIGKILL)
        return super().place(cell, block, on=on)


@needs_game
@pytest.mark.slow
def test_a_runner_that_dies_is_a_fault_and_no_result():
    with pytest.raises(BridgeError, match="the program runner died: it was killed by signal 9"):
        run("for (let i = 0; ; i++) await skills.placeBlock(bot, 'stone', i, 0, 0)", Deadly())


@needs_game
@pytest.mark.slow
@pytest.mark.parametrize(
    "loop", ["for (;;);", "for (;;) await skills.wait(bot, 1)", "for (;;) await null"], ids=["busy", "calls", "jobs"]
)
def test_no_runner_is_left_when_python_is_killed(loop):
    script = (
        "import sys; from plain_world import PlainWorld; from minece.agent_bridge.programs import *\n"
        f"print(1, flush=True); run_program({loop!r}, PlainWorld(), limits=ProgramLimits(seconds=60, calls=10**9))"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, env=environment) as parent:
        assert parent.stdout is not None and parent.stdout.readline() == b"1\n"
        await_that(lambda: runners(parent.pid))
        (pid,) = runners(parent.pid)
        time.sleep(0.3)
        assert alive(pid)
        parent.kill()
    await_that(lambda: not alive(pid))


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        ("exit 3", "died: it ended with code 3"),
        ("echo Error: no room >&2; exit 1", r"died: it ended with code 1 \(Error: no room\)"),
        ("read run; echo nonsense", "writes what is no JSON"),
        ("read run; sleep 9", "does not start"),
        ("exec >&-; sleep 9", "closed its end"),
        ("""read run; echo '["ready"]'; echo '["eval", "x"]'; sleep 9""", "asks for 'eval'"),
        ("""read run; echo '["ready"]'; echo '["log", {}]'; sleep 9""", "breaks its word"),
        ("""read run; echo '["ready"]'; echo '["wait", 1'$(printf '%0999d' 0)']'; sleep 9""", "breaks its word"),
        ("""read run; echo '["ready"]'; echo '{"end": "fine", "asked": {}}'; sleep 9""", "breaks its word"),
        ("""read run; echo '["ready"]'; echo '{"end": "ok"}'; sleep 9""", "breaks its word"),
        ("""read run; echo '["ready"]'; echo '{"end": "threw", "name": 5, "asked": {}}'; sleep 9""", "breaks its word"),
        ("""read run; echo '["ready"]'; printf '[%.0s' $(seq 100000); echo; sleep 9""", "no JSON"),
        ("""read run; echo '["ready"]'; head -c 3000000 /dev/zero; sleep 9""", "endless lines"),
    ],
)  # fmt: skip
def test_a_runner_that_breaks_its_word_is_a_fault(lines, fault, tmp_path, monkeypatch):
    false_node = tmp_path / "node"
    false_node.write_text(f"#!/bin/bash\n{lines}\n")
    false_node.chmod(stat.S_IRWXU)
    monkeypatch.setattr(runtime, "node", lambda: str(false_node))
    monkeypatch.setattr(runtime, "packages", lambda: tmp_path)
    monkeypatch.setattr(programs, "_START", 1.0)
    begin = time.monotonic()
    with pytest.raises(BridgeError, match=fault):
        run("log(bot, 1)", seconds=5)
    assert time.monotonic() - begin < 8
