"""From the rows or events that a text format of other tools lists to a build: the step that these formats share.

Whatever a row says to be empty is listed as such, and becomes a dug cell where it turns out to lie below the ground.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from minece.blocks.build import Build, Provenance
from minece.blocks.formats.ground import settled
from minece.blocks.formats.joints import Field, join_neighbours
from minece.blocks.formats.limits import Limits
from minece.blocks.formats.rows import last_rows, log_index, lowered, settle, states_of
from minece.blocks.formats.source import Source
from minece.blocks.grid import LIMIT, Cells
from minece.blocks.log import Log


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a file in its own coordinates.

    Attributes
    ----------
    cells : (n, 3) int32
    numbers : (n,) palette numbers, or ``AIR`` and ``UNTOUCHED`` of the rows module
    palette : canonical states
    ordered : whether the rows are the events of a log
    time : (n,) float64 seconds of the events where they are known
    who : who built, "" where it is not known
    """

    cells: Cells
    numbers: NDArray[np.int64]
    palette: list[str] = field(default_factory=list)
    ordered: bool = False
    time: NDArray[np.float64] | None = None
    who: str = ""

    @classmethod
    def of(cls, cells: Cells, states: list[str], where: str) -> Rows:
        """Rows from state texts. Raises :class:`FormatError` or :class:`StateError` naming the first wrong row."""
        palette: dict[str, int] = {}
        return cls(cells, states_of(states, where, palette), list(palette))


def joined(rows: Rows, limits: Limits, *, bare: NDArray[np.bool_] | None = None) -> Rows:
    """The rows with fences, panes, walls and stairs as the game joins them to their neighbours in the end.

    ``bare`` (n,) are the rows that do not say it themselves, None for all. Rows that lie too far apart for a box stay
    as they are.
    """
    here = last_rows(rows.cells)
    here = here[rows.numbers[here] >= 0]
    if not len(here):
        return rows
    cells = rows.cells[here].astype(np.int64)
    low = cells.min(axis=0)
    width, height, length = (cells.max(axis=0) - low + 1).tolist()
    if width * height * length > limits.cells:
        return rows
    x, y, z = (cells - low).T
    area = Field(np.zeros((height, length, width), dtype=np.uint16), ["air", *rows.palette])
    area.numbers[y, z, x] = rows.numbers[here] + 1
    join_neighbours(area, limits)
    numbers = rows.numbers.copy()
    numbers[here] = area.numbers[y, z, x].astype(np.int64) - 1
    if bare is not None:
        numbers = np.where(bare, numbers, rows.numbers)
    return replace(rows, numbers=numbers, palette=area.palette[1:])


def build_from_rows(
    rows: Rows, source: Source, provenance: Provenance, *, stored: int | None = None, told: str = ""
) -> Build:
    """The build that the rows tell of; the last row of a cell holds.

    ``stored`` is the height of the ground plane that the file names, ``told`` where it does so.
    """
    source.limits.most("rows", len(rows.cells), source.limits.blocks)
    known = source.wish.knows(stored)
    if known:
        ground, words = source.wish.choose(stored, None, None, told)
    else:
        ground, words = int(rows.cells[:, 1].max(initial=-LIMIT)) + 1, ""
    provenance = replace(provenance, ground=words)
    cells = lowered(rows.cells, ground)
    if rows.ordered:
        log = Log(cells, log_index(rows.numbers, "event"), tuple(rows.palette), rows.time, rows.who)
        build = Build.from_log(log, provenance=provenance)
    else:
        blocks, dug, twice = settle(cells, rows.numbers, rows.palette)
        if twice:
            words = f"{twice} cells were overruled by a later entry for the same cell"
            provenance = replace(provenance, warnings=(*provenance.warnings, words))
        build = Build(blocks, dug, None, 0, provenance)
    build = replace(build, ground_y=ground)
    source.deadline.check()
    return build if known else settled([build], source.wish)[0]
