"""People, what they did, and the comparisons that they share."""

import uuid
from datetime import datetime

from sqlalchemy import CheckConstraint, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter import Json
from macmeter.models.base import (
    Base,
    DefaultFalse,
    DefaultNow,
    FleetIdCascade,
    MachineIdCascade,
    NumberKey,
    PersonIdCascade,
    PersonIdSetNull,
    TokenIdSetNull,
    UuidKey,
)


class Person(Base):
    """An account."""

    __tablename__ = "people"
    __table_args__ = (UniqueConstraint("email"), UniqueConstraint("oidc_issuer", "oidc_subject"))

    person_id: Mapped[UuidKey]
    name: Mapped[str]
    email: Mapped[str | None]
    """Lower case."""
    password_hash: Mapped[str | None]
    """Argon2id, with its parameters."""
    oidc_issuer: Mapped[str | None]
    oidc_subject: Mapped[str | None]
    server_admin: Mapped[DefaultFalse]
    uninvited: Mapped[DefaultFalse]
    """Whether they created the account to claim a Mac: fleets for members aren't for them."""
    created_at: Mapped[DefaultNow]


class Passkey(Base):
    """A WebAuthn credential of a person."""

    __tablename__ = "passkeys"
    __table_args__ = (Index("ix_passkeys_person_id", "person_id"),)

    credential_id: Mapped[bytes] = mapped_column(primary_key=True)
    person_id: Mapped[PersonIdCascade]
    public_key: Mapped[bytes]
    sign_count: Mapped[int]
    transports: Mapped[list[str]]
    name: Mapped[str]
    created_at: Mapped[DefaultNow]
    last_used_at: Mapped[datetime | None]


class Session(Base):
    """A browser in which somebody is signed in. Its cookie's secret is stored as a SHA-256."""

    __tablename__ = "sessions"
    __table_args__ = (
        UniqueConstraint("secret_sha256"),
        Index("ix_sessions_person_id", "person_id"),
    )

    session_id: Mapped[UuidKey]
    person_id: Mapped[PersonIdCascade]
    secret_sha256: Mapped[bytes]
    browser: Mapped[str]
    """Name that it gives for itself: untrusted text."""
    created_at: Mapped[DefaultNow]
    last_used_at: Mapped[DefaultNow]
    """Accurate to an hour or so."""
    expires_at: Mapped[datetime]


class OneTimeLink(Base):
    """A link that works once: to become the first admin, join a fleet or claim a machine."""

    __tablename__ = "one_time_links"
    __table_args__ = (
        UniqueConstraint("secret_sha256"),
        Index("ix_one_time_links_fleet_id", "fleet_id"),
    )

    link_id: Mapped[UuidKey]
    secret_sha256: Mapped[bytes]
    purpose: Mapped[str]
    """`first_admin`, `invitation`, `claim`, or `enrolment`, to enrol one machine again."""
    fleet_id: Mapped[FleetIdCascade | None]
    role: Mapped[str | None]
    limited_to: Mapped[Json | None]
    """`limited_to` of the membership that accepting the invitation creates."""
    machine_id: Mapped[MachineIdCascade | None]
    email: Mapped[str | None]
    """Address that it was mailed to, if any."""
    made_by: Mapped[PersonIdCascade | None]
    created_at: Mapped[DefaultNow]
    expires_at: Mapped[datetime]
    used_at: Mapped[datetime | None]


class Challenge(Base):
    """A challenge that a browser must return, signed by a passkey or from an organisation's
    sign-in.

    Valid for minutes, and once.
    """

    __tablename__ = "challenges"

    challenge_sha256: Mapped[bytes] = mapped_column(primary_key=True)
    purpose: Mapped[str]
    details: Mapped[Json]
    expires_at: Mapped[datetime]


class Membership(Base):
    """A person's role in a fleet."""

    __tablename__ = "memberships"
    __table_args__ = (
        CheckConstraint("role IN ('viewer', 'admin')", name="role"),
        CheckConstraint("role = 'viewer' OR limited_to IS NULL", name="limited_to"),
        Index("ix_memberships_person_id", "person_id"),
    )

    fleet_id: Mapped[FleetIdCascade] = mapped_column(primary_key=True)
    person_id: Mapped[PersonIdCascade] = mapped_column(primary_key=True)
    role: Mapped[str]
    limited_to: Mapped[Json | None]
    """One label that admins gave to the Macs that the role is limited to."""
    since: Mapped[DefaultNow]


class Act(Base):
    """Entry of the audit log, written in the transaction of what was done and never changed."""

    __tablename__ = "acts"
    __table_args__ = (Index("ix_acts_fleet_id", "fleet_id", text("act_id DESC")),)

    act_id: Mapped[NumberKey]
    at: Mapped[DefaultNow]
    action: Mapped[str]
    """What was done to which kind of thing, such as `fleet.rename`: see accounts/audit.py."""
    person_id: Mapped[PersonIdSetNull | None]
    by: Mapped[str]
    """Name of whoever did it, at that time. It stays when the account is deleted."""
    token_id: Mapped[TokenIdSetNull | None]
    fleet_id: Mapped[uuid.UUID | None]
    """Not a foreign key: entries stay when the fleet is deleted."""
    details: Mapped[Json]
    """Values by name; never a secret."""


class Comparison(Base):
    """A saved comparison. `answer` is what its page shows forever.

    `format` says how `question` and `answer` are read: 1 a question and its answer, 2 a comparison
    of sides.
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
    """None once the comparison is a tombstone: its numbers were removed with a deleted run."""
    content_sha256: Mapped[bytes]
    runs: Mapped[int]
    """Number of runs that it rests on, including those that its figures are divided by."""
    runs_sha256: Mapped[bytes]
    """SHA-256 of their ids, ascending."""
    told_of: Mapped[list[uuid.UUID]]
    """Runs that its figures of few machines would still reveal."""
    names_few: Mapped[bool] = mapped_column(server_default=text("true"))
    """Whether `told_of` has only those runs. Older comparisons have all of their runs there."""
    fleet_ids: Mapped[list[uuid.UUID]] = mapped_column(server_default=text("'{}'"))
    """Private fleets whose figures it shows; usually none."""
    fewest_machines: Mapped[int | None]
    """Minimum number of machines behind each figure of these fleets that is shown."""
    knows_fleets: Mapped[DefaultFalse]
    """Whether `comparison_machines` has the machines behind it; not for older ones."""
    without_ids_of: Mapped[list[uuid.UUID]] = mapped_column(server_default=text("'{}'"))
    """Fleets whose admins have removed their runs' ids from this comparison."""
    dataset_version: Mapped[str | None]
    """Version of the public data set that has its results, kept as long as it is named here."""
    made_by: Mapped[PersonIdSetNull | None]
    """Account that made or adopted it, if any."""
    title: Mapped[str | None]
    note: Mapped[str | None]
    state: Mapped[str]
    owner_secret_sha256: Mapped[bytes]
    created_at: Mapped[DefaultNow]
    expires_at: Mapped[datetime | None]


class ComparisonMachines(Base):
    """A fleet's machines behind one figure of a comparison, as they were when it was saved.

    If a fleet has many behind a figure, one row counts them; otherwise each has its own.
    """

    __tablename__ = "comparison_machines"
    __table_args__ = (
        Index("ix_comparison_machines_slug", "slug"),
        Index("ix_comparison_machines_fleet_id", "fleet_id"),
        Index("ix_comparison_machines_machine_id", "machine_id"),
    )

    row_id: Mapped[NumberKey]
    slug: Mapped[str] = mapped_column(ForeignKey("comparisons.slug", ondelete="CASCADE"))
    figure: Mapped[int]
    """Position in the answer, from 0; negative for something that figures are divided by."""
    fleet_id: Mapped[uuid.UUID]
    """Not a foreign key: figures of a deleted fleet stay hidden. It follows a move."""
    machine_id: Mapped[uuid.UUID | None]
    machines: Mapped[int]
    total: Mapped[int]
    """All machines behind this figure, in any fleet."""
