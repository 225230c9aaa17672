"""Changes after updates of macOS, and what they are compared with."""

from __future__ import annotations

import uuid
from datetime import timedelta

from support.documents import disk_run
from support.fleet_runs import Kept, some_weeks_ago, upload
from support.people import make_fleet, uploader_of
from support.server import Server

NAME = "updated twice"
# Days before today on which each of them came; 26.10 is newer than 26.9.
VERSIONS = {"26.2": 60, "26.9": 40, "26.10": 20}


async def test_before_an_update_are_the_older_versions_only(server: Server) -> None:
    fleet_id = make_fleet(server.database_url, NAME)
    secret, now = uploader_of(server.database_url, fleet_id), some_weeks_ago(1)
    runs = [
        disk_run(
            machine=str(uuid.UUID(int=number + 1)),
            write=3e9 * (1 + number / 1000),
            environment={"os_version": version},
            started_at=(now - timedelta(days=days - later)).strftime("%Y-%m-%dT%H:%M:%SZ"),
        )
        for number in range(8)
        for version, days in VERSIONS.items()
        for later in range(0, 15, 3)
    ]
    await upload(server.client, secret, runs)
    async with Kept(server.database_url) as refreshed:
        await refreshed.up_to(now)
    headers = {"Authorization": f"Bearer {secret}"}
    page = (await server.client.get(f"/api/v1/fleets/{NAME}/dashboard", headers=headers)).json()
    changes = {
        change["version"]: change["before"]
        for change in page["changes"]
        if change["metric"] == "disk.write_average"
    }
    assert changes == {"26.9": ["26.2"], "26.10": ["26.9", "26.2"]}
    # As its link compares: nothing of the later version is on the side "before".
    query = [("metric", "disk.write_average"), ("version", "2"), ("where", f"fleet:{NAME}")]
    sides = [("side", f"1:os_version:{changes['26.9'][0]}"), ("side", "2:os_version:26.9")]
    found = await server.client.get("/api/v1/compare", params=[*query, *sides], headers=headers)
    assert [cell["runs"] for cell in found.json()["rows"][0]["cells"]] == [40, 40]
