import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from game import needs_game

from minece.agent_bridge.errors import BridgeError
from minece.agent_bridge.processes import Message, NodeProcess
from minece.agent_bridge.runtime import SCRIPTS

pytestmark = needs_game

CHILD = Path(__file__).with_name("child.mjs")


def start(**options: Any) -> NodeProcess:
    return NodeProcess(CHILD, error=BridgeError, name="the child", environment={"SCRIPTS": str(SCRIPTS)}, **options)


@pytest.fixture
def child() -> Iterator[NodeProcess]:
    with start() as process:
        yield process


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def until(holds: Callable[[], bool], seconds: float = 5.0) -> bool:
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def test_a_request_is_replied_to(child: NodeProcess) -> None:
    payload: Message = {"text": "ä \u2028 \n\t\"'", "numbers": [1, 2.5, -3], "nothing": None, "deep": {"a": [{}]}}
    assert child.request("echo", payload, timeout=5) == payload
    assert child.request("echo", timeout=5) == {}


def test_much_travels_both_ways(child: NodeProcess) -> None:
    payload = {"numbers": list(range(300_000)), "text": "x" * 100_000}
    assert child.request("echo", payload, timeout=20) == payload


def test_many_threads_ask_at_once(child: NodeProcess) -> None:
    wrong: list[int] = []

    def ask(first: int) -> None:
        for number in range(first, first + 50):
            payload = {"number": number, "filling": "x" * (number % 7 * 2000)}
            if child.request("echo", payload, timeout=10) != payload:
                wrong.append(number)

    threads = [threading.Thread(target=ask, args=(1000 * i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_what_libraries_print_disturbs_nothing(child: NodeProcess) -> None:
    assert child.request("echo", timeout=5) == {}
    assert "printed by a library" in child.tail()


def test_the_environment_is_small(child: NodeProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "hidden")
    with start() as other:
        there = set(other.request("environment", timeout=5))
    assert there <= {"PATH", "MINECE_NODE_MODULES", "SCRIPTS", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH"}


def test_a_refusal_is_the_error_that_was_asked_for(child: NodeProcess) -> None:
    with pytest.raises(BridgeError, match="^I will not$"):
        child.request("refuse", timeout=5)
    with pytest.raises(BridgeError, match="there is no request toString"):
        child.request("toString", timeout=5)
    assert child.request("echo", timeout=5) == {}


def test_a_deadline_is_kept(child: NodeProcess) -> None:
    start = time.monotonic()
    with pytest.raises(BridgeError, match="did not answer 'never' within 0.1 s"):
        child.request("never", timeout=0.1)
    assert time.monotonic() - start < 1
    assert child.request("echo", timeout=5) == {}


def test_a_deadline_is_kept_where_the_child_does_not_read(child: NodeProcess) -> None:
    assert child.request("echo", timeout=5) == {}
    with pytest.raises(BridgeError, match="within"):
        child.request("busy", {"seconds": 1}, timeout=0.05)
    start = time.monotonic()
    with pytest.raises(BridgeError, match="within"):
        child.request("echo", {"text": "x" * 5_000_000}, timeout=0.1)
    assert time.monotonic() - start < 0.9
    assert child.request("echo", {"text": "late"}, timeout=10) == {"text": "late"}


def test_a_payload_that_is_no_json_harms_nothing(child: NodeProcess) -> None:
    with pytest.raises(ValueError):
        child.request("echo", {"number": float("nan")}, timeout=5)
    assert child.request("echo", timeout=5) == {}


def test_an_error_that_nobody_caught_is_survived(child: NodeProcess) -> None:
    child.request("throwLater", timeout=5)
    assert until(lambda: "thrown late" in child.tail())
    assert child.request("echo", timeout=5) == {}


def test_death_is_noticed_at_once(child: NodeProcess) -> None:
    assert child.request("echo", timeout=5) == {}
    failed: list[tuple[float, str]] = []

    def wait() -> None:
        with pytest.raises(BridgeError) as caught:
            child.request("never", timeout=60)
        failed.append((time.monotonic(), str(caught.value)))

    threads = [threading.Thread(target=wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    time.sleep(0.1)
    killed = time.monotonic()
    os.kill(child.pid, signal.SIGKILL)
    for thread in threads:
        thread.join(5)
    assert len(failed) == 3
    assert max(at for at, _ in failed) - killed < 0.3
    assert "the child was killed by signal 9" in failed[0][1]
    assert not child.alive
    with pytest.raises(BridgeError, match="killed by signal 9"):
        child.request("echo", timeout=60)


def test_its_last_words_are_told(child: NodeProcess) -> None:
    with pytest.raises(BridgeError) as caught:
        child.request("die", {"code": 3, "words": "no memory\nis left"}, timeout=10)
    assert "ended with exit code 3" in str(caught.value)
    assert "no memory | is left" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_only_the_end_of_stderr_is_kept(child: NodeProcess) -> None:
    for _ in range(20):
        child.request("say", {"bytes": 30_000}, timeout=5)
    assert until(lambda: child.tail().endswith("end\n"))
    assert len(child.tail()) <= 65536


def test_a_line_without_end_kills_the_child() -> None:
    with start(longest_line=100_000) as child, pytest.raises(BridgeError, match="a line of more than 100000 bytes"):
        child.request("flood", {"bytes": 2_000_000}, timeout=10)
    assert not child.alive


def test_a_line_that_is_no_json_kills_the_child(child: NodeProcess) -> None:
    with pytest.raises(BridgeError, match="no JSON object: this is no JSON"):
        child.request("garbage", timeout=5)
        child.request("never", timeout=5)
    assert until(lambda: not running(child.pid))


def test_questions_are_answered_one_at_a_time() -> None:
    inside = 0

    def answer(question: Message) -> Message:
        nonlocal inside
        inside += 1
        assert inside == 1
        time.sleep(0.001)
        inside -= 1
        if question["text"] == "bad":
            raise ValueError("I do not know")
        return {"text": question["text"].upper()}

    with start(answer=answer) as child:
        answers = child.request("ask", {"questions": ["a", "bad", *("b" * 20)]}, timeout=5)
    assert [one.get("text", one.get("error")) for one in answers] == ["A", "ValueError: I do not know", *("B" * 20)]


def test_who_answers_may_ask() -> None:
    def answer(question: Message) -> Message:
        return {"text": process.request("echo", {"text": question["text"]}, timeout=5)["text"]}

    with start(answer=answer) as process:
        (reply,) = process.request("ask", {"questions": ["x"]}, timeout=5)
    assert reply["text"] == "x"


def test_events_are_kept_in_order(child: NodeProcess) -> None:
    child.request("tell", {"count": 100}, timeout=5)
    assert child.events() == [{"event": "counted", "i": i} for i in range(100)]
    assert child.events() == []


def test_stop_leaves_nothing_and_may_be_repeated() -> None:
    child = start()
    grandchild = child.request("grandchild", timeout=5)
    assert running(grandchild)
    child.stop()
    child.stop()
    assert not child.alive
    assert not Path(f"/proc/{child.pid}").exists()
    assert until(lambda: not running(grandchild))
    with pytest.raises(BridgeError, match="the child was stopped"):
        child.request("echo", timeout=5)


def test_stop_ends_a_child_that_is_busy() -> None:
    child = start()
    with pytest.raises(BridgeError):
        child.request("busy", {"seconds": 60}, timeout=0.2)
    begin = time.monotonic()
    child.stop(0.2)
    assert time.monotonic() - begin < 1
    assert not running(child.pid)


def test_a_script_that_is_not_there_is_told() -> None:
    with NodeProcess("absent.mjs", error=BridgeError, name="the child") as child:
        with pytest.raises(BridgeError, match="ended with exit code 1.*absent.mjs"):
            child.request("echo", timeout=10)


PARENT = """
import sys
from minece.agent_bridge.errors import BridgeError
from minece.agent_bridge.processes import NodeProcess
child = NodeProcess(sys.argv[1], error=BridgeError, name="the child", environment={"SCRIPTS": sys.argv[2]})
child.request("echo", timeout=10)
print(child.pid, flush=True)
if sys.argv[3] == "wait":
    input()
"""


def parent(then: str) -> tuple[subprocess.Popen[str], int]:
    process = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(CHILD), str(SCRIPTS), then],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def test_it_ends_when_python_is_killed() -> None:
    process, pid = parent("wait")
    with process:
        assert running(pid)
        process.kill()
        assert until(lambda: not running(pid), 2)


def test_it_ends_when_python_ends() -> None:
    process, pid = parent("end")
    with process:
        assert process.wait(5) == 0
    assert until(lambda: not running(pid), 1)
