"""The collection that the published figures were taken from, where a checkout has it beside it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SOURCE = Path(__file__).resolve().parents[3] / "shared" / "published" / "published.json"


def measurements() -> list[dict[str, Any]]:
    """Its figures, absent keys for what is not stated; skips the test where there is none."""
    if not SOURCE.exists():
        pytest.skip(f"0 figures compared: no {SOURCE.name} beside the checkout")
    entries = json.loads(SOURCE.read_text(encoding="utf-8"))["measurements"]
    return [{k: v for k, v in entry.items() if v is not None} for entry in entries]
