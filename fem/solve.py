"""Direct solution: element matrices assembled front by front, and Cholesky factors of the fronts.

A front is a dense matrix (see :mod:`minece.fem.ordering`), so all work is done by the machine's dense linear algebra.
No sparse matrix of the whole structure is made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from minece.fem.elements import Element, Floats
from minece.fem.errors import TooLargeError
from minece.fem.mesh import Ints, Mask, Mesh, summed
from minece.fem.ordering import Cost, Front, cost, dissect, operations
from minece.fem.threads import one_thread

Tell = Callable[[float], None]
"""Called with the share of the work that is done, 0 to 1."""

MOST_MEMORY = 2.0e9
"""Bytes that a direct solution may take."""

MOST_CUBES = 200_000
"""Cubes beyond which not even the cost of direct solution is worked out."""

_OPERATIONS_PER_SECOND = 8.0e9
_SMALLER = (
    "structures of this size need the solver for large builds, which does not exist yet; take a part of the build or a "
    "smaller refine"
)


@dataclass(frozen=True, eq=False)
class System:
    """Cubes of some elements, held at some degrees of freedom.

    Attributes
    ----------
    mesh : m cubes, k nodes
    elements : the different elements
    which : (m,) int64, element of each cube
    young : (m,) float64, Pa
    fixed : (k, 3) bool, degrees of freedom that do not move
    """

    mesh: Mesh
    elements: Sequence[Element]
    which: Ints
    young: Floats
    fixed: Mask

    def internal_forces(self, displacement: Floats) -> Floats:
        """(k, 3) N: the forces at the nodes that a displacement (k, 3) in m takes."""
        moved = displacement[self.mesh.corners].reshape(len(self.mesh), 24)
        forces = np.empty_like(moved)
        for number, one in enumerate(self.elements):
            rows = self.which == number
            forces[rows] = moved[rows] @ one.stiffness
        forces *= (self.young * self.mesh.side)[:, None]
        return nodal_sums(self.mesh, forces.reshape(-1, 8, 3))


def nodal_sums(mesh: Mesh, values: Floats) -> Floats:
    """(k, 3): what the corners of the cubes, (m, 8, 3), add up to at the nodes."""
    corners = mesh.corners.ravel()
    columns = [summed(corners, values[..., axis].ravel(), len(mesh.nodes)) for axis in range(3)]
    return np.stack(columns, axis=1)


def check_cost(mesh: Mesh, fronts: list[Front]) -> Cost:
    """What a direct solution will cost. Raises :class:`TooLargeError` beyond :data:`MOST_MEMORY`."""
    price = cost(fronts)
    if price.memory > MOST_MEMORY:
        raise TooLargeError(
            f"direct solution of {len(mesh)} cubes would take about {price.memory / 1e9:.2g} GB of memory and "
            f"{price.operations / _OPERATIONS_PER_SECOND:.2g} s, more than the {MOST_MEMORY / 1e9:.2g} GB allowed",
            mend=_SMALLER,
        )
    return price


def check_size(cubes: int) -> None:
    """Raises :class:`TooLargeError` for structures that are far too large, before any work is done."""
    if cubes > MOST_CUBES:
        raise TooLargeError(
            f"{cubes} cubes are far more than direct solution can take (up to {MOST_CUBES}; it would need tens of GB)",
            mend=_SMALLER,
        )


@dataclass(frozen=True, eq=False)
class Factor:
    """Cholesky factors of all fronts: for each its own unknowns, those of its boundary, and the two blocks."""

    unknowns: int
    numbers: Ints
    steps: list[tuple[Ints, Ints, Floats, Floats]]

    def solve(self, loads: Floats) -> Floats:
        """(k, 3) m: the displacement under loads (k, 3) in N; zero where it is fixed."""
        from scipy.linalg.blas import dtrsv

        # One place more, which stands for all that is fixed.
        right = np.zeros(self.unknowns + 1)
        right[self.numbers] = loads
        for own, boundary, lower, below in self.steps:
            right[own] = dtrsv(lower, right[own], lower=1)
            right[boundary] -= below @ right[own]
        for own, boundary, lower, below in reversed(self.steps):
            right[own] = dtrsv(lower, right[own] - right[boundary] @ below, lower=1, trans=1)
        right[-1] = 0.0
        return right[self.numbers]


def factorise(system: System, fronts: list[Front], tell: Tell | None = None) -> Factor | None:
    """The factor of a system, None where its stiffness is not positive definite: something in it can move."""
    from scipy.linalg.blas import dsyrk, dtrsm
    from scipy.linalg.lapack import dpotrf

    mesh = system.mesh
    numbers, unknowns = _numbers(system.fixed, fronts)
    stiffness = np.array([one.stiffness for one in system.elements])
    place = np.empty(unknowns + 1, dtype=np.int64)
    left: dict[int, tuple[Ints, Floats]] = {}
    steps: list[tuple[Ints, Ints, Floats, Floats]] = []
    done = np.cumsum(operations(fronts)) if tell else None
    for number, front in enumerate(fronts):
        if tell and done is not None and number:
            tell(float(done[number - 1] / done[-1]))
        own, boundary = (_free(numbers[nodes], unknowns) for nodes in (front.own, front.boundary))
        many, size = len(own), len(own) + len(boundary)
        place[own] = np.arange(many)
        place[boundary] = np.arange(many, size)
        place[unknowns] = size  # one row and column more, which take what belongs to fixed unknowns
        if front.parts:
            # Unknowns are in the order of elimination, here and in the parts: lower triangles go to lower triangles.
            added = [(place[there], values) for there, values in map(left.pop, front.parts)]
            spots = np.concatenate([(at[:, None] * (size + 1) + at).ravel() for at, _ in added])
            values = np.concatenate([values.ravel() for _, values in added])
        else:
            at = place[numbers[mesh.corners[front.cubes]].reshape(-1, 24)]
            spots = (at[:, :, None] * (size + 1) + at[:, None, :]).ravel()
            modulus = (system.young[front.cubes] * mesh.side)[:, None, None]
            values = (stiffness[system.which[front.cubes]] * modulus).ravel()
        flat = summed(spots, values, (size + 1) ** 2)
        matrix = flat.reshape(size + 1, size + 1)
        if not many:
            left[number] = (boundary, matrix[:size, :size])
            continue
        lower, wrong = dpotrf(matrix[:many, :many], lower=1, clean=1)
        if wrong:
            return None
        below = matrix[many:size, :many]
        rest = matrix[many:size, many:size]
        if below.size:
            below = dtrsm(1.0, lower, below, side=1, lower=1, trans_a=1)
            rest = dsyrk(-1.0, below, beta=1.0, c=rest, lower=1)
        steps.append((own, boundary, lower, below))
        left[number] = (boundary, rest)
    return Factor(unknowns, numbers, steps)


def _numbers(fixed: Mask, fronts: list[Front]) -> tuple[Ints, int]:
    """(k, 3) int64: numbers of the unknowns in the order of elimination, and how many there are; fixed ones have the
    number after the last."""
    order = np.concatenate([front.own for front in fronts])
    free = ~fixed[order]
    unknowns = int(np.count_nonzero(free))
    numbers = np.empty(fixed.shape, dtype=np.int64)
    numbers[order] = np.where(free, np.cumsum(free.ravel()).reshape(free.shape) - 1, unknowns)
    return numbers, unknowns


def _free(numbers: Ints, unknowns: int) -> Ints:
    """The free ones among some unknowns, in order."""
    flat = numbers.ravel()
    return np.sort(flat[flat < unknowns])


def solve(system: System, loads: Floats, tell: Tell | None = None) -> tuple[Floats | None, Cost]:
    """The displacement (k, 3) in m under loads (k, 3) in N, None where something can move freely; and the cost.

    Raises :class:`TooLargeError`.
    """
    fronts = dissect(system.mesh)
    price = check_cost(system.mesh, fronts)
    with one_thread():
        factor = factorise(system, fronts, tell)
        return None if factor is None else factor.solve(loads), price
