"""Writes docs/howto/view.jpg, the picture in the page on looking at builds. Needs Chromium."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

from browser import browser  # noqa: E402

BUILD, RULES = ROOT / "examples" / "dwelling-closed.json", ROOT / "examples" / "dwelling.toml"
_CUT = "(i => { i.value = 1; i.dispatchEvent(new Event('input')) })(document.querySelector('input[type=range]'))"
_UP = "document.getElementById('view').dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp' }))"

with TemporaryDirectory() as folder:
    page = Path(folder, "page.html")
    words = ["score", str(BUILD), "--rules", str(RULES), "--html", str(page)]
    subprocess.run([sys.executable, "-m", "minece", *words], check=True, stdout=subprocess.DEVNULL)
    with browser() as tab:
        tab.window(1120, 640).open(page)
        for script in (_CUT, _UP, _UP, _UP):
            tab.run(script)
        tab.picture(ROOT / "docs" / "howto" / "view.jpg")
