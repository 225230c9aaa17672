"""How many tests of the contract fail when anybody asks for anything, much longer than they do."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = 300


def figures() -> list[dict[str, Any]]:
    line = [sys.executable, "-m", "pytest", "-q", "tests/contract/test_any_request.py"]
    environment = os.environ | {"CONTRACT_EXAMPLES": str(EXAMPLES)}
    ended = subprocess.run(
        line,
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
        env=environment,
    )
    told = ended.stdout.splitlines()[-1]
    passed, failed = (_counted(told, what) for what in ("passed", "failed"))
    if not passed + failed:
        raise RuntimeError(f"no operation was asked for: {ended.stdout[-500:]}")
    return [
        {
            "name": "contract.faults",
            "value": failed,
            "unit": "tests",
            "reference": 0,
            "ratio": float(failed),
            "n": passed + failed,
        }
    ]


def _counted(told: str, what: str) -> int:
    found = re.search(rf"(\d+) {what}\b", told)
    return int(found[1]) if found else 0
