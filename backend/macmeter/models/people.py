"""Who may write: fleets and the tokens that speak for a device or a fleet."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base


class Fleet(Base):
    """A group of machines; its runs are private until its visibility says otherwise."""

    __tablename__ = "fleets"
    __table_args__ = (UniqueConstraint("name"),)

    fleet_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    visibility: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class Token(Base):
    """A credential, kept as the SHA-256 of its secret (a random one, so no salt is needed)."""

    __tablename__ = "tokens"
    __table_args__ = (UniqueConstraint("secret_sha256"),)

    token_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    secret_sha256: Mapped[bytes]
    scope: Mapped[str]
    fleet_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("fleets.fleet_id"))
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
