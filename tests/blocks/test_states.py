"""The one text of a block state."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minece.blocks.catalogue import block_names, block_properties, describe
from minece.blocks.errors import StateError
from minece.blocks.states import LONGEST, canonical_state, is_air, material_of, split_state

STAIRS = "oak_stairs[facing=west,half=bottom,shape=straight,waterlogged=false]"


@pytest.mark.parametrize(
    "text",
    [
        STAIRS,
        "minecraft:oak_stairs[facing=west]",
        "oak_stairs[waterlogged=false,shape=straight,facing=west]",
        " oak_stairs [ facing = west , half=bottom ] ",
    ],
)
def test_spellings_of_one_state_are_one_state(text: str) -> None:
    assert canonical_state(text) == STAIRS


def test_brackets_are_no_part_of_the_id() -> None:
    """R26."""
    assert split_state("minecraft:oak_stairs[facing=west]") == ("oak_stairs", {"facing": "west"})
    assert material_of("minecraft:oak_stairs[facing=west]") == "oak_stairs"


def test_a_missing_waterlogged_is_the_default() -> None:
    """R28."""
    assert canonical_state("stone_slab[type=bottom]") == canonical_state("stone_slab[waterlogged=false,type=bottom]")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("grass", "short_grass"),  # R29
        ("minecraft:grass_path", "dirt_path"),
        ("chain[axis=x]", "iron_chain[axis=x,waterlogged=false]"),
        ("sign[rotation=4]", "oak_sign[rotation=4,waterlogged=false]"),
        ("wall_sign", "oak_wall_sign[facing=north,waterlogged=false]"),
        (
            "cobblestone_wall[east=true,north=false,up=false]",
            "cobblestone_wall[east=low,north=none,south=none,up=false,waterlogged=false,west=none]",
        ),
        ("cauldron", "cauldron"),
        ("cauldron[level=0]", "cauldron"),
        ("cauldron[level=3]", "water_cauldron[level=3]"),
        ("jigsaw[facing=east]", "jigsaw[orientation=east_up]"),
        ("torchflower_crop[age=2]", "torchflower"),
        (
            "creaking_heart[active=true,axis=y]",
            "creaking_heart[axis=y,creaking_heart_state=awake,natural=false]",
        ),
    ],
)
def test_older_versions_read_as_the_newest(old: str, new: str) -> None:
    assert canonical_state(old) == new
    assert describe(old).known


def test_fences_keep_true_and_false() -> None:
    assert "east=true" in canonical_state("oak_fence[east=true]")


def test_unknown_ids_and_properties_are_kept_and_named_unknown() -> None:
    assert canonical_state("mod:brick[b=1,a=2]") == "mod:brick[a=2,b=1]"
    assert canonical_state("stone[odd=1]") == "stone[odd=1]"
    assert canonical_state("oak_log[axis=w]") == "oak_log[axis=w]"
    for text in ("mod:brick", "stone[odd=1]", "oak_log[axis=w]"):
        assert not describe(text).known
    assert describe("oak_log[axis=w]").material == "oak_log"


@pytest.mark.parametrize(
    "text",
    ["", "  ", "[", "Stone", "oak planks", "oak_log[", "oak_log[axis]", "oak_log[axis=]", "oak_log[=x]", "a:b:c",
     "oak_log[axis=x]y", "oak_log[axis=x", "oak_log[axis=x,axis=y]", "chest[facing=north]{Items:[]}", "stone\n", "a\0b",
     "oak_log[axis=x\n]", "é"],
)  # fmt: skip
def test_malformed_states_are_one_line(text: str) -> None:
    if text == "stone\n":
        # White space around a state is no part of it.
        assert canonical_state(text) == "stone"
        return
    if text == "oak_log[axis=x\n]":
        assert canonical_state(text) == "oak_log[axis=x]"
        return
    with pytest.raises(StateError) as caught:
        canonical_state(text)
    assert "\n" not in str(caught.value)


def test_long_states_are_refused_and_the_message_is_short() -> None:
    with pytest.raises(StateError, match=r"65\d\d\d characters") as caught:
        canonical_state("a" * 65000 + "[" + "b" * 500 + "]")
    assert len(str(caught.value)) < 200
    assert canonical_state("a" * LONGEST) == "a" * LONGEST


def test_airs() -> None:
    assert all(map(is_air, ("air", "minecraft:cave_air", "void_air")))
    assert not any(map(is_air, ("structure_void", "stone", "mod:air", "light")))


@given(st.sampled_from(sorted(block_names())), st.data())
def test_canonical_text_is_stable_under_order_and_omission(name: str, data: st.DataObject) -> None:
    props = block_properties(name)
    chosen = {
        key: data.draw(st.sampled_from(values), label=key) for key, values in props.items() if data.draw(st.booleans())
    }
    order = data.draw(st.permutations(sorted(chosen)))
    text = f"minecraft:{name}[{','.join(f'{key}={chosen[key]}' for key in order)}]"
    canonical = canonical_state(text)
    assert canonical_state(canonical) == canonical
    found, full = split_state(canonical)
    assert found == name
    assert set(full) == set(props)
    assert chosen.items() <= full.items()
    assert list(full) == sorted(full)


@given(st.text(max_size=40))
def test_any_text_is_a_state_or_a_state_error(text: str) -> None:
    try:
        canonical = canonical_state(text)
    except StateError:
        return
    assert canonical_state(canonical) == canonical
