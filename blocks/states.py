"""Block states as text: ``oak_stairs[facing=west,half=bottom,shape=straight,waterlogged=false]``.

One block has one canonical text: the namespace ``minecraft:`` left out, ids and values of older versions replaced,
missing properties filled in with their defaults, properties sorted. Everything else in minece speaks canonical
states only.
"""

from __future__ import annotations

import re
from functools import lru_cache

from minece.blocks import tables
from minece.blocks.errors import StateError

AIRS = frozenset({"air", "cave_air", "void_air"})
"""Ids that mean an empty cell."""

VOID = "structure_void"
"""The id that means: nothing is said about this cell."""

EMPTIES = AIRS | {VOID}
"""The ids that are no blocks."""

LONGEST = 1024
"""Characters that a state may have; the longest of the game has 188."""

_NAME = re.compile(r"(?:[a-z0-9_.-]+:)?[a-z0-9_./-]+")
_WORD = re.compile(r"[a-z0-9_.-]+")
_MEND = "write it like oak_stairs[facing=west,half=bottom]"


def split_state(text: str) -> tuple[str, dict[str, str]]:
    """Id and properties of a state text, ``minecraft:`` dropped and other namespaces kept.

    Nothing is filled in or replaced. Raises :class:`StateError`.

    >>> split_state("minecraft:oak_stairs[facing=west]")
    ('oak_stairs', {'facing': 'west'})
    """
    if not isinstance(text, str):
        raise StateError(f"a block state is text, not {type(text).__name__}", mend=_MEND)
    if len(text) > LONGEST:
        raise StateError(f"block state {text[:40]!r}… has {len(text)} characters, more than {LONGEST}")
    name, bracket, rest = text.strip().partition("[")
    name = name.strip()
    if not _NAME.fullmatch(name):
        mend = "ids are lower case, as in oak_planks" if name.strip() else _MEND
        raise StateError(f"{text!r} is no block state", mend=mend)
    name = name.removeprefix("minecraft:")
    props: dict[str, str] = {}
    if not bracket:
        return name, props
    if not rest.endswith("]"):
        raise StateError(f"block state {text!r} does not end with its bracket", mend=_MEND)
    if not rest[:-1].strip():
        return name, props
    for part in rest[:-1].split(","):
        key, _, value = (side.strip() for side in part.partition("="))
        if not _WORD.fullmatch(key) or not _WORD.fullmatch(value):
            raise StateError(f"block state {text!r} has a malformed property {part!r}", mend=_MEND)
        if key in props:
            raise StateError(f"block state {text!r} names the property {key} twice")
        props[key] = value
    return name, props


def join_state(name: str, props: dict[str, str]) -> str:
    """The text of an id and its properties, sorted."""
    if not props:
        return name
    return f"{name}[{','.join(f'{key}={props[key]}' for key in sorted(props))}]"


@lru_cache(maxsize=16384)
def canonical_state(text: str) -> str:
    """The one text of a block state.

    Unknown ids, and unknown properties or values of known ids, are kept; :func:`minece.blocks.catalogue.describe`
    tells. Raises :class:`StateError` for text that is no state.

    >>> canonical_state("minecraft:grass")
    'short_grass'
    >>> canonical_state("stone_slab[type=top]")
    'stone_slab[type=top,waterlogged=false]'
    """
    name, props = current(*split_state(text))
    block = tables.block(name)
    if block is not None and block.properties:
        props = {**block.default, **props}
    return join_state(name, props)


@lru_cache(maxsize=16384)
def material_of(state: str) -> str:
    """The id of a state without ``minecraft:`` and brackets, after aliases. Raises :class:`StateError`.

    >>> material_of("minecraft:chain[axis=x]")
    'iron_chain'
    """
    return current(*split_state(state))[0]


def is_air(state: str) -> bool:
    """Whether a state means an empty cell (one of :data:`AIRS`). Raises :class:`StateError`."""
    return material_of(state) in AIRS


def current(name: str, props: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Id and properties as the catalogue's version of the game writes them."""
    aliases = tables.aliases()
    if name in aliases.renames:
        name = aliases.renames[name][0]
    if name not in aliases.changed:
        return name, props
    for key in list(props):
        change = aliases.changes.get((name, key))
        if change is None:
            continue
        value = props[key]
        if value in change.values:
            props[key] = change.values[value]
        elif value in change.becomes:
            text = change.becomes[value]
            del props[key]
            if "=" in text and "[" not in text:
                new_key, _, new_value = text.partition("=")
                props[new_key] = new_value
            else:
                name, fresh = split_state(text)
                props.update(fresh)
    return name, props
