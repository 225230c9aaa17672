"""Background refresh of fleets' pages and alerts from the change log, each fleet isolated.

A fleet without changes costs only a look at the log. A fleet whose runs changed is computed again
some seconds later, and every fleet once an hour, since machines fall silent by doing nothing.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select, text
from sqlalchemy.dialects import postgresql
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from macmeter.accounts.scope import COMMONS
from macmeter.alerts import schemas
from macmeter.alerts.alert import (
    DOUBTS,
    QUOTA,
    REGRESSION,
    SILENT,
    AlertCondition,
    News,
    alerts_of,
    bring_up_to_date,
    regressions,
)
from macmeter.alerts.deliveries import queue
from macmeter.alerts.groups import labels_of, watched_groups
from macmeter.alerts.machines import (
    fleet_policy_of,
    refresh_machines,
    secrets_near_quota,
    silent_machines,
)
from macmeter.alerts.sending import Sender
from macmeter.alerts.state import DatedEffect, state_of
from macmeter.models import Fleet, FleetMachine, FleetState
from macmeter.platform import database
from macmeter.platform.changelog import changes_since, find_log
from macmeter.platform.errors import ItemError
from macmeter.platform.isolation import (
    ALERTS,
    DOCUMENTS,
    Isolated,
    forever,
    held_back,
    record,
    settle,
)
from macmeter.platform.processes.process import run_in_subprocess_async
from macmeter.platform.settings import Settings
from macmeter.results.context import Reading
from macmeter.results.dataset.mirror import snapshot_of
from macmeter.results.fleets import (
    agent_versions,
    count_open_doubts,
    machines_by_fleet,
    runs_between,
)

POLL_SECONDS = 2.0
RETRY_SECONDS = 5.0
# Minimum and maximum time between refreshes of a fleet.
MIN_INTERVAL_SECONDS = 20.0
MAX_AGE_SECONDS = 3600.0
# Held by the one process that refreshes, among all servers of a database.
_TRY_LOCK = text("SELECT pg_try_advisory_xact_lock(7306162)")

ChangedMachines = set[uuid.UUID] | None
"""Machines of a fleet that changed; None for all."""


class FleetRefresher:
    """Follower of a database's change log: fleets that changed, and when each was refreshed."""

    def __init__(self, url: str, dataset: Path | None = None) -> None:
        self._url, self._dataset = url, dataset
        self._log: tuple[uuid.UUID, str] | None = None
        self._changed: dict[uuid.UUID, ChangedMachines] = {}
        self._refreshed_at: dict[uuid.UUID, float] = {}

    async def follow(self, settings: Settings) -> None:
        """Run forever, even while PostgreSQL comes and goes."""
        reading = database.reading_engine(self._url, pool_size=1, seconds=600)
        sender = Sender(database.engine(self._url, pool_size=2), settings)

        async def refresh() -> None:
            try:
                await self.refresh_due(reading, datetime.now(UTC))
            except BaseException:
                self._log = None  # look for all changes again
                raise

        async def send() -> None:
            await sender.begin(datetime.now(UTC))

        await asyncio.gather(
            forever("alerts go on", refresh, POLL_SECONDS, RETRY_SECONDS),
            forever("sending alerts goes on", send, POLL_SECONDS, RETRY_SECONDS),
        )

    async def refresh_due(
        self, reading: AsyncEngine, now: datetime, *, min_interval: float = MIN_INTERVAL_SECONDS
    ) -> list[News]:
        """Refresh the fleets that have changed, unless another process does.

        Refreshes of one fleet are at least `min_interval` seconds apart.
        """
        async with reading.connect() as read:
            await self._read_changes(read)
            held_back_ids = await held_back(read, ALERTS, now)
        due = {
            fleet_id: machines
            for fleet_id, machines in self._changed.items()
            if self._is_due(fleet_id, min_interval) and str(fleet_id) not in held_back_ids
        }
        if not due:
            return []
        try:
            result = await self._in_subprocess(due, now)
        except OSError:
            result = await self._one_by_one(due, now)
        if result is None:
            return []
        for fleet_id in due:
            if str(fleet_id) not in result.failed:
                self._changed.pop(fleet_id, None)
                self._refreshed_at[fleet_id] = time.monotonic()
        return result.news

    async def _in_subprocess(
        self, due: dict[uuid.UUID, ChangedMachines], now: datetime
    ) -> RefreshResult | None:
        """Run in a subprocess, so that its memory is freed until the next time."""
        return await run_in_subprocess_async(
            "macmeter-alerts", _refresh_due_fleets, self._url, self._dataset, due, now
        )

    async def _one_by_one(
        self, due: dict[uuid.UUID, ChangedMachines], now: datetime
    ) -> RefreshResult:
        """Run each fleet in its own subprocess, since it is unknown which one killed the last."""
        isolated, news = Isolated(ALERTS), []
        for fleet_id, machines in due.items():
            with isolated.item(fleet_id):
                result = await self._in_subprocess({fleet_id: machines}, now)
                if result is None:
                    raise ItemError("Another process works out alerts")
                news += result.news
                isolated.failed |= result.failed
        async with database.beside(self._url) as (_, writing), writing.begin() as connection:
            await record(connection, ALERTS, isolated.failed, now)
        return RefreshResult(news, isolated.failed)

    def _is_due(self, fleet_id: uuid.UUID, min_interval: float) -> bool:
        return time.monotonic() - self._refreshed_at.get(fleet_id, -MAX_AGE_SECONDS) >= min_interval

    async def _read_changes(self, read: AsyncConnection) -> None:
        """Find the fleets that have changed since the last look."""
        log = await find_log(read)
        if self._log is None or self._log[0] != log.log_id or log.misses(self._log[1]):
            self._changed = dict.fromkeys(log.fleets)
        else:
            changed = await changes_since(read, self._log[1])
            await self._mark_changed(read, {change.machine_id for change in changed})
            for fleet_id in log.fleets:
                if self._is_due(fleet_id, MAX_AGE_SECONDS):
                    self._changed.setdefault(fleet_id, set())
        self._changed = {f: machines for f, machines in self._changed.items() if f in log.fleets}
        self._log = (log.log_id, log.snapshot)

    async def _mark_changed(self, read: AsyncConnection, machines: set[uuid.UUID]) -> None:
        if not machines:
            return
        changed = await machines_by_fleet(read, machines)
        query = select(FleetMachine.fleet_id, FleetMachine.machine_id)
        rows = await read.execute(query.where(FleetMachine.machine_id.in_(machines)))
        for fleet_id, machine_id in rows:
            changed.setdefault(fleet_id, set()).add(machine_id)
        for fleet_id, machine_ids in changed.items():
            earlier = self._changed.get(fleet_id, set())
            self._changed[fleet_id] = None if earlier is None else earlier | machine_ids


@dataclass(frozen=True)
class RefreshResult:
    """News of some fleets, and why others failed, by id."""

    news: list[News]
    failed: dict[str, str]


def _refresh_due_fleets(
    url: str, dataset: Path | None, due: dict[uuid.UUID, ChangedMachines], now: datetime
) -> RefreshResult | None:
    """Refresh these fleets, each in a transaction of its own. Return None if another process does.

    `due` has the machines that changed in each fleet.
    """

    async def refresh_all() -> RefreshResult | None:
        async with (
            database.beside(url, dataset, writers=2) as (reading, writing),
            writing.begin() as locked,
        ):
            if not await locked.scalar(_TRY_LOCK):
                return None
            isolated, isolated_documents = Isolated(ALERTS), Isolated(DOCUMENTS)
            news: list[News] = []
            async with reading.connect() as read:
                reading_all = Reading(read, COMMONS, await snapshot_of(read))
                context = _RefreshContext(reading_all, now, isolated_documents)
                for fleet_id, machines in due.items():
                    with isolated.item(fleet_id):
                        async with read.begin_nested(), writing.begin() as connection:
                            added = await _refresh_fleet(context, connection, fleet_id, machines)
                        news += added
            await settle(locked, ALERTS, [key for key in due if str(key) not in isolated.failed])
            await record(locked, ALERTS, isolated.failed, now)
            await record(locked, DOCUMENTS, isolated_documents.failed, now)
            return RefreshResult(news, isolated.failed)

    return asyncio.run(refresh_all())


@dataclass(frozen=True)
class _RefreshContext:
    """Inputs that all refreshed fleets share."""

    reading: Reading
    now: datetime
    isolated_documents: Isolated


async def _refresh_fleet(
    context: _RefreshContext,
    connection: AsyncConnection,
    fleet_id: uuid.UUID,
    machines: ChangedMachines,
) -> list[News]:
    now = context.now
    # Locks the fleet against deletion only: renaming its machines can still update its row.
    query = select(Fleet.fleet_id).where(Fleet.fleet_id == fleet_id)
    if await connection.scalar(query.with_for_update(read=True, key_share=True)) is None:
        return []  # deleted meanwhile
    # Start with what takes long: admins can't change machines whose rows are being written.
    watched = await watched_groups(connection, fleet_id)
    state = await state_of(context.reading, fleet_id, now, watched)
    if machines is None or machines:
        await refresh_machines(
            context.reading, connection, fleet_id, machines, context.isolated_documents
        )
    findings: schemas.StoredFindings = {
        **state.findings,
        "labels": await labels_of(connection, fleet_id),
    }
    values = {"as_of": now, "told": findings}
    upsert = postgresql.insert(FleetState).values(fleet_id=fleet_id, **values)
    await connection.execute(upsert.on_conflict_do_update(index_elements=["fleet_id"], set_=values))
    earlier = await alerts_of(connection, fleet_id)
    effects = [
        await _with_agent(context, fleet_id, item) for item in state.effects if item.effect["worse"]
    ]
    renewed = {
        alert.alert_id: [
            await _with_agent(context, fleet_id, current)
            for effect in alert.detail["effects"]
            if (current := state.reassessed(effect, alert.opened_at)) is not None
        ]
        for alert in earlier
        if alert.kind == REGRESSION and alert.closed_at is None
    }
    conditions = [
        *regressions(effects, earlier, renewed),
        *await _other_alerts(connection, fleet_id, now),
    ]
    news = await bring_up_to_date(connection, fleet_id, earlier, conditions, now)
    await queue(connection, fleet_id, news, now)
    return [item for item in news if item.is_for_all]


async def _with_agent(
    context: _RefreshContext, fleet_id: uuid.UUID, dated: DatedEffect
) -> schemas.FoundEffect:
    """Add the agent version that most of the machines got when they became slower."""
    if not dated.days:
        return dated.effect
    agent = await agent_since(context.reading, fleet_id, dated.days, context.isolated_documents)
    return {**dated.effect, "agent_version": agent}


async def _other_alerts(
    connection: AsyncConnection, fleet_id: uuid.UUID, now: datetime
) -> list[AlertCondition]:
    """Return the conditions for alerts that don't come from results: silent machines, secrets near
    their quota, and doubts awaiting judgement.
    """
    conditions = []
    policy = await fleet_policy_of(connection, fleet_id)
    if silent := await silent_machines(connection, fleet_id, policy, now):
        listed = [str(machine_id) for machine_id in silent]
        conditions.append(
            AlertCondition(SILENT, SILENT, {"machine_ids": listed, "machines": len(listed)})
        )
    for secret in await secrets_near_quota(connection, fleet_id, now):
        detail: schemas.FoundDetail = {
            "name": secret.name,
            "used": secret.used,
            "quota": secret.quota,
        }
        conditions.append(AlertCondition(QUOTA, f"secret {secret.secret_id}", detail))
    if waiting := await count_open_doubts(connection, fleet_id):
        conditions.append(AlertCondition(DOUBTS, DOUBTS, {"doubts": waiting}))
    return conditions


# Changes are dated to within this many days: closer runs are neither before nor after them.
_UNCERTAIN_DAYS = 3.0
# Versions of runs further away than this have nothing to do with a change.
_WINDOW_DAYS = 28.0
# Machines to sample for the majority: two documents of each are read.
_MAX_SAMPLED = 100


async def agent_since(
    reading: Reading,
    fleet_id: uuid.UUID,
    changed: Mapping[uuid.UUID, float],
    isolated_documents: Isolated,
) -> str | None:
    """Return the agent version that most machines got when they changed, on the days `changed`.

    Versions and days are those that the runs state, in whatever order they arrived. None if
    most machines kept theirs.
    """
    sample = dict(sorted(changed.items())[:_MAX_SAMPLED])
    if not sample:
        return None
    first, last = min(sample.values()) - _WINDOW_DAYS, max(sample.values()) + _WINDOW_DAYS
    runs = await runs_between(reading, fleet_id, sample, first, last)
    before: dict[uuid.UUID, uuid.UUID] = {}
    after: dict[uuid.UUID, uuid.UUID] = {}
    for machine_id, machine_runs in runs.items():
        day = sample[machine_id]
        near = [(at - day, run_id) for at, run_id in machine_runs if abs(at - day) <= _WINDOW_DAYS]
        earlier = [run_id for offset, run_id in near if offset <= -_UNCERTAIN_DAYS]
        later = [run_id for offset, run_id in near if offset >= _UNCERTAIN_DAYS]
        # A change of the last days may have only the newest run after it.
        later = later or [run_id for offset, run_id in near if offset >= 0][-1:]
        if earlier and later:
            before[machine_id], after[machine_id] = earlier[-1], later[0]
    old = await agent_versions(reading, fleet_id, [*before.items()], isolated_documents)
    new = await agent_versions(reading, fleet_id, [*after.items()], isolated_documents)
    new_versions = Counter(
        version for machine_id, version in new.items() if old.get(machine_id, version) != version
    )
    if not new_versions:
        return None
    version, machines = max(new_versions.items(), key=lambda item: (item[1], item[0]))
    return version if 2 * machines > len(new) else None
