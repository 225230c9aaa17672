"""Seconds from `make serve` to an address that answers: in a fresh clone, and again in it.

Cold: a clone of the last commit without .venv, node_modules, build or data; package managers use
what caches this machine has. Warm: everything is there. The references are the limits we set.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from support.live_server import free_port

ROOT = Path(__file__).resolve().parents[2]
COLD_LIMIT, WARM_LIMIT = 180.0, 5.0
WARM_STARTS = 5
GIVE_UP_SECONDS = 900.0


def figures() -> list[dict[str, Any]]:
    """`serve.cold` and `serve.warm`, in seconds."""
    with tempfile.TemporaryDirectory() as directory:
        clone = Path(directory) / "macmeter"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        cold = start(clone)
        warm = [start(clone) for _ in range(WARM_STARTS)]
    return [
        figure("serve.cold", cold, COLD_LIMIT, 1),
        figure("serve.warm", statistics.median(warm), WARM_LIMIT, len(warm)),
    ]


def start(clone: Path) -> float:
    """Seconds until `make serve` in `clone` has said that it is ready; then it is stopped."""
    port = free_port()
    # Of the settings in our own environment none may reach it.
    settings = {"DATA_DIR", "DATABASE_URL", "DATABASE_READ_URL", "PUBLIC_URL", "WORKERS"}
    environment = {name: text for name, text in os.environ.items() if name not in settings}
    began = time.monotonic()
    process = subprocess.Popen(
        ["make", "--no-print-directory", "serve"],
        cwd=clone,
        env=environment | {"PORT": str(port)},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    too_late = threading.Timer(GIVE_UP_SECONDS, os.killpg, [process.pid, signal.SIGKILL])
    too_late.start()
    try:
        assert process.stdout is not None
        if not any(f":{port}" in line for line in process.stdout):
            raise RuntimeError("make serve did not get ready")
        seconds = time.monotonic() - began
    finally:
        too_late.cancel()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGINT)
        process.communicate()
    return seconds


def figure(name: str, value: float, limit: float, n: int) -> dict[str, Any]:
    """One figure of bench.json."""
    return {
        "name": name,
        "value": value,
        "unit": "s",
        "reference": limit,
        "ratio": value / limit,
        "n": n,
    }
