"""Whether text and rules ask for the same: rules → text by the words each rule ``says``, text → rules by numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from minece.checkers import BoundRule
from minece.checkers.parameters import Shape
from minece.tasks.expressions import LONGEST_NUMBER
from minece.tasks.task import Turn

_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_VALUES = {word: value for value, word in enumerate(_WORDS)}
_NUMBER = re.compile(
    rf"(?<![\w.])-?\d{{1,{LONGEST_NUMBER}}}+(?![\w.]*\d)|\b(?:{'|'.join(_WORDS[2:])})\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Link:
    """One rule and the words that ask for it.

    ``place`` is where the words stand; ``unsaid`` are numbers in the arguments that the words lack. Numbers below two
    need no word ("a", "no", "ground").
    """

    rule: str
    says: str
    place: Literal["text", "briefing", "nowhere"]
    unsaid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Mention:
    """One number in the text, and the rules that hold it: those whose words contain it and whose arguments have it."""

    number: int
    around: str
    rules: tuple[str, ...]


def rules_to_text(turn: Turn, briefing: str) -> list[Link]:
    """For each rule of a turn, where text or briefing ask for it."""
    text, known = _plain(turn.text), _plain(briefing)
    out = []
    for rule, says in zip(turn.rules, turn.says, strict=True):
        words = _plain(says)
        place: Literal["text", "briefing", "nowhere"] = "nowhere"
        if words:
            place = "text" if words in text else "briefing" if words in known else "nowhere"
        said = {value for value, _, _ in _numbers(words)}
        unsaid = sorted({n for n in _asked(rule) if n >= 2} - said)
        out.append(Link(rule.name, says, place, tuple(unsaid)))
    return out


def text_to_rules(turn: Turn) -> list[Mention]:
    """For each number in the text of a turn, the rules that hold it."""
    text = _plain(turn.text)
    spans = []
    for rule, says in zip(turn.rules, turn.says, strict=True):
        words = _plain(says)
        at = text.find(words) if words else -1
        if at >= 0:
            spans.append((at, at + len(words), rule.name, _asked(rule)))
    out = []
    for value, start, end in _numbers(text):
        holding = tuple(name for a, b, name, numbers in spans if a <= start and end <= b and value in numbers)
        out.append(Mention(value, text[max(0, start - 25) : end + 25], holding))
    return out


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()


def _numbers(text: str) -> list[tuple[int, int, int]]:
    """Value, begin and end of each number in a text, in digits or words."""
    out = []
    for match in _NUMBER.finditer(text):
        word = match[0].lower()
        out.append((_VALUES[word] if word in _VALUES else int(word), match.start(), match.end()))
    return out


def _asked(rule: BoundRule) -> set[int]:
    """The whole numbers that a rule asks for; a build to compare with asks for none."""
    given = rule.args.items()
    return _in_args({name: value for name, value in given if not isinstance(rule.values.get(name), Shape)})


def _in_args(value: object) -> set[int]:
    """All whole numbers in a rule's arguments, those in region texts included."""
    if isinstance(value, bool):
        return set()
    if isinstance(value, (int, float)):
        return {int(value)} if value == int(value) else set()
    if isinstance(value, str):
        return {int(found) for found in re.findall(rf"\((-?\d{{1,{LONGEST_NUMBER}}})\)", value)}
    parts: Iterable[object] = value.values() if isinstance(value, Mapping) else ()
    if isinstance(value, (list, tuple)):
        parts = value
    return set().union(*(_in_args(part) for part in parts))
