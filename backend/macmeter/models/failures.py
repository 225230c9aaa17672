"""What could not be done for one of many, and when it is tried again."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base


class Failure(Base):
    """An item that failed the last time, such as a fleet whose alerts could not be worked out."""

    __tablename__ = "failures"

    work: Mapped[str] = mapped_column(primary_key=True)
    """What was done, as `alerts`."""
    item: Mapped[str] = mapped_column(primary_key=True)
    """What it was done for: the id of a fleet or run."""
    reason: Mapped[str]
    attempts: Mapped[int]
    first_at: Mapped[datetime]
    last_at: Mapped[datetime]
    retry_at: Mapped[datetime]
    """When it is tried again, where its loop tries by itself."""
