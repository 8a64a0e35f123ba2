"""The world in memory: no game, no Node, the same semantics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from minece.agent_bridge.building import BuilderWorld
from minece.agent_bridge.clicks import Change, Point
from minece.agent_bridge.hands import Step
from minece.agent_bridge.site import Site
from minece.agent_bridge.world import BUILDER, Outcome
from minece.blocks.build import Provenance
from minece.tasks.briefings import VERSION_NAMED
from minece.tasks.task import Limits

DEFAULT_START: Point = (0.5, 0.0, 0.5)


class OfflineWorld(BuilderWorld):
    """A plot in memory.

    ``start`` is where the builder stands at first; ``bounded`` false lifts the limits of plot, height and depth.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        stock: Mapping[str, int] | None = None,
        start: Point = DEFAULT_START,
        version: str = VERSION_NAMED,
        bounded: bool = True,
        source: str = "",
        who: str = BUILDER,
    ) -> None:
        provenance = Provenance(source=source, format="offline world", version=version, ground="y = 0, the plot's")
        site = Site(limits=limits or Limits(), stock=stock, bounded=bounded, provenance=provenance, who=who)
        super().__init__(site, version=version, start=start)

    def _carry_out(self, steps: Sequence[Step]) -> Outcome:
        changes = tuple(change for step in steps for change in step.changes)
        return self._put(changes)

    def _put(self, changes: Sequence[Change]) -> Outcome:
        self._site.apply(changes)
        return Outcome(True, changes=tuple(changes))

    def _go(self, position: Point) -> Outcome:
        self.position = position
        return Outcome(True)

    def facts(self) -> dict[str, Any]:
        return {"kind": "offline", "version": self.version}

    def close(self) -> None:
        """There is nothing to leave."""

    def _check(self) -> None:
        """The record is the world."""
