"""Palette entries as compounds of ``Name`` and ``Properties``, and what else the game's own formats have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from minece.blocks.errors import FormatError
from minece.blocks.formats import nbt
from minece.blocks.states import join_state


def state_of(entry: nbt.Compound, place: str) -> str:
    """The state of a palette entry. Raises :class:`FormatError`."""
    name = entry.get("Name")
    if not isinstance(name, str):
        raise FormatError("has no Name", where=place, mend="export it again")
    properties = entry.get("Properties")
    if properties is None:
        return name
    if not isinstance(properties, dict) or not all(isinstance(v, str) for v in properties.values()):
        raise FormatError("is no compound of texts", where=f"{place}/Properties", mend="export it again")
    return join_state(name, properties)


def entry_of(state: str) -> nbt.Compound:
    """The palette entry of a state."""
    name, _, rest = state.partition("[")
    if not rest:
        return {"Name": name}
    return {"Name": name, "Properties": dict(pair.split("=", 1) for pair in rest.rstrip("]").split(","))}


def entities_left_out(lists: Iterable[Any]) -> tuple[str, ...]:
    """A warning that counts the entities in lists of them, none where there are none."""
    count = sum(len(tags) for tags in lists if isinstance(tags, nbt.List))
    return (f"{count:,} {'entity is' if count == 1 else 'entities are'} left out",) if count else ()
