#!/usr/bin/env python3
"""Refresh the tables of docs/SCALING.md.

    tools/scaling.py [bench.json]

With a bench.json its figures are taken over, those that it has; then whatever is calculated from
the measured figures is calculated again.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[1] / "docs/SCALING.md"

MACS = 100_000
RUNS_A_MONTH = 10_000_000
MONTH_SECONDS = 30 * 86_400
# Macs measure in working hours, 8 hours of 20 days, and twice as often at the hour's start.
PEAK = 30 * 24 / (20 * 8) * 2
SHARE = 0.7
MILLION = 1_000_000

# Its presence means that a million runs were measured; others' names don't say how many.
OF_A_MILLION = "answer.p95.1000000"
# Description of each name in bench.json.
MEASURED = {
    "put.8/floor": "uploads by 8 clients, one at a time each",
    "batch/floor": "batch uploads by one client",
    "import.rate": "`macmeter-server import`",
    "bytes.run": "database size per run with 334 values",
    "dataset.bytes.run": "data set per run with 334 values",
    "dataset.rebuild": "rebuilding the data set of a million runs",
    OF_A_MILLION: "95% of uncached answers take less, at a million runs",
    "facets.p95": "95% of facets take less, at a million runs",
    "memory.server": "memory of the server, at a million runs",
    "restart.ready": "time until ready after a restart, at a million runs",
}


@dataclass(frozen=True)
class Figure:
    value: float
    unit: str
    n: int


Figures = dict[str, Figure]


def main(arguments: list[str]) -> None:
    text = GUIDE.read_text()
    figures = figures_of(text)
    if arguments:
        figures |= benched(Path(arguments[0]))
    GUIDE.write_text(refreshed(text, figures))


def figures_of(text: str) -> Figures:
    """The measured figures in the guide."""
    row = re.compile(r"^\| `([^`]+)` \| [^|]+ \| ([\d,.]+) ([^|]*)\| ([\d,]+) \|$", re.MULTILINE)
    return {
        name: Figure(_number(value), unit.strip(), int(_number(n)))
        for name, value, unit, n in row.findall(text)
        if name in MEASURED
    }


def benched(file: Path) -> Figures:
    """The figures in a bench.json; those of a million runs only if that many were measured."""
    found = {
        one["name"]: Figure(one["value"], one["unit"], one["n"])
        for one in json.loads(file.read_text())
        if one["name"] in MEASURED
    }
    if OF_A_MILLION not in found:
        found = {name: one for name, one in found.items() if "million" not in MEASURED[name]}
    return found


def refreshed(text: str, figures: Figures) -> str:
    """The guide with these figures, and with what follows from them as they are shown."""
    text = _with_table(text, "measured", measured(figures))
    return _with_table(text, "calculated", calculated(figures_of(text)))


def _with_table(text: str, name: str, rows: list[str]) -> str:
    head, _, rest = text.partition(f"<!-- {name} -->\n")
    _, _, tail = rest.partition("\n<!-- end -->")
    return "\n".join([f"{head}<!-- {name} -->", *rows, f"<!-- end -->{tail}"])


def measured(figures: Figures) -> list[str]:
    rows = ["| name in bench.json | what | measured | n |", "|---|---|---|---|"]
    for name, about in MEASURED.items():
        if (one := figures.get(name)) is None:
            rows.append(f"| `{name}` | {about} | not yet | |")
        else:
            rows.append(f"| `{name}` | {about} | {shown(one.value)} {one.unit} | {one.n:,} |")
    return rows


def calculated(figures: Figures) -> list[str]:
    """Plain multiplication; the guide explains the rest in words."""
    rows = ["| for 100,000 Macs and 10 million runs a month | | from |", "|---|---|---|"]
    mean = RUNS_A_MONTH / MONTH_SECONDS
    rows.append(f"| runs per second, on average | {shown(mean)} | |")
    rows.append(
        f"| runs per second, at peak | {shown(PEAK * mean)} | {PEAK:.0f} times the average |"
    )
    if put := figures.get("put.8/floor"):
        share = PEAK * mean / (SHARE * put.value)
        rows.append(
            "| servers with 2 cores for the peak, at most 70% busy | "
            f"{max(1, -(-share // 1)):.0f} | `put.8/floor` |"
        )
    if size := figures.get("bytes.run"):
        month = RUNS_A_MONTH * size.value / 1e9
        rows.append(f"| database, per month | {shown(month)} GB | `bytes.run` |")
        rows.append(f"| database, per year | {shown(12 * month / 1000)} TB | `bytes.run` |")
    if dataset := figures.get("dataset.bytes.run"):
        month = RUNS_A_MONTH * dataset.value / 1e9
        rows.append(
            f"| data set on each server, per month | {shown(month)} GB | `dataset.bytes.run` |"
        )
        rows.append(
            f"| data set on each server, per year | {shown(12 * month)} GB | `dataset.bytes.run` |"
        )
    if rate := figures.get("import.rate"):
        hours = RUNS_A_MONTH / rate.value / 3600
        rows.append(f"| importing a month into another server | {shown(hours)} h | `import.rate` |")
    if rebuild := figures.get("dataset.rebuild"):
        minutes = RUNS_A_MONTH / MILLION * rebuild.value / 60
        rows.append(
            f"| rebuilding the data set of a month | {shown(minutes)} min | `dataset.rebuild` |"
        )
    if answer := figures.get(OF_A_MILLION):
        scale = RUNS_A_MONTH / MILLION
        rows.append(
            "| an answer over a month's runs, if time is proportional | "
            f"{shown(scale * answer.value)} {answer.unit} | `{OF_A_MILLION}` |"
        )
    return rows


def shown(value: float) -> str:
    """Format with three significant digits."""
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    return f"{value:.3g}"


def _number(text: str) -> float:
    return float(text.replace(",", ""))


if __name__ == "__main__":
    main(sys.argv[1:])
