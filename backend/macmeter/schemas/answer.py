"""An answer: groups of figures, ratios, printed figures, and what was left out."""

from __future__ import annotations

from typing import Literal, NotRequired

from typing_extensions import TypedDict

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


class TermTold(Exact):
    """A filter taken apart: a value, or the ends of a range."""

    dimension: str
    op: Op
    value: NotRequired[Value]
    low: NotRequired[float | None]
    high: NotRequired[float | None]


class Reference(Exact):
    dimension: str
    value: Value


class QuestionTold(Exact):
    canonical: str
    metrics: list[str]
    by: list[str]
    where: list[TermTold]
    relative_to: list[Reference]
    weight: Weight
    flagged: Flagged
    fit: FitModel | None
    version: int


class Mix(Exact):
    """A dimension that changes the metric's value, and how many of its values are pooled."""

    dimension: str
    count: int


class Spread(Exact):
    """Spread of samples within a run: the means of the runs' percentiles, and their pooled
    deviation. Where each run has one sample: spread of the machines' values.

    `samples` are those of all runs. `sd` is absent in answers saved before it was added.
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
    """The ends of the interval, and what it is of; absent where there is none.

    `interval` is "between machines", "between models" where machines of one model are alike,
    "within this machine" for the runs of one, or "between pairs".
    """

    ci_low: float
    ci_high: float
    interval: str


class PrintedResult(Exact):
    """One of several published figures of a group.

    `differs` has the dimensions in which the group's figures differ, null where not stated.
    """

    value: float
    printed: NotRequired[str]
    qualifier: NotRequired[str]
    differs: Key
    flags: list[str]
    citation: NotRequired[Citation]
    run_id: str


class Origin(TypedDict, total=False):
    """Where figures can be looked up: printed digits, citations, and runs where they are few.

    `figures` are a published group's one by one, ascending, where they print unlike digits: nobody
    printed their median, so pages, pictures and CSV show each.
    """

    printed: list[str]
    figures: list[PrintedResult]
    qualifier: str
    citations: list[Citation]
    run_ids: list[str]


class Distribution(TypedDict):
    """Percentiles, ends and mean of values, in their unit."""

    p10: float
    p25: float
    p75: float
    p90: float
    min: float
    max: float
    mean: float


class Figures(Confidence, Origin, Distribution):
    """What is said of results as a whole: of a group, or of a side in a row.

    `no_interval` says why there is none: too few machines, too few runs of a single machine, or a
    few models that differ too much. `mix` is equal where the same values of all determinants are
    pooled: lines join those. It and `mixes` are absent in answers saved before they were added.
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
    """`smallest_visible`: the margin of error, as a ratio over 1. A true difference of that size is
    found in about half of the cases, a smaller one less often. Absent where all values are the
    same, which says nothing of what could be found.
    """

    answer: Outcome
    smallest_visible: NotRequired[float]


class Unlike(Exact):
    """A dimension in which two groups or sides differ unasked, and the values of both; null: not
    stated.
    """

    dimension: str
    title: str
    of: list[Value]
    to: list[Value]


class Likeness(Exact):
    """How two groups were made alike: by pairs of one machine, inside strata that both have, or
    not at all, where nothing else differs (`medians`).

    `held` are the dimensions that are equal within the `strata`; `machines` and
    `reference_machines` are those in them.
    """

    method: Literal["pairs", "strata", "medians"]
    held: list[str]
    strata: NotRequired[int]
    machines: NotRequired[int]
    reference_machines: NotRequired[int]


class Crude(Exact, Confidence):
    """The ratio of two medians as they are, whatever else differs."""

    value: float
    verdict: Verdict


class RatioTold(Confidence):
    """The ratio of two groups or sides; `pairs` where they were paired.

    `likeness` is of version 2, as is `crude`: there where it is another ratio.
    """

    value: float
    pairing: Literal["paired", "unpaired"]
    pairs: NotRequired[int]
    verdict: Verdict
    likeness: NotRequired[Likeness]
    crude: NotRequired[Crude]


class Ratio(Exact, RatioTold):
    """`unlike`, of version 2: in what the group and its reference differ all the same."""

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
    """`key` has the dimensions of its run."""

    key: Key
    flags: list[str]
    citation: Citation
    run_id: str


class Excluded(Exact):
    reason: str
    severity: Severity
    runs: int


class Curve(Exact):
    """`coefficients` in the order of the equation, both axes in base units.

    `r2` is 1 less the ratio of the squares about the curve to those about the mean, on logarithms
    for `power`; a `theil_sen` makes no square least, and its `r2` may be below 0.
    """

    model: FitModel
    coefficients: list[float]
    equation: str
    r2: float
    low: float
    high: float
    points: int


class FitTold(Curve):
    """A curve through group medians; x is `over`.

    `within_machines`: not all groups are of the same machines, so the curve is through what their
    machines have in common (absent in answers saved before it was added).
    """

    over: str
    key: Key
    published: bool
    method: str
    method_version: int
    within_machines: NotRequired[bool]


class Results(TypedDict):
    """Groups, and what articles print beside them."""

    groups: list[Group]
    published: list[AnsweredFigure]


class NamedMetric(TypedDict):
    metric: str
    title: str
    unit: str
    better: Better


class MetricAnswer(Exact, NamedMetric, Results):
    """`derivation_versions` where not all figures were derived by the answer's version."""

    fits: NotRequired[list[FitTold]]
    excluded: list[Excluded]
    notes: list[Note]
    derivation_versions: NotRequired[list[int]]


class NewerMacos(Exact):
    """From this month on most Macs ran this version."""

    month: str
    os_version: str


class Answer(Exact):
    """`runs`: the distinct runs behind its figures; absent in answers saved before it was added.

    `updates` are of answers by month.
    """

    question: QuestionTold
    as_of: str
    derivation_version: int
    runs: NotRequired[int]
    results: list[MetricAnswer]
    updates: NotRequired[list[NewerMacos]]
