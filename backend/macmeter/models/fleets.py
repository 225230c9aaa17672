"""Fleets, and the secrets that let machines and programs in: enrolment secrets and tokens."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base
from macmeter.untyped import Json


class Fleet(Base):
    """A group of machines; its runs are private until its visibility says otherwise."""

    __tablename__ = "fleets"
    __table_args__ = (UniqueConstraint("name"),)

    fleet_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    visibility: Mapped[str]
    settings: Mapped[Json] = mapped_column(server_default=text("'{}'"))
    """What its admins have chosen, by name; what is absent is as usual."""
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    verified_at: Mapped[datetime | None]
    """Since then an admin of the server has vouched for it."""


class EnrolmentSecret(Base):
    """What machines of a fleet enrol with. Each gets its own token; the secret isn't one."""

    __tablename__ = "enrolment_secrets"
    __table_args__ = (
        UniqueConstraint("secret_sha256"),
        Index("ix_enrolment_secrets_fleet_id", "fleet_id"),
    )

    secret_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    fleet_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("fleets.fleet_id", ondelete="CASCADE"))
    secret_sha256: Mapped[bytes]
    name: Mapped[str]
    quota: Mapped[int | None]
    """How many machines may enrol with it; None without a limit."""
    used: Mapped[int] = mapped_column(server_default=text("0"))
    """How many have: a machine that enrols again counts once."""
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class Clone(Base):
    """A machine that enrolled again without its token: one that lost it, or several with one id."""

    __tablename__ = "clones"
    __table_args__ = (Index("ix_clones_fleet_id", "fleet_id"),)

    machine_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("machines.machine_id", ondelete="CASCADE"), primary_key=True
    )
    fleet_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("fleets.fleet_id", ondelete="CASCADE"))
    enrolments: Mapped[int]
    """How often it tried."""
    first_at: Mapped[datetime]
    last_at: Mapped[datetime]
    recent: Mapped[int]
    """How often since `recent_since`, which is at most an hour ago."""
    recent_since: Mapped[datetime]
    new_ids: Mapped[bool] = mapped_column(server_default=text("false"))
    """An admin has decided that they are several: whoever enrols without the token gets an id of
    their own."""


class Token(Base):
    """A credential, kept as the SHA-256 of its secret (a random one, so no salt is needed)."""

    __tablename__ = "tokens"
    __table_args__ = (
        UniqueConstraint("secret_sha256"),
        Index("ix_tokens_person_id", "person_id"),
        Index("ix_tokens_secret_id_machine_id", "secret_id", "machine_id"),
        Index("ix_tokens_fleet_id", "fleet_id"),
        Index("ix_tokens_replaces", "replaces"),
    )

    token_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    secret_sha256: Mapped[bytes]
    scope: Mapped[str]
    """device, fleet or person: see access/tokens.py."""
    fleet_id: Mapped[uuid.UUID | None] = mapped_column(ForeignKey("fleets.fleet_id"))
    """Of a person's token: the one fleet it is good for; None for all of theirs."""
    person_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("people.person_id", ondelete="CASCADE")
    )
    secret_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("enrolment_secrets.secret_id", ondelete="SET NULL")
    )
    """What its device enrolled with."""
    machine_id: Mapped[uuid.UUID | None]
    """Which machine enrolled. Not a foreign key: which one a token writes for, machines say."""
    replaces: Mapped[uuid.UUID | None]
    """The device's token that ends when this one is first used, or has ended."""
    name: Mapped[str | None]
    permission: Mapped[str | None]
    """Of a person's token: read, or manage."""
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    last_used_at: Mapped[datetime | None]
    """To the hour or so: not each use is written down."""
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]
