"""Programs that want out of their sandbox, out of their limits, or into the record."""

import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from game import needs_game
from plain_world import PlainWorld
from runners import runners

from minece.agent_bridge import runtime
from minece.agent_bridge.clicks import Cell, Side
from minece.agent_bridge.offline import OfflineWorld
from minece.agent_bridge.programs import ProgramLimits, ProgramResult, run_program, runner_command
from minece.agent_bridge.world import Outcome

pytestmark = [needs_game, pytest.mark.slow]

SNIPPETS = Path(__file__).with_name("snippets")

SOON = 15.0
"""Seconds beyond its own in which every program here ends, on a busy machine too."""


def run(source: str, world: PlainWorld | None = None, **limits: float) -> ProgramResult:
    begin = time.monotonic()
    bounds = ProgramLimits(**{"seconds": 5.0, **limits})  # type: ignore[arg-type]
    result = run_program(source, world or PlainWorld(), limits=bounds)
    assert time.monotonic() - begin < bounds.seconds + SOON
    assert not runners()
    return result


def snippet(name: str) -> str:
    return (SNIPPETS / f"{name}.js").read_text()


# Nothing of the host is there


def test_from_nothing_that_a_program_is_given_leads_a_way_out():
    result = run(snippet("probes"), seconds=20)
    assert result.status == "ok", result
    reached, names, unrefused, in_stack, in_refusal = result.log
    walk = json.loads(reached)
    assert walk["foreign"] == [] and walk["caught"] and walk["functions"] > 500
    assert (names, unrefused, in_stack, in_refusal) == ("", "", "false", "false")


class Curious(PlainWorld):
    """Looks at the runner's process while it waits for an answer."""

    environment = b""

    def place(self, cell: Cell, block: str, *, on: Side | None = None) -> Outcome:
        (pid,) = runners()
        self.environment = Path(f"/proc/{pid}/environ").read_bytes()
        self.group = os.getpgid(pid)
        return super().place(cell, block, on=on)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="no /proc")
def test_the_runner_has_no_environment_and_a_group_of_its_own(monkeypatch):
    monkeypatch.setenv("MINECE_SECRET", "secret")
    world = Curious()
    run("await skills.placeBlock(bot, 'stone', 1, 0, 1)", world)
    names = {entry.partition(b"=")[0] for entry in world.environment.split(b"\0") if entry}
    assert names == {b"MINECE_NODE_MODULES", b"TZ"}
    assert world.group != os.getpgid(0)


def test_node_around_the_sandbox_may_touch_nothing_either(tmp_path):
    (tmp_path / "inside").mkdir()
    (tmp_path / "secret").write_text("secret")
    script = tmp_path / "inside" / "tries.mjs"
    shutil.copy(SNIPPETS / "tries.mjs", script)
    command = [*runner_command(script, runtime.packages()), str(tmp_path / "secret")]
    done = subprocess.run(command, capture_output=True, text=True, env={}, cwd="/", timeout=30)
    codes, own = done.stdout.strip().rsplit(" ", 1)
    assert set(json.loads(codes)) == {"ERR_ACCESS_DENIED"} and own == "true", done


# Limits hold


ENDS: list[tuple[str, set[str]]] = [
    ("for (;;);", {"timeout"}),
    ("for (;;) await null", {"timeout"}),
    ("for (;;) try { for (;;); } catch { }", {"timeout"}),
    ("try { for (;;); } finally { for (;;); }", {"timeout"}),
    ("async function f() { try { for (;;); } finally { await f() } } await f()", {"timeout"}),
    ("const f = () => Promise.resolve().then(f); f()", {"timeout", "limit memory"}),
    ("const f = () => { Promise.resolve().then(f) }; f(); f()", {"timeout"}),
    ("queueMicrotask(function f() { queueMicrotask(f) })", {"timeout"}),
    ("for (;;) Promise.resolve().then(() => {})", {"timeout", "limit memory"}),
    ("for (;;) Promise.reject(1)", {"timeout", "limit memory"}),
    ("await { then(done) { for (;;); } }", {"timeout"}),
    ("await { then(done) { this.then(done) } }", {"threw InternalError"}),
    ("throw { get message() { for (;;); } }", {"timeout"}),
    ("throw new Proxy({}, { get() { for (;;); } })", {"timeout"}),
    ("const e = new Error('x'); Object.defineProperty(e, 'stack', { get() { for (;;); } }); throw e", {"timeout"}),
    ("[3, 1, 2].sort(() => { for (;;); })", {"timeout"}),
    ("/^(a+)+$/.test('a'.repeat(40) + 'b')", {"timeout"}),
    ("'a'.repeat(60000).match(/(a*)*b/)", {"timeout", "threw InternalError", "limit memory"}),
    ("new RegExp('('.repeat(100000))", {"threw SyntaxError", "threw InternalError"}),
    ("Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)", {"timeout"}),
    ("Array(2 ** 32 - 1).fill(0)", {"limit memory", "timeout"}),
    ("function* one() { yield 1 } for (const x of (function* () { for (;;) yield* one() })());", {"timeout"}),
    ("function* g() { yield* g() } [...g()]", {"threw InternalError"}),
    ("const g = (function* () { g.next() })(); g.next()", {"threw TypeError"}),
    ("for await (const x of (async function* () { for (;;) yield 1 })());", {"timeout"}),
    ("const f = () => f(); f()", {"threw InternalError"}),
    ("let o = {}; for (let i = 0; i < 1e6; i++) o = { o }; JSON.stringify(o)", {"threw InternalError", "limit memory"}),
    ("JSON.parse('['.repeat(1e6))", {"threw SyntaxError", "threw InternalError"}),
    ("eval('('.repeat(1e5))", {"threw SyntaxError", "threw InternalError"}),
    ("eval('!'.repeat(1e6) + '1')", {"threw SyntaxError", "threw InternalError"}),
    ("let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x", {"threw InternalError"}),
    ("let f = () => 1; for (let i = 0; i < 1e5; i++) f = f.bind(null); f()", {"limit memory"}),
    ("const all = []; for (;;) all.push([1, 2, 3])", {"limit memory"}),
    ("const all = []; for (;;) all.push('x'.repeat(1e6) + all.length)", {"limit memory"}),
    ("let s = 'x'; for (;;) s += s + Math.random()", {"limit memory", "threw InternalError"}),
    ("const all = []; for (;;) all.push(new Uint8Array(1e6))", {"limit memory"}),
    ("new ArrayBuffer(2 ** 40)", {"threw RangeError"}),
    ("new Uint8Array(2 ** 31)", {"threw RangeError", "limit memory"}),
    ("const m = new Map(); for (let i = 0; ; i++) m.set(i, {})", {"limit memory"}),
    ("const o = {}; for (let i = 0; ; i++) o['k' + i] = i", {"limit memory", "timeout"}),
    ("'x'.padEnd(2 ** 30 - 2).split('')", {"limit memory", "threw InternalError"}),
    ("2n ** (2n ** 40n)", {"threw RangeError", "limit memory", "threw InternalError"}),
    ("let n = 3n; for (;;) n *= n", {"threw RangeError", "limit memory", "timeout"}),
    ("try { const all = []; for (;;) all.push(new Array(1000).fill(1)) } catch { } log(bot, 'on')", {"ok"}),
    ("for (;;) log(bot, 'x'.repeat(1e6))", {"limit log"}),
    ("log(bot, 'x'.repeat(3e7))", {"limit log"}),
    ("console.log(...Array(1e5).fill('x'.repeat(100)))", {"limit log", "threw InternalError", "threw RangeError"}),
    ("for (;;) log(bot, '')", {"limit calls"}),
    ("for (let i = 0; i < 1e6; i++) skills.wait(bot, 1)", {"limit calls"}),
    ("for (let i = 0; i < 1e6; i++) bot.entity.position", {"limit calls"}),
    ("for (let i = 0; i < 1e6; i++) skills.placeBlock(bot, 'no' + i, 0, 0, 0)", {"limit calls"}),
    ("skills.placeBlock(bot, 'x'.repeat(2e7), 1, 0, 1)", {"ok"}),
    ("for (let i = 0; i < 20; i++) skills.fill(bot, 'stone', -1e7, -1e7, -1e7, 1e7, 1e7, 1e7)", {"ok"}),
    ("world.getNearestBlocks(bot, Array(1e6).fill('stone'), 1e9, 1e9)", {"ok"}),
]  # fmt: skip


@pytest.mark.parametrize(("source", "ends"), ENDS, ids=[source[:40] for source, _ in ENDS])
def test_no_program_exceeds_its_limits(source, ends):
    result = run(source, seconds=0.4 if "timeout" in ends else 30.0, memory_mb=48, calls=500)
    told = result.status if result.status in ("ok", "timeout") else f"{result.status} {result.error}"
    assert told in ends, result


# The record is the world's


def test_spoiled_built_ins_do_not_reach_the_record():
    world = PlainWorld()
    result = run(snippet("spoiled"), world)
    assert (result.status, result.error) == ("refused feature", "FeatureRefused"), result
    assert result.log == ("true", "0.5")
    assert (result.placed, result.refused) == (2, {"nothing to place on": 1})
    assert world.blocks() == {(1, 0, 1): "stone", (2, 0, 1): "stone"}


@pytest.mark.parametrize(
    "thrown",
    [
        "class FeatureRefused { name = 'FeatureRefused'; message = 'x is not offered' } throw new FeatureRefused()",
        "const e = new Error('m'); e.name = 'FeatureRefused'; throw e",
        "let e; try { setTimeout() } catch (x) { e = x } throw Object.create(e)",
        "let e; try { setTimeout() } catch (x) { e = new x.constructor('forged') } throw e",
        "let e; try { setTimeout() } catch (x) { e = x } throw new Proxy(e, {})",
        "WeakSet.prototype.has = () => true; const e = new Error('m'); e.name = 'FeatureRefused'; throw e",
    ],
)  # fmt: skip
def test_a_refusal_cannot_be_forged(thrown):
    assert run(thrown).status == "threw"


def test_a_program_cannot_speak_for_the_runner():
    world = PlainWorld()
    texts = [
        '{"end":"ok"}',
        '["placeBlock","stone",5,0,5,null]',
        '\\n{"end":"ok","asked":{}}\\n',
        "\\u0000",
        "\\u2028",
        '"]\\n["ready"]',
    ]
    source = "".join(f"log(bot, {json.dumps(text)}); console.error({json.dumps(text)});" for text in texts)
    source += 'await skills.placeBlock(bot, \'\\n{"end":"ok"}\\n\', 1, 0, 1); throw new Error(\'\\n{"end":"ok"}\\n\')'
    result = run(source, world)
    assert (result.status, result.error) == ("threw", "Error")
    assert len([line for line in result.log if not line.startswith("Invalid")]) == 2 * len(texts)
    assert not world.blocks()


def test_no_value_takes_part_in_its_own_passing():
    world = PlainWorld()
    result = run(snippet("values"), world)
    assert (result.status, result.log[-2:]) == ("ok", ("0", "true")), result
    assert not world.blocks()


def test_what_is_logged_can_always_be_written():
    result = run("log(bot, 'a\\ud800b\\udfff'); log(bot, '\\0c\\u001b[31m'); throw new Error('\\udc00')")
    for text in (*result.log, result.message):
        text.encode()
    assert result.log[0].strip("\ufffd").replace("\ufffd", "") == "ab"


@pytest.mark.parametrize(
    ("source", "status"),
    [
        ("skills.placeBlock = async () => true; await skills.placeBlock(bot, 'gold_block', 1, 0, 1)", "ok"),
        ("globalThis.skills = null; bot = null; log = null", "ok"),
        ("Object.freeze(globalThis); await skills.placeBlock(bot, 'no', 1, 0, 1)", "ok"),
        ("Vec3.prototype.floored = () => { throw 1 }; await skills.goToPosition(bot, 1, 0, 1)", "ok"),
        ("Object.defineProperty(bot, 'entity', { value: null }); log(bot, 1)", "ok"),
        ("delete globalThis.Promise; delete globalThis.JSON; await skills.wait(bot, 1)", "ok"),
        ("Promise.prototype.constructor = null; const p = skills.wait(bot, 1); await p", "threw"),
        ("skills.wait(bot, { valueOf() { throw new Error('no') } })", "threw"),
        ("for (const name of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[name] } catch { }", "ok"),
    ],
)
def test_a_program_that_spoils_its_own_tools_builds_nothing(source, status):
    world = PlainWorld()
    result = run(source, world)
    assert (result.status, result.placed) == (status, 0), result
    assert not world.blocks()


def test_a_bounded_world_stays_bounded():
    world = OfflineWorld()
    source = """
    for (const x of [-1, 48, 1e6, -1e7, 29999999]) for (const z of [0, -5, 1e9]) {
      skills.placeBlock(bot, 'stone', x, 0, z); skills.setBlock(bot, 'stone', x, 0, z);
      skills.breakBlockAt(bot, x, -1, z);
    }
    skills.fill(bot, 'stone', -5, -1, -5, 5, -1, 5); skills.digDown(bot, 1e9);
    """
    result = run_program(source, world)
    cells = world.build().blocks.cells
    assert result.status == "ok" and ((cells >= [0, -16, 0]) & (cells < [48, 32, 48])).all()
