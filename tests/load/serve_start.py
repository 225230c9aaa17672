"""Seconds from a command to an address that responds: `make serve` in a fresh clone, again in that
clone, and `uvx --from` the wheel in an empty folder.

Cold: a clone of the last commit without .venv, node_modules, build or data; package managers use
this machine's caches. Warm: everything is there. The wheel's start has Python and uv, but no Node,
compiler or checkout. The references are our own limits.
"""

from __future__ import annotations

import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from support.live_server import free_port

ROOT = Path(__file__).resolve().parents[2]
COLD_LIMIT, WARM_LIMIT, WHEEL_LIMIT = 180.0, 5.0, 60.0
WARM_STARTS = 5
GIVE_UP_SECONDS = 900.0


def figures() -> list[dict[str, Any]]:
    """`serve.cold`, `serve.warm` and `serve.wheel`, in seconds."""
    with tempfile.TemporaryDirectory() as directory:
        clone = Path(directory) / "macmeter"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        cold = start(clone)
        warm = [start(clone) for _ in range(WARM_STARTS)]
        wheel = start_wheel(Path(directory))
    return [
        figure("serve.cold", cold, COLD_LIMIT, 1),
        figure("serve.warm", statistics.median(warm), WARM_LIMIT, len(warm)),
        figure("serve.wheel", wheel, WHEEL_LIMIT, 1),
    ]


def start_wheel(directory: Path) -> float:
    """Seconds until the wheel's server is ready, without anything else of Macmeter."""
    built = subprocess.run(
        [ROOT / "tools/release/wheel.py", "--out", directory / "dist"],
        capture_output=True,
        text=True,
        check=True,
    )
    programs, empty = directory / "programs", directory / "empty"
    for folder in (programs, empty):
        folder.mkdir()
    for program in ("uv", "uvx"):
        (programs / program).symlink_to(ROOT / ".venv/bin" / program)
    for program in ("dirname", "ldd", "realpath", "sh"):  # for launch scripts
        (programs / program).symlink_to(shutil.which(program) or program)
    # Only this interpreter, and nothing that could fetch another one.
    settings = {"PATH": str(programs), "UV_PYTHON_DOWNLOADS": "never"}
    python = str(Path(sys.executable).resolve())
    command = ["uvx", "--python", python, "--from", built.stdout.strip()]
    return start(empty, [*command, "macmeter-server", "serve"], settings)


def start(
    folder: Path,
    command: Sequence[str] = ("make", "--no-print-directory", "serve"),
    extra: Mapping[str, str] = MappingProxyType({}),
) -> float:
    """Seconds until the command, run in `folder`, has printed the address; then it is stopped."""
    port = free_port()
    # Settings from our own environment must not reach it.
    settings = {"DATA_DIR", "DATABASE_URL", "DATABASE_READ_URL", "PUBLIC_URL", "WORKERS"}
    environment = {name: text for name, text in os.environ.items() if name not in settings}
    start_time = time.monotonic()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env=environment | {"PORT": str(port), **extra},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    too_late = threading.Timer(GIVE_UP_SECONDS, os.killpg, [process.pid, signal.SIGKILL])
    too_late.start()
    try:
        assert process.stdout is not None
        if not any(f":{port}" in line for line in process.stdout):
            raise RuntimeError(f"{' '.join(command)} did not get ready")
        seconds = time.monotonic() - start_time
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
