"""Fleets, what lets machines and programs in, what was worked out of their runs, and alerts."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import ForeignKey, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter import Json
from macmeter.models.base import (
    Base,
    ByPerson,
    Key,
    No,
    Now,
    Number,
    OfAlert,
    OfFleet,
    OfMachine,
    OfPerson,
    OfToken,
    ToFleet,
)


class Fleet(Base):
    """A group of machines; its runs are private until its visibility says otherwise."""

    __tablename__ = "fleets"
    __table_args__ = (UniqueConstraint("name"),)

    fleet_id: Mapped[Key]
    name: Mapped[str]
    visibility: Mapped[str]
    settings: Mapped[Json] = mapped_column(server_default=text("'{}'"))
    """What its admins have chosen, by name; what is absent is as usual."""
    created_at: Mapped[Now]
    verified_at: Mapped[datetime | None]
    """Since then an admin of the server has vouched for it."""


class EnrolmentSecret(Base):
    """What machines of a fleet enrol with. Each gets its own token; the secret isn't one."""

    __tablename__ = "enrolment_secrets"
    __table_args__ = (
        UniqueConstraint("secret_sha256"),
        Index("ix_enrolment_secrets_fleet_id", "fleet_id"),
    )

    secret_id: Mapped[Key]
    fleet_id: Mapped[OfFleet]
    secret_sha256: Mapped[bytes]
    name: Mapped[str]
    quota: Mapped[int | None]
    """How many machines may enrol with it; None without a limit."""
    used: Mapped[int] = mapped_column(server_default=text("0"))
    """How many have: a machine that enrols again counts once."""
    created_at: Mapped[Now]
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class Clone(Base):
    """A machine that enrolled again without its token: one that lost it, or several with one id."""

    __tablename__ = "clones"
    __table_args__ = (Index("ix_clones_fleet_id", "fleet_id"),)

    machine_id: Mapped[OfMachine] = mapped_column(primary_key=True)
    fleet_id: Mapped[OfFleet]
    enrolments: Mapped[int]
    """How often it tried."""
    first_at: Mapped[datetime]
    last_at: Mapped[datetime]
    recent: Mapped[int]
    """How often since `recent_since`, which is at most an hour ago."""
    recent_since: Mapped[datetime]
    new_ids: Mapped[No]
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

    token_id: Mapped[Key]
    secret_sha256: Mapped[bytes]
    scope: Mapped[str]
    """device, fleet or person: see accounts/tokens.py."""
    fleet_id: Mapped[ToFleet | None]
    """Of a person's token: the one fleet it is good for; None for all of theirs."""
    person_id: Mapped[OfPerson | None]
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
    created_at: Mapped[Now]
    last_used_at: Mapped[datetime | None]
    """To the hour or so: not each use is written down."""
    expires_at: Mapped[datetime | None]
    revoked_at: Mapped[datetime | None]


class Sweep(Base):
    """Runs that were too old at one time. They name it: `runs.sweep_id`."""

    __tablename__ = "sweeps"
    __table_args__ = (Index("ix_sweeps_fleet_id", "fleet_id"),)

    sweep_id: Mapped[Key]
    fleet_id: Mapped[OfFleet]
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


class FleetMachine(Base):
    """A machine as its newest runs in a fleet show it: derived, and can be rebuilt at any time."""

    __tablename__ = "fleet_machines"

    fleet_id: Mapped[OfFleet] = mapped_column(primary_key=True)
    machine_id: Mapped[OfMachine] = mapped_column(primary_key=True)
    run_id: Mapped[uuid.UUID]
    """The newest."""
    runs: Mapped[int]
    received_at: Mapped[datetime]
    """The newest upload."""
    measured_at: Mapped[datetime]
    """The newest run's start."""
    chip: Mapped[str | None]
    model: Mapped[str | None]
    virtual: Mapped[bool]
    os_version: Mapped[str | None]
    agent_version: Mapped[str | None]
    encryption: Mapped[str | None]
    """Of the internal storage, as it was measured last."""
    storages: Mapped[list[str]]
    """All that it measured on, sorted."""


class FleetState(Base):
    """Changes over updates and outliers of a fleet: derived, and can be rebuilt at any time."""

    __tablename__ = "fleet_states"

    fleet_id: Mapped[OfFleet] = mapped_column(primary_key=True)
    as_of: Mapped[datetime]
    told: Mapped[Json]


class Refusal(Base):
    """Runs of a fleet's token that were refused for one reason."""

    __tablename__ = "refusals"

    fleet_id: Mapped[OfFleet] = mapped_column(primary_key=True)
    token_id: Mapped[OfToken] = mapped_column(primary_key=True)
    code: Mapped[str] = mapped_column(primary_key=True)
    """As the answer named it, as `clock_ahead`."""
    title: Mapped[str]
    times: Mapped[int]
    first_at: Mapped[datetime]
    last_at: Mapped[datetime]


class Alert(Base):
    """Something that somebody should look at: one for one cause, with all that it concerns."""

    __tablename__ = "alerts"
    __table_args__ = (
        UniqueConstraint("fleet_id", "kind", "cause"),
        Index("ix_alerts_fleet_id", "fleet_id", text("opened_at DESC")),
    )

    alert_id: Mapped[Key]
    fleet_id: Mapped[OfFleet]
    kind: Mapped[str]
    """regression, silent, quota or doubts: see alerts/alert.py."""
    cause: Mapped[str]
    """What tells it from others of its kind, as `update 26.4`."""
    opened_at: Mapped[datetime]
    seen_at: Mapped[datetime]
    """When it was last found to hold."""
    closed_at: Mapped[datetime | None]
    """Since when it no longer holds."""
    acknowledged_at: Mapped[datetime | None]
    acknowledged_by: Mapped[str | None]
    """By the name of that day."""
    detail: Mapped[Json]


class AlertComment(Base):
    """What somebody wrote below an alert."""

    __tablename__ = "alert_comments"
    __table_args__ = (Index("ix_alert_comments_alert_id", "alert_id"),)

    comment_id: Mapped[Number]
    alert_id: Mapped[OfAlert]
    at: Mapped[Now]
    person_id: Mapped[ByPerson | None]
    by: Mapped[str]
    """By the name of that day: it stays when the account is deleted."""
    text: Mapped[str]


class AlertWebhook(Base):
    """An address that a fleet's alerts are sent to."""

    __tablename__ = "alert_webhooks"
    __table_args__ = (Index("ix_alert_webhooks_fleet_id", "fleet_id"),)

    webhook_id: Mapped[Key]
    fleet_id: Mapped[OfFleet]
    url: Mapped[str]
    secret: Mapped[str]
    """What bodies are signed with: it must be known to sign, so it is kept as it is."""
    created_at: Mapped[Now]


class AlertMail(Base):
    """How somebody wants to hear of a fleet's alerts; who has no row hears nothing."""

    __tablename__ = "alert_mails"

    fleet_id: Mapped[OfFleet] = mapped_column(primary_key=True)
    person_id: Mapped[OfPerson] = mapped_column(primary_key=True)
    how: Mapped[str]
    """at_once or digest."""


class AlertDelivery(Base):
    """One alert on its way to one address; kept for some weeks after it arrived."""

    __tablename__ = "alert_deliveries"
    __table_args__ = (Index("ix_alert_deliveries_due_at", "due_at"),)

    delivery_id: Mapped[Key]
    alert_id: Mapped[OfAlert]
    webhook_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("alert_webhooks.webhook_id", ondelete="CASCADE")
    )
    person_id: Mapped[OfPerson | None]
    due_at: Mapped[datetime | None]
    """When it is tried next; None when it arrived or was given up."""
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    sent_at: Mapped[datetime | None]
    problem: Mapped[str | None]
    """Why the last try failed."""
