"""File formats: files become builds, builds become files.

A file is recognised by its content, never by its name; what it becomes and how its ground was chosen stands in
``Build.provenance``. A new format is one module with ``sniff`` and ``read`` (and ``write``), and one line in
:data:`FORMATS`.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from minece.blocks.build import Build
from minece.blocks.catalogue import block_names, describe
from minece.blocks.errors import FormatError, MineceError
from minece.blocks.files import write_whole
from minece.blocks.formats import (
    anvil,
    arrays,
    blueprints,
    craftassist,
    csv_text,
    foreign,
    grabcraft,
    iglu,
    legacy,
    litematic,
    native,
    records,
    sponge,
    structure,
)
from minece.blocks.formats.anvil import is_world
from minece.blocks.formats.cut import Cut
from minece.blocks.formats.ground import GroundWish, Hint
from minece.blocks.formats.limits import LIMITS, Deadline, Limits
from minece.blocks.formats.source import Document, Run, Source

__all__ = [
    "FORMATS",
    "LIMITS",
    "Cut",
    "Document",
    "Format",
    "Limits",
    "Run",
    "check_writable",
    "is_world",
    "read",
    "write",
]


@dataclass(frozen=True, slots=True)
class Format:
    """One file format.

    Attributes
    ----------
    name : what ``--format`` takes
    title : what it is, in words
    suffixes : endings of names for which :func:`write` chooses it
    sniff : whether a source is of this format; None for a second way of writing a format
    read : the document in a source
    write : the bytes of one build per turn, None where the format is only read
    turns : whether it holds several turns
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    sniff: Callable[[Source], bool] | None
    read: Callable[[Source], Document] | None
    write: Callable[[Sequence[Build]], bytes] | None
    turns: bool = False


_MOST_LISTED = 12


def _single(write: Callable[[Build], bytes]) -> Callable[[Sequence[Build]], bytes]:
    return lambda turns: write(turns[0])


FORMATS: tuple[Format, ...] = (
    Format("json", "minece JSON", (".json",), native.sniff, native.read, native.write, turns=True),
    Format("schem", "Sponge schematic, version 2", (".schem",), sponge.sniff, sponge.read, _single(sponge.write_v2)),
    Format("schem-v3", "Sponge schematic, version 3", (), None, None, _single(sponge.write_v3)),
    Format("litematic", "Litematica", (".litematic",), litematic.sniff, litematic.read, _single(litematic.write)),
    Format("structure", "structure of the game", (".nbt",), structure.sniff, structure.read, _single(structure.write)),
    Format("schematic", "MCEdit schematic", (".schematic",), legacy.sniff, legacy.read, _single(legacy.write)),
    Format("world", "world of the game (Anvil)", (), anvil.sniff, anvil.read, None),
    Format("records", "result records of the paper", (), records.sniff, records.read, None, turns=True),
    Format("blueprint", "MINDcraft blueprint or construction", (), blueprints.sniff, blueprints.read, None),
    Format("iglu", "IGLU world state", (), iglu.sniff, iglu.read, None),
    Format("craftassist", "CraftAssist event log", (), craftassist.sniff, craftassist.read, None),
    Format("grabcraft", "GrabCraft blueprint", (), grabcraft.sniff, grabcraft.read, None),
    Format("npy", "NumPy grid", (), arrays.sniff, arrays.read, None),
    Format("csv", "table of blocks", (".csv",), csv_text.sniff, csv_text.read, _single(csv_text.write)),
)
"""Every format, in the order in which a file is tried."""


def read(
    source: str | os.PathLike[str] | bytes,
    *,
    name: str = "",
    ground: int | None = None,
    hint: Hint | None = None,
    axes: str | None = None,
    box: Sequence[int] | None = None,
    drop: str | Iterable[str] = (),
    limits: Limits = LIMITS,
) -> Document:
    """The builds in a file, in the bytes of one, or in the folder of a world.

    Parameters
    ----------
    source : path of a file or of a world's folder, or a file's bytes
    name : what messages call the bytes
    ground : height of the ground plane in the file's own coordinates (those of a foreign voxel file begin with 0 at
        its lowest layer); goes before everything that the file says
    hint : where the ground lies in builds of this kind, used where the file does not say: "top" or "bottom"; without
        it the ground lies under the lowest block
    axes : order of the axes of a NumPy grid, such as "yzx"; None takes xyz, and yzx for pairs of id and data
    box : two corners x0 y0 z0 x1 y1 z1 in the file's own coordinates, both within: only what lies between is read
    drop : ids and "#tags" of blocks that are left out, as if the file said nothing of their cells

    Raises :class:`FormatError`, :class:`LimitError` and other kinds of :class:`MineceError`, one line each that begins
    with the file's name; nothing else whatever the bytes are.
    """
    deadline = Deadline(limits.seconds)
    cut = Cut.of(box, drop)
    world = None
    if isinstance(source, (bytes, bytearray, memoryview)):
        data, place = bytes(source), name
    else:
        place = name or os.fspath(source)
        world = anvil.reader_of(Path(source))
        data = b"" if world is not None else _file_bytes(Path(source), place, limits)
    try:
        asked = Source(data, place, GroundWish(ground, hint), limits, deadline, axes or "", cut)
        return _read(asked) if world is None else _finished(world(asked), asked)
    except MineceError as error:
        raise (error.at(place) if place else error) from None
    except (RecursionError, MemoryError):
        raise FormatError("is too large or nested too deeply", where=place, mend="export a smaller part") from None


def _read(source: Source) -> Document:
    source.limits.most("bytes in the file", len(source.data), source.limits.file_bytes)
    if not source.data.strip(b"\0 \t\r\n"):
        raise FormatError("the file is empty", mend="export it again")
    for form in FORMATS:
        if form.sniff is not None and form.read is not None and form.sniff(source):
            return _finished(form.read(source), source)
    raise foreign.refusal(source)


def _finished(found: Document, source: Source) -> Document:
    if source.cut and found.format != anvil.NAME:
        cut = source.cut
        found = replace(
            found, runs=[replace(run, turns=cut.apply(run.turns, source.wish, source.limits)) for run in found.runs]
        )
    runs = [replace(run, turns=[_with_warnings(build, source) for build in run.turns]) for run in found.runs]
    return replace(found, runs=runs)


def _with_warnings(build: Build, source: Source) -> Build:
    warnings = list(build.provenance.warnings)
    if not len(build.blocks):
        warnings.append("holds no block")
    strange = {info.material for info in map(describe, build.blocks.palette) if not info.known}
    for materials, words in (
        (strange - block_names(), "unknown blocks, taken as full cubes"),
        (strange & block_names(), "blocks with unknown properties"),
    ):
        if materials:
            warnings.append(f"{words}: {_listed(sorted(materials))}")
    provenance = replace(build.provenance, source=source.name, warnings=tuple(dict.fromkeys(warnings)))
    return replace(build, provenance=provenance)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_LISTED]) + (
        f" and {len(names) - _MOST_LISTED} more" if len(names) > _MOST_LISTED else ""
    )


def _file_bytes(path: Path, place: str, limits: Limits) -> bytes:
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise FormatError("is no ordinary file", where=place, mend="name a file")
            return file.read(limits.file_bytes + 1)
    except IsADirectoryError:
        raise FormatError("is a folder", where=place, mend="name a file in it") from None
    except FileNotFoundError:
        raise FormatError("does not exist", where=place, mend="check the name") from None
    except PermissionError:
        if os.path.isdir(path):
            raise FormatError("is a folder", where=place, mend="name a file in it") from None
        raise FormatError("may not be read", where=place, mend="change its permissions") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise FormatError(f"cannot be read: {reason}", where=place, mend="check the name") from None


def _open_without_waiting(path: str, flags: int) -> int:
    # A pipe without a writer would block for ever.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def write(build: Build | Sequence[Build], path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a build, or one build per turn, so that reading the file gives an equal build.

    A ground that the reader had to guess (``provenance.ground_known`` is false) is not written, so that whoever reads
    the file chooses anew, as for the file that the build came from.

    ``format`` is a name from :data:`FORMATS`; without it the ending of ``path`` decides. The file appears whole or
    not at all, and equal builds give equal bytes. Raises :class:`FormatError`.
    """
    place = os.fspath(path)
    turns = [build] if isinstance(build, Build) else list(build)
    if not turns:
        raise FormatError("there is no build to write", where=place, mend="give one build, or one per turn")
    form = check_writable(path, turns=len(turns), format=format)
    assert form.write is not None
    try:
        data = form.write(turns)
    except MineceError as error:
        raise error.at(place) from None
    _replace_file(place, data)


def check_writable(path: str | os.PathLike[str], *, turns: int = 1, format: str | None = None) -> Format:
    """The format in which :func:`write` would write so many turns. Raises :class:`FormatError` where none can."""
    place = os.fspath(path)
    form = _writer(place, format)
    if turns > 1 and not form.turns:
        raise FormatError(
            f"{form.title} holds one build, not {turns} turns", where=place, mend="write JSON, or one turn alone"
        )
    return form


def _writer(place: str, name: str | None) -> Format:
    able = [form for form in FORMATS if form.write is not None]
    for form in able:
        if form.name == name or (name is None and place.lower().endswith(form.suffixes or ("\0",))):
            return form
    names = ", ".join(form.name for form in able)
    if name is not None:
        raise FormatError(f"format {name!r} cannot be written", where=place, mend=f"take one of {names}")
    raise FormatError("the ending names no format", where=place, mend=f"name the format: one of {names}")


def _replace_file(place: str, data: bytes) -> None:
    if os.path.isdir(place):
        raise FormatError("is a folder", where=place, mend="name a file in it")
    try:
        write_whole(place, data)
    except OSError as error:
        reason = "the folder does not exist" if isinstance(error, FileNotFoundError) else error.strerror
        raise FormatError(f"cannot be written: {reason}", where=place, mend="choose another place") from None
