"""Both ways to the bot's Node: calls, deaths, deadlines and ends."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, get_args

import pytest
from game import needs_game

from minece.agent_bridge import fronts
from minece.agent_bridge.errors import AgentBridgeError, BotError, BridgeError, SetupError
from minece.agent_bridge.fronts import Front, FrontKind, JavascriptFront, StdioFront, open_front

pytestmark = [needs_game, pytest.mark.slow]

KINDS = get_args(FrontKind)
NODE_DIES = 0.5


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> FrontKind:
    chosen: FrontKind = request.param
    return chosen


@pytest.fixture
def front(kind: FrontKind) -> Iterator[Front]:
    opened = open_front(kind)
    yield opened
    opened.close()


@pytest.fixture
def mute() -> Iterator[dict[str, Any]]:
    """How to join a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        host, port = listener.getsockname()
        yield {"host": host, "port": port, "version": "1.20.4", "name": "b", "deadline_ms": 20_000, "silence_ms": 5000}


def gone(pid: int, seconds: float) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.02)
    return False


def test_calls_are_answered(front: Front) -> None:
    assert front.alive
    assert front.call("status", {}, 5.0) == {"connected": False}
    assert front.call("drainEvents", {}, 5.0) == {"events": [], "dropped": 0}


def test_what_goes_wrong_with_the_bot_leaves_the_front_alive(front: Front) -> None:
    with pytest.raises(BotError, match="on no server"):
        front.call("placeMany", {"hands": [], "hand_ms": 1, "budget_ms": 1}, 5.0)
    assert front.alive


def test_nonsense_in_a_call_is_the_bridges_fault(kind: FrontKind) -> None:
    with pytest.raises(AgentBridgeError) as caught:
        open_and_close(kind, "connect", {"host": 1, "port": "x", "version": None})
    assert "\n" not in str(caught.value)


def open_and_close(kind: FrontKind, name: str, payload: dict[str, Any]) -> None:
    opened = open_front(kind)
    try:
        opened.call(name, payload, 5.0)
    finally:
        opened.close()


def test_letters_beyond_ascii_arrive_whole(front: Front) -> None:
    with pytest.raises(BotError, match="does not speak version äöü€😀"):
        front.call("connect", {"version": "äöü€😀" * 20_000, "deadline_ms": 1000}, 5.0)


def test_the_death_of_node_is_known_at_once_and_mended(kind: FrontKind, mute: dict[str, Any]) -> None:
    front = open_front(kind)
    died = []

    def kill() -> None:
        os.kill(front.pid, signal.SIGKILL)
        died.append(time.monotonic())

    threading.Timer(0.2, kill).start()
    with pytest.raises(BridgeError, match="killed by signal 9"):
        front.call("connect", mute, 30.0)
    assert time.monotonic() - died[0] < NODE_DIES
    assert not front.alive
    with pytest.raises(BridgeError):
        front.call("status", {}, 5.0)
    again = open_front(kind)
    assert again.call("status", {}, 5.0) == {"connected": False}
    again.close()


def test_death_between_two_calls(front: Front) -> None:
    os.kill(front.pid, signal.SIGKILL)
    start = time.monotonic()
    with pytest.raises(BridgeError):
        front.call("status", {}, 5.0)
    assert time.monotonic() - start < NODE_DIES


@pytest.mark.parametrize("letters", [0, 2_000_000])
def test_a_node_that_hangs_is_ended(kind: FrontKind, letters: int) -> None:
    front = open_front(kind)
    pid = front.pid
    os.kill(pid, signal.SIGSTOP)
    start = time.monotonic()
    with pytest.raises(BridgeError, match=r"did not answer 'status' within 0\.3 s"):
        front.call("status", {"text": "x" * letters}, 0.3)
    assert time.monotonic() - start < 3.0
    assert gone(pid, 1.0)
    open_and_close(kind, "status", {})


@pytest.mark.parametrize("answer", ["no JSON", "[1]", '{"ok": 1}', '{"error": "x"}', "null", None, 7, ""])
def test_answers_without_sense(kind: FrontKind, answer: object, monkeypatch: pytest.MonkeyPatch) -> None:
    front = open_front(kind)
    if isinstance(front, JavascriptFront):
        monkeypatch.setitem(front._functions, "status", lambda text, timeout: answer)
    elif isinstance(front, StdioFront):
        monkeypatch.setattr(front._process, "request", lambda name, payload, timeout: answer)
    with pytest.raises(BridgeError, match="answered 'status' with"):
        front.call("status", {}, 5.0)
    assert not front.alive


def test_javascript_holds_one_front_at_a_time() -> None:
    first = JavascriptFront()
    with pytest.raises(BridgeError, match='front="stdio"'):
        JavascriptFront()
    assert first.call("status", {}, 5.0) == {"connected": False}
    first.close()
    second = JavascriptFront()
    first.close()
    assert second.call("status", {}, 5.0) == {"connected": False}
    second.close()


def test_many_stdio_fronts_at_a_time() -> None:
    several = [StdioFront() for _ in range(3)]
    assert len({front.pid for front in several}) == 3
    for front in several:
        assert front.call("status", {}, 5.0) == {"connected": False}
        front.close()


def test_a_front_of_another_process(front: Front, monkeypatch: pytest.MonkeyPatch) -> None:
    if isinstance(front, JavascriptFront):
        monkeypatch.setattr(front, "_owner", -1)
        with pytest.raises(BridgeError, match="another process"):
            front.call("status", {}, 5.0)


def test_threads_end_with_the_front() -> None:
    def count() -> int:
        return threading.active_count()

    open_and_close("javascript", "status", {})
    before = count()
    for _ in range(2):
        open_and_close("javascript", "status", {})
    end = time.monotonic() + 2.0
    while count() > before and time.monotonic() < end:
        time.sleep(0.02)
    assert count() <= before


def test_folders_with_odd_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = tmp_path / "a #1 %41 ?"
    shutil.copytree(fronts.SCRIPTS, scripts)
    monkeypatch.setattr(fronts, "SCRIPTS", scripts)
    open_and_close("javascript", "status", {})


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "javascript", None)
    monkeypatch.setattr(fronts, "_ours", 0)
    with pytest.raises(SetupError, match=r"javascript is not installed; run: pip install .*agents"):
        JavascriptFront()


def test_a_package_that_is_used_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    open_and_close("javascript", "status", {})
    monkeypatch.setattr(fronts, "_ours", 0)
    with pytest.raises(BridgeError, match='front="stdio"'):
        JavascriptFront()


QUIET = """
import os, sys, time
from minece.agent_bridge.fronts import JavascriptFront
environment = dict(os.environ)
front = JavascriptFront()
assert sys.excepthook is sys.__excepthook__ and dict(os.environ) == environment
import javascript
javascript.globalThis.console.log("noise")
javascript.globalThis.process.stderr.write("half a line")
javascript.globalThis.process.stderr.write("[1]")
javascript.globalThis.console.error("more\\nnoise")
run = javascript.config.global_jsi.evaluateWithContext
run("setTimeout(() => { throw new Error('late') }, 1); Promise.reject(new Error('nobody'))", {}, forceRefs=True)
time.sleep(0.1)
assert front.call("status", {}, 5.0) == {"connected": False}
from minece.agent_bridge.fronts import _last_words
assert "late" in "".join(__import__("minece.agent_bridge.fronts", fromlist=["x"])._lines)
"""


def test_nothing_reaches_the_users_terminal() -> None:
    package = Path(str(find_spec("javascript") and find_spec("javascript").origin)).parent  # type: ignore[union-attr]
    before = sorted((path, path.stat().st_mtime_ns) for path in package.rglob("*") if "__pycache__" not in path.parts)
    start = time.monotonic()
    done = subprocess.run([sys.executable, "-c", QUIET], capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert time.monotonic() - start < 4.0  # leaves with the front open
    after = sorted((path, path.stat().st_mtime_ns) for path in package.rglob("*") if "__pycache__" not in path.parts)
    assert after == before


WAITING = """
import sys, time
from minece.agent_bridge.fronts import open_front
front = open_front(sys.argv[1])
print(front.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGINT])
def test_python_takes_node_with_it(kind: FrontKind, sign: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, kind],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    ) as python:
        assert python.stdout is not None
        pid = int(python.stdout.readline())
        assert not gone(pid, 0.05)
        python.send_signal(sign)
        python.wait(5.0)
        assert gone(pid, 3.0)
