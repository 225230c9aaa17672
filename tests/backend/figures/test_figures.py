"""Pictures say what the page says: answers in `tests/figures`, read by its tests as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.figures import figure_of, paths


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_a_picture_says_what_the_page_says(path: Path) -> None:
    written = json.loads(path.read_text(encoding="utf-8"))
    assert figure_of(written["answer"]) == written["figure"], (
        "if it is meant: PYTHONPATH=tests .venv/bin/python -m support.figures"
    )
