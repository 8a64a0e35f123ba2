"""One build has one id and one score in every format that can hold it."""

from pathlib import Path

import pytest

import minece
from minece.blocks import Build, formats

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
TASKS = {
    "foundation-good": "elements/shallow/7x8x1-lay",
    "foundation-bad": "elements/shallow/7x8x1-lay",
    "wall-good": "elements/walls/10x2x5-erect",
    "roof-floating": "elements/roofs/5x5-4columns-3high-build",
    "house-good": "management/plan-1/foundation-columns-walls-ceiling",
    "arch-bridge-good": "civil/arch-bridges/river10-boat3-build",
}
OF_ORDER = {"dependency", "efficiency"}
"""Criteria that need the log, which not every format holds."""

WRITABLE = [form.name for form in formats.FORMATS if form.write is not None]


def score_of(build: Build, task: str) -> dict[str, tuple[bool | None, float | None]]:
    score = minece.score(build, task)
    held = {name for name in score.criteria if build.log is not None or name not in OF_ORDER}
    return {name: (score.criteria[name], score.criterion_scores[name]) for name in sorted(held)}


@pytest.mark.parametrize("form", WRITABLE)
@pytest.mark.parametrize("name", TASKS)
def test_a_build_has_one_id_and_one_score(name: str, form: str, tmp_path: Path) -> None:
    build, path = minece.load(EXAMPLES / f"{name}.json"), tmp_path / "build"
    minece.save(build, path, format=form)
    again = minece.load(path)
    assert again.id == build.id
    expected, found = score_of(build, TASKS[name]), score_of(again, TASKS[name])
    assert found == {criterion: expected[criterion] for criterion in found}
    assert set(expected) - set(found) <= (set() if form in ("json", "csv") else OF_ORDER)


def test_lamps_beside_a_house_are_parts_and_do_not_float() -> None:
    """R61"""
    house = minece.load(EXAMPLES / "house-good.json")
    low, high = house.blocks.low, house.blocks.high
    x, z = high[0] + 4, low[2]
    lamp = [(x, 0, z, "oak_fence"), (x, 1, z, "oak_fence"), (x, 2, z, "lantern")]
    with_lamp = Build(house.blocks | minece.BlockSet.from_blocks(lamp), house.dug)
    rules = [{"rule": "grounded"}, {"rule": "connected"}]
    grounded, connected = minece.score(with_lamp, rules=rules).verdicts[0]
    assert (grounded.status, grounded.measured) == ("pass", 0)
    assert connected.status == "fail" and connected.measured == 2
    assert minece.score(house, rules=rules).overall
