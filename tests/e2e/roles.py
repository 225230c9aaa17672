"""Create a private fleet on the server in DATA_DIR, and everybody who might look at its pages.

Prints as JSON: parameters of the pages' addresses, texts that nobody else may read, and what a
browser of each role sends.
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

from macmeter.accounts import tokens
from macmeter.accounts.tokens import secret_hash
from macmeter.embedded import find_running
from macmeter.models import Session, Token
from sqlalchemy import update
from support import people
from support.documents import Document, disk_run, encoded

METRIC = "disk.write_average"
CHIP = "Apple M4 Potoroo"


def private_run(name: str) -> Document:
    run = disk_run(chip=CHIP, storage="usb4", labels={"wombat": name})
    run["machine"] |= {"model": "Numbat9,9", "model_name": f"Numbat {name}"}
    run["target"] |= {"device": f"Bilby {name}"}
    return run


async def main(address: str) -> None:
    running = find_running(Path(os.environ["DATA_DIR"]))
    assert running is not None, "no server runs there"
    url, own = running.url(), uuid.uuid4().hex[:6]
    name, elsewhere = f"quokka {own}", people.make_fleet(url, f"elsewhere {own}")
    fleet_id = people.make_fleet(url, name)
    people.make_alert(url, fleet_id)
    async with httpx.AsyncClient(base_url=address, timeout=300) as client:
        # A Mac of the fleet with its own token, and five that an uploader uploads for.
        run = private_run(own)
        secret = people.make_secret(url, fleet_id)
        enrolled = await client.post(
            "/api/v1/enroll", json={"secret": secret, "machine_id": run["machine"]["id"]}
        )
        devices = {"device": enrolled.json()["token"]}
        await put(client, run, devices["device"])
        uploader = people.uploader_of(url, fleet_id)
        for _ in range(5):
            await put(client, private_run(own), uploader)
        with people.writing(url) as connection:
            for device in ("other device", "revoked device"):
                devices[device] = tokens.issue(connection, tokens.DEVICE)
            revoked = Token.secret_sha256 == secret_hash(devices["revoked device"])
            now = datetime.now(UTC)
            connection.execute(update(Token).where(revoked).values(revoked_at=now))
        admin = people.make_person(url, f"Ada {own}", roles={fleet_id: "admin"})
        signed_in = {
            "other viewer": people.make_person(url, "Otto", roles={elsewhere: "viewer"}),
            "viewer": people.make_person(url, "Vera", roles={fleet_id: "viewer"}),
            "admin": admin,
            "server admin": people.make_person(url, "Sam", server_admin=True),
            "expired session": people.make_person(url, "Eve", roles={fleet_id: "admin"}),
        }
        sessions = {role: await people.sign_in(url, who) for role, who in signed_in.items()}
        with people.writing(url) as connection:
            of_eve = Session.person_id == signed_in["expired session"]
            late = datetime.now(UTC) - timedelta(seconds=1)
            connection.execute(update(Session).where(of_eve).values(expires_at=late))
        saved = await client.post(
            "/api/v1/comparisons",
            json={"question": f"metric={METRIC}&where=fleet:{name}", "shares_fleet": True},
            headers=sessions["admin"],
        )
    bearers = {role: f"Bearer {token}" for role, token in devices.items()}
    reading = people.token_of(url, admin, "read")
    told = {
        "fleet": name,
        "run": run["id"],
        "machine": run["machine"]["id"],
        "slug": saved.json()["slug"],
        "secret": [f"Numbat {own}", f"Bilby {own}", CHIP],
        "cookies": {"anybody": None} | {who: sent["Cookie"] for who, sent in sessions.items()},
        "tokens": {"person's token": reading["Authorization"], **bearers},
    }
    print(json.dumps(told))


async def put(client: httpx.AsyncClient, run: Document, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    stored = await client.put(f"/api/v1/runs/{run['id']}", content=encoded(run), headers=headers)
    assert stored.status_code == 201, stored.text


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
