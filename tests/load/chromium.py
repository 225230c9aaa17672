"""The Chromium that measurements drive: the one that browser tests find."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"


def find() -> str:
    """Return its path; RuntimeError saying what to install if there is none."""
    code = "import browser; print(browser.find_chromium())"
    process = subprocess.run(
        [sys.executable, "-c", code], cwd=TOOLS, capture_output=True, text=True, check=False
    )
    if process.returncode:
        raise RuntimeError(process.stderr.strip())
    return process.stdout.splitlines()[-1]
