"""Create a private fleet of Macs with long histories, with people, on the server in DATA_DIR.

Prints the fleet's name and the session of each person, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import uuid
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from macmeter.embedded import find_running
from support import people
from support.documents import disk_run, encoded

MACS, DAYS_AGO = 3, (500, 1)


async def main(address: str) -> None:
    running = find_running(Path(os.environ["DATA_DIR"]))
    assert running is not None, "no server runs there"
    url, name = running.url(), f"archive {uuid.uuid4().hex[:6]}"
    fleet_id = people.make_fleet(url, name)
    uploader = people.uploader_of(url, fleet_id)
    headers = {"Authorization": f"Bearer {uploader}", "Content-Type": "application/json"}
    async with httpx.AsyncClient(base_url=address, timeout=300, headers=headers) as client:
        for machine in [str(uuid.uuid4()) for _ in range(MACS)]:
            for days in DAYS_AGO:
                at = datetime.now(UTC) - timedelta(days=days)
                started, finished = (
                    moment.strftime("%Y-%m-%dT%H:%M:%SZ")
                    for moment in (at, at + timedelta(minutes=1))
                )
                run = disk_run(machine=machine, started_at=started, finished_at=finished)
                stored = await client.put(f"/api/v1/runs/{run['id']}", content=encoded(run))
                assert stored.status_code == 201, stored.text
    roles = {"admin": "admin", "other": "admin", "viewer": "viewer"}
    cookies = {}
    for who, role in roles.items():
        person = people.make_person(url, f"Fleet {who}", roles={fleet_id: role})
        cookies[who] = (await people.sign_in(url, person))["Cookie"]
    guest = people.make_person(url, "Fleet guest")
    cookies["guest"] = (await people.sign_in(url, guest))["Cookie"]
    print(json.dumps({"name": name, **cookies}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
