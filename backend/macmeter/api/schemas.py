"""The shapes of responses, for openapi.json and the typed client made from it.

Responses are written straight from dictionaries; a contract test holds them to these.
Longer than our files are: declarations alone, which refer to one another.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from macmeter.answers.answer import Citation, Mix
from macmeter.answers.runs import Flag, RunSummary
from macmeter.catalog import Role, Trait
from macmeter.figures.figure import Figure

Value = str | float | bool | None


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ProblemField(Shape):
    pointer: str
    code: str
    detail: str


class Problem(BaseModel):
    """RFC 9457, with a stable `code` and a pointer to the refused field."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    request_id: str
    pointer: str | None = None
    errors: list[ProblemField] | None = None


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """For the `responses` of an endpoint: each of these statuses is a problem."""
    return {status: {"model": Problem} for status in statuses}


class StoredRun(Shape):
    id: str
    created: bool
    url: str
    renew_token: bool = False


class CountedFlag(Shape):
    code: str
    severity: Literal["doubt", "caution"]
    runs: int


# --- the answer


class Term(Shape):
    dimension: str
    op: Literal["is", "not", "range", "not_range"]
    value: Value = None
    low: float | None = None
    high: float | None = None


class Reference(Shape):
    dimension: str
    value: Value


class Question(Shape):
    canonical: str
    metrics: list[str]
    by: list[str]
    where: list[Term]
    relative_to: list[Reference]
    weight: Literal["machine", "run"]
    flagged: Literal["exclude", "include"]
    fit: Literal["linear", "power", "quadratic", "theil_sen"] | None
    version: int


class Spread(Shape):
    p10: float
    p90: float
    sd: float | None = None
    """Of the samples; absent in answers saved before it was added."""
    samples: int


class Verdict(Shape):
    """`smallest_visible`: a smaller ratio (over 1) would not have shown."""

    answer: Literal["different", "no_evidence", "not_enough"]
    smallest_visible: float | None = None


class Ratio(Shape):
    value: float
    pairing: Literal["paired", "unpaired"]
    reference_key: dict[str, Value]
    pairs: int | None = None
    ci_low: float | None = None
    ci_high: float | None = None
    interval: str | None = None
    verdict: Verdict


class Group(Shape):
    """`mix` is equal where the same values of all determinants are pooled: lines join those."""

    key: dict[str, Value]
    published: bool
    method: str
    method_version: int
    machines: int
    runs: int
    samples: int
    mixes: list[Mix] | None = None
    """Absent in answers saved before it was added, as `mix` is."""
    mix: str | None = None
    median: float
    p10: float
    p25: float
    p75: float
    p90: float
    min: float
    max: float
    mean: float
    ci_low: float | None = None
    ci_high: float | None = None
    interval: str | None = None
    spread: Spread | None = None
    ratio: Ratio | None = None
    flags: list[CountedFlag]
    printed: list[str] | None = None
    qualifier: str | None = None
    citations: list[Citation] | None = None
    run_ids: list[str] | None = None


class AnsweredFigure(Shape):
    """A ratio or range as printed; `key` has the dimensions of its run."""

    kind: Literal["ratio", "range"]
    value: float | None = None
    low: float | None = None
    high: float | None = None
    of: dict[str, Value] | None = None
    to: dict[str, Value] | None = None
    qualifier: str | None = None
    printed: str
    parameters: dict[str, Value]
    key: dict[str, Value]
    flags: list[str]
    citation: Citation
    run_id: str


class Excluded(Shape):
    reason: str
    severity: Literal["doubt", "caution"]
    runs: int


class Note(Shape):
    code: str
    text: str


class Fit(Shape):
    """A curve through group medians; x is `over`, both axes in base units.

    `r2` is 1 less the ratio of the squares about the curve to those about the mean, on logarithms
    for `power`; a `theil_sen` makes no square least, and its `r2` may be below 0.
    """

    over: str
    key: dict[str, Value]
    published: bool
    method: str
    method_version: int
    model: Literal["linear", "power", "quadratic", "theil_sen"]
    coefficients: list[float]
    equation: str
    r2: float
    low: float
    high: float
    points: int


class MetricAnswer(Shape):
    metric: str
    title: str
    unit: str
    better: Literal["higher", "lower", "none"]
    groups: list[Group]
    published: list[AnsweredFigure]
    fits: list[Fit]
    excluded: list[Excluded]
    notes: list[Note]
    derivation_versions: list[int] | None = None
    """Where not all figures were derived by the answer's version."""


class Answer(Shape):
    """`runs`: the distinct runs behind its figures; absent in answers saved before it was added."""

    question: Question
    as_of: str
    derivation_version: int
    runs: int | None = None
    results: list[MetricAnswer]


class ToldAnswer(Answer):
    """With the figure that tells of it, as pages and pictures draw it."""

    figure: Figure


# --- facets and catalogue


class CatalogMetric(Shape):
    """`inside` is its title within a sentence."""

    name: str
    title: str
    inside: str
    unit: str
    better: Literal["higher", "lower", "none"]
    suite: str
    about: str
    required: list[str]
    optional: list[str]
    roles: list[Role]
    determinants: list[str]
    """The dimensions that change its value; `label:*` means every label."""


class Each(Shape):
    """One and many of what a dimension counts: "drive at once", "drives at once"."""

    one: str
    many: str


class CatalogDimension(Shape):
    """`inside` is its title within a sentence; `words` are those of its values.

    `words_inside` are those that differ within a sentence.
    """

    name: str
    title: str
    inside: str
    kind: Literal["text", "number", "boolean"]
    of: Literal["run", "sample"]
    unit: str | None
    about: str | None
    values: dict[str, str]
    words: dict[str, str]
    words_inside: dict[str, str]
    plural: str
    """After a number of its values: "12 chips"."""
    traits: list[Trait]
    absent: str | None
    """What it means that nothing is stated, where that is more than silence."""
    expected_of: list[str]
    """Kinds of storage for which "not stated" is shown although the dimension is optional."""
    each: Each | None


class Catalog(Shape):
    metrics: list[CatalogMetric]
    dimensions: list[CatalogDimension]
    flags: list[Flag]


# --- chips


class ChipTier(Shape):
    """One kind of core; frequencies in hertz."""

    name: str
    cores: int
    clusters: list[int] | None
    min_frequency: int | None
    max_frequency: int | None


class Chip(Shape):
    """One configuration. `cycles`: highest frequencies of all cores added up, in hertz."""

    chip: str
    family: str
    variant: str
    tiers: list[ChipTier]
    cores: int
    cycles: int | None
    binned: bool | None
    gpu_cores: int | None
    memory_max_bytes: int | None
    thunderbolt: list[str] | None
    note: str | None
    sources: list[str]


class ChipFact(Shape):
    """A frequency stated of a chip family without its variant, in hertz."""

    row: str
    article: str
    family: str
    what: str
    low: int
    high: int
    printed: str
    tier: str | None
    active_cores: str | None
    qualifier: str | None
    caution: str | None


class Article(Shape):
    article: str
    title: str
    author: str
    publisher: str
    published: str | None


class Chips(Shape):
    chips: list[Chip]
    facts: list[ChipFact]
    sources: list[Article]


class SourceFigure(Shape):
    """A printed figure and how it is used; `run` if it is stored, otherwise usually a reason."""

    row: str
    what: str
    printed: str
    qualifier: str | None
    disposition: str
    metric: str | None
    run: str | None
    flags: list[str]
    reason: str | None
    see: list[str]


class Source(Shape):
    article: str
    title: str
    author: str | None
    publisher: str
    published: str | None
    note: str | None
    figures: list[SourceFigure]
    cautions: list[str]
    """Of the stored ones: "3 may have read from the cache"."""


class Disposition(Shape):
    """How a printed figure can be used; answers count only stored ones."""

    name: str
    stored: bool
    rows: int
    meaning: str


class Sources(Shape):
    dispositions: list[Disposition]
    articles: list[Source]


# --- runs


class DoubtTaken(Shape):
    """How many doubts about a run wait to be judged, and the secret that shows what happens to this
    one: shown once, for `GET /doubts/self`.
    """

    doubts: int
    status_secret: str
    status_url: str


class DoubtState(Shape):
    """What happened to a doubt, for whoever reported it."""

    run: str
    reason: str
    created_at: str
    state: Literal["open", "upheld", "dismissed"]
    answer: str | None
    decided_at: str | None


class Doubt(Shape):
    reason: str
    created_at: str


class DoubtsTold(Shape):
    items: list[Doubt]


class Waiting(Shape):
    """A run to be judged: why the server put it aside, and what readers hold against it."""

    run: RunSummary
    quarantined: str | None
    doubts: list[Doubt]


class Review(Shape):
    items: list[Waiting]
    total: int


# --- tokens


class Licence(Shape):
    name: str
    text: str


class TokenSelf(Shape):
    scope: Literal["device", "fleet"]
    visibility: Literal["public", "private"]
    fleet: str | None
    machine_id: str | None
    licence: Licence


# --- the whole corpus


class CorpusColumn(Shape):
    name: str
    type: Literal["text", "number", "boolean", "time"]
    unit: str | None
    about: str | None


class Corpus(Shape):
    """What the downloads hold: `version` names this list of columns."""

    version: str
    runs: int
    results: int
    licence: Licence
    columns: list[CorpusColumn]
