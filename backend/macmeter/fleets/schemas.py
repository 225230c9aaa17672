"""Response types of fleets: their people, secrets, devices, merges, links and logs."""

from typing import Literal

from macmeter import Json
from macmeter.accounts.people import Role
from macmeter.accounts.tokens import Visibility
from macmeter.platform.schema import Exact


class Enrolment(Exact):
    """Outcome of an enrolment: the machine's token, and where its runs go."""

    token: str
    fleet: str | None
    visibility: Visibility
    machine_id: str


class FreshToken(Exact):
    """A token that replaces the one of the request."""

    token: str


class FleetResponse(Exact):
    id: str
    name: str
    visibility: Visibility
    verified: bool
    role: Role
    where: str
    """Filter of the group that the role is limited to; empty for the whole fleet."""
    created_at: str
    machines: int
    people: int


class Fleets(Exact):
    items: list[FleetResponse]
    may_create: bool


class Deleted(Exact):
    """Number of runs that a deleted fleet had."""

    runs: int


class PersonInFleet(Exact):
    id: str
    name: str
    email: str | None
    role: Role
    since: str
    where: str
    """Filter of the group that the role is limited to; empty for the whole fleet."""


class Members(Exact):
    items: list[PersonInFleet]
    groups: list[str]


class Secret(Exact):
    """An enrolment secret. `quota` is the number of machines that may use it, null for any."""

    id: str
    name: str
    quota: int | None
    used: int
    created_at: str
    expires_at: str | None
    revoked_at: str | None


class NewSecret(Secret):
    """A new enrolment secret, and the command that enrols a Mac with it."""

    secret: str
    command: str


class Secrets(Exact):
    items: list[Secret]


class Device(Exact):
    """A token that uploads runs: of an enrolled Mac, or of an uploader for the whole fleet."""

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


class NewUploader(Exact):
    """A new token that uploads runs of all the fleet's machines."""

    id: str
    name: str
    secret: str


class RefusedEnrolment(Exact):
    """A machine that could not enrol. `code` is that of the last refusal, `secret` the name of the
    secret that it showed.
    """

    machine_id: str
    name: str | None
    code: str
    secret: str
    times: int
    first_at: str
    last_at: str


class Devices(Exact):
    items: list[Device]
    total: int
    refused: list[RefusedEnrolment]


class Clone(Exact):
    """A machine id that enrolled again without its token: one Mac, or several that share it."""

    machine_id: str
    name: str | None
    enrolments: int
    first_at: str
    last_at: str
    new_ids: bool


class Clones(Exact):
    items: list[Clone]


class KnownMac(Exact):
    """A fleet's machine, by one of its ids."""

    id: str
    title: str
    chip: str | None
    runs: int
    first_at: str
    last_at: str


class LikelyMerge(Exact):
    """Two ids that may be one Mac, which was erased."""

    former: KnownMac
    present: KnownMac


class Merged(Exact):
    """An id that was merged into another one, whose title and chip these are."""

    machine_id: str
    into: str
    title: str
    chip: str | None
    runs: int
    at: str | None


class Merges(Exact):
    likely: list[LikelyMerge]
    merged: list[Merged]


class MachineChange(Exact):
    """A change of one machine; null stays as it is. An empty name removes it, and null a label."""

    id: str
    name: str | None
    retired: bool | None
    barred: bool | None
    labels: dict[str, str | None] | None


class Undo(Exact):
    """The request that undoes a bulk change; `fleet` is where the machines came from."""

    machines: list[MachineChange]
    fleet: str | None


class BulkChange(Exact):
    """Number of machines that were changed, the fleet that they are in now, and what undoes it."""

    changed: int
    fleet: str
    undo: Undo


class MachinesDeletion(Exact):
    """Machines with runs that were deleted, or would be if the request said how many runs."""

    machines: int
    runs: int
    deleted: bool


class MergeResult(Exact):
    """Number of runs that were moved to another machine."""

    runs: int


class Forgotten(Exact):
    """Outcome of deleting a machine, and the number of runs that were deleted with it."""

    outcome: Literal["deleted", "retired"]
    runs: int


class ClaimLink(Exact):
    link: str
    """Shown only once."""
    expires_at: str


class MachineSecret(Exact):
    """Secret with which one Mac enrols again, by `command`."""

    secret: str
    """Shown only once."""
    command: str
    expires_at: str


class OwnMachine(Exact):
    id: str
    name: str | None
    retired_at: str | None


class OwnMachines(Exact):
    items: list[OwnMachine]


class FleetLink(Exact):
    """A saved comparison whose figures rest on runs of the fleet.

    `url` and `title` are null if only its owner gives the link away. `on_purpose`: an admin of the
    fleet shared it, and it stays when the fleet becomes private.
    """

    id: str
    title: str | None
    url: str | None
    on_purpose: bool
    created_at: str
    figures: int
    run_ids: int
    """Number of the fleet's runs that it names."""
    shows: Literal["everything", "some", "nothing"]


class FleetLinks(Exact):
    items: list[FleetLink]


class Act(Exact):
    """An entry of the audit log.

    In a fleet's log, `names` are the names of its Macs by id: the present one, or the last one of a
    Mac that has left.
    """

    id: int
    at: str
    action: str
    by: str
    fleet: str | None
    details: Json
    names: dict[str, str]


class Acts(Exact):
    items: list[Act]
    next: int | None


class Sweep(Exact):
    """Runs that were put aside because they are older than the fleet's retention."""

    id: str
    keep: Literal["nothing", "medians"]
    runs: int
    at: str
    ends_at: str
    state: Literal["undoable", "undone", "done"]


class RunSent(Exact):
    """A run from whose document examples of fields are taken."""

    run_id: str
    suite: str
    source: str


class FieldSent(Exact):
    """A field of run documents. `meaning` is null for a field that this server doesn't know.

    `example` is the fleet's own, from the run `run_id`; null if its newest runs don't have it.
    """

    path: str
    meaning: str | None
    example: str | None
    run_id: str | None


class Sent(Exact):
    """What a fleet's Macs send: the fields of run documents, with examples."""

    runs: list[RunSent]
    fields: list[FieldSent]
