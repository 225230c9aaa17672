"""Random questions, for property tests."""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st
from macmeter import catalog
from macmeter.catalog import Kind
from macmeter.catalog.terms import MOST_GROUPED, Op, Term, Value
from macmeter.questions.question import MAX_METRICS, Question
from macmeter.statistics.fit import MODELS

# Texts that a document may hold: no C0 controls, no lone surrogates, at most 256 characters.
texts = st.text(
    st.characters(min_codepoint=0x20, exclude_categories=["Cs"]), min_size=1, max_size=256
)
keys = texts.filter(lambda key: ":" not in key and not key.endswith("!"))
numbers = st.floats(allow_nan=False, allow_infinity=False)
USUAL_NUMBERS = st.sampled_from([1.0, 4.0, 26.0, 2e6, 1e9, 40e9])
of_runs = st.sampled_from([name for name, d in catalog.DIMENSIONS.items() if d.of == "run"])
NUMERIC = {name for name, d in catalog.DIMENSIONS.items() if d.kind is Kind.NUMBER}
names = of_runs | keys.map("label:{}".format)


def values(name: str) -> st.SearchStrategy[Value]:
    dimension = catalog.dimension(name)
    assert dimension is not None
    if name == "machine":
        return st.none() | st.uuids().map(str)
    by_kind: dict[Kind, st.SearchStrategy[Value]] = {
        Kind.NUMBER: USUAL_NUMBERS | numbers,
        Kind.BOOLEAN: st.booleans(),
        Kind.TEXT: st.sampled_from([*dimension.values, "Apple M4 Pro", "M4"]) | texts,
    }
    return st.none() | by_kind[dimension.kind]


@st.composite
def terms(draw: st.DrawFn) -> Term:
    name = draw(names)
    dimension = catalog.dimension(name)
    if dimension is not None and dimension.kind is Kind.NUMBER and draw(st.booleans()):
        low, high = sorted([draw(numbers), draw(numbers)])
        ends = draw(st.sampled_from([(low, high), (low, None), (None, high)]))
        return Term(name, draw(st.sampled_from([Op.RANGE, Op.NOT_RANGE])), None, *ends)
    return Term(name, draw(st.sampled_from([Op.IS, Op.NOT])), draw(values(name)))


@st.composite
def questions(draw: st.DrawFn) -> Question:
    """Any question, its parts in canonical order and its required parameters grouped or fixed."""
    known = sorted(catalog.METRICS)
    metrics = draw(st.lists(st.sampled_from(known), min_size=1, max_size=MAX_METRICS, unique=True))
    definitions = [catalog.METRICS[metric] for metric in metrics]
    required = {name for metric in definitions for name in metric.required}
    assume(all(required <= {*metric.required, *metric.optional} for metric in definitions))
    grouped = (
        draw(st.sets(st.sampled_from(sorted(required)), max_size=MOST_GROUPED))
        if required
        else set()
    )
    fixed = [Term(name, Op.IS, draw(values(name))) for name in sorted(required - grouped)]
    by = sorted(grouped | draw(st.sets(names, max_size=MOST_GROUPED - len(grouped))))
    where = {*draw(st.lists(terms(), max_size=4)), *fixed}
    reference = draw(st.lists(names.filter(lambda name: name not in required), max_size=2))
    relative_to = {Term(name, Op.IS, draw(values(name))) for name in sorted(set(reference))}
    numeric = [name for name in by if name in NUMERIC]
    return Question(
        metrics=tuple(sorted(metrics)),
        by=tuple(by),
        where=tuple(sorted(where, key=str)),
        relative_to=tuple(sorted(relative_to, key=str)),
        weight=draw(st.sampled_from(["machine", "run"])),
        flagged=draw(st.sampled_from(["exclude", "include"])),
        fit=draw(st.sampled_from([None, *sorted(MODELS)])) if len(numeric) == 1 else None,
    )
