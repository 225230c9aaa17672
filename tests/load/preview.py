"""Time of a link's preview on first request, against our own limit.

The picture of a saved comparison, 1200 by 630, over HTTP: read from the database, drawn as SVG and
turned into PNG. Each is another comparison, so that none comes from the cache. The picture of a
live question also has its answer to compute: it is reported next to that answer's own time.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import quote

import httpx
from macmeter.embedded import find_running
from support.live_server import LiveServer

from load import generated
from load.figure import figure

LIMIT = 0.150
RUNS = 1_000
REPEATS = 12
QUESTIONS = (
    "metric=disk.write_average&metric=disk.read_average&by=storage&by=encryption",
    "metric=disk.write_average&metric=disk.read_average&by=encryption&by=storage"
    "&relative_to=encryption:none",
    "metric=disk.write_speed&metric=disk.read_speed&by=file_size&by=storage",
)


def figures() -> list[dict[str, Any]]:
    """`preview.cold` and `preview.live` in seconds.

    The first of all starts the renderer: it is printed, and counted in neither.
    """
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory)) as server:
            running = find_running(Path(directory))
            assert running is not None
            generated.load(running.url(), RUNS)
            with httpx.Client(base_url=server.url, timeout=60) as client:
                frozen = [_saved(client, number) for number in range(REPEATS + 1)]
                first, *cold = [_seconds(client, address) for address in frozen]
                live = [_seconds(client, f"/api/v1/chart.png?{_asked(n)}") for n in range(REPEATS)]
                answers = [_seconds(client, f"/api/v1/answer?{_asked(n)}") for n in range(REPEATS)]
    print(f"  the very first, with the renderer's start: {first:.3f} s")
    return [
        figure("preview.cold", median(cold), "s", LIMIT, len(cold)),
        figure("preview.live", median(live), "s", median(answers), len(live)),
    ]


def _asked(number: int) -> str:
    """Questions of similar cost, each with another answer."""
    question = QUESTIONS[number % len(QUESTIONS)]
    return f"{question}&where=os_version!:{quote(f'26.{number}')}"


def _saved(client: httpx.Client, number: int) -> str:
    body = {"question": _asked(number), "title": f"Preview {number}"}
    saved = client.post("/api/v1/comparisons", json=body).raise_for_status().json()
    return f"/api/v1/comparisons/{saved['slug']}/chart.png"


def _seconds(client: httpx.Client, address: str) -> float:
    start = time.perf_counter()
    response = client.get(address).raise_for_status()
    seconds = time.perf_counter() - start
    assert "answer" in address or response.content.startswith(b"\x89PNG")
    return seconds
