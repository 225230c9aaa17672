"""The month from which most Macs behind an answer ran a newer macOS."""

from __future__ import annotations

import uuid

from support.documents import disk_run
from support.server import Server

MACS = [str(uuid.uuid4()) for _ in range(3)]


async def test_an_answer_by_month_tells_when_most_macs_were_updated(server: Server) -> None:
    versions = {"09": "26.2 26.2 26.10", "10": "26.10 26.10 26.2", "11": "26.2 26.2 26.2"}
    runs = [
        disk_run(
            machine=machine,
            started_at=f"2026-{month}-05T10:00:00Z",
            environment={"os_version": version},
        )
        for month, machine_versions in versions.items()
        for machine, version in zip(MACS, machine_versions.split(), strict=True)
    ]
    await server.stored(*runs)
    answer = await server.answer("metric=disk.write_average&by=month")
    # 26.10 is newer than 26.2, and nobody was updated to an older one.
    assert answer["updates"] == [{"month": "2026-10", "os_version": "26.10"}]
    assert "updates" not in await server.answer("metric=disk.write_average")


async def test_systems_that_are_no_macos_are_no_update(server: Server) -> None:
    for month, version in (("09", "26.4"), ("10", "Debian 12")):
        run = disk_run(started_at=f"2026-{month}-05T10:00:00Z", environment={"os_version": version})
        await server.stored(run)
    assert (await server.answer("metric=disk.write_average&by=month"))["updates"] == []
