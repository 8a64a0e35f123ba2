"""The material of a block: fem/data/materials.csv, read at the first question.

materials.md beside it says how rows match, what the values rest on and what they are not good for.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path

from minece.blocks.catalogue import block_names
from minece.blocks.states import material_of
from minece.fem.errors import MaterialError
from minece.fem.strength import Failure

TABLE = Path(__file__).parent / "data" / "materials.csv"

_PREFIXES = ("waxed_", "infested_")
_SHAPES = (
    "_slab", "_stairs", "_wall", "_fence_gate", "_fence", "_trapdoor", "_door", "_pressure_plate", "_button", "_pane",
)  # fmt: skip
# Planks first: bamboo_slab is made of bamboo planks, not of the plant.
_BASES = ("_planks", "_block", "s", "")

_LEAST, _MOST = 1e-6, 1e18  # of E in Pa and rho in kg/m³; far from where sums leave the range of numbers

MEND = "take masonry, intact or uniform:E=30e9,nu=0.2,rho=2400"


@dataclass(frozen=True, slots=True)
class Material:
    """What a block is made of. SI units; strengths are positive.

    ``masonry`` names the block whose row holds where stone is laid in blocks rather than one piece, ``smeared`` says
    that the values are those of the whole cell already, whatever the block's shape; ``patterns`` are the ids of the
    row in the table.
    """

    patterns: tuple[str, ...]
    analogue: str
    density: float
    young: float
    poisson: float
    compressive: float
    tensile: float
    failure: Failure
    masonry: str = ""
    smeared: bool = False
    confidence: str = ""
    source: str = ""


@lru_cache(maxsize=1)
def material_table() -> tuple[Material, ...]:
    """The rows of the table, in order; the first that matches holds."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return tuple(
            Material(
                patterns=tuple(row["match"].split("|")),
                analogue=row["analogue"],
                density=float(row["density_kg_m3"]),
                young=float(row["E_Pa"]),
                poisson=float(row["nu"]),
                compressive=float(row["f_c_Pa"]),
                tensile=float(row["f_t_Pa"]),
                failure=Failure[row["failure"].upper()],
                masonry=row["masonry"],
                smeared=row["smeared"] == "yes",
                confidence=row["confidence"],
                source=row["source"],
            )
            for row in csv.DictReader(file)
        )


@lru_cache(maxsize=4096)
def find_material(block: str) -> Material | None:
    """The row of a block id, None where there is none; the table's own values, whatever the profile.

    A block without a row takes the row of what it is made of: ``oak_slab`` that of ``oak_planks``.

    >>> find_material("brick_wall").analogue
    'solid clay brick masonry, lime mortar'
    """
    name = material_of(block)
    for prefix in _PREFIXES:
        name = name.removeprefix(prefix)
    if name.startswith("potted_"):
        name = "flower_pot"
    row = _row(name)
    if row is not None:
        return row
    for shape in _SHAPES:
        if name.endswith(shape):
            bases = (name.removesuffix(shape) + ending for ending in _BASES)
            rows = (_row(base) for base in bases if base in block_names())
            return next((row for row in rows if row is not None), None)
    return None


def _row(name: str) -> Material | None:
    for material in material_table():
        if any(fnmatchcase(name, pattern) for pattern in material.patterns):
            return material
    return None


@dataclass(frozen=True, slots=True)
class Profile:
    """Which material a block id counts as.

    ``masonry`` takes stone and fired clay as laid in blocks with mortar, as walls are; ``intact`` as one flawless
    piece; ``uniform`` gives all blocks that carry load one material without a strength, and no weight to others.
    """

    name: str
    masonry: bool = False
    uniform: Material | None = None

    def material(self, block: str) -> Material:
        """The material of a block that carries load. Raises :class:`MaterialError` where it has none."""
        if self.uniform is not None:
            return self.uniform
        found = self.find(block)
        if found is None:
            raise MaterialError(
                f"{block} has no material",
                mend="leave the block out, take uniform:E=…,nu=…,rho=…, or add a row to fem/data/materials.csv",
            )
        return found

    def find(self, block: str) -> Material | None:
        """The material of a block, None where it has none or, with ``uniform``, where it is not asked for."""
        if self.uniform is not None:
            return None
        found = find_material(block)
        if found is None or not self.masonry or not found.masonry:
            return found
        laid = find_material(found.masonry)
        if laid is None:
            raise MaterialError(f"{found.masonry} has no material", where="fem/data/materials.csv")
        return replace(laid, smeared=found.smeared)


def read_profile(text: str) -> Profile:
    """A profile from its text: ``masonry``, ``intact`` or ``uniform:E=30e9,nu=0.2,rho=2400`` (Pa, 1, kg/m³).

    What is left out of ``uniform`` is as shown here. Raises :class:`MaterialError`.
    """
    word, _, rest = text.strip().partition(":")
    if word in ("masonry", "intact") and not rest:
        return Profile(word, masonry=word == "masonry")
    if word != "uniform":
        raise MaterialError(f"unknown material profile {text[:60]!r}", mend=MEND)
    values = {"E": 30e9, "nu": 0.2, "rho": 2400.0}
    for part in filter(None, rest.split(",")):
        key, _, number = (side.strip() for side in part.partition("="))
        if key not in values:
            raise MaterialError(f"{key[:20]!r} in {text[:60]!r} is none of E, nu and rho", mend=MEND)
        try:
            values[key] = float(number)
        except ValueError:
            raise MaterialError(f"{number[:20]!r} in {text[:60]!r} is no number", mend=MEND) from None
    if not (values["E"] > 0 and values["rho"] > 0 and all(map(math.isfinite, values.values()))):
        raise MaterialError(f"E and rho in {text[:60]!r} are not positive", mend=MEND)
    if not all(_LEAST <= values[key] <= _MOST for key in ("E", "rho")):
        raise MaterialError(f"E and rho in {text[:60]!r} do not lie from {_LEAST:g} to {_MOST:g}", mend=MEND)
    if not -1.0 < values["nu"] < 0.5:
        raise MaterialError(f"nu in {text[:60]!r} is not between -1 and 0.5", mend=MEND)
    name = f"uniform:E={values['E']:g},nu={values['nu']:g},rho={values['rho']:g}"
    material = Material(("*",), name, values["rho"], values["E"], values["nu"], 1.0, 1.0, Failure.NONE)
    return Profile(name, uniform=material)
