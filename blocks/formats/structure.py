"""Structure files of the game (.nbt), as structure blocks and the world generator use them.

``blocks`` lists cells with their palette number, in any order. A cell that is not listed, and ``structure_void``, is
neither block nor air; listed air is air. Blocks that steer the world generator become what it makes of them: a jigsaw
block its final state, a structure block nothing. Without block entity, as in our own files, both are ordinary blocks.
Block entities and entities are left out; of several palettes the first is taken, as the game takes one at random.
Names and properties of versions before 1.13 become those of today.

Writing lists blocks and dug cells. The ground stands in a compound ``minece`` at the root, which the game skips.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.build import Build, Provenance
from minece.blocks.errors import FormatError, LimitError, StateError
from minece.blocks.formats import nbt
from minece.blocks.formats.entries import entities_left_out, entry_of, state_of
from minece.blocks.formats.ground import said_empty
from minece.blocks.formats.limits import LIMITS
from minece.blocks.formats.listed import Rows, build_from_rows, joined
from minece.blocks.formats.old_states import LAST, WITHOUT, modern_state
from minece.blocks.formats.ours import NAME, Stored, data_version, stored_in, stored_tag
from minece.blocks.formats.rows import UNTOUCHED, states_of
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.formats.volume import AIR as AIR_STATE
from minece.blocks.formats.volume import namespaced
from minece.blocks.grid import LIMIT
from minece.blocks.states import material_of

DAMAGED = "the file is damaged: export it again"


def sniff(source: Source) -> bool:
    """Whether a file is a structure of the game."""
    return source.is_nbt and "blocks" in source.root and bool({"size", "palette", "palettes"} & set(source.root))


@dataclass(frozen=True, slots=True)
class _Listed:
    """What a file lists: cells with numbers into the palette, ``AIR`` or ``UNTOUCHED``."""

    cells: NDArray[np.int64]
    numbers: NDArray[np.int64]
    palette: list[str]
    size: tuple[int, int, int]
    stored: Stored | None
    warnings: tuple[str, ...]


def read(source: Source) -> Document:
    """The build in a structure. Raises :class:`FormatError` and :class:`LimitError`."""
    root = source.root
    found = _listed(root, source)
    told = found.numbers != UNTOUCHED
    cells = found.cells[told]
    if found.stored:
        cells += np.array(found.stored.origin)
    rows = Rows(cells.astype(np.int32), found.numbers[told], found.palette)
    if _is_old(root):
        rows = joined(rows, source.limits)
        source.deadline.check()
    provenance = Provenance(
        format="structure",
        data_version=_version(root),
        box=found.size,
        author=nbt.get_text(root, "author"),
        name=nbt.get_text(root[NAME], "name") if found.stored else "",
        warnings=found.warnings,
    )
    build = build_from_rows(rows, source, provenance, stored=found.stored.ground_y if found.stored else None)
    return Document("structure", [Run(provenance.name, [build])])


def _listed(root: nbt.Compound, source: Source) -> _Listed:
    size = _size(root)
    blocks = _blocks(root)
    states, warnings = _palette(root, source)
    if not states and len(blocks):
        raise FormatError("is empty", where="palette", mend="export it again")
    palette: dict[str, int] = {}
    kinds = states_of(states, "palette", palette)
    cells = blocks.numbers("pos", "blocks", 3)
    index = blocks.numbers("state", "blocks")
    stored, words = stored_in(root, size)
    _check(cells, index, len(states), LIMIT if stored is None else 2 * LIMIT)
    source.deadline.check()
    numbers = kinds[index]
    if palette and not (numbers >= 0).any():
        raise FormatError("the palette names blocks but not one cell holds a block", mend=DAMAGED)
    warnings += _finished(blocks, index, numbers, [material_of(state) for state in states], palette)
    source.limits.most("different states", len(palette), source.limits.palette, where="blocks")
    outside = int(((cells < 0) | (cells >= size)).any(axis=1).sum())
    if outside:
        warnings += (f"{outside:,} cells lie outside the box that the file names and are kept",)
    warnings += words + entities_left_out([root.get("entities")])
    return _Listed(cells, numbers, list(palette), size, stored, warnings)


def _version(root: nbt.Compound) -> int | None:
    return nbt.get_int(root, "DataVersion") if "DataVersion" in root else None


def _is_old(root: nbt.Compound) -> bool:
    """Whether the names are those of versions before 1.13."""
    version = _version(root)
    return (WITHOUT if version is None else version) <= LAST


def _size(root: nbt.Compound) -> tuple[int, int, int]:
    found = nbt.get_list(root, "size", nbt.INT)
    if len(found) != 3:
        raise FormatError(f"has {len(found)} numbers, not 3", where="size", mend="export it again")
    for side, name in zip(found, ("wide", "high", "long"), strict=True):
        if side < 0:
            raise FormatError(f"the box is {side} cells {name}", where="size", mend="export it again")
    return (int(found[0]), int(found[1]), int(found[2]))


def _palette(root: nbt.Compound, source: Source) -> tuple[list[str], tuple[str, ...]]:
    """The states of the palette, of the first one where there are several, and warnings."""
    warnings: tuple[str, ...] = ()
    place = "palette"
    if "palettes" in root:
        several = nbt.get_list(root, "palettes", nbt.LIST)
        if not several:
            raise FormatError("is empty", where="palettes", mend="export it again")
        entries, place = several[0], "palettes/0"
        if len(entries) and entries.kind != nbt.COMPOUND:
            raise FormatError("is no list of compounds", where=place, mend="export it again")
        if len(several) > 1:
            warnings = (f"has {len(several)} palettes, of which the first is taken",)
    else:
        entries = nbt.get_list(root, "palette", nbt.COMPOUND)
    source.limits.most("palette entries", len(entries), source.limits.palette, where=place)
    states = [state_of(entry, f"{place}/{i}") for i, entry in enumerate(entries)]
    return [_modern(state) for state in states] if _is_old(root) else states, warnings


def _modern(state: str) -> str:
    try:
        return modern_state(state)
    except StateError:
        return state


def _blocks(root: nbt.Compound) -> nbt.Records:
    found = root.get("blocks")
    if isinstance(found, nbt.Records):
        return found
    nbt.get_list(root, "blocks", nbt.COMPOUND)
    return nbt.Records()


def _check(cells: NDArray[np.int64], index: NDArray[np.int64], states: int, most: int) -> None:
    """Raise :class:`FormatError` where a cell lies too far out or has no palette entry."""
    far = ((cells > most) | (cells < -most)).any(axis=1)
    if far.any():
        row = int(np.argmax(far))
        raise FormatError(
            f"{cells[row].tolist()} lies outside ±{most}", where=f"blocks/{row}/pos", mend="export it again"
        )
    wrong = (index < 0) | (index >= states)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise FormatError(
            f"palette number {index[row]}, but the last one is {states - 1}", where=f"blocks/{row}/state", mend=DAMAGED
        )


def _finished(
    blocks: nbt.Records,
    index: NDArray[np.int64],
    numbers: NDArray[np.int64],
    materials: list[str],
    palette: dict[str, int],
) -> tuple[str, ...]:
    """Puts what the world generator makes of jigsaw and structure blocks into ``numbers``; warnings."""
    jigsaw, mark = (np.array([name == block for name in materials]) for block in ("jigsaw", "structure_block"))
    if not jigsaw.any() and not mark.any():
        return ()
    done = unread = marks = 0
    for part in blocks.parts:
        here = slice(done, done + part.count)
        done += part.count
        entity = part.template.get("nbt")
        if not isinstance(entity, dict):
            continue
        jigsaws = jigsaw[index[here]]
        if jigsaws.any():
            final = _final(entity, palette)
            numbers[here][jigsaws] = UNTOUCHED if final is None else final
            unread += 0 if final is not None else int(np.count_nonzero(jigsaws))
        here_marks = mark[index[here]]
        numbers[here][here_marks] = UNTOUCHED
        marks += int(np.count_nonzero(here_marks))
    out: tuple[str, ...] = ()
    if unread:
        out += (f"{unread:,} jigsaw blocks are left out, as their final state is no block state",)
    if marks:
        out += (f"{marks:,} structure blocks are left out, as the world generator does",)
    return out


def _final(entity: nbt.Compound, palette: dict[str, int]) -> int | None:
    """The palette number of a jigsaw block's final state, None where it cannot be read."""
    # A block entity may follow the state, as in a command.
    text = nbt.get_text(entity, "final_state", AIR_STATE).partition("{")[0]
    try:
        return int(states_of([text], "final_state", palette)[0])
    except StateError:
        return None


# --- writing --------------------------------------------------------------------------------------------------


def write(build: Build) -> bytes:
    """The bytes of a structure: blocks and cells that are said to be empty, in order y, x, z."""
    empty = said_empty(build)
    blocks = build.blocks
    count = len(blocks) + len(empty)
    if count > LIMITS.blocks:
        raise LimitError(f"{count:,} cells, more than the {LIMITS.blocks:,} that are read", mend="write .schem instead")
    names = [namespaced(state) for state in blocks.palette]
    version, palette = data_version((AIR_STATE, *names) if len(empty) else tuple(names))
    cells = np.concatenate([empty, blocks.cells])
    states = np.concatenate([np.zeros(len(empty), dtype=np.int32), blocks.index + np.int32(bool(len(empty)))])
    low = cells.min(axis=0).astype(np.int64) if count else np.zeros(3, dtype=np.int64)
    size = (cells.max(axis=0) - low + 1).tolist() if count else [1, 1, 1]
    x, y, z = (cells - low).T
    order = np.lexsort((z, x, y))
    ground = build.ground_y if build.provenance.ground_known else None
    stored = Stored(ground, (int(low[0]), int(low[1]) + build.ground_y, int(low[2])), (size[0], size[1], size[2]))
    ours = stored_tag(stored)
    if build.provenance.name:
        ours["name"] = build.provenance.name
    root: dict[str, Any] = {
        "DataVersion": nbt.Int(version),
        "size": nbt.List(nbt.INT, map(nbt.Int, size)),
        "palette": nbt.List(nbt.COMPOUND, map(entry_of, palette)),
        "blocks": nbt.records(
            {
                "pos": (cells - low)[order].astype(np.int32),
                "state": states[order],
            }
        ),
        "entities": nbt.List(nbt.COMPOUND),
        NAME: ours,
    }
    if build.provenance.author:
        root["author"] = build.provenance.author
    return nbt.write("", root)
