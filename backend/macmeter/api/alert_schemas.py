"""The shapes of responses about a fleet's page and its alerts, as schemas.py has the others."""

from __future__ import annotations

from typing import Literal

from macmeter.api.schemas import Shape, Value

Better = Literal["higher", "lower", "none"]
Amiss = Literal["silent", "old_agent", "no_filevault"]


class SeenFleet(Shape):
    """`role` is what whoever asks is in it; null for its uploader."""

    id: str
    name: str
    visibility: str
    role: Literal["viewer", "admin"] | None


class Refused(Shape):
    """Runs that were not taken, for one reason: by how many devices."""

    code: str
    title: str
    runs: int
    devices: int
    last_at: str


class Health(Shape):
    """How many machines have what amiss; FileVault counts where the fleet requires it."""

    silent: int
    old_agent: int
    no_filevault: int
    silent_days: int
    newest_agent: str | None
    least_agent: str | None
    filevault_required: bool
    refusals: list[Refused]


class Share(Shape):
    value: str | None
    machines: int


class AlertCounts(Shape):
    open: int
    acknowledged: int


class _OfCohort(Shape):
    """`where` are the filters of a question about the cohort; ratios are after/before."""

    metric: str
    title: str
    better: Better
    cohort: dict[str, Value]
    where: list[str]
    ratio: float
    machines: int


class _Shift(_OfCohort):
    """`machines` were measured before and after, and `moved` of them are nearer to the change
    than to none; `of` are all of the cohort, or of the fleet where `cohort` is empty. The interval
    is absent below 6 machines; it `matters` from 3 % on, where the interval leaves out no change.
    """

    low: float | None
    high: float | None
    matters: bool
    moved: int
    of: int
    version: str | None


class ShiftWords(Shape):
    """As it is printed: "−12.2 %", "−12.6 to −11.8 %", "macOS 26.4"."""

    cohort: str
    change: str
    interval: str
    after: str


class UpdateChange(_Shift):
    """How a cohort changed with an update of macOS; `told`: it is in an alert."""

    at: str
    told: bool
    words: ShiftWords


class OutlierWords(Shape):
    cohort: str
    change: str


class Outlier(_OfCohort):
    """A machine that is worse than others of its cohort: `ratio` is to their median."""

    machine_id: str
    words: OutlierWords


class Dashboard(Shape):
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


class FleetMachineWords(Shape):
    title: str
    system: str
    encryption: str
    storages: str


class FleetMachine(Shape):
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


class FleetMachines(Shape):
    items: list[FleetMachine]
    total: int


class Stayed(Shape):
    """Machines of the cohort that kept their macOS over the same days."""

    ratio: float
    machines: int


class Effect(_Shift):
    """`version` null: updated or not, the cohort changed at once."""

    at: str
    stayed: Stayed | None
    worse: bool
    machine_ids: list[str]
    words: ShiftWords


class AlertDetail(Shape):
    """A regression has `effects`; silent machines have `machine_ids`; a secret has its name."""

    effects: list[Effect] | None = None
    machine_ids: list[str] | None = None
    machines: int | None = None
    agent_version: str | None = None
    name: str | None = None
    used: int | None = None
    quota: int | None = None
    doubts: int | None = None


class Comment(Shape):
    at: str
    by: str
    text: str


class NamedFleet(Shape):
    id: str
    name: str


class Alert(Shape):
    id: str
    fleet: NamedFleet
    kind: Literal["regression", "silent", "quota", "doubts"]
    cause: str
    state: Literal["open", "acknowledged", "over"]
    opened_at: str
    closed_at: str | None
    acknowledged_at: str | None
    acknowledged_by: str | None
    title: str
    lines: list[str]
    detail: AlertDetail
    comments: list[Comment]


class Alerts(Shape):
    items: list[Alert]
    total: int


class Webhook(Shape):
    """`problem` is why the last delivery did not arrive."""

    id: str
    url: str
    created_at: str
    last_sent_at: str | None
    problem: str | None


class Webhooks(Shape):
    items: list[Webhook]


class NewWebhook(Shape):
    """`secret` is shown here and never again."""

    id: str
    url: str
    secret: str


class Tested(Shape):
    arrived: bool
    problem: str | None


class AlertMail(Shape):
    how: Literal["at_once", "digest", "off"]
    email: str | None
