"""Figures that a page formats by a rule that the backend has as well.

Browser tests show each answer of tests/figures, and the curves, timelines, residencies and traces
of a server's runs, with a mark after every text from the server: text that a page formatted itself
has no mark.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from load import chromium

ROOT = Path(__file__).resolve().parents[2]
SPECS = ("tests/e2e/figures.spec.ts", "tests/e2e/twins.spec.ts")
# Other tests there are about what a chart does.
SAYS = "a page (says what the figure|prints what the server) says"


def figures() -> list[dict[str, Any]]:
    line = ["npx", "playwright", "test", *SPECS, "-g", SAYS, "--reporter=json"]
    environment = {**os.environ, "CHROMIUM": chromium.find()}
    process = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, check=False)
    stats = json.loads(process.stdout[process.stdout.index(b"{") :])["stats"]
    shown = stats["expected"] + stats["unexpected"] + stats["flaky"]
    if not shown:
        raise RuntimeError(f"no figure was shown: {process.stderr.decode()[-500:]}")
    twins = stats["unexpected"]
    return [
        {
            "name": "figures.twins",
            "value": twins,
            "unit": "figures",
            "reference": 0,
            "ratio": float(twins),
            "n": shown,
        }
    ]
