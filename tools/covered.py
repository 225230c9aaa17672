#!/usr/bin/env python3
"""Print how many lines tests ran, as a Markdown table, from what `COVERAGE=1 make test` wrote.

Parts whose tests didn't run are left out.
"""

from __future__ import annotations

import json
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> None:
    parts = {"Server": server(), "Dashboard": dashboard(), "Agent": agent()}
    print("| part | lines that tests run | of | |\n|---|--:|--:|--:|")
    for part, lines in parts.items():
        if lines is not None:
            covered, total = lines
            print(f"| {part} | {covered:,} | {total:,} | {covered / total:.0%} |")


def server() -> tuple[int, int] | None:
    """Return pytest-cov's counts, which cover pytest's processes but not the servers they start."""
    file = ROOT / "build/coverage.json"
    if not file.exists():
        return None
    totals = json.loads(file.read_text())["totals"]
    return totals["covered_lines"], totals["num_statements"]


def dashboard() -> tuple[int, int] | None:
    """Return the counts of the unit tests; browser tests are not included."""
    file = ROOT / "build/coverage-frontend/coverage-summary.json"
    if not file.exists():
        return None
    lines = json.loads(file.read_text())["total"]["lines"]
    return lines["covered"], lines["total"]


def agent() -> tuple[int, int] | None:
    """Return the counts of swift test, without the tests' own lines."""
    reports = sorted((ROOT / "agent/.build").glob("*/debug/codecov/macmeter.json"))
    if not reports:
        return None
    [report] = json.loads(reports[-1].read_text())["data"]
    lines = [
        file["summary"]["lines"]
        for file in report["files"]
        if "/agent/Sources/" in file["filename"]
    ]
    return sum(line["covered"] for line in lines), sum(line["count"] for line in lines)


if __name__ == "__main__":
    main()
