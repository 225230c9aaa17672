"""Fleets, credentials of machines and programs, what was derived for fleets, and alerts."""

import uuid
from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter import Json
from macmeter.models.base import (
    AlertIdCascade,
    Base,
    DefaultFalse,
    DefaultNow,
    FleetIdCascade,
    FleetIdRestrict,
    GroupFilter,
    MachineIdCascade,
    NumberKey,
    PersonIdCascade,
    PersonIdSetNull,
    TokenIdCascade,
    UuidKey,
)


class Fleet(Base):
    """A group of machines. Its runs are private until its visibility says otherwise."""

    __tablename__ = "fleets"
    __table_args__ = (UniqueConstraint("name"),)

    fleet_id: Mapped[UuidKey]
    name: Mapped[str]
    visibility: Mapped[str]
    settings: Mapped[Json] = mapped_column(server_default=text("'{}'"))
    """Settings by name. Absent ones have their default."""
    created_at: Mapped[DefaultNow]
    verified_at: Mapped[datetime | None]
    """Since when an admin of the server vouches for it."""
    naming: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    """Version of its machines' names: how often they have changed. A trigger counts."""


class EnrolmentSecret(Base):
    """Secret that a fleet's machines enrol with. Each gets its own token; the secret isn't one."""

    __tablename__ = "enrolment_secrets"
    __table_args__ = (
        UniqueConstraint("secret_sha256"),
        Index("ix_enrolment_secrets_fleet_id", "fleet_id"),
    )

    secret_id: Mapped[UuidKey]
    fleet_id: Mapped[FleetIdCascade]
    secret_sha256: Mapped[bytes]
    name: Mapped[str]
    quota: Mapped[int | None]
    """Number of machines that may enrol with it; None without a limit."""
    used: Mapped[int] = mapped_column(server_default=text("0"))
    """Number of machines that have. One that enrols again counts once."""
    created_at: Mapped[DefaultNow]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class Clone(Base):
    """A machine that enrolled again without its token: it lost it, or several share the id."""

    __tablename__ = "clones"
    __table_args__ = (Index("ix_clones_fleet_id", "fleet_id"),)

    machine_id: Mapped[MachineIdCascade] = mapped_column(primary_key=True)
    fleet_id: Mapped[FleetIdCascade]
    enrolments: Mapped[int]
    """Number of attempts."""
    first_at: Mapped[datetime]
    last_at: Mapped[datetime]
    recent: Mapped[int]
    """Attempts since `recent_since`, which is at most an hour ago."""
    recent_since: Mapped[datetime]
    new_ids: Mapped[DefaultFalse]
    """Whether an admin has decided that they are several: each gets an id of its own, unless it has
    the token.
    """


class Token(Base):
    """A credential, stored as the SHA-256 of its secret (a random one, so no salt is needed)."""

    __tablename__ = "tokens"
    __table_args__ = (
        UniqueConstraint("secret_sha256"),
        Index("ix_tokens_person_id", "person_id"),
        Index("ix_tokens_secret_id_machine_id", "secret_id", "machine_id"),
        Index("ix_tokens_fleet_id", "fleet_id"),
        Index("ix_tokens_replaces", "replaces"),
    )

    token_id: Mapped[UuidKey]
    secret_sha256: Mapped[bytes]
    scope: Mapped[str]
    """`device`, `fleet` or `person`: see accounts/tokens.py."""
    fleet_id: Mapped[FleetIdRestrict | None]
    """Limits a person's token to one fleet; None for all of theirs."""
    person_id: Mapped[PersonIdCascade | None]
    secret_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("enrolment_secrets.secret_id", ondelete="SET NULL")
    )
    """Secret that its device enrolled with."""
    machine_id: Mapped[uuid.UUID | None]
    """Machine that enrolled. Not a foreign key: `machines` says which one the token writes for."""
    replaces: Mapped[uuid.UUID | None]
    """Token of the device that ends, or has ended, when this one is first used."""
    name: Mapped[str | None]
    permission: Mapped[str | None]
    """Permission of a person's token: `read` or `manage`."""
    created_at: Mapped[DefaultNow]
    last_used_at: Mapped[datetime | None]
    """Accurate to an hour or so: not every use is recorded."""
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class Sweep(Base):
    """Runs that were too old at one time. They refer to it by `runs.sweep_id`."""

    __tablename__ = "sweeps"
    __table_args__ = (Index("ix_sweeps_fleet_id", "fleet_id"),)

    sweep_id: Mapped[UuidKey]
    fleet_id: Mapped[FleetIdCascade]
    keep: Mapped[str]
    """Remains of its runs: `nothing` or `medians`."""
    keep_linked: Mapped[bool]
    """Whether runs stay that a link uses."""
    runs: Mapped[int]
    at: Mapped[datetime]
    ends_at: Mapped[datetime]
    """End of the time in which it can be undone."""
    undone_at: Mapped[datetime | None]
    done_at: Mapped[datetime | None]
    """Time when the runs were deleted."""


class FleetMachine(Base):
    """A machine as its newest runs in a fleet show it: derived, and can be rebuilt at any time."""

    __tablename__ = "fleet_machines"

    fleet_id: Mapped[FleetIdCascade] = mapped_column(primary_key=True)
    machine_id: Mapped[MachineIdCascade] = mapped_column(primary_key=True)
    run_id: Mapped[uuid.UUID]
    """Newest run."""
    runs: Mapped[int]
    received_at: Mapped[datetime]
    """Time of the newest upload."""
    measured_at: Mapped[datetime]
    """Start of the newest run."""
    chip: Mapped[str | None]
    model: Mapped[str | None]
    virtual: Mapped[bool]
    os_version: Mapped[str | None]
    agent_version: Mapped[str | None]
    encryption: Mapped[str | None]
    """Encryption of the internal storage, as last measured."""
    storages: Mapped[list[str]]
    """All storage that it measured, sorted."""


class FleetState(Base):
    """Changes over updates and outliers of a fleet: derived, and can be rebuilt at any time."""

    __tablename__ = "fleet_states"

    fleet_id: Mapped[FleetIdCascade] = mapped_column(primary_key=True)
    as_of: Mapped[datetime]
    told: Mapped[Json]


class Refusal(Base):
    """Runs of a fleet's token that were refused for one reason."""

    __tablename__ = "refusals"

    fleet_id: Mapped[FleetIdCascade] = mapped_column(primary_key=True)
    token_id: Mapped[TokenIdCascade] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(primary_key=True)
    """Code in the response, such as `clock_ahead`."""
    title: Mapped[str]
    times: Mapped[int]
    first_at: Mapped[datetime]
    last_at: Mapped[datetime]


class RefusedEnrolment(Base):
    """A machine that a fleet refused, and for what: forgotten once it enrols."""

    __tablename__ = "refused_enrolments"

    fleet_id: Mapped[FleetIdCascade] = mapped_column(primary_key=True)
    machine_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    """Not a foreign key: most of these machines aren't known here."""
    code: Mapped[str]
    """Code in the last response, such as `secret_revoked`."""
    secret: Mapped[str]
    """Name of the secret that it showed."""
    times: Mapped[int]
    first_at: Mapped[datetime]
    last_at: Mapped[datetime]


class Alert(Base):
    """Something that somebody should look at: one row per cause, with all that it concerns."""

    __tablename__ = "alerts"
    __table_args__ = (
        UniqueConstraint("fleet_id", "kind", "cause"),
        Index("ix_alerts_fleet_id", "fleet_id", text("opened_at DESC")),
    )

    alert_id: Mapped[UuidKey]
    fleet_id: Mapped[FleetIdCascade]
    kind: Mapped[str]
    """`regression`, `silent`, `quota` or `doubts`: see alerts/alert.py."""
    cause: Mapped[str]
    """Key among alerts of its kind, such as `update 26.4`."""
    opened_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    """Time when it last held."""
    closed_at: Mapped[datetime | None]
    """Time when it stopped holding."""
    acknowledged_at: Mapped[datetime | None]
    acknowledged_by: Mapped[str | None]
    """Name at that time."""
    muted_until: Mapped[datetime | None]
    """Nothing about it is sent before."""
    muted_by: Mapped[str | None]
    """Name at that time."""
    muted_why: Mapped[str | None]
    owner_id: Mapped[PersonIdSetNull | None]
    """Member who looks after it."""
    detail: Mapped[Json]


class AlertComment(Base):
    """Comment on an alert."""

    __tablename__ = "alert_comments"
    __table_args__ = (Index("ix_alert_comments_alert_id", "alert_id"),)

    comment_id: Mapped[NumberKey]
    alert_id: Mapped[AlertIdCascade]
    at: Mapped[DefaultNow]
    person_id: Mapped[PersonIdSetNull | None]
    by: Mapped[str]
    """Author's name at that time, which stays when the account is deleted."""
    text: Mapped[str]


class AlertWebhook(Base):
    """An address that a fleet's alerts are sent to."""

    __tablename__ = "alert_webhooks"
    __table_args__ = (Index("ix_alert_webhooks_fleet_id", "fleet_id"),)

    webhook_id: Mapped[UuidKey]
    fleet_id: Mapped[FleetIdCascade]
    url: Mapped[str]
    secret: Mapped[str]
    """Key that bodies are signed with. Signing needs the key itself, so it isn't hashed."""
    created_at: Mapped[DefaultNow]
    group_where: Mapped[GroupFilter]


class AlertAddress(Base):
    """A mail address of a fleet's own, such as a team's. It gets alerts once it is confirmed."""

    __tablename__ = "alert_addresses"
    __table_args__ = (
        UniqueConstraint("fleet_id", "email", "group_where"),
        UniqueConstraint("secret_sha256"),
    )

    address_id: Mapped[UuidKey]
    fleet_id: Mapped[FleetIdCascade]
    email: Mapped[str]
    group_where: Mapped[GroupFilter]
    secret_sha256: Mapped[bytes]
    """Hash of the secret that was mailed to it last."""
    created_at: Mapped[DefaultNow]
    """Time of that mail."""
    confirmed_at: Mapped[datetime | None]


class AlertMail(Base):
    """A person's mail setting for a fleet's alerts. Without a row they get none."""

    __tablename__ = "alert_mails"

    fleet_id: Mapped[FleetIdCascade] = mapped_column(primary_key=True)
    person_id: Mapped[PersonIdCascade] = mapped_column(primary_key=True)
    how: Mapped[str]
    """`at_once` or `digest`."""
    group_where: Mapped[GroupFilter]


class AlertDelivery(Base):
    """One alert on its way to one recipient, kept for some weeks after it arrived."""

    __tablename__ = "alert_deliveries"
    __table_args__ = (Index("ix_alert_deliveries_due_at", "due_at"),)

    delivery_id: Mapped[UuidKey]
    alert_id: Mapped[AlertIdCascade]
    webhook_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("alert_webhooks.webhook_id", ondelete="CASCADE")
    )
    person_id: Mapped[PersonIdCascade | None]
    address_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("alert_addresses.address_id", ondelete="CASCADE")
    )
    due_at: Mapped[datetime | None]
    """Time of the next attempt; None once it has arrived or was given up."""
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    sent_at: Mapped[datetime | None]
    problem: Mapped[str | None]
    """Why the last attempt failed."""
    given_by: Mapped[str | None]
    """Name of who made the recipient the alert's owner, if it is sent for that."""
