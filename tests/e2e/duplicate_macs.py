"""Create a private fleet on the server in DATA_DIR in which Macs count twice, with its admin.

One Mac was erased three weeks ago, one enrols repeatedly without its token, and two more are to be
merged by hand. Prints names, ids and the admin's session, as JSON.
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
from macmeter.models import FleetMachine, Run
from sqlalchemy import func, select, update
from support import people
from support.documents import disk_run, encoded


async def main(address: str) -> None:
    running = find_running(Path(os.environ["DATA_DIR"]))
    assert running is not None, "no server runs there"
    url, name = running.url(), f"studio {uuid.uuid4().hex[:6]}"
    fleet_id = people.make_fleet(url, name)
    secret, uploader = people.make_secret(url, fleet_id), people.uploader_of(url, fleet_id)
    ids = {who: str(uuid.uuid4()) for who in ("former", "present", "old", "new", "shared")}
    async with httpx.AsyncClient(base_url=address, timeout=300) as client:
        headers = {"Authorization": f"Bearer {uploader}", "Content-Type": "application/json"}
        for who, model in (("former", "Mac16,11"), ("present", "Mac16,11"), ("old", "Mac14,2")):
            await put(client, ids[who], model, headers)
        await put(client, ids["new"], "Mac14,2", headers)
        for _ in range(2):
            body = {"secret": secret, "machine_id": ids["shared"]}
            assert (await client.post("/api/v1/enroll", json=body)).status_code == 201
    await known(url, fleet_id)
    with people.writing(url) as connection:
        former, ago = uuid.UUID(ids["former"]), datetime.now(UTC) - timedelta(days=20)
        for table in (Run, FleetMachine):
            of_former = update(table).where(table.machine_id == former)
            connection.execute(of_former.values(received_at=ago))
    admin = people.make_person(url, "Fleet admin", roles={fleet_id: "admin"})
    cookie = (await people.sign_in(url, admin))["Cookie"]
    print(json.dumps({"name": name, "cookie": cookie, "ids": ids}))


async def known(url: str, fleet_id: uuid.UUID) -> None:
    """Wait until the background process has listed the Macs."""
    of_fleet = select(func.count()).where(FleetMachine.fleet_id == fleet_id)
    for _ in range(1800):
        with people.writing(url) as connection:
            if connection.scalar(of_fleet) == 4:
                return
        await asyncio.sleep(0.1)
    raise AssertionError("the fleet was not worked out")


async def put(client: httpx.AsyncClient, machine: str, model: str, headers: dict[str, str]) -> None:
    for write in (4e9, 5e9):
        run = disk_run(machine=machine, write=write)
        run["machine"]["model"] = model
        stored = await client.put(
            f"/api/v1/runs/{run['id']}", content=encoded(run), headers=headers
        )
        assert stored.status_code == 201, stored.text


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
