"""Jobs for worker processes: questions and their responses."""

from collections.abc import Awaitable, Callable, Hashable
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from fastapi.responses import Response
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.names import names_visible_to
from macmeter.accounts.people import Member
from macmeter.accounts.scope import Principal
from macmeter.accounts.tokens import DEVICE, TokenPrincipal
from macmeter.charts.filters import values_in_words
from macmeter.charts.pictures.picture import Picture
from macmeter.platform.changelog import find_log, remember_log
from macmeter.platform.database import Databases
from macmeter.platform.telemetry import counters
from macmeter.platform.worker_pool import Pool
from macmeter.questions.compare import compare_of
from macmeter.questions.export import sides_to_csv, to_csv
from macmeter.questions.sides import SidesQuestion
from macmeter.results.context import as_of, begin_reading
from macmeter.results.dataset.files import OutrunError
from macmeter.schemas.answer import Answer
from macmeter.schemas.sides import Compared, compares_sides
from macmeter.server.answer_cache import MAX_BYTES, AnswerCache, Versions
from macmeter.server.http.responses import ReadyResponse, csv_response, json_response

T = TypeVar("T")
P = ParamSpec("P")
Query = Callable[..., Awaitable[T]]

# Modules that a process needs for its first job.
MODULES = (
    "macmeter.questions.router",
    "macmeter.questions.feeds_router",
    "macmeter.comparisons.router",
    "macmeter.comparisons.embeds_router",
    "macmeter.charts.router",
    "macmeter.server.pages_router",
)


class Questions:
    """Question answering in the processes of `pool`, with a cache of answers."""

    def __init__(self, pool: Pool, databases: Databases, workers: int = 1) -> None:
        """Share the room for answers among the server's `workers`, each with a pool and a cache."""
        self._pool = pool
        self._databases = databases
        self._versions = Versions(databases.reading)
        self._cache: AnswerCache[Any] = AnswerCache(
            self._versions, _size_of, MAX_BYTES // workers, _identity_of
        )

    async def close(self) -> None:
        await self._cache.close()
        await self._versions.close()

    async def ask(self, job: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        """Return the result of `job(databases, *arguments)`, or raise its Problem."""
        return await self._pool.run(job, self._databases, *arguments)

    async def answer(
        self, job: Callable[..., Awaitable[T]], *arguments: Any, now: datetime | None = None
    ) -> T:
        """Return the result of `job(connection, *arguments)`, with `now` appended if given.

        It is cached for all who may see the same and ask the same, until something changes.
        """
        complete = arguments if now is None else (*arguments, now)
        was_kept = True

        def work() -> Awaitable[tuple[T, str]]:
            nonlocal was_kept
            was_kept = False
            # Versions then follow each other so fast that an answer may skip some.
            runner = of_recent_moment if self._versions.is_streaming else of_one_moment
            return self.ask(runner, job, *complete)

        result: T = await self._cache.get((job, *map(_cache_key, arguments)), work)
        counters.own().add("macmeter_answers_total", f'kept="{"yes" if was_kept else "no"}"')
        return _copy(result)

    async def send(
        self,
        query: Query[T],
        *arguments: Any,
        tell: Callable[[T], Any] | None = None,
        now: datetime | None = None,
    ) -> Response:
        """Return what `tell` makes of the result of `query(connection, *arguments)`, cached.

        `tell` makes a response, or the content of one.
        """
        return await self.answer(_sent, query, tell, *arguments, now=now)


def _cache_key(argument: Any) -> Any:
    """Cache key of an argument: of a reader, only their permissions."""
    if isinstance(argument, Member):
        # Members of no fleet share the public's answers.
        fleets = [
            (p.fleet_id, p.fleet_name, p.naming, p.machines_sha256) for p in argument.fleet_access
        ]
        return frozenset(fleets) or None
    if not isinstance(argument, TokenPrincipal):
        return argument
    return ("device", argument.token_id) if argument.scope == DEVICE else argument.fleet_id


def _copy(response: T) -> T:
    """Copy a response, so that middleware may write into it."""
    if isinstance(response, Response):
        response = copy(response)
        response.raw_headers = [*response.raw_headers]
    return response


def _size_of(answer: Response | Picture) -> int:
    if not isinstance(answer, Response):
        return len(answer.svg)
    return len(answer.body) + len(getattr(answer, "gzipped", None) or b"")


def _identity_of(answer: Response | Picture) -> Hashable:
    """Identity of a result: its ETag, which leaves `as_of` out, or its content."""
    if not isinstance(answer, Response):
        return answer.svg
    return answer.headers.get("etag") or (answer.status_code, bytes(answer.body))


def _retried(ask: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Retry once if the files of the data set overtook the snapshot."""

    @wraps(ask)
    async def retrying(*arguments: P.args, **keywords: P.kwargs) -> T:
        try:
            return await ask(*arguments, **keywords)
        except OutrunError:
            return await ask(*arguments, **keywords)

    return retrying


@_retried
async def of_one_moment(
    databases: Databases, job: Callable[..., Awaitable[T]], *arguments: Any
) -> tuple[T, str]:
    """Return the result of `job(connection, *arguments)`, and the version of the data it saw."""
    async with databases.snapshot() as connection:
        if databases.has_replica:
            log = await find_log(connection)
            # Another snapshot: the version has what the replica replayed meanwhile, the first one
            # maybe not.
            await connection.rollback()
        else:
            log = await remember_log(connection)
        async with names_visible_to(connection, arguments):
            result = await job(connection, *arguments)
    return _packed(result), log.version


@_retried
async def of_recent_moment(
    databases: Databases, job: Callable[..., Awaitable[T]], *arguments: Any
) -> tuple[T, str]:
    """Do what `of_one_moment` does, in a snapshot that several questions share.

    What they all have to look up, and what came since the last one, is read once.
    """
    if databases.has_replica:
        return await of_one_moment(databases, job, *arguments)
    async with databases.recent() as connection:
        log = await remember_log(connection)
        async with names_visible_to(connection, arguments):
            result = await job(connection, *arguments)
    return _packed(result), log.version


def _packed(response: T) -> T:
    """Compress a response here, in the worker, where nobody else has to wait."""
    if isinstance(response, ReadyResponse):
        response.compress()
    return response


async def _sent(
    connection: AsyncConnection, query: Query[T], tell: Callable[[T], Any] | None, *arguments: Any
) -> Response:
    response: Any = await query(connection, *arguments)
    if tell is not None:
        response = tell(response)
    return response if isinstance(response, Response) else json_response(response)


async def compared(
    connection: AsyncConnection, question: SidesQuestion, reader: Principal | None, now: datetime
) -> Compared:
    """Compare sides, each with a name."""
    moment = await as_of(connection, now)
    reading = await begin_reading(connection, reader)
    return await compare_of(reading, question, moment, values_in_words, includes_bias=True)


@dataclass(frozen=True)
class AsCsv:
    """CSV file of an answer or of sides, marked if it has private figures."""

    name: str
    private: str | None

    def __call__(self, answer: Answer | Compared) -> Response:
        if compares_sides(answer):
            return csv_response(sides_to_csv(answer, self.private), self.name)
        return csv_response(to_csv(answer, self.private), self.name)
