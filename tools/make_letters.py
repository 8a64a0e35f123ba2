"""Writes minece/picture/data/letters.npz: the letters of pictures, as grey shades.

    python tools/make_letters.py DejaVuSans.ttf DejaVuSans-Bold.ttf

Needs Pillow. The fonts are DejaVu 2.37, whose licence allows it; NOTICE names it.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont  # type: ignore[import-not-found, unused-ignore]

TARGET = Path(__file__).resolve().parents[1] / "minece" / "picture" / "data" / "letters.npz"
LETTERS = "".join(map(chr, [*range(32, 127), *range(0xA1, 0x100)])) + "–…≤≥−"
STYLES = {"small": (0, 15), "plain": (0, 17), "bold": (1, 21)}
"""Which font, and the height of its letters in pixels."""


def main() -> None:
    arrays = {"letters": np.array([ord(sign) for sign in LETTERS], dtype=np.int32)}
    for style, (font, size) in STYLES.items():
        face = ImageFont.truetype(sys.argv[1 + font], size)
        widths = [round(face.getlength(sign)) for sign in LETTERS]
        up, down = face.getmetrics()
        sheet = Image.new("L", (sum(widths), up + down))
        starts = np.concatenate([[0], np.cumsum(widths)])
        for sign, start in zip(LETTERS, starts, strict=False):
            letter = Image.new("L", (round(face.getlength(sign)), up + down))  # what sticks out is cut off
            ImageDraw.Draw(letter).text((0, 0), sign, font=face, fill=255)
            sheet.paste(letter, (int(start), 0))
        arrays[style] = np.asarray(sheet)
        arrays[f"{style}_starts"] = starts.astype(np.int32)
    np.savez_compressed(TARGET, allow_pickle=False, **arrays)
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
