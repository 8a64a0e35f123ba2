"""The folders at the top of the repository are installed as subpackages of `minece`.

This is code, not a list in pyproject.toml, because a list written by hand forgets sub-packages: the editable install
does not notice, and the wheel lacks them.
"""

from setuptools import find_packages, setup

FOLDERS = ("blocks", "fem", "checkers", "tasks", "results", "agent_bridge", "human_study")

setup(
    packages=[
        "minece",
        *find_packages(include=["minece.*"]),
        *(f"minece.{p}" for f in FOLDERS for p in (f, *(f"{f}.{s}" for s in find_packages(f)))),
    ],
    package_dir={"minece": "minece", **{f"minece.{f}": f for f in FOLDERS}},  # sub-packages follow their parent
)
