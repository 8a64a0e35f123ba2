"""What our writers leave in the metadata of voxel formats, so that reading gives the same build.

A compound ``minece`` with the height of the ground plane where it is known, the place of the box's first cell and, to
notice when another tool has cut or turned the box and kept the metadata, its size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from minece.blocks.build import Build
from minece.blocks.catalogue import block_names, in_version, name_in_version
from minece.blocks.formats import nbt
from minece.blocks.formats.volume import Dense, namespaced
from minece.blocks.grid import LIMIT
from minece.blocks.states import material_of

NAME = "minece"

_PLAYED, _PLAYED_DATA = "1.21.4", 4189
_NEWEST_DATA = 4786


@dataclass(frozen=True, slots=True)
class Stored:
    """``ground_y`` (None where it is not known) and ``origin`` in the source's coordinates, ``size`` of the box along
    x, y, z."""

    ground_y: int | None
    origin: tuple[int, int, int]
    size: tuple[int, int, int]

    @classmethod
    def of(cls, build: Build, box: Dense) -> Self:
        """What to store for a build and the box that holds it."""
        x, y, z = box.low
        ground = build.ground_y if build.provenance.ground_known else None
        return cls(ground, (x, y + build.ground_y, z), box.size)


def stored_tag(stored: Stored) -> nbt.Compound:
    """The compound to write."""
    known: nbt.Compound = {} if stored.ground_y is None else {"ground_y": nbt.Int(stored.ground_y)}
    return {
        "version": nbt.Int(1),
        **known,
        "origin": np.array(stored.origin, dtype=np.int32),
        "size": np.array(stored.size, dtype=np.int32),
    }


def stored_in(metadata: nbt.Compound, size: tuple[int, int, int]) -> tuple[Stored | None, tuple[str, ...]]:
    """What a file's metadata holds, None where there is nothing of ours or it does not fit; and warnings."""
    tag = metadata.get(NAME)
    if not isinstance(tag, dict):
        return None, ()
    ground, origin, stated = tag.get("ground_y"), tag.get("origin"), tag.get("size")
    if not (isinstance(ground, int | None) and isinstance(origin, np.ndarray) and isinstance(stated, np.ndarray)):
        return None, ("the ground stored in the file cannot be read and is not used",)
    x, y, z = [*origin.tolist(), 0, 0, 0][:3]
    near = all(abs(v) <= LIMIT for v in (x, y, z, ground or 0))
    if len(origin) != 3 or not near or tuple(stated.tolist()) != size:
        return None, ("another tool has changed the box since the ground was stored, so that ground is not used",)
    return Stored(None if ground is None else int(ground), (x, y, z), size), ()


def data_version(palette: tuple[str, ...]) -> tuple[int, list[str]]:
    """The DataVersion to write and the palette as that version spells it.

    The version of the game that is played where it has all the blocks, else the newest one that the catalogue knows.
    """
    if not all(in_version(name, _PLAYED) for name in map(material_of, palette) if name in block_names()):
        return _NEWEST_DATA, list(palette)
    out = []
    for state in palette:
        name, bracket, properties = state.partition("[")
        out.append(namespaced(name_in_version(name, _PLAYED)) + bracket + properties)
    return _PLAYED_DATA, out
