"""Mark of demo databases: a demo's stays one, and one with measurements never becomes one.

`make demo` fills it, from tools/demo; a server only has to know what it serves.
"""

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
    """Size of a demo; `every` is the weeks between two scheduled runs, more in small tests."""

    machines: int = 300
    every: int = 1
    seed: int = 7


@dataclass(frozen=True)
class Mark:
    """Parameters of a database's demo."""

    scale: Scale
    base: datetime
    """The Monday at which its weeks end."""


def monday(now: datetime) -> datetime:
    """Return the last Monday at midnight UTC, at which a demo created at `now` ends."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())


def is_demo(url: str) -> bool:
    with database.begun(url) as connection:
        return find(connection) is not None


def claim(url: str, scale: Scale | None, base: datetime) -> Mark:
    """Return the database's mark, setting it if the database is empty.

    Raise ServeError if it isn't a demo's, or not of this `scale`; None accepts any.
    """
    with database.begun(url) as connection:
        mark = find(connection)
        if mark is None:
            _refuse_used(connection)
            mark = Mark(scale or Scale(), base)
            connection.execute(insert(Demo).values(**vars(mark.scale), base=base))
    if scale is not None and mark.scale != scale:
        raise ServeError(
            f"this is a demo of {mark.scale.machines} machines, not of {scale.machines}: "
            f"start it with MACS={mark.scale.machines}, or choose another DATA_DIR"
        )
    return mark


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
