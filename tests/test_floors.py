"""The face answers for help without the heavy libraries, and names what it exports."""

import subprocess
import sys
import time

import pytest

import minece

HEAVY = ("numpy", "scipy", "pandas", "jinja2", "networkx", "skfem", "rich.table")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["score", "--help"], ["tasks", "--help"]])
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (
        "import sys\n"
        f"sys.argv = ['minece', *{arguments!r}]\n"
        "from minece.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr.strip() == "[]"


def test_help_is_quick() -> None:
    times = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "minece", "--help"], capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    assert min(times) < 0.4


def test_every_public_name_is_there() -> None:
    assert sorted(minece.__all__) == list(minece.__all__)
    for name in minece.__all__:
        assert getattr(minece, name) is not None
        assert name in dir(minece)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        minece.nonsense  # noqa: B018


def test_tasks_is_a_package_and_can_be_called() -> None:
    import minece.tasks

    assert minece.tasks.load_task
    assert {task.suite for task in minece.tasks(suite="core")} == {"core"}
