"""What touches what."""

import pytest

from minece.blocks import Build
from minece.checkers import bind, evaluate

DOOR = [(0, 0, 0, "oak_door[half=lower,facing=east]"), (0, 1, 0, "oak_door[half=upper,facing=east]")]
BED = [(5, 0, 0, "red_bed[part=foot,facing=south]"), (5, 0, 1, "red_bed[part=head,facing=south]")]


def judge(blocks, **args):
    return evaluate(Build.from_blocks(blocks), [bind("adjacent", args)])[0]


def lamps(*cells):
    return [(*cell, "sea_lantern") for cell in cells]


def cells(verdict):
    return set(map(tuple, verdict.cells.tolist()))


@pytest.mark.parametrize("lamp", [(1, 0, 0), (-1, 0, 0), (0, 1, 1), (0, 2, 0), (0, -1, 0)])
def test_a_door_touches_what_either_half_touches(lamp):
    verdict = judge(DOOR + lamps(lamp), a="#doors", b="sea_lantern")
    assert (verdict.status, verdict.measured, verdict.required) == ("pass", 1, 1)
    assert verdict.message == "1 of 1 block of #doors touches sea_lantern by a face."


@pytest.mark.parametrize("lamp", [(1, 2, 0), (1, 0, 1), (0, 3, 0), (2, 0, 0)])
def test_edges_and_corners_do_not_touch(lamp):
    verdict = judge(DOOR + lamps(lamp), a="#doors", b="sea_lantern")
    assert (verdict.status, verdict.measured) == ("fail", 0)
    assert cells(verdict) == {(0, 0, 0), (0, 1, 0)}
    assert verdict.message.endswith("bring sea_lantern to (0, 0, 0).")


def test_each_and_some():
    two = DOOR + [(x + 9, y, z, state) for x, y, z, state in DOOR] + lamps((1, 1, 0))
    verdict = judge(two, a="#doors", b="sea_lantern")
    assert (verdict.status, verdict.measured, verdict.required) == ("fail", 1, 2)
    assert cells(verdict) == {(9, 0, 0), (9, 1, 0)}
    verdict = judge(two, a="#doors", b="sea_lantern", which="some")
    assert (verdict.status, verdict.measured, verdict.required) == ("pass", 1, {"at_least": 1})
    assert cells(verdict) == {(0, 0, 0), (0, 1, 0)}


def test_a_bed_does_not_touch_itself():
    assert judge(BED, a="#beds", b="#beds").measured == 0
    beside = [(x + 1, y, z, state) for x, y, z, state in BED]
    assert judge(BED + beside, a="#beds", b="#beds").measured == 2


def test_a_lone_half_is_named():
    verdict = judge(DOOR[:1] + lamps((3, 0, 0)), a="#doors", b="sea_lantern")
    assert verdict.status == "fail" and "complete the lone half at (0, 0, 0)" in verdict.message


def test_where_one_of_the_two_is_missing():
    verdict = judge(lamps((0, 0, 0)), a="#doors", b="sea_lantern")
    assert (verdict.status, verdict.measured, verdict.required) == ("fail", 0, 1)
    assert cells(verdict) == {(0, 0, 0)}
    verdict = judge(DOOR, a="#doors", b="sea_lantern", which="some")
    assert (verdict.status, verdict.measured) == ("fail", 0)
    assert "place sea_lantern beside (0, 0, 0)" in verdict.message
