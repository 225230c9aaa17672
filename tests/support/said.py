"""What a finding says, beside the figures of its answer: read from the sentence alone."""

from __future__ import annotations

import re
from typing import Any

Json = dict[str, Any]
_UNITS = {
    "B/s": {"GB/s": 1e9, "MB/s": 1e6, "kB/s": 1e3, "B/s": 1.0},
    "B": {"TB": 1e12, "GB": 1e9, "MB": 1e6},
    "Hz": {"GHz": 1e9, "MHz": 1e6},
    "s": {"s": 1.0, "ms": 1e-3, "µs": 1e-6},
    "W": {"W": 1.0, "mW": 1e-3},
    "J": {"J": 1.0, "mJ": 1e-3},
    "1/s": {"billion/s": 1e9, "million/s": 1e6, "thousand/s": 1e3, "/s": 1.0},
}
# Half of the last of three digits.
_ROUNDED = 0.005


def faults(finding: str, answer: Json) -> list[str]:
    """Return what a finding says that the measured figures of its answer don't."""
    change = re.findall(r"([0-9.]+)\u202f% (?:\([^)]*\) )?(?=to|in|lower|higher|$)", finding)
    relative = bool(answer["question"]["relative_to"])
    wrong: list[str] = []
    for result in _told(finding, answer):
        groups = [group for group in result["groups"] if not group["published"]]
        if relative:
            shown = [abs(group["ratio"]["value"] - 1) * 100 for group in groups if "ratio" in group]
            wrong += [
                text for text in change if not any(abs(float(text) - v) < 0.51 for v in shown)
            ]
            continue
        figures = _quantities(finding, result["unit"])
        shown = [group["median"] for group in groups]
        wrong += [str(figure) for figure in figures if not any(_is_near(figure, m) for m in shown)]
        if "range" in finding:
            usual = _by_method(groups, figures)
            if not (_is_near(min(figures), min(usual)) and _is_near(max(figures), max(usual))):
                wrong.append(f"not the ends of {sorted(usual)}")
    return wrong


def _told(finding: str, answer: Json) -> list[Json]:
    """Return the result of the metric that a finding is about."""
    names = {re.split(", | by ", result["title"])[0].lower() for result in answer["results"]}
    name = max((name for name in names if name in finding.lower()), key=len)
    results = [
        result
        for result in answer["results"]
        if re.split(", | by ", result["title"])[0].lower() == name
    ]
    return results[:1]


def _quantities(finding: str, unit: str) -> list[float]:
    units = _UNITS.get(unit, {unit: 1.0})
    pattern = rf"([0-9.,]+)\u202f({'|'.join(map(re.escape, units))})(?![\w/])"
    outside = re.sub(r"\([^()]*\)", "", finding)
    return [
        float(digits.replace(",", "")) * units[symbol]
        for digits, symbol in re.findall(pattern, outside)
    ]


def _by_method(groups: list[Json], figures: list[float]) -> list[float]:
    """Return the undoubted medians of the one method that has what is said."""
    methods: dict[str, list[float]] = {}
    for group in groups:
        if not any(flag["severity"] == "doubt" for flag in group["flags"]):
            methods.setdefault(group["method"], []).append(group["median"])
    return next(
        ms for ms in methods.values() if all(any(_is_near(v, m) for m in ms) for v in figures)
    )


def _is_near(value: float, reference: float) -> bool:
    return abs(value - reference) <= _ROUNDED * max(abs(value), abs(reference)) + 1e-12
