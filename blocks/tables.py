"""The committed tables in blocks/data, read once and late.

``catalogue.json``, ``tags.json``, ``aliases.json`` and ``legacy.json`` are written by tools/make_catalogue.py;
``exceptions.toml`` is written by hand. Nothing is read when this module is imported.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "data"

Box = tuple[float, float, float, float, float, float]
FULL_BOX: tuple[Box, ...] = ((0.0, 0.0, 0.0, 1.0, 1.0, 1.0),)


@dataclass(frozen=True, slots=True)
class Block:
    """One block id of the catalogue.

    ``properties`` maps each property to its values and ``default`` to the value of the block as placed by
    default; ``shape_by`` names the properties on which the boxes depend and ``shape`` holds a shape number for
    each combination of their values, the last property varying fastest.
    """

    name: str
    since: str
    colour: str
    items: tuple[str, ...]
    properties: dict[str, tuple[str, ...]]
    default: dict[str, str]
    shape_by: tuple[str, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a property of an older version: values renamed, or a whole new state."""

    values: dict[str, str] = field(default_factory=dict)
    becomes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Aliases:
    """Renamed ids (old → new id and the last version with the old one) and changed properties."""

    renames: dict[str, tuple[str, str]]
    changes: dict[tuple[str, str], Change]
    changed: frozenset[str]


def _read(name: str) -> dict[str, Any]:
    table: dict[str, Any] = json.loads((FOLDER / name).read_bytes())
    return table


@lru_cache(maxsize=1)
def _catalogue() -> dict[str, Any]:
    return _read("catalogue.json")


@lru_cache(maxsize=1)
def names() -> frozenset[str]:
    """All block ids."""
    return frozenset(_catalogue()["blocks"])


def versions() -> list[str]:
    """The versions of the game that ``Block.since`` tells apart, oldest first."""
    out: list[str] = _catalogue()["versions"]
    return out


@lru_cache(maxsize=2048)
def block(name: str) -> Block | None:
    """The catalogue's entry of an id, or None."""
    raw = _catalogue()["blocks"].get(name)
    if raw is None:
        return None
    properties = {prop: tuple(values) for prop, values in raw.get("properties", {}).items()}
    shape = raw["shape"]
    return Block(
        name=name,
        since=raw["since"],
        colour=raw["colour"],
        items=tuple(raw.get("item", name).split()),
        properties=properties,
        default=dict(zip(properties, raw.get("default", ()), strict=True)),
        shape_by=tuple(raw.get("shape_by", ())),
        shape=tuple(shape) if isinstance(shape, list) else (shape,),
    )


@lru_cache(maxsize=1024)
def boxes(number: int) -> tuple[Box, ...]:
    """The collision boxes with this shape number."""
    return tuple((b[0], b[1], b[2], b[3], b[4], b[5]) for b in _catalogue()["shapes"][number])


@lru_cache(maxsize=1)
def tags() -> dict[str, frozenset[str]]:
    """Tag (without "#") → block ids."""
    return {tag: frozenset(ids) for tag, ids in _read("tags.json")["tags"].items()}


@lru_cache(maxsize=1)
def aliases() -> Aliases:
    """Renames and changed properties over the versions of the game."""
    raw = _read("aliases.json")
    changes = {
        (name, prop): Change(entry.get("values", {}), entry.get("becomes", {}))
        for entry in raw["migrations"]
        for name in entry["blocks"]
        for prop in entry["properties"]
    }
    return Aliases(
        renames={old: (new, until) for old, (new, until) in raw["renames"].items()},
        changes=changes,
        changed=frozenset(name for name, _ in changes),
    )


@lru_cache(maxsize=1)
def exceptions() -> dict[str, tuple[dict[str, Any], ...]]:
    """Block id → the entries of exceptions.toml that speak of it, in their order."""
    found: dict[str, list[dict[str, Any]]] = {}
    for entry in tomllib.loads((FOLDER / "exceptions.toml").read_text(encoding="utf-8"))["exception"]:
        if "boxes" in entry:
            entry["boxes"] = tuple(tuple(map(float, box)) for box in entry["boxes"])
        for text in entry["blocks"]:
            for name in tags()[text[1:]] if text.startswith("#") else (text,):
                found.setdefault(name, []).append(entry)
    return {name: tuple(entries) for name, entries in found.items()}


@lru_cache(maxsize=1)
def legacy() -> dict[str, str]:
    """Numeric ``"id:data"`` of versions before 1.13 → block state, as far as the id alone tells it."""
    out: dict[str, str] = _read("legacy.json")["blocks"]
    return out


@lru_cache(maxsize=1)
def legacy_ids() -> dict[str, int]:
    """Block name of version 1.12, without ``minecraft:`` → its numeric id."""
    out: dict[str, int] = _read("legacy.json")["names"]
    return out
