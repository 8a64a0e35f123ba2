"""Rules of the user's own: from Python values, and from JSON and TOML files.

A rule is ``{"rule": name, "args": {…}}``, with ``"criterion"`` where it shall count for another one, or in the form
of the published benchmark ``{"fn": name, "args": {…}}``. A file holds a list of them, or a table with the list
under ``rules`` (the only way in TOML).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path

from minece.blocks import MineceError
from minece.checkers import BoundRule, bind, from_paper
from minece.results import read_json

Rule = BoundRule | Mapping[str, object]

_LARGEST = 2**20  # bytes of a rules file
_FORM = '{"rule": "only", "args": {"materials": "stone"}}'


def bind_rules(rules: Iterable[Rule]) -> list[BoundRule]:
    """Check rules and bind their arguments. Raises :class:`MineceError` that names the rule by its place."""
    bound: list[BoundRule] = []
    for number, rule in enumerate(rules, start=1):
        try:
            bound.extend([rule] if isinstance(rule, BoundRule) else _bind(rule))
        except MineceError as error:
            raise error.at(f"rule {number}") from None
    if not bound:
        raise MineceError("no rules", mend=f"write at least one, such as {_FORM}")
    return bound


def _bind(rule: object) -> list[BoundRule]:
    if not isinstance(rule, Mapping):
        raise MineceError("no table", mend=f"write it like {_FORM}")
    if "fn" in rule:
        return from_paper(rule)
    unknown = set(rule) - {"rule", "args", "criterion"}
    name, args, criterion = rule.get("rule"), rule.get("args", {}), rule.get("criterion")
    if not isinstance(name, str) or not isinstance(args, Mapping) or unknown:
        raise MineceError("not in the form of a rule", mend=f"write it like {_FORM}")
    return [bind(name, args, criterion=criterion)]


def read_rules(path: Path) -> list[BoundRule]:
    """The rules of a file. Raises :class:`MineceError` with the file and the place in it."""
    try:
        if path.exists() and not path.is_file():
            raise MineceError("is no ordinary file", where=str(path), mend="name a file of rules")
        with open(path, "rb") as file:
            data = file.read(_LARGEST + 1)
        if len(data) > _LARGEST:
            raise MineceError(f"larger than {_LARGEST} bytes", where=str(path), mend="name a file of rules")
        text = data.decode("utf-8-sig")
        found = tomllib.loads(text) if path.suffix.lower() == ".toml" else read_json(text)
    except OSError as error:
        raise MineceError(str(error.strerror), where=str(path), mend="name a file of rules") from None
    except UnicodeDecodeError:
        raise MineceError("no text in UTF-8", where=str(path), mend="save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        form = "TOML" if path.suffix.lower() == ".toml" else "JSON"
        raise MineceError(f"no {form}: {error}", where=str(path), mend=f"write a list like [{_FORM}]") from None
    if isinstance(found, Mapping):
        found = found.get("rules")
    if not isinstance(found, list):
        raise MineceError("holds no list of rules", where=str(path), mend=f"write a list like [{_FORM}]")
    try:
        return bind_rules(found)
    except MineceError as error:
        raise error.at(str(path)) from None
