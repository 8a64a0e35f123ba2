"""Stable roofs: the best build known is the best of those that a turn or a mirror maps onto themselves."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations

import numpy as np
import pytest

from minece.checkers.rules.stability import TOLERANCE
from minece.fem import analyse_voxels
from minece.tasks import load_task

Place = tuple[int, int]
Plan = tuple[Place, ...]

PLACES = [(x, z) for x in range(9) for z in range(9)]
MIDDLE = ((4, 4),)
SQUARE = ((1, 1), (1, 7), (7, 1), (7, 7))
WHIRL = ((1, 2), (2, 7), (6, 1), (7, 6))
MIRRORS: dict[str, Callable[[Place], Place]] = {
    "half a turn": lambda p: (8 - p[0], 8 - p[1]),
    "across": lambda p: (8 - p[0], p[1]),
    "along the diagonal": lambda p: (p[1], p[0]),
}


@cache
def stress(plan: Plan, layers: int) -> float:
    """Pa, from plain voxels: a roof of 10 by 10 on columns of 2×2×2 whose low corners are given."""
    voxels = np.zeros((10, 2 + layers, 10), dtype=np.bool_)
    voxels[:, 2:] = True
    for x, z in plan:
        voxels[x : x + 2, :2, z : z + 2] = True
    found = analyse_voxels(voxels, young=30e9, poisson=0.2, density=2400)
    assert found.status == "ok" and found.sigma_rms_pa is not None
    return found.sigma_rms_pa


def clear(plan: Plan) -> bool:
    """Whether no two columns touch by a face or take the same room."""
    apart = [sorted((abs(a - c), abs(b - d))) for (a, b), (c, d) in combinations(plan, 2)]
    return all(far > 2 or (far == 2 and near == 2) for near, far in apart)


def turned(place: Place) -> Plan:
    """The four places that quarter turns of the roof give."""
    x, z = place
    return tuple(sorted({(x, z), (8 - z, x), (8 - x, 8 - z), (z, 8 - x)}))


def quarters(columns: int) -> Iterator[Plan]:
    """Plans that a quarter turn maps onto themselves."""
    for plan in sorted({turned(place) for place in PLACES}):
        whole = plan if columns == 4 else (*plan, *MIDDLE)
        if len(plan) == 4 and clear(whole):
            yield whole


def mirrored(columns: int) -> Iterator[Plan]:
    """Plans that half a turn or a mirror maps onto themselves, in pairs of columns, and for five one in the middle."""
    for mirror in MIRRORS.values():
        pairs = sorted({tuple(sorted((place, mirror(place)))) for place in PLACES if mirror(place) != place})
        for one, other in combinations(pairs, 2):
            whole = (*one, *other) if columns == 4 else (*one, *other, *MIDDLE)
            if clear(whole):
                yield whole


@pytest.mark.parametrize(("layers", "columns", "reference", "best"), [
    (1, 4, 223909.0, 180688.0),
    (2, 4, 364191.0, 302790.0),
    (1, 5, 143622.0, 143622.0),
    (2, 5, 247340.0, 247340.0),
])  # fmt: skip
def test_references_and_the_best_with_quarter_turns(layers: int, columns: int, reference: float, best: float) -> None:
    middle = MIDDLE if columns == 5 else ()
    assert stress((*SQUARE, *middle), layers) == reference
    plans = list(quarters(columns))
    assert len(plans) > 10
    least = min(plans, key=lambda plan: stress(plan, layers))
    assert stress(least, layers) == best
    assert stress(WHIRL if columns == 4 else (*SQUARE, *MIDDLE), layers) == best


@pytest.mark.slow
@pytest.mark.parametrize(("layers", "columns"), [(1, 4), (2, 4), (1, 5), (2, 5)])
def test_no_mirrored_roof_is_better(layers: int, columns: int) -> None:
    best = stress(WHIRL if columns == 4 else (*SQUARE, *MIDDLE), layers)
    plans = list(mirrored(columns))
    assert len(plans) > 500
    assert min(stress(plan, layers) for plan in plans) >= best * (1 - TOLERANCE)


@pytest.mark.parametrize("layers", [1, 2])
def test_the_task_knows_both(layers: int) -> None:
    for columns, reference, best in ((4, SQUARE, WHIRL), (5, (*SQUARE, *MIDDLE), (*SQUARE, *MIDDLE))):
        task = load_task(f"elements/stable-roof-{layers}/{columns}columns-build")
        (bound,) = (rule for rule in task.turns[0].rules if rule.info.name == "stress")
        for name, plan in (("reference", reference), ("best", best)):
            shape = bound.values[name]
            feet = {(x, z) for x, y, z in shape.cells.tolist() if y == 0}
            assert feet == {(x + i, z + j) for x, z in plan for i in (0, 1) for j in (0, 1)}
            assert len(shape.cells) == 8 * columns + 100 * layers
