"""Isolation of items of several owners: a failing item is recorded and delays no other.

Every loop over several people's fleets, runs, deliveries or lines of files takes its items through
here. Any exception ends only its item, since nobody can list what arbitrary data may raise. The
loop itself ends only where no item is at fault, because the database is away or full.
"""

import asyncio
import contextlib
import traceback
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, TypeVar

from sqlalchemy import delete, func, select, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.models import Failure
from macmeter.platform.database_errors import CANCELLED, concerns_all, first_line, sqlstate
from macmeter.platform.errors import ItemError, Problem, invalid
from macmeter.platform.telemetry.logs import print_log_line

# Kinds of work, as operators see them.
ALERTS, DOCUMENTS, OUTLIERS, RETENTION = "alerts", "documents", "outliers", "retention"
WORK = (ALERTS, DOCUMENTS, OUTLIERS, RETENTION)
# Work that is retried automatically; a document is read on request.
RETRIED = (ALERTS, OUTLIERS, RETENTION)
# Another version may have recorded work that this one doesn't know.
_KNOWN = Failure.work.in_(WORK)

T = TypeVar("T")
R = TypeVar("R")

# Exponential back-off.
_RECORD = text("""
    INSERT INTO failures (work, item, reason, attempts, first_at, last_at, retry_at)
    VALUES (:work, :item, :reason, 1, CAST(:now AS timestamptz), :now, :now + interval '1 minute')
    ON CONFLICT (work, item) DO UPDATE SET
        reason = excluded.reason, attempts = failures.attempts + 1, last_at = excluded.last_at,
        retry_at = excluded.last_at
            + least(interval '1 minute' * 2 ^ least(failures.attempts, 20), interval '6 hours')
""")
# Failures are dropped after this time without another: the item may be gone.
KEPT = timedelta(days=7)
_LONGEST_REASON = 500


class Isolated:
    """Items of one loop, with the reasons of those that failed."""

    def __init__(self, work: str, *, quiet: bool = False) -> None:
        """Name the loop `work` in the log, in /metrics and on the server admins' page.

        `quiet` skips the log, for callers who are shown each failure.
        """
        self.work, self._quiet = work, quiet
        self.failed: dict[str, str] = {}
        """Reasons by item."""

    @contextlib.contextmanager
    def item(self, item: object) -> Iterator[None]:
        """Run the block for this item; an exception ends the block and is recorded."""
        try:
            yield
        except Exception as error:
            if concerns_all(error):
                raise
            self.failed[str(item)] = reason_of(error)
            if not self._quiet:
                _tell(self.work, item, error)

    async def together(
        self,
        items: Sequence[T],
        work: Callable[[Sequence[T]], Awaitable[R]],
        name: Callable[[T], object] = str,
    ) -> list[R]:
        """Return `work` of all items at once, or if that fails, of each alone."""
        try:
            return [await work(items)]
        except Exception as error:
            if concerns_all(error):
                raise
        results = []
        for item in items:
            with self.item(name(item)):
                results.append(await work([item]))
        return results


@contextlib.contextmanager
def refused(work: str, item: object, refusal: Problem | None = None) -> Iterator[None]:
    """Turn any exception of the block, which handles somebody's input or rows, into a refusal: by
    default 422 with the reason.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, Problem) or concerns_all(error) or sqlstate(error) == CANCELLED:
            raise
        _tell(work, item, error)
        raise refusal or invalid("", reason_of(error), "unreadable") from None


def _tell(work: str, item: object, error: Exception) -> None:
    print_log_line(f"{work} of {item} failed, others go on: {reason_of(error)}{_place_of(error)}")


def reason_of(error: BaseException) -> str:
    """Return the reason in one line for people."""
    if isinstance(error, Problem):
        reason = error.detail
    elif isinstance(error, DBAPIError):
        reason = first_line(error)
    elif isinstance(error, (ItemError, OSError)):
        reason = str(error) or type(error).__name__
    else:
        reason = f"{type(error).__name__}: {error}"
    return " ".join(reason.split())[:_LONGEST_REASON]


def _place_of(error: BaseException) -> str:
    """Return where our code raised an unexpected error, for whoever fixes it."""
    if isinstance(error, (ItemError, Problem)):
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if "macmeter" in frame.filename and frame.name != "item"]
    return f" ({own[-1].filename.rpartition('macmeter/')[2]}:{own[-1].lineno})" if own else ""


async def forever(
    name: str, work: Callable[[], Awaitable[object]], every: float, retry: float
) -> None:
    """Call `work` every `every` seconds; after a failure, which is logged, in `retry` seconds."""
    while True:
        try:
            await work()
        except Exception as error:
            print_log_line(f"{name} later: {reason_of(error)}")
            await asyncio.sleep(retry)
        else:
            await asyncio.sleep(every)


# --- failures, for retries and for the server's admins


class Failing(NamedTuple):
    """An item whose last attempt failed."""

    work: str
    item: str
    reason: str
    attempts: int
    first_at: datetime
    last_at: datetime
    retry_at: datetime


async def record(
    connection: AsyncConnection, work: str, failed: Mapping[str, str], now: datetime
) -> None:
    """Record failures and when to retry each, with back-off."""
    rows = [
        {"work": work, "item": item, "reason": _storable(reason), "now": now}
        for item, reason in sorted(failed.items())
    ]
    if rows:
        await connection.execute(_RECORD, rows)


async def settle(connection: AsyncConnection, work: str, items: Iterable[object]) -> None:
    """Delete the failures of these items, which have succeeded."""
    settled = Failure.item.in_([str(item) for item in items])
    await connection.execute(delete(Failure).where(Failure.work == work, settled))


async def held_back(connection: AsyncConnection, work: str, now: datetime) -> set[str]:
    """Return the items that must not be retried yet."""
    query = select(Failure.item).where(Failure.work == work, Failure.retry_at > now)
    return set(await connection.scalars(query))


async def due_again(connection: AsyncConnection, work: str, now: datetime) -> list[str]:
    """Return the items to retry."""
    query = select(Failure.item).where(Failure.work == work, Failure.retry_at <= now)
    return list(await connection.scalars(query.order_by(Failure.item)))


async def failing(connection: AsyncConnection, most: int) -> list[Failing]:
    """Return the latest failures, newest first."""
    query = select(*(getattr(Failure, name) for name in Failing._fields))
    query = query.where(_KNOWN).order_by(Failure.last_at.desc(), Failure.item)
    rows = await connection.execute(query.limit(most))
    return [Failing._make(row) for row in rows]


async def how_many_in_all(connection: AsyncConnection) -> int:
    query = select(func.count()).select_from(Failure).where(_KNOWN)
    return await connection.scalar(query) or 0


async def how_many_fail(connection: AsyncConnection) -> dict[str, int]:
    """Count failing items by kind of work."""
    query = select(Failure.work, func.count()).group_by(Failure.work)
    counts = {row.work: row[1] for row in await connection.execute(query)}
    return {work: counts.get(work, 0) for work in WORK}


async def forget_old(connection: AsyncConnection, now: datetime) -> None:
    """Delete failures that haven't recurred for a while: their items are probably gone."""
    await connection.execute(delete(Failure).where(Failure.last_at < now - KEPT))


def _storable(reason: str) -> str:
    """Replace what PostgreSQL's text can't hold."""
    return reason.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
