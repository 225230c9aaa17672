"""Fleets, their people, secrets and devices, as they are sent."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict

from macmeter.access.people import Role
from macmeter.access.tokens import Visibility
from macmeter.answers.exact import exact
from macmeter.untyped import Json


@exact
class Enrolment(TypedDict):
    token: str
    fleet: str | None
    visibility: Visibility
    machine_id: str


@exact
class FreshToken(TypedDict):
    token: str


@exact
class FleetTold(TypedDict):
    id: str
    name: str
    visibility: Visibility
    verified: bool
    role: Role
    created_at: str
    machines: int
    people: int


@exact
class Fleets(TypedDict):
    items: list[FleetTold]
    may_create: bool


@exact
class Deleted(TypedDict):
    runs: int


@exact
class PersonInFleet(TypedDict):
    id: str
    name: str
    email: str | None
    role: Role
    since: str


@exact
class Members(TypedDict):
    items: list[PersonInFleet]


@exact
class Secret(TypedDict):
    id: str
    name: str
    quota: int | None
    used: int
    created_at: str
    expires_at: str | None
    revoked_at: str | None


@exact
class NewSecret(Secret):
    secret: str
    command: str


@exact
class Secrets(TypedDict):
    items: list[Secret]


@exact
class Device(TypedDict):
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


@exact
class NewUploader(TypedDict):
    id: str
    name: str
    secret: str


@exact
class Devices(TypedDict):
    items: list[Device]
    total: int


@exact
class Clone(TypedDict):
    machine_id: str
    name: str | None
    enrolments: int
    first_at: str
    last_at: str
    new_ids: bool


@exact
class Clones(TypedDict):
    items: list[Clone]


@exact
class KnownMac(TypedDict):
    """A machine of a fleet, by one of its ids."""

    id: str
    title: str
    chip: str | None
    runs: int
    first_at: str
    last_at: str


@exact
class LikelyMerge(TypedDict):
    """Two ids that may be one Mac, which was erased."""

    former: KnownMac
    present: KnownMac


@exact
class Merged(TypedDict):
    """An id that was merged into another, whose name, model and chip these are."""

    machine_id: str
    into: str
    title: str
    chip: str | None
    runs: int
    at: str | None


@exact
class Merges(TypedDict):
    likely: list[LikelyMerge]
    merged: list[Merged]


@exact
class Given(TypedDict):
    """How many runs have another machine now."""

    runs: int


@exact
class Forgotten(TypedDict):
    outcome: Literal["deleted", "retired"]
    runs: int


@exact
class ClaimLink(TypedDict):
    link: str
    """Shown this once."""
    expires_at: str


@exact
class MachineSecret(TypedDict):
    """What one Mac enrols with again, by `command`."""

    secret: str
    """Shown this once."""
    command: str
    expires_at: str


@exact
class OwnMachine(TypedDict):
    id: str
    name: str | None
    retired_at: str | None


@exact
class OwnMachines(TypedDict):
    items: list[OwnMachine]


@exact
class FleetLink(TypedDict):
    """A saved comparison whose figures rest on runs of the fleet.

    `url` and `title` are null where its owner alone gives the link away. `on_purpose`: an admin of
    the fleet shared it, and it stays when the fleet goes private.
    """

    id: str
    title: str | None
    url: str | None
    on_purpose: bool
    created_at: str
    figures: int
    run_ids: int
    """How many runs of the fleet it names."""
    shows: Literal["everything", "some", "nothing"]


@exact
class FleetLinks(TypedDict):
    items: list[FleetLink]


@exact
class Act(TypedDict):
    id: int
    at: str
    action: str
    by: str
    fleet: str | None
    details: Json


@exact
class Acts(TypedDict):
    items: list[Act]
    next: int | None


@exact
class Sweep(TypedDict):
    id: str
    keep: Literal["nothing", "medians"]
    runs: int
    at: str
    ends_at: str
    state: Literal["undoable", "undone", "done"]
