"""Letters in pictures, from grey shades made beforehand (tools/make_letters.py)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from minece.picture.png import Pixels

Style = Literal["small", "plain", "bold"]
Colour = tuple[int, int, int]


@cache
def _sheets() -> dict[str, NDArray[np.generic]]:
    with files("minece.picture").joinpath("data/letters.npz").open("rb") as file, np.load(file) as data:
        return {name: data[name] for name in data.files}


@cache
def _places(style: Style) -> dict[str, tuple[int, int]]:
    """From where to where each letter's columns go."""
    sheets = _sheets()
    starts = sheets[f"{style}_starts"].tolist()
    return {chr(code): (starts[i], starts[i + 1]) for i, code in enumerate(sheets["letters"].tolist())}


def height(style: Style) -> int:
    """Height of a line in pixels."""
    return int(_sheets()[style].shape[0])


def width(text: str, style: Style) -> int:
    """Width of a text in pixels."""
    return sum(end - start for start, end in _columns(text, style))


def _columns(text: str, style: Style) -> Iterator[tuple[int, int]]:
    places = _places(style)
    for sign in text:
        if sign not in places:  # without its accents, or else a question mark
            sign = next((part for part in unicodedata.normalize("NFKD", sign) if part in places), "?")
        yield places[sign]


def write(pixels: Pixels, text: str, x: int, y: int, style: Style = "plain", colour: Colour = (40, 40, 44)) -> None:
    """Write a text into a picture, its upper left corner at column x and row y; what lies outside is left out."""
    sheet = _sheets()[style]
    pieces = [sheet[:, start:end] for start, end in _columns(text, style)]
    if not pieces:
        return
    cover = np.concatenate(pieces, axis=1).astype(np.float64) / 255
    left, top = max(x, 0), max(y, 0)
    cover = cover[top - y : pixels.shape[0] - y, left - x : pixels.shape[1] - x, None]
    part = pixels[top : top + cover.shape[0], left : left + cover.shape[1]]
    part[:] = np.rint(part * (1 - cover) + np.array(colour) * cover).astype(np.uint8)


def wrapped(text: str, room: int, style: Style) -> list[str]:
    """A text in lines of at most ``room`` pixels, broken at spaces; words that are longer are cut."""
    lines: list[str] = []
    for word in text.split():
        while width(word, style) > room and len(word) > 1:
            fits = next(n for n in range(len(word) - 1, 0, -1) if n == 1 or width(word[:n], style) <= room)
            lines.append(word[:fits])
            word = word[fits:]
        if lines and width(f"{lines[-1]} {word}", style) <= room:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
