"""The tests that take long, whose shorter forms `make test` runs: how many of them fail.

One of them by itself: `.venv/bin/pytest -m thorough FILE`, `THOROUGH=1 npx playwright test FILE`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from load import chromium

ROOT = Path(__file__).resolve().parents[2]
PYTEST = [sys.executable, "-m", "pytest", "-m", "thorough", "-n", "2", "--dist", "loadfile"]
PLAYWRIGHT = ["npx", "playwright", "test", "--grep", "@thorough", "--reporter=list,junit"]


def figures() -> list[dict[str, Any]]:
    """`proofs.failed`: tests of Python; `proofs.failed.browser`: those in a browser."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.xml"
        python = _failures([*PYTEST, f"--junitxml={report}", "tests"], report)
        report.unlink()
        browser = _failures(
            PLAYWRIGHT,
            report,
            THOROUGH="1",
            CHROMIUM=chromium.find(),
            PLAYWRIGHT_JUNIT_OUTPUT_FILE=str(report),
        )
    return [_figure("proofs.failed", *python), _figure("proofs.failed.browser", *browser)]


def _failures(line: list[str], report: Path, **environment: str) -> tuple[int, int]:
    """How many tests failed, of how many that ran."""
    subprocess.run(line, cwd=ROOT, env=os.environ | environment, check=False)
    # Of our own making, a moment ago.
    suites = list(ET.parse(report).getroot().iter("testsuite"))  # noqa: S314
    ran, failed = (
        sum(int(suite.get(what, 0)) for suite in suites for what in kinds)
        for kinds in (["tests"], ["failures", "errors"])
    )
    if not ran:
        raise RuntimeError(f"{line} ran no test")
    return failed, ran


def _figure(name: str, failed: int, ran: int) -> dict[str, Any]:
    return {
        "name": name,
        "value": failed,
        "unit": "tests",
        "reference": 0,
        "ratio": float(failed),
        "n": ran,
    }
