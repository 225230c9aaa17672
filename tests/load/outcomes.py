"""Counts of failed tests, for figures; the run's own output names them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree as ET

from load.figure import Figure

ROOT = Path(__file__).resolve().parents[2]
PYTEST = [sys.executable, "-m", "pytest", "-q"]


def pytest(*arguments: str, **environment: str) -> tuple[int, int]:
    """Run pytest; return how many tests ran, and how many failed."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.xml"
        return _outcomes([*PYTEST, f"--junitxml={report}", *arguments], report, environment)


def playwright(*arguments: str, **environment: str) -> tuple[int, int]:
    """Run Playwright; return how many tests ran, and how many failed."""
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory) / "report.xml"
        line = ["npx", "playwright", "test", "--reporter=list,junit", *arguments]
        return _outcomes(line, report, environment | {"PLAYWRIGHT_JUNIT_OUTPUT_FILE": str(report)})


def failures(name: str, outcomes: tuple[int, int]) -> Figure:
    """Figure that should be 0."""
    count, failed = outcomes
    return {
        "name": name,
        "value": failed,
        "unit": "tests",
        "reference": 0,
        "ratio": float(failed),
        "n": count,
    }


def _outcomes(line: list[str], report: Path, environment: dict[str, str]) -> tuple[int, int]:
    subprocess.run(line, cwd=ROOT, env=os.environ | environment, check=False)
    # Written by us a moment ago.
    suites = list(ET.parse(report).getroot().iter("testsuite"))  # noqa: S314
    count, failed = (
        sum(int(suite.get(kind, 0)) for suite in suites for kind in kinds)
        for kinds in (["tests"], ["failures", "errors"])
    )
    if not count:
        raise RuntimeError(f"{line} ran no test")
    return count, failed
