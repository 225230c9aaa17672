"""Saved comparisons: what was asked with its answer frozen beside it."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from sqlalchemy import text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base


class Comparison(Base):
    """`answer` is what the page shows for ever; `run_ids` are the runs it was made from.

    `format` says how both are read: 1 a question and its answer, 2 sides beside one another.
    """

    __tablename__ = "comparisons"

    slug: Mapped[str] = mapped_column(primary_key=True)
    format: Mapped[int]
    question: Mapped[str]
    answer: Mapped[dict[str, Any] | None]
    """None once the comparison is a tombstone: its numbers went with a deleted run."""
    content_sha256: Mapped[bytes]
    run_ids: Mapped[list[uuid.UUID]]
    title: Mapped[str | None]
    note: Mapped[str | None]
    state: Mapped[str]
    owner_secret_sha256: Mapped[bytes]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    expires_at: Mapped[datetime | None]
