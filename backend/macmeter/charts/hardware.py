"""Chips, models and Macs as text: their headline figures, and a machine over time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from macmeter import catalog
from macmeter.catalog import LABEL_PREFIX, Better, Page
from macmeter.catalog.terms import Value
from macmeter.charts import numbers
from macmeter.charts.axes import zero_axis
from macmeter.charts.colours import colour_of
from macmeter.charts.figure import Axis, with_fields
from macmeter.charts.strips import Strip, strip_of
from macmeter.charts.verdicts import (
    VerdictResponse,
    change_summary,
    figure_name,
    peers_name,
    rank_text,
    render_verdict,
)
from macmeter.charts.words import case_value, listed, parameters_text, reading_order, value_text
from macmeter.platform.schema import Exact, exact
from macmeter.schemas.hardware import Hardware, HardwareDetail, Headline, Kind
from macmeter.schemas.machines import LevelChange, Line, Point, Step, Timeline
from macmeter.statistics.summary import percentile

_ALL_RUNS = "All runs"
# A metric with its parameters.
_Series = tuple[str, frozenset[tuple[str, Value]]]


@dataclass(frozen=True)
class ChangeWords:
    """Text of a change; `mark` is short enough for the plot: "+4 %"."""

    mark: str
    text: str


@dataclass(frozen=True)
class StepWords:
    """Text of a step; `mark` is its size, empty unless it stands out, `worse` its direction."""

    mark: str
    text: str
    worse: bool | None


@dataclass(frozen=True)
class Quantile:
    """A quantile of the line in base units, and formatted."""

    value: float
    text: str


@dataclass(frozen=True)
class LineWords:
    """Text of a line; lines of one metric with the same parameters share the unit of `points`.

    `name` is what the line was measured on, `apart` the part that distinguishes it from others with
    the same parameters.
    """

    name: str
    apart: str
    parameters: str
    colour: str
    divisor: float
    axis: Axis
    points: tuple[str, ...]
    changes: tuple[ChangeWords, ...]
    changed: str
    p50: Quantile
    p90: Quantile
    steps: tuple[StepWords, ...] = ()
    now: str = ""
    """Its level now: "4.69 GB/s"."""
    peers: str = ""
    """Its peers on its newest macOS: "24 others, 6.74 GB/s"."""


@exact
@dataclass(frozen=True, slots=True)
class TimelineResponse(Timeline):
    """Timeline with the text of each line, in the same order."""

    words: list[LineWords]


def render_timeline(timeline: Timeline) -> TimelineResponse:
    scales = _scales(timeline.lines)
    siblings: dict[_Series, list[Line]] = {}
    for line in timeline.lines:
        siblings.setdefault(_series_of(line), []).append(line)
    words = [
        _line(line, scales[_series_of(line)], siblings[_series_of(line)]) for line in timeline.lines
    ]
    return with_fields(TimelineResponse, timeline, words=words)


def _series_of(line: Line) -> _Series:
    return line.metric, frozenset(line.parameters.items())


def _scales(lines: list[Line]) -> dict[_Series, numbers.Scale]:
    values: dict[_Series, list[float]] = {}
    for line in lines:
        values.setdefault(_series_of(line), []).extend(point.value for point in line.points)
    return {
        _series_of(line): numbers.scale_for(line.unit, values[_series_of(line)]) for line in lines
    }


def _line(line: Line, scale: numbers.Scale, siblings: Sequence[Line]) -> LineWords:
    values = [point.value for point in line.points]
    storage = line.configuration.get("storage")
    changes = tuple(_change(change, scale) for change in line.changes)
    return LineWords(
        name=line_name(line.configuration),
        apart=_apart(line, siblings),
        parameters=parameters_text(line.parameters),
        colour=colour_of({"storage": storage}) if storage else "ink",
        divisor=scale.divisor,
        axis=zero_axis((value / scale.divisor for value in _plotted_values(line)), scale.symbol),
        points=tuple(_point_text(point, scale) for point in line.points),
        changes=changes,
        changed=_changes_text(line, changes),
        p50=_quantile(values, 0.5, scale),
        p90=_quantile(values, 0.9, scale),
        steps=tuple(_step(step, line.better) for step in line.steps),
        now=numbers.with_unit(numbers.in_unit(line.level, scale), scale.symbol),
        peers=_peers_text(line, scale),
    )


def _plotted_values(line: Line) -> Iterator[float]:
    """Yield the values that the axis must reach."""
    yield from (point.value for point in line.points)
    yield from (peers.p90 or peers.median for peers in line.peers)


def _peers_text(line: Line, scale: numbers.Scale) -> str:
    if not line.peers:
        return ""
    newest = line.peers[-1]
    value = numbers.with_unit(numbers.in_unit(newest.median, scale), scale.symbol)
    return f"{numbers.counted(newest.machines, 'other')}, {value}"


def _point_text(point: Point, scale: numbers.Scale) -> str:
    if point.printed:
        return f"{numbers.printed_in(point.printed, scale.symbol)}†"
    return numbers.in_unit(point.value, scale)


def _quantile(values: list[float], share: float, scale: numbers.Scale) -> Quantile:
    value = percentile(sorted(values), share)
    return Quantile(value, numbers.with_unit(numbers.in_unit(value, scale), scale.symbol))


def line_name(configuration: Mapping[str, Any]) -> str:
    """Format what a line was measured on: "Internal SSD · FileVault"."""
    return " · ".join(_parts(configuration).values()) or _ALL_RUNS


def _apart(line: Line, siblings: Sequence[Line]) -> str:
    """Format what distinguishes the line, "iops: 3000"; if nothing does, its method."""
    if len(siblings) == 1:
        return _ALL_RUNS
    peers = [_parts(line.configuration) for line in siblings]
    parts = _parts(line.configuration)
    texts = [text for name, text in parts.items() if any(peer.get(name) != text for peer in peers)]
    return " · ".join(texts) or f"{line.method} {line.method_version}"


def _parts(configuration: Mapping[str, Any]) -> dict[str, str]:
    """Return the text of each member of a configuration."""
    handled_below = ("labels", "device_id")
    texts = {
        name: case_value(name, configuration[name])
        for name in reading_order(name for name in configuration if name not in handled_below)
        if (name, configuration[name]) != ("simultaneous", 1)
    }
    device = configuration.get("device_id")
    if isinstance(device, str):
        # An agent's id is a digest; the id of an article's device is a name.
        _, prefix, name = device.partition("published:")
        texts["device_id"] = f"device {name if prefix else device[:8]}"
    labels = (configuration.get("labels") or {}).items()
    return texts | {f"{LABEL_PREFIX}{key}": f"{key}: {value}" for key, value in labels}


def _change(change: LevelChange, scale: numbers.Scale) -> ChangeWords:
    mark = numbers.change_text(change.ratio) if change.ratio else ""
    before, after = (numbers.in_unit(end, scale) for end in (change.before, change.after))
    text = f"new level, {before} to {after}{f' ({mark})' if mark else ''}"
    return ChangeWords(mark or "new level", text)


def _changes_text(line: Line, changes: tuple[ChangeWords, ...]) -> str:
    texts = []
    for change, words in zip(line.changes, changes, strict=True):
        after = change.os_after
        updated = after and change.os_before != after
        texts.append(f"{words.mark} with macOS {after}" if updated else words.mark)
    unsure = [step_text(step) for step in line.steps if is_unsure(step)]
    if unsure:
        return "; ".join([*filter(None, [listed(texts)]), *unsure])
    if line.days < line.fewest_days:
        return f"{line.days} of the {line.fewest_days} days needed to detect a change"
    return listed(texts) or "no change"


def is_unsure(step: Step) -> bool:
    """Whether a step is visible but has too few days on one side for a test."""
    return step.stands_out and step.certainty == "too_few"


def step_text(step: Step) -> str:
    """Format "−30 % with macOS 26.2 (6 runs before, 2 since): too few to be sure"."""
    updated = step.os_after and step.os_before != step.os_after
    since = f"with macOS {step.os_after}" if updated else f"since {numbers.day(step.at)}"
    sure = ": too few to be sure" if step.certainty == "too_few" else ""
    return f"{numbers.change_text(step.ratio)} {since} ({_run_counts(step)}){sure}"


def _step(step: Step, better: Better) -> StepWords:
    moved = numbers.change_text(step.ratio)
    has_direction = step.stands_out and better is not Better.NONE
    worse = (step.ratio < 1) == (better is Better.HIGHER) if has_direction else None
    return StepWords(moved if step.stands_out else "", f"{moved} ({_run_counts(step)})", worse)


def _run_counts(step: Step) -> str:
    return f"{numbers.counted(step.runs_before, 'run')} before, {step.runs_after} since"


_KINDS = {"chips": ("chip", "chips"), "models": ("model", "models"), "machines": ("Mac", "Macs")}


@dataclass(frozen=True, kw_only=True)
class HeadlineResponse(Strip):
    """A headline figure as text, on its strip.

    `canonical` is the question for it and its peers; `page` shows the answer, if there is one.
    """

    title: str
    metric: str
    parameters: dict[str, Value]
    page: Page | None
    canonical: str
    interval: str
    behind: str
    rank: str
    published: bool
    changed: str = ""
    """Newest step of a Mac's figure: "−30 % since macOS 26.2", or else "no change"."""


@dataclass(frozen=True)
class SuiteResponse:
    page: Page | None
    title: str
    runs: int


class HardwareList(Exact):
    items: list[Hardware]


class HardwareResponse(Exact):
    """`related`: a chip's models, a model's other chips, and a Mac's model; `suites` by runs."""

    kind: Kind
    thing: Hardware
    headlines: list[HeadlineResponse]
    related: list[Hardware]
    suites: list[SuiteResponse]
    verdict: VerdictResponse | None


def render_hardware_list(hardware: list[Hardware]) -> HardwareList:
    """Return a list of chips or models."""
    return {"items": hardware}


def render_hardware(detail: HardwareDetail) -> HardwareResponse:
    """Return a chip, model or Mac with its figures as text."""
    return {
        "kind": detail.kind,
        "thing": detail.thing,
        "headlines": [_headline(detail, headline) for headline in detail.headlines],
        "related": detail.related,
        "suites": [
            SuiteResponse(catalog.PAGES.get(suite), value_text("suite", suite), runs)
            for suite, runs in detail.suites.items()
        ],
        "verdict": render_verdict(detail, detail.verdict) if detail.verdict else None,
    }


def _headline(detail: HardwareDetail, headline: Headline) -> HeadlineResponse:
    metric = catalog.METRICS[headline.metric]
    strip = strip_of(headline.value, headline.others, headline.unit, metric.better)
    scale = numbers.scale_for(
        headline.unit, [headline.value, *(other.value for other in headline.others)]
    )
    peers = peers_name(detail.verdict) if detail.verdict else _KINDS[detail.kind][1]
    return HeadlineResponse(
        **vars(strip),
        title=figure_name(headline),
        metric=headline.metric,
        parameters=headline.line.parameters if headline.line else headline.parameters,
        page=catalog.PAGES.get(metric.suite),
        canonical=headline.canonical,
        interval=_interval(headline, scale),
        behind=_behind(detail.kind, headline),
        rank=rank_text(headline, peers) if detail.verdict else _rank(detail.kind, headline),
        published=headline.published,
        changed=change_summary(headline.line),
    )


def _interval(headline: Headline, scale: numbers.Scale) -> str:
    """Format "95%: 6.41–6.80 GB/s"; empty with too few Macs."""
    if headline.low is None or headline.high is None:
        return ""
    ends = f"{numbers.in_unit(headline.low, scale)}–{numbers.in_unit(headline.high, scale)}"
    return f"95%: {numbers.with_unit(ends, scale.symbol)}"


def _behind(kind: str, headline: Headline) -> str:
    """Format the runs and Macs behind a figure: "3 Macs, 40 runs"."""
    if headline.published:
        return f"{numbers.counted(headline.runs, 'published figure')}"
    runs = numbers.counted(headline.runs, "run")
    if headline.all_runs is not None and headline.all_runs > headline.runs:
        on = f" on macOS {headline.os_version}" if headline.os_version else ""
        runs = f"latest {runs}{on}, of {numbers.counted(headline.all_runs, 'run')}"
    return runs if kind == "machines" else f"{numbers.counted(headline.machines, 'Mac')}, {runs}"


def _rank(kind: str, headline: Headline) -> str:
    """Format "3rd of 12 chips", best first; empty if neither direction is better, or if alone."""
    count = len(headline.others) + 1
    if count == 1 or headline.better == "none":
        return ""
    ordinal = "Best" if headline.rank == 1 else numbers.ordinal(headline.rank)
    return f"{ordinal} of {count} {_KINDS[kind][1]}"
