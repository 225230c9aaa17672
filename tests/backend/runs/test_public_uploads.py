"""Fleets upload as before with public uploads off, and nobody else does."""

from __future__ import annotations

import asyncio
import contextlib
import json
import uuid
from datetime import UTC, datetime, timedelta

from macmeter.accounts.quota import UploadLimits
from macmeter.accounts.tokens import TokenPrincipal
from macmeter.models import QuotaUse
from macmeter.platform.database import engine
from macmeter.platform.errors import Problem
from macmeter.platform.settings import Settings
from sqlalchemy import select
from support.documents import disk_run, encoded
from support.server import serving

_ID = uuid.uuid4()


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


async def test_a_mac_without_a_fleet_has_a_limit_an_hour(database_url: str) -> None:
    async with serving(database_url, quota_machine_uploads=2) as server:
        token, other, machine = server.token(), server.token(), disk_run()["machine"]["id"]
        runs = [disk_run(machine=machine) for _ in range(4)]
        for run in runs[:2]:
            assert (await server.put(run, token)).status_code == 201
        refused = await server.put(runs[2], token)
        assert (refused.status_code, refused.json()["code"]) == (429, "quota")
        assert "One Mac can do this 2 times per hour" in refused.json()["detail"]
        assert 1 <= int(refused.headers["retry-after"]) <= 3601
        batch = await server.client.post(
            "/api/v1/runs/batch",
            content=encoded(runs[3]),
            headers={"Authorization": f"Bearer {token}", "Content-Type": "application/x-ndjson"},
        )
        assert json.loads(batch.text)["status"] == 429
        # Another Mac at that address has its own limit, and a fleet has none.
        assert (await server.put(disk_run(), other)).status_code == 201
        uploader = server.token("fleet")
        for _ in range(3):
            assert (await server.put(disk_run(), uploader)).status_code == 201


async def test_so_has_an_address_whatever_macs_are_at_it(database_url: str) -> None:
    async with serving(database_url, quota_uploads=2) as server:
        statuses = [(await server.put(disk_run())).status_code for _ in range(3)]
        assert statuses == [201, 201, 429]
        assert (await server.put(disk_run(), server.token("fleet"))).status_code == 201


async def test_processes_share_a_limit_that_each_counts_in_advance(database_url: str) -> None:
    """Never more than the limit in all; each process may leave a fiftieth of it unused."""
    limit, now = 100, datetime(2026, 11, 23, 10, 30, tzinfo=UTC)
    server_token = TokenPrincipal(_ID, "device", None, None, None)
    writing = engine(database_url)
    processes = [UploadLimits(writing, limit, 10 * limit) for _ in range(3)]

    async def taken(at: datetime) -> int:
        count = 0
        for number in range(2 * limit):
            with contextlib.suppress(Problem):
                await processes[number % 3].spend(server_token, "192.0.2.1", at)
                count += 1
        return count

    assert limit - 3 * limit // 50 <= await taken(now) <= limit
    assert limit - 3 * limit // 50 <= await taken(now + timedelta(hours=1)) <= limit
    await writing.dispose()


async def test_a_process_that_dies_takes_little_of_a_limit_with_it(database_url: str) -> None:
    """Concurrent uploads reserve only one batch in advance."""
    now = datetime(2026, 11, 23, 10, 30, tzinfo=UTC)
    bearer = TokenPrincipal(_ID, "device", None, None, None)
    writing = engine(database_url)
    for _process in range(5):
        limits = UploadLimits(writing, 500, 1_000_000)
        await asyncio.gather(*(limits.spend(bearer, "192.0.2.1", now) for _ in range(8)))
    async with writing.connect() as connection:
        uses = dict((await connection.execute(select(QuotaUse.kind, QuotaUse.uses))).all())
    assert uses == {"uploads of a machine": 5 * 10, "uploads": 5 * 100}
    await writing.dispose()


def test_usual_limits_leave_room_for_a_mac_that_was_away() -> None:
    settings = Settings()
    assert settings.quota_machine_uploads >= 24 * 7
    assert settings.quota_uploads > settings.quota_machine_uploads
