"""The command line, run in this process."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from game import game as game

from minece.cli import main

Row = tuple[int, int, int, str]
Rows = list[Row]


class Ran(NamedTuple):
    """What a command left: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines."""
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture
def cli(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """Runs `minece` with the words given and checks that no traceback is shown."""

    def run(*words: object) -> Ran:
        monkeypatch.setattr("sys.argv", ["minece", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        code = end.value.code
        return Ran(0 if code is None else int(code), shown.out, shown.err)

    return run


@pytest.fixture
def slab() -> Rows:
    """A slab of 8 by 7 stone in grade."""
    return [(x, -1, z, "stone") for x in range(8) for z in range(7)]


@pytest.fixture
def write_json(tmp_path: Path) -> Callable[..., Path]:
    """Writes a native JSON file of the name, one turn per list of rows."""

    def write(name: str, *turns: Rows) -> Path:
        blocks = [{"blocks": rows} for rows in turns]
        content = blocks[0] if len(blocks) == 1 else {"turns": blocks}
        path = tmp_path / name
        path.write_text(json.dumps({"format": "minece-build/1", "ground_y": 0, **content}))
        return path

    return write


@pytest.fixture
def good(slab: Rows, write_json: Callable[..., Path]) -> Path:
    """A file of the slab."""
    return write_json("good.json", slab)


@pytest.fixture
def bad(slab: Rows, write_json: Callable[..., Path]) -> Path:
    """A file of the slab with one cell missing."""
    return write_json("bad.json", slab[1:])


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    """Rules that the good slab passes."""
    path = tmp_path / "rules.json"
    path.write_text(json.dumps([{"rule": "only", "args": {"materials": "stone"}}, {"rule": "filled"}]))
    return path
