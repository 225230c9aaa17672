"""Whether the server lives, is ready, and what it has done: for whoever runs it."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse, Response
from sqlalchemy import func, select, text
from sqlalchemy.exc import SQLAlchemyError

from macmeter.access.visibility import ANYBODY, visible
from macmeter.api import schemas
from macmeter.api.dependencies import ServerPart
from macmeter.errors import Problem
from macmeter.models import Run

router = APIRouter(tags=["operation"])


@router.get("/healthz")
async def healthz() -> Response:
    """The process answers."""
    return JSONResponse({"status": "ok"})


@router.get("/readyz", responses=schemas.refusals(503))
async def readyz(part: ServerPart) -> Response:
    """The database answers and its schema is there."""
    try:
        async with part.writing.connect() as connection:
            await connection.execute(text("SELECT 1 FROM runs LIMIT 1"))
    except SQLAlchemyError:
        raise Problem(
            503,
            "not_ready",
            "Not ready",
            "The database does not answer.",
            headers={"Retry-After": "2"},
        ) from None
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
            select(Run.source, func.count().label("runs"))
            .where(visible(ANYBODY))
            .group_by(Run.source)
            .order_by(Run.source)
        )
        lines = [
            "# HELP macmeter_runs Public runs stored.",
            "# TYPE macmeter_runs gauge",
            *(f'macmeter_runs{{source="{row.source}"}} {row.runs}' for row in rows),
        ]
    return Response("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")
