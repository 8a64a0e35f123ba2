"""What the game works out from neighbours: real files, of which these properties are taken away and worked out anew."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from minece.blocks import Build, formats
from minece.blocks.formats.joints import Field, join_neighbours
from minece.blocks.formats.limits import LIMITS
from minece.blocks.formats.volume import dense
from minece.blocks.states import canonical_state, join_state, split_state

REAL = Path(__file__).parents[2] / "data" / "real"
HELD = {"facing", "half", "open", "powered", "waterlogged"}
WORKED_OUT = ("_fence", "_pane", "iron_bars", "_wall", "_stairs", "_fence_gate")


def is_joined(state: str) -> bool:
    return state.partition("[")[0].endswith(WORKED_OUT)


def laid_out(build: Build) -> Field:
    box = dense(build, LIMITS)
    palette = [canonical_state(state) for state in box.palette]
    return Field(box.numbers.astype(np.uint16), palette)


def without_joints(field: Field) -> Field:
    """The same with fences, walls, panes, gates and stairs as if they stood alone."""
    alone = Field(np.zeros_like(field.numbers), [])
    numbers = []
    for state in field.palette:
        name, props = split_state(state)
        if is_joined(state):
            state = canonical_state(join_state(name, {k: v for k, v in props.items() if k in HELD}))
        numbers.append(alone.number(state))
    alone.flat[:] = np.array(numbers, dtype=np.uint16)[field.flat]
    return alone


@pytest.mark.parametrize(
    ("name", "joined", "differ"),
    [
        ("s01-smallhouse1.schem", 1010, 0),
        ("s03-green-cottage.schem", 173, 0),
        # One fence was joined to a block that was taken away later without the game looking at the fence again.
        ("l11-mansion.litematic", 1209, 1),
    ],
)
def test_joints_of_real_builds_are_found_again(name, joined, differ):
    real = laid_out(formats.read(REAL / name).build)
    alone = without_joints(real)
    join_neighbours(alone, LIMITS)
    count = wrong = 0
    for old, new in zip(real.flat.tolist(), alone.flat.tolist(), strict=True):
        want, found = real.palette[old], alone.palette[new]
        if is_joined(want):
            count += 1
            # A mod's further properties are not the game's.
            known = split_state(found)[1]
            wrong += {k: v for k, v in split_state(want)[1].items() if k in known} != known
    assert (count, wrong) == (joined, differ)


def joined(*rows: tuple[int, int, int, str]) -> dict[tuple[int, int, int], dict[str, str]]:
    """Properties by cell after working out."""
    build = Build.from_blocks(rows, ground_y=min(row[1] for row in rows))
    field = laid_out(build)
    join_neighbours(field, LIMITS)
    _, length, width = field.numbers.shape
    low = np.array(build.blocks.low) + (0, build.ground_y, 0)
    out = {}
    for cell, number in enumerate(field.flat.tolist()):
        row, x = divmod(cell, width)
        y, z = divmod(row, length)
        out[(x + low[0], y + low[1], z + low[2])] = split_state(field.palette[number])[1]
    return out


@pytest.mark.parametrize(
    ("one", "other", "meets"),
    [
        ("oak_fence", "spruce_fence", True),
        ("oak_fence", "nether_brick_fence", False),
        ("oak_fence", "stone", True),
        ("oak_fence", "oak_leaves", False),
        ("oak_fence", "melon", False),
        ("oak_fence", "glass", True),
        ("oak_fence", "oak_slab[type=bottom]", False),
        ("oak_fence", "oak_fence_gate[facing=north]", True),
        ("oak_fence", "oak_fence_gate[facing=east]", False),
        ("oak_fence", "oak_stairs[facing=west]", True),
        ("oak_fence", "oak_stairs[facing=east]", False),
        ("glass_pane", "iron_bars", True),
        ("glass_pane", "cobblestone_wall", True),
        ("glass_pane", "oak_fence", False),
        ("cobblestone_wall", "glass_pane", True),
        ("cobblestone_wall", "mossy_cobblestone_wall", True),
        ("cobblestone_wall", "oak_fence_gate[facing=north]", True),
        ("cobblestone_wall", "torch", False),
    ],
)
def test_what_meets_what(one, other, meets):
    found = joined((0, 0, 0, one), (1, 0, 0, other))[(0, 0, 0)]
    assert found["east"] in (("true", "low") if meets else ("false", "none"))
    assert found["west"] in ("false", "none")


def test_walls_have_posts_but_in_straight_runs():
    run = joined(*((x, 0, 0, "cobblestone_wall") for x in range(3)))
    assert [run[(x, 0, 0)]["up"] for x in range(3)] == ["true", "false", "true"]
    covered = joined(*((x, y, 0, "cobblestone_wall") for x in range(3) for y in range(2)))
    assert covered[(1, 0, 0)]["east"] == "tall" and covered[(1, 1, 0)]["east"] == "low"
    assert covered[(1, 0, 0)]["up"] == covered[(1, 1, 0)]["up"] == "false", "two high and straight"


def test_posts_of_walls_stand_on_below_posts_and_small_things():
    run = [(x, y, 0, "cobblestone_wall") for x in range(3) for y in range(3)]
    under_torch = joined(*run, (1, 3, 0, "torch"))
    assert [under_torch[(1, y, 0)]["up"] for y in range(3)] == ["true", "true", "true"]
    beside = joined(*run, (1, 3, 0, "wall_torch[facing=south]"))
    assert [beside[(1, y, 0)]["up"] for y in range(3)] == ["false", "false", "false"]


def test_gates_between_walls_are_let_in():
    found = joined((0, 0, 0, "cobblestone_wall"), (1, 0, 0, "oak_fence_gate[facing=south]"))
    assert found[(1, 0, 0)]["in_wall"] == "true"
    assert joined((0, 0, 0, "stone"), (1, 0, 0, "oak_fence_gate[facing=south]"))[(1, 0, 0)]["in_wall"] == "false"


@pytest.mark.parametrize(
    ("ahead", "behind", "shape"),
    [
        ("north", None, "outer_left"),
        ("south", None, "outer_right"),
        (None, "north", "inner_left"),
        (None, "south", "inner_right"),
        ("east", "west", "straight"),
        ("north", "south", "outer_left"),
    ],
)
def test_corners_of_stairs(ahead, behind, shape):
    rows = [(1, 0, 1, "oak_stairs[facing=east]")]
    rows += [(2, 0, 1, f"oak_stairs[facing={ahead}]")] if ahead else []
    rows += [(0, 0, 1, f"stone_stairs[facing={behind}]")] if behind else []
    assert joined(*rows)[(1, 0, 1)]["shape"] == shape


def test_stairs_of_the_other_half_and_those_in_a_row_make_no_corner():
    assert (
        joined((1, 0, 1, "oak_stairs[facing=east]"), (2, 0, 1, "oak_stairs[facing=north,half=top]"))[(1, 0, 1)]["shape"]
        == "straight"
    )
    row = joined(
        (1, 0, 1, "oak_stairs[facing=east]"),
        (1, 0, 2, "oak_stairs[facing=east]"),
        (2, 0, 1, "oak_stairs[facing=north]"),
    )
    assert row[(1, 0, 1)]["shape"] == "straight"
