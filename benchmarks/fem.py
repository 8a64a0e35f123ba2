"""Speed and memory of the stress solver, beside stock finite elements in the same run.

    python benchmarks/fem.py [--json] [--large]

1. Builds of 60 to 250 blocks, from build to result, and the same structures assembled by scikit-fem and solved by
   scipy's spsolve (displacements only, without stress, checks and materials).
2. Solids, shells and frames of 1,000 and 3,000 blocks, with `--large` also 10,000: time and memory of both.

Times are processor seconds of one thread, the least of several runs; memory is the peak of a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy is imported

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from minece.blocks import BlockSet, Build  # noqa: E402
from minece.fem import analyse, analyse_voxels  # noqa: E402

Box = NDArray[np.bool_]

BUDGET_MS = 10.0
UNIFORM = "uniform:E=30e9,nu=0.2,rho=2400"


def bridge() -> Box:
    """Flat bridge, 60 blocks."""
    out = np.zeros((9, 5, 2), dtype=np.bool_)
    out[:, 3:] = True
    out[[0, 1, 7, 8]] = True
    return out


def roof() -> Box:
    """Roof of two layers on four columns, 232 blocks."""
    out = np.zeros((10, 4, 10), dtype=np.bool_)
    out[:, 2:] = True
    for x in (1, 7):
        for z in (1, 7):
            out[x : x + 2, :2, z : z + 2] = True
    return out


def house() -> Box:
    """Four walls and a flat roof with a door, 207 blocks."""
    out = np.zeros((9, 5, 9), dtype=np.bool_)
    out[[0, -1]] = True
    out[:, :, [0, -1]] = True
    out[:, -1] = True
    out[4, :2, 0] = False
    return out


def igloo() -> Box:
    """Half a hollow ball, 193 blocks."""
    x, y, z = np.mgrid[-5:6, 0:6, -5:6]
    far = np.sqrt(x * x + y * y + z * z)
    out: Box = (far <= 5.4) & (far > 4.3)
    return out


def solid(blocks: int) -> Box:
    side = round(blocks ** (1 / 3))
    return np.ones((side, side, side), dtype=np.bool_)


def shell(blocks: int) -> Box:
    """Hollow building: outer walls, floors every four levels, cross walls every twelve."""
    for side in range(5, 400):
        high = min(2 * side, 300) // 4 * 4 + 1
        out = np.zeros((side, high, side), dtype=np.bool_)
        out[:, 4::4] = True
        out[::12] = True
        out[:, :, ::12] = True
        out[[0, -1]] = True
        out[:, :, [0, -1]] = True
        if out.sum() >= blocks:
            return out
    raise ValueError(blocks)


def frame(blocks: int) -> Box:
    """Columns and beams of one block on a grid of five."""
    levels = min(60, max(4, round((blocks / 13) ** (1 / 3) * 2)))
    for bays in range(1, 60):
        out = np.zeros((5 * bays + 1, 5 * levels + 1, 5 * bays + 1), dtype=np.bool_)
        out[::5, :, ::5] = True
        out[::5, 5::5, :] = True
        out[:, 5::5, ::5] = True
        if out.sum() >= blocks:
            return out
    raise ValueError(blocks)


SMALL: dict[str, Callable[[], Box]] = {"bridge": bridge, "igloo": igloo, "house": house, "roof": roof}
LARGE: dict[str, Callable[[int], Box]] = {"solid": solid, "shell": shell, "frame": frame}


def stock(box: Box) -> float:
    """The largest displacement by plain hexahedra of scikit-fem and scipy."""
    import skfem
    from scipy.sparse.linalg import spsolve
    from skfem.models.elasticity import lame_parameters, linear_elasticity

    cubes = np.argwhere(box)
    corners = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [1, 1, 1]])
    lattice = (cubes[:, None] + corners).reshape(-1, 3)
    nodes, place = np.unique(lattice, axis=0, return_inverse=True)
    mesh = skfem.MeshHex(nodes.T.astype(np.float64), place.reshape(-1, 8).T)
    basis = skfem.Basis(mesh, skfem.ElementVector(skfem.ElementHex1()), intorder=3)
    matrix = linear_elasticity(*lame_parameters(30e9, 0.2)).assemble(basis)
    load = skfem.LinearForm(lambda v, _: -2400 * 9.81 * v[1]).assemble(basis)
    held = basis.get_dofs(lambda x: x[1] == 0).flatten()
    solution = skfem.solve(*skfem.condense(matrix, load, D=held), solver=lambda a, b, **_: spsolve(a, b))
    moved = solution[basis.nodal_dofs]
    return float(np.linalg.norm(moved, axis=0).max())


def ours(box: Box) -> float:
    """The same with stress, by plain hexahedra, so that the two can be compared."""
    return float(analyse_voxels(box, kind="hex8").max_displacement_m or 0.0)


SOLVERS = {"minece": ours, "scikit-fem + spsolve": stock}


def build_of(box: Box) -> Build:
    cells = np.argwhere(box)
    return Build(BlockSet(cells, np.zeros(len(cells), dtype=np.int64), ["stone_bricks"]))


def least(work: Callable[[], object], runs: int) -> float:
    times = []
    for _ in range(runs):
        begin = time.process_time()
        work()
        times.append(time.process_time() - begin)
    return min(times)


def small() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for name, make in SMALL.items():
        box = make()
        build = build_of(box)

        def fresh(build: Build = build) -> Build:
            return Build(BlockSet(build.blocks.cells, build.blocks.index, build.blocks.palette))

        analyse(fresh())
        own = least(lambda: analyse(fresh()), 30)  # noqa: B023
        paper = least(lambda: analyse(fresh(), materials=UNIFORM, full_cubes=True, paper=True), 30)  # noqa: B023
        other = least(lambda: stock(box), 2)  # noqa: B023
        difference = abs(ours(box) / stock(box) - 1)
        assert difference < 1e-5, (name, difference)
        rows.append(
            {
                "build": name,
                "blocks": int(box.sum()),
                "ms": round(1e3 * own, 2),
                f"at most {BUDGET_MS:g} ms": own <= BUDGET_MS / 1e3,
                "with the published measure, ms": round(1e3 * paper, 2),
                "scikit-fem + spsolve, ms": round(1e3 * other, 1),
                "ratio": round(other / own, 1),
            }
        )
    return rows


def one(name: str, blocks: int, solver: str) -> dict[str, Any]:
    """One structure in this process."""
    import resource

    box = LARGE[name](blocks)
    SOLVERS[solver](bridge())
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.process_time()
    displacement = SOLVERS[solver](box)
    taken = time.process_time() - begin
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {
        "blocks": int(box.sum()),
        "s": round(taken, 2),
        "MB": round((peak - before) / 1024),
        "displacement": displacement,
    }


def large(sizes: list[int]) -> list[dict[str, Any]]:
    rows = []
    for blocks in sizes:
        for name in LARGE:
            row: dict[str, Any] = {"structure": name}
            for solver in SOLVERS:
                command = [sys.executable, __file__, "--one", name, str(blocks), solver]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                found = json.loads(done.stdout)
                row["blocks"] = found["blocks"]
                row |= {f"{solver}, s": found["s"], f"{solver}, MB": found["MB"]}
                assert abs(row.setdefault("displacement", found["displacement"]) / found["displacement"] - 1) < 1e-5
            row["ratio"] = round(row["scikit-fem + spsolve, s"] / row["minece, s"], 1)
            rows.append(row)
    return rows


def printed(found: dict[str, Any]) -> None:
    print("build     blocks       ms  <= 10  + published measure   scikit-fem + spsolve   ratio")
    for row in found["small"]:
        times = f"{row['ms']:>8} {row['at most 10 ms']!s:>6} {row['with the published measure, ms']:>16} ms"
        other = f"{row['scikit-fem + spsolve, ms']:>19} ms {row['ratio']:>7}"
        print(f"{row['build']:<9} {row['blocks']:>6} {times} {other}")
    print("structure  blocks    minece          scikit-fem + spsolve     ratio")
    for row in found["large"]:
        own = f"{row['minece, s']:>7} s {row['minece, MB']:>5} MB"
        other = f"{row['scikit-fem + spsolve, s']:>10} s {row['scikit-fem + spsolve, MB']:>6} MB"
        print(f"{row['structure']:<10} {row['blocks']:>6} {own} {other} {row['ratio']:>9}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--large", action="store_true", help="structures of 10,000 blocks too; takes minutes")
    parser.add_argument("--one", nargs=3, metavar=("STRUCTURE", "BLOCKS", "SOLVER"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(one(given.one[0], int(given.one[1]), given.one[2])))
        return
    found = {"small": small(), "large": large([1000, 3000, *([10_000] if given.large else [])])}
    if given.json:
        print(json.dumps(found, indent=1))
    else:
        printed(found)


if __name__ == "__main__":
    main()
