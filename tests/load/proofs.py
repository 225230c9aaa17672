"""Failures of the thorough tests, of which `make test` runs shorter forms.

To run one alone: `.venv/bin/pytest -m thorough FILE`, `THOROUGH=1 npx playwright test FILE`.
"""

from __future__ import annotations

from load import chromium
from load.figure import Figure
from load.outcomes import failures, playwright, pytest


def figures() -> list[Figure]:
    """`proofs.failed`: tests of Python; `proofs.failed.browser`: those in a browser."""
    python = pytest("-m", "thorough", "-n", "2", "--dist", "loadfile", "tests")
    browser = playwright("--grep", "@thorough", THOROUGH="1", CHROMIUM=chromium.find())
    return [failures("proofs.failed", python), failures("proofs.failed.browser", browser)]
