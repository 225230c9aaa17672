"""An answer: groups of figures, ratios, printed figures, and what was left out."""

from __future__ import annotations

from typing import Literal, NotRequired

# Before Python 3.12 Pydantic reads no others.
from typing_extensions import TypedDict

from macmeter.answers.exact import exact
from macmeter.terms import Value

Key = dict[str, Value]
FitModel = Literal["linear", "power", "quadratic", "theil_sen"]


class Note(TypedDict):
    code: str
    text: str


class TermTold(TypedDict):
    """A filter taken apart: a value, or the ends of a range."""

    dimension: str
    op: str
    value: NotRequired[Value]
    low: NotRequired[float | None]
    high: NotRequired[float | None]


class Reference(TypedDict):
    dimension: str
    value: Value


class QuestionTold(TypedDict):
    canonical: str
    metrics: list[str]
    by: list[str]
    where: list[TermTold]
    relative_to: list[Reference]
    weight: str
    flagged: str
    fit: str | None
    version: int


@exact
class Mix(TypedDict):
    """A dimension that changes the metric's value, and how many of its values are pooled."""

    dimension: str
    count: int


class Spread(TypedDict):
    """Of the samples; `sd` is absent in answers saved before it was added."""

    p10: float
    p90: float
    sd: NotRequired[float]
    samples: int


class CountedFlag(TypedDict):
    code: str
    severity: str
    runs: int


@exact
class Citation(TypedDict):
    article: str
    title: str
    author: str
    publisher: str
    published: NotRequired[str | None]
    row: str


class Confidence(TypedDict, total=False):
    """The ends of the interval, and what it is of; absent where there is none."""

    ci_low: float
    ci_high: float
    interval: str


class Figures(Confidence, total=False):
    """What is said of results as a whole: of a group, or of a side in a row."""

    machines: int
    runs: int
    samples: int
    mixes: list[Mix]
    mix: str
    median: float
    p10: float
    p25: float
    p75: float
    p90: float
    min: float
    max: float
    mean: float
    flags: list[CountedFlag]
    spread: Spread
    printed: list[str]
    qualifier: str
    citations: list[Citation]
    run_ids: list[str]


class Verdict(TypedDict):
    answer: str
    smallest_visible: NotRequired[float]


class RatioTold(Confidence):
    """Of two groups or sides; `pairs` where they were paired."""

    value: float
    pairing: str
    pairs: NotRequired[int]
    verdict: Verdict


class Ratio(RatioTold):
    reference_key: Key


class Group(Figures):
    key: Key
    published: bool
    method: str
    method_version: int
    ratio: NotRequired[Ratio]


class Claim(TypedDict):
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


class AnsweredClaim(Claim):
    key: Key
    flags: list[str]
    citation: Citation
    run_id: str


class Excluded(TypedDict):
    reason: str
    severity: str
    runs: int


@exact
class Curve(TypedDict):
    """`coefficients` in the order of the equation, both axes in base units."""

    model: FitModel
    coefficients: list[float]
    equation: str
    r2: float
    low: float
    high: float
    points: int


class FitTold(Curve):
    """A curve through group medians; x is `over`."""

    over: str
    key: Key
    published: bool
    method: str
    method_version: int


class Results(TypedDict):
    """Groups, and what articles print beside them."""

    groups: list[Group]
    published: list[AnsweredClaim]


class MetricAnswer(Results):
    metric: str
    title: str
    unit: str
    better: str
    fits: NotRequired[list[FitTold]]
    excluded: list[Excluded]
    notes: list[Note]
    derivation_versions: NotRequired[list[int]]


class Answer(TypedDict):
    """`runs`: the distinct runs behind its figures; absent in answers saved before it was added."""

    question: QuestionTold
    as_of: str
    derivation_version: int
    runs: NotRequired[int | None]
    results: list[MetricAnswer]
