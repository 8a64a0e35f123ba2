"""Pages in a real browser: what they show is the build, everything can be reached, and nothing goes wrong."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from browser import MISSING, Browser, browser, find

import minece
from minece.blocks import Build
from minece.checkers import Verdict
from minece.viewer import Field, Turn, page

if find() is None:
    pytest.skip(MISSING, allow_module_level=True)

pytestmark = pytest.mark.slow

REAL = Path(__file__).resolve().parents[1] / "data" / "real"
Open = Callable[..., Browser]


@pytest.fixture(scope="module")
def running() -> Iterator[Browser]:
    """One browser for all tests here."""
    with browser() as tab:
        yield tab


@pytest.fixture
def show(running: Browser, tmp_path: Path) -> Iterator[Open]:
    """Opens a page of turns; at the end no script may have failed and nothing but the page been asked for."""

    def run(turns: list[Turn], name: str = "hut", **window: Any) -> Browser:
        path = tmp_path / "page.html"
        path.write_text(page(turns, name=name), encoding="utf-8")
        running.window(**window)
        return running.open(path)

    yield run
    running.settle()
    assert running.problems == []
    assert running.requests == [(tmp_path / "page.html").as_uri()]


def press(tab: Browser, label: str) -> None:
    """Press the button in the panel whose text begins so."""
    found = tab.run(
        f"(b => b && (b.focus(), b.click(), 1))([...document.querySelectorAll('#panel button, #views button')]"
        f".find(b => b.textContent.startsWith({label!r})))"
    )
    assert found == 1, label
    tab.settle()


def slide(tab: Browser, title: str, value: int) -> None:
    """Move a slider of the panel."""
    tab.run(
        f"(i => {{ i.value = {value}; i.dispatchEvent(new Event('input')) }})"
        f"(document.querySelector('input[aria-label=\"{title}\"]'))"
    )
    tab.settle()


def exposed(build: Build) -> int:
    """How many sides of whole cubes have no cube before them, one by one."""
    cells = {tuple(cell) for cell in build.blocks.cells.tolist()}
    steps = ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))
    return sum((x + a, y + b, z + c) not in cells for x, y, z in cells for a, b, c in steps)


def test_the_picture_shows_every_block(show: Open, hut: Turn) -> None:
    tab = show([hut])
    assert tab.check("blocks") == tab.check("shown") == len(hut.build.blocks)
    pixels = tab.check("pixels()")
    assert pixels["filled"] > 0.05 * pixels["wide"] * pixels["high"]
    assert pixels["colours"] > 50


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_faces_are_those_that_can_be_seen(show: Open, seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = np.argwhere(rng.random((7, 6, 8)) < 0.6) - [3, 0, 4]
    names = ["stone", "oak_planks", "bricks"]
    build = Build.from_blocks([(*cell, names[rng.integers(3)]) for cell in cells.tolist()])
    tab = show([Turn(build)])
    assert tab.check("faces") == exposed(build)
    assert tab.check("rectangles") < exposed(build)


def test_equal_neighbours_become_one_rectangle(show: Open) -> None:
    tab = show([Turn(Build.from_blocks([(x, y, z, "stone") for x in range(9) for y in (4, 5, 6) for z in range(7)]))])
    assert tab.check("faces") == 2 * (9 * 3 + 9 * 7 + 3 * 7)
    assert tab.check("rectangles") == 6


def test_a_slab_leaves_open_what_it_does_not_cover(show: Open) -> None:
    tab = show([Turn(Build.from_blocks([(0, 5, 0, "stone"), (0, 6, 0, "oak_slab"), (1, 5, 0, "oak_slab[type=top]")]))])
    # The cube loses its top to the slab on it, the slab its underside; beside the cube both sides stay or go as they
    # cover one another: the upper slab is covered by the cube, the cube not by the upper slab.
    assert tab.check("faces") == (6 - 1) + (6 - 1) + (6 - 1)


def test_a_verdict_paints_its_cells(show: Open, hut: Turn) -> None:
    tab = show([hut])
    assert tab.check("paint") == "rules"
    assert tab.check("marks") == 1
    assert tab.check("painted([255, 127, 14])") == 1
    press(tab, "✓")
    assert tab.check("painted([44, 160, 84])") == len(hut.build.blocks)
    assert tab.check("marks") == 0
    press(tab, "✗filled")
    assert (tab.check("painted([255, 127, 14])"), tab.check("marks")) == (0, 1)
    press(tab, "✗filled")  # once more: all that fail
    assert (tab.check("painted([255, 127, 14])"), tab.check("marks")) == (1, 1)


def test_every_paint_has_its_legend(show: Open, hut: Turn) -> None:
    tab = show([hut])
    press(tab, "Utilisation")
    legend = tab.run("document.querySelector('.scale').innerText")
    over = int(np.sum(hut.fields[0].values > 1))
    assert f"above 1: {over} blocks" in legend and "Stress over strength." in legend
    assert tab.check("painted([142, 20, 150])") == over
    press(tab, "Order")
    assert "first" in tab.run("document.querySelector('.scale').innerText")
    press(tab, "Material")
    counts = dict(
        row.split("\n") for row in tab.run("[...document.querySelectorAll('.legend button')].map(b => b.innerText)")
    )
    assert counts["oak_slab"] == "9" and counts["glass"] == "1"
    assert sum(map(int, counts.values())) == len(hut.build.blocks)
    press(tab, "oak_slab")
    assert tab.run("document.querySelector('.legend button[aria-pressed=true] .name').textContent") == "oak_slab"


def test_the_log_is_replayed(show: Open, hut: Turn) -> None:
    assert hut.build.log is not None
    tab = show([hut])
    events = hut.build.log.events()
    for step in (0, 1, 9, 10, len(events) - 1, len(events)):
        slide(tab, "Placed so far", step)
        assert tab.check("step") == step
        assert tab.check("shown") == len(Build.from_log(events[:step]).blocks)
    press(tab, "Play")
    assert tab.run("document.getElementById('play').textContent") == "Pause"
    press(tab, "Pause")


def test_cut_by_height(show: Open, hut: Turn) -> None:
    tab = show([hut])
    for top in (-1, 0, 2):
        slide(tab, "Up to height", top)
        assert tab.check("shown") == int(np.sum(hut.build.blocks.cells[:, 1] <= top))


def test_the_pointer_tells_the_block(show: Open, hut: Turn) -> None:
    tab = show([hut])
    middle = tab.run(
        "(b => [b.left + b.width / 2, b.top + b.height / 2])(document.getElementById('view').getBoundingClientRect())"
    )
    press(tab, "Top")
    tab.mouse("mouseMoved", *middle)
    tab.settle()
    assert tab.check("told").startswith("(1, 2, 1) oak_slab[type=bottom,waterlogged=false]")
    assert "Utilisation" in tab.check("told") and "step" in tab.check("told")
    assert tab.run("document.getElementById('tip').hidden") is False
    slide(tab, "Up to height", 1)
    tab.mouse("mousePressed", *middle, button="left")
    tab.mouse("mouseReleased", *middle, button="left")
    assert tab.check("told").startswith("(1, 0, 1) torch")


def test_a_tap_tells_the_block(show: Open, hut: Turn) -> None:
    tab = show([hut], wide=390, high=800, touch=True)
    press(tab, "Top")
    x, y = tab.run(
        "(b => [b.left + b.width / 2, b.top + b.height / 2])(document.getElementById('view').getBoundingClientRect())"
    )
    tab.tap(x, y)
    assert tab.check("told").startswith("(1, 2, 1) oak_slab")
    assert tab.run("document.getElementById('tip').hidden") is False


def test_keys_turn_the_view_and_tell_the_block(show: Open, hut: Turn) -> None:
    tab = show([hut])
    press(tab, "S")
    before = tab.run("document.querySelector('#compass g').getAttribute('transform')")
    tab.run("document.getElementById('view').focus()")
    tab.key("Enter")
    assert "✗ only" not in tab.check("told") and tab.check("told").startswith("(")
    tab.key("ArrowLeft")
    tab.settle()
    assert tab.run("document.querySelector('#compass g').getAttribute('transform')") != before
    tab.key("Tab")
    assert tab.run("document.activeElement.textContent") == "Whole"


def test_turns_can_be_chosen(show: Open) -> None:
    turns = Build.from_turns([[(0, 0, 0, "stone")], [(1, 0, 0, "stone"), (2, 0, 0, "stone")]])
    tab = show([Turn(build, asked=f"turn {n}") for n, build in enumerate(turns, 1)])
    assert (tab.check("turn"), tab.check("blocks")) == (1, 3)
    press(tab, "1")
    assert (tab.check("turn"), tab.check("blocks")) == (0, 1)
    assert tab.run("document.activeElement.textContent") == "1"


@pytest.mark.parametrize("window", [{"wide": 390, "high": 800}, {"wide": 1600, "high": 900}, {"dark": True}])
def test_windows_and_schemes(show: Open, hut: Turn, window: dict[str, Any]) -> None:
    tab = show([hut], **window)
    assert tab.check("pixels()")["filled"] > 1000
    wide = window.get("wide", 1280)
    assert tab.run("document.documentElement.scrollWidth") <= wide
    background = tab.run("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") is not window.get("dark", False)


def test_every_control_has_a_name(show: Open, hut: Turn) -> None:
    tab = show([hut, hut])
    names = tab.run(
        "[...document.querySelectorAll('button, input, canvas')].map(e => e.getAttribute('aria-label') "
        "|| e.textContent || (e.labels && e.labels[0] && e.labels[0].textContent))"
    )
    assert len(names) > 15 and all(names)


def test_strangers_words_stay_words(show: Open) -> None:
    nasty = "</script><img src=x onerror='window.bad=1'><b>bold</b>{{7*7}}"
    build = Build.from_blocks([(0, 0, 0, "stone"), (1, 0, 0, "mod:x[a=b]")])
    verdict = Verdict(nasty, "shape", "fail", 0.0, 1, 2, nasty, build.blocks.cells)
    tab = show([Turn(build, [verdict], [Field(nasty, np.ones(2), nasty, nasty)], nasty)], name=nasty)
    press(tab, nasty)
    assert tab.run("document.querySelector('.scale .quiet').textContent") == nasty
    assert tab.run("document.querySelectorAll('img, b').length") == 0
    assert tab.run("'bad' in window") is False
    assert tab.run("document.querySelector('h1').textContent") == nasty


def test_the_policy_stops_scripts_that_are_put_in(running: Browser, tmp_path: Path, hut: Turn) -> None:
    """Should markup ever get through, the browser refuses to run it."""
    path = tmp_path / "page.html"
    path.write_text(
        page([hut], name="hut").replace("<noscript>", "<script>window.bad = 1</script><noscript>"), encoding="utf-8"
    )
    running.window().open(path, wary=False)
    assert running.run("'bad' in window") is False
    assert any("Content Security Policy" in problem for problem in running.problems)
    running.problems.clear()


@pytest.mark.parametrize(
    "build",
    [Build.from_blocks([]), Build.from_blocks([(10**6, 5, -(10**6), "stone"), (0, 0, 0, "glass")])],
    ids=["empty", "far apart"],
)
def test_odd_builds(show: Open, build: Build) -> None:
    tab = show([Turn(build)])
    assert tab.check("shown") == len(build.blocks)
    assert tab.check("pixels()")["wide"] > 0


@pytest.mark.parametrize("path", sorted(REAL.glob("*.schem")) + sorted(REAL.glob("*.litematic")), ids=lambda p: p.name)
def test_real_files(show: Open, path: Path) -> None:
    builds = minece.load_turns(path)
    tab = show([Turn(build) for build in builds], name=path.name)
    assert tab.check("shown") == len(builds[-1].blocks)
    assert tab.check("pixels()")["colours"] > 20


def test_a_hundred_thousand_blocks_are_usable(show: Open, heap: Callable[..., Turn]) -> None:
    tab = show([heap(100_000, rules=2)])
    assert tab.check("shown") == 100_000
    seconds = tab.run("(t => { mineceSelfCheck.pixels(); return (performance.now() - t) / 1000 })(performance.now())")
    assert seconds < 20
