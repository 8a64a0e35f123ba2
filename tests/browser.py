"""A headless Chromium, driven over a pipe with nothing but the standard library: to look at pages and to try them."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = "pages are not tried: no browser; install Chromium (Debian, Ubuntu: apt-get install chromium)"
_FLAGS = (
    "--headless=new --no-sandbox --enable-unsafe-swiftshader --hide-scrollbars --no-first-run --disable-extensions "
    "--disable-background-networking --disable-component-update --disable-dev-shm-usage --remote-debugging-pipe"
).split()


def find() -> str | None:
    """The path of a browser that can be driven, None where there is none."""
    if os.name == "nt":  # pipes are handed over in the way of Unix here
        return None
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Browser:
    """One tab of a running browser."""

    def __init__(self, read: int, write: int) -> None:
        self._read, self._write = read, write
        self._buffer = b""
        self._number = 0
        self._session: str | None = None
        self.problems: list[str] = []
        self.requests: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Runtime", "Log", "Page", "Network"):
            self._call(f"{domain}.enable")

    def _call(self, method: str, **parameters: object) -> dict[str, Any]:
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self._write, data) :]
        while (answer := self._next()).get("id") != self._number:
            self._note(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    def _next(self, patience: float = 120) -> dict[str, Any]:
        end = time.monotonic() + patience
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(end - time.monotonic(), 0))
            part = os.read(self._read, 1 << 20) if ready else b""
            if not part:
                raise TimeoutError("the browser does not answer")
            self._buffer += part
        text, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(text)
        return message

    def _note(self, event: dict[str, Any]) -> None:
        match event.get("method"), event.get("params", {}):
            case "Runtime.exceptionThrown", {"exceptionDetails": details}:
                self.problems.append(str(details.get("exception", {}).get("description") or details["text"]))
            case "Runtime.consoleAPICalled", {"type": "error" | "warning" | "assert", "args": words}:
                self.problems.append(" ".join(str(word.get("value", word.get("description"))) for word in words))
            case "Log.entryAdded", {"entry": {"level": "error" | "warning", "text": text}}:
                # The software renderer says of itself that reading pixels is slow.
                if "GPU stall due to ReadPixels" not in text:
                    self.problems.append(text)
            case "Network.requestWillBeSent", {"request": {"url": url}}:
                self.requests.append(url)

    def window(self, wide: int = 1280, high: int = 800, *, dark: bool = False, touch: bool = False) -> Self:
        """Set the size and the colour scheme."""
        self._call("Emulation.setDeviceMetricsOverride", width=wide, height=high, deviceScaleFactor=1, mobile=touch)
        self._call("Emulation.setTouchEmulationEnabled", enabled=touch)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        return self

    def open(self, path: Path, *, wary: bool = True) -> Self:
        """Open a page from disk and wait until it says that it is ready or, if ``wary``, has a problem."""
        self.problems.clear()
        self.requests.clear()
        self._call("Page.navigate", url=path.resolve().as_uri())
        end = time.monotonic() + 60
        while not self.run("document.readyState === 'complete' && 'mineceSelfCheck' in window"):
            if time.monotonic() > end or (wary and self.problems):
                raise AssertionError(f"{path.name} is not ready: {self.problems}")
            time.sleep(0.05)
        return self

    def run(self, script: str) -> Any:
        """The value of an expression, ready for JSON."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise AssertionError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    def check(self, name: str) -> Any:
        """What the page says of itself."""
        return self.run(f"window.mineceSelfCheck.{name}")

    def settle(self) -> None:
        """Wait for two frames."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def mouse(self, kind: str, x: float, y: float, button: str = "none") -> None:
        """Move, press or release the mouse."""
        buttons = 1 if button == "left" and kind != "mouseReleased" else 0
        self._call(
            "Input.dispatchMouseEvent",
            type=kind,
            x=x,
            y=y,
            button=button,
            buttons=buttons,
            clickCount=int(button != "none"),
        )

    def tap(self, x: float, y: float) -> None:
        """Touch the window with a finger and let go."""
        self._call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        self._call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, key: str) -> None:
        """Press and release a key."""
        codes = {"Enter": 13, "Tab": 9, "ArrowLeft": 37, "ArrowRight": 39}
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=codes.get(key, 0))

    def picture(self, path: Path) -> None:
        """Keep what the window shows as a PNG or JPEG file."""
        self.settle()
        kind = {"format": "jpeg", "quality": 74} if path.suffix == ".jpg" else {"format": "png"}
        path.write_bytes(base64.b64decode(self._call("Page.captureScreenshot", **kind)["data"]))


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with one tab, which ends with the block."""
    program = find()
    if program is None:
        raise FileNotFoundError(MISSING)
    to_browser, write = os.pipe()
    read, from_browser = os.pipe()
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:

        def connect() -> None:  # the browser reads from descriptor 3 and writes to 4
            one, other = os.dup(to_browser), os.dup(from_browser)
            os.dup2(one, 3)
            os.dup2(other, 4)

        process = subprocess.Popen(
            [program, *_FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            close_fds=False, preexec_fn=connect, start_new_session=True,
        )  # fmt: skip
        os.close(to_browser)
        os.close(from_browser)
        try:
            yield Browser(read, write)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            os.close(read)
            os.close(write)
