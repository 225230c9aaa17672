"""An answer is a consistent snapshot, whatever is withdrawn and stored meanwhile."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from support.documents import disk_run
from support.server import Server

WRITE = "metric=disk.write_average"
RUNS, TOGGLED, QUESTIONS = 20, 4, 30


async def toggle(server: Server, runs: list[tuple[str, str]], stop: asyncio.Event) -> None:
    """Withdraw and reinstate these runs until `stop` is set."""
    while not stop.is_set():
        for run_id, token in runs:
            address = f"/api/v1/runs/{run_id}/withdrawal"
            headers = {"Authorization": f"Bearer {token}"}
            reason = {"reason": "the drive was failing"}
            await server.client.put(address, json=reason, headers=headers)
        for run_id, token in runs:
            address = f"/api/v1/runs/{run_id}/withdrawal"
            await server.client.delete(address, headers={"Authorization": f"Bearer {token}"})


def of_answer(answer: dict[str, Any]) -> tuple[list[int], list[dict[str, Any]]]:
    (result,) = answer["results"]
    return [group["runs"] for group in result["groups"]], result["excluded"]


def of_sides(comparison: dict[str, Any]) -> tuple[list[int], list[dict[str, Any]]]:
    cells = [cell for row in comparison["rows"] for cell in row["cells"]]
    return [cell["runs"] for cell in cells if "runs" in cell], comparison["rows"][0]["excluded"]


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        (f"answer?{WRITE}&by=storage", of_answer),
        # The toggled runs are all runs of a method: it comes and goes as a whole.
        (f"compare?{WRITE}&side=1:storage:internal&side=2:storage:usb4", of_sides),
    ],
)
async def test_what_is_counted_and_what_is_withdrawn_add_up(
    server: Server, path: str, counts: Any
) -> None:
    toggled = []
    for i in range(RUNS):
        late = i < TOGGLED
        method = {"name": "graded-files", "version": 2 if late else 1}
        run, token = disk_run(method=method), server.token()
        assert (await server.put(run, token)).status_code == 201
        if late:
            toggled.append((run["id"], token))
    stop = asyncio.Event()
    toggling = asyncio.create_task(toggle(server, toggled, stop))
    try:
        for _ in range(QUESTIONS):
            response = await server.client.get(f"/api/v1/{path}")
            assert response.status_code == 200, response.text
            run_counts, excluded = counts(response.json())
            withdrawn = sum(item["runs"] for item in excluded if item["reason"] == "withdrawn")
            assert sum(run_counts) + withdrawn == RUNS
    finally:
        stop.set()
        await toggling
