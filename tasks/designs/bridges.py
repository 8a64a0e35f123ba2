"""Bridges: decks on beams, arches of many forms, and the ways up to them.

A bridge is drawn along a line u, with v across it; the gap lies at u = 0 … river - 1, the deck at v = 0 … width - 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Literal

from minece.tasks.designs.drawing import SIDES, Drawing, Side, side_of, turned
from minece.tasks.designs.registry import design
from minece.tasks.errors import FamilyError
from minece.tasks.paths import Cell

Approach = Literal["stairs", "slabs", "steps", "sideways", "pillars"]
"""How people get up: stairs, half blocks, whole blocks, stairs along the bank, a deck on pillars and then stairs."""
Kind = Literal["beam", "slabs", "girders", "hump", "covered", "brackets"]
Form = Literal["circle", "segment", "ellipse", "humpback", "pointed", "smooth", "lopsided", "corbelled"]
Spandrel = Literal["solid", "open", "ribs"]

_PILLARS = 9
"""Length of an approach on pillars before its stairs."""


@dataclass(frozen=True, slots=True)
class _Site:
    """Cells by u, y and v: ``toward`` is the side to which u grows."""

    drawing: Drawing
    toward: Side

    def cell(self, u: int, y: int, v: int) -> Cell:
        (a, b), (c, d) = SIDES[self.toward], SIDES[turned(self.toward)]
        return (a * u + c * v, y, b * u + d * v)

    def put(self, u: int, y: int, v: int, block: str) -> None:
        self.drawing.put(self.cell(u, y, v), block)

    def column(self, u: int, v: int, block: str, top: int, foot: int = 0) -> None:
        """Blocks from a foot up to a top, both included."""
        for y in range(foot, top + 1):
            self.put(u, y, v, block)

    def stairs(self, u: int, y: int, v: int, block: str, du: int, dv: int = 0, half: str = "bottom") -> None:
        """A tread that rises toward du, dv."""
        (x, _, z), (x0, _, z0) = self.cell(du, 0, dv), self.cell(0, 0, 0)
        self.put(u, y, v, f"{block}[facing={side_of((x - x0, z - z0))},half={half}]")


@dataclass(frozen=True, slots=True)
class _Blocks:
    """What a bridge is built of."""

    deck: str
    pier: str
    stair: str
    slab: str


def _check(**values: int) -> None:
    for name, value in values.items():
        low, high = {"river": (3, 60), "level": (1, 40), "width": (1, 15), "boat": (1, 20)}[name]
        if not low <= value <= high:
            raise FamilyError(f"{name} {value}", mend=f"take {low} to {high}")


def _approach(site: _Site, kind: Approach, end: int, u: int, level: int, width: int, blocks: _Blocks) -> None:
    """The way from the ground up to a deck whose blocks lie at a level. It begins beside the deck, at u, and leads
    away from the gap: ``end`` is -1 at the low end, 1 at the high one."""
    match kind:
        case "stairs":
            for i in range(level + 1):
                for v in range(width):
                    site.column(u + end * i, v, blocks.pier, level - i - 1)
                    site.stairs(u + end * i, level - i, v, blocks.stair, -end)
        case "steps":
            for i in range(level):
                for v in range(width):
                    site.column(u + end * i, v, blocks.pier, level - i - 1)
        case "slabs":
            for i in range(2 * level + 1):
                halves = 2 * level + 1 - i
                for v in range(width):
                    site.column(u + end * i, v, blocks.pier, halves // 2 - 1)
                    if halves % 2:
                        site.put(u + end * i, halves // 2, v, f"{blocks.slab}[type=bottom]")
        case "sideways":
            for i in range(3):
                for v in range(width):
                    site.column(u + end * i, v, blocks.pier, level - 1)
                    site.put(u + end * i, level, v, blocks.deck)
                for k in range(level + 1):
                    site.column(u + end * i, width + k, blocks.pier, level - k - 1)
                    site.stairs(u + end * i, level - k, width + k, blocks.stair, 0, -1)
        case "pillars":
            for i in range(_PILLARS):
                for v in range(width):
                    site.put(u + end * i, level, v, blocks.deck)
                    if i % 4 == 3 and v in (0, width - 1):
                        site.column(u + end * i, v, blocks.pier, level - 1)
            _approach(site, "stairs", end, u + end * _PILLARS, level, width, blocks)


def _furnish(site: _Site, first: int, last: int, level: int, width: int, rail: str, lamps: bool) -> None:
    """Railings over the outer rows of a level deck from one u to another, lamps on them."""
    for v in {0, width - 1} if rail else ():
        for u in range(first, last + 1):
            site.put(u, level + 1, v, rail)
        if lamps:
            for u in range(first, last + 1, 4):
                site.put(u, level + 2, v, "lantern")


@design
def beam_bridge(
    drawing: Drawing,
    *,
    river: int,
    level: int,
    width: int = 3,
    toward: Side = "east",
    kind: Kind = "beam",
    approach: Approach = "stairs",
    abutment: int = 1,
    deck: str = "oak_planks",
    pier: str = "stone_bricks",
    stair: str = "stone_brick_stairs",
    slab: str = "oak_slab",
    rail: str = "",
    lamps: bool = False,
    sunk: int = 0,
    left_out: list[int] | None = None,
    reach: int = 0,
) -> None:
    """A deck on supports on both banks, its blocks at a level over a free river.

    ``sunk``: how deep the supports go into the ground. ``left_out``: places u of the deck that are not built.
    ``reach``: by how many cells the supports stand out under the deck, from height 1 up, where the kind is brackets.
    """
    _check(river=river, level=level, width=width)
    site, blocks = _Site(drawing, toward), _Blocks(deck, pier, stair, slab)
    ends = [(-1, -1), (river, 1)]
    for u, end in ends:
        for i in range(abutment):
            for v in range(width):
                site.column(u + end * i, v, pier, level - 1, -sunk)
                site.put(u + end * i, level, v, pier)
        _approach(site, approach, end, u + end * abutment, level, width, blocks)
    gone = set(left_out or ())
    rise = river // 4 if kind == "hump" else 0
    for u in range(river):
        up = min(u, river - 1 - u, rise - 1) if rise else 0
        for v in range(width):
            if u in gone:
                continue
            match kind:
                case "slabs":
                    site.put(u, level, v, f"{slab}[type=bottom]")
                case "hump":
                    site.put(u, level + up, v, deck)
                    if u < rise or u >= river - rise:
                        site.stairs(u, level + up + 1, v, stair, 1 if u < rise else -1)
                    else:
                        site.put(u, level + up + 1, v, deck)
                case "girders":
                    site.put(u, level, v, deck)
                    if v in (0, width - 1):
                        site.put(u, level - 1, v, pier)
                    elif u % 4 == 2:
                        site.put(u, level - 1, v, deck)
                case _:
                    site.put(u, level, v, deck)
    if kind == "brackets":
        for v in range(width):
            for i in range(reach):
                site.put(i, level - 1, v, pier)
                site.put(river - 1 - i, level - 1, v, pier)
    if kind == "covered":
        for u in range(-abutment, river + abutment):
            for v in (0, width - 1):
                if u % 3 == 0 or u in (-abutment, river + abutment - 1):
                    site.column(u, v, "oak_log", level + 3, level + 1)
            for v in range(-1, width + 1):
                site.put(u, level + 4, v, "spruce_planks")
    if kind != "hump":
        _furnish(site, -abutment, river + abutment - 1, level, width, rail, lamps)


def _rises(river: int, form: Form, rise: int) -> list[float]:
    """How far the underside lies above its springing in the middle of each cell of the gap."""
    half = river / 2
    middle = [u + 0.5 for u in range(river)]
    match form:
        case "circle":
            return [sqrt(half**2 - (u - half) ** 2) for u in middle]
        case "segment" | "smooth" | "corbelled":
            up = rise or max(3, river // 4)
            radius = (half**2 + up**2) / (2 * up)
            return [sqrt(radius**2 - (u - half) ** 2) - (radius - up) for u in middle]
        case "ellipse":
            # The flattest that is an arch: one block up, level over half of the gap.
            level = river // 2 - (river // 2 - river) % 2
            ends = (river - level) // 2
            return [float(ends <= u < river - ends) for u in range(river)]
        case "humpback":
            slope = (river - river // 2 + 1) // 2
            return [float(min(u, river - 1 - u, slope)) for u in range(river)]
        case "pointed":
            return [1.5 * min(u, river - u) for u in middle]
        case "lopsided":
            crown = river // 3
            return [float(min(u, (river - 1 - u) // 2, crown)) for u in range(river)]


def undersides(river: int, boat: int, form: Form, rise: int = 0) -> list[int]:
    """Free half blocks under the ring in each cell of the gap: low enough, yet a boat passes and nothing stands in the
    water."""
    found = _rises(river, form, rise)
    halves = [max(0, int(2 * up + 0.5) if form == "smooth" else 2 * int(up + 0.5)) for up in found]
    for springing in range(2 * boat + 3):
        free = [springing * 2 + half for half in halves]
        wide = [half >= 2 * boat for half in free]
        if min(free) >= 2 and any(all(wide[u : u + boat]) for u in range(river - boat + 1)):
            return free
    raise FamilyError(f"no boat of {boat} passes", mend="take a wider river")


@design
def arch_bridge(
    drawing: Drawing,
    *,
    river: int,
    boat: int,
    width: int = 3,
    toward: Side = "east",
    form: Form = "segment",
    rise: int = 0,
    spandrel: Spandrel = "solid",
    approach: Approach = "stairs",
    abutment: int = 1,
    ring: str = "bricks",
    fill: str = "stone_bricks",
    deck: str = "stone_bricks",
    stair: str = "stone_brick_stairs",
    slab: str = "brick_slab",
    rail: str = "",
    lamps: bool = False,
    eaves: int = 0,
    lower: int = 0,
    left_out: list[int] | None = None,
    thin: bool = False,
) -> None:
    """An arch over a free river: a ring whose cells join by faces, the deck level above it, or for a humpback upon it.

    ``rise``: of a segment. ``eaves``: by how many cells the deck stands out on both sides. ``lower``: by how many
    blocks the whole lies lower than a boat needs. ``left_out``: places u with neither ring nor deck. ``thin``: a
    humpback of single blocks, which touch by edges only where it rises.
    """
    _check(river=river, boat=boat, width=width)
    site, blocks = _Site(drawing, toward), _Blocks(deck, fill, stair, slab)
    free = [half - 2 * lower for half in undersides(river, boat + (form == "corbelled"), form, rise)]
    gone = set(left_out or ())
    # The ring fills the cell of its underside, and as much above as its inner neighbour needs to join.
    low = [half // 2 for half in free]
    beside = [max(low[max(u - 1, 0)], low[min(u + 1, river - 1)], low[u]) for u in range(river)]
    if form == "humpback":
        level = low[0] + (not thin)
        for u, v in ((u, v) for u in range(river) if u not in gone for v in range(width)):
            site.column(u, v, ring, low[u] + (not thin), low[u])
    else:
        level = max(low)
        for u in (u for u in range(river) if u not in gone):
            for v in range(width):
                if spandrel == "ribs" and v % 2:
                    continue
                half = free[u] % 2
                site.column(u, v, ring, beside[u], low[u] + half)
                if half:
                    site.put(u, low[u], v, f"{slab}[type=top]")
                for side in (-1, 1) if form == "corbelled" else ():
                    if 0 <= u + side < river and low[u + side] < low[u]:
                        site.stairs(u, low[u] - 1, v, stair, side, half="top")
                if spandrel == "solid" or u % 3 == 1:
                    site.column(u, v, fill, level - 1, beside[u] + 1)
            for v in range(-eaves, width + eaves):
                if (u, v) not in _at_level(low, level, width, spandrel):
                    site.put(u, level, v, deck)
    for u, end in ((-1, -1), (river, 1)):
        for i in range(abutment):
            for v in range(width):
                site.column(u + end * i, v, fill, level)
        _approach(site, approach, end, u + end * abutment, level, width, blocks)
    if form != "humpback":
        _furnish_wide(site, river, level, width, eaves, rail, lamps)


def _at_level(low: list[int], level: int, width: int, spandrel: Spandrel) -> set[tuple[int, int]]:
    """The places u, v where the crown of the ring is the deck itself."""
    return {(u, v) for u, y in enumerate(low) if y == level for v in range(width) if spandrel != "ribs" or not v % 2}


def _furnish_wide(site: _Site, river: int, level: int, width: int, eaves: int, rail: str, lamps: bool) -> None:
    """Railings on the outer rows of the deck, eaves included."""
    for v in {-eaves, width - 1 + eaves} if rail else ():
        for u in range(river):
            site.put(u, level + 1, v, rail)
        if lamps:
            for u in range(1, river, 4):
                site.put(u, level + 2, v, "lantern")


@design
def small_arch(
    drawing: Drawing,
    *,
    under: list[int],
    over: list[int],
    ends: list[int],
    width: int,
    toward: Side = "east",
    ring: str = "bricks",
    fill: str = "stone_bricks",
    base: str = "polished_andesite",
) -> None:
    """An arch alone, from the heights of its blocks.

    ``under``, ``over``: those of the lowest and the uppermost block over each place of the gap. ``ends``: how many
    blocks stand upon one another in the abutments, from the gap outward. ``ring``: the lowest blocks over the gap.
    ``base``: what stands on the ground. ``fill``: all else.
    """
    _check(river=len(under), width=width)
    if len(over) != len(under) or any(a > b for a, b in zip(under, over, strict=True)):
        raise FamilyError("heights of the arch that do not fit", mend="give the lowest and the uppermost of each place")
    site = _Site(drawing, toward)
    for u, end in ((-1, -1), (len(under), 1)):
        for i, height in enumerate(ends):
            for v in range(width):
                site.column(u + end * i, v, fill, height - 1)
                site.put(u + end * i, 0, v, base)
    for u in sorted(range(len(under)), key=lambda u: min(u, len(under) - 1 - u)):
        for v in range(width):
            site.put(u, under[u], v, ring)
            site.column(u, v, fill, over[u], under[u] + 1)
