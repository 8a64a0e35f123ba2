"""What MINDcraft's agents are given to build: blueprints of construction tasks, and constructions of its villagers.

A file of tasks maps each task's name to an object whose ``blueprint`` holds ``levels``; each level has the
``coordinates`` of its north-western cell and its ``placement``, rows along z of names along x. A blueprint alone, or a
task alone, is read too. The first level stands on the ground. ::

    {"pyramid": {"blueprint": {"levels": [{"level": 0, "coordinates": [-60, -60, 6],
                                           "placement": [["stone", "air"], ["", "stone"]]}, …]}, …}, …}

A construction has ``blocks`` by y, z and x and an ``offset``, the height of its lowest layer above the ground. ::

    {"name": "small_wood_house", "offset": -1, "blocks": [[["planks", ""], …], …]}

"air" is a cell to be cleared; an empty name or null says nothing. Names stand without properties. What the game would
work out when such a block is placed is worked out here from its neighbours: halves of doors and beds, the wall that a
torch or ladder hangs on, what fences, panes and walls are joined to. Names without a kind of wood or a colour (planks,
door, bed) become oak and white, which MINDcraft takes where the agent has nothing else. Goals, agents and lists of
materials are not kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from minece.blocks.build import Build, Provenance
from minece.blocks.errors import FormatError
from minece.blocks.formats.bare_names import placed
from minece.blocks.formats.limits import Tally
from minece.blocks.formats.listed import Rows, build_from_rows, joined
from minece.blocks.formats.rows import cells_of, shown, states_of
from minece.blocks.formats.source import Document, Run, Source, held
from minece.blocks.grid import LIMIT, Mask, as_cells

_Cell = tuple[int, int, int]

_OF_WOOD = frozenset(
    "button door fence fence_gate log planks pressure_plate sign slab stairs trapdoor wood".split()
)  # of these MINDcraft takes the kind that the agent has
_MEND = "write it as MINDcraft does"


def sniff(source: Source) -> bool:
    """Whether a text is a JSON object that holds a blueprint or a construction."""
    if not source.is_text or source.first != "{":
        return False
    value = source.json
    return isinstance(value, dict) and (_is_construction(value) or _is_blueprint(value) or bool(_tasks(value)))


def _is_construction(value: dict[str, Any]) -> bool:
    blocks = value.get("blocks")
    return "offset" in value and isinstance(blocks, list) and (not blocks or isinstance(blocks[0], list))


def _is_blueprint(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("levels"), list):
        return False
    return all(isinstance(level, dict) and "placement" in level for level in value["levels"][:1])


def _tasks(value: dict[str, Any]) -> dict[str, Any]:
    """Name → blueprint of each task; of a task alone, its own."""
    if "blueprint" in value:
        return {"": value["blueprint"]}
    return {name: task["blueprint"] for name, task in value.items() if isinstance(task, dict) and "blueprint" in task}


def read(source: Source) -> Document:
    """One run for each blueprint. Raises :class:`FormatError` naming the place, :class:`LimitError`."""
    value = source.json
    if _is_construction(value):
        return Document("construction", [_run(_construction(value, source))])
    tally = Tally(source.limits, source.deadline)
    tasks = {"": value} if _is_blueprint(value) else _tasks(value)
    runs = []
    for name, blueprint in tasks.items():
        build = _blueprint(blueprint, name, source)
        tally.turn(held(build))
        runs.append(_run(build))
    return Document("blueprint", runs)


def _run(build: Build) -> Run:
    return Run(build.provenance.name, [build])


class _Names(dict[object, int]):
    """Numbers of names in the order in which they come; -1 for those that say nothing."""

    def __init__(self) -> None:
        super().__init__({None: -1, "": -1})
        self.names: list[str] = []
        self.generic: set[str] = set()

    def __missing__(self, name: object) -> int:
        if type(name) is not str:
            raise TypeError
        bare = name.removeprefix("minecraft:")
        if bare in _OF_WOOD or bare == "bed":
            self.generic.add(bare)
            bare = ("white_" if bare == "bed" else "oak_") + bare
        self.names.append(bare)
        self[name] = len(self.names) - 1
        return self[name]


@dataclass(slots=True)
class _Grid:
    """Names by cell, as they are read; ``low`` and ``high`` are the ends of all rows, those that say nothing too."""

    numbers: _Names = field(default_factory=_Names)
    rows: list[tuple[_Cell, list[int]]] = field(default_factory=list)
    cells: int = 0
    low: _Cell = (LIMIT, LIMIT, LIMIT)
    high: _Cell = (-LIMIT, -LIMIT, -LIMIT)

    def layer(self, rows: Any, corner: _Cell, where: str, source: Source) -> None:
        """Take one layer of names."""
        x, y, z0 = corner
        if not isinstance(rows, list):
            raise FormatError(f"is {shown(rows)}, not rows of names", where=where, mend=_MEND)
        for z, row in enumerate(rows, z0):
            if not z & 0xFFF:
                source.deadline.check()
            if not isinstance(row, list):
                raise FormatError(f"is {shown(row)}, not a row of names", where=f"{where}[{z - z0}]", mend=_MEND)
            try:
                self.rows.append(((x, y, z), [self.numbers[name] for name in row]))
            except TypeError:
                wrong = next(i for i, name in enumerate(row) if name is not None and type(name) is not str)
                place = f"{where}[{z - z0}][{wrong}]"
                raise FormatError(f"is {shown(row[wrong])}, not a name", where=place, mend=_MEND) from None
            self.cells += len(row)
            self.low = (min(self.low[0], x), min(self.low[1], y), min(self.low[2], z))
            self.high = (max(self.high[0], x + len(row) - 1), max(self.high[1], y), max(self.high[2], z))
        source.limits.most("cells", self.cells, source.limits.blocks, where=where)
        source.limits.most("different names", len(self.numbers.names), source.limits.palette, where=where)
        source.deadline.check()

    def build(self, source: Source, kind: str, name: str, *, stored: int | None, told: str) -> Build:
        """The build that the names tell of."""
        provenance = Provenance(format=kind, name=name)
        if self.rows:
            width, height, length = (high - low + 1 for low, high in zip(self.low, self.high, strict=True))
            provenance = replace(provenance, box=(width, height, length))
        if generic := sorted(self.numbers.generic):
            words = f"names without a kind of wood or a colour, taken as oak and white: {', '.join(generic)}"
            provenance = replace(provenance, warnings=(words,))
        rows, bare = self._said()
        source.deadline.check()
        rows = joined(rows, source.limits, bare=bare)
        return build_from_rows(rows, source, provenance, stored=stored, told=told)

    def _said(self) -> tuple[Rows, Mask]:
        """The cells of which something is said, and which of them stand without properties."""
        numbers = np.concatenate([np.array(row, dtype=np.int64) for _, row in self.rows] or [np.empty(0, np.int64)])
        lengths = np.array([len(row) for _, row in self.rows], dtype=np.int64)
        corners = np.array([corner for corner, _ in self.rows], dtype=np.int64).reshape(-1, 3)
        cells = np.repeat(corners, lengths, axis=0)
        cells[:, 0] += np.arange(len(cells)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        said = numbers >= 0
        places = as_cells(cells[said])
        found, names = placed(places, numbers[said], self.numbers.names)
        palette: dict[str, int] = {}
        rows = Rows(places, states_of(names, "names", palette)[found], list(palette))
        bare = np.array(["[" not in name for name in self.numbers.names], dtype=np.bool_)
        return rows, bare[numbers[said]]


def _blueprint(value: Any, name: str, source: Source) -> Build:
    place = f"{name}.levels" if name else "levels"
    levels = value.get("levels") if isinstance(value, dict) else None
    if not isinstance(levels, list) or not levels:
        raise FormatError("lists no levels", where=place, mend=_MEND)
    grid = _Grid()
    ground: int | None = None
    for number, level in enumerate(levels):
        where = f"{place}[{number}]"
        low = level.get("coordinates") if isinstance(level, dict) else None
        if not isinstance(low, list) or len(low) != 3:
            raise FormatError("has no coordinates [x, y, z]", where=where, mend=_MEND)
        corner = cells_of([[value] for value in low], f"{where}.coordinates")[0].tolist()
        ground = corner[1] if ground is None else min(ground, corner[1])
        grid.layer(level.get("placement"), (corner[0], corner[1], corner[2]), f"{where}.placement", source)
    told = "on which the lowest level of the blueprint stands"
    return grid.build(source, "blueprint", name, stored=ground, told=told)


def _construction(value: dict[str, Any], source: Source) -> Build:
    offset = value["offset"]
    low = int(cells_of([[0], [offset], [0]], "offset")[0][1])
    name = value.get("name", "")
    grid = _Grid()
    for number, layer in enumerate(value["blocks"]):
        grid.layer(layer, (0, low + number, 0), f"blocks[{number}]", source)
    told = "from which the offset of the construction counts"
    return grid.build(source, "construction", name if isinstance(name, str) else "", stored=0, told=told)
