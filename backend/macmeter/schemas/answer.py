"""Answers: groups of figures, ratios, printed figures, and what was left out."""

from collections.abc import Iterable, Iterator
from typing import Literal, NotRequired, cast

from typing_extensions import TypedDict

from macmeter import catalog
from macmeter.catalog import Better, Severity
from macmeter.catalog.terms import Flagged, Op, Value, Weight
from macmeter.platform.schema import Exact
from macmeter.statistics.figures import NoInterval
from macmeter.statistics.fit import FitModel
from macmeter.statistics.verdict import Outcome

Key = dict[str, Value]


class Note(Exact):
    code: str
    text: str


class TermResponse(Exact):
    """A parsed filter: a value, or the ends of a range."""

    dimension: str
    op: Op
    value: NotRequired[Value]
    low: NotRequired[float | None]
    high: NotRequired[float | None]


class Reference(Exact):
    dimension: str
    value: Value


class QuestionResponse(Exact):
    canonical: str
    metrics: list[str]
    by: list[str]
    where: list[TermResponse]
    relative_to: list[Reference]
    weight: Weight
    flagged: Flagged
    fit: FitModel | None
    version: int


class Mix(Exact):
    """A dimension that changes the metric's value, and the number of its values that are pooled."""

    dimension: str
    count: int


class Spread(Exact):
    """Spread of samples within a run: means of the runs' percentiles, and their pooled deviation.

    If each run has one sample, it is the spread of the machines' values. `samples` counts those of
    all runs. `sd` is absent in answers saved before it was added.
    """

    p10: float
    p90: float
    sd: NotRequired[float]
    samples: int


class CountedFlag(Exact):
    code: str
    severity: Severity
    runs: int


class Citation(Exact):
    article: str
    title: str
    author: str
    publisher: str
    published: NotRequired[str | None]
    row: str


class Confidence(TypedDict, total=False):
    """Ends of the interval, and its kind; absent if there is none.

    `interval` is "between machines", "between models" if machines, or pairs, of one model are
    alike, "within this machine" for the runs of one, or "between pairs".
    """

    ci_low: float
    ci_high: float
    interval: str


class PrintedResult(Exact):
    """One of several published figures of a group.

    `differs` has the dimensions in which the group's figures differ, null if not stated.
    """

    value: float
    printed: NotRequired[str]
    qualifier: NotRequired[str]
    differs: Key
    flags: list[str]
    citation: NotRequired[Citation]
    run_id: str


class Origin(TypedDict, total=False):
    """Sources of figures: printed digits, citations, and the runs if they are few.

    `figures` lists a published group's figures, ascending, if they print different digits: nobody
    printed their median, so pages, pictures and CSV show each.
    """

    printed: list[str]
    figures: list[PrintedResult]
    qualifier: str
    citations: list[Citation]
    run_ids: list[str]


class Distribution(TypedDict):
    """Percentiles, extremes and mean of values, in their unit."""

    p10: float
    p25: float
    p75: float
    p90: float
    min: float
    max: float
    mean: float


class Figures(Confidence, Origin, Distribution):
    """Figures of a group, or of a side in a row.

    `no_interval` says why there is none: too few machines, too few runs of a single machine, or a
    few models that differ too much. `mix` is equal if the same values of all determinants are
    pooled: lines connect those. It and `mixes` are absent in answers saved before they were added.
    """

    machines: int
    runs: int
    samples: int
    mixes: NotRequired[list[Mix]]
    mix: NotRequired[str]
    median: float
    no_interval: NotRequired[NoInterval]
    flags: list[CountedFlag]
    spread: NotRequired[Spread]


class Verdict(Exact):
    """Whether two groups differ.

    `smallest_visible` is the margin of error, as a ratio over 1: a true difference of that size is
    found in about half of the cases, a smaller one less often. `detectable` is the one found in
    four of five, at the level of this verdict. Absent if all values are the same, which says
    nothing of what could be found.
    """

    answer: Outcome
    smallest_visible: NotRequired[float]
    detectable: NotRequired[float]


class Agreement(Exact):
    """Comparisons of two machines, or pairs, that go the `same` way as their ratio."""

    same: int
    of: int


class Unlike(Exact):
    """A dimension in which two groups or sides also differ, and the values of both. null: not
    stated.
    """

    dimension: str
    title: str
    of: list[Value]
    to: list[Value]


class Likeness(Exact):
    """Method that made two groups comparable: pairs of one machine, strata that both have, or none,
    because nothing else differs (`medians`).

    `held` are the dimensions that are equal within the `strata`. `machines` and
    `reference_machines` are counted in them.
    """

    method: Literal["pairs", "strata", "medians"]
    held: list[str]
    strata: NotRequired[int]
    machines: NotRequired[int]
    reference_machines: NotRequired[int]


class Crude(Exact, Confidence):
    """Ratio of two medians as they are, whatever else differs."""

    value: float
    verdict: Verdict


class RatioResponse(Confidence):
    """Ratio of two groups or sides; `pairs` if they were paired.

    `likeness` and `crude` are of version 2; `crude` is there if it is a different ratio.
    `agreement` is absent in answers saved before it was added.
    """

    value: float
    pairing: Literal["paired", "unpaired"]
    pairs: NotRequired[int]
    agreement: NotRequired[Agreement]
    verdict: Verdict
    likeness: NotRequired[Likeness]
    crude: NotRequired[Crude]


class Ratio(Exact, RatioResponse):
    """Ratio of a group to its reference. `unlike`, of version 2, lists differences that remain."""

    reference_key: Key
    unlike: NotRequired[list[Unlike]]


class Group(Exact, Figures):
    key: Key
    published: bool
    method: str
    method_version: int
    ratio: NotRequired[Ratio]


class PrintedFigure(TypedDict):
    """A ratio or a range as an article prints it."""

    kind: Literal["ratio", "range"]
    value: NotRequired[float]
    low: NotRequired[float]
    high: NotRequired[float]
    of: NotRequired[Key]
    to: NotRequired[Key]
    qualifier: NotRequired[str]
    printed: str
    parameters: Key


class AnsweredFigure(Exact, PrintedFigure):
    """A printed figure. `key` has the dimensions of its run."""

    key: Key
    flags: list[str]
    citation: Citation
    run_id: str


class Excluded(Exact):
    reason: str
    severity: Severity
    runs: int


class Curve(Exact):
    """A fitted curve. `coefficients` are in the order of the equation, both axes in base units.

    `r2` is 1 minus the ratio of squares about the curve to those about the mean, on logarithms for
    `power`. A `theil_sen` doesn't minimise squares, so its `r2` may be below 0.
    """

    model: FitModel
    coefficients: list[float]
    equation: str
    r2: float
    low: float
    high: float
    points: int


class FitResponse(Curve):
    """A curve through group medians; x is `over`.

    `within_machines`: not all groups are of the same machines, so the curve is through what their
    machines have in common. Absent in answers saved before it was added.
    """

    over: str
    key: Key
    published: bool
    method: str
    method_version: int
    within_machines: NotRequired[bool]


class Results(TypedDict):
    """Groups, and ratios and ranges that articles print."""

    groups: list[Group]
    published: list[AnsweredFigure]


class NamedMetric(TypedDict):
    metric: str
    title: str
    unit: str
    better: Better


class MetricAnswer(Exact, NamedMetric, Results):
    """Answer for a metric. `derivation_versions`: not all figures are of the answer's version."""

    fits: NotRequired[list[FitResponse]]
    excluded: list[Excluded]
    notes: list[Note]
    derivation_versions: NotRequired[list[int]]


class NewerMacos(Exact):
    """The version that most Macs ran from this month on."""

    month: str
    os_version: str


class Answer(Exact):
    """An answer. `runs` counts the distinct runs behind its figures; absent in older saved answers.

    `updates` is in answers by month.
    """

    question: QuestionResponse
    as_of: str
    derivation_version: int
    runs: NotRequired[int]
    results: list[MetricAnswer]
    updates: NotRequired[list[NewerMacos]]


_STATISTICS = ("median", "p10", "p25", "p75", "p90", "min", "max", "mean")


def each_printed(groups: Iterable[Group], most: int | None = None) -> Iterator[Group]:
    """Yield groups, and one for each figure of a published group that has several different ones.

    A group of more than `most` figures stays whole. So does one with a ratio, which is of all of
    it.
    """
    for group in groups:
        figures = group.get("figures") or []
        if not figures or "ratio" in group or (most is not None and len(figures) > most):
            yield group
        else:
            yield from (_alone(group, figure) for figure in figures)


def _alone(group: Group, figure: PrintedResult) -> Group:
    single = {
        **group,
        **dict.fromkeys(_STATISTICS, figure["value"]),
        "printed": [figure["printed"]] if "printed" in figure else [],
        "machines": min(group["machines"], 1),
        "runs": 1,
        "samples": 1,
        "mixes": [],
        "citations": [figure["citation"]] if "citation" in figure else [],
        "run_ids": [figure["run_id"]],
        "flags": [
            {"code": code, "severity": catalog.flag(code).severity, "runs": 1}
            for code in figure["flags"]
        ],
        "figures": [figure],
    }
    for name in ("spread", "ci_low", "ci_high", "interval", "qualifier"):
        single.pop(name, None)
    if "qualifier" in figure:
        single["qualifier"] = figure["qualifier"]
    return cast(Group, single)
