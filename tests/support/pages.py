"""A small built dashboard to test how the server serves it, and a reader of its pages."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Macmeter</title>
    <meta name="description" content="Measured Macs." />
    <script type="module" src="/assets/index-1.js"></script>
  </head>
  <body><div id="root"></div></body>
</html>
"""
PATHS = Path(__file__).resolve().parents[2] / "frontend/src/routes/paths.json"
SECRET = "what lies beside the dashboard"


class Read(HTMLParser):
    """Content of an HTML page: its elements, its metas by name, its title."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []
        self.metas: dict[str, list[str]] = {}
        self.title = ""
        self._in_title = False
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self._in_title = tag == "title"
        name = attributes.get("property") or attributes.get("name")
        if tag == "meta" and name is not None:
            assert attributes.keys() <= {"property", "name", "content"}
            self.metas.setdefault(name, []).append(attributes["content"] or "")
        elif tag == "link":
            assert attributes.keys() <= {"rel", "type", "href", "title"}
        else:
            self.elements.append((tag, tuple(attrs)))

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data


def build_dashboard(directory: Path) -> Path:
    """Build a dashboard below `directory`, and files beside it that must not be served."""
    frontend = directory / "dist"
    (frontend / "assets").mkdir(parents=True)
    (frontend / "index.html").write_text(PAGE)
    (frontend / "favicon.svg").write_text("<svg/>")
    (frontend / "paths.json").write_text(PATHS.read_text())
    (frontend / "assets" / "index-1.js").write_text("main()")
    (directory / "secret.txt").write_text(SECRET)
    (directory / "dist-of-another").mkdir()
    (directory / "dist-of-another" / "secret.txt").write_text(SECRET)
    (frontend / "way-out").symlink_to(directory)
    return frontend
