"""Figures of the answers in `tests/figures`, which the dashboard's tests read as well."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.figures import paths, told


@pytest.mark.parametrize("path", paths(), ids=lambda path: path.stem)
def test_a_figure_says_what_is_written(path: Path) -> None:
    content = json.loads(path.read_text(encoding="utf-8"))
    assert told(content["answer"]) == content["figure"], (
        "if it is meant: PYTHONPATH=tests .venv/bin/python -m support.figures"
    )
