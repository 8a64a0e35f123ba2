"""What can move: parts that touch nothing held, and parts that hang together by edges and corners only.

Cubes joined by faces are one rigid body. A structure of one body that is held needs no further look. Otherwise each
body can move in six ways, every node shared by two bodies takes three of them away, and so does every held node of a
body: mechanisms are what is left, 6 · bodies − rank. A small residual proves nothing here: a hinge is "solved" with
displacements of millions of metres.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from minece.blocks.grid import distinct
from minece.blocks.links import components
from minece.fem.elements import Floats
from minece.fem.errors import ModelError
from minece.fem.mesh import Ints, Mask, Mesh, summed

MOST_BODIES = 400
"""Bodies joined by edges and corners only beyond which mechanisms are not sought."""

_ZERO = 1e-12


@dataclass(frozen=True, eq=False)
class Standing:
    """How the m cubes of a mesh stand.

    Attributes
    ----------
    floating : (m,) bool, in parts that touch nothing held, not even by an edge or corner
    mechanisms : number of ways in which the rest can move freely
    moving : (m,) bool, cubes that move in one of them
    contacts : (m,) bool, cubes that touch another body by an edge or corner; the stress there depends on the mesh
    """

    floating: Mask
    mechanisms: int
    moving: Mask
    contacts: Mask


def examine(mesh: Mesh, held: Mask) -> Standing:
    """How a mesh stands whose nodes ``held`` (k,) bool cannot move.

    Raises :class:`ModelError` where more than :data:`MOST_BODIES` bodies hang together by edges and corners only.
    """
    labels, number = components(len(mesh), *mesh.neighbours)
    none = np.zeros(len(mesh), dtype=np.bool_)
    if number <= 1:
        floating = np.full(len(mesh), not held.any(), dtype=np.bool_)
        return Standing(floating, 0, none, none)
    nodes, bodies = np.divmod(distinct((mesh.corners * number + labels[:, None]).ravel()), number)
    again = nodes[1:] == nodes[:-1]
    groups, _ = components(number, bodies[:-1][again], bodies[1:][again])
    floats: Mask = np.isin(groups, groups[bodies[held[nodes]]], invert=True)
    shared = np.zeros(len(mesh.nodes), dtype=np.bool_)
    shared[nodes[1:][again]] = True
    stay = ~floats[bodies]
    mechanisms, moves = count_mechanisms(mesh.nodes, nodes[stay], bodies[stay], held, number)
    touches = np.logical_or.reduce(shared[mesh.corners], axis=1)
    return Standing(floats[labels], mechanisms, moves[labels], touches)


def count_mechanisms(points: Ints, nodes: Ints, bodies: Ints, held: Mask, number: int) -> tuple[int, Mask]:
    """Mechanisms of rigid bodies, and (number,) bool, the bodies that move in one of them.

    ``points`` (k, 3) are the nodes' coordinates; ``nodes`` and ``bodies`` (p,) say which body has which node, each
    pair once; ``held`` (k,) bool.
    """
    ground = number
    on_ground = distinct(nodes[held[nodes]])
    nodes = np.concatenate([nodes, on_ground])
    bodies = np.concatenate([bodies, np.full(len(on_ground), ground)])
    rigid, nodes, bodies = _united(points, nodes, bodies, number + 1)
    present = distinct(bodies[bodies != rigid[ground]])
    if not len(present):
        return 0, np.zeros(number, dtype=np.bool_)
    if len(present) > MOST_BODIES:
        raise ModelError(
            f"{len(present)} parts hang together by edges and corners only, more than {MOST_BODIES}",
            mend="join the blocks by their faces",
        )
    moves = _free_motions(points, nodes, bodies, present, int(rigid[ground]))
    moving = np.zeros(number + 1, dtype=np.bool_)
    moving[present] = (np.abs(moves) > 1e-6).any(axis=(1, 2))
    return moves.shape[2], moving[rigid[:number]]


def _united(points: Ints, nodes: Ints, bodies: Ints, number: int) -> tuple[Ints, Ints, Ints]:
    """Bodies that share three nodes not on one line are one: (number,) the body that each belongs to, and the nodes
    and bodies anew, sorted, each pair once."""
    belongs = np.arange(number)
    while True:
        nodes, bodies = np.divmod(distinct(nodes * number + belongs[bodies]), number)
        one, other, at = _meetings(nodes, bodies)
        pairs, first, pair = np.unique(one * number + other, return_index=True, return_inverse=True)
        start = points[at[first]]
        # Meetings are in the order of their pairs' nodes only within a shift, so the second is any but the first.
        away = points[at] - start[pair]
        direction = np.zeros_like(start)
        apart = (away[:, 0] | away[:, 1] | away[:, 2]) != 0
        direction[pair[apart]] = away[apart]
        turn = np.cross(direction[pair], away)
        off_line = (turn[:, 0] | turn[:, 1] | turn[:, 2]) != 0
        joined = distinct(pair[off_line])
        if not len(joined):
            return belongs, nodes, bodies
        new, _ = components(number, *np.divmod(pairs[joined], number))
        # Numbers of groups come in the order of their first members; the first member stands for the group.
        leader = np.full(number, number)
        np.minimum.at(leader, new, np.arange(number))
        belongs = leader[new[belongs]]


def _meetings(nodes: Ints, bodies: Ints) -> tuple[Ints, Ints, Ints]:
    """Every two bodies that share a node, and the node; ``nodes`` are sorted."""
    one, other, at = [], [], []
    # Eight cubes meet at a node, and the ground.
    for shift in range(1, 9):
        same = nodes[shift:] == nodes[:-shift]
        one.append(bodies[:-shift][same])
        other.append(bodies[shift:][same])
        at.append(nodes[shift:][same])
    return np.concatenate(one), np.concatenate(other), np.concatenate(at)


def _free_motions(points: Ints, nodes: Ints, bodies: Ints, present: Ints, ground: int) -> Floats:
    """(b, 6, q): q independent motions of b bodies, three shifts and three turns each, that tear nothing apart."""
    count = len(present)
    place = np.full(max(int(bodies.max()), ground) + 1, count, dtype=np.int64)
    place[present] = np.arange(count)
    where = place[bodies]
    many = np.bincount(where, minlength=count + 1)
    sums = [summed(where, points[nodes, axis].astype(np.float64), count + 1) for axis in range(3)]
    centre = np.stack(sums, axis=1) / np.maximum(many, 1)[:, None]
    arm = points[nodes] - centre[where]
    # Turns are measured at the size of the bodies, so that shifts and turns weigh alike.
    arm /= max(1.0, float(np.abs(arm[where < count]).max()))
    motion = _rigid_motion(arm)
    again = np.flatnonzero(nodes[1:] == nodes[:-1])
    torn = np.concatenate([motion[again], -motion[again + 1]], axis=2)
    columns = (6 * np.stack([where[again], where[again + 1]], axis=1)[:, :, None] + np.arange(6)).reshape(-1, 12)
    size = 6 * count + 6  # the ground's six columns come last and are left out
    spots = columns[:, :, None] * size + columns[:, None, :]
    squares = torn.transpose(0, 2, 1) @ torn
    matrix = summed(spots.ravel(), squares.ravel(), size * size).reshape(size, size)[:-6, :-6]
    values, vectors = np.linalg.eigh(matrix)
    free = values < _ZERO * max(1.0, float(values.max()))
    return vectors[:, free].reshape(count, 6, -1)


def _rigid_motion(arm: Floats) -> Floats:
    """(p, 3, 6): how points at ``arm`` (p, 3) from the centre move with three shifts and three turns."""
    out = np.zeros((len(arm), 3, 6))
    out[:, [0, 1, 2], [0, 1, 2]] = 1.0
    for axis in range(3):
        after, last = (axis + 1) % 3, (axis + 2) % 3
        out[:, after, 3 + last] = arm[:, axis]
        out[:, last, 3 + after] = -arm[:, axis]
    return out
