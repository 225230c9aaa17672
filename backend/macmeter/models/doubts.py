"""What readers hold against a run, and how often somebody without an account may write."""

from __future__ import annotations

import uuid
from datetime import date, datetime

from sqlalchemy import ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base

UPHELD, DISMISSED = "upheld", "dismissed"


class Doubt(Base):
    """A reader's reason to doubt a run: for its owner and the server's admin to judge."""

    __tablename__ = "doubts"
    __table_args__ = (
        ForeignKeyConstraint(
            ["machine_id", "run_id"], ["runs.machine_id", "runs.run_id"], ondelete="CASCADE"
        ),
        UniqueConstraint("secret_sha256"),
        Index("ix_doubts_machine_id_run_id", "machine_id", "run_id"),
    )

    doubt_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    machine_id: Mapped[uuid.UUID]
    run_id: Mapped[uuid.UUID]
    reason: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    secret_sha256: Mapped[bytes | None]
    """Of the secret with which its reporter asks what happened to it."""
    decision: Mapped[str | None]
    """upheld or dismissed, once somebody has judged it."""
    answer: Mapped[str | None]
    """What its reporter reads."""
    decided_at: Mapped[datetime | None]


class QuotaUse(Base):
    """How often a client wrote something in an hour."""

    __tablename__ = "quota_uses"

    hour: Mapped[datetime] = mapped_column(primary_key=True)
    kind: Mapped[str] = mapped_column(primary_key=True)
    client: Mapped[bytes] = mapped_column(primary_key=True)
    """Of its address, under the day's key: no address is kept, and none outlives its day."""
    uses: Mapped[int]


class QuotaKey(Base):
    """The key under which clients' addresses are hashed for a day."""

    __tablename__ = "quota_keys"

    day: Mapped[date] = mapped_column(primary_key=True)
    key: Mapped[bytes]
