"""The text of pages: what they hold, how large they are, and that nothing in a build can break out of its place."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minece.blocks import Build, MineceError
from minece.checkers import Verdict
from minece.viewer import Field, Pages, Turn, content, page
from minece.viewer.page import SCRIPTS

NASTY = (
    "</script><script>window.bad = 1</script>",
    "<img src=x onerror='window.bad = 1'>",
    '"><svg onload="window.bad = 1">',
    "<!-- <script>",
    "{{ 7 * 7 }} {% raw %} ${window.bad = 1} `",
    "\u2028\u2029\u202e\x00\x1b[31m\ud800 ]]> &lt;b&gt; \\u003cscript\\u003e",
)

Take = Callable[[str], Any]


def numbers(text: str) -> list[int]:
    """Whole numbers as the script reads them."""
    kind = {"b": "<i1", "h": "<i2", "i": "<i4"}[text[0]]
    found: list[int] = np.frombuffer(base64.b64decode(text[1:]), dtype=kind).tolist()
    return found


def cells(packed: list[str]) -> list[tuple[int, ...]]:
    """Cells as the script reads them."""
    return list(zip(*map(numbers, packed), strict=True))


def test_a_page_holds_the_build(hut: Turn, take_apart: Take) -> None:
    found = take_apart(page([hut], name="hut.json", summary="overall fail")).content
    assert found["name"] == "hut.json" and found["summary"] == "overall fail"
    (turn,) = found["turns"]
    states = [row[0] for row in found["states"]]
    rows = [(*cell, states[s]) for cell, s in zip(cells(turn["cells"]), numbers(turn["states"]), strict=True)]
    assert rows == hut.build.blocks.rows()
    assert turn["blocks"] == len(rows) == len(hut.build.blocks)
    assert cells(turn["dug"]) == [(1, -1, 1)]
    assert turn["asked"] == "Build a hut."
    assert hut.build.log is not None
    events = [
        ["break", *cell] if s < 0 else ["place", *cell, states[s]]
        for cell, s in zip(cells(turn["log"]["cells"]), numbers(turn["log"]["states"]), strict=True)
    ]
    assert events == hut.build.log.events()
    for state, colour, opacity, shape in found["states"]:
        assert len(colour) == 3 and (opacity < 1) == (state == "glass") and found["shapes"][shape]


def test_verdicts_mark_blocks_and_name_empty_cells(hut: Turn, take_apart: Take) -> None:
    (turn,) = take_apart(page([hut], name="hut")).content["turns"]
    for given, kept in zip(hut.verdicts, turn["verdicts"], strict=True):
        bits = np.unpackbits(np.frombuffer(base64.b64decode(kept["marked"]), np.uint8), bitorder="little")
        marked = {tuple(hut.build.blocks.cells[n].tolist()) for n in np.flatnonzero(bits)}
        assert marked | set(cells(kept["empty"])) == {tuple(cell) for cell in given.cells.tolist()}
        assert (kept["rule"], kept["status"], kept["message"]) == (given.rule, given.status, given.message)
        assert kept["cells"] == len(given.cells)


def test_numbers_of_blocks_are_kept_and_what_has_none_stays_so(hut: Turn, take_apart: Take) -> None:
    (field,) = take_apart(page([hut], name="hut")).content["turns"][0]["fields"]
    values = np.frombuffer(base64.b64decode(field["values"]), "<f4")
    np.testing.assert_array_equal(np.isnan(values), np.isnan(hut.fields[0].values))
    np.testing.assert_allclose(values[1:], hut.fields[0].values[1:], rtol=1e-6)
    assert field["limit"] == 1.0


def test_numbers_must_be_as_many_as_blocks(hut: Turn) -> None:
    with pytest.raises(ValueError, match="values for"):
        page([Turn(hut.build, fields=[Field("Stress", np.zeros(3))])], name="hut")


def test_the_same_build_gives_the_same_bytes(hut: Turn) -> None:
    again = Turn(
        Build.from_log(hut.build.log.events() if hut.build.log else [], dug=[(1, -1, 1)]),
        hut.verdicts,
        hut.fields,
        hut.asked,
    )
    assert page([hut], name="hut") == page([again], name="hut")
    assert page([hut], name="hut") != page([hut], name="hat")


def test_turns_share_their_states(hut: Turn, take_apart: Take) -> None:
    found = take_apart(page([hut, hut, hut], name="hut")).content
    assert len(found["turns"]) == 3
    assert len({row[0] for row in found["states"]}) == len(found["states"])


def test_an_empty_build_has_a_page(take_apart: Take) -> None:
    (turn,) = take_apart(page([Turn(Build.from_blocks([]))], name="empty")).content["turns"]
    assert turn["blocks"] == 0


def test_far_coordinates_are_kept(take_apart: Take) -> None:
    build = Build.from_blocks([(-2_000_000, -3, 40_000, "stone"), (-1_999_999, -3, 40_001, "stone")])
    (turn,) = take_apart(page([Turn(build)], name="far")).content["turns"]
    assert cells(turn["cells"]) == [tuple(cell) for cell in build.blocks.cells.tolist()]


def test_three_thousand_blocks_take_less_than_a_megabyte(heap: Callable[..., Turn], take_apart: Take) -> None:
    """With their order, three numbers for each block, and twenty rules that name half of the blocks each."""
    assert len(take_apart(page([heap(3000)], name="heap")).json) < 200_000


def test_a_hundred_thousand_blocks_stay_small(heap: Callable[..., Turn], take_apart: Take) -> None:
    assert len(take_apart(page([heap(100_000)], name="heap")).json) < 4_000_000


def test_too_many_blocks_are_told_in_one_line(monkeypatch: pytest.MonkeyPatch, hut: Turn) -> None:
    monkeypatch.setattr(content, "MOST_BLOCKS", 10)
    with pytest.raises(MineceError, match="a page shows 10 at most"):
        page([hut], name="hut")


@pytest.mark.parametrize("text", NASTY)
def test_no_text_leaves_its_place(text: str, take_apart: Take) -> None:
    """Names, messages and states come from strangers' files."""
    state = f"mod:x[a={re.sub(r'[^a-z]', '', text) or 'b'}]"
    build = Build.from_blocks([(0, 0, 0, state), (1, 0, 0, "stone")])
    verdict = Verdict(text, "shape", "fail", 0.0, 1, 2, text, build.blocks.cells)
    turn = Turn(build, [verdict], [Field(text, np.zeros(2), text, text)], text)
    found = take_apart(page([turn], name=text, summary=text))
    plain = take_apart(page([Turn(build, [verdict])], name="plain"))
    assert [tag for tag, _ in found.tags] == [tag for tag, _ in plain.tags]
    assert not set("<>&") & set(found.json)
    assert found.json.isascii()
    kept = found.content["turns"][0]["verdicts"][0]
    if text.isprintable():
        assert kept["message"] == kept["rule"] == found.content["summary"] == text
        assert text in "".join(found.words)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e\ud800-\udfff]", found.text)
    found.text.encode()


def test_very_long_texts_are_cut(hut: Turn, take_apart: Take) -> None:
    assert len(take_apart(page([hut], name="x" * 100_000)).content["name"]) < 3000


def test_scripts_cannot_end_their_element() -> None:
    folder = Path(content.__file__).parent
    for name in (*SCRIPTS, "three.min.js"):
        text = (folder / name).read_text(encoding="utf-8").lower()
        assert "</script" not in text and "<!--" not in text and "<script" not in text, name
        assert name == "three.min.js" or "innerhtml" not in text
    assert {path.name for path in folder.glob("*.js")} == {*SCRIPTS, "three.min.js"}


def test_the_notice_names_the_script_of_others_by_its_checksum(root: Path) -> None:
    script = (root / "minece" / "viewer" / "three.min.js").read_bytes()
    notice = (root / "NOTICE").read_text(encoding="utf-8")
    assert hashlib.sha256(script).hexdigest() in notice
    (version,) = re.findall(r"three\.js ([\d.]+)", script[:200].decode())
    assert f"three.js {version}" in notice
    assert b"Permission is hereby granted" in script[:2000]


def test_pages_go_to_a_file_or_a_folder(tmp_path: Path, hut: Turn) -> None:
    text = page([hut], name="hut")
    single = Pages(tmp_path / "one.html")
    assert single.write(text, name="ignored") == tmp_path / "one.html"
    with pytest.raises(MineceError, match="name a folder"):
        single.write(text, name="second")
    folder = Pages(tmp_path / "new" / "pages")
    written = [folder.write(text, name=name) for name in ("hut", "HUT", "../../up", "..", "a/b:c", "\N{HUT}", "hut")]
    assert len({path.name.lower() for path in written}) == len(written) == folder.written
    assert {path.parent for path in written} == {tmp_path / "new" / "pages"}
    assert all(re.fullmatch(r"[\w-][\w.-]*\.html", path.name, re.ASCII) for path in written)
    assert Pages(tmp_path / "one.html").write(text, name="again").read_text(encoding="utf-8") == text


def test_a_file_that_is_no_page_is_left_alone(tmp_path: Path, hut: Turn) -> None:
    mine = tmp_path / "mine.html"
    mine.write_text("<!doctype html>my own")
    with pytest.raises(MineceError, match="is no page of minece"):
        Pages(mine).write(page([hut], name="hut"), name="hut")
    assert mine.read_text() == "<!doctype html>my own"


def test_content_is_plain_json(hut: Turn, take_apart: Take) -> None:
    found = take_apart(page([hut], name="hut"))
    assert json.loads(found.json) == found.content
    assert "NaN" not in found.json
