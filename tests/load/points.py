"""Time to draw a run's points, and a page's response time to a press.

In a real Chromium, on the page of a run that has been opened before: from the press on its link to
the frame that shows 5,000 samples of its figure, or the five panels of a trace of 10,000 moments
with three clusters and 14 cores at each; the whole page included. The limits are our own.
"""

from __future__ import annotations

import json
import os
import random
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
MOMENTS = 10_000
CLUSTERS = {"E-Cluster": range(4), "P0-Cluster": range(4, 9), "P1-Cluster": range(9, 14)}
LIMIT = 0.200
# The limit up to which browsers call a page good.
PRESS_LIMIT = 0.200
TIMES = 7


def figures() -> list[dict[str, Any]]:
    """`points.5000`, `points.10000` and `interaction` in seconds."""
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory)) as server:
            running = find_running(Path(directory))
            assert running is not None
            generated.load(running.url(), 200)
            token = server.token()
            run = _stored(server.url, token, _with_points())
            sampled = _stored(server.url, token, _with_traces())
            durations = _measured(server.url, run, sampled)
    return [
        _figure("points.5000", durations["drawn"], LIMIT),
        _figure("points.10000", durations["traced"], LIMIT),
        _figure("interaction", durations["pressed"], PRESS_LIMIT),
    ]


def _with_points() -> dict[str, Any]:
    """A run with POINTS samples of two metrics."""
    run = _run(1_000_000, "points")
    series = [item for item in run["series"] if "file_size" in item.get("parameters", {})]
    for index, entry in enumerate(series):
        count = POINTS // len(series) + (index < POINTS % len(series))
        values = (entry["values"] * (count // len(entry["values"]) + 1))[:count]
        entry["values"] = values
        entry["positions"] = [1 + index + len(series) * at for at in range(count)]
    run["series"] = series
    return run


def _with_traces() -> dict[str, Any]:
    """A run that was sampled MOMENTS times, no two samples alike: 180,000 rows."""
    run = _run(1_000_001, "samples")
    chance = random.Random(7)
    total, clusters, cores = [], [], []
    for moment in range(MOMENTS):
        t = moment / 10
        total.append([t, round(chance.uniform(1, 30), 2)])
        for cluster, numbers in CLUSTERS.items():
            frequency = chance.randrange(1_020, 4_512) * 1_000_000
            clusters.append([t, cluster, frequency, round(chance.random(), 3)])
            cores += [[t, cluster, core, frequency, round(chance.random(), 3)] for core in numbers]
    del run["target"]
    run["suite"], run["method"] = "power", {"name": "sampled", "version": 1}
    run["series"] = [
        {
            "metric": "power.cpu_total",
            "parameters": {"threads": 1, "kernel": "fp64", "core_context": "Performance/high"},
            "values": [4.5, 4.6],
        }
    ]
    columns = ["frequency", "active_residency"]
    run["traces"] = [
        {"kind": "power", "interval": 0.1, "columns": ["t", "cpu"], "rows": total},
        {"kind": "cpu", "interval": 0.1, "columns": ["t", "cluster", *columns], "rows": clusters},
        {"kind": "core", "interval": 0.1, "columns": ["t", "cluster", "core", *columns]}
        | {"rows": cores},
    ]
    return run


def _run(index: int, label: str) -> dict[str, Any]:
    run = next(generated.documents(1, first=index))
    run["machine"]["id"] = "0b9a1a52-6c1e-4f0e-9d3a-0b5a6f7c8d9e"
    run["labels"] = {"synthetic": label}
    return run


def _stored(url: str, token: str, run: dict[str, Any]) -> str:
    """Store a run and return its id."""
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    response = httpx.put(
        f"{url}/api/v1/runs/{run['id']}",
        content=generated.encoded(run),
        headers=headers,
        timeout=60,
    )
    response.raise_for_status()
    return str(run["id"])


def _measured(url: str, run: str, sampled: str) -> dict[str, list[float]]:
    process = subprocess.run(
        [str(NODE), str(SCRIPT), url, run, sampled, str(TIMES)],
        env=os.environ | {"CHROMIUM": chromium.find()},
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        raise RuntimeError(f"points.mjs failed:\n{process.stderr}")
    durations: dict[str, list[float]] = json.loads(process.stdout)
    return durations


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
