"""What holds after any sequence of clicks and removals."""

from __future__ import annotations

from typing import NamedTuple

from flat_world import FlatWorld
from hypothesis import given, settings
from hypothesis import strategies as st

from minece.agent_bridge.clicks import SIDES, Cell, Click, Point, Refusal, Side, beside
from minece.agent_bridge.placing import item_of, take_away, use_item
from minece.agent_bridge.placing.forms import form
from minece.agent_bridge.placing.joining import joined
from minece.agent_bridge.placing.support import held, other_half_side
from minece.blocks.catalogue import describe, states_of

JOINING = (
    "oak_fence", "nether_brick_fence", "oak_fence_gate", "glass_pane", "iron_bars", "cobblestone_wall", "brick_wall",
    "oak_stairs", "stone_stairs", "chest", "redstone", "bell", "pointed_dripstone", "campfire",
)  # fmt: skip
HELD = (
    "torch", "redstone_torch", "ladder", "lantern", "lever", "oak_button", "oak_sign", "white_banner", "white_carpet",
    "oak_pressure_plate", "rail", "repeater", "snow", "candle", "vine", "glow_lichen", "tripwire_hook", "cake",
    "oak_sapling", "cactus", "amethyst_cluster", "spore_blossom", "twisting_vines", "weeping_vines", "bamboo",
    "oak_hanging_sign", "big_dripleaf",
)  # fmt: skip
PAIRED = ("oak_door", "iron_door", "red_bed", "sunflower", "tall_grass", "small_dripleaf")
PLAIN = (
    "stone", "dirt", "sand", "glass", "oak_leaves", "oak_slab", "oak_trapdoor", "hay_block", "short_grass", "hopper",
    "water_bucket", "player_head", "dirt_path",
)  # fmt: skip


class Act(NamedTuple):
    """A click with an item, or a removal, on one of the blocks that are there or on the soil."""

    item: str | None
    which: int
    face: Side
    cursor: Point
    yaw: float
    pitch: float


items = st.sampled_from(JOINING) | st.sampled_from(HELD) | st.sampled_from(PAIRED) | st.sampled_from(PLAIN)
sides = st.sampled_from(SIDES)
parts = st.sampled_from([0.0, 0.2, 0.5, 0.8, 1.0])
acts = st.builds(
    Act,
    item=st.none() | items | items | items,
    which=st.integers(0, 1000),
    face=sides,
    cursor=st.tuples(parts, parts, parts),
    yaw=st.sampled_from([0.0, 90.0, 180.0, 270.0, -45.0, 22.5]),
    pitch=st.sampled_from([0.0, 30.0, 90.0, -90.0]),
)
soils: list[Cell] = [(x, -1, z) for x in range(3) for z in range(3)]


def done(world: FlatWorld, act: Act) -> None:
    """Let an act come about, if it is not refused."""
    cells = sorted({*world.blocks(), *soils})
    cell = cells[act.which % len(cells)]
    if act.item is None:
        changes = take_away(world.at, cell)
    else:
        changes = use_item(world.at, act.item, Click(cell, act.face, act.cursor, act.yaw, act.pitch))
    if isinstance(changes, Refusal):
        assert changes.reason in REASONS
        return
    assert len({change.cell for change in changes}) == len(changes), "each cell once"
    for change in changes:
        assert change.state != world.at(change.cell), "only cells that differ"
        assert describe(change.state).known, change
    world.take(changes)


REASONS = {"nothing to place on", "no item places it", "no support", "no room", "cell taken", "nothing to break"}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.lists(acts, min_size=1, max_size=40))
def test_what_holds_after_any_sequence(sequence: list[Act]) -> None:
    world = FlatWorld()
    for act in sequence:
        done(world, act)
    for cell, state in world.cells.items():
        block = form(state)
        if block.two_cell:
            other = form(world.at(beside(cell, other_half_side(block))))
            assert other.name == block.name and other_half_side(other) != other_half_side(block), (cell, state)
        assert held(world.at, cell, state), (cell, state)
        if block.joins:
            assert joined(world.at, cell, state) == state, (cell, state)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(items, sides, st.sampled_from([0.0, 90.0, 180.0, 270.0]), st.sampled_from(["stone", "dirt", "sand", "glass"]))
def test_breaking_what_was_placed_leaves_everything_as_it_was(item: str, face: Side, yaw: float, ground: str) -> None:
    before: dict[Cell, str] = {(0, 9, 0): ground}
    world = FlatWorld(before)
    changes = use_item(world.at, item, Click((0, 9, 0), face, (0.5, 0.5, 0.5), yaw, 0.0))
    if isinstance(changes, Refusal) or item == "water_bucket":
        return
    world.take(changes)
    for cell in [change.cell for change in changes if change.kind == "placed"]:
        broken = FlatWorld(world.blocks())
        assert not isinstance(broken.remove(cell), str)
        assert broken.blocks() == before


def test_any_known_state_may_lie_around() -> None:
    """No state of the catalogue beside, below or above a block makes an error."""
    neighbours = sorted({state for name in SAMPLE for state in states_of(name)})
    placed = ("oak_fence", "cobblestone_wall", "oak_stairs", "redstone", "torch", "vine", "bell", "chorus_plant")
    for state in neighbours:
        for side in SIDES:
            world = FlatWorld({beside((0, 5, 0), side): state, (0, 4, 0): "stone"} if side != "down" else {})
            world.cells[beside((0, 5, 0), side)] = state
            for item in placed[:: 1 if state == neighbours[0] else 3]:
                use_item(world.at, item, Click((0, 4, 0), "up", (0.5, 1.0, 0.5), 0.0, 0.0))
            take_away(world.at, beside((0, 5, 0), side))


SAMPLE = (
    "oak_stairs", "chest", "bell", "vine", "oak_door", "red_bed", "scaffolding", "chorus_plant", "pointed_dripstone",
    "oak_fence_gate", "snow", "repeater", "oak_hanging_sign", "cave_vines_plant", "big_dripleaf_stem", "piston_head",
    "sea_pickle", "lever", "oak_wall_hanging_sign", "observer", "tall_seagrass", "pitcher_crop", "pale_moss_carpet",
)  # fmt: skip


def test_states_that_the_game_does_not_know_count_as_the_default() -> None:
    world = FlatWorld()
    world.cells |= {
        (0, 0, 0): "oak_stairs[facing=up,half=bottom,shape=straight,waterlogged=false]",
        (2, 0, 0): "some_mod:machine",
        (0, 0, 2): "scaffolding[bottom=maybe,distance=far,waterlogged=false]",
    }
    assert not isinstance(world.use("oak_stairs", (0, -1, 1), "up"), str)
    assert not isinstance(world.use("oak_fence", (1, -1, 0), "up"), str)
    assert not isinstance(world.use("scaffolding", (1, -1, 2), "up"), str)
    assert not isinstance(world.remove((0, 0, 2)), str)
    assert item_of("some_mod:machine") == ""
