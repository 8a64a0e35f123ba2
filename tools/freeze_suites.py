"""Writes tasks/data/suites.json: families, ids and digests of the suites, one line per family.

Run it after adding a family or changing one. A change that can move a score raises the suite's version in
tasks/suites.py and is told in the changelog.
"""

import json
from dataclasses import asdict
from pathlib import Path

from minece.tasks.loader import load_family
from minece.tasks.suites import entry_of

ROOT = Path(__file__).resolve().parents[1]
FAMILIES = (
    "shallow",
    "deep",
    "walls",
    "roofs",
    "stable-roof-1",
    "stable-roof-2",
    "frames",
    "basic-house",
    "rooms",
    "beds",
    "slab-at-height",
    "storeys",
    "step-free-house",
    "theatre",
    "asymmetry",
    "ceilings",
    "largest-cabin",
    "plan-1",
    "plan-2",
    "revise-2",
    "revise-5",
    "bridges",
    "arch-bridges",
    "stable-arch",
    "domes",
    "igloos",
)
"""In the order of the suites."""


def main() -> None:
    rows = [json.dumps(asdict(entry_of(load_family(name)))) for name in FAMILIES]
    target = ROOT / "tasks" / "data" / "suites.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")
    print(f"{target.relative_to(ROOT)}: {len(rows)} families")


if __name__ == "__main__":
    main()
