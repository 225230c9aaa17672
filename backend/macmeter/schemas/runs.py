"""Runs: as lists show them, and a single run in full."""

from typing import Literal, NotRequired

from pydantic import ConfigDict, with_config
from typing_extensions import TypedDict

from macmeter import Json
from macmeter.catalog import Severity
from macmeter.platform.schema import Exact
from macmeter.schemas.answer import Citation, Distribution, Key, NamedMetric, PrintedFigure

Source = Literal["measured", "imported", "published"]
WithdrawnBy = Literal["owner", "server", "quarantine", "retention"]


class Flag(Exact):
    code: str
    severity: Severity
    sentence: str


class ChiefFigure(Exact):
    """Headline figure of a run. `low` and `high` differ if it has several results.

    They are null if an article prints only a ratio or a range.
    """

    metric: str
    unit: str
    low: float | None
    high: float | None
    results: int
    printed: str | None
    ratio: bool


@with_config(ConfigDict(extra="allow"))
class RunTier(TypedDict):
    """A core tier, with anything else that its agent says about it."""

    name: str
    cores: int


@with_config(ConfigDict(extra="allow"))
class RunMachine(TypedDict):
    """A machine, with anything else that its agent says about it."""

    id: str
    model: NotRequired[str | None]
    model_name: NotRequired[str | None]
    chip: NotRequired[str | None]
    core_tiers: NotRequired[list[RunTier] | None]
    """Fastest first."""
    unspecified: NotRequired[bool]


class Withdrawn(Exact):
    """Withdrawal of a run: it has been in no answer since `at`."""

    at: str
    by: WithdrawnBy
    reason: str


class WithdrawnRun(Withdrawn):
    """A run of a comparison that was withdrawn after it was saved."""

    run_id: str


class RunSummary(Exact):
    id: str
    suite: str
    source: Source
    state: Literal["complete", "incomplete"]
    simulated: bool
    method: str
    method_version: int
    started_at: str | None
    finished_at: str | None
    received_at: str
    machine: RunMachine
    os_version: str | None
    storage: str | None
    device: str | None
    encryption: str | None
    image_format: str | None
    virtual: bool
    chief: list[ChiefFigure]
    flags: list[Flag]
    withdrawn: Withdrawn | None
    citation: Citation | None


class RunPage(TypedDict):
    """Page of runs. `next` continues exactly after the last item."""

    items: list[RunSummary]
    total: int
    next: str | None


class Statistics(Distribution):
    """Statistics of the samples of one series."""

    n: int
    p50: float


class RunResult(Exact, NamedMetric, Statistics):
    parameters: Key
    values: list[float]
    positions: list[int] | None
    printed: str | None
    qualifier: str | None
    flags: list[Flag]


class RunFigure(Exact, PrintedFigure):
    """A ratio or range that an article prints about the run."""

    metric: str


class FromDocument(TypedDict):
    """Facts that only the run page shows, as the agent sent them.

    `stated_method` is the method that ran, with its version; its results may count as those of
    another method.
    """

    machine: RunMachine
    environment: Json
    target: Json | None
    agent: Json | None
    tool: Json | None
    stated_method: str
    method_parameters: Json
    traces: list[str]
    warnings: list[Json]


class FullRun(RunSummary, FromDocument):
    """A run in full. `machine`, `environment` and `target` are as the agent sent them. `fleet` is
    the reader's fleet that questions have to name to include it; null if it is public.
    """

    labels: dict[str, str]
    """Labels of its document, overridden by those that an admin gave its Mac."""
    fleet: str | None
    results: list[RunResult]
    published: list[RunFigure]
    similar: Key
    """Stated properties that similar Macs may share with this run's Mac."""
    document_sha256: str
    document_bytes: int
    doubts: int
    """Number of readers' reports that nobody has judged."""
