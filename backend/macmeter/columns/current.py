"""The columns of a database as this process has them: kept up to date by the log of changes.

A view is exactly what the transaction sees that it is asked in: the runs that changed since the
last one, and no others, are read again.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.changelog import Log, changes_since, find_log
from macmeter.columns import files
from macmeter.columns.batch import Key, Series, read_after, read_series, read_these
from macmeter.columns.building import build
from macmeter.columns.merging import FEW, merge, shown
from macmeter.columns.name_blocks import NO_THINGS, Things
from macmeter.columns.names import Names
from macmeter.columns.recent import Recent
from macmeter.columns.segment import RUN_ID, Bools, Segment
from macmeter.columns.view import MADE, View
from macmeter.errors import Problem

_FIRST = (uuid.UUID(int=0), uuid.UUID(int=0))
_AT_ONCE = 2_000
# A segment that is not so many times as large as all that are newer is joined with them: few are
# left, and a run is seldom moved.
_GROWTH = 2
# A process that has so many runs of its own looks whether they are in files by now.
_OWN_RUNS = 400
# So many are put by together where everything is read.
_KEPT_RUNS = 40_000
# More are not read by whoever answers, where there are files to wait for.
_MOST = 3_000
# So long at most: less than a question may take.
_WAIT_SECONDS = 8.0
_POLL_SECONDS = 0.25


@dataclass
class Standing:
    """What has been read of one database, up to a snapshot of it."""

    snapshot: str
    names: Names = field(default_factory=Names)
    series: dict[int, Series] = field(default_factory=dict)
    segments: list[Segment] = field(default_factory=list)
    alive: list[Bools] = field(default_factory=list)
    view: View | None = None
    files: list[str] = field(default_factory=list)
    """Of the first segments, where they were read from."""
    things: Things = NO_THINGS
    """Of the names, those that were read from files."""
    stamp: tuple[int, int] | None = None
    told: frozenset[int] = frozenset()
    """Changes that the snapshot does not have, and that were read nevertheless: on a replica."""
    made: Recent = field(default_factory=lambda: Recent(MADE))
    made_of: tuple[int, dict[uuid.UUID, str]] | None = None
    """Of how many setups, under which names of fleets."""

    @property
    def own_runs(self) -> int:
        """Runs that are in no file."""
        return sum(len(segment.runs) for segment in self.segments[len(self.files) :])

    def replace_runs(self, keys: list[Key], rows: list[Any]) -> None:
        """Put `rows` in the place of what was known of the runs `keys`."""
        ids = np.array([run_id.bytes for _, run_id in keys], dtype=RUN_ID)
        for number, segment in enumerate(self.segments):
            places = segment.places(ids)
            gone = places[places >= 0]
            if len(gone):
                # Views that are in use keep theirs.
                self.alive[number] = self.alive[number].copy()
                self.alive[number][gone] = False
        if rows:
            self.append(build(self.names, rows))
        self.view = None

    def append(self, segment: Segment) -> None:
        self.segments.append(segment)
        self.alive.append(np.ones(len(segment.runs), dtype=bool))
        first, newer = len(self.segments), 0
        for number in reversed(range(len(self.files), len(self.segments))):
            size = len(self.segments[number].runs)
            if size < _GROWTH * newer:
                first = number
            newer += size
        self.segments, self.alive = self._joined_from(first, merge)

    def shown(self) -> tuple[list[Segment], list[Bools]]:
        """Of the segments, the newest that are few runs together as one: each costs every question
        a little, and of this one a question makes only the columns that it reads.
        """
        first = len(self.segments)
        runs = 0
        while (
            first > len(self.files) and (runs := runs + len(self.segments[first - 1].runs)) <= FEW
        ):
            first -= 1
        return self._joined_from(first, shown)

    def _joined_from(
        self, first: int, join: Callable[[list[tuple[Segment, Bools]]], Segment]
    ) -> tuple[list[Segment], list[Bools]]:
        """The segments, from this one on as one."""
        parts = [*zip(self.segments[first:], self.alive[first:], strict=True)]
        if len(parts) < 2:
            return self.segments, self.alive
        joined = join(parts)
        alive = np.ones(len(joined.runs), dtype=bool)
        return [*self.segments[:first], joined], [*self.alive[:first], alive]


class Keeper(Protocol):
    """Puts by what was read, so that neither memory nor a process's end bounds how much."""

    def begun(self, log: Log) -> tuple[Standing, Key] | None:
        """What was put by before, and the run after which reading goes on."""

    def keep(self, standing: Standing, after: Key) -> None:
        """Put by what has been read up to that run."""


# A database and the log of its changes; a replica has the same log, and may be behind.
_Database = tuple[uuid.UUID, int, bool]
_standing: OrderedDict[_Database, Standing] = OrderedDict()
_locks: dict[_Database, asyncio.Lock] = {}
_MOST_DATABASES = 4


async def view_of(connection: AsyncConnection) -> View:
    """What the transaction of `connection` sees; it must be REPEATABLE READ.

    Where the connection's option `columns` names a directory, what is written there is read first.
    """
    log = await find_log(connection)
    database = (log.log_id, log.database, log.replica)
    root = _options(connection).get("columns")
    directory = None
    if root is not None:
        directory = files.directory_of(root, log.log_id, log.database)
    async with _locks.setdefault(database, asyncio.Lock()):
        standing = await catch_up(connection, log, _standing.get(database), Near(directory, _MOST))
        view = standing.view
        fleets = (log.fleets, log.public_fleets)
        if view is None or (view.fleets, view.public_fleets) != fleets:
            await _name_series(connection, standing)
            segments, alive = standing.shown()
            if standing.made_of != (made_of := (len(standing.names.setups), log.fleets)):
                standing.made, standing.made_of = Recent(MADE), made_of
            standing.view = view = View(
                names=standing.names,
                series=dict(standing.series),
                fleets=log.fleets,
                segments=tuple(segments),
                alive=tuple(alive),
                public_fleets=log.public_fleets,
                made=standing.made,
            )
        _keep(database, standing)
        return view


def _options(connection: AsyncConnection) -> Mapping[str, Any]:
    assert connection.sync_connection is not None
    return connection.sync_connection.get_execution_options()


class Near(NamedTuple):
    """Where the files are, if anywhere. At most `most` runs are read without them: beyond that they
    are waited for.
    """

    directory: Path | None
    most: int | None = None


async def catch_up(
    connection: AsyncConnection,
    log: Log,
    standing: Standing | None,
    near: Near,
    keeper: Keeper | None = None,
) -> Standing:
    """`standing` as this transaction sees it; from files where they are nearer."""
    directory, most = near
    if log.is_anothers:
        # Of a replica that was promoted a moment ago: see changelog.adopt.
        raise BuildingError
    if standing is not None and not can_follow(log, standing.snapshot):
        standing = None
    if directory is not None and standing is not None and standing.files:
        # Without a manifest its files were found damaged.
        standing = standing if files.stamp(directory) is not None else None
    if directory is not None and (standing is None or standing.own_runs >= _OWN_RUNS):
        standing = _from_files(directory, log, standing) or standing
    if directory is None or most is None:
        return await _reach(connection, log, standing, None, keeper)
    waited = 0.0
    while True:
        try:
            return await _reach(connection, log, standing, most)
        except TooFarError:
            written = files.snapshot_of(directory)
            if written is not None and not log.sees(written):
                raise OutrunError from None
            if waited >= _WAIT_SECONDS:
                raise BuildingError(files.built_runs(directory)) from None
        before = files.stamp(directory)
        while files.stamp(directory) == before and waited < _WAIT_SECONDS:
            await asyncio.sleep(_POLL_SECONDS)
            waited += _POLL_SECONDS
        standing = _from_files(directory, log, standing) or standing


async def _reach(
    connection: AsyncConnection,
    log: Log,
    standing: Standing | None,
    most: int | None,
    keeper: Keeper | None = None,
) -> Standing:
    """As the transaction sees it, by reading at most so many runs; else TooFarError."""
    if standing is None:
        standing = await _read_all(connection, log, most, keeper)
        is_there = standing.snapshot == log.snapshot
    else:
        is_there = not log.replica and standing.snapshot == log.snapshot
    if not is_there:
        await _follow(connection, standing, log, most)
        standing.snapshot = log.snapshot
    return standing


def _from_files(directory: Path, log: Log, standing: Standing | None) -> Standing | None:
    """What the files say, where that is news."""
    stamp = files.stamp(directory)
    if stamp is None or (standing is not None and standing.stamp == stamp):
        return None
    known = files.Known()
    if standing is not None:
        segments = dict(zip(standing.files, standing.segments, strict=False))
        known = files.Known(segments, standing.things)
    written = files.read(directory, known)
    if written is None or not can_follow(log, written.snapshot):
        return None
    if standing is not None:
        written.names.learn(standing.names)
    return Standing(
        written.snapshot,
        names=written.names,
        segments=written.segments,
        alive=written.alive,
        files=written.files,
        things=written.things,
        stamp=stamp,
    )


def can_follow(log: Log, snapshot: str) -> bool:
    """Whether the log leads from that snapshot to this transaction's."""
    return log.sees(snapshot) and not log.misses(snapshot)


def _keep(database: _Database, standing: Standing) -> None:
    _standing[database] = standing
    _standing.move_to_end(database)
    while len(_standing) > _MOST_DATABASES:
        gone, _ = _standing.popitem(last=False)
        _locks.pop(gone, None)


async def _read_all(
    connection: AsyncConnection, log: Log, most: int | None, keeper: Keeper | None
) -> Standing:
    """Everything; with a keeper from where it was left, as of the moment at which it was begun."""
    begun = keeper.begun(log) if keeper is not None else None
    standing, after = begun or (Standing(log.snapshot), _FIRST)
    read = 0
    while rows := await read_after(connection, after, _AT_ONCE):
        standing.append(build(standing.names, rows))
        after = (rows[-1].machine_id, rows[-1].run_id)
        read += len(rows)
        if most is not None and read > most:
            raise TooFarError
        if keeper is not None and standing.own_runs >= _KEPT_RUNS:
            keeper.keep(standing, after)
    return standing


async def _follow(
    connection: AsyncConnection, standing: Standing, log: Log, most: int | None
) -> None:
    changed = await changes_since(connection, standing.snapshot)
    new = [row for row in changed if row.change_id not in standing.told]
    keys = [*dict.fromkeys((row.machine_id, row.run_id) for row in new)]
    if most is not None and len(keys) > most:
        raise TooFarError
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        standing.replace_runs(some, await read_these(connection, some))
    standing.told = frozenset(row.change_id for row in changed) if log.replica else frozenset()


class TooFarError(Exception):
    """There is more to be read than whoever answers should read."""


class BuildingError(Problem):
    """503: what answers come from is being worked out, of so many runs by now."""

    def __init__(self, runs: int = 0) -> None:
        so_far = f" {runs:,} runs are done." if runs else ""
        detail = f"The server is preparing its answers.{so_far} Try again in a few seconds."
        super().__init__(503, "columns_building", "Being prepared", detail)
        self.headers["Retry-After"] = "5"


class OutrunError(BuildingError):
    """The files are of a later moment than the transaction: the next one can read them."""


async def _name_series(connection: AsyncConnection, standing: Standing) -> None:
    numbers = {number for segment in standing.segments for number in segment.columns}
    if unknown := numbers - standing.series.keys():
        standing.series |= await read_series(connection, unknown)
