"""Programs: JavaScript that nobody trusts, run in a sandbox in a process of its own, against a world.

The sandbox is QuickJS in WebAssembly; it holds the program, and Node around it may read nothing but the runner and
its packages. What was built is what the world has recorded. The program's word is taken for nothing else than its log.
"""

from __future__ import annotations

import json
import math
import os
import re
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

from minece.agent_bridge import runtime
from minece.agent_bridge.arguments import Value
from minece.agent_bridge.errors import BridgeError
from minece.agent_bridge.skills import Skills
from minece.agent_bridge.world import BUILDER, World, until

Status = Literal["ok", "threw", "timeout", "limit", "refused feature"]

LONGEST_SOURCE = 1 << 20
"""Bytes that a program may have."""

_START = 30.0  # seconds that the runner has until it is ready
_PATIENCE = 10.0  # seconds that it has to take an answer
_GRACE = 2.0  # seconds that it has beyond the program's, to end by itself
_SPARE_CPU = 30
_HEAP_MB = 256
_LONGEST_LINE = 1 << 20
_TOLD = 2000
_PACKAGES = ("quickjs-emscripten-core", "@jitl/quickjs-wasmfile-release-sync", "@jitl/quickjs-ffi-types")
_FENCE = re.compile(r"\s*(?:```|~~~)[\w+-]*[ \t]*(\r?\n|$)")
_WRAPPERS = (
    (re.compile(r"\s*\(\s*async\s*\(\s*bot\s*\)\s*=>\s*\{"), "})"),
    (re.compile(r"\s*export\s+async\s+function\s+main\s*\(\s*bot\s*\)\s*\{"), "}"),
)


@dataclass(frozen=True, slots=True)
class ProgramLimits:
    """What a program may take: time, memory of its sandbox (at least 16), calls, log, and cells built in."""

    seconds: float = 60.0
    memory_mb: int = 64
    calls: int = 200_000
    log_bytes: int = 65_536
    blocks: int | None = None


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """How a program ended; what it had built until then stays.

    Attributes
    ----------
    status : "threw" for errors that the program did not catch, its promises' too; "refused feature" where such an
        error came from a feature that is not offered
    error : the error's name, or the limit: "memory", "calls", "log", "blocks" or "source"
    message : the error's message with the program's line and column
    placed : calls that placed something
    refused : calls that were refused, by reason
    calls : calls that the program made
    log : what it wrote
    features : how often each feature that is not offered was asked for, errors that were caught too
    """

    status: Status
    error: str = ""
    message: str = ""
    placed: int = 0
    refused: Mapping[str, int] = field(default_factory=dict)
    calls: int = 0
    log: tuple[str, ...] = ()
    seconds: float = 0.0
    features: Mapping[str, int] = field(default_factory=dict)


USUAL_LIMITS = ProgramLimits()


def run_program(source: str, world: World, *, limits: ProgramLimits = USUAL_LIMITS, seed: int = 0) -> ProgramResult:
    """Run a program and return how it ended; the same program, world and seed give the same.

    Raises :class:`BridgeError` where the runner dies, hangs or breaks its word, and what the world raises.
    """
    started = time.monotonic()
    log = _ProgramLog(limits.log_bytes)
    skills = Skills(world, log.note)
    calls = 0
    features: dict[str, int] = {}

    def ended(status: Status, error: str = "", message: str = "") -> ProgramResult:
        return ProgramResult(
            status=status,
            error=error,
            message=message,
            placed=skills.placed,
            refused=dict(sorted(skills.refused.items())),
            calls=calls,
            log=tuple(log.lines),
            seconds=time.monotonic() - started,
            features=features,
        )

    body = program_body(source)
    if (size := len(body.encode("utf-8", "replace"))) > LONGEST_SOURCE:
        return ended("limit", "source", f"the program has {size:,} bytes, more than {LONGEST_SOURCE:,}")
    with _Runner(body, limits, seed) as runner, until(world, limits.seconds) as deadline:
        while True:
            message = runner.receive(deadline + _GRACE)
            if isinstance(message, dict):
                features = _features(message)
                return ended(*_end(message, limits))
            if message is None or time.monotonic() > deadline:
                return ended("timeout", message=_too_late(limits))
            name, values = _call(message)
            if calls >= limits.calls:
                return ended("limit", "calls", f"the program made more than {limits.calls:,} calls")
            calls += 1
            if name == "log":
                if not log.write(str(values[0] if values else "")):
                    return ended("limit", "log", f"the program wrote more than {limits.log_bytes:,} bytes")
                answer: Any = True
            elif name in skills.names:
                answer = skills.call(name, values)
            else:
                raise BridgeError(f"the program runner asks for {name[:40]!r}")
            if limits.blocks is not None and len(skills.cells) > limits.blocks:
                return ended("limit", "blocks", f"the program built in more than {limits.blocks:,} cells")
            runner.send(answer)


def program_body(source: str) -> str:
    """A program without the Markdown fence around it and without what MINDcraft's own files put around one; lines keep
    their numbers.

    >>> program_body("```js\\nlog(bot, 1)\\n```\\n")
    '\\nlog(bot, 1)'
    >>> program_body("(async (bot) => {\\nlog(bot, 1)\\n})")
    '\\nlog(bot, 1)\\n'
    """
    return _without_wrapper(_without_fence(source.removeprefix("\ufeff")))


def _without_fence(source: str) -> str:
    opening = _FENCE.match(source)
    if opening is None:
        return source
    head, rest = source[: opening.end()], source[opening.end() :].rstrip()
    lines = rest.split("\n")
    for number, line in enumerate(lines):
        if line.strip() in ("```", "~~~"):
            lines = lines[:number]
            break
    return "\n" * head.count("\n") + "\n".join(lines)


def _without_wrapper(source: str) -> str:
    """The body of the one function that a file in ``action-code`` consists of: an arrow function that MINDcraft calls,
    or its older ``main`` below imports of what a program finds here anyway."""
    begin = 0
    for line in source.splitlines(keepends=True):
        word = line.strip().removesuffix(";")
        if word and word != "const log = skills.log" and not (word.startswith("import ") and "(" not in word):
            break
        begin += len(line)
    tail = source.rstrip().removesuffix(";").rstrip()
    for opening, closing in _WRAPPERS:
        head = opening.match(source, begin)
        if head is None or not tail.endswith(closing[-1]):
            continue
        body = tail.removesuffix(")").rstrip() if closing == "})" else tail
        if body.endswith("}") and len(body) > head.end():
            return "\n" * source[: head.end()].count("\n") + body[head.end() : -1]
    return source


def runner_command(script: Path, modules: Path) -> list[str]:
    """How a script is run by a Node that may read its folder and the sandbox's packages, and nothing else."""
    readable = [script.parent, *(modules / name for name in _PACKAGES)]
    return [
        runtime.node(),
        "--experimental-permission",
        *(f"--allow-fs-read={os.path.realpath(path)}/*" for path in readable),
        f"--max-old-space-size={_HEAP_MB}",
        "--liftoff-only",  # the optimizing compiler would cost more than most programs, and can have more faults
        os.path.realpath(script),
    ]


class _ProgramLog:
    """Lines that a program writes, up to a number of bytes."""

    def __init__(self, most: int) -> None:
        self.lines: list[str] = []
        self._left = most

    def write(self, text: str) -> bool:
        """Take a line, or the part for which there is room and false."""
        data = text.encode("utf-8", "replace")
        fits = len(data) + 1 <= self._left
        if fits or self._left > 1:
            self.lines.append(data[: max(0, self._left - 1)].decode("utf-8", "ignore"))
        self._left = self._left - len(data) - 1 if fits else 0
        return fits

    def note(self, text: str) -> None:
        """Take a line that the program did not write itself: one for which there is no room is left out."""
        if len(text.encode("utf-8", "replace")) + 1 <= self._left:
            self.write(text)


class _Runner:
    """The runner's process."""

    def __init__(self, body: str, limits: ProgramLimits, seed: int) -> None:
        self._seconds = limits.seconds
        self._run = {
            "source": body,
            "seconds": limits.seconds,
            "memory_mb": limits.memory_mb,
            "seed": seed & 0xFFFFFFFF,
            "username": BUILDER,
            "parent": os.getpid(),
        }
        self._buffer = bytearray()
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        modules = runtime.packages()
        self._errors = tempfile.TemporaryFile()
        process = subprocess.Popen(
            runner_command(runtime.SCRIPTS / "runner.mjs", modules),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            bufsize=0,
            cwd="/",
            env={runtime.VARIABLE: str(modules), "TZ": "UTC"},
            start_new_session=True,
        )
        self._process = process
        assert process.stdin is not None and process.stdout is not None
        self._in, self._out = process.stdin.fileno(), process.stdout.fileno()
        _bound_cpu(process.pid, self._seconds)
        os.set_blocking(self._in, False)
        self._answers, self._room = select.poll(), select.poll()
        self._answers.register(self._out, select.POLLIN)
        self._room.register(self._in, select.POLLOUT)
        try:
            self.send(self._run)
            if self.receive(time.monotonic() + _START) != ["ready"]:
                raise BridgeError("the program runner does not start" + self._last_words())
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        process = self._process
        if process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for stream in (process.stdin, process.stdout, self._errors):
            if stream is not None:
                stream.close()

    def send(self, value: Any) -> None:
        data = memoryview(json.dumps(value, separators=(",", ":")).encode() + b"\n")
        while data:
            try:
                data = data[os.write(self._in, data) :]
            except BlockingIOError:
                if not self._room.poll(_PATIENCE * 1000):
                    raise BridgeError("the program runner does not listen") from None
            except BrokenPipeError:
                raise self._died() from None

    def receive(self, deadline: float) -> Any:
        """The next message, None when there is none in time."""
        while (end := self._buffer.find(b"\n")) < 0:
            if len(self._buffer) > _LONGEST_LINE:
                raise BridgeError("the program runner writes endless lines")
            left = deadline - time.monotonic()
            if left <= 0 or not self._answers.poll(left * 1000):
                return None
            data = os.read(self._out, 65536)
            if not data:
                raise self._died()
            self._buffer += data
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        try:
            return json.loads(line)
        except (ValueError, RecursionError):
            raise BridgeError("the program runner writes what is no JSON") from None

    def _died(self) -> BridgeError:
        assert self._process is not None
        try:
            code = self._process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return BridgeError("the program runner closed its end")
        how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
        return BridgeError(f"the program runner died: it {how}{self._last_words()}")

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read(_TOLD).decode("utf-8", "replace").split("\n")
        told = next((line.strip() for line in lines if "Error" in line), "")
        return f" ({told[:200]})" if told else ""


def _bound_cpu(pid: int, seconds: float) -> None:
    """End a runner by itself that is left behind in a loop which does not look for its parent (Linux)."""
    try:
        from resource import RLIMIT_CPU, prlimit
    except ImportError:
        return
    most = math.ceil(seconds) + _SPARE_CPU
    with suppress(OSError, ValueError):
        prlimit(pid, RLIMIT_CPU, (most, most))


def _call(message: Any) -> tuple[str, list[Value]]:
    match message:
        case [str(name), *values] if all(v is None or isinstance(v, str | float) or _small(v) for v in values):
            return name, values
    raise BridgeError("the program runner breaks its word")


def _small(value: object) -> bool:
    return isinstance(value, int) and abs(value) < 1 << 70  # larger numbers are written with an exponent


def _features(message: dict[str, Any]) -> dict[str, int]:
    asked = message.get("asked")
    if not isinstance(asked, dict) or not all(isinstance(n, int) for n in asked.values()):
        raise BridgeError("the program runner breaks its word")
    return {str(name)[:64]: number for name, number in sorted(asked.items())[:64]}


def _end(message: dict[str, Any], limits: ProgramLimits) -> tuple[Status, str, str]:
    name, text = message.get("name", ""), message.get("message", "")
    line, column = message.get("line", 0), message.get("column", 0)
    if not (isinstance(name, str) and isinstance(text, str) and isinstance(line, int) and isinstance(column, int)):
        raise BridgeError("the program runner breaks its word")
    name, text = _clean(name)[:200], _clean(text)[:_TOLD]
    if line:
        text += f" (line {line}, column {column})" if column else f" (line {line})"
    match message.get("end"):
        case "ok":
            return "ok", "", ""
        case "threw":
            return "threw", name, text
        case "refused":
            return "refused feature", name, text
        case "timeout":
            return "timeout", "", _too_late(limits)
        case "memory":
            return "limit", "memory", f"the program took more than {limits.memory_mb} MB"
    raise BridgeError("the program runner breaks its word")


def _too_late(limits: ProgramLimits) -> str:
    return f"stopped after {limits.seconds:g} s"


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode()
