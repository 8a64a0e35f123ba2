"""Boxes seen from above one corner, as pixels: parallel projection, hidden parts by depth, plain numpy.

Cells land on whole pixels, so all boxes of one shape cover the same pixels: each face of a shape is worked out once
and stamped wherever the shape stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from minece.blocks import Cells, MineceError
from minece.blocks.tables import Box
from minece.picture.png import Pixels

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

QUARTERS = 4
"""Corners to look from: from south-east, south-west, north-west and north-east."""

_LIGHT = {0: 0.80, 1: 1.0, 2: 0.90}  # of faces to the right, above, to the left
_EDGE = 0.66  # how dark edges are beside their face
_STEPS = (
    (7, 4, 8),
    (4, 2, 4),
    (2, 1, 2),
)  # pixels of a cell to the right, down and up; the first is true
_MARGIN = 4  # pixels around the picture
_FINE = 2  # pixels along the side of a pixel of the picture
_MOST_PIXELS = 25_000_000  # fine ones; each takes 40 bytes


@dataclass(frozen=True)
class Camera:
    """From where it is looked at: a quarter turn 0 to 3, and pixels of a cell's step right, down and up."""

    quarter: int
    right: int
    down: int
    up: int

    def turned(self, points: Floats | Ints) -> Floats:
        """(n, 3) points turned so that the corner looked from is that of +x and +z."""
        x, y, z = np.asarray(points, dtype=np.float64).T
        for _ in range(self.quarter % QUARTERS):
            x, z = z, -x
        return np.stack([x, y, z], axis=1)

    def flat(self, points: Floats | Ints) -> Floats:
        """(n, 2) columns and rows of (n, 3) turned points."""
        x, y, z = np.asarray(points, dtype=np.float64).T
        return np.stack([(x - z) * self.right, (x + z) * self.down - y * self.up], axis=1)

    def depth(self, points: Floats) -> Floats:
        """(n,) how near turned points are."""
        x, y, z = points.T
        out: Floats = x + z + y * (2 * self.down / self.up)
        return out


@dataclass(frozen=True, eq=False)
class Scene:
    """What is drawn.

    Attributes
    ----------
    cells : (n, 3) int32
    shapes : the boxes of each shape, within the cell
    shape : (n,) which shape each cell has
    colours : (n, 3) red, green, blue, 0 to 255
    """

    cells: Cells
    shapes: Sequence[Sequence[Box]]
    shape: Ints
    colours: Floats


@dataclass(frozen=True, eq=False)
class Shot:
    """A scene drawn.

    ``pixels`` (height, width, 3) float, 0 to 255; ``seen`` (height, width) the row of the cell that is seen there, -1
    for none; ``origin`` column and row of the turned point (0, 0, 0).
    """

    pixels: Floats
    seen: Ints
    origin: tuple[int, int]
    camera: Camera


def camera_for(cells: Cells, room: tuple[int, int], quarter: int = 0) -> Camera:
    """The camera that shows cells as large as fits into ``room`` (width, height), up to a limit.

    Raises :class:`MineceError` where even the smallest cells need too large a picture.
    """
    corners = _bounds(cells)
    room = (room[0] * _FINE, room[1] * _FINE)
    for size in (*range(9, 0, -1), 0, -1):
        right, down, up = (size * step for step in _STEPS[0]) if size > 0 else _STEPS[1 - size]
        camera = Camera(quarter, right, down, up)
        flat = camera.flat(camera.turned(corners))
        if (np.ptp(flat, axis=0) <= room).all():
            return camera
    if np.ptp(flat, axis=0).prod() > _MOST_PIXELS:
        across = "×".join(str(int(side)) for side in corners[-1] - corners[0])
        raise MineceError(f"is too large for a picture: {across} cells", mend="cut a part out of the build")
    return camera


def _bounds(cells: Cells) -> Floats:
    """(8, 3) corners of the box around cells."""
    low, high = cells.min(axis=0).astype(np.float64), cells.max(axis=0) + 1.0
    ends = np.stack([low, high])
    return np.stack(np.meshgrid(*ends.T, indexing="ij"), axis=-1).reshape(-1, 3)


def shoot(scene: Scene, camera: Camera, background: tuple[int, int, int]) -> Shot:
    """Draw a scene. Faces of full cubes that touch full cubes are left out."""
    corners = camera.flat(camera.turned(_bounds(scene.cells)))
    margin = _MARGIN * _FINE
    low = np.floor(corners.min(axis=0)).astype(np.int64) - margin
    width, height = (np.ceil(corners.max(axis=0)).astype(np.int64) + margin - low + 1).tolist()
    width, height = width + width % _FINE, height + height % _FINE
    pixels = np.empty((height * width, 3))
    pixels[:] = background
    near = np.full(height * width, -np.inf)
    seen = np.full(height * width, -1, dtype=np.int64)
    # A turned cell reaches from its lower corner to its upper one again.
    place = np.floor(camera.turned(scene.cells.astype(np.float64) + 0.5))
    at = camera.flat(place).astype(np.int64) - low
    depth = camera.depth(place)
    shown = _open_faces(scene, camera)
    for number, boxes in enumerate(scene.shapes):
        for box in boxes:
            turned = _turned_box(camera, box)
            for axis in range(3):
                rows = np.flatnonzero((scene.shape == number) & shown[:, axis])
                if not len(rows):
                    continue
                rows = rows[np.argsort(place[rows, axis], kind="stable")]  # what is nearer comes later and stays
                across, along, deep, light = _stamp(camera, turned, axis)
                spots = (at[rows, 1, None] + along) * width + at[rows, 0, None] + across
                depths = depth[rows, None] + deep
                front = depths > near[spots] + 1e-9
                flat = spots[front]
                row, pixel = np.nonzero(front)
                near[flat] = depths[front]
                seen[flat] = rows[row]
                pixels[flat] = scene.colours[rows[row]] * light[pixel, None]
    shape = (height, width)
    return Shot(pixels.reshape(*shape, 3), seen.reshape(shape), (int(-low[0]), int(-low[1])), camera)


def _open_faces(scene: Scene, camera: Camera) -> NDArray[np.bool_]:
    """(n, 3) bool: whether the face to the right, above and to the left of each cell may be seen."""
    full = np.array([any(box == (0.0, 0.0, 0.0, 1.0, 1.0, 1.0) for box in boxes) for boxes in scene.shapes])
    whole = full[scene.shape]
    low = scene.cells.min(axis=0).astype(np.int64)
    size = (scene.cells.max(axis=0) - low + 2).astype(np.int64)
    keys = ((scene.cells - low) * np.array([size[1] * size[2], size[2], 1])).sum(axis=1)
    solid = np.sort(keys[whole])
    out = np.ones((len(keys), 3), dtype=np.bool_)
    back = Camera(-camera.quarter % QUARTERS, 1, 1, 1)
    for axis in range(3):
        step = np.rint(back.turned(np.eye(3)[[axis]]))[0].astype(np.int64)
        there = scene.cells - low + step
        inside = ((there >= 0) & (there < size)).all(axis=1)
        other = (there * np.array([size[1] * size[2], size[2], 1])).sum(axis=1)
        found = np.isin(other, solid) & inside
        out[:, axis] = ~(found & whole)
    return out


def _turned_box(camera: Camera, box: Box) -> tuple[Floats, Floats]:
    """The lower and the upper corner of a box in its cell, turned."""
    corners = camera.turned(np.array([box[:3], box[3:]]) - 0.5) + 0.5
    return corners.min(axis=0), corners.max(axis=0)


def _stamp(camera: Camera, box: tuple[Floats, Floats], axis: int) -> tuple[Ints, Ints, Floats, Floats]:
    """Pixels of the face of a box towards +axis: columns, rows, depths and brightness."""
    low, high = box
    first, second = (a for a in range(3) if a != axis)
    corner = low.copy()
    corner[axis] = high[axis]
    sides = np.zeros((2, 3))
    sides[0, first], sides[1, second] = high[first] - low[first], high[second] - low[second]
    start = camera.flat(corner[None])[0]
    edges = camera.flat(sides)
    outline = np.array([start, start + edges[0], start + edges[1], start + edges[0] + edges[1]])
    least, most = np.floor(outline.min(axis=0)).astype(int), np.ceil(outline.max(axis=0)).astype(int)
    across, along = (grid.ravel() for grid in np.meshgrid(*(np.arange(a, b) for a, b in zip(least, most, strict=True))))
    middle = np.stack([across, along], axis=1) + 0.5 - start
    share = middle @ np.linalg.inv(edges)
    inside = ((share >= 0) & (share < 1)).all(axis=1)
    share, across, along = share[inside], across[inside], along[inside]
    depth = camera.depth(corner + share @ sides)
    # Distance to the nearest edge, in pixels.
    reach = abs(edges[0, 0] * edges[1, 1] - edges[0, 1] * edges[1, 0]) / np.linalg.norm(edges[::-1], axis=1)
    from_edge = (np.minimum(share, 1 - share) * reach).min(axis=1)
    thick = max(0.9, camera.up / 26)
    edge = 1 - (1 - _EDGE) * min(1.0, camera.up / 20)  # small cells would be nothing but edges
    return across, along, depth, _LIGHT[axis] * np.where(from_edge < thick, edge, 1.0)


def line(shot: Shot, points: Floats, colour: tuple[int, int, int], thick: float) -> None:
    """Draw lines over a shot, from each point (n, 3, as they are, not turned) to the next, ``thick`` pixels wide."""
    flat = shot.camera.flat(shot.camera.turned(points)) + shot.origin
    height, width, _ = shot.pixels.shape
    for start, end in zip(flat, flat[1:], strict=False):
        low = np.maximum(np.floor(np.minimum(start, end) - thick), 0).astype(int)
        high = np.minimum(np.ceil(np.maximum(start, end) + thick), [width, height]).astype(int)
        if (high <= low).any():
            continue
        x, y = np.meshgrid(np.arange(low[0], high[0]) + 0.5, np.arange(low[1], high[1]) + 0.5)
        way = end - start
        part = np.clip(((x - start[0]) * way[0] + (y - start[1]) * way[1]) / max(float(way @ way), 1e-9), 0, 1)
        away = np.hypot(x - start[0] - part * way[0], y - start[1] - part * way[1])
        cover = np.clip(thick / 2 - away + 0.5, 0, 1)[..., None]
        piece = shot.pixels[low[1] : high[1], low[0] : high[0]]
        piece[:] = piece * (1 - cover) + np.array(colour) * cover


def developed(shot: Shot) -> Pixels:
    """The picture: several fine pixels averaged to one, without the empty margins that are wider than needed."""
    height, width, _ = shot.pixels.shape
    parts = shot.pixels.reshape(height // _FINE, _FINE, width // _FINE, _FINE, 3)
    rows, columns = (np.flatnonzero((shot.seen >= 0).any(axis=axis)) // _FINE for axis in (1, 0))
    parts = parts[max(rows[0] - _MARGIN, 0) : rows[-1] + _MARGIN + 1]
    parts = parts[:, :, max(columns[0] - _MARGIN, 0) : columns[-1] + _MARGIN + 1]
    out: Pixels = np.rint(parts.mean(axis=(1, 3))).astype(np.uint8)
    return out
