"""`minece stress`: answers, tables, JSON, pictures, pages."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minece
from minece.blocks import Build
from minece.commands.stress import CAUTION
from minece.fem import analyse
from minece.standing import Standing, quantity, ratio

Cli = Callable[..., Any]
Write = Callable[..., Path]
Rows = list[tuple[int, int, int, str]]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
REAL = Path(__file__).resolve().parents[1] / "data" / "real"
UNIFORM = "uniform:E=30e9,nu=0.2,rho=2400"


def bridge(block: str, span: int = 5) -> Rows:
    """A deck two thick and two wide on supports of 2 by 2."""
    length = span + 4
    rows = [(x, y, z, block) for x in range(length) for y in (3, 4) for z in range(2)]
    ends = (0, 1, length - 2, length - 1)
    return rows + [(x, y, z, block) for x in ends for y in range(3) for z in range(2)]


def first(text: str) -> str:
    return text.splitlines()[0]


def test_what_stands_says_what_governs(cli: Cli, write_json: Write) -> None:
    ran = cli("stress", write_json("bridge.json", bridge("stone_bricks")))
    found = analyse(Build.from_blocks(bridge("stone_bricks"))).strength
    assert found is not None and found.load_factor is not None
    x, y, z = found.cell
    assert (ran.code, ran.err) == (0, "")
    assert first(ran.out) == (
        f"stands: highest utilisation {found.utilisation:.2g} at ({x}, {y}, {z}) stone_bricks in tension; "
        f"would carry {found.load_factor:.2g} × its weight"
    )
    assert first(ran.out).startswith("stands: highest utilisation 0.72 at")
    for row in ("utilisation", "stress ", "displacement", "weight", "reaction", "masonry", "unknowns", "benchmark's"):
        assert row in ran.out, row
    assert "compares builds and is no" in ran.out


def test_what_fails_says_how_little_it_carries(cli: Cli, write_json: Write) -> None:
    ran = cli("stress", write_json("bridge.json", bridge("cobblestone", span=9)))
    assert ran.code == 1
    assert first(ran.out).startswith("does not stand: highest utilisation ")
    assert "would carry only 0." in first(ran.out)


@pytest.mark.parametrize(("rows", "answer", "told"), [
    ([(0, 0, 0, "stone"), (3, 4, 3, "stone")], "does not stand", "the block at (3, 4, 3) floats, joined to nothing"),
    ([(0, 0, 0, "stone"), (1, 1, 0, "stone")], "does not stand", "the block at (1, 1, 0) can move freely"),
    ([(0, 0, 0, "torch")], "is not solved", "no block that carries load"),
    ([(0, y, 0, "melon") for y in range(2)], "stands if it is strong enough", "all its blocks are soft"),
    ([(x, 9 if 0 < x < 50 else y, 0, "slime_block") for x in range(51) for y in range(10)],
     "is not solved", "more than 1 % of the size"),
])  # fmt: skip
def test_other_answers(cli: Cli, write_json: Write, rows: Rows, answer: str, told: str) -> None:
    ran = cli("stress", write_json("build.json", rows))
    assert first(ran.out).startswith(f"{answer}: ")
    assert told in first(ran.out)
    assert ran.code == (0 if answer.startswith("stands") else 1)


def test_one_material_tells_stress_and_no_strength(cli: Cli, write_json: Write) -> None:
    file = write_json("bridge.json", bridge("white_wool"))
    ran = cli("stress", file, "--material", UNIFORM)
    assert ran.code == 0
    sigma = analyse(minece.load(file), materials=UNIFORM).sigma_rms_pa
    assert sigma is not None
    assert first(ran.out).startswith("stands if it is strong enough: nothing floats or can move; largest stress ")
    assert quantity(sigma, "Pa") in first(ran.out)
    assert "E 30 GPa, ν 0.2, 2400 kg/m³" in ran.out
    assert "utilisation " not in ran.out.split("note:")[0]


def test_json_is_one_line_a_build(cli: Cli, write_json: Write) -> None:
    good = write_json("good.json", bridge("stone_bricks"))
    bad = write_json("bad.json", [(0, 4, 0, "stone")])
    ran = cli("stress", good, bad, "--refine", "2", "--json")
    assert ran.code == 1
    one, other = ran.rows
    assert (one["schema"], one["name"], one["answer"]) == ("minece-stress/1", str(good), "stands")
    assert one["caution"] == CAUTION
    assert one["says"].startswith("stands: highest utilisation")
    expected = analyse(minece.load(good), refine=2, paper=True).to_dict()
    assert {key: one[key] for key in expected} == json.loads(json.dumps(expected))
    assert one["stands"] is True and len(one["blocks"]["cells"]) == 60
    assert (other["answer"], other["stands"], other["sigma_rms_pa"]) == ("does not stand", False, None)


def test_heights_count_from_the_ground(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "tower.csv"
    file.write_text("x,y,z,block\n" + "".join(f"0,{y},0,stone\n" for y in range(60, 70)))
    assert "at (0, 1, 0) stone" in first(cli("stress", file).out)
    ran = cli("stress", file, "--ground", "59")
    assert ran.code == 1
    assert first(ran.out) == "does not stand: 10 blocks float, the first at (0, 1, 0), joined to nothing that stands"
    assert "y counted from the ground, which is y = 59 in the file" in ran.out


def test_several_builds_have_a_table(cli: Cli, write_json: Write, tmp_path: Path) -> None:
    write_json("one.json", bridge("stone_bricks"))
    write_json("two.json", [(0, 5, 0, "stone"), (0, 0, 0, "stone")])
    (tmp_path / "about.md").write_text("no build")
    ran = cli("stress", tmp_path)
    assert ran.code == 1
    assert f"{tmp_path / 'one.json'} stands: highest utilisation 0.72" in ran.out
    assert "1 block in the air" in ran.out
    assert "1 of 2 builds stands" in ran.out
    for number in range(4):
        write_json(f"more-{number}.json", bridge("stone_bricks"))
    ran = cli("stress", tmp_path)
    assert "5 of 6 builds stand" in ran.out
    assert "would carry" not in ran.out


def test_bad_input_is_one_line(cli: Cli, write_json: Write, tmp_path: Path) -> None:
    good = write_json("good.json", bridge("stone_bricks"))
    ran = cli("stress", tmp_path / "none.json", good)
    assert (ran.code, ran.err) == (2, f"{tmp_path / 'none.json'}: does not exist; check the name\n")
    assert "stands: " in ran.out
    for words in (["--material", "marble"], ["--material", "uniform:E=x"], ["--refine", "0"], ["--refine", "x"]):
        ran = cli("stress", good, *words)
        assert (ran.code, ran.out) == (2, ""), words
    ran = cli("stress", write_json("strange.json", [(0, 0, 0, "barrier"), (0, 1, 0, "stone")]))
    assert ran.code == 2
    assert "barrier has no material" in ran.err


@pytest.mark.slow
def test_too_large_tells_what_it_would_take(cli: Cli, write_json: Write) -> None:
    side = 26
    cube = [(x, y, z, "stone") for x in range(side) for y in range(side) for z in range(side)]
    ran = cli("stress", file := write_json("cube.json", cube), "--refine", "2")
    assert (ran.code, ran.out) == (2, "")
    (line,) = (line for line in ran.err.splitlines() if not line.startswith('{"event"'))
    assert line.startswith(f"{file}: direct solution of {8 * side**3} cubes would take about ")
    assert " GB of memory and " in line and "solver for large builds" in line
    ran = cli("stress", file, "--refine", "4")
    assert ran.code == 2 and f"{64 * side**3} cubes" in ran.err


def test_long_work_shows_how_far_it_is(cli: Cli, write_json: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minece.progress._QUIET", 0.0)
    monkeypatch.setattr("minece.progress._EVERY", 0.0)
    file = write_json("cube.json", [(x, y, z, "stone") for x in range(9) for y in range(9) for z in range(9)])
    ran = cli("stress", file, "--json")
    assert len(ran.rows) == 1
    events = [json.loads(line) for line in ran.err.splitlines()]
    assert len(events) > 10 and {(event["done"], event["of"]) for event in events} == {(0, 1)}
    shares = [int(event["event"].removeprefix("stress of cube.json, ").removesuffix(" %")) for event in events]
    assert shares == sorted(shares) and shares[0] == 0 and 50 < shares[-1] <= 100


def test_the_last_turn_counts(cli: Cli, write_json: Write) -> None:
    file = write_json("turns.json", [(0, 5, 0, "stone")], bridge("stone_bricks"))
    ran = cli("stress", file)
    assert ran.code == 0
    assert "60 blocks, 9×5×2, the last of 2 turns" in ran.out


def test_pages_can_be_painted_by_stress(cli: Cli, write_json: Write, tmp_path: Path) -> None:
    file = write_json("bridge.json", bridge("stone_bricks"))
    ran = cli("stress", file, "--html", target := tmp_path / "bridge.html")
    assert ran.code == 0 and f"1 page in {target}" in ran.out
    text = target.read_text(encoding="utf-8")
    for word in ("Utilisation", "Displacement", "Stands: highest utilisation 0.72"):
        assert word in text, word


def test_pictures_and_pages_leave_other_files_alone(cli: Cli, write_json: Write, tmp_path: Path) -> None:
    file = write_json("bridge.json", bridge("stone_bricks"))
    for option, name in (("--png", "mine.png"), ("--html", "mine.html")):
        (tmp_path / name).write_bytes(b"mine")
        ran = cli("stress", file, option, tmp_path / name)
        assert ran.code == 2 and "exists and is no p" in ran.err
        assert (tmp_path / name).read_bytes() == b"mine"
    assert cli("stress", file, "--png", tmp_path / "new.png").code == 0
    before = (tmp_path / "new.png").read_bytes()
    assert cli("stress", file, "--png", tmp_path / "new.png").code == 0
    assert (tmp_path / "new.png").read_bytes() == before
    ran = cli("stress", file, file, "--png", tmp_path / "new.png")
    assert ran.code == 2 and "name a folder for several" in ran.err
    assert cli("stress", file, file, "--png", tmp_path / "folder").code == 0
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["bridge-2.png", "bridge.png"]


def test_the_shipped_arch_needs_its_keystones() -> None:
    whole, halves = (Standing.of(analyse(minece.load(EXAMPLES / f"arch-bridge-{n}.json"))) for n in ("good", "open"))
    assert whole.stands and not halves.stands


def test_ratios_are_not_rounded_across_one() -> None:
    for value in np.concatenate([1 + np.geomspace(1e-5, 0.2, 50), 1 - np.geomspace(1e-5, 0.2, 50)]).tolist():
        assert (float(ratio(value)) > 1) == (value > 1), value


@pytest.mark.parametrize(("name", "answer"), [
    ("s18-and.schem", "stands: highest utilisation"),
    ("l06-3x2x3.litematic", "stands: highest utilisation"),
    ("s01-smallhouse1.schem", "stands: highest utilisation"),
    ("s03-green-cottage.schem", "does not stand: highest utilisation"),  # flower beds of grass hang on its balcony
    ("l05-bus_cross8_design.litematic", "does not stand: 18 blocks can move freely"),
    ("l08-all_items.litematic", "stands: highest utilisation"),
    ("s16-primitive-rocket.schem", "does not stand: highest utilisation"),  # on one block of its lowest layer
])  # fmt: skip
def test_builds_of_other_people_are_answered(cli: Cli, name: str, answer: str, tmp_path: Path) -> None:
    ran = cli("stress", REAL / name, "--png", tmp_path / "picture.png")
    assert first(ran.out).startswith(answer)
    assert (ran.code, (tmp_path / "picture.png").exists()) == (0 if answer.startswith("stands") else 1, True)


def test_a_name_gives_the_terminal_no_orders(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a\x1b[31mb.csv"
    file.write_text("x,y,z,block\n0,0,0,stone\n")
    for command in ("stress", "info"):
        assert "\x1b" not in cli(command, file).out
