"""Numeric ids and data values of versions before 1.13 as block states, and back.

A code is ``id * 16 + data``. What the data value had no room for comes from elsewhere, as in the game: the other half
of a door or a tall plant, the block entity of a bed, a head, a banner or a flower pot, the snow above grass, and the
neighbours (:mod:`minece.blocks.formats.joints`).

A data value that an id does not have means what the game made of it, the id's first state. An id that version 1.12
does not have stays as ``legacy:ID_DATA``; nothing is dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks import tables
from minece.blocks.catalogue import block_names, tags
from minece.blocks.formats.joints import SIDES, Field, Flat, Numbers, found_in, join_neighbours
from minece.blocks.formats.limits import Deadline, Limits
from minece.blocks.states import canonical_state, join_state, material_of, split_state

Codes = NDArray[np.uint16]

DYES = (
    "white", "orange", "magenta", "light_blue", "yellow", "lime", "pink", "gray",
    "light_gray", "cyan", "purple", "blue", "brown", "green", "red", "black",
)  # fmt: skip
HEADS = ("skeleton", "wither_skeleton", "zombie", "player", "creeper", "dragon")

IDS = 4096
_OWN = 256
"""Ids from here on are free for blocks of mods."""

_DOORS = (64, 71, 193, 194, 195, 196, 197)
_BED, _POT, _HEAD, _PLANTS = 26, 140, 144, 175
_BANNERS = (176, 177)
_SNOWS = (78, 80)
_DOOR_FACINGS = ("east", "south", "west", "north")
_UNKNOWN = re.compile(r"legacy:(\d{1,4})_(\d{1,2})")
_LISTED = 8


@lru_cache(maxsize=1)
def _states() -> dict[int, str]:
    """Code → canonical state, as far as the code alone tells it."""
    out: dict[int, str] = {}
    for text, state in tables.legacy().items():
        number, _, data = text.partition(":")
        out[int(number) * 16 + int(data)] = _without_guesses(canonical_state(state))
    out[_HEAD * 16] = out[_HEAD * 16 + 1] = canonical_state("skeleton_skull[rotation=0]")
    for door in _DOORS:
        # A lower half without its upper one is hinged on the left.
        for low in range(8):
            out[door * 16 + low] = _with(out[door * 16 + low], hinge="left")
    return out


def _without_guesses(state: str) -> str:
    """The table takes open trapdoors of wood for powered ones; the data value does not tell."""
    return _with(state, powered="false") if material_of(state) in tags()["trapdoors"] else state


def _with(state: str, **properties: str) -> str:
    name, props = split_state(state)
    return join_state(name, {**props, **properties})


@lru_cache(maxsize=1)
def _first_data() -> dict[int, int]:
    """Id → its lowest data value; torches stand where theirs says nothing."""
    out: dict[int, int] = {}
    for code in sorted(_states(), reverse=True):
        out[code >> 4] = code & 15
    return out | {50: 5, 75: 5, 76: 5}


def _of_undefined(code: int) -> int:
    """The code that the game takes for one whose data value its id does not have."""
    known = _states()
    plain = code & ~8
    # Where eight values are all there is, the fourth bit says nothing.
    if code & 8 and all((code & ~15) + data in known for data in range(8)):
        if not any((code & ~15) + data in known for data in range(8, 16)):
            return plain
        if code >> 4 in _DOORS:
            return code & ~4
    return (code & ~15) + _first_data()[code >> 4]


@dataclass(slots=True)
class Notes:
    """What could not be taken as it is: code → cells."""

    unknown: dict[int, int] = field(default_factory=dict)
    undefined: dict[int, int] = field(default_factory=dict)

    def warnings(self) -> tuple[str, ...]:
        """Sentences for the user."""
        out = []
        if self.unknown:
            out.append(
                f"{sum(self.unknown.values()):,} blocks with numeric ids that version 1.12 does not have, kept as "
                f"legacy:ID_DATA: {_listed(self.unknown)}"
            )
        if self.undefined:
            out.append(
                f"{sum(self.undefined.values()):,} blocks with data values that their ids do not have, read as the "
                f"game does: {_listed(self.undefined)}"
            )
        return tuple(out)


def _listed(codes: Mapping[int, int]) -> str:
    names = [f"{code >> 4}:{code & 15}" for code in sorted(codes)]
    return ", ".join(names[:_LISTED]) + (f" and {len(names) - _LISTED} more" if len(names) > _LISTED else "")


@dataclass(slots=True)
class Names:
    """What a file's own table of ids says: ``ids`` (4096,) vanilla or free id of each of the file's ids, ``mods``
    name of each free id."""

    ids: NDArray[np.uint16]
    mods: dict[int, str]

    @classmethod
    def of(cls, pairs: Iterable[tuple[int, str]], limits: Limits) -> Names:
        """The table of a file from pairs of id and name. Raises :class:`LimitError`."""
        ids = np.arange(IDS, dtype=np.uint16)
        mods: dict[int, str] = {}
        vanilla = tables.legacy_ids()
        taken: dict[str, int] = {}
        for number, name in pairs:
            if not 0 <= number < IDS:
                continue
            known = vanilla.get(name.removeprefix("minecraft:"))
            if known is None:
                limits.most("names of blocks of mods", len(taken) + 1, IDS - _OWN)
                known = taken.setdefault(name, _OWN + len(taken))
                mods[known] = name
            ids[number] = known
        return cls(ids, mods)


def _mod_state(name: str, code: int) -> str:
    clean = re.sub(r"[^a-z0-9_./:-]", "_", name.lower())
    if not re.fullmatch(r"(?:[a-z0-9_.-]+:)?[a-z0-9_./-]+", clean):
        return f"legacy:{code >> 4}_{code & 15}"
    return clean if not code & 15 else f"{clean}[data={code & 15}]"


def state_of_code(code: int) -> str:
    """The state of a code alone; ``legacy:ID_DATA`` for an id that version 1.12 does not have."""
    known = _states()
    if code in known:
        return known[code]
    if code >> 4 in _first_data():
        return known[_of_undefined(code)]
    return f"legacy:{code >> 4}_{code & 15}"


def _state_of(code: int, mods: Mapping[int, str], cells: int, notes: Notes) -> str:
    if code >> 4 in mods:
        return _mod_state(mods[code >> 4], code)
    if code not in _states():
        (notes.undefined if code >> 4 in _first_data() else notes.unknown)[code] = cells
    return state_of_code(code)


_PIECE = 2**22


def states_of(
    codes: Codes,
    entities: Iterable[Any],
    corner: tuple[int, int, int],
    limits: Limits,
    deadline: Deadline,
    mods: Mapping[int, str] | None = None,
) -> tuple[Numbers, list[str], Notes]:
    """Palette numbers and palette of a box of (height, length, width) codes in order y, z, x.

    ``entities`` are the block entities of a file that uses coordinates in which the box begins at ``corner``. Raises
    :class:`LimitError`.
    """
    flat = codes.reshape(-1)
    counts = np.zeros(2**16, dtype=np.int64)
    for begin in range(0, len(flat), _PIECE):
        counts += np.bincount(flat[begin : begin + _PIECE], minlength=2**16)
    used = np.flatnonzero(counts)
    limits.most("kinds of blocks", len(used), limits.palette)
    notes = Notes()
    area = Field(np.zeros(codes.shape, dtype=np.uint16), [])
    renumber = np.zeros(2**16, dtype=np.uint16)
    for code in used.tolist():
        renumber[code] = area.number(_state_of(code, mods or {}, int(counts[code]), notes))
    for begin in range(0, len(flat), _PIECE):
        area.flat[begin : begin + _PIECE] = renumber[flat[begin : begin + _PIECE]]
    deadline.check()
    cells, kinds = found_in(flat, _kinds(), limits)
    if len(cells):
        found = _entities_by_cell(entities, corner, codes.shape) if np.isin(kinds, _WITH_ENTITY).any() else {}
        _doors(area, flat, cells[kinds == _IS_DOOR])
        _plants(area, flat, cells[kinds == _IS_PLANT])
        _snowy(area, flat, cells[kinds == _IS_SOIL])
        _by_entity(area, flat, cells[np.isin(kinds, _WITH_ENTITY)], found)
        deadline.check()
    join_neighbours(area, limits)
    deadline.check()
    return area.numbers, area.palette, notes


_IS_DOOR, _IS_PLANT, _IS_SOIL, _IS_BED, _IS_POT, _IS_HEAD, _IS_BANNER = range(1, 8)
_WITH_ENTITY = (_IS_BED, _IS_POT, _IS_HEAD, _IS_BANNER)


@lru_cache(maxsize=1)
def _kinds() -> NDArray[np.uint8]:
    """(65536,): what is to be looked up elsewhere for each code, 0 for most."""
    out = np.zeros((IDS, 16), dtype=np.uint8)
    out[list(_DOORS)] = _IS_DOOR
    out[_PLANTS] = _IS_PLANT
    out[2] = out[110] = _IS_SOIL
    out[3, 2] = _IS_SOIL
    out[_BED], out[_POT], out[_HEAD] = _IS_BED, _IS_POT, _IS_HEAD
    out[list(_BANNERS)] = _IS_BANNER
    return out.reshape(-1)


def _doors(area: Field, codes: NDArray[np.uint16], cells: Flat) -> None:
    """Open and facing stand in the lower half, hinge and powered in the upper one."""
    own = codes[cells].astype(np.int64)
    upper = (own & 8) > 0
    up, has_up = area.above(cells)
    down, has_down = area.above(cells, -1)
    there = np.where(upper, down, up)
    other = codes[there].astype(np.int64)
    paired = np.where(upper, has_down, has_up) & (other >> 4 == own >> 4) & ((other & 8) != (own & 8))
    low, high = np.where(upper, other, own) & 7, np.where(upper, own, other) & 3
    keys = (own >> 4) << 6 | upper.astype(np.int64) << 5 | high << 3 | low

    def state_of(key: int) -> str:
        name, props = split_state(_states()[(key >> 6) * 16])
        props["half"] = "upper" if key >> 5 & 1 else "lower"
        props["facing"] = _DOOR_FACINGS[key & 3]
        props["open"] = "true" if key & 4 else "false"
        props["hinge"] = "right" if key >> 3 & 1 else "left"
        props["powered"] = "true" if key >> 4 & 1 else "false"
        return join_state(name, props)

    area.put(cells[paired], keys[paired], state_of)


def _plants(area: Field, codes: NDArray[np.uint16], cells: Flat) -> None:
    """An upper half is of the plant below it."""
    upper = cells[(codes[cells] & 8) > 0]
    down, inside = area.above(upper, -1)
    below = codes[down].astype(np.int64)
    known = inside & (below >> 4 == _PLANTS) & (below & 15 < 6)
    area.put(upper[known], below[known] + 8, lambda code: _states()[code])


def _snowy(area: Field, codes: NDArray[np.uint16], cells: Flat) -> None:
    up, inside = area.above(cells)
    white = inside & np.isin(codes[up] >> 4, _SNOWS)
    keys = codes[cells[white]].astype(np.int64)
    area.put(cells[white], keys, lambda code: _with(_states().get(code) or _states()[code & ~15], snowy="true"))


def _entities_by_cell(
    entities: Iterable[Any], corner: tuple[int, int, int], shape: tuple[int, ...]
) -> dict[int, Mapping[str, Any]]:
    height, length, width = shape
    out: dict[int, Mapping[str, Any]] = {}
    for entity in entities:
        if not isinstance(entity, dict):
            continue
        place = [int(value) for axis in "xyz" if isinstance(value := entity.get(axis), int)]
        if len(place) != 3:
            continue
        x, y, z = (value - low for value, low in zip(place, corner, strict=True))
        if 0 <= x < width and 0 <= y < height and 0 <= z < length:
            out[(y * length + z) * width + x] = entity
    return out


def _by_entity(area: Field, codes: NDArray[np.uint16], cells: Flat, entities: Mapping[int, Mapping[str, Any]]) -> None:
    """Colours of beds and banners, kinds and directions of heads, what stands in pots."""
    if not entities:
        return
    states = []
    for cell in cells.tolist():
        entity, code = entities.get(cell), int(codes[cell])
        states.append((cell, _by_its_entity(area.palette[area.flat[cell]], code, entity) if entity else ""))
    for cell, state in states:
        if state:
            area.flat[cell] = area.number(state)


def _by_its_entity(state: str, code: int, entity: Mapping[str, Any]) -> str:
    name, props = split_state(state)
    number = code >> 4
    if number == _BED:
        colour = _whole(entity, "color", 16)
        return state if colour is None else join_state(f"{DYES[colour]}_bed", props)
    if number in _BANNERS:
        colour = _whole(entity, "Base", 16)
        # Banners count dyes from black.
        return state if colour is None else join_state(f"{DYES[15 - colour]}_{name.removeprefix('white_')}", props)
    if number == _HEAD:
        kind = _whole(entity, "SkullType", len(HEADS)) or 0
        turn = _whole(entity, "Rot", 16)
        if "rotation" in props and turn is not None:
            props["rotation"] = str(turn)
        return join_state(_head_name(kind, "wall" in name), props)
    return _potted(entity.get("Item"), _whole(entity, "Data", 16) or 0) or state


def _whole(entity: Mapping[str, Any], name: str, below: int) -> int | None:
    value = entity.get(name)
    return int(value) if isinstance(value, int) and 0 <= value < below else None


def _head_name(kind: int, wall: bool) -> str:
    bone = "skull" if kind < 2 else "head"
    return f"{HEADS[kind]}_{'wall_' if wall else ''}{bone}"


def _potted(item: Any, data: int) -> str:
    """The pot with an item in it, "" where there is no such pot."""
    if isinstance(item, str):
        number = tables.legacy_ids().get(item.removeprefix("minecraft:"), -1)
    else:
        number = int(item) if isinstance(item, int) else -1
    if number == 0:
        return "flower_pot"
    state = _states().get(number * 16 + data)
    name = f"potted_{material_of(state)}" if state else ""
    return name if name in block_names() else ""


# --- writing --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Code:
    """How a state is written: its code, and the block entity that says the rest, None where there is no need."""

    code: int
    entity: Mapping[str, int | str] | None = None


_SIDES = {*SIDES, "up", "down"}


@lru_cache(maxsize=4096)
def code_of(state: str) -> Code | None:
    """How a canonical state is written, None where no numeric id can hold it.

    What the neighbours, the other half or a block entity say may differ (:func:`states_of` looks there).
    """
    name, props = split_state(state)
    if found := _UNKNOWN.fullmatch(state):
        number, data = int(found[1]), int(found[2])
        fits = number < IDS and data < 16 and number not in _first_data() and state == f"legacy:{number}_{data}"
        return Code(number * 16 + data) if fits else None
    entity: dict[str, int | str] | None = None
    if name in tags()["beds"]:
        colour, name = name.removesuffix("_bed"), "red_bed"
        entity = None if colour == "red" else {"id": "minecraft:bed", "color": DYES.index(colour)}
    elif name in tags()["banners"]:
        colour = next(dye for dye in DYES if name.removeprefix(dye) in ("_banner", "_wall_banner"))
        name = name.replace(colour, "white", 1)
        entity = None if colour == "white" else {"id": "minecraft:banner", "Base": 15 - DYES.index(colour)}
    elif name in tags()["heads"]:
        wall = "wall" in name
        kind = next((kind for kind in range(len(HEADS)) if _head_name(kind, wall) == name), None)
        if kind is None:
            return None
        name, turn = _head_name(0, wall), int(props.get("rotation", 0))
        if kind or turn:
            entity = {"id": "minecraft:skull", "SkullType": kind, "Rot": turn}
        if not wall:
            props["rotation"] = "0"
    elif name.startswith("potted_"):
        entity = _pot_entity(name)
        if entity is None:
            return None
        name = "flower_pot"
    code = _codes().get(_held(join_state(name, props)))
    return None if code is None else Code(code, entity)


def _pot_entity(name: str) -> dict[str, int | str] | None:
    for plant in ("red_flower", "yellow_flower", "sapling", "deadbush", "tallgrass", "cactus", "brown_mushroom",
                  "red_mushroom"):  # fmt: skip
        for data in range(16):
            if _potted(plant, data) == name:
                return {"id": "minecraft:flower_pot", "Item": f"minecraft:{plant}", "Data": data}
    return None


@lru_cache(maxsize=1)
def _codes() -> dict[str, int]:
    """What a code holds of a state → the code; the lowest of several, but still fluids and heads that stand."""
    out: dict[str, int] = {}
    for code in sorted(_states()):
        if code >> 4 != _POT or not code & 15:
            out.setdefault(_held(_states()[code]), code)
    for code in (9 * 16, 11 * 16, _HEAD * 16 + 1):
        out[_held(_states()[code])] = code
    return out


@lru_cache(maxsize=4096)
def _held(state: str) -> str:
    """The part of a state that a code holds."""
    name, props = split_state(state)
    known = tags()
    drop: set[str] = set()
    if props.get("waterlogged") == "false":
        drop.add("waterlogged")
    if name in known["doors"]:
        drop |= {"facing", "open"} if props.get("half") == "upper" else {"hinge", "powered"}
    elif name in known["stairs"]:
        drop.add("shape")
    elif name in known["fence_gates"]:
        drop.add("in_wall")
    elif name in known["leaves"]:
        drop.add("distance")
    elif name in known["trapdoors"]:
        drop.add("powered")
    elif name in known["chests"]:
        drop.add("type")
    elif name == "note_block":
        drop |= set(props)
    elif name == "repeater":
        drop.add("locked")
    elif name in ("grass_block", "podzol", "mycelium"):
        drop.add("snowy")
    elif name == "vine":
        drop.add("up")
    elif (
        name in known["fences"] or name in known["glass_panes"] or name in known["bars"] or name in known["walls"]
    ) or name in ("redstone_wire", "tripwire", "fire", "chorus_plant"):
        drop |= _SIDES
    return join_state(name, {key: value for key, value in props.items() if key not in drop})
