"""The server's own data: the log of changes, failures, quotas, and the demo."""

import uuid
from datetime import date, datetime

from sqlalchemy import BigInteger, CheckConstraint, Identity, PrimaryKeyConstraint, text
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import UserDefinedType

from macmeter.models.base import Base, DefaultNow


class Xid8(UserDefinedType[int]):
    """A transaction's id, which never wraps around."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        return "xid8"


class Change(Base):
    """One thing that happened to one run. Only a trigger on `runs` writes it."""

    __tablename__ = "changes"
    __table_args__ = (PrimaryKeyConstraint("xact", "change_id"),)

    change_id: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    xact: Mapped[int] = mapped_column(Xid8, server_default=text("pg_current_xact_id()"))
    """Id of its transaction. Whoever reads in this order misses no change that commits late."""
    at: Mapped[DefaultNow]
    kind: Mapped[str]
    machine_id: Mapped[uuid.UUID]
    run_id: Mapped[uuid.UUID]


class ChangeLog(Base):
    """State of the change log, in one row."""

    __tablename__ = "change_log"
    __table_args__ = (CheckConstraint("one_row", name="one_row"),)

    one_row: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    log_id: Mapped[uuid.UUID] = mapped_column(server_default=text("gen_random_uuid()"))
    """Differs after a restore of the database, where transaction ids start again."""
    cluster: Mapped[str | None]
    """PostgreSQL and timeline whose transaction ids it has."""
    pruned_xact: Mapped[int] = mapped_column(Xid8, server_default=text("'0'"))
    pruned_change: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    """The last change that is no longer kept."""
    judged: Mapped[str | None]
    """Snapshot up to which new runs were compared with similar machines."""


class Failure(Base):
    """An item that failed the last time, such as a fleet whose alerts could not be computed."""

    __tablename__ = "failures"

    work: Mapped[str] = mapped_column(primary_key=True)
    """Kind of work, such as `alerts`."""
    item: Mapped[str] = mapped_column(primary_key=True)
    """Item of the work: the id of a fleet or run."""
    reason: Mapped[str]
    attempts: Mapped[int]
    first_at: Mapped[datetime]
    last_at: Mapped[datetime]
    retry_at: Mapped[datetime]
    """Time of the next attempt, if its loop retries by itself."""


class QuotaUse(Base):
    """Number of a client's writes in an hour."""

    __tablename__ = "quota_uses"

    hour: Mapped[datetime] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    client: Mapped[bytes] = mapped_column(primary_key=True)
    """Hash of its address under the day's key: no address is stored, no hash outlives its day."""
    uses: Mapped[int]


class QuotaKey(Base):
    """Key under which clients' addresses are hashed for a day."""

    __tablename__ = "quota_keys"

    day: Mapped[date] = mapped_column(primary_key=True)
    key: Mapped[bytes]


class Demo(Base):
    """At most one row. With it every page says "demo", whatever the server is started with."""

    __tablename__ = "demo"
    __table_args__ = (CheckConstraint("is_demo", name="one_row"),)

    is_demo: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    machines: Mapped[int]
    every: Mapped[int]
    seed: Mapped[int]
    base: Mapped[datetime]
    """Monday on which its last week ends."""
