"""What an answer leaves out: the doubtful results, counted by reason, never silently."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, not_, true
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter import catalog
from macmeter.access.tokens import Bearer
from macmeter.models import Result, Run
from macmeter.queries.groups import NO_FLAGS
from macmeter.queries.question import Question
from macmeter.queries.sql import results_of, standing


async def fetch_excluded(
    connection: AsyncConnection, question: Question, metric: str, reader: Bearer | None
) -> list[dict[str, Any]]:
    """`{reason, severity, runs}` for each doubt; a run with two doubts counts under both."""
    withdrawn = await _withdrawn(connection, question, metric, reader)
    if question.flagged == "include":
        return withdrawn
    flags = func.unnest(Run.flags.op("||")(func.coalesce(Result.flags, NO_FLAGS)))
    code = flags.table_valued("code").render_derived().alias("flagged")
    query = (
        results_of(metric, question.where, reader)
        .where(Result.doubtful, standing())
        .join(code, true())
        .add_columns(code.c.code, func.count(Run.run_id.distinct()).label("runs"))
        .group_by(code.c.code)
        .order_by(code.c.code)
    )
    return [
        {
            "reason": row.code,
            "severity": catalog.flag(row.code).severity.value,
            "runs": row.runs,
        }
        for row in await connection.execute(query)
        if catalog.is_doubt(row.code)
    ] + withdrawn


async def _withdrawn(
    connection: AsyncConnection, question: Question, metric: str, reader: Bearer | None
) -> list[dict[str, Any]]:
    query = results_of(metric, question.where, reader).where(not_(standing()))
    runs = await connection.scalar(query.add_columns(func.count(Run.run_id.distinct())))
    severity = catalog.flag(catalog.WITHDRAWN).severity.value
    return [{"reason": catalog.WITHDRAWN, "severity": severity, "runs": runs}] if runs else []
