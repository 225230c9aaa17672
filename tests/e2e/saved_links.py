"""Save links on the server in DATA_DIR to data that changes afterwards, to test their pages.

Prints their slugs as JSON: `narrowed` is of a fleet that went private, `redefined` of an older
server's figures.
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
from macmeter.models import Comparison
from sqlalchemy import select, update
from support import people
from support.documents import disk_run, encoded

# Macs of the fleet and of others, by storage.
MACS = {"internal": (1, 6), "sd_card": (2, 3)}
OLDER = 3


async def main(address: str) -> None:
    running = find_running(Path(os.environ["DATA_DIR"]))
    assert running is not None, "no server runs there"
    url, own = running.url(), uuid.uuid4().hex[:6]
    fleets = [people.make_fleet(url, f"{who} {own}", "public") for who in ("leaving", "staying")]
    admin = people.make_person(url, "Links admin", roles={fleets[0]: "admin"})
    async with httpx.AsyncClient(base_url=address, timeout=300) as client:

        async def upload(fleet_id: uuid.UUID, storage: str, macs: int) -> None:
            secret = people.uploader_of(url, fleet_id)
            headers = {"Authorization": f"Bearer {secret}", "Content-Type": "application/json"}
            for _ in range(macs):
                run = disk_run(storage=storage, labels={"link": own})
                path = f"/api/v1/runs/{run['id']}"
                stored = await client.put(path, content=encoded(run), headers=headers)
                assert stored.status_code == 201, stored.text

        async def save(question: str, title: str) -> str:
            body = {"question": question, "title": title, "private": False}
            saved = await client.post("/api/v1/comparisons", json=body)
            assert saved.status_code == 201, saved.text
            slug: str = saved.json()["slug"]
            return slug

        for storage, several in MACS.items():
            for fleet_id, macs in zip(fleets, several, strict=True):
                await upload(fleet_id, storage, macs)
        question = f"metric=disk.write_average&by=storage&where=label:link:{own}"
        narrowed = await save(question, "Writes by storage")
        redefined = await save("metric=power.cpu_total&by=threads&by=chip", "Power by chip")
        private = await client.patch(
            f"/api/v1/fleets/{fleets[0]}",
            json={"visibility": "private"},
            headers=await people.sign_in(url, admin),
        )
        assert private.status_code == 204, private.text
    this = Comparison.slug == redefined
    with people.writing(url) as connection:
        answer = connection.scalars(select(Comparison.answer).where(this)).one()
        older = {**(answer or {}), "derivation_version": OLDER}
        connection.execute(update(Comparison).where(this).values(answer=older))
    print(json.dumps({"narrowed": narrowed, "redefined": redefined}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
