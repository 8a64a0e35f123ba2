"""A plot in memory for tests of placing: soil below y = 0, air above, and what clicks change."""

from __future__ import annotations

from collections.abc import Iterable

from minece.agent_bridge.clicks import MIDDLE, YAW, Cell, Change, Click, Point, Refusal, Side
from minece.agent_bridge.placing import plan, take_away, use_item
from minece.blocks.states import canonical_state


def soil(cell: Cell) -> str:
    """What lies in a cell that nobody has touched."""
    return "air" if cell[1] >= 0 else "grass_block[snowy=false]" if cell[1] == -1 else "dirt"


class FlatWorld:
    """Cells that differ from the soil and the air."""

    def __init__(self, blocks: dict[Cell, str] | None = None) -> None:
        self.cells = {cell: canonical_state(state) for cell, state in (blocks or {}).items()}

    def at(self, cell: Cell) -> str:
        """What is in a cell."""
        return self.cells[cell] if cell in self.cells else soil(cell)

    def blocks(self) -> dict[Cell, str]:
        """The cells that are not as nobody has touched them."""
        return {cell: state for cell, state in self.cells.items() if state != soil(cell)}

    def take(self, changes: Iterable[Change]) -> None:
        """Let changes come about."""
        for change in changes:
            assert change.state == canonical_state(change.state)
            self.cells[change.cell] = change.state

    def use(
        self,
        item: str,
        on: Cell,
        face: Side,
        *,
        look: Side | float = "north",
        pitch: float = 0.0,
        cursor: Point | None = None,
    ) -> tuple[Change, ...] | str:
        """Use an item; the reason where it is refused."""
        yaw = look if isinstance(look, float) else YAW[look]
        found = use_item(self.at, item, Click(on, face, cursor or MIDDLE[face], yaw, pitch))
        if isinstance(found, Refusal):
            return found.reason
        self.take(found)
        return found

    def place(self, block: str, cell: Cell, *, on: Side | None = None, facing: Side = "north") -> str:
        """Place a block by the click that is planned for it; "" or the reason why not."""
        chosen = plan(self.at, block, cell, on=on, facing=facing)
        if isinstance(chosen, Refusal):
            return chosen.reason
        changes = use_item(self.at, chosen.item, chosen.click)
        assert not isinstance(changes, Refusal), (block, chosen, changes)
        self.take(changes)
        return ""

    def remove(self, cell: Cell) -> tuple[Change, ...] | str:
        """Break a block; the reason where there is none."""
        found = take_away(self.at, cell)
        if isinstance(found, Refusal):
            return found.reason
        self.take(found)
        return found
