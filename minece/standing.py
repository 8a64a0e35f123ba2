"""Whether a build stands, from its stress, in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from minece.blocks import Cells
    from minece.fem import Governing, StressResult

Answer = Literal["stands", "stands if it is strong enough", "does not stand", "is not solved"]

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))
_ALMOST = 0.1  # ratios nearer to 1 than this get more digits


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether a build stands, and why in one line."""

    answer: Answer
    why: str

    @property
    def line(self) -> str:
        """Both together."""
        return f"{self.answer}: {self.why}"

    @property
    def stands(self) -> bool:
        """Whether nothing speaks against it."""
        return self.answer.startswith("stands")

    @classmethod
    def of(cls, result: StressResult) -> Standing:
        """What the result of a stress analysis comes to.

        A build does not stand if a part of it floats or can move, or if a block is used beyond its strength. What is
        too soft for linear theory is not solved. Where no strength counts (one material for all; nothing but soft
        blocks) only the rest can be told.
        """
        if result.status in ("empty", "not_converged", "excessive_displacement"):
            return cls("is not solved", result.message)
        if result.status == "floating":
            return cls(
                "does not stand", f"{blocks_at(result.floating, 'float', 'floats')}, joined to nothing that stands"
            )
        if result.status == "mechanism":
            moving = blocks_at(result.moving, "can move freely", "can move freely")
            return cls("does not stand", f"{moving}; edges and corners that touch do not hold each other")
        worst = result.strength
        if worst is None:
            return cls("stands if it is strong enough", _without_strength(result))
        used = f"highest utilisation {ratio(worst.utilisation)} at {place(worst)}"
        if worst.load_factor is None:
            return cls("stands", "no block is stressed")
        if worst.utilisation > 1:
            return cls("does not stand", f"{used}; would carry only {ratio(worst.load_factor)} × its weight")
        return cls("stands", f"{used}; would carry {ratio(worst.load_factor)} × its weight")


def _without_strength(result: StressResult) -> str:
    """What can be said where no block's strength counts."""
    if (soft := result.not_structural) is not None:
        return f"all its blocks are soft; highest utilisation {ratio(soft.utilisation)} at {place(soft)}"
    at = "" if result.sigma_rms_at is None else f" at {cell(result.sigma_rms_at)}"
    return f"nothing floats or can move; largest stress {quantity(result.sigma_rms_pa or 0.0, 'Pa')}{at}"


def blocks_at(cells: Cells, verb: str, verb_of_one: str) -> str:
    """``3 blocks float, the first at (0, 3, 0)``."""
    x, y, z = cells[0].tolist()
    if len(cells) == 1:
        return f"the block at {cell((x, y, z))} {verb_of_one}"
    return f"{len(cells)} blocks {verb}, the first at {cell((x, y, z))}"


def place(worst: Governing) -> str:
    """``(4, 5, 1) stone_bricks in tension``."""
    how = "yielding" if worst.mode == "yield" else f"in {worst.mode}"
    return " ".join(filter(None, (cell(worst.cell), worst.material, how)))


def cell(at: tuple[int, int, int]) -> str:
    """``(4, 5, 1)``."""
    return "({}, {}, {})".format(*at)


def ratio(value: float) -> str:
    """A ratio to two digits, to three near 1, or as many as it takes not to be rounded to it.

    >>> ratio(0.7689), ratio(14.77), ratio(915.6), ratio(0.00109), ratio(1.0544), ratio(0.9996)
    ('0.77', '15', '920', '0.0011', '1.05', '0.9996')
    """
    digits = 2 if abs(value - 1) > _ALMOST else 3
    while digits < 6 and float(f"{value:.{digits}g}") == 1 != value:
        digits += 1
    rounded = float(f"{value:.{digits}g}")
    return f"{rounded:.0f}" if rounded >= 10 else f"{rounded:g}"


def quantity(value: float, unit: str) -> str:
    """A value to four digits with a prefix of its unit.

    >>> quantity(223909, "Pa"), quantity(5.65056e-05, "m"), quantity(0, "N")
    ('223.9 kPa', '56.51 µm', '0 N')
    """
    rounded = float(f"{value:.4g}")
    factor, prefix = next(((f, p) for f, p in _PREFIXES if abs(rounded) >= f), (1.0, ""))
    return f"{float(f'{rounded / factor:.4g}'):g} {prefix}{unit}"
