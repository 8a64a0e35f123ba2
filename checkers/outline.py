"""What surrounds the rooms of a build: floors, ceilings, walls seen from outside, corners, the roof.

All functions give a mask over the space's cells or over the blocks.
"""

from __future__ import annotations

from bisect import bisect_right

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Mask
from minece.blocks.catalogue import materials
from minece.blocks.grid import EAST, NORTH, SIDES, SOUTH, WEST
from minece.blocks.links import components
from minece.checkers.openings import THICKEST_WALL
from minece.checkers.rooms import Room
from minece.checkers.scene import Scene
from minece.checkers.space import moved
from minece.checkers.stepping import BLOCK

FILLINGS = materials("#glass, #glass_panes, #bars, #doors, #trapdoors, #fence_gates, #fences, #walls")
"""Materials that fill openings; no part of a façade."""
WIDEST_CHIMNEY = 2
"""Cells that a chimney may measure in plan."""
LEAST_CHIMNEY = 2
"""Cells by which a chimney stands out of the roof around it."""

Numbers = NDArray[np.int64]


def rooms_of(scene: Scene, storey: int | None = None) -> list[Room]:
    """The rooms and passages that people get into, of one storey or all; where they get into none, the closed ones."""
    entered = [room for room in scene.interior.rooms if room.kind != "closed"]
    return [room for room in entered or scene.interior.rooms if storey in (None, room.storey)]


def count_buildings(scene: Scene, those: list[Room]) -> int:
    """In how many buildings some rooms lie. Rooms belong together that lie in one part of the build, or between which
    one gets without going outside: a cellar in bare soil is one with the house above it."""
    around = parts_around(scene, those, scene.parts)
    if len(set(around)) <= 1 and 0 not in around:
        return len(set(around))
    interior, walker = scene.interior, scene.walker
    indoors = interior.volume_of != 0
    ways = indoors[walker.tail] & indoors[walker.head]
    joined, number = components(len(walker), walker.tail[ways], walker.head[ways])
    ways_in = np.array([joined[room.footings[0]] for room in those], dtype=np.int64)
    parts = np.array(around, dtype=np.int64) + number
    labels, _ = components(number + int(scene.parts.max(initial=0)) + 1, ways_in[parts > number], parts[parts > number])
    return len(set(labels[ways_in].tolist()))


def parts_around(scene: Scene, those: list[Room], parts: NDArray[np.int32]) -> list[int]:
    """For each of some rooms the part, by its (n,) number, that most of the blocks around its air are of; 0 where there
    are none."""
    space = scene.space
    part = np.zeros(space.shape, dtype=np.int32).reshape(-1)
    part[space.position] = parts
    volume = scene.enclosure.volume.reshape(-1)
    air = np.flatnonzero(volume)
    size = int(parts.max(initial=0)) + 1
    touching = []
    # Side by side: most air has no block beside it, and a hall's is not to be held six times over.
    for step in (step for stride in space.strides for step in (-stride, stride)):
        beside = part[air + step]
        touches = beside > 0
        touching.append(volume[air[touches]] * np.int64(size) + beside[touches])
    pairs, number = np.unique(np.concatenate(touching), return_counts=True)
    of_volume, found = np.divmod(pairs, size)
    # The last of a volume's pairs is the most frequent one, of equally frequent ones that with the lowest number.
    order = np.lexsort((-found, number, of_volume))
    most = dict(zip(of_volume[order].tolist(), found[order].tolist(), strict=True))
    return [most.get(room.volume, 0) for room in those]


def columns_of(scene: Scene, room: Room) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Indexes x and z of a room's floor cells, the index y of the cells above its floor, and (k,) the index of what
    closes it above."""
    space = scene.space
    flat = space.flat(room.floor)
    across, along, _ = space.strides
    x, y, z = flat // across, flat // along % space.shape[1], flat % along
    inside = scene.enclosure.volume[x, :, z] == room.volume
    return x, z, y, space.shape[1] - np.argmax(inside[:, ::-1], axis=1)


def interior(scene: Scene) -> Mask:
    """(X, Y, Z) bool: the cells of rooms from floor to ceiling, furniture in them included."""

    def work_out() -> Mask:
        height = np.arange(scene.space.shape[1])
        of_room = np.zeros(scene.enclosure.count + 1, dtype=np.bool_)
        of_room[[room.volume for room in rooms_of(scene)]] = True
        out: Mask = of_room[scene.enclosure.volume]
        for room in rooms_of(scene):
            x, z, y, top = columns_of(scene, room)
            if room.level % BLOCK:
                # A floor of slabs or paths lies within the cells in which people have their feet.
                y = y + scene.enclosure.closing[x, y, z]
            out[x, :, z] |= (height >= y[:, None]) & (height < top[:, None])
        return out

    return scene.remember(("cells of rooms",), work_out)


def floors(scene: Scene, storey: int | None = None) -> Mask:
    """(n,) bool: the blocks that carry the floors of a storey or of all, with rooms or without."""
    space, walker = scene.space, scene.walker
    along = space.strides[1]
    out = np.zeros(space.shape, dtype=np.bool_)
    levels = scene.storeys.entered
    bases = [min(floor.level for floor in level) for level in levels]
    for number, level in enumerate(levels, 1):
        if storey in (None, number):
            at = walker.at[np.concatenate([floor.footings for floor in level])]
            # Slabs and paths carry people within the cell of their feet, under a carpet is a block.
            bears = np.append(space.table.structural, (False, False))[space.state.reshape(-1)[at]]
            out.reshape(-1)[at - along * ~bears] = True
    for room in rooms_of(scene):
        if storey in (None, bisect_right(bases, room.level) if levels else room.storey):
            x, z, y, _ = columns_of(scene, room)
            out[x, y - (room.level % BLOCK == 0), z] = True
    return space.blocks_in(out) & scene.structural


def ceiling_of(scene: Scene, storey: int) -> Mask:
    """(n,) bool: the blocks that close a storey's rooms above."""
    out = np.zeros(scene.space.shape, dtype=np.bool_)
    for room in rooms_of(scene, storey):
        x, z, _, top = columns_of(scene, room)
        out[x, top, z] = True
    return scene.space.blocks_in(out & scene.enclosure.closing)


def facade(scene: Scene, side: int) -> Mask:
    """(n,) bool: the outermost blocks of the walls that close rooms, seen from a side (a place in ``FACES``)."""
    wall = _outermost(scene, side) & ~_chimneys(scene)[:, None] & ~_corners(scene)
    # A pitched roof has rooms behind it too.
    return scene.space.blocks_in(wall) & scene.structural & ~scene.blocks.is_material(FILLINGS) & ~roof(scene)


def walls(scene: Scene) -> Mask:
    """(n,) bool: the outermost blocks of the walls that close rooms on all four sides, what fills their openings, and
    the corners between them."""
    out = _runs_of_corners(scene)
    for side in SIDES:
        out |= _outermost(scene, side)
    return scene.space.blocks_in(out & ~_chimneys(scene)[:, None]) & ~roof(scene)


def _outermost(scene: Scene, side: int) -> Mask:
    """(X, Y, Z) bool: cells of walls with the open air before them on a side and a room behind, some cells on.

    Of a build without rooms: the first cells that one sees from the side.
    """
    closing, inside = scene.enclosure.closing, interior(scene)
    air = _open_air(scene)
    if not inside.any():
        axis = side // 2
        ahead = closing if side % 2 == 0 else np.flip(closing, axis)
        first = ahead & (np.cumsum(ahead, axis=axis) == 1)
        seen: Mask = moved(air, side) & (first if side % 2 == 0 else np.flip(first, axis))
        return seen
    run = closing & ~inside
    top = inside.copy()
    top[:, :-1] &= ~inside[:, 1:]
    # A wall reaches up to the ceiling; what leans against it, such as a woodpile, does not.
    reaches_up = run & _behind(run, top, side)
    wall = run & np.logical_or.accumulate(reaches_up[:, ::-1], axis=1)[:, ::-1]
    out: Mask = wall & _behind(run, inside, side) & ~moved(wall, side) & _behind(run & ~wall, air, side ^ 1)
    return out


def _behind(run: Mask, what: Mask, side: int) -> Mask:
    """(X, Y, Z) bool: the cells behind which, seen from a side, something lies, right there or after cells of a run,
    through no more than the thickest wall."""
    out = np.zeros_like(run)
    through = np.ones_like(run)
    for step in range(1, THICKEST_WALL + 1):
        out |= through & moved(what, side ^ 1, step)
        through &= moved(run, side ^ 1, step)
    return out


def _open_air(scene: Scene) -> Mask:
    """(X, Y, Z) bool: the air outside; openings of rooms are no part of it, those of a porch are."""
    return scene.remember(("open air",), lambda: _find_open_air(scene))


def _find_open_air(scene: Scene) -> Mask:
    enclosure = scene.enclosure
    out: Mask = ~enclosure.closing & (enclosure.volume == 0) & ~enclosure.openings.all
    if enclosure.leaf.any():
        out &= ~_reveals(scene, out)
    return out


def _reveals(scene: Scene, air: Mask) -> Mask:
    """(X, Y, Z) bool: the air before the leaves of doors within the thickness of a wall."""
    closing = scene.enclosure.closing
    out = np.zeros_like(air)
    for side in SIDES:
        one, other = (NORTH, SOUTH) if side in (WEST, EAST) else (WEST, EAST)
        jambs = moved(closing, one) & moved(closing, other)
        before: Mask = scene.enclosure.leaf
        for _ in range(THICKEST_WALL - 1):
            before = moved(before, side ^ 1) & air & jambs
            out |= before
    return out


def corners(scene: Scene) -> Mask:
    """(n,) bool: the blocks of the vertical runs at the convex corners of walls that close rooms; of a build without
    rooms, at all convex corners."""
    runs = scene.space.blocks_in(_runs_of_corners(scene))
    return runs & scene.structural & ~scene.blocks.is_material(FILLINGS) & ~roof(scene)


def _runs_of_corners(scene: Scene) -> Mask:
    """(X, Y, Z) bool: from the lowest to the highest cell of each corner, floors between storeys included."""
    found = _corners(scene)
    below = np.logical_or.accumulate(found, axis=1)
    above = np.logical_or.accumulate(found[:, ::-1], axis=1)[:, ::-1]
    return below & above


def _corners(scene: Scene) -> Mask:
    """(X, Y, Z) bool: the cells at convex corners of walls."""
    return scene.remember(("convex corners",), lambda: _find_corners(scene))


def _find_corners(scene: Scene) -> Mask:
    closing, inside, air = scene.enclosure.closing, interior(scene), _open_air(scene)
    anywhere = not inside.any()
    found = np.zeros_like(inside)
    level = np.arange(closing.shape[1])[:, None]
    ceiling = np.where(inside, level, -1).max(axis=1)
    for out_x in (WEST, EAST):
        for out_z in (NORTH, SOUTH):
            corner = closing & moved(air, out_x) & moved(air, out_z)
            corner &= moved(closing, out_x ^ 1) & moved(closing, out_z ^ 1)
            if anywhere:
                found |= corner
                continue
            near, height = np.zeros_like(inside), np.full_like(ceiling, -1)
            diagonal, of_room = inside, ceiling
            for _ in range(THICKEST_WALL):
                diagonal = moved(moved(diagonal, out_x ^ 1), out_z ^ 1)
                of_room = moved(moved(of_room[:, None], out_x ^ 1), out_z ^ 1)[:, 0]
                near |= diagonal
                height = np.where(height > 0, height, of_room)
            corner &= near
            # What leans against a wall has edges too, but they do not go on up to the ceiling.
            highest = np.where(corner, level, -1).max(axis=1)
            gap = ~closing & (level > highest[:, None]) & (level <= height[:, None])
            found |= corner & ~gap.any(axis=1)[:, None]
    return found & ~_chimneys(scene)[:, None]


def roof(scene: Scene) -> Mask:
    """(n,) bool: the topmost structural blocks over rooms, with the eaves joined to them at the same height or lower;
    chimneys left out. Of a build without rooms: its highest layer, and what is joined to it in the same way."""
    return scene.remember(("blocks of the roof",), lambda: _roof(scene))


def _roof(scene: Scene) -> Mask:
    space, top = scene.space, _tops(scene)
    inside = interior(scene)
    over = inside.any(axis=1)
    if not inside.any():
        highest = top.max()
        over = (top == highest) & (highest >= 0)
    lowest = min((room.level // BLOCK for room in rooms_of(scene)), default=0)
    chosen = over & (top > lowest) & ~_chimneys(scene)
    candidates = (top > lowest) & ~over
    while True:
        grown = np.zeros_like(chosen)
        for axis in (0, 1):
            for step in (1, -1):
                source, height = np.roll(chosen, step, axis), np.roll(top, step, axis)
                grown |= source & (top <= height) & (top >= height - 1)
        grown &= candidates & ~chosen
        if not grown.any():
            break
        chosen |= grown
    x, z = np.nonzero(chosen)
    if inside.any():
        # Where a wall goes on up to the roof's height, and is not made like the roof, its top is no roof.
        covers = over | _made_alike(scene, chosen & over, top)
        kind = np.append(space.table.kind, (-1, -2))[space.state]
        kept = np.flatnonzero(covers[x, z] | (kind[x, top[x, z], z] != kind[x, top[x, z] - 1, z]))
        x, z = x[kept], z[kept]
    out = np.zeros(space.shape, dtype=np.bool_)
    out[x, top[x, z], z] = True
    return space.blocks_in(out)


def _made_alike(scene: Scene, roofed: Mask, top: Numbers) -> Mask:
    """(X, Z) bool: places whose topmost block comes from the same item as that of a roofed place beside, or is joined
    to such a place by others."""
    x, z = np.indices(top.shape)
    state = scene.space.state[x, top, z]
    kind = np.append(scene.space.table.kind, (-1, -1))[state]
    while True:
        grown = roofed.copy()
        for axis in (0, 1):
            for step in (1, -1):
                grown |= np.roll(roofed, step, axis) & (np.roll(kind, step, axis) == kind)
        if np.array_equal(grown, roofed):
            return roofed
        roofed = grown


def _tops(scene: Scene) -> Numbers:
    """(X, Z) int64: index along y of the topmost structural block of each column, -1 where there is none."""

    def work_out() -> Numbers:
        space = scene.space
        solid = np.zeros(space.shape, dtype=np.bool_)
        solid.reshape(-1)[space.position[scene.structural]] = True
        out: Numbers = np.where(solid.any(axis=1), space.shape[1] - 1 - np.argmax(solid[:, ::-1], axis=1), -1)
        return out

    return scene.remember(("tops of columns",), work_out)


def _chimneys(scene: Scene) -> Mask:
    """(X, Z) bool: places at most 2 × 2 that stand out of the roof around them by two cells or more; none where there
    are no rooms."""

    def work_out() -> Mask:
        from scipy import ndimage

        top = _tops(scene)
        out = np.zeros(top.shape, dtype=np.bool_)
        if not interior(scene).any():
            return out
        # What a square wider than a chimney cannot cover from below stands out.
        square = (WIDEST_CHIMNEY + 1, WIDEST_CHIMNEY + 1)
        labels, count = ndimage.label(top >= ndimage.grey_opening(top, size=square) + LEAST_CHIMNEY)
        for number, box in enumerate(ndimage.find_objects(labels, count), 1):
            if all(along.stop - along.start <= WIDEST_CHIMNEY for along in box):
                out |= labels == number
        return out

    return scene.remember(("chimneys",), work_out)
