"""People: how they sign in, where they are signed in, and what they are in fleets."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base
from macmeter.untyped import Json


def _of_person(*, primary_key: bool = False) -> Mapped[uuid.UUID]:
    """Whatever is a person's goes with them."""
    return mapped_column(
        ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=primary_key
    )


class Person(Base):
    """An account."""

    __tablename__ = "people"
    __table_args__ = (
        UniqueConstraint("email"),
        UniqueConstraint("oidc_issuer", "oidc_subject"),
    )

    person_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    name: Mapped[str]
    email: Mapped[str | None]
    """In lower case."""
    password_hash: Mapped[str | None]
    """Argon2id, with its parameters."""
    oidc_issuer: Mapped[str | None]
    oidc_subject: Mapped[str | None]
    server_admin: Mapped[bool] = mapped_column(server_default=text("false"))
    uninvited: Mapped[bool] = mapped_column(server_default=text("false"))
    """They made the account to claim a Mac: fleets for members aren't for them."""
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class Passkey(Base):
    """A WebAuthn credential of a person."""

    __tablename__ = "passkeys"
    __table_args__ = (Index("ix_passkeys_person_id", "person_id"),)

    credential_id: Mapped[bytes] = mapped_column(primary_key=True)
    person_id: Mapped[uuid.UUID] = _of_person()
    public_key: Mapped[bytes]
    sign_count: Mapped[int]
    transports: Mapped[list[str]]
    name: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    last_used_at: Mapped[datetime | None]


class Session(Base):
    """A browser in which somebody is signed in; its cookie's secret is kept as a SHA-256."""

    __tablename__ = "sessions"
    __table_args__ = (
        UniqueConstraint("secret_sha256"),
        Index("ix_sessions_person_id", "person_id"),
    )

    session_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    person_id: Mapped[uuid.UUID] = _of_person()
    secret_sha256: Mapped[bytes]
    browser: Mapped[str]
    """As it calls itself: hostile text."""
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    last_used_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    """To the hour or so."""
    expires_at: Mapped[datetime]


class OneTimeLink(Base):
    """A link that is good once: to become the first admin, to join a fleet, to claim a machine."""

    __tablename__ = "one_time_links"
    __table_args__ = (
        UniqueConstraint("secret_sha256"),
        Index("ix_one_time_links_fleet_id", "fleet_id"),
    )

    link_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    secret_sha256: Mapped[bytes]
    purpose: Mapped[str]
    """first_admin, invitation, claim, or enrolment of one machine again."""
    fleet_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("fleets.fleet_id", ondelete="CASCADE")
    )
    role: Mapped[str | None]
    machine_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("machines.machine_id", ondelete="CASCADE")
    )
    email: Mapped[str | None]
    """Where it was sent, if anywhere."""
    made_by: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("people.person_id", ondelete="CASCADE")
    )
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class Challenge(Base):
    """What a browser has been asked to bring back: by a passkey, or from an organisation's own
    sign-in. Kept for minutes, and good once.
    """

    __tablename__ = "challenges"

    challenge_sha256: Mapped[bytes] = mapped_column(primary_key=True)
    purpose: Mapped[str]
    details: Mapped[Json]
    expires_at: Mapped[datetime]


class Membership(Base):
    """What a person is in a fleet."""

    __tablename__ = "memberships"
    __table_args__ = (
        CheckConstraint("role IN ('viewer', 'admin')", name="role"),
        Index("ix_memberships_person_id", "person_id"),
    )

    fleet_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("fleets.fleet_id", ondelete="CASCADE"), primary_key=True
    )
    person_id: Mapped[uuid.UUID] = _of_person(primary_key=True)
    role: Mapped[str]
    since: Mapped[datetime] = mapped_column(server_default=text("now()"))
