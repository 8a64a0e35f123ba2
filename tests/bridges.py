"""Bridges for tests, drawn from the side."""

from plans import LEGEND

from minece.blocks import Build

BEAM = """
....>############<....
...>##..........##<...
..>###..........###<..
.>####..........####<.
"""
"""A deck of whole blocks three over the water, a gap of ten, stairs on both sides. The gap begins at x = 6."""

ARCH = """
.....>##########<.....
....>############<....
...>#####....#####<...
..>####........####<..
.>####..........####<.
"""
"""An arch over ten free places, level on top: its underside rises from 1 to 3."""


def side(text: str, width: int = 3, *, z: int = 0, **legend: str) -> Build:
    """The build that a view from the south shows, the ground below its last row; the same ``width`` times from z on."""
    rows = text.strip("\n").splitlines()
    return Build.from_blocks(
        (x, len(rows) - 1 - row, k, (LEGEND | legend)[sign])
        for row, line in enumerate(rows)
        for x, sign in enumerate(line)
        if sign != "."
        for k in range(z, z + width)
    )


def joined(*builds: Build) -> Build:
    """Several builds in one; the later ones replace what they overlap."""
    blocks = {row[:3]: row for build in builds for row in build.blocks.rows()}
    return Build.from_blocks(blocks.values())
