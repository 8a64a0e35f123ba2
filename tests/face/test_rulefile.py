"""Rules files of strangers end soon in one line."""

import os
import time
from pathlib import Path

import pytest

from minece.blocks import MineceError
from minece.rulefile import read_rules

RULE = b'[[rules]]\nrule = "grounded"\n'


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"a." * 100_000 + b"a = 1", "a key of more than 16 parts"),
        (b"[" + b"a." * 100_000 + b"a]", "a key of more than 16 parts"),
        (b"rules = " + b"{a = " * 40 + b"1" + b"}" * 40, "nested too deeply"),
        (RULE + b"args = { x = 0x" + b"f" * 5000 + b" }", "a whole number beyond"),
        (RULE * 1001, "1001 rules; write at most 1000 in a file"),
        (b"rules = ", "no readable TOML"),
        (b"\xff\xfe", "no text in UTF-8"),
    ],
    ids=range(7),
)
def test_hostile_toml(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(content)
    start = time.thread_time()
    with pytest.raises(MineceError, match=reason) as caught:
        read_rules(path)
    assert time.thread_time() - start < 2
    assert str(caught.value).startswith(f"{path}: ")


def test_too_many_rules_in_json(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    path.write_text("[" + ", ".join(['{"rule": "grounded"}'] * 1001) + "]")
    with pytest.raises(MineceError, match="1001 rules"):
        read_rules(path)


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    path.write_bytes(b"\xef\xbb\xbf" + RULE)
    assert [rule.name for rule in read_rules(path)] == ["grounded"]


def test_pipes_are_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "rules.toml"
    os.mkfifo(path)
    with pytest.raises(MineceError, match="is no ordinary file"):
        read_rules(path)
