"""How block states look."""

import pytest

from minece.blocks.catalogue import block_names, states_of
from minece.blocks.tables import FULL_BOX
from minece.viewer.looks import look


def test_every_state_has_boxes_within_its_cell() -> None:
    for name in sorted(block_names()):
        for state in states_of(name)[:: max(1, len(states_of(name)) // 40)]:
            seen = look(state)
            assert seen.boxes, state
            for x0, y0, z0, x1, y1, z1 in seen.boxes:
                assert 0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1 and 0 <= z0 < z1 <= 1, (state, seen.boxes)
            assert 0 < seen.opacity <= 1
            assert all(0 <= part <= 255 for part in seen.colour)


def test_partial_blocks_have_their_real_shape() -> None:
    assert look("stone").boxes == FULL_BOX
    assert look("oak_slab[type=top]").boxes == ((0.0, 0.5, 0.0, 1.0, 1.0, 1.0),)
    assert look("oak_slab[type=double]").boxes == FULL_BOX
    lower, upper = look("oak_stairs[facing=east]").boxes
    assert lower == (0.0, 0.0, 0.0, 1.0, 0.5, 1.0)
    assert upper == (0.5, 0.5, 0.0, 1.0, 1.0, 1.0)
    assert max(box[4] for box in look("cobblestone_wall").boxes) == 1.0


@pytest.mark.parametrize(
    ("state", "axis", "end"), [("wall_torch[facing=east]", 0, 0.0), ("wall_torch[facing=north]", 2, 1.0)]
)
def test_what_hangs_on_a_wall_is_drawn_at_that_wall(state: str, axis: int, end: float) -> None:
    (box,) = look(state).boxes
    assert abs((box[axis] if end == 0 else box[axis + 3]) - end) < 0.1


def test_fences_have_two_bars_to_each_neighbour() -> None:
    assert len(look("oak_fence").boxes) == 1
    assert len(look("oak_fence[east=true,north=true]").boxes) == 5


def test_dust_lies_flat_and_leads_where_it_is_joined() -> None:
    assert len(look("redstone_wire").boxes) == 1
    assert len(look("redstone_wire[east=side,west=up]").boxes) == 3
    assert all(box[4] < 0.1 for box in look("redstone_wire[north=up]").boxes)


def test_light_goes_through_glass_and_water_alone() -> None:
    assert all(look(state).opacity < 1 for state in ("glass", "red_stained_glass_pane", "water", "ice"))
    assert all(look(state).opacity == 1 for state in ("lava", "packed_ice", "oak_leaves", "stone", "nobody:knows"))


def test_an_unknown_block_is_a_cube() -> None:
    assert look("somebody:strange[a=b]").boxes == FULL_BOX
