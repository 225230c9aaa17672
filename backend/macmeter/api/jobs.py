"""What endpoints have worked out in another process: questions and their responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from fastapi.responses import Response

from macmeter.api.responses import csv_response, json_response, lines_response
from macmeter.database import Databases
from macmeter.offload.pool import Pool

T = TypeVar("T")
Json = dict[str, Any]
Query = Callable[..., Awaitable[Json]]

# What a process needs for its first job.
MODULES = ("macmeter.api.charts", "macmeter.api.comparisons", "macmeter.api.residency")


class Questions:
    """Answers questions of these databases in the processes of `pool`."""

    def __init__(self, pool: Pool, databases: Databases) -> None:
        self._pool = pool
        self._databases = databases

    async def ask(self, job: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        """What `job(databases, *arguments)` returns, or the Problem that it raises."""
        return await self._pool.run(job, self._databases, *arguments)


async def json_of(databases: Databases, query: Query, *arguments: Any) -> Response:
    """The result of `query(connection, *arguments)` as JSON, all of one moment."""
    async with databases.snapshot() as connection:
        return json_response(await query(connection, *arguments))


async def csv_of(databases: Databases, name: str, query: Query, *arguments: Any) -> Response:
    """An answer as CSV."""
    async with databases.snapshot() as connection:
        return csv_response(await query(connection, *arguments), name)


async def lines_of(
    databases: Databases,
    name: str,
    write: Callable[[Json], str],
    query: Query,
    *arguments: Any,
) -> Response:
    """What `write` makes of the result of `query`, as CSV."""
    async with databases.snapshot() as connection:
        return lines_response(write(await query(connection, *arguments)), name)
