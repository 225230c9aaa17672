"""Saving comparisons and opening them again."""

from __future__ import annotations

from typing import Any

from support.server import Server

QUESTION = "metric=disk.write_average&by=storage"


async def save(server: Server, **body: Any) -> dict[str, Any]:
    response = await server.client.post("/api/v1/comparisons", json={"question": QUESTION, **body})
    assert response.status_code == 201, response.text
    saved: dict[str, Any] = response.json()
    return saved


async def opened(server: Server, slug: str) -> dict[str, Any]:
    response = await server.client.get(f"/api/v1/comparisons/{slug}")
    assert response.status_code == 200, response.text
    comparison: dict[str, Any] = response.json()
    return comparison
