import pytest

from minece.agent_bridge.versions import state_in_version
from minece.blocks.catalogue import block_names, default_state, in_version, states_of
from minece.blocks.errors import StateError
from minece.blocks.states import canonical_state


@pytest.mark.parametrize("version", ["1.20.4", "1.21.4"])
def test_states_come_back_as_they_went(version: str) -> None:
    names = [name for name in sorted(block_names()) if in_version(name, version)]
    states = [default_state(name) for name in names]
    states += [
        state for name in ("iron_chain", "short_grass", "oak_stairs", "oak_wall_sign") for state in states_of(name)
    ]
    for state in states:
        assert canonical_state(state_in_version(state, version)) == state


@pytest.mark.parametrize(
    ("state", "version", "then"),
    [
        ("short_grass", "1.20.2", "grass"),
        ("short_grass", "1.20.4", "short_grass"),
        ("grass", "1.20.4", "short_grass"),
        ("iron_chain", "1.21.4", "chain[axis=y,waterlogged=false]"),
        ("trial_spawner", "1.20.4", "trial_spawner[trial_spawner_state=inactive]"),
        ("trial_spawner", "1.21.4", "trial_spawner[ominous=false,trial_spawner_state=inactive]"),
        ("creaking_heart", "1.21.4", "creaking_heart[active=false,axis=y,natural=false]"),
        ("creaking_heart[creaking_heart_state=awake]", "1.21.4", "creaking_heart[active=true,axis=y,natural=false]"),
        ("no_such_block[a=b]", "1.21.4", "no_such_block[a=b]"),
    ],
)
def test_a_version_has_its_own_words(state: str, version: str, then: str) -> None:
    assert state_in_version(state, version) == then


def test_what_is_no_state_is_told() -> None:
    with pytest.raises(StateError):
        state_in_version("Oak Planks", "1.20.4")
