"""Houses drawn at random whose rooms are known: walls around a grid of rooms, doorways, windows without panes."""

from __future__ import annotations

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st
from plans import rooms

from minece.blocks import Build

Cell = tuple[int, int, int]
DOOR = "oak_door[facing={},half={}]"


@dataclass
class House:
    """``xs``, ``zs``: where the walls stand; ``ways``: columns with a doorway."""

    xs: list[int]
    zs: list[int]
    height: int
    blocks: dict[Cell, str] = field(default_factory=dict)
    ways: set[tuple[int, int]] = field(default_factory=set)

    @property
    def rooms(self) -> int:
        return (len(self.xs) - 1) * (len(self.zs) - 1)

    @property
    def build(self) -> Build:
        return Build.from_blocks([(*cell, state) for cell, state in self.blocks.items()])

    def without(self, cell: Cell) -> Build:
        return Build.from_blocks([(*other, state) for other, state in self.blocks.items() if other != cell])

    def doorway(self, x: int, z: int, facing: str, leaf: bool) -> None:
        self.ways.add((x, z))
        for y, half in enumerate(("lower", "upper")):
            if leaf:
                self.blocks[x, y, z] = DOOR.format(facing, half)
            else:
                del self.blocks[x, y, z]

    def window(self, along_x: bool, wall: int, place: int, y: int) -> None:
        """One cell, where at least two thirds of that wall's columns stay whole."""
        lines = self.xs if along_x else self.zs
        low = max(line for line in lines if line < place)
        high = min(line for line in lines if line > place)
        columns = [(i, wall) if along_x else (wall, i) for i in range(low + 1, high)]
        broken = [
            column
            for column in columns
            if column in self.ways or any((column[0], h, column[1]) not in self.blocks for h in range(self.height))
        ]
        x, z = (place, wall) if along_x else (wall, place)
        if (x, z) not in self.ways and 3 * (len(broken) + 1) <= len(columns):
            self.blocks.pop((x, y, z), None)


def walls(draw, most: int) -> list[int]:
    lines = [0]
    for inner in draw(st.lists(st.integers(3, 6), min_size=1, max_size=most)):
        lines.append(lines[-1] + inner + 1)
    return lines


@st.composite
def houses(draw) -> House:
    house = House(walls(draw, 3), walls(draw, 2), draw(st.integers(2, 4)))
    xs, zs, height = house.xs, house.zs, house.height
    for x in range(xs[-1] + 1):
        for z in range(zs[-1] + 1):
            house.blocks[x, height, z] = "oak_planks"
            if x in xs or z in zs:
                house.blocks |= {(x, y, z): "stone" for y in range(height)}
    # In low rooms an archway has the ceiling for its lintel, and needs a jamb on both sides.
    for i, x in enumerate(xs[1:-1], 1):
        for j, (low, high) in enumerate(zip(zs, zs[1:], strict=False)):
            leaf = draw(st.booleans())
            end = 1 + (height == 2 and not leaf)
            if j == 0 or i % 2:
                house.doorway(x, draw(st.integers(low + end, high - end)), "east", leaf)
    for z in zs[1:]:
        low, high = xs[0], xs[1]
        leaf = draw(st.booleans())
        end = 1 + (height == 2 and not leaf)
        house.doorway(draw(st.integers(low + end, high - end)), z, "south", leaf)
    # Rooms that no doorway above leads to get one from their western neighbour.
    for i, x in enumerate(xs[1:-1], 1):
        for j, (low, high) in enumerate(zip(zs, zs[1:], strict=False)):
            if j and not i % 2:
                house.doorway(x, (low + high) // 2, "east", True)
    for _ in range(draw(st.integers(0, 6))):
        along_x, far, y = draw(st.booleans()), draw(st.booleans()), draw(st.integers(1, height - 1))
        lines, others = (xs, zs) if along_x else (zs, xs)
        places = [place for place in range(lines[-1]) if place not in lines]
        house.window(along_x, others[-1] if far else 0, draw(st.sampled_from(places)), y)
    return house


@settings(deadline=None, max_examples=60)
@given(houses(), st.integers(0, 3), st.data())
def test_rooms_of_random_houses(house, quarters, data):
    assert rooms(house.build.turned(quarters)) == house.rooms
    x, z = (
        data.draw(st.sampled_from([i for i in range(lines[-1]) if i not in lines])) for lines in (house.xs, house.zs)
    )
    assert rooms(house.without((x, house.height, z))) == house.rooms - 1, "a cell of the roof is missing"
