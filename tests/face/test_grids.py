"""`--axes` for NumPy grids, wherever builds are read."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minece

Cli = Callable[..., Any]


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    """A slab 4 wide, 1 high and 3 long, by y, z and x."""
    np.save(tmp_path / "slab.npy", np.full((1, 3, 4), "stone"))
    return tmp_path / "slab.npy"


def test_info_says_what_was_taken(cli: Cli, grid: Path) -> None:
    (row,) = cli("info", grid, "--json").rows
    assert row["extent"] == [1, 3, 4] and "axes taken as x, y, z" in row["warnings"][0]
    (row,) = cli("info", grid, "--axes", "yzx", "--json").rows
    assert row["extent"] == [4, 1, 3] and row["warnings"] == []


def test_convert_score_view_and_stress_take_them(cli: Cli, grid: Path, tmp_path: Path) -> None:
    assert cli("convert", grid, tmp_path / "slab.json", "--axes", "yzx").code == 0
    wanted = minece.load(grid, axes="yzx")
    assert minece.load(tmp_path / "slab.json").id == wanted.id and wanted.blocks.size == (4, 1, 3)
    (row,) = cli("score", grid, "--task", "elements/shallow/7x8x1-lay", "--axes", "yzx", "--json").rows
    assert row["build"]["size"] == [4, 1, 3]
    assert cli("view", grid, "--axes", "yzx", "--out", tmp_path / "slab.html").code == 0
    assert cli("stress", grid, "--axes", "yzx", "--json").code == 0


def test_axes_that_are_none_are_one_line(cli: Cli, grid: Path) -> None:
    done = cli("info", grid, "--axes", "zzz")
    assert done.code == 2 and "axes 'zzz' are not known; take one of xyz, xzy" in done.err
