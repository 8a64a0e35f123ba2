"""Node programs of ours as child processes, spoken to in JSON lines.

Down the child's stdin go requests ``{"id": 1, "do": "name", "with": {…}}`` and answers ``{"answer": 1, …}``; up its
stdout come ``{"id": 1, "ok": …}`` or ``{"id": 1, "error": {"code": …, "message": …}}``, questions ``{"ask": 1, …}``
and events ``{"event": "name", …}``.
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
import weakref
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import IO, Any, Final, Self

from minece.agent_bridge.errors import AgentBridgeError
from minece.agent_bridge.runtime import SCRIPTS, VARIABLE, node, packages

Message = dict[str, Any]

LONGEST_LINE = 64 * 2**20
"""Bytes of one line; a child that writes a longer one is killed."""

_TAIL = 64 * 2**10
_EVENTS = 100_000
_PASSED_ON = ("PATH", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
_POSIX: Final = os.name == "posix"
_ATOMIC = 4096  # bytes that a pipe which has room takes at once

_living: weakref.WeakSet[NodeProcess] = weakref.WeakSet()


class _Pending:
    """A request that waits for its reply."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.reply: Message | None = None


class NodeProcess:
    """A Node child that runs one of our scripts.

    Parameters
    ----------
    script : name of a script of ours, or the path of another
    error : what failures are raised as
    name : what the child is called in messages
    flags : options of Node itself
    environment : variables beside the few that every child gets
    answer : answers the child's questions, one at a time, on a thread of its own
    longest_line : bytes that a line of the child may have
    """

    def __init__(
        self,
        script: str | Path,
        *,
        error: type[AgentBridgeError],
        name: str,
        flags: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        answer: Callable[[Message], Message] | None = None,
        longest_line: int = LONGEST_LINE,
    ) -> None:
        self.name = name
        self._error = error
        self._answer = answer
        self._longest_line = longest_line
        self._events: deque[Message] = deque(maxlen=_EVENTS)
        self._pending: dict[int, _Pending] = {}
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._outbox: SimpleQueue[bytes | None] = SimpleQueue()
        self._unwritten = 0
        self._questions: SimpleQueue[Message | None] = SimpleQueue()
        self._tail: deque[bytes] = deque()
        self._fault = ""
        self._stopped = False
        self._dead = threading.Event()
        command = [node(), *flags, str(SCRIPTS / script)]
        passed_on = {key: os.environ[key] for key in _PASSED_ON if key in os.environ}
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=tempfile.gettempdir(),
                env={**passed_on, VARIABLE: str(packages()), **(environment or {})},
                # A group of its own: the terminal's Ctrl-C is not meant for the child, and stop() reaches its children.
                start_new_session=True,
            )
        except OSError as cause:
            raise error(f"{name} did not start: {cause.strerror or cause}") from cause
        self._owner = os.getpid()
        _living.add(self)
        self._reader = self._thread(self._read)
        self._listener = self._thread(self._read_tail)
        self._thread(self._write)
        self._thread(self._wait)
        if answer is not None:
            self._thread(self._answer_questions)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return not self._dead.is_set() and self._process.poll() is None

    def request(self, do: str, payload: Message | None = None, *, timeout: float) -> Any:
        """What the child replies; raises the error of this process when it refuses, dies or is not done in time."""
        number = next(self._numbers)
        line = _line({"id": number, "do": do, "with": payload or {}})
        pending = _Pending()
        with self._lock:
            if self._dead.is_set():
                raise self._error(self._epitaph())
            self._pending[number] = pending
        self._send(line)
        pending.done.wait(timeout)
        with self._lock:
            self._pending.pop(number, None)
        reply = pending.reply
        if reply is None:
            if not pending.done.is_set():
                raise self._error(f"{self.name} did not answer {do!r} within {timeout:g} s")
            raise self._error(self._epitaph())
        if "error" in reply:
            raise self._error(str(reply["error"]["message"]))
        return reply.get("ok")

    def events(self) -> list[Message]:
        """The events that came since the last call; of very many the latest."""
        out = []
        with contextlib.suppress(IndexError):
            while True:
                out.append(self._events.popleft())
        return out

    def tail(self) -> str:
        """The end of what the child wrote to stderr."""
        return b"".join(self._tail.copy())[-_TAIL:].decode("utf-8", "replace")

    def wait(self, timeout: float) -> bool:
        """Whether the child is dead by then."""
        return self._dead.wait(timeout)

    def stop(self, patience: float = 1.0) -> None:
        """Close the child's stdin, at which it ends by itself, and kill it and its children after a while.

        May be called twice.
        """
        if self._stopped or os.getpid() != self._owner:
            return
        self._stopped = True
        self._outbox.put(None)
        self._dead.wait(patience)
        # Children of its own may have outlived it.
        self.kill()

    def kill(self) -> None:
        """Kill the child and its children at once."""
        self._kill_group()
        self._dead.wait(5.0)

    def _kill_group(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if _POSIX:
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def _thread(self, work: Callable[[], None]) -> threading.Thread:
        thread = threading.Thread(target=work, name=f"{self.name} {work.__name__.strip('_')}", daemon=True)
        thread.start()
        return thread

    def _pipe(self, pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None
        return pipe

    def _send(self, line: bytes) -> None:
        with self._writing:
            if not self._unwritten and len(line) <= _ATOMIC and self._put_now(line):
                return
            self._unwritten += 1
            self._outbox.put(line)

    def _put_now(self, line: bytes) -> bool:
        """Write without another thread where that cannot block."""
        if not _POSIX:
            return False
        stdin = self._pipe(self._process.stdin)
        try:
            if not select.select([], [stdin], [], 0)[1]:
                return False
        except (OSError, ValueError):
            return False
        with contextlib.suppress(OSError, ValueError):
            stdin.write(line)
        return True

    def _write(self) -> None:
        """A child that does not read must not hold up those who ask with a deadline."""
        stdin = self._pipe(self._process.stdin)
        with contextlib.suppress(OSError, ValueError):
            while (line := self._outbox.get()) is not None:
                rest = memoryview(line)
                while rest:
                    rest = rest[stdin.write(rest) :]
                with self._writing:
                    self._unwritten -= 1
        with contextlib.suppress(OSError):
            stdin.close()

    def _read(self) -> None:
        parts: list[bytes] = []
        length = 0
        with contextlib.suppress(OSError), self._pipe(self._process.stdout) as stdout:
            while chunk := os.read(stdout.fileno(), 2**18):
                *lines, rest = chunk.split(b"\n")
                for line in lines:
                    if not self._receive(b"".join([*parts, line]) if parts else line):
                        return
                    parts, length = [], 0
                parts.append(rest)
                length += len(rest)
                if length > self._longest_line:
                    self._give_up(f"wrote a line of more than {self._longest_line} bytes")
                    return

    def _receive(self, line: bytes) -> bool:
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            self._give_up(f"wrote a line that is no JSON object: {line[:100].decode('utf-8', 'replace')}")
            return False
        if "id" in message:
            with self._lock:
                pending = self._pending.pop(message["id"], None)
            if pending is not None:
                pending.reply = message
                pending.done.set()
        elif "ask" in message:
            self._questions.put(message)
        else:
            self._events.append(message)
        return True

    def _give_up(self, fault: str) -> None:
        self._fault = fault
        self._kill_group()

    def _answer_questions(self) -> None:
        assert self._answer is not None
        while (question := self._questions.get()) is not None:
            number = question["ask"]
            try:
                line = _line({**self._answer(question), "answer": number})
            except Exception as error:
                line = _line({"answer": number, "error": f"{type(error).__name__}: {error}"})
            self._send(line)

    def _read_tail(self) -> None:
        kept = 0
        with contextlib.suppress(OSError), self._pipe(self._process.stderr) as stderr:
            while chunk := os.read(stderr.fileno(), _TAIL):
                self._tail.append(chunk)
                kept += len(chunk)
                while kept - len(self._tail[0]) > _TAIL:
                    kept -= len(self._tail.popleft())

    def _wait(self) -> None:
        self._process.wait()
        # What it still wrote counts; grandchildren that hold the pipes must not delay the news.
        self._reader.join(0.05)
        self._listener.join(0.05)
        with self._lock:
            self._dead.set()
            pending, self._pending = list(self._pending.values()), {}
        for one in pending:
            one.done.set()
        self._outbox.put(None)
        self._questions.put(None)

    def _epitaph(self) -> str:
        if self._fault:
            return f"{self.name} {self._fault}"
        if self._stopped:
            return f"{self.name} was stopped"
        code = self._process.returncode
        how = f"was killed by signal {-code}" if code is not None and code < 0 else f"ended with exit code {code}"
        said = [line.strip() for line in self.tail().splitlines()]
        # Node's own frame around an error says nothing.
        said = [line for line in said if line.strip("^{}") and not line.startswith(("at ", "node:", "Node.js v"))]
        return f"{self.name} {how}" + (f": {' | '.join(said[-6:])[-600:]}" if said else "")


def _line(message: Message) -> bytes:
    text = json.dumps(message, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace") + b"\n"


def _stop_all() -> None:
    living = [process for process in _living if process._owner == os.getpid() and process.alive]
    for process in living:
        process._outbox.put(None)
    deadline = time.monotonic() + 1.0
    for process in living:
        process.stop(max(0.0, deadline - time.monotonic()))


atexit.register(_stop_all)
