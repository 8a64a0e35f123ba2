"""A build: finished blocks, dug cells, the log when it is known, the ground, and where it all came from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from minece.blocks.blockset import BlockSet, mirror_cells, turn_cells
from minece.blocks.errors import CoordinateError, LogError
from minece.blocks.grid import NO_CELLS, Cells, as_cells, difference, unique_cells
from minece.blocks.log import Event, Log
from minece.blocks.states import is_air


@dataclass(frozen=True)
class Provenance:
    """Where a build came from.

    ``ground`` says in words how the ground plane was chosen, ``ground_known`` whether the source or the user named it:
    where a reader guessed, writers leave it out, so that no guess becomes a fact. ``offset`` is the position of the
    file's own first cell in the world it was cut from and ``box`` its cells along x, y, z, air at its sides included,
    where the file tells; ``warnings`` are sentences for the user.
    """

    source: str = ""
    format: str = ""
    version: str = ""
    data_version: int | None = None
    offset: tuple[int, int, int] | None = None
    box: tuple[int, int, int] | None = None
    ground: str = ""
    ground_known: bool = True
    regions: int = 1
    author: str = ""
    name: str = ""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Build:
    """What was built. Cells are relative to the ground: the ground is the plane y = 0.

    Attributes
    ----------
    blocks : the finished blocks
    dug : (m, 3) int32, sorted, unique: cells below ground that hold neither soil nor a block
    log : ordered placements and removals of all turns so far, None where the order is not known
    ground_y : height of the ground plane in the coordinates of the source; writers add it back
    air : (k, 3) int32: cells from the ground upwards that the source says are empty, which would be dug cells if its
        ground lay higher; kept only where the ground is not known. None: all cells around the blocks
    """

    blocks: BlockSet
    dug: Cells = field(default_factory=lambda: NO_CELLS)
    log: Log | None = None
    ground_y: int = 0
    provenance: Provenance = field(default_factory=Provenance)
    air: Cells | None = field(default_factory=lambda: NO_CELLS)

    def __post_init__(self) -> None:
        dug = unique_cells(as_cells(self.dug))
        if len(dug) and dug[:, 1].max() >= 0:
            cell = dug[dug[:, 1] >= 0][0].tolist()
            raise CoordinateError(f"dug cell {cell} is not below the ground", mend="list only cells below ground")
        if len(dug):
            taken = self.blocks.contains(dug)
            if taken.any():
                raise LogError(
                    f"cell {dug[taken][0].tolist()} is dug and holds a block", mend="leave it out of one list"
                )
        object.__setattr__(self, "dug", dug)

    @classmethod
    def from_blocks(
        cls,
        blocks: Iterable[tuple[int, int, int, str]],
        *,
        dug: ArrayLike = (),
        ground_y: int = 0,
        provenance: Provenance | None = None,
    ) -> Self:
        """A build whose order is not known, from rows ``(x, y, z, state)``; the last row of a cell holds.

        ``ground_y`` is the height of the ground plane in these coordinates; ``dug`` lists cells dug below it, to
        which air below it is added. ``structure_void`` says nothing about its cell.
        """
        rows = list(blocks)
        found = BlockSet.from_blocks(rows)
        air = [row[:3] for row in rows if row[1] < ground_y and is_air(str(row[3]))]
        holes = np.concatenate([as_cells(dug), difference(as_cells(air), found.cells)])
        if ground_y:
            found = found.translated(0, -ground_y, 0)
            holes = as_cells(holes.astype(np.int64) - np.array([0, ground_y, 0]))
        return cls(found, holes, None, ground_y, provenance or Provenance(format="python", ground="given"))

    @classmethod
    def from_log(
        cls,
        events: Iterable[Event] | Log,
        *,
        dug: ArrayLike = (),
        ground_y: int = 0,
        provenance: Provenance | None = None,
    ) -> Self:
        """A build from its ordered log (see :data:`minece.blocks.log.Event`); the log is replayed.

        Rows and ``dug`` use the source's coordinates, in which the ground lies at ``ground_y``; a :class:`Log` and the
        ``dug`` given with it are relative to the ground already.
        """
        log = events if isinstance(events, Log) else Log.from_events(events, ground_y=ground_y)
        holes = as_cells(dug)
        if ground_y and len(holes) and not isinstance(events, Log):
            holes = as_cells(holes.astype(np.int64) - np.array([0, ground_y, 0]))
        blocks, left = log.replay(dug=holes)
        return cls(blocks, left, log, ground_y, provenance or Provenance(format="python", ground="given"))

    def then(self, events: Iterable[Event] | Log) -> Build:
        """The build after one more turn. Rows use the source's coordinates, a :class:`Log` is relative to the ground.

        Where the order of this build is not known, the order of the next one is not known either. Its ground is taken
        as known: the rows were written for it.
        """
        log = events if isinstance(events, Log) else Log.from_events(events, ground_y=self.ground_y)
        blocks, dug = log.replay(self.blocks, self.dug)
        whole = self.log.then(log) if self.log is not None else None
        provenance = replace(self.provenance, ground_known=True)
        return replace(self, blocks=blocks, dug=dug, log=whole, provenance=provenance, air=NO_CELLS)

    @classmethod
    def from_turns(cls, turns: Sequence[Iterable[Event]], *, ground_y: int = 0) -> list[Build]:
        """One build per turn from one log per turn."""
        out: list[Build] = []
        for events in turns:
            out.append(out[-1].then(events) if out else cls.from_log(events, ground_y=ground_y))
        return out

    def __eq__(self, other: object) -> bool:
        """Equal blocks, dug cells and ground; log, provenance and air do not count."""
        if not isinstance(other, Build):
            return NotImplemented
        return self.blocks == other.blocks and np.array_equal(self.dug, other.dug) and self.ground_y == other.ground_y

    def __hash__(self) -> int:
        return hash((self.blocks, self.dug.tobytes(), self.ground_y))

    def __repr__(self) -> str:
        order = "order unknown" if self.log is None else f"{len(self.log)} events"
        return f"Build({self.blocks!r}, {len(self.dug)} dug, {order})"

    @cached_property
    def id(self) -> str:
        """Content digest: 32 hex digits over blocks and dug cells, moved to least x = least z = 0.

        Heights count from the ground, states are canonical, the log does not count: the same build has one id in
        every file format and wherever it stands.
        """
        both = [cells for cells in (self.blocks.cells, self.dug) if len(cells)]
        low = np.min([cells.min(axis=0) for cells in both], axis=0) if both else np.zeros(3, dtype=np.int32)
        low[1] = 0
        digest = hashlib.sha256(b"minece-build/1\0")
        for part in self.blocks.palette:
            digest.update(part.encode("utf-8", "surrogatepass") + b"\n")
        for array in (self.blocks.cells - low, self.blocks.index, self.dug - low):
            digest.update(len(array).to_bytes(8, "little"))
            digest.update(np.ascontiguousarray(array, dtype="<i4").tobytes())
        return digest.hexdigest()[:32]

    def translated(self, dx: int, dz: int) -> Build:
        """Moved in plan; the ground stays."""
        return self._moved(
            self.blocks.translated(dx, 0, dz),
            lambda cells: as_cells(cells + np.array([dx, 0, dz])),
            None if self.log is None else self.log.translated(dx, 0, dz),
        )

    def turned(self, quarters: int) -> Build:
        """Turned by quarter turns, clockwise seen from above, with all states."""
        return self._moved(
            self.blocks.turned(quarters),
            lambda cells: turn_cells(cells, quarters),
            None if self.log is None else self.log.turned(quarters),
        )

    def mirrored(self, axis: str) -> Build:
        """Mirrored along x or z, with all states."""
        return self._moved(
            self.blocks.mirrored(axis),
            lambda cells: mirror_cells(cells, axis),
            None if self.log is None else self.log.mirrored(axis),
        )

    def _moved(self, blocks: BlockSet, move: Callable[[Cells], Cells], log: Log | None) -> Build:
        air = None if self.air is None else move(self.air)
        return replace(self, blocks=blocks, dug=move(self.dug), log=log, air=air)
