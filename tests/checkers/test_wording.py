"""The words that messages are made of."""

import pytest

from minece.checkers.parameters import Bound
from minece.checkers.wording import asked, listed


@pytest.mark.parametrize(
    ("bound", "ok", "said"),
    [
        (Bound(at_least=1, at_most=1), False, "exactly 1 is asked for"),
        (Bound(at_least=1, at_most=1), True, "exactly 1 was asked for"),
        (Bound(at_least=2, at_most=2), False, "exactly 2 are asked for"),
        (Bound(at_least=2), True, "at least 2 were asked for"),
        (Bound(at_least=11), False, "at least 11 are asked for"),
        (Bound(at_most=0), False, "at most 0 are asked for"),
        (Bound(at_least=1, at_most=3), False, "at least 1 and at most 3 are asked for"),
    ],
)
def test_asked_agrees_with_the_number_of_things(bound: Bound, ok: bool, said: str) -> None:
    assert asked(bound, ok, counted=True) == said


def test_asked_of_a_measure_is_singular() -> None:
    assert asked(Bound(at_least=3), False) == "at least 3 is asked for"
    assert asked(Bound(at_least=3), True) == "at least 3 was asked for"


def test_listed() -> None:
    assert [listed([1]), listed([1, 2]), listed(["a", "b", "c"])] == ["1", "1 and 2", "a, b and c"]
