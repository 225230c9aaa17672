"""Titles of comparisons of sides."""

from __future__ import annotations

from typing import Any

from macmeter.charts.sides import sides_title

METRICS = (
    "disk.read_average",
    "disk.write_average",
    "hash.sha256_speed",
    "compression.speed",
    "cores.loop_rate",
)


def _title(metrics: tuple[str, ...]) -> str:
    sides = [{"number": 1, "label": "Apple M1"}, {"number": 2, "label": "Apple M4"}]
    question: Any = {
        "metrics": [{"metric": name} for name in metrics],
        "sides": sides,
        "baseline": 1,
    }
    return sides_title(question)


def test_a_title_names_few_metrics_and_counts_many() -> None:
    assert "SHA-256 while reading" in _title(METRICS[:4])
    assert _title(METRICS) == "5 metrics: Apple M4 relative to Apple M1"
