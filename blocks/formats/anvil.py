"""Worlds of the game (Anvil): single region files and folders of worlds, of every version since 1.2.

A world is one build. Of a box only the chunks and sections that it touches are read; without one all of them are, as
far as the caps allow. Coordinates are those of the world. Air is air, also below the ground, where it is a dug cell;
of cells in chunks that do not exist nothing is said. Blocks that are dropped leave nothing behind, neither air nor
block. Biomes, light, entities and all of block entities but what versions before 1.13 kept of colours in them are left
out.

Where nobody names the ground, the surface that most columns have in common is taken for it, as of a flat world.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

from minece.blocks.errors import FormatError, LimitError, MineceError
from minece.blocks.formats.area import Area
from minece.blocks.formats.chunk import SECTION, read_chunk
from minece.blocks.formats.cut import Corners
from minece.blocks.formats.region import (
    HEADER,
    SECTOR,
    SIDE,
    Place,
    Region,
    is_region,
    is_region_name,
    open_file,
    region_of,
)
from minece.blocks.formats.source import Document, Source

NAME = "world"
"""What the format is called."""

_DIMENSIONS = (".", "dimensions/minecraft/overworld")
_MOST_CHUNKS = 4096
_MOST_FILES = 65_536
_BOX = "give the box to read: --box X0 Y0 Z0 X1 Y1 Z1, in Python box=(…)"

Spot = tuple[int, int]


# --- what is a world ------------------------------------------------------------------------------------------


def sniff(source: Source) -> bool:
    """Whether the bytes are a region file."""
    return is_region(source.data[:HEADER], len(source.data))


def is_world(path: str | os.PathLike[str]) -> bool:
    """Whether a folder is a world, one of its dimensions, or a folder of nothing but region files."""
    try:
        return os.path.isfile(os.path.join(path, "level.dat")) or bool(_region_folders(Path(path)))
    except OSError:
        return False


def _region_folders(path: Path) -> list[Path]:
    """Folders with regions of a world's overworld, the likeliest first."""
    found = [path / part / "region" for part in _DIMENSIONS]
    out = [folder for folder in found if folder.is_dir() and any(map(is_region_name, os.listdir(folder)))]
    names = [name for name in os.listdir(path) if not name.startswith(".")]
    if any(map(is_region_name, names)) and all(name.endswith((".mca", ".mcc")) for name in names):
        out.append(path)
    return out


# --- reading --------------------------------------------------------------------------------------------------


def read(source: Source) -> Document:
    """The build in the bytes of a region file. Raises :class:`FormatError` and :class:`LimitError`."""
    region = Region.of_bytes(source.data, source.name)
    return _document([_File(os.path.basename(source.name), lambda: nullcontext(region))], source, ())


def reader_of(path: Path) -> Callable[[Source], Document] | None:
    """What reads the world at a path, a folder or a region file; None where there is none, or nothing at all."""
    try:
        if path.is_dir():
            return partial(read_world, path) if is_world(path) else None
        descriptor = open_file(path)
        try:
            size, header = os.fstat(descriptor).st_size, os.read(descriptor, HEADER)
        finally:
            os.close(descriptor)
    except (OSError, ValueError, MineceError):
        return None
    return partial(read_file, path) if is_region(header, size) else None


def read_file(path: Path, source: Source) -> Document:
    """The build in a region file, of which only what is needed is read."""
    return _document([_File(path.name, _opener(path, _real(path).parent))], source, ())


def read_world(path: Path, source: Source) -> Document:
    """The build in the overworld of a world's folder, or in a folder of regions. Raises as :func:`read` does.

    Links that lead out of the folder are left out with a warning.
    """
    root = _real(path)
    try:
        folders = _region_folders(path)
        folder = next((folder for folder in folders if _real(folder).is_relative_to(root)), None)
        if folder is None:
            why = "its regions are behind a link that leads out of it" if folders else "is a world without regions"
            raise FormatError(why, mend="name the folder that the link leads to" if folders else "play in it first")
        names = sorted(filter(is_region_name, os.listdir(folder)))
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", mend="change its permissions") from None
    source.limits.most("region files", len(names), _MOST_FILES)
    inside = [name for name in names if _real(folder / name).is_relative_to(root)]
    outside = len(names) - len(inside)
    if not inside:
        raise FormatError("its regions are links that lead out of it", mend="name the folder that they lead to")
    box = source.cut.box
    wanted = [name for name in inside if box is None or _touches(box, region_of(name), SECTION * SIDE)]
    if not wanted:
        extent = _extent([spot for name in inside if (spot := region_of(name))], SECTION * SIDE)
        raise FormatError(f"has no region in the box; its regions lie in {extent}", mend="give another box")
    words = f"{outside} region {'file is a link' if outside == 1 else 'files are links'} out of the world, not followed"
    files = [_File(name, _opener(folder / name, root)) for name in wanted]
    return _document(files, source, (words,) if outside else ())


def _real(path: Path) -> Path:
    """Where a path leads. A link to itself, of which Path.resolve makes an error of its own, leads to itself."""
    return Path(os.path.realpath(path))


@dataclass(frozen=True, slots=True)
class _File:
    """A region file: its name, and how to open it."""

    name: str
    open: Callable[[], AbstractContextManager[Region]]


def _opener(path: Path, root: Path) -> Callable[[], AbstractContextManager[Region]]:
    def beside(name: str, most: int) -> bytes:
        other = path.with_name(name)
        if not other.exists() or not _real(other).is_relative_to(root):
            raise FormatError(f"lies in the file {name}, which is not there", mend="copy the world again")
        with _reading(other) as descriptor:
            size = os.fstat(descriptor).st_size
            if size > most:
                raise LimitError(f"the file {name} has {size:,} bytes, more than the {most:,} that are read")
            return os.read(descriptor, size)

    @contextmanager
    def opened() -> Iterator[Region]:
        with _reading(path) as descriptor:
            yield Region.of_file(path, descriptor, beside)

    return opened


@contextmanager
def _reading(path: Path) -> Iterator[int]:
    try:
        descriptor = open_file(path)
        try:
            yield descriptor
        finally:
            os.close(descriptor)
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", where=path.name, mend="check the file") from None


def _document(files: Sequence[_File], source: Source, warnings: tuple[str, ...]) -> Document:
    wanted = _wanted(files, source)
    area = Area(source)
    moved = 0
    try:
        for file, spot, places in wanted:
            with file.open() as region:
                for place in places:
                    at = (spot[0] * SIDE + place.column, spot[1] * SIDE + place.row)
                    moved += _take(region, place, at, area, source)
        if moved:
            says = "chunk says" if moved == 1 else "chunks say"
            warnings += (f"{moved:,} {says} to belong elsewhere, read where found",)
        return area.document(warnings)
    except LimitError as error:
        if source.cut.box is not None:
            raise LimitError(error.reason, where=error.where, mend="give a smaller box") from None
        spots = [(x * SIDE + p.column, z * SIDE + p.row) for _, (x, z), places in wanted for p in places]
        raise LimitError(
            f"{error.reason}; {len(spots):,} chunks exist, in {_extent(spots, SECTION)}", where=error.where, mend=_BOX
        ) from None


def _take(region: Region, place: Place, at: Spot, area: Area, source: Source) -> bool:
    """Add a chunk to the area; whether it says that it belongs elsewhere."""
    try:
        data = region.chunk(place, at, source.limits, source.deadline)
        chunk = read_chunk(data, source.limits, source.deadline)
        area.add(chunk, at, len(data))
    except MineceError as error:
        raise error.at(f"chunk {at[0]} {at[1]}") from None
    return chunk.at is not None and chunk.at != at


def _wanted(files: Sequence[_File], source: Source) -> list[tuple[_File, Spot, list[Place]]]:
    """The regions and the chunks in them that the box touches. Raises :class:`FormatError` where there are none."""
    box = source.cut.box
    out: list[tuple[_File, Spot, list[Place]]] = []
    every: list[Spot] = []
    for file in files:
        with file.open() as region:
            if not region.size:
                continue
            if not is_region(region.header, region.size):
                if any(region.header[:SECTOR]):  # not the times of chunks that were deleted
                    raise FormatError("is no region file", where=file.name, mend="copy the world again")
                continue
            places = region.places
            spot = region_of(file.name) or _spot_said(region, places, source)
            spots = [(spot[0] * SIDE + place.column, spot[1] * SIDE + place.row) for place in places]
            every += spots
            inside = [p for p, at in zip(places, spots, strict=True) if box is None or _touches(box, at, SECTION)]
            _refuse_overlaps(inside, file.name)
            if inside:
                out.append((file, spot, inside))
    count = sum(len(places) for _, _, places in out)
    if not every:
        raise FormatError("holds no chunk", mend="name a world that has been played in")
    if not count:
        where = _extent(every, SECTION)
        raise FormatError(f"has no chunk in the box; its chunks lie in {where}", mend="give another box")
    if count > _MOST_CHUNKS:
        where = "the box touches" if box is not None else "holds"
        raise LimitError(
            f"{where} {count:,} chunks, more than the {_MOST_CHUNKS:,} that are read, in {_extent(every, SECTION)}",
            mend="give a smaller box" if box is not None else _BOX,
        )
    return out


def _refuse_overlaps(places: Sequence[Place], name: str) -> None:
    ordered = sorted((place.sector, place.sector + place.sectors, place) for place in places)
    for (_, end, one), (begin, _, other) in pairwise(ordered):
        if begin < end:
            raise FormatError(
                f"the chunks at {one.column} {one.row} and {other.column} {other.row} of the region share a sector",
                where=name,
                mend="the region file is damaged: copy it again, or leave one of them out with --box",
            )


def _spot_said(region: Region, places: Sequence[Place], source: Source) -> Spot:
    """Column and row of a region whose name does not tell, by its first chunk."""
    first = places[0]
    try:
        chunk = read_chunk(region.chunk(first, (0, 0), source.limits, source.deadline), source.limits, source.deadline)
    except MineceError as error:
        raise error.at(f"chunk {first.column} {first.row} of the region") from None
    return (chunk.at[0] // SIDE, chunk.at[1] // SIDE) if chunk.at is not None else (0, 0)


def _touches(box: Corners, spot: Spot | None, side: int) -> bool:
    if spot is None:
        return True
    x, z = spot[0] * side, spot[1] * side
    return x <= box[3] and x + side > box[0] and z <= box[5] and z + side > box[2]


def _extent(spots: Sequence[Spot], side: int) -> str:
    (x0, x1), (z0, z1) = ((min(values), max(values)) for values in zip(*spots, strict=True))
    return f"x {x0 * side} to {(x1 + 1) * side - 1}, z {z0 * side} to {(z1 + 1) * side - 1}"
