"""Parse the questions that charts, tables, exports, embeds and links ask.

The grammar is the query string of /api/v1/answer, of the browser's address bar and of a
saved comparison: `metric`, `by`, `where`, `relative_to` repeat; NAME:VALUE splits at the
first colon (at the second for `label:KEY:VALUE`), `!:` excludes, an empty value means
"not stated", numeric dimensions take `a..b`, `a..` and `..b`. OR inside a dimension, AND
across. The canonical form sorts and drops defaults, so equal questions are equal texts.
"""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar, cast, get_args
from urllib.parse import parse_qsl, quote

from macmeter import catalog
from macmeter.catalog import Dimension, Kind, Metric
from macmeter.catalog.terms import (
    CRUDE,
    LIKE_WITH_LIKE,
    MOST_GROUPED,
    Filters,
    Flagged,
    Op,
    Term,
    Value,
    Weight,
)
from macmeter.documents.read import MAX_STRING
from macmeter.platform.errors import FieldError, Problem, invalid
from macmeter.statistics.fit import MODELS, FitModel

T = TypeVar("T", bound=str)
# Values of a query string by parameter.
QueryParams = dict[str, list[str]]

MAX_METRICS = 4
MAX_TERMS = 100
_MAX_NAME = len(catalog.LABEL_PREFIX) + MAX_STRING


@dataclass(frozen=True)
class Question:
    metrics: tuple[str, ...]
    by: tuple[str, ...] = ()
    where: tuple[Term, ...] = ()
    relative_to: tuple[Term, ...] = ()
    weight: Weight = "machine"
    flagged: Flagged = "exclude"
    fit: FitModel | None = None
    version: int = CRUDE

    def of_metric(self, metric: str) -> Question:
        """Restrict the question to one metric, without filters on sample parameters that it lacks.

        This lets a rate with 14 threads appear next to the speed of its storage.
        """
        where = tuple(term for term in self.where if _has_dimension(metric, term.dimension))
        return replace(self, metrics=(metric,), where=where)

    @property
    def metric(self) -> str:
        """The metric of a question with only one."""
        return self.metrics[0]

    @property
    def filters(self) -> Filters:
        return Filters(self.metrics, self.where, self.flagged)

    @property
    def reference(self) -> dict[str, Value]:
        """Values of `relative_to`, which replace a group's own to find its reference."""
        return {term.dimension: term.value for term in self.relative_to}

    def key_of(self, values: Iterable[Value]) -> dict[str, Value]:
        """Return the values of a group's key by dimension."""
        return dict(zip(self.by, values, strict=True))

    @property
    def canonical(self) -> str:
        """The single query string for all equivalent forms of this question."""
        pairs = [("metric", metric) for metric in self.metrics]
        pairs += [("by", name) for name in self.by]
        pairs += [("where", str(term)) for term in self.where]
        pairs += [("relative_to", str(term)) for term in self.relative_to]
        return print_query(pairs, ":!.", self)


# Options with their default values, which are left out of a query.
_DEFAULTS: dict[str, object] = {"baseline": 1, "fit": None, "flagged": "exclude"}
_DEFAULTS |= {"version": CRUDE, "weight": "machine"}


def print_query(pairs: list[tuple[str, str]], safe: str, question: object) -> str:
    """Print a sorted query, adding the options of `question` that aren't defaults."""
    options = {name: getattr(question, name, default) for name, default in _DEFAULTS.items()}
    pairs += [(name, str(value)) for name, value in options.items() if value != _DEFAULTS[name]]
    return "&".join(f"{name}={quote(value, safe=safe)}" for name, value in sorted(pairs))


def parse_query(query: str) -> Question:
    """Parse a query string; 422 names the parameter and the fix."""
    return parse_question(pairs_of(query))


def parse_filters(query: str) -> Filters:
    """Parse a query string that has only filters."""
    params = params_of(pairs_of(query), ("flagged", "metric", "where"))
    metrics = _metrics(params, fewest=0)
    where = parse_terms(params.get("where", []))
    for term in where:
        _require_dimension_of(term.dimension, metrics, "?where")
    return Filters(metrics, where, flagged_of(params))


def refuse_unknown(names: Iterable[str], allowed: tuple[str, ...]) -> None:
    """Refuse unknown parameters: a misspelt filter must not answer with everything."""
    for name in names:
        if name not in allowed:
            detail = f'Unknown parameter "{name[:64]}". Use {", ".join(allowed)}.'
            raise invalid(f"?{name[:64]}", detail, "unknown")


def pairs_of(query: str) -> list[tuple[str, str]]:
    """Split a query string into names and values; 422 if it can't be read."""
    try:
        return parse_qsl(
            query,
            keep_blank_values=True,
            strict_parsing=bool(query),
            errors="strict",
            max_num_fields=2 * MAX_TERMS,
        )
    except ValueError as error:
        raise invalid("?", f"The query string can't be read: {error}.", "bad_query") from None


def params_of(pairs: Iterable[tuple[str, str]], allowed: tuple[str, ...]) -> QueryParams:
    """Collect the values of each parameter; 422 if one isn't allowed."""
    params: QueryParams = {}
    for name, value in pairs:
        params.setdefault(name, []).append(value)
    refuse_unknown(params, allowed)
    return params


def parse_question(pairs: Iterable[tuple[str, str]]) -> Question:
    params = params_of(pairs, PARAMETERS)
    metrics = _metrics(params, fewest=1)
    by = tuple(sorted({_dimension(name, "?by").name for name in params.get("by", [])}))
    if len(by) > MOST_GROUPED:
        raise invalid("?by", f"Group by at most {MOST_GROUPED} dimensions.", "by_count")
    question = Question(
        metrics=metrics,
        by=by,
        where=parse_terms(params.get("where", [])),
        relative_to=_reference(params.get("relative_to", [])),
        weight=weight_of(params),
        flagged=flagged_of(params),
        fit=_fit(params, by),
        version=version_of(params),
    )
    require_parameters(question)
    return question


PARAMETERS = ("by", "fit", "flagged", "metric", "relative_to", "version", "weight", "where")


def parse_terms(texts: Iterable[str]) -> tuple[Term, ...]:
    """Parse the `where` terms of a query, sorted and without duplicates."""
    terms = {parse_term(text, "?where") for text in texts}
    if len(terms) > MAX_TERMS:
        raise invalid("?where", f"Use at most {MAX_TERMS} filters.", "where_count")
    return tuple(sorted(terms, key=str))


def parse_run_terms(where: list[str] | None) -> tuple[Term, ...]:
    """Parse the filters of a list of runs or machines."""
    terms = parse_terms(where or [])
    for term in terms:
        if catalog.is_of_sample(term.dimension):
            detail = f"Runs can't be filtered by {term.dimension}, a property of single samples."
            raise invalid("?where", detail, "not_of_runs")
    return terms


def parse_term(text: str, pointer: str) -> Term:
    """Parse NAME:VALUE, NAME!:VALUE or NAME:LOW..HIGH."""
    start = text.find(":") + 1 if text.startswith(catalog.LABEL_PREFIX) else 0
    colon = text.find(":", start)
    if colon < 1:
        detail = f'"{text[:80]}" must be NAME:VALUE, such as storage:usb4.'
        raise invalid(pointer, detail, "bad_term")
    negated = text[colon - 1] == "!"
    name, raw = text[: colon - negated], text[colon + 1 :]
    dimension = _dimension(name, pointer)
    if dimension.kind is Kind.NUMBER and ".." in raw:
        low, _, high = raw.partition("..")
        if not low and not high:
            detail = f"The range of {name} must be LOW..HIGH, LOW.. or ..HIGH."
            raise invalid(pointer, detail, "bad_range")
        bounds = [_number(end, dimension, pointer) if end else None for end in (low, high)]
        if bounds[0] is not None and bounds[1] is not None and bounds[0] > bounds[1]:
            detail = f"The range of {name} must begin with its lower end, not {low}..{high}."
            raise invalid(pointer, detail, "bad_range")
        op = Op.NOT_RANGE if negated else Op.RANGE
        return Term(name, op, low=bounds[0], high=bounds[1])
    return Term(name, Op.NOT if negated else Op.IS, _value(raw, dimension, pointer))


def _value(raw: str, dimension: Dimension, pointer: str) -> Value:
    if raw == "":
        return None
    if dimension.kind is Kind.NUMBER:
        return _number(raw, dimension, pointer)
    if dimension.kind is Kind.BOOLEAN:
        if raw not in ("true", "false"):
            raise invalid(pointer, f"{dimension.name} must be true or false.", "bad_value")
        return raw == "true"
    if re.search("[\x00-\x1f]", raw) or len(raw) > MAX_STRING:
        detail = f"{dimension.name} must have at most {MAX_STRING} printable characters."
        raise invalid(pointer, detail, "bad_value")
    if dimension.name == "machine":
        try:
            return str(uuid.UUID(raw))
        except ValueError:
            raise invalid(pointer, "machine must be the id of a machine.", "bad_value") from None
    return raw


def _number(raw: str, dimension: Dimension, pointer: str) -> float:
    # Allows the longest number that print_value writes.
    if re.fullmatch(r"-?\d{1,20}(\.\d{1,20})?([eE][+-]?\d{1,3})?", raw, re.ASCII):
        number = float(raw)
        if math.isfinite(number):
            return number
    raise invalid(pointer, f'{dimension.name} must be a number, not "{raw[:40]}".', "bad_value")


def _reference(texts: Iterable[str]) -> tuple[Term, ...]:
    terms = {parse_term(text, "?relative_to") for text in texts}
    if any(term.op is not Op.IS for term in terms):
        raise invalid("?relative_to", "relative_to must be one value: NAME:VALUE.", "bad_term")
    if len({term.dimension for term in terms}) < len(terms):
        detail = "relative_to must have one value for each dimension."
        raise invalid("?relative_to", detail, "bad_term")
    return tuple(sorted(terms, key=str))


def _metrics(params: QueryParams, *, fewest: int) -> tuple[str, ...]:
    names = sorted(set(params.get("metric", [])))
    for name in names:
        metric_of(name)
    if not fewest <= len(names) <= MAX_METRICS:
        raise invalid("?metric", f"Name {fewest} to {MAX_METRICS} metrics.", "metric_count")
    return tuple(names)


def metric_of(name: str) -> Metric:
    """Return the metric with this name, else 422."""
    if name not in catalog.METRICS:
        detail = f'Unknown metric "{name[:64]}". /api/v1/catalog lists all metrics.'
        raise invalid("?metric", detail, "unknown_metric")
    return catalog.METRICS[name]


def _dimension(name: str, pointer: str) -> Dimension:
    dimension = catalog.dimension(name)
    if dimension is None or len(name) > _MAX_NAME or re.search("[\x00-\x1f]", name):
        detail = f'Unknown dimension "{name[:64]}". /api/v1/catalog lists all dimensions.'
        raise invalid(pointer, detail, "unknown_dimension")
    if not askable(name):
        detail = "Labels whose key contains a colon or ends with ! can't be used here."
        raise invalid(pointer, detail, "bad_label")
    return dimension


def askable(name: str) -> bool:
    """Whether a term can express a label's key without being parsed as another."""
    key = name.removeprefix(catalog.LABEL_PREFIX)
    return ":" not in key and not key.endswith("!")


def single(params: QueryParams, name: str, allowed: Collection[T]) -> T | None:
    """Return a parameter's only value, None if it isn't given; 422 lists the allowed ones."""
    values = set(params.get(name, []))
    if len(values) > 1 or not values <= {*allowed}:
        *choices, last = sorted(map(str, allowed))
        choice = f"{', '.join(choices)} or {last}" if choices else last
        raise invalid(f"?{name}", f"{name} must be {choice}.", "bad_value")
    return cast(T, values.pop()) if values else None


def weight_of(params: QueryParams) -> Weight:
    return single(params, "weight", get_args(Weight)) or "machine"


def version_of(params: QueryParams) -> int:
    """Return the version; addresses without one keep the original behaviour."""
    return int(single(params, "version", (str(CRUDE), str(LIKE_WITH_LIKE))) or CRUDE)


def flagged_of(params: QueryParams) -> Flagged:
    return single(params, "flagged", get_args(Flagged)) or "exclude"


def _fit(params: QueryParams, by: tuple[str, ...]) -> FitModel | None:
    model = single(params, "fit", MODELS)
    if model is None:
        return None
    if len(numeric(by)) != 1:
        detail = "A fit needs exactly one numeric dimension in by, such as by=threads."
        raise invalid("?fit", detail, "fit_over")
    return model


def numeric(by: Iterable[str]) -> list[str]:
    """Return the numeric ones of these dimensions."""
    return [name for name in by if _dimension(name, "?by").kind is Kind.NUMBER]


def require_parameters(
    question: Question, pointer: str = "?by", fix: str = "Group by it (by={name}) or"
) -> None:
    """Require sample dimensions to belong to the metrics, and required ones to be grouped or fixed.

    `fix` begins the error's advice: how to name the dimension at `pointer` instead of filtering it.
    """
    names = set(question.by) | {t.dimension for t in question.where + question.relative_to}
    for name in sorted(names):
        _require_dimension_of(name, question.metrics, "?by" if name in question.by else "?where")
    fixed = {name for name in names if _is_fixed(question, name)} | set(question.by)
    for metric in question.metrics:
        for name in catalog.METRICS[metric].required:
            if name not in fixed:
                detail = (
                    f"{metric} depends on {name}. {fix.format(metric=metric, name=name)} "
                    f"filter it to one value (where={name}:…)."
                )
                raise Problem(
                    422,
                    "parameter_required",
                    "Parameter required",
                    detail,
                    [FieldError(pointer, "parameter_required", detail)],
                )


def _require_dimension_of(name: str, metrics: tuple[str, ...], pointer: str) -> None:
    """Require a sample dimension to belong to a metric if filtered, to every metric if grouped."""
    dimension = catalog.dimension(name)
    if dimension is None or dimension.of != "sample":
        return
    if not metrics:
        detail = f"{name} is a property of samples. Add the metric that has it."
        raise invalid(pointer, detail, "not_of_runs")
    without = [metric for metric in metrics if not _has_dimension(metric, name)]
    if without and (pointer == "?by" or len(without) == len(metrics)):
        raise invalid(pointer, f"{without[0]} has no {name}. Leave {name} out.", "not_of_metric")


def _has_dimension(metric: str, name: str) -> bool:
    """Whether a metric has this dimension; those of runs belong to every metric."""
    dimension = catalog.dimension(name)
    entry = catalog.METRICS[metric]
    return dimension is None or dimension.of != "sample" or name in entry.required + entry.optional


def _is_fixed(question: Question, name: str) -> bool:
    """Whether a dimension has one value: several, or a range, would mix unlike samples."""
    terms = [term for term in question.where if term.dimension == name]
    if any(term.dimension == name for term in question.relative_to):
        return len(terms) <= 1
    return len(terms) == 1 and terms[0].op is Op.IS
