"""Access to PostgreSQL: engines, connections and the schema's version."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import time
import uuid
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import psycopg
from psycopg.pq import Format
from psycopg.types.json import set_json_loads
from sqlalchemy import Connection, NullPool, Row, create_engine, make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from macmeter import Json
from macmeter.platform.spark import Cluster
from macmeter.platform.telemetry import cost

if TYPE_CHECKING:
    from alembic.config import Config
    from alembic.script import ScriptDirectory

# Part of an installed package; in a checkout, next to the backend.
_PACKED = Path(__file__).resolve().parents[1] / "migrations"
MIGRATIONS = _PACKED if _PACKED.is_dir() else Path(__file__).resolve().parents[3] / "migrations"

_DRIVER = "postgresql+psycopg://"
_SEVERAL_HOSTS = re.compile(
    r"(?P<start>[\w+]+://(?:[^@/]*@)?)(?P<hosts>[^/?@]*,[^/?@]*)(?P<path>/[^?]*)?(?:\?(?P<query>.*))?"
)
_POOL_SECONDS = 3.0
# Within this time a database must accept a connection, unless libpq's own variable says otherwise.
_CONNECTING: Json = {} if os.environ.get("PGCONNECT_TIMEOUT") else {"connect_timeout": 5}
# After a failover, readers return to their first host within this time.
_READING_SECONDS = 300
_ALWAYS = "-c timezone=UTC -c statement_timeout=60s"
# A lock that a reader waits for is a migration's or an administrator's.
_READING = (
    # One snapshot per transaction: counts and figures of an answer agree.
    r"-c default_transaction_isolation=repeatable\ read "
    "-c lock_timeout=5s -c default_transaction_read_only=on "
    "-c client_connection_check_interval=1s"
)


# Largest magnitude up to which JSON numbers represent every integer exactly.
_EXACT = 2**53
_TIME = psycopg.adapters.types["timestamptz"]


class _AnyTime(psycopg.adapt.Loader):
    """Loader of timestamps; one out of Python's range becomes its first or last.

    Otherwise one such row would break every answer that reads it.
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
    """Parse an integer. PostgreSQL prints 1e25 in jsonb as 26 digits, which JSON writers refuse."""
    if len(digits) <= len(str(_EXACT)) and abs(whole := int(digits)) <= _EXACT:
        return whole
    return float(digits)


# `json.loads` with an option makes a decoder for each value, which takes longer than to read it.
_decoder = json.JSONDecoder(parse_int=_number)


def _load_json(written: str | bytes) -> Any:
    return _decoder.decode(written if isinstance(written, str) else written.decode())


psycopg.adapters.register_loader(_TIME.oid, _AnyTime)
set_json_loads(_load_json)


def normalise(url: str) -> str:
    """Return `url` with our one driver; postgres:// and postgresql:// are equivalent.

    Converts several hosts from libpq's syntax to SQLAlchemy's.
    """
    for scheme in ("postgres://", "postgresql://"):
        if url.startswith(scheme):
            url = _DRIVER + url.removeprefix(scheme)
    if (several := _SEVERAL_HOSTS.fullmatch(url)) is None:
        return url
    hosts = "&".join(f"host={host}" for host in several["hosts"].split(","))
    query = f"&{several['query']}" if several["query"] else ""
    return f"{several['start']}{several['path'] or '/'}?{hosts}{query}"


def connection_options(url: str) -> Json:
    """Return the URL's parts as libpq parameters: host, port, dbname …"""
    parsed = make_url(normalise(url))
    _, options = parsed.get_dialect()().create_connect_args(parsed)
    return dict(options)


def engine(
    url: str, *, pool_size: int = 10, options: str = "", lives: int = -1, patience: float = 1
) -> AsyncEngine:
    """Create an engine whose connections use UTC and cancel a statement after a minute.

    Checking out fails after a few seconds without a free connection, times `patience`. A connection
    is replaced after `lives` seconds.
    """
    created = create_async_engine(
        normalise(url),
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=_POOL_SECONDS * patience,
        pool_recycle=lives,
        use_native_hstore=False,  # no column uses it, and each engine would look the type up
        connect_args={"options": f"{_ALWAYS} {options}", **_CONNECTING},
    )
    return cost.count_statements(created)


async def connect(url: str, options: str = "") -> psycopg.AsyncConnection[Any]:
    """Open a connection of the driver's own, for queries too frequent for an engine.

    Autocommits each statement, with the same timeouts as `engine`.
    """
    return await psycopg.AsyncConnection.connect(
        **connection_options(url)
        | {"autocommit": True, "options": f"{_ALWAYS} {options}", **_CONNECTING}
    )


class DriverConnection:
    """Driver connection that opens when first needed, and again after it broke."""

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


def reading_engine(
    url: str, *, pool_size: int = 6, seconds: int = 15, patience: float = 1
) -> AsyncEngine:
    """Create an engine for public queries: bounded in time and read-only."""
    return engine(
        url,
        pool_size=pool_size,
        options=f"{_READING} -c statement_timeout={seconds}s",
        lives=_READING_SECONDS,
        patience=patience,
    )


@contextlib.asynccontextmanager
async def beside(
    url: str, dataset: Path | None = None, writers: int = 1
) -> AsyncIterator[tuple[AsyncEngine, AsyncEngine]]:
    """Yield two engines for background work: one with a consistent snapshot for reading, and one
    for writing with `writers` connections.
    """
    reading, writing = reading_engine(url, pool_size=1, seconds=600), engine(url, pool_size=writers)
    try:
        yield reading.execution_options(dataset=dataset), writing
    finally:
        await asyncio.gather(reading.dispose(), writing.dispose())


@dataclass(frozen=True)
class Databases:
    """URLs of both databases. Each process that uses them keeps one connection to each."""

    writing: str
    reading: str
    dataset: Path | None = None
    """Directory of the shared data set; None if there isn't one."""
    cluster: Cluster | None = None
    """Cluster for questions about many results."""

    @property
    def has_replica(self) -> bool:
        """Whether reads may lag behind writes."""
        return self.reading != self.writing

    @contextlib.asynccontextmanager
    async def snapshot(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection that reads a consistent snapshot of everything committed by now."""
        await _end_moment(self)
        async with self._connected(self.reading) as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def recent(self) -> AsyncIterator[AsyncConnection]:
        """Yield a `snapshot` at most RECENT_SECONDS old, shared with other readers in turn. The
        connection's option `moment` is when it was taken.
        """
        async with _turns.setdefault(self, asyncio.Lock()):
            held = _moments.get(self)
            if held is None or held.age > RECENT_SECONDS:
                await _end_moment(self)
                held = _moments[self] = await _Moment.of(self._connected(self.reading))
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
    async def _connected(self, url: str) -> AsyncIterator[AsyncConnection]:
        engine = (await _cached_engine(url, "snapshot")).execution_options(
            dataset=self.dataset, cluster=self.cluster, replica=url != self.writing
        )
        async with engine.connect() as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def latest(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection for reading recent writes, which a replica may not have yet."""
        await _end_moment(self)
        async with self._connected(self.writing) as connection:
            yield connection

    @contextlib.asynccontextmanager
    async def begin(self) -> AsyncIterator[AsyncConnection]:
        """Yield a connection in a transaction that may write."""
        async with (await _cached_engine(self.writing, "writing")).begin() as connection:
            yield connection


RECENT_SECONDS = 0.5


@dataclass(eq=False)
class _Moment:
    """An open transaction that several readers use in turn."""

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
        """Age in seconds."""
        return time.monotonic() - self.began

    async def end(self) -> None:
        with contextlib.suppress(SQLAlchemyError):  # PostgreSQL may have ended it
            await self._stack.aclose()


_moments: dict[Databases, _Moment] = {}
_turns: dict[Databases, asyncio.Lock] = {}


async def end_moments() -> None:
    """Close idle snapshots: an open transaction keeps deleted rows from being vacuumed."""
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


async def _cached_engine(url: str, use: str) -> AsyncEngine:
    """Return this process's engine for that use, created on first use."""
    key = (url, use)
    if key not in _engines:
        if use == "snapshot":
            reading = reading_engine(url, pool_size=2)
            _engines[key] = reading.execution_options(isolation_level="REPEATABLE READ")
        else:
            _engines[key] = engine(url, pool_size=1)
    _engines.move_to_end(key)
    while len(_engines) > _MOST_ENGINES:
        _, oldest = _engines.popitem(last=False)
        await oldest.dispose()
    return _engines[key]


@contextlib.contextmanager
def begun(url: str, **options: Any) -> Iterator[Connection]:
    """Run a command's transaction on a connection of its own; commit at the end."""
    with create_engine(normalise(url), poolclass=NullPool, **options).begin() as connection:
        yield connection


def migrate(url: str, revision: str = "head") -> None:
    """Upgrade the schema to `revision`; quick if it is there already."""
    from alembic import command  # here and below: 8 MB that a server needs only at its start

    # Not pooled: settings and locks of a migration end with its connection.
    blocking = create_engine(normalise(url), poolclass=NullPool)
    with blocking.connect() as connection:
        command.upgrade(_config(connection), revision)


def current_revision(connection: Connection) -> str | None:
    """Return the schema's revision; None if the database has no schema."""
    from alembic.migration import MigrationContext

    return MigrationContext.configure(connection).get_current_revision()


def newest_revision() -> str | None:
    """Return the revision that this version needs."""
    return _scripts().get_current_head()


def knows_revision(revision: str) -> bool:
    """Whether `migrate` can upgrade from it: it is this version's or an older one's."""
    return revision in {script.revision for script in _scripts().walk_revisions()}


def _scripts() -> ScriptDirectory:
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(MIGRATIONS))


def _config(connection: Connection) -> Config:
    from alembic.config import Config

    config = Config(MIGRATIONS / "alembic.ini")
    config.attributes["connection"] = connection
    return config


def as_json(row: Row[*tuple[Any, ...]], **extra: object) -> Any:
    """Return a row as a dict of JSON values; `extra` is merged over it."""
    # orjson refuses keys of SQLAlchemy's own subclasses of str.
    return {str(name): _json_value(value) for name, value in row._mapping.items()} | extra


def _json_value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return str(value) if isinstance(value, uuid.UUID) else value
