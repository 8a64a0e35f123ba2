"""A palette as arrays: what :func:`minece.blocks.catalogue.describe` says of each of its states."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.catalogue import StateInfo, Substance, describe
from minece.blocks.grid import FACES, OFFSETS
from minece.blocks.states import split_state

Mask = NDArray[np.bool_]

ALONE, LOWER, UPPER = 0, 1, 2
"""Values of ``PaletteTable.half``: one-cell block; lower half or bed's foot; upper half or bed's head."""


class PaletteTable:
    """Arrays over the k states of a palette, all read-only.

    Attributes
    ----------
    palette : the k states
    info : what the catalogue knows of each
    substance : (k,) uint8, values of :class:`Substance`
    structural, gravity, fluid, attachment, leaves : (k,) bool
    hold_faces : (k, 6) bool, in the order of ``FACES``: which neighbours may hold an attachment
    items : (k,) int16, items per cell
    material : ids
    half : (k,) int8, :data:`ALONE`, :data:`LOWER` or :data:`UPPER`
    other_half : (k, 3) int32, step from a lower half to its upper one (zeros elsewhere)
    pair : (k,) int32, equal for the two halves that belong together
    kind : (k,) int32, equal for states that the same item places
    """

    def __init__(self, palette: tuple[str, ...]) -> None:
        self.palette = palette
        self.info: tuple[StateInfo, ...] = tuple(describe(state) for state in palette)
        self.material: tuple[str, ...] = tuple(info.material for info in self.info)
        self.substance: NDArray[np.uint8] = self._array(lambda info: info.substance, np.uint8)
        self.structural: Mask = self._array(lambda info: info.structural, np.bool_)
        self.gravity: Mask = self._array(lambda info: info.gravity, np.bool_)
        self.leaves: Mask = self._array(lambda info: info.leaves, np.bool_)
        self.items: NDArray[np.int16] = self._array(lambda info: info.items, np.int16)
        self.fluid: Mask = _frozen(self.substance == Substance.FLUID)
        self.attachment: Mask = _frozen(self.substance == Substance.ATTACHMENT)
        self._matches: dict[frozenset[str], Mask] = {}

    @staticmethod
    @lru_cache(maxsize=64)
    def of(palette: tuple[str, ...]) -> PaletteTable:
        """The table of a palette, kept for the palettes used last."""
        return PaletteTable(palette)

    def _array(self, value: Callable[[StateInfo], object], dtype: type[np.generic]) -> NDArray[Any]:
        return _frozen(np.array([value(info) for info in self.info], dtype=dtype))

    def __len__(self) -> int:
        return len(self.palette)

    def matches(self, ids: frozenset[str]) -> Mask:
        """(k,) bool: states whose material is one of ``ids``."""
        mask = self._matches.get(ids)
        if mask is None:
            if len(self._matches) >= 64:
                self._matches.clear()
            mask = _frozen(np.array([name in ids for name in self.material], dtype=np.bool_))
            self._matches[ids] = mask
        return mask

    @cached_property
    def kind(self) -> NDArray[np.int32]:
        """(k,) int32, equal for states that the same item places (kelp and its stem, both halves of a door)."""
        names = [info.item or info.material for info in self.info]
        return _frozen(np.unique(names, return_inverse=True)[1].astype(np.int32).reshape(-1))

    @cached_property
    def hold_faces(self) -> Mask:
        """(k, 6) bool, see the class."""
        rows = [[face in info.holds for face in FACES] for info in self.info]
        return _frozen(np.array(rows, dtype=np.bool_).reshape(len(self), 6))

    @cached_property
    def _halves(self) -> tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.int32]]:
        half = np.zeros(len(self), dtype=np.int8)
        step = np.zeros((len(self), 3), dtype=np.int32)
        pair = np.full(len(self), -1, dtype=np.int32)
        numbers: dict[tuple[str, str], int] = {}
        for i, info in enumerate(self.info):
            if not info.two_cell:
                continue
            _, props = split_state(info.state)
            # Plants of two cells have no direction that both halves share.
            facing = props.get("facing", "") if info.two_cell != "plant" else ""
            pair[i] = numbers.setdefault((info.material, facing), len(numbers))
            half[i] = LOWER if props.get("half") == "lower" or props.get("part") == "foot" else UPPER
            if half[i] == LOWER:
                toward = facing if info.two_cell == "bed" else "up"
                step[i] = OFFSETS[FACES.index(toward)] if toward in FACES else 0
        return _frozen(half), _frozen(step), _frozen(pair)

    @property
    def half(self) -> NDArray[np.int8]:
        """(k,) int8, see the class."""
        return self._halves[0]

    @property
    def other_half(self) -> NDArray[np.int32]:
        """(k, 3) int32, see the class."""
        return self._halves[1]

    @property
    def pair(self) -> NDArray[np.int32]:
        """(k,) int32, see the class."""
        return self._halves[2]


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
