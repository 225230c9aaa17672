"""docs/SCALING.md: what is calculated follows from what is measured, as it stands there."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from macmeter.settings import CHECKOUT

_SPEC = importlib.util.spec_from_file_location("scaling", CHECKOUT / "tools/scaling.py")
assert _SPEC is not None
assert _SPEC.loader is not None
scaling = importlib.util.module_from_spec(_SPEC)
# Dataclasses look their module up.
__import__("sys").modules["scaling"] = scaling
_SPEC.loader.exec_module(scaling)
GUIDE = (CHECKOUT / "docs/SCALING.md").read_text()


def test_the_tables_are_as_they_would_be_made_now() -> None:
    figures = scaling.told(GUIDE)
    assert figures
    assert scaling.refreshed(GUIDE, figures) == GUIDE


def test_a_bench_replaces_what_it_has(tmp_path: Path) -> None:
    bench = tmp_path / "bench.json"
    bench.write_text(
        json.dumps([{"name": "bytes.run", "value": 5000.0, "unit": "B", "ratio": 1, "n": 7}])
    )
    figures = scaling.told(GUIDE) | scaling.benched(bench)
    made = scaling.refreshed(GUIDE, figures)
    assert "| 5,000 B | 7 |" in made
    assert "| database, a month | 50 GB |" in made
    assert scaling.told(made) == figures
