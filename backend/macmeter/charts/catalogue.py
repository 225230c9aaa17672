"""The catalogue as served, with the display names of dimensions' values."""

from typing import Literal

from macmeter import catalog
from macmeter.catalog import Better, Dimension, Each, FilteredPage, Kind, Metric, Role, Trait
from macmeter.catalog.terms import MOST_GROUPED, Value
from macmeter.charts.words import each_of, uncapitalised, value_text
from macmeter.platform.schema import Exact
from macmeter.schemas.runs import Flag


class CatalogMetric(Exact):
    """`inside` is its title within a sentence."""

    name: str
    title: str
    inside: str
    unit: str
    better: Better
    suite: str
    about: str
    required: list[str]
    optional: list[str]
    roles: list[Role]
    determinants: list[str]
    """Dimensions that affect its value; `label:*` means every label."""


class CatalogDimension(Exact):
    """`inside` is its title within a sentence; `words` are its values' display names.

    `words_inside` are these names within a sentence.
    """

    name: str
    title: str
    inside: str
    kind: Kind
    of: Literal["run", "sample"]
    unit: str | None
    about: str | None
    values: dict[str, str]
    words: dict[str, str]
    words_inside: dict[str, str]
    plural: str
    """Plural after a number of its values: "12 chips"."""
    traits: list[Trait]
    absent: str | None
    """Meaning of an absent value, if it has one."""
    expected_of: list[str]
    """Kinds of storage for which "not stated" is shown although the dimension is optional."""
    each: Each | None


class Catalog(Exact):
    metrics: list[CatalogMetric]
    dimensions: list[CatalogDimension]
    flags: list[Flag]
    open_filters: dict[FilteredPage, list[str]]
    """Dimensions whose filters are open on each page, in this order."""
    most_grouped: int
    """Maximum number of dimensions that a question groups by."""


def render_catalogue() -> Catalog:
    return {
        "metrics": [_metric(metric) for metric in catalog.METRICS.values()],
        "dimensions": [_dimension(dimension) for dimension in catalog.DIMENSIONS.values()],
        "flags": [
            {"code": flag.code, "severity": flag.severity, "sentence": flag.sentence}
            for flag in catalog.FLAGS.values()
        ],
        "open_filters": {page: list(names) for page, names in catalog.OPEN_FILTERS.items()},
        "most_grouped": MOST_GROUPED,
    }


def _metric(metric: Metric) -> CatalogMetric:
    return {
        "name": metric.name,
        "title": metric.title,
        "inside": uncapitalised(metric.title),
        "unit": metric.unit.value,
        "better": metric.better,
        "suite": metric.suite,
        "about": metric.about,
        "required": list(metric.required),
        "optional": list(metric.optional),
        "roles": sorted(metric.roles),
        "determinants": list(metric.determinants),
    }


def _dimension(dimension: Dimension) -> CatalogDimension:
    return {
        "name": dimension.name,
        "title": dimension.title,
        "inside": uncapitalised(dimension.title),
        "kind": dimension.kind,
        "of": dimension.of,
        "unit": dimension.unit,
        "about": dimension.about,
        "values": dimension.values,
        "words": catalogue_words(dimension),
        "words_inside": words_inside(dimension),
        "plural": dimension.counted,
        "traits": sorted(dimension.traits),
        "absent": dimension.absent,
        "expected_of": list(dimension.expected_of),
        "each": each_of(dimension),
    }


def catalogue_words(dimension: Dimension) -> dict[str, str]:
    """Return the display names of a dimension's values; "" is the absent value."""
    special: tuple[Value, ...] = (None, "unknown", "other")
    if dimension.kind is Kind.BOOLEAN:
        special = (None, "unknown", True, False)
    special_texts = {_as_key(value): value_text(dimension.name, value) for value in special}
    return {**dimension.values, **special_texts}


def words_inside(dimension: Dimension) -> dict[str, str]:
    """Return the display names within a sentence."""
    return {value: uncapitalised(text) for value, text in catalogue_words(dimension).items()}


def _as_key(value: Value) -> str:
    """Return a value as a key of a JSON object."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
