"""What a fleet's retention has put aside, and deletes some days later."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base


class Sweep(Base):
    """Runs that were too old at one time. They name it: `runs.sweep_id`."""

    __tablename__ = "sweeps"
    __table_args__ = (Index("ix_sweeps_fleet_id", "fleet_id"),)

    sweep_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    fleet_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("fleets.fleet_id", ondelete="CASCADE"))
    keep: Mapped[str]
    """What stays of its runs: nothing, or medians."""
    keep_linked: Mapped[bool]
    """Whether runs stay that a link uses."""
    runs: Mapped[int]
    at: Mapped[datetime]
    ends_at: Mapped[datetime]
    """From then on it can't be undone."""
    undone_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]
    """When they were deleted."""
