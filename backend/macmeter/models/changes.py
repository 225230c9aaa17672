"""What happened to runs, in an order that can be followed: see changelog.py."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import BigInteger, CheckConstraint, Identity, PrimaryKeyConstraint, text
from sqlalchemy.orm import Mapped, mapped_column
from sqlalchemy.types import UserDefinedType

from macmeter.models.base import Base


class Xid8(UserDefinedType[int]):
    """A transaction's number, which never wraps around."""

    cache_ok = True

    def get_col_spec(self, **_: object) -> str:
        return "xid8"


class Change(Base):
    """One thing that happened to one run. A trigger on `runs` writes it, and nobody else."""

    __tablename__ = "changes"
    __table_args__ = (PrimaryKeyConstraint("xact", "change_id"),)

    change_id: Mapped[int] = mapped_column(BigInteger, Identity(always=True))
    xact: Mapped[int] = mapped_column(Xid8, server_default=text("pg_current_xact_id()"))
    """Of its transaction: in the order of these, nothing comes late."""
    at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    kind: Mapped[str]
    machine_id: Mapped[uuid.UUID]
    run_id: Mapped[uuid.UUID]


class ChangeLog(Base):
    """The log as a whole, in one row."""

    __tablename__ = "change_log"
    __table_args__ = (CheckConstraint("one_row", name="one_row"),)

    one_row: Mapped[bool] = mapped_column(primary_key=True, server_default=text("true"))
    log_id: Mapped[uuid.UUID] = mapped_column(server_default=text("gen_random_uuid()"))
    """Another one where the database was restored: numbers of transactions then start again."""
    cluster: Mapped[str | None]
    """The PostgreSQL, and its timeline, whose transactions are numbered in it."""
    pruned_xact: Mapped[int] = mapped_column(Xid8, server_default=text("'0'"))
    pruned_change: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    """The last change that is no longer kept."""
    judged: Mapped[str | None]
    """The snapshot up to which new runs were compared with similar machines."""
