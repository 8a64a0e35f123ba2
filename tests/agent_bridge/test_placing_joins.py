"""How fences, panes, walls, stairs and the like follow their neighbours."""

from __future__ import annotations

import pytest
from flat_world import FlatWorld

from minece.agent_bridge.clicks import STEP, Cell, Change, Side
from minece.blocks.states import canonical_state, split_state

HERE: Cell = (0, 5, 0)
NORTH: Cell = (0, 5, -1)


def arms(state: str) -> str:
    """The sides to which a block is joined, by their first letters."""
    props = split_state(state)[1]
    return "".join(side[0] for side in ("north", "east", "south", "west") if props[side] not in ("false", "none"))


def beside(block: str, neighbour: str, side: Side = "north") -> str:
    """The state of a block after it was placed with a neighbour at a side."""
    world = FlatWorld({(0, 4, 0): "stone", STEP_FROM[side]: neighbour})
    assert world.place(block, HERE, on="down") == ""
    return world.at(HERE)


STEP_FROM: dict[Side, Cell] = {side: (x, 5 + y, z) for side, (x, y, z) in STEP.items()}


@pytest.mark.parametrize(
    ("block", "neighbour", "joins"),
    [
        ("oak_fence", "birch_fence", True),
        ("oak_fence", "nether_brick_fence", False),
        ("oak_fence", "cobblestone_wall", False),
        ("oak_fence", "glass_pane", False),
        ("oak_fence", "stone", True),
        ("oak_fence", "glass", True),
        ("oak_fence", "oak_leaves", False),
        ("oak_fence", "pumpkin", False),
        ("oak_fence", "melon", False),
        ("oak_fence", "barrier", False),
        ("oak_fence", "red_shulker_box", False),
        ("oak_fence", "oak_slab[type=bottom]", False),
        ("oak_fence", "oak_slab[type=double]", True),
        ("oak_fence", "oak_stairs[facing=north]", False),
        ("oak_fence", "oak_stairs[facing=south]", True),
        ("oak_fence", "oak_fence_gate[facing=east]", True),
        ("oak_fence", "oak_fence_gate[facing=north]", False),
        ("oak_fence", "chest", False),
        ("oak_fence", "torch", False),
        ("glass_pane", "iron_bars", True),
        ("glass_pane", "red_stained_glass_pane", True),
        ("glass_pane", "cobblestone_wall", True),
        ("glass_pane", "oak_fence", False),
        ("glass_pane", "stone", True),
        ("glass_pane", "oak_fence_gate[facing=east]", False),
        ("glass_pane", "oak_leaves", False),
        ("cobblestone_wall", "brick_wall", True),
        ("cobblestone_wall", "iron_bars", True),
        ("cobblestone_wall", "oak_fence", False),
        ("cobblestone_wall", "oak_fence_gate[facing=west]", True),
        ("cobblestone_wall", "oak_fence_gate[facing=south]", False),
        ("cobblestone_wall", "jack_o_lantern", False),
        ("cobblestone_wall", "stone", True),
    ],
)
def test_what_joins_what(block: str, neighbour: str, joins: bool) -> None:
    assert arms(beside(block, neighbour)) == ("n" if joins else "")


@pytest.mark.parametrize("block", ["oak_fence", "glass_pane", "iron_bars", "cobblestone_wall"])
def test_a_neighbour_joins_when_the_block_comes_and_when_it_goes(block: str) -> None:
    world = FlatWorld({(0, 4, 0): "stone"})
    world.place(block, HERE)
    alone = world.at(HERE)
    changes = world.use("stone", HERE, "east")
    assert not isinstance(changes, str)
    assert [change.kind for change in changes] == ["placed", "joined"]
    assert arms(world.at(HERE)) == "e"
    assert world.remove((1, 5, 0)) == (Change((1, 5, 0), "air", "removed"), Change(HERE, alone, "joined"))


def test_a_row_of_fences() -> None:
    world = FlatWorld()
    for x in range(3):
        world.place("oak_fence", (x, 0, 0))
    assert [arms(world.at((x, 0, 0))) for x in range(3)] == ["e", "ew", "w"]


# ---- walls ----


def wall(*around: Cell, above: str = "air") -> dict[str, str]:
    """The properties of a wall among stones around it."""
    world = FlatWorld({(0, 4, 0): "stone", (0, 6, 0): above} | dict.fromkeys(around, "stone"))
    assert world.place("cobblestone_wall", HERE, on="down") == ""
    return split_state(world.at(HERE))[1]


N, E, S, W = (0, 5, -1), (1, 5, 0), (0, 5, 1), (-1, 5, 0)


@pytest.mark.parametrize(
    ("around", "post"),
    [
        ((), True),
        ((N,), True),
        ((N, S), False),
        ((E, W), False),
        ((N, E), True),
        ((N, E, S), True),
        ((N, E, S, W), False),
    ],
)
def test_posts_of_walls(around: tuple[Cell, ...], post: bool) -> None:
    assert wall(*around)["up"] == ("true" if post else "false")


@pytest.mark.parametrize(
    ("above", "height", "post"),
    [
        ("air", "low", "false"),
        ("stone", "tall", "false"),
        ("oak_slab[type=bottom]", "tall", "false"),
        ("oak_slab[type=top]", "low", "false"),
        ("torch", "low", "true"),
        ("oak_fence", "low", "true"),
        ("oak_sign", "low", "true"),
        ("stone_pressure_plate", "low", "true"),
        ("glass_pane[north=true,south=true]", "tall", "false"),
        ("cobblestone_wall[up=true]", "low", "true"),
        ("cobblestone_wall[up=false,north=low,south=low]", "tall", "false"),
        ("cobblestone_wall[up=false,east=low,west=low]", "low", "true"),
        ("lantern", "low", "true"),
    ],
)
def test_walls_under_something(above: str, height: str, post: str) -> None:
    props = wall(N, S, above=above)
    assert (props["north"], props["south"], props["up"]) == (height, height, post)
    assert props["east"] == props["west"] == "none"


def test_a_wall_follows_what_is_put_on_it() -> None:
    world = FlatWorld({(0, 4, 0): "stone", N: "stone", S: "stone"})
    world.place("cobblestone_wall", HERE)
    changes = world.use("torch", HERE, "up")
    assert not isinstance(changes, str) and changes[1].kind == "joined"
    assert split_state(world.at(HERE))[1]["up"] == "true"
    world.remove((0, 6, 0))
    assert split_state(world.at(HERE))[1]["up"] == "false"


# ---- stairs ----


def stair(facing: str, half: str = "bottom", shape: str = "straight") -> str:
    return canonical_state(f"oak_stairs[facing={facing},half={half},shape={shape}]")


@pytest.mark.parametrize(
    ("facing", "at", "neighbour", "shape"),
    [
        ("north", N, stair("west"), "outer_left"),
        ("north", N, stair("east"), "outer_right"),
        ("north", S, stair("west"), "inner_left"),
        ("north", S, stair("east"), "inner_right"),
        ("north", N, stair("north"), "straight"),
        ("north", N, stair("south"), "straight"),
        ("north", N, stair("west", "top"), "straight"),
        ("north", E, stair("east"), "straight"),
        ("east", E, stair("north"), "outer_left"),
        ("east", W, stair("south"), "inner_right"),
        ("south", S, "brick_stairs[facing=east]", "outer_left"),
        ("west", W, "stone", "straight"),
    ],
)
def test_corners_of_stairs(facing: Side, at: Cell, neighbour: str, shape: str) -> None:
    world = FlatWorld({(0, 4, 0): "stone", at: neighbour})
    assert world.place(f"oak_stairs[facing={facing}]", HERE, on="down") == ""
    assert split_state(world.at(HERE))[1]["shape"] == shape


def test_a_straight_run_wins_over_a_corner() -> None:
    # Outer corner to the left, but the run goes on at the right-hand side of it.
    world = FlatWorld({(0, 4, 0): "stone", N: stair("west"), E: stair("north")})
    world.place("oak_stairs[facing=north]", HERE, on="down")
    assert world.at(HERE) == stair("north")
    world = FlatWorld({(0, 4, 0): "stone", N: stair("west"), W: stair("north")})
    world.place("oak_stairs[facing=north]", HERE, on="down")
    assert world.at(HERE) == stair("north", shape="outer_left")


def test_a_roof_corner_forms_itself() -> None:
    world = FlatWorld({(x, 4, z): "stone" for x in range(3) for z in range(3)})
    for z in range(1, 3):
        world.place("oak_stairs[facing=east]", (0, 5, z))
    for x in range(1, 3):
        world.place("oak_stairs[facing=south]", (x, 5, 0))
    world.place("oak_stairs[facing=south]", (0, 5, 0))
    assert world.at((0, 5, 0)) == stair("south", shape="outer_left")
    assert world.at((0, 5, 1)) == stair("east")


def test_a_fence_follows_the_stairs_that_turn() -> None:
    world = FlatWorld({(0, 4, 0): "stone", (1, 5, 0): stair("west"), (2, 4, 0): "stone"})
    world.place("oak_fence", HERE, on="down")
    assert arms(world.at(HERE)) == "e", "the back of stairs is a whole face"
    world.take([Change((1, 5, 0), stair("east"), "placed")])
    world.take([Change(HERE, "air", "removed")])
    world.place("oak_fence", HERE, on="down")
    assert arms(world.at(HERE)) == ""
    # A step behind them makes an inner corner, whose two backs are whole; the fence is at the third side.
    assert world.place("oak_stairs[facing=south]", (0, 5, 1), on="north") == ""


# ---- gates, chests and the rest ----


@pytest.mark.parametrize(("facing", "low"), [("north", False), ("south", False), ("east", True), ("west", True)])
def test_gates_sink_between_walls(facing: str, low: bool) -> None:
    state = beside(f"oak_fence_gate[facing={facing}]", "cobblestone_wall")
    assert ("in_wall=true" in state) == low


def test_double_chests() -> None:
    world = FlatWorld()
    world.use("chest", (0, -1, 0), "up", look="north")
    changes = world.use("chest", (1, -1, 0), "up", look="north")
    assert changes == (
        Change((1, 0, 0), "chest[facing=south,type=left,waterlogged=false]", "placed"),
        Change((0, 0, 0), "chest[facing=south,type=right,waterlogged=false]", "joined"),
    ) or changes == (
        Change((1, 0, 0), "chest[facing=south,type=right,waterlogged=false]", "placed"),
        Change((0, 0, 0), "chest[facing=south,type=left,waterlogged=false]", "joined"),
    )
    world.use("chest", (2, -1, 0), "up", look="north")
    assert "type=single" in world.at((2, 0, 0)), "a third one stays single"
    world.use("trapped_chest", (-1, -1, 0), "up", look="north")
    assert "type=single" in world.at((-1, 0, 0))
    world.remove((1, 0, 0))
    assert "type=single" in world.at((0, 0, 0))


def test_a_left_half_has_its_partner_clockwise_of_its_front() -> None:
    world = FlatWorld({(0, 0, 0): "chest[facing=north]"})
    world.use("chest", (-1, -1, 0), "up", look="south")
    # Facing north, clockwise is east.
    assert "type=left" in world.at((-1, 0, 0)) and "type=right" in world.at((0, 0, 0))


def test_snow_on_grass() -> None:
    world = FlatWorld()
    world.use("snow_block", (0, -1, 0), "up")
    assert world.at((0, -1, 0)) == "grass_block[snowy=true]"


def test_paths_and_fields_under_a_block_become_dirt() -> None:
    world = FlatWorld({(0, -1, 0): "dirt_path", (3, -1, 0): "farmland"})
    changes = world.use("stone", (0, -1, 0), "up")
    assert changes == (Change((0, 0, 0), "stone", "placed"), Change((0, -1, 0), "dirt", "joined"))
    world.use("oak_fence_gate", (3, -1, 0), "up")
    assert world.at((3, -1, 0)) == "farmland[moisture=0]"
    world = FlatWorld({(0, 6, 0): "stone"})
    world.use("dirt_path", (0, 6, 0), "down")
    assert world.at((0, 5, 0)) == "dirt"


def test_redstone_wire() -> None:
    world = FlatWorld()
    world.use("redstone", (0, -1, 0), "up")
    assert arms(world.at((0, 0, 0))) == "nesw", "a lone wire is a cross"
    world.use("redstone", (1, -1, 0), "up")
    assert (arms(world.at((0, 0, 0))), arms(world.at((1, 0, 0)))) == ("ew", "ew")
    world.use("redstone", (0, -1, 1), "up")
    assert arms(world.at((0, 0, 0))) == "es"
    world.use("lever", (-1, -1, 0), "up")
    assert arms(world.at((0, 0, 0))) == "esw"


def test_redstone_wire_climbs() -> None:
    world = FlatWorld({(1, 0, 0): "stone"})
    world.use("redstone", (0, -1, 0), "up")
    world.use("redstone", (1, 0, 0), "up")
    assert "east=up" in world.at((0, 0, 0))
    assert "west=side" in world.at((1, 1, 0))
    world.use("stone", (0, 1, -1), "south") if world.at((0, 1, -1)) != "air" else None
    world.cells[0, 1, -1] = "stone"
    world.use("stone", (0, 1, -1), "south")
    assert "east=up" not in world.at((0, 0, 0)), "a block over the wire cuts it"


def test_mushroom_blocks_close_against_each_other() -> None:
    world = FlatWorld({(0, 4, 0): "stone"})
    world.use("red_mushroom_block", (0, 4, 0), "up")
    world.use("red_mushroom_block", HERE, "up")
    assert "up=false" in world.at(HERE) and "down=false" in world.at((0, 6, 0))
    assert "down=true" in world.at(HERE)


def test_bells_between_two_walls() -> None:
    world = FlatWorld({W: "stone", E: "stone"})
    world.use("bell", W, "east")
    assert "attachment=double_wall" in world.at(HERE)
    world.remove(W)
    assert "attachment=single_wall" in world.at(HERE) and "facing=east" in world.at(HERE)
    world.remove(E)
    assert not world.blocks()


def test_dripstone_tapers() -> None:
    world = FlatWorld({(0, 9, 0): "stone"})
    for y in range(9, 5, -1):
        world.use("pointed_dripstone", (0, y, 0), "down")
    thick = [split_state(world.at((0, y, 0)))[1]["thickness"] for y in range(8, 4, -1)]
    assert thick == ["base", "middle", "frustum", "tip"]
    world.remove((0, 9, 0))
    assert not world.blocks()


def test_bamboo_grows_out_of_its_shoot() -> None:
    world = FlatWorld()
    world.use("bamboo", (0, -1, 0), "up")
    changes = world.use("bamboo", (0, 0, 0), "up")
    assert not isinstance(changes, str)
    assert [change.state.partition("[")[0] for change in changes] == ["bamboo", "bamboo"]
    assert changes[1].kind == "joined"


def test_dripleaves_stack() -> None:
    world = FlatWorld()
    world.use("big_dripleaf", (0, -1, 0), "up", look="east")
    world.use("big_dripleaf", (0, 0, 0), "up", look="north")
    assert world.at((0, 0, 0)) == canonical_state("big_dripleaf_stem[facing=west]")
    assert world.at((0, 1, 0)) == canonical_state("big_dripleaf[facing=west]")
    world.remove((0, 1, 0))
    assert not world.blocks()


def test_leaves_count_the_steps_to_a_log() -> None:
    world = FlatWorld({(0, 0, 0): "oak_log"})
    for x in range(4):
        world.use("oak_leaves", (x, 0, 0), "east")
    assert all(f"distance={x}" in world.at((x, 0, 0)) for x in range(1, 5))


def test_scaffolding_reaches_six_cells_out() -> None:
    world = FlatWorld({(0, 4, 0): "stone"})
    world.use("scaffolding", (0, 4, 0), "up")
    done = [world.use("scaffolding", (x, 5, 0), "east") for x in range(7)]
    assert [isinstance(result, str) for result in done] == [False] * 6 + [True]
    assert "bottom=true" in world.at((6, 5, 0))
    world.remove((0, 5, 0))
    assert not {cell for cell in world.blocks() if cell[1] == 5}


def test_campfires_on_hay() -> None:
    world = FlatWorld({(0, 0, 0): "hay_block"})
    world.use("campfire", (0, 0, 0), "up")
    assert "signal_fire=true" in world.at((0, 1, 0))


def test_tripwire_runs_to_its_hook() -> None:
    world = FlatWorld({(0, 0, -1): "stone"})
    world.use("tripwire_hook", (0, 0, -1), "south")
    world.use("string", (0, -1, 1), "up")
    assert arms(world.at((0, 0, 1))) == "n"
