"""Create a private fleet whose differences are planted, and people of each role, in DATA_DIR.

Prints as JSON: the fleet's name, who may look at it, and what was planted.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from macmeter.embedded import find_running
from macmeter.platform.release import VERSION
from support import people
from support.documents import Document, disk_run
from support.fleet_runs import some_weeks_ago, upload

WEEKS, UPDATED_IN = 6, 4
UPDATE, EDR, RACK, SLOW, FILEVAULT = 0.92, 0.92, 0.95, 0.6, 0.9
# Speed of the fleet's Macs, relative to the same Macs among the public's.
OURS = 0.95
# Of every 30 Macs: their model, chip and speed; the last kind is virtual.
KINDS = [
    (12, "MacBook Air", "MacBookAir10,1", "Apple M1", 2.6e9),
    (8, "MacBook Pro", "Mac15,3", "Apple M3", 3.4e9),
    (8, "Mac mini", "Mac16,11", "Apple M4 Pro", 5.6e9),
    (2, None, None, "Apple M4 Pro", 4.2e9),
]
# Macs that one request changes at most.
_AT_ONCE = 1000
_NAMESPACE = uuid.UUID("5d3a1f52-1c0e-4d3e-9a55-0f7f6c3b8a11")


class Mac:
    """One Mac of the fleet, and what was planted on it."""

    def __init__(self, fleet: str, kind: int, number: int, factor: float = 1) -> None:
        _, self.model_name, self.model, self.chip, speed = KINDS[kind]
        self.speed = factor * speed
        self.id = str(uuid.uuid5(_NAMESPACE, f"{fleet} {kind} {number}"))
        self.name = f"{self.model_name or 'VM'} {number + 1:03}"
        self.is_slow = kind == 0 and number % 120 in (2, 5)
        self.has_edr = kind == 0 and number % 2 == 1
        self.rack = "AB"[number % 2] if kind == 2 else None
        self.has_filevault = kind != 2 or number % 4 < 2
        self.is_old = kind == 1 and number % 8 == 0
        self.is_updated = kind == 1 and number % 4 > 0

    def run(self, week: int, begin: datetime) -> Document:
        chance = Random(f"{self.id} {week}")
        updated = self.is_updated and week >= UPDATED_IN
        factor = (UPDATE if updated else 1) * (EDR if self.has_edr else 1)
        factor *= FILEVAULT if self.has_filevault else 1
        factor *= (RACK if self.rack == "B" else 1) * (SLOW if self.is_slow else 1)
        speed = self.speed * Random(self.id).lognormvariate(0, 0.01)
        labels = {"site": "office"}
        if self.model == KINDS[0][2]:
            labels["edr"] = "on" if self.has_edr else "off"
        if self.rack:
            labels["rack"] = self.rack
        environment: dict[str, Any] = {"os_version": "26.4" if updated else "26.3"}
        environment |= {"power_source": "ac", "power_mode": "low" if self.is_slow else "automatic"}
        changes: dict[str, Any] = {"encryption": "filevault" if self.has_filevault else "hardware"}
        if self.model is None:
            environment["virtual_machine"] = {"vcpus": 4}
            changes = {"storage": "virtual_disk", "encryption": "none"}
        at = begin + timedelta(days=7 * week, hours=chance.uniform(1, 100))
        run = disk_run(
            machine=self.id,
            chip=self.chip,
            write=speed * factor * chance.lognormvariate(0, 0.01),
            read=1.15 * speed * chance.lognormvariate(0, 0.01),
            started_at=at.strftime("%Y-%m-%dT%H:%M:%SZ"),
            environment=environment,
            labels=labels,
            agent={"version": "0.0.9" if self.is_old else VERSION, "platform": "macos-arm64"},
            **changes,
        )
        if self.model:
            run["machine"] |= {"model": self.model, "model_name": self.model_name}
        return run


def macs_of(fleet: str, macs: int, factor: float = 1) -> Iterator[Mac]:
    for kind, (share, *_) in enumerate(KINDS):
        for number in range(share * macs // 30):
            yield Mac(fleet, kind, number, factor)


async def main(address: str, macs: int, public: int = 0) -> None:
    running = find_running(Path(os.environ["DATA_DIR"]))
    assert running is not None, "no server runs there"
    url, name = running.url(), f"planted {uuid.uuid4().hex[:6]}"
    fleet_id, elsewhere = people.make_fleet(url, name), people.make_fleet(url, f"not {name}")
    everyone = [*macs_of(name, macs)]
    begin = some_weeks_ago(WEEKS)
    made = {
        "admin": people.make_person(url, "Ada", roles={fleet_id: "admin"}),
        "viewer": people.make_person(url, "Vera", roles={fleet_id: "viewer"}),
        "stranger": people.make_person(url, "Otto", roles={elsewhere: "admin"}),
        "server admin": people.make_person(url, "Sam", server_admin=True),
    }
    cookies = {who: await people.sign_in(url, person) for who, person in made.items()}
    async with httpx.AsyncClient(base_url=address, timeout=300) as client:
        secret = people.uploader_of(url, fleet_id)
        for week in range(WEEKS):
            await upload(client, secret, [mac.run(week, begin) for mac in everyone])
        if public:
            # The same Macs as the fleet's, but faster.
            among = people.make_fleet(url, f"public {name}", "public")
            secret = people.uploader_of(url, among)
            others = [*macs_of(f"public {name}", public, 1 / OURS)]
            for week in range(WEEKS):
                await upload(client, secret, [mac.run(week, begin) for mac in others])
        named: list[dict[str, Any]] = [{"id": mac.id, "name": mac.name} for mac in everyone]
        named[-1]["retired"] = named[-2]["barred"] = True
        for start in range(0, len(named), _AT_ONCE):
            body = {"machines": named[start : start + _AT_ONCE]}
            path = f"/api/v1/fleets/{name}/machines"
            changed = await client.patch(path, json=body, headers=cookies["admin"])
            assert changed.status_code == 200, changed.text
    told = {
        "name": name,
        "cookies": {who: sent["Cookie"] for who, sent in cookies.items()},
        "tokens": {
            who: people.token_of(url, made[who], "read")["Authorization"]
            for who in ("viewer", "stranger")
        },
        "macs": len(everyone),
        "slow": [mac.name for mac in everyone if mac.is_slow],
        "retired": everyone[-1].id,
        "revoked": everyone[-2].id,
        "old": sum(mac.is_old for mac in everyone),
        "updated": sum(mac.is_updated for mac in everyone),
        "racked": sum(mac.rack is not None for mac in everyone),
        "update": UPDATE,
        "edr": EDR,
        "rack": RACK,
        "filevault": FILEVAULT,
        "ours": OURS,
    }
    print(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:])))
