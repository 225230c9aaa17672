"""Jobs for other processes: questions and their responses."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from fastapi.responses import Response
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.people import Member
from macmeter.accounts.scope import Asker
from macmeter.accounts.tokens import DEVICE, Bearer
from macmeter.charts.filters import values_in_words
from macmeter.charts.pictures.picture import Picture
from macmeter.platform.changelog import find_log, keep_log
from macmeter.platform.database import Databases
from macmeter.platform.telemetry import counters
from macmeter.platform.worker_pool import Pool
from macmeter.questions.cache import ROOM, Answers, Versions
from macmeter.questions.compare import compare
from macmeter.questions.export import sides_to_csv, to_csv
from macmeter.questions.sides import SidesQuestion
from macmeter.results.dataset.files import OutrunError
from macmeter.schemas.answer import Answer
from macmeter.schemas.sides import Compared, is_sides
from macmeter.server.http.responses import ReadyResponse, csv_response, json_response

T = TypeVar("T")
P = ParamSpec("P")
Query = Callable[..., Awaitable[T]]

# What a process needs for its first job.
MODULES = (
    "macmeter.questions.router",
    "macmeter.questions.feeds_router",
    "macmeter.comparisons.router",
    "macmeter.comparisons.embeds_router",
    "macmeter.charts.router",
    "macmeter.server.pages_router",
)


class Questions:
    """Answers questions of these databases in the processes of `pool`, and keeps the answers."""

    def __init__(self, pool: Pool, databases: Databases, workers: int = 1) -> None:
        """`workers`: as many share the room for answers."""
        self._pool = pool
        self._databases = databases
        self._versions = Versions(databases.reading)
        self._kept: Answers[Any] = Answers(self._versions, _size_of, ROOM // workers, _identity_of)

    async def close(self) -> None:
        await self._kept.close()
        await self._versions.close()

    async def ask(self, job: Callable[..., Awaitable[T]], *arguments: Any) -> T:
        """What `job(databases, *arguments)` returns, or the Problem that it raises."""
        return await self._pool.run(job, self._databases, *arguments)

    async def answer(
        self, job: Callable[..., Awaitable[T]], *arguments: Any, now: datetime | None = None
    ) -> T:
        """What `job(connection, *arguments)` returns, followed by `now` where it is given.

        It is kept for all who may see the same and ask the same, until something changes.
        """
        given = arguments if now is None else (*arguments, now)
        was_kept = True

        def work() -> Awaitable[tuple[T, str]]:
            nonlocal was_kept
            was_kept = False
            # Then not every version is in an answer.
            of = of_recent_moment if self._versions.is_streaming else of_one_moment
            return self.ask(of, job, *given)

        found: T = await self._kept.of((job, *map(_asked, arguments)), work)
        counters.own().add("macmeter_answers_total", f'kept="{"yes" if was_kept else "no"}"')
        return _own(found)

    async def send(
        self,
        query: Query[T],
        *arguments: Any,
        tell: Callable[[T], Any] | None = None,
        now: datetime | None = None,
    ) -> Response:
        """What `tell` makes of the result of `query(connection, *arguments)`, kept: a response, or
        the content of one.
        """
        return await self.answer(_sent, query, tell, *arguments, now=now)


def _asked(argument: Any) -> Any:
    """The part of whoever asks that decides on what may be seen."""
    if isinstance(argument, Member):
        # The public's answers are anybody's who is in no fleet.
        return frozenset((p.fleet_id, p.fleet_name) for p in argument.places) or None
    if not isinstance(argument, Bearer):
        return argument
    return ("device", argument.token_id) if argument.scope == DEVICE else argument.fleet_id


def _own(found: T) -> T:
    """A response that middleware may write into."""
    if isinstance(found, Response):
        found = copy(found)
        found.raw_headers = [*found.raw_headers]
    return found


def _size_of(found: Response | Picture) -> int:
    if not isinstance(found, Response):
        return len(found.svg)
    return len(found.body) + len(getattr(found, "packed", None) or b"")


def _identity_of(found: Response | Picture) -> Hashable:
    """Its tag, which leaves `as_of` out, or all that it says."""
    if not isinstance(found, Response):
        return found.svg
    return found.headers.get("etag") or (found.status_code, bytes(found.body))


def _once_more(ask: Callable[P, Awaitable[T]]) -> Callable[P, Awaitable[T]]:
    """Retry in a later moment, where the data set that it waited for was written meanwhile."""

    @wraps(ask)
    async def asked(*arguments: P.args, **named: P.kwargs) -> T:
        try:
            return await ask(*arguments, **named)
        except OutrunError:
            return await ask(*arguments, **named)

    return asked


@_once_more
async def of_one_moment(
    databases: Databases, job: Callable[..., Awaitable[T]], *arguments: Any
) -> tuple[T, str]:
    """What `job(connection, *arguments)` returns, and the version of the data that it saw."""
    async with databases.snapshot() as connection:
        if databases.has_replica:
            log = await find_log(connection)
            # What it replayed while it was asked is in the version, and maybe not in the snapshot.
            await connection.rollback()
        else:
            log = await keep_log(connection)
        found = await job(connection, *arguments)
    return _packed(found), log.version


@_once_more
async def of_recent_moment(
    databases: Databases, job: Callable[..., Awaitable[T]], *arguments: Any
) -> tuple[T, str]:
    """Do what `of_one_moment` does, in a moment that several questions share: what they all have to
    look up, and what came since the last one, is read once.
    """
    if databases.has_replica:
        return await of_one_moment(databases, job, *arguments)
    async with databases.recent() as connection:
        log = await keep_log(connection)
        found = await job(connection, *arguments)
    return _packed(found), log.version


def _packed(found: T) -> T:
    """Here, where nobody else waits meanwhile."""
    if isinstance(found, ReadyResponse):
        found.pack()
    return found


async def _sent(
    connection: AsyncConnection, query: Query[T], tell: Callable[[T], Any] | None, *arguments: Any
) -> Response:
    found: Any = await query(connection, *arguments)
    if tell is not None:
        found = tell(found)
    return found if isinstance(found, Response) else json_response(found)


async def compared(
    connection: AsyncConnection, asked: SidesQuestion, reader: Asker | None, now: datetime
) -> Compared:
    """Sides beside one another, each with a name."""
    return await compare(connection, asked, reader, now, values_in_words)


@dataclass(frozen=True)
class AsCsv:
    """Makes a file of an answer, or of sides beside one another, marked where it has private
    figures.
    """

    name: str
    private: str | None

    def __call__(self, found: Answer | Compared) -> Response:
        if is_sides(found):
            return csv_response(sides_to_csv(found, self.private), self.name)
        return csv_response(to_csv(found, self.private), self.name)
