"""The part of a world that was read: chunks become one dense box, and what is worth telling about them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.build import Provenance
from minece.blocks.catalogue import tags
from minece.blocks.errors import LimitError, StateError
from minece.blocks.formats.chunk import SECTION, Chunk, Section
from minece.blocks.formats.flattening import IDS, state_of_code, states_of
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.formats.volume import Box, build_from_boxes
from minece.blocks.states import VOID, is_air, material_of

Numbers = NDArray[np.uint16]
Spot = tuple[int, int]

_NOTHING, _AIR, _FIRST_BLOCK = 0, 1, 2
_VOID_CODE = 217 * 16
_UNKNOWN = 65_535
_MOST_STATES = 32_768
_NO_TOP = -(2**31)
_LISTED = 6


@lru_cache(maxsize=1)
def _surfaces() -> frozenset[str]:
    """Ids of which the surface of a flat world may be."""
    plants = {"short_grass", "tall_grass", "fern", "large_fern", "dead_bush", "seagrass", "tall_seagrass", "kelp",
              "kelp_plant", "snow"}  # fmt: skip
    return tags()["terrain"] - tags()["fluids"] - plants


class _States:
    """The states of all chunks, numbered anew: 0 nothing (what is dropped too), 1 air, from 2 on blocks; and their
    materials, dropped ones too, from 1 on, 0 for none."""

    def __init__(self, drop: frozenset[str]) -> None:
        self.drop = drop
        self.palette: list[str] = [VOID, "air"]
        self.materials: list[str] = [""]
        self._known: dict[str, tuple[int, int]] = {}
        self._material: dict[str, int] = {}

    def number(self, state: str, place: str) -> tuple[int, int]:
        """The number of a state and of its material. Raises :class:`FormatError`, :class:`LimitError`."""
        found = self._known.get(state)
        if found is not None:
            return found
        try:
            material = material_of(state)
        except StateError as error:
            raise error.at(place) from None
        if material == VOID:
            found = (_NOTHING, 0)
        elif is_air(state):
            found = (_AIR, 0)
        else:
            kind = self._material.get(material)
            if kind is None:
                kind = self._material[material] = len(self.materials)
                self.materials.append(material)
            number = _NOTHING
            if material not in self.drop:
                number = len(self.palette)
                self.palette.append(state)
            found = (number, kind)
        self._known[state] = found
        if len(self._known) > _MOST_STATES:
            raise LimitError(f"more than {_MOST_STATES:,} block states", mend="give a smaller box")
        return found

    def are(self, names: frozenset[str]) -> NDArray[np.bool_]:
        """(materials,) which of the materials are of these names."""
        return np.array([name in names for name in self.materials], dtype=np.bool_)


@dataclass(frozen=True, slots=True)
class _Part:
    """What is kept of a section: the cells from ``low`` on that lie in the box.

    ``numbers`` are numbers of states, or codes where ``numeric``, in order y, z, x; of cells that are all alike only
    the ``shape`` and the ``value`` are kept.
    """

    low: tuple[int, int, int]
    shape: tuple[int, ...]
    numbers: Numbers | None
    value: int = 0
    numeric: bool = False


class Area:
    """The chunks that were read, as far as they lie in the box that was asked for."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._box = source.cut.box
        self._states = _States(source.cut.drop)
        self._parts: list[_Part] = []
        self._columns: list[tuple[int, int, int, bool]] = []
        self._entities: list[Any] = []
        self._left_out = self._bytes = self._cells = self._blocks = 0
        self._low = np.full(3, 2**31, dtype=np.int64)
        self._high = np.full(3, -(2**31), dtype=np.int64)
        self._versions: set[int] = set()
        self._counts = np.zeros(1, dtype=np.int64)
        self._tops: list[NDArray[np.int64]] = []
        self._code_number = np.full(IDS * SECTION, _UNKNOWN, dtype=np.uint16)
        self._code_kind = np.zeros(IDS * SECTION, dtype=np.uint16)
        self._is_surface = np.zeros(1, dtype=np.bool_)

    # --- taking chunks in

    def add(self, chunk: Chunk, at: Spot, size: int) -> None:
        """Take what the box has of a chunk of ``size`` bytes. Raises :class:`LimitError`, :class:`FormatError`."""
        limits = self._source.limits
        self._bytes += size
        limits.most("bytes in all chunks", self._bytes, limits.unpacked_bytes)
        self._versions.add(chunk.version)
        self._left_out += chunk.left_out
        self._entities += chunk.entities
        if not chunk.sections:
            return
        numeric = any(section.codes is not None for section in chunk.sections)
        self._columns.append((at[0] * SECTION, at[1] * SECTION, chunk.low, numeric))
        top = np.full((2, SECTION, SECTION), _NO_TOP, dtype=np.int64)
        for section in sorted(chunk.sections, key=lambda section: section.level):
            self._section(section, (at[0] * SECTION, section.level * SECTION, at[1] * SECTION), top)
        seen = top[0] != _NO_TOP
        self._tops.append(top[0][seen] * _UNKNOWN + top[1][seen])
        self._source.deadline.check()

    def _section(self, section: Section, low: tuple[int, int, int], top: NDArray[np.int64]) -> None:
        spans = [(0, SECTION)] * 3
        if self._box is not None:
            box = self._box
            spans = [(max(box[i] - low[i], 0), min(box[i + 3] + 1 - low[i], SECTION)) for i in range(3)]
            if any(begin >= end for begin, end in spans):
                return
        (x0, x1), (y0, y1), (z0, z1) = spans
        corner = (low[0] + x0, low[1] + y0, low[2] + z0)
        shape = (y1 - y0, z1 - z0, x1 - x0)
        part = (slice(y0, y1), slice(z0, z1), slice(x0, x1))
        whole = (SECTION, SECTION, SECTION)
        seen = top[:, z0:z1, x0:x1]
        if section.codes is not None:
            codes = section.codes.reshape(whole)[part]
            numbers, kinds = self._of_codes(codes)
            counts = np.bincount(kinds.reshape(-1), minlength=len(self._states.materials))
            self._count(counts)
            self._see(kinds, corner[1], seen)
            if codes.any():
                self._keep(_Part(corner, shape, codes.copy(), numeric=True), numbers >= _FIRST_BLOCK)
            return
        pairs = [self._states.number(state, section.place) for state in section.palette]
        if section.words is None:
            value, kind = pairs[0]
            if kind:
                counts = np.zeros(len(self._states.materials), dtype=np.int64)
                counts[kind] = np.prod(shape)
                self._count(counts)
                self._see(np.full(shape, kind, dtype=np.uint16), corner[1], seen)
            if value != _AIR:
                full = np.ones(shape, dtype=np.bool_) if value >= _FIRST_BLOCK else None
                self._keep(_Part(corner, shape, None, value), full)
            return
        table = np.array(pairs, dtype=np.uint16)
        local = section.numbers(self._source.deadline).reshape(whole)[part]
        kinds = table[:, 1][local]
        self._count(np.bincount(kinds.reshape(-1), minlength=len(self._states.materials)))
        self._see(kinds, corner[1], seen)
        numbers = table[:, 0][local]
        if table[:, 0].max() >= _FIRST_BLOCK:
            self._keep(_Part(corner, shape, numbers), numbers >= _FIRST_BLOCK)
        elif (numbers == numbers.flat[0]).all():
            if numbers.flat[0] != _AIR:
                self._keep(_Part(corner, shape, None, int(numbers.flat[0])), None)
        else:
            self._keep(_Part(corner, shape, numbers), None)

    def _of_codes(self, codes: Numbers) -> tuple[Numbers, Numbers]:
        """Numbers and materials of codes, as far as each alone tells them."""
        numbers = self._code_number[codes]
        if (numbers == _UNKNOWN).any():
            for code in np.unique(codes[numbers == _UNKNOWN]).tolist():
                self._code_number[code], self._code_kind[code] = self._states.number(state_of_code(code), "")
            numbers = self._code_number[codes]
        return numbers, self._code_kind[codes]

    def _keep(self, part: _Part, blocks: NDArray[np.bool_] | None) -> None:
        limits = self._source.limits
        self._parts.append(part)
        if part.numbers is not None:
            self._cells += part.numbers.size
            limits.most("cells in sections with blocks", self._cells, limits.cells)
        if blocks is None:
            return
        count = int(np.count_nonzero(blocks))
        if not count:
            return
        self._blocks += count
        limits.most("blocks", self._blocks, limits.blocks)
        for axis, others in ((1, (1, 2)), (2, (0, 2)), (0, (0, 1))):
            along = np.flatnonzero(blocks.any(axis=others))
            self._low[axis] = min(self._low[axis], part.low[axis] + along[0])
            self._high[axis] = max(self._high[axis], part.low[axis] + along[-1])

    def _count(self, counts: NDArray[np.int64]) -> None:
        if len(counts) > len(self._counts):
            self._counts = np.concatenate([self._counts, np.zeros(len(counts) - len(self._counts), dtype=np.int64)])
        self._counts[: len(counts)] += counts

    def _see(self, kinds: Numbers, low: int, top: NDArray[np.int64]) -> None:
        """Note the highest cells that may be the surface of a flat world, in (2, length, width): height, material."""
        if self._source.wish.explicit is not None:
            return
        if len(self._is_surface) < len(self._states.materials):
            self._is_surface = self._states.are(_surfaces())
        surface = self._is_surface[kinds]
        found = surface.any(axis=0)
        if not found.any():
            return
        height = surface.shape[0] - 1 - np.argmax(surface[::-1], axis=0)
        kind = np.take_along_axis(kinds, height[None], axis=0)[0]
        top[0][found] = (height + low)[found]
        top[1][found] = kind[found]

    # --- the build

    def document(self, warnings: tuple[str, ...]) -> Document:
        """The build of all chunks. Raises :class:`FormatError` and :class:`LimitError`."""
        source = self._source
        notes: tuple[str, ...] = ()
        boxes: list[Box] = []
        size = None
        if (limits_of := self._bounds()) is not None:
            low, shape = limits_of
            boxes, notes = self._boxes(low, shape)
        if self._blocks:
            x, y, z = (self._high - self._low + 1).tolist()
            size = (x, y, z)
        provenance = Provenance(
            format="world",
            data_version=max(self._versions) or None if self._versions else None,
            box=size,
            warnings=warnings + notes + self._told() + source.cut.warnings,
        )
        wish = source.wish
        if (surface := self._surface()) is not None:
            wish = replace(wish, surface=surface)
        build = build_from_boxes(boxes, wish, provenance, source.limits, source.deadline)
        return Document("world", [Run("", [build])])

    def _bounds(self) -> tuple[tuple[int, int, int], tuple[int, int, int]] | None:
        """Lowest cell and (height, length, width) of the box to lay out: the one that was asked for, or that of all
        blocks; None where there is nothing."""
        if not self._columns or (self._box is None and not self._blocks):
            return None
        low, high = self._low.copy(), self._high.copy()
        if self._box is not None:
            columns = np.array([column[:3] for column in self._columns])
            tops = [part.low[1] + part.shape[0] - 1 for part in self._parts]
            bottom = int(columns[:, 2].min())
            # Air matters up to the ground and to the highest block.
            if self._source.wish.explicit is not None:
                tops.append(self._source.wish.explicit - 1)
            first = (columns[:, 0].min(), bottom, columns[:, 1].min())
            last = (columns[:, 0].max() + 15, max([bottom, *tops]), columns[:, 1].max() + 15)
            low = np.maximum(np.array(self._box[:3]), first)
            high = np.minimum(np.array(self._box[3:]), last)
            if (low > high).any():
                return None
        width, height, length = (int(v) for v in high - low + 1)
        limits = self._source.limits
        limits.most("cells in the box around the blocks", width * height * length, limits.cells)
        return (int(low[0]), int(low[1]), int(low[2])), (height, length, width)

    def _boxes(self, low: tuple[int, int, int], shape: tuple[int, int, int]) -> tuple[list[Box], tuple[str, ...]]:
        out: list[Box] = []
        notes: tuple[str, ...] = ()
        if any(not column[3] for column in self._columns):
            numbers = self._laid_out(low, shape, numeric=False)
            out.append(Box(low, numbers, self._states.palette))
        if any(column[3] for column in self._columns):
            codes = self._laid_out(low, shape, numeric=True)
            limits, deadline = self._source.limits, self._source.deadline
            found, palette, said = states_of(codes, self._entities, low, limits, deadline)
            drop = self._source.cut.drop
            out.append(Box(low, found, [VOID if material_of(state) in drop else state for state in palette]))
            notes = said.warnings()
        return out, notes

    def _laid_out(self, low: tuple[int, int, int], shape: tuple[int, int, int], *, numeric: bool) -> Numbers:
        """The parts of numeric or of other chunks as (height, length, width); air in their columns where no section
        lies, nothing elsewhere."""
        out = np.full(shape, _VOID_CODE if numeric else _NOTHING, dtype=np.uint16)
        for x, z, bottom, kind in self._columns:
            first = max(bottom, low[1])
            size = (shape[0] + low[1] - first, SECTION, SECTION)
            if kind == numeric and (found := _overlap(low, shape, (x, first, z), size)) is not None:
                out[found[0]] = 0 if numeric else _AIR
        for part in self._parts:
            if part.numeric == numeric and (found := _overlap(low, shape, part.low, part.shape)) is not None:
                out[found[0]] = part.value if part.numbers is None else part.numbers[found[1]]
        self._source.deadline.check()
        return out

    def _surface(self) -> int | None:
        """The height of the plane on the surface that more than half of the columns have in common."""
        tops = np.concatenate(self._tops) if self._tops else np.empty(0, dtype=np.int64)
        if not len(tops):
            return None
        values, counts = np.unique(tops, return_counts=True)
        best = int(np.argmax(counts))
        height = int(values[best]) // _UNKNOWN
        far = 2**31
        x0, _, z0, x1, _, z1 = self._box or (-far, -far, -far, far, far, far)
        columns = sum(
            max(0, min(x + 15, x1) - max(x, x0) + 1) * max(0, min(z + 15, z1) - max(z, z0) + 1)
            for x, z, _, _ in self._columns
        )
        # A box that ends within the ground shows no surface.
        if 2 * int(counts[best]) <= columns or (self._box is not None and height >= self._box[4]):
            return None
        return height + 1

    def _told(self) -> tuple[str, ...]:
        return tuple(self._said())

    def _said(self) -> Iterator[str]:
        names = np.array(self._states.materials)
        counts = np.zeros(len(names), dtype=np.int64)
        counts[: len(self._counts)] = self._counts
        counts[0] = 0  # air and nothing
        kept = counts * ~self._states.are(self._source.cut.drop)
        terrain = kept * self._states.are(tags()["terrain"])
        if terrain.sum():
            order = np.argsort(-terrain, kind="stable")[:_LISTED]
            listed = ", ".join(str(names[i]) for i in order.tolist() if terrain[i])
            yield (
                f"{int(terrain.sum()):,} of {int(kept.sum()):,} blocks are of what natural terrain is made of "
                f'({listed}); --drop leaves ids out, "--drop #terrain" all such'
            )
        if dropped := int(counts.sum() - kept.sum()):
            yield f"{dropped:,} blocks are dropped"
        if self._left_out:
            yield f"{self._left_out:,} {'entity is' if self._left_out == 1 else 'entities are'} left out"


def _overlap(
    low: tuple[int, int, int], shape: tuple[int, int, int], corner: tuple[int, int, int], size: tuple[int, ...]
) -> tuple[tuple[slice, ...], tuple[slice, ...]] | None:
    """Where a smaller box lies in the large one, and which of it does; in order y, z, x."""
    there, here = [], []
    for axis, extent, own in zip((1, 2, 0), shape, size, strict=True):
        begin = max(corner[axis] - low[axis], 0)
        end = min(corner[axis] + own - low[axis], extent)
        if begin >= end:
            return None
        there.append(slice(begin, end))
        here.append(slice(begin + low[axis] - corner[axis], end + low[axis] - corner[axis]))
    return tuple(there), tuple(here)
