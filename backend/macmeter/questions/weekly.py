"""Answers as of the end of each of the last weeks."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Generic, TypeVar

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.accounts.scope import Principal
from macmeter.results.context import Reading, begin_reading
from macmeter.results.matching_runs import matching_runs

T = TypeVar("T")

# Each week needs an answer of its own, and feed readers poll every hour or day.
WEEKS = 8
_WEEK = timedelta(weeks=1)


@dataclass(frozen=True)
class Week(Generic[T]):
    """A week from Monday 0:00 UTC, with the answers before and after it."""

    begins: datetime
    ends: datetime
    before: T
    after: T


def monday(now: datetime) -> datetime:
    """Return the last Monday, 0:00 UTC: the end of the last complete week."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())


async def weekly_answers(
    connection: AsyncConnection,
    reader: Principal | None,
    until: datetime,
    answer_at: Callable[[Reading, datetime], Awaitable[T]],
) -> list[Week[T]]:
    """Return the WEEKS weeks before `until`, a Monday, in which runs arrived, newest first.

    Answers include the runs that had arrived by then and still exist, with today's derivation: runs
    deleted or withdrawn since are in none.
    """
    reading = await begin_reading(connection, reader)
    weeks: list[Week[T]] = []
    previous: tuple[int, T] | None = None
    for number in range(WEEKS, -1, -1):
        moment = until - _WEEK * number
        then = replace(reading, data=replace(reading.data, until=moment))
        runs = matching_runs(then, ()).count()
        if previous is not None and previous[0] == runs:
            continue
        answer = await answer_at(then, moment)
        if previous is not None:
            weeks.append(Week(moment - _WEEK, moment, previous[1], answer))
        previous = (runs, answer)
    return weeks[::-1]
