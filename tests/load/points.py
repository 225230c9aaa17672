"""How long 5,000 points of a run take to be drawn, and how soon a page answers to a press.

In a real Chromium, on the page of a run with 5,000 samples that has been opened before: from the
press on its link to the frame that shows them, the whole page included. The limits are ours.
"""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from macmeter.embedded import find_running
from support.live_server import LiveServer

from load import chromium, generated

ROOT = Path(__file__).resolve().parents[2]
NODE = ROOT / "node_modules/.bin/node"
SCRIPT = Path(__file__).with_name("points.mjs")
POINTS = 5_000
LIMIT = 0.200
# Up to which browsers themselves call a page good.
PRESS_LIMIT = 0.200
TIMES = 7


def figures() -> list[dict[str, Any]]:
    """`points.5000` and `interaction` in seconds."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory)) as server:
            running = find_running(Path(directory))
            assert running is not None
            generated.load(running.url(), 200)
            run = _stored(server.url, server.token())
            found = _measured(server.url, run)
    return [
        _figure("points.5000", found["drawn"], LIMIT),
        _figure("interaction", found["pressed"], PRESS_LIMIT),
    ]


def _stored(url: str, token: str) -> str:
    """The id of a run with POINTS samples of two metrics."""
    run = next(generated.documents(1, first=1_000_000))
    run["machine"]["id"] = "0b9a1a52-6c1e-4f0e-9d3a-0b5a6f7c8d9e"
    series = [one for one in run["series"] if "file_size" in one.get("parameters", {})]
    for place, one in enumerate(series):
        count = POINTS // len(series) + (place < POINTS % len(series))
        values = (one["values"] * (count // len(one["values"]) + 1))[:count]
        one["values"] = values
        one["positions"] = [1 + place + len(series) * at for at in range(count)]
    run["series"] = series
    run["labels"] = {"synthetic": "points"}
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    response = httpx.put(
        f"{url}/api/v1/runs/{run['id']}", content=generated.encoded(run), headers=headers
    )
    response.raise_for_status()
    return str(run["id"])


def _measured(url: str, run: str) -> dict[str, list[float]]:
    done = subprocess.run(
        [str(NODE), str(SCRIPT), url, run, str(TIMES)],
        env=os.environ | {"CHROMIUM": chromium.find()},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"points.mjs failed:\n{done.stderr}")
    found: dict[str, list[float]] = json.loads(done.stdout)
    return found


def _figure(name: str, milliseconds: list[float], limit: float) -> dict[str, Any]:
    value = median(milliseconds) / 1000
    return {
        "name": name,
        "value": value,
        "unit": "s",
        "reference": limit,
        "ratio": value / limit,
        "n": len(milliseconds),
    }
