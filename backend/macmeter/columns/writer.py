"""Writes columns to disk, so that processes that answer need not read all.

Whoever answers reads the last runs from PostgreSQL itself; here they are written down from time to
time, small segments first, which are joined as they grow.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.changelog import behind, find_log
from macmeter.columns import files
from macmeter.columns.batch import Key
from macmeter.columns.current import Near, Standing, can_follow, catch_up
from macmeter.columns.merging import merged
from macmeter.columns.segment import Bools, Segment
from macmeter.database import reading_engine
from macmeter.isolation import forever
from macmeter.processes.apart import apart_meanwhile

POLL_SECONDS = 1.0
RETRY_SECONDS = 3.0
# So many changes, or so long after the last time, and what is new is written down.
_CHANGES_AT_ONCE = 500
_SECONDS_APART = 10.0
# A segment that is not so many times as large as all that are newer is joined with them: what is
# newer has to be sorted for each question.
_GROWTH = 10
# A segment of which less is alive is written again without the rest.
_LEAST_ALIVE = 0.8


async def follow(url: str, root: Path) -> None:
    """Forever: PostgreSQL may come and go meanwhile. What is being written counts only when it is
    whole.
    """
    engine = reading_engine(url, pool_size=1, seconds=600)
    written = -_SECONDS_APART
    with contextlib.suppress(OSError):  # another account's: they can be read, not closed
        files.close_to_others(root)

    async def when_due() -> None:
        nonlocal written
        is_late = time.monotonic() - written > _SECONDS_APART
        if await is_due(engine, root, 1 if is_late else _CHANGES_AT_ONCE):
            # That takes names and columns, whose memory nobody needs until the next time.
            await apart_meanwhile("macmeter-writer", _write_apart, url, root)
            written = time.monotonic()

    await forever("columns go on", when_due, POLL_SECONDS, RETRY_SECONDS)


async def is_due(engine: AsyncEngine, root: Path, changes: int) -> bool:
    """Whether so many changes are not written down yet, or what is there is of no use."""
    async with engine.connect() as connection:
        log = await find_log(connection)
        snapshot = files.snapshot_of(files.directory_of(root, log.log_id, log.database))
        if snapshot is None or not can_follow(log, snapshot):
            return True
        # Of a replica changes come again until its snapshot moves on.
        is_news = snapshot != log.snapshot
        return is_news and (await behind(connection, snapshot)).changes >= changes


def _write_apart(url: str, root: Path) -> None:
    async def once() -> None:
        engine = reading_engine(url, pool_size=1, seconds=600)
        try:
            await write_down(engine, root)
        finally:
            await engine.dispose()

    with _alone(root):
        asyncio.run(once())


async def write_down(engine: AsyncEngine, root: Path) -> None:
    """Read what is new, and write it down."""
    async with engine.connect() as connection:
        log = await find_log(connection)
        directory = files.directory_of(root, log.log_id, log.database)
        directory.mkdir(parents=True, exist_ok=True)
        standing = await catch_up(connection, log, None, Near(directory), _Keeper(directory))
    _write(directory, standing)


def _write(directory: Path, standing: Standing) -> None:
    segments, alive, names = [], [], []
    for segment, of_segment, file in _joined(standing):
        name = file or files.write_segment(directory, segment, standing.names)
        segments.append(segment)
        alive.append(of_segment)
        names.append(name)
    files.write(directory, files.Written(standing.snapshot, standing.names, segments, alive, names))


def _joined(standing: Standing) -> list[tuple[Segment, Bools, str | None]]:
    """Few segments: each much larger than all after it. With the files of those that have one."""
    found = [*zip_longest(standing.segments, standing.alive, standing.files)]
    found.sort(key=lambda of: -len(of[0].runs))
    newer = 0
    start = len(found)
    for place in range(len(found) - 1, -1, -1):
        segment, alive, _ = found[place]
        size = len(segment.runs)
        if size < _GROWTH * newer or (size and alive.sum() < _LEAST_ALIVE * size):
            start = place
        newer += size
    if start < len(found):
        joined = merged([(segment, alive) for segment, alive, _ in found[start:]])
        found[start:] = [(joined, np.ones(len(joined.runs), dtype=bool), None)]
    return found


class _Keeper:
    """Writes segments down while everything is read, and finds what an earlier one wrote."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def begun(self, log: Any) -> tuple[Standing, Key] | None:
        written = files.read_building(self._directory)
        if written is None or written.after is None or not can_follow(log, written.snapshot):
            return None
        standing = Standing(
            written.snapshot,
            written.names,
            {},
            written.segments,
            written.alive,
            None,
            written.files,
        )
        return standing, written.after

    def keep(self, standing: Standing, after: Key) -> None:
        first = len(standing.files)
        own = [*zip(standing.segments[first:], standing.alive[first:], strict=True)]
        name = files.write_segment(self._directory, merged(own), standing.names)
        mapped = files.read_segment(self._directory, name)
        standing.segments[first:] = [mapped]
        standing.alive[first:] = [np.ones(len(mapped.runs), dtype=bool)]
        standing.files.append(name)
        files.write(
            self._directory,
            files.Written(
                standing.snapshot,
                standing.names,
                standing.segments,
                standing.alive,
                standing.files,
                after,
            ),
        )


@contextmanager
def _alone(root: Path) -> Iterator[None]:
    """Waits until no other process writes there: one that was killed may not have ended yet."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / "writer.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
