"""Pictures say what the page says: answers in `tests/figures`, read by its tests as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.figures import FOLDER, figure_of

FIGURES = sorted(path for path in FOLDER.glob("*.json") if path.name != "catalog.json")


@pytest.mark.parametrize("path", FIGURES, ids=lambda path: path.stem)
def test_a_picture_says_what_the_page_says(path: Path) -> None:
    written = json.loads(path.read_text(encoding="utf-8"))
    assert figure_of(written["answer"]) == written["figure"], (
        "if it is meant: PYTHONPATH=tests .venv/bin/python -m support.figures"
    )
