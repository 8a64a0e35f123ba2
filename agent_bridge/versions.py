"""Block states in the words of one version of the game; back again is :func:`~minece.blocks.states.canonical_state`."""

from __future__ import annotations

from functools import lru_cache

from minece.blocks.catalogue import name_in_version
from minece.blocks.states import canonical_state, join_state, split_state


@lru_cache(maxsize=65536)
def state_in_version(state: str, version: str) -> str:
    """The text that a version has for a state.

    What a version has no words for is left as it is, for the game to refuse. Raises
    :class:`~minece.blocks.errors.StateError` for text that is no state.

    >>> state_in_version("iron_chain[axis=x]", "1.20.4")
    'chain[axis=x,waterlogged=false]'
    """
    name, properties = split_state(canonical_state(state))
    if name == "trial_spawner" and properties["ominous"] == "false" and _before(version, 1, 20, 5):
        del properties["ominous"]
    if name == "creaking_heart" and properties["creaking_heart_state"] in _BEATS and _before(version, 1, 21, 5):
        properties["active"] = _BEATS[properties.pop("creaking_heart_state")]
    return join_state(name_in_version(name, version), properties)


_BEATS = {"awake": "true", "uprooted": "false"}


def _before(version: str, *later: int) -> bool:
    return tuple(int(part) for part in version.split(".")) < later
