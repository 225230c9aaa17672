"""Generated runs for load: marked synthetic, shaped like a full graded-files run.

334 values in 46 series: 16 file sizes, written and read, 10 sets each, and 14 single figures.
"""

from __future__ import annotations

import asyncio
import json
import random
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from macmeter.accounts.binding import reserve
from macmeter.documents.derive import derive
from macmeter.documents.parse import parse
from macmeter.platform import database
from macmeter.runs.series_numbers import SeriesNumbers
from macmeter.runs.store import Upload, document_row, store

FILE_SIZES = [
    n * 10**6 for n in (2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 800, 1000, 2000)
]
SETS = 10
MACHINES = 200
CHIPS = [
    f"Apple {family}{variant}"
    for family in ("M1", "M2", "M3", "M4")
    for variant in ("", " Pro", " Max")
]
STORAGE = {"internal": 2.8e9, "thunderbolt3": 2.4e9, "usb4": 3.2e9, "thunderbolt5": 5.2e9}
ENCRYPTION = {"internal": ["filevault", "hardware"]}
_NAMESPACE = uuid.UUID("6f9d1b7a-6f1c-4f0e-9d3a-0b5a6f7c8d9e")


def documents(count: int, *, first: int = 0) -> Iterator[dict[str, Any]]:
    """`count` runs over MACHINES machines, the same ones every time."""
    for index in range(first, first + count):
        yield _document(index)


def _document(index: int) -> dict[str, Any]:
    chance = random.Random(index)
    machine = index % MACHINES
    storage = list(STORAGE)[(index // MACHINES) % len(STORAGE)]
    encryption = chance.choice(ENCRYPTION.get(storage, ["none", "apfs_encrypted"]))
    speed = STORAGE[storage] * (0.9 if encryption == "apfs_encrypted" else 1.0)

    def values(n: int) -> list[float]:
        # Above the link's limit a run would be flagged and excluded from what is measured.
        return [round(speed * chance.uniform(0.7, 0.95)) * 1.0 for _ in range(n)]

    series: list[dict[str, Any]] = [
        {"metric": metric, "parameters": {"file_size": size}, "values": values(SETS)}
        for metric in ("disk.write_speed", "disk.read_speed")
        for size in FILE_SIZES
    ]
    series += [
        {"metric": f"disk.{name}_average", "values": values(1)}
        for name in ("write", "read", "write_flushed")
    ]
    series += [
        {"metric": "disk.sustained_write_speed", "parameters": {"elapsed": s}, "values": values(1)}
        for s in range(1, 12)
    ]
    started = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=10 * (index % 40_000))
    return {
        "schema": "macmeter.run/1",
        "id": str(uuid.uuid5(_NAMESPACE, f"run {index}")),
        "suite": "disk",
        "source": "measured",
        "state": "complete",
        "method": {"name": "graded-files", "version": 1, "parameters": {"sets": SETS}},
        "started_at": started.isoformat().replace("+00:00", "Z"),
        "machine": {
            "id": str(uuid.uuid5(_NAMESPACE, f"machine {machine}")),
            "chip": CHIPS[machine % len(CHIPS)],
            "memory_bytes": 16 * 2**30,
        },
        "environment": {"os_version": f"26.{machine % 5}", "power_source": "ac"},
        "target": {"storage": storage, "encryption": encryption, "file_system": "apfs"},
        "labels": {"synthetic": "load"},
        "series": series,
    }


def encoded(document: dict[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def load(url: str, count: int, *, first: int = 0) -> None:
    """Store generated public runs, many per transaction: uploading is not measured here."""
    asyncio.run(_load(url, count, first))


async def _load(url: str, count: int, first: int) -> None:
    engine = database.engine(url)
    numbers = SeriesNumbers()
    owner = {"visibility": "public"}
    batch = 200
    try:
        for start in range(first, first + count, batch):
            contents = [
                encoded(d) for d in documents(min(batch, first + count - start), first=start)
            ]
            runs = [derive(*parse(content, now=datetime.now(UTC))) for content in contents]
            series = [await numbers.of(engine, run.results) for run in runs]
            async with engine.begin() as connection:
                await reserve(connection, {run.machine_id for run in runs})
                uploads = [
                    Upload(run, run_series, await document_row(content), owner)
                    for content, run, run_series in zip(contents, runs, series, strict=True)
                ]
                await store(connection, uploads)
    finally:
        await engine.dispose()
