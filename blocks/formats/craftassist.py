"""Event logs of CraftAssist's house data set (3D-Craft): every block that a person placed or broke, in order.

::

    [[1542310000, "player", [x, y, z], [id, data], "P"], …]

"P" places and "B" breaks; ids are those of versions before 1.13. The log is kept with its times, counted from the
first event, and with its builder where there is one only. The file does not say where the ground is.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from minece.blocks.build import Provenance
from minece.blocks.errors import FormatError
from minece.blocks.formats.flattening import IDS, state_of_code, states_of
from minece.blocks.formats.listed import Rows, build_from_rows
from minece.blocks.formats.rows import AIR, cells_of, last_rows, shown, split_rows
from minece.blocks.formats.source import Document, Run, Source
from minece.blocks.grid import Cells
from minece.blocks.states import is_air

_ROW = '[time, player, [x, y, z], [id, data], "P" or "B"]'
_ACTIONS = ("P", "B")


def sniff(source: Source) -> bool:
    """Whether a text is a JSON list whose first entry is such an event."""
    if not source.is_text or source.first != "[":
        return False
    value = source.json
    return isinstance(value, list) and bool(value) and _is_event(value[0])


def _is_event(row: Any) -> bool:
    return (
        isinstance(row, list)
        and len(row) == 5
        and isinstance(row[2], list)
        and isinstance(row[3], list)
        and isinstance(row[4], str)
    )


def read(source: Source) -> Document:
    """The build that a log leaves. Raises :class:`FormatError` naming the event, :class:`LimitError`."""
    times, players, places, kinds, actions = split_rows(source.json, 5, "", _ROW)
    source.limits.most("events", len(times), source.limits.blocks)
    cells = cells_of(_columns(places, 3), "")
    ids, data = (np.array(column) for column in _checked(_columns(kinds, 2)))
    if set(map(type, actions)) != {str} or not set(actions) <= set(_ACTIONS):
        row = next(i for i, action in enumerate(actions) if action not in _ACTIONS)
        raise FormatError(f"the action is {shown(actions[row])}", where=f"[{row}]", mend=f"write {_ROW}")
    codes = np.where(np.array(actions) == "P", ids * 16 + data, 0).astype(np.uint16)
    source.deadline.check()
    numbers, palette, warnings = _states(cells, codes, source)
    who = {player if type(player) is str else shown(player) for player in players}
    if len(who) > 1:
        warnings = (*warnings, f"{len(who)} players built; who placed which block is not kept")
    rows = Rows(cells, numbers, palette, ordered=True, time=_seconds(times), who=who.pop() if len(who) == 1 else "")
    build = build_from_rows(rows, source, Provenance(format="craftassist", warnings=warnings))
    return Document("craftassist", [Run("", [build])])


def _columns(rows: Sequence[Any], width: int) -> list[Sequence[Any]]:
    """The columns of rows of numbers, whole ones with a decimal point made whole."""
    if set(map(type, rows)) != {list} or set(map(len, rows)) != {width}:
        row = next(i for i, value in enumerate(rows) if type(value) is not list or len(value) != width)
        raise FormatError(f"holds {shown(rows[row])}, not {width} numbers", where=f"[{row}]", mend=f"write {_ROW}")
    flat = list(chain.from_iterable(rows))
    if float in set(map(type, flat)):
        flat = [int(value) if type(value) is float and value.is_integer() else value for value in flat]
    return [flat[side::width] for side in range(width)]


def _checked(columns: list[Sequence[Any]]) -> list[Sequence[Any]]:
    """Columns of ids and data values that are such."""
    for column, below in zip(columns, (IDS, 16), strict=True):
        if set(map(type, column)) != {int} or not all(0 <= value < below for value in set(column)):
            row = next(i for i, value in enumerate(column) if type(value) is not int or not 0 <= value < below)
            shown_pair = ", ".join(shown(column[row]) for column in columns)
            words = f"[{shown_pair}] is no id and data value of versions before 1.13"
            raise FormatError(words, where=f"[{row}]", mend=f"write {_ROW}")
    return columns


def _states(
    cells: Cells, codes: NDArray[np.uint16], source: Source
) -> tuple[NDArray[np.int64], list[str], tuple[str, ...]]:
    """Palette numbers of the events, the palette, and what is to be said of it.

    What stands in the end is looked at as a whole, since fences and halves of doors look to their neighbours; what was
    replaced counts by its code alone.
    """
    used, place = np.unique(codes, return_inverse=True)
    palette = [state_of_code(code) for code in used.tolist()]
    numbers = place.reshape(-1).astype(np.int64)
    low = cells.min(axis=0).astype(np.int64)
    width, height, length = (cells.max(axis=0) - low + 1).tolist()
    if width * height * length > source.limits.cells:
        words = "the blocks lie so far apart that they are not joined to their neighbours"
        return _settled(numbers, palette, (words,))
    last = last_rows(cells)
    x, y, z = (cells[last] - low).T
    whole = np.zeros((height, length, width), dtype=np.uint16)
    whole[y, z, x] = codes[last]
    joined, names, notes = states_of(whole, (), (0, 0, 0), source.limits, source.deadline)
    numbers[last] = joined[y, z, x].astype(np.int64) + len(palette)
    return _settled(numbers, [*palette, *names], notes.warnings())


def _settled(
    numbers: NDArray[np.int64], states: list[str], warnings: tuple[str, ...]
) -> tuple[NDArray[np.int64], list[str], tuple[str, ...]]:
    """Numbers of a palette without air, which names each state once."""
    palette: dict[str, int] = {}
    place = [AIR if is_air(state) else palette.setdefault(state, len(palette)) for state in states]
    return np.array(place, dtype=np.int64)[numbers], list(palette), warnings


def _seconds(times: Sequence[Any]) -> NDArray[np.float64] | None:
    """Seconds since the first event; None where times are no numbers or run backwards."""
    if not set(map(type, times)) <= {int, float}:
        return None
    try:
        seconds = np.array(times, dtype=np.float64)
    except OverflowError:
        return None
    if not np.isfinite(seconds).all():
        return None
    seconds -= seconds[0]
    return seconds if np.isfinite(seconds).all() and (np.diff(seconds) >= 0).all() else None
