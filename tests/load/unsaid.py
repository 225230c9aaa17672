"""Comparisons of unlike fleets that hide other differences, judged by the documents."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import httpx
from support.live_server import LiveServer
from support.recomputed import results
from support.unlike.design import Design
from support.unlike.documents import documents
from support.unlike.fleets import FLEETS
from support.unlike.loading import load
from support.unsaid import Json, unsaid


def figures() -> list[dict[str, Any]]:
    """Count verdicts that name nothing, though the sides differ wholly in something else."""
    hidden, judged = 0, 0
    for design in FLEETS.values():
        faults, count = _of_fleet(design)
        print(f"  {design.name}: {len(faults)} of {count} verdicts hide a difference", flush=True)
        print(*(f"    {fault}" for fault in faults), sep="\n", flush=True)
        hidden, judged = hidden + len(faults), judged + count
    return [
        {
            "name": "views.confounded.unsaid",
            "value": hidden,
            "unit": "verdicts",
            "reference": 0,
            "ratio": float(hidden),
            "n": judged,
        }
    ]


def _of_fleet(design: Design) -> tuple[list[str], int]:
    with tempfile.TemporaryDirectory() as name, LiveServer(Path(name)) as server:
        load(design, Path(name), server.url)

        async def ask(query: str) -> Json:
            response = await client.get(f"{server.url}/api/v1/compare?{query}")
            response.raise_for_status()
            answer: Json = response.json()
            return answer

        async def every() -> tuple[list[str], int]:
            return await unsaid(results(documents(design)), ask)

        client = httpx.AsyncClient(timeout=60)
        return asyncio.run(every())
