"""Machines, their runs, and what was derived from them.

Everything about a run is keyed by (machine_id, run_id), so that the tables partition and distribute
by machine; only `run_ids` decides who owns a run id. Children are deleted with their run.
"""

import uuid
from datetime import datetime
from typing import ClassVar

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, UniqueConstraint, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from macmeter import Json
from macmeter.models.base import (
    Base,
    DefaultNow,
    FleetIdRestrict,
    MachineIdRestrict,
    PersonIdSetNull,
    SweepIdSetNull,
    TokenIdRestrict,
    UuidKey,
)

OWNER, SERVER, QUARANTINE, RETENTION = "owner", "server", "quarantine", "retention"
WITHDRAWN_BY = (OWNER, SERVER, QUARANTINE, RETENTION)
"""Anybody who may write the run, the server's admin, the server by itself, a fleet's retention."""
UPHELD, DISMISSED = "upheld", "dismissed"


class Machine(Base):
    """A Mac or VM, by the id its agent made, and its owner (see accounts/binding.py)."""

    __tablename__ = "machines"
    __table_args__ = (
        UniqueConstraint("bound_token_id"),
        Index("ix_machines_fleet_id", "fleet_id"),
        Index("ix_machines_claimed_by", "claimed_by"),
        Index(
            "ix_machines_merged_into",
            "merged_into",
            postgresql_where=text("merged_into IS NOT NULL"),
        ),
    )

    machine_id: Mapped[UuidKey]
    bound_token_id: Mapped[TokenIdRestrict | None]
    fleet_id: Mapped[FleetIdRestrict | None]
    reserved: Mapped[bool] = mapped_column(server_default=text("false"))
    """Whether it is a machine of published figures: only the server itself writes its runs."""
    claimed_by: Mapped[PersonIdSetNull | None]
    """Owner of a Mac outside any fleet."""
    name: Mapped[str | None]
    """Name given by its owner or its fleet, and shown only to them."""
    labels: Mapped[Json | None]
    """Labels given by an admin of its fleet. Triggers lay them over those of its runs there."""
    retired_at: Mapped[datetime | None]
    """Since then no runs are expected."""
    retired_by: Mapped[str | None]
    """Name of the admin who retired it: only an admin brings it back. Without one it left by
    itself, and comes back by enrolling.
    """
    proof_sha256: Mapped[bytes | None]
    """Hash of what its agent makes from its key for this server: see fleets/enrolment.py."""
    barred_at: Mapped[datetime | None]
    """Since then it may not enrol in its fleet."""
    merged_into: Mapped[MachineIdRestrict | None]
    """Current id of the same Mac, which has its runs: see fleets/merging.py."""
    first_seen_at: Mapped[DefaultNow]


class RunId(Base):
    """Owner of a run id: the one place where ids are unique over all machines."""

    __tablename__ = "run_ids"

    run_id: Mapped[UuidKey]
    machine_id: Mapped[MachineIdRestrict]


class Run(Base):
    """A run, its environment and its target: every dimension a question can name, in one row."""

    __tablename__ = "runs"
    __table_args__ = (
        Index("ix_runs_received_at", text("received_at DESC"), text("run_id DESC")),
        Index(
            "ix_runs_withdrawn",
            *(text("received_at DESC"), text("run_id DESC")),
            postgresql_where=text("withdrawn_at IS NOT NULL"),
        ),
        Index("ix_runs_sweep_id", "sweep_id", postgresql_where=text("sweep_id IS NOT NULL")),
        Index(
            "ix_runs_host_machine_id",
            *("host_machine_id", "received_at"),
            postgresql_where=text("host_machine_id IS NOT NULL"),
        ),
    )

    machine_id: Mapped[MachineIdRestrict] = mapped_column(primary_key=True)
    run_id: Mapped[UuidKey]

    visibility: Mapped[str]
    fleet_id: Mapped[FleetIdRestrict | None]
    token_id: Mapped[TokenIdRestrict | None]
    received_at: Mapped[DefaultNow]
    derivation_version: Mapped[int]
    withdrawn_at: Mapped[datetime | None]
    """Since then no answer counts it. Its page stays and gives the reason."""
    withdrawn_reason: Mapped[str | None]
    withdrawn_by: Mapped[str | None]
    """One of `WITHDRAWN_BY`."""
    trust: Mapped[str | None]
    """Trust in it. Triggers derive it from its fleet and its machine's owner."""
    sweep_id: Mapped[SweepIdSetNull | None]
    """Retention sweep that will delete it, unless somebody undoes that."""

    uploaded_as: Mapped[uuid.UUID | None]
    """Machine that its document names, if that was merged into this one."""

    suite: Mapped[str]
    source: Mapped[str]
    method: Mapped[str]
    method_version: Mapped[int]
    started_at: Mapped[datetime | None]
    finished_at: Mapped[datetime | None]
    unspecified: Mapped[bool]
    flags: Mapped[list[str]]

    chip: Mapped[str | None]
    chip_family: Mapped[str | None]
    chip_variant: Mapped[str | None]
    model: Mapped[str | None]
    storage: Mapped[str | None]
    link_speed: Mapped[float | None]
    device: Mapped[str | None]
    device_id: Mapped[str | None]
    holder: Mapped[Json | None]
    """Volume that holds a disk image or a guest's disk: storage, encryption, device_id."""
    via: Mapped[str | None]
    enclosure: Mapped[str | None]
    simultaneous: Mapped[int | None]
    image_format: Mapped[str | None]
    image_state: Mapped[str | None]
    encryption: Mapped[str | None]
    file_system: Mapped[str | None]
    virtual: Mapped[bool]
    vcpus: Mapped[int | None]
    host_machine_id: Mapped[uuid.UUID | None]
    os_version: Mapped[str | None]
    os_major: Mapped[int | None]
    power_mode: Mapped[str | None]
    power_source: Mapped[str | None]
    tool: Mapped[str | None]
    article: Mapped[str | None]
    month: Mapped[str | None]
    labels: Mapped[Json]
    stated_labels: Mapped[Json | None]
    """Labels of its document, if its machine's are laid over them; None if `labels` are these."""
    citation: Mapped[Json | None]


def _of_a_run() -> ForeignKeyConstraint:
    return ForeignKeyConstraint(
        ["machine_id", "run_id"], ["runs.machine_id", "runs.run_id"], ondelete="CASCADE"
    )


class Document(Base):
    """The raw document as it was uploaded: the source from which the rest is derived."""

    __tablename__ = "documents"
    __table_args__ = (_of_a_run(),)

    machine_id: Mapped[UuidKey]
    run_id: Mapped[UuidKey]
    sha256: Mapped[bytes]
    size: Mapped[int]
    compressed: Mapped[bytes | None]
    """Compressed by `documents/compression.py`.

    `size` and `sha256` are of the original. None once its fleet's retention has kept only the
    medians.
    """


class Series(Base):
    """A metric under one set of parameters, written once. Results refer to it by number."""

    __tablename__ = "series"
    __table_args__ = (UniqueConstraint("metric", "parameters"),)

    series_id: Mapped[int] = mapped_column(primary_key=True)
    metric: Mapped[str]
    parameters: Mapped[Json]


class RunResults(Base):
    """All results of one run: arrays with one element per series, in the order of their numbers.

    Exact samples are only in the document, which `documents/stored.py` reads.
    """

    __tablename__ = "run_results"
    __table_args__ = (
        _of_a_run(),
        CheckConstraint(
            "cardinality(medians) = cardinality(series)"
            " AND cardinality(counts) = cardinality(series)"
            " AND coalesce(cardinality(doubtful), cardinality(series)) = cardinality(series)",
            name="alike",
        ),
    )

    machine_id: Mapped[UuidKey]
    run_id: Mapped[UuidKey]
    series: Mapped[list[int]]
    """Not foreign keys: series are never deleted, and the check would slow every upload down."""
    medians: Mapped[list[float]]
    counts: Mapped[list[int]]
    """Number of samples of each series."""
    doubtful: Mapped[list[bool] | None]
    """NULL unless the run or a result is doubtful."""
    steps: Mapped[bytes]
    """All samples, ascending in each series, as `statistics.summary` stores them: 16 bits each."""
    said: Mapped[Json | None]
    """Flags, printed and qualifier by the series' number, if there are any."""


class View(DeclarativeBase):
    """Base of models that are mapped to a view: read, and never written."""

    type_annotation_map: ClassVar = Base.type_annotation_map


class Result(View):
    """One run's median of one series: a row of `results`, a view of `run_results`."""

    __tablename__ = "results"

    machine_id: Mapped[UuidKey]
    run_id: Mapped[UuidKey]
    series_id: Mapped[int] = mapped_column(primary_key=True)
    doubtful: Mapped[bool]
    """Whether the run or this result is doubtful: left out of answers by default."""
    median: Mapped[float]
    n: Mapped[int]
    """Number of samples."""
    flags: Mapped[list[str] | None]
    printed: Mapped[str | None]
    qualifier: Mapped[str | None]


class PublishedFigure(Base):
    """A ratio or range as an article prints it: shown beside results, never pooled with them."""

    __tablename__ = "published_figures"
    __table_args__ = (_of_a_run(), Index("ix_published_figures_metric", "metric"))

    machine_id: Mapped[UuidKey]
    run_id: Mapped[UuidKey]
    position: Mapped[int] = mapped_column(primary_key=True)
    kind: Mapped[str]
    metric: Mapped[str]
    parameters: Mapped[Json]
    value: Mapped[float | None]
    low: Mapped[float | None]
    high: Mapped[float | None]
    of: Mapped[Json | None]
    to: Mapped[Json | None]
    qualifier: Mapped[str | None]
    printed: Mapped[str]


class Doubt(Base):
    """A reader's report of a run, for its owner and the server's admin to judge."""

    __tablename__ = "doubts"
    __table_args__ = (
        _of_a_run(),
        UniqueConstraint("secret_sha256"),
        Index("ix_doubts_machine_id_run_id", "machine_id", "run_id"),
    )

    doubt_id: Mapped[UuidKey]
    machine_id: Mapped[uuid.UUID]
    run_id: Mapped[uuid.UUID]
    reason: Mapped[str]
    created_at: Mapped[DefaultNow]
    secret_sha256: Mapped[bytes | None]
    """Hash of the secret with which its reporter sees what happened to it."""
    decision: Mapped[str | None]
    """`upheld` or `dismissed`, once somebody has judged it."""
    answer: Mapped[str | None]
    """Text for its reporter."""
    decided_at: Mapped[datetime | None]
