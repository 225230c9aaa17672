"""Whether a database is a demo's: it stays one, and one with measurements never becomes one.

`make demo` fills it, from tools/demo; a server only has to know what it serves.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, exists, insert, select

from macmeter.models import Comparison, Demo, Run, Token
from macmeter.platform import database
from macmeter.platform.errors import ServeError

HOLDS_MORE = (
    "this database holds more than a demo would: runs, tokens or comparisons of its own. "
    "A demo needs a DATA_DIR or DATABASE_URL of its own"
)


@dataclass(frozen=True)
class Scale:
    """`every`: weeks between two runs of what is scheduled; a test's small fleet measures less."""

    machines: int = 300
    every: int = 1
    seed: int = 7


@dataclass(frozen=True)
class Mark:
    """What a demo's database was made for."""

    scale: Scale
    base: datetime
    """The Monday that its weeks lead up to."""


def monday(now: datetime) -> datetime:
    """The last Monday, at midnight UTC: what a demo made at `now` leads up to."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())


def is_demo(url: str) -> bool:
    with database.begun(url) as connection:
        return find(connection) is not None


def claim(url: str, scale: Scale | None, base: datetime) -> Mark:
    """The mark of this database, made now where it is empty; ServeError where it is another's.

    Without `scale` a demo of any is taken as it is.
    """
    with database.begun(url) as connection:
        found = find(connection)
        if found is None:
            _refuse_used(connection)
            found = Mark(scale or Scale(), base)
            connection.execute(insert(Demo).values(**vars(found.scale), base=base))
    if scale is not None and found.scale != scale:
        raise ServeError(
            f"this is a demo of {found.scale.machines} machines, not of {scale.machines}: "
            f"start it with MACS={found.scale.machines}, or choose another DATA_DIR"
        )
    return found


def find(connection: Connection) -> Mark | None:
    row = connection.execute(select(Demo.machines, Demo.every, Demo.seed, Demo.base)).one_or_none()
    return None if row is None else Mark(Scale(row.machines, row.every, row.seed), row.base)


def _refuse_used(connection: Connection) -> None:
    used = [
        select(exists().where(Run.source != "published")),
        select(exists(select(Token.token_id))),
        select(exists(select(Comparison.slug))),
    ]
    if any(connection.scalar(query) for query in used):
        raise ServeError(HOLDS_MORE)
