"""How far stress goes towards strength: utilisation by failure class.

Utilisation 1 is failure, and because everything is linear in the load, 1 / utilisation is the factor by which the
weight could grow. The strengths of different materials rest on different bases (means, characteristic values, guesses;
fem/data/materials.md), and no partial factors are applied: utilisation compares builds and is no design check.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Literal

import numpy as np

from minece.fem.elements import Floats
from minece.fem.mesh import Ints, Mask

OPENING = 1.0e3
"""Pa of tension that fails materials without tensile strength: rounding and capillarity are not meant."""

Mode = Literal["tension", "compression", "yield"]
MODES: tuple[Mode, ...] = ("tension", "compression", "yield")


class Failure(IntEnum):
    """How a material fails.

    NONE: strength unknown, no utilisation. BRITTLE: Mohr-Coulomb in strengths with cut-offs, the largest of s1/f_t,
    −s3/f_c and, where s1 > 0 > s3, their sum. DUCTILE: von Mises stress over the yield stress f_c. TIMBER: the larger
    of s1/f_t and −s3/f_c. NO_TENSION: −s3/f_c, and s1 over 1 kPa where nothing is under the block (earth that rests on
    something may open and does not fall). SOFT: as timber; such blocks are no structure and are reported apart. s1 and
    s3 are the largest and the smallest principal stress.
    """

    NONE = 0
    BRITTLE = 1
    DUCTILE = 2
    TIMBER = 3
    NO_TENSION = 4
    SOFT = 5


def utilisation(
    linear: Floats, principal: Floats, failure: Ints, compressive: Floats, tensile: Floats, bedded: Mask | None = None
) -> tuple[Floats, Ints]:
    """(n,) utilisation and (n,) int64 mode (an index of :data:`MODES`) of n blocks, the largest over their points.

    ``linear`` (n,) is the largest von Mises stress, ``principal`` (n, p, 3) principal stresses at p points, ascending;
    ``failure`` (n,) values of :class:`Failure`; ``compressive`` and ``tensile`` (n,) strengths in Pa, positive;
    ``bedded`` (n,) bool, blocks that rest on a block or on soil (None: none does). Utilisation is 0 for class NONE.
    """
    none = failure == Failure.NONE
    strength = np.where(failure == Failure.NO_TENSION, OPENING, tensile)
    pull = np.maximum(principal[..., 2], 0.0) / np.where(none, 1.0, strength)[:, None]
    if bedded is not None:
        pull[bedded & (failure == Failure.NO_TENSION)] = 0.0
    push = np.maximum(-principal[..., 0], 0.0) / np.where(none, 1.0, compressive)[:, None]
    both = np.where((failure == Failure.BRITTLE)[:, None], pull + push, np.maximum(pull, push))
    worst = both.argmax(axis=1)
    row = np.arange(len(both))
    value = both[row, worst]
    mode = np.where(pull[row, worst] >= push[row, worst], 0, 1)
    ductile = failure == Failure.DUCTILE
    value[ductile] = linear[ductile] / compressive[ductile]
    mode[ductile] = 2
    value[none] = 0.0
    return value, mode
