"""Writes the builds in examples/ from the reference builds of tasks: some as they are, some with a fault in them."""

import json
from pathlib import Path
from typing import cast

import minece
from minece.tasks import reference

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
Placements = list[tuple[int, int, int, str]]

FOUNDATION = "elements/shallow/7x8x1-lay"
WALL = "elements/walls/10x2x5-erect"
ROOF = "elements/roofs/5x5-4columns-3high-build"
DWELLING = "architecture/step-free-house/2rooms-1beds-steps-build"
HOUSE = "management/plan-1/foundation-columns-walls-ceiling"
BRIDGE = "civil/arch-bridges/river10-boat3-build"


def placements(task: str) -> Placements:
    """The placements of a task's reference build, in order."""
    (build,) = reference(minece.load_task(task))
    assert build.log is not None
    return [cast(tuple[int, int, int, str], tuple(event[1:])) for event in build.log.events()]


def builds() -> dict[str, Placements]:
    """Placements by the name of the example."""
    foundation, wall, roof, dwelling, house, bridge = map(placements, (FOUNDATION, WALL, ROOF, DWELLING, HOUSE, BRIDGE))
    highest = max(y for _, y, _, _ in roof)
    ceiling = [row for row in house if row[1] == max(y for _, y, _, _ in house)]
    middle = sorted(wall)[len(wall) // 2][:3]
    crown = sorted({x for x, _, _, _ in bridge})
    crown = crown[len(crown) // 2 - 1 : len(crown) // 2 + 1]
    # the cells of the door between the rooms; the other one is in an outer wall
    inner = {row[:3] for row in dwelling if "door" in row[3] and row[2] != min(z for _, _, z, _ in dwelling)}
    return {
        "foundation-good": foundation,
        # one cell left out, one of another material
        "foundation-bad": [
            (*row[:3], "cobblestone") if number == 40 else row for number, row in enumerate(foundation) if number != 20
        ],
        "wall-good": wall,
        # a hole in the middle
        "wall-gap": [row for row in wall if row[:3] != middle],
        "roof-good": roof,
        # the columns end one cell below the roof
        "roof-floating": [row for row in roof if row[1] != highest - 1],
        # the inner door is walled up
        "dwelling-closed": [(*row[:3], "bricks") if row[:3] in inner else row for row in dwelling],
        "arch-bridge-good": bridge,
        # open at the crown, as it is before the keystones are set
        "arch-bridge-open": [row for row in bridge if row[0] not in crown],
        "house-good": house,
        # the ceiling was placed before the walls that carry it
        "house-roof-first": [*ceiling, *(row for row in house if row not in ceiling)],
    }


def records() -> list[dict[str, object]]:
    """Runs in the form of the published benchmark's records: a slab, and two corner blocks of the same extent."""
    slab = [(x, -1, z, "stone") for x in range(7) for z in range(8)]
    checks = [
        {"fn": "is_all_material_equal_to", "args": {"expected_material": "stone"}},
        {"fn": "is_equal", "args": {"xz": [7, 8], "y": 1}},
        {"fn": "is_ground_connected", "args": {}},
        {"fn": "l1_dist", "args": {}},
    ]
    return [
        {
            "run_idx": run,
            "turn_idx": 0,
            "n_turns": 1,
            "prompt": "Lay a foundation of stone, 7 by 8 blocks and 1 thick.",
            "checks": checks,
            "coords": [{"x": x, "y": y, "z": z, "material": state} for x, y, z, state in rows],
            "builder_model": "by hand",
        }
        for run, rows in enumerate((slab, [slab[0], slab[-1]]))
    ]


def main() -> None:
    """Write all examples."""
    for name, rows in builds().items():
        minece.save(minece.Build.from_log(rows), EXAMPLES / f"{name}.json")
    lines = "".join(json.dumps(record) + "\n" for record in records())
    (EXAMPLES / "records.jsonl").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
