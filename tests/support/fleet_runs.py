"""Run documents of a fleet over some weeks, as agents write them: one run a week per Mac."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import httpx
from macmeter.alerts.alert import News
from macmeter.alerts.refresh import FleetRefresher
from macmeter.platform.database import reading_engine

from support.documents import Document, disk_run, encoded

_NAMESPACE = uuid.UUID("3a0c2f6e-8f2b-4a60-9d46-6c2a6c7f3f11")
_NOISE = 0.015
# Documents per upload.
_BATCH = 500


@dataclass(frozen=True)
class Cohort:
    """Macs of one kind; the first `updated` get 26.4 in `week`, which changes speed by `after`."""

    chip: str
    macs: int
    updated: int = 0
    week: int = 6
    after: float = 1.0
    speed: float = 3e9
    encryption: str = "filevault"
    own: dict[int, float] = field(default_factory=dict)
    """Factors on the speed of some of them, from the start."""
    fleet: str = ""
    """Name that keeps several fleets' Macs on one server apart."""

    def machine(self, number: int) -> str:
        return str(uuid.uuid5(_NAMESPACE, f"{self.fleet}{self.chip} {number}"))

    @property
    def slowed(self) -> list[str]:
        return sorted(self.machine(number) for number in range(self.updated))


def documents(cohorts: Iterable[Cohort], week: int, begin: datetime) -> Iterator[Document]:
    for cohort in cohorts:
        for number in range(cohort.macs):
            chance = Random(f"{cohort.chip} {number} {week}")
            is_updated = number < cohort.updated and week >= cohort.week
            factor = cohort.own.get(number, 1.0) * chance.lognormvariate(0, _NOISE)
            at = begin + timedelta(days=7 * week, hours=chance.uniform(1, 100))
            yield disk_run(
                machine=cohort.machine(number),
                chip=cohort.chip,
                encryption=cohort.encryption,
                write=cohort.speed * factor * (cohort.after if is_updated else 1),
                read=1.2 * cohort.speed * chance.lognormvariate(0, _NOISE),
                started_at=at.strftime("%Y-%m-%dT%H:%M:%SZ"),
                environment={"os_version": "26.4" if is_updated else "26.3"},
                agent={"version": "0.1.0", "platform": "macos-arm64"},
            )


async def upload(client: httpx.AsyncClient, secret: str, documents: Sequence[Document]) -> None:
    """Upload many documents in batches, like an uploader."""
    for start in range(0, len(documents), _BATCH):
        batch = documents[start : start + _BATCH]
        response = await client.post(
            "/api/v1/runs/batch",
            content=b"\n".join(encoded(document) for document in batch),
            headers={
                "Authorization": f"Bearer {secret}",
                "Content-Type": "application/x-ndjson",
            },
        )
        assert response.status_code == 200, response.text
        refused = [line for line in response.content.split() if b'"status":201' not in line]
        assert not refused, refused


class Kept:
    """The background process that maintains fleets and alerts, run when a test says so."""

    def __init__(self, database_url: str) -> None:
        self._reading = reading_engine(database_url, pool_size=1)
        self._keeper = FleetRefresher(database_url)

    async def up_to(self, now: datetime) -> list[News]:
        return await self._keeper.refresh_due(self._reading, now, min_interval=0)

    async def close(self) -> None:
        await self._reading.dispose()

    async def __aenter__(self) -> Kept:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


def some_weeks_ago(weeks: int) -> datetime:
    """A midnight since which that many weeks have passed."""
    today = datetime.now(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return today - timedelta(days=7 * weeks)
