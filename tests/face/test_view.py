"""`minece view` and `minece score --html`."""

import json
import re
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
Rows = list[tuple[int, int, int, str]]


def content(path: Path) -> dict[str, Any]:
    """What a page holds."""
    text = path.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    read: dict[str, Any] = json.loads(found[1])
    return read


def test_a_page_for_each_build(cli: Cli, good: Path, bad: Path, tmp_path: Path) -> None:
    ran = cli("view", good, bad, "--out", tmp_path / "pages")
    assert (ran.code, ran.err) == (0, "")
    for name, blocks in (("good", 56), ("bad", 55)):
        page = tmp_path / "pages" / f"{name}.html"
        assert f"{page}: {blocks} blocks" in ran.out
        assert content(page)["turns"][0]["blocks"] == blocks
        assert content(page)["name"] == f"{name}.json"


def test_without_out_pages_go_to_the_current_folder(
    cli: Cli, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("view", good).code == 0
    assert Path("good.html").is_file()
    assert cli("view", good).code == 0  # a page made earlier is replaced


def test_turns_of_one_build_share_a_page(cli: Cli, slab: Rows, write_json: Callable[..., Path], tmp_path: Path) -> None:
    file = write_json("two.json", slab[:20], slab)
    ran = cli("view", file, "--out", tmp_path / "two.html", "--json")
    (row,) = ran.rows
    assert row == {
        "schema": "minece-view/1", "written": str(tmp_path / "two.html"), "name": "two.json", "blocks": 56, "turns": 2,
    }  # fmt: skip
    assert [turn["blocks"] for turn in content(tmp_path / "two.html")["turns"]] == [20, 56]


def test_several_builds_do_not_fit_one_page(cli: Cli, good: Path, bad: Path, tmp_path: Path) -> None:
    ran = cli("view", good, bad, "--out", tmp_path / "one.html")
    assert ran.code == 2
    assert ran.err.count("\n") == 1 and "name a folder" in ran.err
    assert not (tmp_path / "one.html").exists()


def test_a_page_is_no_picture_and_its_folder_is_made(cli: Cli, good: Path, tmp_path: Path) -> None:
    ran = cli("view", good, "--out", tmp_path / "page.png")
    assert ran.code == 2 and ".png is the ending of no page" in ran.err
    assert cli("view", good, "--out", tmp_path / "new" / "page.html").code == 0
    assert content(tmp_path / "new" / "page.html")["turns"][0]["blocks"] == 56


def test_a_file_of_the_users_is_not_written_over(cli: Cli, good: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("mine")
    ran = cli("view", good, "--out", mine)
    assert ran.code == 2 and ran.err.count("\n") == 1 and "is no page of minece" in ran.err
    assert mine.read_text() == "mine"


def test_what_cannot_be_read_is_told_in_one_line(cli: Cli, good: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.schem"
    broken.write_bytes(b"\x1f\x8bno")
    ran = cli("view", broken, good, "--out", tmp_path / "pages")
    assert ran.code == 2 and ran.err.count("\n") == 1 and "broken.schem" in ran.err
    assert (tmp_path / "pages" / "good.html").is_file()


def test_the_ground_can_be_named(cli: Cli, good: Path, tmp_path: Path) -> None:
    assert cli("view", good, "--ground", "-1", "--out", tmp_path / "page.html").code == 0
    assert content(tmp_path / "page.html")["turns"][0]["groundY"] == -1


def test_pages_open_in_the_browser_when_asked(
    cli: Cli, good: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(webbrowser, "open", opened.append)
    cli("view", good, "--out", tmp_path / "page.html", "--open")
    assert opened == [(tmp_path / "page.html").resolve().as_uri()]


def test_score_writes_pages_with_verdicts(cli: Cli, good: Path, bad: Path, tmp_path: Path) -> None:
    ran = cli("score", good, bad, "--task", "elements/shallow/7x8x1-lay", "--html", tmp_path / "pages")
    assert ran.code == 0 and "2 pages in" in ran.out
    found = content(tmp_path / "pages" / "bad.html")
    (turn,) = found["turns"]
    failed = {verdict["rule"] for verdict in turn["verdicts"] if verdict["status"] == "fail"}
    assert "filled" in failed
    assert "overall fail" in found["summary"] and "elements/shallow/7x8x1-lay" in found["summary"]
    assert turn["asked"]
    assert all(v["status"] == "pass" or v["status"] == "not applicable"
               for v in content(tmp_path / "pages" / "good.html")["turns"][0]["verdicts"])  # fmt: skip


def test_scores_do_not_depend_on_pages(cli: Cli, bad: Path, tmp_path: Path) -> None:
    words = ("score", bad, "--task", "elements/shallow/7x8x1-lay", "--json")
    assert cli(*words).out == cli(*words, "--html", tmp_path / "bad.html").out


def test_a_page_tells_nothing_of_the_users_folders(cli: Cli, good: Path, tmp_path: Path) -> None:
    cli("view", good, "--out", tmp_path / "page.html")
    cli("score", good, "--task", "elements/shallow/7x8x1-lay", "--html", tmp_path / "scored.html")
    for name in ("page.html", "scored.html"):
        assert str(tmp_path) not in (tmp_path / name).read_text(encoding="utf-8")
