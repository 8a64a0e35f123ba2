"""Node and its packages are found, installed whole or not at all, and missed in one line; npm is played by a script."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from game import needs_game, node_processes

from minece.agent_bridge import runtime
from minece.agent_bridge.errors import SetupError

FAKE_NPM = """#!{python}
import json, os, pathlib, subprocess, sys, time
here = pathlib.Path.cwd()
with open({log!r}, "a") as log:
    log.write(json.dumps([sys.argv[1:], str(here)]) + "\\n")
{before}
for name in json.loads((here / "package.json").read_text())["dependencies"]:
    (here / "node_modules" / name).mkdir(parents=True)
    (here / "node_modules" / name / "package.json").write_text("{{}}")
data = here / "node_modules/minecraft-data/minecraft-data/data"
for name in ("bedrock/common", "bedrock/1.20.0", "pc/1.20.4"):
    (data / name).mkdir(parents=True)
    (data / name / "blocks.json").write_text("[]")
(data / "bedrock/latest").write_text("")
{after}
"""

pytestmark = pytest.mark.skipif(os.name == "nt", reason="npm is played by a script with a first line as on Unix")


class Machine:
    """A PATH with a Node and an npm of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.home, self.log = folder / "bin", folder / "home", folder / "log"
        self.bin.mkdir()
        self.node("v20.20.2")
        self.npm()

    def script(self, name: str, text: str) -> None:
        path = self.bin / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        runtime.node_version.cache_clear()

    def node(self, version: str) -> None:
        self.script("node", f"#!/bin/sh\necho {version}\n")

    def npm(self, before: str = "", after: str = "") -> None:
        self.script("npm", FAKE_NPM.format(python=sys.executable, log=str(self.log), before=before, after=after))

    def without(self, name: str) -> None:
        (self.bin / name).unlink()

    @property
    def calls(self) -> list[tuple[list[str], str]]:
        return [tuple(json.loads(line)) for line in self.log.read_text().splitlines()] if self.log.exists() else []

    @property
    def left(self) -> list[str]:
        """What is in the cache folder."""
        return sorted(path.name for path in self.home.iterdir()) if self.home.exists() else []


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setenv("PATH", str(made.bin))
    monkeypatch.setenv("MINECE_HOME", str(made.home))
    monkeypatch.delenv(runtime.VARIABLE, raising=False)
    return made


def refusal(call: Callable[[], object]) -> str:
    with pytest.raises(SetupError) as caught:
        call()
    line = str(caught.value)
    assert "\n" not in line
    assert len(line) < 600
    return line


def test_node_is_found(machine: Machine) -> None:
    assert runtime.node() == str(machine.bin / "node")
    assert runtime.node_version(runtime.node()) == "20.20.2"
    (machine.bin / "node").rename(machine.bin / "nodejs")
    assert runtime.node() == str(machine.bin / "nodejs")


def test_no_node(machine: Machine) -> None:
    machine.without("node")
    for call in (runtime.node, runtime.install):
        assert refusal(call) == (
            "Node.js is not installed; "
            "install Node.js 20 or newer, with npm (Debian, Ubuntu: apt-get install nodejs npm)"
        )


@pytest.mark.parametrize("version", ["v18.20.4", "v0.10.0", "v19.9.9"])
def test_an_old_node(machine: Machine, version: str) -> None:
    machine.node(version)
    for call in (runtime.node, runtime.install):
        assert refusal(call).startswith(f"Node.js is {version[1:]} at {machine.bin}/node, which is too old; install")


@pytest.mark.parametrize("says", ["nonsense", "", "v"])
def test_a_node_that_is_none(machine: Machine, says: str) -> None:
    machine.node(says)
    assert "does not tell its version" in refusal(runtime.node)


def test_a_node_that_cannot_run(machine: Machine) -> None:
    machine.script("node", "#!/nonexistent/interpreter\n")
    assert "does not tell its version" in refusal(runtime.node)


def test_no_npm(machine: Machine) -> None:
    machine.without("npm")
    assert refusal(runtime.install).startswith("npm is not installed; install npm")


def test_packages_before_they_are_installed(machine: Machine) -> None:
    assert refusal(runtime.packages) == "the packages of the game are not installed; run: minece doctor --fix"
    assert machine.left == []
    assert machine.calls == []


def test_install(machine: Machine) -> None:
    told: list[str] = []
    folder = runtime.install(told.append)
    assert told == ["installing the game's packages (about 30 s, 170 MB)"]
    assert folder == runtime.packages() == machine.home / machine.left[0] / "node_modules"
    assert len(machine.left) == 1
    assert (folder.parent / "package.json").read_bytes() == (runtime.SCRIPTS / "package.json").read_bytes()
    data = folder / "minecraft-data" / "minecraft-data" / "data"
    assert sorted(path.name for path in (data / "bedrock").iterdir()) == ["common"]
    assert (data / "pc" / "1.20.4" / "blocks.json").exists()
    ((words, where),) = machine.calls
    assert {"ci", "--ignore-scripts", "--no-audit", "--no-fund"} <= set(words)
    assert Path(where).parent.parent == machine.home
    # Once more: nothing to do.
    assert runtime.install(told.append) == folder
    assert (len(told), len(machine.calls)) == (1, 1)


def test_another_lock_is_another_folder(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = runtime.install()
    shutil.copytree(runtime.SCRIPTS, tmp_path / "node")
    (tmp_path / "node" / "package-lock.json").write_text("{}")
    monkeypatch.setattr(runtime, "SCRIPTS", tmp_path / "node")
    assert "not installed" in refusal(runtime.packages)
    assert runtime.install() != first
    assert first.is_dir()


def test_what_was_taken_away_is_installed_anew(machine: Machine) -> None:
    folder = runtime.install()
    shutil.rmtree(folder / "mineflayer")
    assert "not installed" in refusal(runtime.packages)
    assert runtime.install() == folder
    assert (folder / "mineflayer" / "package.json").exists()
    assert len(machine.left) == 1


SUMMARY = json.dumps({"error": {"code": "E", "summary": "request failed\nmore words", "detail": ""}}, indent=2)
NPM_SAYS = {
    "a summary": (f"print({SUMMARY!r})", "npm failed: request failed; mend that and run: minece doctor --fix"),
    "lines": ("print('one'); print('no space left', file=sys.stderr)", "npm failed: no space left; mend"),
    "nothing": ("", "npm failed: it says nothing; mend"),
    "no JSON": ("print('{\\n  \"error\": oh')", 'npm failed: "error": oh; mend'),
    "very much": ("print('x' * 100000)", "npm failed: xxx"),
}


@pytest.mark.parametrize(("says", "told"), NPM_SAYS.values(), ids=NPM_SAYS)
def test_npm_fails(machine: Machine, says: str, told: str) -> None:
    machine.npm(before=f"(here / 'node_modules' / 'half').mkdir(parents=True)\n{says}\nsys.exit(1)")
    assert refusal(runtime.install).startswith(told)
    assert machine.left == []
    machine.npm()
    assert runtime.install() == runtime.packages()


def test_npm_leaves_a_package_out(machine: Machine) -> None:
    machine.npm(after="(here / 'node_modules/vec3/package.json').unlink()")
    assert refusal(runtime.install) == "npm left out vec3; run: minece doctor --fix"
    assert machine.left == []


def test_npm_hangs(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    # A child of npm's holds what npm writes to; it ends too.
    child = f"subprocess.Popen([{sys.executable!r}, '-c', 'import time; time.sleep(600)', {str(machine.bin)!r}])"
    machine.npm(before=f"{child}\ntime.sleep(600)")
    monkeypatch.setattr(runtime, "_PATIENCE", 1.0)
    start = time.monotonic()
    assert refusal(runtime.install).startswith("npm was not done after 1 s")
    assert time.monotonic() - start < 10
    assert machine.left == []
    end = time.monotonic() + 20
    while _commands_with(str(machine.bin)):
        assert time.monotonic() < end
        time.sleep(0.02)


def _commands_with(text: str) -> list[bytes]:
    """Command lines of running processes that hold a text (Linux)."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found.append(path.read_bytes())
    return [words for words in found if text.encode() in words]


def test_a_cache_folder_that_cannot_be_made(machine: Machine) -> None:
    machine.home.write_text("a file")
    line = refusal(runtime.install)
    assert line.startswith(f"{machine.home}: ")
    assert line.endswith("set MINECE_HOME to a folder with room that can be written")


INSTALL = "from minece.agent_bridge.runtime import install; print(install())"


@pytest.mark.parametrize("broken", [False, True])
def test_several_install_at_once(machine: Machine, broken: bool) -> None:
    if broken:
        shutil.rmtree(runtime.install() / "vec3")
        machine.log.unlink()
    # All are past the look whether the packages are there before the first is done.
    machine.npm(before=f"while len(open({str(machine.log)!r}).readlines()) < 3: time.sleep(0.01)")
    processes = [subprocess.Popen([sys.executable, "-c", INSTALL], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    found = {process.communicate(timeout=60)[0].strip() for process in processes}
    assert found == {str(runtime.packages())}
    assert (len(machine.calls), len(machine.left)) == (3, 1)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_an_interrupted_install_leaves_nothing_half(machine: Machine, how: signal.Signals) -> None:
    half = "(here / 'node_modules/vec3').mkdir(parents=True)"
    machine.npm(before=f"{half}\nopen({str(machine.log)!r}, 'a').write('[1, 2]\\n')\ntime.sleep(600)")
    process = subprocess.Popen([sys.executable, "-c", INSTALL], stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while len(machine.calls) < 2:
        assert time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(how)
    process.wait(60)
    assert "not installed" in refusal(runtime.packages)
    left = machine.left
    if how is signal.SIGKILL:
        _end_group_in(left, machine)
        # Another install may be under way: only what is old enough to be dead is removed.
        machine.npm()
        runtime.install()
        assert len(machine.left) == 2
        shutil.rmtree(runtime.packages())
        long_ago = time.time() - 2 * runtime._STALE
        os.utime(machine.home / left[0], (long_ago, long_ago))
    machine.npm()
    runtime.install()
    assert machine.left == [runtime.packages().parent.name]


def _end_group_in(left: list[str], machine: Machine) -> None:
    """The npm of a killed install has nobody who ends it; its folder is the one of the killed install."""
    (name,) = left
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if Path(os.readlink(path / "cwd")).is_relative_to(machine.home / name):
                os.kill(int(path.name), signal.SIGKILL)
        except OSError:
            continue


def test_the_packages_can_be_elsewhere(machine: Machine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = runtime.install()
    monkeypatch.setenv(runtime.VARIABLE, str(folder))
    monkeypatch.setenv("MINECE_HOME", str(tmp_path / "other"))
    assert runtime.packages() == runtime.install() == folder
    monkeypatch.setenv(runtime.VARIABLE, str(tmp_path))
    for call in (runtime.packages, runtime.install):
        line = refusal(call)
        assert line.startswith(f"{tmp_path}: without flying-squid, minecraft-data, ")
        assert line.endswith("name another folder by MINECE_NODE_MODULES, or none")
    assert len(machine.calls) == 1
    monkeypatch.setenv(runtime.VARIABLE, "")
    assert runtime.install().is_relative_to(tmp_path / "other")


def test_the_lock_names_no_registry_and_each_package_is_sealed() -> None:
    lock = json.loads((runtime.SCRIPTS / "package-lock.json").read_text(encoding="utf-8"))
    wanted = json.loads((runtime.SCRIPTS / "package.json").read_text(encoding="utf-8"))["dependencies"]
    found = lock["packages"]
    assert found[""]["dependencies"] == wanted
    assert all("resolved" not in package for package in found.values())
    assert all(package["integrity"].startswith("sha512-") for path, package in found.items() if path)
    assert {name: found[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert [path for path in found if path.endswith("/minecraft-data")] == ["node_modules/minecraft-data"]


@needs_game
def test_the_real_packages_load(game: Path) -> None:
    code = """
    const load = require('module').createRequire(process.env.MINECE_NODE_MODULES + '/../package.json')
    for (const name of ['flying-squid', 'mineflayer', 'quickjs-emscripten']) load(name)
    for (const version of ['1.20.4', '1.21.4']) console.log(load('minecraft-data')(version).blocksArray.length)
    """
    environment = {**os.environ, runtime.VARIABLE: str(game)}
    done = subprocess.run([runtime.node(), "-e", code], capture_output=True, text=True, env=environment, timeout=60)
    assert (done.returncode, done.stdout.split()) == (0, ["1058", "1095"]), done.stderr


@needs_game
def test_node_processes_are_seen() -> None:
    if not Path("/proc").exists():
        pytest.skip("no /proc")
    before = set(node_processes())
    process = subprocess.Popen([runtime.node(), "-e", "setTimeout(() => 0, 60000)"], env={})
    try:
        end = time.monotonic() + 10
        while not (new := set(node_processes()) - before):
            assert time.monotonic() < end
        assert [found.pid for found in new] == [process.pid]
    finally:
        process.kill()
        process.wait()
    assert set(node_processes()) == before


@needs_game
@pytest.mark.slow
def test_a_missing_game_fails_where_it_is_required(tmp_path: Path) -> None:
    root = Path(__file__).resolve().parents[2]
    environment = {**os.environ, "MINECE_GAME": "required", runtime.VARIABLE: str(tmp_path)}
    words = ["-m", "pytest", "-q", "-p", "no:cacheprovider", __file__, "-k", "real_packages_load"]
    done = subprocess.run(
        [sys.executable, *words], cwd=root, env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 1 and "no game" in done.stdout and "skipped" not in done.stdout
