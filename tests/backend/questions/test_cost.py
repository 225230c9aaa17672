"""Expensive questions: refused with what to narrow, while others are answered."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from macmeter.embedded import EmbeddedPostgres
from support.databases import fresh_database
from support.documents import Document, disk_run
from support.server import Server, serving

SPEED = "metric=disk.write_speed&by=file_size"
FEWER = f"{SPEED}&where=file_size:1..1001"

# Address: status, the field to change, a word of the suggestion.
ASKED = {
    f"answer?{SPEED}": (422, "?by", "file_size has 3,000 values"),
    f"answer.csv?{SPEED}&by=chip": (422, "?by", "file_size has 3,000 values"),
    f"answer?{SPEED}&fit=theil_sen": (422, "?by", "at most 2,000"),
    f"chart.svg?{SPEED}": (422, "?by", "at most 2,000"),
    f"chart.png?{SPEED}": (422, "?by", "at most 2,000"),
    f"answer?{SPEED}&by=storage&relative_to=storage:internal": (422, "?by", "at most 2,000"),
    f"chart.svg?{FEWER}": (422, "?where", "at most 1,000 figures, not 1,001"),
    f"chart.png?{FEWER}": (422, "?where", "at most 1,000 figures, not 1,001"),
    f"answer?{FEWER}&fit=theil_sen": (200, "", ""),
    f"answer.csv?{FEWER}": (200, "", ""),
    f"chart.svg?{SPEED}&where=file_size:1..900": (200, "", ""),
}


def run_of_sizes(sizes: range) -> Document:
    """A run with one series for each file size."""
    return disk_run(
        series=[
            {"metric": "disk.write_speed", "parameters": {"file_size": size}, "values": [5e9]}
            for size in sizes
        ]
    )


@pytest.fixture(scope="module")
async def full(cluster: EmbeddedPostgres) -> AsyncIterator[Server]:
    """A server with 3,000 file sizes, which no test adds to."""
    with fresh_database(cluster) as name:
        async with serving(cluster.url(name)) as server:
            await server.stored(*(run_of_sizes(range(n, n + 1000)) for n in (1, 1001, 2001)))
            yield server


async def test_what_costs_too_much_says_what_to_narrow(full: Server) -> None:
    for address, (status, pointer, word) in ASKED.items():
        request = asyncio.create_task(full.client.get(f"/api/v1/{address}"))
        await asyncio.sleep(0)
        assert (await full.client.get("/healthz")).status_code == 200
        # The process that answers requests computes none of it.
        assert not request.done(), address
        response = await request
        assert response.status_code == status, (address, response.text[:300])
        if status == 422:
            problem = response.json()
            assert (problem["code"], problem["pointer"]) == ("too_costly", pointer), address
            assert word in problem["detail"], problem["detail"]
            assert "Retry-After" not in response.headers


async def test_what_costs_too_much_can_not_be_saved_either(full: Server) -> None:
    saved = await full.client.post("/api/v1/comparisons", json={"question": SPEED})
    assert (saved.status_code, saved.json()["code"]) == (422, "too_costly")
