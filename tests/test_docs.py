"""The documentation is true: reference pages are up to date, outputs are real, Python examples run."""

import contextlib
import importlib.util
import io
import json
import re
import shutil
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from game import game as game

from minece.blocks import formats
from minece.rulefile import bind_rules

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"(?ms)^```{language}\n(.*?)^```$", page.read_text(encoding="utf-8"))


def _tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"tool_{name}", ROOT / "tools" / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["rules.md", "cli.md"])
def test_reference_pages_are_up_to_date(name: str) -> None:
    page = ROOT / "docs" / "reference" / name
    assert page.read_text(encoding="utf-8") == _tool("make_reference").PAGES[name](), "run make docs"


@pytest.mark.slow
@pytest.mark.parametrize("page", [p for p in PAGES if _blocks(p, "console")], ids=lambda p: p.name)
def test_printed_outputs_are_real(page: Path, request: pytest.FixtureRequest) -> None:
    text = page.read_text(encoding="utf-8")
    if re.search(r"(?m)^\$ (minece build|make demo)", text):
        request.getfixturevalue("game")
    assert text == _tool("paste_output").filled(text), "run make docs"


@pytest.mark.parametrize("page", [p for p in PAGES if _blocks(p, "python")], ids=lambda p: p.name)
def test_python_examples_run(page: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a folder with nothing but the examples, as in a fresh checkout."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in _blocks(page, "python"):
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(block, str(page), "exec"), names)


def test_rules_shown_in_pages_can_be_bound() -> None:
    shown = 0
    for page in PAGES:
        for language, read in (("toml", lambda text: tomllib.loads(text)["rules"]), ("json", json.loads)):
            for block in _blocks(page, language):
                bind_rules(read(block))
                shown += 1
    assert shown >= 3
    page = (ROOT / "docs" / "howto" / "rules.md").read_text(encoding="utf-8")
    assert (ROOT / "examples" / "retaining-wall.toml").read_text(encoding="utf-8") in page


def test_programs_shown_in_the_page_on_building_are_the_shipped_ones() -> None:
    page, programs = ROOT / "docs" / "howto" / "build.md", ROOT / "examples" / "programs"
    assert _blocks(page, "js") == [(programs / "arch-bridge.js").read_text(encoding="utf-8")]
    assert _blocks(page, "json program") == [(programs / "foundation.json").read_text(encoding="utf-8")]


def test_builds_shown_in_the_page_on_formats_are_read() -> None:
    page = ROOT / "docs" / "reference" / "formats.md"
    shown = [*_blocks(page, "json build"), *_blocks(page, "csv")]
    turns = [formats.read(block.encode()).runs[0].turns for block in shown]
    assert [len(builds) for builds in turns] == [1, 1, 2, 1]
    assert turns[0] == turns[3]
    table = page.read_text(encoding="utf-8").partition("## ")[0]
    assert all(f"`{form.name}`" in table for form in formats.FORMATS if form.write is not None)


def test_no_link_leads_nowhere(capsys: pytest.CaptureFixture[str]) -> None:
    assert _tool("make_pages").main() == 0, capsys.readouterr().out
