"""Endpoints for operators: `/healthz`, `/readyz` and `/metrics`."""

from __future__ import annotations

from collections.abc import Mapping

from fastapi import Depends, Request
from fastapi.responses import JSONResponse, Response
from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import Member
from macmeter.accounts.scope import COMMONS
from macmeter.alerts import deliveries
from macmeter.alerts.webhooks import is_public
from macmeter.platform import isolation
from macmeter.platform.database_errors import DISK_FULL, EXPECTED, sqlstate
from macmeter.platform.errors import Problem
from macmeter.platform.telemetry import counters
from macmeter.results.context import ReadContext, replica_lag
from macmeter.results.dataset.files import Lag, lag_of
from macmeter.results.matching_runs import runs_by_source
from macmeter.server.dependencies import CurrentServer, reader
from macmeter.server.http.routing import Router, sends

router = Router(tags=["operation"])

# Headers that proxies add, however many there are.
_FORWARDED = {"x-forwarded-for", "x-forwarded-proto", "x-real-ip", "forwarded", "via"}

# Sorts on disk for lack of memory: half a megabyte is written there and deleted again.
_WITH_LITTLE_MEMORY = text("SET LOCAL work_mem = '64kB'")
_SPILL = text(
    "SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000) AS n ORDER BY n DESC) AS sorted"
)


@router.get("/healthz")
async def healthz() -> Response:
    """Check that the process answers."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz")
async def readyz(server: CurrentServer) -> Response:
    """Check that both databases answer and have their schema, that there is room to write, and that
    the data set of answers is not further behind than DATASET_LAG_SECONDS allows.

    Anybody may ask. How far it is behind would show private uploads, and is in /metrics.
    """
    directory = server.settings.dataset_dir
    try:
        async with server.writing.connect() as writing:
            await writing.execute(text("SELECT 1 FROM runs LIMIT 1"))
            await writing.execute(_WITH_LITTLE_MEMORY)
            await writing.execute(_SPILL)
            async with server.reading.connect() as reading:
                await replica_lag(writing, reading)
                lag = await lag_of(reading, directory) if directory else None
    except EXPECTED as error:
        full = sqlstate(error) == DISK_FULL
        raise _not_ready("The disk is full." if full else "The database does not answer.") from None
    if lag is not None and lag.is_beyond(server.settings.dataset_lag_seconds):
        built = "not written yet" if lag.seconds is None else "too far behind"
        raise _not_ready(f"The data set that answers come from is {built}.")
    return JSONResponse({"status": "ready"})


def _not_ready(detail: str) -> Problem:
    return Problem(503, "not_ready", "Not ready", detail, headers={"Retry-After": "2"})


async def operator(request: Request, server: CurrentServer) -> None:
    """Raise 403 for requests through a proxy or over the internet, except by an admin."""
    forwarded = not _FORWARDED.isdisjoint(request.headers.keys())
    if not forwarded and not (request.client and _is_remote(request.client.host)):
        return
    principal = await reader(request, server)
    if not (isinstance(principal, Member) and principal.server_admin):
        detail = (
            "Ask from the server's own network and not through its proxy, or send the token of one "
            "of the server's admins as Authorization: Bearer TOKEN."
        )
        raise Problem(403, "operators_only", "For operators", detail)


def _is_remote(host: str) -> bool:
    try:
        return is_public(host.partition("%")[0])
    except ValueError:  # a socket file
        return False


@router.get(
    "/metrics",
    response_class=Response,
    dependencies=[Depends(operator)],
    responses=sends("text/plain"),
)
async def metrics(server: CurrentServer) -> Response:
    """Return what the server has counted and how far it is behind, in the Prometheus text format.

    For the server's own network, and the server's admins: it shows how much is uploaded, including
    private runs.
    """
    gauges = Gauges()
    try:
        async with server.reading.connect() as reading:
            await _add_runs(gauges, reading)
            if server.settings.dataset_dir is not None:
                _add_dataset(gauges, await lag_of(reading, server.settings.dataset_dir))
            async with server.writing.connect() as writing:
                await _add_database(gauges, writing, reading)
                await _add_failures(gauges, writing)
        up = 1
    except EXPECTED:
        up = 0
    gauges.add("macmeter_database_up", "Whether the database answers.", {"": up})
    content = [*gauges, *counters.own().lines()]
    return Response("\n".join(content) + "\n", media_type="text/plain; version=0.0.4")


async def _add_runs(gauges: Gauges, reading: AsyncConnection) -> None:
    counted = await runs_by_source(ReadContext(reading, COMMONS))
    by_source = {f'{{source="{row.source}"}}': row.runs for row in counted}
    gauges.add("macmeter_runs", "Public runs stored.", by_source)
    outdated = sum(row.outdated for row in counted)
    gauges.add(
        "macmeter_runs_outdated", "Public runs that wait for being rederived.", {"": outdated}
    )


def _add_dataset(gauges: Gauges, lag: Lag) -> None:
    def add(name: str, about: str, value: float) -> None:
        gauges.add(name, about, {"": value})
        # Name in version 0.1, to be removed in the next one.
        gauges.add(name.replace("dataset", "columns"), f"Former name of {name}.", {"": value})

    is_built = int(lag.seconds is not None)
    add("macmeter_dataset_built", "Whether the data set was ever written.", is_built)
    add("macmeter_dataset_disk_free_bytes", "Room on the disk of DATASET_DIR.", lag.free_bytes)
    if lag.seconds is not None and lag.changes is not None:
        about = "Age of the oldest change that the data set on disk does not have."
        add("macmeter_dataset_lag_seconds", about, lag.seconds)
        about = "Changes that the data set on disk does not have."
        add("macmeter_dataset_lag_changes", about, lag.changes)


async def _add_failures(gauges: Gauges, writing: AsyncConnection) -> None:
    failing = await isolation.how_many_fail(writing) | await deliveries.how_many_fail(writing)
    about = "Items that failed while others went on: runs, fleets, mails and webhooks."
    by_work = {f'{{work="{work}"}}': count for work, count in failing.items()}
    gauges.add("macmeter_failing_items", about, by_work)


async def _add_database(gauges: Gauges, writing: AsyncConnection, reading: AsyncConnection) -> None:
    size = (await writing.execute(text("SELECT pg_database_size(current_database())"))).scalar()
    gauges.add("macmeter_database_bytes", "Size of the database on disk.", {"": size})
    replica = await replica_lag(writing, reading)
    if replica is not None:
        about = "Of the write-ahead log, that the replica for reading has not replayed."
        gauges.add("macmeter_replica_lag_bytes", about, {"": replica.bytes})
        about = "Since the replica's last transaction, where it has not replayed all."
        gauges.add("macmeter_replica_lag_seconds", about, {"": replica.seconds})


class Gauges(list[str]):
    """Current gauges in the Prometheus text format, line by line."""

    def add(self, name: str, about: str, values: Mapping[str, float | None]) -> None:
        self += [f"# HELP {name} {about}", f"# TYPE {name} gauge"]
        self += [f"{name}{labels} {value}" for labels, value in values.items()]
