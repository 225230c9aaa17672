"""docs/decisions: unique numbers, a complete index."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from macmeter.platform.settings import CHECKOUT

FOLDER = CHECKOUT / "docs" / "decisions"
FILES = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
NAME = re.compile(r"(?P<number>\d{4})-[a-z0-9-]+\.md")
SUPERSEDED = re.compile(r"^Superseded by \[(\d+)\]\((\d{4}-[^)]+)\)", re.MULTILINE)


def number(path: Path) -> int:
    named = NAME.fullmatch(path.name)
    assert named, f"{path.name} should be called NNNN-title.md"
    return int(named["number"])


def title(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].removeprefix("# ")


def test_each_number_is_used_once() -> None:
    twice = [taken for taken, times in Counter(map(number, FILES)).items() if times > 1]
    assert not twice, f"several decisions have the number {twice}: renumber the newer one"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_title_begins_with_the_number_of_its_file(path: Path) -> None:
    assert title(path).startswith(f"{number(path)}. ")


def test_the_index_lists_each_decision_once_with_its_title_and_state() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    listed = [line for line in index.splitlines() if line.startswith("- ")]
    expected = []
    for path in FILES:
        successor = SUPERSEDED.search(path.read_text(encoding="utf-8"))
        state = f" (superseded by {successor[1]})" if successor else ""
        expected.append(f"- [{title(path)}]({path.name}){state}")
    assert sorted(listed) == sorted(expected)
