"""docs/SCALING.md: calculated figures follow from the measured ones, with the digits shown."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

from macmeter.platform.settings import CHECKOUT
from macmeter.questions.cost import MAX_RESULTS

_SPEC = importlib.util.spec_from_file_location("scaling", CHECKOUT / "tools/scaling.py")
assert _SPEC is not None
assert _SPEC.loader is not None
scaling = importlib.util.module_from_spec(_SPEC)
# Dataclasses look up their module.
__import__("sys").modules["scaling"] = scaling
_SPEC.loader.exec_module(scaling)
GUIDE = (CHECKOUT / "docs/SCALING.md").read_text()


def test_the_tables_are_as_they_would_be_made_now() -> None:
    figures = scaling.figures_of(GUIDE)
    assert figures
    assert scaling.refreshed(GUIDE, figures) == GUIDE


def test_prices_and_limits_are_those_of_the_guide_and_the_server() -> None:
    assert scaling.MOST_RESULTS == MAX_RESULTS
    assert f"${scaling.PRICE_OF_2_CORES} for 2 cores" in GUIDE
    assert f"${scaling.PRICE_OF_DISK}\n" in GUIDE


def test_a_bench_replaces_what_it_has(tmp_path: Path) -> None:
    bench = tmp_path / "bench.json"
    bench.write_text(
        json.dumps([{"name": "bytes.run", "value": 5000.0, "unit": "B", "ratio": 1, "n": 7}])
    )
    figures = scaling.figures_of(GUIDE) | scaling.benched(bench)
    made = scaling.refreshed(GUIDE, figures)
    assert "| 5,000 B | 7 |" in made
    assert "| database, per month | 50 GB |" in made
    assert scaling.figures_of(made) == figures


def test_figures_of_fewer_runs_are_not_told_as_those_of_a_million(tmp_path: Path) -> None:
    bench = tmp_path / "bench.json"
    one = {"value": 1.0, "unit": "s", "ratio": 1, "n": 1}
    names = ["answer.p95.100000", "facets.p95", "columns.rebuild", "bytes.run"]
    bench.write_text(json.dumps([{"name": name, **one} for name in names]))
    assert set(scaling.benched(bench)) == {"bytes.run"}
    bench.write_text(json.dumps([{"name": name, **one} for name in [*names, "answer.p95.1000000"]]))
    assert "facets.p95" in scaling.benched(bench)
