"""Saved comparisons: what was asked with its answer frozen beside it."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base
from macmeter.untyped import Json


class Comparison(Base):
    """`answer` is what the page shows forever.

    `format` says how both are read: 1 a question and its answer, 2 sides beside one another.
    """

    __tablename__ = "comparisons"
    __table_args__ = (
        Index("ix_comparisons_told_of", "told_of", postgresql_using="gin"),
        Index("ix_comparisons_made_by", "made_by"),
    )

    slug: Mapped[str] = mapped_column(primary_key=True)
    format: Mapped[int]
    question: Mapped[str]
    answer: Mapped[Json | None]
    """None once the comparison is a tombstone: its numbers went with a deleted run."""
    content_sha256: Mapped[bytes]
    runs: Mapped[int]
    """How many it rests on, with what its figures are divided by."""
    runs_sha256: Mapped[bytes]
    """Of their ids, ascending."""
    told_of: Mapped[list[uuid.UUID]]
    """The runs that its figures, being of few machines, would still show."""
    names_few: Mapped[bool] = mapped_column(server_default=text("true"))
    """False for one of an older version, which named all of its runs there."""
    fleet_ids: Mapped[list[uuid.UUID]] = mapped_column(server_default=text("'{}'"))
    """The private fleets whose figures it shows; of most there are none."""
    fewest_machines: Mapped[int | None]
    """Behind each figure of those."""
    knows_fleets: Mapped[bool] = mapped_column(server_default=text("false"))
    """Whether `comparison_machines` says whose machines are behind it; not for older ones."""
    without_ids_of: Mapped[list[uuid.UUID]] = mapped_column(server_default=text("'{}'"))
    """The fleets whose admins have taken the ids of their runs out."""
    made_by: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("people.person_id", ondelete="SET NULL")
    )
    """Who made or adopted it, where that was somebody with an account."""
    title: Mapped[str | None]
    note: Mapped[str | None]
    state: Mapped[str]
    owner_secret_sha256: Mapped[bytes]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    expires_at: Mapped[datetime | None]


class ComparisonMachines(Base):
    """Machines of a fleet behind one figure of a comparison, as the fleet was when it was saved.

    Where a fleet has many behind a figure, one row counts them; otherwise each has its own.
    """

    __tablename__ = "comparison_machines"
    __table_args__ = (
        Index("ix_comparison_machines_slug", "slug"),
        Index("ix_comparison_machines_fleet_id", "fleet_id"),
        Index("ix_comparison_machines_machine_id", "machine_id"),
    )

    row_id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    slug: Mapped[str] = mapped_column(ForeignKey("comparisons.slug", ondelete="CASCADE"))
    figure: Mapped[int]
    """Its place in the answer, from 0; below that, something that figures are divided by."""
    fleet_id: Mapped[uuid.UUID]
    """Not a foreign key: what a deleted fleet had in it stays hidden. It follows a move."""
    machine_id: Mapped[uuid.UUID | None]
    machines: Mapped[int]
    total: Mapped[int]
    """All machines behind this figure, whatever fleet they are in."""
