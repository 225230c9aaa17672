"""What was worked out of a fleet's runs, its alerts, and who receives them."""

from __future__ import annotations

import uuid
from datetime import datetime

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, UniqueConstraint, text
from sqlalchemy.orm import Mapped, mapped_column

from macmeter.models.base import Base
from macmeter.untyped import Json


def _of_fleet(*, primary_key: bool = False) -> Mapped[uuid.UUID]:
    """Whatever is kept about a fleet is deleted with it."""
    return mapped_column(ForeignKey("fleets.fleet_id", ondelete="CASCADE"), primary_key=primary_key)


class FleetMachine(Base):
    """A machine as its newest runs in a fleet show it: derived, and can be rebuilt at any time."""

    __tablename__ = "fleet_machines"

    fleet_id: Mapped[uuid.UUID] = _of_fleet(primary_key=True)
    machine_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("machines.machine_id", ondelete="CASCADE"), primary_key=True
    )
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

    fleet_id: Mapped[uuid.UUID] = _of_fleet(primary_key=True)
    as_of: Mapped[datetime]
    told: Mapped[Json]


class Refusal(Base):
    """Runs of a fleet's token that were refused for one reason."""

    __tablename__ = "refusals"

    fleet_id: Mapped[uuid.UUID] = _of_fleet(primary_key=True)
    token_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("tokens.token_id", ondelete="CASCADE"), primary_key=True
    )
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

    alert_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    fleet_id: Mapped[uuid.UUID] = _of_fleet()
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

    comment_id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    alert_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("alerts.alert_id", ondelete="CASCADE"))
    at: Mapped[datetime] = mapped_column(server_default=text("now()"))
    person_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("people.person_id", ondelete="SET NULL")
    )
    by: Mapped[str]
    """By the name of that day: it stays when the account is deleted."""
    text: Mapped[str]


class AlertWebhook(Base):
    """An address that a fleet's alerts are sent to."""

    __tablename__ = "alert_webhooks"
    __table_args__ = (Index("ix_alert_webhooks_fleet_id", "fleet_id"),)

    webhook_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    fleet_id: Mapped[uuid.UUID] = _of_fleet()
    url: Mapped[str]
    secret: Mapped[str]
    """What bodies are signed with: it must be known to sign, so it is kept as it is."""
    created_at: Mapped[datetime] = mapped_column(server_default=text("now()"))


class AlertMail(Base):
    """How somebody wants to hear of a fleet's alerts; who has no row hears nothing."""

    __tablename__ = "alert_mails"

    fleet_id: Mapped[uuid.UUID] = _of_fleet(primary_key=True)
    person_id: Mapped[uuid.UUID] = mapped_column(
        ForeignKey("people.person_id", ondelete="CASCADE"), primary_key=True
    )
    how: Mapped[str]
    """at_once or digest."""


class AlertDelivery(Base):
    """One alert on its way to one address; kept for some weeks after it arrived."""

    __tablename__ = "alert_deliveries"
    __table_args__ = (Index("ix_alert_deliveries_due_at", "due_at"),)

    delivery_id: Mapped[uuid.UUID] = mapped_column(primary_key=True)
    alert_id: Mapped[uuid.UUID] = mapped_column(ForeignKey("alerts.alert_id", ondelete="CASCADE"))
    webhook_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("alert_webhooks.webhook_id", ondelete="CASCADE")
    )
    person_id: Mapped[uuid.UUID | None] = mapped_column(
        ForeignKey("people.person_id", ondelete="CASCADE")
    )
    due_at: Mapped[datetime | None]
    """When it is tried next; None when it arrived or was given up."""
    tries: Mapped[int] = mapped_column(server_default=text("0"))
    sent_at: Mapped[datetime | None]
    problem: Mapped[str | None]
    """Why the last try failed."""
