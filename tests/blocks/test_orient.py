"""Turning and mirroring states: the group laws, and the boxes as witnesses."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks.catalogue import block_names, block_properties, describe, states_of, tags
from minece.blocks.errors import BlocksError
from minece.blocks.orient import mirror_state, turn_state
from minece.blocks.tables import Box

STATES = [state for name in sorted(block_names()) for state in states_of(name)]

# These stand askew in their cell, and no property says which way: the game does not turn them either.
ASKEW = tags()["candles"] | {"bamboo", "pointed_dripstone", "cake", "turtle_egg", "sniffer_egg"}


def turned(boxes: tuple[Box, ...]) -> tuple[Box, ...]:
    return tuple((1 - z1, y0, x0, 1 - z0, y1, x1) for x0, y0, z0, x1, y1, z1 in boxes)


def mirrored(boxes: tuple[Box, ...]) -> tuple[Box, ...]:
    return tuple((1 - x1, y0, z0, 1 - x0, y1, z1) for x0, y0, z0, x1, y1, z1 in boxes)


def solid(boxes: tuple[Box, ...]) -> bytes:
    """The boxes as filled 1/32 cells: two lists of boxes may cover the same body."""
    grid = np.zeros((32, 48, 32), dtype=np.bool_)
    for box in boxes:
        x0, y0, z0, x1, y1, z1 = (round(32 * value) for value in box)
        grid[x0:x1, y0:y1, z0:z1] = True
    return np.packbits(grid).tobytes()


def test_boxes_of_turned_and_mirrored_states_are_the_turned_and_mirrored_boxes() -> None:
    equal: dict[tuple[tuple[Box, ...], tuple[Box, ...]], bool] = {}
    askew = set()
    for state in STATES:
        info = describe(state)
        for moved, boxes in (
            (turn_state(state, 1), turned(info.boxes)),
            (mirror_state(state, "x"), mirrored(info.boxes)),
        ):
            other = describe(moved)
            assert other.known and other.material == info.material and other.substance == info.substance
            key = (boxes, other.boxes)
            if key not in equal:
                equal[key] = solid(boxes) == solid(other.boxes)
            if not equal[key]:
                askew.add(info.material)
    assert askew == ASKEW


def test_holding_faces_turn_with_the_state() -> None:
    turn = {"north": "east", "east": "south", "south": "west", "west": "north", "up": "up", "down": "down"}
    flip = {**{side: side for side in turn}, "east": "west", "west": "east"}
    for state in STATES:
        holds = describe(state).holds
        assert set(describe(turn_state(state, 1)).holds) == {turn[side] for side in holds}
        assert set(describe(mirror_state(state, "x")).holds) == {flip[side] for side in holds}


def test_turns_and_mirrors_form_the_group_of_the_square() -> None:
    """On every state: t⁴ = 1, m² = 1, m t m = t⁻¹, and the other mirror is m t²."""
    for state in STATES:
        assert turn_state(turn_state(state, 1), 3) == state
        assert turn_state(turn_state(state, 1), 1) == turn_state(state, 2)
        assert mirror_state(mirror_state(state, "x"), "x") == state
        assert mirror_state(turn_state(state, 1), "x") == turn_state(mirror_state(state, "x"), 3)
        assert mirror_state(state, "z") == turn_state(mirror_state(state, "x"), 2)


@given(st.sampled_from(STATES), st.integers(-9, 9), st.integers(-9, 9))
def test_turns_add_up(state: str, first: int, second: int) -> None:
    assert turn_state(turn_state(state, first), second) == turn_state(state, first + second)
    assert mirror_state(turn_state(state, first), "z") == turn_state(mirror_state(state, "z"), -first)


@pytest.mark.parametrize(
    ("state", "after"),
    [
        ("oak_stairs[facing=north,shape=inner_left]", "oak_stairs[facing=east,shape=inner_left]"),
        ("oak_log[axis=x]", "oak_log[axis=z]"),
        ("oak_log", "oak_log"),
        ("oak_sign[rotation=0]", "oak_sign[rotation=4]"),  # south → west
        ("rail[shape=north_south]", "rail[shape=east_west]"),
        ("rail[shape=south_east]", "rail[shape=south_west]"),
        ("rail[shape=ascending_north]", "rail[shape=ascending_east]"),
        ("cobblestone_wall[north=tall,east=low]", "cobblestone_wall[east=tall,south=low]"),
        ("redstone_wire[north=up,west=side]", "redstone_wire[east=up,north=side]"),
        ("vine[north=true,up=true]", "vine[east=true,up=true]"),
        ("crafter[orientation=north_up]", "crafter[orientation=east_up]"),
        ("jigsaw[orientation=down_west]", "jigsaw[orientation=down_north]"),
        ("hopper[facing=down]", "hopper[facing=down]"),
        ("oak_slab[type=top]", "oak_slab[type=top]"),
        ("oak_door[hinge=right,facing=west]", "oak_door[hinge=right,facing=north]"),
        ("mod:box[facing=west,colour=red]", "mod:box[facing=north,colour=red]"),
        ("mod:fence[north_east=true,west=true]", "mod:fence[north=true,south_east=true]"),
    ],
)
def test_a_quarter_turn(state: str, after: str) -> None:
    assert turn_state(state, 1) == turn_state(after, 0)


@pytest.mark.parametrize(
    ("state", "axis", "after"),
    [
        ("oak_stairs[facing=east,shape=inner_left]", "x", "oak_stairs[facing=west,shape=inner_right]"),
        ("oak_stairs[facing=east,shape=outer_left]", "z", "oak_stairs[facing=east,shape=outer_right]"),
        ("oak_door[hinge=left,facing=north]", "x", "oak_door[hinge=right,facing=north]"),
        ("chest[type=left,facing=north]", "x", "chest[type=right,facing=north]"),
        ("oak_shelf[side_chain=left]", "x", "oak_shelf[side_chain=right]"),
        ("oak_slab[type=top]", "x", "oak_slab[type=top]"),
        ("oak_sign[rotation=4]", "x", "oak_sign[rotation=12]"),
        ("oak_sign[rotation=1]", "z", "oak_sign[rotation=7]"),
        ("oak_log[axis=x]", "x", "oak_log[axis=x]"),
        ("rail[shape=north_east]", "x", "rail[shape=north_west]"),
        ("oak_fence[east=true]", "x", "oak_fence[west=true]"),
        ("oak_fence[east=true]", "z", "oak_fence[east=true]"),
        ("piston_head[type=sticky]", "x", "piston_head[type=sticky]"),
    ],
)
def test_a_mirror(state: str, axis: str, after: str) -> None:
    assert mirror_state(state, axis) == turn_state(after, 0)  # type: ignore[arg-type]


def test_strange_values_stay() -> None:
    for state in ("mod:rod[axis=w,facing=inward,rotation=x,shape=round_north]", "oak_sign[rotation=99999999]"):
        assert turn_state(turn_state(state, 1), 1).startswith(state[:8])
    with pytest.raises(BlocksError, match="'x' or 'z'"):
        mirror_state("stone", "y")  # type: ignore[arg-type]


def test_every_side_word_is_seen() -> None:
    """No property of the catalogue names a side in a way that turning leaves alone."""
    sides = {"north", "east", "south", "west", "left", "right"}
    for name in sorted(block_names()):
        for key, values in block_properties(name).items():
            words = set(key.split("_")) | {word for value in values for word in value.split("_")}
            if words & sides:
                assert key in {"facing", "shape", "orientation", "hinge", "type", "side_chain", *sides}, (name, key)
