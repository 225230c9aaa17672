"""How far the data set on disk are behind the database: for operators, as answers never are."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.ext.asyncio import AsyncConnection

from macmeter.changelog import behind, find_log
from macmeter.dataset import files


@dataclass(frozen=True)
class Lag:
    """What is not written down yet; None of both where nothing was ever written."""

    changes: int | None
    seconds: float | None
    """Since the oldest of these changes."""
    free_bytes: int
    """Room on the disk that they are written to."""

    def is_beyond(self, seconds: float | None) -> bool:
        """Whether it is more than an operator allows."""
        return seconds is not None and (self.seconds is None or self.seconds > seconds)


async def lag_of(connection: AsyncConnection, root: Path) -> Lag:
    """How far the data set below `root` is behind that database."""
    log = await find_log(connection)
    snapshot = files.snapshot_of(files.directory_of(root, log.log_id, log.database))
    free = _free_bytes(root)
    if snapshot is None:
        return Lag(None, None, free)
    found = await behind(connection, snapshot)
    return Lag(found.changes, found.seconds, free)


def _free_bytes(root: Path) -> int:
    existing = next(path for path in (root, *root.parents) if path.exists())
    disk = os.statvfs(existing)
    return disk.f_bavail * disk.f_frsize
