"""Make the block catalogue in blocks/data from the npm package minecraft-data.

    python tools/make_catalogue.py node_modules/minecraft-data     # an unpacked package
    python tools/make_catalogue.py                                 # fetches the version named below with npm

The newest version of the game in the package becomes the catalogue; older ones tell since when a block exists.
Hand tables (tags, items, renames, colours) are in tools/catalogue.toml. The result is committed, one line per
block, so that a new version of the game shows as a diff; a rename or a changed property that the hand table does
not cover stops the script.
"""

from __future__ import annotations

import argparse
import itertools
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

PACKAGE = "minecraft-data"
PACKAGE_VERSION = "3.119.0"
CATALOGUE = "26.1"
OLDEST = (1, 13)

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "blocks" / "data"
TABLES = ROOT / "tools" / "catalogue.toml"

Json = Any
Properties = dict[str, list[str]]


def version_key(version: str) -> tuple[int, ...]:
    """1.21.4 → (1, 21, 4)."""
    return tuple(int(part) for part in version.split("."))


class Source:
    """The unpacked npm package."""

    def __init__(self, package: Path) -> None:
        self.version: str = json.loads((package / "package.json").read_text())["version"]
        self.data = package / "minecraft-data" / "data"
        self.paths: dict[str, dict[str, str]] = json.loads((self.data / "dataPaths.json").read_text())["pc"]

    def read(self, version: str, kind: str) -> Json:
        """One data file of one version of the game."""
        return json.loads((self.data / self.paths[version][kind] / f"{kind}.json").read_text())

    def versions(self) -> list[str]:
        """Releases from 1.13 on, oldest first, one for each distinct block list."""
        releases = [v for v in self.paths if re.fullmatch(r"\d+\.\d+(\.\d+)?", v)]
        ordered = sorted((v for v in releases if version_key(v) >= OLDEST), key=version_key)
        return [v for v in ordered if version_key(v) <= version_key(CATALOGUE)]


def properties(block: Json) -> Properties:
    """Property → values in state order. Integers without a list (before 1.14.4's data) are left empty."""
    out: Properties = {}
    for state in block["states"]:
        if "values" in state:
            out[state["name"]] = [str(value) for value in state["values"]]
        else:
            out[state["name"]] = ["true", "false"] if state["type"] == "bool" else []
    return out


def select(patterns: Iterable[str], names: list[str], tags: Mapping[str, list[str]]) -> list[str]:
    """Names that shell patterns choose; "!pattern" takes away, "#tag" names another selection."""
    chosen: set[str] = set()
    dropped: set[str] = set()
    for pattern in patterns:
        if pattern.startswith("#"):
            found = set(tags[pattern[1:]])
        else:
            found = {name for name in names if fnmatchcase(name, pattern.lstrip("!"))}
        if not found:
            sys.exit(f"{TABLES.name}: pattern {pattern!r} matches nothing")
        (dropped if pattern.startswith("!") else chosen).update(found)
    return sorted(chosen - dropped)


def make_tags(tables: Json, names: list[str]) -> dict[str, list[str]]:
    """Tag → sorted block ids: the hand table's tags and the sixteen colours."""
    tags: dict[str, list[str]] = {}
    for tag, patterns in tables["tags"].items():
        tags[tag] = select(patterns, names, tags)
    for dye in tables["dyes"]:
        dyed = [f"{dye}_{kind}" for kind in tables["colour_tags"]["kinds"]]
        extras = tables["colour_extras"].get(dye, [])
        tags[dye] = sorted({*dyed, *extras})
        if missing := set(tags[dye]) - set(names):
            sys.exit(f"{TABLES.name}: colour {dye} names unknown blocks {sorted(missing)}")
    return tags


def item_of(name: str, items: set[str], tables: Json) -> str:
    """The item that places a block, or two of them ("flower_pot poppy"), or ""."""
    special: dict[str, str] = tables["items"]
    if name in special:
        text = special[name]
    elif name in items:
        text = name
    elif name.startswith("potted_"):
        text = f"flower_pot {name.removeprefix('potted_')}"
    elif name.endswith("_candle_cake"):
        text = f"cake {name.removesuffix('_cake')}"
    else:
        text = name.replace("wall_", "", 1)
    if unknown := set(text.split()) - items:
        sys.exit(f"{TABLES.name}: block {name} needs an entry in [items] ({sorted(unknown)} are no items)")
    return text


def mixed(colour: str, other: str, share: float) -> str:
    """``colour`` with a share of ``other``, both as #rrggbb."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * share) for a, b in pairs).hex()


def colour_of(name: str, tables: Json) -> str:
    """A colour of our own for a block, as #rrggbb."""
    dyes: dict[str, str] = tables["dyes"]
    for dye in sorted(dyes, key=len, reverse=True):
        kind = name.removeprefix(f"{dye}_")
        if kind != name and kind in tables["dyed"]:
            other, share = tables["dyed"][kind]
            return mixed(dyes[dye], other, share)
    words: dict[str, str] = tables["words"]
    found = [word for word in words if f"_{word}_" in f"_{name}_"]
    if not found:
        sys.exit(f"{TABLES.name}: no word of [words] occurs in {name!r}")
    # The longest word, and of equally long ones the first in the id: exposed_copper is exposed, not copper.
    return words[max(found, key=lambda word: (len(word), -f"_{name}_".index(f"_{word}_")))]


def reduced(props: Properties, values: list[int]) -> tuple[list[str], list[int]]:
    """Leave out the properties on which a value per state does not depend."""
    names = list(props)
    keep = names.copy()
    states = list(itertools.product(*props.values()))
    for name in names:
        rest = [names.index(other) for other in keep if other != name]
        seen: dict[tuple[str, ...], int] = {}
        if all(
            seen.setdefault(tuple(s[i] for i in rest), value) == value for s, value in zip(states, values, strict=True)
        ):
            keep.remove(name)
    columns = [names.index(name) for name in keep]
    table = {tuple(s[i] for i in columns): value for s, value in zip(states, values, strict=True)}
    return keep, [table[key] for key in itertools.product(*(props[name] for name in keep))]


def within_cell(box: list[float]) -> list[float]:
    """A box cut at the sides of its cell; only the height may exceed it, to 1.5 (fences).

    The arm of a piston head reaches into the piston.
    """
    return [min(max(value, 0.0), 1.5 if axis == 4 else 1.0) for axis, value in enumerate(box)]


def first_versions(source: Source, renames: dict[str, list[str]], newest: dict[str, Properties]) -> dict[str, str]:
    """Block → the oldest version (from 1.13 on) that has it under its present or an earlier name."""
    since: dict[str, str] = {}
    for version in source.versions():
        present = {}
        for block in source.read(version, "blocks"):
            name = block["name"]
            if name not in newest:
                if name not in renames:
                    sys.exit(f"{TABLES.name}: {name} of {version} is gone and [renames] does not say where to")
                if version_key(version) > version_key(renames[name][1]):
                    sys.exit(f"{TABLES.name}: {name} was renamed after {version}, not {renames[name][1]}")
                name = renames[name][0]
            present[name] = properties(block)
        if lost := [name for name in since if name not in present]:
            sys.exit(f"{version} has no {lost}")
        for name, props in present.items():
            since.setdefault(name, version)
            check_properties(version, name, props, newest[name])
    return since


MIGRATED: dict[tuple[str, str], set[str]] = {}


def check_properties(version: str, name: str, old: Properties, new: Properties) -> None:
    """Every old property value is still known or is migrated."""
    for prop, values in old.items():
        gone = set(values) - set(new.get(prop, ())) - MIGRATED.get((name, prop), set())
        if gone:
            sys.exit(f"{TABLES.name}: {name}[{prop}={sorted(gone)}] of {version} needs an entry in [[migrations]]")


def make_migrations(tables: Json, names: list[str], tags: dict[str, list[str]]) -> list[Json]:
    """The hand table with tags and patterns written out."""
    out = []
    for entry in tables["migrations"]:
        blocks = select(entry["blocks"], names, tags)
        becomes = entry.get("becomes") or entry["values"]
        out.append({**entry, "blocks": blocks})
        for key in itertools.product(blocks, entry["properties"]):
            MIGRATED.setdefault(key, set()).update(becomes)
    return out


def legacy_state(text: str) -> str:
    """A state of the source's numeric ids, put right where the source is known to be wrong.

    Oak stairs come as corners, and 1.13's stone_slab is what later versions call smooth_stone_slab.
    """
    state = text.removeprefix("minecraft:").replace("shape=outer_right", "shape=straight")
    return f"smooth_{state}" if state.startswith("stone_slab[") else state


def one_line_each(head: Json, sections: Mapping[str, Mapping[str, Json] | list[Json]]) -> str:
    """JSON with a section's entries on one line each, so that a change shows as one changed line."""

    def lines(entries: Mapping[str, Json] | list[Json]) -> Iterator[str]:
        if isinstance(entries, list):
            yield from (compact(entry) for entry in entries)
        else:
            yield from (f"{json.dumps(key)}:{compact(entry)}" for key, entry in entries.items())

    parts = [f"{json.dumps(key)}:{compact(value)}" for key, value in head.items()]
    for key, entries in sections.items():
        left, right = ("[", "]") if isinstance(entries, list) else ("{", "}")
        parts.append(f"{json.dumps(key)}:{left}\n" + ",\n".join(lines(entries)) + f"\n{right}")
    return "{" + ",\n".join(parts) + "}\n"


def compact(value: Json) -> str:
    """JSON without spaces."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def make(source: Source) -> dict[str, str]:
    """File name → text of everything in blocks/data that this script owns."""
    tables = tomllib.loads(TABLES.read_text())
    blocks = source.read(CATALOGUE, "blocks")
    collision = source.read(CATALOGUE, "blockCollisionShapes")
    items = {item["name"] for item in source.read(CATALOGUE, "items")}
    newest = {block["name"]: properties(block) for block in blocks}
    names = list(newest)
    tags = make_tags(tables, names)
    migrations = make_migrations(tables, names, tags)
    since = first_versions(source, tables["renames"], newest)

    numbers: dict[str, int] = {}
    lines: dict[str, Json] = {}
    for block in sorted(blocks, key=lambda b: str(b["name"])):
        name = block["name"]
        props = newest[name]
        count = block["maxStateId"] - block["minStateId"] + 1
        ids = collision["blocks"][name]
        per_state = ids if isinstance(ids, list) else [ids] * count
        if len(per_state) != count:
            sys.exit(f"{name}: {len(per_state)} shapes for {count} states")
        boxes = [compact(sorted(map(within_cell, collision["shapes"][str(number)]))) for number in per_state]
        shapes = [numbers.setdefault(text, len(numbers)) for text in boxes]
        by, table = reduced(props, shapes)
        line: dict[str, Json] = {"since": since[name], "colour": colour_of(name, tables)}
        if (item := item_of(name, items, tables)) != name:
            line["item"] = item
        if props:
            line["properties"] = props
            default = list(itertools.product(*props.values()))[block["defaultState"] - block["minStateId"]]
            line["default"] = list(default)
        if by:
            line["shape_by"] = by
        line["shape"] = table if by else table[0]
        lines[name] = line

    versions = [v for v in source.versions() if version_key(v) <= version_key(CATALOGUE)]
    head = {
        "made_by": "tools/make_catalogue.py",
        "source": f"npm {PACKAGE} {source.version} (MIT), Minecraft {CATALOGUE}",
        "versions": versions,
    }
    legacy = json.loads((source.data / "pc/common/legacy.json").read_text())["blocks"]
    numeric = {block["name"]: block["id"] for block in source.read("1.12", "blocks")}
    return {
        "catalogue.json": one_line_each(head, {"shapes": [json.loads(text) for text in numbers], "blocks": lines}),
        "tags.json": one_line_each({}, {"tags": dict(sorted(tags.items()))}),
        "aliases.json": one_line_each({}, {"renames": tables["renames"], "migrations": migrations}),
        "legacy.json": one_line_each(
            {}, {"names": numeric, "blocks": {key: legacy_state(text) for key, text in legacy.items()}}
        ),
    }


def fetched(folder: Path) -> Path:
    """The package, installed by npm into a folder."""
    subprocess.run(
        ["npm", "install", "--no-save", "--silent", "--prefix", str(folder), f"{PACKAGE}@{PACKAGE_VERSION}"], check=True
    )
    return folder / "node_modules" / PACKAGE


def main() -> None:
    """Write the data files and say how large they are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package", nargs="?", type=Path, help="folder of the unpacked npm package")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = make(Source(args.package or fetched(Path(folder))))
    for name, text in files.items():
        (OUT / name).write_text(text, encoding="utf-8", newline="\n")
        print(f"{name}: {len(text.encode())} bytes, {text.count(chr(10))} lines")


if __name__ == "__main__":
    main()
