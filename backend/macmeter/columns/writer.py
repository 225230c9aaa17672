"""The one process of a server that writes columns to disk, so that the others need not read all.

Whoever answers reads the last runs from PostgreSQL itself; here they are written down from time to
time, small segments first, which are joined as they grow.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine

from macmeter.changelog import find_log
from macmeter.columns import files
from macmeter.columns.batch import Key
from macmeter.columns.current import Near, Standing, catch_up
from macmeter.columns.merging import merged
from macmeter.columns.segment import Bools, Segment
from macmeter.database import reading_engine
from macmeter.errors import Problem
from macmeter.observing.logs import say
from macmeter.processes.child import end_with_starter
from macmeter.processes.memory import give_back

POLL_SECONDS = 1.0
# Uploads and answers come first.
_NICE = 10
RETRY_SECONDS = 3.0
# So many runs, or so long after the last time, and what is new is written down.
_RUNS_AT_ONCE = 500
_SECONDS_APART = 10.0
# A segment that is not so many times as large as all that are newer is joined with them: what is
# newer has to be sorted for each question.
_GROWTH = 10
# A segment of which less is alive is written again without the rest.
_LEAST_ALIVE = 0.8


class Writer:
    """Writes the columns of one database below `root`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._standing: Standing | None = None
        self._directory: Path | None = None
        self._written = 0.0
        self._snapshot = ""

    async def follow(self, url: str) -> None:
        """Forever: PostgreSQL may come and go meanwhile."""
        engine = reading_engine(url, pool_size=1, seconds=600)
        while True:
            try:
                await self.once(engine)
                await asyncio.sleep(POLL_SECONDS)
            except (DBAPIError, Problem, OSError) as error:
                reason = getattr(error, "orig", None) or getattr(error, "log", None) or error
                say(f"columns go on later: {reason}")
                self._standing = None
                await asyncio.sleep(RETRY_SECONDS)

    async def once(self, engine: AsyncEngine, *, everything: bool = False) -> None:
        """Read what is new, and write it down where that is worth while, or `everything`."""
        async with engine.connect() as connection:
            log = await find_log(connection)
            directory = files.directory_of(self._root, log.log_id, log.database)
            directory.mkdir(parents=True, exist_ok=True)
            if directory != self._directory:
                # A replica that is promoted goes on over the same connection, with another log.
                self._standing, self._directory = None, directory
            keeper = _Keeper(directory)
            self._standing = await catch_up(
                connection, log, self._standing, Near(directory), keeper
            )
        if everything or self._is_due(directory):
            self._write(directory)
            give_back()

    def _is_due(self, directory: Path) -> bool:
        assert self._standing is not None
        if files.stamp(directory) is None:
            return True
        if self._standing.snapshot == self._snapshot:
            return False
        new = self._standing.own_runs
        late = time.monotonic() - self._written > _SECONDS_APART
        return new >= _RUNS_AT_ONCE or (late and (new > 0 or self._standing.has_changed))

    def _write(self, directory: Path) -> None:
        standing = self._standing
        assert standing is not None
        segments, alive, names = [], [], []
        for segment, of_segment, file in _joined(standing):
            name = file or files.write_segment(directory, segment, standing.names)
            segments.append(segment if file else files.read_segment(directory, name))
            alive.append(of_segment)
            names.append(name)
        standing.segments, standing.alive, standing.files = segments, alive, names
        files.write(directory, _written(standing, names))
        standing.stamp = files.stamp(directory)
        standing.has_changed = False
        self._written, self._snapshot = time.monotonic(), standing.snapshot


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
        if written is None or written.after is None or log.misses(written.snapshot):
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
        files.write(self._directory, _written(standing, standing.files, after))


def _written(standing: Standing, names: list[str], after: Key | None = None) -> files.Written:
    return files.Written(
        standing.snapshot, standing.names, standing.segments, standing.alive, names, after
    )


@contextmanager
def only_writer(root: Path) -> Iterator[None]:
    """Waits until no other process writes there."""
    root.mkdir(parents=True, exist_ok=True)
    with (root / "writer.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def write(url: str, root: Path) -> None:
    """Forever, as a process of its own. What is being written counts only when it is whole."""
    os.setpgid(0, 0)  # Ctrl-C is for the supervisor, who ends us
    end_with_starter(0)
    os.nice(_NICE)
    with only_writer(root):
        asyncio.run(Writer(root).follow(url))
