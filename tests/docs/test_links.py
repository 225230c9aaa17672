"""Links and paths in documents exist, and the README links to each document."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from macmeter.platform.settings import CHECKOUT

DOCS = CHECKOUT / "docs"
PAGES = sorted(
    [
        *CHECKOUT.glob("*.md"),
        *DOCS.glob("*.md"),
        *DOCS.glob("*/*.md"),
        CHECKOUT / "frontend/README.md",
    ]
)
# Paths of our own files in backticks.
PATH = re.compile(
    r"`((?:agent|backend|codegen|docs|frontend|migrations|tests|tools)/[\w./+-]+)`", re.ASCII
)
# Guides name these results of a build. Decisions keep the names of their day.
MADE = {"frontend/dist"}


def plain(text: str) -> str:
    """A document without its examples."""
    return re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """Anchors that GitHub generates from headings."""
    headings = re.findall(r"^#+ (.+)$", plain(page.read_text(encoding="utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", plain(page.read_text(encoding="utf-8"))):
        if re.match(r"\w+:", link):
            continue
        target, _, anchor = link.partition("#")
        there = (page.parent / target).resolve() if target else page
        assert there.exists(), link
        assert not anchor or anchor in anchors(there), link


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.parent.name != "decisions"],
    ids=lambda page: str(page.relative_to(CHECKOUT)),
)
def test_paths_exist(page: Path) -> None:
    named = set(PATH.findall(plain(page.read_text(encoding="utf-8")))) - MADE
    assert [path for path in sorted(named) if not (CHECKOUT / path).exists()] == []


def test_the_readme_leads_to_every_guide() -> None:
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    linked = {(CHECKOUT / link).resolve() for link in re.findall(r"\]\(([^)#\s]+)", readme)}
    assert [page.name for page in DOCS.glob("*.md") if page not in linked] == []
