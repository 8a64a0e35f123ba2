"""Builds as they are given, one a turn."""

from __future__ import annotations

from collections.abc import Iterable

from minece.blocks import Build
from minece.results.errors import ScoringError


def as_turns(builds: Build | Iterable[Build]) -> list[Build]:
    """A list with one build per turn. Raises :class:`ScoringError` for none at all and for what is no build."""
    turns = [builds] if isinstance(builds, Build) else list(builds)
    if not turns:
        raise ScoringError("there is no build to judge", mend="give one build for each turn")
    for build in turns:
        if not isinstance(build, Build):
            kind = type(build).__name__
            raise ScoringError(f"a {kind} where a build belongs", mend="read files with minece.load")
    return turns
