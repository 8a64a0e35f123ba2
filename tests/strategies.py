"""Builds for hypothesis, shared by the tests of all folders."""

from __future__ import annotations

from hypothesis import strategies as st

from minece.blocks import Build

SOLID = ["stone", "cobblestone", "oak_planks", "white_concrete", "dirt", "glass"]
PARTIAL = ["oak_slab[type=bottom]", "oak_slab[type=double]", "oak_stairs[facing=east]", "oak_fence", "cobblestone_wall"]
HELD = [
    "torch",
    "wall_torch[facing=north]",
    "ladder[facing=west]",
    "oak_door[half=lower,facing=east]",
    "oak_door[half=upper,facing=east]",
    "red_bed[part=foot,facing=south]",
    "red_bed[part=head,facing=south]",
    "red_carpet",
]
OTHERS = ["sand", "water", "oak_leaves", "candle[candles=3]", "some_mod:machine", "potted_poppy"]

states = st.sampled_from(SOLID) | st.sampled_from(SOLID + PARTIAL + HELD + OTHERS)

spots = st.tuples(st.integers(-4, 4), st.integers(-3, 5), st.integers(-4, 4))


@st.composite
def boxes(draw: st.DrawFn) -> list[list[object]]:
    """Placements of a full box of one state, in one of six orders."""
    x, y, z = draw(spots)
    sides = [range(a, a + draw(st.integers(1, 4))) for a in (x, y, z)]
    state, axes = draw(states), draw(st.permutations([0, 1, 2]))
    cells = [(0, 0, 0)]
    for axis in axes:
        cells = [(*c[:axis], value, *c[axis + 1 :]) for c in cells for value in sides[axis]]
    return [["place", *cell, state] for cell in cells]


@st.composite
def houses(draw: st.DrawFn) -> list[list[object]]:
    """Placements of a foundation, columns, walls and a ceiling, perhaps of two storeys and not in that order, with
    a door, a bed and a torch."""
    width, depth, height = draw(st.integers(3, 6)), draw(st.integers(3, 6)), draw(st.integers(2, 3))
    inner = [(x, z) for x in range(width) for z in range(depth)]
    corners = {(x, z) for x in (0, width - 1) for z in (0, depth - 1)}
    ring = [(x, z) for x, z in inner if x in (0, width - 1) or z in (0, depth - 1)]
    parts = [[["place", x, -1, z, "white_concrete"] for x, z in inner]]
    for floor in range(draw(st.integers(1, 2))):
        levels = range(floor * (height + 1), floor * (height + 1) + height)
        parts.append([["place", x, y, z, "stone"] for x, z in sorted(corners) for y in levels])
        parts.append([["place", x, y, z, "cobblestone"] for y in levels for x, z in ring if (x, z) not in corners])
        parts.append([["place", x, levels.stop, z, "oak_planks"] for x, z in inner])
    facing = draw(st.sampled_from(["east", "south"]))
    door, bed = f"oak_door[half={{}},facing={facing}]", "red_bed[part={},facing=south]"
    parts.append([["place", 1, 0, 0, door.format("lower")], ["place", 1, 1, 0, door.format("upper")]])
    parts.append([["place", 1, 0, 1, bed.format("foot")], ["place", 1, 0, 2, bed.format("head")]])
    parts.append([["place", 0, height + 1, 1, "torch"]])
    order = draw(st.permutations(range(len(parts))) | st.just(range(len(parts))))
    kept = [parts[i] for i in order if draw(st.integers(0, 9))]
    return [event for part in kept for event in part]


removals = spots.map(lambda cell: [["break", *cell]])
single = st.tuples(spots, states).map(lambda pair: [["place", *pair[0], pair[1]]])

parts = st.lists(boxes() | single | removals, max_size=5).map(lambda found: sum(found, []))

events = st.tuples(houses() | st.just([]), parts).map(lambda both: both[0] + both[1])
"""Logs of houses, boxes, single blocks and removals; a few leave nothing."""

builds = events.map(Build.from_log)
"""Builds with their log; a few are empty."""
