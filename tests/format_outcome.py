"""What reading a file may come to, whatever its bytes are: a build that is in order, or one line."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from minece.blocks import Build, formats
from minece.blocks.errors import MineceError
from minece.blocks.grid import LIMIT
from minece.blocks.states import EMPTIES, canonical_state, material_of
from minece.commands.info import describe
from minece.results import to_line

SECONDS = 5.0
MEGABYTES = 1000
_MOST_BLOCKS = 20_000
_MOST_CELLS = 200_000

WRITERS = [form for form in formats.FORMATS if form.write is not None]


def peak_megabytes() -> int:
    """The most memory that this process has held since the last :func:`forget_peak`; 0 where that is not known."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return 0
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) // 1024


def forget_peak() -> None:
    """Count the memory anew from what is held now."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass


def read(data: bytes, *, told: bool = False, **options: Any) -> formats.Document | str:
    """What the bytes hold, in order, or the line that says why they are not read; ``told`` looks at what `minece info`
    says of it too.

    Fails for any other exception, for a line that is none, and for a read that takes too long or too much memory.
    """
    forget_peak()
    begin = time.process_time()
    try:
        found: formats.Document | str = formats.read(data, name="file", **options)
    except MineceError as error:
        found = check_line(str(error), "file: ")
    seconds, peak = time.process_time() - begin, peak_megabytes()
    assert seconds < SECONDS, f"took {seconds:.1f} s"
    assert peak < MEGABYTES, f"took {peak} MB"
    if isinstance(found, str):
        return found
    assert found.runs and all(run.turns for run in found.runs)
    for run in found.runs[:4]:
        for build in run.turns[:4]:
            check_build(build)
        held = run.turns[-1]
        if told and len(held.blocks) + len(held.dug) + len(held.air if held.air is not None else ()) <= _MOST_BLOCKS:
            # Names from files get into what is shown and kept.
            to_line(describe(run.turns, name="file")).encode()
    return found


def check_line(line: str, start: str) -> str:
    """The line, which is one, can be printed and says where."""
    assert line.startswith(start), line
    assert line.isprintable() and len(line) <= 1000, line
    line.encode()
    return line


def check_build(build: Build) -> None:
    """Cells in order and within bounds, canonical states that are used, a log that leads to the blocks."""
    blocks, far = build.blocks, 2 * LIMIT
    check_cells(blocks.cells, far)
    check_cells(build.dug, far)
    assert not len(build.dug) or int(build.dug[:, 1].max()) < 0
    assert not len(build.dug) or not blocks.contains(build.dug).any()
    assert abs(build.ground_y) <= far and type(build.ground_y) is int
    assert list(blocks.palette) == sorted(set(blocks.palette))
    assert blocks.index.dtype == np.int32 and len(blocks.index) == len(blocks.cells)
    assert np.array_equal(np.unique(blocks.index), np.arange(len(blocks.palette)))
    for state in blocks.palette:
        assert canonical_state(state) == state and material_of(state) not in EMPTIES, state
    if build.air is not None:
        assert build.air.dtype == np.int32 and build.air.shape == (len(build.air), 3)
        assert not len(build.air) or (int(build.air[:, 1].min()) >= 0 and not blocks.contains(build.air).any())
    if build.log is not None and len(build.log) <= _MOST_BLOCKS:
        assert build.log.replay()[0] == blocks or build.log.first
    assert all(isinstance(words, str) and words for words in build.provenance.warnings)
    assert len(build.id) == 32


def check_cells(cells: Any, far: int) -> None:
    """(n, 3) int32, sorted, each once, within bounds."""
    assert cells.dtype == np.int32 and cells.shape == (len(cells), 3)
    if len(cells):
        assert int(np.abs(cells.astype(np.int64)).max()) <= far
        rows = [tuple(row) for row in cells[:_MOST_BLOCKS].tolist()]
        assert rows == sorted(set(rows))


def check_written(turns: list[Build], form: formats.Format, folder: Path) -> None:
    """Written in a format and read again the build is the same; what a format cannot hold is refused in one line.

    A ground that had to be guessed is not written: it is named when the file is read.
    """
    last = turns[-1]
    empty = last.dug if last.air is None else np.concatenate([last.dug, last.air])
    cells = np.concatenate([last.blocks.cells, empty]).astype(np.int64)
    if len(cells) > _MOST_BLOCKS or abs(last.ground_y) > LIMIT:
        return
    room = int(np.prod((np.ptp(cells, axis=0) + 1).astype(float))) if len(cells) else 1
    if room > _MOST_CELLS and form.name not in ("json", "csv", "structure"):
        return
    path = folder / "back"
    wanted = turns if form.turns else turns[-1:]
    try:
        formats.write(wanted, path, format=form.name)
    except MineceError as error:
        assert form.name != "json", str(error)
        check_line(str(error), f"{path}: ")
        assert not os.path.exists(path)
        return
    found = formats.read(path, ground=None if last.provenance.ground_known else last.ground_y)
    path.unlink()
    back = found.runs[0].turns
    assert back == wanted, f"comes back from {form.name} as {back[-1]!r}, not {wanted[-1]!r}"
    assert back[-1].id == wanted[-1].id


_READER = """
import resource, sys, time
resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
from minece.blocks import formats
from minece.blocks.errors import MineceError
begin = time.process_time()
try:
    result = repr(formats.read(sys.argv[1]).runs[-1].build)
except MineceError as error:
    result = type(error).__name__ + ": " + str(error)
seconds = time.process_time() - begin
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(f"{seconds:.2f} {peak // 1024} {result}")
"""


def read_apart(path: Path) -> tuple[float, int, str]:
    """Processor seconds, peak memory in MB and outcome of one read, in a process of its own (Linux)."""
    done = subprocess.run([sys.executable, "-c", _READER, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    seconds, peak, result = done.stdout.split(" ", 2)
    return float(seconds), int(peak), result
