"""What people and tokens did, for whoever has to answer for it."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base
from macmeter.untyped import Json


class Act(Base):
    """One act. Written in the transaction of what was done, and never changed."""

    __tablename__ = "acts"
    __table_args__ = (Index("ix_acts_fleet_id", "fleet_id", text("act_id DESC")),)

    act_id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    action: Mapped[str]
    """What was done to what, as `fleet.rename`: see access/audit.py."""
    person_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("people.person_id", ondelete="SET NULL")
    )
    by: Mapped[str]
    """Who did it, by the name of that day: it stays when the account is deleted."""
    token_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("tokens.token_id", ondelete="SET NULL")
    )
    fleet_id: Mapped[uuid.UUID | None]
    """Not a foreign key: what was done to a fleet stays when the fleet is deleted."""
    details: Mapped[Json]
    """By name; never a secret."""
