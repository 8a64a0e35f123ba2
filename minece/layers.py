"""Builds drawn in letters, layer by layer, with the rooms that were judged and the cells at fault.

A drawing is a list of lines of :class:`rich.text.Text`; as plain text it says the same without colour. Each layer is
a map: north is up, x grows to the east, z to the south.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from textwrap import wrap

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from minece.blocks import Cells, Mask
from minece.blocks.catalogue import StateInfo, Substance, materials
from minece.blocks.states import split_state
from minece.checkers.rooms import STOREY, Room
from minece.checkers.scene import Scene
from minece.checkers.space import Flat
from minece.checkers.stepping import BLOCK, CLIMBED
from minece.checkers.verdict import Verdict
from minece.checkers.walker import FLUSH
from minece.checkers.wording import count, listed

MOST_LAYERS = 16
"""How many layers of a build are drawn."""
MOST_CELLS = 20_000
"""How many cells of a build are drawn, if more than one layer is."""
MOST_SIDE = 200
"""How many cells wide and deep a layer is drawn."""
MOST_LISTED = 12
"""How many rooms of a storey are listed."""

_GAP = 3  # columns between layers that stand side by side
_FAULT = "bold white on red"
_ROOM_STYLES = ("green", "cyan", "yellow", "magenta", "blue")
_SKIPPED = -1


class Sign(IntEnum):
    """What a cell shows."""

    EMPTY = 0
    BLOCK = 1
    OTHER = 2
    LOW = 3
    FENCE = 4
    GLASS = 5
    LEAVES = 6
    NORTH = 7
    EAST = 8
    SOUTH = 9
    WEST = 10
    CLIMB = 11
    DOOR = 12
    GATE = 13
    TRAPDOOR = 14
    DOORWAY = 15
    WINDOW = 16
    HOLE = 17
    FLUE = 18
    BED = 19
    FURNITURE = 20
    SMALL = 21
    FLUID = 22
    SOIL = 23
    GAP = 24
    COVERED = 25
    BREAK = 26


# Sign, its letter, its colour, and what the legend says of it.
_SIGNS = {
    Sign.EMPTY: (" ", "", ""),
    Sign.BLOCK: ("#", "", "block"),
    Sign.OTHER: ("%", "", "part of a block"),
    Sign.LOW: ("_", "", "slab or carpet"),
    Sign.FENCE: ("+", "", "fence or wall block"),
    Sign.GLASS: ("=", "bright_cyan", "glass or bars"),
    Sign.LEAVES: ("&", "green", "leaves"),
    Sign.NORTH: ("^", "bright_yellow", ""),
    Sign.EAST: (">", "bright_yellow", ""),
    Sign.SOUTH: ("v", "bright_yellow", ""),
    Sign.WEST: ("<", "bright_yellow", ""),
    Sign.CLIMB: ("H", "bright_yellow", "ladder or vine"),
    Sign.DOOR: ("D", "bold bright_yellow", "door"),
    Sign.GATE: ("G", "bold bright_yellow", "fence gate"),
    Sign.TRAPDOOR: ("T", "bright_yellow", "trapdoor"),
    Sign.DOORWAY: ("d", "bold bright_yellow", "doorway without a door"),
    Sign.WINDOW: ("o", "bright_cyan", "opening in a wall"),
    Sign.HOLE: ("O", "bright_yellow", "hole in a floor"),
    Sign.FLUE: ("u", "dim", "chimney"),
    Sign.BED: ("b", "bright_magenta", "bed"),
    Sign.FURNITURE: ("f", "bright_magenta", "stands in a room"),
    Sign.SMALL: ("'", "dim", "torch, sign, plant or the like"),
    Sign.FLUID: ("~", "bright_blue", "water or lava"),
    Sign.SOIL: (".", "dim", "soil"),
    Sign.GAP: ("-", "dim", "closed gap, no room for anybody"),
    Sign.COVERED: (",", "dim", "under a roof, no room"),
    Sign.BREAK: ("/", "dim", "stretch without blocks, left out"),
}
_STAIRS = {"north": Sign.NORTH, "east": Sign.EAST, "south": Sign.SOUTH, "west": Sign.WEST}
_ABOUT_ROOMS = {"rooms", "doors", "exits", "storeys", "reachable", "adjacent", "ceiling_heights"}
_STAND_ABOUT = (Sign.BLOCK, Sign.OTHER, Sign.LOW, Sign.FENCE, Sign.LEAVES, Sign.GLASS)
_KINDS = {"room": " ", "passage": ":", "closed": "x"}
_GROUPS = (
    (materials("#doors"), Sign.DOOR),
    (materials("#fence_gates"), Sign.GATE),
    (materials("#trapdoors"), Sign.TRAPDOOR),
    (materials("#beds"), Sign.BED),
    (materials("#glass, #glass_panes, #stained_glass, #bars"), Sign.GLASS),
    (materials("#fences, #walls"), Sign.FENCE),
    (CLIMBED, Sign.CLIMB),
)


def draw(scene: Scene, verdicts: Sequence[Verdict], width: int) -> list[Text]:
    """A build's layers as lines of at most ``width`` columns (at least 40).

    ``verdicts`` are those over this build: the cells at fault of those that failed are marked. Where rooms and ways
    were judged: of each storey a section through the feet of somebody who stands on its floor, one a block higher where
    that shows more, and all layers with cells at fault. Else every layer, those that are equal and lie on one another
    once. Lines tell what is left out.

    Raises :class:`minece.checkers.RuleError` for blocks that are too scattered to lay out.
    """
    if not len(scene.blocks) and not len(scene.dug):
        return [Text("layers: nothing is built")]
    return list(_Drawing(scene, verdicts, max(width, 40)).lines())


@dataclass(frozen=True, eq=False)
class _Layer:
    """A layer, or several equal ones: (rows, columns) arrays. ``rank`` says what goes first when not all are drawn."""

    levels: tuple[int, ...]  # indexes along y
    signs: NDArray[np.uint8]
    rooms: NDArray[np.int64]
    fault: Mask
    rank: tuple[int, ...] = (0,)
    note: str = ""

    def same(self, other: _Layer) -> bool:
        pairs = ((self.signs, other.signs), (self.rooms, other.rooms), (self.fault, other.fault))
        return all(np.array_equal(one, two) for one, two in pairs)


@dataclass(frozen=True, eq=False)
class _Group:
    """Layers under one heading, with the rooms that lie in them."""

    heading: str
    layers: list[_Layer]
    rooms: tuple[Room, ...] = ()


class _Drawing:
    def __init__(self, scene: Scene, verdicts: Sequence[Verdict], width: int) -> None:
        self.scene = scene
        self.space = scene.space
        self.width = width
        self.rooms: tuple[Room, ...] = scene.interior.rooms
        self.floors = self._floors() if any(verdict.rule in _ABOUT_ROOMS for verdict in verdicts) else []
        self.looked_at: set[int] = set()
        self.table = np.array([*(_sign(info) for info in self.space.table.info), Sign.EMPTY, Sign.SOIL], dtype=np.uint8)
        failed = [verdict for verdict in verdicts if verdict.status == "fail" and len(verdict.cells)]
        self.general = [v.rule for v in failed if _is_all(v.cells, scene.cells)]
        self.at_fault = [v.rule for v in failed if not _is_all(v.cells, scene.cells)]
        cells = [v.cells for v in failed if not _is_all(v.cells, scene.cells)]
        self.fault, self.strayed = self._inside(np.concatenate(cells) if cells else scene.cells[:0])
        self.columns, self.cut_columns = self._along(0)
        self.rows, self.cut_rows = self._along(2)
        self.gutter = max(3, *(len(str(self.space.axes[2][row])) for row in self.rows if row >= 0))
        digits = len(str(len(self.rooms)))
        self.cell = digits + 1
        self.letters = np.array([list(letter * self.cell) for letter, _, _ in _SIGNS.values()])
        self.letters[[Sign.SMALL, Sign.COVERED], 1:] = " "
        shown = [f"{room.number:<{digits}}{_KINDS[room.kind]}" for room in self.rooms]
        self.numbers = np.array([list(text) for text in ["?" * self.cell, *shown]])
        self.used: set[int] = set()

    def _inside(self, cells: Cells) -> tuple[Flat, int]:
        """Flat numbers of the cells that lie in the space, and how many do not."""
        here = np.ones(len(cells), dtype=np.bool_)
        for axis, along in zip(self.space.axes, cells.T, strict=True):
            here &= np.isin(along, axis)
        return np.unique(self.space.flat(cells[here])), int(len(cells) - here.sum())

    def _along(self, axis: int) -> tuple[NDArray[np.int64], tuple[int, int] | None]:
        """Indexes along x or z of what is drawn, with ``_SKIPPED`` where a stretch is left out, and the first and the
        last coordinate of what is cut off, if anything is."""
        coordinates = self.space.axes[axis]
        held = np.concatenate([self.scene.cells[:, axis], self.scene.dug[:, axis], self._places(self.fault)[axis]])
        low, high = np.searchsorted(coordinates, [held.min(), held.max()]).tolist()
        last = min(high, low + MOST_SIDE - 1)
        cut = (int(coordinates[last + 1]), int(coordinates[high])) if last < high else None
        indexes = np.arange(low, last + 1)
        jumps = np.flatnonzero(np.diff(coordinates[low : last + 1]) > 1) + 1
        return np.insert(indexes, jumps, _SKIPPED), cut

    def _places(self, flat: Flat) -> NDArray[np.int32]:
        """(3, k): the true coordinates of flat numbers."""
        return self.space.cells(flat).T

    # What the layers are.

    def lines(self) -> Iterator[Text]:
        groups = list(self._groups())
        chosen = self._chosen([layer for group in groups for layer in group.layers])
        yield Text("layers: north up, x east, z south", style="bold")
        for group in groups:
            yield from self._group(replace(group, layers=[layer for layer in group.layers if id(layer) in chosen]))
        yield Text()
        yield from self._legend()
        yield from self._left_out([layer for group in groups for layer in group.layers if id(layer) in chosen])

    def _groups(self) -> Iterator[_Group]:
        if not self.floors:
            held = self.space.axes[1]
            heights = [self.scene.cells[:, 1], self.scene.dug[:, 1], self._places(self.fault)[1]]
            lowest = min(int(y.min()) for y in heights if len(y))
            highest = max(int(y.max()) for y in heights if len(y))
            levels = range(*np.searchsorted(held, [lowest, highest + 1]).tolist())
            self.looked_at.update(levels)
            yield _Group("", _ranked(self._merged(self._layer(level) for level in levels)), self.rooms)
            return
        for heading, heights, rooms in self.floors:
            yield _Group(heading, self._sections(heights), rooms)
        others = [self._layer(level, rank=(1, level)) for level in sorted(self._levels_at_fault - self.looked_at)]
        if others:
            yield _Group("other layers with cells at fault", self._merged(others))

    @cached_property
    def _levels_at_fault(self) -> set[int]:
        return set(self._split(self.fault)[1].tolist())

    def _floors(self) -> list[tuple[str, list[int], tuple[Room, ...]]]:
        """Of each storey, from the lowest: its heading, the heights of its floors in sixteenths, its rooms."""
        out: list[tuple[set[int], tuple[Room, ...]]] = []
        free = {int(self.scene.walker.height[floor].min()) for floor in self.scene.storeys.largest}
        for storey in sorted({room.storey for room in self.rooms}):
            rooms = tuple(room for room in self.rooms if room.storey == storey)
            heights = {room.level for room in rooms}
            base = min(heights)
            mine = {height for height in free if base <= height < base + STOREY}
            free -= mine
            heights |= mine
            out.append((heights, rooms))
        # Floors one above another without rooms of their own stand under one heading.
        for height in sorted(free):
            between = [heights for heights, rooms in out if min(heights) < height]
            last = max(between, key=min, default=None)
            if last is not None and not any(heights is last and rooms for heights, rooms in out):
                last.add(height)
            else:
                out.append(({height}, ()))
        return [(self._heading(heights, rooms), sorted(heights), rooms) for heights, rooms in sorted(out, key=_lowest)]

    def _heading(self, heights: set[int], rooms: Sequence[Room]) -> str:
        shown = listed([f"{self.space.height(height):g}" for height in sorted(heights)])
        text = f"{'floor' if len(heights) == 1 else 'floors'} at height {shown}"
        return f"storey {rooms[0].storey}, {text}" if rooms else text

    def _sections(self, heights: list[int]) -> list[_Layer]:
        """The layers through the feet of who stands on floors and, where they show more, through heads; of floors of
        slabs also that of the slabs."""
        notes: dict[int, str] = {}
        first = set()
        for level, foot in (divmod(height, BLOCK) for height in heights):
            parts = ("feet", "head") if foot <= FLUSH else ("floor", "feet", "head")
            notes[level] = parts[0]
            first.add(level)
            for up, part in enumerate(parts[1:], 1):
                notes.setdefault(level + up, part)
        self.looked_at.update(notes)
        out = []
        below: _Layer | None = None
        for level, note in sorted(notes.items()):
            layer = self._layer(level, rank=(0 if level in first else 2, level), note=note)
            if below is None or level in first or _shows_more(below, layer):
                out.append(layer)
            below = layer
        return out

    def _layer(self, level: int, *, rank: tuple[int, ...] = (0,), note: str = "") -> _Layer:
        state = self.space.state[:, level].T
        signs = self.table[state]
        rooms = np.zeros(signs.shape, dtype=np.int64)
        if self.rooms or self.floors:
            self._indoors(level, state == self.space.air, signs, rooms)
        fault = np.zeros(signs.shape, dtype=np.bool_)
        x, y, z = self._split(self.fault)
        here = y == level
        fault[z[here], x[here]] = True
        frame = np.ix_(self.rows, self.columns)
        signs, rooms, fault = signs[frame], rooms[frame], fault[frame]
        for skipped in (np.ix_(self.rows == _SKIPPED), np.ix_(np.full(len(self.rows), True), self.columns == _SKIPPED)):
            signs[skipped], rooms[skipped], fault[skipped] = Sign.BREAK, 0, False
        return _Layer((level,), signs, rooms, fault, rank, note)

    def _indoors(self, level: int, air: Mask, signs: NDArray[np.uint8], rooms: NDArray[np.int64]) -> None:
        """Put room numbers, openings and furniture into a layer."""
        enclosure = self.scene.enclosure
        if self.floors:
            signs[air & enclosure.covered[:, level].T] = Sign.COVERED
        openings = enclosure.openings
        for mask, sign in ((openings.walls, Sign.WINDOW), (openings.floors, Sign.HOLE), (openings.flues, Sign.FLUE)):
            signs[mask[:, level].T & air] = sign
        here = self._split(self._open_doorways)
        x, z = (along[here[1] == level] for along in (here[0], here[2]))
        signs[z, x] = np.where(air[z, x], Sign.DOORWAY, signs[z, x])
        volume = enclosure.volume[:, level].T
        number = np.zeros(enclosure.count + 1, dtype=np.int64)
        for room in self.rooms:
            number[room.volume] = room.number
        inside = air & (volume > 0)
        rooms[inside] = number[volume[inside]]
        signs[inside & (rooms == 0)] = Sign.GAP
        stairwell = inside & openings.floors[:, level - 1].T
        rooms[stairwell], signs[stairwell] = 0, Sign.HOLE
        flat, of = self._floor_cells
        x, y, z = self._split(flat)
        for above in (0, 1):
            mine = y == level - above
            i, j = z[mine], x[mine]
            sign, numbers = signs[i, j], of[mine]
            stands = np.isin(sign, _STAND_ABOUT)
            if not above:
                flush = self._flush[mine] & (sign == Sign.LOW)
                rooms[i[flush], j[flush]] = numbers[flush]
                stands &= ~flush
            signs[i[stands], j[stands]] = Sign.FURNITURE

    @cached_property
    def _open_doorways(self) -> Flat:
        ways = [way.cells for way in self.scene.interior.doorways if not way.door]
        return self.space.flat(np.concatenate(ways)) if ways else np.empty(0, dtype=np.int64)

    @cached_property
    def _floor_cells(self) -> tuple[Flat, NDArray[np.int64]]:
        """Flat numbers of the cells above all floors, and the room of each."""
        flat = self.space.flat(np.concatenate([self.scene.cells[:0], *(room.floor for room in self.rooms)]))
        areas = np.array([room.area for room in self.rooms], dtype=np.int64)
        return flat, np.repeat(np.arange(1, len(areas) + 1), areas)

    @cached_property
    def _flush(self) -> Mask:
        """Which of the floors' cells are themselves trodden on at the floor's level: slabs and carpets."""
        flat, of = self._floor_cells
        walker = self.scene.walker
        footing = walker.number.reshape(-1)[flat]
        level = np.array([room.level for room in self.rooms], dtype=np.int64)[of - 1]
        flush: Mask = (footing >= 0) & (np.abs(walker.height[footing] - level) <= FLUSH)
        return flush

    def _split(self, flat: Flat) -> tuple[Flat, Flat, Flat]:
        across, along, _ = self.space.strides
        return flat // across, flat // along % self.space.shape[1], flat % along

    def _merged(self, layers: Iterable[_Layer]) -> list[_Layer]:
        """Equal layers right above one another as one."""
        out: list[_Layer] = []
        heights = self.space.axes[1]
        for layer in layers:
            last = out[-1] if out else None
            (level,) = layer.levels
            if last is not None and heights[level] == heights[last.levels[-1]] + 1 and last.same(layer):
                out[-1] = replace(last, levels=(*last.levels, level))
            else:
                out.append(layer)
        return out

    def _chosen(self, layers: list[_Layer]) -> set[int]:
        size = len(self.rows) * len(self.columns)
        most = min(MOST_LAYERS, max(1, MOST_CELLS // size))
        return {id(layer) for layer in sorted(layers, key=lambda layer: layer.rank)[:most]}

    # How they are drawn.

    def _group(self, group: _Group) -> Iterator[Text]:
        if not group.layers:
            return
        if group.heading:
            yield Text()
            yield from (Text(line, style="bold") for line in wrap(group.heading, self.width))
        pictures = [picture for layer in group.layers for picture in self._pictures(layer)]
        for row in _side_by_side(pictures, self.width):
            yield Text()
            yield from row
        if group.rooms:
            yield Text()
            yield from self._listed(group.rooms)

    def _pictures(self, layer: _Layer) -> Iterator[list[Text]]:
        """A layer in strips as wide as the lines allow."""
        self.used.update(np.unique(layer.signs[layer.rooms == 0]).tolist())
        across = (self.width - self.gutter - 1) // self.cell
        strips = -(-len(self.columns) // across)
        across = -(-len(self.columns) // strips)
        for first in range(0, len(self.columns), across):
            part = slice(first, first + across)
            title = f"y = {self._levels(layer.levels)}" + (f", {layer.note}" if layer.note else "")
            if strips > 1:
                kept = self.columns[part][self.columns[part] >= 0]
                title += f", x = {_range(self.space.axes[0][kept[0]], self.space.axes[0][kept[-1]])}"
            yield [Text(title), self._labels(self.columns[part]), *self._rows(layer, part)]

    def _levels(self, levels: Sequence[int]) -> str:
        heights = self.space.axes[1]
        return _range(heights[levels[0]], heights[levels[-1]])

    def _labels(self, columns: NDArray[np.int64]) -> Text:
        """The line of x coordinates: at the first column, at every fifth and after each break, as far as they fit."""
        line = "z\\x".rjust(self.gutter) + " "
        fives = [
            place
            for place, column in enumerate(columns.tolist())
            if column >= 0 and (self.space.axes[0][column] % 5 == 0 or not place or columns[place - 1] < 0)
        ]
        for at, place in enumerate(fives):
            start = self.gutter + 1 + self.cell * place
            label = str(self.space.axes[0][columns[place]])
            after = self.gutter + 1 + self.cell * fives[at + 1] if at + 1 < len(fives) else start + len(label) + 1
            if start >= len(line) and start + len(label) < after:
                line = line.ljust(start) + label + " "
        return Text(line.rstrip(), style="dim")

    def _rows(self, layer: _Layer, part: slice) -> Iterator[Text]:
        signs, rooms, fault = layer.signs[:, part], layer.rooms[:, part], layer.fault[:, part]
        glyphs = np.where((rooms > 0)[..., None], self.numbers[rooms], self.letters[signs])
        glyphs[fault, -1] = "!"
        glyphs[fault & (rooms == 0) & (signs == Sign.EMPTY)] = "!"
        # One number for each way to print a cell: fault, room or sign.
        style = np.where(rooms > 0, len(_SIGNS) + rooms, signs.astype(np.int64))
        style[fault] = -1
        for row, looks, letters in zip(self.rows.tolist(), style, glyphs, strict=True):
            label = "" if row == _SKIPPED else str(self.space.axes[2][row])
            line = Text(label.rjust(self.gutter) + " ", style="")
            line.stylize("dim")
            starts = np.flatnonzero(np.diff(looks, prepend=looks[0] - 1))
            for start, stop in zip(starts.tolist(), [*starts[1:].tolist(), len(looks)], strict=True):
                line.append("".join(letters[start:stop].reshape(-1).tolist()), style=self._style(int(looks[start])))
            yield line

    def _style(self, look: int) -> str:
        if look < 0:
            return _FAULT
        if look < len(_SIGNS):
            return _SIGNS[Sign(look)][1]
        return _room_style(self.rooms[look - len(_SIGNS) - 1])

    # What is said beside them.

    def _listed(self, rooms: Sequence[Room]) -> Iterator[Text]:
        for room in rooms[:MOST_LISTED]:
            yield from self._note(_about(room), Text("".join(self.numbers[room.number].tolist()), _room_style(room)))
        if len(rooms) > MOST_LISTED:
            yield Text(f"and {count(len(rooms) - MOST_LISTED, 'more room', 'more rooms')}")

    def _legend(self) -> Iterator[Text]:
        pieces: list[Text] = []
        for sign, (_, style, meaning) in _SIGNS.items():
            if meaning and sign in self.used:
                pieces.append(Text.assemble(("".join(self.letters[sign].tolist()).rstrip(), style), f" {meaning}"))
        stairs = [_SIGNS[sign][0] for sign in _STAIRS.values() if sign in self.used]
        if stairs:
            pieces.append(Text.assemble((" ".join(stairs), _SIGNS[Sign.EAST][1]), " stairs, up this way"))
        line = Text()
        for piece in pieces:
            if len(line) and len(line) + _GAP + len(piece) > self.width:
                yield line
                line = Text()
            line = Text("   ").join([line, piece]) if len(line) else piece
        if len(line):
            yield line
        if len(self.fault):
            rules = listed(list(dict.fromkeys(self.at_fault)))
            yield from self._note(f"at fault by {rules}", Text("!", _FAULT))

    def _left_out(self, drawn: list[_Layer]) -> Iterator[Text]:
        """Lines for all that the drawing does not show."""
        if self.general:
            rules = listed(list(dict.fromkeys(self.general)))
            yield from self._note(f"not marked: the whole build is at fault by {rules}")
        if self.strayed:
            yield from self._note(f"not marked: {count(self.strayed, 'cell')} at fault far from the build")
        for name, cut in (("x", self.cut_columns), ("z", self.cut_rows)):
            if cut is not None:
                yield from self._note(f"cut off: {name} = {_range(*cut)}")
        shown = {level for layer in drawn for level in layer.levels}
        held = np.unique(np.concatenate([self.space.position, self.fault]) // self.space.strides[1])
        hidden = sorted(set((held % self.space.shape[1]).tolist()) - shown)
        if hidden:
            marked = len(self._levels_at_fault.intersection(hidden))
            text = f"not drawn: {count(len(hidden), 'layer')}, y = {listed(list(self._runs(hidden)))}"
            yield from self._note(text + (f"; {marked} of them with cells at fault" if marked else ""))

    def _runs(self, levels: list[int]) -> Iterator[str]:
        """``3``, ``5 to 8``: heights that follow one another together."""
        heights = self.space.axes[1][levels]
        for run in np.split(heights, np.flatnonzero(np.diff(heights) > 1) + 1):
            yield _range(run[0], run[-1])

    def _note(self, text: str, before: Text | None = None) -> Iterator[Text]:
        """A text after a sign of its own, or a note, as lines."""
        sign = before or Text()
        indent = " " * (len(sign) + 1) if before else ""
        lines = wrap(text, self.width, initial_indent=indent, subsequent_indent=indent)
        yield Text.assemble(sign, (lines[0][len(sign) :], "" if before else "yellow"))
        yield from (Text(line, "" if before else "yellow") for line in lines[1:])


def _sign(info: StateInfo) -> Sign:
    """What a state shows where nothing is known of what is around it."""
    for group, sign in _GROUPS:
        if info.material in group:
            return sign
    if info.substance is Substance.FLUID:
        return Sign.FLUID
    if info.leaves:
        return Sign.LEAVES
    if info.substance is Substance.FULL:
        return Sign.BLOCK
    props = split_state(info.state)[1]
    if "shape" in props and "half" in props and props["half"] == "bottom":
        return _STAIRS.get(props.get("facing", ""), Sign.OTHER)
    if not info.boxes or (not info.structural and "carpet" not in info.material):
        return Sign.SMALL if not info.structural else Sign.OTHER
    return Sign.LOW if max(box[4] for box in info.boxes) <= 0.5 else Sign.OTHER


def _is_all(cells: Cells, everything: Cells) -> bool:
    """Whether a verdict points at the whole build for want of a place."""
    return len(cells) == len(everything) and np.array_equal(np.unique(cells, axis=0), np.unique(everything, axis=0))


def _ranked(layers: list[_Layer]) -> list[_Layer]:
    """Layers with cells at fault first, then the lowest and highest, then those between, ever finer."""
    faults = [int(layer.fault.sum()) for layer in layers]
    order = _spread(len(layers))
    return [
        replace(layer, rank=(0, -fault) if fault else (1, place))
        for layer, fault, place in zip(layers, faults, order, strict=True)
    ]


def _spread(number: int) -> list[int]:
    """For each of so many places in a row, when its turn comes so that any beginning is spread over the row."""
    turn = [number] * number
    taken = 0
    parts = 1
    while taken < number:
        for i in range(parts + 1):
            place = round(i * (number - 1) / parts)
            if turn[place] == number:
                turn[place] = taken
                taken += 1
        parts *= 2
    return turn


def _shows_more(low: _Layer, high: _Layer) -> bool:
    """Whether the upper of two layers shows more than rooms above what stands in them, the next treads of stairs, and
    beams or lamps."""
    new = (high.signs != low.signs) & (high.rooms == 0)
    new &= ~np.isin(high.signs, (Sign.EMPTY, Sign.SMALL, Sign.COVERED, *_STAIRS.values()))
    free = (low.rooms > 0) | np.isin(low.signs, (Sign.EMPTY, Sign.SMALL, Sign.COVERED, *_STAIRS.values()))
    new &= ~(free & np.isin(high.signs, _STAND_ABOUT))
    return bool((new | (high.fault & ~low.fault)).any())


def _side_by_side(pictures: Sequence[list[Text]], width: int) -> Iterator[list[Text]]:
    """Pictures in rows, as many beside one another as fit."""
    row: list[list[Text]] = []
    used = 0
    for picture in pictures:
        wide = max(len(line) for line in picture)
        if row and used + _GAP + wide > width:
            yield _joined(row)
            row, used = [], 0
        used += wide + (_GAP if row else 0)
        row.append(picture)
    if row:
        yield _joined(row)


def _joined(pictures: Sequence[list[Text]]) -> list[Text]:
    wide = [max(len(line) for line in picture) for picture in pictures]
    out = []
    for parts in zip(*pictures, strict=True):
        line = Text()
        for part, room in zip(parts, wide, strict=True):
            if len(line):
                line.append(" " * _GAP)
            line.append_text(part)
            line.append(" " * (room - len(part)))
        line.rstrip()
        out.append(line)
    return out


def _room_style(room: Room) -> str:
    if room.kind == "room":
        return f"bold {_ROOM_STYLES[(room.number - 1) % len(_ROOM_STYLES)]}"
    return "dim" if room.kind == "passage" else "red"


def _lowest(floors: tuple[set[int], object]) -> int:
    return min(floors[0])


def _about(room: Room) -> str:
    ways = count(len(room.doorways), "doorway") if room.doorways else "no doorway"
    cells = count(room.area, "cell")
    match room.kind:
        case "room":
            return f"room of {cells}, {ways if room.doorways else 'by stairs or a ladder'}"
        case "passage":
            return f"passage of {cells}, {ways}: counts as no room"
        case "closed":
            return f"closed space of {cells}, {ways}: nobody gets in"


def _range(first: int, last: int) -> str:
    return f"{first}" if first == last else f"{first} to {last}"
