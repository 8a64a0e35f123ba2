"""What our server may let players do: the rules of placing by hand, and the limits of the plot."""

from __future__ import annotations

import time
from collections.abc import Sequence
from threading import Lock

from minece.agent_bridge.clicks import Change, Refusal
from minece.agent_bridge.placing import take_away, use_item
from minece.agent_bridge.server import Use, Wish
from minece.agent_bridge.site import Site
from minece.blocks import Build


class Referee:
    """Judges the wishes of players, one after another, on a site of its own."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = Lock()
        self._placed = 0
        self._start = time.monotonic()

    def __call__(self, wish: Wish) -> tuple[Change, ...] | Refusal:
        """What a wish changes, or why it is refused."""
        with self._lock:
            at = self._site.at
            found = use_item(at, wish.item, wish.click) if isinstance(wish, Use) else take_away(at, wish.cell)
            if isinstance(found, Refusal):
                return found
            if reason := self._site.forbids(found):
                return Refusal(reason)
            self._site.apply(found, time=time.monotonic() - self._start)
            self._placed += isinstance(wish, Use)
            return found

    def end_turn(self) -> tuple[int, Build]:
        """How many placements there were since the last turn's end, and what stands now."""
        with self._lock:
            placed, self._placed = self._placed, 0
            return placed, self._site.end_turn()

    def told(self, changes: Sequence[Change]) -> None:
        """Take what was changed over the control channel."""
        with self._lock:
            self._site.apply(changes, time=time.monotonic() - self._start)
