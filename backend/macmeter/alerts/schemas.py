"""A fleet's page and its alerts: as they are kept, and with their words as they are sent."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

import msgspec
from typing_extensions import TypedDict

from macmeter.catalog import Better
from macmeter.catalog.terms import Value
from macmeter.platform.schema import Exact

How = Literal["at_once", "digest", "off"]
State = Literal["open", "acknowledged", "over", "passed"]
Amiss = Literal["silent", "old_agent", "no_filevault"]


class SeenFleet(Exact):
    """`role` is what whoever asks is in it; null for its uploader."""

    id: str
    name: str
    visibility: str
    role: Literal["viewer", "admin"] | None


class Refused(Exact):
    """Runs that were not taken, for one reason: by how many devices."""

    code: str
    title: str
    runs: int
    devices: int
    last_at: str


class Health(Exact):
    """How many machines have each problem; FileVault counts where the fleet requires it."""

    silent: int
    old_agent: int
    no_filevault: int
    silent_days: int
    newest_agent: str | None
    least_agent: str | None
    filevault_required: bool
    refusals: list[Refused]


class Share(Exact):
    value: str | None
    machines: int


class AlertCounts(Exact):
    open: int
    acknowledged: int


class FleetPolicy(TypedDict, total=False):
    """The settings of a fleet that decide what counts as a problem; what is absent is as usual."""

    silent_days: Annotated[int, msgspec.Meta(ge=1, le=365)]
    filevault_required: bool
    least_agent: str | None


class OfCohort(TypedDict):
    """`where` are the filters of a question about the cohort; ratios are after/before."""

    metric: str
    title: str
    better: Better
    cohort: dict[str, Value]
    where: list[str]
    ratio: float
    machines: int


class OfShift(OfCohort):
    """`machines` were measured before and after; `of` are all of the cohort, or of the fleet where
    `cohort` is empty. The interval is null below 6 machines; it `matters` from 3 % on, where the
    interval leaves out no change.
    """

    low: float | None
    high: float | None
    matters: bool
    of: int


class _Shift(OfShift):
    """`moved` of the machines are nearer to the change than to none."""

    moved: int
    version: str | None


class ShiftWords(Exact):
    """A shift as it is printed: "−12.2 %", "−12.6 to −11.8 %", "macOS 26.4"."""

    cohort: str
    change: str
    interval: str
    after: str


class FoundChange(_Shift):
    """How a cohort changed with an update of macOS; `told`: it is in an alert."""

    at: str
    told: bool


class UpdateChange(Exact, FoundChange):
    """A `FoundChange`, in words as well."""

    words: ShiftWords


class OutlierWords(Exact):
    cohort: str
    change: str


class FoundOutlier(OfCohort):
    """A machine that is worse than others of its cohort: `ratio` is to their median."""

    machine_id: str


class Outlier(Exact, FoundOutlier):
    """A `FoundOutlier`, in words as well."""

    words: OutlierWords


class Found(TypedDict):
    """What a fleet's runs show, as it is kept until they change."""

    changes: list[FoundChange]
    outliers: list[FoundOutlier]


class Dashboard(Exact):
    fleet: SeenFleet
    as_of: str | None
    machines: int
    runs: int
    last_received_at: str | None
    health: Health
    os_versions: list[Share]
    chips: list[Share]
    alerts: AlertCounts
    changes: list[UpdateChange]
    outliers: list[Outlier]


class FleetMachineWords(Exact):
    title: str
    system: str
    encryption: str
    storages: str


class FleetMachine(Exact):
    id: str
    name: str | None
    run_id: str
    runs: int
    last_received_at: str
    chip: str | None
    model_name: str | None
    virtual: bool
    os_version: str | None
    agent_version: str | None
    encryption: str | None
    storages: list[str]
    amiss: list[Amiss]
    words: FleetMachineWords


class FleetMachines(Exact):
    items: list[FleetMachine]
    total: int


class Stayed(Exact):
    """Machines of the cohort that kept their macOS over the same days."""

    ratio: float
    machines: int


class FoundEffect(_Shift):
    """`version` null: updated or not, the cohort changed at once, `at` that time; `common`: so did
    most Macs of the fleet. Otherwise `at` is the first Mac's update. `agent_version` is what most
    of the Macs that changed got in those days.
    """

    at: str
    common: NotRequired[bool]
    agent_version: NotRequired[str | None]
    stayed: Stayed | None
    worse: bool
    machine_ids: list[str]


class Effect(Exact, FoundEffect):
    """A `FoundEffect`, in words as well."""

    words: ShiftWords


class _Detail(TypedDict, total=False):
    machine_ids: list[str]
    machines: int
    agent_version: str
    name: str
    used: int
    quota: int
    doubts: int


class FoundDetail(_Detail):
    """A regression has `effects`; silent machines have `machine_ids`; a secret has its name."""

    effects: NotRequired[list[FoundEffect]]


class AlertDetail(Exact, _Detail):
    """A `FoundDetail`, in words as well."""

    effects: NotRequired[list[Effect]]


class Comment(Exact):
    at: str
    by: str
    text: str


class NamedFleet(Exact):
    id: str
    name: str


class Alert(Exact):
    """`passed`: what a regression had slowed is as fast as before; others that end are `over`."""

    id: str
    fleet: NamedFleet
    kind: Literal["regression", "silent", "quota", "doubts"]
    cause: str
    state: State
    opened_at: str
    closed_at: str | None
    acknowledged_at: str | None
    acknowledged_by: str | None
    title: str
    lines: list[str]
    detail: AlertDetail
    comments: list[Comment]


class Alerts(Exact):
    items: list[Alert]
    total: int


class Webhook(Exact):
    """`problem` is why the last delivery did not arrive."""

    id: str
    url: str
    created_at: str
    last_sent_at: str | None
    problem: str | None


class Webhooks(Exact):
    items: list[Webhook]


class NewWebhook(Exact):
    """`secret` is shown here and never again."""

    id: str
    url: str
    secret: str


class Tested(Exact):
    arrived: bool
    problem: str | None


class AlertMail(Exact):
    how: How
    email: str | None
