"""Runs per second of `macmeter-server import`, relative to PostgreSQL's own floor (put_floor).

Counts the command's whole time including its start; the file is written before.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

from macmeter.embedded import EmbeddedPostgres
from macmeter.platform.database import migrate
from support.commands import command

from load.put_floor import FLOOR_TABLES, Floor, Runs, rate

RUNS = 6_000
ROUNDS = 2
FLOOR_CLIENTS = 8


def figures() -> list[dict[str, Any]]:
    """`import/floor`: the best of the rounds on both sides."""
    imported, floors = [], []
    with tempfile.TemporaryDirectory() as directory:
        folder = Path(directory)
        folder.chmod(0o755)
        with EmbeddedPostgres(folder / "data") as postgres:
            migrate(postgres.url())
            with postgres.running.connect("macmeter") as connection:
                connection.execute(FLOOR_TABLES)
            runs = Runs()
            floor = Floor(runs, postgres.running)
            for _ in range(ROUNDS):
                imported.append(_imported(postgres.url(), runs, folder / "runs.ndjson"))
                floors.append(rate(floor, FLOOR_CLIENTS))
    return [
        {
            "name": "import/floor",
            "value": max(imported),
            "unit": "runs/s",
            "reference": max(floors),
            "ratio": max(imported) / max(floors),
            "n": ROUNDS,
        }
    ]


def _imported(url: str, runs: Runs, file: Path) -> float:
    with file.open("wb") as lines:
        for _, _, content in runs.made(RUNS):
            lines.write(content + b"\n")
    start = time.perf_counter()
    process = command(url, "import", "--public", str(file))
    seconds = time.perf_counter() - start
    assert process.returncode == 0, process.stderr
    return RUNS / seconds
