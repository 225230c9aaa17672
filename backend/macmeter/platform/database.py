"""The way to PostgreSQL: engines, sessions and the schema's version."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import psycopg
from psycopg.pq import Format
from psycopg.types.json import set_json_loads
from sqlalchemy import Connection, NullPool, Row, create_engine, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from macmeter import Json
from macmeter.platform.telemetry import cost

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

# In an installed package; in a checkout they are beside the backend.
_PACKED = Path(__file__).resolve().parents[1] / "migrations"
MIGRATIONS = _PACKED if _PACKED.is_dir() else Path(__file__).resolve().parents[3] / "migrations"

_DRIVER = "postgresql+psycopg://"
_SEVERAL_HOSTS = re.compile(
    r"(?P<start>[\w+]+://(?:[^@/]*@)?)(?P<hosts>[^/?@]*,[^/?@]*)(?P<path>/[^?]*)?(?:\?(?P<query>.*))?"
)
_POOL_SECONDS = 3.0
# Where a reader's first host was lost and has come back, it is read again after so long.
_READING_SECONDS = 300
_ALWAYS = "-c timezone=UTC -c statement_timeout=60s"
# A lock that a reader waits for is a migration's or an administrator's.
_READING = (
    # All that a transaction reads is of one moment: counts and figures of one answer agree.
    r"-c default_transaction_isolation=repeatable\ read "
    "-c lock_timeout=5s -c default_transaction_read_only=on "
    "-c client_connection_check_interval=1s"
)


# Up to here each integer is a number of its own in JSON.
_EXACT = 2**53
_TIME = psycopg.adapters.types["timestamptz"]


class _AnyTime(psycopg.adapt.Loader):
    """A time of PostgreSQL's, or where Python has none so early or late, its first or last one.

    One such row would else be the end of every answer that reads it among others.
    """

    _known = psycopg.adapters.get_loader(_TIME.oid, Format.TEXT)

    def __init__(self, oid: int, context: Any = None) -> None:
        super().__init__(oid, context)
        assert self._known is not None
        self._load = self._known(oid, context).load

    def load(self, data: Any) -> datetime:
        try:
            return cast(datetime, self._load(data))
        except psycopg.DataError:
            written = bytes(data)
            is_past = written.startswith(b"-") or written.endswith(b"BC")
            return (datetime.min if is_past else datetime.max).replace(tzinfo=UTC)


def _number(digits: str) -> float:
    """PostgreSQL writes 1e25 in jsonb as 26 digits, and no JSON writer takes such integers."""
    if len(digits) <= len(str(_EXACT)) and abs(whole := int(digits)) <= _EXACT:
        return whole
    return float(digits)


psycopg.adapters.register_loader(_TIME.oid, _AnyTime)
set_json_loads(partial(json.loads, parse_int=_number))


def normalise(url: str) -> str:
    """`url` with the one driver we use; postgres:// and postgresql:// mean the same.

    Several hosts, as PostgreSQL's own programs take them, become SQLAlchemy's.
    """
    for scheme in ("postgres://", "postgresql://"):
        if url.startswith(scheme):
            url = _DRIVER + url.removeprefix(scheme)
    if (several := _SEVERAL_HOSTS.fullmatch(url)) is None:
        return url
    hosts = "&".join(f"host={host}" for host in several["hosts"].split(","))
    more = f"&{several['query']}" if several["query"] else ""
    return f"{several['start']}{several['path'] or '/'}?{hosts}{more}"


def connection_options(url: str) -> Json:
    """The same address in libpq's own words: host, port, dbname …"""
    parts = make_url(normalise(url))
    _, options = parts.get_dialect()().create_connect_args(parts)
    return dict(options)


def engine(url: str, *, pool_size: int = 10, options: str = "", lives: int = -1) -> AsyncEngine:
    """An engine whose connections answer in UTC and give up on a statement after a minute.

    Whoever gets no connection within seconds is refused rather than kept waiting. A connection
    that `lives` seconds is replaced.
    """
    made = create_async_engine(
        normalise(url),
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=_POOL_SECONDS,
        pool_recycle=lives,
        use_native_hstore=False,  # no column is one, and each engine would look for the type
        connect_args={
            "options": f"{_ALWAYS} {options}",
            "connect_timeout": 5,
        },
    )
    return cost.count_statements(made)


async def connect(url: str, options: str = "") -> psycopg.AsyncConnection[Any]:
    """A connection of the driver's own, for what is asked too often for an engine.

    Each statement is a transaction, bounded in time as those of `engine`.
    """
    return await psycopg.AsyncConnection.connect(
        **connection_options(url)
        | {"autocommit": True, "options": f"{_ALWAYS} {options}", "connect_timeout": 5}
    )


class DriverConnection:
    """Such a connection, made when first needed, and again after it broke."""

    def __init__(self, url: str, options: str = "") -> None:
        self._url, self._options = url, options
        self._driver: psycopg.AsyncConnection[Any] | None = None

    @property
    def closed(self) -> bool:
        return self._driver is None or self._driver.closed

    async def open(self) -> psycopg.AsyncConnection[Any]:
        if self._driver is None or self._driver.closed:
            self._driver = await connect(self._url, self._options)
        return self._driver

    async def close(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            with contextlib.suppress(psycopg.Error):
                await driver.close()


def reading_engine(url: str, *, pool_size: int = 6, seconds: int = 15) -> AsyncEngine:
    """An engine for what anybody may ask: bounded in time, and unable to write."""
    options = f"{_READING} -c statement_timeout={seconds}s"
    return engine(url, pool_size=pool_size, options=options, lives=_READING_SECONDS)


@contextlib.asynccontextmanager
async def beside(
    url: str, dataset: Path | None = None, writers: int = 1
) -> AsyncIterator[tuple[AsyncEngine, AsyncEngine]]:
    """For work that nobody waits for: one to read all of one moment, and one that may write, by so
    many connections.
    """
    reading, writing = reading_engine(url, pool_size=1, seconds=600), engine(url, pool_size=writers)
    try:
        yield reading.execution_options(dataset=dataset), writing
    finally:
        await asyncio.gather(reading.dispose(), writing.dispose())


@dataclass(frozen=True)
class Databases:
    """Where both are, for a process that has connections of its own: it keeps one to each."""

    writing: str
    reading: str
    dataset: Path | None = None
    """Where the data set is written; None where nobody does."""

    @property
    def has_replica(self) -> bool:
        """Whether what is read may be behind what is written."""
        return self.reading != self.writing

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """All that is read through it is of one moment: what was committed by now."""
        await _end_moment(self)
        async with self._connected() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def recent(self) -> AsyncIterator[AsyncConnection]:
        """A `snapshot` at most RECENT_SECONDS old that other readers share, one after another. The
        connection's option `moment` is when it was taken.
        """
        async with _turns.setdefault(self, asyncio.Lock()):
            held = _moments.get(self)
            if held is None or held.age > RECENT_SECONDS:
                await _end_moment(self)
                held = _moments[self] = await _Moment.of(self._connected())
            held.is_read = True
            try:
                yield held.connection
            except BaseException:
                held.ended = True  # its transaction may be broken
                raise
            finally:
                held.is_read = False
                if held.ended:
                    await _end_moment(self)

    @contextlib.asynccontextmanager
    async def _connected(self) -> AsyncIterator[AsyncConnection]:
        engine = (await _kept(self.reading, "snapshot")).execution_options(
            dataset=self.dataset, replica=self.has_replica
        )
        async with engine.connect() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def latest(self) -> AsyncIterator[AsyncConnection]:
        """To read what was written a moment ago, which a replica may not have yet."""
        await _end_moment(self)
        engine = await _kept(self.writing, "snapshot")
        async with engine.execution_options(dataset=self.dataset).connect() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        """A transaction that may write."""
        async with (await _kept(self.writing, "writing")).begin() as connection:
            yield connection


RECENT_SECONDS = 0.5


@dataclass(eq=False)
class _Moment:
    """A transaction that is read of again and again."""

    connection: AsyncConnection
    began: float
    _stack: contextlib.AsyncExitStack
    is_read: bool = False
    ended: bool = False

    @classmethod
    async def of(cls, connected: AbstractAsyncContextManager[AsyncConnection]) -> _Moment:
        began, moment = time.monotonic(), datetime.now(UTC)
        stack = contextlib.AsyncExitStack()
        connection = await stack.enter_async_context(connected)
        await connection.execution_options(moment=moment)
        return cls(connection, began, stack)

    @property
    def age(self) -> float:
        """In seconds."""
        return time.monotonic() - self.began

    async def end(self) -> None:
        with contextlib.suppress(SQLAlchemyError):  # it may have been ended by PostgreSQL
            await self._stack.aclose()


_moments: dict[Databases, _Moment] = {}
_turns: dict[Databases, asyncio.Lock] = {}


async def end_moments() -> None:
    """Where nothing is read for a while: a transaction keeps what was deleted since."""
    for databases in [*_moments]:
        await _end_moment(databases)


async def _end_moment(databases: Databases) -> None:
    held = _moments.get(databases)
    if held is not None and held.is_read:
        held.ended = True
    elif held is not None:
        del _moments[databases]
        await held.end()


_engines: OrderedDict[tuple[str, str], AsyncEngine] = OrderedDict()
_MOST_ENGINES = 4


async def _kept(url: str, use: str) -> AsyncEngine:
    """This process's engine for that use, made when it is first needed."""
    key = (url, use)
    if key not in _engines:
        if use == "snapshot":
            made = reading_engine(url, pool_size=2)
            _engines[key] = made.execution_options(isolation_level="REPEATABLE READ")
        else:
            _engines[key] = engine(url, pool_size=1)
    _engines.move_to_end(key)
    while len(_engines) > _MOST_ENGINES:
        _, oldest = _engines.popitem(last=False)
        await oldest.dispose()
    return _engines[key]


@contextlib.contextmanager
def begun(url: str, **options: Any) -> Iterator[Connection]:
    """A transaction for a command, on a connection of its own; committed at its end."""
    with create_engine(normalise(url), poolclass=NullPool, **options).begin() as connection:
        yield connection


def migrate(url: str, revision: str = "head") -> None:
    """Bring the schema to `revision`; quick when it is there already."""
    from alembic import command  # here and below: 8 MB that a server needs at its start alone

    # Not pooled: what a migration has set or locked ends with its connection.
    blocking = create_engine(normalise(url), poolclass=NullPool)
    with blocking.connect() as connection:
        command.upgrade(_config(connection), revision)


def current_revision(connection: Connection) -> str | None:
    """The revision of the schema; None in a database that has none."""
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str | None:
    """The revision that this version needs."""
    return _scripts().get_current_head()


def knows_revision(revision: str) -> bool:
    """Whether it is this version's or an older one's: `migrate` brings such a schema up to date."""
    return revision in {script.revision for script in _scripts().walk_revisions()}


def _scripts() -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(MIGRATIONS))


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(MIGRATIONS / "alembic.ini")
    config.attributes["connection"] = connection
    return config


def as_json(row: Row[*tuple[Any, ...]], **more: object) -> Any:
    """A row's columns by name, with ids and times as JSON has them; `more` beside or over these."""
    # Some names are of SQLAlchemy's own kinds of str, which orjson takes for no keys.
    return {str(name): _json_value(value) for name, value in row._mapping.items()} | more


def _json_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value
