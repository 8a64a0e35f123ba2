"""Two ways from Python to the bot's Node: the package ``javascript``, and a process of our own.

Both carry the same calls to the same code. ``javascript`` has one Node to a Python process, and with it one bot;
a process of our own holds as many as there are.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from queue import SimpleQueue
from typing import Any, Final, Literal, Protocol, TypeAlias

from minece.agent_bridge.errors import AgentBridgeError, BotError, BridgeError, SetupError
from minece.agent_bridge.processes import NodeProcess
from minece.agent_bridge.runtime import SCRIPTS, VARIABLE, node, packages
from minece.installation import install_command

FrontKind: TypeAlias = Literal["javascript", "stdio"]

JSON: TypeAlias = dict[str, Any]

NAMES: Final = (
    "connect",
    "placeMany",
    "breakMany",
    "fill",
    "readBox",
    "awaitStates",
    "goTo",
    "status",
    "drainEvents",
    "quit",
)
"""The calls that both fronts know."""

_SLICE = 0.1  # seconds between two looks at whether Node lives
_START = 20.0  # seconds that a Node has to start
_FAREWELL = 1.0  # seconds that a Node has to end by itself
_KEPT_LINES = 40
_FRAME = re.compile(r"\d+: 0x|-----|at ")  # lines of a stack trace

_ERRORS: dict[str, type[AgentBridgeError]] = {
    "join": BotError,
    "lost": BotError,
    "unreachable": BotError,
    "setup": SetupError,
}


class Front(Protocol):
    """A way to call the bot's Node."""

    @property
    def alive(self) -> bool:
        """Whether calls can be made."""
        ...

    @property
    def pid(self) -> int:
        """Of the Node process."""
        ...

    def call(self, name: str, payload: Mapping[str, Any], timeout: float) -> JSON:
        """What the bot answers.

        Raises :class:`BotError` for what went wrong with the bot, :class:`BridgeError` when Node died, took longer
        than ``timeout`` seconds or gave no sensible answer; after that the front is dead.
        """
        ...

    def close(self) -> None:
        """End Node; may be called twice."""
        ...


def open_front(kind: FrontKind) -> Front:
    """A front with a Node of its own. Raises :class:`SetupError` where something is not installed."""
    return JavascriptFront() if kind == "javascript" else StdioFront()


class StdioFront:
    """The bot in a Node process of our own."""

    def __init__(self) -> None:
        self._process = NodeProcess("stdio.mjs", error=BridgeError, name="the bot's Node")

    @property
    def alive(self) -> bool:
        return self._process.alive

    @property
    def pid(self) -> int:
        return self._process.pid

    def call(self, name: str, payload: Mapping[str, Any], timeout: float) -> JSON:
        try:
            answer = self._process.request(name, dict(payload), timeout=timeout)
            outcome = _outcome(answer, name)
        except BaseException:
            # An answer that comes late would belong to no call.
            self._process.kill()
            raise
        return _value(outcome)

    def close(self) -> None:
        self._process.stop(_FAREWELL)


class JavascriptFront:
    """The bot in the Node process of the package ``javascript``.

    That package waits ten seconds and more for a Node that died, so every call is made on a thread of its own while
    this one watches the process. It has one Node to a Python process: a second front at the same time is refused.
    """

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._functions: dict[str, Any] = {}
        self._connection: Any = None
        self._loop: Any = None
        self._dead = False
        self._busy = False
        self._thread = threading.Thread(target=self._work, name="javascript", daemon=True)
        environment = {"NODE_BIN": node(), "NODE_PM": "false", VARIABLE: str(packages())}
        _reserve(self)
        self._thread.start()
        try:
            self._wait_for(lambda: self._start(environment), "start", _START)
        except BaseException:
            self.close()
            raise

    @property
    def alive(self) -> bool:
        process = self._process
        return not self._dead and process is not None and process.poll() is None

    @property
    def pid(self) -> int:
        process = self._process
        if process is None:
            raise BridgeError("the bot's Node was not started")
        return int(process.pid)

    def call(self, name: str, payload: Mapping[str, Any], timeout: float) -> JSON:
        if os.getpid() != self._owner:
            raise BridgeError("the bot belongs to another process", mend="join in the process that uses the bot")
        if not self.alive:
            epitaph = self._epitaph()
            self.close()
            raise BridgeError(epitaph)
        text = json.dumps(payload)  # ASCII: javascript cuts its input anywhere, also within a letter
        function = self._functions[name]
        try:
            # The package's own deadline must not come first: an answer after it kills the package's thread.
            answer = self._wait_for(lambda: function(text, timeout=timeout + 60.0), name, timeout)
            outcome = _outcome(_parsed(answer, name), name)
        except BaseException:
            self.close()
            raise
        return _value(outcome)

    def close(self) -> None:
        # Only once: by then the package's Node may be another front's.
        if self._dead or os.getpid() != self._owner:
            return
        self._dead = True
        self._jobs.put(None)
        if self._connection is not None:
            _end(self._connection, self._loop, at_once=self._busy)
            self._thread.join(_FAREWELL)
        _release(self)

    @property
    def _process(self) -> Any:
        return None if self._connection is None else self._connection.proc

    def _start(self, environment: Mapping[str, str]) -> None:
        with _environment(environment):
            javascript = _imported()
            self._connection, self._loop = javascript.connection, javascript.config.event_loop
            address = (SCRIPTS / "bridge.mjs").as_uri()
            bridge = _module(javascript, address)
        self._functions = {name: getattr(bridge, name) for name in NAMES}

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            job()

    def _wait_for(self, work: Callable[[], Any], name: str, timeout: float) -> Any:
        """Have the other thread do it; raises as soon as Node is dead or the time is up."""
        outcome: list[Any] = []
        fault: list[BaseException] = []
        done = threading.Event()

        def job() -> None:
            try:
                outcome.append(work())
            except BaseException as error:
                fault.append(error)
            self._busy = False
            done.set()

        self._busy = True
        self._jobs.put(job)
        deadline = time.monotonic() + timeout
        while not done.wait(min(_SLICE, max(0.0, deadline - time.monotonic()))):
            process = self._process
            if process is not None and process.poll() is not None and not done.wait(_SLICE):
                raise BridgeError(self._epitaph())
            if time.monotonic() >= deadline:
                raise BridgeError(f"the bot's Node did not answer {name!r} within {timeout:g} s")
        if fault:
            if isinstance(fault[0], AgentBridgeError):
                raise fault[0]
            if self._connection is not None and not self.alive:
                raise BridgeError(self._epitaph())
            first = str(getattr(fault[0], "js", None) or fault[0]).partition("\n")[0]
            raise BridgeError(f"the bot's Node failed at {name!r}: {first or type(fault[0]).__name__}{_last_words()}")
        return outcome[0]

    def _epitaph(self) -> str:
        process = self._process
        code = None if process is None else process.poll()
        if code is None:
            return "the bot's Node was ended"
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return f"the bot's Node {how}{_last_words()}"


_holder: JavascriptFront | None = None
_holding = threading.Lock()
_ours = 0  # the process that imported the package
_lines: deque[str] = deque(maxlen=_KEPT_LINES)


def _reserve(front: JavascriptFront) -> None:
    global _holder
    with _holding:
        if _holder is not None and _holder.alive:
            raise BridgeError(
                "there is a bot in this Python process already, and javascript holds only one",
                mend='leave with the first, or give front="stdio"',
            )
        before, _holder = _holder, front
    if before is not None:
        before.close()


def _release(front: JavascriptFront) -> None:
    global _holder
    with _holding:
        if _holder is front:
            _holder = None


def _imported() -> Any:
    """The package with a fresh Node, whose words are kept from the user's terminal."""
    global _ours
    _lines.clear()
    if not _ours and sys.modules.get("javascript") is not None:
        raise BridgeError("this Python process uses the package javascript otherwise", mend='give front="stdio"')
    if _ours and _ours != os.getpid():
        raise BridgeError("this Python process is a copy of one that has a bot", mend='give front="stdio"')
    if not _ours:
        javascript = _first_import()
        _ours = os.getpid()
        atexit.register(_close_all)
    else:
        javascript = sys.modules["javascript"]
        javascript.connection.NODE_BIN = os.environ["NODE_BIN"]
        javascript.connection.sendQ.clear()
        javascript.init()
    loop = javascript.config.event_loop
    loop.queue_request = _writer(javascript.connection, loop)
    # Sleeps at exit for calls from Node to Python, which there are none of.
    atexit.unregister(loop.on_exit)
    return javascript


def _writer(connection: Any, loop: Any) -> Callable[..., threading.Event]:
    """Writes a request at once. The package has its thread write, which loses a request that comes while it does."""

    def queue_request(number: int, payload: object, timeout: float | None = None) -> threading.Event:
        arrived = threading.Event()
        loop.requests[number] = [arrived, timeout]
        connection.writeAll([payload])
        return arrived

    return queue_request


def _first_import() -> Any:
    """Import the package without what it does to the process around it: hook, colours, prints."""
    hook = sys.excepthook
    colour = os.environ.get("FORCE_COLOR")
    try:
        import javascript
    except ImportError as error:
        raise SetupError("the package javascript is not installed", mend=f"run: {install_command('agents')}") from error
    finally:
        sys.excepthook = hook
        if colour is None:
            os.environ.pop("FORCE_COLOR", None)
        else:
            os.environ["FORCE_COLOR"] = colour
    for module in (javascript.connection, javascript.proxy):
        module.print = _keep
    # A copy of this process that ends must not end our Node.
    atexit.unregister(javascript.connection.stop)
    return javascript


def _module(javascript: Any, address: str) -> Any:
    # Not ``require``, which makes a wrong address of a folder with "#" or "%" in its name, nor ``eval_js``, which hands
    # over the variables of its caller; ``{}`` stands for those.
    text = f"return await import({json.dumps(address)})"
    return javascript.config.global_jsi.evaluateWithContext(text, {}, forceRefs=True)


def _keep(*words: object) -> None:
    """Stands for ``print`` in the package."""
    _lines.extend(line for line in " ".join(map(str, words)).splitlines() if line.strip())


def _last_words() -> str:
    lines = (line.removeprefix("[JSE] ").removeprefix("[log] ").strip() for line in list(_lines))
    said = [line for line in lines if line and not _FRAME.match(line)][-4:]
    return f": {' | '.join(said)[-600:]}" if said else ""


def _end(connection: Any, loop: Any, *, at_once: bool) -> None:
    """End the package's Node, and let its threads end, which would read from the next Node otherwise.

    ``at_once`` while a call is under way: its thread may hold stdin, full for a Node that does not read.
    """
    process = connection.proc
    if at_once:
        process.kill()
    # What Node did not get any more must not be sent to the next one.
    loop.active = False
    loop.outbound.clear()
    loop.callbackExecutor.running = False
    with contextlib.suppress(OSError, ValueError):
        process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(_FAREWELL)
    process.kill()
    process.wait()
    connection.stop()
    for thread in (connection.com_thread, connection.stdout_thread):
        if thread is not None:
            thread.join(_FAREWELL)
    loop.queue.put("exit")
    loop.callbackExecutor.jobs.put([0, 0, lambda _: None, None])
    for arrived, _ in list(loop.requests.values()):
        arrived.set()
    connection.sendQ.clear()


def _close_all() -> None:
    if _holder is not None:
        _holder.close()


@contextlib.contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _parsed(answer: object, name: str) -> object:
    try:
        return json.loads(answer) if isinstance(answer, str) else answer
    except ValueError:
        raise _nonsense(name, answer) from None


def _outcome(answer: object, name: str) -> JSON | AgentBridgeError:
    """The answer proper, or the error that it tells of; raises where Node can be used no more."""
    match answer:
        case {"ok": dict(value)}:
            return value
        case {"error": {"code": str(code), "message": str(message), "mend": str(mend)}}:
            error = _ERRORS.get(code, BridgeError)(message, mend=mend)
            if code == "deadline":
                raise error
            return error
    raise _nonsense(name, answer)


def _value(outcome: JSON | AgentBridgeError) -> JSON:
    if isinstance(outcome, AgentBridgeError):
        raise outcome
    return outcome


def _nonsense(name: str, answer: object) -> BridgeError:
    return BridgeError(f"the bot's Node answered {name!r} with {str(answer)[:100]!r}")
