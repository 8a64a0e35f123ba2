"""The published benchmark's functions as our rules.

Rules that were written for the reference implementation name one of its functions and its arguments, such as
``{"fn": "is_block_cnt_geq", "args": {"min_count": 4, "expected_material": "door", "use_substring_match": true}}``.
Each becomes the rules that mean the same; where the implementation is looser than its words, the words hold.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any

from minece.blocks.catalogue import block_names, tags
from minece.checkers.errors import RuleError
from minece.checkers.registry import BoundRule, bind

Args = dict[str, Any]
Rows = list[tuple[str, dict[str, object]]]

_WORDS = {"wood": "#planks", "oak": "oak_planks", "iron": "iron_block"}
"""What a part of an id stands for where no tag has its name."""

_ITEMS = ("#beds", "#doors")
"""Tags that are counted as items."""

_REFUSED = {
    "stress_score": (
        "a bare number from another solver is no limit for a stress",
        'write the rule "stress" with the reference build as boxes',
    ),
}
"""Functions that no rule stands for, and what to do instead."""


def from_paper(rule: Mapping[str, object]) -> list[BoundRule]:
    """The rules for one ``{"fn": name, "args": {…}}``; a module's name may stand before the function's.

    Raises :class:`RuleError` for an unknown function or argument, and for functions that no rule stands for.
    """
    fn, args = rule.get("fn"), rule.get("args", {})
    if not isinstance(fn, str) or not isinstance(args, Mapping) or set(rule) - {"fn", "args"}:
        raise RuleError("not in the published form", mend='write {"fn": "is_ground_connected", "args": {}}')
    name = fn.rpartition(".")[2]
    if name in _REFUSED:
        reason, mend = _REFUSED[name]
        raise RuleError(reason, where=fn, mend=mend)
    if name not in _FUNCTIONS:
        close = difflib.get_close_matches(name[:80], [*_FUNCTIONS, *_REFUSED], 3) or sorted(_FUNCTIONS)
        raise RuleError(f"there is no function {name[:80]!r}", mend="take one of " + ", ".join(close))
    left = dict(args)
    try:
        bound = [bind(to, values) for to, values in _FUNCTIONS[name](left)]
    except KeyError as error:
        raise RuleError(f"the argument {error} is missing", where=fn, mend="add it") from None
    except (TypeError, ValueError, OverflowError) as error:
        raise RuleError(f"an argument is of the wrong kind ({error})", where=fn, mend="correct it") from None
    except RuleError as error:
        raise error.at(fn) from None
    if left:
        raise RuleError(f"there is no argument {next(iter(left))!r}", where=fn, mend="leave it out")
    return bound


def _meant(word: object, substring: bool) -> str:
    """The id or tag that a material of the reference implementation stands for."""
    if not isinstance(word, str) or not word.strip():
        raise RuleError(f"{word!r} is no material", mend="name a block")
    name = word.strip().removeprefix("minecraft:")
    if not substring or name in block_names():
        return name
    for tag in (name, f"{name}s"):
        if tag in tags():
            return f"#{tag}"
    if name in _WORDS:
        return _WORDS[name]
    raise RuleError(f"{name[:80]!r} is part of many ids and stands for no tag", mend="name a block, or one of the tags")


def _material(args: Args) -> str | None:
    substring = args.pop("use_substring_match", False)
    word = args.pop("expected_material", None)
    return None if word is None else _meant(word, bool(substring))


def _named(args: Args) -> str:
    material = _material(args)
    if material is None:
        raise KeyError("expected_material")
    return material


def _count(bound: str | None, key: str) -> Callable[[Args], Rows]:
    """A function that counts, with its number under ``key``."""

    def rows(args: Args) -> Rows:
        number = args.pop(key)
        material = _material(args)
        values: dict[str, object] = {"bound": number if bound is None else {bound: number}}
        if material is not None:
            values |= {"materials": material, "items": material in _ITEMS}
        return [("count", values)]

    return rows


def _at_most(args: Args) -> Rows:
    """A limit is a stock: what is built may hold nothing else."""
    number = args.pop("max_count")
    material = _material(args)
    if material is None:
        return [("count", {"bound": {"at_most": number}})]
    return [("budget", {"stock": {material: number}})]


def _all_of(args: Args) -> Rows:
    return [("only", {"materials": _named(args)})]


def _share(region: str) -> Callable[[Args], Rows]:
    """A share of a region; at which height the implementation looks is not of the words."""

    def rows(args: Args) -> Rows:
        args.pop("height_y", None)
        ratio = args.pop("ratio_threshold", args.pop("ratio", 0.9))
        return [("share", {"materials": _named(args), "region": region, "at_least": ratio})]

    return rows


def _extent(bound: str | None) -> Callable[[Args], Rows]:
    def rows(args: Args) -> Rows:
        sides = (*args.pop("xz"), args.pop("y"))
        width, depth, height = (side if bound is None else {bound: side} for side in sides)
        return [("extent", {"width": width, "depth": depth, "height": height})]

    return rows


def _all_sides(args: Args) -> Rows:
    least = {"at_least": args.pop("min_size")}
    return [("extent", {"width": least, "depth": least, "height": least})]


def _level(rule: str, bound: str | None, key: str) -> Callable[[Args], Rows]:
    """Heights of cells become heights of faces: the top face lies one above its cell."""

    def rows(args: Args) -> Rows:
        height = args.pop(key) + (1 if rule == "top" else 0)
        return [(rule, {"bound": height if bound is None else {bound: height}})]

    return rows


def _layer(args: Args) -> str:
    return f"layer({args.pop('y')})"


def _connectivity(args: Args) -> int:
    return 8 if args.pop("use_8_neighbors", False) else 4


def _clusters(args: Args) -> Rows:
    values = {"bound": args.pop("expected_count"), "region": _layer(args), "connectivity": _connectivity(args)}
    return [("clusters", values)]


def _span(args: Args) -> Rows:
    return [("gap", {"at_least": args.pop("min_span"), "region": _layer(args)})]


def _across(key: str, factor: int) -> Callable[[Args], Rows]:
    """The diameter of the one cluster, in cells from edge to edge."""

    def rows(args: Args) -> Rows:
        diameter, region = factor * args.pop(key), _layer(args)
        one = {"bound": 1, "region": region, "connectivity": _connectivity(args)}
        return [("clusters", one), ("extent", {"region": region, "width": {"at_least": diameter}})]

    return rows


def _rooms(args: Args) -> Rows:
    args.pop("y", None)
    return [("rooms", {"bound": args.pop("room_cnt")})]


def _exit(wide: bool) -> Callable[[Args], Rows]:
    """The way out, for one person or, where it is asked to be wide, over its whole width."""

    def rows(args: Args) -> Rows:
        width = args.pop("width", 2)
        for size in ("depth", "height"):
            args.pop(size, None)
        start = args.pop("start_material", None)
        place = "rooms" if start is None else _meant(start, True)
        return [("reachable", {"start": place, "goal": "outside", "width": width if wide else 1})]

    return rows


def _upstairs(args: Args) -> Rows:
    """Who stands on a block of some height has his feet one higher."""
    return [("reachable", {"goal": f"height({args.pop('min_floor_y') + 1})"})]


def _sequence(args: Args) -> Rows:
    substring, words = bool(args.pop("use_substring_match", True)), args.pop("material_sequence")
    if not isinstance(words, (list, tuple)):
        raise TypeError("material_sequence is no list")
    return [("order", {"stages": [f"all of {_meant(word, substring)}" for word in words]})]


def _touching(args: Args) -> Rows:
    """Each block of the first material touches one of the second."""
    substring = bool(args.pop("use_substring_match", True))
    one, other = args.pop("materials")
    return [("adjacent", {"a": _meant(one, substring), "b": _meant(other, substring)})]


_FORMS: Mapping[object, str] = {False: "flat allowed", True: "strict", "non-flat": "non-flat"}


def _surface(which: str) -> Callable[[Args], Rows]:
    """An arch's underside rises in the middle, as its top does, whatever sign the implementation gives it."""

    def rows(args: Args) -> Rows:
        strict = args.pop("strict", False)
        if not isinstance(strict, (bool, str)) or strict not in _FORMS:
            raise ValueError(f"strict = {strict!r:.80}")
        return [("profile", {"surface": which, "form": _FORMS[strict]})]

    return rows


_FUNCTIONS: dict[str, Callable[[Args], Rows]] = {
    "is_block_cnt_equal_to": _count(None, "expected_count"),
    "is_block_cnt_larger_than": _count("more_than", "cnt"),
    "is_block_cnt_geq": _count("at_least", "min_count"),
    "is_block_cnt_leq": _at_most,
    "is_all_material_equal_to": _all_of,
    "is_highest_block_material_equal_to": _share("roof"),
    "is_corner_material_equal_to": _share("corners"),
    "is_min_x_material_equal_to": _share("facade(west)"),
    "is_max_x_material_equal_to": _share("facade(east)"),
    "is_min_z_material_equal_to": _share("facade(north)"),
    "is_max_z_material_equal_to": _share("facade(south)"),
    "has_rooms": _rooms,
    "are_doors_passable": lambda args: [("doors", {})],
    "has_exit": _exit(wide=False),
    "has_wide_exit": _exit(wide=True),
    "is_single_level": lambda args: [("reachable", {"start": "rooms", "goal": "outside", "step_free": True})],
    "is_reachable_by_stairs": _upstairs,
    "is_equal": _extent(None),
    "is_leq": _extent("at_most"),
    "all_dimensions_geq": _all_sides,
    "min_y_is_equal": _level("bottom", None, "expected_y"),
    "min_y_is_leq": _level("bottom", "at_most", "max_y"),
    "min_y_is_geq": _level("bottom", "at_least", "min_y"),
    "max_y_is_equal": _level("top", None, "expected_y"),
    "max_y_is_leq": _level("top", "at_most", "max_y"),
    "max_y_is_geq": _level("top", "at_least", "min_y"),
    "cluster_count_at_y_is": _clusters,
    "clusters_at_y_have_min_span": _span,
    "cluster_at_y_has_min_radius": _across("min_radius", 2),
    "cluster_at_y_has_min_diameter": _across("min_diameter", 1),
    "is_top_surface_concave": _surface("top"),
    "is_bottom_surface_concave": _surface("bottom"),
    "has_no_axis_symmetry": lambda args: [("not_symmetric", {})],
    "are_adjacent": _touching,
    "is_ground_connected": lambda args: [("grounded", {})],
    "l1_dist": lambda args: [("efficiency", {})],
    "material_sequence_order": _sequence,
}
