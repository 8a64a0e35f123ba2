"""The text of a page: template, style, scripts and content in one HTML document that needs nothing else.

Names and messages come from files of strangers. They reach the page as JSON that cannot end its element, are shown by
the script as text and never as markup, and the page's policy lets the browser run only the scripts put in here, by
their checksums, and load nothing.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from minece.viewer.content import Turn, clean, content

SCRIPTS = ("data.js", "faces.js", "paint.js", "stage.js", "panel.js", "main.js")
"""The viewer's own scripts, in the order in which they run, in one scope."""

_MARK = "<!doctype html>\n<!-- a page of minece view -->\n"
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def page(turns: Sequence[Turn], *, name: str, summary: str = "") -> str:
    """The HTML text of a page that shows a build, one or several turns of it.

    ``name`` heads the page, ``summary`` stands below it. Raises :class:`minece.MineceError` for too many blocks.
    """
    from jinja2 import Environment, StrictUndefined
    from markupsafe import Markup

    style, three, viewer = _style(), _three(), _viewer()
    policy = (
        f"default-src 'none'; script-src {_checksum(three)} {_checksum(viewer)}; style-src {_checksum(style)}; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    environment = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True)
    text = environment.from_string(_file("page.html.j2")).render(
        policy=policy,
        name=clean(name),
        version=version("minece"),
        style=Markup(style),
        three=Markup(three),
        viewer=Markup(viewer),
        content=Markup(json_text(content(turns, name=name, summary=summary))),
    )
    return _MARK + text


def is_page(path: Path) -> bool:
    """Whether a file is a page made here, which a new one may replace."""
    try:
        with path.open("rb") as file:
            return file.read(len(_MARK)) == _MARK.encode()
    except OSError:
        return False


def json_text(value: object) -> str:
    """JSON in ASCII without ``<``, ``>`` and ``&``, so that no text in it can end the element around it."""
    text = json.dumps(value, separators=(",", ":"), allow_nan=False)
    for sign, escape in _ESCAPES.items():
        text = text.replace(sign, escape)
    return text


@cache
def _file(name: str) -> str:
    return files("minece.viewer").joinpath(name).read_text(encoding="utf-8").replace("\r\n", "\n")


def _style() -> str:
    return _file("viewer.css")


def _three() -> str:
    return _file("three.min.js")


def _viewer() -> str:
    inner = "\n".join(f"// {name}\n{_file(name)}" for name in SCRIPTS)
    return f"(() => {{\n'use strict'\n{inner}}})()\n"


@cache
def _checksum(script: str) -> str:
    digest = hashlib.sha256(script.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
