"""agent_bridge/data/placing.toml, read once and late."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from minece.blocks.catalogue import block_names, default_state, describe, materials
from minece.blocks.states import canonical_state, material_of

FILE = Path(__file__).parent.parent / "data" / "placing.toml"


@lru_cache(maxsize=1)
def _read() -> dict[str, Any]:
    return tomllib.loads(FILE.read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    return {name: _ids(words) for name, words in _read()["lists"].items()}


def _ids(words: list[str]) -> frozenset[str]:
    """Ids and tags in their order; a word with "-" takes out what came before it."""
    out: set[str] = set()
    for word in words:
        if word.startswith("-"):
            out -= materials([word[1:]])
        else:
            out |= materials([word])
    return frozenset(out)


def among(name: str, key: str) -> bool:
    """Whether a list holds a block id."""
    return name in _lists()[key]


@lru_cache(maxsize=4)
def words(table: str) -> dict[str, str]:
    """Block id → its word in ``kinds``, ``joins`` or ``holds``."""
    return {name: word for word, entries in _read()[table].items() for name in _ids(entries)}


@lru_cache(maxsize=1)
def soils() -> dict[str, frozenset[str]]:
    """Plant → the blocks that it grows on."""
    out: dict[str, frozenset[str]] = {}
    for entry in _read()["soil"]:
        on = frozenset().union(*(_lists().get(word) or _ids([word]) for word in entry["on"]))
        out.update(dict.fromkeys(_ids(entry["plants"]), on))
    return out


def new_values(name: str) -> dict[str, str]:
    """What a block has when it is placed, other than its default."""
    values: dict[str, str] = _read()["new"].get(name, {})
    return values


@lru_cache(maxsize=1)
def away() -> frozenset[str]:
    """Blocks that face away from the neighbour at which they were asked for."""
    return _ids(_read()["wishes"]["away"])


@lru_cache(maxsize=1)
def later() -> frozenset[str]:
    """Properties that have one value when a block is placed."""
    return frozenset(_read()["wishes"]["later"])


@lru_cache(maxsize=1)
def fillings() -> dict[tuple[str, str], str]:
    """(block that is there, item) → the state that the block becomes when the item is used on it."""
    out = {
        (name, entry["item"]): canonical_state(entry["state"])
        for entry in _read()["fill"]
        for name in _ids([entry["into"]])
    }
    for name in sorted(block_names()):
        items = block_items(name)
        if len(items) == 2:
            out[items[0], items[1]] = default_state(name)
    return out


@lru_cache(maxsize=1)
def filled_by() -> dict[str, str]:
    """Block that another one becomes when an item is used on it → the item."""
    return {material_of(state): item for (_, item), state in fillings().items()}


def block_items(name: str) -> tuple[str, ...]:
    """The items that a block is made of, one after another; none where it cannot be had."""
    info = describe(name)
    return tuple(item for item in (info.item, info.extra_item) if item)


class Placeable(NamedTuple):
    """What an item places: a block, and the block that it becomes at a wall ("" if none)."""

    block: str
    wall_form: str


@lru_cache(maxsize=1)
def placeables() -> dict[str, Placeable]:
    """Item → what it places."""
    blocks: dict[str, list[str]] = {}
    for name in sorted(block_names(), key=lambda name: (len(name), name)):
        items = block_items(name)
        if len(items) == 1 and not among(name, "grown"):
            blocks.setdefault(items[0], []).append(name)
    out = {}
    for item, names in blocks.items():
        block = item if item in names else names[0]
        walls = [name for name in names if name != block and words("kinds").get(name) in ("on_wall", "across")]
        out[item] = Placeable(block, walls[0] if walls else "")
    return out


def unknown_names() -> frozenset[str]:
    """The ids in the file that the catalogue lacks."""
    found = set().union(*_lists().values(), *soils().values(), soils(), away())
    return frozenset(found.union(*(words(table) for table in ("kinds", "joins", "holds")))) - block_names()
