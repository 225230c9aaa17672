"""Types of a fleet's page and its alerts: as stored, and with their words as sent."""

from typing import Annotated, Literal, NotRequired

import msgspec
from typing_extensions import TypedDict

from macmeter.catalog import Better
from macmeter.catalog.terms import Value
from macmeter.platform.schema import Exact

State = Literal["open", "muted", "acknowledged", "over", "passed"]
MachineProblem = Literal["silent", "old_agent", "no_filevault", "never_uploaded"]
MailFrequency = Literal["at_once", "digest", "off"]


class SeenFleet(Exact):
    """A fleet as a reader of `role`, or its uploader, sees it. `limited` if it is only a group."""

    id: str
    name: str
    visibility: str
    role: Literal["viewer", "admin"] | None
    limited: bool


class Refused(Exact):
    """Runs refused for one reason, and how many devices sent them."""

    code: str
    title: str
    runs: int
    devices: int
    last_at: str


class AgentVersion(Exact):
    """Number of machines with a version of the agent, null where none is stated."""

    version: str | None
    machines: int
    is_old: bool


class Health(Exact):
    """Number of machines with each problem. FileVault counts only if the fleet requires it."""

    silent: int
    old_agent: int
    no_filevault: int
    never_uploaded: int
    silent_days: int
    newest_agent: str
    """The newest that a Mac of the fleet has or this server knows."""
    agents: list[AgentVersion]
    least_agent: str | None
    filevault_required: bool
    refusals: list[Refused]
    alert_days: int
    """Number of days whose changes can raise an alert."""


class Share(Exact):
    """Number of machines with a value."""

    value: str | None
    machines: int


class LabelValues(Exact):
    """A label by which a fleet's Macs fall into a few groups, and how many Macs are in each."""

    key: str
    values: list[Share]


class AlertCounts(Exact):
    """Number of alerts that hold. `open` ones are neither muted nor acknowledged."""

    open: int
    muted: int
    acknowledged: int


class FleetPolicy(TypedDict, total=False):
    """Settings of a fleet that decide what counts as a problem. Absent ones have their default."""

    silent_days: Annotated[int, msgspec.Meta(ge=1, le=365)]
    filevault_required: bool
    least_agent: str | None


class CohortFigure(TypedDict):
    """A figure of the cohort with the filters `where`; ratios are after/before."""

    metric: str
    title: str
    better: Better
    cohort: dict[str, Value]
    where: list[str]
    ratio: float
    machines: int


class CohortShift(CohortFigure):
    """Shift of a cohort. `machines` of its `of` machines were measured before and after.

    `of` counts the fleet's if `cohort` is empty. The interval is null below 6 machines. A shift
    `matters` from 3 % on, if its interval excludes no change.
    """

    low: float | None
    high: float | None
    matters: bool
    of: int


class _CountedShift(CohortShift):
    """Shift of which `moved` machines are nearer to the change than to none."""

    moved: int
    version: str | None


class ShiftWords(Exact):
    """Printed form of a shift: "−12.2 %", "−12.6 to −11.8 %", "macOS 26.4", for example."""

    cohort: str
    change: str
    interval: str
    after: str


class FoundChange(_CountedShift):
    """Change of a cohort with an update of macOS. `told` is true if an alert reports it. `before`
    are the cohort's older versions, the newest first.
    """

    at: str
    before: list[str]
    told: bool


class UpdateChange(Exact, FoundChange):
    """A `FoundChange` with its words."""

    words: ShiftWords


class OutlierWords(Exact):
    """Printed form of an outlier. `causes` is what its runs did: "ran on a nearly full volume"."""

    machine: str
    cohort: str
    change: str
    causes: str


class FoundOutlier(CohortFigure):
    """A machine whose latest runs are worse than those of similar ones. `ratio` is to their median;
    `causes` are flags of its runs, and not of most others'.
    """

    machine_id: str
    causes: list[str]


class Outlier(Exact, FoundOutlier):
    """A `FoundOutlier` with its words."""

    words: OutlierWords


class Findings(TypedDict):
    """Findings in a fleet's runs."""

    changes: list[FoundChange]
    outliers: list[FoundOutlier]
    groups: dict[str, list[FoundChange]]
    """Changes of the Macs in each group, by its filter."""


class ShownFindings(TypedDict):
    """What a page shows of findings."""

    changes: list[FoundChange]
    outliers: list[FoundOutlier]
    labels: list[LabelValues]


class StoredFindings(Findings):
    """Findings for the pages of a fleet and its groups, stored until the runs change."""

    labels: list[LabelValues]


class Dashboard(Exact):
    """A fleet, or with `where` a group in it. Refused runs are of no Mac: a group has none."""

    fleet: SeenFleet
    where: str
    """Filter of the group that this is limited to; empty for the whole fleet."""
    group: str
    """The group in words: "rack: B"."""
    as_of: str | None
    machines: int
    retired: int
    runs: int
    last_received_at: str | None
    health: Health
    os_versions: list[Share]
    chips: list[Share]
    labels: list[LabelValues]
    alerts: AlertCounts
    changes: list[UpdateChange]
    outliers: list[Outlier]


class FleetMachineWords(Exact):
    title: str
    system: str
    encryption: str
    storages: str


class FleetMachine(Exact):
    """A machine of a fleet. If it has never uploaded, `run_id` and the facts are null.

    `labels` are those of its newest run, among them the `given_labels` of an admin. `retired_by` is
    the admin who retired it, `barred` whether an admin revoked it.
    """

    id: str
    name: str | None
    run_id: str | None
    runs: int
    last_received_at: str | None
    enrolled_at: str
    retired_at: str | None
    retired_by: str | None
    barred: bool
    chip: str | None
    model_name: str | None
    virtual: bool
    os_version: str | None
    agent_version: str | None
    encryption: str | None
    storages: list[str]
    labels: dict[str, str]
    given_labels: dict[str, str]
    amiss: list[MachineProblem]
    words: FleetMachineWords


class FleetMachines(Exact):
    items: list[FleetMachine]
    total: int


class Stayed(Exact):
    """Machines of the cohort that kept their macOS over the same days."""

    ratio: float
    machines: int


class FoundEffect(_CountedShift):
    """A change that an alert reports.

    If `version` is null, the cohort changed at once, updated or not, at the time `at`; `common` if
    most Macs of the fleet did. Otherwise `at` is the first Mac's update. `agent_version` is the
    version that most of the changed Macs got in those days.
    """

    at: str
    common: NotRequired[bool]
    agent_version: NotRequired[str | None]
    before: NotRequired[float | None]
    """Typical level of these machines before it, in the metric's unit."""
    stayed: Stayed | None
    worse: bool
    machine_ids: list[str]


class Effect(Exact, FoundEffect):
    """A `FoundEffect` with its words."""

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
    """An alert's facts by kind; `used` of a secret's `quota`, and `doubts` nobody has judged."""

    effects: NotRequired[list[FoundEffect]]


class AlertDetail(Exact, _Detail):
    """A `FoundDetail` with its words. `names` are those of its machines that have one, by id."""

    effects: NotRequired[list[Effect]]
    names: NotRequired[dict[str, str]]


class Comment(Exact):
    at: str
    by: str
    text: str


class Mute(Exact):
    """A muted alert: nothing about it is sent `until` then, by whom and why."""

    until: str
    by: str
    why: str


class AlertOwner(Exact):
    """The member who looks after an alert."""

    id: str
    name: str


class NamedFleet(Exact):
    id: str
    name: str


class Alert(Exact):
    """An alert. A regression ends as `passed`, as fast as before; other alerts end as `over`."""

    id: str
    fleet: NamedFleet
    kind: Literal["regression", "silent", "quota", "doubts"]
    cause: str
    state: State
    opened_at: str
    closed_at: str | None
    acknowledged_at: str | None
    acknowledged_by: str | None
    mute: Mute | None
    owner: AlertOwner | None
    title: str
    lines: list[str]
    detail: AlertDetail
    comments: list[Comment]


class Alerts(Exact):
    items: list[Alert]
    total: int


class AlertAddress(Exact):
    """A team's address that gets a fleet's alerts once it is confirmed."""

    id: str
    email: str
    where: str
    """Filter of the group that it is limited to; empty for the whole fleet."""
    created_at: str
    confirmed_at: str | None


class AlertAddresses(Exact):
    items: list[AlertAddress]


class NewAlertAddress(Exact):
    """`mail_problem` is why the mail that asks for confirmation could not be sent."""

    id: str
    email: str
    mail_problem: str | None


class ConfirmedAddress(Exact):
    fleet: str
    email: str


class AlertMail(Exact):
    """Whether and how often a person is mailed a fleet's alerts."""

    how: MailFrequency
    where: str
    """Filter of the group that it is limited to; empty for the whole fleet."""
    email: str | None
