"""Time of an answer at 2,000 and 20,000 runs, relative to plain SQL percentiles of the same.

The reference is the time PostgreSQL itself needs for the group medians and percentiles of the same
runs by chip, storage and encryption, without intervals, spread or flags.
"""

from __future__ import annotations

import itertools
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import psycopg
from macmeter.embedded import find_running
from support.live_server import LiveServer

from load import generated
from load.figure import figure, percentile

REPEATS = 60
SIZES = (2_000, 20_000)
QUERY = "/api/v1/answer?metric=disk.write_average&by=chip&by=storage&by=encryption"
FILTERS = [
    "",
    "&where=chip_family:M4",
    "&where=storage:usb4",
    "&where=encryption:none",
    "&weight=run",
]
SQL = """
    SELECT chip, storage, encryption, count(*),
           percentile_cont(ARRAY[0.1, 0.25, 0.5, 0.75, 0.9]) WITHIN GROUP (ORDER BY value)
    FROM (
        SELECT chip, storage, encryption, r.machine_id,
               percentile_cont(0.5) WITHIN GROUP (ORDER BY median) AS value
        FROM results r JOIN runs USING (machine_id, run_id) JOIN series USING (series_id)
        WHERE metric = 'disk.write_average' AND NOT doubtful
        GROUP BY 1, 2, 3, 4
    ) AS machines
    GROUP BY 1, 2, 3
"""


def figures() -> list[dict[str, Any]]:
    """`answer.p95.N` in seconds, with plain SQL as its reference; p50 is only printed."""
    measured = []
    with tempfile.TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        with LiveServer(Path(directory)) as server:
            running = find_running(Path(directory))
            assert running is not None
            url = running.url()
            stored = 0
            for size in SIZES:
                generated.load(url, size - stored, first=stored)
                stored = size
                with running.connect("macmeter") as connection:
                    connection.autocommit = True
                    connection.execute("VACUUM ANALYZE")
                    measured += _at(size, server.url, connection)
    return measured


def _at(size: int, url: str, connection: psycopg.Connection[Any]) -> list[dict[str, Any]]:
    answers, references = [], []
    with httpx.Client(base_url=url, timeout=60) as client:
        for warm in (True, False):
            for extra in itertools.islice(itertools.cycle(FILTERS), 10 if warm else REPEATS):
                start = time.perf_counter()
                client.get(QUERY + extra).raise_for_status()
                after_answer = time.perf_counter()
                connection.execute(SQL).fetchall()
                end = time.perf_counter()
                if not warm:
                    answers.append(after_answer - start)
                    references.append(end - after_answer)
    return [
        figure(
            f"answer.p50.{size}",
            percentile(answers, 50),
            "s",
            percentile(references, 50),
            REPEATS,
        ),
        figure(
            f"answer.p95.{size}",
            percentile(answers, 95),
            "s",
            percentile(references, 95),
            REPEATS,
        ),
    ]
