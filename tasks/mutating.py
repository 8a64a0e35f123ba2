"""Small edits of reference builds with a known answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np

from minece.blocks import OFFSETS, Build, Log
from minece.blocks.states import material_of
from minece.tasks.errors import FamilyError
from minece.tasks.expressions import Scope
from minece.tasks.loader import Family, family_of
from minece.tasks.oracles import ORACLES, plain
from minece.tasks.paths import Cell
from minece.tasks.schema import MutationSpec
from minece.tasks.task import Task
from minece.tasks.values import read_cell

Event = tuple[Cell, str | None]
"""A cell and the state placed there, None for a removal."""


@dataclass(frozen=True, eq=False)
class Mutation:
    """An edited reference build; ``passes`` is the right answer."""

    name: str
    turns: tuple[Build, ...]
    passes: bool


def mutations(task: Task, *, seed: int = 42, each: int = 1) -> list[Mutation]:
    """Edited references of a task: ``each`` of every class that its family names, at random with ``seed``.

    A class that edits blocks of which the reference has none gives nothing.

    The right answer is the one that the class states; otherwise it comes from the family's oracle. Raises
    :class:`FamilyError` where there is neither.
    """
    family = family_of(task)
    before = family.reference(task.parameters)
    log = before[-1].log
    assert log is not None
    events = list(_events(log.latest))
    stood = before[-2] if len(before) > 1 else None
    earlier = list(_events(stood.log)) if stood is not None and stood.log is not None else []
    taken = {(x, y, z) for x, y, z, _ in stood.blocks.rows()} if stood is not None else set()
    scope = family.scope(task.parameters)
    scope |= family.turns(scope)[-1][1]
    out = []
    for spec in family.spec.mutations:
        for number in range(each):
            random = Random(f"{seed} {task.id} {spec.name} {number}")
            edited = _edit(spec, events, taken, scope, random)
            if edited is None:
                continue
            changed = Log.of([cell for cell, _ in edited], [state for _, state in edited])
            last = stood.then(changed) if stood is not None else Build.from_log(changed)
            passes = _answer(spec, family, task, [*earlier, *edited])
            out.append(Mutation(spec.name, (*before[:-1], last), passes))
    return out


def _answer(spec: MutationSpec, family: Family, task: Task, events: list[Event]) -> bool:
    if spec.verdict is not None:
        return spec.verdict == "pass"
    if not family.ours or family.name not in ORACLES:
        raise FamilyError(
            "the right answer is not known", where=spec.where_at, mend='add verdict = "fail" or verdict = "pass"'
        )
    return ORACLES[family.name](task.parameters, plain(events))


def _events(log: Log) -> Iterator[Event]:
    states = [*log.palette, None]
    for (x, y, z), index in zip(log.cells.tolist(), log.index.tolist(), strict=True):
        yield (x, y, z), states[index]


def _edit(
    spec: MutationSpec, events: list[Event], taken: set[Cell], scope: Scope, random: Random
) -> list[Event] | None:
    """The edited events, None where there is nothing to edit; ``taken`` are the cells that earlier turns filled."""
    blocks = {cell: number for number, (cell, state) in enumerate(events) if state is not None}
    chosen = [n for n in blocks.values() if spec.of is None or material_of(str(events[n][1])) in spec.of]
    if not chosen:
        return None
    number = random.choice(chosen)
    cell, state = events[number]
    rest = events[:number] + events[number + 1 :]
    match spec.edit:
        case "take":
            return rest if random.random() < 0.5 else [*events, (cell, None)]
        case "add":
            assert spec.block is not None
            around = (np.array(list(blocks), dtype=np.int32)[:, None] + OFFSETS).reshape(-1, 3).tolist()
            free = sorted({(x, y, z) for x, y, z in around} - set(blocks) - taken)
            return [*events, (random.choice(free), str(spec.block.value(scope)))]
        case "paint":
            assert spec.block is not None
            return [*events[:number], (cell, str(spec.block.value(scope))), *events[number + 1 :]]
        case "shift":
            assert spec.by is not None
            step = read_cell(random.choice(spec.by.value(scope) or [None]), spec.by.where)
            moved = set(chosen)
            return [(_moved(c, step), s) if n in moved else (c, s) for n, (c, s) in enumerate(events)]
        case "first":
            return [(cell, state), *rest]
        case _:
            return [*rest, (cell, state)]


def _moved(cell: Cell, step: Cell) -> Cell:
    x, y, z = (a + b for a, b in zip(cell, step, strict=True))
    return (x, y, z)
