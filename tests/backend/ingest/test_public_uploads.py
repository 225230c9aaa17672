"""Where public uploads are off, fleets upload as before and nobody else does."""

from __future__ import annotations

import json

from macmeter.settings import Settings
from support.documents import disk_run, encoded
from support.server import serving


async def test_only_fleets_upload_where_public_uploads_are_off(database_url: str) -> None:
    async with serving(database_url, public_uploads=False) as server:
        run = disk_run()
        refused = await server.put(run)
        assert (refused.status_code, refused.json()["code"]) == (403, "public_uploads_off")
        batch = await server.client.post(
            "/api/v1/runs/batch",
            content=encoded(run),
            headers={
                "Authorization": f"Bearer {server.token()}",
                "Content-Type": "application/x-ndjson",
            },
        )
        assert json.loads(batch.text)["status"] == 403
        assert (await server.put(run, server.token("fleet"))).status_code == 201
        assert await server.groups("metric=disk.write_average") == []


def test_they_are_on_unless_said_otherwise() -> None:
    assert Settings().public_uploads
