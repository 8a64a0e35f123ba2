"""Rules of the user's own: from Python values, and from JSON and TOML files.

A rule is ``{"rule": name, "args": {…}}``, with ``"criterion"`` where it shall count for another one, or in the form
of the published benchmark ``{"fn": name, "args": {…}}``. A file holds a list of them, or a table with the list
under ``rules`` (the only way in TOML).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from minece.blocks import MineceError
from minece.checkers import BoundRule, bind, from_paper
from minece.results import read_json
from minece.tasks.reading import file_text, read_toml

Rule = BoundRule | Mapping[str, object]

_LARGEST = 2**20  # bytes of a rules file
_MOST = 1_000  # rules in it
_FORM = '{"rule": "only", "args": {"materials": "stone"}}'
_TOML = '{ rule = "only", args = { materials = "stone" } }'


def bind_rules(rules: Iterable[Rule], *, form: str = _FORM) -> list[BoundRule]:
    """Check rules and bind their arguments. Raises :class:`MineceError` that names the rule by its place.

    ``form`` is the example that is shown for what is no rule.
    """
    bound: list[BoundRule] = []
    for number, rule in enumerate(rules, start=1):
        try:
            bound.extend([rule] if isinstance(rule, BoundRule) else _bind(rule, form))
        except MineceError as error:
            raise error.at(f"rule {number}") from None
    if not bound:
        raise MineceError("no rules", mend=f"write at least one, such as {form}")
    return bound


def _bind(rule: object, form: str) -> list[BoundRule]:
    if not isinstance(rule, Mapping):
        raise MineceError("no table", mend=f"write it like {form}")
    if "fn" in rule:
        return from_paper(rule)
    unknown = set(rule) - {"rule", "args", "criterion"}
    name, args, criterion = rule.get("rule"), rule.get("args", {}), rule.get("criterion")
    if not isinstance(name, str) or not isinstance(args, Mapping) or unknown:
        raise MineceError("not in the form of a rule", mend=f"write it like {form}")
    return [bind(name, args, criterion=criterion)]


def read_rules(path: Path) -> list[BoundRule]:
    """The rules of a file. Raises :class:`MineceError` with the file and the place in it."""
    in_toml = path.suffix.lower() == ".toml"
    form = _TOML if in_toml else _FORM
    example = f"write rules = [{_TOML}]" if in_toml else f"write a list like [{_FORM}]"
    text = file_text(path, _LARGEST, "name a file of rules")
    found: object
    try:
        found = read_toml(text, str(path), example) if in_toml else read_json(text)
    except (ValueError, RecursionError) as error:
        raise MineceError(f"no JSON: {error}", where=str(path), mend=example) from None
    if isinstance(found, Mapping):
        found = found.get("rules")
    if not isinstance(found, list):
        raise MineceError("holds no list of rules", where=str(path), mend=example)
    if len(found) > _MOST:
        raise MineceError(f"{len(found)} rules", where=str(path), mend=f"write at most {_MOST} in a file")
    try:
        return bind_rules(found, form=form)
    except MineceError as error:
        raise error.at(str(path)) from None
