"""Renders README.md and docs/ as web pages in build/docs, and stops at a link that leads nowhere."""

import re
import shutil
import sys
from pathlib import Path

from jinja2 import Environment
from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parents[1]
TARGET = ROOT / "build" / "docs"

PAGE = Environment(autoescape=True).from_string("""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title><style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
pre { background: #f5f5f2; padding: .8rem; overflow-x: auto; font-size: .85rem; line-height: 1.35; }
table { border-collapse: collapse; } td, th { border-bottom: 1px solid #ccc; padding: .3rem .6rem; text-align: left;
vertical-align: top; } img { max-width: 100%; } nav { font-size: .9rem; }
</style></head><body><nav><a href="{{ home }}">minece</a></nav>{{ body | safe }}</body></html>
""")


def pages() -> list[Path]:
    """The Markdown files that are rendered."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def slug(heading: str) -> str:
    """The anchor of a heading, as repositories' web pages make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def headings(tokens: list[Token]) -> list[tuple[Token, str]]:
    """Each heading's opening token and its text."""
    pairs = zip(tokens, tokens[1:], strict=False)
    return [(token, text.content) for token, text in pairs if token.type == "heading_open"]


def links(tokens: list[Token]) -> list[Token]:
    """The opening tokens of all links."""
    return [child for token in tokens for child in token.children or [] if child.type == "link_open"]


def pictures(tokens: list[Token]) -> list[Token]:
    """All pictures."""
    return [child for token in tokens for child in token.children or [] if child.type == "image"]


def main() -> int:
    """Render all pages; the exit code is 1 if a link leads nowhere."""
    markdown = MarkdownIt("commonmark").enable("table")
    parsed = {path: markdown.parse(path.read_text(encoding="utf-8")) for path in pages()}
    anchors = {path: {slug(text) for _, text in headings(tokens)} for path, tokens in parsed.items()}
    dead: list[str] = []
    for path, tokens in parsed.items():
        for token, text in headings(tokens):
            token.attrSet("id", slug(text))
        for link in links(tokens):
            address = str(link.attrGet("href") or "")
            if re.match(r"[a-z]+:", address):
                continue
            file, _, anchor = address.partition("#")
            target = (path.parent / file).resolve() if file else path
            if not target.exists() or (anchor and anchor not in anchors.get(target, set())):
                dead.append(f"{path.relative_to(ROOT)}: link to {address} leads nowhere")
            elif target.suffix == ".md" and file:
                link.attrSet("href", file.removesuffix(".md") + ".html" + (f"#{anchor}" if anchor else ""))
        for picture in pictures(tokens):
            source = path.parent / str(picture.attrGet("src"))
            if source.is_file():
                copy = TARGET / source.resolve().relative_to(ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, copy)
            else:
                dead.append(f"{path.relative_to(ROOT)}: picture {source.name} is not there")
        out = TARGET / path.relative_to(ROOT).with_suffix(".html")
        out.parent.mkdir(parents=True, exist_ok=True)
        title = next((text for _, text in headings(tokens)), path.stem)
        home = "../" * (len(out.relative_to(TARGET).parts) - 1) + "README.html"
        body = markdown.renderer.render(tokens, markdown.options, {})
        out.write_text(PAGE.render(title=title, body=body, home=home), encoding="utf-8")
    print("\n".join(dead) or f"{len(parsed)} pages in {TARGET.relative_to(ROOT)}")
    return int(bool(dead))


if __name__ == "__main__":
    sys.exit(main())
