"""Pictures: what is hidden, what is where, scales, letters, files."""

import struct
import zlib
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from minece.blocks import Build, MineceError
from minece.blocks.tables import FULL_BOX
from minece.picture import Marks, draw, png
from minece.picture.drawing import MARKED, OVER, colour_of
from minece.picture.isometric import QUARTERS, Camera, Scene, camera_for, developed, shoot
from minece.picture.letters import height, width, wrapped, write
from minece.viewer import Field

PAPER = (252, 252, 250)
CAMERA = Camera(0, 14, 8, 16)


def scene(cells: Sequence[tuple[int, int, int]]) -> Scene:
    array = np.array(cells, dtype=np.int32)
    colours = np.array([[(40 * n) % 250, 100.0, 200.0] for n in range(len(cells))])
    return Scene(array, [FULL_BOX], np.zeros(len(cells), dtype=np.int64), colours)


def decoded(content: bytes) -> NDArray[np.uint8]:
    """The pixels of a PNG file, read by its definition."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        name, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length : at + 12 + length])[0] == zlib.crc32(name + body)
        chunks[name] = body
        at += 12 + length
    wide, high, *kind = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert kind == [8, 2, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), dtype=np.uint8).reshape(high, 1 + 3 * wide)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(high, wide, 3)


def seen_by_rays(cells: Sequence[tuple[int, int, int]], quarter: int) -> dict[int, int]:
    """How many rays to the camera each cell has, of those that start at points spread over its faces."""
    solid = set(cells)
    way = np.array([(1, 1, 1), (-1, 1, 1), (-1, 1, -1), (1, 1, -1)][quarter])  # toward the corner looked from
    free = dict.fromkeys(range(len(cells)), 0)
    for number, cell in enumerate(cells):
        for face in range(3):
            for a in np.linspace(0.03, 0.93, 6):
                for b in np.linspace(0.07, 0.97, 6):
                    point = np.insert([a, b], face, 1.0)  # as seen from the camera, whose way is (1, 1, 1)
                    crossings = np.sort(np.concatenate([n - point for n in range(1, 9)]))
                    crossings = np.concatenate([[0.0], crossings[crossings > 1e-9]])
                    middles = point + ((crossings[:-1] + crossings[1:]) / 2)[:, None]
                    steps = np.floor(middles).astype(int) * way
                    free[number] += not solid & {tuple((cell + step).tolist()) for step in steps}
    return free


@pytest.mark.parametrize("quarter", range(QUARTERS))
def test_what_is_hidden_is_hidden(quarter: int) -> None:
    """As rays through the same voxels tell it. A step down is half a step up, so the way to the camera is (1, 1, 1)."""
    random = np.random.default_rng(quarter)
    for _ in range(3):
        cells = sorted({(x, y, z) for x, y, z in random.integers(-3, 2, (40, 3)).tolist()})
        shot = shoot(scene(cells), Camera(quarter, 28, 16, 32), PAPER)
        shown = np.bincount(shot.seen[shot.seen >= 0], minlength=len(cells)) / (28 * 16 * 2 + 28 * 32 * 2)
        rays = np.array(list(seen_by_rays(cells, quarter).values())) / 108
        assert 0.1 < (rays == 0).mean() < 0.9
        assert np.abs(shown - rays).max() < 0.1


def test_one_block_has_three_sides_of_the_right_size() -> None:
    shot = shoot(scene([(5, 64, -9)]), CAMERA, PAPER)
    covered = int((shot.seen == 0).sum())
    assert covered == pytest.approx(2 * 14 * 8 + 2 * 14 * 16, rel=0.03)
    rows, columns = np.nonzero(shot.seen == 0)
    assert np.ptp(columns) + 1 == 28 and np.ptp(rows) + 1 == 2 * 8 + 16
    shades = {tuple(np.round(colour, 1)) for colour in shot.pixels[shot.seen == 0].tolist()}
    assert len(shades) == 6  # three sides, and their edges


def test_cameras_turn_clockwise_round_the_build() -> None:
    """A tall block in the east stands right of the middle from the south-east, left of it from the north-west."""
    cells = [(0, 0, 0), (4, 0, 0)]
    for quarter, right in enumerate([True, True, False, False]):
        shot = shoot(scene(cells), camera_for(np.array(cells, dtype=np.int32), (300, 300), quarter), PAPER)
        middle = [np.nonzero(shot.seen == row)[1].mean() for row in (0, 1)]
        assert (middle[1] > middle[0]) == right, quarter


def test_shapes_show_as_they_are() -> None:
    slab = Scene(
        np.array([[0, 0, 0]], dtype=np.int32), [((0, 0, 0, 1, 0.5, 1),)], np.zeros(1, np.int64), np.ones((1, 3))
    )
    shot = shoot(slab, CAMERA, PAPER)
    assert int((shot.seen == 0).sum()) == pytest.approx(2 * 14 * 8 + 2 * 14 * 8, rel=0.03)


def test_large_builds_fit() -> None:
    cells = np.stack(np.meshgrid(np.arange(300), [0, 200], np.arange(300), indexing="ij"), axis=-1).reshape(-1, 3)
    cells = cells.astype(np.int32)
    build = Scene(cells, [FULL_BOX], np.zeros(len(cells), dtype=np.int64), np.full((len(cells), 3), 100.0))
    picture = developed(shoot(build, camera_for(cells, (760, 700)), PAPER))
    assert picture.shape[0] < 800 and picture.shape[1] < 800
    assert (picture != PAPER).any(axis=2).mean() > 0.3


def test_a_build_too_large_for_a_picture_says_so() -> None:
    far = Build.from_blocks([(0, 0, 0, "stone"), (50_000, 0, 0, "stone")])
    with pytest.raises(MineceError, match=r"too large for a picture: 50001×1×1 cells; cut"):
        draw(far, [], title="far")


def test_colours_follow_the_scale() -> None:
    low, high, over = colour_of(np.array([0.0, 1.0, 1.01]))
    assert low.tolist() == [69, 117, 180] and high.tolist() == [215, 48, 39]
    assert tuple(over) == OVER
    assert (np.abs(np.diff(colour_of(np.linspace(0, 1, 500)), axis=0)) < 3).all()


def test_a_picture_shows_every_colour_that_its_legend_names() -> None:
    build = Build.from_blocks([(x, 0, 0, "stone") for x in range(6)])
    values = np.array([0.0, 0.5, 1.0, 2.0, np.nan, np.nan])
    marks = Marks(np.array([[5, 0, 0]], dtype=np.int32), "one that floats", (3, 0, 0), "governs")
    one = Field("Utilisation", values, limit=1.0)
    picture = draw(build, [one], title="A row", text=["Does not stand."], marks=marks)
    assert np.array_equal(decoded(png(picture)), picture)
    pixels = picture.reshape(-1, 3).tolist()
    for colour in (OVER, MARKED, (200, 200, 202), (215, 48, 39), (69, 117, 180)):
        assert list(colour) in pixels, colour
    twice = draw(build, [one, Field("Stress", values, "kPa")], title="A row", marks=marks)
    assert twice.shape[1] > 1.5 * picture.shape[1] * 0.9
    assert np.array_equal(draw(build, [one], title="A row", text=["Does not stand."], marks=marks), picture)


def test_a_hidden_block_is_looked_at_from_where_it_shows() -> None:
    wall = [(x, y, 3, "stone") for x in range(-4, 8) for y in range(8)]
    wall += [(7, y, z, "stone") for z in range(-8, 3) for y in range(8)]
    build = Build.from_blocks([*wall, (0, 0, 0, "gold_block")])
    values = np.zeros(len(build.blocks))
    values[build.blocks.locate(np.array([[0, 0, 0]], dtype=np.int32))] = 1.0
    one = Field("Stress", values, "Pa")
    marked = draw(build, [one], title="", marks=Marks(worst=(0, 0, 0), worst_label="here"))
    plain = draw(build, [one], title="")
    red = np.array([215, 48, 39])

    def reds(picture: NDArray[np.uint8]) -> int:
        left = picture[:, : int(picture.shape[1] * 0.8)].astype(int)  # without the legend's bar
        return int((np.abs(left - red).sum(axis=2) < 4).sum())

    assert reds(marked) > 100 > reds(plain)


def test_letters_are_drawn_and_lines_broken() -> None:
    page = np.full((60, 200, 3), 255, dtype=np.uint8)
    write(page, "Utilisation 0.77 × µ", 3, 2, "bold")
    assert (page < 80).any() and (page[:, :3] == 255).all()
    write(page, "cut off at the right and at the top, which is fine", 150, -9)
    write(page, "outside", 500, 500)
    write(page, "", 0, 0)
    assert width("ⅣŽ€", "plain") > 0
    assert width("iii", "plain") < width("WWW", "plain")
    assert height("small") < height("bold")
    text = "would carry 1.3 × its weight, " * 9 + "x" * 200
    lines = wrapped(text, 260, "plain")
    assert max(width(line, "plain") for line in lines) <= 260
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_nothing_to_see_is_no_error() -> None:
    assert draw(Build.from_blocks([]), [], title="empty", text=["Is not solved."]).shape[2] == 3
    grey = draw(Build.from_blocks([(0, 0, 0, "torch")]), [], title="only a torch")
    assert grey.shape[0] > 100
