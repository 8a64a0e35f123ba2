"""What is built: the block catalogue, block sets, logs, builds and the files that hold them."""

from minece.blocks.blockset import EMPTY, BlockSet
from minece.blocks.build import Build, Provenance
from minece.blocks.errors import (
    BlocksError,
    CoordinateError,
    FormatError,
    LimitError,
    LogError,
    MineceError,
    StateError,
)
from minece.blocks.grid import FACES, NO_CELLS, OFFSETS, Cells, Frame, Mask, as_cells
from minece.blocks.log import Log

__all__ = [
    "EMPTY",
    "FACES",
    "NO_CELLS",
    "OFFSETS",
    "BlockSet",
    "BlocksError",
    "Build",
    "Cells",
    "CoordinateError",
    "FormatError",
    "Frame",
    "LimitError",
    "Log",
    "LogError",
    "Mask",
    "MineceError",
    "Provenance",
    "StateError",
    "as_cells",
]
