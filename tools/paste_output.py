"""Runs the console examples in README.md and docs/ and pastes what they print, so that pages show real output.

A console example is a fenced block marked ``console``; each line that begins with ``$ `` is a command. Commands run
in the repository's root, 100 columns wide, without colour; what they write goes to build/. A test compares the pages
with what this would paste.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_BLOCK = re.compile(r"(?ms)^```console\n(.*?)^```$")


def pages() -> list[Path]:
    """The pages that may hold console examples."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def filled(text: str) -> str:
    """The page's text with the output of each console example as it is now."""
    return _BLOCK.sub(lambda block: "```console\n" + _session(block[1]) + "```", text)


def _session(block: str) -> str:
    commands = [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return "\n".join(f"$ {command}\n{_output(command)}" for command in commands)


def _output(command: str) -> str:
    words = shlex.split(command)
    if words[0] == "minece":
        words[:1] = [sys.executable, "-m", "minece"]
    elif words == ["make", "demo"]:
        words = [sys.executable, "tools/demo.py"]
    if "--out" in words:  # a run folder is never written over
        shutil.rmtree(ROOT / words[words.index("--out") + 1], ignore_errors=True)
    environment = {**os.environ, "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        words, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
    )
    text = re.sub(r"runs/\d{8}-\d{6}-", "runs/20260301-141500-", done.stdout.decode())
    # On a slow machine work tells its progress.
    lines = [line.rstrip() for line in text.splitlines() if not line.startswith('{"event": ')]
    return "\n".join(lines).strip("\n") + "\n"


if __name__ == "__main__":
    for page in pages():
        old = page.read_text(encoding="utf-8")
        if (new := filled(old)) != old:
            page.write_text(new, encoding="utf-8")
            print(f"{page.relative_to(ROOT)}: output pasted anew")
