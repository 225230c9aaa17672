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
# Results that one answer looks at in DuckDB; more need a filter or a cluster.
MOST_RESULTS = 60_000_000
# List prices in US dollars, which the guide cites: an hour of 2 cores with 8 GB of memory, and a
# month of a GB on a disk.
PRICE_OF_2_CORES = 0.0816
PRICE_OF_DISK = 0.08

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
    "answer.p95.10000000": "95% of answers from 10 million results of one series take less",
    "facets.p95": "95% of facets take less, at a million runs",
    "memory.server": "memory of the server, at a million runs",
    "restart.ready": "time until ready after a restart, at a million runs",
}


@dataclass(frozen=True)
class Step:
    """What so many runs a month need, from where on."""

    runs: str
    needs: str
    because: str
    cores: int
    """Of all machines together."""
    runs_a_month: int
    copies: int = 1
    """Of the database, with replicas."""


STEPS = [
    Step("up to 1 million", "one machine with 4 cores for everything", "", 4, 1_000_000),
    Step(
        "up to 3 million",
        "PostgreSQL on its own machine (8 cores), and two servers with 2 cores",
        "a year is {gb} GB, which a small machine neither caches nor copies quickly",
        12,
        3_000_000,
    ),
    Step(
        "10 million",
        "PostgreSQL with 16 cores, a replica of it that answers, and three servers with 4 cores on "
        "one data set",
        "questions must not wait for uploads, nor uploads for a lost machine",
        44,
        10_000_000,
        copies=2,
    ),
    Step(
        "10 million, and questions about everything",
        "the same, and a Spark cluster of 32 cores over the same files",
        "more than 60 million results in one question",
        76,
        10_000_000,
        copies=2,
    ),
]


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
    figures = {
        entry["name"]: Figure(entry["value"], entry["unit"], entry["n"])
        for entry in json.loads(file.read_text())
        if entry["name"] in MEASURED
    }
    if OF_A_MILLION not in figures:
        figures = {name: item for name, item in figures.items() if "million" not in MEASURED[name]}
    return figures


def refreshed(text: str, figures: Figures) -> str:
    """The guide with these figures, and with what follows from them as they are shown."""
    text = _with_table(text, "measured", measured(figures))
    shown_figures = figures_of(text)
    text = _with_table(text, "calculated", calculated(shown_figures))
    return _with_table(text, "steps", steps(shown_figures))


def _with_table(text: str, name: str, rows: list[str]) -> str:
    head, _, rest = text.partition(f"<!-- {name} -->\n")
    _, _, tail = rest.partition("\n<!-- end -->")
    return "\n".join([f"{head}<!-- {name} -->", *rows, f"<!-- end -->{tail}"])


def measured(figures: Figures) -> list[str]:
    rows = ["| name in bench.json | what | measured | n |", "|---|---|---|---|"]
    for name, about in MEASURED.items():
        if (item := figures.get(name)) is None:
            rows.append(f"| `{name}` | {about} | not yet | |")
        else:
            rows.append(f"| `{name}` | {about} | {shown(item.value)} {item.unit} | {item.n:,} |")
    return rows


def calculated(figures: Figures) -> list[str]:
    """Plain multiplication; the guide explains the rest in words."""
    rows = ["| for 100,000 Macs and 10 million runs a month | | from |", "|---|---|---|"]
    mean = RUNS_A_MONTH / MONTH_SECONDS
    rows.append(f"| runs per second, on average | {shown(mean)} | |")
    rows.append(
        f"| runs per second, at peak | {shown(PEAK * mean)} | {PEAK:.0f} times the average |"
    )
    if uploads := figures.get("put.8/floor"):
        share = PEAK * mean / (SHARE * uploads.value)
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
    months = MOST_RESULTS / RUNS_A_MONTH
    rows.append(
        "| months until a question about every result of one series needs a filter or a cluster | "
        f"{shown(months)} | 60 million results |"
    )
    rows.append(
        f"| the same for a metric with 16 file sizes | {shown(months / 16)} | 60 million results |"
    )
    return rows


def steps(figures: Figures) -> list[str]:
    """What to add from where on, with its price after a year."""
    rows = [
        "| runs per month | what you need | because | $ a month after a year |",
        "|---|---|---|---|",
    ]
    size = figures.get("bytes.run")
    for step in STEPS:
        year = 12 * step.runs_a_month * (size.value if size else 0) / 1e9
        price = step.cores / 2 * PRICE_OF_2_CORES * 30 * 24 + step.copies * year * PRICE_OF_DISK
        because = step.because.format(gb=shown(year))
        rows.append(f"| {step.runs} | {step.needs} | {because} | {shown(price)} |")
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
