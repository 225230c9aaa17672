"""Whether the server lives, is ready, and what it has done: for whoever runs it."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response
from sqlalchemy import func, select, text

from macmeter.access.visibility import ANYBODY, visible
from macmeter.api import schemas
from macmeter.api.dependencies import ServerPart
from macmeter.database_errors import DISK_FULL, EXPECTED, sqlstate
from macmeter.errors import Problem
from macmeter.ingest.rederive import OUTDATED
from macmeter.models import Run

router = APIRouter(tags=["operation"])

# Sorted on disk for want of memory: half a megabyte is written there and thrown away again.
_WITH_LITTLE_MEMORY = text("SET LOCAL work_mem = '64kB'")
_SPILL = text(
    "SELECT count(*) FROM (SELECT n FROM generate_series(1, 20000) AS n ORDER BY n DESC) AS sorted"
)


@router.get("/healthz")
async def healthz() -> Response:
    """The process answers."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz", responses=schemas.refusals(503))
async def readyz(part: ServerPart) -> Response:
    """The database answers, its schema is there, and it has room to write."""
    try:
        async with part.writing.connect() as connection:
            await connection.execute(text("SELECT 1 FROM runs LIMIT 1"))
            await connection.execute(_WITH_LITTLE_MEMORY)
            await connection.execute(_SPILL)
    except EXPECTED as error:
        full = sqlstate(error) == DISK_FULL
        detail = "The disk is full." if full else "The database does not answer."
        raise Problem(503, "not_ready", "Not ready", detail, headers={"Retry-After": "2"}) from None
    return JSONResponse({"status": "ready"})


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}},
)
async def metrics(part: ServerPart) -> Response:
    """Counts of public runs in the Prometheus text format: anybody may read this."""
    async with part.reading.connect() as connection:
        rows = await connection.execute(
            select(
                Run.source,
                func.count().label("runs"),
                func.count().filter(OUTDATED).label("outdated"),
            )
            .where(visible(ANYBODY))
            .group_by(Run.source)
            .order_by(Run.source)
        )
        counted = rows.all()
        lines = [
            "# HELP macmeter_runs Public runs stored.",
            "# TYPE macmeter_runs gauge",
            *(f'macmeter_runs{{source="{row.source}"}} {row.runs}' for row in counted),
            "# HELP macmeter_runs_outdated Public runs that wait for being rederived.",
            "# TYPE macmeter_runs_outdated gauge",
            f"macmeter_runs_outdated {sum(row.outdated for row in counted)}",
        ]
    return Response("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")
