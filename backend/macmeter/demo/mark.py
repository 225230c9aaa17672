"""Whether a database is a demo's: it stays one, and one with measurements never becomes one."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, create_engine, exists, insert, select

from macmeter import database
from macmeter.demo.fleet import Scale
from macmeter.errors import ServeError
from macmeter.models import Comparison, Demo, Run, Token

HOLDS_MORE = (
    "this database holds more than a demo would: runs, tokens or comparisons of its own. "
    "A demo needs a DATA_DIR or DATABASE_URL of its own"
)


@dataclass(frozen=True)
class Mark:
    """What a demo's database was made for."""

    scale: Scale
    base: datetime


def is_demo(url: str) -> bool:
    engine = create_engine(database.normalise(url))
    try:
        with engine.connect() as connection:
            return find(connection) is not None
    finally:
        engine.dispose()


def claim(url: str, scale: Scale | None, base: datetime) -> Mark:
    """The mark of this database, made now where it is empty; ServeError where it is another's.

    Without `scale` a demo of any is taken as it is.
    """
    engine = create_engine(database.normalise(url))
    try:
        with engine.begin() as connection:
            found = find(connection)
            if found is None:
                _refuse_used(connection)
                wanted = Mark(scale or Scale(), base)
                connection.execute(
                    insert(Demo).values(
                        machines=wanted.scale.machines,
                        every=wanted.scale.every,
                        seed=wanted.scale.seed,
                        base=wanted.base,
                    )
                )
                return wanted
            if scale is not None and found.scale != scale:
                raise ServeError(
                    f"this is a demo of {found.scale.machines} machines, not of "
                    f"{scale.machines}: start it with MACS={found.scale.machines}, "
                    "or choose another DATA_DIR"
                )
            return found
    finally:
        engine.dispose()


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
