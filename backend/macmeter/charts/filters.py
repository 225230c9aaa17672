"""Filters as text, the values to choose from, and suggested filters."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast
from urllib.parse import urlencode

from macmeter import catalog
from macmeter.catalog import LABEL_PREFIX
from macmeter.catalog.terms import (
    LIKE_WITH_LIKE,
    MOST_GROUPED,
    Op,
    Term,
    Value,
    machine_name,
    short_id,
)
from macmeter.charts import words
from macmeter.charts.figure import Offer, Remark
from macmeter.platform.schema import exact
from macmeter.schemas.answer import QuestionResponse, TermResponse
from macmeter.schemas.facets import Facet, Facets
from macmeter.schemas.sides import Row, SideResponse, filled_cells


@dataclass(frozen=True)
class FilterWords:
    """A filter as verb and value: "is not" and "USB4".

    `inside` is the text after the dimension's title: "not USB4". `alone` works without it: "not
    USB4", "4 threads", "Not encrypted", and `listed` after others in a list: "not encrypted".
    """

    where: str
    verb: str
    value: str
    inside: str
    alone: str
    listed: str


@exact
@dataclass(frozen=True)
class FiltersResponse:
    """Each filter, and one text per dimension: "Storage: USB4 or Thunderbolt 5"."""

    filters: tuple[FilterWords, ...]
    told: tuple[str, ...]


def render_filters(terms: Iterable[tuple[str, Term]]) -> FiltersResponse:
    """Describe filters, given with their original text."""
    pairs = [(written, _term_response(term)) for written, term in terms]
    return FiltersResponse(
        tuple(_words(written, term) for written, term in pairs),
        tuple(words.terms_in_words(term for _, term in pairs)),
    )


def _term_response(term: Term) -> TermResponse:
    return cast(TermResponse, {**vars(term), "op": term.op.value})


def _words(written: str, term: TermResponse) -> FilterWords:
    verb, value = words.reading(term)
    text = short_id(value) if term["dimension"] == "machine" else value
    inside = f"not {text}" if verb == "is not" else text
    alone = _alone(term, inside)
    return FilterWords(written, verb, value, inside, alone, _listed(term, alone))


def values_in_words(terms: Iterable[Term]) -> str:
    """Format only the values: "Apple M4 or Apple M5, USB4"; "everything" without filters."""
    alternatives: dict[str, dict[str, str]] = {}
    for term in terms:
        item = _words(str(term), _term_response(term))
        # Several filters may say the same, such as two that require a known value.
        key = item.alone if term.op.value.startswith("not") else term.dimension
        alternatives.setdefault(key, {})[item.alone] = item.listed
    texts = [" or ".join(each.values()) for each in alternatives.values()]
    if texts:
        alone, listed = next(iter(next(iter(alternatives.values())).items()))
        texts[0] = alone + texts[0].removeprefix(listed)
    return ", ".join(texts) or "everything"


def _alone(term: TermResponse, inside: str) -> str:
    """Format "USB4", "4 threads", "not disk image", "Mac 0193f2a1", "Encryption known"."""
    name, value = term["dimension"], term["value"]
    if name == "machine" and value:
        return inside.replace(short_id(str(value)), machine_name(value))
    if term["op"] == "is" and value in (None, "unknown"):
        return words.value_text(name, value)
    # Ranges, negations, and values of labels, which mean nothing by themselves.
    if value in (None, "unknown") or name.startswith(LABEL_PREFIX):
        return f"{words.dimension_title(name)} {inside}"
    text = inside.replace(words.value_text(name, value), words.case_value(name, value))
    if not text.startswith("not "):
        return text
    return f"not {_listed(term, text.removeprefix('not '))}"


def _listed(term: TermResponse, text: str) -> str:
    """Format without a capital, unless it is a name: only listed values are our own words."""
    dimension = catalog.dimension(term["dimension"])
    is_ours = term["value"] in (None, "unknown") or (dimension is not None and dimension.values)
    return words.uncapitalised(text) if is_ours else text


@dataclass(frozen=True, slots=True)
class ValueResponse:
    """A value with its text; `place` is its rank in reading order, from 0."""

    value: Value
    runs: int
    machines: int
    text: str
    place: int


@dataclass(frozen=True, slots=True)
class FacetResponse:
    name: str
    distinct: int
    values: list[ValueResponse]


@exact
@dataclass(frozen=True, slots=True)
class FacetsResponse:
    total: int
    dimensions: list[FacetResponse]
    metrics: list[str]


def render_facets(facets: Facets) -> FacetsResponse:
    """Add each value's text and rank in reading order."""
    rendered = [_render_facet(facet) for facet in facets.dimensions]
    return FacetsResponse(facets.total, rendered, facets.metrics)


def _render_facet(facet: Facet) -> FacetResponse:
    name, values = facet.name, facet.values
    order = sorted(
        range(len(values)), key=lambda index: words.value_order(name, values[index].value)
    )
    ranks = {index: rank for rank, index in enumerate(order)}
    rendered = [
        ValueResponse(
            item.value, item.runs, item.machines, listed_value(name, item.value), ranks[index]
        )
        for index, item in enumerate(values)
    ]
    return FacetResponse(name, facet.distinct, rendered)


def listed_value(name: str, value: Value) -> str:
    """Format a value under its dimension's name; an absent one as "Not stated" or its meaning."""
    if value is not None:
        return words.value_text(name, value)
    _, text = words.reading({"dimension": name, "op": Op.IS, "value": None})
    return text[:1].upper() + text[1:]


# Maximum number of suggested values per dimension; the filters have all.
_MOST_OFFERED = 3
_HOST = Term("virtual", Op.IS, False)
# A VM's disk is compared with its host's storage of any kind.
_DISK_OF_VM = Term("storage", Op.IS, "virtual_disk")


def host_ratio_query(question: QuestionResponse) -> str:
    """Return the query of each VM's ratio to its host; empty if the question groups by too much."""
    by = sorted({*question["by"], _HOST.dimension})
    if question["relative_to"] or len(by) > MOST_GROUPED:
        return ""
    disks_only = all(catalog.METRICS[name].suite == "disk" for name in question["metrics"])
    replaced = {_HOST.dimension, *([_DISK_OF_VM.dimension] if disks_only else [])}
    filters = [
        str(Term(**term | {"op": Op(term["op"])}))
        for term in question["where"]
        if term["dimension"] not in replaced
    ]
    lists = {
        "metric": question["metrics"],
        "by": by,
        "where": [*filters, *([str(_DISK_OF_VM)] if disks_only else [])],
        "relative_to": [str(_HOST)],
        "weight": [question["weight"]] if question["weight"] != "machine" else [],
        "flagged": [question["flagged"]] if question["flagged"] != "exclude" else [],
        "version": [str(LIKE_WITH_LIKE)],
    }
    return urlencode(lists, doseq=True, safe=":!.")


def offers_in_common(
    rows: Iterable[Row], dimensions: Iterable[str] | None = None
) -> tuple[Offer, ...]:
    """Suggest filters for all sides by values that they have in common, in these dimensions."""
    selected = None if dimensions is None else {*dimensions}
    values: dict[str, list[Value]] = {}
    for row in rows:
        for cell in filled_cells(row):
            for entry in cell["ratio"]["unlike"] if "ratio" in cell else ():
                if selected is not None and entry["dimension"] not in selected:
                    continue
                common = [value for value in entry["of"] if value in entry["to"]]
                values.setdefault(entry["dimension"], []).extend(common)
    return tuple(_offers(values))


def refusal_remarks(rows: Iterable[Row], sides: Iterable[SideResponse]) -> list[Remark]:
    """Return each reason for a missing ratio that a filter can fix, once, with suggested filters.

    Dimensions that a side filters by are skipped: a filter for all sides would conflict.
    """
    filtered = {term["dimension"] for side in sides for term in side["where"]}
    fixable: dict[tuple[str, str], dict[str, list[Value]]] = {}
    for row in rows:
        for cell in filled_cells(row):
            refusal = cell.get("no_ratio")
            name = refusal.get("dimension") if refusal else None
            if refusal and name and name not in filtered and (values := refusal.get("values")):
                by_dimension = fixable.setdefault((refusal["code"], refusal["text"]), {})
                by_dimension.setdefault(name, []).extend(values)
    return [
        Remark(code, f"No ratio. {text}", offers=tuple(_offers(values)))
        for (code, text), values in fixable.items()
    ]


def _offers(values: dict[str, list[Value]]) -> Iterator[Offer]:
    """Yield filters for single values, most common first."""
    for name, occurrences in values.items():
        counts = Counter(value for value in occurrences if value is not None)
        for value, _ in counts.most_common(_MOST_OFFERED):
            text = f"{words.dimension_title(name)}: {words.value_text(name, value)}"
            yield Offer(text, str(Term(name, Op.IS, value)))
