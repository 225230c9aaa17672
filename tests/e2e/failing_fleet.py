"""Create a private fleet on the server in DATA_DIR, whose webhook rejects its alerts.

Prints the fleet's name, and the sessions of an admin of the server and of the fleet's, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from macmeter.embedded import find_running
from macmeter.models import AlertWebhook
from sqlalchemy import insert
from support import people
from support.documents import disk_run, encoded

# The server never sends to its own machine's addresses.
CLOSED = "https://127.0.0.1/hook"


async def main(address: str) -> None:
    running = find_running(Path(os.environ["DATA_DIR"]))
    assert running is not None, "no server runs there"
    url, name = running.url(), f"unheard {uuid.uuid4().hex[:6]}"
    fleet_id = people.make_fleet(url, name)
    hook = {"webhook_id": uuid.uuid4(), "fleet_id": fleet_id, "url": CLOSED, "secret": "s"}
    with people.writing(url) as connection:
        connection.execute(insert(AlertWebhook).values(**hook))
    # An exhausted enrolment secret raises an alert, once a run triggers a check.
    people.make_secret(url, fleet_id, quota=1, used=1)
    run = disk_run(started_at=datetime.now(UTC).isoformat())
    headers = {
        "Authorization": f"Bearer {people.uploader_of(url, fleet_id)}",
        "Content-Type": "application/json",
    }
    async with httpx.AsyncClient(base_url=address, timeout=300, headers=headers) as client:
        stored = await client.put(f"/api/v1/runs/{run['id']}", content=encoded(run))
        assert stored.status_code == 201, stored.text
    root = people.make_person(url, "Failures root", server_admin=True)
    admin = people.make_person(url, "Failures admin", roles={fleet_id: "admin"})
    cookies = {
        who: (await people.sign_in(url, person))["Cookie"]
        for who, person in (("root", root), ("admin", admin))
    }
    print(json.dumps({"name": name, **cookies}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
