"""Who may do what: how many cells of the table of access hold, and how many leaks a crawl finds.

All are tests (tests/backend/access, tests/e2e/pages.spec.ts); here they are counted.
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

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests/backend/access"
# Characters of a failed run's end: its list of failures and what each expected.
SAID = 4_000


def figures() -> list[dict[str, Any]]:
    roles = len(runpy.run_path(str(TESTS / "test_access.py"))["ROLES"])
    rows, refused = _outcomes("test_access.py", "gets_what_the_table_says")
    right, pages = _cells_of_pages()
    asked, leaking = _outcomes("test_leaks.py", "")
    return [
        _figure("access.cells", (rows - refused) * roles + right, rows * roles + pages, "cells"),
        {**_figure("crawl.leaks", leaking, 0, "tests that found one"), "n": asked},
    ]


def _outcomes(name: str, kind: str) -> tuple[int, int]:
    """How many tests ran, and how many of them failed."""
    line = [sys.executable, "-m", "pytest", "-q", "-n", "2", str(TESTS / name), "-k", kind]
    ended = subprocess.run(line, cwd=ROOT, check=False, capture_output=True, text=True)
    told = dict.fromkeys(("passed", "failed", "errors?"), 0)
    for what in told:
        found = re.search(rf"(\d+) {what}\b", ended.stdout.splitlines()[-1])
        told[what] = int(found[1]) if found else 0
    ran = sum(told.values())
    if not ran:
        raise RuntimeError(f"no test of {name} ran: {ended.stdout[-500:]}")
    _say_what_failed(ended, ran - told["passed"])
    return ran, ran - told["passed"]


def _cells_of_pages() -> tuple[int, int]:
    """How many cells of pages hold, of how many: every page by everybody, in a browser."""
    line = ["npm", "run", "--silent", "e2e", "--workspace", "frontend", "--", "pages"]
    environment = os.environ | {"PAGES": "all", "CHROMIUM": chromium.find()}
    ended = subprocess.run(
        line, cwd=ROOT, check=False, capture_output=True, text=True, env=environment
    )
    told = re.search(r"(\d+) of (\d+) cells of pages hold", ended.stdout)
    if told is None:
        raise RuntimeError(f"no page was opened: {ended.stdout[-500:]}")
    held, cells = int(told[1]), int(told[2])
    _say_what_failed(ended, cells - held)
    return held, cells


def _say_what_failed(ended: subprocess.CompletedProcess[str], failed: int) -> None:
    """A figure below its reference says how many cells; this says which."""
    if failed:
        print(ended.stdout[-SAID:], file=sys.stderr)


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
