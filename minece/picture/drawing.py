"""A picture of a build painted by numbers: one panel per kind of number, each with its legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from minece.blocks import NO_CELLS, Build, Cells
from minece.picture import letters
from minece.picture.isometric import QUARTERS, Camera, Floats, Scene, Shot, camera_for, developed, line, shoot
from minece.picture.png import Pixels
from minece.viewer.content import Field
from minece.viewer.looks import Boxes, look

PAPER = (252, 252, 250)
INK = (36, 38, 44)
QUIET = (112, 115, 124)
SCALE = np.array([[69, 117, 180], [145, 191, 219], [224, 243, 248], [254, 224, 144], [252, 141, 89], [215, 48, 39]])
OVER = (142, 20, 150)
MARKED = (52, 54, 60)
_WIDE, _HIGH = 760, 700  # pixels of a panel's build at most
_BAR = 18  # width of a legend's bar
_EDGE = 28  # empty pixels around everything
_TEXT = 900  # room for the text above, at least


@dataclass(frozen=True, eq=False)
class Marks:
    """Blocks to point out.

    ``cells`` (m, 3) are painted dark and named in the legend as ``label``; around ``worst`` a frame is drawn, which
    the legend calls ``worst_label``.
    """

    cells: Cells = field(default_factory=lambda: NO_CELLS)
    label: str = ""
    worst: tuple[int, int, int] | None = None
    worst_label: str = ""


def draw(
    build: Build,
    fields: Sequence[Field],
    *,
    title: str,
    text: Sequence[str] = (),
    marks: Marks | None = None,
    own_colours: bool = False,
) -> Pixels:
    """A picture of a build, seen from above a corner, painted by each of the fields.

    Where no field paints it the build is grey, or with ``own_colours`` as its blocks are. It is looked at from the
    corner that shows the block that is framed best, or else from the south-east. Below the title stands ``text``, one
    paragraph each. Raises :class:`MineceError` for a build that is too large.
    """
    marks = marks or Marks()
    camera, panels = None, []
    painted: Field | None
    for painted in fields or (None,):
        if len(build.blocks):
            scene = _scene(build, painted, marks, own_colours)
            camera = camera or _best_camera(scene, marks)
            panels.append(_panel(scene, camera, painted, marks))
    return _sheet(panels, title, text)


def _scene(build: Build, field: Field | None, marks: Marks, own_colours: bool) -> Scene:
    """The build's blocks, each in its colour."""
    blocks = build.blocks
    looks = [look(state) for state in blocks.palette]
    shapes: dict[Boxes, int] = {}
    shape = np.array([shapes.setdefault(seen.boxes, len(shapes)) for seen in looks], dtype=np.int64)
    own = np.array([seen.colour for seen in looks], dtype=np.float64)
    grey = own @ [0.3, 0.59, 0.11]
    colours = (own if own_colours else np.repeat((172 + grey * 0.26)[:, None], 3, axis=1))[blocks.index]
    if field is not None:
        known = np.isfinite(field.values)
        colours[known] = colour_of(field.values[known] / _high(field))
    if len(marks.cells):
        at = blocks.locate(marks.cells)
        colours[at[at >= 0]] = MARKED
    return Scene(blocks.cells, tuple(shapes), shape[blocks.index], colours)


def colour_of(share: Floats) -> Floats:
    """(n, 3) colours of shares of the scale; above 1 that of what is beyond it."""
    place = np.clip(share, 0, 1) * (len(SCALE) - 1)
    stops = np.arange(len(SCALE))
    colours = np.stack([np.interp(place, stops, SCALE[:, part]) for part in range(3)], axis=1)
    colours[share > 1 + 1e-9] = OVER
    return colours


def _high(field: Field) -> float:
    """The end of the scale: with a limit the largest number below it, as nothing would be told apart otherwise."""
    values = field.values[np.isfinite(field.values)]
    largest = float(values.max(initial=0.0))
    return (largest if field.limit is None else min(field.limit, largest)) or 1.0


def _best_camera(scene: Scene, marks: Marks) -> Camera:
    """The first corner, or the one from which the framed block is seen best where it is hidden from there."""
    first = camera_for(scene.cells, (_WIDE, _HIGH))
    if marks.worst is None:
        return first
    row = _row(scene, marks.worst)
    seen = []
    for quarter in range(QUARTERS):
        small = camera_for(scene.cells, (_WIDE // 3, _HIGH // 3), quarter)
        seen.append(int(np.isin(shoot(scene, small, PAPER).seen, row).sum()) / small.up**2)
    best = int(np.argmax(seen))
    return first if seen[0] > 0.6 * seen[best] else camera_for(scene.cells, (_WIDE, _HIGH), best)


def _row(scene: Scene, cell: tuple[int, int, int]) -> NDArray[np.int64]:
    return np.flatnonzero((scene.cells == np.array(cell)).all(axis=1))


def _panel(scene: Scene, camera: Camera, field: Field | None, marks: Marks) -> Pixels:
    """One picture of the build with heading, axes and legend."""
    shot = shoot(scene, camera, PAPER)
    if marks.worst is not None:
        _frame(shot, marks.worst, int(_row(scene, marks.worst)[0]))
    image = developed(shot)
    heading = "" if field is None else field.title + (f" in {field.unit}" if field.unit else "")
    notes = letters.wrapped("" if field is None else field.note, max(image.shape[1] + 120, 420), "small")
    rows = _legend_rows(scene, field, marks)
    height, line_height = letters.height("plain"), letters.height("small")
    bar = 0 if field is None else min(300, max(150, image.shape[0] - 40))
    side = 0 if field is None else _BAR + 14 + max(letters.width(tick, "plain") for _, tick in _ticks(field))
    top = height + 10 + line_height * len(notes) + 14
    body = max(image.shape[0], bar + 20)
    below = 66 if not rows else max(66, 14 + (line_height + 5) * len(rows))
    texts = [letters.width(text, "small") + 30 for _, text in rows]
    wide = max(image.shape[1] + 24 + side, letters.width(heading, "plain"), 98 + max(texts, default=0))
    wide = max([wide, *(letters.width(note, "small") for note in notes)])
    out = np.empty((top + body + below, wide, 3), dtype=np.uint8)
    out[:] = PAPER
    letters.write(out, heading, 0, 0, "plain", INK)
    for number, note in enumerate(notes):
        letters.write(out, note, 0, height + 6 + number * line_height, "small", QUIET)
    row = top + (body - image.shape[0]) // 2
    out[row : row + image.shape[0], : image.shape[1]] = image
    if field is not None:
        _bar(out, field, image.shape[1] + 24, top + (body - bar) // 2, bar)
    _axes(out, camera, 42, top + body + 26)
    for number, (colour, text) in enumerate(rows):
        y = top + body + 14 + number * (line_height + 5)
        _key(out, 98, y + 2, line_height - 4, colour)
        letters.write(out, text, 126, y, "small", INK)
    return out


def _legend_rows(scene: Scene, field: Field | None, marks: Marks) -> list[tuple[tuple[int, int, int] | None, str]]:
    """What the legend says beside the scale: colours (None for a frame) and what they mean."""
    rows: list[tuple[tuple[int, int, int] | None, str]] = []
    if marks.worst is not None:
        rows.append((None, marks.worst_label))
    if field is not None:
        known = np.isfinite(field.values)
        over = 0 if field.limit is None else int((field.values[known] > field.limit).sum())
        if over:
            rows.append((OVER, f"above {field.limit:g}: {over} block{'' if over == 1 else 's'}"))
        if len(scene.cells) > np.count_nonzero(known) + len(marks.cells):
            rows.append(((200, 200, 202), "not calculated: carries no load"))
    if len(marks.cells):
        rows.append((MARKED, marks.label))
    return rows


def _ticks(field: Field) -> list[tuple[float, str]]:
    """Places along the scale, 0 to 1, and the numbers there: round ones, and the end."""
    high = _high(field)
    step = 10.0 ** np.floor(np.log10(high / 2))
    step = next(step * times for times in (1, 2, 2.5, 5, 10) if high / (step * times) <= 5)
    numbers = [n * step for n in range(int(high / step) + 1) if high - n * step > 0.4 * step]
    return [(number / high, f"{number:.6g}") for number in numbers] + [(1.0, f"{high:.3g}")]


def _bar(out: Pixels, field: Field, x: int, y: int, height: int) -> None:
    shares = (np.arange(height)[::-1] + 0.5) / height
    out[y : y + height, x : x + _BAR] = np.rint(colour_of(shares))[:, None]
    for share, text in _ticks(field):
        at = y + round((1 - share) * (height - 1))
        out[at, x + _BAR : x + _BAR + 5] = QUIET
        letters.write(out, text, x + _BAR + 10, at - letters.height("plain") // 2, "plain", INK)


def _key(out: Pixels, x: int, y: int, size: int, colour: tuple[int, int, int] | None) -> None:
    """A square of a colour, or an empty frame."""
    out[y : y + size, x : x + size] = INK if colour is None else colour
    if colour is None:
        out[y + 2 : y + size - 2, x + 2 : x + size - 2] = PAPER


def _axes(out: Pixels, camera: Camera, x: int, y: int) -> None:
    """The three directions as short lines with their letters."""
    size = 26 / camera.up
    for name, way in (("x", (1, 0, 0)), ("y", (0, 1, 0)), ("z", (0, 0, 1))):
        end = camera.flat(camera.turned(np.array([way]) * size))[0]
        for part in np.linspace(0, 1, 120):
            column, row = round(x + part * end[0]), round(y + part * end[1])
            out[row : row + 2, column : column + 2] = QUIET
        far = end * (1 + 11 / np.linalg.norm(end))
        half = letters.width(name, "small") // 2, letters.height("small") // 2
        letters.write(out, name, round(x + far[0]) - half[0], round(y + far[1]) - half[1], "small", QUIET)


def _frame(shot: Shot, cell: tuple[int, int, int], row: int) -> None:
    """An outline around what is seen of a cell, or, where it is hidden, its edges drawn over what hides it."""
    from scipy.ndimage import binary_dilation

    thick = max(2, round(shot.camera.up / 20))
    seen = shot.seen == row
    if seen.any():
        black = binary_dilation(seen, iterations=thick)
        shot.pixels[binary_dilation(black, iterations=2) & ~seen] = 255
        shot.pixels[black & ~seen] = 0
        return
    low = np.array(cell, dtype=np.float64)
    back = Camera(-shot.camera.quarter % QUARTERS, 1, 1, 1)

    def corners(*ends: tuple[int, int, int]) -> Floats:
        """Corners of the cell, given by the ends of x, y and z as they are seen."""
        return low + 0.5 + back.turned(np.array(ends) - 0.5)

    outline = corners((1, 0, 1), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1), (1, 1, 1), (1, 1, 0))
    inner = corners((1, 1, 1), (0, 1, 1))
    for colour, width in (((255, 255, 255), thick + 3.0), ((0, 0, 0), float(thick))):
        line(shot, outline, colour, width)
        line(shot, inner, colour, width)


def _sheet(panels: Sequence[Pixels], title: str, text: Sequence[str]) -> Pixels:
    """Panels beside each other below title and text."""
    gap = 48
    inner = max(sum(panel.shape[1] + gap for panel in panels) - gap, 0)
    width = max(inner, min(_TEXT, max([letters.width(title, "bold"), *(letters.width(t, "plain") for t in text)])))
    lines = [(part, "bold", INK) for part in letters.wrapped(title, width, "bold")]
    lines += [(part, "plain", INK) for paragraph in text for part in letters.wrapped(paragraph, width, "plain")]
    head = sum(letters.height("bold" if style == "bold" else "plain") + 4 for _, style, _ in lines)
    body = max((panel.shape[0] for panel in panels), default=0)
    out = np.empty((head + 24 + body + 2 * _EDGE, width + 2 * _EDGE, 3), dtype=np.uint8)
    out[:] = PAPER
    y = _EDGE
    for part, style, colour in lines:
        letters.write(out, part, _EDGE, y, "bold" if style == "bold" else "plain", colour)
        y += letters.height("bold" if style == "bold" else "plain") + 4
    x = _EDGE
    for panel in panels:
        out[y + 24 : y + 24 + panel.shape[0], x : x + panel.shape[1]] = panel
        x += panel.shape[1] + gap
    return out
