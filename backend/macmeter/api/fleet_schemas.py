"""What endpoints of fleets answer."""

from __future__ import annotations

from typing import Any, Literal

from macmeter.api.schemas import Shape

Visibility = Literal["private", "members", "public"]
Role = Literal["viewer", "admin"]


class Enrolment(Shape):
    token: str
    fleet: str | None
    visibility: Visibility
    machine_id: str


class FreshToken(Shape):
    token: str


class FleetTold(Shape):
    id: str
    name: str
    visibility: Visibility
    verified: bool
    role: Role
    created_at: str
    machines: int
    people: int


class Fleets(Shape):
    items: list[FleetTold]
    may_create: bool


class Deleted(Shape):
    runs: int


class PersonInFleet(Shape):
    id: str
    name: str
    email: str | None
    role: Role
    since: str


class Members(Shape):
    items: list[PersonInFleet]


class Secret(Shape):
    id: str
    name: str
    quota: int | None
    used: int
    created_at: str
    expires_at: str | None
    revoked_at: str | None


class NewSecret(Secret):
    secret: str
    command: str


class Secrets(Shape):
    items: list[Secret]


class Device(Shape):
    id: str
    scope: Literal["device", "fleet"]
    machine_id: str | None
    name: str | None
    chip: str | None
    secret: str | None
    created_at: str
    renewed: bool
    last_used_at: str | None
    expires_at: str | None
    revoked: bool


class NewUploader(Shape):
    id: str
    name: str
    secret: str


class Devices(Shape):
    items: list[Device]
    total: int


class Clone(Shape):
    machine_id: str
    name: str | None
    enrolments: int
    first_at: str
    last_at: str
    new_ids: bool


class Clones(Shape):
    items: list[Clone]


class Given(Shape):
    """How many runs have another machine now."""

    runs: int


class Forgotten(Shape):
    outcome: Literal["deleted", "retired"]
    runs: int


class ClaimLink(Shape):
    link: str
    """Shown this once."""
    expires_at: str


class OwnMachine(Shape):
    id: str
    name: str | None
    retired_at: str | None


class OwnMachines(Shape):
    items: list[OwnMachine]


class Act(Shape):
    id: int
    at: str
    action: str
    by: str
    fleet: str | None
    details: dict[str, Any]


class Acts(Shape):
    items: list[Act]
    next: int | None


class RetentionPolicyTold(Shape):
    days: int
    keep: Literal["nothing", "medians"]
    keep_linked: bool


class Sweep(Shape):
    id: str
    keep: Literal["nothing", "medians"]
    runs: int
    at: str
    ends_at: str
    state: Literal["undoable", "undone", "done"]


class Retention(Shape):
    policy: RetentionPolicyTold | None
    sweeps: list[Sweep]


class RetentionEffect(Shape):
    runs: int
    machines: int
    links_kept: int
    runs_kept: int
    links_lost: int
