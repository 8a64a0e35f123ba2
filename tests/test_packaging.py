"""The wheel holds everything, works without extras, and puts nothing generic into a user's import space."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("blocks", "fem", "checkers", "tasks", "results", "agent_bridge", "human_study")
GAME = ("node", "npm", "game packages")

pytestmark = pytest.mark.slow


def _run(command: list[str], where: Path, **more: str) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COV"))} | more
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy of the sources, where no build/lib of an earlier build can add to it."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE", "NOTICE"):
        shutil.copy(ROOT / name, source / name)
    for folder in (*FOLDERS, "minece"):
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    _run([sys.executable, "-m", "build", "-q", "--wheel", "--no-isolation", "-o", "dist", "."], source)
    (built,) = (source / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh environment with the wheel; what the wheel depends on is lent by the environment of the tests."""
    folder = tmp_path_factory.mktemp("fresh") / "venv"
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    python = next(p for p in (scripts / "python", scripts / "python.exe") if p.exists())
    site = Path(_run([str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], folder).strip())
    (site / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    _run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(site), str(wheel)], folder)
    return python


def test_the_wheel_holds_every_module_and_data_file(wheel: Path) -> None:
    packed = set(zipfile.ZipFile(wheel).namelist())
    expected = {
        (path.relative_to(ROOT) if folder == "minece" else Path("minece") / path.relative_to(ROOT)).as_posix()
        for folder in (*FOLDERS, "minece")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert expected - packed == set()
    assert {name for name in packed - expected if ".dist-info/" not in name} == set()
    for name in ("package.json", "package-lock.json"):
        assert f"minece/agent_bridge/node/{name}" in packed
    assert any(name.endswith("licenses/LICENSE") for name in packed)
    assert any(name.endswith("licenses/NOTICE") for name in packed)


def test_it_stands_beside_foreign_packages_of_the_same_names(python: Path, tmp_path: Path) -> None:
    (tmp_path / "tasks.py").write_text("OWNER = 'somebody else'\n")
    (tmp_path / "fem").mkdir()
    (tmp_path / "fem" / "__init__.py").write_text("OWNER = 'somebody else'\n")
    code = (
        "import tasks, fem, minece.tasks, minece.fem, minece\n"
        "assert tasks.OWNER == fem.OWNER == 'somebody else'\n"
        "assert minece.tasks.__name__ == 'minece.tasks' and minece.fem.__name__ == 'minece.fem'\n"
        "print(len(minece.tasks(suite='core')), minece.__file__)\n"
    )
    number, place = _run([str(python), "-c", code], tmp_path).split(maxsplit=1)
    assert int(number) > 200
    assert ROOT not in Path(place.strip()).parents


def test_no_folder_is_installed_under_its_bare_name(python: Path, tmp_path: Path) -> None:
    code = f"import importlib.util as u; print([f for f in {FOLDERS!r} if u.find_spec(f)])"
    assert _run([str(python), "-c", code], tmp_path).strip() == "[]"


def test_the_installed_command_scores_a_file(python: Path, tmp_path: Path) -> None:
    good = ROOT / "examples" / "foundation-good.json"
    out = _run([str(python), "-m", "minece", "score", str(good), "--task", "elements/shallow/7x8x1-lay"], tmp_path)
    assert "overall pass" in out


def test_the_game_is_optional_and_finds_its_scripts(python: Path, tmp_path: Path) -> None:
    code = (
        "from minece.agent_bridge.runtime import SCRIPTS, node, packages\n"
        "from minece.agent_bridge.errors import SetupError\n"
        "for call in (node, packages):\n"
        "    try: call()\n"
        "    except SetupError: pass\n"
        "    else: raise SystemExit('found')\n"
        "print(*sorted(path.name for path in SCRIPTS.iterdir()), sep='\\n')\n"
    )
    bare = {"PATH": str(tmp_path), "MINECE_HOME": str(tmp_path / "home"), "MINECE_NODE_MODULES": ""}
    scripts = sorted(path.name for path in (ROOT / "agent_bridge" / "node").iterdir())
    assert _run([str(python), "-c", code], tmp_path, **bare).split() == scripts
    assert not (tmp_path / "home").exists()
    checks = json.loads(_run([str(python), "-m", "minece", "doctor", "--json"], tmp_path, **bare))["checks"]
    assert {c["what"]: c["state"] for c in checks if c["what"] in GAME} == dict.fromkeys(GAME, "optional")
