"""A question about sides: two to eight sets of filters, metrics, and a baseline.

    metric=disk.write_average&metric=disk.write_speed@file_size:2000000
    side=1:chip:Apple M1&side=2:chip:Apple M4&label=1:My old one&where=storage:internal&baseline=1

`side=N:FILTER` repeats as `where` does; `side=N:` is a side without filters of its own. `where`
applies to all sides. A metric carries its own parameters after @, so that one question can
cover several file sizes. The canonical form sorts and drops defaults.
"""

import re
from dataclasses import dataclass

from macmeter import catalog
from macmeter.catalog.terms import CRUDE, Filters, Flagged, Op, Term, Weight
from macmeter.platform.errors import invalid
from macmeter.platform.plain_text import is_seen
from macmeter.questions.question import (
    QueryParams,
    Question,
    flagged_of,
    metric_of,
    pairs_of,
    params_of,
    parse_term,
    parse_terms,
    print_query,
    require_parameters,
    single,
    version_of,
    weight_of,
)

FEWEST_SIDES, MOST_SIDES = 2, 8
MOST_METRICS = 16
_MAX_LABEL = 80
PARAMETERS = ("baseline", "flagged", "label", "metric", "side", "version", "weight", "where")


@dataclass(frozen=True)
class Side:
    number: int
    label: str | None
    terms: tuple[Term, ...]


@dataclass(frozen=True)
class SidesQuestion:
    """`metrics` are pairs of a name and the terms that fix its parameters."""

    metrics: tuple[tuple[str, tuple[Term, ...]], ...]
    sides: tuple[Side, ...]
    where: tuple[Term, ...]
    baseline: int
    weight: Weight
    flagged: Flagged
    version: int = CRUDE

    def question(self, metric: str, fixed: tuple[Term, ...], side: Side) -> Question:
        """Return the question of one cell."""
        where = tuple(sorted({*self.where, *fixed, *side.terms}, key=str))
        options = (self.weight, self.flagged)
        question = Question((metric,), (), where, (), *options, version=self.version)
        return question.of_metric(metric)

    @property
    def filters(self) -> tuple[Filters, ...]:
        """Filters of all cells."""
        return tuple(
            Filters((metric,), self.question(metric, fixed, side).where, self.flagged)
            for side in self.sides
            for metric, fixed in self.metrics
        )

    @property
    def canonical(self) -> str:
        pairs = [("metric", printed_metric(name, fixed)) for name, fixed in self.metrics]
        pairs += [("where", str(term)) for term in self.where]
        for side in self.sides:
            texts = [str(term) for term in side.terms] or [""]
            pairs += [("side", f"{side.number}:{text}") for text in texts]
            if side.label is not None:
                pairs.append(("label", f"{side.number}:{side.label}"))
        return print_query(pairs, ":!.@", self)


_FIX = "Name one value with the metric (metric={metric}@{name}:…) or"


def printed_metric(name: str, fixed: tuple[Term, ...]) -> str:
    return "@".join([name, *(str(term) for term in fixed)])


def asks_for_sides(query: str) -> bool:
    """Whether the query has a `side`, which plain questions never have."""
    return any(name == "side" for name, _ in pairs_of(query))


def parse_sides(query: str) -> SidesQuestion:
    """Parse the sides of a query string; 422 names the parameter and the fix."""
    params = params_of(pairs_of(query), PARAMETERS)
    where = parse_terms(params.get("where", []))
    sides = _sides(params)
    shared = {term.dimension for term in where}
    for side in sides:
        repeated = sorted(shared & {term.dimension for term in side.terms})
        if repeated:
            detail = (
                f"{repeated[0]} is filtered for all sides and for side {side.number}. "
                "Remove one of the two."
            )
            raise invalid("?side", detail, "filtered_twice")
    numbers = {str(side.number) for side in sides}
    question = SidesQuestion(
        metrics=_metrics(params.get("metric", [])),
        sides=sides,
        where=where,
        baseline=int(single(params, "baseline", numbers) or 1),
        weight=weight_of(params),
        flagged=flagged_of(params),
        version=version_of(params),
    )
    for term in (*where, *(term for side in sides for term in side.terms)):
        _require_measured(term, question.metrics)
    for metric, fixed in question.metrics:
        for side in sides:
            require_parameters(question.question(metric, fixed, side), "?metric", _FIX)
    return question


def _require_measured(term: Term, metrics: tuple[tuple[str, tuple[Term, ...]], ...]) -> None:
    """Refuse a filter on a parameter that none of the metrics has."""
    if catalog.is_of_sample(term.dimension):
        definitions = (catalog.METRICS[name] for name, _ in metrics)
        if not any(term.dimension in metric.required + metric.optional for metric in definitions):
            detail = f"None of these metrics has {term.dimension}. Remove this filter."
            raise invalid("?where", detail, "not_of_metric")


def _metrics(texts: list[str]) -> tuple[tuple[str, tuple[Term, ...]], ...]:
    metrics: dict[str, tuple[str, tuple[Term, ...]]] = {}
    for text in texts:
        name, *fixed = text.split("@")
        metric = metric_of(name)
        terms = tuple(sorted((parse_term(term, "?metric") for term in fixed), key=str))
        for term in terms:
            if term.op is not Op.IS or term.dimension not in metric.required + metric.optional:
                detail = f"{name}@{term} must name one value of a parameter of {name}."
                raise invalid("?metric", detail, "bad_parameter")
        metrics[printed_metric(name, terms)] = (name, terms)
    if not 1 <= len(metrics) <= MOST_METRICS:
        raise invalid("?metric", f"Name 1 to {MOST_METRICS} metrics.", "metric_count")
    return tuple(metrics[text] for text in sorted(metrics))


def _sides(params: QueryParams) -> tuple[Side, ...]:
    terms: dict[int, set[Term]] = {}
    for text in params.get("side", []):
        number, written = _numbered(text, "side")
        side_terms = terms.setdefault(number, set())
        if written:
            side_terms.add(parse_term(written, "?side"))
    if not FEWEST_SIDES <= len(terms) <= MOST_SIDES or set(terms) != set(range(1, len(terms) + 1)):
        detail = (
            f"Name {FEWEST_SIDES} to {MOST_SIDES} sides, numbered from 1: side=1:chip:Apple M1."
        )
        raise invalid("?side", detail, "side_count")
    labels: dict[int, str] = {}
    for text in params.get("label", []):
        number, written = _numbered(text, "label")
        written = written.strip()
        if number not in terms or number in labels:
            raise invalid("?label", "Each side can have one label: label=1:TEXT.", "bad_label")
        if (
            not is_seen(written)
            or len(written) > _MAX_LABEL
            or re.search("[\x00-\x1f\ud800-\udfff]", written)
        ):
            detail = f"A label must have 1 to {_MAX_LABEL} characters, some of them visible."
            raise invalid("?label", detail, "bad_label")
        labels[number] = written
    return tuple(
        Side(number, labels.get(number), tuple(sorted(terms[number], key=str)))
        for number in sorted(terms)
    )


def _numbered(text: str, name: str) -> tuple[int, str]:
    number, colon, written = text.partition(":")
    if not colon or not re.fullmatch(f"[1-{MOST_SIDES}]", number):
        raise invalid(
            f"?{name}",
            f'"{text[:80]}" must begin with the number of a side, 1 to {MOST_SIDES}: {name}=1:…',
            "bad_side",
        )
    return int(number), written
