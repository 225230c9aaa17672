"""How many figures a page tells otherwise than the figure that travels with their answer.

The browser test shows each answer of tests/figures with a mark behind every text of its figure: a
page that worked a text out by itself, by a rule that the backend has as well, shows it unmarked.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from load import chromium

ROOT = Path(__file__).resolve().parents[2]


def figures() -> list[dict[str, Any]]:
    line = ["npx", "playwright", "test", "tests/e2e/figures.spec.ts", "--reporter=json"]
    environment = {**os.environ, "CHROMIUM": chromium.find()}
    ended = subprocess.run(line, cwd=ROOT, env=environment, capture_output=True, check=False)
    stats = json.loads(ended.stdout[ended.stdout.index(b"{") :])["stats"]
    shown = stats["expected"] + stats["unexpected"] + stats["flaky"]
    if not shown:
        raise RuntimeError(f"no figure was shown: {ended.stderr.decode()[-500:]}")
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
