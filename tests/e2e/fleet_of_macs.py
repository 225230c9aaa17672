"""Create a private fleet, with people, of Macs that an update slowed, on the server in DATA_DIR.

Prints the fleet's name and the session of each person, as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import uuid
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from macmeter.embedded import find_running
from support.fleet_runs import Cohort, documents, some_weeks_ago, upload
from support.people import make_fleet, make_person, sign_in, uploader_of

WEEKS = 6


async def main(address: str) -> None:
    running = find_running(Path(os.environ["DATA_DIR"]))
    assert running is not None, "no server runs there"
    url, name = running.url(), f"offices {uuid.uuid4().hex[:6]}"
    fleet_id = make_fleet(url, name)
    secret = uploader_of(url, fleet_id)
    cohort = Cohort("Apple M1", 20, updated=16, week=4, after=0.88, fleet=name)
    begin = some_weeks_ago(WEEKS)
    async with httpx.AsyncClient(base_url=address, timeout=120) as client:
        for week in range(WEEKS):
            await upload(client, secret, [*documents([cohort], week, begin)])
    people = {
        role: make_person(url, f"Fleet {role}", roles={fleet_id: role})
        for role in ("admin", "viewer")
    }
    cookies = {role: (await sign_in(url, person))["Cookie"] for role, person in people.items()}
    print(json.dumps({"name": name, **cookies}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
