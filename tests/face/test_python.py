"""The Python face: the same answers as the command's, and types that tell the truth (`make types` reads this file)."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, assert_type

import pytest

import minece
import minece.tasks
from minece.tasks import Task, TasksPackage, reference

Cli = Callable[..., Any]


@pytest.fixture(scope="module")
def deep() -> Task:
    return next(task for task in minece.tasks(suite="core") if task.family == "deep")


@pytest.fixture
def plain(deep: Task, tmp_path: Path) -> Path:
    """The reference of a task below ground, in a table that does not know where the ground is."""
    path = tmp_path / "deep.csv"
    rows = [f"{x},{y},{z},{state}" for x, y, z, state in reference(deep)[-1].blocks.rows()]
    path.write_text("\n".join(["x,y,z,block", *rows]))
    return path


def test_a_task_says_where_the_ground_of_a_file_is(cli: Cli, deep: Task, plain: Path) -> None:
    assert deep.ground == "top"
    (row,) = cli("score", plain, "--task", deep.id, "--json").rows
    assert row["score"]["overall"] is True
    for task in (deep, deep.id):
        for build in (
            minece.load(plain, task=task),
            minece.load_turns(plain, task=task)[-1],
            minece.load_runs(plain, task=task)[0].turns[-1],
        ):
            assert minece.score(build, task).to_dict() == row["score"]
            assert (build.id, build.provenance.ground) == (row["build"]["id"], row["build"]["ground"])
    assert not minece.score(minece.load(plain), deep).overall
    low = minece.load(plain).ground_y
    assert minece.load(plain, ground=low, task=deep).ground_y == low  # the height that is named goes first


def test_what_the_file_says_of_the_ground_goes_before_the_task(deep: Task, tmp_path: Path) -> None:
    slab = minece.Build.from_blocks([(0, 3, 0, "stone"), (0, 4, 0, "stone")])
    for ending in ("json", "schem"):
        minece.save(slab, tmp_path / f"slab.{ending}")
        assert minece.load(tmp_path / f"slab.{ending}", task=deep) == slab


def test_an_unknown_task_is_no_ground(plain: Path) -> None:
    with pytest.raises(minece.MineceError, match="there is no task 'nonsense'"):
        minece.load(plain, task="nonsense")


def test_turns_of_any_kind_are_saved(tmp_path: Path) -> None:
    slab = minece.Build.from_blocks([(0, 0, 0, "stone")])
    minece.save((build for build in (slab, slab)), tmp_path / "turns.json")
    assert minece.load_turns(tmp_path / "turns.json") == [slab, slab]


def test_tasks_is_a_package_and_a_function_for_type_checkers_too() -> None:
    assert_type(minece.tasks(suite="lite", seed=7), list[Task])
    assert_type(minece.tasks, TasksPackage)
    assert_type(minece.load_task(minece.tasks.task_ids("lite")[0]), Task)
    assert type(minece.tasks) is TasksPackage
    assert minece.tasks(suite="lite") and minece.tasks.load_task is minece.load_task


@pytest.mark.slow
@pytest.mark.parametrize(
    "code",
    [
        "import minece; minece.tasks(suite='lite'); import minece.tasks; minece.tasks(suite='lite')",
        "import minece.tasks; minece.tasks(suite='lite'); minece.tasks.load_task",
        "from minece import tasks; tasks(suite='lite'); tasks.load_task",
        "from minece.tasks import tasks; tasks(suite='lite'); import minece; minece.tasks(suite='lite')",
        "import minece.tasks.suites; minece.tasks(suite='lite'); minece.tasks.suites.tasks('lite')",
    ],
)
def test_tasks_in_every_order_of_imports(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_score_is_shown_in_one_line() -> None:
    build = minece.Build.from_blocks([(0, 0, 0, "stone"), (0, 5, 0, "stone")])
    score = minece.score(build, rules=[{"rule": "grounded"}, {"rule": "only", "args": {"materials": "stone"}}])
    assert repr(score) == "Score(overall=False, accuracy=True, failed=['grounded'])"


@pytest.mark.parametrize("words", [["-c", "import minece; minece.Build"], ["-m", "minece", "info", "x.json"]])
def test_a_checkout_that_hides_the_installed_package_is_told(tmp_path: Path, words: list[str]) -> None:
    """The folder minece/ of a checkout holds only a part of the package."""
    home = Path(minece.__file__).parent
    shutil.copytree(home, tmp_path / "minece", ignore=shutil.ignore_patterns("__pycache__"))
    hidden = "import sys; sys.meta_path[:] = [f for f in sys.meta_path if 'ditable' not in repr(f)]\n"
    start = f"{hidden}sys.path.insert(0, {str(tmp_path)!r})\n"
    code = words[1] if words[0] == "-c" else f"sys.argv = {words[1:]!r}\nfrom minece.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", start + code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode in (1, 2)
    last = done.stderr.splitlines()[-1]
    assert last.endswith("leave the checkout's folder, or use the checkout's own environment (make)")
    assert "minece.blocks is not found beside" in last
