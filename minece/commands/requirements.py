"""What the package's metadata says that it needs, and whether an installed version fits."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORM = re.compile(r"\s*([A-Za-z0-9._-]+)\s*(\[[^\]]*\])?\s*\(?([^;()]*)\)?")
_EXTRA = re.compile(r"""extra\s*==\s*["']([^"']+)["']""")
_CLAUSE = re.compile(r"\s*(===|~=|==|!=|<=|>=|<|>)\s*(\S+)\s*")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A package, the versions of it that are wanted (such as ``>=2.0,<3``, empty for any), and for which extra."""

    name: str
    versions: str = ""
    extra: str = ""

    def __str__(self) -> str:
        return self.name + self.versions

    def fits(self, version: str) -> bool:
        """Whether a version is among those that are wanted."""
        try:
            from packaging.specifiers import SpecifierSet
        except ImportError:  # it is no dependency of ours, though most environments have it
            return fits(version, self.versions)
        return SpecifierSet(self.versions).contains(version, prereleases=True)


def read_requirement(text: str) -> Requirement:
    """One line of ``importlib.metadata.requires``.

    >>> read_requirement("dask[distributed]>=2024.5; extra == 'scale'")
    Requirement(name='dask', versions='>=2024.5', extra='scale')
    """
    line, _, marker = text.partition(";")
    parts, extra = _FORM.match(line), _EXTRA.search(marker)
    name, versions = (parts[1], parts[3]) if parts else (line, "")
    return Requirement(name, versions.replace(" ", ""), extra[1] if extra else "")


def fits(version: str, versions: str) -> bool:
    """Whether a version lies within bounds, by the numbers of its release alone.

    >>> fits("2.10.1", ">=2.9,<3"), fits("1!1.1", ">=1!1.2"), fits("3.1", "~=3.0"), fits("3.1", "==3.0.*")
    (True, False, True, False)
    """
    clauses = map(_CLAUSE.fullmatch, versions.split(","))
    return all(_holds(version, clause[1], clause[2]) for clause in clauses if clause)


def _holds(version: str, sign: str, bound: str) -> bool:
    have, want = _key(version), _key(bound)
    length = len(_release(bound))
    match sign:
        case ">=":
            return have >= want
        case "<=":
            return have <= want
        case ">":
            return have > want
        case "<":
            return have < want
        case "~=":
            return have >= want and have[:length] == want[:length]  # the epoch comes before the release
        case "==" | "!=" if bound.endswith(".*"):
            return (have[: length + 1] == want[: length + 1]) is (sign == "==")
        case "!=":
            return have != want
        case _:
            return have == want


def _release(version: str) -> list[int]:
    numbers = re.match(r"(?:\d+!)?v?(\d+(?:\.\d+)*)", version)
    return [int(number) for number in numbers[1].split(".")] if numbers else []


def _key(version: str) -> tuple[int, ...]:
    """Epoch and eight numbers of the release, to compare."""
    epoch, mark, _ = version.partition("!")
    return (int(epoch) if mark and epoch.isdigit() else 0, *(_release(version) + [0] * 8)[:8])
