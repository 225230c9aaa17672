"""Access rights: failing cells of the access table, leaks that a crawl finds, and how often a
stranger changes others' data or takes over a Mac.

All are tests (tests/backend/accounts, tests/e2e/pages.spec.ts); here they are counted.
"""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

from load import chromium
from load.outcomes import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests/backend/accounts"
# Every operation that changes something, by all who may not: nothing changes.
WRITES = (TESTS / "test_access.py", TESTS / "test_rights.py", TESTS / "test_run_changes.py")
# Characters printed of a failed run's end: its list of failures and what each expected.
SAID = 4_000


def figures() -> list[dict[str, Any]]:
    roles = len(runpy.run_path(str(TESTS / "test_access.py"))["ROLES"])
    table = (str(TESTS / "test_access.py"), "-k", "gets_what_the_table_says")
    rows, refused = pytest("-n", "2", *table)
    right, pages = _cells_of_pages()
    crawls, leaking = pytest("-n", "2", str(TESTS / "test_leaks.py"))
    writes, foreign = pytest("-n", "2", *map(str, WRITES))
    takeovers, taken = pytest("-n", "2", str(TESTS / "test_takeover.py"))
    return [
        _figure("access.cells", (rows - refused) * roles + right, rows * roles + pages, "cells"),
        {**_figure("crawl.leaks", leaking, 0, "tests that found one"), "n": crawls},
        {**_figure("writes.foreign", foreign, 0, "tests that found one"), "n": writes},
        {**_figure("takeovers", taken, 0, "ways that let a stranger in"), "n": takeovers},
    ]


def _cells_of_pages() -> tuple[int, int]:
    """Count the cells of pages that hold, and all: every page by everybody, in a browser."""
    line = ["npm", "run", "--silent", "e2e", "--workspace", "frontend", "--", "pages"]
    environment = os.environ | {"PAGES": "all", "CHROMIUM": chromium.find()}
    process = subprocess.run(
        line, cwd=ROOT, check=False, capture_output=True, text=True, env=environment
    )
    match = re.search(r"(\d+) of (\d+) cells of pages hold", process.stdout)
    if match is None:
        raise RuntimeError(f"no page was opened: {process.stdout[-500:]}")
    if match[1] != match[2]:
        print(process.stdout[-SAID:], file=sys.stderr)
    return int(match[1]), int(match[2])


def _figure(name: str, value: int, reference: int, unit: str) -> dict[str, Any]:
    ratio = value / reference if reference else float(value)
    return {
        "name": name,
        "value": value,
        "unit": unit,
        "reference": reference,
        "ratio": ratio,
        "n": reference,
    }
